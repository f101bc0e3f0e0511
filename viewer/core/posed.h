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
    mrw_pose other_pose;       /* scratch of crossfades */
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

/* Evaluates everything above for clip `clip` (-1: the rest pose) at time_s. Errors: INVALID_ARGUMENT
 * (no such clip) and those of mrw_sample. */
mrw_status view_posed_update(view_posed *posed, int32_t clip, double time_s, bool loop);

/* The same between two clips: fade 0 is all `clip`, 1 all `other_clip`, bit for bit. Without an
 * other_clip (-1) `fade` means nothing. */
mrw_status view_posed_update_fade(view_posed *posed, int32_t clip, double time_s,
                                  int32_t other_clip, double other_time_s, float fade, bool loop);

/* The two halves of it, for crowds: clips to `pose` alone, ... */
mrw_status view_posed_sample(view_posed *posed, int32_t clip, double time_s, int32_t other_clip,
                             double other_time_s, float fade, bool loop);

/* ... and `pose` to `model` and to the caller's palette, with the whole character moved by `root` (NULL:
 * where it is). out_palette, out_dual_quats, out_stretches [palette_count]. Without out_dual_quats (NULL)
 * neither they nor the stretches are computed. */
mrw_status view_posed_place(view_posed *posed, const mrw_mat34 *root, mrw_mat34 *out_palette,
                            mrw_dual_quat *out_dual_quats, mrw_mat34 *out_stretches,
                            bool *out_has_stretch);

/* The vertices of one instance's mesh with its morph targets applied, before skinning. Pointers
 * as in view_posed_vertices. */
mrw_status view_posed_morph(const view_posed *posed, uint32_t instance, float *out_positions,
                            float *out_normals);

/* Scene-space vertices of one instance: morph targets, then skinning by `method` (a rigid instance
 * follows its joint whatever the method). out_positions [vertex_count * 3]; out_normals the same, or
 * NULL (must be NULL if the mesh has none). Errors: INVALID_ARGUMENT and those of
 * mrw_skin_vertices. */
mrw_status view_posed_vertices(const view_posed *posed, uint32_t instance, mrw_skin_method method,
                               float *out_positions, float *out_normals);

/* The same with any mix of the methods: 0 linear .. 1 dual quaternion. */
mrw_status view_posed_vertices_mixed(const view_posed *posed, uint32_t instance,
                                     float dual_quat_weight, float *out_positions,
                                     float *out_normals);

#endif
