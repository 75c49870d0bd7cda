#include "vehicles/files/xml/table.hpp"

namespace semirec {

// Rows of drivelines, brakes, air, sensors and controls: what read_drive_parts() reads.

namespace {

Attributes differential() {
  return {choice("differential", {"open", "locked", "limited_slip"}, "Kind of differential.")
              .otherwise("open"),
          number("preload", "N m", "Difference of the two torques that limited slip always holds.")
              .at_least(0.0)
              .otherwise("0"),
          number("bias", "1", "The same over the sum of the two torques.")
              .at_least(0.0)
              .at_most(1.0)
              .otherwise("0"),
          number("share", "1", "Torque to the first axle over that of both, between 0 and 1 alone.")
              .at_least(0.0)
              .at_most(1.0)
              .otherwise("0.5")};
}

Attributes axle_attributes() {
  return Attributes{own_name(),
                    references("wheels", "wheel", "One or two wheels with rims.").needed(),
                    number("ratio", "1", "Speed of the propeller shaft over that of the wheels.")
                        .needed()
                        .above(0.0)} +
         differential() +
         Attributes{
             number("shaft_stiffness", "N m/rad", "Stiffness of each half shaft.")
                 .above(0.0)
                 .otherwise("8000"),
             number("shaft_damping", "N m s/rad", "Damping of each half shaft.")
                 .above(0.0)
                 .otherwise("60"),
             reference("body", "body", "The body that takes the reaction of the half shafts.")
                 .otherwise_as("that of the driveline")};
}

std::vector<ElementRow> driveline_rows() {
  return {
      element(
          "driveline", "From a motor over coupling and gearbox to one or two axles.",
          {own_name(), reference("body", "body", "The body that takes the reaction of the shafts.")
                           .otherwise_as("the chassis")},
          one_of(
              {child("motor"), child("coupling"), child("gearbox"), child("axle"), child("centre")})
              .times(1, kMany)),
      part(
          "motor",
          "Torque between the curves closed (throttle 0) and full (1); of an electric one the "
          "throttle, from -1 to 1, times full.",
          {entry("name", Kind::name, "Its name; nothing calls it."),
           choice("type", {"combustion", "electric"}, "Kind of motor.").otherwise("combustion"),
           number("inertia", "kg m^2", "Inertia about its shaft, with all that turns with it.")
               .needed()
               .above(0.0),
           reference("throttle", "input", "The throttle, 0 to 1; electric: -1 to 1.").needed(),
           number("idle_speed", "rad/s", "Below it the throttle of combustion opens by itself.")
               .above(0.0)
               .otherwise_as("no governor"),
           number("max_speed", "rad/s", "Above it the throttle closes.")
               .above(0.0)
               .otherwise_as("no limit"),
           number("power", "W", "Limit of an electric motor.").above(0.0).otherwise_as("no limit")},
          one_of({child("full", "torque_curve"), child("closed", "torque_curve")}).times(1, 2)),
      part("torque_curve", "Torque over speed, straight in between, constant outside.", {},
           one_of({child("point", "torque_point")}).times(1, kMany)),
      part("torque_point", "One point of a torque curve.",
           {number("speed", "rad/s", "Speed; ascends.").needed(),
            number("torque", "N m", "Torque there.").needed()}),
      part("coupling", "Between motor and gearbox.",
           {choice("type", {"rigid", "clutch", "converter"}, "Kind of coupling.").needed(),
            number("capacity", "N m", "Friction of a clutch.").above(0.0),
            reference("input", "input", "Pedal of a clutch, 0 closed, 1 open.")},
           one_of({child("point", "converter_point")}).times(0, kMany)),
      part("converter_point", "One point of a converter.",
           {number("speed_ratio", "1", "Speed of the turbine over that of the pump; ascends.")
                .needed()
                .at_least(0.0),
            number("torque_ratio", "1", "Torque of the turbine over that of the pump.")
                .needed()
                .above(0.0),
            number("capacity_factor", "rad/s/(N m)^0.5",
                   "Torque of the pump = (speed / factor)^2; above a speed ratio of 0.98 times "
                   "(1 - speed_ratio) / 0.02.")
                .needed()
                .above(0.0)}),
      part("gearbox", "Gears from the first one up.",
           {choice("type", {"manual", "automatic"}, "Who shifts.").needed(),
            number("reverse", "1", "Ratio of the reverse gear.")
                .not_zero("is 0, expected a ratio")
                .otherwise_as("no reverse gear"),
            reference("input", "input",
                      "-1 reverse, 0 neutral, 1 and more the gear or, automatic, drive."),
            number("efficiency", "1", "Power out over power in, whichever side drives.")
                .above(0.0)
                .at_most(1.0)
                .otherwise("1"),
            number("shift_time", "s", "Time without torque at each shift.")
                .at_least(0.0)
                .otherwise("0"),
            number("shift_latency", "s", "Least time from one shift of an automatic to the next.")
                .at_least(0.0)
                .otherwise("0")},
           one_of({child("gear")}).times(1, kMany)),
      part("gear", "One gear.",
           {number("ratio", "1",
                   "Speed of its input over that of its output; falls from gear to gear.")
                .needed()
                .above(0.0),
            number("up", "rad/s", "Input speed above which an automatic shifts up.")
                .above(0.0)
                .otherwise_as("never"),
            number("down", "rad/s", "Input speed below which an automatic shifts down.")
                .at_least(0.0)
                .otherwise("0")}),
      part("axle", "One or two wheels on half shafts behind a differential.", axle_attributes()),
      part("centre", "Differential between two axles.", differential()),
  };
}

std::vector<ElementRow> other_drive_rows() {
  return {
      element("brake", "Friction between rim and carrier of a wheel, up to torque balance input.",
              {own_name(), reference("wheel", "wheel", "A wheel with a rim.").needed(),
               number("torque", "N m", "Torque at input 1.").needed().above(0.0),
               reference("input", "input", "From 0 to 1.").needed(),
               number("balance", "1", "Share of the torque that this brake gets.")
                   .at_least(0.0)
                   .at_most(1.0)
                   .otherwise("1"),
               number("lock_speed", "rad/s",
                      "Below about this speed a held wheel is damped, not rubbed.")
                   .above(0.0)
                   .otherwise("2")}),
      element("hub_torque", "Torque on the rim of a wheel against its carrier, positive forward.",
              {own_name(), reference("wheel", "wheel", "A wheel with a rim.").needed(),
               reference("input", "input", "The torque, N m.").needed()}),
      element(
          "aero",
          "Drag, side force and lift of the air on a body: at least one coefficient of them is "
          "written.",
          {own_name(), reference("body", "body", "The body.").needed(),
           point("point", "Where drag and side force act.").needed(),
           number("area", "m^2", "Reference area.").needed().above(0.0),
           number("density", "kg/m^3", "Density of the air.").above(0.0).otherwise("1.2041"),
           number("drag", "1", "Coefficient of drag.").at_least(0.0).otherwise("0"),
           number("side", "1/rad",
                  "Coefficient of the side force over the sine of the sideslip angle, positive "
                  "against the sideways motion through the air.")
               .at_least(0.0)
               .otherwise("0"),
           number("lift_front", "1", "Coefficient of lift in front, positive along z of the body.")
               .otherwise("0"),
           number("lift_rear", "1",
                  "Coefficient of lift at the rear, positive along z of the body.")
               .otherwise("0"),
           point("front_point", "Where the lift in front acts.").otherwise_as("point"),
           point("rear_point", "Where the lift at the rear acts.").otherwise_as("point"),
           reference("wind_x", "input", "Speed of the wind along world x, m/s."),
           reference("wind_y", "input", "Speed of the wind along world y, m/s.")}),
      element("sensor", "Writes position, velocity, acceleration and angular rate at a point.",
              {own_name(), reference("body", "body", "The body.").needed(),
               point("point", "Where it sits.").needed(),
               entry("rotation", Kind::vector, "Roll, pitch and yaw of its axes from the world's.",
                     "rad")
                   .otherwise("0 0 0")}),
      element("controls", "The inputs that a driver holds.",
              {reference("steering", "input", "The steering input.").otherwise_as("steering"),
               number("steering_ratio", "1, m/rad",
                      "Steering input over the angle of the steering wheel.")
                   .not_zero("is 0, expected the input's part of the steering wheel's angle")
                   .otherwise("1"),
               reference("throttle", "input", "The throttle.").otherwise_as("throttle"),
               reference("brake", "input", "The brake.").otherwise_as("brake"),
               reference("gear", "input", "The gear.").otherwise_as("gear")}),
  };
}

}  // namespace

std::vector<ElementRow> drive_rows() {
  std::vector<ElementRow> rows = driveline_rows();
  for (ElementRow& row : other_drive_rows()) rows.push_back(std::move(row));
  return rows;
}

}  // namespace semirec
