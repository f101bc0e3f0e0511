/* The shell around the viewer.
 *
 *     GLFW --pointer, keys, files--> window --> viewer (picture), overlay (panels)
 *                                      |            both draw into one multisampled framebuffer,
 *                                      |            which is then copied to the screen
 *                                      +--> opened_file (reading, reloading)
 *
 * A frame is drawn when something has happened or moves, and not before the screen can show it: a
 * viewer that stands still sleeps.
 */
#include "native/window.h"

#include "gl/framebuffer.h"
#include "gl/gl_backend.h"
#include "native/keys.h"
#include "native/opened_file.h"
#include "native/overlay.h"
#include "native/picture_name.h"

#include <epoxy/gl.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How often the file is looked at, and how long the window sleeps if nothing happens. */
#define LOOK_INTERVAL_S 0.3
/* A press and a release with less than this between them are a click, in points. */
#define CLICK_RADIUS 4.0f

typedef enum scene_drag { DRAG_NONE, DRAG_ORBIT, DRAG_PAN } scene_drag;
typedef enum wanted_picture { PICTURE_NONE, PICTURE_SCENE, PICTURE_WINDOW } wanted_picture;

struct view_window {
    view_window_options options;
    GLFWwindow *glfw;
    view_backend backend;
    bool has_backend;
    view_viewer viewer;
    bool has_viewer;
    view_canvas *canvas;
    float scale; /* pixels of a point */
    view_overlay overlay;
    view_framebuffer framebuffer;
    bool has_framebuffer;
    view_opened_file file;
    char title[512];

    scene_drag drag;
    float x, y; /* the pointer, in pixels */
    float press_x, press_y;
    bool is_click; /* it has not moved since it was pressed on the picture */

    bool dirty; /* a frame is to be drawn */
    wanted_picture picture;
    double frame_start_s; /* of the last frame */
    double next_frame_s;
    double next_look_s;
    bool was_moving;
    double counted_from_s; /* frames are counted, to tell how many a second there are */
    uint32_t counted;
};

/* GLFW's words about its last failure. */
static char glfw_words[256];

static void on_glfw_error(int code, const char *words)
{
    (void)code;
    snprintf(glfw_words, sizeof(glfw_words), "%s", words);
}

/* In the window, and for whoever has started it. */
static void say(view_window *window, bool is_error, const char *text)
{
    if (strcmp(window->overlay.message, text) == 0 && is_error)
        return; /* a frame that fails does so again */
    view_overlay_say(&window->overlay, is_error, glfwGetTime(), text);
    window->options.report(text);
    window->dirty = true;
}

/* --- files --------------------------------------------------------------------------- */

static void update_title(view_window *window)
{
    const view_viewer *viewer = &window->viewer;
    char title[sizeof(window->title)] = "Marrow";
    if (viewer->character != NULL) {
        int32_t clip = viewer->timeline.clip;
        const char *name = clip >= 0 ? viewer->character->clips[clip].name : "rest pose";
        snprintf(title, sizeof(title), "%s - %s - Marrow", view_opened_file_name(&window->file),
                 name[0] != '\0' ? name : "(no name)");
    }
    if (strcmp(title, window->title) == 0)
        return;
    memcpy(window->title, title, sizeof(title));
    glfwSetWindowTitle(window->glfw, title);
}

/* What is shown has come from the file anew. `news` says so, unless something worse is to be said.
 */
static void file_is_new(view_window *window, const char *news)
{
    window->overlay.file_name = view_opened_file_name(&window->file);
    window->overlay.listed_clip = -2; /* none: scroll to the one that plays */
    window->dirty = true;
    const uint32_t missing = view_renderer_missing_images(window->viewer.renderer);
    char message[VIEW_MESSAGE_SIZE];
    snprintf(message, sizeof(message),
             "%s: %u of its pictures are missing or cannot be decoded: their surfaces stay plain",
             window->overlay.file_name, (unsigned)missing);
    if (missing > 0 || news != NULL)
        say(window, false, missing > 0 ? message : news);
}

bool view_window_show(view_window *window, const char *path, mrw_scene *scene,
                      mrw_character *character, const char **out_reason)
{
    if (!view_viewer_open(&window->viewer, scene, character, false, out_reason))
        return false;
    if (!view_opened_file_set(&window->file, path, window->options.allow_external,
                              window->viewer.scene)) {
        *out_reason = "out of memory";
        return false;
    }
    file_is_new(window, NULL);
    return true;
}

static void open_file(view_window *window, const char *path)
{
    char message[VIEW_MESSAGE_SIZE];
    if (!view_opened_file_open(&window->file, path, &window->viewer, message, sizeof(message))) {
        say(window, true, message);
        return;
    }
    snprintf(message, sizeof(message), "opened %s", view_opened_file_name(&window->file));
    file_is_new(window, message);
}

static void look_at_file(view_window *window)
{
    if (glfwGetTime() < window->next_look_s)
        return;
    window->next_look_s = glfwGetTime() + LOOK_INTERVAL_S;
    if (!view_opened_file_changed(&window->file))
        return;
    char reason[VIEW_MESSAGE_SIZE - 64], message[VIEW_MESSAGE_SIZE];
    if (!view_opened_file_reload(&window->file, &window->viewer, reason, sizeof(reason))) {
        snprintf(message, sizeof(message), "%s. It stays as it was before.", reason);
        say(window, true, message);
        return;
    }
    snprintf(message, sizeof(message), "read %s again: it has changed",
             view_opened_file_name(&window->file));
    file_is_new(window, message);
}

/* --- frames -------------------------------------------------------------------------- */

static bool use_framebuffer(view_window *window, uint32_t width, uint32_t height)
{
    const view_framebuffer *had = &window->framebuffer;
    if (window->has_framebuffer && had->width == width && had->height == height)
        return true;
    if (window->has_framebuffer)
        view_framebuffer_free(&window->framebuffer);
    window->has_framebuffer = view_framebuffer_create(width, height, &window->framebuffer);
    return window->has_framebuffer;
}

/* Pixels of a point. */
static float content_scale(GLFWwindow *glfw)
{
    float scale_x = 1.0f, scale_y = 1.0f;
    glfwGetWindowContentScale(glfw, &scale_x, &scale_y);
    return scale_x >= 0.5f && scale_x <= 8.0f ? scale_x : 1.0f;
}

/* Another screen may be denser. */
static void use_scale(view_window *window)
{
    const float scale = content_scale(window->glfw);
    if (scale == window->scale)
        return;
    const char *reason = NULL;
    view_canvas *canvas = view_canvas_create(scale, &reason);
    if (canvas == NULL)
        return; /* text stays as large as it was */
    view_canvas_free(window->canvas);
    window->canvas = canvas;
    window->scale = scale;
}

static void write_picture(view_window *window)
{
    const view_framebuffer *framebuffer = &window->framebuffer;
    const view_viewer *viewer = &window->viewer;
    const char *clip = "rest";
    char path[VIEW_PICTURE_NAME_SIZE], message[VIEW_MESSAGE_SIZE];
    window->picture = PICTURE_NONE;
    uint8_t *rgba = malloc((size_t)framebuffer->width * framebuffer->height * 4);
    if (viewer->character != NULL && viewer->timeline.clip >= 0)
        clip = viewer->character->clips[viewer->timeline.clip].name;
    const char *reason = "out of memory";
    bool written = rgba != NULL;
    if (written) {
        view_picture_name(view_opened_file_name(&window->file), clip, path);
        view_framebuffer_read(framebuffer, rgba);
        written = window->options.write_picture(path, rgba, framebuffer->width, framebuffer->height,
                                                &reason);
    }
    free(rgba);
    if (written)
        snprintf(message, sizeof(message), "wrote %s", path);
    else
        snprintf(message, sizeof(message), "no picture was written: %s", reason);
    say(window, !written, message);
}

static void copy_to_screen(const view_framebuffer *framebuffer)
{
    const GLint width = (GLint)framebuffer->width, height = (GLint)framebuffer->height;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer->draw_target);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer->resolve_target);
    glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer->resolve_target);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

static void draw_picture(view_window *window, double elapsed_s, uint32_t width, uint32_t height)
{
    const char *reason = NULL;
    view_gl_backend_set_target(&window->backend, window->framebuffer.draw_target);
    if (!view_viewer_frame(&window->viewer, elapsed_s, width, height, &reason))
        say(window, true, reason);
    if (window->picture == PICTURE_SCENE)
        write_picture(window);
}

static void draw_overlay(view_window *window, uint32_t width, uint32_t height)
{
    const view_pointer *pointer = &window->overlay.panels.pointer;
    const bool used = pointer->pressed || pointer->down || pointer->wheel != 0.0f;
    glBindFramebuffer(GL_FRAMEBUFFER, window->framebuffer.draw_target);
    glViewport(0, 0, (GLsizei)width, (GLsizei)height);
    view_canvas_begin(window->canvas, width, height);
    view_overlay_draw(&window->overlay, &window->viewer, window->canvas, window->scale,
                      glfwGetTime());
    view_canvas_draw(window->canvas);
    if (used)
        window->dirty = true; /* what a control has changed shows in the next frame */
    if (window->picture == PICTURE_WINDOW)
        write_picture(window);
}

static void count_frame(view_window *window, double now_s, bool moving)
{
    if (!moving || !window->was_moving) {
        window->counted_from_s = now_s;
        window->counted = 0;
        window->overlay.frames_per_s = 0.0f;
        return;
    }
    window->counted++;
    if (now_s - window->counted_from_s < 0.5)
        return;
    window->overlay.frames_per_s = (float)(window->counted / (now_s - window->counted_from_s));
    window->counted_from_s = now_s;
    window->counted = 0;
}

static void draw(view_window *window)
{
    int width = 0, height = 0;
    glfwGetFramebufferSize(window->glfw, &width, &height);
    const double now_s = glfwGetTime();
    const bool moving = view_viewer_moves(&window->viewer);
    window->dirty = false;
    if (width <= 0 || height <= 0)
        return;
    if (!use_framebuffer(window, (uint32_t)width, (uint32_t)height)) {
        say(window, true, "the graphics driver cannot draw a window of this size");
        window->dirty = false; /* it cannot be shown either */
        return;
    }
    use_scale(window);
    count_frame(window, now_s, moving);
    draw_picture(window, moving && window->was_moving ? now_s - window->frame_start_s : 0.0,
                 (uint32_t)width, (uint32_t)height);
    draw_overlay(window, (uint32_t)width, (uint32_t)height);
    copy_to_screen(&window->framebuffer);
    glfwSwapBuffers(window->glfw);
    update_title(window);
    window->frame_start_s = now_s;
    window->was_moving = moving;
}

/* Where the screen's rhythm makes swapping wait, this never waits longer; where nothing does (a
 * virtual screen), it keeps to about that rhythm. */
static double frame_interval_s(void)
{
    GLFWmonitor *monitor = glfwGetPrimaryMonitor();
    const GLFWvidmode *mode = monitor != NULL ? glfwGetVideoMode(monitor) : NULL;
    return 0.85 / (mode != NULL && mode->refreshRate > 0 ? mode->refreshRate : 60);
}

static bool message_runs_out(const view_overlay *overlay)
{
    return overlay->message[0] != '\0' && !overlay->message_is_error &&
           glfwGetTime() > overlay->message_until_s;
}

void view_window_run(view_window *window)
{
    while (!glfwWindowShouldClose(window->glfw)) {
        const bool hidden = glfwGetWindowAttrib(window->glfw, GLFW_ICONIFIED) != 0;
        if (!hidden && (window->dirty || view_viewer_moves(&window->viewer))) {
            for (double left_s; (left_s = window->next_frame_s - glfwGetTime()) > 0.0;)
                glfwWaitEventsTimeout(left_s);
            glfwPollEvents();
        } else {
            glfwWaitEventsTimeout(LOOK_INTERVAL_S);
        }
        look_at_file(window);
        if (message_runs_out(&window->overlay))
            window->dirty = true;
        if (!hidden && (window->dirty || view_viewer_moves(&window->viewer))) {
            window->next_frame_s = glfwGetTime() + frame_interval_s();
            draw(window);
        }
    }
}

/* --- what the person does --------------------------------------------------------------- */

static view_window *window_of(GLFWwindow *glfw)
{
    return glfwGetWindowUserPointer(glfw);
}

static void on_key(GLFWwindow *glfw, int key, int scancode, int action, int modifiers)
{
    view_window *window = window_of(glfw);
    if (action == GLFW_RELEASE || (modifiers & (GLFW_MOD_CONTROL | GLFW_MOD_ALT | GLFW_MOD_SUPER)))
        return;
    const char *name = view_key_name(key, scancode);
    if (name == NULL)
        return;
    window->dirty = true;
    int32_t command = view_command_of_key(name);
    /* A key that is held goes on where that means going on. */
    const bool repeats = command == VIEW_STEP_BACK || command == VIEW_STEP_ON ||
                         command == VIEW_FADE_LESS || command == VIEW_FADE_MORE ||
                         command == VIEW_NEXT_JOINT || command == VIEW_NEXT_CLIP ||
                         command == VIEW_PREVIOUS_CLIP;
    if (action == GLFW_REPEAT && !repeats)
        return;
    if (command == VIEW_DESELECT && window->viewer.settings.help)
        command = VIEW_HELP; /* Escape closes what is in front */
    if (command >= 0)
        view_viewer_command(&window->viewer, (view_command)command);
    else if (strcmp(name, "p") == 0)
        window->picture = (modifiers & GLFW_MOD_SHIFT) ? PICTURE_WINDOW : PICTURE_SCENE;
    else if (strcmp(name, "u") == 0)
        window->overlay.hidden = !window->overlay.hidden;
    else if (strcmp(name, "q") == 0)
        glfwSetWindowShouldClose(glfw, GLFW_TRUE);
}

static void on_pointer(GLFWwindow *glfw, double x, double y)
{
    view_window *window = window_of(glfw);
    int window_width = 0, window_height = 0, width = 0, height = 0;
    glfwGetWindowSize(glfw, &window_width, &window_height);
    glfwGetFramebufferSize(glfw, &width, &height);
    if (window_width <= 0 || window_height <= 0)
        return;
    const float pixel_x = (float)(x * width / window_width),
                pixel_y = (float)(y * height / window_height);
    const float dx = pixel_x - window->x, dy = pixel_y - window->y;
    window->x = pixel_x;
    window->y = pixel_y;
    window->overlay.panels.pointer.x = pixel_x / window->scale;
    window->overlay.panels.pointer.y = pixel_y / window->scale;
    window->dirty = true;
    if (window->drag == DRAG_NONE)
        return;
    if (hypotf(pixel_x - window->press_x, pixel_y - window->press_y) > CLICK_RADIUS * window->scale)
        window->is_click = false;
    if (window->is_click)
        return;
    if (window->drag == DRAG_ORBIT)
        view_orbit_rotate(&window->viewer.orbit, dx, dy, (float)height);
    else
        view_orbit_pan(&window->viewer.orbit, dx, dy, (float)height);
}

static void press(view_window *window, int button, int modifiers)
{
    view_pointer *pointer = &window->overlay.panels.pointer;
    const bool left = button == GLFW_MOUSE_BUTTON_LEFT;
    if (view_panels_cover(&window->overlay.panels, pointer->x, pointer->y)) {
        if (!left)
            return;
        pointer->pressed = pointer->down = true;
        pointer->press_x = pointer->x;
        pointer->press_y = pointer->y;
        return;
    }
    window->drag = left && !(modifiers & GLFW_MOD_SHIFT) ? DRAG_ORBIT : DRAG_PAN;
    window->is_click = left;
    window->press_x = window->x;
    window->press_y = window->y;
}

static void release(view_window *window, int button)
{
    int width = 0, height = 0;
    glfwGetFramebufferSize(window->glfw, &width, &height);
    if (button == GLFW_MOUSE_BUTTON_LEFT)
        window->overlay.panels.pointer.down = false;
    if (window->drag != DRAG_NONE && window->is_click && button == GLFW_MOUSE_BUTTON_LEFT)
        view_viewer_click(&window->viewer, window->x, window->y, (float)width, (float)height);
    window->drag = DRAG_NONE;
    window->is_click = false;
}

static void on_button(GLFWwindow *glfw, int button, int action, int modifiers)
{
    view_window *window = window_of(glfw);
    if (action == GLFW_PRESS)
        press(window, button, modifiers);
    else
        release(window, button);
    window->dirty = true;
}

static void on_wheel(GLFWwindow *glfw, double x, double y)
{
    (void)x;
    view_window *window = window_of(glfw);
    view_pointer *pointer = &window->overlay.panels.pointer;
    if (view_panels_cover(&window->overlay.panels, pointer->x, pointer->y))
        pointer->wheel += (float)y;
    else
        view_orbit_zoom(&window->viewer.orbit, (float)y);
    window->dirty = true;
}

static bool is_character_file(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot != NULL && (strcmp(dot, ".glb") == 0 || strcmp(dot, ".gltf") == 0 ||
                           strcmp(dot, ".bvh") == 0 || strcmp(dot, ".mrw") == 0);
}

/* Of several, such as a .gltf with its buffers, the one that can be opened. */
static void on_drop(GLFWwindow *glfw, int count, const char **paths)
{
    const char *chosen = paths[0];
    for (int i = count - 1; i >= 0; i--)
        if (is_character_file(paths[i]))
            chosen = paths[i];
    open_file(window_of(glfw), chosen);
    glfwFocusWindow(glfw);
}

static void on_leave(GLFWwindow *glfw, int entered)
{
    view_window *window = window_of(glfw);
    if (!entered && window->drag == DRAG_NONE && !window->overlay.panels.pointer.down)
        window->overlay.panels.pointer.x = window->overlay.panels.pointer.y = -1.0f;
    window->dirty = true;
}

static void on_size(GLFWwindow *glfw, int width, int height)
{
    (void)width;
    (void)height;
    window_of(glfw)->dirty = true;
}

static void on_refresh(GLFWwindow *glfw)
{
    window_of(glfw)->dirty = true;
}

static void set_callbacks(view_window *window)
{
    GLFWwindow *glfw = window->glfw;
    glfwSetWindowUserPointer(glfw, window);
    glfwSetKeyCallback(glfw, on_key);
    glfwSetCursorPosCallback(glfw, on_pointer);
    glfwSetCursorEnterCallback(glfw, on_leave);
    glfwSetMouseButtonCallback(glfw, on_button);
    glfwSetScrollCallback(glfw, on_wheel);
    glfwSetDropCallback(glfw, on_drop);
    glfwSetFramebufferSizeCallback(glfw, on_size);
    glfwSetWindowRefreshCallback(glfw, on_refresh);
}

/* --- opening and closing the window -------------------------------------------------------- */

/* GLFW's own words differ from version to version, and are about its insides. */
static bool is_without_display(void)
{
#if defined(__unix__) && !defined(__APPLE__)
    const char *x11 = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");
    return (x11 == NULL || x11[0] == '\0') && (wayland == NULL || wayland[0] == '\0');
#else
    return false;
#endif
}

/* Most of the screen, but no more than is comfortable. */
static void default_size(int *out_width, int *out_height)
{
    int x, y, width = 0, height = 0;
    GLFWmonitor *monitor = glfwGetPrimaryMonitor();
    if (monitor != NULL)
        glfwGetMonitorWorkarea(monitor, &x, &y, &width, &height);
    *out_width = width > 0 && width * 9 / 10 < 1280 ? width * 9 / 10 : 1280;
    *out_height = height > 0 && height * 9 / 10 < 800 ? height * 9 / 10 : 800;
}

static bool open_glfw(view_window *window)
{
    int width = (int)window->options.width, height = (int)window->options.height;
    const bool chosen = width > 0 && height > 0;
    if (!chosen)
        default_size(&width, &height);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    glfwWindowHint(GLFW_DEPTH_BITS, 0); /* all is drawn elsewhere, then copied */
    glfwWindowHint(GLFW_STENCIL_BITS, 0);
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, chosen ? GLFW_FALSE : GLFW_TRUE);
    glfwWindowHintString(GLFW_X11_CLASS_NAME, "marrow");
    glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "marrow");
    window->glfw = glfwCreateWindow(width, height, "Marrow", NULL, NULL);
    if (window->glfw == NULL)
        return false;
    glfwMakeContextCurrent(window->glfw);
    glfwSwapInterval(1);
    return true;
}

static bool make_parts(view_window *window, const char **out_reason)
{
    window->has_backend = view_gl_backend_create(&window->backend, out_reason);
    if (!window->has_backend)
        return false;
    *out_reason = "out of memory";
    window->has_viewer =
        view_viewer_create(&window->backend, glfwGetTime, &window->viewer) == MRW_OK;
    if (!window->has_viewer)
        return false;
    window->scale = content_scale(window->glfw);
    window->canvas = view_canvas_create(window->scale, out_reason);
    return window->canvas != NULL;
}

view_window *view_window_open(const view_window_options *options, const char **out_reason)
{
    *out_reason = "out of memory";
    if (is_without_display()) {
        *out_reason = "there is no display: neither DISPLAY nor WAYLAND_DISPLAY is set";
        return NULL;
    }
    view_window *window = calloc(1, sizeof(*window));
    if (window == NULL)
        return NULL;
    window->options = *options;
    window->overlay.file_name = "";
    window->overlay.panels.pointer.x = window->overlay.panels.pointer.y = -1.0f;
    window->dirty = true;
    glfwSetErrorCallback(on_glfw_error);
    if (!glfwInit() || !open_glfw(window)) {
        *out_reason = glfw_words[0] != '\0' ? glfw_words : "GLFW does not say why";
    } else if (make_parts(window, out_reason)) {
        set_callbacks(window);
        return window;
    }
    view_window_close(window);
    return NULL;
}

void view_window_close(view_window *window)
{
    if (window == NULL)
        return;
    if (window->has_viewer)
        view_viewer_free(&window->viewer);
    view_opened_file_free(&window->file);
    view_canvas_free(window->canvas);
    if (window->has_framebuffer)
        view_framebuffer_free(&window->framebuffer);
    if (window->has_backend)
        view_gl_backend_free(&window->backend);
    glfwTerminate();
    free(window);
}

view_viewer *view_window_viewer(view_window *window)
{
    return &window->viewer;
}
