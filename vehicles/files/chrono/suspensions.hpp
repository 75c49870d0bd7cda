#pragma once

#include "vehicles/files/chrono/car.hpp"

// One function for each suspension template of Chrono that is covered. Each adds bodies, joints and
// springs of both sides; hardpoints are those of the left side about the suspension's location, the
// right one has their mirror images. Throw ModelError.

namespace semirec::chrono {

Axle add_double_wishbone(Car& car, const Json& file, const AxlePlace& place);
Axle add_single_wishbone(Car& car, const Json& file, const AxlePlace& place);
Axle add_macpherson_strut(Car& car, const Json& file, const AxlePlace& place);
Axle add_multilink(Car& car, const Json& file, const AxlePlace& place);
Axle add_semi_trailing_arm(Car& car, const Json& file, const AxlePlace& place);
Axle add_three_link(Car& car, const Json& file, const AxlePlace& place);
Axle add_solid_axle(Car& car, const Json& file, const AxlePlace& place);
Axle add_rigid_pinned_axle(Car& car, const Json& file, const AxlePlace& place);
Axle add_rigid_suspension(Car& car, const Json& file, const AxlePlace& place);
Axle add_leafspring_axle(Car& car, const Json& file, const AxlePlace& place);
Axle add_toe_bar_leafspring_axle(Car& car, const Json& file, const AxlePlace& place);
Axle add_push_pipe_axle(Car& car, const Json& file, const AxlePlace& place);
Axle add_toe_bar_push_pipe_axle(Car& car, const Json& file, const AxlePlace& place);

/// A knuckle on its kingpin at an axle tube, between "Location Lower" and "Location Upper";
/// returns its name.
std::string add_knuckle(Car& car, const Json& file, const Side& side, const std::string& tube,
                        const Eigen::Matrix3d& A);
/// "Spring" and "Shock" of one side between the chassis and an axle tube.
void add_axle_springs(Car& car, const Json& file, const Side& side, const std::string& tube);
/// The tie rod between both knuckles of an axle; returns its name.
std::string add_toe_bar(Car& car, const Json& file, const AxlePlace& place);

/// Templates that add_suspension() covers.
const std::vector<std::string>& suspension_templates();
/// The one that the file's "Template" names.
Axle add_suspension(Car& car, const Json& file, const AxlePlace& place);

}  // namespace semirec::chrono
