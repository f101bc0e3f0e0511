/* crossfade FILE FROM TO: goes over from one clip to another within half a second, as a character
 * does that starts to walk, and prints where a few joints are meanwhile. Both clips keep running
 * while they are mixed; at the ends the mix is the one clip, then the other, bit for bit. */
#include <marrow/marrow.h>
#include <marrow/offline/offline.h>

#include <stdio.h>
#include <stdlib.h>

#define FADE_S 0.5
#define FRAMES 10

/* The memory of a character that fades: the runtime allocates nothing. */
typedef struct fader {
    const mrw_skeleton *skeleton;
    const mrw_clip *from;
    const mrw_clip *to;
    mrw_pose from_pose;
    mrw_pose to_pose;
    mrw_mat34 *model;
    void *memory[2];
} fader;

static mrw_status fader_create(const mrw_character *character, const mrw_clip *from,
                               const mrw_clip *to, fader *out)
{
    const mrw_skeleton *skeleton = &character->skeleton;
    uint32_t joints = skeleton->joint_count, scalars = skeleton->scalar_count;
    size_t size_bytes = mrw_pose_size(joints, scalars);
    out->skeleton = skeleton;
    out->from = from;
    out->to = to;
    out->memory[0] = malloc(size_bytes);
    out->memory[1] = malloc(size_bytes);
    out->model = calloc(joints, sizeof(*out->model));
    if (!out->memory[0] || !out->memory[1] || !out->model)
        return MRW_ERR_OUT_OF_MEMORY;
    mrw_status status = mrw_pose_init(out->memory[0], size_bytes, joints, scalars, &out->from_pose);
    if (status == MRW_OK)
        status = mrw_pose_init(out->memory[1], size_bytes, joints, scalars, &out->to_pose);
    return status;
}

static void fader_free(fader *f)
{
    free(f->memory[0]);
    free(f->memory[1]);
    free(f->model);
}

static mrw_status sample(const fader *f, const mrw_clip *clip, double time_s, mrw_pose *out_pose)
{
    mrw_sample_job job = mrw_sample_job_default();
    job.clip = clip;
    job.skeleton = f->skeleton;
    job.time_s = time_s;
    job.loop = true;
    job.out_pose = out_pose;
    return mrw_sample(&job);
}

/* Model matrices at time_s, of which `share` (0 to 1) is the clip that comes. The blend goes into
 * from_pose, which is a layer of it: that is allowed. */
static mrw_status fade(fader *f, double time_s, float share)
{
    mrw_status status = sample(f, f->from, time_s, &f->from_pose);
    if (status == MRW_OK)
        status = sample(f, f->to, time_s, &f->to_pose);

    const mrw_blend_layer layers[2] = {{.pose = &f->from_pose, .weight = 1.0f - share},
                                       {.pose = &f->to_pose, .weight = share}};
    mrw_blend_job blend = mrw_blend_job_default();
    blend.skeleton = f->skeleton;
    blend.layers = layers;
    blend.layer_count = 2;
    blend.out_pose = &f->from_pose;
    if (status == MRW_OK)
        status = mrw_blend(&blend);

    mrw_model_job model = mrw_model_job_default();
    model.skeleton = f->skeleton;
    model.pose = &f->from_pose;
    model.out_model = f->model;
    model.model_count = f->skeleton->joint_count;
    return status == MRW_OK ? mrw_model(&model) : status;
}

static void print_joint(const fader *f, uint32_t joint)
{
    const mrw_mat34 *model = &f->model[joint];
    printf("  %s %6.3f %6.3f %6.3f", mrw_skeleton_joint_name(f->skeleton, joint),
           (double)model->m[0][3], (double)model->m[1][3], (double)model->m[2][3]);
}

/* The first joint and the last say enough of how the whole moves. */
static mrw_status print_fade(fader *f)
{
    mrw_status status = MRW_OK;
    for (int frame = 0; frame <= FRAMES && status == MRW_OK; frame++) {
        float share = (float)frame / (float)FRAMES;
        status = fade(f, FADE_S * (double)share, share);
        if (status != MRW_OK || f->skeleton->joint_count == 0)
            continue;
        printf("%3.0f %%", (double)(100.0f * share));
        print_joint(f, 0);
        print_joint(f, f->skeleton->joint_count - 1);
        putchar('\n');
    }
    return status;
}

static const mrw_clip *find_clip(const mrw_character *character, const char *name)
{
    int32_t clip = mrw_character_find_clip(character, name);
    if (clip < 0)
        fprintf(stderr, "crossfade: there is no clip '%s'\n", name);
    return clip < 0 ? NULL : &character->clips[clip];
}

static int run(const mrw_character *character, char **names)
{
    const mrw_clip *from = find_clip(character, names[0]);
    const mrw_clip *to = find_clip(character, names[1]);
    if (from == NULL || to == NULL)
        return 1;
    fader f = {0};
    mrw_status status = fader_create(character, from, to, &f);
    if (status == MRW_OK)
        status = print_fade(&f);
    if (status != MRW_OK)
        fprintf(stderr, "crossfade: %s\n", mrw_status_text(status));
    fader_free(&f);
    return status == MRW_OK ? 0 : 1;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fputs("usage: crossfade FILE FROM TO\n", stderr);
        return 2;
    }
    mrw_scene *scene = NULL;
    mrw_character *character = NULL;
    mrw_error error = {0};
    mrw_status status = mrw_import_file(argv[1], NULL, &scene, &error);
    if (status == MRW_OK)
        status = mrw_build_character(scene, NULL, &character, &error);
    mrw_scene_free(scene);
    int result = 1;
    if (status == MRW_OK)
        result = run(character, argv + 2);
    else
        fprintf(stderr, "crossfade: %s: %s: %s\n", argv[1], error.detail, error.message);
    mrw_character_free(character);
    return result;
}
