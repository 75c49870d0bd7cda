#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace semirec::test {

/// RFC 4648, section 4, digit by digit.
inline std::vector<unsigned char> bytes_of(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<unsigned char> bytes;
  unsigned buffer = 0;
  int bits = 0;
  for (const char c : text) {
    if (c == '=') break;
    const std::size_t digit = digits.find(c);
    if (digit == std::string::npos) throw std::invalid_argument("no digit of base64");
    buffer = buffer << 6 | static_cast<unsigned>(digit);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push_back(static_cast<unsigned char>(buffer >> bits & 255u));
  }
  return bytes;
}

/// The numbers of a page, as its format says; a matrix row by row.
inline std::vector<double> numbers_of(const nlohmann::ordered_json& packed,
                                      std::size_t columns = 1) {
  std::vector<double> numbers;
  const auto word = [](const std::vector<unsigned char>& bytes, std::size_t at, std::size_t size) {
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < size; ++k)
      bits |= static_cast<std::uint32_t>(bytes[at + k]) << 8 * k;
    return bits;
  };
  if (packed.contains("f32") || packed.contains("u32")) {
    const bool whole = packed.contains("u32");
    const auto bytes = bytes_of(packed[whole ? "u32" : "f32"].get<std::string>());
    for (std::size_t k = 0; k + 3 < bytes.size(); k += 4) {
      const std::uint32_t bits = word(bytes, k, 4);
      float value = 0.0f;
      std::memcpy(&value, &bits, sizeof value);
      numbers.push_back(whole ? static_cast<double>(bits) : static_cast<double>(value));
    }
    return numbers;
  }
  // differences of 16 bits, or in groups of seven bits from the lowest with zigzag signs
  const bool twice = packed.contains("vdd");
  const bool groups = twice || packed.contains("vd");
  const char* name = twice ? "vdd" : groups ? "vd" : "i16d";
  const auto bytes = bytes_of(packed.at(name).get<std::string>());
  std::vector<long long> steps;
  long long word_so_far = 0;
  long long place = 1;
  for (std::size_t k = 0; groups && k < bytes.size(); ++k) {
    word_so_far += place * (bytes[k] % 128);
    place *= 128;
    if (bytes[k] >= 128) continue;
    steps.push_back(word_so_far % 2 == 0 ? word_so_far / 2 : -(word_so_far + 1) / 2);
    word_so_far = 0;
    place = 1;
  }
  for (std::size_t k = 0; !groups && k < bytes.size() / 2; ++k)
    steps.push_back(static_cast<std::int16_t>(static_cast<std::uint16_t>(word(bytes, 2 * k, 2))));
  for (std::size_t k = columns; twice && k < steps.size(); ++k) steps[k] += steps[k - columns];
  std::vector<long long> sums(columns, 0);
  const auto of_column = [&](const char* name, std::size_t c) {
    const auto& value = packed.at(name);
    return value.is_array() ? value.at(c).get<double>() : value.get<double>();
  };
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const std::size_t c = k % columns;
    sums[c] += steps[k];
    numbers.push_back(of_column("offset", c) +
                      of_column("scale", c) * static_cast<double>(sums[c]));
  }
  return numbers;
}

}  // namespace semirec::test
