#include "apps/results/crc32.hpp"

#include <array>

namespace semirec::results {

namespace {

/// Remainders of a byte that so many bytes follow, by the reflected polynomial.
constexpr std::array<std::array<std::uint32_t, 256>, 4> make_remainders() {
  std::array<std::array<std::uint32_t, 256>, 4> tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t value = byte;
    for (int k = 0; k < 8; ++k) value = (value >> 1U) ^ ((value & 1U) * 0xedb88320U);
    tables[0][byte] = value;
  }
  for (std::size_t k = 1; k < tables.size(); ++k)
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t before = tables[k - 1][byte];
      tables[k][byte] = tables[0][before & 0xffU] ^ (before >> 8U);
    }
  return tables;
}

constexpr auto kRemainders = make_remainders();

}  // namespace

void Crc32::add(std::string_view bytes) {
  const auto byte = [&](std::size_t k) {
    return std::uint32_t{static_cast<std::uint8_t>(bytes[k])};
  };
  // four bytes at a time
  while (bytes.size() >= 4) {
    state_ ^= byte(0) | byte(1) << 8U | byte(2) << 16U | byte(3) << 24U;
    state_ = kRemainders[3][state_ & 0xffU] ^ kRemainders[2][(state_ >> 8U) & 0xffU] ^
             kRemainders[1][(state_ >> 16U) & 0xffU] ^ kRemainders[0][state_ >> 24U];
    bytes.remove_prefix(4);
  }
  for (std::size_t k = 0; k < bytes.size(); ++k)
    state_ = kRemainders[0][(state_ ^ byte(k)) & 0xffU] ^ (state_ >> 8U);
}

}  // namespace semirec::results
