/* marrow/math.h: the few types that the rest of the API is made of.
 *
 * All functions are total: no input crashes them, and where a result is not
 * defined mathematically the comment says what comes instead. None of them uses
 * libm, so that results are the same bits everywhere.
 */
#ifndef MARROW_MATH_H
#define MARROW_MATH_H

#include <marrow/base.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MRW_PI 3.14159265358979323846f

typedef struct mrw_vec3 {
    float x, y, z;
} mrw_vec3;

/* Rotation as a unit quaternion; q and -q are the same rotation. */
typedef struct mrw_quat {
    float x, y, z, w;
} mrw_quat;

/* Local transform T * R * S. 40 bytes. */
typedef struct mrw_transform {
    mrw_vec3 translation;
    mrw_quat rotation;
    mrw_vec3 scale;
} mrw_transform;

/* Affine matrix, three rows of four: m[row][column]; column 3 is the translation
 * and the fourth row is understood to be 0 0 0 1. 48 bytes. */
typedef struct mrw_mat34 {
    float m[3][4];
} mrw_mat34;

/* Rigid motion as a unit dual quaternion real + eps * dual, with
 * dual = 0.5 * (translation as a pure quaternion) * real. 32 bytes. */
typedef struct mrw_dual_quat {
    mrw_quat real;
    mrw_quat dual;
} mrw_dual_quat;

/* Trigonometry in single precision, angles in radians. Absolute error below
 * 2.5e-7 for |x| <= 1000; beyond, accuracy falls off but results stay in [-1, 1].
 * NaN for an argument that is not finite. */
MRW_API float mrw_sin(float angle_rad);
MRW_API float mrw_cos(float angle_rad);
/* The angle in [0, pi] whose cosine is x; x is clamped to [-1, 1]. Absolute error below 1e-6. */
MRW_API float mrw_acos(float x);
/* The angle of the point (x, y) in (-pi, pi]; 0 for (0, 0). Absolute error below 1e-6. */
MRW_API float mrw_atan2(float y, float x);
/* Correctly rounded square root; NaN for a negative argument. */
MRW_API float mrw_sqrt(float x);

MRW_API mrw_quat mrw_quat_identity(void);
/* Rotation by angle_rad about an axis of any non-zero length; identity for a zero axis. */
MRW_API mrw_quat mrw_quat_from_axis_angle(mrw_vec3 axis, float angle_rad);
/* Unit length; identity for a quaternion of zero or non-finite length. */
MRW_API mrw_quat mrw_quat_normalize(mrw_quat q);
/* The inverse of a unit quaternion. */
MRW_API mrw_quat mrw_quat_conjugate(mrw_quat q);
MRW_API float mrw_quat_dot(mrw_quat a, mrw_quat b);
/* a * b: the rotation b first, then a. */
MRW_API mrw_quat mrw_quat_mul(mrw_quat a, mrw_quat b);
/* v turned by the unit quaternion q. */
MRW_API mrw_vec3 mrw_quat_rotate(mrw_quat q, mrw_vec3 v);
/* Spherical interpolation from unit a (t = 0) to unit b (t = 1) along the shorter
 * arc, at constant angular speed. Unit length. Within 1e-6 rad of the exact result
 * for t in [0, 1]; normalised linear interpolation where a and b nearly agree. */
MRW_API mrw_quat mrw_quat_slerp(mrw_quat a, mrw_quat b, float t);
/* Normalised linear interpolation along the shorter arc. Identity where the sum vanishes. */
MRW_API mrw_quat mrw_quat_nlerp(mrw_quat a, mrw_quat b, float t);

MRW_API mrw_transform mrw_transform_identity(void);

MRW_API mrw_mat34 mrw_mat34_identity(void);
/* T * R * S. */
MRW_API mrw_mat34 mrw_mat34_from_transform(const mrw_transform *transform);
/* The product a * b: b first, then a. */
MRW_API mrw_mat34 mrw_mat34_mul(const mrw_mat34 *a, const mrw_mat34 *b);
/* Writes the inverse and returns true; returns false and writes the identity where
 * there is none: the determinant of the 3x3 part is 0, an element is not finite, or the
 * inverse does not fit a float. */
MRW_API bool mrw_mat34_inverse(const mrw_mat34 *matrix, mrw_mat34 *out_inverse);
MRW_API mrw_vec3 mrw_mat34_transform_point(const mrw_mat34 *matrix, mrw_vec3 point);
/* Without the translation. */
MRW_API mrw_vec3 mrw_mat34_transform_vector(const mrw_mat34 *matrix, mrw_vec3 vector);
/* Determinant of the 3x3 part: negative for a mirroring matrix. */
MRW_API float mrw_mat34_determinant(const mrw_mat34 *matrix);
/* The transform closest in spirit: translation from column 3, scale from the lengths
 * of the columns (the x scale negative if the matrix mirrors), rotation from the
 * columns made orthonormal. A zero column gives a zero scale and a valid rotation.
 * Returns the largest difference between an element of the 3x3 part and the same element of
 * the transform turned back into a matrix, divided by the largest element: above
 * about 1e-5 the matrix has shear, which T * R * S cannot say. A matrix with an element that is
 * not finite gives the identity, and 1. */
MRW_API float mrw_mat34_decompose(const mrw_mat34 *matrix, mrw_transform *out_transform);
/* To and from 16 floats, column-major, as OpenGL and glTF write matrices. The
 * fourth row is written as 0 0 0 1 and ignored when read. */
MRW_API void mrw_mat34_to_column_major(const mrw_mat34 *matrix, float out_elements[16]);
MRW_API mrw_mat34 mrw_mat34_from_column_major(const float elements[16]);

/* Splits the 3x3 part M = R * S into the rotation nearest to it and a symmetric
 * stretch S (polar decomposition, Higham's scaled Newton iteration), as
 * a rigid dual quaternion of R and the translation, plus S in out_stretch (column 3
 * is zero). A mirroring matrix keeps the rotation proper and carries the sign in S (that is, -M
 * is split and S negated). A singular matrix gives a valid rotation and S = R^T * M; one with an
 * element that is not finite gives the identity. Returns true if S differs from the identity by
 * more than 1e-5 in any element. */
MRW_API bool mrw_dual_quat_from_mat34(const mrw_mat34 *matrix, mrw_dual_quat *out_dual_quat,
                                      mrw_mat34 *out_stretch);
/* The rigid motion of a unit dual quaternion as a matrix. */
MRW_API mrw_mat34 mrw_mat34_from_dual_quat(const mrw_dual_quat *dual_quat);

#ifdef __cplusplus
}
#endif

#endif
