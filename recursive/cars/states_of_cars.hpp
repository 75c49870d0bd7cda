#pragma once

#include <cstring>

#include "recursive/cars/car_workspace.hpp"
#include "topology/indices.hpp"

namespace semirec {

/// A force element's own first-order states in cars side by side, k from 0, and the rule of the
/// scheme for them: what ForceInput and StateSink are for one car.
template <AnyPack P>
class StatesOfCars {
 public:
  StatesOfCars(CarsWorkspace<P>& ws, int first) : ws_(&ws), first_(first) {}

  double gain() const { return ws_->rule.gain; }  ///< s
  double step() const { return ws_->rule.h; }     ///< s
  P x_begin(int k) const { return of(ws_->rule.x_begin, k); }
  P x_hat(int k) const { return of(ws_->rule.x_hat, k); }
  P xd_hat(int k) const { return of(ws_->rule.xd_hat, k); }

  void set_x(int k, const P& x) const { ws_->x[at(first_ + k)] = x; }
  void set_xd(int k, const P& xd) const { ws_->xd[at(first_ + k)] = xd; }

 private:
  P of(const Eigen::VectorXd& values, int k) const {
    P pack;
    std::memcpy(&pack, values.data() + static_cast<std::ptrdiff_t>(first_ + k) * kLanesOf<P>,
                sizeof(P));
    return pack;
  }

  CarsWorkspace<P>* ws_;
  int first_;
};

}  // namespace semirec
