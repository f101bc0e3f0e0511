# The shader texts on a driver, beside gpu.cmake, which does the same for the viewer's own renderer. Nearly all of their
# time goes into compiling: Mesa's software renderer is told not to optimise. What the shaders do is the same whatever
# compiled the tests, so sanitizers see one small mesh alone.
set(shader_environment "ASAN_OPTIONS=detect_leaks=0;GALLIVM_PERF=nopt;LP_NATIVE_VECTOR_WIDTH=128")
set(shader_files)
if(NOT MARROW_SANITIZE)
  set(shader_files ${demo_files} --shared)
endif()
if(TARGET marrow_viewer_gl)
  add_executable(shader_run shader_run.c shader_case.c shader_gpu.c)
  add_executable(shader_docs shader_docs.c)
  foreach(target shader_run shader_docs)
    target_include_directories(${target} PRIVATE
      ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests ${PROJECT_SOURCE_DIR}/viewer)
    target_compile_definitions(${target} PRIVATE MARROW_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    target_link_libraries(${target} PRIVATE marrow_viewer_gl marrow_flags m)
  endforeach()
  marrow_script_test(conformance_shader_run_gl shader_run gl ${shader_files})
  marrow_script_test(conformance_shader_run_es shader_run es ${shader_files})
  marrow_script_test(conformance_shader_docs shader_docs ${demo_files})
  set_tests_properties(conformance_shader_run_gl conformance_shader_run_es conformance_shader_docs PROPERTIES
    FIXTURES_REQUIRED demo_files ENVIRONMENT "${shader_environment}")
endif()

# Their text, through compilers that other people wrote.
if(NOT MARROW_SANITIZE)
  set(shader_folder ${CMAKE_CURRENT_BINARY_DIR}/texts_of_shaders)
  set(translated_folder ${CMAKE_CURRENT_BINARY_DIR}/shaders_translated)
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
    marrow_script_test(conformance_shader_translate
      ${NODE_PROGRAM} ${CMAKE_CURRENT_LIST_DIR}/shader_translate.mjs ${shader_folder} ${translated_folder})
    set_tests_properties(conformance_shader_translate PROPERTIES
      FIXTURES_REQUIRED shader_texts FIXTURES_SETUP shader_translated)
    if(TARGET shader_run)
      marrow_script_test(conformance_shader_run_translated shader_run translated ${translated_folder})
      set_tests_properties(conformance_shader_run_translated PROPERTIES
        FIXTURES_REQUIRED shader_translated ENVIRONMENT "${shader_environment}")
    endif()
  endif()
endif()
