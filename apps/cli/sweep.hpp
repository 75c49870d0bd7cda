#pragma once

namespace CLI {
class App;
}

namespace semirec::cli {

/// Registers `sweep`; its callback sets `exit_code`.
void register_sweep(CLI::App& app, int& exit_code);

}  // namespace semirec::cli
