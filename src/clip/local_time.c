/* From any time to a time inside the clip.
 *
 * A character that has looped for hours asks for t = 36,000.04 s of a clip of 0.7 s. In float that
 * t has a step of 4 ms already, and t - n * duration adds an error of its own for every n. So the
 * time comes in double and is reduced exactly: the remainder of two doubles is always a double, and
 * both ways below find it without a rounding. It is rounded once, to the float that is returned.
 *
 * Two roundings can reach the duration itself, which lies outside [0, duration): that last one,
 * and the subtraction that turns the remainder of a negative time around. Both then give the
 * largest float below the duration: the nearest time that is inside, so the pose does not jump.
 */
#include <marrow/clip.h>

#include <string.h>

#define MANTISSA_BITS 52
#define MANTISSA_MASK (((uint64_t)1 << MANTISSA_BITS) - 1)
#define EXPONENT_MASK 0x7ffu

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

static double double_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

static bool is_finite_double(double value)
{
    return ((bits_of(value) >> MANTISSA_BITS) & EXPONENT_MASK) != EXPONENT_MASK;
}

/* value modulo divisor, exactly, by hand: one bit of the quotient a step. 0 < divisor <= value;
 * both finite, and divisor a normal double, which every positive float is. At most about 1,200
 * steps, for the largest double and the smallest float. */
static double long_modulo(double value, double divisor)
{
    uint64_t implicit_bit = (uint64_t)1 << MANTISSA_BITS;
    uint64_t remainder = (bits_of(value) & MANTISSA_MASK) | implicit_bit;
    uint64_t subtrahend = (bits_of(divisor) & MANTISSA_MASK) | implicit_bit;
    uint64_t divisor_exponent = bits_of(divisor) >> MANTISSA_BITS;
    uint64_t exponent = bits_of(value) >> MANTISSA_BITS;

    /* Invariant: what is left is remainder * 2^exponent, and remainder < 2 * subtrahend. */
    for (;; exponent--) {
        if (remainder >= subtrahend)
            remainder -= subtrahend;
        if (exponent == divisor_exponent)
            break;
        remainder <<= 1;
    }
    if (remainder == 0)
        return 0.0;
    /* The exponent cannot run out: the remainder is a multiple of the divisor's last bit, 2^-201 or
     * more. */
    while ((remainder & implicit_bit) == 0) {
        remainder <<= 1;
        exponent--;
    }
    return double_of((exponent << MANTISSA_BITS) | (remainder & MANTISSA_MASK));
}

/* value modulo divisor, exactly. 0 <= value, 0 < divisor; value finite, divisor a float.
 *
 * The product of a float and a quotient below 2^29 is a double. The quotient is the right one, or,
 * rounded up, one too many; either way the difference lies within the divisor and is a multiple of
 * the last bit of value or divisor, so it is a double too, and so is what adding the divisor gives.
 */
static double exact_modulo(double value, double divisor)
{
    if (value < divisor)
        return value;
    double quotient = value / divisor;
    if (quotient >= 536870912.0)
        return long_modulo(value, divisor);
    double rest = value - (double)(int32_t)quotient * divisor;
    return rest < 0.0 ? rest + divisor : rest;
}

/* The largest float below a positive one. */
static float float_below(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    bits--;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

float mrw_clip_local_time(const mrw_clip *clip, double time_s, bool loop)
{
    float duration_s = clip->duration_s;
    if (!(duration_s > 0.0f) || time_s != time_s)
        return 0.0f;
    if (!loop) {
        if (time_s >= (double)duration_s)
            return duration_s;
        return time_s > 0.0 ? (float)time_s : 0.0f;
    }
    if (!is_finite_double(time_s))
        return 0.0f;
    double inside = exact_modulo(time_s < 0.0 ? -time_s : time_s, (double)duration_s);
    if (time_s < 0.0 && inside > 0.0)
        inside = (double)duration_s - inside;
    float local_s = (float)inside;
    return local_s < duration_s ? local_s : float_below(duration_s);
}
