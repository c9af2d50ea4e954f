/* Selection and version of Verilator, and lint's report of private names.
 * Needs: $(B)/verilog_ports */
#include "sim/error.h"
#include "tests/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the ports of a block, read by the named Verilator (NULL: default). */
static struct spawned ports(const char *verilator) {
    char *program = spawn_text("%s/verilog_ports", spawn_build()),
         *file = spawn_text("%s/rtl/warp_scheduler.sv", spawn_source());
    if (verilator)
        setenv("VERILATOR", verilator, 1);
    else
        unsetenv("VERILATOR");
    struct spawned s = spawn(fixture_folder, (char *[]){program, file, "WARPS=4", NULL});
    unsetenv("VERILATOR");
    free(program);
    free(file);
    return s;
}

/* Creates a replacement that prints a version and passes everything else on; `before`: shell commands. */
static char *stand_in(const char *version, const char *before) {
    char *text =
        spawn_text("#!/bin/sh\n[ \"$1\" = --version ] && echo '%s' && exit\n%s\nexec verilator \"$@\"\n",
                   version, before);
    char *path = fixture_file("other-verilator", text, 0755);
    free(text);
    return path;
}

/* 9.999 dumps as JSON, one thinks; this one does not know how. */
static void an_unknown_version_is_a_warning(void **state) {
    (void)state;
    static const char *const versions[] = {"Verilator 9.999 2040-01-01", "Verilator 4.999 2000-01-01", "Veri",
                                           "Verilator next years", ""};
    struct spawned own = ports(NULL);
    assert_status(&own, EXIT_SOUND);
    assert_string_equal(own.err, "");
    for (unsigned n = 0; n < sizeof versions / sizeof versions[0]; ++n) {
        char *path = stand_in(versions[n], "");
        struct spawned s = ports(path);
        assert_status(&s, EXIT_SOUND);
        assert_says(s.err, "verilog_ports: warning: ");
        assert_says(s.err, "Lockstep was tested with Verilator 5.006 to 5.051");
        if (n == 0) assert_says(s.err, "/other-verilator is version 9.999;");
        assert_string_equal(s.out, own.out);
        spawn_free(&s);
        free(path);
    }
    spawn_free(&own);
}

static void a_known_version_is_no_warning(void **state) {
    (void)state;
    char *path = stand_in("Verilator 5.030 2024-10-27", "");
    struct spawned s = ports(path);
    assert_status(&s, EXIT_SOUND);
    assert_string_equal(s.err, "");
    spawn_free(&s);
    free(path);
}

static void a_verilator_that_cannot_be_used_is_named(void **state) {
    (void)state;
    struct spawned s = ports("/no/such/verilator");
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "/no/such/verilator cannot be run");
    spawn_free(&s);
    char *path = stand_in("Verilator 5.006", "[ \"$1\" != --getenv ] || { echo none; exit; }");
    s = ports(path);
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "--getenv VERILATOR_ROOT does not print its folder, but: none");
    spawn_free(&s);
    free(path);
    path = stand_in("Verilator 5.006", "echo not today >&2; exit 3");
    s = ports(path);
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "not today");
    spawn_free(&s);
    free(path);
}

/* The check of scripts/lint, on a source with a private name and on one without. */
static void lint_finds_private_names(void **state) {
    (void)state;
    static const struct {
        const char *line;
        int status;
    } sources[] = {{"root->clk_i = 1; v.warp_scheduler__DOT__last_q = 0; VerilatedVcdC c;", 0},
                   {"Vtwin___024root___eval_nba(&v);", 1},
                   {"v.__VactTriggered = 1;", 1},
                   {"top.rootp->vlSymsp", 1},
                   {"struct VerilatedFst {};", 1},
                   {"value.m_storage[0]", 1}};
    for (unsigned n = 0; n < sizeof sources / sizeof sources[0]; ++n) {
        char *command =
            spawn_text("rm -rf tb .git; source=$1; eval \"$(sed -n '/^run_private_names/,/^}/p' "
                       "%s/scripts/lint)\"; git init -q . && mkdir tb && echo \"$source\" >tb/a.c && "
                       "git add tb && run_private_names",
                       spawn_source());
        struct spawned s =
            spawn(fixture_folder, (char *[]){"bash", "-c", command, "bash", (char *)sources[n].line, NULL});
        assert_status(&s, sources[n].status);
        spawn_free(&s);
        free(command);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(an_unknown_version_is_a_warning),
        TEST(a_known_version_is_no_warning),
        TEST(a_verilator_that_cannot_be_used_is_named),
        TEST(lint_finds_private_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
