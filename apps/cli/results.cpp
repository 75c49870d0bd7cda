#include "apps/cli/results.hpp"

#include <unistd.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "topology/mechanism.hpp"

namespace semirec::cli {

namespace fs = std::filesystem;

void prepare_folder(const fs::path& folder, const std::vector<std::string>& files, bool overwrite) {
  const auto fail = [&](const std::string& message) {
    throw ModelError("output folder '" + folder.string() + "': " + message);
  };
  std::error_code error;
  if (fs::exists(folder, error) && !fs::is_directory(folder, error))
    fail("is a file, expected a folder or a name that is free");
  if (!overwrite)
    for (const std::string& name : files)
      if (fs::exists(folder / name, error))
        fail("already holds " + name + ", expected an empty folder or --overwrite");
  fs::create_directories(folder, error);
  if (error) fail("cannot be made (" + error.message() + "), expected a place that can be written");
  if (access(folder.c_str(), W_OK) != 0)
    fail("cannot be written, expected a folder with permission to write");
}

ResultFolder::ResultFolder(const fs::path& folder, bool overwrite) : folder_(folder) {
  prepare_folder(folder, {"results.csv", "summary.json"}, overwrite);
  table_.reset(std::fopen((folder / "results.csv").c_str(), "w"));
  if (!table_)
    throw ModelError(
        "output folder '" + folder.string() +
        "': results.csv cannot be written, expected a folder with permission to write");
}

bool ResultFolder::write_header(const std::vector<Channel>& channels) {
  std::string names;
  std::string units;
  for (const Channel& channel : channels) {
    names += (names.empty() ? "" : ",") + channel.name;
    units += (units.empty() ? "" : ",") + channel.unit;
  }
  return std::fprintf(table_.get(), "%s\n%s\n", names.c_str(), units.c_str()) >= 0;
}

bool ResultFolder::write_row(const std::vector<double>& values) {
  fmt::memory_buffer line;
  for (std::size_t k = 0; k < values.size(); ++k)
    fmt::format_to(std::back_inserter(line), "{}{:.12g}", k == 0 ? "" : ",", values[k]);
  line.push_back('\n');
  return std::fwrite(line.data(), 1, line.size(), table_.get()) == line.size();
}

bool ResultFolder::close_table() {
  std::FILE* file = table_.release();
  const bool flushed = std::fflush(file) == 0;
  return std::fclose(file) == 0 && flushed;
}

bool ResultFolder::write_summary(const nlohmann::ordered_json& summary) {
  const std::string text = summary.dump(2) + "\n";
  const std::unique_ptr<std::FILE, Close> file(std::fopen((folder_ / "summary.json").c_str(), "w"));
  return file && std::fwrite(text.data(), 1, text.size(), file.get()) == text.size() &&
         std::fflush(file.get()) == 0;
}

}  // namespace semirec::cli
