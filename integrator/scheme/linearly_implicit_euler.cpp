#include "integrator/scheme/linearly_implicit_euler.hpp"

namespace semirec {

namespace {

std::string complete_linearly_implicit_euler(SchemeParameters& /*parameters*/) { return {}; }

/// The coefficients of the implicit Euler rule.
Scheme make_linearly_implicit_euler(const SchemeParameters& /*parameters*/, double h,
                                    double /*previous*/) {
  Scheme scheme;
  scheme.h = h;
  scheme.c_v = 1.0 / h;
  scheme.c_a = 1.0 / (h * h);
  scheme.zdd_zd = -1.0 / h;
  scheme.d_zd = h;
  scheme.weights = {1.0, h, h * h};
  scheme.scale = h * h;
  scheme.penalty = 1.0;
  scheme.damps = true;
  scheme.gain = h;
  return scheme;
}

}  // namespace

constinit const SchemeFamily kLinearlyImplicitEuler{"linearly_implicit_euler",
                                                    "the linearly implicit Euler method",
                                                    {},
                                                    complete_linearly_implicit_euler,
                                                    make_linearly_implicit_euler,
                                                    StepKind::linearly_implicit,
                                                    "1"};

}  // namespace semirec
