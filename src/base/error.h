/* Filling an mrw_error without the C library's printf, which the runtime may not use. */
#ifndef MRWI_BASE_ERROR_H
#define MRWI_BASE_ERROR_H

#include <marrow/base.h>

/* Fills *out_error (which may be NULL) and returns `status`, so that a check can end with
 * `return mrwi_fail(...)`. `detail` names the thing, `format` says what is wrong with it.
 * Both may use %s (const char *), %u (uint32_t), %d (int32_t) and %z (size_t or
 * uint64_t, passed as uint64_t); arguments of detail come first. Texts that do not fit are cut at a UTF-8
 * boundary. Offset, line and column are set to 0; callers that know them set them afterwards. */
mrw_status mrwi_fail(mrw_error *out_error, mrw_status status, const char *detail,
                     const char *format, ...);

/* mrwi_fail with the status's own text as message and `offset` set. */
mrw_status mrwi_fail_at(mrw_error *out_error, mrw_status status, uint64_t offset,
                        const char *detail);

/* The formatter itself: writes at most size_bytes with the NUL, returns the characters written. */
size_t mrwi_format(char *out, size_t size_bytes, const char *format, ...);

#endif
