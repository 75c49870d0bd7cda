#include "vehicles/files/xml/numbers.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <numbers>
#include <stdexcept>

#include <Eigen/Geometry>

#include "topology/ascii.hpp"
#include "topology/nearest.hpp"
#include "vehicles/expressions/expression.hpp"

namespace semirec {

namespace {

using Eigen::Vector3d;

/// Longer expressions are no expressions.
constexpr std::size_t kLongestExpression = 2000;
const std::array<std::string, 4> kPointFunctions{"unit", "cross", "distance", "dot"};

[[noreturn]] void fail(const std::string& text, const std::string& why) {
  throw std::invalid_argument("is '" + text + "', " + why);
}

bool is_blank(char c) { return ascii::is_blank(c); }
bool is_letter(char c) { return ascii::is_letter(c); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_start(char c) { return is_letter(c) || c == '_'; }
bool is_in_name(char c) { return is_name_start(c) || is_digit(c); }

std::string trim(const std::string& text) {
  std::size_t begin = 0;
  std::size_t end = text.size();
  while (begin < end && is_blank(text[begin])) ++begin;
  while (end > begin && is_blank(text[end - 1])) --end;
  return text.substr(begin, end - begin);
}

// the products of some such numbers are finite
constexpr double kLargestValue = 1e100;

double finite(double value, const std::string& text) {
  if (!std::isfinite(value)) fail(text, "which is not finite, expected a finite number");
  if (std::abs(value) > kLargestValue)
    fail(text, "which is too large to calculate with, expected a magnitude of at most 1e100");
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

bool is_function(const std::string& name) {
  return is_expression_function(name) ||
         std::find(kPointFunctions.begin(), kPointFunctions.end(), name) != kPointFunctions.end();
}

/// A name in an expression, with its components: `hub`, `hub.y`.
struct Word {
  std::size_t at = 0;
  std::string name;
};

std::size_t skip_number(const std::string& text, std::size_t i) {
  while (i < text.size() && (is_digit(text[i]) || text[i] == '.')) ++i;
  if (i >= text.size() || (text[i] != 'e' && text[i] != 'E')) return i;
  std::size_t j = i + 1;
  if (j < text.size() && (text[j] == '+' || text[j] == '-')) ++j;
  if (j >= text.size() || !is_digit(text[j])) return i;
  while (j < text.size() && is_digit(text[j])) ++j;
  return j;
}

std::vector<Word> words_of(const std::string& text) {
  std::vector<Word> words;
  std::size_t i = 0;
  while (i < text.size()) {
    if (is_digit(text[i]) || text[i] == '.') {
      i = skip_number(text, i);
    } else if (is_name_start(text[i])) {
      Word word{i, {}};
      while (i < text.size() && (is_in_name(text[i]) || text[i] == '.')) word.name += text[i++];
      words.push_back(word);
    } else {
      ++i;
    }
  }
  return words;
}

/// The text of one expression of numbers and points. Code is of numbers only, so functions of
/// points are taken out first and the rest is evaluated by component.
class PointExpression {
 public:
  PointExpression(const Scope& scope, const std::string& text) : scope_(scope), text_(text) {}

  Value evaluate(std::string expression) {
    if (expression.size() > kLongestExpression)
      fail(text_.substr(0, 40) + "...", "which is " + std::to_string(expression.size()) +
                                            " characters long, expected at most " +
                                            std::to_string(kLongestExpression));
    refuse_assignment(expression);
    while (reduce(expression)) {
    }
    return evaluate_rest(expression);
  }

 private:
  void refuse_assignment(const std::string& expression) const;
  bool reduce(std::string& expression);
  Value call(const std::string& function, const std::vector<Vector3d>& points) const;
  Value evaluate_rest(const std::string& expression) const;
  Expression compile(const std::string& expression) const;
  double evaluate_code(const Expression& code, std::vector<double>& values) const;
  const Value* find(const std::string& name) const;
  Value look_up(const std::string& name) const;

  const Scope& scope_;
  const std::string& text_;
  std::map<std::string, Value> made_;  ///< results of functions of points
};

const Value* PointExpression::find(const std::string& name) const {
  const auto found = made_.find(name);
  return found != made_.end() ? &found->second : scope_.find(name);
}

Value PointExpression::look_up(const std::string& name) const {
  if (const Value* value = find(name)) return *value;
  const std::size_t dot = name.rfind('.');
  const std::string owner = name.substr(0, dot);
  const Value* of = dot == std::string::npos ? nullptr : find(owner);
  if (of == nullptr) {
    std::vector<std::string> names = scope_.names();
    names.emplace_back("pi");
    fail(text_,
         "whose expression uses the unknown name '" + owner + "'" + nearest_hint(owner, names));
  }
  const std::string component = name.substr(dot + 1);
  const auto* point = std::get_if<Vector3d>(of);
  if (point == nullptr)
    fail(text_, "whose expression takes the component '" + component + "' of '" + owner +
                    "', which is " + describe(*of) + ", expected a point");
  if (component.size() != 1 || component[0] < 'x' || component[0] > 'z')
    fail(text_, "whose expression takes the component '" + component + "' of the point '" + owner +
                    "', expected x, y or z");
  return (*point)[component[0] - 'x'];
}

/// A single = is taken for a comparison by some and for an assignment by others.
void PointExpression::refuse_assignment(const std::string& expression) const {
  const std::string before = "=!<>";
  for (std::size_t i = 0; i < expression.size(); ++i) {
    if (expression[i] != '=') continue;
    const bool compares = i > 0 && before.find(expression[i - 1]) != std::string::npos;
    const bool doubled = i + 1 < expression.size() && expression[i + 1] == '=';
    if (!compares && !doubled)
      fail(text_, "whose expression assigns by =, expected a value (== compares)");
  }
}

/// Takes the last function of points out: its arguments hold no other. False if there is none.
bool PointExpression::reduce(std::string& expression) {
  const std::vector<Word> words = words_of(expression);
  const auto is_call = [&](const Word& word) {
    return std::find(kPointFunctions.begin(), kPointFunctions.end(), word.name) !=
           kPointFunctions.end();
  };
  const auto last = std::find_if(words.rbegin(), words.rend(), is_call);
  if (last == words.rend()) return false;
  std::size_t i = last->at + last->name.size();
  while (i < expression.size() && is_blank(expression[i])) ++i;
  if (i == expression.size() || expression[i] != '(')
    fail(text_, "whose expression has '" + last->name + "' without arguments, expected '" +
                    last->name + "(...)'");
  // arguments between the brackets
  std::vector<std::string> arguments(1);
  int depth = 1;
  for (++i; i < expression.size(); ++i) {
    const char c = expression[i];
    if (c == '(') ++depth;
    if (c == ')' && --depth == 0) break;
    if (c == ',' && depth == 1) {
      arguments.emplace_back();
    } else {
      arguments.back() += c;
    }
  }
  if (depth != 0)
    fail(text_,
         "whose expression does not close the bracket of '" + last->name + "', expected a bracket");
  const std::size_t expected = last->name == "unit" ? 1 : 2;
  if (arguments.size() != expected)
    fail(text_, "whose expression gives '" + last->name + "' " + std::to_string(arguments.size()) +
                    " arguments, expected " + std::to_string(expected));
  std::vector<Vector3d> points;
  for (const std::string& argument : arguments) {
    const Value value = evaluate_rest(argument);
    const auto* point = std::get_if<Vector3d>(&value);
    if (point == nullptr)
      fail(text_,
           "whose expression gives '" + last->name + "' " + describe(value) + ", expected a point");
    points.push_back(*point);
  }
  // no name of a file looks like this one
  const std::string made = last->name + "." + std::to_string(made_.size() + 1);
  made_.emplace(made, call(last->name, points));
  expression = expression.substr(0, last->at) + made + expression.substr(i + 1);
  return true;
}

Value PointExpression::call(const std::string& function,
                            const std::vector<Vector3d>& points) const {
  if (function == "distance") return finite((points[1] - points[0]).norm(), text_);
  if (function == "dot") return finite(points[0].dot(points[1]), text_);
  if (function == "cross") return Vector3d(points[0].cross(points[1]));
  const double length = points[0].norm();
  if (!(length > 0.0))
    fail(text_,
         "whose expression takes the unit of a vector without length, expected two points "
         "that differ");
  return Vector3d(points[0] / length);
}

Expression PointExpression::compile(const std::string& expression) const {
  try {
    return compile_expression(expression);
  } catch (const ExpressionError& error) {
    if (error.column() <= expression.size() && expression[error.column() - 1] == ',')
      fail(text_, "whose expression has a comma, expected one value with a decimal point");
    fail(text_, std::string("whose expression cannot be evaluated (") + error.what() +
                    " at column " + std::to_string(error.column()) +
                    "), expected one such as {xa - 0.14}");
  }
}

double PointExpression::evaluate_code(const Expression& code, std::vector<double>& values) const {
  return finite(semirec::evaluate(code, values.data()), text_);
}

Value PointExpression::evaluate_rest(const std::string& expression) const {
  const std::string whole = trim(expression);
  const std::vector<Word> words = words_of(whole);
  if (words.size() == 1 && words[0].name == whole && !is_function(whole) &&
      !is_expression_constant(whole))
    return look_up(whole);
  const Expression code = compile(whole);
  std::vector<double> values(code.value_count());
  std::vector<std::pair<std::size_t, Vector3d>> points;
  for (std::size_t k = 0; k < code.names.size(); ++k) {
    const Value value = look_up(code.names[k]);
    if (const auto* number = std::get_if<double>(&value)) values[k] = *number;
    if (const auto* point = std::get_if<Vector3d>(&value)) points.emplace_back(k, *point);
    if (std::holds_alternative<std::string>(value))
      fail(text_, "whose expression uses '" + code.names[k] + "', which is " + describe(value) +
                      ", expected a number or a point");
  }
  if (points.empty()) return evaluate_code(code, values);
  Vector3d result;
  for (int component = 0; component < 3; ++component) {
    for (const auto& [k, point] : points) values[k] = point[component];
    result[component] = evaluate_code(code, values);
  }
  return result;
}

bool is_braced(const std::string& token) { return token.front() == '{'; }

Value evaluate_token(const std::string& token, const Scope& scope, const std::string& text) {
  if (token.back() != '}' || token.size() < 3)
    fail(text, "whose braces do not hold an expression, expected one such as {xa - 0.14}");
  return PointExpression(scope, text).evaluate(token.substr(1, token.size() - 2));
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

bool is_word(const std::string& token) {
  if (!is_name_start(token[0])) return false;
  std::string small;
  for (const char c : token) {
    if (!is_in_name(c) && c != '-' && c != '.') return false;
    small += ascii::to_lower(c);
  }
  return small != "nan" && small != "inf" && small != "infinity";
}

}  // namespace

const Value* Scope::find(const std::string& name) const {
  const auto found = values_.find(name);
  if (found != values_.end()) return &found->second;
  return outer_ ? outer_->find(name) : nullptr;
}

std::vector<std::string> Scope::names() const {
  std::vector<std::string> all = outer_ ? outer_->names() : std::vector<std::string>{};
  for (const auto& [name, value] : values_) all.push_back(name);
  return all;
}

bool is_parameter_name(const std::string& name) {
  if (name.empty() || !is_name_start(name[0])) return false;
  if (name == "and" || name == "or" || is_function(name)) return false;
  if (!std::all_of(name.begin(), name.end(), is_in_name)) return false;
  return !is_expression_constant(name);
}

std::string shortest_digits(double value) {
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  return {digits.data(), end.ptr};
}

std::string describe(const Value& value) {
  if (const auto* word = std::get_if<std::string>(&value)) return "the word '" + *word + "'";
  if (std::holds_alternative<Vector3d>(value)) return "a point";
  return "the number " + shortest_digits(std::get<double>(value));
}

double parse_number(const std::string& text, const Scope& scope) {
  const std::vector<std::string> tokens = split(text);
  if (tokens.empty()) fail(text, "which is empty, expected a number");
  if (tokens.size() > 1 && (is_letter(tokens[1][0]) || tokens[1][0] == '%'))
    fail(text, "which carries a unit, expected a bare number in SI units");
  if (tokens.size() > 1)
    fail(text, "which is " + std::to_string(tokens.size()) + " numbers, expected one");
  if (!is_braced(tokens[0])) return parse_literal(tokens[0], text);
  const Value value = evaluate_token(tokens[0], scope, text);
  const auto* number = std::get_if<double>(&value);
  if (number == nullptr)
    fail(text, "which is " + describe(value) + ", expected a number" +
                   (std::holds_alternative<Vector3d>(value) ? " such as a component of it" : ""));
  return *number;
}

std::vector<double> parse_numbers(const std::string& text, const Scope& scope) {
  std::vector<double> values;
  for (const std::string& token : split(text)) {
    if (!values.empty() && is_letter(token[0]) && token != "nan" && token != "inf")
      fail(text, "which carries a unit, expected bare numbers in SI units");
    if (!is_braced(token)) {
      values.push_back(parse_literal(token, text));
      continue;
    }
    const Value value = evaluate_token(token, scope, text);
    if (std::holds_alternative<std::string>(value))
      fail(text, "which is " + describe(value) + ", expected numbers or a point");
    if (const auto* number = std::get_if<double>(&value)) values.push_back(*number);
    if (const auto* point = std::get_if<Vector3d>(&value))
      values.insert(values.end(), {point->x(), point->y(), point->z()});
  }
  return values;
}

Value parse_value(const std::string& text, const Scope& scope) {
  const std::vector<std::string> tokens = split(text);
  if (tokens.size() == 1 && is_braced(tokens[0])) return evaluate_token(tokens[0], scope, text);
  if (tokens.size() == 1 && is_word(tokens[0])) return tokens[0];
  const std::vector<double> numbers = parse_numbers(text, scope);
  if (numbers.size() == 1) return numbers[0];
  if (numbers.size() != 3)
    fail(text, "which is " + std::to_string(numbers.size()) +
                   " numbers, expected one, three of a point, or a word");
  return Vector3d(numbers[0], numbers[1], numbers[2]);
}

std::vector<std::string> find_names(const std::string& words) {
  std::vector<std::string> names;
  for (const Word& word : words_of(words))
    names.push_back(word.name.substr(0, word.name.find('.')));
  return names;
}

const std::string* find_word(const std::string& text, const Scope& scope) {
  const std::string token = trim(text);
  if (token.size() < 3 || !is_braced(token) || token.back() != '}') return nullptr;
  const Value* value = scope.find(trim(token.substr(1, token.size() - 2)));
  return value == nullptr ? nullptr : std::get_if<std::string>(value);
}

}  // namespace semirec
