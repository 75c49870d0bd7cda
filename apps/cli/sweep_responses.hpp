#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/cli/question.hpp"
#include "vehicles/study/study_table.hpp"

namespace semirec::cli {

/// The questions of a study, ready to be asked of any of its samples.
class Responses {
 public:
  /// Throws ModelError at the response whose command cannot be understood.
  explicit Responses(const Study& study);

  /// Asks the vehicle as its file has it, or, where that breaks down, the first samples, for the
  /// names and units that the study's quantities mean; in a study of words the first sample of each
  /// combination of them, whose parts may be others. Throws ModelError at a quantity that is none
  /// of the answers, with the nearest that is.
  void find_columns(const Design& design, const Progress& progress);
  const std::vector<Channel>& columns() const { return columns_; }
  /// What find_columns() has told on the way: what the study asks for and does not get.
  const std::vector<std::string>& told() const { return told_; }

  /// The columns of find_columns() as text, and back: ranks do not search again.
  std::string save_columns() const;
  void load_columns(const std::string& text);

  /// All words of all commands, with files' names as they are opened.
  std::vector<std::string> words() const;
  /// Files that the commands read and do not name.
  std::vector<std::string> files() const;
  /// The commands as they are typed, without what only a response understands: how often `run`
  /// looks, and at which channels.
  std::vector<std::string> command_lines() const;

  /// Samples that are best asked at once, all groups of which at least one is not `known`
  /// ([sample]): those whose varied words are the same lie together, since other files and forms
  /// make cars of other kinds, which share no register.
  std::vector<std::vector<std::size_t>> groups(const Design& design,
                                               const std::vector<char>& known) const;

  /// Asks all questions of some samples; a row each. What fails leaves its responses empty and its
  /// reason in the status. Nothing when `stop` became true.
  std::vector<StudyRow> ask(const Design& design, const std::vector<std::size_t>& samples,
                            const std::atomic<bool>& stop) const;

 private:
  struct Asked {
    const StudyResponse* response;
    std::vector<std::string> words;
    std::unique_ptr<Question> question;
    std::vector<std::string> quantities;  ///< one a column
  };
  std::string column_name(const Asked& asked, const std::string& quantity) const;
  std::vector<Answer> ask_each_form(const Asked& asked, const Design& design,
                                    const Progress& progress);
  void tell(const std::string& note);
  void choose(Asked& asked, const std::vector<Answer>& answers);
  void fill(const Asked& asked, const Question::Outcome& outcome, StudyRow& row) const;

  const Study& study_;
  std::vector<Asked> asked_;
  std::vector<Channel> columns_;
  std::vector<std::string> told_;
};

}  // namespace semirec::cli
