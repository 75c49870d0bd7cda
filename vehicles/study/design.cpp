#include "vehicles/study/design.hpp"

#include <array>
#include <cmath>
#include <numeric>

#include "vehicles/files/xml/numbers.hpp"
#include "vehicles/study/distribution.hpp"

namespace semirec {

namespace {

constexpr std::array<unsigned, 16> kPrimes{2,  3,  5,  7,  11, 13, 17, 19,
                                           23, 29, 31, 37, 41, 43, 47, 53};

/// A shuffled 0 ... count - 1.
std::vector<std::size_t> find_order(std::size_t count, std::uint64_t seed, std::uint64_t stream) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = count - 1; i > 0; --i) {
    const auto j = static_cast<std::size_t>(chance(seed, stream, i) * static_cast<double>(i + 1));
    std::swap(order[i], order[j]);
  }
  return order;
}

void fill_grid(const Study& study, Design& design) {
  for (std::size_t i = 0; i < study.count; ++i) {
    std::size_t rest = i;
    for (std::size_t k = study.varied.size(); k-- > 0;) {
      const std::vector<double>& levels = study.varied[k].levels;
      design.values[i][k] = levels[rest % levels.size()];
      rest /= levels.size();
    }
  }
}

void fill_sample(const Study& study, Design& design) {
  const auto count = static_cast<double>(study.count);
  for (std::size_t k = 0; k < study.varied.size(); ++k) {
    std::vector<std::size_t> order;
    if (study.method == SampleMethod::latin) order = find_order(study.count, study.seed, 2 * k + 1);
    for (std::size_t i = 0; i < study.count; ++i) {
      double u = 0.0;
      if (study.method == SampleMethod::halton)
        u = mirrored_digits(i + 1, kPrimes.at(k));
      else
        u = chance(study.seed, 2 * k, i);
      if (study.method == SampleMethod::latin) u = (static_cast<double>(order[i]) + u) / count;
      design.values[i][k] = quantile(study.varied[k], u);
    }
  }
}

}  // namespace

Design make_design(const Study& study) {
  Design design;
  design.values.assign(study.count, std::vector<double>(study.varied.size(), 0.0));
  if (study.grid)
    fill_grid(study, design);
  else
    fill_sample(study, design);
  return design;
}

std::string exact_text(double value) {
  if (std::isnan(value)) return "nan";
  return shortest_digits(value);
}

std::string value_text(const Vary& vary, double value) {
  if (vary.words.empty()) return exact_text(value);
  return vary.words.at(static_cast<std::size_t>(value));
}

std::vector<Override> overrides_of(const Study& study, const std::vector<double>& values) {
  std::vector<Override> overrides;
  for (std::size_t k = 0; k < study.varied.size(); ++k) {
    const Vary& vary = study.varied[k];
    const std::string value = (vary.factor ? "*" : "") + value_text(vary, values[k]);
    for (const std::string& element : vary.elements)
      overrides.push_back({element, vary.attribute, value, vary.source});
  }
  return overrides;
}

}  // namespace semirec
