#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace semirec {

/// Without blanks, tabs and returns at both ends.
std::string_view trimmed(std::string_view text);
/// ASCII letters in lower case.
std::string lower_case(std::string_view text);
/// A word for a message: at most 40 characters, what cannot be printed as '?'.
std::string shown(std::string_view text);

/// A whole decimal number, `+` and Fortran's D as exponent allowed; nothing if it is none or not
/// finite.
std::optional<double> number_of(std::string_view text);

/// Bytes of a file; throws ModelError if it cannot be read or has more than `most` bytes.
std::string read_bytes(const std::string& path, const std::string& element, std::size_t most);

/// Walks a text line by line; ends are \n, \r\n or \r.
class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {}
  /// False at the end.
  bool next(std::string_view& line);
  int number() const { return number_; }                       ///< of the line given last, from 1
  std::string_view rest() const { return text_.substr(at_); }  ///< after it

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  int number_ = 0;
};

}  // namespace semirec
