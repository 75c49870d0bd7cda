#include "vehicles/session/run_notes.hpp"

#include <cmath>
#include <sstream>

namespace semirec {

namespace {

/// In so many digits.
std::string digits(double number, int count) {
  std::ostringstream text;
  text.precision(count);
  text << number;
  return text.str();
}

/// To the rounding of what files say in decimals.
bool is_multiple(double interval, double step) {
  const double steps = interval / step;
  return std::abs(steps - std::round(steps)) <= 1e-6;
}

}  // namespace

std::string describe_broken_balance(const RunReport& report) {
  if (!std::isfinite(report.energy_error) || !std::isfinite(report.energy_turned_over))
    return "the energies are no numbers any more: the step is too long for this motion, or its "
           "solution is wrong";
  const std::string beyond = " J, more than " + digits(100.0 * kBalanceShare, 6) + " % of the " +
                             digits(report.energy_turned_over, 3) + " J turned over: ";
  if (const double added = energy_added_by_scheme(report); added > report.energy_error)
    return "the scheme has added " + digits(added, 3) + " J to the motion" + beyond.substr(2) +
           "it does not suit what spins here in this formulation, or the step is too long";
  return "the energy balance is off by " + digits(report.energy_error, 3) + beyond +
         "the step is too long for this motion, or its solution is wrong";
}

std::string describe_half_turn(const HalfTurn& jump) {
  return "'" + jump.element + "' was turned beyond half a turn at t = " + digits(jump.t, 6) +
         " s: its law knows no whole turns and took the angle from the other side (" +
         std::to_string(jump.times) + (jump.times == 1 ? " time" : " times") +
         "); expected a <joint_force> where bodies go on turning";
}

std::string describe_scheme(const Model& model, const StepSettings& settings) {
  return model.formulation->note_of(settings.scheme.make(settings.h));
}

std::string describe_uneven_rows(double interval, double h) {
  const std::string asked = "a row every " + digits(interval, 6) + " s is asked for, ";
  if (interval > 0.0 && interval < (1.0 - 1e-6) * h)
    return asked + "below the step of " + digits(h, 6) + " s: every step is one";
  if (interval > 0.0 && !is_multiple(interval, h))
    return asked + "no multiple of the step of " + digits(h, 6) +
           " s: rows are the steps at or behind these times, at uneven distances";
  return {};
}

std::vector<std::string> find_run_notes(const RunReport& report, const StepSettings& settings) {
  std::vector<std::string> notes;
  for (const HalfTurn& jump : report.half_turns) notes.push_back(describe_half_turn(jump));
  if (report.unsettled > 0)
    notes.push_back(std::to_string(report.unsettled) +
                    " steps ended with a correction or a closure above " +
                    digits(settings.settled_bound, 6) + " m or rad: the largest correction is " +
                    digits(report.correction, 2) + ", the closures are open by " +
                    digits(report.Phi, 2) + " m or rad at most");
  if (report.at_limit > 0)
    notes.push_back(std::to_string(report.at_limit) +
                    " steps took all iterations and are within the tolerance of positions alone: "
                    "accelerations and forces of these may be off");
  if (report.rates_lost > kRatesLost)
    notes.push_back("round-off may have changed rates by " + digits(report.rates_lost, 1) +
                    " of themselves, near singular positions");
  if (is_balance_broken(report)) notes.push_back(describe_broken_balance(report));
  return notes;
}

}  // namespace semirec
