#include "vehicles/analysis/answer.hpp"

#include <sstream>

namespace semirec {

std::string to_text(double value, int digits) {
  std::ostringstream text;
  text.precision(digits);
  text << value;
  return text.str();
}

int find_quantity(const Answer& answer, const std::string& name) {
  for (std::size_t k = 0; k < answer.quantities.size(); ++k)
    if (answer.quantities[k].name == name) return static_cast<int>(k);
  return -1;
}

void show_progress(const Progress& progress, double part, const std::string& what) {
  if (progress && !progress(part, what)) throw Interrupted();
}

}  // namespace semirec
