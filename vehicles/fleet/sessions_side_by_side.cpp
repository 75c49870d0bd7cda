#include "vehicles/fleet/sessions_side_by_side.hpp"

#include <algorithm>
#include <string>

#include "integrator/batch/kinds.hpp"

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
    : sessions_(sessions) {
  check(sessions);
  for (const Session* session : sessions) drives_.push_back(session->shared_drive());
  if (lanes == 0) lanes = cars_side_by_side();
  const auto width = static_cast<std::size_t>(lanes);
  std::vector<const Model*> models;
  for (const auto& drive : drives_) models.push_back(&drive->model);
  for (const std::vector<std::size_t>& kind : sort_by_kind(models))
    for (std::size_t first = 0; first < kind.size(); first += width) {
      std::vector<const Model*> own;
      std::vector<std::size_t> cars;
      for (std::size_t k = first; k < std::min(first + width, kind.size()); ++k) {
        own.push_back(models[kind[k]]);
        cars.push_back(kind[k]);
      }
      registers_.emplace_back(own, lanes);
      beside_.emplace_back(cars.size());
      coming_.emplace_back(cars.size());
      held_.emplace_back(cars.size());
      cars_.push_back(std::move(cars));
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
  const std::vector<std::size_t>& cars = cars_in(index);
  std::vector<State*>& beside = beside_[static_cast<std::size_t>(index)];
  std::vector<State*>& coming = coming_[static_cast<std::size_t>(index)];
  std::vector<std::uint64_t>& held = held_[static_cast<std::size_t>(index)];
  bool any_comes = false;
  const auto for_each_beside = [&](const auto& task) {
    for (std::size_t k = 0; k < cars.size(); ++k)
      if (beside[k] != nullptr)
        task(static_cast<int>(k), *sessions_[cars[k]], *beside[k], status[cars[k]]);
  };
  for (std::size_t k = 0; k < cars.size(); ++k) {
    Session& session = *sessions_[cars[k]];
    StepStatus& own = status[cars[k]];
    beside[k] = coming[k] = nullptr;
    if (own == StepStatus::converged && goes_beside(cars[k])) {
      const bool is_held = held[k] != 0 && held[k] == session.changes();
      beside[k] = &session.begin_elsewhere();
      if (is_held) {
        batch.set_time(static_cast<int>(k), beside[k]->t);
        batch.set_inputs(static_cast<int>(k), beside[k]->live);
      } else {
        coming[k] = beside[k];
      }
      any_comes = any_comes || !is_held;
      held[k] = session.changes();
      continue;
    }
    batch.leave_out(static_cast<int>(k));
    held[k] = 0;
    for (int n = 0; n < steps && own == StepStatus::converged; ++n) own = session.step();
  }
  if (any_comes) batch.put(coming);
  for (int n = 0; n < steps; ++n) {
    if (n == 1)
      for (int k = 0; k < batch.size(); ++k) batch.hold_inputs(k);
    // what jumps at a time of the grid is met by the step that ends there, as in Session::step()
    for_each_beside([&](int k, Session& session, State& state, StepStatus& /*own*/) {
      batch.set_end(k, session.next_time(state.t));
    });
    batch.step(drives_[cars.front()]->settings.step);
    for_each_beside([&](int k, Session& session, State& state, StepStatus& /*own*/) {
      if (batch.report(k).status != StepStatus::converged) return;
      state.t = session.next_time(state.t);
      session.note_elsewhere(batch.report(k));
    });
  }
  batch.take(beside);
  for_each_beside([&](int k, Session& session, State& /*state*/, StepStatus& own) {
    own = batch.report(k).status;
    if (own != StepStatus::converged) held[static_cast<std::size_t>(k)] = 0;
    session.end_elsewhere(batch.report(k));
  });
}

}  // namespace semirec
