/* marrow/stored_clip.h: clips as they are kept on disk and sent.
 *
 * A stored clip is a clip asset of a third encoding, MRW_CLIP_STORED, made by mrw_store_clip (marrow/offline/compress.h) from a
 * keyed or packed one and entropy coded: a fifth smaller than a packed clip. It cannot be sampled; decoding gives back
 * the clip it was made from, byte for byte. A .mrw file may hold clips in any encoding, and mrw_open_character and mrw_load_file
 * decode as they open.
 *
 * Decoding takes no memory but what the caller gives:
 *
 *     mrw_stored_clip stored;
 *     mrw_stored_clip_open(bytes, bytes_size, &stored, &error);
 *     void *clip_memory = malloc(stored.clip_bytes), *work = malloc(stored.work_bytes);
 *     mrw_stored_clip_decode(bytes, bytes_size, clip_memory, stored.clip_bytes, work, stored.work_bytes, &error);
 *     free(work);
 *     mrw_clip_open(clip_memory, stored.clip_bytes, &clip, &error);
 *
 * or goes on while bytes arrive, and what has arrived can be played: mrw_clip_stream.
 *
 * The format is docs/format/clip_stored_v1.md.
 */
#ifndef MARROW_STORED_CLIP_H
#define MARROW_STORED_CLIP_H

#include <marrow/clip.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of a stored clip that say how large everything is. */
#define MRW_STORED_CLIP_HEAD_BYTES 88

/* What a stored clip says of itself. */
typedef struct mrw_stored_clip {
    uint64_t skeleton_id;
    size_t stored_bytes; /* of all of it */
    size_t clip_bytes;   /* of the clip that comes out, at most about 1024 times as many */
    size_t work_bytes;   /* that decoding needs besides; at most 200 KB and 28 times clip_bytes */
} mrw_stored_clip;

/* Whether the bytes begin a stored clip: the head is there and aligned to 8, and its magic, kind and encoding are
 * those of one. */
MRW_API bool mrw_is_stored_clip(const void *bytes, size_t size_bytes);

/* Reads the head, which must be there; what is behind it is not looked at. Of bytes from anywhere compare stored_bytes
 * with what is there, or will come, before taking memory: nothing else bounds what a head alone says. bytes: aligned to
 * MRW_ALIGNMENT. Errors: NULL_ARGUMENT, ALIGNMENT, TRUNCATED, BAD_MAGIC, WRONG_KIND, BAD_VERSION,
 * BAD_ASSET. */
MRW_API mrw_status mrw_stored_clip_open(const void *bytes, size_t size_bytes,
                                        mrw_stored_clip *out_stored, mrw_error *out_error);

/* Decodes all of it. clip, work: memory of at least the sizes that mrw_stored_clip_open says, aligned to MRW_ALIGNMENT. The
 * clip is whole, and its checksum right, but mrw_clip_open still decides whether it is a good one. Errors: those
 * of mrw_stored_clip_open, BUFFER_TOO_SMALL, BAD_CHECKSUM, NOT_FINITE; what stands in the two blocks then is of no use. */
MRW_API mrw_status mrw_stored_clip_decode(const void *bytes, size_t size_bytes, void *clip,
                                          size_t clip_bytes, void *work, size_t work_bytes,
                                          mrw_error *out_error);

/* --- while bytes arrive ----------------------------------------------------------------- */

/* A decoder at work, in the caller's work memory. */
typedef struct mrw_clip_stream mrw_clip_stream;

/* `bytes`: where all stored_bytes will stand one behind the other as they arrive; of now at least the head.
 * All three blocks must stay where they are, and the clip for as long as views on it are used.
 * Errors: those of mrw_stored_clip_open, BUFFER_TOO_SMALL. */
MRW_API mrw_status mrw_clip_stream_begin(const void *bytes, size_t size_bytes, void *clip,
                                         size_t clip_bytes, void *work, size_t work_bytes,
                                         mrw_clip_stream **out_stream, mrw_error *out_error);

/* Decodes as far as size_bytes, the bytes that are there by now, go. *out_clip becomes a view on what can be
 * sampled: a packed clip that ends with the last whole segment, so that its duration_s grows from call to
 * call (tracks of keys are whole from the beginning); once all is there, the whole clip, opened by mrw_clip_open. It is all zeros
 * (joint_count 0) while there is nothing. Views of earlier calls stay valid. A clip without motion comes at once, at the end.
 * Errors: NULL_ARGUMENT, BAD_CHECKSUM, BAD_VERSION, BAD_ASSET, NOT_FINITE: the stream is of no use any more then. */
MRW_API mrw_status mrw_clip_stream_advance(mrw_clip_stream *stream, size_t size_bytes,
                                           mrw_clip *out_clip, mrw_error *out_error);

/* Whether the last call decoded all there is. */
MRW_API bool mrw_clip_stream_is_complete(const mrw_clip_stream *stream);

#ifdef __cplusplus
}
#endif

#endif
