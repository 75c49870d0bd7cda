#pragma once

#include <array>
#include <memory>
#include <utility>
#include <vector>

namespace semirec {

class Fingerprint;

/// Value of a curve and its first two derivatives.
struct CurveValue {
  double f = 0.0;    ///< value
  double fd = 0.0;   ///< first derivative
  double fdd = 0.0;  ///< second derivative
};

/// A function of one scalar that a curve takes from elsewhere: an expression of time.
class CurveFunction {
 public:
  virtual ~CurveFunction() = default;
  /// Value and derivatives at x. No heap use; may be called by several threads at once.
  virtual CurveValue evaluate(double x) const = 0;
  /// Puts what it is made of into a hash.
  virtual void put_into(Fingerprint& fingerprint) const = 0;

 protected:
  CurveFunction() = default;
  CurveFunction(const CurveFunction&) = default;
  CurveFunction(CurveFunction&&) = default;
  CurveFunction& operator=(const CurveFunction&) = default;
  CurveFunction& operator=(CurveFunction&&) = default;
};

/// A scalar function of one scalar: spring and damper laws, inputs over time, road profiles.
///
/// f(x) = P(x) + sum of windowed sines + g(x), where P is a piecewise polynomial, right-continuous
/// at its breakpoints (a table may repeat an x: the later value holds from there on), and g a
/// function from elsewhere, if there is one.
///   piece    P(x) = sum_k c_k (x - origin)^k,  k = 0..5, from `from` up to the next piece
///   sine     amplitude sin(omega x + phase) w(x - from)  on  from <= x < to,
///            w(x) = (1 - cos(pi x / rise)) / 2 for x < rise, 1 after: a soft start
/// Before the first piece the first polynomial holds, after the last the last one.
/// Units are those of the user: metres to newtons, seconds to metres, ...
/// Cost: a search of the pieces and one Horner sweep; evaluation never allocates.
class Curve {
 public:
  struct Piece {
    double from = 0.0;
    double origin = 0.0;
    std::array<double, 6> c{};
    double area = 0.0;  ///< antiderivative accumulated up to `from`
    int degree = 0;     ///< highest power whose coefficient is not zero
  };
  struct Sine {
    double amplitude = 0.0;
    double omega = 0.0;
    double phase = 0.0;
    double rise = 0.0;
    double from = -1e300;
    double to = 1e300;
  };

  Curve() = default;
  static Curve constant(double value);
  /// slope * (x - zero)
  static Curve linear(double slope, double zero = 0.0);
  /// Straight lines between points (x ascending, repeats allowed); the end values hold outside, or
  /// the end slopes when `extrapolate`. Throws std::invalid_argument on fewer than one point or on
  /// a descending x.
  static Curve table(const std::vector<std::pair<double, double>>& points,
                     bool extrapolate = false);
  /// Cubic Hermite through points: value and slope are continuous. Slopes at the points are those
  /// of smooth_slope(), which keep level what is level; at the ends those of the lines there.
  /// Outside, the end values hold, or the end slopes when `extrapolate`. Of fewer than three points
  /// it is table(). Throws std::invalid_argument as that.
  static Curve smooth_table(const std::vector<std::pair<double, double>>& points,
                            bool extrapolate = false);

  /// Adds a polynomial piece in powers of (x - origin); pieces must be added in ascending `from`.
  void add_piece(double from, double origin, const std::array<double, 6>& c);
  void add_sine(const Sine& sine);
  /// Sets the function from elsewhere; the curve shares it with its copies.
  void set_function(std::shared_ptr<const CurveFunction> function);

  /// Value and derivatives at x; where they jump, those from there on, or with `from_left` those up
  /// to it.
  CurveValue evaluate(double x, bool from_left = false) const {
    return is_line_ ? line_at(x) : add_up_at(x, from_left);
  }
  double value(double x) const { return evaluate(x).f; }
  /// Antiderivative of the polynomial part, zero at the first breakpoint: the potential of a spring
  /// law. Needs a curve without sines and without a function from elsewhere.
  double integral(double x) const;

  bool is_zero() const { return pieces_.empty() && sines_.empty() && function_ == nullptr; }
  /// Whether it is the same everywhere as far as its parts show it.
  bool is_constant() const;
  /// x of the places where a derivative of the curve jumps; those of the function from elsewhere
  /// are not known.
  std::vector<double> breakpoints() const;
  const std::vector<Piece>& pieces() const { return pieces_; }
  const std::vector<Sine>& sines() const { return sines_; }
  const CurveFunction* function() const { return function_.get(); }

 private:
  const Piece& piece_at(double x, bool from_left) const;
  /// Of one straight line, as most springs and dampers are.
  CurveValue line_at(double x) const {
    const Piece& line = pieces_.front();
    return {line.c[1] * (x - line.origin) + line.c[0], line.c[1], 0.0};
  }
  /// Of any parts.
  CurveValue add_up_at(double x, bool from_left) const;
  void look_for_line();

  bool is_line_ = false;
  std::vector<Piece> pieces_;
  std::vector<double> starts_;  ///< `from` of all pieces but the first
  std::vector<Sine> sines_;
  std::shared_ptr<const CurveFunction> function_;
};

}  // namespace semirec
