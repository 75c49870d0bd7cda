#include "topology/joint_type.hpp"
#include "vehicles/files/xml/table.hpp"

namespace semirec {

// Rows of bodies, joints and constraints: what read_bodies() and read_structure() read.

namespace {

AttributeRow attached() {
  return flag("attached",
              "Written: events may release and attach it, and whether it begins attached.");
}

}  // namespace

std::vector<ElementRow> mechanism_rows() {
  return {
      element(
          "body", "A rigid body; its frame sits at its centre of mass.",
          {own_name(), number("mass", "kg", "Mass.").needed().above(0.0),
           point("com", "Centre of mass in the design position.").needed(),
           entry("inertia", Kind::vector,
                 "Moments of inertia Ixx Iyy Izz about the centre of mass; no principal one is "
                 "below zero.",
                 "kg m^2")
               .needed(),
           entry("products", Kind::vector,
                 "Products of inertia Ixy Ixz Iyz, as entries of the inertia tensor: Ixy is minus "
                 "the integral of x y dm.",
                 "kg m^2")
               .otherwise("0 0 0"),
           entry("rotation", Kind::vector,
                 "Roll, pitch and yaw that turn the axes of the inertia: yaw first, then pitch, "
                 "then roll.",
                 "rad")
               .otherwise("0 0 0"),
           flag("chassis", "The body that the vehicle is called by; one body of a vehicle.")
               .otherwise("no"),
           flag("unit", "Whether it is the frame of a unit of its own, such as a trailer.")
               .otherwise_as("by the joints that hold it")}),
      element(
          "joint",
          "Connects body b with body a. Coordinates are zero in the design position and count b "
          "against a; those of a free joint count from the world's origin and axes.",
          {own_name(), choice("type", joint_type_names(), "Kind of joint.").needed(),
           reference("a", "body", "First body, or ground; ground on a free joint.").needed(),
           reference("b", "body", "Second body, or ground.").needed(),
           point("point", "Point of the joint; none on a free joint."),
           direction("axis",
                     "Axis of a revolute, prismatic or cylindrical joint, first axis of a "
                     "universal one (in a), normal of a planar one."),
           direction("axis_b", "Second axis of a universal joint (in b), at a right angle."),
           direction("axis_x", "Direction x of a planar joint, at a right angle to axis."),
           choice("placement", {"automatic", "tree", "cut"},
                  "Whether the joint stays in the spanning tree or is cut.")
               .otherwise("automatic"),
           entry("position", Kind::numbers,
                 "Initial coordinates, one a degree of freedom; of a free joint the body's centre "
                 "of mass in the world and the rotation vector of the axes of its inertia.",
                 "m, rad")
               .otherwise_as("those of the design position"),
           entry("velocity", Kind::numbers, "Initial rates, one a degree of freedom.", "m/s, rad/s")
               .otherwise_as("zero"),
           flag("hold", "Assembly keeps the initial coordinates, or refuses.").otherwise("no"),
           attached()}),
      element("rod",
              "A massless rod between two spherical joints; end a may slide along an axis of its "
              "body by an input.",
              name_and_bodies() +
                  Attributes{
                      point("point_a", "End on body a.").needed(),
                      point("point_b", "End on body b.").needed(),
                      number("length", "m", "Length.")
                          .above(0.0)
                          .otherwise_as("that of the design position"),
                      reference("length_input", "input", "Input in m that is added to the length.")
                          .needing_rates(),
                      direction("slide_axis", "Axis, fixed in a, along which end a slides."),
                      reference("slide_input", "input", "Input in m by which end a slides.")
                          .needing_rates(),
                      attached()}),
      element("point_on_line", "A point of body b stays on a line that is fixed in body a.",
              name_and_bodies() + Attributes{point("point", "Point of the line.").needed(),
                                             direction("axis", "Direction of the line.").needed(),
                                             point("point_b", "Point of b.").otherwise_as("point"),
                                             attached()}),
      element("point_in_plane",
              "A point of body b stays at a distance from a plane that is fixed in body a.",
              name_and_bodies() + Attributes{point("point", "Point of the plane.").needed(),
                                             direction("axis", "Normal of the plane.").needed(),
                                             point("point_b", "Point of b.").otherwise_as("point"),
                                             number("offset", "m", "Distance along the normal.")
                                                 .otherwise_as("that of the design position"),
                                             reference("offset_input", "input",
                                                       "Input in m that is added to the distance.")
                                                 .needing_rates(),
                                             attached()}),
      element("motion", "Prescribed motion: a joint coordinate follows an input.",
              {own_name(), reference("joint", "joint", "The joint.").needed(), joint_coordinate(),
               reference("input", "input", "The coordinate over time, m or rad.")
                   .needed()
                   .needing_rates()})
          .was("driver"),
      element("marker", "A named point of a body, for outputs.",
              {own_name(), reference("body", "body", "The body, or ground.").needed(),
               point("point", "Where it is in the design position.").needed()}),
      element("slender_rod", "A uniform slender rod; without inertia about its own axis.",
              {own_name(), number("mass", "kg", "Mass.").needed().above(0.0),
               point("from", "One end.").needed(), point("to", "The other end.").needed()}),
  };
}

}  // namespace semirec
