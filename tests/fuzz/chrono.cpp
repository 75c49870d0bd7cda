#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "vehicles/files/chrono/import.hpp"

// The input is several files: a line "@name" begins each. Whatever they hold, the import writes a
// vehicle or throws ModelError.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string input(reinterpret_cast<const char*>(data), size);
  std::map<std::string, std::string> texts;
  std::string* text = &texts["car.json"];
  for (std::size_t at = 0; at < input.size();) {
    std::size_t end = input.find('\n', at);
    if (end == std::string::npos) end = input.size();
    const std::string line = input.substr(at, end - at);
    if (!line.empty() && line[0] == '@')
      text = &texts[line.substr(1)];
    else
      *text += line + "\n";
    at = end + 1;
  }
  semirec::chrono::ImportOptions options;
  options.vehicle = "car.json";
  if (texts.count("tyre.json") > 0) options.tyre = "tyre.json";
  if (texts.count("engine.json") > 0) options.engine = "engine.json";
  if (texts.count("gearbox.json") > 0) options.transmission = "gearbox.json";
  options.with_drive = size % 2 == 0;
  try {
    (void)semirec::chrono::import_vehicle(semirec::chrono::JsonFolder(texts), options);
  } catch (const semirec::ModelError&) {
  }
  return 0;
}
