#include "skin/stream.h"

#include "base/error.h"

#include <string.h>

static mrw_status check_stride(const char *name, const void *data, size_t stride_bytes,
                               size_t width, mrw_error *out_error)
{
    size_t smallest = width * sizeof(float);
    if (data == NULL || stride_bytes == 0)
        return MRW_OK;
    if (stride_bytes % sizeof(float) != 0 || stride_bytes < smallest)
        return mrwi_fail(out_error, MRW_ERR_INVALID_ARGUMENT, "%s.stride_bytes",
                         "%z is no multiple of 4 of at least %z", name, (uint64_t)stride_bytes,
                         (uint64_t)smallest);
    return MRW_OK;
}

mrw_status mrwi_check_streams(const mrwi_vertex_streams *streams, mrw_error *out_error)
{
    const struct {
        const char *name;
        const char *out_name;
        mrw_stream in;
        mrw_out_stream out;
        size_t width;
    } pairs[] = {
        {"positions", "out_positions", streams->positions, streams->out_positions, 3},
        {"normals", "out_normals", streams->normals, streams->out_normals, 3},
        {"tangents", "out_tangents", streams->tangents, streams->out_tangents, 4},
    };
    if (streams->positions.data == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "positions");
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
        if (pairs[i].in.data == NULL && pairs[i].out.data != NULL)
            return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, pairs[i].name);
        if (pairs[i].in.data != NULL && pairs[i].out.data == NULL)
            return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, pairs[i].out_name);
        mrw_status status = check_stride(pairs[i].name, pairs[i].in.data, pairs[i].in.stride_bytes,
                                         pairs[i].width, out_error);
        if (status == MRW_OK)
            status = check_stride(pairs[i].out_name, pairs[i].out.data, pairs[i].out.stride_bytes,
                                  pairs[i].width, out_error);
        if (status != MRW_OK)
            return status;
    }
    return MRW_OK;
}

mrw_status mrw_stream_scatter(mrw_stream in, uint32_t width, const uint32_t *places,
                              uint32_t vertex_count, mrw_out_stream out)
{
    if (vertex_count == 0)
        return MRW_OK;
    if (in.data == NULL || places == NULL || out.data == NULL)
        return MRW_ERR_NULL_ARGUMENT;
    if (width == 0 || check_stride("in", in.data, in.stride_bytes, width, NULL) != MRW_OK ||
        check_stride("out", out.data, out.stride_bytes, width, NULL) != MRW_OK)
        return MRW_ERR_INVALID_ARGUMENT;
    for (uint32_t v = 0; v < vertex_count; v++) {
        if (places[v] >= vertex_count)
            return MRW_ERR_INDEX_RANGE;
        memcpy(mrwi_out_stream_at(out, width, places[v]), mrwi_stream_at(in, width, v),
               width * sizeof(float));
    }
    return MRW_OK;
}
