// What `semirec --version` says.
#include <regex>
#include <string>

#include <gtest/gtest.h>

#include "tests/regression/program.hpp"

namespace semirec::test {
namespace {

using Version = ProgramTest;

TEST_F(Version, SaysWhatTheProgramIsMadeOf) {
  const Result result = call_program("--version");
  EXPECT_EQ(result.code, 0);
  EXPECT_TRUE(result.out.starts_with("semirec 0.1.0\n")) << result.out;
  for (const char* words : {"\ncommit        ", "\ncompiler      ", "\ninstructions  ",
                            "\nlibraries     Eigen 3.", "\npages         ", "\nFMI           3.0"})
    EXPECT_TRUE(holds(result.out, words)) << words << " in\n" << result.out;
  // twelve digits of a commit, or words that say why there are none
  EXPECT_TRUE(std::regex_search(
      result.out, std::regex("\ncommit        ([0-9a-f]{12}( with changes)?|unknown: .+)\n")))
      << result.out;
}

}  // namespace
}  // namespace semirec::test
