#include "apps/capi/semirec.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <deque>
#include <exception>
#include <limits>
#include <mutex>
#include <new>
#include <string>
#include <vector>

#include "apps/capi/car.hpp"
#include "apps/capi/status.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/tyre/foreign_registry.hpp"

using semirec::RestoreStatus;
using semirec::Session;
using semirec::capi::refused;
using semirec::capi::status_of;
using semirec::capi::status_of_making;

namespace {

/// Notes what a call was about; SEMIREC_OK leaves the note of the last failure.
int answer(const semirec_car& car, int status) noexcept {
  if (status != SEMIREC_OK) car.error = semirec_status_text(status);
  return status;
}

template <typename List>
const char* name_at(const List& list, int index) noexcept {
  if (index < 0 || static_cast<std::size_t>(index) >= list.size()) return nullptr;
  return list[static_cast<std::size_t>(index)].name.c_str();
}

int status_of_restoring(RestoreStatus status) noexcept {
  switch (status) {
    case RestoreStatus::restored:
      return SEMIREC_OK;
    case RestoreStatus::wrong_size:
      return SEMIREC_WRONG_SIZE;
    case RestoreStatus::not_a_state:
      return SEMIREC_NOT_A_STATE;
    case RestoreStatus::other_model:
      return SEMIREC_OTHER_MODEL;
    case RestoreStatus::corrupt:
      break;
  }
  return SEMIREC_CORRUPT;
}

/// The caller's options as far as their size covers them: those of an older header are shorter.
semirec_options complete(const semirec_options* given) noexcept {
  semirec_options options{sizeof(semirec_options), 0.0, 0, 0, nullptr, 0};
  if (given == nullptr) return options;
  const auto covers = [&](std::size_t offset, std::size_t size) {
    return given->size >= offset + size;
  };
  if (covers(offsetof(semirec_options, step), sizeof(given->step))) options.step = given->step;
  if (covers(offsetof(semirec_options, iterations), sizeof(given->iterations)))
    options.iterations = given->iterations;
  if (covers(offsetof(semirec_options, factorizations), sizeof(given->factorizations)))
    options.factorizations = given->factorizations;
  if (covers(offsetof(semirec_options, overrides), sizeof(given->overrides)))
    options.overrides = given->overrides;
  if (covers(offsetof(semirec_options, override_count), sizeof(given->override_count)))
    options.override_count = given->override_count;
  return options;
}

/// A tyre of the caller; cars point to it.
struct caller_tyre {
  semirec_tyre tyre;
  void* user;
};

/// Keeps what cars may point to.
caller_tyre* keep(const caller_tyre& tyre) {
  static std::mutex mutex;
  static std::deque<caller_tyre> kept;
  const std::lock_guard<std::mutex> lock(mutex);
  kept.push_back(tyre);
  return &kept.back();
}

/// The public structs are not those of the library: they may grow on their own.
int ask_caller(const semirec::ForeignTyreState* s, semirec::ForeignTyreForces* f, void* user) {
  const auto* caller = static_cast<const caller_tyre*>(user);
  const semirec_tyre_state state{s->load,      s->kappa, s->tan_alpha, s->gamma,
                                 s->turn_slip, s->speed, s->friction};
  semirec_tyre_forces forces{};
  const int answer = caller->tyre(caller->user, &state, &forces);
  f->Fx = forces.Fx;
  f->Fy = forces.Fy;
  f->Mx = forces.Mx;
  f->My = forces.My;
  f->Mz = forces.Mz;
  return answer;
}

const std::vector<double>& evaluated_outputs(semirec_car& car) noexcept {
  if (!car.evaluated) car.session.read_outputs(car.values.data());
  car.evaluated = true;
  return car.values;
}

}  // namespace

const char* semirec_version(void) { return SEMIREC_VERSION; }

const char* semirec_instructions(void) {
#if !defined(__x86_64__)
  return "those of this machine";
#elif defined(__AVX512F__) && defined(__AVX512VL__)
  return "x86-64-v4";
#elif defined(__AVX2__) && defined(__FMA__)
  return "x86-64-v3";
#elif defined(__SSE4_2__)
  return "x86-64-v2";
#else
  return "x86-64";
#endif
}

const char* semirec_status_text(int status) {
  switch (status) {
    case SEMIREC_OK:
      return "done";
    case SEMIREC_NULL_ARGUMENT:
      return "a handle, name or buffer is NULL";
    case SEMIREC_NO_SUCH_INDEX:
      return "no input or output has this index";
    case SEMIREC_NOT_FINITE:
      return "an input is not finite, or leaps by more than numbers can hold, expected a number";
    case SEMIREC_WRONG_SIZE:
      return "a buffer, struct or count has the wrong size";
    case SEMIREC_COMPUTED_INPUT:
      return "the input is computed by an equation of the vehicle, expected one that can be set";
    case SEMIREC_BAD_INPUT:
      return "a file or an option cannot be used";
    case SEMIREC_NO_MEMORY:
      return "no memory";
    case SEMIREC_INTERNAL:
      return "internal error";
    case SEMIREC_NOT_POSITIVE_DEFINITE:
      return "the step failed: tangent not positive definite";
    case SEMIREC_STEP_NOT_FINITE:
      return "the step failed: a number is not finite";
    case SEMIREC_EVENT_IMPOSSIBLE:
      return "the step failed: an event cannot happen, an attachment stays open";
    case SEMIREC_STEP_FAILED:
      return "the step failed";
    case SEMIREC_NOT_A_STATE:
      return "no saved state, or of another version of the layout";
    case SEMIREC_OTHER_MODEL:
      return "a saved state of other files or options, or of another instruction set";
    case SEMIREC_CORRUPT:
      return "a damaged state";
    default:
      return "no status of semirec";
  }
}

int semirec_register_tyre(const char* name, semirec_tyre tyre, void* user) {
  if (name == nullptr) return SEMIREC_NULL_ARGUMENT;
  try {
    if (tyre == nullptr)
      semirec::register_foreign_tyre(name, nullptr, nullptr);
    else
      semirec::register_foreign_tyre(name, ask_caller, keep({tyre, user}));
    return SEMIREC_OK;
  } catch (const semirec::ModelError&) {
    return SEMIREC_BAD_INPUT;
  } catch (const std::bad_alloc&) {
    return SEMIREC_NO_MEMORY;
  } catch (...) {
    return SEMIREC_INTERNAL;
  }
}

int semirec_create(const char* vehicle, const char* scenario, const semirec_options* options,
                   semirec_car** car) {
  if (car != nullptr) *car = nullptr;
  if (vehicle == nullptr || scenario == nullptr || car == nullptr)
    return refused(SEMIREC_NULL_ARGUMENT, semirec_status_text(SEMIREC_NULL_ARGUMENT));
  if (options != nullptr && options->size < sizeof(options->size))
    return refused(SEMIREC_WRONG_SIZE,
                   "the options' size is too small, expected sizeof(semirec_options)");
  const semirec_options chosen = complete(options);
  if (chosen.override_count < 0)
    return refused(SEMIREC_WRONG_SIZE, "override_count is negative, expected 0 or more");
  for (int k = 0; k < chosen.override_count; ++k)
    if (chosen.overrides == nullptr || chosen.overrides[k] == nullptr)
      return refused(SEMIREC_NULL_ARGUMENT,
                     "an override is NULL, expected element.attribute=value");
  return status_of_making([&] {
    std::vector<semirec::Override> overrides;
    for (int k = 0; k < chosen.override_count; ++k)
      overrides.push_back(semirec::parse_override(chosen.overrides[k]));
    const semirec::DriveDescription read = semirec::read_drive(vehicle, scenario, overrides);
    semirec::SessionSettings settings;
    settings.step = chosen.step == 0.0 ? read.scenario.step : chosen.step;
    settings.iterations = chosen.iterations;
    settings.factorizations = chosen.factorizations;
    *car = new semirec_car(read, settings);
  });
}

int semirec_note_count(const semirec_car* car) {
  return car == nullptr ? -1 : static_cast<int>(car->session.notes().size());
}

const char* semirec_note(const semirec_car* car, int note) {
  if (note < 0 || note >= semirec_note_count(car)) return nullptr;
  return car->session.notes()[static_cast<std::size_t>(note)].c_str();
}

void semirec_destroy(semirec_car* car) { delete car; }

const char* semirec_last_error(const semirec_car* car) {
  return car == nullptr ? semirec_status_text(SEMIREC_NULL_ARGUMENT) : car->error;
}

int semirec_input_count(const semirec_car* car) {
  return car == nullptr ? -1 : static_cast<int>(car->session.inputs().size());
}

const char* semirec_input_name(const semirec_car* car, int input) {
  return car == nullptr ? nullptr : name_at(car->session.inputs(), input);
}

const char* semirec_input_unit(const semirec_car* car, int input) {
  if (car == nullptr || name_at(car->session.inputs(), input) == nullptr) return nullptr;
  return car->input_units[static_cast<std::size_t>(input)].c_str();
}

int semirec_find_input(const semirec_car* car, const char* name) {
  return car == nullptr || name == nullptr ? -1 : car->session.find_input(name);
}

int semirec_set_input(semirec_car* car, int input, double value) {
  if (car == nullptr) return SEMIREC_NULL_ARGUMENT;
  return answer(*car, status_of(car->session.set_input(input, value)));
}

int semirec_set_input_rates(semirec_car* car, int input, double value, double rate,
                            double second_rate) {
  if (car == nullptr) return SEMIREC_NULL_ARGUMENT;
  return answer(*car, status_of(car->session.set_input(
                          input, semirec::CurveValue{value, rate, second_rate})));
}

int semirec_release_input(semirec_car* car, int input) {
  if (car == nullptr) return SEMIREC_NULL_ARGUMENT;
  return answer(*car, status_of(car->session.release_input(input)));
}

int semirec_set_controller(semirec_car* car, semirec_controller controller, void* user) {
  if (car == nullptr) return SEMIREC_NULL_ARGUMENT;
  car->controller = controller;
  car->controller_user = user;
  if (controller == nullptr) {
    car->session.set_controller({});
    return SEMIREC_OK;
  }
  const auto call = [](void* owner, Session& session, const double* outputs) noexcept {
    auto* self = static_cast<semirec_car*>(owner);
    self->controller(self->controller_user, self, outputs,
                     static_cast<int>(session.outputs().size()));
  };
  car->session.set_controller({call, car});
  return SEMIREC_OK;
}

int semirec_step(semirec_car* car) { return semirec_steps(car, 1); }

int semirec_steps(semirec_car* car, int count) {
  if (car == nullptr) return SEMIREC_NULL_ARGUMENT;
  if (count < 0) return answer(*car, SEMIREC_WRONG_SIZE);
  for (int k = 0; k < count; ++k) {
    const int status = status_of(car->session.step());
    if (status != SEMIREC_OK) return answer(*car, status);
    car->evaluated = false;
  }
  return SEMIREC_OK;
}

double semirec_time(const semirec_car* car) {
  return car == nullptr ? std::numeric_limits<double>::quiet_NaN() : car->session.time();
}

double semirec_step_size(const semirec_car* car) {
  return car == nullptr ? std::numeric_limits<double>::quiet_NaN() : car->session.settings().h;
}

int semirec_get_report(const semirec_car* car, semirec_report* report) {
  if (car == nullptr) return SEMIREC_NULL_ARGUMENT;
  if (report == nullptr) return answer(*car, SEMIREC_NULL_ARGUMENT);
  if (report->size < sizeof(report->size)) return answer(*car, SEMIREC_WRONG_SIZE);
  const semirec::StepReport& last = car->session.report();
  const std::size_t size = std::min(report->size, sizeof(semirec_report));
  const semirec_report full{size,
                            status_of(last.status),
                            last.iterations,
                            last.correction,
                            last.Phi,
                            last.has_settled() ? 1 : 0,
                            static_cast<long long>(car->session.unsettled_steps())};
  std::memcpy(report, &full, size);
  return SEMIREC_OK;
}

int semirec_output_count(const semirec_car* car) {
  return car == nullptr ? -1 : static_cast<int>(car->session.outputs().size());
}

const char* semirec_output_name(const semirec_car* car, int output) {
  return car == nullptr ? nullptr : name_at(car->session.outputs(), output);
}

const char* semirec_output_unit(const semirec_car* car, int output) {
  if (car == nullptr || name_at(car->session.outputs(), output) == nullptr) return nullptr;
  return car->session.outputs()[static_cast<std::size_t>(output)].unit.c_str();
}

int semirec_find_output(const semirec_car* car, const char* name) {
  return car == nullptr || name == nullptr ? -1 : car->session.find_output(name);
}

int semirec_get_outputs(semirec_car* car, double* values, int count) {
  if (car == nullptr) return SEMIREC_NULL_ARGUMENT;
  if (values == nullptr) return answer(*car, SEMIREC_NULL_ARGUMENT);
  if (count != semirec_output_count(car)) return answer(*car, SEMIREC_WRONG_SIZE);
  const std::vector<double>& outputs = evaluated_outputs(*car);
  std::copy(outputs.begin(), outputs.end(), values);
  return SEMIREC_OK;
}

int semirec_get_output(semirec_car* car, int output, double* value) {
  if (car == nullptr) return SEMIREC_NULL_ARGUMENT;
  if (value == nullptr) return answer(*car, SEMIREC_NULL_ARGUMENT);
  if (output < 0 || output >= semirec_output_count(car)) return answer(*car, SEMIREC_NO_SUCH_INDEX);
  *value = evaluated_outputs(*car)[static_cast<std::size_t>(output)];
  return SEMIREC_OK;
}

int semirec_choose_outputs(semirec_car* car, const int* outputs, int count) {
  if (car == nullptr) return SEMIREC_NULL_ARGUMENT;
  if (count < 0) return answer(*car, SEMIREC_WRONG_SIZE);
  if (outputs == nullptr && count > 0) return answer(*car, SEMIREC_NULL_ARGUMENT);
  for (int k = 0; k < count; ++k)
    if (outputs[k] < 0 || outputs[k] >= semirec_output_count(car))
      return answer(*car, SEMIREC_NO_SUCH_INDEX);
  try {
    car->choice = car->session.choose_outputs({outputs, outputs + count});
    return SEMIREC_OK;
  } catch (...) {
    return answer(*car, SEMIREC_NO_MEMORY);
  }
}

int semirec_get_chosen_outputs(semirec_car* car, double* values, int count) {
  if (car == nullptr) return SEMIREC_NULL_ARGUMENT;
  if (values == nullptr) return answer(*car, SEMIREC_NULL_ARGUMENT);
  if (count < 0 || static_cast<std::size_t>(count) != car->choice.channels.size())
    return answer(*car, SEMIREC_WRONG_SIZE);
  car->session.read_outputs(car->choice, values);
  return SEMIREC_OK;
}

size_t semirec_saved_size(const semirec_car* car) {
  return car == nullptr ? 0 : car->session.saved_size();
}

int semirec_save(const semirec_car* car, void* out, size_t size) {
  if (car == nullptr) return SEMIREC_NULL_ARGUMENT;
  if (out == nullptr) return answer(*car, SEMIREC_NULL_ARGUMENT);
  if (size != car->session.saved_size()) return answer(*car, SEMIREC_WRONG_SIZE);
  car->session.save(static_cast<std::byte*>(out));
  return SEMIREC_OK;
}

int semirec_restore(semirec_car* car, const void* in, size_t size) {
  if (car == nullptr) return SEMIREC_NULL_ARGUMENT;
  if (in == nullptr) return answer(*car, SEMIREC_NULL_ARGUMENT);
  const int status =
      status_of_restoring(car->session.restore(static_cast<const std::byte*>(in), size));
  if (status == SEMIREC_OK) car->evaluated = false;
  return answer(*car, status);
}
