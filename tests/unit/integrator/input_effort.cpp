#include "integrator/outputs/input_effort.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "integrator/compile.hpp"
#include "integrator/formulation/evaluate.hpp"
#include "integrator/outputs/energy.hpp"
#include "integrator/outputs/recorder.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "tests/support/mechanisms.hpp"
#include "tests/support/shared_cases.hpp"

namespace semirec::test {
namespace {

using V = Eigen::Vector3d;

// find_accelerations() solves with penalties of 1e7 effective masses: eps 1e7 of the largest force,
// times the conditioning of the closures (below 10)
constexpr double kSolved = 2e-8;

// u = A sin(w t + p) at t = 0
constexpr double kA = 0.4, kW = 5.0, kP = 0.3;
const double kValue = kA * std::sin(kP);
const double kRate2 = -kW * kW * kValue;

struct Started {
  Model model;
  State state;
  Workspace ws;

  explicit Started(const Mechanism& m, Formulation formulation = Formulation::hybrid)
      : model(compile(m, {}, {TangentChoice::automatic, formulation})),
        state(make_initial_state(model)),
        ws(model) {
    initialize(model, {}, state, ws);
    evaluate_state(model, state, ws);
  }
  double effort(InputIndex input) { return input_effort(model, state, input, ws); }
};

TEST(InputEffort, OfADrivenHingeIsThatOfInverseDynamics) {
  // 3 kg at 0.5 m, 0.25 kg m^2 about its centre: (I + m r^2) thetadd, and m g r cos(theta) holds it
  Mechanism m;
  m.name = "lever";
  Frame X;
  X.p = V(0.5, 0.0, 0.0);
  add_body(m, "lever", 3.0, X, 0.25 * Eigen::Matrix3d::Identity());
  add_joint(m, "hinge", JointType::revolute, kGround, 0, make_frame(V::Zero(), -V::UnitY()));
  const InputIndex angle = add_input(m, "angle", make_sine(kA, kW, kP));
  m.motions.push_back({"drive", 0, 0, angle, {}});
  Started run(m);
  const double expected =
      (0.25 + 3.0 * 0.25) * kRate2 + 3.0 * 9.81 * 0.5 * std::cos(kValue);  // closed form
  EXPECT_NEAR(run.effort(angle), expected, 100.0 * kSolved);
  EXPECT_TRUE(moves_mechanism(run.model.mechanism, angle));
  EXPECT_STREQ(effort_unit(run.model.mechanism, angle), "N m");
}

TEST(InputEffort, OfAHoistIsWeightAndInertiaByLengthAndBySlidingEnd) {
  // 2 kg hang on a rod: by its length they go down, by its upper end up
  for (const bool slides : {false, true}) {
    Mechanism m;
    m.name = "hoist";
    add_body(m, "weight", 2.0, {}, Eigen::Matrix3d::Identity());
    add_joint(m, "guide", JointType::prismatic, kGround, 0, {});
    const InputIndex wheel = add_input(m, "wheel", make_sine(kA, kW, kP));
    const InputIndex way = add_input(m, "way", Curve::constant(0.0));
    m.inputs[static_cast<std::size_t>(way)].of = wheel;
    m.inputs[static_cast<std::size_t>(way)].factor = 0.5;
    Constraint rod;
    rod.name = "rope";
    rod.a = marker_at(m, kGround, V(0.0, 0.0, 2.0));
    rod.b = marker_at(m, 0, V::Zero());
    rod.length = 2.0;
    if (slides) {
      rod.slide_axis = V::UnitZ();
      rod.slide_input = way;
    } else {
      rod.length_input = way;
    }
    m.constraints.push_back(rod);
    Started run(m);
    const double up = slides ? 1.0 : -1.0;
    const double expected = up * 2.0 * (9.81 + up * 0.5 * kRate2);  // closed form
    EXPECT_NEAR(run.effort(way), expected, 100.0 * kSolved);
    EXPECT_STREQ(effort_unit(run.model.mechanism, way), "N");
    // the steering wheel before it has the part of its ratio, and turns
    EXPECT_NEAR(run.effort(wheel), 0.5 * expected, 100.0 * kSolved);
    EXPECT_STREQ(effort_unit(run.model.mechanism, wheel), "N m");
  }
}

TEST(InputEffort, OfAnInputThatMovesNothing) {
  Mechanism m = make_pendulum();
  const InputIndex idle = add_input(m, "idle", Curve::linear(1.0));
  const Started run(m);
  EXPECT_FALSE(moves_mechanism(run.model.mechanism, idle));
  RecorderSettings settings;
  settings.efforts = {"idle"};
  EXPECT_THROW(Recorder(run.model, settings), ModelError);
  settings.efforts = {"idel"};
  EXPECT_THROW(Recorder(run.model, settings), ModelError);
}

/// Cases in which every input moves joints, rods or sliding ends, and no force.
std::vector<SharedCase> driven_cases() {
  std::vector<SharedCase> cases;
  for (const SharedCase& c : shared_cases()) {
    const Mechanism m = c.make();
    bool all = !m.inputs.empty() && m.loads.empty() && m.coordinate_forces.empty();
    for (std::size_t k = 0; k < m.inputs.size(); ++k)
      all = all && moves_mechanism(m, static_cast<InputIndex>(k));
    if (all) cases.push_back(c);
  }
  return cases;
}

class InputEfforts : public testing::TestWithParam<std::tuple<Formulation, SharedCase>> {};

TEST_P(InputEfforts, TimesTheirRatesAreThePowerThatComesIn) {
  Started run(std::get<1>(GetParam()).make(), std::get<0>(GetParam()));
  double power = 0.0, size = 1.0;
  for (std::size_t k = 0; k < run.model.mechanism.inputs.size(); ++k) {
    const Input& input = run.model.mechanism.inputs[k];
    if (input.of != kNoInput) continue;
    const double part =
        run.effort(static_cast<InputIndex>(k)) * input.curve.evaluate(run.state.t, false).fd;
    power += part;
    size += std::abs(part);
  }
  // the energy audit has it from the coordinates' side: -lambda^T Phi_z zd, rates of closures zero
  // to round-off of the projection
  EXPECT_NEAR(power, find_energy(run.model, run.state, run.ws).input_power, 1e-8 * size);
}

INSTANTIATE_TEST_SUITE_P(All, InputEfforts,
                         testing::Combine(testing::ValuesIn(all_formulations()),
                                          testing::ValuesIn(driven_cases())),
                         [](const auto& given) {
                           return std::string(name_of(std::get<0>(given.param))) + "_" +
                                  std::get<1>(given.param).name;
                         });

}  // namespace
}  // namespace semirec::test
