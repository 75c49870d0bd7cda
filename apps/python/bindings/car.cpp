#include "apps/python/bindings/car.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "topology/nearest.hpp"

namespace semirec::python {

namespace {

constexpr double kOwnCurve = std::numeric_limits<double>::quiet_NaN();

std::vector<std::size_t> choose(const std::vector<Channel>& channels,
                                const std::vector<std::string>& names) {
  std::vector<std::size_t> chosen;
  for (const std::string& name : names) {
    std::size_t k = 0;
    while (k < channels.size() && channels[k].name != name) ++k;
    if (k == channels.size()) {
      std::vector<std::string> known;
      for (const Channel& channel : channels) known.push_back(channel.name);
      throw ModelError("outputs: there is no output '" + name + "'" + nearest_hint(name, known));
    }
    chosen.push_back(k);
  }
  if (names.empty())
    for (std::size_t k = 0; k < channels.size(); ++k) chosen.push_back(k);
  return chosen;
}

}  // namespace

Car::Car(const DriveDescription& read, const SessionSettings& settings,
         const std::vector<std::string>& outputs, std::vector<std::unique_ptr<ForceElement>> forces)
    : session_(read, settings, std::move(forces)),
      chosen_(choose(session_.outputs(), outputs)),
      all_(outputs.empty()),
      choice_(session_.choose_outputs(chosen_)),
      own_inputs_(session_.inputs().size(), kOwnCurve),
      own_outputs_(chosen_.size()),
      sent_(session_),
      inputs_(own_inputs_.data()),
      outputs_(own_outputs_.data()),
      before_(session_.saved_size()) {
  read_outputs();
}

Car::Car(const Car& other)
    : session_(other.session_),
      chosen_(other.chosen_),
      all_(other.all_),
      choice_(other.choice_),
      own_inputs_(other.inputs_, other.inputs_ + other.session_.inputs().size()),
      own_outputs_(other.outputs_, other.outputs_ + other.chosen_.size()),
      sent_(other.sent_),
      inputs_(own_inputs_.data()),
      outputs_(own_outputs_.data()),
      before_(other.before_.size()) {}

void Car::live_in(double* inputs, double* outputs) {
  std::copy(inputs_, inputs_ + session_.inputs().size(), inputs);
  std::copy(outputs_, outputs_ + chosen_.size(), outputs);
  inputs_ = inputs;
  outputs_ = outputs;
}

StepReport Car::report() const noexcept {
  StepReport report = session_.report();
  if (undone_) report.status = StepStatus::non_finite;
  return report;
}

StepStatus Car::advance(int steps) noexcept {
  undone_ = false;
  if (!send_inputs()) return StepStatus::non_finite;
  const TroubleScope scope(trouble_);
  const bool may_raise = expects_python_functions();
  for (int k = 0; k < steps; ++k) {
    if (may_raise) session_.save(before_.data());
    const StepStatus status = session_.step();
    if (trouble_.happened()) {
      session_.restore(before_.data(), before_.size());
      undone_ = true;
      return StepStatus::non_finite;
    }
    if (status != StepStatus::converged) return status;
  }
  return StepStatus::converged;
}

void Car::read_outputs(Trouble& trouble) noexcept {
  const TroubleScope scope(trouble);
  if (all_)
    session_.read_outputs(outputs_);
  else
    session_.read_outputs(choice_, outputs_);
}

bool Car::read_outputs() noexcept {
  read_outputs(trouble_);
  return !trouble_.happened();
}

bool Car::read_outputs_after_step() noexcept {
  if (read_outputs()) return true;
  session_.restore(before_.data(), before_.size());
  undone_ = true;
  return false;
}

void Car::read_outputs_quietly() noexcept {
  Trouble forgotten;
  read_outputs(forgotten);
}

std::vector<std::byte> Car::save() {
  // what was written and has not been stepped with belongs to the state; what is no number does not
  static_cast<void>(send_inputs());
  std::vector<std::byte> bytes(session_.saved_size());
  session_.save(bytes.data());
  return bytes;
}

RestoreStatus Car::restore(const std::byte* bytes, std::size_t size) {
  const RestoreStatus status = session_.restore(bytes, size);
  if (status != RestoreStatus::restored) return status;
  undone_ = false;
  sent_.take(session_, inputs_);
  read_outputs();
  return status;
}

}  // namespace semirec::python
