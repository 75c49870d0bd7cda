#pragma once

#include <cstdint>
#include <string_view>

namespace semirec::results {

/// CRC-32 of ISO 3309, as zip files and PNG have it, of bytes that may come in parts.
class Crc32 {
 public:
  void add(std::string_view bytes);
  std::uint32_t value() const { return ~state_; }

 private:
  std::uint32_t state_ = 0xffffffffU;
};

}  // namespace semirec::results
