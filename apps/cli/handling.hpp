#pragma once

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "vehicles/description/scenario.hpp"
#include "vehicles/description/vehicle.hpp"

namespace semirec::cli {

/// What the scenario does with the steering wheel or the pedals, and what the car makes of it.
class Handling {
 public:
  Handling(const Vehicle& vehicle, const Scenario& scenario, const std::vector<Channel>& channels) {
    for (const Input& input : scenario.inputs) {
      if (input.name.empty() || input.curve.is_constant()) continue;
      steers_ = steers_ || input.name == vehicle.controls.steering;
      drives_ = drives_ || input.name == vehicle.controls.throttle ||
                input.name == vehicle.controls.brake;
    }
    for (std::size_t k = 0; k < kNames.size(); ++k)
      for (std::size_t c = 0; c < channels.size(); ++c)
        if (channels[c].name == std::string("chassis.") + kNames[k]) at_[k] = c;
    if (at_[kYaw] == 0) steers_ = drives_ = false;
  }

  void see(const std::vector<double>& row, double t) {
    if (!steers_ && !drives_) return;
    const double c = std::cos(row[at_[kYaw]]);
    const double s = std::sin(row[at_[kYaw]]);
    // of the heading, as car.yaw_rate of manoeuvres, not about the chassis' own axis
    const double roll = row[at_[kRoll]];
    yaw_rate_.see((row[at_[kWy]] * std::sin(roll) + row[at_[kWz]] * std::cos(roll)) /
                      std::cos(row[at_[kPitch]]),
                  t);
    lateral_.see(c * row[at_[kAy]] - s * row[at_[kAx]], t);
    longitudinal_.see(c * row[at_[kAx]] + s * row[at_[kAy]], t);
    speed_.see(c * row[at_[kVx]] + s * row[at_[kVy]], t);
  }

  void put_into(nlohmann::ordered_json& summary) const {
    nlohmann::ordered_json about = nlohmann::ordered_json::object();
    const auto put = [&](const char* name, const Course& course, const char* unit) {
      about[name] = {{"first", course.first},
                     {"last", course.last},
                     {"peak", course.peak},
                     {"peak_time", course.time},
                     {"unit", unit}};
    };
    if (steers_) {
      put("yaw_rate", yaw_rate_, "rad/s");
      put("lateral_acceleration", lateral_, "m/s^2");
    }
    if (drives_) {
      put("speed", speed_, "m/s");
      put("longitudinal_acceleration", longitudinal_, "m/s^2");
    }
    if (!about.empty()) summary["handling"] = about;
  }

 private:
  /// First and last value, and the largest magnitude with its sign and time.
  struct Course {
    double first = 0.0, last = 0.0, peak = 0.0, time = 0.0;
    bool seen = false;
    void see(double value, double t) {
      if (!seen) first = value;
      seen = true;
      last = value;
      if (std::abs(value) <= std::abs(peak)) return;
      peak = value;
      time = t;
    }
  };
  enum { kYaw, kRoll, kPitch, kWy, kWz, kAx, kAy, kVx, kVy };
  static constexpr std::array<const char*, 9> kNames{"yaw", "roll", "pitch", "wy", "wz",
                                                     "ax",  "ay",   "vx",    "vy"};
  std::array<std::size_t, kNames.size()> at_{};
  bool steers_ = false, drives_ = false;
  Course yaw_rate_, lateral_, longitudinal_, speed_;
};

}  // namespace semirec::cli
