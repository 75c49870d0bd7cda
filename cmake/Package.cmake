# cpack -G DEB, cpack -G TGZ: what cmake --install puts below a prefix, as a package of Debian or a folder that runs from any
# place. Whatever is built is packed: build everything first (scripts/build).
set(CPACK_PACKAGE_NAME semirec)
set(CPACK_PACKAGE_VENDOR "semirec developers")
set(CPACK_PACKAGE_CONTACT "semirec developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "dynamics of whole vehicles, in real time")
set(CPACK_PACKAGE_DESCRIPTION_FILE "${CMAKE_CURRENT_LIST_DIR}/package_description.txt")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_GENERATOR DEB TGZ)

# libraries that its binaries need, with their versions, by dpkg-shlibdeps; the module for Python and the headers work
# where the rest of what they need is installed
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_PROJECT_CONFIG_FILE "${CMAKE_CURRENT_LIST_DIR}/shlibdeps.cmake")
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3, python3-numpy, gnuplot-nox, libeigen3-dev, libsuitesparse-dev, libtinyxml2-dev")

install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${CMAKE_CURRENT_LIST_DIR}/copyright"
        "${CMAKE_CURRENT_LIST_DIR}/licences_of_others.txt" DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/semirec")
include(CPack)
