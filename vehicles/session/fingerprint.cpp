#include "vehicles/session/fingerprint.hpp"

#include "topology/mechanism_fingerprint.hpp"

namespace semirec {

/// The size is for pictures alone.
static void put_into(Fingerprint& fingerprint, const Wheel& whole) {
  const auto& [name, centre, radius, stiffness, damping, unilateral, lateral, rim, law, size,
               friction_scale, turning_friction, source] = whole;
  fingerprint(name, centre, radius, stiffness, damping, unilateral, lateral, rim, law != nullptr,
              friction_scale, turning_friction);
  if (law != nullptr) law->put_into(fingerprint);
}

static void put_into(Fingerprint& fingerprint, const Motor& whole) {
  const auto& [type, inertia, full, closed, throttle, idle_speed, max_speed, power] = whole;
  fingerprint(type, inertia, full, closed, throttle, idle_speed, max_speed, power);
}

static void put_into(Fingerprint& fingerprint, const Coupling& whole) {
  const auto& [type, capacity, pedal, torque_ratio, capacity_factor] = whole;
  fingerprint(type, capacity, pedal, torque_ratio, capacity_factor);
}

static void put_into(Fingerprint& fingerprint, const Gear& whole) {
  const auto& [ratio, up, down] = whole;
  fingerprint(ratio, up, down);
}

static void put_into(Fingerprint& fingerprint, const Gearbox& whole) {
  const auto& [automatic, selector, reverse, efficiency, shift_time, shift_latency, gears] = whole;
  fingerprint(automatic, selector, reverse, efficiency, shift_time, shift_latency, gears);
}

static void put_into(Fingerprint& fingerprint, const Differential& whole) {
  const auto& [type, preload, bias] = whole;
  fingerprint(type, preload, bias);
}

static void put_into(Fingerprint& fingerprint, const DrivenAxle& whole) {
  const auto& [name, wheels, ratio, differential, shaft_stiffness, shaft_damping, body, source] =
      whole;
  fingerprint(name, wheels, ratio, differential, shaft_stiffness, shaft_damping, body);
}

static void put_into(Fingerprint& fingerprint, const Driveline& whole) {
  const auto& [name, motor, coupling, gearbox, axles, centre, share, source] = whole;
  fingerprint(name, motor, coupling, gearbox, axles, centre, share);
}

static void put_into(Fingerprint& fingerprint, const Brake& whole) {
  const auto& [name, wheel, torque, balance, input, lock_speed, source] = whole;
  fingerprint(name, wheel, torque, balance, input, lock_speed);
}

static void put_into(Fingerprint& fingerprint, const HubTorque& whole) {
  const auto& [name, wheel, input, source] = whole;
  fingerprint(name, wheel, input);
}

static void put_into(Fingerprint& fingerprint, const Aero& whole) {
  const auto& [name, point, area, density, drag, side, lift, lift_point, wind, source] = whole;
  fingerprint(name, point, area, density, drag, side, lift, lift_point, wind);
}

static void put_into(Fingerprint& fingerprint, const Sensor& whole) {
  const auto& [name, at, source] = whole;
  fingerprint(name, at);
}

/// All but the mechanism, which the drive has with the scenario's inputs.
static void put_into(Fingerprint& fingerprint, const Vehicle& vehicle) {
  // units, notes, shapes, controls, overrides and scales say nothing that the rest does not: no
  // step reads them; equations count as the drive's element has them
  const auto& [mechanism, chassis, wheels, unit_marks, notes, drivelines, brakes, hub_torques,
               aeros, sensors, equations, shapes, controls, overrides, scales] = vehicle;
  fingerprint(chassis, wheels, drivelines, brakes, hub_torques, aeros, sensors);
}

static void put_into(Fingerprint& fingerprint, const Road& whole) {
  const auto& [left, right] = whole;
  fingerprint(left, right);
}

static void put_into(Fingerprint& fingerprint, const Excitation& whole) {
  const auto& [wheel, curve, source] = whole;
  fingerprint(wheel, curve);
}

static void put_into(Fingerprint& fingerprint, const RoadPlane& whole) {
  const auto& [wheel, x, y, height, slope_x, slope_y, friction, source] = whole;
  fingerprint(wheel, x, y, height, slope_x, slope_y, friction);
}

static void put_into(Fingerprint& fingerprint, const EventAction& whole) {
  const auto& [switch_index, attach, at_current] = whole;
  fingerprint(switch_index, attach, at_current);
}

static void put_into(Fingerprint& fingerprint, const Event& whole) {
  const auto& [name, source, time, channel, level, rising, repeats, actions] = whole;
  fingerprint(name, time, channel, level, rising, repeats, actions);
}

/// What the drive does not have in a form of its own.
static void put_into(Fingerprint& fingerprint, const Scenario& scenario) {
  // step, scheme, closing, projection, iterations, tolerance, contacts' cuts, inputs, events and
  // overrides count as the drive has them; name, end, notes, scenery and what is recorded do not
  const auto& [name, step, until, record, scheme, closing, projection, iterations, tolerance,
               error_tolerance, longest_step, cut_contacts, start, at_origin, speed, speed_mode,
               speed_gain, contact, contact_method, lateral, road, surface, road_notes, inputs,
               excitations, road_planes, events, overrides, markers, reactions, bodies, efforts,
               scenery, source] = scenario;
  fingerprint(start, speed, speed_mode, speed_gain, contact, lateral, road, excitations,
              surface != nullptr);
  if (at_origin) fingerprint(at_origin);
  if (!road_planes.empty()) fingerprint(road_planes);
  if (surface == nullptr) return;
  fingerprint(contact_method);
  surface->put_into(fingerprint);
}

static void put_into(Fingerprint& fingerprint, const SchemeChoice& choice) {
  const auto& [family, parameters] = choice;
  fingerprint(family->name, parameters);
}

static void put_into(Fingerprint& fingerprint, const StepSettings& settings) {
  const auto& [h, scheme, closing, kappa, tolerance, acceleration_tolerance, order_tolerance,
               max_iterations, max_fixed_point_iterations, iterations, factorizations,
               error_tolerance, settled_bound, projections, reselect, classic_euler_parameters,
               ends_on_breakpoint] = settings;
  // settled_bound judges a step and changes none; ends_on_breakpoint is the run's, not a setting
  fingerprint(h, scheme, static_cast<int>(closing), kappa, tolerance, acceleration_tolerance,
              order_tolerance, max_iterations, max_fixed_point_iterations, iterations,
              factorizations, error_tolerance, projections, reselect, classic_euler_parameters);
}

std::uint64_t fingerprint(const Vehicle& vehicle, const Scenario& scenario, const Drive& drive) {
  Fingerprint fingerprint;
  const Model& model = drive.model;
  fingerprint(model.mechanism);
  fingerprint(std::string(model.formulation->name()), model.n(), model.m(),
              model.tree.pattern.kind(), model.tree.pattern.value_count(), model.forces.size(),
              model.tree.states);
  for (const auto& force : model.forces) {
    fingerprint(force->name(), force->states().count);
    force->put_into(fingerprint);
  }
  fingerprint(vehicle, scenario, drive.settings.events, drive.settings.step);
  return fingerprint.value();
}

}  // namespace semirec
