#include <algorithm>
#include <cmath>
#include <cstring>

#include <gtest/gtest.h>
#include <muParser.h>

#include "tests/support/random_expression.hpp"
#include "vehicles/expressions/expression.hpp"

namespace semirec {
namespace {

double value_of(const std::string& text, const std::vector<double>& given = {}) {
  const Expression expression = compile_expression(text);
  std::vector<double> values(expression.value_count());
  std::copy(given.begin(), given.end(), values.begin());
  return evaluate(expression, values.data());
}

// muParser, which evaluates the same grammar by a stack and jumps, gives the same bits
TEST(Expressions, GiveTheBitsOfMuParser) {
  double x = 0.75, y = -1.25, z = 3.5;
  mu::Parser parser;
  parser.EnableOptimizer(false);
  parser.DefineVar("x", &x);
  parser.DefineVar("y", &y);
  parser.DefineVar("z", &z);
  test::RandomExpression text(1);
  int finite = 0;
  for (int k = 0; k < 5000; ++k) {
    const std::string t = text(1 + k % 6);
    parser.SetExpr(t);
    const double expected = parser.Eval();
    const Expression expression = compile_expression(t);
    std::vector<double> values(expression.value_count());
    for (std::size_t n = 0; n < expression.names.size(); ++n)
      values[n] = expression.names[n] == "x" ? x : expression.names[n] == "y" ? y : z;
    const double found = evaluate(expression, values.data());
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(found)) << t;
      continue;
    }
    // comparisons, min and max of muParser make a number of what is none
    if (std::any_of(values.begin(), values.end(), [](double v) { return std::isnan(v); })) continue;
    finite += std::isfinite(expected) ? 1 : 0;
    EXPECT_EQ(std::memcmp(&found, &expected, sizeof found), 0)
        << t << ": " << found << " for " << expected;
  }
  EXPECT_GT(finite, 3500);
}

TEST(Expressions, BindAsWritten) {
  EXPECT_EQ(value_of("-2^2"), -4.0);
  EXPECT_EQ(value_of("2^3^2"), 512.0);
  EXPECT_EQ(value_of("2^-1"), 0.5);
  EXPECT_EQ(value_of("7 - 4 - 2"), 1.0);
  EXPECT_EQ(value_of("8/4/2"), 1.0);
  EXPECT_EQ(value_of("1 + 2*3 == 7 && 1 < 2"), 1.0);
  EXPECT_EQ(value_of("1 || 0 && 0"), 1.0);
  EXPECT_EQ(value_of("0 ? 1 : 0 ? 2 : 3"), 3.0);
  EXPECT_EQ(value_of("+3 - -3"), 6.0);
}

// closed forms, beyond what muParser writes by other formulas
TEST(Expressions, KnowTheirFunctions) {
  EXPECT_DOUBLE_EQ(value_of("asinh(sinh(0.7)) + acosh(cosh(0.7)) + atanh(tanh(0.7))"), 2.1);
  EXPECT_DOUBLE_EQ(value_of("asin(0.5) + acos(0.5) - _pi/2 + 1"), 1.0);
  EXPECT_EQ(value_of("log2(8) + log10(1000)"), 6.0);
  EXPECT_DOUBLE_EQ(value_of("ln(_e^3) + log(_e)"), 4.0);
  EXPECT_EQ(value_of("avg(1, 2, 6) + sum(1) + max(2, 3) + min(2, 3, -1)"), 6.0);
  EXPECT_EQ(value_of("rint(2.5) + rint(-2.5) + sign(-3) + sign(0)"), 0.0);
  // halves that a sum would round
  EXPECT_EQ(value_of("rint(0.49999999999999994)"), 0.0);
  EXPECT_EQ(value_of("rint(4503599627370497)"), 4503599627370497.0);
}

// where there is no number nothing makes one
TEST(Expressions, PassOnWhatIsNoNumber) {
  for (const char* text : {"min(x, 1)", "min(1, x)", "max(x, 1)", "max(1, x)", "min(1, 2, x, 3)",
                           "max(0, x, 5)", "sign(x)", "abs(x)", "rint(x)"})
    EXPECT_TRUE(std::isnan(value_of(text, {std::nan("")}))) << text;
}

// what is not chosen does no harm
TEST(Expressions, TakeTheChosenValueAlone) {
  EXPECT_EQ(value_of("x > 0 ? sqrt(x) : 0", {-1.0}), 0.0);
  EXPECT_EQ(value_of("x == 0 ? 1 : sin(x)/x", {0.0}), 1.0);
}

TEST(Expressions, NameTheirNamesOnce) {
  const Expression expression = compile_expression("b*a.x + b^2 - _c1");
  EXPECT_EQ(expression.names, (std::vector<std::string>{"b", "a.x", "_c1"}));
}

TEST(Expressions, SayWhereTheyAreWrong) {
  struct Case {
    const char* text;
    std::size_t column;
    const char* what;
  };
  const std::string deep(300, '(');
  for (const Case& c :
       {Case{"", 1, "it ends where a value is expected"},
        Case{"1 +", 4, "it ends where a value is expected"}, Case{"1 2", 3, "unexpected '2'"},
        Case{"(1 + 2", 7, "')' is missing"}, Case{"1)", 2, "unexpected ')'"},
        Case{"sin 1", 5, "'sin' without arguments"},
        Case{"sin(1, 2)", 10, "'sin' is given 2 arguments where it takes 1"},
        Case{"atan2(1)", 9, "'atan2' is given 1 arguments where it takes 2"},
        Case{"min()", 5, "unexpected ')'"}, Case{"1 ? 2", 6, "':' is missing"},
        Case{"x = 2", 3, "unexpected '='"}, Case{"1,5", 2, "a comma beside functions"},
        Case{"2x", 2, "unexpected 'x'"}, Case{"0x10", 2, "unexpected 'x'"},
        Case{"1e999", 1, "a number out of range"}, Case{"a & b", 3, "unexpected '&'"},
        Case{"\"a\"", 1, "unexpected '\"'"},
        Case{deep.c_str(), 201, "more than 200 brackets, signs or choices deep"}}) {
    try {
      compile_expression(c.text);
      ADD_FAILURE() << c.text << " is taken";
    } catch (const ExpressionError& error) {
      EXPECT_STREQ(error.what(), c.what) << c.text;
      EXPECT_EQ(error.column(), c.column) << c.text;
    }
  }
}

}  // namespace
}  // namespace semirec
