#include "penalty/augmented_lagrangian.hpp"

#include "penalty/row_products.hpp"

namespace semirec {

void update_multipliers(const DynamicTerms& terms, const std::vector<double>& P,
                        const Eigen::VectorXd& alpha, const Eigen::VectorXd& dz,
                        Eigen::VectorXd& weighted, Eigen::VectorXd& lambda) {
  weighted = terms.Phi;
  add_product(terms.blocks, P, dz, weighted);
  lambda.array() += alpha.array() * weighted.array();
}

void add_penalty(DynamicTerms& terms, const Eigen::VectorXd& alpha, const Eigen::VectorXd& lambda,
                 double scale) {
  double* tangent = terms.tangent.data();
  int index = 0;
  const auto in_lanes = [&](const RowBlock& block) {
    return block.stride == kLanes && !terms.blocks[at(block.members[0])].lane_slots.empty();
  };
  for (const RowBlock& block : terms.blocks) {
    const auto size = block.columns.size();
    const auto stride = at(block.stride);
    const bool with_tangent = index++ >= terms.prepaid && !block.slots.empty();
    if (in_lanes(block)) {
      if (block.lanes > 0)
        add_penalty_of_rows(Quartet(terms.blocks, block), terms.Phi_z.data() + block.jacobian,
                            terms.Phi.data(), alpha.data(), lambda.data(), scale,
                            terms.residual.data(), tangent);
      continue;
    }
    const double* row = terms.Phi_z.data() + block.jacobian;
    for (int r = 0; r < block.rows; ++r, row += stride * size) {
      const int j = block.row + r;
      const double pull = alpha[j] * terms.Phi[j] + lambda[j];
      const double weight = scale * alpha[j];
      const int* slot = block.slots.data();
      if (!with_tangent) {
        for (std::size_t i = 0; i < size; ++i)
          terms.residual[block.columns[i]] += row[stride * i] * pull;
        continue;
      }
      for (std::size_t i = 0; i < size; ++i) {
        terms.residual[block.columns[i]] += row[stride * i] * pull;
        const double left = weight * row[stride * i];
        for (std::size_t k = 0; k <= i; ++k) tangent[*slot++] += left * row[stride * k];
      }
    }
  }
}

void add_transposed(const std::vector<RowBlock>& blocks, const std::vector<double>& Phi_z,
                    const Eigen::VectorXd& weights, Eigen::VectorXd& out) {
  for (const RowBlock& block : blocks) {
    const auto size = block.columns.size();
    const auto stride = at(block.stride);
    const double* row = Phi_z.data() + block.jacobian;
    if (block.stride == kLanes) {
      if (block.lanes == 0) continue;
      add_transposed_of_rows(Quartet(blocks, block), row, weights.data(), out.data());
      continue;
    }
    for (int r = 0; r < block.rows; ++r, row += stride * size)
      for (std::size_t i = 0; i < size; ++i)
        out[block.columns[i]] += row[stride * i] * weights[block.row + r];
  }
}

void add_product(const std::vector<RowBlock>& blocks, const std::vector<double>& Phi_z,
                 const Eigen::VectorXd& x, Eigen::VectorXd& out) {
  for (const RowBlock& block : blocks) {
    const auto size = block.columns.size();
    const auto stride = at(block.stride);
    const double* row = Phi_z.data() + block.jacobian;
    if (block.stride == kLanes) {
      if (block.lanes == 0) continue;
      add_product_of_rows(Quartet(blocks, block), row, x.data(), out.data());
      continue;
    }
    for (int r = 0; r < block.rows; ++r, row += stride * size) {
      double sum = 0.0;
      for (std::size_t i = 0; i < size; ++i) sum += row[stride * i] * x[block.columns[i]];
      out[block.row + r] += sum;
    }
  }
}

}  // namespace semirec
