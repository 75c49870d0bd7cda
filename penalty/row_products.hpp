#pragma once

#include <vector>

#include "recursive/packs/pack_math.hpp"
#include "recursive/row_block.hpp"
#include "topology/indices.hpp"

namespace semirec {

// Products with the rows of Phi_z that lie side by side in packs: four like blocks of one car, or
// one block of several cars.

/// Four like blocks that lie interleaved in Phi_z.
struct Quartet {
  using Number = double;
  const RowBlock* block[kLanes];
  const std::vector<int>& slots;  ///< of the tangent, where four of them lie in a row

  Quartet(const std::vector<RowBlock>& blocks, const RowBlock& leader) : slots(leader.lane_slots) {
    for (std::size_t l = 0; l < at(kLanes); ++l) block[l] = &blocks[at(leader.members[l])];
  }
  const RowBlock& leader() const { return *block[0]; }
  static Pack entry(const double* Phi_z, std::size_t k) { return load_loose(Phi_z + kLanes * k); }
  static Pack load(const double* from) { return load_loose(from); }
  static void store(double* to, const Pack& value) { store_loose(to, value); }
  /// Row r of the four in an m-vector.
  Pack row_of(const double* v, int r) const {
    return Pack{v[block[0]->row + r], v[block[1]->row + r], v[block[2]->row + r],
                v[block[3]->row + r]};
  }
  void add_to_row(double* v, int r, const Pack& value) const {
    for (int l = 0; l < kLanes; ++l) v[block[l]->row + r] += value[l];
  }
  /// Column k of the four in an n-vector.
  Pack column_of(const double* v, std::size_t k) const {
    return Pack{v[block[0]->columns[k]], v[block[1]->columns[k]], v[block[2]->columns[k]],
                v[block[3]->columns[k]]};
  }
  void add_to_column(double* v, std::size_t k, const Pack& value) const {
    for (int l = 0; l < kLanes; ++l) v[block[l]->columns[k]] += value[l];
  }
};

/// One block of cars side by side.
template <AnyPack P>
struct BlockOfCars {
  using Number = P;
  const RowBlock& block;
  const std::vector<int>& slots;

  explicit BlockOfCars(const RowBlock& rows) : block(rows), slots(rows.slots) {}
  const RowBlock& leader() const { return block; }
  static const P& entry(const P* Phi_z, std::size_t k) { return Phi_z[k]; }
  static const P& load(const P* from) { return *from; }
  static void store(P* to, const P& value) { *to = value; }
  const P& row_of(const P* v, int r) const { return v[block.row + r]; }
  void add_to_row(P* v, int r, const P& value) const { v[block.row + r] += value; }
  const P& column_of(const P* v, std::size_t k) const { return v[block.columns[k]]; }
  void add_to_column(P* v, std::size_t k, const P& value) const { v[block.columns[k]] += value; }
};

inline constexpr int kMostRows = 6;  ///< of one closure

/// Calls function with a constant: the number of rows where it is one that most closures have, 0
/// elsewhere.
template <typename Function>
void with_row_count(int rows, const Function& function) {
  if (rows == 1)
    function.template operator()<1>();
  else if (rows == 3)
    function.template operator()<3>();
  else
    function.template operator()<0>();
}

/// add_penalty() of these rows: residual += Phi_z^T (alpha Phi + lambda),
/// tangent += scale Phi_z^T alpha Phi_z. `Phi_z`: of the rows alone.
template <typename Rows, typename Number = typename Rows::Number>
void add_penalty_of_rows(const Rows& rows, const Number* Phi_z, const Number* Phi,
                         const Number* alpha, const Number* lambda, double scale, Number* residual,
                         Number* tangent) {
  using P = std::remove_cvref_t<decltype(rows.row_of(Phi, 0))>;
  const std::size_t size = rows.leader().columns.size();
  with_row_count(rows.leader().rows, [&]<int kCount>() {
    const int count = kCount > 0 ? kCount : rows.leader().rows;
    P pull[kMostRows];
    P weight[kMostRows];
    for (int r = 0; r < count; ++r) {
      const P a = rows.row_of(alpha, r);
      pull[r] = a * rows.row_of(Phi, r) + rows.row_of(lambda, r);
      weight[r] = spread<P>(scale) * a;
    }
    const auto entry = [&](int r, std::size_t k) { return rows.entry(Phi_z, at(r) * size + k); };
    const int* slot = rows.slots.data();
    for (std::size_t i = 0; i < size; ++i) {
      P left[kMostRows];
      P sum{};
      for (int r = 0; r < count; ++r) {
        const P own = entry(r, i);
        sum += own * pull[r];
        left[r] = weight[r] * own;
      }
      rows.add_to_column(residual, i, sum);
      for (std::size_t k = 0; k <= i; ++k, ++slot) {
        P product = rows.load(tangent + *slot);
        for (int r = 0; r < count; ++r) product += left[r] * entry(r, k);
        rows.store(tangent + *slot, product);
      }
    }
  });
}

/// out += Phi_z^T weights of these rows.
template <typename Rows, typename Number = typename Rows::Number>
void add_transposed_of_rows(const Rows& rows, const Number* Phi_z, const Number* weights,
                            Number* out) {
  using P = std::remove_cvref_t<decltype(rows.row_of(weights, 0))>;
  const std::size_t size = rows.leader().columns.size();
  with_row_count(rows.leader().rows, [&]<int kCount>() {
    const int count = kCount > 0 ? kCount : rows.leader().rows;
    P weight[kMostRows];
    for (int r = 0; r < count; ++r) weight[r] = rows.row_of(weights, r);
    for (std::size_t i = 0; i < size; ++i) {
      P sum{};
      for (int r = 0; r < count; ++r) sum += rows.entry(Phi_z, at(r) * size + i) * weight[r];
      rows.add_to_column(out, i, sum);
    }
  });
}

/// out += Phi_z x of these rows.
template <typename Rows, typename Number = typename Rows::Number>
void add_product_of_rows(const Rows& rows, const Number* Phi_z, const Number* x, Number* out) {
  using P = std::remove_cvref_t<decltype(rows.row_of(out, 0))>;
  const std::size_t size = rows.leader().columns.size();
  with_row_count(rows.leader().rows, [&]<int kCount>() {
    const int count = kCount > 0 ? kCount : rows.leader().rows;
    P sum[kMostRows];
    for (int r = 0; r < count; ++r) sum[r] = P{};
    for (std::size_t i = 0; i < size; ++i) {
      const P own = rows.column_of(x, i);
      for (int r = 0; r < count; ++r) sum[r] += rows.entry(Phi_z, at(r) * size + i) * own;
    }
    for (int r = 0; r < count; ++r) rows.add_to_row(out, r, sum[r]);
  });
}

}  // namespace semirec
