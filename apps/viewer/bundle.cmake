# Makes OUTPUT, a .cpp, from the sources of the page; run by the build (cmake -P). Nothing is written into the source tree.
#   SOURCE   apps/viewer
#   BUILD    folder to work in: copies, packages, bundle
#   OUTPUT   the .cpp
#   NODE, NPM   the programs
#   WITHOUT  why there can be no page, where that is known already
#   TESTS    true: also the packages of the browser tests
# Where the packages cannot be had, OUTPUT says that there is no page, in a program that is complete without.
cmake_minimum_required(VERSION 3.25)

function(without_page why)
  message("viewer: built without pages: ${why}; to try again: delete ${OUTPUT} and build")
  configure_file("${SOURCE}/no_page.cpp" "${OUTPUT}" COPYONLY)
  file(TOUCH "${OUTPUT}")
endfunction()

if(WITHOUT)
  without_page("${WITHOUT}")
  return()
endif()

file(MAKE_DIRECTORY "${BUILD}")
file(COPY "${SOURCE}/package.json" "${SOURCE}/package-lock.json" "${SOURCE}/.npmrc" "${SOURCE}/bundle.mjs" "${SOURCE}/tsconfig.json"
     DESTINATION "${BUILD}")
file(REMOVE_RECURSE "${BUILD}/src")
file(COPY "${SOURCE}/src" DESTINATION "${BUILD}")

# packages, anew only where the lock file has changed
set(omit --omit=dev)
if(TESTS)
  set(omit)
endif()
file(SHA256 "${SOURCE}/package-lock.json" wanted)
string(APPEND wanted " ${omit}")
set(stamp "${BUILD}/installed.txt")
set(installed "")
if(EXISTS "${stamp}")
  file(READ "${stamp}" installed)
endif()
if(NOT installed STREQUAL wanted)
  # a registry that is away is given up soon; packages with scripts of their own work without them
  execute_process(COMMAND "${NPM}" ci ${omit} --ignore-scripts --prefer-offline --loglevel=error --fetch-retries=1
                          --fetch-retry-mintimeout=1000
                          --fetch-retry-maxtimeout=5000 --fetch-timeout=30000
                  WORKING_DIRECTORY "${BUILD}" TIMEOUT 300
                  RESULT_VARIABLE failed OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(failed)
    string(REGEX MATCH "npm error [^\n]*" line "${said}")
    without_page("npm ci failed: ${failed}, ${line}")
    return()
  endif()
  file(WRITE "${stamp}" "${wanted}")
endif()

execute_process(COMMAND "${NODE}" bundle.mjs --out bundle --cpp "${OUTPUT}"
                WORKING_DIRECTORY "${BUILD}" RESULT_VARIABLE failed OUTPUT_QUIET ERROR_VARIABLE said)
if(failed)
  message(FATAL_ERROR "viewer: the page could not be bundled:\n${said}")
endif()
