#include "apps/seat/seat_record.hpp"

#include <algorithm>

namespace semirec::seat {

SeatRecord::SeatRecord(std::size_t most_steps, std::size_t columns)
    : most_(most_steps), columns_(columns), rows_(most_steps * (columns + 1)) {}

void SeatRecord::add(double t, const double* values) noexcept {
  const std::size_t step = steps_.load(std::memory_order_relaxed);
  if (step == most_) return;
  double* row = &rows_[step * (columns_ + 1)];
  row[0] = t;
  std::copy_n(values, columns_, row + 1);
  steps_.store(step + 1, std::memory_order_release);
}

}  // namespace semirec::seat
