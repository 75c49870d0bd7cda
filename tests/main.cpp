// The main function of every test program: GoogleTest's, and after a failure the line that runs it
// again.
#include <cstdio>
#include <string>
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

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);
  // owned by GoogleTest from here on
  testing::UnitTest::GetInstance()->listeners().Append(new RerunLine(argv[0]));
  return RUN_ALL_TESTS();
}
