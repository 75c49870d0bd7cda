#include "vehicles/chrono/suspensions.hpp"

namespace semirec::chrono {

namespace {

struct SuspensionKind {
  const char* name;
  Axle (*add)(Car&, const Json&, const AxlePlace&);
};

const std::array<SuspensionKind, 8> kSuspensionKinds{{{"DoubleWishbone", add_double_wishbone},
                                                      {"MacPhersonStrut", add_macpherson_strut},
                                                      {"MultiLink", add_multilink},
                                                      {"SemiTrailingArm", add_semi_trailing_arm},
                                                      {"ThreeLinkIRS", add_three_link},
                                                      {"SolidAxle", add_solid_axle},
                                                      {"RigidPinnedAxle", add_rigid_pinned_axle},
                                                      {"RigidSuspension", add_rigid_suspension}}};

}  // namespace

Axle add_suspension(Car& car, const Json& file, const AxlePlace& place) {
  const Json name = file.at("Template");
  std::string all;
  for (const SuspensionKind& one : kSuspensionKinds) {
    if (name.text() == one.name) return one.add(car, file, place);
    all += std::string(all.empty() ? "" : ", ") + one.name;
  }
  name.fail("is '" + printable(name.text()) + "', which is not covered, expected one of " + all);
}

}  // namespace semirec::chrono
