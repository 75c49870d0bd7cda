#include <ctime>
#include <numbers>
#include <stdexcept>

#include <gtest/gtest.h>

#include "topology/nearest.hpp"
#include "vehicles/files/xml/numbers.hpp"

namespace semirec {
namespace {

TEST(XmlNumbers, ReadLiteralsExactly) {
  const Scope scope;
  EXPECT_EQ(parse_number("0.97", scope), 0.97);
  EXPECT_EQ(parse_number(" -1.5e3 ", scope), -1500.0);
  EXPECT_EQ(parse_number("+2", scope), 2.0);
  EXPECT_EQ(parse_number(".5", scope), 0.5);
}

TEST(XmlNumbers, EvaluateExpressionsOfParametersPiAndFunctions) {
  Scope scope;
  scope.define("xa", 0.97);
  EXPECT_EQ(parse_number("{xa - 0.14}", scope), 0.97 - 0.14);
  EXPECT_EQ(parse_number("{pi}", scope), std::numbers::pi);
  EXPECT_EQ(parse_number("{sqrt(16)/2 + 3*(1 - 2)^2}", scope), 5.0);
  EXPECT_DOUBLE_EQ(parse_number("{atan2(1, 1)}", scope), std::numbers::pi / 4.0);
}

TEST(XmlNumbers, BlanksInsideBracesDoNotSeparate) {
  Scope scope;
  scope.define("x", 2.0);
  EXPECT_EQ(parse_numbers("{ x + 1 } 0 {x*x}", scope), (std::vector<double>{3.0, 0.0, 4.0}));
}

TEST(XmlNumbers, InnerScopeHidesOuterOne) {
  const auto outer = std::make_shared<Scope>();
  outer->define("x", 1.0);
  outer->define("y", 5.0);
  Scope inner(outer);
  EXPECT_TRUE(inner.define("x", 2.0));
  EXPECT_FALSE(inner.define("x", 3.0));
  EXPECT_EQ(parse_number("{x + y}", inner), 7.0);
}

TEST(XmlNumbers, RefuseWhatIsNoFiniteSiNumber) {
  const Scope scope;
  for (const char* text :
       {"",     "abc",   "1,5",   "12 mm", "12mm",  "50%", "1 2",     "nan",    "-nan", "inf",
        "-inf", "1e999", "{1/0}", "{0/0}", "{1,2}", "{}",  "{ }",     "{1",     "1}",   "{{1}}",
        "{x}",  "{1}2",  "0x10",  "+-1",   "--1",   "1e",  "{x = 2}", "{\"a\"}"})
    EXPECT_THROW(parse_number(text, scope), std::invalid_argument) << text;
}

TEST(XmlNumbers, ParameterNamesAreWordsThatNoFunctionHasTaken) {
  EXPECT_TRUE(is_parameter_name("x_shock2"));
  for (const char* name : {"", "2x", "a-b", "a b", "pi", "sin", "sqrt"})
    EXPECT_FALSE(is_parameter_name(name)) << name;
}

TEST(XmlNearest, NamesTheSmallestEditDistance) {
  EXPECT_EQ(nearest("carier_fl", {"arm_fl", "carrier_fl", "carrier_fr"}), "carrier_fl");
  EXPECT_EQ(nearest("x", {}), "");
  EXPECT_EQ(nearest("braking", {"plank", "straight_braking", "braking_in_a_turn"}),
            "straight_braking");
}

// 100 000 letters against as many each time would be 10^10 comparisons a candidate.
TEST(XmlNearest, OfLongWordsTakesABoundedTime) {
  const std::string word(100'000, 'a');
  std::vector<std::string> candidates;
  for (int k = 0; k < 200; ++k) candidates.push_back(std::string(100'000 - k, 'b') + "a");
  candidates.push_back(std::string(90, 'a') + std::string(10, 'b'));
  const std::clock_t begin = std::clock();
  EXPECT_EQ(nearest(word, candidates), candidates.back());
  EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 1.0);
}

}  // namespace
}  // namespace semirec
