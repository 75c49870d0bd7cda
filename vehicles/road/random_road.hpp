#pragma once

#include <cstdint>
#include <vector>

#include "vehicles/road/road_surface.hpp"

namespace semirec {

/// What a random road is drawn from.
struct RandomRoadSettings {
  char road_class = 'C';   ///< A to H
  std::uint64_t seed = 1;  ///< one road a seed, on every machine the same
  double length = 500.0;   ///< m along x, after which the road comes again; 10 m to 50 km
  double coherence = 0.2;  ///< c of coherence(n) = exp(-n track/c); 0: tracks know nothing of
                           ///< each other
  double track = 1.5;      ///< distance of two neighbouring tracks, m
  double width = 0.0;      ///< what they cover at least, about the middle, m; 0: the two of one car
};

/// Heights that a random road of these settings holds. It may hold no more than kMostHeights.
double count_heights(const RandomRoadSettings& settings);
constexpr double kMostHeights = 0x1p24;  // 64 MB

/// Gd(n0) of a class at n0 = 0.1 cycles/m, the geometric mean of its band, m^3: 16e-6 for A, four
/// times more for each next one [ISO8608]. 0 for a letter that is no class.
double displacement_density(char road_class);

/// Random road of an ISO 8608 class along x.
///
///   Gd(n) = Gd(n0) (n/n0)^-2   between 0.011 and 2.83 cycles/m                       [ISO8608]
///
/// drawn as a sum of all waves that fit into the length, with phases by a counter from the seed.
/// Tracks lie at y = +-track/2, +-3/2 track and so on. Each has this density, and any two of them,
/// d apart, have
///
///   coherence(n) = exp(-n d/c)
///
/// as each one further out follows its inner neighbour by exp(-n track/c) and is its own in the
/// rest. Wider roads of one seed hold the narrower ones. Between tracks heights are interpolated,
/// beyond the last ones they stay.
///
/// Height and slope along x are continuous; across, the height.
/// Throws std::invalid_argument on settings out of range.
/// Cost   two cubics; no heap use after construction.
class RandomRoad final : public RoadSurface {
 public:
  explicit RandomRoad(const RandomRoadSettings& settings);
  RoadPoint evaluate(double x, double y) const override;
  void put_into(Fingerprint& fingerprint) const override;
  /// m, from the middle to the last track on each side.
  double half_width() const { return half_width_; }

 private:
  std::vector<float> heights_;  ///< m, [point along x][track from the right]
  std::size_t tracks_;
  double length_, pitch_, track_, half_width_;
};

}  // namespace semirec
