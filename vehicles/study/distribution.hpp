#pragma once

#include <cstdint>

#include "vehicles/study/study.hpp"

namespace semirec {

/// A number between 0 and 1, both excluded, in multiples of 2^-33: the same for the same three
/// numbers, unlike any other by all appearances (splitmix64 over them).
double chance(std::uint64_t seed, std::uint64_t stream, std::uint64_t index);

/// Digits of `index` in `base` mirrored at the point: 1/2, 1/4, 3/4, ... for base 2, index 1, 2, 3.
double mirrored_digits(std::uint64_t index, unsigned base);

/// x with Phi(x) = p for the normal distribution of mean 0 and deviation 1; 0 < p < 1.
/// Exact to some 1e-14 of x where p is.
double normal_quantile(double p);

/// The value below which the part u (0 < u < 1) of the distribution lies. No grid.
double quantile(const Vary& vary, double u);

}  // namespace semirec
