/* mrwi_quat_slerp_lanes is mrw_quat_slerp, several times: that one's values are tested in
 * test_math.c, here only that every lane has its bits, whatever is in the others. */
#include "math/slerp_lanes.h"

#include "unit/near.h"
#include "unit/random.h"

typedef struct slerp_case {
    mrw_quat from, to;
    float fraction;
} slerp_case;

static void check_lanes(const slerp_case cases[MRWI_SLERP_LANES])
{
    mrwi_slerp_lanes lanes;
    for (int lane = 0; lane < MRWI_SLERP_LANES; lane++) {
        const slerp_case *one = &cases[lane];
        const float from[4] = {one->from.x, one->from.y, one->from.z, one->from.w};
        const float to[4] = {one->to.x, one->to.y, one->to.z, one->to.w};
        for (int i = 0; i < 4; i++) {
            lanes.from[i][lane] = from[i];
            lanes.to[i][lane] = to[i];
        }
        lanes.fraction[lane] = one->fraction;
    }
    mrw_quat results[MRWI_SLERP_LANES];
    mrwi_quat_slerp_lanes(&lanes, results);
    for (int lane = 0; lane < MRWI_SLERP_LANES; lane++) {
        mrw_quat alone = mrw_quat_slerp(cases[lane].from, cases[lane].to, cases[lane].fraction);
        assert_memory_equal(&results[lane], &alone, sizeof(alone));
    }
}

/* Rotated from `from` by angle_rad, as quaternions on either hemisphere. */
static slerp_case case_of_angle(uint64_t *random, float angle_rad)
{
    mrw_quat from = random_quat(random);
    mrw_vec3 axis = random_vec3(random, -1.0f, 1.0f);
    mrw_quat to = mrw_quat_mul(mrw_quat_from_axis_angle(axis, angle_rad), from);
    if (random_bits(random) % 2 == 0)
        to = (mrw_quat){-to.x, -to.y, -to.z, -to.w};
    return (slerp_case){from, to, random_float(random, 0.0f, 1.0f)};
}

static void lanes_have_the_bits_of_one(void **state)
{
    (void)state;
    uint64_t random = 11;
    for (int i = 0; i < 100000; i++) {
        slerp_case cases[MRWI_SLERP_LANES];
        for (int lane = 0; lane < MRWI_SLERP_LANES; lane++) {
            /* From 3.14 down past where slerp becomes nlerp, 2e-4, to nothing. */
            float angle = ldexpf(random_float(&random, 0.5f, 1.0f) * MRW_PI,
                                 -(int)(random_bits(&random) % 24));
            cases[lane] = case_of_angle(&random, angle);
        }
        check_lanes(cases);
    }
}

/* The borders at which a lane takes another way: atan folds at 0.785, quaternions are half as far
 * apart as rotations. */
static void lanes_agree_at_their_borders(void **state)
{
    (void)state;
    uint64_t random = 12;
    const float borders[] = {2e-4f, 1.5218f, 1.5708f};
    for (size_t b = 0; b < sizeof(borders) / sizeof(borders[0]); b++) {
        for (int i = 0; i < 20000; i++) {
            slerp_case cases[MRWI_SLERP_LANES];
            for (int lane = 0; lane < MRWI_SLERP_LANES; lane++)
                cases[lane] = case_of_angle(
                    &random, borders[b] * random_float(&random, 1.0f - 1e-3f, 1.0f + 1e-3f));
            check_lanes(cases);
        }
    }
}

static void lanes_agree_on_odd_quaternions(void **state)
{
    (void)state;
    const mrw_quat quats[] = {
        {0.0f, 0.0f, 0.0f, 1.0f},   {0.0f, 0.0f, 0.0f, -1.0f},    {0.0f, 0.0f, 0.0f, 0.0f},
        {NAN, 0.0f, 0.0f, 1.0f},    {INFINITY, 0.0f, 0.0f, 1.0f}, {1e-30f, 0.0f, 0.0f, 1e-30f},
        {1e30f, 2e30f, 0.0f, 1.0f}, {1.0f, 0.0f, 0.0f, 0.0f},     {0.0f, 0.0f, 0.0f, 1e-20f},
    };
    const float fractions[] = {0.0f, 0.25f, 1.0f, NAN};
    const int count = sizeof(quats) / sizeof(quats[0]);
    slerp_case cases[MRWI_SLERP_LANES] = {0};
    int lane = 0;
    for (int from = 0; from < count; from++) {
        for (int to = 0; to < count; to++) {
            for (int f = 0; f < 4; f++) {
                cases[lane] = (slerp_case){quats[from], quats[to], fractions[f]};
                lane = (lane + 1) % MRWI_SLERP_LANES;
                if (lane == 0)
                    check_lanes(cases);
            }
        }
    }
    assert_int_equal(lane, 0); /* the last one was looked at */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_have_the_bits_of_one),
        cmocka_unit_test(lanes_agree_at_their_borders),
        cmocka_unit_test(lanes_agree_on_odd_quaternions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
