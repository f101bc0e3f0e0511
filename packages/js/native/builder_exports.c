/* Skeletons, clips and skins that a program describes. Each is a view and the bytes behind it in
 * one block, the view first, so that its address serves wherever one of a character's does. */
#include "exchange.h"

#include <stdlib.h>

/* JavaScript writes arrays of these, with addresses of four bytes. */
#if defined(__wasm32__)
_Static_assert(sizeof(mrw_joint_desc) == 52, "descriptions.js knows the layout");
_Static_assert(sizeof(mrw_scalar_desc) == 8, "descriptions.js knows the layout");
_Static_assert(sizeof(mrw_track_desc) == 24, "descriptions.js knows the layout");
#endif

struct js_built {
    union {
        mrw_skeleton skeleton;
        mrw_clip clip;
        mrw_skin skin;
    } view;
    mrw_bytes bytes;
};

static js_built *keep(mrw_bytes bytes)
{
    js_built *kept = js_allocate(sizeof(js_built), "memory");
    if (!kept) {
        mrw_bytes_free(&bytes);
        return NULL;
    }
    kept->bytes = bytes;
    return kept;
}

void built_free(js_built *kept)
{
    if (kept) {
        mrw_bytes_free(&kept->bytes);
        free(kept);
    }
}

/* What was just built is what _open accepts. */
static js_built *opened(js_built *kept, mrw_status status)
{
    if (status == MRW_OK) {
        return kept;
    }
    built_free(kept);
    return NULL;
}

js_built *skeleton_build(const mrw_joint_desc *joints, uint32_t joint_count,
                         const mrw_scalar_desc *scalars, uint32_t scalar_count, uint32_t *out_order)
{
    mrw_bytes bytes;
    if (mrw_build_skeleton(joints, joint_count, scalars, scalar_count, NULL, out_order, &bytes,
                           &js_error) != MRW_OK) {
        return NULL;
    }
    js_built *kept = keep(bytes);
    return kept ? opened(kept, mrw_skeleton_open(kept->bytes.data, kept->bytes.size_bytes,
                                                 &kept->view.skeleton, &js_error))
                : NULL;
}

js_built *clip_build(const mrw_skeleton *skeleton, const char *name, const mrw_track_desc *tracks,
                     uint32_t track_count, float duration_s)
{
    mrw_bytes bytes;
    if (mrw_build_clip(skeleton, name, tracks, track_count, duration_s, NULL, &bytes, &js_error) !=
        MRW_OK) {
        return NULL;
    }
    js_built *kept = keep(bytes);
    return kept ? opened(kept, mrw_clip_open(kept->bytes.data, kept->bytes.size_bytes,
                                             &kept->view.clip, &js_error))
                : NULL;
}

js_built *skin_build(const mrw_skeleton *skeleton, const uint32_t *joints,
                     const mrw_mat34 *inverse_binds, uint32_t joint_count)
{
    mrw_bytes bytes;
    if (mrw_build_skin(skeleton, "", joints, inverse_binds, joint_count, NULL, &bytes, &js_error) !=
        MRW_OK) {
        return NULL;
    }
    js_built *kept = keep(bytes);
    return kept ? opened(kept, mrw_skin_open(kept->bytes.data, kept->bytes.size_bytes,
                                             &kept->view.skin, &js_error))
                : NULL;
}
