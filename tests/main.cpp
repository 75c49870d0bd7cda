// The main function of every test program: GoogleTest's, in a folder for temporary files that is
// this process's own, and after a failure the line that runs it again.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <unistd.h>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

class RerunLine : public testing::EmptyTestEventListener {
 public:
  explicit RerunLine(std::string program) : program_(std::move(program)) {}

 private:
  void OnTestEnd(const testing::TestInfo& test) override {
    if (!test.result()->Failed()) return;
    if (!failed_.empty()) failed_ += ':';
    failed_ += std::string(test.test_suite_name()) + '.' + test.name();
  }
  void OnTestProgramEnd(const testing::UnitTest&) override {
    if (!failed_.empty())
      std::printf("run again: %s --gtest_filter='%s'\n", program_.c_str(), failed_.c_str());
  }

  std::string program_, failed_;
};

/// Suites run side by side, each in a process: files of the same name must not meet. Whoever forks
/// leaves the folder alone.
class OwnTemporaryFolder {
 public:
  OwnTemporaryFolder()
      : path_((std::filesystem::temp_directory_path() / "semirec_tests_XXXXXX").string()),
        process_(getpid()) {
    if (mkdtemp(path_.data()) == nullptr) {
      std::perror(path_.c_str());
      std::exit(EXIT_FAILURE);
    }
    for (const char* name : {"TEST_TMPDIR", "TMPDIR"}) setenv(name, path_.c_str(), 1);
  }
  OwnTemporaryFolder(const OwnTemporaryFolder&) = delete;
  OwnTemporaryFolder(OwnTemporaryFolder&&) = delete;
  OwnTemporaryFolder& operator=(const OwnTemporaryFolder&) = delete;
  OwnTemporaryFolder& operator=(OwnTemporaryFolder&&) = delete;
  ~OwnTemporaryFolder() {
    std::error_code ignored;
    if (getpid() == process_) std::filesystem::remove_all(path_, ignored);
  }

 private:
  std::string path_;
  pid_t process_;
};

}  // namespace

int main(int argc, char** argv) {
  const OwnTemporaryFolder folder;
  // libraries that choose between instruction sets are held against programs that do not, to the
  // bit
  setenv("SEMIREC_INSTRUCTIONS", SEMIREC_OWN_SET, 1);
  testing::InitGoogleMock(&argc, argv);
  // owned by GoogleTest from here on
  testing::UnitTest::GetInstance()->listeners().Append(new RerunLine(argv[0]));
  return RUN_ALL_TESTS();
}
