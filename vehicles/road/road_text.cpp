#include "vehicles/road/road_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fstream>

#include "topology/mechanism.hpp"

namespace semirec {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n\f\v";
  const std::size_t from = text.find_first_not_of(kBlank);
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(kBlank) - from + 1);
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

std::string shown(std::string_view text) {
  constexpr std::size_t kMost = 40;
  std::string words(text.substr(0, kMost));
  for (char& c : words)
    if (c < ' ' || c > '~') c = '?';
  return text.size() > kMost ? words + "..." : words;
}

std::optional<double> number_of(std::string_view text) {
  std::array<char, 64> digits;
  text = trimmed(text);
  if (!text.empty() && text.front() == '+') {
    text.remove_prefix(1);
    if (!text.empty() && text.front() == '-') return {};
  }
  if (text.empty() || text.size() > digits.size()) return {};
  std::transform(text.begin(), text.end(), digits.begin(),
                 [](char c) { return c == 'D' || c == 'd' ? 'e' : c; });
  double value = 0.0;
  const char* end = digits.data() + text.size();
  const std::from_chars_result result = std::from_chars(digits.data(), end, value);
  if (result.ec != std::errc() || result.ptr != end || !std::isfinite(value)) return {};
  return value;
}

std::string read_bytes(const std::string& path, const std::string& element, std::size_t most) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const auto size = file ? static_cast<std::streamoff>(file.tellg()) : std::streamoff(-1);
  if (size < 0) throw ModelError({path, 0}, element, "cannot be read, expected a file that exists");
  if (static_cast<std::size_t>(size) > most)
    throw ModelError(
        {path, 0}, element,
        "has " + std::to_string(size) + " bytes, expected at most " + std::to_string(most));
  std::string bytes(static_cast<std::size_t>(size), '\0');
  file.seekg(0);
  file.read(bytes.data(), size);
  if (!file) throw ModelError({path, 0}, element, "cannot be read to its end");
  return bytes;
}

bool Lines::next(std::string_view& line) {
  if (at_ >= text_.size()) return false;
  const std::size_t end = std::min(text_.find_first_of("\r\n", at_), text_.size());
  line = text_.substr(at_, end - at_);
  at_ = end;
  if (at_ < text_.size()) at_ += text_.substr(at_, 2) == "\r\n" ? 2 : 1;
  ++number_;
  return true;
}

}  // namespace semirec
