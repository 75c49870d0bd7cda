#include "integrator/scheme/newmark.hpp"

#include <cmath>
#include <sstream>

namespace semirec {

namespace {

constexpr double kRoundOffOfBeta = 1e-12;

std::string words(const char* name, double value, const char* least, double bound,
                  const char* below) {
  std::ostringstream text;
  text << name << " is " << value << ", expected at least " << least << bound << ": below, newmark "
       << below;
  return text.str();
}

double least_beta(double gamma) { return 0.25 * (gamma + 0.5) * (gamma + 0.5); }

std::string complete_newmark(SchemeParameters& parameters) {
  double& gamma = parameters[0];
  double& beta = parameters[1];
  if (std::isnan(gamma)) gamma = 0.5;
  if (std::isnan(beta)) beta = least_beta(gamma);
  if (gamma < 0.5) return words("gamma", gamma, "", 0.5, "feeds energy");
  const double least = least_beta(gamma);
  if (beta < (1.0 - kRoundOffOfBeta) * least)
    return words("beta", beta, "(gamma + 1/2)^2/4 = ", least, "is stable for short steps only");
  return {};
}

Scheme make_of_parameters(const SchemeParameters& parameters, double h, double /*previous*/) {
  return make_newmark(parameters[0], parameters[1], h);
}

constexpr std::array<SchemeParameter, 2> kNewmarkParameters{
    {{"gamma", "at least 1/2, its usual value; above, it damps what is fast and is of first order"},
     {"beta", "at least (gamma + 1/2)^2/4, its usual value"}}};

std::string complete_nothing(SchemeParameters& /*parameters*/) { return {}; }

Scheme make_trapezoid(const SchemeParameters& /*parameters*/, double h, double /*previous*/) {
  return make_newmark(0.5, 0.25, h);
}

}  // namespace

Scheme make_newmark(double gamma, double beta, double h) {
  Scheme scheme;
  scheme.h = h;
  scheme.penalty = 1.0 / beta;
  scheme.c_v = gamma / beta / h;
  scheme.c_a = scheme.penalty / (h * h);
  scheme.zd_zd = 1.0 - gamma / beta;
  scheme.zd_zdd = h * (1.0 - gamma / (2.0 * beta));
  scheme.zdd_zd = -scheme.penalty / h;
  scheme.zdd_zdd = 1.0 - 0.5 * scheme.penalty;
  scheme.d_zd = h;
  scheme.d_zdd = 0.5 * h * h;
  scheme.scale = beta * h * h;
  scheme.d_jerk = scheme.scale * h;
  scheme.damps = gamma > 0.5;
  if (gamma == 0.5) scheme.error = scheme.printed_error = std::abs(beta - 1.0 / 6.0);
  scheme.gamma = gamma;
  scheme.beta = beta;
  scheme.gain = gamma * h;
  scheme.xd_part = (1.0 - gamma) / gamma;
  scheme.weights = {1.0, scheme.gain, scheme.scale};
  return scheme;
}

constinit const SchemeFamily kNewmark{"newmark",          "Newmark's scheme", kNewmarkParameters,
                                      complete_newmark,   make_of_parameters, StepKind::index_3,
                                      "1; 2 at gamma 1/2"};

constinit const SchemeFamily kTrapezoid{
    "trapezoid", "the trapezoidal rule", {}, complete_nothing, make_trapezoid};

}  // namespace semirec
