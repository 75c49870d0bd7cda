#pragma once

#include <cstdarg>
#include <cstdint>
#include <dlfcn.h>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "apps/fmi/export.hpp"
#include "apps/fmi/fmi2.hpp"
#include "apps/fmi/fmi3.hpp"

namespace semirec::test {

/// What functions of both standards return.
inline constexpr int kOk = 0, kError = 3;

/// A folder of the test's own that goes with it.
class TestFolder {
 public:
  explicit TestFolder(const std::string& name = "fmu");
  ~TestFolder();
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// One variable as the model description has it.
struct DescribedVariable {
  std::string name, causality, variability, initial, unit, description;
  std::uint32_t reference = 0;
  bool has_start = false, has_min = false, has_max = false;
  double start = 0.0, min = 0.0, max = 0.0;
};

/// What an importer takes from a model description.
struct Description {
  std::string identifier, token, naming;
  std::vector<DescribedVariable> variables;
  std::vector<std::string> units, categories;
  std::vector<std::uint32_t> outputs, initial_unknowns;  ///< as they stand: references or indices
  /// [output] as they stand; none: nothing is said.
  std::vector<std::optional<std::vector<std::uint32_t>>> dependencies;
  bool derivatives = false;  ///< directional ones are provided
  double step = 0.0;

  /// Value reference of a name; the test fails where there is none.
  std::uint32_t reference(const std::string& name) const;
  std::vector<std::uint32_t> references(const std::string& causality) const;
};

Description read_description(const std::string& xml, int version);

/// An FMU in a folder, its library loaded.
class UnpackedFmu {
 public:
  UnpackedFmu(int version, const std::string& vehicle, const std::string& scenario,
              const std::vector<std::string>& sets = {}, const std::string& folder = "fmu");
  ~UnpackedFmu();
  UnpackedFmu(const UnpackedFmu&) = delete;
  UnpackedFmu& operator=(const UnpackedFmu&) = delete;

  const Description& description() const { return description_; }
  const std::string& folder() const { return folder_.path(); }
  void* library() const { return library_; }
  std::string library_path() const { return library_path_; }

 private:
  TestFolder folder_;
  Description description_;
  std::string library_path_;
  void* library_ = nullptr;
};

/// The FMU of a vehicle in a scenario, made once for all tests of a process.
const UnpackedFmu& shared_fmu(int version, const std::string& vehicle, const std::string& scenario);

/// A line of the log.
struct LogLine {
  int status = 0;
  std::string category, message;
};
using Log = std::vector<LogLine>;

/// The logger of version 2: the message is a format, which an FMU must fill in safely.
inline void note_two(void* environment, const char*, fmi2Status status, const char* category,
                     const char* message, ...) {
  std::va_list rest;
  va_start(rest, message);
  const char* text = std::string(message) == "%s" ? va_arg(rest, const char*) : message;
  va_end(rest);
  static_cast<Log*>(environment)->push_back({status, category, text});
}

template <typename Function>
Function look_up(void* library, const char* name) {
  return reinterpret_cast<Function>(dlsym(library, name));
}

#define FMI(name) (look_up<decltype(&name)>(library_, #name))

/// An instance in version 2 or 3 of the standard, with one set of names for both. Statuses have one
/// set of numbers: 0 OK, 2 discard, 3 error.
template <int version>
class Importer {
 public:
  using State = void*;

  /// With the model description's own token and resources, or others.
  explicit Importer(const UnpackedFmu& fmu, bool logging = true, const char* token = nullptr,
                    const char* resources = nullptr)
      : Importer(fmu.library(), token != nullptr ? token : fmu.description().token,
                 resources != nullptr ? std::string(resources) : place_of(fmu.folder()), logging) {}
  Importer(void* library, const std::string& token, const std::string& resources,
           bool logging = true)
      : library_(library) {
    if constexpr (version == 3) {
      const auto note = [](void* environment, fmi3Status status, const char* category,
                           const char* message) {
        static_cast<Log*>(environment)->push_back({status, category, message});
      };
      instance_ =
          FMI(fmi3InstantiateCoSimulation)("car", token.c_str(), resources.c_str(), false, logging,
                                           false, false, nullptr, 0, &log_, note, nullptr);
    } else {
      functions_.logger = note_two;
      functions_.componentEnvironment = &log_;
      instance_ = FMI(fmi2Instantiate)("car", fmi2CoSimulation, token.c_str(), resources.c_str(),
                                       &functions_, 0, logging ? 1 : 0);
    }
  }
  ~Importer() { free(); }
  Importer(const Importer&) = delete;
  Importer& operator=(const Importer&) = delete;

  static std::string place_of(const std::string& folder) {
    if (version == 3) return folder + "/resources/";
    std::string uri = "file://";
    for (const char c : folder) uri += c == ' ' ? std::string("%20") : std::string(1, c);
    return uri + "/resources";
  }

  void* instance() const { return instance_; }
  const Log& log() const { return log_; }
  void clear_log() { log_.clear(); }
  void free() {
    if constexpr (version == 3)
      FMI(fmi3FreeInstance)(instance_);
    else
      FMI(fmi2FreeInstance)(instance_);
    instance_ = nullptr;
  }

  int enter(double start = 0.0, bool stops = false, double stop = 0.0) {
    if constexpr (version == 3)
      return FMI(fmi3EnterInitializationMode)(instance_, false, 0.0, start, stops, stop);
    const int status = FMI(fmi2SetupExperiment)(instance_, 0, 0.0, start, stops ? 1 : 0, stop);
    return status != 0 ? status : FMI(fmi2EnterInitializationMode)(instance_);
  }
  int exit() {
    if constexpr (version == 3) return FMI(fmi3ExitInitializationMode)(instance_);
    return FMI(fmi2ExitInitializationMode)(instance_);
  }
  int step(double point, double length) {
    if constexpr (version == 3) {
      fmi3Boolean event = true, terminate = true, early = true;
      const int status =
          FMI(fmi3DoStep)(instance_, point, length, true, &event, &terminate, &early, &last_time);
      return status != 0 ? status : event || terminate || early ? -1 : 0;
    }
    return FMI(fmi2DoStep)(instance_, point, length, 1);
  }
  int terminate() {
    if constexpr (version == 3) return FMI(fmi3Terminate)(instance_);
    return FMI(fmi2Terminate)(instance_);
  }
  int reset() {
    if constexpr (version == 3) return FMI(fmi3Reset)(instance_);
    return FMI(fmi2Reset)(instance_);
  }
  int get(const std::uint32_t* references, std::size_t count, double* values) {
    if constexpr (version == 3)
      return FMI(fmi3GetFloat64)(instance_, references, count, values, count);
    return FMI(fmi2GetReal)(instance_, references, count, values);
  }
  int set(const std::uint32_t* references, std::size_t count, const double* values) {
    if constexpr (version == 3)
      return FMI(fmi3SetFloat64)(instance_, references, count, values, count);
    return FMI(fmi2SetReal)(instance_, references, count, values);
  }
  int set(std::uint32_t reference, double value) { return set(&reference, 1, &value); }
  int get(std::uint32_t reference, double& value) { return get(&reference, 1, &value); }
  /// Directional derivatives; `sensitivity` gets one for each unknown.
  int derive(const std::vector<std::uint32_t>& unknowns, const std::vector<std::uint32_t>& knowns,
             const std::vector<double>& seed, std::vector<double>& sensitivity) {
    sensitivity.assign(unknowns.size(), -1.0);
    return derive_into(unknowns, knowns, seed, sensitivity.data());
  }
  int derive_into(const std::vector<std::uint32_t>& unknowns,
                  const std::vector<std::uint32_t>& knowns, const std::vector<double>& seed,
                  double* sensitivity) {
    if constexpr (version == 3)
      return FMI(fmi3GetDirectionalDerivative)(instance_, unknowns.data(), unknowns.size(),
                                               knowns.data(), knowns.size(), seed.data(),
                                               seed.size(), sensitivity, unknowns.size());
    else
      return FMI(fmi2GetDirectionalDerivative)(instance_, unknowns.data(), unknowns.size(),
                                               knowns.data(), knowns.size(), seed.data(),
                                               sensitivity);
  }
  int get_integer(const std::uint32_t* references, std::size_t count, int* values) {
    if constexpr (version == 3)
      return FMI(fmi3GetInt32)(instance_, references, count, values, count);
    return FMI(fmi2GetInteger)(instance_, references, count, values);
  }
  int set_logging(bool on, const std::vector<const char*>& categories) {
    if constexpr (version == 3)
      return FMI(fmi3SetDebugLogging)(instance_, on, categories.size(), categories.data());
    return FMI(fmi2SetDebugLogging)(instance_, on ? 1 : 0, categories.size(), categories.data());
  }

  int get_state(State* state) {
    if constexpr (version == 3) return FMI(fmi3GetFMUState)(instance_, state);
    return FMI(fmi2GetFMUstate)(instance_, state);
  }
  int set_state(State state) {
    if constexpr (version == 3) return FMI(fmi3SetFMUState)(instance_, state);
    return FMI(fmi2SetFMUstate)(instance_, state);
  }
  int free_state(State* state) {
    if constexpr (version == 3) return FMI(fmi3FreeFMUState)(instance_, state);
    return FMI(fmi2FreeFMUstate)(instance_, state);
  }
  int find_size(State state, std::size_t* size) {
    if constexpr (version == 3) return FMI(fmi3SerializedFMUStateSize)(instance_, state, size);
    return FMI(fmi2SerializedFMUstateSize)(instance_, state, size);
  }
  int serialize(State state, char* bytes, std::size_t size) {
    if constexpr (version == 3)
      return FMI(fmi3SerializeFMUState)(instance_, state, reinterpret_cast<std::uint8_t*>(bytes),
                                        size);
    else
      return FMI(fmi2SerializeFMUstate)(instance_, state, bytes, size);
  }
  int deserialize(const char* bytes, std::size_t size, State* state) {
    if constexpr (version == 3)
      return FMI(fmi3DeserializeFMUState)(instance_, reinterpret_cast<const std::uint8_t*>(bytes),
                                          size, state);
    else
      return FMI(fmi2DeSerializeFMUstate)(instance_, bytes, size, state);
  }
  /// The state as it stands, as bytes; empty where a function does not answer OK.
  std::string saved() {
    State state = nullptr;
    std::size_t size = 0;
    if (get_state(&state) != 0 || find_size(state, &size) != 0) return {};
    std::string bytes(size, '\0');
    const int status = serialize(state, bytes.data(), size);
    return free_state(&state) == 0 && status == 0 ? bytes : "";
  }
  /// Goes on from bytes of saved().
  int restore(const std::string& bytes) {
    State state = nullptr;
    if (const int status = deserialize(bytes.data(), bytes.size(), &state)) return status;
    const int status = set_state(state);
    return status != 0 ? status : free_state(&state);
  }

  std::vector<double> read(const std::vector<std::uint32_t>& references) {
    std::vector<double> values(references.size());
    if (get(references.data(), references.size(), values.data()) != 0) values.clear();
    return values;
  }

  double last_time = -1.0;  ///< of fmi3DoStep

 private:
  void* library_;
  void* instance_ = nullptr;
  Log log_;
  fmi2CallbackFunctions functions_{};
};

#undef FMI

}  // namespace semirec::test
