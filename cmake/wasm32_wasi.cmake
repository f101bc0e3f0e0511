# Toolchain: clang for wasm32-wasi. wasi-libc gives malloc, mem* and str*; nothing of it that would ask the system
# (files, clocks, environment) is linked, so that a module runs without WASI, in a browser as in node.
#
# WASI_SYSROOT names another tree than the system's with include/ and lib/wasm32-wasi, e.g. wasi-sdk's
# share/wasi-sysroot.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(WASI_SYSROOT "" CACHE PATH "Tree with include/ and lib/wasm32-wasi of wasi-libc; empty: the system's")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES WASI_SYSROOT)

find_program(CLANG_PROGRAM NAMES clang clang-19 clang-18 clang-17 clang-16 clang-15 clang-14)
find_program(WASM_LD_PROGRAM NAMES wasm-ld wasm-ld-19 wasm-ld-18 wasm-ld-17 wasm-ld-16 wasm-ld-15 wasm-ld-14)
find_file(WASI_LIBC NAMES lib/wasm32-wasi/libc.a HINTS "${WASI_SYSROOT}" NO_CMAKE_FIND_ROOT_PATH
  PATHS /usr /usr/share/wasi-sysroot /opt/wasi-sdk/share/wasi-sysroot)
mark_as_advanced(CLANG_PROGRAM WASM_LD_PROGRAM WASI_LIBC)

set(missing)
if(NOT CLANG_PROGRAM)
  list(APPEND missing clang)
endif()
if(NOT WASM_LD_PROGRAM)
  list(APPEND missing lld)
endif()
if(NOT WASI_LIBC)
  list(APPEND missing wasi-libc)
endif()
if(missing)
  string(REPLACE ";" " " missing "${missing}")
  message(FATAL_ERROR "The WebAssembly build needs clang, wasm-ld and wasi-libc. Missing here: ${missing}\n"
    "On Debian: apt install ${missing}\n"
    "A wasi-libc elsewhere: -DWASI_SYSROOT=<tree with lib/wasm32-wasi/libc.a>")
endif()

set(CMAKE_C_COMPILER ${CLANG_PROGRAM})
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
if(WASI_SYSROOT)
  set(CMAKE_SYSROOT ${WASI_SYSROOT})
endif()

# Neither crt1.o nor compiler-rt: there is no main, and nothing needs 128-bit arithmetic.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-nostdlib -Wl,--no-entry")
set(CMAKE_C_STANDARD_LIBRARIES "-lc")

# Headers of libraries without code (jsmn.h) are the same for every machine.
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
