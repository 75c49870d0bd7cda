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
  std::string channel{};
};

/// One motion of the model.
struct Motion {
  std::string name;
  std::string axis, axis_unit;      ///< what poses and channels run over; empty: time, s
  std::vector<double> frame_times;  ///< s, or of the axis
  std::vector<double> poses;        ///< frames x 7 (bodies + 1): x y z, quaternion x y z w
  std::vector<Arrow> arrows;
  std::vector<double> times;  ///< of the channels, s
  std::vector<PlottedChannel> channels;
  std::vector<Mark> marks;
  std::string thinned;  ///< what was left out; empty: nothing
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

struct Report {
  std::string kind;  ///< `run`, `info`, ...
  std::string title, subtitle, command, version, fingerprint, status;
  std::vector<std::string> warnings, notes;
  std::vector<Answered> answers;
  std::vector<Fact> facts;
  ModelSection model;
  std::vector<RoadMesh> road;
  std::vector<Motion> motions;
  std::vector<Chart> charts;
  std::vector<SwingingShape> modes;
  std::vector<Table> tables;
};

}  // namespace semirec::report
