#pragma once

#include <optional>
#include <vector>

#include "vehicles/manoeuvre/gates.hpp"

namespace semirec::seat {

/// Counts the cones that a car has driven over, from moments of the drive: one that lies under the
/// car's outline at none of them is not counted.
class ConeCounter {
 public:
  /// `channels`: of the session's outputs. Throws ModelError where there are cones and no chassis.
  ConeCounter(std::vector<Cone> cones, const Outline& outline,
              const std::vector<Channel>& channels);

  /// The moment at `t`, s. One that lies before the last begins anew.
  void look_at(double t, const double* outputs) noexcept;
  const std::vector<Cone>& cones() const { return course_.cones; }
  int hits() const { return count_hits(course_); }

 private:
  LaneChange course_;
  Outline outline_;
  std::optional<MotionReader> reader_;
  double last_ = 0.0;
};

}  // namespace semirec::seat
