#include "apps/fmi/zip.hpp"

#include <array>
#include <cstdint>
#include <string_view>

#include "topology/mechanism.hpp"

namespace semirec::fmi {

namespace {

constexpr std::size_t kMostBytes = 0xfffffffe, kMostFiles = 65000;
constexpr std::uint32_t kLocalHeader = 0x04034b50, kCentralHeader = 0x02014b50, kEnd = 0x06054b50;
constexpr unsigned kVersion = 20;        // 2.0, made on a system with upper and lower case
constexpr unsigned kUtf8Names = 0x0800;  // flag
constexpr unsigned kFirstDate = 0x0021;  // 1980-01-01

/// The remainder of every byte by the polynomial of CRC-32, reflected.
constexpr std::array<std::uint32_t, 256> make_crc_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t value = byte;
    for (int k = 0; k < 8; ++k)
      value = (value & 1U) != 0 ? (value >> 1U) ^ 0xedb88320U : value >> 1U;
    table[byte] = value;
  }
  return table;
}

std::uint32_t crc32(std::string_view bytes) {
  static constexpr std::array<std::uint32_t, 256> kTable = make_crc_table();
  std::uint32_t value = 0xffffffffU;
  for (const char c : bytes)
    value = kTable[(value ^ static_cast<std::uint8_t>(c)) & 0xffU] ^ (value >> 8U);
  return ~value;
}

void put16(std::string& out, std::size_t value) {
  out += static_cast<char>(value & 0xffU);
  out += static_cast<char>((value >> 8U) & 0xffU);
}

void put32(std::string& out, std::size_t value) {
  put16(out, value & 0xffffU);
  put16(out, (value >> 16U) & 0xffffU);
}

/// What the header before a file and its entry in the directory have in common.
void put_common(std::string& out, const ArchiveFile& file) {
  const auto& [name, bytes] = file;
  put16(out, kVersion);
  put16(out, kUtf8Names);
  put16(out, 0);  // stored
  put16(out, 0);  // midnight
  put16(out, kFirstDate);
  put32(out, crc32(bytes));
  put32(out, bytes.size());
  put32(out, bytes.size());
  put16(out, name.size());
  put16(out, 0);  // no extra field
}

}  // namespace

std::string make_zip(const std::vector<ArchiveFile>& files) {
  if (files.size() > kMostFiles)
    throw ModelError("an archive of " + std::to_string(files.size()) + " files, expected at most " +
                     std::to_string(kMostFiles));
  std::string out, directory;
  for (const ArchiveFile& file : files) {
    const auto& [name, bytes] = file;
    if (out.size() + bytes.size() > kMostBytes - 1000000)
      throw ModelError("file '" + name + "' makes the archive longer than 4 GB, expected less");
    const std::size_t offset = out.size();
    put32(out, kLocalHeader);
    put_common(out, file);
    out += name + bytes;

    put32(directory, kCentralHeader);
    put16(directory, kVersion);
    put_common(directory, file);
    put16(directory, 0);  // no comment
    put16(directory, 0);  // on disk 0
    put16(directory, 0);  // inner attributes
    put32(directory, 0);  // outer attributes
    put32(directory, offset);
    directory += name;
  }
  const std::size_t begin = out.size();
  out += directory;
  put32(out, kEnd);
  put16(out, 0);
  put16(out, 0);
  put16(out, files.size());
  put16(out, files.size());
  put32(out, directory.size());
  put32(out, begin);
  put16(out, 0);
  return out;
}

}  // namespace semirec::fmi
