# Against three.js, the most used reader of glTF. Thousands of poses, so an optimised build without
# sanitizers has to do it; the same code paths meet the sanitizers in every other kind of test.
if(NODE_PROGRAM AND NOT MARROW_SANITIZE AND CMAKE_BUILD_TYPE STREQUAL "Release")
  set(compare ${NODE_PROGRAM} ${CMAKE_CURRENT_LIST_DIR}/threejs_compare.mjs $<TARGET_FILE:marrow_tool>)
  marrow_script_test(conformance_threejs ${compare} --shared)
  marrow_script_test(conformance_threejs_demo ${compare} ${demo_files})
  # Mostly node waits for `marrow pose` or that for node: something else may run beside it.
  set_tests_properties(conformance_threejs PROPERTIES TIMEOUT 600 COST 40)
  set_tests_properties(conformance_threejs_demo PROPERTIES FIXTURES_REQUIRED demo_files)
endif()
