#include "integrator/scheme/nstiff.hpp"

#include <cmath>

namespace semirec {

namespace {

/// Steps that differ by less than this share are of one length: what the ends of steps on a grid
/// leave by round-off.
constexpr double kSameStep = 1e-6;

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
  past.reads = std::abs(h - previous) <= kSameStep * h;
  if (past.reads) {
    scheme.c_v = 1.5 / h;
    scheme.c_a = 2.25 / (h * h);
    past.zd_P = -0.5 / h;
    scheme.zdd_zd = -2.0 / h;
    past.zdd_P = -0.75 / (h * h);
    past.zdd_Q = 0.5 / h;
    scheme.gain = 2.0 * h / 3.0;
    scheme.scale = 4.0 * h * h / 9.0;
    scheme.penalty = 2.25;
    scheme.x_part = 4.0 / 3.0;
    past.x_hat_X = -1.0 / 3.0;
  } else {
    scheme.c_v = 1.0 / h;
    scheme.c_a = 1.0 / (h * h);
    scheme.zdd_zd = -1.0 / h;
    scheme.gain = h;
    scheme.scale = h * h;
    scheme.penalty = 1.0;
  }
  scheme.weights = {1.0, scheme.gain, scheme.scale};
  return scheme;
}

}  // namespace

constinit const SchemeFamily kNstiff{"nstiff",
                                     "the backward differentiation formula of two steps (BDF2)",
                                     {},
                                     complete_nstiff,
                                     make_nstiff};

}  // namespace semirec
