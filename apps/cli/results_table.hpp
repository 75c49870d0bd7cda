#pragma once

#include <string>
#include <vector>

#include "apps/cli/output.hpp"
#include "apps/results/table.hpp"
#include "recursive/forces/force_element.hpp"

namespace semirec::cli {

/// The first two lines of results.csv: names, then units.
std::string header_of(const std::vector<Channel>& channels);

/// A line of results.csv, twelve digits a number.
std::string row_of(const std::vector<double>& values);

/// results.csv as one of the formats of a table.
class CsvTable final : public results::TableFile {
 public:
  /// `file` lives as long as the table.
  CsvTable(OutputFile& file, const results::TableHead& head);

  bool begin() override { return file_.write(header_) && file_.flush(); }
  bool add(const results::TableRow& row) override { return file_.write(row_of(row.values)); }
  bool flush() override { return file_.flush(); }
  bool finish() override { return file_.flush(); }
  const std::string& trouble() const override { return file_.trouble(); }

 private:
  OutputFile& file_;
  std::string header_;
};

}  // namespace semirec::cli
