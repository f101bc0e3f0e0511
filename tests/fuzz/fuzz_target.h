/* What libFuzzer calls, and the replay in its place. */
#ifndef TESTS_FUZZ_TARGET_H
#define TESTS_FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>

/* Returns 0. Anything that is wrong ends the process: a sanitizer, or abort. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes);

#endif
