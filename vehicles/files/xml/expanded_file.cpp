#include "vehicles/files/xml/expanded_file.hpp"

#include <algorithm>
#include <utility>

#include "vehicles/files/xml/expansion.hpp"
#include "vehicles/files/xml/overrides.hpp"
#include "vehicles/files/xml/redefinition.hpp"
#include "vehicles/files/xml/value_check.hpp"

namespace semirec {

namespace {

void set_scope(Element& element, const std::shared_ptr<const Scope>& scope) {
  element.scope = scope;
  for (Element& child : element.children) set_scope(child, scope);
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
  for (const Definition& definition : record_.definitions)
    plain.parameters.push_back(definition.called);
  for (const Element& element : plain.document.elements) {
    plain.scopes.push_back(record_.scope_indices.at(element.scope.get()));
    plain.reads.push_back(record_.find_reads(element));
  }
  plain.root_reads = record_.find_reads(plain.document.root);
  plain.faultless = is_faultless(plain.document);
  plain_ = std::move(plain);
}

void ExpandedFile::write_values(const Redefinition& redefined, Document& document) const {
  for (const auto& [k, words] : redefined.parameters)
    for (Attribute& attribute : document.parameters[k].attributes)
      if (attribute.name == words.name) attribute = words;
  const auto renew = [&](std::size_t k, Element& element) {
    if (redefined.scopes[k] != record_.scopes[k]) set_scope(element, redefined.scopes[k]);
  };
  renew(0, document.root);
  for (Element& parameter : document.parameters) renew(0, parameter);
  for (std::size_t k = 0; k < document.elements.size(); ++k)
    renew(plain_->scopes[k], document.elements[k]);
}

std::optional<Document> ExpandedFile::load_plain(const std::vector<Override>& overrides) const {
  OverrideSet changes(overrides, plain_->parameters);
  const std::optional<Redefinition> redefined = redefine(record_, changes);
  if (!redefined) return std::nullopt;
  Document document = plain_->document;
  write_values(*redefined, document);
  const std::vector<const Element*> replaced = changes.apply_to_elements(document);
  changes.check_all_used(document);
  document.notes.insert(document.notes.end(), changes.notes().begin(), changes.notes().end());
  if (!plain_->faultless) {
    check_document(document);
    return document;
  }
  // names stay, and so do values that nothing has touched
  Faults faults;
  for (const Element* element : replaced) check_values(*element, faults);
  if (reads_any(plain_->root_reads, redefined->changed)) check_values(document.root, faults);
  for (std::size_t k = 0; k < document.elements.size(); ++k)
    if (reads_any(plain_->reads[k], redefined->changed)) check_values(document.elements[k], faults);
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
