/* The mathematics against libm in double precision and against textbook values. */
#include <marrow/math.h>

#include "unit/near.h"
#include "unit/random.h"

#define PI 3.14159265358979323846

static double quat_length(mrw_quat q)
{
    return sqrt((double)q.x * (double)q.x + (double)q.y * (double)q.y + (double)q.z * (double)q.z +
                (double)q.w * (double)q.w);
}

/* --- trigonometry ----------------------------------------------------------------- */

static void sin_and_cos_keep_the_promised_error(void **state)
{
    (void)state;
    double error = 0.0;
    for (int i = -1000000; i <= 1000000; i++) {
        float x = (float)i * 1e-3f;
        error = worst(error, fabs((double)mrw_sin(x) - sin((double)x)));
        error = worst(error, fabs((double)mrw_cos(x) - cos((double)x)));
    }
    /* The header promises 2.5e-7; results are the nearest float but for rare ties. */
    assert_below(error, 3.1e-8);
}

static void sin_and_cos_hold_beyond_the_promised_range(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (int i = 0; i < 200000; i++) {
        float x = ldexpf(random_float(&random, -1.0f, 1.0f), (int)(random_bits(&random) % 128));
        double sine = (double)mrw_sin(x), cosine = (double)mrw_cos(x);
        assert_near(sine * sine + cosine * cosine, 1.0, 3e-7);
        if (fabsf(x) < 1e9f) {
            assert_near(sine, sin((double)x), 1e-7);
            assert_near(cosine, cos((double)x), 1e-7);
        }
    }
    assert_true(isnan(mrw_sin(INFINITY)) && isnan(mrw_sin(NAN)));
    assert_true(isnan(mrw_cos(-INFINITY)) && isnan(mrw_cos(NAN)));
}

static void acos_keeps_the_promised_error(void **state)
{
    (void)state;
    double error = 0.0;
    for (int i = -500000; i <= 500000; i++) {
        float x = (float)i * 2e-6f;
        error = worst(error, fabs((double)mrw_acos(x) - acos(fmin(fmax((double)x, -1.0), 1.0))));
    }
    for (float x = 1.0f; x > 0.999f; x = nextafterf(x, 0.0f))
        error = worst(error, fabs((double)mrw_acos(x) - acos((double)x)));
    assert_below(error, 1.3e-7);
    assert_true(mrw_acos(2.0f) == 0.0f);
    assert_true(mrw_acos(-2.0f) == MRW_PI);
    assert_true(isnan(mrw_acos(NAN)));
}

static void atan2_keeps_the_promised_error(void **state)
{
    (void)state;
    double error = 0.0;
    for (int y = -400; y <= 400; y++) {
        for (int x = -400; x <= 400; x++) {
            double expected = atan2((double)y, (double)x);
            error = worst(error, fabs((double)mrw_atan2((float)y, (float)x) - expected));
        }
    }
    uint64_t random = 2;
    for (int i = 0; i < 200000; i++) {
        float y =
            ldexpf(random_float(&random, -1.0f, 1.0f), (int)(random_bits(&random) % 200) - 100);
        float x =
            ldexpf(random_float(&random, -1.0f, 1.0f), (int)(random_bits(&random) % 200) - 100);
        error = worst(error, fabs((double)mrw_atan2(y, x) - atan2((double)y, (double)x)));
    }
    assert_below(error, 1.3e-7);
    assert_true(mrw_atan2(0.0f, 0.0f) == 0.0f);
    assert_true(mrw_atan2(-0.0f, -1.0f) == MRW_PI);
    assert_true(isnan(mrw_atan2(NAN, 1.0f)) && isnan(mrw_atan2(1.0f, INFINITY)));
}

static void sqrt_is_correctly_rounded(void **state)
{
    (void)state;
    uint64_t random = 3;
    for (int i = 0; i < 200000; i++) {
        uint32_t bits = random_bits(&random) & 0x7fffffffu;
        float x;
        memcpy(&x, &bits, sizeof(x));
        float root = mrw_sqrt(x), expected = sqrtf(x);
        assert_true(isnan(x) ? isnan(root) : root == expected);
    }
    assert_true(isnan(mrw_sqrt(-1.0f)));
}

/* --- quaternions ------------------------------------------------------------------ */

static void axis_angle_turns_by_the_right_hand_rule(void **state)
{
    (void)state;
    mrw_vec3 x = {1.0f, 0.0f, 0.0f}, y = {0.0f, 1.0f, 0.0f}, z5 = {0.0f, 0.0f, 5.0f};
    mrw_quat quarter = mrw_quat_from_axis_angle(z5, MRW_PI / 2.0f);
    assert_vec3(mrw_quat_rotate(quarter, x), 0.0, 1.0, 0.0, 2e-7);
    assert_vec3(mrw_quat_rotate(quarter, y), -1.0, 0.0, 0.0, 2e-7);
    assert_vec3(mrw_quat_rotate(mrw_quat_conjugate(quarter), x), 0.0, -1.0, 0.0, 2e-7);

    mrw_vec3 tiny = {0.0f, 0.0f, 1e-30f}, zero = {0.0f, 0.0f, 0.0f};
    assert_near((double)mrw_quat_from_axis_angle(tiny, MRW_PI / 2.0f).z, sqrt(0.5), 1e-7);
    assert_true(mrw_quat_from_axis_angle(zero, 1.0f).w == 1.0f);
    assert_true(mrw_quat_from_axis_angle(z5, NAN).w == 1.0f);
    assert_true(mrw_quat_from_axis_angle(z5, 0.0f).w == 1.0f);
}

static void product_applies_the_right_factor_first(void **state)
{
    (void)state;
    uint64_t random = 4;
    for (int i = 0; i < 1000; i++) {
        mrw_quat a = random_quat(&random), b = random_quat(&random);
        mrw_vec3 v = random_vec3(&random, -1.0f, 1.0f);
        mrw_vec3 once = mrw_quat_rotate(mrw_quat_mul(a, b), v);
        mrw_vec3 twice = mrw_quat_rotate(a, mrw_quat_rotate(b, v));
        assert_vec3(once, (double)twice.x, (double)twice.y, (double)twice.z, 2e-6);
    }
    mrw_vec3 x = {1.0f, 0.0f, 0.0f}, z = {0.0f, 0.0f, 1.0f};
    mrw_quat about_x = mrw_quat_from_axis_angle(x, MRW_PI / 2.0f);
    mrw_quat about_z = mrw_quat_from_axis_angle(z, MRW_PI / 2.0f);
    /* x first goes to y (about z), then y to z (about x). */
    assert_vec3(mrw_quat_rotate(mrw_quat_mul(about_x, about_z), x), 0.0, 0.0, 1.0, 1e-6);
}

static void normalize_handles_every_length(void **state)
{
    (void)state;
    for (int exponent = -148; exponent <= 127; exponent++) {
        float s = ldexpf(1.0f, exponent);
        mrw_quat q = mrw_quat_normalize((mrw_quat){s, -s, s, s});
        assert_near((double)q.x, 0.5, 1e-7);
        assert_near((double)q.y, -0.5, 1e-7);
        assert_near(quat_length(q), 1.0, 2e-7);
    }
    const mrw_quat undefined[] = {
        {0.0f, 0.0f, 0.0f, 0.0f}, {NAN, 0.0f, 0.0f, 1.0f}, {0.0f, INFINITY, 0.0f, 1.0f}};
    for (size_t i = 0; i < 3; i++) {
        mrw_quat q = mrw_quat_normalize(undefined[i]);
        assert_true(q.x == 0.0f && q.y == 0.0f && q.z == 0.0f && q.w == 1.0f);
    }
}

typedef struct quat_double {
    double x, y, z, w;
} quat_double;

/* Slerp in double: the exact inputs' angle by atan2, no approximation for small ones. */
static quat_double slerp_reference(mrw_quat a, mrw_quat b, double t)
{
    double s = mrw_quat_dot(a, b) < 0.0f ? -1.0 : 1.0;
    quat_double p = {(double)a.x, (double)a.y, (double)a.z, (double)a.w};
    quat_double q = {s * (double)b.x, s * (double)b.y, s * (double)b.z, s * (double)b.w};
    double pl = sqrt(p.x * p.x + p.y * p.y + p.z * p.z + p.w * p.w);
    double ql = sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    p = (quat_double){p.x / pl, p.y / pl, p.z / pl, p.w / pl};
    q = (quat_double){q.x / ql, q.y / ql, q.z / ql, q.w / ql};
    double dot = p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w;
    quat_double across = {q.x - p.x * dot, q.y - p.y * dot, q.z - p.z * dot, q.w - p.w * dot};
    double sine =
        sqrt(across.x * across.x + across.y * across.y + across.z * across.z + across.w * across.w);
    if (sine == 0.0)
        return p;
    double angle = t * atan2(sine, dot);
    double c = cos(angle), d = sin(angle) / sine;
    return (quat_double){p.x * c + across.x * d, p.y * c + across.y * d, p.z * c + across.z * d,
                         p.w * c + across.w * d};
}

/* Angle of the rotation that leads from one to the other. */
static double angle_from_reference(mrw_quat q, quat_double r)
{
    double x = (double)q.x - r.x, y = (double)q.y - r.y, z = (double)q.z - r.z,
           w = (double)q.w - r.w;
    return 4.0 * asin(fmin(1.0, 0.5 * sqrt(x * x + y * y + z * z + w * w)));
}

static void check_slerp(mrw_quat a, mrw_quat b, float t)
{
    mrw_quat q = mrw_quat_slerp(a, b, t);
    assert_below(angle_from_reference(q, slerp_reference(a, b, (double)t)), 1e-6);
    assert_near(quat_length(q), 1.0, 2e-7);
}

static void slerp_agrees_with_double_precision(void **state)
{
    (void)state;
    uint64_t random = 5;
    for (int i = 0; i < 50000; i++) {
        mrw_quat a = random_quat(&random);
        float t = random_float(&random, 0.0f, 1.0f);
        check_slerp(a, random_quat(&random), t);

        /* Nearly the same, nearly the opposite, nearly half a turn away. */
        float small = ldexpf(1.0f, -(int)(random_bits(&random) % 30));
        mrw_vec3 axis = random_vec3(&random, -1.0f, 1.0f);
        mrw_quat near = mrw_quat_mul(mrw_quat_from_axis_angle(axis, small), a);
        mrw_quat opposite = {-near.x, -near.y, -near.z, -near.w};
        mrw_quat half = mrw_quat_mul(mrw_quat_from_axis_angle(axis, MRW_PI - small), a);
        check_slerp(a, near, t);
        check_slerp(a, opposite, t);
        check_slerp(a, half, t);
    }
}

static void slerp_has_the_textbook_values(void **state)
{
    (void)state;
    mrw_vec3 z = {0.0f, 0.0f, 1.0f};
    for (int degrees = 0; degrees <= 175; degrees += 5) {
        float angle = (float)degrees * (MRW_PI / 180.0f);
        mrw_quat end = mrw_quat_from_axis_angle(z, angle);
        mrw_quat q = mrw_quat_slerp(mrw_quat_identity(), end, 0.25f);
        assert_near(2.0 * atan2((double)q.z, (double)q.w), degrees * PI / 180.0 / 4.0, 1e-6);
    }
    /* 350 degrees one way are 10 the other. */
    mrw_quat q = mrw_quat_slerp(mrw_quat_identity(),
                                mrw_quat_from_axis_angle(z, 350.0f * (MRW_PI / 180.0f)), 0.5f);
    assert_near(2.0 * atan2((double)q.z, (double)q.w), -5.0 * PI / 180.0, 1e-6);
}

static void slerp_ends_at_its_ends(void **state)
{
    (void)state;
    uint64_t random = 6;
    for (int i = 0; i < 1000; i++) {
        mrw_quat a = random_quat(&random), b = random_quat(&random);
        float sign = mrw_quat_dot(a, b) < 0.0f ? -1.0f : 1.0f;
        mrw_quat start = mrw_quat_slerp(a, b, 0.0f), end = mrw_quat_slerp(a, b, 1.0f);
        assert_near((double)mrw_quat_dot(start, a), 1.0, 3e-7);
        assert_near((double)(sign * mrw_quat_dot(end, b)), 1.0, 3e-7);
    }
    /* Undefined inputs give a valid rotation. */
    mrw_quat zero = {0.0f, 0.0f, 0.0f, 0.0f}, bad = {NAN, 0.0f, 0.0f, 1.0f};
    assert_near(quat_length(mrw_quat_slerp(zero, zero, 0.5f)), 1.0, 1e-7);
    assert_near(quat_length(mrw_quat_slerp(bad, zero, 0.5f)), 1.0, 1e-7);
    assert_near(quat_length(mrw_quat_slerp(mrw_quat_identity(), random_quat(&random), NAN)), 1.0,
                1e-7);
}

static void nlerp_takes_the_shorter_arc(void **state)
{
    (void)state;
    mrw_vec3 z = {0.0f, 0.0f, 1.0f};
    mrw_quat end = mrw_quat_from_axis_angle(z, 1.0f);
    mrw_quat negated = {-end.x, -end.y, -end.z, -end.w};
    mrw_quat q = mrw_quat_nlerp(mrw_quat_identity(), negated, 0.5f);
    assert_near(2.0 * atan2((double)q.z, (double)q.w), 0.5, 1e-6);
    assert_near(quat_length(q), 1.0, 2e-7);
    mrw_quat zero = {0.0f, 0.0f, 0.0f, 0.0f};
    assert_true(mrw_quat_nlerp(zero, zero, 0.5f).w == 1.0f);
}

/* --- matrices --------------------------------------------------------------------- */

static void matrix_of_a_transform_scales_turns_then_moves(void **state)
{
    (void)state;
    uint64_t random = 7;
    for (int i = 0; i < 1000; i++) {
        mrw_transform t = random_transform(&random, -2.0f, 2.0f);
        mrw_mat34 m = mrw_mat34_from_transform(&t);
        mrw_vec3 p = random_vec3(&random, -1.0f, 1.0f);
        mrw_vec3 scaled = {p.x * t.scale.x, p.y * t.scale.y, p.z * t.scale.z};
        mrw_vec3 turned = mrw_quat_rotate(t.rotation, scaled);
        assert_vec3(mrw_mat34_transform_vector(&m, p), (double)turned.x, (double)turned.y,
                    (double)turned.z, 3e-6);
        assert_vec3(mrw_mat34_transform_point(&m, p), (double)(turned.x + t.translation.x),
                    (double)(turned.y + t.translation.y), (double)(turned.z + t.translation.z),
                    3e-6);
    }
}

static void matrix_product_applies_the_right_factor_first(void **state)
{
    (void)state;
    uint64_t random = 8;
    for (int i = 0; i < 1000; i++) {
        mrw_transform ta = random_transform(&random, 0.5f, 2.0f);
        mrw_transform tb = random_transform(&random, 0.5f, 2.0f);
        mrw_mat34 a = mrw_mat34_from_transform(&ta), b = mrw_mat34_from_transform(&tb);
        mrw_mat34 product = mrw_mat34_mul(&a, &b);
        mrw_vec3 p = random_vec3(&random, -1.0f, 1.0f);
        mrw_vec3 expected = mrw_mat34_transform_point(&a, mrw_mat34_transform_point(&b, p));
        assert_vec3(mrw_mat34_transform_point(&product, p), (double)expected.x, (double)expected.y,
                    (double)expected.z, 1e-5);
    }
}

static void inverse_undoes_a_matrix_of_any_scale(void **state)
{
    (void)state;
    uint64_t random = 9;
    mrw_mat34 identity = mrw_mat34_identity();
    for (int i = 0; i < 2000; i++) {
        mrw_transform t = random_transform(&random, 0.5f, 2.0f);
        mrw_transform shear = random_transform(&random, 0.5f, 2.0f);
        mrw_mat34 a = mrw_mat34_from_transform(&t), b = mrw_mat34_from_transform(&shear);
        mrw_mat34 m = mrw_mat34_mul(&a, &b), inverse;
        float size = ldexpf(1.0f, (int)(random_bits(&random) % 80) - 40);
        for (int row = 0; row < 3; row++)
            for (int column = 0; column < 4; column++)
                m.m[row][column] *= size;
        assert_true(mrw_mat34_inverse(&m, &inverse));
        mrw_mat34 product = mrw_mat34_mul(&inverse, &m);
        assert_below(mat34_difference(&product, &identity, 4), 2e-5);
    }
}

static void inverse_refuses_what_has_none(void **state)
{
    (void)state;
    mrw_mat34 identity = mrw_mat34_identity();
    mrw_mat34 flat = identity, bad = identity, tiny = identity;
    flat.m[1][1] = 0.0f;
    bad.m[0][3] = INFINITY;
    for (int i = 0; i < 3; i++)
        tiny.m[i][i] = 1e-42f; /* its inverse does not fit a float */
    const mrw_mat34 *matrices[] = {&flat, &bad, &tiny};
    for (size_t i = 0; i < 3; i++) {
        mrw_mat34 inverse;
        memset(&inverse, 0xff, sizeof(inverse));
        assert_false(mrw_mat34_inverse(matrices[i], &inverse));
        assert_memory_equal(&inverse, &identity, sizeof(identity));
    }
}

static void determinant_tells_mirrors(void **state)
{
    (void)state;
    mrw_transform t = {{5.0f, 6.0f, 7.0f}, {0.5f, 0.5f, 0.5f, 0.5f}, {2.0f, 3.0f, -4.0f}};
    mrw_mat34 m = mrw_mat34_from_transform(&t);
    assert_near((double)mrw_mat34_determinant(&m), -24.0, 1e-5);
}

static void column_major_is_the_layout_of_gltf(void **state)
{
    (void)state;
    float elements[16], again[16];
    for (int i = 0; i < 16; i++)
        elements[i] = (float)i;
    mrw_mat34 m = mrw_mat34_from_column_major(elements);
    assert_true(m.m[0][3] == 12.0f && m.m[1][3] == 13.0f && m.m[2][3] == 14.0f);
    assert_true(m.m[0][1] == 4.0f && m.m[2][0] == 2.0f);
    mrw_mat34_to_column_major(&m, again);
    elements[3] = elements[7] = elements[11] = 0.0f;
    elements[15] = 1.0f;
    assert_memory_equal(elements, again, sizeof(elements));
}

static void decompose_recovers_a_transform(void **state)
{
    (void)state;
    uint64_t random = 10;
    for (int i = 0; i < 5000; i++) {
        mrw_transform t = random_transform(&random, 0.1f, 3.0f), back;
        if (i % 2 == 1)
            t.scale.x = -t.scale.x;
        float size = ldexpf(1.0f, (int)(random_bits(&random) % 40) - 20);
        t.scale = (mrw_vec3){t.scale.x * size, t.scale.y * size, t.scale.z * size};
        mrw_mat34 m = mrw_mat34_from_transform(&t);
        assert_below((double)mrw_mat34_decompose(&m, &back), 1e-6);
        assert_memory_equal(&back.translation, &t.translation, sizeof(t.translation));
        assert_vec3(back.scale, (double)t.scale.x, (double)t.scale.y, (double)t.scale.z,
                    2e-6 * (double)size);
        assert_near(fabs((double)mrw_quat_dot(back.rotation, t.rotation)), 1.0, 1e-6);
    }
}

static void decompose_reports_shear(void **state)
{
    (void)state;
    mrw_mat34 m = mrw_mat34_identity();
    m.m[0][1] = 0.5f;
    mrw_transform t;
    assert_true(mrw_mat34_decompose(&m, &t) > 0.1f);
    assert_near(quat_length(t.rotation), 1.0, 1e-6);

    m.m[0][1] = NAN;
    assert_true(mrw_mat34_decompose(&m, &t) == 1.0f);
    assert_true(t.rotation.w == 1.0f && t.scale.x == 1.0f && t.translation.x == 0.0f);
}

static void decompose_survives_zero_columns(void **state)
{
    (void)state;
    uint64_t random = 11;
    for (int zero = 0; zero < 8; zero++) {
        mrw_transform t = random_transform(&random, 0.5f, 2.0f), back;
        t.scale.x = (zero & 1) ? 0.0f : t.scale.x;
        t.scale.y = (zero & 2) ? 0.0f : t.scale.y;
        t.scale.z = (zero & 4) ? 0.0f : t.scale.z;
        mrw_mat34 m = mrw_mat34_from_transform(&t);
        assert_below((double)mrw_mat34_decompose(&m, &back), 1e-6);
        assert_near(quat_length(back.rotation), 1.0, 1e-6);
        assert_vec3(back.scale, (double)t.scale.x, (double)t.scale.y, (double)t.scale.z, 1e-6);
    }
}

/* --- polar decomposition ---------------------------------------------------------- */

static mrw_mat34 rotation_matrix(mrw_quat q)
{
    mrw_transform t = mrw_transform_identity();
    t.rotation = q;
    return mrw_mat34_from_transform(&t);
}

/* V * diag(stretches) * transpose(V): every symmetric matrix is one of these. */
static mrw_mat34 symmetric_matrix(mrw_quat axes, mrw_vec3 stretches)
{
    mrw_transform scaled = mrw_transform_identity();
    scaled.rotation = axes;
    scaled.scale = stretches;
    mrw_mat34 left = mrw_mat34_from_transform(&scaled);
    mrw_mat34 right = rotation_matrix(mrw_quat_conjugate(axes));
    return mrw_mat34_mul(&left, &right);
}

static mrw_mat34 rotation_of(const mrw_dual_quat *dual_quat)
{
    return rotation_matrix(dual_quat->real);
}

/* R is a rotation and R * S is M, whatever M is. */
static void check_polar_product(const mrw_mat34 *m, const mrw_dual_quat *dq,
                                const mrw_mat34 *stretch, double size)
{
    assert_near(quat_length(dq->real), 1.0, 2e-7);
    mrw_mat34 rotation = rotation_of(dq);
    mrw_mat34 product = mrw_mat34_mul(&rotation, stretch);
    assert_below(mat34_difference(&product, m, 3), 2e-6 * size);
    assert_vec3((mrw_vec3){stretch->m[0][3], stretch->m[1][3], stretch->m[2][3]}, 0, 0, 0, 0);
    mrw_mat34 rigid = mrw_mat34_from_dual_quat(dq);
    for (int row = 0; row < 3; row++)
        assert_near((double)rigid.m[row][3], (double)m->m[row][3], 2e-6);
}

static void polar_recovers_rotation_and_stretch(void **state)
{
    (void)state;
    uint64_t random = 12;
    for (int i = 0; i < 5000; i++) {
        mrw_quat q = random_quat(&random);
        float size = ldexpf(1.0f, (int)(random_bits(&random) % 80) - 40);
        mrw_mat34 s =
            symmetric_matrix(random_quat(&random), random_vec3(&random, 0.02f * size, 2.0f * size));
        mrw_mat34 rotation = rotation_matrix(q);
        mrw_mat34 m = mrw_mat34_mul(&rotation, &s);
        for (int row = 0; row < 3; row++)
            m.m[row][3] = random_float(&random, -2.0f, 2.0f);

        mrw_dual_quat dq;
        mrw_mat34 stretch;
        assert_true(mrw_dual_quat_from_mat34(&m, &dq, &stretch));
        check_polar_product(&m, &dq, &stretch, (double)size);
        assert_near(fabs((double)mrw_quat_dot(dq.real, q)), 1.0, 1e-6);
        assert_below(mat34_difference(&stretch, &s, 3), 1e-5 * (double)size);
        for (int row = 0; row < 3; row++)
            for (int column = 0; column < row; column++)
                assert_true(stretch.m[row][column] == stretch.m[column][row]);
    }
}

static void polar_of_a_rigid_matrix_has_no_stretch(void **state)
{
    (void)state;
    uint64_t random = 13;
    mrw_mat34 identity = mrw_mat34_identity();
    for (int i = 0; i < 5000; i++) {
        mrw_transform t = random_transform(&random, 1.0f, 1.0f);
        mrw_mat34 m = mrw_mat34_from_transform(&t), stretch;
        mrw_dual_quat dq;
        assert_false(mrw_dual_quat_from_mat34(&m, &dq, &stretch));
        assert_below(mat34_difference(&stretch, &identity, 4), 1e-6);
        mrw_mat34 back = mrw_mat34_from_dual_quat(&dq);
        assert_below(mat34_difference(&back, &m, 4), 2e-6);
        /* Unit dual quaternion: real and dual are orthogonal. */
        assert_near((double)mrw_quat_dot(dq.real, dq.dual), 0.0, 1e-6);
    }
}

static void polar_of_a_mirror_keeps_a_rotation(void **state)
{
    (void)state;
    uint64_t random = 14;
    mrw_dual_quat dq;
    mrw_mat34 stretch;
    for (int i = 0; i < 2000; i++) {
        mrw_transform t = random_transform(&random, 0.2f, 2.0f);
        t.scale.y = -t.scale.y;
        mrw_mat34 m = mrw_mat34_from_transform(&t);
        assert_true(mrw_dual_quat_from_mat34(&m, &dq, &stretch));
        check_polar_product(&m, &dq, &stretch, 2.0);
        assert_true(mrw_mat34_determinant(&stretch) < 0.0f);
    }
    /* The point mirror is no rotation at all, only a sign. */
    mrw_mat34 point = mrw_mat34_identity();
    for (int i = 0; i < 3; i++)
        point.m[i][i] = -1.0f;
    assert_true(mrw_dual_quat_from_mat34(&point, &dq, &stretch));
    assert_near((double)dq.real.w, 1.0, 1e-7);
    assert_below(mat34_difference(&stretch, &point, 4), 1e-7);
}

static void polar_of_a_flat_matrix_is_the_nearest_rotation(void **state)
{
    (void)state;
    uint64_t random = 15;
    for (int i = 0; i < 2000; i++) {
        mrw_quat q = random_quat(&random);
        mrw_vec3 stretches = {0.0f, random_float(&random, 0.2f, 2.0f),
                              random_float(&random, 0.2f, 2.0f)};
        if (i % 3 == 1)
            stretches.y = 0.0f;
        if (i % 3 == 2)
            stretches.x = 1e-8f; /* below the noise of a float: flat too */
        mrw_mat34 s = symmetric_matrix(random_quat(&random), stretches);
        mrw_mat34 rotation = rotation_matrix(q);
        mrw_mat34 m = mrw_mat34_mul(&rotation, &s), stretch;
        mrw_dual_quat dq;
        assert_true(mrw_dual_quat_from_mat34(&m, &dq, &stretch));
        check_polar_product(&m, &dq, &stretch, 2.0);
        if (i % 3 != 1) /* with a plane left, the rotation is known */
            assert_near(fabs((double)mrw_quat_dot(dq.real, q)), 1.0, 1e-5);
    }
}

static void polar_of_nothing_is_the_identity(void **state)
{
    (void)state;
    mrw_mat34 zero, stretch, identity = mrw_mat34_identity();
    memset(&zero, 0, sizeof(zero));
    zero.m[1][3] = 4.0f;
    mrw_dual_quat dq;
    assert_true(mrw_dual_quat_from_mat34(&zero, &dq, &stretch));
    assert_true(dq.real.w == 1.0f && dq.dual.y == 2.0f);
    assert_true(stretch.m[0][0] == 0.0f);

    zero.m[0][0] = NAN;
    assert_false(mrw_dual_quat_from_mat34(&zero, &dq, &stretch));
    assert_true(dq.real.w == 1.0f && dq.dual.y == 0.0f);
    assert_memory_equal(&stretch, &identity, sizeof(identity));
}

/* --- any input at all ------------------------------------------------------------- */

/* Any bits: NaNs, infinities, denormals; often a zero, so that matrices lose their rank. */
static float random_pattern(uint64_t *random)
{
    uint32_t bits = random_bits(random);
    float value = 0.0f;
    if (random_bits(random) % 4 != 0)
        memcpy(&value, &bits, sizeof(value));
    return value;
}

static void fill_patterns(float *values, size_t count, bool finite, uint64_t *random)
{
    for (size_t i = 0; i < count; i++) {
        do {
            values[i] = random_pattern(random);
        } while (finite && !isfinite(values[i]));
    }
}

static void rotations_come_out_valid_whatever_goes_in(void **state)
{
    (void)state;
    uint64_t random = 16;
    for (int i = 0; i < 100000; i++) {
        float f[10];
        fill_patterns(f, 10, i % 2 == 0, &random);
        mrw_quat a = {f[0], f[1], f[2], f[3]}, b = {f[4], f[5], f[6], f[7]};
        assert_near(quat_length(mrw_quat_normalize(a)), 1.0, 2e-7);
        assert_near(quat_length(mrw_quat_slerp(a, b, f[8])), 1.0, 2e-7);
        assert_near(quat_length(mrw_quat_nlerp(a, b, f[8])), 1.0, 2e-7);
        mrw_vec3 axis = {f[0], f[1], f[2]};
        assert_near(quat_length(mrw_quat_from_axis_angle(axis, f[9])), 1.0, 2e-7);
        float sine = mrw_sin(f[9]);
        assert_true(isnan(sine) ? !isfinite(f[9]) : fabsf(sine) <= 1.0f);
        float angle = mrw_atan2(f[0], f[1]);
        assert_true(isnan(angle) ? !isfinite(f[0]) || !isfinite(f[1]) : fabsf(angle) <= MRW_PI);
    }
}

static void matrices_come_apart_whatever_they_are(void **state)
{
    (void)state;
    uint64_t random = 17;
    for (int i = 0; i < 100000; i++) {
        mrw_mat34 m, inverse, stretch;
        fill_patterns(&m.m[0][0], 12, i % 2 == 0, &random);
        if (i % 8 == 0) /* elements of one size meet the interesting ranks */
            for (int k = 0; k < 12; k++)
                (&m.m[0][0])[k] = (float)((int)(random_bits(&random) % 3) - 1);
        mrw_transform t;
        mrw_dual_quat dq;
        float difference = mrw_mat34_decompose(&m, &t);
        assert_true(difference >= 0.0f);
        assert_near(quat_length(t.rotation), 1.0, 2e-7);
        mrw_dual_quat_from_mat34(&m, &dq, &stretch);
        assert_near(quat_length(dq.real), 1.0, 2e-7);
        if (mrw_mat34_inverse(&m, &inverse))
            for (int k = 0; k < 12; k++)
                assert_true(isfinite((&inverse.m[0][0])[k]));
        if (i % 8 == 0)
            check_polar_product(&m, &dq, &stretch, 1.0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sin_and_cos_keep_the_promised_error),
        cmocka_unit_test(sin_and_cos_hold_beyond_the_promised_range),
        cmocka_unit_test(acos_keeps_the_promised_error),
        cmocka_unit_test(atan2_keeps_the_promised_error),
        cmocka_unit_test(sqrt_is_correctly_rounded),
        cmocka_unit_test(axis_angle_turns_by_the_right_hand_rule),
        cmocka_unit_test(product_applies_the_right_factor_first),
        cmocka_unit_test(normalize_handles_every_length),
        cmocka_unit_test(slerp_agrees_with_double_precision),
        cmocka_unit_test(slerp_has_the_textbook_values),
        cmocka_unit_test(slerp_ends_at_its_ends),
        cmocka_unit_test(nlerp_takes_the_shorter_arc),
        cmocka_unit_test(matrix_of_a_transform_scales_turns_then_moves),
        cmocka_unit_test(matrix_product_applies_the_right_factor_first),
        cmocka_unit_test(inverse_undoes_a_matrix_of_any_scale),
        cmocka_unit_test(inverse_refuses_what_has_none),
        cmocka_unit_test(determinant_tells_mirrors),
        cmocka_unit_test(column_major_is_the_layout_of_gltf),
        cmocka_unit_test(decompose_recovers_a_transform),
        cmocka_unit_test(decompose_reports_shear),
        cmocka_unit_test(decompose_survives_zero_columns),
        cmocka_unit_test(polar_recovers_rotation_and_stretch),
        cmocka_unit_test(polar_of_a_rigid_matrix_has_no_stretch),
        cmocka_unit_test(polar_of_a_mirror_keeps_a_rotation),
        cmocka_unit_test(polar_of_a_flat_matrix_is_the_nearest_rotation),
        cmocka_unit_test(polar_of_nothing_is_the_identity),
        cmocka_unit_test(rotations_come_out_valid_whatever_goes_in),
        cmocka_unit_test(matrices_come_apart_whatever_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
