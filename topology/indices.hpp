#pragma once

#include <cstddef>

namespace semirec {

/// Index of a body in Mechanism::bodies; kGround stands for the fixed world.
using BodyIndex = int;
/// Index of a joint in Mechanism::joints.
using JointIndex = int;
/// Index of an input signal in Mechanism::inputs; kNoInput where none is used.
using InputIndex = int;
/// Index of a body in the sweeping order of a SpanningTree: 0 is the ground, parents come first.
using TreeIndex = int;

inline constexpr BodyIndex kGround = -1;
inline constexpr InputIndex kNoInput = -1;

/// The index as containers count; it is not negative.
constexpr std::size_t at(std::ptrdiff_t index) { return static_cast<std::size_t>(index); }

}  // namespace semirec
