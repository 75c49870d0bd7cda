#pragma once

#include <atomic>
#include <cstddef>
#include <vector>

namespace semirec::seat {

/// The inputs of a drive, step by step: what is needed to drive it again to the bit. The first row
/// holds the start, the others the ends of the steps. One thread writes, another may read what is
/// complete. No heap use after the constructor.
class SeatRecord {
 public:
  SeatRecord(std::size_t most_rows, std::size_t columns);

  // the writer
  void clear() noexcept { rows_.store(0, std::memory_order_release); }
  /// `t` in s. A full record keeps what it has.
  void add(double t, const double* values) noexcept;

  // the reader
  std::size_t rows() const noexcept { return rows_.load(std::memory_order_acquire); }
  bool full() const noexcept { return rows() == most_; }
  double time(std::size_t row) const noexcept { return numbers_[row * (columns_ + 1)]; }
  double value(std::size_t row, std::size_t column) const noexcept {
    return numbers_[row * (columns_ + 1) + 1 + column];
  }

 private:
  std::size_t most_, columns_;
  std::vector<double> numbers_;
  std::atomic<std::size_t> rows_{0};
};

}  // namespace semirec::seat
