/* The seven modes of a primitive, brought down to lists of points, lines and triangles.
 *
 * An index above the vertices is refused, but for one value: the largest of the index type. glTF
 * forbids it, yet exporters write it where graphics APIs cut a strip and begin the next,
 * so in strips, loops and fans it is read as that. */
#include "offline/import/gltf.h"

#include "base/error.h"

#include <string.h>

typedef enum primitive_mode {
    MODE_POINTS = 0,
    MODE_LINES = 1,
    MODE_LINE_LOOP = 2,
    MODE_LINE_STRIP = 3,
    MODE_TRIANGLES = 4,
    MODE_TRIANGLE_STRIP = 5,
    MODE_TRIANGLE_FAN = 6
} primitive_mode;

/* The indices as the file has them, restarts included. */
typedef struct index_source {
    const mrwi_gltf_accessor *accessor; /* NULL: 0, 1, 2, ... */
    uint32_t count;
    uint32_t restart; /* UINT32_MAX without accessor */
} index_source;

static uint32_t index_at(const index_source *source, uint32_t i)
{
    return source->accessor != NULL ? mrwi_gltf_read_uint(source->accessor, i, 0) : i;
}

static bool cuts_at_restart(primitive_mode mode)
{
    return mode == MODE_LINE_LOOP || mode == MODE_LINE_STRIP || mode == MODE_TRIANGLE_STRIP ||
           mode == MODE_TRIANGLE_FAN;
}

/* Indices that a run of `count` without a restart becomes. */
static uint64_t list_count(primitive_mode mode, uint64_t count)
{
    switch (mode) {
    case MODE_POINTS:
        return count;
    case MODE_LINES:
        return count / 2 * 2;
    case MODE_LINE_LOOP:
        return count < 2 ? 0 : count * 2;
    case MODE_LINE_STRIP:
        return count < 2 ? 0 : (count - 1) * 2;
    case MODE_TRIANGLES:
        return count / 3 * 3;
    case MODE_TRIANGLE_STRIP:
    case MODE_TRIANGLE_FAN:
        return count < 3 ? 0 : (count - 2) * 3;
    }
    return 0;
}

/* Writes the list of one run that begins at `first`. The orders are those of section 3.7.2.1 of
 * the specification. */
static uint32_t write_run(const index_source *source, primitive_mode mode, uint32_t first,
                          uint32_t count, uint32_t *out)
{
    uint32_t written = (uint32_t)list_count(mode, count);
    uint32_t elements =
        mode == MODE_LINE_LOOP || mode == MODE_LINE_STRIP ? written / 2 : written / 3;
    if (mode == MODE_POINTS || mode == MODE_LINES || mode == MODE_TRIANGLES) {
        for (uint32_t i = 0; i < written; i++)
            out[i] = index_at(source, first + i);
        return written;
    }
    for (uint32_t i = 0; i < elements; i++) {
        if (mode == MODE_LINE_LOOP || mode == MODE_LINE_STRIP) {
            out[2 * i] = index_at(source, first + i);
            out[2 * i + 1] = index_at(source, first + (i + 1 == count ? 0 : i + 1));
        } else if (mode == MODE_TRIANGLE_STRIP) {
            out[3 * i] = index_at(source, first + i);
            out[3 * i + 1] = index_at(source, first + i + 1 + i % 2);
            out[3 * i + 2] = index_at(source, first + i + 2 - i % 2);
        } else {
            out[3 * i] = index_at(source, first + i + 1);
            out[3 * i + 1] = index_at(source, first + i + 2);
            out[3 * i + 2] = index_at(source, first);
        }
    }
    return written;
}

/* The end of the run that begins at `first`. */
static uint32_t run_end(const index_source *source, primitive_mode mode, uint32_t first)
{
    if (source->accessor == NULL || !cuts_at_restart(mode))
        return source->count;
    uint32_t end = first;
    while (end < source->count && index_at(source, end) != source->restart)
        end++;
    return end;
}

/* Walks over all runs; writes them if out is not NULL. Returns the indices of the list. */
static uint64_t walk_runs(const index_source *source, primitive_mode mode, uint32_t *out,
                          bool *out_incomplete)
{
    uint64_t total = 0;
    for (uint32_t first = 0; first < source->count;) {
        uint32_t end = run_end(source, mode, first);
        uint32_t count = end - first;
        uint64_t listed = list_count(mode, count);
        if (out != NULL)
            write_run(source, mode, first, count, out + total);
        total += listed;
        bool is_list = mode == MODE_LINES || mode == MODE_TRIANGLES;
        *out_incomplete = *out_incomplete || listed == 0 || (is_list && listed != count);
        first = end + (end < source->count);
    }
    return total;
}

static mrw_status check_values(mrwi_gltf *gltf, const char *where, const index_source *source,
                               primitive_mode mode, uint32_t vertex_count)
{
    uint32_t restart_count = 0;
    for (uint32_t i = 0; i < source->count; i++) {
        uint32_t index = index_at(source, i);
        bool restart = index == source->restart;
        if (index >= vertex_count && !(restart && cuts_at_restart(mode)))
            return mrwi_fail(gltf->out_error, MRW_ERR_INDEX_RANGE, "%s.indices",
                             "index %u is %u of %u: the primitive has no such vertex", where, i,
                             index, vertex_count);
        restart_count += restart;
    }
    mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR, "ACCESSOR_INDEX_PRIMITIVE_RESTART", where,
                       "the indices hold the value of a primitive restart; strips, loops and fans "
                       "are cut there",
                       restart_count);
    return MRW_OK;
}

static mrw_status open_indices(mrwi_gltf *gltf, const mrwi_json_value *object, const char *where,
                               index_source *out_source)
{
    int32_t index;
    MRWI_TRY(mrwi_gltf_index(gltf, object, where, "indices", MRWI_GLTF_ACCESSORS, &index));
    if (index < 0)
        return MRW_OK;
    MRWI_TRY(mrwi_gltf_accessor_open(gltf, index, &out_source->accessor));
    const mrwi_gltf_accessor *accessor = out_source->accessor;
    out_source->count = accessor->count;
    if (accessor->component == MRWI_GLTF_UNSIGNED_BYTE)
        out_source->restart = 0xff;
    else if (accessor->component == MRWI_GLTF_UNSIGNED_SHORT)
        out_source->restart = 0xffff;
    else if (accessor->component == MRWI_GLTF_UNSIGNED_INT)
        out_source->restart = UINT32_MAX;
    if (out_source->restart == 0 || accessor->component_count != 1)
        return mrwi_gltf_fail(gltf, MRW_ERR_INVALID_VALUE, where, "indices", NULL,
                              "the accessor must be a SCALAR of an unsigned integer type");
    return MRW_OK;
}

static mrw_status read_mode(mrwi_gltf *gltf, const mrwi_json_value *object, const char *where,
                            primitive_mode *out_mode, mrw_topology *out_topology)
{
    uint64_t mode;
    MRWI_TRY(mrwi_gltf_uint(gltf, object, where, "mode", MODE_TRIANGLES, &mode));
    if (mode > MODE_TRIANGLE_FAN)
        return mrwi_fail(gltf->out_error, MRW_ERR_INVALID_VALUE, "%s.mode",
                         "%z is no mode; they go from 0 to 6", where, mode);
    static const mrw_topology topologies[] = {
        MRW_TOPOLOGY_POINTS,    MRW_TOPOLOGY_LINES,     MRW_TOPOLOGY_LINES,    MRW_TOPOLOGY_LINES,
        MRW_TOPOLOGY_TRIANGLES, MRW_TOPOLOGY_TRIANGLES, MRW_TOPOLOGY_TRIANGLES};
    *out_mode = (primitive_mode)mode;
    *out_topology = topologies[mode];
    return MRW_OK;
}

mrw_status mrwi_gltf_import_indices(mrwi_gltf *gltf, const mrwi_json_value *object,
                                    const char *where, mrw_scene_primitive *primitive)
{
    primitive_mode mode = MODE_TRIANGLES;
    index_source source = {NULL, primitive->vertex_count, 0};
    MRWI_TRY(read_mode(gltf, object, where, &mode, &primitive->topology));
    MRWI_TRY(open_indices(gltf, object, where, &source));
    if (source.accessor != NULL)
        MRWI_TRY(check_values(gltf, where, &source, mode, primitive->vertex_count));
    bool incomplete = false;
    uint64_t count = walk_runs(&source, mode, NULL, &incomplete);
    if (count > UINT32_MAX)
        return mrwi_gltf_fail(gltf, MRW_ERR_LIMIT, where, "indices", NULL,
                              "more than 2^32 indices are not supported");
    MRWI_TRY(mrwi_gltf_alloc(gltf, gltf->arena, (size_t)count, sizeof(uint32_t), where,
                             &primitive->indices));
    walk_runs(&source, mode, primitive->indices, &incomplete);
    primitive->index_count = (uint32_t)count;
    if (incomplete)
        mrwi_gltf_diagnose(gltf, MRW_SEVERITY_WARNING, "MESH_PRIMITIVE_INCOMPATIBLE_MODE", where,
                           "the number of indices does not fit the mode; the rest is left out", 1);
    return MRW_OK;
}
