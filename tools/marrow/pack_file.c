#include "pack_run.h"

#include "command.h"
#include "output.h"
#include "report.h"

#include <marrow/asset_file.h>
#include <marrow/offline/export.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The sources from `first` to `last` have one skeleton, and become one file. */
typedef struct pack_file {
    const pack_run *run;
    uint32_t first, last;
    mrw_file_part *parts;
    uint32_t part_count;
    mrw_bytes *made; /* of the parts: what is made for the file */
    uint32_t made_count;
    mrw_error error;
} pack_file;

static void add_part(pack_file *file, const char *name, const void *asset, size_t size_bytes)
{
    file->parts[file->part_count++] = (mrw_file_part){name, asset, size_bytes};
}

static void add_asset(pack_file *file, const char *name, const mrw_asset_header *header)
{
    add_part(file, name, header, (size_t)header->size_bytes);
}

static void add_clips(pack_file *file)
{
    for (uint32_t i = 0; i < file->run->clip_count; i++) {
        const pack_clip *clip = &file->run->clips[i];
        const mrw_bytes *bytes = file->run->for_storage ? &clip->stored : &clip->bytes;
        if (clip->source >= file->first && clip->source <= file->last)
            add_part(file, clip->name_in_file, bytes->data, bytes->size_bytes);
    }
}

/* Those of the first source, as its skins are. */
static mrw_status add_meshes(pack_file *file)
{
    const cli_input *input = &file->run->sources[file->first];
    const uint32_t count = input->character->mesh_count;
    for (uint32_t i = 0; i < count; i++) {
        mrw_bytes *bytes = &file->made[file->made_count];
        mrw_status status = mrw_build_mesh(input->character, i, NULL, bytes, &file->error);
        if (status != MRW_OK)
            return status;
        file->made_count++;
        add_part(file, input->character->meshes[i].name, bytes->data, bytes->size_bytes);
    }
    if (count == 0 || input->scene->material_count == 0)
        return MRW_OK;
    mrw_bytes *bytes = &file->made[file->made_count];
    mrw_status status = mrw_build_materials(input->scene, NULL, bytes, &file->error);
    if (status != MRW_OK)
        return status;
    file->made_count++;
    add_part(file, "materials", bytes->data, bytes->size_bytes);
    return MRW_OK;
}

static mrw_status make_file(pack_file *file, mrw_bytes *out_bytes)
{
    const mrw_character *character = file->run->sources[file->first].character;
    const size_t most =
        (size_t)2 + character->skin_count + character->mesh_count + file->run->clip_count;
    memset(out_bytes, 0, sizeof(*out_bytes));
    file->parts = calloc(most, sizeof(*file->parts));
    file->made = calloc((size_t)character->mesh_count + 1, sizeof(*file->made));
    if (file->parts == NULL || file->made == NULL) {
        file->error.status = MRW_ERR_OUT_OF_MEMORY;
        return MRW_ERR_OUT_OF_MEMORY;
    }
    add_asset(file, "skeleton", character->skeleton.header);
    for (uint32_t i = 0; i < character->skin_count; i++)
        add_asset(file, character->skins[i].name, character->skins[i].header);
    add_clips(file);
    mrw_status status = file->run->with_meshes ? add_meshes(file) : MRW_OK;
    if (status == MRW_OK)
        status = mrw_export_file(file->parts, file->part_count, NULL, out_bytes, &file->error);
    return status;
}

static int write_file(pack_run *run, uint32_t first, uint32_t last, const char *path)
{
    pack_file file = {.run = run, .first = first, .last = last};
    mrw_bytes bytes;
    mrw_status status = make_file(&file, &bytes);
    for (uint32_t i = 0; i < file.made_count; i++)
        mrw_bytes_free(&file.made[i]);
    free(file.made);
    free(file.parts);
    if (status != MRW_OK)
        return cli_fail("pack", path, &file.error);
    int result = cli_output_save("pack", path, bytes.data, bytes.size_bytes);
    run->file_bytes += bytes.size_bytes;
    mrw_bytes_free(&bytes);
    return result;
}

int cli_pack_write(pack_run *run)
{
    if (!run->apart)
        return write_file(run, 0, run->source_count - 1, run->output);
    const size_t length = strlen(run->output);
    const char *slash = length > 0 && run->output[length - 1] == '/' ? "" : "/";
    int status = CLI_OK;
    for (uint32_t i = 0; i < run->source_count && status == CLI_OK; i++) {
        char stem[PACK_STEM_SIZE];
        const size_t size = length + PACK_STEM_SIZE + 8;
        char *path = malloc(size);
        if (path == NULL)
            return cli_fail_status("pack", run->output, MRW_ERR_OUT_OF_MEMORY);
        cli_pack_stem(run->sources[i].path, stem);
        snprintf(path, size, "%s%s%s.mrw", run->output, slash, stem);
        status = write_file(run, i, i, path);
        free(path);
    }
    return status;
}
