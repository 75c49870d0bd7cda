// Order of every scheme on mechanisms and a car: slopes of the error of positions, rates,
// accelerations and multipliers from one step to its half, against another scheme at a much smaller
// step. What a damped scheme takes of the energy grows with its damping.

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "integrator/compile.hpp"
#include "integrator/formulation/evaluate.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "tests/support/drives.hpp"
#include "tests/support/expect_close.hpp"
#include "tests/support/levels.hpp"
#include "tests/support/mechanisms.hpp"
#include "tests/support/methods.hpp"
#include "tests/support/motion.hpp"

namespace semirec::test {
namespace {

struct OrderModel {
  std::string name;
  std::function<Simulation(const Method&, double h)> start;
  double h;      ///< the coarser step, s
  double until;  ///< s
};
std::ostream& operator<<(std::ostream& out, const OrderModel& model) { return out << model.name; }

/// The sedan at 80 km/h whose steering wheel begins to turn softly: all wheels stay on the road.
Simulation start_sedan(const Method& method, double h) {
  ShippedDrive car = start_shipped(
      "sedan.xml", "step_steer.xml", {},
      [&](Scenario& scenario) {
        scenario.scheme = method.scheme;
        scenario.closing = method.closing;
        scenario.step = h;
        for (Input& input : scenario.inputs)
          if (input.name == "steering") {
            input.curve = Curve{};
            input.curve.add_sine({.amplitude = 0.6, .omega = 6.0, .rise = 1.0, .from = 0.0});
          }
      },
      method.formulation);
  Simulation run(std::move(car.drive.model), car.drive.settings.step);
  run.state = car.state;
  return run;
}

Simulation start_linkage(const Method& method, double h) {
  return {compile(make_spatial_slider_crank(), {}, {.formulation = method.formulation}),
          step_of(method, h)};
}

std::vector<OrderModel> order_models() {
  const auto shipped = [](const std::string& model) {
    return [model](const Method& method, double h) { return start_model(model, {}, method, h); };
  };
  return {{"slider_crank", shipped("slider_crank"), 5e-4, 0.8},
          {"spatial_slider_crank", start_linkage, 5e-4, 0.4},
          {"v8", shipped("v8"), 1e-3, 0.4},
          {"sedan", start_sedan, 1e-3, 0.8}};
}

/// A scheme that closes by multipliers, and which meets the rates of the closures.
Method by_multipliers(const std::string& name, const SchemeChoice& scheme) {
  return {name, scheme, Formulation::hybrid, Accuracy::trapezoidal, Closing::multipliers};
}

struct OrderMethod {
  Method method;
  bool stabilised = false;  ///< rates of the closures at round-off
};
std::ostream& operator<<(std::ostream& out, const OrderMethod& tested) {
  return out << tested.method;
}

std::vector<OrderMethod> order_methods() {
  std::vector<OrderMethod> all;
  for (const auto& [name, scheme] :
       {std::pair{"trapezoid", SchemeChoice{}},
        {"newmark_06", choose_scheme("newmark", {{"gamma", 0.6}})},
        {"hht_005", choose_scheme("hht", {{"alpha", -0.05}})},
        {"hht_03", choose_scheme("hht", {{"alpha", -0.3}})},
        {"generalized_alpha_08", choose_scheme("generalized_alpha", {{"rho", 0.8}})},
        {"nstiff", choose_scheme("nstiff", {})}}) {
    const Accuracy accuracy =
        name == std::string("newmark_06") ? Accuracy::first_order : Accuracy::trapezoidal;
    for (const Closing closing : {Closing::penalty, Closing::multipliers})
      all.push_back({{std::string(name) + "_" + name_of(closing), scheme, Formulation::hybrid,
                      accuracy, closing}});
  }
  all.push_back({by_multipliers("nstiff_si2", choose_scheme("nstiff_si2", {})), true});
  all.push_back({by_multipliers("hht_si2_03", choose_scheme("hht_si2", {{"alpha", -0.3}})), true});
  all.push_back({by_multipliers("hht_add_03", choose_scheme("hht_add", {{"alpha", -0.3}})), true});
  return all;
}

struct OrderAnswer {
  Levels levels;
  double drift = 0.0;  ///< largest rate of a closure over the run, m/s
};

OrderAnswer run_order(const OrderModel& model, const Method& method, double h, bool reference) {
  Simulation run = model.start(method, h);
  // what Newton leaves over of a position counts 4/h^2 times in the acceleration
  run.settings.tolerance = 1e-12;
  // alpha Phi carries round-off of kappa m 4/h^2 times 1e-16 m into the multipliers, and what a
  // pass leaves over of an error of first order falls with h / kappa only: in the middle of both
  run.settings.kappa = 3e5;
  run.settings.projections = 4;
  find_effective_masses(run.model, run.settings, run.state, run.ws);
  OrderAnswer answer;
  for (const double part : {0.25, 0.5, 0.75, 1.0}) {
    while (run.state.t < part * model.until - 0.5 * h) {
      (void)run.advance();
      if (reference) continue;
      evaluate_state(run.model, run.state, run.ws);
      answer.drift = std::max(answer.drift, run.ws.closures.Phid.cwiseAbs().maxCoeff());
    }
    const State before = run.state;
    if (reference) {
      EXPECT_TRUE(find_accelerations(run.model, run.state, run.ws));
    }
    append_motion(run, answer.levels);
    run.state = before;
  }
  return answer;
}

/// The trapezoidal rule at an eighth and a 16th of the coarser step, extrapolated; for itself HHT
/// with little damping.
const Levels& reference_of(const OrderModel& model, const Method& method) {
  static std::map<std::string, Levels> references;
  const bool other = method.scheme.family->name == default_method().scheme.family->name;
  const std::string key = model.name + (other ? " hht" : "");
  if (!references.contains(key)) {
    Method fine = default_method();
    if (other) fine.scheme = choose_scheme("hht", {{"alpha", -0.05}});
    references[key] = extrapolate(run_order(model, fine, model.h / 8.0, true).levels,
                                  run_order(model, fine, model.h / 16.0, true).levels);
  }
  return references[key];
}

class SchemeOrder : public testing::TestWithParam<std::tuple<OrderModel, OrderMethod>> {};

TEST_P(SchemeOrder, IsThatOfTheSchemeInAllThatAStepHandsOut) {
  const auto& [model, tested] = GetParam();
  const Levels& reference = reference_of(model, tested.method);
  const OrderAnswer coarse = run_order(model, tested.method, model.h, false);
  const OrderAnswer fine = run_order(model, tested.method, 0.5 * model.h, false);
  const double order = tested.method.accuracy == Accuracy::first_order ? 1.0 : 2.0;
  const auto check = [&](const char* what, Eigen::VectorXd Levels::*level, double room) {
    SCOPED_TRACE(what);
    const Eigen::VectorXd& exact = reference.*level;
    const double slope =
        std::log2((coarse.levels.*level - exact).norm() / (fine.levels.*level - exact).norm());
    RecordProperty(what, std::to_string(slope));
    expect_close(slope, order, 0.0, room);
  };
  // the next term of the error
  check("position", &Levels::position, 0.1);
  check("rate", &Levels::rate, 0.1);
  check("acceleration", &Levels::acceleration, 0.15);
  check("multipliers", &Levels::multipliers, 0.15);
  RecordProperty("drift", std::to_string(1e15 * fine.drift));
  // some ulps of the largest rates times lengths of some metres
  const double round_off = 1e-15 * (10.0 + reference.rate.cwiseAbs().maxCoeff());
  if (tested.stabilised) {
    EXPECT_LT(std::max(coarse.drift, fine.drift), round_off);
  }
}

INSTANTIATE_TEST_SUITE_P(Models, SchemeOrder,
                         testing::Combine(testing::ValuesIn(order_models()),
                                          testing::ValuesIn(order_methods())),
                         [](const auto& test) {
                           return std::get<0>(test.param).name + "_" +
                                  std::get<1>(test.param).method.name;
                         });

/// Energy of the undamped slider crank, which is let go with none: its mean over the last of four
/// seconds, J. A mean, since the error of what swings between its parts prevails at every instant.
double energy_left(const SchemeChoice& scheme, double h) {
  Method method = default_method();
  method.scheme = scheme;
  Simulation crank = start_model("slider_crank", {"case.value=undamped"}, method, h);
  crank.run_to(3.0);
  const int steps = static_cast<int>(std::lround(1.0 / h));
  double sum = 0.0;
  for (int k = 0; k < steps; ++k) {
    (void)crank.advance();
    sum += crank.stored_energy() / steps;
  }
  return sum;
}

TEST(SchemeLoss, GrowsWithTheDampingOfHht) {
  double before = energy_left(choose_scheme("hht", {{"alpha", 0.0}}), 4e-3);
  for (const double alpha : {-0.05, -0.1, -0.2, -0.3, -1.0 / 3.0}) {
    const double now = energy_left(choose_scheme("hht", {{"alpha", alpha}}), 4e-3);
    RecordProperty("alpha" + std::to_string(alpha), std::to_string(now));
    EXPECT_LT(now, before) << alpha;
    before = now;
  }
}

TEST(SchemeLoss, GrowsWithTheDampingOfGeneralizedAlpha) {
  double before = energy_left(choose_scheme("generalized_alpha", {{"rho", 1.0}}), 4e-3);
  for (const double rho : {0.8, 0.6, 0.4, 0.2, 0.0}) {
    const double now = energy_left(choose_scheme("generalized_alpha", {{"rho", rho}}), 4e-3);
    RecordProperty("rho" + std::to_string(rho), std::to_string(now));
    EXPECT_LT(now, before) << rho;
    before = now;
  }
}

}  // namespace
}  // namespace semirec::test
