#pragma once

#include <string>

#include "vehicles/analysis/answer.hpp"
#include "vehicles/analysis/metrics/frequency_response.hpp"

namespace semirec {

/// Adds the metrics of a response of `name` (unit `unit`) to the steering wheel as `name.*`, its
/// table `frequency_NAME`, and its lines to the charts of gain, phase and coherence, which the
/// first call makes. Low frequencies are those up to `low`, Hz; `steady`: the gain at frequency
/// zero.
void show_frequency_response(Answer& answer, const std::string& name, const std::string& unit,
                             const FrequencyResponse& response, double low,
                             const SteadyGain& steady);

}  // namespace semirec
