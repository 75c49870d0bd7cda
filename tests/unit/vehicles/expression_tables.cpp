#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "tests/support/finite_difference.hpp"
#include "vehicles/expressions/evaluate_in_time.hpp"
#include "vehicles/expressions/slopes.hpp"
#include "vehicles/expressions/table.hpp"

namespace semirec {
namespace {

const std::vector<double> kX{-1.0, 0.0, 0.5, 2.0};
const std::vector<double> kY{0.0, 1.0, 1.5, 4.0, 5.0};

double row(std::size_t i) { return 1.0 + 0.5 * kX[i] * kX[i] * kX[i]; }
double column(std::size_t j) { return std::sin(kY[j]) - 0.3; }

/// Points of the product of a function of x and one of y.
Surface product(bool smooth) {
  std::vector<double> f;
  for (std::size_t i = 0; i < kX.size(); ++i)
    for (std::size_t j = 0; j < kY.size(); ++j) f.push_back(row(i) * column(j));
  return {kX, kY, f, smooth};
}

std::vector<NamedTable> tables(bool smooth) {
  std::vector<std::pair<double, double>> points;
  for (std::size_t j = 0; j < kY.size(); ++j) points.emplace_back(kY[j], column(j));
  return {{"line", std::make_shared<LookUpTable>(table_curve(points, smooth, true))},
          {"plane", std::make_shared<LookUpTable>(product(smooth))}};
}

// few points and many, which are searched otherwise
TEST(ExpressionTables, PassOnWhatIsNoNumber) {
  for (const int count : {2, 40})
    for (const bool smooth : {false, true})
      for (const bool extrapolate : {false, true}) {
        std::vector<std::pair<double, double>> points;
        for (int k = 0; k < count; ++k) points.emplace_back(k, 100.0 + k);
        const LookUpTable table(table_curve(points, smooth, extrapolate));
        EXPECT_TRUE(std::isnan(table.evaluate(std::nan(""), 0.0).f)) << count;
      }
}

// the interpolation is that in x times that in y: of a product, the product of two curves
TEST(ExpressionTables, InterpolateInTwoDirectionsAsInEach) {
  std::vector<std::pair<double, double>> rows, columns;
  for (std::size_t i = 0; i < kX.size(); ++i) rows.emplace_back(kX[i], row(i));
  for (std::size_t j = 0; j < kY.size(); ++j) columns.emplace_back(kY[j], column(j));
  for (const bool smooth : {false, true}) {
    const Surface surface = product(smooth);
    const Curve in_x = table_curve(rows, smooth, false);
    const Curve in_y = table_curve(columns, smooth, false);
    // points, insides of all cells, and far outside
    for (double x = -2.0; x <= 3.0; x += 0.125)
      for (double y = -1.0; y <= 6.0; y += 0.125) {
        const CurveValue u = in_x.evaluate(x), w = in_y.evaluate(y);
        const SurfaceValue v = surface.evaluate(x, y);
        constexpr double kRounding = 1e-13;  // values and derivatives up to 20
        EXPECT_NEAR(v.f, u.f * w.f, kRounding) << smooth << " at " << x << ", " << y;
        EXPECT_NEAR(v.x, u.fd * w.f, kRounding) << smooth << " at " << x << ", " << y;
        EXPECT_NEAR(v.y, u.f * w.fd, kRounding) << smooth << " at " << x << ", " << y;
        EXPECT_NEAR(v.xx, u.fdd * w.f, kRounding) << smooth << " at " << x << ", " << y;
        EXPECT_NEAR(v.xy, u.fd * w.fd, kRounding) << smooth << " at " << x << ", " << y;
        EXPECT_NEAR(v.yy, u.f * w.fdd, kRounding) << smooth << " at " << x << ", " << y;
      }
  }
}

TEST(ExpressionTables, GoThroughTheirPoints) {
  for (const bool smooth : {false, true})
    for (std::size_t i = 0; i < kX.size(); ++i)
      for (std::size_t j = 0; j < kY.size(); ++j)
        EXPECT_NEAR(product(smooth).evaluate(kX[i], kY[j]).f, row(i) * column(j), 1e-15);
}

// by hand: 1 at 0, 3 at 1, 2 at 3
TEST(ExpressionTables, GoOnOutsideAsAsked) {
  const std::vector<std::pair<double, double>> points{{0.0, 1.0}, {1.0, 3.0}, {3.0, 2.0}};
  for (const bool smooth : {false, true}) {
    EXPECT_EQ(table_curve(points, smooth, false).value(-4.0), 1.0);
    EXPECT_EQ(table_curve(points, smooth, false).value(9.0), 2.0);
    EXPECT_EQ(table_curve(points, smooth, true).value(-4.0), -7.0);
    EXPECT_EQ(table_curve(points, smooth, true).value(9.0), -1.0);
    EXPECT_EQ(table_curve(points, smooth, false).value(1.0), 3.0);
  }
  EXPECT_EQ(table_curve(points, false, false).value(2.0), 2.5);
  const Surface flat({2.0}, {3.0}, {7.0}, true);
  EXPECT_EQ(flat.evaluate(0.0, 9.0).f, 7.0);
  EXPECT_EQ(flat.evaluate(2.0, 3.0).x, 0.0);
  EXPECT_TRUE(std::isnan(product(true).evaluate(std::nan(""), 1.2).f));
}

// sixth-order differences, away from the points
TEST(ExpressionTables, HaveTheirSlopesInExpressions) {
  std::mt19937 random(3);
  constexpr double kStep = 1e-3;
  for (const bool smooth : {false, true}) {
    const Expression code =
        compile_expression("plane(x, 2*y)*line(x + 3) - line(sin(y) + 2)", tables(smooth));
    const std::size_t before = code.names.size() + code.numbers.size();
    std::vector<double> values(code.value_count()), adjoints(code.value_count() + 1);
    std::vector<TermSlopes> slopes(code.terms.size());
    const std::vector<char> all(code.terms.size(), 1);
    const SlopePath path =
        find_slope_path(code.terms, before, {code.result}, std::vector<char>(before, 1));
    std::vector<CurveValue> times(code.value_count());
    const auto value = [&](double x, double y) {
      values[0] = x;
      values[1] = y;
      return evaluate(code, values.data());
    };
    for (int k = 0; k < 100; ++k) {
      const double x = std::uniform_real_distribution<double>(0.55, 0.95)(random);
      const double y = std::uniform_real_distribution<double>(0.8, 1.2)(random);
      const double expected = value(x, y);
      evaluate_with_slopes(code.terms, all, 0, code.terms.size(), before, values.data(),
                           slopes.data(), code.tables);
      EXPECT_EQ(values.back(), expected);
      std::fill(adjoints.begin(), adjoints.end(), 0.0);
      adjoints[values.size() - 1] = 1.0;
      pull_back(path, before, slopes.data(), adjoints.data());
      const double by_x = test::derivative([&](double s) { return value(x + s, y); }, kStep);
      const double by_y = test::derivative([&](double s) { return value(x, y + s); }, kStep);
      EXPECT_NEAR(adjoints[0], by_x, 1e-9);
      EXPECT_NEAR(adjoints[1], by_y, 1e-9);
      const auto at = [&](double s) {
        times[0] = {x + s, 1.0, 0.0};
        times[1] = {y - 0.3 * s - s * s, -0.3 - 2.0 * s, -2.0};
        return evaluate_in_time(code, times.data());
      };
      const CurveValue found = at(0.0);
      EXPECT_NEAR(found.fd, test::derivative([&](double s) { return at(s).f; }, kStep), 1e-9);
      EXPECT_NEAR(found.fdd, test::derivative([&](double s) { return at(s).fd; }, kStep), 1e-9);
    }
  }
}

TEST(ExpressionTables, RefuseWhatIsNoGrid) {
  const auto make = [](std::vector<double> x, std::vector<double> y, std::vector<double> f) {
    return Surface(std::move(x), std::move(y), f, true);
  };
  EXPECT_THROW(make({}, {1.0}, {}), std::invalid_argument);
  EXPECT_THROW(make({1.0, 1.0}, {1.0}, {1.0, 2.0}), std::invalid_argument);
  EXPECT_THROW(make({1.0, 2.0}, {2.0, 1.0}, {1.0, 2.0, 3.0, 4.0}), std::invalid_argument);
  EXPECT_THROW(make({1.0, 2.0}, {1.0, 2.0}, {1.0, 2.0, 3.0}), std::invalid_argument);
  EXPECT_THROW(make({1.0, std::nan("")}, {1.0}, {1.0, 2.0}), std::invalid_argument);
  EXPECT_THROW(make({1.0, 2.0}, {1.0}, {1.0, HUGE_VAL}), std::invalid_argument);
  EXPECT_THROW(table_curve({{0.0, 1.0}, {std::nan(""), 2.0}}, false, false), std::invalid_argument);
  EXPECT_THROW(table_curve({{0.0, 1.0}, {1.0, 2.0}, {1.0, 2.0}}, true, false),
               std::invalid_argument);
}

TEST(ExpressionTables, AreCalledByTheirNames) {
  struct Case {
    std::string text;
    std::size_t column;
    std::string what;
  };
  for (const Case& c :
       {Case{"1 + line(1, 2)", 15, "'line' is given 2 arguments where it takes 1"},
        Case{"plane(1)", 9, "'plane' is given 1 arguments where it takes 2"},
        Case{"2*line", 7, "'line' without arguments"},
        Case{"1 + plan(x)", 5, "unknown function 'plan', nearest known name is 'plane'"},
        Case{"sine (x)", 1, "unknown function 'sine', nearest known name is 'sin'"}}) {
    try {
      compile_expression(c.text, tables(false));
      ADD_FAILURE() << c.text << " is taken";
    } catch (const ExpressionError& error) {
      EXPECT_EQ(error.what(), c.what) << c.text;
      EXPECT_EQ(error.column(), c.column) << c.text;
    }
  }
}

// of each term's sign or function, from 1
TEST(ExpressionTables, KeepTheColumnsOfTheirCalls) {
  const Expression code = compile_expression("x > 1 ? -sin(x)^2 : avg(x, 2)", tables(false));
  EXPECT_EQ(code.columns, (std::vector<std::size_t>{3, 10, 16, 9, 21, 21, 7}));
}

// the sizes of text that someone who means harm can send: each is refused, none takes long
TEST(ExpressionTables, OfHugeTextsAreRefused) {
  const auto repeated = [](const char* part, std::size_t times) {
    std::string text;
    for (std::size_t k = 0; k < times; ++k) text += part;
    return text;
  };
  std::string names;
  for (int k = 0; k < 200000; ++k) names += "a" + std::to_string(k) + "+";
  for (const std::string& text :
       {std::string(50000000, '('), std::string(50000000, '-'), repeated("1+", 1000000) + "1",
        names + "1", "sum(" + repeated("1,", 1000000) + "1)", repeated("x^", 1000000) + "x",
        repeated("x?x:", 1000000) + "x", repeated("sin(", 1000000)}) {
    try {
      compile_expression(text);
      ADD_FAILURE() << text.substr(0, 20) << " is taken";
    } catch (const ExpressionError& error) {
      EXPECT_EQ(std::string(error.what()).substr(0, 10), "more than ");
    }
  }
  EXPECT_NO_THROW(compile_expression(repeated("x+", 49999) + "x"));
}

}  // namespace
}  // namespace semirec
