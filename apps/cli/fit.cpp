#include <algorithm>

#include <nlohmann/json.hpp>

#include "apps/cli/commands.hpp"
#include "apps/cli/number_list.hpp"
#include "apps/cli/output.hpp"
#include "apps/cli/question.hpp"
#include "topology/mechanism.hpp"
#include "vehicles/analysis/bicycle/bicycle_answer.hpp"

namespace semirec::cli {

namespace {

constexpr int kSpeedsOfARange = 5;

/// `A:B` is five speeds from A to B; all else is a list of numbers.
std::vector<double> read_speeds(const std::string& text) {
  if (std::count(text.begin(), text.end(), ':') != 1) return read_numbers("--speed", text);
  const std::size_t colon = text.find(':');
  const double from = read_numbers("--speed", text.substr(0, colon)).front();
  const double to = read_numbers("--speed", text.substr(colon + 1)).front();
  std::vector<double> speeds;
  for (int k = 0; k < kSpeedsOfARange; ++k)
    speeds.push_back(from + (to - from) * k / (kSpeedsOfARange - 1));
  return speeds;
}

/// The answer's numbers without units and words, one level for each dot of a name.
std::string plain_numbers(const Answer& answer) {
  nlohmann::ordered_json numbers;
  for (const Quantity& quantity : answer.quantities) {
    nlohmann::ordered_json* place = &numbers;
    std::size_t from = 0;
    for (std::size_t dot = 0; (dot = quantity.name.find('.', from)) != std::string::npos;
         from = dot + 1)
      place = &(*place)[quantity.name.substr(from, dot - from)];
    (*place)[quantity.name.substr(from)] = quantity.value;
  }
  return json_text(numbers);
}

class BicycleQuestion final : public Question {
 public:
  const char* name() const override { return "bicycle"; }
  const char* about() const override {
    return "a linear single track model of the car: mass, yaw inertia, axles, cornering "
           "stiffnesses "
           "with relaxation lengths, understeer gradient, steering ratio; its range and its error "
           "there; the same under the names of CommonRoad, Autoware and openpilot";
  }
  void add_options(Command& command) override {
    add_vehicle(command);
    command
        .add_option("--speed", speeds_,
                    "m/s, at which it is fitted: A:B (five speeds), several (10,20,30), one, or "
                    "from:to:step; 1 to 100")
        ->required();
    command
        .add_option("--frequency", options_.frequency,
                    "Hz of the steering wheel, up to which it is fitted")
        ->between(kLeastFrequency, kMostFrequency)
        ->capture_default_str();
    command.footer(
        "--out DIR keeps answer.json, bicycle.json (the numbers alone), speeds.csv, response.csv\n"
        "example: semirec fit bicycle vehicles/models/sedan.xml --speed 10:30 --out bicycle");
  }

  Answer answer_for(report::Report* /*page*/, const std::vector<Override>& more,
                    const Progress& progress) const override {
    BicycleOptions options = options_;
    options.speeds = read_speeds(speeds_);
    Answer answer = analyse_bicycle(read(more), options, progress);
    answer.files.emplace_back("bicycle.json", plain_numbers(answer));
    return answer;
  }

 private:
  static constexpr double kLeastFrequency = 0.1;
  static constexpr double kMostFrequency = 5.0;

  BicycleOptions options_;
  std::string speeds_;
};

}  // namespace

void register_fit(Command& app, int& exit_code) {
  Command* parent = app.add_subcommand("fit", "a simpler model fitted to the answers of a car");
  parent->require_subcommand(1);
  add_question(*parent, std::make_unique<BicycleQuestion>(), false, exit_code);
}

}  // namespace semirec::cli
