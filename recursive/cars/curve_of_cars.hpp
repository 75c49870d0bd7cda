#pragma once

#include <algorithm>
#include <numbers>
#include <vector>

#include "recursive/cars/lane_input.hpp"
#include "recursive/packs/pack_functions.hpp"
#include "topology/curve.hpp"
#include "topology/indices.hpp"

namespace semirec {

/// Curves of cars side by side, one a lane, of like shape: as many pieces and as many sines in
/// each. Others are evaluated one after the other.
template <AnyPack P>
class CurveOfCars {
 public:
  CurveOfCars() = default;
  /// `curves`: one for each car, which outlive this; lanes without a car take the first.
  explicit CurveOfCars(const std::vector<const Curve*>& curves) {
    for (int l = 0; l < kLanesOf<P>; ++l)
      curves_.push_back(curves[at(l) < curves.size() ? at(l) : 0]);
    const Curve& first = *curves_.front();
    alike_ = first.pieces().size() <= kMostPieces;
    for (const Curve* curve : curves_)
      alike_ = alike_ && curve->function() == nullptr &&
               curve->pieces().size() == first.pieces().size() &&
               curve->sines().size() == first.sines().size();
    is_zero_ = alike_ && first.is_zero();
    if (!alike_) return;
    for (std::size_t k = 0; k < first.pieces().size(); ++k) {
      Piece piece;
      for (int l = 0; l < kLanesOf<P>; ++l) {
        const Curve::Piece& own = curves_[at(l)]->pieces()[k];
        piece.from[l] = own.from;
        piece.origin[l] = own.origin;
        for (std::size_t c = 0; c < own.c.size(); ++c) piece.c[c][l] = own.c[c];
        degree_ = std::max(degree_, own.degree);
      }
      pieces_.push_back(piece);
    }
    for (std::size_t k = 0; k < first.sines().size(); ++k) {
      Sine sine;
      for (int l = 0; l < kLanesOf<P>; ++l) {
        const Curve::Sine& own = curves_[at(l)]->sines()[k];
        sine.amplitude[l] = own.amplitude;
        sine.omega[l] = own.omega;
        sine.phase[l] = own.phase;
        sine.rise[l] = own.rise;
        sine.from[l] = own.from;
        sine.to[l] = own.to;
      }
      sines_.push_back(sine);
    }
  }

  /// Zero everywhere in all lanes.
  bool is_zero() const { return is_zero_; }

  /// Curve::evaluate() of each lane at its own x.
  LaneInputOf<P> evaluate(const P& x, bool from_left = false) const {
    if (!alike_) return evaluate_one_by_one(x, from_left);
    LaneInputOf<P> v{P{}, P{}, P{}};
    if (!pieces_.empty()) add_polynomial(x, from_left, v);
    for (const Sine& sine : sines_) add_sine(sine, x, from_left, v);
    return v;
  }

 private:
  static constexpr std::size_t kMostPieces = 16;

  struct Piece {
    P from, origin;
    P c[6];
  };
  struct Sine {
    P amplitude, omega, phase, rise, from, to;
  };

  LaneInputOf<P> evaluate_one_by_one(const P& x, bool from_left) const {
    LaneInputOf<P> v{P{}, P{}, P{}};
    for (int l = 0; l < kLanesOf<P>; ++l) {
      const CurveValue own = curves_[at(l)]->evaluate(x[l], from_left);
      v.f[l] = own.f;
      v.fd[l] = own.fd;
      v.fdd[l] = own.fdd;
    }
    return v;
  }

  void add_polynomial(const P& x, bool from_left, LaneInputOf<P>& v) const {
    const Piece& first = pieces_.front();
    P origin = first.origin;
    P c[6];
    const auto terms = at(degree_) + 1;
    for (std::size_t k = 0; k < terms; ++k) c[k] = first.c[k];
    for (std::size_t i = 1; i < pieces_.size(); ++i) {
      const Piece& piece = pieces_[i];
      const PackMaskOf<P> begun = from_left ? x > piece.from : x >= piece.from;
      origin = select(begun, piece.origin, origin);
      for (std::size_t k = 0; k < terms; ++k) c[k] = select(begun, piece.c[k], c[k]);
    }
    const P s = x - origin;
    P f = c[terms - 1];
    P fd{};
    P fdd{};
    for (std::size_t k = terms - 1; k-- > 0;) {
      fdd = fdd * s + 2.0 * fd;
      fd = fd * s + f;
      f = f * s + c[k];
    }
    v = {f, fd, fdd};
  }

  static void add_sine(const Sine& sine, const P& x, bool from_left, LaneInputOf<P>& v) {
    const P zero{};
    const PackMaskOf<P> on =
        from_left ? (x > sine.from) & (x <= sine.to) : (x >= sine.from) & (x < sine.to);
    P s;
    P c;
    sine_and_cosine(sine.omega * x + sine.phase, s, c);
    s = select(on, sine.amplitude * s, zero);
    c = select(on, sine.amplitude * sine.omega * c, zero);
    // a soft start, where it lasts yet
    const P risen = sine.from + sine.rise;
    const PackMaskOf<P> rising = (sine.rise > zero) & (from_left ? x <= risen : x < risen) & on;
    P w = spread<P>(1.0);
    P wd{};
    P wdd{};
    if (anywhere(rising)) {
      const P rate = select(rising, std::numbers::pi / sine.rise, zero);
      const P since = select(rising, x - sine.from, zero);
      P of_window;
      P cosine;
      sine_and_cosine(rate * since, of_window, cosine);
      w = select(rising, 0.5 * (1.0 - cosine), w);
      wd = select(rising, 0.5 * rate * of_window, zero);
      wdd = select(rising, 0.5 * rate * rate * cosine, zero);
    }
    const P curved = sine.omega * sine.omega * s;
    v.f += s * w;
    v.fd += c * w + s * wd;
    v.fdd += 2.0 * c * wd + s * wdd - curved * w;
  }

  std::vector<const Curve*> curves_;
  bool alike_ = true, is_zero_ = true;
  int degree_ = 0;
  std::vector<Piece> pieces_;
  std::vector<Sine> sines_;
};

}  // namespace semirec
