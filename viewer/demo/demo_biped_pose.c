#include "demo_biped.h"

#include "demo_vec.h"

/* Controls to joints. The trunk comes first, since it decides where hips and shoulders are; arms
 * then are plain chains of rotations, legs are solved from the ankles up: given where hip
 * and ankle are and which way the knee looks, a thigh and a shin of known lengths can lie in one
 * way only (the law of cosines), and that gives both rotations. */

static mrw_quat turn_rotation(biped_turn turn)
{
    return demo_rotation(turn.pitch, turn.yaw, turn.roll);
}

static mrw_quat mirrored(mrw_quat q)
{
    return (mrw_quat){q.x, -q.y, -q.z, q.w};
}

/* --- arms ---------------------------------------------------------------------------------- */

/* Rotations of the left arm; the right arm takes their mirror images. */
static void solve_arm(const biped_arm *arm, uint32_t side, mrw_quat *rotations)
{
    const mrw_vec3 forward = {0.0f, 0.0f, 1.0f};
    const mrw_vec3 left = {1.0f, 0.0f, 0.0f};
    mrw_vec3 along = biped_arm_direction();
    mrw_vec3 palm = demo_cross(along, forward);
    float drop = mrw_atan2(along.x, -along.y) - arm->spread; /* from the A-pose to hanging */

    mrw_quat swing = mrw_quat_from_axis_angle(left, -arm->swing);
    mrw_quat lower = mrw_quat_from_axis_angle(forward, -drop);
    mrw_quat twist = mrw_quat_from_axis_angle(along, arm->twist);
    mrw_quat local[6];
    local[0] = demo_rotation(0.0f, -arm->reach, arm->shrug);
    local[1] = mrw_quat_mul(swing, mrw_quat_mul(lower, twist));
    local[2] = mrw_quat_from_axis_angle(palm, arm->elbow);
    local[3] = mrw_quat_from_axis_angle(forward, -arm->wrist);
    local[4] = mrw_quat_from_axis_angle(forward, -arm->curl);
    local[5] = mrw_quat_from_axis_angle(along, 0.6f * arm->curl);

    uint32_t first = side == BIPED_LEFT ? BIPED_LEFT_SHOULDER : BIPED_RIGHT_SHOULDER;
    for (uint32_t i = 0; i < 6; i++)
        rotations[first + i] = side == BIPED_LEFT ? local[i] : mirrored(local[i]);
}

/* --- legs ------------------------------------------------------------------------------------ */

/* The rotation that lays a bone, which points down in the rest pose, along `direction`, with the
 * joint's hinge, X in the rest pose, along `hinge`; both of unit length and square to each other.
 * First the hinge goes its shortest way (which must not be half a turn), then the bone swings about
 * it. */
static mrw_quat bone_rotation(mrw_vec3 direction, mrw_vec3 hinge)
{
    mrw_quat to_hinge =
        mrw_quat_normalize((mrw_quat){0.0f, -hinge.z, hinge.y, 1.0f + hinge.x}); /* X x hinge */
    mrw_vec3 down = mrw_quat_rotate(to_hinge, demo_vec(0.0f, -1.0f, 0.0f));
    float angle =
        mrw_atan2(demo_dot(demo_cross(down, direction), hinge), demo_dot(down, direction));
    return mrw_quat_mul(mrw_quat_from_axis_angle(hinge, angle), to_hinge);
}

typedef struct leg_rotations {
    mrw_quat thigh, shin; /* in scene space */
} leg_rotations;

static leg_rotations solve_leg(mrw_vec3 hip, mrw_vec3 ankle, mrw_vec3 knee_way, float thigh_length,
                               float shin_length)
{
    mrw_vec3 to_ankle = demo_sub(ankle, hip);
    float straight = (thigh_length + shin_length) * 0.9995f;
    float distance = demo_length(to_ankle);
    float reach = distance < straight ? distance : straight;
    float bend =
        mrw_acos((thigh_length * thigh_length + reach * reach - shin_length * shin_length) /
                 (2.0f * thigh_length * reach));
    mrw_vec3 down = demo_normalize(to_ankle);
    mrw_vec3 hinge = demo_normalize(demo_cross(knee_way, down));
    mrw_vec3 out = demo_cross(down, hinge); /* towards the knee */

    mrw_vec3 thigh = demo_add(demo_scale(down, mrw_cos(bend)), demo_scale(out, mrw_sin(bend)));
    mrw_vec3 knee = demo_scale(thigh, thigh_length);
    mrw_vec3 shin = demo_normalize(demo_sub(demo_scale(down, reach), knee));
    return (leg_rotations){bone_rotation(thigh, hinge), bone_rotation(shin, hinge)};
}

static float bone_length(uint32_t joint, uint32_t next)
{
    return demo_length(demo_sub(biped_rest_place(next), biped_rest_place(joint)));
}

/* Ankles are given in scene space as they are; only the angles of the right foot are mirrored. */
static void place_leg(const biped_controls *controls, uint32_t side, biped_pose *pose)
{
    const biped_foot *foot = &controls->feet[side];
    uint32_t thigh = side == BIPED_LEFT ? BIPED_LEFT_THIGH : BIPED_RIGHT_THIGH;
    float yaw = side == BIPED_LEFT ? foot->yaw : -foot->yaw;
    mrw_quat hips = pose->rotations[BIPED_HIPS];
    mrw_vec3 offset = demo_sub(biped_rest_place(thigh), biped_rest_place(BIPED_HIPS));
    mrw_vec3 hip = demo_add(pose->hips, mrw_quat_rotate(hips, offset));
    mrw_quat heading = demo_rotation(0.0f, yaw, 0.0f);
    mrw_vec3 knee_way = mrw_quat_rotate(heading, demo_vec(0.0f, 0.0f, 1.0f));
    leg_rotations leg = solve_leg(hip, foot->ankle, knee_way, bone_length(thigh, thigh + 1),
                                  bone_length(thigh + 1, thigh + 2));
    mrw_quat ankle = demo_rotation(foot->pitch, yaw, 0.0f);
    mrw_quat *rotations = pose->rotations;
    rotations[thigh] = mrw_quat_mul(mrw_quat_conjugate(hips), leg.thigh);
    rotations[thigh + 1] = mrw_quat_mul(mrw_quat_conjugate(leg.thigh), leg.shin);
    rotations[thigh + 2] = mrw_quat_mul(mrw_quat_conjugate(leg.shin), ankle);
    rotations[thigh + 3] = demo_rotation(-foot->toes, 0.0f, 0.0f);
}

/* --- all of it ---------------------------------------------------------------------------------
 */

void biped_solve(const biped_controls *controls, biped_pose *out_pose)
{
    mrw_quat *rotations = out_pose->rotations;
    out_pose->hips = demo_add(biped_rest_place(BIPED_HIPS), controls->hips);
    rotations[BIPED_HIPS] = turn_rotation(controls->hips_turn);
    rotations[BIPED_SPINE] = turn_rotation(controls->spine);
    rotations[BIPED_CHEST] = turn_rotation(controls->chest);

    mrw_quat trunk = mrw_quat_mul(rotations[BIPED_HIPS],
                                  mrw_quat_mul(rotations[BIPED_SPINE], rotations[BIPED_CHEST]));
    mrw_quat needed = mrw_quat_mul(mrw_quat_conjugate(trunk), turn_rotation(controls->head));
    mrw_quat half = mrw_quat_nlerp(mrw_quat_identity(), needed, 0.5f);
    rotations[BIPED_NECK] = half;
    rotations[BIPED_HEAD] = mrw_quat_mul(mrw_quat_conjugate(half), needed);
    rotations[BIPED_ANTENNA] = turn_rotation(controls->antenna);
    rotations[BIPED_ANTENNA_TIP] = rotations[BIPED_ANTENNA];

    for (uint32_t side = 0; side < BIPED_SIDES; side++) {
        solve_arm(&controls->arms[side], side, rotations);
        place_leg(controls, side, out_pose);
    }
    for (uint32_t i = 0; i < BIPED_JOINT_COUNT; i++)
        rotations[i] = mrw_quat_normalize(rotations[i]);
}
