#include "apps/fmi/fmi3.hpp"

#include "apps/fmi/make_instance.hpp"

// Each function: check what is its own, call the instance, hand on its status. Those of what the
// FMU does not offer stand at the end.

using semirec::fmi::in;
using semirec::fmi::Instance;
using semirec::fmi::kAnyPhase;
using semirec::fmi::kRunning;
using semirec::fmi::kSinceInitialization;
using semirec::fmi::LogSink;
using semirec::fmi::Phase;
using semirec::fmi::Status;

namespace {

/// Calls `body` with the instance; a null one is an error without a log.
template <typename Body>
fmi3Status call3(fmi3Instance instance, const char* function, unsigned phases, const Body& body) {
  if (instance == nullptr) return fmi3Error;
  auto& self = *static_cast<Instance*>(instance);
  return static_cast<fmi3Status>(self.call(function, phases, [&] { return body(self); }));
}

LogSink sink_of(fmi3InstanceEnvironment environment, fmi3LogMessageCallback log) {
  if (log == nullptr) return {};
  return [environment, log](Status status, const char* category, const char* message) {
    log(environment, static_cast<fmi3Status>(status), category, message);
  };
}

}  // namespace

const char* fmi3GetVersion() { return "3.0"; }

fmi3Status fmi3SetDebugLogging(fmi3Instance instance, fmi3Boolean on, std::size_t count,
                               const fmi3String categories[]) {
  return call3(instance, __func__, kAnyPhase,
               [&](Instance& self) { return self.set_logging(on, count, categories); });
}

fmi3Instance fmi3InstantiateCoSimulation(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean /*visible*/,
    fmi3Boolean logging, fmi3Boolean event_mode_used, fmi3Boolean early_return_allowed,
    const fmi3ValueReference /*intermediate_variables*/[], std::size_t intermediate_count,
    fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
    fmi3IntermediateUpdateCallback /*update*/) {
  try {
    const LogSink sink = sink_of(environment, log);
    if (intermediate_count > 0) {
      if (sink)
        sink(Status::error, semirec::fmi::kErrorCategory,
             "no variable can be reached during a step, expected no required ones");
      return nullptr;
    }
    Instance* made = semirec::fmi::make_instance(__func__, name, token, resources, sink, logging);
    if (made != nullptr) made->answers_events(event_mode_used, early_return_allowed);
    return made;
  } catch (...) {
    return nullptr;
  }
}

void fmi3FreeInstance(fmi3Instance instance) { delete static_cast<Instance*>(instance); }

fmi3Status fmi3EnterInitializationMode(fmi3Instance instance, fmi3Boolean /*tolerance_defined*/,
                                       fmi3Float64 /*tolerance*/, fmi3Float64 start,
                                       fmi3Boolean stop_defined, fmi3Float64 stop) {
  return call3(instance, __func__, in(Phase::instantiated), [&](Instance& self) {
    const Status status = self.setup_experiment(start, stop_defined, stop);
    return status == Status::ok ? self.enter_initialization() : status;
  });
}

fmi3Status fmi3ExitInitializationMode(fmi3Instance instance) {
  return call3(instance, __func__, in(Phase::initialization),
               [](Instance& self) { return self.exit_initialization(); });
}

fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 point, fmi3Float64 length,
                      fmi3Boolean /*no_set_state_before*/, fmi3Boolean* event_needed,
                      fmi3Boolean* terminate, fmi3Boolean* early_return,
                      fmi3Float64* last_successful_time) {
  return call3(instance, __func__, in(Phase::stepping), [&](Instance& self) {
    if (event_needed == nullptr || terminate == nullptr || early_return == nullptr ||
        last_successful_time == nullptr)
      return self.fail("a pointer for an answer is null");
    const Status status = self.step(point, length);
    *event_needed = status == Status::ok && self.needs_event_mode();
    *early_return = status == Status::ok && self.returned_early();
    *terminate = false;
    *last_successful_time = self.time();
    return status;
  });
}

// Events of the scenario happen within the engine, at the end of the engine step in which they are
// due: event mode tells the importer of them and has nothing left to do.

fmi3Status fmi3EnterEventMode(fmi3Instance instance) {
  return call3(instance, __func__, in(Phase::stepping),
               [](Instance& self) { return self.enter_event_mode(); });
}

fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance instance) {
  return call3(instance, __func__, in(Phase::event) | in(Phase::initialization),
               [](Instance& /*self*/) { return Status::ok; });
}

fmi3Status fmi3UpdateDiscreteStates(fmi3Instance instance, fmi3Boolean* update_needed,
                                    fmi3Boolean* terminate, fmi3Boolean* nominals_changed,
                                    fmi3Boolean* states_changed, fmi3Boolean* next_event_defined,
                                    fmi3Float64* next_event_time) {
  return call3(instance, __func__, in(Phase::event), [&](Instance& self) {
    for (const fmi3Boolean* flag :
         {update_needed, terminate, nominals_changed, states_changed, next_event_defined})
      if (flag == nullptr) return self.fail("a pointer for an answer is null");
    if (next_event_time == nullptr) return self.fail("a pointer for an answer is null");
    *update_needed = *terminate = *nominals_changed = *states_changed = *next_event_defined = false;
    *next_event_time = 0.0;
    return Status::ok;
  });
}

fmi3Status fmi3EnterStepMode(fmi3Instance instance) {
  return call3(instance, __func__, in(Phase::event),
               [](Instance& self) { return self.enter_step_mode(); });
}

fmi3Status fmi3Terminate(fmi3Instance instance) {
  return call3(instance, __func__, kRunning, [](Instance& self) { return self.terminate(); });
}

fmi3Status fmi3Reset(fmi3Instance instance) {
  return call3(instance, __func__, kAnyPhase, [](Instance& self) { return self.reset(); });
}

fmi3Status fmi3GetFloat64(fmi3Instance instance, const fmi3ValueReference references[],
                          std::size_t reference_count, fmi3Float64 values[],
                          std::size_t value_count) {
  return call3(instance, __func__, kAnyPhase, [&](Instance& self) {
    if (value_count != reference_count)
      return self.fail("the numbers of references and values differ: all variables are scalars");
    return self.get(references, reference_count, values);
  });
}

fmi3Status fmi3SetFloat64(fmi3Instance instance, const fmi3ValueReference references[],
                          std::size_t reference_count, const fmi3Float64 values[],
                          std::size_t value_count) {
  const unsigned phases = in(Phase::instantiated) | in(Phase::initialization) | kRunning;
  return call3(instance, __func__, phases, [&](Instance& self) {
    if (value_count != reference_count)
      return self.fail("the numbers of references and values differ: all variables are scalars");
    return self.set(references, reference_count, values);
  });
}

fmi3Status fmi3GetFMUState(fmi3Instance instance, fmi3FMUState* state) {
  return call3(instance, __func__, kAnyPhase,
               [&](Instance& self) { return self.get_state(state); });
}

fmi3Status fmi3SetFMUState(fmi3Instance instance, fmi3FMUState state) {
  return call3(instance, __func__, kAnyPhase,
               [&](Instance& self) { return self.set_state(state); });
}

fmi3Status fmi3FreeFMUState(fmi3Instance instance, fmi3FMUState* state) {
  return call3(instance, __func__, kAnyPhase,
               [&](Instance& self) { return self.free_state(state); });
}

fmi3Status fmi3SerializedFMUStateSize(fmi3Instance instance, fmi3FMUState state,
                                      std::size_t* size) {
  return call3(instance, __func__, kAnyPhase,
               [&](Instance& self) { return self.find_size(state, size); });
}

fmi3Status fmi3SerializeFMUState(fmi3Instance instance, fmi3FMUState state, fmi3Byte bytes[],
                                 std::size_t size) {
  return call3(instance, __func__, kAnyPhase,
               [&](Instance& self) { return self.serialize(state, bytes, size); });
}

fmi3Status fmi3DeserializeFMUState(fmi3Instance instance, const fmi3Byte bytes[], std::size_t size,
                                   fmi3FMUState* state) {
  return call3(instance, __func__, kAnyPhase,
               [&](Instance& self) { return self.deserialize(bytes, size, state); });
}

fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance instance, fmi3ValueReference /*which*/,
                                               std::size_t* /*count*/) {
  return call3(instance, __func__, kAnyPhase, [](Instance& self) {
    return self.fail("there are no dependencies of single elements: all variables are scalars");
  });
}

fmi3Status fmi3GetVariableDependencies(fmi3Instance instance, fmi3ValueReference /*dependent*/,
                                       std::size_t /*dependent_elements*/[],
                                       fmi3ValueReference /*independents*/[],
                                       std::size_t /*independent_elements*/[],
                                       fmi3DependencyKind /*kinds*/[], std::size_t /*count*/) {
  return call3(instance, __func__, kAnyPhase, [](Instance& self) {
    return self.fail("there are no dependencies of single elements: all variables are scalars");
  });
}

fmi3Status fmi3GetDirectionalDerivative(fmi3Instance instance, const fmi3ValueReference unknowns[],
                                        std::size_t unknown_count,
                                        const fmi3ValueReference knowns[], std::size_t known_count,
                                        const fmi3Float64 seed[], std::size_t seed_count,
                                        fmi3Float64 sensitivity[], std::size_t sensitivity_count) {
  return call3(instance, __func__, kSinceInitialization, [&](Instance& self) {
    if (seed_count != known_count || sensitivity_count != unknown_count)
      return self.fail("the number of seeds or sensitivities is not that of the references");
    return self.get_directional_derivative(unknowns, unknown_count, knowns, known_count, seed,
                                           sensitivity);
  });
}

// ---- what the FMU does not offer ----

namespace {

constexpr const char* kNoSuchType = "no variable is of this type, expected Float64";

/// Nothing asked of variables that are not there is no fault.
fmi3Status absent(fmi3Instance instance, const char* function, unsigned phases, std::size_t count,
                  const char* what) {
  return call3(instance, function, phases,
               [&](Instance& self) { return self.refuse(count, what); });
}

/// A function that needs what the model description denies.
fmi3Status not_offered(fmi3Instance instance, const char* function, const char* what) {
  return absent(instance, function, kAnyPhase, 1, what);
}

fmi3Instance other_interface(const char* function, fmi3InstanceEnvironment environment,
                             fmi3LogMessageCallback log) {
  if (log != nullptr) {
    const char* message = function;
    log(environment, fmi3Error, semirec::fmi::kErrorCategory, message);
  }
  return nullptr;
}

constexpr unsigned kMaySet = in(Phase::instantiated) | in(Phase::initialization) | kRunning;

}  // namespace

fmi3Instance fmi3InstantiateModelExchange(fmi3String /*name*/, fmi3String /*token*/,
                                          fmi3String /*resources*/, fmi3Boolean /*visible*/,
                                          fmi3Boolean /*logging*/,
                                          fmi3InstanceEnvironment environment,
                                          fmi3LogMessageCallback log) {
  return other_interface("fmi3InstantiateModelExchange: this FMU is for co-simulation alone",
                         environment, log);
}

fmi3Instance fmi3InstantiateScheduledExecution(
    fmi3String /*name*/, fmi3String /*token*/, fmi3String /*resources*/, fmi3Boolean /*visible*/,
    fmi3Boolean /*logging*/, fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
    fmi3ClockUpdateCallback /*update*/, fmi3LockPreemptionCallback /*lock*/,
    fmi3UnlockPreemptionCallback /*unlock*/) {
  return other_interface("fmi3InstantiateScheduledExecution: this FMU is for co-simulation alone",
                         environment, log);
}

#define ABSENT_VALUES(Type)                                                                   \
  fmi3Status fmi3Get##Type(fmi3Instance instance, const fmi3ValueReference /*references*/[],  \
                           std::size_t reference_count, fmi3##Type /*values*/[],              \
                           std::size_t value_count) {                                         \
    return absent(instance, __func__, kAnyPhase, reference_count + value_count, kNoSuchType); \
  }                                                                                           \
  fmi3Status fmi3Set##Type(fmi3Instance instance, const fmi3ValueReference /*references*/[],  \
                           std::size_t reference_count, const fmi3##Type /*values*/[],        \
                           std::size_t value_count) {                                         \
    return absent(instance, __func__, kMaySet, reference_count + value_count, kNoSuchType);   \
  }
ABSENT_VALUES(Float32)
ABSENT_VALUES(Int8)
ABSENT_VALUES(UInt8)
ABSENT_VALUES(Int16)
ABSENT_VALUES(UInt16)
ABSENT_VALUES(Int32)
ABSENT_VALUES(UInt32)
ABSENT_VALUES(Int64)
ABSENT_VALUES(UInt64)
ABSENT_VALUES(Boolean)
ABSENT_VALUES(String)
#undef ABSENT_VALUES

fmi3Status fmi3GetBinary(fmi3Instance instance, const fmi3ValueReference /*references*/[],
                         std::size_t reference_count, std::size_t /*sizes*/[],
                         fmi3Binary /*values*/[], std::size_t value_count) {
  return absent(instance, __func__, kAnyPhase, reference_count + value_count, kNoSuchType);
}

fmi3Status fmi3SetBinary(fmi3Instance instance, const fmi3ValueReference /*references*/[],
                         std::size_t reference_count, const std::size_t /*sizes*/[],
                         const fmi3Binary /*values*/[], std::size_t value_count) {
  return absent(instance, __func__, kMaySet, reference_count + value_count, kNoSuchType);
}

fmi3Status fmi3GetClock(fmi3Instance instance, const fmi3ValueReference /*references*/[],
                        std::size_t reference_count, fmi3Clock /*values*/[]) {
  return absent(instance, __func__, kAnyPhase, reference_count, kNoSuchType);
}

fmi3Status fmi3SetClock(fmi3Instance instance, const fmi3ValueReference /*references*/[],
                        std::size_t reference_count, const fmi3Clock /*values*/[]) {
  return absent(instance, __func__, kMaySet, reference_count, kNoSuchType);
}

fmi3Status fmi3GetAdjointDerivative(fmi3Instance instance, const fmi3ValueReference /*unknowns*/[],
                                    std::size_t /*unknown_count*/,
                                    const fmi3ValueReference /*knowns*/[],
                                    std::size_t /*known_count*/, const fmi3Float64 /*seed*/[],
                                    std::size_t /*seed_count*/, fmi3Float64 /*sensitivity*/[],
                                    std::size_t /*sensitivity_count*/) {
  return not_offered(instance, __func__, "adjoint derivatives are not offered");
}

fmi3Status fmi3GetOutputDerivatives(fmi3Instance instance,
                                    const fmi3ValueReference /*references*/[],
                                    std::size_t reference_count, const fmi3Int32 /*orders*/[],
                                    fmi3Float64 /*values*/[], std::size_t value_count) {
  return absent(instance, __func__, kSinceInitialization, reference_count + value_count,
                "derivatives of outputs over the time are not offered");
}

fmi3Status fmi3EnterConfigurationMode(fmi3Instance instance) {
  return not_offered(instance, __func__, "there are no structural parameters");
}

fmi3Status fmi3ExitConfigurationMode(fmi3Instance instance) {
  return not_offered(instance, __func__, "there are no structural parameters");
}

fmi3Status fmi3GetIntervalDecimal(fmi3Instance instance, const fmi3ValueReference /*references*/[],
                                  std::size_t reference_count, fmi3Float64 /*intervals*/[],
                                  fmi3IntervalQualifier /*qualifiers*/[]) {
  return absent(instance, __func__, kAnyPhase, reference_count, kNoSuchType);
}

fmi3Status fmi3GetIntervalFraction(fmi3Instance instance, const fmi3ValueReference /*references*/[],
                                   std::size_t reference_count, fmi3UInt64 /*counters*/[],
                                   fmi3UInt64 /*resolutions*/[],
                                   fmi3IntervalQualifier /*qualifiers*/[]) {
  return absent(instance, __func__, kAnyPhase, reference_count, kNoSuchType);
}

fmi3Status fmi3GetShiftDecimal(fmi3Instance instance, const fmi3ValueReference /*references*/[],
                               std::size_t reference_count, fmi3Float64 /*shifts*/[]) {
  return absent(instance, __func__, kAnyPhase, reference_count, kNoSuchType);
}

fmi3Status fmi3GetShiftFraction(fmi3Instance instance, const fmi3ValueReference /*references*/[],
                                std::size_t reference_count, fmi3UInt64 /*counters*/[],
                                fmi3UInt64 /*resolutions*/[]) {
  return absent(instance, __func__, kAnyPhase, reference_count, kNoSuchType);
}

fmi3Status fmi3SetIntervalDecimal(fmi3Instance instance, const fmi3ValueReference /*references*/[],
                                  std::size_t reference_count, const fmi3Float64 /*intervals*/[]) {
  return absent(instance, __func__, kMaySet, reference_count, kNoSuchType);
}

fmi3Status fmi3SetIntervalFraction(fmi3Instance instance, const fmi3ValueReference /*references*/[],
                                   std::size_t reference_count, const fmi3UInt64 /*counters*/[],
                                   const fmi3UInt64 /*resolutions*/[]) {
  return absent(instance, __func__, kMaySet, reference_count, kNoSuchType);
}

fmi3Status fmi3SetShiftDecimal(fmi3Instance instance, const fmi3ValueReference /*references*/[],
                               std::size_t reference_count, const fmi3Float64 /*shifts*/[]) {
  return absent(instance, __func__, kMaySet, reference_count, kNoSuchType);
}

fmi3Status fmi3SetShiftFraction(fmi3Instance instance, const fmi3ValueReference /*references*/[],
                                std::size_t reference_count, const fmi3UInt64 /*counters*/[],
                                const fmi3UInt64 /*resolutions*/[]) {
  return absent(instance, __func__, kMaySet, reference_count, kNoSuchType);
}
