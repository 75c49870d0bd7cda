// Vehicle files: any text is read or refused with one line.

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
    if (std::string(error.what()).find('\n') != std::string::npos) std::abort();
  }
  return 0;
}
