#include "vehicles/road/crg_surface.hpp"

namespace semirec {

CrgSurface::CrgSurface(const CrgFile& /*file*/, std::vector<std::string>* /*notes*/) {}
RoadPoint CrgSurface::evaluate(double /*x*/, double /*y*/) const { return {}; }

}  // namespace semirec
