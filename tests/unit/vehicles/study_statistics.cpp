// Summaries of tables whose statistics are known in closed form.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "vehicles/study/study_table.hpp"

namespace semirec {
namespace {

double value_of(const Answer& answer, const std::string& name) {
  const int k = find_quantity(answer, name);
  EXPECT_GE(k, 0) << name;
  return k < 0 ? 0.0 : answer.quantities[static_cast<std::size_t>(k)].value;
}

double uncertainty_of(const Answer& answer, const std::string& name) {
  return answer.quantities.at(static_cast<std::size_t>(find_quantity(answer, name))).uncertainty;
}

Study study_of(const std::string& inside) {
  return read_study_text("<study name=\"s\" version=\"1\" vehicle=\"car.xml\">" + inside +
                             "<response command=\"equilibrium VEHICLE\" quantities=\"y\"/></study>",
                         "study.xml");
}

StudyTable table_of(const Study& study, const Design& design, double (*law)(double, double)) {
  StudyTable table;
  table.study = &study;
  table.design = &design;
  table.units = {"kg", "1"};
  table.columns = {{"y", "N"}};
  for (std::size_t i = 0; i < design.values.size(); ++i)
    table.rows.push_back({i, kSampleOk, {law(design.values[i][0], design.values[i][1])}});
  return table;
}

const char* const kGrid =
    "<vary element=\"a\" attribute=\"mass\" as=\"a\" values=\"1000 1500 2000 2500\"/>"
    "<vary element=\"b\" attribute=\"k\" as=\"b\" values=\"0.5 1 1.5\"/>";

TEST(StudySummary, APlaneIsFoundAgain) {
  const Study study = study_of(kGrid);
  const Design design = make_design(study);
  const Answer answer = summarize(
      table_of(study, design, [](double a, double b) { return 7.0 + 0.02 * a - 30.0 * b; }));
  // the law itself
  EXPECT_NEAR(value_of(answer, "y.coefficient.a"), 0.02, 1e-13);
  EXPECT_NEAR(value_of(answer, "y.coefficient.b"), -30.0, 1e-10);
  EXPECT_NEAR(value_of(answer, "y.R2"), 1.0, 1e-13);
  // 7 + 0.02 * 1750 - 30 * 1
  EXPECT_NEAR(value_of(answer, "y.mean"), 12.0, 1e-12);
  EXPECT_NEAR(value_of(answer, "y.min"), 7.0 + 20.0 - 45.0, 1e-12);
  EXPECT_NEAR(value_of(answer, "y.max"), 7.0 + 50.0 - 15.0, 1e-12);
  // of a full grid: sum of squares 12 (0.02^2 * 312500 + 30^2 / 6) = 3300, over 11
  EXPECT_NEAR(value_of(answer, "y.std"), std::sqrt(3300.0 / 11.0), 1e-12);
  // share of the variance of each: 1500/3300 and 1800/3300
  EXPECT_NEAR(value_of(answer, "y.correlation.a"), std::sqrt(1500.0 / 3300.0), 1e-13);
  EXPECT_NEAR(value_of(answer, "y.correlation.b"), -std::sqrt(1800.0 / 3300.0), 1e-13);
  // ends of a line: 0.02 * 1500 and 30 * 1
  EXPECT_NEAR(value_of(answer, "y.effect.a"), 30.0, 1e-12);
  EXPECT_NEAR(value_of(answer, "y.effect.b"), 30.0, 1e-12);
  const int k = find_quantity(answer, "y.coefficient.a");
  EXPECT_EQ(answer.quantities[static_cast<std::size_t>(k)].unit, "N/(kg)");
  ASSERT_EQ(answer.tables.size(), 2U);
  EXPECT_EQ(answer.tables[0].name, "effect_1_a");
  ASSERT_EQ(answer.tables[1].rows.size(), 3U);
  EXPECT_NEAR(answer.tables[1].rows[0][2], 7.0 + 35.0 - 15.0, 1e-12);  // mean at b = 0.5
}

// a roll angle of round-off beside a pitch of size: it goes with nothing
TEST(StudySummary, RoundOffGoesWithNothing) {
  const Study study = study_of(kGrid);
  const Design design = make_design(study);
  StudyTable table = table_of(study, design, [](double a, double /*b*/) { return 1e-5 * a; });
  table.columns = {{"pitch", "rad"}, {"roll", "rad"}};
  for (StudyRow& row : table.rows) row.responses.push_back(1e-15 * row.responses[0]);
  const Answer answer = summarize(table);
  EXPECT_NEAR(value_of(answer, "pitch.correlation.a"), 1.0, 1e-12);
  EXPECT_TRUE(std::isnan(value_of(answer, "roll.correlation.a")));
  EXPECT_TRUE(std::isnan(value_of(answer, "roll.R2")));
}

// a wheel rate that differs by what its search leaves open: the spread decides, not the size
TEST(StudySummary, ASpreadOfRoundOffGoesWithNothing) {
  const Study study = study_of(kGrid);
  const Design design = make_design(study);
  const auto correlation_of = [&](double (*rate)(double, double)) {
    return value_of(summarize(table_of(study, design, rate)), "y.correlation.a");
  };
  EXPECT_TRUE(std::isnan(correlation_of([](double a, double /*b*/) { return 2e4 + 2e-10 * a; })));
  EXPECT_NEAR(correlation_of([](double a, double /*b*/) { return 2e4 + 2e-5 * a; }), 1.0, 1e-6);
}

TEST(StudySummary, TheStandardErrorOfASlopeIsThatOfTheTextbook) {
  const Study study = study_of(
      "<vary element=\"a\" attribute=\"mass\" as=\"a\" values=\"1 2 3 4\"/>"
      "<vary element=\"b\" attribute=\"k\" as=\"b\" values=\"5\"/>");
  const Design design = make_design(study);
  StudyTable table = table_of(study, design, [](double, double) { return 0.0; });
  // y = 1, 3, 2, 4: Sxx = 5, Sxy = 4, slope 0.8, left over 1.8, s^2 = 0.9, s(b) = sqrt(0.9/5)
  const double y[] = {1.0, 3.0, 2.0, 4.0};
  for (std::size_t k = 0; k < 4; ++k) table.rows[k].responses[0] = y[k];
  const Answer answer = summarize(table);
  EXPECT_NEAR(value_of(answer, "y.coefficient.a"), 0.8, 1e-14);
  EXPECT_NEAR(uncertainty_of(answer, "y.coefficient.a"), std::sqrt(0.18), 1e-14);
  EXPECT_NEAR(value_of(answer, "y.R2"), 1.0 - 1.8 / 5.0, 1e-14);
  // one level tells nothing
  EXPECT_TRUE(std::isnan(value_of(answer, "y.coefficient.b")));
  EXPECT_TRUE(std::isnan(value_of(answer, "y.correlation.b")));
  EXPECT_EQ(value_of(answer, "y.effect.b"), 0.0);
}

TEST(StudySummary, AMeanOfIndependentSamplesSaysHowSureItIs) {
  const Study study = study_of(
      "<vary element=\"a\" attribute=\"mass\" as=\"a\" distribution=\"uniform\" min=\"0\" "
      "max=\"1\"/>"
      "<vary element=\"b\" attribute=\"k\" as=\"b\" distribution=\"uniform\" min=\"0\" max=\"1\"/>"
      "<sample count=\"4000\" seed=\"1\"/>");
  const Design design = make_design(study);
  const Answer answer =
      summarize(table_of(study, design, [](double a, double b) { return 3.0 * a + b * b; }));
  // 3/2 + 1/3; variance 9/12 + 1/5 - 1/9
  const double deviation = std::sqrt(0.75 + 0.2 - 1.0 / 9.0);
  EXPECT_NEAR(uncertainty_of(answer, "y.mean"), deviation / std::sqrt(4000.0), 1e-3);
  EXPECT_NEAR(value_of(answer, "y.mean"), 1.5 + 1.0 / 3.0, 4.0 * deviation / std::sqrt(4000.0));
  // least squares of b^2 by a line over 0 to 1: slope 1
  EXPECT_NEAR(value_of(answer, "y.coefficient.b"), 1.0,
              4.0 * uncertainty_of(answer, "y.coefficient.b"));
  // means of 3 a over the first and the last fifth differ by 3 * 0.8
  EXPECT_NEAR(value_of(answer, "y.effect.a"), 2.4, 0.05);
  EXPECT_EQ(answer.tables[0].rows.size(), 5U);
}

TEST(StudySummary, ParametersThatGoTogetherHaveNoCoefficients) {
  const Study study = study_of(
      "<vary element=\"a\" attribute=\"mass\" as=\"a\" values=\"1 2 3 4\"/>"
      "<vary element=\"b\" attribute=\"k\" as=\"b\" values=\"1 2 3 4\"/>");
  Design design = make_design(study);
  StudyTable table = table_of(study, design, [](double a, double b) { return a + b; });
  std::vector<StudyRow> diagonal;
  for (const StudyRow& row : table.rows)
    if (design.values[row.index][0] == design.values[row.index][1]) diagonal.push_back(row);
  table.rows = diagonal;
  const Answer answer = summarize(table);
  EXPECT_TRUE(std::isnan(value_of(answer, "y.coefficient.a")));
  EXPECT_NEAR(value_of(answer, "y.correlation.a"), 1.0, 1e-14);
}

TEST(StudySummary, FailedSamplesAreRowsAndCountedAndLeftOut) {
  const Study study = study_of(kGrid);
  const Design design = make_design(study);
  StudyTable table = table_of(study, design, [](double a, double) { return a; });
  table.rows[0] = {0, "no static equilibrium, 3 N", {std::nan("")}};
  const Answer answer = summarize(table);
  EXPECT_EQ(value_of(answer, "failed"), 1.0);
  EXPECT_EQ(value_of(answer, "samples"), 12.0);
  // without one of the three 1000: (3 * (1000 + 1500 + 2000 + 2500) - 1000)/11
  EXPECT_NEAR(value_of(answer, "y.mean"), 20000.0 / 11.0, 1e-10);
  const std::string text = results_text(table);
  EXPECT_EQ(text.substr(0, text.find("\n1,1000,1")),
            "index,a,b,y,status\n1,kg,1,N,\n0,1000,0.5,,\"no static equilibrium, 3 N\"");
}

TEST(StudySummary, SaysHowManyCarsHaveAResponse) {
  const Study study = study_of(kGrid);
  const Design design = make_design(study);
  // one car of twelve, the first: no spread, and a mean at one of four levels only
  StudyTable table = table_of(study, design, [](double, double) { return std::nan(""); });
  table.rows[0].responses[0] = 5.0;
  const Answer alone = summarize(table);
  EXPECT_EQ(value_of(alone, "y.mean"), 5.0);
  for (const char* name : {"y.std", "y.effect.a", "y.effect.b"})
    EXPECT_TRUE(std::isnan(value_of(alone, name))) << name;
  ASSERT_EQ(alone.notes.size(), 1U);
  EXPECT_EQ(alone.notes[0], "y: 1 of 12 cars have it");
  // one car of the three with a = 1000 is missing: the level still has a mean, 1000 as the law says
  table = table_of(study, design, [](double a, double) { return a; });
  table.rows[0].responses[0] = std::nan("");
  const Answer most = summarize(table);
  EXPECT_EQ(value_of(most, "y.effect.a"), 1500.0);
  ASSERT_EQ(most.notes.size(), 1U);
  EXPECT_EQ(most.notes[0], "y: 11 of 12 cars have it");
}

// Heavy cars fail: what is left is set against the masses of those that have an answer.
TEST(StudySummary, EffectsLeaveOutCarsWithoutAnAnswer) {
  const Study study = study_of(
      "<vary element=\"a\" attribute=\"mass\" as=\"a\" distribution=\"uniform\" min=\"0\" "
      "max=\"1\"/><vary element=\"b\" attribute=\"k\" as=\"b\" distribution=\"uniform\" "
      "min=\"0\" max=\"1\"/><sample count=\"100\" seed=\"3\"/>");
  const Design design = make_design(study);
  const StudyTable table =
      table_of(study, design, [](double a, double) { return a > 0.8 ? std::nan("") : 7.0 * a; });
  double samples = 0.0;
  const Answer answer = summarize(table);
  for (const std::vector<double>& row : answer.tables[0].rows) {
    EXPECT_NEAR(row[2], 7.0 * row[0], 1e-12);  // the law itself
    samples += row[1];
  }
  const auto have = std::count_if(design.values.begin(), design.values.end(),
                                  [](const auto& values) { return values[0] <= 0.8; });
  EXPECT_EQ(samples, static_cast<double>(have));
}

TEST(StudySummary, NothingIsKnownOfNothing) {
  const Study study = study_of(kGrid);
  const Design design = make_design(study);
  StudyTable table = table_of(study, design, [](double, double) { return std::nan(""); });
  for (StudyRow& row : table.rows) row.status = "broke down";
  const Answer answer = summarize(table);
  for (const char* name : {"y.mean", "y.std", "y.min", "y.max", "y.coefficient.a", "y.R2"})
    EXPECT_TRUE(std::isnan(value_of(answer, name))) << name;
  EXPECT_TRUE(answer.charts.empty());
}

TEST(StudySummary, CountsTheNotesOfTheCars) {
  const Study study = study_of(kGrid);
  const Design design = make_design(study);
  StudyTable table = table_of(study, design, [](double a, double) { return a; });
  ASSERT_EQ(table.rows.size(), 12U);
  for (std::size_t k = 2; k < 7; ++k)
    table.rows[k].notes = {"the balance is off by " + std::to_string(k) + " J", "always"};
  table.rows[11].notes = {"always", "always"};
  const Answer answer = summarize(table);
  const std::vector<std::string> expected{
      "5 of 12 cars, the first with index " + std::to_string(table.rows[2].index) +
          ": the balance is off by 2 J; its numbers in all of them: 2 to 6 (largest in size with "
          "index " +
          std::to_string(table.rows[6].index) + ")",
      "6 of 12 cars, the first with index " + std::to_string(table.rows[2].index) + ": always"};
  EXPECT_EQ(answer.notes, expected);
}

// each number with the car in which it is largest; what is said of no single car once
TEST(StudySummary, NamesTheCarsWhoseNotesHaveTheLargestNumbers) {
  const Study study = study_of(kGrid);
  const Design design = make_design(study);
  StudyTable table = table_of(study, design, [](double a, double) { return a; });
  const std::string whole = "the vehicle as it is: the balance is off by 7 J";
  table.rows[0].notes = {"184 steps of v2: open by -7.9e-05 m, at most 1e-06.", whole};
  table.rows[1].notes = {"12 steps of v2: open by -3.6e-01 m, at most 1e-06.", whole};
  table.rows[4].notes = {"900 steps of v2: open by 0.02 m, at most 1e-06.", whole};
  const auto index = [&](std::size_t row) { return std::to_string(table.rows[row].index); };
  const std::vector<std::string> expected{
      whole, "3 of 12 cars, the first with index " + index(0) + ": " + table.rows[0].notes[0] +
                 "; its numbers in all of them: 12 to 900 (largest in size with index " + index(4) +
                 "), -3.6e-01 to 0.02 (largest in size with index " + index(1) + ")"};
  EXPECT_EQ(summarize(table).notes, expected);
}

// Designs have patterns: the last parameter of a grid changes fastest.
TEST(StudySummary, APictureOfManyCarsHasSomeOfEachKind) {
  Study study = study_of(
      "<vary element=\"a\" attribute=\"mass\" as=\"a\" values=\"1000 2000\"/>"
      "<vary element=\"b\" attribute=\"k\" as=\"b\" values=\"1 20\"/>");
  Design design;
  constexpr int kCars = 14000;
  for (int i = 0; i < kCars; ++i)
    design.values.push_back({i < kCars / 2 ? 1000.0 : 2000.0, i % 2 == 0 ? 1.0 : 20.0});
  const StudyTable table = table_of(study, design, [](double, double k) { return k; });
  const Answer answer = summarize(table);
  const Series& drawn = answer.charts.at(0).series.at(0);
  EXPECT_NEAR(static_cast<double>(drawn.x.size()), 10000.0, 300.0);
  const auto ones = std::count(drawn.x.begin(), drawn.x.end(), 1.0);
  EXPECT_NEAR(static_cast<double>(ones), 0.5 * static_cast<double>(drawn.x.size()), 200.0);
  EXPECT_TRUE(std::any_of(answer.notes.begin(), answer.notes.end(), [](const std::string& note) {
    return note == "the picture shows some 10000 of 14000 cars, drawn at random";
  }));
}

}  // namespace
}  // namespace semirec
