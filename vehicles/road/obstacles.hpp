#pragma once

#include "vehicles/road/road_surface.hpp"

namespace semirec {

/// Where across the road an obstacle lies, m.
struct Lane {
  double y_from = -1e300, y_to = 1e300;
};

/// A plane through the height `z` at the origin.
class InclinedPlane final : public RoadSurface {
 public:
  /// slope: dz/dx; bank: dz/dy.
  InclinedPlane(double z, double slope, double bank) : z_(z), slope_(slope), bank_(bank) {}
  RoadPoint evaluate(double x, double y) const override;
  bool is_even() const override { return true; }
  void put_into(Fingerprint& fingerprint) const override;

 private:
  double z_, slope_, bank_;
};

/// A box from `start` over `length`, both flanks within it; `bevel`: length of a flank along x, 0
/// is a vertical edge. A negative height is a pothole.
class Plank final : public RoadSurface {
 public:
  Plank(double start, double length, double height, double bevel, const Lane& lane = {});
  RoadPoint evaluate(double x, double y) const override;
  void put_into(Fingerprint& fingerprint) const override;

 private:
  double start_, length_, height_, bevel_;
  Lane lane_;
};

/// Rises (or falls) from zero at `start` with dz/dx = slope up to `end`, level outside.
class Ramp final : public RoadSurface {
 public:
  Ramp(double start, double end, double slope, const Lane& lane = {});
  RoadPoint evaluate(double x, double y) const override;
  void put_into(Fingerprint& fingerprint) const override;

 private:
  double start_, end_, slope_;
  Lane lane_;
};

/// amplitude sin(2 pi (x - start)/wavelength) from start to end, zero outside. It ends in a step
/// unless the way is a multiple of half a wavelength.
class SineRoad final : public RoadSurface {
 public:
  SineRoad(double amplitude, double wavelength, double start, double end, const Lane& lane = {});
  RoadPoint evaluate(double x, double y) const override;
  void put_into(Fingerprint& fingerprint) const override;

 private:
  double amplitude_, k_, start_, end_;
  Lane lane_;
};

/// Half a round bar across the road: sqrt(radius^2 - (x - centre)^2). Its flanks are cut where they
/// are steeper than 20, so that slopes stay finite.
class HalfRound final : public RoadSurface {
 public:
  HalfRound(double centre, double radius, const Lane& lane = {});
  RoadPoint evaluate(double x, double y) const override;
  void put_into(Fingerprint& fingerprint) const override;

 private:
  double centre_, radius_;
  Lane lane_;
};

/// height/2 (1 - cos(2 pi (x - start)/length)) from start over length, zero outside.
class CosineBump final : public RoadSurface {
 public:
  CosineBump(double start, double length, double height, const Lane& lane = {});
  RoadPoint evaluate(double x, double y) const override;
  void put_into(Fingerprint& fingerprint) const override;

 private:
  double start_, length_, height_;
  Lane lane_;
};

/// A roof: straight up to `height` at the middle of `length` and down again.
class Roof final : public RoadSurface {
 public:
  Roof(double start, double length, double height, const Lane& lane = {});
  RoadPoint evaluate(double x, double y) const override;
  void put_into(Fingerprint& fingerprint) const override;

 private:
  double start_, length_, height_;
  Lane lane_;
};

}  // namespace semirec
