#include "vehicles/analysis/bicycle/car_response.hpp"

#include <algorithm>
#include <cmath>

#include "integrator/formulation/evaluate.hpp"
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
  if (units.size() != 1)
    refuse_vehicle(car, "has " + std::to_string(units.size() - 1) + " unit behind the first ('" +
                            units[1].name +
                            "'), expected one without trailers: a bicycle model is one rigid body");
  const Unit& unit = units.front();
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

std::vector<ResponsePoint> find_responses(SteadyCar& car, const CarFigures& figures,
                                          const std::vector<double>& speeds,
                                          const std::vector<double>& frequencies,
                                          const Progress& progress) {
  ModesOptions options;
  options.inputs = {car.drive().model.mechanism.inputs[at(car.steering())].name};
  options.outputs = {"cg.wz", "cg.ay_body"};
  // input of the vehicle over the angle of its front wheels
  const double input = car.controls().steering_ratio * figures.steering_ratio;
  std::vector<ResponsePoint> points;
  ModeNames names;
  for (const double speed : speeds) {
    show_progress(progress,
                  static_cast<double>(points.size()) /
                      static_cast<double>(speeds.size() * frequencies.size()),
                  to_text(speed) + " m/s");
    const CarModes modes = find_modes(car, car.turn(speed, 0.0), options, names);
    for (const Mode& mode : modes.modes)
      if (mode.eigen.value.real() > kStable + mode.uncertainty)
        throw AnalysisError("at " + to_text(speed) + " m/s the car is unstable: '" + mode.name +
                            "' grows by e in " + to_text(1.0 / mode.eigen.value.real(), 4) +
                            " s, expected speeds below that");
    for (const double frequency : frequencies) {
      const Eigen::VectorXcd y = input * transfer(modes.system, 2.0 * M_PI * frequency);
      points.push_back({speed, frequency, {y[0], y[1]}});
    }
  }
  return points;
}

}  // namespace semirec
