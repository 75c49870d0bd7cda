#include "penalty/factors/saddle_order.hpp"

#include <algorithm>

#include "topology/indices.hpp"

namespace semirec {

namespace {

/// Unknowns that are eliminated together.
struct Node {
  std::vector<int> members;
  std::vector<int> neighbours;  ///< nodes that are left, ascending
  std::vector<int> ties;        ///< of a multiplier: the nodes of A in its row
  int room = 0;                 ///< of a node of A that is gone: multipliers that may still lean
  bool leads = false;           ///< a node of A
  bool gone = false;
};

class Elimination {
 public:
  Elimination(int size, int n, const std::vector<MatrixEntry>& entries,
              const std::vector<std::vector<int>>& groups) {
    std::vector<int> node_of(at(size), -1);
    for (const std::vector<int>& group : groups) add_node(group, true, node_of);
    for (int i = 0; i < size; ++i)
      if (node_of[at(i)] < 0) add_node({i}, i < n, node_of);
    for (const MatrixEntry& entry : entries) {
      const int a = node_of[at(entry.row)];
      const int b = node_of[at(entry.column)];
      if (a == b) continue;
      nodes_[at(a)].neighbours.push_back(b);
      nodes_[at(b)].neighbours.push_back(a);
    }
    for (Node& node : nodes_) {
      sort_unique(node.neighbours);
      if (node.leads) continue;
      for (const int b : node.neighbours)
        if (nodes_[at(b)].leads) node.ties.push_back(b);
    }
  }

  std::vector<int> run() {
    std::vector<int> order;
    for (std::size_t k = 0; k < nodes_.size(); ++k) {
      const int next = choose();
      Node& node = nodes_[at(next)];
      if (!node.leads) lean(node);
      eliminate(next);
      order.insert(order.end(), node.members.begin(), node.members.end());
    }
    return order;
  }

 private:
  static void sort_unique(std::vector<int>& v) {
    std::sort(v.begin(), v.end());
    v.erase(std::unique(v.begin(), v.end()), v.end());
  }

  void add_node(const std::vector<int>& members, bool leads, std::vector<int>& node_of) {
    for (const int i : members) node_of[at(i)] = static_cast<int>(nodes_.size());
    Node node;
    node.members = members;
    node.leads = leads;
    node.room = static_cast<int>(members.size());
    nodes_.push_back(std::move(node));
  }

  int degree(const Node& node) const {
    int sum = static_cast<int>(node.members.size());
    for (const int b : node.neighbours) sum += static_cast<int>(nodes_[at(b)].members.size());
    return sum;
  }

  /// The node of A that a multiplier may lean on: the one with the most room.
  int support_of(const Node& node) const {
    int best = -1;
    for (const int b : node.ties)
      if (nodes_[at(b)].gone && nodes_[at(b)].room > 0 &&
          (best < 0 || nodes_[at(b)].room > nodes_[at(best)].room))
        best = b;
    return best;
  }
  bool may_go(const Node& node) const {
    return node.leads || support_of(node) >= 0 ||
           std::all_of(node.ties.begin(), node.ties.end(),
                       [&](int b) { return nodes_[at(b)].gone; });
  }
  void lean(const Node& node) {
    const int support = support_of(node);
    if (support >= 0) --nodes_[at(support)].room;
  }

  int choose() const {
    int best = -1;
    int fewest = 0;
    for (std::size_t k = 0; k < nodes_.size(); ++k) {
      const Node& node = nodes_[k];
      if (node.gone || !may_go(node)) continue;
      const int own = degree(node);
      if (best >= 0 && own >= fewest) continue;
      best = static_cast<int>(k);
      fewest = own;
    }
    return best;
  }

  /// What is left of its neighbours then couples.
  void eliminate(int gone) {
    Node& node = nodes_[at(gone)];
    node.gone = true;
    for (const int b : node.neighbours) {
      std::vector<int>& others = nodes_[at(b)].neighbours;
      others.insert(others.end(), node.neighbours.begin(), node.neighbours.end());
      sort_unique(others);
      std::erase_if(others, [&](int i) { return i == b || i == gone; });
    }
  }

  std::vector<Node> nodes_;
};

}  // namespace

std::vector<int> find_saddle_order(int size, int n, const std::vector<MatrixEntry>& entries,
                                   const std::vector<std::vector<int>>& groups) {
  return Elimination(size, n, entries, groups).run();
}

}  // namespace semirec
