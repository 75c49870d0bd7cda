#include "apps/results/table.hpp"

#include <set>

#include "topology/tell_apart.hpp"

namespace semirec::results {

namespace {

/// Bytes of the UTF-8 character that begins there; 0: none does.
std::size_t length_of_character(const std::string& text, std::size_t at) {
  const auto byte = [&](std::size_t k) {
    return k < text.size() ? static_cast<unsigned char>(text[k]) : 0U;
  };
  const unsigned first = byte(at);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4) return 0;
  for (std::size_t k = 1; k < length; ++k)
    if ((byte(at + k) & 0xc0U) != 0x80U) return 0;
  const unsigned second = byte(at + 1);
  // written longer than need be, a surrogate, or beyond U+10FFFF
  if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
      (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f))
    return 0;
  return length;
}

}  // namespace

std::string program_name() { return "semirec " SEMIREC_VERSION; }

std::string plain_text(const std::string& text) {
  std::string out;
  for (std::size_t k = 0; k < text.size();) {
    const std::size_t length = length_of_character(text, k);
    if (length == 0)
      out += "\xef\xbf\xbd";
    else if (length == 1 && (static_cast<unsigned char>(text[k]) < 0x20 || text[k] == 0x7f))
      out += ' ';
    else
      out += text.substr(k, length);
    k += length == 0 ? 1 : length;
  }
  return out;
}

std::vector<Column> with_plain_names(std::vector<Column> columns) {
  std::set<std::string> taken;
  for (Column& column : columns) {
    column = {plain_text(column.name), plain_text(column.unit), plain_text(column.description)};
    if (column.name.empty()) column.name = "unnamed";
    column.name = tell_apart(column.name, taken);
  }
  return columns;
}

}  // namespace semirec::results
