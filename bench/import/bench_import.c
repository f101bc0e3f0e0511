/* marrow_bench_import: how fast files become scenes, on one thread, from bytes that are in memory.
 */
#define _POSIX_C_SOURCE 200809L

#include <marrow/offline/offline.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char usage[] =
    "usage: marrow_bench_import [--runs N] [FILE...]\n"
    "\n"
    "Imports each file N times (default 20) and prints the best rate in millions of bytes a\n"
    "second. Without a file: motion capture as BVH that it makes, 60 joints and 2000 frames.\n"
    "\n"
    "exit status: 0 success, 1 a file is unusable, 2 the command line is wrong, 3 no memory\n";

enum { MADE_JOINTS = 60, MADE_FRAMES = 2000, NUMBER_SIZE = 16, MAX_RUNS = 1000000 };

static void *must(void *memory)
{
    if (memory == NULL) {
        fprintf(stderr, "marrow_bench_import: no memory\n");
        exit(3);
    }
    return memory;
}

/* A chain of joints, with numbers as long as motion capture has them. */
static char *make_motion(size_t *out_size_bytes)
{
    size_t channel_count = 3 * MADE_JOINTS + 3;
    char *text = must(malloc(channel_count * MADE_FRAMES * NUMBER_SIZE + 128 * MADE_JOINTS + 256));
    size_t at = (size_t)sprintf(text, "HIERARCHY\nROOT j0\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition "
                                      "Yposition Zposition Zrotation Yrotation Xrotation\n");
    for (int i = 1; i < MADE_JOINTS; i++)
        at += (size_t)sprintf(text + at,
                              "JOINT j%d\n{\nOFFSET 0 1.25 0\n"
                              "CHANNELS 3 Zrotation Yrotation Xrotation\n",
                              i);
    for (int i = 0; i < MADE_JOINTS; i++)
        at += (size_t)sprintf(text + at, "}\n");
    at += (size_t)sprintf(text + at, "MOTION\nFrames: %d\nFrame Time: .0083333\n", MADE_FRAMES);
    uint64_t random = 1;
    for (int frame = 0; frame < MADE_FRAMES; frame++) {
        for (size_t i = 0; i < channel_count; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            at += (size_t)sprintf(text + at, "%.4f ", (double)(random >> 43) / 5826.0 - 180.0);
        }
        text[at++] = '\n';
    }
    *out_size_bytes = at;
    return text;
}

static char *read_file(const char *path, size_t *out_size_bytes)
{
    FILE *file = fopen(path, "rb");
    long size = -1;
    if (file == NULL || fseek(file, 0, SEEK_END) != 0 || (size = ftell(file)) < 0 ||
        fseek(file, 0, SEEK_SET) != 0) {
        fprintf(stderr, "marrow_bench_import: %s: it cannot be read\n", path);
        exit(1);
    }
    char *bytes = must(malloc((size_t)size + 1));
    *out_size_bytes = fread(bytes, 1, (size_t)size, file);
    fclose(file);
    return bytes;
}

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void measure(const char *name, const char *bytes, size_t size_bytes, long run_count)
{
    double best_s = 0.0;
    for (long run = 0; run < run_count; run++) {
        mrw_scene *scene;
        mrw_error error = {0};
        double start_s = now_s();
        if (mrw_import_memory(bytes, size_bytes, NULL, NULL, NULL, &scene, &error) != MRW_OK) {
            fprintf(stderr, "marrow_bench_import: %s: %s: %s\n", name, error.detail, error.message);
            exit(1);
        }
        double elapsed_s = now_s() - start_s;
        mrw_scene_free(scene);
        if (run == 0 || elapsed_s < best_s)
            best_s = elapsed_s;
    }
    printf("%8.1f MB/s  %s (%.2f MB)\n", (double)size_bytes * 1e-6 / best_s, name,
           (double)size_bytes * 1e-6);
}

static int fail_usage(void)
{
    fputs(usage, stderr);
    return 2;
}

int main(int argc, char **argv)
{
    long run_count = 20;
    int first = 1;
    if (argc > 1 && strcmp(argv[1], "--help") == 0) {
        fputs(usage, stdout);
        return 0;
    }
    if (argc > 2 && strcmp(argv[1], "--runs") == 0) {
        run_count = strtol(argv[2], NULL, 10);
        first = 3;
    }
    if (run_count < 1 || run_count > MAX_RUNS || (first < argc && argv[first][0] == '-'))
        return fail_usage();
    size_t size_bytes;
    if (first == argc) {
        char *text = make_motion(&size_bytes);
        measure("made BVH", text, size_bytes, run_count);
        free(text);
    }
    for (int i = first; i < argc; i++) {
        char *bytes = read_file(argv[i], &size_bytes);
        measure(argv[i], bytes, size_bytes, run_count);
        free(bytes);
    }
    return 0;
}
