#pragma once

#include <string>
#include <vector>

namespace semirec {

/// Kinds of files that have a schema: vehicle, scenario, manoeuvre, study.
const std::vector<std::string>& schema_names();

/// The XML schema (XSD 1.0) of files of this kind, as the table of elements says it: the text of
/// vehicles/schema/<kind>.xsd. `kind` is one of schema_names().
std::string make_schema(const std::string& kind);

/// The page that lists all elements and attributes of these files: the text of
/// docs/reference/elements.md.
std::string make_reference_page();

}  // namespace semirec
