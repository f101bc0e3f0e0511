/* What a picture is called that a person takes by a key. */
#ifndef VIEW_NATIVE_PICTURE_NAME_H
#define VIEW_NATIVE_PICTURE_NAME_H

#define VIEW_PICTURE_NAME_SIZE 160

/* "Fox-Run-1.png", in the folder that the program runs in; the number is the first that is free.
 * What is awkward in a file name becomes an underscore. */
void view_picture_name(const char *file_name, const char *clip_name,
                       char out_name[VIEW_PICTURE_NAME_SIZE]);

#endif
