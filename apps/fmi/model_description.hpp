#pragma once

#include <string>
#include <vector>

#include "apps/fmi/variables.hpp"

namespace semirec::fmi {

/// What the model description of an FMU says beside its variables.
struct ModelDescription {
  std::string name;         ///< of the model
  std::string identifier;   ///< of the library's file
  std::string token;        ///< find_token()
  std::string description;  ///< one line
  double step = 1e-3;       ///< of the engine, s
  double stop = 1.0;        ///< of the scenario, s
  std::vector<Variable> variables;
};

/// The text of modelDescription.xml for version 2 or 3 of the standard, ASCII with references for
/// all else.
std::string model_description_xml(const ModelDescription& model, int version);

}  // namespace semirec::fmi
