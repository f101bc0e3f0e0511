/* Groups of eight slerps, of which each group has one fraction.
 *
 * The steps of a slerp wait for each other, seventy cycles in all, and the processor fills that
 * with the next group unless it guesses a branch wrong. So the one branch that real clips make
 * unpredictable, whether keys are far apart, is taken behind all groups, for those that need it.
 */
#ifndef MRWI_SLERP_TURNS_INL
#define MRWI_SLERP_TURNS_INL

#include "sample/slerp_lanes.inl"

enum { SLERP_TURNS = 8 }; /* groups at a time */

/* Up to eight fractions, with what depends on them alone: they are worked out side by side. */
typedef struct slerp_fractions {
    float fractions[SLERP_TURNS];
#ifdef MRWI_SIMD_SCALAR
    slerp_lane_time times[SLERP_TURNS];
#else
    float from[SLERP_TERMS + 1][SLERP_TURNS], to[SLERP_TERMS + 1][SLERP_TURNS];
#endif
} slerp_fractions;

/* A group. Number i of lane j stands at [i * 8 + j] of both keys. */
typedef struct slerp_turn {
    const float *from, *to;
    uint32_t fraction; /* which one; where it is 0, `from` counts as it is */
} slerp_turn;

/* The groups' results, as their keys stand. */
typedef float slerp_turned[SLERP_TURNS][4][8];

MRWI_INLINE void slerp_turn_load_key(const float *key, f8 out[4])
{
    for (int i = 0; i < 4; i++)
        out[i] = f8_load(key + 8 * i);
}

MRWI_INLINE void slerp_turn_store(const f8 from[4], float out[4][8])
{
    for (int i = 0; i < 4; i++)
        f8_store(out[i], from[i]);
}

#ifdef MRWI_SIMD_SCALAR

MRWI_INLINE void slerp_fractions_set(slerp_fractions *at, f8 fractions)
{
    f8_store(at->fractions, fractions);
    MRWI_KEEP_LOOP
    for (int n = 0; n < SLERP_TURNS; n++)
        slerp_lane_time_set(&at->times[n], f1_splat(at->fractions[n]));
}

MRWI_PART void slerp_turns(const slerp_fractions *at, const slerp_turn *turns, uint32_t count,
                           slerp_turned out)
{
    MRWI_KEEP_LOOP
    for (uint32_t n = 0; n < count; n++) {
        const slerp_turn *turn = &turns[n];
        MRWI_KEEP_LOOP
        for (int lane = 0; lane < 8; lane++) {
            f1 from[4], to[4], turned[4];
            for (int i = 0; i < 4; i++) {
                from[i] = f1_load(turn->from + 8 * i + lane);
                to[i] = f1_load(turn->to + 8 * i + lane);
            }
            slerp_lane(&at->times[turn->fraction], from, to, turned);
            for (int i = 0; i < 4; i++)
                f1_store(&out[n][i][lane], turned[i]);
        }
    }
}

#else

MRWI_INLINE void slerp_fractions_set(slerp_fractions *at, f8 fractions)
{
    f8 from[SLERP_TERMS + 1], to[SLERP_TERMS + 1];
    slerp_series(f8_sub(f8_splat(1.0f), fractions), SLERP_TERMS, from);
    slerp_series(fractions, SLERP_TERMS, to);
    f8_store(at->fractions, fractions);
    for (int i = 0; i <= SLERP_TERMS; i++) {
        f8_store(at->from[i], from[i]);
        f8_store(at->to[i], to[i]);
    }
}

/* How many groups go side by side. WebAssembly keeps eight floats in two registers of sixteen:
 * there one group is as fast, and a page downloads less. */
#ifdef __wasm__
enum { SLERP_TOGETHER = 1 };
#else
enum { SLERP_TOGETHER = 4 };
#endif

/* Some groups on their way. Their keys are loaded twice: fewer variables live that long. */
typedef struct slerp_turn_state {
    f8 e, side, weight_from, weight_to;
} slerp_turn_state;

/* In the functions below `size` is a constant for the compiler, and every step is done for all
 * groups before the next step. */
MRWI_INLINE void slerp_turn_begin(const slerp_turn turns[], int size, slerp_turn_state states[])
{
    f8 dot[SLERP_TURNS];
    for (int k = 0; k < size; k++)
        dot[k] = f8_mul(f8_load(turns[k].from), f8_load(turns[k].to));
    for (int i = 8; i < 32; i += 8)
        for (int k = 0; k < size; k++)
            dot[k] = f8_add(dot[k], f8_mul(f8_load(turns[k].from + i), f8_load(turns[k].to + i)));
    for (int k = 0; k < size; k++) {
        states[k].e = f8_sub(f8_splat(1.0f), f8_abs(dot[k]));
        states[k].side = f8_add(dot[k], f8_zero()); /* as in slerp_between */
    }
}

MRWI_INLINE void slerp_turn_weigh(const slerp_fractions *at, const slerp_turn turns[], int size,
                                  int terms, slerp_turn_state states[])
{
    for (int k = 0; k < size; k++) {
        states[k].weight_from = f8_splat(at->from[terms][turns[k].fraction]);
        states[k].weight_to = f8_splat(at->to[terms][turns[k].fraction]);
    }
    for (int i = terms - 1; i >= 0; i--)
        for (int k = 0; k < size; k++) {
            f8 from = f8_splat(at->from[i][turns[k].fraction]);
            f8 to = f8_splat(at->to[i][turns[k].fraction]);
            states[k].weight_from = f8_add(from, f8_mul(states[k].e, states[k].weight_from));
            states[k].weight_to = f8_add(to, f8_mul(states[k].e, states[k].weight_to));
        }
}

/* The rest of slerp_between, from and to weighed. */
MRWI_INLINE void slerp_turn_end(int size, const slerp_turn turns[], const slerp_turn_state states[],
                                float (*out)[4][8])
{
    f8 d[SLERP_TURNS], weight_to[SLERP_TURNS];
    /* The sign goes to the weight: the product is the same, to the bit. */
    for (int k = 0; k < size; k++)
        weight_to[k] = f8_flip_sign(states[k].weight_to, states[k].side);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < size; k++) {
            f8 turned = slerp_mix(f8_load(turns[k].from + 8 * i), states[k].weight_from,
                                  f8_load(turns[k].to + 8 * i), weight_to[k]);
            f8_store(out[k][i], turned);
            f8 square = f8_mul(turned, turned);
            d[k] = i == 0 ? square : f8_add(d[k], square);
        }
    for (int k = 0; k < size; k++)
        d[k] = f8_sub(d[k], f8_splat(1.0f));
    for (int k = 0; k < size; k++)
        d[k] = slerp_length_scale(d[k]);
    for (int k = 0; k < size; k++)
        for (int i = 0; i < 4; i++)
            f8_store(out[k][i], f8_mul(f8_load(out[k][i]), d[k]));
}

/* Returns which are wide: bit k for group k. */
MRWI_INLINE uint32_t slerp_turn_some(const slerp_fractions *at, const slerp_turn turns[], int size,
                                     float (*out)[4][8])
{
    slerp_turn_state states[SLERP_TURNS];
    slerp_turn_begin(turns, size, states);
    slerp_turn_weigh(at, turns, size, SLERP_NEAR_TERMS, states);
    slerp_turn_end(size, turns, states, out);
    uint32_t wide = 0;
    for (int k = 0; k < size; k++)
        wide |= (uint32_t)m8_any(f8_less(f8_splat(SLERP_NEAR), states[k].e)) << k;
    return wide;
}

MRWI_ONCE uint32_t slerp_turn_one(const slerp_fractions *at, const slerp_turn *turn,
                                  float (*out)[4][8])
{
    return slerp_turn_some(at, turn, 1, out);
}

/* Once more, for a group with keys that are wide apart. */
MRWI_ONCE void slerp_turn_wide(const slerp_fractions *at, const slerp_turn *turn,
                               float (*out)[4][8])
{
    slerp_turn_state state;
    slerp_turn_begin(turn, 1, &state);
    if (m8_any(f8_less(f8_splat(SLERP_FAR), state.e))) {
        f8 from[4], to[4], turned[4];
        slerp_turn_load_key(turn->from, from);
        slerp_turn_load_key(turn->to, to);
        slerp_alone(f8_splat(at->fractions[turn->fraction]), from, to, turned);
        slerp_turn_store(turned, *out);
        return;
    }
    slerp_turn_state wide = state;
    slerp_turn_weigh(at, turn, 1, SLERP_NEAR_TERMS, &state);
    slerp_turn_weigh(at, turn, 1, SLERP_TERMS, &wide);
    m8 is_wide = f8_less(f8_splat(SLERP_NEAR), state.e);
    state.weight_from = f8_select(is_wide, wide.weight_from, state.weight_from);
    state.weight_to = f8_select(is_wide, wide.weight_to, state.weight_to);
    slerp_turn_end(1, turn, &state, out);
}

/* count: 1 to SLERP_TURNS. */
MRWI_INLINE void slerp_turns(const slerp_fractions *at, const slerp_turn turns[], uint32_t count,
                             slerp_turned out)
{
    uint32_t wide = 0; /* bit n: group n */
    uint32_t n = 0;
    for (; SLERP_TOGETHER > 1 && n + SLERP_TOGETHER <= count; n += SLERP_TOGETHER)
        wide |= slerp_turn_some(at, &turns[n], SLERP_TOGETHER, &out[n]) << n;
    for (; n < count; n++)
        wide |= slerp_turn_one(at, &turns[n], &out[n]) << n;
    for (n = 0; wide != 0; n++, wide >>= 1)
        if ((wide & 1) != 0)
            slerp_turn_wide(at, &turns[n], &out[n]);
    for (n = 0; n < count; n++)
        if (at->fractions[turns[n].fraction] == 0.0f) {
            f8 from[4];
            slerp_turn_load_key(turns[n].from, from);
            slerp_turn_store(from, out[n]);
        }
}

#endif
#endif
