#include "vehicles/driveline/driveline_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "topology/indices.hpp"
#include "vehicles/driveline/driveline_numbers.hpp"
#include "vehicles/driveline/motor.hpp"

namespace semirec {

namespace {

using Speeds = DrivelineModel::Speeds;
using Matrix = DrivelineModel::Matrix;
using Wheels = Eigen::Matrix<double, kMostDrivenWheels, 1>;
namespace place = driveline_state;

using driveline_numbers::kLossSpeed;

/// Gear of a state, whatever number that is.
int number_of(const Gearbox& gearbox, double gear) {
  return static_cast<int>(std::clamp(gear, -1.0, static_cast<double>(gearbox.gears.size())));
}

double ratio_of(const Gearbox& gearbox, double gear) {
  const int number = number_of(gearbox, gear);
  if (number < 0) return -gearbox.reverse;
  if (number == 0) return 0.0;
  return gearbox.gears[at(number - 1)].ratio;
}

/// Of the shift timer, s: what is left of it when the torque is back.
double left_with_torque(const Gearbox& gearbox) {
  return std::max(gearbox.shift_latency - gearbox.shift_time, 0.0);
}

/// Half a nanosecond: what the differences of many steps leave of a time.
constexpr double kTimeNoise = 5e-10;

/// Whether no gear is engaged because one is being changed.
bool is_shifting(const Gearbox& gearbox, double timer) {
  return timer > left_with_torque(gearbox) + kTimeNoise;
}

/// Solves A X = B in place of B for the first n rows, with row pivots; A is spent. What has no
/// pivot gives zeros.
template <typename Right>
void eliminate(Matrix& A, Right& B, int n) {
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i)
      if (std::abs(A(i, k)) > std::abs(A(pivot, k))) pivot = i;
    if (pivot != k) {
      for (int j = k; j < n; ++j) std::swap(A(k, j), A(pivot, j));
      for (int j = 0; j < B.cols(); ++j) std::swap(B(k, j), B(pivot, j));
    }
    if (A(k, k) == 0.0) continue;
    for (int i = k + 1; i < n; ++i) {
      const double part = A(i, k) / A(k, k);
      if (part == 0.0) continue;
      for (int j = k + 1; j < n; ++j) A(i, j) -= part * A(k, j);
      for (int j = 0; j < B.cols(); ++j) B(i, j) -= part * B(k, j);
    }
  }
  for (int k = n - 1; k >= 0; --k) {
    for (int j = 0; j < B.cols(); ++j) {
      double sum = B(k, j);
      for (int i = k + 1; i < n; ++i) sum -= A(k, i) * B(i, j);
      B(k, j) = A(k, k) == 0.0 ? 0.0 : sum / A(k, k);
    }
  }
}

/// One step's problem: residual torques F(y) = 0 and what comes with them. Its unknowns are the
/// speeds that there are, without the one that has inertia when no time passes.
class Problem {
 public:
  Problem(const DrivelineModel& model, const DrivelineDemand& demand, const DrivelineRule& rule)
      : model_(model),
        demand_(demand),
        rule_(rule),
        shifts_(is_shifting(model.driveline.gearbox, rule.x_begin[place::kShiftTimer])),
        ratio_(shifts_ ? 0.0 : ratio_of(model.driveline.gearbox, rule.x_begin[place::kGear])) {
    for (int j = 0; j < kMostDrivenWheels; ++j) {
      const auto k = at(j);
      if (j >= model.wheels) {
        w_wheel_[j] = gain_[j] = offset_[j] = 0.0;
        continue;
      }
      w_wheel_[j] = demand.wheel_speed[k];
      // T = gain (w_s - w_wheel) + offset
      gain_[j] = model.damping[k] + rule.gain * model.stiffness[k];
      offset_[j] = model.stiffness[k] * (rule.x_hat[k] + rule.gain * rule.xd_hat[k]);
    }
    held_ = rule.gain == 0.0;
    for (int k = 0; k < DrivelineModel::kSpeeds; ++k)
      if (model.free[at(k)] && !is_held(k)) unknown_[at(count_++)] = k;
    base_.noalias() = model.B.transpose() * gain_.asDiagonal() * model.B;
  }

  double ratio() const { return ratio_; }
  Wheels shaft_torques(const Speeds& y) const {
    return gain_.cwiseProduct(model_.B * y - w_wheel_) + offset_;
  }

  /// A first guess: shafts that go on twisting at the rate of the begin.
  Speeds guess() const;
  /// F at y; keeps torques and slopes for what follows.
  void evaluate(const Speeds& y);
  double residual() const { return F_.norm(); }
  /// Whether F at the last y is round-off.
  bool solved() const { return residual() <= tolerance_; }
  /// Newton's way from the last y.
  Speeds correction() const;
  /// All numbers at the last y but the resistance.
  void finish(const Speeds& y, DrivelineSolution& solution) const;
  void compute_resistance(DrivelineSolution& solution) const;

 private:
  /// One shaft before its states are those of a start: in no gear.
  bool is_apart() const { return model_.fixed && ratio_ == 0.0; }
  bool is_held(int k) const { return held_ && k == massive() && !is_apart(); }
  int massive() const { return model_.fixed ? DrivelineModel::kOutput : DrivelineModel::kMotor; }
  double motor_speed(const Speeds& y) const {
    return model_.fixed ? ratio_ * y[DrivelineModel::kOutput] : y[DrivelineModel::kMotor];
  }
  void evaluate_coupling(const Speeds& y);
  /// Torque that one shaft gives to its gears: the motor's less what turns its inertia.
  double passed_torque(const Speeds& y) const;
  /// What the motor's inertia asks for, while time passes.
  double inertia_torque(const Speeds& y) const {
    return model_.driveline.motor.inertia *
           ((motor_speed(y) - rule_.x_hat[place::kMotorSpeed]) / rule_.gain -
            rule_.xd_hat[place::kMotorSpeed]);
  }
  /// dF/dy at the last y, complete or as its symmetric, positive part alone; rows and columns of
  /// the unknowns.
  Matrix jacobian(bool symmetric) const;

  const DrivelineModel& model_;
  const DrivelineDemand& demand_;
  const DrivelineRule& rule_;
  bool shifts_ = false;
  double ratio_;
  bool held_ = false;
  Wheels w_wheel_, gain_, offset_;
  std::array<int, DrivelineModel::kSpeeds> unknown_{};
  int count_ = 0;
  Matrix base_;  ///< of the half shafts in dF/dy

  // at the last y
  double tolerance_ = 0.0;
  Speeds F_;
  Wheels T_;
  MotorTorque motor_;
  ConverterTorque coupling_;  ///< of any kind: pump taken from the motor, turbine given on
  double coupling_slope_ = 0.0;
  FrictionTorque clutch_;
  double loss_ = 0.0, loss_turbine_ = 0.0, loss_output_ = 0.0;
  std::array<FrictionTorque, 3> slip_;
  std::array<double, 3> slip_capacity_{}, slip_sign_{};
};

Speeds Problem::guess() const {
  Speeds y = Speeds::Zero();
  const std::vector<DrivenAxle>& axles = model_.driveline.axles;
  std::array<double, 2> propeller{};
  int j = 0;
  const auto side_gear = [&](int wheel) { return w_wheel_[wheel] + rule_.xd_hat[at(wheel)]; };
  for (std::size_t a = 0; a < axles.size(); ++a) {
    const bool pair = axles[a].wheels.size() == 2;
    const double left = side_gear(j);
    const double right = pair ? side_gear(j + 1) : left;
    propeller[a] = axles[a].ratio * 0.5 * (left + right);
    if (model_.free[at(DrivelineModel::kAxle) + a])
      y[DrivelineModel::kAxle + static_cast<int>(a)] = 0.5 * (left - right);
    j += pair ? 2 : 1;
  }
  y[DrivelineModel::kOutput] = propeller[0];
  if (axles.size() == 2) {
    const double share = model_.driveline.share;
    y[DrivelineModel::kOutput] = share * propeller[0] + (1.0 - share) * propeller[1];
    if (model_.free[DrivelineModel::kCentre])
      y[DrivelineModel::kCentre] = propeller[0] - propeller[1];
  }
  // at the rate of the past
  const double w =
      rule_.x_hat[place::kMotorSpeed] + 2.0 * rule_.gain * rule_.xd_hat[place::kMotorSpeed];
  if (!model_.fixed) {
    y[DrivelineModel::kMotor] = w;
  } else if (held_ && !is_apart()) {
    y[DrivelineModel::kOutput] = w / ratio_;
  }
  return y;
}

double Problem::passed_torque(const Speeds& y) const {
  if (is_apart()) return 0.0;
  if (!held_) return motor_.torque - inertia_torque(y);
  // what the half shafts take, with what is lost on the way
  const double taken = model_.B.col(DrivelineModel::kOutput).dot(T_);
  const double turning = std::clamp(y[DrivelineModel::kOutput] / kLossSpeed, -1.0, 1.0);
  const double efficiency = model_.driveline.gearbox.efficiency;
  const double part = taken * turning >= 0.0 ? 1.0 - (1.0 - efficiency) * std::abs(turning)
                                             : 1.0 + (1.0 / efficiency - 1.0) * std::abs(turning);
  return taken / (part * ratio_);
}

void Problem::evaluate_coupling(const Speeds& y) {
  coupling_ = {};
  coupling_slope_ = 0.0;
  clutch_ = compute_friction(model_.clutch, rule_.x_begin[place::kClutch], 0.0, 0.0);
  if (model_.fixed) {
    coupling_.turbine = passed_torque(y);
    return;
  }
  if (ratio_ == 0.0) return;
  const Coupling& coupling = model_.driveline.coupling;
  const double w_input = ratio_ * y[DrivelineModel::kOutput];
  if (coupling.type == CouplingType::converter) {
    coupling_ = compute_converter_torque(coupling, y[DrivelineModel::kMotor], w_input);
    return;
  }
  const double pedal = std::isfinite(demand_.pedal) ? std::clamp(demand_.pedal, 0.0, 1.0) : 0.0;
  const double capacity = coupling.capacity * (1.0 - pedal);
  clutch_ = compute_friction(model_.clutch, rule_.x_begin[place::kClutch],
                             y[DrivelineModel::kMotor] - w_input, rule_.h);
  const double torque = capacity * clutch_.part;
  coupling_slope_ = capacity * clutch_.slope;
  coupling_ = {torque,           torque,          coupling_slope_,
               -coupling_slope_, coupling_slope_, -coupling_slope_};
}

void Problem::evaluate(const Speeds& y) {
  T_ = shaft_torques(y);
  // cut while nothing holds the motor
  motor_ = compute_motor_torque(model_.driveline.motor, shifts_ ? 0.0 : demand_.throttle,
                                motor_speed(y));
  evaluate_coupling(y);

  // tau: torques on the speeds, balanced by inertia
  Speeds tau = -model_.B.transpose() * T_;
  const double geared = ratio_ * coupling_.turbine;
  const double turning = std::clamp(y[DrivelineModel::kOutput] / kLossSpeed, -1.0, 1.0);
  // of the power that comes in: from the motor, or from the wheels while the car coasts
  const double efficiency = model_.driveline.gearbox.efficiency;
  const double lost = geared * turning >= 0.0 ? 1.0 - efficiency : 1.0 / efficiency - 1.0;
  loss_ = lost * std::abs(geared) * turning;
  loss_turbine_ = lost * (geared < 0.0 ? -ratio_ : ratio_) * turning;
  loss_output_ = std::abs(turning) < 1.0 ? lost * std::abs(geared) / kLossSpeed : 0.0;
  tau[DrivelineModel::kOutput] += geared - loss_;
  if (!model_.fixed) tau[DrivelineModel::kMotor] += motor_.torque - coupling_.pump;
  for (std::size_t s = 0; s < model_.slips.size(); ++s) {
    const DrivelineModel::Slip& slip = model_.slips[s];
    const double z = rule_.x_begin[place::kAxleFriction + s];
    slip_[s] = {};
    slip_[s].z = z;
    if (!slip.active) continue;
    double load = 0.0;
    for (int j = 0; j < model_.wheels; ++j) load += slip.load[at(j)] * T_[j];
    slip_sign_[s] = load < 0.0 ? -1.0 : 1.0;
    slip_capacity_[s] = 0.5 * (slip.preload + slip.bias * std::abs(load));
    slip_[s] = compute_friction(model_.differential, z, slip.sliding * y[slip.speed], rule_.h);
    tau[slip.speed] -= slip.sliding * slip_capacity_[s] * slip_[s].part;
  }

  F_ = -tau;
  for (int k = 0; k < DrivelineModel::kSpeeds; ++k)
    if (!model_.free[at(k)] || is_held(k)) F_[k] = 0.0;
  tolerance_ = driveline_numbers::kTorquePart *
               (1.0 + std::abs(motor_.torque) + std::abs(geared) + T_.cwiseAbs().sum());
  if (held_) return;
  // that of one shaft is in what it gives to its gears
  if (!model_.fixed) F_[massive()] += inertia_torque(y);
  const double speeds = std::abs(motor_speed(y)) + std::abs(rule_.x_hat[place::kMotorSpeed]);
  tolerance_ += driveline_numbers::kSpeedNoise * model_.driveline.motor.inertia * speeds /
                rule_.gain * (model_.fixed ? std::abs(ratio_) : 1.0);
}

Speeds Problem::correction() const {
  Matrix A = jacobian(/*symmetric=*/false);
  Speeds way = Speeds::Zero();
  for (int k = 0; k < count_; ++k) way[k] = F_[unknown_[at(k)]];
  eliminate(A, way, count_);
  // back to their places, the last ones first
  for (int k = count_ - 1; k >= 0; --k) std::swap(way[k], way[unknown_[at(k)]]);
  return way;
}

Matrix Problem::jacobian(bool symmetric) const {
  Matrix A = base_;
  const double i = ratio_;
  constexpr int m = DrivelineModel::kMotor;
  constexpr int o = DrivelineModel::kOutput;
  const double J = held_ ? 0.0 : model_.driveline.motor.inertia / rule_.gain;
  const double falling = symmetric ? std::max(0.0, -motor_.slope) : -motor_.slope;
  if (model_.fixed) {
    A(o, o) += i * i * (J + falling);
    if (!symmetric) A(o, o) += loss_turbine_ * (motor_.slope - J) * i;
  } else {
    A(m, m) += J + falling;
    if (!symmetric || coupling_slope_ > 0.0) {
      A(m, m) += coupling_.pump_w;
      A(m, o) += i * coupling_.pump_w_turbine;
      const double passed = symmetric ? i : i - loss_turbine_;
      A(o, m) -= passed * coupling_.turbine_w;
      A(o, o) -= passed * i * coupling_.turbine_w_turbine;
    } else {
      A(m, m) += std::max(0.0, coupling_.pump_w);
      A(o, o) += std::max(0.0, -i * i * coupling_.turbine_w_turbine);
    }
  }
  A(o, o) += loss_output_;
  for (std::size_t s = 0; s < model_.slips.size(); ++s) {
    const DrivelineModel::Slip& slip = model_.slips[s];
    if (!slip.active) continue;
    A(slip.speed, slip.speed) += slip.sliding * slip.sliding * slip_capacity_[s] * slip_[s].slope;
    if (symmetric) continue;
    // the torque that presses changes with all speeds
    const double press = slip.sliding * slip_[s].part * 0.5 * slip.bias * slip_sign_[s];
    for (int j = 0; j < model_.wheels; ++j)
      A.row(slip.speed) += (press * slip.load[at(j)] * gain_[j]) * model_.B.row(j);
  }
  // ascending places: nothing is overwritten before it is read
  for (int row = 0; row < count_; ++row)
    for (int k = 0; k < count_; ++k) A(row, k) = A(unknown_[at(row)], unknown_[at(k)]);
  return A;
}

void Problem::finish(const Speeds& y, DrivelineSolution& solution) const {
  const double w = motor_speed(y);
  solution.y = y;
  solution.ratio = ratio_;
  solution.motor_torque = motor_.torque;
  solution.coupling_torque = coupling_.turbine;
  solution.x = rule_.x_begin;
  solution.xd.fill(0.0);

  // states
  const Wheels rate = model_.B * y - w_wheel_;
  solution.stored = solution.dissipated = 0.0;
  for (int j = 0; j < model_.wheels; ++j) {
    const auto k = at(j);
    solution.torque[k] = T_[j];
    solution.x[k] = rule_.x_hat[k] + rule_.gain * (rule_.xd_hat[k] + rate[j]);
    solution.xd[k] = rate[j];
    solution.stored += 0.5 * model_.stiffness[k] * solution.x[k] * solution.x[k];
    solution.dissipated += model_.damping[k] * rate[j] * rate[j];
  }
  for (int j = model_.wheels; j < kMostDrivenWheels; ++j) solution.torque[at(j)] = 0.0;
  solution.x[place::kMotorSpeed] = w;
  const double J = model_.driveline.motor.inertia;
  if (!model_.fixed)
    solution.xd[place::kMotorSpeed] = (motor_.torque - coupling_.pump) / J;
  else if (!is_apart())
    solution.xd[place::kMotorSpeed] = (motor_.torque - coupling_.turbine) / J;
  solution.x[place::kClutch] = clutch_.z;
  if (!model_.fixed && ratio_ != 0.0) solution.xd[place::kClutch] = clutch_.rate;
  for (std::size_t s = 0; s < model_.slips.size(); ++s) {
    solution.x[place::kAxleFriction + s] = slip_[s].z;
    solution.xd[place::kAxleFriction + s] = slip_[s].rate;
    const DrivelineModel::Slip& slip = model_.slips[s];
    if (slip.active)
      solution.dissipated += slip_capacity_[s] * slip_[s].part * slip.sliding * y[slip.speed];
  }

  // energy
  solution.stored += 0.5 * J * w * w;
  solution.input = motor_.torque * w;
  solution.dissipated += loss_ * y[DrivelineModel::kOutput];
  if (!model_.fixed)
    solution.dissipated +=
        coupling_.pump * w - coupling_.turbine * ratio_ * y[DrivelineModel::kOutput];
}

void Problem::compute_resistance(DrivelineSolution& solution) const {
  // y follows the wheels: dT/dw = -(G - G B A^-1 B^T G)
  Matrix A = jacobian(/*symmetric=*/true);
  Eigen::Matrix<double, DrivelineModel::kSpeeds, kMostDrivenWheels> BtG;
  BtG.setZero();
  for (int k = 0; k < count_; ++k)
    BtG.row(k) = model_.B.col(unknown_[at(k)]).cwiseProduct(gain_).transpose();
  auto followed = BtG;
  eliminate(A, followed, count_);
  solution.resistance.noalias() = -BtG.transpose() * followed;
  solution.resistance.diagonal() += gain_;
}

bool is_neutral(const DrivelineDemand& demand) {
  return !std::isfinite(demand.selector) || std::abs(demand.selector) < 0.5;
}

/// Gear that an automatic gearbox takes from `gear` when its output turns at w.
int choose_gear(const Gearbox& gearbox, int gear, double w, bool at_once) {
  const int count = static_cast<int>(gearbox.gears.size());
  gear = std::clamp(gear, 1, count);
  for (int k = 0; k < count; ++k) {
    const Gear& now = gearbox.gears[at(gear - 1)];
    const double w_input = now.ratio * w;
    if (w_input > now.up && gear < count) {
      ++gear;
    } else if (w_input < now.down && gear > 1) {
      --gear;
    } else {
      break;
    }
    if (!at_once) break;
  }
  return gear;
}

int selected_gear(const Gearbox& gearbox, double selector) {
  const double most = static_cast<double>(gearbox.gears.size());
  const double least = gearbox.reverse > 0.0 ? -1.0 : 0.0;
  if (std::isnan(selector)) return 0;  // what the step makes of such an input is told by its status
  return static_cast<int>(std::round(std::clamp(selector, least, most)));
}

int wanted_gear(const Gearbox& gearbox, const DrivelineDemand& demand, int gear, double w_output,
                bool at_once) {
  if (gearbox.selector == kNoInput && !gearbox.automatic) return 1;
  if (gearbox.selector != kNoInput) {
    if (is_neutral(demand)) return 0;
    const int selected = selected_gear(gearbox, demand.selector);
    if (!gearbox.automatic || selected <= 0) return selected;
  }
  return choose_gear(gearbox, gear, w_output, at_once);
}

}  // namespace

DrivelineModel make_driveline_model(const Driveline& driveline) {
  DrivelineModel model;
  model.driveline = driveline;
  model.B.setZero();
  const Gearbox& gearbox = driveline.gearbox;
  model.fixed = driveline.coupling.type == CouplingType::rigid && gearbox.gears.size() == 1 &&
                gearbox.selector == kNoInput;
  model.free[DrivelineModel::kMotor] = !model.fixed;
  model.free[DrivelineModel::kOutput] = true;

  const bool two = driveline.axles.size() == 2;
  const bool centre = two && driveline.centre.type != DifferentialType::locked;
  model.free[DrivelineModel::kCentre] = centre;
  const std::array<double, 2> lever{1.0 - driveline.share, -driveline.share};
  for (std::size_t a = 0; a < driveline.axles.size(); ++a) {
    const DrivenAxle& axle = driveline.axles[a];
    const int column = DrivelineModel::kAxle + static_cast<int>(a);
    const bool pair = axle.wheels.size() == 2;
    model.free[at(column)] = pair && axle.differential.type != DifferentialType::locked;
    DrivelineModel::Slip& slip = model.slips[a];
    slip.active =
        model.free[at(column)] && axle.differential.type == DifferentialType::limited_slip;
    slip.speed = column;
    slip.sliding = 2.0;
    slip.preload = axle.differential.preload;
    slip.bias = axle.differential.bias;
    for (std::size_t side = 0; side < axle.wheels.size(); ++side) {
      const int j = model.wheels++;
      model.B(j, DrivelineModel::kOutput) = 1.0 / axle.ratio;
      if (centre) model.B(j, DrivelineModel::kCentre) = lever[a] / axle.ratio;
      if (model.free[at(column)]) model.B(j, column) = side == 0 ? 1.0 : -1.0;
      model.stiffness[at(j)] = axle.shaft_stiffness;
      model.damping[at(j)] = axle.shaft_damping;
      slip.load[at(j)] = 1.0;
      model.slips[2].load[at(j)] = 1.0 / axle.ratio;
    }
  }
  DrivelineModel::Slip& slip = model.slips[2];
  slip.active = centre && driveline.centre.type == DifferentialType::limited_slip;
  slip.speed = DrivelineModel::kCentre;
  slip.preload = driveline.centre.preload;
  slip.bias = driveline.centre.bias;

  Coupling& coupling = model.driveline.coupling;
  if (coupling.type == CouplingType::rigid && !model.fixed && coupling.capacity <= 0.0) {
    // a synchroniser that holds whatever the motor gives
    double most = 0.0;
    for (const Curve* curve : {&driveline.motor.full, &driveline.motor.closed})
      for (const Curve::Piece& piece : curve->pieces())
        most = std::max(most, std::abs(curve->value(piece.from)));
    coupling.capacity = 3.0 * std::max(most, 1.0);
  }
  return model;
}

void check_driveline(const Driveline& driveline) {
  const auto fail = [&](const std::string& message) {
    throw ModelError(driveline.source, driveline.name, message);
  };
  const auto positive = [&](double value, const std::string& what) {
    if (!(value > 0.0) || !std::isfinite(value))
      fail(what + " is not above zero, expected a positive number");
  };
  positive(driveline.motor.inertia, "the motor's inertia");
  if (driveline.gearbox.gears.empty()) fail("has no gear, expected at least one");
  for (const Gear& gear : driveline.gearbox.gears) positive(gear.ratio, "a gear's ratio");
  if (driveline.coupling.type == CouplingType::clutch)
    positive(driveline.coupling.capacity, "the clutch's capacity");
  if (!(driveline.gearbox.efficiency > 0.0 && driveline.gearbox.efficiency <= 1.0))
    fail("the gearbox' efficiency is not within 0 and 1, expected a share such as 0.95");
  if (driveline.axles.empty() || driveline.axles.size() > 2)
    fail("has " + std::to_string(driveline.axles.size()) + " axles, expected one or two");
  for (const DrivenAxle& axle : driveline.axles) {
    if (axle.wheels.empty() || axle.wheels.size() > 2)
      throw ModelError(
          axle.source, axle.name,
          "drives " + std::to_string(axle.wheels.size()) + " wheels, expected one or two");
    positive(axle.ratio, "an axle's ratio");
    positive(axle.shaft_stiffness, "an axle's shaft_stiffness");
    positive(axle.shaft_damping, "an axle's shaft_damping");
  }
  if (driveline.axles.size() == 2 && !(driveline.share > 0.0 && driveline.share < 1.0))
    fail("the share of the first axle is not between 0 and 1, expected one such as 0.5");
}

std::string describe_gaining_converter(const Driveline& driveline) {
  constexpr double kRounding = 1e-3;  // of published points
  constexpr int kParts = 1000;
  if (driveline.coupling.type != CouplingType::converter) return {};
  double most = 1.0 + kRounding;
  double where = 0.0;
  const auto look = [&](double ratio) {
    const double share = ratio * driveline.coupling.torque_ratio.value(ratio);
    if (ratio > 1.0 || !(share > most)) return;
    most = share;
    where = ratio;
  };
  for (const double ratio : driveline.coupling.torque_ratio.breakpoints()) look(ratio);
  for (int k = 1; k <= kParts; ++k) look(static_cast<double>(k) / kParts);
  if (where == 0.0) return {};
  std::ostringstream text;
  text.precision(4);
  text << "driveline '" << driveline.name << "': at a speed ratio of " << where
       << " its converter gives off " << most
       << " times the power that it takes: speed ratio times torque ratio is above 1";
  return text.str();
}

EngagedGear find_engaged_gear(const DrivelineModel& model, double timer, double gear) {
  const Gearbox& gearbox = model.driveline.gearbox;
  if (is_shifting(gearbox, timer)) return {.shifts = true, .ratio = 0.0};
  return {.shifts = false, .ratio = ratio_of(gearbox, gear)};
}

void solve_driveline(const DrivelineModel& model, const DrivelineDemand& demand,
                     const DrivelineRule& rule, DrivelineSolution& solution, bool with_resistance) {
  Problem problem(model, demand, rule);
  Speeds y = problem.guess();
  problem.evaluate(y);
  solution.iterations = 0;
  bool stuck = false;
  for (; !problem.solved() && !stuck && solution.iterations < driveline_numbers::kMostIterations;
       ++solution.iterations) {
    const double size = problem.residual();
    const Speeds way = problem.correction();
    if (!way.allFinite()) break;
    // friction has corners: no step may make matters worse
    double part = 1.0;
    for (int halving = 0; halving <= driveline_numbers::kMostHalvings; ++halving, part *= 0.5) {
      problem.evaluate(y - part * way);
      if (problem.residual() <= (1.0 - driveline_numbers::kLeastDescent * part) * size) break;
      // at round-off nothing gets better
      stuck = way.norm() <= driveline_numbers::kShortestWay * (1.0 + y.norm());
      if (stuck || halving == driveline_numbers::kMostHalvings) break;
    }
    y -= part * way;
  }
  solution.converged = problem.solved() || stuck;
  problem.finish(y, solution);
  if (with_resistance) problem.compute_resistance(solution);
}

bool shift_gear(const DrivelineModel& model, const DrivelineDemand& demand, double h,
                DrivelineSolution& solution) {
  if (model.fixed || h <= 0.0) return false;
  double& timer = solution.x[place::kShiftTimer];
  double& gear = solution.x[place::kGear];
  const Gearbox& gearbox = model.driveline.gearbox;
  const bool shifting = is_shifting(gearbox, timer);
  timer = timer - h > kTimeNoise ? timer - h : 0.0;
  if (shifting) return !is_shifting(gearbox, timer);
  const int now = number_of(gearbox, gear);
  // out of neutral or reverse the gear is that of the speed, not one up from the first
  const int wanted = wanted_gear(gearbox, demand, now, solution.y[DrivelineModel::kOutput],
                                 /*at_once=*/now <= 0);
  if (wanted == now) return false;
  // the latency holds back what the gearbox chooses, not what the driver does
  if (timer > 0.0 && wanted > 0 && now > 0) return false;
  gear = static_cast<double>(wanted);
  timer = wanted == 0 ? 0.0 : gearbox.shift_time + left_with_torque(gearbox);
  return true;
}

DrivelineStates settle_driveline(const DrivelineModel& model, const DrivelineDemand& demand) {
  DrivelineStates x{};
  x[place::kGear] = 1.0;
  const DrivelineRule from_here{.h = 1.0, .gain = 1.0, .x_begin = x, .x_hat = x};
  const Speeds y = Problem(model, demand, from_here).guess();
  const double w_output = y[DrivelineModel::kOutput];
  const Motor& motor = model.driveline.motor;
  const Gearbox& gearbox = model.driveline.gearbox;
  const int gear = wanted_gear(gearbox, demand, 1, w_output, /*at_once=*/true);
  x[place::kGear] = static_cast<double>(gear);
  const double w_input = ratio_of(gearbox, gear) * w_output;
  const bool open =
      gear == 0 || model.driveline.coupling.type == CouplingType::converter || demand.pedal >= 1.0;
  x[place::kMotorSpeed] = open ? std::max(gear == 0 ? 0.0 : w_input, motor.idle_speed) : w_input;
  for (std::size_t s = 0; s < model.slips.size(); ++s) {
    const DrivelineModel::Slip& slip = model.slips[s];
    if (slip.active) x[place::kAxleFriction + s] = settled_bristle(slip.sliding * y[slip.speed]);
  }
  return x;
}

}  // namespace semirec
