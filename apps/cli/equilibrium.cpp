#include <CLI/CLI.hpp>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "apps/cli/commands.hpp"
#include "integrator/initial_conditions.hpp"

namespace semirec::cli {

namespace {

int equilibrium_command(const Files& files, bool json) {
  Loaded loaded = load(files);
  loaded.scenario.start = StartMode::equilibrium;
  loaded.scenario.speed = 0.0;
  const Drive drive = make_drive(loaded.vehicle, loaded.scenario);
  const Recorder recorder(drive.model, drive.recorder);
  Workspace ws(drive.model);
  EquilibriumReport report;
  const State state = start_drive(drive, ws, &report);
  std::vector<double> values;
  recorder.record(drive.model, state, ws, values);
  if (json) {
    nlohmann::ordered_json out;
    out["model"] = drive.model.mechanism.name;
    out["iterations"] = report.iterations;
    out["residual"] = report.residual;
    out["closure"] = report.Phi;
    for (std::size_t k = 1; k < values.size(); ++k)
      out["values"][recorder.channels()[k].name] = values[k];
    fmt::print("{}\n", out.dump(2));
    return kDone;
  }
  fmt::print(
      "{}: static equilibrium after {} iterations; forces balance within {:.1e} N, closures "
      "within {:.1e} m\n",
      drive.model.mechanism.name, report.iterations, report.residual, report.Phi);
  for (std::size_t k = 1; k < values.size(); ++k)
    fmt::print("  {:<28} {:>16.8g} {}\n", recorder.channels()[k].name, values[k],
               recorder.channels()[k].unit);
  return kDone;
}

}  // namespace

void register_equilibrium(CLI::App& app, int& exit_code) {
  auto files = std::make_shared<Files>();
  auto json = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand(
      "equilibrium",
      "static equilibrium on the road: pose, joint coordinates, forces of all elements");
  add_files(*command, *files, false);
  command->add_flag("--json", *json, "print as JSON");
  command->callback([files, json, &exit_code] { exit_code = equilibrium_command(*files, *json); });
}

}  // namespace semirec::cli
