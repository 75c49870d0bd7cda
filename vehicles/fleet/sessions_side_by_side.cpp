#include "vehicles/fleet/sessions_side_by_side.hpp"

#include <algorithm>
#include <string>

namespace semirec {

std::string side_by_side_fault(const Session& first, const Session& session) {
  const StepSettings& settings = session.settings();
  if (std::string fault = batch_fault(first.drive().model, session.drive().model); !fault.empty())
    return fault;
  if (std::string fault = batch_fault(settings); !fault.empty()) return fault;
  if (settings.h != first.settings().h || settings.iterations != first.settings().iterations ||
      describe(settings.scheme) != describe(first.settings().scheme))
    return "it has steps of another length, scheme or number of iterations than the first car";
  return {};
}

namespace {

std::vector<const Model*> models_of(const std::vector<Session*>& sessions) {
  if (sessions.empty()) throw ModelError("cars side by side: there is none, expected at least one");
  std::vector<const Model*> models;
  for (std::size_t k = 0; k < sessions.size(); ++k) {
    if (const std::string fault = side_by_side_fault(*sessions.front(), *sessions[k]);
        !fault.empty())
      throw ModelError("cars side by side: car " + std::to_string(k) + ": " + fault);
    const auto own = sessions.begin() + static_cast<std::ptrdiff_t>(k);
    if (const auto before = std::find(sessions.begin(), own, *own); before != own)
      throw ModelError("cars side by side: car " + std::to_string(k) + " is car " +
                       std::to_string(before - sessions.begin()) + ", expected another one");
    models.push_back(&sessions[k]->drive().model);
  }
  return models;
}

}  // namespace

SessionsSideBySide::SessionsSideBySide(const std::vector<Session*>& sessions, int lanes)
    : sessions_(sessions), batch_(models_of(sessions), lanes), beside_(sessions.size()) {}

void SessionsSideBySide::step(int steps, StepStatus* status) noexcept {
  if (steps < 1) return;
  for (int k = 0; k < size(); ++k) {
    Session& session = *sessions_[static_cast<std::size_t>(k)];
    State*& state = beside_[static_cast<std::size_t>(k)];
    state = nullptr;
    batch_.leave_out(k);
    if (status[k] != StepStatus::converged) continue;
    if (session.may_step_elsewhere()) {
      state = &session.begin_elsewhere();
      batch_.put(k, *state);
      continue;
    }
    for (int n = 0; n < steps && status[k] == StepStatus::converged; ++n)
      status[k] = session.step();
  }
  const StepSettings& settings = sessions_.front()->settings();
  for (int n = 0; n < steps; ++n) {
    if (n == 1)
      for (int k = 0; k < size(); ++k) batch_.hold_inputs(k);
    batch_.step(settings);
    for (int k = 0; k < size(); ++k) {
      State* state = beside_[static_cast<std::size_t>(k)];
      if (state == nullptr || batch_.report(k).status != StepStatus::converged) continue;
      state->t = sessions_[static_cast<std::size_t>(k)]->next_time(state->t);
      batch_.set_time(k, state->t);
    }
  }
  for (int k = 0; k < size(); ++k) {
    State* state = beside_[static_cast<std::size_t>(k)];
    if (state == nullptr) continue;
    batch_.take(k, *state);
    status[k] = batch_.report(k).status;
    sessions_[static_cast<std::size_t>(k)]->end_elsewhere(batch_.report(k));
  }
}

}  // namespace semirec
