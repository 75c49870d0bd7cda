#include "apps/fmi/unit.hpp"

#include <array>
#include <charconv>
#include <string_view>

namespace semirec::fmi {

namespace {

struct Named {
  std::string_view name;
  BaseUnit unit;
};
constexpr std::array kNamed{
    Named{"1", {}},
    Named{"kg", {1, 0, 0, 0}},
    Named{"m", {0, 1, 0, 0}},
    Named{"s", {0, 0, 1, 0}},
    Named{"rad", {0, 0, 0, 1}},
    Named{"N", {1, 1, -2, 0}},
    Named{"J", {1, 2, -2, 0}},
    Named{"W", {1, 2, -3, 0}},
    Named{"Pa", {1, -1, -2, 0}},
    Named{"Hz", {0, 0, -1, 0}},
};

/// One factor such as `s^2`, times `sign` into `sum`. False where it is none.
bool add_factor(std::string_view factor, int sign, BaseUnit& sum) {
  int exponent = 1;
  if (const std::size_t hat = factor.find('^'); hat != std::string_view::npos) {
    const std::string_view power = factor.substr(hat + 1);
    const auto [end, error] = std::from_chars(power.data(), power.data() + power.size(), exponent);
    if (error != std::errc() || end != power.data() + power.size()) return false;
    factor = factor.substr(0, hat);
  }
  for (const auto& [name, unit] : kNamed) {
    if (name != factor) continue;
    sum.kg += sign * exponent * unit.kg;
    sum.m += sign * exponent * unit.m;
    sum.s += sign * exponent * unit.s;
    sum.rad += sign * exponent * unit.rad;
    return true;
  }
  return false;
}

}  // namespace

std::optional<BaseUnit> find_base_unit(const std::string& unit) {
  BaseUnit sum;
  int sign = 1;
  std::string_view rest = unit;
  while (true) {
    const std::size_t end = rest.find_first_of(" /");
    if (!add_factor(rest.substr(0, end), sign, sum)) return std::nullopt;
    if (end == std::string_view::npos) return sum;
    if (rest[end] == '/') sign = -1;
    rest.remove_prefix(end + 1);
  }
}

}  // namespace semirec::fmi
