marrow_script_test(conformance_viewer_shaders
  ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/viewer_shaders.py ${PROJECT_SOURCE_DIR})

# What the vertex shader does, and the pictures that come of it. Mesa keeps memory until the
# process ends, so leaks are not counted in these tests.
if(TARGET marrow_viewer_gl)
  add_executable(gpu_skinning gpu_skinning.c)
  target_include_directories(gpu_skinning PRIVATE
    ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests ${PROJECT_SOURCE_DIR}/viewer)
  target_compile_definitions(gpu_skinning PRIVATE MARROW_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_link_libraries(gpu_skinning PRIVATE marrow_viewer_gl marrow_flags)
  marrow_script_test(conformance_gpu_skinning gpu_skinning ${demo_files} --shared)
  marrow_script_test(conformance_gpu_pictures
    ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/gpu_pictures.py $<TARGET_FILE:marrow_tool> ${demo_files})
  set_tests_properties(conformance_gpu_skinning conformance_gpu_pictures PROPERTIES
    FIXTURES_REQUIRED demo_files ENVIRONMENT ASAN_OPTIONS=detect_leaks=0)
endif()
