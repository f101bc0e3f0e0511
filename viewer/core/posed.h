/* A character at a moment: the whole chain, clip to vertices, for one caller.
 *
 * Tools and viewers share this object. It allocates once, on creation; the runtime itself
 * never does.
 */
#ifndef VIEW_CORE_POSED_H
#define VIEW_CORE_POSED_H

#include <marrow/marrow.h>
#include <marrow/offline/build.h>

typedef struct view_posed {
    const mrw_character *character; /* not owned */
    mrw_pose pose;
    mrw_mat34 *model;          /* [joint_count] */
    mrw_mat34 *palette;        /* [character->palette_count] every instance's matrices, see
                                * mrw_mesh_instance.palette_first */
    mrw_dual_quat *dual_quats; /* [palette_count] */
    mrw_mat34 *stretches;      /* [palette_count] */
    bool has_stretch;          /* whether any palette matrix is not rigid */
    float blend;               /* of MRW_SKIN_BLENDED, for every vertex: 0 linear .. 1 dual
                                * quaternion; 0.5 until it is set */
    void *memory;              /* one block for all the above */
} view_posed;

/* The rest pose of a character. Errors: OUT_OF_MEMORY. */
mrw_status view_posed_create(const mrw_character *character, view_posed *out_posed);
void view_posed_free(view_posed *posed);

/* Evaluates everything above for clip `clip` (-1: the rest pose) at time_s. */
mrw_status view_posed_update(view_posed *posed, int32_t clip, double time_s, bool loop);

/* The vertices of one instance's mesh with its morph targets applied, before skinning. Pointers
 * as in view_posed_vertices. */
mrw_status view_posed_morph(const view_posed *posed, uint32_t instance, float *out_positions,
                            float *out_normals);

/* Scene-space vertices of one instance: morph targets, then skinning by `method` (a rigid
 * instance follows its joint whatever the method). out_positions [vertex_count * 3];
 * out_normals the same, or NULL (must be NULL if the mesh has none). Errors: OUT_OF_MEMORY and those of
 * mrw_skin_vertices. */
mrw_status view_posed_vertices(const view_posed *posed, uint32_t instance, mrw_skin_method method,
                               float *out_positions, float *out_normals);

#endif
