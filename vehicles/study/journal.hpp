#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace semirec {

/// One sample that is done.
struct StudyRow {
  std::size_t index = 0;
  std::string status;                   ///< `ok`, or one line that says what went wrong
  std::vector<double> responses;        ///< NaN where there is none
  std::vector<std::string> notes = {};  ///< that came with the responses, a line each
};

/// How a note begins that is not of a row's own car but of the vehicle without what is varied.
inline constexpr const char* kVehicleAsItIs = "the vehicle as it is: ";

/// A note as a journal keeps it: on one line, without what separates notes there.
std::string journal_note(std::string note);
/// A row as a line without its end: index, status, notes, responses with all digits, separated by
/// tabs, and a checksum of all that. Notes are separated by " | ".
std::string journal_line(const StudyRow& row);
/// False where the line is not one of journal_line() to the letter.
bool parse_journal_line(const std::string& line, StudyRow& row);
/// The first line of a journal: whose it is.
std::string journal_head(std::uint64_t fingerprint);

/// What is left of a journal after a break at any byte.
struct JournalText {
  bool head = false;              ///< there is a whole first line; without it there are no rows
  std::uint64_t fingerprint = 0;  ///< of the study that it belongs to
  std::vector<StudyRow> rows;     ///< the first of each index below `count`, in their order
  std::string kept;  ///< head and rows as text; differs from the text where a part of it
                     ///< was lost
};
/// Lines without an end, with a wrong checksum, of a second row with the same index, or with
/// another number of responses than `responses` are left out.
JournalText recover_journal(const std::string& text, std::size_t count, std::size_t responses);

/// A file to which rows are appended one by one, so that a program that is killed loses no row it
/// had appended.
class Journal {
 public:
  Journal() = default;
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// Opens the file for appending after its present end; false with errno when it cannot be.
  bool open(const std::string& path);
  /// Writes the line with its end at once. False when there is no room: the file is then as before.
  bool append(const std::string& line);

 private:
  int file_ = -1;
};

}  // namespace semirec
