#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "apps/capi/car.hpp"
#include "apps/capi/status.hpp"
#include "vehicles/fleet/sessions_side_by_side.hpp"
#include "vehicles/session/input_array.hpp"

using semirec::InputArray;
using semirec::InputStatus;
using semirec::ModelError;
using semirec::Session;
using semirec::SessionsSideBySide;
using semirec::StepStatus;
using semirec::capi::refused;
using semirec::capi::status_of;
using semirec::capi::status_of_making;

namespace {

std::size_t at(int k) { return static_cast<std::size_t>(k); }

std::vector<std::unique_ptr<Session>> copy_sessions(semirec_car* const* cars, int count) {
  std::vector<std::unique_ptr<Session>> sessions;
  for (int k = 0; k < count; ++k) {
    const auto alike = [](const semirec::Channel& a, const semirec::Channel& b) {
      return a.name == b.name;
    };
    if (!std::ranges::equal(cars[k]->session.outputs(), cars[0]->session.outputs(), alike))
      throw ModelError("batch: car " + std::to_string(k) + " has other outputs than car 0");
    sessions.push_back(std::make_unique<Session>(cars[k]->session));
  }
  return sessions;
}

std::vector<Session*> pointers_to(const std::vector<std::unique_ptr<Session>>& sessions) {
  std::vector<Session*> pointers;
  for (const auto& session : sessions) pointers.push_back(session.get());
  return pointers;
}

}  // namespace

struct semirec_batch {
  semirec_batch(semirec_car* const* cars, int count)
      : sessions(copy_sessions(cars, count)),
        beside(pointers_to(sessions)),
        inputs(sessions.size() * sessions.front()->inputs().size()),
        times(sessions.size()),
        good(sessions.size(), StepStatus::converged),
        coming(good),
        status(sessions.size(), SEMIREC_OK),
        unsettled(sessions.size()) {
    for (std::size_t k = 0; k < sessions.size(); ++k) {
      Session& session = *sessions[k];
      sent.emplace_back(session);
      start.emplace_back(session.saved_size());
      session.save(start.back().data());
      sent[k].take(session, &inputs[k], stride());
      times[k] = session.time();
    }
  }

  std::ptrdiff_t stride() const { return static_cast<std::ptrdiff_t>(sessions.size()); }
  int size() const { return static_cast<int>(sessions.size()); }

  /// The chosen outputs of a car into its column.
  void read_outputs(std::size_t car) noexcept {
    if (row.empty()) return;
    const bool failed = good[car] != StepStatus::converged;
    if (!failed) sessions[car]->read_outputs(choices[car], row.data());
    for (std::size_t k = 0; k < row.size(); ++k)
      outputs[k * sessions.size() + car] =
          failed ? std::numeric_limits<double>::quiet_NaN() : row[k];
  }

  void reset(std::size_t car) noexcept {
    static_cast<void>(sessions[car]->restore(start[car].data(), start[car].size()));
    sent[car].take(*sessions[car], &inputs[car], stride());
    times[car] = sessions[car]->time();
    good[car] = StepStatus::converged;
    status[car] = SEMIREC_OK;
    unsettled[car] = 0;
    read_outputs(car);
  }

  std::vector<std::unique_ptr<Session>> sessions;
  SessionsSideBySide beside;
  std::vector<InputArray> sent;                ///< [car]
  std::vector<std::vector<std::byte>> start;   ///< [car]
  std::vector<double> inputs;                  ///< [input, car]
  std::vector<semirec::OutputChoice> choices;  ///< [car] their evaluation
  std::vector<double> outputs;                 ///< [chosen, car]
  std::vector<double> row;                     ///< [chosen] of one car
  std::vector<double> times;                   ///< [car]
  std::vector<StepStatus> good;                ///< [car] of its last step
  std::vector<StepStatus> coming;              ///< [car] of those to be stepped
  std::vector<int> status;                     ///< [car]
  std::vector<long long> unsettled;            ///< [car] steps
};

int semirec_batch_create(semirec_car* const* cars, int count, semirec_batch** batch) {
  if (batch != nullptr) *batch = nullptr;
  const char* null = semirec_status_text(SEMIREC_NULL_ARGUMENT);
  if (cars == nullptr || batch == nullptr) return refused(SEMIREC_NULL_ARGUMENT, null);
  if (count < 1)
    return refused(SEMIREC_WRONG_SIZE, "a batch of no cars, expected a count of 1 or more");
  for (int k = 0; k < count; ++k)
    if (cars[k] == nullptr) return refused(SEMIREC_NULL_ARGUMENT, null);
  return status_of_making([&] { *batch = new semirec_batch(cars, count); });
}

void semirec_batch_destroy(semirec_batch* batch) { delete batch; }

int semirec_batch_size(const semirec_batch* batch) { return batch == nullptr ? -1 : batch->size(); }

double* semirec_batch_inputs(semirec_batch* batch, int input) {
  if (batch == nullptr || input < 0 || at(input) >= batch->sessions.front()->inputs().size())
    return nullptr;
  return &batch->inputs[at(input) * batch->sessions.size()];
}

int semirec_batch_choose_outputs(semirec_batch* batch, const int* outputs, int count) {
  if (batch == nullptr || (outputs == nullptr && count > 0)) return SEMIREC_NULL_ARGUMENT;
  if (count < 0) return SEMIREC_WRONG_SIZE;
  const auto all = static_cast<int>(batch->sessions.front()->outputs().size());
  for (int k = 0; k < count; ++k)
    if (outputs[k] < 0 || outputs[k] >= all) return SEMIREC_NO_SUCH_INDEX;
  try {
    const std::vector<std::size_t> chosen(outputs, outputs + count);
    std::vector<semirec::OutputChoice> choices;
    for (const auto& session : batch->sessions) choices.push_back(session->choose_outputs(chosen));
    std::vector<double> row(chosen.size());
    std::vector<double> columns(chosen.size() * batch->sessions.size());
    batch->choices.swap(choices);
    batch->row.swap(row);
    batch->outputs.swap(columns);
  } catch (...) {
    return SEMIREC_NO_MEMORY;
  }
  for (std::size_t k = 0; k < batch->sessions.size(); ++k) batch->read_outputs(k);
  return SEMIREC_OK;
}

const double* semirec_batch_outputs(const semirec_batch* batch, int place) {
  if (batch == nullptr || place < 0 || at(place) >= batch->row.size()) return nullptr;
  return &batch->outputs[at(place) * batch->sessions.size()];
}

const double* semirec_batch_times(const semirec_batch* batch) {
  return batch == nullptr ? nullptr : batch->times.data();
}

const int* semirec_batch_status(const semirec_batch* batch) {
  return batch == nullptr ? nullptr : batch->status.data();
}

const long long* semirec_batch_unsettled_steps(const semirec_batch* batch) {
  return batch == nullptr ? nullptr : batch->unsettled.data();
}

int semirec_batch_step(semirec_batch* batch, int count) {
  if (batch == nullptr) return SEMIREC_NULL_ARGUMENT;
  if (count < 0) return SEMIREC_WRONG_SIZE;
  semirec_batch& own = *batch;
  own.coming = own.good;
  for (std::size_t k = 0; k < own.sessions.size(); ++k) {
    if (own.good[k] != StepStatus::converged) continue;
    own.status[k] = SEMIREC_OK;
    if (own.sent[k].send(&own.inputs[k], own.stride(), *own.sessions[k])) continue;
    // not stepped, and not failed either
    own.coming[k] = StepStatus::non_finite;
    own.status[k] =
        own.sent[k].why() == InputStatus::computed ? SEMIREC_COMPUTED_INPUT : SEMIREC_NOT_FINITE;
  }
  if (count > 0) own.beside.step(count, own.coming.data());
  int first = SEMIREC_OK;
  for (std::size_t k = 0; k < own.sessions.size(); ++k) {
    if (own.good[k] == StepStatus::converged && own.status[k] == SEMIREC_OK) {
      own.good[k] = own.coming[k];
      own.status[k] = status_of(own.coming[k]);
      own.times[k] = own.sessions[k]->time();
      own.unsettled[k] = static_cast<long long>(own.sessions[k]->unsettled_steps());
      own.read_outputs(k);
    }
    if (first == SEMIREC_OK) first = own.status[k];
  }
  return first;
}

int semirec_batch_reset(semirec_batch* batch, int car) {
  if (batch == nullptr) return SEMIREC_NULL_ARGUMENT;
  if (car < -1 || car >= batch->size()) return SEMIREC_NO_SUCH_INDEX;
  for (int k = 0; k < batch->size(); ++k)
    if (car < 0 || k == car) batch->reset(at(k));
  return SEMIREC_OK;
}
