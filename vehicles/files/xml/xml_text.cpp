#include "vehicles/files/xml/xml_text.hpp"

#include <algorithm>
#include <cstdint>

#include "topology/mechanism.hpp"
#include "topology/message_text.hpp"

namespace semirec {

namespace {

/// Whether XML 1.0 allows the character at all.
bool is_xml_character(std::uint32_t c) {
  if (c < 0x20) return c == '\t' || c == '\n' || c == '\r';
  return c < 0xD800 || (c > 0xDFFF && c != 0xFFFE && c != 0xFFFF && c <= 0x10FFFF);
}

/// Position behind the comment or CDATA section that begins at `at`; `at` itself where none does.
/// References stand for themselves in there.
std::size_t skip_literal(const std::string& text, std::size_t at) {
  for (const auto& [begin, end] : {std::pair("<!--", "-->"), std::pair("<![CDATA[", "]]>")}) {
    if (text.compare(at, std::char_traits<char>::length(begin), begin) != 0) continue;
    const std::size_t found = text.find(end, at);
    return found == std::string::npos ? text.size() : found + 3;
  }
  return at;
}

/// Whether the reference such as &#233; or &#xE9; at `at`, if there is one, means a character that
/// XML allows. What is no such reference is left to the parser.
bool is_allowed_reference(const std::string& text, std::size_t at) {
  if (text.compare(at, 2, "&#") != 0) return true;
  const bool hexadecimal = at + 2 < text.size() && text[at + 2] == 'x';
  const std::uint32_t base = hexadecimal ? 16 : 10;
  std::uint32_t number = 0;
  for (std::size_t i = at + (hexadecimal ? 3 : 2); i < text.size() && text[i] != ';'; ++i) {
    const char c = text[i];
    std::uint32_t digit = 16;
    if (c >= '0' && c <= '9') digit = static_cast<std::uint32_t>(c - '0');
    if (c >= 'a' && c <= 'f') digit = static_cast<std::uint32_t>(c - 'a' + 10);
    if (c >= 'A' && c <= 'F') digit = static_cast<std::uint32_t>(c - 'A' + 10);
    if (digit >= base) return true;
    number = std::min(number * base + digit, std::uint32_t{0x110000});
  }
  return is_xml_character(number);
}

}  // namespace

void check_xml_text(const std::string& text, const std::string& path) {
  const auto fail = [&](std::size_t at, const std::string& message) {
    const auto lines =
        std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    throw ModelError({path, static_cast<int>(lines) + 1}, "", message);
  };
  std::size_t literal_end = 0;
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const std::size_t length = utf8_length(text, i);
    if (length == 0)
      fail(i, "holds the byte " + message_text(text.substr(i, 1)) +
                  ", which is no UTF-8, expected a text file in UTF-8");
    if (length == 1 && !is_xml_character(byte))
      fail(i, "holds the control character " + message_text(text.substr(i, 1)) +
                  ", which XML does not allow, expected text");
    if (byte == '<' && i >= literal_end) literal_end = skip_literal(text, i);
    if (byte == '&' && i >= literal_end && !is_allowed_reference(text, i))
      fail(i, "holds the reference '" + text.substr(i, text.find(';', i) + 1 - i) +
                  "' to a character that XML does not allow, expected text");
    i += length;
  }
}

}  // namespace semirec
