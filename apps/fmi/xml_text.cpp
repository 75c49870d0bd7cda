#include "apps/fmi/xml_text.hpp"

#include "apps/fmi/package.hpp"
#include "topology/message_text.hpp"

namespace semirec::fmi {

namespace {

std::string escaped(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    const char c = text[at];
    if (length == 0)
      result += '?';
    else if (length > 1)
      result += text.substr(at, length);
    else if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '"')
      result += "&quot;";
    else
      result += static_cast<unsigned char>(c) < ' ' || c == '\x7f' ? ' ' : c;
    at += length == 0 ? 1 : length;
  }
  return result;
}

}  // namespace

std::string attribute(const char* name, std::string_view value) {
  return std::string(" ") + name + "=\"" + escaped(value) + '"';
}

std::string attribute(const char* name, double value) {
  return attribute(name, std::string_view(number_text(value)));
}

}  // namespace semirec::fmi
