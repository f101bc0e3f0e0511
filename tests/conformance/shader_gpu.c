#define _POSIX_C_SOURCE 200809L

#include "conformance/shader_gpu.h"

#include "gl/context.h"

#include <epoxy/egl.h>
#include <epoxy/gl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Texels in a row: a prime, so that matrices run over the ends of rows. */
#define NARROW_TEXELS 61
#define WIDE_TEXELS 2039

enum { LOCATION_POSITION = 0, LOCATION_NORMAL = 1, LOCATION_FIRST = 2, CACHE = 512 };

typedef struct cached_program {
    char defines[512];
    mrw_shader_kind kind;
    mrw_shader_dialect dialect;
    GLuint program;
} cached_program;

struct shader_gpu {
    view_context context;
    bool es;
    GLuint vertex_array;
    GLuint framebuffer, renderbuffer; /* without a window there is none to draw into */
    size_t program_count;
    cached_program programs[CACHE];
};

/* --- contexts ------------------------------------------------------------------------- */

static bool create_es_context(view_context *out_context, const char **out_reason)
{
    static const EGLint config_attributes[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT, EGL_NONE};
    static const EGLint context_attributes[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_NONE};
    /* The same display as that of OpenGL, which knows how to open it. */
    if (!view_context_create(out_context, out_reason))
        return false;
    EGLConfig config = EGL_NO_CONFIG_KHR;
    EGLint count = 0;
    eglMakeCurrent(out_context->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(out_context->display, out_context->context);
    if (eglBindAPI(EGL_OPENGL_ES_API) &&
        (!eglChooseConfig(out_context->display, config_attributes, &config, 1, &count) ||
         count == 0))
        config = EGL_NO_CONFIG_KHR;
    EGLContext context =
        eglCreateContext(out_context->display, config, EGL_NO_CONTEXT, context_attributes);
    if (context == EGL_NO_CONTEXT ||
        !eglMakeCurrent(out_context->display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
        *out_reason = "no OpenGL ES 3 context can be had";
        eglTerminate(out_context->display);
        return false;
    }
    out_context->context = context;
    return true;
}

shader_gpu *shader_gpu_create(bool es, const char **out_reason)
{
    shader_gpu *gpu = calloc(1, sizeof(*gpu));
    *out_reason = "no memory";
    if (gpu == NULL)
        return NULL;
    gpu->es = es;
    if (!(es ? create_es_context(&gpu->context, out_reason)
             : view_context_create(&gpu->context, out_reason))) {
        free(gpu);
        return NULL;
    }
    glGenVertexArrays(1, &gpu->vertex_array);
    glBindVertexArray(gpu->vertex_array);
    glGenFramebuffers(1, &gpu->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, gpu->framebuffer);
    glGenRenderbuffers(1, &gpu->renderbuffer);
    glBindRenderbuffer(GL_RENDERBUFFER, gpu->renderbuffer);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 1, 1);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                              gpu->renderbuffer);
    glEnable(GL_RASTERIZER_DISCARD);
    return gpu;
}

void shader_gpu_free(shader_gpu *gpu)
{
    if (gpu == NULL)
        return;
    for (size_t i = 0; i < gpu->program_count; i++)
        glDeleteProgram(gpu->programs[i].program);
    glDeleteFramebuffers(1, &gpu->framebuffer);
    glDeleteRenderbuffers(1, &gpu->renderbuffer);
    glDeleteVertexArrays(1, &gpu->vertex_array);
    view_context_free(&gpu->context);
    free(gpu);
}

bool shader_gpu_can(const shader_gpu *gpu, const shader_choices *choices)
{
    if (choices->place == PALETTE_STORAGE) {
        GLint blocks = 0;
        if (!gpu->es && epoxy_gl_version() >= 43)
            glGetIntegerv(GL_MAX_VERTEX_SHADER_STORAGE_BLOCKS, &blocks);
        return blocks >= 3 && choices->dialect == MRW_GLSL_330;
    }
    return (choices->dialect != MRW_GLSL_330) == gpu->es;
}

uint32_t shader_gpu_max_vectors(const shader_gpu *gpu)
{
    GLint value = 0;
    if (gpu->es) {
        glGetIntegerv(GL_MAX_VERTEX_UNIFORM_VECTORS, &value);
        return (uint32_t)value;
    }
    glGetIntegerv(GL_MAX_VERTEX_UNIFORM_COMPONENTS, &value);
    return (uint32_t)value / 4;
}

/* --- programs ----------------------------------------------------------------------------- */

static const char vertex_tail[] = "#if __VERSION__ < 130\n"
                                  "#define IN attribute\n"
                                  "#define OUT varying\n"
                                  "#else\n"
                                  "#define IN in\n"
                                  "#define OUT out\n"
                                  "#endif\n"
                                  "IN vec3 position;\n"
                                  "IN vec3 normal;\n"
                                  "OUT vec3 skinned_position;\n"
                                  "OUT vec3 skinned_normal;\n"
                                  "void main()\n"
                                  "{\n"
                                  "    mrw_skinned v = mrw_skinned(position, normal);\n"
                                  "#ifdef MRW_MORPH\n"
                                  "    v = mrw_morph(position, normal);\n"
                                  "#endif\n"
                                  "    v = mrw_skin(v.position, v.normal);\n"
                                  "    skinned_position = v.position;\n"
                                  "    skinned_normal = v.normal;\n"
                                  "    gl_Position = vec4(v.position, 1.0);\n"
                                  "    gl_PointSize = 1.0;\n"
                                  "}\n";

static const char fragment_tail[] = "#ifdef GL_ES\n"
                                    "precision mediump float;\n"
                                    "#endif\n"
                                    "void main()\n"
                                    "{\n"
                                    "}\n";

static GLuint compile(GLenum kind, const char *const *parts, GLsizei count)
{
    GLuint shader = glCreateShader(kind);
    glShaderSource(shader, count, parts, NULL);
    glCompileShader(shader);
    GLint compiled = GL_FALSE;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    if (compiled != GL_TRUE) {
        char log[2048] = "";
        glGetShaderInfoLog(shader, sizeof(log), NULL, log);
        fprintf(stderr, "a shader does not compile:\n%s%s\n", parts[1], log);
    }
    return shader;
}

static GLuint link_program(const char *const vertex_parts[4], const char *const captured[2])
{
    const char *fragment_parts[] = {vertex_parts[0], fragment_tail};
    GLuint vertex = compile(GL_VERTEX_SHADER, vertex_parts, 4);
    GLuint fragment = compile(GL_FRAGMENT_SHADER, fragment_parts, 2);
    GLuint program = glCreateProgram();
    glAttachShader(program, vertex);
    glAttachShader(program, fragment);
    glBindAttribLocation(program, LOCATION_POSITION, "position");
    glBindAttribLocation(program, LOCATION_NORMAL, "normal");
    glTransformFeedbackVaryings(program, 2, captured, GL_INTERLEAVED_ATTRIBS);
    glLinkProgram(program);
    glDeleteShader(vertex);
    glDeleteShader(fragment);
    GLint linked = GL_FALSE;
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    if (linked == GL_TRUE)
        return program;
    char log[2048] = "";
    glGetProgramInfoLog(program, sizeof(log), NULL, log);
    fprintf(stderr, "a program does not link:\n%s%s\n", vertex_parts[1], log);
    glDeleteProgram(program);
    return 0;
}

static size_t append(char *out, size_t size_bytes, size_t length, const char *text)
{
    int written = snprintf(out + length, size_bytes - length, "%s", text);
    return length + (size_t)written;
}

static void write_defines(const shader_gpu *gpu, const shader_choices *choices, char *out,
                          size_t size_bytes)
{
    static const char *const places[] = {"#define MRW_PALETTE_TEXTURE\n",
                                         "#define MRW_PALETTE_UNIFORM\n",
                                         "#define MRW_PALETTE_STORAGE\n"};
    char line[64];
    size_t length = append(out, size_bytes, 0, places[choices->place]);
    if (choices->place == PALETTE_UNIFORM) {
        /* All that there is room for: what mrw_shader_uniform_joints promises must link. */
        uint32_t joints =
            mrw_shader_uniform_joints(choices->kind, choices->stretch, shader_gpu_max_vectors(gpu),
                                      SHADER_GPU_RESERVED_VECTORS);
        snprintf(line, sizeof(line), "#define MRW_PALETTE_CAPACITY %u\n", (unsigned)joints);
        length = append(out, size_bytes, length, line);
    }
    snprintf(line, sizeof(line), "#define MRW_INFLUENCES %u\n#define MRW_NORMALS %d\n",
             (unsigned)choices->influences, choices->normals);
    length = append(out, size_bytes, length, line);
    if (choices->pairs)
        length = append(out, size_bytes, length, "#define MRW_INFLUENCE_PAIRS\n");
    if (choices->location) {
        snprintf(line, sizeof(line), "#define MRW_LOCATION %d\n", LOCATION_FIRST);
        length = append(out, size_bytes, length, line);
    }
    if (choices->stretch)
        length = append(out, size_bytes, length, "#define MRW_STRETCH\n");
    if (choices->blend_attribute)
        length = append(out, size_bytes, length, "#define MRW_BLEND_ATTRIBUTE\n");
    if (choices->morph)
        append(out, size_bytes, length, "#define MRW_MORPH\n");
}

static GLuint program_of(shader_gpu *gpu, const shader_choices *choices)
{
    char defines[512];
    write_defines(gpu, choices, defines, sizeof(defines));
    for (size_t i = 0; i < gpu->program_count; i++)
        if (gpu->programs[i].kind == choices->kind &&
            gpu->programs[i].dialect == choices->dialect &&
            strcmp(gpu->programs[i].defines, defines) == 0)
            return gpu->programs[i].program;
    const char *version = choices->place == PALETTE_STORAGE
                              ? "#version 430 core\n"
                              : mrw_shader_version_line(choices->dialect);
    static const char *const captured[] = {"skinned_position", "skinned_normal"};
    const char *parts[] = {version, defines, mrw_shader_source(choices->kind, choices->dialect),
                           vertex_tail};
    GLuint program = link_program(parts, captured);
    if (program != 0 && gpu->program_count < CACHE) {
        cached_program *cached = &gpu->programs[gpu->program_count++];
        memcpy(cached->defines, defines, sizeof(defines));
        cached->kind = choices->kind;
        cached->dialect = choices->dialect;
        cached->program = program;
    }
    return program;
}

/* --- what a run makes and throws away ------------------------------------------------------ */

typedef struct gpu_run {
    const shader_choices *choices;
    const shader_case *subject;
    GLuint program;
    bool old; /* GLSL ES 100: floats for integers, sizes of textures as uniforms */
    GLuint buffers[16];
    GLsizei buffer_count;
    GLuint textures[8];
    GLsizei texture_count;
    bool ran;
} gpu_run;

static GLuint make_buffer(gpu_run *run, GLenum target, const void *data, size_t size_bytes)
{
    GLuint *buffer = &run->buffers[run->buffer_count++];
    glGenBuffers(1, buffer);
    glBindBuffer(target, *buffer);
    glBufferData(target, (GLsizeiptr)(size_bytes > 0 ? size_bytes : 4), data, GL_STATIC_DRAW);
    return *buffer;
}

/* The location of an attribute that the choices ask for; with MRW_LOCATION it must be the one that
 * the header names. */
static GLuint attribute_at(gpu_run *run, const char *name, GLint expected)
{
    GLint location = glGetAttribLocation(run->program, name);
    if (location < 0 || (run->choices->location && location != expected)) {
        fprintf(stderr, "attribute %s is at %d, not at %d\n", name, location, expected);
        run->ran = false;
        return 15;
    }
    glEnableVertexAttribArray((GLuint)location);
    return (GLuint)location;
}

static void feed_floats(gpu_run *run, const char *name, GLint expected, GLint width,
                        const float *data)
{
    make_buffer(run, GL_ARRAY_BUFFER, data,
                (size_t)run->subject->vertex_count * (size_t)width * sizeof(float));
    glVertexAttribPointer(attribute_at(run, name, expected), width, GL_FLOAT, GL_FALSE, 0, NULL);
}

static const void *buffer_offset(size_t bytes)
{
    return (const void *)(uintptr_t)bytes;
}

/* uvec4 and vec4; returns how many locations they take. */
static GLint feed_packed(gpu_run *run)
{
    static const char *const joints[] = {"mrw_joints", "mrw_joints_1"};
    static const char *const weights[] = {"mrw_weights", "mrw_weights_1"};
    const shader_case *subject = run->subject;
    size_t count = (size_t)subject->vertex_count * subject->influence_count;
    GLsizei step = (GLsizei)subject->influence_count;
    GLint sets = (GLint)subject->influence_count / 4;
    make_buffer(run, GL_ARRAY_BUFFER, subject->joints, count * sizeof(uint16_t));
    for (GLint i = 0; i < sets; i++) {
        GLuint location = attribute_at(run, joints[i], LOCATION_FIRST + 2 * i);
        const void *offset = buffer_offset((size_t)i * 4 * sizeof(uint16_t));
        if (run->old)
            glVertexAttribPointer(location, 4, GL_UNSIGNED_SHORT, GL_FALSE, 2 * step, offset);
        else
            glVertexAttribIPointer(location, 4, GL_UNSIGNED_SHORT, 2 * step, offset);
    }
    make_buffer(run, GL_ARRAY_BUFFER, subject->weights, count * sizeof(float));
    for (GLint i = 0; i < sets; i++)
        glVertexAttribPointer(attribute_at(run, weights[i], LOCATION_FIRST + 2 * i + 1), 4,
                              GL_FLOAT, GL_FALSE, 4 * step,
                              buffer_offset((size_t)i * 4 * sizeof(float)));
    return 2 * sets;
}

/* One joint and one weight after the other. */
static GLint feed_pairs(gpu_run *run)
{
    const shader_case *subject = run->subject;
    size_t count = (size_t)subject->vertex_count * subject->influence_count;
    float *pairs = malloc(count * 2 * sizeof(float) + 1);
    if (pairs == NULL) {
        run->ran = false;
        return 0;
    }
    for (size_t i = 0; i < count; i++) {
        pairs[2 * i] = (float)subject->joints[i];
        pairs[2 * i + 1] = subject->weights[i];
    }
    make_buffer(run, GL_ARRAY_BUFFER, pairs, count * 2 * sizeof(float));
    free(pairs);
    for (uint32_t i = 0; i < subject->influence_count; i++) {
        char name[32];
        snprintf(name, sizeof(name), "mrw_influence_%u", (unsigned)i);
        glVertexAttribPointer(attribute_at(run, name, LOCATION_FIRST + (GLint)i), 2, GL_FLOAT,
                              GL_FALSE, (GLsizei)(subject->influence_count * 2 * sizeof(float)),
                              buffer_offset((size_t)i * 2 * sizeof(float)));
    }
    return (GLint)subject->influence_count;
}

/* Those of a translated shader stand where shader_gpu_run_translated says, whatever their names. */
static void feed_translated(gpu_run *run)
{
    const shader_case *subject = run->subject;
    size_t count = (size_t)subject->vertex_count * subject->influence_count;
    GLsizei step = (GLsizei)subject->influence_count;
    const float *streams[] = {subject->positions, subject->normals};
    for (GLuint i = 0; i < 2; i++) {
        make_buffer(run, GL_ARRAY_BUFFER, streams[i], (size_t)subject->vertex_count * 12);
        glVertexAttribPointer(i, 3, GL_FLOAT, GL_FALSE, 0, NULL);
    }
    make_buffer(run, GL_ARRAY_BUFFER, subject->joints, count * sizeof(uint16_t));
    for (GLuint i = 0; i < subject->influence_count / 4; i++)
        glVertexAttribIPointer(2 + 2 * i, 4, GL_UNSIGNED_SHORT, 2 * step,
                               buffer_offset((size_t)i * 8));
    make_buffer(run, GL_ARRAY_BUFFER, subject->weights, count * sizeof(float));
    for (GLuint i = 0; i < subject->influence_count / 4; i++)
        glVertexAttribPointer(3 + 2 * i, 4, GL_FLOAT, GL_FALSE, 4 * step,
                              buffer_offset((size_t)i * 16));
    for (GLuint i = 0; i < 2 + subject->influence_count / 2; i++)
        glEnableVertexAttribArray(i);
}

static void feed_attributes(gpu_run *run)
{
    const shader_case *subject = run->subject;
    feed_floats(run, "position", LOCATION_POSITION, 3, subject->positions);
    if (run->choices->normals != 0)
        feed_floats(run, "normal", LOCATION_NORMAL, 3, subject->normals);
    GLint taken = run->choices->pairs ? feed_pairs(run) : feed_packed(run);
    if (run->choices->blend_attribute)
        feed_floats(run, "mrw_dual_quat_weight", LOCATION_FIRST + taken, 1,
                    subject->dual_quat_weights);
    if (!run->choices->morph || !run->old)
        return;
    float *numbers = malloc((size_t)subject->vertex_count * sizeof(float) + 1);
    for (uint32_t i = 0; numbers != NULL && i < subject->vertex_count; i++)
        numbers[i] = (float)i;
    feed_floats(run, "mrw_vertex_index", -1, 1, numbers);
    free(numbers);
}

static GLint uniform_at(gpu_run *run, const char *name)
{
    GLint location = glGetUniformLocation(run->program, name);
    if (location < 0) {
        fprintf(stderr, "no uniform %s\n", name);
        run->ran = false;
    }
    return location;
}

static void set_int(gpu_run *run, const char *name, uint32_t value)
{
    if (run->old)
        glUniform1f(uniform_at(run, name), (float)value);
    else
        glUniform1i(uniform_at(run, name), (GLint)value);
}

/* A float texture with these vectors. width: floats a vector, 1 or 4. */
static void set_texture(gpu_run *run, const char *name, const float *vectors, size_t count,
                        size_t width)
{
    size_t columns = count > 2048u * NARROW_TEXELS ? WIDE_TEXELS : NARROW_TEXELS;
    size_t rows = (count + columns - 1) / columns + 1;
    float *texels = calloc(rows * columns * width, sizeof(float));
    if (texels == NULL) {
        run->ran = false;
        return;
    }
    memcpy(texels, vectors, count * width * sizeof(float));
    GLint unit = run->texture_count;
    GLuint *texture = &run->textures[run->texture_count++];
    glGenTextures(1, texture);
    glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
    glBindTexture(GL_TEXTURE_2D, *texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    glTexImage2D(GL_TEXTURE_2D, 0, width == 4 ? GL_RGBA32F : GL_R32F, (GLsizei)columns,
                 (GLsizei)rows, 0, width == 4 ? GL_RGBA : GL_RED, GL_FLOAT, texels);
    free(texels);
    glUniform1i(uniform_at(run, name), unit);
    if (run->old) {
        char size_name[64];
        snprintf(size_name, sizeof(size_name), "%s_size", name);
        glUniform2f(uniform_at(run, size_name), (float)columns, (float)rows);
    }
}

/* One of the three arrays of a palette. each: vectors a joint; binding: of storage buffers. */
static void set_palette_array(gpu_run *run, const char *name, const float *vectors, size_t each,
                              uint32_t first_character, GLuint binding)
{
    const shader_case *subject = run->subject;
    size_t count = subject->palette_count * each;
    switch (run->choices->place) {
    case PALETTE_TEXTURE:
        set_texture(run, name, vectors, count, 4);
        break;
    case PALETTE_STORAGE: {
        GLuint buffer = make_buffer(run, GL_SHADER_STORAGE_BUFFER, vectors, count * 16);
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, binding, buffer);
        break;
    }
    case PALETTE_UNIFORM: {
        size_t first = subject->palette_first + (size_t)first_character * subject->palette_stride;
        glUniform4fv(uniform_at(run, name), (GLsizei)(subject->joint_count * each),
                     vectors + first * each * 4);
        break;
    }
    }
}

static void set_palette(gpu_run *run, uint32_t first_character)
{
    const shader_case *subject = run->subject;
    if (run->choices->kind != MRW_SHADER_DUAL_QUAT)
        set_palette_array(run, "mrw_palette", &subject->palette->m[0][0], 3, first_character, 0);
    if (run->choices->kind != MRW_SHADER_LINEAR) {
        set_palette_array(run, "mrw_dual_quats", &subject->dual_quats->real.x, 2, first_character,
                          1);
        if (run->choices->stretch)
            set_palette_array(run, "mrw_stretches", &subject->stretches->m[0][0], 3,
                              first_character, 2);
    }
    if (run->choices->place == PALETTE_UNIFORM)
        return;
    set_int(run, "mrw_palette_first",
            subject->palette_first + first_character * subject->palette_stride);
    if (!run->old)
        set_int(run, "mrw_palette_stride", subject->palette_stride);
}

static void put_deltas(float *texels, const mrw_morph_target *target, const float *deltas,
                       uint32_t vertex_count)
{
    for (uint32_t i = 0; deltas != NULL && i < mrw_morph_target_count(target, vertex_count); i++)
        memcpy(texels + (size_t)mrw_morph_target_vertex(target, i) * 8, deltas + (size_t)i * 3,
               3 * sizeof(float));
}

static void set_morph(gpu_run *run, uint32_t first_character)
{
    const shader_case *subject = run->subject;
    size_t texels = (size_t)subject->target_count * subject->vertex_count * 2;
    float *deltas = calloc(texels * 4 + 1, sizeof(float));
    if (deltas == NULL) {
        run->ran = false;
        return;
    }
    for (uint32_t t = 0; t < subject->target_count; t++) {
        const mrw_morph_target *target = &subject->targets[t];
        float *texels_of_target = deltas + (size_t)t * subject->vertex_count * 8;
        put_deltas(texels_of_target, target, target->positions, subject->vertex_count);
        put_deltas(texels_of_target + 4, target, target->normals, subject->vertex_count);
    }
    set_texture(run, "mrw_morph_deltas", deltas, texels, 4);
    free(deltas);
    set_texture(run, "mrw_morph_weights", subject->scalars,
                subject->scalar_first + (size_t)SHADER_CASE_CHARACTERS * subject->scalar_stride, 1);
    set_int(run, "mrw_morph_target_count", subject->target_count);
    set_int(run, "mrw_morph_vertex_count", subject->vertex_count);
    set_int(run, "mrw_morph_first",
            subject->scalar_first + first_character * subject->scalar_stride);
    if (!run->old)
        set_int(run, "mrw_morph_stride", subject->scalar_stride);
}

static void draw_and_read(gpu_run *run, uint32_t character_count, float *out)
{
    size_t size_bytes = (size_t)run->subject->vertex_count * character_count * 6 * sizeof(float);
    GLuint buffer = make_buffer(run, GL_TRANSFORM_FEEDBACK_BUFFER, NULL, size_bytes);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    glBeginTransformFeedback(GL_POINTS);
    glDrawArraysInstanced(GL_POINTS, 0, (GLsizei)run->subject->vertex_count,
                          (GLsizei)character_count);
    glEndTransformFeedback();
    const void *caught =
        glMapBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0, (GLsizeiptr)size_bytes, GL_MAP_READ_BIT);
    if (caught != NULL)
        memcpy(out, caught, size_bytes);
    glUnmapBuffer(GL_TRANSFORM_FEEDBACK_BUFFER);
    GLenum error = glGetError();
    if (caught == NULL || error != GL_NO_ERROR) {
        fprintf(stderr, "OpenGL error 0x%x\n", error);
        run->ran = false;
    }
}

static void throw_away(gpu_run *run)
{
    for (GLuint i = 0; i < 16; i++)
        glDisableVertexAttribArray(i);
    glDeleteBuffers(run->buffer_count, run->buffers);
    glDeleteTextures(run->texture_count, run->textures);
}

bool shader_gpu_run(shader_gpu *gpu, const shader_choices *choices, const shader_case *subject,
                    uint32_t first_character, uint32_t character_count, float dual_quat_weight,
                    float *out)
{
    gpu_run run = {choices, subject, program_of(gpu, choices), false, {0}, 0, {0}, 0, true};
    run.old = choices->dialect == MRW_GLSL_ES_100;
    if (run.program == 0)
        return false;
    glUseProgram(run.program);
    feed_attributes(&run);
    set_palette(&run, first_character);
    if (choices->morph)
        set_morph(&run, first_character);
    if (choices->kind == MRW_SHADER_BLENDED && !choices->blend_attribute)
        glUniform1f(uniform_at(&run, "mrw_dual_quat_weight"), dual_quat_weight);
    if (run.ran)
        draw_and_read(&run, character_count, out);
    throw_away(&run);
    return run.ran;
}

/* --- translated shaders -------------------------------------------------------------------- */

static void bind_everywhere(gpu_run *run, GLuint binding, const float *vectors, size_t each)
{
    GLuint buffer = make_buffer(run, GL_SHADER_STORAGE_BUFFER, vectors,
                                run->subject->palette_count * each * 16);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, binding, buffer);
    glBindBufferBase(GL_UNIFORM_BUFFER, binding, buffer);
}

bool shader_gpu_run_translated(shader_gpu *gpu, const shader_choices *choices, const char *text,
                               const shader_case *subject, float *out)
{
    static const char *const captured[] = {"_vs2fs_location0", "_vs2fs_location1"};
    /* The text has its own version line, so the parts before it are empty. */
    const char *parts[] = {"", "", text, ""};
    gpu_run run = {choices, subject, link_program(parts, captured), false, {0}, 0, {0}, 0, true};
    (void)gpu;
    if (run.program == 0)
        return false;
    glUseProgram(run.program);
    if (choices->kind == MRW_SHADER_LINEAR) {
        bind_everywhere(&run, 0, &subject->palette->m[0][0], 3);
    } else {
        bind_everywhere(&run, 0, &subject->dual_quats->real.x, 2);
        bind_everywhere(&run, 1, &subject->stretches->m[0][0], 3);
    }
    feed_translated(&run);
    draw_and_read(&run, SHADER_CASE_CHARACTERS, out);
    throw_away(&run);
    glDeleteProgram(run.program);
    return run.ran;
}
