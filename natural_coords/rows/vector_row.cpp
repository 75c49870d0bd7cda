#include "natural_coords/rows/vector_row.hpp"

#include <cmath>

#include "topology/indices.hpp"

namespace semirec {

namespace {

using Eigen::Vector3d;

CurveValue input_of(const std::vector<CurveValue>& inputs, InputIndex input) {
  return input == kNoInput ? CurveValue{} : inputs[at(input)];
}

/// What is prescribed in a row: its own input and the part of a driven end's way that counts.
CurveValue prescribed(const VectorRow& row, const std::vector<CurveValue>& inputs) {
  CurveValue value = input_of(inputs, row.input);
  if (row.slide_part != 0.0) {
    const CurveValue way = input_of(inputs, row.slide_input);
    value.f += row.slide_part * way.f;
    value.fd += row.slide_part * way.fd;
    value.fdd += row.slide_part * way.fdd;
  }
  return value;
}

/// u shortened by a driven end, with its rates.
struct Driven {
  Vector3d u, ud, udd;
};

}  // namespace

bool is_released(const VectorRow& row, const std::vector<ClosureSwitch>& switches) {
  return row.switch_index >= 0 && !switches[at(row.switch_index)].attached;
}

double evaluate_row(const VectorRow& row, const VectorValues& values,
                    const std::vector<CurveValue>& inputs, RowGradient* gradient) {
  const Vector3d& u = values[at(row.u)];
  const CurveValue input = prescribed(row, inputs);
  switch (row.kind) {
    case VectorRow::Kind::plane:
      if (gradient != nullptr) gradient->u = row.scale * row.direction;
      return row.scale * (row.direction.dot(u) - row.constant - input.f);
    case VectorRow::Kind::product: {
      const Vector3d& v = values[at(row.v)];
      if (gradient != nullptr) {
        gradient->u = row.scale * v;
        gradient->v = row.scale * u;
      }
      return row.scale * (u.dot(v) - row.constant - input.f);
    }
    case VectorRow::Kind::rod: {
      Vector3d d = u;
      const double slid = input_of(inputs, row.slide_input).f;
      if (row.slide >= 0) d -= slid * values[at(row.slide)];
      const double L = row.constant + input.f;
      if (gradient != nullptr) {
        gradient->u = d / row.constant;
        gradient->slide = -slid / row.constant * d;
      }
      return (d.squaredNorm() - L * L) / (2.0 * row.constant);
    }
    case VectorRow::Kind::turn: {
      const double c = std::cos(input.f);
      const double s = std::sin(input.f);
      const Vector3d P = c * values[at(row.w)] - s * values[at(row.v)];
      if (gradient != nullptr) {
        gradient->u = P;
        gradient->w = c * u;
        gradient->v = -s * u;
      }
      return u.dot(P);
    }
  }
  return 0.0;
}

RowRates evaluate_row_rates(const VectorRow& row, const VectorValues& values,
                            const VectorValues& rates, const VectorValues& seconds,
                            const std::vector<CurveValue>& inputs) {
  const Vector3d& u = values[at(row.u)];
  const Vector3d& ud = rates[at(row.u)];
  const Vector3d& udd = seconds[at(row.u)];
  const CurveValue input = prescribed(row, inputs);
  RowRates result;
  switch (row.kind) {
    case VectorRow::Kind::plane:
      result.Phid = row.scale * (row.direction.dot(ud) - input.fd);
      result.Phidd = row.scale * (row.direction.dot(udd) - input.fdd);
      break;
    case VectorRow::Kind::product: {
      const auto v = at(row.v);
      result.Phid = row.scale * (ud.dot(values[v]) + u.dot(rates[v]) - input.fd);
      result.Phidd =
          row.scale * (udd.dot(values[v]) + 2.0 * ud.dot(rates[v]) + u.dot(seconds[v]) - input.fdd);
      break;
    }
    case VectorRow::Kind::rod: {
      Driven d{u, ud, udd};
      if (row.slide >= 0) {
        const auto s = at(row.slide);
        const CurveValue f = input_of(inputs, row.slide_input);
        d.u -= f.f * values[s];
        d.ud -= f.f * rates[s] + f.fd * values[s];
        d.udd -= f.f * seconds[s] + 2.0 * f.fd * rates[s] + f.fdd * values[s];
      }
      const double L = row.constant + input.f;
      result.Phid = (d.u.dot(d.ud) - L * input.fd) / row.constant;
      result.Phidd =
          (d.u.dot(d.udd) + d.ud.dot(d.ud) - input.fd * input.fd - L * input.fdd) / row.constant;
      break;
    }
    case VectorRow::Kind::turn: {
      const auto v = at(row.v);
      const auto w = at(row.w);
      const double c = std::cos(input.f);
      const double s = std::sin(input.f);
      // P turns with the prescribed motion's angle; N is its rate for a unit rate of the angle,
      // reversed
      const Vector3d P = c * values[w] - s * values[v];
      const Vector3d Pd = c * rates[w] - s * rates[v];
      const Vector3d N = s * values[w] + c * values[v];
      const Vector3d Nd = s * rates[w] + c * rates[v];
      result.Phid = ud.dot(P) + u.dot(Pd) - input.fd * u.dot(N);
      result.Phidd = udd.dot(P) + 2.0 * ud.dot(Pd) + u.dot(c * seconds[w] - s * seconds[v]) -
                     2.0 * input.fd * (ud.dot(N) + u.dot(Nd)) - input.fdd * u.dot(N) -
                     input.fd * input.fd * u.dot(P);
      break;
    }
  }
  return result;
}

void evaluate_gradient_rates(const VectorRow& row, const VectorValues& values,
                             const VectorValues& rates, const std::vector<CurveValue>& inputs,
                             RowGradient& result) {
  const Vector3d& u = values[at(row.u)];
  const Vector3d& ud = rates[at(row.u)];
  switch (row.kind) {
    case VectorRow::Kind::plane:
      result.u.setZero();
      break;
    case VectorRow::Kind::product:
      result.u = row.scale * rates[at(row.v)];
      result.v = row.scale * ud;
      break;
    case VectorRow::Kind::rod: {
      Vector3d d = u;
      Vector3d dd = ud;
      const CurveValue slid = input_of(inputs, row.slide_input);
      if (row.slide >= 0) {
        const auto s = at(row.slide);
        d -= slid.f * values[s];
        dd -= slid.f * rates[s] + slid.fd * values[s];
      }
      result.u = dd / row.constant;
      result.slide = (slid.fd * d + slid.f * dd) / -row.constant;
      break;
    }
    case VectorRow::Kind::turn: {
      const auto v = at(row.v);
      const auto w = at(row.w);
      const CurveValue input = prescribed(row, inputs);
      const double c = std::cos(input.f);
      const double s = std::sin(input.f);
      result.u = c * rates[w] - s * rates[v] - input.fd * (s * values[w] + c * values[v]);
      result.w = c * ud - input.fd * s * u;
      result.v = -s * ud - input.fd * c * u;
      break;
    }
  }
}

RowSecond second_derivatives_of(const VectorRow& row, const std::vector<CurveValue>& inputs) {
  RowSecond second;
  const auto add = [&](int i, int j, double factor) {
    if (factor != 0.0) second.terms[at(second.count++)] = {i, j, factor};
  };
  switch (row.kind) {
    case VectorRow::Kind::plane:
      break;
    case VectorRow::Kind::product:
      add(row.u, row.v, row.scale);
      break;
    case VectorRow::Kind::rod: {
      add(row.u, row.u, 1.0 / row.constant);
      if (row.slide < 0) break;
      const double slid = input_of(inputs, row.slide_input).f;
      add(row.u, row.slide, -slid / row.constant);
      add(row.slide, row.slide, slid * slid / row.constant);
      break;
    }
    case VectorRow::Kind::turn: {
      const double f = prescribed(row, inputs).f;
      add(row.u, row.w, std::cos(f));
      add(row.u, row.v, -std::sin(f));
      break;
    }
  }
  return second;
}

}  // namespace semirec
