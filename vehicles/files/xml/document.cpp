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

}  // namespace

void check_document(const Document& document) {
  Faults faults;
  faults.gather([&] { check_names(document); });
  check_values(document.root, faults);
  for (const Element& element : document.elements) check_values(element, faults);
  faults.tell();
}

void finish_document(Document& document, OverrideSet& changes) {
  changes.apply_to_elements(document);
  changes.check_all_used(document);
  document.notes.insert(document.notes.end(), changes.notes().begin(), changes.notes().end());
  check_document(document);
}

Document load_document(const std::string& path, const std::vector<std::string>& roots,
                       const std::vector<Override>& overrides, const std::string* text) {
  OverrideSet changes(overrides);
  Document document = expand_file(path, roots, changes, text);
  finish_document(document, changes);
  return document;
}

}  // namespace semirec
