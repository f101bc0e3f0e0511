#include <marrow/offline/build.h>

#include <string.h>

void mrw_bytes_free(mrw_bytes *bytes)
{
    if (bytes == NULL)
        return;
    if (bytes->data != NULL)
        bytes->allocator.release(bytes->allocator.user, bytes->data, bytes->size_bytes);
    memset(bytes, 0, sizeof(*bytes));
}
