#include "recursive/forces/spring_line.hpp"

namespace semirec {

SpringLine::SpringLine(const SpringDamper& spring, TreeModel& model)
    : a(model.attach(spring.a)),
      b(model.attach(spring.b)),
      connection(model.connect(spring.a.body, spring.b.body)),
      along_axis(spring.along_axis),
      // the axis is written in the body's own frame
      axis(model.bodies[static_cast<std::size_t>(a.body)].X_CB.A * spring.axis) {}

SpringLine::Measure SpringLine::measure(const ForceInput& in) const {
  const Eigen::Vector3d r_a = in.position_of(a);
  const Eigen::Vector3d r_b = in.position_of(b);
  const Eigen::Vector3d d = r_b - r_a;
  Measure m;
  Eigen::Vector3d u;
  if (along_axis) {
    u = in.rotation_of(a.body) * axis;
    m.length = u.dot(d);
  } else {
    m.length = d.norm();
    // points that coincide have no line: no force direction, as for a slack string
    u = m.length > 0.0 ? Eigen::Vector3d(d / m.length) : Eigen::Vector3d::Zero();
  }
  m.line = make_line(r_b, u);
  m.rate = u.dot(velocity_at(in.relative_velocity(a.body, b.body), r_b));
  return m;
}

LineTurning SpringLine::turning(const ForceInput& in, const Measure& m) const {
  const Eigen::Vector3d r_b = in.position_of(b);
  return along_axis ? axis_turning(m.line, r_b, /*axis_on_b=*/false)
                    : distance_turning(m.line, in.position_of(a), r_b, m.length);
}

double design_length(const Mechanism& mechanism, const SpringDamper& spring) {
  const auto pose = [&](BodyIndex body) {
    return body == kGround ? Frame{} : mechanism.bodies[static_cast<std::size_t>(body)].X_WB;
  };
  const Frame X_WA = pose(spring.a.body);
  const Eigen::Vector3d d = (pose(spring.b.body) * spring.b.X_BF).p - (X_WA * spring.a.X_BF).p;
  return spring.along_axis ? (X_WA.A * spring.axis).dot(d) : d.norm();
}

double unloaded_length(const Curve& law, double from) {
  constexpr double kFirst = 1e-3;  // m
  constexpr double kFarthest = 100.0;
  const double force = law.value(from);
  if (force == 0.0) return from;
  // a stretched spring pulls: the zero lies at shorter lengths
  const double way = force > 0.0 ? -1.0 : 1.0;
  double loaded = from;
  for (double reach = kFirst; reach <= kFarthest; reach *= 2.0) {
    double unloaded = from + way * reach;
    if (law.value(unloaded) * force > 0.0) {
      loaded = unloaded;
      continue;
    }
    // to the last digit
    for (int k = 0; k < 2000; ++k) {
      const double middle = 0.5 * (loaded + unloaded);
      if (middle == loaded || middle == unloaded) break;
      (law.value(middle) * force > 0.0 ? loaded : unloaded) = middle;
    }
    return unloaded;
  }
  return from;
}

}  // namespace semirec
