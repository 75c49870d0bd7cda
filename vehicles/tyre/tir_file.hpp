#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "topology/mechanism.hpp"

namespace semirec {

/// One `KEY = value` of a tyre property file.
struct TirKey {
  std::string section;  ///< upper case, without brackets
  std::string name;     ///< upper case
  std::string text;     ///< as written, without quotes and comment; empty if the key has no value
  double value = 0.0;   ///< SI, if is_number
  bool is_number = false;  ///< finite and nothing behind it
  int line = 0;
};

/// A line of a table in braces, as written.
struct TirRow {
  std::string text;
  int line = 0;
};

struct TirTable {
  std::string section;
  std::string columns;  ///< what stands in the braces
  std::vector<TirRow> rows;
  int line = 0;
};

/// Factors from the units of the file to SI.
struct TirUnits {
  double length = 1.0, force = 1.0, angle = 1.0, mass = 1.0, time = 1.0, pressure = 1.0;
};

/// A tyre property file in TeimOrbit form.
struct TirFile {
  std::string file;
  std::vector<TirKey> keys;  ///< in the order of the file; of a repeated key the last one counts
  std::vector<TirTable> tables;
  TirUnits units;
  std::vector<std::string> notes;            ///< what was repeated or odd, a line each
  std::map<std::string, std::size_t> index;  ///< name to place in keys

  /// nullptr if the key is missing or has no value. Of keys of one name in several sections, the
  /// last one in a section that belongs to the format.
  const TirKey* find(const std::string& name) const;
  /// The last table in a section; nullptr without one.
  const TirTable* find_table(const std::string& section) const;
};

/// Reads the text of a .tir file. Lines end with CR, LF or both; `$` and `!` begin comments outside
/// of quotes. Numbers of known keys (radii, loads, stiffnesses, speeds, pressures, ranges) come in
/// SI whatever [UNITS] says; coefficients have no unit and stay.
///
/// Throws ModelError with `file:line: element 'KEY': ...`.
TirFile parse_tir(const std::string& text, const std::string& file);

/// The text of a file of at most 4 MB; throws ModelError.
std::string read_tir_text(const std::string& path);

/// The numbers of a row; throws ModelError unless there are `count` of them, finite.
std::vector<double> numbers_of(const TirFile& tir, const TirRow& row, std::size_t count);

/// Reads a decimal number that fills the text: exponents with e or d, a leading plus. False for
/// anything else, NaN and infinity included.
bool parse_tir_number(const std::string& text, double& value);

/// For messages: printable, at most 40 characters.
std::string shown(const std::string& text);

}  // namespace semirec
