#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace semirec::results {

// What an HDF5 file of the earliest format consists of beside its chunks, as bytes.

/// Name of an attribute, and its text as Hdf5Texts::add() gives it.
using Hdf5Attribute = std::pair<std::string, std::string>;

/// Texts of attributes, in collections of the global heap that lie one behind the other.
class Hdf5Texts {
 public:
  /// `begin`: where the first collection will lie in the file.
  explicit Hdf5Texts(std::uint64_t begin) : begin_(begin) {}
  /// Adds a text. What an attribute that has it stores: length, collection and index.
  std::string add(const std::string& text);
  /// The bytes of all collections.
  std::string finish();

 private:
  void close_collection();

  std::uint64_t begin_;
  std::string done_, open_;  ///< collections; the objects of the one that still takes some
  std::size_t objects_ = 0;
};

/// An object header: messages that describe a group or a dataset.
class Hdf5ObjectHeader {
 public:
  void add(unsigned type, std::string body);
  void add(const Hdf5Attribute& attribute);
  /// Where the body of the last message begins, bytes from the beginning of the header.
  std::uint64_t last_body() const { return last_body_; }
  std::string finish() const;

 private:
  std::string messages_;
  std::size_t count_ = 0;
  std::uint64_t last_body_ = 0;
};

/// The header of a dataset of 64-bit numbers in one dimension that has no rows yet.
struct Hdf5Dataset {
  std::string bytes;
  std::uint64_t length_at = 0, tree_at = 0;  ///< in the header: number of rows; address of its tree
};
Hdf5Dataset make_dataset(std::uint64_t chunk_rows, std::uint64_t tree,
                         const std::vector<Hdf5Attribute>& attributes);

/// A group's members: local heap with their names, symbol table in one node, its B-tree.
struct Hdf5Group {
  std::string bytes;
  std::uint64_t tree = 0, heap = 0;  ///< addresses
};
/// `at`: where the bytes will lie. `members`: names and addresses of object headers, sorted by
/// name.
Hdf5Group make_group(std::uint64_t at,
                     const std::vector<std::pair<std::string, std::uint64_t>>& members);

/// The first bytes of the file, kSuperblockBytes of them.
inline constexpr std::uint64_t kSuperblockBytes = 96;
std::string make_superblock(std::uint64_t end, std::size_t members, std::uint64_t root_header,
                            const Hdf5Group& root);

}  // namespace semirec::results
