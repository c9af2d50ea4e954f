/*
 * rtl_text: Verilog as text, changed by a test, and a run with it.
 */
#ifndef TESTS_TB_RTL_TEXT_H
#define TESTS_TB_RTL_TEXT_H

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

/* `lockstep run --rtl RTL` of a program of tests/hosts; its statistics go to a file of the folder. */
static inline struct spawned run_with(const char *rtl, const char *program, const char *stats) {
    char *path = fixture_host(program);
    struct spawned s = LOCKSTEP("run", "--stats", (char *)stats, "--rtl", (char *)rtl, "--", path);
    free(path);
    return s;
}

#endif
