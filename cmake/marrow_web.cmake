# The WebAssembly build: `cmake --preset web && cmake --build build/web` makes
#
#   package/   the npm package of packages/js: modules, types, marrow.wasm and marrow-simd.wasm
#   site/      the static folder of viewer/web: pages, and the package below marrow/, its modules linked with the viewer:
#              one for all pages, since most of what a page downloads is the library
#
# Each module is compiled twice, without and with the 128-bit vector instructions. The kernels are compiled for speed, and
# long parts of them only once (MRWI_ONCE in src/simd/simd.h); what checks and calls them, and the offline library, which
# runs once a file, for size.

set(CMAKE_POSITION_INDEPENDENT_CODE OFF)

set(wasm_memory_flags
  # The stack below the data: a stack that is too deep traps instead of writing into the data.
  -Wl,--stack-first -Wl,-z,stack-size=262144
  # Addresses that JavaScript sees are never negative.
  -Wl,--max-memory=2147483648
  -Wl,--gc-sections -Wl,--strip-all
  # Numbers of functions and addresses as short as they are, not as long as they may be.
  -Wl,--compress-relocations
  # No optimiser after the linker: clang runs wasm-opt where it finds one, and the modules would depend on it.
  -O0)

# A copy, so that no other header of the machine's own /usr/include is seen.
find_path(JSMN_INCLUDE_DIR jsmn.h PATHS /usr/local/include /usr/include NO_CMAKE_FIND_ROOT_PATH)
if(NOT JSMN_INCLUDE_DIR)
  message(FATAL_ERROR "jsmn.h not found: install libjsmn-dev")
endif()
configure_file(${JSMN_INCLUDE_DIR}/jsmn.h ${PROJECT_BINARY_DIR}/jsmn/jsmn.h COPYONLY)

# Reading and writing files by name is the page's or node's business.
marrow_stage_sources(runtime_sources "^src/[a-z]+$")
set(kernel_sources ${runtime_sources})
list(FILTER kernel_sources INCLUDE REGEX "/src/isa/")
set(checking_sources ${runtime_sources})
list(FILTER checking_sources EXCLUDE REGEX "/src/isa/")
marrow_stage_sources(offline_sources "^src/offline/")
list(FILTER offline_sources EXCLUDE REGEX "/export/|/compress/|/write_file\\.c$")
marrow_stage_sources(viewer_core_sources "^viewer/(core|demo)$")
marrow_embed_texts(shader_texts)
marrow_stage_sources(package_native_sources "^packages/js/native$")
marrow_stage_sources(viewer_native_sources "^viewer/web/native$")
marrow_embed_shaders(viewer_shaders viewer/shaders)

# marrow_wasm_objects(NAME FLAGS SOURCES...)
function(marrow_wasm_objects name flags)
  add_library(${name} OBJECT ${ARGN})
  target_include_directories(${name} PRIVATE include)
  target_link_libraries(${name} PRIVATE marrow_flags)
  target_compile_options(${name} PRIVATE ${flags})
endfunction()

# marrow_wasm_module(NAME OUTPUT OBJECTS...)
function(marrow_wasm_module name output)
  set(objects)
  foreach(library IN LISTS ARGN)
    list(APPEND objects $<TARGET_OBJECTS:${library}>)
  endforeach()
  add_executable(${name} ${objects})
  set_target_properties(${name} PROPERTIES OUTPUT_NAME ${output} SUFFIX .wasm
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/wasm)
  target_link_options(${name} PRIVATE ${wasm_memory_flags})
endfunction()

set(package_modules)
set(site_modules)
foreach(kind scalar simd)
  set(flags)
  # As fast as -O3 here, and 6 KB smaller compressed. Loops whose length is a constant are unrolled; to unroll others by
  # four or eight makes nothing faster.
  set(fast_flags -O2 "SHELL:-mllvm -unroll-runtime=0" "SHELL:-mllvm -unroll-allow-partial=0")
  set(suffix)
  if(kind STREQUAL simd)
    # With what every engine that has vector instructions has besides. (Where bulk memory is on, clang takes
    # errno for a variable of threads, so offline, which knows errno, does without.)
    set(flags -msimd128 -mnontrapping-fptoint -msign-ext)
    list(APPEND fast_flags -mbulk-memory)
    set(suffix -simd)
  endif()

  marrow_wasm_objects(kernels_${kind} "${flags};${fast_flags}" ${kernel_sources})
  marrow_wasm_objects(runtime_${kind} "${flags};-Oz" ${checking_sources} ${shader_texts})
  target_include_directories(kernels_${kind} PRIVATE src)
  target_include_directories(runtime_${kind} PRIVATE src)
  # tests/golden/golden_wasm.mjs runs it.
  marrow_wasm_objects(golden_objects_${kind} "${flags};-O2" tests/golden/golden_runtime.c tests/golden/golden_real.c)
  target_include_directories(golden_objects_${kind} PRIVATE src tests)
  marrow_wasm_module(golden_${kind} golden${suffix} runtime_${kind} kernels_${kind} golden_objects_${kind})

  marrow_wasm_objects(offline_${kind} "${flags};-Oz" ${offline_sources})
  target_include_directories(offline_${kind} PRIVATE src)
  target_include_directories(offline_${kind} SYSTEM PRIVATE ${PROJECT_BINARY_DIR}/jsmn)

  marrow_wasm_objects(package_native_${kind} "${flags};-Oz" ${package_native_sources})
  marrow_wasm_module(package_${kind} marrow${suffix} runtime_${kind} kernels_${kind} offline_${kind} package_native_${kind})
  list(APPEND package_modules ${PROJECT_BINARY_DIR}/wasm/marrow${suffix}.wasm)

  if(viewer_native_sources)
    marrow_wasm_objects(viewer_core_${kind} "${flags};-Oz" ${viewer_core_sources} ${viewer_native_sources}
      ${viewer_shaders})
    target_include_directories(viewer_core_${kind} PRIVATE viewer)
    marrow_wasm_module(viewer_${kind} marrow${suffix} runtime_${kind} kernels_${kind} offline_${kind} package_native_${kind}
      viewer_core_${kind})
    set_target_properties(viewer_${kind} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/wasm/site)
    list(APPEND site_modules ${PROJECT_BINARY_DIR}/wasm/site/marrow${suffix}.wasm)
  endif()
endforeach()

# --- the folders --------------------------------------------------------------------------

# marrow_web_folder(TARGET FOLDER FILES... [BELOW SUBFOLDER FILES...]): a folder with exactly these files.
function(marrow_web_folder name folder)
  cmake_parse_arguments(arg "" "" "BELOW" ${ARGN})
  set(copy_below)
  if(arg_BELOW)
    list(POP_FRONT arg_BELOW subfolder)
    set(copy_below COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}/${subfolder}
                   COMMAND ${CMAKE_COMMAND} -E copy ${arg_BELOW} ${folder}/${subfolder})
  endif()
  set(stamp ${PROJECT_BINARY_DIR}/${name}.stamp)
  add_custom_command(OUTPUT ${stamp}
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${folder}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
    COMMAND ${CMAKE_COMMAND} -E copy ${arg_UNPARSED_ARGUMENTS} ${folder}
    ${copy_below}
    COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
    DEPENDS ${arg_UNPARSED_ARGUMENTS} ${arg_BELOW} VERBATIM)
  add_custom_target(${name} ALL DEPENDS ${stamp})
endfunction()

set(js ${PROJECT_SOURCE_DIR}/packages/js)
file(GLOB scripts CONFIGURE_DEPENDS ${js}/src/*.js)
file(GLOB types CONFIGURE_DEPENDS ${js}/src/*.d.ts)
marrow_web_folder(package ${PROJECT_BINARY_DIR}/package ${scripts} ${types} ${package_modules}
  ${js}/package.json ${js}/README.md ${PROJECT_SOURCE_DIR}/LICENSE)

set(pages ${PROJECT_SOURCE_DIR}/viewer/web)
file(GLOB site_files CONFIGURE_DEPENDS ${pages}/*.html ${pages}/*.js ${pages}/*.css ${pages}/*.svg)
if(site_files)
  list(FILTER scripts EXCLUDE REGEX "/three[^/]*$") # no page uses the adapter
  marrow_web_folder(site ${PROJECT_BINARY_DIR}/site ${site_files}
    BELOW marrow ${scripts} ${site_modules})
endif()
