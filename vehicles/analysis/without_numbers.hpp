#pragma once

#include <string>
#include <vector>

namespace semirec {

/// A note without its numbers: two that are the same then differ in these alone. Digits of names
/// stay.
std::string without_numbers(const std::string& note);
/// Those numbers as they stand there, in their order: as many in all notes that are the same
/// without them.
std::vector<std::string> numbers_in(const std::string& note);

}  // namespace semirec
