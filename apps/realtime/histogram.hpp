#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace semirec::realtime {

/// Counts durations in bins of fixed memory: 1 ns wide below 128 ns, above that 64 bins an octave,
/// so that a bin is never wider than 1/64 of its values. Largest, smallest and mean are exact.
///
/// Units   ns. A duration below zero counts as zero, one above 2^41 ns (36 minutes) as that.
/// Cost    add(): a shift and two increments; no heap use. 18 kB.
class Histogram {
 public:
  void add(std::int64_t duration) noexcept;

  std::uint64_t count() const noexcept { return count_; }
  std::int64_t max() const noexcept { return count_ == 0 ? 0 : max_; }
  std::int64_t min() const noexcept { return count_ == 0 ? 0 : min_; }
  double mean() const noexcept;
  /// The smallest duration that at least the share q of all does not exceed, rounded up to the end
  /// of its bin and never above max(): a quantile is not made better than it was. 0 when empty.
  std::int64_t quantile(double q) const noexcept;

 private:
  static constexpr int kOctaves = 35;  // 2^41 has 42 bits, seven of them choose the bin
  static constexpr std::size_t kBins = 64 * (kOctaves + 2);
  static std::size_t bin_of(std::uint64_t duration) noexcept;
  static std::int64_t last_of(std::size_t bin) noexcept;

  std::array<std::uint64_t, kBins> bins_{};
  std::uint64_t count_ = 0;
  std::int64_t min_ = INT64_MAX, max_ = 0, sum_ = 0;
};

}  // namespace semirec::realtime
