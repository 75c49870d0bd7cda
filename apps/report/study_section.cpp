#include "apps/report/study_section.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "apps/report/recorded_run.hpp"
#include "apps/report/report_json.hpp"
#include "vehicles/files/xml/reader.hpp"

namespace semirec::report {

namespace {

constexpr std::size_t kMostBytes = 1'000'000, kMostCarBytes = 600'000;
constexpr std::size_t kPlain = 20, kPacked = 6;  // bytes of a number in a page
constexpr std::size_t kMostDrawn = 200;

/// `most` of 0 ... count - 1, evenly spread.
std::vector<std::size_t> spread(std::size_t count, std::size_t most) {
  std::vector<std::size_t> places;
  const std::size_t shown = std::min(count, most);
  for (std::size_t k = 0; k < shown; ++k) places.push_back(k * count / shown);
  return places;
}

/// A value as --set takes it: files are looked for beside the vehicle there, beside the study here.
std::string as_set(const Study& study, const std::string& word) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path file = fs::path(study.folder) / word;
  if (word.find('.') == std::string::npos || !fs::is_regular_file(file, error)) return word;
  return fs::proximate(file, fs::path(study.vehicle).parent_path(), error).string();
}

StudyColumn column_of(const Study& study, const Vary& vary, const std::string& unit) {
  StudyColumn column{vary.factor ? vary.name + " (factor)" : vary.name, unit};
  column.log = vary.distribution == Distribution::log_uniform;
  for (const std::string& word : vary.words) column.words.push_back(as_set(study, word));
  for (const std::string& element : vary.elements)
    column.settings.push_back(element + "." + vary.attribute + (vary.factor ? "=*" : "="));
  return column;
}

/// What differs from the nominal drawing, of whose shapes `texts` are; false: other bodies or
/// shapes.
bool find_differences(const Vehicle& vehicle, const std::vector<std::string>& texts,
                      const std::vector<double>& poses, StudyCar& car, std::size_t& bytes) {
  car.poses = show_design(vehicle, {}).poses;
  const std::vector<Shape> shapes = make_drawing(vehicle).shapes;
  if (shapes.size() != texts.size() || car.poses.size() != poses.size()) return false;
  for (std::size_t k = 0; k < shapes.size(); ++k) {
    const std::string text = shape_text(shapes[k]);
    if (text == texts[k]) continue;
    bytes += text.size() + 20;
    car.shapes.emplace_back(k, shapes[k]);
  }
  return true;
}

}  // namespace

StudySection make_study_section(const StudyTable& table, const std::vector<std::string>& commands,
                                std::vector<std::string>& notes) {
  const Study& study = *table.study;
  StudySection section;
  section.commands = commands;
  const std::size_t bytes_a_row =
      kPlain * (study.varied.size() + 1) + kPacked * table.columns.size();
  const std::vector<std::size_t> rows = spread(table.rows.size(), kMostBytes / bytes_a_row);
  if (rows.size() < table.rows.size())
    notes.push_back(
        fmt::format("the page shows {} of {} samples, evenly spread; all are in "
                    "results.csv",
                    rows.size(), table.rows.size()));
  for (std::size_t k = 0; k < study.varied.size(); ++k) {
    section.columns.push_back(column_of(study, study.varied[k], table.units[k]));
    for (const std::size_t r : rows)
      section.columns.back().values.push_back(table.design->values[table.rows[r].index][k]);
  }
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    section.columns.push_back({table.columns[c].name, table.columns[c].unit, true});
    for (const std::size_t r : rows)
      section.columns.back().values.push_back(table.rows[r].responses[c]);
  }
  for (const std::size_t r : rows) {
    if (table.rows[r].status != kSampleOk)
      section.failures.emplace_back(section.samples.size(), table.rows[r].status);
    section.samples.push_back(table.rows[r].index);
  }
  return section;
}

void draw_cars(const StudyTable& table, const Vehicle& nominal,
               const std::function<bool()>& keep_going, StudySection& study) {
  std::vector<std::string> texts;
  for (const Shape& shape : make_drawing(nominal).shapes) texts.push_back(shape_text(shape));
  const std::vector<double> poses = show_design(nominal, {}).poses;
  std::size_t bytes = 0, asked = 0, other = 0;
  const std::vector<std::size_t> rows = spread(study.samples.size(), kMostDrawn);
  for (const std::size_t row : rows) {
    if (bytes > kMostCarBytes || (keep_going && !keep_going())) break;
    StudyCar car;
    car.row = row;
    try {
      const Vehicle vehicle =
          read_vehicle(table.study->vehicle,
                       overrides_of(*table.study, table.design->values[study.samples[row]]));
      ++asked;
      if (!find_differences(vehicle, texts, poses, car, bytes)) {
        ++other;
        continue;
      }
    } catch (const ModelError&) {
      continue;  // its row says why
    }
    if (car.shapes.empty() && car.poses == poses) continue;
    bytes += 10 * car.poses.size();
    study.cars.push_back(std::move(car));
  }
  const bool all = asked == study.samples.size();
  if (study.cars.empty() && other == 0) {
    study.drawn = fmt::format(
        "what is varied changes nothing that is drawn{}: the view shows the vehicle as its file "
        "has it",
        all ? "" : fmt::format(", as far as {} samples tell", asked));
    return;
  }
  study.drawn =
      study.cars.size() == study.samples.size()
          ? "each car is drawn with its own values, in the design position"
          : fmt::format(
                "{} of {} samples are drawn with their own values, in the design position; for the "
                "others the view shows the vehicle as its file has it",
                study.cars.size(), study.samples.size());
}

}  // namespace semirec::report
