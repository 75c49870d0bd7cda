// What users wrote comes back in messages: on one line, readable anywhere, and never at full length
// when it is long.

#include "topology/message_text.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "topology/mechanism.hpp"

namespace semirec::test {
namespace {

TEST(MessageText, ShowsControlCharactersAndBytesThatAreNoUtf8) {
  EXPECT_EQ(message_text("two\nlines\r\tand \x1b[31m red \x7f"),
            "two\\nlines\\r\\tand \\x1b[31m red \\x7f");
  EXPECT_EQ(message_text("caf\xe9"), "caf\\xe9");
  // the same word in UTF-8, a euro sign and a character beyond the first plane stay
  const std::string good = "caf\xc3\xa9 \xe2\x82\xac \xf0\x9d\x84\x9e";
  EXPECT_EQ(message_text(good), good);
  // overlong slash, half a pair of UTF-16, beyond the last character, cut short
  EXPECT_EQ(message_text("\xc0\xaf"), "\\xc0\\xaf");
  EXPECT_EQ(message_text("\xed\xa0\x80"), "\\xed\\xa0\\x80");
  EXPECT_EQ(message_text("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
  EXPECT_EQ(message_text("\xe2\x82"), "\\xe2\\x82");
}

TEST(MessageText, KeepsBeginningAndEndOfWhatIsTooLong) {
  const ModelError error({"car.xml", 3}, "arm",
                         "is '" + std::string(50'000'000, '1') + "', expected a number");
  const std::string text = error.what();
  EXPECT_EQ(text.rfind("car.xml:3: element 'arm': is '111", 0), 0U);
  EXPECT_EQ(text.substr(text.size() - 21), "1', expected a number");
  EXPECT_NE(text.find(" characters left out) "), std::string::npos);
  EXPECT_LT(text.size(), kLongestMessage + 60);
  // as long as may be: nothing is left out
  const std::string longest(kLongestMessage, 'x');
  EXPECT_EQ(message_text(longest), longest);
  // characters of two bytes are not cut in half
  std::string accents;
  for (int k = 0; k < 3000; ++k) accents += "\xc3\xa9";
  EXPECT_EQ(message_text(accents).find("\\x"), std::string::npos);
}

TEST(MessageText, KeepsMessagesOnOneLineWhateverTheyQuote) {
  for (const ModelError& error : {ModelError({"--set a\nb", 0}, "c\nd", "is\nbad"),
                                  ModelError("file 'a\nb'"), ModelError({}, "\x01", "\xff")}) {
    const std::string text = error.what();
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 0) << text;
  }
}

}  // namespace
}  // namespace semirec::test
