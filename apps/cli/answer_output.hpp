#pragma once

#include <string>
#include <vector>

#include "apps/cli/output.hpp"
#include "apps/cli/result_files.hpp"
#include "vehicles/analysis/answer.hpp"

namespace semirec::cli {

/// A number with so many digits, or `none` where it is not finite, at the right of so many columns.
std::string number_or_none(double value, std::size_t width, int digits);

/// Numbers with units and notes, for people.
void print_answer(const Answer& answer);
void print_json(const Answer& answer);

/// Whether an answer may write a file of this name: answer.json, a table, a picture, an animation.
/// What `run` writes is none of them.
bool is_answer_file(const std::string& name);
/// Removes the files that the answer in this folder says it has written, but for those of these
/// names.
void remove_earlier_answer(const OutputFolder& folder, const std::vector<std::string>& kept);
/// Writes answer.json, a file of each table (CSV: first row names, second row units; of tables over
/// time the formats asked for), further files and picture.svg if there is a chart. Empty, or one
/// line that says what could not be written. What an earlier answer has written there goes, where
/// it may be written over.
std::string write_answer(const OutputFolder& folder, const Answer& answer,
                         const std::vector<ResultFormat>& formats = {ResultFormat::csv});

}  // namespace semirec::cli
