#include "apps/cli/chart_script.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace semirec::cli {

namespace {

// lengths in pixels
constexpr double kLeft = 90.0, kRight = 25.0, kAbove = 36.0, kBelow = 54.0;
constexpr double kOneWide = 620.0, kTwoWide = 420.0, kLow = 200.0;
constexpr double kLetter = 6.6, kKeyLine = 17.0, kSample = 48.0, kHeading = 46.0;
constexpr std::size_t kMostInAColumn = 8;
constexpr double kNoChange = 1e-6;  // of the largest number of a chart
constexpr double kUnseen = std::numeric_limits<double>::quiet_NaN();

/// Apart for those who see few colours, too (Okabe and Ito), and then by marks and dashes.
constexpr std::array<const char*, 7> kColours{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                              "#e69f00", "#56b4e9", "#444444"};
constexpr std::array<int, 7> kMarks{7, 5, 9, 11, 13, 6, 4};

/// A gnuplot string in single quotes, in which nothing but the quote is special.
std::string gnuplot_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20) continue;
    out += c;
    if (c == '\'') out += c;
  }
  return out + "'";
}

struct Extent {
  double low = kUnseen, high = kUnseen;
  void see(double value) {
    if (!std::isfinite(value)) return;
    low = std::fmin(low, value);
    high = std::fmax(high, value);
  }
  double size() const { return high - low; }
};

/// Whether every line of it is level.
bool is_flat(const Chart& chart) {
  double most = 0.0, change = 0.0;
  for (const Series& series : chart.series) {
    Extent y, x;
    for (const double value : series.y) y.see(value);
    for (const double value : series.x) x.see(value);
    // one point is no line
    if (!(x.size() > 0.0)) return false;
    change = std::fmax(change, y.size());
    most = std::fmax(most, std::fmax(std::abs(y.low), std::abs(y.high)));
  }
  return !(change > kNoChange * most);
}

bool is_over_time(const Chart& chart) { return chart.x_label == "time, s"; }

bool has_key(const Chart& chart) { return chart.series.size() > 1; }

/// Places in the picture: of the frames, and of the key beside each.
struct Layout {
  std::size_t columns = 1, rows = 1;
  double width = 0.0, height = 0.0, frame_width = 0.0, column_width = 0.0;
  std::vector<double> tops, heights;  ///< [row] of the frames
};

Layout lay_out(const std::vector<const Chart*>& charts) {
  Layout layout;
  layout.columns = charts.size() > kMostInAColumn ? 2 : 1;
  layout.rows = (charts.size() + layout.columns - 1) / layout.columns;
  layout.frame_width = layout.columns > 1 ? kTwoWide : kOneWide;
  std::size_t letters = 0;
  layout.heights.assign(layout.rows, kLow);
  for (std::size_t k = 0; k < charts.size(); ++k) {
    if (!has_key(*charts[k])) continue;
    double& height = layout.heights[k / layout.columns];
    height = std::fmax(height, kKeyLine * static_cast<double>(charts[k]->series.size()));
    for (const Series& series : charts[k]->series) letters = std::max(letters, series.name.size());
  }
  const double key = letters > 0 ? kSample + kLetter * static_cast<double>(letters) : 0.0;
  layout.column_width = kLeft + layout.frame_width + kRight + key;
  layout.width = layout.column_width * static_cast<double>(layout.columns);
  double top = kHeading;
  for (const double height : layout.heights) {
    layout.tops.push_back(top + kAbove);
    top += kAbove + height + kBelow;
  }
  layout.height = top;
  return layout;
}

void put_data(const Chart& chart, std::size_t number, std::string& script) {
  for (std::size_t s = 0; s < chart.series.size(); ++s) {
    script += fmt::format("$data_{}_{} << EOD\n", number, s);
    const Series& series = chart.series[s];
    for (std::size_t k = 0; k < std::min(series.x.size(), series.y.size()); ++k)
      script += std::isfinite(series.x[k]) && std::isfinite(series.y[k])
                    ? fmt::format("{:.9g} {:.9g}\n", series.x[k], series.y[k])
                    : std::string("\n");
    script += "EOD\n";
  }
}

void put_chart(const Chart& chart, std::size_t number, const Layout& layout, const Extent& time,
               std::string& script) {
  put_data(chart, number, script);
  const std::size_t row = number / layout.columns;
  const double left = kLeft + layout.column_width * static_cast<double>(number % layout.columns);
  const double top = 1.0 - layout.tops[row] / layout.height;
  const double bottom = 1.0 - (layout.tops[row] + layout.heights[row]) / layout.height;
  const double right = left + layout.frame_width;
  script += fmt::format(
      "set lmargin at screen {:.6f}\nset rmargin at screen {:.6f}\nset tmargin at screen {:.6f}\n"
      "set bmargin at screen {:.6f}\n",
      left / layout.width, right / layout.width, top, bottom);
  script += fmt::format("set title {}\nset xlabel {}\nset ylabel {}\n", gnuplot_quoted(chart.title),
                        gnuplot_quoted(chart.x_label), gnuplot_quoted(chart.y_label));
  script += has_key(chart) ? fmt::format(
                                 "set key at screen {:.6f}, screen {:.6f} top left Left "
                                 "reverse samplen 2\n",
                                 (right + kRight) / layout.width, top)
                           : "unset key\n";
  script += is_over_time(chart) && time.size() > 0.0
                ? fmt::format("set xrange [{:.9g}:{:.9g}]\n", time.low, time.high)
                : std::string("set xrange [*:*]\n");
  script += chart.log_x ? "set logscale x\n" : "unset logscale x\n";
  // short marks of small numbers ("1e-07"): long ones push the axis' label out of the picture
  script += chart.log_y ? "set logscale y\nset format y '%g'\n"
                        : "unset logscale y\nset format y '% h'\n";
  for (std::size_t s = 0; s < chart.series.size(); ++s) {
    const std::size_t turn = s / kColours.size();
    const std::string look =
        chart.series[s].points
            ? fmt::format("points pt {} ps 0.55", kMarks[(s + turn) % kMarks.size()])
            : fmt::format("lines lw 1.5 dt {}", turn + 1);
    script += fmt::format("{}$data_{}_{} using 1:2 with {} lc rgb '{}' title {}",
                          s == 0 ? "plot " : ", ", number, s, look, kColours[s % kColours.size()],
                          gnuplot_quoted(chart.series[s].name));
  }
  script += "\n";
}

}  // namespace

std::string chart_script(const std::vector<Chart>& charts, const std::string& title,
                         const std::string& picture) {
  std::vector<const Chart*> shown;
  std::string flat;
  for (const Chart& chart : charts) {
    if (chart.series.empty()) continue;
    if (is_flat(chart))
      flat += (flat.empty() ? "nothing changes: " : "; ") + chart.title;
    else
      shown.push_back(&chart);
  }
  if (shown.empty()) {
    flat.clear();
    for (const Chart& chart : charts)
      if (!chart.series.empty()) shown.push_back(&chart);
  }
  const Layout layout = lay_out(shown);
  Extent time;
  for (const Chart* chart : shown)
    if (is_over_time(*chart))
      for (const Series& series : chart->series)
        for (const double t : series.x) time.see(t);
  std::string script = fmt::format(
      "set terminal svg size {:.0f},{:.0f} font 'sans,11' noenhanced background 'white'\n"
      "set output {}\nset grid lc rgb '#dddddd'\n"
      "set label 1 {} at screen 0.5, screen {:.6f} center font 'sans,13'\n",
      layout.width, layout.height, gnuplot_quoted(picture), gnuplot_quoted(title),
      1.0 - 16.0 / layout.height);
  if (!flat.empty())
    script += fmt::format("set label 2 {} at screen 0.5, screen {:.6f} center\n",
                          gnuplot_quoted(flat), 1.0 - 36.0 / layout.height);
  script += "set multiplot\n";
  for (std::size_t k = 0; k < shown.size(); ++k) {
    put_chart(*shown[k], k, layout, time, script);
    // what stands above all is drawn once
    if (k == 0) script += "unset label\n";
  }
  return script + "unset multiplot\n";
}

}  // namespace semirec::cli
