#include "vehicles/session/instability.hpp"

#include <cmath>
#include <iomanip>
#include <sstream>

#include "integrator/statics/standing.hpp"

namespace semirec {

std::string describe_instability(const Model& model, const State& rest, Workspace& ws) {
  constexpr double kUnstable = 0.01;   // 1/s^2: it leaves by a factor of e in 10 s
  constexpr double kInBalance = 1e-3;  // N: it is, and is only measured here
  if (model.n() == 0) return {};
  StandingSearch search;
  search.accelerations = Eigen::MatrixXd::Zero(model.n(), 0);
  search.tolerance = kInBalance;
  State state = rest;
  const StandingBalance balance = find_standing(model, search, state, ws);
  if (!balance.found || !(balance.stiffness < -kUnstable)) return {};
  std::ostringstream text;
  text << std::setprecision(3)
       << "the equilibrium at rest is unstable: what leaves it grows by e in "
       << 1.0 / std::sqrt(-balance.stiffness) << " s, without damping";
  return text.str();
}

}  // namespace semirec
