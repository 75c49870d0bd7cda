#include "apps/report/numbers.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include <nlohmann/json.hpp>

namespace semirec::report {

namespace {

using Json = nlohmann::ordered_json;

/// Largest difference of rows in scales; rounding of two rows adds one.
constexpr double kMostSteps = 32766.0;

template <typename Bits>
void put_little_endian(std::string& bytes, Bits bits) {
  for (std::size_t k = 0; k < sizeof(Bits); ++k)
    bytes += static_cast<char>(static_cast<unsigned char>(bits >> (8 * k)));
}

/// Small numbers in fewer bytes: doubled, a negative one as -2 d - 1, in groups of seven bits from
/// the lowest, the top bit of a byte set where another one follows.
void put_groups(std::string& bytes, int number) {
  auto rest = static_cast<unsigned>(number < 0 ? -2 * number - 1 : 2 * number);
  for (; rest >= 128u; rest >>= 7) bytes += static_cast<char>((rest & 127u) | 128u);
  bytes += static_cast<char>(rest);
}

/// Differences down the columns in the shortest of three forms: of 16 bits, in groups, and the
/// differences between them in groups.
Json differences_of(const std::vector<int>& differences, std::size_t columns) {
  std::string whole;
  std::string first;
  std::string second;
  for (std::size_t k = 0; k < differences.size(); ++k) {
    const int difference = differences[k];
    put_little_endian(whole, static_cast<std::uint16_t>(static_cast<std::int16_t>(difference)));
    put_groups(first, difference);
    put_groups(second, difference - (k < columns ? 0 : differences[k - columns]));
  }
  if (whole.size() <= std::min(first.size(), second.size())) return {{"i16d", base64(whole)}};
  if (first.size() <= second.size()) return {{"vd", base64(first)}};
  return {{"vdd", base64(second)}};
}

}  // namespace

std::string base64(std::string_view bytes) {
  static constexpr char kDigits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    std::uint32_t three = 0;
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - k);
    for (std::size_t i = 0; i < 3; ++i)
      three = three << 8 | (i < count ? static_cast<unsigned char>(bytes[k + i]) : 0u);
    for (std::size_t i = 0; i < 4; ++i)
      text += i <= count ? kDigits[three >> (18 - 6 * i) & 63u] : '=';
  }
  return text;
}

std::string float_bytes(const std::vector<double>& values) {
  std::string bytes;
  bytes.reserve(4 * values.size());
  for (const double value : values)
    put_little_endian(bytes, std::bit_cast<std::uint32_t>(static_cast<float>(value)));
  return bytes;
}

Json pack(const std::vector<double>& values, std::size_t columns) {
  const std::size_t rows = values.size() / columns;
  std::vector<double> scales(columns, 0.0);
  std::vector<double> offsets(columns, 0.0);
  bool fits = true;
  for (std::size_t c = 0; c < columns && rows > 0; ++c) {
    offsets[c] = values[c];
    double most = 0.0;
    double largest = std::isfinite(values[c]) ? 0.0 : values[c];
    for (std::size_t r = 1; r < rows; ++r) {
      const double value = values[r * columns + c];
      // not by std::max: what is no number must be seen
      if (!std::isfinite(value)) largest = value;
      most = std::max(most, std::abs(value - values[(r - 1) * columns + c]));
      largest = std::max(largest, std::abs(value - offsets[c]));
      if (!std::isfinite(largest)) break;
    }
    scales[c] = most / kMostSteps;
    // whole numbers up to 2^53 are exact in the sum
    fits = fits && std::isfinite(largest) && std::isfinite(most) &&
           (most == 0.0 || (std::isnormal(scales[c]) && largest / scales[c] < 0x1p52));
  }
  if (!fits) return {{"f32", base64(float_bytes(values))}};
  std::vector<int> differences;
  differences.reserve(values.size());
  std::vector<long long> before(columns, 0);
  for (std::size_t k = 0; k < values.size(); ++k) {
    const std::size_t c = k % columns;
    const long long step = scales[c] > 0.0 ? std::llround((values[k] - offsets[c]) / scales[c]) : 0;
    differences.push_back(static_cast<int>(step - before[c]));
    before[c] = step;
  }
  Json packed = differences_of(differences, columns);
  packed["scale"] = columns == 1 ? Json(scales[0]) : Json(scales);
  packed["offset"] = columns == 1 ? Json(offsets[0]) : Json(offsets);
  return packed;
}

Json pack_indices(const std::vector<std::uint32_t>& values) {
  std::vector<int> differences;
  std::string whole;
  bool small = true;
  std::uint32_t before = 0;
  for (const std::uint32_t value : values) {
    const auto difference = static_cast<std::int64_t>(value) - static_cast<std::int64_t>(before);
    small = small && std::abs(difference) < 32768;
    differences.push_back(small ? static_cast<int>(difference) : 0);
    put_little_endian(whole, value);
    before = value;
  }
  if (!small) return {{"u32", base64(whole)}};
  Json packed = differences_of(differences, 1);
  packed["scale"] = 1.0;
  packed["offset"] = 0.0;
  return packed;
}

}  // namespace semirec::report
