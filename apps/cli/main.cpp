#include <exception>

#include "apps/cli/commands.hpp"
#include "apps/cli/question.hpp"
#include "apps/cli/report_output.hpp"
#include "apps/cli/sweep.hpp"
#include "apps/cli/terminal.hpp"
#include "apps/cli/version.hpp"
#include "topology/mechanism.hpp"
#include "topology/message_text.hpp"

namespace {

using namespace semirec::cli;

int call(int argc, char** argv) {
  remember_command(argc, argv);
  Program program{
      "semirec",
      "semirec drives full-car multibody models in real time by the hybrid formulation:\n"
      "relative coordinates, loop closures in natural coordinates, index-3 augmented\n"
      "Lagrangian, trapezoidal rule with projections. Vehicles and scenarios are XML files,\n"
      "SI units, axes x forward, y left, z up (ISO 8855).\n\n"
      "  semirec run vehicles/models/iltis.xml vehicles/scenarios/ramp_and_stairs.xml --out drive\n"
      "  semirec info vehicles/models/iltis.xml\n\n"
      "Exit codes: 0 done, 2 wrong command line, 3 bad input (nothing written), 4 the run\n"
      "broke down (results so far kept), 5 a file or the screen cannot be\n"
      "written (results so far kept), 126 a processor without what the program was\n"
      "compiled for, 130 Ctrl-C.",
      version_text()};
  Command& app = program.root();
  app.require_subcommand(1);
  int exit_code = kDone;
  register_run(app, exit_code);
  register_info(app, exit_code);
  register_check(app, exit_code);
  register_questions(app, exit_code);
  register_fit(app, exit_code);
  register_sweep(app, exit_code);
  register_compare(app, exit_code);
  register_report(app, exit_code);
  register_realtime(app, exit_code);
  register_drive(app, exit_code);
  register_import(app, exit_code);
  register_export(app, exit_code);
  register_schema(app, exit_code);
  register_schemes(app, exit_code);
  register_pages(program, exit_code);
  try {
    if (const auto ended = program.parse(argc, argv)) return *ended ? kDone : kUsage;
  } catch (const semirec::ModelError& error) {
    complain("{}\n", error.what());
    return kBadInput;
  } catch (const std::exception& error) {
    complain("semirec: {}\n", semirec::message_text(error.what()));
    return kBadInput;
  }
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  prepare_output();
  return finish_output(call(argc, argv));
}
