/* The list of commands, of which shells make their keys and their help. */
#include "core/commands.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void every_command_has_a_key_of_its_own(void **state)
{
    (void)state;
    for (int32_t i = 0; i < VIEW_COMMAND_COUNT; i++)
        assert_int_equal(view_command_of_key(view_command_infos[i].key), i);
}

/* The names that commands.h promises to shells. */
static void keys_have_known_names(void **state)
{
    (void)state;
    static const char *const names[] = {"space", "left",  "right", "home",   "end",
                                        "up",    "down",  "tab",   "escape", "slash",
                                        "minus", "equal", "comma", "period"};
    for (int32_t i = 0; i < VIEW_COMMAND_COUNT; i++) {
        const char *key = view_command_infos[i].key;
        int known = strlen(key) == 1 && strspn(key, "abcdefghijklmnopqrstuvwxyz0123456789") == 1;
        for (size_t n = 0; n < sizeof(names) / sizeof(names[0]); n++)
            known = known || strcmp(key, names[n]) == 0;
        if (!known)
            fail_msg("%s is no key's name", key);
    }
}

static void help_is_a_short_sentence(void **state)
{
    (void)state;
    for (int32_t i = 0; i < VIEW_COMMAND_COUNT; i++) {
        size_t length = strlen(view_command_infos[i].help);
        assert_in_range(length, 4, 60);
    }
    assert_string_equal(view_command_infos[VIEW_PLAY].help, "play or pause");
}

static void other_keys_have_no_command(void **state)
{
    (void)state;
    assert_int_equal(view_command_of_key(""), -1);
    assert_int_equal(view_command_of_key("B"), -1);
    assert_int_equal(view_command_of_key("spac"), -1);
    assert_int_equal(view_command_of_key("spaces"), -1);
    assert_int_equal(view_command_of_key("b"), VIEW_BONES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_command_has_a_key_of_its_own),
        cmocka_unit_test(keys_have_known_names),
        cmocka_unit_test(help_is_a_short_sentence),
        cmocka_unit_test(other_keys_have_no_command),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
