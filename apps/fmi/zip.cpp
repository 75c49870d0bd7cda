#include "apps/fmi/zip.hpp"

#include <cstdint>
#include <string_view>

#include "apps/results/bytes.hpp"
#include "apps/results/crc32.hpp"
#include "topology/mechanism.hpp"

namespace semirec::fmi {

namespace {

using results::put_u16;
using results::put_u32;

constexpr std::size_t kMostBytes = 0xfffffffe, kMostFiles = 65000;
constexpr std::uint32_t kLocalHeader = 0x04034b50, kCentralHeader = 0x02014b50, kEnd = 0x06054b50;
constexpr unsigned kVersion = 20;        // 2.0, made on a system with upper and lower case
constexpr unsigned kUtf8Names = 0x0800;  // flag
constexpr unsigned kFirstDate = 0x0021;  // 1980-01-01

std::uint32_t crc32_of(std::string_view bytes) {
  results::Crc32 remainder;
  remainder.add(bytes);
  return remainder.value();
}

/// What the header before a file and its entry in the directory have in common.
void put_common(std::string& out, const ArchiveFile& file) {
  const auto& [name, bytes] = file;
  put_u16(out, kVersion);
  put_u16(out, kUtf8Names);
  put_u16(out, 0);  // stored
  put_u16(out, 0);  // midnight
  put_u16(out, kFirstDate);
  put_u32(out, crc32_of(bytes));
  put_u32(out, bytes.size());
  put_u32(out, bytes.size());
  put_u16(out, name.size());
  put_u16(out, 0);  // no extra field
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
    put_u32(out, kLocalHeader);
    put_common(out, file);
    out += name + bytes;

    put_u32(directory, kCentralHeader);
    put_u16(directory, kVersion);
    put_common(directory, file);
    put_u16(directory, 0);  // no comment
    put_u16(directory, 0);  // on disk 0
    put_u16(directory, 0);  // inner attributes
    put_u32(directory, 0);  // outer attributes
    put_u32(directory, offset);
    directory += name;
  }
  const std::size_t begin = out.size();
  out += directory;
  put_u32(out, kEnd);
  put_u16(out, 0);
  put_u16(out, 0);
  put_u16(out, files.size());
  put_u16(out, files.size());
  put_u32(out, directory.size());
  put_u32(out, begin);
  put_u16(out, 0);
  return out;
}

}  // namespace semirec::fmi
