/* mrw_materials_open, and all that it lets through. */
#include "fuzz/fuzz_asset.h"
#include "fuzz/fuzz_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes)
{
    fuzz_asset(bytes, size_bytes, MRW_ASSET_MATERIALS);
    return 0;
}
