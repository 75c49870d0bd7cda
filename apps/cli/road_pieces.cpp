#include "apps/cli/road_pieces.hpp"

namespace semirec::cli {

namespace {

constexpr double kPieceLength = 10.0;  // m; a mesh goes on 15 m beyond

}  // namespace

std::vector<results::Mesh> RoadPieces::see(const Eigen::Vector2d& place,
                                           const Eigen::Vector2d& forward) {
  if (last_ && !((place - *last_).norm() >= kPieceLength)) return {};
  report::DrivenCourse course;
  if (last_) course.points.push_back(*last_);
  course.points.push_back(place);
  if (forward.norm() > 1e-3) course.heading = forward.normalized();
  last_ = place;
  std::vector<results::Mesh> pieces;
  for (const report::RoadMesh& mesh : report::make_road_mesh(scenario_, course)) {
    results::Mesh& piece = pieces.emplace_back();
    for (const Eigen::Vector3d& corner : mesh.corners)
      piece.corners.insert(piece.corners.end(), {corner.x(), corner.y(), corner.z()});
    piece.indices = mesh.indices;
  }
  return pieces;
}

}  // namespace semirec::cli
