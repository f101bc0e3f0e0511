/* A crowd: two clips at times of each character's own, their blend, model matrices, and the palette
 * that is kept for each. One character after the other, and by the call for many. */
#include "bench_stage.h"

#include "bench_time.h"

static mrw_status pose_member(bench_desk *desk, uint32_t index)
{
    const bench_rig *rig = desk->rig;
    bench_crowd_member *member = &desk->crowd[index];
    member->first_time_s += 1.0 / 60.0;
    member->second_time_s += 1.0 / 60.0;
    mrw_status status = bench_sample_at(rig, rig->first, member->first_time_s, &desk->sampled);
    if (status == MRW_OK)
        status = bench_sample_at(rig, rig->second, member->second_time_s, &desk->sampled_too);
    if (status == MRW_OK)
        status = bench_blend_poses(rig, &desk->sampled, &desk->sampled_too, member->share,
                                   &desk->blended);
    if (status == MRW_OK && rig->skin == NULL)
        status = bench_model_of(desk, &desk->blended);
    else if (status == MRW_OK)
        status = bench_pose_to_palette(
            desk, &desk->blended, desk->crowd_palettes + (size_t)index * rig->skin->joint_count);
    return status;
}

/* A call is an eighth of the crowd, so that it does not outlast the time that a busy system lets it
 * have in one piece. */
enum { CROWD_CALL = BENCH_CROWD / 8 };

static bool run_crowd(bench_desk *desk, uint64_t call_count)
{
    mrw_status status = MRW_OK;
    for (uint64_t i = 0; i < call_count * CROWD_CALL && status == MRW_OK; i++) {
        status = pose_member(desk, desk->next_member);
        desk->next_member = (desk->next_member + 1) % BENCH_CROWD;
    }
    return status == MRW_OK;
}

static void add_work(bench_work *sum, bench_work work)
{
    sum->operations += CROWD_CALL * work.operations;
    sum->divisions += CROWD_CALL * work.divisions;
    sum->bytes_read += CROWD_CALL * work.bytes_read;
    sum->bytes_written += CROWD_CALL * work.bytes_written;
}

/* --- in one call ------------------------------------------------------------------------- */

static bool run_crowd_call(bench_desk *desk, uint64_t call_count)
{
    mrw_crowd_job *job = &desk->crowd_job;
    mrw_status status = MRW_OK;
    for (uint64_t i = 0; i < call_count && status == MRW_OK; i++) {
        job->first_character = desk->next_crowd_call * CROWD_CALL;
        job->end_character = job->first_character + CROWD_CALL;
        for (uint32_t k = 2 * job->first_character; k < 2 * job->end_character; k++)
            desk->crowd_layers[k].time_s += 1.0 / 60.0;
        status = mrw_crowd(job);
        desk->next_crowd_call = (desk->next_crowd_call + 1) % (BENCH_CROWD / CROWD_CALL);
    }
    return status == MRW_OK;
}

static void prepare_crowd_call(bench_desk *desk)
{
    const bench_rig *rig = desk->rig;
    desk->crowd_layers = bench_alloc((size_t)2 * BENCH_CROWD, sizeof(*desk->crowd_layers));
    for (uint32_t i = 0; i < BENCH_CROWD; i++) {
        const bench_crowd_member *member = &desk->crowd[i];
        mrw_crowd_layer *layers = &desk->crowd_layers[(size_t)2 * i];
        layers[0] = (mrw_crowd_layer){rig->first, member->first_time_s, 1.0f - member->share, true};
        layers[1] = (mrw_crowd_layer){rig->second, member->second_time_s, member->share, true};
    }
    desk->crowd_part = (mrw_crowd_part){rig->skin, 0};
    mrw_crowd_job *job = &desk->crowd_job;
    *job = mrw_crowd_job_default();
    job->skeleton = rig->skeleton;
    job->parts = &desk->crowd_part;
    job->part_count = rig->skin != NULL ? 1 : 0;
    job->layers = desk->crowd_layers;
    job->layer_count = 2;
    job->character_count = BENCH_CROWD;
    job->scratch_size_bytes = mrw_crowd_scratch_size(rig->skeleton, 2);
    job->scratch = bench_alloc(1, job->scratch_size_bytes);
    job->out_palettes = desk->crowd_palettes;
    if (rig->skin == NULL)
        job->out_models =
            bench_alloc((size_t)BENCH_CROWD * rig->skeleton->joint_count, sizeof(mrw_mat34));
}

bool bench_add_crowd_stage(bench_desk *desk, bench_stages *stages)
{
    const bench_rig *rig = desk->rig;
    desk->crowd = bench_alloc(BENCH_CROWD, sizeof(*desk->crowd));
    bench_random random = {2};
    for (uint32_t i = 0; i < BENCH_CROWD; i++) {
        desk->crowd[i].first_time_s = (double)(bench_random_next(&random) * rig->first->duration_s);
        desk->crowd[i].second_time_s =
            (double)(bench_random_next(&random) * rig->second->duration_s);
        desk->crowd[i].share = bench_random_next(&random);
    }
    if (rig->skin != NULL)
        desk->crowd_palettes =
            bench_alloc((size_t)BENCH_CROWD * rig->skin->joint_count, sizeof(mrw_mat34));

    bench_work work = {0};
    add_work(&work, bench_sample_work(rig->first, rig->skeleton));
    add_work(&work, bench_sample_work(rig->second, rig->skeleton));
    add_work(&work, bench_blend_work(rig->skeleton, 2));
    add_work(&work, bench_model_work(rig));
    add_work(&work, bench_palette_work(rig));
    /* Poses and model matrices stay near; only what is kept of each character does not. */
    work.working_set_bytes = 1;
    bench_add_stage(stages, "1000 characters", "character", CROWD_CALL, work, run_crowd);
    prepare_crowd_call(desk);
    bench_add_stage(stages, "1000 characters, one call", "character", CROWD_CALL, work,
                    run_crowd_call);
    return true;
}

bench_desk *bench_desk_create(const bench_rig *rig, bench_stages *out_stages)
{
    bench_desk *desk = bench_alloc(1, sizeof(*desk));
    desk->rig = rig;
    out_stages->count = 0;
    bool filled =
        bench_add_pose_stages(desk, out_stages) && bench_add_packed_stages(desk, out_stages) &&
        bench_add_vertex_stages(desk, out_stages) && bench_add_crowd_stage(desk, out_stages);
    return filled ? desk : NULL;
}
