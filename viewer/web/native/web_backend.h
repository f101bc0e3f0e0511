/* The backend of a web page: every call goes to a JavaScript function of the import module
 * "backend", which draws with WebGL 2 (viewer/web/webgl_backend.js). */
#ifndef VIEW_WEB_BACKEND_H
#define VIEW_WEB_BACKEND_H

#include "core/backend.h"

/* One in a page. JavaScript writes its sentence about a failure into view_web_backend_words(). */
const view_backend *view_web_backend(void);

#define VIEW_WEB_WORDS_BYTES 512
char *view_web_backend_words(void);

#endif
