#include "apps/results/mf4.hpp"

#include <map>

#include "apps/results/bytes.hpp"

namespace semirec::results {

namespace {

// lengths and places after the tables of ASAM MDF 4.1, bytes
constexpr std::size_t kIdentification = 64, kBlockHead = 24, kHeaderBytes = 104;
constexpr std::size_t kUnfinalisedFlags = 60;
constexpr std::uint64_t kCountToUpdate = 0x1, kLengthToUpdate = 0x4;
constexpr std::size_t kMostWaitingBytes = 1U << 18U;

/// Head of a block: identification, length, links.
std::string block(const char* id, const std::vector<std::uint64_t>& links,
                  const std::string& data) {
  std::string out = id;
  put_u32(out, 0);
  put_u64(out, kBlockHead + 8 * links.size() + data.size());
  put_u64(out, links.size());
  for (const std::uint64_t link : links) put_u64(out, link);
  return out + data;
}

std::string identification(bool finalised) {
  std::string out = finalised ? "MDF     " : "UnFinMF ";
  out += "4.10    semirec ";
  put_u32(out, 0);
  put_u16(out, 410);
  out.resize(kUnfinalisedFlags);
  put_u16(out, finalised ? 0 : kCountToUpdate | kLengthToUpdate);
  put_u16(out, 0);
  return out;
}

/// A time of the world: ns since 1970, and that it is UTC.
void put_time(std::string& out, std::int64_t nanoseconds) {
  constexpr std::uint64_t kOffsetsValid = 2;
  put_u64(out, static_cast<std::uint64_t>(nanoseconds));
  put_u16(out, 0);  // of the time zone, min
  put_u16(out, 0);  // of summer, min
  put_u8(out, kOffsetsValid);
}

std::string escape_xml(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else
      out += c;
  }
  return out;
}

/// Blocks in the order in which they are added; each lies at a multiple of eight bytes.
class Blocks {
 public:
  explicit Blocks(std::size_t begin) : begin_(begin) {}
  std::uint64_t add(const std::string& bytes) {
    const std::uint64_t at = begin_ + bytes_.size();
    bytes_ += bytes;
    pad_to_8(bytes_);
    return at;
  }
  /// A text; the same one is written once, an empty one is no block.
  std::uint64_t add_text(const std::string& text, const char* id = "##TX") {
    if (text.empty()) return 0;
    const auto [place, fresh] = texts_.try_emplace(text, 0);
    if (fresh) {
      std::string data = text;
      data += '\0';
      pad_to_8(data);
      place->second = add(block(id, {}, data));
    }
    return place->second;
  }
  std::uint64_t end() const { return begin_ + bytes_.size(); }
  const std::string& bytes() const { return bytes_; }

 private:
  std::size_t begin_;
  std::string bytes_;
  std::map<std::string, std::uint64_t> texts_;
};

std::string channel_data(bool master, std::size_t index) {
  constexpr std::uint64_t kMaster = 2, kOfTime = 1, kRealLowestByteFirst = 4;
  std::string data;
  put_u8(data, master ? kMaster : 0);
  put_u8(data, master ? kOfTime : 0);
  put_u8(data, kRealLowestByteFirst);
  put_u8(data, 0);  // bit in the byte
  put_u32(data, 8 * index);
  put_u32(data, 64);  // bits
  put_u32(data, 0);   // flags: none of the ranges below is given
  put_u32(data, 0);
  put_u8(data, 0);
  put_u8(data, 0);
  put_u16(data, 0);  // attachments
  for (int k = 0; k < 6; ++k) put_double(data, 0.0);
  return data;
}

}  // namespace

Mf4File::Mf4File(int file, TableHead head) : file_(file), head_(std::move(head)) {
  head_.columns = with_plain_names(std::move(head_.columns));
}

bool Mf4File::begin() {
  Blocks blocks(kIdentification + kHeaderBytes);
  // from the last channel to the first, which each leads to the next
  std::uint64_t channel = 0;
  for (std::size_t k = head_.columns.size(); k-- > 0;) {
    const Column& column = head_.columns[k];
    const std::uint64_t name = blocks.add_text(column.name);
    const std::uint64_t unit = blocks.add_text(column.unit);
    const std::uint64_t comment = blocks.add_text(column.description);
    channel = blocks.add(
        block("##CN", {channel, 0, name, 0, 0, 0, unit, comment}, channel_data(k == 0, k)));
  }
  std::string group;
  put_u64(group, 0);  // record id: records bear none
  put_u64(group, 0);  // records
  put_u64(group, 0);  // flags, path separator, reserved
  put_u32(group, 8 * head_.columns.size());
  put_u32(group, 0);  // invalidation bytes
  const std::uint64_t channel_group = blocks.add(block("##CG", {0, channel, 0, 0, 0, 0}, group));
  cycles_at_ = channel_group + kBlockHead + 6 * 8 + 8;

  std::string history;
  put_time(history, head_.started);
  history.resize(16);
  const std::string tool = "<FHcomment><TX>" + escape_xml(plain_text(head_.title)) +
                           "</TX><tool_id>semirec</tool_id><tool_vendor>semirec</tool_vendor>"
                           "<tool_version>" +
                           escape_xml(plain_text(head_.program)) + "</tool_version></FHcomment>";
  const std::uint64_t file_history =
      blocks.add(block("##FH", {0, blocks.add_text(tool, "##MD")}, history));
  const std::uint64_t title = blocks.add_text(plain_text(head_.title));

  constexpr std::size_t kDataGroup = 64;
  data_at_ = blocks.end() + kDataGroup;
  const std::uint64_t data_group =
      blocks.add(block("##DG", {0, channel_group, data_at_, 0}, std::string(8, '\0')));

  std::string header;
  put_time(header, head_.started);
  header.resize(32);  // no start angle, no start distance
  return file_.append(identification(false) +
                      block("##HD", {data_group, file_history, 0, 0, 0, title}, header) +
                      blocks.bytes() + block("##DT", {}, ""));
}

bool Mf4File::add(const TableRow& row) {
  for (const double value : row.values) put_double(waiting_, value);
  return waiting_.size() < kMostWaitingBytes || flush();
}

bool Mf4File::write_counts() {
  const std::uint64_t bytes = 8 * rows_ * head_.columns.size();
  return file_.write_at(data_at_ + 8, u64_bytes(kBlockHead + bytes)) &&
         file_.write_at(cycles_at_, u64_bytes(rows_));
}

bool Mf4File::flush() {
  if (!trouble().empty()) return false;
  const std::uint64_t row = 8 * head_.columns.size();
  const std::uint64_t begin = file_.end();
  const std::uint64_t rows = waiting_.size() / row;
  if (file_.append(waiting_)) {
    waiting_.clear();
    rows_ += rows;
    return write_counts();
  }
  // rows that had no room, and a file that is complete without them
  const std::uint64_t whole = file_.written() / row;
  waiting_.clear();
  file_.cut_to(begin + whole * row);
  rows_ += whole;
  write_counts();
  file_.write_at(0, identification(true));
  return false;
}

bool Mf4File::finish() { return flush() && file_.write_at(0, identification(true)); }

}  // namespace semirec::results
