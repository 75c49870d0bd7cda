#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace semirec::fmi {

/// The state of an instance as bytes: words of 8 bytes, the least significant first; numbers as
/// IEEE 754 doubles; texts and blocks behind their length, filled up to whole words; at the end
/// FNV-1a of all before.
class ByteWriter {
 public:
  void word(std::uint64_t value);
  void number(double value);
  void text(const std::string& value);
  void bytes(const std::vector<std::byte>& value);
  /// Adds the checksum; the writer is empty afterwards.
  std::vector<std::byte> finish();

 private:
  std::vector<std::byte> out_;
};

/// Reads what ByteWriter has written; whatever the bytes are, no read leaves them.
class ByteReader {
 public:
  explicit ByteReader(const std::vector<std::byte>& bytes);
  /// 0 where there is nothing more.
  std::uint64_t word();
  double number();
  std::string text();
  std::vector<std::byte> bytes();
  /// The checksum fits, and nothing was asked beyond the end.
  bool good() const { return good_; }

 private:
  const std::vector<std::byte>& in_;
  std::size_t at_ = 0, end_ = 0;
  bool good_ = false;
};

}  // namespace semirec::fmi
