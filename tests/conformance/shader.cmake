# The shader texts on a driver, beside gpu.cmake, which does the same for the viewer's own renderer. Nearly all
# of their time goes into compiling: Mesa's software renderer is told not to optimise.
if(TARGET marrow_viewer_gl)
  add_executable(shader_run shader_run.c shader_case.c shader_gpu.c)
  target_include_directories(shader_run PRIVATE
    ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests ${PROJECT_SOURCE_DIR}/viewer)
  target_compile_definitions(shader_run PRIVATE MARROW_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_link_libraries(shader_run PRIVATE marrow_viewer_gl marrow_flags m)
  foreach(context gl es)
    marrow_script_test(conformance_shader_run_${context} shader_run ${context} ${demo_files} --shared)
    set_tests_properties(conformance_shader_run_${context} PROPERTIES
      FIXTURES_REQUIRED demo_files ENVIRONMENT
      "ASAN_OPTIONS=detect_leaks=0;GALLIVM_PERF=nopt;LP_NATIVE_VECTOR_WIDTH=128")
  endforeach()
endif()

# Their text, through compilers that other people wrote.
set(shader_folder ${CMAKE_CURRENT_BINARY_DIR}/texts_of_shaders)
file(MAKE_DIRECTORY ${shader_folder})
add_executable(shader_texts shader_texts.c)
target_link_libraries(shader_texts PRIVATE marrow marrow_flags)
add_test(NAME conformance_shader_write COMMAND shader_texts ${shader_folder})
set_tests_properties(conformance_shader_write PROPERTIES FIXTURES_SETUP shader_texts)
marrow_script_test(conformance_shader_texts
  ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/shader_texts.py ${shader_folder})
set_tests_properties(conformance_shader_texts PROPERTIES FIXTURES_REQUIRED shader_texts)

# WGSL and HLSL cannot be run here, but what naga makes of them can.
if(NODE_PROGRAM)
  set(translated_folder ${CMAKE_CURRENT_BINARY_DIR}/shaders_translated)
  marrow_script_test(conformance_shader_translate
    ${NODE_PROGRAM} ${CMAKE_CURRENT_LIST_DIR}/shader_translate.mjs ${shader_folder} ${translated_folder})
  set_tests_properties(conformance_shader_translate PROPERTIES
    FIXTURES_REQUIRED shader_texts FIXTURES_SETUP shader_translated)
  if(TARGET shader_run)
    marrow_script_test(conformance_shader_run_translated shader_run translated ${translated_folder})
    set_tests_properties(conformance_shader_run_translated PROPERTIES FIXTURES_REQUIRED shader_translated
      ENVIRONMENT "ASAN_OPTIONS=detect_leaks=0;GALLIVM_PERF=nopt;LP_NATIVE_VECTOR_WIDTH=128")
  endif()
endif()
