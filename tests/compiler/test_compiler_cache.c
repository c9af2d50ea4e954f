/* lockstep-cc's cache: contents of keys, changed includes, damaged entries, the size limit, concurrent
 * processes. */
#include "tests/compiler/compiler_image.h"

static struct run_result compile_cached(const char *output, const char *arguments) {
    return run_command("%s/lockstep-cc --cache %s -o %s %s", run_build_directory(), run_path("cache"),
                       run_path(output), arguments);
}

/* Returns the path of the cache's only image, which has a list of its includes next to it. */
static const char *cache_entry(void) {
    static char path[PATH_MAX];
    char command[PATH_MAX + 32], other[PATH_MAX];
    snprintf(command, sizeof command, "ls -dS %s/*", run_path("cache"));
    FILE *f = popen(command, "r");
    assert_non_null(fgets(path, sizeof path, f));
    path[strcspn(path, "\n")] = 0;
    assert_non_null(fgets(other, sizeof other, f));
    assert_null(fgets(other, sizeof other, f));
    pclose(f);
    return path;
}

static void change_byte(const char *path, long offset) {
    FILE *f = fopen(path, "r+b");
    fseek(f, offset, SEEK_SET);
    int byte = fgetc(f);
    fseek(f, offset, SEEK_SET);
    fputc(byte ^ 1, f);
    fclose(f);
}

static struct run_result compile_of_others(const char *file) {
    return run_command("%s/lockstep-cc --cache %s -o %s %s", run_build_directory(), run_path("others"),
                       run_path("first"), file);
}

/* Entries of another user are not used. */
static void test_cache_of_others(void **state) {
    static const char file[] = "tests/kernels/vector_add.cl";
    (void)state;
    expect_success(run_command("mkdir -m 720 %s", run_path("others")));
    struct run_result r = compile_of_others(file);
    assert_int_equal(r.status, 2);
    assert_non_null(strstr(r.errors, "others may write to the cache"));
    free(r.errors);
    expect_success(run_command("chmod 700 %s", run_path("others")));
    expect_success(compile_of_others(file));
    expect_success(run_command("for f in %s/*.image; do [ $(stat -c %%a $f) = 600 ] || exit 1; done",
                               run_path("others")));
    if (geteuid() != 0) return;
    expect_success(run_command("chown 65534 %s", run_path("others")));
    r = compile_of_others(file);
    assert_int_equal(r.status, 2);
    assert_non_null(strstr(r.errors, "belongs to user 65534"));
    free(r.errors);
    expect_success(run_command("chown 0 %s", run_path("others")));
}

static void test_cache(void **state) {
    static const char file[] = "tests/kernels/vector_add.cl";
    char entry[PATH_MAX];
    (void)state;
    expect_success(compile_cached("first", file));
    snprintf(entry, sizeof entry, "%s", cache_entry());
    expect_success(run_command("cp %s %s && touch -d 2001-01-01 %s", entry, run_path("kept"), entry));
    /* A hit returns the same bytes and does not change the entry. */
    struct stat s;
    expect_success(compile_cached("second", file));
    expect_same_files(run_path("first"), run_path("second"));
    assert_int_equal(stat(entry, &s), 0);
    assert_true(s.st_mtime < 1000000000);
    /* A damaged or truncated entry is rebuilt and replaced. */
    change_byte(entry, 5000);
    expect_success(compile_cached("second", file));
    expect_same_files(run_path("first"), run_path("second"));
    expect_same_files(entry, run_path("kept"));
    assert_int_equal(truncate(entry, 100), 0);
    expect_success(compile_cached("second", file));
    expect_same_files(run_path("first"), run_path("second"));
    expect_same_files(entry, run_path("kept"));
    assert_int_equal(truncate(entry, 0), 0);
    expect_success(compile_cached("second", file));
    expect_same_files(entry, run_path("kept"));
}

static void test_cache_key_has_everything(void **state) {
    static const char *const variants[] = {"tests/kernels/predicated.cl",
                                           "--options -DX tests/kernels/predicated.cl",
                                           "--options -cl-opt-disable tests/kernels/predicated.cl",
                                           "--priority-levels 9 tests/kernels/predicated.cl",
                                           "--name other tests/kernels/predicated.cl",
                                           "tests/kernels/divergent.cl"};
    (void)state;
    expect_success(run_command("rm -rf %s", run_path("cache")));
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
        expect_success(compile_cached("image", variants[i]));
    expect_success(run_command("test $(ls %s | wc -l) = 12", run_path("cache")));
}

/* Runs without the linker, so that only cached images are available. */
static struct run_result load_cached(const char *output, const char *arguments) {
    return run_command("PATH=/nowhere %s/lockstep-cc --cache %s -o %s %s", run_build_directory(),
                       run_path("cache"), run_path(output), arguments);
}

static void test_cache_knows_the_includes(void **state) {
    static const char *const no_linker = "arm-linux-gnueabihf-ld is not installed";
    char file[PATH_MAX];
    (void)state;
    expect_success(run_command("rm -rf %s", run_path("cache")));
    snprintf(file, sizeof file, "%s", run_path("includes.cl"));
    run_write(file, "#include \"width.h\"\n__kernel void k(__global int *a) { a[WIDTH] = 1; }\n");
    run_write(run_path("width.h"), "#define WIDTH 5\n");
    expect_failure(load_cached("image", file), 2, no_linker);
    expect_success(compile_cached("five", file));
    expect_success(load_cached("image", file));
    expect_same_files(run_path("image"), run_path("five"));
    run_write(run_path("width.h"), "#define WIDTH 6\n");
    expect_failure(load_cached("image", file), 2, no_linker);
    expect_success(compile_cached("six", file));
    expect_success(run_command("! cmp -s %s %s", run_path("five"), run_path("six")));
    /* After the change is reverted, the old image is found again. */
    run_write(run_path("width.h"), "#define WIDTH 5\n");
    expect_success(compile_cached("image", file));
    expect_same_files(run_path("image"), run_path("five"));
    expect_success(run_command("rm %s", run_path("width.h")));
    expect_failure(compile_cached("image", file), 1,
                   "includes.cl:1:10: fatal error: 'width.h' file not found");
    /* __TIME__ differs in the next compilation. */
    run_write(file,
              "__constant char time[] = __TIME__; __kernel void k(__global int *a) { a[0] = time[0]; }\n");
    expect_success(compile_cached("image", file));
    expect_success(run_command("sleep 1.1"));
    expect_failure(load_cached("image", file), 2, no_linker);
}

static void test_cache_is_bounded(void **state) {
    static const char *const files[] = {"vector_add.cl", "predicated.cl", "divergent.cl"};
    char name[PATH_MAX], big[PATH_MAX];
    (void)state;
    expect_success(run_command("rm -rf %s", run_path("cache")));
    for (size_t i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "--cache-limit 1 tests/kernels/%s", files[i]);
        expect_success(compile_cached("image", name));
    }
    expect_success(run_command("test $(ls %s | wc -l) = 6", run_path("cache")));
    /* Eviction: first a large old entry, then the least recently used ones. */
    snprintf(big, sizeof big, "%s/00000000000000000000000000000000.image", run_path("cache"));
    expect_success(run_command("head -c 1040000 /dev/zero >%s && touch -d 2001-01-01 %s", big, big));
    expect_success(run_command("touch %s/theirs && touch -d 2001-01-01 %s/1.image.5.part %s/theirs",
                               run_path("cache"), run_path("cache"), run_path("cache")));
    expect_success(compile_cached("image", "--cache-limit 1 --options -DX tests/kernels/vector_add.cl"));
    expect_success(run_command("test ! -e %s && test $(ls %s | wc -l) = 9 && test -e %s/theirs", big,
                               run_path("cache"), run_path("cache")));
    expect_success(run_command("head -c 980000 /dev/zero >%s && touch -d 2101-01-01 %s", big, big));
    expect_success(load_cached("image", "tests/kernels/predicated.cl"));
    expect_success(compile_cached("image", "--cache-limit 1 --options -DY tests/kernels/vector_add.cl"));
    expect_success(load_cached("image", "tests/kernels/vector_add.cl --options -DY"));
    expect_failure(load_cached("image", "tests/kernels/vector_add.cl"), 2,
                   "arm-linux-gnueabihf-ld is not installed");
    expect_failure(compile_cached("image", "--cache-limit 0 tests/kernels/vector_add.cl"), 2,
                   "a number from 1 to");
    expect_failure(run_command("LOCKSTEP_CACHE_MB=much %s/lockstep-cc -o %s tests/kernels/vector_add.cl",
                               run_build_directory(), run_path("image")),
                   2, "LOCKSTEP_CACHE_MB much: a number from 1 to");
}

static void test_cache_shared_by_several(void **state) {
    (void)state;
    expect_success(run_command("rm -rf %s", run_path("cache")));
    expect_success(
        run_command("for i in 1 2 3 4; do %s/lockstep-cc --cache %s -o %s.$i tests/kernels/vector_add.cl & "
                    "p=\"$p $!\"; done; for q in $p; do wait $q || exit 1; done",
                    run_build_directory(), run_path("cache"), run_path("image")));
    for (int i = 1; i < 4; i++)
        expect_success(run_command("cmp %s.%d %s.4", run_path("image"), i, run_path("image")));
    expect_success(load_cached("image", "tests/kernels/vector_add.cl"));
    expect_success(run_command("test $(ls %s | wc -l) = 2", run_path("cache")));
}

static void test_cache_keeps_the_log(void **state) {
    (void)state;
    run_write(run_path("text.cl"), "__kernel void k(__global int *a) {\n  a[1] == 2;\n}\n");
    for (int i = 0; i < 2; i++) {
        struct run_result r = compile_cached("image", run_path("text.cl"));
        assert_int_equal(r.status, 0);
        assert_non_null(strstr(r.errors, "text.cl:2:8: warning:"));
        free(r.errors);
    }
}

static void test_cache_that_cannot_be_written(void **state) {
    (void)state;
    expect_success(run_command("%s/lockstep-cc --cache /proc/nowhere/cache -o %s tests/kernels/predicated.cl",
                               run_build_directory(), run_path("image")));
    expect_success(run_command(
        "LOCKSTEP_CACHE=%s %s/lockstep-cc -o %s tests/kernels/predicated.cl && ls %s/*.image >/dev/null",
        run_path("environment"), run_build_directory(), run_path("image"), run_path("environment")));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cache),
        cmocka_unit_test(test_cache_of_others),
        cmocka_unit_test(test_cache_key_has_everything),
        cmocka_unit_test(test_cache_knows_the_includes),
        cmocka_unit_test(test_cache_is_bounded),
        cmocka_unit_test(test_cache_shared_by_several),
        cmocka_unit_test(test_cache_keeps_the_log),
        cmocka_unit_test(test_cache_that_cannot_be_written),
    };
    return cmocka_run_group_tests(tests, run_setup, run_teardown);
}
