/* load_sample_skin FILE: the vertices of FILE's first skinned mesh, a quarter of a second into
 * its first clip. */
#include <marrow/marrow.h>
#include <marrow/offline/offline.h>

#include <stdio.h>
#include <stdlib.h>

static int fail(const char *what, const char *why)
{
    fprintf(stderr, "load_sample_skin: %s: %s\n", what, why);
    return 1;
}

/* A job reads best in one paragraph. */
/* clang-format off */
int main(int argc, char **argv)
{
    mrw_scene *scene = NULL;         /* what the file says */
    mrw_character *character = NULL; /* what the runtime works on */
    mrw_error error = {0};
    if (argc != 2)
        return fail("usage", "load_sample_skin FILE");
    if (mrw_import_file(argv[1], NULL, &scene, &error) != MRW_OK ||
        mrw_build_character(scene, NULL, &character, &error) != MRW_OK)
        return fail(error.detail, error.message);
    uint32_t body = 0; /* the first mesh that has a skin */
    while (body < character->instance_count && character->instances[body].skin < 0)
        body++;
    if (character->clip_count == 0 || body == character->instance_count)
        return fail(argv[1], "there is no clip or no skinned mesh in it");
    const mrw_skeleton *skeleton = &character->skeleton;
    const mrw_skin *skin = &character->skins[character->instances[body].skin];
    const mrw_mesh *mesh = &character->meshes[character->instances[body].mesh];

    /* The memory of one moment is yours: the runtime allocates nothing. */
    size_t pose_size = mrw_pose_size(skeleton->joint_count, skeleton->scalar_count);
    void *pose_memory = malloc(pose_size);
    mrw_mat34 *model = calloc(skeleton->joint_count, sizeof(*model));
    mrw_mat34 *palette = calloc(skin->joint_count, sizeof(*palette));
    float *vertices = calloc(mesh->vertex_count, 3 * sizeof(*vertices));
    mrw_pose pose;
    mrw_status status = mrw_pose_init(pose_memory, pose_size, skeleton->joint_count,
                                      skeleton->scalar_count, &pose);

    /* Clip and time to local pose, to model matrices, to skin matrices, to vertices. */
    mrw_sample_job sample = mrw_sample_job_default();
    sample.clip = &character->clips[0]; sample.time_s = 0.25;
    sample.skeleton = skeleton; sample.out_pose = &pose;

    mrw_model_job place = mrw_model_job_default();
    place.skeleton = skeleton; place.pose = &pose;
    place.out_model = model; place.model_count = skeleton->joint_count;

    mrw_palette_job bind = mrw_palette_job_default();
    bind.skin = skin; bind.model = model; bind.model_count = skeleton->joint_count;
    bind.out_palette = palette; bind.palette_count = skin->joint_count;

    mrw_skin_job deform = mrw_skin_job_default();
    deform.palette = palette; deform.palette_count = skin->joint_count;
    deform.joints = mesh->joints; deform.weights = mesh->weights;
    deform.vertex_count = mesh->vertex_count; deform.influence_count = mesh->influence_count;
    deform.positions.data = mesh->positions; deform.out_positions.data = vertices;

    /* A job says what is wrong with it, a missing buffer above all, instead of running. */
    if (status == MRW_OK) status = mrw_sample(&sample);
    if (status == MRW_OK) status = mrw_model(&place);
    if (status == MRW_OK) status = mrw_palette(&bind);
    if (status == MRW_OK) status = mrw_skin_vertices(&deform);
    if (status != MRW_OK)
        return fail(argv[1], mrw_status_text(status));
    for (uint32_t i = 0; i < 3 && i < mesh->vertex_count; i++)
        printf("vertex %u: %9.6f %9.6f %9.6f\n", i, (double)vertices[i * 3],
               (double)vertices[i * 3 + 1], (double)vertices[i * 3 + 2]);

    free(vertices); free(palette); free(model); free(pose_memory);
    mrw_character_free(character);
    mrw_scene_free(scene);
    return 0;
}
