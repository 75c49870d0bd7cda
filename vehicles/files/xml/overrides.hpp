#pragma once

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "vehicles/description/scenario.hpp"
#include "vehicles/files/xml/document.hpp"

namespace semirec {

/// An attribute that an override sets.
struct OverrideTarget {
  const Element* element = nullptr;  ///< in the document
  std::string attribute;
  std::string name{};  ///< that the element, or the one around it, is called by

  friend bool operator<(const OverrideTarget& a, const OverrideTarget& b) {
    return std::tie(a.element, a.attribute) < std::tie(b.element, b.attribute);
  }
};
/// What an override would set of a document's parameters and elements; arguments of templates,
/// which are none of them any more, are left out.
std::vector<OverrideTarget> find_targets(const Document& document, const Override& change);

/// Overrides on their way into a document, with a note of those that have found their element.
class OverrideSet {
 public:
  /// [override] whether it acts in a value, or in one that this value is worked out from, or has
  /// acted there until a later one replaced it.
  using Reached = std::vector<char>;
  static constexpr char kNot = 0, kReplaced = 1, kActs = 2;

  explicit OverrideSet(const std::vector<Override>& overrides)
      : overrides_(overrides), used_(overrides.size(), 0), origins_(overrides.size()) {}

  /// Names of parameters that have been told, in uses of templates with their suffix.
  const std::vector<std::string>& parameters() const { return parameters_; }
  /// Whether one of the overrides is of the parameter.
  bool changes_parameter(const std::string& name) const;
  /// Whether the words of one name parameters.
  bool has_expressions() const;

  /// Replaces the value of a parameter; the last override that matches wins.
  /// A value such as `*1.05` multiplies what is there, in whose expressions `scope` is seen, once:
  /// not where a value that is named there has been multiplied. Returns what has reached the value.
  Reached apply_to_parameter(const std::string& name, Attribute& value, const Scope& scope);
  /// A scope has taken the value under this name: what names it is reached by the same overrides.
  void remember(const std::shared_ptr<const Scope>& scope, const std::string& name,
                Reached reached);
  /// Replaces attributes of elements or of their first child that has or may have them, of elements
  /// inside by their own name or as `owner.kind`. Returns the indices of those beside the root in
  /// which it has done so, some more than once.
  std::vector<std::size_t> apply_to_elements(Document& document);
  /// On names that are called otherwise now, and on those that stand for more than one value or
  /// could be that of another one.
  const std::vector<std::string>& notes() const { return notes_; }
  /// Throws ModelError with the nearest known name at the first override that matched nothing.
  void check_all_used(const Document& document) const;

 private:
  /// A scope is kept, so that its values' addresses stay theirs.
  struct Held {
    std::shared_ptr<const Scope> scope;
    Reached reached;
  };

  Reached find_reached(const std::string& words, const Scope& scope) const;
  std::string set_attribute(Element& element, std::size_t k);
  void note_shared_names();

  std::vector<Override> overrides_;
  std::vector<char> used_;
  /// [override] where values stand that it has changed and that follow from none of the others
  std::vector<std::vector<Source>> origins_;
  std::map<const Value*, Held> held_;  ///< values that an override has reached
  std::vector<std::string> parameters_;
  std::vector<std::string> notes_;
};

}  // namespace semirec
