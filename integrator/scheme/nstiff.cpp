#include "integrator/scheme/nstiff.hpp"

#include <cmath>

namespace semirec {

namespace {

/// Ratios of a step to the one before at which the formula is used: it is stable in any row of them
/// up to 1 + sqrt(2).
constexpr double kLargestRatio = 2.4;
constexpr double kSmallestRatio = 1e-3;

std::string complete_nstiff(SchemeParameters& /*parameters*/) { return {}; }

Scheme make_nstiff(const SchemeParameters& /*parameters*/, double h, double previous) {
  Scheme scheme;
  scheme.h = h;
  scheme.d_zd = h;
  scheme.d_zdd = 0.5 * h * h;
  scheme.damps = true;
  SchemeHistory& past = scheme.past;
  past.columns = 2;
  past.p_d = 1.0;  // P: z_n - z_{n-1};  Q: zd_{n-1}
  past.x_x = 1.0;  // X: x_{n-1}
  // equal steps to the digit: what the ends of steps on a grid leave by round-off is no ratio
  double ratio = previous > 0.0 ? h / previous : 0.0;
  if (std::abs(ratio - 1.0) < 1e-6) ratio = 1.0;
  past.reads = ratio >= kSmallestRatio && ratio <= kLargestRatio;
  if (past.reads) {
    // zd = (b d - c P)/h, zdd = (b zd - (1 + ratio) zd_n + c Q)/h, x alike; 3/2 and 1/2 for ratio 1
    const double b = (1.0 + 2.0 * ratio) / (1.0 + ratio);
    const double c = ratio * ratio / (1.0 + ratio);
    scheme.c_v = b / h;
    scheme.c_a = b * b / (h * h);
    past.zd_P = -c / h;
    scheme.zdd_zd = -(1.0 + ratio) / h;
    past.zdd_P = -b * c / (h * h);
    past.zdd_Q = c / h;
    scheme.gain = h / b;
    scheme.scale = h * h / (b * b);
    scheme.penalty = b * b;
    scheme.x_part = (1.0 + ratio) / b;
    past.x_hat_X = -c / b;
    scheme.error = (1.0 + ratio) * (1.0 + ratio) / (6.0 * ratio * (1.0 + 2.0 * ratio));
  } else {
    scheme.c_v = 1.0 / h;
    scheme.c_a = 1.0 / (h * h);
    scheme.zdd_zd = -1.0 / h;
    scheme.gain = h;
    scheme.scale = h * h;
    scheme.penalty = 1.0;
    scheme.error = 0.5;  // of first order: of zdd itself
  }
  scheme.printed_error = scheme.state_error = scheme.error;
  scheme.weights = {1.0, scheme.gain, scheme.scale};
  return scheme;
}

Scheme make_nstiff_si2(const SchemeParameters& parameters, double h, double previous) {
  Scheme scheme = make_nstiff(parameters, h, previous);
  scheme.error = scheme.printed_error = 0.0;
  return scheme;
}

}  // namespace

constinit const SchemeFamily kNstiff{"nstiff",
                                     "the backward differentiation formula of two steps (BDF2)",
                                     {},
                                     complete_nstiff,
                                     make_nstiff};

constinit const SchemeFamily kNstiffSi2{"nstiff_si2",
                                        "nstiff with velocities that meet the closures",
                                        {},
                                        complete_nstiff,
                                        make_nstiff_si2,
                                        StepKind::nstiff_si2};

}  // namespace semirec
