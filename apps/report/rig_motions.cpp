#include "apps/report/rig_motions.hpp"

#include <algorithm>

#include "apps/report/motion_recorder.hpp"

namespace semirec::report {

std::vector<Motion> show_rig(const Vehicle& vehicle, const std::vector<KcMotion>& rig) {
  std::vector<Motion> motions;
  const std::vector<Body>& bodies = vehicle.mechanism.bodies;
  const std::size_t size = 7 * (bodies.size() + 1);
  for (const KcMotion& curve : rig) {
    std::vector<std::size_t> places;  // on the rig
    for (const Body& body : bodies)
      places.push_back(static_cast<std::size_t>(
          std::find(curve.bodies.begin(), curve.bodies.end(), body.name) - curve.bodies.begin()));
    Motion motion;
    motion.name = curve.name;
    motion.axis = curve.variable.name;
    motion.axis_unit = curve.variable.unit;
    motion.charts = curve.charts.empty() ? curve.name : curve.charts;
    motion.frame_times = curve.values;
    for (const std::vector<Frame>& frames : curve.frames) {
      append_pose({}, size, motion.poses);
      for (std::size_t b = 0; b < bodies.size(); ++b)
        append_pose(places[b] < frames.size() ? frames[places[b]] : bodies[b].X_WB, size,
                    motion.poses);
    }
    motions.push_back(std::move(motion));
  }
  return motions;
}

}  // namespace semirec::report
