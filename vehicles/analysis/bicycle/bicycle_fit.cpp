#include "vehicles/analysis/bicycle/bicycle_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "penalty/factors/overdetermined.hpp"
#include "vehicles/analysis/answer.hpp"

namespace semirec {

namespace {

using Eigen::Index;

constexpr int kFree = 3;  // compliance, both relaxation lengths
using Guess = std::array<double, kFree>;

/// Compliances of the axles, U_f = m b/(L C_f) and U_r = m a/(L C_r), rad/(m/s^2), whose difference
/// is the understeer gradient: the smaller is exp(guess[0]), so that none falls below zero.
BicycleModel model_of(const Guess& guess, double gradient, const BicycleModel& known) {
  const double smaller = std::exp(guess[0]);
  const double U_f = smaller + std::max(gradient, 0.0);
  const double U_r = smaller + std::max(-gradient, 0.0);
  BicycleModel model = known;
  model.C_f = known.mass * known.b / (known.wheelbase() * U_f);
  model.C_r = known.mass * known.a / (known.wheelbase() * U_r);
  model.sigma_f = guess[1];
  model.sigma_r = guess[2];
  return model;
}

/// delta/r = L/V + K V at frequency zero; each point counts by its relative difference.
double find_gradient(const std::vector<ResponsePoint>& points, double wheelbase) {
  double up = 0.0;
  double down = 0.0;
  for (const ResponsePoint& point : points) {
    if (point.frequency != 0.0) continue;
    const double gain = point.response.yaw_rate.real();
    if (!(gain > 0.0))
      throw AnalysisError("at " + to_text(point.speed, 4) +
                          " m/s the car does not turn to the side of its steering wheel, expected "
                          "a steady yaw rate above zero");
    const double x = gain * point.speed;
    up += x * (1.0 - gain * wheelbase / point.speed);
    down += x * x;
  }
  return up / down;
}

/// Relative differences of a point: four numbers.
Eigen::Vector4d differences(const ResponsePoint& point, const BicycleModel& model, double ahead) {
  const SteeringResponse of = find_response(model, point.speed, point.frequency, ahead);
  const std::complex<double> yaw =
      (of.yaw_rate - point.response.yaw_rate) / std::abs(point.response.yaw_rate);
  const std::complex<double> lateral =
      (of.lateral_acceleration - point.response.lateral_acceleration) /
      std::abs(point.response.lateral_acceleration);
  return {yaw.real(), yaw.imag(), lateral.real(), lateral.imag()};
}

/// The sum of squares over all points, and its minimum.
class Search {
 public:
  Search(const std::vector<ResponsePoint>& points, const BicycleModel& known, double ahead)
      : points_(points),
        known_(known),
        ahead_(ahead),
        gradient_(find_gradient(points, known.wheelbase())),
        rows_(static_cast<Index>(4 * points.size())) {}

  Guess find_start(double relaxation) const {
    Guess best{};
    double least = -1.0;
    // compliances from a racing car's to a truck's
    for (double compliance = 2e-4; compliance < 0.1; compliance *= 1.4) {
      const Guess guess{std::log(compliance), relaxation, relaxation};
      const double sum = rows(guess).squaredNorm();
      if (least >= 0.0 && sum >= least) continue;
      least = sum;
      best = guess;
    }
    return best;
  }

  /// Moves those of `free` to where the sum of squares is least nearby; relaxation lengths may
  /// fall below zero on the way and at its end. The sum.
  double improve(Guess& guess, const std::vector<std::size_t>& free) const {
    constexpr double kWidth = 1e-6;
    constexpr int kTries = 200;
    constexpr double kSettled = 1e-12;
    const auto columns = static_cast<Index>(free.size());
    double damping = 1e-3;
    Eigen::VectorXd here = rows(guess);
    for (int turn = 0; turn < kTries && damping < 1e12; ++turn) {
      // slopes above rows that keep the step short
      Eigen::MatrixXd J = Eigen::MatrixXd::Zero(rows_ + columns, columns);
      Eigen::VectorXd right = Eigen::VectorXd::Zero(rows_ + columns);
      right.head(rows_) = -here;
      for (Index c = 0; c < columns; ++c) {
        Guess up = guess;
        Guess down = guess;
        up[free[static_cast<std::size_t>(c)]] += kWidth;
        down[free[static_cast<std::size_t>(c)]] -= kWidth;
        J.col(c).head(rows_) = (rows(up) - rows(down)) / (2.0 * kWidth);
        J(rows_ + c, c) = std::sqrt(damping) * J.col(c).head(rows_).norm();
      }
      const Eigen::VectorXd step = solve_overdetermined(J, 1e-14, right);
      Guess next = guess;
      for (Index c = 0; c < columns; ++c) next[free[static_cast<std::size_t>(c)]] += step[c];
      const Eigen::VectorXd there = rows(next);
      if (!(there.squaredNorm() < here.squaredNorm())) {
        damping *= 5.0;
        continue;
      }
      damping /= 5.0;
      guess = next;
      here = there;
      if (step.cwiseAbs().maxCoeff() < kSettled) break;
    }
    return here.squaredNorm();
  }

  BicycleModel model(const Guess& guess) const { return model_of(guess, gradient_, known_); }

 private:
  Eigen::VectorXd rows(const Guess& guess) const {
    const BicycleModel model = this->model(guess);
    Eigen::VectorXd result(rows_);
    for (std::size_t k = 0; k < points_.size(); ++k)
      result.segment<4>(static_cast<Index>(4 * k)) = differences(points_[k], model, ahead_);
    return result;
  }

  const std::vector<ResponsePoint>& points_;
  const BicycleModel& known_;
  double ahead_;
  double gradient_;
  Index rows_;
};

}  // namespace

FitErrors find_errors(const BicycleModel& model, const std::vector<ResponsePoint>& points,
                      double ahead, double speed) {
  FitErrors errors;
  double count = 0.0;
  for (const ResponsePoint& point : points) {
    if (speed != 0.0 && point.speed != speed) continue;
    const Eigen::Vector4d off = differences(point, model, ahead);
    const double yaw = off.head<2>().norm();
    const double lateral = off.tail<2>().norm();
    if (point.frequency == 0.0) errors.yaw_gain = std::max(errors.yaw_gain, yaw);
    errors.yaw_rate = std::max(errors.yaw_rate, yaw);
    errors.lateral_acceleration = std::max(errors.lateral_acceleration, lateral);
    errors.yaw_rate_rms += yaw * yaw;
    errors.lateral_acceleration_rms += lateral * lateral;
    count += 1.0;
  }
  errors.yaw_rate_rms = std::sqrt(errors.yaw_rate_rms / count);
  errors.lateral_acceleration_rms = std::sqrt(errors.lateral_acceleration_rms / count);
  return errors;
}

BicycleModel fit_bicycle(const std::vector<ResponsePoint>& points, const BicycleModel& known,
                         double ahead, bool with_lag) {
  constexpr double kUsual = 0.3;  // m, of a tyre
  const Search search(points, known, ahead);
  // with both relaxation lengths free, or the best of those with one or both held at zero
  std::vector<std::vector<std::size_t>> choices{{0, 1, 2}, {0, 1}, {0, 2}, {0}};
  if (!with_lag) choices = {{0}};
  Guess best{};
  double least = -1.0;
  for (const std::vector<std::size_t>& free : choices) {
    Guess guess = search.find_start(with_lag ? kUsual : 0.0);
    for (std::size_t k = 1; k < kFree; ++k)
      if (std::find(free.begin(), free.end(), k) == free.end()) guess[k] = 0.0;
    const double sum = search.improve(guess, free);
    if (guess[1] < 0.0 || guess[2] < 0.0 || (least >= 0.0 && sum >= least)) continue;
    least = sum;
    best = guess;
    if (free.size() == kFree) break;
  }
  return search.model(best);
}

}  // namespace semirec
