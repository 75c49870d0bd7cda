#include <random>

#include <gtest/gtest.h>

#include "vehicles/expressions/dependence.hpp"
#include "vehicles/expressions/margin.hpp"

namespace semirec {
namespace {

double value_at(const Expression& code, double x, double y, double z) {
  std::vector<double> values(code.value_count());
  for (std::size_t k = 0; k < code.names.size(); ++k)
    values[k] = code.names[k] == "x" ? x : code.names[k] == "y" ? y : z;
  return evaluate(code, values.data());
}

std::string condition(std::mt19937& random, int depth) {
  const auto roll = [&](int sides) {
    return std::uniform_int_distribution<int>(0, sides - 1)(random);
  };
  if (depth == 0) {
    const char* const values[] = {"x", "y*x", "sin(z)", "0.5", "(x > 0 ? y : z)"};
    const char* const signs[] = {" < ", " <= ", " > ", " >= "};
    return std::string(values[roll(5)]) + signs[roll(4)] + values[roll(4)] + " + z";
  }
  return "(" + condition(random, depth - 1) + (roll(2) == 0 ? " && " : " || ") +
         condition(random, depth - 1) + ")";
}

// the condition itself, and steps of the margin against those of the point
TEST(ExpressionMargins, AreAboveZeroWhereTheConditionHolds) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> any(-2.0, 2.0);
  int held = 0, count = 0;
  for (int k = 0; k < 300; ++k) {
    const std::string text = condition(random, k % 5);
    const Expression code = compile_expression(text);
    const Expression margin = margin_of(code);
    EXPECT_EQ(margin.names, code.names);
    for (int n = 0; n < 20; ++n) {
      const double x = any(random), y = any(random), z = any(random);
      const bool holds = value_at(code, x, y, z) != 0.0;
      const double found = value_at(margin, x, y, z);
      // two sides that are the same are equal everywhere: <= and >= hold there
      if (found != 0.0) {
        EXPECT_EQ(found > 0.0, holds) << text;
      }
      held += holds ? 1 : 0;
      ++count;
      // slopes of the sides are at most 2 in each direction
      if (text.find('?') == std::string::npos) {
        const double step = 1e-6;
        EXPECT_NEAR(value_at(margin, x + step, y + step, z + step), found, 13.0 * step) << text;
      }
    }
  }
  EXPECT_GT(held, count / 10);
  EXPECT_LT(held, count - count / 10);
}

// by hand
TEST(ExpressionMargins, AreDifferencesTheSmallerAndTheLarger) {
  EXPECT_EQ(value_at(margin_of(compile_expression("x > y")), 3.0, 1.0, 0.0), 2.0);
  EXPECT_EQ(value_at(margin_of(compile_expression("x <= y")), 3.0, 1.0, 0.0), -2.0);
  EXPECT_EQ(value_at(margin_of(compile_expression("x > 1 && y > 0 && z < 9")), 3.0, 5.0, 0.0), 2.0);
  EXPECT_EQ(value_at(margin_of(compile_expression("x > 1 || y > 0")), 3.0, 5.0, 0.0), 5.0);
}

TEST(ExpressionMargins, AreThoseOfComparisonsOnly) {
  struct Case {
    const char* text;
    std::size_t column;
    const char* what;
  };
  const char* const none =
      "a value in place of a condition, expected comparisons by <, <=, > or >=, joined by && and "
      "||";
  const char* const beside = "a value beside && or ||, expected comparisons by <, <=, > or >=";
  const char* const equal =
      "== or != in a condition that is to be located, expected <, <=, > or >=";
  for (const Case& c :
       {Case{"x", 1, none}, Case{"x + y", 3, none}, Case{"x > 1 ? y > 2 : z > 1", 7, none},
        Case{"x > 1 && y", 7, beside}, Case{"x > 1 && -y", 10, none}, Case{"x == 1", 3, equal},
        Case{"y < 2 || x != 1", 12, equal}}) {
    try {
      margin_of(compile_expression(c.text));
      ADD_FAILURE() << c.text << " is taken";
    } catch (const ExpressionError& error) {
      EXPECT_STREQ(error.what(), c.what) << c.text;
      EXPECT_EQ(error.column(), c.column) << c.text;
    }
  }
}

// by hand: names of which an expression depends, and its value where there are none
TEST(ExpressionDependence, IsOnNamesThatHaveAnEffect) {
  struct Case {
    const char* text;
    const char* names;
    std::optional<double> constant;
  };
  for (const Case& c :
       {Case{"x + y", "xy", {}}, Case{"2 + 3*4", "", 14.0}, Case{"0*x + y", "y", {}},
        Case{"0*x", "", 0.0}, Case{"1 > 2 ? x : y", "y", {}}, Case{"2 > 1 ? x : y", "x", {}},
        Case{"x ? y : z", "xyz", {}}, Case{"x^0 + 1", "", 2.0}, Case{"x - x", "", 0.0},
        Case{"0 && x", "", 0.0}, Case{"x || 3", "", 1.0}, Case{"0/x", "", 0.0},
        Case{"x/2", "x", {}}, Case{"(1 - 1)*x + (1 - 0)*y", "y", {}}, Case{"sin(_pi/2)", "", 1.0},
        Case{"min(x, 3)", "x", {}}, Case{"x", "x", {}}, Case{"7", "", 7.0},
        Case{"(x > 0)*0 ? y : 2", "", 2.0}}) {
    const Expression code = compile_expression(c.text);
    const Dependence found = find_dependence(code);
    std::string names;
    for (std::size_t k = 0; k < code.names.size(); ++k)
      if (found.on_name[k]) names += code.names[k];
    EXPECT_EQ(names, c.names) << c.text;
    EXPECT_EQ(found.constant, c.constant) << c.text;
  }
}

}  // namespace
}  // namespace semirec
