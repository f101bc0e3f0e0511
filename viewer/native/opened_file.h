/* The file that a viewer shows: opening it, and noticing that it changed on disk. */
#ifndef VIEW_NATIVE_OPENED_FILE_H
#define VIEW_NATIVE_OPENED_FILE_H

#include "core/viewer.h"

/* Zeroed is none. */
typedef struct view_opened_file {
    char *path;
    bool allow_external;
    char **parts; /* files that it is made of, itself first */
    uint32_t part_count;
    uint64_t shown; /* what the disk said when it was opened last, well or not */
    uint64_t seen;  /* what it said when it was last looked at */
} view_opened_file;

/* `scene` of the file is shown already. False: out of memory. */
bool view_opened_file_set(view_opened_file *file, const char *path, bool allow_external,
                          const mrw_scene *scene);
void view_opened_file_free(view_opened_file *file);

/* Its name without folders, "" if there is none. */
const char *view_opened_file_name(const view_opened_file *file);

/* Imports `path` and shows it. On failure viewer and file are what they were before, and
 * out_message, which names the file, says what is wrong with it and what to do. */
bool view_opened_file_open(view_opened_file *file, const char *path, view_viewer *viewer,
                           char *out_message, size_t message_size);

/* Shows the file again as it is now; clip, time, camera and selection stay. Failure as above; the
 * file is then not tried again until it changes. */
bool view_opened_file_reload(view_opened_file *file, view_viewer *viewer, char *out_message,
                             size_t message_size);

/* Whether the file has changed and then been left alone between the last call and this one: who
 * writes it may still be at it. Call it about three times a second. */
bool view_opened_file_changed(view_opened_file *file);

#endif
