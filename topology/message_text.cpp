#include "topology/message_text.hpp"

#include <array>

namespace semirec {

namespace {

using Byte = unsigned char;

bool continues(Byte byte) { return (byte & 0xC0U) == 0x80U; }

void append_escaped(Byte byte, std::string& out) {
  constexpr std::array<char, 17> kDigits{"0123456789abcdef"};
  if (byte == '\n') {
    out += "\\n";
  } else if (byte == '\r') {
    out += "\\r";
  } else if (byte == '\t') {
    out += "\\t";
  } else {
    out += "\\x";
    out += kDigits[byte >> 4U];
    out += kDigits[byte & 0xFU];
  }
}

void append_shown(std::string_view text, std::string& out) {
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<Byte>(text[i]);
    const std::size_t length = utf8_length(text, i);
    if (length == 0 || byte < 0x20 || byte == 0x7F) {
      append_escaped(byte, out);
      ++i;
    } else {
      out += text.substr(i, length);
      i += length;
    }
  }
}

}  // namespace

std::size_t utf8_length(std::string_view text, std::size_t at) {
  const auto byte_at = [&](std::size_t i) { return static_cast<Byte>(text[i]); };
  const Byte first = byte_at(at);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xC2 && first < 0xE0   ? 2
                             : first >= 0xE0 && first < 0xF0 ? 3
                             : first >= 0xF0 && first < 0xF5 ? 4
                                                             : 0;
  if (length == 0 || at + length > text.size()) return 0;
  for (std::size_t k = 1; k < length; ++k)
    if (!continues(byte_at(at + k))) return 0;
  // longer than need be, halves of UTF-16 pairs, beyond U+10FFFF
  const Byte second = byte_at(at + 1);
  if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
      (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F))
    return 0;
  return length;
}

std::string message_text(std::string_view text) {
  std::string shown;
  if (text.size() <= kLongestMessage) {
    append_shown(text, shown);
    return shown;
  }
  // place and element stand at the beginning, what was expected at the end
  std::size_t begin = kLongestMessage * 3 / 5;
  std::size_t end = text.size() - (kLongestMessage - begin);
  while (begin > 0 && continues(static_cast<Byte>(text[begin]))) --begin;
  while (end < text.size() && continues(static_cast<Byte>(text[end]))) ++end;
  append_shown(text.substr(0, begin), shown);
  shown += " ... (" + std::to_string(end - begin) + " characters left out) ... ";
  append_shown(text.substr(end), shown);
  return shown;
}

}  // namespace semirec
