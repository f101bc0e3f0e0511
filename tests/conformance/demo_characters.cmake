# The demo characters: the same numbers at every optimisation level, and motions that keep their
# feet on the ground. The hashes in demo_hash.txt change with the characters: `demo_hash` prints the
# new ones.
file(GLOB demo_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/viewer/demo/demo_*.c)
get_target_property(demo_math_sources marrow_objects SOURCES)
list(FILTER demo_math_sources INCLUDE REGEX "/src/math/")

function(marrow_demo_hash name)
  add_executable(${name} demo_hash.c ${demo_sources} ${demo_math_sources})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/viewer ${PROJECT_SOURCE_DIR}/src)
  target_compile_options(${name} PRIVATE ${ARGN})
  target_link_libraries(${name} PRIVATE marrow_offline marrow_flags)
  add_test(NAME conformance_${name} COMMAND ${name} ${CMAKE_CURRENT_SOURCE_DIR}/demo_hash.txt)
endfunction()

marrow_demo_hash(demo_hash)
marrow_demo_hash(demo_hash_o0 -O0)
marrow_demo_hash(demo_hash_o3 -O3)

add_executable(demo_motion demo_motion.c)
target_link_libraries(demo_motion PRIVATE marrow_offline PkgConfig::CMOCKA marrow_flags m)
list(GET demo_files 1 demo_biped)
add_test(NAME conformance_demo_motion COMMAND demo_motion ${demo_biped})

# The examples, on the same files.
add_test(NAME example_load_sample_skin COMMAND example_load_sample_skin ${demo_biped})
add_test(NAME example_quick_start COMMAND example_quick_start ${demo_biped})
add_test(NAME example_crossfade COMMAND example_crossfade ${demo_biped} idle walk)
set_tests_properties(conformance_demo_motion example_quick_start example_load_sample_skin example_crossfade
  PROPERTIES FIXTURES_REQUIRED demo_files)

add_test(NAME conformance_demo_errors COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/demo_errors.sh
  $<TARGET_FILE:marrow_tool> ${CMAKE_CURRENT_BINARY_DIR}/demo_errors)
