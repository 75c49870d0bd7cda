// Writes a table as the program does, with made-up channels and numbers, for the readers of
// test_tables.py:
//   write_table FORMAT FILE ROWS EXPECTED_ROWS ROWS_A_FLUSH <COLUMNS
// COLUMNS: name, unit and description of each, every text ended by a NUL. After each flush the
// number of rows that are now in the file goes to stdout, a line each. Exit code 1 where there was
// no room.
#include <bit>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <fcntl.h>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <unistd.h>

#include "apps/results/hdf5.hpp"
#include "apps/results/mcap.hpp"
#include "apps/results/mf4.hpp"

namespace {

using namespace semirec::results;

/// Any 64 bits, of any finite or infinite number; test_tables.py has the same.
double number_of(std::uint64_t row, std::uint64_t column) {
  std::uint64_t x = (row + 1) * 0x9e3779b97f4a7c15U + column * 0xbf58476d1ce4e5b9U;
  x ^= x >> 31U;
  x *= 0x94d049bb133111ebU;
  return std::bit_cast<double>(x ^ (x >> 29U));
}

std::unique_ptr<TableFile> make_table(const std::string& format, int file, const TableHead& head) {
  if (format == "mf4") return std::make_unique<Mf4File>(file, head);
  if (format == "hdf5") return std::make_unique<Hdf5File>(file, head);
  return std::make_unique<McapFile>(file, head);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) return 2;
  std::signal(SIGXFSZ, SIG_IGN);
  const std::string bytes{std::istreambuf_iterator<char>(std::cin), {}};
  TableHead head;
  head.title = "a <table> & its \"title\"";
  head.started = 1700000000123456789;
  head.expected_rows = std::atof(argv[4]);
  for (std::size_t at = 0; at < bytes.size();) {
    std::string texts[3];
    for (std::string& text : texts) {
      const std::size_t end = bytes.find('\0', at);
      text = bytes.substr(at, end - at);
      at = end + 1;
    }
    head.columns.push_back({texts[0], texts[1], texts[2]});
  }
  const int file = ::open(argv[2], O_RDWR | O_CREAT | O_TRUNC, 0666);
  const auto table = make_table(argv[1], file, head);
  const auto tell = [](std::uint64_t rows) {
    const std::string line = std::to_string(rows) + '\n';
    return ::write(1, line.data(), line.size()) > 0;
  };
  if (!table->begin() || !tell(0)) return 1;
  const auto rows = std::strtoull(argv[3], nullptr, 10);
  const auto a_flush = std::strtoull(argv[5], nullptr, 10);
  std::vector<double> values(head.columns.size());
  const std::vector<double> poses;
  for (std::uint64_t row = 0; row < rows; ++row) {
    values[0] = 1e-3 * static_cast<double>(row);
    for (std::size_t k = 1; k < values.size(); ++k) values[k] = number_of(row, k);
    if (!table->add({values, poses})) return 1;
    if ((row + 1) % a_flush == 0 && !(table->flush() && tell(row + 1))) return 1;
  }
  return table->finish() ? 0 : 1;
}
