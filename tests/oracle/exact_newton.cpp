// The matrix of a step with multipliers as unknowns in Cartesian coordinates: that of the residual,
// by differences, and what it is for: corrections that fall with the square of the one before.

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "integrator/formulation/cartesian.hpp"
#include "integrator/formulation/evaluate.hpp"
#include "integrator/method/methods.hpp"
#include "integrator/method/multiplier_step.hpp"
#include "integrator/step.hpp"
#include "tests/support/drives.hpp"
#include "tests/support/expect_close.hpp"
#include "tests/support/finite_difference.hpp"
#include "tests/support/random_mechanism.hpp"
#include "topology/indices.hpp"
#include "vehicles/files/xml/reader.hpp"

namespace semirec::test {
namespace {

struct NewtonCase {
  const char* name;
  const char* scenario;
  std::vector<std::string> overrides;
  double until;           ///< s, from where the step is looked at
  double square;          ///< c(k+1) <= square c(k)^2, root mean squares over the coordinates
  double round_off;       ///< what the iterations leave
  bool relaxing = false;  ///< bushings are twice as stiff to a fast motion
};
std::ostream& operator<<(std::ostream& out, const NewtonCase& c) { return out << c.name; }

struct NewtonScheme {
  const char* name;
  const char* parameter;
  double value;
  bool classic = false;
  bool printed = false;
};

/// One step, its iterations made one by one.
class Iterations {
 public:
  Iterations(const NewtonCase& c, const NewtonScheme& scheme)
      : drive_(start(c, scheme)), settings_(drive_.drive.settings.step) {
    settings_.tolerance = 1e-12;
    settings_.classic_euler_parameters = scheme.classic;
    for (int k = 0; k < std::lround(c.until / settings_.h); ++k) {
      const StepReport taken = step(model(), settings_, drive_.state, drive_.ws);
      EXPECT_EQ(taken.status, StepStatus::converged) << k;
    }
    scheme_ = settings_.scheme.make(settings_.h, drive_.state);
    method().begin_step(step_, false);
    begin_evaluation(model(), drive_.state, drive_.state.t + settings_.h, drive_.ws);
    scheme_.begin(drive_.state, drive_.ws.tree.rule);
    method().prepare(step_);
    drive_.ws.lambda = drive_.state.lambda;
    report_.iterations = 1;  // the first iteration has the symmetric matrix
    scheme_.predict(drive_.state, drive_.ws.increment);
  }

  const Model& model() const { return drive_.drive.model; }
  Workspace& ws() { return drive_.ws; }
  int n() const { return model().n(); }

  /// Increment and multipliers, these over c_a.
  Eigen::VectorXd unknowns() {
    Eigen::VectorXd x(n() + model().m());
    x << ws().increment, scheme_.scale * ws().lambda;
    return x;
  }
  /// What an iterate leaves over; `factors`: the matrix there, too.
  Eigen::VectorXd residual(const Eigen::VectorXd& x, bool factors) {
    ws().increment = x.head(n());
    ws().lambda = x.tail(model().m()) / scheme_.scale;
    step_.factors = factors;
    EXPECT_TRUE(method().evaluate_iterate(step_));
    EXPECT_TRUE(method().factor_iterate(step_));
    Eigen::VectorXd left(x.size());
    left << scheme_.scale * ws().tree.residual, ws().closures.Phi;
    return left;
  }
  Eigen::MatrixXd matrix() { return multiplier_part(model(), ws()).saddle.to_dense(); }
  double iterate() {
    static_cast<void>(residual(unknowns(), true));
    return method().correct(step_);
  }
  /// Changes positions on the spheres of the Euler parameters.
  void move(const Eigen::VectorXd& by) {
    const CartesianModel& bodies = cartesian_model_of(model());
    Eigen::VectorXd z = drive_.state.z + ws().increment + by;
    for (std::size_t t = 1; t < bodies.bodies.size(); ++t)
      z.segment<4>(bodies.bodies[t].column + 3).normalize();
    ws().increment = z - drive_.state.z;
  }
  /// The unknowns' changes that keep |e| = 1, as columns.
  Eigen::MatrixXd find_allowed() {
    const CartesianModel& bodies = cartesian_model_of(model());
    Eigen::MatrixXd allowed = Eigen::MatrixXd::Identity(n() + model().m(), n() + model().m());
    for (std::size_t t = 1; t < bodies.bodies.size(); ++t) {
      const int first = bodies.bodies[t].column + 3;
      const Eigen::Vector4d e = drive_.state.z.segment<4>(first) + ws().increment.segment<4>(first);
      allowed.block<4, 4>(first, first) -= e * e.transpose();
    }
    return allowed;
  }

 private:
  static ShippedDrive start(const NewtonCase& c, const NewtonScheme& scheme) {
    std::vector<std::pair<std::string, double>> given;
    if (scheme.printed) given.emplace_back("weighting", 1.0);
    if (*scheme.parameter != '\0') given.emplace_back(scheme.parameter, scheme.value);
    const std::string folder = SEMIREC_SOURCE_DIR "/vehicles/";
    std::vector<Override> overrides;
    for (const std::string& text : c.overrides) overrides.push_back(parse_override(text));
    DriveDescription read = read_drive(folder + "models/" + c.name + ".xml",
                                       folder + "scenarios/" + c.scenario, overrides);
    read.vehicle.wheels.clear();  // tyres tell the symmetric part of their derivatives alone
    if (c.relaxing)
      for (Bushing& bushing : read.vehicle.mechanism.bushings) {
        bushing.relaxing_stiffness = bushing.stiffness;
        bushing.relaxation_time = 2e-3;
      }
    read.scenario.start = StartMode::design;
    read.scenario.step = 1e-3;
    read.scenario.scheme = choose_scheme(scheme.name, given);
    read.scenario.closing = Closing::multipliers;
    Drive drive = make_drive(read, {.formulation = Formulation::cartesian});
    Workspace ws(drive.model);
    State state = start_drive(drive, ws);
    return {std::move(drive), std::move(ws), std::move(state)};
  }
  const StepMethod& method() const { return multiplier_step(); }

  ShippedDrive drive_;
  StepSettings settings_;
  Scheme scheme_;
  StepReport report_;
  StepInProgress step_{drive_.drive.model, settings_, scheme_, drive_.state,
                       drive_.ws,          report_,   true,    &drive_.ws.closures.Phi_z};
};

const NewtonCase kTop{"heavy_top", "let_go.xml", {}, 0.02, 20.0, 1e-14};
const NewtonCase kCrank{"slider_crank_haug", "let_go.xml", {}, 0.5, 20.0, 1e-14};
const NewtonCase kV8{"v8", "let_go.xml", {}, 0.3, 20.0, 1e-14};
// bushings of 1.2e7 N/m move a shaft of 0.001 kg m^2: K h^2/4 over its inertia is 750
const NewtonCase kMultilink{
    "rear_multilink", "square_bump.xml", {"form.value=bushing"}, 0.05, 2e4, 1e-13};
const NewtonCase kRubber{
    "rear_multilink", "square_bump.xml", {"form.value=bushing"}, 0.05, 2e4, 1e-13, true};

class ExactNewton : public testing::TestWithParam<std::tuple<NewtonCase, NewtonScheme>> {};

TEST_P(ExactNewton, HasTheMatrixOfItsResidual) {
  const auto& [c, scheme] = GetParam();
  Iterations step(c, scheme);
  Random random(3);
  step.move(random.values(step.n(), 1e-4));
  const Eigen::VectorXd x = step.unknowns();
  const Eigen::MatrixXd allowed = step.find_allowed();
  const Eigen::MatrixXd expected =
      jacobian([&](const Eigen::VectorXd& at) { return step.residual(at, false); }, x, 1e-5) *
      allowed;
  static_cast<void>(step.residual(x, true));
  const Eigen::MatrixXd found = step.matrix() * allowed;
  // round-off of the differences, eps |residual|/1e-5
  expect_close(found, expected, 0.0, 1e-8 * found.cwiseAbs().maxCoeff());
}

TEST_P(ExactNewton, SquaresItsCorrections) {
  const auto& [c, scheme] = GetParam();
  Iterations step(c, scheme);
  Random random(4);
  step.move(random.values(step.n(), 1e-3));
  double before = step.iterate();
  std::string all = std::to_string(before);
  for (int k = 1; k < 5; ++k) {
    const double correction = step.iterate();
    all += " " + std::to_string(std::log10(correction));
    EXPECT_LT(correction, c.square * before * before + c.round_off) << "correction " << k;
    before = correction;
  }
  RecordProperty("corrections", all);
  EXPECT_LT(before, c.round_off);
}

INSTANTIATE_TEST_SUITE_P(
    Models, ExactNewton,
    testing::Combine(testing::Values(kTop, kCrank, kV8, kMultilink, kRubber),
                     testing::Values(NewtonScheme{"trapezoid", "", 0.0},
                                     NewtonScheme{"newmark", "gamma", 0.6},
                                     NewtonScheme{"hht", "alpha", -0.2},
                                     NewtonScheme{"hht", "alpha", -0.2, true},
                                     NewtonScheme{"modified_hht", "alpha", -0.2, false, true},
                                     NewtonScheme{"generalized_alpha", "rho", 0.5},
                                     NewtonScheme{"nstiff", "", 0.0})),
    [](const auto& test) {
      const NewtonScheme& scheme = std::get<1>(test.param);
      return std::string(std::get<0>(test.param).name) +
             (std::get<0>(test.param).relaxing ? "_relaxing_" : "_") + scheme.name +
             (scheme.classic ? "_classic" : "") + (scheme.printed ? "_printed" : "");
    });

}  // namespace
}  // namespace semirec::test
