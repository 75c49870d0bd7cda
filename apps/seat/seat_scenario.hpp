#pragma once

#include <array>
#include <string>

#include "apps/seat/seat_link.hpp"
#include "vehicles/description/scenario.hpp"

namespace semirec::seat {

/// The scenario that gives the start of every drive without a scenario file: a level road, from
/// static equilibrium, standing.
Scenario open_area();

/// The scenario's events that change the vehicle, by time; they are taken out of it.
std::vector<ScenarioEvent> take_changes(Scenario& scenario);

/// A scenario file's text and where its drive ends, s.
struct DrivenScenario {
  std::string text;
  double until = 0.0;
};

/// A scenario file that drives a recording again: the scenario file `path` (empty: that of
/// open_area()) with the recorded controls as tables, up to the recording's end. `names`: the
/// vehicle's inputs of the controls; empty where it has none. Paths inside are made absolute. What
/// does not change from step to step is left out. `changes` take the place of those of the file.
/// Throws ModelError: nothing recorded, or the file cannot be read any more.
DrivenScenario write_driven_scenario(const std::string& path, const std::string& name, double step,
                                     const std::array<std::string, kControls>& names,
                                     const SeatRecord& record,
                                     const std::vector<ScenarioEvent>& changes = {});

/// Sets the controls for the coming step to what their curves are at its end, as a seat sets them:
/// step by step a recorded drive comes out to the bit. `inputs`: -1 where there is none. Returns
/// the input whose curve is no number there, -1 where all are.
int follow_curves(Session& session, const std::array<int, kControls>& inputs) noexcept;

}  // namespace semirec::seat
