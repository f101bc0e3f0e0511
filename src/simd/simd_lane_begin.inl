/* Between this and simd_lane_end.inl f8 means f1, one lane, with all functions of V in simd.h: for
 * a part of a kernel whose lanes know nothing of each other, compiled for simd_scalar.h. Eight
 * lanes side by side need eight times the variables, which machines keep in memory; one lane after
 * the other needs no more than there are registers. */
#define f8 f1
#define m8 m1
#define f8_load f1_load
#define f8_store f1_store
#define f8_splat f1_splat
#define f8_zero f1_zero
#define f8_add f1_add
#define f8_sub f1_sub
#define f8_mul f1_mul
#define f8_div f1_div
#define f8_sqrt f1_sqrt
#define f8_neg f1_neg
#define f8_abs f1_abs
#define f8_flip_sign f1_flip_sign
#define f8_less f1_less
#define f8_less_equal f1_less_equal
#define f8_equal f1_equal
#define f8_select f1_select
#define m8_and m1_and
#define m8_or m1_or
#define m8_not m1_not
#define m8_any m1_any
#define m8_all m1_all
