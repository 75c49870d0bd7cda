#include "vehicles/analysis/mode_following.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <tuple>

#include "topology/indices.hpp"

namespace semirec {

namespace {

using Eigen::Index;

/// Overlap of a mode with itself a step later: off one by less than this, it is clear.
constexpr double kClear = 0.3;
/// Eigenvalues closer than this, relative, are the same, as those of two wheels on one hub.
constexpr double kSame = 1e-6;
/// Parts of the line: the first step, and the shortest.
constexpr double kFirstStep = 1.0 / 8.0;
constexpr double kShortestStep = 1.0 / 256.0;

/// All eigenvalues with their vectors, both of each pair.
struct Spectrum {
  Eigen::MatrixXcd right, left;  ///< columns
  std::vector<std::complex<double>> values;
  std::vector<int> mode;  ///< [eigenvalue] in the list of find_eigenmodes()

  /// Whether another one is the same: vectors of the two are any of a plane.
  bool is_repeated(int k) const {
    const auto is_same = [&](const std::complex<double>& value) {
      return std::abs(value - values[at(k)]) <= kSame * std::abs(value);
    };
    return std::count_if(values.begin(), values.end(), is_same) > 1;
  }
};

Spectrum find_spectrum(const Eigen::MatrixXd& A) {
  const Index n = A.rows();
  Spectrum spectrum{Eigen::MatrixXcd::Zero(n, n), Eigen::MatrixXcd::Zero(n, n), {}, {}};
  const std::vector<Eigenmode> modes = find_eigenmodes(A);
  Index column = 0;
  const auto add = [&](std::size_t mode, const std::complex<double>& value,
                       const Eigen::VectorXcd& right, const Eigen::VectorXcd& left) {
    if (column >= n) return;
    spectrum.values.push_back(value);
    spectrum.right.col(column) = right;
    spectrum.left.col(column) = left;
    spectrum.mode.push_back(static_cast<int>(mode));
    ++column;
  };
  for (std::size_t k = 0; k < modes.size(); ++k) {
    const Eigenmode& mode = modes[k];
    add(k, mode.value, mode.shape, mode.left);
    if (mode.oscillates())
      add(k, std::conj(mode.value), mode.shape.conjugate(), mode.left.conjugate());
  }
  return spectrum;
}

/// [eigenvalue of `b`] the one of `a` with which it overlaps most, each used once; whether it is
/// clear for all, which it need not be among those that are the same.
std::vector<int> match(const Spectrum& a, const Spectrum& b, bool& clear) {
  const auto product = [](const auto& left, const auto& right) {
    return left.cwiseProduct(right).sum();
  };
  const auto n = static_cast<int>(a.right.cols());
  std::vector<std::tuple<double, int, int>> order;
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k) {
      const double overlap =
          std::abs(product(a.left.col(i), b.right.col(k)) * product(b.left.col(k), a.right.col(i)));
      order.emplace_back(-overlap, i, k);
    }
  std::sort(order.begin(), order.end());
  std::vector<int> partner(at(n), -1);
  std::vector<char> used(at(n), 0);
  clear = true;
  for (const auto& [size, i, k] : order) {
    if (used[at(i)] != 0 || partner[at(k)] >= 0) continue;
    used[at(i)] = 1;
    partner[at(k)] = i;
    clear = clear && (std::abs(-size - 1.0) < kClear || (a.is_repeated(i) && b.is_repeated(k)));
  }
  return partner;
}

}  // namespace

ModeOrigins follow_modes(const Eigen::MatrixXd& from, const Eigen::MatrixXd& to) {
  Spectrum last = find_spectrum(from);
  const std::vector<int> first_mode = last.mode;
  std::vector<int> origin(first_mode.size());  // [eigenvalue of `last`] eigenvalue of `from`
  for (std::size_t k = 0; k < origin.size(); ++k) origin[k] = static_cast<int>(k);
  double done = 0.0;
  double step = kFirstStep;
  while (done < 1.0) {
    step = std::min(step, 1.0 - done);
    const double here = done + step;
    const Spectrum next = here < 1.0 ? find_spectrum((1.0 - here) * from + here * to)  //
                                     : find_spectrum(to);
    bool clear = false;
    const std::vector<int> partner = match(last, next, clear);
    if (!clear && step > kShortestStep) {
      step *= 0.5;
      continue;
    }
    std::vector<int> passed;
    for (const int k : partner) passed.push_back(origin[at(k)]);
    origin = std::move(passed);
    last = next;
    done = here;
    step = std::min(2.0 * step, kFirstStep);
  }
  ModeOrigins origins;
  for (std::size_t k = 0; k < origin.size(); ++k) {
    const std::size_t mode = at(last.mode[k]);
    if (origins.size() <= mode) origins.resize(mode + 1);
    const int came_from = first_mode[at(origin[k])];
    std::vector<int>& list = origins[mode];
    if (std::find(list.begin(), list.end(), came_from) == list.end()) list.push_back(came_from);
  }
  for (std::vector<int>& list : origins) std::sort(list.begin(), list.end());
  return origins;
}

std::vector<std::string> hand_on_names(const ModeOrigins& origins,
                                       const std::vector<std::string>& from) {
  std::vector<std::string> names(origins.size());
  std::vector<char> ended(from.size(), 0);
  // modes are listed by rising magnitude: the slower comes first, here and there
  for (std::size_t k = 0; k < origins.size(); ++k)
    for (const int origin : origins[k]) {
      if (ended[at(origin)] == 0 && names[k].empty()) names[k] = from[at(origin)];
      ended[at(origin)] = 1;
    }
  return names;
}

}  // namespace semirec
