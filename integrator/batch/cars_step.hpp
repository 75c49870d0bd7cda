#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "integrator/batch/cars.hpp"
#include "integrator/batch/cars_rebase.hpp"
#include "integrator/formulation/evaluate.hpp"
#include "integrator/iteration_plan.hpp"
#include "integrator/report.hpp"
#include "natural_coords/closure_sweep.hpp"
#include "penalty/row_products.hpp"
#include "recursive/lanes/accumulation_sweeps.hpp"
#include "recursive/packs/pack_functions.hpp"

namespace semirec {

/// A step of cars side by side: the index-3 augmented Lagrangian with projections, equation by
/// equation that of FormulationModel and step(). Where iterations end by convergence a car that is
/// done waits, unmoved, for those that are not. One car's numbers never meet another's: what
/// happens in one lane leaves the others as they would be without it, to the bit. No heap use.
template <AnyPack P>
class CarsStep {
 public:
  static constexpr int kCars = kLanesOf<P>;
  static constexpr unsigned kAll = (1U << static_cast<unsigned>(kCars)) - 1U;
  using Reports = std::array<StepReport, kCars>;

  /// `wanted`: one bit for each car that is to be stepped.
  CarsStep(const Cars<P>& cars, const StepSettings& settings, const Scheme& scheme, unsigned wanted,
           CarsState<P>& state, CarsScratch<P>& ws)
      : cars_(cars),
        settings_(settings),
        scheme_(scheme),
        state_(state),
        ws_(ws),
        tree_(ws.tree),
        plan_(settings, scheme, settings.max_iterations, /*iterates=*/true),
        good_(wanted),
        open_(wanted) {
    tree_.tangent = ws.factor.values().data();
  }

  /// Takes it. What a car's step did is written to its report; a car whose step has failed stays
  /// at the step's begin. Gives the cars that have gone on.
  unsigned take(Reports& reports) {
    begin_evaluation();
    scheme_.begin(numbers(), tree_.rule);
    prepare();
    auto d = flat(ws_.increment);
    scheme_.predict(numbers(), d);
    if (!plan_.constant_work) guess_by_jerk();
    for (int k = 0; k < plan_.limit && open_ != 0; ++k) {
      evaluate_dynamics();
      find_correction(reports);
      correct();
      judge(k + 1, reports);
    }
    end_iterations(reports);
    finish(reports);
    for_each_car(good_, [&](int l) {
      StepReport& report = reports[at(l)];
      report.status = StepStatus::converged;
      report.settled = is_settled(report, settings_);
    });
    accept();
    return good_;
  }

 private:
  /// The state's numbers as Scheme takes them.
  struct Numbers {
    Eigen::Map<const Eigen::VectorXd> zd, zdd, x, xd, history;
  };
  Numbers numbers() const {
    return {flat(std::as_const(state_.zd)), flat(std::as_const(state_.zdd)),
            flat(std::as_const(state_.x)), flat(std::as_const(state_.xd)),
            Eigen::Map<const Eigen::VectorXd>(nullptr, 0)};
  }
  using Closures = ClosureSweep<P, CarsWorkspace<P>, CarsClosures<P>>;
  Closures closures() {
    return Closures(cars_.shape->closures, cars_.closures, tree_, ws_.closures);
  }
  const std::vector<RowBlock>& blocks() const { return cars_.shape->closures.blocks; }

  /// What is the same in all iterations: origins, reference rotations, states, inputs.
  void begin_evaluation() {
    const TreeModel& tree = cars_.shape->tree;
    tree_.origin = state_.origin;
    tree_.ground = Pack3Of<P>{P{}, P{}, P{}} - state_.origin;
    for (std::size_t t = 1; t < tree.bodies.size(); ++t) {
      if (!tree.bodies[t].floats) continue;
      const auto& group = cars_.plan.groups[at(cars_.plan.group_of_body[t])];
      const Pack3Of<P> left_out = transposed_times(group.X_A, state_.origin - group.X_p);
      P* offset = &tree_.z_offset[at(tree.bodies[t].z)];
      offset[0] = left_out.x;
      offset[1] = left_out.y;
      offset[2] = left_out.z;
    }
    for (std::size_t k = 0; k < state_.A0.size(); ++k) tree_.A0[k] = rotation_of(state_.A0[k]);
    tree_.x = state_.x;
    tree_.rule.hold(flat(std::as_const(state_.x)), flat(std::as_const(state_.xd)));
    for (int l = 0; l < kCars; ++l) {
      const double end = state_.end[at(l)];
      tree_.time[l] = std::isnan(end) ? state_.t[at(l)] + settings_.h : end;
    }
    evaluate_inputs();
  }

  /// Inputs at the end of the step, but for those that elements compute.
  void evaluate_inputs() {
    const std::vector<Input>& inputs = cars_.models.front()->mechanism.inputs;
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      LaneInputOf<P>& value = tree_.inputs[k];
      if (!inputs[k].computed) {
        value = cars_.inputs[k].evaluate(tree_.time, settings_.ends_on_breakpoint);
        if (inputs[k].of != kNoInput) {
          const LaneInputOf<P>& driving = tree_.inputs[at(inputs[k].of)];
          value.f += cars_.input_factors[k] * driving.f;
          value.fd += cars_.input_factors[k] * driving.fd;
          value.fdd += cars_.input_factors[k] * driving.fdd;
        }
      }
      for (int l = 0; l < kCars; ++l) {
        const std::vector<LiveInput>& live = state_.live[at(l)];
        if (k >= live.size() || !live[k].given) continue;
        value.f[l] = live[k].value.f;
        value.fd[l] = live[k].value.fd;
        value.fdd[l] = live[k].value.fdd;
      }
    }
  }

  void prepare() {
    const double c = settings_.kappa * scheme_.penalty / (scheme_.h * scheme_.h);
    for (std::size_t j = 0; j < ws_.alpha.size(); ++j) ws_.alpha[j] = c * state_.masses[j];
    ws_.lambda = state_.lambda;
  }

  /// Rates and positions at the end of the step, [H03] (21)-(24).
  void compute_rates() {
    const auto d = flat(ws_.increment);
    auto zd = flat(tree_.zd);
    auto zdd = flat(tree_.zdd);
    scheme_.compute_rates(numbers(), d, zd, zdd);
    for (std::size_t k = 0; k < tree_.z.size(); ++k) tree_.z[k] = state_.z[k] + ws_.increment[k];
  }

  void find_positions() {
    sweep_positions(cars_.plan, tree_.z.data(), cars_.plan.all_groups, tree_.ground, tree_);
  }
  template <bool kWithAccelerations>
  void find_motions() {
    sweep_motions<kWithAccelerations>(cars_.plan, tree_.zd.data(), tree_.zdd.data(),
                                      cars_.plan.all_groups, tree_);
  }

  /// Residual, tangent, Phi and Phi_z at the iterate.
  void evaluate_dynamics() {
    compute_rates();
    tree_.weights = scheme_.weights;
    std::fill(tree_.residual.begin(), tree_.residual.end(), P{});
    std::fill(ws_.factor.values().begin(), ws_.factor.values().end(), P{});
    sweep_to_tips(cars_.plan, tree_.z.data(), tree_.zd.data(), tree_.zdd.data(), tree_.ground,
                  cars_.shape->tree.gravity, tree_);
    for (const auto& forces : cars_.forces) forces->add_forces(tree_, open_);
    sweep_accumulation<P>(cars_.plan, RowsOfCars{}, tree_);
    closures().find_positions(/*with_jacobian=*/true);
  }

  /// The closures' part (26), (27), the factor and the correction (25).
  void find_correction(Reports& reports) {
    const P* Phi_z = ws_.closures.Phi_z.data();
    for (const RowBlock& block : blocks())
      add_penalty_of_rows(BlockOfCars<P>(block), Phi_z + block.jacobian, ws_.closures.Phi.data(),
                          ws_.alpha.data(), ws_.lambda.data(), scheme_.scale, tree_.residual.data(),
                          tree_.tangent);
    for (std::size_t k = 0; k < tree_.residual.size(); ++k)
      ws_.correction[k] = -scheme_.scale * tree_.residual[k];
    if (ws_.factor.factor_and_solve(ws_.correction.data())) return;
    const P sum = sum_of_all(tree_.residual);
    fail(ws_.factor.bad_lanes() & open_, reports, [&](int l) {
      return std::isfinite(sum[l]) ? StepStatus::tangent_not_positive_definite
                                   : StepStatus::non_finite;
    });
  }

  /// The increment and the multipliers (2), of the cars that iterate.
  void correct() {
    ws_.weighted = ws_.closures.Phi;
    add_product(ws_.correction, ws_.weighted);
    const PackMaskOf<P> open = lanes_where<P>(open_);
    for (std::size_t k = 0; k < ws_.correction.size(); ++k)
      ws_.increment[k] += select(open, ws_.correction[k], P{});
    for (std::size_t j = 0; j < ws_.lambda.size(); ++j)
      ws_.lambda[j] += select(open, ws_.alpha[j] * ws_.weighted[j], P{});
  }

  /// NewtonIterations::judge() of the cars that iterate. What the end of the step needs of those
  /// that are done is put aside while others go on.
  void judge(int iterations, Reports& reports) {
    const P squares = square_sum(ws_.correction);
    const P open_by = largest_of(ws_.closures.Phi);
    const double n = std::max(1.0, static_cast<double>(tree_.z.size()));
    unsigned bad = 0;
    unsigned done = 0;
    for_each_car(open_, [&](int l) {
      StepReport& report = reports[at(l)];
      report.at_limit = false;
      report.iterations = report.factorizations = iterations;
      report.correction = correction_[l] = std::sqrt(squares[l] / n);
      const unsigned own = 1U << static_cast<unsigned>(l);
      if (!std::isfinite(report.correction)) bad |= own;
      ConvergenceRate& convergence = convergence_[at(l)];
      convergence.add(report.correction);
      const bool is_last = !convergence.is_creeping() || convergence.left() <= plan_.correction;
      if (!plan_.constant_work && is_last &&
          is_within(report.correction, plan_.correction, open_by[l]))
        done |= own;
    });
    fail(bad, reports, [](int) { return StepStatus::non_finite; });
    open_ &= ~done;
    if (open_ == 0 || done == 0) return;
    ws_.factor.copy_cars(done, ws_.done_factor);
    copy_lanes(lanes_where<P>(done), ws_.closures.Phi_z, ws_.done_Phi_z);
    done_ |= done;
  }
  bool is_within(double correction, double bound, double open_by) const {
    return correction <= bound && open_by <= settings_.tolerance;
  }

  /// NewtonIterations::accept(), and the factor and Phi_z of each car's last iteration.
  void end_iterations(Reports& reports) {
    if (!plan_.constant_work && open_ != 0) {
      const P open_by = largest_of(ws_.closures.Phi);
      unsigned missed = 0;
      for_each_car(open_, [&](int l) {
        if (!is_within(reports[at(l)].correction, settings_.tolerance, open_by[l]))
          missed |= 1U << static_cast<unsigned>(l);
        reports[at(l)].at_limit = true;
      });
      write_largest(missed, ws_.closures.Phi, reports, &StepReport::Phi, &StepReport::worst_row);
      fail(missed, reports, [](int) { return StepStatus::iteration_limit; });
    }
    if (done_ == 0) return;
    ws_.done_factor.copy_cars(done_, ws_.factor);
    copy_lanes(lanes_where<P>(done_), ws_.done_Phi_z, ws_.closures.Phi_z);
  }

  /// Final positions, then the rates and accelerations that the closures allow (35), (36).
  void finish(Reports& reports) {
    compute_rates();
    find_positions();
    closures().find_positions(/*with_jacobian=*/false);
    ws_.multipliers = ws_.lambda;
    if (!ws_.closures.Phi.empty()) {
      write_largest(good_, ws_.closures.Phi, reports, &StepReport::Phi, &StepReport::worst_row);
      fail_where_lost(reports);
      for (int pass = 0; pass < settings_.projections; ++pass) {
        find_motions<false>();
        closures().template find_motions<false>();
        if (pass == 0) write_largest(good_, ws_.closures.Phid, reports, &StepReport::Phid);
        project(ws_.closures.Phid, tree_.zd);
      }
      for (int pass = 0; pass < settings_.projections; ++pass) {
        find_motions<true>();
        closures().template find_motions<true>();
        project(ws_.closures.Phidd, tree_.zdd);
        // sigma = scale alpha (Phidd + P dzdd): the multipliers of the projected accelerations
        ws_.weighted = ws_.closures.Phidd;
        add_product(ws_.correction, ws_.weighted);
        for (std::size_t j = 0; j < ws_.multipliers.size(); ++j)
          ws_.multipliers[j] += scheme_.scale * ws_.alpha[j] * ws_.weighted[j];
      }
    }
    fail_where_not_finite(sum_of_all(tree_.zdd) + sum_of_all(ws_.multipliers), reports);
    find_element_states();
    fail_where_not_finite(sum_of_computed(), reports);
  }

  void fail_where_lost(Reports& reports) {
    unsigned lost = 0;
    for_each_car(good_, [&](int l) {
      if (reports[at(l)].Phi > kLostClosure) lost |= 1U << static_cast<unsigned>(l);
    });
    fail(lost, reports, [](int) { return StepStatus::closures_lost; });
  }
  void fail_where_not_finite(const P& sum, Reports& reports) {
    unsigned bad = 0;
    for (int l = 0; l < kCars; ++l)
      if (!std::isfinite(sum[l])) bad |= 1U << static_cast<unsigned>(l);
    fail(bad, reports, [](int) { return StepStatus::non_finite; });
  }
  /// Not finite where find_non_finite() would find a number.
  P sum_of_computed() const {
    const Model& like = *cars_.models.front();
    P sum{};
    for (std::size_t k = 0; k < tree_.inputs.size(); ++k) {
      sum += absolute(tree_.inputs[k].f);
      if (!like.mechanism.inputs[k].computed)
        sum += absolute(tree_.inputs[k].fd) + absolute(tree_.inputs[k].fdd);
    }
    for (const int k : like.tree.computing) {
      const StateRange& own = like.forces[at(k)]->states();
      for (int state = 0; state < own.count; ++state)
        sum += absolute(tree_.xd[at(own.first + state)]);
    }
    return sum;
  }

  /// First-order states of the force elements and their rates at the end of the step.
  void find_element_states() {
    if (tree_.x.empty()) return;
    const bool samples = cars_.shape->tree.samples_accelerations;
    const bool moved = !ws_.closures.Phi.empty() && settings_.projections > 0;
    if (samples || !moved) {
      if (samples)
        find_motions<true>();
      else
        find_motions<false>();
    }
    for (const auto& forces : cars_.forces) forces->update_states(tree_, good_);
  }

  /// rates <- rates - A^-1 scale P^T alpha error; ws.correction is the change.
  void project(const std::vector<P>& error, std::vector<P>& rates) {
    for (std::size_t j = 0; j < error.size(); ++j)
      ws_.weighted[j] = -scheme_.scale * ws_.alpha[j] * error[j];
    std::fill(ws_.correction.begin(), ws_.correction.end(), P{});
    for (const RowBlock& block : blocks())
      add_transposed_of_rows(BlockOfCars<P>(block), ws_.closures.Phi_z.data() + block.jacobian,
                             ws_.weighted.data(), ws_.correction.data());
    ws_.factor.solve(ws_.correction.data());
    for (std::size_t k = 0; k < rates.size(); ++k) rates[k] += ws_.correction[k];
  }

  /// out += Phi_z x.
  void add_product(const std::vector<P>& x, std::vector<P>& out) const {
    for (const RowBlock& block : blocks())
      add_product_of_rows(BlockOfCars<P>(block), ws_.closures.Phi_z.data() + block.jacobian,
                          x.data(), out.data());
  }

  /// The end of the step becomes the state of the cars that have come so far.
  void accept() {
    if (good_ == 0) return;
    const PackMaskOf<P> good = lanes_where<P>(good_);
    const auto take_over = [&](const std::vector<P>& from, std::vector<P>& to) {
      if (good_ == kAll)
        std::copy(from.begin(), from.end(), to.begin());
      else
        copy_lanes(good, from, to);
    };
    take_over(tree_.z, state_.z);
    take_over(tree_.zd, state_.zd);
    follow_jerk(good);
    take_over(tree_.zdd, state_.zdd);
    take_over(tree_.x, state_.x);
    take_over(tree_.xd, state_.xd);
    take_over(ws_.lambda, state_.lambda);
    take_over(ws_.multipliers, state_.multipliers);
    for_each_car(good_, [&](int l) {
      state_.t[at(l)] = tree_.time[l];
      state_.end[at(l)] = std::numeric_limits<double>::quiet_NaN();
    });
    rebase_cars(cars_, good_, state_);
  }

  void guess_by_jerk() {
    const P part = select(state_.jerk_step > P{}, spread<P>(scheme_.d_jerk), P{});
    const P* trend = state_.trend.data();
    P* increment = ws_.increment.data();
    for (std::size_t k = 0; k < ws_.increment.size(); ++k) increment[k] += part * trend[k];
  }
  /// State::jerk, State::trend and State::jerk_step of the cars that have gone on.
  void follow_jerk(const PackMaskOf<P>& good) {
    if (plan_.constant_work) {
      state_.jerk_step = P{};
      return;
    }
    const double each = 1.0 / settings_.h;
    const PackMaskOf<P> known = state_.jerk_step > P{};
    const P noise = kNoiseOfJerk / scheme_.d_jerk * correction_;
    const P noise_squared = noise * noise;
    const P* zdd = tree_.zdd.data();
    const P* begin = state_.zdd.data();
    P* jerk = state_.jerk.data();
    P* trend = state_.trend.data();
    for (std::size_t k = 0; k < state_.jerk.size(); ++k) {
      const P is = (zdd[k] - begin[k]) * each;
      const PackMaskOf<P> shows = known & (is * is > noise_squared);
      trend[k] = select(good, select(shows, Scheme::trend(jerk[k], is), P{}), trend[k]);
      jerk[k] = select(good, is, jerk[k]);
    }
    state_.jerk_step = select(good, spread<P>(settings_.h), state_.jerk_step);
  }

  template <typename Why>
  void fail(unsigned bad, Reports& reports, const Why& why) {
    for_each_car(bad & good_, [&](int l) { reports[at(l)].status = why(l); });
    good_ &= ~bad;
    open_ &= ~bad;
  }
  template <typename Function>
  static void for_each_car(unsigned cars, const Function& function) {
    for (int l = 0; l < kCars; ++l)
      if ((cars >> static_cast<unsigned>(l) & 1U) != 0) function(l);
  }

  static P square_sum(const std::vector<P>& v) {
    P sum{};
    for (const P& x : v) sum += x * x;
    return sum;
  }
  /// Not finite where a number of the car is not.
  static P sum_of_all(const std::vector<P>& v) {
    P sum{};
    for (const P& x : v) sum += absolute(x);
    return sum;
  }
  static P largest_of(const std::vector<P>& v) {
    P largest{};
    for (const P& x : v) largest = larger_of(absolute(x), largest);
    return largest;
  }
  /// Of the cars named; `row`: its index.
  void write_largest(unsigned cars, const std::vector<P>& v, Reports& reports,
                     double StepReport::*to, int StepReport::*row = nullptr) const {
    P largest{};
    P at_row{};
    for (std::size_t j = 0; j < v.size(); ++j) {
      const P size = absolute(v[j]);
      at_row = select(size > largest, spread<P>(static_cast<double>(j)), at_row);
      largest = larger_of(size, largest);
    }
    for_each_car(cars, [&](int l) {
      reports[at(l)].*to = largest[l];
      if (row != nullptr) reports[at(l)].*row = static_cast<int>(at_row[l]);
    });
  }

  const Cars<P>& cars_;
  const StepSettings& settings_;
  const Scheme& scheme_;
  CarsState<P>& state_;
  CarsScratch<P>& ws_;
  CarsWorkspace<P>& tree_;
  IterationPlan plan_;
  unsigned good_;      ///< cars that have not failed
  unsigned open_;      ///< of them those that iterate
  unsigned done_ = 0;  ///< of them those whose last iteration was not the pack's
  std::array<ConvergenceRate, kCars> convergence_;
  P correction_{};  ///< StepReport::correction
};

}  // namespace semirec
