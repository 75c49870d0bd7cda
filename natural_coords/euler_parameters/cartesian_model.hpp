#pragma once

#include <array>
#include <string>
#include <vector>

#include "natural_coords/euler_parameters/euler_parameters.hpp"
#include "natural_coords/rows/vector_row.hpp"
#include "recursive/row_block.hpp"
#include "recursive/tree_model.hpp"
#include "recursive/tree_workspace.hpp"

namespace semirec {

/// A body by the position r of its centre of mass from the moving origin O (m) and the Euler
/// parameters e of its compiled frame: seven coordinates, q = (r, e).
struct CartesianBody {
  int column = -1;  ///< of r; e follows. -1: the ground
  double mass = 0.0;
  Eigen::Vector3d com{0, 0, 0};  ///< in the compiled frame, m
  Eigen::Matrix3d inertia =
      Eigen::Matrix3d::Zero();    ///< about the centre of mass, axes of the frame, kg m^2
  double floor_e = 0.0;           ///< kg m^2  largest moment of 4 L^T J L
  std::array<int, 3> slots_r{};   ///< of the diagonal, in the tangent
  std::array<int, 10> slots_e{};  ///< lower triangle
};

/// A vector that the rows see: the difference of two points, (r_b + A_b x_b) - (r_a + A_a x_a), or
/// a direction, A_b x_b. x counts from the centre of mass.
struct CartesianVector {
  bool is_point = true;
  TreeIndex a = 0, b = 0;
  Eigen::Vector3d x_a{0, 0, 0}, x_b{0, 0, 0};
};

/// One row of Phi beyond |e| = 1.
struct CartesianRow : VectorRow {
  /// A body that moves and its entries in the row's block.
  struct Side {
    TreeIndex body = 0;
    int place_r = 0, first_r = 0, count_r = 0;  ///< which components of r have entries
    int place_e = 0;
  };
  std::array<Side, 2> sides;
  int side_count = 0;
  int pair = -1;  ///< of its bodies, in CartesianModel::pairs; -1: one of them is the ground
};

/// A mechanism in absolute coordinates: centre of mass and Euler parameters of every body; a row
/// (e^T e - 1)/2 for each, then rows for every joint, rod, guide and prescribed motion (formulation
/// `cartesian`).
struct CartesianModel {
  int n = 0;
  int m = 0;
  std::vector<CartesianBody> bodies;  ///< [tree index], [0] is the ground
  std::vector<CartesianVector> vectors;
  std::vector<CartesianRow> rows;  ///< from row bodies.size() - 1 of Phi on
  std::vector<RowBlock> blocks;    ///< [row of Phi]
  std::vector<std::array<TreeIndex, 2>>
      pairs;                            ///< of bodies that a row or force couples, ascending
  std::vector<int> pair_of_connection;  ///< -1: one side is the ground, or both are one
  int jacobian_size = 0;
  std::vector<std::string> owners;  ///< names of bodies, joints, constraints, prescribed motions
  std::vector<ClosureSwitch> switches;
  /// Vectors whose place or direction on body a a switch moves: axis -1 for a place.
  struct SwitchedVector {
    int vector = 0;
    int axis = -1;
    bool on_a = true;  ///< x_a moves; else x_b (a direction of body a)
  };
  std::vector<std::vector<SwitchedVector>> switched;  ///< [switch]
  std::vector<int> forced;  ///< relative coordinates that force elements act in
  double floor_r = 0.0;     ///< kg  added to the tangent to scale penalties
  double floor_e = 0.0;     ///< kg m^2
};

/// Builds coordinates and rows for a compiled tree. On return `tree` serves the Cartesian
/// formulation: its connections lie in these coordinates, its relative coordinates are measured.
CartesianModel make_cartesian_model(const Mechanism& mechanism, TreeModel& tree);
/// Sets of coordinates that couple.
std::vector<std::vector<int>> find_cliques(const CartesianModel& model, const TreeModel& tree);
/// Takes the pattern that find_cliques() led to and looks up all slots.
void set_pattern(CartesianModel& model, TreeModel& tree, const SymmetricPattern& pattern);

/// Scratch of the Cartesian formulation; poses, motions, residual and tangent lie in the
/// TreeWorkspace, constraint errors in the ClosureWorkspace.
struct CartesianWorkspace {
  explicit CartesianWorkspace(const CartesianModel& model);

  std::vector<CartesianVector> vectors;  ///< as in the model, or where a switch has put them
  std::vector<ClosureSwitch> switches;
  Eigen::VectorXd angles;  ///< [relative coordinate] near which an angle is to be read

  // [body] coordinates and rates, ground included
  std::vector<Eigen::Vector3d> r, rd, rdd;
  std::vector<EulerParameters> e, ed, edd;
  std::vector<Eigen::Matrix3d> A, Ad, Add;  ///< A(e) and its rates
  VectorValues u, ud, udd;                  ///< [vector]
};

/// Takes over the switches of a state. Allocates when their number has changed.
void set_switches(const CartesianModel& model, const std::vector<ClosureSwitch>& switches,
                  CartesianWorkspace& own, ClosureWorkspace& closures);

/// Coordinates into the workspace, the bodies of ws as they are. No heap use, as all below.
void set_cartesian_positions(const CartesianModel& model, const double* q, const TreeWorkspace& ws,
                             CartesianWorkspace& own);
/// Poses and columns of H from q; set_cartesian_positions() included.
void compute_cartesian_positions(const CartesianModel& model, const double* q,
                                 CartesianWorkspace& own, TreeWorkspace& ws);
/// Rates into the workspace; qdd may be null.
void set_cartesian_rates(const CartesianModel& model, const double* qd, const double* qdd,
                         CartesianWorkspace& own);
/// Velocities Z of the bodies; with qdd their accelerations Zd too; set_cartesian_rates() included.
void compute_cartesian_motions(const CartesianModel& model, const double* qd, const double* qdd,
                               CartesianWorkspace& own, TreeWorkspace& ws);
/// Adds the residual: per body m (rdd - gravity) - f and 2 L^T (J wd_B + w_B x J w_B) - 2 G^T n,
/// with the wrenches (less) in ws.F, [EP] Eq. (9). Needs positions and set_cartesian_rates().
void add_cartesian_forces(const CartesianModel& model, const TreeModel& tree,
                          const CartesianWorkspace& own, TreeWorkspace& ws);
/// Sets the tangent to weight M: m I_3 and 4 L^T J L on the diagonal of each body.
void set_cartesian_mass(const CartesianModel& model, double weight, const CartesianWorkspace& own,
                        std::vector<double>& tangent);

/// Phi and, unless told otherwise, Phi_q of all rows at the positions of `own`.
void compute_cartesian_closures(const CartesianModel& model, const TreeWorkspace& ws,
                                CartesianWorkspace& own, ClosureWorkspace& closures,
                                bool with_jacobian = true);
/// Phid and Phidd for the rates of `own`, at the positions of compute_cartesian_closures().
void compute_cartesian_closure_motions(const CartesianModel& model, const TreeWorkspace& ws,
                                       CartesianWorkspace& own, ClosureWorkspace& closures);
/// The rate of Phi_q, which is Phid_q, in its layout, for the rates and inputs of
/// compute_cartesian_closure_motions(). Released rows are zero.
void compute_cartesian_jacobian_rates(const CartesianModel& model, const TreeWorkspace& ws,
                                      const CartesianWorkspace& own, std::vector<double>& rates);

}  // namespace semirec
