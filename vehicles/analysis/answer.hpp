#pragma once

#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "recursive/forces/force_element.hpp"

namespace semirec {

/// A number that nobody knows.
inline constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

/// A number in a sentence, with so many digits.
std::string to_text(double value, int digits = 6);

/// One number of an answer.
struct Quantity {
  std::string name;  ///< `understeer_gradient`, `front.toe`: letters, digits, `_` and `.`
  double value = 0.0;
  std::string unit;  ///< SI; `1` without dimension
  /// How far the computation may be off (step, fit, iteration), in the same unit; NaN: not known.
  double uncertainty = std::numeric_limits<double>::quiet_NaN();
  std::string about{};  ///< few words: definition, or the clause of the standard
  bool detail = false;  ///< not among the printed ones: it stands in a table that is shown
};

/// Rows of numbers under named columns with units.
struct Table {
  std::string name;  ///< of its file, without ending
  std::vector<Channel> columns;
  std::vector<std::vector<double>> rows;
  std::vector<std::string> labels{};  ///< of the rows, a first column of words; empty: none
  bool shown = false;                 ///< printed, too
};

/// A line of a chart.
struct Series {
  std::string name;
  std::vector<double> x, y;
  bool points = false;    ///< markers instead of a line
  std::string channel{};  ///< of the drive's history that it shows, where it has another name
};

/// One panel of the picture.
struct Chart {
  std::string title, x_label, y_label;  ///< labels with units
  bool log_x = false, log_y = false;
  std::vector<Series> series;
};

/// Where numbers of an answer were read on the curves over the time of its drive.
struct CurveMark {
  /// A channel, as the drive's history calls it (`car.yaw_rate`), or the name of a line that has no
  /// channel;
  /// empty: the time counts, whatever the curve.
  std::string channel;
  std::string label;        ///< few words: `90 %`, `peak`, `steady`
  double from = 0.0;        ///< s of the drive
  double until = kUnknown;  ///< s: the end of what was averaged or searched; NaN: one instant
  double level = kUnknown;  ///< value there, in the channel's unit; NaN: none
};

/// What an analysis says about a vehicle: numbers first, then tables, then pictures.
struct Answer {
  std::string title;  ///< one line: which vehicle, what was asked
  std::vector<Quantity> quantities;
  std::vector<Table> tables;
  std::vector<Chart> charts;          ///< stacked in one picture
  std::vector<std::string> notes;     ///< what a reader must know, one a line
  std::vector<CurveMark> readings{};  ///< in the drive that the charts over time show
  /// Further files of the output folder: name and content.
  std::vector<std::pair<std::string, std::string>> files{};
};

/// Position of the quantity of this name; -1 without one.
int find_quantity(const Answer& answer, const std::string& name);

/// An analysis that broke down in numbers, not by a wrong description: no convergence, a car that
/// does not reach its speed. One line: what, where, what was expected.
class AnalysisError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Thrown when Progress asked to stop.
class Interrupted : public std::runtime_error {
 public:
  Interrupted() : std::runtime_error("interrupted") {}
};

/// Called by long analyses with the part that is done (0 to 1) and what is being done; false: stop,
/// which the analysis does by throwing Interrupted. May be empty.
using Progress = std::function<bool(double part, const std::string& what)>;

/// Calls it if it is there; throws Interrupted.
void show_progress(const Progress& progress, double part, const std::string& what);

}  // namespace semirec
