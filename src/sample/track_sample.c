#include "sample/track_sample.h"

#include "clip/clip_format.h"

#include <string.h>

static mrw_quat load_quat(const float *value)
{
    mrw_quat q = {value[0], value[1], value[2], value[3]};
    return q;
}

static void store_quat(mrw_quat q, float out_value[4])
{
    out_value[0] = q.x;
    out_value[1] = q.y;
    out_value[2] = q.z;
    out_value[3] = q.w;
}

/* This form cannot overflow and is exact at both ends; that equal values stay as they are, which it
 * alone would only promise to the last bit but one, matters for all the tracks that stand still. */
static float lerp(float a, float b, float fraction)
{
    return a == b ? a : a * (1.0f - fraction) + b * fraction;
}

/* The cubic Hermite spline of glTF 2.0, appendix C.5. Tangents are per second and the curve runs
 * over 0..1, hence their factor interval_s. Quaternions go through the same formula, by component
 * and with the signs that the file gave them: the tangents belong to those signs. Then they are
 * normalised. */
static void sample_cubic(mrw_track_kind kind, const float *from, const float *to,
                         const mrwi_key_position *position, float out_value[4])
{
    uint32_t width = mrw_track_width(kind);
    float t = position->fraction;
    float t2 = t * t;
    float t3 = t2 * t;
    float value_from = (2.0f * t3 - 3.0f * t2) + 1.0f;
    float value_to = 3.0f * t2 - 2.0f * t3;
    float tangent_from = ((t3 - 2.0f * t2) + t) * position->interval_s;
    float tangent_to = (t3 - t2) * position->interval_s;
    const float *from_value = from + width;
    const float *from_out_tangent = from + 2 * width;
    const float *to_in_tangent = to;
    const float *to_value = to + width;
    for (uint32_t i = 0; i < width; i++)
        out_value[i] = ((value_from * from_value[i] + tangent_from * from_out_tangent[i]) +
                        value_to * to_value[i]) +
                       tangent_to * to_in_tangent[i];
    if (kind == MRW_TRACK_ROTATION)
        store_quat(mrw_quat_normalize(load_quat(out_value)), out_value);
}

void mrwi_sample_track(const mrw_clip *clip, const mrw_track *track,
                       const mrwi_key_position *position, float out_value[4])
{
    mrw_track_kind kind = (mrw_track_kind)track->kind;
    uint32_t key_floats = mrwi_track_key_floats(track);
    const float *from = clip->values + track->values_offset + (size_t)position->key * key_floats;
    if (position->exact || track->interpolation == MRW_INTERPOLATION_STEP)
        memcpy(out_value, from + mrwi_track_value_at(track), mrw_track_width(kind) * sizeof(float));
    else if (track->interpolation == MRW_INTERPOLATION_LINEAR)
        out_value[0] = lerp(from[0], from[1], position->fraction);
    else
        sample_cubic(kind, from, from + key_floats, position, out_value);
}
