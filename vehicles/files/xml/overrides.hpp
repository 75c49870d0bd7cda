#pragma once

#include <string>
#include <vector>

#include "vehicles/description/scenario.hpp"
#include "vehicles/files/xml/document.hpp"

namespace semirec {

/// Whether `*` in the pattern, standing for any run of characters, can make it the text.
bool matches_pattern(const std::string& pattern, const std::string& text);

/// Overrides on their way into a document, with a note of those that have found their element.
class OverrideSet {
 public:
  explicit OverrideSet(const std::vector<Override>& overrides)
      : overrides_(overrides), used_(overrides.size(), 0) {}

  /// Names of parameters that have been told, in uses of templates with their suffix.
  const std::vector<std::string>& parameters() const { return parameters_; }
  /// Whether one of the overrides is of the parameter.
  bool changes_parameter(const std::string& name) const;
  /// Whether the words of one name parameters.
  bool has_expressions() const;

  /// Replaces the value of a parameter; the last override that matches wins.
  /// A value such as `*1.05` multiplies what is there, in whose expressions `scope` is seen.
  void apply_to_parameter(const std::string& name, Attribute& value, const Scope& scope);
  /// Replaces attributes of elements or of their first child that has or may have them. Returns the
  /// indices of those beside the root in which it has done so, some more than once.
  std::vector<std::size_t> apply_to_elements(Document& document);
  /// On names that are called otherwise now.
  const std::vector<std::string>& notes() const { return notes_; }
  /// Throws ModelError with the nearest known name at the first override that matched nothing.
  void check_all_used(const Document& document) const;

 private:
  std::vector<Override> overrides_;
  std::vector<char> used_;
  std::vector<std::string> parameters_;
  std::vector<std::string> notes_;
};

}  // namespace semirec
