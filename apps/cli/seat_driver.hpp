#pragma once

#include <array>
#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "apps/seat/seat_changes.hpp"
#include "apps/seat/seat_link.hpp"
#include "apps/seat/seat_worker.hpp"
#include "vehicles/session/session.hpp"

namespace semirec::cli {

/// Names of the inputs that a driver holds; empty where the vehicle has none that he could set: an
/// equation of its own computes it.
std::array<std::string, seat::kControls> control_names(const Vehicle& vehicle);

/// Where a drive comes from and goes to.
struct SeatFiles {
  std::string vehicle, scenario, out;
  bool overwrite = false;
  SessionSettings settings;
};

/// What a driver may say, and what becomes of it. What takes long (saving a drive, making a car of
/// other numbers) is done by a thread of its own, resets in order with it.
class SeatDriver {
 public:
  static constexpr double kLeastFactor = 0.25, kMostFactor = 4.0;  // of a slider

  /// `changes`: of the scenario; those at 0 s the drive has begun with.
  SeatDriver(seat::SeatLink& link, const Session& session, SeatFiles files,
             const DriveDescription& read, const std::vector<ScenarioEvent>& changes);

  // the page's thread
  /// A message as it came; returns a JSON object for everybody, or nothing.
  std::string hear(const std::string& message);
  /// Says so where the frame's step has failed, once.
  void look_at(const seat::SeatFrame& frame);
  /// The next JSON object that has come up since; empty: none.
  std::string take_news();
  /// A JSON array of {"what", "elements", "factor"}.
  std::string sliders();

  /// Files that were written; waits for those that are on the way.
  std::vector<std::string> saved();

 private:
  void take_inputs(const std::array<double, seat::kControls>& held);
  void tell(const std::string& text);
  void tell_sliders();
  void change(std::size_t slider, double factor);

  // the worker's thread
  void go_back();
  void save();
  std::string next_name();
  void change_car();
  bool hand_over(seat::SeatCar& car);

  seat::SeatLink& link_;
  SeatFiles files_;
  DriveDescription read_;
  std::vector<Override> overrides_;  ///< of the vehicle but for `changes_`
  std::array<std::string, seat::kControls> names_;
  std::array<double, seat::kControls> held_{};
  int number_ = 0;      ///< of the last name
  const Model& model_;  ///< of the car with which the drive began
  bool failed_ = false;

  std::vector<seat::Slider> sliders_;
  std::vector<seat::CarChange> changes_;  ///< the worker's
  std::vector<double> driven_;            ///< [slider] factors of the car in the loop; the worker's
  /// The first one to come back holds the car with which the drive began, whose model the page goes
  /// on asking where its bodies are.
  std::unique_ptr<seat::SeatCar> first_;

  std::mutex mutex_;            ///< of what follows: never the loop's
  std::vector<double> wanted_;  ///< [slider]
  bool changing_ = false;       ///< a job that looks at `wanted_` is on its way
  std::deque<std::string> news_;
  std::vector<std::string> saved_;
  seat::SeatWorker worker_;  ///< last: it ends before the rest goes
};

}  // namespace semirec::cli
