/* bvh_frames FILE: where every node of a BVH file is in every frame, and halfway between frames, by
 * the library's own chain from file to model matrices. Written to stdout in this machine's byte
 * order: uint32 nodes, uint32 frames, then 2 * frames - 1 moments, each with three floats a node in
 * the file's order. Other readers' results are compared with it. */
#include <marrow/marrow.h>
#include <marrow/offline/offline.h>

#include <stdio.h>
#include <stdlib.h>

static _Noreturn void stop(const char *what, const char *why)
{
    fprintf(stderr, "bvh_frames: %s: %s\n", what, why);
    exit(1);
}

static void *must(void *memory)
{
    if (memory == NULL)
        stop("memory", "there is none");
    return memory;
}

static void put(const void *bytes, size_t size_bytes)
{
    if (fwrite(bytes, 1, size_bytes, stdout) != size_bytes)
        stop("stdout", "it cannot be written");
}

typedef struct posed {
    const mrw_character *character;
    mrw_pose pose;
    mrw_mat34 *model;
} posed;

static void put_moment(posed *p, double time_s)
{
    const mrw_character *character = p->character;
    mrw_sample_job sample = mrw_sample_job_default();
    sample.skeleton = &character->skeleton;
    sample.clip = &character->clips[0];
    sample.time_s = time_s;
    sample.out_pose = &p->pose;
    mrw_model_job model = mrw_model_job_default();
    model.skeleton = &character->skeleton;
    model.pose = &p->pose;
    model.out_model = p->model;
    model.model_count = character->skeleton.joint_count;
    if (mrw_sample(&sample) != MRW_OK || mrw_model(&model) != MRW_OK)
        stop("pose", "it cannot be computed");
    for (uint32_t node = 0; node < character->node_count; node++) {
        const mrw_mat34 *matrix = &p->model[character->node_to_joint[node]];
        const float place[3] = {matrix->m[0][3], matrix->m[1][3], matrix->m[2][3]};
        put(place, sizeof(place));
    }
}

int main(int argc, char **argv)
{
    mrw_scene *scene;
    mrw_character *character;
    mrw_error error = {0};
    if (argc != 2)
        stop("usage", "bvh_frames FILE");
    if (mrw_import_file(argv[1], NULL, &scene, &error) != MRW_OK ||
        mrw_build_character(scene, NULL, &character, &error) != MRW_OK)
        stop(error.detail, error.message);
    if (scene->animation_count == 0)
        stop(argv[1], "it has no motion");
    const mrw_scene_channel *channel = &scene->animations[0].channels[0];
    const uint32_t head[2] = {character->node_count, channel->key_count};
    put(head, sizeof(head));
    uint32_t joint_count = character->skeleton.joint_count;
    size_t pose_size = mrw_pose_size(joint_count, 0);
    void *pose_memory = must(aligned_alloc(64, pose_size));
    posed p = {.character = character, .model = must(calloc(joint_count, sizeof(mrw_mat34)))};
    if (mrw_pose_init(pose_memory, pose_size, joint_count, 0, &p.pose) != MRW_OK)
        stop("pose", "it cannot be made");
    for (uint32_t frame = 0; frame < channel->key_count; frame++) {
        put_moment(&p, (double)channel->times[frame]);
        if (frame + 1 < channel->key_count)
            put_moment(&p,
                       0.5 * ((double)channel->times[frame] + (double)channel->times[frame + 1]));
    }
    free(pose_memory);
    free(p.model);
    mrw_character_free(character);
    mrw_scene_free(scene);
    return 0;
}
