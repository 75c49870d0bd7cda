#pragma once

#include <vector>

#include "vehicles/manoeuvre/method.hpp"

namespace semirec {

/// The registry, in the order of --list.
std::vector<Method> make_methods();

// one function a method, each in a file of its own or beside its like
Method coast_down_method();
Method step_steer_method();
Method single_sine_method();
Method random_steer_method();
Method sine_sweep_method();
Method weave_method();
Method ramp_steer_method();
Method sine_with_dwell_method();
Method ride_obstacle_method();
Method ride_random_method();
Method four_post_method();

}  // namespace semirec
