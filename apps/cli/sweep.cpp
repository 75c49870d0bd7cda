#include "apps/cli/sweep.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include <fmt/core.h>

#include "apps/cli/answer_output.hpp"
#include "apps/cli/commands.hpp"
#include "apps/cli/output.hpp"
#include "apps/cli/report_output.hpp"
#include "apps/cli/result_files.hpp"
#include "apps/cli/sweep_responses.hpp"
#include "apps/cli/sweep_work.hpp"
#include "apps/cli/terminal.hpp"
#include "apps/report/answer_section.hpp"
#include "apps/report/model_section.hpp"
#include "apps/report/recorded_run.hpp"
#include "apps/report/study_section.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/study/study_files.hpp"

namespace semirec::cli {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// Rows of another version may differ in their last digits.
const std::string kProgram =
    "semirec 0.1.0, runs and manoeuvres side by side on the times of a grid, with guesses by jerk";
/// Responses that are printed; the rest is in answer.json.
constexpr std::size_t kMostPrinted = 40;

struct SweepOptions {
  std::string study;
  std::string out;
  std::string report;
  int threads = 0;
  bool overwrite = false;
  bool json = false;
};

/// A study with all that is known of it before the first sample.
struct Prepared {
  Study study;
  Design design;
  std::optional<Responses> responses;
  std::vector<std::string> units;
};

void read(const SweepOptions& options, Prepared& prepared) {
  prepared.study = read_study(options.study);
  prepared.design = make_design(prepared.study);
  prepared.responses.emplace(prepared.study);
}

/// What is kept of a sweep while it runs.
class SweepFolder {
 public:
  /// Takes up the journal that is there, or begins one. Throws ModelError, with nothing changed,
  /// where the folder holds something else and `overwrite` is false.
  SweepFolder(const fs::path& folder, std::uint64_t print, std::size_t count, std::size_t responses,
              bool overwrite)
      : folder_(folder, overwrite, [&](const std::string& name) { return taken(folder, name); }),
        journal_file_(folder / "journal.txt") {
    std::error_code error;
    if (fs::exists(journal_file_, error) && !fs::is_regular_file(journal_file_, error))
      fail("journal.txt is no regular file, expected one, or a folder without it");
    std::string text;
    if (!overwrite) {
      std::ifstream file(journal_file_, std::ios::binary);
      std::stringstream all;
      all << file.rdbuf();
      text = all.str();
    }
    JournalText found = recover_journal(text, count, responses);
    // without a whole first line of ours nothing is lost
    if (!found.head && !(journal_head(print) + '\n').starts_with(text))
      fail("journal.txt is not the journal of a sweep, expected --overwrite to begin anew");
    if (found.head && found.fingerprint != print)
      fail(
          "holds the samples of another study, vehicle or program, expected another folder, or "
          "--overwrite to begin anew");
    rows_ = std::move(found.rows);
    const std::string kept = found.head ? found.kept : journal_head(print) + '\n';
    if (kept != text) {
      // what is there is a journal that lost some of its rows, or what --overwrite is to replace
      folder_.set_overwrite(fs::exists(journal_file_, error));
      const std::string trouble = folder_.write("journal.txt", kept);
      if (!trouble.empty()) throw ModelError(trouble);
    }
    // a sweep that was complete, or broke off while it wrote its answer, writes its files again:
    // the journal's fingerprint has told that they are of this study
    folder_.set_overwrite(overwrite || found.head);
    if (overwrite) remove_earlier();
    if (!journal_.open(journal_file_.string()))
      fail("journal.txt cannot be written, expected a file with permission to write");
  }
  SweepFolder(const SweepFolder&) = delete;
  SweepFolder& operator=(const SweepFolder&) = delete;

  const std::vector<StudyRow>& rows() const { return rows_; }
  bool keep(const StudyRow& row) {
    if (!journal_.append(journal_line(row))) return false;
    rows_.push_back(row);
    return true;
  }
  std::vector<StudyRow> take_sorted() {
    std::sort(rows_.begin(), rows_.end(),
              [](const StudyRow& a, const StudyRow& b) { return a.index < b.index; });
    return std::move(rows_);
  }
  const OutputFolder& files() const { return folder_; }

 private:
  /// What an earlier sweep, or whatever answered there, has left is not of this one.
  void remove_earlier() {
    remove_earlier_answer(folder_, {});
    std::error_code error;
    for (const char* name : {"results.csv", "answer.json"})
      fs::remove(folder_.path() / name, error);
  }
  /// A sweep goes on in a folder that holds a journal.
  static bool taken(const fs::path& folder, const std::string& name) {
    std::error_code error;
    return (name == "results.csv" || is_answer_file(name)) &&
           !fs::exists(folder / "journal.txt", error);
  }
  [[noreturn]] void fail(const std::string& message) const { folder_.fail(message); }

  OutputFolder folder_;
  fs::path journal_file_;
  Journal journal_;
  std::vector<StudyRow> rows_;
};

std::string time_text(double seconds) {
  const long whole = std::lround(seconds);
  if (whole < 120) return fmt::format("{} s", whole);
  if (whole < 7200) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

/// Percent, counts, and how long the rest will take if it goes on as it did.
class SweepProgress {
 public:
  SweepProgress(std::size_t count, std::size_t before) : count_(count), before_(before) {}

  void count(const StudyRow& row) {
    ++done_;
    if (row.status != kSampleOk) ++failed_;
  }
  double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }
  std::size_t done() const { return done_; }
  void show() {
    if (!line_ || !line_->due()) return;
    const std::size_t rows = before_ + done_;
    std::string text = fmt::format("{} of {} samples", rows, count_);
    if (failed_ > 0) text += fmt::format(", {} failed", failed_);
    if (done_ > 0)
      text += fmt::format(", {} left", time_text(seconds() * static_cast<double>(count_ - rows) /
                                                 static_cast<double>(done_)));
    line_->show(static_cast<double>(rows) / static_cast<double>(count_), text);
  }
  void wipe() { line_.reset(); }

 private:
  std::size_t count_, before_;
  std::size_t done_ = 0;
  std::size_t failed_ = 0;
  Clock::time_point begin_ = Clock::now();
  std::optional<ProgressLine> line_{std::in_place};
};

void print_table(const StudyTable& table, const Answer& answer) {
  say("{}\n", answer.title);
  std::size_t width = 20;
  const std::size_t shown = std::min(table.columns.size(), kMostPrinted);
  for (std::size_t c = 0; c < shown; ++c)
    width = std::max(width, table.columns[c].name.size() + table.columns[c].unit.size() + 1);
  say("  {:<{}} {:>13} {:>13} {:>13} {:>13}  goes with\n", "", width, "mean", "std", "min", "max");
  const auto value = [&](const std::string& name) {
    const int k = find_quantity(answer, name);
    return k < 0 ? std::nan("") : answer.quantities[static_cast<std::size_t>(k)].value;
  };
  for (std::size_t c = 0; c < shown; ++c) {
    const std::string& name = table.columns[c].name;
    std::string strongest;
    double most = 0.0;
    for (const Vary& vary : table.study->varied) {
      const double r = value(name + ".correlation." + vary.name);
      if (!(std::abs(r) > std::abs(most))) continue;
      most = r;
      strongest = fmt::format("{} ({:+.2f})", vary.name, r);
    }
    const auto text = [&](const char* of) { return number_or_none(value(name + of), 13, 6); };
    say("  {:<{}} {} {} {} {}  {}\n", name + " " + table.columns[c].unit, width, text(".mean"),
        text(".std"), text(".min"), text(".max"), strongest);
  }
  if (shown < table.columns.size())
    say("  ... {} responses more in answer.json\n", table.columns.size() - shown);
  for (const std::string& note : answer.notes) say("  note: {}\n", note);
}

/// All cars as a page shows them, and the vehicle of the file.
report::Report make_sweep_page(const Prepared& prepared, const StudyTable& table,
                               const Answer& answer) {
  const Vehicle vehicle = read_vehicle(prepared.study.vehicle);
  report::Report page = report::begin_report("sweep", vehicle, prepared.study.vehicle);
  page.motions.push_back(report::show_design(vehicle, "as the vehicle file has it"));
  report::add_answer(answer, page);
  // each response over each parameter is in the scatter matrix
  page.charts.clear();
  page.study = report::make_study_section(table, prepared.responses->command_lines(), page.notes);
  report::draw_cars(
      table, vehicle, [] { return !interrupted(); }, page.study);
  return page;
}

/// The table, the answer, the picture and the page of a study that is complete.
int finish(const SweepOptions& options, const Prepared& prepared, SweepFolder& folder,
           ReportFile* page) {
  StudyTable table;
  table.study = &prepared.study;
  table.design = &prepared.design;
  table.units = prepared.units;
  table.columns = prepared.responses->columns();
  table.rows = folder.take_sorted();
  const Answer answer = summarize(table);
  // what a run has left there is not of this table
  remove_summary(folder.files());
  remove_other_formats(folder.files(), {ResultFormat::csv}, "results");
  std::string trouble = folder.files().write(file_name(ResultFormat::csv), results_text(table));
  // what was told on the way belongs to the answer
  Answer whole = answer;
  const std::vector<std::string>& told = prepared.responses->told();
  whole.notes.insert(whole.notes.begin(), told.begin(), told.end());
  if (trouble.empty()) trouble = write_answer(folder.files(), whole);
  if (page != nullptr) {
    report::Report content = make_sweep_page(prepared, table, whole);
    const std::string of_page = page->write(content);
    if (trouble.empty()) trouble = of_page;
  }
  if (options.json)
    print_json(whole);
  else
    print_table(table, answer);
  if (!trouble.empty()) {
    complain("{}\n", trouble);
    return kCannotWrite;
  }
  const auto failed = std::count_if(table.rows.begin(), table.rows.end(),
                                    [](const StudyRow& row) { return row.status != kSampleOk; });
  if (static_cast<std::size_t>(failed) < table.rows.size()) return kDone;
  complain("sweep: all {} samples failed, the first because: {}\n", table.rows.size(),
           table.rows.front().status);
  return kSolverFailed;
}

int lead_sweep(const SweepOptions& options, const Ranks& ranks, std::size_t threads,
               Prepared& prepared) {
  const Study& study = prepared.study;
  std::optional<SweepFolder> folder;
  std::unique_ptr<ReportFile> page;
  // whatever is wrong is known before the other ranks begin, and before anything is written
  try {
    page = open_report(options.report, options.overwrite);
    read(options, prepared);
    check_vehicle(study, prepared.design, prepared.responses->words());
    prepared.units = find_units(study);
    prepared.responses->find_columns(prepared.design,
                                     [](double, const std::string&) { return !interrupted(); });
    std::vector<std::string> names;
    for (const Channel& column : prepared.responses->columns()) names.push_back(column.name);
    const std::uint64_t print = fingerprint(study, prepared.design, prepared.responses->words(),
                                            prepared.responses->files(), names, kProgram);
    folder.emplace(options.out, print, study.count, names.size(), options.overwrite);
  } catch (...) {
    ranks.broadcast("");
    throw;
  }
  ranks.broadcast(prepared.responses->save_columns());

  std::vector<char> known(study.count, 0);
  for (const StudyRow& row : folder->rows()) known[row.index] = 1;
  const std::vector<SampleGroup> pending = prepared.responses->groups(prepared.design, known);
  const std::size_t before = folder->rows().size();
  SweepProgress progress(study.count, before);
  WorkEnd end = WorkEnd::done;
  {
    ThreadPool pool(threads, [&](const SampleGroup& group, const std::atomic<bool>& stop) {
      return prepared.responses->ask(prepared.design, group, stop);
    });
    const Lead actions{[&](const StudyRow& row) {
                         if (!folder->keep(row)) return false;
                         progress.count(row);
                         return true;
                       },
                       [&] { progress.show(); }};
    end = lead(ranks, pool, threads, {pending.begin(), pending.end()}, known, actions);
  }
  progress.wipe();
  const std::size_t rows = before + progress.done();
  if (end == WorkEnd::cannot_write) {
    complain(
        "output folder '{}': journal.txt cannot be written after {} of {} samples, expected "
        "room on the disk; the same command goes on from there\n",
        options.out, rows, study.count);
    return kCannotWrite;
  }
  if (end == WorkEnd::interrupted) {
    complain("sweep: interrupted after {} of {} samples; the same command goes on\n", rows,
             study.count);
    return kInterrupted;
  }
  const int code = finish(options, prepared, *folder, page.get());
  if (options.json || code == kCannotWrite) return code;
  if (before > 0) say("  {} samples were there from before\n", before);
  if (progress.done() > 0)
    say("  time        {:.1f} s for {} samples, {} rank{} of {} thread{}\n", progress.seconds(),
        progress.done(), ranks.size(), ranks.size() == 1 ? "" : "s", threads,
        threads == 1 ? "" : "s");
  say("  written to {}\n", options.out);
  if (page) say("  page        {}\n", page->path());
  return code;
}

int follow_sweep(const SweepOptions& options, const Ranks& ranks, std::size_t threads,
                 Prepared& prepared) {
  const std::string columns = ranks.broadcast("");
  // rank 0 has said why
  if (columns.empty()) return kDone;
  try {
    read(options, prepared);
    prepared.responses->load_columns(columns);
    ThreadPool pool(threads, [&](const SampleGroup& group, const std::atomic<bool>& stop) {
      return prepared.responses->ask(prepared.design, group, stop);
    });
    follow(ranks, pool, threads);
  } catch (const std::exception& error) {
    // the others go on without this one, and do not wait for it
    complain("sweep: rank {} leaves: {}\n", ranks.rank(), error.what());
    ranks.send(0, "bye");
    return kBadInput;
  }
  return kDone;
}

int sweep(const SweepOptions& options) {
  if (options.threads < 0 || options.threads > 1024)
    throw ModelError(
        fmt::format("--threads is {}, expected 1 to 1024, or 0 for one a core", options.threads));
  const Ranks ranks;
  std::size_t threads = static_cast<std::size_t>(options.threads);
  if (threads == 0)
    threads = ranks.size() > 1 ? 1 : std::max(1U, std::thread::hardware_concurrency());
  catch_interrupts();
  Prepared prepared;
  if (ranks.rank() > 0) return follow_sweep(options, ranks, threads, prepared);
  try {
    return lead_sweep(options, ranks, threads, prepared);
  } catch (const AnalysisError& error) {
    complain("sweep: {}\n", error.what());
    return kSolverFailed;
  } catch (const Interrupted&) {
    complain("sweep: interrupted, nothing is written\n");
    return kInterrupted;
  }
}

}  // namespace

void register_sweep(Command& app, int& exit_code) {
  auto options = std::make_shared<SweepOptions>();
  Command* command = app.add_subcommand(
      "sweep",
      "many cars of one file: parameters over a grid or a sample, any command's numbers as the\n"
      "responses; one row a car. Uses all cores; under mpirun all ranks, one thread each. Called\n"
      "again with the same --out it goes on where it stopped. See docs/how_to/sweep.md.\n\n"
      "  semirec sweep vehicles/studies/sedan_step.xml --out study\n"
      "  mpirun -n 4 semirec sweep vehicles/studies/sedan_step.xml --out study\n");
  command->add_option("STUDY", options->study, "study file (XML)")->required();
  command
      ->add_option("--out", options->out,
                   "folder for journal.txt while it runs, results.csv, answer.json, effect tables "
                   "and picture.svg at the end")
      ->required();
  command
      ->add_option("--report", options->report,
                   "HTML file to write at the end: a page with all cars as points and lines that "
                   "are picked and brushed; an existing file is kept unless --overwrite is given")
      ->type_name("FILE");
  command->add_option("--threads", options->threads,
                      "threads of each rank (default: one a core; under mpirun one)");
  command->add_flag("--overwrite", options->overwrite,
                    "begin anew, whatever the folder holds; without it a sweep goes on");
  command->add_flag("--json", options->json, "print the summary as JSON");
  command->callback([options, &exit_code] { exit_code = sweep(*options); });
}

}  // namespace semirec::cli
