// The formulation of docs/how_to/add_a_formulation.md against the recursive one, which iterates
// with the same matrix without forming it.

#include "pages/add_a_formulation.cpp"

#include <string>

#include <gtest/gtest.h>

#include "integrator/compile.hpp"
#include "tests/support/expect_close.hpp"
#include "tests/support/motion.hpp"
#include "tests/support/shared_cases.hpp"

namespace semirec::test {
namespace {

class AddAFormulationPage : public testing::TestWithParam<SharedCase> {};

INSTANTIATE_TEST_SUITE_P(All, AddAFormulationPage, testing::ValuesIn(shared_cases()),
                         [](const auto& test) { return std::string(test.param.name); });

TEST_P(AddAFormulationPage, IterateAsTheRecursiveOneWithTheMatrixThatItDoesNotForm) {
  Model model = compile(GetParam().make());
  model.formulation = page_add_a_formulation::make_fixed_point(model, TangentChoice::automatic);
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
