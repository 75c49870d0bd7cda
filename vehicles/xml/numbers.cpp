#include "vehicles/xml/numbers.hpp"

#include <cctype>
#include <charconv>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include <muParser.h>

#include "vehicles/xml/nearest.hpp"

namespace semirec {

namespace {

[[noreturn]] void fail(const std::string& text, const std::string& why) {
  throw std::invalid_argument("is '" + text + "', " + why);
}

bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

double finite(double value, const std::string& text) {
  if (!std::isfinite(value)) fail(text, "which is not finite, expected a finite number");
  return value;
}

double parse_literal(const std::string& token, const std::string& text) {
  const char* begin = token.data();
  const char* end = begin + token.size();
  if (token.size() > 1 && token[0] == '+' && token[1] != '-') ++begin;
  double value = 0.0;
  const auto [stop, error] = std::from_chars(begin, end, value);
  if (error == std::errc::result_out_of_range)
    fail(text, "which is out of range, expected a finite number");
  if (error == std::errc() && stop == end) return finite(value, text);
  if (error == std::errc() && *stop == ',')
    fail(text, "which has a comma, expected a decimal point and blanks between numbers");
  if (error == std::errc() && (is_letter(*stop) || *stop == '%'))
    fail(text, "which carries a unit, expected a bare number in SI units");
  fail(text, "which is not a number, expected one such as 0.97 or an expression in braces");
}

double evaluate(const std::string& expression, const Scope& scope, const std::string& text) {
  const std::map<std::string, double> known = scope.visible();
  mu::Parser parser;
  try {
    parser.DefineConst("pi", std::numbers::pi);
    for (const auto& [name, value] : known) parser.DefineConst(name, value);
    parser.SetExpr(expression);
    int results = 0;
    const double* values = parser.Eval(results);
    if (results != 1)
      fail(text, "whose expression has a comma, expected one value with a decimal point");
    return finite(values[0], text);
  } catch (const mu::ParserError& error) {
    if (error.GetCode() == mu::ecUNASSIGNABLE_TOKEN && !error.GetToken().empty() &&
        (is_letter(error.GetToken()[0]) || error.GetToken()[0] == '_')) {
      std::vector<std::string> names{"pi"};
      for (const auto& [name, value] : known) names.push_back(name);
      fail(text, "whose expression uses the unknown name '" + error.GetToken() + "'" +
                     nearest_hint(error.GetToken(), names));
    }
    fail(text, "whose expression cannot be evaluated (" + error.GetMsg() +
                   "), expected one such as {xa - 0.14}");
  }
}

double parse_token(const std::string& token, const Scope& scope, const std::string& text) {
  if (token.front() != '{') return parse_literal(token, text);
  if (token.back() != '}' || token.size() < 3)
    fail(text, "whose braces do not hold an expression, expected one such as {xa - 0.14}");
  return evaluate(token.substr(1, token.size() - 2), scope, text);
}

/// Splits at blanks outside braces.
std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> tokens;
  bool open = false;
  bool in_token = false;
  for (const char c : text) {
    if (!open && is_blank(c)) {
      in_token = false;
      continue;
    }
    if (!in_token) tokens.emplace_back();
    in_token = true;
    tokens.back() += c;
    if (c == '{' && open) fail(text, "which has a brace within braces, expected one pair of them");
    if (c == '{') open = true;
    if (c == '}') open = false;
  }
  if (open) fail(text, "whose brace is not closed, expected an expression such as {xa - 0.14}");
  return tokens;
}

}  // namespace

const double* Scope::find(const std::string& name) const {
  const auto found = values_.find(name);
  if (found != values_.end()) return &found->second;
  return outer_ ? outer_->find(name) : nullptr;
}

std::map<std::string, double> Scope::visible() const {
  std::map<std::string, double> all = values_;
  if (outer_) all.merge(outer_->visible());
  return all;
}

bool is_parameter_name(const std::string& name) {
  if (name.empty() || name == "pi" || !(is_letter(name[0]) || name[0] == '_')) return false;
  for (const char c : name)
    if (!is_letter(c) && c != '_' && (c < '0' || c > '9')) return false;
  const mu::Parser parser;
  return parser.GetFunDef().count(name) == 0 && parser.GetConst().count(name) == 0;
}

double parse_number(const std::string& text, const Scope& scope) {
  const std::vector<std::string> tokens = split(text);
  if (tokens.empty()) fail(text, "which is empty, expected a number");
  if (tokens.size() > 1 && (is_letter(tokens[1][0]) || tokens[1][0] == '%'))
    fail(text, "which carries a unit, expected a bare number in SI units");
  if (tokens.size() > 1)
    fail(text, "which is " + std::to_string(tokens.size()) + " numbers, expected one");
  return parse_token(tokens[0], scope, text);
}

std::vector<double> parse_numbers(const std::string& text, const Scope& scope) {
  std::vector<double> values;
  for (const std::string& token : split(text)) {
    if (!values.empty() && is_letter(token[0]) && token != "nan" && token != "inf")
      fail(text, "which carries a unit, expected bare numbers in SI units");
    values.push_back(parse_token(token, scope, text));
  }
  return values;
}

}  // namespace semirec
