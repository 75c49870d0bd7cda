#include "tests/support/drives.hpp"

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "vehicles/files/xml/reader.hpp"

namespace semirec::test {

ShippedDrive start_shipped(const std::string& model, const std::string& scenario,
                           const std::vector<std::string>& overrides,
                           const std::function<void(Scenario&)>& change, Formulation formulation) {
  const std::string folder = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/";
  std::vector<Override> parsed;
  for (const std::string& text : overrides) parsed.push_back(parse_override(text));
  DriveDescription read =
      read_drive(folder + "models/" + model, folder + "scenarios/" + scenario, parsed);
  if (change) change(read.scenario);
  Drive drive = make_drive(read, {.formulation = formulation});
  Workspace ws(drive.model);
  State state = start_drive(drive, ws);
  return {std::move(drive), std::move(ws), std::move(state)};
}

double channel(ShippedDrive& drive, const std::string& name) {
  const Recorder recorder(drive.drive.model, drive.drive.recorder);
  std::vector<double> values;
  recorder.record(drive.drive.model, drive.state, drive.ws, values);
  for (std::size_t k = 0; k < values.size(); ++k)
    if (recorder.channels()[k].name == name) return values[k];
  throw std::invalid_argument("no channel " + name);
}

std::vector<std::vector<double>> read_table(const std::string& name) {
  std::ifstream file(std::string(SEMIREC_SOURCE_DIR) + "/tests/data/" + name);
  if (!file) throw std::invalid_argument("no table " + name);
  std::vector<std::vector<double>> rows;
  std::string line;
  int header = 0;
  while (std::getline(file, line)) {
    if (line.starts_with('#')) continue;
    if (header++ < 2) continue;
    std::vector<double> row;
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) row.push_back(std::stod(cell));
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace semirec::test
