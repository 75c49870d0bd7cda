#pragma once

#include <atomic>
#include <cstddef>
#include <vector>

namespace semirec::seat {

/// The inputs of a drive, step by step, from its start on: what is needed to drive it again to the
/// bit. One thread writes, another may read what is complete. No heap use after the constructor.
class SeatRecord {
 public:
  SeatRecord(std::size_t most_steps, std::size_t columns);

  // the writer
  void clear() noexcept { steps_.store(0, std::memory_order_release); }
  /// `t`: at the end of the step, s. A full record keeps what it has.
  void add(double t, const double* values) noexcept;

  // the reader
  std::size_t steps() const noexcept { return steps_.load(std::memory_order_acquire); }
  bool full() const noexcept { return steps() == most_; }
  double time(std::size_t step) const noexcept { return rows_[step * (columns_ + 1)]; }
  double value(std::size_t step, std::size_t column) const noexcept {
    return rows_[step * (columns_ + 1) + 1 + column];
  }

 private:
  std::size_t most_, columns_;
  std::vector<double> rows_;
  std::atomic<std::size_t> steps_{0};
};

}  // namespace semirec::seat
