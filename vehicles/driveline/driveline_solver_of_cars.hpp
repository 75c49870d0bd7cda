#pragma once

#include <array>
#include <vector>

#include "vehicles/driveline/motor_of_cars.hpp"

namespace semirec {

/// solve_driveline() (docs/theory.md 28) of cars side by side whose drivelines are built alike: the
/// same equations, choices as masks. Newton's method goes on until the last car is done; the others
/// stay where they are by then, so that no car's numbers depend on its neighbours.
template <AnyPack P>
class DrivelineSolverOfCars {
 public:
  static constexpr int kSpeeds = DrivelineModel::kSpeeds;
  using Speeds = std::array<P, kSpeeds>;  ///< the free ones alone, in the order of DrivelineModel
  using Wheels = std::array<P, kMostDrivenWheels>;
  using States = std::array<P, driveline_state::kCount>;

  /// The rule of the scheme for the states; h and gain are those of all cars.
  struct Rule {
    double h, gain;  ///< s
    States x_begin, x_hat, xd_hat;
  };
  struct Demand {
    P throttle, pedal;   ///< 1; the clutch's pedal
    Wheels wheel_speed;  ///< rad/s, of the wheels that there are
  };
  struct Solution {
    Wheels torque;   ///< on the wheels that there are, N m
    Wheels damping;  ///< resistance of each wheel, weighted as in DrivelineForce, N m s/rad
    States x, xd;
    P output;  ///< speed of the gearbox' output, rad/s
  };

  /// Whether the numbers alone differ: the same parts and the same unknowns.
  static bool are_alike(const DrivelineModel& a, const DrivelineModel& b) {
    const Driveline& of_a = a.driveline;
    const Driveline& of_b = b.driveline;
    if (a.wheels != b.wheels || a.free != b.free || a.fixed != b.fixed ||
        of_a.motor.type != of_b.motor.type || of_a.coupling.type != of_b.coupling.type ||
        of_a.axles.size() != of_b.axles.size())
      return false;
    for (std::size_t k = 0; k < of_a.axles.size(); ++k)
      if (of_a.axles[k].wheels.size() != of_b.axles[k].wheels.size()) return false;
    for (std::size_t s = 0; s < a.slips.size(); ++s)
      if (a.slips[s].active != b.slips[s].active || a.slips[s].speed != b.slips[s].speed)
        return false;
    return true;
  }

  /// `cars`: one a lane, alike; they outlive it.
  explicit DrivelineSolverOfCars(const std::vector<const DrivelineModel*>& cars)
      : cars_(cars), motor_(cars), converter_(cars) {
    const DrivelineModel& first = *cars.front();
    const auto number = [&](const auto& of) { return number_of_cars<P>(cars, of); };
    for (int j = 0; j < kMostDrivenWheels; ++j) {
      const auto w = at(j);
      stiffness_[w] = number([&](const DrivelineModel& car) { return car.stiffness[w]; });
      damping_[w] = number([&](const DrivelineModel& car) { return car.damping[w]; });
    }
    for (int k = 0; k < kSpeeds; ++k) {
      if (!first.free[at(k)]) continue;
      place_[at(k)] = count_;
      for (int j = 0; j < kMostDrivenWheels; ++j)
        B_[at(j)][count_] = number([&](const DrivelineModel& car) { return car.B(j, k); });
      ++count_;
    }
    output_ = place_[at(DrivelineModel::kOutput)];
    for (std::size_t s = 0; s < slips_.size(); ++s) {
      Slip& slip = slips_[s];
      slip.active = first.slips[s].active;
      slip.speed = place_[at(first.slips[s].speed)];
      slip.sliding = number([&](const DrivelineModel& car) { return car.slips[s].sliding; });
      slip.preload = number([&](const DrivelineModel& car) { return car.slips[s].preload; });
      slip.bias = number([&](const DrivelineModel& car) { return car.slips[s].bias; });
      for (std::size_t j = 0; j < slip.load.size(); ++j)
        slip.load[j] = number([&](const DrivelineModel& car) { return car.slips[s].load[j]; });
    }
    clutch_ = friction([](const DrivelineModel& car) -> const Friction& { return car.clutch; });
    differential_ =
        friction([](const DrivelineModel& car) -> const Friction& { return car.differential; });
    capacity_ = number([](const DrivelineModel& car) { return car.driveline.coupling.capacity; });
    efficiency_ =
        number([](const DrivelineModel& car) { return car.driveline.gearbox.efficiency; });
    share_ = number([](const DrivelineModel& car) { return car.driveline.share; });
    for (std::size_t a = 0; a < first.driveline.axles.size(); ++a)
      axle_ratio_[a] =
          number([&](const DrivelineModel& car) { return car.driveline.axles[a].ratio; });
  }

  /// Of the cars wanted, one bit each; the others' numbers are of no meaning.
  void solve(const Demand& demand, const Rule& rule, unsigned wanted, bool with_resistance,
             Solution& solution) const;

 private:
  using Mask = PackMaskOf<P>;
  using Matrix = std::array<Speeds, kSpeeds>;  ///< [row][column]
  /// Place of the speed that bears the motor's inertia: its own, or that of the one shaft.
  static constexpr std::size_t kMotor = 0;

  struct Slip {
    bool active = false;
    std::size_t speed = 0;
    P sliding, preload, bias;
    Wheels load;
  };
  /// What a step gives, and what holds at the last y (Problem of solve_driveline()).
  struct Work {
    const Demand* demand;
    const Rule* rule;
    P throttle, ratio;
    bool held = false;
    std::size_t from =
        0;  ///< place of the first unknown: the motor's speed is given while time stands
    Wheels gain, offset;
    Matrix base;

    P tolerance;
    Speeds F;
    Wheels T, rate;
    MotorTorqueOf<P> motor;
    CouplingTorqueOf<P> coupling;
    P coupling_slope;
    FrictionTorqueOf<P> clutch;
    P loss, loss_turbine, loss_output;
    std::array<FrictionTorqueOf<P>, 3> slip;
    std::array<P, 3> slip_capacity, slip_sign;
  };

  const DrivelineModel& first() const { return *cars_.front(); }
  std::size_t wheels() const { return at(first().wheels); }

  template <typename Pick>
  FrictionOf<P> friction(const Pick& pick) const {
    return {number_of_cars<P>(cars_, [&](const auto& car) { return pick(car).bristle; }),
            number_of_cars<P>(cars_, [&](const auto& car) { return pick(car).damped_speed; })};
  }
  /// Of the entries from `begin` on.
  P norm(const Speeds& v, std::size_t begin) const {
    P sum{};
    for (std::size_t k = begin; k < count_; ++k) sum += v[k] * v[k];
    return square_root(sum);
  }

  void begin(const Demand& demand, const Rule& rule, Work& work) const;
  Speeds guess(const Work& work) const;
  P motor_speed(const Work& work, const Speeds& y) const {
    return first().fixed ? work.ratio * y[output_] : y[kMotor];
  }
  void evaluate(const Speeds& y, Work& work) const;
  void evaluate_coupling(const Speeds& y, Work& work) const;
  /// Torque that one shaft gives to its gears: the motor's less what turns its inertia.
  P passed_torque(const Speeds& y, const Work& work) const;
  /// What the motor's inertia asks for, while time passes.
  P inertia_torque(const Speeds& y, const Work& work) const {
    constexpr auto speed = driveline_state::kMotorSpeed;
    return motor_.inertia() * ((motor_speed(work, y) - work.rule->x_hat[speed]) / work.rule->gain -
                               work.rule->xd_hat[speed]);
  }
  Matrix jacobian(const Work& work, bool symmetric) const;
  Speeds correction(const Work& work) const;
  void finish(const Speeds& y, const Work& work, Solution& solution) const;
  void find_damping(const Work& work, Solution& solution) const;

  std::vector<const DrivelineModel*> cars_;
  MotorOfCars<P> motor_;
  ConverterOfCars<P> converter_;
  Wheels stiffness_, damping_;
  std::array<std::size_t, kSpeeds> place_{};  ///< of each speed of DrivelineModel that is free
  std::size_t count_ = 0;                     ///< of free speeds
  std::size_t output_ = 0;                    ///< place of the gearbox' output: behind the motor's
  /// [wheel][speed]; the motor's own speed turns no wheel.
  std::array<Speeds, kMostDrivenWheels> B_;
  std::array<Slip, 3> slips_;
  FrictionOf<P> clutch_, differential_;
  P capacity_, efficiency_, share_;
  std::array<P, 2> axle_ratio_{};
};

/// Solves A X = B in place of B for the rows and columns from `begin` up to n, each lane with row
/// pivots of its own; A is spent. What has no pivot gives zeros. `right`: columns of B.
template <AnyPack P, std::size_t kSize, std::size_t kRight>
void eliminate_in_lanes(std::array<std::array<P, kSize>, kSize>& A,
                        std::array<std::array<P, kRight>, kSize>& B, std::size_t begin,
                        std::size_t n, std::size_t right = kRight) {
  const P none{};
  std::array<P, kSize> inverse;
  for (std::size_t k = begin; k < n; ++k) {
    for (std::size_t i = k + 1; i < n; ++i) {
      const PackMaskOf<P> larger = absolute(A[i][k]) > absolute(A[k][k]);
      if (!anywhere(larger)) continue;
      const auto exchange = [&](P& a, P& b) {
        const P old = a;
        a = select(larger, b, a);
        b = select(larger, old, b);
      };
      for (std::size_t j = k; j < n; ++j) exchange(A[k][j], A[i][j]);
      for (std::size_t j = 0; j < right; ++j) exchange(B[k][j], B[i][j]);
    }
    inverse[k] = select(A[k][k] == 0.0, none, 1.0 / A[k][k]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const P part = A[i][k] * inverse[k];
      for (std::size_t j = k + 1; j < n; ++j) A[i][j] -= part * A[k][j];
      for (std::size_t j = 0; j < right; ++j) B[i][j] -= part * B[k][j];
    }
  }
  for (std::size_t k = n; k-- > begin;)
    for (std::size_t j = 0; j < right; ++j) {
      P sum = B[k][j];
      for (std::size_t i = k + 1; i < n; ++i) sum -= A[k][i] * B[i][j];
      B[k][j] = sum * inverse[k];
    }
}

template <AnyPack P>
void DrivelineSolverOfCars<P>::begin(const Demand& demand, const Rule& rule, Work& work) const {
  namespace place = driveline_state;
  work.demand = &demand;
  work.rule = &rule;
  for (int l = 0; l < kLanesOf<P>; ++l) {
    const EngagedGear gear = find_engaged_gear(*cars_[at(l)], rule.x_begin[place::kShiftTimer][l],
                                               rule.x_begin[place::kGear][l]);
    work.ratio[l] = gear.ratio;
    // cut while nothing holds the motor
    work.throttle[l] = gear.shifts ? 0.0 : demand.throttle[l];
  }
  for (std::size_t j = 0; j < wheels(); ++j) {
    // T = gain (w_s - w_wheel) + offset
    work.gain[j] = damping_[j] + rule.gain * stiffness_[j];
    work.offset[j] = stiffness_[j] * (rule.x_hat[j] + rule.gain * rule.xd_hat[j]);
  }
  work.held = rule.gain == 0.0;
  work.from = work.held ? 1 : 0;
  for (std::size_t i = 0; i < count_; ++i)
    for (std::size_t k = 0; k <= i; ++k) {
      P sum{};
      if (k >= output_)
        for (std::size_t j = 0; j < wheels(); ++j) sum += B_[j][i] * work.gain[j] * B_[j][k];
      work.base[i][k] = work.base[k][i] = sum;
    }
}

template <AnyPack P>
auto DrivelineSolverOfCars<P>::guess(const Work& work) const -> Speeds {
  namespace place = driveline_state;
  const Rule& rule = *work.rule;
  const std::vector<DrivenAxle>& axles = first().driveline.axles;
  Speeds y{};
  std::array<P, 2> propeller{};
  std::size_t j = 0;
  const auto side_gear = [&](std::size_t wheel) {
    return work.demand->wheel_speed[wheel] + rule.xd_hat[wheel];
  };
  for (std::size_t a = 0; a < axles.size(); ++a) {
    const bool pair = axles[a].wheels.size() == 2;
    const P left = side_gear(j);
    const P right = pair ? side_gear(j + 1) : left;
    propeller[a] = axle_ratio_[a] * 0.5 * (left + right);
    const auto axle = at(DrivelineModel::kAxle) + a;
    if (first().free[axle]) y[place_[axle]] = 0.5 * (left - right);
    j += pair ? 2 : 1;
  }
  y[output_] = propeller[0];
  if (axles.size() == 2) {
    y[output_] = share_ * propeller[0] + (1.0 - share_) * propeller[1];
    if (first().free[DrivelineModel::kCentre])
      y[place_[DrivelineModel::kCentre]] = propeller[0] - propeller[1];
  }
  // at the rate of the past
  const P w = rule.x_hat[place::kMotorSpeed] + 2.0 * rule.gain * rule.xd_hat[place::kMotorSpeed];
  if (!first().fixed)
    y[kMotor] = w;
  else if (work.held)
    y[output_] = w / work.ratio;
  return y;
}

template <AnyPack P>
P DrivelineSolverOfCars<P>::passed_torque(const Speeds& y, const Work& work) const {
  if (!work.held) return work.motor.torque - inertia_torque(y, work);
  // what the half shafts take, with what is lost on the way
  P taken{};
  for (std::size_t j = 0; j < wheels(); ++j) taken += B_[j][output_] * work.T[j];
  const P turning = within(y[output_] / driveline_numbers::kLossSpeed, -1.0, 1.0);
  const P part = select(taken * turning >= 0.0, 1.0 - (1.0 - efficiency_) * absolute(turning),
                        1.0 + (1.0 / efficiency_ - 1.0) * absolute(turning));
  return taken / (part * work.ratio);
}

template <AnyPack P>
void DrivelineSolverOfCars<P>::evaluate_coupling(const Speeds& y, Work& work) const {
  namespace place = driveline_state;
  const Rule& rule = *work.rule;
  const P none{};
  work.coupling_slope = none;
  const FrictionTorqueOf<P> rests =
      compute_friction(clutch_, rule.x_begin[place::kClutch], none, 0.0);
  work.clutch = rests;
  if (first().fixed) {
    work.coupling = {};
    work.coupling.turbine = passed_torque(y, work);
    return;
  }
  const Mask engaged = work.ratio != 0.0;
  const P w_input = work.ratio * y[output_];
  if (first().driveline.coupling.type == CouplingType::converter) {
    const CouplingTorqueOf<P> given = converter_.torque(y[kMotor], w_input);
    const auto where = [&](const P& x) { return select(engaged, x, none); };
    work.coupling = {where(given.pump),      where(given.turbine),
                     where(given.pump_w),    where(given.pump_w_turbine),
                     where(given.turbine_w), where(given.turbine_w_turbine)};
    return;
  }
  const P pedal = select(absolute(work.demand->pedal) <= std::numeric_limits<double>::max(),
                         within(work.demand->pedal, 0.0, 1.0), none);
  const P capacity = select(engaged, capacity_ * (1.0 - pedal), none);
  const FrictionTorqueOf<P> rubs =
      compute_friction(clutch_, rule.x_begin[place::kClutch], y[kMotor] - w_input, rule.h);
  work.clutch.z = select(engaged, rubs.z, rests.z);
  work.clutch.rate = select(engaged, rubs.rate, rests.rate);
  const P torque = capacity * rubs.part;
  const P slope = capacity * rubs.slope;
  work.coupling_slope = slope;
  work.coupling = {torque, torque, slope, -slope, slope, -slope};
}

template <AnyPack P>
void DrivelineSolverOfCars<P>::evaluate(const Speeds& y, Work& work) const {
  namespace place = driveline_state;
  const Rule& rule = *work.rule;
  const P none{};
  for (std::size_t j = 0; j < wheels(); ++j) {
    P side{};
    for (std::size_t k = output_; k < count_; ++k) side += B_[j][k] * y[k];
    work.rate[j] = side - work.demand->wheel_speed[j];
    work.T[j] = work.gain[j] * work.rate[j] + work.offset[j];
  }
  work.motor = motor_.torque(work.throttle, motor_speed(work, y));
  evaluate_coupling(y, work);

  // tau: torques on the speeds, balanced by inertia
  Speeds tau;
  tau[kMotor] = none;
  for (std::size_t k = output_; k < count_; ++k) {
    tau[k] = none;
    for (std::size_t j = 0; j < wheels(); ++j) tau[k] -= B_[j][k] * work.T[j];
  }
  const P geared = work.ratio * work.coupling.turbine;
  const P turning = within(y[output_] / driveline_numbers::kLossSpeed, -1.0, 1.0);
  // of the power that comes in: from the motor, or from the wheels while the car coasts
  const P lost = select(geared * turning >= 0.0, 1.0 - efficiency_, 1.0 / efficiency_ - 1.0);
  work.loss = lost * absolute(geared) * turning;
  work.loss_turbine = lost * select(geared < 0.0, -work.ratio, work.ratio) * turning;
  work.loss_output = select(absolute(turning) < 1.0,
                            lost * absolute(geared) / driveline_numbers::kLossSpeed, none);
  tau[output_] += geared - work.loss;
  if (!first().fixed) tau[kMotor] += work.motor.torque - work.coupling.pump;
  for (std::size_t s = 0; s < slips_.size(); ++s) {
    const Slip& slip = slips_[s];
    if (!slip.active) continue;
    P load{};
    for (std::size_t j = 0; j < wheels(); ++j) load += slip.load[j] * work.T[j];
    work.slip_sign[s] = select(load < 0.0, as<P>(-1.0), as<P>(1.0));
    work.slip_capacity[s] = 0.5 * (slip.preload + slip.bias * absolute(load));
    const P speed = slip.sliding * y[slip.speed];
    work.slip[s] =
        compute_friction(differential_, rule.x_begin[place::kAxleFriction + s], speed, rule.h);
    tau[slip.speed] -= slip.sliding * work.slip_capacity[s] * work.slip[s].part;
  }

  for (std::size_t k = work.from; k < count_; ++k) work.F[k] = -tau[k];
  P sum = 1.0 + absolute(work.motor.torque) + absolute(geared);
  for (std::size_t j = 0; j < wheels(); ++j) sum += absolute(work.T[j]);
  work.tolerance = driveline_numbers::kTorquePart * sum;
  if (work.held) return;
  // that of one shaft is in what it gives to its gears
  if (!first().fixed) work.F[kMotor] += inertia_torque(y, work);
  const P speeds = absolute(motor_speed(work, y)) + absolute(rule.x_hat[place::kMotorSpeed]);
  P noise = driveline_numbers::kSpeedNoise * motor_.inertia() * speeds / rule.gain;
  if (first().fixed) noise = noise * absolute(work.ratio);
  work.tolerance += noise;
}

template <AnyPack P>
auto DrivelineSolverOfCars<P>::jacobian(const Work& work, bool symmetric) const -> Matrix {
  const P none{};
  Matrix A;
  for (std::size_t row = 0; row < count_; ++row)
    for (std::size_t k = 0; k < count_; ++k) A[row][k] = work.base[row][k];
  const P& i = work.ratio;
  constexpr auto m = kMotor;
  const std::size_t o = output_;
  const P J = work.held ? none : motor_.inertia() / work.rule->gain;
  const P falling = symmetric ? larger_of(-work.motor.slope, none) : -work.motor.slope;
  if (first().fixed) {
    A[o][o] += i * i * (J + falling);
    if (!symmetric) A[o][o] += work.loss_turbine * (work.motor.slope - J) * i;
  } else {
    const CouplingTorqueOf<P>& coupling = work.coupling;
    A[m][m] += J + falling;
    // a converter's symmetric part is that on the diagonal
    const bool is_converter = first().driveline.coupling.type == CouplingType::converter;
    const Mask whole = symmetric && is_converter ? Mask{} : ~Mask{};
    const Mask complete = symmetric ? whole & (work.coupling_slope > 0.0) : whole;
    const P passed = symmetric ? i : i - work.loss_turbine;
    A[m][m] += select(complete, coupling.pump_w, larger_of(coupling.pump_w, none));
    A[m][o] += select(complete, i * coupling.pump_w_turbine, none);
    A[o][m] -= select(complete, passed * coupling.turbine_w, none);
    const P drag = i * coupling.turbine_w_turbine;
    A[o][o] -= select(complete, passed * drag, none);
    A[o][o] += select(complete, none, larger_of(-(i * drag), none));
  }
  A[o][o] += work.loss_output;
  for (std::size_t s = 0; s < slips_.size(); ++s) {
    const Slip& slip = slips_[s];
    if (!slip.active) continue;
    A[slip.speed][slip.speed] +=
        slip.sliding * slip.sliding * work.slip_capacity[s] * work.slip[s].slope;
    if (symmetric) continue;
    // the torque that presses changes with all speeds
    const P press = slip.sliding * work.slip[s].part * 0.5 * slip.bias * work.slip_sign[s];
    for (std::size_t j = 0; j < wheels(); ++j)
      for (std::size_t k = output_; k < count_; ++k)
        A[slip.speed][k] += press * slip.load[j] * work.gain[j] * B_[j][k];
  }
  return A;
}

template <AnyPack P>
auto DrivelineSolverOfCars<P>::correction(const Work& work) const -> Speeds {
  Matrix A = jacobian(work, /*symmetric=*/false);
  std::array<std::array<P, 1>, kSpeeds> right;
  for (std::size_t k = work.from; k < count_; ++k) right[k][0] = work.F[k];
  eliminate_in_lanes(A, right, work.from, count_);
  Speeds way;
  way[kMotor] = P{};  // where time stands
  for (std::size_t k = work.from; k < count_; ++k) way[k] = right[k][0];
  return way;
}

template <AnyPack P>
void DrivelineSolverOfCars<P>::finish(const Speeds& y, const Work& work, Solution& solution) const {
  namespace place = driveline_state;
  const Rule& rule = *work.rule;
  solution.x = rule.x_begin;
  for (P& xd : solution.xd) xd = P{};
  solution.output = y[output_];
  for (std::size_t j = 0; j < wheels(); ++j) {
    solution.torque[j] = work.T[j];
    solution.x[j] = rule.x_hat[j] + rule.gain * (rule.xd_hat[j] + work.rate[j]);
    solution.xd[j] = work.rate[j];
  }
  solution.x[place::kMotorSpeed] = motor_speed(work, y);
  if (!first().fixed) {
    solution.xd[place::kMotorSpeed] = (work.motor.torque - work.coupling.pump) / motor_.inertia();
    solution.xd[place::kClutch] = select(work.ratio != 0.0, work.clutch.rate, P{});
  } else {
    solution.xd[place::kMotorSpeed] =
        (work.motor.torque - work.coupling.turbine) / motor_.inertia();
  }
  solution.x[place::kClutch] = work.clutch.z;
  for (std::size_t s = 0; s < slips_.size(); ++s) {
    if (!slips_[s].active) continue;
    solution.x[place::kAxleFriction + s] = work.slip[s].z;
    solution.xd[place::kAxleFriction + s] = work.slip[s].rate;
  }
}

template <AnyPack P>
void DrivelineSolverOfCars<P>::find_damping(const Work& work, Solution& solution) const {
  // y follows the wheels: dT/dw = -(G - G B A^-1 B^T G)
  Matrix A = jacobian(work, /*symmetric=*/true);
  std::array<Wheels, kSpeeds> BtG;
  std::array<Wheels, kSpeeds> followed;
  for (std::size_t k = work.from; k < count_; ++k)
    for (std::size_t j = 0; j < wheels(); ++j) BtG[k][j] = followed[k][j] = B_[j][k] * work.gain[j];
  eliminate_in_lanes(A, followed, work.from, count_, wheels());
  for (std::size_t i = 0; i < wheels(); ++i) {
    P own{};
    P row{};
    for (std::size_t j = 0; j < wheels(); ++j) {
      P resistance = i == j ? work.gain[i] : P{};
      for (std::size_t k = work.from; k < count_; ++k) resistance -= BtG[k][i] * followed[k][j];
      if (i == j) own = resistance;
      row += absolute(resistance);
    }
    // as DrivelineForce::add_forces()
    solution.damping[i] = larger_of(own, 0.5 * row);
  }
}

template <AnyPack P>
void DrivelineSolverOfCars<P>::solve(const Demand& demand, const Rule& rule, unsigned wanted,
                                     bool with_resistance, Solution& solution) const {
  Work work;
  begin(demand, rule, work);
  Speeds y = guess(work);
  evaluate(y, work);
  const auto unsolved = [&] { return ~(norm(work.F, work.from) <= work.tolerance); };
  Mask active = lanes_where<P>(wanted) & unsolved();
  for (int k = 0; k < driveline_numbers::kMostIterations && anywhere(active); ++k) {
    const P size = norm(work.F, work.from);
    const Speeds way = correction(work);
    P sum{};
    for (std::size_t i = 0; i < count_; ++i) sum += absolute(way[i]);
    active &= sum <= std::numeric_limits<double>::max();
    const P least = driveline_numbers::kShortestWay * (1.0 + norm(y, 0));
    const P length = norm(way, 0);
    // friction has corners: no step may make matters worse
    Mask searching = active;
    Mask stuck{};
    Speeds trial = y;
    double part = 1.0;
    for (int halving = 0; anywhere(searching); ++halving, part *= 0.5) {
      for (std::size_t i = 0; i < count_; ++i)
        trial[i] = select(searching, y[i] - part * way[i], trial[i]);
      evaluate(trial, work);
      searching &=
          ~(norm(work.F, work.from) <= (1.0 - driveline_numbers::kLeastDescent * part) * size);
      // at round-off nothing gets better
      stuck |= searching & (length <= least);
      searching &= ~stuck;
      if (halving == driveline_numbers::kMostHalvings) break;
    }
    y = trial;
    active &= ~stuck & unsolved();
  }
  finish(y, work, solution);
  if (with_resistance)
    find_damping(work, solution);
  else
    solution.damping = {};
}

}  // namespace semirec
