// The manual and the completions beside what --help says; commands that are none.
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "tests/regression/program.hpp"

namespace semirec::test {
namespace {

/// What --help of every command lists, by the words that lead to it.
struct Helped {
  std::set<std::string> options;   ///< `--speed`
  std::set<std::string> commands;  ///< below it
};

class CommandPages : public ProgramTest {
 protected:
  std::map<std::string, Helped> read_help() const {
    std::map<std::string, Helped> all;
    add_help("", all);
    return all;
  }

 private:
  void add_help(const std::string& path, std::map<std::string, Helped>& all) const {
    const Result result = call_program(path + " --help");
    ASSERT_EQ(result.code, 0) << path;
    Helped& here = all["semirec" + path];
    // `  -h,--help    print this help`, and behind `Subcommands:` `  run    drive ...`
    const std::regex option(R"(^  (?:-\w,)?(--[a-z-]+))");
    const std::regex command(R"(^  ([a-z]+)(?: |$))");
    std::istringstream lines(result.out);
    std::smatch found;
    bool commands = false;
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("Subcommands:")) commands = true;
      if (line.empty()) commands = false;
      if (std::regex_search(line, found, option)) here.options.insert(found[1]);
      if (commands && std::regex_search(line, found, command)) here.commands.insert(found[1]);
    }
    for (const std::string& name : std::set<std::string>(here.commands))
      add_help(path + " " + name, all);
  }
};

std::set<std::string> words_of(const std::string& text) {
  std::istringstream words(text);
  std::set<std::string> all;
  for (std::string word; words >> word;) all.insert(word);
  return all;
}

TEST_F(CommandPages, HelpNamesCommandsAndOptionsAtAll) {
  const std::map<std::string, Helped> help = read_help();
  EXPECT_GE(help.size(), 20U);
  EXPECT_TRUE(help.at("semirec export fmu").options.contains("--unpacked"));
  EXPECT_TRUE(help.at("semirec").commands.contains("fit"));
}

// In a terminal of 110 columns no word of an option's text stands below its name.
TEST_F(CommandPages, HelpKeepsWithinATerminal) {
  for (const char* command : {"", "kc", "run", "compare", "realtime"}) {
    std::istringstream lines(call_program(std::string(command) + " --help").out);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 110U) << line;
  }
}

TEST_F(CommandPages, ManualHasEveryCommandWithAllOfItsLongOptions) {
  const Result manual = call_program("man");
  ASSERT_EQ(manual.code, 0);
  EXPECT_TRUE(manual.out.starts_with(".TH SEMIREC 1 ")) << manual.out.substr(0, 80);
  // troff's dashes, and its sections: what is behind `.SS semirec export fmu ...`
  const std::string text = std::regex_replace(manual.out, std::regex(R"(\\-)"), "-");
  std::map<std::string, std::set<std::string>> sections;
  std::istringstream lines(text);
  const std::regex option(R"(\\fB(--[a-z-]+)\\fR)");
  std::string section;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(".S"))
      section = std::regex_replace(line, std::regex(R"(^\.SS (semirec(?: [a-z]+)*).*$)"), "$1");
    std::smatch found;
    if (std::regex_search(line, found, option)) sections[section].insert(found[1]);
    // requests of the macros `man` alone
    if (line.starts_with('.')) {
      EXPECT_TRUE(std::regex_search(line, std::regex(R"(^\.(TH|SH|SS|TP|PP|nf|fi)\b)"))) << line;
    }
  }
  for (const auto& [command, helped] : read_help()) {
    if (!helped.commands.empty()) continue;
    EXPECT_EQ(sections[command], helped.options) << command;
  }
  EXPECT_TRUE(sections[".SH OPTIONS"].contains("--version"));
}

TEST_F(CommandPages, BashCompletesEveryCommandAndLongOption) {
  const Result completion = call_program("completion bash");
  ASSERT_EQ(completion.code, 0);
  const std::string file = (folder_ / "semirec.bash").string();
  std::ofstream(file) << completion.out;
  const std::map<std::string, Helped> help = read_help();
  // bash itself completes: a line of answers for each question
  std::ofstream script(folder_ / "ask.bash");
  script << "set -e\nsource '" << file << "'\n"
         << "ask() { COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _semirec; echo "
            "\"${COMPREPLY[*]}\"; }\n";
  for (const auto& [command, helped] : help)
    script << "ask " << command << " --\nask " << command << " ''\n";
  script << "ask semirec modes car.xml --hold ''\nask semirec mo\nask semirec run a.xml ''\n";
  script.close();
  const std::string out = (folder_ / "answers").string();
  ASSERT_EQ(std::system(("bash '" + (folder_ / "ask.bash").string() + "' >'" + out + "'").c_str()),
            0);
  std::istringstream answers(text_of(out));
  const auto next = [&] {
    std::string line;
    EXPECT_TRUE(std::getline(answers, line));
    return words_of(line);
  };
  for (const auto& [command, helped] : help) {
    EXPECT_EQ(next(), helped.options) << command;
    // what an argument without dashes takes stands in the place of commands
    if (command == "semirec completion")
      EXPECT_EQ(next(), (std::set<std::string>{"bash", "zsh"}));
    else if (command == "semirec schema")
      EXPECT_TRUE(next().contains("scenario"));
    else
      EXPECT_EQ(next(), helped.commands) << command;
  }
  EXPECT_EQ(next(), (std::set<std::string>{"force", "throttle"}));
  EXPECT_EQ(next(), (std::set<std::string>{"modes"}));
  // names of files are left to the shell
  EXPECT_EQ(next(), std::set<std::string>{});
}

TEST_F(CommandPages, ZshIsToldTheSameAsBash) {
  const auto decisions = [&](const std::string& shell) {
    const Result result = call_program("completion " + shell);
    EXPECT_EQ(result.code, 0);
    std::string cases;
    std::istringstream lines(result.out);
    for (std::string line; std::getline(lines, line);)
      if (line.find("') ") != std::string::npos) cases += line + "\n";
    return cases;
  };
  const std::string bash = decisions("bash");
  EXPECT_TRUE(holds(bash, "'semirec export fmu'"));
  EXPECT_EQ(decisions("zsh"), bash);
  const Result unknown = call_program("completion fish");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_TRUE(holds(unknown.error, "fish")) << unknown.error;
}

TEST_F(CommandPages, AWordThatIsNoneIsAnsweredInALine) {
  const auto refused = [&](const std::string& arguments, const std::string& line) {
    const Result result = call_program(arguments);
    EXPECT_EQ(result.code, 2) << arguments;
    EXPECT_EQ(result.error, line + "\n") << arguments;
    EXPECT_EQ(result.out, "") << arguments;
  };
  refused("export mfu", "semirec export: 'mfu' is no command, nearest known name is 'fmu'");
  refused("export mfu a.xml --out b",
          "semirec export: 'mfu' is no command, nearest known name is 'fmu'");
  refused("rnu a.xml", "semirec: 'rnu' is no command, nearest known name is 'run'");
  refused("run a.xml b.xml --step 0.01s",
          "--step is '0.01s', expected a number, in SI units, without a unit");
  refused("kc a.xml --points 2.5", "--points is '2.5', expected a whole number");
  refused("import", "semirec import: a command is missing, expected one of chrono");
  const Result nothing = call_program("");
  EXPECT_EQ(nothing.code, 2);
  EXPECT_EQ(count(nothing.error, '\n'), 1) << nothing.error;
  EXPECT_TRUE(holds(nothing.error, "a command is missing, expected one of run, ")) << nothing.error;
}

}  // namespace
}  // namespace semirec::test
