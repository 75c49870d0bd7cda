// The answers that README.md and the pages of the tutorial show are those of the program, to the
// digits that they show.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/regression/program.hpp"

namespace semirec::test {
namespace {

/// One `$ semirec ...` of a page and the lines that it shows below it.
struct Shown {
  int line = 0;           ///< in the page, from one
  std::string arguments;  ///< without the program's name and the comment
  std::vector<std::string> answer;
};

/// The line without the comment that two blanks and a # begin, and without blanks at its end.
std::string without_comment(const std::string& line) {
  std::string text = line.substr(0, line.find("  #"));
  text.erase(text.find_last_not_of(" \r") + 1);
  return text;
}

std::vector<Shown> read_shown(const std::string& text) {
  std::vector<Shown> all;
  std::istringstream lines(text);
  std::string line;
  bool open = false;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (line.rfind("$ semirec ", 0) == 0) {
      all.push_back({number, without_comment(line.substr(10)), {}});
      open = true;
    } else if (line.empty() || line.rfind("```", 0) == 0) {
      open = false;
    } else if (open) {
      all.back().answer.push_back(without_comment(line));
    }
  }
  return all;
}

/// What `semirec ...` in the running text calls: `semirec run VEHICLE`, `semirec compare --paper`.
std::vector<std::string> read_mentioned(const std::string& text) {
  std::vector<std::string> all;
  const std::regex span("`semirec ([^`]+)`");
  for (std::sregex_iterator at(text.begin(), text.end(), span), end; at != end; ++at)
    all.push_back((*at)[1]);
  return all;
}

/// A file that a page tells its reader to write: a line with its name, "`mine/car.xml`:", and a
/// block of XML below it.
struct PageFile {
  std::string name, text;
};

std::vector<PageFile> read_page_files(const std::string& text) {
  std::vector<PageFile> all;
  const std::regex name_line("`([^`]+\\.xml)`:");
  std::istringstream lines(text);
  std::string line, before;
  bool open = false;
  while (std::getline(lines, line)) {
    std::smatch name;
    if (open) {
      open = line.rfind("```", 0) != 0;
      if (open) all.back().text += line + "\n";
    } else if (line == "```xml" && std::regex_match(before, name, name_line)) {
      all.push_back({name[1], ""});
      open = true;
    }
    before = line;
  }
  return all;
}

const std::regex kNumber(R"([-+]?\d+(\.\d+)?(e[-+]?\d+)?)");

/// One unit of the last digit of a number as it is written.
double last_digit(const std::string& number) {
  const std::size_t e = number.find('e');
  const std::string digits = number.substr(0, e);
  const std::size_t point = digits.find('.');
  const int places = point == std::string::npos ? 0 : static_cast<int>(digits.size() - point - 1);
  const int power = e == std::string::npos ? 0 : std::stoi(number.substr(e + 1));
  return std::pow(10.0, power - places);
}

/// The line with one blank where it has several: columns may grow wider.
std::string squeezed(const std::string& line) {
  return std::regex_replace(line, std::regex(" +"), " ");
}

/// Whether the program's line is the one shown: the same words; numbers within one unit of the last
/// digit shown. How sure a number is (after +-) may differ by a factor of ten where it is rounding,
/// below a millionth of its number: that differs from processor to processor.
bool is_shown(const std::string& shown, const std::string& printed) {
  if (squeezed(std::regex_replace(shown, kNumber, "1")) !=
      squeezed(std::regex_replace(printed, kNumber, "1")))
    return false;
  std::sregex_iterator a(shown.begin(), shown.end(), kNumber);
  std::sregex_iterator b(printed.begin(), printed.end(), kNumber);
  double before = 0.0;
  for (const std::sregex_iterator end; a != end && b != end; ++a, ++b) {
    const double x = std::stod(a->str());
    const double y = std::stod(b->str());
    const bool spread = a->prefix().str().find("+-") != std::string::npos;
    if (spread && std::max(x, y) < 1e-6 * std::abs(before)) {
      if (std::max(x, y) > 10.0 * std::min(x, y) + 1e-12) return false;
    } else if (std::abs(x - y) > 1.001 * last_digit(a->str())) {
      return false;
    }
    before = x;
  }
  return true;
}

/// Empty when the lines printed are those shown, where "..." stands for any; else what is missing.
std::string compare_lines(const std::vector<std::string>& shown,
                          const std::vector<std::string>& printed) {
  std::size_t at = 0;
  bool any = false;
  for (const std::string& line : shown) {
    if (line.find_first_not_of(' ') != std::string::npos &&
        line.substr(line.find_first_not_of(' ')) == "...") {
      any = true;
      continue;
    }
    const std::size_t first = at;
    while (any && at < printed.size() && !is_shown(line, printed[at])) ++at;
    if (at >= printed.size() || !is_shown(line, printed[at]))
      return "shows\n  " + line + "\nthe program prints\n  " +
             (first < printed.size() ? printed[first] : "nothing more");
    ++at;
    any = false;
  }
  if (!any && at < printed.size()) return "ends, the program goes on with\n  " + printed[at];
  return "";
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> all;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) all.push_back(without_comment(line));
  return all;
}

/// Calls the program in a folder of its own, where the source folder's names are known.
class Readme : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    for (const char* name : {"vehicles", "tests"})
      fs::create_directory_symlink(kSource + "/" + name, folder_ / name);
  }
  Result call(const std::string& arguments) const {
    const std::string command = "cd '" + folder_.string() + "' && '" + SEMIREC_PROGRAM + "' " +
                                arguments + " >stdout 2>stderr";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text_of(folder_ / "stdout"),
            text_of(folder_ / "stderr")};
  }
  /// Whether the command knows each option, and each file that is named is there.
  void expect_understood(const std::string& arguments) {
    std::istringstream words(arguments);
    std::string command, word;
    words >> command;
    if (command.rfind("--", 0) == 0) return;
    for (const char* parent : {"import", "export", "fit"})
      if (command == parent && words >> word) command += " " + word;
    if (help_.count(command) == 0) {
      const Result help = call(command + " --help");
      EXPECT_EQ(help.code, 0) << "semirec " << command << ": " << help.error;
      help_[command] = help.out;
    }
    while (words >> word) {
      if (word.rfind("--", 0) == 0) {
        EXPECT_TRUE(holds(help_[command], word.substr(0, word.find('='))))
            << "semirec " << arguments << ": no " << word << " in its --help";
      } else if (word.rfind("vehicles/", 0) == 0 || word.rfind("tests/", 0) == 0) {
        EXPECT_TRUE(fs::exists(folder_ / word)) << word;
      }
    }
  }

  /// Whether the program answers as it is shown on a page.
  void expect_answered(const std::string& page, const Shown& shown);

  std::map<std::string, std::string> help_;
};

const std::string kReadme = text_of(fs::path(SEMIREC_SOURCE_DIR) / "README.md");

/// Minutes of work, shown without an answer: their words are checked, they are not run.
bool takes_minutes(const Shown& shown) {
  return shown.answer.empty() && shown.arguments.rfind("sweep ", 0) == 0;
}

void Readme::expect_answered(const std::string& page, const Shown& shown) {
  const std::string place = page + ":" + std::to_string(shown.line) + ": ";
  expect_understood(shown.arguments);
  if (takes_minutes(shown)) return;
  const Result result = call(shown.arguments);
  // `check` of a broken file answers on stderr; notes beside an answer are no part of it
  EXPECT_TRUE(result.code == 0 || result.code == 3) << place << result.error;
  if (shown.answer.empty()) {
    EXPECT_EQ(result.code, 0) << place << result.error;
    return;
  }
  const std::string text = result.code == 0 ? result.out : result.error;
  EXPECT_EQ(compare_lines(shown.answer, lines_of(text)), "") << place << shown.arguments;
}

TEST_F(Readme, ShowsWhatTheProgramAnswers) {
  const std::vector<Shown> all = read_shown(kReadme);
  EXPECT_GE(all.size(), 10U);
  for (const Shown& shown : all) expect_answered("README.md", shown);
}

// What serves a page goes on until Ctrl-C: its words are checked, it is not run.
TEST_F(Readme, ThePageOfTheSeatShowsWhatTheProgramAnswers) {
  const std::string text = text_of(fs::path(kSource) / "docs/how_to/drive.md");
  const std::vector<Shown> all = read_shown(text);
  EXPECT_GE(all.size(), 1U);
  for (const Shown& shown : all) expect_answered("drive.md", shown);
  int commands = 0;
  for (const std::string& line : lines_of(text)) {
    if (line.rfind("semirec ", 0) != 0) continue;
    ++commands;
    expect_understood(line.substr(8));
  }
  EXPECT_GE(commands, 2);
}

const std::vector<std::string> kTutorial = {"1_quarter_car.md", "2_look_at_it.md", "3_corner.md",
                                            "4_whole_car.md", "5_drive_it.md"};

/// A page of the tutorial, in a folder that holds the files of this page and of those before it.
class Tutorial : public Readme, public testing::WithParamInterface<std::size_t> {};

TEST_P(Tutorial, ShowsWhatTheProgramAnswers) {
  std::string text;
  std::size_t files = 0;
  for (std::size_t i = 0; i <= GetParam(); ++i) {
    text = text_of(fs::path(kSource) / "docs/tutorial" / kTutorial[i]);
    for (const PageFile& file : read_page_files(text)) {
      const fs::path path = folder_ / file.name;
      fs::create_directories(path.parent_path());
      std::ofstream(path) << file.text;
      ++files;
    }
  }
  EXPECT_GE(files, GetParam() + 1);  // each page adds one or more
  const std::vector<Shown> all = read_shown(text);
  EXPECT_GE(all.size(), 4U);
  for (const Shown& shown : all) {
    EXPECT_FALSE(shown.answer.empty()) << kTutorial[GetParam()] << ":" << shown.line;
    expect_answered(kTutorial[GetParam()], shown);
  }
}

INSTANTIATE_TEST_SUITE_P(Pages, Tutorial, testing::Range<std::size_t>(0, kTutorial.size()));

TEST_F(Readme, MentionsOnlyCommandsAndOptionsThatAreThere) {
  const std::vector<std::string> all = read_mentioned(kReadme);
  EXPECT_GE(all.size(), 4U);
  for (const std::string& arguments : all) expect_understood(arguments);
}

// The comparison itself.
TEST(ReadmeLines, AreComparedToTheirDigits) {
  EXPECT_TRUE(is_shown("roll 0.031816 rad", "roll 0.031817 rad"));
  EXPECT_FALSE(is_shown("roll 0.031816 rad", "roll 0.031818 rad"));
  EXPECT_FALSE(is_shown("roll 0.031816 rad", "roll 0.031816 deg"));
  EXPECT_TRUE(is_shown("  roll   0.03 rad", "  roll     0.03 rad"));
  EXPECT_FALSE(is_shown("8000 steps", "8000 steps of 0.001 s"));
  EXPECT_TRUE(is_shown("0.101318 m +- 1.5e-11", "0.101318 m +- 6.0e-11"));
  EXPECT_FALSE(is_shown("0.101318 m +- 1.5e-11", "0.101318 m +- 1.5e-08"));
  EXPECT_FALSE(is_shown("0.1217 s +- 0.0014", "0.1217 s +- 0.0018"));
  EXPECT_EQ(compare_lines({"a", "..."}, {"a", "b", "c"}), "");
  EXPECT_EQ(compare_lines({"a", "...", "c"}, {"a", "b", "c"}), "");
  EXPECT_NE(compare_lines({"a"}, {"a", "b"}), "");
  EXPECT_NE(compare_lines({"a", "c"}, {"a", "b"}), "");
  EXPECT_EQ(read_shown("```\n$ semirec info a.xml   # tree\nx\n  ...\n\ny\n```\n").at(0).answer,
            (std::vector<std::string>{"x", "  ..."}));
  const std::vector<PageFile> files =
      read_page_files("`mine/a.xml`:\n```xml\n<a>\n\n</a>\n```\nno name:\n```xml\n<b/>\n```\n");
  ASSERT_EQ(files.size(), 1U);
  EXPECT_EQ(files[0].name, "mine/a.xml");
  EXPECT_EQ(files[0].text, "<a>\n\n</a>\n");
}

}  // namespace
}  // namespace semirec::test
