#pragma once

#include "recursive/packs/pack.hpp"

namespace semirec {

/// Value, rate and second rate of the lanes' inputs. Copied number by number, as Pack3.
template <AnyPack P>
struct LaneInputOf {
  P f, fd, fdd;

  LaneInputOf() = default;
  LaneInputOf(const P& value, const P& rate, const P& second) : f(value), fd(rate), fdd(second) {}
  LaneInputOf(const LaneInputOf& other) : f(other.f), fd(other.fd), fdd(other.fdd) {}
  LaneInputOf& operator=(const LaneInputOf& other) {
    f = other.f;
    fd = other.fd;
    fdd = other.fdd;
    return *this;
  }
  ~LaneInputOf() = default;
};

}  // namespace semirec
