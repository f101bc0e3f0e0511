/* mrw_write_file: the bytes arrive, the old file survives a failure, and the reason is told. */
#define _DEFAULT_SOURCE

#include <marrow/offline/export.h>

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/marrow-write-XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) == NULL;
}

static const char *in_folder(const char *name)
{
    static char path[256];
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    return path;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(in_folder("a.glb"));
    unlink(in_folder("link"));
    unlink(in_folder("locked"));
    return rmdir(folder);
}

static void expect_content(const char *path, const char *content)
{
    char read_back[64] = {0};
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(read_back, 1, sizeof(read_back) - 1, file);
    fclose(file);
    assert_int_equal(size, strlen(content));
    assert_string_equal(read_back, content);
}

static uint32_t count_files(void)
{
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    uint32_t count = 0;
    for (struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory))
        count += entry->d_name[0] != '.' ? 1u : 0u;
    closedir(directory);
    return count;
}

static void files_are_made_and_replaced(void **state)
{
    (void)state;
    const char *path = in_folder("a.glb");
    assert_int_equal(mrw_write_file(path, "first, longer", 13, NULL), MRW_OK);
    expect_content(path, "first, longer");
    assert_int_equal(mrw_write_file(path, "second", 6, NULL), MRW_OK);
    expect_content(path, "second");
    assert_int_equal(mrw_write_file(path, NULL, 0, NULL), MRW_OK);
    expect_content(path, "");
    assert_int_equal(count_files(), 1); /* nothing temporary stays */
}

static void a_new_file_obeys_the_umask_and_an_old_one_keeps_its_mode(void **state)
{
    (void)state;
    const char *path = in_folder("a.glb");
    unlink(path);
    mode_t old_mask = umask(027);
    assert_int_equal(mrw_write_file(path, "x", 1, NULL), MRW_OK);
    umask(old_mask);
    struct stat found;
    assert_int_equal(stat(path, &found), 0);
    assert_int_equal(found.st_mode & 0777, 0640);
    assert_int_equal(chmod(path, 0755), 0);
    assert_int_equal(mrw_write_file(path, "y", 1, NULL), MRW_OK);
    assert_int_equal(stat(path, &found), 0);
    assert_int_equal(found.st_mode & 0777, 0755);
}

static void replacing_makes_a_new_file(void **state)
{
    (void)state;
    const char *path = in_folder("a.glb");
    assert_int_equal(mrw_write_file(path, "old", 3, NULL), MRW_OK);
    FILE *reader = fopen(path, "rb");
    assert_non_null(reader);
    assert_int_equal(mrw_write_file(path, "new", 3, NULL), MRW_OK);
    char read_back[4] = {0};
    assert_int_equal(fread(read_back, 1, 3, reader), 3);
    fclose(reader);
    assert_string_equal(read_back, "old"); /* who has it open sees no change */
    expect_content(path, "new");
}

static void a_link_stays_a_link(void **state)
{
    (void)state;
    char target[256];
    snprintf(target, sizeof(target), "%s", in_folder("a.glb"));
    assert_int_equal(mrw_write_file(target, "old", 3, NULL), MRW_OK);
    const char *link = in_folder("link");
    assert_int_equal(symlink(target, link), 0);
    assert_int_equal(mrw_write_file(link, "through", 7, NULL), MRW_OK);
    expect_content(target, "through");
    struct stat found;
    assert_int_equal(lstat(link, &found), 0);
    assert_true(S_ISLNK(found.st_mode));
}

static void devices_are_written_to(void **state)
{
    (void)state;
    assert_int_equal(mrw_write_file("/dev/null", "x", 1, NULL), MRW_OK);
    struct stat found;
    assert_int_equal(stat("/dev/null", &found), 0);
    assert_true(S_ISCHR(found.st_mode));
}

static void expect_failure(const char *path, const char *reason)
{
    mrw_error error = {0};
    assert_int_equal(mrw_write_file(path, "bytes", 5, &error), MRW_ERR_FILE_WRITE);
    assert_int_equal(error.status, MRW_ERR_FILE_WRITE);
    assert_string_equal(error.detail, path);
    assert_non_null(strstr(error.message, path));
    assert_non_null(strstr(error.message, reason));
}

static void failures_tell_the_reason(void **state)
{
    (void)state;
    expect_failure(in_folder("missing/a.glb"), "no such folder");
    expect_failure(folder, "is a folder");
    expect_failure("", "no such folder");
    const char *path = in_folder("a.glb");
    assert_int_equal(mrw_write_file(path, "x", 1, NULL), MRW_OK);
    expect_failure(in_folder("a.glb/b.glb"), "is a file, not a folder");
    char long_name[400];
    memset(long_name, 'n', sizeof(long_name) - 1);
    long_name[sizeof(long_name) - 1] = '\0';
    mrw_error error = {0};
    assert_int_equal(mrw_write_file(long_name, "x", 1, &error), MRW_ERR_FILE_WRITE);
    assert_non_null(strstr(error.message, "cannot write"));
    assert_int_equal(mrw_write_file(NULL, "x", 1, &error), MRW_ERR_NULL_ARGUMENT);
    assert_int_equal(mrw_write_file("x", NULL, 1, &error), MRW_ERR_NULL_ARGUMENT);
    if (access("/dev/full", W_OK) == 0)
        expect_failure("/dev/full", "no space left");
}

static void a_file_without_permission_is_left_alone(void **state)
{
    (void)state;
    if (geteuid() == 0)
        skip(); /* nothing is forbidden to root */
    const char *path = in_folder("locked");
    assert_int_equal(mrw_write_file(path, "kept", 4, NULL), MRW_OK);
    assert_int_equal(chmod(path, 0444), 0);
    expect_failure(path, "permission denied");
    expect_content(path, "kept");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_made_and_replaced),
        cmocka_unit_test(a_new_file_obeys_the_umask_and_an_old_one_keeps_its_mode),
        cmocka_unit_test(replacing_makes_a_new_file),
        cmocka_unit_test(a_link_stays_a_link),
        cmocka_unit_test(devices_are_written_to),
        cmocka_unit_test(failures_tell_the_reason),
        cmocka_unit_test(a_file_without_permission_is_left_alone),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
