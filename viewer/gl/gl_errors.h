/* Errors that OpenGL keeps until somebody asks. */
#ifndef VIEW_GL_GL_ERRORS_H
#define VIEW_GL_GL_ERRORS_H

/* What went wrong earlier is not to be blamed on what is done next. */
void view_gl_forget_errors(void);

/* The first error since, GL_NO_ERROR (0) if there is none; forgets the others. */
unsigned view_gl_take_error(void);

#endif
