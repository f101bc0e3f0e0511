#include "demo_biped.h"

#include "demo_vec.h"

/* The helmet is a ball, somewhat squared. Visor and eyes are patches on it: rings of an ellipse in
 * yaw and pitch, drawn in to a point in the middle, lifted off the ball and with their edge sunk
 * into what is below. */

typedef struct ball {
    mrw_vec3 centre;
    mrw_vec3 radii;
    float square;
} ball;

typedef struct patch {
    float yaw, pitch; /* of the middle, radians; yaw to the left */
    float half_yaw, half_pitch;
    float square;
    float lift, edge_lift; /* of the middle and the edge, in radii of the ball */
    uint32_t segment_count;
    uint32_t material;
} patch;

static const ball helmet = {{0.0f, 1.525f, 0.005f}, {0.158f, 0.165f, 0.162f}, 0.35f};

static const patch visor_frame = {0.0f,   -0.06f,  1.12f, 0.68f,       0.75f,
                                  0.034f, -0.110f, 36,    BIPED_JOINTS};
static const patch visor = {0.0f, -0.06f, 1.00f, 0.56f, 0.75f, 0.060f, -0.060f, 36, BIPED_VISOR};
static const patch left_eye = {0.37f, -0.01f, 0.100f, 0.205f, 0.2f, 0.072f, 0.050f, 20, BIPED_EYES};

/* From the edge to the middle, closer together where the patch bends down. */
static const float patch_rings[] = {1.0f, 0.96f, 0.90f, 0.82f, 0.65f, 0.35f, 0.0f};

enum { PATCH_RINGS = sizeof(patch_rings) / sizeof(patch_rings[0]) };
enum { BALL_RINGS = 19, BALL_SEGMENTS = 36 };

/* The point of the ball that lies at the angles, `lift` further out. */
static mrw_vec3 ball_point(const ball *on, float yaw, float pitch, float lift)
{
    float level = mrw_cos(pitch);
    mrw_vec3 direction = demo_vec(mrw_sin(yaw) * level, mrw_sin(pitch), mrw_cos(yaw) * level);
    float reach = demo_squareness(direction.x, direction.y, direction.z, on->square) + lift;
    return demo_add(on->centre,
                    demo_vec(on->radii.x * direction.x * reach, on->radii.y * direction.y * reach,
                             on->radii.z * direction.z * reach));
}

static void set_point(demo_grid *grid, uint32_t index, mrw_vec3 point, uint32_t material)
{
    static const uint32_t head = BIPED_HEAD;
    grid->points[index] = point;
    grid->influences[index] = demo_bind_rigid(&head, point, 0.0f);
    grid->materials[index] = (uint8_t)material;
}

static void add_ball(demo_mesh *mesh, const ball *on, uint32_t material)
{
    demo_grid grid;
    if (!demo_grid_create(mesh, BALL_RINGS, BALL_SEGMENTS, &grid))
        return;
    for (uint32_t ring = 0; ring < BALL_RINGS; ring++) {
        bool is_pole = ring == 0 || ring + 1 == BALL_RINGS;
        float pitch = MRW_PI * ((float)ring / (float)(BALL_RINGS - 1) - 0.5f);
        for (uint32_t i = 0; i < BALL_SEGMENTS; i++) {
            float yaw = is_pole ? 0.0f : 2.0f * MRW_PI * (float)i / (float)BALL_SEGMENTS;
            set_point(&grid, ring * BALL_SEGMENTS + i, ball_point(on, yaw, pitch, 0.0f), material);
        }
    }
    demo_grid_add(mesh, &grid, NULL);
}

/* The lift keeps nearly to the middle's until close to the edge: 1 - r^8. */
static mrw_vec3 patch_point(const ball *on, const patch *shape, float out, float angle)
{
    float c = mrw_cos(angle), s = mrw_sin(angle);
    float reach = out * demo_squareness(c, s, 0.0f, shape->square);
    float out4 = out * out * out * out;
    float lift = shape->lift + (shape->edge_lift - shape->lift) * out4 * out4;
    return ball_point(on, shape->yaw + shape->half_yaw * c * reach,
                      shape->pitch + shape->half_pitch * s * reach, lift);
}

static void add_patch(demo_mesh *mesh, const ball *on, const patch *shape,
                      const uint16_t *mirror_joints)
{
    demo_grid grid;
    uint32_t segment_count = shape->segment_count;
    if (!demo_grid_create(mesh, PATCH_RINGS, segment_count, &grid))
        return;
    for (uint32_t ring = 0; ring < PATCH_RINGS; ring++) {
        for (uint32_t i = 0; i < segment_count; i++) {
            float angle = 2.0f * MRW_PI * (float)i / (float)segment_count;
            set_point(&grid, ring * segment_count + i,
                      patch_point(on, shape, patch_rings[ring], angle), shape->material);
        }
    }
    demo_grid_add(mesh, &grid, NULL);
    if (mirror_joints != NULL)
        demo_grid_add(mesh, &grid, mirror_joints);
}

/* --- ears and antenna ---------------------------------------------------------------------- */

static const demo_station ear_stations[] = {
    {0.140f, 0.058f, 0.058f, 0.0f, 0.0f, 0.0f, BIPED_JOINTS},
    {0.166f, 0.056f, 0.056f, 0.0f, 0.0f, 0.0f, BIPED_JOINTS},
    {0.170f, 0.042f, 0.042f, 0.0f, 0.0f, 0.0f, BIPED_SUIT},
    {0.180f, 0.040f, 0.040f, 0.0f, 0.0f, 0.0f, BIPED_SUIT},
};

static void add_ears(demo_mesh *mesh)
{
    static const uint32_t head = BIPED_HEAD;
    demo_loft ear = {
        .origin = {0.0f, 1.515f, -0.010f},
        .axis = {1.0f, 0.0f, 0.0f},
        .u = {0.0f, 1.0f, 0.0f},
        .v = {0.0f, 0.0f, 1.0f},
        .stations = ear_stations,
        .station_count = sizeof(ear_stations) / sizeof(ear_stations[0]),
        .segment_count = 20,
        .spacing = 0.02f,
        .first_cap = 0.0f,
        .last_cap = 0.008f,
        .bind = demo_bind_rigid,
        .bind_user = &head,
    };
    demo_loft_add(mesh, &ear, biped_mirror());
}

static const demo_station antenna_stations[] = {
    {0.000f, 0.014f, 0.014f, 0.0f, 0.0f, 0.0f, BIPED_JOINTS},
    {0.018f, 0.012f, 0.012f, 0.0f, 0.0f, 0.0f, BIPED_JOINTS},
    {0.026f, 0.006f, 0.006f, 0.0f, 0.0f, 0.0f, BIPED_JOINTS},
    {0.110f, 0.005f, 0.005f, 0.0f, 0.0f, 0.0f, BIPED_JOINTS},
    {0.114f, 0.012f, 0.012f, 0.0f, 0.0f, 0.0f, BIPED_SUIT},
    {0.121f, 0.018f, 0.018f, 0.0f, 0.0f, 0.0f, BIPED_SUIT},
    {0.129f, 0.021f, 0.021f, 0.0f, 0.0f, 0.0f, BIPED_SUIT},
};

static const demo_link antenna_links[] = {
    {BIPED_HEAD, 0.0f, 1.0f},
    {BIPED_ANTENNA, 0.020f, 0.012f},
    {BIPED_ANTENNA_TIP, 0.066f, 0.030f},
};

static void add_antenna(demo_mesh *mesh)
{
    static const demo_chain chain = {antenna_links,
                                     sizeof(antenna_links) / sizeof(antenna_links[0])};
    mrw_vec3 base = biped_rest_place(BIPED_ANTENNA);
    mrw_vec3 direction = demo_normalize(demo_sub(biped_rest_place(BIPED_ANTENNA_TIP), base));
    mrw_vec3 u = demo_normalize(demo_cross(direction, demo_vec(0.0f, 0.0f, 1.0f)));
    demo_loft antenna = {
        .origin = demo_sub(base, demo_scale(direction, 0.020f)),
        .axis = direction,
        .u = u,
        .v = demo_cross(direction, u),
        .stations = antenna_stations,
        .station_count = sizeof(antenna_stations) / sizeof(antenna_stations[0]),
        .segment_count = 12,
        .spacing = 0.014f,
        .first_cap = 0.0f,
        .last_cap = 0.021f,
        .bind = demo_bind_chain,
        .bind_user = &chain,
    };
    demo_loft_add(mesh, &antenna, NULL);
}

/* --- neck: along +Y, u forward, v to the left ------------------------------------------------ */

static const demo_station neck_stations[] = {
    {1.300f, 0.058f, 0.058f, -0.006f, 0.0f, 0.0f, BIPED_JOINTS},
    {1.340f, 0.055f, 0.055f, -0.004f, 0.0f, 0.0f, BIPED_JOINTS},
    {1.420f, 0.058f, 0.058f, 0.000f, 0.0f, 0.0f, BIPED_JOINTS},
};

static const demo_link neck_links[] = {
    {BIPED_CHEST, 0.0f, 1.0f},
    {BIPED_NECK, 1.335f, 0.020f},
    {BIPED_HEAD, 1.385f, 0.025f},
};

static void add_neck(demo_mesh *mesh)
{
    static const demo_chain chain = {neck_links, sizeof(neck_links) / sizeof(neck_links[0])};
    demo_loft neck = {
        .axis = {0.0f, 1.0f, 0.0f},
        .u = {0.0f, 0.0f, 1.0f},
        .v = {1.0f, 0.0f, 0.0f},
        .stations = neck_stations,
        .station_count = sizeof(neck_stations) / sizeof(neck_stations[0]),
        .segment_count = 20,
        .spacing = 0.014f,
        .first_cap = 0.0f,
        .last_cap = 0.0f,
        .bind = demo_bind_chain,
        .bind_user = &chain,
    };
    demo_loft_add(mesh, &neck, NULL);
}

void biped_add_head(demo_mesh *mesh)
{
    add_neck(mesh);
    add_ball(mesh, &helmet, BIPED_SHELL);
    add_patch(mesh, &helmet, &visor_frame, NULL);
    add_patch(mesh, &helmet, &visor, NULL);
    add_patch(mesh, &helmet, &left_eye, biped_mirror());
    add_ears(mesh);
    add_antenna(mesh);
}
