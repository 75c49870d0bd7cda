#include "apps/fmi/export.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>

#include "apps/cli/commands.hpp"
#include "apps/cli/output.hpp"
#include "apps/cli/terminal.hpp"
#include "apps/fmi/package.hpp"
#include "vehicles/files/xml/saved_tree.hpp"

namespace semirec::cli {

namespace {

namespace fs = std::filesystem;

struct SaveOptions {
  Files files;
  std::string out;
  bool overwrite = false;
};

struct ExportOptions {
  Files files;
  std::string out, unpacked, library;
  std::optional<double> step;
  int version = 3;
  bool overwrite = false;
};

/// The FMU's library: beside a program that is built, or installed with it.
std::string find_library(const std::string& given) {
  std::error_code error;
  if (!given.empty()) {
    if (!fs::is_regular_file(given, error))
      throw ModelError("--library '" + given + "' is no file, expected the library of an FMU");
    return given;
  }
  const fs::path bin = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const char* place :
       {"../lib/libsemirec_fmu.so", "../" SEMIREC_LIBDIR "/semirec/libsemirec_fmu.so"})
    if (fs::is_regular_file(bin / place, error)) return (bin / place).string();
  throw ModelError(
      "libsemirec_fmu.so is not where it is built or installed, expected it there "
      "(in a build tree: scripts/build semirec_fmu) or --library FILE");
}

/// A description is not replaced by its own saved form, whatever --overwrite says; nothing else
/// without it, and no folder, link to nothing or device ever. Throws ModelError.
void refuse_to_replace(const fs::path& folder, const std::string& name, const std::string& bytes,
                       bool overwrite) {
  const auto refuse = [](const fs::path& path, const std::string& what) {
    throw ModelError(path.string() + ": " + what);
  };
  std::error_code error;
  const fs::path path = folder / name;
  fs::path inner = folder;
  for (const fs::path& part : fs::path(name).parent_path()) {
    inner /= part;
    if (fs::exists(fs::symlink_status(inner, error)) && !fs::is_directory(inner, error))
      refuse(inner, "is no folder, expected one or a free name");
  }
  if (!fs::exists(fs::symlink_status(path, error))) return;
  if (!fs::is_regular_file(path, error)) refuse(path, "is no file, expected one or a free name");
  if (is_saved_tree(bytes) && !is_saved_tree(fmi::read_file(path.string())))
    refuse(path,
           "is no saved description, expected another folder: one that has this name there would "
           "be replaced");
  if (!overwrite) refuse(path, "is already there, expected another folder or --overwrite");
}

/// Writes files into a folder in which a file called `first` tells that they are there.
int write_tree(const std::vector<fmi::ArchiveFile>& files, const fs::path& folder, bool overwrite,
               const std::string& first) {
  for (const auto& [name, bytes] : files) refuse_to_replace(folder, name, bytes, overwrite);
  const OutputFolder output(folder, overwrite,
                            [&](const std::string& name) { return name == first; });
  for (const auto& [name, bytes] : files) {
    std::error_code error;
    fs::create_directories((folder / name).parent_path(), error);
    OutputFile file(folder / name, overwrite);
    if (!file.write(bytes) || !file.finish()) {
      complain("{}\n", file.trouble());
      return kCannotWrite;
    }
  }
  return kDone;
}

int export_fmu_command(const ExportOptions& options) {
  if (options.version != 2 && options.version != 3)
    throw ModelError(fmt::format("--fmi is {}, expected 2 or 3", options.version));
  if (options.out.empty() == options.unpacked.empty())
    throw ModelError("one of --out and --unpacked is expected");
  fmi::ExportSettings settings;
  settings.vehicle = options.files.vehicle;
  settings.scenario = options.files.scenario;
  settings.sets = options.files.overrides;
  settings.step = options.step;
  settings.version = options.version;
  settings.library = find_library(options.library);
  std::optional<OutputFile> file;
  if (!options.out.empty()) file.emplace(options.out, options.overwrite);
  const fmi::Fmu fmu = fmi::make_fmu(settings);
  for (const std::string& note : fmu.notes) complain("note: {}\n", note);
  if (file) {
    if (!file->write(fmi::make_zip(fmu.files)) || !file->finish()) {
      complain("{}\n", file->trouble());
      return kCannotWrite;
    }
  } else if (const int code =
                 write_tree(fmu.files, options.unpacked, options.overwrite, "modelDescription.xml");
             code != kDone) {
    return code;
  }
  say("{}: {} for FMI {}.0, {} inputs, {} parameters, {} outputs, {} files\n",
      file ? options.out : options.unpacked, fmu.name, options.version, fmu.inputs, fmu.parameters,
      fmu.outputs, fmu.files.size());
  return kDone;
}

int export_car_command(const SaveOptions& options) {
  const std::vector<fmi::ArchiveFile> files =
      fmi::save_car(options.files.vehicle, options.files.scenario);
  const std::string& first = files.front().first;
  const int code =
      write_tree(files, options.out, options.overwrite, first.substr(0, first.find('/')));
  if (code == kDone) say("{}: {} files\n", options.out, files.size());
  return code;
}

template <typename Task>
int or_cannot_write(const Task& task) {
  try {
    return task();
  } catch (const fmi::CannotWrite& trouble) {
    complain("{}\n", trouble.what());
    return kCannotWrite;
  }
}

}  // namespace

void register_export(Command& app, int& exit_code) {
  Command* parent = app.add_subcommand("export", "write a vehicle for other programs");
  parent->require_subcommand(1);
  auto saved = std::make_shared<SaveOptions>();
  Command* car = parent->add_subcommand("car",
                                        "its files for libsemirec_core.so, which reads no XML and "
                                        "loads anywhere; values are replaced "
                                        "by <set> in the scenario");
  add_named_files(*car, saved->files, false);
  car->add_option("--out", saved->out, "folder to write into")->type_name("FOLDER")->required();
  car->add_flag("--overwrite", saved->overwrite, "replace what is already there");
  car->callback([saved, &exit_code] {
    exit_code = or_cannot_write([&] { return export_car_command(*saved); });
  });

  auto options = std::make_shared<ExportOptions>();
  Command* command = parent->add_subcommand(
      "fmu", "a functional mock-up unit for co-simulation (FMI 3.0 or 2.0), x86_64-linux");
  add_files(*command, options->files, false);
  command->add_option("--out", options->out, "archive to write (.fmu)")->type_name("FILE");
  command
      ->add_option("--unpacked", options->unpacked,
                   "folder to write the archive's files into, instead of --out")
      ->type_name("FOLDER");
  command->add_option("--fmi", options->version, "version of the standard: 3 or 2")
      ->capture_default_str();
  command->add_option("--step", options->step, "time step in s; without it that of the scenario");
  command
      ->add_option("--library", options->library,
                   "library to put in; without it the one that was built or installed with this "
                   "program")
      ->type_name("FILE");
  command->add_flag("--overwrite", options->overwrite, "replace what is already there");
  command->callback([options, &exit_code] {
    exit_code = or_cannot_write([&] { return export_fmu_command(*options); });
  });
}

}  // namespace semirec::cli
