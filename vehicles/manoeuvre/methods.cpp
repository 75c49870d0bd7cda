#include "vehicles/manoeuvre/methods.hpp"

namespace semirec {

std::vector<Method> make_methods() {
  return {
      coast_down_method(),
      follow_path_method(),
      steady_circle_radius_method(),
      steady_circle_steering_wheel_method(),
      steady_circle_speed_method(),
      lane_change_1_method(),
      lane_change_2_method(),
      straight_braking_method(),
      split_mu_braking_method(),
      acceleration_method(),
      step_steer_method(),
      single_sine_method(),
      rearward_amplification_method(),
      random_steer_method(),
      sine_sweep_method(),
      weave_method(),
      steering_release_method(),
      ramp_steer_method(),
      sine_with_dwell_method(),
      ride_obstacle_method(),
      ride_random_method(),
      four_post_method(),
  };
}

}  // namespace semirec
