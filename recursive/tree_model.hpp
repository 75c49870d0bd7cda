#pragma once

#include <memory>
#include <vector>

#include "recursive/joint_motion.hpp"
#include "recursive/packs/pack.hpp"
#include "recursive/spatial.hpp"
#include "recursive/symmetric_pattern.hpp"
#include "topology/loop_path.hpp"
#include "topology/mechanism.hpp"
#include "topology/spanning_tree.hpp"

namespace semirec {

template <AnyPack P>
struct LanePlanOf;
using LanePlan = LanePlanOf<Pack>;

/// A body of the tree. Its compiled frame C is the outboard joint frame, so that one product
/// carries a joint frame from parent to child.
struct TreeBody {
  TreeIndex parent = 0;
  int z = 0;  ///< first coordinate of its joint
  int degrees_of_freedom = 0;
  int motion_begin = 0;  ///< range in TreeModel::motions
  int motion_end = 0;
  bool floats = false;  ///< free joint on the ground: slides count from the moving origin O
  Frame X_PJ;           ///< inboard joint frame in the parent's compiled frame
  Frame X_CB;           ///< the user's body frame in the compiled frame
  double mass = 0.0;    ///< kg
  Eigen::Vector3d com{0, 0, 0};  ///< centre of mass in C, m
  Eigen::Matrix3d inertia =
      Eigen::Matrix3d::Zero();  ///< about the centre of mass, axes of C, kg m^2
};

/// The coordinates that the relative motion of two bodies depends on, the joints between them, and
/// the places of their block in the tangent:  Z_b - Z_a = sum_i sign[i] H[columns[i]] zd[i].
struct Connection {
  LoopPath path;
  std::vector<int> columns;  ///< in TreeWorkspace::H; the coordinates themselves in relative ones
  std::vector<int> slots;    ///< lower triangle over path.coordinates
  /// One side is the ground and the joints between are the unknowns: a stiffness between the two is
  /// to M as an inertia of the other side, which is then `heavier`.
  TreeIndex heavier = 0;
};

/// A joint coordinate of a formulation that does not have it among its own: measured between the
/// joint's two sides. Its rate is line . (Z_b - Z_a), with
///   slide  the line through b's origin along the axis,   turn  the axis.
struct MeasuredCoordinate {
  JointMotion::Kind kind = JointMotion::Kind::turn;
  int axis = 2;
  bool axis_on_b = false;  ///< a turn behind another one, as the second of a universal joint
  Frame a, b;              ///< the joint's frames in the compiled frames of its two bodies
  TreeIndex body_a = 0, body_b = 0;
  int connection = -1;  ///< from body_a to body_b
};

/// Point or frame on a compiled body.
struct Attachment {
  TreeIndex body = 0;
  Frame X_CF;
};

/// Arrays compiled from Mechanism and SpanningTree for sweeping; constant during a simulation.
struct TreeModel {
  // compiled once, in tree_model.cpp, not in every source that copies or destroys one
  TreeModel();
  TreeModel(const TreeModel&);
  TreeModel(TreeModel&&) noexcept;
  TreeModel& operator=(const TreeModel&);
  TreeModel& operator=(TreeModel&&) noexcept;
  ~TreeModel();

  SpanningTree tree;
  Eigen::Vector3d gravity;
  std::vector<TreeBody> bodies;  ///< [0] is the ground
  std::vector<JointMotion> motions;
  std::vector<TreeIndex> floating;       ///< bodies that float
  std::vector<JointMotion> triad_turns;  ///< those of the motions that are triads
  int n = 0;                             ///< coordinates
  int columns = 0;                       ///< of H: the same number in relative coordinates
  int triads = 0;
  int inputs = 0;
  int states = 0;                      ///< first-order states of force elements
  int element_scratch = 0;             ///< numbers that force elements have put aside
  bool samples_accelerations = false;  ///< an element keeps some of the end of each step
  /// Force elements that compute inputs, by their index in the model.
  std::vector<int> computing;
  TreeIndex reference_body = 0;  ///< the moving origin O follows it; 0: O stays
  Eigen::Vector3d initial_origin{0, 0, 0};

  std::vector<Connection> connections;
  /// [relative coordinate]; empty where the relative coordinates are the unknowns.
  std::vector<MeasuredCoordinate> measured;
  std::vector<int> used_coordinates;  ///< those that force elements act in

  std::shared_ptr<const LanePlan> lanes;  ///< bodies that are swept side by side

  SymmetricPattern pattern;
  // entries of M: row i holds the coordinates of its joint up to i and of all inboard joints
  std::vector<int> mass_row_begin;  ///< n + 1
  std::vector<int> mass_column;
  std::vector<int> mass_slot;

  /// Attachment of a marker; work at build time.
  Attachment attach(const Marker& marker) const;
  /// Index of the connection between two bodies, added when new; build time only, before the
  /// pattern.
  int connect(BodyIndex a, BodyIndex b);
  /// Tree coordinate of a joint's k-th coordinate. Throws ModelError when the joint is cut.
  int coordinate(const Mechanism& mechanism, JointIndex joint, int k, const Source& source,
                 const std::string& element) const;
  /// The same for a force element that will call add_coordinate_force() on it; build time.
  int use_coordinate(const Mechanism& mechanism, JointIndex joint, int k, const Source& source,
                     const std::string& element);
  /// Puts numbers of the workspace aside for a force element; build time. Gives the first one.
  int reserve_scratch(int count) {
    element_scratch += count;
    return element_scratch - count;
  }
  /// Sets that couple in M and in the connections, for the pattern.
  std::vector<std::vector<int>> cliques() const;
  /// Takes the pattern and looks up all slots; a pattern of size zero leaves them out.
  void set_pattern(SymmetricPattern new_pattern);
};

/// Compiles the tree part. Needs a checked mechanism. The pattern is set later, when all
/// connections are known.
TreeModel make_tree_model(const Mechanism& mechanism);

}  // namespace semirec
