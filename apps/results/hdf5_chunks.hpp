#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "apps/results/open_file.hpp"

namespace semirec::results {

/// Where the chunks of all datasets of an HDF5 file lie: for each dataset a B-tree (version 1) that
/// grows at its right end. All datasets have the same length, so their trees are alike, and nodes
/// that correspond lie side by side in the file.
class Hdf5Chunks {
 public:
  /// Entries of a node, as a file of the earliest format has them.
  static constexpr std::size_t kEntries = 64;
  /// head, and keys of 24 bytes around addresses of 8
  static constexpr std::uint64_t kNodeBytes = 24 + kEntries * 32 + 24;

  /// `first_nodes`: empty_node() of every dataset, side by side; `root_at`: [dataset] where the
  /// address of its tree stands.
  Hdf5Chunks(OpenFile& file, std::uint64_t chunk_rows, std::uint64_t first_nodes,
             std::vector<std::uint64_t> root_at);

  static std::string empty_node();
  /// Makes room for the next chunk of every dataset and enters it. False where there is no room.
  bool grow();
  /// Place of a row of a dataset in the last chunk, bytes from the beginning of the file.
  std::uint64_t place(std::size_t dataset, std::uint64_t row) const;
  /// Rows that have room.
  std::uint64_t rows() const { return rows_; }

 private:
  /// Nodes of all datasets at one height of the trees.
  struct Level {
    std::uint64_t nodes;
    std::size_t used;
  };
  std::uint64_t count() const { return root_at_.size(); }
  bool enter(std::size_t height, std::uint64_t first_row, std::uint64_t child,
             std::uint64_t distance);
  bool add_nodes(std::size_t height, std::uint64_t left, std::uint64_t first_row,
                 std::uint64_t child, std::uint64_t distance, std::uint64_t& nodes);
  std::string entry(std::uint64_t first_row, std::uint64_t child) const;
  bool write_end();

  OpenFile& file_;
  std::uint64_t chunk_rows_;
  std::vector<std::uint64_t> root_at_;
  std::vector<Level> levels_;  ///< the rightmost nodes, leaves first
  std::uint64_t last_chunk_ = 0, rows_ = 0;
};

/// An address or a largest length that is none.
inline constexpr std::uint64_t kHdf5None = ~std::uint64_t{0};
/// Where an HDF5 file of the earliest format says how long it is.
inline constexpr std::uint64_t kHdf5EndAt = 40;

}  // namespace semirec::results
