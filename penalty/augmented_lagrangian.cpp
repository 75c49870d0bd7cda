#include "penalty/augmented_lagrangian.hpp"

#include "recursive/packs/pack_math.hpp"
#include "topology/indices.hpp"

namespace semirec {

void update_multipliers(const DynamicTerms& terms, const std::vector<double>& P,
                        const Eigen::VectorXd& alpha, const Eigen::VectorXd& dz,
                        Eigen::VectorXd& weighted, Eigen::VectorXd& lambda) {
  weighted = terms.Phi;
  add_product(terms.blocks, P, dz, weighted);
  lambda.array() += alpha.array() * weighted.array();
}

namespace {

/// Four like blocks that lie interleaved in Phi_z.
struct Quartet {
  const RowBlock* block[kLanes];

  Quartet(const std::vector<RowBlock>& blocks, const RowBlock& leader) {
    for (std::size_t l = 0; l < at(kLanes); ++l) block[l] = &blocks[at(leader.members[l])];
  }
  /// Row r of the four in an m-vector.
  Pack row_of(const Eigen::VectorXd& v, int r) const {
    return Pack{v[block[0]->row + r], v[block[1]->row + r], v[block[2]->row + r],
                v[block[3]->row + r]};
  }
  void add_to_row(Eigen::VectorXd& v, int r, const Pack& value) const {
    for (int l = 0; l < kLanes; ++l) v[block[l]->row + r] += value[l];
  }
  /// Column k of the four in an n-vector.
  Pack column_of(const Eigen::VectorXd& v, std::size_t k) const {
    return Pack{v[block[0]->columns[k]], v[block[1]->columns[k]], v[block[2]->columns[k]],
                v[block[3]->columns[k]]};
  }
  void add_to_column(Eigen::VectorXd& v, std::size_t k, const Pack& value) const {
    for (int l = 0; l < kLanes; ++l) v[block[l]->columns[k]] += value[l];
  }
};

constexpr int kMostRows = 6;  // of one closure

/// The penalty of four like blocks whose tangent entries lie four in a row.
void add_quartet(DynamicTerms& terms, const RowBlock& leader, const Eigen::VectorXd& alpha,
                 const Eigen::VectorXd& lambda, double scale) {
  const Quartet quartet(terms.blocks, leader);
  const std::size_t size = leader.columns.size();
  const double* J = terms.Phi_z.data() + leader.jacobian;
  Pack pull[kMostRows];
  Pack weight[kMostRows];
  for (int r = 0; r < leader.rows; ++r) {
    const Pack a = quartet.row_of(alpha, r);
    pull[r] = a * quartet.row_of(terms.Phi, r) + quartet.row_of(lambda, r);
    weight[r] = broadcast(scale) * a;
  }
  const auto entry = [&](int r, std::size_t k) {
    return load_loose(J + at(kLanes) * (at(r) * size + k));
  };
  const int* slot = leader.lane_slots.data();
  double* tangent = terms.tangent.data();
  for (std::size_t i = 0; i < size; ++i) {
    Pack left[kMostRows];
    Pack sum{};
    for (int r = 0; r < leader.rows; ++r) {
      const Pack own = entry(r, i);
      sum += own * pull[r];
      left[r] = weight[r] * own;
    }
    quartet.add_to_column(terms.residual, i, sum);
    for (std::size_t k = 0; k <= i; ++k, ++slot) {
      Pack product = load_loose(tangent + *slot);
      for (int r = 0; r < leader.rows; ++r) product += left[r] * entry(r, k);
      store_loose(tangent + *slot, product);
    }
  }
}

}  // namespace

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
      if (block.lanes > 0) add_quartet(terms, block, alpha, lambda, scale);
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
      const Quartet quartet(blocks, block);
      for (std::size_t i = 0; i < size; ++i) {
        Pack sum{};
        for (int r = 0; r < block.rows; ++r)
          sum += load_loose(row + stride * (at(r) * size + i)) * quartet.row_of(weights, r);
        quartet.add_to_column(out, i, sum);
      }
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
      const Quartet quartet(blocks, block);
      for (int r = 0; r < block.rows; ++r, row += stride * size) {
        Pack sum{};
        for (std::size_t i = 0; i < size; ++i)
          sum += load_loose(row + stride * i) * quartet.column_of(x, i);
        quartet.add_to_row(out, r, sum);
      }
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
