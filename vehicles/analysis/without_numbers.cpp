#include "vehicles/analysis/without_numbers.hpp"

#include <cstddef>

namespace semirec {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// The end of a number that begins at `i`: digits and points, an exponent, no point at its end.
std::size_t end_of_number(const std::string& note, std::size_t i) {
  const auto at = [&](std::size_t k) { return k < note.size() ? note[k] : ' '; };
  if (at(i) == '-') ++i;
  while (is_digit(at(i)) || (at(i) == '.' && is_digit(at(i + 1)))) ++i;
  if (at(i) != 'e') return i;
  const std::size_t digits = at(i + 1) == '-' || at(i + 1) == '+' ? i + 2 : i + 1;
  if (!is_digit(at(digits))) return i;
  i = digits;
  while (is_digit(at(i))) ++i;
  return i;
}

/// Calls word(c) for each character that is of no number, and number(begin, end) for each number: a
/// minus is part of it at the begin of a word, digits of a name are not.
template <typename Word, typename Number>
void tell_numbers(const std::string& note, Word&& word, Number&& number) {
  bool in_name = false;
  for (std::size_t i = 0; i < note.size();) {
    const char c = note[i];
    const char before = i > 0 ? note[i - 1] : ' ';
    const bool begins_word = before == ' ' || before == '(' || before == '=' || before == ',';
    const bool is_sign = c == '-' && begins_word && i + 1 < note.size() && is_digit(note[i + 1]);
    if ((is_digit(c) && !in_name) || is_sign) {
      const std::size_t end = end_of_number(note, i);
      number(i, end);
      i = end;
      continue;
    }
    in_name = is_letter(c) || (in_name && is_digit(c));
    word(c);
    ++i;
  }
}

}  // namespace

std::string without_numbers(const std::string& note) {
  std::string words;
  tell_numbers(
      note, [&](char c) { words += c; }, [](std::size_t, std::size_t) {});
  return words;
}

std::vector<std::string> numbers_in(const std::string& note) {
  std::vector<std::string> numbers;
  tell_numbers(
      note, [](char) {},
      [&](std::size_t begin, std::size_t end) {
        numbers.push_back(note.substr(begin, end - begin));
      });
  return numbers;
}

}  // namespace semirec
