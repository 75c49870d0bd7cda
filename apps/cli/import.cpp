#include "vehicles/files/chrono/import.hpp"

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "apps/cli/commands.hpp"
#include "apps/cli/info_page.hpp"
#include "apps/cli/output.hpp"
#include "apps/cli/report_output.hpp"
#include "apps/cli/terminal.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/session/drive.hpp"

namespace semirec::cli {

namespace {

namespace fs = std::filesystem;

struct ChronoFiles {
  chrono::ImportOptions options;
  std::string data;
  std::string out;
  std::string report;
  bool force = false;
  bool plain = false;
};

/// An engine and its transmission go together.
void check_options(const ChronoFiles& files) {
  const bool engine = !files.options.engine.empty();
  const bool transmission = !files.options.transmission.empty();
  if (engine != transmission)
    throw ModelError(engine ? "--engine stands without --transmission, expected both or none"
                            : "--transmission stands without --engine, expected both or none");
}

/// Throws ModelError where a file to be written is one of those that were read, --force or not.
void check_places(const ChronoFiles& files, const chrono::JsonFolder& sources,
                  const fs::path& property) {
  const std::array<std::pair<const char*, std::string>, 3> written{
      {{"--out", files.out},
       {"--report", files.report},
       {"--out, with the tyre beside it,", property.string()}}};
  for (const auto& [option, path] : written)
    for (const std::string& source : sources.places())
      if (!path.empty() && is_same_place(path, source))
        throw ModelError(std::string(option) + " is '" + path +
                         "', which is read too, expected another name");
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    text.replace(at, from.size(), to);
    at += to.size();
  }
}

/// The imported vehicle where it stands, and what the import has to say.
report::Report make_import_page(const ChronoFiles& files, const chrono::ImportedVehicle& imported,
                                const DriveDescription& loaded, const Drive& drive,
                                const State& state, Workspace& ws) {
  const int rank = find_closure_rank(drive.model, state, ws).rank;
  report::Report page =
      make_info_page("import", {files.out, {}, {}}, loaded, drive, state, rank, ws);
  page.title = drive.model.mechanism.name + ": imported";
  page.subtitle = files.options.vehicle + " as " + files.out;
  page.notes.insert(page.notes.begin(), imported.notes.begin(), imported.notes.end());
  return page;
}

int import_chrono_command(const ChronoFiles& files) {
  check_options(files);
  const fs::path out(files.out);
  if (fs::exists(fs::symlink_status(out)) && !files.force)
    throw ModelError("--out '" + files.out + "' exists already; --force replaces it");
  const std::string data =
      files.data.empty() ? chrono::find_data_folder(files.options.vehicle) : files.data;
  if (!fs::is_directory(data))
    throw ModelError("--data '" + data + "' is no folder, expected the root of data files");
  const fs::path folder = out.has_parent_path() ? out.parent_path() : fs::path(".");
  if (!fs::is_directory(folder))
    throw ModelError("--out '" + files.out + "' lies in a folder that does not exist");
  chrono::ImportOptions options = files.options;
  options.xml_folder = folder.string();
  options.with_drive = !files.plain;
  options.property_file = out.stem().string() + "_tyre.tir";
  if (fs::is_directory(out)) {
    complain("--out '{}' cannot be written, it is a folder\n", files.out);
    return kCannotWrite;
  }
  OutputFile file(out, files.force);
  const std::unique_ptr<ReportFile> page = open_report(files.report, files.force);
  report::Report content;
  const chrono::JsonFolder sources(data);
  const chrono::ImportedVehicle vehicle = chrono::import_vehicle(sources, options);
  check_places(files, sources,
               vehicle.property_text.empty() ? fs::path() : folder / options.property_file);
  for (const std::string& note : vehicle.notes) complain("{}\n", note);
  std::optional<OutputFile> property;
  std::string text = vehicle.xml;
  if (!vehicle.property_text.empty()) {
    property.emplace(folder / options.property_file, files.force);
    if (!property->write(vehicle.property_text) || !property->close()) {
      complain("{}\n", property->trouble());
      return kCannotWrite;
    }
    replace_all(text, options.property_file, property->part().filename().string());
  }
  // what the other commands would refuse is not written
  std::size_t notes = vehicle.notes.size();
  try {
    const DriveDescription at_rest{read_vehicle_text(text, files.out), {}};
    for (const std::string& note : at_rest.vehicle.notes) complain("{}\n", note);
    notes += at_rest.vehicle.notes.size();
    const Drive drive = make_drive(at_rest);
    Workspace ws(drive.model);
    const State state = start_drive(drive, ws);
    if (page) content = make_import_page(files, vehicle, at_rest, drive, state, ws);
  } catch (const ModelError& error) {
    throw ModelError("'" + options.vehicle +
                     "' gives a vehicle that `check` refuses, nothing is written: " + error.what());
  }
  if (property && !property->publish()) {
    complain("{}\n", property->trouble());
    return kCannotWrite;
  }
  if (!file.write(vehicle.xml) || !file.close() || !file.publish()) {
    complain("{}\n", file.trouble());
    return kCannotWrite;
  }
  say("{}: {:.6g} kg, {} notes\n", files.out, vehicle.mass, notes);
  if (!page) return kDone;
  const std::string trouble = page->write(content);
  if (!trouble.empty()) {
    complain("{}\n", trouble);
    return kCannotWrite;
  }
  say("  page        {}\n", page->path());
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
  command
      ->add_option("--report", files->report,
                   "HTML file to write: a page with the imported vehicle, its elements and the "
                   "notes; an existing file is kept unless --force is given")
      ->type_name("FILE");
  command->add_flag("--force", files->force, "replace existing files");
  command->add_flag("--plain", files->plain,
                    "wheels that carry a vertical load only, no brakes, no driveline");
  command->callback([files, &exit_code] { exit_code = import_chrono_command(*files); });
}

}  // namespace semirec::cli
