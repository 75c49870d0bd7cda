#pragma once

#include <vector>

#include "recursive/cars/car_workspace.hpp"
#include "recursive/forces/evaluate_forces.hpp"
#include "topology/indices.hpp"

namespace semirec {

/// What force elements of a car read and write beyond the bodies: all that the connections and
/// coordinates lead to which they have asked for (TreeModel::connect(), use_coordinate()).
struct ForceReach {
  std::vector<int> columns;      ///< of LanePlan::columns
  std::vector<int> coordinates;  ///< of the residual
  std::vector<int> slots;        ///< of the tangent
  std::vector<int> weighed;      ///< groups to whose inertias a stiffness may add
};
/// `tree`: of make_one_by_one(). Build time.
ForceReach find_reach(const TreeModel& tree);

/// The force elements of cars side by side, or some of them. Its functions are those of
/// ForceElement for all cars, neither allocate nor throw, and leave no trace of one car in another.
/// `cars`: one bit for each that is wanted.
template <AnyPack P>
class ForcesOfCars {
 public:
  virtual ~ForcesOfCars() = default;
  virtual void add_forces(CarsWorkspace<P>& ws, unsigned cars) const = 0;
  virtual void update_states(CarsWorkspace<P>& ws, unsigned cars) const = 0;

 protected:
  ForcesOfCars() = default;
  ForcesOfCars(const ForcesOfCars&) = default;
  ForcesOfCars(ForcesOfCars&&) noexcept = default;
  ForcesOfCars& operator=(const ForcesOfCars&) = default;
  ForcesOfCars& operator=(ForcesOfCars&&) noexcept = default;
};

/// Any force elements, car by car: each is told the motion of its own lane, as if it were alone.
template <AnyPack P>
class ForcesCarByCar final : public ForcesOfCars<P> {
 public:
  /// `tree`: of one of the cars (make_one_by_one()). `elements`: [car] the k-th of all cars act in
  /// the same way; `computing`: places of those that compute inputs.
  ForcesCarByCar(const TreeModel& tree, std::vector<ForceElements> elements,
                 std::vector<int> computing)
      : tree_(tree), elements_(std::move(elements)), reach_(find_reach(tree)) {
    tree_.computing = std::move(computing);
  }

  void add_forces(CarsWorkspace<P>& ws, unsigned cars) const override {
    TreeWorkspace& one = *ws.one;
    for_each_car(cars, [&](int lane) {
      take_motion(ws, lane, /*with_accelerations=*/false, one);
      clear(one);
      semirec::add_forces(elements_[at(lane)], tree_, one);
      give_forces(one, lane, ws);
      give_states(one, lane, ws);
      give_inputs(one, lane, ws);
    });
  }

  void update_states(CarsWorkspace<P>& ws, unsigned cars) const override {
    TreeWorkspace& one = *ws.one;
    for_each_car(cars, [&](int lane) {
      take_motion(ws, lane, tree_.samples_accelerations, one);
      semirec::update_states(elements_[at(lane)], tree_, one);
      give_states(one, lane, ws);
      give_inputs(one, lane, ws);
    });
  }

 private:
  template <typename Function>
  static void for_each_car(unsigned cars, const Function& function) {
    for (int lane = 0; lane < kLanesOf<P>; ++lane)
      if ((cars >> static_cast<unsigned>(lane) & 1U) != 0) function(lane);
  }

  template <typename Packs>
  static void copy(const Packs& from, int lane, double* to) {
    const P* packs = reinterpret_cast<const P*>(&from);
    for (std::size_t k = 0; k < kPacksOf<Packs>; ++k) to[k] = packs[k][lane];
  }

  /// `with_accelerations`: those of the bodies too, for elements that keep some of the end of a
  /// step.
  void take_motion(const CarsWorkspace<P>& ws, int lane, bool with_accelerations,
                   TreeWorkspace& one) const {
    const LanePlan& plan = *tree_.lanes;
    const LaneWorkspaceOf<P>& lanes = *ws.lanes;
    one.time = ws.time[lane];
    one.weights = ws.weights;
    copy(ws.origin, lane, one.origin.data());
    one.p[0] = -one.origin;
    for (std::size_t t = 1; t < tree_.bodies.size(); ++t) {
      const auto g = at(plan.group_of_body[t]);
      copy(lanes.A[g], lane, one.A_WC[t].data());
      copy(lanes.p[g], lane, one.p[t].data());
      copy(lanes.Z[g], lane, one.Z[t].data());
      if (with_accelerations) copy(lanes.Zd[g], lane, one.Zd[t].data());
    }
    for (const int c : reach_.columns)
      copy(lanes.H[at(c)], lane, one.H[at(plan.columns[at(c)][0])].data());
    for (std::size_t k = 0; k < one.z.size(); ++k) {
      one.z[k] = ws.z[k][lane];
      one.zd[k] = ws.zd[k][lane];
      one.z_offset[k] = ws.z_offset[k][lane];
    }
    for (std::size_t k = 0; k < one.inputs.size(); ++k)
      one.inputs[k] = {ws.inputs[k].f[lane], ws.inputs[k].fd[lane], ws.inputs[k].fdd[lane]};
    one.rule.h = ws.rule.h;
    one.rule.gain = ws.rule.gain;
    for (std::size_t k = 0; k < ws.x.size(); ++k) {
      const auto own = static_cast<Eigen::Index>(k);
      const Eigen::Index flat = own * kLanesOf<P> + lane;
      one.x[own] = ws.x[k][lane];
      one.rule.x_begin[own] = ws.rule.x_begin[flat];
      one.rule.x_hat[own] = ws.rule.x_hat[flat];
      one.rule.xd_hat[own] = ws.rule.xd_hat[flat];
    }
  }

  void clear(TreeWorkspace& one) const {
    for (Vector6& F : one.F) F.setZero();
    for (const int k : reach_.coordinates) one.residual[k] = 0.0;
    for (const int slot : reach_.slots) one.tangent[at(slot)] = 0.0;
    for (const int g : reach_.weighed) one.lanes->M[at(g)] = PackInertia();
  }

  template <typename Packs>
  static void add(const double* from, int lane, Packs& to) {
    P* packs = reinterpret_cast<P*>(&to);
    for (std::size_t k = 0; k < kPacksOf<Packs>; ++k) packs[k][lane] += from[k];
  }

  void give_forces(const TreeWorkspace& one, int lane, CarsWorkspace<P>& ws) const {
    const LanePlan& plan = *tree_.lanes;
    LaneWorkspaceOf<P>& lanes = *ws.lanes;
    for (std::size_t t = 1; t < tree_.bodies.size(); ++t)
      add(one.F[t].data(), lane, lanes.F[at(plan.group_of_body[t])]);
    for (const int k : reach_.coordinates) ws.residual[at(k)][lane] += one.residual[k];
    if (ws.weights.stiffness == 0.0 && ws.weights.damping == 0.0) return;
    for (const int slot : reach_.slots) ws.tangent[slot][lane] += one.tangent[at(slot)];
    for (const int g : reach_.weighed) {
      const Pack* from = reinterpret_cast<const Pack*>(&one.lanes->M[at(g)]);
      P* to = reinterpret_cast<P*>(&lanes.M[at(g)]);
      for (std::size_t k = 0; k < kPacksOf<PackInertia>; ++k) to[k][lane] += from[k][0];
    }
  }

  /// Those that elements have computed.
  void give_inputs(const TreeWorkspace& one, int lane, CarsWorkspace<P>& ws) const {
    if (tree_.computing.empty()) return;
    for (std::size_t k = 0; k < one.inputs.size(); ++k) {
      ws.inputs[k].f[lane] = one.inputs[k].f;
      ws.inputs[k].fd[lane] = one.inputs[k].fd;
      ws.inputs[k].fdd[lane] = one.inputs[k].fdd;
    }
  }

  static void give_states(const TreeWorkspace& one, int lane, CarsWorkspace<P>& ws) {
    for (std::size_t k = 0; k < ws.x.size(); ++k) {
      ws.x[k][lane] = one.x[static_cast<Eigen::Index>(k)];
      ws.xd[k][lane] = one.xd[static_cast<Eigen::Index>(k)];
    }
  }

  TreeModel tree_;
  std::vector<ForceElements> elements_;
  ForceReach reach_;
};

}  // namespace semirec
