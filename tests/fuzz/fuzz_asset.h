/* Assets behind an envelope that fits: size and checksum are put right, so that damage reaches what
 * each kind checks itself. */
#ifndef TESTS_FUZZ_ASSET_H
#define TESTS_FUZZ_ASSET_H

#include <marrow/asset.h>

/* Opens the bytes as they are, and put right, as an asset of a small character, and runs what
 * opens. */
void fuzz_asset(const uint8_t *bytes, size_t size_bytes, mrw_asset_kind kind);

#endif
