#pragma once

#include <string>
#include <vector>

#include "apps/seat/seat_cones.hpp"
#include "apps/seat/seat_link.hpp"
#include "vehicles/session/session.hpp"

namespace semirec::cli {

/// What the seat's page is given: the model once, then the moments of the drive.
///
/// A moment is a list of numbers: time (s), 1 where the last step failed, 1 where the driver is
/// silent, 1 where it is paused, the session's outputs, then for the ground and each body x y z of
/// its frame (m) and the quaternion x y z w from body to world, then 1 for each cone that was hit.
class SeatPage {
 public:
  /// Throws ModelError where the program was built without pages.
  SeatPage(const Session& session, const DriveDescription& read, const std::string& vehicle_file);

  const std::string& html() const { return html_; }
  /// {"type":"hello", "channels":[{name, unit}], "bodies", "controls", "dash", "sliders"}; the
  /// numbers of `dash` are places among the channels. `sliders`: text of a JSON array.
  std::string hello(const std::string& sliders) const;
  /// Writes a moment over `numbers`.
  void put_frame(const seat::SeatFrame& frame, std::vector<float>& numbers);

 private:
  const Model& model_;
  Workspace ws_;
  std::vector<double> poses_;
  seat::ConeCounter counter_;
  std::string html_, hello_;  ///< hello_: without its last bracket
};

}  // namespace semirec::cli
