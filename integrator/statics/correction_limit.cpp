#include "integrator/statics/correction_limit.hpp"

#include <algorithm>
#include <cmath>

#include "topology/indices.hpp"

namespace semirec {

void CorrectionLimit::judge(double gap) {
  constexpr double kFar = 3.0;   // m or rad: nearer than that nothing is hurried
  constexpr double kPart = 0.5;  // of what a correction may bring
  constexpr double kGrowth = 1.5;
  const double gain = best_ - gap;
  const bool gains = shortened_ && gain > kPart * kLongest;
  if (!gains || gap <= kFar)
    longest_slide_ = kLongest;
  else if (gain > kPart * longest_slide_)
    longest_slide_ *= kGrowth;
  ++taken_;
  idle_ += gains ? 0 : 1;
  stalled_ = gap < 0.9 * best_ || gains ? 0 : stalled_ + 1;
  best_ = std::min(best_, gap);
}

void CorrectionLimit::shorten(Eigen::VectorXd& dz) {
  double share = 0.0;
  for (std::size_t t = 1; t < model_->tree.bodies.size(); ++t) {
    const TreeBody& body = model_->tree.bodies[t];
    int k = body.z;
    for (int m = body.motion_begin; m < body.motion_end; ++m) {
      const JointMotion::Kind kind = model_->tree.motions[at(m)].kind;
      const double limit = kind == JointMotion::Kind::slide ? longest_slide_ : kLongest;
      const int end = k + (kind == JointMotion::Kind::triad ? 3 : 1);
      for (; k < end; ++k) share = std::max(share, std::abs(dz[k]) / limit);
    }
  }
  shortened_ = share > 1.0;
  if (shortened_) dz /= share;
}

}  // namespace semirec
