/* Greedy: from a key that stays, the farthest one that does without all keys between.
 *
 *     keys     o--o--o-----o-----o--o        o stays if the line from the last that stayed
 *     kept     o-----------o--------o          is too far off before the next one
 *
 * Keys stay as they are, tangents too, so a curve that was cut into pieces becomes whole again.
 */
#include "offline/compress/key_reduction.h"

#include "offline/compress/rotation_double.h"

#include <string.h>

enum { CURVE_STEPS = 4 }; /* times to look at between two keys of a curve */

static uint32_t values_of(const mrw_track_desc *track)
{
    return track->interpolation == MRW_INTERPOLATION_CUBIC ? 3 : 1;
}

static uint32_t key_floats(const mrw_track_desc *track)
{
    return mrw_track_width(track->kind) * values_of(track);
}

/* The value of a key, between its tangents if it has some. */
static const float *value_of(const mrw_track_desc *track, uint32_t key)
{
    const uint32_t width = mrw_track_width(track->kind);
    return track->values + (size_t)key * key_floats(track) + (values_of(track) == 3 ? width : 0);
}

static mrw_quat quat_of(const float *value)
{
    return (mrw_quat){value[0], value[1], value[2], value[3]};
}

/* --- values ------------------------------------------------------------------------------ */

static void line_between(const mrw_track_desc *track, const float *from, const float *to, double u,
                         float out[4])
{
    if (track->kind == MRW_TRACK_ROTATION) {
        const mrw_quat q = mrw_quat_slerp(quat_of(from), quat_of(to), (float)u);
        memcpy(out, &q, sizeof(q));
        return;
    }
    for (uint32_t i = 0; i < mrw_track_width(track->kind); i++)
        out[i] = (float)((double)from[i] * (1.0 - u) + (double)to[i] * u);
}

/* glTF 2.0, appendix C.5. */
static void curve_between(const mrw_track_desc *track, const float *from, const float *to, double u,
                          double interval_s, float out[4])
{
    const uint32_t width = mrw_track_width(track->kind);
    const double u2 = u * u, u3 = u2 * u;
    const float *tangent_from = from + width, *tangent_to = to - width;
    for (uint32_t i = 0; i < width; i++)
        out[i] = (float)((2.0 * u3 - 3.0 * u2 + 1.0) * (double)from[i] +
                         interval_s * (u3 - 2.0 * u2 + u) * (double)tangent_from[i] +
                         (3.0 * u2 - 2.0 * u3) * (double)to[i] +
                         interval_s * (u3 - u2) * (double)tangent_to[i]);
    if (track->kind == MRW_TRACK_ROTATION) {
        const mrw_quat q = mrw_quat_normalize(quat_of(out));
        memcpy(out, &q, sizeof(q));
    }
}

/* At a time from one key to another, as if none were between. */
static void value_between(const mrw_track_desc *track, uint32_t from, uint32_t to, double time_s,
                          float out[4])
{
    const double from_s = (double)track->times[from];
    const double interval_s = (double)track->times[to] - from_s;
    const double u = (time_s - from_s) / interval_s;
    const float *a = value_of(track, from), *b = value_of(track, to);
    if (track->interpolation == MRW_INTERPOLATION_CUBIC)
        curve_between(track, a, b, u, interval_s, out);
    else if (track->interpolation == MRW_INTERPOLATION_LINEAR)
        line_between(track, a, b, u, out);
    else
        memcpy(out, a, mrw_track_width(track->kind) * sizeof(float));
}

/* --- distances --------------------------------------------------------------------------- */

static double distance(const mrw_track_desc *track, const float *a, const float *b)
{
    double squares[2] = {0.0, 0.0}, largest = 0.0;
    for (uint32_t i = 0; i < mrw_track_width(track->kind); i++) {
        const double difference = (double)a[i] - (double)b[i], sum = (double)a[i] + (double)b[i];
        const double size = difference < 0.0 ? -difference : difference;
        largest = size > largest ? size : largest;
        squares[0] += difference * difference;
        squares[1] += sum * sum;
    }
    if (track->kind == MRW_TRACK_TRANSLATION)
        return mrwi_sqrt_double(squares[0]);
    if (track->kind != MRW_TRACK_ROTATION)
        return largest;
    return 2.0 * mrwi_sqrt_double(squares[0] < squares[1] ? squares[0] : squares[1]);
}

/* What a run of keys is replaced by: the way from its first to its last key, or one value. */
typedef struct replacement {
    uint32_t from, to;
    const float *value; /* or NULL */
} replacement;

static bool is_near(const mrw_track_desc *track, const replacement *by, double time_s,
                    const float *value, double tolerance)
{
    float instead[4];
    if (by->value != NULL)
        return distance(track, value, by->value) <= tolerance;
    value_between(track, by->from, by->to, time_s, instead);
    return distance(track, value, instead) <= tolerance;
}

/* Whether all keys of the run, and of a curve what lies between them, are near what replaces
 * them. */
static bool is_replaced(const mrw_track_desc *track, const replacement *by, double tolerance)
{
    const bool is_curve = track->interpolation == MRW_INTERPOLATION_CUBIC;
    for (uint32_t k = by->from; k <= by->to; k++) {
        const double time_s = (double)track->times[k];
        /* A step is at its next key before it is at the last one. */
        if ((by->value != NULL || k < by->to) &&
            !is_near(track, by, time_s, value_of(track, k), tolerance))
            return false;
        for (int i = 1; is_curve && k < by->to && i < CURVE_STEPS; i++) {
            float value[4];
            const double between_s =
                time_s + ((double)track->times[k + 1] - time_s) * i / CURVE_STEPS;
            value_between(track, k, k + 1, between_s, value);
            if (!is_near(track, by, between_s, value, tolerance))
                return false;
        }
    }
    return true;
}

/* The farthest key, nearly, that the one at `from` does without those between: in steps that
 * double, then halve. */
static uint32_t farthest_from(const mrw_track_desc *track, uint32_t from, double tolerance)
{
    const uint32_t last = track->key_count - 1;
    replacement by = {from, from + 1, NULL};
    uint32_t reach = 1;
    while (reach <= (last - from) / 2) {
        by.to = from + 2 * reach;
        if (!is_replaced(track, &by, tolerance))
            break;
        reach *= 2;
    }
    for (uint32_t step = reach; step > 0; step /= 2) {
        by.to = from + reach + step;
        if (by.to <= last && is_replaced(track, &by, tolerance))
            reach += step;
    }
    return from + reach;
}

/* --- the whole --------------------------------------------------------------------------- */

/* A track holds its first key before it and its last one behind it: ends that stay need one key. */
static uint32_t trim_ends(const mrw_track_desc *track, double tolerance, uint32_t *kept,
                          uint32_t count)
{
    const replacement end = {kept[count - 2], kept[count - 1], value_of(track, kept[count - 2])};
    if (is_replaced(track, &end, tolerance))
        count--;
    if (count < 2)
        return count;
    const replacement begin = {kept[0], kept[1], value_of(track, kept[1])};
    if (is_replaced(track, &begin, tolerance)) {
        count--;
        memmove(kept, kept + 1, count * sizeof(*kept));
    }
    return count;
}

bool mrwi_reduce_keys(const mrw_track_desc *track, double tolerance, mrwi_arena *arena,
                      mrw_track_desc *out_track)
{
    *out_track = *track;
    if (track->key_count < 2)
        return true;
    uint32_t *kept = mrwi_arena_alloc(arena, track->key_count, sizeof(*kept));
    if (kept == NULL)
        return false;
    uint32_t count = 1;
    while (kept[count - 1] + 1 < track->key_count) {
        kept[count] = farthest_from(track, kept[count - 1], tolerance);
        count++;
    }
    count = trim_ends(track, tolerance, kept, count);
    const size_t floats = key_floats(track);
    float *times = mrwi_arena_alloc(arena, count, sizeof(float));
    float *values = mrwi_arena_alloc(arena, count * floats, sizeof(float));
    if (times == NULL || values == NULL)
        return false;
    for (uint32_t k = 0; k < count; k++) {
        times[k] = track->times[kept[k]];
        memcpy(values + k * floats, track->values + kept[k] * floats, floats * sizeof(float));
    }
    out_track->key_count = count;
    out_track->times = times;
    out_track->values = values;
    return true;
}
