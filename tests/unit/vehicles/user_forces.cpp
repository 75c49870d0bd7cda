// Force elements of the test's own in a shipped car, against the loads of the file and against what
// their definition says.

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "integrator/simulation.hpp"
#include "tests/support/expect_close.hpp"
#include "topology/fingerprint.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/session/session.hpp"

namespace semirec::test {
namespace {

constexpr double kPush = 900.0;      // N
constexpr double kSkyhook = 3000.0;  // N s/m

std::string shipped_file(const std::string& name) {
  return std::string(SEMIREC_SOURCE_DIR) + "/vehicles/" + name;
}

/// A constant force along the world's y at the centre of mass of a body. Channel `<name>.force`.
class SidePush final : public ForceElement {
 public:
  SidePush(std::string name, BodyIndex body, double size)
      : ForceElement(std::move(name), {}), body_(body), size_(size) {}
  void bind(const Mechanism& mechanism, TreeModel& model) override {
    Marker marker;
    marker.body = body_;
    marker.X_BF.p = mechanism.bodies[static_cast<std::size_t>(body_)].com;
    centre_ = model.attach(marker);
  }
  void add_forces(const ForceInput& in, ForceSink& out) const override {
    out.add_wrench(centre_.body, size_ * line(in));
  }
  ForcePower report(const ForceInput& in, double* values) const override {
    if (values != nullptr) values[0] = size_;
    return {0.0, 0.0, size_ * line(in).dot(in.velocity_of(centre_.body))};
  }
  std::vector<Channel> channels() const override { return {{name() + ".force", "N"}}; }
  void put_into(Fingerprint& fingerprint) const override { fingerprint(body_, size_); }

 private:
  Vector6 line(const ForceInput& in) const {
    return make_line(in.position_of(centre_), Eigen::Vector3d::UnitY());
  }
  BodyIndex body_;
  double size_;
  Attachment centre_;
};

/// Damps the vertical velocity of the centre of mass of a body against the world; counts the time
/// for which it acts in a state of its own. Channels `skyhook.{force,velocity}`.
class Skyhook final : public ForceElement {
 public:
  explicit Skyhook(BodyIndex body) : ForceElement("skyhook", {}), body_(body) {}
  void bind(const Mechanism& mechanism, TreeModel& model) override {
    Marker marker;
    marker.body = body_;
    marker.X_BF.p = mechanism.bodies[static_cast<std::size_t>(body_)].com;
    centre_ = model.attach(marker);
    connection_ = model.connect(kGround, body_);
  }
  int state_count() const override { return 1; }
  void add_forces(const ForceInput& in, ForceSink& out) const override {
    update_states(in, out);
    out.add_line_force(connection_, line(in), kSkyhook * velocity(in), 0.0, kSkyhook);
  }
  void update_states(const ForceInput& in, StateSink& out) const override {
    out.set_x(0, in.x_hat(0) + in.gain() * (in.xd_hat(0) + 1.0));
    out.set_xd(0, 1.0);
  }
  ForcePower report(const ForceInput& in, double* values) const override {
    const double v = velocity(in);
    if (values != nullptr) {
      values[0] = -kSkyhook * v;
      values[1] = v;
    }
    return {0.0, kSkyhook * v * v, 0.0};
  }
  std::vector<Channel> channels() const override {
    return {{name() + ".force", "N"}, {name() + ".velocity", "m/s"}};
  }

 private:
  Vector6 line(const ForceInput& in) const {
    return make_line(in.position_of(centre_), Eigen::Vector3d::UnitZ());
  }
  double velocity(const ForceInput& in) const { return line(in).dot(in.velocity_of(centre_.body)); }
  BodyIndex body_;
  Attachment centre_;
  int connection_ = -1;
};

using Elements = std::vector<std::unique_ptr<ForceElement>>;

Elements push_elements(const Vehicle& vehicle) {
  Elements elements;
  elements.push_back(std::make_unique<SidePush>("gust", vehicle.chassis, kPush));
  return elements;
}

Elements skyhook_elements(const Vehicle& vehicle) {
  Elements elements;
  elements.push_back(std::make_unique<Skyhook>(vehicle.chassis));
  return elements;
}

/// The same force as a load that the file describes.
Vehicle with_load(Vehicle vehicle) {
  Mechanism& m = vehicle.mechanism;
  m.inputs.push_back({"gust_size", Curve::constant(kPush), {}});
  AppliedLoad load;
  load.name = "gust_load";
  load.at.body = vehicle.chassis;
  load.at.X_BF.p = m.bodies[static_cast<std::size_t>(vehicle.chassis)].com;
  load.direction = Eigen::Vector3d::UnitY();
  load.input = static_cast<InputIndex>(m.inputs.size()) - 1;
  m.loads.push_back(load);
  return vehicle;
}

/// The sedan in the step steer, by one formulation.
struct PushedSedan {
  Scenario scenario = read_scenario(shipped_file("scenarios/step_steer.xml"));
  Vehicle vehicle = read_vehicle(shipped_file("models/sedan.xml"), scenario.overrides);
};

State drive_for(Drive drive, double until) {
  Workspace ws(drive.model);
  State state = start_drive(drive, ws);
  drive.settings.until = until;
  const RunReport report = run(drive.model, drive.settings, state, ws);
  EXPECT_EQ(report.status, RunStatus::finished);
  return state;
}

class UserForces : public testing::TestWithParam<Formulation> {};

TEST_P(UserForces, PushesTheCarLikeTheLoadOfTheFile) {
  const PushedSedan sedan;
  const CompileSettings settings{.formulation = GetParam()};
  const State own = drive_for(
      make_drive(sedan.vehicle, sedan.scenario, settings, push_elements(sedan.vehicle)), 0.2);
  const State load = drive_for(make_drive(with_load(sedan.vehicle), sedan.scenario, settings), 0.2);
  // the same sums in another order, and a Newton iteration that ends at 1e-10: of 4 m and 20 m/s
  expect_close(own.z, load.z, 0.0, 1e-8);
  expect_close(own.zd, load.zd, 0.0, 1e-6);
  const State without = drive_for(make_drive(sedan.vehicle, sedan.scenario, settings), 0.2);
  EXPECT_GT((own.z - without.z).cwiseAbs().maxCoeff(), 1e-3);
}

INSTANTIATE_TEST_SUITE_P(All, UserForces, testing::ValuesIn(all_formulations()),
                         [](const auto& test) { return std::string(name_of(test.param)); });

TEST(UserForcesOfASession, ReportTheirChannelsAndCarryTheirStates) {
  const PushedSedan sedan;
  Session session(sedan.vehicle, sedan.scenario, {}, skyhook_elements(sedan.vehicle));
  const int force = session.find_output("skyhook.force");
  const int velocity = session.find_output("skyhook.velocity");
  const int sensor = session.find_output("imu.vz");  // at the chassis' centre of mass
  ASSERT_GE(force, 0);
  ASSERT_GE(velocity, 0);
  ASSERT_GE(sensor, 0);
  const auto states = session.state().x.size();
  EXPECT_EQ(states, Session(sedan.vehicle, sedan.scenario).state().x.size() + 1);
  std::vector<double> values(session.outputs().size());
  for (int k = 0; k < 300; ++k) ASSERT_EQ(session.step(), StepStatus::converged);
  session.read_outputs(values.data());
  const auto value = [&](int output) { return values[static_cast<std::size_t>(output)]; };
  // round-off of velocities that add up to 20 m/s
  EXPECT_NEAR(value(velocity), value(sensor), 1e-13);
  EXPECT_NEAR(value(force), -kSkyhook * value(sensor), 1e-9);
  EXPECT_NE(value(force), 0.0);
  // xd = 1: the time
  bool counted = false;
  for (const double x : session.state().x) counted = counted || std::abs(x - 0.3) < 1e-12;
  EXPECT_TRUE(counted);
}

TEST(UserForcesOfASession, AreNoPartOfASessionWithoutThem) {
  const PushedSedan sedan;
  Session own(sedan.vehicle, sedan.scenario, {}, push_elements(sedan.vehicle));
  ASSERT_EQ(own.step(), StepStatus::converged);
  std::vector<std::byte> saved(own.saved_size());
  own.save(saved.data());
  Session same(sedan.vehicle, sedan.scenario, {}, push_elements(sedan.vehicle));
  EXPECT_EQ(same.restore(saved.data(), saved.size()), RestoreStatus::restored);
  Session plain(sedan.vehicle, sedan.scenario);
  EXPECT_EQ(plain.restore(saved.data(), saved.size()), RestoreStatus::other_model);
}

TEST(UserForcesOfASession, BringTheirNumbersToASavedState) {
  const PushedSedan sedan;
  const auto pushed = [&](double size) {
    std::vector<std::unique_ptr<ForceElement>> elements;
    elements.push_back(std::make_unique<SidePush>("push", sedan.vehicle.chassis, size));
    return Session(sedan.vehicle, sedan.scenario, {}, std::move(elements));
  };
  Session own = pushed(900.0);
  std::vector<std::byte> saved(own.saved_size());
  own.save(saved.data());
  EXPECT_EQ(pushed(900.0).restore(saved.data(), saved.size()), RestoreStatus::restored);
  EXPECT_EQ(pushed(901.0).restore(saved.data(), saved.size()), RestoreStatus::other_model);
}

}  // namespace
}  // namespace semirec::test
