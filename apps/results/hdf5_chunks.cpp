#include "apps/results/hdf5_chunks.hpp"

#include "apps/results/bytes.hpp"

namespace semirec::results {

namespace {

constexpr std::uint64_t kNodeHead = 24, kKeyAndChild = 32, kUsedAt = 6, kRightAt = 16;
/// Of the key behind the last entry of a node, in chunks: beyond any that will come.
constexpr std::uint64_t kBeyond = std::uint64_t{1} << 40U;

std::string node_head(std::size_t height, std::size_t used, std::uint64_t left) {
  std::string out = "TREE";
  put_u8(out, 1);  // of chunks
  put_u8(out, height);
  put_u16(out, used);
  put_u64(out, left);
  put_u64(out, kHdf5None);
  return out;
}

void put_key(std::string& out, std::uint64_t chunk_rows, std::uint64_t row) {
  put_u32(out, 8 * chunk_rows);  // bytes
  put_u32(out, 0);               // no filter
  put_u64(out, row);
  put_u64(out, 0);
}

}  // namespace

Hdf5Chunks::Hdf5Chunks(OpenFile& file, std::uint64_t chunk_rows, std::uint64_t first_nodes,
                       std::vector<std::uint64_t> root_at)
    : file_(file),
      chunk_rows_(chunk_rows),
      root_at_(std::move(root_at)),
      levels_{{first_nodes, 0}} {}

std::string Hdf5Chunks::empty_node() {
  std::string out = node_head(0, 0, kHdf5None);
  out.resize(kNodeBytes);
  return out;
}

std::string Hdf5Chunks::entry(std::uint64_t first_row, std::uint64_t child) const {
  std::string out;
  put_key(out, chunk_rows_, first_row);
  put_u64(out, child);
  put_key(out, chunk_rows_, kBeyond * chunk_rows_);
  return out;
}

bool Hdf5Chunks::write_end() { return file_.write_at(kHdf5EndAt, u64_bytes(file_.end())); }

std::uint64_t Hdf5Chunks::place(std::size_t dataset, std::uint64_t row) const {
  return last_chunk_ + 8 * (dataset * chunk_rows_ + row - (rows_ - chunk_rows_));
}

bool Hdf5Chunks::grow() {
  const std::uint64_t at = file_.end();
  if (!file_.extend_to(at + count() * chunk_rows_ * 8) || !write_end() ||
      !enter(0, rows_, at, chunk_rows_ * 8))
    return false;
  last_chunk_ = at;
  rows_ += chunk_rows_;
  return true;
}

/// One node a dataset with one entry each.
bool Hdf5Chunks::add_nodes(std::size_t height, std::uint64_t left, std::uint64_t first_row,
                           std::uint64_t child, std::uint64_t distance, std::uint64_t& nodes) {
  nodes = file_.end();
  std::string bytes;
  for (std::uint64_t k = 0; k < count(); ++k) {
    bytes += node_head(height, 1, left == kHdf5None ? kHdf5None : left + k * kNodeBytes) +
             entry(first_row, child + k * distance);
    bytes.resize((k + 1) * kNodeBytes);
  }
  return file_.append(bytes) && write_end();
}

/// Enters, for every dataset, the child at `child` + dataset * `distance` into the rightmost node
/// of a height.
bool Hdf5Chunks::enter(std::size_t height, std::uint64_t first_row, std::uint64_t child,
                       std::uint64_t distance) {
  if (height == levels_.size()) {
    // a root above the one so far, which is its first child
    std::uint64_t root = 0;
    if (!add_nodes(height, kHdf5None, 0, levels_.back().nodes, kNodeBytes, root)) return false;
    for (std::uint64_t k = 0; k < count(); ++k)
      if (!file_.write_at(root_at_[k], u64_bytes(root + k * kNodeBytes))) return false;
    levels_.push_back({root, 1});
  }
  const Level level = levels_[height];
  if (level.used == kEntries) {
    std::uint64_t nodes = 0;
    if (!add_nodes(height, level.nodes, first_row, child, distance, nodes) ||
        !enter(height + 1, first_row, nodes, kNodeBytes))
      return false;
    for (std::uint64_t k = 0; k < count(); ++k)
      if (!file_.write_at(level.nodes + k * kNodeBytes + kRightAt,
                          u64_bytes(nodes + k * kNodeBytes)))
        return false;
    levels_[height] = {nodes, 1};
    return true;
  }
  std::string used;
  put_u16(used, level.used + 1);
  for (std::uint64_t k = 0; k < count(); ++k) {
    const std::uint64_t node = level.nodes + k * kNodeBytes;
    if (!file_.write_at(node + kNodeHead + level.used * kKeyAndChild,
                        entry(first_row, child + k * distance)) ||
        !file_.write_at(node + kUsedAt, used))
      return false;
  }
  ++levels_[height].used;
  return true;
}

}  // namespace semirec::results
