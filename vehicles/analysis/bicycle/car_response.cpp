#include "vehicles/analysis/bicycle/car_response.hpp"

#include <algorithm>
#include <cmath>

#include "integrator/formulation/evaluate.hpp"
#include "penalty/factors/least_squares.hpp"
#include "penalty/factors/overdetermined.hpp"
#include "topology/indices.hpp"
#include "vehicles/analysis/modes.hpp"

namespace semirec {

namespace {

using Phasor = std::complex<double>;
using Eigen::Index;

/// An eigenvalue that grows by less than this is no instability: that of a speed which nothing
/// holds, 1/s.
constexpr double kStable = 1e-4;

[[noreturn]] void refuse_vehicle(const SteadyCar& car, const std::string& what) {
  throw ModelError("vehicle '" + car.drive().model.mechanism.name + "': " + what);
}

/// Whether row i of A is a linear combination of the others, or nothing: the state changes with
/// coordinates, or the steering, alone and keeps their way, as a bristle of friction that holds.
bool follows_coordinates(const Eigen::MatrixXd& A, Index i) {
  constexpr double kDependent = 1e-6;  // of the row: what differences leave
  constexpr double kNothing = 1e-9;    // of the largest number: the same
  const double size = A.row(i).norm();
  if (size <= kNothing * std::max(1.0, A.cwiseAbs().maxCoeff())) return true;
  Eigen::MatrixXd others(A.cols(), A.rows() - 1);
  for (Index k = 0, column = 0; k < A.rows(); ++k) {
    if (k == i) continue;
    const double norm = A.row(k).norm();
    others.col(column++) = A.row(k).transpose() / (norm > 0.0 ? norm : 1.0);
  }
  const Eigen::VectorXd own = A.row(i).transpose() / size;
  const Eigen::VectorXd shares = solve_overdetermined(others, 1e-11, own);
  return (apply(others, shares) - own).norm() <= kDependent;
}

/// Takes state i out: it stays at zero.
void take_out(LinearSystem& system, Index i) {
  const Index left = system.A.rows() - 1 - i;
  const auto without_row = [&](Eigen::MatrixXd& M) {
    M.middleRows(i, left) = Eigen::MatrixXd(M.bottomRows(left));
    M.conservativeResize(M.rows() - 1, Eigen::NoChange);
  };
  const auto without_column = [&](Eigen::MatrixXd& M) {
    M.middleCols(i, left) = Eigen::MatrixXd(M.rightCols(left));
    M.conservativeResize(Eigen::NoChange, M.cols() - 1);
  };
  without_row(system.A);
  without_row(system.B);
  for (Eigen::MatrixXd* M : {&system.A, &system.C}) without_column(*M);
  for (Eigen::MatrixXd* M : {&system.z, &system.zd})
    if (M->cols() > i) without_column(*M);
  system.states.erase(system.states.begin() + i);
  system.element_state.erase(system.element_state.begin() + i);
}

/// Friction that holds is a spring to a motion as small as a linear system's, and one of any length
/// that has been bent to a steady one. Steering that a driver does slides: states of equations that
/// keep the way of a coordinate carry nothing, as in steady turns. Adds their names.
void let_friction_slide(const Equations& equations, LinearSystem& system,
                        std::vector<std::string>& names) {
  for (const Equation& equation : equations) {
    if (equation.kind != Equation::Kind::state) continue;
    const auto found =
        std::find_if(system.states.begin(), system.states.end(),
                     [&](const Channel& state) { return state.name == equation.name; });
    if (found == system.states.end()) continue;
    const Index i = found - system.states.begin();
    if (!follows_coordinates(system.A, i)) continue;
    take_out(system, i);
    if (std::find(names.begin(), names.end(), equation.name) == names.end())
      names.push_back(equation.name);
  }
}

/// s u + ... of the steering's columns: 1 for its angle, s for its rate, s^2 for its second rate.
Eigen::VectorXcd input_weights(const LinearSystem& system, Phasor s) {
  Eigen::VectorXcd weights(system.B.cols());
  for (Index k = 0; k < weights.size(); ++k) {
    const std::string& name = system.inputs[static_cast<std::size_t>(k)].name;
    weights[k] = name.ends_with(".acceleration") ? s * s : name.ends_with(".rate") ? s : 1.0;
  }
  return weights;
}

/// C (s - A)^-1 B u + D u at s = i omega, as a system of twice the size in real numbers. What
/// nothing depends on, as the speed of a car without resistance, stays where it is.
Eigen::VectorXcd transfer(const LinearSystem& system, double omega) {
  const Index n = system.A.rows();
  const Eigen::VectorXcd u = input_weights(system, {0.0, omega});
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(2 * n, 2 * n);
  Eigen::VectorXd right = Eigen::VectorXd::Zero(2 * n);
  matrix.topLeftCorner(n, n) = -system.A;
  matrix.bottomRightCorner(n, n) = -system.A;
  for (Index i = 0; i < n; ++i) {
    matrix(i, n + i) = -omega;
    matrix(n + i, i) = omega;
    for (Index k = 0; k < u.size(); ++k) {
      right[i] += system.B(i, k) * u[k].real();
      right[n + i] += system.B(i, k) * u[k].imag();
    }
  }
  constexpr double kNone = 1e-13;
  const Eigen::VectorXd x = solve_overdetermined(matrix, kNone, right);
  Eigen::VectorXcd y = Eigen::VectorXcd::Zero(system.C.rows());
  for (Index j = 0; j < y.size(); ++j) {
    for (Index i = 0; i < n; ++i) y[j] += system.C(j, i) * Phasor(x[i], x[n + i]);
    for (Index k = 0; k < u.size(); ++k) y[j] += system.D(j, k) * u[k];
  }
  return y;
}

}  // namespace

CarFigures find_figures(SteadyCar& car) {
  const Drive& drive = car.drive();
  const Model& model = drive.model;
  const std::vector<Unit>& units = drive.units;
  for (const Driveline& driveline : drive.drivelines)
    for (const DrivenAxle& axle : driveline.axles)
      if (axle.wheels.size() == 2 && axle.differential.type == DifferentialType::locked)
        refuse_vehicle(car, "has wheels that '" + driveline.name +
                                "' locks to one another, expected a differential that is open or "
                                "slips: two wheels that turn as one bring a moment against "
                                "turning that no bicycle model has");
  if (units.size() != 1)
    refuse_vehicle(car, "has " + std::to_string(units.size() - 1) + " unit behind the first ('" +
                            units[1].name +
                            "'), expected one without trailers: a bicycle model is one rigid body");
  const Unit& unit = units.front();
  for (const UnitAxle& axle : unit.axles)
    if (has_solid_axle(axle, drive.wheels))
      refuse_vehicle(car, "has wheels on both sides of its " + axle.name +
                              " axle that turn as one body, expected wheels that turn by "
                              "themselves: two that turn as one bring a moment against turning "
                              "that no bicycle model has");
  if (unit.axles.size() != 2)
    refuse_vehicle(car, "has " + std::to_string(unit.axles.size()) +
                            (unit.axles.size() == 1 ? " axle" : " axles") +
                            ", expected two: axles that do not steer scrub in a turn, which a "
                            "bicycle model does not");
  if (car.chassis() == kGround)
    refuse_vehicle(
        car,
        "has no chassis that can travel, expected a chassis=\"yes\" body on a free joint "
        "with a=\"ground\"");
  if (car.steering() == kNoInput)
    refuse_vehicle(car,
                   "has no steering, expected an input that its controls name as the steering");
  CarFigures figures;
  const SteeringTurn turns = car.find_steering_turn();
  if (!turns.is_steered)
    refuse_vehicle(car, "turns no wheel by its steering, expected wheels that are steered");
  if (turns.rear_is_steered)
    refuse_vehicle(car,
                   "steers wheels of its rear axle, expected steering in front alone: a bicycle "
                   "model has one steer angle, of its front wheel");
  figures.steering_ratio = turns.ratio();
  const SteadyTurn rest = car.rest();
  Workspace& ws = car.workspace();
  evaluate_state(model, rest.state, ws);
  figures.gravity = model.tree.gravity.norm();

  // all bodies, from O
  const std::vector<Body>& bodies = model.mechanism.bodies;
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    figures.mass += bodies[b].mass;
    centre += bodies[b].mass * centre_of_mass(model, static_cast<BodyIndex>(b), ws);
  }
  centre /= figures.mass;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const auto index = static_cast<BodyIndex>(b);
    const std::size_t t = at(model.tree.tree.tree_index(index));
    const Eigen::Vector3d vertical = ws.tree.A_WC[t].row(2);
    const Eigen::Vector3d from = centre_of_mass(model, index, ws) - centre;
    figures.yaw_inertia += vertical.dot(model.tree.bodies[t].inertia * vertical) +
                           bodies[b].mass * from.head<2>().squaredNorm();
  }
  const Eigen::Vector3d chassis = centre_of_mass(model, drive.chassis, ws);
  figures.ahead = chassis.x() - centre.x();

  // axles
  double x[2] = {0.0, 0.0};
  double heights = 0.0;
  double y[2] = {0.0, 0.0};  // of the front axle's sides
  for (std::size_t axle = 0; axle < 2; ++axle)
    for (const std::size_t side : {0U, 1U}) {
      const std::vector<int>& wheels = side == 0 ? unit.axles[axle].left : unit.axles[axle].right;
      for (const int w : wheels) {
        const Wheel& wheel = drive.wheels[at(w)];
        const Eigen::Vector3d place = ws.tree.position_of(model.tree.attach(wheel.centre));
        x[axle] += place.x() / unit.axles[axle].wheels();
        heights += place.z() / static_cast<double>(unit.wheels.size());
        if (axle == 0) y[side] += place.y() / static_cast<double>(wheels.size());
        figures.load_mass[2 * axle + side] += rest.wheels[at(w)].load / figures.gravity;
      }
    }
  figures.a = x[0] - centre.x();
  figures.b = centre.x() - x[1];
  if (!(figures.a > 0.0 && figures.b > 0.0))
    refuse_vehicle(car, "has its centre of mass outside of its axles, expected it between them");
  figures.track = y[0] - y[1];
  figures.wheel_radius = heights + ws.tree.origin.z();  // the road of a car at rest is at z = 0
  figures.centre_height = centre.z() + ws.tree.origin.z();
  return figures;
}

CarResponses find_responses(SteadyCar& car, const CarFigures& figures,
                            const std::vector<double>& speeds,
                            const std::vector<double>& frequencies, const Progress& progress) {
  ModesOptions options;
  options.inputs = {car.drive().model.mechanism.inputs[at(car.steering())].name};
  options.outputs = {"cg.wz", "cg.ay_body"};
  // input of the vehicle over the angle of its front wheels
  const double input = car.controls().steering_ratio * figures.steering_ratio;
  CarResponses found;
  std::vector<ResponsePoint>& points = found.points;
  ModeNames names;
  for (const double speed : speeds) {
    show_progress(progress,
                  static_cast<double>(points.size()) /
                      static_cast<double>(speeds.size() * frequencies.size()),
                  to_text(speed) + " m/s");
    CarModes modes = find_modes(car, car.turn(speed, 0.0), options, names);
    for (const Mode& mode : modes.modes)
      if (mode.eigen.value.real() > kStable + mode.uncertainty)
        throw AnalysisError("at " + to_text(speed) + " m/s the car is unstable: '" + mode.name +
                            "' grows by e in " + to_text(1.0 / mode.eigen.value.real(), 4) +
                            " s, expected a speed at which it is stable");
    let_friction_slide(car.drive().equations, modes.system, found.sliding);
    for (const double frequency : frequencies) {
      const Eigen::VectorXcd y = input * transfer(modes.system, 2.0 * M_PI * frequency);
      points.push_back({speed, frequency, {y[0], y[1]}});
    }
  }
  return found;
}

}  // namespace semirec
