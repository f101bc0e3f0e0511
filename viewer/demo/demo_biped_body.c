#include "demo_biped.h"

#include "demo_curve.h"
#include "demo_vec.h"

/* The body is made of lofts that reach into each other, as the parts of a jointed doll do: limbs
 * begin inside the torso with a ball around their joint, so that any pose closes the gap. Within a
 * limb the surface is one piece, and its rings stand closer around elbow and knee, where it bends.
 */

#define LINKS(table)                                                                               \
    {                                                                                              \
        table, sizeof(table) / sizeof((table)[0])                                                  \
    }

static const mrw_vec3 axis_x = {1.0f, 0.0f, 0.0f};
static const mrw_vec3 axis_y = {0.0f, 1.0f, 0.0f};
static const mrw_vec3 axis_z = {0.0f, 0.0f, 1.0f};

/* --- torso: along +Y from the ground, u forward, v to the left ------------------------- */

static const demo_station torso_stations[] = {
    {0.816f, 0.066f, 0.108f, -0.006f, 0.0f, 0.40f, BIPED_SUIT},
    {0.838f, 0.083f, 0.140f, -0.006f, 0.0f, 0.40f, BIPED_SUIT},
    {0.872f, 0.095f, 0.152f, -0.007f, 0.0f, 0.40f, BIPED_SUIT},
    {0.910f, 0.101f, 0.147f, -0.005f, 0.0f, 0.35f, BIPED_SUIT},
    {0.943f, 0.098f, 0.133f, -0.002f, 0.0f, 0.30f, BIPED_SUIT},
    {0.950f, 0.103f, 0.136f, -0.001f, 0.0f, 0.30f, BIPED_JOINTS},
    {0.982f, 0.100f, 0.130f, -0.001f, 0.0f, 0.30f, BIPED_JOINTS},
    {0.989f, 0.094f, 0.122f, 0.000f, 0.0f, 0.30f, BIPED_SUIT},
    {1.060f, 0.094f, 0.122f, 0.002f, 0.0f, 0.30f, BIPED_SUIT},
    {1.140f, 0.105f, 0.138f, 0.002f, 0.0f, 0.35f, BIPED_SUIT},
    {1.210f, 0.109f, 0.150f, -0.001f, 0.0f, 0.35f, BIPED_SUIT},
    {1.270f, 0.098f, 0.150f, -0.005f, 0.0f, 0.25f, BIPED_SUIT},
    {1.310f, 0.082f, 0.124f, -0.008f, 0.0f, 0.10f, BIPED_SUIT},
    {1.332f, 0.074f, 0.086f, -0.008f, 0.0f, 0.00f, BIPED_SHELL},
    {1.342f, 0.081f, 0.090f, -0.008f, 0.0f, 0.00f, BIPED_SHELL},
    {1.362f, 0.077f, 0.086f, -0.006f, 0.0f, 0.00f, BIPED_SHELL},
};

static const demo_link trunk_links[] = {
    {BIPED_HIPS, 0.0f, 1.0f},
    {BIPED_SPINE, 0.985f, 0.050f},
    {BIPED_CHEST, 1.105f, 0.055f},
};

/* The trunk follows hips, spine and chest by height. Its lower corners go along with the thighs and
 * its upper ones with the shoulders, or the limbs would tear out of it. */
static demo_influences bind_torso(const void *user, mrw_vec3 point, float at)
{
    static const demo_chain trunk = LINKS(trunk_links);
    (void)user;
    float side = point.x < 0.0f ? -point.x : point.x;
    float thigh =
        0.45f * demo_smoothstep(0.02f, 0.12f, side) * (1.0f - demo_smoothstep(0.82f, 0.92f, at));
    float shoulder = 0.6f * demo_smoothstep(0.06f, 0.15f, side) * demo_smoothstep(1.17f, 1.28f, at);
    demo_influences influences = demo_bind_chain(&trunk, point, at);
    for (int i = 0; i < DEMO_INFLUENCES; i++)
        influences.weights[i] *= 1.0f - thigh - shoulder;
    demo_influences_add(&influences, point.x < 0.0f ? BIPED_RIGHT_THIGH : BIPED_LEFT_THIGH, thigh);
    demo_influences_add(&influences, point.x < 0.0f ? BIPED_RIGHT_SHOULDER : BIPED_LEFT_SHOULDER,
                        shoulder);
    demo_influences_normalize(&influences);
    return influences;
}

static void add_torso(demo_mesh *mesh)
{
    demo_loft torso = {
        .axis = axis_y,
        .u = axis_z,
        .v = axis_x,
        .stations = torso_stations,
        .station_count = sizeof(torso_stations) / sizeof(torso_stations[0]),
        .segment_count = 24,
        .spacing = 0.030f,
        .first_cap = 0.030f,
        .last_cap = 0.010f,
        .bind = bind_torso,
    };
    demo_loft_add(mesh, &torso, NULL);
}

/* --- backpack: along +Y, u forward, v to the left ------------------------------------ */

static const demo_station pack_stations[] = {
    {1.060f, 0.045f, 0.088f, -0.128f, 0.0f, 0.80f, BIPED_SHELL},
    {1.090f, 0.056f, 0.100f, -0.132f, 0.0f, 0.80f, BIPED_SHELL},
    {1.180f, 0.060f, 0.106f, -0.134f, 0.0f, 0.80f, BIPED_SHELL},
    {1.188f, 0.053f, 0.098f, -0.134f, 0.0f, 0.80f, BIPED_JOINTS},
    {1.202f, 0.053f, 0.098f, -0.134f, 0.0f, 0.80f, BIPED_JOINTS},
    {1.210f, 0.060f, 0.106f, -0.134f, 0.0f, 0.80f, BIPED_SHELL},
    {1.265f, 0.054f, 0.098f, -0.130f, 0.0f, 0.80f, BIPED_SHELL},
};

static void add_pack(demo_mesh *mesh)
{
    static const uint32_t chest = BIPED_CHEST;
    demo_loft pack = {
        .axis = axis_y,
        .u = axis_z,
        .v = axis_x,
        .stations = pack_stations,
        .station_count = sizeof(pack_stations) / sizeof(pack_stations[0]),
        .segment_count = 24,
        .spacing = 0.05f,
        .first_cap = 0.025f,
        .last_cap = 0.028f,
        .bind = demo_bind_rigid,
        .bind_user = &chest,
    };
    demo_loft_add(mesh, &pack, NULL);
}

/* --- arm: from the shoulder along the arm, u forward, v to the palm's side ------------------ */

static const demo_station arm_stations[] = {
    {-0.005f, 0.060f, 0.060f, 0.000f, 0.0f, 0.0f, BIPED_SUIT},
    {0.040f, 0.061f, 0.059f, 0.000f, 0.0f, 0.0f, BIPED_SUIT},
    {0.110f, 0.054f, 0.053f, 0.000f, 0.0f, 0.0f, BIPED_SUIT},
    {0.205f, 0.049f, 0.048f, 0.000f, 0.0f, 0.0f, BIPED_SUIT},
    {0.215f, 0.044f, 0.044f, 0.000f, 0.0f, 0.0f, BIPED_JOINTS},
    {0.265f, 0.043f, 0.043f, -0.002f, 0.0f, 0.0f, BIPED_JOINTS},
    {0.315f, 0.043f, 0.043f, 0.000f, 0.0f, 0.0f, BIPED_JOINTS},
    {0.325f, 0.048f, 0.047f, 0.000f, 0.0f, 0.0f, BIPED_SUIT},
    {0.390f, 0.049f, 0.048f, 0.000f, 0.0f, 0.0f, BIPED_SUIT},
    {0.448f, 0.043f, 0.041f, 0.000f, 0.0f, 0.0f, BIPED_SUIT},
    {0.454f, 0.053f, 0.050f, 0.000f, 0.0f, 0.0f, BIPED_SHELL},
    {0.484f, 0.053f, 0.050f, 0.000f, 0.0f, 0.0f, BIPED_SHELL},
    {0.490f, 0.039f, 0.035f, 0.000f, 0.0f, 0.0f, BIPED_JOINTS},
    {0.510f, 0.039f, 0.034f, 0.000f, 0.0f, 0.2f, BIPED_JOINTS},
    {0.555f, 0.050f, 0.034f, 0.000f, 0.0f, 0.3f, BIPED_JOINTS},
    {0.600f, 0.054f, 0.034f, 0.000f, 0.0f, 0.4f, BIPED_JOINTS},
    {0.650f, 0.050f, 0.031f, -0.002f, 0.002f, 0.4f, BIPED_JOINTS},
    {0.680f, 0.044f, 0.027f, -0.003f, 0.004f, 0.4f, BIPED_JOINTS},
};

static const demo_link arm_links[] = {
    {BIPED_LEFT_SHOULDER, 0.0f, 1.0f},    {BIPED_LEFT_UPPER_ARM, 0.010f, 0.045f},
    {BIPED_LEFT_FOREARM, 0.265f, 0.042f}, {BIPED_LEFT_HAND, 0.505f, 0.025f},
    {BIPED_LEFT_FINGERS, 0.605f, 0.028f},
};

static void add_arm(demo_mesh *mesh)
{
    static const demo_chain chain = LINKS(arm_links);
    mrw_vec3 direction = biped_arm_direction();
    demo_loft arm = {
        .origin = biped_rest_place(BIPED_LEFT_UPPER_ARM),
        .axis = direction,
        .u = axis_z,
        .v = demo_cross(direction, axis_z),
        .stations = arm_stations,
        .station_count = sizeof(arm_stations) / sizeof(arm_stations[0]),
        .segment_count = 14,
        .spacing = 0.020f,
        .first_cap = 0.060f,
        .last_cap = 0.024f,
        .bind = demo_bind_chain,
        .bind_user = &chain,
    };
    demo_loft_add(mesh, &arm, biped_mirror());
}

static const demo_station thumb_stations[] = {
    {0.000f, 0.023f, 0.023f, 0.0f, 0.0f, 0.0f, BIPED_JOINTS},
    {0.040f, 0.022f, 0.021f, 0.0f, 0.0f, 0.0f, BIPED_JOINTS},
    {0.075f, 0.019f, 0.019f, 0.0f, 0.0f, 0.0f, BIPED_JOINTS},
};

static const demo_link thumb_links[] = {
    {BIPED_LEFT_HAND, 0.0f, 1.0f},
    {BIPED_LEFT_THUMB, 0.018f, 0.016f},
};

static void add_thumb(demo_mesh *mesh)
{
    static const demo_chain chain = LINKS(thumb_links);
    mrw_vec3 along = biped_arm_direction();
    mrw_vec3 palm = demo_cross(along, axis_z);
    mrw_vec3 direction = demo_normalize(
        demo_add(demo_scale(along, 0.75f), demo_add(axis_z, demo_scale(palm, 0.25f))));
    mrw_vec3 u = demo_normalize(demo_cross(palm, direction));
    demo_loft thumb = {
        .origin = demo_sub(biped_rest_place(BIPED_LEFT_THUMB), demo_scale(direction, 0.018f)),
        .axis = direction,
        .u = u,
        .v = demo_cross(direction, u),
        .stations = thumb_stations,
        .station_count = sizeof(thumb_stations) / sizeof(thumb_stations[0]),
        .segment_count = 10,
        .spacing = 0.020f,
        .first_cap = 0.015f,
        .last_cap = 0.018f,
        .bind = demo_bind_chain,
        .bind_user = &chain,
    };
    demo_loft_add(mesh, &thumb, biped_mirror());
}

/* --- leg: from the hip along -Y, u to the left, v forward ------------------------------------ */

static const demo_station leg_stations[] = {
    {0.000f, 0.068f, 0.082f, -0.004f, -0.002f, 0.0f, BIPED_SUIT},
    {0.070f, 0.077f, 0.088f, -0.002f, 0.000f, 0.0f, BIPED_SUIT},
    {0.160f, 0.072f, 0.082f, 0.000f, 0.002f, 0.0f, BIPED_SUIT},
    {0.310f, 0.064f, 0.068f, 0.000f, 0.002f, 0.0f, BIPED_SUIT},
    {0.322f, 0.058f, 0.061f, 0.000f, 0.002f, 0.0f, BIPED_JOINTS},
    {0.385f, 0.056f, 0.060f, 0.000f, 0.002f, 0.0f, BIPED_JOINTS},
    {0.448f, 0.055f, 0.058f, 0.000f, -0.002f, 0.0f, BIPED_JOINTS},
    {0.460f, 0.060f, 0.064f, 0.000f, -0.004f, 0.0f, BIPED_SUIT},
    {0.520f, 0.060f, 0.066f, 0.000f, -0.006f, 0.0f, BIPED_SUIT},
    {0.582f, 0.053f, 0.057f, 0.000f, -0.006f, 0.0f, BIPED_SUIT},
    {0.588f, 0.066f, 0.069f, 0.000f, -0.006f, 0.0f, BIPED_SHELL},
    {0.628f, 0.066f, 0.069f, 0.000f, -0.006f, 0.0f, BIPED_SHELL},
    {0.634f, 0.057f, 0.060f, 0.000f, -0.005f, 0.0f, BIPED_SHELL},
    {0.720f, 0.053f, 0.058f, 0.000f, -0.003f, 0.0f, BIPED_SHELL},
    {0.790f, 0.052f, 0.060f, 0.000f, 0.000f, 0.0f, BIPED_SHELL},
};

static const demo_link leg_links[] = {
    {BIPED_HIPS, 0.0f, 1.0f},
    {BIPED_LEFT_THIGH, 0.000f, 0.055f},
    {BIPED_LEFT_SHIN, 0.385f, 0.055f},
    {BIPED_LEFT_FOOT, 0.750f, 0.035f},
};

static void add_leg(demo_mesh *mesh)
{
    static const demo_chain chain = LINKS(leg_links);
    demo_loft leg = {
        .origin = biped_rest_place(BIPED_LEFT_THIGH),
        .axis = {0.0f, -1.0f, 0.0f},
        .u = axis_x,
        .v = axis_z,
        .stations = leg_stations,
        .station_count = sizeof(leg_stations) / sizeof(leg_stations[0]),
        .segment_count = 16,
        .spacing = 0.026f,
        .first_cap = 0.070f,
        .last_cap = 0.025f,
        .bind = demo_bind_chain,
        .bind_user = &chain,
    };
    demo_loft_add(mesh, &leg, biped_mirror());
}

/* --- boot and its sole: along +Z, u to the left, v up; the sole lies on y = 0 ------------------
 */

static const demo_station boot_stations[] = {
    {-0.052f, 0.045f, 0.046f, 0.000f, 0.056f, 0.25f, BIPED_SHELL},
    {-0.010f, 0.052f, 0.053f, 0.000f, 0.062f, 0.25f, BIPED_SHELL},
    {0.045f, 0.055f, 0.052f, 0.001f, 0.060f, 0.25f, BIPED_SHELL},
    {0.100f, 0.060f, 0.045f, 0.002f, 0.051f, 0.25f, BIPED_SHELL},
    {0.140f, 0.061f, 0.041f, 0.002f, 0.047f, 0.25f, BIPED_SHELL},
    {0.168f, 0.055f, 0.037f, 0.001f, 0.043f, 0.25f, BIPED_SHELL},
};

static const demo_station sole_stations[] = {
    {-0.052f, 0.046f, 0.011f, 0.000f, 0.011f, 0.60f, BIPED_JOINTS},
    {-0.010f, 0.054f, 0.011f, 0.000f, 0.011f, 0.60f, BIPED_JOINTS},
    {0.045f, 0.056f, 0.011f, 0.001f, 0.011f, 0.60f, BIPED_JOINTS},
    {0.100f, 0.063f, 0.011f, 0.002f, 0.011f, 0.60f, BIPED_JOINTS},
    {0.140f, 0.065f, 0.011f, 0.002f, 0.011f, 0.60f, BIPED_JOINTS},
    {0.168f, 0.059f, 0.011f, 0.001f, 0.011f, 0.60f, BIPED_JOINTS},
};

static const demo_link boot_links[] = {
    {BIPED_LEFT_FOOT, 0.0f, 1.0f},
    {BIPED_LEFT_TOES, 0.112f, 0.024f},
};

static void add_boot(demo_mesh *mesh)
{
    static const demo_chain chain = LINKS(boot_links);
    mrw_vec3 ankle = biped_rest_place(BIPED_LEFT_FOOT);
    demo_loft boot = {
        .origin = {ankle.x, 0.0f, ankle.z},
        .axis = axis_z,
        .u = axis_x,
        .v = axis_y,
        .stations = boot_stations,
        .station_count = sizeof(boot_stations) / sizeof(boot_stations[0]),
        .segment_count = 18,
        .spacing = 0.020f,
        .first_cap = 0.030f,
        .last_cap = 0.032f,
        .bind = demo_bind_chain,
        .bind_user = &chain,
    };
    demo_loft_add(mesh, &boot, biped_mirror());
    boot.stations = sole_stations;
    boot.station_count = sizeof(sole_stations) / sizeof(sole_stations[0]);
    boot.segment_count = 12;
    boot.first_cap = 0.032f;
    boot.last_cap = 0.037f;
    demo_loft_add(mesh, &boot, biped_mirror());
}

/* --- chest plate: along +Z, u to the left, v up ---------------------------------------------- */

static const demo_station plate_stations[] = {
    {0.080f, 0.060f, 0.040f, 0.0f, 0.0f, 0.80f, BIPED_JOINTS},
    {0.108f, 0.058f, 0.038f, 0.0f, 0.0f, 0.80f, BIPED_JOINTS},
    {0.112f, 0.050f, 0.030f, 0.0f, 0.0f, 0.80f, BIPED_SHELL},
    {0.117f, 0.048f, 0.028f, 0.0f, 0.0f, 0.80f, BIPED_SHELL},
};

static const demo_station lamp_stations[] = {
    {0.100f, 0.011f, 0.011f, -0.022f, 0.0f, 0.0f, BIPED_EYES},
    {0.121f, 0.010f, 0.010f, -0.022f, 0.0f, 0.0f, BIPED_EYES},
};

static void add_plate(demo_mesh *mesh)
{
    static const uint32_t chest = BIPED_CHEST;
    demo_loft plate = {
        .origin = {0.0f, 1.190f, 0.0f},
        .axis = axis_z,
        .u = axis_x,
        .v = axis_y,
        .stations = plate_stations,
        .station_count = sizeof(plate_stations) / sizeof(plate_stations[0]),
        .segment_count = 20,
        .spacing = 0.05f,
        .first_cap = 0.0f,
        .last_cap = 0.004f,
        .bind = demo_bind_rigid,
        .bind_user = &chest,
    };
    demo_loft_add(mesh, &plate, NULL);
    plate.stations = lamp_stations;
    plate.station_count = sizeof(lamp_stations) / sizeof(lamp_stations[0]);
    plate.segment_count = 12;
    demo_loft_add(mesh, &plate, NULL);
}

void biped_add_body(demo_mesh *mesh)
{
    add_torso(mesh);
    add_pack(mesh);
    add_plate(mesh);
    add_arm(mesh);
    add_thumb(mesh);
    add_leg(mesh);
    add_boot(mesh);
}
