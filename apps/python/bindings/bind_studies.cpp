#include <algorithm>
#include <cmath>
#include <thread>

#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "apps/cli/compare_runs.hpp"
#include "apps/cli/sweep_responses.hpp"
#include "apps/cli/thread_pool.hpp"
#include "apps/python/bindings/answer_tuple.hpp"
#include "apps/python/bindings/bind.hpp"
#include "apps/python/bindings/trouble.hpp"
#include "vehicles/study/study_files.hpp"
#include "vehicles/study/study_table.hpp"

namespace semirec::python {

namespace {

namespace py = pybind11;

/// Asks all samples in threads, which tell their trouble to the caller's scope and then end; looks
/// for Ctrl-C meanwhile.
std::vector<StudyRow> ask_all(const cli::Responses& responses, const Design& design,
                              std::size_t threads) {
  const std::size_t count = design.values.size();
  Trouble& trouble = *current_trouble();
  cli::ThreadPool pool(threads, [&](const cli::SampleGroup& group, const std::atomic<bool>& stop) {
    const TroubleScope scope(trouble);
    return responses.ask(design, group, stop);
  });
  pool.give(responses.groups(design, std::vector<char>(count, 0)));
  std::vector<StudyRow> rows;
  const Progress go_on = until_interrupted();
  constexpr int kLook = 100;  // ms
  while (rows.size() < count) {
    for (StudyRow& row : pool.take(kLook)) rows.push_back(std::move(row));
    if (trouble.happened() || !go_on(0.0, "")) throw Interrupted();
  }
  std::sort(rows.begin(), rows.end(),
            [](const StudyRow& a, const StudyRow& b) { return a.index < b.index; });
  return rows;
}

/// (names, units, rows, words, status, answer): parameters, then responses; `words` are the values
/// of parameters that are none, by name.
py::tuple sweep(const std::string& path, const std::optional<std::string>& text, int threads) {
  if (threads < 0 || threads > 1024)
    throw ModelError("threads is " + std::to_string(threads) +
                     ", expected 1 to 1024, or 0 for one a processor");
  Study study;
  Design design;
  StudyTable table;
  Answer answer;
  without_lock([&] {
    study = text ? read_study_text(*text, path) : read_study(path);
    design = make_design(study);
    cli::Responses responses(study);
    check_vehicle(study, design, responses.words());
    responses.find_columns(design, until_interrupted());
    table.study = &study;
    table.design = &design;
    table.units = find_units(study);
    table.columns = responses.columns();
    table.rows = ask_all(responses, design,
                         threads > 0 ? static_cast<std::size_t>(threads)
                                     : std::max(1U, std::thread::hardware_concurrency()));
    answer = summarize(table);
    answer.notes.insert(answer.notes.begin(), responses.told().begin(), responses.told().end());
  });
  std::vector<std::string> names, units, status;
  py::dict words;
  for (std::size_t k = 0; k < study.varied.size(); ++k) {
    const Vary& vary = study.varied[k];
    names.push_back(vary.name);
    units.push_back(table.units[k]);
    if (vary.words.empty()) continue;
    py::list chosen;
    for (const std::vector<double>& values : design.values)
      chosen.append(value_text(vary, values[k]));
    words[vary.name.c_str()] = chosen;
  }
  for (const Channel& column : table.columns) {
    names.push_back(column.name);
    units.push_back(column.unit);
  }
  py::array_t<double> rows(
      {static_cast<py::ssize_t>(table.rows.size()), static_cast<py::ssize_t>(names.size())});
  double* out = rows.mutable_data();
  for (const StudyRow& row : table.rows) {
    out = std::copy(design.values[row.index].begin(), design.values[row.index].end(), out);
    out = std::copy(row.responses.begin(), row.responses.end(), out);
    status.push_back(row.status);
  }
  return py::make_tuple(names, units, rows, words, status, to_python(answer));
}

/// Throws ModelError for what `semirec compare` refuses; a `good` or `until` of 0 is not given.
void expect_in_range(double good, double until, int repeat) {
  if (repeat < 1 || repeat > 1000)
    throw ModelError(fmt::format("repeat is {}, expected 1 to 1000", repeat));
  if (!(good >= 0.0 && std::isfinite(good)))
    throw ModelError(
        fmt::format("good is {:g}, expected an error above 0, or 0 for the measure's own", good));
  if (!(until >= 0.0 && until <= 1e6))
    throw ModelError(
        fmt::format("until is {:g}, expected a time above 0 s, or 0 for the scenario's", until));
}

/// (names, units, rows, formulations, status, reasons, largest, about)
py::tuple compare(const Described& vehicle, const Described& scenario,
                  const std::vector<std::string>& formulations, const std::vector<double>& steps,
                  const std::string& measure, double good, double until, bool largest_step,
                  int repeat) {
  expect_in_range(good, until, repeat);
  cli::Comparison made;
  std::vector<std::string> notes;
  without_lock([&] {
    DriveDescription read = read_drive(vehicle, scenario);
    if (until > 0.0) read.scenario.until = until;
    cli::CompareTask task;
    task.methods = cli::choose_methods(formulations);
    task.steps = cli::check_steps("steps", steps.empty() ? cli::usual_steps(read.scenario) : steps,
                                  read.scenario);
    if (good > 0.0) task.good = good;
    task.largest_step = largest_step;
    task.repeat = repeat;
    cli::Bench bench(read.vehicle, read.scenario, cli::parse_measure(measure));
    // asked in every step of runs whose time is measured
    long calls = 0;
    bool pressed = false;
    const Progress go_on = until_interrupted();
    bench.interrupted = [&] {
      constexpr long kUntilSignals = 1000;
      if (!pressed && ++calls % kUntilSignals == 0) pressed = !go_on(0.0, "");
      return pressed;
    };
    notes = read.vehicle.notes;
    for (const std::vector<std::string>& more :
         {read.scenario.road_notes, cli::find_notes(bench, task)})
      notes.insert(notes.end(), more.begin(), more.end());
    made = cli::compare(bench, task, [](const std::string& /*what*/) {});
    if (pressed) throw Interrupted();
  });
  const std::vector<std::string> names{
      "step",        "error",          "cpu",         "realtime_factor", "steps",
      "iterations",  "factorizations", "coordinates", "constraints",     "closure",
      "energy_error"};
  const std::vector<std::string> units{"s", made.unit, "s", "1", "1", "1", "1", "1", "1", "m", "J"};
  std::vector<std::string> methods, status, reasons;
  py::array_t<double> rows(
      {static_cast<py::ssize_t>(made.cells.size()), static_cast<py::ssize_t>(names.size())});
  double* out = rows.mutable_data();
  for (const cli::Cell& cell : made.cells) {
    methods.push_back(cell.method);
    status.emplace_back(name_of(cell.verdict));
    reasons.push_back(cell.message.empty() ? cell.reason : cell.message);
    for (const double value :
         {cell.step, cell.error, cell.cpu, cell.realtime, static_cast<double>(cell.steps),
          static_cast<double>(cell.iterations), static_cast<double>(cell.factorizations),
          static_cast<double>(cell.coordinates), static_cast<double>(cell.constraints), cell.Phi,
          cell.energy_error})
      *out++ = value;
  }
  py::dict largest;
  for (const cli::LargestStep& found : made.largest)
    largest[found.method.c_str()] = found.step ? py::object(py::float_(*found.step)) : py::none();
  py::dict about;
  about["measure"] = made.measure;
  about["criterion"] = made.criterion;
  about["limit"] = made.limit;
  about["notes"] = notes;
  about["reference_failure"] = made.reference_failure;
  return py::make_tuple(names, units, rows, methods, status, reasons, largest, about);
}

}  // namespace

void bind_studies(py::module_& module) {
  module.def("_sweep", sweep);
  module.def("_compare", compare);
}

}  // namespace semirec::python
