// The cars of a study as a page has them: samples, settings, and drawings of their own.

#include "apps/report/study_section.hpp"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "apps/report/report_json.hpp"
#include "tests/unit/report/decode.hpp"
#include "vehicles/files/xml/reader.hpp"

namespace semirec::report {
namespace {

using Json = nlohmann::ordered_json;

/// A study of a pendulum over a grid: its length, its mass, and a word; three by two by two.
class StudySectionTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) /
              ("study_section_" +
               std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "bob.xml") << R"(<mechanism name="bob" version="1">
      <parameter name="length" value="1"/>
      <parameter name="mass" value="1"/>
      <slender_rod name="rod" mass="{mass}" from="0 0 0" to="{length} 0 0"/>
      <joint name="pin" type="revolute" a="ground" b="rod" point="0 0 0" axis="0 1 0"/>
    </mechanism>)";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void read(const std::string& varied) {
    study_ =
        read_study_text("<study name='s' version='1' vehicle='bob.xml'>" + varied +
                            "<response command='run VEHICLE x.xml' quantities='t.last'/></study>",
                        (folder_ / "study.xml").string());
    design_ = make_design(study_);
    table_.study = &study_;
    table_.design = &design_;
    table_.units.assign(study_.varied.size(), "m");
    table_.columns = {{"t.last", "s"}};
    for (std::size_t k = 0; k < study_.count; ++k)
      table_.rows.push_back({k, kSampleOk, {0.5 * static_cast<double>(k)}});
  }

  std::filesystem::path folder_;
  Study study_;
  Design design_;
  StudyTable table_;
  std::vector<std::string> notes_;
};

TEST_F(StudySectionTest, HasEachSampleWithWhatSetsItAndWhyItFailed) {
  read(
      "<vary element='length' attribute='value' as='l' values='1 2 3'/>"
      "<vary element='rod bob*' attribute='mass' factor='yes' as='m' values='0.1 2'/>");
  table_.rows[4].status = "stopped";
  table_.rows[4].responses[0] = std::nan("");
  const StudySection section = make_study_section(table_, {"semirec run bob.xml"}, notes_);
  EXPECT_TRUE(notes_.empty());
  EXPECT_EQ(section.samples.size(), 6U);
  ASSERT_EQ(section.columns.size(), 3U);
  EXPECT_EQ(section.columns[0].settings, std::vector<std::string>{"length.value="});
  EXPECT_EQ(section.columns[1].settings, (std::vector<std::string>{"rod.mass=*", "bob*.mass=*"}));
  // the last parameter changes fastest
  EXPECT_EQ(section.columns[0].values, (std::vector<double>{1, 1, 2, 2, 3, 3}));
  EXPECT_EQ(section.columns[1].values, (std::vector<double>{0.1, 2, 0.1, 2, 0.1, 2}));
  ASSERT_EQ(section.failures.size(), 1U);
  EXPECT_EQ(section.failures[0].first, 4U);

  Report report;
  report.study = section;
  const Json study = json_of(report)["study"];
  // all digits of what makes a car, 24 bits of what it answers, null where it does not
  EXPECT_EQ(study["columns"][1]["values"].dump(), "[0.1,2.0,0.1,2.0,0.1,2.0]");
  const std::vector<double> answers = test::numbers_of(study["columns"][2]["values"]);
  EXPECT_EQ(answers[3], 1.5);
  EXPECT_TRUE(std::isnan(answers[4]));
}

TEST_F(StudySectionTest, ThinsALargeStudyAndSaysSo) {
  read("<vary element='length' attribute='value' as='l' from='1' to='100000' count='100000'/>");
  ASSERT_EQ(study_.count, 100000U);
  const StudySection section = make_study_section(table_, {}, notes_);
  ASSERT_EQ(notes_.size(), 1U);
  // 46 bytes a row of a number, its index and an answer, below 1 MB
  EXPECT_EQ(section.samples.size(), 1000000U / 46U);
  EXPECT_EQ(section.columns[0].values.size(), section.samples.size());
  EXPECT_GT(section.samples.back(), 99990U);
}

// The rod of 2 m has its centre of mass, and with it its end, where the file's has none.
TEST_F(StudySectionTest, DrawsTheCarsThatLookOtherwise) {
  read(
      "<vary element='length' attribute='value' as='l' values='1 2 3'/>"
      "<vary element='mass' attribute='value' as='m' values='1 2'/>");
  StudySection section = make_study_section(table_, {}, notes_);
  const Vehicle nominal = read_vehicle((folder_ / "bob.xml").string());
  draw_cars(table_, nominal, {}, section);
  // of six, the two of 1 m are as the file draws them
  ASSERT_EQ(section.cars.size(), 4U) << section.drawn;
  EXPECT_EQ(section.cars[0].row, 2U);
  const std::vector<Shape> shapes =
      make_drawing(read_vehicle((folder_ / "bob.xml").string(), {{"length", "value", "2", {}}}))
          .shapes;
  for (const auto& [place, shape] : section.cars[0].shapes)
    EXPECT_EQ(shape_text(shape), shape_text(shapes.at(place)));
  EXPECT_FALSE(section.cars[0].shapes.empty());
  EXPECT_EQ(section.drawn.rfind("4 of 6 samples are drawn with their own values", 0), 0U)
      << section.drawn;
}

TEST_F(StudySectionTest, SaysWhereNothingThatIsVariedIsDrawn) {
  read("<vary element='mass' attribute='value' as='m' values='1 2'/>");
  StudySection section = make_study_section(table_, {}, notes_);
  draw_cars(table_, read_vehicle((folder_ / "bob.xml").string()), {}, section);
  EXPECT_TRUE(section.cars.empty());
  EXPECT_EQ(section.drawn.rfind("what is varied changes nothing that is drawn", 0), 0U)
      << section.drawn;
}

}  // namespace
}  // namespace semirec::report
