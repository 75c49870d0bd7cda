#pragma once

namespace semirec::patch_slip {

// of a rolling tyre's patch, for one car and for several side by side
inline constexpr double kSlow = 2.0;           ///< below this speed the patch is damped, m/s
inline constexpr double kMostSliding = 0.999;  ///< q: 1000 times the slip at which it slides
inline constexpr double kRecoil = 0.01;     ///< a patch without load springs back in this time, s
inline constexpr double kCrawl = 1.0;       ///< below it camber and turning fade, m/s
inline constexpr double kTreadWidth = 0.6;  ///< over the radius, for roads felt over a width

}  // namespace semirec::patch_slip
