#!/bin/sh
# cross_aarch64.sh SOURCE BINARY PACK: builds the runtime for 64-bit ARM into BINARY and runs its tests there, on an emulated
# processor; PACK is golden_pack's. Exits with 77 where the compiler or the emulator is missing.
set -eu
source=$1 binary=$2 pack=$3

if ! output=$(cmake -S "$source" -B "$binary" -G Ninja -DCMAKE_BUILD_TYPE=Release -DMARROW_WERROR=ON \
    -DMARROW_OFFLINE=OFF "-DMARROW_GOLDEN_PACK=$pack" "-DCMAKE_TOOLCHAIN_FILE=$source/cmake/aarch64_linux.cmake" 2>&1); then
    missing=$(printf '%s\n' "$output" | sed -n 's/.*Missing here: *//p')
    if [ -n "$missing" ]; then
        rm -rf "$binary"
        echo "skipped: no tests for 64-bit ARM without $missing"
        exit 77
    fi
    printf '%s\n' "$output" >&2
    exit 1
fi
cmake --build "$binary" -j 2 --target tests_unit tests_golden
cd "$binary" && ctest -j 2 --output-on-failure --no-tests=error --timeout 120
