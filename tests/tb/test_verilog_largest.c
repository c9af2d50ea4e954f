/* Largest values of parameters, from the comments beside them. */
#include "sim/error.h"
#include "tb/ports/verilog_largest.h"
#include "tests/fixture.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct verilog_setting setting[VERILOG_MAX_PARAMETERS];
static unsigned count;

static void forget(void) {
    for (unsigned n = 0; n < count; ++n) free((char *)setting[n].name);
}

/* Reads a module with these lines; returns the message, or "" if there is none. */
static const char *read_lines(const char *lines) {
    static struct error e;
    e = (struct error){0};
    char *text = spawn_text(
        "// about it\nmodule m #(\n%s) (\n    input logic clk_i  // A–B, 1–2\n);\nendmodule\n", lines);
    char *path = fixture_file("m.sv", text, 0644);
    const bool read = verilog_largest(path, setting, &count, &e);
    assert_int_equal(read, e.status == EXIT_SOUND);
    free(path);
    free(text);
    return e.message;
}

static void ranges_are_read(void **state) {
    (void)state;
    assert_string_equal(
        read_lines("    parameter  logic [31:0] WARPS = 16,  // warps – many, 1–128, not 1–256\n"
                   "    parameter logic [31:0] CALLS  = 3,\n"
                   "        // calls,\n"
                   "        // 2–65536, a power of two\n"
                   "    parameter  logic [31:0] BITS  = 30,  // 1–30; fewer than 30\n"
                   "                                         // only in proofs\n"
                   "    parameter  logic [31:0] RULE  = 1,   // 0–1: a, b\n"
                   "    localparam logic [31:0] MORE  = 7    // nothing\n"),
        "");
    assert_int_equal(count, 3);
    assert_string_equal(setting[0].name, "WARPS");
    assert_int_equal(setting[0].value, 128);
    assert_string_equal(setting[1].name, "CALLS");
    assert_int_equal(setting[1].value, 65536);
    assert_string_equal(setting[2].name, "RULE");
    assert_int_equal(setting[2].value, 1);
    forget();
}

static void a_missing_range_is_named(void **state) {
    (void)state;
    assert_says(read_lines("    parameter  logic [31:0] WARPS = 16,  // warps\n"
                           "    parameter  logic [31:0] CALLS = 16   // 1–2\n"),
                "m.sv: the comment of parameter WARPS has no range, such as 1–128");
    forget();
    assert_says(read_lines("    parameter  logic [31:0] WARPS = 16\n"), "parameter WARPS has no range");
    forget();
    struct error e = {0};
    assert_false(verilog_largest("/nowhere.sv", setting, &count, &e));
    assert_says(e.message, "/nowhere.sv: No such file");
}

/* The comments agree with what the modules refuse: "X must be A to B". */
static void comments_agree_with_the_verilog(void **state) {
    (void)state;
    char *pattern = spawn_text("%s/rtl/*.sv", spawn_source());
    unsigned compared = 0;
    glob_t found;
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    for (size_t n = 0; n < found.gl_pathc; ++n) {
        struct error e = {0};
        if (!verilog_largest(found.gl_pathv[n], setting, &count, &e)) fail_msg("%s", e.message);
        char *text = spawn_read(found.gl_pathv[n]);
        for (unsigned k = 0; k < count; ++k) {
            char *words = spawn_text(": %s must be ", setting[k].name);
            const char *at = strstr(text, words);
            unsigned from, to;
            if (at && sscanf(at + strlen(words), "%u to %u", &from, &to) == 2) {
                ++compared;
                if (to != setting[k].value)
                    fail_msg("%s: %s is at most %u, but %u in its comment", found.gl_pathv[n],
                             setting[k].name, to, setting[k].value);
            }
            free(words);
        }
        free(text);
        forget();
    }
    print_message("%u ranges agree\n", compared);
    assert_in_range(compared, 60, 1000);
    globfree(&found);
    free(pattern);
}

int main(void) {
    const struct CMUnitTest tests[] = {TEST(ranges_are_read), TEST(a_missing_range_is_named),
                                       TEST(comments_agree_with_the_verilog)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
