#pragma once

#include <string>
#include <utility>
#include <vector>

#include <Eigen/Core>

namespace semirec::chrono {

/// An element of a vehicle file to be written; without a tag it is a comment of its `text`.
struct XmlNode {
  std::string tag;
  std::vector<std::pair<std::string, std::string>> attributes;
  std::vector<XmlNode> children;
  std::string text;

  XmlNode& set(const std::string& name, const std::string& value);
  XmlNode& set(const std::string& name, double value);
  XmlNode& set(const std::string& name, const Eigen::Vector3d& value);
  XmlNode& add(XmlNode child);
};

XmlNode element(const std::string& tag);
XmlNode comment(const std::string& text);

/// Twelve digits, independent of the locale.
std::string in_words(double value);
std::string in_words(const Eigen::Vector3d& value);

/// A name of vehicle files out of any text: letters, digits, `_`, `-`, `.`, at most 60 of them.
std::string as_name(const std::string& text, const std::string& otherwise);

/// The file's text. What a file could not hold is escaped or replaced, in comments too.
std::string write_xml(const XmlNode& root);

}  // namespace semirec::chrono
