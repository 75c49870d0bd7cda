#include "penalty/loop_group.hpp"

#include <algorithm>
#include <cmath>

#include "penalty/factors/least_squares.hpp"
#include "topology/indices.hpp"
#include "topology/largest_magnitude.hpp"

namespace semirec {

namespace {

constexpr double kRank = 1e-9;  // pivots below this part of the largest count as zero

}  // namespace

std::vector<LoopGroup> make_loop_groups(const std::vector<RowBlock>& blocks) {
  std::vector<LoopGroup> groups;
  // closures linked by common coordinates
  std::vector<int> group_of(blocks.size(), -1);
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    if (group_of[b] >= 0) continue;
    group_of[b] = static_cast<int>(groups.size());
    groups.emplace_back();
    LoopGroup& group = groups.back();
    group.columns = blocks[b].columns;
    for (bool grown = true; grown;) {
      grown = false;
      for (std::size_t c = 0; c < blocks.size(); ++c) {
        const std::vector<int>& columns = blocks[c].columns;
        const bool touches = std::any_of(columns.begin(), columns.end(), [&](int k) {
          return std::binary_search(group.columns.begin(), group.columns.end(), k);
        });
        if (group_of[c] >= 0 || !touches) continue;
        group_of[c] = group_of[b];
        std::vector<int> both;
        std::set_union(group.columns.begin(), group.columns.end(), columns.begin(), columns.end(),
                       std::back_inserter(both));
        group.columns = both;
        grown = true;
      }
    }
    for (std::size_t c = 0; c < blocks.size(); ++c) {
      if (group_of[c] != group_of[b]) continue;
      group.blocks.push_back(static_cast<int>(c));
      for (int r = 0; r < blocks[c].rows; ++r) group.rows.push_back(blocks[c].row + r);
    }
    const auto rows = static_cast<Eigen::Index>(group.rows.size());
    const auto columns = static_cast<Eigen::Index>(group.columns.size());
    group.jacobian = group.factor = MatrixByRows::Zero(rows, columns);
    group.row_order.resize(group.rows.size());
    group.is_dependent.resize(group.columns.size());
    group.rhs = Eigen::VectorXd::Zero(rows);
    group.solution = Eigen::VectorXd::Zero(columns);
    group.dependent.reserve(group.columns.size());
    group.free.reserve(group.columns.size());
  }
  return groups;
}

void gather_jacobian(const std::vector<RowBlock>& blocks, const std::vector<double>& Phi_z,
                     LoopGroup& group) {
  group.jacobian.setZero();
  int row = 0;
  for (const int b : group.blocks) {
    const RowBlock& block = blocks[at(b)];
    const double* value = Phi_z.data() + block.jacobian;
    for (int r = 0; r < block.rows; ++r, ++row) {
      std::size_t place = 0;
      for (const int column : block.columns) {
        while (group.columns[place] != column) ++place;
        group.jacobian(row, static_cast<Eigen::Index>(place)) = *value;
        value += block.stride;
      }
    }
  }
}

bool has_dependent_rows(const std::vector<RowBlock>& blocks, const std::vector<double>& Phi_z) {
  std::vector<LoopGroup> groups = make_loop_groups(blocks);
  return std::any_of(groups.begin(), groups.end(), [&](LoopGroup& group) {
    if (group.rows.size() > kMostRanked) return false;
    gather_jacobian(blocks, Phi_z, group);
    return find_rank(group.jacobian, kRank) < static_cast<int>(group.rows.size());
  });
}

int find_range(LoopGroup& group, const Eigen::VectorXd& masses) {
  MatrixByRows& Q = group.factor;
  Q = group.jacobian;
  for (Eigen::Index r = 0; r < Q.rows(); ++r)
    Q.row(r) *= std::sqrt(masses[group.rows[static_cast<std::size_t>(r)]]);
  double first = 0.0;
  Eigen::Index k = 0;
  for (; k < std::min(Q.rows(), Q.cols()); ++k) {
    Eigen::Index longest = k;
    for (Eigen::Index c = k + 1; c < Q.cols(); ++c)
      if (Q.col(c).squaredNorm() > Q.col(longest).squaredNorm()) longest = c;
    if (longest != k) Q.col(k).swap(Q.col(longest));
    const double length = Q.col(k).norm();
    if (k == 0) first = length;
    if (!(length > kRank * first)) break;
    Q.col(k) /= length;
    // once more against those before: what is left of a column may be rounding of its own
    for (Eigen::Index c = 0; c < k; ++c) Q.col(k) -= Q.col(c).dot(Q.col(k)) * Q.col(c);
    Q.col(k).normalize();
    for (Eigen::Index c = k + 1; c < Q.cols(); ++c) Q.col(c) -= Q.col(k).dot(Q.col(c)) * Q.col(k);
  }
  return static_cast<int>(k);
}

void drop_unseen(LoopGroup& group, const Eigen::VectorXd& masses, int rank,
                 Eigen::VectorXd& lambda) {
  const MatrixByRows& Q = group.factor;
  group.rhs.setZero();
  for (int k = 0; k < rank; ++k) {
    double share = 0.0;
    for (std::size_t r = 0; r < group.rows.size(); ++r)
      share += Q(static_cast<Eigen::Index>(r), k) * lambda[group.rows[r]] /
               std::sqrt(masses[group.rows[r]]);
    group.rhs += share * Q.col(k);
  }
  for (std::size_t r = 0; r < group.rows.size(); ++r)
    lambda[group.rows[r]] =
        std::sqrt(masses[group.rows[r]]) * group.rhs[static_cast<Eigen::Index>(r)];
}

double pivot_completely(LoopGroup& group, std::vector<char>& dependent) {
  MatrixByRows& A = group.factor;
  A = group.jacobian;
  const Eigen::Index rows = A.rows();
  const Eigen::Index columns = A.cols();
  std::fill(dependent.begin(), dependent.end(), '\0');
  double first = 0.0;
  double last = 0.0;
  for (Eigen::Index k = 0; k < std::min(rows, columns); ++k) {
    Eigen::Index pivot_row = k;
    Eigen::Index pivot_column = -1;
    double largest = 0.0;
    for (Eigen::Index c = 0; c < columns; ++c) {
      if (dependent[static_cast<std::size_t>(c)] != 0) continue;
      for (Eigen::Index r = k; r < rows; ++r)
        if (std::abs(A(r, c)) > largest) {
          largest = std::abs(A(r, c));
          pivot_row = r;
          pivot_column = c;
        }
    }
    if (k == 0) first = largest;
    if (pivot_column < 0 || largest <= kRank * first || largest <= kZeroRow) break;
    last = largest;
    dependent[static_cast<std::size_t>(pivot_column)] = 1;
    A.row(k).swap(A.row(pivot_row));
    for (Eigen::Index r = k + 1; r < rows; ++r)
      A.row(r) -= A(r, pivot_column) / A(k, pivot_column) * A.row(k);
  }
  return last > 0.0 ? last / first : 1.0;
}

void select_dependent(LoopGroup& group) {
  pivot_completely(group, group.is_dependent);
  group.dependent.clear();
  group.free.clear();
  for (int c = 0; c < static_cast<int>(group.columns.size()); ++c)
    (group.is_dependent[at(c)] != 0 ? group.dependent : group.free).push_back(c);
}

bool eliminate_dependent(LoopGroup& group, double& quality) {
  // columns: dependent ones, then free ones
  MatrixByRows& A = group.factor;
  const Eigen::Index rows = A.rows();
  const Eigen::Index columns = A.cols();
  const auto count = static_cast<Eigen::Index>(group.dependent.size());
  const auto row_of = [&](Eigen::Index r) { return A.data() + r * columns; };
  for (Eigen::Index r = 0; r < rows; ++r) {
    group.row_order[static_cast<std::size_t>(r)] = static_cast<int>(r);
    const double* from = group.jacobian.data() + r * columns;
    double* to = row_of(r);
    for (const int c : group.dependent) *to++ = from[c];
    for (const int c : group.free) *to++ = from[c];
  }
  // against the largest entry of all columns: a single pivot has no other to shrink against
  double least = 1e300;
  const double most = largest_magnitude(A);
  for (Eigen::Index k = 0; k < count; ++k) {
    Eigen::Index pivot = k;
    for (Eigen::Index r = k + 1; r < rows; ++r)
      if (std::abs(row_of(r)[k]) > std::abs(row_of(pivot)[k])) pivot = r;
    if (pivot != k) {
      std::swap_ranges(row_of(k), row_of(k) + columns, row_of(pivot));
      std::swap(group.row_order[static_cast<std::size_t>(k)],
                group.row_order[static_cast<std::size_t>(pivot)]);
    }
    const double* top = row_of(k);
    const double size = std::abs(top[k]);
    least = std::min(least, size);
    if (!(size > kRank * most && size > kZeroRow)) return false;
    const double inverse = 1.0 / top[k];
    for (Eigen::Index r = k + 1; r < rows; ++r) {
      double* row = row_of(r);
      const double f = row[k] * inverse;
      if (f == 0.0) continue;
      for (Eigen::Index j = k + 1; j < columns; ++j) row[j] -= f * top[j];
      row[k] = f;
    }
  }
  quality = count > 0 ? least / most : 1.0;
  return true;
}

void find_S(LoopGroup& group) {
  // back substitution of the free columns
  const auto count = static_cast<Eigen::Index>(group.dependent.size());
  for (std::size_t j = 0; j < group.free.size(); ++j) {
    double* s = group.S.col(static_cast<Eigen::Index>(j)).data();
    for (Eigen::Index k = count - 1; k >= 0; --k) {
      const double* row = group.factor.data() + k * group.factor.cols();
      double sum = row[count + static_cast<Eigen::Index>(j)];
      for (Eigen::Index i = k + 1; i < count; ++i) sum += row[i] * s[i];
      s[k] = -sum / row[k];
    }
  }
}

void size_elimination(LoopGroup& group) {
  group.S.resize(static_cast<Eigen::Index>(group.dependent.size()),
                 static_cast<Eigen::Index>(group.free.size()));
}

void solve_dependent(LoopGroup& group, const Eigen::VectorXd& error) {
  const auto count = static_cast<Eigen::Index>(group.dependent.size());
  const Eigen::Index columns = group.factor.cols();
  const double* row = group.factor.data();
  double* x = group.solution.data();
  for (Eigen::Index k = 0; k < count; ++k, row += columns) {
    double sum = error[group.rows[at(group.row_order[static_cast<std::size_t>(k)])]];
    for (Eigen::Index i = 0; i < k; ++i) sum -= row[i] * x[i];
    x[k] = sum;
  }
  for (Eigen::Index k = count - 1; k >= 0; --k) {
    row -= columns;
    double sum = x[k];
    for (Eigen::Index i = k + 1; i < count; ++i) sum -= row[i] * x[i];
    x[k] = sum / row[k];
  }
}

void solve_multipliers(LoopGroup& group, const Eigen::VectorXd& residual, Eigen::VectorXd& lambda) {
  const auto count = static_cast<Eigen::Index>(group.dependent.size());
  const MatrixByRows& A = group.factor;
  for (const int row : group.rows) lambda[row] = 0.0;
  // U^T y = -residual, then L^T lambda = y
  for (Eigen::Index k = 0; k < count; ++k) {
    double sum = -residual[group.columns[at(group.dependent[static_cast<std::size_t>(k)])]];
    for (Eigen::Index i = 0; i < k; ++i) sum -= A(i, k) * group.rhs[i];
    group.rhs[k] = sum / A(k, k);
  }
  for (Eigen::Index k = count - 1; k >= 0; --k) {
    double sum = group.rhs[k];
    for (Eigen::Index i = k + 1; i < count; ++i) sum -= A(i, k) * group.rhs[i];
    group.rhs[k] = sum;
    lambda[group.rows[at(group.row_order[static_cast<std::size_t>(k)])]] = sum;
  }
}

void correct_dependent(const LoopGroup& group, Eigen::VectorXd& z) {
  for (std::size_t k = 0; k < group.dependent.size(); ++k)
    z[group.columns[at(group.dependent[k])]] -= group.solution[static_cast<Eigen::Index>(k)];
}

void follow_independent(const LoopGroup& group, Eigen::VectorXd& rates) {
  for (std::size_t k = 0; k < group.dependent.size(); ++k) {
    double sum = 0.0;
    for (std::size_t j = 0; j < group.free.size(); ++j)
      sum += group.S(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(j)) *
             rates[group.columns[at(group.free[j])]];
    rates[group.columns[at(group.dependent[k])]] = sum;
  }
}

}  // namespace semirec
