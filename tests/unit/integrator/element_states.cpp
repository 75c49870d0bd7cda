// First-order states of force elements, condensed into the step: a Maxwell element (a spring in
// line with a damper) against its closed form, in every formulation.

#include <cmath>
#include <memory>

#include <gtest/gtest.h>

#include "integrator/compile.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "integrator/step.hpp"
#include "tests/support/eigen_system.hpp"
#include "tests/support/expect_close.hpp"

namespace semirec::test {
namespace {

constexpr double kMass = 1.0;       // kg
constexpr double kStiffness = 1e4;  // N/m
constexpr double kTime = 0.02;      // s, of the damper

/// f = k (s - x), xd = (s - x) / time, on the height s of a body.
class Maxwell final : public ForceElement {
 public:
  explicit Maxwell(double time) : ForceElement("maxwell", {}), time_(time) {}
  void bind(const Mechanism& /*mechanism*/, TreeModel& model) override {
    Marker marker;
    marker.body = 0;
    at_ = model.attach(marker);
    connection_ = model.connect(kGround, 0);
  }
  int state_count() const override { return 1; }
  void add_forces(const ForceInput& in, ForceSink& out) const override {
    update_states(in, out);
    const double s = height(in);
    const double follow = in.gain() / time_ / (1.0 + in.gain() / time_);  // dx/ds
    out.add_line_force(connection_, make_line(in.position_of(at_), Eigen::Vector3d::UnitZ()),
                       kStiffness * (s - in.x(0)), kStiffness * (1.0 - follow), 0.0);
  }
  void update_states(const ForceInput& in, StateSink& out) const override {
    const double s = height(in);
    const double gain = in.gain();
    const double x = (in.x_hat(0) + gain * (in.xd_hat(0) + s / time_)) / (1.0 + gain / time_);
    out.set_x(0, x);
    out.set_xd(0, (s - x) / time_);
  }
  void settle_states(const ForceInput& in, StateSink& out) const override {
    if (settles) out.set_x(0, height(in));
  }
  ForcePower report(const ForceInput& in, double* /*values*/) const override {
    const double e = height(in) - in.x(0);
    return {0.5 * kStiffness * e * e, kStiffness * e * e / time_, 0.0};
  }
  bool settles = false;

 private:
  double height(const ForceInput& in) const { return in.origin().z() + in.position_of(at_).z(); }
  double time_;
  Attachment at_;
  int connection_ = -1;
};

Mechanism make_mass() {
  Mechanism m;
  m.name = "mass";
  m.gravity.setZero();
  Body body;
  body.name = "body";
  body.mass = kMass;
  body.inertia.setIdentity();
  m.bodies.push_back(body);
  Joint joint;
  joint.name = "slide";
  joint.type = JointType::prismatic;
  joint.b.body = 0;
  joint.position = {0.1};
  m.joints.push_back(joint);
  return m;
}

struct MassRun {
  explicit MassRun(Formulation formulation, bool settles = false) {
    auto element = std::make_unique<Maxwell>(kTime);
    element->settles = settles;
    std::vector<std::unique_ptr<ForceElement>> extra;
    extra.push_back(std::move(element));
    model = compile(make_mass(), std::move(extra), {.formulation = formulation});
    state = make_initial_state(model);
    ws.emplace(model);
  }
  void start(double h) {
    settings.h = h;
    initialize(model, settings, state, *ws);
  }
  bool go(int steps) {
    for (int k = 0; k < steps; ++k) {
      const StepReport report = step(model, settings, state, *ws);
      if (report.status != StepStatus::converged) return false;
      most = std::max(most, report.iterations);
    }
    return true;
  }
  double height() { return to_height(state); }
  double to_height(const State& s) const { return s.angles.size() > 0 ? s.angles[0] : s.z[0]; }
  Model model;
  State state;
  std::optional<Workspace> ws;
  StepSettings settings;
  int most = 0;
};

/// (s, sd, x) at t, by the modes of the linear system's matrix.
Eigen::Vector3d exact(double t) {
  Eigen::Matrix3d A;
  A << 0, 1, 0, -kStiffness / kMass, 0, kStiffness / kMass, 1 / kTime, 0, -1 / kTime;
  const EigenSystem modes = find_eigen_system(A);
  Eigen::VectorXcd x = modes.inverse * Eigen::Vector3cd(0.1, 0, 0);
  for (int k = 0; k < 3; ++k) x[k] *= std::exp(modes.values[k] * t);
  return (modes.vectors * x).real();
}

class ElementStates : public ::testing::TestWithParam<Formulation> {};

TEST_P(ElementStates, FollowTheClosedFormWithOrderTwo) {
  const double t = 0.1;
  std::vector<double> errors;
  for (const int steps : {200, 400}) {
    MassRun run(GetParam());
    run.start(t / steps);
    ASSERT_TRUE(run.go(steps));
    const Eigen::Vector3d expected = exact(t);
    errors.push_back(std::abs(run.height() - expected[0]) + std::abs(run.state.x[0] - expected[2]));
  }
  // next term of the error at 0.5 ms: a tenth of an order
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2.0, 0.15);
  EXPECT_LT(errors[1], 2e-4);
}

TEST_P(ElementStates, CostNoIterationsWhenTheirSlopeIsInTheTangent) {
  if (GetParam() == Formulation::recursive) GTEST_SKIP() << "its tangent has no stiffness";
  MassRun run(GetParam());
  run.start(0.02);
  ASSERT_TRUE(run.go(50));
  // linear: one correction, and one that finds nothing left
  EXPECT_LE(run.most, 2);
}

TEST_P(ElementStates, RestartFromACopyBitForBit) {
  MassRun run(GetParam());
  run.start(1e-3);
  ASSERT_TRUE(run.go(20));
  MassRun other(GetParam());
  other.settings = run.settings;
  other.state = run.state;
  ASSERT_TRUE(run.go(20));
  ASSERT_TRUE(other.go(20));
  EXPECT_EQ(run.state.x[0], other.state.x[0]);
  EXPECT_EQ(run.state.xd[0], other.state.xd[0]);
  EXPECT_EQ(run.height(), other.height());
}

TEST_P(ElementStates, StartSettledWhereTheElementKnowsHow) {
  MassRun run(GetParam(), /*settles=*/true);
  run.start(1e-3);
  // x = s: no force, no rate
  EXPECT_NEAR(run.state.x[0], 0.1, 1e-15);
  EXPECT_NEAR(run.state.xd[0], 0.0, 1e-12);
  ASSERT_TRUE(run.go(100));
  EXPECT_NEAR(run.height(), 0.1, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(All, ElementStates, ::testing::ValuesIn(all_formulations()),
                         [](const auto& test) { return std::string(name_of(test.param)); });

}  // namespace
}  // namespace semirec::test
