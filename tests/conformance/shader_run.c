/* shader_run gl | es [FILE...] [--shared]: the GLSL texts of mrw_shader_source on a driver, against
 * mrw_morph and mrw_skin_vertices.
 *
 * Every text that the context can run, with 4 and 8 influences: first a random mesh with what real
 * files rarely have (scale, mirrors, shear, weightless vertices), through all combinations of kind,
 * palette and normals; then every mesh of the files (with --shared also those of
 * shared/assets/gltf), with three characters in one palette. `gl` runs GLSL 330 and 430, `es` GLSL
 * ES 300 and 100. Exits with 77 if there is no such context, or nothing to compare. */
#define _POSIX_C_SOURCE 200809L

#include "conformance/shader_gpu.h"

#include "core/bounds.h"
#include "unit/shared_folder.h"

#include <marrow/offline/import.h>

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POSITION_TOLERANCE 1e-5 /* of the model's size */
#define NORMAL_TOLERANCE 1e-3   /* of unit normals: those that nearly cancel lose digits */

typedef struct tally {
    shader_gpu *gpu;
    bool es;
    size_t run_count;
    size_t vertex_count;
    size_t skipped_count; /* palettes that uniform arrays cannot hold */
    int failures;
    double worst_position; /* share of the model's size */
    double worst_normal;
} tally;

static const char *dialect_name(const shader_choices *choices)
{
    if (choices->place == PALETTE_STORAGE)
        return "GLSL 430";
    return choices->dialect == MRW_GLSL_330      ? "GLSL 330"
           : choices->dialect == MRW_GLSL_ES_300 ? "GLSL ES 300"
                                                 : "GLSL ES 100";
}

static void describe(const shader_choices *choices, char *out, size_t size_bytes)
{
    static const char *const kinds[] = {"linear", "dual quaternions", "blended"};
    static const char *const places[] = {"texture", "uniform arrays", "storage buffers"};
    snprintf(out, size_bytes, "%s %s, %u influences%s, palette in %s, normals %d%s%s%s%s",
             dialect_name(choices), kinds[choices->kind], (unsigned)choices->influences,
             choices->pairs ? " in pairs" : "", places[choices->place], choices->normals,
             choices->stretch ? ", stretch" : "", choices->morph ? ", morph" : "",
             choices->blend_attribute ? ", blend attribute" : "",
             choices->location ? ", locations" : "");
}

/* --- one comparison ------------------------------------------------------------------------- */

/* NaN is infinitely far from everything. */
static double distance(const float *a, const double *b)
{
    double x = (double)a[0] - b[0], y = (double)a[1] - b[1], z = (double)a[2] - b[2];
    double length = sqrt(x * x + y * y + z * z);
    return length >= 0.0 ? length : (double)INFINITY;
}

static double normal_difference(const shader_choices *choices, const float *cpu, const float *gpu)
{
    double normal[3] = {(double)gpu[0], (double)gpu[1], (double)gpu[2]};
    double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    if (choices->normals == 0)
        return length == 0.0 ? 0.0 : (double)INFINITY;
    if (cpu[0] == 0.0f && cpu[1] == 0.0f && cpu[2] == 0.0f)
        return length < 1e-6 ? 0.0 : length; /* none in the mesh, or the surface has collapsed */
    for (int i = 0; i < 3; i++)
        normal[i] /= length;
    return distance(cpu, normal);
}

typedef struct difference {
    double position; /* share of the size */
    double normal;
} difference;

static difference compare(const shader_choices *choices, const shader_case *subject,
                          const float *positions, const float *normals, const float *gpu)
{
    difference worst = {0.0, 0.0};
    for (size_t v = 0; v < subject->vertex_count; v++) {
        const float *out = gpu + v * 6;
        double position[3] = {(double)out[0], (double)out[1], (double)out[2]};
        double apart = distance(positions + v * 3, position) / (double)subject->size;
        double turned = normal_difference(choices, normals + v * 3, out + 3);
        worst.position = apart <= worst.position ? worst.position : apart;
        worst.normal = turned <= worst.normal ? worst.normal : turned;
    }
    return worst;
}

/* Whether the palette fits; a palette that does not gets the error that tells so. */
static bool uniforms_fit(tally *sum, const shader_choices *choices, const shader_case *subject)
{
    mrw_error error = {0};
    if (choices->place != PALETTE_UNIFORM ||
        mrw_shader_check_uniforms(choices->kind, choices->stretch, subject->joint_count,
                                  shader_gpu_max_vectors(sum->gpu), SHADER_GPU_RESERVED_VECTORS,
                                  &error) == MRW_OK)
        return true;
    if (sum->skipped_count++ == 0)
        printf("%s: %s\n", subject->name, error.message);
    return false;
}

/* Raises *worst; false if the library fails. positions, normals: scratch. */
static bool compare_character(const shader_choices *choices, const shader_case *subject,
                              uint32_t character, float dual_quat_weight, float *positions,
                              float *normals, const float *gpu, difference *worst)
{
    if (!shader_case_expect(subject, character, (mrw_skin_method)choices->kind,
                            choices->normals == 1 ? MRW_NORMAL_LINEAR
                                                  : MRW_NORMAL_INVERSE_TRANSPOSE,
                            choices->morph, choices->stretch, dual_quat_weight, positions, normals))
        return false;
    difference found = compare(choices, subject, positions, normals, gpu);
    worst->position = fmax(worst->position, found.position);
    worst->normal = fmax(worst->normal, found.normal);
    return true;
}

/* Compares the characters from first_character on. expected_character: whose vertices the library
 * computes for the first of them; another one must differ, which shows that differences are seen.
 */
static bool run_one(tally *sum, const shader_choices *choices, const shader_case *subject,
                    uint32_t first_character, uint32_t character_count, uint32_t expected_character,
                    difference *out_worst)
{
    size_t floats = (size_t)subject->vertex_count * 3;
    float dual_quat_weight = choices->blend_attribute ? -1.0f : 0.5f;
    float *positions = malloc(floats * sizeof(float) + 1);
    float *normals = malloc(floats * sizeof(float) + 1);
    float *gpu = malloc(floats * 2 * character_count * sizeof(float) + 1);
    bool ran =
        positions && normals && gpu &&
        shader_gpu_run(sum->gpu, choices, subject, first_character, character_count, 0.5f, gpu);
    *out_worst = (difference){0.0, 0.0};
    for (uint32_t c = 0; ran && c < character_count; c++)
        ran = compare_character(choices, subject, expected_character + c, dual_quat_weight,
                                positions, normals, gpu + floats * 2 * c, out_worst);
    free(positions);
    free(normals);
    free(gpu);
    return ran;
}

static void count_result(tally *sum, const char *name, const char *text, bool ran, difference worst)
{
    sum->run_count++;
    if (ran && worst.position <= POSITION_TOLERANCE && worst.normal <= NORMAL_TOLERANCE) {
        sum->worst_position = fmax(sum->worst_position, worst.position);
        sum->worst_normal = fmax(sum->worst_normal, worst.normal);
        return;
    }
    sum->failures++;
    if (sum->failures <= 20)
        printf("FAIL %s: %s: %s (positions %.1e of the model's size, normals %.1e)\n", name, text,
               ran ? "shader and library differ" : "did not run", worst.position, worst.normal);
}

static void check(tally *sum, const shader_choices *choices, const shader_case *subject)
{
    if (!shader_gpu_can(sum->gpu, choices) || !uniforms_fit(sum, choices, subject))
        return;
    bool many = choices->place != PALETTE_UNIFORM && choices->dialect != MRW_GLSL_ES_100;
    uint32_t first = many ? 0 : 1;
    uint32_t count = many ? SHADER_CASE_CHARACTERS : 1;
    difference worst;
    bool ran = run_one(sum, choices, subject, first, count, first, &worst);
    sum->vertex_count += (size_t)subject->vertex_count * count;
    char text[256];
    describe(choices, text, sizeof(text));
    count_result(sum, subject->name, text, ran, worst);
}

/* --- the random mesh, all combinations ---------------------------------------------------------
 */

/* All normals with textures, where they cost no driver much; the other choices change from one text
 * to the next. */
static void check_random_text(tally *sum, const shader_case *subject, shader_choices *choices,
                              unsigned *number)
{
    for (int i = 0; i < (choices->place == PALETTE_TEXTURE ? 3 : 1); i++) {
        unsigned n = (*number)++;
        choices->normals = (int)(n % 3);
        choices->pairs = n % 2 != 0;
        choices->location = n / 2 % 2 != 0 && choices->dialect != MRW_GLSL_ES_100;
        choices->blend_attribute = choices->kind == MRW_SHADER_BLENDED && n / 3 % 2 != 0;
        choices->morph = n % 5 < 2;
        check(sum, choices, subject);
    }
}

static void check_random(tally *sum, const shader_case *subject)
{
    unsigned number = subject->influence_count;
    shader_choices choices = {0};
    choices.influences = subject->influence_count;
    for (int kind = MRW_SHADER_LINEAR; kind <= MRW_SHADER_BLENDED; kind++)
        for (int dialect = MRW_GLSL_330; dialect <= MRW_GLSL_ES_100; dialect++)
            for (int place = PALETTE_TEXTURE; place <= PALETTE_STORAGE; place++)
                for (int stretch = 0; stretch <= (kind != MRW_SHADER_LINEAR); stretch++) {
                    choices.kind = (mrw_shader_kind)kind;
                    choices.dialect = (mrw_shader_dialect)dialect;
                    choices.place = (palette_place)place;
                    choices.stretch = stretch != 0;
                    check_random_text(sum, subject, &choices, &number);
                }
}

/* The comparison itself: the wrong character must be seen. */
static void check_that_differences_are_seen(tally *sum, const shader_case *subject)
{
    shader_choices choices = {0};
    choices.dialect = sum->es ? MRW_GLSL_ES_300 : MRW_GLSL_330;
    choices.influences = subject->influence_count;
    choices.normals = 2;
    difference worst;
    if (!run_one(sum, &choices, subject, 0, 1, 1, &worst) || worst.position <= POSITION_TOLERANCE ||
        worst.normal <= NORMAL_TOLERANCE) {
        printf("FAIL another character's vertices pass for the right ones\n");
        sum->failures++;
    }
}

/* A palette of a joint more than there is room for. */
static void check_the_limit(tally *sum)
{
    uint32_t vectors = shader_gpu_max_vectors(sum->gpu);
    uint32_t room =
        mrw_shader_uniform_joints(MRW_SHADER_LINEAR, false, vectors, SHADER_GPU_RESERVED_VECTORS);
    mrw_error error = {0};
    if (room == 0 ||
        mrw_shader_check_uniforms(MRW_SHADER_LINEAR, false, room + 1, vectors,
                                  SHADER_GPU_RESERVED_VECTORS, &error) != MRW_ERR_LIMIT) {
        printf("FAIL %u joints pass for %u vectors of uniforms\n", (unsigned)room + 1,
               (unsigned)vectors);
        sum->failures++;
    }
    printf("one joint too many: %s\n", error.message);
}

static void check_random_meshes(tally *sum)
{
    for (uint32_t influences = 4; influences <= 8; influences += 4) {
        shader_case subject;
        if (!shader_case_create_random(influences, &subject)) {
            sum->failures++;
            return;
        }
        check_that_differences_are_seen(sum, &subject);
        check_random(sum, &subject);
        shader_case_free(&subject);
    }
    printf("random mesh: %zu shaders, largest differences: positions %.1e, normals %.1e\n",
           sum->run_count, sum->worst_position, sum->worst_normal);
}

/* --- translated texts
 * ------------------------------------------------------------------------------ */

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1 << 16);
    if (file != NULL && text != NULL)
        text[fread(text, 1, (1 << 16) - 1, file)] = '\0';
    if (file != NULL)
        fclose(file);
    return text;
}

/* Names are language.kind.influences.normals.stretch.vert. */
static bool read_name(const char *name, shader_choices *out_choices)
{
    char language[16], kind[16];
    unsigned influences = 0, stretch = 0;
    memset(out_choices, 0, sizeof(*out_choices));
    if (sscanf(name, "%15[a-z].%15[a-z_].%u.%d.%u.vert", language, kind, &influences,
               &out_choices->normals, &stretch) != 5)
        return false;
    out_choices->kind = strcmp(kind, "linear") == 0 ? MRW_SHADER_LINEAR : MRW_SHADER_DUAL_QUAT;
    out_choices->place = PALETTE_STORAGE;
    out_choices->influences = influences;
    out_choices->stretch = stretch != 0;
    return true;
}

static void check_translated(tally *sum, const char *path, const char *name,
                             const shader_choices *choices)
{
    shader_case subject;
    char *text = read_text(path);
    bool ran = text != NULL && shader_case_create_random(choices->influences, &subject);
    if (!ran) {
        sum->failures++;
        free(text);
        return;
    }
    size_t floats = (size_t)subject.vertex_count * 3;
    float *positions = malloc(floats * sizeof(float));
    float *normals = malloc(floats * sizeof(float));
    float *gpu = malloc(floats * 2 * SHADER_CASE_CHARACTERS * sizeof(float));
    difference worst = {0.0, 0.0};
    ran = positions && normals && gpu &&
          shader_gpu_run_translated(sum->gpu, choices, text, &subject, gpu);
    for (uint32_t c = 0; ran && c < SHADER_CASE_CHARACTERS; c++)
        ran = compare_character(choices, &subject, c, 0.5f, positions, normals,
                                gpu + floats * 2 * c, &worst);
    free(positions);
    free(normals);
    free(gpu);
    free(text);
    sum->vertex_count += (size_t)subject.vertex_count * SHADER_CASE_CHARACTERS;
    shader_case_free(&subject);
    count_result(sum, name, "translated", ran, worst);
}

static void check_translated_folder(tally *sum, const char *folder)
{
    DIR *listing = opendir(folder);
    for (struct dirent *entry; listing != NULL && (entry = readdir(listing)) != NULL;) {
        char path[8192];
        shader_choices choices;
        mrwi_format(path, sizeof(path), "%s/%s", folder, entry->d_name);
        if (read_name(entry->d_name, &choices))
            check_translated(sum, path, entry->d_name, &choices);
    }
    if (listing != NULL)
        closedir(listing);
}

/* --- files ---------------------------------------------------------------------------------------
 */

/* kind, dialect, palette, pairs, normals, blend attribute, locations; the file decides about the
 * rest. */
static const shader_choices rows[] = {
    {MRW_SHADER_LINEAR, MRW_GLSL_330, PALETTE_TEXTURE, false, 2, false, true, 0, 0, 0},
    {MRW_SHADER_LINEAR, MRW_GLSL_330, PALETTE_UNIFORM, true, 1, false, false, 0, 0, 0},
    {MRW_SHADER_LINEAR, MRW_GLSL_330, PALETTE_STORAGE, false, 2, false, false, 0, 0, 0},
    {MRW_SHADER_DUAL_QUAT, MRW_GLSL_330, PALETTE_TEXTURE, true, 2, false, false, 0, 0, 0},
    {MRW_SHADER_DUAL_QUAT, MRW_GLSL_330, PALETTE_UNIFORM, false, 2, false, true, 0, 0, 0},
    {MRW_SHADER_DUAL_QUAT, MRW_GLSL_330, PALETTE_STORAGE, true, 1, false, true, 0, 0, 0},
    {MRW_SHADER_BLENDED, MRW_GLSL_330, PALETTE_TEXTURE, false, 2, false, false, 0, 0, 0},
    {MRW_SHADER_BLENDED, MRW_GLSL_330, PALETTE_UNIFORM, false, 0, false, true, 0, 0, 0},
    {MRW_SHADER_BLENDED, MRW_GLSL_330, PALETTE_STORAGE, true, 2, true, true, 0, 0, 0},
    {MRW_SHADER_LINEAR, MRW_GLSL_ES_300, PALETTE_TEXTURE, true, 2, false, false, 0, 0, 0},
    {MRW_SHADER_LINEAR, MRW_GLSL_ES_300, PALETTE_UNIFORM, false, 2, false, true, 0, 0, 0},
    {MRW_SHADER_DUAL_QUAT, MRW_GLSL_ES_300, PALETTE_TEXTURE, false, 2, false, true, 0, 0, 0},
    {MRW_SHADER_DUAL_QUAT, MRW_GLSL_ES_300, PALETTE_UNIFORM, true, 1, false, false, 0, 0, 0},
    {MRW_SHADER_BLENDED, MRW_GLSL_ES_300, PALETTE_TEXTURE, false, 2, false, false, 0, 0, 0},
    {MRW_SHADER_BLENDED, MRW_GLSL_ES_300, PALETTE_UNIFORM, true, 2, true, true, 0, 0, 0},
    {MRW_SHADER_LINEAR, MRW_GLSL_ES_100, PALETTE_TEXTURE, false, 2, false, false, 0, 0, 0},
    {MRW_SHADER_LINEAR, MRW_GLSL_ES_100, PALETTE_UNIFORM, true, 1, false, false, 0, 0, 0},
    {MRW_SHADER_DUAL_QUAT, MRW_GLSL_ES_100, PALETTE_TEXTURE, true, 2, false, false, 0, 0, 0},
    {MRW_SHADER_DUAL_QUAT, MRW_GLSL_ES_100, PALETTE_UNIFORM, false, 2, false, false, 0, 0, 0},
    {MRW_SHADER_BLENDED, MRW_GLSL_ES_100, PALETTE_TEXTURE, false, 1, true, false, 0, 0, 0},
    {MRW_SHADER_BLENDED, MRW_GLSL_ES_100, PALETTE_UNIFORM, false, 2, false, false, 0, 0, 0},
};

static bool check_instance(tally *sum, const char *name, const mrw_character *character,
                           uint32_t instance, uint32_t influences, float size)
{
    shader_case subject;
    if (!shader_case_create(name, character, instance, influences, &subject))
        return false;
    subject.size = size;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        shader_choices choices = rows[i];
        choices.influences = influences;
        choices.morph = subject.target_count > 0;
        choices.stretch = subject.has_stretch && choices.kind != MRW_SHADER_LINEAR;
        check(sum, &choices, &subject);
    }
    shader_case_free(&subject);
    return true;
}

static bool model_size(const mrw_character *character, float *out_size)
{
    view_posed posed;
    view_bounds bounds;
    if (view_posed_create(character, &posed) != MRW_OK)
        return false;
    bool made = view_bounds_of_posed(&posed, MRW_SKIN_LINEAR, &bounds) == MRW_OK;
    mrw_vec3 diagonal = {bounds.max.x - bounds.min.x, bounds.max.y - bounds.min.y,
                         bounds.max.z - bounds.min.z};
    *out_size = sqrtf(diagonal.x * diagonal.x + diagonal.y * diagonal.y + diagonal.z * diagonal.z);
    view_posed_free(&posed);
    return made;
}

static bool check_scene(tally *sum, const char *name, const mrw_scene *scene, mrw_error *error)
{
    for (uint32_t influences = 4; influences <= 8; influences += 4) {
        mrw_build_options options = mrw_build_options_default();
        options.max_influences = influences;
        mrw_character *character = NULL;
        float size = 0.0f;
        bool made = mrw_build_character(scene, &options, &character, error) == MRW_OK &&
                    model_size(character, &size);
        for (uint32_t i = 0; made && i < character->instance_count; i++)
            made = check_instance(sum, name, character, i, influences, size);
        mrw_character_free(character);
        if (!made)
            return false;
    }
    return true;
}

static void check_file(tally *sum, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    mrw_scene *scene = NULL;
    mrw_error error = {0};
    tally before = *sum;
    sum->worst_position = sum->worst_normal = 0.0;
    if (mrw_import_file(path, NULL, &scene, &error) != MRW_OK ||
        !check_scene(sum, name, scene, &error)) {
        printf("FAIL %s: %s: %s\n", name, error.detail, error.message);
        sum->failures++;
    }
    mrw_scene_free(scene);
    printf("%s: %zu vertices, largest differences: positions %.1e, normals %.1e\n", name,
           sum->vertex_count - before.vertex_count, sum->worst_position, sum->worst_normal);
}

static bool is_model(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot != NULL && (strcmp(dot, ".glb") == 0 || strcmp(dot, ".gltf") == 0);
}

static void check_shared(tally *sum)
{
    char folder[4096];
    shared_path(folder, sizeof(folder), "assets/gltf");
    DIR *listing = opendir(folder);
    if (listing == NULL) {
        printf("skipped: %s is not there\n", folder);
        return;
    }
    for (struct dirent *entry = readdir(listing); entry != NULL; entry = readdir(listing)) {
        char path[8192];
        if (!is_model(entry->d_name))
            continue;
        mrwi_format(path, sizeof(path), "%s/%s", folder, entry->d_name);
        check_file(sum, path);
    }
    closedir(listing);
}

static int run_translated(tally *sum, const char *folder)
{
    const shader_choices storage = {.place = PALETTE_STORAGE, .dialect = MRW_GLSL_330};
    if (!shader_gpu_can(sum->gpu, &storage)) {
        printf("skipped: OpenGL 4.3 with storage buffers in vertex shaders is not there\n");
        return 77;
    }
    check_translated_folder(sum, folder);
    if (sum->run_count == 0) {
        printf("skipped: no translated shaders in %s\n", folder);
        return 77;
    }
    printf("largest differences: positions %.1e, normals %.1e\n", sum->worst_position,
           sum->worst_normal);
    return 0;
}

static void run_texts(tally *sum, char **paths, int count)
{
    check_random_meshes(sum);
    check_the_limit(sum);
    for (int i = 0; i < count; i++) {
        if (strcmp(paths[i], "--shared") == 0)
            check_shared(sum);
        else
            check_file(sum, paths[i]);
    }
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";
    bool translated = strcmp(mode, "translated") == 0 && argc == 3;
    tally sum = {0};
    sum.es = strcmp(mode, "es") == 0;
    if (!translated && !sum.es && strcmp(mode, "gl") != 0) {
        fprintf(stderr, "usage: shader_run gl | es [FILE...] [--shared]\n"
                        "       shader_run translated FOLDER\n");
        return 2;
    }
    const char *reason = NULL;
    sum.gpu = shader_gpu_create(sum.es, &reason);
    if (sum.gpu == NULL) {
        printf("skipped: %s\n", reason);
        return 77;
    }
    int status = 0;
    if (translated)
        status = run_translated(&sum, argv[2]);
    else
        run_texts(&sum, argv + 2, argc - 2);
    shader_gpu_free(sum.gpu);
    printf("%zu runs of %zu vertices, %d differ\n", sum.run_count, sum.vertex_count, sum.failures);
    return sum.failures == 0 ? status : 1;
}
