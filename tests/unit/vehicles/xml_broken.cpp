#include <algorithm>
#include <filesystem>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "vehicles/files/xml/reader.hpp"

namespace semirec {
namespace {

/// One file with one defect: where the message must point, whom it must name, what it must say.
struct Broken {
  std::string file;
  int line;
  std::string element;  ///< empty where XML itself is broken
  std::string words;
};

const std::string kBrokenFiles = std::string(SEMIREC_SOURCE_DIR) + "/tests/data/broken/";

const std::vector<Broken>& table() {
  static const std::vector<Broken> entries{
      {"not_xml", 3, "", "not well-formed"},
      {"quote_not_closed", 3, "", "not well-formed"},
      {"empty_file", 1, "", "not well-formed"},
      {"name_in_latin_1", 2, "", "holds the byte \\xe9, which is no UTF-8"},
      {"null_reference", 3, "", "holds the reference '&#0;' to a character"},
      {"control_character", 3, "", "holds the control character \\x01"},
      {"two_roots", 6, "second", "<mechanism> is a second root beside <mechanism>"},
      {"wrong_root", 2, "broken",
       "<car> is the root of this file, expected <vehicle> or <mechanism>"},
      {"wrong_version", 2, "broken", "is of version '2', expected version 1"},
      {"no_version", 2, "broken", "attribute 'version' is missing"},
      {"root_without_name", 2, "mechanism", "attribute 'name' is missing"},
      {"bad_gravity", 2, "broken", "holds 1 numbers, expected 3"},
      {"no_body", 2, "broken", "has no body, expected at least one"},
      {"loose_text", 3, "broken", "loose text"},
      {"unknown_element", 4, "pin",
       "<jiont> is unknown inside <mechanism>, nearest known name is 'joint'"},
      {"child_as_attribute", 5, "coil",
       "unknown attribute 'stiffness', expected a child element <stiffness>"},
      {"attribute_of_a_child", 5, "coil",
       "unknown attribute 'free_length', expected it in a child element <stiffness "
       "free_length=\"...\">"},
      {"unknown_attribute", 3, "bob", "unknown attribute 'mas', nearest known name is 'mass'"},
      {"unknown_child", 6, "strut",
       "<dampping> is unknown inside <spring>, nearest known name is 'damping'"},
      {"body_without_name", 3, "body", "attribute 'name' is missing"},
      {"empty_name", 3, "body", "attribute 'name' is empty"},
      {"name_with_blank", 3, "big bob", "expected letters, digits"},
      {"body_called_ground", 3, "ground", "which is the fixed world"},
      {"name_twice", 4, "bob", "this name is used twice"},
      {"name_of_joint_and_body", 4, "bob", "this name is used twice"},
      {"dangling_body", 4, "pin",
       "refers to 'bbo', which does not exist, expected a body, nearest known name is 'bob'"},
      {"reference_to_other_kind", 5, "drive",
       "refers to 'bob', which is a <body>, expected a joint, nearest known name is 'pin'"},
      {"dangling_input", 5, "drive", "refers to 'sginal', which does not exist"},
      {"missing_reference", 4, "pin", "attribute 'b' is missing"},
      {"joint_with_itself", 4, "pin", "connects a body with itself"},
      {"attached_not_yes_no", 5, "grip", "is 'maybe', expected"},
      {"attached_in_tree", 5, "grip", "expected no placement=\"tree\""},
      {"attached_is_all_that_holds", 3, "bob", "expected"},
      {"missing_mass", 3, "bob", "attribute 'mass' is missing"},
      {"mass_zero", 3, "bob", "attribute 'mass' is 0, expected a number above zero"},
      {"mass_negative", 3, "bob", "attribute 'mass' is -1, expected a number above zero"},
      {"mass_with_unit", 3, "bob", "is '12 kg', which carries a unit"},
      {"mass_with_glued_unit", 3, "bob", "is '12kg', which carries a unit"},
      {"mass_not_a_number", 3, "bob", "which is not a number"},
      {"mass_nan", 3, "bob", "is 'nan', which is not finite"},
      {"com_infinite", 3, "bob", "which is not finite"},
      {"mass_out_of_range", 3, "bob", "which is out of range"},
      {"decimal_comma", 3, "bob", "which has a comma, expected a decimal point"},
      {"comma_in_expression", 3, "bob", "whose expression has a comma"},
      {"two_numbers_for_com", 3, "bob", "holds 2 numbers, expected 3"},
      {"four_numbers_for_point", 4, "pin", "holds 4 numbers, expected 3"},
      {"vector_with_unit", 3, "bob", "which carries a unit"},
      {"inertia_negative", 3, "bob", "negative principal value"},
      {"products_too_large", 3, "bob", "negative principal value"},
      {"rod_without_length", 3, "bob", "is the point 'from'"},
      {"line_of_attribute", 6, "pin", "has the length 2, expected a unit vector"},
      {"unknown_parameter", 4, "bob", "unknown name 'masss', nearest known name is 'mass'"},
      {"brace_not_closed", 3, "bob", "whose brace is not closed"},
      {"expression_with_error", 3, "bob", "whose expression cannot be evaluated"},
      {"assignment_in_expression", 4, "bob", "assigns by =, expected a value (== compares)"},
      {"division_by_zero", 3, "bob", "which is not finite"},
      {"parameter_twice", 4, "mass", "this name is used twice"},
      {"parameter_called_sin", 3, "sin", "expected letters, digits and underscores"},
      {"parameter_used_too_early", 3, "twice", "unknown name 'mass'"},
      {"unknown_joint_type", 4, "pin", "is 'hinge', expected fixed, revolute"},
      {"axis_zero", 4, "pin", "has the length 0, expected a unit vector"},
      {"axis_not_unit", 4, "pin", "has the length 1.41421, expected a unit vector"},
      {"axis_missing", 4, "pin", "attribute 'axis' is missing"},
      {"axis_on_spherical", 4, "pin", "attribute 'axis' stands on a spherical joint"},
      {"universal_axes_parallel", 4, "pin", "is not perpendicular to 'axis'"},
      {"universal_without_second_axis", 4, "pin", "attribute 'axis_b' is missing"},
      {"free_joint_with_point", 4, "pin", "attribute 'point' stands on a free joint"},
      {"free_joint_between_bodies", 4, "pin", "expected a=\"ground\""},
      {"two_values_for_one_coordinate", 4, "pin", "holds 2 numbers, expected 1"},
      {"flag_not_yes_or_no", 4, "pin", "is 'true', expected no or yes"},
      {"unknown_coordinate", 5, "drive",
       "is 'x' on the revolute joint 'pin', expected an index below 1 or angle"},
      {"driver_of_ball_rotation", 5, "drive", "has no angle"},
      {"body_not_connected", 4, "loose", "no chain of joints connects this body"},
      {"only_cuts_lead_to_body", 3, "bob", "only joints marked as cuts"},
      {"tree_closes_a_loop", 5, "pin_2", "must stay in the tree"},
      {"spring_without_force", 5, "strut", "has no force"},
      {"stiffness_without_length", 6, "strut",
       "attribute 'free_length' of <stiffness> is missing, expected it or 'preload'"},
      {"stiffness_with_both", 6, "strut", "stands beside 'free_length'"},
      {"stiffness_beside_law", 5, "strut", "has <stiffness> and <law>"},
      {"pieces_descend", 6, "strut", "attribute 'from' of <piece> does not ascend"},
      {"law_table_descends", 6, "strut", "descends"},
      {"law_table_of_one_point", 6, "strut", "has 1 point, expected at least two"},
      {"left_out_without_mass", 6, "more", "attribute 'mass' is missing"},
      {"left_out_child_without_k", 8, "strut", "attribute 'k' of <stiffness> is missing"},
      {"spring_stiffness_negative", 6, "strut",
       "attribute 'k' of <stiffness> is -100, expected a number not below zero"},
      {"spring_damping_negative", 6, "strut",
       "attribute 'c' of <damping> is -1, expected a number not below zero"},
      {"rotational_stiffness_negative", 5, "coil",
       "attribute 'stiffness' is -5, expected a number not below zero"},
      {"joint_damping_negative", 5, "drag",
       "attribute 'damping' is -0.1, expected a number not below zero"},
      {"stop_below_and_above", 5, "bump", "stands beside 'below'"},
      {"stop_without_limit", 5, "bump", "attribute 'below' is missing, expected it or 'above'"},
      {"bushing_with_three_numbers", 5, "bush", "holds 3 numbers, expected 6"},
      {"bushing_relaxing_without_time", 5, "bush", "attribute 'relaxation_time' is missing"},
      {"bushing_relaxing_in_no_time", 6, "bush", "is 0, expected a number above zero"},
      {"bushing_relaxing_negative", 5, "bush", "is negative or not finite"},
      {"bushing_time_of_nothing", 5, "bush", "attribute 'relaxing_stiffness' is missing"},
      {"force_on_ground", 5, "push", "is the ground, expected a body that can move"},
      {"limits_reversed", 5, "limit", "is not above 'lower'"},
      {"table_without_slope", 6, "signal", "<table> has a slope that is not finite"},
      {"number_too_large", 3, "bob", "which is too large to calculate with"},
      {"input_with_two_functions", 7, "signal", "has <ramp> beside <constant>"},
      {"sine_without_frequency", 6, "signal", "attribute 'frequency' of <sine> is missing"},
      {"wheel_without_radius", 5, "wheel", "attribute 'radius' is missing"},
      {"wheel_radius_negative", 5, "wheel", "is -0.3, expected a number above zero"},
      {"wheel_friction_without_tyre", 5, "wheel", "'friction_scale' has no law to scale"},
      {"wheel_friction_of_linear_tyre", 7, "wheel", "and a linear one has none, expected none"},
      {"bushing_axes_oblique", 5, "rubber", "attribute 'axis_x' is not perpendicular to 'axis'"},
      {"aero_without_force", 5, "air", "has no force, expected 'drag', 'side', 'lift_front'"},
      {"wheel_turning_without_tyre", 5, "wheel", "'turning_friction' is for tyres that roll"},
      {"wheel_axle_upright", 5, "wheel", "is upright"},
      {"wheel_rim_on_another_body", 10, "wheel",
       "attribute 'rim' turns by joint 'axle' about 'bob', expected a joint to the body that "
       "carries the wheel, 'carrier'"},
      {"spring_axis_off_the_hinge", 5, "bar",
       "'axis' lies 1.5708 rad off the axis of joint 'hinge', about which alone its bodies turn"},
      {"spring_axis_off_a_plane_of_hinges", 7, "bar",
       "'axis' lies 1.5708 rad off the axes of joints 'hinge' and 'other', about which alone"},
      {"spring_axis_off_two_hinges", 7, "bar",
       "'axis' lies 1.5708 rad off the axis of joint 'hinge', about which alone its bodies turn"},
      {"wheel_axle_off_its_rim", 8, "wheel",
       "rad off the axis of joint 'axle', about which the rim turns, expected at most 0.01 rad"},
      {"wheel_without_coefficients", 5, "wheel", "without coefficients"},
      {"unknown_tyre", 5, "wheel", "expected none, calspan or the name of a <tyre>"},
      {"tyre_without_law", 7, "t", "has not one law, expected file="},
      {"tyre_of_two_laws", 7, "t", "has not one law, expected file="},
      {"tyre_file_missing", 7, "t", "nowhere.tir' is no file, expected a tyre property file"},
      {"tyre_without_rim", 8, "wheel", "attribute 'rim' is missing, expected the body that spins"},
      {"tyre_beside_radius", 8, "wheel", "attribute 'radius' stands beside a tyre with a law"},
      {"tyre_not_registered", 7, "t", "is 'mine', which is not registered, expected a tyre that"},
      {"tyre_radius_in_mm", 7, "t",
       "attribute 'radius' of <linear> is 300, expected a number from 0.01 to 5"},
      {"tyre_number_negative", 7, "t", "is -1, expected a number above zero"},
      {"two_chassis", 4, "bib", "is 'yes' on a second body"},
      {"include_missing", 3, "include", "nowhere.xml' cannot be read"},
      {"include_circle", 3, "include", "includes itself in a circle"},
      {"include_without_file", 3, "include", "attribute 'file' is missing"},
      {"unknown_template", 8, "left",
       "expected a template that is written above, nearest known name is 'arm'"},
      {"argument_missing", 8, "left", "gives no value for the argument 'x'"},
      {"argument_unknown", 8, "y", "is no argument of template 'arm', nearest known name is 'x'"},
      {"argument_twice", 8, "x", "this name is used twice"},
      {"template_twice", 8, "arm", "this template is written twice"},
      {"template_inside_itself", 5, "again", "inside itself"},
      {"use_twice_with_one_name", 5, "bar_left", "this name is used twice"},
      {"error_inside_template", 4, "bar_left", "expected a number above zero"},
      {"dangling_inside_template", 5, "bar_pin_left",
       "refers to 'baar', which does not exist, expected a body, nearest known name is 'bar_left'"},
      {"mirror_not_yes_or_no", 8, "left", "is 'left', expected no or yes"},
      {"point_unknown", 4, "bob", "unknown name 'hud', nearest known name is 'hub'"},
      {"point_of_two_numbers", 3, "hub", "which is 2 numbers, expected one, three of a point"},
      {"point_that_is_a_number", 3, "hub",
       "is the number 6, expected the three numbers of a point"},
      {"component_of_number", 4, "bob",
       "component 'x' of 'mass', which is the number 2, expected a point"},
      {"component_unknown", 4, "bob", "component 'w' of the point 'hub', expected x, y or z"},
      {"point_for_number", 4, "bob", "which is a point, expected a number"},
      {"point_beside_number", 4, "bob", "holds 4 numbers, expected 3"},
      {"word_for_number", 4, "bob", "which is not a number, expected one"},
      {"word_in_expression", 4, "bob",
       "uses 'form', which is the word 'ideal', expected a number or a point"},
      {"word_unknown_as_reference", 4, "pin", "refers to '{frame}', which does not exist"},
      {"unit_of_nothing", 5, "pin", "unit of a vector without length"},
      {"distance_of_one_point", 4, "bob", "gives 'distance' 1 arguments, expected 2"},
      {"cross_not_closed", 4, "bob", "does not close the bracket of 'cross'"},
      {"parameter_called_cross", 3, "cross", "expected letters, digits and underscores"},
      {"parameter_of_two_numbers", 3, "mass", "which is 2 numbers, expected one, three of a point"},
      {"when_without_comparison", 5, "pin", "which compares nothing, expected a condition"},
      {"when_empty", 4, "pin", "attribute 'when' is '', which ends too early"},
      {"when_unknown_name", 5, "pin", "uses the unknown name 'from', nearest known name is 'form'"},
      {"when_unknown_operator", 5, "pin", "which has '=!', expected one of = != < <= > >="},
      {"when_word_with_number", 5, "pin",
       "compares the word 'ideal' with the number 3, expected two of one kind"},
      {"when_words_ordered", 5, "pin", "orders words, expected = or !="},
      {"when_points_compared", 5, "pin", "compares points, expected numbers or words"},
      {"when_brace_not_closed", 4, "pin", "whose brace is not closed"},
      {"when_trailing_word", 5, "pin", "has 'also' after a comparison, expected and, or"},
      {"when_ends_with_and", 5, "pin", "ends too early"},
      {"when_on_template", 4, "t", "<template> has the unknown attribute 'when'"},
      {"argument_of_another_kind", 11, "tip",
       "is the number 5, expected a point as the default of this argument"},
      {"argument_not_a_choice", 11, "form", "is the word 'bushng', expected ideal or bushing"},
      {"argument_word_refers_to_nothing", 8, "bar_pin_left",
       "refers to 'chassis', which does not exist, expected a body"},
      {"default_not_a_choice", 5, "form", "is the word 'rigid', expected ideal or bushing"},
      {"templates_in_a_circle", 7, "b", "uses template 'one' inside itself"},
      {"input_of_nothing", 5, "rack", "refers to 'steering', which does not exist, expected an"},
      {"input_of_a_later_one", 5, "rack", "follows an input that is not written above it"},
      {"input_factor_without_of", 5, "rack", "stands without 'of', expected both"},
      {"expression_too_long", 3, "bob", "characters long, expected at most 2000"},
      {"scenario_without_run", 2, "broken", "has no <run>"},
      {"scenario_step_zero", 3, "run", "attribute 'step' is 0, expected a number above zero"},
      {"scenario_step_negative", 3, "run",
       "attribute 'step' is -0.001, expected a number above zero"},
      {"scenario_step_too_long", 3, "run", "longer than 1 s"},
      {"scenario_step_nan", 3, "run", "which is not finite"},
      {"scenario_too_many_steps", 3, "run", "more than 1e9 steps"},
      {"scenario_until_missing", 3, "run", "attribute 'until' is missing"},
      {"scenario_iterations_not_whole", 3, "run", "is not a whole number"},
      {"scenario_two_runs", 4, "run", "<run> stands a second time"},
      {"scenario_unknown_start", 4, "start", "expected design or equilibrium"},
      {"scenario_control_without_gain", 4, "speed", "attribute 'gain' is missing"},
      {"scenario_unknown_contact", 4, "contact", "expected vertical or normal"},
      {"scenario_empty_road", 4, "road", "holds nothing"},
      {"scenario_one_sided_road", 4, "road", "expected <left> and <right> only"},
      {"scenario_road_descends", 7, "road", "attribute 'x' of <point> descends"},
      {"scenario_bumps_overlap", 6, "road", "lies before the end of the bump before"},
      {"scenario_excitation_twice", 7, "excitation", "a second time"},
      {"scenario_road_plane_beside_excitation", 5, "road_plane", "a second time"},
      {"scenario_road_plane_friction", 4, "road_plane", "'friction' is -0.1"},
      {"scenario_set_without_value", 4, "set", "attribute 'value' is missing"},
      {"scenario_event_without_name", 4, "event", "attribute 'name' is missing"},
      {"scenario_event_without_when", 4, "grasp", "'time'"},
      {"scenario_event_time_and_channel", 4, "grasp", "'channel'"},
      {"scenario_event_before_start", 4, "grasp", "attribute 'time' is 0, expected a number above"},
      {"scenario_event_without_level", 4, "grasp", "'falls_below'"},
      {"scenario_event_two_levels", 4, "grasp", "'falls_below'"},
      {"scenario_event_repeat_at_time", 4, "grasp", "stands beside 'time'"},
      {"scenario_event_empty", 4, "grasp", "holds nothing, expected <attach>, <release> or <set>"},
      {"scenario_event_closure_twice", 5, "grasp",
       "'closure' of <release> is 'grip' for the second time in this event"},
      {"scenario_event_set_beside_attach", 4, "grasp", "holds <set> beside <attach> or <release>"},
      {"scenario_event_set_by_channel", 4, "grasp", "'channel' stands beside <set>"},
      {"scenario_event_without_closure", 5, "grasp", "attribute 'closure' of <attach> is missing"},
      {"scenario_event_bad_place", 5, "grasp", "is 'there', expected"},
      {"scenario_event_unknown_action", 5, "grasp", "nearest known name is 'attach'"},
      {"scenario_unknown_element", 4, "rod",
       "<rode> is unknown inside <scenario>, nearest known name is 'road'"},
      {"scenario_wrong_root", 2, "broken", "is the root of this file, expected <scenario>"},
  };
  return entries;
}

bool is_scenario(const std::string& file) { return file.find("scenario_") != std::string::npos; }

void read(const std::string& file) {
  if (is_scenario(file)) {
    read_scenario(kBrokenFiles + file + ".xml");
  } else {
    read_vehicle(kBrokenFiles + file + ".xml");
  }
}

class XmlBroken : public testing::TestWithParam<Broken> {};

TEST_P(XmlBroken, IsRefusedInOneLineWithPlaceElementAndMend) {
  const Broken& broken = GetParam();
  try {
    read(broken.file);
    FAIL() << "was read without complaint";
  } catch (const ModelError& error) {
    const std::string message = error.what();
    std::string start = kBrokenFiles + broken.file + ".xml:" + std::to_string(broken.line) + ": ";
    if (!broken.element.empty()) start += "element '" + broken.element + "': ";
    EXPECT_EQ(message.substr(0, start.size()), start) << message;
    EXPECT_NE(message.find(broken.words), std::string::npos) << message;
    EXPECT_EQ(std::count(message.begin(), message.end(), '\n'), 0) << message;
    // each message says what would be right, or which known name was meant
    EXPECT_TRUE(message.find("expected") != std::string::npos ||
                message.find("nearest known name") != std::string::npos)
        << message;
  }
}

INSTANTIATE_TEST_SUITE_P(Files, XmlBroken, testing::ValuesIn(table()),
                         [](const auto& test) { return test.param.file; });

TEST(XmlBrokenFolder, HasEveryFileInTheTableOrLeftToTheEngine) {
  std::set<std::string> known;
  for (const Broken& broken : table()) known.insert(broken.file);
  for (const auto& entry : std::filesystem::directory_iterator(kBrokenFiles)) {
    const std::string file = entry.path().stem().string();
    if (file.rfind("engine_", 0) == 0) continue;
    EXPECT_EQ(known.count(file), 1U) << file;
  }
}

// Descriptions that are sound as such; what is wrong with them only motion or a vehicle can tell.
TEST(XmlBrokenFolder, FilesLeftToTheEngineAreRead) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kBrokenFiles)) {
    const std::string file = entry.path().stem().string();
    if (file.rfind("engine_", 0) != 0) continue;
    EXPECT_NO_THROW(read(file)) << file;
    ++files;
  }
  EXPECT_GE(files, 6);
}

TEST(XmlMissingFile, IsNamedInOneLine) {
  for (const std::string path : {"/nowhere/car.xml", SEMIREC_SOURCE_DIR}) {
    try {
      read_vehicle(path);
      FAIL() << "was read without complaint";
    } catch (const ModelError& error) {
      EXPECT_EQ(std::string(error.what()), path + ": cannot be read, expected an XML file");
    }
  }
}

}  // namespace
}  // namespace semirec
