/* The report of `marrow pack` as one HTML page: numbers, and charts as SVG. No scripts, nothing
 * from elsewhere, light or dark as the reader's system is. */
#define _POSIX_C_SOURCE 200809L /* open_memstream */

#include "pack_run.h"

#include "command.h"
#include "output.h"
#include "report.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BAR_WIDTH 460
#define CURVE_WIDTH 340
#define CURVE_HEIGHT 84

static const char head[] =
    "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<style>\n"
    ":root{color-scheme:light dark;--page:#fcfcfb;--text:#1d2125;--soft:#69707a;--line:#dcdfe3;"
    "--bar:#3b74c9;--pale:#b9c3d2;--limit:#c2472f}\n"
    "@media(prefers-color-scheme:dark){:root{--page:#15181c;--text:#e4e7eb;--soft:#98a1ac;"
    "--line:#333a42;--bar:#6ea1f0;--pale:#4a5666;--limit:#f0805f}}\n"
    "body{margin:0 auto;max-width:1100px;padding:24px;background:var(--page);color:var(--text);"
    "font:15px/1.5 system-ui,sans-serif}\n"
    "h1{font-size:24px;margin:0 0 4px}h2{font-size:17px;margin:36px 0 8px}p{margin:0 0 8px;"
    "color:var(--soft)}\n"
    ".facts{display:flex;flex-wrap:wrap;gap:12px 40px;margin:20px 0}.facts b{display:block;"
    "font-size:26px;font-weight:600}.facts span{color:var(--soft)}\n"
    ".scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;"
    "font-variant-numeric:tabular-nums}\n"
    "th,td{padding:4px 10px;text-align:right;border-bottom:1px solid var(--line);"
    "white-space:nowrap}th{color:var(--soft);font-weight:500}\n"
    "th:first-child,td:first-child,.left{text-align:left}\n"
    ".curves{display:grid;grid-template-columns:repeat(auto-fill,minmax(330px,1fr));gap:18px}\n"
    "figure{margin:0}figcaption{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}"
    "figcaption span{color:var(--soft)}svg{display:block;width:100%;height:auto}\n"
    "svg text{fill:var(--soft);font-size:11px}.bar{fill:var(--bar)}.pale{fill:var(--pale)}\n"
    ".curve{fill:none;stroke:var(--bar);stroke-width:1.3;stroke-linejoin:round}"
    ".limit{stroke:var(--limit);stroke-dasharray:4 3}.axis{stroke:var(--line)}\n"
    "</style>\n";

static void put_escaped(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '<')
            fputs("&lt;", out);
        else if (*text == '&')
            fputs("&amp;", out);
        else
            fputc(*text, out);
    }
}

/* A name of a file or of something in it. */
static void put_name(FILE *out, const char *name)
{
    char clean[512];
    cli_copy_text(clean, sizeof(clean), name);
    put_escaped(out, clean);
}

static void put_bytes(FILE *out, uint64_t bytes)
{
    if (bytes >= 10000000)
        fprintf(out, "%.1f MB", (double)bytes / 1e6);
    else if (bytes >= 10000)
        fprintf(out, "%.1f kB", (double)bytes / 1e3);
    else
        fprintf(out, "%llu B", (unsigned long long)bytes);
}

static double share(uint64_t part, uint64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : 0.0;
}

static void put_worst(FILE *out, const pack_run *run, const pack_totals *totals)
{
    const pack_clip *worst = &run->clips[totals->worst];
    if (totals->copied == run->clip_count) {
        fputs("copied</b><span>nothing was packed anew", out);
        return;
    }
    fprintf(out, "%.4f mm</b><span>largest error", 1000.0 * worst->report.error.largest);
    if (worst->report.error.largest > 0.0) {
        fputs(": ", out);
        put_name(out, pack_joint_name(run, worst, worst->report.error.largest_joint));
        fputs(" in ", out);
        put_name(out, worst->name);
    }
}

static void put_facts(FILE *out, const pack_run *run, const pack_totals *totals)
{
    fprintf(
        out,
        "<div class=\"facts\"><div><b>%.1f : 1</b><span>of 40 bytes a joint and "
        "sample</span></div><div><b>",
        share(totals->raw_bytes, run->for_storage ? totals->stored_bytes : totals->packed_bytes));
    put_bytes(out, totals->packed_bytes);
    fputs("</b><span>packed</span></div><div><b>", out);
    if (run->for_storage) {
        put_bytes(out, totals->stored_bytes);
        fputs("</b><span>stored</span></div><div><b>", out);
    }
    put_worst(out, run, totals);
    fprintf(out, "</span></div><div><b>%.*f s</b><span>of one processor</span></div></div>\n",
            totals->work_seconds < 1.0 ? 3 : 1, totals->work_seconds);
}

static void put_size_bar(FILE *out, int row, const char *label, uint64_t bytes, uint64_t largest,
                         bool pale)
{
    const double width = BAR_WIDTH * share(bytes, largest);
    fprintf(out, "<text x=\"70\" y=\"%d\" text-anchor=\"end\">%s</text>", row * 26 + 17, label);
    fprintf(out, "<rect class=\"%s\" x=\"78\" y=\"%d\" width=\"%.1f\" height=\"18\" rx=\"2\"/>",
            pale ? "pale" : "bar", row * 26 + 4, width < 1.0 ? 1.0 : width);
    fprintf(out, "<text x=\"%.1f\" y=\"%d\">", 84 + width, row * 26 + 17);
    put_bytes(out, bytes);
    fputs("</text>\n", out);
}

static void put_sizes(FILE *out, const pack_run *run, const pack_totals *totals)
{
    const uint64_t largest =
        totals->raw_bytes > totals->source_bytes ? totals->raw_bytes : totals->source_bytes;
    fprintf(out,
            "<h2>Bytes of all clips</h2>\n<svg viewBox=\"0 0 %d %d\" style=\"max-width:%dpx\" "
            "role=\"img\" aria-label=\"bytes\">\n",
            BAR_WIDTH + 160, run->for_storage ? 106 : 80, BAR_WIDTH + 160);
    put_size_bar(out, 0, "raw", totals->raw_bytes, largest, true);
    put_size_bar(out, 1, "source", totals->source_bytes, largest, true);
    put_size_bar(out, 2, "packed", totals->packed_bytes, largest, run->for_storage);
    if (run->for_storage)
        put_size_bar(out, 3, "stored", totals->stored_bytes, largest, false);
    fputs("</svg>\n", out);
}

static double per_sample(const pack_run *run, const pack_clip *clip)
{
    /* Of clips that stay keys too, raw_bytes tells how many samples they stand for. */
    const size_t samples = clip->report.raw_bytes / 40;
    return samples > 0 ? (double)pack_written_bytes(run, clip) / (double)samples : 0.0;
}

static void put_clip_bars(FILE *out, const pack_run *run)
{
    double largest = 0.0;
    for (uint32_t i = 0; i < run->clip_count; i++)
        largest =
            per_sample(run, &run->clips[i]) > largest ? per_sample(run, &run->clips[i]) : largest;
    fprintf(out,
            "<h2>Bytes a joint and sample, by clip</h2>\n<svg viewBox=\"0 0 820 %u\" "
            "style=\"max-width:820px\" role=\"img\" aria-label=\"bytes a joint and sample\">\n",
            (unsigned)run->clip_count * 20 + 4);
    for (uint32_t i = 0; i < run->clip_count; i++) {
        const pack_clip *clip = &run->clips[i];
        const double width = largest > 0.0 ? BAR_WIDTH * per_sample(run, clip) / largest : 0.0;
        const unsigned y = i * 20;
        fprintf(out, "<text x=\"212\" y=\"%u\" text-anchor=\"end\">", y + 14);
        char name[40];
        cli_copy_text(name, sizeof(name), clip->name);
        put_escaped(out, name);
        fprintf(out,
                "</text><rect class=\"bar\" x=\"220\" y=\"%u\" width=\"%.1f\" height=\"13\" "
                "rx=\"2\"/><text x=\"%.1f\" y=\"%u\">%.2f, %.1f : 1</text>\n",
                y + 3, width < 1.0 ? 1.0 : width, 226 + width, y + 14, per_sample(run, clip),
                share(clip->report.raw_bytes, pack_written_bytes(run, clip)));
    }
    fputs("</svg>\n", out);
}

static void put_curve(FILE *out, const pack_run *run, const pack_clip *clip)
{
    const mrw_clip *source = &pack_character(run, clip)->clips[clip->clip];
    const double limit = run->options.tolerance_m;
    double top = limit > clip->report.error.largest ? limit : clip->report.error.largest;
    top *= 1.12;
    fputs("<figure><figcaption>", out);
    put_name(out, clip->name);
    fprintf(out, " <span>%.4f mm", 1000.0 * clip->report.error.largest);
    if (clip->report.error.largest > 0.0) {
        fputs(", ", out);
        put_name(out, pack_joint_name(run, clip, clip->report.error.largest_joint));
        fprintf(out, " at %.2f s", clip->report.error.largest_time_s);
    }
    fprintf(out,
            "</span></figcaption>\n<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"error "
            "over time\">",
            CURVE_WIDTH, CURVE_HEIGHT + 16);
    const double limit_y = CURVE_HEIGHT * (1.0 - limit / top);
    fprintf(out,
            "<line class=\"axis\" x1=\"0\" x2=\"%d\" y1=\"%d\" y2=\"%d\"/><line class=\"limit\" "
            "x1=\"0\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/><polyline class=\"curve\" points=\"",
            CURVE_WIDTH, CURVE_HEIGHT, CURVE_HEIGHT, CURVE_WIDTH, limit_y, limit_y);
    for (uint32_t i = 0; i < clip->curve_count; i++)
        if (clip->curve[i] >= 0.0f)
            fprintf(out, "%s%.1f,%.1f", i > 0 ? " " : "",
                    clip->curve_count > 1 ? CURVE_WIDTH * (double)i / (clip->curve_count - 1) : 0.0,
                    CURVE_HEIGHT * (1.0 - (double)clip->curve[i] / top));
    fprintf(out,
            "\"/><text x=\"0\" y=\"%d\">0</text><text x=\"%d\" y=\"%d\" "
            "text-anchor=\"end\">%.2f s</text></svg></figure>\n",
            CURVE_HEIGHT + 13, CURVE_WIDTH, CURVE_HEIGHT + 13, (double)source->duration_s);
}

static void put_curves(FILE *out, const pack_run *run)
{
    fprintf(out,
            "<h2>Error over time</h2>\n<p>The largest of all joints, at the samples and between "
            "them. Dashed: the tolerance, %g mm.</p>\n<div class=\"curves\">\n",
            1000.0 * run->options.tolerance_m);
    for (uint32_t i = 0; i < run->clip_count; i++)
        if (!run->clips[i].report.copied)
            put_curve(out, run, &run->clips[i]);
    fputs("</div>\n", out);
}

static void put_row_error(FILE *out, const pack_run *run, const pack_clip *clip)
{
    const mrw_error_stats *error = &clip->report.error;
    fprintf(out, "<td>%.4f</td><td>%.4f</td><td class=\"left\">", 1000.0 * error->largest,
            1000.0 * error->p99);
    if (error->largest > 0.0)
        put_name(out, pack_joint_name(run, clip, error->largest_joint));
    fprintf(out, "</td><td>%.3f</td>", error->largest_time_s);
}

static void put_row(FILE *out, const pack_run *run, const pack_clip *clip)
{
    const mrw_pack_report *report = &clip->report;
    fputs("<tr><td>", out);
    put_name(out, clip->name);
    if (report->sample_count > 0)
        fprintf(out, "</td><td>%u</td><td>%.4g</td>", (unsigned)report->sample_count,
                report->samples_per_second);
    else
        fputs("</td><td></td><td>keys</td>", out);
    fprintf(out, "<td>%zu</td><td>%zu</td><td>%zu</td>", report->raw_bytes, report->source_bytes,
            report->packed_bytes);
    if (run->for_storage)
        fprintf(out, "<td>%zu</td>", clip->stored.size_bytes);
    fprintf(out, "<td>%.1f</td>", share(report->raw_bytes, pack_written_bytes(run, clip)));
    if (report->copied)
        fputs("<td>copied</td><td></td><td></td><td></td>", out);
    else
        put_row_error(out, run, clip);
    fprintf(out, "<td>%.2f</td></tr>\n", clip->seconds);
}

static void put_table(FILE *out, const pack_run *run)
{
    fprintf(
        out,
        "<h2>Clips</h2>\n<div class=\"scroll\"><table><tr><th>clip</th><th>samples</th><th>Hz</th>"
        "<th>raw bytes</th><th>source</th><th>packed</th>%s<th>ratio</th><th>largest "
        "mm</th><th>p99 "
        "mm</th><th class=\"left\">worst joint</th><th>at s</th><th>took s</th></tr>\n",
        run->for_storage ? "<th>stored</th>" : "");
    for (uint32_t i = 0; i < run->clip_count; i++)
        put_row(out, run, &run->clips[i]);
    fputs("</table></div>\n", out);
}

static void put_page(FILE *out, const pack_run *run)
{
    const pack_totals totals = cli_pack_totals(run);
    fputs(head, out);
    fputs("<title>", out);
    put_name(out, run->output);
    fputs("</title></head><body>\n<h1>", out);
    put_name(out, run->output);
    fprintf(out,
            "</h1>\n<p>%u clip%s of %u file%s, %.1f s, packed by Marrow %s at a tolerance of %g "
            "mm%s.</p>\n",
            (unsigned)run->clip_count, run->clip_count == 1 ? "" : "s", (unsigned)run->source_count,
            run->source_count == 1 ? "" : "s", totals.seconds, mrw_version(),
            1000.0 * run->options.tolerance_m,
            run->options.target == MRW_PACK_P99 ? ", which 99 of 100 samples keep" : "");
    put_facts(out, run, &totals);
    put_sizes(out, run, &totals);
    put_clip_bars(out, run);
    if (totals.copied < run->clip_count)
        put_curves(out, run);
    put_table(out, run);
    fputs("</body></html>\n", out);
}

int cli_pack_write_page(const pack_run *run, const char *path)
{
    char *page = NULL;
    size_t size_bytes = 0;
    FILE *out = open_memstream(&page, &size_bytes);
    if (out == NULL)
        return cli_fail_status("pack", path, MRW_ERR_OUT_OF_MEMORY);
    put_page(out, run);
    bool complete = ferror(out) == 0;
    complete = fclose(out) == 0 && complete;
    int status = complete ? cli_output_save("pack", path, page, size_bytes)
                          : cli_fail_status("pack", path, MRW_ERR_OUT_OF_MEMORY);
    free(page);
    return status;
}
