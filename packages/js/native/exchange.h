/* What passes between C and JavaScript besides arguments and results, and what the files of this
 * folder share. There is one thread, so there is one of each. */
#ifndef JS_EXCHANGE_H
#define JS_EXCHANGE_H

#include "exports.h"

/* What went wrong last. */
extern mrw_error js_error;

/* Fills js_error with a status and what it is about, and returns the status. */
mrw_status js_fail(mrw_status status, const char *detail);

/* What a _read function says. */
#define JS_RECORD_FIELDS 16
extern uint32_t js_record[JS_RECORD_FIELDS];

/* An address as JavaScript sees it. */
uint32_t js_address(const void *pointer);

/* size_bytes of memory aligned to 64 bytes, or NULL with js_error filled. free() takes it back. */
void *js_allocate(uint64_t size_bytes, const char *what);

struct js_pose {
    const mrw_skeleton *skeleton; /* not owned */
    mrw_pose pose;
    mrw_mat34 *model; /* [joint_count] of the last pose_model */
    void *scratch;    /* grows to what palettes and skinned vertices need */
    uint32_t scratch_bytes;
};

/* Memory of the pose for the results of one call, or NULL with js_error filled. */
void *js_pose_scratch(js_pose *posed, uint64_t size_bytes);

/* MRW_OK, or SKELETON_MISMATCH with js_error filled: `detail` was built for another skeleton. */
mrw_status js_same_skeleton(uint64_t skeleton_id, const mrw_skeleton *skeleton, const char *detail);

/* The matrices of one skin, and of one instance of a character, from model matrices. */
mrw_status js_put_palette(const mrw_skin *skin, const mrw_mat34 *model, uint32_t model_count,
                          mrw_mat34 *out_palette);
mrw_status js_put_instance(const mrw_character *character, const mrw_mesh_instance *instance,
                           const mrw_mat34 *model, mrw_mat34 *out_palette);

#endif
