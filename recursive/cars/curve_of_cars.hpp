#pragma once

#include <algorithm>
#include <limits>
#include <numbers>
#include <vector>

#include "recursive/cars/lane_input.hpp"
#include "recursive/packs/pack_functions.hpp"
#include "topology/curve.hpp"
#include "topology/indices.hpp"

namespace semirec {

/// Curves of cars side by side, one a lane. Lanes with fewer pieces or sines than others have ones
/// that never begin; a function, and a curve of many pieces, is evaluated by itself. So no bit of a
/// car's curve depends on what the others are.
template <AnyPack P>
class CurveOfCars {
 public:
  CurveOfCars() = default;
  /// `curves`: one for each car, which outlive this; lanes without a car take the first.
  explicit CurveOfCars(const std::vector<const Curve*>& curves) {
    int degree = 0;
    for (int l = 0; l < kLanesOf<P>; ++l) {
      const Curve& own = *curves[at(l) < curves.size() ? at(l) : 0];
      if (own.function() != nullptr || own.pieces().size() > kMostPieces) {
        by_itself_.push_back({l, &own});
        continue;
      }
      for (std::size_t k = 0; k < own.pieces().size(); ++k) {
        if (k == pieces_.size()) pieces_.push_back(no_piece());
        put(own.pieces()[k], l, pieces_[k]);
        degree = std::max(degree, own.pieces()[k].degree);
      }
      for (std::size_t k = 0; k < own.sines().size(); ++k) {
        if (k == sines_.size()) sines_.push_back(no_sine());
        put(own.sines()[k], l, sines_[k]);
      }
    }
    polynomial_ = degree <= 1   ? &CurveOfCars::evaluate_polynomial<2>
                  : degree <= 3 ? &CurveOfCars::evaluate_polynomial<4>
                                : &CurveOfCars::evaluate_polynomial<6>;
    is_polynomial_ = !pieces_.empty() && sines_.empty() && by_itself_.empty();
  }

  /// Zero everywhere in all lanes.
  bool is_zero() const { return pieces_.empty() && sines_.empty() && by_itself_.empty(); }

  /// Curve::evaluate() of each lane at its own x.
  LaneInputOf<P> evaluate(const P& x, bool from_left = false) const {
    return is_polynomial_ ? polynomial_(*this, x, from_left) : evaluate_sum(x, from_left);
  }

 private:
  static constexpr std::size_t kMostPieces = 16;

  /// All parts of a curve that is more than a polynomial.
  [[gnu::noinline]] LaneInputOf<P> evaluate_sum(const P& x, bool from_left) const {
    LaneInputOf<P> v{P{}, P{}, P{}};
    if (!pieces_.empty()) v = polynomial_(*this, x, from_left);
    for (const Sine& sine : sines_) add_sine(sine, x, from_left, v);
    for (const auto& [lane, curve] : by_itself_) {
      const CurveValue own = curve->evaluate(x[lane], from_left);
      v.f[lane] = own.f;
      v.fd[lane] = own.fd;
      v.fdd[lane] = own.fdd;
    }
    return v;
  }

  struct Piece {
    P from, origin;
    P c[6];
  };
  struct Sine {
    P amplitude, omega, phase, rise, from, to;
  };

  static constexpr double kNever = std::numeric_limits<double>::infinity();
  static Piece no_piece() {
    Piece none{};
    none.from = spread<P>(kNever);
    return none;
  }
  static Sine no_sine() {
    Sine none{};
    none.from = spread<P>(kNever);
    return none;
  }
  static void put(const Curve::Piece& own, int lane, Piece& to) {
    to.from[lane] = own.from;
    to.origin[lane] = own.origin;
    for (std::size_t c = 0; c < own.c.size(); ++c) to.c[c][lane] = own.c[c];
  }
  static void put(const Curve::Sine& own, int lane, Sine& to) {
    to.amplitude[lane] = own.amplitude;
    to.omega[lane] = own.omega;
    to.phase[lane] = own.phase;
    to.rise[lane] = own.rise;
    to.from[lane] = own.from;
    to.to[lane] = own.to;
  }

  /// Of kTerms coefficients; those beyond a piece's degree are zero.
  template <std::size_t kTerms>
  static LaneInputOf<P> evaluate_polynomial(const CurveOfCars& curve, const P& x, bool from_left) {
    const std::vector<Piece>& pieces = curve.pieces_;
    const Piece& first = pieces.front();
    P origin = first.origin;
    P c[kTerms];
    for (std::size_t k = 0; k < kTerms; ++k) c[k] = first.c[k];
    for (std::size_t i = 1; i < pieces.size(); ++i) {
      const Piece& piece = pieces[i];
      const PackMaskOf<P> begun = from_left ? x > piece.from : x >= piece.from;
      origin = select(begun, piece.origin, origin);
      for (std::size_t k = 0; k < kTerms; ++k) c[k] = select(begun, piece.c[k], c[k]);
    }
    const P s = x - origin;
    P f = c[kTerms - 1];
    P fd{};
    P fdd{};
    for (std::size_t k = kTerms - 1; k-- > 0;) {
      fdd = fdd * s + 2.0 * fd;
      fd = fd * s + f;
      f = f * s + c[k];
    }
    return {f, fd, fdd};
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

  struct OwnCurve {
    int lane;
    const Curve* curve;
  };
  std::vector<OwnCurve> by_itself_;
  bool is_polynomial_ = false;  ///< and nothing else
  LaneInputOf<P> (*polynomial_)(const CurveOfCars& curve, const P& x, bool from_left) = nullptr;
  std::vector<Piece> pieces_;
  std::vector<Sine> sines_;
};

}  // namespace semirec
