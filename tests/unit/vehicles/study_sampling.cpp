// What a study draws: grids in order, strata, sequences and quantiles in closed form.
#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "vehicles/study/design.hpp"
#include "vehicles/study/distribution.hpp"
#include "vehicles/study/study.hpp"

namespace semirec {
namespace {

const std::string kAsk = "<response command=\"equilibrium VEHICLE\" quantities=\"*\"/></study>";

Study study_of(const std::string& inside) {
  return read_study_text("<study name=\"s\" version=\"1\" vehicle=\"car.xml\">" + inside + kAsk,
                         "folder/study.xml");
}

TEST(StudyGrid, IsTheFullProductWithTheLastParameterFastest) {
  const Study study = study_of(
      "<vary element=\"a\" attribute=\"mass\" values=\"1 2\"/>"
      "<vary element=\"b\" attribute=\"mass\" from=\"10\" to=\"1000\" count=\"3\" spacing=\"log\"/>"
      "<vary element=\"form\" attribute=\"value\" values=\"ideal bushing\"/>");
  EXPECT_EQ(study.vehicle, "folder/car.xml");
  const Design design = make_design(study);
  ASSERT_EQ(design.values.size(), 12U);  // 2 * 3 * 2
  std::size_t row = 0;
  for (const double a : {1.0, 2.0})
    for (const double b : {10.0, 100.0, 1000.0})  // equal ratios
      for (const double c : {0.0, 1.0}) {
        EXPECT_EQ(design.values[row][0], a);
        EXPECT_NEAR(design.values[row][1], b, 1e-13 * b);
        EXPECT_EQ(design.values[row][2], c);
        ++row;
      }
  const std::vector<Override> set = overrides_of(study, design.values[11]);
  ASSERT_EQ(set.size(), 3U);
  EXPECT_EQ(set[1].element + "." + set[1].attribute + "=" + set[1].value, "b.mass=1000");
  EXPECT_EQ(set[2].value, "bushing");
}

TEST(StudyGrid, RangesEndExactlyWhereTheyAreWritten) {
  const Study study =
      study_of("<vary element=\"a\" attribute=\"mass\" from=\"0.1\" to=\"0.7\" count=\"7\"/>");
  EXPECT_EQ(study.varied[0].levels.front(), 0.1);
  EXPECT_EQ(study.varied[0].levels.back(), 0.7);
  EXPECT_NEAR(study.varied[0].levels[3], 0.4, 1e-15);
}

TEST(StudyGrid, AFactorAndSeveralElementsMakeOneOverrideForEach) {
  const Study study = study_of(
      "<vary element=\"spring_fl spring_fr\" attribute=\"k\" factor=\"yes\" values=\"0.8 1.25\"/>");
  const std::vector<Override> set = overrides_of(study, {1.25});
  ASSERT_EQ(set.size(), 2U);
  EXPECT_EQ(set[0].element, "spring_fl");
  EXPECT_EQ(set[1].element, "spring_fr");
  EXPECT_EQ(set[1].value, "*1.25");
}

TEST(StudySample, ALatinHypercubeHasOneSampleInEachStratumOfEachParameter) {
  const std::size_t n = 1000;
  const Study study = study_of(
      "<vary element=\"a\" attribute=\"mass\" distribution=\"uniform\" min=\"0\" max=\"1\"/>"
      "<vary element=\"b\" attribute=\"mass\" distribution=\"uniform\" min=\"0\" max=\"1\"/>"
      "<sample count=\"1000\" seed=\"3\" method=\"latin\"/>");
  const Design design = make_design(study);
  for (const std::size_t k : {0U, 1U}) {
    std::set<long> strata;
    for (const std::vector<double>& values : design.values)
      strata.insert(static_cast<long>(std::floor(values[k] * static_cast<double>(n))));
    EXPECT_EQ(strata.size(), n);
    EXPECT_EQ(*strata.begin(), 0);
    EXPECT_EQ(*strata.rbegin(), 999);
  }
  // the two orders are shuffled apart: of 1000 independent pairs the correlation has a deviation of
  // 1/sqrt(999) = 0.032
  double product = 0.0;
  for (const std::vector<double>& values : design.values)
    product += (values[0] - 0.5) * (values[1] - 0.5);
  EXPECT_LT(std::abs(product / static_cast<double>(n) * 12.0), 4.0 * 0.032);
}

TEST(StudySample, HaltonBeginsAsVanDerCorputWrote) {
  const Study study = study_of(
      "<vary element=\"a\" attribute=\"mass\" distribution=\"uniform\" min=\"0\" max=\"1\"/>"
      "<vary element=\"b\" attribute=\"mass\" distribution=\"uniform\" min=\"0\" max=\"1\"/>"
      "<sample count=\"8\" method=\"halton\"/>");
  const Design design = make_design(study);
  // digits of 1 ... 8 in base 2 and 3, mirrored by hand
  const std::vector<double> two{1. / 2, 1. / 4, 3. / 4, 1. / 8, 5. / 8, 3. / 8, 7. / 8, 1. / 16};
  const std::vector<double> three{1. / 3, 2. / 3, 1. / 9, 4. / 9, 7. / 9, 2. / 9, 5. / 9, 8. / 9};
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(design.values[i][0], two[i]) << i;
    EXPECT_NEAR(design.values[i][1], three[i], 1e-15) << i;
  }
}

TEST(StudySample, ASeedGivesTheSameAgainAnotherSeedAnother) {
  const auto with = [](const std::string& sample) {
    return make_design(study_of("<vary element=\"a\" attribute=\"mass\" distribution=\"normal\" "
                                "mean=\"10\" deviation=\"1\"/>" +
                                sample))
        .values;
  };
  for (const std::string method : {"random", "latin"}) {
    const std::string rest = "\" method=\"" + method + "\"/>";
    const auto first = with("<sample count=\"50\" seed=\"7" + rest);
    EXPECT_EQ(first, with("<sample count=\"50\" seed=\"7" + rest));
    EXPECT_NE(first, with("<sample count=\"50\" seed=\"8" + rest));
  }
  // a larger random study begins with the smaller one
  const auto few = with("<sample count=\"50\" seed=\"7\"/>");
  auto many = with("<sample count=\"80\" seed=\"7\"/>");
  many.resize(50);
  EXPECT_EQ(few, many);
}

TEST(StudySample, ChanceIsUniform) {
  // 20 000 numbers in 16 bins: chi-square with 15 degrees of freedom, above 44.3 with probability
  // 1e-4
  std::vector<double> bins(16, 0.0);
  for (std::uint64_t i = 0; i < 20000; ++i) {
    const double u = chance(5, 2, i);
    ASSERT_GT(u, 0.0);
    ASSERT_LT(u, 1.0);
    bins[static_cast<std::size_t>(u * 16.0)] += 1.0;
  }
  double chi = 0.0;
  for (const double bin : bins) chi += (bin - 1250.0) * (bin - 1250.0) / 1250.0;
  EXPECT_LT(chi, 44.3);
  EXPECT_NE(chance(5, 2, 0), chance(5, 3, 0));
  EXPECT_NE(chance(5, 2, 0), chance(6, 2, 0));
}

TEST(StudyDistribution, NormalQuantilesAreThoseOfTheTables) {
  // inverse of the normal distribution, Abramowitz and Stegun table 26.5 and Wichura's AS 241
  EXPECT_NEAR(normal_quantile(0.5), 0.0, 1e-15);
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-13);
  EXPECT_NEAR(normal_quantile(0.001), -3.090232306167814, 1e-13);
  EXPECT_NEAR(normal_quantile(1e-20), -9.262340089798408, 1e-12);
  // and it is the inverse
  for (const double p : {1e-9, 0.03, 0.3, 0.7, 0.9999})
    EXPECT_NEAR(0.5 * std::erfc(-normal_quantile(p) / std::sqrt(2.0)), p, 1e-15) << p;
}

TEST(StudyDistribution, ATruncatedNormalIsSymmetricAndKeepsItsBounds) {
  Vary vary;
  vary.distribution = Distribution::normal;
  vary.mean = 5.0;
  vary.deviation = 2.0;
  vary.minimum = 4.0;
  vary.maximum = 6.0;
  EXPECT_NEAR(quantile(vary, 0.5), 5.0, 1e-14);
  EXPECT_NEAR(quantile(vary, 0.1) + quantile(vary, 0.9), 10.0, 1e-13);
  // between -1/2 and 1/2 deviations: Phi(x) = Phi(-1/2) + u (Phi(1/2) - Phi(-1/2)), here u = 0.75,
  // Phi(1/2) = 0.691462461274013, so Phi(x) = 0.5957312306370066 and x = 0.2422802...
  const double x = (quantile(vary, 0.75) - 5.0) / 2.0;
  EXPECT_NEAR(0.5 * std::erfc(-x / std::sqrt(2.0)), 0.5957312306370066, 1e-14);
  EXPECT_GE(quantile(vary, 1e-12), 4.0);
  EXPECT_LE(quantile(vary, 1.0 - 1e-12), 6.0);
  // far above the mean nothing is lost: the tail falls as exp(-x^2/2), its median lies by
  // ln 2/6 above 6 deviations to the first order, 0.0019 less by the next
  vary.minimum = 5.0 + 2.0 * 6.0;
  vary.maximum = 5.0 + 2.0 * 20.0;
  const double median = (quantile(vary, 0.5) - 5.0) / 2.0;
  EXPECT_NEAR(std::erfc(median / std::sqrt(2.0)) / std::erfc(6.0 / std::sqrt(2.0)), 0.5, 1e-9);
}

TEST(StudyDistribution, LogUniformHasItsMedianInTheGeometricMean) {
  Vary vary;
  vary.distribution = Distribution::log_uniform;
  vary.minimum = 0.5;
  vary.maximum = 8.0;
  EXPECT_NEAR(quantile(vary, 0.5), 2.0, 1e-15);
  EXPECT_NEAR(quantile(vary, 0.25), 1.0, 1e-15);
}

}  // namespace
}  // namespace semirec
