#include "vehicles/files/xml/overrides.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "topology/matches_pattern.hpp"
#include "topology/nearest.hpp"
#include "topology/place_text.hpp"
#include "vehicles/files/old_names.hpp"
#include "vehicles/files/xml/reader.hpp"

namespace semirec {

namespace {

bool matches(const std::string& pattern, const std::string& text) {
  return matches_pattern(pattern, text);
}

/// Names and conditions hold the description together: an override leaves them alone.
const AttributeRow* find_changeable(const Element& element, const std::string& attribute) {
  const AttributeRow* row = element.row->find(attribute);
  return row == nullptr || row->is_fixed() ? nullptr : row;
}

/// The element's own name, or for one without its kind; a pattern means names alone.
bool means(const Override& change, const Element& element) {
  return element.name.empty() ? change.element == element.kind
                              : matches_pattern(change.element, element.name);
}

/// The element that takes a change of an attribute: itself, if it knows the attribute, else its
/// first child that does. An input whose value stands in a child <constant> leaves it there.
template <class AnyElement>
AnyElement* find_allowing(AnyElement& element, const std::string& attribute) {
  if (find_changeable(element, attribute) != nullptr) {
    AnyElement* constant = nullptr;
    for (AnyElement& child : element.children)
      if (child.kind == "constant") constant = &child;
    return constant != nullptr && find_changeable(*constant, attribute) != nullptr ? constant
                                                                                   : &element;
  }
  for (AnyElement& child : element.children)
    if (AnyElement* found = find_allowing(child, attribute)) return found;
  return nullptr;
}

/// Whether the text is `owner.kind`.
bool is_kind_of(const std::string& text, const std::string& owner, const std::string& kind) {
  return text.size() == owner.size() + 1 + kind.size() && text[owner.size()] == '.' &&
         text.starts_with(owner) && text.ends_with(kind);
}

/// An element inside of another that has a name of its own, or is meant by `owner.kind`.
bool means_inside(const Override& change, const Element& inside, const std::string& owner) {
  if (!inside.name.empty() && matches_pattern(change.element, inside.name)) return true;
  return is_kind_of(change.element, owner, inside.kind);
}

bool means_any_inside(const Override& change, const Element& element, const std::string& owner) {
  return std::any_of(element.children.begin(), element.children.end(), [&](const Element& child) {
    return means_inside(change, child, owner) || means_any_inside(change, child, owner);
  });
}

const std::string& called(const Element& element) {
  return element.name.empty() ? element.kind : element.name;
}

/// How else than by `owner.attribute`, which means the first, the attribute of another kind of
/// element inside of the owner is called; empty where no other has it.
std::string find_another(const Element& inside, const AttributeRow& taken, const Element& first,
                         const std::string& owner) {
  for (const Element& child : inside.children) {
    if (child.kind != first.kind && find_changeable(child, taken.name) != nullptr)
      return (child.name.empty() ? owner + "." + child.kind : child.name) + "." + taken.name;
    if (std::string found = find_another(child, taken, first, owner); !found.empty()) return found;
  }
  return {};
}

/// How many elements of that kind inside of the owner know the attribute.
int count_alike(const Element& inside, const AttributeRow& taken, const std::string& kind) {
  int count = 0;
  for (const Element& child : inside.children)
    count += (child.kind == kind && find_changeable(child, taken.name) != nullptr ? 1 : 0) +
             count_alike(child, taken, kind);
  return count;
}

Attribute* find_written(Element& element, const std::string& attribute) {
  const AttributeRow* row = find_changeable(element, attribute);
  for (Attribute& candidate : element.attributes)
    if (row != nullptr && candidate.name == row->name) return &candidate;
  return nullptr;
}

/// `*1.05`: the value that is there, times a factor.
bool is_factor(const std::string& value) { return !value.empty() && value.front() == '*'; }

/// What an override leaves of an attribute: its own value, or the number or numbers that are there
/// times its factor.
std::string changed_value(const Override& change, const Attribute& attribute, const Scope& scope,
                          const std::string& label) {
  if (!is_factor(change.value)) return change.value;
  std::string text;
  try {
    const double factor = parse_number(change.value.substr(1), scope);
    if (attribute.value.find_first_not_of(" \t\r\n") == std::string::npos)
      throw std::invalid_argument("has no value of its own to be multiplied, expected a value");
    for (const double number : parse_numbers(attribute.value, scope)) {
      const double product = factor * number;
      if (!std::isfinite(product))
        throw std::invalid_argument("is not finite after '" + change.value +
                                    "', expected a smaller factor");
      text += (text.empty() ? "" : " ") + shortest_digits(product);
    }
  } catch (const std::invalid_argument& error) {
    throw ModelError(change.source.file.empty() ? attribute.source : change.source, label,
                     "attribute '" + change.attribute + "' " + error.what());
  }
  return text;
}

void collect_attributes(const Element& element, std::vector<std::string>& names) {
  for (const AttributeRow& row : element.row->attributes)
    if (!row.is_fixed()) names.push_back(row.name);
  for (const Element& child : element.children) collect_attributes(child, names);
}

}  // namespace

std::vector<OverrideTarget> find_targets(const Document& document, const Override& change) {
  std::vector<OverrideTarget> targets;
  for (const Element& parameter : document.parameters)
    if (change.attribute == "value" && matches(change.element, parameter.name))
      targets.push_back({&parameter, "value", parameter.name});
  const auto add = [&](const Element& element, const std::string& name) {
    const Element* owner = find_allowing(element, change.attribute);
    if (owner != nullptr)
      targets.push_back({owner, owner->row->find(change.attribute)->name, name});
    return owner != nullptr;
  };
  const auto look_inside = [&](auto&& self, const Element& element,
                               const std::string& owner) -> void {
    for (const Element& child : element.children) {
      if (means_inside(change, child, owner)) add(child, child.name.empty() ? owner : child.name);
      self(self, child, owner);
    }
  };
  for (const Element& element : document.elements)
    if (!means(change, element) || !add(element, called(element)))
      look_inside(look_inside, element, called(element));
  return targets;
}

bool OverrideSet::changes_parameter(const std::string& name) const {
  return std::any_of(overrides_.begin(), overrides_.end(), [&](const Override& change) {
    return change.attribute == "value" && matches(change.element, name);
  });
}

bool OverrideSet::has_expressions() const {
  return std::any_of(overrides_.begin(), overrides_.end(), [](const Override& change) {
    return change.value.find('{') != std::string::npos;
  });
}

/// What has reached the values that the words name in braces, the strongest of each.
OverrideSet::Reached OverrideSet::find_reached(const std::string& words, const Scope& scope) const {
  Reached reached(overrides_.size(), kNot);
  if (held_.empty() || words.find('{') == std::string::npos) return reached;
  for (const std::string& name : find_names(words)) {
    const auto found = held_.find(scope.find(name));
    if (found == held_.end()) continue;
    for (std::size_t k = 0; k < reached.size(); ++k)
      reached[k] = std::max(reached[k], found->second.reached[k]);
  }
  return reached;
}

OverrideSet::Reached OverrideSet::apply_to_parameter(const std::string& name, Attribute& value,
                                                     const Scope& scope) {
  parameters_.push_back(name);
  if (overrides_.empty()) return {};
  const Source written_at = value.source;
  const Reached passed_on = find_reached(value.braces.empty() ? value.value : value.braces, scope);
  Reached reached = passed_on;
  for (std::size_t k = 0; k < overrides_.size(); ++k) {
    const Override& change = overrides_[k];
    if (change.attribute != "value" || !matches(change.element, name)) continue;
    used_[k] = 1;
    if (passed_on[k] == kNot) origins_[k].push_back(written_at);
    const bool factor = is_factor(change.value);
    if (factor && reached[k] == kActs) continue;
    value.value = changed_value(change, value, scope, name);
    if (!change.source.file.empty()) value.source = change.source;
    // words of its own name other values than those that they replace
    if (!factor) {
      const Reached before = reached;
      reached = find_reached(value.value, scope);
      for (std::size_t j = 0; j < reached.size(); ++j)
        if (before[j] != kNot && reached[j] == kNot) reached[j] = kReplaced;
    }
    reached[k] = kActs;
  }
  return reached;
}

void OverrideSet::remember(const std::shared_ptr<const Scope>& scope, const std::string& name,
                           Reached reached) {
  if (std::ranges::all_of(reached, [](char how) { return how == kNot; })) return;
  held_[scope->find(name)] = {scope, std::move(reached)};
}

/// One name may be that of arguments of several uses that have no name of their own.
void OverrideSet::note_shared_names() {
  for (std::size_t k = 0; k < overrides_.size(); ++k) {
    const Override& change = overrides_[k];
    if (origins_[k].size() < 2 || change.element.find('*') != std::string::npos) continue;
    std::string note = place_text(change.source) + "'" + change.element + "' is the name of " +
                       std::to_string(origins_[k].size()) +
                       " values that do not follow from each other; all of them are changed:";
    for (const Source& source : origins_[k])
      note += " " + source.file + ":" + std::to_string(source.line);
    notes_.push_back(std::move(note));
  }
}

/// The attribute that override `k` has set, by its present name; empty where the element has none
/// of that name.
std::string OverrideSet::set_attribute(Element& element, std::size_t k) {
  const Override& change = overrides_[k];
  Element* owner = find_allowing(element, change.attribute);
  if (owner == nullptr) return {};
  if (owner != &element) {
    const AttributeRow& taken = *owner->row->find(change.attribute);
    const std::string of_first = place_text(change.source) + "'" + change.element + "." +
                                 change.attribute + "' is taken for that of the first <" +
                                 owner->kind + ">";
    const int alike = count_alike(element, taken, owner->kind);
    const std::string other = find_another(element, taken, *owner, called(element));
    std::string others;
    if (alike > 1)
      others = " of " + std::to_string(alike) + ": all are called '" + called(element) + "." +
               owner->kind + "." + taken.name + "'";
    if (!other.empty())
      others += (others.empty() ? ": " : ", ") + ("another value is called '" + other + "'");
    if (!others.empty()) notes_.push_back(of_first + others);
  }
  Attribute* attribute = find_written(*owner, change.attribute);
  if (attribute == nullptr) {
    owner->attributes.push_back({owner->row->find(change.attribute)->name, "", owner->source});
    attribute = &owner->attributes.back();
  }
  // a <value> is a parameter, too, and has been told as such
  const std::string words = element.kind == "value" ? "{" + element.name + "}" : attribute->value;
  if (is_factor(change.value) && find_reached(words, *element.scope)[k] != 0)
    return attribute->name;
  attribute->value = changed_value(change, *attribute, *element.scope, element.label);
  attribute->numbers.clear();
  if (!change.source.file.empty()) attribute->source = change.source;
  return attribute->name;
}

std::vector<std::size_t> OverrideSet::apply_to_elements(Document& document) {
  note_shared_names();
  std::vector<std::size_t> changed;
  for (std::size_t i = 0; i < overrides_.size(); ++i) {
    const Override& change = overrides_[i];
    std::string called_now = change.attribute;
    const auto apply = [&](Element& element) {
      const std::string set = set_attribute(element, i);
      if (set.empty()) return false;
      used_[i] = 1;
      called_now = set;
      return true;
    };
    const auto apply_inside = [&](auto&& self, Element& element, const std::string& owner) -> bool {
      bool any = false;
      for (Element& child : element.children) {
        if (means_inside(change, child, owner)) any = apply(child) || any;
        any = self(self, child, owner) || any;
      }
      return any;
    };
    if (means(change, document.root)) apply(document.root);
    for (std::size_t k = 0; k < document.elements.size(); ++k) {
      if (!means(change, document.elements[k]) &&
          !means_any_inside(change, document.elements[k], called(document.elements[k])))
        continue;
      Element element = document.elements[k];
      // a pattern that means the element does not mean again what it has changed inside
      if (!(means(change, element) && apply(element)) &&
          !apply_inside(apply_inside, element, called(element)))
        continue;
      document.elements.replace(k, std::move(element));
      changed.push_back(k);
    }
    if (called_now != change.attribute)
      notes_.push_back(old_name_note(change.source, change.attribute, called_now));
  }
  return changed;
}

void OverrideSet::check_all_used(const Document& document) const {
  for (std::size_t i = 0; i < overrides_.size(); ++i) {
    if (used_[i] != 0) continue;
    const Override& change = overrides_[i];
    // either no element of that name, or none of them knows the attribute
    std::vector<std::string> names = parameters_;
    std::vector<std::string> attributes;
    const auto look_inside = [&](auto&& self, const Element& element,
                                 const std::string& owner) -> void {
      for (const Element& child : element.children) {
        if (!child.name.empty()) names.push_back(child.name);
        if (means_inside(change, child, owner)) collect_attributes(child, attributes);
        self(self, child, owner);
      }
    };
    const auto look_at = [&](const Element& element) {
      const std::string& name = called(element);
      names.push_back(name);
      if (means(change, element)) collect_attributes(element, attributes);
      look_inside(look_inside, element, name);
    };
    look_at(document.root);
    for (const Element& element : document.elements) look_at(element);
    for (const std::string& parameter : parameters_)
      if (matches(change.element, parameter)) attributes.emplace_back("value");
    if (attributes.empty())
      throw ModelError(
          change.source, change.element,
          "is to be changed but there is no such element" + nearest_hint(change.element, names));
    throw ModelError(change.source, change.element,
                     "has no attribute '" + change.attribute + "' to be changed" +
                         nearest_hint(change.attribute, attributes));
  }
}

Override parse_override(const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::size_t dot = text.rfind('.', equals);
  if (equals == std::string::npos || dot == std::string::npos || dot == 0 || dot + 1 == equals ||
      equals + 1 == text.size())
    throw ModelError({}, text, "is not an override, expected element.attribute=value");
  return {text.substr(0, dot), text.substr(dot + 1, equals - dot - 1), text.substr(equals + 1), {}};
}

}  // namespace semirec
