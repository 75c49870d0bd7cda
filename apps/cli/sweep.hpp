#pragma once

#include "apps/cli/command.hpp"

namespace semirec::cli {

/// Registers `sweep`; its callback sets `exit_code`.
void register_sweep(Command& app, int& exit_code);

}  // namespace semirec::cli
