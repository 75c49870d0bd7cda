#pragma once

#include <string>
#include <vector>

#include "apps/capi/semirec.h"
#include "vehicles/session/input_unit.hpp"
#include "vehicles/session/session.hpp"

struct semirec_car {
  semirec_car(const semirec::DriveDescription& read, const semirec::SessionSettings& settings)
      : session(read, settings), values(session.outputs().size()) {
    for (std::size_t k = 0; k < session.inputs().size(); ++k)
      input_units.push_back(find_input_unit(session, static_cast<int>(k)));
  }

  semirec::Session session;
  std::vector<std::string> input_units;
  std::vector<double> values;  ///< outputs
  semirec_controller controller = nullptr;
  void* controller_user = nullptr;
  bool evaluated = false;  ///< `values` are those of the state
  semirec::OutputChoice choice;
  /// Static text. A call on a const handle may fail, and says so here.
  mutable const char* error = "";
};
