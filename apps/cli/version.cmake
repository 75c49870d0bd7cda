# Writes OUTPUT, a source that names the commit of SOURCE; untouched where it says the same already. Run at each build.
#   cmake -DSOURCE=DIR -DOUTPUT=FILE -P version.cmake
set(commit "unknown: built without git")
find_program(git git)
if(git)
  execute_process(COMMAND "${git}" -C "${SOURCE}" rev-parse --show-toplevel
                  OUTPUT_VARIABLE top OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  file(REAL_PATH "${SOURCE}" source)
  # a tree that was unpacked inside of somebody's repository is none of its commits
  if(top AND top STREQUAL source)
    execute_process(COMMAND "${git}" -C "${SOURCE}" rev-parse --short=12 HEAD
                    OUTPUT_VARIABLE hash OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
    if(NOT failed)
      set(commit "${hash}")
      execute_process(COMMAND "${git}" --no-optional-locks -C "${SOURCE}" status --porcelain --untracked-files=no
                      OUTPUT_VARIABLE changed ERROR_QUIET)
      if(changed)
        string(APPEND commit " with changes")
      endif()
    endif()
  endif()
endif()
file(CONFIGURE OUTPUT "${OUTPUT}" @ONLY CONTENT [[
#include "apps/cli/version.hpp"

namespace semirec::cli {
const char* const kCommit = "@commit@";
}
]])
