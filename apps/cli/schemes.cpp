#include "integrator/scheme/schemes.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "apps/cli/commands.hpp"
#include "apps/cli/terminal.hpp"
#include "integrator/compile.hpp"
#include "integrator/method/methods.hpp"

namespace semirec::cli {

namespace {

/// A free body and a rod from it to the ground: a mechanism with a loop in every formulation.
Mechanism make_loop() {
  Mechanism m;
  m.name = "loop";
  Body block;
  block.name = "block";
  block.mass = 1.0;
  block.inertia = Eigen::Matrix3d::Identity();
  m.bodies.push_back(block);
  Joint free;
  free.name = "free";
  free.type = JointType::free;
  free.a.body = kGround;
  free.b.body = 0;
  m.joints.push_back(free);
  Constraint rod;
  rod.name = "rod";
  rod.a.body = kGround;
  rod.a.X_BF.p = Eigen::Vector3d(0.0, 0.0, 1.0);
  rod.b.body = 0;
  rod.length = 1.0;
  m.constraints.push_back(rod);
  return m;
}

/// Names of the formulations in which the steps can be taken, and in a line each why in others not.
std::string fitting(const SchemeChoice& scheme, Closing closing, std::vector<std::string>& why) {
  std::string names;
  for (const Formulation formulation : all_formulations()) {
    CompileSettings compiling;
    compiling.formulation = formulation;
    const Model model = compile(make_loop(), {}, compiling);
    StepSettings settings;
    settings.scheme = scheme;
    settings.closing = closing;
    const std::string fault = method_fault(model, settings);
    if (fault.empty()) {
      names += (names.empty() ? "" : ", ") + std::string(name_of(formulation));
    } else if (std::find(why.begin(), why.end(), fault) == why.end()) {
      why.push_back(fault);
    }
  }
  return names.empty() ? "-" : names;
}

void print_schemes() {
  std::vector<std::string> why;
  say("{:<24} {:<18} {:<11} {}\n", "scheme", "order", "closing", "formulations");
  for (const SchemeFamily* family : scheme_families()) {
    const SchemeChoice scheme = choose_scheme(family->name, {});
    const char* name = family->name;
    const char* order = family->order;
    for (const Closing closing : kClosings) {
      // one scheme alone has independent coordinates: no line of "-" for all others
      if (closing == Closing::independent && family->kind != StepKind::linearly_implicit) continue;
      const std::string formulations = fitting(scheme, closing, why);
      say("{:<24} {:<18} {:<11} {}\n", name, order, name_of(closing), formulations);
      name = order = "";
    }
  }
  say("\n");
  for (const SchemeFamily* family : scheme_families()) {
    say("{}: {}\n", family->name, family->meaning);
    for (const SchemeParameter& parameter : family->parameters)
      say("  --{:<8} {}\n", parameter.name, parameter.meaning);
  }
  if (!why.empty()) say("\nNot possible:\n");
  for (const std::string& line : why) say("  {}\n", line);
  std::string controlled;
  for (const SchemeFamily* family : scheme_families())
    if (choose_scheme(family->name, {}).make(1e-3).error > 0.0)
      controlled += (controlled.empty() ? "" : ", ") + std::string(family->name);
  say("\nSteps of a length of their own (--error-tolerance): {}.\n", controlled);
}

}  // namespace

void register_schemes(Command& app, int& exit_code) {
  Command* command = app.add_subcommand(
      "schemes", "list the schemes of time integration, and with what each of them goes");
  command->callback([&exit_code] {
    print_schemes();
    exit_code = kDone;
  });
}

}  // namespace semirec::cli
