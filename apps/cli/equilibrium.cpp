#include <cmath>

#include "apps/cli/number_list.hpp"
#include "apps/cli/questions.hpp"
#include "apps/report/recorded_run.hpp"
#include "vehicles/analysis/steady_state.hpp"
#include "vehicles/files/xml/reader.hpp"

namespace semirec::cli {

namespace {

class EquilibriumQuestion final : public Question {
 public:
  const char* name() const override { return "equilibrium"; }
  const char* about() const override {
    return "the car at rest on its road, straight on at a speed, or in a steady turn: pose, "
           "steering wheel, forces of all elements";
  }
  void add_options(Command& command) override {
    add_vehicle(command);
    command.add_option("SCENARIO", scenario_,
                       "scenario file (XML): its road, contact and inputs at the start; speed and "
                       "events are left out");
    command.add_option("--speed", speed_, "m/s; without it the car is at rest");
    command.add_option(
        "--lateral-acceleration", lateral_,
        "m/s^2, to the left: solved for steering wheel, sideslip and all the rest. One "
        "number, several (1,2,4) or from:to:step for a table with gradients");
    command
        .add_option("--hold", hold_,
                    "what holds the speed: a force along the heading at the chassis' centre of "
                    "mass, or the throttle")
        ->choices({"force", "throttle"})
        ->capture_default_str();
    command.footer(
        "example: semirec equilibrium vehicles/models/sedan.xml --speed 22.2 "
        "--lateral-acceleration 0:6:0.5 --out turning");
  }

  Answer answer_for(report::Report* page, const std::vector<Override>& more,
                    const Progress& progress) const override {
    const DriveDescription both = read_in(scenario_, more);
    SteadyOptions options;
    options.speed = speed_;
    if (!lateral_.empty())
      options.lateral_accelerations = read_numbers("--lateral-acceleration", lateral_);
    options.hold = hold_ == "throttle" ? SpeedHold::throttle : SpeedHold::force;
    if (page != nullptr) {
      *page = begin_page(both.vehicle);
      show_states(both, options, *page);
    }
    return analyse_steady_state(both.vehicle, both.scenario, options, progress);
  }

 private:
  /// The car in each of the states that are asked for, as far as they are reached.
  static void show_states(const DriveDescription& both, const SteadyOptions& options,
                          report::Report& page) {
    SteadyCar car(both.vehicle, both.scenario, options.hold);
    std::vector<SteadyTurn> turns;
    try {
      if (options.speed > 0.0) {
        std::vector<double> asked = options.lateral_accelerations;
        if (asked.empty()) asked.push_back(0.0);
        for (const double lateral : asked)
          turns.push_back(
              car.turn(options.speed, lateral, turns.empty() ? nullptr : &turns.back()));
      } else {
        turns.push_back(car.rest());
      }
    } catch (const AnalysisError&) {
      // the answer says so
    }
    if (turns.empty()) return;
    report::ShownMotion shown = report::show_turns(car, turns);
    shown.motion.name = "steady state";
    page.motions.push_back(std::move(shown.motion));
    page.road = report::make_road_mesh(both.scenario, shown.course);
  }

  std::string scenario_, lateral_;
  double speed_ = 0.0;
  std::string hold_ = "force";
};

}  // namespace

std::unique_ptr<Question> make_equilibrium_question() {
  return std::make_unique<EquilibriumQuestion>();
}

}  // namespace semirec::cli
