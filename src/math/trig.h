/* Trigonometry in double precision for the sources of this stage; the public functions round it
 * to float. */
#ifndef MRWI_MATH_TRIG_H
#define MRWI_MATH_TRIG_H

#include <marrow/base.h>

/* Absolute error below 1e-9 for |x| < 2^30; sin 0 and cos 0 for larger x. Not for NaN. */
double mrwi_sin_double(double x);
double mrwi_cos_double(double x);
void mrwi_sin_cos_double(double x, double *out_sin, double *out_cos);

/* Angle of (x, y) in (-pi, pi], within 1e-9; 0 for (0, 0). Both finite. */
double mrwi_atan2_double(double y, double x);

#endif
