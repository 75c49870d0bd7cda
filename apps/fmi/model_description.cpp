#include "apps/fmi/model_description.hpp"

#include <cmath>
#include <cstdint>
#include <map>
#include <string_view>

#include "apps/fmi/unit.hpp"
#include "apps/fmi/xml_text.hpp"

namespace semirec::fmi {

namespace {

void put_units(const std::vector<Variable>& variables, std::string& xml) {
  std::map<std::string, BaseUnit> units;
  for (const Variable& variable : variables)
    if (const auto unit = find_base_unit(variable.unit)) units.emplace(variable.unit, *unit);
  xml += "  <UnitDefinitions>\n";
  for (const auto& [name, base] : units) {
    xml += "    <Unit" + attribute("name", name) + "><BaseUnit";
    const auto put = [&](const char* unit, int exponent) {
      if (exponent != 0) xml += attribute(unit, std::to_string(exponent));
    };
    put("kg", base.kg);
    put("m", base.m);
    put("s", base.s);
    put("rad", base.rad);
    xml += "/></Unit>\n";
  }
  xml += "  </UnitDefinitions>\n";
}

const char* causality_of(const Variable& variable) {
  switch (variable.causality) {
    case Causality::independent:
      return "independent";
    case Causality::parameter:
      return "parameter";
    case Causality::input:
      return "input";
    case Causality::output:
      break;
  }
  return "output";
}

bool has_start(const Variable& variable) {
  return variable.causality == Causality::parameter || variable.causality == Causality::input;
}

/// What both versions write of a variable, in the order of version 3.
std::string identity_of(const Variable& variable, std::size_t reference) {
  return attribute("name", variable.name) + attribute("valueReference", std::to_string(reference)) +
         attribute("description", variable.description) +
         attribute("causality", causality_of(variable)) +
         attribute("variability", variable.causality != Causality::parameter ? "continuous"
                                  : variable.tunable                         ? "tunable"
                                                                             : "fixed");
}

std::string values_of(const Variable& variable) {
  std::string text;
  if (find_base_unit(variable.unit)) text += attribute("unit", variable.unit);
  if (std::isfinite(variable.least)) text += attribute("min", variable.least);
  if (std::isfinite(variable.most)) text += attribute("max", variable.most);
  if (variable.nominal != 1.0) text += attribute("nominal", variable.nominal);
  if (has_start(variable)) text += attribute("start", variable.start);
  return text;
}

void put_variables(const std::vector<Variable>& variables, int version, std::string& xml) {
  xml += "  <ModelVariables>\n";
  for (std::size_t k = 0; k < variables.size(); ++k) {
    const std::string identity = identity_of(variables[k], k);
    const std::string values = values_of(variables[k]);
    if (version == 3)
      xml += "    <Float64" + identity + values + "/>\n";
    else
      xml += "    <ScalarVariable" + identity + "><Real" + values + "/></ScalarVariable>\n";
  }
  xml += "  </ModelVariables>\n";
}

/// `dependencies` of an output at a communication point; without it the output depends on all.
std::string dependencies_of(const Variable& variable, int version) {
  if (!variable.follows) return {};
  std::string list;
  for (const std::uint32_t reference : *variable.follows)
    list += (list.empty() ? "" : " ") + std::to_string(reference + (version == 3 ? 0 : 1));
  return attribute("dependencies", list);
}

void put_structure(const std::vector<Variable>& variables, int version, std::string& xml) {
  // at the initialization outputs depend on parameters, too: of them nothing is said
  const auto put = [&](const char* three, const char* two, bool says) {
    if (version == 2) xml += std::string("    <") + two + ">\n";
    for (std::size_t k = 0; k < variables.size(); ++k) {
      if (variables[k].causality != Causality::output) continue;
      xml += version == 3 ? std::string("    <") + three : std::string("      <Unknown");
      xml += version == 3 ? attribute("valueReference", std::to_string(k))
                          : attribute("index", std::to_string(k + 1));
      if (says) xml += dependencies_of(variables[k], version);
      xml += "/>\n";
    }
    if (version == 2) xml += std::string("    </") + two + ">\n";
  };
  xml += "  <ModelStructure>\n";
  put("Output", "Outputs", true);
  put("InitialUnknown", "InitialUnknowns", false);
  xml += "  </ModelStructure>\n";
}

void put_log_categories(std::string& xml) {
  const auto put = [&](const char* name, const char* about) {
    xml += "    <Category" + attribute("name", name) + attribute("description", about) + "/>\n";
  };
  xml += "  <LogCategories>\n";
  put("logStatusError", "Why a function answered an error");
  put("logStatusWarning",
      "What is not as one would expect about the files, the start and the steps");
  put("logAll", "All of these");
  xml += "  </LogCategories>\n";
}

}  // namespace

std::string model_description_xml(const ModelDescription& model, int version) {
  std::string xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription";
  xml += attribute("fmiVersion", version == 3 ? "3.0" : "2.0") + attribute("modelName", model.name);
  xml += attribute(version == 3 ? "instantiationToken" : "guid", model.token);
  xml += attribute("description", model.description);
  xml += attribute("license", "library: BSD-3-Clause, see documentation/licenses");
  xml += attribute("generationTool", "semirec " SEMIREC_VERSION);
  xml += attribute("variableNamingConvention", "structured") + ">\n";
  xml += "  <CoSimulation" + attribute("modelIdentifier", model.identifier);
  xml += attribute("canBeInstantiatedOnlyOncePerProcess", "false");
  const char* state = version == 3 ? "State" : "state";
  xml += attribute((std::string("canGetAndSetFMU") + state).c_str(), "true");
  xml += attribute((std::string("canSerializeFMU") + state).c_str(), "true");
  xml += attribute("canHandleVariableCommunicationStepSize", "true");
  xml += attribute(
      version == 3 ? "providesDirectionalDerivatives" : "providesDirectionalDerivative", "true");
  if (version == 3)
    xml += attribute("fixedInternalStepSize", model.step) +
           attribute("mightReturnEarlyFromDoStep", "true") + attribute("hasEventMode", "true");
  else
    xml += attribute("canNotUseMemoryManagementFunctions", "true");
  xml += "/>\n";
  put_units(model.variables, xml);
  put_log_categories(xml);
  xml += "  <DefaultExperiment" + attribute("startTime", 0.0) + attribute("stopTime", model.stop) +
         attribute("stepSize", model.step) + "/>\n";
  put_variables(model.variables, version, xml);
  put_structure(model.variables, version, xml);
  return xml + "</fmiModelDescription>\n";
}

}  // namespace semirec::fmi
