#pragma once

#include <string>

namespace semirec {

/// A note without its numbers: two that are the same then differ in these alone. Digits of names
/// stay.
std::string without_numbers(const std::string& note);

}  // namespace semirec
