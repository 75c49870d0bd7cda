#pragma once

#include <string>
#include <vector>

#include "apps/report/report.hpp"
#include "apps/report/results_file.hpp"

namespace semirec::report {

/// How a channel of a run differs from the same channel of the first run.
struct ChannelDifference {
  std::size_t run = 0;                 ///< 1, 2, ...
  std::size_t first = 0, channel = 0;  ///< places in the two lists of channels
  double largest = 0.0;  ///< of largest size, with its sign: the run's less the first's
  double time = 0.0;     ///< where it is, s
  double rms = 0.0;      ///< over the rows
  double range =
      0.0;  ///< largest less smallest value of both over these rows; angles go on beyond pi
  double scale = 0.0;          ///< largest size of any value of this unit in the first run
  std::vector<double> values;  ///< [row of the run]; NaN outside of the first's time
};

/// Differences of the later runs to the first, for all channels of the same name. At a time that
/// the first has a row for its value is taken, the last one where there are several, between two
/// rows that on the straight line between them. Angles and rotation vectors (find_turn_channels())
/// differ by less than a whole turn: jumps by one are none. Throws ModelError where a name has two
/// units, and where the runs have no time in common.
std::vector<ChannelDifference> find_differences(const std::vector<Results>& runs);

/// Whether each row of `run` within the time of `first` has a row at the same time (to 1e-9 s).
bool same_times(const Results& first, const Results& run);

/// The page of several runs: their curves, differences as curves and as a table, what was cut or
/// resampled. Throws ModelError as find_differences().
Report make_difference_page(const std::vector<Results>& runs);

}  // namespace semirec::report
