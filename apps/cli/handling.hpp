#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "vehicles/description/scenario.hpp"
#include "vehicles/description/vehicle.hpp"
#include "vehicles/driver/motion.hpp"

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
    const bool has_chassis =
        std::any_of(channels.begin(), channels.end(),
                    [](const Channel& channel) { return channel.name == "chassis.yaw"; });
    if (has_chassis && (steers_ || drives_)) motion_.emplace(channels);
  }

  void see(const std::vector<double>& row, double t) {
    if (!motion_) return;
    const CarMotion motion = motion_->read(row.data());
    yaw_rate_.see(motion.yaw_rate, t);
    lateral_.see(motion.ay, t);
    longitudinal_.see(motion.ax, t);
    speed_.see(motion.vx, t);
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
    if (motion_ && steers_) {
      put("yaw_rate", yaw_rate_, "rad/s");
      put("lateral_acceleration", lateral_, "m/s^2");
    }
    if (motion_ && drives_) {
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
  std::optional<MotionReader> motion_;  // none: nothing is steered or driven, or no chassis
  bool steers_ = false, drives_ = false;
  Course yaw_rate_, lateral_, longitudinal_, speed_;
};

}  // namespace semirec::cli
