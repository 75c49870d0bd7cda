#include "tests/support/text_drive.hpp"

#include <algorithm>
#include <complex>
#include <stdexcept>

#include <gtest/gtest.h>

#include "integrator/report.hpp"
#include "integrator/statics/linearization.hpp"
#include "integrator/step.hpp"
#include "tests/support/eigen_system.hpp"
#include "vehicles/files/xml/reader.hpp"

namespace semirec::test {

ShippedDrive start_text(const std::string& mechanism, const std::string& run,
                        Formulation formulation, const std::function<void(Scenario&)>& change) {
  DriveDescription read;
  read.vehicle =
      read_vehicle_text(mechanism, std::string(SEMIREC_SOURCE_DIR) + "/vehicles/models/text.xml");
  read.scenario = read_scenario_text("<scenario name=\"text\" version=\"1\"><run until=\"1\" " +
                                         run + "/><start from=\"design\"/></scenario>",
                                     "text.xml");
  if (change) change(read.scenario);
  Drive drive = make_drive(read, {.formulation = formulation});
  Workspace ws(drive.model);
  State state = start_drive(drive, ws);
  return {std::move(drive), std::move(ws), std::move(state)};
}

void drive_to(ShippedDrive& drive, double end) {
  const StepSettings& settings = drive.drive.settings.step;
  while (drive.state.t < end - 0.5 * settings.h) {
    const StepReport report = step(drive.drive.model, settings, drive.state, drive.ws);
    if (report.status != StepStatus::converged)
      throw std::runtime_error("a step fails at " + std::to_string(drive.state.t));
  }
}

void expect_eigenvalues(ShippedDrive& drive, const Eigen::MatrixXd& known) {
  const LinearSystem system = linearize(drive.drive.model, drive.state, {}, drive.ws);
  ASSERT_EQ(system.A.rows(), known.rows());
  const Eigen::VectorXcd own = find_eigen_system(system.A).values;
  const Eigen::VectorXcd expected = find_eigen_system(known).values;
  for (const auto& value : expected) {
    double nearest = 1e300;
    for (const auto& found : own) nearest = std::min(nearest, std::abs(found - value));
    EXPECT_LT(nearest, 1e-5 * std::abs(value)) << value;
  }
}

}  // namespace semirec::test
