#pragma once

#include <memory>
#include <string>
#include <vector>

#include "integrator/model.hpp"
#include "integrator/report.hpp"
#include "integrator/state.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "integrator/workspace.hpp"

namespace semirec {

/// Attaches or releases one closure that may be switched.
struct EventAction {
  int switch_index = 0;
  bool attach = true;
  bool at_current = false;  ///< its place on side a moves to where side b is
};

/// A change of configuration: at a time, or when a reported number crosses a level.
struct Event {
  std::string name;
  Source source;
  double time = -1.0;   ///< s; below zero: by condition
  std::string channel;  ///< as in results; markers and switchable joints by name, asked for or not
  double level = 0.0;
  bool rising = true;    ///< fires when the number rises above the level, else when it falls below
  bool repeats = false;  ///< fires at every crossing, not at the first only
  std::vector<EventAction> actions;

  bool is_timed() const { return channel.empty(); }
};

/// Index of the switch of a joint or constraint by name; -1 if events may not switch it.
int find_switch(const Model& model, const std::string& name);

enum class EventStatus {
  done,
  too_wide,  ///< an attachment is open by more than 1 mm or 1 mrad
  open,      ///< the gap of an attachment does not close together with the other loops
  mass_not_positive_definite
};

/// What became of an event.
struct [[nodiscard]] EventOutcome {
  EventStatus status = EventStatus::done;
  int switch_index = -1;  ///< too_wide: of what
  double gap = 0.0;       ///< too_wide, open: m or rad
};

/// Memory of events, taken once for a model.
struct EventWorkspace {
  EventWorkspace(const Model& model, const State& state);

  AssemblyWorkspace assembly;
  State changed;                        ///< relative coordinates
  State next;                           ///< of the formulation
  std::unique_ptr<Workspace> relative;  ///< for relative coordinates where `changed` has others
};

/// Carries out an event at the state's time: switches, closes small gaps, then velocities by a
/// mass-orthogonal projection (a perfectly plastic impact, momentum balanced by the closures'
/// impulses), effective masses, accelerations and multipliers anew. Unless done the state is as
/// before. No heap use where the formulation's own coordinates are relative ones.
EventOutcome apply_event(const Model& model, const StepSettings& settings, const Event& event,
                         State& state, Workspace& ws, EventWorkspace& event_ws) noexcept;

/// The same in words: empty when done, else one line that says why not. Allocates.
std::string apply_event(const Model& model, const StepSettings& settings, const Event& event,
                        State& state, Workspace& ws);

}  // namespace semirec
