#!/bin/sh
# demo_errors.sh MARROW FOLDER: `marrow demo` where it cannot write: exit status 3, a message that
# names the path, and nothing on stdout.
marrow=$1
folder=$2
failed=0

refuses() {
    "$marrow" demo --out "$1" > "$folder/out" 2> "$folder/err"
    status=$?
    if [ $status -ne 3 ] || [ -s "$folder/out" ] || ! grep -qF "$1" "$folder/err"; then
        echo "demo --out $1: exit status $status, stdout and stderr:"
        cat "$folder/out" "$folder/err"
        failed=1
    fi
}

mkdir -p "$folder"
: > "$folder/file"
refuses "$folder/file"
refuses "$folder/file/below"
refuses "$(printf "%s/%0300d" "$folder" 7)"
exit $failed
