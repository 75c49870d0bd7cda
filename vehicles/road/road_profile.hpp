#pragma once

#include "topology/curve.hpp"

namespace semirec {

/// Heights of the road by x, m to m, for the wheels of the left (y > 0) and right side.
struct Road {
  Curve left = Curve::constant(0.0);
  Curve right = Curve::constant(0.0);
};

}  // namespace semirec
