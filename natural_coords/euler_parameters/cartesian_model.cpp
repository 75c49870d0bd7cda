#include "natural_coords/euler_parameters/cartesian_model.hpp"

#include <algorithm>

#include "natural_coords/rows/measured_coordinates.hpp"
#include "natural_coords/rows/row_requests.hpp"
#include "topology/indices.hpp"

namespace semirec {

namespace {

using Eigen::Vector3d;

// inertia that scales penalties where a body has less, as a part of the largest of all bodies: what
// a light body carries may be heavy, and a point mass has no moments of inertia
constexpr double kFloor = 1e-3;

class CartesianBuilder {
 public:
  CartesianBuilder(const Mechanism& mechanism, TreeModel& tree)
      : mechanism_(mechanism), tree_(tree) {}

  CartesianModel build() {
    out_.forced = measure_all_coordinates(mechanism_, tree_);
    lay_bodies();
    add_norm_rows();
    const RowRequests asked = find_row_requests(mechanism_, tree_);
    first_owner_ = static_cast<int>(out_.owners.size());
    out_.owners.insert(out_.owners.end(), asked.owners.begin(), asked.owners.end());
    out_.switches = asked.switches;
    out_.switched.resize(asked.switches.size());
    for (const RowRequest& request : asked.rows) add_rows(request);
    place_connections();
    return std::move(out_);
  }

 private:
  void lay_bodies() {
    out_.bodies.resize(tree_.bodies.size());
    for (std::size_t t = 1; t < tree_.bodies.size(); ++t) {
      CartesianBody& body = out_.bodies[t];
      body.column = out_.n;
      out_.n += 7;
      body.mass = tree_.bodies[t].mass;
      body.com = tree_.bodies[t].com;
      body.inertia = tree_.bodies[t].inertia;
      body.floor_e = 4.0 * body.inertia.diagonal().maxCoeff();
      out_.floor_r = std::max(out_.floor_r, kFloor * body.mass);
      out_.floor_e = std::max(out_.floor_e, kFloor * body.floor_e);
    }
    tree_.columns = out_.n;
    // a mechanism of point masses: arms of 1 m
    if (out_.floor_e == 0.0) out_.floor_e = 4.0 * out_.floor_r;
  }

  void add_block(std::vector<int> columns) {
    RowBlock block;
    block.row = out_.m++;
    block.rows = 1;
    block.jacobian = out_.jacobian_size;
    out_.jacobian_size += static_cast<int>(columns.size());
    block.columns = std::move(columns);
    out_.blocks.push_back(std::move(block));
  }

  void add_norm_rows() {
    for (std::size_t t = 1; t < out_.bodies.size(); ++t) {
      out_.owners.push_back(mechanism_.bodies[at(tree_.tree.branches[t].body)].name);
      const int e = out_.bodies[t].column + 3;
      add_block({e, e + 1, e + 2, e + 3});
    }
  }

  const Vector3d& com(TreeIndex body) const { return out_.bodies[at(body)].com; }

  int add_vector(const CartesianVector& vector) {
    out_.vectors.push_back(vector);
    return static_cast<int>(out_.vectors.size()) - 1;
  }
  /// r_b - r_a; a switch moves the place on a.
  int add_difference(const RowRequest& asked) {
    const int index =
        add_vector({true, asked.a.body, asked.b.body, asked.a.X_CF.p - com(asked.a.body),
                    asked.b.X_CF.p - com(asked.b.body)});
    if (asked.switch_index >= 0) out_.switched[at(asked.switch_index)].push_back({index, -1, true});
    return index;
  }
  int add_direction(TreeIndex body, const Vector3d& direction) {
    return add_vector({false, 0, body, Vector3d::Zero(), direction});
  }
  int add_axis_a(const RowRequest& asked, int axis) {
    const int index = add_direction(asked.a.body, asked.a.X_CF.A.col(axis));
    if (asked.switch_index >= 0)
      out_.switched[at(asked.switch_index)].push_back({index, axis, false});
    return index;
  }
  int add_axis_b(const RowRequest& asked, int axis) {
    return add_direction(asked.b.body, asked.b.X_CF.A.col(axis));
  }

  int pair_of(const std::array<TreeIndex, 2>& pair) {
    const auto found = std::find(out_.pairs.begin(), out_.pairs.end(), pair);
    const auto index = static_cast<int>(found - out_.pairs.begin());
    if (found == out_.pairs.end()) out_.pairs.push_back(pair);
    return index;
  }

  /// `component`: the only one of r that the row has, -1 for all.
  void add_row(CartesianRow row, const RowRequest& asked, bool has_points, int component = -1) {
    std::vector<int> columns;
    std::array<TreeIndex, 2> bodies{asked.a.body, asked.b.body};
    std::sort(bodies.begin(), bodies.end());
    for (const TreeIndex body : bodies) {
      if (body == 0 || (row.side_count == 1 && row.sides[0].body == body)) continue;
      CartesianRow::Side& side = row.sides[at(row.side_count++)];
      side.body = body;
      side.place_r = static_cast<int>(columns.size());
      side.first_r = std::max(component, 0);
      side.count_r = !has_points ? 0 : (component < 0 ? 3 : 1);
      const int first = out_.bodies[at(body)].column;
      for (int k = 0; k < side.count_r; ++k) columns.push_back(first + side.first_r + k);
      side.place_e = static_cast<int>(columns.size());
      for (int k = 3; k < 7; ++k) columns.push_back(first + k);
    }
    // nothing in it moves
    if (columns.empty()) return;
    if (row.side_count == 2) row.pair = pair_of({row.sides[0].body, row.sides[1].body});
    add_block(std::move(columns));
    out_.rows.push_back(row);
  }

  void add_rows(const RowRequest& asked) {
    CartesianRow row;
    row.owner = first_owner_ + asked.owner;
    row.switch_index = asked.switch_index;
    row.constant = asked.constant;
    row.input = asked.input;
    row.slide_input = asked.slide_input;
    switch (asked.kind) {
      case RowRequest::Kind::point:
        row.kind = VectorRow::Kind::plane;
        row.u = add_difference(asked);
        for (int k = 0; k < 3; ++k) {
          row.direction = Vector3d::Unit(k);
          add_row(row, asked, true, k);
        }
        break;
      case RowRequest::Kind::along:
        row.kind = VectorRow::Kind::product;
        row.u = add_difference(asked);
        row.v = add_axis_a(asked, asked.axis_a);
        row.slide_part = asked.slide.dot(asked.a.X_CF.A.col(asked.axis_a));
        add_row(row, asked, true);
        break;
      case RowRequest::Kind::dot:
        row.kind = VectorRow::Kind::product;
        row.u = add_axis_a(asked, asked.axis_a);
        row.v = add_axis_b(asked, asked.axis_b);
        add_row(row, asked, false);
        break;
      case RowRequest::Kind::rod:
        row.kind = VectorRow::Kind::rod;
        row.u = add_difference(asked);
        if (asked.slide_input != kNoInput) row.slide = add_direction(asked.a.body, asked.slide);
        add_row(row, asked, true);
        break;
      case RowRequest::Kind::turn:
        row.kind = VectorRow::Kind::turn;
        row.u = asked.axis_on_b ? add_axis_a(asked, 2) : add_axis_b(asked, 0);
        row.v = asked.axis_on_b ? add_axis_b(asked, 2) : add_axis_a(asked, 0);
        row.w = asked.axis_on_b ? add_axis_b(asked, 1) : add_axis_a(asked, 1);
        add_row(row, asked, false);
        break;
    }
  }

  /// Connections lie in these coordinates from here on. No two bodies share one, so that their
  /// columns of H are the bodies' own.
  void place_connections() {
    for (Connection& connection : tree_.connections) {
      connection.path.coordinates.clear();
      connection.path.sign.clear();
      std::array<TreeIndex, 2> bodies{connection.path.a, connection.path.b};
      std::sort(bodies.begin(), bodies.end());
      for (const TreeIndex body : bodies) {
        if (body == 0 || connection.path.a == connection.path.b) continue;
        for (int k = 0; k < 7; ++k) {
          connection.path.coordinates.push_back(out_.bodies[at(body)].column + k);
          connection.path.sign.push_back(body == connection.path.b ? 1.0 : -1.0);
        }
      }
      connection.columns = connection.path.coordinates;
      const bool couples = bodies[0] != 0 && bodies[0] != bodies[1];
      out_.pair_of_connection.push_back(couples ? pair_of(bodies) : -1);
    }
  }

  const Mechanism& mechanism_;
  TreeModel& tree_;
  int first_owner_ = 0;  ///< of what is not a body
  CartesianModel out_;
};

}  // namespace

CartesianModel make_cartesian_model(const Mechanism& mechanism, TreeModel& tree) {
  return CartesianBuilder(mechanism, tree).build();
}

std::vector<std::vector<int>> find_cliques(const CartesianModel& model, const TreeModel& tree) {
  std::vector<std::vector<int>> cliques;
  for (std::size_t t = 1; t < model.bodies.size(); ++t) {
    const int first = model.bodies[t].column;
    for (int k = 0; k < 3; ++k) cliques.push_back({first + k});
  }
  // the rows of |e| = 1 hold the blocks of 4 L^T J L
  for (const RowBlock& block : model.blocks) cliques.push_back(block.columns);
  for (const Connection& connection : tree.connections)
    cliques.push_back(connection.path.coordinates);
  return cliques;
}

void set_pattern(CartesianModel& model, TreeModel& tree, const SymmetricPattern& pattern) {
  tree.pattern = pattern;
  for (std::size_t t = 1; t < model.bodies.size(); ++t) {
    CartesianBody& body = model.bodies[t];
    for (int k = 0; k < 3; ++k)
      body.slots_r[at(k)] = pattern.slot(body.column + k, body.column + k);
    const int e = body.column + 3;
    const std::vector<int> slots = pattern.block_slots({e, e + 1, e + 2, e + 3});
    std::copy(slots.begin(), slots.end(), body.slots_e.begin());
  }
  for (RowBlock& block : model.blocks) block.slots = pattern.block_slots(block.columns);
  for (Connection& connection : tree.connections) {
    connection.slots = pattern.block_slots(connection.path.coordinates);
    connection.heavier = 0;
  }
}

}  // namespace semirec
