#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vehicles/tyre/foreign_tyre.hpp"

namespace semirec {

/// A function that vehicle files call by its name: <foreign function="name" .../>.
struct RegisteredTyre {
  ForeignTyreFunction function = nullptr;
  void* user = nullptr;
};

/// Makes a function known to the vehicle files that are read from now on, in this program. A name
/// that is known already gets the new function, and without a function it is forgotten; vehicles
/// that were read before keep what they have. `user` must outlive them. Any thread may call it.
/// Throws ModelError unless the name has 1 to 60 letters, digits, `_`, `-` or `.`.
void register_foreign_tyre(const std::string& name, ForeignTyreFunction function, void* user);

/// What is known under a name.
std::optional<RegisteredTyre> find_foreign_tyre(const std::string& name);

/// All names, in the order of the alphabet.
std::vector<std::string> foreign_tyre_names();

}  // namespace semirec
