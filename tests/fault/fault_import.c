/* Documents cut at every byte, read with every allocation failing, under every limit, and with
 * flipped bytes: an error or a whole result, nothing lost, nothing read out of bounds (a sanitizer
 * sees that). */
#include "fault/damage.h"
#include "fault/documents.h"
#include "unit/handmade_scene.h"
#include "unit/random.h"

typedef document (*make_document)(void);

static const make_document documents[] = {document_skinned_text, document_skinned_binary,
                                          document_morph_text, document_motion_text};
#define DOCUMENT_COUNT (sizeof(documents) / sizeof(documents[0]))

/* In memory of exactly its size, so that a sanitizer sees a read past its end. */
static mrw_status run_copy(const uint8_t *bytes, size_t size_bytes,
                           const mrw_memory_options *memory, mrw_error *out_error)
{
    uint8_t *copy = malloc(size_bytes > 0 ? size_bytes : 1);
    assert_non_null(copy);
    memcpy(copy, bytes, size_bytes);
    mrw_status status = run_file(copy, size_bytes, memory, out_error);
    free(copy);
    return status;
}

static void whole_documents_run(void **state)
{
    (void)state;
    for (size_t i = 0; i < DOCUMENT_COUNT; i++) {
        document doc = documents[i]();
        failing_heap heap = {0};
        mrw_memory_options memory = failing_options(&heap);
        mrw_error error = {0};
        if (run_copy(doc.bytes, doc.size_bytes, &memory, &error) != MRW_OK)
            fail_msg("document %zu: %s: %s", i, error.detail, error.message);
        assert_true(heap.calls > 20);
        assert_int_equal(heap.held_bytes, 0);
        document_free(&doc);
    }
}

static void every_truncation_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < DOCUMENT_COUNT; i++) {
        document doc = documents[i]();
        for (size_t size = 0; size < doc.size_bytes; size++) {
            failing_heap heap = {0};
            mrw_memory_options memory = failing_options(&heap);
            mrw_error error = {0};
            mrw_status status = run_copy(doc.bytes, size, &memory, &error);
            if (status == MRW_OK && documents[i] == document_motion_text &&
                (doc.bytes[size] == '\n' || doc.bytes[size - 1] == '\n'))
                continue; /* a file with fewer frames */
            if (status == MRW_OK || error.status != status || error.message[0] == '\0')
                fail_msg("document %zu cut at %zu: %s", i, size, mrw_status_name(status));
            assert_int_equal(heap.held_bytes, 0);
        }
        document_free(&doc);
    }
}

static void every_failing_allocation_is_survived(void **state)
{
    (void)state;
    for (size_t i = 0; i < DOCUMENT_COUNT; i++) {
        document doc = documents[i]();
        mrw_status status = MRW_ERR_OUT_OF_MEMORY;
        uint32_t fail_at = 1;
        for (; status != MRW_OK; fail_at++) {
            failing_heap heap = {0};
            heap.fail_at = fail_at;
            mrw_memory_options memory = failing_options(&heap);
            mrw_error error = {0};
            status = run_copy(doc.bytes, doc.size_bytes, &memory, &error);
            assert_int_equal(heap.held_bytes, 0);
            if (status != MRW_OK)
                assert_int_equal(status, MRW_ERR_OUT_OF_MEMORY);
        }
        assert_true(fail_at > 20);
        document_free(&doc);
    }
}

/* Limits on bytes and on the number of allocations end in the same way. */
static void every_limit_is_kept(void **state)
{
    (void)state;
    for (size_t i = 0; i < DOCUMENT_COUNT; i++) {
        document doc = documents[i]();
        mrw_status status = MRW_ERR_MEMORY_LIMIT;
        for (uint64_t limit = 100; status != MRW_OK; limit += 97) {
            failing_heap heap = {0};
            mrw_memory_options memory = failing_options(&heap);
            memory.limit_bytes = limit;
            status = run_copy(doc.bytes, doc.size_bytes, &memory, NULL);
            assert_int_equal(heap.held_bytes, 0);
            assert_true(status == MRW_OK || status == MRW_ERR_MEMORY_LIMIT);
        }
        status = MRW_ERR_MEMORY_LIMIT;
        for (uint64_t limit = 1; status != MRW_OK; limit++) {
            failing_heap heap = {0};
            mrw_memory_options memory = failing_options(&heap);
            memory.allocation_limit = limit;
            status = run_copy(doc.bytes, doc.size_bytes, &memory, NULL);
            assert_int_equal(heap.held_bytes, 0);
            assert_true(status == MRW_OK || status == MRW_ERR_MEMORY_LIMIT);
        }
        document_free(&doc);
    }
}

/* One to four bytes, of which most stay text, so that the damage gets past the parser. */
static void flip(uint64_t *random, uint8_t *bytes, size_t size_bytes)
{
    static const char usual[] = "0123456789-.,:[]{}\"e5";
    uint32_t count = 1 + random_bits(random) % 4;
    for (uint32_t i = 0; i < count; i++) {
        uint8_t *byte = &bytes[random_bits(random) % size_bytes];
        if (random_bits(random) % 4 == 0)
            *byte = (uint8_t)random_bits(random);
        else
            *byte = (uint8_t)usual[random_bits(random) % (sizeof(usual) - 1)];
    }
}

static void flipped_bytes_are_survived(void **state)
{
    (void)state;
    uint64_t random = 2024;
    for (size_t i = 0; i < DOCUMENT_COUNT; i++) {
        document doc = documents[i]();
        uint8_t *copy = malloc(doc.size_bytes);
        assert_non_null(copy);
        uint32_t loaded = 0, refused = 0;
        for (uint32_t round = 0; round < 2500; round++) {
            memcpy(copy, doc.bytes, doc.size_bytes);
            flip(&random, copy, doc.size_bytes);
            failing_heap heap = {0};
            mrw_memory_options memory = failing_options(&heap);
            memory.limit_bytes = 1 << 24;
            mrw_error error = {0};
            mrw_status status = run_file(copy, doc.size_bytes, &memory, &error);
            assert_int_equal(heap.held_bytes, 0);
            if (status != MRW_OK && error.message[0] == '\0')
                fail_msg("document %zu, round %u: %s", i, round, mrw_status_name(status));
            loaded += status == MRW_OK;
            refused += status != MRW_OK;
        }
        assert_true(loaded > 100 && refused > 100); /* both kinds of damage were tried */
        free(copy);
        document_free(&doc);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_documents_run),
        cmocka_unit_test(every_truncation_is_refused),
        cmocka_unit_test(every_failing_allocation_is_survived),
        cmocka_unit_test(every_limit_is_kept),
        cmocka_unit_test(flipped_bytes_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
