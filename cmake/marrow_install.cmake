# What `cmake --install` puts where: headers, both kinds of both libraries, the command line, a CMake package
# (find_package(marrow): marrow::marrow, marrow::offline, marrow::marrow_shared, marrow::offline_shared),
# pkg-config files (marrow, marrow-offline) and the documentation. All of it finds itself by relative paths, so
# that the installed tree can be moved.
option(MARROW_INSTALL "Make `cmake --install` install Marrow" ${PROJECT_IS_TOP_LEVEL})
if(NOT MARROW_INSTALL)
  return()
endif()

include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/marrow)

# marrow_pkg_config(NAME DESCRIPTION LIBRARY REQUIRES): NAME.pc
function(marrow_pkg_config name description library requires)
  file(RELATIVE_PATH pc_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  string(REGEX REPLACE "/$" "" pc_prefix "${pc_prefix}")
  set(pc_name ${name})
  set(pc_description ${description})
  set(pc_library ${library})
  set(pc_requires ${requires})
  configure_file(${PROJECT_SOURCE_DIR}/cmake/marrow.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

set(libraries marrow marrow_shared)
marrow_pkg_config(marrow "Skeletal animation at run time" marrow "")
install(DIRECTORY include/marrow DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} PATTERN offline EXCLUDE)

if(MARROW_OFFLINE)
  list(APPEND libraries marrow_offline marrow_offline_shared)
  marrow_pkg_config(marrow-offline "Importers, builders and exporters for Marrow" marrow_offline marrow)
  install(DIRECTORY include/marrow/offline DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/marrow)
endif()
if(TARGET marrow_tool)
  install(TARGETS marrow_tool RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

install(TARGETS ${libraries} EXPORT marrow_targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(EXPORT marrow_targets NAMESPACE marrow:: DESTINATION ${package_folder})
configure_package_config_file(cmake/marrow-config.cmake.in ${PROJECT_BINARY_DIR}/marrow-config.cmake
  INSTALL_DESTINATION ${package_folder} NO_SET_AND_CHECK_MACRO)
# Before version 1 a new minor version may break its users.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/marrow-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/marrow-config.cmake ${PROJECT_BINARY_DIR}/marrow-config-version.cmake
  DESTINATION ${package_folder})

install(FILES LICENSE README.md ARCHITECTURE.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR})
