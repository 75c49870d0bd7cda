#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "topology/mechanism.hpp"
#include "vehicles/road/rdf_file.hpp"

// Any bytes: a road whose heights are numbers, or one ModelError.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const semirec::RdfRoad road =
        semirec::parse_rdf(std::string(reinterpret_cast<const char*>(data), size), "fuzz.rdf");
    for (const double x : {-1e300, -3.0, 0.0, 0.7, 1.0, 5.1, 1e9})
      for (const double y : {-1e300, -1.2, 0.0, 0.4, 1e6}) {
        const semirec::RoadPoint point = road.surface->evaluate(x, y);
        if (!std::isfinite(point.z) || !std::isfinite(point.z_x) || !std::isfinite(point.z_y))
          std::abort();
      }
  } catch (const semirec::ModelError& error) {
    if (std::string(error.what()).find('\n') != std::string::npos) std::abort();
  }
  return 0;
}
