# Reads STAGES, so that the build, the layer test and the documentation share one list.

# marrow_stage_sources(OUT REGEX): the .c files of the stages whose folder matches.
function(marrow_stage_sources out regex)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/STAGES)
  file(STRINGS ${CMAKE_CURRENT_SOURCE_DIR}/STAGES lines REGEX "^[a-z]")
  set(sources)
  foreach(line IN LISTS lines)
    string(REGEX REPLACE " *\\|.*$" "" folder "${line}")
    if(folder MATCHES "${regex}")
      file(GLOB found CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.c)
      list(APPEND sources ${found})
    endif()
  endforeach()
  set(${out} ${sources} PARENT_SCOPE)
endfunction()

# marrow_package_library(NAME OBJECTS): the static library NAME and the shared library
# NAME_shared from the same objects, with alias and export names as installed.
function(marrow_package_library name objects)
  string(REGEX REPLACE "^marrow_" "" export_name ${name})
  foreach(kind STATIC SHARED)
    set(target ${name})
    set(suffix "")
    if(kind STREQUAL SHARED)
      set(target ${name}_shared)
      set(suffix "_shared")
    endif()
    add_library(${target} ${kind} $<TARGET_OBJECTS:${objects}>)
    add_library(marrow::${export_name}${suffix} ALIAS ${target})
    set_target_properties(${target} PROPERTIES
      OUTPUT_NAME ${name} EXPORT_NAME ${export_name}${suffix}
      VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
    target_include_directories(${target} PUBLIC
      $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    if(MARROW_SANITIZE)
      target_link_options(${target} PUBLIC -fsanitize=${MARROW_SANITIZE})
    endif()
  endforeach()
endfunction()
