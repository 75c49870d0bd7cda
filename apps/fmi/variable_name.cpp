#include "apps/fmi/variable_name.hpp"

#include <algorithm>
#include <string_view>

namespace semirec::fmi {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_identifier(std::string_view text) {
  return !text.empty() && is_letter(text.front()) &&
         std::all_of(text.begin(), text.end(), [](char c) { return is_letter(c) || is_digit(c); });
}

/// Where an index `[2]` at the end begins; the length where there is none.
std::size_t find_index(std::string_view part) {
  if (part.empty() || part.back() != ']') return part.size();
  const std::size_t open = part.rfind('[');
  if (open == std::string_view::npos || open == 0 || open + 2 == part.size()) return part.size();
  for (const char c : part.substr(open + 1, part.size() - open - 2))
    if (!is_digit(c)) return part.size();
  return open;
}

std::string quoted(std::string_view text) {
  std::string result = text.empty() ? "'_" : "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') result += '\\';
    result += c >= ' ' && c <= '~' && c != '"' && c != '`' ? c : '_';
  }
  return result + '\'';
}

}  // namespace

std::string structured_name(const std::string& name) {
  std::string result;
  std::string_view rest = name;
  for (bool more = true; more;) {
    const std::size_t dot = rest.find('.');
    more = dot != std::string_view::npos;
    const std::string_view part = rest.substr(0, dot);
    const std::size_t index = find_index(part);
    const std::string_view own = part.substr(0, index);
    result += is_identifier(own) ? std::string(own) : quoted(own);
    result += part.substr(index);
    if (more) {
      result += '.';
      rest.remove_prefix(dot + 1);
    }
  }
  return result;
}

std::string model_identifier(const std::string& name) {
  std::string result;
  for (const char c : name) result += is_letter(c) || is_digit(c) ? c : '_';
  if (result.empty() || is_digit(result.front()) || result.front() == '_') result = "car" + result;
  return result;
}

}  // namespace semirec::fmi
