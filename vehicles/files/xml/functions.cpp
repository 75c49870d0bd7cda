#include "vehicles/files/xml/functions.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "vehicles/files/xml/formula_text.hpp"
#include "vehicles/files/xml/read_formula.hpp"

namespace semirec {

const Curve& with_finite_slopes(const Element& element, const Curve& curve) {
  for (const Curve::Piece& piece : curve.pieces())
    for (const double c : piece.c)
      if (!std::isfinite(c))
        element.fail("<" + element.kind +
                     "> has a slope that is not finite, expected numbers of ordinary size");
  return curve;
}

std::vector<std::pair<double, double>> read_points(const Element& table, const char* x,
                                                   const char* f, bool ascending) {
  std::vector<std::pair<double, double>> points;
  for (const Element& point : table.children) {
    const double at = point.number(x);
    if (!points.empty() && (ascending ? at <= points.back().first : at < points.back().first))
      point.fail(x, ascending ? "does not ascend, expected more than at the point before"
                              : "descends, expected no less than at the point before");
    points.emplace_back(at, point.number(f));
  }
  if (points.size() < 2)
    table.fail("<table> has " + std::to_string(points.size()) +
               (points.size() == 1 ? " point" : " points") + ", expected at least two");
  return points;
}

namespace {

Curve read_table(const Element& table, const char* x, const char* f, bool extrapolate) {
  const bool smooth = table.flag("smooth");
  const auto points = read_points(table, x, f, smooth);
  return with_finite_slopes(
      table, smooth ? Curve::smooth_table(points, extrapolate) : Curve::table(points, extrapolate));
}

Curve::Sine read_sine(const Element& sine) {
  sine.need_one_of("frequency", "omega");
  Curve::Sine s;
  s.amplitude = sine.number("amplitude");
  s.omega =
      sine.has("omega") ? sine.number("omega") : 2.0 * std::numbers::pi * sine.number("frequency");
  s.phase = sine.number("phase");
  s.rise = sine.number("rise");
  s.from = sine.number("start", s.from);
  s.to = sine.number("end", s.to);
  if (s.rise > 0.0 && !sine.has("start"))
    sine.fail("rise", "stands without 'start', expected the time at which the rise begins");
  if (s.to <= s.from) sine.fail("end", "is not after 'start', expected a later time");
  return s;
}

Curve read_ramp(const Element& ramp) {
  const double start = ramp.number("start");
  const double end = ramp.number("end");
  if (end <= start) ramp.fail("end", "is not after 'start', expected a later time");
  return with_finite_slopes(ramp,
                            Curve::table({{start, ramp.number("from")}, {end, ramp.number("to")}}));
}

Curve read_kerb(const Element& kerb) {
  Curve curve;
  curve.add_piece(kBeforeAll, 0.0, {0.0});
  curve.add_piece(kerb.number("time"), 0.0, {kerb.number("height")});
  return curve;
}

Curve read_one_function(const Element& part) {
  if (part.kind == "ramp") return read_ramp(part);
  if (part.kind == "kerb") return read_kerb(part);
  if (part.kind == "table") return read_table(part, "t", "value", false);
  return Curve::constant(part.number("value"));
}

/// height/2 (1 - cos(2 pi (x - start)/length)): a constant and a sine over the bump's length.
void add_bump(Curve& curve, const Element& bump, double after) {
  const double start = bump.number("start");
  const double length = bump.number("length");
  const double height = bump.number("height");
  if (start < after)
    bump.fail("start", "lies before the end of the bump before, expected bumps in ascending order");
  if (curve.is_zero()) curve.add_piece(kBeforeAll, 0.0, {0.0});
  curve.add_piece(start, 0.0, {0.5 * height});
  curve.add_piece(start + length, 0.0, {0.0});
  const double omega = 2.0 * std::numbers::pi / length;
  curve.add_sine(
      {-0.5 * height, omega, 0.5 * std::numbers::pi - omega * start, 0.0, start, start + length});
}

Curve read_pieces(const Element& law) {
  Curve curve;
  double last = kBeforeAll;
  bool first = true;
  for (const Element& piece : law.children) {
    if (piece.kind != "piece") continue;
    const double from = first ? piece.number("from", kBeforeAll) : piece.number("from");
    if (!first && from <= last)
      piece.fail("from", "does not ascend, expected more than on the piece before");
    std::array<double, 6> c{};
    bool any = false;
    for (std::size_t k = 0; k < c.size(); ++k) {
      const std::string name = "c" + std::to_string(k);
      any = any || piece.has(name);
      c[k] = piece.number(name);
    }
    if (!any) piece.fail("c0", "is missing, expected at least one of c0 to c5");
    if (first && piece.has("from")) curve.add_piece(kBeforeAll, 0.0, {});  // nothing below it
    curve.add_piece(from, piece.number("origin"), c);
    last = from;
    first = false;
  }
  return curve;
}

}  // namespace

Curve read_law(const Element& law) {
  const Element* table = law.child("table");
  if (law.children.empty() || (table != nullptr && law.children.size() > 1))
    law.fail("<" + law.kind + "> holds " +
             (table != nullptr ? "a table beside others" : "nothing") +
             ", expected pieces or one table");
  if (table != nullptr) return read_table(*table, "x", "f", table->flag("extrapolate"));
  return read_pieces(law);
}

Curve read_time_function(const Element& owner) {
  Curve curve;
  const Element* base = nullptr;
  for (const Element& part : owner.children) {
    if (part.kind == "sine") continue;
    if (base != nullptr)
      throw ModelError(part.source, owner.label,
                       "has <" + part.kind + "> beside <" + base->kind +
                           ">, expected one function and sines on top");
    base = &part;
    curve = read_one_function(part);
  }
  for (const Element& part : owner.children)
    if (part.kind == "sine") curve.add_sine(read_sine(part));
  return curve;
}

Input read_input(const Element& element) {
  Input input;
  input.name = element.name;
  input.source = element.source;
  if (element.has("value") && !element.children.empty())
    element.fail("value", "stands beside functions, expected either a value or functions");
  if (!element.has("value"))
    input.curve = read_time_function(element);
  else if (is_formula(element.text("value")))
    input.curve = read_formula_of_time(element, "value", {});
  else
    input.curve = Curve::constant(element.number("value"));
  return input;
}

Curve read_road_profile(const Element& owner) {
  const Element* flat = owner.child("flat");
  const Element* table = owner.child("table");
  if (owner.children.empty())
    owner.fail("<" + owner.kind + "> holds nothing, expected flat, table or cosine_bump");
  if ((flat != nullptr || table != nullptr) && owner.children.size() > 1)
    owner.fail("<" + owner.kind +
               "> holds several profiles, expected one flat, one table or bumps");
  if (flat != nullptr) return Curve::constant(flat->number("height"));
  if (table != nullptr) return read_table(*table, "x", "z", false);
  Curve curve;
  double after = kBeforeAll;
  for (const Element& bump : owner.children) {
    add_bump(curve, bump, after);
    after = curve.pieces().back().from;
  }
  return curve;
}

}  // namespace semirec
