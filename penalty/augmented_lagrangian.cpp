#include "penalty/augmented_lagrangian.hpp"

namespace semirec {

void update_multipliers(const DynamicTerms& terms, const Eigen::VectorXd& alpha,
                        const Eigen::VectorXd& dz, Eigen::VectorXd& weighted,
                        Eigen::VectorXd& lambda) {
  weighted = terms.Phi;
  add_product(terms.blocks, terms.Phi_z, dz, weighted);
  lambda.array() += alpha.array() * weighted.array();
}

void add_penalty(DynamicTerms& terms, const Eigen::VectorXd& alpha, const Eigen::VectorXd& lambda,
                 double scale) {
  double* tangent = terms.tangent.data();
  int index = 0;
  for (const RowBlock& block : terms.blocks) {
    const auto size = block.columns.size();
    const bool with_tangent = index++ >= terms.prepaid && !block.slots.empty();
    const double* row = terms.Phi_z.data() + block.jacobian;
    for (int r = 0; r < block.rows; ++r, row += size) {
      const int j = block.row + r;
      const double pull = alpha[j] * terms.Phi[j] + lambda[j];
      const double weight = scale * alpha[j];
      const int* slot = block.slots.data();
      if (!with_tangent) {
        for (std::size_t i = 0; i < size; ++i) terms.residual[block.columns[i]] += row[i] * pull;
        continue;
      }
      for (std::size_t i = 0; i < size; ++i) {
        terms.residual[block.columns[i]] += row[i] * pull;
        const double left = weight * row[i];
        for (std::size_t k = 0; k <= i; ++k) tangent[*slot++] += left * row[k];
      }
    }
  }
}

void add_transposed(const std::vector<RowBlock>& blocks, const std::vector<double>& Phi_z,
                    const Eigen::VectorXd& weights, Eigen::VectorXd& out) {
  for (const RowBlock& block : blocks) {
    const auto size = block.columns.size();
    const double* row = Phi_z.data() + block.jacobian;
    for (int r = 0; r < block.rows; ++r, row += size)
      for (std::size_t i = 0; i < size; ++i)
        out[block.columns[i]] += row[i] * weights[block.row + r];
  }
}

void add_product(const std::vector<RowBlock>& blocks, const std::vector<double>& Phi_z,
                 const Eigen::VectorXd& x, Eigen::VectorXd& out) {
  for (const RowBlock& block : blocks) {
    const auto size = block.columns.size();
    const double* row = Phi_z.data() + block.jacobian;
    for (int r = 0; r < block.rows; ++r, row += size) {
      double sum = 0.0;
      for (std::size_t i = 0; i < size; ++i) sum += row[i] * x[block.columns[i]];
      out[block.row + r] += sum;
    }
  }
}

}  // namespace semirec
