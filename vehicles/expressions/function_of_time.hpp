#pragma once

#include "topology/curve.hpp"
#include "vehicles/expressions/expression.hpp"

namespace semirec {

/// An expression of `time` (s), numbers and tables as a part of a curve, with its exact first and
/// second derivatives (evaluate_in_time()): what prescribed motions follow. Corners are no
/// breakpoints of the curve: no step ends there.
class FunctionOfTime final : public CurveFunction {
 public:
  /// Names, numbers and operations at most: those of an evaluation stand on the stack.
  static constexpr std::size_t kMostValues = 200;

  /// Throws std::invalid_argument, as `uses 'speed', expected ...`, where the expression has
  /// another name than `time` or more than kMostValues values.
  explicit FunctionOfTime(Expression expression);

  CurveValue evaluate(double time) const override;
  void put_into(Fingerprint& fingerprint) const override;

 private:
  Expression expression_;
};

}  // namespace semirec
