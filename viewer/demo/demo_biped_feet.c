#include "demo_biped.h"

#include "demo_curve.h"
#include "demo_vec.h"

/* A step, seen from the body, over ground that runs backwards like a treadmill's:
 *
 *     phase 0        flat_phase     roll_phase        stance               1
 *       | heel rocks   |  flat        |  ball rocks      |  swing           |
 *       \_ heel        ____ sole      __/ ball, toes     through the air, from where the foot left
 *                                        stay flat       to where it will touch down again
 *
 * On the ground the pivot - heel, then ball - moves with the ground exactly, and the ankle follows
 * from the foot's pitch: so nothing slides. In the air a smooth path joins on, leaving and arriving
 * with the ground's speed. */

enum { MAX_SWING_KEYS = 8 };

static const float slope_step = 1.0f / 256.0f;

static float stance_pitch(const biped_gait *gait, float phase)
{
    if (phase < gait->flat_phase) {
        float left = 1.0f - phase / gait->flat_phase;
        return gait->contact_pitch * left * left;
    }
    if (phase > gait->roll_phase) {
        float done = (phase - gait->roll_phase) / (gait->stance - gait->roll_phase);
        return gait->push_pitch * done * done;
    }
    return 0.0f;
}

/* `pivot` is where the foot turns, seen from the ankle in the rest pose. */
static void pivot_foot(mrw_vec3 pivot, float ground_z, float pitch, biped_foot *foot)
{
    mrw_vec3 rest = demo_vec(0.0f, biped_rest_place(BIPED_LEFT_FOOT).y, ground_z);
    mrw_quat turn = demo_rotation(pitch, 0.0f, 0.0f);
    mrw_vec3 ankle = demo_sub(demo_add(rest, pivot), mrw_quat_rotate(turn, pivot));
    foot->ankle.y = ankle.y;
    foot->ankle.z = ankle.z;
    foot->pitch = pitch;
}

static void stand(const biped_gait *gait, float phase, biped_foot *foot)
{
    const mrw_vec3 heel = {0.0f, -biped_rest_place(BIPED_LEFT_FOOT).y, -0.050f};
    mrw_vec3 ball = demo_sub(biped_rest_place(BIPED_LEFT_TOES), biped_rest_place(BIPED_LEFT_FOOT));
    float ground_z = gait->contact_z - gait->travel * phase / gait->stance;
    float pitch = stance_pitch(gait, phase);
    pivot_foot(pitch < 0.0f ? heel : ball, ground_z, pitch, foot);
    foot->toes = pitch < 0.0f ? 0.0f : pitch;
}

typedef struct swing_path {
    uint32_t count;
    float phases[MAX_SWING_KEYS];
    float values[MAX_SWING_KEYS];
} swing_path;

static float follow(const biped_gait *gait, uint32_t column, const float first[2],
                    const float last[2], float phase)
{
    swing_path path = {.phases = {gait->stance}, .values = {first[1]}, .count = 1};
    for (uint32_t i = 0; i < gait->swing_count && path.count + 1 < MAX_SWING_KEYS; i++) {
        float value = gait->swing[i][column];
        path.phases[path.count] = gait->swing[i][0];
        path.values[path.count++] = column == 3 ? demo_radians(value) : value;
    }
    path.phases[path.count] = 1.0f;
    path.values[path.count++] = last[0];
    return demo_path(path.phases, path.values, path.count, (first[1] - first[0]) / slope_step,
                     (last[1] - last[0]) / slope_step, phase);
}

static void swing(const biped_gait *gait, float phase, biped_foot *foot)
{
    biped_foot leaving[2] = {{.toes = 0.0f}}, landing[2] = {{.toes = 0.0f}};
    stand(gait, gait->stance - slope_step, &leaving[0]);
    stand(gait, gait->stance, &leaving[1]);
    stand(gait, 0.0f, &landing[0]);
    stand(gait, slope_step, &landing[1]);

    const float first_z[2] = {leaving[0].ankle.z, leaving[1].ankle.z};
    const float last_z[2] = {landing[0].ankle.z, landing[1].ankle.z};
    const float first_y[2] = {leaving[0].ankle.y, leaving[1].ankle.y};
    const float last_y[2] = {landing[0].ankle.y, landing[1].ankle.y};
    const float first_pitch[2] = {leaving[0].pitch, leaving[1].pitch};
    const float last_pitch[2] = {landing[0].pitch, landing[1].pitch};
    foot->ankle.z = follow(gait, 1, first_z, last_z, phase);
    foot->ankle.y = follow(gait, 2, first_y, last_y, phase);
    foot->pitch = follow(gait, 3, first_pitch, last_pitch, phase);
    foot->toes =
        leaving[1].toes * (1.0f - demo_smoothstep(gait->stance, gait->stance + 0.16f, phase));
}

void biped_step(const biped_gait *gait, float phase, biped_foot *foot)
{
    if (phase <= gait->stance)
        stand(gait, phase, foot);
    else
        swing(gait, phase, foot);
}
