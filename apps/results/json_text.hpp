#pragma once

#include <string>

namespace semirec::results {

/// Appends a text in quotes; it must be plain_text().
void put_quoted(std::string& out, const std::string& text);
/// Appends the shortest digits that are read as the same number; `null` where it is not finite.
void put_number(std::string& out, double value);

}  // namespace semirec::results
