/* marrow/base.h: what every other header needs: linkage, status codes, errors.
 *
 * Conventions that hold in every header and are not repeated there:
 *
 * - Right-handed, Y up, metres, seconds, radians. Quaternions are x, y, z, w.
 *   Column vectors: world = parent * local, local = T * R * S,
 *   skin = model * inverse_bind.
 * - Every function is thread-safe as long as no two threads write the same
 *   memory: the library has no mutable global state but the choice of an
 *   instruction set (mrw_isa_select), and that changes no result.
 * - The runtime (everything outside marrow/offline) never allocates. Memory is
 *   the caller's, sizes are asked for, views point into the caller's bytes, which
 *   must outlive them.
 * - A pointer must not be NULL unless its comment says "or NULL".
 * - The same input gives the same bits on every machine, compiler and
 *   optimisation level.
 */
#ifndef MARROW_BASE_H
#define MARROW_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MRW_VERSION_MAJOR 0
#define MRW_VERSION_MINOR 1
#define MRW_VERSION_PATCH 0
#define MRW_VERSION_STRING "0.1.0"

#if defined(_WIN32) && defined(MRW_SHARED)
#ifdef MRW_BUILDING
#define MRW_API __declspec(dllexport)
#else
#define MRW_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define MRW_API __attribute__((visibility("default")))
#else
#define MRW_API
#endif

/* Alignment in bytes that memory handed to the library must have (what malloc
 * gives on 64-bit systems). 64, a cache line, is faster for poses. */
#define MRW_ALIGNMENT 16

/* Most joints and scalars of a skeleton. */
#define MRW_MAX_JOINTS 65535
#define MRW_MAX_SCALARS 16777216

#ifdef __cplusplus
extern "C" {
#endif

/* Result of a call. The numbers are part of the ABI; see status.def. */
typedef enum mrw_status {
#define MRW_STATUS(name, number, text) name = number,
#include <marrow/status.def>
#undef MRW_STATUS
    MRW_STATUS_FORCE_32_BIT = 0x7fffffff
} mrw_status;

/* The name of a status as it is spelled in C, e.g. "MRW_ERR_TRUNCATED".
 * "MRW_ERR_UNKNOWN" for a number that no status has. Static storage. */
MRW_API const char *mrw_status_name(mrw_status status);

/* One English sentence about a status, without a final full stop. Static storage. */
MRW_API const char *mrw_status_text(mrw_status status);

/* "0.1.0": of the library that was linked, where MRW_VERSION_STRING is of the header. */
MRW_API const char *mrw_version(void);

/* The inner loops exist once for each instruction set: "scalar" everywhere but in
 * WebAssembly modules with vectors, "sse2", "avx2" and "avx512" on x86-64, "neon" on
 * 64-bit ARM, "wasm128" in WebAssembly. All give the same bits. The first call that
 * needs one takes the fastest that the processor and the system have.
 *
 * mrw_isa_name: the one in use. Static storage. */
MRW_API const char *mrw_isa_name(void);

/* The name of the index-th that can be used here, from the simplest to the fastest;
 * NULL past the last. Static storage. */
MRW_API const char *mrw_isa_available(uint32_t index);

/* Uses another one from now on, in the whole process, or with NULL the fastest again: for
 * tests and measurements. Call it before other threads use the library: a call that is
 * running goes on as it began. Errors: INVALID_ARGUMENT (a name that this build does not
 * know), UNSUPPORTED (one that this machine does not have). */
MRW_API mrw_status mrw_isa_select(const char *name_or_null);

/* What was wrong, and where. Filled by the functions that take an `out_error`,
 * which may always be NULL. On success it is left alone. */
typedef struct mrw_error {
    mrw_status status;
    uint32_t line;      /* 1-based, in text formats; 0 where it means nothing */
    uint32_t column;    /* 1-based, in bytes */
    uint64_t offset;    /* byte offset from the start of the file or asset */
    char detail[128];   /* the thing: "accessors[3].bufferView" */
    char message[256];  /* what is wrong with it and what to do: "7 of 4 ..." */
} mrw_error;

#ifdef __cplusplus
}
#endif

#endif
