#include "integrator/method/stabilised_step.hpp"

namespace semirec {

namespace {

/// NSTIFF-SI2, [SIX] (9), (10): the backward differentiation formula of two steps for z and for v,
///   d = c P + tau zd,   v = x_part zd_n + x_hat Q + tau vd      tau = 2 h/3: [SIX] (9)
/// with P the increment and Q the velocities of the step before, and unknowns vd, zd, lambda, mu:
///   M vd + Phi_z^T lambda - Q = 0        velocities v in Q
///   v - zd + Phi_z^T mu = 0
///   (Phi_z v + Phi_t)/tau = 0,   Phi/tau = 0
/// Rows and columns of the matrix: vd, zd, lambda (closures' velocities), mu (positions).
class NstiffSi2 final : public StabilisedStep {
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
        part.matrix.place_diagonal(part.n, part.n, 0),
        part.matrix.place_diagonal(part.n, part.n, part.n),
        part.matrix.place_transposed(model.blocks(), 0, lambda),
        part.matrix.place_transposed(model.blocks(), part.n, mu),
        part.matrix.place(part.exact_entries, part.n, part.n),
        part.matrix.place(model.blocks(), lambda, 0),
        part.matrix.place(part.exact_entries.empty() ? none : model.blocks(), lambda, part.n),
        part.matrix.place(model.blocks(), mu, part.n)};
  }

 protected:
  enum Block {
    kAcross,
    kAcrossExact,
    kDown,
    kDownExact,
    kTau,
    kMinus,
    kPull,
    kPush,
    kPushCurved,
    kRates,
    kRatesCurved,
    kGaps
  };

  void guess(const StepInProgress& step, StabilisedPart& part) const override {
    part.level(part.unknowns, 0) = step.state.zdd;
    part.level(part.unknowns, 1) = step.state.zd + step.scheme.h * step.state.zdd;
    part.multiplier(part.unknowns, 0) = step.state.lambda;
  }

  void place(const StepInProgress& step, StabilisedPart& part) const override {
    const auto& [model, settings, scheme, state, ws, report, factors, P] = step;
    const double tau = scheme.gain;
    ws.increment = tau * part.level(part.unknowns, 1);
    ws.zd = scheme.x_part * state.zd + tau * part.level(part.unknowns, 0);
    if (scheme.past.reads) {
      ws.increment -= tau * scheme.past.zd_P * state.history.head(part.n);
      ws.zd += scheme.past.x_hat_X * state.history.segment(part.n, part.n);
    }
    ws.zdd = part.level(part.unknowns, 0);
    ws.lambda = part.multiplier(part.unknowns, 0);
  }

  void leave_over(const StepInProgress& step, StabilisedPart& part) const override {
    const double* Phi_z = step.ws.closures.Phi_z.data();
    part.level(part.right, 0) -= part.forces;
    part.level(part.right, 1) += part.level(part.unknowns, 1) - step.ws.zd;
    part.matrix.add_block_product(part.blocks[kPull], Phi_z, -1.0, part.unknowns, part.right);
    part.matrix.add_block_product(part.blocks[kPush], Phi_z, -1.0, part.unknowns, part.right);
  }

  void leave_open(const StepInProgress& step, StabilisedPart& part) const override {
    part.multiplier(part.right, 0) -= step.ws.closures.Phid / step.scheme.gain;
    part.multiplier(part.right, 1) -= step.ws.closures.Phi / step.scheme.gain;
  }

  void assemble(const StepInProgress& step, StabilisedPart& part) const override {
    const double* Phi_z = step.ws.closures.Phi_z.data();
    const double tau = step.scheme.gain;
    part.matrix.add(part.blocks[kAcross], part.M.symmetric.data(), 1.0);
    part.matrix.add(part.blocks[kAcross], part.C.symmetric.data(), tau);
    part.matrix.add(part.blocks[kAcrossExact], part.C.exact.data(), tau);
    part.matrix.add(part.blocks[kDown], part.K.symmetric.data(), tau);
    part.matrix.add(part.blocks[kDownExact], part.K.exact.data(), tau);
    part.matrix.add_identity(part.blocks[kTau], tau);
    part.matrix.add_identity(part.blocks[kMinus], -1.0);
    part.matrix.add(part.blocks[kPushCurved], part.curvature.data(), tau);
    part.matrix.add(part.blocks[kRatesCurved], part.Phid_z.data(), 1.0);
    for (const Block block : {kPull, kPush, kRates, kGaps})
      part.matrix.add(part.blocks[block], Phi_z, 1.0);
  }

  void end(const StepInProgress& step, StabilisedPart& part) const override {
    part.acceleration = part.level(part.unknowns, 0);
    step.ws.multipliers = part.multiplier(part.unknowns, 0);
  }
  bool keeps_own_history() const override { return false; }  // that of nstiff
};

}  // namespace

const StabilisedStep& nstiff_si2_step() {
  static const NstiffSi2 method;
  return method;
}

}  // namespace semirec
