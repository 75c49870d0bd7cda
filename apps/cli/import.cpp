#include "vehicles/chrono/import.hpp"

#include <filesystem>
#include <fstream>

#include <fmt/core.h>

#include "apps/cli/commands.hpp"

namespace semirec::cli {

namespace {

namespace fs = std::filesystem;

struct ChronoFiles {
  chrono::ImportOptions options;
  std::string data;
  std::string out;
  bool force = false;
  bool plain = false;
};

int import_chrono_command(const ChronoFiles& files) {
  const fs::path out(files.out);
  if (fs::exists(out) && !files.force)
    throw ModelError("--out '" + files.out + "' exists already; --force replaces it");
  const std::string data =
      files.data.empty() ? chrono::find_data_folder(files.options.vehicle) : files.data;
  if (!fs::is_directory(data))
    throw ModelError("--data '" + files.data + "' is no folder, expected the root of data files");
  const fs::path folder = out.has_parent_path() ? out.parent_path() : fs::path(".");
  if (!fs::is_directory(folder))
    throw ModelError("--out '" + files.out + "' lies in a folder that does not exist");
  chrono::ImportOptions options = files.options;
  options.xml_folder = folder.string();
  options.with_drive = !files.plain;
  options.property_file = out.stem().string() + "_tyre.tir";
  const fs::path property = folder / options.property_file;
  const chrono::ImportedVehicle vehicle = chrono::import_vehicle(chrono::JsonFolder(data), options);
  if (!vehicle.property_text.empty()) {
    if (fs::exists(property) && !files.force)
      throw ModelError("'" + property.string() +
                       "', which the tyre needs, exists already; --force replaces it");
    std::ofstream tyre(property, std::ios::binary);
    tyre << vehicle.property_text;
    tyre.close();
    if (!tyre) {
      fmt::print(stderr, "'{}' cannot be written\n", property.string());
      return kCannotWrite;
    }
  }
  for (const std::string& note : vehicle.notes) fmt::print(stderr, "{}\n", note);
  std::ofstream file(out, std::ios::binary);
  file << vehicle.xml;
  file.close();
  if (!file) {
    fmt::print(stderr, "--out '{}' cannot be written\n", files.out);
    return kCannotWrite;
  }
  fmt::print("{}: {:.6g} kg, {} notes\n", files.out, vehicle.mass, vehicle.notes.size());
  return kDone;
}

}  // namespace

void register_import(Command& app, int& exit_code) {
  Command* import = app.add_subcommand("import", "write vehicle files from other programs' files");
  import->require_subcommand(1);
  auto files = std::make_shared<ChronoFiles>();
  Command* command = import->add_subcommand(
      "chrono",
      "Chrono::Vehicle JSON to a vehicle file; what is not covered is listed on stderr and at the "
      "head of the file");
  command->add_option("VEHICLE", files->options.vehicle, "JSON file of a wheeled vehicle")
      ->required();
  command->add_option("--data", files->data,
                      "folder in which the named files are; without it the lowest folder above "
                      "VEHICLE that holds them");
  command->add_option(
      "--tyre", files->options.tyre,
      "the tyre of all wheels: a JSON file (TMeasyTire, FialaTire, Pac02Tire; RigidTire for "
      "vertical loads only) or a property file (.tir)");
  command->add_option("--engine", files->options.engine, "JSON file of the engine");
  command->add_option("--transmission", files->options.transmission,
                      "JSON file of the transmission");
  command->add_option("--out", files->out, "vehicle file to be written (XML)")->required();
  command->add_flag("--force", files->force, "replace an existing file");
  command->add_flag("--plain", files->plain,
                    "wheels that carry a vertical load only, no brakes, no driveline");
  command->callback([files, &exit_code] { exit_code = import_chrono_command(*files); });
}

}  // namespace semirec::cli
