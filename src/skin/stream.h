/* Streams of vertex attributes: strided arrays of xyz or xyzw. */
#ifndef MRWI_SKIN_STREAM_H
#define MRWI_SKIN_STREAM_H

#include <marrow/skin.h>

/* Floats from one vertex to the next. */
static inline size_t mrwi_stream_step(size_t stride_bytes, size_t width)
{
    return stride_bytes == 0 ? width : stride_bytes / sizeof(float);
}

static inline const float *mrwi_stream_at(mrw_stream stream, size_t width, uint32_t vertex)
{
    return stream.data + mrwi_stream_step(stream.stride_bytes, width) * vertex;
}

static inline float *mrwi_out_stream_at(mrw_out_stream stream, size_t width, uint32_t vertex)
{
    return stream.data + mrwi_stream_step(stream.stride_bytes, width) * vertex;
}

static inline mrw_vec3 mrwi_load_vec3(const float *from)
{
    return (mrw_vec3){from[0], from[1], from[2]};
}

static inline void mrwi_store_vec3(float *to, mrw_vec3 v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

/* The streams that morphing and skinning have in common. */
typedef struct mrwi_vertex_streams {
    mrw_stream positions, normals, tangents;
    mrw_out_stream out_positions, out_normals, out_tangents;
} mrwi_vertex_streams;

/* Errors: NULL_ARGUMENT (positions; an output without its input or an input without its output),
 * INVALID_ARGUMENT (a stride that is no multiple of 4, or shorter than the vector). */
mrw_status mrwi_check_streams(const mrwi_vertex_streams *streams, mrw_error *out_error);

#endif
