#include "apps/realtime/histogram.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace semirec::realtime {

namespace {
constexpr std::int64_t kLongest = std::int64_t{1} << 41;
}

std::size_t Histogram::bin_of(std::uint64_t duration) noexcept {
  // seven leading bits choose the bin within its octave
  const int octave = std::max(0, static_cast<int>(std::bit_width(duration)) - 7);
  return static_cast<std::size_t>(64 * octave) + static_cast<std::size_t>(duration >> octave);
}

std::int64_t Histogram::last_of(std::size_t bin) noexcept {
  if (bin < 128) return static_cast<std::int64_t>(bin);
  const std::size_t octave = bin / 64 - 1;
  const std::uint64_t head = bin - 64 * octave;
  return static_cast<std::int64_t>(((head + 1) << octave) - 1);
}

void Histogram::add(std::int64_t duration) noexcept {
  const std::int64_t taken = std::clamp<std::int64_t>(duration, 0, kLongest);
  ++bins_[bin_of(static_cast<std::uint64_t>(taken))];
  ++count_;
  sum_ += taken;
  min_ = std::min(min_, taken);
  max_ = std::max(max_, taken);
}

double Histogram::mean() const noexcept {
  return count_ == 0 ? 0.0 : static_cast<double>(sum_) / static_cast<double>(count_);
}

std::int64_t Histogram::quantile(double q) const noexcept {
  if (count_ == 0) return 0;
  const double rank = std::ceil(std::clamp(q, 0.0, 1.0) * static_cast<double>(count_));
  const auto wanted = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(rank));
  std::uint64_t seen = 0;
  for (std::size_t bin = 0; bin < kBins; ++bin) {
    seen += bins_[bin];
    if (seen >= wanted) return std::min(last_of(bin), max_);
  }
  return max_;
}

}  // namespace semirec::realtime
