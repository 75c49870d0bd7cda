#pragma once

#include <string>

#include "vehicles/files/xml/numbers.hpp"

namespace semirec {

/// Whether a condition such as `form = bushing and stiffness > 0` holds.
///
/// Comparisons are joined by `and` and `or`, `and` first. Each has a known name, a number or an
/// expression in braces on its left; on its right one of these or a word. Words know `=` and `!=`,
/// numbers `<`, `<=`, `>`, `>=` as well.
/// Throws std::invalid_argument with `is '...', which ..., expected ...`.
bool holds(const std::string& condition, const Scope& scope);

}  // namespace semirec
