#include "apps/cli/chart.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <spawn.h>

#include "apps/cli/chart_script.hpp"
#include "topology/mechanism.hpp"

extern char** environ;

namespace semirec::cli {

namespace {

namespace fs = std::filesystem;

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
  const std::string script = chart_script(charts, title, picture.part().string());
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
