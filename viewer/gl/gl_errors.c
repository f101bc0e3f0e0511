#include "gl/gl_errors.h"

#include <epoxy/gl.h>

/* Bounded: a context that is lost may report an error for ever. */
void view_gl_forget_errors(void)
{
    for (int i = 0; i < 16 && glGetError() != GL_NO_ERROR; i++)
        continue;
}

unsigned view_gl_take_error(void)
{
    const GLenum first = glGetError();
    if (first != GL_NO_ERROR)
        view_gl_forget_errors();
    return first;
}
