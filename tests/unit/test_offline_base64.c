/* Base64 against the test vectors of RFC 4648, and what must not pass. */
#include "offline/read/base64.h"

#include "unit/near.h"
#include "unit/random.h"

#include <string.h>

static void assert_decodes(const char *text, const char *expected)
{
    uint8_t out[64];
    size_t size = 99;
    assert_true(mrwi_base64_bound(strlen(text)) <= sizeof(out));
    assert_true(mrwi_base64_decode(text, strlen(text), out, &size));
    assert_int_equal(size, strlen(expected));
    assert_memory_equal(out, expected, size);
}

static void assert_refused(const char *text, size_t place)
{
    uint8_t out[64];
    size_t size = 99;
    assert_false(mrwi_base64_decode(text, strlen(text), out, &size));
    assert_int_equal(size, place);
}

static void vectors_of_the_rfc(void **state)
{
    (void)state;
    assert_decodes("", "");
    assert_decodes("Zg==", "f");
    assert_decodes("Zm8=", "fo");
    assert_decodes("Zm9v", "foo");
    assert_decodes("Zm9vYg==", "foob");
    assert_decodes("Zm9vYmE=", "fooba");
    assert_decodes("Zm9vYmFy", "foobar");
    assert_decodes("+/+/", "\xfb\xff\xbf");
}

static void padding_may_be_missing(void **state)
{
    (void)state;
    assert_decodes("Zg", "f");
    assert_decodes("Zm8", "fo");
}

static void what_is_no_base64_is_refused(void **state)
{
    (void)state;
    assert_refused("Zm9v!", 4);
    assert_refused("Zm 9v", 2);
    assert_refused("Zm9vY", 5);
    assert_refused("Z", 1);
    assert_refused("=", 0);
    assert_refused("Zg=", 2);
    assert_refused("Zg==Zg==", 2);
    assert_refused("Z===", 1);
    assert_refused("====", 0);
    assert_refused("Zm9v\xc3\xa4", 4);
}

/* The bound holds and nothing is written past it: each length in memory of exactly that size. */
static void every_length_comes_back(void **state)
{
    (void)state;
    static const char alphabet[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint64_t random = 3;
    for (size_t size = 0; size < 40; size++) {
        uint8_t bytes[40];
        char text[64];
        for (size_t i = 0; i < size; i++)
            bytes[i] = (uint8_t)random_bits(&random);
        size_t length = 0;
        for (size_t bit = 0; bit < size * 8; bit += 6) {
            uint32_t digit = 0;
            for (size_t b = bit; b < bit + 6; b++)
                digit =
                    digit * 2 + (b < size * 8 ? (uint32_t)bytes[b / 8] >> (7 - b % 8) & 1u : 0u);
            text[length++] = alphabet[digit];
        }
        uint8_t *out = test_malloc(mrwi_base64_bound(length));
        size_t out_size;
        assert_true(mrwi_base64_decode(text, length, out, &out_size));
        assert_int_equal(out_size, size);
        assert_memory_equal(out, bytes, size);
        test_free(out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_of_the_rfc),
        cmocka_unit_test(padding_may_be_missing),
        cmocka_unit_test(what_is_no_base64_is_refused),
        cmocka_unit_test(every_length_comes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
