#pragma once

#include <cstring>
#include <vector>

#include "integrator/state_members.hpp"

namespace semirec::test {

/// All numbers of a state, sizes of lists included.
inline std::vector<double> numbers_of(const State& state) {
  std::vector<double> all;
  const auto put = [&](const auto&... numbers) {
    (all.push_back(static_cast<double>(numbers)), ...);
  };
  const auto put_matrix = [&](const auto& matrix) {
    for (const double number : matrix.reshaped()) all.push_back(number);
  };
  struct Visitor {
    decltype(put)& one;
    decltype(put_matrix)& many;
    void operator()(double number) const { one(number); }
    void operator()(const Eigen::VectorXd& numbers) const {
      one(numbers.size());
      many(numbers);
    }
    void operator()(const Eigen::Vector3d& numbers) const { many(numbers); }
    void operator()(const std::vector<Quaternion>& list) const {
      one(list.size());
      for (const Quaternion& A0 : list) many(A0.coeffs());
    }
    void operator()(const std::vector<ClosureSwitch>& list) const {
      one(list.size());
      for (const ClosureSwitch& change : list) {
        one(change.attached);
        many(change.X_CF.A);
        many(change.X_CF.p);
      }
    }
    void operator()(const std::vector<LiveInput>& list) const {
      one(list.size());
      for (const LiveInput& input : list)
        one(input.given, input.value.f, input.value.fd, input.value.fdd);
    }
    void operator()(const std::vector<int>& list) const {
      one(list.size());
      for (const int number : list) one(number);
    }
  };
  visit(state, Visitor{put, put_matrix});
  return all;
}

/// Whether two states are the same, bit for bit.
inline bool same_bits(const State& a, const State& b) {
  const std::vector<double> left = numbers_of(a);
  const std::vector<double> right = numbers_of(b);
  return left.size() == right.size() &&
         std::memcmp(left.data(), right.data(), left.size() * sizeof(double)) == 0;
}

}  // namespace semirec::test
