#pragma once

namespace semirec {

// What passes between tyres and their laws. Real: double, or a pack for tyres side by side.

/// What a tyre law is told: the state of the contact in W axes (x forward in the wheel plane, y
/// left, z along the road normal, origin at the contact centre).
template <typename Real>
struct TyreSlipOf {
  Real load{};       ///< along the road normal, not below 0, N
  Real kappa{};      ///< longitudinal slip, -Vsx/|Vx|, Vsx = Vx - omega R_e; positive driving
  Real tan_alpha{};  ///< lateral slip, Vsy/|Vx|; Fy opposes it
  Real gamma{};      ///< inclination against the road, rad; positive: left end of axle up
  Real turn_slip{};  ///< -(yaw rate of the wheel about the normal)/|Vx|, 1/m
  Real speed{};      ///< Vx of the contact centre, signed, m/s
  Real friction = Real{} + 1.0;  ///< of the road, scales the law's own
};

/// What was outside of a law's range, as a sum of these.
namespace tyre_clamped {
inline constexpr unsigned kLoad = 1, kKappa = 2, kAlpha = 4, kGamma = 8;
inline constexpr unsigned kNoAnswer = 16;  ///< of a foreign law
}  // namespace tyre_clamped

/// Road on tyre at the contact centre, W axes, and slopes of the forces over the slips.
template <typename Real>
struct TyreForcesOf {
  Real Fx{}, Fy{};        ///< N
  Real Mx{}, My{}, Mz{};  ///< overturning, rolling resistance, aligning, N m
  Real Fx_kappa{};        ///< N
  Real Fx_tan_alpha{};    ///< N
  Real Fy_kappa{};        ///< N
  Real Fy_tan_alpha{};    ///< N, negative where the tyre guides
};

/// Load on a tyre and its slopes.
template <typename Real>
struct TyreLoadOf {
  Real load{};       ///< N, may be negative: the caller keeps tyres from pulling
  Real stiffness{};  ///< d load / d deflection, N/m
  Real damping{};    ///< d load / d deflection rate, N s/m
};

/// How a tyre is pressed onto the road and turns.
template <typename Real>
struct TyreContactOf {
  Real deflection{};       ///< m, positive pressed in, against the unloaded radius
  Real deflection_rate{};  ///< m/s
  Real omega{};            ///< spin, rad/s
  Real gamma{};            ///< inclination, rad
};

/// What follows from that.
template <typename Real>
struct TyreRollingOf {
  TyreLoadOf<Real> load;  ///< zero without contact and where the tyre would have to pull
  Real radius{};          ///< R_e, m
  Real relaxation_x{};    ///< m
  Real relaxation_y{};
  /// Slip stiffnesses of the upright tyre at this load, N and N/rad, where its law has needed them:
  /// for the law's own forces.
  Real slip_stiffness{}, cornering_stiffness{};
};

}  // namespace semirec
