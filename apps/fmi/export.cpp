#include "apps/fmi/export.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "apps/fmi/car_files.hpp"
#include "apps/fmi/icon.hpp"
#include "apps/fmi/licences.hpp"
#include "apps/fmi/model_description.hpp"
#include "apps/fmi/terminals.hpp"
#include "apps/fmi/tunable.hpp"
#include "apps/fmi/variable_name.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/session/fingerprint.hpp"

namespace semirec::fmi {

namespace {

namespace fs = std::filesystem;

/// A folder of its own that goes when it is left.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::error_code error;
    path_ = (fs::temp_directory_path(error) / "semirec-fmu-XXXXXX").string();
    if (error)
      throw CannotWrite("the folder for temporary files: " + error.message() +
                        ", expected TMPDIR to name one that is there");
    if (mkdtemp(path_.data()) == nullptr)
      throw CannotWrite("folder '" + path_ + "' cannot be made, expected room for temporary files");
  }
  ~ScratchFolder() {
    std::error_code error;
    fs::remove_all(path_, error);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

void write_file(const fs::path& path, const std::string& bytes) {
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) throw CannotWrite(path.string() + ": cannot be written, expected room on the disk");
}

/// The car's files as they are saved, in the folder and here.
std::vector<ArchiveFile> copy_files(const CarFiles& car, const std::string& folder) {
  std::vector<ArchiveFile> copied;
  for (const CarFile& file : car.files) {
    copied.emplace_back(file.name, saved_bytes(file));
    write_file(fs::path(folder) / file.name, copied.back().second);
  }
  return copied;
}

std::uint64_t fingerprint_of(const DriveDescription& read, const Session& session) {
  return fingerprint(read.vehicle, read.scenario, session.drive());
}

void expect_same_car(const DriveDescription& read, const Session& original,
                     const DriveDescription& copied, const Session& copy,
                     const std::string& vehicle) {
  if (fingerprint_of(copied, copy) != fingerprint_of(read, original))
    throw ModelError({vehicle, 1}, "export",
                     "is another car when its files are copied into one folder, expected paths "
                     "without links");
}

/// The time at which an importer stops unless it knows better.
double stop_of(const Scenario& scenario) {
  constexpr double kWithoutScenario = 10.0;
  return scenario.until > 0.0 ? scenario.until : kWithoutScenario;
}

}  // namespace

std::vector<ArchiveFile> save_car(const std::string& vehicle, const std::string& scenario) {
  const DriveDescription read = read_drive(vehicle, scenario, {});
  const Session original(read);
  const CarFiles car = find_car_files(vehicle, scenario, read.vehicle.overrides);
  const ScratchFolder folder;
  std::vector<ArchiveFile> files = copy_files(car, folder.path());
  const auto path_of = [&](const std::string& name) {
    return name.empty() ? "" : folder.path() + '/' + name;
  };
  const DriveDescription copied = read_drive(path_of(car.vehicle), path_of(car.scenario), {});
  const Session copy(copied);
  expect_same_car(read, original, copied, copy, vehicle);
  return files;
}

Fmu make_fmu(const ExportSettings& settings) {
  Package package;
  package.sets = settings.sets;
  const DriveDescription read =
      read_drive(settings.vehicle, settings.scenario, find_overrides(package));
  const CarFiles files =
      find_car_files(settings.vehicle, settings.scenario, read.vehicle.overrides);
  package.vehicle = files.vehicle;
  package.scenario = files.scenario;
  package.step = settings.step.value_or(read.scenario.step);
  // what cannot be driven is refused by the names of these files, not by those of the copy
  const Session original(read, session_settings(package));

  // a copy, alone in a folder
  const ScratchFolder folder;
  Fmu fmu;
  std::vector<ArchiveFile> resources;
  for (auto& [name, bytes] : copy_files(files, folder.path())) {
    if (name.find('\\') != std::string::npos)
      throw ModelError("file '" + name +
                       "' has a backslash in its name, which no archive may have, expected another "
                       "name");
    package.files.push_back(name);
    resources.emplace_back("resources/" + name, std::move(bytes));
  }

  // and it is the same car
  const DriveDescription copied = read_car(package, folder.path(), {}, {});
  const Session session(copied, session_settings(package));
  expect_same_car(read, original, copied, session, settings.vehicle);

  package.tunable = find_tunable(package, folder.path(), find_parameters(package, folder.path()));
  const std::vector<Parameter> parameters = find_parameters(package, folder.path());
  resources.emplace_back(std::string("resources/") + kPackageFile, package_text(package));

  ModelDescription model;
  model.name = read.vehicle.mechanism.name;
  model.identifier = model_identifier(model.name);
  model.token = find_token(package, folder.path());
  model.description = "Multibody model of the vehicle '" + model.name + "'";
  if (!settings.scenario.empty()) model.description += " in '" + read.scenario.name + "'";
  model.step = package.step;
  model.stop = stop_of(read.scenario);
  model.variables = make_variables(session, parameters);

  const char* platform = settings.version == 3 ? "x86_64-linux" : "linux64";
  fmu.files.emplace_back("modelDescription.xml", model_description_xml(model, settings.version));
  fmu.files.emplace_back(std::string("binaries/") + platform + '/' + model.identifier + ".so",
                         read_file(settings.library));
  fmu.files.emplace_back("documentation/licenses/license.txt", kLicences);
  const std::string icon = car_icon(read.vehicle);
  if (settings.version == 3) {
    const std::string beside = "terminalsAndIcons/";
    fmu.files.emplace_back(
        beside + "terminalsAndIcons.xml",
        terminals_and_icons_xml(find_terminals(read.vehicle, model.variables), !icon.empty()));
    if (!icon.empty()) fmu.files.emplace_back(beside + "icon.png", icon);
  } else if (!icon.empty()) {
    fmu.files.emplace_back("model.png", icon);
  }
  fmu.files.insert(fmu.files.end(), resources.begin(), resources.end());
  fmu.name = model.name;
  fmu.token = model.token;
  for (const Variable& variable : model.variables) {
    fmu.parameters += variable.causality == Causality::parameter ? 1 : 0;
    fmu.inputs += variable.causality == Causality::input ? 1 : 0;
    fmu.outputs += variable.causality == Causality::output ? 1 : 0;
  }
  fmu.notes = session.notes();
  for (const Input& input : session.inputs())
    if (input.name == kHeldPlace)
      fmu.notes.push_back("the scenario holds the speed: '" + input.name +
                          "', where the chassis has to be, is no input of the FMU");
  return fmu;
}

}  // namespace semirec::fmi
