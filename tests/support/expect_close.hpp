#pragma once

#include <source_location>
#include <string>

#include <Eigen/Core>
#include <gtest/gtest.h>

#include "tests/support/difference.hpp"

namespace semirec::test {

/// Expects no difference().
template <class Actual, class Expected>
void expect_close(const Eigen::MatrixBase<Actual>& actual,
                  const Eigen::MatrixBase<Expected>& expected, double relative, double absolute,
                  const std::source_location& where = std::source_location::current()) {
  const std::string words = difference(actual, expected, relative, absolute);
  if (!words.empty()) ADD_FAILURE_AT(where.file_name(), static_cast<int>(where.line())) << words;
}

/// The same for one number.
inline void expect_close(double actual, double expected, double relative, double absolute,
                         const std::source_location& where = std::source_location::current()) {
  using One = Eigen::Matrix<double, 1, 1>;
  expect_close(One(actual), One(expected), relative, absolute, where);
}

}  // namespace semirec::test
