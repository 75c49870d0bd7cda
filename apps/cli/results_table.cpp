#include "apps/cli/results_table.hpp"

#include <fmt/format.h>

#include "vehicles/files/csv.hpp"

namespace semirec::cli {

std::string header_of(const std::vector<Channel>& channels) {
  std::string names;
  std::string units;
  for (const Channel& channel : channels) {
    names += (names.empty() ? "" : ",") + csv_cell(channel.name);
    units += (units.empty() ? "" : ",") + csv_cell(channel.unit);
  }
  return names + '\n' + units + '\n';
}

std::string row_of(const std::vector<double>& values) {
  fmt::memory_buffer line;
  for (std::size_t k = 0; k < values.size(); ++k)
    fmt::format_to(std::back_inserter(line), "{}{:.12g}", k == 0 ? "" : ",", values[k]);
  line.push_back('\n');
  return fmt::to_string(line);
}

CsvTable::CsvTable(OutputFile& file, const results::TableHead& head) : file_(file) {
  std::vector<Channel> channels;
  for (const results::Column& column : head.columns) channels.push_back({column.name, column.unit});
  header_ = header_of(channels);
}

}  // namespace semirec::cli
