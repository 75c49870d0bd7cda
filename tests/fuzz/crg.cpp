#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "topology/mechanism.hpp"
#include "vehicles/road/crg_file.hpp"
#include "vehicles/road/crg_surface.hpp"

// Any bytes: a road whose heights are numbers, or one ModelError.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const semirec::CrgOpen open = [&](const std::string& /*name*/, const std::string& /*from*/) {
    return semirec::CrgBytes{"fuzz.crg", bytes};
  };
  try {
    const semirec::CrgSurface road(semirec::parse_crg(bytes, "fuzz.crg", open));
    for (const double x : {-1e300, -3.0, 0.0, 0.7, 1.0, 25.0, 1e9})
      for (const double y : {-1e300, -1.2, 0.0, 0.4, 1e6}) {
        const semirec::RoadPoint point = road.evaluate(x, y);
        if (!std::isfinite(point.z) || !std::isfinite(point.z_x) || !std::isfinite(point.z_y))
          std::abort();
      }
  } catch (const semirec::ModelError& error) {
    if (std::string(error.what()).find('\n') != std::string::npos) std::abort();
  }
  return 0;
}
