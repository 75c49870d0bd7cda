#include "apps/results/hdf5.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>

#include "apps/results/bytes.hpp"
#include "apps/results/hdf5_objects.hpp"

namespace semirec::results {

namespace {

/// Chunks of a run that goes as expected: within one node of the trees.
constexpr double kChunks = 32.0;
constexpr double kFewestRows = 64.0, kMostRows = 65536.0;
constexpr std::size_t kWaitingNumbers = 1U << 18U;

/// The name of a link: no slash, and not the one of the group itself.
std::string link_name(const std::string& name) {
  std::string out;
  for (const char c : name) {
    if (c == '/')
      out += "\xe2\x88\x95";
    else
      out += c;
  }
  return out == "." ? "_." : out;
}

std::string date_of(std::int64_t nanoseconds) {
  const std::time_t seconds = nanoseconds / 1000000000;
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

}  // namespace

Hdf5File::Hdf5File(int file, TableHead head)
    : file_(file),
      head_(std::move(head)),
      chunk_rows_(static_cast<std::uint64_t>(
          std::clamp(std::ceil(head_.expected_rows / kChunks), kFewestRows, kMostRows))),
      room_(std::clamp<std::size_t>(kWaitingNumbers / head_.columns.size(), 1, 4096)) {
  waiting_.resize(room_ * head_.columns.size());
}

bool Hdf5File::begin() {
  std::vector<Column> links = head_.columns;
  for (Column& link : links) link.name = link_name(plain_text(link.name));
  links = with_plain_names(std::move(links));
  const std::vector<Column> columns = with_plain_names(std::move(head_.columns));

  // trees, texts, headers, then the group that knows them
  const std::uint64_t count = columns.size();
  const std::uint64_t nodes = kSuperblockBytes;
  std::string bytes;
  for (std::uint64_t k = 0; k < count; ++k) bytes += Hdf5Chunks::empty_node();
  Hdf5Texts texts(nodes + bytes.size());
  std::vector<Hdf5Dataset> datasets;
  for (std::uint64_t k = 0; k < count; ++k) {
    std::vector<Hdf5Attribute> attributes{{"units", texts.add(columns[k].unit)},
                                          {"description", texts.add(columns[k].description)}};
    if (links[k].name != columns[k].name)
      attributes.emplace_back("name", texts.add(columns[k].name));
    datasets.push_back(make_dataset(chunk_rows_, nodes + k * Hdf5Chunks::kNodeBytes, attributes));
  }
  const std::vector<Hdf5Attribute> about{{"title", texts.add(plain_text(head_.title))},
                                         {"program", texts.add(plain_text(head_.program))},
                                         {"started", texts.add(date_of(head_.started))},
                                         {"axis", texts.add(links.front().name)}};
  constexpr unsigned kSymbolTable = 0x11;
  bytes += texts.finish();

  std::vector<std::uint64_t> root_at;
  std::vector<std::pair<std::string, std::uint64_t>> members;
  for (std::uint64_t k = 0; k < count; ++k) {
    const std::uint64_t at = kSuperblockBytes + bytes.size();
    length_at_.push_back(at + datasets[k].length_at);
    root_at.push_back(at + datasets[k].tree_at);
    members.emplace_back(links[k].name, at);
    bytes += datasets[k].bytes;
  }
  std::sort(members.begin(), members.end());
  const Hdf5Group group = make_group(kSuperblockBytes + bytes.size(), members);
  bytes += group.bytes;
  Hdf5ObjectHeader root;
  root.add(kSymbolTable, u64_bytes(group.tree) + u64_bytes(group.heap));
  for (const Hdf5Attribute& attribute : about) root.add(attribute);
  const std::uint64_t root_header = kSuperblockBytes + bytes.size();
  bytes += root.finish();

  chunks_ = std::make_unique<Hdf5Chunks>(file_, chunk_rows_, nodes, std::move(root_at));
  return file_.append(make_superblock(kSuperblockBytes + bytes.size(), count, root_header, group) +
                      bytes);
}

bool Hdf5File::add(const TableRow& row) {
  for (std::size_t c = 0; c < row.values.size(); ++c) waiting_[c * room_ + count_] = row.values[c];
  return ++count_ < room_ || flush();
}

bool Hdf5File::write_columns(std::size_t from, std::size_t count) {
  std::string bytes;
  for (std::size_t c = 0; c < length_at_.size(); ++c) {
    bytes.clear();
    for (std::size_t k = from; k < from + count; ++k) put_double(bytes, waiting_[c * room_ + k]);
    if (!file_.write_at(chunks_->place(c, rows_ + from), bytes)) return false;
  }
  return true;
}

bool Hdf5File::flush() {
  if (!trouble().empty()) return false;
  const std::size_t count = count_;
  count_ = 0;
  std::size_t from = 0;
  while (from < count) {
    if (rows_ + from == chunks_->rows() && !chunks_->grow()) break;
    const std::uint64_t room = chunks_->rows() - rows_ - from;
    const std::size_t part = std::min<std::uint64_t>(room, count - from);
    if (!write_columns(from, part)) break;
    from += part;
  }
  if (from == 0) return count == 0;
  // what had room counts, also where no more had
  rows_ += from;
  for (std::size_t c = length_at_.size(); c-- > 0;)
    if (!file_.write_at(length_at_[c], u64_bytes(rows_))) return false;
  return from == count;
}

}  // namespace semirec::results
