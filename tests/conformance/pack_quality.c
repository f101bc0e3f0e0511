/* pack_quality [--only NAME | --compare CSV | CSV]: packs every clip of the real files (of those
 * with NAME in their path), and holds each to its bound by the measure of
 * tests/unit/clip_distance.h, at times that the packer does not look at. Bytes and largest error of
 * each clip and setting are printed, written to CSV, or compared with it, exactly. 1: a bound was
 * broken, or the tables differ. */
#include <marrow/offline/compress.h>
#include <marrow/offline/offline.h>
#include <marrow/stored_clip.h>

#include "unit/clip_distance.h"
#include "unit/shared_folder.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SHELL_M 0.03
#define CMU_UNIT (0.0254 / 0.45) /* CMU's files are in inches of which 0.45 make one */

enum { BETWEEN = 6 }; /* times between two samples: none of them the packer's */

typedef struct quality_file {
    const char *path;
    double metres_per_unit;
} quality_file;

static const quality_file files[] = {
    {"bvh/01_01.bvh", CMU_UNIT},
    {"bvh/01_03.bvh", CMU_UNIT},
    {"bvh/Boxing_Toes.bvh", 0.01},
    {"gltf/01_morphed_cube.gltf", 1.0},
    {"gltf/03_all_animations.gltf", 1.0},
    {"gltf/03_skinned_cylinder.gltf", 1.0},
    {"gltf/06_parent-inverse-anim.gltf", 1.0},
    {"gltf/AnimatedMorphCube.gltf", 1.0},
    {"gltf/BrainStem.glb", 1.0},
    {"gltf/CesiumMan.glb", 1.0},
    {"gltf/Fox.glb", 0.01},
    {"gltf/Knight.glb", 1.0},
    {"gltf/MorphPrimitivesTest.gltf", 1.0},
    {"gltf/MorphStressTest.gltf", 1.0},
    {"gltf/RiggedSimple.glb", 1.0},
    {"gltf/Rogue.glb", 1.0},
    {"gltf/SimpleMorph.gltf", 1.0},
    {"gltf/SimpleSkin.gltf", 1.0},
    {"gltf/box_animated.gltf", 1.0},
    {"gltf/interpolation_test.gltf", 1.0},
    {"gltf/robot.glb", 1.0},
};

typedef struct quality_setting {
    const char *name;
    mrw_pack_effort effort;
    mrw_pack_target target;
    double tolerance_m;
    size_t least_raw_bytes, most_raw_bytes; /* of clips that it is tried on, about */
} quality_setting;

static const quality_setting settings[] = {
    {"fast 0.1 mm", MRW_PACK_FAST, MRW_PACK_LARGEST, 1e-4, 0, SIZE_MAX},
    {"default 0.1 mm", MRW_PACK_DEFAULT, MRW_PACK_LARGEST, 1e-4, 0, 2000000},
    {"default 1 mm", MRW_PACK_DEFAULT, MRW_PACK_LARGEST, 1e-3, 0, 1100000},
    {"99 % 0.095 mm", MRW_PACK_DEFAULT, MRW_PACK_P99, 9.5e-5, 500000, 2000000},
};

static _Noreturn void stop(const char *what, const char *why)
{
    fprintf(stderr, "pack_quality: %s: %s\n", what, why);
    exit(2);
}

/* --- clips ------------------------------------------------------------------------------- */

typedef struct quality {
    FILE *out;
    uint32_t clip_count, broken_count;
    double worst_ratio;
    uint64_t raw_bytes, source_bytes, packed_bytes;
    uint64_t packed_for_storage_bytes, stored_bytes;
    double seconds;
} quality;

/* A name as one field of a table. */
static void put_name(FILE *out, const char *name)
{
    for (; *name != '\0'; name++)
        fputc(*name == ',' || *name == '"' || *name == '\n' ? '_' : *name, out);
}

static void hold_to_bound(quality *q, const char *path, const mrw_skeleton *skeleton,
                          const mrw_clip *source, const mrw_bytes *bytes,
                          const mrw_pack_report *report, const quality_setting *setting,
                          double metres_per_unit)
{
    mrw_clip packed;
    mrw_error error;
    if (setting->target == MRW_PACK_P99)
        return;
    if (mrw_clip_open(bytes->data, bytes->size_bytes, &packed, &error) != MRW_OK)
        stop(error.detail, error.message);
    const double rate = report->samples_per_second > 0.0 ? report->samples_per_second : 30.0;
    const distance_case distance = {skeleton, metres_per_unit,     SHELL_M, NULL,
                                    NULL,     rate * (BETWEEN + 1)};
    const worst_error found = largest_distance(&distance, source, &packed);
    const double ratio = found.error_m / setting->tolerance_m;
    q->worst_ratio = fmax(q->worst_ratio, ratio);
    if (ratio <= 1.0 && report->kept && bytes->size_bytes <= source->header->size_bytes)
        return;
    fprintf(stderr, "%s, %s, %s: %.3f um at %.4f s, joint %u; %zu of %llu bytes%s\n", path,
            source->name, setting->name, 1e6 * found.error_m, found.time_s, found.joint,
            bytes->size_bytes, (unsigned long long)source->header->size_bytes,
            report->kept ? "" : "; not kept");
    q->broken_count++;
}

/* Stores the clip: the same bytes have to come out. Of one setting, as all clips are tried with it.
 */
static void hold_to_storage(quality *q, const char *path, const mrw_bytes *bytes)
{
    mrw_bytes stored;
    mrw_stored_clip sizes;
    mrw_error error;
    if (mrw_store_clip(bytes->data, bytes->size_bytes, NULL, &stored, &error) != MRW_OK ||
        mrw_stored_clip_open(stored.data, stored.size_bytes, &sizes, &error) != MRW_OK)
        stop(error.detail, error.message);
    void *clip = malloc(sizes.clip_bytes), *work = malloc(sizes.work_bytes);
    if (clip == NULL || work == NULL ||
        mrw_stored_clip_decode(stored.data, stored.size_bytes, clip, sizes.clip_bytes, work,
                               sizes.work_bytes, &error) != MRW_OK ||
        sizes.clip_bytes != bytes->size_bytes || memcmp(clip, bytes->data, sizes.clip_bytes) != 0)
        stop(path, "stored, another clip comes out");
    q->packed_for_storage_bytes += bytes->size_bytes;
    q->stored_bytes += stored.size_bytes;
    free(work);
    free(clip);
    mrw_bytes_free(&stored);
}

static void pack_clip(quality *q, const quality_file *file, const mrw_skeleton *skeleton,
                      const mrw_clip *source, const quality_setting *setting)
{
    mrw_pack_options options = mrw_pack_options_default();
    options.effort = setting->effort;
    options.target = setting->target;
    options.tolerance_m = setting->tolerance_m;
    options.metres_per_unit = file->metres_per_unit;
    options.shell_m = SHELL_M;
    mrw_pack_report report = {.struct_size = sizeof(report)};
    mrw_bytes bytes;
    mrw_error error;
    const clock_t begin = clock();
    if (mrw_pack_clip(skeleton, source, &options, &bytes, &report, &error) != MRW_OK)
        stop(error.detail, error.message);
    const clock_t end = clock();
    fprintf(q->out, "%s,", file->path);
    put_name(q->out, source->name);
    fprintf(q->out, ",%s,%u,%u,%.6g,%zu,%zu,%.3f\n", setting->name, skeleton->joint_count,
            report.sample_count, report.samples_per_second, report.source_bytes,
            report.packed_bytes, 1e6 * report.error.largest);
    hold_to_bound(q, file->path, skeleton, source, &bytes, &report, setting, file->metres_per_unit);
    if (setting == settings)
        hold_to_storage(q, file->path, &bytes);
    q->clip_count++;
    q->raw_bytes += report.raw_bytes;
    q->source_bytes += report.source_bytes;
    q->packed_bytes += report.packed_bytes;
    q->seconds += (double)(end - begin) / CLOCKS_PER_SEC;
    mrw_bytes_free(&bytes);
}

/* By the size at 30 samples a second. */
static bool is_tried_on(const quality_setting *setting, const mrw_skeleton *skeleton,
                        const mrw_clip *clip)
{
    const double samples = 1.0 + 30.0 * (double)clip->duration_s;
    const double raw_bytes = 40.0 * skeleton->joint_count * samples;
    return raw_bytes >= (double)setting->least_raw_bytes &&
           raw_bytes <= (double)setting->most_raw_bytes;
}

static void pack_file(quality *q, const quality_file *file)
{
    char path[1024];
    mrwi_format(path, sizeof(path), "%s/assets/%s", shared_folder(), file->path);
    mrw_scene *scene = NULL;
    mrw_character *character = NULL;
    mrw_error error = {0};
    if (mrw_import_file(path, NULL, &scene, &error) != MRW_OK ||
        mrw_build_character(scene, NULL, &character, &error) != MRW_OK)
        stop(error.detail, error.message);
    for (uint32_t i = 0; i < character->clip_count; i++)
        for (size_t s = 0; s < sizeof(settings) / sizeof(settings[0]); s++)
            if (is_tried_on(&settings[s], &character->skeleton, &character->clips[i]))
                pack_clip(q, file, &character->skeleton, &character->clips[i], &settings[s]);
    mrw_character_free(character);
    mrw_scene_free(scene);
}

/* Whether a table says what this one does; says where it does not. */
static bool is_same_table(FILE *now, const char *path)
{
    char is[512], was[512];
    uint32_t line = 1, different = 0;
    FILE *before = fopen(path, "rb");
    if (before == NULL)
        stop(path, "it cannot be read");
    rewind(now);
    for (;; line++) {
        const bool has_is = fgets(is, sizeof(is), now) != NULL;
        const bool has_was = fgets(was, sizeof(was), before) != NULL;
        if (!has_is && !has_was)
            break;
        if (has_is && has_was && strcmp(is, was) == 0)
            continue;
        if (different++ < 10)
            fprintf(stderr, "%s:%u: %s  is now %s", path, line, has_was ? was : "nothing\n",
                    has_is ? is : "nothing\n");
        if (!has_is || !has_was)
            break;
    }
    fclose(before);
    return different == 0;
}

static void say(const quality *q)
{
    fprintf(stderr,
            "%u packed, %u beyond their bound; worst %.4f tolerances; %.1f MB raw, %.1f MB keyed, "
            "%.2f MB packed, %.2f s; %.3f MB stored in %.3f MB\n",
            q->clip_count, q->broken_count, q->worst_ratio, 1e-6 * (double)q->raw_bytes,
            1e-6 * (double)q->source_bytes, 1e-6 * (double)q->packed_bytes, q->seconds,
            1e-6 * (double)q->packed_for_storage_bytes, 1e-6 * (double)q->stored_bytes);
}

int main(int argc, char **argv)
{
    const char *only = argc == 3 && strcmp(argv[1], "--only") == 0 ? argv[2] : NULL;
    const char *compare = argc == 3 && strcmp(argv[1], "--compare") == 0 ? argv[2] : NULL;
    if (argc > 3 || (argc == 3 && only == NULL && compare == NULL))
        stop("usage", "pack_quality [--only NAME | --compare CSV | CSV]");
    if (!shared_is_there())
        return SKIPPED;
    const char *path = argc == 2 ? argv[1] : "the table";
    quality q = {.out = compare != NULL ? tmpfile() : argc == 2 ? fopen(path, "wb") : stdout};
    if (q.out == NULL)
        stop(path, "it cannot be written");
    fprintf(q.out, "file,clip,setting,joints,samples,samples_per_second,source_bytes,packed_bytes,"
                   "largest_error_um\n");
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
        if (only == NULL || strstr(files[i].path, only) != NULL)
            pack_file(&q, &files[i]);
    say(&q);
    const bool is_same = compare == NULL || is_same_table(q.out, compare);
    if (q.out != stdout && fclose(q.out) != 0)
        stop(path, "it cannot be written");
    return q.broken_count > 0 || !is_same ? 1 : 0;
}
