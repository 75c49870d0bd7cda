#include "vehicles/manoeuvre/steady_gains.hpp"

#include <cmath>

#include "vehicles/analysis/held_differentials.hpp"
#include "vehicles/analysis/steady_state.hpp"

namespace semirec {

SteadyGains find_steady_gains(const Vehicle& vehicle, const Manoeuvre& manoeuvre, double speed,
                              double level) {
  SteadyGains gains;
  if (!(level > 0.0)) return gains;
  try {
    SteadyCar car(vehicle, manoeuvre.scenario);
    const SteadyTurn straight = car.turn(speed, 0.0);
    const SteadyTurn half = car.turn(speed, 0.5 * level, &straight);
    const SteadyTurn whole = car.turn(speed, level, &half);
    const auto find = [&](const auto& of) {
      const auto slope = [&](const SteadyTurn& turn) {
        return (of(turn) - of(straight)) / (turn.steering_wheel - straight.steering_wheel);
      };
      return SteadyGain{slope(whole), std::abs(slope(whole) - slope(half))};
    };
    gains.yaw_rate = find([](const SteadyTurn& turn) { return turn.yaw_rate; });
    gains.lateral_acceleration =
        find([](const SteadyTurn& turn) { return turn.lateral_acceleration; });
    gains.sideslip = find([](const SteadyTurn& turn) { return turn.sideslip; });
    gains.roll = find([](const SteadyTurn& turn) { return turn.roll; });
    if (std::string line = describe_stuck_differentials(car.drive(), straight.state); !line.empty())
      gains.note = "steady gains change with the turn: straight on " + line;
    // magnitudes, as those of a frequency response
    for (SteadyGain* gain :
         {&gains.yaw_rate, &gains.lateral_acceleration, &gains.sideslip, &gains.roll})
      gain->value = std::abs(gain->value);
  } catch (const AnalysisError&) {
    return {};
  } catch (const ModelError&) {
    return {};
  }
  return gains;
}

}  // namespace semirec
