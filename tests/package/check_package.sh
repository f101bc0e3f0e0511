#!/bin/sh
# check_package.sh installed|subproject SOURCE BUILD WORK
#
# installed: installs the build below WORK, moves the result, and builds and runs a consumer against it by
# find_package and by pkg-config, static and shared, in C and C++.
# subproject: builds a project that has Marrow's sources as a part of its own build.
set -eu
kind=$1 source=$2 build=$3 work=$4
: "${CC:=cc}" "${CXX:=c++}"
rm -rf "$work"
mkdir -p "$work"
cp -R "$source/tests/package/consumer" "$source/tests/package/subproject" "$work"

run() { # run NAME COMMAND...: says what failed, with its output
    name=$1
    shift
    if ! "$@" > "$work/log" 2>&1; then
        cat "$work/log"
        echo "FAILED: $name"
        exit 1
    fi
    echo "ok: $name"
}

build_and_test() { # build_and_test FOLDER CMAKE_ARGUMENT...
    folder=$1
    shift
    run "$folder: configure" cmake -S "$work/$folder" -B "$work/$folder-build" -G Ninja "$@"
    run "$folder: build" cmake --build "$work/$folder-build"
    run "$folder: run" ctest --test-dir "$work/$folder-build" --output-on-failure --no-tests=error
}

if [ "$kind" = subproject ]; then
    build_and_test subproject -DMARROW_SOURCE="$source"
    exit 0
fi

run "install" cmake --install "$build" --prefix "$work/first"
mv "$work/first" "$work/moved" # nothing installed may remember where it was
build_and_test consumer -DCMAKE_PREFIX_PATH="$work/moved"

PKG_CONFIG_PATH=$(dirname "$(find "$work/moved" -name marrow.pc)")
export PKG_CONFIG_PATH
libraries=$(dirname "$PKG_CONFIG_PATH")
grep -rIl "$work/first" "$work/moved" && { echo "FAILED: these name the place of installation"; exit 1; }

# pkg-config's answers are lists of words.
# shellcheck disable=SC2086
for program in runtime:marrow offline:marrow-offline; do
    package=${program#*:}
    program=use_${program%:*}
    cp "$work/consumer/$program.c" "$work/$program.cpp"
    run "$package: version" pkg-config --exact-version="$(sed -n 's/^#define MRW_VERSION_STRING "\(.*\)"/\1/p' \
        "$work/moved/include/marrow/base.h")" "$package"
    flags=$(pkg-config --cflags "$package")
    shared=$(pkg-config --libs "$package")
    static="-Wl,-Bstatic $(pkg-config --static --libs "$package") -Wl,-Bdynamic"
    for language in c cpp; do
        if [ $language = c ]; then
            compile="$CC -std=c17 $work/consumer/$program.c"
        else
            compile="$CXX -std=c++17 $work/$program.cpp"
        fi
        run "$package: $language, shared" $compile $flags -o "$work/shared_$language" $shared \
            "-Wl,-rpath,$libraries"
        run "$package: $language, shared, run" "$work/shared_$language"
        run "$package: $language, static" $compile $flags -o "$work/static_$language" $static
        run "$package: $language, static, run" "$work/static_$language"
        if readelf -d "$work/static_$language" | grep libmarrow; then
            echo "FAILED: the static program needs the shared library"
            exit 1
        fi
    done
done

run "the command line" "$work/moved/bin/marrow" --help
find "$work/moved" -name LICENSE | grep -q . || { echo "FAILED: no LICENSE installed"; exit 1; }
