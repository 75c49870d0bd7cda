#pragma once

namespace semirec {

class TyreLaw;

/// What a rolling tyre's patch takes of its law once: from stiffness and peak forces at the nominal
/// load.
struct PatchOfLaw {
  double c_x = 1.0, c_y = 1.0;  ///< 1 / slip at which it slides
  double d_x = 0.0, d_y = 0.0;  ///< damping at rest, s
  double per_least_load = 0.0;  ///< 1 / load below which the road loses its hold, 1/N
};

/// Asks the law some hundred times; TyreLaw::patch() has done so.
PatchOfLaw find_patch_of_law(const TyreLaw& law);

}  // namespace semirec
