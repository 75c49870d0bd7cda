#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace semirec::results {

/// Bytes of a file that somebody else has opened for writing and will close: appended, or written
/// over in place. Every call goes to the system at once, so what has returned outlives the process.
class OpenFile {
 public:
  explicit OpenFile(int file) : file_(file) {}

  /// Where append() writes next, bytes from the beginning.
  std::uint64_t end() const { return end_; }
  /// False where not all of it could be written; trouble() then says why.
  bool append(std::string_view bytes);
  /// Bytes of the last append() or write_at() that are in the file.
  std::uint64_t written() const { return written_; }
  bool write_at(std::uint64_t place, std::string_view bytes);
  /// Makes the file so long, with zeros that need no room yet, and appends behind them.
  bool extend_to(std::uint64_t end);
  /// Drops what lies behind.
  void cut_to(std::uint64_t end);

  /// Why a call was the first to return false; empty as long as none was.
  const std::string& trouble() const { return trouble_; }

 private:
  bool fail();

  int file_;
  std::uint64_t end_ = 0, written_ = 0;
  std::string trouble_;
};

}  // namespace semirec::results
