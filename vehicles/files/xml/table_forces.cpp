#include "vehicles/files/xml/table.hpp"

namespace semirec {

// Rows of forces and their laws: what read_forces() reads.

namespace {

const char* const kMayFall = "a <law> or <damper> may fall";

/// Name, the two bodies, and a point on each.
Attributes two_ends() {
  return name_and_bodies() +
         Attributes{point("point_a", "End on body a.").needed(),
                    point("point_b", "End on body b.").needed(),
                    direction("along",
                              "Axis of a along which the length is measured, from a to b; "
                              "none: from end to end.")};
}

AttributeRow active() { return flag("active", "Whether it acts at all.").otherwise("yes"); }

Attributes scales() {
  return {number("spring_scale", "1", "Factor on its spring law.").at_least(0.0),
          number("damper_scale", "1", "Factor on its damper law.").at_least(0.0)};
}

Attributes load_attributes() {
  return {own_name(),
          reference("body", "body", "The body.").needed(),
          point("point", "Where the force acts; a torque needs none."),
          direction("direction", "Direction in the design position.").needed(),
          reference("input", "input", "The input that is its size.").needed(),
          choice("axes", {"world", "body"}, "Where the direction is fixed.").otherwise("world")};
}

Content laws() { return one_of({child("law"), child("damper", "law")}).times(0, 2); }

AttributeRow coefficient(const char* name, const char* unit, const char* about) {
  return number(name, unit, about).at_least(0.0).hinting(kMayFall);
}

ElementRow piece_row() {
  Attributes attributes{
      number("from", "m, m/s, rad", "Where the piece begins; the first one needs none."),
      number("origin", "m, m/s, rad", "Origin of its powers.").otherwise("0")};
  for (const char* name : {"c0", "c1", "c2", "c3", "c4", "c5"})
    attributes.push_back(
        number(name, "", "Coefficient of this power, N or N m over m, m/s or rad.").otherwise("0"));
  return conditional_part("piece", "Sum of c_k (x - origin)^k from x = from up to the next piece.",
                          attributes);
}

}  // namespace

std::vector<ElementRow> force_rows() {
  return {
      element(
          "spring",
          "Spring and damper between two points, or along an axis of body a; positive in "
          "tension.",
          two_ends() + Attributes{active()} + scales() +
              Attributes{reference("spring_input", "input",
                                   "Factor on its spring law while the vehicle moves."),
                         reference("damper_input", "input",
                                   "Factor on its damper law while the vehicle moves."),
                         reference("input", "input", "A force on top of its laws, N; tension.")},
          one_of({child("stiffness"), child("law"), child("damping"), child("damper", "law")})
              .times(1, 2)),
      conditional_part("stiffness", "A linear spring; exactly one of free_length and preload.",
                       {coefficient("k", "N/m", "Stiffness.").needed(),
                        number("free_length", "m", "Length without force."),
                        number("preload", "N", "Tension in the design position.")}),
      conditional_part("damping", "A linear damper.",
                       {coefficient("c", "N s/m", "Damping.").needed()}),
      conditional_part("law", "A force over length or speed, a torque over angle or its rate.", {},
                       one_of({child("piece").times(1, kMany), child("table", "law_table")})),
      piece_row(),
      conditional_part(
          "law_table", "Force over x, by points.",
          {flag("smooth", "A smooth curve through the points; otherwise straight lines.")
               .otherwise("no"),
           flag("extrapolate", "Outside the points the end slopes hold, not the end values.")
               .otherwise("no")},
          one_of({child("point", "law_point")}).times(2, kMany)),
      conditional_part("law_point", "One point of a force law.",
                       {number("x", "m, m/s, rad", "Length, speed or angle; ascends.").needed(),
                        number("f", "N, N m", "Force or torque there.").needed()}),
      element(
          "actuator",
          "A force of an input's size between two points, or along an axis of body a; positive "
          "in tension.",
          two_ends() + Attributes{reference("input", "input", "The force, N.").needed(), active()}),
      element("stop", "A linear spring that acts only below or only above a length.",
              two_ends() + Attributes{number("below", "m", "Acts below this length."),
                                      number("above", "m", "Acts above this length."),
                                      number("stiffness", "N/m", "Stiffness.").needed().above(0.0),
                                      active()}),
      element(
          "rotational_spring",
          "Spring and damper about an axis that both bodies share: where hinges lead from one to "
          "the other, within 0.1 rad of their axis, or of the plane of both where there are two by "
          "a third body. Whole turns are counted where "
          "all "
          "joints between the bodies slide or turn about it; elsewhere the angle lies within half "
          "a turn either way, and a run says when the law jumps there.",
          name_and_bodies() +
              Attributes{point("point", "Point of the axis.").needed(),
                         direction("axis", "The axis.").needed(),
                         coefficient("stiffness", "N m/rad", "Stiffness."),
                         coefficient("damping", "N m s/rad", "Damping."),
                         number("free_angle", "rad", "Angle without torque.").otherwise("0")} +
              scales(),
          laws()),
      element(
          "bushing",
          "A bushing in six axes, in the frame with z along axis. Its rotation vector is shorter "
          "than half a turn; a run says when the law jumps there.",
          name_and_bodies() +
              Attributes{point("point", "Its centre.").needed(),
                         direction("axis", "Its axis z.").needed(),
                         direction("axis_x", "Its axis x, at a right angle to `axis`.")
                             .otherwise_as("any at a right angle"),
                         entry("stiffness", Kind::six_numbers, "Along x, y, z and about x, y, z.",
                               "N/m, N m/rad")
                             .needed(),
                         entry("damping", Kind::six_numbers, "Along x, y, z and about x, y, z.",
                               "N s/m, N m s/rad")
                             .otherwise_as("zero"),
                         entry("relaxing_stiffness", Kind::six_numbers,
                               "What a fast motion finds on top of the stiffness.", "N/m, N m/rad")
                             .otherwise_as("zero"),
                         number("relaxation_time", "s", "Time in which that falls to 1/e.")
                             .above(0.0)
                             .otherwise_as("none")}),
      element("force", "A force of an input's size in a direction.", load_attributes()),
      element("torque", "A torque of an input's size about a direction.", load_attributes()),
      element("joint_force",
              "Spring, damper, limits and an applied force in one joint coordinate; a positive "
              "spring law pulls the coordinate back.",
              Attributes{own_name(), reference("joint", "joint", "The joint.").needed(),
                         joint_coordinate(), coefficient("stiffness", "N/m, N m/rad", "Stiffness."),
                         number("free", "m, rad", "Coordinate without force.").otherwise("0"),
                         coefficient("damping", "N s/m, N m s/rad", "Damping."),
                         number("lower", "m, rad", "Lower limit.").otherwise_as("none"),
                         number("upper", "m, rad", "Upper limit.").otherwise_as("none"),
                         number("stop_stiffness", "N/m, N m/rad", "Stiffness beyond the limits.")
                             .at_least(0.0)
                             .otherwise("0"),
                         number("stop_damping", "N s/m, N m s/rad",
                                "Damping beyond the limits, also of what comes back.")
                             .at_least(0.0)
                             .otherwise("0"),
                         reference("input", "input", "Applied force or torque, N or N m.")} +
                  scales(),
              laws()),
  };
}

}  // namespace semirec
