#include "apps/cli/question.hpp"

#include <new>
#include <optional>

#include "apps/cli/answer_output.hpp"
#include "apps/cli/commands.hpp"
#include "apps/cli/output.hpp"
#include "apps/cli/questions.hpp"
#include "apps/cli/report_output.hpp"
#include "apps/cli/terminal.hpp"
#include "apps/report/answer_section.hpp"
#include "apps/report/model_section.hpp"
#include "vehicles/analysis/without_numbers.hpp"
#include "vehicles/files/old_names.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/files/xml/xml_file.hpp"

namespace semirec::cli {

void Question::add_vehicle(Command& command) {
  command.add_option("VEHICLE", vehicle_, "vehicle or mechanism file (XML)")->required();
  add_overrides(command, overrides_);
}

DriveDescription Question::read_in(const std::string& scenario,
                                   const std::vector<Override>& more) const {
  std::vector<Override> all = read_overrides(overrides_);
  all.insert(all.end(), more.begin(), more.end());
  DriveDescription both = file().read_drive(scenario, all);
  say_notes(both.vehicle.notes);
  say_notes(both.scenario.road_notes);
  return both;
}

thread_local Question::HeardNotes* Question::HeardNotes::hearing_ = nullptr;

void Question::say_notes(const std::vector<std::string>& notes) const {
  if (HeardNotes* heard = HeardNotes::hearing_; heard != nullptr)
    heard->notes.insert(heard->notes.end(), notes.begin(), notes.end());
  const std::lock_guard lock(saying_);
  for (const std::string& note : notes) {
    if (!said_.insert(without_numbers(note)).second) continue;
    told_.push_back(note);
    note_once(note);
  }
}

std::string Question::trouble_of(const std::function<void()>& call) {
  try {
    call();
    return {};
  } catch (const Interrupted&) {
    throw;
  } catch (const std::bad_alloc&) {
    return "there is not enough memory";
  } catch (const std::exception& error) {
    return on_one_line(error.what());
  }
}

std::vector<Question::Outcome> Question::answers(const std::vector<std::vector<Override>>& cars,
                                                 const Progress& progress) const {
  std::vector<Outcome> outcomes(cars.size());
  for (std::size_t k = 0; k < cars.size(); ++k) {
    HeardNotes heard;
    outcomes[k].trouble = trouble_of([&] { outcomes[k].answer = answer(cars[k], progress); });
    outcomes[k].notes = std::move(heard.notes);
  }
  return outcomes;
}

const VehicleFile& Question::file() const {
  std::call_once(is_read_, [&] { file_.emplace(vehicle_); });
  return *file_;
}

Vehicle Question::read(const std::vector<Override>& more,
                       const std::vector<Override>& of_scenario) const {
  std::vector<Override> all = of_scenario;
  for (const Override& override : read_overrides(overrides_)) all.push_back(override);
  all.insert(all.end(), more.begin(), more.end());
  Vehicle vehicle = file().read(all);
  say_notes(vehicle.notes);
  return vehicle;
}

report::Report Question::begin_page(const Vehicle& vehicle) const {
  return report::begin_report(name(), vehicle, vehicle_);
}

std::vector<std::unique_ptr<Question>> make_questions() {
  std::vector<std::unique_ptr<Question>> questions;
  questions.push_back(make_equilibrium_question());
  questions.push_back(make_manoeuvre_question());
  questions.push_back(make_kc_question());
  questions.push_back(make_modes_question());
  return questions;
}

namespace {

struct Output {
  std::string folder;
  std::string report;
  bool overwrite = false;
  bool json = false;
  std::string formats = "csv";
};

int ask(const Question& question, const Output& output) {
  const std::vector<ResultFormat> formats = parse_formats(output.formats);
  // a folder or page that cannot be written is found before the work
  const std::unique_ptr<ReportFile> page = open_report(output.report, output.overwrite);
  std::optional<OutputFolder> folder;
  if (!output.folder.empty()) folder.emplace(output.folder, output.overwrite, is_answer_file);
  catch_interrupts();
  Answer answer;
  report::Report shown;
  try {
    ProgressLine line;
    const auto progress = [&](double part, const std::string& what) {
      line.show(part, what);
      return !interrupted();
    };
    answer = page ? question.show(shown, progress) : question.answer({}, progress);
  } catch (const AnalysisError& error) {
    complain("{}: {}\n", question.name(), error.what());
    return kSolverFailed;
  } catch (const Interrupted&) {
    complain("{}: interrupted, nothing is written\n", question.name());
    return kInterrupted;
  }
  // those of the files have been told on the way
  Answer whole = answer;
  const std::vector<std::string> told = question.told();
  whole.notes.insert(whole.notes.begin(), told.begin(), told.end());
  // files first: whoever reads stdout may go before its end
  std::string trouble = folder ? write_answer(*folder, whole, formats) : std::string();
  if (page) {
    report::add_answer(whole, shown);
    const std::string of_page = page->write(shown);
    if (trouble.empty()) trouble = of_page;
  }
  if (output.json)
    print_json(whole);
  else
    print_answer(answer);
  if (!trouble.empty()) {
    complain("{}\n", trouble);
    return kCannotWrite;
  }
  if (folder && !output.json) say("  written to {}\n", output.folder);
  if (page && !output.json) say("  page        {}\n", page->path());
  return kDone;
}

}  // namespace

void add_question(Command& parent, std::unique_ptr<Question> made, bool with_report,
                  int& exit_code) {
  const std::shared_ptr<Question> question = std::move(made);
  const auto output = std::make_shared<Output>();
  Command* command = parent.add_subcommand(question->name(), question->about());
  question->add_options(*command);
  Argument* out = command->add_option(
      "--out", output->folder,
      "folder for answer.json, tables (CSV) and picture.svg; nothing is written "
      "without it");
  if (question->has_history()) add_format(*command, output->formats, "of tables over time: ", out);
  if (with_report) add_report(*command, output->report);
  command->add_flag("--overwrite", output->overwrite, "replace an answer that is already there");
  command->add_flag("--json", output->json, "print the answer as JSON");
  command->callback([question, output, &exit_code] { exit_code = ask(*question, *output); });
}

void register_questions(Command& app, int& exit_code) {
  for (std::unique_ptr<Question>& question : make_questions())
    add_question(app, std::move(question), true, exit_code);
}

}  // namespace semirec::cli
