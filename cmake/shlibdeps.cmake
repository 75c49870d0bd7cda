# What the package of Debian depends on: dpkg-shlibdeps over the binaries that are installed. cpack's own way asks two new
# processes for each file of the package what it is, headers and models included, which took most of the time of packing.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
set(folder "${CPACK_PACKAGE_DIRECTORY}/_shlibdeps")
file(WRITE "${folder}/debian/control" "Source: semirec\n\nPackage: semirec\nArchitecture: any\n")
# the first of these four is the build folder
list(GET CPACK_INSTALL_CMAKE_PROJECTS 0 build)
file(GLOB binaries "${build}/bin/semirec" "${build}/lib/libsemirec*.so" "${build}/python/semirec/_core*.so")
execute_process(COMMAND dpkg-shlibdeps -O "-l${build}/lib" ${binaries}
                WORKING_DIRECTORY "${folder}" OUTPUT_VARIABLE answer ERROR_VARIABLE trouble RESULT_VARIABLE status)
file(REMOVE_RECURSE "${folder}")
if(NOT binaries OR NOT status EQUAL 0 OR NOT answer MATCHES "shlibs:Depends=([^\n]+)")
  message(FATAL_ERROR "dpkg-shlibdeps does not say what the package depends on: ${trouble}")
endif()
set(CPACK_DEBIAN_PACKAGE_DEPENDS "${CMAKE_MATCH_1}")
