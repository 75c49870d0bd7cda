#include "integrator/method/closure_rows.hpp"

#include <algorithm>

#include "integrator/formulation/formulation_model.hpp"
#include "integrator/formulation/tangent_shape.hpp"
#include "integrator/workspace.hpp"
#include "topology/indices.hpp"

namespace semirec {

namespace {

std::vector<int> find_switches(const Model& model) {
  std::vector<int> switches(at(model.m()));
  for (int row = 0; row < model.m(); ++row)
    switches[at(row)] = model.formulation->owner_of(model, row).switch_index;
  return switches;
}

}  // namespace

ClosureRows::ClosureRows(const Model& model)
    : switch_of_row_(find_switches(model)),
      released_(at(model.m()), 0),
      dependent_(at(model.m()), 0),
      rank_(model.n(), model.m()) {}

void ClosureRows::take_switches(const State& state) {
  if (state.switches.empty()) return;
  for (std::size_t j = 0; j < switch_of_row_.size(); ++j) {
    const int index = switch_of_row_[j];
    const char released = index >= 0 && !state.switches[at(index)].attached ? 1 : 0;
    looked_ = looked_ && released == released_[j];
    released_[j] = released;
  }
}

void ClosureRows::look(const Model& model, const Workspace& ws) {
  rank_.find(model.blocks(), ws.closures.Phi_z, dependent_);
  looked_ = true;
}

void ClosureRows::recall(const Eigen::VectorXd& corner) {
  for (std::size_t j = 0; j < dependent_.size(); ++j) {
    const double compliance = corner[static_cast<Eigen::Index>(j)];
    released_[j] = switch_of_row_[j] >= 0 && compliance == kReleased ? 1 : 0;
    dependent_[j] = compliance != 0.0 ? 1 : 0;
  }
  looked_ = true;
}

int ClosureRows::count() const {
  int count = 0;
  for (std::size_t j = 0; j < dependent_.size(); ++j)
    count += is_dependent(static_cast<int>(j)) ? 1 : 0;
  return count;
}

std::vector<std::string> ClosureRows::find_owners(const Model& model) const {
  std::vector<std::string> names;
  for (int row = 0; row < model.m(); ++row) {
    if (!is_dependent(row)) continue;
    std::string name = name_of_row(model, row);
    if (std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(std::move(name));
  }
  return names;
}

void ClosureRows::set_compliance(double kappa, const Eigen::VectorXd& masses,
                                 Eigen::VectorXd& compliance) const {
  for (Eigen::Index j = 0; j < compliance.size(); ++j)
    compliance[j] = is_released(static_cast<int>(j))    ? kReleased
                    : is_dependent(static_cast<int>(j)) ? 1.0 / (kappa * masses[j])
                                                        : 0.0;
}

SaddleShape shape_of(const Model& model, bool exact) {
  SaddleShape shape = find_saddle_shape(model);
  if (exact) shape.extra = model.formulation->exact_entries(model);
  return shape;
}

void set_compliance(const StepInProgress& step, ClosurePart& part) {
  part.rows.set_compliance(step.settings.kappa, step.state.masses, part.compliance);
}

void look_at_rows(const StepInProgress& step, ClosurePart& part) {
  part.rows.look(step.model, step.ws);
  set_compliance(step, part);
}

bool fail_singular(const StepInProgress& step) {
  step.report.status =
      step.ws.tree.residual.allFinite() ? StepStatus::saddle_singular : StepStatus::non_finite;
  return false;
}

}  // namespace semirec
