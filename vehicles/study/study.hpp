#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vehicles/description/scenario.hpp"

namespace semirec {

enum class Distribution {
  grid,        ///< levels one after the other
  uniform,     ///< between minimum and maximum
  normal,      ///< mean and deviation before the tails outside minimum and maximum are cut off
  log_uniform  ///< its logarithm is uniform between those of minimum and maximum
};

enum class SampleMethod {
  random,  ///< independent
  latin,   ///< Latin hypercube: one sample in each of `count` strata of equal probability
  halton   ///< van der Corput sequences in the first primes; no chance in it
};

/// One parameter of the vehicle file that a study varies.
struct Vary {
  std::vector<std::string> elements;  ///< as --set writes them; `*` is any run of characters
  std::string attribute;              ///< `value` for parameters and arguments of templates
  std::string name;                   ///< of its column
  bool factor = false;  ///< the file's own value times the number, instead of the number itself
  Distribution distribution = Distribution::grid;
  std::vector<double> levels;      ///< of a grid
  std::vector<std::string> words;  ///< in the place of levels: 0, 1, ... stand for them
  double minimum = 0.0, maximum = 0.0;
  double mean = 0.0, deviation = 0.0;
  Source source;
};

/// A command whose answer is a response of the study.
struct StudyResponse {
  std::string name;                     ///< before the names of its columns, if there are several
  std::vector<std::string> words;       ///< command line; VEHICLE stands for the study's vehicle
  std::vector<std::string> quantities;  ///< names with `*`; in the order of their columns
  Source source;
};

/// Which cars are made of one vehicle file, and what is asked of each. Plain data, SI.
struct Study {
  std::string name;
  std::string vehicle;  ///< path, already joined with that of the study
  std::string folder;   ///< of the study; empty: the current one
  std::vector<Vary> varied;
  bool grid = true;       ///< the full product of the levels; otherwise a sample
  std::size_t count = 0;  ///< samples in all
  SampleMethod method = SampleMethod::random;
  std::uint64_t seed = 1;
  std::vector<StudyResponse> responses;
  Source source;
};

/// More samples than this in one study are a slip of the pen.
inline constexpr std::size_t kMostSamples = 1000000;

/// Reads a study file. Throws ModelError with file, line, element and the mend.
Study read_study(const std::string& path);
/// The same from the text of a file; `path` is its name in messages, other files are relative to
/// it.
Study read_study_text(const std::string& text, const std::string& path);

}  // namespace semirec
