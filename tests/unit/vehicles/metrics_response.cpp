#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "vehicles/analysis/metrics/free_decay.hpp"
#include "vehicles/analysis/metrics/frequency_response.hpp"
#include "vehicles/analysis/metrics/signal.hpp"
#include "vehicles/analysis/metrics/single_sine.hpp"
#include "vehicles/analysis/metrics/step_response.hpp"
#include "vehicles/analysis/metrics/weave.hpp"
#include "vehicles/manoeuvre/show_frequency.hpp"

namespace semirec {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kStep = 1e-3;  // of the samples, s

std::vector<double> sampled(double until, const auto& function) {
  std::vector<double> y;
  for (long k = 0; static_cast<double>(k) * kStep <= until + 1e-9; ++k)
    y.push_back(function(static_cast<double>(k) * kStep));
  return y;
}

/// Unit step at t = 0 of a system of second order.
double second_order_step(double omega, double zeta, double t) {
  if (t <= 0.0) return 0.0;
  const double root = std::sqrt(1.0 - zeta * zeta);
  const double wd = omega * root;
  return 1.0 - std::exp(-zeta * omega * t) * (std::cos(wd * t) + zeta / root * std::sin(wd * t));
}

/// A repeatable white sequence in -1 to 1 (a linear congruence, Knuth's constants).
std::vector<double> noise(std::size_t n, std::uint64_t seed) {
  std::vector<double> y(n);
  for (double& value : y) {
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    value = static_cast<double>(seed >> 11) / 4503599627370496.0 - 1.0;
  }
  return y;
}

TEST(Signal, ATimeThatIsNoneLeadsToNone) {
  const std::vector<double> y{0.0, 1.0, 2.0};
  EXPECT_TRUE(std::isnan(value_at(y, 0.1, std::nan(""))));
  EXPECT_TRUE(std::isnan(find_crossing(y, 0.1, 0.5, std::nan(""))));
  EXPECT_DOUBLE_EQ(find_crossing(y, 0.1, 0.5), 0.05);  // halfway between the first two
}

TEST(FrequencyResponse, SaysWhichMetricsItDoesNotHave) {
  // flat from 2 Hz on, and behind by less than 45 degrees
  const FrequencyResponse response{
      {2.0, 3.0, 4.0}, {1.0, 1.0, 1.0}, {-0.1, -0.2, -0.3}, {1.0, 1.0, 1.0}, {0.0, 0.0, 0.0}};
  Answer answer;
  show_frequency_response(answer, "sideslip", "rad", response, 2.5, {1.0, 0.0});
  for (const Quantity& quantity : answer.quantities) {
    if (!std::isnan(quantity.value)) continue;
    const std::string metric = quantity.name.substr(quantity.name.find('.') + 1);
    const std::string word = metric.substr(0, metric.find("_frequency"));
    EXPECT_TRUE(std::any_of(answer.notes.begin(), answer.notes.end(), [&](const std::string& note) {
      return note.find(word) != std::string::npos;
    })) << quantity.name;
  }
  EXPECT_GE(answer.notes.size(), 3U);
}

TEST(FreeDecay, OfSecondOrderHasTheTextbooksDecrement) {
  for (const double zeta : {0.1, 0.3, 0.6}) {
    const double omega = 6.0;
    // held at 2 until 0.5 s, then to -1
    const auto y = sampled(
        20.5, [&](double t) { return 2.0 - 3.0 * second_order_step(omega, zeta, t - 0.5); });
    const FreeDecay decay = find_free_decay(y, kStep, 0.5);
    EXPECT_EQ(decay.before, 2.0);
    EXPECT_NEAR(decay.residual, -1.0, 1e-4);
    // closed forms, as of the step response
    const double root = std::sqrt(1.0 - zeta * zeta);
    EXPECT_NEAR(decay.overshoot, std::exp(-kPi * zeta / root), 1e-4) << zeta;
    EXPECT_NEAR(second_order_step(omega, zeta, decay.half_time), 0.5, 1e-4);
    if (zeta > 0.5) {  // the second half-wave is exp(-2 pi 0.75) = 0.009 of the way
      EXPECT_TRUE(std::isnan(decay.damping));
      continue;
    }
    EXPECT_NEAR(decay.damping, zeta, 2e-3);
    EXPECT_NEAR(decay.period, 2.0 * kPi / (omega * root), 2e-3);
  }
}

TEST(FreeDecay, WithoutASwingHasNoOvershoot) {
  const auto fades =
      sampled(10.0, [](double t) { return t < 1.0 ? 4.0 : 4.0 * std::exp(1.0 - t); });
  const FreeDecay decay = find_free_decay(fades, kStep, 1.0);
  EXPECT_NEAR(decay.half_time, std::log(2.0), 1e-3);
  EXPECT_EQ(decay.overshoot, 0.0);
  EXPECT_TRUE(std::isnan(decay.damping));
  // of 4, from 8.1 to 9 s after the release
  EXPECT_NEAR(decay.unrest, std::exp(-8.1) - std::exp(-9.0), 1e-6);
  const auto stays = sampled(3.0, [](double) { return 1.5; });
  EXPECT_TRUE(std::isnan(find_free_decay(stays, kStep, 1.0).half_time));
}

TEST(StepResponse, OfSecondOrderHasTheTextbooksOvershootAndPeakTime) {
  for (const double zeta : {0.2, 0.4, 0.7}) {
    const double omega = 8.0;
    const auto y = sampled(
        12.0, [&](double t) { return 0.5 - 3.0 * second_order_step(omega, zeta, t - 1.0); });
    const StepResponse response = find_step_response(y, kStep, {1.0, 1.0, 10.0, 12.0});
    EXPECT_NEAR(response.steady, -3.0, 1e-5);
    // exp(-pi zeta/sqrt(1 - zeta^2)), pi/(omega sqrt(1 - zeta^2)): closed forms of the first peak
    const double root = std::sqrt(1.0 - zeta * zeta);
    EXPECT_NEAR(response.overshoot, std::exp(-kPi * zeta / root), 1e-5) << zeta;
    EXPECT_NEAR(response.peak, -3.0 * (1.0 + std::exp(-kPi * zeta / root)), 3e-5);
    EXPECT_NEAR(response.peak_time, kPi / (omega * root), 1e-5);
    // where the closed form is 0.9, by bisection
    double low = 0.0;
    double high = kPi / (omega * root);
    for (int k = 0; k < 60; ++k)
      (second_order_step(omega, zeta, 0.5 * (low + high)) < 0.9 ? low : high) = 0.5 * (low + high);
    EXPECT_NEAR(response.response_time, low, 1e-5);
  }
}

TEST(StepResponse, DentsOnTheWayAndAStartTheOtherWayAreNoPeaks) {
  const double omega = 8.0;
  const double zeta = 0.4;
  // a swing the other way at first, then a dent of the slope below half of the way
  const auto extra = [](double t) {
    return -0.2 * std::exp(-std::pow((t - 1.02) / 0.01, 2)) -
           0.2 * std::exp(-std::pow((t - 1.15) / 0.01, 2));
  };
  const auto y =
      sampled(12.0, [&](double t) { return second_order_step(omega, zeta, t - 1.0) + extra(t); });
  const StepResponse response = find_step_response(y, kStep, {1.0, 1.0, 10.0, 12.0});
  const double root = std::sqrt(1.0 - zeta * zeta);
  // closed form of the first peak, where the dents have faded
  EXPECT_NEAR(response.overshoot, std::exp(-kPi * zeta / root), 1e-5);
  EXPECT_NEAR(response.peak_time, kPi / (omega * root), 1e-5);
}

// A dent above 90 % is on the way, too: the overshoot behind it is that of the drawn signal.
TEST(StepResponse, ADentShortOfTheSteadyValueIsNoPeak) {
  const double corners[][2] = {{0.0, 0.0}, {1.0, 0.0}, {1.2, 0.95}, {1.25, 0.93},
                               {1.5, 1.1}, {1.8, 1.0}, {5.0, 1.0}};
  const auto y = sampled(5.0, [&](double t) {
    std::size_t k = 1;
    while (k + 1 < std::size(corners) && t > corners[k][0]) ++k;
    const double part = (t - corners[k - 1][0]) / (corners[k][0] - corners[k - 1][0]);
    return corners[k - 1][1] + part * (corners[k][1] - corners[k - 1][1]);
  });
  const StepResponse response = find_step_response(y, kStep, {1.0, 1.0, 4.0, 5.0});
  // 1e-3: a parabola through the samples of a corner
  EXPECT_NEAR(response.overshoot, 0.1, 1e-3);
  EXPECT_NEAR(response.peak_time, 0.5, 1e-3);
}

TEST(StepResponse, WithoutOvershootHasNoPeak) {
  const auto y = sampled(12.0, [](double t) { return t > 1.0 ? 1.0 - std::exp(1.0 - t) : 0.0; });
  const StepResponse response = find_step_response(y, kStep, {1.0, 1.0, 11.0, 12.0});
  EXPECT_TRUE(std::isnan(response.peak_time));
  EXPECT_EQ(response.overshoot, 0.0);
  EXPECT_EQ(response.peak, response.steady);
  // mean of 1 - exp(-u) over u in [10, 11] is 1 - (e^-10 - e^-11), 90 % of it at -ln(1 - 0.9 mean)
  const double mean = 1.0 - (std::exp(-10.0) - std::exp(-11.0));
  EXPECT_NEAR(response.response_time, -std::log(1.0 - 0.9 * mean), 1e-4);
  // half the range of the settled second
  EXPECT_NEAR(response.steady_ripple, 0.5 * (std::exp(-10.0) - std::exp(-11.0)), 1e-9);
  EXPECT_NEAR(response.overshoot_error, response.steady_ripple / mean, 1e-12);
}

// Oracle: the same record, read where its steady value is highest and where it is lowest.
TEST(StepResponse, IsAsSureAsItsSteadyValue) {
  for (const double zeta : {0.3, 2.0}) {
    const auto y = sampled(12.0, [&](double t) {
      const double way = zeta < 1.0 ? second_order_step(8.0, zeta, t - 1.0)
                                    : (t > 1.0 ? 1.0 - std::exp(1.0 - t) : 0.0);
      return -3.0 * way * (1.0 - 0.01 * std::max(0.0, t - 1.0));
    });
    const auto read = [&](double from, double to) {
      return find_step_response(y, kStep, {1.0, 1.0, from, to});
    };
    const StepResponse response = read(10.0, 12.0);
    const StepResponse first = read(10.0, 10.0);
    const StepResponse last = read(12.0, 12.0);
    // 0.9 of the values at 9 and at 11 s behind the step, times 3
    EXPECT_NEAR(response.steady_ripple, 0.03, 1e-3);
    EXPECT_NEAR(response.response_time_error, 0.5 * (first.response_time - last.response_time),
                1e-3 * response.response_time);
    EXPECT_GT(response.response_time_error, 1e-3);
    // 1e-2: of first order in the ripple, which is a hundredth
    EXPECT_NEAR(response.overshoot_error, 0.5 * std::abs(last.overshoot - first.overshoot),
                1e-2 * response.overshoot_error);
    EXPECT_GT(response.overshoot_error, 0.01);
  }
}

TEST(StepResponse, OfAQuantityThatStaysAtRestHasNoTimes) {
  const std::vector<double> y(3001, 0.7);
  const StepResponse response = find_step_response(y, kStep, {1.0, 0.9, 2.0, 3.0});
  EXPECT_NEAR(response.steady, 0.0, 1e-12);
  EXPECT_TRUE(std::isnan(response.response_time) || response.steady != 0.0);
}

/// First-order lag of a sequence that is linear between its samples, exactly.
std::vector<double> lagged(const std::vector<double>& x, double gain, double T) {
  std::vector<double> y(x.size(), 0.0);
  const double q = std::exp(-kStep / T);
  for (std::size_t k = 1; k < x.size(); ++k) {
    const double slope = (x[k] - x[k - 1]) / kStep;
    // particular solution: x - T slope; the rest decays
    y[k] = (y[k - 1] - (x[k - 1] - T * slope)) * q + x[k] - T * slope;
  }
  for (double& value : y) value *= gain;
  return y;
}

TEST(FrequencyResponse, OfAFirstOrderLagFollowsItsClosedForm) {
  const double T = 0.2;
  std::vector<double> x = noise(800001, 7);
  x = lagged(x, 1.0, 0.02);  // band-limited, so that "linear between samples" is what it was
  const auto y = lagged(x, 3.0, T);
  const FrequencyResponse response =
      estimate_frequency_response(x, y, kStep, {20.0, 0.5}, 0.2, 5.0);
  ASSERT_GT(response.f.size(), 40U);
  for (std::size_t k = 0; k < response.f.size(); ++k) {
    const double w = 2.0 * kPi * response.f[k];
    // segments do not hold the whole answer to what was before them: four times what the estimate
    // says of itself
    const double exact = 3.0 / std::hypot(1.0, w * T);
    EXPECT_LT(response.error[k], 0.01);
    EXPECT_NEAR(response.gain[k], exact, 4.0 * exact * response.error[k]) << response.f[k];
    EXPECT_NEAR(response.phase[k], -std::atan(w * T), 4.0 * response.error[k]) << response.f[k];
    EXPECT_GT(response.coherence[k], 0.99);
  }
  const FrequencyMetrics metrics = find_frequency_metrics(response, 0.21);
  // -3 dB from the gain at 0.2 Hz: sqrt(1 + 2 (w0 T)^2)/T, and 45 degrees at 1/T
  const double w0 = 2.0 * kPi * 0.2;
  EXPECT_NEAR(metrics.bandwidth, std::sqrt(1.0 + 2.0 * w0 * w0 * T * T) / (2.0 * kPi * T), 0.02);
  EXPECT_NEAR(metrics.equivalent_time, T, 0.003);
  EXPECT_TRUE(std::isnan(metrics.peak_frequency));  // gain falls from the begin
}

/// Closed form: a resonance w0^2/(w0^2 - w^2 + 2 i z w0 w), gain 3 at frequency zero.
std::complex<double> resonance(double f, double f0, double z) {
  return 3.0 / std::complex<double>(1.0 - f * f / (f0 * f0), 2.0 * z * f / f0);
}
FrequencyResponse resonance_at(const std::vector<double>& frequencies, double f0, double z) {
  FrequencyResponse response;
  for (const double f : frequencies) {
    const std::complex<double> H = resonance(f, f0, z);
    response.f.push_back(f);
    response.gain.push_back(std::abs(H));
    response.phase.push_back(std::arg(H));
    response.coherence.push_back(1.0);
    response.error.push_back(0.0);
  }
  return response;
}

TEST(FrequencyResponse, MetricsOfFewPointsKnowHowFarTheyAreOff) {
  const double z = 0.5;
  const double f0 = 1.1;
  std::vector<double> twelve;
  for (int k = 0; k < 12; ++k) twelve.push_back(0.2 * std::pow(15.0, k / 11.0));
  const FrequencyResponse response = resonance_at(twelve, f0, z);
  const FrequencyMetrics metrics = find_frequency_metrics(response, 0.25, {3.0, 0.0});
  EXPECT_EQ(metrics.steady_gain, 3.0);
  // closed forms: peak 1/(2 z sqrt(1 - z^2)) at f0 sqrt(1 - 2 z^2); -3 dB where
  // (1 - u)^2 + 4 z^2 u = 2, u = (f/f0)^2; -45 degrees where 1 - u = 2 z sqrt(u)
  EXPECT_NEAR(metrics.peak_ratio, 1.0 / (2.0 * z * std::sqrt(1.0 - z * z)), 1e-12);
  EXPECT_NEAR(metrics.peak_frequency, f0 * std::sqrt(1.0 - 2.0 * z * z), 1e-12);
  const double b = 1.0 - 2.0 * z * z;
  EXPECT_NEAR(metrics.bandwidth, f0 * std::sqrt(b + std::sqrt(b * b + 1.0)),
              metrics.bandwidth_error);
  EXPECT_LT(metrics.bandwidth_error, 0.1);
  const double equivalent = 1.0 / (2.0 * kPi * f0 * (std::sqrt(z * z + 1.0) - z));
  EXPECT_NEAR(metrics.equivalent_time, equivalent, 1.5 * metrics.equivalent_time_error);
  EXPECT_LT(metrics.equivalent_time_error, 0.1 * equivalent);
  // without a gain at frequency zero the lowest points stand for it
  EXPECT_GT(low_frequency_gain(response, 0.25).value, 3.0);
  EXPECT_EQ(find_frequency_metrics(response, 0.25).steady_gain,
            low_frequency_gain(response, 0.25).value);
}

// Of two points what lies between them is as sure as half of their difference: closed form.
TEST(FrequencyResponse, OfTwoPointsSaysHowLittleItKnows) {
  const double z = 0.4;
  const double f0 = 1.5;
  const FrequencyResponse response = resonance_at({0.2, 3.0}, f0, z);
  const double f = 1.0;
  const std::complex<double> H = resonance(f, f0, z);
  EXPECT_NEAR(gain_at(response, f), std::abs(H), 2.0 * gain_error_at(response, f));
  EXPECT_NEAR(phase_at(response, f), std::arg(H), 2.0 * phase_error_at(response, f));
  const FrequencyMetrics metrics = find_frequency_metrics(response, 0.3, {3.0, 0.0});
  const double b = 1.0 - 2.0 * z * z;
  EXPECT_NEAR(metrics.bandwidth, f0 * std::sqrt(b + std::sqrt(b * b + 1.0)),
              2.0 * metrics.bandwidth_error);
  EXPECT_NEAR(metrics.peak_ratio, 1.0 / (2.0 * z * std::sqrt(1.0 - z * z)),
              2.0 * metrics.peak_ratio_error);
}

/// A resonance w0^2/(w0^2 - w^2 + 2 i z w0 w) every 0.1 Hz, whose gains are off by so much of
/// themselves, at random.
FrequencyResponse noisy_resonance(double f0, double z, double error, std::uint64_t seed) {
  FrequencyResponse response;
  const std::vector<double> off = noise(29, seed);
  for (std::size_t k = 0; k < off.size(); ++k) {
    const double f = 0.2 + 0.1 * static_cast<double>(k);
    const double exact = 1.0 / std::hypot(1.0 - f * f / (f0 * f0), 2.0 * z * f / f0);
    response.f.push_back(f);
    // even within +-sqrt(3) deviations
    response.gain.push_back(exact * (1.0 + std::sqrt(3.0) * error * off[k]));
    response.phase.push_back(-std::atan2(2.0 * z * f / f0, 1.0 - f * f / (f0 * f0)));
    response.coherence.push_back(0.9);
    response.error.push_back(error);
  }
  return response;
}

// Oracle: where the peaks of a hundred records lie beside the closed form, f0 sqrt(1 - 2 z^2).
TEST(FrequencyResponse, APeakIsAsSureAsItScatters) {
  constexpr int kRecords = 100;
  const double f0 = 1.5;
  for (const double z : {0.3, 0.45, 0.6})
    for (const double error : {0.02, 0.05}) {
      const double exact = f0 * std::sqrt(1.0 - 2.0 * z * z);
      double squares = 0.0;
      double claimed = 0.0;
      int found = 0;
      for (int seed = 1; seed <= kRecords; ++seed) {
        const FrequencyMetrics metrics =
            find_frequency_metrics(noisy_resonance(f0, z, error, 977U * seed), 0.25, {1.0, 0.0});
        if (std::isnan(metrics.peak_frequency)) continue;
        squares += std::pow(metrics.peak_frequency - exact, 2);
        claimed += std::pow(metrics.peak_frequency_error, 2);
        ++found;
      }
      ASSERT_GT(found, kRecords / 2);
      const double scatter = std::sqrt(squares / claimed);
      // half a range holds 1.7 deviations of what is even in it
      EXPECT_LT(scatter, 1.3) << z << ' ' << error;
      EXPECT_GT(scatter, 0.3) << z << ' ' << error;
    }
}

/// Yaw rate over steering angle of a bicycle model whose tyres lag by sigma/V, from its equations.
double lagging_bicycle(double f, double V) {
  constexpr double m = 1500.0, Iz = 2500.0, a = 1.2, b = 1.5, sigma = 0.45;
  const std::complex<double> s(0.0, 2.0 * kPi * f);
  const std::complex<double> front = 80e3 / (1.0 + sigma / V * s);
  const std::complex<double> rear = 90e3 / (1.0 + sigma / V * s);
  const std::complex<double> vv = m * s + (front + rear) / V;
  const std::complex<double> vr = m * V + (a * front - b * rear) / V;
  const std::complex<double> rv = (a * front - b * rear) / V;
  const std::complex<double> rr = Iz * s + (a * a * front + b * b * rear) / V;
  return std::abs((vv * a * front - rv * front) / (vv * rr - vr * rv));
}

// Oracle: the top of the closed form, by its own search. Twelve frequencies between 0.2 and 3 Hz as
// `sine_sweep` takes them, moved step by step past the top.
TEST(FrequencyResponse, APeakBetweenFewFrequenciesKnowsHowFarItIsOff) {
  std::vector<double> parts_f, parts_gain;  // error over doubt
  for (const double V : {20.0, 22.0, 25.0, 28.0, 35.0}) {
    double top = 0.0;
    for (double f = 0.1; f < 3.0; f += 1e-4)
      if (lagging_bicycle(f, V) > lagging_bicycle(top, V)) top = f;
    const double steady = lagging_bicycle(0.0, V);
    for (double moved = 1.0; moved < 1.28; moved += 0.01) {
      FrequencyResponse response;
      for (int k = 0; k < 12; ++k) {
        const double f = 0.2 * moved * std::pow(15.0, k / 11.0);
        response.f.push_back(f);
        response.gain.push_back(lagging_bicycle(f, V));
        response.phase.push_back(0.0);
        response.coherence.push_back(1.0);
        response.error.push_back(0.0);
      }
      const FrequencyMetrics metrics = find_frequency_metrics(response, 0.25, {steady, 0.0});
      if (std::isnan(metrics.peak_frequency)) continue;
      parts_f.push_back(std::abs(metrics.peak_frequency - top) / metrics.peak_frequency_error);
      parts_gain.push_back(std::abs(metrics.peak_ratio - lagging_bicycle(top, V) / steady) /
                           metrics.peak_ratio_error);
    }
  }
  ASSERT_GT(parts_f.size(), 100U);
  for (std::vector<double>* const parts : {&parts_f, &parts_gain}) {
    std::sort(parts->begin(), parts->end());
    EXPECT_LT(parts->back(), 1.1);
    EXPECT_GT((*parts)[parts->size() / 2], 0.02);
  }
}

TEST(FrequencyResponse, OfAFlatOneThePeakMayBeAnywhere) {
  FrequencyResponse flat = noisy_resonance(1.5, 1.0, 0.03, 5);
  const std::vector<double> off = noise(flat.gain.size(), 11);
  // within the errors of one another
  for (std::size_t k = 0; k < off.size(); ++k) flat.gain[k] = 2.0 + 0.03 * off[k];
  const FrequencyMetrics metrics = find_frequency_metrics(flat, 0.25, {2.0, 0.0});
  ASSERT_FALSE(std::isnan(metrics.peak_frequency));
  EXPECT_GE(metrics.peak_frequency_error, 0.5 * (flat.f.back() - flat.f.front()));
  // and of one that is known, between two lines
  const FrequencyMetrics sharp =
      find_frequency_metrics(noisy_resonance(1.5, 0.3, 0.0, 5), 0.25, {1.0, 0.0});
  EXPECT_LT(sharp.peak_frequency_error, 0.1);
}

TEST(FrequencyResponse, CoherenceAndErrorOfANoisyOutputAreThoseOfTheTheory) {
  const std::size_t n = 400000;
  const auto x = noise(n, 1);
  const auto d = noise(n, 2);
  std::vector<double> y(n);
  for (std::size_t k = 0; k < n; ++k) y[k] = 2.0 * x[k] + d[k];
  const FrequencyResponse response =
      estimate_frequency_response(x, y, kStep, {1.0, 0.5}, 20.0, 300.0);
  double coherence = 0.0;
  double squares = 0.0;
  double error = 0.0;
  const auto m = static_cast<double>(response.f.size());
  for (std::size_t k = 0; k < response.f.size(); ++k) {
    coherence += response.coherence[k] / m;
    squares += std::pow(response.gain[k] / 2.0 - 1.0, 2) / m;
    error += response.error[k] / m;
  }
  // powers 4 and 1: coherence 4/5; the gain then scatters by sqrt(0.2/(2 n_d 0.8)), n_d about 0.95
  // of the 799 half overlapping segments (Welch 1967: 36/38)
  EXPECT_NEAR(coherence, 0.8, 0.003);
  EXPECT_NEAR(error, std::sqrt(0.2 / (2.0 * 0.947 * 799.0 * 0.8)), 2e-4);
  EXPECT_NEAR(std::sqrt(squares), error, 0.15 * error);
}

TEST(FrequencyResponse, SinePointsAreExactForASine) {
  FrequencyResponse response;
  for (const double f : {0.5, 1.0, 2.0}) {
    const auto x = sampled(4.0, [&](double t) { return 0.1 + 0.3 * std::sin(2.0 * kPi * f * t); });
    const auto y = sampled(
        4.0, [&](double t) { return 7.0 + 0.3 * 4.0 * f * std::sin(2.0 * kPi * f * t - 2.0 * f); });
    add_sine_point(response, x, y, kStep, f);
  }
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(response.gain[k], 4.0 * response.f[k], 1e-9);    // as put in
    EXPECT_NEAR(response.phase[k], -2.0 * response.f[k], 1e-9);  // -4 rad at 2 Hz: unwrapped
    EXPECT_NEAR(response.error[k], 0.0, 1e-9);
  }
}

TEST(Spectra, OfASineHoldItsPowerInItsBand) {
  const auto y = sampled(60.0, [](double t) { return 2.0 * std::sin(2.0 * kPi * 5.0 * t); });
  const Spectra spectra = estimate_spectra(y, y, kStep, {10.0, 0.5});
  double power = 0.0;
  for (const double density : spectra.xx) power += density * (spectra.f[1] - spectra.f[0]);
  EXPECT_NEAR(power, 2.0, 1e-3);  // 2^2/2
  for (const Band& band : third_octaves(spectra.f, spectra.xx))
    // 5.0119 Hz is the band of 5 Hz, 10^0.7
    EXPECT_NEAR(band.rms, std::abs(band.centre - 5.0119) < 0.01 ? std::sqrt(2.0) : 0.0, 2e-3)
        << band.centre;
}

TEST(Spectra, OfWhiteNoiseAreFlatWithItsVarianceOverTheBand) {
  const auto y = noise(500000, 3);
  const Spectra spectra = estimate_spectra(y, y, kStep, {1.0, 0.5});
  double mean = 0.0;
  for (const double density : spectra.xx) mean += density / static_cast<double>(spectra.xx.size());
  EXPECT_NEAR(mean, (1.0 / 3.0) / 500.0, 1e-5);  // variance 1/3 over 500 Hz
  EXPECT_THROW(estimate_spectra(y, y, kStep, {1e4, 0.5}), std::invalid_argument);
  EXPECT_THROW(estimate_spectra(y, y, kStep, {1.0, 1.0}), std::invalid_argument);
}

TEST(Transform, AndBackGivesTheSamplesAgain) {
  for (const std::size_t n : {16U, 15U, 18U, 30U}) {
    const auto y = noise(n, n);
    const auto spectrum = transform(y);
    ASSERT_EQ(spectrum.size(), n / 2 + 1);
    // the definition, summed
    for (std::size_t k = 0; k < spectrum.size(); ++k) {
      std::complex<double> sum = 0.0;
      for (std::size_t j = 0; j < n; ++j)
        sum += y[j] *
               std::polar(1.0, -2.0 * kPi * static_cast<double>(j * k) / static_cast<double>(n));
      EXPECT_LT(std::abs(sum - spectrum[k]), 1e-12);
    }
    const auto back = transform_back(spectrum, n);
    for (std::size_t k = 0; k < n; ++k) EXPECT_NEAR(back[k], y[k], 1e-13);
  }
}

TEST(SingleSine, OfADelayedAndScaledResponseGivesDelayAndScale) {
  const double T = 1.0;
  const auto sine = [&](double t) {
    return t > 0.0 && t < T ? 0.5 * std::sin(2.0 * kPi * t / T) : 0.0;
  };
  const auto wheel = sampled(5.0, [&](double t) { return sine(t - 1.0); });
  for (const double sign : {1.0, -1.0}) {
    const auto y = sampled(5.0, [&](double t) { return sign * 6.0 * sine(t - 1.12); });
    const SingleSineResponse response = find_single_sine_response(wheel, y, kStep, 1.0, T, sign);
    EXPECT_NEAR(response.lag, 0.12, 1e-4);  // as put in
    EXPECT_NEAR(response.first_lag, 0.12, 1e-4);
    EXPECT_NEAR(response.second_lag, 0.12, 1e-4);
    EXPECT_NEAR(response.first_peak, sign * 3.0, 1e-5);
    EXPECT_NEAR(response.second_peak, -sign * 3.0, 1e-5);
    EXPECT_NEAR(response.first_gain, sign * 6.0, 1e-4);
  }
}

TEST(Weave, OfALaggedSineIsAnEllipseOfKnownAxes) {
  const double f = 0.2;
  const double phi = 0.25;  // lag, rad
  const double X = 0.6;
  const double Y = 2.0;
  const auto x = sampled(25.0, [&](double t) { return X * std::sin(2.0 * kPi * f * t); });
  const auto y = sampled(25.0, [&](double t) { return Y * std::sin(2.0 * kPi * f * t - phi); });
  const HysteresisLoop loop = find_hysteresis(x, y, kStep, f, 1.0);
  // x at y = 0 is +-X sin(phi), y at x = 0 is -+Y sin(phi)
  EXPECT_NEAR(loop.dead_band, 2.0 * X * std::sin(phi), 1e-6);
  EXPECT_NEAR(loop.height, 2.0 * Y * std::sin(phi), 1e-6);
  // dy/dx = Y cos(wt - phi)/(X cos(wt)): Y/X (cos(phi) +- sin(phi) tan(wt)), whose mean around the
  // centre is Y/X cos(phi)
  EXPECT_NEAR(loop.gradient, Y / X * std::cos(phi), 2e-3);
  EXPECT_NEAR(loop.lag, phi / (2.0 * kPi * f), 1e-9);
  EXPECT_NEAR(loop.x_peak, X, 1e-6);
  EXPECT_LT(loop.spread, 1e-6);
  // around y = +-1 both branches: dy/dx = Y/X cos(u)/(cos(u) cos(phi) -+ sin(u) sin(phi)), u there
  // asin(1/Y); its mean of the two branches
  const double u = std::asin(1.0 / Y);
  const double one = std::cos(u) / std::cos(u + phi);
  const double two = std::cos(u) / std::cos(u - phi);
  EXPECT_NEAR(loop.gradient_at_level, Y / X * 0.5 * (one + two), 0.02);
  // x leaves through 0.3 at the phase asin(0.3/X), y is phi behind
  EXPECT_NEAR(find_value_outwards(x, y, kStep, f, 0.3), Y * std::sin(std::asin(0.3 / X) - phi),
              1e-5);
  EXPECT_TRUE(std::isnan(find_value_outwards(x, y, kStep, f, 1.01 * X)));
}

// A sine that begins at zero has a zero at the first sample of its periods; what rounding makes of
// it, and of those at the end, must not count. The answer still fades: its periods differ.
TEST(Weave, DoesNotHangOnTheRoundingOfTheFirstSample) {
  const double f = 0.2;
  const auto samples = static_cast<std::size_t>(std::lround(3.0 / (f * kStep)));
  std::vector<double> heights;
  for (const double rounding : {1e-15, -1e-15}) {
    std::vector<double> x(samples);
    std::vector<double> y(samples);
    for (std::size_t k = 0; k < samples; ++k) {
      const double t = static_cast<double>(k) * kStep;
      x[k] = std::sin(2.0 * std::numbers::pi * f * t);
      y[k] = (1.0 + 0.05 * std::exp(-t)) * std::sin(2.0 * std::numbers::pi * f * t - 0.1);
    }
    // the mean, which is taken off, does not see it
    x[0] = rounding;
    x[1] -= rounding;
    heights.push_back(find_hysteresis(x, y, kStep, f).height);
  }
  EXPECT_NEAR(heights[0], heights[1], 1e-10);
}

TEST(Lag, IsThatOfTheDelayInEitherDirection) {
  const auto bell = [](double t) { return std::exp(-t * t / 0.02); };
  const auto a = sampled(4.0, [&](double t) { return bell(t - 2.0); });
  const auto b = sampled(4.0, [&](double t) { return 0.3 * bell(t - 2.2345); });
  EXPECT_NEAR(find_lag(a, b, kStep, 0.5), 0.2345, 1e-5);  // between the samples too
  EXPECT_NEAR(find_lag(b, a, kStep, 0.5), -0.2345, 1e-5);
}

TEST(Line, ThroughPointsOfALineIsIt) {
  const std::vector<double> x{0.0, 1.0, 2.0, 5.0};
  const std::vector<double> y{1.0, 3.0, 5.0, 11.0};
  const Line line = fit_line(x, y);
  EXPECT_NEAR(line.slope, 2.0, 1e-12);
  EXPECT_NEAR(line.offset, 1.0, 1e-12);
  EXPECT_NEAR(line.slope_error, 0.0, 1e-12);
  EXPECT_TRUE(std::isnan(fit_line(Samples(x).first(1), Samples(y).first(1)).slope));
}

}  // namespace
}  // namespace semirec
