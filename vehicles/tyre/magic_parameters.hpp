#pragma once

#include <memory>
#include <string>
#include <vector>

#include "recursive/packs/number_functions.hpp"
#include "vehicles/tyre/tir_file.hpp"
#include "vehicles/tyre/tyre_law.hpp"

namespace semirec {

/// Side of the car on which a wheel is mounted, or for which a tyre was measured.
enum class Side { left, right };

enum class MagicVersion {
  mf52,     ///< FITTYP 5, 6, 51, 52 and MF_05
  pac2002,  ///< as 5.2, with the inflation pressure, large camber and more moments of 6.x
  mf6       ///< FITTYP 60, 61, 62
};

/// Coefficients under the names of the property files; no units, angles in rad. N: double, or a
/// pack for those of several tyres; numbers of N and nothing else.
template <typename N>
struct MagicCoefficientsOf {
  // scale factors
  N LFZO = as<N>(1), LCX = as<N>(1), LMUX = as<N>(1), LEX = as<N>(1), LKX = as<N>(1),
    LHX = as<N>(1), LVX = as<N>(1), LGAX = as<N>(1);
  N LCY = as<N>(1), LMUY = as<N>(1), LEY = as<N>(1), LKY = as<N>(1), LHY = as<N>(1), LVY = as<N>(1),
    LGAY = as<N>(1), LKYC = as<N>(1), LKZC = as<N>(1);
  N LTR = as<N>(1), LRES = as<N>(1), LGAZ = as<N>(1), LXAL = as<N>(1), LYKA = as<N>(1),
    LVYKA = as<N>(1), LS = as<N>(1), LMP = as<N>(1);
  N LMX = as<N>(1), LVMX = as<N>(1), LMY = as<N>(1), LSGKP = as<N>(1), LSGAL = as<N>(1),
    LCZ = as<N>(1), LIP = as<N>(1);
  // longitudinal
  N PCX1{}, PDX1{}, PDX2{}, PDX3{}, PEX1{}, PEX2{}, PEX3{}, PEX4{};
  N PKX1{}, PKX2{}, PKX3{}, PHX1{}, PHX2{}, PVX1{}, PVX2{};
  N PPX1{}, PPX2{}, PPX3{}, PPX4{};
  N RBX1{}, RBX2{}, RBX3{}, RCX1 = as<N>(1), REX1{}, REX2{}, RHX1{};
  N PTX1{}, PTX2{}, PTX3{};
  // lateral
  N PCY1{}, PDY1{}, PDY2{}, PDY3{}, PEY1{}, PEY2{}, PEY3{}, PEY4{}, PEY5{};
  N PKY1{}, PKY2{}, PKY3{}, PKY4 = as<N>(2), PKY5{}, PKY6{}, PKY7{};
  N PHY1{}, PHY2{}, PHY3{}, PVY1{}, PVY2{}, PVY3{}, PVY4{};
  N PPY1{}, PPY2{}, PPY3{}, PPY4{}, PPY5{};
  N RBY1{}, RBY2{}, RBY3{}, RBY4{}, RCY1 = as<N>(1), REY1{}, REY2{}, RHY1{}, RHY2{};
  N RVY1{}, RVY2{}, RVY3{}, RVY4{}, RVY5{}, RVY6{};
  N PTY1{}, PTY2{};
  // overturning and rolling
  N QSX1{}, QSX2{}, QSX3{}, QSX4{}, QSX5{}, QSX6{}, QSX7{}, QSX8{}, QSX9{};
  N QSX10{}, QSX11{}, QSX12{}, QSX13{}, QSX14{}, PPMX1{};
  N QSY1{}, QSY2{}, QSY3{}, QSY4{}, QSY5{}, QSY6{}, QSY7{}, QSY8{};
  // aligning
  N QBZ1{}, QBZ2{}, QBZ3{}, QBZ4{}, QBZ5{}, QBZ9{}, QBZ10{}, QCZ1{};
  N QDZ1{}, QDZ2{}, QDZ3{}, QDZ4{}, QDZ6{}, QDZ7{}, QDZ8{}, QDZ9{};
  N QDZ10{}, QDZ11{}, QEZ1{}, QEZ2{}, QEZ3{}, QEZ4{}, QEZ5{};
  N QHZ1{}, QHZ2{}, QHZ3{}, QHZ4{}, PPZ1{}, PPZ2{};
  N SSZ1{}, SSZ2{}, SSZ3{}, SSZ4{};
  // turn slip
  N PDXP1{}, PDXP2{}, PDXP3{}, PKYP1{}, PDYP1{}, PDYP2{}, PDYP3{}, PDYP4{};
  N PHYP1{}, PHYP2{}, PHYP3{}, PHYP4{}, PECP1{}, PECP2{};
  N QDTP1{}, QCRP1{}, QCRP2{}, QBRP1{}, QDRP1{}, QDRP2{};
  // radial; those of MF 6 also with an underscore behind the Q
  N BREFF{}, DREFF{}, FREFF{};
  N QRE0 = as<N>(1), QV1{}, QV2{}, QFZ1{}, QFZ2{}, PFZ1{};
  N PCFX1{}, PCFX2{}, PCFX3{}, PCFY1{}, PCFY2{}, PCFY3{};

  bool operator==(const MagicCoefficientsOf&) const = default;
};
using MagicCoefficients = MagicCoefficientsOf<double>;

/// A point of a measured load curve.
struct LoadPoint {
  double deflection = 0.0;  ///< m
  double load = 0.0;        ///< N

  bool operator==(const LoadPoint&) const = default;
};

/// All that a Magic Formula tyre knows, SI, W axes of ISO.
template <typename N>
struct MagicParametersOf {
  MagicVersion version = MagicVersion::mf6;
  MagicCoefficientsOf<N> c;

  N R0{};                             ///< unloaded radius, m
  N Fz0{};                            ///< nominal load, N
  N vertical_stiffness{};             ///< N/m
  N vertical_damping{};               ///< N s/m
  N longitudinal_stiffness{};         ///< of the carcass, N/m; 0: unknown
  N lateral_stiffness{};              ///< N/m; 0: unknown
  std::vector<LoadPoint> load_curve;  ///< empty: vertical stiffness

  N pressure_change{};       ///< relative to the nominal inflation pressure
  N V0 = as<N>(16.7);        ///< speed of measurement, m/s
  N low_speed = as<N>(1.0);  ///< below it, offsets and direction of travel fade, m/s

  // where the coefficients hold; what lies beyond is held at the border
  N kappa_min = as<N>(-1.5), kappa_max = as<N>(1.5);
  N alpha_min = as<N>(-1.5707), alpha_max = as<N>(1.5707);  ///< rad
  N gamma_min = as<N>(-0.2618), gamma_max = as<N>(0.2618);  ///< rad
  N load_min{}, load_max{};                                 ///< N

  bool longitudinal = true;  ///< Fx, My
  bool lateral = true;       ///< Fy, Mx, Mz
  bool combined = true;      ///< each force reduced by the other slip
  bool weighted = true;      ///< by the weights of the file; false: by the ellipse of friction
  bool turn_slip = false;
  bool mirrored = false;  ///< mounted on the side other than the measured one

  bool operator==(const MagicParametersOf&) const = default;
};
using MagicParameters = MagicParametersOf<double>;

/// Takes the parameters out of a property file. `notes` receives a line for each thing that is not
/// honoured or was assumed.
///
/// Throws ModelError: a format that is no Magic Formula, keys missing, values that no tyre has.
MagicParameters read_magic_parameters(const TirFile& tir, Side mounted,
                                      std::vector<std::string>& notes);

}  // namespace semirec
