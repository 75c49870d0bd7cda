#pragma once

#include <complex>
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include <Eigen/Core>

#include "apps/report/road_mesh.hpp"
#include "vehicles/analysis/answer.hpp"
#include "vehicles/description/vehicle.hpp"
#include "vehicles/drawing/drawing.hpp"

namespace semirec::report {

// What a page shows, as plain data in SI units and the axes of ISO 8855. Bodies are counted as a
// page counts them: 0 is the ground, body k of the mechanism is k + 1.

using NumberOrWords = std::variant<double, std::string>;

struct Answered {
  std::string name;
  NumberOrWords value;
  std::string unit;
  double uncertainty = std::numeric_limits<double>::quiet_NaN();
  std::string note{};
};

struct Fact {
  std::string name;
  NumberOrWords value;
  std::string unit;
};

/// A force that is drawn as an arrow, at the times of the poses.
struct Arrow {
  std::string name;
  std::string kind;           ///< `tyre`, `joint`, `load`
  std::vector<double> at;     ///< frames x 3, world, m
  std::vector<double> force;  ///< frames x 3, world, N
};

struct PlottedChannel {
  std::string name, unit;
  std::vector<double> values;
  std::string group{};
  bool headline = false;  ///< shown at first
};

struct Mark {
  double time = 0.0;
  std::string label;
  std::string channel{};                                    ///< empty: of all
  double until = std::numeric_limits<double>::quiet_NaN();  ///< end of a span; NaN: an instant
  double level = std::numeric_limits<double>::quiet_NaN();  ///< of the channel there; NaN: none
};

/// How far a wheel has turned about its axle. It may go around more than half a turn between two
/// frames, which their attitudes alone do not show.
struct Spin {
  int body = 0;                                     ///< of the page
  Eigen::Vector3d axis = Eigen::Vector3d::UnitY();  ///< in the frame of the body, of length 1
  std::vector<double> angles;                       ///< of the frames, rad, from any zero
};

/// One motion of the model.
struct Motion {
  std::string name;
  std::string axis, axis_unit;      ///< what poses and channels run over; empty: time, s
  std::vector<double> frame_times;  ///< s, or of the axis
  std::vector<double> poses;        ///< frames x 7 (bodies + 1): x y z, quaternion x y z w
  std::vector<Spin> spins;          ///< none: no wheel turns
  std::vector<Arrow> arrows;
  std::vector<double> times;  ///< of the channels, s
  std::vector<PlottedChannel> channels;
  std::vector<Mark> marks;
  std::string thinned;   ///< what was left out; empty: nothing
  std::string charts{};  ///< of one among several that are shown by turns, each over its own axis:
                         ///< what the titles of its charts begin with
};

/// A line of the list of all elements.
struct ListedElement {
  std::string name, kind;
  Source source;
  std::string text;
  int body = -1;  ///< of the page; -1: none
  bool has_point = false;
  Eigen::Vector3d point = Eigen::Vector3d::Zero();  ///< in the frame of the body
};

/// A point that looks wrong.
struct Suspect {
  std::string text;
  int body = 0;
  Eigen::Vector3d point = Eigen::Vector3d::Zero();
};

struct ModelSection {
  std::string name, file;
  std::vector<Body> bodies;  ///< of the mechanism
  Drawing drawing;
  std::vector<ListedElement> elements;
  std::vector<Suspect> suspects;
};

/// A way in which the model swings: [body] of the mechanism, complex translation (m) of its centre
/// of mass and rotation vector (rad), world axes.
struct SwingingShape {
  std::string name;
  double frequency = 0.0;  ///< Hz, undamped
  double damping = 0.0;    ///< ratio
  std::vector<Eigen::Matrix<std::complex<double>, 6, 1>> shape;
};

/// A table whose cells are numbers or words.
struct MixedTable {
  std::string title;
  std::vector<Channel> columns;
  std::vector<std::vector<NumberOrWords>> rows;
};

/// A parameter that a study varies, or a response.
struct StudyColumn {
  std::string name, unit;
  bool response = false;
  bool log = false;                     ///< spread over powers
  std::vector<std::string> words{};     ///< that 0, 1, ... stand for
  std::vector<std::string> settings{};  ///< of a parameter: what stands before its value in --set
  std::vector<double> values{};         ///< [sample shown]; NaN where there is none
};

/// A car of a study that is drawn otherwise than its vehicle file is.
struct StudyCar {
  std::size_t row = 0;        ///< of the samples shown
  std::vector<double> poses;  ///< 7 (bodies + 1), as in Motion
  std::vector<std::pair<std::size_t, Shape>>
      shapes;  ///< those that differ, by place in the drawing
};

/// The cars of a study.
struct StudySection {
  std::vector<std::size_t> samples;  ///< numbers of those that are shown
  std::vector<StudyColumn> columns;
  std::vector<std::pair<std::size_t, std::string>> failures;  ///< row, why
  std::vector<std::string> commands;  ///< of the responses, without what the parameters set
  std::vector<StudyCar> cars;
  std::string drawn;  ///< what can be said of the drawing of a car
};

struct Report {
  std::string kind;  ///< `run`, `info`, ...
  std::string title, subtitle, command, version, fingerprint, status;
  std::vector<std::string> warnings, notes;
  std::vector<Answered> answers;
  std::vector<Fact> facts;
  ModelSection model;
  std::vector<RoadMesh> road;
  std::vector<Eigen::Vector3d> cones;  ///< feet of those on the road, world, m
  std::vector<Motion> motions;
  std::vector<Chart> charts;
  std::vector<CurveMark> readings{};  ///< marked on the charts over time
  std::vector<SwingingShape> modes;
  std::vector<Table> tables;
  std::vector<MixedTable> mixed_tables{};  ///< shown behind the tables
  StudySection study{};                    ///< without columns: none
};

}  // namespace semirec::report
