/* The same bits everywhere, on real files: for each of them one hash for each stage, over a few
 * moments of every clip. real.txt holds the hashes that all compilers, machines and instruction
 * sets must give.
 *
 *     golden_real PACK          prints the hashes in the form of real.txt
 *     golden_real PACK FILE     compares them with a file, for each instruction set that this
 * machine has; exits with 1 if one differs, with 77 where there is no PACK
 *
 * PACK comes from golden_pack. As a WebAssembly module it has no files: golden_wasm.mjs puts the
 * pack into its memory and asks for the text.
 *
 * A hash may change only when a change of the results is meant, and the commit says why.
 */
#include "golden/golden_hash.h"
#include "golden/golden_pack.h"

#include <marrow/marrow.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#ifndef __wasm__
#include <stdio.h>
#endif

typedef enum stage {
    STAGE_SKELETON, /* the assets: what importers and builders made */
    STAGE_CLIPS,
    STAGE_SKINS,
    STAGE_MESHES,
    STAGE_SAMPLE,
    STAGE_BLEND,
    STAGE_ADDITIVE,
    STAGE_MIRROR,
    STAGE_MODEL,
    STAGE_PALETTE,
    STAGE_DUAL_QUATS,
    STAGE_MORPH,
    STAGE_SKIN_LINEAR,
    STAGE_SKIN_DUAL_QUAT,
    STAGE_BOUNDS,
    STAGES
} stage;

static const char *const stage_names[STAGES] = {
    "skeleton",   "clips",    "skins",       "meshes",         "sample",
    "blend",      "additive", "mirror",      "model",          "palette",
    "dual_quats", "morph",    "skin_linear", "skin_dual_quat", "bounds"};

/* Of a clip's duration; the last one beyond its end, looped. */
static const double moments[] = {0.0, 0.381966, 1.7};

/* Vertices moved a character: a clip more is only begun below it. So the emulated machines are
 * quick. */
enum { MOST_VERTICES = 20000 };

typedef struct instance {
    golden_mesh mesh;
    const float *positions, *normals, *tangents, *weights;
    const uint16_t *joints;
    mrw_morph_target *targets;
} instance;

typedef struct character {
    char name[64];
    golden_counts counts;
    mrw_skeleton skeleton;
    mrw_clip *clips;
    mrw_skin *skins;
    instance *instances;
    uint32_t largest_skin;   /* joints */
    uint32_t largest_mesh;   /* vertices */
    uint32_t moved_vertices; /* so far */
    hash hashes[STAGES];
    bool has[STAGES];

    mrw_pose poses[4]; /* two moments, one after the other; what is made of them; a difference */
    mrw_mirror_joint *mirror;
    mrw_mat34 *model, *palette, *stretches;
    mrw_dual_quat *dual_quats;
    float *morphed[3], *moved[3]; /* positions, normals, tangents */
} character;

/* --- trouble --------------------------------------------------------------------- */

static _Noreturn void fail(const char *what)
{
#ifdef __wasm__
    (void)what;
    __builtin_trap();
#else
    fprintf(stderr, "golden_real: %s\n", what);
    exit(1);
#endif
}

static void require(mrw_status status)
{
    if (status != MRW_OK)
        fail(mrw_status_name(status));
}

/* Zeroed and aligned; lives until the next character. */
static uint8_t *arena;
static size_t arena_size, arena_used;

static void *alloc(size_t count, size_t size_bytes)
{
    size_t bytes =
        (count * size_bytes + GOLDEN_ALIGNMENT - 1) / GOLDEN_ALIGNMENT * GOLDEN_ALIGNMENT;
    if (arena == NULL) {
        arena_size = (size_t)64 << 20;
        arena = aligned_alloc(GOLDEN_ALIGNMENT, arena_size);
    }
    if (arena == NULL || bytes > arena_size - arena_used)
        fail("no memory");
    void *memory = arena + arena_used;
    arena_used += bytes;
    return memset(memory, 0, bytes);
}

/* --- reading the pack -------------------------------------------------------------- */

typedef struct reader {
    const uint8_t *at;
    const uint8_t *end;
} reader;

/* The next record's bytes, NULL if there are none of them. */
static const void *take(reader *from, size_t *out_size_bytes)
{
    uint64_t size;
    if ((size_t)(from->end - from->at) < GOLDEN_ALIGNMENT)
        fail("the pack ends too early");
    memcpy(&size, from->at, sizeof(size));
    from->at += GOLDEN_ALIGNMENT;
    if (size > (uint64_t)(from->end - from->at))
        fail("the pack ends too early");
    const uint8_t *bytes = from->at;
    from->at += (size + GOLDEN_ALIGNMENT - 1) / GOLDEN_ALIGNMENT * GOLDEN_ALIGNMENT;
    *out_size_bytes = (size_t)size;
    return size > 0 ? bytes : NULL;
}

static void take_struct(reader *from, void *out, size_t size_bytes)
{
    size_t size;
    const void *bytes = take(from, &size);
    if (bytes == NULL || size != size_bytes)
        fail("a record of another size");
    memcpy(out, bytes, size_bytes);
}

static void add(character *c, stage at, const void *bytes, size_t size_bytes)
{
    hash_add(&c->hashes[at], bytes, size_bytes);
    c->has[at] = true;
}

static const void *take_hashed(reader *from, character *c, stage at, size_t *out_size_bytes)
{
    const void *bytes = take(from, out_size_bytes);
    if (bytes != NULL)
        add(c, at, bytes, *out_size_bytes);
    return bytes;
}

static void take_instance(reader *from, character *c, instance *to)
{
    size_t size;
    take_struct(from, &to->mesh, sizeof(to->mesh));
    to->positions = take_hashed(from, c, STAGE_MESHES, &size);
    to->normals = take_hashed(from, c, STAGE_MESHES, &size);
    to->tangents = take_hashed(from, c, STAGE_MESHES, &size);
    to->joints = take_hashed(from, c, STAGE_MESHES, &size);
    to->weights = take_hashed(from, c, STAGE_MESHES, &size);
    to->targets = alloc(to->mesh.target_count, sizeof(*to->targets));
    for (uint32_t t = 0; t < to->mesh.target_count; t++) {
        to->targets[t].positions = take_hashed(from, c, STAGE_MESHES, &size);
        to->targets[t].normals = take_hashed(from, c, STAGE_MESHES, &size);
        to->targets[t].tangents = take_hashed(from, c, STAGE_MESHES, &size);
        to->targets[t].vertices = take_hashed(from, c, STAGE_MESHES, &size);
        to->targets[t].count = (uint32_t)(size / sizeof(uint32_t));
    }
    if (to->mesh.vertex_count > c->largest_mesh)
        c->largest_mesh = to->mesh.vertex_count;
}

static void take_assets(reader *from, character *c)
{
    size_t size;
    const void *bytes = take_hashed(from, c, STAGE_SKELETON, &size);
    require(mrw_skeleton_open(bytes, size, &c->skeleton, NULL));
    c->clips = alloc(c->counts.clip_count, sizeof(mrw_clip));
    c->skins = alloc(c->counts.skin_count, sizeof(mrw_skin));
    for (uint32_t i = 0; i < c->counts.clip_count; i++) {
        bytes = take_hashed(from, c, STAGE_CLIPS, &size);
        require(mrw_clip_open(bytes, size, &c->clips[i], NULL));
    }
    c->largest_skin = 1;
    for (uint32_t i = 0; i < c->counts.skin_count; i++) {
        bytes = take_hashed(from, c, STAGE_SKINS, &size);
        require(mrw_skin_open(bytes, size, &c->skins[i], NULL));
        if (c->skins[i].joint_count > c->largest_skin)
            c->largest_skin = c->skins[i].joint_count;
    }
}

static void take_character(reader *from, character *c)
{
    size_t size;
    memset(c, 0, sizeof(*c));
    arena_used = 0;
    for (int i = 0; i < STAGES; i++)
        c->hashes[i] = hash_begin();
    const void *name = take(from, &size);
    if (name == NULL || size >= sizeof(c->name))
        fail("a name of another size");
    memcpy(c->name, name, size);
    take_struct(from, &c->counts, sizeof(c->counts));
    take_assets(from, c);
    c->instances = alloc(c->counts.instance_count, sizeof(*c->instances));
    for (uint32_t i = 0; i < c->counts.instance_count; i++)
        take_instance(from, c, &c->instances[i]);
}

/* --- poses -------------------------------------------------------------------------- */

static void make_room(character *c)
{
    uint32_t joints = c->skeleton.joint_count, scalars = c->skeleton.scalar_count;
    size_t pose_bytes = mrw_pose_size(joints, scalars);
    for (int i = 0; i < 4; i++)
        require(mrw_pose_init(alloc(pose_bytes, 1), pose_bytes, joints, scalars, &c->poses[i]));
    c->mirror = alloc(joints, sizeof(*c->mirror));
    c->model = alloc(joints, sizeof(*c->model));
    c->palette = alloc(c->largest_skin, sizeof(*c->palette));
    c->stretches = alloc(c->largest_skin, sizeof(*c->stretches));
    c->dual_quats = alloc(c->largest_skin, sizeof(*c->dual_quats));
    for (int i = 0; i < 3; i++) {
        c->morphed[i] = alloc((size_t)c->largest_mesh * 4, sizeof(float));
        c->moved[i] = alloc((size_t)c->largest_mesh * 4, sizeof(float));
    }
}

static void add_pose(character *c, stage at, const mrw_pose *pose)
{
    uint32_t block_count = (pose->joint_count + MRW_POSE_LANES - 1) / MRW_POSE_LANES;
    add(c, at, pose->blocks, block_count * sizeof(mrw_pose_block));
    if (pose->scalar_count > 0)
        add(c, at, pose->scalars, pose->scalar_count * sizeof(float));
}

static void sample(character *c, const mrw_clip *clip, double fraction, mrw_pose *out_pose)
{
    mrw_sample_job job = mrw_sample_job_default();
    job.clip = clip;
    job.skeleton = &c->skeleton;
    job.time_s = fraction * (double)clip->duration_s;
    job.loop = fraction > 1.0;
    job.out_pose = out_pose;
    require(mrw_sample(&job));
    add_pose(c, STAGE_SAMPLE, out_pose);
}

static void blend(character *c)
{
    const mrw_blend_layer layers[2] = {{.pose = &c->poses[0], .weight = 0.25f},
                                       {.pose = &c->poses[1], .weight = 0.7f}};
    mrw_blend_job job = mrw_blend_job_default();
    job.skeleton = &c->skeleton;
    job.layers = layers;
    job.layer_count = 2;
    job.out_pose = &c->poses[2];
    require(mrw_blend(&job));
    add_pose(c, STAGE_BLEND, &c->poses[2]);
}

/* The difference of the two moments on top of the rest pose. */
static void add_difference(character *c)
{
    require(mrw_pose_make_additive(&c->poses[0], &c->poses[1], &c->poses[3]));
    add_pose(c, STAGE_ADDITIVE, &c->poses[3]);
    const mrw_blend_layer additive = {.pose = &c->poses[3], .weight = 0.6f};
    mrw_blend_job job = mrw_blend_job_default();
    job.skeleton = &c->skeleton;
    job.additive_layers = &additive;
    job.additive_layer_count = 1;
    job.out_pose = &c->poses[3];
    require(mrw_blend(&job));
    add_pose(c, STAGE_ADDITIVE, &c->poses[3]);
}

/* Across a plane askew, so that no arithmetic is spared. */
static void build_mirror(character *c)
{
    uint32_t joint_count = c->skeleton.joint_count, paired_count;
    uint32_t *pairs = alloc(joint_count, sizeof(*pairs));
    require(mrw_mirror_pairs_by_name(&c->skeleton, pairs, joint_count, &paired_count));
    mrw_mirror_build_job build = mrw_mirror_build_job_default();
    build.skeleton = &c->skeleton;
    build.plane_normal = (mrw_vec3){3.0f, 0.5f, -1.0f};
    build.pairs = pairs;
    build.out_joints = c->mirror;
    build.joint_count = joint_count;
    require(mrw_mirror_build(&build));
    add(c, STAGE_MIRROR, pairs, joint_count * sizeof(*pairs));
}

static void mirror(character *c)
{
    mrw_mirror_job job = mrw_mirror_job_default();
    job.skeleton = &c->skeleton;
    job.joints = c->mirror;
    job.joint_count = c->skeleton.joint_count;
    job.pose = &c->poses[2];
    job.out_pose = &c->poses[3];
    require(mrw_mirror_pose(&job));
    add_pose(c, STAGE_MIRROR, &c->poses[3]);
}

/* --- matrices and vertices ------------------------------------------------------------ */

static void go_to_model(character *c)
{
    mrw_model_job job = mrw_model_job_default();
    job.skeleton = &c->skeleton;
    job.pose = &c->poses[2];
    job.out_model = c->model;
    job.model_count = c->skeleton.joint_count;
    require(mrw_model(&job));
    add(c, STAGE_MODEL, c->model, job.model_count * sizeof(mrw_mat34));
}

static void make_palette(character *c, const mrw_skin *skin)
{
    mrw_palette_job job = mrw_palette_job_default();
    job.skin = skin;
    job.model = c->model;
    job.model_count = c->skeleton.joint_count;
    job.out_palette = c->palette;
    job.palette_count = skin->joint_count;
    require(mrw_palette(&job));
    add(c, STAGE_PALETTE, c->palette, skin->joint_count * sizeof(mrw_mat34));

    mrw_dual_quat_job convert = mrw_dual_quat_job_default();
    convert.palette = c->palette;
    convert.palette_count = skin->joint_count;
    convert.out_dual_quats = c->dual_quats;
    convert.out_stretches = c->stretches;
    require(mrw_palette_dual_quats(&convert));
    add(c, STAGE_DUAL_QUATS, c->dual_quats, skin->joint_count * sizeof(mrw_dual_quat));
    add(c, STAGE_DUAL_QUATS, c->stretches, skin->joint_count * sizeof(mrw_mat34));
}

static void add_vertices(character *c, stage at, float *const streams[3], const instance *i)
{
    size_t count = i->mesh.vertex_count;
    add(c, at, streams[0], count * 3 * sizeof(float));
    if (i->normals != NULL)
        add(c, at, streams[1], count * 3 * sizeof(float));
    if (i->tangents != NULL)
        add(c, at, streams[2], count * 4 * sizeof(float));
}

static void morph(character *c, const instance *i)
{
    mrw_morph_job job = mrw_morph_job_default();
    job.vertex_count = i->mesh.vertex_count;
    job.target_count = i->mesh.target_count;
    job.targets = i->targets;
    job.weights = c->poses[2].scalars + i->mesh.first_scalar;
    job.positions.data = i->positions;
    job.normals.data = i->normals;
    job.tangents.data = i->tangents;
    job.out_positions.data = c->morphed[0];
    job.out_normals.data = i->normals != NULL ? c->morphed[1] : NULL;
    job.out_tangents.data = i->tangents != NULL ? c->morphed[2] : NULL;
    require(mrw_morph(&job));
    add_vertices(c, STAGE_MORPH, c->morphed, i);
}

static void bound(character *c, const mrw_skin_job *job)
{
    mrw_box *boxes = alloc((size_t)job->palette_count + 1, sizeof(*boxes));
    mrw_box box, exact;
    require(mrw_joint_boxes(job, boxes));
    require(mrw_skin_bounds(job->palette, boxes, job->palette_count, &box));
    mrw_stream moved = {c->moved[0], 0};
    require(mrw_box_of_positions(moved, job->vertex_count, &exact));
    add(c, STAGE_BOUNDS, boxes, (job->palette_count + 1) * sizeof(*boxes));
    add(c, STAGE_BOUNDS, &box, sizeof(box));
    add(c, STAGE_BOUNDS, &exact, sizeof(exact));
}

static void skin_vertices(character *c, const instance *i, uint32_t palette_count)
{
    bool morphed = i->mesh.target_count > 0;
    mrw_skin_job job = mrw_skin_job_default();
    job.palette = c->palette;
    job.dual_quats = c->dual_quats;
    job.stretches = c->stretches;
    job.palette_count = palette_count;
    job.vertex_count = i->mesh.vertex_count;
    job.influence_count = i->mesh.influence_count;
    job.joints = i->joints;
    job.weights = i->weights;
    job.positions.data = morphed ? c->morphed[0] : i->positions;
    job.normals.data = morphed && i->normals != NULL ? c->morphed[1] : i->normals;
    job.tangents.data = morphed && i->tangents != NULL ? c->morphed[2] : i->tangents;
    job.out_positions.data = c->moved[0];
    job.out_normals.data = i->normals != NULL ? c->moved[1] : NULL;
    job.out_tangents.data = i->tangents != NULL ? c->moved[2] : NULL;
    job.method = MRW_SKIN_DUAL_QUAT;
    require(mrw_skin_vertices(&job));
    add_vertices(c, STAGE_SKIN_DUAL_QUAT, c->moved, i);
    job.method = MRW_SKIN_LINEAR;
    require(mrw_skin_vertices(&job));
    add_vertices(c, STAGE_SKIN_LINEAR, c->moved, i);
    bound(c, &job);
}

static void move_instance(character *c, const instance *i)
{
    if (i->mesh.target_count > 0)
        morph(c, i);
    if (i->mesh.skin < 0)
        return;
    const mrw_skin *skin = &c->skins[i->mesh.skin];
    make_palette(c, skin);
    if (i->mesh.influence_count > 0)
        skin_vertices(c, i, skin->joint_count);
    c->moved_vertices += i->mesh.vertex_count;
}

/* --- a character ------------------------------------------------------------------------ */

/* All that follows from the two moments in poses 0 and 1. */
static void run_moment(character *c)
{
    blend(c);
    add_difference(c);
    mirror(c);
    go_to_model(c);
}

static void move_vertices(character *c)
{
    size_t before = arena_used;
    for (uint32_t i = 0; i < c->counts.skin_count; i++)
        make_palette(c, &c->skins[i]);
    for (uint32_t i = 0; i < c->counts.instance_count && c->moved_vertices < MOST_VERTICES; i++)
        move_instance(c, &c->instances[i]);
    arena_used = before;
}

static void run_character(character *c)
{
    enum { MOMENTS = sizeof(moments) / sizeof(moments[0]) };
    make_room(c);
    build_mirror(c);
    require(mrw_skeleton_rest_pose(&c->skeleton, &c->poses[0]));
    require(mrw_skeleton_rest_pose(&c->skeleton, &c->poses[1]));
    if (c->counts.clip_count == 0) {
        run_moment(c);
        move_vertices(c);
    }
    for (uint32_t i = 0; i < c->counts.clip_count * MOMENTS; i++) {
        sample(c, &c->clips[i / MOMENTS], moments[i % MOMENTS], &c->poses[i % 2]);
        run_moment(c);
        if (i % MOMENTS == 1)
            move_vertices(c);
    }
}

/* --- the text ---------------------------------------------------------------------------- */

static char text[1 << 16];
static size_t text_length;

static void print_text(const char *from)
{
    while (*from != '\0' && text_length + 1 < sizeof(text))
        text[text_length++] = *from++;
    text[text_length] = '\0';
}

static void print_hash(hash h)
{
    char digits[17] = {0};
    for (int i = 0; i < 16; i++)
        digits[i] = "0123456789abcdef"[h.value >> (60 - 4 * i) & 15];
    print_text(digits);
}

/* Fills `text` with "file stage hash" lines. */
static void run_pack(const uint8_t *pack, size_t size_bytes)
{
    static character c;
    reader from = {pack, pack + size_bytes};
    text_length = 0;
    while (from.at < from.end) {
        take_character(&from, &c);
        run_character(&c);
        for (int i = 0; i < STAGES; i++) {
            if (!c.has[i])
                continue;
            print_text(c.name);
            print_text(" ");
            print_text(stage_names[i]);
            print_text(" ");
            print_hash(c.hashes[i]);
            print_text("\n");
        }
    }
}

#ifdef __wasm__

__attribute__((export_name("golden_memory"))) void *golden_memory(uint32_t size_bytes);
__attribute__((export_name("golden_real"))) const char *golden_real(const uint8_t *pack,
                                                                    uint32_t size_bytes);

void *golden_memory(uint32_t size_bytes)
{
    return aligned_alloc(GOLDEN_ALIGNMENT, size_bytes);
}

const char *golden_real(const uint8_t *pack, uint32_t size_bytes)
{
    run_pack(pack, size_bytes);
    return text;
}

#else

/* NULL if there is no such file. */
static uint8_t *read_file(const char *path, size_t *out_size_bytes)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return NULL;
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    fseek(file, 0, SEEK_SET);
    size_t room = ((size_t)size / GOLDEN_ALIGNMENT + 1) * GOLDEN_ALIGNMENT;
    uint8_t *bytes = size < 0 ? NULL : aligned_alloc(GOLDEN_ALIGNMENT, room);
    if (bytes == NULL || fread(bytes, 1, (size_t)size, file) != (size_t)size)
        fail("a file cannot be read");
    fclose(file);
    bytes[size] = '\0';
    *out_size_bytes = (size_t)size;
    return bytes;
}

/* Says which lines differ; how many. */
static int compare(const char *expected)
{
    int different = 0;
    const char *found = text;
    while (*expected != '\0' || *found != '\0') {
        size_t expected_length = strcspn(expected, "\n"), found_length = strcspn(found, "\n");
        if (expected_length != found_length || memcmp(expected, found, found_length) != 0) {
            fprintf(stderr, "%s: %.*s, expected %.*s\n", mrw_isa_name(), (int)found_length, found,
                    (int)expected_length, expected);
            different++;
        }
        expected += expected_length + (expected[expected_length] == '\n');
        found += found_length + (found[found_length] == '\n');
    }
    return different;
}

int main(int argc, char **argv)
{
    if (argc < 2 || argc > 3) {
        fprintf(stderr, "usage: golden_real PACK [FILE]\n");
        return 2;
    }
    size_t pack_size = 0, expected_size;
    uint8_t *pack = read_file(argv[1], &pack_size);
    if (pack == NULL) {
        printf("%s\n", GOLDEN_SKIPPED);
        return GOLDEN_NO_FILES;
    }
    int different = 0;
    if (argc == 2) {
        run_pack(pack, pack_size);
        printf("%s", text);
    } else {
        char *expected = (char *)read_file(argv[2], &expected_size);
        if (expected == NULL)
            fail("the file of hashes cannot be read");
        const char *isa;
        for (uint32_t i = 0; (isa = mrw_isa_available(i)) != NULL; i++) {
            require(mrw_isa_select(isa));
            run_pack(pack, pack_size);
            int now = compare(expected);
            printf("%s: %s\n", isa, now > 0 ? "failed" : "as recorded");
            different += now;
        }
        free(expected);
    }
    free(arena);
    free(pack);
    return different > 0 ? 1 : 0;
}

#endif
