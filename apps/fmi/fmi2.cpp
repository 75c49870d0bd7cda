#include "apps/fmi/fmi2.hpp"

#include "apps/fmi/make_instance.hpp"

// Each function: check what is its own, call the instance, hand on its status. Those of what the
// FMU does not offer stand at the end.

using semirec::fmi::in;
using semirec::fmi::Instance;
using semirec::fmi::kAnyPhase;
using semirec::fmi::kSinceInitialization;
using semirec::fmi::LogSink;
using semirec::fmi::Phase;
using semirec::fmi::Status;

namespace {

/// Calls `body` with the instance; a null one is an error without a log.
template <typename Body>
fmi2Status call2(fmi2Component instance, const char* function, unsigned phases, const Body& body) {
  if (instance == nullptr) return fmi2Error;
  auto& self = *static_cast<Instance*>(instance);
  return static_cast<fmi2Status>(self.call(function, phases, [&] { return body(self); }));
}

constexpr unsigned kMaySet2 =
    in(Phase::instantiated) | in(Phase::initialization) | in(Phase::stepping);
constexpr unsigned kSinceSteps = in(Phase::stepping) | in(Phase::terminated) | in(Phase::failed);

}  // namespace

const char* fmi2GetTypesPlatform() { return "default"; }
const char* fmi2GetVersion() { return "2.0"; }

fmi2Status fmi2SetDebugLogging(fmi2Component instance, fmi2Boolean on, std::size_t count,
                               const fmi2String categories[]) {
  return call2(instance, __func__, kAnyPhase,
               [&](Instance& self) { return self.set_logging(on != 0, count, categories); });
}

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions* functions, fmi2Boolean /*visible*/,
                              fmi2Boolean logging) {
  if (functions == nullptr) return nullptr;
  try {
    LogSink sink;
    if (functions->logger != nullptr)
      sink = [environment = functions->componentEnvironment, logger = functions->logger,
              own = std::string(name == nullptr ? "" : name)](Status status, const char* category,
                                                              const char* message) {
        // the message is no format
        logger(environment, own.c_str(), static_cast<fmi2Status>(status), category, "%s", message);
      };
    if (type != fmi2CoSimulation) {
      if (sink)
        sink(Status::error, semirec::fmi::kErrorCategory,
             "fmi2Instantiate: this FMU is for co-simulation alone");
      return nullptr;
    }
    return semirec::fmi::make_instance(__func__, name, guid, resources, sink, logging != 0);
  } catch (...) {
    return nullptr;
  }
}

void fmi2FreeInstance(fmi2Component instance) { delete static_cast<Instance*>(instance); }

fmi2Status fmi2SetupExperiment(fmi2Component instance, fmi2Boolean /*tolerance_defined*/,
                               fmi2Real /*tolerance*/, fmi2Real start, fmi2Boolean stop_defined,
                               fmi2Real stop) {
  return call2(instance, __func__, in(Phase::instantiated), [&](Instance& self) {
    return self.setup_experiment(start, stop_defined != 0, stop);
  });
}

fmi2Status fmi2EnterInitializationMode(fmi2Component instance) {
  return call2(instance, __func__, in(Phase::instantiated),
               [](Instance& self) { return self.enter_initialization(); });
}

fmi2Status fmi2ExitInitializationMode(fmi2Component instance) {
  return call2(instance, __func__, in(Phase::initialization),
               [](Instance& self) { return self.exit_initialization(); });
}

fmi2Status fmi2DoStep(fmi2Component instance, fmi2Real point, fmi2Real length,
                      fmi2Boolean /*no_set_state_before*/) {
  return call2(instance, __func__, in(Phase::stepping),
               [&](Instance& self) { return self.step(point, length); });
}

fmi2Status fmi2Terminate(fmi2Component instance) {
  return call2(instance, __func__, in(Phase::stepping),
               [](Instance& self) { return self.terminate(); });
}

fmi2Status fmi2Reset(fmi2Component instance) {
  return call2(instance, __func__, kAnyPhase, [](Instance& self) { return self.reset(); });
}

fmi2Status fmi2GetReal(fmi2Component instance, const fmi2ValueReference references[],
                       std::size_t count, fmi2Real values[]) {
  return call2(instance, __func__, kSinceInitialization,
               [&](Instance& self) { return self.get(references, count, values); });
}

fmi2Status fmi2SetReal(fmi2Component instance, const fmi2ValueReference references[],
                       std::size_t count, const fmi2Real values[]) {
  return call2(instance, __func__, kMaySet2,
               [&](Instance& self) { return self.set(references, count, values); });
}

fmi2Status fmi2GetFMUstate(fmi2Component instance, fmi2FMUstate* state) {
  return call2(instance, __func__, kAnyPhase,
               [&](Instance& self) { return self.get_state(state); });
}

fmi2Status fmi2SetFMUstate(fmi2Component instance, fmi2FMUstate state) {
  return call2(instance, __func__, kAnyPhase,
               [&](Instance& self) { return self.set_state(state); });
}

fmi2Status fmi2FreeFMUstate(fmi2Component instance, fmi2FMUstate* state) {
  return call2(instance, __func__, kAnyPhase,
               [&](Instance& self) { return self.free_state(state); });
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component instance, fmi2FMUstate state,
                                      std::size_t* size) {
  return call2(instance, __func__, kAnyPhase,
               [&](Instance& self) { return self.find_size(state, size); });
}

fmi2Status fmi2SerializeFMUstate(fmi2Component instance, fmi2FMUstate state, fmi2Byte bytes[],
                                 std::size_t size) {
  return call2(instance, __func__, kAnyPhase, [&](Instance& self) {
    return self.serialize(state, reinterpret_cast<std::uint8_t*>(bytes), size);
  });
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component instance, const fmi2Byte bytes[], std::size_t size,
                                   fmi2FMUstate* state) {
  return call2(instance, __func__, kAnyPhase, [&](Instance& self) {
    return self.deserialize(reinterpret_cast<const std::uint8_t*>(bytes), size, state);
  });
}

fmi2Status fmi2GetRealStatus(fmi2Component instance, fmi2StatusKind kind, fmi2Real* value) {
  return call2(instance, __func__, kSinceSteps, [&](Instance& self) {
    if (value == nullptr) return self.fail("the pointer to the value is null");
    if (kind != fmi2LastSuccessfulTime) return Status::discard;
    *value = self.time();
    return Status::ok;
  });
}

fmi2Status fmi2GetBooleanStatus(fmi2Component instance, fmi2StatusKind kind, fmi2Boolean* value) {
  return call2(instance, __func__, kSinceSteps, [&](Instance& self) {
    if (value == nullptr) return self.fail("the pointer to the value is null");
    if (kind != fmi2Terminated) return Status::discard;
    // no run ends by itself
    *value = 0;
    return Status::ok;
  });
}

fmi2Status fmi2GetDirectionalDerivative(fmi2Component instance, const fmi2ValueReference unknowns[],
                                        std::size_t unknown_count,
                                        const fmi2ValueReference knowns[], std::size_t known_count,
                                        const fmi2Real seed[], fmi2Real sensitivity[]) {
  return call2(instance, __func__, kSinceInitialization, [&](Instance& self) {
    return self.get_directional_derivative(unknowns, unknown_count, knowns, known_count, seed,
                                           sensitivity);
  });
}

// ---- what the FMU does not offer ----

namespace {

constexpr const char* kNoSuchType2 = "no variable is of this type, expected Real";
constexpr const char* kNoDerivatives = "derivatives over the time are not offered";

/// Nothing asked of variables that are not there is no fault.
fmi2Status absent2(fmi2Component instance, const char* function, unsigned phases, std::size_t count,
                   const char* what) {
  return call2(instance, function, phases,
               [&](Instance& self) { return self.refuse(count, what); });
}

/// Every step ends before its function returns: there is never one that waits.
template <typename Value>
fmi2Status no_step_waits(fmi2Component instance, const char* function, const Value* value) {
  return call2(instance, function, kSinceSteps, [&](Instance& self) {
    return value == nullptr ? self.fail("the pointer to the value is null") : Status::discard;
  });
}

}  // namespace

#define ABSENT_VALUES(Type)                                                                   \
  fmi2Status fmi2Get##Type(fmi2Component instance, const fmi2ValueReference /*references*/[], \
                           std::size_t count, fmi2##Type /*values*/[]) {                      \
    return absent2(instance, __func__, kSinceInitialization, count, kNoSuchType2);            \
  }                                                                                           \
  fmi2Status fmi2Set##Type(fmi2Component instance, const fmi2ValueReference /*references*/[], \
                           std::size_t count, const fmi2##Type /*values*/[]) {                \
    return absent2(instance, __func__, kMaySet2, count, kNoSuchType2);                        \
  }
ABSENT_VALUES(Integer)
ABSENT_VALUES(Boolean)
ABSENT_VALUES(String)
#undef ABSENT_VALUES

fmi2Status fmi2SetRealInputDerivatives(fmi2Component instance,
                                       const fmi2ValueReference /*references*/[], std::size_t count,
                                       const fmi2Integer /*orders*/[],
                                       const fmi2Real /*values*/[]) {
  return absent2(instance, __func__, kMaySet2, count, kNoDerivatives);
}

fmi2Status fmi2GetRealOutputDerivatives(fmi2Component instance,
                                        const fmi2ValueReference /*references*/[],
                                        std::size_t count, const fmi2Integer /*orders*/[],
                                        fmi2Real /*values*/[]) {
  return absent2(instance, __func__, kSinceSteps, count, kNoDerivatives);
}

fmi2Status fmi2CancelStep(fmi2Component instance) {
  return absent2(instance, __func__, kAnyPhase, 1,
                 "no step is going on: each ends before its function returns");
}

fmi2Status fmi2GetStatus(fmi2Component instance, fmi2StatusKind /*kind*/, fmi2Status* value) {
  return no_step_waits(instance, __func__, value);
}

fmi2Status fmi2GetIntegerStatus(fmi2Component instance, fmi2StatusKind /*kind*/,
                                fmi2Integer* value) {
  return no_step_waits(instance, __func__, value);
}

fmi2Status fmi2GetStringStatus(fmi2Component instance, fmi2StatusKind /*kind*/, fmi2String* value) {
  return no_step_waits(instance, __func__, value);
}
