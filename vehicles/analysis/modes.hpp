#pragma once

#include <complex>
#include <map>
#include <string>
#include <vector>

#include "integrator/statics/linearization.hpp"
#include "vehicles/analysis/answer.hpp"
#include "vehicles/analysis/steady_state.hpp"

namespace semirec {

/// What is linearized, and where.
class ModeNames;

struct ModesOptions {
  double speed = 0.0;                 ///< m/s; 0: at rest
  double lateral_acceleration = 0.0;  ///< m/s^2
  SpeedHold hold = SpeedHold::force;
  std::vector<double> speeds;        ///< more than one: how the eigenvalues move over speed
  std::vector<std::string> inputs;   ///< by name; empty: all of the vehicle
  std::vector<std::string> outputs;  ///< recorder channels by name; empty: the default ones
  const ModeNames* like = nullptr;   ///< of another car, whose names the branches bear; null: none
};

/// An eigenvalue and what moves in it.
struct Mode {
  Eigenmode eigen;
  double uncertainty = 0.0;  ///< of the eigenvalue: differences of half the width, 1/s
  std::string name;          ///< `bounce`, `wheel hop front`, ...; `mode 7` where no name fits
  /// [body] share of kinetic energy: of the deviations' velocities in the frame of the chassis.
  std::vector<double> energy;
  /// [subsystem] share of participation: |left_k shape_k| summed over the subsystem's states.
  std::vector<double> participation;
};

/// The parts of a car that states belong to.
/// `chassis`, `front`, `rear` are of the first unit, `trailer` is all that units behind it have
/// beside spins and tyres.
enum class Subsystem { chassis, front, rear, spin, tyres, driveline, trailer, other };
inline constexpr int kSubsystems = 8;
const char* name_of(Subsystem subsystem);

/// A car linearized about a steady state.
struct CarModes {
  SteadyTurn turn;
  LinearSystem system;
  std::vector<Mode> modes;         ///< by rising magnitude of the eigenvalue
  std::vector<std::string> notes;  ///< what is not as one would expect, a line each
};

/// Names of a car's modes, which belong to branches of eigenvalues over the speed: at 20 m/s, and
/// at rest, a mode is named by what moves in it; from there modes are followed over a fixed chain
/// of speeds (follow_modes()), and at last straight to the turn at hand. So a name does not depend
/// on what else is asked for. Of a pair that parts the slower mode keeps the name, where two meet
/// the slower one's name stays; what begins on the way is named by what moves in it.
///
/// Of a car that is another with other numbers, branches may be followed from that one: then a name
/// means the same branch in both, as long as they have the same states.
class ModeNames {
 public:
  /// `like`: of the other car, learnt; null: of none. It must live as long.
  explicit ModeNames(const ModeNames* like = nullptr) : like_(like) {}
  /// Names the modes at these speeds (0: at rest) for others to follow, as far as the car gets
  /// there.
  void learn(SteadyCar& car, const std::vector<double>& speeds);
  bool follows_another() const { return like_ != nullptr; }
  /// Coordinates whose deviations are states where branches are followed (LinearizationSettings):
  /// those of the other car, which this one may have as well. Empty: its own.
  std::vector<int> independent() const {
    return like_ != nullptr ? like_->independent_ : std::vector<int>();
  }
  /// Names modes that are named by what moves in them as yet; with a note where the way to them is
  /// blocked.
  void name(SteadyCar& car, CarModes& modes);

 private:
  bool name_like(CarModes& modes) const;
  void name_straight(SteadyCar& car, CarModes& modes);
  const CarModes& at_speed(SteadyCar& car, double speed);

  const ModeNames* like_;
  std::vector<int> independent_;  ///< of a car that has been learnt

  std::map<double, CarModes> chain_;  ///< by speed, straight on
};

/// Linearizes about a steady state of the car and names its modes. Throws ModelError for unknown
/// names (with the nearest), AnalysisError where the linear system would depend on place.
CarModes find_modes(SteadyCar& car, const SteadyTurn& turn, const ModesOptions& options);
/// The same with what was found of the names for other speeds of the same car.
CarModes find_modes(SteadyCar& car, const SteadyTurn& turn, const ModesOptions& options,
                    ModeNames& names);

/// How a body is drawn: lines from its middle to its joints and points, a circle for a wheel.
struct BodyLines {
  std::string name;
  Eigen::Vector3d place;               ///< centre of mass, m
  std::vector<Eigen::Vector3d> lines;  ///< pairs of ends, from `place`, world axes
};

/// How all bodies move in a mode: [body] displacement of `place` (m), rotation vector (rad).
using ModeShape = std::vector<Eigen::Matrix<std::complex<double>, 6, 1>>;

std::vector<BodyLines> make_body_lines(SteadyCar& car, const SteadyTurn& turn);
/// Shapes by mode, with the place and heading that the linear system leaves out; the largest
/// displacement 1 m.
std::vector<ModeShape> find_mode_shapes(SteadyCar& car, const CarModes& modes);

/// Quantities, tables (modes, energy, participation, A, B, C, D), charts; over speeds the table and
/// chart of the root locus. `modes`: receives what was found at a single point; may be null.
Answer analyse_modes(SteadyCar& car, const ModesOptions& options, const Progress& progress,
                     CarModes* modes = nullptr);

}  // namespace semirec
