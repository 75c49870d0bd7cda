// Edits that no user means: shipped models with attributes and elements removed, doubled, or with
// numbers of no use. Each is refused in one line, or starts and ends in finite numbers, or says
// that it broke down. Never anything else.

#include <array>
#include <cmath>
#include <fstream>
#include <random>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "integrator/outputs/recorder.hpp"
#include "integrator/simulation.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/session/drive.hpp"

namespace semirec::test {
namespace {

const std::string kModels = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/models/";

const std::array<const char*, 18> kValues{"nan",   "inf",    "1e308", "-1e308", "-1",  "0",
                                          "",      "1e-308", "1e9",   "-0",     "1e5", "0 0 0",
                                          "1 1 1", "{1/0}",  "{pi",   "ground", "x",   "1e300 0 0"};
/// Attributes of the suspension templates' elements, which overrides reach.
const std::array<const char*, 20> kAttributes{
    "mass",   "com",         "inertia", "point",  "axis",    "stiffness", "damping",
    "k",      "free_length", "preload", "c",      "f",       "radius",    "centre",
    "length", "point_a",     "type",    "torque", "inertia", "ratio"};

struct Span {
  std::size_t begin = 0, size = 0;
};

std::vector<Span> find_all(const std::string& text, const char* pattern, std::size_t group) {
  std::vector<Span> spans;
  const std::regex words(pattern);
  for (std::sregex_iterator i(text.begin(), text.end(), words), end; i != end; ++i)
    spans.push_back(
        {static_cast<std::size_t>(i->position(group)), static_cast<std::size_t>(i->length(group))});
  return spans;
}

/// A model's text and the places at which it may be edited.
class Model {
 public:
  explicit Model(const std::string& name) : path_(kModels + name) {
    std::stringstream text;
    text << std::ifstream(path_).rdbuf();
    text_ = text.str();
    attributes_ = find_all(text_, R"(( [a-z_0-9]+="[^"]*"))", 1);
    values_ = find_all(text_, R"re( (?!name|version|file)[a-z_0-9]+="([^"]*)")re", 1);
    elements_ = find_all(text_, R"((<[a-z_]+ [^<>]*/>))", 1);
  }

  const std::string& path() const { return path_; }
  const std::string& text() const { return text_; }

  std::string edited(std::mt19937& random) const {
    const auto pick = [&](const std::vector<Span>& spans) {
      return spans[random() % spans.size()];
    };
    std::string text = text_;
    switch (random() % 8) {
      case 0: {
        const Span span = pick(attributes_);
        return text.erase(span.begin, span.size);
      }
      case 1: {
        const Span span = pick(elements_);
        return text.erase(span.begin, span.size);
      }
      case 2: {
        const Span span = pick(elements_);
        return text.insert(span.begin, text.substr(span.begin, span.size));
      }
      default: {
        const Span span = pick(values_);
        return text.replace(span.begin, span.size, kValues[random() % kValues.size()]);
      }
    }
  }

 private:
  std::string path_, text_;
  std::vector<Span> attributes_, values_, elements_;
};

/// An override of what the templates wrote, in half of the cases.
std::vector<Override> make_overrides(std::mt19937& random) {
  const std::string attribute = kAttributes[random() % kAttributes.size()];
  const std::string value = kValues[random() % kValues.size()];
  const std::string elements = random() % 2 == 0 ? "*_fl" : "*";
  if (value.empty() || random() % 2 == 0) return {};
  return {{elements, attribute, value, {"--set " + attribute, 0}}};
}

/// Reads, starts and drives three steps; one line on what was wrong with that, or nothing.
std::string drive_three_steps(const std::string& text, const std::string& path,
                              const std::vector<Override>& overrides, StartMode start,
                              Formulation formulation) {
  try {
    const Vehicle vehicle = read_vehicle_text(text, path, overrides);
    Scenario scenario;
    scenario.start = start;
    scenario.step = 1e-3;
    scenario.until = 3e-3;
    CompileSettings settings;
    settings.formulation = formulation;
    Drive drive = make_drive(vehicle, scenario, settings);
    const Recorder recorder(drive.model, drive.recorder);
    Workspace ws(drive.model);
    Workspace scratch(drive.model);
    State state = start_drive(drive, ws);
    const RunReport report = run(drive.model, drive.settings, state, ws);
    if (report.status == RunStatus::failed)
      return report.message.empty() ? "broke down without a message" : "";
    std::vector<double> values;
    recorder.record(drive.model, state, scratch, values);
    for (std::size_t k = 0; k < values.size(); ++k)
      if (!std::isfinite(values[k]))
        return "finished with " + recorder.channels()[k].name + " not finite";
    return std::isfinite(report.energy_error) ? "" : "finished with an energy that is not finite";
  } catch (const ModelError& error) {
    // one line, or one for each error
    std::istringstream lines(error.what());
    for (std::string line; std::getline(lines, line);)
      if (line.find(": ") == std::string::npos) return "a line without a place: " + line;
    return "";
  } catch (const std::exception& error) {
    return std::string("threw: ") + error.what();
  }
}

class HostileEdits : public testing::TestWithParam<const char*> {};

TEST_P(HostileEdits, AreRefusedOrEndInFiniteNumbersOrSayThatTheyDoNot) {
  constexpr std::uint32_t kEdits = 60;
  const Model model(GetParam());
  for (std::uint32_t seed = 1; seed <= kEdits; ++seed) {
    std::mt19937 random(seed);
    const std::vector<Override> overrides = make_overrides(random);
    // one or the other, so that each is looked at
    const std::string text = overrides.empty() ? model.edited(random) : model.text();
    const StartMode start = random() % 4 == 0 ? StartMode::equilibrium : StartMode::design;
    const std::array<Formulation, 7> formulations{Formulation::hybrid,      Formulation::hybrid,
                                                  Formulation::hybrid,      Formulation::global,
                                                  Formulation::topological, Formulation::recursive,
                                                  Formulation::cartesian};
    const Formulation formulation = formulations[random() % formulations.size()];
    EXPECT_EQ(drive_three_steps(text, model.path(), overrides, start, formulation), "")
        << "seed " << seed << ", " << name_of(formulation);
  }
}

INSTANTIATE_TEST_SUITE_P(Models, HostileEdits,
                         testing::Values("iltis.xml", "sedan.xml", "double_four_bar.xml"),
                         [](const auto& test) {
                           const std::string file = test.param;
                           return file.substr(0, file.find('.'));
                         });

}  // namespace
}  // namespace semirec::test
