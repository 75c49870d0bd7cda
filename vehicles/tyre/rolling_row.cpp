#include "vehicles/tyre/rolling_row.hpp"

#include "vehicles/tyre/sliding_friction.hpp"

namespace semirec {

namespace {

Pack3 lift(const Eigen::Vector3d& v) {
  return {broadcast(v.x()), broadcast(v.y()), broadcast(v.z())};
}

std::vector<std::shared_ptr<const TyreLaw>> laws_of(const std::vector<const RollingTyre*>& tyres) {
  std::vector<std::shared_ptr<const TyreLaw>> laws;
  for (const RollingTyre* tyre : tyres) laws.push_back(tyre->law());
  return laws;
}

/// Whether the law works out tyres together at all.
bool works_together(const RollingTyre& tyre) {
  return tyre.law()->make_row({tyre.law()}) != nullptr;
}

}  // namespace

bool RollingRow::go_together(const std::vector<const RollingTyre*>& tyres,
                             const RollingTyre& next) {
  const RollingTyre& first = *tyres.front();
  if (tyres.size() == kMost || !(rolling_terms_of(first) == rolling_terms_of(next)) ||
      (first.road().plane() == nullptr) != (next.road().plane() == nullptr) ||
      first.motion().tilts() != next.motion().tilts())
    return false;
  if (!works_together(first)) return !works_together(next);
  std::vector<std::shared_ptr<const TyreLaw>> laws = laws_of(tyres);
  laws.push_back(next.law());
  return first.law()->make_row(laws) != nullptr;
}

RollingRow::RollingRow(const std::vector<const RollingTyre*>& tyres,
                       const std::vector<int>& first_states)
    : count_(static_cast<int>(tyres.size())),
      roads_(tyres),
      friction_scale_(number_of_cars<Pack>(
          tyres, [](const RollingTyre& own) { return own.numbers().friction_scale; })),
      numbers_(rolling_numbers_of<Pack>(tyres)),
      terms_(rolling_terms_of(*tyres.front())),
      laws_(make_tyre_row(laws_of(tyres))) {
  for (int l = 0; l < kMost; ++l) {
    const std::size_t k = l < count_ ? static_cast<std::size_t>(l) : 0;
    const RollingTyre& own = *tyres[k];
    const auto lane = static_cast<std::size_t>(l);
    rim_[lane] = own.rim().body;
    motion_[lane] = own.motion();
    moves_ = moves_ || own.motion().moves();
    connection_[lane] = own.connection();
    first_[lane] = first_states[k];
  }
  const auto rim = [](const RollingTyre& own) -> const auto& { return own.rim().X_CF; };
  p_ = vector_of_cars<Pack>(tyres, [&](const RollingTyre& own) { return rim(own).p; });
  y_ = vector_of_cars<Pack>(
      tyres, [&](const RollingTyre& own) -> Eigen::Vector3d { return rim(own).A.col(1); });
}

void RollingRow::find_road_motion(const ForceInput& in, RimMotionOf<Pack>& rim) const {
  std::array<AddedRoadOf<double>, kMost> added;
  for (std::size_t k = 0; k < count(); ++k)
    added[k] = added_road<double>(
        motion_[k], [&](InputIndex input) -> const CurveValue& { return in.input(input); });
  const auto pack = [&](double AddedRoadOf<double>::*which) {
    return from_lanes<Pack>([&](int l) { return added[static_cast<std::size_t>(l)].*which; });
  };
  using Added = AddedRoadOf<double>;
  rim.added.z = pack(&Added::z);
  rim.added.rate = pack(&Added::rate);
  rim.tilts = motion_[0].tilts();
  if (!rim.tilts) return;
  rim.added.z_x = pack(&Added::z_x);
  rim.added.z_y = pack(&Added::z_y);
  rim.added.rate_x = pack(&Added::rate_x);
  rim.added.rate_y = pack(&Added::rate_y);
  const Pack friction = from_lanes<Pack>(
      [&](int l) { return in.input(motion_[static_cast<std::size_t>(l)].friction, 1.0); });
  rim.friction = larger_of(friction, Pack{});
}

void RollingRow::meet_road(const ForceInput& in, Place& p) const {
  const auto rotation = [&](int l) -> const Eigen::Matrix3d& {
    return in.rotation_of(rim_[static_cast<std::size_t>(l)]);
  };
  const auto column = [&](int k) -> Pack3 {
    return {from_lanes<Pack>([&](int l) { return rotation(l)(0, k); }),
            from_lanes<Pack>([&](int l) { return rotation(l)(1, k); }),
            from_lanes<Pack>([&](int l) { return rotation(l)(2, k); })};
  };
  const auto body = [&](int l) { return rim_[static_cast<std::size_t>(l)]; };
  const PackMatrix3 A{column(0), column(1), column(2)};
  const auto place = [&](int k) {
    return from_lanes<Pack>([&](int l) { return in.place_of(body(l))[k]; });
  };
  const auto rate = [&](int k) {
    return from_lanes<Pack>([&](int l) { return in.velocity_of(body(l))[k]; });
  };
  p.rim.centre = Pack3(place(0), place(1), place(2)) + A * p_;
  p.rim.axle = A * y_;
  p.rim.Z = {{rate(0), rate(1), rate(2)}, {rate(3), rate(4), rate(5)}};
  if (moves_) find_road_motion(in, p.rim);
  find_wheel_place(roads_, friction_scale_, lift(in.origin()), p.rim, (1U << count()) - 1U, p.at);
  p.contact.deflection = p.at.deflection;
  p.contact.deflection_rate = p.at.deflection_rate;
  p.contact.omega = p.at.omega;
  p.contact.gamma = arc_sine(p.at.lean);
  p.turn = p.at.turn;
  p.friction = p.at.friction;
  p.Vx = p.at.Vx;
  p.Vsy = p.at.Vsy;
}

void RollingRow::roll(Place& p) const {
  p.rolling = laws_->roll(p.contact);
  find_slip_speeds(numbers_, terms_, p);
}

PatchDeflectionOf<Pack> RollingRow::eliminate(const ForceInput& in, const Place& p) const {
  const auto state = [&](int l, int k) { return first_[static_cast<std::size_t>(l)] + k; };
  return eliminate_deflection<Pack>(
      terms_, p, in.gain(),
      [&](int k) { return from_lanes<Pack>([&](int l) { return in.x_hat(state(l, k)); }); },
      [&](int k) { return from_lanes<Pack>([&](int l) { return in.xd_hat(state(l, k)); }); });
}

void RollingRow::ask(const ForceInput& in, Asked& asked) const {
  meet_road(in, asked);
  roll(asked);
  asked.deflection = eliminate(in, asked);
  asked.slips = compute_slips<Pack>(numbers_, asked, asked.deflection);
  const TyreSlipOf<Pack> told = to_law<Pack>(terms_, asked, asked.slips);
  asked.clamped = PackMask{};
  asked.forces = laws_->forces(told, &asked.rolling, asked.clamped);
  if (terms_.slides_as_one) turn_against_sliding(told, asked.forces);
  if (terms_.turns) asked.forces.Mz -= asked.turned.stiffness * asked.deflection.twist;
}

void RollingRow::add_forces(const ForceInput& in, ForceSink& out) const {
  Asked asked;
  ask(in, asked);
  const PatchDeflectionOf<Pack>& d = asked.deflection;
  const TangentWeights& weights = in.weights();
  const bool with_tangent = weights.stiffness != 0.0 || weights.damping != 0.0;
  const PatchPushOf<Pack> push = find_push<Pack>(asked, d, asked.slips, asked.forces, with_tangent);
  PackSix wrench = patch_wrench(asked.at, push);
  if (with_tangent && weights.lead != 0.0)
    wrench = wrench + patch_lead(asked.at, push, weights.lead);
  for (std::size_t k = 0; k < count(); ++k) {
    const auto l = static_cast<int>(k);
    out.set_x(first_[k], d.u[l]);
    out.set_x(first_[k] + 1, d.v[l]);
    if (terms_.turns) out.set_x(first_[k] + 2, d.twist[l]);
  }
  out.add_wrenches({rim_.data(), count()}, wrench);
  if (with_tangent)
    out.add_six_axis_tangents({connection_.data(), count()},
                              patch_tangent(asked.at, push, weights));
}

void RollingRow::update_states(const ForceInput& in, StateSink& out) const {
  Place p;
  meet_road(in, p);
  roll(p);
  const PatchDeflectionOf<Pack> d = eliminate(in, p);
  const Pack ud = -p.drag_x - p.leak_x * d.u;
  const Pack vd = p.drag_y - p.leak_y * d.v;
  const Pack twist_rate = terms_.turns ? p.turned.drag - p.turned.leak * d.twist : Pack{};
  for (std::size_t k = 0; k < count(); ++k) {
    const auto l = static_cast<int>(k);
    const int first = first_[k];
    out.set_x(first, d.u[l]);
    out.set_x(first + 1, d.v[l]);
    out.set_xd(first, ud[l]);
    out.set_xd(first + 1, vd[l]);
    if (!terms_.turns) continue;
    out.set_x(first + 2, d.twist[l]);
    out.set_xd(first + 2, twist_rate[l]);
  }
}

ForcePower RollingRow::report(const ForceInput& in, double* values) const {
  Asked asked;
  ask(in, asked);
  const WheelPlaceOf<Pack>& at = asked.at;
  const PatchDeflectionOf<Pack>& d = asked.deflection;
  const PatchPushOf<Pack> push =
      find_push<Pack>(asked, d, asked.slips, asked.forces, /*with_tangent=*/false);
  const Pack3 force = push.Fx * at.x + push.Fy * at.y + push.load * at.n;
  const Pack3 moment = push.Mx * at.x + push.My * at.y + push.Mz * at.n;
  const PackMask carries = push.load > Pack{};
  if (values != nullptr) {
    const Pack3 world = lift(in.origin()) + asked.rim.centre;
    const Pack height = in.origin().z() + at.ground.z;
    const Pack alpha = arc_tangent(asked.slips.tan_alpha);
    for (int l = 0; l < count_; ++l, values += RollingTyre::kChannels) {
      values[0] = world.x[l];
      values[1] = world.y[l];
      values[2] = world.z[l];
      values[3] = force.x[l];
      values[4] = force.y[l];
      values[5] = force.z[l];
      values[6] = alpha[l];
      values[7] = asked.contact.gamma[l];
      values[8] = height[l];
      values[9] = asked.slips.kappa[l];
      values[10] = at.omega[l];
      values[11] = push.Fx[l];
      values[12] = push.Fy[l];
      values[13] = asked.rolling.load.load[l];
      values[14] = push.Mx[l];
      values[15] = push.My[l];
      values[16] = push.Mz[l];
      values[17] = carries[l] != 0 ? static_cast<double>(asked.clamped[l]) : 0.0;
    }
  }
  const Pack none{};
  const Pack twisted = asked.turned.stiffness * d.twist * d.twist;
  const Pack damped = asked.rolling.load.damping * at.deflection_rate;
  const Pack stored =
      select(carries, 0.5 * (push.load - damped) * at.deflection + 0.5 * twisted, none);
  const Pack dissipated =
      select(carries,
             damped * at.deflection_rate - push.Fx * asked.Vsx - push.Fy * asked.Vsy -
                 push.My * at.omega + asked.turned.leak * twisted,
             none);
  const PackSix wrench{force, cross(at.ground, force) + moment};
  const Pack power = dot(wrench, at.Z);
  ForcePower sum;
  sum.open = true;
  for (int l = 0; l < count_; ++l) {
    sum.stored += stored[l];
    sum.dissipated += dissipated[l];
    sum.input += power[l] + dissipated[l];
  }
  return sum;
}

}  // namespace semirec
