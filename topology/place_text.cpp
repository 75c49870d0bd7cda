#include "topology/place_text.hpp"

namespace semirec {

std::string place_text(const Source& place) {
  if (place.file.empty()) return {};
  return place.file + (place.line > 0 ? ":" + std::to_string(place.line) : "") + ": ";
}

}  // namespace semirec
