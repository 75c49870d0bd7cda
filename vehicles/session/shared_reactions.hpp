#pragma once

#include <map>
#include <string>
#include <vector>

#include "topology/mechanism.hpp"
#include "vehicles/session/drive.hpp"

namespace semirec {

/// Joints and constraints by name: attached, or released; others are as the file writes.
using AttachedParts = std::map<std::string, bool>;

/// A line about those of the named joints and constraints whose reactions the equations of rigid
/// bodies leave open: where joints hold more than the motion needs, as two hinges of a door do,
/// loads may be shared among them in many ways. Found as rows of all joints between free bodies
/// that depend on others at the positions that the file writes: as it begins there, and as each of
/// `later` has it. Empty where there is none. Off-line: allocates.
std::string describe_shared_reactions(const Mechanism& mechanism,
                                      const std::vector<std::string>& names,
                                      const std::vector<AttachedParts>& later = {});

/// Joints and constraints of which a drive asks a reaction: for its results, or for an event.
std::vector<std::string> find_asked_reactions(const Drive& drive);
/// What its events make of the mechanism: those by time one after the other, up to the run's end,
/// each of the others from between these, and all that the others attach at once.
std::vector<AttachedParts> find_later_attachments(const Drive& drive);

}  // namespace semirec
