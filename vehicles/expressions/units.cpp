#include "vehicles/expressions/units.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include "topology/ascii.hpp"
#include "topology/nearest.hpp"

namespace semirec {

namespace {

struct Symbol {
  std::string_view name;
  UnitDimension dimension;  ///< m, kg, s, A, K
};

constexpr std::array<Symbol, 18> kSymbols{{{"1", {}},
                                           {"m", {1}},
                                           {"kg", {0, 1}},
                                           {"s", {0, 0, 1}},
                                           {"A", {0, 0, 0, 1}},
                                           {"K", {0, 0, 0, 0, 1}},
                                           {"rad", {}},
                                           {"Hz", {0, 0, -1}},
                                           {"N", {1, 1, -2}},
                                           {"Pa", {-1, 1, -2}},
                                           {"J", {2, 1, -2}},
                                           {"W", {2, 1, -3}},
                                           {"C", {0, 0, 1, 1}},
                                           {"V", {2, 1, -3, -1}},
                                           {"Ohm", {2, 1, -3, -2}},
                                           {"F", {-2, -1, 4, 2}},
                                           {"H", {2, 1, -2, -2}},
                                           {"T", {0, 1, -2, -1}}}};

struct Other {
  std::string_view name, instead;
};

/// Units that are met in the field and are not of SI, or multiples.
constexpr std::array<Other, 36> kOthers{
    {{"mm", "m"},     {"cm", "m"},      {"km", "m"},    {"in", "m"},    {"inch", "m"},
     {"ft", "m"},     {"mi", "m"},      {"g", "kg"},    {"t", "kg"},    {"lb", "kg"},
     {"lbm", "kg"},   {"slug", "kg"},   {"ms", "s"},    {"min", "s"},   {"h", "s"},
     {"kph", "m/s"},  {"kmh", "m/s"},   {"mph", "m/s"}, {"deg", "rad"}, {"degree", "rad"},
     {"grad", "rad"}, {"rpm", "rad/s"}, {"rev", "rad"}, {"kN", "N"},    {"lbf", "N"},
     {"Nm", "N m"},   {"kW", "W"},      {"PS", "W"},    {"hp", "W"},    {"kJ", "J"},
     {"bar", "Pa"},   {"kPa", "Pa"},    {"MPa", "Pa"},  {"psi", "Pa"},  {"degC", "K"},
     {"l", "m^3"}}};

UnitDimension combine(const UnitDimension& a, const UnitDimension& b, double power) {
  return {a.metre + power * b.metre, a.kilogram + power * b.kilogram, a.second + power * b.second,
          a.ampere + power * b.ampere, a.kelvin + power * b.kelvin};
}

UnitDimension raise(const UnitDimension& a, double power) { return combine({}, a, power); }

bool is_one(const UnitDimension& dimension) { return same(dimension, {}); }

class UnitParser {
 public:
  explicit UnitParser(std::string_view text) : text_(text) {}

  UnitDimension run() {
    const UnitDimension dimension = read_product();
    if (at_ != text_.size()) fail(std::string("unexpected '") + text_[at_] + "' in a unit");
    return dimension;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw ExpressionError(what, at_ + 1); }

  void skip_blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool take(char sign) {
    skip_blanks();
    if (at_ == text_.size() || text_[at_] != sign) return false;
    ++at_;
    return true;
  }
  bool at_factor() {
    skip_blanks();
    if (at_ == text_.size()) return false;
    const char c = text_[at_];
    return c == '(' || c == '1' || ascii::is_letter(c);
  }

  UnitDimension read_product() {
    UnitDimension dimension = read_power();
    bool divided = false;
    while (true) {
      if (take('/')) {
        dimension = combine(dimension, read_power(), -1.0);
        divided = true;
      } else if (take('*') || at_factor()) {
        if (divided) fail("a product behind a slash, expected brackets around it or it before");
        dimension = combine(dimension, read_power(), 1.0);
      } else {
        return dimension;
      }
    }
  }

  UnitDimension read_power() {
    const UnitDimension base = read_factor();
    if (!take('^')) return base;
    skip_blanks();
    double exponent = 0.0;
    const char* begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), exponent);
    // larger ones are mistakes
    if (error != std::errc() || !(std::abs(exponent) <= 100.0))
      fail("'^' of a unit without a number, expected one such as 2 or 0.5");
    at_ += static_cast<std::size_t>(end - begin);
    return raise(base, exponent);
  }

  UnitDimension read_factor() {
    if (take('(')) {
      constexpr int kDeepest = 20;
      if (++depth_ > kDeepest) {
        --at_;
        fail("more than 20 brackets deep in a unit");
      }
      const UnitDimension dimension = read_product();
      if (!take(')')) fail("')' is missing in a unit");
      --depth_;
      return dimension;
    }
    if (!at_factor())
      fail(at_ == text_.size() ? "a unit ends where a symbol is expected"
                               : std::string("unexpected '") + text_[at_] + "' in a unit");
    const std::size_t begin = at_;
    if (text_[at_] == '1')
      ++at_;
    else
      while (at_ < text_.size() && ascii::is_letter(text_[at_])) ++at_;
    const std::string_view name = text_.substr(begin, at_ - begin);
    for (const Symbol& symbol : kSymbols)
      if (symbol.name == name) return symbol.dimension;
    at_ = begin;
    for (const Other& other : kOthers)
      if (other.name == name)
        fail("unit '" + std::string(name) + "' is not SI, expected '" + std::string(other.instead) +
             "'");
    std::vector<std::string> known;
    for (const Symbol& symbol : kSymbols) known.emplace_back(symbol.name);
    fail("unknown unit '" + std::string(name) + "'" + nearest_hint(std::string(name), known));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

/// Units under which the field knows a dimension, in the order in which they are tried.
constexpr std::array<std::string_view, 22> kUsual{
    "1",     "m",     "m/s",    "m/s^2", "m/s^3", "1/s", "1/s^2", "N",   "N/m", "N s/m", "N m",
    "N m s", "N/m^2", "kg m^2", "W",     "W/K",   "V",   "Ohm",   "V s", "C",   "m^2",   "m^3"};

std::string number_text(double number) {
  std::array<char, 32> text{};
  const double rounded = std::round(number * 1e6) / 1e6;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), rounded).ptr;
  return {text.data(), end};
}

using Known = std::optional<UnitDimension>;

/// Walks over the terms of an expression; values of what is made of written numbers alone.
class DimensionSweep {
 public:
  DimensionSweep(const Expression& code, const std::vector<Known>& names)
      : code_(code), known_(names) {
    known_.resize(code.value_count());
    constant_.resize(code.value_count());
    for (std::size_t k = 0; k < code.numbers.size(); ++k)
      constant_[code.names.size() + k] = code.numbers[k];
  }

  Known run() {
    const std::size_t before = code_.names.size() + code_.numbers.size();
    for (std::size_t k = 0; k < code_.terms.size(); ++k) {
      column_ = code_.columns[k];
      known_[before + k] = of(code_.terms[k]);
      constant_[before + k] = constant_of(code_.terms[k]);
    }
    return known_[static_cast<std::size_t>(code_.result)];
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw ExpressionError(what, column_); }

  const Known& at(int index) const { return known_[static_cast<std::size_t>(index)]; }

  /// Of two values that must be of one unit.
  Known common(const Known& a, const Known& b, const std::string& what) const {
    if (a && b && !same(*a, *b))
      fail(what + " of '" + unit_text(*a) + "' and '" + unit_text(*b) +
           "', expected the same unit");
    return a ? a : b;
  }

  void require_one(const Known& a, const std::string& what) const {
    if (a && !is_one(*a)) fail(what + " of '" + unit_text(*a) + "', expected a value of unit 1");
  }

  Known power(const Term& term) const {
    const Known& base = at(term.a);
    const Known& exponent = at(term.b);
    if (exponent && !is_one(*exponent))
      fail("an exponent of unit '" + unit_text(*exponent) + "', expected one of unit 1");
    if (!base || is_one(*base)) return base;
    const std::optional<double>& number = constant_[static_cast<std::size_t>(term.b)];
    if (!number || !std::isfinite(*number))
      fail("a value of unit '" + unit_text(*base) +
           "' to the power of a value that is no written number, expected a written number");
    return raise(*base, *number);
  }

  Known of(const Term& term) const {
    const Known& a = at(term.a);
    const Known& b = at(term.b);
    switch (term.operation) {
      case Operation::add:
      case Operation::subtract:
        return common(a, b, term.operation == Operation::add ? "a sum" : "a difference");
      case Operation::multiply:
      case Operation::divide:
        if (!a || !b) return {};
        return combine(*a, *b, term.operation == Operation::multiply ? 1.0 : -1.0);
      case Operation::power:
        return power(term);
      case Operation::negate:
      case Operation::absolute:
        return a;
      case Operation::less:
      case Operation::less_or_equal:
      case Operation::greater:
      case Operation::greater_or_equal:
      case Operation::equal:
      case Operation::unequal:
        common(a, b, "a comparison");
        return UnitDimension{};
      case Operation::both:
      case Operation::either:
      case Operation::sign:
        return UnitDimension{};
      case Operation::choose:
        return common(b, at(term.c), "a choice");
      case Operation::minimum:
        return common(a, b, "the minimum");
      case Operation::maximum:
        return common(a, b, "the maximum");
      case Operation::square_root:
        return a ? Known(raise(*a, 0.5)) : a;
      case Operation::arc_tangent_2:
        common(a, b, "atan2");
        return UnitDimension{};
      case Operation::look_up_1:
      case Operation::look_up_2:
        return {};
      default:
        require_one(a, "a function");
        return UnitDimension{};
    }
  }

  /// Value of what exponents are made of: signs, and broken numbers as 1/3.
  std::optional<double> constant_of(const Term& term) const {
    const std::optional<double>& a = constant_[static_cast<std::size_t>(term.a)];
    const std::optional<double>& b = constant_[static_cast<std::size_t>(term.b)];
    if (!a || !b) return {};
    switch (term.operation) {
      case Operation::negate:
        return -*a;
      case Operation::add:
        return *a + *b;
      case Operation::subtract:
        return *a - *b;
      case Operation::multiply:
        return *a * *b;
      case Operation::divide:
        return *a / *b;
      default:
        return {};
    }
  }

  const Expression& code_;
  std::vector<Known> known_;
  std::vector<std::optional<double>> constant_;
  std::size_t column_ = 0;
};

}  // namespace

bool same(const UnitDimension& a, const UnitDimension& b) {
  const auto near = [](double x, double y) { return std::abs(x - y) < 1e-9; };
  return near(a.metre, b.metre) && near(a.kilogram, b.kilogram) && near(a.second, b.second) &&
         near(a.ampere, b.ampere) && near(a.kelvin, b.kelvin);
}

UnitDimension parse_unit(std::string_view text) { return UnitParser(text).run(); }

std::string unit_text(const UnitDimension& dimension) {
  for (const std::string_view usual : kUsual)
    if (same(parse_unit(usual), dimension)) return std::string(usual);
  std::string text;
  const auto put = [&](double exponent, const char* symbol) {
    if (std::abs(exponent) < 1e-9) return;
    text += (text.empty() ? "" : " ") + std::string(symbol);
    if (exponent != 1.0) text += "^" + number_text(exponent);
  };
  put(dimension.kilogram, "kg");
  put(dimension.metre, "m");
  put(dimension.second, "s");
  put(dimension.ampere, "A");
  put(dimension.kelvin, "K");
  return text;
}

std::optional<UnitDimension> dimension_of(const Expression& expression,
                                          const std::vector<std::optional<UnitDimension>>& names) {
  return DimensionSweep(expression, names).run();
}

}  // namespace semirec
