#pragma once

#include <vector>

#include "vehicles/manoeuvre/method.hpp"

namespace semirec {

/// The registry, in the order of --list.
std::vector<Method> make_methods();

// one function a method, each in a file of its own or beside its like
Method coast_down_method();
Method follow_path_method();
Method steady_circle_radius_method();
Method steady_circle_steering_wheel_method();
Method steady_circle_speed_method();
Method lane_change_1_method();
Method lane_change_2_method();
Method straight_braking_method();
Method split_mu_braking_method();
Method acceleration_method();
Method step_steer_method();
Method single_sine_method();
Method rearward_amplification_method();
Method random_steer_method();
Method sine_sweep_method();
Method weave_method();
Method steering_release_method();
Method ramp_steer_method();
Method sine_with_dwell_method();
Method ride_obstacle_method();
Method ride_random_method();
Method four_post_method();

}  // namespace semirec
