// Drivelines in lanes against the same ones solved one after the other, which have equations of
// their own.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "tests/support/random_mechanism.hpp"
#include "vehicles/driveline/driveline_solver_of_cars.hpp"

namespace semirec::test {
namespace {

using Solver = DrivelineSolverOfCars<Pack>;
constexpr std::size_t kBeside = 4;
constexpr unsigned kAllBeside = 0b1111;

/// Round-off of a Newton iteration that ends at 1e-12 of the torques.
constexpr double kNewtonRoundOff = 1e-9;

/// What cars side by side have in common.
struct Parts {
  CouplingType coupling = CouplingType::clutch;
  int axles = 1;
  MotorType motor = MotorType::combustion;
  DifferentialType axle = DifferentialType::limited_slip, centre = DifferentialType::limited_slip;
  int wheels = 2;  ///< of each axle
  int gears = 3;
};

Driveline random_driveline(Random& random, const Parts& parts) {
  const auto& [coupling, axles, motor, axle_type, centre_type, wheels, gears] = parts;
  Driveline driveline;
  driveline.name = "driveline";
  driveline.motor.type = motor;
  driveline.motor.inertia = random.number(0.1, 0.3);
  driveline.motor.full = Curve::table(
      {{0.0, 100.0}, {200.0, random.number(150.0, 250.0)}, {400.0, 180.0}, {600.0, 120.0}});
  driveline.motor.closed = Curve::table({{0.0, -10.0}, {600.0, random.number(-60.0, -40.0)}});
  // without, it may stand and be dragged backwards
  driveline.motor.idle_speed = random.index(4) == 0 ? 0.0 : 80.0;
  driveline.motor.max_speed = 600.0;
  driveline.motor.power = motor == MotorType::electric ? 40e3 : 0.0;
  driveline.coupling.type = coupling;
  driveline.coupling.capacity = random.number(150.0, 400.0);
  driveline.coupling.torque_ratio = Curve::table({{0.0, 2.0}, {0.85, 1.0}, {1.0, 1.0}});
  driveline.coupling.capacity_factor =
      Curve::table({{0.0, 15.0}, {0.9, 20.0}, {1.0, random.number(35.0, 45.0)}});
  driveline.gearbox.gears = {Gear{3.5, 500.0, 0.0}, Gear{2.0, 500.0, 150.0},
                             Gear{1.1, 1e300, 150.0}};
  driveline.gearbox.gears.resize(static_cast<std::size_t>(gears));
  if (gears == 1) driveline.gearbox.gears.front() = Gear{random.number(3.0, 4.0), 1e300, 0.0};
  driveline.gearbox.reverse = gears > 1 ? 3.0 : 0.0;
  driveline.gearbox.efficiency = random.number(0.9, 1.0);
  driveline.gearbox.shift_time = 0.3;
  for (int a = 0; a < axles; ++a) {
    DrivenAxle axle;
    axle.name = "axle";
    for (int w = 0; w < wheels; ++w) axle.wheels.push_back(wheels * a + w);
    axle.ratio = random.number(3.0, 4.0);
    axle.shaft_stiffness = random.number(6000.0, 9000.0);
    axle.differential = {axle_type, random.number(20.0, 60.0), 0.3};
    driveline.axles.push_back(axle);
  }
  driveline.centre = {centre_type, random.number(20.0, 60.0), 0.2};
  driveline.share = random.number(0.3, 0.6);
  return driveline;
}

/// One driveline somewhere in a step.
struct SingleDriveline {
  DrivelineModel model;
  DrivelineDemand demand;
  DrivelineRule rule;

  SingleDriveline(Random& random, const Parts& parts, double h)
      : model(make_driveline_model(random_driveline(random, parts))) {
    const double speed = random.number(-5.0, 60.0);
    demand.throttle = random.number(-0.2, 1.2);
    demand.pedal = std::max(0.0, random.number(-1.0, 1.0));
    for (double& w : demand.wheel_speed) w = speed + random.number(-1.0, 1.0);
    rule.h = h;
    rule.gain = 0.5 * h;
    for (std::size_t k = 0; k < 4; ++k) {
      rule.x_begin[k] = random.number(-0.05, 0.05);
      rule.xd_hat[k] = random.number(-0.5, 0.5);
    }
    rule.x_begin[driveline_state::kMotorSpeed] = model.driveline.motor.idle_speed > 0.0
                                                     ? random.number(50.0, 620.0)
                                                     : random.number(-10.0, 10.0);
    rule.xd_hat[driveline_state::kMotorSpeed] = random.number(-50.0, 50.0);
    for (std::size_t k = driveline_state::kClutch; k < driveline_state::kGear; ++k)
      rule.x_begin[k] = random.number(-1.0, 1.0);
    rule.x_begin[driveline_state::kGear] = parts.gears > 1 ? random.index(5) - 1 : 1;
    const bool shifts = parts.gears > 1 && random.index(4) == 0;
    rule.x_begin[driveline_state::kShiftTimer] = shifts ? 0.1 : 0.0;
    rule.x_hat = rule.x_begin;
  }
};

struct DrivelinesBeside {
  std::vector<const DrivelineModel*> models;
  Solver::Demand demand{};
  Solver::Rule rule{};

  explicit DrivelinesBeside(const std::vector<const SingleDriveline*>& cases) {
    rule.h = cases.front()->rule.h;
    rule.gain = cases.front()->rule.gain;
    for (std::size_t l = 0; l < kBeside; ++l) {
      const SingleDriveline& own = *cases[l];
      models.push_back(&own.model);
      demand.throttle[l] = own.demand.throttle;
      demand.pedal[l] = own.demand.pedal;
      for (std::size_t j = 0; j < 4; ++j) demand.wheel_speed[j][l] = own.demand.wheel_speed[j];
      for (std::size_t k = 0; k < rule.x_begin.size(); ++k) {
        rule.x_begin[k][l] = own.rule.x_begin[k];
        rule.x_hat[k][l] = own.rule.x_hat[k];
        rule.xd_hat[k][l] = own.rule.xd_hat[k];
      }
    }
  }
  Solver::Solution solve() const {
    Solver::Solution solution;
    Solver(models).solve(demand, rule, kAllBeside, /*with_resistance=*/true, solution);
    return solution;
  }
};

void expect_alike(double actual, double expected, double size, const std::string& what) {
  EXPECT_NEAR(actual, expected, kNewtonRoundOff * std::max(1.0, size)) << what;
}

void expect_as_alone(const Solver::Solution& solution, std::size_t lane,
                     const SingleDriveline& own) {
  DrivelineSolution alone;
  solve_driveline(own.model, own.demand, own.rule, alone);
  ASSERT_TRUE(alone.converged);
  for (std::size_t j = 0; j < static_cast<std::size_t>(own.model.wheels); ++j) {
    expect_alike(solution.torque[j][lane], alone.torque[j], 1e3, "torque");
    const auto row = alone.resistance.row(static_cast<Eigen::Index>(j));
    expect_alike(solution.damping[j][lane],
                 std::max(row[static_cast<Eigen::Index>(j)], 0.5 * row.cwiseAbs().sum()), 1e2,
                 "damping");
  }
  for (std::size_t k = 0; k < alone.x.size(); ++k) {
    const std::string name = "state " + std::to_string(k);
    expect_alike(solution.x[k][lane], alone.x[k], std::abs(alone.x[k]), name);
    expect_alike(solution.xd[k][lane], alone.xd[k], 1e3, name + ", rate");
  }
  expect_alike(solution.output[lane], alone.y[DrivelineModel::kOutput], 1e2, "output");
}

/// Every coupling and motor with axles of every kind, and with one gear that stays in.
std::vector<Parts> all_parts() {
  using enum DifferentialType;
  std::vector<Parts> all;
  for (const MotorType motor : {MotorType::combustion, MotorType::electric})
    for (const CouplingType coupling :
         {CouplingType::rigid, CouplingType::clutch, CouplingType::converter}) {
      for (const int axles : {1, 2}) {
        all.push_back({coupling, axles, motor});
        for (const DifferentialType axle : {open, locked})
          for (const DifferentialType centre : {open, locked, limited_slip})
            all.push_back({coupling, axles, motor, axle, centre});
        all.push_back({coupling, axles, motor, open, open, 1});
        all.push_back({coupling, axles, motor, open, locked, 2, 1});
      }
    }
  return all;
}

/// A function of four drivelines of each build, at the end of a step and with no time passing.
template <typename Function>
void for_each_four(const Function& function) {
  Random random(11);
  for (const Parts& parts : all_parts())
    for (const double h : {1e-3, 0.0})
      for (int n = 0; n < 10; ++n) {
        SCOPED_TRACE("coupling " + std::to_string(static_cast<int>(parts.coupling)) + ", axles " +
                     std::to_string(parts.axles) + ", differentials " +
                     std::to_string(static_cast<int>(parts.axle)) + " " +
                     std::to_string(static_cast<int>(parts.centre)) + ", wheels " +
                     std::to_string(parts.wheels) + ", gears " + std::to_string(parts.gears));
        std::vector<SingleDriveline> cases;
        for (std::size_t l = 0; l < kBeside; ++l) cases.emplace_back(random, parts, h);
        function(cases);
      }
}

std::vector<const SingleDriveline*> in_order(const std::vector<SingleDriveline>& cases,
                                             const std::array<std::size_t, kBeside>& order) {
  std::vector<const SingleDriveline*> chosen;
  for (const std::size_t k : order) chosen.push_back(&cases[k]);
  return chosen;
}

TEST(DrivelinesInLanes, AreThoseOfTheSingleCars) {
  for_each_four([](const std::vector<SingleDriveline>& cases) {
    const Solver::Solution solution = DrivelinesBeside(in_order(cases, {0, 1, 2, 3})).solve();
    for (std::size_t l = 0; l < kBeside; ++l) expect_as_alone(solution, l, cases[l]);
  });
}

TEST(DrivelinesInLanes, DoNotDependOnTheirNeighboursToTheBit) {
  for_each_four([](std::vector<SingleDriveline>& cases) {
    const Solver::Solution one = DrivelinesBeside(in_order(cases, {0, 1, 2, 3})).solve();
    // a car whose numbers are lost among them
    cases[2].demand.wheel_speed.fill(std::numeric_limits<double>::quiet_NaN());
    const Solver::Solution other = DrivelinesBeside(in_order(cases, {3, 2, 0, 0})).solve();
    const auto expect_same = [](double a, double b) {
      EXPECT_EQ(std::bit_cast<std::uint64_t>(a), std::bit_cast<std::uint64_t>(b));
    };
    for (const auto& [lane, place] : {std::pair{3, 0}, {0, 2}, {0, 3}}) {
      for (std::size_t j = 0; j < static_cast<std::size_t>(cases[0].model.wheels); ++j) {
        expect_same(one.torque[j][lane], other.torque[j][place]);
        expect_same(one.damping[j][lane], other.damping[j][place]);
      }
      for (std::size_t k = 0; k < one.x.size(); ++k) {
        expect_same(one.x[k][lane], other.x[k][place]);
        expect_same(one.xd[k][lane], other.xd[k][place]);
      }
    }
  });
}

TEST(DrivelinesInLanes, RefuseOnesThatAreBuiltOtherwise) {
  Random random(3);
  const auto model = [&](CouplingType coupling, int axles) {
    return make_driveline_model(random_driveline(random, {coupling, axles}));
  };
  EXPECT_TRUE(Solver::are_alike(model(CouplingType::clutch, 1), model(CouplingType::clutch, 1)));
  EXPECT_FALSE(
      Solver::are_alike(model(CouplingType::clutch, 1), model(CouplingType::converter, 1)));
  EXPECT_FALSE(Solver::are_alike(model(CouplingType::clutch, 1), model(CouplingType::clutch, 2)));
}

}  // namespace
}  // namespace semirec::test
