#include "vehicles/session/input_array.hpp"

#include <cmath>
#include <limits>

namespace semirec {

InputArray::InputArray(const Session& session) : sent_(session.inputs().size()) {
  for (std::size_t k = 0; k < sent_.size(); ++k) sent_[k] = number_of(session, k);
}

double InputArray::number_of(const Session& session, std::size_t input) noexcept {
  const LiveInput& coming = session.input_to_come(static_cast<int>(input));
  return coming.given ? coming.value.f : std::numeric_limits<double>::quiet_NaN();
}

void InputArray::take(const Session& session, double* values, std::ptrdiff_t stride) noexcept {
  for (std::size_t k = 0; k < sent_.size(); ++k)
    sent_[k] = values[static_cast<std::ptrdiff_t>(k) * stride] = number_of(session, k);
}

bool InputArray::send(const double* values, std::ptrdiff_t stride, Session& session) noexcept {
  const auto value_of = [&](std::size_t k) {
    return values[static_cast<std::ptrdiff_t>(k) * stride];
  };
  bad_ = -1;
  why_ = InputStatus::accepted;
  for (std::size_t k = 0; k < sent_.size(); ++k)
    if (std::isinf(value_of(k))) {
      bad_ = static_cast<int>(k);
      why_ = InputStatus::not_finite;
      return false;
    }
  for (std::size_t k = 0; k < sent_.size(); ++k) {
    const int input = static_cast<int>(k);
    const double value = value_of(k);
    if (value == sent_[k] || (std::isnan(value) && std::isnan(sent_[k]))) continue;
    const InputStatus status =
        std::isnan(value) ? session.release_input(input) : session.set_input(input, value);
    if (status != InputStatus::accepted) {
      bad_ = input;
      why_ = status;
      return false;
    }
    sent_[k] = value;
  }
  return true;
}

}  // namespace semirec
