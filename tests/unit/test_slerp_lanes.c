/* Eight slerps of the kernels against slerp in double precision with the C library's functions, and
 * every instruction set against the scalar one. */
#include "sample/sample_kernels.h"
#include "simd/kernels.h"

#include "unit/near.h"
#include "unit/random.h"

typedef struct slerp_case {
    mrw_quat from, to;
    float fraction;
} slerp_case;

static void put_quat(float streams[4][8], int lane, mrw_quat q)
{
    streams[0][lane] = q.x;
    streams[1][lane] = q.y;
    streams[2][lane] = q.z;
    streams[3][lane] = q.w;
}

static mrw_quat get_quat(float streams[4][8], int lane)
{
    return (mrw_quat){streams[0][lane], streams[1][lane], streams[2][lane], streams[3][lane]};
}

static void put_case(mrwi_slerp_input *input, int lane, const slerp_case *one)
{
    put_quat(input->from, lane, one->from);
    put_quat(input->to, lane, one->to);
    input->fraction[lane] = one->fraction;
}

static mrwi_slerp_input input_of(const slerp_case cases[8])
{
    mrwi_slerp_input input;
    for (int lane = 0; lane < 8; lane++)
        put_case(&input, lane, &cases[lane]);
    return input;
}

static void normalize(double q[4])
{
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; i++)
        q[i] /= length;
}

/* The angle between what came out and the slerp of what went in, as rotations, in radians. The
 * hemisphere is a matter of the float dot product: half a turn apart, both arcs are right. */
static double error_rad(const slerp_case *one, mrw_quat result)
{
    double a[4] = {(double)one->from.x, (double)one->from.y, (double)one->from.z,
                   (double)one->from.w};
    double b[4] = {(double)one->to.x, (double)one->to.y, (double)one->to.z, (double)one->to.w};
    double r[4] = {(double)result.x, (double)result.y, (double)result.z, (double)result.w};
    double length = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3]);
    assert_near(length, 1.0, 4e-7);
    normalize(a);
    normalize(b);
    normalize(r);
    double sign = mrw_quat_dot(one->from, one->to) < 0.0f ? -1.0 : 1.0;
    double difference2 = 0.0, sum2 = 0.0;
    for (int i = 0; i < 4; i++) {
        b[i] *= sign;
        difference2 += (a[i] - b[i]) * (a[i] - b[i]);
        sum2 += (a[i] + b[i]) * (a[i] + b[i]);
    }
    double angle = 2.0 * atan2(sqrt(difference2), sqrt(sum2));
    double t = (double)one->fraction;
    double weight_a = angle > 0.0 ? sin((1.0 - t) * angle) / sin(angle) : 1.0 - t;
    double weight_b = angle > 0.0 ? sin(t * angle) / sin(angle) : t;
    double chord2 = 0.0;
    for (int i = 0; i < 4; i++) {
        double difference = r[i] - (a[i] * weight_a + b[i] * weight_b);
        chord2 += difference * difference;
    }
    return 4.0 * asin(sqrt(chord2) / 2.0);
}

/* Rotated from `from` by angle_rad, as quaternions on either hemisphere. */
static slerp_case case_of_angle(uint64_t *random, float angle_rad)
{
    mrw_quat from = random_quat(random);
    mrw_vec3 axis = random_vec3(random, -1.0f, 1.0f);
    mrw_quat to = mrw_quat_mul(mrw_quat_from_axis_angle(axis, angle_rad), from);
    if (random_bits(random) % 2 == 0)
        to = (mrw_quat){-to.x, -to.y, -to.z, -to.w};
    return (slerp_case){from, mrw_quat_normalize(to), random_float(random, 0.0f, 1.0f)};
}

/* From half a turn to none, evenly or by magnitude; ends and middles of the arc now and then. */
static slerp_case random_case(uint64_t *random)
{
    uint32_t choice = random_bits(random) % 16;
    float angle = random_float(random, 0.0f, MRW_PI);
    if (choice % 2 == 0)
        angle = ldexpf(angle, -(int)(random_bits(random) % 30));
    if (choice == 1)
        angle = MRW_PI - ldexpf(angle, -(int)(random_bits(random) % 30));
    slerp_case one = case_of_angle(random, angle);
    if (choice == 2)
        one.fraction = ldexpf(one.fraction, -(int)(random_bits(random) % 30));
    if (choice == 3)
        one.fraction = 1.0f - ldexpf(one.fraction, -(int)(random_bits(random) % 30));
    if (choice == 4)
        one.fraction = 0.5f + (float)((int)(random_bits(random) % 5) - 2) * 0x1p-24f;
    if (choice == 5)
        one.to = one.from;
    return one;
}

static void lanes_are_slerp(void **state)
{
    (void)state;
    uint64_t random = 11;
    double largest = 0.0;
    for (int i = 0; i < 1000000 / 8; i++) {
        slerp_case cases[8];
        for (int lane = 0; lane < 8; lane++)
            cases[lane] = random_case(&random);
        mrwi_slerp_input input = input_of(cases);
        float out[4][8];
        mrwi_kernels_active()->slerp(&input, out);
        for (int lane = 0; lane < 8; lane++) {
            double error = error_rad(&cases[lane], get_quat(out, lane));
            if (!(error < 1e-6))
                fail_msg("%g rad at a dot product of %a, fraction %a", error,
                         (double)mrw_quat_dot(cases[lane].from, cases[lane].to),
                         (double)cases[lane].fraction);
            if (error > largest)
                largest = error;
        }
    }
    print_message("largest error %.3g rad\n", largest);
}

/* Where a lane takes another way: e = 1 - |dot| at 1/32 and at 0.3, and the fraction 1/2. */
static void lanes_agree_at_their_borders(void **state)
{
    (void)state;
    uint64_t random = 12;
    const double borders[] = {0.03125, 0.3, 1.0};
    for (int border = 0; border < 3; border++) {
        float angle = (float)(2.0 * acos(1.0 - borders[border]));
        for (int step = -1000; step <= 1000; step++) {
            slerp_case cases[8];
            for (int lane = 0; lane < 8; lane++) {
                cases[lane] = case_of_angle(&random, angle + (float)step * 1e-7f);
                if (lane % 2 == 0)
                    cases[lane].fraction = 0.5f + (float)(lane - 3) * 0x1p-24f;
            }
            mrwi_slerp_input input = input_of(cases);
            float out[4][8];
            mrwi_kernels_active()->slerp(&input, out);
            for (int lane = 0; lane < 8; lane++)
                assert_true(error_rad(&cases[lane], get_quat(out, lane)) < 1e-6);
        }
    }
}

/* A lane's bits do not depend on what is in the others. */
static void lanes_do_not_depend_on_each_other(void **state)
{
    (void)state;
    uint64_t random = 13;
    for (int i = 0; i < 20000; i++) {
        slerp_case cases[8];
        for (int lane = 0; lane < 8; lane++)
            cases[lane] = random_case(&random);
        mrwi_slerp_input input = input_of(cases);
        float together[4][8], alone[4][8];
        mrwi_kernels_active()->slerp(&input, together);
        int lane = i % 8;
        for (int other = 0; other < 8; other++)
            put_case(&input, other, &cases[lane]);
        mrwi_kernels_active()->slerp(&input, alone);
        for (int k = 0; k < 4; k++)
            assert_memory_equal(&alone[k][7 - lane], &together[k][lane], sizeof(float));
    }
}

static void a_key_keeps_its_bits(void **state)
{
    (void)state;
    uint64_t random = 14;
    for (int i = 0; i < 1000; i++) {
        slerp_case cases[8];
        for (int lane = 0; lane < 8; lane++) {
            cases[lane] = random_case(&random);
            cases[lane].fraction = 0.0f;
        }
        mrwi_slerp_input input = input_of(cases);
        float out[4][8];
        mrwi_kernels_active()->slerp(&input, out);
        assert_memory_equal(out, input.from, sizeof(out));
    }
}

/* Keys may be off unit length by 1e-3. */
static void what_comes_out_has_unit_length(void **state)
{
    (void)state;
    uint64_t random = 15;
    for (int i = 0; i < 20000; i++) {
        slerp_case cases[8];
        for (int lane = 0; lane < 8; lane++)
            cases[lane] = random_case(&random);
        mrwi_slerp_input input = input_of(cases);
        for (int lane = 0; lane < 8; lane++) {
            float from = random_float(&random, 0.999f, 1.001f);
            float to = random_float(&random, 0.999f, 1.001f);
            for (int k = 0; k < 4; k++) {
                input.from[k][lane] *= from;
                input.to[k][lane] *= to;
            }
            if (input.fraction[lane] == 0.0f)
                input.fraction[lane] = 1.0f;
        }
        float out[4][8];
        mrwi_kernels_active()->slerp(&input, out);
        for (int lane = 0; lane < 8; lane++) {
            mrw_quat q = get_quat(out, lane);
            assert_near((double)mrw_quat_dot(q, q), 1.0, 2e-6);
        }
    }
}

static void instruction_sets_agree(void **state)
{
    (void)state;
    const char *name;
    for (uint32_t set = 0; (name = mrw_isa_available(set)) != NULL; set++) {
        uint64_t random = 16;
        for (int i = 0; i < 50000; i++) {
            slerp_case cases[8];
            for (int lane = 0; lane < 8; lane++) {
                cases[lane] = random_case(&random);
                /* Things that no clip holds are no reason to differ either. */
                if (i % 16 == 0)
                    cases[lane].from.x = ldexpf(cases[lane].from.x, -(int)(i % 150));
                if (i % 32 == 0)
                    cases[lane].from = (mrw_quat){0.0f, -0.0f, 0.0f, -0.0f};
            }
            mrwi_slerp_input input = input_of(cases);
            float expected[4][8], out[4][8];
            assert_int_equal(mrw_isa_select(mrw_isa_available(0)), MRW_OK);
            mrwi_kernels_active()->slerp(&input, expected);
            assert_int_equal(mrw_isa_select(name), MRW_OK);
            mrwi_kernels_active()->slerp(&input, out);
            if (memcmp(out, expected, sizeof(out)) != 0)
                fail_msg("%s differs from %s", name, mrw_isa_available(0));
        }
    }
    mrw_isa_select(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_are_slerp),
        cmocka_unit_test(lanes_agree_at_their_borders),
        cmocka_unit_test(lanes_do_not_depend_on_each_other),
        cmocka_unit_test(a_key_keeps_its_bits),
        cmocka_unit_test(what_comes_out_has_unit_length),
        cmocka_unit_test(instruction_sets_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
