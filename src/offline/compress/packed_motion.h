/* What a packed clip says, before it is bits: docs/format/clip_packed_v1.md in memory. The
 * quantiser fills it, the writer knows how few bits it takes. */
#ifndef MRWI_PACKED_MOTION_H
#define MRWI_PACKED_MOTION_H

#include <marrow/offline/build.h>

typedef struct mrwi_packed_motion {
    uint32_t sample_count;
    double samples_per_second; /* 0: they have times of their own */
    uint32_t rotation_count, translation_count, scale_count, scalar_count;
    int8_t exponents[4];     /* of rotations, translations, scales, scalars */
    const uint32_t *targets; /* rotations, translations, scales, scalars */
    const int8_t *centres;   /* [4][rotation_count] */
    const int8_t *axes;      /* [2][rotation_count] */
    const float *bases;      /* of the channels behind the rotations', in their order */
    const uint8_t *steps;    /* [channel_count] */
    const int32_t *numbers;  /* [channel_count][sample_count] of 26 bits at most, signed */
} mrwi_packed_motion;

static inline uint32_t mrwi_packed_channel_count(const mrwi_packed_motion *motion)
{
    return 3 * (motion->rotation_count + motion->translation_count + motion->scale_count) +
           motion->scalar_count;
}

#endif
