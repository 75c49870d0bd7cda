#pragma once

#include <string>
#include <vector>

#include "apps/cli/command.hpp"
#include "vehicles/session/drive.hpp"

namespace semirec::cli {

/// Exit codes of the program.
enum ExitCode : int {
  kDone = 0,
  kUsage = 2,         ///< command line that cannot be understood
  kBadInput = 3,      ///< a file, number or folder is wrong; nothing was written
  kSolverFailed = 4,  ///< the run broke down; results up to then are kept
  kCannotWrite = 5,   ///< the disk filled up during the run; results up to then are kept
  kInterrupted = 130  ///< Ctrl-C; results up to then are kept
};

/// What several commands share: the two files and what replaces parts of them.
struct Files {
  std::string vehicle;
  std::string scenario;
  std::vector<std::string> overrides;
};

/// Adds VEHICLE and SCENARIO to a command.
void add_named_files(Command& command, Files& files, bool scenario_required);
/// The same and --set.
void add_files(Command& command, Files& files, bool scenario_required);

/// --set.
void add_overrides(Command& command, std::vector<std::string>& overrides);
/// What --set says. Throws ModelError.
std::vector<Override> read_overrides(const std::vector<std::string>& texts);

/// Reads the files (read_drive()) and prints their notes. Throws ModelError.
DriveDescription load(const Files& files);

/// The formulation of this name. Throws ModelError.
Formulation parse_formulation(const std::string& name);

/// `automatic`, `tree`, `sparse` or `dense`. Throws ModelError.
TangentChoice parse_tangent(const std::string& name);

// each registers one command; its callback sets `exit_code`
void register_run(Command& app, int& exit_code);
void register_info(Command& app, int& exit_code);
void register_check(Command& app, int& exit_code);
void register_fit(Command& app, int& exit_code);
void register_compare(Command& app, int& exit_code);
void register_report(Command& app, int& exit_code);
void register_realtime(Command& app, int& exit_code);
void register_drive(Command& app, int& exit_code);
void register_import(Command& app, int& exit_code);
void register_export(Command& app, int& exit_code);
void register_schema(Command& app, int& exit_code);
void register_schemes(Command& app, int& exit_code);
/// `completion` and `man`, which print what all commands of the program are.
void register_pages(Program& program, int& exit_code);

}  // namespace semirec::cli
