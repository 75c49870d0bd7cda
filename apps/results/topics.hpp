#pragma once

#include <string>
#include <vector>

#include "apps/results/table.hpp"

namespace semirec::results {

/// The columns of one owner (`chassis` of `chassis.x`, `chassis.y`) as messages in JSON.
struct Topic {
  std::string name;    ///< `/chassis`
  std::string schema;  ///< JSON Schema of a message
  /// A message is before[0], the number of columns[0], before[1], ..., `after`.
  std::vector<std::string> before;
  std::vector<std::size_t> columns;
  std::string after;
};

/// Topics in the order of their first columns. `pin.z[0]`, `pin.z[1]` are entries of one array, so
/// that a path in a message bears the name of the column.
std::vector<Topic> make_topics(const std::vector<Column>& columns);

/// Appends the message of a row.
void put_message(std::string& out, const Topic& topic, const std::vector<double>& values);

/// Appends the poses of bodies (TableRow::poses) as a message of Foxglove's schema FrameTransforms,
/// in the frame `world`. `nanoseconds`: of the row.
void put_transforms(std::string& out, const std::vector<std::string>& bodies,
                    const std::vector<double>& poses, std::uint64_t nanoseconds);
/// JSON Schema of these.
extern const char* const kTransformsSchema;

}  // namespace semirec::results
