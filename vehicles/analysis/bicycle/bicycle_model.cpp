#include "vehicles/analysis/bicycle/bicycle_model.hpp"

#include <cmath>

namespace semirec {

SteeringResponse find_response(const BicycleModel& model, double speed, double frequency,
                               double ahead) {
  using Complex = std::complex<double>;
  const double V = speed;
  const double a = model.a;
  const double b = model.b;
  const Complex s(0.0, 2.0 * M_PI * frequency);
  // side force over slip angle
  const Complex H_f = model.C_f / (1.0 + s * model.sigma_f / V);
  const Complex H_r = model.C_r / (1.0 + s * model.sigma_r / V);
  // [ vv vr ] [ v ]   [ H_f   ]
  // [ rv rr ] [ r ] = [ a H_f ] delta
  const Complex vv = model.mass * s + (H_f + H_r) / V;
  const Complex vr = model.mass * V + (a * H_f - b * H_r) / V;
  const Complex rv = (a * H_f - b * H_r) / V;
  const Complex rr = model.yaw_inertia * s + (a * a * H_f + b * b * H_r) / V;
  const Complex determinant = vv * rr - vr * rv;
  const Complex v = H_f * (rr - a * vr) / determinant;
  const Complex r = H_f * (a * vv - rv) / determinant;
  return {r, s * v + V * r + ahead * s * r};
}

}  // namespace semirec
