/* Boxes around skinned meshes. */
#include <marrow/skin.h>

#include "unit/near.h"
#include "unit/random.h"
#include "unit/skin_case.h"

#include <stdlib.h>

static skin_case c;

static void assert_box(mrw_box box, mrw_vec3 low, mrw_vec3 high)
{
    assert_memory_equal(&box.min, &low, sizeof(low));
    assert_memory_equal(&box.max, &high, sizeof(high));
}

static void box_of_no_positions_is_empty(void **state)
{
    (void)state;
    mrw_box box;
    assert_int_equal(mrw_box_of_positions((mrw_stream){NULL, 0}, 0, &box), MRW_OK);
    assert_box(box, (mrw_vec3){INFINITY, INFINITY, INFINITY},
               (mrw_vec3){-INFINITY, -INFINITY, -INFINITY});
}

/* Against a plain loop, for every count and instruction set; NaN does not count, -0 comes as +0. */
static void box_of_positions_is_exact(void **state)
{
    (void)state;
    uint64_t random = 61;
    for (uint32_t isa = 0; mrw_isa_available(isa) != NULL; isa++) {
        assert_int_equal(mrw_isa_select(mrw_isa_available(isa)), MRW_OK);
        for (uint32_t count = 1; count <= 40; count++) {
            for (size_t step = 3; step <= 5; step++) {
                float *floats = malloc(count * step * sizeof(float));
                float low[3] = {INFINITY, INFINITY, INFINITY};
                float high[3] = {-INFINITY, -INFINITY, -INFINITY};
                for (size_t i = 0; i < count * step; i++) {
                    float x = random_float(&random, -1.0f, 1.0f);
                    floats[i] = random_bits(&random) % 9 == 0 ? NAN : x;
                    if (random_bits(&random) % 9 == 0)
                        floats[i] = -0.0f;
                    if (i % step < 3 && floats[i] < low[i % step])
                        low[i % step] = floats[i] + 0.0f;
                    if (i % step < 3 && floats[i] > high[i % step])
                        high[i % step] = floats[i] + 0.0f;
                }
                mrw_box box;
                mrw_stream stream = {floats, step * sizeof(float)};
                assert_int_equal(mrw_box_of_positions(stream, count, &box), MRW_OK);
                assert_box(box, (mrw_vec3){low[0], low[1], low[2]},
                           (mrw_vec3){high[0], high[1], high[2]});
                free(floats);
            }
        }
    }
    assert_int_equal(mrw_isa_select(NULL), MRW_OK);
}

static bool holds(mrw_box outer, mrw_box inner)
{
    return outer.min.x <= inner.min.x && outer.min.y <= inner.min.y && outer.min.z <= inner.min.z &&
           outer.max.x >= inner.max.x && outer.max.y >= inner.max.y && outer.max.z >= inner.max.z;
}

static void cheap_box_holds_the_exact_one(void **state)
{
    (void)state;
    uint64_t random = 62;
    static mrw_box boxes[CASE_JOINTS + 1];
    for (int round = 0; round < 2000; round++) {
        skin_case_init(&c, &random, 1 + random_bits(&random) % 40, 1 + random_bits(&random) % 6);
        float size = powf(10.0f, (float)(round % 13 - 6));
        skin_case_palette(&c, &random, 3.0f, 0.01f * size, 2.0f * size, round % 2 == 0);
        if (round % 5 == 0) /* one that does not move */
            memset(c.weights + c.job.influence_count, 0,
                   c.job.influence_count * sizeof(c.weights[0]));
        mrw_box exact, cheap;
        assert_int_equal(mrw_skin_vertices(&c.job), MRW_OK);
        assert_int_equal(
            mrw_box_of_positions((mrw_stream){c.out_positions, 0}, c.job.vertex_count, &exact),
            MRW_OK);
        assert_int_equal(mrw_joint_boxes(&c.job, boxes), MRW_OK);
        assert_int_equal(mrw_skin_bounds(c.palette, boxes, c.job.palette_count, &cheap), MRW_OK);
        assert_true(holds(cheap, exact));
    }
}

/* One joint and no turn: nothing is lost but the margin. */
static void cheap_box_is_tight_without_turns(void **state)
{
    (void)state;
    uint64_t random = 63;
    mrw_box boxes[2], exact, cheap;
    skin_case_init(&c, &random, 1, 1);
    c.palette[0] = mrw_mat34_identity();
    c.palette[0].m[0][3] = 2.0f;
    assert_int_equal(mrw_skin_vertices(&c.job), MRW_OK);
    mrw_stream positions = {c.out_positions, 0};
    assert_int_equal(mrw_box_of_positions(positions, c.job.vertex_count, &exact), MRW_OK);
    assert_int_equal(mrw_joint_boxes(&c.job, boxes), MRW_OK);
    assert_int_equal(mrw_skin_bounds(c.palette, boxes, 1, &cheap), MRW_OK);
    assert_vec3(cheap.min, (double)exact.min.x, (double)exact.min.y, (double)exact.min.z, 4e-5);
    assert_vec3(cheap.max, (double)exact.max.x, (double)exact.max.y, (double)exact.max.z, 4e-5);
    assert_true(holds(cheap, exact));
}

static void checks_arguments(void **state)
{
    (void)state;
    uint64_t random = 64;
    mrw_box boxes[3], box;
    skin_case_init(&c, &random, 2, 1);
    mrw_stream odd = {c.positions, 10};
    assert_int_equal(mrw_box_of_positions(odd, 1, &box), MRW_ERR_INVALID_ARGUMENT);
    assert_int_equal(mrw_box_of_positions((mrw_stream){NULL, 0}, 1, &box), MRW_ERR_NULL_ARGUMENT);
    assert_int_equal(mrw_box_of_positions(c.job.positions, 1, NULL), MRW_ERR_NULL_ARGUMENT);
    assert_int_equal(mrw_joint_boxes(NULL, boxes), MRW_ERR_NULL_ARGUMENT);
    assert_int_equal(mrw_skin_bounds(NULL, boxes, 2, &box), MRW_ERR_NULL_ARGUMENT);
    c.job.struct_size = 0;
    assert_int_equal(mrw_joint_boxes(&c.job, boxes), MRW_ERR_STRUCT_SIZE);
    c.job.struct_size = sizeof(c.job);
    c.joints[3] = 2;
    assert_int_equal(mrw_joint_boxes(&c.job, boxes), MRW_ERR_JOINT_RANGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(box_of_no_positions_is_empty),
        cmocka_unit_test(box_of_positions_is_exact),
        cmocka_unit_test(cheap_box_holds_the_exact_one),
        cmocka_unit_test(cheap_box_is_tight_without_turns),
        cmocka_unit_test(checks_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
