// Cartesian and hybrid formulation on every file of vehicles/models: the same accelerations and
// reactions at the start, and errors that fall with the step squared towards the same motion. The
// hybrid one, judged elsewhere, is the reference. And cars of every file side by side against the
// same by themselves.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <ostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "integrator/batch/batch.hpp"
#include "integrator/outputs/reactions.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "integrator/step.hpp"
#include "tests/support/drives.hpp"
#include "tests/support/expect_close.hpp"
#include "tests/support/levels.hpp"
#include "tests/support/motion.hpp"

namespace semirec::test {
namespace {

struct ShippedCase {
  std::string model, scenario = "let_go";
  double h = 1e-3;     ///< the coarser step, s
  double until = 0.2;  ///< time without kinks and singular positions, s
  std::function<void(Scenario&)> change;
};
std::ostream& operator<<(std::ostream& out, const ShippedCase& c) { return out << c.model; }

/// The wheels roll at a speed, and the steering wheel begins to turn softly.
void steer(Scenario& scenario, double angle) {
  for (Input& input : scenario.inputs)
    if (input.name == "steering") {
      input.curve = Curve{};
      input.curve.add_sine({.amplitude = angle, .omega = 6.0, .rise = 1.0, .from = 0.0});
    }
}

const std::vector<ShippedCase>& shipped_cases() {
  // a tie rod of 1 g beside 315 kg: by the penalty round-off of the closures shakes it
  const auto by_multipliers = [](Scenario& scenario) { scenario.closing = Closing::multipliers; };
  const auto steered = [](Scenario& scenario) { steer(scenario, 0.6); };
  static const std::vector<ShippedCase> all{
      {"car21", "shaker", 1e-3, 0.1, {}},
      {"car26", "shaker", 1e-3, 0.1, {}},
      // until the first flat position
      {"double_four_bar", "free_10s", 4e-3, 0.32, {}},
      {"double_pendulum", "let_go", 2e-3, 0.4, {}},
      // its fast mode, of 2.8e5 1/s, rings with the step until it is resolved
      {"double_pendulum_stiff", "let_go", 1e-6, 1e-4, {}},
      {"free_body", "let_go", 4e-3, 0.4, {}},
      {"heavy_top", "let_go", 1e-4, 0.04, {}},
      {"iltis", "bump_5", 1e-3, 0.1, {}},
      {"iltis_spinning", "bump_5", 1e-3, 0.1, {}},
      {"iltis_suspension", "let_go", 5e-4, 0.08, by_multipliers},
      {"multilink_corner", "let_go", 1e-3, 0.1, {}},
      {"puma", "puma_manoeuvre", 4e-3, 0.4, {}},
      {"rear_multilink", "square_bump", 5e-4, 0.05, {}},
      {"sedan", "step_steer", 1e-3, 0.2, steered},
      {"sedan_abs_esc", "step_steer", 1e-3, 0.2, steered},
      {"sedan_active_anti_roll", "step_steer", 1e-3, 0.2, steered},
      {"sedan_driver", "lane_change_20", 1e-3, 0.2, {}},
      {"sedan_eps", "step_steer", 1e-3, 0.2, steered},
      {"sedan_skyhook", "step_steer", 1e-3, 0.2, steered},
      {"seven_body", "let_go", 1e-5, 2e-3, {}},
      {"slider_crank", "let_go", 2e-3, 0.4, {}},
      {"slider_crank_haug", "let_go", 2e-2, 2.0, {}},
      {"spinning_body", "let_go", 1e-3, 0.1, {}},
      {"trailer", "step_steer", 1e-3, 0.1, steered},
      {"truck", "step_steer", 1e-3, 0.1, steered},
      {"v8", "let_go", 1e-3, 0.2, {}},
  };
  return all;
}

/// Files that are parts of others and no mechanisms of their own.
const std::set<std::string>& parts() {
  static const std::set<std::string> all{
      "bench_parts",    // of car21 and car26: names a mass that these give
      "iltis_chassis",  // of iltis and iltis_spinning: likewise a height
      "iltis_parts",    // of the three iltis: templates
  };
  return all;
}

TEST(ShippedModels, AreAllListedHere) {
  std::set<std::string> listed = parts();
  for (const ShippedCase& c : shipped_cases()) listed.insert(c.model);
  std::set<std::string> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(SEMIREC_SOURCE_DIR) + "/vehicles/models"))
    if (entry.path().extension() == ".xml") files.insert(entry.path().stem().string());
  EXPECT_EQ(listed, files);
}

class ShippedFormulations : public testing::TestWithParam<ShippedCase> {
 protected:
  static Simulation start(Formulation formulation, double h) {
    const ShippedCase& c = GetParam();
    ShippedDrive drive = start_shipped(
        c.model + ".xml", c.scenario + ".xml", {},
        [&](Scenario& scenario) {
          scenario.step = h;
          if (c.change) c.change(scenario);
        },
        formulation);
    Simulation run(std::move(drive.drive.model), drive.drive.settings.step);
    run.state = drive.state;
    return run;
  }
};

bool has_unique_reactions(Simulation& hybrid) {
  const ClosureRank rank = find_closure_rank(hybrid.model, hybrid.state, hybrid.ws);
  return rank.rank == rank.rows;
}

TEST_P(ShippedFormulations, StartWithTheSameAccelerationsAndReactions) {
  Simulation hybrid = start(Formulation::hybrid, GetParam().h);
  Simulation cartesian = start(Formulation::cartesian, GetParam().h);
  Levels expected;
  Levels actual;
  append_motion(hybrid, expected);
  append_motion(cartesian, actual);
  // the same start, read off other coordinates
  expect_close(actual.position, expected.position, 1e-12, 1e-12);
  expect_close(actual.rate, expected.rate, 1e-12, 1e-12);
  // 1e-8 of what is accelerated most: kappa = 1e6 and ten digits of the mass matrix in both
  const double most = expected.acceleration.cwiseAbs().maxCoeff();
  expect_close(actual.acceleration, expected.acceleration, 0.0, 1e-8 * (1.0 + most));
  if (!has_unique_reactions(hybrid)) return;
  append_reactions(hybrid, expected);
  append_reactions(cartesian, actual);
  const double largest =
      expected.reactions.size() == 0 ? 0.0 : expected.reactions.cwiseAbs().maxCoeff();
  expect_close(actual.reactions, expected.reactions, 0.0, 1e-8 * (1.0 + largest));
}

Levels find_levels(Simulation& run, double until, bool reference) {
  // what Newton leaves over of a position counts 4/h^2 times in the acceleration
  run.settings.tolerance = 1e-12;
  // alpha Phi carries round-off of kappa m 4/h^2 times 1e-16 m into the multipliers, and what a
  // pass leaves over of an error of first order falls with h / kappa only: in the middle of both
  run.settings.kappa = 3e5;
  run.settings.projections = 4;
  Levels levels;
  for (const double part : {0.5, 1.0}) {
    run.run_to(part * until);
    const State before = run.state;
    if (reference) {
      EXPECT_TRUE(find_accelerations(run.model, run.state, run.ws));
    }
    append_motion(run, levels);
    run.state = before;
  }
  return levels;
}

TEST_P(ShippedFormulations, ConvergeToTheSameMotionWithTheStepSquared) {
  const ShippedCase& c = GetParam();
  const auto levels_of = [&](Formulation formulation, double part) {
    Simulation run = start(formulation, part * c.h);
    return find_levels(run, c.until, formulation == Formulation::hybrid);
  };
  const Levels reference =
      extrapolate(levels_of(Formulation::hybrid, 0.25), levels_of(Formulation::hybrid, 0.125));
  const Levels one = levels_of(Formulation::cartesian, 1.0);
  const Levels half = levels_of(Formulation::cartesian, 0.5);
  const auto check = [&](const char* what, Eigen::VectorXd Levels::*level, double floor) {
    SCOPED_TRACE(what);
    const Eigen::VectorXd& values = reference.*level;
    const double scale = values.norm();
    if (scale < 1e-9) return;
    const double coarse_error = (one.*level - values).norm() / scale;
    const double fine_error = (half.*level - values).norm() / scale;
    const double slope = std::log2(coarse_error / fine_error);
    RecordProperty(what, std::to_string(1e9 * fine_error));
    RecordProperty(std::string("slope_") + what, std::to_string(slope));
    if (fine_error < floor) return;
    // the next term of the error
    expect_close(slope, 2.0, 0.0, 0.15);
  };
  check("position", &Levels::position, 1e-11);
  check("rate", &Levels::rate, 1e-10);
  check("acceleration", &Levels::acceleration, 1e-8);
}

TEST_P(ShippedFormulations, StepSideBySideAsByThemselves) {
  Simulation car = start(Formulation::hybrid, GetParam().h);
  if (const std::string fault = batch_fault(car.model, car.model); !fault.empty()) {
    EXPECT_EQ(fault, "it has closures that events switch");
    EXPECT_FALSE(car.model.closures.switches.empty());
    return;
  }
  StepSettings settings = car.settings;
  // by the penalty round-off shakes a tie rod of 1 g: 3e-10 of the rates
  const double bound = settings.closing == Closing::penalty ? 1e-11 : 1e-9;
  settings.closing = Closing::penalty;
  settings.iterations = 4;
  Batch batch({&car.model, &car.model}, 4);
  batch.put(0, car.state);
  // a neighbour on another part of its way
  State ahead = car.state;
  for (int k = 0; k < 7; ++k)
    ASSERT_EQ(step(car.model, settings, ahead, car.ws).status, StepStatus::converged);
  batch.put(1, ahead);
  State beside = car.state;
  double size[3] = {1e-6, 1e-6, 1e-6};
  double distance[3] = {};
  const long steps = std::lround(GetParam().until / GetParam().h);
  for (long k = 0; k < steps; ++k) {
    ASSERT_EQ(step(car.model, settings, car.state, car.ws).status, StepStatus::converged);
    batch.step(settings);
    ASSERT_EQ(batch.report(0).status, StepStatus::converged);
    batch.take(0, beside);
    const Eigen::VectorXd* alone[] = {&car.state.z, &car.state.zd, &car.state.zdd};
    const Eigen::VectorXd* in_lane[] = {&beside.z, &beside.zd, &beside.zdd};
    for (int i = 0; i < 3; ++i) {
      size[i] = std::max(size[i], alone[i]->cwiseAbs().maxCoeff());
      distance[i] = std::max(distance[i], (*alone[i] - *in_lane[i]).cwiseAbs().maxCoeff());
    }
  }
  EXPECT_LE(distance[0], bound * size[0]);
  EXPECT_LE(distance[1], bound * size[1]);
  // what round-off makes of accelerations, one car's own by another storage of its tangent too
  EXPECT_LE(distance[2], 100.0 * bound * size[2]);
}

INSTANTIATE_TEST_SUITE_P(All, ShippedFormulations, testing::ValuesIn(shipped_cases()),
                         [](const auto& test) { return test.param.model; });

}  // namespace
}  // namespace semirec::test
