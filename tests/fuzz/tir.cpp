#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "vehicles/tyre/read_tyre.hpp"

// A tyre property file gives one line of complaint, or a tyre whose forces are finite.

namespace {

void expect(bool condition) {
  if (!condition) std::abort();
}

void drive(const semirec::TyreLaw& tyre) {
  const double most = std::numeric_limits<double>::max();
  for (const double load : {0.0, 1.0, tyre.nominal_load(), most})
    for (const double slip : {-most, -1.0, -0.03, 0.0, 0.1, most})
      for (const double other : {-20.0, 0.0, 0.05, most}) {
        semirec::TyreSlip s;
        s.load = load;
        s.kappa = slip;
        s.tan_alpha = other;
        s.gamma = other;
        s.turn_slip = other;
        s.speed = other;
        const semirec::TyreForces f = tyre.forces(s);
        for (const double value :
             {f.Fx, f.Fy, f.Mx, f.My, f.Mz, f.Fx_kappa, f.Fx_tan_alpha, f.Fy_kappa, f.Fy_tan_alpha})
          expect(std::isfinite(value));
        expect(tyre.relaxation_x(load, other) > 0.0 && tyre.relaxation_y(load, other) > 0.0);
        expect(tyre.effective_radius(load, other) > 0.0);
      }
  for (const double deflection : {-0.1, 0.0, 0.02, 0.5})
    expect(std::isfinite(tyre.load(deflection, 1.0, 100.0).load));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    std::vector<std::string> notes;
    drive(*semirec::read_tyre_text(text, "fuzz.tir", semirec::Side::right, &notes));
    for (const std::string& note : notes) expect(note.find('\n') == std::string::npos);
  } catch (const semirec::ModelError& error) {
    expect(std::string(error.what()).find('\n') == std::string::npos);
  }
  return 0;
}
