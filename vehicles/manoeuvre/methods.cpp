#include "vehicles/manoeuvre/methods.hpp"

namespace semirec {

std::vector<Method> make_methods() {
  return {
      coast_down_method(),           follow_path_method(),
      steady_circle_radius_method(), steady_circle_hand_wheel_method(),
      steady_circle_speed_method(),  lane_change_1_method(),
      lane_change_2_method(),        straight_braking_method(),
      split_mu_braking_method(),     acceleration_method(),
  };
}

}  // namespace semirec
