#include "vehicles/tyre/road_tyre.hpp"

#include <algorithm>
#include <cmath>

#include "vehicles/tyre/calspan.hpp"
#include "vehicles/tyre/touch_down.hpp"

namespace semirec {

namespace {

/// Slip needs a forward speed: below this one it fades into viscous friction, m/s.
constexpr double kSlowSpeed = 0.02;
constexpr double kNoSpeed = 1e-12;  // m/s
constexpr double kStands = 1e-3;    // v0^2 / (v^2 + v0^2): below 0.6 m/s
/// Width of the tread over the radius, for roads that wheels feel over a width.
constexpr double kWidthShare = 0.6;

/// From 0 to 1, level at both ends.
double smooth_step(double s) { return s * s * (3.0 - 2.0 * s); }

}  // namespace

RoadTyre::RoadTyre(const Wheel& wheel, const RoadContact& contact, const RoadMotion& motion)
    : ForceElement(wheel.name, wheel.source),
      wheel_(wheel),
      law_(contact.law),
      lateral_(contact.lateral && wheel.lateral.has_value()),
      roads_(contact.road),
      surface_(contact.surface),
      method_(contact.method),
      motion_(motion) {}

void RoadTyre::bind(const Mechanism& mechanism, TreeModel& model) {
  centre_ = model.attach(wheel_.centre);
  connection_ = model.connect(kGround, wheel_.centre.body);
  const Body& body = mechanism.bodies[static_cast<std::size_t>(wheel_.centre.body)];
  const Eigen::Vector3d design = body.X_WB.p + body.X_WB.A * wheel_.centre.X_BF.p;
  road_ = design.y() >= 0.0 ? roads_.left : roads_.right;
}

RoadTyre::Ground RoadTyre::ground_under(const Eigen::Vector3d& world,
                                        const Eigen::Vector3d& axle) const {
  if (surface_ == nullptr) {
    const CurveValue profile = road_.evaluate(world.x());
    return {profile.f, profile.fd, 0.0, wheel_.radius};
  }
  if (method_ == ContactMethod::point) {
    const RoadPoint point = surface_->evaluate(world.x(), world.y());
    return {point.z, point.z_x, point.z_y, wheel_.radius};
  }
  const WheelContact contact = compute_wheel_contact(*surface_, method_, world, axle, wheel_.radius,
                                                     kWidthShare * wheel_.radius);
  const double z_x = -contact.normal.x() / contact.normal.z();
  const double z_y = -contact.normal.y() / contact.normal.z();
  return {contact.ground.z() + z_x * (world.x() - contact.ground.x()) +
              z_y * (world.y() - contact.ground.y()),
          z_x, z_y, free_height_on(z_x, z_y)};
}

double RoadTyre::free_height_on(double z_x, double z_y) const {
  if (method_ == ContactMethod::point) return wheel_.radius;
  return wheel_.radius * std::sqrt(1.0 + z_x * z_x + z_y * z_y);
}

RoadTyre::Ground RoadTyre::moved_ground_under(const ForceInput& in, const Eigen::Vector3d& world,
                                              const Eigen::Vector3d& axle) const {
  Ground ground = ground_under(world, axle);
  if (!motion_.moves()) return ground;
  const AddedRoadOf<double> added =
      added_road<double>(motion_, [&](InputIndex k) -> const CurveValue& { return in.input(k); });
  ground.z += added.height_at(world.x(), world.y());
  ground.rate = added.rate_at(world.x(), world.y());
  if (!motion_.tilts()) return ground;
  ground.z_x += added.z_x;
  ground.z_y += added.z_y;
  ground.free_height = free_height_on(ground.z_x, ground.z_y);
  if (method_ == ContactMethod::point) return ground;
  // a disc is pressed in where it touches the plane
  const double along =
      (world.z() - ground.z) / (1.0 + ground.z_x * ground.z_x + ground.z_y * ground.z_y);
  ground.rate = added.rate_at(world.x() + along * ground.z_x, world.y() + along * ground.z_y);
  return ground;
}

RoadTyre::Contact RoadTyre::touch(const ForceInput& in, bool with_slip, bool with_reach) const {
  Contact c;
  c.centre = in.position_of(centre_);
  const Eigen::Vector3d world = in.origin() + c.centre;
  const Eigen::Vector3d velocity = velocity_at(in.velocity_of(centre_.body), c.centre);
  const Eigen::Vector3d axle = in.axis_of(centre_, 1);
  const Ground ground = moved_ground_under(in, world, axle);
  c.road = ground.z;

  const double slope = ground.z_x;
  const double bank = ground.z_y;
  const double H = law_ == ContactLaw::normal ? std::sqrt(1.0 + slope * slope + bank * bank) : 1.0;
  c.normal = law_ == ContactLaw::normal ? Eigen::Vector3d(-slope / H, 0.0 - bank / H, 1.0 / H)
                                        : Eigen::Vector3d(0.0, 0.0, 1.0);
  const double gap = world.z() - c.road;
  // down the wheel's middle plane to the road's tangent plane; the vertical law: straight down
  const double lean = law_ == ContactLaw::normal ? axle.dot(c.normal) : 0.0;
  const Eigen::Vector3d up = c.normal - lean * axle;
  c.ground = c.centre - up * (gap / H / std::fmax(1.0 - lean * lean, kLying));
  c.deflection = (ground.free_height - gap) / H;
  c.deflection_rate = (ground.rate + slope * velocity.x() + bank * velocity.y() - velocity.z()) / H;
  c.load = wheel_.stiffness * c.deflection + wheel_.damping * c.deflection_rate;
  c.load_k = wheel_.stiffness;
  c.load_c = wheel_.damping;
  if (wheel_.unilateral)
    fade_in_damping(c.deflection, kTouchDownDepth * wheel_.radius, c.deflection_rate, c.load,
                    c.load_k, c.load_c);
  if (with_reach)
    c.reach =
        wheel_.stiffness > 0.0 ? std::fmin(c.deflection, c.load / wheel_.stiffness) : c.deflection;
  c.carries = !wheel_.unilateral || !(c.deflection <= 0.0 || c.load <= 0.0);
  if (!c.carries) {
    c.load = c.load_k = c.load_c = 0.0;
    if (c.deflection < 0.0) c.deflection = 0.0;
  }
  c.pressed = law_ == ContactLaw::normal ? c.ground : c.centre;
  c.wrench = c.load * make_line(c.pressed, c.normal);
  if (!lateral_ && !with_slip) return c;

  const Eigen::Vector3d forward = axle.cross(c.normal).normalized();
  c.left = c.normal.cross(forward);
  const double v_forward = velocity.dot(forward);
  // slip is that of the wheel's centre while it rolls; what stands slips where it touches the road
  const double square = kSlowSpeed * kSlowSpeed;
  const double standing = square / (v_forward * v_forward + square);
  c.stands = standing > kStands;
  c.slipping = c.centre + smooth_step(standing) * (c.ground - c.centre);
  const Eigen::Vector3d spin = in.velocity_of(centre_.body).tail<3>();
  const Eigen::Vector3d turning = spin - spin.dot(axle) * axle;
  const double v_left = (velocity + turning.cross(c.slipping - c.centre)).dot(c.left);
  c.alpha = std::atan(v_left / std::hypot(v_forward, kSlowSpeed));
  c.gamma = std::asin(std::fmax(-1.0, std::fmin(1.0, axle.dot(c.normal))));
  if (lateral_ && c.load > 0.0) {
    // camber thrust comes with rolling: a tyre at rest leans without pushing sideways
    const LateralForce lateral =
        calspan_lateral(*wheel_.lateral, c.load, c.alpha, (1.0 - standing) * c.gamma);
    const Eigen::Vector3d force = lateral.force * c.left;
    c.wrench += make_line(c.ground, force);
    // the contact trails behind, whichever way the wheel rolls
    c.torque = lateral.torque * v_forward / std::hypot(v_forward, kSlowSpeed);
    c.wrench.tail<3>() += c.torque * c.normal;
    const double cosine = std::cos(c.alpha);
    c.lateral_c = lateral.stiffness * cosine * cosine / std::hypot(v_forward, kSlowSpeed);
    // friction at rest is steep and short: the chord to zero keeps Newton's method from jumping
    // between its ends, where the curve is level
    if (std::abs(v_left) > kNoSpeed)
      c.lateral_c = std::fmax(c.lateral_c, -standing * lateral.force / v_left);
    c.lateral_power = -lateral.force * v_left;
  }
  return c;
}

Footing RoadTyre::compute_footing(const ForceInput& in) const {
  Footing footing;
  footing.centre = in.position_of(centre_);
  const Eigen::Vector3d world = in.origin() + footing.centre;
  const Eigen::Vector3d axle = in.axis_of(centre_, 1);
  const Ground ground = moved_ground_under(in, world, axle);
  const Eigen::Vector3d across(-ground.z_x, -ground.z_y, 1.0);
  const double H = law_ == ContactLaw::normal ? across.norm() : 1.0;
  footing.normal = law_ == ContactLaw::normal ? Eigen::Vector3d(across / H)
                                              : Eigen::Vector3d(Eigen::Vector3d::UnitZ());
  const double gap = world.z() - ground.z;
  footing.ground = footing.centre - footing.normal * (gap / H);
  footing.deflection = (ground.free_height - gap) / H;
  footing.load = wheel_.stiffness * footing.deflection;
  if (wheel_.unilateral) footing.load = std::max(footing.load, 0.0);
  return footing;
}

double RoadTyre::deflection_under(double load) const {
  return wheel_.stiffness > 0.0 ? load / wheel_.stiffness : 0.0;
}

void RoadTyre::add_forces(const ForceInput& in, ForceSink& out) const {
  const Contact c = touch(in, /*with_slip=*/false);
  out.add_wrench(centre_.body, c.wrench);
  // the wrench is complete; the tangent comes with forces of zero size. Deflection and slip are
  // felt at the centre, their forces act on the ground: the symmetric part lies half way
  out.add_line_force(connection_, make_line(0.5 * (c.centre + c.pressed), c.normal), 0.0, c.load_k,
                     c.load_c);
  if (c.lateral_c <= 0.0) return;
  // what stands: half at each of the two, which is no less than the symmetric part of slip at one
  // and force at the other in any direction, so that two iterations are enough
  if (c.stands) {
    for (const Eigen::Vector3d& point : {c.slipping, c.ground})
      out.add_line_force(connection_, make_line(point, c.left), 0.0, 0.0, 0.5 * c.lateral_c);
  } else {
    out.add_line_force(connection_, make_line(0.5 * (c.slipping + c.ground), c.left), 0.0, 0.0,
                       c.lateral_c);
  }
}

ForcePower RoadTyre::report(const ForceInput& in, double* values) const {
  const Contact c = touch(in, /*with_slip=*/true);
  const Vector6& Z = in.velocity_of(centre_.body);
  if (values != nullptr) {
    const Eigen::Vector3d world = in.origin() + c.centre;
    for (int k = 0; k < 3; ++k) {
      values[k] = world[k];
      values[3 + k] = c.wrench[k];
    }
    values[6] = c.alpha;
    values[7] = c.gamma;
    values[8] = c.road;
    if (lateral_) values[9] = c.torque;
  }
  ForcePower power;
  power.open = true;
  if (c.carries) {
    power.stored = 0.5 * wheel_.stiffness * c.deflection * c.deflection;
    power.dissipated = c.load_c * c.deflection_rate * c.deflection_rate + c.lateral_power;
    power.input = c.wrench.dot(Z) + power.dissipated;
  }
  return power;
}

void RoadTyre::measure_contacts(const ForceInput& in, double* pressed) const {
  if (wheel_.unilateral) *pressed = touch(in, /*with_slip=*/false, /*with_reach=*/true).reach;
}

std::vector<Channel> RoadTyre::channels() const {
  const std::string& n = name();
  std::vector<Channel> channels{{n + ".x", "m"},       {n + ".y", "m"},       {n + ".z", "m"},
                                {n + ".Fx", "N"},      {n + ".Fy", "N"},      {n + ".Fz", "N"},
                                {n + ".alpha", "rad"}, {n + ".gamma", "rad"}, {n + ".road", "m"}};
  if (lateral_) channels.push_back({n + ".Mz", "N m"});
  return channels;
}

bool RoadTyre::add_reported_bodies(std::vector<TreeIndex>& bodies) const {
  bodies.push_back(centre_.body);
  return true;
}

}  // namespace semirec
