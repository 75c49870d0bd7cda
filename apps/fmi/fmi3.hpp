#pragma once

#include <cstddef>
#include <cstdint>

// What FMI 3.0 calls by name in a library for co-simulation: types and functions by the tables of
// the standard's section on the C interface, in this project's own words. An FMU exports them, an
// importer looks them up.

#define FMI3_EXPORT __attribute__((visibility("default")))

// the names are the standard's
// NOLINTBEGIN(readability-identifier-naming)
extern "C" {

using fmi3Instance = void*;
using fmi3InstanceEnvironment = void*;
using fmi3FMUState = void*;
using fmi3ValueReference = std::uint32_t;
using fmi3Float32 = float;
using fmi3Float64 = double;
using fmi3Int8 = std::int8_t;
using fmi3UInt8 = std::uint8_t;
using fmi3Int16 = std::int16_t;
using fmi3UInt16 = std::uint16_t;
using fmi3Int32 = std::int32_t;
using fmi3UInt32 = std::uint32_t;
using fmi3Int64 = std::int64_t;
using fmi3UInt64 = std::uint64_t;
using fmi3Boolean = bool;
using fmi3String = const char*;
using fmi3Byte = std::uint8_t;
using fmi3Binary = const fmi3Byte*;
using fmi3Clock = bool;

enum fmi3Status { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal };
enum fmi3DependencyKind {
  fmi3Independent,
  fmi3Constant,
  fmi3Fixed,
  fmi3Tunable,
  fmi3Discrete,
  fmi3Dependent
};
enum fmi3IntervalQualifier { fmi3IntervalNotYetKnown, fmi3IntervalUnchanged, fmi3IntervalChanged };

using fmi3LogMessageCallback = void (*)(fmi3InstanceEnvironment, fmi3Status, fmi3String category,
                                        fmi3String message);
using fmi3ClockUpdateCallback = void (*)(fmi3InstanceEnvironment);
using fmi3IntermediateUpdateCallback = void (*)(fmi3InstanceEnvironment, fmi3Float64 time,
                                                fmi3Boolean set_requested, fmi3Boolean get_allowed,
                                                fmi3Boolean step_finished,
                                                fmi3Boolean can_return_early,
                                                fmi3Boolean* return_requested,
                                                fmi3Float64* return_time);
using fmi3LockPreemptionCallback = void (*)();
using fmi3UnlockPreemptionCallback = void (*)();

// the library and the life of an instance
FMI3_EXPORT const char* fmi3GetVersion();
FMI3_EXPORT fmi3Status fmi3SetDebugLogging(fmi3Instance, fmi3Boolean on, std::size_t count,
                                           const fmi3String categories[]);
FMI3_EXPORT fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token,
                                                      fmi3String resources, fmi3Boolean visible,
                                                      fmi3Boolean logging, fmi3InstanceEnvironment,
                                                      fmi3LogMessageCallback);
FMI3_EXPORT fmi3Instance fmi3InstantiateCoSimulation(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
    fmi3Boolean logging, fmi3Boolean event_mode_used, fmi3Boolean early_return_allowed,
    const fmi3ValueReference intermediate_variables[], std::size_t intermediate_count,
    fmi3InstanceEnvironment, fmi3LogMessageCallback, fmi3IntermediateUpdateCallback);
FMI3_EXPORT fmi3Instance fmi3InstantiateScheduledExecution(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
    fmi3Boolean logging, fmi3InstanceEnvironment, fmi3LogMessageCallback, fmi3ClockUpdateCallback,
    fmi3LockPreemptionCallback, fmi3UnlockPreemptionCallback);
FMI3_EXPORT void fmi3FreeInstance(fmi3Instance);

// the state machine
FMI3_EXPORT fmi3Status fmi3EnterInitializationMode(fmi3Instance, fmi3Boolean tolerance_defined,
                                                   fmi3Float64 tolerance, fmi3Float64 start,
                                                   fmi3Boolean stop_defined, fmi3Float64 stop);
FMI3_EXPORT fmi3Status fmi3ExitInitializationMode(fmi3Instance);
FMI3_EXPORT fmi3Status fmi3EnterEventMode(fmi3Instance);
FMI3_EXPORT fmi3Status fmi3EnterStepMode(fmi3Instance);
FMI3_EXPORT fmi3Status fmi3EnterConfigurationMode(fmi3Instance);
FMI3_EXPORT fmi3Status fmi3ExitConfigurationMode(fmi3Instance);
FMI3_EXPORT fmi3Status fmi3DoStep(fmi3Instance, fmi3Float64 point, fmi3Float64 length,
                                  fmi3Boolean no_set_state_before, fmi3Boolean* event_needed,
                                  fmi3Boolean* terminate, fmi3Boolean* early_return,
                                  fmi3Float64* last_successful_time);
FMI3_EXPORT fmi3Status fmi3Terminate(fmi3Instance);
FMI3_EXPORT fmi3Status fmi3Reset(fmi3Instance);

// values: all variables of this project's FMUs are Float64
#define FMI3_VALUES(Type)                                                                      \
  FMI3_EXPORT fmi3Status fmi3Get##Type(fmi3Instance, const fmi3ValueReference references[],    \
                                       std::size_t reference_count, fmi3##Type values[],       \
                                       std::size_t value_count);                               \
  FMI3_EXPORT fmi3Status fmi3Set##Type(fmi3Instance, const fmi3ValueReference references[],    \
                                       std::size_t reference_count, const fmi3##Type values[], \
                                       std::size_t value_count);
FMI3_VALUES(Float32)
FMI3_VALUES(Float64)
FMI3_VALUES(Int8)
FMI3_VALUES(UInt8)
FMI3_VALUES(Int16)
FMI3_VALUES(UInt16)
FMI3_VALUES(Int32)
FMI3_VALUES(UInt32)
FMI3_VALUES(Int64)
FMI3_VALUES(UInt64)
FMI3_VALUES(Boolean)
FMI3_VALUES(String)
#undef FMI3_VALUES
FMI3_EXPORT fmi3Status fmi3GetBinary(fmi3Instance, const fmi3ValueReference references[],
                                     std::size_t reference_count, std::size_t sizes[],
                                     fmi3Binary values[], std::size_t value_count);
FMI3_EXPORT fmi3Status fmi3SetBinary(fmi3Instance, const fmi3ValueReference references[],
                                     std::size_t reference_count, const std::size_t sizes[],
                                     const fmi3Binary values[], std::size_t value_count);
FMI3_EXPORT fmi3Status fmi3GetClock(fmi3Instance, const fmi3ValueReference references[],
                                    std::size_t reference_count, fmi3Clock values[]);
FMI3_EXPORT fmi3Status fmi3SetClock(fmi3Instance, const fmi3ValueReference references[],
                                    std::size_t reference_count, const fmi3Clock values[]);
FMI3_EXPORT fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance, fmi3ValueReference,
                                                           std::size_t* count);
FMI3_EXPORT fmi3Status fmi3GetVariableDependencies(fmi3Instance, fmi3ValueReference dependent,
                                                   std::size_t dependent_elements[],
                                                   fmi3ValueReference independents[],
                                                   std::size_t independent_elements[],
                                                   fmi3DependencyKind kinds[], std::size_t count);
FMI3_EXPORT fmi3Status fmi3GetDirectionalDerivative(
    fmi3Instance, const fmi3ValueReference unknowns[], std::size_t unknown_count,
    const fmi3ValueReference knowns[], std::size_t known_count, const fmi3Float64 seed[],
    std::size_t seed_count, fmi3Float64 sensitivity[], std::size_t sensitivity_count);
FMI3_EXPORT fmi3Status fmi3GetAdjointDerivative(fmi3Instance, const fmi3ValueReference unknowns[],
                                                std::size_t unknown_count,
                                                const fmi3ValueReference knowns[],
                                                std::size_t known_count, const fmi3Float64 seed[],
                                                std::size_t seed_count, fmi3Float64 sensitivity[],
                                                std::size_t sensitivity_count);
FMI3_EXPORT fmi3Status fmi3GetOutputDerivatives(fmi3Instance, const fmi3ValueReference references[],
                                                std::size_t reference_count,
                                                const fmi3Int32 orders[], fmi3Float64 values[],
                                                std::size_t value_count);

// saved states
FMI3_EXPORT fmi3Status fmi3GetFMUState(fmi3Instance, fmi3FMUState*);
FMI3_EXPORT fmi3Status fmi3SetFMUState(fmi3Instance, fmi3FMUState);
FMI3_EXPORT fmi3Status fmi3FreeFMUState(fmi3Instance, fmi3FMUState*);
FMI3_EXPORT fmi3Status fmi3SerializedFMUStateSize(fmi3Instance, fmi3FMUState, std::size_t* size);
FMI3_EXPORT fmi3Status fmi3SerializeFMUState(fmi3Instance, fmi3FMUState, fmi3Byte bytes[],
                                             std::size_t size);
FMI3_EXPORT fmi3Status fmi3DeserializeFMUState(fmi3Instance, const fmi3Byte bytes[],
                                               std::size_t size, fmi3FMUState*);

// clocks and events
FMI3_EXPORT fmi3Status fmi3GetIntervalDecimal(fmi3Instance, const fmi3ValueReference references[],
                                              std::size_t reference_count, fmi3Float64 intervals[],
                                              fmi3IntervalQualifier qualifiers[]);
FMI3_EXPORT fmi3Status fmi3GetIntervalFraction(fmi3Instance, const fmi3ValueReference references[],
                                               std::size_t reference_count, fmi3UInt64 counters[],
                                               fmi3UInt64 resolutions[],
                                               fmi3IntervalQualifier qualifiers[]);
FMI3_EXPORT fmi3Status fmi3GetShiftDecimal(fmi3Instance, const fmi3ValueReference references[],
                                           std::size_t reference_count, fmi3Float64 shifts[]);
FMI3_EXPORT fmi3Status fmi3GetShiftFraction(fmi3Instance, const fmi3ValueReference references[],
                                            std::size_t reference_count, fmi3UInt64 counters[],
                                            fmi3UInt64 resolutions[]);
FMI3_EXPORT fmi3Status fmi3SetIntervalDecimal(fmi3Instance, const fmi3ValueReference references[],
                                              std::size_t reference_count,
                                              const fmi3Float64 intervals[]);
FMI3_EXPORT fmi3Status fmi3SetIntervalFraction(fmi3Instance, const fmi3ValueReference references[],
                                               std::size_t reference_count,
                                               const fmi3UInt64 counters[],
                                               const fmi3UInt64 resolutions[]);
FMI3_EXPORT fmi3Status fmi3SetShiftDecimal(fmi3Instance, const fmi3ValueReference references[],
                                           std::size_t reference_count, const fmi3Float64 shifts[]);
FMI3_EXPORT fmi3Status fmi3SetShiftFraction(fmi3Instance, const fmi3ValueReference references[],
                                            std::size_t reference_count,
                                            const fmi3UInt64 counters[],
                                            const fmi3UInt64 resolutions[]);
FMI3_EXPORT fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance);
FMI3_EXPORT fmi3Status fmi3UpdateDiscreteStates(
    fmi3Instance, fmi3Boolean* update_needed, fmi3Boolean* terminate, fmi3Boolean* nominals_changed,
    fmi3Boolean* states_changed, fmi3Boolean* next_event_defined, fmi3Float64* next_event_time);
}
// NOLINTEND(readability-identifier-naming)
