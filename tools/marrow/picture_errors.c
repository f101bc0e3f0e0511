/* Error over time as a picture:
 *
 *     title
 *     largest of all joints   ~~~~~~~~~~~ curve ~~~~~~~~~~~~
 *     joint   ░░▒▒▓▓░░░▒▒▓▓░░░▒▒▓▓░░░▒▒▓▓░░░▒▒▓▓░░░▒▒   0.0953
 *     joint   ░░▒▒▓▓░░░▒▒▓▓░░░▒▒▓▓░░░▒▒▓▓░░░▒▒▓▓░░░▒▒   0.0781
 *             0          1          2          3 s
 *
 * A row is a joint, in the order of the tree, so that limbs stay together; a column of pixels is a
 * part of the time and has the colour of the largest error in it.
 */
#include "compare_run.h"

#include "picture.h"
#include "picture_canvas.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WIDTH = 1400,
    MARGIN = 24,
    NAMES = 228, /* the column of names */
    VALUES = 92, /* that of numbers at the right */
    CURVE = 130, /* height of the curve */
    HEAD = 78,   /* of the title */
    FOOT = 64,   /* of times and the scale of colours */
    MOST_ROWS = 96,
    ROW = 17
};

#define PAPER 0xfcfcfbu
#define INK 0x1d2125u
#define SOFT 0x69707au
#define RULE 0xdcdfe3u
#define CURVE_INK 0x3a62b0u
#define OVER 0xd23a1eu /* what is above the limit */
#define TEXT_UNIT 1.45f

typedef struct error_picture {
    const compare_run *run;
    const compare_pair *pair;
    const mrw_comparison *comparison;
    cli_canvas canvas;
    uint32_t rows[MOST_ROWS]; /* joints */
    uint32_t row_count;
    double end_s;
    double top_m;   /* of the colours and the curve */
    float *columns; /* [heat width] of one row */
} error_picture;

static int heat_left(void)
{
    return MARGIN + NAMES;
}

static int heat_width(void)
{
    return WIDTH - 2 * MARGIN - NAMES - VALUES;
}

/* --- which joints ------------------------------------------------------------------------- */

static int compare_doubles_descending(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;
    return (left < right) - (left > right);
}

/* The error that a joint must reach to be among the MOST_ROWS worst. False if memory ran out. */
static bool find_threshold(const mrw_comparison *comparison, double *out_threshold)
{
    const uint32_t count = comparison->joint_count;
    *out_threshold = -1.0;
    if (count <= MOST_ROWS)
        return true;
    double *errors = calloc(count, sizeof(*errors));
    if (errors == NULL)
        return false;
    for (uint32_t j = 0; j < count; j++)
        errors[j] = comparison->joints[j].largest;
    qsort(errors, count, sizeof(*errors), compare_doubles_descending);
    *out_threshold = errors[MOST_ROWS - 1];
    free(errors);
    return true;
}

/* Joints depth first. Children are found by a list of first child and next sibling, made backwards
 * so that siblings keep their order. */
static bool choose_rows(error_picture *picture)
{
    const mrw_skeleton *skeleton = &picture->run->inputs[0].character->skeleton;
    const uint32_t count = skeleton->joint_count;
    double threshold;
    int32_t *links = malloc(((size_t)count + 1) * 2 * sizeof(*links));
    if (links == NULL || !find_threshold(picture->comparison, &threshold)) {
        free(links);
        return false;
    }
    int32_t *first = links, *next = links + count + 1;
    for (uint32_t j = 0; j <= count; j++)
        first[j] = -1;
    for (uint32_t j = count; j-- > 0;) {
        int32_t *list = &first[skeleton->parents[j] + 1]; /* of roots: 0 */
        next[j] = *list;
        *list = (int32_t)j;
    }
    for (int32_t j = first[0]; j >= 0;) {
        if (picture->comparison->joints[j].largest >= threshold && picture->row_count < MOST_ROWS)
            picture->rows[picture->row_count++] = (uint32_t)j;
        int32_t after = first[j + 1];
        while (after < 0 && j >= 0) {
            after = next[j];
            j = skeleton->parents[j];
        }
        j = after;
    }
    free(links);
    return true;
}

/* --- colours ------------------------------------------------------------------------------ */

static uint32_t colour_of(const error_picture *picture, double error_m)
{
    static const uint8_t stops[][3] = {
        {241, 243, 246}, {182, 215, 226}, {98, 164, 199}, {70, 92, 166}, {104, 22, 92}};
    const double limit = picture->run->limit_m;
    if (limit > 0.0 && error_m > limit)
        return OVER;
    double place = picture->top_m > 0.0 ? error_m / picture->top_m * 4.0 : 0.0;
    place = place < 0.0 ? 0.0 : place > 4.0 ? 4.0 : place;
    const int stop = place < 3.0 ? (int)place : 3;
    const double share = place - stop;
    uint32_t colour = 0;
    for (int i = 0; i < 3; i++) {
        double value = stops[stop][i] + (stops[stop + 1][i] - stops[stop][i]) * share;
        colour = colour << 8 | (uint32_t)(value + 0.5);
    }
    return colour;
}

/* --- columns ------------------------------------------------------------------------------ */

static double column_of(const error_picture *picture, double time_s)
{
    return picture->end_s > 0.0 ? time_s / picture->end_s * heat_width() : 0.0;
}

/* The largest error of each column, of one joint or (joint_count) of all; columns between two times
 * take what lies on the line between. */
static void fill_columns(error_picture *picture, uint32_t joint)
{
    const mrw_comparison *comparison = picture->comparison;
    const int width = heat_width();
    int last_column = 0;
    float last_error = 0.0f;
    for (int x = 0; x < width; x++)
        picture->columns[x] = 0.0f;
    for (uint32_t i = 0; i < comparison->time_count; i++) {
        const float *row = comparison->errors_m + (size_t)i * comparison->joint_count;
        float error = joint < comparison->joint_count ? row[joint] : 0.0f;
        for (uint32_t j = 0; joint == comparison->joint_count && j < joint; j++)
            error = row[j] > error ? row[j] : error;
        int column = (int)column_of(picture, comparison->times_s[i]);
        column = column < width ? column : width - 1;
        for (int x = last_column + 1; i > 0 && x < column; x++) {
            float share = (float)(x - last_column) / (float)(column - last_column);
            picture->columns[x] = last_error + (error - last_error) * share;
        }
        if (error > picture->columns[column])
            picture->columns[column] = error;
        last_column = column;
        last_error = error;
    }
    for (int x = last_column + 1; x < width; x++)
        picture->columns[x] = last_error;
}

/* --- parts -------------------------------------------------------------------------------- */

static void put_right(error_picture *picture, float right, float y, uint32_t colour,
                      const char *text)
{
    cli_canvas_text(&picture->canvas, right - cli_canvas_text_width(TEXT_UNIT, text), y, TEXT_UNIT,
                    colour, text);
}

static void format_mm(double metres, char out[32])
{
    const double mm = 1000.0 * metres;
    snprintf(out, 32, mm == 0.0 ? "%.0f" : mm < 0.01 ? "%.5f" : mm < 10.0 ? "%.4f" : "%.1f", mm);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static void draw_head(error_picture *picture)
{
    const compare_run *run = picture->run;
    const mrw_error_stats *all = &picture->comparison->all;
    char line[512], clean[512], largest[32], p99[32], p50[32], rms[32];
    snprintf(line, sizeof(line), "%s / %s  -  %s / %s", base_name(run->inputs[0].path),
             compare_clip(run, picture->pair, 0)->name, base_name(run->inputs[1].path),
             compare_clip(run, picture->pair, 1)->name);
    cli_copy_text(clean, sizeof(clean), line);
    cli_canvas_text(&picture->canvas, MARGIN, 36, 2.1f, INK, clean);
    format_mm(all->largest, largest);
    format_mm(all->p99, p99);
    format_mm(all->p50, p50);
    format_mm(all->rms, rms);
    snprintf(line, sizeof(line), "error in mm: largest %s (%s at %.3f s), p99 %s, p50 %s, rms %s",
             largest,
             mrw_skeleton_joint_name(&run->inputs[0].character->skeleton, all->largest_joint),
             all->largest_time_s, p99, p50, rms);
    cli_copy_text(clean, sizeof(clean), line);
    cli_canvas_text(&picture->canvas, MARGIN, 62, TEXT_UNIT, SOFT, clean);
}

static float curve_y(const error_picture *picture, double error_m)
{
    double share = picture->top_m > 0.0 ? error_m / picture->top_m : 0.0;
    return (float)(HEAD + CURVE - 10 - share * (CURVE - 24));
}

static void draw_level(error_picture *picture, double error_m, uint32_t colour)
{
    char text[32];
    const float y = curve_y(picture, error_m);
    cli_canvas_box(&picture->canvas, heat_left(), (int)y, heat_width(), 1, colour);
    format_mm(error_m, text);
    put_right(picture, (float)heat_left() - 8.0f, y + 4.0f, colour == RULE ? SOFT : colour, text);
}

static void draw_curve(error_picture *picture)
{
    draw_level(picture, 0.0, RULE);
    if (picture->run->limit_m > 0.0)
        draw_level(picture, picture->run->limit_m, OVER);
    else
        draw_level(picture, picture->comparison->all.largest, RULE);
    cli_canvas_text(&picture->canvas, MARGIN, HEAD + 0.5f * CURVE, TEXT_UNIT, INK, "largest");
    fill_columns(picture, picture->comparison->joint_count);
    for (int x = 1; x < heat_width(); x++)
        cli_canvas_line(&picture->canvas, (float)(heat_left() + x) - 0.5f,
                        curve_y(picture, (double)picture->columns[x - 1]),
                        (float)(heat_left() + x) + 0.5f,
                        curve_y(picture, (double)picture->columns[x]), 1.6f, CURVE_INK);
}

/* What fits into the column, with dots for what is cut. */
static void fit_name(const char *name, char out[64])
{
    const size_t fitting = (size_t)((float)(NAMES - 12) / (6.0f * TEXT_UNIT));
    cli_copy_text(out, 64, name);
    if (strlen(out) > fitting)
        snprintf(out + fitting - 2, 3, "..");
}

static void draw_row(error_picture *picture, uint32_t row)
{
    const uint32_t joint = picture->rows[row];
    const int y = HEAD + CURVE + (int)row * ROW;
    char text[64];
    fit_name(mrw_skeleton_joint_name(&picture->run->inputs[0].character->skeleton, joint), text);
    cli_canvas_text(&picture->canvas, MARGIN, (float)y + 12.5f, TEXT_UNIT, INK, text);
    fill_columns(picture, joint);
    for (int x = 0; x < heat_width(); x++)
        cli_canvas_box(&picture->canvas, heat_left() + x, y, 1, ROW - 1,
                       colour_of(picture, (double)picture->columns[x]));
    const double largest = picture->comparison->joints[joint].largest;
    format_mm(largest, text);
    const bool over = picture->run->limit_m > 0.0 && largest > picture->run->limit_m;
    put_right(picture, (float)(WIDTH - MARGIN), (float)y + 12.5f, over ? OVER : SOFT, text);
}

/* A step of 1, 2 or 5 times a power of ten that makes about ten parts. */
static double tick_step(double end_s)
{
    double step = 1e-6;
    const double factors[] = {2.0, 2.5, 2.0};
    for (int i = 0; end_s / step > 12.0; i++)
        step *= factors[i % 3];
    return step;
}

static void draw_times(error_picture *picture, int bottom)
{
    const double step = tick_step(picture->end_s);
    for (uint32_t i = 0; picture->end_s > 0.0 && i * step <= picture->end_s; i++) {
        const int x = heat_left() + (int)column_of(picture, i * step);
        char text[32];
        snprintf(text, sizeof(text), "%.4g%s", i * step, i == 0 ? " s" : "");
        cli_canvas_box(&picture->canvas, x, bottom, 1, 5, SOFT);
        cli_canvas_text(&picture->canvas, (float)x - 3.0f, (float)bottom + 18.0f, TEXT_UNIT, SOFT,
                        text);
    }
}

static void draw_scale(error_picture *picture, int y)
{
    const int width = 240, left = WIDTH - MARGIN - VALUES - width;
    char text[32];
    for (int x = 0; x < width; x++)
        cli_canvas_box(&picture->canvas, left + x, y, 1, 11,
                       colour_of(picture, picture->top_m * x / (width - 1)));
    put_right(picture, (float)left - 8.0f, (float)y + 10.0f, SOFT, "0");
    format_mm(picture->top_m, text);
    strcat(text, " mm");
    cli_canvas_text(&picture->canvas, (float)(left + width) + 8.0f, (float)y + 10.0f, TEXT_UNIT,
                    SOFT, text);
    if (picture->row_count < picture->comparison->joint_count) {
        char note[96];
        snprintf(note, sizeof(note), "the %u worst of %u joints", (unsigned)picture->row_count,
                 (unsigned)picture->comparison->joint_count);
        cli_canvas_text(&picture->canvas, MARGIN, (float)y + 10.0f, TEXT_UNIT, SOFT, note);
    }
}

static void draw(error_picture *picture)
{
    draw_head(picture);
    draw_curve(picture);
    for (uint32_t row = 0; row < picture->row_count; row++)
        draw_row(picture, row);
    const int bottom = HEAD + CURVE + (int)picture->row_count * ROW;
    draw_times(picture, bottom);
    draw_scale(picture, bottom + 38);
}

bool cli_compare_draw(const compare_run *run, uint8_t **out_bytes, size_t *out_size_bytes)
{
    error_picture picture = {.run = run, .pair = &run->pairs[0]};
    picture.comparison = picture.pair->comparison;
    const uint32_t times = picture.comparison->time_count;
    picture.end_s = times > 0 ? picture.comparison->times_s[times - 1] : 0.0;
    picture.top_m = fmax(picture.comparison->all.largest, run->limit_m);
    if (!choose_rows(&picture))
        return false;
    const uint32_t height = HEAD + CURVE + picture.row_count * ROW + FOOT;
    picture.columns = calloc((size_t)heat_width(), sizeof(*picture.columns));
    bool complete =
        picture.columns != NULL && cli_canvas_create(WIDTH, height, PAPER, &picture.canvas);
    if (complete) {
        draw(&picture);
        complete = cli_png_encode(picture.canvas.rgba, WIDTH, height, out_bytes, out_size_bytes);
    }
    free(picture.columns);
    cli_canvas_free(&picture.canvas);
    return complete;
}
