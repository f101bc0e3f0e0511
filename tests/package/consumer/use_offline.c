/* A program outside Marrow's tree that builds an arm and its clip with the offline library, then
 * bends it with the runtime. Valid C and C++. */
#include <marrow/marrow.h>
#include <marrow/offline/offline.h>

#include <stdio.h>

static bool near(float value, float expected)
{
    return value > expected - 1e-6f && value < expected + 1e-6f;
}

/* The shoulder at the origin turns by 90 degrees about z within a second, which carries the elbow
 * from (1, 0, 0) to (0, 1, 0). */
static mrw_status build_arm(mrw_bytes *out_skeleton, mrw_bytes *out_clip, mrw_error *out_error)
{
    mrw_joint_desc joints[2] = {{"shoulder", -1, mrw_transform_identity(), 0},
                                {"elbow", 0, mrw_transform_identity(), 1}};
    joints[1].rest.translation.x = 1.0f;
    mrw_status status = mrw_build_skeleton(joints, 2, NULL, 0, NULL, NULL, out_skeleton, out_error);
    if (status != MRW_OK)
        return status;

    mrw_skeleton skeleton;
    status = mrw_skeleton_open(out_skeleton->data, out_skeleton->size_bytes, &skeleton, out_error);
    if (status != MRW_OK)
        return status;
    const float times[2] = {0.0f, 1.0f};
    const float rotations[8] = {0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 0.70710678f, 0.70710678f};
    const mrw_track_desc track = {MRW_TRACK_ROTATION, 0, MRW_INTERPOLATION_LINEAR, 2, times,
                                  rotations};
    return mrw_build_clip(&skeleton, "bend", &track, 1, -1.0f, NULL, out_clip, out_error);
}

static mrw_status bend_arm(const mrw_bytes *skeleton_bytes, const mrw_bytes *clip_bytes,
                           mrw_mat34 out_model[2], mrw_error *out_error)
{
    static union {
        mrw_pose_block block;
        unsigned char bytes[1024];
    } memory;
    mrw_skeleton skeleton;
    mrw_clip clip;
    mrw_pose pose;
    mrw_sample_job sample = mrw_sample_job_default();
    mrw_model_job model = mrw_model_job_default();

    mrw_status status =
        mrw_skeleton_open(skeleton_bytes->data, skeleton_bytes->size_bytes, &skeleton, out_error);
    if (status == MRW_OK)
        status = mrw_clip_open(clip_bytes->data, clip_bytes->size_bytes, &clip, out_error);
    if (status == MRW_OK)
        status = mrw_pose_init(&memory, sizeof memory, skeleton.joint_count, 0, &pose);
    if (status != MRW_OK)
        return status;
    sample.clip = &clip;
    sample.skeleton = &skeleton;
    sample.time_s = 1.0;
    sample.out_pose = &pose;
    model.skeleton = &skeleton;
    model.pose = &pose;
    model.out_model = out_model;
    model.model_count = 2;
    status = mrw_sample(&sample);
    return status == MRW_OK ? mrw_model(&model) : status;
}

int main(void)
{
    mrw_bytes skeleton = {NULL, 0, {NULL, NULL, NULL}};
    mrw_bytes clip = {NULL, 0, {NULL, NULL, NULL}};
    mrw_mat34 model[2];
    mrw_error error;

    mrw_status status = build_arm(&skeleton, &clip, &error);
    if (status == MRW_OK)
        status = bend_arm(&skeleton, &clip, model, &error);
    mrw_bytes_free(&clip);
    mrw_bytes_free(&skeleton);
    if (status != MRW_OK) {
        printf("%s: %s\n", mrw_status_name(status), mrw_status_text(status));
        return 1;
    }
    printf("elbow at %.6f %.6f %.6f\n", (double)model[1].m[0][3], (double)model[1].m[1][3],
           (double)model[1].m[2][3]);
    bool carried = near(model[1].m[0][3], 0.0f) && near(model[1].m[1][3], 1.0f) &&
                   near(model[1].m[2][3], 0.0f);
    return carried ? 0 : 1;
}
