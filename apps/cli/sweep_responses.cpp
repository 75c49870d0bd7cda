#include "apps/cli/sweep_responses.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <numeric>
#include <sstream>

#include <fmt/format.h>

#include "apps/cli/report_output.hpp"
#include "apps/cli/run_question.hpp"
#include "apps/cli/terminal.hpp"
#include "topology/matches_pattern.hpp"
#include "topology/nearest.hpp"
#include "vehicles/files/old_names.hpp"
#include "vehicles/files/xml/overrides.hpp"
#include "vehicles/files/xml/xml_file.hpp"
#include "vehicles/study/study_files.hpp"

namespace semirec::cli {

namespace {

namespace fs = std::filesystem;

/// Samples that are tried for names when the vehicle itself breaks down.
constexpr std::size_t kTries = 8;
/// Combinations of words that are asked for names.
constexpr std::size_t kMostForms = 16;

/// Whether a study names a quantity itself, not by a '*' that other cars answer with other names.
bool is_asked_in_full(const std::vector<std::string>& patterns, const std::string& name) {
  return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
    return pattern == name || current_name(pattern) == name;
  });
}

std::vector<std::unique_ptr<Question>> make_all() {
  std::vector<std::unique_ptr<Question>> questions = make_questions();
  questions.push_back(make_run_question());
  return questions;
}

/// A file beside the study is meant as such; every other word is left as it is.
std::string resolved(const Study& study, const std::string& word) {
  if (word == "VEHICLE") return study.vehicle;
  if (word.find('.') == std::string::npos || word.front() == '-') return word;
  std::error_code error;
  const fs::path beside = (fs::path(study.folder) / word).lexically_normal();
  return fs::is_regular_file(beside, error) ? beside.string() : word;
}

/// Whether a message begins with a file and a line of it.
bool names_a_line(const std::string& message) {
  const std::size_t line = message.find(':');
  if (line == std::string::npos) return false;
  const std::size_t end = message.find_first_not_of("0123456789", line + 1);
  return end != std::string::npos && end > line + 1 && message[end] == ':';
}

std::unique_ptr<Question> make_question(const StudyResponse& response,
                                        const std::vector<std::string>& words) {
  const auto fail = [&](const std::string& message) {
    throw ModelError(response.source, response.name, "attribute 'command' " + message);
  };
  std::vector<std::string> names;
  for (std::unique_ptr<Question>& question : make_all()) {
    names.emplace_back(question->name());
    if (words[0] != question->name()) continue;
    const std::string trouble =
        parse_words(words[0], {words.begin() + 1, words.end()},
                    [&](Command& command) { question->add_options(command); });
    if (!trouble.empty())
      fail("is not understood (" + on_one_line(trouble) + "), expected it as on the command " +
           "line, see semirec " + words[0] + " --help");
    return std::move(question);
  }
  fail("is '" + words[0] + "', which answers no question" + nearest_hint(words[0], names));
  return nullptr;
}

/// Whether an answer has quantities that a '*' of the response means and the table has not: modes
/// of another name than the first car's.
bool has_more(const Answer& answer, const std::vector<std::string>& wanted,
              const std::vector<std::string>& columns) {
  return std::any_of(wanted.begin(), wanted.end(), [&](const std::string& pattern) {
    return pattern.find('*') != std::string::npos &&
           std::any_of(answer.quantities.begin(), answer.quantities.end(), [&](const Quantity& q) {
             return matches_pattern(pattern, q.name) &&
                    std::find(columns.begin(), columns.end(), q.name) == columns.end();
           });
  });
}

}  // namespace

Responses::Responses(const Study& study) : study_(study) {
  for (const StudyResponse& response : study.responses) {
    Asked asked;
    asked.response = &response;
    for (const std::string& word : response.words) asked.words.push_back(resolved(study, word));
    asked.question = make_question(response, asked.words);
    asked_.push_back(std::move(asked));
  }
}

std::string Responses::column_name(const Asked& asked, const std::string& quantity) const {
  return asked_.size() == 1 ? quantity : asked.response->name + "." + quantity;
}

void Responses::choose(Asked& asked, const std::vector<Answer>& answers) {
  const auto add = [&](const std::string& name, const std::string& unit) {
    if (std::find(asked.quantities.begin(), asked.quantities.end(), name) != asked.quantities.end())
      return;
    asked.quantities.push_back(name);
    columns_.push_back({column_name(asked, name), unit});
  };
  for (const std::string& pattern : asked.response->quantities) {
    if (answers.empty()) {
      // what it will be called is known, what it is not
      add(pattern, "");
      continue;
    }
    bool any = false;
    std::vector<std::string> names;
    const auto add_matches = [&](const std::string& wanted) {
      for (const Answer& answer : answers)
        for (const Quantity& quantity : answer.quantities) {
          if (!matches_pattern(wanted, quantity.name)) continue;
          add(quantity.name, quantity.unit);
          any = true;
        }
    };
    for (const Answer& answer : answers)
      for (const Quantity& quantity : answer.quantities) names.push_back(quantity.name);
    add_matches(pattern);
    if (!any) {
      add_matches(current_name(pattern));
      if (any) tell(old_name_note(asked.response->source, pattern, current_name(pattern)));
    }
    if (!any)
      throw ModelError(asked.response->source, asked.response->name,
                       "attribute 'quantities' names '" + pattern + "', which '" + asked.words[0] +
                           "' does not answer" + nearest_hint(pattern, names));
  }
}

void Responses::tell(const std::string& note) {
  told_.push_back(note);
  note_once(note);
}

std::vector<Answer> Responses::ask_each_form(const Asked& asked, const Design& design,
                                             const Progress& progress) {
  std::vector<Answer> answers;
  const auto is_in_words = [](const Vary& vary) { return !vary.words.empty(); };
  if (std::none_of(study_.varied.begin(), study_.varied.end(), is_in_words)) return answers;
  std::vector<std::size_t> forms = find_first_of_words(study_, design);
  const std::vector<std::string>& patterns = asked.response->quantities;
  const bool open = std::any_of(patterns.begin(), patterns.end(), [](const std::string& name) {
    return name.find('*') != std::string::npos;
  });
  if (open && forms.size() > kMostForms)
    tell(
        fmt::format("{}: names of responses are those of the first {} of {} combinations of "
                    "words; what cars of others answer besides is left out",
                    study_.source.file, kMostForms, forms.size()));
  forms.resize(std::min(kMostForms, forms.size()));
  const auto words_of = [&](std::size_t sample) {
    return find_chosen_words(study_, design.values[sample]);
  };
  for (const std::size_t form : forms) {
    // where its first sample breaks down the next ones of the same words may do
    bool answered = false;
    std::size_t tried = 0;
    for (std::size_t i = form; i < design.values.size() && !answered && tried < kTries; ++i) {
      if (words_of(i) != words_of(form)) continue;
      ++tried;
      try {
        answers.push_back(asked.question->answer(overrides_of(study_, design.values[i]), progress));
        answered = true;
      } catch (const AnalysisError&) {
      } catch (const ModelError&) {
        // its row will say why
      }
    }
    if (!answered && open)
      tell(
          fmt::format("{}: the first {} samples of a combination of words have no answer to "
                      "'{}': what '*' means there alone is left out",
                      study_.source.file, tried, asked.words[0]));
  }
  return answers;
}

void Responses::find_columns(const Design& design, const Progress& progress) {
  for (Asked& asked : asked_) {
    std::vector<Answer> answers = ask_each_form(asked, design, progress);
    std::string trouble;
    try {
      if (answers.empty()) answers.push_back(asked.question->answer({}, progress));
    } catch (const AnalysisError& error) {
      trouble = error.what();
    } catch (const ModelError& error) {
      if (names_a_line(error.what())) throw;
      throw ModelError(asked.response->source, asked.response->name,
                       std::string("attribute 'command': ") + error.what());
    }
    for (std::size_t i = 0; answers.empty() && i < std::min(kTries, design.values.size()); ++i) {
      try {
        answers.push_back(asked.question->answer(overrides_of(study_, design.values[i]), progress));
      } catch (const AnalysisError&) {
      } catch (const ModelError&) {
        // the next one may do
      }
    }
    const std::vector<std::string>& patterns = asked.response->quantities;
    const bool open = std::any_of(patterns.begin(), patterns.end(), [](const std::string& name) {
      return name.find('*') != std::string::npos;
    });
    if (answers.empty() && open)
      throw AnalysisError(fmt::format(
          "neither the vehicle nor the first {} samples have an answer to '{}', so that '*' "
          "means nothing: {}",
          std::min(kTries, design.values.size()), asked.words[0], trouble));
    choose(asked, answers);
  }
  for (const Vary& vary : study_.varied)
    for (const Channel& column : columns_)
      if (column.name == vary.name)
        throw ModelError(vary.source, vary.name,
                         "is a column of the responses, too, expected another name by 'as'");
}

std::string Responses::save_columns() const {
  std::string text;
  std::size_t column = 0;
  for (std::size_t r = 0; r < asked_.size(); ++r)
    for (const std::string& quantity : asked_[r].quantities)
      text += fmt::format("{}\t{}\t{}\n", r, quantity, columns_[column++].unit);
  return text;
}

void Responses::load_columns(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find('\t');
    const std::size_t second = line.find('\t', first + 1);
    Asked& asked = asked_.at(std::stoul(line.substr(0, first)));
    asked.quantities.push_back(line.substr(first + 1, second - first - 1));
    columns_.push_back({column_name(asked, asked.quantities.back()), line.substr(second + 1)});
  }
}

std::vector<std::string> Responses::words() const {
  std::vector<std::string> all;
  for (const Asked& asked : asked_) all.insert(all.end(), asked.words.begin(), asked.words.end());
  return all;
}

std::vector<std::string> Responses::files() const {
  std::vector<std::string> all;
  for (const Asked& asked : asked_)
    for (std::string& file : asked.question->files()) all.push_back(std::move(file));
  return all;
}

std::vector<std::string> Responses::command_lines() const {
  std::vector<std::string> lines;
  for (const Asked& asked : asked_) {
    std::vector<std::string> words{"semirec"};
    // of a response alone: an interval, and names up to the next option
    const bool run = asked.words[0] == "run";
    bool interval = false;
    bool names = false;
    for (const std::string& word : asked.words) {
      if (word.starts_with("--")) {
        interval = run && word.starts_with("--every");
        names = run && word.starts_with("--channels");
        if (!interval && !names) words.push_back(word);
        interval = interval && word == "--every";
        continue;
      }
      if (!interval && !names) words.push_back(word);
      interval = false;
    }
    lines.push_back(shell_text(words));
  }
  return lines;
}

std::vector<std::vector<std::size_t>> Responses::groups(const Design& design,
                                                        const std::vector<char>& known) const {
  std::size_t at_once = 1;
  for (const Asked& asked : asked_) {
    try {
      at_once = std::max(at_once, asked.question->at_once());
    } catch (const std::exception&) {
      // the vehicle itself breaks down: its samples are asked one by one
    }
  }
  std::vector<std::size_t> order(known.size());
  std::iota(order.begin(), order.end(), 0);
  const auto words_of = [&](std::size_t sample) {
    return find_chosen_words(study_, design.values[sample]);
  };
  if (at_once > 1)
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return words_of(a) < words_of(b); });
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t first = 0; first < known.size(); first += at_once) {
    const auto begin = order.begin() + static_cast<std::ptrdiff_t>(first);
    std::vector<std::size_t> group(
        begin, begin + static_cast<std::ptrdiff_t>(std::min(at_once, known.size() - first)));
    const auto is_known = [&](std::size_t i) { return known[i] != 0; };
    if (!std::all_of(group.begin(), group.end(), is_known)) groups.push_back(std::move(group));
  }
  return groups;
}

/// The numbers of an answer in the columns of its question, or why there are none.
void Responses::fill(const Asked& asked, const Question::Outcome& outcome, StudyRow& row) const {
  const std::size_t first = row.responses.size();
  row.responses.resize(first + asked.quantities.size(), std::numeric_limits<double>::quiet_NaN());
  std::string trouble = outcome.trouble;
  // what its files say may be why it has no answer
  for (const std::string& note : outcome.notes) row.notes.push_back(journal_note(note));
  if (outcome.answer) {
    const Answer& answer = *outcome.answer;
    for (const std::string& note : answer.notes) row.notes.push_back(journal_note(note));
    std::size_t next = 0;  // most often in the order of the columns
    for (std::size_t k = 0; k < asked.quantities.size(); ++k) {
      const std::string& name = asked.quantities[k];
      while (next < answer.quantities.size() && answer.quantities[next].name != name) ++next;
      const int found =
          next < answer.quantities.size() ? static_cast<int>(next) : find_quantity(answer, name);
      if (found >= 0)
        row.responses[first + k] = answer.quantities[static_cast<std::size_t>(found)].value;
      else if (is_asked_in_full(asked.response->quantities, name))
        trouble = "has no quantity '" + name + "'";
      next = found >= 0 ? static_cast<std::size_t>(found) + 1 : 0;
    }
    if (has_more(answer, asked.response->quantities, asked.quantities))
      row.notes.push_back(journal_note(
          "the answer has quantities that '*' matches and the table has no columns for: they are "
          "those of the first car"));
  }
  if (trouble.empty()) return;
  const std::string who = asked_.size() == 1 ? "" : asked.response->name + ": ";
  row.status = (row.status == kSampleOk ? "" : row.status + "; ") + who + trouble;
}

std::vector<StudyRow> Responses::ask(const Design& design, const std::vector<std::size_t>& samples,
                                     const std::atomic<bool>& stop) const {
  std::vector<StudyRow> rows;
  std::vector<std::vector<Override>> overrides;
  for (const std::size_t index : samples) {
    rows.push_back({index, kSampleOk, {}, {}});
    overrides.push_back(overrides_of(study_, design.values[index]));
  }
  const Progress progress = [&](double /*part*/, const std::string& /*what*/) {
    return !stop.load(std::memory_order_relaxed);
  };
  try {
    for (const Asked& asked : asked_) {
      const std::vector<Question::Outcome> outcomes = asked.question->answers(overrides, progress);
      for (std::size_t k = 0; k < rows.size(); ++k) fill(asked, outcomes[k], rows[k]);
    }
  } catch (const Interrupted&) {
    return {};
  }
  return rows;
}

}  // namespace semirec::cli
