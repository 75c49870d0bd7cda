// The table of the formulations, and a formulation of the caller's own behind the same interface.

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "integrator/compile.hpp"
#include "integrator/formulation/relative_coordinates.hpp"
#include "tests/support/expect_close.hpp"
#include "tests/support/mechanisms.hpp"
#include "tests/support/motion.hpp"
#include "tests/support/shared_cases.hpp"

namespace semirec::test {
namespace {

TEST(Formulations, AreFoundByTheNameThatTheirModelsBear) {
  for (const Formulation formulation : all_formulations()) {
    const Model model = compile(make_four_bars(2), {}, {.formulation = formulation});
    EXPECT_STREQ(model.formulation->name(), name_of(formulation));
    EXPECT_EQ(find_formulation(name_of(formulation)), formulation);
    const Model tree = compile(make_pendulum(), {}, {.formulation = formulation});
    EXPECT_STREQ(tree.formulation->name(), name_of(formulation));
  }
  EXPECT_FALSE(find_formulation("magic").has_value());
}

TEST(Formulations, ServeTheSameMechanismInRelativeCoordinates) {
  for (const Formulation formulation : all_formulations()) {
    const Model model = compile(make_four_bars(2), {}, {.formulation = formulation});
    // three cranks and two couplers, a tree of five turning bodies, and two cuts of two rows each
    const Model& relative = model.formulation->relative(model);
    EXPECT_EQ(relative.n(), compile(make_four_bars(2)).n()) << name_of(formulation);
    EXPECT_EQ(relative.m(), compile(make_four_bars(2)).m()) << name_of(formulation);
    EXPECT_EQ(&relative.formulation->relative(relative), &relative) << name_of(formulation);
  }
}

/// As docs/how_to/add_a_formulation.md: M and the penalty alone in the tangent.
class FixedPoint final : public RelativeCoordinates {
 public:
  const char* name() const override { return "fixed_point"; }
  int max_iterations(const StepSettings& settings) const override {
    return settings.max_fixed_point_iterations;
  }
  void evaluate_dynamics(const Model& model, const double* z, const double* zd, const double* zdd,
                         Workspace& ws) const override {
    ws.tree.weights.damping = ws.tree.weights.stiffness = 0.0;
    RelativeCoordinates::evaluate_dynamics(model, z, zd, zdd, ws);
  }
};

class OwnFormulations : public testing::TestWithParam<SharedCase> {};

INSTANTIATE_TEST_SUITE_P(All, OwnFormulations, testing::ValuesIn(shared_cases()),
                         [](const auto& test) { return std::string(test.param.name); });

TEST_P(OwnFormulations, IterateAsTheRecursiveOneWithTheMatrixThatItDoesNotForm) {
  Model model = compile(GetParam().make());
  model.formulation = std::make_shared<FixedPoint>();
  Simulation own(std::move(model), GetParam().h);
  Simulation recursive(GetParam().make(), GetParam().h, Formulation::recursive);
  for (int k = 0; k < 20; ++k) {
    const StepReport a = own.advance();
    const StepReport b = recursive.advance();
    // the same iterates, by Cholesky's factor of the matrix and by articulated inertias
    EXPECT_EQ(a.iterations, b.iterations) << "step " << k;
  }
  // 1e-9: round-off times the condition of the penalty, 1e6
  expect_close(own.state.z, recursive.state.z, 1e-9, 1e-9);
  expect_close(own.state.zd, recursive.state.zd, 1e-9, 1e-9);
}

}  // namespace
}  // namespace semirec::test
