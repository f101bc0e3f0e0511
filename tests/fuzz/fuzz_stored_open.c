/* Stored clips: decoded while they arrive, what has arrived sampled, and what comes out opened and
 * run. */
#include "fuzz/fuzz_asset.h"
#include "fuzz/fuzz_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes)
{
    fuzz_asset(bytes, size_bytes, MRW_ASSET_CLIP);
    return 0;
}
