#pragma once

#include <set>
#include <string>

#include "vehicles/files/xml/numbers.hpp"

namespace semirec {

/// Whether the value of an attribute is an expression of the run: it begins with `=`.
bool is_formula(const std::string& text);

/// The formula behind its `=`, with what stands in braces as the file's parameters have it: a
/// number or a word. Throws std::invalid_argument with `is '...', which ..., expected ...`.
std::string fill_in(const std::string& text, const Scope& scope);

/// A text that another file is to read, such as a new value for one of its attributes: braces of
/// which this file's parameters know all names stand as their numbers or words, others as they are.
/// Throws as fill_in().
std::string fill_in_known(const std::string& text, const Scope& scope);

/// A suffix to the names that are `local`, or that begin with one and a point.
std::string with_suffix_in_formula(const std::string& text, const std::set<std::string>& local,
                                   const std::string& suffix);

}  // namespace semirec
