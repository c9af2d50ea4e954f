/* Verilog is built in the cache, whole or not at all. */
#include "sim/error.h"
#include "tests/fixture.h"

#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static unsigned files_in_cache(const char *with) {
    char *path = fixture_path("cache/rtl");
    unsigned count = 0;
    DIR *d = opendir(path);
    for (const struct dirent *f; d && (f = readdir(d));) count += strstr(f->d_name, with) != NULL;
    if (d) closedir(d);
    free(path);
    return count;
}

/* With a cache of its own, empty at first. */
static struct spawned start_with_cache(const char *folder) {
    char *cache = spawn_text("LOCKSTEP_CACHE=%s", folder), *program = fixture_host("vector_add");
    struct spawned s = spawn_start(fixture_folder, false,
                                   (char *[]){"/usr/bin/env", cache, fixture_command, "run", "--rtl",
                                              "warp_scheduler=check", "--", program, NULL});
    free(cache);
    free(program);
    return s;
}

static void a_signal_leaves_no_half_built_library(void **state) {
    (void)state;
    char *cache = fixture_path("cache");
    static const int signals[] = {SIGINT, SIGTERM};
    for (unsigned n = 0; n < 2; ++n) {
        struct spawned s = start_with_cache(cache);
        for (unsigned tries = 0; files_in_cache("lockstep-part-") == 0 && tries < 2000; ++tries) usleep(5000);
        assert_int_equal(files_in_cache("lockstep-part-"), 1);
        kill(s.pid, signals[n]);
        spawn_finish(&s);
        assert_int_equal(s.status, 128 + signals[n]);
        assert_int_equal(files_in_cache("lockstep-part-"), 0);
        assert_int_equal(files_in_cache(".so"), 0);
        spawn_free(&s);
    }
    free(cache);
}

static void two_runs_build_the_same_at_once(void **state) {
    (void)state;
    char *cache = fixture_path("cache");
    struct spawned a = start_with_cache(cache), b = start_with_cache(cache);
    spawn_finish(&a);
    spawn_finish(&b);
    assert_status(&a, EXIT_SOUND);
    assert_status(&b, EXIT_SOUND);
    assert_int_equal(files_in_cache(".so"), 1);
    assert_int_equal(files_in_cache("lockstep-part-"), 0);
    spawn_free(&a);
    spawn_free(&b);
    free(cache);
}

static void a_cache_that_cannot_be_written_is_named(void **state) {
    (void)state;
    struct spawned s = start_with_cache("/proc/lockstep");
    spawn_finish(&s);
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "/proc/lockstep/rtl for built Verilog cannot be made");
    spawn_free(&s);
    free(fixture_file("cache", "a file", 0644));
    char *cache = fixture_path("cache");
    s = start_with_cache(cache);
    spawn_finish(&s);
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "cannot be made: Not a directory");
    spawn_free(&s);
    free(cache);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_signal_leaves_no_half_built_library),
        TEST(two_runs_build_the_same_at_once),
        TEST(a_cache_that_cannot_be_written_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
