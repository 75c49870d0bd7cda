#include "vehicles/files/xml/expansion_record.hpp"

#include <algorithm>
#include <utility>

namespace semirec {

namespace {

void add_named(const ExpansionRecord& record, const std::string& words, const Scope& scope,
               std::vector<std::size_t>& indices) {
  for (const std::string& name : find_names(words)) {
    const auto found = record.definition_indices.find(scope.find(name));
    if (found != record.definition_indices.end()) indices.push_back(found->second);
  }
}

void add_named(const ExpansionRecord& record, const Element& element,
               std::vector<std::size_t>& indices) {
  for (const Attribute& attribute : element.attributes)
    if (attribute.value.find('{') != std::string::npos)
      add_named(record, attribute.value, *element.scope, indices);
  for (const Element& child : element.children) add_named(record, child, indices);
}

/// Of its words and of those that tell its kind.
std::vector<std::size_t> find_named(const ExpansionRecord& record, const Definition& definition) {
  std::vector<std::size_t> indices = record.find_reads(definition.element);
  if (definition.argument) add_named(record, *definition.argument, indices);
  return indices;
}

}  // namespace

void ExpansionRecord::add_scope(std::shared_ptr<const Scope> scope) {
  scope_indices.emplace(scope.get(), scopes.size());
  scopes.push_back(std::move(scope));
}

void ExpansionRecord::add_definition(Definition definition) {
  definition.reads = find_named(*this, definition);
  definitions.push_back(std::move(definition));
}

void ExpansionRecord::add_value(const Value* value) {
  definition_indices.emplace(value, definitions.size() - 1);
}

void ExpansionRecord::add_condition(const std::string& words, const Scope& scope) {
  std::vector<std::size_t> indices;
  add_named(*this, words, scope, indices);
  for (const std::size_t k : indices) definitions[k].decides = true;
}

std::vector<std::size_t> ExpansionRecord::find_reads(const Element& element) const {
  std::vector<std::size_t> indices;
  add_named(*this, element, indices);
  std::sort(indices.begin(), indices.end());
  indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
  return indices;
}

void ExpansionRecord::finish() {
  for (Definition& definition : definitions)
    if (find_named(*this, definition) != definition.reads) definition.decides = true;
}

}  // namespace semirec
