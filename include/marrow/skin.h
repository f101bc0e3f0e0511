/* marrow/skin.h: from model matrices to moved vertices.
 *
 *     model matrices --mrw_palette--> palette --mrw_palette_dual_quats--> dual quaternions
 *                                       |                                      |
 *     vertices ----mrw_morph----> vertices ----------mrw_skin_vertices---------+--> vertices
 *
 * A skin binds one mesh to a skeleton: which joint each number in the mesh's influences
 * means, and the inverse bind matrix that brings a vertex from the mesh's space into that
 * joint's. Many skins may share a skeleton. The format is docs/format/skin_v1.md.
 */
#ifndef MARROW_SKIN_H
#define MARROW_SKIN_H

#include <marrow/asset.h>
#include <marrow/skeleton.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MRW_SKIN_VERSION 1

/* A view on the asset's bytes. Read its fields freely, write none. */
typedef struct mrw_skin {
    const mrw_asset_header *header;
    uint32_t joint_count;             /* of this skin, >= 1 */
    uint32_t skeleton_joint_count;    /* of the skeleton it was built for */
    const char *name;                 /* may be "" */
    const uint32_t *joints;           /* [joint_count] joint of the skeleton */
    const mrw_mat34 *inverse_binds;   /* [joint_count] */
} mrw_skin;

/* Validates the bytes of a skin asset and fills the view. Errors: those of
 * mrw_asset_open, WRONG_KIND, BAD_VERSION, BAD_ASSET, JOINT_RANGE, NOT_FINITE. */
MRW_API mrw_status mrw_skin_open(const void *bytes, size_t size_bytes, mrw_skin *out_skin,
                                 mrw_error *out_error);

/* --- palette: skin matrices ---------------------------------------------------- */

/* out_palette[i] = model[skin.joints[i]] * skin.inverse_binds[i] */
typedef struct mrw_palette_job {
    size_t struct_size;
    const mrw_skin *skin;
    const mrw_mat34 *model; /* [model_count] from mrw_model */
    uint32_t model_count;
    mrw_mat34 *out_palette; /* [palette_count] */
    uint32_t palette_count; /* capacity, at least skin.joint_count */
} mrw_palette_job;

static inline mrw_palette_job mrw_palette_job_default(void)
{
    mrw_palette_job job = {sizeof(mrw_palette_job), NULL, NULL, 0, NULL, 0};
    return job;
}

/* Errors: NULL_ARGUMENT, STRUCT_SIZE, JOINT_COUNT (too few model matrices), BUFFER_TOO_SMALL. */
MRW_API mrw_status mrw_palette_check(const mrw_palette_job *job, mrw_error *out_error);
MRW_API mrw_status mrw_palette(const mrw_palette_job *job);

/* Turns a palette into unit dual quaternions, and into the stretches that they cannot hold
 * (mrw_dual_quat_from_mat34 of each matrix). */
typedef struct mrw_dual_quat_job {
    size_t struct_size;
    const mrw_mat34 *palette; /* [palette_count] */
    uint32_t palette_count;
    mrw_dual_quat *out_dual_quats; /* [palette_count] */
    mrw_mat34 *out_stretches;      /* [palette_count], or NULL: scale is dropped */
    bool *out_has_stretch;         /* or NULL: whether any matrix is not rigid */
} mrw_dual_quat_job;

static inline mrw_dual_quat_job mrw_dual_quat_job_default(void)
{
    mrw_dual_quat_job job = {sizeof(mrw_dual_quat_job), NULL, 0, NULL, NULL, NULL};
    return job;
}

/* Errors: NULL_ARGUMENT, STRUCT_SIZE. */
MRW_API mrw_status mrw_palette_dual_quats_check(const mrw_dual_quat_job *job,
                                                mrw_error *out_error);
MRW_API mrw_status mrw_palette_dual_quats(const mrw_dual_quat_job *job);

/* --- from local pose to palette ------------------------------------------------------ */

/* mrw_model, mrw_palette and mrw_palette_dual_quats in one call: the same bits, and what one
 * writes is still in the cache, or on its way there, when the next reads it. */
typedef struct mrw_pose_palette_job {
    size_t struct_size;
    const mrw_skeleton *skeleton;
    const mrw_pose *pose;
    const mrw_mat34 *root;         /* placed before every root joint; or NULL for the identity */
    const mrw_skin *skin;
    mrw_mat34 *out_model;          /* [model_count] */
    uint32_t model_count;          /* capacity, at least the skeleton's joint count */
    uint32_t palette_count;        /* capacity of each of the following, at least skin.joint_count */
    mrw_mat34 *out_palette;        /* [palette_count] */
    mrw_dual_quat *out_dual_quats; /* [palette_count], or NULL */
    mrw_mat34 *out_stretches;      /* [palette_count], or NULL; only with out_dual_quats */
    bool *out_has_stretch;         /* or NULL; only with out_dual_quats */
} mrw_pose_palette_job;

static inline mrw_pose_palette_job mrw_pose_palette_job_default(void)
{
    mrw_pose_palette_job job = {sizeof(mrw_pose_palette_job), NULL, NULL, NULL, NULL, NULL, 0, 0,
                                NULL, NULL, NULL, NULL};
    return job;
}

/* Errors: those of mrw_model_check and mrw_palette_check; NULL_ARGUMENT for out_dual_quats where
 * only what is made from them is asked for. */
MRW_API mrw_status mrw_pose_palette_check(const mrw_pose_palette_job *job, mrw_error *out_error);
MRW_API mrw_status mrw_pose_palette(const mrw_pose_palette_job *job);

/* --- morph targets -------------------------------------------------------------- */

/* Differences to the base mesh, tightly packed xyz: of all its vertices, or, in a sparse target, of
 * those that `vertices` lists; the others stay as they are. */
typedef struct mrw_morph_target {
    const float *positions;   /* [count * 3], or NULL */
    const float *normals;     /* [count * 3], or NULL */
    const float *tangents;    /* [count * 3], or NULL */
    const uint32_t *vertices; /* [count], strictly increasing; or NULL: all, and count is not read */
    uint32_t count;
} mrw_morph_target;

/* How many vertices a target has differences for, and which of the mesh the i-th of them is. */
static inline uint32_t mrw_morph_target_count(const mrw_morph_target *target,
                                              uint32_t vertex_count)
{
    return target->vertices != NULL ? target->count : vertex_count;
}

static inline uint32_t mrw_morph_target_vertex(const mrw_morph_target *target, uint32_t i)
{
    return target->vertices != NULL ? target->vertices[i] : i;
}

/* A stream of vectors, one a vertex, any distance apart. A job skips a stream whose data is
 * NULL, where its comment allows that. */
typedef struct mrw_stream {
    const float *data;
    size_t stride_bytes; /* a multiple of 4; 0 means tightly packed */
} mrw_stream;

typedef struct mrw_out_stream {
    float *data;
    size_t stride_bytes;
} mrw_out_stream;

/* out = in + sum of weight * target, in the order of the targets. Normals and tangents are
 * not normalised here: skinning does that. A weight of 0 costs nothing. Dense and sparse targets
 * can be mixed. A sparse one gives the bits of a dense one with zeros, but that adding 0 to -0
 * gives +0. */
typedef struct mrw_morph_job {
    size_t struct_size;
    uint32_t vertex_count;
    uint32_t target_count;
    const mrw_morph_target *targets; /* [target_count] */
    const float *weights;            /* [target_count] any finite value */
    mrw_stream positions;            /* xyz */
    mrw_stream normals;              /* xyz, or NULL data */
    mrw_stream tangents;             /* xyzw, or NULL data; w, the handedness, is copied */
    mrw_out_stream out_positions;    /* may be the input */
    mrw_out_stream out_normals;      /* NULL data exactly when the input's is */
    mrw_out_stream out_tangents;
} mrw_morph_job;

static inline mrw_morph_job mrw_morph_job_default(void)
{
    mrw_morph_job job = {sizeof(mrw_morph_job), 0, 0, NULL, NULL,
                         {NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}};
    return job;
}

/* Errors: NULL_ARGUMENT, STRUCT_SIZE, INVALID_ARGUMENT (a stride), NOT_FINITE (a weight),
 * INDEX_RANGE (a sparse target's last vertex). Its other vertices are not looked at here: it would
 * cost as much as the job. Use mrw_morph_check_vertices once, when a mesh is loaded. */
MRW_API mrw_status mrw_morph_check(const mrw_morph_job *job, mrw_error *out_error);
MRW_API mrw_status mrw_morph(const mrw_morph_job *job);

/* Reads the vertices of all sparse targets: below vertex_count, strictly increasing. Errors:
 * NULL_ARGUMENT, INDEX_RANGE, INVALID_ARGUMENT. The error's detail names the place. */
MRW_API mrw_status mrw_morph_check_vertices(const mrw_morph_target *targets, uint32_t target_count,
                                            uint32_t vertex_count, mrw_error *out_error);

/* --- skinning --------------------------------------------------------------------- */

typedef enum mrw_skin_method {
    MRW_SKIN_LINEAR = 0,    /* linear blend skinning */
    MRW_SKIN_DUAL_QUAT = 1, /* dual quaternion skinning (Kavan et al. 2008) */
    MRW_SKIN_BLENDED = 2    /* both, mixed per vertex by dual_quat_weights */
} mrw_skin_method;

/* How normals follow the blended matrix M of a vertex. */
typedef enum mrw_normal_mode {
    MRW_NORMAL_INVERSE_TRANSPOSE = 0, /* the exact normal of the deformed surface */
    MRW_NORMAL_LINEAR = 1 /* M itself: cheaper, the same where scale is uniform in each joint */
} mrw_normal_mode;

/* How joints and weights are stored, in the machine's byte order. A whole number w stands for the
 * weight w / 255 or w / 65535, rounded once to a float. */
typedef enum mrw_joint_format {
    MRW_JOINT_UINT16 = 0,
    MRW_JOINT_UINT8 = 1
} mrw_joint_format;

typedef enum mrw_weight_format {
    MRW_WEIGHT_FLOAT = 0,
    MRW_WEIGHT_UNORM8 = 1,
    MRW_WEIGHT_UNORM16 = 2
} mrw_weight_format;

/* Moves vertex_count vertices. Per vertex, with influences (j, w):
 *
 *   linear:    M = sum w * palette[j]; p' = M p
 *   dual quat: first p1 = (sum w * stretches[j]) p, then the rigid motion of
 *              sum w * s * dual_quats[j], normalised, with s = -1 for the quaternions on the other
 *              hemisphere than the vertex's heaviest influence's
 *   blended:   p' = (1 - b) * linear + b * dual quat, b = dual_quat_weights[vertex]
 *
 * Weights are expected to sum to 1; they are used as they are, not normalised again, in any format:
 * where whole numbers do not sum to 255 or 65535, linear skinning draws the vertex towards the
 * origin, or away from it, by the share that is missing. Every format and stride gives the same bits
 * as the same numbers in packed arrays of uint16_t and float. A vertex all of whose weights are 0
 * keeps its place. Normals and tangents come out with unit length, or zero where the input is zero
 * or the surface collapses. Positions are within 1e-6 of their size, normals within 1e-6 rad of
 * exact arithmetic where matrices are far from singular. */
typedef struct mrw_skin_job {
    size_t struct_size;
    mrw_skin_method method;
    mrw_normal_mode normal_mode;

    const mrw_mat34 *palette;          /* [palette_count]; linear and blended */
    const mrw_dual_quat *dual_quats;   /* [palette_count]; dual quat and blended */
    const mrw_mat34 *stretches;        /* [palette_count], or NULL: no scale */
    uint32_t palette_count;

    uint32_t vertex_count;
    uint32_t influence_count;          /* per vertex, >= 1, any number; fast up to 8 */
    const void *joints;                /* [vertex_count][influence_count], < palette_count */
    const void *weights;               /* [vertex_count][influence_count], >= 0 */
    size_t joint_stride_bytes;         /* from a vertex to the next, 0 means tightly packed; */
    size_t weight_stride_bytes;        /* a multiple of a number's size, as the address is */
    mrw_joint_format joint_format;     /* MRW_JOINT_UINT16 by default */
    mrw_weight_format weight_format;   /* MRW_WEIGHT_FLOAT by default */
    const float *dual_quat_weights;    /* [vertex_count] 0 linear .. 1 dual quat; blended only */

    mrw_stream positions;              /* xyz */
    mrw_stream normals;                /* xyz, or NULL data */
    mrw_stream tangents;               /* xyzw, or NULL data; w is copied, negated by a mirror */
    mrw_out_stream out_positions;      /* may be the input */
    mrw_out_stream out_normals;        /* NULL data exactly when the input's is */
    mrw_out_stream out_tangents;
} mrw_skin_job;

static inline mrw_skin_job mrw_skin_job_default(void)
{
    mrw_skin_job job = {sizeof(mrw_skin_job), MRW_SKIN_LINEAR, MRW_NORMAL_INVERSE_TRANSPOSE,
                        NULL, NULL, NULL, 0, 0, 0, NULL, NULL, 0, 0,
                        MRW_JOINT_UINT16, MRW_WEIGHT_FLOAT, NULL,
                        {NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}};
    return job;
}

/* Errors: NULL_ARGUMENT, STRUCT_SIZE, INVALID_ARGUMENT (method, mode, influence_count, format,
 * alignment, stride). Joint numbers are not looked at here: it would cost as much as the job. Use
 * mrw_skin_check_influences once, when a mesh is loaded. */
MRW_API mrw_status mrw_skin_check(const mrw_skin_job *job, mrw_error *out_error);
MRW_API mrw_status mrw_skin_vertices(const mrw_skin_job *job);

/* Reads all influences: joint numbers below palette_count, weights finite and not negative. Of the
 * job only palette_count, vertex_count, influence_count, and joints and weights with their strides
 * and formats are read.
 * Errors: NULL_ARGUMENT, STRUCT_SIZE, JOINT_RANGE, NOT_FINITE, INVALID_ARGUMENT. The error's
 * detail names the vertex. */
MRW_API mrw_status mrw_skin_check_influences(const mrw_skin_job *job, mrw_error *out_error);

/* --- order ---------------------------------------------------------------------- */

/* out[places[v]] = in[v], vectors of `width` floats: vertices that were skinned in the order of a
 * grouped mesh go back to the file's order with the mesh's source_vertices. A width of 1 or more;
 * `in` and `out` must not overlap. Errors: NULL_ARGUMENT, INVALID_ARGUMENT (the width, a stride),
 * INDEX_RANGE (a place that is not below vertex_count; those before it are written). */
MRW_API mrw_status mrw_stream_scatter(mrw_stream in, uint32_t width, const uint32_t *places,
                                      uint32_t vertex_count, mrw_out_stream out);

/* --- bounds --------------------------------------------------------------------- */

/* Empty where min is +infinity and max -infinity. */
typedef struct mrw_box {
    mrw_vec3 min, max;
} mrw_box;

/* The exact box of positions, e.g. of a job's output. Coordinates that are NaN do not count.
 * Errors: NULL_ARGUMENT, INVALID_ARGUMENT (a stride). */
MRW_API mrw_status mrw_box_of_positions(mrw_stream positions, uint32_t vertex_count,
                                        mrw_box *out_box);

/* For each joint of the palette the box of the vertices that it moves, as they are bound, and last
 * the box of those that no joint moves: palette_count + 1 boxes. Once for each mesh; if it is
 * morphed before, grow the boxes by the largest difference. Of the job only
 * palette_count, vertex_count, influence_count, positions, and joints and weights with their
 * strides and formats are read.
 * Errors: NULL_ARGUMENT, STRUCT_SIZE, INVALID_ARGUMENT (format, alignment, stride), JOINT_RANGE. */
MRW_API mrw_status mrw_joint_boxes(const mrw_skin_job *job, mrw_box *out_boxes);

/* A box that holds the linearly skinned mesh in this pose, at the cost of one matrix per joint.
 * Never smaller than the exact one where weights sum to 1 within 5e-6. (Not for dual quaternions,
 * which swell outside it where joints twist.)
 * Errors: NULL_ARGUMENT. */
MRW_API mrw_status mrw_skin_bounds(const mrw_mat34 *palette, const mrw_box *joint_boxes,
                                   uint32_t palette_count, mrw_box *out_box);

#ifdef __cplusplus
}
#endif

#endif
