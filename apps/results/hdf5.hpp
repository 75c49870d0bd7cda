#pragma once

#include <memory>

#include "apps/results/hdf5_chunks.hpp"
#include "apps/results/open_file.hpp"
#include "apps/results/table.hpp"

namespace semirec::results {

/// A table as an HDF5 file of the earliest format, which every version of the library reads: in the
/// root group a dataset of 64-bit numbers for each column, in chunks and without a largest length,
/// with the attributes `units`, `description` and `name` (where the dataset's had to be changed: a
/// slash is U+2215 there); `title`, `program`, `started` and `axis`, the dataset of the time, at
/// the root.
///
/// Written without the library (decision 0039): what the file refers to is in it before the
/// reference is, so that it can be opened whenever the writer ended. Lengths grow last, that of the
/// first column after all others: so many rows are in every dataset.
class Hdf5File final : public TableFile {
 public:
  Hdf5File(int file, TableHead head);

  bool begin() override;
  bool add(const TableRow& row) override;
  bool flush() override;
  bool finish() override { return flush(); }
  const std::string& trouble() const override { return file_.trouble(); }

 private:
  bool write_columns(std::size_t from, std::size_t count);

  OpenFile file_;
  TableHead head_;
  std::uint64_t chunk_rows_;
  std::vector<std::uint64_t> length_at_;  ///< [column] where its length stands
  std::unique_ptr<Hdf5Chunks> chunks_;
  std::uint64_t rows_ = 0;       ///< in the file
  std::vector<double> waiting_;  ///< [column][row] those that are not
  std::size_t room_;             ///< rows of a column that may wait
  std::size_t count_ = 0;        ///< that do
};

}  // namespace semirec::results
