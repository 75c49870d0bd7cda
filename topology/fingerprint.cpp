#include "topology/fingerprint.hpp"

namespace semirec {

void put_into(Fingerprint& fingerprint, const Frame& frame) {
  const auto& [A, p] = frame;
  fingerprint(A, p);
}

static void put_into(Fingerprint& fingerprint, const Curve::Piece& piece) {
  // area and degree follow from the others
  const auto& [from, origin, c, area, degree] = piece;
  fingerprint(from, origin, c);
}

static void put_into(Fingerprint& fingerprint, const Curve::Sine& sine) {
  const auto& [amplitude, omega, phase, rise, from, to] = sine;
  fingerprint(amplitude, omega, phase, rise, from, to);
}

void put_into(Fingerprint& fingerprint, const Curve& curve) {
  fingerprint(curve.pieces(), curve.sines());
  // others keep the fingerprints that they had
  if (curve.function() != nullptr) curve.function()->put_into(fingerprint);
}

}  // namespace semirec
