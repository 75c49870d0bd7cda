// Open-loop manoeuvres against closed forms: cars written so that they are the bicycle model of two
// degrees of freedom, or four quarter cars, and driven through the methods as they are shipped.

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "tests/support/eigen_system.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/manoeuvre/method.hpp"

namespace semirec {
namespace {

using Complex = std::complex<double>;
constexpr double kPi = std::numbers::pi;

// bicycle of the reference file bicycle_step.csv: stiffnesses of axles, N/rad
constexpr double kMass = 1500.0;
constexpr double kIz = 2500.0;
constexpr double kA = 1.2;
constexpr double kB = 1.5;
constexpr double kCf = 80000.0;
constexpr double kCr = 90000.0;
constexpr double kV = 20.0;
constexpr double kRelaxation = 0.02;  // m, of the tyres: not none, as the laws want some

/// A rigid car without springs but its tyres, its mass almost on the road: kingpins driven by the
/// input `steering` (rad of the road wheels), linear tyres. Corner masses balance about the middle
/// (1.0 kg at 1.2 m, 0.8 kg at -1.5 m), the chassis has what is left of mass and inertia.
std::string bicycle_car() {
  const double y = 0.75;
  const double chassis = kMass - 2.0 * 1.0 - 2.0 * 0.8;
  const double Iz = kIz - 2.0 * 1.0 * (kA * kA + y * y) - 2.0 * 0.8 * (kB * kB + y * y) -
                    4.0 * 0.01 - 2.0 * 0.001;
  const double Ff = 0.5 * kMass * 9.81 * kB / (kA + kB);
  const double Fr = 0.5 * kMass * 9.81 * kA / (kA + kB);
  const auto tyre = [](const std::string& name, double load, double stiffness) {
    return "<tyre name='" + name + "'><linear radius='" + std::to_string(0.3 + load / 2e6) +
           "' stiffness='2e6' damping='2e3' nominal_load='" + std::to_string(load) +
           "' slip_stiffness='50000' cornering_stiffness='" + std::to_string(stiffness) +
           "' relaxation_x='0.05' relaxation_y='" + std::to_string(kRelaxation) + "'/></tyre>";
  };
  std::string text = "<vehicle name='bicycle_car' version='1'>" + tyre("front", Ff, 0.5 * kCf) +
                     tyre("rear", Fr, 0.5 * kCr) + "<body name='chassis' chassis='yes' mass='" +
                     std::to_string(chassis) + "' com='0 0 0.02' inertia='400 2400 " +
                     std::to_string(Iz) +
                     "'/><joint name='chassis_joint' type='free' a='ground' b='chassis'/>"
                     "<input name='steering' value='0'/>";
  for (const std::string side : {"l", "r"}) {
    const std::string at = (side == "l" ? "0.75" : "-0.75") + std::string(" 0.3");
    text += "<body name='upright_" + side + "' mass='0.1' com='1.2 " + at +
            "' inertia='0.001 0.001 0.001'/><joint name='kingpin_" + side +
            "' type='revolute' a='chassis' b='upright_" + side + "' point='1.2 " + at +
            "' axis='0 0 1'/><motion name='steer_" + side + "' joint='kingpin_" + side +
            "' coordinate='angle' input='steering'/>";
    const auto wheel = [&](const std::string& name, const std::string& carrier,
                           const std::string& x, const std::string& mass,
                           const std::string& tyre_name) {
      return "<body name='rim_" + name + "' mass='" + mass + "' com='" + x + " " + at +
             "' inertia='0.01 0.02 0.01'/><joint name='spin_" + name + "' type='revolute' a='" +
             carrier + "' b='rim_" + name + "' point='" + x + " " + at +
             "' axis='0 1 0'/><wheel name='wheel_" + name + "' body='" + carrier + "' rim='rim_" +
             name + "' centre='" + x + " " + at + "' axis='0 1 0' tyre='" + tyre_name + "'/>";
    };
    text += wheel("f" + side, "upright_" + side, "1.2", "0.9", "front");
    text += wheel("r" + side, "chassis", "-1.5", "0.8", "rear");
  }
  return text + "</vehicle>";
}

/// x = (vy, r, slip in front, slip behind); the slips follow those of the rigid tyre,
/// d(slip)/dt = V/relaxation (slip of the contact's motion - slip).
struct Bicycle {
  Eigen::Matrix4d A = Eigen::Matrix4d::Zero();
  Eigen::Vector4d B = Eigen::Vector4d::Zero();

  Bicycle() {
    const double q = kV / kRelaxation;
    A.row(0) << 0.0, -kV, -kCf / kMass, -kCr / kMass;
    A.row(1) << 0.0, 0.0, -kA * kCf / kIz, kB * kCr / kIz;
    A.row(2) << q / kV, q * kA / kV, -q, 0.0;
    A.row(3) << q / kV, -q * kB / kV, 0.0, -q;
    B << 0.0, 0.0, -q, 0.0;
  }
  /// Response at t to a ramp of one radian over `rise` and held from then on: with the eigenvalues
  /// L, A = X L X^-1, ramps of slope 1/rise from 0 on and less the same from `rise` on.
  Eigen::Vector4d ramp(double t, double rise) const {
    const test::EigenSystem eigen = test::find_eigen_system(A);
    const Eigen::Vector4cd b = eigen.inverse * B.cast<Complex>();
    Eigen::Vector4cd x = Eigen::Vector4cd::Zero();
    const auto one = [&](double tau, double sign) {
      if (tau <= 0.0) return;
      for (int k = 0; k < 4; ++k) {
        const Complex L = eigen.values[k];
        x[k] += sign * b[k] * ((std::exp(L * tau) - 1.0) / (L * L) - tau / L) / rise;
      }
    };
    one(t, 1.0);
    one(t - rise, -1.0);
    return (eigen.vectors * x).real();
  }
  double ay(const Eigen::Vector4d& x) const { return -(kCf * x[2] + kCr * x[3]) / kMass; }
  Eigen::Vector4cd transfer(double f) const {
    const Complex s(0.0, 2.0 * kPi * f);
    return (s * Eigen::Matrix4cd::Identity() - A.cast<Complex>())
        .partialPivLu()
        .solve(B.cast<Complex>());
  }
};

std::string manoeuvre_text(const std::string& method, const std::string& values,
                           const std::string& run = "step='0.001' record='0.001'") {
  std::string text = "<manoeuvre name='test' version='1' method='" + method + "'>";
  std::size_t from = 0;
  while (from < values.size()) {
    const std::size_t equals = values.find('=', from);
    const std::size_t end = std::min(values.find(' ', from), values.size());
    text += "<value name='" + values.substr(from, equals - from) + "' value='" +
            values.substr(equals + 1, end - equals - 1) + "'/>";
    from = end + 1;
  }
  return text + "<run " + run + "/></manoeuvre>";
}

Answer ask(const std::string& vehicle, const std::string& manoeuvre) {
  return run_manoeuvre(read_vehicle_text(vehicle, "car.xml"),
                       read_manoeuvre_text(manoeuvre, "test.xml"), {/*quick=*/true});
}

double quantity(const Answer& answer, const std::string& name) {
  const int k = find_quantity(answer, name);
  EXPECT_GE(k, 0) << name;
  return k < 0 ? std::nan("") : answer.quantities[static_cast<std::size_t>(k)].value;
}

double doubt(const Answer& answer, const std::string& name) {
  const int k = find_quantity(answer, name);
  EXPECT_GE(k, 0) << name;
  return k < 0 ? std::nan("") : answer.quantities[static_cast<std::size_t>(k)].uncertainty;
}

bool has_note(const Answer& answer, const std::string& words) {
  return std::any_of(answer.notes.begin(), answer.notes.end(), [&](const std::string& note) {
    return note.find(words) != std::string::npos;
  });
}

const Table& table(const Answer& answer, const std::string& name) {
  for (const Table& one : answer.tables)
    if (one.name == name) return one;
  throw std::out_of_range(name);
}

std::vector<double> column(const Table& rows, const std::string& name) {
  for (std::size_t k = 0; k < rows.columns.size(); ++k) {
    if (rows.columns[k].name != name) continue;
    std::vector<double> values;
    for (const std::vector<double>& row : rows.rows) values.push_back(row[k]);
    return values;
  }
  throw std::out_of_range(name);
}

constexpr double kSteer = 0.002;  // rad: what is not linear is of its square
constexpr double kClose = 2e-3;  // the tyres' loads shift, wheels spin up, the speed sinks a little

TEST(StepSteerMethod, MeetsTheBicycleModelInItsLimit) {
  const Answer answer =
      ask(bicycle_car(),
          manoeuvre_text("step_steer", "speed=20 settle=1 steering_wheel=0.002 rate=0.2 hold=3"));
  // r_ss = V delta/(L + K V^2) with K = m/L (b/Cf - a/Cr); 0.10246679316888 at 0.02 rad in
  // bicycle_step.csv
  const double K = kMass / (kA + kB) * (kB / kCf - kA / kCr);
  const double gain = kV / (kA + kB + K * kV * kV);
  ASSERT_NEAR(gain, 0.10246679316888 / 0.02, 1e-10);
  EXPECT_NEAR(quantity(answer, "yaw_rate.gain"), gain, 1e-3 * gain);
  EXPECT_NEAR(quantity(answer, "lateral_acceleration.gain"), kV * gain, 1e-3 * kV * gain);
  // vy_ss = -0.149905123339658 at 0.02 rad in the same file
  EXPECT_NEAR(quantity(answer, "sideslip.gain"), -0.149905123339658 / 0.02 / kV, 1e-3);

  const Bicycle bicycle;
  const double rise = kSteer / 0.2;
  const Table& history = table(answer, "history");
  const std::vector<double> t = column(history, "time");
  const std::vector<double> r = column(history, "car.yaw_rate");
  const std::vector<double> vy = column(history, "car.vy");
  const std::vector<double> ay = column(history, "car.ay");
  for (std::size_t k = 0; k < t.size(); k += 10) {
    const Eigen::Vector4d x = kSteer * bicycle.ramp(t[k] - 1.0, rise);
    EXPECT_NEAR(r[k], x[1], kClose * kSteer * gain) << t[k];
    EXPECT_NEAR(vy[k], x[0], kClose * 0.015) << t[k];  // its steady value is 0.015 m/s
    EXPECT_NEAR(ay[k], bicycle.ay(x), kClose * kSteer * kV * gain) << t[k];
  }

  // times of the closed form from a fine row of it
  double peak = 0.0;
  double peak_time = 0.0;
  double responded = 0.0;
  for (double tau = 0.0; tau < 2.0; tau += 1e-4) {
    const double value = bicycle.ramp(tau, rise)[1];
    if (value > peak) {
      peak = value;
      peak_time = tau - 0.5 * rise;
    }
    if (value < 0.9 * gain && peak_time + 0.5 * rise == tau) responded = tau - 0.5 * rise;
  }
  ASSERT_GT(peak, 1.001 * gain);
  EXPECT_NEAR(quantity(answer, "yaw_rate.response_time"), responded, 1e-3);
  EXPECT_NEAR(quantity(answer, "yaw_rate.peak_time"), peak_time, 5e-3);  // flat there
  EXPECT_NEAR(quantity(answer, "yaw_rate.overshoot"), peak / gain - 1.0, 1e-3);
  EXPECT_FALSE(has_note(answer, "'hold'"));
}

// The steering wheel turns within one step of 1 ms, so that it takes the whole step.
TEST(StepSteerMethod, CountsFromHalfOfAQuickTurn) {
  const Bicycle bicycle;
  for (const double rate : {4.0, 10.0, 40.0}) {
    const Answer answer =
        ask(bicycle_car(),
            manoeuvre_text("step_steer", "speed=20 settle=1 steering_wheel=0.002 hold=3 rate=" +
                                             std::to_string(rate)));
    const double rise = std::max(kSteer / rate, 1e-3);
    // the closed form where it is 0.9 of the value read as steady
    const double aim = 0.9 * quantity(answer, "yaw_rate.gain");
    double low = 0.0;
    double high = 0.5;
    for (int k = 0; k < 50; ++k)
      (bicycle.ramp(0.5 * (low + high), rise)[1] < aim ? low : high) = 0.5 * (low + high);
    EXPECT_NEAR(quantity(answer, "yaw_rate.response_time"), low - 0.5 * rise, 3e-4) << rate;
  }
}

// What is read against a steady value is no surer than that.
TEST(StepSteerMethod, CarriesTheDoubtOfItsSteadyValues) {
  const Answer answer =
      ask(bicycle_car(),
          manoeuvre_text("step_steer", "speed=20 settle=1 steering_wheel=0.05 rate=5 hold=2"));
  ASSERT_GT(quantity(answer, "speed_loss"), 0.005 * 20.0);
  EXPECT_TRUE(has_note(answer, "'hold'"));
  for (const std::string name : {"yaw_rate", "lateral_acceleration", "roll"}) {
    const double steady = quantity(answer, name + ".steady");
    const double ripple = doubt(answer, name + ".steady");
    const double top = quantity(answer, name + ".peak");
    ASSERT_GT(ripple, 0.0);
    // the derivative of top/steady - 1
    const double share = std::abs(top / steady * ripple / steady);
    EXPECT_NEAR(doubt(answer, name + ".overshoot"), share, 1e-9 * share) << name;
    EXPECT_GT(doubt(answer, name + ".response_time"), 0.0) << name;
    if (std::isnan(quantity(answer, name + ".peak_time"))) {
      EXPECT_EQ(doubt(answer, name + ".peak"), ripple) << name;
    }
  }
  EXPECT_NEAR(doubt(answer, "tb"),
              quantity(answer, "yaw_rate.peak_time") * doubt(answer, "sideslip.steady"), 1e-12);
}

TEST(SineSweepMethod, MeetsTheTransferFunctionOfTheBicycleModel) {
  const Answer answer =
      ask(bicycle_car(), manoeuvre_text("sine_sweep",
                                        "speed=20 settle=1 steering_wheel=0.002 f_from=0.4 f_to=3 "
                                        "count=5 transient=1.5 periods=2"));
  const Bicycle bicycle;
  for (const std::string name : {"yaw_rate", "lateral_acceleration"}) {
    const Table& response = table(answer, "frequency_" + name);
    ASSERT_EQ(response.rows.size(), 5U);
    for (const std::vector<double>& row : response.rows) {
      const Eigen::Vector4cd x = bicycle.transfer(row[0]);
      const Complex H = name == "yaw_rate" ? x[1] : -(kCf * x[2] + kCr * x[3]) / kMass;
      EXPECT_NEAR(row[1], std::abs(H), 3e-3 * std::abs(H)) << name << " " << row[0];
      EXPECT_NEAR(row[2], std::arg(H), 5e-3) << name << " " << row[0];
    }
  }
}

// Of a steady turn, as ISO 7401 has it. Expected: the bicycle's ay (L + K v^2)/v^2.
TEST(SineMethods, SteerAsASteadyTurnDoes) {
  const double L = kA + kB;
  const double K = kMass / L * (kB / kCf - kA / kCr);
  const double ay = 0.2;
  const double expected = ay * (L + K * kV * kV) / (kV * kV);
  for (const auto& [method, more] :
       {std::pair<std::string, std::string>{"single_sine", "frequency=0.5"},
        {"sine_sweep", "f_from=0.4 f_to=3 count=2 transient=1 periods=1"},
        {"random_steer", "duration=20 segment=10 f_from=0.2 f_to=3"}}) {
    const Answer answer =
        ask(bicycle_car(), manoeuvre_text(method, "speed=20 settle=1 lateral_acceleration=" +
                                                      std::to_string(ay) + " " + more));
    EXPECT_NEAR(quantity(answer, "steering_wheel"), expected, kClose * expected) << method;
    EXPECT_FALSE(has_note(answer, "slow ramp")) << method;
  }
}

// What the driver moves, and layers of a road that are none where the car goes, change nothing of
// it.
TEST(SineMethods, SteerAsOnALevelRoadWithoutTheFilesPedals) {
  const Manoeuvre plain = read_manoeuvre_text(
      manoeuvre_text("single_sine", "speed=20 settle=6 lateral_acceleration=2"), "sine.xml");
  const Vehicle sedan =
      read_vehicle(std::string(SEMIREC_SOURCE_DIR) + "/vehicles/models/sedan.xml");
  ManoeuvreOptions quick;
  quick.quick = true;
  const double expected = quantity(run_manoeuvre(sedan, plain, quick), "steering_wheel");
  Manoeuvre braked = plain;
  braked.scenario.inputs.push_back({"brake", Curve::constant(0.2), {}});
  EXPECT_EQ(quantity(run_manoeuvre(sedan, braked, quick), "steering_wheel"), expected);
  Manoeuvre layered = plain;
  layered.scenario.surface = read_scenario_text(
                                 "<scenario name=\"far\" version=\"1\"><road><plank start=\"9000\" "
                                 "length=\"1\" height=\"0.01\"/></road><run until=\"1\" "
                                 "step=\"0.001\"/></scenario>",
                                 "far.xml")
                                 .surface;
  const Answer on_layers = run_manoeuvre(sedan, layered, quick);
  EXPECT_EQ(quantity(on_layers, "steering_wheel"), expected);
  EXPECT_TRUE(has_note(on_layers, "steady turn on a level road"));
}

TEST(RandomSteerMethod, EstimatesTheTransferFunctionWithinWhatItSaysOfItself) {
  const Answer answer =
      ask(bicycle_car(),
          manoeuvre_text(
              "random_steer",
              "speed=20 settle=1 steering_wheel=0.002 duration=60 segment=10 f_from=0.2 f_to=3",
              "step='0.001' record='0.01'"));
  const Bicycle bicycle;
  const Table& response = table(answer, "frequency_yaw_rate");
  ASSERT_GT(response.rows.size(), 20U);
  for (const std::vector<double>& row : response.rows) {
    const double exact = std::abs(bicycle.transfer(row[0])[1]);
    EXPECT_GT(row[3], 0.97) << row[0];  // a linear car
    EXPECT_NEAR(row[1], exact, (4.0 * row[4] + 5e-3) * exact) << row[0];
  }
  EXPECT_TRUE(has_note(answer, "uncertainties hold one standard deviation"));
  // there is no second drive
  EXPECT_FALSE(has_note(answer, "effect of the step"));
}

// Four quarter cars under one body: 1200 kg on wheels at +-1.3 m and +-0.75 m that slide along the
// body's vertical.
constexpr double kBody = 1200.0;
constexpr double kWheel = 40.0;
constexpr double kSpring = 25000.0;
constexpr double kDamper = 1500.0;
constexpr double kTyre = 200000.0;

std::string quarter_cars(double damper = kDamper) {
  const double load = 0.25 * kBody * 9.81;
  const double radius = 0.3 + (load + kWheel * 9.81) / kTyre;
  std::string text =
      "<vehicle name='quarter_cars' version='1'><body name='chassis' chassis='yes' mass='1200' "
      "com='0 0 0.5' inertia='400 1800 2000'/><joint name='chassis_joint' type='free' a='ground' "
      "b='chassis'/>";
  for (const std::string name : {"fl", "fr", "rl", "rr"}) {
    const std::string at =
        std::string(name[0] == 'f' ? "1.3 " : "-1.3 ") + (name[1] == 'l' ? "0.75 " : "-0.75 ");
    text += "<body name='hub_" + name + "' mass='40' com='" + at +
            "0.3' inertia='0.5 0.8 0.5'/><joint name='slide_" + name +
            "' type='prismatic' a='chassis' b='hub_" + name + "' point='" + at +
            "0.3' axis='0 0 1'/><spring name='spring_" + name + "' a='chassis' b='hub_" + name +
            "' point_a='" + at + "0.7' point_b='" + at + "0.3'><stiffness k='25000' preload='" +
            std::to_string(-load) + "'/><damping c='" + std::to_string(damper) +
            "'/></spring><wheel name='wheel_" + name + "' body='hub_" + name + "' centre='" + at +
            "0.3' axis='0 1 0' radius='" + std::to_string(radius) +
            "' stiffness='200000' unilateral='no'/>";
  }
  return text + "</vehicle>";
}

struct QuarterCar {
  Complex body, wheel;
};
/// Both over the ground: (m_s s^2 + c s + k) z_s = (c s + k) z_u and
/// (m_u s^2 + c s + k + k_t) z_u = (c s + k) z_s + k_t z_r.
QuarterCar quarter_car(double f, double damper = kDamper) {
  const Complex s(0.0, 2.0 * kPi * f);
  const Complex q = damper * s + kSpring;
  const Complex upper = 0.25 * kBody * s * s + q;
  const Complex lower = kWheel * s * s + q + kTyre;
  const Complex wheel = kTyre * upper / (upper * lower - q * q);
  return {q / upper * wheel, wheel};
}

TEST(FourPostMethod, MeetsTheQuarterCarInHeaveAndAHeldBodyInWarp) {
  const Answer answer =
      ask(quarter_cars(), manoeuvre_text("four_post",
                                         "f_from=0.7 f_to=20 count=24 velocity=0.01 "
                                         "transient=2 periods=3",
                                         "step='0.0005' record='0.0005'"));
  double best = 0.0;
  double best_f = 0.0;
  const Table& heave = table(answer, "heave");
  ASSERT_GT(heave.rows.size(), 24U);  // and those around the tops
  // errors below: 0.5 %
  for (const std::string& note : answer.notes)
    EXPECT_FALSE(note.rfind("heave: ", 0) == 0 && note.find("still change") != std::string::npos)
        << note;
  for (const std::vector<double>& row : heave.rows) {
    const QuarterCar exact = quarter_car(row[0]);
    EXPECT_NEAR(row[1], std::abs(exact.body), 5e-3 * std::abs(exact.body)) << row[0];
    EXPECT_NEAR(row[2], std::abs(exact.wheel), 5e-3 * std::abs(exact.wheel)) << row[0];
    EXPECT_NEAR(row[3], std::abs(exact.wheel), 5e-3 * std::abs(exact.wheel)) << row[0];
    // tyre load: k_t (z_r - z_u)
    const double load = kTyre * std::abs(1.0 - exact.wheel);
    EXPECT_NEAR(row[4], load, 5e-3 * load + 1e-3 * kTyre) << row[0];
  }
  for (double f = 0.7; f < 5.0; f += 1e-3)
    if (std::abs(quarter_car(f).body) > best) {
      best = std::abs(quarter_car(f).body);
      best_f = f;
    }
  const int k = find_quantity(answer, "heave.body_frequency");
  ASSERT_GE(k, 0);
  const Quantity& found = answer.quantities[static_cast<std::size_t>(k)];
  EXPECT_NEAR(found.value, best_f, found.uncertainty);
  EXPECT_NEAR(quantity(answer, "heave.body_ratio"), best, 0.01 * best);

  // front and rear roll against one another: the body stays, the wheel alone swings
  for (const std::vector<double>& row : table(answer, "warp").rows) {
    const Complex s(0.0, 2.0 * kPi * row[0]);
    const double exact = std::abs(kTyre / (kWheel * s * s + kDamper * s + kSpring + kTyre));
    EXPECT_NEAR(row[2], exact, 5e-3 * exact) << row[0];
    EXPECT_NEAR(row[1], 0.0, 1e-3) << row[0];
  }
}

// A damping ratio of 0.027: what the frequencies of the table tell of such a top was off by
// factors, and neither they nor 2 s of settling were in the uncertainty.
TEST(FourPostMethod, FindsTheSharpTopsOfLightDampers) {
  for (const double damper : {150.0}) {
    const Answer answer = ask(quarter_cars(damper), manoeuvre_text("four_post",
                                                                   "f_from=0.7 f_to=20 count=24 "
                                                                   "velocity=0.005",
                                                                   "step='0.001' record='0.001'"));
    double body = 0.0;
    double wheel = 0.0;
    for (double f = 0.7; f < 20.0; f += 1e-3) {
      body = std::max(body, std::abs(quarter_car(f, damper).body));
      if (f > 5.0) wheel = std::max(wheel, std::abs(quarter_car(f, damper).wheel));
    }
    EXPECT_TRUE(has_note(answer, "points of the table still change")) << damper;
    for (const auto& [name, exact] :
         {std::pair("heave.body_ratio", body), std::pair("heave.front_hop_ratio", wheel)}) {
      const Quantity& found =
          answer.quantities[static_cast<std::size_t>(find_quantity(answer, name))];
      EXPECT_NEAR(found.value, exact, found.uncertainty) << name << ", " << damper;
      EXPECT_LT(found.uncertainty, 0.1 * exact) << name << ", " << damper;
    }
  }
  const Answer coarse = [] {
    try {
      return ask(quarter_cars(),
                 manoeuvre_text("four_post", "f_to=20", "step='0.02' record='0.02'"));
    } catch (const AnalysisError& error) {
      EXPECT_NE(std::string(error.what()).find("do not follow the posts"), std::string::npos);
      return Answer{};
    }
  }();
  EXPECT_TRUE(coarse.quantities.empty());
  // one period tells nothing of the transient
  EXPECT_THROW(static_cast<void>(ask(quarter_cars(), manoeuvre_text("four_post", "periods=1"))),
               ModelError);
}

TEST(RideRandomMethod, MeetsTheSpectrumOfTheQuarterCar) {
  const Answer answer =
      ask(quarter_cars(), manoeuvre_text("ride_random",
                                         "speed=20 road_class=3 seeds=6 settle=3 duration=33 "
                                         "coherence=0.2",
                                         "step='0.001' record='0.002'"));
  // heave of a body that is alike in front and behind answers the mean of the four heights:
  //   S = (2 pi f)^4 |T|^2 Gd(f/V)/V (1 + exp(-n track/c))/2 cos^2(pi f L/V)
  // Gd(n) = 256e-6 m^3 (n/0.1)^-2 for class C from 0.011 to 2.83 cycles/m (ISO 8608); its weighting
  // by the squared magnitudes of Wk's parts in real numbers
  const double V = 20.0;
  const double df = 1e-3;
  double plain = 0.0;
  double weighted = 0.0;
  for (double f = 0.011 * V; f < 2.83 * V; f += df) {
    const double n = f / V;
    const double road = 256e-6 * std::pow(n / 0.1, -2) / V * 0.5 *
                        (1.0 + std::exp(-n * 1.5 / 0.2)) * std::pow(std::cos(kPi * f * 2.6 / V), 2);
    const double S = std::pow(2.0 * kPi * f, 4) * std::norm(quarter_car(f).body) * road;
    const double f2 = f * f;
    const double f4 = f2 * f2;
    const auto second = [&](double corner, double Q) {
      const double c2 = corner * corner;
      return (f4 + f2 * c2 * (1.0 / (Q * Q) - 2.0) + c2 * c2) / (c2 * c2);
    };
    const double band = f4 / (f4 + std::pow(0.4, 4)) * 1e8 / (f4 + 1e8);
    const double transition = (1.0 + f2 / (12.5 * 12.5)) / second(12.5, 0.63);
    const double step = second(2.37, 0.91) / second(3.35, 0.91) * std::pow(2.37 / 3.35, 4);
    plain += S * df;
    weighted += S * band * transition * step * df;
  }
  const auto near_theory = [&](const std::string& name, double expected) {
    const int k = find_quantity(answer, name);
    ASSERT_GE(k, 0) << name;
    const Quantity& found = answer.quantities[static_cast<std::size_t>(k)];
    EXPECT_LT(found.uncertainty, 0.1 * expected) << name;
    EXPECT_NEAR(found.value, expected, 4.0 * found.uncertainty + 0.02 * expected) << name;
  };
  near_theory("weighted.z_rms", std::sqrt(weighted));
  // the spectrum's area is the plain mean square
  const Table& spectrum = table(answer, "spectrum");
  double area = 0.0;
  for (const std::vector<double>& row : spectrum.rows)
    area += row[1] * (spectrum.rows[1][0] - spectrum.rows[0][0]);
  EXPECT_NEAR(std::sqrt(area), std::sqrt(plain), 0.1 * std::sqrt(plain));
}

TEST(RideRandomMethod, CarriesTheIltisDownTheRoad) {
  const std::string root = SEMIREC_SOURCE_DIR;
  const Answer answer = run_manoeuvre(read_vehicle(root + "/vehicles/models/iltis.xml"),
                                      read_manoeuvre(root + "/vehicles/manoeuvres/ride_random.xml",
                                                     {{"seeds", "1"}, {"duration", "8"}}),
                                      {/*quick=*/true});
  EXPECT_LT(quantity(answer, "drift"), 0.5);  // a lane is wider: the driver steers
  EXPECT_GT(quantity(answer, "weighted.z_rms"), 0.1);
  EXPECT_LT(quantity(answer, "weighted.z_rms"), 5.0);
}

// Held straight on a random road the sedan ends beside its tracks, where both sides are alike.
TEST(RideRandomMethod, SaysWhenTheCarHasLeftTheTracks) {
  Manoeuvre road =
      read_manoeuvre(std::string(SEMIREC_SOURCE_DIR) + "/vehicles/manoeuvres/ride_random.xml",
                     {{"steer", "0"}, {"duration", "60"}, {"seeds", "1"}});
  ManoeuvreOptions quick;
  quick.quick = true;
  const Vehicle sedan =
      read_vehicle(std::string(SEMIREC_SOURCE_DIR) + "/vehicles/models/sedan.xml");
  EXPECT_TRUE(has_note(run_manoeuvre(sedan, road, quick), "beside its two tracks"));
  road = read_manoeuvre(std::string(SEMIREC_SOURCE_DIR) + "/vehicles/manoeuvres/ride_random.xml",
                        {{"duration", "10"}, {"seeds", "1"}});
  const Answer kept = run_manoeuvre(sedan, road, quick);
  EXPECT_FALSE(has_note(kept, "beside its two tracks"));
  EXPECT_FALSE(has_note(kept, "the throttle is closed"));  // the road begins level
}

TEST(RideObstacleMethod, DrivesTheIltisOverTheBenchmarksBump) {
  const std::string root = SEMIREC_SOURCE_DIR;
  const Vehicle iltis = read_vehicle(root + "/vehicles/models/iltis.xml");
  const Manoeuvre bump = read_manoeuvre(root + "/vehicles/manoeuvres/bump.xml");
  const Answer answer = run_manoeuvre(iltis, bump, {/*quick=*/true});
  const Table& history = table(answer, "history");
  const std::vector<double> t = column(history, "time");
  const std::vector<double> z = column(history, "chassis.z");
  const std::vector<double> pitch = column(history, "chassis.pitch");
  const std::vector<double> front = column(history, "wheel_fl.Fz");
  // t, z, pitch (degrees), load in front: github.com/ovankerm/IAVSD_ILTIS at 18c4286, figures as
  // tabulated to 5 digits, two programs agreeing to 0.024 mm, 0.0015 degrees and 3 N
  const double expected[][4] = {{0.2, 0.58110, -0.687, 5524.0},
                                {0.6, 0.68767, -5.698, 1496.0},
                                {1.0, 0.65365, 7.527, 5770.0},
                                {1.8, 0.56333, 0.374, 4038.0}};
  for (const auto& row : expected) {
    std::size_t k = 0;
    while (k + 1 < t.size() && t[k] < row[0] - 1e-6) ++k;
    EXPECT_NEAR(z[k], row[1], 1e-4) << row[0];
    EXPECT_NEAR(pitch[k] * 180.0 / kPi, row[2], 0.01) << row[0];
    EXPECT_NEAR(front[k], row[3], 10.0) << row[0];
  }
  // both sides alike
  EXPECT_NEAR(quantity(answer, "wheel_fl.load_most"), quantity(answer, "wheel_fr.load_most"), 1e-3);
  EXPECT_NEAR(quantity(answer, "roll.peak"), 0.0, 1e-6);
}

// a car that is not alike on both sides says so wherever it starts at speed; the mass centre 0.3 m
// to the left is what this file writes
TEST(ManoeuvreNotes, TellWhatTheStartOfTheDriveFound) {
  const std::string root = SEMIREC_SOURCE_DIR;
  const Vehicle lopsided =
      read_vehicle(root + "/vehicles/models/sedan.xml", {{"chassis", "com", "0 0.3 0.56", {}}});
  for (const std::string name : {"bump", "plank", "ramp_steer", "single_sine"}) {
    const Answer answer = run_manoeuvre(
        lopsided, read_manoeuvre(root + "/vehicles/manoeuvres/" + name + ".xml"), {/*quick=*/true});
    int said = 0;
    for (const std::string& note : answer.notes)
      if (note.find("does not run straight on at the start") != std::string::npos) ++said;
    EXPECT_EQ(said, 1) << name;
  }
}

Answer drive_quickly(const std::string& name, const std::string& car,
                     const std::vector<ManoeuvreChange>& changes = {}) {
  const std::string root = SEMIREC_SOURCE_DIR;
  return run_manoeuvre(read_vehicle(root + "/vehicles/models/" + car, {}),
                       read_manoeuvre(root + "/vehicles/manoeuvres/" + name + ".xml", changes),
                       {/*quick=*/true});
}

// The sedan's lever by another name, which the driver of a manoeuvre does not know.
TEST(ManoeuvreNotes, TellThatADriverHasNoGearLever) {
  const std::string root = SEMIREC_SOURCE_DIR;
  Vehicle sedan = read_vehicle(root + "/vehicles/models/sedan.xml", {});
  const auto drive_on = [&](const char* name, const std::vector<ManoeuvreChange>& changes) {
    return run_manoeuvre(sedan,
                         read_manoeuvre(root + "/vehicles/manoeuvres/" + name + ".xml", changes),
                         {/*quick=*/true});
  };
  const std::vector<ManoeuvreChange> down{{"speed", "20"}, {"end_speed", "19.9"}};
  const char* const said = "the driver has no gear lever of 'driveline'";
  EXPECT_FALSE(has_note(drive_on("coast_down", down), said));
  sedan.controls.gear.clear();
  EXPECT_TRUE(has_note(drive_on("coast_down", down), said));
  // an automatic without a lever is in drive: neutral is not to be had
  sedan.drivelines[0].gearbox.selector = kNoInput;
  EXPECT_TRUE(has_note(drive_on("coast_down", down), said));
  EXPECT_FALSE(has_note(drive_on("step_steer", {}), said));
}

// A car that does not run straight on weaves about that as far as it is asked to.
TEST(ManoeuvreValues, AWeaveReachesWhatIsAskedAboutWhereTheCarDrifts) {
  const std::string root = SEMIREC_SOURCE_DIR;
  const Vehicle lopsided =
      read_vehicle(root + "/vehicles/models/sedan.xml", {{"chassis", "com", "0 0.3 0.56", {}}});
  const Answer answer = run_manoeuvre(
      lopsided, read_manoeuvre(root + "/vehicles/manoeuvres/weave.xml"), {/*quick=*/true});
  EXPECT_NEAR(quantity(answer, "lateral_acceleration.peak"), 2.0, 0.01);  // its own tolerance
}

// In a wind that blows it further to the right than the steering wheel is to turn it to the left.
TEST(ManoeuvreValues, ACarThatDriftsMoreThanItIsAskedToTurnSteersTheRightWay) {
  const std::string root = SEMIREC_SOURCE_DIR;
  const Vehicle blown =
      read_vehicle(root + "/vehicles/models/sedan.xml", {{"wind_y", "value", "-14", {}}});
  const auto gain = [&](const char* ay) {
    const Answer answer = run_manoeuvre(blown,
                                        read_manoeuvre(root + "/vehicles/manoeuvres/step_steer.xml",
                                                       {{"lateral_acceleration", ay}}),
                                        {/*quick=*/true});
    return quantity(answer, "lateral_acceleration.gain");
  };
  // of the manoeuvre at 0.3 m/s^2, which the drift does not hide
  EXPECT_NEAR(gain("0.15") / gain("0.3"), 1.0, 0.03);
}

// A rack that works the other way: gains and ratios would be those of another half of the test.
TEST(ManoeuvreNotes, ReversedSteeringIsRefused) {
  const std::string root = SEMIREC_SOURCE_DIR;
  const Vehicle car =
      read_vehicle(root + "/vehicles/models/sedan.xml", {parse_override("pinion.value=-0.00817")});
  const std::pair<const char*, std::vector<ManoeuvreChange>> drives[] = {
      {"ramp_steer", {}},
      {"sine_with_dwell", {}},
      {"sine_with_dwell", {{"A", "0.6"}}},
      {"step_steer", {{"steering_wheel", "0.6"}}},
      {"single_sine", {{"steering_wheel", "0.6"}}},
      {"weave", {{"steering_wheel", "0.5"}}},
      {"sine_sweep", {{"steering_wheel", "0.3"}}},
      {"random_steer", {{"steering_wheel", "0.3"}}}};
  const Vehicle blown =
      read_vehicle(root + "/vehicles/models/sedan.xml",
                   {parse_override("pinion.value=-0.00817"), parse_override("wind_y.value=3")});
  for (const auto& [name, changes] : drives) {
    std::string said;
    try {
      run_manoeuvre(changes.empty() ? blown : car,
                    read_manoeuvre(root + "/vehicles/manoeuvres/" + name + ".xml", changes),
                    {/*quick=*/true});
    } catch (const AnalysisError& error) {
      said = error.what();
    }
    EXPECT_NE(said.find("the car turns to the right when the steering wheel is turned to the left"),
              std::string::npos)
        << name << ": " << said;
  }
}

// Locked in small motions, sliding in the steady turn: the gains of the two differ.
TEST(ManoeuvreNotes, TellWhereADifferentialSticks) {
  const std::string root = SEMIREC_SOURCE_DIR;
  const auto sweep = [&](const std::vector<Override>& changes) {
    return run_manoeuvre(read_vehicle(root + "/vehicles/models/sedan.xml", changes),
                         read_manoeuvre(root + "/vehicles/manoeuvres/sine_sweep.xml", {}),
                         {/*quick=*/true});
  };
  const char* const said =
      "steady gains change with the turn: straight on a differential of 'driveline' sticks";
  EXPECT_FALSE(has_note(sweep({}), said));
  EXPECT_TRUE(has_note(sweep({parse_override("driveline.differential=limited_slip"),
                              parse_override("driveline.preload=60")}),
                       said));
}

// The Iltis slides from some 9.25 m/s^2 on; what it had while it spun was 10.35.
TEST(ManoeuvreNotes, TellWhenTheCarSpins) {
  const Answer ramp = drive_quickly("ramp_steer", "iltis.xml");
  EXPECT_TRUE(has_note(ramp, "the car spun: its sideslip exceeds 0.5 rad"));
  EXPECT_GT(quantity(ramp, "lateral_acceleration.largest"), 8.5);
  EXPECT_LT(quantity(ramp, "lateral_acceleration.largest"), 9.8);
  EXPECT_TRUE(has_note(drive_quickly("step_steer", "iltis.xml", {{"steering_wheel", "4"}}),
                       "the car spun: its sideslip exceeds 0.5 rad"));
  EXPECT_FALSE(has_note(drive_quickly("step_steer", "iltis.xml"), "the car spun"));
}

// Its front wheels stand 2.3 m behind the foot of the bump, which is that of the Iltis.
TEST(ManoeuvreNotes, TellWhichWheelsDoNotRideOverTheObstacle) {
  EXPECT_TRUE(has_note(drive_quickly("bump", "truck.xml"), "on the obstacle"));
  EXPECT_FALSE(has_note(drive_quickly("bump", "iltis.xml"), "on the obstacle"));
  EXPECT_TRUE(has_note(drive_quickly("half_round", "sedan.xml", {{"speed", "1"}}),
                       "the obstacle is never met by"));
  EXPECT_TRUE(has_note(drive_quickly("bump", "iltis.xml", {{"speed", "1"}}), "the car rolls back"));
}

// Its front wheel spins under the speed keeper: 941 of 1995 rows by a count of the column.
TEST(ManoeuvreNotes, TellWhichTyresAreBeyondTheirFiles) {
  const Answer answer = drive_quickly("ramp_steer", "trailer.xml");
  int clamped = 0;
  const Table& history = answer.tables.front();
  for (std::size_t k = 0; k < history.columns.size(); ++k)
    if (history.columns[k].name == "wheel_fl.clamped")
      for (const std::vector<double>& row : history.rows) clamped += row[k] != 0.0 ? 1 : 0;
  EXPECT_GT(clamped, 100);
  EXPECT_TRUE(has_note(answer, "of " + std::to_string(history.rows.size()) + " rows: wheel_fl in " +
                                   std::to_string(clamped)));
}

// By hand: what --with gives takes the place of what the file writes.
TEST(ManoeuvreValues, AnAskedAccelerationTakesThePlaceOfAWrittenAngle) {
  const double two =
      quantity(drive_quickly("iltis_ramp_steer", "sedan.xml", {{"lateral_acceleration", "2"}}),
               "lateral_acceleration.steady");
  EXPECT_NEAR(two, 2.0, 0.1);
  EXPECT_THROW(drive_quickly("step_steer", "sedan.xml",
                             {{"lateral_acceleration", "2"}, {"steering_wheel", "1"}}),
               ModelError);
}

}  // namespace
}  // namespace semirec
