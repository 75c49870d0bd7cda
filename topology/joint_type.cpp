#include "topology/joint_type.hpp"

namespace semirec {

namespace {

struct JointTraits {
  const char* name;
  std::vector<JointStep> steps;
  std::vector<std::string> coordinates;
};

/// All that the engine knows of a type of joint, but for its closure when it is cut
/// (natural_coords/closure.cpp).
JointTraits traits_of(JointType type) {
  constexpr int x = 0, y = 1, z = 2;
  const auto slide = [](int axis) { return JointStep{MotionKind::slide, axis}; };
  const auto turn = [](int axis) { return JointStep{MotionKind::turn, axis}; };
  const JointStep triad{MotionKind::triad, 0};
  switch (type) {
    case JointType::fixed:
      return {"fixed", {}, {}};
    case JointType::revolute:
      return {"revolute", {turn(z)}, {"angle"}};
    case JointType::prismatic:
      return {"prismatic", {slide(z)}, {"displacement"}};
    case JointType::cylindrical:
      return {"cylindrical", {slide(z), turn(z)}, {"displacement", "angle"}};
    case JointType::universal:
      return {"universal", {turn(z), turn(x)}, {"angle_a", "angle_b"}};
    case JointType::spherical:
      return {"spherical", {triad}, {}};
    case JointType::planar:
      return {"planar", {slide(x), slide(y), turn(z)}, {"x", "y", "angle"}};
    case JointType::free:
      return {"free", {slide(x), slide(y), slide(z), triad}, {"x", "y", "z"}};
    case JointType::translational:
      return {"translational", {slide(x), slide(y), slide(z)}, {"x", "y", "z"}};
  }
  return {"", {}, {}};
}

int width(const JointStep& step) { return step.kind == MotionKind::triad ? 3 : 1; }

}  // namespace

std::vector<JointStep> steps_of(JointType type) { return traits_of(type).steps; }

int degrees_of_freedom(JointType type) {
  int count = 0;
  for (const JointStep& step : traits_of(type).steps) count += width(step);
  return count;
}

MotionKind kind_of_coordinate(JointType type, int k) {
  for (const JointStep& step : traits_of(type).steps) {
    if (k < width(step)) return step.kind;
    k -= width(step);
  }
  return MotionKind::turn;
}

bool coordinate_turns(JointType type, int k) {
  return kind_of_coordinate(type, k) != MotionKind::slide;
}

std::vector<std::string> coordinate_names(JointType type) { return traits_of(type).coordinates; }

const char* name_of(JointType type) { return traits_of(type).name; }

std::vector<std::string> joint_type_names() {
  std::vector<std::string> names;
  for (const JointType type : kAllJointTypes) names.emplace_back(name_of(type));
  return names;
}

}  // namespace semirec
