/* Packed clips, and what the library makes of them, as lines of text for packed_reference.py:
 *
 *     case JOINTS SCALARS
 *     times SECONDS ...                  of the samples, if they have times of their own
 *     section HEX
 *     time SECONDS                       then, of every packed track at this time:
 *     rotation JOINT x y z w | translation JOINT x y z | scale JOINT x y z | scalar INDEX x
 *     damaged BYTE MASK ACCEPTED         the section with BYTE changed by MASK is accepted, or not
 */
#include "unit/packed_case.h"

#include <marrow/sample.h>

#include "clip/clip_format.h"

#include <stdio.h>

enum { CASES = 30, TIMES = 12, DAMAGES = 120 };

static const uint8_t *section_of(const packed_case *one, size_t *out_size_bytes)
{
    const mrwi_clip_content *content =
        (const mrwi_clip_content *)(const void *)one->clip_bytes.data;
    *out_size_bytes = (size_t)content->packed_size_bytes;
    return one->clip_bytes.data + content->packed_offset;
}

static void print_floats(const char *kind, uint32_t target, const float *values, int count)
{
    printf("%s %u", kind, target);
    for (int i = 0; i < count; i++)
        printf(" %.9g", (double)values[i]);
    printf("\n");
}

static void print_time(const packed_case *one, double time_s)
{
    size_t size_bytes = mrw_pose_size(one->joint_count, one->scalar_count);
    void *memory = aligned_alloc(MRW_ALIGNMENT, size_bytes);
    mrw_pose pose;
    if (memory == NULL ||
        mrw_pose_init(memory, size_bytes, one->joint_count, one->scalar_count, &pose) != MRW_OK)
        abort();
    mrw_sample_job job = mrw_sample_job_default();
    job.clip = &one->clip;
    job.skeleton = &one->skeleton;
    job.time_s = time_s;
    job.out_pose = &pose;
    if (mrw_sample(&job) != MRW_OK)
        abort();
    printf("time %.17g\n", (double)(float)time_s);
    const mrwi_packed_motion *motion = &one->motion;
    const uint32_t *target = one->targets;
    for (uint32_t i = 0; i < motion->rotation_count; i++, target++) {
        mrw_quat rotation = mrw_pose_joint(&pose, *target).rotation;
        print_floats("rotation", *target, &rotation.x, 4);
    }
    for (uint32_t i = 0; i < motion->translation_count; i++, target++) {
        mrw_vec3 translation = mrw_pose_joint(&pose, *target).translation;
        print_floats("translation", *target, &translation.x, 3);
    }
    for (uint32_t i = 0; i < motion->scale_count; i++, target++) {
        mrw_vec3 scale = mrw_pose_joint(&pose, *target).scale;
        print_floats("scale", *target, &scale.x, 3);
    }
    for (uint32_t i = 0; i < motion->scalar_count; i++, target++)
        print_floats("scalar", *target, &pose.scalars[*target], 1);
    free(memory);
}

static void print_times(const packed_case *one)
{
    printf("times");
    for (uint32_t i = 0; i < one->motion.sample_count; i++)
        printf(" %.9g", (double)one->times[i]);
    printf("\n");
}

static bool accepts(const packed_case *one, size_t byte, uint8_t mask)
{
    size_t size_bytes;
    size_t first = (size_t)(section_of(one, &size_bytes) - one->clip_bytes.data);
    uint8_t *copy = aligned_alloc(64, one->clip_bytes.size_bytes);
    if (copy == NULL)
        abort();
    memcpy(copy, one->clip_bytes.data, one->clip_bytes.size_bytes);
    copy[first + byte] ^= mask;
    mrw_asset_header *header = (mrw_asset_header *)(void *)copy;
    header->checksum =
        mrw_asset_checksum(copy + sizeof(*header), one->clip_bytes.size_bytes - sizeof(*header));
    mrw_clip clip;
    mrw_status status = mrw_clip_open(copy, one->clip_bytes.size_bytes, &clip, NULL);
    free(copy);
    return status == MRW_OK;
}

int main(void)
{
    uint64_t random = 2026;
    for (int c = 0; c < CASES; c++) {
        packed_case one = packed_case_make(&random, 70);
        size_t size_bytes;
        const uint8_t *section = section_of(&one, &size_bytes);
        printf("case %u %u\n", one.joint_count, one.scalar_count);
        if (one.times != NULL)
            print_times(&one);
        printf("section ");
        for (size_t i = 0; i < size_bytes; i++)
            printf("%02x", section[i]);
        printf("\n");
        for (int i = 0; i <= TIMES; i++)
            print_time(&one, i == 0 ? (double)one.clip.duration_s
                                    : (double)random_float(&random, 0.0f, one.clip.duration_s));
        for (int i = 0; i < DAMAGES; i++) {
            /* Most of them in front, where the fields are. */
            size_t limit = i % 4 == 0 || size_bytes < 200 ? size_bytes : 200;
            size_t byte = random_bits(&random) % limit;
            uint8_t mask = (uint8_t)(1u << random_bits(&random) % 8);
            printf("damaged %zu %u %d\n", byte, mask, accepts(&one, byte, mask));
        }
        packed_case_free(&one);
    }
    return 0;
}
