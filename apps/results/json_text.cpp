#include "apps/results/json_text.hpp"

#include <charconv>
#include <cmath>

namespace semirec::results {

void put_quoted(std::string& out, const std::string& text) {
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  out += '"';
}

void put_number(std::string& out, double value) {
  if (!std::isfinite(value)) {
    out += "null";
    return;
  }
  // without a point some readers take it for the whole number 0, which has no sign
  if (value == 0.0 && std::signbit(value)) {
    out += "-0.0";
    return;
  }
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  out.append(text, end);
}

}  // namespace semirec::results
