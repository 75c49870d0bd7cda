#include "vehicles/files/xml/document.hpp"

#include <map>

#include "vehicles/files/xml/expansion.hpp"
#include "vehicles/files/xml/overrides.hpp"
#include "vehicles/files/xml/value_check.hpp"

namespace semirec {

namespace {

/// Outputs, messages and overrides call elements by name. Of names used twice the first is told: a
/// template that is used twice under one name doubles all of its own.
void check_names(const Document& document) {
  std::map<std::string, Source> seen;
  for (const Element& element : document.elements) {
    if (!element.row->allows("name")) continue;
    if (element.name == "ground")
      element.fail("name", "is 'ground', which is the fixed world, expected another name");
    const auto [first, fresh] = seen.emplace(element.name, element.source);
    if (fresh) continue;
    element.fail("this name is used twice (first in " + first->second.file + " line " +
                 std::to_string(first->second.line) + "), expected a unique one");
  }
}

void check(const Document& document) {
  Faults faults;
  faults.gather([&] { check_names(document); });
  check_values(document.root, faults);
  for (const Element& element : document.elements) check_values(element, faults);
  faults.tell();
}

/// Of a document whose templates are written out.
void finish(Document& document, OverrideSet& changes) {
  changes.apply_to_elements(document);
  changes.check_all_used(document);
  document.notes.insert(document.notes.end(), changes.notes().begin(), changes.notes().end());
  check(document);
}

}  // namespace

Document load_document(const std::string& path, const std::vector<std::string>& roots,
                       const std::vector<Override>& overrides, const std::string* text) {
  OverrideSet changes(overrides);
  Document document = expand_file(path, roots, changes, text);
  finish(document, changes);
  return document;
}

ExpandedFile::ExpandedFile(std::string path, std::vector<std::string> roots)
    : path_(std::move(path)), roots_(std::move(roots)) {
  try {
    OverrideSet none({});
    expanded_ = expand_file(path_, roots_, none);
    parameters_ = none.parameters();
  } catch (const ModelError&) {
    // an override may mend it
  }
}

Document ExpandedFile::load(const std::vector<Override>& overrides) const {
  OverrideSet changes(overrides, parameters_);
  if (!expanded_ || changes.changes_parameters()) return load_document(path_, roots_, overrides);
  Document document = *expanded_;
  finish(document, changes);
  return document;
}

}  // namespace semirec
