#include "integrator/formulation/evaluate.hpp"
#include "integrator/formulation/formulation_model.hpp"
#include "integrator/method/hht_numbers.hpp"
#include "integrator/method/stabilised_step.hpp"

namespace semirec {

namespace {

/// HHT-ADD, [SIX] (11) with b = 0: the forces of the closures at both ends of the step are added to
/// Newmark's formulas for the applied ones alone,
///   d = h v_n + h^2 ((1/2 - beta) a_n + beta a) + h^2/2 R_I
///   v = v_n + h ((1 - gamma) a_n + gamma a) + h/2 (R_I + R_II)
/// with unknowns a, R_I, R_II, psi_II, psi_I:
///   M f - Q = 0,   a = (1 + alpha) f - alpha f_n
///   M_n R_I + Phi_z,n^T psi_I = 0,   M R_II + Phi_z^T psi_II = 0
///   (Phi_z v + Phi_t)/h = 0,   Phi/h^2 = 0
/// so that no inverse of M is formed. M must be regular: f is M^-1 Q. History: a, f.
/// Rows and columns: a, R_I, R_II, psi_II (closures' velocities), psi_I (positions).
class HhtAdd final : public StabilisedStep {
 public:
  int levels() const override { return 3; }

  void lay_out(const Model& model, StabilisedPart& part) const override {
    const SymmetricPattern& pattern = model.tree.pattern;
    const int n = part.n;
    const int second = part.row_of_multiplier(0);
    const int first = part.row_of_multiplier(1);
    BlockMatrix& matrix = part.matrix;
    part.blocks = {matrix.place(pattern, 0, 0),
                   matrix.place(part.exact_entries, 0, 0),
                   matrix.place(pattern, 0, n),
                   matrix.place(part.exact_entries, 0, n),
                   matrix.place(pattern, 0, 2 * n),
                   matrix.place(part.exact_entries, 0, 2 * n),
                   matrix.place(pattern, n, n),
                   matrix.place_transposed(model.blocks(), n, first),
                   matrix.place(pattern, 2 * n, 2 * n),
                   matrix.place_transposed(model.blocks(), 2 * n, second),
                   matrix.place(model.blocks(), second, 0),
                   matrix.place(model.blocks(), second, n),
                   matrix.place(model.blocks(), second, 2 * n),
                   matrix.place(model.blocks(), first, 0),
                   matrix.place(model.blocks(), first, n)};
    part.Phi_z_n.assign(matrix_size(model), 0.0);
  }

 protected:
  enum Block {
    kA,
    kAExact,
    kFirst,
    kFirstExact,
    kSecond,
    kSecondExact,
    kMassFirst,
    kPushFirst,
    kMassSecond,
    kPushSecond,
    kRatesA,
    kRatesFirst,
    kRatesSecond,
    kGapsA,
    kGapsFirst
  };

  static std::size_t matrix_size(const Model& model) {
    return model.formulation->make_closures(model).Phi_z.size();
  }

  /// a of the step before; at the start f.
  static auto a_n(const StepInProgress& step, const StabilisedPart& part) {
    const State& state = step.state;
    return step.scheme.past.reads ? state.history.head(part.n) : part.F_n.head(part.n);
  }

  /// f_n goes to part.F_n.
  bool start(StepInProgress& step, StabilisedPart& part) const override {
    const auto& [model, settings, scheme, state, ws, report, factors, P] = step;
    begin_evaluation(model, state, state.t, ws);
    evaluate_dynamics(model, state.z.data(), state.zd.data(), part.zero.data(), {1.0, 0.0, 0.0},
                      ws);
    part.M_n = ws.tree.tangent;
    part.Phi_z_n = ws.closures.Phi_z;
    if (scheme.past.reads) {
      part.F_n = state.history.segment(part.n, part.n);
      return true;
    }
    part.F_n = -ws.tree.residual;
    if (!model.formulation->factor(model, ws.alpha, 0.0, ws)) {
      report.status = StepStatus::tangent_not_positive_definite;
      return false;
    }
    ws.formulation->solve(part.F_n);
    return true;
  }

  void guess(const StepInProgress& step, StabilisedPart& part) const override {
    part.level(part.unknowns, 0) = a_n(step, part);
    part.level(part.unknowns, 1) = step.state.zdd - part.F_n;
    part.level(part.unknowns, 2) = step.state.zdd - part.F_n;
    part.multiplier(part.unknowns, 0) = step.state.lambda;
    part.multiplier(part.unknowns, 1) = step.state.lambda;
  }

  void place(const StepInProgress& step, StabilisedPart& part) const override {
    Workspace& ws = step.ws;
    const HhtNumbers c(step);
    const auto a = part.level(part.unknowns, 0);
    const auto first = part.level(part.unknowns, 1);
    ws.increment = c.h * step.state.zd +
                   c.h * c.h * ((0.5 - c.beta) * a_n(step, part) + c.beta * a + 0.5 * first);
    ws.zd = step.state.zd + c.h * ((1.0 - c.gamma) * a_n(step, part) + c.gamma * a +
                                   0.5 * (first + part.level(part.unknowns, 2)));
    ws.zdd = (a + c.alpha * part.F_n) / (1.0 + c.alpha);  // f
    ws.lambda.setZero();
  }

  void leave_over(const StepInProgress& step, StabilisedPart& part) const override {
    part.level(part.right, 0) -= part.forces;
    const auto subtract = [&](Block block, const std::vector<double>& values) {
      part.matrix.add_block_product(part.blocks[block], values.data(), -1.0, part.unknowns,
                                    part.right);
    };
    subtract(kMassFirst, part.M_n);
    subtract(kPushFirst, part.Phi_z_n);
    subtract(kMassSecond, part.M.symmetric);
    subtract(kPushSecond, step.ws.closures.Phi_z);
  }

  void leave_open(const StepInProgress& step, StabilisedPart& part) const override {
    const double h = step.scheme.h;
    part.multiplier(part.right, 0) -= step.ws.closures.Phid / h;
    part.multiplier(part.right, 1) -= step.ws.closures.Phi / (h * h);
  }

  void assemble(const StepInProgress& step, StabilisedPart& part) const override {
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
    add(kFirst, part.K.symmetric, 0.5 * h2);
    add(kFirst, part.C.symmetric, 0.5 * c.h);
    add(kFirstExact, part.K.exact, 0.5 * h2);
    add(kFirstExact, part.C.exact, 0.5 * c.h);
    add(kSecond, part.C.symmetric, 0.5 * c.h);
    add(kSecondExact, part.C.exact, 0.5 * c.h);
    add(kMassFirst, part.M_n, 1.0);
    add(kPushFirst, part.Phi_z_n, 1.0);
    add(kMassSecond, part.M.symmetric, 1.0);
    const std::vector<double>& Phi_z = step.ws.closures.Phi_z;
    add(kPushSecond, Phi_z, 1.0);
    add(kRatesA, Phi_z, c.gamma);
    add(kRatesFirst, Phi_z, 0.5);
    add(kRatesSecond, Phi_z, 0.5);
    add(kGapsA, Phi_z, c.beta);
    add(kGapsFirst, Phi_z, 0.5);
  }

  void end(const StepInProgress& step, StabilisedPart& part) const override {
    const HhtNumbers c(step);
    part.acceleration = part.level(part.unknowns, 0);
    step.ws.multipliers = part.multiplier(part.unknowns, 0);
    step.ws.lambda = step.ws.multipliers;
    part.history.head(part.n) = part.acceleration;
    part.history.tail(part.n) = (part.acceleration + c.alpha * part.F_n) / (1.0 + c.alpha);
  }
};

}  // namespace

const StabilisedStep& hht_add_step() {
  static const HhtAdd method;
  return method;
}

}  // namespace semirec
