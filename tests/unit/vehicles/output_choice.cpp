// Outputs by choice against all outputs of the same session, to the bit: whatever a choice leaves
// out must not have been needed.
#include <cstring>
#include <memory>
#include <numeric>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/sessions.hpp"
#include "vehicles/files/xml/reader.hpp"

namespace semirec::test {
namespace {

struct Driven {
  const char* name;
  const char* vehicle;
  const char* scenario;
  const char* effort = nullptr;  ///< an input that moves something
  Formulation formulation = Formulation::hybrid;
};
std::ostream& operator<<(std::ostream& out, const Driven& driven) { return out << driven.name; }

class OutputsByChoice : public testing::TestWithParam<Driven> {
 protected:
  /// Half a second into the scenario, all that can be recorded among the outputs.
  void SetUp() override {
    const std::string root = std::string(SEMIREC_SOURCE_DIR) + "/";
    DriveDescription read = read_drive(root + GetParam().vehicle, root + GetParam().scenario);
    SessionSettings settings;
    settings.compile.formulation = GetParam().formulation;
    for (const Body& body : read.vehicle.mechanism.bodies)
      read.scenario.bodies.push_back(body.name);
    for (const Joint& joint : read.vehicle.mechanism.joints)
      read.scenario.reactions.push_back(joint.name);
    if (GetParam().effort != nullptr) read.scenario.efforts.emplace_back(GetParam().effort);
    session = std::make_unique<Session>(read, settings);
    for (int k = 0; k < 500; ++k) ASSERT_EQ(session->step(), StepStatus::converged) << k;
    all.resize(session->outputs().size());
    session->read_outputs(all.data());
  }
  /// Whether the outputs of a choice have the bits of all outputs.
  void expect_same(Session& car, const std::vector<std::size_t>& outputs) const {
    std::vector<double> values(outputs.size());
    car.read_outputs(car.choose_outputs(outputs), values.data());
    for (std::size_t k = 0; k < outputs.size(); ++k)
      EXPECT_EQ(std::memcmp(&values[k], &all[outputs[k]], sizeof(double)), 0)
          << session->outputs()[outputs[k]].name << ": " << values[k] << ", expected "
          << all[outputs[k]];
  }

  std::unique_ptr<Session> session;
  std::vector<double> all;
};

INSTANTIATE_TEST_SUITE_P(
    All, OutputsByChoice,
    testing::Values(
        Driven{"sedan", "vehicles/models/sedan.xml", "vehicles/scenarios/step_steer.xml",
               "steering"},
        Driven{"iltis", "vehicles/models/iltis.xml", "vehicles/scenarios/bump_5.xml", "rack"},
        Driven{"car26", "vehicles/models/car26.xml", "vehicles/scenarios/shaker.xml"},
        Driven{"puma", "vehicles/models/puma.xml", "vehicles/scenarios/puma_manoeuvre.xml"},
        Driven{"iltis_global", "vehicles/models/iltis.xml", "vehicles/scenarios/bump_5.xml", "rack",
               Formulation::global}),
    [](const auto& test) { return std::string(test.param.name); });

TEST_P(OutputsByChoice, OfOneAloneHaveTheBitsOfAllInACarThatHasEvaluatedNothingElse) {
  // in a copy nothing is left from an evaluation of all; one a part of the recorder would do
  for (std::size_t k = 0; k < all.size(); k += 7) {
    Session fresh(*session);
    expect_same(fresh, {k});
  }
}

TEST_P(OutputsByChoice, InAnyOrderAndTwiceHaveTheBitsOfAll) {
  std::vector<std::size_t> outputs;
  const std::size_t count = all.size();
  for (std::size_t k = 0; k < 20; ++k) outputs.push_back((k * 37 + 11) % count);
  outputs.push_back(outputs.front());
  Session fresh(*session);
  expect_same(fresh, outputs);
  std::vector<std::size_t> each(count);
  std::iota(each.rbegin(), each.rend(), std::size_t{0});
  expect_same(fresh, each);
  expect_same(fresh, {});
}

TEST_P(OutputsByChoice, OfAnIndexThatThereIsNotAreRefused) {
  EXPECT_THROW(static_cast<void>(session->choose_outputs({all.size()})), ModelError);
}

}  // namespace
}  // namespace semirec::test
