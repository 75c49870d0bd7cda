#include "vehicles/analysis/without_numbers.hpp"

namespace semirec {

namespace {

/// Calls word(c) for each character that is of no number and number(c, begins) for the others.
template <typename Word, typename Number>
void tell_numbers(const std::string& note, Word&& word, Number&& number) {
  bool in_number = false;
  bool in_name = false;
  for (const char c : note) {
    const bool digit = c >= '0' && c <= '9';
    const bool begins = digit && !in_name && !in_number;
    in_number = in_number || begins;
    if (in_number && (digit || c == '.' || c == 'e' || c == '-' || c == '+')) {
      number(c, begins);
      continue;
    }
    in_number = false;
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    in_name = letter || (in_name && digit);
    word(c);
  }
}

}  // namespace

std::string without_numbers(const std::string& note) {
  std::string words;
  tell_numbers(
      note,
      [&](char c) {
        if (c != '-') words += c;
      },
      [](char, bool) {});
  return words;
}

std::vector<std::string> numbers_in(const std::string& note) {
  std::vector<std::string> numbers;
  std::string before;  // a sign
  tell_numbers(
      note, [&](char c) { before = c == '-' ? "-" : ""; },
      [&](char c, bool begins) {
        if (begins) numbers.push_back(before);
        numbers.back() += c;
        before.clear();
      });
  for (std::string& number : numbers)
    number.resize(number.find_last_of("0123456789") + 1);  // the end of a sentence
  return numbers;
}

}  // namespace semirec
