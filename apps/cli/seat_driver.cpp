#include "apps/cli/seat_driver.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <future>
#include <thread>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "apps/cli/output.hpp"
#include "apps/seat/seat_scenario.hpp"

namespace semirec::cli {

namespace {

using DriverJson = nlohmann::ordered_json;

constexpr auto kLoopPatience = std::chrono::seconds(2);

std::string text_of(const DriverJson& json) {
  return json.dump(-1, ' ', false, DriverJson::error_handler_t::replace);
}

/// Looks every millisecond; false: not within kLoopPatience.
template <typename Condition>
bool wait_for(const Condition& condition) {
  const auto end = std::chrono::steady_clock::now() + kLoopPatience;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

}  // namespace

std::array<std::string, seat::kControls> control_names(const Vehicle& vehicle) {
  const Controls& controls = vehicle.controls;
  std::array<std::string, seat::kControls> names{controls.steering, controls.throttle,
                                                 controls.brake, controls.gear};
  for (const Input& input : vehicle.mechanism.inputs)
    if (input.computed) std::replace(names.begin(), names.end(), input.name, std::string());
  return names;
}

SeatDriver::SeatDriver(seat::SeatLink& link, const Session& session, SeatFiles files,
                       const DriveDescription& read, const std::vector<ScenarioEvent>& changes)
    : link_(link),
      files_(std::move(files)),
      read_(read),
      overrides_(seat::overrides_before_changes(read.vehicle, changes)),
      names_(control_names(read.vehicle)),
      model_(session.drive().model),
      sliders_(seat::make_sliders(read.vehicle)),
      driven_(sliders_.size(), 1.0),
      wanted_(sliders_.size(), 1.0) {
  for (const ScenarioEvent& change : changes)
    if (change.time <= 0.0) changes_.push_back({0, true, 0.0, change.changes});
}

std::string SeatDriver::hear(const std::string& message) {
  const DriverJson said = DriverJson::parse(message, nullptr, /*allow_exceptions=*/false);
  if (!said.is_object() || !said.contains("type") || !said["type"].is_string()) return {};
  const std::string type = said["type"];
  const auto number = [&](const char* key) {
    return said.contains(key) && said[key].is_number() ? said[key].get<double>() : NAN;
  };
  if (type == "inputs") {
    static constexpr std::array<const char*, seat::kControls> keys{"steering", "throttle", "brake",
                                                                   "gear"};
    std::array<double, seat::kControls> held{};
    for (std::size_t k = 0; k < keys.size(); ++k) held[k] = number(keys[k]);
    take_inputs(held);
  } else if (type == "pause" && said.contains("on") && said["on"].is_boolean()) {
    link_.pause(said["on"].get<bool>());
  } else if (type == "speed" && std::isfinite(number("factor"))) {
    link_.slow_down(number("factor"));
  } else if (type == "reset") {
    worker_.post([this] { go_back(); });
  } else if (type == "save") {
    worker_.post([this] { save(); });
  } else if (type == "change" && number("slider") >= 0.0 &&
             number("slider") < static_cast<double>(sliders_.size()) &&
             std::isfinite(number("factor"))) {
    change(static_cast<std::size_t>(number("slider")),
           std::clamp(number("factor"), kLeastFactor, kMostFactor));
  }
  return {};
}

void SeatDriver::take_inputs(const std::array<double, seat::kControls>& held) {
  // what a page sends is not believed
  static constexpr std::array<double, seat::kControls> least{-100.0, 0.0, 0.0, -10.0};
  static constexpr std::array<double, seat::kControls> most{100.0, 1.0, 1.0, 20.0};
  for (std::size_t k = 0; k < held.size(); ++k)
    if (std::isfinite(held[k])) held_[k] = std::clamp(held[k], least[k], most[k]);
  link_.drive(held_);
}

void SeatDriver::look_at(const seat::SeatFrame& frame) {
  const bool failed = frame.status != StepStatus::converged;
  if (failed && !failed_)
    tell(fmt::format("the step after t = {:.3f} s failed: {}{}; go back to the start to drive on",
                     frame.state.t, semirec::name_of(frame.status),
                     frame.row < 0 ? ""
                                   : fmt::format("; worst closure error {:.2g} m at {}",
                                                 frame.closure, name_of_row(model_, frame.row))));
  failed_ = failed;
}

std::string SeatDriver::take_news() {
  const std::lock_guard lock(mutex_);
  if (news_.empty()) return {};
  std::string text = std::move(news_.front());
  news_.pop_front();
  return text;
}

std::vector<std::string> SeatDriver::saved() {
  std::promise<void> done;
  worker_.post([&] { done.set_value(); });
  done.get_future().wait();
  const std::lock_guard lock(mutex_);
  return saved_;
}

std::string SeatDriver::sliders() {
  const std::lock_guard lock(mutex_);
  DriverJson list = DriverJson::array();
  for (std::size_t k = 0; k < sliders_.size(); ++k)
    list.push_back({{"what", sliders_[k].attribute.substr(0, sliders_[k].attribute.rfind('_'))},
                    {"elements", sliders_[k].elements},
                    {"factor", wanted_[k]}});
  return text_of(list);
}

void SeatDriver::tell(const std::string& text) {
  const std::lock_guard lock(mutex_);
  news_.push_back(text_of({{"type", "notice"}, {"text", text}}));
}

void SeatDriver::tell_sliders() {
  const std::lock_guard lock(mutex_);
  news_.push_back(text_of({{"type", "sliders"}, {"factors", wanted_}}));
}

void SeatDriver::change(std::size_t slider, double factor) {
  const std::lock_guard lock(mutex_);
  wanted_[slider] = factor;
  // one job takes all that has come until it begins
  if (!changing_) worker_.post([this] { change_car(); });
  changing_ = true;
}

void SeatDriver::go_back() {
  link_.reset();
  if (wait_for([&] { return !link_.is_resetting(); })) tell("back at the start");
}

/// Of the drives saved now those of before are kept, unless --overwrite says otherwise.
std::string SeatDriver::next_name() {
  std::string name;
  do name = fmt::format("drive_{}", ++number_);
  while (!files_.overwrite &&
         std::filesystem::exists(std::filesystem::path(files_.out) / (name + ".xml")));
  return name;
}

void SeatDriver::save() {
  if (files_.out.empty()) {
    tell("not saved: semirec drive was started without --out");
    return;
  }
  // only this thread asks for a reset: none comes while the recording is read
  if (link_.is_resetting()) {
    tell("not saved: on the way back to the start");
    return;
  }
  try {
    const std::string name = next_name();
    const seat::DrivenScenario driven = seat::write_driven_scenario(
        files_.scenario, name, files_.settings.step, names_, link_.record(),
        seat::events_of(changes_, link_.drives(), read_.scenario));
    const OutputFolder folder(files_.out, files_.overwrite,
                              [&](const std::string& file) { return file == name + ".xml"; });
    const std::string trouble = folder.write(name + ".xml", driven.text);
    if (!trouble.empty()) {
      tell("not saved: " + trouble);
      return;
    }
    tell(fmt::format("saved {:.1f} s as {}/{}.xml{}", driven.until, files_.out, name,
                     link_.record().full() ? "; the recording was full" : ""));
    const std::lock_guard lock(mutex_);
    saved_.push_back(name + ".xml");
  } catch (const std::exception& error) {
    tell(std::string("not saved: ") + error.what());
  }
}

bool SeatDriver::hand_over(seat::SeatCar& car) {
  seat::SeatCar* back = nullptr;
  const auto comes_back = [&] { return (back = link_.take_back()) != nullptr; };
  link_.offer(car);
  if (wait_for(comes_back)) return true;
  // the loop is over, or looks at it right now
  if (link_.withdraw()) return false;
  while (!wait_for(comes_back)) {
  }
  return true;
}

void SeatDriver::change_car() {
  std::vector<double> wanted;
  {
    const std::lock_guard lock(mutex_);
    wanted = wanted_;
    changing_ = false;
  }
  seat::CarChange change;
  for (std::size_t k = 0; k < sliders_.size(); ++k) {
    if (wanted[k] == driven_[k]) continue;
    const std::vector<Override> more = seat::overrides_of(sliders_[k], wanted[k]);
    change.overrides.insert(change.overrides.end(), more.begin(), more.end());
  }
  if (change.overrides.empty()) return;
  std::string trouble;
  try {
    std::vector<seat::CarChange> changes = changes_;
    changes.push_back(change);
    std::vector<Override> overrides = overrides_;
    const std::vector<Override> more = seat::merge_overrides(changes);
    overrides.insert(overrides.end(), more.begin(), more.end());
    std::unique_ptr<seat::SeatCar> car =
        seat::make_car(files_.vehicle, overrides, read_.scenario, files_.settings);
    if (!hand_over(*car)) return;
    if (!car->taken) throw ModelError("the car would have another structure");
    change.drive = car->drive;
    change.at_start = car->at_start;
    change.time = car->time;
    changes_.push_back(change);
    driven_ = wanted;
    tell(fmt::format("changed at {:.3f} s", change.time));
    if (!first_) first_ = std::move(car);
  } catch (const std::exception& error) {
    trouble = error.what();
  }
  if (!trouble.empty()) {
    const std::lock_guard lock(mutex_);
    wanted_ = driven_;
  }
  if (!trouble.empty()) tell("not changed: " + trouble);
  tell_sliders();
}

}  // namespace semirec::cli
