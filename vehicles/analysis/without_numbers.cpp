#include "vehicles/analysis/without_numbers.hpp"

namespace semirec {

std::string without_numbers(const std::string& note) {
  std::string words;
  bool in_number = false;
  bool in_name = false;
  for (const char c : note) {
    const bool digit = c >= '0' && c <= '9';
    if (digit && !in_name) in_number = true;
    if (in_number && (digit || c == '.' || c == 'e' || c == '-' || c == '+')) continue;
    in_number = false;
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    in_name = letter || (in_name && digit);
    if (c != '-') words += c;
  }
  return words;
}

}  // namespace semirec
