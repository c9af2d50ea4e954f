/* Verilog is built in the cache, whole or not at all. */
#include "sim/error.h"
#include "tests/fixture.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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

/* Starts a run with a cache of its own, which is empty at first. */
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
        assert_status(&s, EXIT_USER);
        assert_says(s.err, n ? "interrupted by SIGTERM" : "interrupted by SIGINT (Ctrl-C)");
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
    assert_says(a.err, "lockstep: building the Verilog of warp_scheduler (");
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

/* Returns the path of a built file in the cache, by a part of its name and its end. To be freed. */
static char *built(const char *part, const char *end) {
    char *path = fixture_path("cache/rtl"), *found = NULL;
    DIR *d = opendir(path);
    for (const struct dirent *f; d && !found && (f = readdir(d));) {
        const size_t length = strlen(f->d_name), ending = strlen(end);
        if (strstr(f->d_name, part) && length > ending && strcmp(f->d_name + length - ending, end) == 0)
            found = spawn_text("%s/%s", path, f->d_name);
    }
    if (d) closedir(d);
    free(path);
    assert_non_null(found);
    return found;
}

static void assert_runs(const char *cache) {
    struct spawned s = start_with_cache(cache);
    spawn_finish(&s);
    assert_status(&s, EXIT_SOUND);
    spawn_free(&s);
}

static void write_noise(const char *path, long at) {
    FILE *f = fopen(path, "r+");
    assert_non_null(f);
    assert_int_equal(fseek(f, at, SEEK_SET), 0);
    for (int i = 0; i < 5000; i++) fputc(i * 7 + 1, f);
    assert_int_equal(fclose(f), 0);
}

/* Loaded, each of these would crash the dynamic linker or the run. */
static void what_was_damaged_is_built_again(void **state) {
    (void)state;
    char *cache = fixture_path("cache");
    struct stat before, after;
    assert_runs(cache);
    char *library = built("warp_scheduler-", ".so"), *support = built("verilated-", ".o");
    for (int way = 0; way < 5; way++) {
        assert_int_equal(stat(library, &before), 0);
        switch (way) {
        case 0: assert_int_equal(truncate(library, before.st_size / 2), 0); break;
        case 1: assert_int_equal(truncate(library, 0), 0); break;
        case 2: write_noise(library, 0); break;
        case 3: assert_int_equal(chmod(library, 0666), 0); break; /* others may have changed it */
        case 4:
            assert_int_equal(truncate(support, 1000), 0);
            assert_int_equal(unlink(library), 0);
            break;
        }
        assert_runs(cache);
        assert_int_equal(stat(library, &after), 0);
        assert_true(after.st_size == before.st_size);
        assert_int_equal(after.st_mode & 022, 0);
    }
    before = after;
    assert_runs(cache); /* valid libraries are kept */
    assert_int_equal(stat(library, &after), 0);
    assert_true(after.st_ino == before.st_ino);
    free(library);
    free(support);
    free(cache);
}

static void a_cache_that_others_can_fill_is_refused(void **state) {
    (void)state;
    char *cache = fixture_path("cache"), *rtl = fixture_path("cache/rtl");
    assert_int_equal(mkdir(cache, 0700), 0);
    assert_int_equal(mkdir(rtl, 0700), 0);
    char *const folders[] = {cache, rtl};
    for (int n = 0; n < 2; n++) {
        for (int others = 0; others < 2; others++) {
            if (others && geteuid() != 0) continue; /* only root can change the owner of a folder */
            if (others)
                assert_int_equal(chown(folders[n], 65534, 65534), 0);
            else
                assert_int_equal(chmod(folders[n], 0720), 0);
            struct spawned s = start_with_cache(cache);
            spawn_finish(&s);
            assert_status(&s, EXIT_USER);
            assert_says(s.err, folders[n]);
            assert_says(s.err, others ? "belongs to user 65534" : "others may write to the cache");
            spawn_free(&s);
            assert_int_equal(chmod(folders[n], 0700), 0);
            if (others) assert_int_equal(chown(folders[n], 0, 0), 0);
        }
    }
    /* A folder of another user that exists everywhere. */
    if (geteuid() != 0) {
        struct spawned s = start_with_cache("/usr");
        spawn_finish(&s);
        assert_status(&s, EXIT_USER);
        assert_says(s.err, "belongs to user 0");
        spawn_free(&s);
    }
    free(cache);
    free(rtl);
}

/* On a full disk Verilator writes half of its list and ends as if all were well. */
static void a_list_cut_short_is_no_missing_port(void **state) {
    (void)state;
    free(fixture_file("verilator",
                      "#!/bin/sh\nPATH=${PATH#*:}\nverilator \"$@\" || exit\n"
                      "[ ! -e ports.xml ] || truncate -s 2000 ports.xml\n",
                      0755));
    char *cache = fixture_path("cache"), *before = strdup(getenv("PATH"));
    char *path = spawn_text("%s:%s", fixture_folder, before);
    setenv("PATH", path, 1);
    struct spawned s = start_with_cache(cache);
    spawn_finish(&s);
    setenv("PATH", before, 1);
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "verilator's list of ports was cut short: is there room on the disk of ");
    spawn_free(&s);
    free(cache);
    free(before);
    free(path);
}

/* The optimisation level of g++ is a part of the key. */
static void libraries_of_two_optimisations_are_two(void **state) {
    (void)state;
    char *cache = fixture_path("cache");
    setenv("LOCKSTEP_RTL_OPTIMIZE", "0", 1);
    assert_runs(cache);
    assert_int_equal(files_in_cache(".so"), 1);
    setenv("LOCKSTEP_RTL_OPTIMIZE", "1", 1);
    assert_runs(cache);
    assert_int_equal(files_in_cache(".so"), 2);
    setenv("LOCKSTEP_RTL_OPTIMIZE", "4", 1);
    struct spawned s = start_with_cache(cache);
    spawn_finish(&s);
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "LOCKSTEP_RTL_OPTIMIZE 4: a number from 0 to 3");
    spawn_free(&s);
    unsetenv("LOCKSTEP_RTL_OPTIMIZE");
    free(cache);
}

/* Damaged headers are built again. */
static void many_blocks_share_compiled_headers(void **state) {
    (void)state;
    char *cache = fixture_path("cache"), *program = fixture_host("vector_add");
    char *line = spawn_text("LOCKSTEP_RTL_OPTIMIZE=0 LOCKSTEP_CACHE=%s %s run --rtl \"$1\" -- %s", cache,
                            fixture_command, program);
    static char one[] = "tpo_address=check",
                four[] = "tpo_address=check,warp_pc_arbiter=check,warp_scheduler=check,"
                         "subwarp_dispatcher=check";
    for (unsigned n = 0; n < 3; ++n) {
        struct spawned s = spawn(fixture_folder, (char *[]){"sh", "-c", line, "sh", n ? four : one, NULL});
        assert_status(&s, EXIT_SOUND);
        assert_int_equal(files_in_cache(".gch"), n ? 1 : 0);
        assert_int_equal(files_in_cache(".so"), n ? 4 : 1);
        spawn_free(&s);
        if (n == 1) {
            char *headers = built("headers-", ".gch"), *library = built("warp_scheduler", ".so");
            write_noise(headers, 1000000);
            assert_int_equal(unlink(library), 0);
            free(headers);
            free(library);
        }
    }
    free(line);
    free(program);
    free(cache);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_signal_leaves_no_half_built_library),   TEST(two_runs_build_the_same_at_once),
        TEST(a_cache_that_cannot_be_written_is_named), TEST(what_was_damaged_is_built_again),
        TEST(a_cache_that_others_can_fill_is_refused), TEST(a_list_cut_short_is_no_missing_port),
        TEST(libraries_of_two_optimisations_are_two),  TEST(many_blocks_share_compiled_headers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
