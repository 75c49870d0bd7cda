#pragma once

#include <vector>

#include "apps/results/crc32.hpp"
#include "apps/results/open_file.hpp"
#include "apps/results/table.hpp"
#include "apps/results/topics.hpp"

namespace semirec::results {

/// A table as an MCAP file of messages in JSON, for Foxglove: a topic for each element of the car
/// (make_topics()), `/tf` with the poses of the bodies and `/road` with pieces of the road. Times
/// are those of the rows, from 1970.
///
/// Messages lie in chunks with a CRC, each followed by its message indexes; flush() ends a chunk.
/// Where there is no room for all of one, the rows that have room are a chunk without indexes.
/// finish() adds the summary: copies of schemas and channels, statistics, chunk indexes. Memory
/// grows by one chunk index, some hundred bytes, a chunk.
class McapFile final : public TableFile {
 public:
  McapFile(int file, TableHead head);

  bool wants_poses() const override { return !head_.bodies.empty(); }
  bool begin() override;
  bool add(const TableRow& row) override;
  bool add_road(double time, const Mesh& piece) override;
  bool flush() override;
  bool finish() override;
  const std::string& trouble() const override { return file_.trouble(); }

 private:
  /// Messages of a channel.
  struct Stream {
    std::uint64_t count = 0;
    std::string index;  ///< times and places of those in the open chunk
  };
  void add_channel(std::string topic, const std::string& name, const std::string& schema);
  void begin_message(std::size_t channel, std::uint64_t time);
  void end_message();
  bool append(const std::string& bytes);
  void write_rows_with_room(std::uint64_t room);

  OpenFile file_;
  TableHead head_;
  std::vector<Topic> topics_;
  std::vector<Stream> streams_;  ///< [channel], behind the topics transforms and road
  std::vector<std::string> schemas_, channels_;  ///< their records
  std::string chunk_;                            ///< records of the open chunk
  struct Row {
    std::size_t end;  ///< of its messages in the chunk
    std::uint64_t time;
  };
  std::vector<Row> rows_;               ///< of the open chunk
  std::size_t pieces_ = 0;              ///< of the road
  std::size_t message_at_ = 0;          ///< where the length of the open message stands
  std::uint64_t first_ = 0, last_ = 0;  ///< times of the open chunk, ns
  std::uint64_t begin_ = 0, end_ = 0;   ///< of the file
  std::uint64_t messages_ = 0, chunks_ = 0;
  std::string chunk_indexes_;  ///< their records
  Crc32 data_crc_;
};

}  // namespace semirec::results
