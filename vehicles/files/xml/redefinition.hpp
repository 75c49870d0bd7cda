#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "vehicles/files/xml/expansion_record.hpp"

namespace semirec {

class OverrideSet;

/// New values in an expansion whose elements stay the same, in words.
struct Redefinition {
  std::vector<char> changed;                                  ///< by definition
  std::vector<std::shared_ptr<const Scope>> scopes;           ///< in place of those of the record
  std::vector<std::pair<std::size_t, Attribute>> parameters;  ///< by index in the document
};

/// Replaces values of parameters and arguments, and with them those that are worked out from these,
/// by overrides whose words name none.
/// Empty where one of them may decide which elements there are: the file is to be expanded anew
/// then. Throws ModelError on a value that cannot be worked out.
std::optional<Redefinition> redefine(const ExpansionRecord& record, OverrideSet& changes);

}  // namespace semirec
