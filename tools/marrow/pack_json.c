/* marrow.pack/1: add members, never change one. Distances in metres. Errors of a clip that was
 * packed already and is copied are null: what it was packed from is not there. stored_bytes are
 * null without --storage. */
#include "pack_run.h"

#include "json_writer.h"

/* NULL: it was not stored. */
static void put_stored(cli_json *json, const uint64_t *bytes)
{
    if (bytes != NULL)
        cli_json_unsigned(json, "stored_bytes", *bytes);
    else
        cli_json_null(json, "stored_bytes");
}

static void put_number(cli_json *json, const char *name, const double *value)
{
    if (value != NULL)
        cli_json_float(json, name, (float)*value);
    else
        cli_json_null(json, name);
}

/* error or NULL: not known. */
static void print_error(cli_json *json, const mrw_error_stats *error, const char *joint_name)
{
    put_number(json, "largest_error_m", error != NULL ? &error->largest : NULL);
    if (error != NULL)
        cli_json_string(json, "largest_error_joint", joint_name);
    else
        cli_json_null(json, "largest_error_joint");
    put_number(json, "largest_error_time_s", error != NULL ? &error->largest_time_s : NULL);
    put_number(json, "p99_error_m", error != NULL ? &error->p99 : NULL);
    put_number(json, "p50_error_m", error != NULL ? &error->p50 : NULL);
    put_number(json, "rms_error_m", error != NULL ? &error->rms : NULL);
}

static void print_clip(cli_json *json, const pack_run *run, const pack_clip *clip)
{
    const cli_input *source = &run->sources[clip->source];
    const mrw_pack_report *report = &clip->report;
    cli_json_object(json, NULL, CLI_JSON_LINES);
    cli_json_string(json, "name", clip->name);
    cli_json_string(json, "source", source->path);
    cli_json_string(json, "source_clip", source->character->clips[clip->clip].name);
    cli_json_float(json, "duration_s", source->character->clips[clip->clip].duration_s);
    cli_json_unsigned(json, "sample_count", report->sample_count);
    cli_json_float(json, "samples_per_second", (float)report->samples_per_second);
    cli_json_unsigned(json, "raw_bytes", report->raw_bytes);
    cli_json_unsigned(json, "source_bytes", report->source_bytes);
    cli_json_unsigned(json, "packed_bytes", report->packed_bytes);
    const uint64_t stored_bytes = clip->stored.size_bytes;
    put_stored(json, run->for_storage ? &stored_bytes : NULL);
    print_error(json, report->copied ? NULL : &report->error,
                pack_joint_name(run, clip, report->error.largest_joint));
    cli_json_bool(json, "kept", report->kept);
    cli_json_bool(json, "copied", report->copied);
    cli_json_float(json, "seconds", (float)clip->seconds);
    cli_json_end(json);
}

void cli_pack_print_json(const pack_run *run)
{
    const pack_totals totals = cli_pack_totals(run);
    cli_json json;
    cli_json_begin(&json, stdout);
    cli_json_object(&json, NULL, CLI_JSON_LINES);
    cli_json_string(&json, "schema", "marrow.pack/1");
    cli_json_string(&json, "file", run->output);
    cli_json_unsigned(&json, "file_bytes", run->file_bytes);
    cli_json_bool(&json, "with_meshes", run->with_meshes);
    cli_json_float(&json, "tolerance_m", (float)run->options.tolerance_m);
    cli_json_float(&json, "metres_per_unit", (float)run->options.metres_per_unit);
    cli_json_unsigned(&json, "raw_bytes", totals.raw_bytes);
    cli_json_unsigned(&json, "source_bytes", totals.source_bytes);
    cli_json_unsigned(&json, "packed_bytes", totals.packed_bytes);
    put_stored(&json, run->for_storage ? &totals.stored_bytes : NULL);
    cli_json_float(&json, "seconds", (float)totals.work_seconds);
    cli_json_array(&json, "clips", CLI_JSON_LINES);
    for (uint32_t i = 0; i < run->clip_count; i++)
        print_clip(&json, run, &run->clips[i]);
    cli_json_end(&json);
    cli_json_end(&json);
    cli_json_finish(&json);
}
