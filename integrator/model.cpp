#include "integrator/model.hpp"

namespace semirec {

std::string name_of_row(const Model& model, int row) {
  if (model.global) {
    const auto r = static_cast<std::size_t>(row);
    return r < model.global->rows.size()
               ? model.global->owners[static_cast<std::size_t>(model.global->rows[r].owner)]
               : std::string();
  }
  for (std::size_t c = 0; c < model.closures.closures.size(); ++c) {
    const RowBlock& block = model.closures.blocks[c];
    if (row >= block.row && row < block.row + block.rows) return model.closures.closures[c].name;
  }
  return {};
}

}  // namespace semirec
