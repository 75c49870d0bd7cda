#include "vehicles/files/xml/expanded_file.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "vehicles/files/xml/expansion.hpp"
#include "vehicles/files/xml/overrides.hpp"
#include "vehicles/files/xml/redefinition.hpp"
#include "vehicles/files/xml/value_check.hpp"

namespace semirec {

namespace {

/// The element is to see other values.
void set_scope(Element& element, const std::shared_ptr<const Scope>& scope) {
  element.scope = scope;
  for (Attribute& attribute : element.attributes) attribute.numbers.clear();
  for (Element& child : element.children) set_scope(child, scope);
}

/// As far as words are numbers.
void work_out_numbers(Element& element) {
  for (Attribute& attribute : element.attributes) {
    if (!element.row->find(attribute.name)->holds_numbers()) continue;
    try {
      attribute.numbers = parse_numbers(attribute.value, *element.scope);
    } catch (const std::invalid_argument&) {
      // whoever asks is told
    }
  }
  for (Element& child : element.children) work_out_numbers(child);
}

void work_out_numbers(Elements& elements) {
  for (std::size_t k = 0; k < elements.size(); ++k) {
    Element element = elements[k];
    work_out_numbers(element);
    elements.replace(k, std::move(element));
  }
}

bool is_faultless(const Document& document) {
  try {
    check_document(document);
  } catch (const ModelError&) {
    return false;
  }
  return true;
}

bool reads_any(const std::vector<std::size_t>& reads, const std::vector<char>& changed) {
  return std::any_of(reads.begin(), reads.end(), [&](std::size_t k) { return changed[k] != 0; });
}

}  // namespace

ExpandedFile::ExpandedFile(std::string path, std::vector<std::string> roots)
    : path_(std::move(path)), roots_(std::move(roots)) {
  try {
    record_plain();
  } catch (const ModelError&) {
    // an override may mend it
  }
}

void ExpandedFile::record_plain() {
  Plain plain;
  plain.document = expand_file(path_, roots_, record_);
  for (const Element& element : plain.document.elements)
    plain.reads.push_back(record_.find_reads(element));
  plain.root_reads = record_.find_reads(plain.document.root);
  work_out_numbers(plain.document.elements);
  plain.faultless = is_faultless(plain.document);
  plain_ = std::move(plain);
}

/// Indices of the elements that see a value that has changed: they get the new ones.
std::vector<std::size_t> ExpandedFile::write_values(const Redefinition& redefined,
                                                    Document& document) const {
  const auto renew = [&](Element& element) {
    set_scope(element, redefined.scopes[record_.scope_indices.at(element.scope.get())]);
  };
  for (const auto& [k, words] : redefined.parameters) {
    Element parameter = document.parameters[k];
    for (Attribute& attribute : parameter.attributes)
      if (attribute.name == words.name) attribute = words;
    renew(parameter);
    document.parameters.replace(k, std::move(parameter));
  }
  if (reads_any(plain_->root_reads, redefined.changed)) renew(document.root);
  std::vector<std::size_t> indices;
  for (std::size_t k = 0; k < document.elements.size(); ++k) {
    if (!reads_any(plain_->reads[k], redefined.changed)) continue;
    Element element = document.elements[k];
    renew(element);
    // it is checked and read, each time with these numbers
    work_out_numbers(element);
    document.elements.replace(k, std::move(element));
    indices.push_back(k);
  }
  return indices;
}

std::optional<Document> ExpandedFile::load_plain(const std::vector<Override>& overrides) const {
  OverrideSet changes(overrides);
  const std::optional<Redefinition> redefined = redefine(record_, changes);
  if (!redefined) return std::nullopt;
  // a parameter's new words may name those above it alone; elements keep the values of before
  const bool any_changed = std::ranges::find(redefined->changed, 1) != redefined->changed.end();
  if (any_changed && changes.has_expressions()) return std::nullopt;
  Document document = plain_->document;
  std::vector<std::size_t> touched = write_values(*redefined, document);
  const std::vector<std::size_t> replaced = changes.apply_to_elements(document);
  changes.check_all_used(document);
  document.notes.insert(document.notes.end(), changes.notes().begin(), changes.notes().end());
  if (!plain_->faultless) {
    check_document(document);
    return document;
  }
  // names stay, and so do values that nothing has touched
  touched.insert(touched.end(), replaced.begin(), replaced.end());
  Faults faults;
  check_values(document.root, faults);
  for (const std::size_t k : touched) check_values(document.elements[k], faults);
  faults.tell();
  return document;
}

Document ExpandedFile::load(const std::vector<Override>& overrides) const {
  if (plain_) {
    try {
      if (std::optional<Document> document = load_plain(overrides)) return *std::move(document);
    } catch (const ModelError&) {
      // said below, as whoever reads the file for the first time says it
    }
  }
  OverrideSet changes(overrides);
  Document document = expand_file(path_, roots_, changes, record_.files);
  finish_document(document, changes);
  return document;
}

}  // namespace semirec
