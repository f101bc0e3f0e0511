/* The series behind trig.h, for arguments that are near 0 already. Inline, and without branches,
 * so that a loop over several angles can become vector instructions; each does the same operations
 * as one alone, and so gives the same bits. */
#ifndef MRWI_MATH_TRIG_SERIES_H
#define MRWI_MATH_TRIG_SERIES_H

/* |x| <= pi/4; the first term left out is x^13 / 13! < 7e-12. */
static inline double mrwi_sin_series(double x)
{
    double x2 = x * x;
    double sum = -1.0 / 39916800.0;
    sum = 1.0 / 362880.0 + x2 * sum;
    sum = -1.0 / 5040.0 + x2 * sum;
    sum = 1.0 / 120.0 + x2 * sum;
    sum = -1.0 / 6.0 + x2 * sum;
    return x + x * (x2 * sum);
}

/* |z| <= tan(pi/8); the first term left out is z^25 / 25 < 2e-11. */
static inline double mrwi_atan_series(double z)
{
    double z2 = z * z;
    double sum = -1.0 / 23.0;
    sum = 1.0 / 21.0 + z2 * sum;
    sum = -1.0 / 19.0 + z2 * sum;
    sum = 1.0 / 17.0 + z2 * sum;
    sum = -1.0 / 15.0 + z2 * sum;
    sum = 1.0 / 13.0 + z2 * sum;
    sum = -1.0 / 11.0 + z2 * sum;
    sum = 1.0 / 9.0 + z2 * sum;
    sum = -1.0 / 7.0 + z2 * sum;
    sum = 1.0 / 5.0 + z2 * sum;
    sum = -1.0 / 3.0 + z2 * sum;
    return z + z * (z2 * sum);
}

#endif
