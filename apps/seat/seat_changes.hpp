#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "apps/seat/seat_link.hpp"
#include "vehicles/description/drive_description.hpp"

namespace semirec::seat {

/// Factors of laws that are changed together: of elements at the same place left and right whose
/// names are one but for the suffix of a template (what follows the last `_`).
struct Slider {
  std::string attribute;              ///< `spring_scale`, ...
  std::vector<std::string> elements;  ///< names, in the order of the file
  std::vector<double> values;         ///< [element] with which the drive began
};

/// All that can be changed on a vehicle while it is driven, in the order of its file.
std::vector<Slider> make_sliders(const Vehicle& vehicle);

/// What brings the slider's elements to `factor` times their values.
std::vector<Override> overrides_of(const Slider& slider, double factor);

/// A change of the car that the loop has carried out.
struct CarChange {
  std::uint32_t drive = 0;  ///< counts the resets before
  bool at_start = false;    ///< the drive started with it
  double time = 0.0;        ///< s
  std::vector<Override> overrides;
};

/// What a vehicle is to be read with: of several for one attribute of an element the last stays,
/// and with one that multiplies (`*1.2`) what it multiplies.
std::vector<Override> merge_overrides(const std::vector<CarChange>& changes);

/// The events of a scenario that repeats the drive after `drive` resets: one at 0 s with all that
/// was changed before it began, and one for each change on the way; by names that no event of
/// `scenario` has.
std::vector<ScenarioEvent> events_of(const std::vector<CarChange>& changes, std::uint32_t drive,
                                     const Scenario& scenario);

/// A car that a drive goes on with from a time on.
struct ComingCar {
  ScenarioEvent event;
  std::unique_ptr<SeatCar> car;
};

/// The overrides with which a drive begins: those of the scenario, then `more` (of the command
/// line), then those of its changes at 0 s.
std::vector<Override> overrides_at_start(const Scenario& scenario,
                                         const std::vector<Override>& more,
                                         const std::vector<ScenarioEvent>& changes);

/// Those of a vehicle that was read with them, less the ones of the changes at 0 s.
std::vector<Override> overrides_before_changes(const Vehicle& vehicle,
                                               const std::vector<ScenarioEvent>& changes);

/// The cars of the changes after 0 s that `session` is to go on with, which is left as it was.
/// `read`: with the overrides of the start. Throws ModelError, also at a car that does not fit.
std::vector<ComingCar> make_coming_cars(const std::string& vehicle, const DriveDescription& read,
                                        const std::vector<ScenarioEvent>& changes,
                                        const SessionSettings& settings, Session& session);

/// Gives the session the cars of `coming`, from `next` on, that are due before its coming step.
void take_due_cars(Session& session, std::vector<ComingCar>& coming, std::size_t& next) noexcept;

}  // namespace semirec::seat
