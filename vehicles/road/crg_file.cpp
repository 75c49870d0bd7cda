#include "vehicles/road/crg_file.hpp"

#include "topology/mechanism.hpp"

namespace semirec {

CrgFile parse_crg(const std::string& /*bytes*/, const std::string& path, const CrgOpen& /*open*/) {
  throw ModelError({path, 0}, "crg", "is an OpenCRG file, which this build does not read yet");
}

CrgFile read_crg(const std::string& path) { return parse_crg("", path); }

}  // namespace semirec
