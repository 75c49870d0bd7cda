#include "integrator/statics/linearization.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "integrator/formulation/evaluate.hpp"
#include "integrator/statics/live_states.hpp"
#include "penalty/augmented_lagrangian.hpp"
#include "penalty/factors/least_squares.hpp"
#include "topology/indices.hpp"
#include "topology/largest_magnitude.hpp"

namespace semirec {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// widths of the differences; the laws of a car bend over 1e-2 of these units
constexpr double kPositionStep = 1e-5;  // m, rad
constexpr double kRateStep = 1e-4;      // m/s, rad/s

/// What is moved by itself is out of balance, and is to stay so.
RecorderSettings of_differences(RecorderSettings settings) {
  settings.find_accelerations = nullptr;
  return settings;
}

/// All that is differentiated, at a state: [ M zdd + Phi_z^T lambda - Q ; Phi ; Phid ; Phidd ; xd ;
/// outputs ].
class Point {
 public:
  Point(const Model& model, const State& start, const LinearizationSettings& settings,
        Workspace& ws)
      : state(start), model_(model), recorder_(model, of_differences(settings.recorder)), ws_(ws) {
    const std::vector<Channel>& channels = recorder_.channels();
    for (const std::string& name : settings.outputs) {
      const auto found = std::find_if(channels.begin(), channels.end(),
                                      [&](const Channel& channel) { return channel.name == name; });
      if (found == channels.end())
        throw ModelError("output '" + name +
                         "': there is no such channel, expected one of the recorder's");
      outputs_.push_back(static_cast<std::size_t>(found - channels.begin()));
      output_channels.push_back(*found);
    }
    // inputs from now on by value, without rates
    begin_evaluation(model_, state, state.t, ws_);
    state.live.resize(model_.mechanism.inputs.size());
    for (std::size_t k = 0; k < state.live.size(); ++k)
      if (state.live[k].given || is_free(model_.mechanism.inputs[k]))
        state.live[k] = {true, {ws_.tree.inputs[k].f, 0.0, 0.0}};
    residual = {0, model_.n()};
    closures = {residual.begin + residual.size, model_.m()};
    closure_rates = {closures.begin + closures.size, model_.m()};
    closure_accelerations = {closure_rates.begin + closure_rates.size, model_.m()};
    rates = {closure_accelerations.begin + closure_accelerations.size, model_.tree.states};
    outputs = {rates.begin + rates.size, static_cast<Index>(outputs_.size())};
  }

  VectorXd evaluate() {
    const ContinuousMotion continuous(ws_.tree);
    VectorXd all(outputs.begin + outputs.size);
    begin_evaluation(model_, state, state.t, ws_);
    evaluate_kinematics(model_, state.z.data(), state.zd.data(), state.zdd.data(), ws_);
    all.segment(closure_rates.begin, closure_rates.size) = ws_.closures.Phid;
    all.segment(closure_accelerations.begin, closure_accelerations.size) = ws_.closures.Phidd;
    update_element_states(model_, ws_);
    evaluate_dynamics(model_, state.z.data(), state.zd.data(), state.zdd.data(), {}, ws_);
    VectorXd forces = ws_.tree.residual;
    add_transposed(model_.closures.blocks, ws_.closures.Phi_z, state.multipliers, forces);
    all.segment(residual.begin, residual.size) = forces;
    all.segment(closures.begin, closures.size) = ws_.closures.Phi;
    all.segment(rates.begin, rates.size) = ws_.tree.xd;
    if (!outputs_.empty()) {
      recorder_.record(model_, state, ws_, values_);
      for (std::size_t k = 0; k < outputs_.size(); ++k)
        all[outputs.begin + static_cast<Index>(k)] = values_[outputs_[k]];
    }
    return all;
  }

  /// d(all)/d(value): differences of three widths, without their terms in h and h^2.
  VectorXd slope(double& value, double h, bool rising = false) {
    const double was = value;
    const auto difference = [&](double width) -> VectorXd {
      value = was + width;
      const VectorXd ahead = evaluate();
      value = rising ? was : was - width;
      const VectorXd behind = evaluate();
      value = was;
      return (ahead - behind) / (rising ? width : 2.0 * width);
    };
    const VectorXd wide = difference(h);
    const VectorXd middle = difference(0.5 * h);
    const VectorXd narrow = difference(0.25 * h);
    return (4.0 * (2.0 * narrow - middle) - (2.0 * middle - wide)) / 3.0;
  }

  struct Part {
    Index begin = 0, size = 0;
  };
  Part residual, closures, closure_rates, closure_accelerations, rates, outputs;
  State state;
  std::vector<Channel> output_channels;

 private:
  const Model& model_;
  Recorder recorder_;
  Workspace& ws_;
  std::vector<std::size_t> outputs_;
  std::vector<double> values_;
};

/// Slopes of all over one kind of variable.
struct Slopes {
  MatrixXd all;
  MatrixXd operator()(const Point::Part& part) const {
    if (all.cols() == 0) return MatrixXd(part.size, 0);
    return all.middleRows(part.begin, part.size);
  }
};

template <typename Values>
Slopes slopes_over(Point& point, Values& values, double h, bool relative = false) {
  Slopes slopes;
  slopes.all.resize(point.outputs.begin + point.outputs.size, values.size());
  for (Index k = 0; k < values.size(); ++k)
    slopes.all.col(k) =
        point.slope(values[k], relative ? h * std::max(1.0, std::abs(values[k])) : h);
  return slopes;
}

/// LinearSystem::not_additive, of the forces over z and zd.
double find_superposition_error(Point& point) {
  // far below what laws bend over, friction of tyres at rest among them (0.4 mm/s)
  constexpr double kWidth = 0.01;  // of the differences' own
  constexpr double kSeen = 1e-6;   // of the largest row: less is rounding
  constexpr int kPatterns = 6;
  const Point::Part& part = point.residual;
  const State here = point.state;
  const Index n = here.z.size();
  // half of what the forces change from one side to the other
  const auto change_along = [&](const VectorXd& dz, const VectorXd& dzd) -> VectorXd {
    const auto forces_at = [&](double way) -> VectorXd {
      point.state.z = here.z + way * dz;
      point.state.zd = here.zd + way * dzd;
      return point.evaluate().segment(part.begin, part.size);
    };
    return 0.5 * (forces_at(1.0) - forces_at(-1.0));
  };
  const VectorXd none = VectorXd::Zero(n);
  MatrixXd over_z(part.size, n);
  MatrixXd over_zd(part.size, n);
  for (Index k = 0; k < n; ++k) {
    const VectorXd unit = VectorXd::Unit(n, k);
    over_z.col(k) = change_along(kWidth * kPositionStep * unit, none);
    over_zd.col(k) = change_along(none, kWidth * kRateStep * unit);
  }
  const VectorXd sizes = over_z.cwiseAbs().rowwise().sum() + over_zd.cwiseAbs().rowwise().sum();
  const double least = kSeen * largest_magnitude(sizes);
  double worst = 0.0;
  for (int pattern = 0; pattern < kPatterns; ++pattern) {
    VectorXd signs(n);
    for (Index k = 0; k < n; ++k)
      signs[k] = std::sin(1.0 + (pattern + 1.7) * static_cast<double>(k)) < 0.0 ? -1.0 : 1.0;
    const VectorXd change =
        change_along(kWidth * kPositionStep * signs, kWidth * kRateStep * signs);
    const VectorXd sum = apply(over_z, signs) + apply(over_zd, signs);
    for (Index k = 0; k < sizes.size(); ++k)
      if (sizes[k] > least) worst = std::max(worst, std::abs(change[k] - sum[k]) / sizes[k]);
  }
  point.state = here;
  return worst;
}

constexpr double kRank = 1e-9;    // of Phi_z
constexpr double kClosed = 1e-6;  // slopes of Phid, of the largest rate

/// Phi_z N = 0 with the identity in the rows of the independent coordinates, and what the inputs
/// move: P = -Phi_d^+ Phi_u in the dependent rows.
struct Manifold {
  std::vector<int> independent, dependent;
  MatrixXd N, P;
  OrthogonalDecomposition Phi_d;

  /// n x columns: -Phi_d^+ times what opens the closures, in the dependent rows.
  MatrixXd close(const MatrixXd& opening) const {
    MatrixXd result = MatrixXd::Zero(N.rows(), opening.cols());
    for (Index c = 0; c < opening.cols() && !dependent.empty(); ++c) {
      const VectorXd x = solve_least_squares(Phi_d, opening.col(c));
      for (std::size_t k = 0; k < dependent.size(); ++k)
        result(dependent[k], c) = -x[static_cast<Index>(k)];
    }
    return result;
  }
};

/// [column] 1: it depends on the others, and columns in `preferred` do only where they must. Those
/// in `kept` do not either, unless what is left for the others is near a loss of rank.
std::vector<char> find_dependent(const MatrixXd& Phi_z, const std::vector<int>& preferred,
                                 const std::vector<int>& kept) {
  constexpr double kFarFromSingular = 0.02;  // smallest pivot of the largest
  std::vector<char> depends(at(Phi_z.cols()), 0);
  if (Phi_z.size() == 0) return depends;
  OrthogonalDecomposition whole;
  decompose(Phi_z, kRank, whole);
  const auto without = [&](const std::vector<std::vector<int>>& columns) {
    MatrixXd others = Phi_z;
    for (const std::vector<int>& some : columns)
      for (const int k : some) others.col(k).setZero();
    return others;
  };
  const auto mark = [&](const OrthogonalDecomposition& decomposition) {
    for (Index k = 0; k < whole.rank(); ++k)
      depends[at(Index{decomposition.colsPermutation().indices()[k]})] = 1;
    return depends;
  };
  OrthogonalDecomposition others;
  if (!kept.empty()) {
    decompose(without({preferred, kept}), kFarFromSingular, others);
    if (others.rank() == whole.rank()) return mark(others);
  }
  decompose(without({preferred}), kRank, others);
  return mark(others.rank() == whole.rank() ? others : whole);
}

/// What is to be independent where it can be: what is ignorable, and the travelling body.
std::vector<int> find_preferred(const Model& model, const LinearizationSettings& settings) {
  std::vector<int> preferred = settings.ignorable;
  if (settings.travel.body == kGround) return preferred;
  const TreeBody& body = model.tree.bodies[at(model.tree.tree.tree_index(settings.travel.body))];
  for (int k = 0; k < body.degrees_of_freedom; ++k) preferred.push_back(body.z + k);
  return preferred;
}

Manifold find_manifold(const MatrixXd& Phi_z, const MatrixXd& Phi_u,
                       const std::vector<char>& depends) {
  const Index n = Phi_z.cols();
  Manifold manifold;
  for (int k = 0; k < static_cast<int>(n); ++k)
    (depends[at(k)] != 0 ? manifold.dependent : manifold.independent).push_back(k);
  const auto columns = [&](const std::vector<int>& chosen) {
    MatrixXd some(Phi_z.rows(), static_cast<Index>(chosen.size()));
    for (std::size_t k = 0; k < chosen.size(); ++k)
      some.col(static_cast<Index>(k)) = Phi_z.col(chosen[k]);
    return some;
  };
  manifold.N = MatrixXd::Zero(n, static_cast<Index>(manifold.independent.size()));
  if (!manifold.dependent.empty()) decompose(columns(manifold.dependent), kRank, manifold.Phi_d);
  manifold.N = manifold.close(columns(manifold.independent));
  manifold.P = manifold.close(Phi_u);
  for (Index k = 0; k < manifold.N.cols(); ++k) manifold.N(manifold.independent[at(k)], k) = 1.0;
  return manifold;
}

/// Rates of what floats in a frame that turns with the travel:
///   z' = zd - W_p z,   zdd = zd' + W_v zd
struct Turning {
  MatrixXd W_p, W_v;
};

Turning make_turning(const Model& model, double yaw_rate) {
  const Index n = model.n();
  Turning turning{MatrixXd::Zero(n, n), MatrixXd::Zero(n, n)};
  for (const TreeBody& body : model.tree.bodies) {
    if (!body.floats) continue;
    const Eigen::Matrix3d W =
        body.X_PJ.A.transpose() * tilde(yaw_rate * Eigen::Vector3d::UnitZ()) * body.X_PJ.A;
    turning.W_p.block<3, 3>(body.z, body.z) = W;
    turning.W_v.block<3, 3>(body.z, body.z) = W;
    turning.W_v.block<3, 3>(body.z + 3, body.z + 3) = W;
  }
  return turning;
}

/// Name and unit of a coordinate, or of its rate.
Channel name_coordinate(const Model& model, int k, bool rate) {
  for (std::size_t t = 1; t < model.tree.bodies.size(); ++t) {
    const TreeBody& body = model.tree.bodies[t];
    if (k < body.z || k >= body.z + body.degrees_of_freedom) continue;
    const TreeBranch& branch = model.tree.tree.branches[t];
    std::string name = model.mechanism.joints[at(branch.joint)].name + (rate ? ".zd" : ".z");
    if (body.degrees_of_freedom > 1) name += "[" + std::to_string(k - body.z) + "]";
    bool slides = false;
    for (int m = body.motion_begin; m < body.motion_end; ++m) {
      const JointMotion& motion = model.tree.motions[at(m)];
      if (motion.z == k && motion.kind == JointMotion::Kind::slide) slides = true;
    }
    const std::string unit = slides ? "m" : "rad";
    return {name, rate ? unit + "/s" : unit};
  }
  return {"z[" + std::to_string(k) + "]", "1"};
}

/// What such a state counts is its element's own affair: no unit.
Channel name_element_state(const Model& model, int k) {
  int first = 0;
  for (const auto& force : model.forces) {
    if (k < first + force->state_count()) return {force->state_name(k - first), ""};
    first += force->state_count();
  }
  return {"x[" + std::to_string(k) + "]", ""};
}

/// Of a derivative by time; none of what has none.
std::string unit_of_rate(const std::string& unit, Index derivatives) {
  if (unit.empty() || derivatives == 0) return unit;
  const bool is_rate = unit.ends_with("/s");
  const Index power = derivatives + (is_rate ? 1 : 0);
  return (is_rate ? unit.substr(0, unit.size() - 2) : unit) +
         (power == 1 ? "/s" : "/s^" + std::to_string(power));
}

bool holds(const std::vector<int>& ascending, int k) {
  return std::binary_search(ascending.begin(), ascending.end(), k);
}

/// Live states that the motion or an input reaches, and what computes inputs; ascending.
struct MovedStates {
  std::vector<int> all;
  std::vector<int> felt;  ///< all but what turns by itself, as a motor in neutral
};
MovedStates find_moved_states(const Model& model, const State& state,
                              const std::vector<InputIndex>& inputs, Workspace& ws) {
  const std::vector<char> computing = find_computing_states(model);
  std::vector<InputIndex> free;
  for (std::size_t k = 0; k < model.mechanism.inputs.size(); ++k)
    if (is_free(model.mechanism.inputs[k])) free.push_back(static_cast<InputIndex>(k));
  const LiveStates asked = find_live_states(model, state, inputs, ws);
  const LiveStates any = find_live_states(model, state, free, ws);
  MovedStates moved;
  std::vector<char> doubtful(computing.size(), 0);
  for (const int k : any.all) {
    if (!holds(computing[at(k)] != 0 ? asked.all : any.of_inputs, k)) continue;
    moved.all.push_back(k);
    if (computing[at(k)] == 0 && !holds(any.of_motion, k)) doubtful[at(k)] = 1;
  }
  moved.felt = keep_felt_states(model, state, moved.all, doubtful, ws);
  return moved;
}

/// Live states that act on something.
std::vector<int> find_acting_states(const Model& model, Point& point,
                                    const std::vector<InputIndex>& inputs, Workspace& ws,
                                    MatrixXd& slopes) {
  const MovedStates moved = find_moved_states(model, point.state, inputs, ws);
  std::vector<int> acting;
  slopes.resize(point.outputs.begin + point.outputs.size, 0);
  for (const int k : moved.all) {
    double& value = point.state.x[k];
    const VectorXd slope = point.slope(value, kPositionStep * std::max(1.0, std::abs(value)));
    const double seen = largest_magnitude(slope.segment(point.outputs.begin, point.outputs.size));
    const bool is_felt = holds(moved.felt, k);
    if (largest_magnitude(slope) <= 1e-9 || (seen <= 1e-9 && !is_felt)) continue;
    slopes.conservativeResize(Eigen::NoChange, slopes.cols() + 1);
    slopes.rightCols(1) = slope;
    acting.push_back(k);
  }
  return acting;
}

/// What nothing depends on: deviations E (states x p) that leave A E within E, and the functionals
/// S (p x states) that are made zero instead.
struct Ignored {
  MatrixXd E, S;
};

PlaceLeftOut place_left_out(const LinearizationSettings& settings) {
  return settings.travel.body == kGround ? PlaceLeftOut::nothing : settings.place;
}

Ignored find_ignored(const Model& model, const LinearizationSettings& settings,
                     const Manifold& manifold, Index states, Workspace& ws) {
  const auto f = static_cast<Index>(manifold.independent.size());
  const PlaceLeftOut place = place_left_out(settings);
  const auto spins = static_cast<Index>(settings.ignorable.size());
  const Index places = place == PlaceLeftOut::all ? 3 : place == PlaceLeftOut::along ? 1 : 0;
  const Index count = places + spins;
  Ignored ignored{MatrixXd::Zero(states, count), MatrixXd::Zero(count, states)};
  const auto state_of = [&](int coordinate) {
    const auto found =
        std::find(manifold.independent.begin(), manifold.independent.end(), coordinate);
    return found == manifold.independent.end()
               ? Index{-1}
               : static_cast<Index>(found - manifold.independent.begin());
  };
  for (Index k = 0; k < spins; ++k) {
    const Index state = state_of(settings.ignorable[at(k)]);
    if (state < 0)
      throw ModelError("mechanism '" + model.mechanism.name +
                       "': a wheel's angle depends on closures, expected wheels that turn freely");
    ignored.E(state, count - spins + k) = 1.0;
    ignored.S(count - spins + k, state) = 1.0;
  }
  if (places == 0) return ignored;
  const Eigen::Vector3d centre = centre_of_mass(model, settings.travel.body, ws);
  const MatrixXd G = plane_directions(model, centre, ws);
  const double w = settings.travel.yaw_rate;
  const double Vx = settings.travel.speed * std::cos(settings.travel.course);
  const double Vy = settings.travel.speed * std::sin(settings.travel.course);
  // displaced or turned, and going on as before
  MatrixXd rates(G.rows(), 3);
  rates.col(0) = -w * G.col(1);
  rates.col(1) = w * G.col(0);
  rates.col(2) = -Vy * G.col(0) + Vx * G.col(1);
  // of a straight way alone: displaced along it
  const Eigen::Vector3d along(std::cos(settings.travel.course), std::sin(settings.travel.course),
                              0.0);
  for (Index k = 0; k < f; ++k) {
    const int coordinate = manifold.independent[at(k)];
    if (places == 1) {
      ignored.E(k, 0) = G.row(coordinate) * along;
    } else {
      ignored.E.row(k).head(3) = G.row(coordinate);
      ignored.E.row(f + k).head(3) = rates.row(coordinate);
    }
  }
  // the body's own place and heading
  const std::size_t t = at(model.tree.tree.tree_index(settings.travel.body));
  const TreeBody& body = model.tree.bodies[t];
  for (int k = 0; k < 3; ++k) {
    const Index slide = state_of(body.z + k);
    const Index turn = state_of(body.z + 3 + k);
    if (slide < 0 || turn < 0)
      throw ModelError("mechanism '" + model.mechanism.name +
                       "': the place of the travelling body depends on closures, expected it free");
    ignored.S(0, slide) = body.X_PJ.A(0, k);
    if (places == 1) continue;
    ignored.S(1, slide) = body.X_PJ.A(1, k);
    ignored.S(2, turn) = body.X_PJ.A(2, k);
  }
  return ignored;
}

/// What the differences of an output are off by where nothing changes it, 1/m or 1/rad of it:
/// forces are differences of such as carry the weight.
double round_off_of_output(const Model& model, const std::string& unit) {
  constexpr double kPart = 1e-9;  // of the weight: some 1e-16 of it over a step of 1e-6
  if (unit != "N" && unit != "N m") return 0.0;
  double mass = 0.0;
  for (const Body& body : model.mechanism.bodies) mass += body.mass;
  return kPart * mass * model.tree.gravity.norm();
}

/// Takes the ignored deviations out of the system.
void take_out(const Model& model, const Ignored& ignored, const LinearizationSettings& settings,
              LinearSystem& system) {
  const Index count = ignored.E.cols();
  if (count == 0) return;
  const Index states = system.A.rows();
  // states that are dropped: those the functionals see most of
  std::vector<char> dropped(at(states), 0);
  for (Index k = 0; k < count; ++k) {
    Index largest = 0;
    Eigen::RowVectorXd row = ignored.S.row(k).cwiseAbs();
    for (Index s = 0; s < states; ++s)
      if (dropped[at(s)] != 0) row[s] = 0.0;
    row.maxCoeff(&largest);
    dropped[at(largest)] = 1;
  }
  std::vector<Index> keep;
  std::vector<Index> drop;
  for (Index s = 0; s < states; ++s) (dropped[at(s)] != 0 ? drop : keep).push_back(s);
  const auto kept = static_cast<Index>(keep.size());
  const MatrixXd SE = product(ignored.S, ignored.E);
  const MatrixXd project =
      MatrixXd::Identity(states, states) - product(ignored.E, solve_regular(SE, ignored.S));
  MatrixXd Q(kept, states);
  MatrixXd S_d(count, count);
  MatrixXd S_k(count, kept);
  for (Index k = 0; k < kept; ++k) {
    Q.row(k) = project.row(keep[at(k)]);
    S_k.col(k) = ignored.S.col(keep[at(k)]);
  }
  for (Index k = 0; k < count; ++k) S_d.col(k) = ignored.S.col(drop[at(k)]);
  const MatrixXd follow = -solve_regular(S_d, S_k);
  MatrixXd R = MatrixXd::Zero(states, kept);
  for (Index k = 0; k < kept; ++k) R(keep[at(k)], k) = 1.0;
  for (Index k = 0; k < count; ++k) R.row(drop[at(k)]) = follow.row(k);

  system.ignored = largest_magnitude(product(product(Q, system.A), ignored.E)) /
                   std::max(1.0, largest_magnitude(system.A));
  const MatrixXd seen = product(system.C, ignored.E);
  for (Index y = 0; y < seen.rows() && system.ignored <= settings.most_ignored; ++y)
    if (largest_magnitude(seen.row(y)) >
        std::max(settings.most_ignored * std::max(1.0, largest_magnitude(system.C.row(y))),
                 round_off_of_output(model, system.outputs[at(y)].unit)))
      throw ModelError("output '" + system.outputs[at(y)].name +
                       "': depends on place, heading or a wheel's angle, which the linear system "
                       "leaves out, expected one that does not, such as cg.vy_body");
  system.A = product(product(Q, system.A), R);
  system.B = product(Q, system.B);
  system.C = product(system.C, R);
  system.z = product(system.z, R);
  system.zd = product(system.zd, R);
  std::vector<Channel> states_kept;
  std::vector<int> elements_kept;
  for (const Index s : keep) {
    states_kept.push_back(system.states[at(s)]);
    elements_kept.push_back(system.element_state[at(s)]);
  }
  system.states = states_kept;
  system.element_state = elements_kept;
}

}  // namespace

std::vector<int> find_independent(const Model& model, const State& state,
                                  const LinearizationSettings& settings, Workspace& ws) {
  evaluate_state(model, state, ws);
  const MatrixXd Phi_z = dense_jacobian(model.closures, ws.closures, model.n());
  const std::vector<char> depends = find_dependent(Phi_z, find_preferred(model, settings), {});
  std::vector<int> independent;
  for (int k = 0; k < model.n(); ++k)
    if (depends[at(k)] == 0) independent.push_back(k);
  return independent;
}

LinearSystem linearize(const Model& model, const State& state,
                       const LinearizationSettings& settings, Workspace& ws) {
  const Index n = model.n();
  const Index m = model.m();
  Point point(model, state, settings, ws);

  std::vector<InputIndex> inputs = settings.inputs;
  if (inputs.empty())
    for (std::size_t k = 0; k < model.mechanism.inputs.size(); ++k)
      if (is_free(model.mechanism.inputs[k])) inputs.push_back(static_cast<InputIndex>(k));
  const auto input_count = static_cast<Index>(inputs.size());

  // slopes of everything
  const double s = settings.scale;
  MatrixXd over_x;
  const std::vector<int> acting = find_acting_states(model, point, inputs, ws, over_x);
  const auto x_count = static_cast<Index>(acting.size());
  const Slopes z = slopes_over(point, point.state.z, s * kPositionStep);
  const Slopes zd = slopes_over(point, point.state.zd, s * kRateStep);
  const Slopes zdd = slopes_over(point, point.state.zdd, 1.0);
  const Slopes lambda = slopes_over(point, point.state.multipliers, 1.0);
  const Slopes x{over_x};
  Slopes u[3];
  for (Slopes& slopes : u) slopes.all.resize(over_x.rows(), input_count);
  for (Index k = 0; k < input_count; ++k) {
    const InputIndex index = inputs[at(k)];
    // one that follows another is let go
    LiveInput& live = point.state.live[at(index)];
    const LiveInput was = live;
    if (!live.given) {
      begin_evaluation(model, point.state, point.state.t, ws);
      live = {true, {ws.tree.inputs[at(index)].f, 0.0, 0.0}};
    }
    CurveValue& value = live.value;
    const bool rising =
        std::find(settings.rising.begin(), settings.rising.end(), index) != settings.rising.end();
    u[0].all.col(k) =
        point.slope(value.f, s * kPositionStep * std::max(1.0, std::abs(value.f)), rising);
    u[1].all.col(k) = point.slope(value.fd, 1e-3);
    u[2].all.col(k) = point.slope(value.fdd, 1.0);
    live = was;
  }

  // Phi_z at the state itself, as it stands in the equations
  point.evaluate();
  begin_evaluation(model, point.state, point.state.t, ws);
  evaluate_kinematics(model, point.state.z.data(), point.state.zd.data(), point.state.zdd.data(),
                      ws);
  const MatrixXd Phi_z = dense_jacobian(model.closures, ws.closures, static_cast<int>(n));
  const Manifold manifold =
      find_manifold(Phi_z, u[0](point.closures),
                    find_dependent(Phi_z, find_preferred(model, settings), settings.independent));
  const MatrixXd& N = manifold.N;
  const MatrixXd& P = manifold.P;
  const Index f = N.cols();
  if (f == 0)
    throw ModelError("mechanism '" + model.mechanism.name +
                     "': nothing in it can move where it was to be linearized, expected at least "
                     "one degree of freedom");
  const Index states = 2 * f + x_count;

  // everything over (states, u, ud, udd), accelerations of the independent coordinates last
  const Turning turning = make_turning(model, settings.travel.yaw_rate);
  const Index columns = states + 3 * input_count;
  MatrixXd dz = MatrixXd::Zero(n, columns);
  MatrixXd dz_rate = MatrixXd::Zero(n, columns);  // in the moving frame
  dz.leftCols(f) = N;
  dz_rate.middleCols(f, f) = N;
  dz.middleCols(states, input_count) = P;
  dz_rate.middleCols(states + input_count, input_count) = P;
  MatrixXd dzd = dz_rate + product(turning.W_p, dz);
  MatrixXd dzdd(n, columns);
  const auto accelerate = [&] {
    dzdd = product(turning.W_p, dz_rate) + product(turning.W_v, dzd);
    dzdd.rightCols(input_count) += P;
  };
  accelerate();
  const auto directly = [&](const Point::Part& part) {
    MatrixXd sum = product(z(part), dz) + product(zd(part), dzd) + product(zdd(part), dzdd);
    sum.middleCols(2 * f, x_count) += x(part);
    for (Index k = 0; k < 3; ++k)
      sum.middleCols(states + k * input_count, input_count) += u[k](part);
    return sum;
  };
  // where closures turn at the state, as half shafts do, N changes with the deviations
  const auto opens = [&](const MatrixXd& rates) {
    return largest_magnitude(rates) > kClosed * (1.0 + largest_magnitude(state.zd));
  };
  if (const MatrixXd opening = directly(point.closure_rates); opens(opening)) {
    const MatrixXd change = manifold.close(opening);
    dz_rate += change;
    dzd += change;
    accelerate();
    dzdd += manifold.close(directly(point.closure_accelerations));
  }
  const MatrixXd M = zdd(point.residual);
  const MatrixXd N_transpose = N.transpose();
  const MatrixXd M_r = product(product(N_transpose, M), N);
  const MatrixXd forces = directly(point.residual);
  const std::optional<MatrixXd> falls =
      solve_definite(0.5 * (M_r + M_r.transpose()), product(N_transpose, forces));
  if (!falls)
    throw ModelError("mechanism '" + model.mechanism.name +
                     "': the mass matrix is not positive definite where it was to be linearized, "
                     "expected bodies with inertia in every motion");
  const MatrixXd accelerations = -*falls;
  dzdd += product(N, accelerations);

  LinearSystem system;
  system.not_additive = find_superposition_error(point);
  system.degrees_of_freedom = static_cast<int>(f);
  system.place = place_left_out(settings);
  MatrixXd rates = MatrixXd::Zero(states, columns);
  rates.topRows(f).middleCols(f, f).setIdentity();
  rates.middleRows(f, f) = accelerations;
  if (x_count > 0) {
    const MatrixXd all = directly(point.rates);
    for (Index k = 0; k < x_count; ++k) rates.row(2 * f + k) = all.row(acting[at(k)]);
  }
  // outputs see accelerations and multipliers as well
  MatrixXd outputs = MatrixXd::Zero(point.outputs.size, columns);
  if (point.outputs.size > 0) {
    outputs = directly(point.outputs);  // dzdd is complete by now
    const MatrixXd over_lambda = lambda(point.outputs);
    if (m > 0 && largest_magnitude(over_lambda) > 0.0) {
      const MatrixXd left = forces + product(product(M, N), accelerations);
      OrthogonalDecomposition decomposition;
      decompose(Phi_z.transpose(), 1e-9, decomposition);
      for (Index c = 0; c < columns; ++c)
        outputs.col(c) -= apply(over_lambda, solve_least_squares(decomposition, left.col(c)));
    }
  }
  system.A = rates.leftCols(states);
  system.C = outputs.leftCols(states);
  system.outputs = point.output_channels;
  system.z = dz.leftCols(states);
  system.zd = dz_rate.leftCols(states);
  for (const bool rate : {false, true})
    for (const int k : manifold.independent) {
      system.states.push_back(name_coordinate(model, k, rate));
      system.element_state.push_back(-1);
    }
  for (const int k : acting) {
    system.states.push_back(name_element_state(model, k));
    system.element_state.push_back(k);
  }
  // columns of B and D that are something
  system.B.resize(states, 0);
  system.D.resize(outputs.rows(), 0);
  const char* const endings[] = {"", ".rate", ".acceleration"};
  std::vector<std::string> units = settings.recorder.input_units;
  units.resize(model.mechanism.inputs.size());
  for (Index k = 0; k < input_count; ++k) {
    for (Index d = 0; d < 3; ++d) {
      const Index c = states + d * input_count + k;
      const bool acts = largest_magnitude(rates.col(c)) > 0.0 ||
                        (outputs.rows() > 0 && largest_magnitude(outputs.col(c)) > 0.0);
      if (d > 0 && !acts) continue;
      const Index count = system.B.cols();
      system.B.conservativeResize(states, count + 1);
      system.D.conservativeResize(outputs.rows(), count + 1);
      system.B.col(count) = rates.col(c);
      system.D.col(count) = outputs.col(c);
      const std::size_t input = at(inputs[at(k)]);
      system.inputs.push_back(
          {model.mechanism.inputs[input].name + endings[d], unit_of_rate(units[input], d)});
    }
  }
  for (const MatrixXd* part : {&system.A, &system.B, &system.C, &system.D})
    if (!part->allFinite())
      throw ModelError("mechanism '" + model.mechanism.name +
                       "': its forces have no finite slopes where it was to be linearized, "
                       "expected numbers of ordinary size in all elements");
  evaluate_state(model, point.state, ws);
  take_out(model, find_ignored(model, settings, manifold, states, ws), settings, system);
  return system;
}

}  // namespace semirec
