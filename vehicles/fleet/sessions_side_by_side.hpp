#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "integrator/batch/batch.hpp"
#include "vehicles/session/session.hpp"

namespace semirec {

/// In one line why a session cannot be stepped beside the first one; empty where it can. Allocates.
std::string side_by_side_fault(const Session& first, const Session& session);

/// Sessions of like cars whose steps are taken side by side (Batch): what comes out of one is what
/// Session::step() makes of it but for round-off, and the same bits whoever the others are
/// (docs/how_to/batch.md). Between the steps each is a session like any other:
/// inputs, outputs, saved and restored states.
class SessionsSideBySide {
 public:
  /// The sessions outlive it. `lanes`: as of Batch. Throws ModelError where there is none, where
  /// one is given twice, or with side_by_side_fault().
  explicit SessionsSideBySide(const std::vector<Session*>& sessions, int lanes = 0);

  int size() const { return static_cast<int>(sessions_.size()); }
  /// As many of one kind (sort_by_kind()) as one register holds are stepped together.
  int lanes() const { return registers_.front().lanes(); }
  int registers() const { return static_cast<int>(registers_.size()); }
  /// The sessions of a register, by their place.
  const std::vector<std::size_t>& cars_in(int index) const {
    return cars_[static_cast<std::size_t>(index)];
  }

  /// So many steps of those whose status is `converged`, of each until one fails; its status then
  /// says why, and Session::report(). A session takes its steps by itself that has events or a
  /// controller, or that has traded its car. `status`: [session]. No heap use.
  void step(int steps, StepStatus* status) noexcept;
  /// The same of the sessions of one register; registers may be stepped in threads of their own.
  void step_register(int index, int steps, StepStatus* status) noexcept;

 private:
  bool goes_beside(std::size_t session) const noexcept;

  std::vector<Session*> sessions_;
  std::vector<std::shared_ptr<const Drive>> drives_;  ///< [session] what the registers read
  std::vector<Batch> registers_;
  std::vector<std::vector<std::size_t>> cars_;  ///< [register]
  /// [register][car] while their steps are taken; nullptr: of one that is not beside the others;
  /// coming: those of them that the register does not hold
  std::vector<std::vector<State*>> beside_, coming_;
  /// [register][car] Session::changes() of the state that the register still holds; 0: it holds
  /// none that goes on
  std::vector<std::vector<std::uint64_t>> held_;
};

}  // namespace semirec
