#include "vehicles/tyre/read_tyre.hpp"

#include <cmath>
#include <numbers>

#include "vehicles/tyre/magic_tyre.hpp"
#include "vehicles/tyre/tir_file.hpp"

namespace semirec {

namespace {

/// Weights of combined slip are fitted to slips of a few tenths; a wheel that slides all over may
/// be pushed far off its way by them.
void note_bent_sliding(const MagicTyre& tyre, std::vector<std::string>& notes) {
  constexpr double kDegree = std::numbers::pi / 180.0;
  constexpr double kWay = 60.0, kMostBent = 15.0;  // degrees
  if (!tyre.parameters().weighted || !tyre.slides_as_one()) return;
  TyreSlip locked;
  locked.load = tyre.nominal_load();
  locked.kappa = -1.0;
  locked.speed = 20.0;
  double pushed = 0.0;
  // shifts of the curves cancel in the mean of both sides
  for (const double side : {1.0, -1.0}) {
    locked.tan_alpha = side * std::tan(kWay * kDegree);
    const TyreForces F = tyre.forces(locked);
    pushed += 0.5 * std::atan2(-side * F.Fy, -F.Fx) / kDegree;
  }
  if (std::abs(pushed - kWay) <= kMostBent) return;
  notes.push_back(
      "the weights of combined slip (R*) push a locked wheel that slides at 60 degrees at " +
      std::to_string(std::lround(pushed)) +
      ": a wheel that slides all over is pushed against its sliding instead");
}

}  // namespace

std::shared_ptr<const TyreLaw> read_tyre_text(const std::string& text, const std::string& file,
                                              Side mounted, std::vector<std::string>* notes) {
  const TirFile tir = parse_tir(text, file);
  std::vector<std::string> remarks = tir.notes;
  auto tyre = std::make_shared<MagicTyre>(read_magic_parameters(tir, mounted, remarks));
  note_bent_sliding(*tyre, remarks);
  if (notes != nullptr) notes->insert(notes->end(), remarks.begin(), remarks.end());
  return tyre;
}

std::shared_ptr<const TyreLaw> read_tyre_file(const std::string& path, Side mounted,
                                              std::vector<std::string>* notes) {
  return read_tyre_text(read_tir_text(path), path, mounted, notes);
}

}  // namespace semirec
