#pragma once

namespace semirec::fmi {

/// What must go with the library wherever it goes: semirec's licence and those of the parts of
/// others that are compiled in.
extern const char* const kLicences;

}  // namespace semirec::fmi
