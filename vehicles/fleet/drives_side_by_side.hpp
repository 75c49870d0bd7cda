#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "vehicles/fleet/sessions_side_by_side.hpp"
#include "vehicles/fleet/tasks_in_turns.hpp"
#include "vehicles/manoeuvre/drive_stepper.hpp"

namespace semirec {

/// Manoeuvres of several cars at once, the steps of their drives taken side by side
/// (SessionsSideBySide): each car's driver acts, then all cars that are on their way take a step.
/// What comes out of one does not depend on the others, to the bit.
class DrivesSideBySide final : public DriveStepper {
 public:
  DrivesSideBySide();
  ~DrivesSideBySide() override;

  /// Carries out all of these in one thread, each on a stack of 4 MB of its own. They drive with
  /// this object as Manoeuvre::stepper. Where one throws, or memory runs out, the others are left
  /// at their next step by Interrupted; then the exception goes on from here.
  void carry_out(std::vector<std::function<void()>> tasks);

  /// From within a task.
  StepStatus step(Session& session) override;

 private:
  struct Group;
  void take_steps();
  bool has_newcomers() const;
  void group_anew();

  std::unique_ptr<TasksInTurns> turns_;
  std::vector<Session*> waiting_;  ///< [task] for its step; null: it has ended
  std::vector<StepStatus> status_;
  std::vector<std::unique_ptr<Group>> groups_;
  bool stopped_ = false;
};

}  // namespace semirec
