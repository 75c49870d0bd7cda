#include "topology/ascii.hpp"

#include <cctype>

#include <gtest/gtest.h>

namespace semirec {
namespace {

// expected: <cctype> in the locale "C", in which every program begins
TEST(Ascii, IsWhatTheLocaleCSays) {
  for (int k = 0; k < 256; ++k) {
    const char c = static_cast<char>(k);
    EXPECT_EQ(ascii::is_digit(c), std::isdigit(k) != 0) << k;
    EXPECT_EQ(ascii::is_letter(c), std::isalpha(k) != 0) << k;
    EXPECT_EQ(ascii::is_letter_or_digit(c), std::isalnum(k) != 0) << k;
    EXPECT_EQ(ascii::is_blank(c), std::isspace(k) != 0) << k;
    EXPECT_EQ(ascii::is_control(c), std::iscntrl(k) != 0) << k;
    EXPECT_EQ(ascii::to_upper(c), static_cast<char>(std::toupper(k))) << k;
    EXPECT_EQ(ascii::to_lower(c), static_cast<char>(std::tolower(k))) << k;
  }
}

}  // namespace
}  // namespace semirec
