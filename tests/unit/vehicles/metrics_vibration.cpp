#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "vehicles/analysis/metrics/vibration.hpp"

namespace semirec {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kStep = 1e-3;

struct Printed {
  double f;       // nominal, Hz: the table's factors are those at the nominal frequencies
  double factor;  // thousandths, as printed
};

void expect_printed(Weighting weighting, const std::vector<Printed>& table) {
  for (const auto& [f, factor] : table)
    // three or four digits are printed: a unit of the last one
    EXPECT_NEAR(1000.0 * std::abs(weighting_factor(weighting, f)), factor,
                factor < 100.0 ? 0.1 : 1.0)
        << f << " Hz";
}

// ISO 2631-1:1997, table 3, factors x 1000
TEST(Weighting, WkIsThatOfTheStandardsTable) {
  expect_printed(Weighting::Wk, {{0.5, 418},
                                 {1.0, 482},
                                 {2.0, 531},
                                 {3.15, 804},
                                 {4.0, 967},
                                 {5.0, 1039},
                                 {6.3, 1054},
                                 {8.0, 1036},
                                 {10.0, 988},
                                 {16.0, 768},
                                 {31.5, 405},
                                 {63.0, 186},
                                 {80.0, 132}});
}

TEST(Weighting, WdIsThatOfTheStandardsTable) {
  expect_printed(
      Weighting::Wd,
      {{0.5, 853}, {1.0, 1011}, {2.0, 890}, {4.0, 512}, {8.0, 253}, {16.0, 125}, {31.5, 63.2}});
}

// The same by other formulas: squared magnitudes of each part in real numbers.
TEST(Weighting, MagnitudesAreThoseOfTheRealFormulas) {
  const auto band = [](double f, double f1, double f2) {
    return std::sqrt(std::pow(f, 4) / (std::pow(f, 4) + std::pow(f1, 4)) * std::pow(f2, 4) /
                     (std::pow(f, 4) + std::pow(f2, 4)));
  };
  const auto transition = [](double f, double f3, double f4, double Q) {
    return std::sqrt(
        (f * f + f3 * f3) / (f3 * f3) * std::pow(f4, 4) * Q * Q /
        (std::pow(f, 4) * Q * Q + f * f * f4 * f4 * (1.0 - 2.0 * Q * Q) + std::pow(f4, 4) * Q * Q));
  };
  const auto step = [](double f, double f5, double Q5, double f6, double Q6) {
    return Q6 / Q5 *
           std::sqrt((std::pow(f, 4) * Q5 * Q5 + f * f * f5 * f5 * (1.0 - 2.0 * Q5 * Q5) +
                      std::pow(f5, 4) * Q5 * Q5) /
                     (std::pow(f, 4) * Q6 * Q6 + f * f * f6 * f6 * (1.0 - 2.0 * Q6 * Q6) +
                      std::pow(f6, 4) * Q6 * Q6));
  };
  for (const double f : {0.1, 0.3, 0.7, 1.6, 2.9, 5.0, 11.0, 27.0, 90.0, 300.0}) {
    EXPECT_NEAR(
        std::abs(weighting_factor(Weighting::Wk, f)),
        band(f, 0.4, 100.0) * transition(f, 12.5, 12.5, 0.63) * step(f, 2.37, 0.91, 3.35, 0.91),
        1e-12);
    EXPECT_NEAR(std::abs(weighting_factor(Weighting::Wd, f)),
                band(f, 0.4, 100.0) * transition(f, 2.0, 2.0, 0.63), 1e-12);
    EXPECT_NEAR(std::abs(weighting_factor(Weighting::Wc, f)),
                band(f, 0.4, 100.0) * transition(f, 8.0, 8.0, 0.63), 1e-12);
    EXPECT_NEAR(std::abs(weighting_factor(Weighting::We, f)),
                band(f, 0.4, 100.0) * transition(f, 1.0, 1.0, 0.63), 1e-12);
    EXPECT_NEAR(
        std::abs(weighting_factor(Weighting::Wf, f)),
        band(f, 0.08, 0.63) * transition(f, 1e9, 0.25, 0.86) * step(f, 0.0625, 0.80, 0.1, 0.80),
        1e-12);
  }
}

TEST(Weighting, OfASineScalesItByTheFactorAndShiftsIt) {
  const double f = 5.0;
  std::vector<double> a;
  for (int k = 0; k < 20000; ++k) a.push_back(std::sin(2.0 * kPi * f * k * kStep));
  const auto weighted = weigh(a, kStep, Weighting::Wk);
  ASSERT_EQ(weighted.size(), a.size());
  const std::complex<double> H = weighting_factor(Weighting::Wk, f);
  // after 10 s the start (high pass of 0.4 Hz) has faded by exp(-0.7 * 2.5 * 10)
  for (std::size_t k = 10000; k < a.size() - 100; ++k)
    ASSERT_NEAR(
        weighted[k],
        std::abs(H) * std::sin(2.0 * kPi * f * static_cast<double>(k) * kStep + std::arg(H)), 2e-4);
}

TEST(Weighting, IsCausal) {
  std::vector<double> a(8000, 0.0);
  for (std::size_t k = 4000; k < 4100; ++k)  // a smooth bump
    a[k] = std::pow(std::sin(kPi * static_cast<double>(k - 4000) / 100.0), 2);
  for (const Weighting weighting : {Weighting::Wk, Weighting::Wd, Weighting::Wf}) {
    const auto weighted = weigh(a, kStep, weighting);
    double before = 0.0;
    for (std::size_t k = 0; k < 3990; ++k) before = std::max(before, std::abs(weighted[k]));
    EXPECT_LT(before, 1e-5);
  }
}

TEST(VibrationDose, OfASineAreItsClosedForms) {
  std::vector<double> a;
  const double A = 1.7;
  for (int k = 0; k < 16000; ++k) a.push_back(A * std::sin(2.0 * kPi * 8.0 * k * kStep));
  const VibrationDose dose = find_dose(a, kStep);
  EXPECT_NEAR(dose.rms, A / std::sqrt(2.0), 1e-9);
  EXPECT_NEAR(dose.crest_factor, std::sqrt(2.0), 1e-3);  // samples miss the top by cos(0.025)
  EXPECT_NEAR(dose.mtvv, A / std::sqrt(2.0), 1e-9);      // whole periods in each second
  EXPECT_NEAR(dose.vdv, A * std::pow(0.375 * 16.0, 0.25), 1e-9);  // mean of sin^4 is 3/8
}

TEST(VibrationDose, RunningRmsOfAShockRemembersOneSecond) {
  std::vector<double> a(5000, 0.0);
  for (std::size_t k = 1000; k < 1100; ++k) a[k] = 3.0;
  const auto running = running_rms(a, kStep);
  EXPECT_NEAR(running[1500], 3.0 * std::sqrt(0.1), 1e-9);  // a tenth of the second
  EXPECT_NEAR(running[1049], 3.0 * std::sqrt(0.05), 1e-9);
  EXPECT_NEAR(running[2200], 0.0, 1e-7);
  EXPECT_NEAR(find_dose(a, kStep).mtvv, 3.0 * std::sqrt(0.1), 1e-9);
}

}  // namespace
}  // namespace semirec
