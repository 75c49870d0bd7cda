#include "vehicles/fleet/sessions_side_by_side.hpp"

#include <algorithm>
#include <string>

namespace semirec {

std::string side_by_side_fault(const Session& first, const Session& session) {
  if (std::string fault = batch_fault(first.drive().model, session.drive().model); !fault.empty())
    return fault;
  if (std::string fault = batch_fault(session.settings()); !fault.empty()) return fault;
  if (session.settings() != first.settings())
    return "its steps have another length, scheme, number of iterations or projection than those "
           "of the first car";
  return {};
}

namespace {

void check(const std::vector<Session*>& sessions) {
  if (sessions.empty()) throw ModelError("cars side by side: there is none, expected at least one");
  for (std::size_t k = 0; k < sessions.size(); ++k) {
    const auto own = sessions.begin() + static_cast<std::ptrdiff_t>(k);
    const auto before = std::find(sessions.begin(), own, *own);
    std::string fault = before != own ? "it is car " + std::to_string(before - sessions.begin()) +
                                            ", expected another one"
                                      : side_by_side_fault(*sessions.front(), **own);
    if (!fault.empty())
      throw ModelError("cars side by side: car " + std::to_string(k) + ": " + fault);
  }
}

}  // namespace

SessionsSideBySide::SessionsSideBySide(const std::vector<Session*>& sessions, int lanes)
    : sessions_(sessions), beside_(sessions.size()) {
  check(sessions);
  for (const Session* session : sessions) drives_.push_back(session->shared_drive());
  if (lanes == 0) lanes = cars_side_by_side();
  const auto width = static_cast<std::size_t>(lanes);
  for (std::size_t first = 0; first < sessions.size(); first += width) {
    std::vector<const Model*> models;
    for (std::size_t k = first; k < std::min(first + width, sessions.size()); ++k)
      models.push_back(&drives_[k]->model);
    registers_.emplace_back(models, lanes);
  }
}

bool SessionsSideBySide::goes_beside(std::size_t session) const noexcept {
  const Session& own = *sessions_[session];
  return own.may_step_elsewhere() && &own.drive() == drives_[session].get();
}

void SessionsSideBySide::step(int steps, StepStatus* status) noexcept {
  for (int k = 0; k < registers(); ++k) step_register(k, steps, status);
}

void SessionsSideBySide::step_register(int index, int steps, StepStatus* status) noexcept {
  if (steps < 1) return;
  Batch& batch = registers_[static_cast<std::size_t>(index)];
  const int first = index * lanes();
  Session* const* sessions = &sessions_[static_cast<std::size_t>(first)];
  State** beside = &beside_[static_cast<std::size_t>(first)];
  status += first;
  for (int k = 0; k < batch.size(); ++k) {
    beside[k] = nullptr;
    batch.leave_out(k);
    if (status[k] != StepStatus::converged) continue;
    if (goes_beside(static_cast<std::size_t>(first + k))) {
      beside[k] = &sessions[k]->begin_elsewhere();
      batch.put(k, *beside[k]);
      continue;
    }
    for (int n = 0; n < steps && status[k] == StepStatus::converged; ++n)
      status[k] = sessions[k]->step();
  }
  for (int n = 0; n < steps; ++n) {
    if (n == 1)
      for (int k = 0; k < batch.size(); ++k) batch.hold_inputs(k);
    // what jumps at a time of the grid is met by the step that ends there, as in Session::step()
    for (int k = 0; k < batch.size(); ++k)
      if (beside[k] != nullptr) batch.set_end(k, sessions[k]->next_time(beside[k]->t));
    batch.step(drives_[static_cast<std::size_t>(first)]->settings.step);
    for (int k = 0; k < batch.size(); ++k)
      if (beside[k] != nullptr && batch.report(k).status == StepStatus::converged)
        beside[k]->t = sessions[k]->next_time(beside[k]->t);
  }
  for (int k = 0; k < batch.size(); ++k) {
    if (beside[k] == nullptr) continue;
    batch.take(k, *beside[k]);
    status[k] = batch.report(k).status;
    sessions[k]->end_elsewhere(batch.report(k));
  }
}

}  // namespace semirec
