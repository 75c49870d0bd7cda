#include "recursive/forces/contact_edges.hpp"

#include <algorithm>

namespace semirec {

namespace {

bool is_zero(const Curve::Piece& piece) {
  return std::all_of(piece.c.begin(), piece.c.end(), [](double c) { return c == 0.0; });
}

}  // namespace

std::vector<ContactEdge> find_contact_edges(const Curve& law) {
  std::vector<ContactEdge> edges;
  const std::vector<Curve::Piece>& pieces = law.pieces();
  for (std::size_t k = 1; k < pieces.size(); ++k) {
    const bool before = is_zero(pieces[k - 1]);
    if (before != is_zero(pieces[k])) edges.push_back({pieces[k].from, before});
  }
  return edges;
}

}  // namespace semirec
