#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vehicles/description/scenario.hpp"
#include "vehicles/files/xml/element.hpp"

namespace semirec {

/// A file with its includes and templates written out.
struct Document {
  Element root;                     ///< attributes only
  std::vector<Element> elements;    ///< in the order of writing, names unique where they have one
  std::vector<Element> parameters;  ///< outside templates, with the values that they have
  std::vector<std::string> files;   ///< that were read: the first and those it includes
  std::vector<std::string> notes;   ///< on names that are called otherwise now
};

/// Reads a file whose root is one of `roots`, follows includes, evaluates parameters, writes out
/// each use of a template, and applies the overrides: those of parameters before, those of elements
/// after the templates are written out.
///
/// With `text` the file is read from there and `path` is only its name.
///
/// Throws ModelError on a file that is missing or not well-formed, an element or attribute that is
/// not known, a name that is missing or repeated, an override that matches nothing, an attribute
/// that is missing or has no value of its kind and range: all of the elements' errors in one.
Document load_document(const std::string& path, const std::vector<std::string>& roots,
                       const std::vector<Override>& overrides, const std::string* text = nullptr);

/// A file that is loaded many times, with other overrides: includes and templates are written out
/// once. Files must stay as they are meanwhile. Nothing changes it: threads may share it.
class ExpandedFile {
 public:
  /// Throws nothing: what is wrong with the file load() says.
  ExpandedFile(std::string path, std::vector<std::string> roots);
  /// As load_document(). Overrides of parameters, which act before templates are written out, cost
  /// as much as that.
  Document load(const std::vector<Override>& overrides) const;

 private:
  std::string path_;
  std::vector<std::string> roots_;
  std::optional<Document> expanded_;     ///< without overrides; none: it cannot be
  std::vector<std::string> parameters_;  ///< as overrides call them
};

}  // namespace semirec
