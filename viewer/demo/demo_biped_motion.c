#include "demo_biped.h"

#include "demo_curve.h"
#include "demo_vec.h"

/* Idle, walk and run. A gait is a few waves that share one clock: feet as demo_biped_feet.c has
 * them, hips that fall and rise twice a cycle and sway once, a chest that turns against the
 * hips, arms that swing against the legs and arrive a little late. Phase 0 is the left foot's
 * touch-down. Every wave has a whole number of turns in a cycle, so the last key is the first. */

/* DEGREES(12.0f) in tables, where a function cannot stand. */
#define DEGREES(x) ((x) * (MRW_PI / 180.0f))

/* cos(2 pi (phase - peak)): 1 at the phase `peak`. */
static float swell(float phase, float peak)
{
    return demo_wave(phase - peak + 0.25f);
}

static float half_a_cycle_later(float phase)
{
    return phase < 0.5f ? phase + 0.5f : phase - 0.5f;
}

static float side_sign(uint32_t side)
{
    return side == BIPED_LEFT ? 1.0f : -1.0f;
}

static void step_both(const biped_gait *gait, float phase, float track, float toes_out,
                      biped_controls *controls)
{
    for (uint32_t side = 0; side < BIPED_SIDES; side++) {
        biped_foot *foot = &controls->feet[side];
        biped_step(gait, side == BIPED_LEFT ? phase : half_a_cycle_later(phase), foot);
        foot->ankle.x = side_sign(side) * track;
        foot->yaw = toes_out;
    }
}

/* --- walk ----------------------------------------------------------------------------- */

static const float walk_swing[][4] = {
    {0.70f, -0.190f, 0.205f, 52.0f},
    {0.80f, 0.060f, 0.150f, 16.0f},
    {0.91f, 0.270f, 0.125f, -12.0f},
};

static const biped_gait walk_gait = {
    .stance = 0.60f,
    .travel = 0.610f,
    .contact_z = 0.283f,
    .contact_pitch = DEGREES(-20.0f),
    .flat_phase = 0.10f,
    .roll_phase = 0.30f,
    .push_pitch = DEGREES(54.0f),
    .swing = walk_swing,
    .swing_count = 3,
};

static void walk_arm(float phase, biped_arm *arm)
{
    float forward = swell(phase, 0.53f); /* with the other side's leg */
    arm->swing = demo_radians(-1.0f + 23.0f * forward);
    arm->spread = demo_radians(12.0f);
    arm->twist = demo_radians(16.0f + 6.0f * forward);
    arm->elbow = demo_radians(25.0f + 12.0f * swell(phase, 0.58f));
    arm->wrist = demo_radians(4.0f);
    arm->curl = demo_radians(28.0f);
    arm->shrug = 0.0f;
    arm->reach = demo_radians(4.0f * forward);
}

static void walk(float phase, biped_controls *out)
{
    float bounce = swell(2.0f * phase, 0.58f); /* highest over the standing leg */
    float sway = swell(phase, 0.30f);          /* towards the standing leg */
    float turn = swell(phase, 0.0f);           /* with the leg in front */
    out->hips = demo_vec(0.016f * sway, -0.027f + 0.019f * bounce, 0.0f);
    out->hips_turn = (biped_turn){demo_radians(2.0f), demo_radians(-6.0f * turn),
                                  demo_radians(3.5f * swell(phase, 0.20f))};
    out->spine = (biped_turn){demo_radians(1.0f), demo_radians(5.0f * turn),
                              demo_radians(-2.5f * swell(phase, 0.22f))};
    out->chest = (biped_turn){demo_radians(1.5f + 1.0f * bounce), demo_radians(7.0f * turn),
                              demo_radians(-2.0f * swell(phase, 0.24f))};
    out->head = (biped_turn){demo_radians(2.0f - 1.5f * swell(2.0f * phase, 0.70f)),
                             demo_radians(1.5f * turn), demo_radians(-1.2f * sway)};
    out->antenna = (biped_turn){demo_radians(7.0f * swell(2.0f * phase, 0.92f)), 0.0f,
                                demo_radians(5.0f * swell(phase, 0.55f))};
    step_both(&walk_gait, phase, 0.066f, demo_radians(5.0f), out);
    walk_arm(phase, &out->arms[BIPED_LEFT]);
    walk_arm(half_a_cycle_later(phase), &out->arms[BIPED_RIGHT]);
}

/* --- run -------------------------------------------------------------------------------- */

static const float run_swing[][4] = {
    {0.46f, -0.440f, 0.350f, 78.0f}, {0.58f, -0.300f, 0.470f, 84.0f},
    {0.70f, 0.020f, 0.390f, 52.0f},  {0.82f, 0.260f, 0.285f, 20.0f},
    {0.92f, 0.275f, 0.165f, 0.0f},
};

static const biped_gait run_gait = {
    .stance = 0.35f,
    .travel = 0.600f,
    .contact_z = 0.180f,
    .contact_pitch = DEGREES(-9.0f),
    .flat_phase = 0.06f,
    .roll_phase = 0.14f,
    .push_pitch = DEGREES(62.0f),
    .swing = run_swing,
    .swing_count = 5,
};

static void run_arm(float phase, biped_arm *arm)
{
    float forward = swell(phase, 0.54f);
    arm->swing = demo_radians(-8.0f + 42.0f * forward);
    arm->spread = demo_radians(16.0f);
    arm->twist = demo_radians(6.0f + 12.0f * forward);
    arm->elbow = demo_radians(98.0f + 12.0f * swell(phase, 0.58f));
    arm->wrist = demo_radians(5.0f);
    arm->curl = demo_radians(62.0f);
    arm->shrug = demo_radians(3.0f);
    arm->reach = demo_radians(8.0f * forward);
}

static void run(float phase, biped_controls *out)
{
    float bounce = swell(2.0f * phase, 0.85f); /* highest in the air */
    float turn = swell(phase, 0.98f);
    float sway = swell(phase, 0.17f);
    out->hips = demo_vec(0.012f * sway, -0.045f + 0.036f * bounce, -0.010f);
    out->hips_turn = (biped_turn){demo_radians(8.0f), demo_radians(-9.0f * turn),
                                  demo_radians(4.0f * swell(phase, 0.14f))};
    out->spine = (biped_turn){demo_radians(4.0f), demo_radians(9.0f * turn),
                              demo_radians(-3.0f * swell(phase, 0.16f))};
    out->chest = (biped_turn){demo_radians(4.0f - 2.0f * bounce), demo_radians(12.0f * turn),
                              demo_radians(-2.0f * swell(phase, 0.18f))};
    out->head = (biped_turn){demo_radians(5.0f + 2.0f * swell(2.0f * phase, 0.05f)),
                             demo_radians(1.0f * turn), demo_radians(-1.0f * sway)};
    out->antenna = (biped_turn){demo_radians(-14.0f + 12.0f * swell(2.0f * phase, 0.20f)), 0.0f,
                                demo_radians(4.0f * swell(phase, 0.45f))};
    step_both(&run_gait, phase, 0.050f, demo_radians(3.0f), out);
    run_arm(phase, &out->arms[BIPED_LEFT]);
    run_arm(half_a_cycle_later(phase), &out->arms[BIPED_RIGHT]);
}

/* --- idle ---------------------------------------------------------------------------------- */

static void idle_arm(float phase, float lag, biped_arm *arm)
{
    float breath = swell(2.0f * phase, 0.30f + lag);
    arm->swing = demo_radians(-1.0f + 1.5f * swell(phase, 0.4f + lag));
    arm->spread = demo_radians(14.0f + 1.2f * breath);
    arm->twist = demo_radians(20.0f);
    arm->elbow = demo_radians(22.0f + 2.0f * breath);
    arm->wrist = demo_radians(6.0f);
    arm->curl = demo_radians(26.0f + 3.0f * swell(phase, 0.7f + lag));
    arm->shrug = demo_radians(1.0f + 2.0f * breath);
    arm->reach = 0.0f;
}

static void idle(float phase, biped_controls *out)
{
    float breath = swell(2.0f * phase, 0.25f);
    float shift = swell(phase, 0.25f); /* onto the left leg */
    out->hips =
        demo_vec(0.020f * shift, -0.0045f - 0.0010f * shift * shift + 0.0010f * breath, -0.004f);
    out->hips_turn =
        (biped_turn){demo_radians(1.0f), demo_radians(2.5f * shift), demo_radians(2.2f * shift)};
    out->spine =
        (biped_turn){demo_radians(-1.0f), demo_radians(-1.0f * shift), demo_radians(-2.0f * shift)};
    out->chest = (biped_turn){demo_radians(1.0f - 2.2f * breath), demo_radians(-1.0f * shift),
                              demo_radians(-1.2f * shift)};
    out->head = (biped_turn){demo_radians(1.0f - 1.2f * swell(2.0f * phase, 0.38f)),
                             demo_radians(9.0f * swell(phase, 0.42f)),
                             demo_radians(2.5f * swell(phase, 0.50f))};
    out->antenna = (biped_turn){demo_radians(2.5f * swell(2.0f * phase, 0.55f)), 0.0f,
                                demo_radians(3.5f * swell(phase, 0.72f))};
    for (uint32_t side = 0; side < BIPED_SIDES; side++) {
        mrw_vec3 ankle = biped_rest_place(BIPED_LEFT_FOOT);
        ankle.x = side_sign(side) * 0.098f;
        ankle.z = side == BIPED_LEFT ? 0.012f : -0.016f;
        out->feet[side] = (biped_foot){ankle, 0.0f, demo_radians(9.0f), 0.0f};
        idle_arm(phase, side == BIPED_LEFT ? 0.0f : 0.03f, &out->arms[side]);
    }
}

static const biped_motion motions[BIPED_MOTION_COUNT] = {
    {"idle", 4.0f, 40, idle},
    {"walk", 32.0f / 30.0f, 32, walk},
    {"run", 20.0f / 30.0f, 20, run},
};

const biped_motion *biped_motions(void)
{
    return motions;
}
