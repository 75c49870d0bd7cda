#pragma once

#include "vehicles/chrono/car.hpp"

// One function for each suspension template of Chrono that is covered. Each adds bodies, joints and
// springs of both sides; hardpoints are those of the left side about the suspension's location, the
// right one has their mirror images. Throw ModelError.

namespace semirec::chrono {

Axle add_double_wishbone(Car& car, const Json& file, const AxlePlace& place);
Axle add_macpherson_strut(Car& car, const Json& file, const AxlePlace& place);
Axle add_multilink(Car& car, const Json& file, const AxlePlace& place);
Axle add_semi_trailing_arm(Car& car, const Json& file, const AxlePlace& place);
Axle add_three_link(Car& car, const Json& file, const AxlePlace& place);
Axle add_solid_axle(Car& car, const Json& file, const AxlePlace& place);
Axle add_rigid_pinned_axle(Car& car, const Json& file, const AxlePlace& place);
Axle add_rigid_suspension(Car& car, const Json& file, const AxlePlace& place);

/// The one that the file's "Template" names.
Axle add_suspension(Car& car, const Json& file, const AxlePlace& place);

}  // namespace semirec::chrono
