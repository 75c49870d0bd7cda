// The table of the formulations.

#include <string>

#include <gtest/gtest.h>

#include "integrator/compile.hpp"
#include "tests/support/mechanisms.hpp"

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
    const Model& relative = model.formulation->relative(model);
    EXPECT_EQ(relative.n(), compile(make_four_bars(2)).n()) << name_of(formulation);
    EXPECT_EQ(relative.m(), compile(make_four_bars(2)).m()) << name_of(formulation);
    EXPECT_EQ(&relative.formulation->relative(relative), &relative) << name_of(formulation);
  }
}

}  // namespace
}  // namespace semirec::test
