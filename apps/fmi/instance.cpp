#include "apps/fmi/instance.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "apps/fmi/state_bytes.hpp"
#include "apps/fmi/tunable.hpp"

namespace semirec::fmi {

namespace {

/// A communication step counts as whole engine steps, also as none, where it differs by no more
/// than this part of one.
constexpr double kWhole = 1e-6;
/// Points that an importer sums up drift: they may lie beside the instance's time by this part of
/// an engine step, and by this part of themselves as long as that is a small part of a step, too;
/// and by the last digits of numbers of their size.
constexpr double kDrift = 0.01, kRelativeDrift = 1e-9, kMostRelativeDrift = 0.1,
                 kLastDigits = 1e-15;
/// From this part of an engine step on a step that is whole ends where the importer means it to:
/// what drifts one way would leave kDrift behind.
constexpr double kCorrected = 0.0075;
constexpr const char* kNoAccelerations =
    "there are no accelerations with these inputs: a number is not finite";
/// More steps in one communication step are a slip of the pen.
constexpr double kMostSteps = 1e9;

const char* words_of(Phase phase) {
  switch (phase) {
    case Phase::instantiated:
      return "before the initialization";
    case Phase::initialization:
      return "during the initialization";
    case Phase::stepping:
      return "between steps";
    case Phase::event:
      return "in event mode";
    case Phase::terminated:
      return "after the end";
    case Phase::failed:
      break;
  }
  return "after an error, which only a saved state, a reset and the end lead out of";
}

const char* words_of(StepStatus status) {
  switch (status) {
    case StepStatus::tangent_not_positive_definite:
      return "the tangent is not positive definite";
    case StepStatus::non_finite:
      return "a number is not finite";
    case StepStatus::closures_lost:
      return "the closures hold nothing together any more";
    case StepStatus::event_impossible:
      return "an event of the scenario cannot happen, an attachment stays open";
    default:
      return "it did not converge";
  }
}

bool same_names(const auto& a, const auto& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const auto& x, const auto& y) { return x.name == y.name; });
}

}  // namespace

std::string without_references(const std::string& text) {
  std::string result;
  for (const char c : text) result.append(c == '#' ? 2 : 1, c);
  return result;
}

Instance::Instance(const std::string& token, const std::string& folder, LogSink sink, bool logging)
    : sink_(std::move(sink)),
      logs_errors_(logging),
      logs_warnings_(logging),
      folder_(folder),
      package_(read_package(folder)) {
  token_ = find_token(package_, folder_);
  if (token != token_)
    throw ModelError("the instantiation token is '" + token + "', expected '" + token_ +
                     "': library, resources and model description are not of one FMU");
  parameters_ = find_parameters(package_, folder_);
  parameter_values_.resize(parameters_.size());
  make_session();
  variables_ = make_variables(*session_, parameters_);
}

/// Values that the car does not take give way to those that it has.
template <typename Take>
void Instance::hold_values(const Take& take) {
  try {
    take();
  } catch (...) {
    if (session_ != nullptr) parameter_values_ = driven_values_;
    throw;
  }
  driven_values_ = parameter_values_;
}

void Instance::make_session() {
  hold_values([&] {
    auto session = std::make_unique<Session>(
        read_car(package_, folder_, parameters_, parameter_values_), session_settings(package_));
    if (session_ != nullptr && (!same_names(session->inputs(), session_->inputs()) ||
                                !same_names(session->outputs(), session_->outputs())))
      throw ModelError(
          "a parameter changes which inputs and outputs the car has, expected those of the model "
          "description");
    session_ = std::move(session);
  });
  inputs_.resize(session_->inputs().size());
  outputs_.resize(session_->outputs().size());
  is_asked_.resize(outputs_.size());
  choice_ = session_->choose_outputs(asked_);
  derivative_choice_ = session_->choose_outputs(derived_);
  at_once_.reset();
  evaluated_ = false;
  steps_ = unsettled_ = 0;
  parameters_changed_ = false;
  tuned_ = false;
  start_changed_ = std::any_of(inputs_.begin(), inputs_.end(),
                               [](const GivenInput& input) { return input.given; });
  if (!start_changed_) log_notes();
}

/// Each once.
void Instance::log_notes() {
  if (!logs_warnings_) return;
  for (const std::string& note : session_->notes()) {
    if (std::find(logged_notes_.begin(), logged_notes_.end(), note) != logged_notes_.end())
      continue;
    logged_notes_.push_back(note);
    log(Status::warning, kWarningCategory, without_references(note).c_str());
  }
}

void Instance::follow_changes() {
  if (parameters_changed_) make_session();
  if (start_changed_) {
    std::vector<LiveInput> held;
    for (const GivenInput& input : inputs_) held.push_back({input.given, {input.value, 0.0, 0.0}});
    session_->start_again(held);
    start_changed_ = false;
    take_inputs();
    evaluated_ = at_state_ = false;
    if (!derives_) log_notes();
  }
  follow_tuning();
}

void Instance::log(Status status, const char* category, const char* message) noexcept {
  if (!sink_) return;
  try {
    sink_(status, category, message);
  } catch (...) {
    // the importer's own affair
  }
}

Status Instance::fail(const char* message) noexcept {
  phase_ = Phase::failed;
  if (logs_errors_) {
    std::array<char, 2048> line{};
    std::snprintf(line.data(), line.size(), "%s: %s", function_, message);
    log(Status::error, kErrorCategory, line.data());
  }
  return Status::error;
}

Status Instance::fail_as(const char* text) noexcept {
  try {
    return fail(without_references(text).c_str());
  } catch (...) {
    return fail("there is no memory for the reason");
  }
}

Status Instance::fail_phase() noexcept {
  std::array<char, 160> line{};
  std::snprintf(line.data(), line.size(), "must not be called %s", words_of(phase_));
  return fail(line.data());
}

Status Instance::set_logging(bool on, std::size_t count, const char* const* categories) {
  if (on && count > 0 && categories == nullptr) return fail("the list of categories is null");
  bool errors = on && count == 0;
  bool warnings = errors;
  for (std::size_t k = 0; on && k < count; ++k) {
    if (categories[k] == nullptr) return fail("a category is null");
    const bool all = std::strcmp(categories[k], kAllCategories) == 0;
    const bool error = std::strcmp(categories[k], kErrorCategory) == 0;
    const bool warning = std::strcmp(categories[k], kWarningCategory) == 0;
    if (!all && !error && !warning)
      return fail("a category is unknown, expected those of the model description");
    errors = errors || all || error;
    warnings = warnings || all || warning;
  }
  logs_errors_ = errors;
  logs_warnings_ = warnings;
  return Status::ok;
}

Status Instance::setup_experiment(double start, bool stops, double stop) {
  if (!std::isfinite(start)) return fail("the start time is not finite");
  if (stops && !(stop >= start)) return fail("the stop time lies before the start time");
  start_time_ = start;
  stops_ = stops;
  stop_time_ = stop;
  return Status::ok;
}

Status Instance::enter_initialization() {
  if (parameters_changed_) make_session();
  phase_ = Phase::initialization;
  return Status::ok;
}

Status Instance::exit_initialization() {
  follow_changes();
  phase_ = has_event_mode_ ? Phase::event : Phase::stepping;
  return Status::ok;
}

Status Instance::enter_event_mode() {
  if (!has_event_mode_) return fail("the importer has said eventModeUsed = false");
  phase_ = Phase::event;
  return Status::ok;
}

Status Instance::enter_step_mode() {
  event_happened_ = false;
  phase_ = Phase::stepping;
  return Status::ok;
}

/// What importers have changed since the last step, under the car as it drives.
void Instance::follow_tuning() {
  if (!tuned_) return;
  tuned_ = false;
  hold_values([&] {
    if (!tune(*session_, package_, folder_, parameters_, parameter_values_))
      throw ModelError("a tunable parameter changes which coordinates and states the car has");
  });
  choice_ = session_->choose_outputs(asked_);
  derivative_choice_ = session_->choose_outputs(derived_);
  at_once_.reset();
  evaluated_ = false;
}

/// The session's state has the inputs as they were set.
void Instance::take_inputs() {
  for (GivenInput& input : inputs_) input.fresh = false;
  inputs_fresh_ = false;
}

Status Instance::step(double point, double length) {
  follow_tuning();
  const double h = session_->settings().h;
  if (!std::isfinite(point) || !std::isfinite(length))
    return fail("a time is not finite, expected a number");
  if (!(length > 0.0)) return fail("the communication step is not above 0");
  const double drift = kDrift * h +
                       std::min(kRelativeDrift * std::abs(point), kMostRelativeDrift * h) +
                       kLastDigits * std::abs(point);
  if (std::abs(point - time()) > drift)
    return fail("the communication point is not the time at which the instance stands");
  if (stops_ && point + length > stop_time_ + drift)
    return fail("the communication step ends behind the stop time");
  // whole steps stay on the engine's grid, others end where the importer means them to
  const double whole = std::max(1.0, std::floor(length / h + 0.5));
  const double left = point + length - time();
  const bool is_whole =
      std::abs(length - whole * h) <= kWhole * h && std::abs(left - whole * h) <= kCorrected * h;
  const double span = left > 0.5 * length ? left : length;
  event_happened_ = returned_early_ = false;
  // what is left of a sum of steps up to the stop time is no step
  if (span <= kWhole * h) return Status::ok;
  const double count = is_whole ? whole : std::max(1.0, std::ceil(span / h));
  if (!(count <= kMostSteps)) return fail("the communication step has more than 1e9 steps");
  const double part = is_whole ? h : span / count;
  for (std::size_t k = 0; k < inputs_.size(); ++k) {
    if (!inputs_[k].fresh) continue;
    if (session_->set_input(static_cast<int>(k), inputs_[k].value, part) != InputStatus::accepted)
      return fail("an input leaps by more than numbers can hold");
  }
  const auto steps = static_cast<long>(count);
  for (long k = 0; k < steps && !returned_early_; ++k) {
    const StepStatus status = session_->step(part);
    evaluated_ = at_state_ = false;
    if (status == StepStatus::converged) {
      if (k == 0) take_inputs();
      count_step(part);
      event_happened_ = event_happened_ || session_->event_happened();
      returned_early_ = event_happened_ && returns_early_ && k + 1 < steps;
      continue;
    }
    std::array<char, 200> line{};
    std::snprintf(line.data(), line.size(), "the step from t = %.9g s failed: %s", time(),
                  words_of(status));
    return fail(line.data());
  }
  return Status::ok;
}

/// Says of the first step that has not settled that it has not.
void Instance::count_step(double length) noexcept {
  ++steps_;
  const StepReport& report = session_->report();
  if (report.has_settled() || ++unsettled_ > 1 || !logs_warnings_) return;
  std::array<char, 240> line{};
  std::snprintf(line.data(), line.size(),
                "the step to t = %.9g s has not settled: its last correction is %.2g m or rad, its "
                "closures are open by %.2g; steps of %.6g s are too long for this motion",
                time(), report.correction, report.Phi, length);
  log(Status::warning, kWarningCategory, line.data());
}

Status Instance::terminate() {
  if (unsettled_ > 0 && logs_warnings_) {
    std::array<char, 120> line{};
    std::snprintf(line.data(), line.size(), "%ld of %ld steps have not settled", unsettled_,
                  steps_);
    log(Status::warning, kWarningCategory, line.data());
  }
  phase_ = Phase::terminated;
  return Status::ok;
}

Status Instance::reset() {
  std::fill(parameter_values_.begin(), parameter_values_.end(), std::nullopt);
  std::fill(inputs_.begin(), inputs_.end(), GivenInput{});
  inputs_fresh_ = false;
  start_time_ = stop_time_ = 0.0;
  stops_ = false;
  event_happened_ = returned_early_ = false;
  make_session();
  phase_ = Phase::instantiated;
  return Status::ok;
}

bool Instance::check_references(const std::uint32_t* references, std::size_t count,
                                const void* values) {
  if (count == 0) return true;
  if (references == nullptr || values == nullptr) {
    fail("a list is null");
    return false;
  }
  for (std::size_t k = 0; k < count; ++k) {
    if (references[k] < variables_.size()) continue;
    std::array<char, 80> line{};
    std::snprintf(line.data(), line.size(), "no variable has the value reference %lu",
                  static_cast<unsigned long>(references[k]));
    fail(line.data());
    return false;
  }
  return true;
}

double Instance::value_of(const Variable& variable) const {
  switch (variable.causality) {
    case Causality::independent:
      return time();
    case Causality::parameter:
      return parameter_values_[variable.index].value_or(parameters_[variable.index].start);
    case Causality::input: {
      const GivenInput& input = inputs_[variable.index];
      return input.given ? input.value : session_->input_value(static_cast<int>(variable.index));
    }
    case Causality::output:
      break;
  }
  return outputs_[variable.index];
}

OutputsAtOnce& Instance::follow_inputs() {
  if (at_once_ == nullptr) {
    at_once_ = std::make_unique<OutputsAtOnce>(*session_);
    at_state_ = false;
  }
  if (!at_state_) at_once_->follow(*session_);
  at_state_ = true;
  for (std::size_t k = 0; k < inputs_.size(); ++k)
    if (inputs_[k].fresh) at_once_->set_input(static_cast<int>(k), inputs_[k].value);
  return *at_once_;
}

bool Instance::evaluate_outputs(const std::uint32_t* references, std::size_t count) {
  bool any = false;
  const std::size_t before = asked_.size();
  for (std::size_t k = 0; k < count; ++k) {
    const Variable& variable = variables_[references[k]];
    if (variable.causality != Causality::output) continue;
    any = true;
    if (is_asked_[variable.index] != 0) continue;
    is_asked_[variable.index] = 1;
    asked_.push_back(variable.index);
  }
  if (asked_.size() > before) {
    choice_ = session_->choose_outputs(asked_);
    read_.resize(asked_.size());
    evaluated_ = false;
  }
  if (!any || evaluated_) return true;
  if (!inputs_fresh_)
    session_->read_outputs(choice_, read_.data());
  else if (!follow_inputs().read(choice_, read_.data()))
    return false;
  for (std::size_t k = 0; k < asked_.size(); ++k) outputs_[asked_[k]] = read_[k];
  evaluated_ = true;
  return true;
}

Status Instance::get(const std::uint32_t* references, std::size_t count, double* values) {
  if (!check_references(references, count, values)) return Status::error;
  const bool all_given = std::all_of(references, references + count, [&](std::uint32_t one) {
    return variables_[one].causality == Causality::parameter;
  });
  if (!all_given) follow_changes();
  if (!evaluate_outputs(references, count)) return fail(kNoAccelerations);
  for (std::size_t k = 0; k < count; ++k) values[k] = value_of(variables_[references[k]]);
  return Status::ok;
}

Status Instance::set(const std::uint32_t* references, std::size_t count, const double* values) {
  if (!check_references(references, count, values)) return Status::error;
  for (std::size_t k = 0; k < count; ++k) {
    const Causality causality = variables_[references[k]].causality;
    std::array<char, 120> line{};
    const char* fault = nullptr;
    if (causality == Causality::independent || causality == Causality::output)
      fault = "is no input and no parameter";
    else if (causality == Causality::parameter && (kRunning & in(phase_)) != 0 &&
             !variables_[references[k]].tunable)
      fault = "is a fixed parameter, expected it before the first step";
    else if (!std::isfinite(values[k]))
      fault = "is to get what is no finite number";
    if (fault == nullptr) continue;
    std::snprintf(line.data(), line.size(), "the variable #%lu# %s",
                  static_cast<unsigned long>(references[k]), fault);
    return fail(line.data());
  }
  for (std::size_t k = 0; k < count; ++k) {
    const Variable& variable = variables_[references[k]];
    if (variable.causality == Causality::input) {
      GivenInput& input = inputs_[variable.index];
      if ((kRunning & in(phase_)) == 0)
        start_changed_ = start_changed_ || !input.given || input.value != values[k];
      else
        inputs_fresh_ = true;
      input = {true, (kRunning & in(phase_)) != 0, values[k]};
      evaluated_ = false;
      continue;
    }
    if (values[k] == value_of(variable)) continue;
    parameter_values_[variable.index] = values[k];
    ((kRunning & in(phase_)) != 0 ? tuned_ : parameters_changed_) = true;
  }
  return Status::ok;
}

bool Instance::check_causality(const std::uint32_t* references, std::size_t count,
                               Causality expected, const char* fault) {
  for (std::size_t k = 0; k < count; ++k) {
    if (variables_[references[k]].causality == expected) continue;
    std::array<char, 120> line{};
    std::snprintf(line.data(), line.size(), "the variable #%lu# %s",
                  static_cast<unsigned long>(references[k]), fault);
    fail(line.data());
    return false;
  }
  return true;
}

bool Instance::read_derived(int input, double value, double* outputs) {
  if (phase_ != Phase::initialization) {
    at_once_->set_input(input, value);
    return at_once_->read(derivative_choice_, outputs);
  }
  // every value has a start of its own
  inputs_[static_cast<std::size_t>(input)] = {true, false, value};
  start_changed_ = true;
  follow_changes();
  session_->read_outputs(derivative_choice_, outputs);
  return true;
}

bool Instance::add_derivative(const Variable& known, double seed, double* sensitivity) {
  // where a law ends with the input's range, from inside
  constexpr std::array kBothSides{-0.5, 0.0, 0.5};
  constexpr std::array kUpwards{-1.5, 2.0, -0.5};
  constexpr std::array kDownwards{0.5, -2.0, 1.5};
  constexpr double kWiderByStarts = 10.0;  // they are found to fewer digits
  const bool by_starts = phase_ == Phase::initialization;
  OutputsAtOnce& outputs = follow_inputs();
  const GivenInput given = inputs_[known.index];
  const int input = static_cast<int>(known.index);
  const double value = outputs.value(input);
  const double d = difference_of(known, value) * (by_starts ? kWiderByStarts : 1.0);
  const bool above = value <= known.most && value + d > known.most;
  const bool below = value >= known.least && value - d < known.least;
  const std::array<double, 3>& weights = above ? kDownwards : below ? kUpwards : kBothSides;
  const double first = above ? value - 2.0 * d : below ? value : value - d;
  at_state_ = false;  // until the input is back
  struct Silence {
    ~Silence() { silent = false; }
    bool& silent;
  } const silence{derives_ = by_starts};
  if (!read_derived(input, first, derivative_first_.data())) return false;
  for (std::size_t k = 1; k < weights.size(); ++k) {
    if (weights[k] == 0.0) continue;
    if (!read_derived(input, first + static_cast<double>(k) * d, derivative_.data())) return false;
    // the weights add up to nothing: what does not follow has a derivative of zero, to the bit
    for (std::size_t n = 0; n < derivative_.size(); ++n)
      sensitivity[n] += seed * weights[k] / d * (derivative_[n] - derivative_first_[n]);
  }
  if (by_starts) {
    inputs_[known.index] = given;
    start_changed_ = true;
    follow_changes();
    return true;
  }
  if (given.fresh)
    outputs.set_input(input, value);
  else
    outputs.release_input(input);
  at_state_ = true;
  return true;
}

Status Instance::get_directional_derivative(const std::uint32_t* unknowns,
                                            std::size_t unknown_count, const std::uint32_t* knowns,
                                            std::size_t known_count, const double* seed,
                                            double* sensitivity) {
  if (!check_references(unknowns, unknown_count, sensitivity) ||
      !check_references(knowns, known_count, seed) ||
      !check_causality(unknowns, unknown_count, Causality::output,
                       "is no output, expected outputs as unknowns of a derivative") ||
      !check_causality(knowns, known_count, Causality::input,
                       "is no input, expected inputs as knowns of a derivative"))
    return Status::error;
  for (std::size_t k = 0; k < known_count; ++k)
    if (!std::isfinite(seed[k])) return fail("a seed is not finite, expected a number");
  follow_changes();
  bool same = derived_.size() == unknown_count;
  for (std::size_t n = 0; n < unknown_count && same; ++n)
    same = derived_[n] == variables_[unknowns[n]].index;
  if (!same) {
    derived_.clear();
    for (std::size_t n = 0; n < unknown_count; ++n)
      derived_.push_back(variables_[unknowns[n]].index);
    derivative_choice_ = session_->choose_outputs(derived_);
    derivative_.resize(unknown_count);
    derivative_first_.resize(unknown_count);
  }
  std::fill(sensitivity, sensitivity + unknown_count, 0.0);
  for (std::size_t k = 0; k < known_count && unknown_count > 0; ++k)
    if (seed[k] != 0.0 && !add_derivative(variables_[knowns[k]], seed[k], sensitivity))
      return fail(kNoAccelerations);
  return Status::ok;
}

Status Instance::refuse(std::size_t count, const char* what) {
  return count == 0 ? Status::ok : fail(what);
}

SavedState* Instance::find_state(const void* state) const {
  for (const auto& known : states_)
    if (known.get() == state) return known.get();
  return nullptr;
}

std::vector<std::byte> Instance::save() {
  follow_changes();
  ByteWriter writer;
  writer.text(token_);
  writer.word(static_cast<std::uint64_t>(phase_));
  writer.number(start_time_);
  writer.word(stops_ ? 1 : 0);
  writer.number(stop_time_);
  for (const auto& value : parameter_values_) {
    writer.word(value ? 1 : 0);
    writer.number(value.value_or(0.0));
  }
  for (const GivenInput& input : inputs_) {
    writer.word((input.given ? 1U : 0U) + (input.fresh ? 2U : 0U));
    writer.number(input.value);
  }
  std::vector<std::byte> session(session_->saved_size());
  session_->save(session.data());
  writer.bytes(session);
  return writer.finish();
}

void Instance::restore(const std::vector<std::byte>& bytes) {
  ByteReader reader(bytes);
  if (reader.text() != token_) throw ModelError("the state is of another FMU");
  const std::uint64_t phase = reader.word();
  const double start = reader.number();
  const bool stops = reader.word() == 1;
  const double stop = reader.number();
  std::vector<std::optional<double>> values(parameters_.size());
  for (auto& value : values) {
    const bool set = reader.word() == 1;
    const double number = reader.number();
    if (set) value = number;
  }
  std::vector<GivenInput> inputs(inputs_.size());
  for (GivenInput& input : inputs) {
    const std::uint64_t flags = reader.word();
    input = {(flags & 1U) != 0, (flags & 2U) != 0, reader.number()};
  }
  const std::vector<std::byte> saved = reader.bytes();
  const bool finite =
      std::isfinite(start) && (!stops || stop >= start) &&
      std::all_of(values.begin(), values.end(),
                  [](const auto& value) { return std::isfinite(value.value_or(0.0)); }) &&
      std::all_of(inputs.begin(), inputs.end(),
                  [](const GivenInput& input) { return std::isfinite(input.value); });
  if (!reader.good() || !finite || phase > static_cast<std::uint64_t>(Phase::failed))
    throw ModelError("the state is damaged");
  if (values != parameter_values_ || parameters_changed_ || tuned_) {
    std::swap(values, parameter_values_);
    try {
      make_session();
    } catch (...) {
      std::swap(values, parameter_values_);
      throw;
    }
  }
  if (session_->restore(saved.data(), saved.size()) != RestoreStatus::restored)
    throw ModelError(
        "the state is of another car, saved by the code for another instruction set, or damaged");
  evaluated_ = at_state_ = false;
  inputs_ = std::move(inputs);
  start_changed_ = false;
  inputs_fresh_ = std::any_of(inputs_.begin(), inputs_.end(),
                              [](const GivenInput& input) { return input.fresh; });
  start_time_ = start;
  stops_ = stops;
  stop_time_ = stop;
  phase_ = static_cast<Phase>(phase);
  if (phase_ == Phase::event && !has_event_mode_) phase_ = Phase::stepping;
  event_happened_ = returned_early_ = false;
}

Status Instance::get_state(void** state) {
  if (state == nullptr) return fail("the pointer to the state is null");
  SavedState* known = find_state(*state);
  if (*state != nullptr && known == nullptr)
    return fail("the state is none of this instance, expected null or one that it gave");
  std::vector<std::byte> bytes = save();
  if (known == nullptr) {
    states_.push_back(std::make_unique<SavedState>());
    known = states_.back().get();
    *state = known;
  }
  known->bytes = std::move(bytes);
  return Status::ok;
}

Status Instance::set_state(const void* state) {
  const SavedState* known = find_state(state);
  if (known == nullptr) return fail("the state is none of this instance");
  restore(known->bytes);
  return Status::ok;
}

Status Instance::free_state(void** state) {
  if (state == nullptr || *state == nullptr) return Status::ok;
  const auto known = std::find_if(states_.begin(), states_.end(),
                                  [&](const auto& own) { return own.get() == *state; });
  if (known == states_.end()) return fail("the state is none of this instance");
  states_.erase(known);
  *state = nullptr;
  return Status::ok;
}

Status Instance::find_size(const void* state, std::size_t* size) {
  const SavedState* known = find_state(state);
  if (known == nullptr) return fail("the state is none of this instance");
  if (size == nullptr) return fail("the pointer to the size is null");
  *size = known->bytes.size();
  return Status::ok;
}

Status Instance::serialize(const void* state, std::uint8_t* bytes, std::size_t size) {
  const SavedState* known = find_state(state);
  if (known == nullptr) return fail("the state is none of this instance");
  if (bytes == nullptr) return fail("the buffer is null");
  if (size < known->bytes.size()) return fail("the buffer is too small for the state");
  std::memcpy(bytes, known->bytes.data(), known->bytes.size());
  return Status::ok;
}

Status Instance::deserialize(const std::uint8_t* bytes, std::size_t size, void** state) {
  if (bytes == nullptr || state == nullptr) return fail("a pointer is null");
  SavedState read;
  const auto* first = reinterpret_cast<const std::byte*>(bytes);
  read.bytes.assign(first, first + size);
  ByteReader reader(read.bytes);
  const std::string token = reader.text();
  if (!reader.good()) return fail("the bytes are no saved state, or damaged");
  if (token != token_) return fail("the bytes are a saved state of another FMU");
  states_.push_back(std::make_unique<SavedState>());
  states_.back()->bytes = std::move(read.bytes);
  *state = states_.back().get();
  return Status::ok;
}

}  // namespace semirec::fmi
