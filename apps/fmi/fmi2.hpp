#pragma once

#include <cstddef>

// What FMI 2.0 calls by name in a library for co-simulation: types and functions by the tables of
// the standard, in this project's own words. An FMU exports them, an importer looks them up.

#define FMI2_EXPORT __attribute__((visibility("default")))

// the names are the standard's
// NOLINTBEGIN(readability-identifier-naming)
extern "C" {

using fmi2Component = void*;
using fmi2ComponentEnvironment = void*;
using fmi2FMUstate = void*;
using fmi2ValueReference = unsigned int;
using fmi2Real = double;
using fmi2Integer = int;
using fmi2Boolean = int;
using fmi2Char = char;
using fmi2String = const fmi2Char*;
using fmi2Byte = char;

enum fmi2Status { fmi2OK, fmi2Warning, fmi2Discard, fmi2Error, fmi2Fatal, fmi2Pending };
enum fmi2Type { fmi2ModelExchange, fmi2CoSimulation };
enum fmi2StatusKind { fmi2DoStepStatus, fmi2PendingStatus, fmi2LastSuccessfulTime, fmi2Terminated };

/// The importer's functions; the order is the standard's.
struct fmi2CallbackFunctions {
  void (*logger)(fmi2ComponentEnvironment, fmi2String name, fmi2Status, fmi2String category,
                 fmi2String message, ...);
  void* (*allocateMemory)(std::size_t count, std::size_t size);
  void (*freeMemory)(void*);
  void (*stepFinished)(fmi2ComponentEnvironment, fmi2Status);
  fmi2ComponentEnvironment componentEnvironment;
};

// the library and the life of an instance
FMI2_EXPORT const char* fmi2GetTypesPlatform();
FMI2_EXPORT const char* fmi2GetVersion();
FMI2_EXPORT fmi2Status fmi2SetDebugLogging(fmi2Component, fmi2Boolean on, std::size_t count,
                                           const fmi2String categories[]);
FMI2_EXPORT fmi2Component fmi2Instantiate(fmi2String name, fmi2Type, fmi2String guid,
                                          fmi2String resources, const fmi2CallbackFunctions*,
                                          fmi2Boolean visible, fmi2Boolean logging);
FMI2_EXPORT void fmi2FreeInstance(fmi2Component);

// the state machine
FMI2_EXPORT fmi2Status fmi2SetupExperiment(fmi2Component, fmi2Boolean tolerance_defined,
                                           fmi2Real tolerance, fmi2Real start,
                                           fmi2Boolean stop_defined, fmi2Real stop);
FMI2_EXPORT fmi2Status fmi2EnterInitializationMode(fmi2Component);
FMI2_EXPORT fmi2Status fmi2ExitInitializationMode(fmi2Component);
FMI2_EXPORT fmi2Status fmi2DoStep(fmi2Component, fmi2Real point, fmi2Real length,
                                  fmi2Boolean no_set_state_before);
FMI2_EXPORT fmi2Status fmi2CancelStep(fmi2Component);
FMI2_EXPORT fmi2Status fmi2Terminate(fmi2Component);
FMI2_EXPORT fmi2Status fmi2Reset(fmi2Component);
FMI2_EXPORT fmi2Status fmi2GetStatus(fmi2Component, fmi2StatusKind, fmi2Status*);
FMI2_EXPORT fmi2Status fmi2GetRealStatus(fmi2Component, fmi2StatusKind, fmi2Real*);
FMI2_EXPORT fmi2Status fmi2GetIntegerStatus(fmi2Component, fmi2StatusKind, fmi2Integer*);
FMI2_EXPORT fmi2Status fmi2GetBooleanStatus(fmi2Component, fmi2StatusKind, fmi2Boolean*);
FMI2_EXPORT fmi2Status fmi2GetStringStatus(fmi2Component, fmi2StatusKind, fmi2String*);

// values: all variables of this project's FMUs are Real
#define FMI2_VALUES(Type)                                                                    \
  FMI2_EXPORT fmi2Status fmi2Get##Type(fmi2Component, const fmi2ValueReference references[], \
                                       std::size_t count, fmi2##Type values[]);              \
  FMI2_EXPORT fmi2Status fmi2Set##Type(fmi2Component, const fmi2ValueReference references[], \
                                       std::size_t count, const fmi2##Type values[]);
FMI2_VALUES(Real)
FMI2_VALUES(Integer)
FMI2_VALUES(Boolean)
FMI2_VALUES(String)
#undef FMI2_VALUES
FMI2_EXPORT fmi2Status fmi2SetRealInputDerivatives(fmi2Component,
                                                   const fmi2ValueReference references[],
                                                   std::size_t count, const fmi2Integer orders[],
                                                   const fmi2Real values[]);
FMI2_EXPORT fmi2Status fmi2GetRealOutputDerivatives(fmi2Component,
                                                    const fmi2ValueReference references[],
                                                    std::size_t count, const fmi2Integer orders[],
                                                    fmi2Real values[]);
FMI2_EXPORT fmi2Status fmi2GetDirectionalDerivative(fmi2Component,
                                                    const fmi2ValueReference unknowns[],
                                                    std::size_t unknown_count,
                                                    const fmi2ValueReference knowns[],
                                                    std::size_t known_count, const fmi2Real seed[],
                                                    fmi2Real sensitivity[]);

// saved states
FMI2_EXPORT fmi2Status fmi2GetFMUstate(fmi2Component, fmi2FMUstate*);
FMI2_EXPORT fmi2Status fmi2SetFMUstate(fmi2Component, fmi2FMUstate);
FMI2_EXPORT fmi2Status fmi2FreeFMUstate(fmi2Component, fmi2FMUstate*);
FMI2_EXPORT fmi2Status fmi2SerializedFMUstateSize(fmi2Component, fmi2FMUstate, std::size_t* size);
FMI2_EXPORT fmi2Status fmi2SerializeFMUstate(fmi2Component, fmi2FMUstate, fmi2Byte bytes[],
                                             std::size_t size);
FMI2_EXPORT fmi2Status fmi2DeSerializeFMUstate(fmi2Component, const fmi2Byte bytes[],
                                               std::size_t size, fmi2FMUstate*);
}
// NOLINTEND(readability-identifier-naming)
