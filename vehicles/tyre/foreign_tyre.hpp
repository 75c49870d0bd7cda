#pragma once

#include <string>

#include "vehicles/tyre/simple_tyre.hpp"

namespace semirec {

extern "C" {

/// What a tyre in C is told. SI; W axes of ISO at the contact centre (x forward, y left, z along
/// the road normal), meanings as in TyreSlip.
struct ForeignTyreState {
  double load;       ///< N
  double kappa;      ///< longitudinal slip
  double tan_alpha;  ///< lateral slip
  double gamma;      ///< inclination, rad
  double turn_slip;  ///< 1/m
  double speed;      ///< forward, m/s
  double friction;   ///< of the road
};

/// What it answers: road on tyre at the contact centre.
struct ForeignTyreForces {
  double Fx, Fy;      ///< N
  double Mx, My, Mz;  ///< N m
};

/// Fills `forces`, which come as zeros. It is called many times a step, from several threads, and
/// must be a function of the state alone. Whatever is not 0 tells that it has no answer.
typedef int (*ForeignTyreFunction)(const ForeignTyreState* state, ForeignTyreForces* forces,
                                   void* user);
}

/// A tyre that somebody else computes, in the manner of the Standard Tyre Interface cut down to its
/// steady state: the caller finds the contact, the load and the slips, the function answers with
/// forces in W axes. It cannot keep states of its own, sees no road but its friction, and takes no
/// part in vertical load, radius and relaxation, which `radial` describes. Slopes come from central
/// differences (four calls more). No answer or one that is not finite counts as no force, and as
/// clamped. Whether the function allocates or throws is its owner's matter: it must do neither.
class ForeignTyre final : public SimpleTyre {
 public:
  /// Throws ModelError without a function. `user` must outlive the tyre. Functions of one name
  /// count as the same law (put_into()): the function itself has another address in every run.
  ForeignTyre(const RadialTyre& radial, std::string name, ForeignTyreFunction function, void* user);
  TyreForces forces(const TyreSlip& slip) const override;
  void put_into(Fingerprint& fingerprint) const override;

 private:
  bool ask(const TyreSlip& slip, ForeignTyreForces& forces) const;

  std::string name_;
  ForeignTyreFunction function_;
  void* user_;
};

}  // namespace semirec
