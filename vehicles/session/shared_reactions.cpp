#include "vehicles/session/shared_reactions.hpp"

#include <algorithm>

#include "integrator/compile.hpp"
#include "integrator/event_watcher.hpp"
#include "integrator/formulation/evaluate.hpp"
#include "integrator/formulation/formulation_state.hpp"
#include "integrator/statics/released_rows.hpp"
#include "penalty/factors/least_squares.hpp"
#include "topology/indices.hpp"
#include "topology/quoted_names.hpp"

namespace semirec {

std::vector<std::string> find_asked_reactions(const Drive& drive) {
  std::vector<std::string> names = drive.recorder.reactions;
  for (const Event& event : drive.settings.events) {
    const std::size_t dot = event.channel.rfind('.');
    if (dot == std::string::npos || event.channel.size() != dot + 3) continue;
    const char what = event.channel[dot + 1];
    const char axis = event.channel[dot + 2];
    if ((what == 'R' || what == 'M') && axis >= 'x' && axis <= 'z')
      names.push_back(event.channel.substr(0, dot));
  }
  return names;
}

std::vector<AttachedParts> find_later_attachments(const Drive& drive) {
  const auto after = [&](AttachedParts now, const Event& event) {
    for (const EventAction& action : event.actions)
      for (const Closure& closure : drive.model.closures.closures)
        if (closure.switch_index == action.switch_index) now[closure.name] = action.attach;
    return now;
  };
  std::vector<AttachedParts> later{{}};
  for (const Event* event : find_timed(drive.settings.events))
    if (event->time <= drive.settings.until) later.push_back(after(later.back(), *event));
  // the others may happen at any time, and together
  AttachedParts all = later.back();
  const std::size_t timed = later.size();
  for (const Event& event : drive.settings.events) {
    if (event.is_timed()) continue;
    for (std::size_t k = 0; k < timed; ++k) later.push_back(after(later[k], event));
    for (const auto& [name, attached] : after({}, event))
      if (attached) all[name] = true;
  }
  later.push_back(all);
  return later;
}

namespace {

/// Names of joints and constraints whose rows depend on others where a mechanism is drawn, with
/// these attached or released.
std::vector<std::string> find_shared(Mechanism bare, const AttachedParts& attached) {
  constexpr double kRank = 1e-9;    // of the largest pivot
  constexpr double kShared = 1e-6;  // of a dependence of unit length
  const auto put = [&](auto& part) {
    if (const auto found = attached.find(part.name); found != attached.end())
      part.attached = found->second;
  };
  for (Joint& joint : bare.joints) put(joint);
  for (Constraint& constraint : bare.constraints) put(constraint);
  const Model model = compile(bare, {}, {TangentChoice::automatic, Formulation::cartesian});
  if (model.m() == 0) return {};
  Workspace ws(model);
  const State drawn = to_formulation(model, make_initial_state(relative_model(model)));
  evaluate_state(model, drawn, ws);
  Eigen::MatrixXd Phi_q = dense_jacobian(model.blocks(), ws.closures.Phi_z, model.m(), model.n());
  std::vector<std::string> owners;  // [row] of those that are attached
  for (int row = 0; row < model.m(); ++row) {
    if (is_released(model, drawn, row)) continue;
    Phi_q.row(static_cast<Eigen::Index>(owners.size())) = Phi_q.row(row).eval();
    owners.push_back(name_of_row(model, row));
  }
  const auto rows = static_cast<Eigen::Index>(owners.size());
  if (rows == 0) return {};
  OrthogonalDecomposition decomposition;
  decompose(Phi_q.topRows(rows).transpose(), kRank, decomposition);
  if (decomposition.rank() == rows) return {};
  const Eigen::MatrixXd dependences = null_space(decomposition);
  std::vector<std::string> shared;
  for (Eigen::Index row = 0; row < rows; ++row)
    if (dependences.row(row).norm() > kShared) shared.push_back(owners[at(row)]);
  return shared;
}

}  // namespace

std::string describe_shared_reactions(const Mechanism& mechanism,
                                      const std::vector<std::string>& names,
                                      const std::vector<AttachedParts>& later) {
  if (names.empty()) return {};
  // without the elements of its forces, which do not change what joints hold
  Mechanism bare;
  bare.name = mechanism.name;
  bare.gravity = mechanism.gravity;
  bare.bodies = mechanism.bodies;
  bare.joints = mechanism.joints;
  bare.constraints = mechanism.constraints;
  bare.motions = mechanism.motions;
  bare.inputs = mechanism.inputs;
  std::vector<std::string> shared = find_shared(bare, {});
  for (const AttachedParts& attached : later) {
    const std::vector<std::string> more = find_shared(bare, attached);
    shared.insert(shared.end(), more.begin(), more.end());
  }
  std::string found;
  for (const std::string& name : names)
    if (std::find(shared.begin(), shared.end(), name) != shared.end()) add_quoted(found, name);
  if (found.empty()) return {};
  return "rigid bodies do not tell how these joints share their loads, as they hold more than the "
         "motion needs; the reactions are one of many ways: " +
         found;
}

}  // namespace semirec
