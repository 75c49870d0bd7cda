#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "integrator/formulation/tangent_pattern.hpp"

namespace semirec {

class FormulationModel;
struct Model;

/// What the equations of motion are written in, and how the loops are closed: a line of the table
/// in formulation.cpp. Those that have a name in the code:
///   hybrid       relative coordinates by recursive accumulation; loops by the index-3 augmented
///                Lagrangian in natural coordinates at the cuts ([H03] section 3)
///   global       natural coordinates of all bodies, constant mass matrix; the same augmented
///                Lagrangian for rigid bodies and joints ([H03] section 2, first method)
///   topological  relative coordinates, second velocity projection onto independent ones ([H03]
///                section 2, second method)
///   recursive    relative coordinates, articulated inertias from tips to base (order n), loops by
///                their multipliers, fixed-point iteration ([H03] section 4.4, fourth method)
///   cartesian    centre of mass and Euler parameters of every body; the augmented Lagrangian for
///                the parameters' unit length and all joints ([EP])
enum class Formulation : int { hybrid, global, topological, recursive, cartesian };

/// All lines of the table.
std::vector<Formulation> all_formulations();
/// `hybrid`, ...
const char* name_of(Formulation formulation);
/// The formulation of this name; empty where no line of the table bears it.
std::optional<Formulation> find_formulation(const std::string& name);
/// `hybrid, global, ... or cartesian`: the names of all, for messages.
std::string formulation_names();

/// Lays the tangent of `model` out for the formulation and returns what evaluates it. The model
/// has everything else; a formulation in other than relative coordinates changes its tree.
std::shared_ptr<const FormulationModel> make_formulation(Formulation formulation, Model& model,
                                                         TangentChoice tangent);

}  // namespace semirec
