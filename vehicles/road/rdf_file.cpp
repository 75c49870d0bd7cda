#include "vehicles/road/rdf_file.hpp"

#include "topology/mechanism.hpp"

namespace semirec {

RdfRoad parse_rdf(const std::string& /*text*/, const std::string& path) {
  throw ModelError({path, 0}, "rdf", "is a road data file, which this build does not read yet");
}

RdfRoad read_rdf(const std::string& path) { return parse_rdf("", path); }

}  // namespace semirec
