#include "vehicles/driver/motion.hpp"

#include <array>
#include <cmath>
#include <string>

#include "topology/mechanism.hpp"

namespace semirec {

namespace {

/// As the recorder writes them, one after the other.
constexpr std::array<const char*, 15> kChassis{"x",  "y",    "z",     "vx",  "vy", "vz", "ax", "ay",
                                               "az", "roll", "pitch", "yaw", "wx", "wy", "wz"};
/// Below this speed nothing is said about directions, m/s.
constexpr double kStanding = 0.1;

}  // namespace

double CarMotion::speed() const { return std::hypot(vx, vy); }

double CarMotion::sideslip() const { return speed() < kStanding ? 0.0 : std::atan2(vy, vx); }

double CarMotion::course() const { return yaw + sideslip(); }

double CarMotion::curvature() const {
  const double v = speed();
  return v < kStanding ? 0.0 : (vx * ay - vy * ax) / (v * v * v);
}

MotionReader::MotionReader(const std::vector<Channel>& channels) {
  for (std::size_t k = 0; k + kChassis.size() <= channels.size(); ++k) {
    bool all = true;
    for (std::size_t i = 0; i < kChassis.size(); ++i)
      all = all && channels[k + i].name == std::string("chassis.") + kChassis[i];
    if (!all) continue;
    first_ = k;
    return;
  }
  throw ModelError("the vehicle has no chassis, expected a body with chassis=\"yes\"");
}

std::vector<std::size_t> MotionReader::channels() const {
  std::vector<std::size_t> read{time_};
  for (std::size_t k = 0; k < kChassis.size(); ++k) read.push_back(first_ + k);
  return read;
}

CarMotion MotionReader::read(const double* values) const noexcept {
  const double* c = values + first_;
  CarMotion m;
  m.t = values[time_];
  m.x = c[0];
  m.y = c[1];
  m.z = c[2];
  m.roll = c[9];
  m.pitch = c[10];
  m.yaw = c[11];
  const double cos_yaw = std::cos(m.yaw);
  const double sin_yaw = std::sin(m.yaw);
  m.vx = cos_yaw * c[3] + sin_yaw * c[4];
  m.vy = -sin_yaw * c[3] + cos_yaw * c[4];
  m.ax = cos_yaw * c[6] + sin_yaw * c[7];
  m.ay = -sin_yaw * c[6] + cos_yaw * c[7];
  m.yaw_rate = (std::sin(m.roll) * c[13] + std::cos(m.roll) * c[14]) / std::cos(m.pitch);
  return m;
}

const std::vector<Channel>& motion_channels() {
  static const std::vector<Channel> channels{
      {"car.speed", "m/s"}, {"car.vx", "m/s"},         {"car.vy", "m/s"},       {"car.ax", "m/s^2"},
      {"car.ay", "m/s^2"},  {"car.yaw_rate", "rad/s"}, {"car.sideslip", "rad"}, {"car.roll", "rad"},
      {"car.pitch", "rad"}, {"car.curvature", "1/m"}};
  return channels;
}

void write_motion(const CarMotion& motion, double* values) noexcept {
  values[0] = motion.speed();
  values[1] = motion.vx;
  values[2] = motion.vy;
  values[3] = motion.ax;
  values[4] = motion.ay;
  values[5] = motion.yaw_rate;
  values[6] = motion.sideslip();
  values[7] = motion.roll;
  values[8] = motion.pitch;
  values[9] = motion.curvature();
}

}  // namespace semirec
