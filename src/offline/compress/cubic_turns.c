/* The cubic Hermite spline of glTF 2.0, appendix C.5, goes through the components of quaternions
 * and takes their signs as they are. Where it passes 0 closely, what is left after bringing it to
 * unit length turns about within no time: at 0 itself it is a jump that no samples show.
 */
#include "offline/compress/cubic_turns.h"

#include "base/error.h"
#include "offline/compress/rotation_double.h"

enum { PARTS = 16 };

/* Squares of lengths, of a unit quaternion 1; and the cosine of half the turn within a part. */
#define LEAST_SQUARE 0.1
#define LEAST_COSINE 0.5

static double component(const float *from, const float *to, int i, double t, double interval_s)
{
    const double t2 = t * t, t3 = t2 * t;
    return (2.0 * t3 - 3.0 * t2 + 1.0) * (double)from[4 + i] +
           (t3 - 2.0 * t2 + t) * interval_s * (double)from[8 + i] +
           (3.0 * t2 - 2.0 * t3) * (double)to[4 + i] + (t3 - t2) * interval_s * (double)to[i];
}

static bool interval_whirls(const float *from, const float *to, double interval_s)
{
    mrwi_quatd before = {0.0, 0.0, 0.0, 0.0};
    for (int part = 0; part <= PARTS; part++) {
        const double t = (double)part / PARTS;
        const mrwi_quatd q = {
            component(from, to, 0, t, interval_s), component(from, to, 1, t, interval_s),
            component(from, to, 2, t, interval_s), component(from, to, 3, t, interval_s)};
        const double square = mrwi_quatd_dot(q, q);
        if (!(square > LEAST_SQUARE))
            return true;
        const double dot = mrwi_quatd_dot(q, before);
        if (part > 0 && !(dot > 0.0 && dot * dot > LEAST_COSINE * LEAST_COSINE * square *
                                                       mrwi_quatd_dot(before, before)))
            return true;
        before = q;
    }
    return false;
}

bool mrwi_cubic_whirls(const mrw_track_desc *track)
{
    if (track->kind != MRW_TRACK_ROTATION || track->interpolation != MRW_INTERPOLATION_CUBIC)
        return false;
    for (uint32_t k = 0; k + 1 < track->key_count; k++)
        if (interval_whirls(track->values + (size_t)k * 12, track->values + (size_t)(k + 1) * 12,
                            (double)track->times[k + 1] - (double)track->times[k]))
            return true;
    return false;
}
