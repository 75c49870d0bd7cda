#include "integrator/model.hpp"

#include "integrator/formulation/formulation_model.hpp"

namespace semirec {

Model::Model() = default;
Model::Model(const Model&) = default;
Model::Model(Model&&) noexcept = default;
Model& Model::operator=(const Model&) = default;
Model& Model::operator=(Model&&) noexcept = default;
Model::~Model() = default;

int Model::n() const { return formulation->n(*this); }
int Model::m() const { return formulation->m(*this); }
const std::vector<RowBlock>& Model::blocks() const { return formulation->blocks(*this); }

std::string name_of_row(const Model& model, int row) {
  return model.formulation->owner_of(model, row).name;
}

}  // namespace semirec
