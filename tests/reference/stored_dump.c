/* Stored clips and what they were made from, three lines each, for stored_reference.py: a name, the
 * stored bytes in hex, the clip's. Clips of known numbers, and a keyed one. */
#include "unit/packed_case.h"

#include <marrow/offline/compress.h>

#include <stdio.h>

enum { CASES = 24 };

static void print_hex(const uint8_t *bytes, size_t size_bytes)
{
    for (size_t i = 0; i < size_bytes; i++)
        printf("%02x", bytes[i]);
    printf("\n");
}

static void print_case(const char *name, const void *clip, size_t size_bytes)
{
    mrw_bytes stored;
    mrw_error error;
    if (mrw_store_clip(clip, size_bytes, NULL, &stored, &error) != MRW_OK) {
        fprintf(stderr, "%s: %s: %s\n", name, error.detail, error.message);
        exit(2);
    }
    printf("%s\n", name);
    print_hex(stored.data, stored.size_bytes);
    print_hex(clip, size_bytes);
    mrw_bytes_free(&stored);
}

static void print_keyed(const packed_case *one)
{
    mrw_bytes keyed;
    mrw_error error;
    if (mrw_unpack_clip(&one->skeleton, &one->clip, NULL, &keyed, &error) != MRW_OK)
        abort();
    print_case("keyed", keyed.data, keyed.size_bytes);
    mrw_bytes_free(&keyed);
}

int main(void)
{
    uint64_t random = 88;
    for (int i = 0; i < CASES; i++) {
        packed_case one = packed_case_make(&random, 70);
        if (i % 2 == 1)
            packed_case_entangle(&one);
        print_case("packed", one.clip_bytes.data, one.clip_bytes.size_bytes);
        if (i == 0)
            print_keyed(&one);
        packed_case_free(&one);
    }
    return 0;
}
