#include "vehicles/manoeuvre/methods.hpp"

namespace semirec {

std::vector<Method> make_methods() {
  return {
      coast_down_method(),
  };
}

}  // namespace semirec
