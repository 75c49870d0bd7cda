#include "vehicles/manoeuvre/manoeuvre.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>

#include <fmt/format.h>

#include "apps/cli/drive_page.hpp"
#include "apps/cli/manoeuvre_marks.hpp"
#include "apps/cli/questions.hpp"
#include "apps/cli/run_limits.hpp"
#include "apps/cli/terminal.hpp"
#include "integrator/batch/batch.hpp"
#include "topology/nearest.hpp"
#include "vehicles/files/old_names.hpp"
#include "vehicles/fleet/drives_side_by_side.hpp"
#include "vehicles/manoeuvre/method.hpp"
#include "vehicles/session/session.hpp"

namespace semirec::cli {

namespace {

namespace fs = std::filesystem;

/// The folder of the Python module, where this code is part of it; empty in a program.
fs::path module_folder() {
  Dl_info own{};
  if (dladdr(reinterpret_cast<const void*>(&module_folder), &own) == 0 || own.dli_fname == nullptr)
    return {};
  const fs::path file(own.dli_fname);
  return file.extension() == ".so" ? file.parent_path() : fs::path();
}

/// Where manoeuvres may lie: named by the environment, in the source tree, installed.
std::vector<fs::path> manoeuvre_folders() {
  std::vector<fs::path> folders;
  if (const char* named = std::getenv("SEMIREC_MANOEUVRES"); named != nullptr && *named != '\0')
    folders.emplace_back(named);
  folders.emplace_back("vehicles/manoeuvres");
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) {
    const fs::path bin = program.parent_path();
    folders.push_back(bin / "../share/semirec/manoeuvres");
    // bin/ of build/PRESET
    folders.push_back(bin / "../../../vehicles/manoeuvres");
  }
  if (const fs::path module = module_folder(); !module.empty()) {
    // lib/python3/dist-packages/semirec, and python/semirec of build/PRESET
    folders.push_back(module / "../../../../share/semirec/manoeuvres");
    folders.push_back(module / "../../../../vehicles/manoeuvres");
  }
  return folders;
}

/// The first folder that is there; empty without one.
fs::path manoeuvre_folder() {
  std::error_code error;
  for (const fs::path& folder : manoeuvre_folders())
    if (fs::is_directory(folder, error)) return folder.lexically_normal();
  return {};
}

std::vector<std::string> shipped_names() {
  std::vector<std::string> names;
  std::error_code error;
  fs::path folder = manoeuvre_folder();
  if (folder.empty()) return names;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".xml") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

/// A path as it is; a name in the folder.
std::string find_manoeuvre(const std::string& name) {
  std::error_code error;
  if (name.find('/') != std::string::npos || fs::path(name).extension() == ".xml") return name;
  fs::path folder = manoeuvre_folder();
  if (folder.empty())
    throw ModelError("manoeuvre '" + name +
                     "': no folder of manoeuvres is found, expected the file's path, or the folder "
                     "in SEMIREC_MANOEUVRES");
  const fs::path file = folder / (name + ".xml");
  if (fs::is_regular_file(file, error)) return file.string();
  const fs::path renamed = folder / (current_name(name) + ".xml");
  if (fs::is_regular_file(renamed, error)) {
    note_once(old_name_note({}, name, current_name(name)));
    return renamed.string();
  }
  throw ModelError("manoeuvre '" + name + "' is not known" + nearest_hint(name, shipped_names()) +
                   ", expected one of `semirec manoeuvre --list` or a file");
}

void print_manoeuvre(const Manoeuvre& manoeuvre) {
  say("{}{}\n    {}\n", manoeuvre.name,
      manoeuvre.standard.empty() ? "" : "  (" + manoeuvre.standard + ")", manoeuvre.about);
  for (const ManoeuvreValue& value : manoeuvre.values) {
    const std::string number =
        std::isnan(value.value) ? "of the car" : fmt::format("{:g}", value.value);
    say("      {:<20} {:>10} {:<7} {}\n", value.name, number, value.unit, value.about);
  }
}

fs::path need_manoeuvre_folder() {
  fs::path folder = manoeuvre_folder();
  if (folder.empty())
    throw ModelError(
        "no folder of manoeuvres is found, expected vehicles/manoeuvres, "
        "share/semirec/manoeuvres beside the program's bin, or the folder in SEMIREC_MANOEUVRES");
  return folder;
}

/// As much of the text as fits, at a word's end.
std::string shortened(const std::string& text, std::size_t width) {
  if (text.size() <= width) return text;
  return text.substr(0, text.rfind(' ', width - 3)) + " ...";
}

/// One line each: it fits a screen.
void print_list() {
  constexpr std::size_t kColumns = 79;
  const fs::path folder = need_manoeuvre_folder();
  for (const std::string& name : shipped_names()) {
    const Manoeuvre manoeuvre = read_manoeuvre((folder / (name + ".xml")).string());
    const std::string line = fmt::format("{:<28} {}{}", manoeuvre.name, manoeuvre.standard,
                                         manoeuvre.standard.empty() ? "" : ": ") +
                             manoeuvre.about;
    say("{}\n", shortened(line, kColumns));
  }
  say("Values in SI units (m/s^2, rad) with defaults, some of the car: --values\n"
      "  semirec manoeuvre coast_down vehicles/models/sedan.xml --with speed=20\n");
}

void print_values() {
  const fs::path folder = need_manoeuvre_folder();
  for (const std::string& name : shipped_names()) {
    print_manoeuvre(read_manoeuvre((folder / (name + ".xml")).string()));
    say("\n");
  }
  say("Files in {}; copy one and edit it, or replace values by --with NAME=NUMBER.\n"
      "  semirec manoeuvre coast_down vehicles/models/sedan.xml --with speed=20 --out down\n",
      folder.string());
}

/// Which of several drives a page shows.
std::string words_on_drive(const PageWatcher& watcher, const Answer& answer) {
  const bool has_history = std::any_of(answer.tables.begin(), answer.tables.end(),
                                       [](const Table& table) { return table.name == "history"; });
  if (!watcher.knows_drive())
    return fmt::format("the car is shown in the last of {} drives{}", watcher.drives(),
                       has_history ? ", which is not that of the curves over time"
                                   : "; the numbers come from several");
  return fmt::format(
      "the car is shown in one of {} drives, {}", watcher.drives(),
      has_history ? "that of the curves over time" : "the one that the numbers come from");
}

class ManoeuvreQuestion final : public Question {
 public:
  const char* name() const override { return "manoeuvre"; }
  const char* about() const override {
    return "drives a manoeuvre of a standard, or a file's, and says its metrics";
  }

  std::vector<std::string> files() const override { return {find_manoeuvre(manoeuvre_)}; }

  void add_options(Command& command) override {
    command
        .add_option("NAME", manoeuvre_, "manoeuvre: a name of --list, or a manoeuvre file (XML)")
        ->required();
    add_vehicle(command);
    command
        .add_option("--with", changes_,
                    "replaces a value of the manoeuvre, as speed=20 (SI units); may be repeated")
        ->type_name("VALUE=NUMBER")
        ->one_each_time();
    command.add_flag("--quick", quick_,
                     "leave out the second drive with twice the step that tells how sure the "
                     "numbers are");
    command.add_flag(
        "--ideal-driver", ideal_,
        "a driver without delay and without limits of the steering wheel's and pedals' "
        "rates");
    command.add_option("--step", step_, "time step instead of the file's, s")->between(1e-6, 0.1);
    add_scheme_limits(command, scheme_);
    add_refused_control_limits(command, control_);
    command.add_print_flag("--list", print_list,
                           "print all manoeuvres, one line each: standard and question");
    command.add_print_flag("--values", print_values,
                           "print the values of all manoeuvres, with defaults and units");
    command.footer(
        "Example:\n"
        "  semirec manoeuvre --list\n"
        "  semirec manoeuvre coast_down vehicles/models/sedan.xml --with speed=20 --out down");
  }

  bool has_history() const override { return true; }

  Answer answer_for(report::Report* page, const std::vector<Override>& more,
                    const Progress& progress) const override {
    return drive(page, more, nullptr, progress);
  }

  /// As many as fill a vector register, where their steps may be taken side by side.
  std::size_t at_once() const override {
    const Manoeuvre manoeuvre = read_changed();
    const Drive car = make_drive(read({}, manoeuvre.scenario.overrides), manoeuvre.scenario);
    StepSettings step = car.settings.step;
    step.iterations = usual_iterations(step.scheme);
    const bool beside = car.settings.events.empty() && batch_fault(step).empty() &&
                        batch_fault(car.model, car.model).empty();
    return beside ? static_cast<std::size_t>(cars_side_by_side()) : 1;
  }

  std::vector<Outcome> answers(const std::vector<std::vector<Override>>& cars,
                               const Progress& progress) const override {
    std::vector<Outcome> outcomes(cars.size());
    DrivesSideBySide beside;
    std::vector<std::function<void()>> tasks;
    for (std::size_t k = 0; k < cars.size(); ++k)
      tasks.emplace_back([&, k] {
        outcomes[k].trouble =
            trouble_of([&] { outcomes[k].answer = drive(nullptr, cars[k], &beside, progress); });
      });
    const std::string trouble = trouble_of([&] { beside.carry_out(std::move(tasks)); });
    for (Outcome& outcome : outcomes)
      if (!outcome.answer && outcome.trouble.empty()) outcome.trouble = trouble;
    return outcomes;
  }

 private:
  /// With --with, --step, --scheme.
  Manoeuvre read_changed() const {
    refuse_control(
        control_,
        "the driver of a manoeuvre acts once a step, at steps of one length, expected it "
        "with run, sweep or compare");
    std::vector<ManoeuvreChange> changes;
    for (const std::string& text : changes_) {
      const ManoeuvreChange change = parse_change(text);
      if (std::any_of(changes.begin(), changes.end(),
                      [&](const ManoeuvreChange& other) { return other.name == change.name; }))
        note_once("--with " + change.name + " is given more than once, the last one counts: " +
                  text.substr(change.name.size() + 1));
      changes.push_back(change);
    }
    Manoeuvre manoeuvre = read_manoeuvre(find_manoeuvre(manoeuvre_), changes);
    say_notes(manoeuvre.notes);
    say_notes(manoeuvre.scenario.road_notes);
    if (ideal_) manoeuvre.driver.limits.on = false;
    if (step_ > 0.0) manoeuvre.step = step_;
    apply(scheme_, manoeuvre.scenario);
    return manoeuvre;
  }

  /// `page` and `stepper` may be null.
  Answer drive(report::Report* page, const std::vector<Override>& more, DriveStepper* stepper,
               const Progress& progress) const {
    Manoeuvre manoeuvre = read_changed();
    manoeuvre.stepper = stepper;
    const Vehicle vehicle = read(more, manoeuvre.scenario.overrides);
    if (page == nullptr) return run_manoeuvre(vehicle, manoeuvre, {quick_}, progress);
    PageWatcher watcher;
    manoeuvre.watcher = &watcher;
    *page = begin_page(vehicle);
    Answer answer = run_manoeuvre(vehicle, manoeuvre, {quick_}, progress);
    if (watcher.drives() == 0) return answer;
    const report::ShownMotion& shown = watcher.shown();
    page->motions.push_back(shown.motion);
    page->motions.back().name = manoeuvre.name;
    if (watcher.knows_drive())
      page->motions.back().marks = find_marks(answer.readings, shown.motion);
    page->road = report::make_road_mesh(manoeuvre.scenario, shown.course);
    if (watcher.drives() > 1) page->notes.push_back(words_on_drive(watcher, answer));
    return answer;
  }

  std::string manoeuvre_;
  std::vector<std::string> changes_;
  bool quick_ = false;
  bool ideal_ = false;
  double step_ = 0.0;
  SchemeLimits scheme_;
  ControlLimits control_;
};

}  // namespace

std::unique_ptr<Question> make_manoeuvre_question() {
  return std::make_unique<ManoeuvreQuestion>();
}

}  // namespace semirec::cli
