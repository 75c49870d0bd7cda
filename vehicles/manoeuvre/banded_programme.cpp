#include "vehicles/manoeuvre/banded_programme.hpp"

#include <algorithm>
#include <cmath>

namespace semirec {

namespace {

constexpr int kBand = 4;  // the diagonal and three beside it
constexpr int kBandIterations = 80;
constexpr double kConverged = 1e-8;
constexpr double kGap = 1e-10;         // mean of slack times multiplier
constexpr double kPivotFloor = 1e-14;  // of a pivot, against the entry before elimination
constexpr double kToBorder = 0.995;    // of the way to the nearest bound

std::size_t slot(int i) { return static_cast<std::size_t>(i); }

/// A symmetric matrix over y (band) and t (border), and its Cholesky factor.
class BorderedMatrix {
 public:
  explicit BorderedMatrix(int size) : n_(size), band_(slot(size) * kBand), border_(slot(size)) {}

  void clear() {
    std::fill(band_.begin(), band_.end(), 0.0);
    std::fill(border_.begin(), border_.end(), 0.0);
    corner_ = 0.0;
  }

  void add(const BandRow& row, double weight) {
    for (int k = 0; k < kBand; ++k) {
      const int i = row.first + k;
      const double c = weight * row.c[slot(k)];
      if (i < 0 || i >= n_ || c == 0.0) continue;
      for (int l = 0; l <= k; ++l)
        if (row.first + l >= 0) entry(i, k - l) += c * row.c[slot(l)];
      border_[slot(i)] += c * row.t;
    }
    corner_ += weight * row.t * row.t;
  }

  void factor() {
    for (int i = 0; i < n_; ++i) {
      const double before = entry(i, 0);
      for (int k = std::min(kBand - 1, i); k >= 0; --k) {
        const int j = i - k;
        double sum = entry(i, k);
        for (int l = std::max(0, i - kBand + 1); l < j; ++l)
          sum -= entry(i, i - l) * entry(j, j - l);
        entry(i, k) =
            k > 0 ? sum / entry(j, 0) : std::sqrt(std::max(sum, kPivotFloor * before + 1e-300));
      }
    }
    // the border's part of the factor, and what is left of the corner
    forward(border_);
    double left = corner_;
    for (const double value : border_) left -= value * value;
    corner_ = std::sqrt(std::max(left, kPivotFloor * corner_ + 1e-300));
  }

  /// In place; the last entry of x belongs to t.
  void solve(std::vector<double>& x) const {
    forward(x);
    double& t = x[slot(n_)];
    for (int i = 0; i < n_; ++i) t -= border_[slot(i)] * x[slot(i)];
    t /= corner_ * corner_;
    for (int i = 0; i < n_; ++i) x[slot(i)] -= border_[slot(i)] * t;
    for (int i = n_ - 1; i >= 0; --i) {
      for (int k = 1; k < kBand && i + k < n_; ++k) x[slot(i)] -= entry(i + k, k) * x[slot(i + k)];
      x[slot(i)] /= entry(i, 0);
    }
  }

 private:
  double& entry(int i, int below) { return band_[slot(i * kBand + below)]; }
  double entry(int i, int below) const { return band_[slot(i * kBand + below)]; }
  void forward(std::vector<double>& x) const {
    for (int i = 0; i < n_; ++i) {
      for (int k = 1; k < kBand && k <= i; ++k) x[slot(i)] -= entry(i, k) * x[slot(i - k)];
      x[slot(i)] /= entry(i, 0);
    }
  }

  int n_;
  std::vector<double> band_, border_;
  double corner_ = 0.0;
};

/// x holds y and, last, t.
double evaluate_row(const BandRow& row, const std::vector<double>& x) {
  const int n = static_cast<int>(x.size()) - 1;
  double sum = row.t * x.back();
  for (int k = 0; k < kBand; ++k) {
    const int i = row.first + k;
    if (i >= 0 && i < n) sum += row.c[slot(k)] * x[slot(i)];
  }
  return sum;
}

void add_row_to(const BandRow& row, double factor, std::vector<double>& x) {
  const int n = static_cast<int>(x.size()) - 1;
  for (int k = 0; k < kBand; ++k) {
    const int i = row.first + k;
    if (i >= 0 && i < n) x[slot(i)] += factor * row.c[slot(k)];
  }
  x.back() += factor * row.t;
}

/// Largest part, at most 1, of a step that keeps all values positive.
double longest_part(const std::vector<double>& value, const std::vector<double>& step) {
  double part = 1.0;
  for (std::size_t r = 0; r < value.size(); ++r)
    if (step[r] < 0.0) part = std::min(part, -kToBorder * value[r] / step[r]);
  return part;
}

double mean_product(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t r = 0; r < a.size(); ++r) sum += a[r] * b[r];
  return sum / static_cast<double>(std::max<std::size_t>(1, a.size()));
}

double largest_entry(const std::vector<double>& values) {
  double most = 0.0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

/// The iterate, and the search direction from it.
struct InteriorPoint {
  const BandedProgramme& programme;
  std::vector<double> x, slack, multiplier;
  std::vector<double> dx, d_slack, d_multiplier;
  std::vector<double> x_residual, row_residual, product;
  BorderedMatrix matrix;

  explicit InteriorPoint(const BandedProgramme& p)
      : programme(p),
        x(slot(p.size) + 1, 0.0),
        slack(p.bounds.size()),
        multiplier(p.bounds.size(), 1.0),
        d_slack(p.bounds.size()),
        d_multiplier(p.bounds.size()),
        row_residual(p.bounds.size()),
        product(p.bounds.size()),
        matrix(p.size) {
    for (std::size_t r = 0; r < slack.size(); ++r) slack[r] = std::max(1.0, p.bounds[r].b);
  }

  void find_residuals() {
    x_residual.assign(x.size(), 0.0);
    x_residual.back() = programme.slope_t;
    for (const BandRow& row : programme.cost) add_row_to(row, evaluate_row(row, x), x_residual);
    for (std::size_t r = 0; r < slack.size(); ++r) {
      const BandRow& row = programme.bounds[r];
      add_row_to(row, multiplier[r], x_residual);
      row_residual[r] = evaluate_row(row, x) + slack[r] - row.b;
    }
  }

  void factor() {
    matrix.clear();
    for (const BandRow& row : programme.cost) matrix.add(row, 1.0);
    for (std::size_t r = 0; r < slack.size(); ++r)
      matrix.add(programme.bounds[r], multiplier[r] / slack[r]);
    matrix.factor();
  }

  /// Newton's direction to slack * multiplier = what is left of `product` subtracted.
  void find_direction() {
    dx.assign(x.size(), 0.0);
    for (std::size_t i = 0; i < x.size(); ++i) dx[i] = -x_residual[i];
    for (std::size_t r = 0; r < slack.size(); ++r)
      add_row_to(programme.bounds[r], (product[r] - multiplier[r] * row_residual[r]) / slack[r],
                 dx);
    matrix.solve(dx);
    for (std::size_t r = 0; r < slack.size(); ++r) {
      d_slack[r] = -row_residual[r] - evaluate_row(programme.bounds[r], dx);
      d_multiplier[r] = -(product[r] + multiplier[r] * d_slack[r]) / slack[r];
    }
  }

  void advance() {
    const double by = longest_part(slack, d_slack);
    const double dual = longest_part(multiplier, d_multiplier);
    // a quadratic cost couples both: one length of step
    const double part = programme.cost.empty() ? by : std::min(by, dual);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += part * dx[i];
    for (std::size_t r = 0; r < slack.size(); ++r) {
      slack[r] += part * d_slack[r];
      multiplier[r] += (programme.cost.empty() ? dual : part) * d_multiplier[r];
    }
  }
};

}  // namespace

BandedSolution solve(const BandedProgramme& programme) {
  InteriorPoint point(programme);
  BandedSolution solution;
  for (int k = 0; k < kBandIterations; ++k) {
    point.find_residuals();
    const double gap = mean_product(point.slack, point.multiplier);
    if (largest_entry(point.row_residual) < kConverged &&
        largest_entry(point.x_residual) < kConverged && gap < kGap) {
      solution.converged = true;
      break;
    }
    point.factor();
    // predictor
    for (std::size_t r = 0; r < point.slack.size(); ++r)
      point.product[r] = point.slack[r] * point.multiplier[r];
    point.find_direction();
    const double primal = longest_part(point.slack, point.d_slack);
    const double dual = longest_part(point.multiplier, point.d_multiplier);
    double reached = 0.0;
    for (std::size_t r = 0; r < point.slack.size(); ++r)
      reached += (point.slack[r] + primal * point.d_slack[r]) *
                 (point.multiplier[r] + dual * point.d_multiplier[r]);
    reached /= static_cast<double>(std::max<std::size_t>(1, point.slack.size()));
    const double ratio = gap > 0.0 ? reached / gap : 0.0;
    const double aim = ratio * ratio * ratio * gap;
    // corrector
    for (std::size_t r = 0; r < point.slack.size(); ++r)
      point.product[r] += point.d_slack[r] * point.d_multiplier[r] - aim;
    point.find_direction();
    point.advance();
    if (!std::isfinite(point.x.back())) return solution;
  }
  solution.t = point.x.back();
  point.x.pop_back();
  solution.y = std::move(point.x);
  return solution;
}

}  // namespace semirec
