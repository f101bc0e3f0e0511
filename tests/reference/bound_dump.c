/* Clips that are hard to pack, and their sources, as lines of text for packed_bound.py:
 *
 *     clip NAME JOINTS SCALARS TOLERANCE SHELL     in metres; scalars have a tolerance of 0.001
 *     joint PARENT SCALE                           in order; the largest scale at rest
 *     times SECONDS ...                            of the samples, if they have times of their own
 *     section HEX
 *     time SECONDS                                 then, of the pose at this time:
 *     source tx ty tz rx ry rz rw sx sy sz         of each joint, as the source has it
 *     kept ...                                     of each joint, as what is packed has it
 *     scalar SOURCE KEPT                           of each scalar
 */
#include "unit/made_motions.h"

#include "clip/clip_format.h"

#include <stdio.h>

enum { TIMES = 40 };

typedef struct bound_case {
    const char *name;
    motion_spec motion;
} bound_case;

static const bound_case cases[] = {
    {"wild",
     {.joint_count = 5, .key_count = 30, .keys_per_second = 30.0, .bone = 0.3f, .at = wild}},
    {"spinning",
     {.joint_count = 5, .key_count = 60, .keys_per_second = 30.0, .bone = 0.3f, .at = spinning}},
    {"chain",
     {.joint_count = 64, .key_count = 40, .keys_per_second = 30.0, .bone = 0.05f, .at = waving}},
    {"through_zero",
     {.joint_count = 5,
      .scalar_count = 3,
      .key_count = 60,
      .keys_per_second = 30.0,
      .bone = 0.05f,
      .at = scaled_through_zero,
      .scalar_at = weight}},
    {"uneven_scales",
     {.joint_count = 5,
      .key_count = 60,
      .keys_per_second = 30.0,
      .bone = 0.05f,
      .at = scaled_unevenly}},
    {"far_away",
     {.joint_count = 8, .key_count = 60, .keys_per_second = 30.0, .bone = 0.05f, .at = far_away}},
    {"slow",
     {.joint_count = 4, .key_count = 20, .keys_per_second = 1.0, .bone = 0.3f, .at = spinning}},
    {"quick",
     {.joint_count = 4, .key_count = 60, .keys_per_second = 1000.0, .bone = 0.05f, .at = waving}},
    {"armature",
     {.joint_count = 6,
      .key_count = 60,
      .keys_per_second = 30.0,
      .bone = 5.0f,
      .armature = 0.01f,
      .at = in_scaled_centimetres}},
};

static void print_joints(const mrw_skeleton *skeleton)
{
    for (uint32_t j = 0; j < skeleton->joint_count; j++) {
        const mrw_pose_block *block = &skeleton->rest_blocks[j / MRW_POSE_LANES];
        double largest = 0.0;
        for (int i = 0; i < 3; i++)
            largest = fmax(largest, fabs((double)block->scale[i][j % MRW_POSE_LANES]));
        printf("joint %d %.9g\n", skeleton->parents[j], largest);
    }
}

static void print_sample_times(const mrw_clip_packed *packed)
{
    if (packed->times == NULL)
        return;
    printf("times");
    for (uint32_t i = 0; i < packed->sample_count; i++)
        printf(" %.9g", (double)packed->times[i]);
    printf("\n");
}

static void print_section(const mrw_bytes *clip)
{
    const mrwi_clip_content *content = (const mrwi_clip_content *)(const void *)clip->data;
    printf("section ");
    for (uint64_t i = 0; i < content->packed_size_bytes; i++)
        printf("%02x", clip->data[content->packed_offset + i]);
    printf("\n");
}

static void print_pose(const char *word, const mrw_pose *pose)
{
    for (uint32_t j = 0; j < pose->joint_count; j++) {
        const mrw_transform at = mrw_pose_joint(pose, j);
        printf("%s %.9g %.9g %.9g %.9g %.9g %.9g %.9g %.9g %.9g %.9g\n", word,
               (double)at.translation.x, (double)at.translation.y, (double)at.translation.z,
               (double)at.rotation.x, (double)at.rotation.y, (double)at.rotation.z,
               (double)at.rotation.w, (double)at.scale.x, (double)at.scale.y, (double)at.scale.z);
    }
}

/* Times are floats, for both decoders. */
static void print_times(const made_clip *made, const mrw_clip *packed)
{
    measured source = measured_make(&made->skeleton), kept = measured_make(&made->skeleton);
    uint64_t random = 7;
    for (int i = 0; i < TIMES; i++) {
        const float end = made->clip.duration_s;
        const float time_s = i == 0 ? 0.0f : i == 1 ? end : random_float(&random, 0.0f, end);
        measured_at(&source, &made->clip, (double)time_s);
        measured_at(&kept, packed, (double)time_s);
        printf("time %.17g\n", (double)time_s);
        print_pose("source", &source.pose);
        print_pose("kept", &kept.pose);
        for (uint32_t k = 0; k < made->skeleton.scalar_count; k++)
            printf("scalar %.9g %.9g\n", (double)source.pose.scalars[k],
                   (double)kept.pose.scalars[k]);
    }
    measured_free(&source);
    measured_free(&kept);
}

int main(void)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        made_clip made = make(&cases[i].motion);
        const mrw_pack_options options = mrw_pack_options_default();
        mrw_pack_report report;
        mrw_bytes bytes = pack(&made, &options, &report);
        mrw_clip packed;
        mrw_error error;
        if (mrw_clip_open(bytes.data, bytes.size_bytes, &packed, &error) != MRW_OK ||
            packed.encoding != MRW_CLIP_PACKED) {
            fprintf(stderr, "%s was not packed\n", cases[i].name);
            return 1;
        }
        printf("clip %s %u %u %.9g %.9g\n", cases[i].name, made.skeleton.joint_count,
               made.skeleton.scalar_count, options.tolerance_m, options.shell_m);
        print_joints(&made.skeleton);
        print_sample_times(&packed.packed);
        print_section(&bytes);
        print_times(&made, &packed);
        mrw_bytes_free(&bytes);
        unmake(&made);
    }
    return 0;
}
