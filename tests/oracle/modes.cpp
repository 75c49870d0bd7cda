// Modes of cars: the closed form of the bicycle model with lagging tyres, and how small deviations
// fade in a simulation.

#include "vehicles/analysis/modes.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "integrator/formulation/evaluate.hpp"
#include "integrator/formulation/formulation_state.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "integrator/step.hpp"
#include "tests/support/drives.hpp"
#include "tests/support/eigen_system.hpp"
#include "vehicles/files/xml/reader.hpp"

namespace semirec::test {
namespace {

Vehicle shipped(const std::string& model, const std::vector<std::string>& overrides = {}) {
  std::vector<Override> all;
  for (const std::string& text : overrides) all.push_back(parse_override(text));
  return read_vehicle(std::string(SEMIREC_SOURCE_DIR) + "/vehicles/models/" + model, all);
}

double distance_to(const std::complex<double>& value, const std::vector<Mode>& modes) {
  double nearest = 1e300;
  for (const Mode& mode : modes) nearest = std::min(nearest, std::abs(mode.eigen.value - value));
  return nearest;
}

// Bicycle with tyres that lag: eta' = V_y - V eta/sigma, F = -C eta/sigma at each axle;
// V_y = v +- a r. Four states, written down by hand.
TEST(Modes, OfTheBicycleModelAreThoseOfItsClosedForm) {
  const double m = 1500, Iz = 2500, a = 1.2, b = 1.5, Cf = 80000, Cr = 90000, V = 20, s = 0.45;
  Eigen::Matrix4d A;
  A << 0, -V, -Cf / (s * m), -Cr / (s * m),         //
      0, 0, -a * Cf / (s * Iz), b * Cr / (s * Iz),  //
      1, a, -V / s, 0,                              //
      1, -b, 0, -V / s;
  SteadyCar car(read_vehicle(std::string(SEMIREC_SOURCE_DIR) + "/tests/data/bicycle.xml", {}), {});
  const CarModes modes = find_modes(car, car.turn(V, 0.0), {});
  const Eigen::VectorXcd expected = find_eigen_system(A).values;
  for (const std::complex<double>& value : expected) {
    if (value.imag() < 0.0) continue;
    // 1e-4: wheels of 10 g that spin, a track of 0.2 m
    EXPECT_LT(distance_to(value, modes.modes), 1e-4 * std::abs(value)) << value;
  }
  // and without the lag the closed form of two states
  SteadyCar quick(read_vehicle(std::string(SEMIREC_SOURCE_DIR) + "/tests/data/bicycle.xml",
                               {parse_override("relaxation.value=0.001")}),
                  {});
  const CarModes two = find_modes(quick, quick.turn(V, 0.0), {});
  Eigen::Matrix2d B;
  B << -(Cf + Cr) / (m * V), (b * Cr - a * Cf) / (m * V) - V,  //
      (b * Cr - a * Cf) / (Iz * V), -(a * a * Cf + b * b * Cr) / (Iz * V);
  const Eigen::VectorXcd limit = find_eigen_system(B).values;
  for (const std::complex<double>& value : limit) {
    if (value.imag() < 0.0) continue;
    // the lag of 1 mm: 5e-5 s of 0.1 s
    EXPECT_LT(distance_to(value, two.modes), 2e-3 * std::abs(value)) << value;
  }
}

std::vector<std::string> names_of(const CarModes& modes) {
  std::vector<std::string> names;
  for (const Mode& mode : modes.modes) names.push_back(mode.name);
  return names;
}

TEST(ModeNames, OfAQuarterCarAreBounceAndWheelHop) {
  const double m = 300, mu = 40, k = 20000, kt = 180000;
  SteadyCar car(
      read_vehicle_text(
          "<vehicle name=\"quarter\" version=\"1\" gravity=\"0 0 -9.81\">"
          "<body name=\"chassis\" chassis=\"yes\" mass=\"300\" com=\"0 0 0.6\" inertia=\"1 1 1\"/>"
          "<body name=\"hub\" mass=\"40\" com=\"0 0 0.3\" inertia=\"1 1 1\"/>"
          "<joint name=\"slide\" type=\"prismatic\" a=\"ground\" b=\"chassis\" point=\"0 0 0\" "
          "axis=\"0 0 1\"/>"
          "<joint name=\"strut\" type=\"prismatic\" a=\"chassis\" b=\"hub\" point=\"0 0 0\" "
          "axis=\"0 0 1\"/>"
          "<spring name=\"spring\" a=\"chassis\" b=\"hub\" point_a=\"0 0 0.6\" point_b=\"0 0 "
          "0.3\"><stiffness k=\"20000\" preload=\"2943\"/><damping c=\"100\"/></spring>"
          "<wheel name=\"wheel\" body=\"hub\" centre=\"0 0 0.3\" axis=\"0 1 0\" radius=\"0.32\" "
          "stiffness=\"180000\"/></vehicle>",
          "quarter.xml"),
      {});
  const CarModes modes = find_modes(car, car.rest(), {});
  ASSERT_EQ(modes.modes.size(), 2U);  // pairs
  // undamped frequencies of the two masses, closed form; the damper moves them by 2 %
  const double p = (k + kt) / mu + k / m;
  const double q = k * kt / (mu * m);
  const double low = std::sqrt(0.5 * (p - std::sqrt(p * p - 4.0 * q)));
  const double high = std::sqrt(0.5 * (p + std::sqrt(p * p - 4.0 * q)));
  for (const Mode& mode : modes.modes) {
    const bool slow = std::abs(mode.eigen.value) < 0.5 * (low + high);
    EXPECT_NEAR(std::abs(mode.eigen.value), slow ? low : high, 0.02 * high);
    EXPECT_EQ(mode.name.substr(0, slow ? 6 : 9), slow ? "bounce" : "wheel hop");
    EXPECT_EQ(mode.name.find("rear"), std::string::npos) << mode.name;
  }
}

/// A chassis on a universal joint at its centre of mass, over four springs with dampers.
Vehicle rocker(const std::string& more = {}) {
  std::string wheels;
  for (const char* const place : {"1.3 0.75", "1.3 -0.75", "-1.3 0.75", "-1.3 -0.75"})
    wheels += "<wheel name=\"wheel_" + std::to_string(wheels.size()) +
              "\" body=\"chassis\" centre=\"" + place +
              " 0.3\" axis=\"0 1 0\" radius=\"0.31\" stiffness=\"30000\" damping=\"300\"/>";
  return read_vehicle_text(
      "<vehicle name=\"rocker\" version=\"1\"><body name=\"chassis\" chassis=\"yes\" "
      "mass=\"900\" com=\"0 0 0.5\" inertia=\"300 1300 1400\"/><joint name=\"pivot\" "
      "type=\"universal\" a=\"ground\" b=\"chassis\" point=\"0 0 0.5\" axis=\"1 0 0\" "
      "axis_b=\"0 1 0\"/>" +
          wheels + more + "</vehicle>",
      "rocker.xml");
}

// It pitches and rolls, at the roots of k sum(x^2)/J_y and k sum(y^2)/J_x but for the springs' own
// lever of weight.
TEST(ModeNames, OfAChassisThatDoesNotFloat) {
  SteadyCar car(rocker(), {});
  const CarModes modes = find_modes(car, car.rest(), {});
  ASSERT_EQ(modes.modes.size(), 2U);
  for (const Mode& mode : modes.modes) {
    const bool pitches = mode.name == "pitch";
    EXPECT_TRUE(pitches || mode.name == "roll") << mode.name;
    const double expected =
        std::sqrt(pitches ? 4.0 * 30000 * 1.3 * 1.3 / 1300.0 : 4.0 * 30000 * 0.75 * 0.75 / 300.0);
    EXPECT_NEAR(std::abs(mode.eigen.value), expected, 0.01 * expected) << mode.name;
  }
}

// Closed form: with the spin h = J_s w of an upright rotor,
//   J_x a'' + c_x a' + k_x a + h b' = 0,   J_y b'' + c_y b' + k_y b - h a' = 0
// and every root makes (J_x s^2 + c_x s + k_x)(J_y s^2 + c_y s + k_y) + h^2 s^2 zero. k, c: those
// of the same car whose rotor rests.
TEST(Modes, HaveTheGyroscopicMomentsOfRotors) {
  const auto with_rotor = [](double rate) {
    return rocker(
        "<body name=\"rotor\" mass=\"40\" com=\"0 0 0.5\" inertia=\"1 1 2\"/><joint "
        "name=\"bearing\" type=\"revolute\" a=\"chassis\" b=\"rotor\" point=\"0 0 0.5\" "
        "axis=\"0 0 1\" velocity=\"" +
        std::to_string(rate) + "\"/>");
  };
  constexpr double kRate = 900.0;
  constexpr double kSpin = 2.0 * kRate;  // kg m^2/s, beside 2 sqrt(k J), 17000 to 30000
  const auto modes_at = [&](double rate) {
    SteadyCar car(with_rotor(rate), {});
    CarModes modes;
    const Answer answer = analyse_modes(car, {}, {}, &modes);
    for (const std::string& note : answer.notes)
      EXPECT_EQ(note.find("left out"), std::string::npos) << note;
    return modes.modes;
  };
  // (s - r)(s - conj(r)) of pitch and roll
  const auto polynomial = [&](const std::string& name, std::complex<double> s) {
    static const std::vector<Mode> resting = modes_at(0.0);
    for (const Mode& mode : resting)
      if (mode.name == name) return (s - mode.eigen.value) * (s - std::conj(mode.eigen.value));
    ADD_FAILURE() << name;
    return std::complex<double>();
  };
  int oscillating = 0;
  for (const Mode& mode : modes_at(kRate)) {
    const std::complex<double> s = mode.eigen.value;
    if (!mode.eigen.oscillates()) continue;
    ++oscillating;
    const std::complex<double> springs = polynomial("roll", s) * polynomial("pitch", s);
    const std::complex<double> gyroscopic = kSpin * kSpin * s * s / (301.0 * 1301.0);
    EXPECT_LT(std::abs(springs + gyroscopic), 1e-5 * std::abs(gyroscopic)) << s;
  }
  EXPECT_EQ(oscillating, 2);
}

// One of unequal moments across its axle shakes the car as it turns: there is no system that stays.
TEST(Modes, LeaveOutRotorsThatAreNotEven) {
  SteadyCar car(
      rocker("<body name=\"rotor\" mass=\"40\" com=\"0 0 0.5\" inertia=\"1 1.5 2\"/><joint "
             "name=\"bearing\" type=\"revolute\" a=\"chassis\" b=\"rotor\" point=\"0 0 0.5\" "
             "axis=\"0 0 1\" velocity=\"900\"/>"),
      {});
  const Answer answer = analyse_modes(car, {}, {});
  EXPECT_TRUE(car.rotors().empty());
  EXPECT_TRUE(std::any_of(answer.notes.begin(), answer.notes.end(), [](const std::string& note) {
    return note.find("joint 'bearing' (900)") != std::string::npos;
  }));
}

// A load on a spring of its own is no wheel: 80 kg on k = 80 (2 pi 2)^2 over a sedan that weighs
// twenty times as much.
TEST(ModeNames, OfALoadOnSpringsAreItsOwn) {
  std::ifstream file(std::string(SEMIREC_SOURCE_DIR) + "/vehicles/models/sedan.xml");
  std::string text((std::istreambuf_iterator<char>(file)), {});
  text.insert(text.rfind("</vehicle>"),
              "<body name=\"load\" mass=\"80\" com=\"0 0 0.8\" inertia=\"5 5 5\"/>"
              "<joint name=\"guide\" type=\"prismatic\" a=\"chassis\" b=\"load\" "
              "point=\"0 0 0.8\" axis=\"0 0 1\"/><joint_force name=\"holds\" joint=\"guide\" "
              "coordinate=\"0\" stiffness=\"12633\" free=\"0.0621\"/>");
  SteadyCar car(
      read_vehicle_text(text, std::string(SEMIREC_SOURCE_DIR) + "/vehicles/models/sedan.xml"), {});
  const CarModes modes = find_modes(car, car.turn(20.0, 0.0), {});
  int loads = 0;
  int hops = 0;
  for (const Mode& mode : modes.modes) {
    if (mode.name == "load bounce") {
      ++loads;
      EXPECT_NEAR(std::abs(mode.eigen.value), 4.0 * M_PI, 0.1 * 4.0 * M_PI);
    }
    if (mode.name.rfind("wheel hop", 0) == 0) ++hops;
  }
  EXPECT_EQ(loads, 1);
  EXPECT_EQ(hops, 4);
}

// On level ground nothing depends on where the file has the car and where it heads.
TEST(Modes, DoNotDependOnTheHeadingOfTheFile) {
  const auto at = [](const std::string& heading) {
    return shipped("sedan.xml", {"chassis_joint.position=30 -40 0.56 0 0 " + heading});
  };
  for (const double speed : {0.0, 20.0}) {
    const auto modes_of = [&](const std::string& heading) {
      SteadyCar car(at(heading), {});
      return find_modes(car, speed > 0.0 ? car.turn(speed, 0.0) : car.rest(), {});
    };
    const CarModes straight = modes_of("0");
    for (const char* const heading : {"0.3", "0.8", "1.2", "1.5707963", "3.1", "-2"}) {
      const CarModes turned = modes_of(heading);
      ASSERT_EQ(turned.modes.size(), straight.modes.size()) << heading;
      for (const Mode& mode : straight.modes) {
        const auto same = std::find_if(turned.modes.begin(), turned.modes.end(),
                                       [&](const Mode& other) { return other.name == mode.name; });
        ASSERT_NE(same, turned.modes.end()) << heading << ": " << mode.name;
        // 1e-5: of differences, at other places; rigid motions are zero but for rounding
        EXPECT_NEAR(std::abs(same->eigen.value - mode.eigen.value), 0.0,
                    1e-5 * std::max(1.0, std::abs(mode.eigen.value)))
            << heading << ": " << mode.name;
      }
    }
  }
}

// The hitch as a joint of the tree, or as a loop that is closed beside a trailer on a joint of its
// own: one car, one name for each motion.
TEST(ModeNames, DoNotDependOnWhereTheTreeIsCut) {
  SteadyCar whole(shipped("trailer.xml"), {});
  const std::string path = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/models/trailer.xml";
  std::ifstream file(path);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::string hitch = "<joint name=\"hitch\" ";
  text.replace(text.find(hitch), hitch.size(),
               "<joint name=\"own\" type=\"free\" a=\"ground\" b=\"trailer\"/>" + hitch +
                   "placement=\"cut\" ");
  SteadyCar cut(read_vehicle_text(text, path), {});
  ASSERT_EQ(cut.drive().model.m(), whole.drive().model.m() + 3);
  const CarModes in_tree = find_modes(whole, whole.turn(20.0, 0.0), {});
  const CarModes in_loop = find_modes(cut, cut.turn(20.0, 0.0), {});
  ASSERT_EQ(in_tree.modes.size(), in_loop.modes.size());
  for (std::size_t k = 0; k < in_tree.modes.size(); ++k)
    EXPECT_EQ(in_tree.modes[k].name, in_loop.modes[k].name) << in_tree.modes[k].eigen.value;
  EXPECT_EQ(std::count_if(in_tree.modes.begin(), in_tree.modes.end(),
                          [](const Mode& mode) { return mode.name == "trailer bounce"; }),
            1);
}

// A trailer of 3 t has most of the energy where car and trailer move alike: it is the car's motion
// all the same. At rest each motion has a name.
TEST(ModeNames, OfWhatCarAndTrailerDoTogetherAreTheCars) {
  SteadyCar heavy(shipped("trailer.xml", {"trailer.mass=3000"}), {});
  for (const double speed : {15.0, 30.0}) {
    const std::vector<std::string> names = names_of(find_modes(heavy, heavy.turn(speed, 0.0), {}));
    EXPECT_EQ(std::count(names.begin(), names.end(), "surge"), 1) << speed;
    EXPECT_EQ(std::count(names.begin(), names.end(), "trailer surge"), 0) << speed;
  }
  // and a light one does not take the car's names
  SteadyCar light(shipped("trailer.xml", {"trailer.mass=200"}), {});
  const std::vector<std::string> names = names_of(find_modes(light, light.turn(15.0, 0.0), {}));
  for (const char* name : {"bounce", "roll", "pitch"})
    EXPECT_GE(std::count(names.begin(), names.end(), name), 1) << name;
  SteadyCar car(shipped("trailer.xml"), {});
  for (const std::string& name : names_of(find_modes(car, car.rest(), {})))
    EXPECT_NE(name.rfind("mode", 0), 0U) << name;
}

TEST(ModeNames, OfTheSedanStayTheSameOverTheSpeed) {
  SteadyCar car(shipped("sedan.xml"), {});
  for (const double speed : {8.0, 15.0, 22.0, 30.0, 40.0}) {
    const std::vector<std::string> names = names_of(find_modes(car, car.turn(speed, 0.0), {}));
    for (const char* name : {"bounce", "pitch", "roll", "yaw and sideslip"})
      EXPECT_GE(std::count(names.begin(), names.end(), name), 1) << name << " at " << speed;
    EXPECT_EQ(std::count(names.begin(), names.end(), "wheel lateral, in phase"), 0) << speed;
  }
}

// Between the ratios 0.97 and 0.98 the converter's capacity factor is one number, so that the
// motor follows itself and the throttle alone: its state was gone there, and B was zero.
TEST(Modes, KeepAMotorThatFollowsOnlyItself) {
  ModesOptions options;
  options.inputs = {"throttle"};
  Scenario half;
  half.inputs.push_back({"throttle", Curve::constant(0.5), {}});
  SteadyCar car(shipped("sedan.xml"), half, SpeedHold::throttle);
  const auto system_at = [&](double speed) {
    return find_modes(car, car.turn(speed, 0.0), options).system;
  };
  const LinearSystem before = system_at(57.6);
  const LinearSystem behind = system_at(57.8);
  // twists of half shafts whose torque no longer depends on them change nothing else
  EXPECT_EQ(behind.A.rows(), before.A.rows() - 2);
  EXPECT_NEAR(behind.B.cwiseAbs().maxCoeff(), before.B.cwiseAbs().maxCoeff(),
              0.05 * before.B.cwiseAbs().maxCoeff());  // dT/dthrottle/J, 0.3 % more speed
}

// Rows of C of a reaction are those of small deviations: the recorder, which finds accelerations
// anew where forces have jumped, must not do so there. Expected: Newton's law of the rim along z,
// C(Rz) = C of (mass az - Fz), with side a the carrier.
TEST(Modes, ReactionsFollowSmallDeviationsAsNewtonHasIt) {
  ModesOptions options;
  options.outputs = {"spin_fl.Rz", "wheel_fl.Fz", "rim_fl.az"};
  Scenario asks;
  asks.reactions = {"spin_fl"};
  asks.bodies = {"rim_fl"};
  SteadyCar car(shipped("sedan.xml"), asks);
  double mass = 0.0;
  for (const Body& body : car.drive().model.mechanism.bodies)
    if (body.name == "rim_fl") mass = body.mass;
  ASSERT_GT(mass, 0.0);
  const Eigen::MatrixXd C = find_modes(car, car.turn(20.0, 0.0), options).system.C;
  const Eigen::RowVectorXd left = C.row(0) - (mass * C.row(2) - C.row(1));
  // differences of loads of 4 kN over 1e-5 m
  EXPECT_LT(left.cwiseAbs().maxCoeff(), 1e-4 * C.row(1).cwiseAbs().maxCoeff());
}

/// Likeness of two motions, 1 where they are the same up to a factor.
double likeness(const Eigen::VectorXcd& a, const Eigen::VectorXcd& b) {
  return std::norm(a.dot(b)) / (a.squaredNorm() * b.squaredNorm());
}

/// Two names have changed places between two speeds where both the eigenvalues and the motions of
/// the coordinates belong together the other way round.
void expect_no_names_exchanged(const CarModes& from, const CarModes& to) {
  const auto motion = [](const CarModes& modes, const Mode& mode) -> Eigen::VectorXcd {
    return modes.system.zd.cast<std::complex<double>>() * mode.eigen.shape;
  };
  const auto find = [](const CarModes& modes, const std::string& name) -> const Mode* {
    for (const Mode& mode : modes.modes)
      if (mode.name == name) return &mode;
    return nullptr;
  };
  for (const Mode& a : from.modes)
    for (const Mode& b : from.modes) {
      const Mode* const a_to = find(to, a.name);
      const Mode* const b_to = find(to, b.name);
      if (a.name >= b.name || a_to == nullptr || b_to == nullptr) continue;
      const auto way = [](const Mode& x, const Mode& y) {
        return std::abs(x.eigen.value - y.eigen.value);
      };
      const auto same = [&](const Mode& x, const Mode& y) {
        return likeness(motion(from, x), motion(to, y));
      };
      const bool farther = way(a, *a_to) + way(b, *b_to) > way(a, *b_to) + way(b, *a_to);
      const bool less_alike = same(a, *a_to) + same(b, *b_to) < same(a, *b_to) + same(b, *a_to);
      EXPECT_FALSE(farther && less_alike)
          << "'" << a.name << "' and '" << b.name << "' between " << from.turn.speed << " and "
          << to.turn.speed << " m/s: " << a.eigen.value << " " << b.eigen.value << " to "
          << a_to->eigen.value << " " << b_to->eigen.value;
    }
}

TEST(ModeBranches, KeepTheirNamesOverTheSpeed) {
  for (const char* const model : {"sedan.xml", "trailer.xml"}) {
    SCOPED_TRACE(model);
    SteadyCar car(shipped(model), {});
    ModeNames names;
    CarModes last;
    for (int speed = 1; speed <= 60; ++speed) {
      CarModes modes = find_modes(car, car.turn(speed, 0.0), {}, names);
      // that a branch has become another motion is no fault of its name
      for (const std::string& note : modes.notes)
        EXPECT_NE(note.find("is named after its motion"), std::string::npos) << note;
      const std::vector<std::string> here = names_of(modes);
      for (const char* name : {"bounce", "pitch", "roll", "yaw and sideslip"})
        EXPECT_EQ(std::count(here.begin(), here.end(), name), 1) << name << " at " << speed;
      if (speed > 1) expect_no_names_exchanged(last, modes);
      last = std::move(modes);
    }
  }
}

TEST(ModeNames, DoNotDependOnOtherSpeedsThatAreAsked) {
  SteadyCar car(shipped("trailer.xml"), {});
  ModeNames names;
  for (const double speed : {45.0, 8.0, 33.0}) {
    const SteadyTurn turn = car.turn(speed, 0.0);
    EXPECT_EQ(names_of(find_modes(car, turn, {}, names)), names_of(find_modes(car, turn, {})));
  }
}

TEST(ModeNames, OfATurnAreThoseOfTheStraightRun) {
  SteadyCar car(shipped("sedan.xml"), {});
  ModeNames names;
  const CarModes straight = find_modes(car, car.turn(40.0, 0.0), {}, names);
  const CarModes turning = find_modes(car, car.turn(40.0, 0.5), {}, names);
  for (const std::string& note : turning.notes)
    EXPECT_NE(note.find("is named after its motion"), std::string::npos) << note;
  expect_no_names_exchanged(straight, turning);
}

// Bounce and pitch of the sedan come close to one another as it gets lighter, and what moves in
// them changes places near 0.85 of its mass: followed from the heavier car each goes on.
TEST(ModeBranches, KeepTheirNamesFromCarToCar) {
  SteadyCar origin(shipped("sedan.xml"), {});
  ModeNames learnt;
  learnt.learn(origin, {0.0, 12.0, 20.0, 30.0});
  for (const double speed : {0.0, 12.0, 20.0, 30.0}) {
    SCOPED_TRACE(speed);
    CarModes last;
    for (const char* mass : {"*1", "*0.97", "*0.94", "*0.91", "*0.88", "*0.85", "*0.82", "*0.79"}) {
      SteadyCar car(shipped("sedan.xml", {std::string("chassis.mass=") + mass}), {});
      ModesOptions options;
      options.like = &learnt;
      const SteadyTurn turn = speed == 0.0 ? car.rest() : car.turn(speed, 0.0);
      CarModes modes = find_modes(car, turn, options);
      const std::vector<std::string> here = names_of(modes);
      for (const char* name : {"bounce", "pitch", "roll"})
        EXPECT_EQ(std::count(here.begin(), here.end(), name), 1) << name << " at " << mass;
      if (!last.modes.empty()) expect_no_names_exchanged(last, modes);
      last = std::move(modes);
    }
  }
}

TEST(Modes, AreRefusedWhereTheFastestOneHidesTheOthers) {
  for (const char* const scale : {"1e14", "1e80", "1e300"}) {
    try {
      SteadyCar car(shipped("sedan.xml", {std::string("spring_fl.damper_scale=") + scale}), {});
      (void)find_modes(car, car.turn(20.0, 0.0), {});
      ADD_FAILURE() << scale << " is taken";
    } catch (const std::runtime_error& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    }
  }
}

/// The eigenvalue by which a small deviation along a mode's shape fades in a simulation: started
/// along the real and along the imaginary part of the shape, an output differs from that of the
/// steady state by the real and the imaginary part of c e^(value t).
std::complex<double> simulate(SteadyCar& car, const CarModes& modes, const Mode& mode,
                              const std::string& output, double h, double until) {
  const Model& model = car.drive().model;
  Workspace ws(model);
  StepSettings settings = car.drive().settings.step;
  settings.h = h;
  settings.tolerance = 1e-13;
  settings.acceleration_tolerance = 1e-9;
  settings.max_iterations = 30;
  const auto& outputs = modes.system.outputs;
  const auto row = std::find_if(outputs.begin(), outputs.end(),
                                [&](const Channel& channel) { return channel.name == output; });
  EXPECT_NE(row, outputs.end()) << output;
  const Recorder& recorder = car.recorder();
  const auto read = [&](const State& state) {
    std::vector<double> values;
    recorder.record(model, state, ws, values);
    for (std::size_t k = 0; k < values.size(); ++k)
      if (recorder.channels()[k].name == output) return values[k];
    return 0.0;
  };
  constexpr double kSize = 1e-5;
  std::complex<double> begin = 0.0;
  std::complex<double> end = 0.0;
  // what the output is where it begins and ends
  const auto drive = [&](State state) {
    const double first = read(state);
    for (int k = 0; k < static_cast<int>(std::lround(until / h)); ++k)
      EXPECT_EQ(step(model, settings, state, ws).status, StepStatus::converged);
    return std::pair(first, read(state));
  };
  State undisturbed = modes.turn.state;
  find_effective_masses(model, settings, undisturbed, ws);
  const auto [first_of_it, last_of_it] = drive(undisturbed);
  for (const bool imaginary : {false, true}) {
    const auto part = [&](const Eigen::VectorXcd& v) -> Eigen::VectorXd {
      return kSize * (imaginary ? Eigen::VectorXd(v.imag()) : Eigen::VectorXd(v.real()));
    };
    const Eigen::VectorXd shape = part(mode.eigen.shape);
    State state = modes.turn.state;
    state.z += modes.system.z * shape;
    state.zd += modes.system.zd * shape;
    for (std::size_t k = 0; k < modes.system.element_state.size(); ++k)
      if (modes.system.element_state[k] >= 0)
        state.x[modes.system.element_state[k]] += shape[static_cast<Eigen::Index>(k)];
    rebase(model, state);
    assemble_positions(model, state, ws);
    assemble_velocities(model, state, ws);
    find_effective_masses(model, settings, state, ws);
    EXPECT_TRUE(find_accelerations(model, state, ws));
    const auto [first, last] = drive(state);
    const std::complex<double> unit = imaginary ? std::complex<double>(0.0, 1.0) : 1.0;
    begin += (first - first_of_it) * unit;
    end += (last - last_of_it) * unit;
  }
  return std::log(end / begin) / until;
}

const Mode& mode_of(const CarModes& modes, const std::string& name) {
  for (const Mode& mode : modes.modes)
    if (mode.name == name) return mode;
  ADD_FAILURE() << "no mode " << name;
  return modes.modes.front();
}

/// Springs with dampers as straight as they are in the middle: a corner at rest has no slope.
Vehicle with_straight_dampers(Vehicle vehicle) {
  for (SpringDamper& spring : vehicle.mechanism.springs) {
    const double slope =
        0.5 * (spring.damper.evaluate(0.01).f - spring.damper.evaluate(-0.01).f) / 0.01;
    spring.damper = Curve::linear(slope);
  }
  return vehicle;
}

// Expected: the eigenvalues of the benchmark's table 2 at 5 m/s, where the bicycle balances itself;
// its tyres slip by a ten-thousandth. At rest it falls, which is not said of it at speed.
TEST(Modes, OfTheWhippleBicycleAreThoseOfTheBenchmark) {
  const Vehicle bicycle =
      read_vehicle(std::string(SEMIREC_SOURCE_DIR) + "/tests/data/whipple_bicycle.xml");
  SteadyCar car(bicycle, {});
  ModesOptions options;
  options.speed = 5.0;
  CarModes modes;
  const Answer answer = analyse_modes(car, options, {}, &modes);
  const auto distance_to = [&](std::complex<double> value) {
    double nearest = 1e300;
    for (const Mode& mode : modes.modes)
      nearest = std::min(nearest, std::abs(mode.eigen.value - value));
    return nearest;
  };
  EXPECT_LT(distance_to({-0.775341882195845, 4.464867713788232}), 1e-3);  // weave
  EXPECT_LT(distance_to({-0.322866429004087, 0.0}), 1e-3);                // capsize
  EXPECT_LT(distance_to({-14.078389692798225, 0.0}), 1e-3);               // castering
  for (const std::string& note : answer.notes)
    EXPECT_EQ(note.find("unstable"), std::string::npos) << note;
}

TEST(Modes, OfTheSedanFadeAsTheyDoInASimulation) {
  SteadyCar car(with_straight_dampers(shipped("sedan.xml")), {});
  const CarModes modes = find_modes(car, car.turn(22.222, 0.0), {});
  struct Case {
    std::string mode, output;
    double h, until;
  };
  // until: less than half a swing, so that the logarithm knows its branch
  for (const Case& each :
       {Case{"bounce", "chassis.z", 1e-3, 0.2}, Case{"pitch", "chassis.pitch", 1e-3, 0.2},
        Case{"roll", "chassis.roll", 1e-3, 0.1}, Case{"yaw and sideslip", "cg.wz", 1e-3, 0.2}}) {
    const Mode& mode = mode_of(modes, each.mode);
    const std::complex<double> value = mode.eigen.value;
    const std::complex<double> seen = simulate(car, modes, mode, each.output, each.h, each.until);
    // 1e-3: the step's (omega h)^2/12 and what is bent within 1e-5
    EXPECT_LT(std::abs(seen - value), 1e-3 * std::abs(value))
        << each.mode << ": " << value << " simulated " << seen;
  }
}

// Half shafts with 0.6 times the moment of inertia of a wheel: resting ones would be off by 1.8e-3.
// In line with the wheels but for the travel of the springs, so that they turn evenly.
TEST(Modes, WithHalfShaftsFadeAsTheyDoInASimulation) {
  std::vector<Override> heavy;
  for (const char* const text :
       {"lift.value=0", "mid_*.inertia=0.03 0.4 0.03", "tube_*.inertia=0.01 0.2 0.01"})
    heavy.push_back(parse_override(text));
  SteadyCar car(with_straight_dampers(read_vehicle(
                    std::string(SEMIREC_SOURCE_DIR) + "/tests/data/half_shafts.xml", heavy)),
                {});
  const CarModes modes = find_modes(car, car.turn(40.0, 0.0), {});
  const Mode& mode = mode_of(modes, "roll");
  const std::complex<double> value = mode.eigen.value;
  const std::complex<double> seen = simulate(car, modes, mode, "chassis.roll", 2.5e-4, 0.1);
  EXPECT_LT(std::abs(seen - value), 2e-4 * std::abs(value)) << value << " simulated " << seen;
}

TEST(Modes, InATurnFadeAsTheyDoInASimulation) {
  SteadyCar car(with_straight_dampers(shipped("sedan.xml")), {});
  const CarModes modes = find_modes(car, car.turn(22.222, 4.0), {});
  struct Case {
    std::string name, output;
    double until;
  };
  // while more than a third is left: slower modes that the bent laws stir up show behind a fast one
  for (const auto& [name, output, until] :
       {Case{"bounce", "chassis.z", 0.2}, Case{"yaw and sideslip", "cg.wz", 0.04}}) {
    const Mode& mode = mode_of(modes, name);
    const std::complex<double> value = mode.eigen.value;
    const std::complex<double> seen = simulate(car, modes, mode, output, 1e-3, until);
    EXPECT_LT(std::abs(seen - value), 1e-3 * std::abs(value))
        << name << ": " << value << " simulated " << seen;
  }
}

TEST(Modes, OfADriverOnAStraightRoadFadeAsTheyDoInASimulation) {
  // place across the road and heading are states: without the driver nothing would bring them back
  SteadyCar car(with_straight_dampers(shipped("sedan_driver.xml")), {});
  ModesOptions options;
  options.outputs = {"cg.wz", "chassis.y"};
  const CarModes modes = find_modes(car, car.turn(20.0, 0.0), options);
  EXPECT_EQ(modes.system.place, PlaceLeftOut::along);
  const Mode* slowest = nullptr;
  for (const Mode& mode : modes.modes)
    if (mode.eigen.oscillates() && slowest == nullptr && mode.name.rfind("yaw", 0) == 0)
      slowest = &mode;
  ASSERT_NE(slowest, nullptr);
  const std::complex<double> value = slowest->eigen.value;
  const std::complex<double> seen = simulate(car, modes, *slowest, "chassis.y", 1e-3, 0.2);
  EXPECT_LT(std::abs(seen - value), 2e-3 * std::abs(value)) << value << " simulated " << seen;
}

// Ten degrees of freedom; no tyre resists in the plane: three of them are free.
TEST(Modes, OfTheBenchmarkCarAtRest) {
  SteadyCar car(shipped("car26.xml"), {});
  const CarModes modes = find_modes(car, car.rest(), {});
  EXPECT_EQ(modes.system.degrees_of_freedom, 10);
  EXPECT_EQ(modes.system.A.rows(), 2 * 10 - 3);  // place and heading are left out, not their rates
  int free = 0;
  int oscillating = 0;
  for (const Mode& mode : modes.modes) {
    if (std::abs(mode.eigen.value) < 1e-5) ++free;
    if (mode.eigen.oscillates()) ++oscillating;
    EXPECT_LT(mode.eigen.value.real(), 1e-6) << mode.name;
  }
  EXPECT_EQ(free, 3);
  EXPECT_EQ(oscillating, 7);
  const Mode& bounce = mode_of(modes, "bounce");
  const std::complex<double> seen = simulate(car, modes, bounce, "chassis.z", 1e-3, 0.2);
  EXPECT_LT(std::abs(seen - bounce.eigen.value), 1e-3 * std::abs(seen)) << seen;
  // shares are shares
  for (const Mode& mode : modes.modes) {
    double sum = 0.0;
    for (const double share : mode.participation) sum += share;
    EXPECT_NEAR(sum, 1.0, 1e-12);
  }
}

TEST(Modes, KnowTheNearestName) {
  SteadyCar car(shipped("sedan.xml"), {});
  const SteadyTurn rest = car.rest();
  const auto complaint = [&](const ModesOptions& options) -> std::string {
    try {
      find_modes(car, rest, options);
    } catch (const ModelError& error) {
      return error.what();
    }
    return {};
  };
  ModesOptions options;
  options.outputs = {"chassis.rol"};
  EXPECT_NE(complaint(options).find("'chassis.roll'"), std::string::npos);
  options.outputs = {};
  options.inputs = {"throtle"};
  EXPECT_NE(complaint(options).find("'throttle'"), std::string::npos);
  options.inputs = {};
  options.outputs = {"chassis.y"};
  EXPECT_NE(complaint(options).find("depends on place"), std::string::npos);
}

}  // namespace
}  // namespace semirec::test
