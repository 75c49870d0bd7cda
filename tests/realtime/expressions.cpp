#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/heap_guard.hpp"
#include "vehicles/expressions/evaluate_in_time.hpp"
#include "vehicles/expressions/slopes.hpp"
#include "vehicles/expressions/table.hpp"

namespace semirec::test {
namespace {

TEST(Expressions, TakeNoHeapWithSlopesAndTables) {
  if (!HeapGuard::works()) GTEST_SKIP() << "nothing is counted in this build";
  std::vector<std::pair<double, double>> points;
  std::vector<double> x, f;
  for (int k = 0; k < 40; ++k) {
    points.emplace_back(k, k * k);
    x.push_back(k);
    for (int j = 0; j < 40; ++j) f.push_back(k * j);
  }
  const std::vector<NamedTable> tables{
      {"line", std::make_shared<LookUpTable>(table_curve(points, true, true))},
      {"plane", std::make_shared<LookUpTable>(Surface(x, x, f, true))}};
  const Expression code = compile_expression(
      "x > y ? plane(x, y)*tanh(x) : sqrt(line(x)^2 + y^1.5) - atan2(x, y)", tables);
  const std::size_t before = code.names.size() + code.numbers.size();
  std::vector<double> values(code.value_count(), 2.5), adjoints(code.value_count() + 1);
  std::vector<TermSlopes> slopes(code.terms.size());
  const std::vector<char> all(code.terms.size(), 1);
  const SlopePath path =
      find_slope_path(code.terms, before, {code.result}, std::vector<char>(before, 1));
  std::vector<CurveValue> times(code.value_count(), {2.5, 1.0, 0.5});

  const HeapGuard guard;
  double sum = 0.0;
  for (int k = 0; k < 100; ++k) {
    values[0] = times[0].f = 0.1 * k;
    sum += evaluate(code, values.data());
    evaluate_with_slopes(code.terms, all, 0, code.terms.size(), before, values.data(),
                         slopes.data(), code.tables);
    adjoints[static_cast<std::size_t>(code.result)] = 1.0;
    pull_back(path, before, slopes.data(), adjoints.data());
    sum += evaluate_in_time(code, times.data()).fdd;
  }
  const long calls = guard.calls();
  EXPECT_EQ(calls, 0);
  EXPECT_TRUE(std::isfinite(sum + adjoints[0]));
}

}  // namespace
}  // namespace semirec::test
