// A file that is expanded once and loaded with many overrides gives what reading it anew gives, to
// the bit and to the letter.

#include "vehicles/files/xml/expanded_file.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "vehicles/files/xml/expansion.hpp"
#include "vehicles/files/xml/expansion_record.hpp"
#include "vehicles/files/xml/overrides.hpp"

namespace semirec::test {
namespace {

const std::vector<std::string> kRoots{"vehicle", "mechanism"};
const std::filesystem::path kModels = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/models";

/// The bits of the numbers in an attribute, or what is wrong with them.
std::string bits_of(const Attribute& attribute, const Scope& scope) {
  std::vector<double> numbers = attribute.numbers;
  try {
    if (numbers.empty()) numbers = parse_numbers(attribute.value, scope);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  std::string text;
  for (const double number : numbers)
    text += std::to_string(std::bit_cast<std::uint64_t>(number)) + ' ';
  return text;
}

void put(const Element& element, std::string& out) {
  const auto put_place = [&](const Source& source) {
    out += "@" + source.file + ":" + std::to_string(source.line) + " ";
  };
  out += "<" + element.kind + " " + element.name + " " + element.label;
  put_place(element.source);
  for (const Attribute& attribute : element.attributes) {
    out += "\n  " + attribute.name + "=" + attribute.value;
    put_place(attribute.source);
    if (element.row->find(attribute.name)->holds_numbers())
      out += bits_of(attribute, *element.scope);
  }
  for (const Element& child : element.children) put(child, out);
  out += element.mirrored ? "mirrored>\n" : ">\n";
}

/// All that a document says, or what is wrong with it.
template <typename Load>
std::string outcome_of(const Load& load) {
  std::string out;
  try {
    const Document document = load();
    put(document.root, out);
    for (const Element& element : document.elements) put(element, out);
    for (const Element& parameter : document.parameters) put(parameter, out);
    for (const std::string& file : document.files) out += file + "\n";
    for (const std::string& note : document.notes) out += note + "\n";
  } catch (const ModelError& error) {
    out += error.what();
  }
  return out;
}

/// One file, loaded both ways.
class BothWays {
 public:
  explicit BothWays(std::string path) : path_(std::move(path)), file_(path_, kRoots) {}

  void compare(const std::vector<Override>& overrides) const {
    std::string given;
    for (const Override& one : overrides)
      given += one.element + "." + one.attribute + "=" + one.value + " ";
    EXPECT_EQ(outcome_of([&] { return file_.load(overrides); }),
              outcome_of([&] { return load_document(path_, kRoots, overrides); }))
        << path_ << " " << given;
  }
  /// Elements that loads with these overrides share with the file without any.
  std::size_t count_shared(const std::vector<Override>& overrides) const {
    const Document plain = file_.load({});
    const Document changed = file_.load(overrides);
    std::size_t count = 0;
    for (std::size_t k = 0; k < plain.elements.size(); ++k)
      if (&plain.elements[k] == &changed.elements[k]) ++count;
    return count;
  }
  const ExpandedFile& file() const { return file_; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  ExpandedFile file_;
};

/// Parameters and arguments as overrides call them; none where the file cannot be read.
std::vector<std::string> find_parameters(const std::string& path) {
  OverrideSet none({});
  try {
    expand_file(path, kRoots, none);
  } catch (const ModelError&) {
    return {};
  }
  return none.parameters();
}

BothWays write(const std::string& content, const std::string& root_attributes = "") {
  const auto path = std::filesystem::path(testing::TempDir()) /
                    (std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) +
                     std::to_string(std::hash<std::string>()(content)) + ".xml");
  std::ofstream(path) << "<vehicle name=\"car\" version=\"1\" " + root_attributes + ">\n" +
                             content + "\n</vehicle>";
  return BothWays(path.string());
}

Override value_of(const std::string& parameter, const std::string& value) {
  return {parameter, "value", value, {}};
}

std::vector<std::filesystem::path> find_models() {
  std::vector<std::filesystem::path> models;
  for (const auto& entry : std::filesystem::directory_iterator(kModels))
    if (entry.path().extension() == ".xml") models.push_back(entry.path());
  std::sort(models.begin(), models.end());
  return models;
}

TEST(ExpandedFile, GivesEveryShippedVehicleWithAnyParameterChanged) {
  std::mt19937 random(7);
  std::size_t parameters = 0;
  for (const auto& model : find_models()) {
    const BothWays both(model.string());
    both.compare({});
    std::vector<std::string> names = find_parameters(model.string());
    std::shuffle(names.begin(), names.end(), random);
    parameters += names.size();
    std::vector<Override> overrides;
    for (const std::string& name : names) {
      const double factor = std::uniform_real_distribution(0.9, 1.1)(random);
      // words refuse a factor: they are told
      overrides.push_back(value_of(name, "*" + std::to_string(factor)));
      if (random() % 6 != 0 && name != names.back()) continue;
      overrides.push_back({"chassis", "mass", "*1.1", {}});
      both.compare(overrides);
      overrides.clear();
    }
  }
  EXPECT_GT(parameters, 500U);
}

TEST(ExpandedFile, TellsTheSameOfWhatIsWrong) {
  std::mt19937 random(11);
  const std::vector<std::string> hostile{"ideal",     "1 2 3",   "*-3",    "",    "{side}",
                                         "{no_such}", "{1/0}",   "1e999",  "0",   "*x",
                                         "3 mm",      "bushing", "*1e300", "1,5", "{2"};
  for (const auto& model : find_models()) {
    const BothWays both(model.string());
    const std::vector<std::string> names = find_parameters(model.string());
    if (names.empty()) continue;
    for (int k = 0; k < 12; ++k)
      both.compare({value_of(names[random() % names.size()], hostile[random() % hostile.size()])});
    both.compare({value_of("no_such_parameter", "1")});
    both.compare({value_of(names.front(), "*1"), {"chassis", "no_such", "1", {}}});
    both.compare({{"chassis", "mass", "*-1", {}}, value_of(names.back(), "*1")});
  }
}

TEST(ExpandedFile, SharesWhatANumberLeavesAlone) {
  const BothWays sedan((kModels / "sedan.xml").string());
  const std::size_t all = sedan.file().load({}).elements.size();
  EXPECT_EQ(sedan.count_shared({}), all);
  const std::size_t shared = sedan.count_shared({value_of("damping_fl", "*1.2")});
  EXPECT_LT(shared, all);
  EXPECT_GE(shared, all - 3);
  EXPECT_EQ(sedan.count_shared({{"chassis", "mass", "*1.2", {}}}), all - 1);
  EXPECT_EQ(sedan.count_shared({{"chassis", "mass", "{2*600}", {}}}), all - 1);
}

const std::string kBody =
    R"(<body name="chassis" chassis="yes" mass="{m}" com="0 0 0.5" inertia="300 900 1000"/>
  <joint name="chassis_joint" type="free" a="ground" b="chassis"/>)";

TEST(ExpandedFile, FollowsValuesFromParameterToParameter) {
  const BothWays both = write(R"(<parameter name="a" value="2"/>
  <point name="p" value="{a} {2*a} 0"/>
  <parameter name="m" value="{p.x + distance(p, 2*p)}"/>)" +
                                  kBody,
                              "gravity=\"0 0 {-5*a}\"");
  for (const char* value : {"3", "*2", "-3", "1 2 3", "word", "{m}", "{side}", "*{side + 1}"})
    both.compare({value_of("a", value)});
  both.compare({value_of("p", "1 2 3")});
  both.compare({value_of("p", "1")});
  both.compare({value_of("*", "4")});
  both.compare({value_of("a", "5"), value_of("m", "*3"), value_of("m", "*2")});
  both.compare({value_of("a", "5"), {"chassis", "mass", "*2", {}}});
  both.compare({value_of("a", "5"), {"chassis", "mass", "{7*a}", {}}});
}

TEST(ExpandedFile, AsksConditionsAnew) {
  const BothWays both = write(R"(<parameter name="k" value="2"/>
  <parameter name="m" value="100"/>
  <parameter name="twice" value="{2*k}"/>)" +
                              kBody + R"(
  <marker name="tip" body="chassis" point="{k} 0 0" when="twice &lt; 5"/>)");
  for (const char* value : {"2.1", "3", "-1", "few"}) both.compare({value_of("k", value)});
  both.compare({value_of("m", "5")});
}

TEST(ExpandedFile, KeepsToTheKindOfADefault) {
  const BothWays both = write(R"(<parameter name="k" value="2"/>
  <parameter name="m" value="100"/>
  <template name="tip">
    <argument name="x" default="{1/k}"/>
    <argument name="y" default="{x}"/>
    <marker name="tip" body="chassis" point="{x} {y} 0"/>
  </template>)" + kBody + R"(
  <use template="tip" name="a"><with name="x" value="{m}"/></use>
  <use template="tip" name="b"/>)");
  for (const char* value : {"3", "0", "word", "1 2 3"}) {
    both.compare({value_of("k", value)});
    both.compare({value_of("m", value)});
    both.compare({value_of("x_a", value)});
    both.compare({value_of("x_*", value)});
    both.compare({value_of("k", value), value_of("x_b", "3")});
  }
}

// a name that a template takes after it has looked it up in the file
TEST(ExpandedFile, ReadsWordsAsTheyWereMeant) {
  const BothWays both = write(R"(<parameter name="m" value="100"/>
  <parameter name="k" value="2"/>
  <template name="tip">
    <argument name="m" default="{m}"/>
    <parameter name="own" value="{k}"/>
    <parameter name="k" value="7"/>
    <marker name="tip" body="chassis" point="{m} {own} {k}"/>
  </template>)" + kBody + R"(
  <use template="tip" name="a"><with name="m" value="{k}"/></use>
  <use template="tip" name="b"/>)");
  for (const char* name : {"m", "k", "k_a", "k_b", "own_a", "m_a", "m_b", "k*", "*"})
    for (const char* value : {"3", "*2", "{k}", "{own}"}) both.compare({value_of(name, value)});
}

TEST(ExpandedFile, FindsFaultsThatOverridesMakeAndMend) {
  const BothWays both = write(R"(<parameter name="m" value="-100"/>
  <parameter name="axis" value="1"/>)" +
                              kBody + R"(
  <joint name="axle" type="revolute" a="ground" b="chassis" point="0 0 0" axis="0 {axis} 0"/>)");
  both.compare({});
  both.compare({value_of("m", "100")});
  both.compare({value_of("m", "100"), value_of("axis", "1.1")});
  both.compare({value_of("axis", "1.1")});
  both.compare({{"chassis", "mass", "100", {}}});
}

// A factor makes of a parameter or an argument that many times what is drawn, once, however often
// uses pass it on under its name.

/// Numbers of all elements, or what is wrong with the file.
template <typename Load>
std::string numbers_of(const Load& load) {
  std::string out;
  const auto put_numbers = [&](const auto& self, const Element& element) -> void {
    out += "\n" + element.kind + " " + element.name;
    for (const Attribute& attribute : element.attributes)
      if (element.row->find(attribute.name)->holds_numbers())
        out += " " + attribute.name + "=" + bits_of(attribute, *element.scope);
    for (const Element& child : element.children) self(self, child);
  };
  try {
    const Document document = load();
    for (const Element& element : document.elements) put_numbers(put_numbers, element);
  } catch (const ModelError&) {
    out = "refused";
  }
  return out;
}

/// Number or three numbers of a point as words; empty for a word.
std::string times(double factor, const Value& value) {
  if (const auto* number = std::get_if<double>(&value)) return shortest_digits(factor * *number);
  const auto* point = std::get_if<Eigen::Vector3d>(&value);
  if (point == nullptr) return {};
  std::string words;
  for (const double number : *point) words += shortest_digits(factor * number) + " ";
  return words;
}

/// A parameter or argument as overrides call it.
struct Drawn {
  Value value;
  std::string origin;  ///< where it and what it is passed on to are written
};

/// Of the names that stand for one value.
std::map<std::string, Drawn> find_drawn_values(const std::string& path) {
  ExpansionRecord record;
  expand_file(path, kRoots, record);
  std::map<std::string, Drawn> drawn;
  std::set<std::string> several;
  for (const Definition& definition : record.definitions) {
    const Value& value = *definition.scope->find(definition.name());
    Drawn& known = drawn.emplace(definition.called, Drawn{value, definition.called}).first->second;
    if (!(known.value == value)) several.insert(definition.called);
    const Source& source = definition.element.source;
    known.origin += " " + source.file + ":" + std::to_string(source.line);
  }
  for (const std::string& name : several) drawn.erase(name);
  return drawn;
}

/// Compares on one file, by a fresh reading (`--set`) and by the file that is expanded once (a
/// sweep), what no file before has written; returns how many values were multiplied.
int compare_factors_with_values(const std::string& path, double factor,
                                std::set<std::string>& compared) {
  const ExpandedFile file(path, kRoots);
  int multiplied = 0;
  for (const auto& [name, drawn] : find_drawn_values(path)) {
    const std::string words = times(factor, drawn.value);
    if (words.empty() || !compared.insert(drawn.origin).second) continue;
    const std::vector<Override> by_factor{value_of(name, "*" + shortest_digits(factor))};
    const std::vector<Override> by_value{value_of(name, words)};
    const std::string expected = numbers_of([&] { return file.load(by_value); });
    EXPECT_EQ(numbers_of([&] { return file.load(by_factor); }), expected) << path << " " << name;
    EXPECT_EQ(numbers_of([&] { return load_document(path, kRoots, by_factor); }), expected)
        << path << " " << name;
    if (expected != "refused") ++multiplied;
  }
  return multiplied;
}

/// Uses of the templates that no shipped vehicle uses, with what they must be given.
const std::string kOtherTemplates = R"(
  <template name="corner">
    <use template="wheel_end"/>
    <use template="five_link"/>
  </template>
  <template name="strut_corner">
    <use template="wheel_end"/>
    <use template="macpherson"/>
  </template>
  <use template="corner" name="rl"/>
  <use template="corner" name="rr" mirror="yes"/>
  <use template="strut_corner" name="fl"/>
  <use template="strut_corner" name="fr" mirror="yes"/>
  <use template="solid_axle" name="beam"/>
  <use template="pitman_arm"/>
  <use template="subframe" name="sub"/>
  <use template="subframe" name="soft"><with name="form" value="bushing"/></use>
  <use template="relaxing_spring" name="rubber">
    <with name="a" value="chassis"/><with name="b" value="engine"/>
    <with name="point_a" value="0 0 1"/><with name="point_b" value="0 0 0.5"/>
    <with name="k" value="1e5"/><with name="k_fast" value="5e4"/><with name="time" value="0.1"/>
  </use>
  <use template="hydromount" name="mount">
    <with name="a" value="chassis"/><with name="b" value="engine"/>
    <with name="point_a" value="0 1 1"/><with name="point_b" value="0 1 0.5"/>
    <with name="k" value="1e5"/><with name="k_fluid" value="5e4"/>
    <with name="m_fluid" value="20"/><with name="c_fluid" value="500"/>
  </use>
  <use template="air_spring" name="air">
    <with name="a" value="chassis"/><with name="b" value="engine"/>
    <with name="point_a" value="0 2 1"/><with name="point_b" value="0 2 0.5"/>
    <with name="preload" value="5000"/>
  </use>)";

std::string include_templates(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names)
    text += "<include file=\"" + (kModels / "templates" / (name + ".xml")).string() + "\"/>";
  return text;
}

TEST(ExpandedFile, AFactorIsThatManyTimesTheDrawnValue) {
  constexpr double kFactor = 1.37;
  std::set<std::string> compared;
  int multiplied = 0;
  for (const auto& model : find_models())
    if (!find_parameters(model.string()).empty())
      multiplied += compare_factors_with_values(model.string(), kFactor, compared);
  EXPECT_GT(multiplied, 500);
  const BothWays others = write("<parameter name=\"m\" value=\"1000\"/>" + kBody +
                                include_templates({"five_link", "macpherson", "solid_axle",
                                                   "pitman_arm", "subframe", "lagging_springs"}) +
                                kOtherTemplates);
  EXPECT_GT(compare_factors_with_values(others.path(), kFactor, compared), 200);
}

const Element& named(const Document& document, const std::string& name) {
  for (std::size_t k = 0; k < document.elements.size(); ++k)
    if (document.elements[k].name == name) return document.elements[k];
  throw std::out_of_range(name);
}

// rim_mass of the wheel end goes on to its rim under the same name; without any of these overrides
// the rim has 20 kg and the wheels stand upright
TEST(ExpandedFile, AFactorIsAppliedOnceToWhatIsPassedOn) {
  const std::string corner =
      R"(<parameter name="m" value="1000"/>)" + kBody + include_templates({"parts"}) + R"(
  <template name="corner">
    <argument name="rim_mass" default="20"/>
    <parameter name="heavier" value="{rim_mass + 1}"/>
    <use template="wheel_end"><with name="rim_mass" value="{heavier - 1}"/></use>
  </template>
  <use template="corner" name="fl"/>)";
  const BothWays both = write(corner);
  const auto rim_mass = [&](const std::vector<Override>& overrides) {
    both.compare(overrides);
    const Document document = both.file().load(overrides);
    return named(document, "rim_fl").number("mass");
  };
  const auto value = [](const std::string& words) { return value_of("rim_mass_fl", words); };
  EXPECT_EQ(rim_mass({value("*2")}), 40.0);
  EXPECT_EQ(rim_mass({value("*2"), value("*3")}), 120.0);
  EXPECT_EQ(rim_mass({value("*2"), value("30")}), 30.0);
  EXPECT_EQ(rim_mass({value("30"), value("*2")}), 60.0);
  EXPECT_EQ(rim_mass({value_of("rim_mass_*", "*2")}), 40.0);
  EXPECT_EQ(rim_mass({value_of("rim_mass_*", "*2"), value("*3")}), 120.0);
  EXPECT_EQ(rim_mass({value("*2"), {"rim_fl", "mass", "*3", {}}}), 120.0);
}

/// A corner as vehicle_file.md writes it, of uses without names.
const std::string kStrutCorner =
    R"(<parameter name="m" value="1000"/>)" + kBody + include_templates({"macpherson"}) + R"(
  <template name="corner">
    <use template="wheel_end"/>
    <use template="macpherson"><with name="at" value="1.4 0 0"/></use>
    <use template="spring_unit">
      <with name="part" value="carrier"/>
      <with name="top" value="1.365 0.575 0.86"/>
      <with name="bottom" value="1.388 0.63 0.43"/>
    </use>
  </template>
  <use template="corner" name="fl"/>)";

// the value of a manoeuvre is a parameter of its file and an element, too
TEST(ExpandedFile, AFactorIsAppliedOnceToAValueOfAManoeuvre) {
  const std::string path = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/manoeuvres/coast_down.xml";
  const Document document = load_document(path, {"manoeuvre"}, {value_of("speed", "*1.5")});
  EXPECT_EQ(named(document, "speed").number("value"), 45.0);  // 30 as written
}

// the strut's is counted from `at`, the spring's is a point of the world: a name for each
TEST(ExpandedFile, TheTopsOfAStrutAndOfItsSpringAreTwoArguments) {
  const BothWays both = write(kStrutCorner);
  const Eigen::Vector3d top(1.365, 0.575, 0.86);
  const auto tops = [&](const Override& change) {
    both.compare({change});
    const Document document = both.file().load({change});
    EXPECT_TRUE(document.notes.empty());
    return std::pair(named(document, "strut_fl").point("point"),
                     named(document, "spring_fl").point("point_a"));
  };
  // in the drawn position both are at one place
  constexpr double kSum = 1e-15;
  const auto spring_moved = tops(value_of("top_fl", "1.3 0.5 0.9"));
  EXPECT_NEAR((spring_moved.first - top).norm(), 0.0, kSum);
  EXPECT_EQ(spring_moved.second, Eigen::Vector3d(1.3, 0.5, 0.9));
  const auto strut_moved = tops(value_of("strut_top_fl", "-0.1 0.5 0.9"));
  EXPECT_NEAR((strut_moved.first - Eigen::Vector3d(1.3, 0.5, 0.9)).norm(), 0.0, kSum);
  EXPECT_EQ(strut_moved.second, top);
}

TEST(ExpandedFile, AnArgumentByItsOldNameIsRefusedWithTheNewOne) {
  const BothWays both =
      write(kBody + include_templates({"macpherson"}) +
            R"(<use template="macpherson"><with name="top" value="0 0.5 0.9"/></use>)");
  EXPECT_NE(outcome_of([&] {
              return both.file().load({value_of("m", "1")});
            }).find("is no argument of template 'macpherson', nearest known name is 'strut_top'"),
            std::string::npos);
}

// The rack's argument follows the parameter, whichever of two changes it has in the end.
TEST(ExpandedFile, AValueThatIsReplacedLaterIsPassedOnNoLess) {
  const std::string path = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/models/sedan.xml";
  for (const char* last : {"0.012", "*1.1"})
    EXPECT_TRUE(load_document(path, {"vehicle", "mechanism"},
                              {value_of("pinion", "0.011"), value_of("pinion", last)})
                    .notes.empty())
        << last;
}

TEST(ExpandedFile, NotesANameOfSeveralValuesThatIsNotPassedOn) {
  const BothWays both = write(kStrutCorner);
  const auto notes = [&](const std::vector<Override>& overrides) {
    both.compare(overrides);
    return both.file().load(overrides).notes;
  };
  const std::vector<std::string> told = notes({value_of("frame_fl", "subframe")});
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(
      told[0].rfind("'frame_fl' is the name of 2 values that do not follow from each other", 0), 0U)
      << told[0];
  EXPECT_NE(told[0].find("macpherson.xml:"), std::string::npos) << told[0];
  EXPECT_NE(told[0].find("parts.xml:"), std::string::npos) << told[0];
  // as one of the command line, and as one of a scenario
  EXPECT_EQ(notes({{"frame_fl", "value", "subframe", {"--set", 0}}})[0].rfind("--set: '", 0), 0U);
  EXPECT_EQ(notes({{"frame_fl", "value", "subframe", {"a.xml", 3}}})[0].rfind("a.xml:3: '", 0), 0U);
  // the wheel end passes it on to its rim
  EXPECT_TRUE(notes({value_of("rim_mass_fl", "25")}).empty());
  EXPECT_TRUE(notes({value_of("rim_mass_fl", "*1.2"), value_of("rim_mass_fl", "*1.1")}).empty());
  // a word, too, is passed on by its name
  const BothWays word = write(include_templates({"parts"}) + R"(<parameter name="m" value="900"/>
  <parameter name="frame" value="ground"/>)" +
                              kBody + R"(
  <body name="arm" mass="1" com="0 0 0" inertia="1 1 1"/>
  <joint name="arm_joint" type="free" a="ground" b="arm"/>
  <use template="spring_unit"><with name="frame" value="{frame}"/><with name="part" value="arm"/>
    <with name="top" value="0 0 1"/><with name="bottom" value="0 0 0.5"/></use>)");
  word.compare({value_of("frame", "chassis")});
  EXPECT_TRUE(word.file().load({value_of("frame", "chassis")}).notes.empty());
  // who writes a pattern means them all
  EXPECT_TRUE(notes({value_of("frame_*", "subframe")}).empty());
}

}  // namespace
}  // namespace semirec::test
