#pragma once

#include <limits>
#include <vector>

#include "vehicles/manoeuvre/driving_line.hpp"
#include "vehicles/manoeuvre/gates.hpp"
#include "vehicles/manoeuvre/history.hpp"
#include "vehicles/manoeuvre/manoeuvre.hpp"
#include "vehicles/manoeuvre/steering_gain.hpp"

namespace semirec {

/// What all passages of one search share.
struct LaneCourse {
  LaneChange lanes;  ///< the first one from x = 0
  Outline outline;
  SteeringGain gain;  ///< of a creeping car; each speed measures its own
  double release_from = std::numeric_limits<double>::infinity();  ///< x, m
};

/// What earlier passages taught the driver, at the places of the driving line; empty: nothing yet.
struct Lesson {
  std::vector<double> offset;    ///< m: asked for beside the line, as the car keeps off it
  std::vector<double> sideslip;  ///< rad, of the car there
};

/// One drive through the lanes.
struct Passage {
  double speed = 0.0;  ///< asked for, m/s
  History history;
  LaneChange lanes;   ///< with the cones that fell
  DrivingLine line;   ///< in the course's x
  double before = 0;  ///< x of the first lane in the history, m
  double entry_speed = 0.0, exit_speed = 0.0;
  double time = 0.0;     ///< from the first lane's begin to the last one's end, s
  double entered = 0.0;  ///< s; NaN: never
  /// Time of the first cone hit or lane missed, s; NaN: none.
  double spoiled = std::numeric_limits<double>::quiet_NaN();
  double deepest = 0.0;  ///< that a cone came under the outline, m
  bool missed = false;
  bool clean() const { return !missed && count_hits(lanes) == 0; }
};

/// Drives it on the line of least demand for what `lesson` knows of the car. Throws what drive()
/// throws.
Passage pass(const Vehicle& vehicle, const Manoeuvre& manoeuvre, const LaneCourse& course,
             const SteeringGain& gain, double speed, const Lesson& lesson, double part,
             const Progress& progress);

/// A lesson with what this passage taught: where the car was off its line the next path lies
/// `part` of that to the other side, and the next line knows its sideslip.
Lesson learn(const Passage& passage, Lesson lesson, double part);

/// Passages at one speed until one is clean, at most `most`: each learns from the best one so far,
/// less where that made it worse. One alone where the car misses a lane or is far from passing.
/// Returns the one that came nearest; `lesson` is what drove it and, if it is clean, what it
/// taught. Adds to `drives`.
Passage pass_best(const Vehicle& vehicle, const Manoeuvre& manoeuvre, const LaneCourse& course,
                  double speed, int most, Lesson& lesson, double part, int& drives,
                  const Progress& progress);

/// What kept a passage that is not clean from being so: the car (an axle that gives all the side
/// force its tyres have, wheels of one side off the road), or the driver (neither). One sentence.
std::string describe_limit(const Vehicle& vehicle, const Manoeuvre& manoeuvre,
                           const Passage& failed, int lines);

}  // namespace semirec
