#pragma once

#include "topology/curve.hpp"
#include "vehicles/files/xml/element.hpp"

namespace semirec {

/// `from` of a piece that nothing precedes.
inline constexpr double kBeforeAll = -1e300;

/// Force law from the pieces or the table of a <law> or <damper>: x to f.
Curve read_law(const Element& law);

/// Function of time from the children of an <input> or <excitation>: at most one of constant, ramp,
/// kerb and table, and any number of sines on top.
Curve read_time_function(const Element& owner);

/// An <input>: a `value` that is a number or a formula of time, functions of time, or nothing for
/// zero.
Input read_input(const Element& element);

/// Height over x from <flat>, <table> or <cosine_bump>s.
Curve read_road_profile(const Element& owner);

/// The points of a table: at least two, x not descending, or `ascending` all different.
std::vector<std::pair<double, double>> read_points(const Element& table, const char* x,
                                                   const char* f, bool ascending);

/// The curve itself; throws ModelError where numbers that are finite lie too far apart, or too
/// close, for the slope between them.
const Curve& with_finite_slopes(const Element& element, const Curve& curve);

}  // namespace semirec
