#pragma once

#include <array>
#include <optional>
#include <string>

namespace semirec {

/// What the equations of motion are written in, and how the loops are closed.
///   hybrid       relative coordinates by recursive accumulation; loops by the index-3 augmented
///                Lagrangian in natural coordinates at the cuts ([H03] section 3)
///   global       natural coordinates of all bodies, constant mass matrix; the same augmented
///                Lagrangian for rigid bodies and joints ([H03] section 2, first method)
///   topological  relative coordinates, second velocity projection onto independent ones ([H03]
///                section 2, second method)
///   recursive    relative coordinates, articulated inertias from tips to base (order n), loops by
///                their multipliers, fixed-point iteration ([H03] section 4.4, fourth method)
enum class Formulation { hybrid, global, topological, recursive };

inline constexpr std::array kFormulations{Formulation::hybrid, Formulation::global,
                                          Formulation::topological, Formulation::recursive};

/// `hybrid`, ...
const char* name_of(Formulation formulation);
/// The reverse; empty for a name that is none.
std::optional<Formulation> find_formulation(const std::string& name);

}  // namespace semirec
