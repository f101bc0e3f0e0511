#include "demo_shape.h"

#include "demo_curve.h"
#include "demo_vec.h"

#define CAP_RINGS 4 /* of a rounded end, its pole included */
#define MAX_RINGS 128
#define MAX_STATIONS 32

demo_influences demo_bind_chain(const void *user, mrw_vec3 point, float at)
{
    (void)point;
    const demo_chain *chain = user;
    demo_influences influences = {{0}, {0}};
    float here = 1.0f;
    for (uint32_t i = 0; i < chain->link_count; i++) {
        float next = 0.0f;
        if (i + 1 < chain->link_count) {
            const demo_link *link = &chain->links[i + 1];
            next = demo_smoothstep(link->at - link->blend, link->at + link->blend, at);
        }
        demo_influences_add(&influences, chain->links[i].joint, here - next);
        here = next;
    }
    demo_influences_normalize(&influences);
    return influences;
}

demo_influences demo_bind_rigid(const void *user, mrw_vec3 point, float at)
{
    (void)point;
    (void)at;
    const uint32_t *joint = user;
    demo_influences influences = {{(uint16_t)*joint}, {1.0f}};
    return influences;
}

float demo_squareness(float x, float y, float z, float square)
{
    float x2 = x * x, y2 = y * y, z2 = z * z;
    float reach = 1.0f / mrw_sqrt(mrw_sqrt(x2 * x2 + y2 * y2 + z2 * z2));
    return 1.0f + (reach - 1.0f) * square;
}

/* The table of stations, column by column. */
typedef struct columns {
    uint32_t count;
    float at[MAX_STATIONS];
    float half_u[MAX_STATIONS], half_v[MAX_STATIONS];
    float shift_u[MAX_STATIONS], shift_v[MAX_STATIONS];
    float square[MAX_STATIONS];
} columns;

static void fill_columns(const demo_loft *loft, columns *out)
{
    out->count = loft->station_count < MAX_STATIONS ? loft->station_count : MAX_STATIONS;
    for (uint32_t i = 0; i < out->count; i++) {
        const demo_station *station = &loft->stations[i];
        out->at[i] = station->at;
        out->half_u[i] = station->half_u;
        out->half_v[i] = station->half_v;
        out->shift_u[i] = station->shift_u;
        out->shift_v[i] = station->shift_v;
        out->square[i] = station->square;
    }
}

static demo_station station_at(const columns *table, float at, uint32_t material)
{
    const float *xs = table->at;
    demo_station station = {
        at,
        demo_profile(xs, table->half_u, table->count, at),
        demo_profile(xs, table->half_v, table->count, at),
        demo_profile(xs, table->shift_u, table->count, at),
        demo_profile(xs, table->shift_v, table->count, at),
        demo_profile(xs, table->square, table->count, at),
        material,
    };
    return station;
}

/* A quarter of an ellipse beyond an end: ring i of CAP_RINGS, 0 next to the end, the last the
 * pole. */
static demo_station cap_ring(demo_station end, float length, uint32_t i)
{
    float angle = 0.5f * MRW_PI * (float)(i + 1) / (float)CAP_RINGS;
    float size = i + 1 == CAP_RINGS ? 0.0f : mrw_cos(angle);
    end.at += length * mrw_sin(angle);
    end.half_u *= size;
    end.half_v *= size;
    return end;
}

/* All rings of the loft, ends included. */
static uint32_t list_rings(const demo_loft *loft, demo_station rings[MAX_RINGS])
{
    columns table;
    fill_columns(loft, &table);
    uint32_t count = 0;
    const demo_station *last = &loft->stations[table.count - 1];
    if (loft->first_cap > 0.0f)
        for (uint32_t i = CAP_RINGS; i-- > 0;)
            rings[count++] = cap_ring(loft->stations[0], -loft->first_cap, i);
    for (const demo_station *from = loft->stations; from < last; from++) {
        float length = from[1].at - from->at;
        uint32_t steps = (uint32_t)(length / loft->spacing) + 1;
        for (uint32_t k = 0; k < steps && count + CAP_RINGS + 1 < MAX_RINGS; k++) {
            float at = from->at + length * (float)k / (float)steps;
            rings[count++] = station_at(&table, at, from->material);
        }
    }
    rings[count++] = *last;
    if (loft->last_cap > 0.0f)
        for (uint32_t i = 0; i < CAP_RINGS; i++)
            rings[count++] = cap_ring(*last, loft->last_cap, i);
    return count;
}

static mrw_vec3 ring_point(const demo_loft *loft, const demo_station *ring, float c, float s)
{
    float reach = demo_squareness(c, s, 0.0f, ring->square);
    mrw_vec3 point = demo_add(loft->origin, demo_scale(loft->axis, ring->at));
    point = demo_add(point, demo_scale(loft->u, ring->shift_u + ring->half_u * c * reach));
    return demo_add(point, demo_scale(loft->v, ring->shift_v + ring->half_v * s * reach));
}

static void fill_ring(const demo_loft *loft, const demo_station *ring, demo_grid *grid,
                      uint32_t ring_index)
{
    for (uint32_t i = 0; i < grid->segment_count; i++) {
        float angle = 2.0f * MRW_PI * (float)i / (float)grid->segment_count;
        uint32_t index = ring_index * grid->segment_count + i;
        mrw_vec3 point = ring_point(loft, ring, mrw_cos(angle), mrw_sin(angle));
        grid->points[index] = point;
        grid->influences[index] = loft->bind(loft->bind_user, point, ring->at);
        grid->materials[index] = (uint8_t)ring->material;
    }
}

void demo_loft_add(demo_mesh *mesh, const demo_loft *loft, const uint16_t *mirror_joints)
{
    demo_station rings[MAX_RINGS];
    uint32_t ring_count = list_rings(loft, rings);
    demo_grid grid;
    if (!demo_grid_create(mesh, ring_count, loft->segment_count, &grid))
        return;
    for (uint32_t i = 0; i < ring_count; i++)
        fill_ring(loft, &rings[i], &grid, i);
    demo_grid_add(mesh, &grid, NULL);
    if (mirror_joints != NULL)
        demo_grid_add(mesh, &grid, mirror_joints);
}
