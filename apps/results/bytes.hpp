#pragma once

#include <bit>
#include <cstdint>
#include <string>

namespace semirec::results {

/// Appends a number, its lowest byte first.
template <class Number>
void put(std::string& out, std::uint64_t value) {
  for (std::size_t k = 0; k < sizeof(Number); ++k)
    out += static_cast<char>((value >> (8 * k)) & 0xffU);
}

inline void put_u8(std::string& out, std::uint64_t value) { put<std::uint8_t>(out, value); }
inline void put_u16(std::string& out, std::uint64_t value) { put<std::uint16_t>(out, value); }
inline void put_u32(std::string& out, std::uint64_t value) { put<std::uint32_t>(out, value); }
inline void put_u64(std::string& out, std::uint64_t value) { put<std::uint64_t>(out, value); }
inline void put_double(std::string& out, double value) {
  put_u64(out, std::bit_cast<std::uint64_t>(value));
}

/// The eight bytes of a number.
inline std::string u64_bytes(std::uint64_t value) {
  std::string out;
  put_u64(out, value);
  return out;
}

/// Appends zeros up to a multiple of eight bytes.
inline void pad_to_8(std::string& out) { out.resize((out.size() + 7) / 8 * 8); }

}  // namespace semirec::results
