#include "apps/results/mcap.hpp"

#include <algorithm>
#include <cmath>

#include "apps/results/bytes.hpp"
#include "apps/results/foxglove.hpp"
#include "topology/tell_apart.hpp"

namespace semirec::results {

namespace {

// types of records, MCAP format specification
constexpr unsigned kHeader = 0x01, kFooter = 0x02, kSchema = 0x03, kChannel = 0x04, kMessage = 0x05,
                   kChunk = 0x06, kMessageIndex = 0x07, kChunkIndex = 0x08, kStatistics = 0x0b,
                   kSummaryOffset = 0x0e, kDataEnd = 0x0f;
const std::string kMagic("\x89MCAP0\r\n", 8);
/// A chunk is ended where it has grown beyond.
constexpr std::size_t kChunkBytes = 1U << 20U;

std::string record(unsigned type, const std::string& content) {
  std::string out;
  put_u8(out, type);
  put_u64(out, content.size());
  return out + content;
}

void put_text(std::string& out, const std::string& text) {
  put_u32(out, text.size());
  out += text;
}

std::string schema_record(std::size_t id, const std::string& name, const std::string& schema) {
  std::string out;
  put_u16(out, id);
  put_text(out, name);
  put_text(out, "jsonschema");
  put_text(out, schema);
  return record(kSchema, out);
}

/// A channel whose schema has the number behind its own.
std::string channel_record(std::size_t id, const std::string& topic) {
  std::string out;
  put_u16(out, id);
  put_u16(out, id + 1);
  put_text(out, topic);
  put_text(out, "json");
  put_u32(out, 0);  // no metadata
  return record(kChannel, out);
}

constexpr std::uint64_t kChunkHead = 49;  // bytes of a chunk before its messages

/// A chunk of messages from the time `first` to `last`, ns.
std::string chunk_record(std::uint64_t first, std::uint64_t last, const std::string& messages) {
  Crc32 crc;
  crc.add(messages);
  std::string content;
  put_u64(content, first);
  put_u64(content, last);
  put_u64(content, messages.size());
  put_u32(content, crc.value());
  put_text(content, "");  // not compressed
  put_u64(content, messages.size());
  return record(kChunk, content + messages);
}

std::uint64_t nanoseconds_of(double time) {
  return static_cast<std::uint64_t>(std::max(0.0, std::round(1e9 * time)));
}

std::string joined(const std::vector<std::string>& parts) {
  std::string out;
  for (const std::string& part : parts) out += part;
  return out;
}

}  // namespace

McapFile::McapFile(int file, TableHead head) : file_(file), head_(std::move(head)) {
  head_.columns = with_plain_names(std::move(head_.columns));
  std::set<std::string> frames{"world"};  // the fixed one, in which the others are posed
  for (std::string& body : head_.bodies) body = tell_apart(plain_text(body), frames);
  topics_ = make_topics(head_.columns);
  for (const Topic& topic : topics_) add_channel(topic.name, "semirec" + topic.name, topic.schema);
  if (wants_poses()) {
    add_channel("/tf", "foxglove.FrameTransforms", kTransformsSchema);
    add_channel("/road", "foxglove.SceneUpdate", kSceneSchema);
  }
  streams_.resize(channels_.size());
}

void McapFile::add_channel(std::string topic, const std::string& name, const std::string& schema) {
  const std::size_t id = channels_.size();
  // an element of the car may bear the name of one of ours
  const auto taken = [&](const Topic& other) { return other.name == topic; };
  while (id >= topics_.size() && std::any_of(topics_.begin(), topics_.end(), taken)) topic += '_';
  channels_.push_back(channel_record(id, topic));
  schemas_.push_back(schema_record(id + 1, name, schema));
}

bool McapFile::append(const std::string& bytes) {
  const std::uint64_t begin = file_.end();
  if (file_.append(bytes)) {
    data_crc_.add(bytes);
    return true;
  }
  // no half of a record
  file_.cut_to(begin);
  return false;
}

bool McapFile::begin() {
  std::string header;
  put_text(header, "");  // of no profile
  put_text(header, head_.program);
  return append(kMagic + record(kHeader, header) + joined(schemas_) + joined(channels_));
}

void McapFile::begin_message(std::size_t channel, std::uint64_t time) {
  if (chunk_.empty()) first_ = last_ = time;
  first_ = std::min(first_, time);
  last_ = std::max(last_, time);
  if (messages_ == 0) begin_ = end_ = time;
  begin_ = std::min(begin_, time);
  end_ = std::max(end_, time);
  ++messages_;
  Stream& stream = streams_[channel];
  put_u64(stream.index, time);
  put_u64(stream.index, chunk_.size());
  put_u8(chunk_, kMessage);
  message_at_ = chunk_.size();
  put_u64(chunk_, 0);
  put_u16(chunk_, channel);
  put_u32(chunk_, stream.count++);
  put_u64(chunk_, time);
  put_u64(chunk_, time);
}

void McapFile::end_message() {
  chunk_.replace(message_at_, 8, u64_bytes(chunk_.size() - message_at_ - 8));
}

bool McapFile::add(const TableRow& row) {
  const std::uint64_t time = nanoseconds_of(row.values.front());
  for (std::size_t k = 0; k < topics_.size(); ++k) {
    begin_message(k, time);
    put_message(chunk_, topics_[k], row.values);
    end_message();
  }
  if (wants_poses()) {
    begin_message(topics_.size(), time);
    put_transforms(chunk_, head_.bodies, row.poses, time);
    end_message();
  }
  rows_.push_back({chunk_.size(), time});
  return chunk_.size() < kChunkBytes || flush();
}

bool McapFile::add_road(double time, const Mesh& piece) {
  if (!wants_poses()) return true;
  begin_message(topics_.size() + 1, nanoseconds_of(time));
  put_road(chunk_, piece, pieces_++, nanoseconds_of(time));
  end_message();
  return chunk_.size() < kChunkBytes || flush();
}

bool McapFile::flush() {
  if (!trouble().empty()) return false;
  if (chunk_.empty()) return true;
  const std::string bytes = chunk_record(first_, last_, chunk_);

  const std::uint64_t chunk_at = file_.end();
  std::string indexes, places;
  for (std::size_t k = 0; k < streams_.size(); ++k) {
    if (streams_[k].index.empty()) continue;
    put_u16(places, k);
    put_u64(places, chunk_at + bytes.size() + indexes.size());
    std::string index;
    put_u16(index, k);
    put_text(index, streams_[k].index);
    streams_[k].index.clear();
    indexes += record(kMessageIndex, index);
  }
  std::string index;
  put_u64(index, first_);
  put_u64(index, last_);
  put_u64(index, chunk_at);
  put_u64(index, bytes.size());
  put_text(index, places);
  put_u64(index, indexes.size());
  put_text(index, "");
  put_u64(index, chunk_.size());
  put_u64(index, chunk_.size());
  const bool all = append(bytes + indexes);
  if (!all) write_rows_with_room(file_.written());
  chunk_.clear();
  rows_.clear();
  if (!all) return false;
  ++chunks_;
  chunk_indexes_ += record(kChunkIndex, index);
  return true;
}

/// A chunk of the first rows of the open one, so many bytes at most.
void McapFile::write_rows_with_room(std::uint64_t room) {
  while (!rows_.empty() && kChunkHead + rows_.back().end > room) rows_.pop_back();
  if (rows_.empty()) return;
  const Row& last = rows_.back();
  append(chunk_record(first_, last.time, chunk_.substr(0, last.end)));
}

bool McapFile::finish() {
  if (!flush()) return false;
  std::string end;
  put_u32(end, data_crc_.value());
  if (!append(record(kDataEnd, end))) return false;

  std::string statistics;
  put_u64(statistics, messages_);
  put_u16(statistics, schemas_.size());
  put_u32(statistics, channels_.size());
  put_u32(statistics, 0);  // attachments
  put_u32(statistics, 0);  // metadata
  put_u32(statistics, chunks_);
  put_u64(statistics, begin_);
  put_u64(statistics, end_);
  std::string counts;
  for (std::size_t k = 0; k < streams_.size(); ++k) {
    put_u16(counts, k);
    put_u64(counts, streams_[k].count);
  }
  put_text(statistics, counts);

  const std::uint64_t summary_at = file_.end();
  std::string summary, offsets;
  const auto add = [&](unsigned type, const std::string& records) {
    if (records.empty()) return;
    std::string offset;
    put_u8(offset, type);
    put_u64(offset, summary_at + summary.size());
    put_u64(offset, records.size());
    offsets += record(kSummaryOffset, offset);
    summary += records;
  };
  add(kSchema, joined(schemas_));
  add(kChannel, joined(channels_));
  add(kStatistics, record(kStatistics, statistics));
  add(kChunkIndex, chunk_indexes_);
  const std::uint64_t offsets_at = summary_at + summary.size();
  summary += offsets;
  constexpr std::uint64_t kFooterBytes = 20;
  put_u8(summary, kFooter);
  put_u64(summary, kFooterBytes);
  put_u64(summary, summary_at);
  put_u64(summary, offsets_at);
  Crc32 crc;
  crc.add(summary);
  put_u32(summary, crc.value());
  return append(summary + kMagic);
}

}  // namespace semirec::results
