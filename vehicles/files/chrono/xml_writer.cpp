#include "vehicles/files/chrono/xml_writer.hpp"

#include <array>
#include <charconv>

namespace semirec::chrono {

namespace {

constexpr std::size_t kWidth = 120;

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '.';
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7e ? '?' : c;
  }
  return out;
}

/// Plain characters and no two hyphens in a row, which would end a comment.
std::string fit_for_comment(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool line_end = c == '\n';
    const char plain =
        !line_end && (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7e)
            ? '?'
            : c;
    if (plain == '-' && !out.empty() && out.back() == '-') out += ' ';
    out += plain;
  }
  if (!out.empty() && out.back() == '-') out += ' ';
  return out;
}

void write_comment(const XmlNode& node, const std::string& indent, std::string& out) {
  out += indent + "<!-- ";
  for (const char c : fit_for_comment(node.text)) {
    out += c;
    if (c == '\n') out += indent + "     ";
  }
  out += " -->\n";
}

void write(const XmlNode& node, const std::string& indent, std::string& out) {
  if (node.tag.empty()) {
    write_comment(node, indent, out);
    return;
  }
  out += indent + "<" + node.tag;
  std::size_t width = indent.size() + 1 + node.tag.size();
  for (const auto& [name, value] : node.attributes) {
    const std::string attribute = name + "=\"" + escaped(value) + "\"";
    if (width + 1 + attribute.size() > kWidth) {
      out += "\n" + indent + "   ";
      width = indent.size() + 3;
    }
    out += " " + attribute;
    width += 1 + attribute.size();
  }
  if (node.children.empty()) {
    out += "/>\n";
    return;
  }
  out += ">\n";
  for (const XmlNode& child : node.children) write(child, indent + "  ", out);
  out += indent + "</" + node.tag + ">\n";
}

}  // namespace

XmlNode& XmlNode::set(const std::string& name, const std::string& value) {
  attributes.emplace_back(name, value);
  return *this;
}

XmlNode& XmlNode::set(const std::string& name, double value) { return set(name, in_words(value)); }

XmlNode& XmlNode::set(const std::string& name, const Eigen::Vector3d& value) {
  return set(name, in_words(value));
}

XmlNode& XmlNode::add(XmlNode child) {
  children.push_back(std::move(child));
  return *this;
}

XmlNode element(const std::string& tag) {
  XmlNode node;
  node.tag = tag;
  return node;
}

XmlNode comment(const std::string& text) {
  XmlNode node;
  node.text = text;
  return node;
}

std::string in_words(double value) {
  // no more than the noise of a sum of places in metres
  if (value > -1e-15 && value < 1e-15) return "0";
  std::array<char, 40> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                 std::chars_format::general, 12);
  return {buffer.data(), end.ptr};
}

std::string in_words(const Eigen::Vector3d& value) {
  return in_words(value.x()) + " " + in_words(value.y()) + " " + in_words(value.z());
}

std::string as_name(const std::string& text, const std::string& otherwise) {
  std::string name;
  for (const char c : text) {
    if (name.size() >= 60) break;
    if (is_name_character(c))
      name += c;
    else if (!name.empty() && name.back() != '_')
      name += '_';
  }
  while (!name.empty() && name.back() == '_') name.pop_back();
  return name.empty() ? otherwise : name;
}

std::string write_xml(const XmlNode& root) {
  std::string out = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n";
  write(root, "", out);
  return out;
}

}  // namespace semirec::chrono
