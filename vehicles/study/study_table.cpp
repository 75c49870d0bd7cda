#include "vehicles/study/study_table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include <Eigen/Core>

#include "penalty/factors/least_squares.hpp"
#include "topology/ascii.hpp"
#include "topology/largest_magnitude.hpp"
#include "vehicles/analysis/without_numbers.hpp"
#include "vehicles/files/csv.hpp"
#include "vehicles/study/distribution.hpp"

namespace semirec {

namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kMostCharts = 8;
constexpr std::size_t kMostDrawn = 10000;
constexpr std::uint64_t kDrawn = 1;  // seed
constexpr std::size_t kParts = 5;    ///< of a sample, for main effects
/// Standardized parameters nearer to a common plane than this are not told apart.
constexpr double kLeastPivot = 1e-6;
constexpr double kShareOfSearches = 1e-10;

/// Samples that have one response, with it and their parameters.
struct Points {
  std::vector<std::size_t> rows;
  Eigen::MatrixXd x;  ///< [point][parameter]
  Eigen::VectorXd y;
};

Points find_points(const StudyTable& table, std::size_t column) {
  Points points;
  for (std::size_t r = 0; r < table.rows.size(); ++r)
    if (std::isfinite(table.rows[r].responses[column])) points.rows.push_back(r);
  const auto n = static_cast<Eigen::Index>(points.rows.size());
  const auto k = static_cast<Eigen::Index>(table.study->varied.size());
  points.x.resize(n, k);
  points.y.resize(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const StudyRow& row = table.rows[points.rows[static_cast<std::size_t>(i)]];
    points.y[i] = row.responses[column];
    const std::vector<double>& values = table.design->values[row.index];
    for (Eigen::Index j = 0; j < k; ++j) points.x(i, j) = values[static_cast<std::size_t>(j)];
  }
  return points;
}

/// Deviation with n - 1; 0 for one value.
double deviation(const Eigen::VectorXd& values) {
  if (values.size() < 2) return 0.0;
  return std::sqrt((values.array() - values.mean()).square().sum() /
                   static_cast<double>(values.size() - 1));
}

/// What counts as round-off in a response of this unit: a share of the largest of its kind.
double noise_of(const StudyTable& table, const std::string& unit) {
  constexpr double kShare = 1e-12;
  constexpr double kLeast = 1e-13;  // SI: what a start leaves of a car that stands still is below
  double largest = 0.0;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (table.columns[c].unit != unit) continue;
    for (const StudyRow& row : table.rows)
      if (std::isfinite(row.responses[c])) largest = std::max(largest, std::abs(row.responses[c]));
  }
  return std::max(kShare * largest, kLeast);
}

/// The least-squares plane through the points, in the parameters that are numbers and vary.
struct ResponsePlane {
  std::vector<double> coefficient, error, correlation;  ///< [parameter]
  double R2 = kMissing;
};

/// `noise`: a response that is nowhere larger, or does not vary by more, is round-off, and so is a
/// spread of less than what searches and starts leave open of its own size.
ResponsePlane fit_plane(const StudyTable& table, const Points& points, double noise) {
  const std::size_t all = table.study->varied.size();
  ResponsePlane plane;
  plane.coefficient.assign(all, kMissing);
  plane.error.assign(all, kMissing);
  plane.correlation.assign(all, kMissing);
  const Eigen::Index n = points.y.size();
  const double spread = n > 0 ? deviation(points.y) : 0.0;
  if (n < 2) return plane;
  // standardized columns, so that kilograms and newtons a metre weigh alike
  std::vector<std::size_t> used;
  std::vector<double> scale;
  Eigen::MatrixXd x(n, points.x.cols());
  for (std::size_t k = 0; k < all; ++k) {
    if (!table.study->varied[k].words.empty()) continue;
    const Eigen::VectorXd column = points.x.col(static_cast<Eigen::Index>(k));
    const double width = deviation(column);
    if (!(width > 1e-12 * largest_magnitude(column))) continue;
    x.col(static_cast<Eigen::Index>(used.size())) = (column.array() - column.mean()) / width;
    used.push_back(k);
    scale.push_back(width);
  }
  const auto m = static_cast<Eigen::Index>(used.size());
  if (m == 0) return plane;
  const Eigen::MatrixXd X = x.leftCols(m);
  const Eigen::VectorXd y = points.y.array() - points.y.mean();
  const auto freedom = static_cast<double>(n - 1);
  const Eigen::MatrixXd X_transpose = X.transpose();
  const Eigen::VectorXd Xy = apply(X_transpose, y);
  const double largest = largest_magnitude(points.y);
  const bool constant = !(spread > std::max(kShareOfSearches * largest, noise) && largest > noise);
  for (std::size_t k = 0; k < used.size(); ++k)
    if (!constant)
      plane.correlation[used[k]] =
          std::clamp(Xy[static_cast<Eigen::Index>(k)] / (freedom * spread), -1.0, 1.0);
  if (n < m + 1) return plane;
  const Eigen::MatrixXd products = product(X_transpose, X) / freedom;
  OrthogonalDecomposition decomposition;
  decompose(products, kLeastPivot * kLeastPivot, decomposition);
  if (decomposition.rank() < m) return plane;
  const Eigen::VectorXd slope = solve_least_squares(decomposition, Xy / freedom);
  const double left = (y - apply(X, slope)).squaredNorm();
  const auto inverse = [&](Eigen::Index i) {
    return solve_least_squares(decomposition, Eigen::VectorXd::Unit(m, i))[i];
  };
  for (std::size_t k = 0; k < used.size(); ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    plane.coefficient[used[k]] = slope[i] / scale[k];
    if (n > m + 1)
      plane.error[used[k]] =
          std::sqrt(left / static_cast<double>(n - m - 1) * inverse(i) / freedom) / scale[k];
  }
  if (!constant) plane.R2 = 1.0 - left / y.squaredNorm();
  return plane;
}

/// Rows at which a parameter has a value, or has it in the mean.
struct Part {
  double value = 0.0;
  std::vector<std::size_t> rows;
};

/// Parts of the rows for the main effect of a parameter: those of each level, or of equal count.
/// Rows that have no response are in none.
std::vector<Part> find_parts(const StudyTable& table, std::size_t parameter) {
  const auto value = [&](std::size_t row) {
    return table.design->values[table.rows[row].index][parameter];
  };
  std::vector<std::size_t> order;
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const std::vector<double>& found = table.rows[r].responses;
    if (std::any_of(found.begin(), found.end(), [](double y) { return std::isfinite(y); }))
      order.push_back(r);
  }
  std::vector<Part> parts;
  if (table.study->grid) {
    std::map<double, std::vector<std::size_t>> levels;
    for (std::size_t r = 0; r < table.rows.size(); ++r) levels[value(r)];
    for (const std::size_t r : order) levels[value(r)].push_back(r);
    for (auto& [level, rows] : levels) parts.push_back({level, std::move(rows)});
    return parts;
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return value(a) < value(b); });
  const std::size_t count = std::min(kParts, std::max<std::size_t>(1, order.size() / 2));
  for (std::size_t p = 0; p < count; ++p) {
    const auto at = [&](std::size_t k) {
      return order.begin() + static_cast<std::ptrdiff_t>(k * order.size() / count);
    };
    Part part{0.0, {at(p), at(p + 1)}};
    for (const std::size_t r : part.rows)
      part.value += value(r) / static_cast<double>(part.rows.size());
    parts.push_back(std::move(part));
  }
  return parts;
}

double mean_of(const StudyTable& table, const std::vector<std::size_t>& rows, std::size_t column) {
  double sum = 0.0;
  double count = 0.0;
  for (const std::size_t r : rows) {
    const double y = table.rows[r].responses[column];
    if (!std::isfinite(y)) continue;
    sum += y;
    count += 1.0;
  }
  return count > 0.0 ? sum / count : kMissing;
}

/// The means of all responses over the parts of one parameter.
Table find_effects(const StudyTable& table, std::size_t parameter) {
  const Vary& vary = table.study->varied[parameter];
  Table effects;
  effects.name = "effect_" + std::to_string(parameter + 1) + "_";
  for (const char c : vary.name) effects.name += ascii::is_letter_or_digit(c) ? c : '_';
  effects.columns = {{vary.name, table.units[parameter]}, {"samples", "1"}};
  for (const Channel& column : table.columns) effects.columns.push_back(column);
  for (const Part& part : find_parts(table, parameter)) {
    std::vector<double> row{part.value, static_cast<double>(part.rows.size())};
    for (std::size_t c = 0; c < table.columns.size(); ++c)
      row.push_back(mean_of(table, part.rows, c));
    effects.rows.push_back(std::move(row));
    if (!vary.words.empty()) effects.labels.push_back(value_text(vary, part.value));
  }
  return effects;
}

/// Largest less smallest mean; NaN where a part has none: what the others span is no effect.
double span_of(const Table& effects, std::size_t column) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const std::vector<double>& row : effects.rows) {
    if (!std::isfinite(row[column])) return kMissing;
    low = std::min(low, row[column]);
    high = std::max(high, row[column]);
  }
  return high >= low ? high - low : kMissing;
}

/// A line for each count of cars that lack a response, with the responses that so many have.
void note_missing(const StudyTable& table,
                  const std::map<std::size_t, std::vector<std::string>>& by_count, Answer& answer) {
  constexpr std::size_t kMostNames = 6;
  for (const auto& [count, names] : by_count) {
    std::string text;
    const std::size_t shown = std::min(names.size(), kMostNames);
    for (std::size_t k = 0; k < shown; ++k) text += (k == 0 ? "" : ", ") + names[k];
    if (shown < names.size())
      text += " and " + std::to_string(names.size() - shown) + " responses more";
    answer.notes.push_back(text + ": " + std::to_string(count) + " of " +
                           std::to_string(table.rows.size()) + " cars have " +
                           (names.size() == 1 ? "it" : "them"));
  }
}

/// A note that several cars have, but for its numbers.
struct SharedNote {
  std::string words, first;
  std::size_t cars = 0, index = 0;
  /// Of each number in it the least and the largest of all cars, as they stand there, and the car
  /// that has the largest magnitude.
  struct Range {
    std::string least, most;
    std::size_t largest = 0;
  };
  std::vector<Range> numbers;

  void take(const std::string& note, std::size_t car) {
    const std::vector<std::string> own = numbers_in(note);
    if (cars++ == 0) {
      first = note;
      index = car;
      for (const std::string& number : own) numbers.push_back({number, number, car});
      return;
    }
    const auto value = [](const std::string& text) {
      double number = 0.0;
      std::from_chars(text.data(), text.data() + text.size(), number);
      return number;
    };
    for (std::size_t k = 0; k < std::min(own.size(), numbers.size()); ++k) {
      Range& range = numbers[k];
      const double magnitude = std::max(std::abs(value(range.least)), std::abs(value(range.most)));
      if (std::abs(value(own[k])) > magnitude) range.largest = car;
      if (value(own[k]) < value(range.least)) range.least = own[k];
      if (value(own[k]) > value(range.most)) range.most = own[k];
    }
  }

  /// `3 of 40 cars, the first with index 7: ...; its numbers in all of them: 2 to 9 (largest in
  /// size with index 11), ...`
  std::string text(std::size_t of_cars) const {
    std::string line = std::to_string(cars) + " of " + std::to_string(of_cars) +
                       " cars, the first with index " + std::to_string(index) + ": " + first;
    std::string ranges;
    for (const Range& range : numbers)
      if (range.least != range.most)
        ranges += (ranges.empty() ? "" : ", ") + range.least + " to " + range.most +
                  " (largest in size with index " + std::to_string(range.largest) + ")";
    return ranges.empty() ? line : line + "; its numbers in all of them: " + ranges;
  }
};

/// What the cars' answers note, each line once where its numbers alone differ, with how many cars
/// have it; what is said of the vehicle as it is, once.
void note_answers(const StudyTable& table, Answer& answer) {
  constexpr std::size_t kMost = 12;
  std::vector<SharedNote> all;
  std::set<std::string> of_vehicle;
  for (const StudyRow& row : table.rows) {
    std::set<std::string> own;
    for (const std::string& note : row.notes) {
      if (note.rfind(kVehicleAsItIs, 0) == 0) {
        if (of_vehicle.insert(note).second) answer.notes.push_back(note);
        continue;
      }
      const std::string words = without_numbers(note);
      if (!own.insert(words).second) continue;
      auto known = std::find_if(all.begin(), all.end(),
                                [&](const SharedNote& noted) { return noted.words == words; });
      if (known == all.end()) {
        all.emplace_back().words = words;
        known = all.end() - 1;
      }
      known->take(note, row.index);
    }
  }
  for (std::size_t k = 0; k < std::min(all.size(), kMost); ++k)
    answer.notes.push_back(all[k].text(table.rows.size()));
  if (all.size() > kMost)
    answer.notes.push_back(std::to_string(all.size() - kMost) + " notes more of the cars' answers");
}

std::string label(const std::string& name, const std::string& unit) {
  return unit.empty() || unit == "1" ? name : name + " [" + unit + "]";
}

/// Whether a car is among those of so many that are drawn, kMostDrawn or a few more or less: a
/// picture of all is slow to open. At random, as designs have patterns.
bool is_drawn(std::size_t car, std::size_t cars) {
  if (cars <= kMostDrawn) return true;
  const double share = static_cast<double>(kMostDrawn) / static_cast<double>(cars);
  return chance(kDrawn, 0, car) < share;
}

/// Over the parameter that goes with the response most.
Chart scatter(const StudyTable& table, std::size_t column, const Points& points,
              const ResponsePlane& plane) {
  std::size_t along = 0;
  double most = -1.0;
  for (std::size_t k = 0; k < plane.correlation.size(); ++k)
    if (std::abs(plane.correlation[k]) > most) {
      most = std::abs(plane.correlation[k]);
      along = k;
    }
  const Vary& vary = table.study->varied[along];
  Chart chart;
  chart.title = table.columns[column].name;
  chart.x_label = label(vary.name + (vary.factor          ? " (factor)"
                                     : vary.words.empty() ? ""
                                                          : " (number of word)"),
                        table.units[along]);
  chart.y_label = label(table.columns[column].name, table.columns[column].unit);
  Series series;
  series.points = true;
  for (Eigen::Index i = 0; i < points.y.size(); ++i) {
    if (!is_drawn(points.rows[static_cast<std::size_t>(i)], table.rows.size())) continue;
    series.x.push_back(points.x(i, static_cast<Eigen::Index>(along)));
    series.y.push_back(points.y[i]);
  }
  chart.series.push_back(std::move(series));
  return chart;
}

}  // namespace

std::string results_text(const StudyTable& table) {
  const std::vector<Vary>& varied = table.study->varied;
  std::string text = "index";
  for (const Vary& vary : varied) text += "," + csv_cell(vary.name);
  for (const Channel& column : table.columns) text += "," + csv_cell(column.name);
  text += ",status\n1";
  for (const std::string& unit : table.units) text += "," + csv_cell(unit);
  for (const Channel& column : table.columns) text += "," + csv_cell(column.unit);
  text += ",\n";
  for (const StudyRow& row : table.rows) {
    text += std::to_string(row.index);
    for (std::size_t k = 0; k < varied.size(); ++k)
      text += "," + csv_cell(value_text(varied[k], table.design->values[row.index][k]));
    for (const double value : row.responses)
      text += "," + (std::isfinite(value) ? exact_text(value) : std::string());
    text += "," + csv_cell(row.status) + "\n";
  }
  return text;
}

Answer summarize(const StudyTable& table) {
  const Study& study = *table.study;
  Answer answer;
  const auto ok = static_cast<std::size_t>(
      std::count_if(table.rows.begin(), table.rows.end(),
                    [](const StudyRow& row) { return row.status == kSampleOk; }));
  answer.title = study.name + ": " + std::to_string(table.rows.size()) + " samples of " +
                 std::to_string(study.varied.size()) +
                 (study.varied.size() == 1 ? " parameter" : " parameters");
  const auto add = [&](const std::string& name, double value, const std::string& unit,
                       double uncertainty = kMissing) {
    answer.quantities.push_back({name, value, unit, uncertainty, {}});
  };
  add("samples", static_cast<double>(table.rows.size()), "1");
  add("failed", static_cast<double>(table.rows.size() - ok), "1");
  for (std::size_t k = 0; k < study.varied.size(); ++k)
    answer.tables.push_back(find_effects(table, k));
  std::map<std::size_t, std::vector<std::string>> lacking;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const std::string& name = table.columns[c].name;
    const std::string& unit = table.columns[c].unit;
    const Points points = find_points(table, c);
    if (points.rows.size() < table.rows.size()) lacking[points.rows.size()].push_back(name);
    const bool any = points.y.size() > 0;
    const double std = points.y.size() > 1 ? deviation(points.y) : kMissing;
    const bool independent = !study.grid && study.method == SampleMethod::random;
    add(name + ".mean", any ? points.y.mean() : kMissing, unit,
        independent ? std / std::sqrt(static_cast<double>(points.y.size())) : kMissing);
    add(name + ".std", std, unit);
    add(name + ".min", any ? points.y.minCoeff() : kMissing, unit);
    add(name + ".max", any ? points.y.maxCoeff() : kMissing, unit);
    const ResponsePlane plane = fit_plane(table, points, noise_of(table, unit));
    for (std::size_t k = 0; k < study.varied.size(); ++k) {
      const std::string& parameter = study.varied[k].name;
      const std::string& of = table.units[k];
      add(name + ".correlation." + parameter, plane.correlation[k], "1");
      add(name + ".coefficient." + parameter, plane.coefficient[k],
          of.empty() || of == "1" ? unit : unit + "/(" + of + ")", plane.error[k]);
      add(name + ".effect." + parameter, span_of(answer.tables[k], c + 2), unit);
    }
    add(name + ".R2", plane.R2, "1");
    if (any && answer.charts.size() < kMostCharts)
      answer.charts.push_back(scatter(table, c, points, plane));
  }
  if (table.columns.size() > answer.charts.size() && answer.charts.size() == kMostCharts)
    answer.notes.push_back("the picture shows the first " + std::to_string(kMostCharts) + " of " +
                           std::to_string(table.columns.size()) + " responses");
  if (table.rows.size() > kMostDrawn)
    answer.notes.push_back("the picture shows some " + std::to_string(kMostDrawn) + " of " +
                           std::to_string(table.rows.size()) + " cars, drawn at random");
  if (ok < table.rows.size())
    answer.notes.push_back(std::to_string(table.rows.size() - ok) + " of " +
                           std::to_string(table.rows.size()) +
                           " samples failed; their status says why");
  note_missing(table, lacking, answer);
  note_answers(table, answer);
  return answer;
}

}  // namespace semirec
