#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "tests/support/finite_difference.hpp"
#include "tests/support/random_expression.hpp"
#include "vehicles/expressions/evaluate_in_time.hpp"
#include "vehicles/expressions/slopes.hpp"

namespace semirec {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// An expression with room for its values, slopes and adjoints.
struct Sweeps {
  explicit Sweeps(const std::string& text)
      : code(compile_expression(text)),
        before(code.names.size() + code.numbers.size()),
        values(code.value_count()),
        adjoints(code.value_count() + 1),
        slopes(code.terms.size()),
        path(find_slope_path(code.terms, before, {code.result}, std::vector<char>(before, 1))),
        times(code.value_count()) {}

  double value(const std::vector<double>& given) {
    std::copy(given.begin(), given.end(), values.begin());
    return evaluate(code, values.data());
  }
  double value_with_slopes(const std::vector<double>& given) {
    std::copy(given.begin(), given.end(), values.begin());
    std::copy(code.numbers.begin(), code.numbers.end(), values.begin() + names());
    evaluate_with_slopes(code.terms, std::vector<char>(code.terms.size(), 1), 0, code.terms.size(),
                         before, values.data(), slopes.data());
    return values[static_cast<std::size_t>(code.result)];
  }
  std::vector<double> gradient(const std::vector<double>& given) {
    value_with_slopes(given);
    std::fill(adjoints.begin(), adjoints.end(), 0.0);
    adjoints[static_cast<std::size_t>(code.result)] = 1.0;
    pull_back(path, before, slopes.data(), adjoints.data());
    return {adjoints.begin(), adjoints.begin() + names()};
  }
  CurveValue in_time(const std::vector<CurveValue>& given) {
    std::copy(given.begin(), given.end(), times.begin());
    return evaluate_in_time(code, times.data());
  }
  std::ptrdiff_t names() const { return static_cast<std::ptrdiff_t>(code.names.size()); }

  Expression code;
  std::size_t before;
  std::vector<double> values, adjoints;
  std::vector<TermSlopes> slopes;
  SlopePath path;
  std::vector<CurveValue> times;
};

double slope_of(const std::string& text, double x) { return Sweeps(text).gradient({x})[0]; }

struct Domain {
  const char* text;  ///< of x, or of x and y in this order
  double x_from, x_to;
  double y_from = 0.0, y_to = 0.0;
};

// every operator and function, far enough from its singular points for the differences
const std::vector<Domain>& domains() {
  static const std::vector<Domain> all{{"x + y", -5, 5, -5, 5},
                                       {"x - y", -5, 5, -5, 5},
                                       {"x * y", -5, 5, -5, 5},
                                       {"x / y", -5, 5, 0.5, 3},
                                       {"x / y", -5, 5, -3, -0.5},
                                       {"x ^ y", 0.5, 3, -3, 3},
                                       {"x ^ 2", -3, 3},
                                       {"x ^ 3", -3, 3},
                                       {"x ^ (-2)", -3, -0.5},
                                       {"x ^ 0.5", 0.5, 3},
                                       {"2 ^ x", -3, 3},
                                       {"-x", -5, 5},
                                       {"(x < y) + x", -5, -1, 0, 5},
                                       {"(x <= y) + x", -5, -1, 0, 5},
                                       {"(x > y) + x", -5, -1, 0, 5},
                                       {"(x >= y) + x", -5, -1, 0, 5},
                                       {"(x == y) + x", -5, -1, 0, 5},
                                       {"(x != y) + x", -5, -1, 0, 5},
                                       {"(x && y) + x", -5, -1, 1, 5},
                                       {"(x || y) + x", -5, -1, 1, 5},
                                       {"x > 0 ? x*y : y", 1, 5, 1, 5},
                                       {"x > 0 ? x*y : y", -5, -1, 1, 5},
                                       {"min(x, y, 9)", -5, -1, 0, 5},
                                       {"max(x, y, -9)", -5, -1, 0, 5},
                                       {"sum(x, y, x)", -5, -1, 0, 5},
                                       {"avg(x, y, x)", -5, -1, 0, 5},
                                       {"abs(x)", 1, 5},
                                       {"abs(x)", -5, -1},
                                       {"sign(x) + x", 1, 5},
                                       {"rint(x) + x", 0.6, 1.4},
                                       {"sqrt(x)", 0.5, 5},
                                       {"exp(x)", -5, 5},
                                       {"ln(x)", 0.5, 5},
                                       {"log(x)", 0.5, 5},
                                       {"log2(x)", 0.5, 5},
                                       {"log10(x)", 0.5, 5},
                                       {"sin(x)", -5, 5},
                                       {"cos(x)", -5, 5},
                                       {"tan(x)", -1, 1},
                                       {"asin(x)", -0.8, 0.8},
                                       {"acos(x)", -0.8, 0.8},
                                       {"atan(x)", -5, 5},
                                       {"atan2(x, y)", -5, 5, 0.5, 5},
                                       {"atan2(x, y)", 0.5, 5, -5, 5},
                                       {"atan2(x, y)", -5, -0.5, -5, 5},
                                       {"sinh(x)", -5, 5},
                                       {"cosh(x)", -5, 5},
                                       {"tanh(x)", -5, 5},
                                       {"asinh(x)", -5, 5},
                                       {"acosh(x)", 1.3, 5},
                                       {"atanh(x)", -0.8, 0.8}};
  return all;
}

/// Central differences of sixth order err by about 1e-11 of the values here, by less of second
/// derivatives; slopes may be much smaller than the values.
constexpr double kDifferenceError = 1e-7;

// sixth-order differences of the value
TEST(ExpressionSlopes, AreThoseOfEveryOperatorAndFunction) {
  std::mt19937 random(19);
  for (const Domain& domain : domains()) {
    Sweeps sweeps(domain.text);
    ASSERT_LE(sweeps.names(), 2);
    for (int k = 0; k < 50; ++k) {
      const std::vector<double> at{
          std::uniform_real_distribution<double>(domain.x_from, domain.x_to)(random),
          std::uniform_real_distribution<double>(domain.y_from, domain.y_to)(random)};
      const std::vector<double> given(at.begin(), at.begin() + sweeps.names());
      const std::vector<double> gradient = sweeps.gradient(given);
      for (std::size_t n = 0; n < given.size(); ++n) {
        const double expected = test::derivative([&](double h) {
          std::vector<double> moved = given;
          moved[n] += h;
          return sweeps.value(moved);
        });
        EXPECT_NEAR(gradient[n], expected, kDifferenceError * std::max(1e-3, std::abs(expected)))
            << domain.text << " by name " << n << " at " << at[0] << ", " << at[1];
      }
    }
  }
}

// sixth-order differences of the value, and of the first derivative, along parabolas
TEST(ExpressionSlopes, HoldInTimeForEveryOperatorAndFunction) {
  std::mt19937 random(20);
  for (const Domain& domain : domains()) {
    Sweeps sweeps(domain.text);
    for (int k = 0; k < 50; ++k) {
      const double x = std::uniform_real_distribution<double>(domain.x_from, domain.x_to)(random);
      const double y = std::uniform_real_distribution<double>(domain.y_from, domain.y_to)(random);
      const double rate = std::uniform_real_distribution<double>(-1.0, 1.0)(random);
      const auto at = [&](double t) {
        const CurveValue a{x + rate * t + 0.4 * t * t, rate + 0.8 * t, 0.8};
        const CurveValue b{y + t - 0.3 * t * t, 1.0 - 0.6 * t, -0.6};
        return sweeps.in_time(sweeps.names() == 1 ? std::vector{a} : std::vector{a, b});
      };
      const CurveValue found = at(0.0);
      const double fd = test::derivative([&](double t) { return at(t).f; });
      const double fdd = test::derivative([&](double t) { return at(t).fd; });
      EXPECT_NEAR(found.fd, fd, kDifferenceError * std::max(1e-3, std::abs(fd))) << domain.text;
      EXPECT_NEAR(found.fdd, fdd, kDifferenceError * std::max(1e-3, std::abs(fdd)))
          << domain.text << " at " << x << ", " << y;
    }
  }
}

using Complex = std::complex<double>;

/// The operations on complex numbers, for slopes by the imaginary part of a step along i (Squire
/// and Trapp 1998): no difference is taken. Corners go by the real part.
Complex apply_complex(Operation operation, Complex a, Complex b, Complex c) {
  const double x = a.real(), y = b.real();
  switch (operation) {
    case Operation::add:
      return a + b;
    case Operation::subtract:
      return a - b;
    case Operation::multiply:
      return a * b;
    case Operation::divide:
      return a / b;
    case Operation::power:
      if (b.imag() == 0.0 && y == std::round(y) && std::abs(y) < 100.0)
        return std::pow(a, static_cast<int>(y));
      return x > 0.0 ? std::exp(b * std::log(a)) : Complex(std::pow(x, y));
    case Operation::negate:
      return -a;
    case Operation::less:
      return x < y;
    case Operation::less_or_equal:
      return x <= y;
    case Operation::greater:
      return x > y;
    case Operation::greater_or_equal:
      return x >= y;
    case Operation::equal:
      return x == y;
    case Operation::unequal:
      return x != y;
    case Operation::both:
      return x != 0.0 && y != 0.0;
    case Operation::either:
      return x != 0.0 || y != 0.0;
    case Operation::choose:
      return x != 0.0 ? b : c;
    case Operation::minimum:
      return y < x ? b : a;
    case Operation::maximum:
      return x < y ? b : a;
    case Operation::absolute:
      return x > 0.0 ? a : x < 0.0 ? -a : Complex(0.0);
    case Operation::sign:
      return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : 0.0;
    case Operation::round:
      return std::floor(x + 0.5);
    case Operation::square_root:
      return std::sqrt(a);
    case Operation::exponential:
      return std::exp(a);
    case Operation::logarithm:
      return std::log(a);
    case Operation::logarithm_10:
      return std::log(a) / std::log(10.0);
    case Operation::sine:
      return std::sin(a);
    case Operation::cosine:
      return std::cos(a);
    case Operation::tangent:
      return std::tan(a);
    case Operation::arc_tangent:
      return std::atan(a);
    case Operation::arc_tangent_2:
      if (x == 0.0 && y == 0.0) return std::atan2(x, y);
      return std::abs(y) > std::abs(x)
                 ? std::atan(a / b) + (y > 0.0 ? 0.0 : std::copysign(std::numbers::pi, x))
                 : std::copysign(0.5 * std::numbers::pi, x) - std::atan(b / a);
    case Operation::hyperbolic_tangent:
      return std::tanh(a);
    default:
      ADD_FAILURE() << "an operation that random expressions have not";
      return 0.0;
  }
}

/// Small enough that its square is nothing beside any number here.
constexpr double kImaginaryStep = 1e-100;

Complex complex_step(const Expression& code, const std::vector<double>& given, std::size_t along) {
  std::vector<Complex> values(given.begin(), given.end());
  values[along] += Complex(0.0, kImaginaryStep);
  values.insert(values.end(), code.numbers.begin(), code.numbers.end());
  for (const Term& term : code.terms) {
    const auto at = [&](int index) { return values[static_cast<std::size_t>(index)]; };
    values.push_back(apply_complex(term.operation, at(term.a), at(term.b), at(term.c)));
  }
  return values[static_cast<std::size_t>(code.result)];
}

std::vector<double> values_of(const std::vector<std::string>& names, double x, double y, double z) {
  std::vector<double> values;
  for (const std::string& name : names) values.push_back(name == "x" ? x : name == "y" ? y : z);
  return values;
}

// the complex step; values have the bits of evaluate()
TEST(ExpressionSlopes, AreThoseOfNestedExpressions) {
  test::RandomExpression text(7);
  std::mt19937 random(8);
  std::uniform_real_distribution<double> any(-3.0, 3.0);
  // a value that differs by more is the end of an ill-conditioned chain or of a corner
  constexpr double kSameValue = 1e-12;
  int compared = 0;
  for (int k = 0; k < 4000; ++k) {
    const std::string t = text(1 + k % 6);
    Sweeps sweeps(t);
    const std::vector<double> given =
        values_of(sweeps.code.names, any(random), any(random), any(random));
    const double value = sweeps.value(given);
    const double again = sweeps.value_with_slopes(given);
    if (!std::isfinite(value)) continue;
    EXPECT_EQ(std::memcmp(&value, &again, sizeof value), 0) << t;
    const bool singular =
        std::any_of(sweeps.slopes.begin(), sweeps.slopes.end(), [](const TermSlopes& s) {
          return !std::isfinite(s.a) || !std::isfinite(s.b) || !std::isfinite(s.c);
        });
    if (singular) continue;
    const std::vector<double> gradient = sweeps.gradient(given);
    for (std::size_t n = 0; n < given.size(); ++n) {
      const Complex stepped = complex_step(sweeps.code, given, n);
      if (!(std::abs(stepped.real() - value) <= kSameValue * (1.0 + std::abs(value)))) continue;
      const double expected = stepped.imag() / kImaginaryStep;
      ++compared;
      // what two paths cancel is lost alike in both
      EXPECT_NEAR(gradient[n], expected, 1e-9 * (1.0 + std::abs(expected)))
          << t << " by " << sweeps.code.names[n] << " at " << given[n];
    }
  }
  EXPECT_GT(compared, 3000);
}

/// Smooth functions of x, y and z within each other, all of them of the size of 1.
std::string smooth_expression(std::mt19937& random, int depth) {
  const auto roll = [&](int sides) {
    return std::uniform_int_distribution<int>(0, sides - 1)(random);
  };
  if (depth == 0) return std::vector<std::string>{"x", "y", "z", "0.7"}[std::size_t(roll(4))];
  const std::string a = smooth_expression(random, depth - 1);
  const std::string b = smooth_expression(random, depth - 1);
  switch (roll(9)) {
    case 0:
      return "(" + a + " + " + b + ")/2";
    case 1:
      return "sin(" + a + ")";
    case 2:
      return "tanh(" + a + " - " + b + ")";
    case 3:
      return "(" + a + ")*(" + b + ")";
    case 4:
      return "(" + a + ")/(2 + (" + b + ")^2)";
    case 5:
      return "exp(-(" + a + ")^2)";
    case 6:
      return "(1.5 + sin(" + a + "))^cos(" + b + ")";
    case 7:
      return "atan2(" + a + ", 2 + cos(" + b + "))";
    default:
      return "sqrt(1 + (" + a + ")^2)/2";
  }
}

// sixth-order differences of the value, and of the first derivative
TEST(ExpressionSlopes, HoldInTimeForNestedExpressions) {
  std::mt19937 random(21);
  constexpr double kStep = 1e-3;  // nested five deep, the seventh derivative is up to 1e7
  for (int k = 0; k < 300; ++k) {
    const std::string t = smooth_expression(random, 1 + k % 5);
    Sweeps sweeps(t);
    const auto at = [&](double s) {
      const CurveValue x{0.3 + s, 1.0, 0.0}, y{-0.5 - 0.2 * s + s * s, 2.0 * s - 0.2, 2.0};
      const CurveValue z{std::sin(s + k), std::cos(s + k), -std::sin(s + k)};
      std::vector<CurveValue> given;
      for (const std::string& name : sweeps.code.names)
        given.push_back(name == "x" ? x : name == "y" ? y : z);
      return sweeps.in_time(given);
    };
    const CurveValue found = at(0.0);
    const double fd = test::derivative([&](double s) { return at(s).f; }, kStep);
    const double fdd = test::derivative([&](double s) { return at(s).fd; }, kStep);
    EXPECT_NEAR(found.fd, fd, kDifferenceError * (1e-2 + std::abs(fd))) << t;
    EXPECT_NEAR(found.fdd, fdd, kDifferenceError * (1e-2 + std::abs(fdd))) << t;
  }
}

// limits by hand
TEST(ExpressionSlopes, AreThoseOfTheLimitAtCorners) {
  EXPECT_EQ(slope_of("x^2", 0.0), 0.0);
  EXPECT_EQ(slope_of("x^2", -2.0), -4.0);
  EXPECT_EQ(slope_of("x^1", 0.0), 1.0);
  EXPECT_EQ(slope_of("x^0", 0.0), 0.0);
  EXPECT_EQ(slope_of("x^0.5", 0.0), kInfinity);
  EXPECT_EQ(slope_of("x^(-1)", 0.0), -kInfinity);
  EXPECT_EQ(slope_of("0^x", 2.0), 0.0);
  EXPECT_EQ(slope_of("(-2)^x", 2.0), 0.0);
  EXPECT_EQ(slope_of("sqrt(x)", 0.0), kInfinity);
  EXPECT_EQ(slope_of("ln(x)", 0.0), kInfinity);
  EXPECT_EQ(slope_of("acos(x)", 1.0), -kInfinity);
  EXPECT_EQ(slope_of("abs(x)", 0.0), 0.0);
  EXPECT_EQ(slope_of("sign(x)", 0.0), 0.0);
  EXPECT_EQ(slope_of("rint(x)", 0.5), 0.0);
  EXPECT_EQ(slope_of("min(x, 2*x)", 0.0), 1.0);
  EXPECT_EQ(slope_of("max(x, 2*x)", 0.0), 1.0);
  EXPECT_EQ(slope_of("atan2(x, 0)", 0.0), 0.0);
}

// d tanh(x)/dx = 1/cosh(x)^2 has all its digits where tanh(x) has none left of its distance to 1,
// and what overflows in a square does not in the slope
TEST(ExpressionSlopes, KeepTheirDigitsFarOut) {
  for (const double x : {3.0, 10.0, 18.0, 30.0}) {
    const double expected = 4.0 * std::exp(-2.0 * x) / std::pow(1.0 + std::exp(-2.0 * x), 2);
    EXPECT_NEAR(slope_of("tanh(x)", x), expected, 1e-14 * expected) << x;
  }
  EXPECT_EQ(slope_of("tanh(x)", 800.0), 0.0);
  EXPECT_NEAR(slope_of("atan2(x, 1e200)", 1e200), 0.5e-200, 1e-214);
  EXPECT_NEAR(slope_of("asinh(x)", 1e200), 1e-200, 1e-214);
  EXPECT_NEAR(slope_of("x^3", 1e-100), 3e-200, 1e-213);
  EXPECT_NEAR(slope_of("x^3", 1e-120), 3e-240, 1e-253);
}

// a slope that is infinite harms nothing that does not depend on it
TEST(ExpressionSlopes, OfWhatIsNotTakenDoNoHarm) {
  EXPECT_EQ(slope_of("x > 0 ? sqrt(x) : 3*x", 0.0), 3.0);
  EXPECT_EQ(slope_of("x == 0 ? x : sin(x)/x", 0.0), 1.0);
  EXPECT_EQ(slope_of("0*sqrt(x) + x", 0.0), 1.0);
  EXPECT_EQ(slope_of("sqrt(x^2)", 0.0), 0.0);
  EXPECT_EQ(slope_of("sqrt(0) + x", 5.0), 1.0);
  Sweeps still("sqrt(x)");
  const CurveValue found = still.in_time({{0.0, 0.0, 0.0}});
  EXPECT_EQ(found.fd, 0.0);
  EXPECT_EQ(found.fdd, 0.0);
}

// along a path to one name alone the other terms need no slopes, and the adjoints of the path's
// terms are zero again
TEST(ExpressionSlopes, AreSweptAlongThePathToOneName) {
  Sweeps sweeps("sin(x*y) + x*sqrt(y) - min(x, y)^2/y");
  const std::vector<double> whole = sweeps.gradient({1.5, 0.5});
  // by hand: y cos(xy) + sqrt(y) and x cos(xy) + x/(2 sqrt(y)) - 1 at x = 1.5, y = 0.5
  EXPECT_NEAR(whole[0], 0.5 * std::cos(0.75) + std::sqrt(0.5), 1e-15);
  EXPECT_NEAR(whole[1], 1.5 * std::cos(0.75) + 0.75 / std::sqrt(0.5) - 1.0, 1e-15);
  for (std::size_t name = 0; name < 2; ++name) {
    std::vector<char> wanted(sweeps.before, 0), sloped(sweeps.code.terms.size(), 0);
    wanted[name] = 1;
    const SlopePath path =
        find_slope_path(sweeps.code.terms, sweeps.before, {sweeps.code.result}, wanted);
    mark_sloped(path, sloped);
    std::fill(sweeps.slopes.begin(), sweeps.slopes.end(), TermSlopes{NAN, NAN, NAN});
    evaluate_with_slopes(sweeps.code.terms, sloped, 0, sweeps.code.terms.size(), sweeps.before,
                         sweeps.values.data(), sweeps.slopes.data());
    std::fill(sweeps.adjoints.begin(), sweeps.adjoints.end(), 0.0);
    sweeps.adjoints[static_cast<std::size_t>(sweeps.code.result)] = 1.0;
    pull_back(path, sweeps.before, sweeps.slopes.data(), sweeps.adjoints.data());
    EXPECT_EQ(whole[name], sweeps.adjoints[name]);
    EXPECT_EQ(sweeps.adjoints[1 - name], 0.0);
    for (std::size_t k = sweeps.before; k < sweeps.code.value_count(); ++k)
      EXPECT_EQ(sweeps.adjoints[k], 0.0);
  }
}

}  // namespace
}  // namespace semirec
