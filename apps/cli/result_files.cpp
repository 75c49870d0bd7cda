#include "apps/cli/result_files.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "apps/cli/results_table.hpp"
#include "apps/fmi/variables.hpp"
#include "apps/results/hdf5.hpp"
#include "apps/results/mcap.hpp"
#include "apps/results/mf4.hpp"
#include "topology/mechanism.hpp"

namespace semirec::cli {

namespace {

struct FormatName {
  ResultFormat format;
  const char* name;
  const char* ending;
};
constexpr std::array<FormatName, 4> kFormats{{{ResultFormat::csv, "csv", ".csv"},
                                              {ResultFormat::hdf5, "hdf5", ".h5"},
                                              {ResultFormat::mf4, "mf4", ".mf4"},
                                              {ResultFormat::mcap, "mcap", ".mcap"}}};

std::unique_ptr<results::TableFile> make_table(ResultFormat format, OutputFile& file,
                                               const results::TableHead& head) {
  switch (format) {
    case ResultFormat::hdf5:
      return std::make_unique<results::Hdf5File>(file.descriptor(), head);
    case ResultFormat::mf4:
      return std::make_unique<results::Mf4File>(file.descriptor(), head);
    case ResultFormat::mcap:
      return std::make_unique<results::McapFile>(file.descriptor(), head);
    case ResultFormat::csv:
      break;
  }
  return std::make_unique<CsvTable>(file, head);
}

/// Of the table of a run, and of no other.
constexpr const char* kRunTable = "results";

constexpr const char* kFormatNames = "csv, hdf5, mf4 or mcap";

}  // namespace

void add_format(Command& command, std::string& words, const std::string& about, Argument* needed) {
  command
      .add_option("--format", words,
                  about + kFormatNames + ", or several of them with commas between")
      ->type_name("NAMES")
      ->capture_default_str()
      ->needs(needed);
}

std::vector<ResultFormat> parse_formats(const std::string& words) {
  std::vector<ResultFormat> formats;
  for (std::size_t begin = 0; begin <= words.size();) {
    const std::size_t end = std::min(words.find(',', begin), words.size());
    const std::string word = words.substr(begin, end - begin);
    begin = end + 1;
    const auto* const known = std::find_if(kFormats.begin(), kFormats.end(),
                                           [&](const FormatName& f) { return word == f.name; });
    if (known == kFormats.end())
      throw ModelError(fmt::format("--format is '{}' in '{}', expected {}, with commas between",
                                   word, words, kFormatNames));
    if (std::find(formats.begin(), formats.end(), known->format) != formats.end())
      throw ModelError(fmt::format("--format names '{}' twice, expected each once", word));
    formats.push_back(known->format);
  }
  return formats;
}

std::string file_name(ResultFormat format, const std::string& name) {
  for (const FormatName& known : kFormats)
    if (known.format == format) return name + known.ending;
  return {};
}

bool is_result_table(const std::string& file) {
  return std::any_of(kFormats.begin(), kFormats.end(),
                     [&](const FormatName& known) { return file == file_name(known.format); });
}

bool is_result_file(const std::string& file) {
  return file == kSummaryName || is_result_table(file);
}

void remove_other_formats(const OutputFolder& folder, const std::vector<ResultFormat>& formats,
                          const std::string& name) {
  if (!folder.overwrite()) return;
  std::error_code ignored;
  for (const FormatName& known : kFormats)
    if (std::find(formats.begin(), formats.end(), known.format) == formats.end())
      std::filesystem::remove(folder.path() / file_name(known.format, name), ignored);
}

void remove_summary(const OutputFolder& folder) {
  if (!folder.overwrite()) return;
  std::error_code ignored;
  std::filesystem::remove(folder.path() / kSummaryName, ignored);
}

bool ends_as_table(const std::string& file) {
  return std::any_of(kFormats.begin(), kFormats.end(), [&](const FormatName& known) {
    return known.format != ResultFormat::csv && file.ends_with(known.ending);
  });
}

std::vector<results::Column> columns_of(const std::vector<Channel>& channels) {
  std::vector<results::Column> columns;
  const std::vector<std::string> words = fmi::describe_channels(channels);
  for (std::size_t k = 0; k < channels.size(); ++k)
    columns.push_back({channels[k].name, channels[k].unit, words[k]});
  return columns;
}

ResultFiles::ResultFiles(const OutputFolder& folder, const std::vector<ResultFormat>& formats,
                         results::TableHead head, std::string name)
    : folder_(folder), name_(std::move(name)), flushed_(std::chrono::steady_clock::now()) {
  using namespace std::chrono;
  head.columns = results::with_plain_names(std::move(head.columns));
  head.started = duration_cast<nanoseconds>(system_clock::now().time_since_epoch()).count();
  for (const ResultFormat format : formats) {
    auto output =
        std::make_unique<OutputFile>(folder.path() / file_name(format, name_), folder.overwrite());
    auto table = make_table(format, *output, head);
    files_.push_back({format, std::move(output), std::move(table)});
  }
}

/// Calls for every file, also behind one that has failed. Whether all went well.
template <class Call>
bool ResultFiles::all(Call call) {
  bool good = true;
  for (File& file : files_) {
    if (call(file)) continue;
    good = false;
    if (file.output->trouble().empty()) file.output->cannot_write(file.table->trouble());
  }
  return good;
}

bool ResultFiles::begin() {
  bool good = all([](File& file) { return file.table->begin(); });
  // what an earlier run came to stands beside no row of this one
  const auto has_begun = [](const File& file) { return file.output->trouble().empty(); };
  if (name_ == kRunTable && std::any_of(files_.begin(), files_.end(), has_begun))
    remove_summary(folder_);
  good = all([&](File& file) { return has_begun(file) && file.output->publish(); }) && good;
  if (!good) return false;
  std::vector<ResultFormat> formats;
  for (const File& file : files_) formats.push_back(file.format);
  remove_other_formats(folder_, formats, name_);
  return true;
}

bool ResultFiles::wants_poses() const {
  return std::any_of(files_.begin(), files_.end(),
                     [](const File& file) { return file.table->wants_poses(); });
}

bool ResultFiles::add(const results::TableRow& row) {
  constexpr auto kInterval = std::chrono::seconds(1);
  const bool good = all([&](File& file) { return file.table->add(row); });
  const auto now = std::chrono::steady_clock::now();
  if (now - flushed_ < kInterval) return good;
  flushed_ = now;
  return all([](File& file) { return file.table->flush(); }) && good;
}

bool ResultFiles::add_road(double time, const results::Mesh& piece) {
  return all([&](File& file) { return file.table->add_road(time, piece); });
}

bool ResultFiles::finish() {
  return all([](File& file) {
    const bool complete = file.table->finish();
    return file.output->close() && complete;
  });
}

std::string ResultFiles::trouble() const {
  for (const File& file : files_)
    if (!file.output->trouble().empty()) return file.output->trouble();
  return {};
}

std::string ResultFiles::paths(const std::string& folder) const {
  std::string out;
  for (const File& file : files_)
    if (file.output->is_published())
      out += (out.empty() ? "" : ", ") + folder + '/' + file_name(file.format, name_);
  return out;
}

}  // namespace semirec::cli
