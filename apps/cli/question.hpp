#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "apps/cli/command.hpp"
#include "apps/report/report.hpp"
#include "vehicles/analysis/answer.hpp"
#include "vehicles/description/drive_description.hpp"
#include "vehicles/files/xml/reader.hpp"

namespace semirec::cli {

/// A command that asks something about a vehicle and gets an Answer: from the command line, or as
/// the response of a sweep, which asks it of many vehicles at once. An object holds the options of
/// one command; answer() changes nothing and may be called from several threads.
class Question {
 public:
  virtual ~Question() = default;
  virtual const char* name() const = 0;
  virtual const char* about() const = 0;  ///< for --help
  /// Files that it reads and that no word of its command says.
  virtual std::vector<std::string> files() const { return {}; }
  /// Registers the positional arguments, VEHICLE (add_vehicle) among them, and the options.
  virtual void add_options(Command& command) = 0;
  /// Whether its tables may be over time: then they are written in the formats of `--format`.
  virtual bool has_history() const { return false; }
  /// `more` replaces values of the vehicle after --set. Throws ModelError (exit code 3),
  /// AnalysisError (4), Interrupted (130).
  Answer answer(const std::vector<Override>& more, const Progress& progress) const {
    return answer_for(nullptr, more, progress);
  }
  /// What became of a vehicle: an answer, or in one line why there is none.
  struct Outcome {
    std::optional<Answer> answer;
    std::string trouble;
    std::vector<std::string> notes = {};  ///< of the files of this vehicle: say_notes()
  };
  /// The same of several vehicles, each with replacements of its own, as if each were asked about
  /// alone. Throws Interrupted alone.
  virtual std::vector<Outcome> answers(const std::vector<std::vector<Override>>& cars,
                                       const Progress& progress) const;
  /// What the files that were read ask for and do not get: it has been said on the way.
  std::vector<std::string> told() const {
    const std::lock_guard lock(saying_);
    return told_;
  }
  /// About how many answers() is best asked at once. Throws as answer().
  virtual std::size_t at_once() const { return 1; }

  /// The same, and `page` gets what shows it beside the answer: the vehicle, its motion or
  /// position.
  Answer show(report::Report& page, const Progress& progress) const {
    return answer_for(&page, {}, progress);
  }

 protected:
  /// `page` may be null.
  virtual Answer answer_for(report::Report* page, const std::vector<Override>& more,
                            const Progress& progress) const = 0;
  /// The page of this command for a vehicle.
  report::Report begin_page(const Vehicle& vehicle) const;
  /// In one line why a call threw; empty where it did not. Interrupted passes.
  static std::string trouble_of(const std::function<void()>& call);
  /// VEHICLE and --set.
  void add_vehicle(Command& command);
  /// Both files (read_drive()), the vehicle also with --set and `more`; an empty path: no scenario.
  DriveDescription read_in(const std::string& scenario, const std::vector<Override>& more) const;
  /// On stderr, those that no car before had, but for their numbers; all of them to HeardNotes.
  void say_notes(const std::vector<std::string>& notes) const;
  /// What is said in this thread while it lives, as of one car's files.
  class HeardNotes {
   public:
    HeardNotes() : before_(hearing_) { hearing_ = this; }
    ~HeardNotes() { hearing_ = before_; }
    HeardNotes(const HeardNotes&) = delete;
    HeardNotes& operator=(const HeardNotes&) = delete;
    std::vector<std::string> notes;

   private:
    friend class Question;
    HeardNotes* before_;
    static thread_local HeardNotes* hearing_;
  };
  /// The vehicle with --set, `more` and a scenario's own replacements, which come first.
  Vehicle read(const std::vector<Override>& more,
               const std::vector<Override>& of_scenario = {}) const;

 private:
  const VehicleFile& file() const;
  std::string vehicle_;
  std::vector<std::string> overrides_;
  mutable std::once_flag is_read_;
  mutable std::optional<VehicleFile> file_;
  mutable std::mutex saying_;
  mutable std::set<std::string> said_;     ///< without their numbers
  mutable std::vector<std::string> told_;  ///< as they were
};

/// One of each kind: equilibrium, modes, kc, manoeuvre.
std::vector<std::unique_ptr<Question>> make_questions();

/// A question as a command with --out, --overwrite and --json, and with --report where it can show
/// a page.
void add_question(Command& parent, std::unique_ptr<Question> question, bool with_report,
                  int& exit_code);

/// Each of make_questions() as a command of the program, with a page.
void register_questions(Command& app, int& exit_code);

}  // namespace semirec::cli
