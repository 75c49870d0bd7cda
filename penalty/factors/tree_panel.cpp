#include "penalty/factors/tree_factor.hpp"

namespace semirec {

std::vector<TreePanel> make_tree_panels(const SymmetricPattern& pattern) {
  const int n = pattern.size();
  std::vector<int> children(at(n), 0);
  for (const int parent : pattern.parent())
    if (parent >= 0) ++children[at(parent)];
  const auto joins = [&](int child, int parent) {
    return parent >= 0 && children[at(parent)] == 1 &&
           pattern.first()[at(parent)] == pattern.first()[at(child)];
  };
  std::vector<TreePanel> panels;
  std::vector<char> taken(at(n), 0);
  for (int i = n - 1; i >= 0; --i) {
    if (taken[at(i)] != 0) continue;
    TreePanel panel;
    int last = i;
    for (int j = i;; j = pattern.parent()[at(j)]) {
      panel.row[at(panel.count++)] = j;
      taken[at(j)] = 1;
      last = j;
      if (panel.count == TreePanel::kMost || !joins(j, pattern.parent()[at(j)])) break;
    }
    panel.begin = pattern.first()[at(i)];
    panel.top = pattern.depth()[at(last)];
    for (int j = pattern.parent()[at(last)], d = panel.top - 1; d >= panel.begin;
         j = pattern.parent()[at(j)], --d)
      panel.ancestors.push_back(j);
    panels.push_back(std::move(panel));
  }
  return panels;
}

std::vector<int> find_runs_abreast(const std::vector<TreePanel>& panels) {
  std::vector<int> ends;
  std::size_t begin = 0;
  const auto joins = [&](std::size_t k) {
    if (panels[k].count != panels[begin].count) return false;
    for (std::size_t i = begin; i < k; ++i)
      for (int m = 0; m < panels[k].count; ++m)
        for (const int inboard : panels[i].ancestors)
          if (inboard == panels[k].row[at(m)]) return false;
    return true;
  };
  for (std::size_t k = 1; k <= panels.size(); ++k) {
    if (k < panels.size() && joins(k)) continue;
    ends.push_back(static_cast<int>(k));
    begin = k;
  }
  return ends;
}

}  // namespace semirec
