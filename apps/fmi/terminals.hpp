#pragma once

#include <string>
#include <vector>

#include "apps/fmi/variables.hpp"
#include "vehicles/description/vehicle.hpp"

namespace semirec::fmi {

/// Variables that belong together in a connection, by the names that both sides know them by.
struct Terminal {
  struct Member {
    std::string variable;  ///< of the model description
    std::string name;      ///< in the terminal
  };
  std::string name, description;
  std::vector<Member> members;
  std::vector<Terminal> parts;
};

/// What an importer connects to: steering, pedals, chassis, and for each wheel its hub (torques and
/// speed) and its contact patch (forces, slips, road). Members that the vehicle does not have are
/// left out, and terminals without any.
std::vector<Terminal> find_terminals(const Vehicle& vehicle,
                                     const std::vector<Variable>& variables);

/// The text of terminalsAndIcons.xml; `icon`: an icon.png stands beside it.   FMI 3.0, 2.5.2
std::string terminals_and_icons_xml(const std::vector<Terminal>& terminals, bool icon);

}  // namespace semirec::fmi
