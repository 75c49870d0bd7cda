#include "vehicles/files/xml/table.hpp"

namespace semirec {

// Rows of wheels and tyres.

namespace {

/// What all laws without a file share.
Attributes radial_tyre() {
  return {
      number("radius", "m", "Unloaded radius.").needed().above(0.0),
      number("stiffness", "N/m", "Vertical stiffness.").needed().above(0.0),
      number("damping", "N s/m", "Vertical damping.").at_least(0.0).otherwise("0"),
      number("nominal_load", "N", "Load to which the other numbers belong.").needed().above(0.0),
      number("deflection_share", "1", "Effective radius = radius - share load / stiffness.")
          .otherwise("{1/3}"),
      number("rolling_resistance", "1", "Torque over load and radius.")
          .at_least(0.0)
          .otherwise("0"),
      number("relaxation_x", "m", "Relaxation length along the wheel.").otherwise("0.2"),
      number("relaxation_y", "m", "Relaxation length across the wheel.").otherwise("0.45")};
}

/// Of a law whose stiffnesses grow with the load, or are the same at every load.
Attributes slip_stiffnesses(bool grow) {
  return {number("slip_stiffness", "N",
                 grow ? "Longitudinal force over slip at the nominal load, with which it grows."
                      : "Longitudinal force over slip at every load.")
              .needed()
              .above(0.0),
          number("cornering_stiffness", "N/rad",
                 grow ? "Lateral force over slip angle at the nominal load, with which it grows."
                      : "Lateral force over slip angle at every load.")
              .needed()
              .above(0.0),
          number("camber_stiffness", "N/rad",
                 grow ? "Lateral force over camber at the nominal load, with which it grows."
                      : "Lateral force over camber at every load.")
              .otherwise("0")};
}

/// A curve of force over slip by five numbers, `axis` x or y, at the nominal load or (_2) twice it.
Attributes tmeasy_curve(const std::string& axis, const std::string& load) {
  const auto row = [&](const std::string& name, const char* unit, const char* about) {
    return number(name.c_str(), unit, about).needed().above(0.0);
  };
  return {row("dF" + axis + "0" + load, "N", "Initial slope of the force over the slip."),
          row("F" + axis + "M" + load, "N", "Largest force."),
          row("F" + axis + "S" + load, "N", "Force where sliding begins."),
          row("s" + axis + "M" + load, "1", "Slip at the largest force."),
          row("s" + axis + "S" + load, "1", "Slip where sliding begins.")};
}

Attributes tmeasy_trail(const std::string& load) {
  return {number(("nL0" + load).c_str(), "1", "Trail without slip over the contact length.")
              .otherwise("{1/6}"),
          number(("sy0" + load).c_str(), "1", "Slip at which the trail changes its sign.")
              .otherwise("0.25"),
          number(("syE" + load).c_str(), "1", "Slip from which on the trail is zero.")
              .otherwise("0.5")};
}

Attributes tmeasy_others() {
  Attributes rows{
      number("camber_slip", "1/rad", "Lateral slip over camber.").otherwise("0"),
      number("maximum_load", "N", "Load beyond which forces do not grow.")
          .above(0.0)
          .otherwise_as("3.5 nominal loads"),
      number("stiffness_x", "N/m",
             "Stiffness of the carcass along; gives the relaxation length if that is not written.")
          .above(0.0),
      number("stiffness_y", "N/m",
             "Stiffness of the carcass across; gives the relaxation length if that is not written.")
          .above(0.0)};
  for (const char* name :
       {"stiffness_2", "damping_x", "damping_y", "radius_weight", "radius_weight_2",
        "rolling_resistance_2", "friction", "width", "rim_radius"})
    rows.push_back(number(name, "", "Read and not used."));
  return rows;
}

ElementRow calspan_row() {
  return conditional_part(
      "calspan", "Lateral force by the Calspan polynomial.",
      {number("A0", "N/rad", "Cornering stiffness without load.").needed(),
       number("A1", "1/rad", "Growth of the cornering stiffness with the load.").needed(),
       number("A2", "N", "Load beyond which the cornering stiffness stays.").needed(),
       number("A3", "1/rad", "Share of the camber.").needed(),
       number("A4", "N", "Load at which the share of the camber ends.").needed(),
       number("B1", "1/N", "Friction over the load.").needed(),
       number("B3", "1", "Friction without load.").needed(),
       number("B4", "1/N^2", "Friction over the square of the load.").needed(),
       number("SN", "1", "Factor on the friction.").otherwise("1"),
       number("AF1", "m/N", "Aligning torque over the product of load and force.").otherwise("0"),
       number("AF2", "m/N", "Aligning torque over the square of the force.").otherwise("0")});
}

}  // namespace

std::vector<ElementRow> wheel_rows() {
  return {
      element(
          "tyre",
          "A tyre that any number of wheels call by its name: a property file, or a law with "
          "its numbers.",
          {own_name(),
           entry("file", Kind::file, "Tyre property file (.tir), relative to this one.")},
          one_of({child("linear"), child("fiala"), child("tmeasy"), child("foreign")}).times(0, 1)),
      element(
          "wheel", "A wheel on the road, by its centre and axle on a carrier, and its tyre.",
          {own_name(), reference("body", "body", "The carrier.").needed(),
           point("centre", "Centre of the wheel.").needed(),
           direction("axis", "Its axle, to the left in the design position.").needed(),
           number("radius", "m", "Unloaded radius; not beside a tyre with a law.").above(0.0),
           number("stiffness", "N/m", "Vertical stiffness; not beside a tyre with a law.")
               .above(0.0),
           number("damping", "N s/m", "Vertical damping; not beside a tyre with a law.")
               .at_least(0.0)
               .otherwise("0"),
           flag("unilateral", "Whether the tyre lifts off instead of pulling.").otherwise("yes"),
           reference("tyre", "tyre", "A <tyre>, or none, or calspan for the child.")
               .otherwise("none"),
           number("friction_scale", "1",
                  "Factor on the friction of its <tyre>; a linear one has none to scale.")
               .at_least(0.0)
               .otherwise("1"),
           number("turning_friction", "1",
                  "Friction of the patch that is turned on the spot: torque up to 2/3 of it times "
                  "load and half contact length.")
               .at_least(0.0)
               .otherwise("0"),
           reference("rim", "body",
                     "The body that spins, or none: on a joint to the body that carries the wheel, "
                     "or to one that fixed joints make one with it.")
               .otherwise("none")},
          one_of({child("calspan")}).times(0, 1)),
      calspan_row(),
      part("linear", "Tyre forces in proportion to the slips, without a limit of friction.",
           radial_tyre() + slip_stiffnesses(/*grow=*/true) +
               Attributes{
                   number("trail", "m", "Trail of the force of the slip angle.").otherwise("0")}),
      part("fiala",
           "Brush tyre under a parabolic pressure, its stiffnesses the same at every load.",
           radial_tyre() + slip_stiffnesses(/*grow=*/false) +
               Attributes{
                   number("friction", "1", "Friction at the nominal load.").needed().above(0.0),
                   number("friction_fall", "1",
                          "Share of the friction lost when the load doubles: friction (1 - "
                          "friction_fall (load/nominal_load - 1)), the bracket from 0.2 to 2.")
                       .otherwise("0"),
                   number("contact_half_length", "m", "Half of the contact length.")
                       .otherwise("0.06")}),
      part("foreign", "Tyre forces by a function in C that the program around has registered.",
           radial_tyre() +
               Attributes{entry("function", Kind::word, "Name of the function.").needed()}),
      part("tmeasy",
           "Tyre forces by curves of five numbers at the nominal load and (_2) at twice that.",
           radial_tyre() + tmeasy_curve("x", "") + tmeasy_curve("x", "_2") + tmeasy_curve("y", "") +
               tmeasy_curve("y", "_2") + tmeasy_trail("") + tmeasy_trail("_2") + tmeasy_others()),
  };
}

}  // namespace semirec
