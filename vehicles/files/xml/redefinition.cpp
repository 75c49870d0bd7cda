#include "vehicles/files/xml/redefinition.hpp"

#include <algorithm>
#include <string>
#include <variant>

#include "vehicles/files/xml/overrides.hpp"

namespace semirec {

namespace {

/// Definitions that overrides replace, and those that name one of them.
std::vector<char> find_changed(const ExpansionRecord& record, const OverrideSet& changes) {
  std::vector<char> changed;
  changed.reserve(record.definitions.size());
  for (const Definition& definition : record.definitions) {
    const bool follows = std::any_of(definition.reads.begin(), definition.reads.end(),
                                     [&](std::size_t k) { return changed[k] != 0; });
    changed.push_back(follows || changes.changes_parameter(definition.called) ? 1 : 0);
  }
  return changed;
}

/// The scopes of a record, copied where something changes in them or behind them.
class ChangedScopes {
 public:
  ChangedScopes(const ExpansionRecord& record, const std::vector<char>& changed)
      : record_(record), all_(record.scopes), copies_(all_.size()) {
    std::vector<char> touched(all_.size(), 0);
    for (std::size_t k = 0; k < changed.size(); ++k)
      if (changed[k] != 0) touched[index_of(record.definitions[k].scope)] = 1;
    for (std::size_t k = 0; k < all_.size(); ++k) {
      if (touched[0] == 0 && touched[k] == 0) continue;
      copies_[k] = std::make_shared<Scope>(*all_[k], k == 0 ? nullptr : all_[0]);
      all_[k] = copies_[k];
    }
  }
  const std::vector<std::shared_ptr<const Scope>>& all() const { return all_; }
  const std::shared_ptr<const Scope>& in_place_of(const std::shared_ptr<const Scope>& scope) const {
    return all_[index_of(scope)];
  }
  void replace(const Definition& definition, Value value) {
    copies_[index_of(definition.scope)]->replace(definition.name(), std::move(value));
  }

 private:
  std::size_t index_of(const std::shared_ptr<const Scope>& scope) const {
    return record_.scope_indices.at(scope.get());
  }

  const ExpansionRecord& record_;
  std::vector<std::shared_ptr<const Scope>> all_;
  std::vector<std::shared_ptr<Scope>> copies_;
};

/// Words may decide which elements there are, and kinds whether a value is let in.
bool is_of_kind(const Value& value, const Value& before) {
  return value.index() == before.index() && !std::holds_alternative<std::string>(value);
}

/// A definition's element, and what has reached its value.
struct Words {
  Element element;
  OverrideSet::Reached reached;
};

/// The element that holds the value in words, after overrides, which is to see the new scopes.
Words find_words(const Definition& definition, const ChangedScopes& scopes, OverrideSet& changes) {
  Words words{definition.element, {}};
  Element& element = words.element;
  element.scope = scopes.in_place_of(element.scope);
  for (Attribute& attribute : element.attributes)
    if (attribute.name == definition.attribute)
      words.reached = changes.apply_to_parameter(definition.called, attribute, *element.scope);
  return words;
}

/// Whether the kind of the argument's default is what it was.
bool keeps_kind(const Definition& definition, const ChangedScopes& scopes) {
  if (!definition.argument) return true;
  Element argument = *definition.argument;
  const Value before = argument.value("default");
  argument.scope = scopes.in_place_of(argument.scope);
  return argument.value("default").index() == before.index();
}

}  // namespace

std::optional<Redefinition> redefine(const ExpansionRecord& record, OverrideSet& changes) {
  const std::vector<char> changed = find_changed(record, changes);
  ChangedScopes scopes(record, changed);
  Redefinition found{changed, {}, {}};
  for (std::size_t k = 0; k < changed.size(); ++k) {
    if (changed[k] == 0) continue;
    const Definition& definition = record.definitions[k];
    if (definition.decides) return std::nullopt;
    const auto [element, reached] = find_words(definition, scopes, changes);
    Value value = element.value(definition.attribute);
    if (!is_of_kind(value, *definition.scope->find(definition.name())) ||
        !keeps_kind(definition, scopes))
      return std::nullopt;
    if (definition.parameter)
      found.parameters.emplace_back(*definition.parameter, *element.find(definition.attribute));
    scopes.replace(definition, std::move(value));
    changes.remember(scopes.in_place_of(definition.scope), definition.name(), reached);
  }
  found.scopes = scopes.all();
  return found;
}

}  // namespace semirec
