#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <sys/wait.h>

#include <gtest/gtest.h>

namespace semirec::test {

namespace fs = std::filesystem;

inline const std::string kSource = SEMIREC_SOURCE_DIR;

/// What a call of the program left behind.
struct Result {
  int code = 0;
  std::string out, error;
};

inline std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

inline std::ptrdiff_t count(const std::string& text, char c) {
  return std::count(text.begin(), text.end(), c);
}

inline bool holds(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

/// Calls the built program from the source folder; a folder of its own for each test.
class ProgramTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "semirec_test_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  Result call_program(const std::string& arguments) const {
    const std::string out = (folder_ / "stdout").string();
    const std::string error = (folder_ / "stderr").string();
    const std::string command = "cd '" + kSource + "' && '" + std::string(SEMIREC_PROGRAM) + "' " +
                                arguments + " >'" + out + "' 2>'" + error + "'";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text_of(out), text_of(error)};
  }
  std::string results() const { return (folder_ / "results").string(); }

  fs::path folder_;
};

}  // namespace semirec::test
