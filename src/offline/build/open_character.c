/* A character out of a file of assets: nothing is built, every asset is opened where a copy of the
 * file lies in the character's arena. */
#include "offline/build/character_opener.h"

#include <marrow/stored_clip.h>

#include "base/error.h"

#include <string.h>

mrw_status mrwi_opener_name_asset(mrwi_character_opener *opener, mrw_status status,
                                  const char *list, uint32_t index, const void *asset)
{
    mrw_error *error = opener->out_error;
    if (error == NULL)
        return status;
    char detail[sizeof(error->detail)];
    mrwi_format(detail, sizeof(detail), "%s[%u]: %s", list, index, error->detail);
    memcpy(error->detail, detail, sizeof(detail));
    error->offset += (uint64_t)((const char *)asset - (const char *)opener->file.header);
    return status;
}

static mrw_status fail_skeleton(mrwi_character_opener *opener, const char *detail,
                                const mrw_asset_header *header, const char *list, uint32_t index)
{
    mrwi_fail(opener->out_error, MRW_ERR_SKELETON_MISMATCH, "%s", "%s", detail,
              mrw_status_text(MRW_ERR_SKELETON_MISMATCH));
    return mrwi_opener_name_asset(opener, MRW_ERR_SKELETON_MISMATCH, list, index, header);
}

mrw_status mrwi_opener_check_skeleton(mrwi_character_opener *opener, const mrw_asset_header *header,
                                      uint32_t joint_count, uint32_t scalar_count, const char *list,
                                      uint32_t index)
{
    const mrw_skeleton *skeleton = &opener->character->skeleton;
    if (header->skeleton_id != mrw_skeleton_id(skeleton))
        return fail_skeleton(opener, "header.skeleton_id", header, list, index);
    if (joint_count != skeleton->joint_count)
        return fail_skeleton(opener, "joint_count", header, list, index);
    if (scalar_count != skeleton->scalar_count)
        return fail_skeleton(opener, "scalar_count", header, list, index);
    return MRW_OK;
}

static mrw_status open_skeleton(mrwi_character_opener *opener)
{
    const uint32_t count = mrw_file_count(&opener->file, MRW_ASSET_SKELETON);
    if (count != 1)
        return mrwi_fail(opener->out_error, MRW_ERR_INCONSISTENT, "skeletons",
                         "the file has %u; a character has one", count);
    const void *asset = NULL;
    size_t size_bytes = 0;
    mrw_file_asset(&opener->file, MRW_ASSET_SKELETON, 0, &asset, &size_bytes);
    mrw_status status =
        mrw_skeleton_open(asset, size_bytes, &opener->character->skeleton, opener->out_error);
    return status == MRW_OK ? MRW_OK
                            : mrwi_opener_name_asset(opener, status, "skeletons", 0, asset);
}

/* A stored clip becomes the clip it was made from, in the character's arena. */
static mrw_status decode_clip(mrwi_character_opener *opener, const void **asset, size_t *size_bytes)
{
    mrw_stored_clip stored;
    MRWI_TRY(mrw_stored_clip_open(*asset, *size_bytes, &stored, opener->out_error));
    void *clip = mrwi_arena_alloc(opener->arena, 1, stored.clip_bytes);
    if (clip == NULL)
        return mrwi_arena_fail(opener->arena, opener->out_error, "clip");
    mrwi_arena scratch;
    mrwi_arena_init_scratch(&scratch, opener->arena);
    void *work = mrwi_arena_alloc(&scratch, 1, stored.work_bytes);
    mrw_status status = work == NULL
                            ? mrwi_arena_fail(&scratch, opener->out_error, "clip")
                            : mrw_stored_clip_decode(*asset, *size_bytes, clip, stored.clip_bytes,
                                                     work, stored.work_bytes, opener->out_error);
    mrwi_arena_free(&scratch);
    *asset = clip;
    *size_bytes = stored.clip_bytes;
    return status;
}

static mrw_status open_clips(mrwi_character_opener *opener)
{
    const uint32_t count = mrw_file_count(&opener->file, MRW_ASSET_CLIP);
    mrw_clip *clips = mrwi_arena_alloc(opener->arena, count, sizeof(*clips));
    uint64_t *stored_bytes = mrwi_arena_alloc(opener->arena, count, sizeof(*stored_bytes));
    if (clips == NULL || stored_bytes == NULL)
        return mrwi_arena_fail(opener->arena, opener->out_error, "clips");
    for (uint32_t i = 0; i < count; i++) {
        const void *asset = NULL;
        size_t size_bytes = 0;
        mrw_file_asset(&opener->file, MRW_ASSET_CLIP, (int32_t)i, &asset, &size_bytes);
        const void *bytes = asset;
        mrw_status status = MRW_OK;
        const bool is_stored = mrw_is_stored_clip(asset, size_bytes);
        stored_bytes[i] = is_stored ? size_bytes : 0;
        if (is_stored)
            status = decode_clip(opener, &bytes, &size_bytes);
        if (status == MRW_OK)
            status = mrw_clip_open(bytes, size_bytes, &clips[i], opener->out_error);
        if (status != MRW_OK)
            return mrwi_opener_name_asset(opener, status, "clips", i, asset);
        MRWI_TRY(mrwi_opener_check_skeleton(opener, asset, clips[i].joint_count,
                                            clips[i].scalar_count, "clips", i));
        clips[i].name = mrw_file_name(&opener->file, MRW_ASSET_CLIP, (int32_t)i);
    }
    opener->character->clips = clips;
    opener->character->stored_bytes = stored_bytes;
    opener->character->clip_count = count;
    return MRW_OK;
}

static mrw_status open_skins(mrwi_character_opener *opener)
{
    const uint32_t count = mrw_file_count(&opener->file, MRW_ASSET_SKIN);
    mrw_skin *skins = mrwi_arena_alloc(opener->arena, count, sizeof(*skins));
    if (skins == NULL)
        return mrwi_arena_fail(opener->arena, opener->out_error, "skins");
    for (uint32_t i = 0; i < count; i++) {
        const void *asset = NULL;
        size_t size_bytes = 0;
        mrw_file_asset(&opener->file, MRW_ASSET_SKIN, (int32_t)i, &asset, &size_bytes);
        mrw_status status = mrw_skin_open(asset, size_bytes, &skins[i], opener->out_error);
        if (status != MRW_OK)
            return mrwi_opener_name_asset(opener, status, "skins", i, asset);
        MRWI_TRY(mrwi_opener_check_skeleton(opener, skins[i].header, skins[i].skeleton_joint_count,
                                            opener->character->skeleton.scalar_count, "skins", i));
        skins[i].name = mrw_file_name(&opener->file, MRW_ASSET_SKIN, (int32_t)i);
    }
    opener->character->skins = skins;
    opener->character->skin_count = count;
    return MRW_OK;
}

/* `file` is a view on the caller's bytes, which are copied. */
static mrw_status fill(mrwi_character_opener *opener, const mrw_file *file)
{
    const size_t size_bytes = (size_t)file->header->size_bytes;
    void *copy = mrwi_arena_alloc(opener->arena, 1, size_bytes);
    if (copy == NULL)
        return mrwi_arena_fail(opener->arena, opener->out_error, "file");
    memcpy(copy, file->header, size_bytes);
    MRWI_TRY(mrw_file_open(copy, size_bytes, &opener->file, opener->out_error));
    MRWI_TRY(open_skeleton(opener));
    MRWI_TRY(open_clips(opener));
    MRWI_TRY(open_skins(opener));
    return mrwi_open_meshes(opener);
}

mrw_status mrwi_open_character(const void *file_bytes, size_t size_bytes,
                               const mrw_memory_options *memory, uint32_t max_influences,
                               mrw_character **out_character, mrw_error *out_error)
{
    if (out_character == NULL)
        return mrwi_fail(out_error, MRW_ERR_NULL_ARGUMENT, "out_character", "it is NULL");
    *out_character = NULL;
    mrw_file file;
    MRWI_TRY(mrw_file_open(file_bytes, size_bytes, &file, out_error));
    mrwi_character_opener opener = {.max_influences = max_influences, .out_error = out_error};
    MRWI_TRY(mrwi_create_character(memory, &opener.character, out_error));
    opener.arena = &opener.character->owner->arena;
    mrw_status status = fill(&opener, &file);
    if (status == MRW_OK)
        *out_character = opener.character;
    else
        mrw_character_free(opener.character);
    return status;
}

mrw_status mrw_open_character(const void *file_bytes, size_t size_bytes,
                              const mrw_memory_options *memory, mrw_character **out_character,
                              mrw_error *out_error)
{
    return mrwi_open_character(file_bytes, size_bytes, memory, 0, out_character, out_error);
}
