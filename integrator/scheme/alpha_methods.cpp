#include "integrator/scheme/alpha_methods.hpp"

#include <cmath>
#include <sstream>

namespace semirec {

namespace {

constexpr double kUsualAlpha = -0.05;
constexpr double kUsualRho = 0.9;

std::string complete_hht(SchemeParameters& parameters) {
  double& alpha = parameters[0];
  if (std::isnan(alpha)) alpha = kUsualAlpha;
  if (alpha >= -1.0 / 3.0 - 1e-12 && alpha <= 0.0) return {};
  std::ostringstream text;
  text << "alpha is " << alpha << ", expected -1/3 to 0: beyond, hht is not stable at every step";
  return text.str();
}

std::string complete_modified_hht(SchemeParameters& parameters) {
  double& weighting = parameters[1];
  if (std::isnan(weighting)) weighting = 0.0;
  if (weighting == 0.0 || weighting == 1.0) return complete_hht(parameters);
  std::ostringstream text;
  text << "weighting is " << weighting
       << ", expected 0 (the old forces turn with the body) or 1 (as printed, they do not)";
  return text.str();
}

Scheme make_hht(const SchemeParameters& parameters, double h, double previous) {
  const double alpha = parameters[0];
  return make_alpha_method(
      {0.5 - alpha, 0.25 * (1.0 - alpha) * (1.0 - alpha), 1.0 + alpha, -alpha, 0.0}, h, previous);
}

std::string complete_generalized_alpha(SchemeParameters& parameters) {
  double& rho = parameters[0];
  if (std::isnan(rho)) rho = kUsualRho;
  if (rho >= 0.0 && rho <= 1.0) return {};
  std::ostringstream text;
  text << "rho is " << rho
       << ", expected 0 to 1: the share of the amplitude of what is infinitely fast that a step "
          "leaves";
  return text.str();
}

Scheme make_generalized_alpha(const SchemeParameters& parameters, double h, double previous) {
  const double rho = parameters[0];
  const double alpha_m = (2.0 * rho - 1.0) / (rho + 1.0);
  const double alpha_f = rho / (rho + 1.0);
  AlphaMethod method;
  method.gamma = 0.5 - alpha_m + alpha_f;
  method.beta = 0.25 * (method.gamma + 0.5) * (method.gamma + 0.5);
  method.now = (1.0 - alpha_f) / (1.0 - alpha_m);
  method.before = alpha_f / (1.0 - alpha_m);
  method.last = -alpha_m / (1.0 - alpha_m);
  return make_alpha_method(method, h, previous);
}

/// The numbers of hht for the states of force elements; two columns of history.
Scheme make_stabilised_hht(const SchemeParameters& parameters, double h, double previous) {
  Scheme scheme = make_hht(parameters, h, previous);
  scheme.past.columns = 2;
  scheme.gamma = scheme.beta = 0.0;
  scheme.error = scheme.printed_error = 0.0;
  return scheme;
}

constexpr std::array<SchemeParameter, 1> kHhtParameters{
    {{"alpha", "-1/3 to 0, usually -0.05: the lower, the more it damps what is fast"}}};
constexpr std::array<SchemeParameter, 2> kModifiedHhtParameters{
    {kHhtParameters[0],
     {"weighting",
      "the forces on a body's rotation at the step's start count as turned with the body, usually "
      "(0), or as printed (1; of first order where the moment is not along the spin)"}}};
constexpr std::array<SchemeParameter, 1> kGeneralizedAlphaParameters{
    {{"rho", "0 to 1, usually 0.9: the share of what is infinitely fast that a step leaves"}}};

}  // namespace

Scheme make_alpha_method(const AlphaMethod& method, double h, double previous) {
  const auto& [gamma, beta, now, before, last] = method;
  // a_n stands for the acceleration at t_n + delta times the step that left it. Equal steps to the
  // digit: what the ends of steps on a grid leave by round-off is no ratio
  const bool reads_history = previous > 0.0;
  double share = reads_history ? h / previous : 0.0;
  if (std::abs(share - 1.0) < 1e-6 || share > kAlphaGrowth) share = 1.0;
  // a = a_d d + a_zd zd_n + a_a a_n, from the formula of z
  const double a_d = 1.0 / (beta * h * h);
  const double a_zd = -1.0 / (beta * h);
  const double a_a = 1.0 - 0.5 / beta;
  Scheme scheme;
  scheme.h = h;
  scheme.gamma = gamma;
  scheme.beta = beta;
  scheme.c_v = gamma / (beta * h);
  scheme.c_a = a_d / now;
  scheme.zd_zd = 1.0 - gamma / beta;
  scheme.zdd_zd = a_zd / now;
  scheme.zdd_zdd = -before / now;
  scheme.d_zd = h;
  scheme.d_zdd = 0.5 * h * h;
  scheme.penalty = 1.0 / (now * beta);
  scheme.scale = now * beta * h * h;
  scheme.d_jerk = scheme.scale * h;
  scheme.gain = now * gamma * h;
  scheme.weights = {1.0, scheme.gain, scheme.scale};
  scheme.damps = gamma > 0.5;
  // a_n stands for the acceleration at t_n + (1/2 - gamma) h, which the printed constant of hht,
  // beta - 1/(6 (1 + alpha)), takes to be at t_n
  scheme.error = std::abs(beta + 0.5 * (0.5 - gamma) - 1.0 / 6.0);
  scheme.printed_error = std::abs(beta - 1.0 / (6.0 * (1.5 - gamma)));
  // the auxiliary rate of a state is xd_n + delta h xdd + c h^2 xddd
  const double delta = 0.5 - gamma;
  const double alpha_m = last / (last - 1.0);
  scheme.state_error = std::abs(1.0 / 12.0 - delta * delta + alpha_m * delta - 0.5 * delta);
  scheme.xd_part = before / now;

  const double zd_a = h * (1.0 - 0.5 * gamma / beta);
  const double zdd_a = (a_a - last) / now;
  const double xd_w = ((1.0 - gamma) / gamma + last) / now;
  SchemeHistory& past = scheme.past;
  past.columns = 1;
  past.reads = reads_history;
  past.now = now;
  past.before = before;
  past.last = last;
  past.p_d = a_d;
  past.p_zd = a_zd;
  past.x_end = now;
  // read as zdd_n + share (P_n - zdd_n), and the auxiliary rate of the states likewise
  past.share = share;
  scheme.zd_zdd = (1.0 - share) * zd_a;
  scheme.zdd_zdd += (1.0 - share) * zdd_a;
  scheme.xd_part += (1.0 - share) * xd_w;
  past.p_zdd = (1.0 - share) * a_a;
  past.x_xd = before + (1.0 - share) * last;
  past.zd_P = share * zd_a;
  past.zdd_P = share * zdd_a;
  past.p_p = share * a_a;
  past.xd_hat_X = share * xd_w;
  past.x_X = share * last;
  return scheme;
}

constinit const SchemeFamily kHht{"hht", "the method of Hilber, Hughes and Taylor", kHhtParameters,
                                  complete_hht, make_hht};

constinit const SchemeFamily kModifiedHht{
    "modified_hht",
    "hht on Euler parameters, in the formulation cartesian with multipliers",
    kModifiedHhtParameters,
    complete_modified_hht,
    make_hht,
    StepKind::index_3,
    "2; 1 as printed"};

bool weighs_as_printed(const SchemeChoice& scheme) {
  return scheme.family == &kModifiedHht && scheme.parameters[1] != 0.0;
}

constinit const SchemeFamily kHhtSi2{
    "hht_si2",           "hht with velocities that meet the closures",
    kHhtParameters,      complete_hht,
    make_stabilised_hht, StepKind::hht_si2};

constinit const SchemeFamily kHhtAdd{
    "hht_add",           "hht of the applied forces, those of the closures added",
    kHhtParameters,      complete_hht,
    make_stabilised_hht, StepKind::hht_add};

constinit const SchemeFamily kGeneralizedAlpha{"generalized_alpha", "the generalized-alpha method",
                                               kGeneralizedAlphaParameters,
                                               complete_generalized_alpha, make_generalized_alpha};

}  // namespace semirec
