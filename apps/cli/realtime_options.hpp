#pragma once

#include <optional>

namespace semirec::cli {

// What the commands against the clock ask of their options.

/// Throws ModelError, `NAME is VALUE, expected WORDS`, unless low <= value <= high; NaN lies in no
/// range.
void expect_within(const char* option, double value, double low, double high, const char* words);

/// Throws ModelError for a core that this machine has not; without one nothing is asked.
void expect_core(std::optional<int> core);

}  // namespace semirec::cli
