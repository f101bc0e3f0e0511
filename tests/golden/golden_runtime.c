/* The same bits everywhere: one hash for each stage of the runtime, over results from inputs made
 * here. CMake builds this program at several optimisation levels; runtime.txt holds the hashes that
 * all of them, with every compiler, on every machine and with every instruction set, must give.
 *
 *     golden_runtime             prints the hashes in the form of runtime.txt
 *     golden_runtime FILE        compares them with a file, for each instruction set that this
 *                                machine has; exits with 1 if one differs
 *
 * As a WebAssembly module it has no files: golden_wasm.mjs asks for one hash after the other.
 *
 * A hash may change only when a change of the results is meant, and the commit says why.
 */
#include <marrow/marrow.h>

#include "golden/golden_hash.h"
#include "unit/random.h"
#include "unit/track_lists.h"

#ifndef __wasm__
#include <stdio.h>
#include <stdlib.h>
#endif
#include <string.h>

enum {
    JOINTS = 300,
    BLOCKS = (JOINTS + MRW_POSE_LANES - 1) / MRW_POSE_LANES,
    SCALARS = 10,
    KEYS = 9,
    SKIN_JOINTS = 120,
    VERTICES = 500,
    INFLUENCES = 6,
    TARGETS = 4
};

static void hash_float(hash *h, float value)
{
    hash_add(h, &value, sizeof(value));
}

/* A job that refuses its input would leave a hash of nothing. */
static void require(mrw_status status)
{
    if (status == MRW_OK)
        return;
#ifdef __wasm__
    __builtin_trap();
#else
    fprintf(stderr, "golden_runtime: %s\n", mrw_status_name(status));
    exit(1);
#endif
}

/* --- math ------------------------------------------------------------------------- */

static hash run_trigonometry(void)
{
    hash h = hash_begin();
    uint64_t random = 1;
    for (int i = 0; i < 20000; i++) {
        float angle = random_float(&random, -1000.0f, 1000.0f);
        float x = random_float(&random, -1.0f, 1.0f), y = random_float(&random, -1.0f, 1.0f);
        hash_float(&h, mrw_sin(angle));
        hash_float(&h, mrw_cos(angle));
        hash_float(&h, mrw_acos(x));
        hash_float(&h, mrw_atan2(y, x));
        hash_float(&h, mrw_sqrt(x * x));
    }
    return h;
}

static hash run_quaternions(void)
{
    hash h = hash_begin();
    uint64_t random = 2;
    for (int i = 0; i < 10000; i++) {
        mrw_quat a = random_quat(&random), b = random_quat(&random);
        float t = random_float(&random, 0.0f, 1.0f);
        mrw_vec3 v = random_vec3(&random, -1.0f, 1.0f);
        mrw_quat results[4] = {mrw_quat_slerp(a, b, t), mrw_quat_nlerp(a, b, t), mrw_quat_mul(a, b),
                               mrw_quat_from_axis_angle(v, t)};
        mrw_vec3 turned = mrw_quat_rotate(a, v);
        hash_add(&h, results, sizeof(results));
        hash_add(&h, &turned, sizeof(turned));
    }
    return h;
}

static hash run_matrices(void)
{
    hash h = hash_begin();
    uint64_t random = 3;
    for (int i = 0; i < 5000; i++) {
        mrw_transform ta = random_transform(&random, -2.0f, 2.0f), parts;
        mrw_transform tb = random_transform(&random, 0.5f, 2.0f);
        mrw_mat34 a = mrw_mat34_from_transform(&ta), b = mrw_mat34_from_transform(&tb);
        mrw_mat34 product = mrw_mat34_mul(&a, &b), inverse, stretch;
        mrw_dual_quat rigid;
        mrw_mat34_inverse(&product, &inverse);
        hash_float(&h, mrw_mat34_decompose(&product, &parts));
        mrw_dual_quat_from_mat34(&product, &rigid, &stretch);
        mrw_mat34 back = mrw_mat34_from_dual_quat(&rigid);
        hash_add(&h, &product, sizeof(product));
        hash_add(&h, &inverse, sizeof(inverse));
        hash_add(&h, &parts, sizeof(parts));
        hash_add(&h, &rigid, sizeof(rigid));
        hash_add(&h, &stretch, sizeof(stretch));
        hash_add(&h, &back, sizeof(back));
    }
    return h;
}

/* --- sample and blend -------------------------------------------------------------- */

static mrw_asset_header header; /* of a skeleton and a clip that share an id */
static mrw_skeleton skeleton;
static int32_t parents[JOINTS];
static mrw_pose_block rest_blocks[BLOCKS];
static float rest_scalars[SCALARS];

static void make_skeleton(void)
{
    uint64_t random = 8;
    mrw_pose rest = {BLOCKS * MRW_POSE_LANES, SCALARS, rest_blocks, rest_scalars};
    for (uint32_t i = JOINTS; i < rest.joint_count; i++) {
        mrw_transform padding = mrw_transform_identity();
        mrw_pose_set_joint(&rest, i, &padding);
    }
    for (uint32_t i = 0; i < JOINTS; i++) {
        mrw_transform local = random_transform(&random, 0.8f, 1.2f);
        parents[i] = i == 0 ? -1 : (int32_t)(random_bits(&random) % i);
        mrw_pose_set_joint(&rest, i, &local);
    }
    header.skeleton_id = 1;
    skeleton.header = &header;
    skeleton.joint_count = JOINTS;
    skeleton.scalar_count = SCALARS;
    skeleton.parents = parents;
    skeleton.rest_blocks = rest_blocks;
    skeleton.rest_scalars = rest_scalars;
}

static track_lists lists;
static mrw_track tracks[3 * JOINTS + SCALARS];
static float key_times[KEYS];
static float key_values[(3 + 4 + 3) * JOINTS * 3 * KEYS + SCALARS * 3 * KEYS];

/* One value of a track, or one tangent. */
static void fill_value(float *value, mrw_track_kind kind, bool tangent, uint64_t *random)
{
    if (kind == MRW_TRACK_ROTATION && !tangent) {
        mrw_quat q = random_quat(random);
        memcpy(value, &q, sizeof(q));
        return;
    }
    for (uint32_t i = 0; i < mrw_track_width(kind); i++)
        value[i] = random_float(random, -1.0f, 1.0f);
}

/* All kinds of tracks and interpolations in turn; a third of the joints keeps its rest pose. */
static mrw_clip make_clip(void)
{
    uint64_t random = 9;
    mrw_clip clip = {0};
    for (uint32_t i = 0; i < KEYS; i++)
        key_times[i] = (float)i * 0.3f + random_float(&random, 0.05f, 0.3f);
    for (uint32_t kind = MRW_TRACK_TRANSLATION; kind <= MRW_TRACK_SCALAR; kind++) {
        uint32_t target_count = kind == MRW_TRACK_SCALAR ? SCALARS : JOINTS;
        for (uint32_t target = kind % 3; target < target_count; target++) {
            if (target % 3 == 2)
                continue;
            uint32_t interpolation = random_bits(&random) % 3;
            bool cubic = interpolation == MRW_INTERPOLATION_CUBIC;
            tracks[clip.track_count++] = (mrw_track){
                target, (uint8_t)kind, (uint8_t)interpolation, 0, KEYS, 0, clip.value_count};
            for (uint32_t i = 0; i < (cubic ? 3u : 1u) * KEYS; i++) {
                fill_value(key_values + clip.value_count, (mrw_track_kind)kind, cubic && i % 3 != 1,
                           &random);
                clip.value_count += mrw_track_width((mrw_track_kind)kind);
            }
        }
    }
    clip.header = &header;
    clip.encoding = MRW_CLIP_KEYED;
    clip.joint_count = JOINTS;
    clip.scalar_count = SCALARS;
    clip.duration_s = key_times[KEYS - 1];
    clip.name = "";
    clip.tracks = tracks;
    clip.times = key_times;
    clip.values = key_values;
    clip.time_count = KEYS;
    track_lists_fill(&lists, &clip);
    return clip;
}

/* Two poses and where they are blended to. */
static mrw_pose_block blocks[3][BLOCKS];
static float scalars[3][SCALARS];
static mrw_pose poses[3];

static void hash_pose(hash *h, const mrw_pose *pose)
{
    hash_add(h, pose->blocks, BLOCKS * sizeof(mrw_pose_block));
    hash_add(h, pose->scalars, SCALARS * sizeof(float));
}

static hash run_sample(void)
{
    make_skeleton();
    mrw_clip clip = make_clip();
    for (int i = 0; i < 3; i++)
        poses[i] = (mrw_pose){JOINTS, SCALARS, blocks[i], scalars[i]};
    hash h = hash_begin();
    for (int i = 0; i < 40; i++) {
        mrw_sample_job job = mrw_sample_job_default();
        job.clip = &clip;
        job.skeleton = &skeleton;
        job.time_s = (double)i * 0.37 - 2.0;
        job.loop = i % 2 == 0;
        job.out_pose = &poses[i % 2];
        require(mrw_sample(&job));
        hash_pose(&h, job.out_pose);
    }
    return h;
}

static hash run_blend(void)
{
    hash h = hash_begin();
    for (int i = 0; i <= 20; i++) {
        float t = (float)i / 20.0f;
        const mrw_blend_layer layers[2] = {{.pose = &poses[0], .weight = 1.0f - t},
                                           {.pose = &poses[1], .weight = t}};
        mrw_blend_job job = mrw_blend_job_default();
        job.skeleton = &skeleton;
        job.layers = layers;
        job.layer_count = 2;
        job.out_pose = &poses[2];
        require(mrw_blend(&job));
        hash_pose(&h, &poses[2]);
    }
    return h;
}

/* Masks, the rest pose below a threshold, and a difference on top. */
static hash run_blend_layers(void)
{
    static _Alignas(64) mrw_pose_block delta_blocks[BLOCKS];
    static float delta_scalars[SCALARS], masks[2][JOINTS];
    mrw_pose delta = {JOINTS, SCALARS, delta_blocks, delta_scalars};
    uint64_t random = 8;
    for (int i = 0; i < 2; i++)
        for (int joint = 0; joint < JOINTS; joint++) {
            uint32_t kind = random_bits(&random) % 3;
            masks[i][joint] = kind < 2 ? (float)kind : random_float(&random, 0.0f, 1.0f);
        }
    require(mrw_pose_make_additive(&poses[0], &poses[1], &delta));
    hash h = hash_begin();
    hash_pose(&h, &delta);
    const mrw_blend_layer layers[3] = {
        {.pose = &poses[0], .weight = 0.5f, .joint_weights = masks[0]},
        {.pose = &poses[1], .weight = 0.25f, .scalar_weights = masks[1]},
        {.pose = &delta, .weight = 0.125f, .joint_weights = masks[1]},
    };
    const mrw_blend_layer additive = {&delta, 0.7f, masks[1], masks[0]};
    mrw_blend_job job = mrw_blend_job_default();
    job.skeleton = &skeleton;
    job.layers = layers;
    job.out_pose = &poses[2];
    job.additive_layers = &additive;
    for (uint32_t i = 0; i < 4; i++) {
        job.layer_count = i;
        job.rest_threshold = (float)(i % 2);
        job.additive_layer_count = i / 2;
        require(mrw_blend(&job));
        hash_pose(&h, &poses[2]);
    }
    return h;
}

/* Across a plane that lies askew, neighbours below one parent being pairs. */
static hash run_mirror(void)
{
    static mrw_mirror_joint table[JOINTS];
    static uint32_t pairs[JOINTS];
    for (uint32_t i = 0; i < JOINTS; i++)
        pairs[i] = i;
    for (uint32_t i = 1; i < JOINTS; i++)
        if (parents[i] == parents[i - 1] && pairs[i - 1] == i - 1) {
            pairs[i] = i - 1;
            pairs[i - 1] = i;
        }
    mrw_mirror_build_job build = mrw_mirror_build_job_default();
    build.skeleton = &skeleton;
    build.plane_normal = (mrw_vec3){1.0f, 2.0f, 3.0f};
    build.pairs = pairs;
    build.out_joints = table;
    build.joint_count = JOINTS;
    require(mrw_mirror_build(&build));
    mrw_mirror_job job = mrw_mirror_job_default();
    job.skeleton = &skeleton;
    job.joints = table;
    job.joint_count = JOINTS;
    job.pose = &poses[0];
    job.out_pose = &poses[2];
    require(mrw_mirror_pose(&job));
    hash h = hash_begin();
    hash_pose(&h, &poses[2]);
    return h;
}

/* --- model and palette ------------------------------------------------------------ */

static mrw_mat34 model[JOINTS];
static uint32_t skin_joints[SKIN_JOINTS];
static mrw_mat34 inverse_binds[SKIN_JOINTS];
static mrw_mat34 palette[SKIN_JOINTS], stretches[SKIN_JOINTS];
static mrw_dual_quat dual_quats[SKIN_JOINTS];

static hash run_model(void)
{
    const mrw_pose rest = {JOINTS, SCALARS, rest_blocks, rest_scalars};
    mrw_model_job job = mrw_model_job_default();
    job.skeleton = &skeleton;
    job.pose = &rest;
    job.out_model = model;
    job.model_count = JOINTS;
    hash h = hash_begin();
    require(mrw_model(&job));
    hash_add(&h, model, sizeof(model));
    return h;
}

static hash run_palette(void)
{
    uint64_t random = 5;
    mrw_skin skin = {0};
    skin.joint_count = SKIN_JOINTS;
    skin.skeleton_joint_count = JOINTS;
    skin.joints = skin_joints;
    skin.inverse_binds = inverse_binds;
    for (uint32_t i = 0; i < SKIN_JOINTS; i++) {
        skin_joints[i] = random_bits(&random) % JOINTS;
        mrw_transform bind = random_transform(&random, 0.8f, 1.2f);
        mrw_mat34 matrix = mrw_mat34_from_transform(&bind);
        mrw_mat34_inverse(&matrix, &inverse_binds[i]);
    }
    mrw_palette_job job = mrw_palette_job_default();
    job.skin = &skin;
    job.model = model;
    job.model_count = JOINTS;
    job.out_palette = palette;
    job.palette_count = SKIN_JOINTS;
    hash h = hash_begin();
    require(mrw_palette(&job));
    mrw_dual_quat_job convert = mrw_dual_quat_job_default();
    convert.palette = palette;
    convert.palette_count = SKIN_JOINTS;
    convert.out_dual_quats = dual_quats;
    convert.out_stretches = stretches;
    require(mrw_palette_dual_quats(&convert));
    hash_add(&h, palette, sizeof(palette));
    hash_add(&h, dual_quats, sizeof(dual_quats));
    hash_add(&h, stretches, sizeof(stretches));
    return h;
}

/* --- crowd ------------------------------------------------------------------------ */

/* Two layers each, some without weight and some without a clip; and a rest pose below a threshold.
 */
static hash run_crowd(void)
{
    enum { CHARACTERS = 29 };
    static mrw_crowd_layer layers[CHARACTERS][2];
    static mrw_mat34 palettes[CHARACTERS][SKIN_JOINTS + 1];
    static float crowd_scalars[CHARACTERS][SCALARS];
    static _Alignas(64) unsigned char scratch[1 << 20];
    uint64_t random = 10;
    mrw_clip clip = make_clip();
    for (uint32_t i = 0; i < CHARACTERS; i++)
        for (uint32_t k = 0; k < 2; k++)
            layers[i][k] = (mrw_crowd_layer){
                i % 5 == k ? NULL : &clip, (double)random_float(&random, -3.0f, 6.0f),
                i % 7 == 3 ? (float)k : random_float(&random, 0, 1), random_bits(&random) % 2 == 0};
    mrw_skin skin = {.joint_count = SKIN_JOINTS,
                     .skeleton_joint_count = JOINTS,
                     .joints = skin_joints,
                     .inverse_binds = inverse_binds};
    const mrw_crowd_part parts[2] = {{&skin, 0}, {NULL, JOINTS - 1}};
    mrw_crowd_job job = mrw_crowd_job_default();
    job.skeleton = &skeleton;
    job.parts = parts;
    job.part_count = 2;
    job.layers = layers[0];
    job.layer_count = 2;
    job.rest_threshold = 0.5f;
    job.character_count = CHARACTERS;
    job.scratch = scratch;
    job.scratch_size_bytes = sizeof(scratch);
    job.out_palettes = palettes[0];
    job.out_scalars = crowd_scalars[0];
    require(mrw_crowd(&job));
    hash h = hash_begin();
    hash_add(&h, palettes, sizeof(palettes));
    hash_add(&h, crowd_scalars, sizeof(crowd_scalars));
    return h;
}

/* --- vertices --------------------------------------------------------------------- */

static float positions[VERTICES * 3], normals[VERTICES * 3], tangents[VERTICES * 4];
static float differences[TARGETS][3][VERTICES * 3];
static uint16_t joints[VERTICES * INFLUENCES];
static float weights[VERTICES * INFLUENCES], dual_quat_weights[VERTICES];
static float out_positions[VERTICES * 3], out_normals[VERTICES * 3], out_tangents[VERTICES * 4];

static void fill(float *values, size_t count, float low, uint64_t *random)
{
    for (size_t i = 0; i < count; i++)
        values[i] = random_float(random, low, 1.0f);
}

static hash hash_vertices(const float *at_positions, const float *at_normals,
                          const float *at_tangents)
{
    hash h = hash_begin();
    hash_add(&h, at_positions, sizeof(positions));
    hash_add(&h, at_normals, sizeof(normals));
    hash_add(&h, at_tangents, sizeof(tangents));
    return h;
}

static hash run_morph(void)
{
    uint64_t random = 6;
    mrw_morph_target targets[TARGETS];
    float target_weights[TARGETS];
    fill(positions, VERTICES * 3, -1.0f, &random);
    fill(normals, VERTICES * 3, -1.0f, &random);
    fill(tangents, VERTICES * 4, -1.0f, &random);
    fill(target_weights, TARGETS, 0.0f, &random);
    for (int i = 0; i < TARGETS; i++) {
        for (int stream = 0; stream < 3; stream++)
            fill(differences[i][stream], VERTICES * 3, -1.0f, &random);
        targets[i] = (mrw_morph_target){.positions = differences[i][0],
                                        .normals = differences[i][1],
                                        .tangents = differences[i][2]};
    }
    mrw_morph_job job = mrw_morph_job_default();
    job.vertex_count = VERTICES;
    job.target_count = TARGETS;
    job.targets = targets;
    job.weights = target_weights;
    job.positions.data = job.out_positions.data = positions;
    job.normals.data = job.out_normals.data = normals;
    job.tangents.data = job.out_tangents.data = tangents;
    require(mrw_morph(&job));
    return hash_vertices(positions, normals, tangents);
}

static hash run_skin(mrw_skin_method method, mrw_normal_mode mode)
{
    uint64_t random = 7;
    fill(weights, VERTICES * INFLUENCES, 0.0f, &random);
    fill(dual_quat_weights, VERTICES, 0.0f, &random);
    for (size_t v = 0; v < VERTICES; v++) {
        float sum = 0.0f;
        for (size_t i = v * INFLUENCES; i < (v + 1) * INFLUENCES; i++) {
            joints[i] = (uint16_t)(random_bits(&random) % SKIN_JOINTS);
            sum += weights[i];
        }
        for (size_t i = v * INFLUENCES; i < (v + 1) * INFLUENCES; i++)
            weights[i] /= sum;
    }
    mrw_skin_job job = mrw_skin_job_default();
    job.method = method;
    job.normal_mode = mode;
    job.palette = palette;
    job.dual_quats = dual_quats;
    job.stretches = stretches;
    job.palette_count = SKIN_JOINTS;
    job.vertex_count = VERTICES;
    job.influence_count = INFLUENCES;
    job.joints = joints;
    job.weights = weights;
    job.dual_quat_weights = dual_quat_weights;
    job.positions.data = positions;
    job.normals.data = normals;
    job.tangents.data = tangents;
    job.out_positions.data = out_positions;
    job.out_normals.data = out_normals;
    job.out_tangents.data = out_tangents;
    require(mrw_skin_vertices(&job));
    return hash_vertices(out_positions, out_normals, out_tangents);
}

/* --- the list --------------------------------------------------------------------- */

typedef struct line {
    const char *name;
    uint64_t value;
} line;

enum { LINES = 15 };

/* In this order: each stage takes what those before it left. */
static void run_all(line lines[LINES])
{
    const line all[LINES] = {
        {"trigonometry", run_trigonometry().value},
        {"quaternions", run_quaternions().value},
        {"matrices", run_matrices().value},
        {"sample", run_sample().value},
        {"blend", run_blend().value},
        {"blend_layers", run_blend_layers().value},
        {"mirror", run_mirror().value},
        {"model", run_model().value},
        {"palette", run_palette().value},
        {"crowd", run_crowd().value},
        {"morph", run_morph().value},
        {"skin_linear", run_skin(MRW_SKIN_LINEAR, MRW_NORMAL_INVERSE_TRANSPOSE).value},
        {"skin_linear_normals", run_skin(MRW_SKIN_LINEAR, MRW_NORMAL_LINEAR).value},
        {"skin_dual_quat", run_skin(MRW_SKIN_DUAL_QUAT, MRW_NORMAL_INVERSE_TRANSPOSE).value},
        {"skin_blended", run_skin(MRW_SKIN_BLENDED, MRW_NORMAL_INVERSE_TRANSPOSE).value},
    };
    memcpy(lines, all, sizeof(all));
}

#ifdef __wasm__

static line asked[LINES];

__attribute__((export_name("golden_count"))) uint32_t golden_count(void);
__attribute__((export_name("golden_name"))) const char *golden_name(uint32_t index);
__attribute__((export_name("golden_hash"))) uint64_t golden_hash(uint32_t index);
__attribute__((export_name("golden_isa"))) const char *golden_isa(void);

uint32_t golden_count(void)
{
    run_all(asked);
    return LINES;
}

const char *golden_name(uint32_t index)
{
    return asked[index].name;
}

uint64_t golden_hash(uint32_t index)
{
    return asked[index].value;
}

const char *golden_isa(void)
{
    return mrw_isa_name();
}

#else

static int print(const line lines[LINES])
{
    for (size_t i = 0; i < LINES; i++)
        printf("%s %016llx\n", lines[i].name, (unsigned long long)lines[i].value);
    return 0;
}

static int compare(const line lines[LINES], const char *path)
{
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        fprintf(stderr, "%s: cannot be read\n", path);
        return 1;
    }
    int failed = 0;
    for (size_t i = 0; i < LINES; i++) {
        char name[32];
        unsigned long long expected;
        if (fscanf(file, "%31s %llx", name, &expected) != 2 || strcmp(name, lines[i].name) != 0) {
            fprintf(stderr, "%s: no line for %s\n", path, lines[i].name);
            failed = 1;
            break;
        }
        if (expected != lines[i].value) {
            fprintf(stderr, "%s, %s: %016llx, expected %016llx\n", mrw_isa_name(), name,
                    (unsigned long long)lines[i].value, expected);
            failed = 1;
        }
    }
    fclose(file);
    return failed;
}

int main(int argc, char **argv)
{
    line lines[LINES];
    if (argc < 2) {
        run_all(lines);
        return print(lines);
    }
    int failed = 0;
    const char *isa;
    for (uint32_t i = 0; (isa = mrw_isa_available(i)) != NULL; i++) {
        require(mrw_isa_select(isa));
        run_all(lines);
        failed |= compare(lines, argv[1]);
        printf("%s: %s\n", isa, failed ? "failed" : "as recorded");
    }
    return failed;
}

#endif
