#include "integrator/formulation/evaluate.hpp"
#include "integrator/method/hht_numbers.hpp"
#include "integrator/method/stabilised_step.hpp"
#include "penalty/augmented_lagrangian.hpp"

namespace semirec {

namespace {

/// HHT-SI2, [SIX] (12), (13): Newmark's formulas with a correction abar of the positions,
///   d = h v_n + h^2 ((1/2 - beta) a_n + beta a) + h^2/2 abar
///   v = v_n + h ((1 - gamma) a_n + gamma a)
/// and unknowns a, abar, lambda, mu:
///   Mbar a/(1 + alpha) + F - alpha/(1 + alpha) F_n = 0,     F = Phi_z^T lambda - Q
///   Mbar abar + Phi_z^T mu = 0                              mu of the opposite sign
///   (Phi_z v + Phi_t)/h = 0,   Phi/h^2 = 0
/// Mbar is M at z_n + (1 + alpha) h v_n; terms of Q in the velocities belong to F. History: a, F.
/// Rows and columns of the matrix: a, abar, lambda (closures' velocities), mu (positions).
class HhtSi2 final : public StabilisedStep {
 public:
  void lay_out(const Model& model, StabilisedPart& part) const override {
    const SymmetricPattern& pattern = model.tree.pattern;
    const int lambda = part.row_of_multiplier(0);
    const int mu = part.row_of_multiplier(1);
    const std::vector<RowBlock> none;
    part.blocks = {
        part.matrix.place(pattern, 0, 0),
        part.matrix.place(part.exact_entries, 0, 0),
        part.matrix.place(pattern, 0, part.n),
        part.matrix.place(part.exact_entries, 0, part.n),
        part.matrix.place(pattern, part.n, part.n),
        part.matrix.place_transposed(model.blocks(), 0, lambda),
        part.matrix.place_transposed(model.blocks(), part.n, mu),
        part.matrix.place(part.exact_entries, part.n, 0),
        part.matrix.place(part.exact_entries, part.n, part.n),
        part.matrix.place(model.blocks(), lambda, 0),
        part.matrix.place(part.exact_entries.empty() ? none : model.blocks(), lambda, part.n),
        part.matrix.place(model.blocks(), mu, 0),
        part.matrix.place(model.blocks(), mu, part.n)};
  }

 protected:
  enum Block {
    kA,
    kAExact,
    kBar,
    kBarExact,
    kMassBar,
    kPull,
    kPush,
    kPushCurved,
    kPushCurvedBar,
    kRates,
    kRatesBar,
    kGaps,
    kGapsBar
  };

  /// a of the step before; at the start the accelerations.
  static auto a_n(const StepInProgress& step) {
    const State& state = step.state;
    return step.scheme.past.reads ? state.history.head(state.z.size())
                                  : state.zdd.head(state.z.size());
  }

  bool takes_mass() const override { return false; }

  bool start(StepInProgress& step, StabilisedPart& part) const override {
    const auto& [model, settings, scheme, state, ws, report, factors, P] = step;
    const HhtNumbers c(step);
    if (scheme.past.reads) {
      part.F_n = state.history.segment(part.n, part.n);
    } else {
      begin_evaluation(model, state, state.t, ws);
      evaluate_dynamics(model, state.z.data(), state.zd.data(), part.zero.data(), {0.0, 0.0, 0.0},
                        ws);
      part.F_n = ws.tree.residual;
      add_transposed(model.blocks(), ws.closures.Phi_z, state.multipliers, part.F_n);
    }
    const double way = (1.0 + c.alpha) * c.h;
    begin_evaluation(model, state, state.t + way, ws, /*from_left=*/true);
    ws.z = state.z + way * state.zd;
    evaluate_dynamics(model, ws.z.data(), state.zd.data(), part.zero.data(), {1.0, 0.0, 0.0}, ws);
    part.M.symmetric = ws.tree.tangent;
    return true;
  }

  void guess(const StepInProgress& step, StabilisedPart& part) const override {
    part.level(part.unknowns, 0) = a_n(step);
    part.multiplier(part.unknowns, 0) = step.state.lambda;
  }

  void place(const StepInProgress& step, StabilisedPart& part) const override {
    Workspace& ws = step.ws;
    const HhtNumbers c(step);
    const auto a = part.level(part.unknowns, 0);
    ws.increment =
        c.h * step.state.zd +
        c.h * c.h * ((0.5 - c.beta) * a_n(step) + c.beta * a + 0.5 * part.level(part.unknowns, 1));
    ws.zd = step.state.zd + c.h * ((1.0 - c.gamma) * a_n(step) + c.gamma * a);
    ws.zdd.setZero();
    ws.lambda = part.multiplier(part.unknowns, 0);
  }

  void leave_over(const StepInProgress& step, StabilisedPart& part) const override {
    const double* Phi_z = step.ws.closures.Phi_z.data();
    const HhtNumbers c(step);
    part.level(part.right, 0) += c.alpha / (1.0 + c.alpha) * part.F_n - part.forces;
    const auto subtract = [&](Block block, const double* values, double factor) {
      part.matrix.add_block_product(part.blocks[block], values, -factor, part.unknowns, part.right);
    };
    subtract(kA, part.M.symmetric.data(), 1.0 / (1.0 + c.alpha));
    subtract(kPull, Phi_z, 1.0);
    subtract(kMassBar, part.M.symmetric.data(), 1.0);
    subtract(kPush, Phi_z, 1.0);
  }

  void leave_open(const StepInProgress& step, StabilisedPart& part) const override {
    const double h = step.scheme.h;
    part.multiplier(part.right, 0) -= step.ws.closures.Phid / h;
    part.multiplier(part.right, 1) -= step.ws.closures.Phi / (h * h);
  }

  void assemble(const StepInProgress& step, StabilisedPart& part) const override {
    const double* Phi_z = step.ws.closures.Phi_z.data();
    const HhtNumbers c(step);
    const auto add = [&](Block block, const std::vector<double>& values, double factor) {
      part.matrix.add(part.blocks[block], values.data(), factor);
    };
    const double h2 = c.h * c.h;
    add(kA, part.M.symmetric, 1.0 / (1.0 + c.alpha));
    add(kA, part.K.symmetric, c.beta * h2);
    add(kA, part.C.symmetric, c.gamma * c.h);
    add(kAExact, part.K.exact, c.beta * h2);
    add(kAExact, part.C.exact, c.gamma * c.h);
    add(kBar, part.K.symmetric, 0.5 * h2);
    add(kBarExact, part.K.exact, 0.5 * h2);
    add(kMassBar, part.M.symmetric, 1.0);
    part.matrix.add(part.blocks[kPull], Phi_z, 1.0);
    part.matrix.add(part.blocks[kPush], Phi_z, 1.0);
    add(kPushCurved, part.curvature, c.beta * h2);
    add(kPushCurvedBar, part.curvature, 0.5 * h2);
    part.matrix.add(part.blocks[kRates], Phi_z, c.gamma);
    add(kRates, part.Phid_z, c.beta * c.h);
    add(kRatesBar, part.Phid_z, 0.5 * c.h);
    part.matrix.add(part.blocks[kGaps], Phi_z, c.beta);
    part.matrix.add(part.blocks[kGapsBar], Phi_z, 0.5);
  }

  void end(const StepInProgress& step, StabilisedPart& part) const override {
    Workspace& ws = step.ws;
    part.acceleration = part.level(part.unknowns, 0);
    ws.multipliers = part.multiplier(part.unknowns, 0);
    part.history.head(part.n) = part.acceleration;
    part.F_n = part.forces;
    add_transposed(step.model.blocks(), ws.closures.Phi_z, ws.multipliers, part.F_n);
    part.history.tail(part.n) = part.F_n;
  }
};

}  // namespace

const StabilisedStep& hht_si2_step() {
  static const HhtSi2 method;
  return method;
}

}  // namespace semirec
