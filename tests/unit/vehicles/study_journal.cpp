// What is left of a journal after a break at any byte.
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <sys/resource.h>
#include <vector>

#include <gtest/gtest.h>

#include "vehicles/study/journal.hpp"

namespace semirec {
namespace {

const double kNan = std::numeric_limits<double>::quiet_NaN();

std::string journal_of(const std::vector<StudyRow>& rows) {
  std::string text = journal_head(0x0123456789abcdefU) + '\n';
  for (const StudyRow& row : rows) text += journal_line(row) + '\n';
  return text;
}

const std::vector<StudyRow> kRows{
    {4, "ok", {1.0 / 3.0, -1e-300}, {"does not run straight on", "3 steps ended so"}},
    {0, "no equilibrium, off by 3 N", {kNan, kNan}, {}},
    {2, "ok", {0.1, 5e200}, {"one"}}};

void expect_same(const StudyRow& a, const StudyRow& b) {
  EXPECT_EQ(a.index, b.index);
  EXPECT_EQ(a.status, b.status);
  EXPECT_EQ(a.notes, b.notes);
  ASSERT_EQ(a.responses.size(), b.responses.size());
  for (std::size_t k = 0; k < a.responses.size(); ++k)
    EXPECT_TRUE(a.responses[k] == b.responses[k] ||
                (std::isnan(a.responses[k]) && std::isnan(b.responses[k])));
}

TEST(StudyJournal, BringsRowsBackToTheBit) {
  const JournalText journal = recover_journal(journal_of(kRows), 5, 2);
  EXPECT_TRUE(journal.head);
  EXPECT_EQ(journal.fingerprint, 0x0123456789abcdefU);
  EXPECT_EQ(journal.kept, journal_of(kRows));
  ASSERT_EQ(journal.rows.size(), 3U);
  for (std::size_t k = 0; k < 3; ++k) expect_same(journal.rows[k], kRows[k]);
}

TEST(StudyJournal, ABreakAtAnyByteOfTheLastLineLosesThatRowOnly) {
  const std::string whole = journal_of(kRows);
  const std::string before = journal_of({kRows[0], kRows[1]});
  for (std::size_t size = before.size(); size < whole.size(); ++size) {
    const JournalText journal = recover_journal(whole.substr(0, size), 5, 2);
    ASSERT_TRUE(journal.head) << size;
    ASSERT_EQ(journal.rows.size(), 2U) << size;
    expect_same(journal.rows[1], kRows[1]);
    EXPECT_EQ(journal.kept, before) << size;
  }
}

TEST(StudyJournal, ABreakWithinTheHeadLeavesNothing) {
  const std::string head = journal_head(7) + '\n';
  for (std::size_t size = 0; size < head.size(); ++size) {
    const JournalText journal = recover_journal(head.substr(0, size), 5, 2);
    EXPECT_FALSE(journal.head) << size;
    EXPECT_TRUE(journal.kept.empty());
  }
}

TEST(StudyJournal, AChangeOfAnyByteIsSeen) {
  const std::string head = journal_head(7) + '\n';
  const std::string line = journal_line(kRows[0]);
  for (std::size_t k = 0; k < line.size(); ++k)
    for (const char c : {'0', '1', 'x', '\t', '\n'}) {
      std::string broken = line;
      if (broken[k] == c) continue;
      broken[k] = c;
      const JournalText journal = recover_journal(head + broken + '\n', 5, 2);
      EXPECT_TRUE(journal.rows.empty()) << broken;
    }
  std::string broken_head = head;
  broken_head[3] = 'X';
  EXPECT_FALSE(recover_journal(broken_head, 5, 2).head);
}

TEST(StudyJournal, RowsOfAnotherShapeAndSecondRowsAreLeftOut) {
  std::vector<StudyRow> rows = kRows;
  rows.push_back({4, "ok", {9.0, 9.0}, {}});  // a second time
  rows.push_back({5, "ok", {1.0, 1.0}, {}});  // beyond the samples
  rows.push_back({3, "ok", {1.0}, {}});       // a response less
  rows.push_back({1, "ok", {1.0, 2.0}, {}});
  const JournalText journal = recover_journal(journal_of(rows), 5, 2);
  ASSERT_EQ(journal.rows.size(), 4U);
  expect_same(journal.rows[0], kRows[0]);
  EXPECT_EQ(journal.rows[3].index, 1U);
}

TEST(StudyJournal, ALineEndInAStatusStaysOnTheLine) {
  const std::string line = journal_line({1, "first\nsecond\tthird", {1.0}, {"a\tb | c"}});
  EXPECT_EQ(line.find('\n'), std::string::npos);
  StudyRow row;
  ASSERT_TRUE(parse_journal_line(line, row));
  EXPECT_EQ(row.status, "first second third");
  EXPECT_EQ(row.notes, std::vector<std::string>{"a b / c"});
}

TEST(StudyJournal, WithoutRoomTheFileIsAsBefore) {
  const std::string path = testing::TempDir() + "/semirec_journal_full.txt";
  std::filesystem::remove(path);
  {
    Journal journal;
    ASSERT_TRUE(journal.open(path));
    ASSERT_TRUE(journal.append("first line"));
    // the disk takes 15 bytes and no more: SIGXFSZ ignored, write() is cut short, then fails
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit old {};
    getrlimit(RLIMIT_FSIZE, &old);
    struct rlimit tight = old;
    tight.rlim_cur = 15;
    setrlimit(RLIMIT_FSIZE, &tight);
    const bool appended = journal.append("second line");
    setrlimit(RLIMIT_FSIZE, &old);
    EXPECT_FALSE(appended);
    EXPECT_TRUE(journal.append("third"));
  }
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_EQ(text.str(), "first line\nthird\n");
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace semirec
