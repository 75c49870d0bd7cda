#include <gtest/gtest.h>

#include "vehicles/expressions/units.hpp"

namespace semirec {
namespace {

// m, kg, s, A, K by the definitions of the SI (BIPM, SI brochure, tables 2 and 4)
TEST(ExpressionUnits, AreProductsOfBaseUnits) {
  struct Case {
    const char* text;
    UnitDimension dimension;
  };
  for (const Case& c : {Case{"1", {}},
                        Case{"m", {1}},
                        Case{"m/s", {1, 0, -1}},
                        Case{"m/s^2", {1, 0, -2}},
                        Case{"N", {1, 1, -2}},
                        Case{"N m", {2, 1, -2}},
                        Case{"N*m", {2, 1, -2}},
                        Case{"N s/m", {0, 1, -1}},
                        Case{"N/m", {0, 1, -2}},
                        Case{"N m/rad", {2, 1, -2}},
                        Case{"N m s/rad", {2, 1, -1}},
                        Case{"kg", {0, 1}},
                        Case{"kg m^2", {2, 1}},
                        Case{"s", {0, 0, 1}},
                        Case{"Hz", {0, 0, -1}},
                        Case{"rad", {}},
                        Case{"rad/s", {0, 0, -1}},
                        Case{"1/s", {0, 0, -1}},
                        Case{"W", {2, 1, -3}},
                        Case{"J", {2, 1, -2}},
                        Case{"Pa", {-1, 1, -2}},
                        Case{"N/m^2", {-1, 1, -2}},
                        Case{"K", {0, 0, 0, 0, 1}},
                        Case{"V", {2, 1, -3, -1}},
                        Case{"V s/rad", {2, 1, -2, -1}},
                        Case{"N m/A", {2, 1, -2, -1}},
                        Case{"Ohm", {2, 1, -3, -2}},
                        Case{"H", {2, 1, -2, -2}},
                        Case{"C/V", {-2, -1, 4, 2}},
                        Case{"rad/s/(N m)^0.5", {-1, -0.5, 0}},
                        Case{"N/(m s)", {0, 1, -3}},
                        Case{" m ^ -1 ", {-1}},
                        Case{"((m)^2)^0.5", {1}},
                        Case{"s^-2", {0, 0, -2}}}) {
    EXPECT_TRUE(same(parse_unit(c.text), c.dimension)) << c.text;
    EXPECT_TRUE(same(parse_unit(unit_text(c.dimension)), c.dimension)) << unit_text(c.dimension);
  }
}

TEST(ExpressionUnits, AreWrittenAsTheFieldDoes) {
  for (const char* usual : {"1", "m", "m/s", "m/s^2", "N", "N m", "N/m", "N s/m", "W", "kg m^2"})
    EXPECT_EQ(unit_text(parse_unit(usual)), usual);
  EXPECT_EQ(unit_text(parse_unit("J")), "N m");
  EXPECT_EQ(unit_text(parse_unit("rad")), "1");
  EXPECT_EQ(unit_text(parse_unit("m^0.5/s")), "m^0.5 s^-1");
}

TEST(ExpressionUnits, SayWhatIsNoUnitOfSi) {
  struct Case {
    std::string text;
    std::size_t column;
    std::string what;
  };
  for (const Case& c :
       {Case{"", 1, "a unit ends where a symbol is expected"},
        Case{"km/h", 1, "unit 'km' is not SI, expected 'm'"},
        Case{"m/h", 3, "unit 'h' is not SI, expected 's'"},
        Case{"bar", 1, "unit 'bar' is not SI, expected 'Pa'"},
        Case{"deg/s", 1, "unit 'deg' is not SI, expected 'rad'"},
        Case{"rpm", 1, "unit 'rpm' is not SI, expected 'rad/s'"},
        Case{"Nm", 1, "unit 'Nm' is not SI, expected 'N m'"},
        Case{"N mm", 3, "unit 'mm' is not SI, expected 'm'"},
        Case{"Rad", 1, "unknown unit 'Rad', nearest known name is 'rad'"},
        Case{"N/m s", 5, "a product behind a slash, expected brackets around it or it before"},
        Case{"m/", 3, "a unit ends where a symbol is expected"},
        Case{"m^", 3, "'^' of a unit without a number, expected one such as 2 or 0.5"},
        Case{"m^x", 3, "'^' of a unit without a number, expected one such as 2 or 0.5"},
        Case{"m^nan", 3, "'^' of a unit without a number, expected one such as 2 or 0.5"},
        Case{"(m", 3, "')' is missing in a unit"}, Case{"m)", 2, "unexpected ')' in a unit"},
        Case{"2 m", 1, "unexpected '2' in a unit"}, Case{"10", 2, "unexpected '0' in a unit"},
        Case{std::string(1000, '('), 21, "more than 20 brackets deep in a unit"}}) {
    try {
      parse_unit(c.text);
      ADD_FAILURE() << c.text << " is taken";
    } catch (const ExpressionError& error) {
      EXPECT_EQ(error.what(), c.what) << c.text;
      EXPECT_EQ(error.column(), c.column) << c.text;
    }
  }
}

std::optional<UnitDimension> of(const std::string& text) {
  const Expression code = compile_expression(text);
  std::vector<std::optional<UnitDimension>> names;
  // u is unknown
  for (const std::string& name : code.names)
    names.push_back(name == "u"        ? std::nullopt
                    : name == "x"      ? std::optional(parse_unit("m"))
                    : name == "v"      ? std::optional(parse_unit("m/s"))
                    : name == "t"      ? std::optional(parse_unit("s"))
                    : name == "torque" ? std::optional(parse_unit("N m"))
                    : name == "k"      ? std::optional(parse_unit("N/m"))
                                       : std::optional(parse_unit("rad")));
  return dimension_of(code, names);
}

// by hand
TEST(ExpressionUnits, FollowFromThoseOfTheNames) {
  struct Case {
    const char* text;
    const char* unit;
  };
  for (const Case& c : {Case{"k*x", "N"},
                        Case{"v*t + x", "m"},
                        Case{"x/t - v", "m/s"},
                        Case{"k*x^2/2 + torque", "J"},
                        Case{"-x", "m"},
                        Case{"abs(x)", "m"},
                        Case{"sqrt(x)", "m^0.5"},
                        Case{"sqrt(x^2)", "m"},
                        Case{"x^(1/2)", "m^0.5"},
                        Case{"x^-1", "1/m"},
                        Case{"(x^(1/3))^3", "m"},
                        Case{"angle^angle2", "1"},
                        Case{"x > 3", "1"},
                        Case{"x > 0 ? x : v*t", "m"},
                        Case{"min(x, v*t, 3)", "m"},
                        Case{"max(2, v)", "m/s"},
                        Case{"sin(angle)", "1"},
                        Case{"sin(x/(v*t))", "1"},
                        Case{"atan2(x, v*t)", "1"},
                        Case{"atan(angle)", "1"},
                        Case{"sign(x)", "1"},
                        Case{"x + 3", "m"},
                        Case{"2*x + v*t", "m"},
                        Case{"exp(-t*v/x)", "1"},
                        Case{"x < 1 && v > 2", "1"},
                        Case{"u > 3 ? x : u", "m"},
                        Case{"u + x", "m"},
                        Case{"x^0", "1"},
                        Case{"sum(x, x, x)", "m"}}) {
    const std::optional<UnitDimension> found = of(c.text);
    ASSERT_TRUE(found.has_value()) << c.text;
    EXPECT_TRUE(same(*found, parse_unit(c.unit))) << c.text << ": " << unit_text(*found);
  }
  for (const char* unknown : {"3", "2*x", "u", "u*x", "u/x", "2 + 3", "u^2", "sqrt(2*x)",
                              "avg(x, x)", "min(u, 3)", "u ? u : 3", "-(2*x)"})
    EXPECT_FALSE(of(unknown).has_value()) << unknown;
}

TEST(ExpressionUnits, ThatDoNotFitAreSaid) {
  struct Case {
    std::string text;
    std::size_t column;
    std::string what;
  };
  for (const Case& c :
       {Case{"torque + x", 8, "a sum of 'N m' and 'm', expected the same unit"},
        Case{"2 + torque - x", 12, "a difference of 'N m' and 'm', expected the same unit"},
        Case{"min(x, v)", 1, "the minimum of 'm' and 'm/s', expected the same unit"},
        Case{"1 + max(3, x, v)", 5, "the maximum of 'm' and 'm/s', expected the same unit"},
        Case{"t > 0 ? x : v", 7, "a choice of 'm' and 'm/s', expected the same unit"},
        Case{"x < v", 3, "a comparison of 'm' and 'm/s', expected the same unit"},
        Case{"x == torque", 3, "a comparison of 'm' and 'N m', expected the same unit"},
        Case{"sin(x)", 1, "a function of 'm', expected a value of unit 1"},
        Case{"1 + exp(t)", 5, "a function of 's', expected a value of unit 1"},
        Case{"rint(x)", 1, "a function of 'm', expected a value of unit 1"},
        Case{"atan2(x, v)", 1, "atan2 of 'm' and 'm/s', expected the same unit"},
        Case{"2^x", 2, "an exponent of unit 'm', expected one of unit 1"},
        Case{"x^angle", 2,
             "a value of unit 'm' to the power of a value that is no written number, expected a "
             "written number"},
        Case{"x^(1/0)", 2,
             "a value of unit 'm' to the power of a value that is no written number, expected a "
             "written number"},
        Case{"sqrt(x) + x", 9, "a sum of 'm^0.5' and 'm', expected the same unit"}}) {
    try {
      of(c.text);
      ADD_FAILURE() << c.text << " is taken";
    } catch (const ExpressionError& error) {
      EXPECT_EQ(error.what(), c.what) << c.text;
      EXPECT_EQ(error.column(), c.column) << c.text;
    }
  }
}

}  // namespace
}  // namespace semirec
