#include "natural_coords/closure.hpp"
#include "natural_coords/closure_sweep.hpp"

namespace semirec {

namespace {

using OneCarSweep = ClosureSweep<double, TreeWorkspace, ClosureWorkspace>;

}  // namespace

void compute_closure_positions(const ClosureModel& model, const TreeWorkspace& ws,
                               ClosureWorkspace& cws, bool with_jacobian) {
  ++cws.placings;
  OneCarSweep(model, *model.groups, ws, cws).find_positions(with_jacobian);
}

void compute_closure_motions(const ClosureModel& model, const TreeWorkspace& ws,
                             ClosureWorkspace& cws) {
  OneCarSweep(model, *model.groups, ws, cws).find_motions<true>();
}

void compute_closure_velocities(const ClosureModel& model, const TreeWorkspace& ws,
                                ClosureWorkspace& cws) {
  OneCarSweep(model, *model.groups, ws, cws).find_motions<false>();
}

}  // namespace semirec
