#pragma once

#include <vector>

#include "recursive/tree_model.hpp"
#include "recursive/tree_workspace.hpp"

namespace semirec {

/// How relative coordinate k is read off its joint's two sides. Build time.
MeasuredCoordinate find_measured_coordinate(const Mechanism& mechanism, const TreeModel& tree,
                                            int k);

/// Fills tree.measured, with connections for those coordinates that force elements act in. Returns
/// these, ascending. Build time, before the connections get their columns.
std::vector<int> measure_all_coordinates(const Mechanism& mechanism, TreeModel& tree);

/// Value of a relative coordinate at the poses of ws; angles in (-pi, pi], rad; slides from the
/// moving origin, m; 0 for a triad.
double measure_coordinate(const MeasuredCoordinate& measured, const TreeWorkspace& ws);

/// Writes relative coordinates and rates of the joints, ws.z and ws.zd: all, or those of `some`.
/// Angles are the turn nearest to what `near` has (all; where it is empty, in (-pi, pi]). Needs
/// positions and velocities of the bodies. No heap use.
void measure_coordinates(const TreeModel& tree, const Eigen::VectorXd& near, TreeWorkspace& ws);
void measure_coordinates(const TreeModel& tree, const Eigen::VectorXd& near,
                         const std::vector<int>& some, TreeWorkspace& ws);

}  // namespace semirec
