#pragma once

#include <string>

namespace semirec::fmi {

/// The name in the standard's structured form: identifiers with dots between them and indices in
/// brackets; what is no identifier stands in quotation marks ('front-left'.Fz). Bytes that may
/// stand in no name become underscores.                FMI 3.0 and 2.0, variableNamingConvention
std::string structured_name(const std::string& name);

/// Letters, digits and underscores, beginning with a letter: a model identifier, which is also the
/// name of the library's file. `car` where nothing is left.
std::string model_identifier(const std::string& name);

}  // namespace semirec::fmi
