#include "gl/context.h"

#include <epoxy/egl.h>
#include <epoxy/gl.h>

#include <stddef.h>
#include <string.h>

#define INSTALL_MESA                                                                               \
    "install a graphics driver, or Mesa's software renderer (on Debian: libegl1 libgl1-mesa-dri)"

/* Mesa's surfaceless platform needs no display. Where it is missing the default display may do. */
static EGLDisplay open_display(void)
{
    const char *extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    EGLDisplay display = EGL_NO_DISPLAY;
    if (extensions != NULL && strstr(extensions, "EGL_MESA_platform_surfaceless") != NULL &&
        strstr(extensions, "EGL_EXT_platform_base") != NULL)
        display = eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, NULL, NULL);
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL)) {
        display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
        if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL))
            return EGL_NO_DISPLAY;
    }
    return display;
}

bool view_context_create(view_context *out_context, const char **out_reason)
{
    out_context->display = NULL;
    out_context->context = NULL;
    EGLDisplay display = open_display();
    if (display == EGL_NO_DISPLAY) {
        *out_reason = "EGL finds no display to draw on: " INSTALL_MESA;
        return false;
    }
    static const EGLint config_attributes[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
    static const EGLint context_attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                                                3,
                                                EGL_CONTEXT_MINOR_VERSION,
                                                3,
                                                EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                                EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                                EGL_NONE};
    EGLConfig config = EGL_NO_CONFIG_KHR;
    EGLint count = 0;
    EGLContext context = EGL_NO_CONTEXT;
    if (eglBindAPI(EGL_OPENGL_API) &&
        (!eglChooseConfig(display, config_attributes, &config, 1, &count) || count == 0))
        config = EGL_NO_CONFIG_KHR; /* surfaceless displays may have none */
    context = eglCreateContext(display, config, EGL_NO_CONTEXT, context_attributes);
    if (context == EGL_NO_CONTEXT ||
        !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
        if (context != EGL_NO_CONTEXT)
            eglDestroyContext(display, context);
        eglTerminate(display);
        *out_reason = "no OpenGL 3.3 context can be had: " INSTALL_MESA;
        return false;
    }
    out_context->display = display;
    out_context->context = context;
    return true;
}

void view_context_free(view_context *context)
{
    if (context->display == NULL)
        return;
    eglMakeCurrent(context->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(context->display, context->context);
    eglTerminate(context->display);
    context->display = NULL;
    context->context = NULL;
}
