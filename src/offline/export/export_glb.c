/* A scene as one binary glTF file.
 *
 *     .glb = | header | JSON chunk: what there is            | BIN chunk: the numbers |
 *            | 12     | nodes, skins, meshes, ... accessors  | view, view, view, ...  |
 *
 * The sections are written into the JSON text one after the other. Numbers go into a list of
 * views on the scene's own arrays, and only the last step copies them, straight into the
 * file: the scene is held once in memory and the file once.
 *
 * What the file says is what the scene says, bit for bit, as long as glTF can say it; the
 * head of each section's file lists its exceptions. Whatever scene passes the check gives a file
 * that the Khronos validator finds no error in. The one thing that is refused is a skin
 * that names a node twice (INCONSISTENT).
 */
#include "offline/export/glb.h"

#include "base/error.h"

#include <string.h>

#define GLB_MAGIC 0x46546c67u    /* "glTF" */
#define CHUNK_JSON 0x4e4f534au   /* "JSON" */
#define CHUNK_BINARY 0x004e4942u /* "BIN\0" */
#define HEADER_BYTES 12u
#define CHUNK_HEADER_BYTES 8u

static void write_asset(mrwi_glb *glb)
{
    mrwi_json_text *json = &glb->json;
    mrwi_json_put_open(json, "asset", '{');
    mrwi_json_put_string(json, "version", "2.0");
    mrwi_json_put_string(json, "generator", "Marrow " MRW_VERSION_STRING);
    if (glb->scene->copyright[0] != '\0')
        mrwi_json_put_string(json, "copyright", glb->scene->copyright);
    mrwi_json_put_close(json, '}');
}

static mrw_status write_json(mrwi_glb *glb)
{
    mrw_status status = MRW_OK;
    mrwi_json_text_begin(&glb->json, glb->arena);
    mrwi_json_put_open(&glb->json, NULL, '{');
    write_asset(glb);
    if (mrwi_glb_number_images(glb) && mrwi_glb_number_meshes(glb)) {
        status = mrwi_glb_write_nodes(glb);
        mrwi_glb_write_meshes(glb);
        mrwi_glb_write_animations(glb);
        mrwi_glb_write_materials(glb);
        mrwi_glb_write_accessors(glb);
    }
    mrwi_json_put_close(&glb->json, '}');
    if (status == MRW_OK && (glb->failed || glb->json.failed))
        status = mrwi_arena_fail(glb->arena, glb->out_error, "the file");
    return status;
}

static uint8_t *put_u32(uint8_t *out, uint32_t value)
{
    for (uint32_t i = 0; i < 4; i++)
        *out++ = (uint8_t)(value >> (8 * i));
    return out;
}

static uint64_t padded(uint64_t size_bytes)
{
    return (size_bytes + 3) & ~(uint64_t)3;
}

/* The chunks in a block of exactly the file's size, which is zero so far. */
static void fill(const mrwi_glb *glb, uint8_t *out, uint64_t file_bytes)
{
    uint64_t json_bytes = padded(glb->json.length);
    out = put_u32(out, GLB_MAGIC);
    out = put_u32(out, 2);
    out = put_u32(out, (uint32_t)file_bytes);
    out = put_u32(out, (uint32_t)json_bytes);
    out = put_u32(out, CHUNK_JSON);
    memcpy(out, glb->json.text, glb->json.length);
    memset(out + glb->json.length, ' ', (size_t)(json_bytes - glb->json.length));
    out += json_bytes;
    if (glb->binary_bytes == 0)
        return;
    out = put_u32(out, (uint32_t)glb->binary_bytes);
    out = put_u32(out, CHUNK_BINARY);
    for (uint32_t i = 0; i < glb->view_count; i++)
        if (glb->views[i].size_bytes > 0)
            memcpy(out + glb->views[i].offset, glb->views[i].data,
                   (size_t)glb->views[i].size_bytes);
}

static mrw_status assemble(const mrwi_glb *glb, mrw_bytes *out_file)
{
    uint64_t file_bytes = HEADER_BYTES + CHUNK_HEADER_BYTES + padded(glb->json.length);
    if (glb->binary_bytes > 0)
        file_bytes += CHUNK_HEADER_BYTES + glb->binary_bytes;
    if (glb->too_large || file_bytes > UINT32_MAX)
        return mrwi_fail(glb->out_error, MRW_ERR_LIMIT, "the file",
                         "it would have more than the 4 GiB that a .glb can have");
    const mrwi_arena *arena = glb->arena;
    mrw_memory_options memory = mrw_memory_options_default();
    memory.allocator = arena->allocator;
    memory.limit_bytes = arena->limit_bytes - arena->held_bytes;
    if (memory.limit_bytes == 0)
        memory.limit_bytes = 1; /* 0 would mean the default */
    mrw_status status;
    out_file->data = mrwi_block_alloc(&memory, (size_t)file_bytes, &out_file->allocator, &status);
    if (out_file->data == NULL)
        return mrwi_fail_at(glb->out_error, status, 0, "the file");
    out_file->size_bytes = (size_t)file_bytes;
    fill(glb, out_file->data, file_bytes);
    return MRW_OK;
}

mrw_status mrw_export_glb(const mrw_scene *scene, const mrw_memory_options *memory,
                          mrw_bytes *out_file, mrw_error *out_error)
{
    if (out_file == NULL)
        return mrwi_fail(out_error, MRW_ERR_NULL_ARGUMENT, "out_file", "it is NULL");
    memset(out_file, 0, sizeof(*out_file));
    mrw_status status = mrw_scene_check(scene, out_error);
    if (status != MRW_OK)
        return status;
    mrwi_arena arena;
    mrwi_arena_init(&arena, memory);
    mrwi_glb glb = {.scene = scene, .arena = &arena, .out_error = out_error};
    status = write_json(&glb);
    if (status == MRW_OK)
        status = assemble(&glb, out_file);
    mrwi_arena_free(&arena);
    return status;
}
