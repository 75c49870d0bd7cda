#pragma once

#include <optional>
#include <string>

namespace semirec::fmi {

/// Exponents of the base units of FMI that a unit of a channel is made of; its factor is 1, all
/// units here are SI.
struct BaseUnit {
  int kg = 0, m = 0, s = 0, rad = 0;
};

/// Takes a unit apart: `N m`, `m/s^2`, `N s/m`, `1/m`, `1`. Factors stand with blanks between them,
/// all behind a stroke divide. Nothing where it holds a word that is no SI unit of mechanics.
std::optional<BaseUnit> find_base_unit(const std::string& unit);

}  // namespace semirec::fmi
