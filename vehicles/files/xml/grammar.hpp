#pragma once

#include <string>
#include <vector>

namespace semirec {

/// What one kind of element may hold. A child is written `kind`, or `kind=rule` where an element of
/// that kind follows another rule here than elsewhere (a table of a road, of a force law, of time).
struct Rule {
  std::string name;
  std::vector<std::string> attributes;
  std::vector<std::string> children;
  /// Attributes without which no such element can be read.
  std::vector<std::string> required = {};

  bool allows(const std::string& attribute) const;
  /// Rule for a child of this kind; null if there may be none.
  const Rule* child(const std::string& kind) const;
  /// Kinds of the children without their rules.
  std::vector<std::string> child_kinds() const;
};

/// Rule of a root element (`vehicle`, `mechanism`, `scenario`, `manoeuvre`) or any other; null if
/// there is none. These rules and vehicles/schema/*.xsd say the same; a test compares them.
const Rule* find_rule(const std::string& name);
const std::vector<Rule>& all_rules();

}  // namespace semirec
