#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace semirec::report {

/// Base64 with padding (RFC 4648, section 4).
std::string base64(std::string_view bytes);
/// Little-endian bytes of 32-bit floating-point numbers.
std::string float_bytes(const std::vector<double>& values);

/// Numbers as a page reads them: {"i16d", "scale", "offset"}, differences from row to row in 16
/// bits, column by column of a row-major matrix, or {"vd", ...}, the same in as few bytes as each
/// takes, or {"vdd", ...}, their own differences in this way: the shortest of the three; scale and
/// offset are numbers for one column, lists for several. A value is wrong by at most half a scale,
/// which is 1/65532 of the largest difference between two rows and so at most 1.6e-5 of its
/// column's range; errors do not add up. Where a value is not finite, or a column so large or small
/// that doubles cannot hold its differences: {"f32"}, rounded to 24 bits. columns: above 0, divides
/// values.size().
nlohmann::ordered_json pack(const std::vector<double>& values, std::size_t columns = 1);

/// Whole numbers, exactly: as such differences where neighbours differ by less than 32768,
/// otherwise
/// {"u32"}.
nlohmann::ordered_json pack_indices(const std::vector<std::uint32_t>& values);

/// Bytes in a page of each number that pack() writes, at most.
inline constexpr double kBytesPerNumber = 2.0 * 4.0 / 3.0;

}  // namespace semirec::report
