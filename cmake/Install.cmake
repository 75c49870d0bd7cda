# What an outside project finds: find_package(semirec), semirec::<room>, semirec::c, the program, schemas, models,
# scenarios and manoeuvres.
include(CMakePackageConfigHelpers)
set(config_dir "${CMAKE_INSTALL_LIBDIR}/cmake/semirec")
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/semirecConfig.cmake.in"
                              "${PROJECT_BINARY_DIR}/semirecConfig.cmake"
                              INSTALL_DESTINATION "${config_dir}"
                              PATH_VARS CMAKE_INSTALL_DATADIR)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/semirecConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(EXPORT semirecTargets NAMESPACE semirec:: DESTINATION "${config_dir}")
install(EXPORT semirecCTargets NAMESPACE semirec:: DESTINATION "${config_dir}")
install(FILES "${PROJECT_BINARY_DIR}/semirecConfig.cmake" "${PROJECT_BINARY_DIR}/semirecConfigVersion.cmake"
              "${CMAKE_CURRENT_LIST_DIR}/FindCHOLMOD.cmake"
        DESTINATION "${config_dir}")
foreach(folder schema models scenarios manoeuvres studies)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/vehicles/${folder}" DESTINATION "${CMAKE_INSTALL_DATADIR}/semirec" OPTIONAL)
endforeach()
