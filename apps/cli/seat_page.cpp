#include "apps/cli/seat_page.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/cli/report_output.hpp"
#include "apps/report/model_section.hpp"
#include "apps/report/motion_recorder.hpp"
#include "apps/report/report_json.hpp"
#include "apps/report/road_mesh.hpp"
#include "vehicles/manoeuvre/scenery.hpp"

namespace semirec::cli {

namespace {

using PageJson = nlohmann::ordered_json;

constexpr double kRoadAhead = 300.0, kRoadAside = 40.0;  // m that are drawn

PageJson hello_of(const Session& session, const DriveDescription& read) {
  PageJson hello = {{"type", "hello"},
                    {"bodies", session.drive().model.mechanism.bodies.size() + 1}};
  hello["channels"] = PageJson::array();
  for (const Channel& channel : session.outputs())
    hello["channels"].push_back({{"name", channel.name}, {"unit", channel.unit}});
  const Controls& controls = read.vehicle.controls;
  hello["inputs"] = PageJson::object();
  for (const auto& [key, name] : {std::pair("steering", &controls.steering),
                                  {"throttle", &controls.throttle},
                                  {"brake", &controls.brake},
                                  {"gear", &controls.gear}})
    if (const int at = session.find_output(*name + ".value"); at >= 0) hello["inputs"][key] = at;
  hello["controls"] = {{"steering", !controls.steering.empty()},
                       {"throttle", !controls.throttle.empty()},
                       {"brake", !controls.brake.empty()},
                       {"gear", !controls.gear.empty()}};
  PageJson dash = PageJson::object();
  const auto place = [&](const char* key, const std::string& channel) {
    if (const int at = session.find_output(channel); at >= 0) dash[key] = at;
  };
  for (const char* axis : {"vx", "vy", "ax", "ay", "yaw"})
    place(axis, std::string("chassis.") + axis);
  if (!read.vehicle.drivelines.empty()) {
    place("motor_speed", read.vehicle.drivelines.front().name + ".motor_speed");
    place("gear", read.vehicle.drivelines.front().name + ".gear");
  }
  place("steering", controls.steering + ".value");
  dash["steering_ratio"] = controls.steering_ratio;
  dash["loads"] = PageJson::array();
  for (const Wheel& wheel : read.vehicle.wheels)
    if (const int at = session.find_output(wheel.name + ".Fz"); at >= 0)
      dash["loads"].push_back({{"name", wheel.name}, {"channel", at}});
  hello["dash"] = dash;
  return hello;
}

}  // namespace

SeatPage::SeatPage(const Session& session, const DriveDescription& read,
                   const std::string& vehicle_file)
    : model_(session.drive().model),
      ws_(model_),
      counter_(find_cones(read), find_outline(read.vehicle), session.outputs()) {
  if (!report::has_pages())
    throw ModelError(
        "this program was built without pages, expected one that was built where node >= 18 and "
        "npm are; --headless needs none");
  report::Report page = report::begin_report("drive", read.vehicle, vehicle_file);
  page.title = fmt::format("{} in {}", model_.mechanism.name, read.scenario.name);
  page.notes = session.notes();
  page.command = command_line();
  page.version = kVersion;
  report::Motion start;
  start.name = "drive";
  start.frame_times = {session.time()};
  report::append_poses(model_, session.state(), ws_, start.poses);
  page.motions.push_back(start);
  report::DrivenCourse course;
  const Eigen::Vector2d here = session.state().origin.head<2>();
  course.points = {here, here + kRoadAhead * course.heading};
  course.half_width = kRoadAside;
  page.road = report::make_road_mesh(read.scenario, course);
  page.cones = report::place_cones(read.scenario, counter_.cones());
  html_ = report::html_of(page, report::Reach::own_host);
  hello_ = hello_of(session, read).dump(-1, ' ', false, PageJson::error_handler_t::replace);
  hello_.pop_back();
}

std::string SeatPage::hello(const std::string& sliders) const {
  return hello_ + R"(,"sliders":)" + sliders + "}";
}

void SeatPage::put_frame(const seat::SeatFrame& frame, std::vector<float>& numbers) {
  poses_.clear();
  report::append_poses(model_, frame.state, ws_, poses_);
  numbers.clear();
  counter_.look_at(frame.state.t, frame.outputs.data());
  numbers.reserve(4 + frame.outputs.size() + poses_.size() + counter_.cones().size());
  const auto put = [&](double number) { numbers.push_back(static_cast<float>(number)); };
  put(frame.state.t);
  put(frame.status == StepStatus::converged ? 0.0 : 1.0);
  put(frame.silent ? 1.0 : 0.0);
  put(frame.paused ? 1.0 : 0.0);
  for (const double number : frame.outputs) put(number);
  for (const double number : poses_) put(number);
  for (const Cone& cone : counter_.cones()) put(cone.hit ? 1.0 : 0.0);
}

}  // namespace semirec::cli
