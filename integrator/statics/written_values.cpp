#include "integrator/statics/written_values.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "integrator/formulation/evaluate.hpp"
#include "integrator/formulation/formulation_state.hpp"
#include "integrator/statics/correction_limit.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "integrator/statics/stepwise_assembly.hpp"
#include "natural_coords/rows/measured_coordinates.hpp"
#include "penalty/factors/least_squares.hpp"
#include "recursive/forces/force_element.hpp"
#include "recursive/joint_motion.hpp"
#include "recursive/kinematics.hpp"
#include "topology/indices.hpp"
#include "topology/largest_magnitude.hpp"
#include "topology/quoted_names.hpp"

namespace semirec {

namespace {

constexpr double kSame = 1e-6;       // of 1 + |asked|: less is no change
constexpr double kClosedGap = 1e-9;  // m or rad
constexpr double kTightGap = 1e-12;  // m or rad
constexpr double kPivot = 1e-9;      // of the largest: ranks
// of the largest written rate: where not all go together, one more is kept only if no coordinate
// then moves faster than this; beyond it what is kept hardly tells the rest
constexpr double kMostLever = 4.0;

/// One motion of a joint: a slide, a turn, or the three turns of a triad.
struct WrittenMotion {
  JointIndex joint = -1;
  int first = 0, count = 1;  ///< coordinates of the joint
  int z = -1;                ///< first coordinate of the model; -1: the joint is cut
  std::vector<MeasuredCoordinate> measured;
  Eigen::VectorXd asked;
};

}  // namespace

bool is_design_position(const Model& model, const Joint& joint) {
  if (joint.type != JointType::free || joint.position.size() != 6) return false;
  const Frame pose =
      joint.b.body == kGround ? joint.b.X_BF : model.mechanism.bodies[at(joint.b.body)].X_WB;
  const Eigen::Map<const Eigen::Matrix<double, 6, 1>> written(joint.position.data());
  return (written.head<3>() - pose.p).norm() <= kSame * (1.0 + pose.p.norm()) &&
         (rotation_exp(written.tail<3>()) - pose.A).norm() <= kSame;
}

namespace {

/// All that the joints write of one kind, in the order of the description.
std::vector<WrittenMotion> find_written(const Model& model, bool rates) {
  std::vector<WrittenMotion> found;
  for (std::size_t j = 0; j < model.mechanism.joints.size(); ++j) {
    const Joint& joint = model.mechanism.joints[j];
    std::vector<double> values = rates ? joint.velocity : joint.position;
    const TreeIndex t = model.tree.tree.branch_of_joint[j];
    // a joint that holds holds what it is drawn in; where it is a coordinate that stays by itself
    if (values.empty() && joint.held && t < 0)
      values.assign(at(degrees_of_freedom(joint.type)), 0.0);
    if (values.empty() || (!rates && is_design_position(model, joint))) continue;
    const Attachment a = model.tree.attach(joint.a);
    const Attachment b = model.tree.attach(joint.b);
    int turn_count = 0;
    for (const JointMotion& motion : motions_of(joint.type)) {
      WrittenMotion written;
      written.joint = static_cast<JointIndex>(j);
      written.first = motion.z;
      written.count = motion.kind == JointMotion::Kind::triad ? 3 : 1;
      if (t >= 0) written.z = model.tree.bodies[at(t)].z + motion.z;
      written.asked.resize(written.count);
      for (int k = 0; k < written.count; ++k) {
        MeasuredCoordinate measured;
        measured.kind = motion.kind;
        measured.axis = written.count == 3 ? k : motion.axis;
        measured.axis_on_b = motion.kind == MotionKind::turn && turn_count == 1;
        measured.body_a = a.body;
        measured.a = a.X_CF;
        measured.body_b = b.body;
        measured.b = b.X_CF;
        written.measured.push_back(measured);
        written.asked[k] = values[at(motion.z + k)];
      }
      if (motion.kind == JointMotion::Kind::turn) ++turn_count;
      found.push_back(std::move(written));
    }
  }
  return found;
}

/// Position less what is asked, as the rates of the motion count it; m or rad.
Eigen::VectorXd position_error(const WrittenMotion& written, const TreeWorkspace& ws) {
  const MeasuredCoordinate& first = written.measured.front();
  if (written.count == 3) {
    const Eigen::Matrix3d A_a = ws.A_WC[at(first.body_a)] * first.a.A;
    const Eigen::Matrix3d A_b = ws.A_WC[at(first.body_b)] * first.b.A;
    const Eigen::Vector3d asked = written.asked;
    return rotation_log(A_a.transpose() * A_b * rotation_exp(asked).transpose());
  }
  Eigen::VectorXd error(1);
  error[0] = measure_coordinate(first, ws) - written.asked[0];
  if (first.kind == JointMotion::Kind::turn) error[0] = std::remainder(error[0], 2.0 * M_PI);
  return error;
}

double measured_rate(const MeasuredCoordinate& measured, const TreeWorkspace& ws) {
  return coordinate_line(measured, ws).dot(ws.relative_velocity(measured.body_a, measured.body_b));
}

/// Rows of measured coordinates: d(rate)/d(zd) at the positions of the state.
Eigen::MatrixXd measured_rows(const Model& model, const State& state,
                              const std::vector<const WrittenMotion*>& cut, Eigen::Index rows,
                              Workspace& ws) {
  Eigen::MatrixXd result(rows, model.n());
  if (rows == 0) return result;
  State unit = state;
  unit.zdd.setZero();
  for (int k = 0; k < model.n(); ++k) {
    unit.zd.setZero();
    unit.zd[k] = 1.0;
    evaluate_state(model, unit, ws);
    Eigen::Index row = 0;
    for (const WrittenMotion* written : cut)
      for (const MeasuredCoordinate& measured : written->measured)
        result(row++, k) = measured_rate(measured, ws.tree);
  }
  return result;
}

/// What is kept in one attempt: coordinates that may move, and measured motions to be reached.
struct Kept {
  Eigen::VectorXd free;
  std::vector<const WrittenMotion*> cut;
  Eigen::Index rows = 0;
};

Kept keep(const Model& model, const std::vector<const WrittenMotion*>& chosen) {
  Kept kept;
  kept.free = AssemblyWorkspace(model).free;
  for (const WrittenMotion* written : chosen) {
    if (written->z >= 0) {
      kept.free.segment(written->z, written->count).setZero();
    } else {
      kept.cut.push_back(written);
      kept.rows += written->count;
    }
  }
  return kept;
}

bool close_keeping(const Model& model, const Kept& kept, State& state, Workspace& ws) {
  AssemblyWorkspace assembly(model);
  assembly.free = kept.free;
  State trial = state;
  if (kept.cut.empty()) {
    if (!close_loops(model, trial, ws, assembly)) return false;
    state = trial;
    return true;
  }
  double best = 1e300;
  CorrectionLimit limit(model);
  while (limit.goes_on()) {
    evaluate_state(model, trial, ws);
    Eigen::VectorXd error(model.m() + kept.rows);
    error.head(model.m()) = ws.closures.Phi;
    Eigen::MatrixXd J(error.size(), model.n());
    J.topRows(model.m()) = dense_jacobian(model.blocks(), ws.closures.Phi_z, model.m(), model.n());
    Eigen::Index row = model.m();
    for (const WrittenMotion* written : kept.cut) {
      error.segment(row, written->count) = position_error(*written, ws.tree);
      row += written->count;
    }
    const double gap = error.lpNorm<Eigen::Infinity>();
    if (gap <= kClosedGap && (gap <= kTightGap || gap > 0.5 * best)) {
      state = trial;
      return true;
    }
    limit.judge(gap);
    best = std::min(best, gap);
    J.bottomRows(kept.rows) = measured_rows(model, trial, kept.cut, kept.rows, ws);
    J = J * kept.free.asDiagonal();
    OrthogonalDecomposition decomposition;
    decompose(J, kPivot, decomposition);
    Eigen::VectorXd dz = solve_least_squares(decomposition, error);
    limit.shorten(dz);
    trial.z -= dz;
    rebase(model, trial);
  }
  return false;
}

bool correct_rates_keeping(const Model& model, const Kept& kept, State& state, Workspace& ws) {
  State trial = state;
  const double scale = 1.0 + trial.zd.lpNorm<Eigen::Infinity>();
  const Eigen::Index rows = model.m() + kept.rows;
  const auto find_error = [&] {
    evaluate_state(model, trial, ws);
    Eigen::VectorXd error(rows);
    error.head(model.m()) = ws.closures.Phid;
    Eigen::Index row = model.m();
    for (const WrittenMotion* written : kept.cut)
      for (int k = 0; k < written->count; ++k)
        error[row++] = measured_rate(written->measured[at(k)], ws.tree) - written->asked[k];
    return error;
  };
  if (find_error().lpNorm<Eigen::Infinity>() <= 1e-13 * scale) return true;
  Eigen::MatrixXd J(rows, model.n());
  J.topRows(model.m()) = dense_jacobian(model.blocks(), ws.closures.Phi_z, model.m(), model.n());
  J.bottomRows(kept.rows) = measured_rows(model, trial, kept.cut, kept.rows, ws);
  J = J * kept.free.asDiagonal();
  OrthogonalDecomposition decomposition;
  decompose(J, kPivot, decomposition);
  for (int pass = 0; pass < 2; ++pass) trial.zd -= solve_least_squares(decomposition, find_error());
  if (!(find_error().lpNorm<Eigen::Infinity>() <= 1e-10 * scale)) return false;
  state = trial;
  return true;
}

/// Keeps all, or one after the other those that go together with the ones before.
template <typename Attempt>
bool keep_in_order(const Model& model, const std::vector<const WrittenMotion*>& wanted,
                   State& state, Attempt attempt) {
  if (wanted.empty()) return false;
  if (attempt(keep(model, wanted), state, /*one_by_one=*/false)) return true;
  const State start = state;
  std::vector<const WrittenMotion*> chosen;
  for (const WrittenMotion* written : wanted) {
    chosen.push_back(written);
    State trial = start;
    if (attempt(keep(model, chosen), trial, /*one_by_one=*/true))
      state = trial;
    else
      chosen.pop_back();
  }
  return !chosen.empty();
}

std::vector<const WrittenMotion*> choose(const Model& model,
                                         const std::vector<WrittenMotion>& written,
                                         bool cut_joints) {
  std::vector<const WrittenMotion*> chosen;
  const auto is_held = [&](const WrittenMotion& each) {
    return model.mechanism.joints[at(each.joint)].held;
  };
  // held cut joints come before what may give way; held tree joints do not move at all
  for (const WrittenMotion& each : written)
    if (each.z < 0 && is_held(each)) chosen.push_back(&each);
  for (const WrittenMotion& each : written)
    if (!is_held(each) && (each.z >= 0 || cut_joints)) chosen.push_back(&each);
  return chosen;
}

/// Two numbers that are not the same, with as many digits as show it.
std::string describe_pair(double got, double asked) {
  const auto text = [](double value, int digits) {
    std::ostringstream out;
    out.precision(digits);
    out << value;
    return out.str();
  };
  int digits = 4;
  while (digits < 15 && text(got, digits) == text(asked, digits)) ++digits;
  return text(got, digits) + " for " + text(asked, digits);
}

}  // namespace

bool close_loops_as_written(const Model& model, State& state, Workspace& ws, bool cut_joints) {
  if (model.m() == 0 || model.n() == 0) return false;
  const bool stepwise = close_loops_stepwise(model, state, ws);
  const std::vector<WrittenMotion> written = find_written(model, /*rates=*/false);
  return keep_in_order(model, choose(model, written, cut_joints), state,
                       [&](const Kept& kept, State& trial, bool /*one_by_one*/) {
                         return close_keeping(model, kept, trial, ws);
                       }) ||
         stepwise;
}

bool find_velocities_as_written(const Model& model, State& state, Workspace& ws) {
  if (model.m() == 0 || model.n() == 0) return false;
  const std::vector<WrittenMotion> written = find_written(model, /*rates=*/true);
  double asked = 0.0;
  for (const WrittenMotion& each : written) asked = std::max(asked, largest_magnitude(each.asked));
  return keep_in_order(model, choose(model, written, /*cut_joints=*/true), state,
                       [&](const Kept& kept, State& trial, bool one_by_one) {
                         State moved = trial;
                         if (!correct_rates_keeping(model, kept, moved, ws)) return false;
                         if (one_by_one && largest_magnitude(moved.zd) > kMostLever * asked)
                           return false;
                         trial = moved;
                         return true;
                       });
}

std::vector<WrittenValue> read_written_values(const Model& model, const State& state,
                                              Workspace& ws) {
  std::vector<WrittenValue> values;
  evaluate_state(model, state, ws);
  for (const bool rates : {false, true}) {
    for (const WrittenMotion& written : find_written(model, rates)) {
      Eigen::VectorXd got = written.asked;
      if (rates) {
        for (int k = 0; k < written.count; ++k)
          got[k] = measured_rate(written.measured[at(k)], ws.tree);
      } else if (const Eigen::VectorXd error = position_error(written, ws.tree);
                 error.norm() > kSame * (1.0 + written.asked.norm())) {
        const Eigen::Vector3d asked =
            written.count == 3 ? Eigen::Vector3d(written.asked) : Eigen::Vector3d::Zero();
        if (written.count == 3)
          got = rotation_log(rotation_exp(Eigen::Vector3d(error)) * rotation_exp(asked));
        else
          got += error;
      }
      for (int k = 0; k < written.count; ++k) {
        const bool turns = written.measured.front().kind != JointMotion::Kind::slide;
        values.push_back(
            {written.joint, written.first + k, rates, turns, written.asked[k], got[k]});
      }
    }
  }
  return values;
}

bool is_kept(const WrittenValue& value) {
  return std::abs(value.got - value.asked) <= kSame * (1.0 + std::abs(value.asked));
}

std::string describe_changes(const Model& model, const std::vector<WrittenValue>& values) {
  constexpr int kInFull = 3;
  std::ostringstream text;
  int changed = 0;
  std::string others;
  for (const WrittenValue& value : values) {
    if (is_kept(value)) continue;
    const Joint& joint = model.mechanism.joints[at(value.joint)];
    if (++changed > kInFull) {
      if (others.find("'" + joint.name + "'") == std::string::npos) add_quoted(others, joint.name);
      continue;
    }
    text << (changed == 1 ? "the start is not what the file writes: " : "; ")
         << (value.is_rate ? "velocity" : "position");
    if (degrees_of_freedom(joint.type) > 1) text << "[" << value.coordinate << "]";
    text << " of joint '" << joint.name << "' is " << describe_pair(value.got, value.asked)
         << (value.turns ? " rad" : " m") << (value.is_rate ? "/s" : "");
  }
  if (changed > kInFull) text << "; " << changed - kInFull << " more, of " << others;
  return text.str();
}

}  // namespace semirec
