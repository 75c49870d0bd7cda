#include <algorithm>
#include <cmath>
#include <sstream>

#include "vehicles/analysis/held_differentials.hpp"
#include "vehicles/analysis/moving_states.hpp"
#include "vehicles/analysis/steady_state.hpp"
#include "vehicles/session/kept_states.hpp"
#include "vehicles/session/shared_reactions.hpp"

namespace semirec {

namespace {

/// As an element takes it; of a car without steering: none.
std::string unit_of_steering(const SteadyCar& car) {
  return car.steering() == kNoInput ? "" : car.drive().recorder.input_units[at(car.steering())];
}

}  // namespace

bool steers_by_force(const SteadyCar& car) {
  const std::string unit = unit_of_steering(car);
  return unit == "N m" || unit == "N";
}

namespace {

void add_channels(SteadyCar& car, const SteadyTurn& turn, Answer& answer) {
  const std::vector<double> values = car.channels(turn);
  for (std::size_t k = 1; k < values.size(); ++k)
    answer.quantities.push_back(
        {car.recorder().channels()[k].name, values[k], car.recorder().channels()[k].unit});
}

std::string unit_of_steering_wheel(const SteadyCar& car) {
  return steers_by_force(car) ? unit_of_steering(car) : "rad";
}

void add_motion(const SteadyCar& car, const SteadyTurn& turn, Answer& answer) {
  const double no = std::nan("");
  auto& q = answer.quantities;
  q.push_back({"speed", turn.speed, "m/s", no, "of the chassis' centre of mass along its path"});
  q.push_back({"lateral_acceleration", turn.lateral_acceleration, "m/s^2", no, "speed x yaw rate"});
  q.push_back({"yaw_rate", turn.yaw_rate, "rad/s"});
  q.push_back({"radius", turn.radius, "m", no, "of the path of the centre of mass"});
  if (car.steering() != kNoInput) {
    q.push_back({"steering_wheel", turn.steering_wheel, unit_of_steering_wheel(car)});
    if (std::isfinite(turn.steering_wheel_torque))
      q.push_back({"steering_wheel_torque", turn.steering_wheel_torque, "N m", no,
                   "holds it; neither assistance nor friction but what the file has"});
    q.push_back(
        {"steering", turn.steering, unit_of_steering(car), no, "value of the steering input"});
  }
  q.push_back({"sideslip", turn.sideslip, "rad", no, "from the heading to the velocity"});
  q.push_back({"roll", turn.roll, "rad", no, "of the chassis"});
  q.push_back({"pitch", turn.pitch, "rad", no, "of the chassis"});
  for (std::size_t k = 0; k < turn.articulations.size(); ++k)
    q.push_back({car.drive().units[k + 1].name + ".articulation", turn.articulations[k], "rad", no,
                 "heading of the unit in front less its own"});
  q.push_back({"drive_force", turn.drive_force, "N", no, "along the heading, holds the speed"});
  q.push_back({"throttle", turn.throttle, "1"});
}

Table table_of(const SteadyCar& car, const std::vector<SteadyTurn>& turns) {
  Table table;
  table.name = "turning";
  table.columns = {{"lateral_acceleration", "m/s^2"},
                   {"steering_wheel", unit_of_steering_wheel(car)},
                   {"steering_wheel_torque", "N m"},
                   {"steering", unit_of_steering(car)},
                   {"sideslip", "rad"},
                   {"roll", "rad"},
                   {"pitch", "rad"},
                   {"yaw_rate", "rad/s"},
                   {"radius", "m"},
                   {"drive_force", "N"},
                   {"throttle", "1"},
                   {"residual", "N"}};
  for (std::size_t k = 1; k < car.drive().units.size(); ++k)
    table.columns.push_back({car.drive().units[k].name + ".articulation", "rad"});
  for (const SteadyWheel& wheel : turns.front().wheels) {
    table.columns.push_back({wheel.name + ".Fz", "N"});
    table.columns.push_back({wheel.name + ".alpha", "rad"});
    table.columns.push_back({wheel.name + ".Fy", "N"});
  }
  for (const SteadyTurn& turn : turns) {
    std::vector<double> row{turn.lateral_acceleration,
                            turn.steering_wheel,
                            turn.steering_wheel_torque,
                            turn.steering,
                            turn.sideslip,
                            turn.roll,
                            turn.pitch,
                            turn.yaw_rate,
                            turn.radius,
                            turn.drive_force,
                            turn.throttle,
                            turn.residual};
    row.insert(row.end(), turn.articulations.begin(), turn.articulations.end());
    for (const SteadyWheel& wheel : turn.wheels)
      row.insert(row.end(), {wheel.load, wheel.slip_angle, wheel.lateral});
    table.rows.push_back(row);
  }
  return table;
}

/// Wheels that carry nothing.
void note_lifted(const SteadyTurn& turn, Answer& answer) {
  for (const SteadyWheel& wheel : turn.wheels)
    if (wheel.load <= 0.0)
      answer.notes.push_back("wheel '" + wheel.name + "' is off the ground at " +
                             to_text(turn.lateral_acceleration) + " m/s^2");
}

/// States that a steady motion leaves moving; the line stands once.
void note_moving(SteadyCar& car, const SteadyTurn& turn, Answer& answer) {
  for (const std::string& line :
       {describe_moving_states(car.drive().model, turn.state, car.workspace()),
        describe_running_states(car.drive().model, turn.state, car.workspace()),
        describe_open_rates(car.drive().model, turn.state, car.workspace()),
        describe_given_starts(car.drive().model, turn.state, car.workspace()),
        describe_stuck_differentials(car.drive(), turn.state)})
    if (!line.empty() &&
        std::find(answer.notes.begin(), answer.notes.end(), line) == answer.notes.end())
      answer.notes.push_back(line);
}

void note_rest(SteadyCar& car, Answer& answer) {
  if (std::string counted = describe_units(car.drive().units); !counted.empty())
    answer.notes.push_back(std::move(counted));
  for (std::string& fault : car.rest_faults()) answer.notes.push_back(std::move(fault));
  if (std::string shared =
          describe_shared_reactions(car.drive().model.mechanism, find_asked_reactions(car.drive()));
      !shared.empty())
    answer.notes.push_back(std::move(shared));
}

/// d/d(lateral acceleration) of what `of` says, by differences of two widths about a turn. Throws
/// AnalysisError where there are no turns beside it.
class Gradients {
 public:
  Gradients(SteadyCar& car, const SteadyTurn& middle) {
    constexpr double kWidth = 0.2;       // m/s^2
    constexpr double kCurvature = 0.01;  // 1/m: slow cars turn on small circles
    constexpr int kNarrower = 4;         // where the end of what can be driven is near
    double width = std::min(kWidth, kCurvature * middle.speed * middle.speed);
    for (int pass = 0; turns_.empty(); ++pass, width *= 0.5) try {
        for (const double part : {-1.0, -0.5, 0.5, 1.0})
          turns_.push_back(
              car.turn(middle.speed, middle.lateral_acceleration + part * width, &middle));
      } catch (const AnalysisError&) {
        if (pass == kNarrower) throw;
        turns_.clear();
      }
  }
  template <typename Of>
  Quantity find(const std::string& name, const std::string& unit, const std::string& about,
                const Of& of) const {
    const double wide = slope(0, 3, of);
    const double narrow = slope(1, 2, of);
    const double value = (4.0 * narrow - wide) / 3.0;
    return {name, value, unit, std::abs(value - narrow), about};
  }

 private:
  template <typename Of>
  double slope(std::size_t a, std::size_t b, const Of& of) const {
    return (of(turns_[b]) - of(turns_[a])) /
           (turns_[b].lateral_acceleration - turns_[a].lateral_acceleration);
  }
  std::vector<SteadyTurn> turns_;
};

/// Axles that do not steer scrub in a turn: the car then needs the steer angle
///   wheelbase / radius + understeer gradient x lateral acceleration
/// of one with two axles of this wheelbase; from the gradients at this and at a low speed, about
/// straight running, where both are straight lines.
Quantity find_equivalent_wheelbase(SteadyCar& car, double speed, double ratio) {
  const auto gradient_at = [&](double v) {
    return Gradients(car, car.turn(v, 0.0)).find("", "", "", [](const SteadyTurn& turn) {
      return turn.steering_wheel;
    });
  };
  const double low = std::min(5.0, 0.5 * speed);
  const Quantity slower = gradient_at(low);
  const Quantity faster = gradient_at(speed);
  const double change = (1.0 / (low * low) - 1.0 / (speed * speed)) * ratio;
  return {"equivalent_wheelbase", (slower.value - faster.value) / change, "m",
          (slower.uncertainty + faster.uncertainty) / std::abs(change),
          "of the car with two axles that steers alike; the axles that do not steer scrub"};
}

void add_gradients(SteadyCar& car, const SteadyTurn& low, Answer& answer) {
  const Gradients gradients(car, low);
  const std::string where =
      "at " + to_text(low.lateral_acceleration) + " m/s^2 of lateral acceleration";
  auto& q = answer.quantities;
  const bool by_force = steers_by_force(car);
  const std::string held = unit_of_steering_wheel(car);
  const Quantity wheel =
      gradients.find("steering_wheel_gradient", by_force ? "(" + held + ")/(m/s^2)" : "rad/(m/s^2)",
                     where, [](const SteadyTurn& turn) { return turn.steering_wheel; });
  q.push_back(wheel);
  // about the steering that goes straight on, which is not that of the start where a car pulls
  const SteeringTurn turns = car.steering() == kNoInput || by_force
                                 ? SteeringTurn{}
                                 : car.find_steering_turn(car.turn(low.speed, 0.0, &low).steering);
  const double ratio = turns.ratio();
  if (turns.is_steered && ratio == 0.0)
    answer.notes.emplace_back(
        "the steering turns the front and the rear wheels alike, so there is no steering ratio and "
        "no understeer gradient");
  if (by_force)
    answer.notes.push_back(
        "the steering input takes " + held +
        ", no angle: steering_wheel is its value over the controls' steering_ratio, and there is "
        "no steering ratio and no understeer gradient");
  if (ratio != 0.0) {
    double wheelbase = car.wheelbase();
    q.push_back({"steering_ratio", ratio, "1", std::nan(""),
                 turns.rear_is_steered
                     ? "steering wheel over mean angle of the front wheels less that of the rear "
                       "ones, at rest"
                     : "steering wheel over mean angle of the steered wheels, at rest"});
    const bool scrubs = has_scrubbing_axles(car.drive().units);
    double doubt = std::nan("");  // of the wheelbase
    if (scrubs) {
      const Quantity equivalent = find_equivalent_wheelbase(car, low.speed, ratio);
      wheelbase = equivalent.value;
      doubt = equivalent.uncertainty;
      q.push_back(equivalent);
    }
    const double square = low.speed * low.speed;
    const double ackermann = wheelbase / square;
    q.push_back({"ackermann_gradient", ackermann, "rad/(m/s^2)", doubt / square,
                 scrubs ? "equivalent_wheelbase / speed^2" : "wheelbase / speed^2"});
    q.push_back({"understeer_gradient", wheel.value / ratio - ackermann, "rad/(m/s^2)",
                 wheel.uncertainty / std::abs(ratio) + (scrubs ? doubt / square : 0.0),
                 "steering_wheel_gradient / steering_ratio - ackermann_gradient"});
  }
  q.push_back(gradients.find("sideslip_gradient", "rad/(m/s^2)", where,
                             [](const SteadyTurn& turn) { return turn.sideslip; }));
  q.push_back(gradients.find("roll_gradient", "rad/(m/s^2)", where,
                             [](const SteadyTurn& turn) { return turn.roll; }));
  q.push_back(gradients.find("yaw_rate_gain", by_force ? "(rad/s)/(" + held + ")" : "1/s",
                             "yaw rate over steering wheel, there",
                             [](const SteadyTurn& turn) { return turn.yaw_rate; }));
  Quantity& gain = q.back();
  gain.uncertainty = (gain.uncertainty + std::abs(gain.value / wheel.value) * wheel.uncertainty) /
                     std::abs(wheel.value);
  gain.value /= wheel.value;
}

void add_charts(const SteadyCar& car, const std::vector<SteadyTurn>& turns, Answer& answer) {
  const auto series = [&](const std::string& name, const auto& of) {
    Series line;
    line.name = name;
    for (const SteadyTurn& turn : turns) {
      line.x.push_back(turn.lateral_acceleration);
      line.y.push_back(of(turn));
    }
    return line;
  };
  const std::string x = "lateral acceleration, m/s^2";
  answer.charts.push_back(
      {"steering wheel",
       x,
       unit_of_steering_wheel(car),
       false,
       false,
       {series("steering_wheel", [](const auto& t) { return t.steering_wheel; })}});
  answer.charts.push_back({"attitude",
                           x,
                           "rad",
                           false,
                           false,
                           {series("sideslip", [](const auto& t) { return t.sideslip; }),
                            series("roll", [](const auto& t) { return t.roll; })}});
  Chart loads{"wheel loads", x, "N", false, false, {}};
  Chart slips{"slip angles", x, "rad", false, false, {}};
  for (std::size_t w = 0; w < turns.front().wheels.size(); ++w) {
    const std::string& name = turns.front().wheels[w].name;
    loads.series.push_back(series(name, [w](const auto& t) { return t.wheels[w].load; }));
    slips.series.push_back(series(name, [w](const auto& t) { return t.wheels[w].slip_angle; }));
  }
  answer.charts.push_back(loads);
  answer.charts.push_back(slips);
}

Answer sweep(SteadyCar& car, const SteadyOptions& options, const Progress& progress) {
  Answer answer;
  std::vector<SteadyTurn> turns;
  const std::size_t count = options.lateral_accelerations.size();
  for (std::size_t k = 0; k < count; ++k) {
    const double wanted = options.lateral_accelerations[k];
    show_progress(progress, static_cast<double>(k) / static_cast<double>(count),
                  to_text(wanted) + " m/s^2");
    try {
      turns.push_back(car.turn(options.speed, wanted, turns.empty() ? nullptr : &turns.back()));
    } catch (const AnalysisError& error) {
      if (turns.empty()) throw;
      answer.notes.push_back(error.what());
      break;
    }
  }
  for (const SteadyTurn& turn : turns) {
    note_lifted(turn, answer);
    note_moving(car, turn, answer);
  }
  const auto low = std::min_element(turns.begin(), turns.end(), [](const auto& a, const auto& b) {
    return std::abs(a.lateral_acceleration) < std::abs(b.lateral_acceleration);
  });
  answer.quantities.push_back(
      {"residual",
       std::max_element(turns.begin(), turns.end(),
                        [](const auto& a, const auto& b) { return a.residual < b.residual; })
           ->residual,
       "N", std::nan(""), "largest force left over in any of the states"});
  answer.quantities.push_back({"speed", options.speed, "m/s"});
  const std::size_t before = answer.quantities.size();
  try {
    add_gradients(car, *low, answer);
  } catch (const AnalysisError& error) {
    answer.quantities.resize(before);
    answer.notes.push_back(std::string("the gradients are left out, there are no turns beside: ") +
                           error.what());
  }
  answer.quantities.push_back({"largest_lateral_acceleration",
                               std::max_element(turns.begin(), turns.end(),
                                                [](const auto& a, const auto& b) {
                                                  return std::abs(a.lateral_acceleration) <
                                                         std::abs(b.lateral_acceleration);
                                                })
                                   ->lateral_acceleration,
                               "m/s^2", std::nan(""), "of those that were asked and solved"});
  answer.tables.push_back(table_of(car, turns));
  add_charts(car, turns, answer);
  answer.title = car.drive().model.mechanism.name + ": " + std::to_string(turns.size()) +
                 " steady turns at " + to_text(options.speed) + " m/s";
  return answer;
}

}  // namespace

Answer analyse_steady_state(const Vehicle& vehicle, const Scenario& scenario,
                            const SteadyOptions& options, const Progress& progress) {
  SteadyCar car(vehicle, scenario, options.hold);
  if (options.speed != 0.0) car.expect_even_road();
  const std::string& name = car.drive().model.mechanism.name;
  if (options.lateral_accelerations.size() > 1) {
    Answer answer = sweep(car, options, progress);
    note_rest(car, answer);
    return answer;
  }
  const double asked =
      options.lateral_accelerations.empty() ? 0.0 : options.lateral_accelerations.front();
  if (options.speed == 0.0 && asked != 0.0)
    throw ModelError("vehicle '" + name + "': a lateral acceleration of " + to_text(asked) +
                     " m/s^2 at rest, expected a speed above zero with it");
  Answer answer;
  const SteadyTurn turn = options.speed == 0.0 ? car.rest() : car.turn(options.speed, asked);
  const std::string after = " after " + std::to_string(turn.iterations) + " iterations";
  if (options.speed == 0.0)
    answer.title = name + ": static equilibrium" + after;
  else if (turn.yaw_rate == 0.0)
    answer.title = name + ": straight on at " + to_text(options.speed) + " m/s" + after;
  else
    answer.title = name + ": steady turn at " + to_text(options.speed) + " m/s and " +
                   to_text(turn.lateral_acceleration) + " m/s^2" + after;
  answer.quantities = {{"residual", turn.residual, "N", std::nan(""), "largest force left over"},
                       {"closure", turn.closure, "m", std::nan(""), "widest open loop"}};
  if (options.speed != 0.0) add_motion(car, turn, answer);
  note_lifted(turn, answer);
  if (turn.speed > 0.0)
    note_moving(car, turn, answer);
  else if (std::string line =
               describe_running_states(car.drive().model, turn.state, car.workspace());
           !line.empty())
    answer.notes.push_back(std::move(line));
  note_rest(car, answer);
  add_channels(car, turn, answer);
  return answer;
}

}  // namespace semirec
