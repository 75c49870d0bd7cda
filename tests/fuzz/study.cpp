// Study files: any text is read or refused with a line for each error; what is read has samples
// that are finite.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "topology/mechanism.hpp"
#include "vehicles/study/design.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const semirec::Study study = semirec::read_study_text(text, "fuzz/study.xml");
    if (study.count * study.varied.size() > 10000) return 0;
    for (const std::vector<double>& values : semirec::make_design(study).values) {
      for (const double value : values)
        if (!std::isfinite(value)) std::abort();
      (void)semirec::overrides_of(study, values);
    }
  } catch (const semirec::ModelError& error) {
    const std::string lines = std::string("\n") + error.what() + "\n";
    if (lines.find("\n\n") != std::string::npos) std::abort();
  }
  return 0;
}
