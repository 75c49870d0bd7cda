// Vehicle files: any text is read or refused with a line for each error.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "vehicles/files/xml/reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    (void)semirec::read_vehicle_text(text, "fuzz/vehicle.xml");
  } catch (const semirec::ModelError& error) {
    const std::string lines = std::string("\n") + error.what() + "\n";
    if (lines.find("\n\n") != std::string::npos) std::abort();
  }
  return 0;
}
