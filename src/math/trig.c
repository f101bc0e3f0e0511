#include "math/trig.h"

#include <marrow/math.h>

#include "base/finite.h"
#include "math/math_inline.h"
#include "math/trig_series.h"

/* libm is left out not for speed but for sameness: two C libraries give results that differ in
 * the last bit, and a pose must not. Everything here is +, -, *, / and square root, which
 * IEEE 754 defines exactly.
 *
 * The work is done in double and rounded once at the end, so plain Taylor series serve: no
 * fitted coefficients that only their author can check, no care for the last bits. The
 * arguments are first brought so close to 0 that few terms are enough (trig_series.h):
 * |x| <= pi/4 for sin and cos, |x| <= tan(pi/8) for atan.
 *
 * Anything near 1e-9 would do: half a unit in the last place of a float just below 1 is 3e-8. */

#define PI_DOUBLE 3.14159265358979323846

/* Beyond this two neighbouring floats are 128 apart: they have no phase left to speak of. */
#define PHASE_LIMIT 1073741824.0

static double cos_series(double x)
{
    double x2 = x * x;
    double sum = 1.0 / 479001600.0;
    sum = -1.0 / 3628800.0 + x2 * sum;
    sum = 1.0 / 40320.0 + x2 * sum;
    sum = -1.0 / 720.0 + x2 * sum;
    sum = 1.0 / 24.0 + x2 * sum;
    sum = -1.0 / 2.0 + x2 * sum;
    return 1.0 + x2 * sum;
}

/* x minus the nearest multiple of pi/2, and which multiple, modulo 4. pi/2 is taken in two parts,
 * the first with 21 significant bits, so that its product with a multiple below 2^30 is exact. */
static double reduce(double x, unsigned *out_quadrant)
{
    const double half_pi_high = 0x1.921fbp0;
    const double half_pi_low = 0x1.5110b4611a626p-22;
    if (!(x > -PHASE_LIMIT && x < PHASE_LIMIT)) {
        *out_quadrant = 0;
        return 0.0;
    }
    double quarters = x * (2.0 / PI_DOUBLE);
    int32_t nearest = (int32_t)(quarters < 0.0 ? quarters - 0.5 : quarters + 0.5);
    *out_quadrant = (unsigned)nearest & 3u;
    return (x - (double)nearest * half_pi_high) - (double)nearest * half_pi_low;
}

static double sin_of_quadrant(double reduced, unsigned quadrant)
{
    double value = (quadrant & 1u) != 0 ? cos_series(reduced) : mrwi_sin_series(reduced);
    return (quadrant & 2u) != 0 ? -value : value;
}

double mrwi_sin_double(double x)
{
    unsigned quadrant;
    double reduced = reduce(x, &quadrant);
    return sin_of_quadrant(reduced, quadrant);
}

double mrwi_cos_double(double x)
{
    unsigned quadrant;
    double reduced = reduce(x, &quadrant);
    return sin_of_quadrant(reduced, quadrant + 1u);
}

/* Both series, then a choice: which one is the sine of an angle that nobody can foresee would be a
 * branch that goes wrong half of the time. */
void mrwi_sin_cos_double(double x, double *out_sin, double *out_cos)
{
    unsigned quadrant;
    double reduced = reduce(x, &quadrant);
    double both[2] = {mrwi_sin_series(reduced), cos_series(reduced)};
    static const double signs[4] = {1.0, 1.0, -1.0, -1.0};
    *out_sin = both[quadrant & 1u] * signs[quadrant];
    *out_cos = both[(quadrant + 1u) & 1u] * signs[(quadrant + 1u) & 3u];
}

/* For 0 <= x <= 1. The upper part folds onto the lower with
 * atan x = pi/4 + atan((x - 1) / (x + 1)). */
static double atan_unit(double x)
{
    const double fold_above = 0.41421356237309505; /* tan(pi/8) */
    bool folded = x > fold_above;
    double z = folded ? (x - 1.0) / (x + 1.0) : x;
    double angle = mrwi_atan_series(z);
    return folded ? PI_DOUBLE / 4.0 + angle : angle;
}

double mrwi_atan2_double(double y, double x)
{
    double ax = x < 0.0 ? -x : x;
    double ay = y < 0.0 ? -y : y;
    if (ax == 0.0 && ay == 0.0)
        return 0.0;
    double angle = ay <= ax ? atan_unit(ay / ax) : PI_DOUBLE / 2.0 - atan_unit(ax / ay);
    if (x < 0.0)
        angle = PI_DOUBLE - angle;
    return y < 0.0 ? -angle : angle;
}

static float not_a_number(void)
{
    return __builtin_nanf("");
}

float mrw_sin(float angle_rad)
{
    return mrwi_is_finite(angle_rad) ? (float)mrwi_sin_double((double)angle_rad) : not_a_number();
}

float mrw_cos(float angle_rad)
{
    return mrwi_is_finite(angle_rad) ? (float)mrwi_cos_double((double)angle_rad) : not_a_number();
}

/* The half-angle form keeps its accuracy at both ends, where acos itself is steepest. */
float mrw_acos(float x)
{
    if (!mrwi_is_finite(x))
        return not_a_number();
    double clamped = x < -1.0f ? -1.0 : x > 1.0f ? 1.0 : (double)x;
    double sine = mrwi_sqrt_double(1.0 - clamped);
    double cosine = mrwi_sqrt_double(1.0 + clamped);
    return (float)(2.0 * mrwi_atan2_double(sine, cosine));
}

float mrw_atan2(float y, float x)
{
    if (!mrwi_is_finite(y) || !mrwi_is_finite(x))
        return not_a_number();
    return (float)mrwi_atan2_double((double)y, (double)x);
}

float mrw_sqrt(float x)
{
    return mrwi_sqrt(x);
}
