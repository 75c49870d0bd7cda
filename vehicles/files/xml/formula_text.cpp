#include "vehicles/files/xml/formula_text.hpp"

#include <stdexcept>

#include "topology/ascii.hpp"

namespace semirec {

namespace {

bool may_begin_name(char c) { return ascii::is_letter(c) || c == '_'; }
bool may_follow_in_name(char c) { return may_begin_name(c) || ascii::is_digit(c) || c == '.'; }

/// What stands for braces; `in_formula`: a number with a sign in brackets, and no points.
std::string filled(const std::string& braces, const Scope& scope, bool in_formula) {
  const Value value = parse_value(braces, scope);
  if (const std::string* word = std::get_if<std::string>(&value)) return *word;
  if (const double* number = std::get_if<double>(&value)) {
    const std::string digits = shortest_digits(*number);
    return in_formula && *number < 0.0 ? "(" + digits + ")" : digits;
  }
  if (in_formula)
    throw std::invalid_argument("is '" + braces +
                                "', which is a point, expected a number or a word");
  const auto& point = std::get<Eigen::Vector3d>(value);
  return shortest_digits(point[0]) + " " + shortest_digits(point[1]) + " " +
         shortest_digits(point[2]);
}

/// The text with what `fill` makes of each pair of braces and what is in them.
template <typename Fill>
std::string with_braces_filled(const std::string& text, std::size_t from, const Fill& fill) {
  std::string out;
  for (std::size_t i = from; i < text.size();) {
    if (text[i] != '{') {
      out += text[i++];
      continue;
    }
    const std::size_t end = text.find('}', i);
    if (end == std::string::npos)
      throw std::invalid_argument("is '" + text.substr(0, 60) +
                                  "', which has a brace that is not closed, expected '}'");
    out += fill(text.substr(i, end + 1 - i));
    i = end + 1;
  }
  return out;
}

/// Whether all names in braces, and one at least, are parameters that the scope knows.
bool is_known(const std::string& braces, const Scope& scope) {
  bool any = false;
  for (const std::string& name : find_names(braces)) {
    if (!is_parameter_name(name)) continue;  // functions
    if (scope.find(name) == nullptr) return false;
    any = true;
  }
  return any;
}

}  // namespace

bool is_formula(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\n\r");
  return first != std::string::npos && text[first] == '=';
}

std::string fill_in(const std::string& text, const Scope& scope) {
  if (!is_formula(text))
    throw std::invalid_argument("is '" + text.substr(0, 60) +
                                "', which does not begin with '=', expected an expression such as "
                                "'= 2*chassis.vz'");
  return with_braces_filled(text, text.find('=') + 1, [&](const std::string& braces) {
    return filled(braces, scope, /*in_formula=*/true);
  });
}

std::string fill_in_known(const std::string& text, const Scope& scope) {
  const bool in_formula = is_formula(text);
  return with_braces_filled(text, 0, [&](const std::string& braces) {
    return is_known(braces, scope) ? filled(braces, scope, in_formula) : braces;
  });
}

std::string with_suffix_in_formula(const std::string& text, const std::set<std::string>& local,
                                   const std::string& suffix) {
  const auto own_part = [&](const std::string& name) {
    // the longest beginning that is local, up to a point or the end
    for (std::size_t end = name.size(); end > 0; --end) {
      if (end < name.size() && name[end] != '.') continue;
      if (local.count(name.substr(0, end)) != 0) return end;
    }
    return std::size_t{0};
  };
  std::string out;
  bool in_braces = false;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '{' || c == '}') in_braces = c == '{';
    if (in_braces || !may_follow_in_name(c)) {
      out += c;
      ++i;
      continue;
    }
    std::string name;
    while (i < text.size() && may_follow_in_name(text[i])) name += text[i++];
    if (may_begin_name(name[0]))
      if (const std::size_t own = own_part(name); own > 0) name.insert(own, suffix);
    out += name;
  }
  return out;
}

}  // namespace semirec
