#pragma once

#include <string>
#include <vector>

#include "vehicles/description/scenario.hpp"
#include "vehicles/files/xml/elements.hpp"

namespace semirec {

class OverrideSet;

/// A file with its includes and templates written out.
struct Document {
  Element root;                    ///< attributes only
  Elements elements;               ///< in the order of writing, names unique where they have one
  Elements parameters;             ///< outside templates, with the values that they have
  std::vector<std::string> files;  ///< that were read: the first and those it includes
  std::vector<std::string> notes;  ///< on names that are called otherwise now
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

/// Applies overrides of elements to a document whose templates are written out, and checks it: the
/// last part of load_document().
void finish_document(Document& document, OverrideSet& changes);

/// Names and values of all elements. Throws ModelError: all errors in one.
void check_document(const Document& document);

}  // namespace semirec
