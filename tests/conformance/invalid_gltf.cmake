# The Khronos validator's test corpus: what loads, what is refused, and why where that is not its verdict.
add_executable(invalid_gltf invalid_gltf.c)
target_include_directories(invalid_gltf PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
target_compile_definitions(invalid_gltf PRIVATE MARROW_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
target_link_libraries(invalid_gltf PRIVATE marrow_offline marrow_flags)
marrow_script_test(conformance_invalid_gltf
  invalid_gltf ${CMAKE_CURRENT_LIST_DIR}/invalid_gltf.txt)
