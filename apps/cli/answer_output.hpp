#pragma once

#include <filesystem>

#include "vehicles/analysis/answer.hpp"

namespace semirec::cli {

/// Numbers with units and notes, for people.
void print_answer(const Answer& answer);
void print_json(const Answer& answer);

/// Folder that takes an answer: answer.json, a CSV file of each table (first row names, second row
/// units), picture.svg if there is a chart.
class AnswerFolder {
 public:
  /// Throws ModelError when the folder cannot be made or written, or holds an answer and
  /// `overwrite` is false; nothing is changed then.
  AnswerFolder(const std::filesystem::path& folder, bool overwrite);
  /// Empty, or one line that says what could not be written.
  std::string write(const Answer& answer);

 private:
  std::filesystem::path folder_;
};

}  // namespace semirec::cli
