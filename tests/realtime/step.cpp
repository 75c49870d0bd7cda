// Is a step allowed in a control loop? It takes no memory, and it gives the same bits whenever it
// starts from the same state.

#include "integrator/step.hpp"

#include <cstdlib>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "integrator/compile.hpp"
#include "integrator/formulation/formulation_state.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "tests/support/drives.hpp"
#include "tests/support/heap_guard.hpp"
#include "tests/support/mechanisms.hpp"
#include "tests/support/motion.hpp"
#include "tests/support/random_mechanism.hpp"
#include "tests/support/state_numbers.hpp"

namespace semirec::test {
namespace {

struct Way {
  const char* name;
  TangentChoice tangent;
  int iterations;  ///< 0: converged mode
};
std::ostream& operator<<(std::ostream& out, const Way& way) { return out << way.name; }

/// Every kind of joint, closure and force element: the two-loop mechanism, and a second one cut at
/// other joints that flies beside it.
Mechanism make_everything() {
  Mechanism m = make_loop_mechanism(1);
  Mechanism other = make_loop_mechanism(2);
  const auto bodies = static_cast<BodyIndex>(m.bodies.size());
  const auto joints = static_cast<JointIndex>(m.joints.size());
  const auto inputs = static_cast<InputIndex>(m.inputs.size());
  const auto take = [&](auto& list, auto& from, auto&& change) {
    for (auto element : from) {
      element.name += "_2";
      change(element);
      list.push_back(element);
    }
  };
  const auto shift = [&](Marker& marker) {
    if (marker.body != kGround) marker.body += bodies;
  };
  const auto shift_pair = [&](auto& element) {
    shift(element.a);
    shift(element.b);
  };
  take(m.bodies, other.bodies, [](Body&) {});
  take(m.joints, other.joints, [&](Joint& joint) {
    shift_pair(joint);
    if (joint.name == "r12_2" || joint.name == "u53_2") joint.placement = Placement::cut;
  });
  take(m.inputs, other.inputs, [](Input&) {});
  take(m.constraints, other.constraints, shift_pair);
  take(m.motions, other.motions, [&](PrescribedMotion& motion) {
    motion.joint += joints;
    motion.input += inputs;
  });
  take(m.springs, other.springs, shift_pair);
  take(m.rotational_springs, other.rotational_springs, shift_pair);
  take(m.bushings, other.bushings, shift_pair);
  take(m.loads, other.loads, [&](AppliedLoad& load) {
    shift(load.at);
    load.input += inputs;
  });
  take(m.coordinate_forces, other.coordinate_forces, [&](CoordinateForce& force) {
    force.joint += joints;
    if (force.applied != kNoInput) force.applied += inputs;
  });
  return m;
}

class Steps : public testing::TestWithParam<Way> {
 protected:
  Steps() {
    settings.h = 2e-3;
    settings.iterations = GetParam().iterations;
    initialize(model, settings, state, ws);
  }
  static Model compiled() {
    CompileSettings compile_settings;
    compile_settings.tangent = GetParam().tangent;
    return compile(make_everything(), {}, compile_settings);
  }
  void advance(State& from, Workspace& scratch) {
    ASSERT_EQ(step(model, settings, from, scratch).status, StepStatus::converged);
  }

  Model model = compiled();
  Workspace ws{model};
  State state = make_initial_state(model);
  StepSettings settings;
};

INSTANTIATE_TEST_SUITE_P(All, Steps,
                         testing::Values(Way{"TreeConverged", TangentChoice::tree, 0},
                                         Way{"TreeConstantWork", TangentChoice::tree, 2},
                                         Way{"SparseConverged", TangentChoice::sparse, 0},
                                         Way{"SparseConstantWork", TangentChoice::sparse, 2},
                                         Way{"DenseConverged", TangentChoice::dense, 0},
                                         Way{"DenseConstantWork", TangentChoice::dense, 2}),
                         [](const auto& test) { return std::string(test.param.name); });

TEST_P(Steps, TakeNoMemoryAfterTheFirst) {
  if (!HeapGuard::works()) GTEST_SKIP() << "this build has a malloc of its own";
  advance(state, ws);
  long calls = 0;
  long bytes = 0;
  bool converged = true;
  {
    const HeapGuard guard;
    for (int k = 0; k < 100; ++k)
      converged = step(model, settings, state, ws).status == StepStatus::converged && converged;
    calls = guard.calls();
    bytes = guard.bytes();
  }
  EXPECT_TRUE(converged);
  EXPECT_EQ(calls, 0) << bytes << " bytes in 100 steps";
}

/// Constant work always accepts: only the converged mode may fail here.
class FailingSteps : public Steps {};
INSTANTIATE_TEST_SUITE_P(All, FailingSteps,
                         testing::Values(Way{"Tree", TangentChoice::tree, 0},
                                         Way{"Sparse", TangentChoice::sparse, 0},
                                         Way{"Dense", TangentChoice::dense, 0}),
                         [](const auto& test) { return std::string(test.param.name); });

TEST_P(FailingSteps, TakeNoMemoryEither) {
  if (!HeapGuard::works()) GTEST_SKIP() << "this build has a malloc of its own";
  advance(state, ws);
  settings.max_iterations = 1;
  settings.tolerance = 1e-15;
  long calls = 0;
  StepStatus status = StepStatus::converged;
  {
    const HeapGuard guard;
    status = step(model, settings, state, ws).status;
    calls = guard.calls();
  }
  EXPECT_EQ(status, StepStatus::iteration_limit);
  EXPECT_EQ(calls, 0);
}

TEST_P(Steps, GiveTheSameBitsTwice) {
  State second = make_initial_state(model);
  Workspace other(model);
  initialize(model, settings, second, other);
  ASSERT_TRUE(same_bits(state, second));
  for (int k = 0; k < 50; ++k) {
    advance(state, ws);
    advance(second, other);
    ASSERT_TRUE(same_bits(state, second)) << "step " << k;
  }
}

TEST_P(Steps, GoOnBitForBitFromACopiedState) {
  for (int k = 0; k < 20; ++k) advance(state, ws);
  const State kept = state;
  for (int k = 0; k < 20; ++k) advance(state, ws);
  // in a workspace that is new, and in the used one
  for (const bool fresh : {true, false}) {
    State again = kept;
    const auto own = std::make_unique<Workspace>(model);
    for (int k = 0; k < 20; ++k) advance(again, fresh ? *own : ws);
    EXPECT_TRUE(same_bits(state, again));
  }
}

/// Every formulation on a vehicle and on a mechanism that passes singular positions.
struct Subject {
  const char* name;
  const char* vehicle;  ///< empty: the double four-bar
  const char* scenario;
  double h;
  double gamma = 0.0;  ///< of Newmark's scheme; 0: the trapezoidal rule
};

class FormulationSteps
    : public testing::TestWithParam<std::tuple<Formulation, Subject, int /*iterations*/>> {};

INSTANTIATE_TEST_SUITE_P(
    All, FormulationSteps,
    testing::Combine(testing::ValuesIn(all_formulations()),
                     testing::Values(Subject{"car26", "car26.xml", "shaker.xml", 1e-3},
                                     Subject{"iltis", "iltis.xml", "bump_5.xml", 1e-3},
                                     Subject{"sedan_newmark", "sedan.xml", "step_steer.xml", 1e-3,
                                             0.6},
                                     Subject{"double_four_bar", "", "", 0.01}),
                     testing::Values(0, 2)),
    [](const auto& test) {
      return std::string(name_of(std::get<0>(test.param))) + "_" + std::get<1>(test.param).name +
             (std::get<2>(test.param) == 0 ? "_converged" : "_constant_work");
    });

TEST_P(FormulationSteps, TakeNoMemoryAfterTheFirst) {
  if (!HeapGuard::works()) GTEST_SKIP() << "this build has a malloc of its own";
  const auto& [formulation, subject, iterations] = GetParam();
  StepSettings settings;
  settings.h = subject.h;
  settings.iterations = iterations;
  if (subject.gamma > 0.0) settings.scheme = choose_scheme("newmark", {{"gamma", subject.gamma}});
  std::unique_ptr<ShippedDrive> drive;
  std::unique_ptr<Simulation> bars;
  if (*subject.vehicle != '\0') {
    const Formulation chosen = formulation;
    drive = std::make_unique<ShippedDrive>(start_shipped(
        subject.vehicle, subject.scenario, {},
        [&](Scenario& scenario) { scenario.step = settings.h; }, chosen));
  } else {
    bars = std::make_unique<Simulation>(make_four_bars(2), settings.h, formulation);
  }
  const Model& model = drive ? drive->drive.model : bars->model;
  State& state = drive ? drive->state : bars->state;
  Workspace& ws = drive ? drive->ws : bars->ws;
  ASSERT_EQ(step(model, settings, state, ws).status, StepStatus::converged);
  long calls = 0;
  long bytes = 0;
  int reselections = 0;
  bool converged = true;
  {
    const HeapGuard guard;
    for (int k = 0; k < 300; ++k) {
      const StepReport report = step(model, settings, state, ws);
      converged = report.status == StepStatus::converged && converged;
      reselections += report.reselections;
    }
    calls = guard.calls();
    bytes = guard.bytes();
  }
  EXPECT_TRUE(converged);
  EXPECT_EQ(calls, 0) << bytes << " bytes in 300 steps with " << reselections
                      << " new sets of coordinates";
}

/// Multipliers as unknowns, in the formulations that have them, by the schemes of index 3 and by
/// the stabilised ones; the linearly implicit Euler method in both of its forms.
class MultiplierSteps
    : public testing::TestWithParam<std::tuple<Formulation, const char* /*scheme*/, int, Closing>> {
 protected:
  MultiplierSteps() {
    settings.h = 2e-3;
    settings.closing = std::get<3>(GetParam());
    settings.scheme = choose_scheme(std::get<1>(GetParam()), {});
    settings.iterations = std::get<2>(GetParam());
    initialize(model, settings, state, ws);
  }

  Model model = compile(make_everything(), {}, {.formulation = std::get<0>(GetParam())});
  Workspace ws{model};
  State state = make_initial_state(relative_model(model));
  StepSettings settings;
};

std::string name_of_steps(const testing::TestParamInfo<MultiplierSteps::ParamType>& test) {
  const auto& [formulation, scheme, iterations, closing] = test.param;
  return std::string(name_of(formulation)) + "_" + scheme +
         (closing == Closing::multipliers ? "" : std::string("_") + name_of(closing)) +
         (iterations == 0 ? "_converged" : "_constant_work");
}

INSTANTIATE_TEST_SUITE_P(All, MultiplierSteps,
                         testing::Combine(testing::Values(Formulation::hybrid, Formulation::global),
                                          testing::Values("trapezoid", "hht", "nstiff",
                                                          "nstiff_si2", "hht_si2", "hht_add"),
                                          testing::Values(0, 2),
                                          testing::Values(Closing::multipliers)),
                         name_of_steps);
INSTANTIATE_TEST_SUITE_P(
    LinearlyImplicit, MultiplierSteps,
    testing::Combine(testing::Values(Formulation::hybrid, Formulation::global,
                                     Formulation::cartesian),
                     testing::Values("linearly_implicit_euler"), testing::Values(0, 1),
                     testing::Values(Closing::multipliers, Closing::independent)),
    name_of_steps);

TEST_P(MultiplierSteps, TakeNoMemoryWhileTheirPivotsServe) {
  if (!HeapGuard::works()) GTEST_SKIP() << "this build has a malloc of its own";
  ASSERT_EQ(step(model, settings, state, ws).status, StepStatus::converged);
  long calls = 0;
  int pivotings = 0;
  bool converged = true;
  {
    const HeapGuard guard;
    for (int k = 0; k < 100; ++k) {
      const long before = guard.calls();
      const StepReport report = step(model, settings, state, ws);
      converged = converged && report.status == StepStatus::converged;
      pivotings += report.pivotings;
      if (report.pivotings == 0) calls += guard.calls() - before;
    }
  }
  EXPECT_TRUE(converged);
  EXPECT_LE(pivotings, 2);
  EXPECT_EQ(calls, 0);
}

TEST_P(MultiplierSteps, GoOnBitForBitFromACopiedState) {
  const auto advance = [&](State& from, Workspace& scratch) {
    ASSERT_EQ(step(model, settings, from, scratch).status, StepStatus::converged);
  };
  for (int k = 0; k < 20; ++k) advance(state, ws);
  const State kept = state;
  for (int k = 0; k < 20; ++k) advance(state, ws);
  // in a workspace that is new, and in one that has chosen its pivots for another state
  Workspace other(model);
  State later = state;
  later.pivots.resize(0);
  advance(later, other);
  Workspace fresh(model);
  for (Workspace* scratch : {&fresh, &other, &ws}) {
    State again = kept;
    for (int k = 0; k < 20; ++k) advance(again, *scratch);
    EXPECT_TRUE(same_bits(state, again));
  }
}

TEST(HeapGuards, SeeMallocAndNew) {
  if (!HeapGuard::works()) GTEST_SKIP() << "this build has a malloc of its own";
  long calls[4];
  {
    const HeapGuard guard;
    calls[0] = guard.calls();
    void* volatile block = std::malloc(100);
    block = std::realloc(block, 200);
    std::free(block);
    calls[1] = guard.calls();
    // volatile: an allocation that is not used may be left out
    std::vector<double>* volatile v = new std::vector<double>(10);
    calls[2] = guard.calls();
    delete v;
    calls[3] = guard.calls();
  }
  EXPECT_EQ(calls[0], 0);
  EXPECT_EQ(calls[1], 3);
  EXPECT_EQ(calls[2], 5);
  EXPECT_EQ(calls[3], 7);
}

}  // namespace
}  // namespace semirec::test
