#include "vehicles/fleet/drives_side_by_side.hpp"

#include <algorithm>
#include <exception>

#include "vehicles/analysis/answer.hpp"

namespace semirec {

namespace {
/// Any but `converged`: SessionsSideBySide leaves it out.
constexpr StepStatus kLeftOut = StepStatus::event_impossible;
}  // namespace

/// Sessions that are alike, and whose they are.
struct DrivesSideBySide::Group {
  std::vector<std::size_t> tasks;
  std::vector<Session*> sessions;
  std::vector<std::shared_ptr<const Drive>> drives;  ///< tell a session from one at its address
  bool fits = false;                                 ///< false: it is one that cannot be stepped so
  std::unique_ptr<SessionsSideBySide> beside;        ///< null: that one
  std::vector<StepStatus> status;
};

DrivesSideBySide::DrivesSideBySide() = default;
DrivesSideBySide::~DrivesSideBySide() = default;

void DrivesSideBySide::carry_out(std::vector<std::function<void()>> tasks) {
  waiting_.assign(tasks.size(), nullptr);
  status_.assign(tasks.size(), StepStatus::converged);
  groups_.clear();
  stopped_ = false;
  turns_ = std::make_unique<TasksInTurns>(std::move(tasks));
  std::exception_ptr fault;
  while (turns_->go_on()) {
    stopped_ = stopped_ || turns_->error();
    try {
      if (!stopped_) take_steps();
    } catch (...) {
      // no task is left in the middle of a step
      fault = std::current_exception();
      stopped_ = true;
    }
    std::fill(waiting_.begin(), waiting_.end(), nullptr);
  }
  groups_.clear();
  if (!fault) fault = turns_->error();
  if (fault) std::rethrow_exception(fault);
}

StepStatus DrivesSideBySide::step(Session& session) {
  const std::size_t own = turns_->current();
  waiting_[own] = &session;
  turns_->wait();
  if (stopped_) throw Interrupted();
  return status_[own];
}

void DrivesSideBySide::take_steps() {
  if (has_newcomers()) group_anew();
  for (const std::unique_ptr<Group>& owned : groups_) {
    Group& group = *owned;
    for (std::size_t k = 0; k < group.tasks.size(); ++k)
      group.status[k] = waiting_[group.tasks[k]] != nullptr ? StepStatus::converged : kLeftOut;
    if (group.beside != nullptr)
      group.beside->step(1, group.status.data());
    else if (waiting_[group.tasks.front()] != nullptr)
      group.status.front() = group.sessions.front()->step();
    for (std::size_t k = 0; k < group.tasks.size(); ++k) status_[group.tasks[k]] = group.status[k];
  }
}

bool DrivesSideBySide::has_newcomers() const {
  for (std::size_t task = 0; task < waiting_.size(); ++task) {
    if (waiting_[task] == nullptr) continue;
    const bool known = std::any_of(groups_.begin(), groups_.end(), [&](const auto& group) {
      for (std::size_t k = 0; k < group->tasks.size(); ++k)
        if (group->tasks[k] == task)
          return group->sessions[k] == waiting_[task] &&
                 group->drives[k].get() == &waiting_[task]->drive();
      return false;
    });
    if (!known) return true;
  }
  return false;
}

void DrivesSideBySide::group_anew() {
  groups_.clear();
  for (std::size_t task = 0; task < waiting_.size(); ++task) {
    Session* session = waiting_[task];
    if (session == nullptr) continue;
    const bool fits = side_by_side_fault(*session, *session).empty();
    const auto place = std::find_if(groups_.begin(), groups_.end(), [&](const auto& group) {
      return fits && group->fits && side_by_side_fault(*group->sessions.front(), *session).empty();
    });
    Group& group =
        place != groups_.end() ? **place : *groups_.emplace_back(std::make_unique<Group>());
    group.fits = fits;
    group.tasks.push_back(task);
    group.sessions.push_back(session);
    group.drives.push_back(session->shared_drive());
    group.status.push_back(StepStatus::converged);
  }
  for (const std::unique_ptr<Group>& group : groups_)
    if (group->fits) group->beside = std::make_unique<SessionsSideBySide>(group->sessions);
}

}  // namespace semirec
