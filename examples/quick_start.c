/* quick_start FILE: the first vertex of FILE's first mesh, 0.25 s into its first clip. */
#include <marrow/marrow.h>
#include <marrow/offline/offline.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    mrw_scene *scene;
    mrw_character *c;
    mrw_error error = {0};
    if (argc != 2 || mrw_import_file(argv[1], NULL, &scene, &error) != MRW_OK ||
        mrw_build_character(scene, NULL, &c, &error) != MRW_OK || c->clip_count == 0 ||
        c->instance_count == 0 || c->instances[0].skin < 0)
        return fprintf(stderr, "no animated skin: %s: %s\n", error.detail, error.message), 1;
    const mrw_mesh *mesh = &c->meshes[c->instances[0].mesh];
    const mrw_skin *skin = &c->skins[c->instances[0].skin];
    uint32_t joint_count = c->skeleton.joint_count;

    static mrw_pose_block pose_memory[512]; /* your memory: the runtime allocates nothing */
    static mrw_mat34 model[1024], palette[1024];
    static float positions[65536 * 3];
    mrw_pose pose;
    if (skin->joint_count > 1024 || joint_count > 1024 || mesh->vertex_count > 65536 ||
        mrw_pose_init(pose_memory, sizeof(pose_memory), joint_count, c->skeleton.scalar_count,
                      &pose) != MRW_OK)
        return fprintf(stderr, "larger than this example's arrays\n"), 1;

    mrw_sample_job sample = mrw_sample_job_default();
    sample.clip = &c->clips[0], sample.skeleton = &c->skeleton;
    sample.time_s = 0.25, sample.loop = true, sample.out_pose = &pose;
    mrw_model_job place = mrw_model_job_default();
    place.skeleton = &c->skeleton, place.pose = &pose;
    place.out_model = model, place.model_count = joint_count;
    mrw_palette_job bind = mrw_palette_job_default();
    bind.skin = skin, bind.model = model, bind.model_count = joint_count;
    bind.out_palette = palette, bind.palette_count = skin->joint_count;
    mrw_skin_job move = mrw_skin_job_default();
    move.palette = palette, move.palette_count = skin->joint_count;
    move.vertex_count = mesh->vertex_count, move.influence_count = mesh->influence_count;
    move.joints = mesh->joints, move.weights = mesh->weights;
    move.positions.data = mesh->positions, move.out_positions.data = positions;
    if (mrw_sample(&sample) != MRW_OK || mrw_model(&place) != MRW_OK ||
        mrw_palette(&bind) != MRW_OK || mrw_skin_vertices(&move) != MRW_OK)
        return fprintf(stderr, "a job does not fit: its _check function says why\n"), 1;

    printf("%g %g %g\n", (double)positions[0], (double)positions[1], (double)positions[2]);
    mrw_character_free(c);
    mrw_scene_free(scene);
    return 0;
}
