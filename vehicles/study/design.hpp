#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "vehicles/study/study.hpp"

namespace semirec {

/// What each sample of a study is made of.
struct Design {
  std::vector<std::vector<double>> values;  ///< [sample][varied parameter]; words by their number
};

/// Full product of the levels, the last parameter changing fastest; or the sample. The same for the
/// same study, wherever it is made.
Design make_design(const Study& study);

/// What sample `values` sets in the vehicle file: numbers with all their digits, `*1.05` for a
/// factor.
std::vector<Override> overrides_of(const Study& study, const std::vector<double>& values);

/// The value as a cell of a table: a number with all its digits, or a word.
std::string value_text(const Vary& vary, double value);

/// A number with as many digits as bring it back to the bit; `nan` for none.
std::string exact_text(double value);

}  // namespace semirec
