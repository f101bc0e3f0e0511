# Every clip of the real files, packed: the bound holds, and bytes and errors are those of bench/quality.csv, on every
# machine. `cmake --build . --target quality_csv` writes the table again.
add_executable(pack_quality pack_quality.c)
target_include_directories(pack_quality PRIVATE ${PROJECT_SOURCE_DIR}/tests ${PROJECT_SOURCE_DIR}/src)
target_compile_definitions(pack_quality PRIVATE MARROW_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
target_link_libraries(pack_quality PRIVATE marrow_offline marrow_flags m)
# Minutes with sanitizers, which meet the same code in test_offline_pack_clip.
if(NOT MARROW_SANITIZE)
  marrow_script_test(conformance_pack_quality pack_quality --compare ${PROJECT_SOURCE_DIR}/bench/quality.csv)
endif()
add_custom_target(quality_csv COMMAND pack_quality ${PROJECT_SOURCE_DIR}/bench/quality.csv)
