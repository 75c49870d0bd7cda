#pragma once

#include <string>

namespace semirec::cli {

/// What `semirec --version` prints: name and number (kVersion) in the first line, then commit,
/// compiler, instruction set, and what is built in, a line each.
std::string version_text();

// Written by the build (version.cmake, CMakeLists.txt): sources of a line each, so that another
// commit compiles nothing else.

/// Of the tree when the program was built; ` with changes` where it had some. Words that say so
/// where there was no git.
extern const char* const kCommit;
extern const char* const kCompiler;      ///< `GNU 12.2.0, Release`
extern const char* const kArchitecture;  ///< what -march was given; empty: the compiler's default
extern const char* const kLibraries;     ///< names with their numbers
extern const bool kHasRanks;             ///< MPI
extern const bool kHasPython;            ///< the Python module is built beside the program

}  // namespace semirec::cli
