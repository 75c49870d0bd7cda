#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace semirec {

/// FNV-1a, 64 bits: a checksum and a fingerprint, no guard against intent. Two inputs of one length
/// that differ in a single byte never agree.
class Fnv64 {
 public:
  void put(std::uint8_t byte) noexcept { value_ = (value_ ^ byte) * 0x100000001b3U; }
  void put(std::uint64_t word) noexcept {
    for (int k = 0; k < 8; ++k) put(static_cast<std::uint8_t>(word >> (8 * k)));
  }
  void put(double number) noexcept { put(std::bit_cast<std::uint64_t>(number)); }
  void put(std::string_view text) noexcept {
    put(static_cast<std::uint64_t>(text.size()));
    for (const char c : text) put(static_cast<std::uint8_t>(c));
  }
  void put(const std::byte* bytes, std::size_t size) noexcept {
    for (std::size_t k = 0; k < size; ++k) put(static_cast<std::uint8_t>(bytes[k]));
  }
  std::uint64_t value() const noexcept { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325U;
};

}  // namespace semirec
