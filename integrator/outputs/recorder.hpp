#pragma once

#include <string>
#include <vector>

#include "integrator/model.hpp"
#include "integrator/outputs/output_choice.hpp"
#include "integrator/state.hpp"
#include "integrator/workspace.hpp"
#include "recursive/forces/force_element.hpp"

namespace semirec {

/// What is written beside time, the main body, force elements and joint coordinates.
struct RecorderSettings {
  BodyIndex main_body = kGround;  ///< reported under `main_name`; kGround: none
  std::string main_name = "chassis";
  std::vector<std::string> markers;  ///< `<marker>.{x,y,z,vx,vy,vz,ax,ay,az}`
  std::vector<std::string> efforts;  ///< inputs that move something: `<name>.effort`
  /// `<name>.{x,y,z,vx,vy,vz,ax,ay,az,roll,pitch,yaw,wx,wy,wz,wdx,wdy,wdz}`
  std::vector<std::string> bodies;
  std::vector<std::string> input_units;  ///< [input] of `<input>.value`; where missing: empty
  Source source;                         ///< where these lists were written, for messages
  std::vector<std::string> reactions;    ///< joints or constraints: `<name>.{Rx,Ry,Rz,Mx,My,Mz}`
  /// find_accelerations(), for the reactions of states whose forces are no longer those of their
  /// accelerations (is_balanced()): a gear has been changed, a hold has taken a value, an input has
  /// a corner at the end of the step. Null: such reactions are what the two leave over.
  bool (*find_accelerations)(const Model& model, State& state, Workspace& ws) = nullptr;
};

/// What a channel reads of a state.
enum class ChannelSource {
  motion,  ///< time, coordinates and rates: no input acts on them while the state stays
  input,   ///< the value of one input
  all      ///< what any input may act on: accelerations, forces, multipliers
};

/// Turns states into rows of named numbers.
///   time
///   <main>.{x,y,z} centre of mass, {vx,vy,vz}, {ax,ay,az} in world axes, {roll,pitch,yaw} with
///     R = Rz(yaw) Ry(pitch) Rx(roll), {wx,wy,wz} in body axes
///   channels of the force elements (tyres first)
///   <joint>.z or <joint>.z[k] of tree joints; triads as the rotation vector
///   <joint>.rate or <joint>.rate[k]: their rates; triads as the angular velocity of b against a in
///     the axes of marker a
///   <input>.value
///   markers, bodies, efforts of inputs, reactions as asked for; a body as the main one, and its
///     angular acceleration {wdx,wdy,wdz} in body axes
/// Where two elements bring one name (a marker and the main body), the later one is `<name>#2`.
/// Throws ModelError for a marker, input, reaction or body that does not exist.
class Recorder {
 public:
  Recorder(const Model& model, RecorderSettings settings);
  const std::vector<Channel>& channels() const { return channels_; }
  /// What the channel with this index reads.
  ChannelSource source_of(const Model& model, std::size_t channel) const;
  /// The input whose value it is; kNoInput where source_of() is another.
  InputIndex input_of(const Model& model, std::size_t channel) const;
  /// Evaluates the state and fills `values`, one a channel. Uses the workspace as scratch. No heap
  /// use once `values` has its size, but for reactions where the formulation has other than
  /// relative coordinates.
  void record(const Model& model, const State& state, Workspace& ws,
              std::vector<double>& values) const;

  /// What some channels need, by their index among channels(); the same one may be asked for twice.
  /// Build time. Throws ModelError for an index that there is not.
  OutputChoice choose(const Model& model, const std::vector<std::size_t>& channels) const;
  /// The chosen channels alone, in the order of the choice, with the bits of record(): the bodies,
  /// force elements and joints that they need are evaluated and nothing else. `row` is scratch of
  /// channels().size() numbers. No heap use, but as record().
  void record(const Model& model, const State& state, const OutputChoice& choice, Workspace& ws,
              double* row, double* values) const;

 private:
  /// Channels that are evaluated together.
  struct Part {
    enum class Kind { time, body, force, joint, rate, inputs, marker, recorded, effort, reactions };
    Kind kind = Kind::time;
    std::size_t index = 0;  ///< in what the kind means; of `body` none
    std::size_t first = 0;  ///< channel
  };
  void begin_part(Part::Kind kind, std::size_t index = 0) {
    parts_.push_back({kind, index, channels_.size()});
  }
  const Part& part_of(std::size_t channel) const;
  void put_part(const Part& part, const Model& model, const State& state, Workspace& ws,
                double* out) const;
  void put_reactions(const Model& model, const State& state, Workspace& ws, double* out) const;

  RecorderSettings settings_;
  std::vector<Channel> channels_;
  std::vector<Part> parts_;  ///< in the order of the channels
  struct RecordedBody {
    BodyIndex body = kGround;
    bool whole = true;  ///< false: its angular acceleration alone
  };
  std::vector<RecordedBody> bodies_;
  struct ReactionPlace {
    bool closure = false;
    std::size_t index = 0;
  };
  std::vector<ReactionPlace> reaction_place_;
};

}  // namespace semirec
