#include "recursive/forces/standard_forces.hpp"

namespace semirec {

void SpringDamperForce::bind(const Mechanism& mechanism, TreeModel& model) {
  line_ = SpringLine(spring_, model);
  if (!spring_.spring.is_zero())
    potential_zero_ =
        spring_.spring.integral(unloaded_length(spring_.spring, design_length(mechanism, spring_)));
}

SpringDamperForce::Law SpringDamperForce::evaluate(const ForceInput& in,
                                                   const SpringLine::Measure& m) const {
  const CurveValue spring = spring_.spring.evaluate(m.length);
  const CurveValue damper = spring_.damper.evaluate(m.rate);
  const double of_spring = in.input(spring_.spring_factor, 1.0);
  const double of_damper = in.input(spring_.damper_factor, 1.0);
  return {of_spring * spring.f + of_damper * damper.f + in.input(spring_.applied, 0.0),
          of_spring * spring.fd, of_damper * damper.fd, of_spring, of_damper * damper.f};
}

void SpringDamperForce::add_forces(const ForceInput& in, ForceSink& out) const {
  const SpringLine::Measure m = line_.measure(in);
  const Law law = evaluate(in, m);
  out.add_line_force(line_.connection, m.line, law.tension, law.stiffness, law.damping);
}

void SpringDamperForce::add_derivatives(const ForceInput& in, ForceDerivatives& out) const {
  const SpringLine::Measure m = line_.measure(in);
  const Law law = evaluate(in, m);
  out.add_line_force(in, line_.connection, m.line, law.tension, law.stiffness, law.damping,
                     line_.turning(in, m));
}

ForcePower SpringDamperForce::report(const ForceInput& in, double* values) const {
  const SpringLine::Measure m = line_.measure(in);
  const Law law = evaluate(in, m);
  if (values != nullptr) {
    *values++ = m.length;
    if (moves()) *values++ = m.rate;
    *values++ = law.tension;
  }
  ForcePower power;
  if (!spring_.spring.is_zero())
    power.stored = law.spring_factor * (spring_.spring.integral(m.length) - potential_zero_);
  power.dissipated = law.damping_force * m.rate;
  if (spring_.spring_factor != kNoInput) {  // what it stores changes with the factor
    power.open = true;
    power.input = (law.damping_force - law.tension) * m.rate;
  } else {
    power.input = -in.input(spring_.applied, 0.0) * m.rate;
  }
  return power;
}

void SpringDamperForce::measure_contacts(const ForceInput& in, double* pressed) const {
  const double length = line_.measure(in).length;
  for (const ContactEdge& edge : edges_) *pressed++ = edge.pressed(length);
}

std::vector<Channel> SpringDamperForce::channels() const {
  std::vector<Channel> channels{{name() + ".length", "m"}};
  if (moves()) channels.push_back({name() + ".rate", "m/s"});
  channels.push_back({name() + ".force", "N"});
  return channels;
}

bool SpringDamperForce::add_reported_bodies(std::vector<TreeIndex>& bodies) const {
  bodies.insert(bodies.end(), {line_.a.body, line_.b.body});
  return true;
}

}  // namespace semirec
