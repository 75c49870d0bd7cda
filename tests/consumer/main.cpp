// A project outside semirec: builds a pendulum through the installed headers, swings it for a
// second and compares it with itself at half the step.
#include <cmath>
#include <cstdio>
#include <numbers>

#include "integrator/batch/batch.hpp"
#include "integrator/compile.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "integrator/step.hpp"
#include "vehicles/session/drive.hpp"

namespace {

semirec::Mechanism make_pendulum() {
  using namespace semirec;
  Mechanism mechanism;
  mechanism.name = "pendulum";
  Body bob;
  bob.name = "bob";
  bob.mass = 1.0;
  bob.X_WB.p = Eigen::Vector3d(0.0, 0.0, -1.0);
  Joint pin;
  pin.name = "pin";
  pin.type = JointType::revolute;
  pin.a.X_BF = make_frame(Eigen::Vector3d::Zero(), Eigen::Vector3d::UnitY());
  pin.b.body = 0;
  pin.b.X_BF = inverse(bob.X_WB) * pin.a.X_BF;
  pin.position = {std::numbers::pi / 3.0};
  mechanism.bodies.push_back(bob);
  mechanism.joints.push_back(pin);
  return mechanism;
}

double angle_after_a_second(const semirec::Model& model, double h) {
  semirec::Workspace workspace(model);
  semirec::State state = semirec::make_initial_state(model);
  semirec::StepSettings settings;
  settings.h = h;
  semirec::initialize(model, settings, state, workspace);
  while (state.t < 1.0 - 0.5 * h) {
    const semirec::StepReport report = semirec::step(model, settings, state, workspace);
    if (report.status != semirec::StepStatus::converged) return NAN;
  }
  return state.z[0];
}

}  // namespace

int main() {
  const semirec::Model model = semirec::compile(make_pendulum());
  const double coarse = angle_after_a_second(model, 2e-3);
  const double fine = angle_after_a_second(model, 1e-3);
  std::printf("angle after a second: %.9f rad at 2 ms, %.9f rad at 1 ms\n", coarse, fine);
  if (!semirec::batch_fault(model, model).empty()) return 1;
  return std::abs(coarse - fine) < 1e-4 && std::abs(fine) < 1.1 ? 0 : 1;
}
