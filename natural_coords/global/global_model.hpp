#pragma once

#include <array>
#include <string>
#include <vector>

#include "natural_coords/closure.hpp"
#include "natural_coords/rows/vector_row.hpp"
#include "recursive/row_block.hpp"
#include "recursive/tree_model.hpp"
#include "recursive/tree_workspace.hpp"

namespace semirec {

/// A point or a unit vector that serves as natural coordinates, perhaps of several bodies at once:
///   value = constant + S q[column ...],  S (3 x 0 to 3) with orthonormal columns.
/// A point of full rank counts from the moving origin O, any other from the world's.
struct NaturalEntity {
  bool point = true;
  Eigen::Vector3d constant{0, 0, 0};
  Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::ColMajor, 3, 3> S;
  int column = 0;
  TreeIndex body = 0;              ///< one that carries it, and where
  Eigen::Vector3d local{0, 0, 0};  ///< in the compiled frame

  bool full() const { return S.cols() == 3; }
};

/// A vector that is linear in q: value = constant + sum coefficients[k] q[columns[k]] - points O.
struct LinearVector {
  Eigen::Vector3d constant{0, 0, 0};
  /// How the way of O enters through points that do not count from it: their number times 1, or
  /// times a rotation where the vector stands across others.
  Eigen::Matrix3d points = Eigen::Matrix3d::Zero();
  std::vector<int> columns;  ///< ascending
  std::vector<Eigen::Vector3d> coefficients;
};

/// A body by its origin and base, g = (r_0, e_1, e_2, e_3), each a LinearVector; e_k span space.
/// Any place x of the body is r_0 + E X^-1 (x - x_0), so the mass matrix in g is constant.
struct NaturalBody {
  /// One entry of Gamma: g_a += c q[column].
  struct Term {
    int a = 0;
    int column = 0;
    Eigen::Vector3d c;
  };
  std::vector<Term> terms;                          ///< by column
  std::vector<int> first_term;                      ///< of each column, and the end
  Eigen::Matrix4d G = Eigen::Matrix4d::Zero();      ///< inertia in g: 1/2 sum G_ab gd_a . gd_b
  bool carries_forces = false;                      ///< some connection needs its columns of H
  std::vector<int> columns;                         ///< coordinates that g depends on, ascending
  int first_column = 0;                             ///< of its columns.size() columns in H
  Eigen::Matrix<double, 12, Eigen::Dynamic> Gamma;  ///< g = constant + Gamma q[columns]
  Eigen::Matrix<double, 12, 1> constant;
  std::array<Eigen::Matrix3d, 4> points;  ///< per vector of g, as in LinearVector
  bool counts_from_origin = true;         ///< points are all zero
  Eigen::Vector3d x_0{0, 0, 0};           ///< in the compiled frame, m
  Eigen::Matrix3d X_inverse = Eigen::Matrix3d::Identity();
  Eigen::MatrixXd mass;  ///< k x k, Gamma^T G Gamma
};

/// One constraint equation; its vectors are LinearVectors. A plane is linear.
struct GlobalRow : VectorRow {
  std::vector<int> place_u, place_v, place_w, place_slide;  ///< of their columns in the row's block
};

/// A mechanism in natural coordinates throughout: points and unit vectors that neighbours share at
/// their joints, constant mass matrix, rigid-body and joint constraints (formulation `global`).
struct GlobalModel {
  int n = 0;
  int m = 0;
  std::vector<NaturalEntity> entities;
  std::vector<LinearVector> vectors;
  std::vector<NaturalBody> bodies;  ///< [tree index], [0] is the ground
  std::vector<GlobalRow> rows;      ///< linear rows first
  std::vector<RowBlock> blocks;     ///< [row]
  int linear_rows = 0;
  int jacobian_size = 0;
  std::vector<std::string> owners;  ///< names of bodies, joints, constraints, prescribed motions
  std::vector<ClosureSwitch> switches;
  struct SwitchPlace {
    TreeIndex body_a = 0;
    std::vector<int> points;                ///< vectors u = r_b - r_a
    std::vector<std::pair<int, int>> axes;  ///< vectors that are axes of a, and which
    Attachment b;
  };
  std::vector<SwitchPlace> switch_places;
  std::vector<int> forced;  ///< relative coordinates that force elements act in
  /// Merged columns of H for connections between bodies that share coordinates.
  struct Merge {
    int column = 0, from_b = 0, from_a = 0;
  };
  std::vector<Merge> merges;
  Eigen::VectorXd floor;  ///< n  added to the tangent where inertia may be zero, to scale penalties
  std::vector<double> mass;  ///< [slot] constant mass matrix
};

/// Builds natural coordinates and constraints for a compiled tree. On return `tree` serves the
/// global formulation: its connections lie in natural coordinates, its relative coordinates are
/// measured.
GlobalModel make_global_model(const Mechanism& mechanism, TreeModel& tree);
/// Takes the pattern that cliques() led to and looks up all slots.
void set_pattern(GlobalModel& model, TreeModel& tree, const SymmetricPattern& pattern);
/// Sets of coordinates that couple.
std::vector<std::vector<int>> find_cliques(const GlobalModel& model, const TreeModel& tree);

/// Scratch of the global formulation; poses, motions, residual and tangent lie in the
/// TreeWorkspace, constraint errors in the ClosureWorkspace.
struct GlobalWorkspace {
  explicit GlobalWorkspace(const GlobalModel& model);

  std::vector<LinearVector> vectors;  ///< as in the model, or where a switch has put them
  std::vector<ClosureSwitch> switches;
  std::vector<Eigen::Vector3d> u, ud, udd;      ///< [vector] values and rates
  std::vector<Eigen::Matrix<double, 12, 1>> g;  ///< [body]
  std::vector<Eigen::Matrix3d> dual;  ///< [body] columns e^1, e^2, e^3 with e^i . e_j = delta
  Eigen::VectorXd q;
  Eigen::VectorXd angles;    ///< [relative coordinate] near which an angle is to be read
  std::vector<double> base;  ///< [slot] mass and penalty of the linear rows
  Eigen::VectorXd base_alpha;
  double base_scale = -1.0;
  bool filled = false;  ///< Phi_q of the linear rows has been written
};

/// Takes over the switches of a state. Allocates when they have changed.
void set_switches(const GlobalModel& model, const std::vector<ClosureSwitch>& switches,
                  const TreeModel& tree, GlobalWorkspace& gws, ClosureWorkspace& cws);

/// Poses and columns of H from q.
void compute_global_positions(const GlobalModel& model, const double* q, GlobalWorkspace& gws,
                              TreeWorkspace& ws);
/// Velocities Z of the bodies; with qdd their accelerations Zd too.
void compute_global_motions(const GlobalModel& model, const double* qd, const double* qdd,
                            GlobalWorkspace& gws, TreeWorkspace& ws);
/// Residual M qdd - Q: inertia, weight and the wrenches (less) in ws.F.
void add_global_forces(const GlobalModel& model, const TreeModel& tree, const double* qdd,
                       const GlobalWorkspace& gws, TreeWorkspace& ws);

/// Phi and Phi_q of all rows at gws.q.
void compute_global_closures(const GlobalModel& model, const TreeWorkspace& ws,
                             GlobalWorkspace& gws, ClosureWorkspace& cws,
                             bool with_jacobian = true);
/// Phid, and with accelerations Phidd, at qd, qdd.
void compute_global_closure_motions(const GlobalModel& model, const double* qd, const double* qdd,
                                    const TreeWorkspace& ws, GlobalWorkspace& gws,
                                    ClosureWorkspace& cws);

}  // namespace semirec
