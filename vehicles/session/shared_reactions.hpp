#pragma once

#include <string>
#include <vector>

#include "topology/mechanism.hpp"
#include "vehicles/session/drive.hpp"

namespace semirec {

/// A line about those of the named joints and constraints whose reactions the equations of rigid
/// bodies leave open: where joints hold more than the motion needs, as two hinges of a door do,
/// loads may be shared among them in many ways. Found as rows of all joints between free bodies
/// that depend on others at the positions that the file writes: as it begins there, and with each
/// set of `attached_later`. Empty where there is none. Off-line: allocates.
std::string describe_shared_reactions(
    const Mechanism& mechanism, const std::vector<std::string>& names,
    const std::vector<std::vector<std::string>>& attached_later = {});

/// Joints and constraints of which a drive asks a reaction: for its results, or for an event.
std::vector<std::string> find_asked_reactions(const Drive& drive);
/// Those that each of its events attaches.
std::vector<std::vector<std::string>> find_attached_later(const Drive& drive);

}  // namespace semirec
