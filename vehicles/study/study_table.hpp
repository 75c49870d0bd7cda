#pragma once

#include <string>
#include <vector>

#include "vehicles/analysis/answer.hpp"
#include "vehicles/study/design.hpp"
#include "vehicles/study/journal.hpp"

namespace semirec {

/// All that a study has found: the rows in the order of the samples.
struct StudyTable {
  const Study* study = nullptr;
  const Design* design = nullptr;
  std::vector<std::string> units;  ///< [varied parameter]  empty where it is not known
  std::vector<Channel> columns;    ///< responses
  std::vector<StudyRow> rows;      ///< each index once
};

/// Status of a sample whose responses are all there.
inline const std::string kSampleOk = "ok";

/// index, parameters, responses, status; first row names, second row units; every digit. What is
/// not there is an empty cell.
std::string results_text(const StudyTable& table);

/// For each response c over the samples that have it:
///   c.mean, c.std (n - 1), c.min, c.max; the mean's uncertainty is std/sqrt(n) of a random sample
///   c.correlation.p   Pearson's, for each parameter p
///   c.coefficient.p   of the least-squares plane c = c0 + sum of b_p (p - mean p), with its
///                     standard error
///   c.R2              part of the variance that the plane explains
///   c.effect.p        main effect: largest less smallest mean of c over the levels of p (of a
///                     sample: over five parts of equal count)
/// and a table effect_K_p of those means for each parameter. NaN where there are too few samples
/// (no deviation of one, no effect where one of the levels has none), where parameters go together,
/// for words. A note says which responses not all samples have, and how many have them.
Answer summarize(const StudyTable& table);

}  // namespace semirec
