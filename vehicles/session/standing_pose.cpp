#include "vehicles/session/standing_pose.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include <Eigen/Geometry>

#include "integrator/formulation/evaluate.hpp"
#include "integrator/outputs/drawn_axes.hpp"
#include "integrator/statics/travel.hpp"
#include "penalty/factors/least_squares.hpp"
#include "topology/indices.hpp"

namespace semirec {

namespace {

constexpr double kAligned = 1e-3;  // of the largest distance: wheels so close to a line leave the
                                   // tilt about it open
constexpr int kMostPoses = 30;

/// Calls with both ends of all that ties two bodies together.
void for_each_tie(const Mechanism& mechanism,
                  const std::function<void(BodyIndex, BodyIndex)>& with) {
  for (const Joint& joint : mechanism.joints)
    if (joint.type != JointType::free) with(joint.a.body, joint.b.body);
  for (const Constraint& constraint : mechanism.constraints)
    with(constraint.a.body, constraint.b.body);
  for (const SpringDamper& spring : mechanism.springs)
    if (spring.active) with(spring.a.body, spring.b.body);
  for (const RotationalSpringDamper& spring : mechanism.rotational_springs)
    with(spring.a.body, spring.b.body);
  for (const Bushing& bushing : mechanism.bushings) with(bushing.a.body, bushing.b.body);
}

/// The smallest (a, b, c) that come closest to z = a + b x + c y.
Eigen::Vector3d fit_level(const Eigen::MatrixXd& rows, const Eigen::VectorXd& z) {
  OrthogonalDecomposition decomposition;
  decompose(rows, kAligned, decomposition);
  return solve_least_squares(decomposition, z);
}

/// Rows (1, x, y) of points from a middle.
Eigen::MatrixXd rows_of(const std::vector<Eigen::Vector3d>& points, const Eigen::Vector3d& middle) {
  Eigen::MatrixXd rows(static_cast<Eigen::Index>(points.size()), 3);
  for (Eigen::Index k = 0; k < rows.rows(); ++k) {
    const Eigen::Vector3d way = points[at(k)] - middle;
    rows.row(k) << 1.0, way.x(), way.y();
  }
  return rows;
}

Eigen::Vector3d middle_of(const std::vector<Eigen::Vector3d>& points) {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (const Eigen::Vector3d& point : points) sum += point;
  return sum / static_cast<double>(points.size());
}

/// Loads on the wheels that carry the unit on a level road: the smallest that do.
Eigen::VectorXd share_weight(const Model& model, const Combination& unit,
                             const std::vector<Eigen::Vector3d>& centres, const Workspace& ws) {
  double mass = 0.0;
  Eigen::Vector3d first = Eigen::Vector3d::Zero();
  for (std::size_t b = 0; b < unit.has.size(); ++b) {
    if (unit.has[b] == 0) continue;
    const double m = model.mechanism.bodies[b].mass;
    mass += m;
    first += m * centre_of_mass(model, static_cast<BodyIndex>(b), ws);
  }
  const double weight = mass * model.tree.gravity.norm();
  const auto wheels = static_cast<Eigen::Index>(centres.size());
  if (mass <= 0.0) return Eigen::VectorXd::Zero(wheels);
  OrthogonalDecomposition decomposition;
  decompose(rows_of(centres, first / mass).transpose(), kAligned, decomposition);
  Eigen::VectorXd loads = solve_least_squares(decomposition, Eigen::Vector3d(weight, 0.0, 0.0));
  const double least = 0.1 * weight / static_cast<double>(wheels);
  return loads.cwiseMax(least);
}

}  // namespace

Combination find_combination(const Model& model, BodyIndex chassis) {
  Combination unit;
  const Mechanism& mechanism = model.mechanism;
  unit.has.assign(mechanism.bodies.size(), 0);
  if (chassis == kGround) return unit;
  unit.has[at(chassis)] = 1;
  for (bool more = true; more;) {
    more = false;
    for_each_tie(mechanism, [&](BodyIndex a, BodyIndex b) {
      if (a == kGround || b == kGround || unit.has[at(a)] == unit.has[at(b)]) return;
      unit.has[at(a)] = unit.has[at(b)] = 1;
      more = true;
    });
  }
  const auto within = [&](BodyIndex body) { return body != kGround && unit.has[at(body)] != 0; };
  for_each_tie(mechanism, [&](BodyIndex a, BodyIndex b) {
    if ((a == kGround && within(b)) || (b == kGround && within(a))) unit.tethered = true;
  });
  for (const CoordinateForce& force : mechanism.coordinate_forces) {
    const Joint& joint = mechanism.joints[at(force.joint)];
    const bool on_ground = joint.a.body == kGround || joint.b.body == kGround;
    if (on_ground && (within(joint.a.body) || within(joint.b.body))) unit.tethered = true;
  }
  for (std::size_t t = 1; t < model.tree.bodies.size(); ++t)
    if (model.tree.bodies[t].floats && within(model.tree.tree.branches[t].body))
      unit.floating.push_back(static_cast<TreeIndex>(t));
  for (const StandingTyre* tyre : find_standing_tyres(model.forces))
    if (within(tyre->carrier())) unit.tyres.push_back(tyre);
  return unit;
}

Eigen::Vector3d find_forward(const Model& model, BodyIndex chassis, const Workspace& ws) {
  return find_drawn_axes(model, chassis, ws.tree).col(0);
}

double find_heading(const Model& model, BodyIndex chassis, const Workspace& ws) {
  const Eigen::Vector3d forward = find_forward(model, chassis, ws);
  return std::atan2(forward.y(), forward.x());
}

StandingPlane find_road_plane(const Model& model, const Combination& unit, BodyIndex chassis,
                              const Workspace& ws) {
  StandingPlane plane;
  std::vector<Eigen::Vector3d> points;
  for (const StandingTyre* tyre : unit.tyres)
    points.push_back(tyre->compute_footing({model.tree, ws.tree}).ground);
  if (points.empty()) return plane;
  const Eigen::MatrixXd rows = rows_of(points, middle_of(points));
  Eigen::VectorXd heights(rows.rows());
  for (Eigen::Index k = 0; k < rows.rows(); ++k) heights[k] = points[at(k)].z();
  const Eigen::Vector3d found = fit_level(rows, heights);
  plane.warp = (rows * found - heights).cwiseAbs().maxCoeff();
  plane.complete = find_rank(rows, kAligned) == 3;
  const Eigen::Vector3d normal = Eigen::Vector3d(-found[1], -found[2], 1.0).normalized();
  // the way that the wheels roll: across a bank the horizontal left of a pitched car is not it
  plane.axes.col(1) = normal.cross(find_forward(model, chassis, ws)).normalized();
  plane.axes.col(0) = plane.axes.col(1).cross(normal);
  plane.axes.col(2) = normal;
  const double largest = rows.rightCols(2).cwiseAbs().maxCoeff();
  for (Eigen::Index c = 1; c < 3; ++c)
    for (Eigen::Index k = 0; k < rows.rows(); ++k) {
      const double way = std::abs(rows(k, c));
      if (way > 0.1 * largest && (plane.lever == 0.0 || way < plane.lever)) plane.lever = way;
    }
  return plane;
}

void gather_unit(const Model& model, const Combination& unit, BodyIndex chassis, State& state,
                 Workspace& ws, bool held) {
  constexpr double kAsDrawn = 1e-9;
  evaluate_state(model, state, ws);
  // of a body: where it is and where it is drawn, from O
  const auto now = [&](TreeIndex t) {
    const TreeBody& body = model.tree.bodies[at(t)];
    Frame pose;
    pose.A = ws.tree.A_WC[at(t)] * body.X_CB.A;
    pose.p = ws.tree.p[at(t)] + ws.tree.A_WC[at(t)] * body.X_CB.p;
    return pose;
  };
  const auto drawn = [&](TreeIndex t) {
    Frame pose = model.mechanism.bodies[at(model.tree.tree.branches[at(t)].body)].X_WB;
    pose.p -= ws.tree.origin;
    return pose;
  };
  const auto is_drawn = [&](TreeIndex t) {
    return (now(t).p - drawn(t).p).norm() < kAsDrawn && (now(t).A - drawn(t).A).norm() < kAsDrawn;
  };
  const auto is_held = [&](TreeIndex t) {
    return model.mechanism.joints[at(model.tree.tree.branches[at(t)].joint)].held;
  };
  const TreeIndex base = model.tree.tree.tree_index(chassis);
  if (is_drawn(base)) return;
  std::vector<TreeIndex> beside;
  for (const TreeIndex t : unit.floating)
    if (t != base && is_drawn(t) && (held || !is_held(t))) beside.push_back(t);
  const Eigen::Matrix3d turn = now(base).A * drawn(base).A.transpose();
  const Eigen::Vector3d was = drawn(base).p;
  move_rigidly(model, beside, turn, was, now(base).p - was, state, ws);
}

void turn_to_heading(const Model& model, const Combination& unit, BodyIndex chassis, double heading,
                     State& state, Workspace& ws) {
  const double off = std::remainder(find_heading(model, chassis, ws) - heading, 2.0 * M_PI);
  move_rigidly(
      model, unit.floating, Eigen::AngleAxisd(-off, Eigen::Vector3d::UnitZ()).toRotationMatrix(),
      ws.tree.p[at(model.tree.tree.tree_index(chassis))], Eigen::Vector3d::Zero(), state, ws);
}

bool search_on_heading(const Model& model, const Combination& unit, BodyIndex chassis,
                       double heading, State& state, Workspace& ws,
                       const std::function<bool(State&)>& search) {
  constexpr double kSameHeading = 1e-10;  // rad
  if (!search(state)) return false;
  // where it tilts but little, once is enough but for round-off; each search leaves the share of
  // the last turn that the car leans
  for (int pass = 0; pass < 6 && !unit.floating.empty(); ++pass) {
    evaluate_state(model, state, ws);
    const double off = find_heading(model, chassis, ws) - heading;
    if (std::abs(std::remainder(off, 2.0 * M_PI)) <= kSameHeading) break;
    State turned = state;
    turn_to_heading(model, unit, chassis, heading, turned, ws);
    if (!search(turned)) break;
    state = std::move(turned);
  }
  return true;
}

void pose_on_road(const Model& model, const Combination& unit, BodyIndex chassis, State& state,
                  Workspace& ws) {
  constexpr double kPosed = 1e-7;    // m
  constexpr double kMostTilt = 0.3;  // rad, at once
  const std::size_t base = at(model.tree.tree.tree_index(chassis));
  const auto evaluate = [&] {
    evaluate_state(model, state, ws);
    std::vector<Footing> feet;
    for (const StandingTyre* tyre : unit.tyres)
      feet.push_back(tyre->compute_footing({model.tree, ws.tree}));
    return feet;
  };
  std::vector<Footing> feet = evaluate();
  const double heading = find_heading(model, chassis, ws);
  const auto wheels = static_cast<Eigen::Index>(feet.size());
  std::vector<Eigen::Vector3d> centres(feet.size());
  for (std::size_t k = 0; k < feet.size(); ++k) centres[k] = feet[k].centre;
  const Eigen::VectorXd loads = share_weight(model, unit, centres, ws);
  Eigen::VectorXd wanted(wheels);
  for (Eigen::Index k = 0; k < wheels; ++k)
    wanted[k] = unit.tyres[at(k)]->deflection_under(loads[k]);

  for (int pass = 0; pass < kMostPoses; ++pass) {
    Eigen::VectorXd up(wheels);
    for (Eigen::Index k = 0; k < wheels; ++k) {
      centres[at(k)] = feet[at(k)].centre;
      up[k] = (feet[at(k)].deflection - wanted[k]) / std::max(feet[at(k)].normal.z(), 0.1);
    }
    const Eigen::Vector3d& place = ws.tree.p[base];
    const Eigen::Vector3d found = fit_level(rows_of(centres, place), up);
    // z = a + b x + c y: turned by c about x, by -b about y
    Eigen::Vector3d turn(found[2], -found[1], 0.0);
    const double angle = turn.norm();
    if (angle > kMostTilt) turn *= kMostTilt / angle;
    const Eigen::Matrix3d turned =
        angle > 0.0 ? Eigen::AngleAxisd(turn.norm(), turn.normalized()).toRotationMatrix()
                    : Eigen::Matrix3d(Eigen::Matrix3d::Identity());
    move_rigidly(model, unit.floating, turned, place, found[0] * Eigen::Vector3d::UnitZ(), state,
                 ws);
    evaluate_state(model, state, ws);
    turn_to_heading(model, unit, chassis, heading, state, ws);
    feet = evaluate();
    if (std::abs(found[0]) + angle <= kPosed) break;
  }
  double down = 0.0;
  for (Eigen::Index k = 0; k < wheels; ++k)
    down = std::max(
        down, (0.5 * wanted[k] - feet[at(k)].deflection) / std::max(feet[at(k)].normal.z(), 0.1));
  move_rigidly(model, unit.floating, Eigen::Matrix3d::Identity(), ws.tree.p[base],
               -down * Eigen::Vector3d::UnitZ(), state, ws);
}

}  // namespace semirec
