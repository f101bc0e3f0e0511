/* Accessors: typed arrays in bufferViews.
 *
 * All of them are checked before any is read, the unused ones too: bounds first, so that reading
 * needs no checks of its own. A sparse accessor, a base with some elements replaced, is put
 * together when it is first asked for; from then on it is an array like the others. An accessor
 * without a bufferView is zeros: a stride of 0 over a few zero bytes. Such a one can claim any
 * number of elements and back it with nothing, so there is a limit for it.
 */
#include "offline/import/gltf.h"

#include "base/error.h"
#include "base/finite.h"

#include <string.h>

#define LARGEST_ELEMENT 64 /* a 4 by 4 matrix of floats */

/* Elements of an accessor that the file has no data for. Meshes of real characters are far
 * smaller; a file of a few bytes that asks for gigabytes is refused here and not by the memory
 * limit. */
#define LARGEST_ZERO_COUNT (1u << 24)

static const uint8_t zeros[LARGEST_ELEMENT];

typedef struct element_type {
    const char *name;
    uint32_t component_count;
    uint32_t columns; /* of a matrix; 0 for the others */
} element_type;

static const element_type element_types[] = {
    {"SCALAR", 1, 0}, {"VEC2", 2, 0}, {"VEC3", 3, 0},  {"VEC4", 4, 0},
    {"MAT2", 4, 2},   {"MAT3", 9, 3}, {"MAT4", 16, 4},
};

static uint32_t component_bytes(uint32_t component)
{
    switch (component) {
    case MRWI_GLTF_BYTE:
    case MRWI_GLTF_UNSIGNED_BYTE:
        return 1;
    case MRWI_GLTF_SHORT:
    case MRWI_GLTF_UNSIGNED_SHORT:
        return 2;
    case MRWI_GLTF_UNSIGNED_INT:
    case MRWI_GLTF_FLOAT:
        return 4;
    default:
        return 0;
    }
}

/* --- checking -------------------------------------------------------------------------------- */

/* Type and component type. What is unknown may be an extension's: only reading it is an error. */
static mrw_status read_type(mrwi_gltf *gltf, const mrwi_json_value *object, const char *where,
                            mrwi_gltf_accessor *accessor)
{
    uint64_t component;
    MRWI_TRY(mrwi_gltf_required_uint(gltf, object, where, "componentType", &component));
    const mrwi_json_value *type = mrwi_json_member(&gltf->json, object, "type");
    if (!mrwi_json_is(type, MRWI_JSON_STRING))
        return mrwi_gltf_fail(gltf, type == NULL ? MRW_ERR_MISSING_PROPERTY : MRW_ERR_WRONG_TYPE,
                              where, "type", type != NULL ? type : object,
                              "it must be a string: \"SCALAR\", \"VEC3\", ...");
    accessor->normalized =
        mrwi_json_is_true(&gltf->json, mrwi_json_member(&gltf->json, object, "normalized"));
    uint32_t bytes = component <= UINT32_MAX ? component_bytes((uint32_t)component) : 0;
    const element_type *known = NULL;
    for (size_t i = 0; i < sizeof(element_types) / sizeof(element_types[0]); i++)
        if (mrwi_json_equals(&gltf->json, type, element_types[i].name))
            known = &element_types[i];
    if (bytes == 0 || known == NULL) {
        mrwi_gltf_diagnose(gltf, MRW_SEVERITY_WARNING, "VALUE_NOT_IN_LIST", where,
                           bytes == 0 ? "componentType is unknown" : "type is unknown", 1);
        return MRW_OK;
    }
    accessor->component = (uint32_t)component;
    accessor->component_count = known->component_count;
    accessor->is_matrix = known->columns > 0;
    accessor->element_bytes = bytes * known->component_count;
    accessor->packed_bytes = accessor->element_bytes;
    if (accessor->is_matrix) {
        /* The columns begin at multiples of four bytes; nothing need follow the last. */
        uint32_t column_bytes = (known->columns * bytes + 3) / 4 * 4;
        accessor->element_bytes = column_bytes * (known->columns - 1) + known->columns * bytes;
        accessor->packed_bytes = column_bytes * known->columns;
    }
    bool integer =
        accessor->component != MRWI_GLTF_FLOAT && accessor->component != MRWI_GLTF_UNSIGNED_INT;
    if (accessor->normalized && !integer) {
        mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR, "ACCESSOR_NORMALIZED_INVALID", where,
                           "only 8- and 16-bit integers can be normalized; it is ignored", 1);
        accessor->normalized = false;
    }
    return MRW_OK;
}

/* Fails unless `count` elements fit the view. Counts are below 2^32, strides too, offsets below
 * 2^54: the sum cannot overflow. */
static mrw_status check_bounds(const mrwi_gltf *gltf, const char *where, int32_t view_index,
                               uint64_t offset, uint64_t stride, uint64_t element_bytes,
                               uint64_t count)
{
    const mrwi_gltf_view *view = &gltf->views[view_index];
    uint64_t end = count > 0 ? offset + stride * (count - 1) + element_bytes : offset;
    if (end <= view->size_bytes)
        return MRW_OK;
    return mrwi_fail(gltf->out_error, MRW_ERR_OUT_OF_BOUNDS, "%s",
                     "it reaches byte %z of bufferViews[%d], which has %z: "
                     "count or byteOffset is too large",
                     where, end, view_index, view->size_bytes);
}

static mrw_status open_plain(mrwi_gltf *gltf, const mrwi_json_value *object, const char *where,
                             mrwi_gltf_accessor *accessor)
{
    int32_t view_index;
    uint64_t offset;
    MRWI_TRY(
        mrwi_gltf_index(gltf, object, where, "bufferView", MRWI_GLTF_BUFFER_VIEWS, &view_index));
    MRWI_TRY(mrwi_gltf_uint(gltf, object, where, "byteOffset", 0, &offset));
    if (view_index < 0) {
        if (mrwi_json_member(&gltf->json, object, "byteOffset") != NULL)
            mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR, "UNSATISFIED_DEPENDENCY", where,
                               "byteOffset means nothing without a bufferView", 1);
        accessor->bytes = zeros;
        accessor->stride_bytes = 0;
        return MRW_OK;
    }
    const mrwi_gltf_view *view = &gltf->views[view_index];
    uint32_t stride = view->stride_bytes != 0 ? view->stride_bytes : accessor->packed_bytes;
    MRWI_TRY(check_bounds(gltf, where, view_index, offset, stride, accessor->element_bytes,
                          accessor->count));
    if (stride < accessor->element_bytes)
        mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR, "ACCESSOR_SMALL_BYTESTRIDE", where,
                           "the bufferView's byteStride is smaller than an element", 1);
    uint32_t bytes = component_bytes(accessor->component);
    if (bytes != 0 && offset % bytes != 0)
        mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR, "ACCESSOR_OFFSET_ALIGNMENT", where,
                           "byteOffset is no multiple of the component's size", 1);
    accessor->bytes = view->bytes != NULL ? view->bytes + offset : NULL;
    accessor->stride_bytes = stride;
    return MRW_OK;
}

/* One of the two arrays of a sparse accessor: tightly packed, whatever the view says. */
static mrw_status open_sparse_array(mrwi_gltf *gltf, const mrwi_json_value *object,
                                    const char *where, uint32_t packed_bytes,
                                    uint32_t element_bytes, uint32_t count,
                                    const uint8_t **out_bytes)
{
    int32_t view_index;
    uint64_t offset;
    MRWI_TRY(mrwi_gltf_required_index(gltf, object, where, "bufferView", MRWI_GLTF_BUFFER_VIEWS,
                                      &view_index));
    MRWI_TRY(mrwi_gltf_uint(gltf, object, where, "byteOffset", 0, &offset));
    MRWI_TRY(check_bounds(gltf, where, view_index, offset, packed_bytes, element_bytes, count));
    if (gltf->views[view_index].stride_bytes != 0)
        mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR, "BUFFER_VIEW_INVALID_BYTE_STRIDE", where,
                           "sparse data has no byteStride; it is ignored", 1);
    const uint8_t *bytes = gltf->views[view_index].bytes;
    *out_bytes = bytes != NULL ? bytes + offset : NULL;
    return MRW_OK;
}

static mrw_status open_sparse(mrwi_gltf *gltf, const mrwi_json_value *sparse, const char *where,
                              mrwi_gltf_accessor *accessor)
{
    uint64_t count;
    uint64_t component;
    const mrwi_json_value *indices;
    const mrwi_json_value *values;
    char indices_where[MRWI_GLTF_WHERE];
    char values_where[MRWI_GLTF_WHERE];
    mrwi_format(indices_where, sizeof(indices_where), "%s.indices", where);
    mrwi_format(values_where, sizeof(values_where), "%s.values", where);
    MRWI_TRY(mrwi_gltf_required_uint(gltf, sparse, where, "count", &count));
    MRWI_TRY(mrwi_gltf_container(gltf, sparse, where, "indices", MRWI_JSON_OBJECT, &indices));
    MRWI_TRY(mrwi_gltf_container(gltf, sparse, where, "values", MRWI_JSON_OBJECT, &values));
    MRWI_TRY(mrwi_gltf_required_uint(gltf, indices, indices_where, "componentType", &component));
    bool is_unsigned = component == MRWI_GLTF_UNSIGNED_BYTE ||
                       component == MRWI_GLTF_UNSIGNED_SHORT || component == MRWI_GLTF_UNSIGNED_INT;
    if (!is_unsigned)
        return mrwi_gltf_fail(gltf, MRW_ERR_INVALID_VALUE, indices_where, "componentType", indices,
                              "it must be 5121, 5123 or 5125, an unsigned integer");
    if (count > accessor->count)
        return mrwi_fail(gltf->out_error, MRW_ERR_INCONSISTENT, "%s.count",
                         "%z elements are replaced of the %u that there are", where, count,
                         accessor->count);
    accessor->is_sparse = true;
    accessor->sparse_count = (uint32_t)count;
    accessor->sparse_index_component = (uint32_t)component;
    accessor->base_bytes = accessor->bytes;
    accessor->bytes = NULL;
    uint32_t index_bytes = component_bytes((uint32_t)component);
    MRWI_TRY(open_sparse_array(gltf, indices, indices_where, index_bytes, index_bytes,
                               (uint32_t)count, &accessor->sparse_indices));
    return open_sparse_array(gltf, values, values_where, accessor->packed_bytes,
                             accessor->element_bytes, (uint32_t)count, &accessor->sparse_values);
}

static mrw_status open_accessor(mrwi_gltf *gltf, uint32_t index)
{
    char where[MRWI_GLTF_WHERE];
    const mrwi_json_value *object;
    const mrwi_json_value *sparse;
    mrwi_gltf_accessor *accessor = &gltf->accessors[index];
    uint64_t count;
    MRWI_TRY(mrwi_gltf_item(gltf, MRWI_GLTF_ACCESSORS, index, &object, where));
    MRWI_TRY(read_type(gltf, object, where, accessor));
    MRWI_TRY(mrwi_gltf_required_uint(gltf, object, where, "count", &count));
    if (count > UINT32_MAX)
        return mrwi_gltf_fail(gltf, MRW_ERR_LIMIT, where, "count", object,
                              "more than 2^32 elements are not supported");
    accessor->count = (uint32_t)count;
    if (count == 0)
        mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR, "VALUE_NOT_IN_RANGE", where,
                           "count must be at least 1", 1);
    MRWI_TRY(open_plain(gltf, object, where, accessor));
    MRWI_TRY(mrwi_gltf_container(gltf, object, where, "sparse", MRWI_JSON_OBJECT, &sparse));
    if (sparse == NULL)
        return MRW_OK;
    mrwi_format(where, sizeof(where), "accessors[%u].sparse", index);
    return open_sparse(gltf, sparse, where, accessor);
}

mrw_status mrwi_gltf_open_accessors(mrwi_gltf *gltf)
{
    uint32_t count = gltf->counts[MRWI_GLTF_ACCESSORS];
    MRWI_TRY(mrwi_gltf_alloc(gltf, gltf->scratch, count, sizeof(*gltf->accessors), "accessors",
                             &gltf->accessors));
    for (uint32_t i = 0; i < count; i++)
        MRWI_TRY(open_accessor(gltf, i));
    return MRW_OK;
}

/* --- reading --------------------------------------------------------------------------------- */

static uint32_t load_bits(const uint8_t *bytes, uint32_t size_bytes)
{
    uint32_t bits = 0;
    for (uint32_t i = size_bytes; i-- > 0;)
        bits = bits << 8 | bytes[i];
    return bits;
}

static int32_t sign_extend(uint32_t bits, uint32_t bit_count)
{
    uint32_t sign = (uint32_t)1 << (bit_count - 1);
    return (int32_t)(bits & (sign - 1)) - (int32_t)(bits & sign);
}

/* The formulas of the specification, section 3.11. */
static float load_component(const uint8_t *bytes, uint32_t component, bool normalized)
{
    switch (component) {
    case MRWI_GLTF_BYTE: {
        float value = (float)sign_extend(bytes[0], 8);
        if (normalized)
            value = value < -127.0f ? -1.0f : value / 127.0f;
        return value;
    }
    case MRWI_GLTF_UNSIGNED_BYTE:
        return normalized ? (float)bytes[0] / 255.0f : (float)bytes[0];
    case MRWI_GLTF_SHORT: {
        float value = (float)sign_extend(load_bits(bytes, 2), 16);
        if (normalized)
            value = value < -32767.0f ? -1.0f : value / 32767.0f;
        return value;
    }
    case MRWI_GLTF_UNSIGNED_SHORT: {
        float value = (float)load_bits(bytes, 2);
        return normalized ? value / 65535.0f : value;
    }
    case MRWI_GLTF_UNSIGNED_INT:
        return (float)load_bits(bytes, 4);
    default: {
        uint32_t bits = load_bits(bytes, 4);
        float value;
        memcpy(&value, &bits, sizeof(value));
        return value;
    }
    }
}

/* Puts a sparse accessor together; where one of its buffers has no data it stays without. */
static mrw_status resolve_sparse(mrwi_gltf *gltf, mrwi_gltf_accessor *accessor, const char *where)
{
    if (accessor->base_bytes == NULL || accessor->sparse_indices == NULL ||
        accessor->sparse_values == NULL)
        return MRW_OK;
    uint8_t *bytes;
    size_t packed = accessor->packed_bytes;
    size_t element = accessor->element_bytes;
    MRWI_TRY(mrwi_gltf_alloc(gltf, gltf->scratch, accessor->count, packed, where, &bytes));
    for (size_t i = 0; i < accessor->count; i++)
        memcpy(bytes + i * packed, accessor->base_bytes + i * accessor->stride_bytes, element);
    uint32_t index_bytes = component_bytes(accessor->sparse_index_component);
    uint32_t unsorted_count = 0;
    uint64_t next = 0;
    for (size_t i = 0; i < accessor->sparse_count; i++) {
        uint32_t index = load_bits(accessor->sparse_indices + i * index_bytes, index_bytes);
        if (index >= accessor->count)
            return mrwi_fail(gltf->out_error, MRW_ERR_INDEX_RANGE, "%s.sparse.indices[%u]",
                             "%u of %u: it lies outside the accessor", where, (uint32_t)i, index,
                             accessor->count);
        unsorted_count += index < next;
        next = (uint64_t)index + 1;
        memcpy(bytes + index * packed, accessor->sparse_values + i * packed, element);
    }
    mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR, "ACCESSOR_SPARSE_INDICES_NON_INCREASING", where,
                       "sparse indices must increase; of equal ones the last counts",
                       unsorted_count);
    accessor->bytes = bytes;
    accessor->stride_bytes = packed;
    accessor->is_sparse = false;
    return MRW_OK;
}

static mrw_status check_zero_count(mrwi_gltf *gltf, const mrwi_gltf_accessor *accessor,
                                   const char *where)
{
    const uint8_t *base = accessor->is_sparse ? accessor->base_bytes : accessor->bytes;
    if (base != zeros || accessor->count <= LARGEST_ZERO_COUNT)
        return MRW_OK;
    return mrwi_fail(gltf->out_error, MRW_ERR_LIMIT, "%s.count",
                     "%u elements, but no bufferView to hold them: %u zeros are the limit", where,
                     accessor->count, LARGEST_ZERO_COUNT);
}

static mrw_status check_readable(mrwi_gltf *gltf, const mrwi_gltf_accessor *accessor,
                                 const char *where)
{
    if (accessor->component_count == 0)
        return mrwi_gltf_fail(gltf, MRW_ERR_UNSUPPORTED, where, "", NULL,
                              "its type or componentType is unknown");
    if (accessor->bytes == NULL)
        return mrwi_gltf_fail(gltf, MRW_ERR_MISSING_PROPERTY, where, "bufferView", NULL,
                              "the buffer behind it has no data: neither a uri nor a BIN chunk");
    return MRW_OK;
}

mrw_status mrwi_gltf_accessor_open(mrwi_gltf *gltf, int32_t index,
                                   const mrwi_gltf_accessor **out_accessor)
{
    mrwi_gltf_accessor *accessor = &gltf->accessors[index];
    char where[MRWI_GLTF_WHERE];
    mrwi_format(where, sizeof(where), "accessors[%d]", index);
    MRWI_TRY(check_zero_count(gltf, accessor, where));
    if (accessor->is_sparse)
        MRWI_TRY(resolve_sparse(gltf, accessor, where));
    MRWI_TRY(check_readable(gltf, accessor, where));
    *out_accessor = accessor;
    return MRW_OK;
}

void mrwi_gltf_read_floats(const mrwi_gltf_accessor *accessor, uint32_t width, float *out_values)
{
    uint32_t bytes = component_bytes(accessor->component);
    for (size_t i = 0; i < accessor->count; i++) {
        const uint8_t *element = accessor->bytes + i * accessor->stride_bytes;
        for (size_t c = 0; c < accessor->component_count; c++)
            out_values[i * width + c] =
                load_component(element + c * bytes, accessor->component, accessor->normalized);
    }
}

void mrwi_gltf_read_finite(mrwi_gltf *gltf, int32_t index, uint32_t width, float *out_values)
{
    const mrwi_gltf_accessor *accessor = &gltf->accessors[index];
    mrwi_gltf_read_floats(accessor, width, out_values);
    if (accessor->component != MRWI_GLTF_FLOAT)
        return;
    uint32_t bad_count = 0;
    for (size_t i = 0; i < accessor->count; i++) {
        for (size_t c = 0; c < accessor->component_count; c++) {
            float *value = &out_values[i * width + c];
            if (!mrwi_is_finite(*value)) {
                *value = 0.0f;
                bad_count++;
            }
        }
    }
    char where[MRWI_GLTF_WHERE];
    mrwi_format(where, sizeof(where), "accessors[%d]", index);
    mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR, "ACCESSOR_INVALID_FLOAT", where,
                       "a number is infinite or none; it is read as 0", bad_count);
}

uint32_t mrwi_gltf_read_uint(const mrwi_gltf_accessor *accessor, uint32_t element,
                             uint32_t component)
{
    uint32_t bytes = component_bytes(accessor->component);
    return load_bits(accessor->bytes + element * accessor->stride_bytes + (size_t)component * bytes,
                     bytes);
}
