#pragma once

#include "topology/curve.hpp"
#include "vehicles/files/xml/element.hpp"

namespace semirec {

/// Force law from the pieces or the table of a <law> or <damper>: x to f.
Curve read_law(const Element& law);

/// Function of time from the children of an <input> or <excitation>: at most one of constant, ramp,
/// kerb and table, and any number of sines on top.
Curve read_time_function(const Element& owner);

/// An <input>: a constant `value`, functions of time, or nothing for zero.
Input read_input(const Element& element);

/// Height over x from <flat>, <table> or <cosine_bump>s.
Curve read_road_profile(const Element& owner);

}  // namespace semirec
