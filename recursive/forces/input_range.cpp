#include "recursive/forces/input_range.hpp"

#include <algorithm>

namespace semirec {

std::optional<InputRange> find_input_range(const ForceElements& forces, InputIndex input) {
  std::optional<InputRange> all;
  for (const auto& force : forces) {
    const auto* user = dynamic_cast<const InputUser*>(force.get());
    if (user == nullptr) continue;
    for (const InputRange& range : user->input_ranges()) {
      if (range.input != input) continue;
      if (!all) all = range;
      all->least = std::min(all->least, range.least);
      all->most = std::max(all->most, range.most);
      all->whole_to = std::max(all->whole_to, range.whole_to);
    }
  }
  return all;
}

}  // namespace semirec
