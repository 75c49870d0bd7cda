#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "vehicles/files/xml/element.hpp"
#include "vehicles/files/xml/xml_file.hpp"

namespace semirec {

/// A parameter or an argument of a use, as an expansion defined it.
struct Definition {
  std::string called;                      ///< by overrides: with the suffix of its use
  std::vector<std::size_t> reads{};        ///< indices of definitions that its words name
  bool decides = false;                    ///< which elements there are, or what other words mean
  std::optional<std::size_t> parameter{};  ///< its index among those of the document
  std::shared_ptr<const Scope> scope;      ///< in which it is defined
  Element element;                         ///< that holds its value in words
  std::string attribute;                   ///< of the element, with these words
  std::optional<Element> argument{};       ///< whose default tells the kind of the value

  const std::string& name() const { return element.text("name"); }
};

/// What an expansion without overrides leaves to those with overrides: the files that it has
/// parsed, its values, and who names them.
struct ExpansionRecord {
  std::vector<XmlFile> files;
  std::vector<std::shared_ptr<const Scope>> scopes;  ///< the file's, behind those of all uses
  std::map<const Scope*, std::size_t> scope_indices;
  std::vector<Definition> definitions;  ///< in the order in which they were made
  std::map<const Value*, std::size_t> definition_indices;

  void add_scope(std::shared_ptr<const Scope> scope);
  /// Before its scope takes the value: a definition may name one of its own name behind it.
  void add_definition(Definition definition);
  /// The value of the definition that was added last.
  void add_value(const Value* value);
  /// Words that have decided whether an element is there.
  void add_condition(const std::string& words, const Scope& scope);
  /// Indices of the definitions that an element and its parts name in braces.
  std::vector<std::size_t> find_reads(const Element& element) const;
  /// Once all is added. Where a scope has later taken a name that a definition had looked up behind
  /// it, the definition's words would no longer mean what they meant: it decides.
  void finish();
};

}  // namespace semirec
