#pragma once

#include <string>

#include "vehicles/files/xml/table.hpp"

namespace semirec {

// Words for rows of the table, for schemas and pages.

/// `number`, `three numbers`, `yes or no`, `name of a body`; a choice lists its words.
std::string kind_words(const AttributeRow& attribute);
/// `above 0`, `from 0 to 1`, `whole`; empty where any number goes.
std::string range_words(const AttributeRow& attribute);
/// What holds where it is not written, as words; empty where nothing does.
std::string default_words(const AttributeRow& attribute);
/// All of an attribute in a line: what it is, unit, range, default.
std::string sentence_of(const AttributeRow& attribute);

}  // namespace semirec
