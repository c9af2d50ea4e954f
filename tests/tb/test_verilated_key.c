/* The cache of built Verilog: contents of keys, and eviction. */
#include "tb/verilated/verilated_key.h"
#include "tests/spawn.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char *folder; /* folder of the test: a/ and b/, and x.sv */
static struct verilog_source source;

static void write_in(const char *name, const char *text) {
    char *path = spawn_text("%s/%s", folder, name);
    spawn_write(path, text);
    free(path);
}

static void remove_in(const char *name) {
    char *path = spawn_text("%s/%s", folder, name);
    assert_int_equal(unlink(path), 0);
    free(path);
}

static void add(enum verilog_item_kind kind, const char *format) {
    char *text = spawn_text("%s%s/%s", kind == VERILOG_INCLUDE ? "-I" : "", folder, format);
    assert_true(verilog_source_add(&source, kind, text, strlen(text)));
    free(text);
}

static int begin(void **state) {
    (void)state;
    struct error e = {0};
    static const char *const below[] = {"a", "b"};
    folder = spawn_folder();
    for (unsigned n = 0; n < 2; ++n) {
        char *path = spawn_text("%s/%s", folder, below[n]);
        assert_int_equal(mkdir(path, 0777), 0);
        free(path);
    }
    write_in("x.sv", "module x;");
    verilog_source_name(&source, "x");
    add(VERILOG_FILE, "x.sv");
    add(VERILOG_INCLUDE, "a");
    add(VERILOG_INCLUDE, "b");
    return verilog_source_resolve(&source, &e) ? 0 : -1;
}

static int end(void **state) {
    (void)state;
    verilog_source_free(&source);
    spawn_remove_folder(folder);
    return 0;
}

/* Returns the library's path for a source that includes these files of the folder, on a machine of `warps`
 * warps, which the source may have as a parameter. To be freed. */
static char *library(const char *included, unsigned warps) {
    const struct verilog_setting settings[] = {{"WARPS", 16}};
    const struct verilated_request r = {
        .block = &twin_block[0], .source = &source, .settings = settings, .count = 1};
    struct verilated_key k;
    struct error e = {0};
    char *files = spawn_text("-GWARPS=%u\n%s/x.sv\n%s/%s\n", warps, folder, folder, included);
    assert_true(verilated_key_init(&k, &r, "/cache", &e));
    assert_true(verilated_key_complete(&k, &r, "/cache", files, &e));
    free(files);
    return strdup(k.library);
}

static void assert_key(char **before, bool same, const char *included, unsigned warps) {
    char *now = library(included, warps);
    assert_int_equal(strcmp(*before, now) == 0, same);
    free(*before);
    *before = now;
}

static void a_key_has_all_that_a_build_reads(void **state) {
    (void)state;
    write_in("b/y.svh", "1");
    char *key = library("b/y.svh", 16);
    assert_true(strncmp(key, "/cache/", 7) == 0);
    assert_key(&key, true, "b/y.svh", 16);
    assert_key(&key, false, "b/y.svh", 8);
    write_in("b/y.svh", "2");
    assert_key(&key, false, "b/y.svh", 8);
    write_in("x.sv", "module x ;");
    assert_key(&key, false, "b/y.svh", 8);
    write_in("a/z.svh", "nobody looks for it");
    assert_key(&key, true, "b/y.svh", 8);
    write_in("a/y.svh", "found before b/y.svh");
    assert_key(&key, false, "b/y.svh", 8);
    remove_in("a/y.svh");
    write_in("b/m.sv", "module m;");
    assert_key(&key, false, "b/m.sv", 8);
    write_in("b/m.v", "found before b/m.sv");
    assert_key(&key, false, "b/m.sv", 8);
    assert_true(verilog_source_add(&source, VERILOG_OPTION, "-DX", 3));
    assert_key(&key, false, "b/m.sv", 8);
    free(key);
}

/* The path of the list of inputs depends on all settings of the machine; that of the library only on settings
 * that are read. */
static void settings_that_are_not_read_do_not_count(void **state) {
    (void)state;
    struct verilated_key k[3];
    struct error e = {0};
    for (unsigned n = 0; n < 3; ++n) {
        const struct verilog_setting settings[] = {{"WARPS", 16}, {"LANES", n < 2 ? n : 1}};
        const struct verilated_request r = {
            .block = &twin_block[0], .source = &source, .settings = settings, .count = 2};
        char *reads = spawn_text("-GWARPS=16\n%s/x.sv\n", folder);
        assert_true(verilated_key_init(&k[n], &r, "/cache", &e));
        assert_true(verilated_key_complete(&k[n], &r, "/cache", reads, &e));
        free(reads);
    }
    assert_string_not_equal(k[0].list, k[1].list);
    assert_string_equal(k[1].list, k[2].list);
    assert_string_equal(k[0].library, k[1].library);
}

static void a_file_that_is_gone_is_no_key(void **state) {
    (void)state;
    const struct verilated_request r = {.block = &twin_block[0], .source = &source};
    struct verilated_key k;
    struct error e = {0};
    char *list = spawn_text("%s/none.svh\n", folder);
    assert_true(verilated_key_init(&k, &r, folder, &e));
    assert_false(verilated_key_recall(&k, &r, folder)); /* never built */
    spawn_write(k.list, list);
    assert_false(verilated_key_recall(&k, &r, folder));
    write_in("none.svh", "");
    assert_true(verilated_key_recall(&k, &r, folder));
    free(list);
}

static bool is_there(unsigned n) {
    char *path = spawn_text("%s/a/%u", folder, n);
    const bool there = access(path, F_OK) == 0;
    free(path);
    return there;
}

/* 5 more than the limit, the last of them used first: these 5 are removed. */
static void what_was_used_longest_ago_goes(void **state) {
    (void)state;
    const unsigned count = VERILATED_KEPT + 5;
    char *cache = spawn_text("%s/a", folder);
    for (unsigned n = 0; n < count; ++n) {
        char *path = spawn_text("%s/%u", cache, n);
        const struct timespec used[] = {{.tv_sec = 2 * VERILATED_KEPT - n},
                                        {.tv_sec = 2 * VERILATED_KEPT - n}};
        spawn_write(path, "");
        assert_int_equal(utimensat(AT_FDCWD, path, used, 0), 0);
        free(path);
    }
    verilated_cache_trim(cache);
    for (unsigned n = 0; n < count; ++n) assert_int_equal(is_there(n), n < VERILATED_KEPT);
    verilated_cache_trim(cache);
    assert_true(is_there(VERILATED_KEPT - 1));
    free(cache);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_key_has_all_that_a_build_reads, begin, end),
        cmocka_unit_test_setup_teardown(settings_that_are_not_read_do_not_count, begin, end),
        cmocka_unit_test_setup_teardown(a_file_that_is_gone_is_no_key, begin, end),
        cmocka_unit_test_setup_teardown(what_was_used_longest_ago_goes, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
