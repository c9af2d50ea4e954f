/*
 * rtl_text: Verilog as text, changed by a test, and a run with it.
 */
#ifndef TESTS_TB_RTL_TEXT_H
#define TESTS_TB_RTL_TEXT_H

#include "sim/error.h"
#include "tests/fixture.h"

#include <stdlib.h>
#include <string.h>

/* The text with `from` replaced once; frees `text`. */
static inline char *rtl_text_change(char *text, const char *from, const char *to) {
    char *at = strstr(text, from);
    if (!at) fail_msg("'%s' is not in the Verilog", from);
    *at = '\0';
    char *changed = spawn_text("%s%s%s", text, to, at + strlen(from));
    free(text);
    return changed;
}

/* Our Verilog of a block. To be freed. */
static inline char *rtl_text(const char *block) {
    char *path = spawn_text("%s/rtl/%s.sv", spawn_source(), block), *text = spawn_read(path);
    assert_non_null(text);
    free(path);
    return text;
}

/* Our Verilog of a block with `from` replaced once, as a file in the folder: its path. */
static inline char *rtl_text_changed(const char *block, const char *from, const char *to) {
    char *changed = rtl_text_change(rtl_text(block), from, to);
    char *path = fixture_file("changed.sv", changed, 0644);
    free(changed);
    return path;
}

static inline void write_file(const char *name, const char *text) {
    free(fixture_file(name, text, 0644));
}

/* Runs `lockstep run --rtl RTL` with a program of tests/hosts; statistics go to a file of the folder. */
static inline struct spawned run_with(const char *rtl, const char *program, const char *stats) {
    char *path = fixture_host(program);
    struct spawned s = LOCKSTEP("run", "--stats", (char *)stats, "--rtl", (char *)rtl, "--", path);
    free(path);
    return s;
}

/* Checks that a part of the statistics of two runs is equal. */
static inline void assert_same(const char *one, const char *other, const char *part) {
    json_t *x = fixture_statistics(one), *y = fixture_statistics(other);
    if (!json_equal(json_object_get(x, part), json_object_get(y, part)))
        fail_msg("%s of %s and %s differ", part, one, other);
    json_decref(x);
    json_decref(y);
}

/* Returns the part of the statistics for a block's Verilog. */
static inline const json_t *block_in(const json_t *stats, const char *name) {
    const json_t *rtl = json_object_get(stats, "rtl"), *b;
    size_t n;
    json_array_foreach(rtl, n, b) {
        if (strcmp(json_string_value(json_object_get(b, "block")), name) == 0) return b;
    }
    fail_msg("%s was not compared", name);
    return NULL;
}

/* The run ended since a block differs from its Verilog, in which `to` was changed. */
static inline void assert_disagrees(const struct spawned *s, const char *block, const char *to) {
    if (s->status != EXIT_TWINS_DISAGREE) print_error("%s: %s\n", block, to);
    assert_status(s, EXIT_TWINS_DISAGREE);
}

#endif
