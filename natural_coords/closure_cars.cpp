#include "natural_coords/closure_cars.hpp"

#include "topology/indices.hpp"

namespace semirec {

ClosureModel make_one_by_one(const TreeModel& tree, const ClosureModel& closures) {
  ClosureModel model = closures;
  model.groups = std::make_shared<const std::vector<ClosureGroup>>(
      make_closure_groups(tree, model.closures, model.blocks));
  set_slots(model, tree.pattern);
  return model;
}

const char* difference_of(const ClosureModel& a, const ClosureModel& b) {
  if (a.closures.size() != b.closures.size() || a.m != b.m) return "other closed loops";
  for (std::size_t c = 0; c < a.closures.size(); ++c) {
    const Closure& of_a = a.closures[c];
    const Closure& of_b = b.closures[c];
    bool alike = of_a.equations.size() == of_b.equations.size() && of_a.a.body == of_b.a.body &&
                 of_a.b.body == of_b.b.body && of_a.ancestor == of_b.ancestor &&
                 of_a.sign == of_b.sign && of_a.length_input == of_b.length_input &&
                 of_a.slide_input == of_b.slide_input && of_a.coordinate == of_b.coordinate &&
                 of_a.motion_input == of_b.motion_input && of_a.switch_index == of_b.switch_index &&
                 a.blocks[c].columns == b.blocks[c].columns;
    for (std::size_t k = 0; alike && k < of_a.equations.size(); ++k)
      alike = of_a.equations[k].kind == of_b.equations[k].kind &&
              of_a.equations[k].axis_a == of_b.equations[k].axis_a &&
              of_a.equations[k].axis_b == of_b.equations[k].axis_b;
    if (!alike) return "loops that close otherwise";
  }
  return nullptr;
}

}  // namespace semirec
