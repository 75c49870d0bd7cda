#pragma once

#include <cstddef>
#include <cstdint>

#include "vehicles/session/session.hpp"

namespace semirec {

/// A session's memory as bytes. Every word has 8 bytes, the least significant first; numbers are
/// IEEE 754 doubles, flags and counts whole numbers.
///   "semirec\0", version of this layout, fingerprint of the drive
///   members of State in the order of visit(): rotations (w, x, y, z each), switches (flag, A by
///   columns, p), live inputs (flag, f, fd, fdd), number of independent coordinates and n words
///   coming inputs as live ones; watched conditions (number, flag); timed events that happened
///   FNV-1a of all bytes before
/// There is no padding, and the sizes of the lists are the model's.
std::size_t saved_session_size(const SessionMemory& memory) noexcept;

void write_session(const SessionMemory& memory, std::uint64_t fingerprint, std::byte* out) noexcept;

/// Fills `memory`, which has the model's sizes and capacities; of no use unless restored. No heap
/// use. `timed_events` is the number that the scenario has.
RestoreStatus read_session(const std::byte* in, std::size_t size, std::uint64_t fingerprint,
                           std::uint64_t timed_events, SessionMemory& memory) noexcept;

}  // namespace semirec
