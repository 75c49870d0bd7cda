#pragma once

#include <vector>

#include "vehicles/manoeuvre/method.hpp"

namespace semirec {

/// The registry, in the order of --list.
std::vector<Method> make_methods();

// one function a method, each in a file of its own or beside its like
Method coast_down_method();

}  // namespace semirec
