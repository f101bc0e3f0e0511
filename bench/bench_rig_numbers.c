/* bench_rig_load_numbers: a rig that is not a file of any format, built with mrw_build_*. */
#include "bench_rig.h"

#include "bench_time.h"

#include <marrow/offline/offline.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_CLIPS = 4, MAX_FRAMES = 1 << 16, MAX_VERTICES = 1 << 22 };

typedef struct bench_rig_parts {
    mrw_bytes skeleton_bytes, skin_bytes, clip_bytes[NUMBER_CLIPS];
    mrw_skeleton skeleton;
    mrw_skin skin;
    mrw_clip clips[NUMBER_CLIPS];
} bench_rig_parts;

void bench_rig_free_parts(bench_rig_parts *parts)
{
    if (parts == NULL)
        return;
    mrw_bytes_free(&parts->skeleton_bytes);
    mrw_bytes_free(&parts->skin_bytes);
    for (int i = 0; i < NUMBER_CLIPS; i++)
        mrw_bytes_free(&parts->clip_bytes[i]);
    free(parts);
}

/* A file that is read from front to back; once something is missing, all that follows is too. */
typedef struct number_file {
    FILE *file;
    bool failed;
} number_file;

static void read_bytes(number_file *in, void *out, size_t size_bytes)
{
    if (!in->failed && fread(out, 1, size_bytes, in->file) != size_bytes)
        in->failed = true;
    if (in->failed)
        memset(out, 0, size_bytes);
}

/* A count from 1 to `most`. */
static uint32_t read_count(number_file *in, uint32_t most)
{
    uint32_t count = 0;
    read_bytes(in, &count, sizeof(count));
    if (count == 0 || count > most)
        in->failed = true;
    return in->failed ? 1 : count;
}

static void *read_array(number_file *in, size_t count, size_t size_bytes)
{
    void *array = bench_alloc(count, size_bytes);
    read_bytes(in, array, count * size_bytes);
    return array;
}

typedef struct number_clip {
    uint32_t frame_count;
    float duration_s;
    float rate;
    const mrw_transform *frames; /* [frame_count][joint_count] */
} number_clip;

/* Less than half precision can tell: the numbers are what a compressed clip gave back. */
#define STILL 2e-5f

/* The channels of a transform as tracks: where its floats begin, how many there are. */
static const struct {
    mrw_track_kind kind;
    uint32_t first, width;
} channels[] = {{MRW_TRACK_TRANSLATION, 0, 3}, {MRW_TRACK_ROTATION, 3, 4}, {MRW_TRACK_SCALE, 7, 3}};

static void transform_floats(const mrw_transform *transform, float out[10])
{
    memcpy(out, &transform->translation, 3 * sizeof(float));
    memcpy(out + 3, &transform->rotation, 4 * sizeof(float));
    memcpy(out + 7, &transform->scale, 3 * sizeof(float));
}

/* The keys of one channel of one joint, or NULL if it stands still as the rest pose does. */
static float *channel_values(const number_clip *clip, uint32_t joint_count, uint32_t joint,
                             const mrw_transform *rest, uint32_t channel, uint32_t *out_keys)
{
    uint32_t first = channels[channel].first, width = channels[channel].width;
    float *values = bench_alloc((size_t)clip->frame_count * width, sizeof(*values));
    float from_first = 0.0f, from_rest = 0.0f, still[10];
    transform_floats(rest, still);
    for (uint32_t frame = 0; frame < clip->frame_count; frame++) {
        float floats[10];
        transform_floats(&clip->frames[(size_t)frame * joint_count + joint], floats);
        for (uint32_t k = 0; k < width; k++) {
            float *value = &values[(size_t)frame * width + k];
            *value = floats[first + k];
            float moved = *value - values[k], away = *value - still[first + k];
            from_first = moved * moved > from_first ? moved * moved : from_first;
            from_rest = away * away > from_rest ? away * away : from_rest;
        }
    }
    *out_keys = from_first > STILL * STILL ? clip->frame_count : 1;
    return from_rest > STILL * STILL ? values : NULL;
}

static mrw_status build_clip(const number_clip *clip, const char *name, const uint32_t *order,
                             const mrw_transform *rest, bench_rig_parts *parts, int index,
                             mrw_error *out_error)
{
    uint32_t joint_count = parts->skeleton.joint_count, track_count = 0;
    float *times = bench_alloc(clip->frame_count, sizeof(*times));
    for (uint32_t frame = 0; frame < clip->frame_count; frame++)
        times[frame] = (float)frame / clip->rate;
    mrw_track_desc *tracks = bench_alloc((size_t)joint_count * 3, sizeof(*tracks));
    for (uint32_t joint = 0; joint < joint_count; joint++) {
        for (uint32_t channel = 0; channel < 3; channel++) {
            uint32_t keys = 0;
            const float *values =
                channel_values(clip, joint_count, joint, &rest[joint], channel, &keys);
            if (values != NULL)
                tracks[track_count++] = (mrw_track_desc){channels[channel].kind,
                                                         order[joint],
                                                         MRW_INTERPOLATION_LINEAR,
                                                         keys,
                                                         times,
                                                         values};
        }
    }
    mrw_status status = mrw_build_clip(&parts->skeleton, name, tracks, track_count, -1.0f, NULL,
                                       &parts->clip_bytes[index], out_error);
    return status != MRW_OK
               ? status
               : mrw_clip_open(parts->clip_bytes[index].data, parts->clip_bytes[index].size_bytes,
                               &parts->clips[index], out_error);
}

static mrw_status build_skeleton(const int32_t *parents, const mrw_transform *rest, uint32_t count,
                                 uint32_t *out_order, bench_rig_parts *parts, mrw_error *out_error)
{
    mrw_joint_desc *joints = bench_alloc(count, sizeof(*joints));
    for (uint32_t i = 0; i < count; i++)
        joints[i] = (mrw_joint_desc){NULL, parents[i], rest[i], (int32_t)i};
    mrw_status status = mrw_build_skeleton(joints, count, NULL, 0, NULL, out_order,
                                           &parts->skeleton_bytes, out_error);
    return status != MRW_OK
               ? status
               : mrw_skeleton_open(parts->skeleton_bytes.data, parts->skeleton_bytes.size_bytes,
                                   &parts->skeleton, out_error);
}

static mrw_status build_skin(const float *inverse_binds, const uint32_t *order, uint32_t count,
                             bench_rig_parts *parts, mrw_error *out_error)
{
    mrw_mat34 *matrices = bench_alloc(count, sizeof(*matrices));
    for (uint32_t i = 0; i < count; i++)
        matrices[i] = mrw_mat34_from_column_major(inverse_binds + (size_t)i * 16);
    mrw_status status = mrw_build_skin(&parts->skeleton, NULL, order, matrices, count, NULL,
                                       &parts->skin_bytes, out_error);
    return status != MRW_OK ? status
                            : mrw_skin_open(parts->skin_bytes.data, parts->skin_bytes.size_bytes,
                                            &parts->skin, out_error);
}

static void read_vertices(number_file *in, bench_rig *rig)
{
    uint32_t count = read_count(in, MAX_VERTICES);
    rig->vertex_count = count;
    rig->influence_count = 4;
    rig->positions = read_array(in, (size_t)count * 3, sizeof(float));
    rig->normals = read_array(in, (size_t)count * 3, sizeof(float));
    const uint32_t *joints = read_array(in, (size_t)count * 4, sizeof(*joints));
    float *weights = read_array(in, (size_t)count * 4, sizeof(float));
    rig->weights = weights;
    uint16_t *narrow = bench_alloc((size_t)count * 4, sizeof(*narrow));
    for (size_t i = 0; i < (size_t)count * 4; i++)
        narrow[i] = joints[i] > UINT16_MAX ? UINT16_MAX : (uint16_t)joints[i];
    /* Of a last weight that was computed as 1 - the others, rounding can leave less than nothing.
     */
    for (size_t i = 0; i < (size_t)count * 4; i++) {
        if (weights[i] < 0.0f && weights[i] > -1e-6f)
            weights[i] = 0.0f;
    }
    rig->joints = narrow;
}

static mrw_status read_rig(number_file *in, bench_rig *rig, mrw_error *out_error)
{
    bench_rig_parts *parts = rig->parts;
    uint32_t count = read_count(in, MRW_MAX_JOINTS);
    const int32_t *parents = read_array(in, count, sizeof(*parents));
    const mrw_transform *rest = read_array(in, count, sizeof(*rest));
    const float *inverse_binds = read_array(in, (size_t)count * 16, sizeof(float));
    uint32_t *order = bench_alloc(count, sizeof(*order));
    mrw_status status = in->failed ? MRW_ERR_TRUNCATED : MRW_OK;
    if (status == MRW_OK)
        status = build_skeleton(parents, rest, count, order, parts, out_error);
    if (status == MRW_OK)
        status = build_skin(inverse_binds, order, count, parts, out_error);

    static const char *const names[NUMBER_CLIPS] = {"walk", "jog", "run", "atlas"};
    for (int i = 0; i < NUMBER_CLIPS && status == MRW_OK; i++) {
        number_clip clip = {.frame_count = read_count(in, MAX_FRAMES)};
        read_bytes(in, &clip.duration_s, sizeof(clip.duration_s));
        read_bytes(in, &clip.rate, sizeof(clip.rate));
        clip.frames = read_array(in, (size_t)clip.frame_count * count, sizeof(*clip.frames));
        status = in->failed ? MRW_ERR_TRUNCATED
                            : build_clip(&clip, names[i], order, rest, parts, i, out_error);
    }
    if (status != MRW_OK)
        return status;
    read_vertices(in, rig);
    mrw_skin_job job = mrw_skin_job_default();
    job.palette_count = count;
    job.vertex_count = rig->vertex_count;
    job.influence_count = 4;
    job.joints = rig->joints;
    job.weights = rig->weights;
    return in->failed ? MRW_ERR_TRUNCATED : mrw_skin_check_influences(&job, out_error);
}

bool bench_rig_load_numbers(const char *path, bench_rig *out_rig)
{
    const char *slash = strrchr(path, '/');
    *out_rig = (bench_rig){.name = slash != NULL ? slash + 1 : path};
    number_file in = {fopen(path, "rb"), false};
    if (in.file == NULL) {
        fprintf(stderr, "marrow_bench: %s cannot be read\n", path);
        return false;
    }
    out_rig->parts = calloc(1, sizeof(*out_rig->parts));
    mrw_error error = {0};
    mrw_status status =
        out_rig->parts == NULL ? MRW_ERR_OUT_OF_MEMORY : read_rig(&in, out_rig, &error);
    fclose(in.file);
    if (status != MRW_OK) {
        fprintf(stderr, "marrow_bench: %s: %s: %s %s\n", path, mrw_status_text(status),
                error.detail, error.message);
        bench_rig_free(out_rig);
        return false;
    }
    out_rig->skeleton = &out_rig->parts->skeleton;
    out_rig->skin = &out_rig->parts->skin;
    out_rig->clip_count = NUMBER_CLIPS;
    out_rig->clips = out_rig->parts->clips;
    return bench_rig_complete(out_rig);
}
