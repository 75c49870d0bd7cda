#include "vehicles/analysis/modes.hpp"

#include <numbers>

#include "apps/cli/mode_animation.hpp"
#include "apps/cli/number_list.hpp"
#include "apps/cli/questions.hpp"
#include "apps/report/recorded_run.hpp"
#include "vehicles/files/xml/reader.hpp"

namespace semirec::cli {

namespace {

std::vector<std::string> split_names(const std::string& text) {
  std::vector<std::string> names;
  std::size_t from = 0;
  while (from <= text.size() && !text.empty()) {
    const std::size_t to = text.find(',', from);
    const std::string name = text.substr(from, to == std::string::npos ? to : to - from);
    if (name.empty())
      throw ModelError("list '" + text + "': a name is empty, expected names with commas between");
    names.push_back(name);
    if (to == std::string::npos) break;
    from = to + 1;
  }
  return names;
}

class ModesQuestion final : public Question {
 public:
  const char* name() const override { return "modes"; }
  const char* about() const override {
    return "eigenvalues, damping and mode shapes of the car at rest, at a speed or in a turn, and "
           "the linear system A B C D";
  }
  void add_options(Command& command) override {
    add_vehicle(command);
    command.add_option("SCENARIO", scenario_,
                       "scenario file (XML): its road, contact and inputs at the start");
    Argument* speed = command.add_option("--speed", speed_, "m/s; without it the car is at rest");
    command.add_option("--lateral-acceleration", lateral_, "m/s^2, to the left, in a steady turn");
    command
        .add_option("--hold", hold_,
                    "what holds the speed of the steady state: a force along the heading at the "
                    "chassis' centre of mass, or the throttle; both are constant in the linear "
                    "system")
        ->choices({"force", "throttle"})
        ->capture_default_str();
    command
        .add_option("--speeds", speeds_,
                    "m/s, several (10,20,30) or from:to:step: how the eigenvalues move over "
                    "speed, in place of the modes")
        ->excludes(speed);
    command.add_option("--inputs", inputs_,
                       "names with commas between; without it all of the vehicle");
    command.add_option("--outputs", outputs_,
                       "recorder channels (results.csv, and cg.* at the chassis' centre of mass) "
                       "with commas between; without it velocities, accelerations and rates in "
                       "the chassis' axes, height, roll, pitch and wheel loads");
    command.footer(
        "--out DIR keeps modes.csv, energy.csv, participation.csv, A.csv, B.csv, C.csv, D.csv and "
        "modes.gltf (an animation of each mode)\n"
        "example: semirec modes vehicles/models/sedan.xml --speed 22.2 --out modes");
  }

  Answer answer_for(report::Report* page, const std::vector<Override>& more,
                    const Progress& progress) const override {
    const DriveDescription both = read_in(scenario_, more);
    ModesOptions options;
    options.speed = speed_;
    options.lateral_acceleration = lateral_;
    options.hold = hold_ == "throttle" ? SpeedHold::throttle : SpeedHold::force;
    if (!speeds_.empty()) options.speeds = read_numbers("--speeds", speeds_);
    if (options.speeds.size() == 1) options.speed = options.speeds.front();
    options.inputs = split_names(inputs_);
    options.outputs = split_names(outputs_);
    if (options.speeds.size() > 1 && !(options.inputs.empty() && options.outputs.empty()))
      throw ModelError(
          "--speeds asks for eigenvalues over several speeds, where --inputs and --outputs name "
          "nothing, expected --speed with them");
    if (!more.empty())
      options.like =
          names_of_vehicle(options.speeds.size() > 1 ? options.speeds : std::vector{options.speed});
    SteadyCar car(both.vehicle, both.scenario, options.hold);
    CarModes modes;
    Answer answer = analyse_modes(car, options, progress, &modes);
    if (page != nullptr) {
      *page = begin_page(both.vehicle);
      page->road = report::make_road_mesh(both.scenario, show_modes(car, modes, *page));
    }
    if (!modes.modes.empty()) answer.files.emplace_back("modes.gltf", animate_modes(car, modes));
    return answer;
  }

 private:
  /// The steady state, and the shapes about it; over several speeds the car at rest. Its course.
  static report::DrivenCourse show_modes(SteadyCar& car, const CarModes& modes,
                                         report::Report& page) {
    const bool one = !modes.modes.empty();
    report::ShownMotion shown = report::show_turns(car, {one ? modes.turn : car.as_it_stands()});
    shown.motion.name = one ? "steady state" : "at rest";
    page.motions.push_back(std::move(shown.motion));
    if (!one) return shown.course;
    const std::vector<ModeShape> shapes = find_mode_shapes(car, modes);
    for (std::size_t k = 0; k < shapes.size(); ++k) {
      const Mode& mode = modes.modes[k];
      page.modes.push_back({mode.name, mode.eigen.natural_frequency() / (2.0 * std::numbers::pi),
                            mode.eigen.damping_ratio(), shapes[k]});
    }
    return shown.course;
  }

  /// Of the vehicle without `more`: the cars of a study call a branch alike. Null: it has none.
  const ModeNames* names_of_vehicle(const std::vector<double>& speeds) const {
    std::call_once(learnt_, [&] {
      try {
        const DriveDescription both = read_in(scenario_, {});
        SteadyCar car(both.vehicle, both.scenario);
        names_.emplace();
        names_->learn(car, speeds);
      } catch (const std::runtime_error&) {
        names_.reset();
      }
    });
    return names_ ? &*names_ : nullptr;
  }

  mutable std::once_flag learnt_;
  mutable std::optional<ModeNames> names_;
  std::string scenario_, speeds_, inputs_, outputs_;
  double speed_ = 0.0;
  double lateral_ = 0.0;
  std::string hold_ = "force";
};

}  // namespace

std::unique_ptr<Question> make_modes_question() { return std::make_unique<ModesQuestion>(); }

}  // namespace semirec::cli
