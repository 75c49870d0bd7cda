#pragma once

#include <memory>
#include <string>
#include <vector>

#include "vehicles/tyre/tir_file.hpp"
#include "vehicles/tyre/tyre_law.hpp"

namespace semirec {

/// Side of the car on which a wheel is mounted, or for which a tyre was measured.
enum class Side { left, right };

enum class MagicVersion {
  mf52,     ///< FITTYP 5, 6, 51, 52 and MF_05
  pac2002,  ///< as 5.2, with inflation pressure and more moments
  mf6       ///< FITTYP 60, 61, 62
};

/// Coefficients under the names of the property files; no units, angles in rad.
struct MagicCoefficients {
  // scale factors
  double LFZO = 1, LCX = 1, LMUX = 1, LEX = 1, LKX = 1, LHX = 1, LVX = 1, LGAX = 1;
  double LCY = 1, LMUY = 1, LEY = 1, LKY = 1, LHY = 1, LVY = 1, LGAY = 1, LKYC = 1, LKZC = 1;
  double LTR = 1, LRES = 1, LGAZ = 1, LXAL = 1, LYKA = 1, LVYKA = 1, LS = 1, LMP = 1;
  double LMX = 1, LVMX = 1, LMY = 1, LSGKP = 1, LSGAL = 1, LCZ = 1, LIP = 1;
  // longitudinal
  double PCX1 = 0, PDX1 = 0, PDX2 = 0, PDX3 = 0, PEX1 = 0, PEX2 = 0, PEX3 = 0, PEX4 = 0;
  double PKX1 = 0, PKX2 = 0, PKX3 = 0, PHX1 = 0, PHX2 = 0, PVX1 = 0, PVX2 = 0;
  double PPX1 = 0, PPX2 = 0, PPX3 = 0, PPX4 = 0;
  double RBX1 = 0, RBX2 = 0, RBX3 = 0, RCX1 = 1, REX1 = 0, REX2 = 0, RHX1 = 0;
  double PTX1 = 0, PTX2 = 0, PTX3 = 0;
  // lateral
  double PCY1 = 0, PDY1 = 0, PDY2 = 0, PDY3 = 0, PEY1 = 0, PEY2 = 0, PEY3 = 0, PEY4 = 0, PEY5 = 0;
  double PKY1 = 0, PKY2 = 0, PKY3 = 0, PKY4 = 2, PKY5 = 0, PKY6 = 0, PKY7 = 0;
  double PHY1 = 0, PHY2 = 0, PHY3 = 0, PVY1 = 0, PVY2 = 0, PVY3 = 0, PVY4 = 0;
  double PPY1 = 0, PPY2 = 0, PPY3 = 0, PPY4 = 0, PPY5 = 0;
  double RBY1 = 0, RBY2 = 0, RBY3 = 0, RBY4 = 0, RCY1 = 1, REY1 = 0, REY2 = 0, RHY1 = 0, RHY2 = 0;
  double RVY1 = 0, RVY2 = 0, RVY3 = 0, RVY4 = 0, RVY5 = 0, RVY6 = 0;
  double PTY1 = 0, PTY2 = 0;
  // overturning and rolling
  double QSX1 = 0, QSX2 = 0, QSX3 = 0, QSX4 = 0, QSX5 = 0, QSX6 = 0, QSX7 = 0, QSX8 = 0, QSX9 = 0;
  double QSX10 = 0, QSX11 = 0, QSX12 = 0, QSX13 = 0, QSX14 = 0, PPMX1 = 0;
  double QSY1 = 0, QSY2 = 0, QSY3 = 0, QSY4 = 0, QSY5 = 0, QSY6 = 0, QSY7 = 0, QSY8 = 0;
  // aligning
  double QBZ1 = 0, QBZ2 = 0, QBZ3 = 0, QBZ4 = 0, QBZ5 = 0, QBZ9 = 0, QBZ10 = 0, QCZ1 = 0;
  double QDZ1 = 0, QDZ2 = 0, QDZ3 = 0, QDZ4 = 0, QDZ6 = 0, QDZ7 = 0, QDZ8 = 0, QDZ9 = 0;
  double QDZ10 = 0, QDZ11 = 0, QEZ1 = 0, QEZ2 = 0, QEZ3 = 0, QEZ4 = 0, QEZ5 = 0;
  double QHZ1 = 0, QHZ2 = 0, QHZ3 = 0, QHZ4 = 0, PPZ1 = 0, PPZ2 = 0;
  double SSZ1 = 0, SSZ2 = 0, SSZ3 = 0, SSZ4 = 0;
  // turn slip
  double PDXP1 = 0, PDXP2 = 0, PDXP3 = 0, PKYP1 = 0, PDYP1 = 0, PDYP2 = 0, PDYP3 = 0, PDYP4 = 0;
  double PHYP1 = 0, PHYP2 = 0, PHYP3 = 0, PHYP4 = 0, PECP1 = 0, PECP2 = 0;
  double QDTP1 = 0, QCRP1 = 0, QCRP2 = 0, QBRP1 = 0, QDRP1 = 0, QDRP2 = 0;
  // radial; those of MF 6 also with an underscore behind the Q
  double BREFF = 0, DREFF = 0, FREFF = 0;
  double QRE0 = 1, QV1 = 0, QV2 = 0, QFZ1 = 0, QFZ2 = 0, PFZ1 = 0;
  double PCFX1 = 0, PCFX2 = 0, PCFX3 = 0, PCFY1 = 0, PCFY2 = 0, PCFY3 = 0;

  bool operator==(const MagicCoefficients&) const = default;
};

/// A point of a measured load curve.
struct LoadPoint {
  double deflection = 0.0;  ///< m
  double load = 0.0;        ///< N

  bool operator==(const LoadPoint&) const = default;
};

/// All that a Magic Formula tyre knows, SI, W axes of ISO.
struct MagicParameters {
  MagicVersion version = MagicVersion::mf6;
  MagicCoefficients c;

  double R0 = 0.0;                      ///< unloaded radius, m
  double Fz0 = 0.0;                     ///< nominal load, N
  double vertical_stiffness = 0.0;      ///< N/m
  double vertical_damping = 0.0;        ///< N s/m
  double longitudinal_stiffness = 0.0;  ///< of the carcass, N/m; 0: unknown
  double lateral_stiffness = 0.0;       ///< N/m; 0: unknown
  std::vector<LoadPoint> load_curve;    ///< empty: vertical stiffness

  double pressure_change = 0.0;  ///< relative to the nominal inflation pressure
  double V0 = 16.7;              ///< speed of measurement, m/s
  double low_speed = 1.0;        ///< below it, offsets and direction of travel fade, m/s

  // where the coefficients hold; what lies beyond is held at the border
  double kappa_min = -1.5, kappa_max = 1.5;
  double alpha_min = -1.5707, alpha_max = 1.5707;  ///< rad
  double gamma_min = -0.2618, gamma_max = 0.2618;  ///< rad
  double load_min = 0.0, load_max = 0.0;           ///< N

  bool longitudinal = true;  ///< Fx, My
  bool lateral = true;       ///< Fy, Mx, Mz
  bool combined = true;      ///< each force reduced by the other slip
  bool weighted = true;      ///< by the weights of the file; false: by the ellipse of friction
  bool turn_slip = false;
  bool mirrored = false;  ///< mounted on the side other than the measured one

  bool operator==(const MagicParameters&) const = default;
};

/// Takes the parameters out of a property file. `notes` receives a line for each thing that is not
/// honoured or was assumed.
///
/// Throws ModelError: a format that is no Magic Formula, keys missing, values that no tyre has.
MagicParameters read_magic_parameters(const TirFile& tir, Side mounted,
                                      std::vector<std::string>& notes);

}  // namespace semirec
