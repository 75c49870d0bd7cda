#include <cstddef>
#include <vector>

#include <benchmark/benchmark.h>

#include "vehicles/expressions/evaluate_in_time.hpp"
#include "vehicles/expressions/slopes.hpp"

// beside BM_DenseReference26 of bench_step.cpp in the same run

namespace semirec {
namespace {

// twenty operations, as a semi-active damper with end stops writes them
constexpr const char* kTwenty =
    "v*w > 0 ? min(c*w, f)*tanh(v/e) + k*abs(x)*x : sqrt(d^2 + v*v)*sin(x/l) + x";

struct Twenty {
  Twenty() {
    std::vector<char> names(before, 0);
    for (std::size_t k = 0; k < code.names.size(); ++k) {
      values[k] = 0.3 + 0.1 * double(k);
      names[k] = 1;
    }
    path = find_slope_path(code.terms, before, {code.result}, names);
    mark_sloped(path, sloped);
  }
  Expression code = compile_expression(kTwenty);
  std::size_t before = code.names.size() + code.numbers.size();
  std::vector<double> values = std::vector<double>(code.value_count());
  std::vector<double> adjoints = std::vector<double>(code.value_count() + 1);
  std::vector<TermSlopes> slopes = std::vector<TermSlopes>(code.terms.size());
  std::vector<char> sloped = std::vector<char>(code.terms.size(), 0);
  SlopePath path;
};

void BM_expression_value(benchmark::State& bench) {
  Twenty twenty;
  for (auto _ : bench) {
    benchmark::DoNotOptimize(evaluate(twenty.code, twenty.values.data()));
    benchmark::ClobberMemory();
  }
  bench.counters["operations"] = double(twenty.code.terms.size());
}
BENCHMARK(BM_expression_value);

void BM_expression_gradient(benchmark::State& bench) {
  Twenty twenty;
  const std::size_t count = twenty.code.terms.size();
  evaluate(twenty.code, twenty.values.data());  // puts the numbers in their places
  for (auto _ : bench) {
    evaluate_with_slopes(twenty.code.terms, twenty.sloped, 0, count, twenty.before,
                         twenty.values.data(), twenty.slopes.data());
    for (std::size_t k = 0; k < twenty.code.names.size(); ++k) twenty.adjoints[k] = 0.0;
    twenty.adjoints[static_cast<std::size_t>(twenty.code.result)] = 1.0;
    pull_back(twenty.path, twenty.before, twenty.slopes.data(), twenty.adjoints.data());
    benchmark::DoNotOptimize(twenty.adjoints.data());
    benchmark::ClobberMemory();
  }
  bench.counters["operations"] = double(count);
}
BENCHMARK(BM_expression_gradient);

void BM_expression_in_time(benchmark::State& bench) {
  Twenty twenty;
  std::vector<CurveValue> values(twenty.code.value_count());
  for (std::size_t k = 0; k < twenty.code.names.size(); ++k) values[k] = {twenty.values[k], 1.0, 0};
  for (auto _ : bench) {
    benchmark::DoNotOptimize(evaluate_in_time(twenty.code, values.data()));
    benchmark::ClobberMemory();
  }
}
BENCHMARK(BM_expression_in_time);

}  // namespace
}  // namespace semirec
