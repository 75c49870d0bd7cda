#include "vehicles/files/chrono/suspensions.hpp"

namespace semirec::chrono {

namespace {

struct SuspensionKind {
  const char* name;
  Axle (*add)(Car&, const Json&, const AxlePlace&);
};

const std::array<SuspensionKind, 13> kSuspensionKinds{
    {{"DoubleWishbone", add_double_wishbone},
     {"SingleWishbone", add_single_wishbone},
     {"MacPhersonStrut", add_macpherson_strut},
     {"MultiLink", add_multilink},
     {"SemiTrailingArm", add_semi_trailing_arm},
     {"ThreeLinkIRS", add_three_link},
     {"SolidAxle", add_solid_axle},
     {"RigidPinnedAxle", add_rigid_pinned_axle},
     {"RigidSuspension", add_rigid_suspension},
     {"LeafspringAxle", add_leafspring_axle},
     {"ToeBarLeafspringAxle", add_toe_bar_leafspring_axle},
     {"PushPipeAxle", add_push_pipe_axle},
     {"ToeBarPushPipeAxle", add_toe_bar_push_pipe_axle}}};

}  // namespace

const std::vector<std::string>& suspension_templates() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    for (const SuspensionKind& one : kSuspensionKinds) names.emplace_back(one.name);
    return names;
  }();
  return kNames;
}

Axle add_suspension(Car& car, const Json& file, const AxlePlace& place) {
  const Json name = file.at("Template");
  for (const SuspensionKind& one : kSuspensionKinds)
    if (name.text() == one.name) return one.add(car, file, place);
  refuse_template(name, suspension_templates());
}

}  // namespace semirec::chrono
