// Planes under wheels that come from outside, against the same road as a surface: the two share the
// tyre's law, and neither how the plane is met nor what is looked up where.

#include <cmath>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "integrator/step.hpp"
#include "tests/support/fleet.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/session/session.hpp"
#include "vehicles/tyre/road_motion.hpp"

namespace semirec::test {
namespace {

constexpr double kSpeed = 15.0;

/// A scenario from its road and what else it holds.
Scenario scenario_of(const std::string& parts) {
  return read_scenario_text(
      "<scenario name=\"planes\" version=\"1\"><run step=\"0.001\" until=\"2\"/>"
      "<start from=\"equilibrium\" speed=\"" +
          std::to_string(kSpeed) + "\"/>" + parts + "</scenario>",
      "planes.xml");
}

std::string number(double value) {
  std::ostringstream text;
  text.precision(17);
  text << value;
  return text.str();
}

/// A plane through (x, y) for each wheel, and its height there over the origin's.
std::string planes(double z_x, double z_y, double x, double y, double friction = 1.0) {
  std::string text;
  for (const char* wheel : {"wheel_fl", "wheel_fr", "wheel_rl", "wheel_rr"})
    text += std::string("<road_plane wheel=\"") + wheel + "\" x=\"" + number(x) + "\" y=\"" +
            number(y) + "\" height=\"" + number(z_x * x + z_y * y) + "\" slope_x=\"" + number(z_x) +
            "\" slope_y=\"" + number(z_y) + "\" friction=\"" + number(friction) + "\"/>";
  return text;
}

Vehicle read_model(const std::string& model) {
  return read_vehicle(std::string(SEMIREC_SOURCE_DIR) + "/vehicles/models/" + model);
}

std::vector<double> outputs_of(Session& session) {
  std::vector<double> values(session.outputs().size());
  session.read_outputs(values.data());
  return values;
}

/// Steps both with the steering at an angle and compares what they tell by name, to `bound` of each
/// output's size; accelerations to that of `acceleration`, m/s^2, at least.
void expect_same_drive(Session& a, Session& b, double steering, double end, double bound,
                       double acceleration = 1e-3) {
  const int steers = a.find_input(a.find_input("steering") >= 0 ? "steering" : "rack");
  ASSERT_GE(steers, 0);
  std::vector<double> size, apart(a.outputs().size(), 0.0);
  for (const Channel& output : a.outputs())
    size.push_back(output.unit == "m/s^2" ? acceleration : 1e-3);
  const auto step = [&](Session& session) {
    const double angle = steering * std::fmin(session.next_time() / 0.3, 1.0);
    static_cast<void>(session.set_input(
        session.find_input(a.inputs()[static_cast<std::size_t>(steers)].name), angle));
    return session.step();
  };
  while (a.time() < end) {
    ASSERT_EQ(step(a), StepStatus::converged);
    ASSERT_EQ(step(b), StepStatus::converged);
    const std::vector<double> of_a = outputs_of(a), of_b = outputs_of(b);
    for (std::size_t k = 0; k < of_a.size(); ++k) {
      const int other = b.find_output(a.outputs()[k].name);
      ASSERT_GE(other, 0);
      size[k] = std::fmax(size[k], std::abs(of_a[k]));
      apart[k] = std::fmax(apart[k], std::abs(of_a[k] - of_b[static_cast<std::size_t>(other)]));
    }
  }
  for (std::size_t k = 0; k < size.size(); ++k)
    EXPECT_LE(apart[k], bound * size[k]) << a.outputs()[k].name;
}

struct OnPlanes {
  const char* model;
  const char* contact;
  double steering;
};

class RoadPlanes : public testing::TestWithParam<OnPlanes> {};
INSTANTIATE_TEST_SUITE_P(
    Of, RoadPlanes,
    testing::Values(OnPlanes{"sedan.xml", "", 0.5},
                    OnPlanes{"sedan.xml", "<contact contact=\"disc\"/>", 0.5},
                    OnPlanes{"iltis.xml", "", 0.005},
                    OnPlanes{"iltis.xml", "<contact law=\"vertical\"/>", 0.005},
                    OnPlanes{"iltis_spinning.xml", "<contact contact=\"cams\"/>", 0.005}));

TEST_P(RoadPlanes, AreTheRoadThatTheyDescribe) {
  const Vehicle car = read_model(GetParam().model);
  const double angle = 0.05, bank = -0.03;
  const double z_x = std::tan(angle), z_y = std::tan(bank);
  const std::string contact = GetParam().contact;
  const auto slope = [](double along, double across) {
    return "<road><slope angle=\"" + number(along) + "\" bank=\"" + number(across) + "\"/></road>";
  };
  Session road(car, scenario_of(contact + slope(angle, bank)));
  Session whole(car, scenario_of(contact + planes(z_x, z_y, 5.0, 2.0)));
  expect_same_drive(road, whole, GetParam().steering, 1.0, 1e-6);
  // one slope by the road, the other on top of it
  Session again(car, scenario_of(contact + slope(angle, bank)));
  Session on_top(car, scenario_of(contact + slope(angle, 0.0) + planes(0.0, z_y, -3.0, 4.0)));
  expect_same_drive(again, on_top, GetParam().steering, 1.0, 1e-6);
}

TEST(RoadPlane, HasItsFriction) {
  const Vehicle sedan = read_model("sedan.xml");
  Session road(sedan, scenario_of("<road><friction mu=\"0.4\"/></road>"));
  Session plane(sedan, scenario_of(planes(0.0, 0.0, 0.0, 0.0, 0.4)));
  // the last places of positions, 1e-15 m, are 4e-9 m/s^2 in steps of 1 ms (4 / h^2): of
  // chassis.az, which is 0.14 m/s^2 at most here, 3e-8
  expect_same_drive(road, plane, 1.5, 1.5, 1e-8, 9.81);
  EXPECT_LT(std::abs(outputs_of(road)[static_cast<std::size_t>(road.find_output("chassis.ay"))]),
            0.5 * 9.81);
}

/// The road as the caller has it: waves along and across.
RoadPoint waves(double x, double y) {
  constexpr double kA = 0.03, kKx = 1.0, kKy = 0.7;
  return {kA * std::sin(kKx * x) * std::cos(kKy * y),
          kA * kKx * std::cos(kKx * x) * std::cos(kKy * y),
          -kA * kKy * std::sin(kKx * x) * std::sin(kKy * y), 1.0};
}

class Waves final : public RoadSurface {
 public:
  RoadPoint evaluate(double x, double y) const override { return waves(x, y); }
  void put_into(Fingerprint& /*fingerprint*/) const override {}
};

const std::vector<std::string> kWheels{"wheel_fl", "wheel_fr", "wheel_rl", "wheel_rr"};

/// The tangent planes of the waves where the wheels are.
std::vector<RoadPlane> tangent_planes(Session& session) {
  const std::vector<double> at = outputs_of(session);
  std::vector<RoadPlane> all;
  for (const std::string& wheel : kWheels) {
    const auto output = [&](const char* ending) {
      return at[static_cast<std::size_t>(session.find_output(wheel + ending))];
    };
    double x = output(".x"), y = output(".y");
    // the foot of the centre on the plane under it
    const RoadPoint under = waves(x, y);
    const double gap =
        (output(".z") - under.z) / (1.0 + under.z_x * under.z_x + under.z_y * under.z_y);
    x += gap * under.z_x;
    y += gap * under.z_y;
    const RoadPoint point = waves(x, y);
    all.push_back({wheel, x, y, point.z, point.z_x, point.z_y, 1.0, {}});
  }
  return all;
}

/// Heights of the sedan's chassis over a second on the waves, every hundredth, in steps of h: on
/// them as a surface, or with their tangent planes sent before each step, where the wheels are
/// then.
std::vector<double> heights(const Vehicle& sedan, double h, bool from_outside) {
  Scenario scenario = scenario_of("");
  scenario.start = StartMode::design;
  if (from_outside) {
    Session level(sedan, scenario, {.step = h});
    scenario.road_planes = tangent_planes(level);
  } else {
    scenario.surface = std::make_shared<Waves>();
  }
  Session session(sedan, scenario, {.step = h});
  std::vector<double> found;
  const int rows = static_cast<int>(std::lround(0.01 / h));
  for (int k = 0; k < 100 * rows; ++k) {
    if (from_outside)
      for (const RoadPlane& plane : tangent_planes(session)) {
        const auto send = [&](const char* member, double value) {
          const int input = session.find_input(road_input_name(member, plane.wheel));
          EXPECT_EQ(session.set_input(input, {value, 0.0, 0.0}), InputStatus::accepted);
        };
        send("x", plane.x);
        send("y", plane.y);
        send("height", plane.height);
        send("slope_x", plane.slope_x);
        send("slope_y", plane.slope_y);
      }
    if (session.step() != StepStatus::converged) return {};
    if ((k + 1) % rows == 0)
      found.push_back(
          outputs_of(session)[static_cast<std::size_t>(session.find_output("chassis.z"))]);
  }
  return found;
}

TEST(RoadPlane, BringsARoadFromOutside) {
  const Vehicle sedan = read_model("sedan.xml");
  // m, of waves of 60 mm: a tangent plane is off by the square of the way of a step, and by the
  // foot of the centre, which is not quite where the wheel's middle plane meets the road
  for (const double h : {2e-3, 1e-3, 5e-4}) {
    const std::vector<double> on_road = heights(sedan, h, false);
    const std::vector<double> on_planes = heights(sedan, h, true);
    ASSERT_EQ(on_road.size(), 100U);
    ASSERT_EQ(on_planes.size(), 100U);
    double off = 0.0;
    for (std::size_t k = 0; k < on_road.size(); ++k)
      off = std::fmax(off, std::abs(on_road[k] - on_planes[k]));
    EXPECT_LT(off, 1e-6 + 1.5 * h * h) << h;
  }
}

// A plane that is put elsewhere with another slope stands still: its place and slope are sent in
// one step, and their rates are differences.
TEST(RoadPlane, IsNotThrownAtTheWheelThatItIsPutUnder) {
  const Vehicle sedan = read_model("sedan.xml");
  for (const double slope : {-0.05, -0.001, 0.02}) {
    Session session(sedan, scenario_of(planes(0.0, 0.0, 0.0, 0.0)));
    while (session.time() < 1.5) ASSERT_EQ(session.step(), StepStatus::converged);
    const std::vector<double> at = outputs_of(session);
    const auto output = [&](const std::vector<double>& values, const char* name) {
      return values[static_cast<std::size_t>(session.find_output(name))];
    };
    static_cast<void>(
        session.set_input(session.find_input("road_x_wheel_fl"), output(at, "wheel_fl.x")));
    static_cast<void>(session.set_input(session.find_input("road_slope_x_wheel_fl"), slope));
    ASSERT_EQ(session.step(), StepStatus::converged);
    // at the wheel it lies where it lay: 15 mm further on by no more than 0.75 mm at 200 N a mm
    EXPECT_NEAR(output(outputs_of(session), "wheel_fl.Wz"), output(at, "wheel_fl.Wz"), 200.0);
  }
}

TEST(RoadPlane, IsMovedByInputsOfTheScenario) {
  const Vehicle sedan = read_model("sedan.xml");
  const std::string ramp = "><ramp from=\"0\" to=\"0.02\" start=\"0.2\" end=\"0.4\"/></";
  Session plane(sedan, scenario_of("<road_plane wheel=\"wheel_fl\"/>"
                                   "<input name=\"road_height_wheel_fl\"" +
                                   ramp + "input>"));
  Session post(sedan, scenario_of("<excitation wheel=\"wheel_fl\"" + ramp + "excitation>"));
  for (int k = 0; k < 600; ++k) {
    ASSERT_EQ(plane.step(), StepStatus::converged);
    ASSERT_EQ(post.step(), StepStatus::converged);
  }
  for (const char* name : {"wheel_fl.Fz", "chassis.z", "chassis.roll", "wheel_fl.road"})
    EXPECT_NEAR(outputs_of(plane)[static_cast<std::size_t>(plane.find_output(name))],
                outputs_of(post)[static_cast<std::size_t>(post.find_output(name))], 1e-6)
        << name;
}

TEST(RoadPlane, IsTheSameInLanes) {
  for (const char* model : {"sedan.xml", "iltis.xml"})
    for (const int lanes : find_lanes()) {
      SCOPED_TRACE(std::string(model) + " in " + std::to_string(lanes));
      Fleet fleet(model, "rest.xml", 5, numbers_of_sedan, [](Random& random, Scenario& scenario) {
        scenario = scenario_of(planes(random.number(-0.05, 0.05), random.number(-0.05, 0.05),
                                      random.number(-9.0, 9.0), random.number(-9.0, 9.0), 0.8));
      });
      Batch batch = fleet.make_batch(lanes);
      batch.step(fleet.settings, 500);
      for (std::size_t k = 0; k < fleet.cars.size(); ++k) {
        ShippedDrive& car = fleet.cars[k];
        for (int n = 0; n < 500; ++n)
          ASSERT_EQ(step(car.drive.model, fleet.settings, car.state, car.ws).status,
                    StepStatus::converged);
        State beside = car.state;
        batch.take(static_cast<int>(k), beside);
        EXPECT_LT((beside.z - car.state.z).cwiseAbs().maxCoeff(), 1e-10);
        EXPECT_LT((beside.zd - car.state.zd).cwiseAbs().maxCoeff(), 1e-8);
      }
    }
}

TEST(RoadPlane, OfAWheelThatIsNotThereIsRefused) {
  const Vehicle sedan = read_model("sedan.xml");
  EXPECT_THAT([&] { Session(sedan, scenario_of("<road_plane wheel=\"spare\"/>")); },
              testing::ThrowsMessage<ModelError>(testing::HasSubstr("no wheel of this name")));
}

}  // namespace
}  // namespace semirec::test
