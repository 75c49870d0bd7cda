#include <cmath>

#include <fmt/format.h>

#include "apps/cli/questions.hpp"
#include "vehicles/drive.hpp"
#include "vehicles/xml/reader.hpp"

namespace semirec::cli {

namespace {

class EquilibriumQuestion final : public Question {
 public:
  const char* name() const override { return "equilibrium"; }
  const char* about() const override {
    return "static equilibrium on the road: pose, joint coordinates, forces of all elements";
  }
  void add_options(Command& command) override {
    add_vehicle(command);
    command.add_option("SCENARIO", scenario_, "scenario file (XML)");
  }

  Answer answer(const std::vector<Override>& more, const Progress& /*progress*/) const override {
    Scenario scenario;
    if (!scenario_.empty()) scenario = read_scenario(scenario_);
    const Vehicle vehicle = read(more, scenario.overrides);
    scenario.start = StartMode::equilibrium;
    scenario.speed = 0.0;
    const Drive drive = make_drive(vehicle, scenario);
    const Recorder recorder(drive.model, drive.recorder);
    Workspace ws(drive.model);
    EquilibriumReport report;
    const State state = start_drive(drive, ws, &report);
    std::vector<double> values;
    recorder.record(drive.model, state, ws, values);
    Answer answer;
    answer.title = fmt::format("{}: static equilibrium after {} iterations",
                               drive.model.mechanism.name, report.iterations);
    answer.quantities = {
        {"residual", report.residual, "N", std::nan(""), "largest force left over"},
        {"closure", report.Phi, "m", std::nan(""), "widest open loop"}};
    for (std::size_t k = 1; k < values.size(); ++k)
      answer.quantities.push_back(
          {recorder.channels()[k].name, values[k], recorder.channels()[k].unit});
    return answer;
  }

 private:
  std::string scenario_;
};

}  // namespace

std::unique_ptr<Question> make_equilibrium_question() {
  return std::make_unique<EquilibriumQuestion>();
}

}  // namespace semirec::cli
