#pragma once

#include <memory>
#include <string>
#include <vector>

#include "recursive/row_block.hpp"
#include "recursive/tree_model.hpp"
#include "recursive/tree_workspace.hpp"

namespace semirec {

template <AnyPack P>
struct ClosureGroupOf;
using ClosureGroup = ClosureGroupOf<Pack>;

/// The equations a closure is made of. u_a, v_a, w_a and u_b, v_b, w_b are the x, y, z axes of the
/// two markers, d = r_b - r_a.
enum class RowKind {
  point,      ///< three rows: d in the axes of the common ancestor, m
  in_plane,   ///< two rows: d in two axes of the ancestor across those of a planar loop, m
  along,      ///< d . axis of a - offset, m
  dot,        ///< axis of a . axis of b, rad near zero
  rod,        ///< (d . d - L^2) / (2 L_0), m
  coordinate  ///< z_k - input, m or rad
};

struct ClosureRow {
  RowKind kind = RowKind::point;
  int axis_a = 0;
  int axis_b = 0;
};

/// Rows that an equation of this kind makes.
int row_count(RowKind kind);

/// Equations that a joint imposes on its two sides; z is its main axis.
std::vector<ClosureRow> joint_equations(JointType type);

/// One loop closure: a cut joint, a rod, a guided point or a prescribed motion.
struct Closure {
  std::string name;
  Source source;
  std::vector<ClosureRow> equations;
  Attachment a, b;
  TreeIndex ancestor = 0;  ///< last body common to both sides
  Eigen::Matrix3d plane =
      Eigen::Matrix3d::Identity();  ///< in_plane: columns x, y across the loop's
                                    ///< axis z, in the ancestor's compiled frame
  double length = 0.0;              ///< rod, along: m
  InputIndex length_input = kNoInput;
  Eigen::Vector3d slide_axis{0, 0, 0};  ///< in the compiled frame of a
  InputIndex slide_input = kNoInput;
  int coordinate = -1;  ///< of a prescribed motion
  InputIndex motion_input = kNoInput;

  std::vector<double> sign;  ///< by column of the row block: +1 on b's side, -1 on a's
  int switch_index = -1;     ///< in ClosureModel::switches; -1: always attached
};

/// Whether a closure that events may switch is attached now, and where: its place on side a can be
/// put where side b happens to be.
struct ClosureSwitch {
  bool attached = true;
  Frame X_CF;  ///< of side a
};

/// All closures of a model, constant during a simulation.
struct ClosureModel {
  std::vector<Closure> closures;
  /// Closures that are evaluated side by side, of the evaluation alone.
  std::shared_ptr<const std::vector<ClosureGroup>> groups;
  std::vector<int> motions;             ///< closures that drive a coordinate
  std::vector<RowBlock> blocks;         ///< [closure] its rows in Phi and its block in Phi_z
  int m = 0;                            ///< rows
  int jacobian_size = 0;                ///< entries of Phi_z
  bool dependent = false;               ///< some rows depend on others where all is drawn
  std::vector<ClosureSwitch> switches;  ///< [switch] at the start
};

/// Places of the two sides of up to four like closures, or of one closure of several cars, from O.
template <AnyPack P>
struct ClosurePlacesOf {
  Pack3Of<P> a, b;
};

/// Scratch of the closures.
struct ClosureWorkspace {
  explicit ClosureWorkspace(const ClosureModel& model);

  std::vector<ClosureSwitch> switches;  ///< [switch] given for a step; released rows are zero

  Eigen::VectorXd Phi;        ///< m  closure errors, m or rad
  Eigen::VectorXd Phid;       ///< m  their rates, Phi_z zd + Phi_t
  Eigen::VectorXd Phidd;      ///< m  Phi_z zdd + Phid_z zd + Phid_t
  std::vector<double> Phi_z;  ///< blocks of the closures, see RowBlock
  long placings = 0;          ///< how often compute_closure_positions() has written Phi

  std::vector<ClosurePlacesOf<Pack>> places;  ///< of the evaluation alone
};

/// Closures of the cut joints, constraints and prescribed motions. Build time; adds connections to
/// the tree.
ClosureModel make_closure_model(const Mechanism& mechanism, TreeModel& tree);
/// Looks up the slots once the tangent's pattern is known.
void set_slots(ClosureModel& model, const SymmetricPattern& pattern);

/// Phi and, unless told otherwise, Phi_z = Phi_q q_z ([H03] Eq. (20)), closures written relative to
/// the common ancestor of their sides so that Phi_z has no column at or above it. Needs
/// compute_positions() and ws.inputs.
void compute_closure_positions(const ClosureModel& model, const TreeWorkspace& ws,
                               ClosureWorkspace& cws, bool with_jacobian = true);
/// Phid and Phidd at the motion of ws, the explicit time terms Phi_t, Phid_t of driven ends
/// included: with zd = 0 Phid is Phi_t; with zdd = 0 Phidd is Phid_z zd + Phid_t. Needs
/// compute_closure_positions() and compute_motions() at the same positions.
void compute_closure_motions(const ClosureModel& model, const TreeWorkspace& ws,
                             ClosureWorkspace& cws);

/// Phid alone. Needs compute_closure_positions() and compute_velocities() at the same positions.
void compute_closure_velocities(const ClosureModel& model, const TreeWorkspace& ws,
                                ClosureWorkspace& cws);

/// Wrench about O that closure rows with multipliers lambda put on body b; a gets the opposite.
/// A prescribed motion has none (its force acts in the joint's coordinate).
Vector6 closure_wrench(const Closure& closure, const TreeWorkspace& ws, const ClosureWorkspace& cws,
                       const double* lambda);

/// The whole of Phi_z into `Phi_z` (m x n), rows below kZeroRow as zeros. No heap use.
void fill_jacobian(const std::vector<RowBlock>& blocks, const std::vector<double>& values,
                   Eigen::MatrixXd& Phi_z);
/// Dense m x n copy of Phi_z, for tests and rank reports.
Eigen::MatrixXd dense_jacobian(const std::vector<RowBlock>& blocks,
                               const std::vector<double>& values, int m, int n);
/// The same of a model's closures.
Eigen::MatrixXd dense_jacobian(const ClosureModel& model, const ClosureWorkspace& cws, int n);

}  // namespace semirec
