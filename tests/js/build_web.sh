#!/bin/sh
# build_web.sh SOURCE BINARY: builds the npm package and the web site into BINARY/package and BINARY/site, for the tests
# that use them. Exits with 77 where the tools for it are missing.
set -eu
source=$1 binary=$2

if ! output=$(cmake -S "$source" -B "$binary" -G Ninja -DCMAKE_BUILD_TYPE=Release -DMARROW_WERROR=ON \
    "-DCMAKE_TOOLCHAIN_FILE=$source/cmake/wasm32_wasi.cmake" 2>&1); then
    missing=$(printf '%s\n' "$output" | sed -n 's/.*Missing here: *//p')
    if [ -n "$missing" ]; then
        rm -rf "$binary"
        echo "skipped: no WebAssembly without $missing"
        exit 77
    fi
    printf '%s\n' "$output"
    exit 1
fi
cmake --build "$binary" -j 2
