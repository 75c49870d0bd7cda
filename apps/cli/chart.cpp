#include "apps/cli/chart.hpp"

#include <cmath>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>
#include <spawn.h>

#include "topology/mechanism.hpp"

extern char** environ;

namespace semirec::cli {

namespace {

namespace fs = std::filesystem;

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

void add_chart(const Chart& chart, int number, std::string& script) {
  for (std::size_t s = 0; s < chart.series.size(); ++s) {
    script += fmt::format("$data_{}_{} << EOD\n", number, s);
    const Series& series = chart.series[s];
    for (std::size_t k = 0; k < std::min(series.x.size(), series.y.size()); ++k)
      script += std::isfinite(series.x[k]) && std::isfinite(series.y[k])
                    ? fmt::format("{:.9g} {:.9g}\n", series.x[k], series.y[k])
                    : std::string("\n");
    script += "EOD\n";
  }
  script += fmt::format("set title {}\nset xlabel {}\nset ylabel {}\n", gnuplot_quoted(chart.title),
                        gnuplot_quoted(chart.x_label), gnuplot_quoted(chart.y_label));
  script += chart.log_x ? "set logscale x\n" : "unset logscale x\n";
  script += chart.log_y ? "set logscale y\n" : "unset logscale y\n";
  for (std::size_t s = 0; s < chart.series.size(); ++s)
    script += fmt::format("{}$data_{}_{} using 1:2 with {} title {}", s == 0 ? "plot " : ", ",
                          number, s, chart.series[s].points ? "points pt 7 ps 0.5" : "lines lw 1.5",
                          gnuplot_quoted(chart.series[s].name));
  script += "\n";
}

bool run_gnuplot(const fs::path& script) {
  std::string program = "gnuplot";
  std::string file = script.string();
  char* const arguments[] = {program.data(), file.data(), nullptr};
  // its warnings (an axis of one value) say nothing about the answer
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int spawned = posix_spawnp(&child, "gnuplot", &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (spawned != 0) return false;
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

std::string draw_charts(const std::vector<Chart>& charts, const std::string& title,
                        const OutputFolder& folder, const std::string& name) try {
  OutputFile picture(folder.path() / (name + ".svg"), folder.overwrite());
  std::string script = fmt::format(
      "set terminal svg size 900,{} font 'sans,11' noenhanced background 'white'\n"
      "set output {}\nset grid lc rgb '#dddddd'\nset key top right\n"
      "set multiplot layout {},1 title {}\n",
      60 + 300 * charts.size(), gnuplot_quoted(picture.part().string()), charts.size(),
      gnuplot_quoted(title));
  for (std::size_t k = 0; k < charts.size(); ++k)
    if (!charts[k].series.empty()) add_chart(charts[k], static_cast<int>(k), script);
  script += "unset multiplot\n";
  OutputFile commands(folder.path() / (name + ".gp"), folder.overwrite());
  if (!commands.write(script) || !commands.close()) return "no picture: " + commands.trouble();
  if (run_gnuplot(commands.part()))
    return picture.finish() ? std::string() : "no picture: " + picture.trouble();
  if (!commands.publish()) return "no picture: " + commands.trouble();
  return "no picture: gnuplot is missing or failed; its commands are in '" +
         (folder.path() / (name + ".gp")).string() + "'";
} catch (const ModelError& error) {
  return std::string("no picture: ") + error.what();
}

}  // namespace semirec::cli
