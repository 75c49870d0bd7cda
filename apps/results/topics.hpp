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

}  // namespace semirec::results
