#include "vehicles/study/journal.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <fcntl.h>
#include <limits>
#include <set>
#include <sys/stat.h>
#include <unistd.h>

#include "topology/hash.hpp"
#include "vehicles/study/design.hpp"

namespace semirec {

namespace {

const std::string kTitle = "semirec study journal 2";

const std::string kBetweenNotes = " | ";

/// Without what would end a cell or a line.
std::string in_a_cell(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  return text;
}

std::string hexadecimal(std::uint64_t value) {
  std::string text(16, '0');
  for (std::size_t k = 16; k-- > 0; value >>= 4U) text[k] = "0123456789abcdef"[value & 15U];
  return text;
}

bool parse_hexadecimal(const std::string& text, std::uint64_t& value) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value, 16);
  return text.size() == 16 && error == std::errc() && stop == end;
}

std::string checksum(const std::string& text) {
  Fnv64 sum;
  sum.put(std::string_view(text));
  return hexadecimal(sum.value());
}

std::string with_checksum(const std::string& text) { return text + '\t' + checksum(text); }

/// The part before a checksum that is right; false without one.
bool take_checksum(const std::string& line, std::string& text) {
  const std::size_t tab = line.rfind('\t');
  if (tab == std::string::npos) return false;
  text = line.substr(0, tab);
  return line.substr(tab + 1) == checksum(text);
}

std::vector<std::string> cells_of(const std::string& text) {
  std::vector<std::string> cells{""};
  for (const char c : text)
    if (c == '\t')
      cells.emplace_back();
    else
      cells.back() += c;
  return cells;
}

bool parse_double(const std::string& text, double& value) {
  if (text == "nan") {
    value = std::numeric_limits<double>::quiet_NaN();
    return true;
  }
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stop == end && std::isfinite(value);
}

}  // namespace

std::string journal_note(std::string note) {
  note = in_a_cell(std::move(note));
  std::replace(note.begin(), note.end(), '|', '/');
  return note;
}

std::string journal_line(const StudyRow& row) {
  std::string text = std::to_string(row.index) + '\t' + in_a_cell(row.status) + '\t';
  for (std::size_t k = 0; k < row.notes.size(); ++k)
    text += (k == 0 ? "" : kBetweenNotes) + journal_note(row.notes[k]);
  for (const double value : row.responses)
    text += '\t' + exact_text(std::isfinite(value) ? value : std::nan(""));
  return with_checksum(text);
}

bool parse_journal_line(const std::string& line, StudyRow& row) {
  std::string text;
  if (!take_checksum(line, text)) return false;
  const std::vector<std::string> cells = cells_of(text);
  if (cells.size() < 3) return false;
  const char* end = cells[0].data() + cells[0].size();
  const auto [stop, error] = std::from_chars(cells[0].data(), end, row.index);
  if (error != std::errc() || stop != end) return false;
  row.status = cells[1];
  row.notes.clear();
  for (std::size_t begin = 0; begin < cells[2].size();) {
    const std::size_t behind = std::min(cells[2].find(kBetweenNotes, begin), cells[2].size());
    row.notes.push_back(cells[2].substr(begin, behind - begin));
    begin = behind + kBetweenNotes.size();
  }
  row.responses.assign(cells.size() - 3, 0.0);
  for (std::size_t k = 3; k < cells.size(); ++k)
    if (!parse_double(cells[k], row.responses[k - 3])) return false;
  return true;
}

std::string journal_head(std::uint64_t fingerprint) {
  return with_checksum(kTitle + '\t' + hexadecimal(fingerprint));
}

JournalText recover_journal(const std::string& text, std::size_t count, std::size_t responses) {
  JournalText journal;
  std::set<std::size_t> seen;
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    const std::string line = text.substr(begin, end - begin);
    if (begin == 0) {
      std::string title;
      journal.head = take_checksum(line, title) && title.rfind(kTitle + '\t', 0) == 0 &&
                     parse_hexadecimal(title.substr(kTitle.size() + 1), journal.fingerprint);
      if (!journal.head) return journal;
    } else {
      StudyRow row;
      if (!parse_journal_line(line, row) || row.index >= count ||
          row.responses.size() != responses || !seen.insert(row.index).second)
        continue;
      journal.rows.push_back(std::move(row));
    }
    journal.kept += line + '\n';
  }
  return journal;
}

Journal::~Journal() {
  if (file_ >= 0) ::close(file_);
}

bool Journal::open(const std::string& path) {
  file_ = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  return file_ >= 0;
}

bool Journal::append(const std::string& line) {
  const std::string text = line + '\n';
  struct stat before {};
  if (fstat(file_, &before) != 0) return false;
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t part = ::write(file_, text.data() + written, text.size() - written);
    if (part > 0) {
      written += static_cast<std::size_t>(part);
      continue;
    }
    if (part < 0 && errno == EINTR) continue;
    // what of the line is there would only have to be dropped later
    if (written > 0) static_cast<void>(ftruncate(file_, before.st_size));
    return false;
  }
  return true;
}

}  // namespace semirec
