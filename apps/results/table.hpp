#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace semirec::results {

/// A channel of a table.
struct Column {
  std::string name, unit, description;
};

/// This program and its version.
std::string program_name();

/// What is known of a table before its first row.
struct TableHead {
  std::string title;                     ///< car and scenario
  std::string program = program_name();  ///< that writes it
  std::int64_t started = 0;              ///< ns since 1970, UTC
  std::vector<Column> columns;           ///< the first is the time, s
  double expected_rows = 0.0;            ///< what a run without trouble will have
  std::vector<std::string> bodies;       ///< whose poses come with each row
};

/// A row of a table.
struct TableRow {
  const std::vector<double>& values;  ///< [column]
  /// Of the bodies, seven numbers each: x y z of the centre of mass in world axes, m, and the
  /// quaternion x y z w to world axes from those that lie along them in the design position. Empty
  /// where the table wants none.
  const std::vector<double>& poses;
};

/// Triangles to be drawn.
struct Mesh {
  std::vector<double> corners;         ///< x y z of each, world axes, m
  std::vector<std::uint32_t> indices;  ///< three a triangle, counter-clockwise from above
};

/// A table of channels that is written row by row while a run goes on. The file can be opened at
/// any time, also after the writer was killed: it then holds the rows of the last flush() at least.
class TableFile {
 public:
  TableFile() = default;
  TableFile(const TableFile&) = delete;
  TableFile& operator=(const TableFile&) = delete;
  virtual ~TableFile() = default;

  /// Whether rows are to come with poses.
  virtual bool wants_poses() const { return false; }
  /// Writes all that comes before the rows. Like the others false where there is no room: the file
  /// then holds the rows that had room, and takes no more.
  virtual bool begin() = 0;
  virtual bool add(const TableRow& row) = 0;
  /// A further piece of the road, s; formats that draw nothing leave it.
  virtual bool add_road(double /*time*/, const Mesh& /*piece*/) { return true; }
  /// Hands all rows so far to the system.
  virtual bool flush() = 0;
  /// flush(), and what a complete file has at its end.
  virtual bool finish() = 0;
  /// What the system said when there was no room.
  virtual const std::string& trouble() const = 0;
};

/// The same columns with names as any reader takes them: UTF-8 (other bytes as U+FFFD), without
/// control characters, none empty, no two alike (the second becomes `name#2`).
std::vector<Column> with_plain_names(std::vector<Column> columns);

/// One text made plain in the same way.
std::string plain_text(const std::string& text);

}  // namespace semirec::results
