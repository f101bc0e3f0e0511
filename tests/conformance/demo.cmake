# The characters that `marrow demo` writes, for the other subjects.
set(demo_folder ${CMAKE_CURRENT_BINARY_DIR}/demo)
set(demo_files ${demo_folder}/tentacle.glb ${demo_folder}/biped.glb)
add_test(NAME conformance_demo_files COMMAND marrow_tool demo --out ${demo_folder})
set_tests_properties(conformance_demo_files PROPERTIES FIXTURES_SETUP demo_files)
