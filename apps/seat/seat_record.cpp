#include "apps/seat/seat_record.hpp"

#include <algorithm>

namespace semirec::seat {

SeatRecord::SeatRecord(std::size_t most_rows, std::size_t columns)
    : most_(most_rows), columns_(columns), numbers_(most_rows * (columns + 1)) {}

void SeatRecord::add(double t, const double* values) noexcept {
  const std::size_t row = rows_.load(std::memory_order_relaxed);
  if (row == most_) return;
  double* numbers = &numbers_[row * (columns_ + 1)];
  numbers[0] = t;
  std::copy_n(values, columns_, numbers + 1);
  rows_.store(row + 1, std::memory_order_release);
}

}  // namespace semirec::seat
