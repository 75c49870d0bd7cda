#include "vehicles/analysis/kc/compliance.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "topology/indices.hpp"

namespace semirec {

namespace {

constexpr double kZero = 1e-15;

}  // namespace

ComplianceMatrix find_compliance(const RigPoint& point, const Axle& axle, LoadPoint where,
                                 Workspace& ws) {
  ComplianceMatrix compliance;
  const std::array<int, 2> wheels{axle.left, axle.right};
  for (int load = 0; load < 12; ++load) {
    RigCommand rate = make_command(*point.rig);
    std::vector<Vector6>& loads = where == LoadPoint::contact ? rate.contact : rate.centre;
    loads[at(wheels[at(load / 6)])][load % 6] = 1.0;
    const RigResponse response = response_of(point, rate, ws);
    for (int side = 0; side < 2; ++side) {
      const int wheel = wheels[at(side)];
      const WheelReading& reading = point.reading.wheels[at(wheel)];
      const Vector6 twist = find_twist(*point.rig, point.state, response, wheel, ws);
      const Eigen::Vector3d& place = where == LoadPoint::contact ? reading.contact : reading.centre;
      compliance.block<3, 1>(6 * side, load) = velocity_at(twist, place);
      compliance.block<3, 1>(6 * side + 3, load) = twist.tail<3>();
    }
  }
  return compliance;
}

double asymmetry(const ComplianceMatrix& compliance) {
  double worst = 0.0;
  for (int i = 0; i < 12; ++i) {
    for (int j = 0; j < i; ++j) {
      const double size =
          std::sqrt(std::max(compliance(i, i), kZero) * std::max(compliance(j, j), kZero));
      const double off = std::abs(compliance(i, j) - compliance(j, i));
      if (off > kZero) worst = std::max(worst, off / size);
    }
  }
  return worst;
}

Table compliance_table(const std::string& name, const ComplianceMatrix& compliance) {
  Table table;
  table.name = name;
  table.columns.push_back({"load", "1"});
  for (const char* side : {"_left", "_right"})
    for (const char* what : {"x", "y", "z", "turn_x", "turn_y", "turn_z"})
      table.columns.push_back(
          {std::string(what) + side, what[0] == 't' ? "rad/N or rad/(N m)" : "m/N or m/(N m)"});
  for (int load = 0; load < 12; ++load) {
    std::vector<double> row{static_cast<double>(load + 1)};
    for (int k = 0; k < 12; ++k) row.push_back(compliance(k, load));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace semirec
