#include "apps/fmi/package.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>

#include "topology/hash.hpp"
#include "vehicles/files/xml/numbers.hpp"
#include "vehicles/files/xml/reader.hpp"

namespace semirec::fmi {

namespace {

constexpr std::string_view kFirstLine = "semirec package 1";

void put_line(std::string& text, const std::string& key, const std::string& value) {
  for (const char c : value)
    if (static_cast<unsigned char>(c) < ' ')
      throw ModelError({}, key, "is '" + value + "', expected no line end or control character");
  text += key + ' ' + value + '\n';
}

/// All of the text as a number within its range, or a fault of the line.
template <typename Number>
Number read_number(const std::string& text, Number least, Number most, const Source& place) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= least) ||
      !(value <= most))
    throw ModelError(place, "package", "has '" + text + "', expected a number in its range");
  return value;
}

}  // namespace

std::string number_text(double value) { return shortest_digits(value); }

std::string read_file(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  if (!stream.is_open() || stream.bad())
    throw ModelError(path + ": cannot be read, expected a file");
  return bytes;
}

std::string package_text(const Package& package) {
  std::string text(kFirstLine);
  text += '\n';
  put_line(text, "vehicle", package.vehicle);
  if (!package.scenario.empty()) put_line(text, "scenario", package.scenario);
  for (const std::string& set : package.sets) put_line(text, "set", set);
  put_line(text, "step", number_text(package.step));
  put_line(text, "iterations", std::to_string(package.iterations));
  put_line(text, "factorizations", std::to_string(package.factorizations));
  for (const std::string& name : package.tunable) put_line(text, "tunable", name);
  for (const std::string& file : package.files) put_line(text, "file", file);
  return text;
}

Package read_package(const std::string& folder) {
  const std::string path = folder + '/' + kPackageFile;
  std::istringstream lines(read_file(path));
  Package package;
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    const Source place{path, number};
    if (number == 1) {
      if (line != kFirstLine)
        throw ModelError(place, "package",
                         "begins with '" + line + "', expected '" + std::string(kFirstLine) + "'");
      continue;
    }
    const std::size_t blank = line.find(' ');
    const std::string key = line.substr(0, blank);
    const std::string value = blank == std::string::npos ? "" : line.substr(blank + 1);
    if (key == "vehicle")
      package.vehicle = value;
    else if (key == "scenario")
      package.scenario = value;
    else if (key == "set")
      package.sets.push_back(value);
    else if (key == "step")
      package.step = read_number(value, 0.0, 1.0, place);
    else if (key == "iterations")
      package.iterations = read_number(value, 0, 100, place);
    else if (key == "factorizations")
      package.factorizations = read_number(value, 0, 100, place);
    else if (key == "tunable")
      package.tunable.push_back(value);
    else if (key == "file")
      package.files.push_back(value);
    else
      throw ModelError(place, "package", "has the unknown word '" + key + "'");
  }
  if (package.vehicle.empty())
    throw ModelError({path, 1}, "package", "names no vehicle, expected a line 'vehicle FILE'");
  return package;
}

std::string find_token(const Package& package, const std::string& folder) {
  Fnv64 fingerprint;
  fingerprint.put(std::string_view(package_text(package)));
  for (const std::string& file : package.files)
    fingerprint.put(std::string_view(read_file(folder + '/' + file)));
  std::array<char, 17> hex{};
  std::snprintf(hex.data(), hex.size(), "%016llx",
                static_cast<unsigned long long>(fingerprint.value()));
  return "semirec-" SEMIREC_VERSION "-" + std::string(hex.data());
}

SessionSettings session_settings(const Package& package) {
  SessionSettings settings;
  settings.step = package.step;
  settings.iterations = package.iterations;
  settings.factorizations = package.factorizations;
  return settings;
}

std::vector<Override> find_overrides(const Package& package) {
  std::vector<Override> overrides;
  for (const std::string& set : package.sets) {
    overrides.push_back(parse_override(set));
    overrides.back().source = {"--set " + set, 0};
  }
  return overrides;
}

}  // namespace semirec::fmi
