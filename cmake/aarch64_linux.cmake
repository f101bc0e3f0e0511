# Toolchain: gcc for 64-bit ARM, with qemu to run what it makes. On Debian gcc-aarch64-linux-gnu,
# libc6-dev-arm64-cross and qemu-user.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
find_program(AARCH64_GCC aarch64-linux-gnu-gcc)
find_program(AARCH64_QEMU NAMES qemu-aarch64 qemu-aarch64-static)
mark_as_advanced(AARCH64_GCC AARCH64_QEMU)

set(missing)
if(NOT AARCH64_GCC)
  list(APPEND missing gcc-aarch64-linux-gnu)
endif()
if(NOT AARCH64_QEMU)
  list(APPEND missing qemu-user)
endif()
if(missing)
  string(REPLACE ";" " " missing "${missing}")
  message(FATAL_ERROR "The build for 64-bit ARM needs a cross compiler and qemu. Missing here: ${missing}\n"
    "On Debian: apt install ${missing}")
endif()

set(CMAKE_C_COMPILER ${AARCH64_GCC})
set(CMAKE_CROSSCOMPILING_EMULATOR ${AARCH64_QEMU})
# One file, so that qemu needs no tree of libraries.
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)

set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE NEVER)
