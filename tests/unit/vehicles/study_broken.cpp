// Broken studies: one line each, with the place and the mend. And factors of overrides.
#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "topology/matches_pattern.hpp"
#include "vehicles/files/xml/overrides.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/study/study.hpp"
#include "vehicles/study/study_files.hpp"

namespace semirec {
namespace {

const std::string kVary = "<vary element=\"a\" attribute=\"mass\" values=\"1 2\"/>";
const std::string kDrawn =
    "<vary element=\"a\" attribute=\"mass\" distribution=\"uniform\" min=\"1\" max=\"2\"/>";
const std::string kResponse = "<response command=\"equilibrium VEHICLE\" quantities=\"*\"/>";

std::string complaint(const std::string& inside) {
  try {
    static_cast<void>(read_study_text(
        "<study name=\"s\" version=\"1\" vehicle=\"car.xml\">\n" + inside + "</study>", "s.xml"));
  } catch (const ModelError& error) {
    return error.what();
  }
  return "no complaint";
}

struct Broken {
  const char* what;
  std::string inside;
  std::string expected;
};

class BrokenStudy : public testing::TestWithParam<Broken> {};

TEST_P(BrokenStudy, IsRefusedInOneLine) {
  const std::string line = complaint(GetParam().inside);
  EXPECT_EQ(line.find('\n'), std::string::npos) << line;
  EXPECT_EQ(line.rfind("s.xml:", 0), 0U) << line;
  EXPECT_NE(line.find(GetParam().expected), std::string::npos) << line;
}

std::string vary(const std::string& rest) {
  return "<vary element=\"a\" attribute=\"mass\" " + rest + "/>" + kResponse;
}
std::string sampled(const std::string& rest, const std::string& sample = "count=\"5\"") {
  return vary(rest) + "<sample " + sample + "/>";
}

INSTANTIATE_TEST_SUITE_P(
    All, BrokenStudy,
    testing::Values(
        Broken{"nothing_varied", kResponse, "varies nothing"},
        Broken{"nothing_asked", kVary, "asks nothing"},
        Broken{"unknown_element", kVary + kResponse + "<vari/>", "nearest known name is 'vary'"},
        Broken{"unknown_attribute", vary("valeus=\"1\""), "nearest known name is 'values'"},
        Broken{"no_values", vary(""), "'values' is missing"},
        Broken{"values_and_range", vary("values=\"1\" from=\"1\" to=\"2\" count=\"2\""),
               "expected only one of them"},
        Broken{"value_not_finite", vary("values=\"1 nan\""), "nan"},
        Broken{"value_with_unit", vary("values=\"1 kg\""), "carries a unit"},
        Broken{"value_twice", vary("values=\"1 2 1\""), "holds 1 twice"},
        Broken{"factor_of_words", vary("values=\"ideal bushing\" factor=\"yes\""),
               "expected numbers there"},
        Broken{"flag", vary("values=\"1\" factor=\"1.2\""), "expected no or yes"},
        Broken{"one_level", vary("from=\"1\" to=\"2\" count=\"1\""), "from 2 to 100000"},
        Broken{"half_a_level", vary("from=\"1\" to=\"2\" count=\"2.5\""), "whole number"},
        Broken{"no_range", vary("from=\"1\" to=\"1\" count=\"3\""), "two ends that differ"},
        Broken{"log_of_negative", vary("from=\"-1\" to=\"1\" count=\"3\" spacing=\"log\""),
               "both above zero"},
        Broken{"grid_beside_sample", sampled("values=\"1 2\""), "expected a 'distribution'"},
        Broken{"drawn_without_sample", kDrawn + kResponse, "expected a <sample>"},
        Broken{"two_samples",
               sampled("distribution=\"uniform\" min=\"1\" max=\"2\"") + "<sample count=\"3\"/>",
               "a second time"},
        Broken{"unknown_distribution", sampled("distribution=\"gauss\" mean=\"1\""),
               "uniform, normal or log_uniform"},
        Broken{"ends_swapped", sampled("distribution=\"uniform\" min=\"2\" max=\"1\""),
               "expected min below max"},
        Broken{"deviation_negative", sampled("distribution=\"normal\" mean=\"2\" deviation=\"-1\""),
               "above zero"},
        Broken{"deviation_of_uniform",
               sampled("distribution=\"uniform\" min=\"1\" max=\"2\" deviation=\"1\""),
               "expected it there only"},
        Broken{"tail_too_far",
               sampled("distribution=\"normal\" mean=\"0\" deviation=\"1\" min=\"9\""
                       " max=\"10\""),
               "more than 8 deviations"},
        Broken{"log_uniform_from_zero", sampled("distribution=\"log_uniform\" min=\"0\" max=\"1\""),
               "not above zero"},
        Broken{"no_samples", sampled("distribution=\"uniform\" min=\"1\" max=\"2\"", "count=\"0\""),
               "from 1 to 1000000"},
        Broken{"too_many_samples",
               sampled("distribution=\"uniform\" min=\"1\" max=\"2\"", "count=\"1e9\""),
               "from 1 to 1000000"},
        Broken{"seed_of_halton",
               sampled("distribution=\"uniform\" min=\"1\" max=\"2\"",
                       "count=\"3\" seed=\"1\" method=\"halton\""),
               "no chance in it"},
        Broken{
            "unknown_method",
            sampled("distribution=\"uniform\" min=\"1\" max=\"2\"", "count=\"3\" method=\"dice\""),
            "random, latin or halton"},
        Broken{"grid_too_large",
               vary("from=\"1\" to=\"2\" count=\"2000\"") +
                   "<vary element=\"b\" attribute=\"mass\" from=\"1\" to=\"2\" count=\"2000\"/>",
               "more than 1000000 samples"},
        Broken{"same_column_twice", kVary + kVary + kResponse, "a second time"},
        Broken{
            "same_attribute_by_a_pattern",
            kVary + "<vary element=\"a*\" attribute=\"mass\" values=\"3 4\" as=\"m\"/>" + kResponse,
            "replaces what 'a.mass' varies"},
        Broken{"column_that_every_study_has", vary("values=\"1\" as=\"status\""),
               "which every study has"},
        Broken{"name_is_no_column", vary("values=\"1\" as=\"a,b\""), "head of a column"},
        Broken{"name_is_kept", "<vary element=\"a\" attribute=\"name\" values=\"b\"/>" + kResponse,
               "holds the description together"},
        Broken{"no_vehicle_in_command",
               kVary + "<response command=\"equilibrium car.xml\" quantities=\"*\"/>",
               "expected the word VEHICLE"},
        Broken{"empty_command", kVary + "<response command=\" \" quantities=\"*\"/>", "is empty"},
        Broken{"open_quote", kVary + "<response command=\"run 'VEHICLE\" quantities=\"*\"/>",
               "quote that is not closed"},
        Broken{"no_quantities", kVary + "<response command=\"equilibrium VEHICLE\"/>",
               "'quantities' is missing"},
        Broken{"same_response_twice", kVary + kResponse + kResponse, "a name of its own by 'as'"}),
    [](const auto& test) { return std::string(test.param.what); });

const std::string kCar =
    "<mechanism name=\"m\" version=\"1\"><parameter name=\"d\" value=\"0.5\"/>"
    "<body name=\"bob_l\" mass=\"{4*d}\" com=\"0 {d} 0\" inertia=\"1 1 1\"/>"
    "<body name=\"bob_r\" mass=\"3\" com=\"0 0 0\" inertia=\"1 1 1\"/>"
    "<joint name=\"l\" type=\"free\" a=\"ground\" b=\"bob_l\"/>"
    "<joint name=\"r\" type=\"free\" a=\"ground\" b=\"bob_r\"/></mechanism>";

TEST(OverrideFactor, MultipliesWhatEachElementHas) {
  const Vehicle car = read_vehicle_text(kCar, "m.xml", {{"bob_*", "mass", "*1.5", {}}});
  EXPECT_EQ(car.mechanism.bodies[0].mass, 3.0);  // 4 * 0.5 * 1.5
  EXPECT_EQ(car.mechanism.bodies[1].mass, 4.5);  // 3 * 1.5
}

TEST(OverrideFactor, MultipliesParametersVectorsAndItself) {
  const Vehicle car = read_vehicle_text(kCar, "m.xml",
                                        {{"d", "value", "*2", {}},
                                         {"bob_l", "inertia", "*3", {}},
                                         {"bob_r", "mass", "*2", {}},
                                         {"bob_r", "mass", "*5", {}}});
  EXPECT_EQ(car.mechanism.bodies[0].mass, 4.0);           // 4 * (0.5 * 2)
  EXPECT_EQ(car.mechanism.bodies[0].inertia(1, 1), 3.0);  // 1 * 3, each of the three
  EXPECT_EQ(car.mechanism.bodies[1].mass, 30.0);          // 3 * 2 * 5
}

TEST(OverrideFactor, IsRefusedWhereThereIsNothingToMultiply) {
  const auto refused = [](const Override& change) {
    try {
      static_cast<void>(read_vehicle_text(kCar, "m.xml", {change}));
    } catch (const ModelError& error) {
      return std::string(error.what());
    }
    return std::string("no complaint");
  };
  const Source here{"study.xml", 4};
  EXPECT_EQ(refused({"bob_l", "products", "*2", here}).rfind("study.xml:4: element 'bob_l'", 0),
            0U);
  for (const std::string value : {"*", "*two", "*1e400", "*nan", "**2"})
    EXPECT_EQ(refused({"bob_l", "mass", value, here}).rfind("study.xml:4: element 'bob_l'", 0), 0U)
        << value;
  EXPECT_NE(refused({"l", "type", "*2", here}).find("is not a number"), std::string::npos);
}

// The axle of the sedan's driveline bears the name of a point, and gears have a ratio, too.
TEST(OverrideInside, MeansElementsInsideByTheirNames) {
  const auto driveline_of = [](const std::vector<std::string>& texts, std::string* note = nullptr) {
    std::vector<Override> overrides;
    for (const std::string& text : texts) overrides.push_back(parse_override(text));
    const Vehicle vehicle =
        read_vehicle(std::string(SEMIREC_SOURCE_DIR) + "/vehicles/models/sedan.xml", overrides);
    if (note != nullptr) *note = vehicle.notes.empty() ? "" : vehicle.notes.front();
    return vehicle.drivelines.front();
  };
  const Driveline plain = driveline_of({});
  const Driveline axle = driveline_of({"front_axle.ratio=4.5"});
  EXPECT_EQ(axle.axles[0].ratio, 4.5);
  EXPECT_EQ(axle.gearbox.gears[0].ratio, plain.gearbox.gears[0].ratio);
  const Driveline gears = driveline_of({"driveline.gear.ratio=*1.1"});
  for (std::size_t k = 0; k < gears.gearbox.gears.size(); ++k)
    EXPECT_DOUBLE_EQ(gears.gearbox.gears[k].ratio, 1.1 * plain.gearbox.gears[k].ratio);
  EXPECT_EQ(gears.axles[0].ratio, plain.axles[0].ratio);
  // once, whether the pattern means the driveline or the axle
  EXPECT_EQ(
      driveline_of({"driveline.shaft_damping=30", "*.shaft_damping=*2"}).axles[0].shaft_damping,
      60.0);
  std::string note;
  EXPECT_EQ(driveline_of({"driveline.ratio=4.5"}, &note).gearbox.gears[0].ratio, 4.5);
  EXPECT_EQ(note,
            "'driveline.ratio' is taken for that of the first <gear> of 5: all are called "
            "'driveline.gear.ratio', another value is called 'front_axle.ratio'");
  EXPECT_EQ(driveline_of({"driveline.shaft_damping=70"}, &note).axles[0].shaft_damping, 70.0);
  EXPECT_EQ(note, "");
}

TEST(OverridePattern, TakesStarsForAnyText) {
  for (const char* good : {"spring_fl", "spring_*", "*", "*_fl", "s*_*l", "**fl"})
    EXPECT_TRUE(matches_pattern(good, "spring_fl")) << good;
  for (const char* bad : {"spring", "spring_f", "*_fr", "", "s*x*l"})
    EXPECT_FALSE(matches_pattern(bad, "spring_fl")) << bad;
  // a pattern that would take longer than the universe if every star were tried
  std::string pattern;
  for (int k = 0; k < 40; ++k) pattern += "*a";
  EXPECT_FALSE(matches_pattern(pattern + "*b", std::string(200, 'a')));
}

TEST(StudyFiles, APrintChangesWithAnyByteOfWhatTheRowsComeFrom) {
  const std::string models = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/models/";
  const auto study_of = [&](const std::string& values) {
    return read_study_text(
        "<study name=\"s\" version=\"1\" vehicle=\"sedan.xml\">"
        "<vary element=\"chassis\" attribute=\"mass\" values=\"" +
            values +
            "\"/><vary element=\"spring_f*\" attribute=\"k\" factor=\"yes\" "
            "values=\"1\"/>" +
            kResponse + "</study>",
        models + "study.xml");
  };
  const Study study = study_of("1300 1400");
  const Design design = make_design(study);
  const std::uint64_t print = fingerprint(study, design, {"a"}, {}, {"b"}, "p");
  EXPECT_EQ(print, fingerprint(study, design, {"a"}, {}, {"b"}, "p"));
  EXPECT_NE(print, fingerprint(study, design, {"a"}, {}, {"b"}, "q"));
  EXPECT_NE(print, fingerprint(study, design, {"c"}, {}, {"b"}, "p"));
  const Study other = study_of("1300 1401");
  EXPECT_NE(print, fingerprint(other, make_design(other), {"a"}, {}, {"b"}, "p"));
  EXPECT_EQ(find_units(study), (std::vector<std::string>{"kg", "1"}));
}

// the second tyre stands under a condition that the vehicle as it is does not meet, the third one
// under one that a response's own --set meets, the last one in a file that a number includes
TEST(StudyFiles, APrintChangesWithFilesOfWhatSamplesAndResponsesTurnOn) {
  const std::string folder = testing::TempDir();
  const auto write = [&](const std::string& name, const std::string& text) {
    std::ofstream(folder + name) << text;
  };
  write("kinds.xml",
        "<vehicle name=\"kinds\" version=\"1\"><parameter name=\"kind\" value=\"a\"/>"
        "<tyre name=\"t\" file=\"kind_a.tir\" when=\"kind = a\"/>"
        "<tyre name=\"t\" file=\"kind_b.tir\" when=\"kind = b\"/>"
        "<tyre name=\"t\" file=\"kind_c.tir\" when=\"kind = c\"/>"
        "<parameter name=\"count\" value=\"1\"/><include file=\"kind_d.xml\" when=\"count = 2\"/>"
        "<body name=\"a\" mass=\"1\" com=\"0 0 0\" inertia=\"1 1 1\"/>"
        "<joint name=\"j\" type=\"free\" a=\"ground\" b=\"a\"/></vehicle>");
  for (const char* name : {"kind_a.tir", "kind_b.tir", "kind_c.tir", "kind_e.tir"})
    write(name, "1");
  write("kind_d.xml",
        "<vehicle name=\"d\" version=\"1\"><tyre name=\"d\" file=\"kind_e.tir\"/></vehicle>");
  const auto print = [&](const std::string& varied, const std::vector<std::string>& words) {
    const Study study = read_study_text(
        "<study name=\"s\" version=\"1\" vehicle=\"kinds.xml\">" + varied + kResponse + "</study>",
        folder + "study.xml");
    return fingerprint(study, make_design(study), words, {}, {"y"}, "p");
  };
  const std::string kinds = "<vary element=\"kind\" attribute=\"value\" values=\"a b\"/>";
  const std::string masses = "<vary element=\"a\" attribute=\"mass\" values=\"1 2\"/>";
  const std::string counts = "<vary element=\"count\" attribute=\"value\" values=\"1 2\"/>";
  const std::vector<std::string> none;
  for (const auto& [file, varied, words] :
       {std::tuple("kind_a.tir", kinds, none), std::tuple("kind_b.tir", kinds, none),
        std::tuple("kind_c.tir", masses, std::vector<std::string>{"--set", "kind.value=c"}),
        std::tuple("kind_e.tir", counts, none)}) {
    const std::uint64_t before = print(varied, words);
    write(file, "2");
    EXPECT_NE(print(varied, words), before) << file;
    write(file, "1");
  }
}

// A number that reaches an element twice is told with the element's name.
TEST(StudyFiles, PatternsThatMeetInAnElementAreRefused) {
  const std::string models = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/models/";
  const auto complaint_of = [&](const std::string& varied) {
    const Study study = read_study_text(
        "<study name=\"s\" version=\"1\" vehicle=\"sedan.xml\">" + varied + kResponse + "</study>",
        models + "study.xml");
    try {
      check_vehicle(study, make_design(study), {});
    } catch (const ModelError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(complaint_of("<vary element=\"spring_fl spring_f*\" attribute=\"k\" factor=\"yes\" "
                           "values=\"1.1\" as=\"a\"/>"),
              testing::HasSubstr("multiplies 'spring_fl' by 'spring_fl' and by 'spring_f*'"));
  EXPECT_THAT(complaint_of("<vary element=\"spring_f*\" attribute=\"k\" values=\"4e4\" as=\"a\"/>"
                           "<vary element=\"*g_fl\" attribute=\"k\" values=\"5e4\" as=\"b\"/>"),
              testing::HasSubstr("replaces what 'a' varies of 'spring_fl'"));
  // the same number by two names
  EXPECT_THAT(complaint_of(
                  "<vary element=\"driveline\" attribute=\"torque\" values=\"1\" as=\"a\"/>"
                  "<vary element=\"driveline.point\" attribute=\"torque\" values=\"2\" as=\"b\"/>"),
              testing::HasSubstr("replaces what 'a' varies of 'driveline'"));
  EXPECT_EQ(complaint_of("<vary element=\"spring_fl spring_r*\" attribute=\"k\" factor=\"yes\" "
                         "values=\"1.1\" as=\"a\"/>"),
            "");
}

// a_x is met by both, and has no mass
TEST(StudyFiles, PatternsMeetWhereTheAttributeIs) {
  const std::string folder = testing::TempDir();
  std::ofstream(folder + "meet.xml")
      << "<mechanism name=\"meet\" version=\"1\"><body name=\"a_m\" mass=\"1\" com=\"0 0 0\" "
         "inertia=\"1 1 1\"/><body name=\"b_x\" mass=\"1\" com=\"0 0 0\" inertia=\"1 1 1\"/>"
         "<joint name=\"a_x\" type=\"free\" a=\"ground\" b=\"a_m\"/>"
         "<joint name=\"j\" type=\"free\" a=\"ground\" b=\"b_x\"/></mechanism>";
  const Study study = read_study_text(
      "<study name=\"s\" version=\"1\" vehicle=\"meet.xml\">"
      "<vary element=\"a_*\" attribute=\"mass\" values=\"2\" as=\"a\"/>"
      "<vary element=\"*_x\" attribute=\"mass\" values=\"3\" as=\"b\"/>" +
          kResponse + "</study>",
      folder + "study.xml");
  EXPECT_NO_THROW(check_vehicle(study, make_design(study), {}));
}

TEST(StudyFiles, APrintChangesWithFilesThatAreValuesOrAreReadUnderAnotherName) {
  const std::string folder = testing::TempDir();
  const auto write = [&](const std::string& name, const std::string& text) {
    std::ofstream(folder + name) << text;
  };
  write("one.tir", "1");
  write("two.tir", "2");
  write("mine.xml", "<manoeuvre/>");
  const Study study = read_study_text(
      "<study name=\"s\" version=\"1\" vehicle=\"car.xml\"><vary element=\"touring\" "
      "attribute=\"file\" values=\"one.tir two.tir\"/>" +
          kResponse + "</study>",
      folder + "study.xml");
  const Design design = make_design(study);
  const auto print = [&](const std::vector<std::string>& words) {
    return fingerprint(study, design, words, {folder + "mine.xml"}, {"b"}, "p");
  };
  const std::vector<std::string> set{"--set", "x.file=set.tir"};
  std::uint64_t before = print({});
  EXPECT_EQ(print({}), before);
  write("two.tir", "3");
  EXPECT_NE(print({}), before);
  before = print({});
  write("mine.xml", "<manoeuvre name=\"mine\"/>");
  EXPECT_NE(print({}), before);
  write("set.tir", "1");
  before = print(set);
  write("set.tir", "2");
  EXPECT_NE(print(set), before);
}

TEST(StudyFiles, ANameThatIsNoneAndANumberOutOfRangeAreFoundBeforeTheFirstSample) {
  const std::string models = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/models/";
  const auto complaint_of = [&](const std::string& varied) {
    const Study study = read_study_text("<study name=\"s\" version=\"1\" vehicle=\"sedan.xml\">\n" +
                                            varied + kResponse + "</study>",
                                        models + "study.xml");
    try {
      check_vehicle(study, make_design(study), {});
    } catch (const ModelError& error) {
      return std::string(error.what());
    }
    return std::string("no complaint");
  };
  EXPECT_EQ(complaint_of("<vary element=\"chasis\" attribute=\"mass\" values=\"1300\"/>"),
            models +
                "study.xml:2: element 'chasis': is to be changed but there is no such element, "
                "nearest known name is 'chassis'");
  const std::string negative =
      complaint_of("<vary element=\"chassis\" attribute=\"mass\" values=\"1300 -5 1400\"/>");
  EXPECT_EQ(negative.rfind(models + "study.xml:2: element 'chassis'", 0), 0U) << negative;
  EXPECT_NE(negative.find("-5"), std::string::npos) << negative;
}

// A study beside another folder than its vehicle's: names of files are beside the study.
TEST(StudyFiles, APrintChangesWithFilesBesideTheStudy) {
  const std::string folder = testing::TempDir();
  const std::string beside = folder + "print_beside/";
  std::filesystem::create_directory(beside);
  const auto write = [](const std::string& path, const std::string& text) {
    std::ofstream(path) << text;
  };
  write(folder + "print_car.xml",
        "<vehicle name=\"v\" version=\"1\"><tyre name=\"touring\" file=\"print_own.tir\"/>"
        "<body name=\"a\" mass=\"1\" com=\"0 0 0\" inertia=\"1 1 1\"/>"
        "<joint name=\"j\" type=\"free\" a=\"ground\" b=\"a\"/></vehicle>");
  write(folder + "print_own.tir", "1");
  write(beside + "other.tir", "1");
  const Study study = read_study_text(
      "<study name=\"s\" version=\"1\" vehicle=\"../print_car.xml\"><vary element=\"touring\" "
      "attribute=\"file\" values=\"../print_own.tir ./other.tir\"/>" +
          kResponse + "</study>",
      beside + "study.xml");
  const Design design = make_design(study);
  for (const std::string& file : {folder + "print_own.tir", beside + "other.tir"}) {
    const std::uint64_t before = fingerprint(study, design, {}, {}, {"y"}, "p");
    write(file, "2");
    EXPECT_NE(fingerprint(study, design, {}, {}, {"y"}, "p"), before) << file;
  }
}

std::string trouble_of_sedan(const std::string& varied, const std::vector<std::string>& words) {
  const Study study = read_study_text(
      "<study name=\"s\" version=\"1\" vehicle=\"sedan.xml\">" + varied + kResponse + "</study>",
      std::string(SEMIREC_SOURCE_DIR) + "/vehicles/models/study.xml");
  try {
    check_vehicle(study, make_design(study), words);
  } catch (const ModelError& error) {
    return error.what();
  }
  return {};
}

// each value goes with some others: cars in which they do not go together fail by themselves,
// whichever stands first
TEST(StudyFiles, ValuesThatGoWithSomeOthersAreGood) {
  for (const char* idle : {"80 660", "660 80"})
    for (const char* most : {"640 690", "690 640"})
      EXPECT_EQ(trouble_of_sedan(std::string("<vary element=\"driveline\" "
                                             "attribute=\"idle_speed\" values=\"") +
                                     idle +
                                     "\" as=\"a\"/><vary element=\"driveline\" "
                                     "attribute=\"max_speed\" values=\"" +
                                     most + "\" as=\"b\"/>",
                                 {}),
                "")
          << idle << ", " << most;
  // bushings are there in one of the forms
  for (const char* forms : {"bushing ideal", "ideal bushing"})
    EXPECT_EQ(trouble_of_sedan(
                  std::string("<vary element=\"form\" attribute=\"value\" values=\"") + forms +
                      "\" as=\"f\"/><vary element=\"front_bushing*\" "
                      "attribute=\"stiffness\" factor=\"yes\" values=\"1 2\" as=\"k\"/>",
                  {}),
              "")
        << forms;
  // or in the car of a response
  const std::string stiffness =
      "<vary element=\"front_bushing*\" attribute=\"stiffness\" factor=\"yes\" values=\"1 2\"/>";
  EXPECT_EQ(trouble_of_sedan(stiffness, {"--set", "form.value=bushing"}), "");
  EXPECT_THAT(trouble_of_sedan(stiffness, {}), testing::HasSubstr("no such element"));
}

TEST(StudyFiles, WhatAResponseReplacesIsNotVaried) {
  const std::string mass =
      "<vary element=\"chassis\" attribute=\"mass\" values=\"1300 1400\" as=\"m\"/>";
  EXPECT_THAT(trouble_of_sedan(mass, {"--set", "chassis.mass=2000"}),
              testing::HasSubstr("varies 'chassis', which a response replaces by --set "
                                 "chassis.mass=2000"));
  EXPECT_THAT(
      trouble_of_sedan(mass, {"--set", "spring_fl.k=21000", "chassis.mass=2000", "--until"}),
      testing::HasSubstr("varies 'chassis'"));
  EXPECT_EQ(trouble_of_sedan(mass, {"--set", "spring_fl.k=2000"}), "");
  EXPECT_EQ(trouble_of_sedan("<vary element=\"chassis\" attribute=\"mass\" factor=\"yes\" "
                             "values=\"1 1.1\" as=\"m\"/>",
                             {"--set", "chassis.mass=2000"}),
            "");
}

TEST(Studies, MayMultiplyWhatAnotherVaries) {
  EXPECT_EQ(complaint(kVary +
                      "<vary element=\"a*\" attribute=\"mass\" factor=\"yes\" values=\"1 2\" "
                      "as=\"m\"/>" +
                      kResponse),
            "no complaint");
}

}  // namespace
}  // namespace semirec
