/* Accessors and the binary chunk.
 *
 * Content is stored once: an accessor with the same bytes, shape and use as an earlier one is
 * that one. So the channels of a clip share their times, clips that hold a joint still share
 * its constant, and primitives that share their vertices still do after a round trip.
 * Found by a hash, decided by comparing the bytes.
 *
 * Each accessor has a view of its own. Views that hold one accessor need no stride and
 * no thought about alignment beyond their first byte.
 *
 * Differences of morph targets, which are 0 for most vertices, become sparse accessors: a base of
 * zeros without a view, a view of the other elements, and one of their indices.
 */
#include "offline/export/glb.h"

#include <string.h>

#define TARGET_ARRAY_BUFFER 34962
#define TARGET_ELEMENT_ARRAY_BUFFER 34963

void *mrwi_glb_alloc(mrwi_glb *glb, size_t count, size_t size_bytes)
{
    void *memory = mrwi_arena_alloc(glb->arena, count, size_bytes);
    if (memory == NULL)
        glb->failed = true;
    return memory;
}

/* A larger copy of an array. */
static void *grow(mrwi_glb *glb, const void *array, uint32_t count, uint32_t capacity,
                  size_t size_bytes)
{
    void *grown = mrwi_glb_alloc(glb, capacity, size_bytes);
    if (grown != NULL && count > 0)
        memcpy(grown, array, count * size_bytes);
    return grown;
}

static uint32_t larger(uint32_t capacity)
{
    return capacity == 0 ? 64 : capacity * 2;
}

uint32_t mrwi_glb_add_view(mrwi_glb *glb, const void *data, uint64_t size_bytes, uint32_t target)
{
    if (glb->view_count == glb->view_capacity) {
        uint32_t capacity = larger(glb->view_capacity);
        mrwi_glb_view *grown =
            grow(glb, glb->views, glb->view_count, capacity, sizeof(*glb->views));
        if (grown == NULL)
            return MRWI_GLB_NONE;
        glb->views = grown;
        glb->view_capacity = capacity;
    }
    mrwi_glb_view view = {data, glb->binary_bytes, size_bytes, target};
    glb->binary_bytes += (size_bytes + 3) & ~(uint64_t)3;
    glb->views[glb->view_count] = view;
    return glb->view_count++;
}

static uint32_t component_bytes(mrwi_glb_component component)
{
    static const uint32_t bytes[] = {1, 0, 2, 0, 4, 4}; /* from UINT8 on */
    return bytes[component - MRWI_GLB_UINT8];
}

static uint64_t size_of(const mrwi_glb_accessor *accessor)
{
    return (uint64_t)accessor->count * accessor->width * component_bytes(accessor->component);
}

static bool is_same(const mrwi_glb_accessor *a, const mrwi_glb_accessor *b)
{
    return a->count == b->count && a->component == b->component && a->width == b->width &&
           a->use == b->use &&
           (a->data == b->data || memcmp(a->data, b->data, (size_t)size_of(a)) == 0);
}

/* The place of an accessor in the table: its own, or the free one where it belongs. */
static uint32_t find_place(const mrwi_glb *glb, const mrwi_glb_accessor *accessor, uint64_t hash)
{
    uint32_t place = (uint32_t)hash & (glb->table_size - 1);
    while (glb->table[place] != 0) {
        uint32_t known = glb->table[place] - 1;
        if (glb->accessor_hashes[known] == hash && is_same(&glb->accessors[known], accessor))
            break;
        place = (place + 1) & (glb->table_size - 1);
    }
    return place;
}

/* Room for one more accessor; the table stays at most half full. */
static bool reserve_accessor(mrwi_glb *glb)
{
    if (glb->accessor_count < glb->accessor_capacity)
        return true;
    uint32_t count = glb->accessor_count;
    uint32_t capacity = larger(glb->accessor_capacity);
    mrwi_glb_accessor *accessors =
        grow(glb, glb->accessors, count, capacity, sizeof(*glb->accessors));
    mrwi_glb_storage *storage =
        grow(glb, glb->accessor_storage, count, capacity, sizeof(*glb->accessor_storage));
    uint64_t *hashes =
        grow(glb, glb->accessor_hashes, count, capacity, sizeof(*glb->accessor_hashes));
    uint32_t *table = mrwi_glb_alloc(glb, (size_t)capacity * 2, sizeof(*glb->table));
    if (glb->failed)
        return false;
    glb->accessors = accessors;
    glb->accessor_storage = storage;
    glb->accessor_hashes = hashes;
    glb->accessor_capacity = capacity;
    glb->table = table;
    glb->table_size = capacity * 2;
    for (uint32_t i = 0; i < count; i++)
        table[find_place(glb, &accessors[i], hashes[i])] = i + 1;
    return true;
}

/* --- sparse accessors --------------------------------------------------------------------- */

static bool is_difference(const mrwi_glb_accessor *accessor)
{
    return accessor->use == MRWI_GLB_USE_POSITION_DIFFERENCES ||
           accessor->use == MRWI_GLB_USE_DIFFERENCES;
}

/* Differences are three floats. -0, which tools write when they turn an axis, moves nothing either:
 * of an element that is left out it comes back as 0. */
static bool is_zero(const float *element)
{
    return element[0] == 0.0f && element[1] == 0.0f && element[2] == 0.0f;
}

/* What a sparse accessor and its second view take in JSON, about. */
#define SPARSE_JSON_BYTES 200

/* How many elements a sparse accessor would list; 0 if it would not be smaller, or list none. */
static uint32_t count_sparse(const mrwi_glb_accessor *accessor, mrwi_glb_component *out_component)
{
    if (!is_difference(accessor))
        return 0;
    const float *values = accessor->data;
    uint32_t count = 0;
    uint32_t last = 0;
    for (uint32_t i = 0; i < accessor->count; i++) {
        if (is_zero(values + (size_t)i * 3))
            continue;
        count++;
        last = i;
    }
    *out_component = last <= UINT8_MAX    ? MRWI_GLB_UINT8
                     : last <= UINT16_MAX ? MRWI_GLB_UINT16
                                          : MRWI_GLB_UINT32;
    uint64_t listed = (uint64_t)count * (3 * sizeof(float) + component_bytes(*out_component));
    return listed + SPARSE_JSON_BYTES < size_of(accessor) ? count : 0;
}

static void put_index(uint8_t *indices, uint32_t place, mrwi_glb_component component,
                      uint32_t index)
{
    uint32_t bytes = component_bytes(component);
    for (uint32_t b = 0; b < bytes; b++)
        indices[(size_t)place * bytes + b] = (uint8_t)(index >> 8 * b);
}

/* The views of a sparse accessor. glTF wants no target for them. */
static void store_sparse(mrwi_glb *glb, const mrwi_glb_accessor *accessor,
                         mrwi_glb_storage *storage)
{
    const float *from = accessor->data;
    uint32_t count = storage->sparse_count;
    size_t index_bytes = component_bytes(storage->sparse_component);
    float *values = mrwi_glb_alloc(glb, (size_t)count * 3, sizeof(*values));
    uint8_t *indices = mrwi_glb_alloc(glb, count, index_bytes);
    if (values == NULL || indices == NULL)
        return;
    for (uint32_t i = 0, place = 0; i < accessor->count; i++) {
        if (is_zero(from + (size_t)i * 3))
            continue;
        memcpy(values + (size_t)place * 3, from + (size_t)i * 3, 3 * sizeof(float));
        put_index(indices, place++, storage->sparse_component, i);
    }
    storage->sparse_view = mrwi_glb_add_view(glb, indices, count * index_bytes, 0);
    storage->view = mrwi_glb_add_view(glb, values, (uint64_t)count * 3 * sizeof(*values), 0);
}

/* Adds the views of an accessor. One of them is NONE if memory ran out. */
static mrwi_glb_storage store(mrwi_glb *glb, const mrwi_glb_accessor *accessor)
{
    mrwi_glb_storage storage = {MRWI_GLB_NONE, 0, 0, MRWI_GLB_UINT32};
    storage.sparse_count = count_sparse(accessor, &storage.sparse_component);
    if (storage.sparse_count > 0) {
        store_sparse(glb, accessor, &storage);
        return storage;
    }
    bool vertices = accessor->use == MRWI_GLB_USE_POSITIONS ||
                    accessor->use == MRWI_GLB_USE_VERTICES || is_difference(accessor);
    uint32_t target = accessor->use == MRWI_GLB_USE_INDICES ? TARGET_ELEMENT_ARRAY_BUFFER : 0;
    storage.view = mrwi_glb_add_view(glb, accessor->data, size_of(accessor),
                                     vertices ? TARGET_ARRAY_BUFFER : target);
    return storage;
}

uint32_t mrwi_glb_add_accessor(mrwi_glb *glb, const mrwi_glb_accessor *accessor)
{
    if (glb->failed || !reserve_accessor(glb))
        return MRWI_GLB_NONE;
    uint64_t hash = mrw_asset_checksum(accessor->data, (size_t)size_of(accessor));
    uint32_t place = find_place(glb, accessor, hash);
    if (glb->table[place] != 0)
        return glb->table[place] - 1;
    uint32_t number = glb->accessor_count;
    mrwi_glb_storage storage = store(glb, accessor);
    if (storage.view == MRWI_GLB_NONE || storage.sparse_view == MRWI_GLB_NONE)
        return MRWI_GLB_NONE;
    glb->accessors[number] = *accessor;
    glb->accessor_storage[number] = storage;
    glb->accessor_hashes[number] = hash;
    glb->table[place] = ++glb->accessor_count;
    return number;
}

/* "min" and "max" of each component; there is at least one element, and all are floats. */
static void write_bounds(mrwi_glb *glb, const mrwi_glb_accessor *accessor)
{
    const float *values = accessor->data;
    float low[4];
    float high[4];
    uint32_t width = accessor->width;
    for (uint32_t c = 0; c < width; c++)
        low[c] = high[c] = values[c];
    for (size_t i = 1; i < accessor->count; i++) {
        for (uint32_t c = 0; c < width; c++) {
            float value = values[i * width + c];
            low[c] = value < low[c] ? value : low[c];
            high[c] = value > high[c] ? value : high[c];
        }
    }
    mrwi_json_put_floats(&glb->json, "min", low, width);
    mrwi_json_put_floats(&glb->json, "max", high, width);
}

static void write_sparse(mrwi_json_text *json, const mrwi_glb_storage *storage)
{
    mrwi_json_put_open(json, "sparse", '{');
    mrwi_json_put_unsigned(json, "count", storage->sparse_count);
    mrwi_json_put_open(json, "indices", '{');
    mrwi_json_put_unsigned(json, "bufferView", storage->sparse_view);
    mrwi_json_put_unsigned(json, "componentType", storage->sparse_component);
    mrwi_json_put_close(json, '}');
    mrwi_json_put_open(json, "values", '{');
    mrwi_json_put_unsigned(json, "bufferView", storage->view);
    mrwi_json_put_close(json, '}');
    mrwi_json_put_close(json, '}');
}

static void write_accessor(mrwi_glb *glb, uint32_t index)
{
    static const char *const types[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
    const mrwi_glb_accessor *accessor = &glb->accessors[index];
    const mrwi_glb_storage *storage = &glb->accessor_storage[index];
    mrwi_json_text *json = &glb->json;
    mrwi_json_put_open(json, NULL, '{');
    if (storage->sparse_count == 0)
        mrwi_json_put_unsigned(json, "bufferView", storage->view);
    mrwi_json_put_unsigned(json, "componentType", accessor->component);
    mrwi_json_put_unsigned(json, "count", accessor->count);
    mrwi_json_put_string(json, "type", accessor->width == 16 ? "MAT4" : types[accessor->width]);
    if (accessor->use == MRWI_GLB_USE_POSITIONS || accessor->use == MRWI_GLB_USE_TIMES ||
        accessor->use == MRWI_GLB_USE_POSITION_DIFFERENCES)
        write_bounds(glb, accessor);
    if (storage->sparse_count > 0)
        write_sparse(json, storage);
    mrwi_json_put_close(json, '}');
}

static void write_view(mrwi_json_text *json, const mrwi_glb_view *view)
{
    mrwi_json_put_open(json, NULL, '{');
    mrwi_json_put_unsigned(json, "buffer", 0);
    if (view->offset > 0)
        mrwi_json_put_unsigned(json, "byteOffset", view->offset);
    mrwi_json_put_unsigned(json, "byteLength", view->size_bytes);
    if (view->target != 0)
        mrwi_json_put_unsigned(json, "target", view->target);
    mrwi_json_put_close(json, '}');
}

void mrwi_glb_write_accessors(mrwi_glb *glb)
{
    mrwi_json_text *json = &glb->json;
    if (glb->failed || glb->view_count == 0)
        return;
    if (glb->accessor_count > 0) {
        mrwi_json_put_open(json, "accessors", '[');
        for (uint32_t i = 0; i < glb->accessor_count; i++)
            write_accessor(glb, i);
        mrwi_json_put_close(json, ']');
    }
    mrwi_json_put_open(json, "bufferViews", '[');
    for (uint32_t i = 0; i < glb->view_count; i++)
        write_view(json, &glb->views[i]);
    mrwi_json_put_close(json, ']');
    mrwi_json_put_open(json, "buffers", '[');
    mrwi_json_put_open(json, NULL, '{');
    mrwi_json_put_unsigned(json, "byteLength", glb->binary_bytes);
    mrwi_json_put_close(json, '}');
    mrwi_json_put_close(json, ']');
}
