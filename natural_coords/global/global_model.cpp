#include "natural_coords/global/global_model.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "natural_coords/global/natural_layout.hpp"
#include "natural_coords/rows/measured_coordinates.hpp"
#include "natural_coords/rows/row_requests.hpp"
#include "topology/indices.hpp"

namespace semirec {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double kNothing = 1e-12;  // a coefficient that is round-off
// inertia that scales penalties where a body has less, as parts of the largest entry of the body's
// own mass matrix and of all: a leaf link of 1 g between chassis and wheel carrier takes 6.3
// iterations a step without, 1.4 with any common part from 1e-4 to 1e-1
constexpr double kOwnFloor = 1e-2;
constexpr double kCommonFloor = 1e-3;

/// v += weight * other.
void add(LinearVector& v, const LinearVector& other, double weight) {
  v.constant += weight * other.constant;
  v.points += weight * other.points;
  LinearVector sum;
  std::size_t i = 0;
  std::size_t k = 0;
  while (i < v.columns.size() || k < other.columns.size()) {
    const int own = i < v.columns.size() ? v.columns[i] : 1 << 30;
    const int its = k < other.columns.size() ? other.columns[k] : 1 << 30;
    const int column = std::min(own, its);
    Vector3d c = Vector3d::Zero();
    if (own == column) c += v.coefficients[i++];
    if (its == column) c += weight * other.coefficients[k++];
    if (c.cwiseAbs().maxCoeff() < kNothing) continue;
    sum.columns.push_back(column);
    sum.coefficients.push_back(c);
  }
  v.columns = sum.columns;
  v.coefficients = sum.coefficients;
}

bool same(const LinearVector& a, const LinearVector& b) {
  if (a.columns != b.columns || (a.points - b.points).norm() > kNothing ||
      (a.constant - b.constant).norm() > 1e-9)
    return false;
  for (std::size_t k = 0; k < a.columns.size(); ++k)
    if ((a.coefficients[k] - b.coefficients[k]).norm() > kNothing) return false;
  return true;
}

LinearVector of_entity(const NaturalEntity& entity) {
  LinearVector v;
  v.constant = entity.constant;
  if (entity.point && !entity.full()) v.points.setIdentity();
  for (int k = 0; k < static_cast<int>(entity.S.cols()); ++k) {
    v.columns.push_back(entity.column + k);
    v.coefficients.emplace_back(entity.S.col(k));
  }
  return v;
}

LinearVector turned(const Matrix3d& W, LinearVector v) {
  v.constant = W * v.constant;
  v.points = W * v.points;
  for (Vector3d& c : v.coefficients) c = W * c;
  return v;
}

std::vector<int> unite(const std::vector<int>& a, const std::vector<int>& b) {
  std::vector<int> both;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

std::vector<int> places(const std::vector<int>& some, const std::vector<int>& all) {
  std::vector<int> result;
  for (const int c : some)
    result.push_back(static_cast<int>(std::lower_bound(all.begin(), all.end(), c) - all.begin()));
  return result;
}

class Builder {
 public:
  Builder(const Mechanism& mechanism, TreeModel& tree) : mechanism_(mechanism), tree_(tree) {}

  GlobalModel build() {
    layout_ = make_natural_layout(mechanism_, tree_);
    out_.n = layout_.n;
    out_.forced = measure_all_coordinates(mechanism_, tree_);
    out_.entities = layout_.entities;
    lay_bases();
    for (std::size_t t = 1; t < tree_.bodies.size(); ++t) add_rigid_rows(static_cast<TreeIndex>(t));
    add_asked_rows();
    order_rows();
    place_connections();
    return std::move(out_);
  }

 private:
  LinearVector base_vector(TreeIndex body, int k) const {
    const BodyLayout::BaseVector& e = layout_.bodies[at(body)].base[at(k)];
    if (e.across) return turned(tilde(*layout_.bodies[at(body)].axis), base_vector(body, 0));
    LinearVector v = of_entity(out_.entities[at(e.plus)]);
    if (e.minus >= 0) add(v, of_entity(out_.entities[at(e.minus)]), -1.0);
    return v;
  }

  void lay_bases() {
    out_.bodies.resize(tree_.bodies.size());
    bases_.resize(tree_.bodies.size());
    int column = 0;
    out_.floor = Eigen::VectorXd::Zero(out_.n);
    for (std::size_t t = 1; t < tree_.bodies.size(); ++t) {
      const auto body = static_cast<TreeIndex>(t);
      const BodyLayout& layout = layout_.bodies[t];
      std::vector<LinearVector>& g = bases_[t];
      g.push_back(of_entity(out_.entities[at(layout.origin)]));
      for (int k = 0; k < 3; ++k) g.push_back(base_vector(body, k));

      NaturalBody& natural = out_.bodies[t];
      for (const LinearVector& v : g) natural.columns = unite(natural.columns, v.columns);
      const auto size = static_cast<Eigen::Index>(natural.columns.size());
      natural.Gamma.setZero(12, size);
      for (int a = 0; a < 4; ++a) {
        const std::vector<int> place = places(g[at(a)].columns, natural.columns);
        for (std::size_t k = 0; k < place.size(); ++k)
          natural.Gamma.col(place[k]).segment<3>(3 * a) = g[at(a)].coefficients[k];
        natural.constant.segment<3>(3 * a) = g[at(a)].constant;
        natural.points[at(a)] = g[at(a)].points;
        if (!g[at(a)].points.isZero(0.0)) natural.counts_from_origin = false;
      }
      for (Eigen::Index k = 0; k < size; ++k) {
        natural.first_term.push_back(static_cast<int>(natural.terms.size()));
        for (int a = 0; a < 4; ++a) {
          const Vector3d c = natural.Gamma.col(k).segment<3>(3 * a);
          if (!c.isZero(0.0))
            natural.terms.push_back({a, natural.columns[at(static_cast<int>(k))], c});
        }
      }
      natural.first_term.push_back(static_cast<int>(natural.terms.size()));
      natural.x_0 = layout.x_0;
      natural.X_inverse = layout.X.inverse();
      natural.first_column = column;
      column += static_cast<int>(size);
      find_mass(tree_.bodies[t], natural);
    }
    tree_.columns = column;
    // a light body may carry heavy ones: its penalty must hold what hangs on it
    out_.floor = out_.floor.cwiseMax(least_floor_);
  }

  /// Kinetic energy 1/2 sum G_ab gd_a . gd_b, G from the body's mass, centre of mass and second
  /// moments about x_0 in the base (design notes in docs/theory.md, constant mass matrix).
  void find_mass(const TreeBody& body, NaturalBody& natural) {
    const Vector3d d = body.com - natural.x_0;
    const Matrix3d second = 0.5 * body.inertia.trace() * Matrix3d::Identity() - body.inertia +
                            body.mass * d * d.transpose();
    const Vector3d c = natural.X_inverse * d;
    Eigen::Matrix4d& G = natural.G;
    G(0, 0) = body.mass;
    G.block<1, 3>(0, 1) = body.mass * c.transpose();
    G.block<3, 1>(1, 0) = body.mass * c;
    G.block<3, 3>(1, 1) = natural.X_inverse * second * natural.X_inverse.transpose();
    Eigen::Matrix<double, 12, 12> M;
    for (int a = 0; a < 4; ++a) {
      for (int b = 0; b < 4; ++b) M.block<3, 3>(3 * a, 3 * b) = G(a, b) * Matrix3d::Identity();
    }
    natural.mass = natural.Gamma.transpose() * M * natural.Gamma;
    if (natural.columns.empty()) return;
    const double largest = natural.mass.diagonal().maxCoeff();
    for (const int k : natural.columns)
      out_.floor[k] = std::max(out_.floor[k], kOwnFloor * largest);
    least_floor_ = std::max(least_floor_, kCommonFloor * largest);
  }

  LinearVector direction_of(TreeIndex body, const Vector3d& direction) const {
    LinearVector v;
    if (body == 0) {
      v.constant = direction;
      return v;
    }
    const Vector3d c = out_.bodies[at(body)].X_inverse * direction;
    for (int k = 0; k < 3; ++k)
      if (std::abs(c[k]) > kNothing) add(v, bases_[at(body)][at(k + 1)], c[k]);
    return v;
  }

  LinearVector place_of(TreeIndex body, const Vector3d& place) const {
    if (body == 0) {
      LinearVector v;
      v.constant = place;
      v.points.setIdentity();
      return v;
    }
    LinearVector v = direction_of(body, place - out_.bodies[at(body)].x_0);
    add(v, bases_[at(body)][0], 1.0);
    return v;
  }

  int index_of(const LinearVector& v) {
    for (std::size_t k = 0; k < out_.vectors.size(); ++k)
      if (same(out_.vectors[k], v)) return static_cast<int>(k);
    out_.vectors.push_back(v);
    return static_cast<int>(out_.vectors.size()) - 1;
  }

  const LinearVector& vector(int index) const { return out_.vectors[at(index)]; }

  /// Keeps the row unless nothing in it can move. A row whose second vector is constant is linear.
  void add_row(GlobalRow row) {
    const bool switched = row.switch_index >= 0;
    if (row.kind == GlobalRow::Kind::product && !switched && row.slide < 0) {
      if (vector(row.u).columns.empty()) std::swap(row.u, row.v);
      if (vector(row.v).columns.empty() && vector(row.v).points.isZero(0.0)) {
        row.kind = GlobalRow::Kind::plane;
        row.direction = vector(row.v).constant;
        row.v = -1;
      }
    }
    std::vector<int> columns;
    for (const int k : {row.u, row.v, row.w, row.slide})
      if (k >= 0) columns = unite(columns, vector(k).columns);
    if (row.kind == GlobalRow::Kind::plane && !switched) {
      double largest = 0.0;
      for (const Vector3d& c : vector(row.u).coefficients)
        largest = std::max(largest, std::abs(row.direction.dot(c)));
      if (largest < 1e-10) return;
    }
    if (columns.empty()) return;
    rows_.emplace_back(std::move(row), std::move(columns));
  }

  void add_rigid_rows(TreeIndex body) {
    const int owner = static_cast<int>(out_.owners.size());
    out_.owners.push_back(mechanism_.bodies[at(tree_.tree.branches[at(body)].body)].name);
    const BodyLayout& layout = layout_.bodies[at(body)];
    for (int i = 0; i < 3; ++i) {
      for (int k = i; k < 3; ++k) {
        if (layout.base[at(i)].across || layout.base[at(k)].across) continue;
        GlobalRow row;
        row.kind = GlobalRow::Kind::product;
        row.owner = owner;
        row.u = index_of(bases_[at(body)][at(i + 1)]);
        row.v = index_of(bases_[at(body)][at(k + 1)]);
        // a base that neighbours share is rigid once
        if (!rigid_.insert(std::minmax(row.u, row.v)).second) continue;
        row.constant = layout.X.col(i).dot(layout.X.col(k));
        const double length = std::max(layout.X.col(i).norm(), layout.X.col(k).norm());
        row.scale = i == k ? 0.5 / length : 1.0 / length;
        add_row(row);
      }
    }
  }

  /// What the row of a request has in any case.
  GlobalRow begin_row(const RowRequest& asked, GlobalRow::Kind kind) const {
    GlobalRow row;
    row.kind = kind;
    row.owner = first_owner_ + asked.owner;
    row.switch_index = asked.switch_index;
    row.constant = asked.constant;
    row.input = asked.input;
    return row;
  }

  LinearVector difference_of(const Attachment& a, const Attachment& b) const {
    LinearVector d = place_of(b.body, b.X_CF.p);
    add(d, place_of(a.body, a.X_CF.p), -1.0);
    return d;
  }
  LinearVector axis_of(const Attachment& on, int axis) const {
    return direction_of(on.body, on.X_CF.A.col(axis));
  }

  /// r_b - r_a; with its three rows, unless both bodies share the point.
  void add_point_rows(const RowRequest& asked) {
    const Attachment& a = asked.a;
    const Attachment& b = asked.b;
    if (asked.switch_index < 0 && same(place_of(a.body, a.X_CF.p), place_of(b.body, b.X_CF.p)))
      return;
    // along and across the one axis that a planar mechanism has
    Matrix3d axes = Matrix3d::Identity();
    for (const TreeIndex body : {a.body, b.body})
      if (body > 0 && layout_.bodies[at(body)].axis)
        axes = make_frame(Vector3d::Zero(), *layout_.bodies[at(body)].axis).A;
    GlobalRow row = begin_row(asked, GlobalRow::Kind::plane);
    row.u = add_switched(difference_of(a, b), asked.switch_index, -1);
    for (int k = 0; k < 3; ++k) {
      row.direction = axes.col(k);
      add_row(row);
    }
  }

  /// Vectors that a switch moves are its own.
  int add_switched(const LinearVector& v, int switch_index, int axis) {
    if (switch_index < 0) return index_of(v);
    // columns of the whole body: the place on it may be any
    LinearVector wide = v;
    const TreeIndex a = out_.switch_places[at(switch_index)].body_a;
    if (a > 0)
      for (const int column : out_.bodies[at(a)].columns)
        if (!std::binary_search(wide.columns.begin(), wide.columns.end(), column)) {
          const auto place = std::lower_bound(wide.columns.begin(), wide.columns.end(), column);
          wide.coefficients.insert(wide.coefficients.begin() + (place - wide.columns.begin()),
                                   Vector3d::Zero());
          wide.columns.insert(place, column);
        }
    out_.vectors.push_back(wide);
    const int index = static_cast<int>(out_.vectors.size()) - 1;
    GlobalModel::SwitchPlace& place = out_.switch_places[at(switch_index)];
    if (axis < 0) {
      place.points.push_back(index);
    } else {
      place.axes.emplace_back(index, axis);
    }
    return index;
  }

  /// u . v = 0 of an axis of a and one of b, unless both are the same body's.
  void add_dot_row(const RowRequest& asked) {
    const Attachment& a = asked.a;
    const Attachment& b = asked.b;
    const LinearVector u = axis_of(a, asked.axis_a);
    const LinearVector v = axis_of(b, asked.axis_b);
    // an axis that both sides share makes it a rigid body's own row
    if (asked.switch_index < 0 &&
        (same(v, axis_of(a, asked.axis_b)) || same(u, axis_of(b, asked.axis_a))))
      return;
    GlobalRow row = begin_row(asked, GlobalRow::Kind::product);
    row.u = add_switched(u, asked.switch_index, asked.axis_a);
    row.v = index_of(v);
    add_row(row);
  }

  void add_along_row(const RowRequest& asked) {
    GlobalRow row = begin_row(asked, GlobalRow::Kind::product);
    row.u = add_switched(difference_of(asked.a, asked.b), asked.switch_index, -1);
    row.v = add_switched(axis_of(asked.a, asked.axis_a), asked.switch_index, asked.axis_a);
    row.slide_part = asked.slide.dot(asked.a.X_CF.A.col(asked.axis_a));
    row.slide_input = asked.slide_input;
    add_row(row);
  }

  void add_rod_row(const RowRequest& asked) {
    GlobalRow row = begin_row(asked, GlobalRow::Kind::rod);
    row.u = add_switched(difference_of(asked.a, asked.b), asked.switch_index, -1);
    if (asked.slide_input != kNoInput) {
      row.slide = index_of(direction_of(asked.a.body, asked.slide));
      row.slide_input = asked.slide_input;
    }
    add_row(row);
  }

  void add_turn_row(const RowRequest& asked) {
    const auto axis_a = [&](int axis) { return index_of(axis_of(asked.a, axis)); };
    const auto axis_b = [&](int axis) { return index_of(axis_of(asked.b, axis)); };
    GlobalRow row = begin_row(asked, GlobalRow::Kind::turn);
    row.u = asked.axis_on_b ? axis_a(2) : axis_b(0);
    row.v = asked.axis_on_b ? axis_b(2) : axis_a(0);
    row.w = asked.axis_on_b ? axis_b(1) : axis_a(1);
    add_row(row);
  }

  void add_asked_rows() {
    const RowRequests asked = find_row_requests(mechanism_, tree_);
    first_owner_ = static_cast<int>(out_.owners.size());
    out_.owners.insert(out_.owners.end(), asked.owners.begin(), asked.owners.end());
    out_.switches = asked.switches;
    for (std::size_t s = 0; s < asked.switches.size(); ++s)
      out_.switch_places.push_back({asked.switch_a[s].body, {}, {}, asked.switch_b[s]});
    for (const RowRequest& row : asked.rows) {
      switch (row.kind) {
        case RowRequest::Kind::point:
          add_point_rows(row);
          break;
        case RowRequest::Kind::along:
          add_along_row(row);
          break;
        case RowRequest::Kind::dot:
          add_dot_row(row);
          break;
        case RowRequest::Kind::rod:
          add_rod_row(row);
          break;
        case RowRequest::Kind::turn:
          add_turn_row(row);
          break;
      }
    }
  }

  void order_rows() {
    const auto is_linear = [](const GlobalRow& row) {
      return row.kind == GlobalRow::Kind::plane && row.switch_index < 0 && row.slide < 0;
    };
    std::stable_partition(rows_.begin(), rows_.end(),
                          [&](const auto& entry) { return is_linear(entry.first); });
    for (auto& [row, columns] : rows_) {
      RowBlock block;
      block.row = out_.m++;
      block.rows = 1;
      block.jacobian = out_.jacobian_size;
      out_.jacobian_size += static_cast<int>(columns.size());
      const auto fill = [&, &own = columns](int k, std::vector<int>& place) {
        if (k >= 0) place = places(vector(k).columns, own);
      };
      fill(row.u, row.place_u);
      fill(row.v, row.place_v);
      fill(row.w, row.place_w);
      fill(row.slide, row.place_slide);
      if (is_linear(row)) ++out_.linear_rows;
      block.columns = columns;
      out_.blocks.push_back(block);
      out_.rows.push_back(row);
    }
  }

  /// Connections lie in natural coordinates from here on.
  void place_connections() {
    for (Connection& connection : tree_.connections) {
      NaturalBody& a = out_.bodies[at(connection.path.a)];
      NaturalBody& b = out_.bodies[at(connection.path.b)];
      a.carries_forces = b.carries_forces = true;
      connection.path.coordinates = unite(a.columns, b.columns);
      connection.path.sign.clear();
      connection.columns.clear();
      for (const int k : connection.path.coordinates) {
        const auto in = [&](const NaturalBody& body) {
          const auto found = std::lower_bound(body.columns.begin(), body.columns.end(), k);
          if (found == body.columns.end() || *found != k) return -1;
          return body.first_column + static_cast<int>(found - body.columns.begin());
        };
        const int from_a = in(a);
        const int from_b = in(b);
        connection.path.sign.push_back(from_b >= 0 ? 1.0 : -1.0);
        if (from_a >= 0 && from_b >= 0) {
          out_.merges.push_back({tree_.columns, from_b, from_a});
          connection.columns.push_back(tree_.columns++);
        } else {
          connection.columns.push_back(from_b >= 0 ? from_b : from_a);
        }
      }
    }
  }

  const Mechanism& mechanism_;
  TreeModel& tree_;
  NaturalLayout layout_;
  std::vector<std::vector<LinearVector>> bases_;
  std::vector<std::pair<GlobalRow, std::vector<int>>> rows_;
  std::set<std::pair<int, int>> rigid_;
  double least_floor_ = 0.0;
  int first_owner_ = 0;  ///< of what is not a body
  GlobalModel out_;
};

}  // namespace

GlobalModel make_global_model(const Mechanism& mechanism, TreeModel& tree) {
  return Builder(mechanism, tree).build();
}

std::vector<std::vector<int>> find_cliques(const GlobalModel& model, const TreeModel& tree) {
  std::vector<std::vector<int>> cliques;
  for (const NaturalBody& body : model.bodies) {
    // the mass matrix couples what Gamma^T G Gamma does not leave zero
    for (std::size_t i = 0; i < body.columns.size(); ++i)
      for (std::size_t k = 0; k <= i; ++k)
        if (body.mass(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) != 0.0)
          cliques.push_back(k == i ? std::vector<int>{body.columns[i]}
                                   : std::vector<int>{body.columns[k], body.columns[i]});
  }
  for (const RowBlock& block : model.blocks) cliques.push_back(block.columns);
  for (const Connection& connection : tree.connections)
    cliques.push_back(connection.path.coordinates);
  return cliques;
}

void set_pattern(GlobalModel& model, TreeModel& tree, const SymmetricPattern& pattern) {
  tree.pattern = pattern;
  model.mass.assign(at(pattern.value_count()), 0.0);
  for (NaturalBody& body : model.bodies)
    for (std::size_t i = 0; i < body.columns.size(); ++i)
      for (std::size_t k = 0; k <= i; ++k) {
        const double value = body.mass(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k));
        if (value != 0.0) model.mass[at(pattern.slot(body.columns[i], body.columns[k]))] += value;
      }
  for (RowBlock& block : model.blocks) block.slots = pattern.block_slots(block.columns);
  for (Connection& connection : tree.connections) {
    connection.slots = pattern.block_slots(connection.path.coordinates);
    connection.heavier = 0;
  }
}

}  // namespace semirec
