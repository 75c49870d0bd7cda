#pragma once

#include <memory>

#include "vehicles/tyre/magic_numbers.hpp"
#include "vehicles/tyre/magic_row.hpp"

namespace semirec {

/// Magic Formula in steady state: 5.2, PAC2002, 6.1 and 6.2.
///
/// Slips, camber and load outside of their ranges are held at the border and reported. Below the
/// least load forces fall in proportion to the load. Below the low speed shifts of the curves fade:
/// a tyre at rest has no ply steer, and no camber thrust or moment.
class MagicTyre final : public TyreLaw {
 public:
  explicit MagicTyre(const MagicParameters& parameters);

  double unloaded_radius() const override { return p_->R0; }
  double nominal_load() const override { return p_->Fz0; }
  TyreLoad load(double deflection, double deflection_rate, double omega) const override;
  double effective_radius(double load, double omega) const override;
  double relaxation_x(double load, double gamma) const override;
  double relaxation_y(double load, double gamma) const override;
  TyreForces forces(const TyreSlip& slip) const override;
  void put_into(Fingerprint& fingerprint) const override;
  double free_radius(double omega) const override;
  bool fades_camber() const override { return true; }
  bool slides_as_one() const override { return p_->combined && p_->longitudinal && p_->lateral; }
  /// Tyres of the same numbers, mirrored or not.
  std::unique_ptr<const TyreRow> make_row(
      const std::vector<std::shared_ptr<const TyreLaw>>& laws) const override;

  const MagicNumbers& parameters() const { return *p_; }

 private:
  std::shared_ptr<const MagicNumbers> p_;
  MagicRow alone_;
};

}  // namespace semirec
