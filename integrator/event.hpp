#pragma once

#include <string>
#include <vector>

#include "integrator/model.hpp"
#include "integrator/report.hpp"
#include "integrator/state.hpp"
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

/// Carries out an event at the state's time: switches, closes small gaps, then velocities by a
/// mass-orthogonal projection (a perfectly plastic impact, momentum balanced by the closures'
/// impulses), effective masses, accelerations and multipliers anew. Empty when done, else one line
/// that says why not: an attachment stays open by more than 1 mm or 1 mrad, or the mass matrix is
/// not positive definite; the state is then as before. Allocates.
std::string apply_event(const Model& model, const StepSettings& settings, const Event& event,
                        State& state, Workspace& ws);

}  // namespace semirec
