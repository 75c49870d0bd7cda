#include "vehicles/session/fingerprint.hpp"

#include <concepts>
#include <type_traits>

#include "topology/hash.hpp"

namespace semirec {

namespace {

/// Puts descriptions into a hash, member by member.
class Print {
 public:
  template <typename... Parts>
  void operator()(const Parts&... parts) {
    (put(parts), ...);
  }
  std::uint64_t value() const { return hash_.value(); }

 private:
  void put(double number) { hash_.put(number); }
  template <typename Whole>
  requires std::integral<Whole> || std::is_enum_v<Whole>
  void put(Whole whole) { hash_.put(static_cast<std::uint64_t>(whole)); }
  void put(const std::string& text) { hash_.put(std::string_view(text)); }
  template <typename Derived>
  void put(const Eigen::DenseBase<Derived>& numbers) {
    for (const double number : numbers.reshaped()) put(number);
  }
  void put(const Frame& frame) { (*this)(frame.A, frame.p); }
  template <typename Element>
  void put(const std::vector<Element>& list) {
    put(list.size());
    for (const Element& element : list) put(element);
  }
  template <typename Value>
  void put(const std::optional<Value>& value) {
    put(value.has_value());
    if (value) put(*value);
  }

  void put(const Curve& curve) {
    put(curve.pieces().size());
    for (const Curve::Piece& piece : curve.pieces()) {
      (*this)(piece.from, piece.origin);
      for (const double c : piece.c) put(c);
    }
    put(curve.sines().size());
    for (const Curve::Sine& s : curve.sines())
      (*this)(s.amplitude, s.omega, s.phase, s.rise, s.from, s.to);
  }
  void put(const Marker& marker) { (*this)(marker.body, marker.X_BF); }
  void put(const Body& b) { (*this)(b.name, b.mass, b.com, b.inertia, b.X_WB); }
  void put(const Joint& j) {
    (*this)(j.name, j.type, j.a, j.b, j.placement, j.position, j.velocity, j.held, j.attached);
  }
  void put(const Constraint& c) {
    (*this)(c.name, c.type, c.a, c.b, c.length, c.length_input, c.slide_axis, c.slide_input,
            c.attached);
  }
  void put(const Driver& d) { (*this)(d.name, d.joint, d.coordinate, d.input); }
  void put(const Input& input) { (*this)(input.name, input.curve, input.of, input.factor); }
  void put(const SpringDamper& s) {
    (*this)(s.name, s.a, s.b, s.along_axis, s.axis, s.spring, s.damper, s.active);
  }
  void put(const RotationalSpringDamper& s) { (*this)(s.name, s.a, s.b, s.spring, s.damper); }
  void put(const Bushing& b) { (*this)(b.name, b.a, b.b, b.stiffness, b.damping); }
  void put(const AppliedLoad& l) {
    (*this)(l.name, l.at, l.torque, l.body_axes, l.direction, l.input);
  }
  void put(const CoordinateForce& f) {
    (*this)(f.name, f.joint, f.coordinate, f.spring, f.damper, f.applied, f.lower, f.upper,
            f.stop_stiffness, f.stop_damping);
  }
  void put(const CalspanCoefficients& c) {
    (*this)(c.A0, c.A1, c.A2, c.A3, c.A4, c.B1, c.B3, c.B4, c.SN, c.AF1, c.AF2);
  }
  void put(const Wheel& w) {
    (*this)(w.name, w.centre, w.radius, w.stiffness, w.damping, w.unilateral, w.lateral, w.rim,
            w.tyre_fingerprint);
  }
  void put(const Motor& m) {
    (*this)(m.type, m.inertia, m.full, m.closed, m.throttle, m.idle_speed, m.max_speed, m.power);
  }
  void put(const Coupling& c) {
    (*this)(c.type, c.capacity, c.pedal, c.torque_ratio, c.capacity_factor);
  }
  void put(const Gear& g) { (*this)(g.ratio, g.up, g.down); }
  void put(const Gearbox& g) {
    (*this)(g.automatic, g.selector, g.reverse, g.efficiency, g.shift_time, g.shift_latency,
            g.gears);
  }
  void put(const Differential& d) { (*this)(d.type, d.preload, d.bias); }
  void put(const DrivenAxle& a) {
    (*this)(a.wheels, a.ratio, a.differential, a.shaft_stiffness, a.shaft_damping, a.body);
  }
  void put(const Driveline& d) {
    (*this)(d.name, d.motor, d.coupling, d.gearbox, d.axles, d.centre, d.share);
  }
  void put(const Brake& b) { (*this)(b.name, b.wheel, b.torque, b.balance, b.input, b.lock_speed); }
  void put(const HubTorque& t) { (*this)(t.name, t.wheel, t.input); }
  void put(const Aero& a) {
    (*this)(a.name, a.point, a.area, a.density, a.drag, a.side, a.lift[0], a.lift[1],
            a.lift_point[0], a.lift_point[1], a.wind[0], a.wind[1]);
  }
  void put(const Sensor& s) { (*this)(s.name, s.at); }
  void put(const Excitation& e) { (*this)(e.wheel, e.curve); }
  void put(const EventAction& a) { (*this)(a.switch_index, a.attach, a.at_current); }
  void put(const Event& e) {
    (*this)(e.name, e.time, e.channel, e.level, e.rising, e.repeats, e.actions);
  }

  Fnv64 hash_;
};

}  // namespace

std::uint64_t fingerprint(const Drive& drive, const Scenario& scenario) {
  Print print;
  const Model& model = drive.model;
  const Mechanism& m = model.mechanism;
  print(m.name, m.gravity, m.bodies, m.joints, m.constraints, m.drivers, m.inputs, m.springs,
        m.rotational_springs, m.bushings, m.loads, m.coordinate_forces);
  print(model.formulation, model.n(), model.m(), model.tree.pattern.kind(),
        model.tree.pattern.value_count(), model.forces.size(), model.tree.states);
  for (const auto& force : model.forces) print(force->name(), force->states().count);
  // the markers that events may watch
  for (const Marker& marker : m.markers) print(marker.name, marker);
  print(drive.chassis, drive.speed, drive.start, drive.wheels, drive.settings.events);
  print(drive.drivelines, drive.brakes, drive.hub_torques, drive.aeros, drive.sensors);
  print(scenario.speed_mode, scenario.speed_gain, scenario.contact, scenario.lateral,
        scenario.road.left, scenario.road.right, scenario.excitations);
  if (scenario.surface != nullptr) print(scenario.surface_fingerprint, scenario.contact_method);
  const StepSettings& step = drive.settings.step;
  print(step.h, step.kappa, step.tolerance, step.acceleration_tolerance, step.order_tolerance,
        step.max_iterations, step.max_fixed_point_iterations, step.iterations, step.factorizations,
        step.projections, step.reselect);
  print(std::string(step.scheme.family->name));
  for (const double parameter : step.scheme.parameters) print(parameter);
  return print.value();
}

}  // namespace semirec
