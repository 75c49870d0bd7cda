#include "topology/graph.hpp"

#include <tuple>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/connected_components.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>

namespace semirec {

namespace {

/// Price of reaching a body through a joint, compared from the left.
struct Price {
  int degrees_of_freedom = 0;
  int depth = 0;
  int order = 0;
  friend bool operator<(const Price& a, const Price& b) {
    return std::tie(a.degrees_of_freedom, a.depth, a.order) <
           std::tie(b.degrees_of_freedom, b.depth, b.order);
  }
};

struct JointEdge {
  JointIndex joint = 0;
  Price price;
};

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS,
                                    boost::no_property, JointEdge>;

Graph make_graph(const Mechanism& mechanism, bool with_cuts) {
  Graph graph(mechanism.bodies.size() + 1);
  for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
    const Joint& joint = mechanism.joints[j];
    if (placement_of(joint) == Placement::cut && !with_cuts) continue;
    JointEdge edge;
    edge.joint = static_cast<JointIndex>(j);
    edge.price.degrees_of_freedom =
        placement_of(joint) == Placement::tree ? -1 : degrees_of_freedom(joint.type);
    edge.price.order = static_cast<int>(j);
    boost::add_edge(static_cast<std::size_t>(vertex_of(joint.a.body)),
                    static_cast<std::size_t>(vertex_of(joint.b.body)), edge, graph);
  }
  return graph;
}

}  // namespace

void check_connected(const Mechanism& mechanism) {
  for (const bool with_cuts : {true, false}) {
    const Graph graph = make_graph(mechanism, with_cuts);
    std::vector<int> component(boost::num_vertices(graph));
    boost::connected_components(graph, component.data());
    for (std::size_t i = 0; i < mechanism.bodies.size(); ++i) {
      if (component[i + 1] == component[0]) continue;
      const Body& body = mechanism.bodies[i];
      throw ModelError(body.source, body.name,
                       with_cuts
                           ? "no chain of joints connects this body with the ground, expected "
                             "a joint to a connected body or a free joint to the ground"
                           : "only joints marked as cuts connect this body with the ground, "
                             "expected a joint that may stay in the tree");
    }
  }
}

std::vector<JointIndex> choose_tree_joints(const Mechanism& mechanism) {
  check_connected(mechanism);
  const Graph graph = make_graph(mechanism, false);

  // Prim's algorithm, as Dijkstra's with the price of the last joint in place of a path's length
  const auto last_price = [](const Price& at, const Price& edge) {
    return Price{edge.degrees_of_freedom, at.depth + 1, edge.order};
  };
  std::vector<Price> price(boost::num_vertices(graph));
  std::vector<Graph::vertex_descriptor> parent(boost::num_vertices(graph));
  boost::dijkstra_shortest_paths(graph, 0,
                                 boost::weight_map(boost::get(&JointEdge::price, graph))
                                     .distance_map(price.data())
                                     .predecessor_map(parent.data())
                                     .distance_compare(std::less<Price>())
                                     .distance_combine(last_price)
                                     .distance_inf(Price{1 << 20, 1 << 20, 1 << 20})
                                     .distance_zero(Price{-2, 0, 0}));

  std::vector<JointIndex> chosen(mechanism.bodies.size());
  std::vector<char> used(mechanism.joints.size(), 0);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    chosen[i] = price[i + 1].order;
    used[static_cast<std::size_t>(chosen[i])] = 1;
  }
  for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
    const Joint& joint = mechanism.joints[j];
    if (used[j] != 0) continue;
    if (placement_of(joint) == Placement::tree)
      throw ModelError(
          joint.source, joint.name,
          "must stay in the tree but closes a loop of such joints, expected one of them "
          "to be free to be cut");
  }
  return chosen;
}

}  // namespace semirec
