#pragma once

#include "apps/results/open_file.hpp"
#include "apps/results/table.hpp"

namespace semirec::results {

/// A table as a measurement file of ASAM MDF 4.10: one data group with one channel group (sorted),
/// the first column as its time master, every channel a number of 64 bits, all rows in one DT
/// block at the end.
///
/// While rows come the file is marked as not finalised (cycle count and length of the last DT
/// block are to be updated), and both are up to date after each flush; finish() takes the mark
/// away.
class Mf4File final : public TableFile {
 public:
  Mf4File(int file, TableHead head);

  bool begin() override;
  bool add(const TableRow& row) override;
  bool flush() override;
  bool finish() override;
  const std::string& trouble() const override { return file_.trouble(); }

 private:
  bool write_counts();

  OpenFile file_;
  TableHead head_;
  std::uint64_t cycles_at_ = 0;  ///< where the channel group counts its records
  std::uint64_t data_at_ = 0;    ///< DT block
  std::uint64_t rows_ = 0;       ///< in the file
  std::string waiting_;          ///< rows that are not
};

}  // namespace semirec::results
