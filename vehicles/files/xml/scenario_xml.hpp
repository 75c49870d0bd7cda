#pragma once

#include <set>
#include <string>

#include "vehicles/description/scenario.hpp"
#include "vehicles/files/xml/element.hpp"

namespace semirec {

/// One child of a <scenario>, or of a <manoeuvre> that has it too, but <run>. Throws ModelError.
void read_scenario_element(const Element& element, Scenario& scenario);

/// Fails at the second element of a kind that stands once; `seen` remembers.
void refuse_second(const Element& element, std::set<std::string>& seen);

}  // namespace semirec
