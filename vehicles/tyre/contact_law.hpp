#pragma once

namespace semirec {

/// How a tyre that only carries pushes against the road (RoadTyre).
enum class ContactLaw {
  vertical,  ///< vertical force from the road's height under the wheel centre
  normal     ///< k (R - h)/H along the road normal, h the vertical gap, H = sqrt(1 + slope^2)
};

}  // namespace semirec
