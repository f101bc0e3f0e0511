/* mrw_mesh_asset_open, and the jobs on what it lets through. */
#include "fuzz/fuzz_asset.h"
#include "fuzz/fuzz_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes)
{
    fuzz_asset(bytes, size_bytes, MRW_ASSET_MESH);
    return 0;
}
