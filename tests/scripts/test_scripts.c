/* scripts/test must detect every kind of failure: replacement test programs, in shell, print what cmocka
 * prints. */
#include "tests/spawn.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#define PASSING "echo '[==========] 3 test(s) run.'; echo '[  PASSED  ] 3 test(s).'\n"
#define FAILING                                                                                              \
    "echo the reason; echo '[  PASSED  ] 2 test(s).'; echo '[  FAILED  ] 1 test(s), listed below:'\n"        \
    "echo '[  FAILED  ] test_x'; exit 1\n"

static char *folder; /* folder in place of build/ */

static int begin(void **state) {
    (void)state;
    folder = spawn_folder();
    char *tests = spawn_text("%s/tests", folder);
    mkdir(tests, 0755);
    free(tests);
    return 0;
}

static int end(void **state) {
    (void)state;
    spawn_remove_folder(folder);
    return 0;
}

/* Adds a program under a name that the sources have, as scripts/test wants it. */
static void add(const char *name, const char *script) {
    char *path = spawn_text("%s/tests/%s", folder, name), *text = spawn_text("#!/bin/sh\n%s", script);
    spawn_write(path, text);
    chmod(path, 0755);
    free(path);
    free(text);
}

/* Runs scripts/test with these variables and arguments. */
static struct spawned run_script_with(const char *variables, const char *arguments) {
    char *line = spawn_text(
        "env -u ALL -u SHARD -u MINUTES -u LOCKSTEP_LONG -u WITHOUT B='%s' TEST_LIMIT_SECONDS=2 %s "
        "'%s/scripts/test' %s 2>&1",
        folder, variables, spawn_source(), arguments);
    struct spawned s = spawn(folder, (char *[]){"sh", "-c", line, NULL});
    free(line);
    return s;
}

static struct spawned run_script(void) {
    return run_script_with("", "");
}

/* Runs scripts/test; its last line must be `closing`, and its output must contain `part` (NULL: any). */
static void assert_closes(int status, const char *closing, const char *part) {
    struct spawned s = run_script();
    char *last = s.out + strlen(s.out);
    if (last > s.out) last--;
    while (last > s.out && last[-1] != '\n') last--;
    if (strcmp(last, closing) != 0) fail_msg("the last line is not '%s':\n%s", closing, s.out);
    if (part && !strstr(s.out, part)) fail_msg("'%s' is not in:\n%s", part, s.out);
    assert_int_equal(s.status, status);
    spawn_free(&s);
}

static void test_all_pass(void **state) {
    (void)state;
    add("test_report", PASSING);
    add("test_scripts", "echo '[  PASSED  ] 1 test(s).'; " PASSING);
    assert_closes(0, "7 passed, 0 failed\n", "test_scripts");
}

/* Runs scripts/test after a run that took the seconds of `took`; the line of `first` must be the first. */
static void assert_starts(const char *took, const char *first) {
    char *seconds = spawn_text("%s/tests/seconds", folder);
    spawn_write(seconds, took);
    struct spawned s = run_script();
    assert_int_equal(strncmp(s.out, first, strlen(first)), 0);
    spawn_free(&s);
    free(seconds);
}

/* A run stores how long each program took, and the next run starts with the longest. */
static void test_the_longest_starts_first(void **state) {
    (void)state;
    add("test_command", PASSING);
    add("test_report", PASSING);
    assert_closes(0, "6 passed, 0 failed\n", "test_command");
    char *seconds = spawn_text("%s/tests/seconds", folder), *kept = spawn_read(seconds);
    assert_non_null(strstr(kept, "test_command "));
    assert_non_null(strstr(kept, "test_report "));
    assert_starts("test_command 3.0\ntest_report 20.5\n", "test_report ");
    assert_starts("test_command 30.0\ntest_report 20.5\n", "test_command ");
    free(kept);
    free(seconds);
}

static void test_one_fails(void **state) {
    (void)state;
    add("test_report", FAILING);
    add("test_scripts", PASSING);
    assert_closes(1, "5 passed, 1 failed\n", "    the reason\n");
}

static void test_a_crash_is_a_failure(void **state) {
    (void)state;
    add("test_report", "echo last words; kill -SEGV $$\n");
    add("test_scripts", PASSING);
    assert_closes(1, "3 passed, 1 failed\n", "killed by signal 11");
}

static void test_a_crash_after_passing_is_a_failure(void **state) {
    (void)state;
    add("test_report", PASSING "kill -ABRT $$\n");
    assert_closes(1, "3 passed, 1 failed\n", "killed by signal 6");
}

static void test_exit_status_counts(void **state) {
    (void)state;
    add("test_report", PASSING "exit 1\n");
    assert_closes(1, "3 passed, 1 failed\n", "exit status 1");
}

static void test_no_test_in_a_program_is_a_failure(void **state) {
    (void)state;
    add("test_report", "exit 0\n");
    add("test_scripts", PASSING);
    assert_closes(1, "3 passed, 1 failed\n", "ran no test");
}

static void test_a_hang_is_a_failure(void **state) {
    (void)state;
    add("test_report", "sleep 30\n");
    assert_closes(1, "0 passed, 1 failed\n", "did not end within 2 s");
}

/* Signals are handled as in a terminal: tests that send SIGINT depend on it. */
static void test_no_signal_is_ignored(void **state) {
    (void)state;
    add("test_report", "grep -q 'SigIgn:.0000000000000000' /proc/self/status && " PASSING);
    assert_closes(0, "3 passed, 0 failed\n", NULL);
}

static void test_no_program_is_a_failure(void **state) {
    (void)state;
    assert_closes(1, "0 passed, 0 failed\n", NULL);
    add("test_without_source", PASSING); /* left by an older build */
    assert_closes(1, "0 passed, 0 failed\n", NULL);
}

static void assert_says(const char *variables, const char *arguments, const char *part, bool expected) {
    struct spawned s = run_script_with(variables, arguments);
    if ((strstr(s.out, part) != NULL) != expected)
        fail_msg("'%s' %s in:\n%s", part, expected ? "is not" : "is", s.out);
    spawn_free(&s);
}

/* A program that has passed runs again if it, a file of the build that it needs or a shared library has
 * changed, and if all are requested. A program that has failed always runs. */
static void test_a_program_that_passed_is_not_run_again(void **state) {
    (void)state;
    add("test_report", PASSING);
    add("test_scripts", PASSING);
    char *reads = spawn_text("%s/tests/test_report.reads", folder), *needed = spawn_text("%s/needed", folder);
    spawn_write(needed, "one");
    char *names_needed = spawn_text("\n%s\n", needed);
    spawn_write(reads, names_needed);
    assert_says("", "", "test_report ", true);
    assert_says("", "", "test_report ", false);
    assert_closes(0, "6 passed, 0 failed\n", "3 of 6 have passed before");
    assert_says("", "", "test_scripts ", true); /* its inputs are unknown */
    assert_says("ALL=1", "", "test_report ", true);
    assert_says("LOCKSTEP_LONG=1", "", "test_report ", true);
    spawn_write(needed, "two");
    assert_says("", "", "test_report ", true);
    assert_says("", "", "test_report ", false);
    add("test_report", PASSING " # changed\n");
    assert_says("", "", "test_report ", true);
    add("test_report", FAILING);
    assert_says("", "", "1 FAILED", true);
    assert_says("", "", "1 FAILED", true);
    spawn_write(needed, "one");
    add("test_report", PASSING); /* unchanged since it passed, but it has failed meanwhile */
    assert_says("", "", "test_report ", true);
    free(names_needed);
    free(needed);
    free(reads);
}

static void test_names_are_filtered(void **state) {
    (void)state;
    add("test_report", PASSING);
    add("test_scripts", PASSING);
    assert_says("", "--filter report", "test_scripts ", false);
    assert_says("", "--filter test_report --filter 's*'", "6 passed, 0 failed\n", true);
    assert_says("", "--list --filter 'r*'", "test_report\n", true);
    assert_says("", "--list", "passed", false);
    assert_says("", "--filter cache", "no such test program", true);
    assert_says("", "--wrong", "--filter PATTERN", true);
}

/* The shares of a list are disjoint and cover it; tests omitted because of MINUTES are reported. */
static void test_shares(void **state) {
    (void)state;
    static const char *const names[] = {"test_report", "test_scripts", "test_command", "test_cache",
                                        "test_error"};
    unsigned listed[5] = {0};
    for (unsigned n = 0; n < 5; ++n) add(names[n], PASSING);
    for (unsigned share = 1; share <= 3; ++share) {
        char *variable = spawn_text("SHARD=%u/3", share);
        struct spawned s = run_script_with(variable, "--list");
        for (unsigned n = 0; n < 5; ++n) listed[n] += strstr(s.out, names[n]) != NULL;
        spawn_free(&s);
        free(variable);
    }
    for (unsigned n = 0; n < 5; ++n) assert_int_equal(listed[n], 1);
    assert_says("SHARD=1/3", "", "share 1/3", true);
    assert_says("MINUTES=1", "", "15 passed, 0 failed\n", true);
    static const char *const wrong[] = {"SHARD=0/3",   "SHARD=4/3", "SHARD=2",  "SHARD=a/b",
                                        "SHARD=1/2/3", "MINUTES=0", "MINUTES=x"};
    for (unsigned n = 0; n < sizeof wrong / sizeof wrong[0]; ++n) {
        struct spawned s = run_script_with(wrong[n], "");
        if (s.status != 125 || !strstr(s.out, wrong[n]))
            fail_msg("%s: status %d:\n%s", wrong[n], s.status, s.out);
        spawn_free(&s);
    }
}

static void test_results_as_junit(void **state) {
    (void)state;
    add("test_report", "echo '[ LINE     ] --- a <b> & c'; " FAILING);
    add("test_scripts", PASSING);
    assert_closes(1, "5 passed, 1 failed\n", NULL);
    char *path = spawn_text("%s/tests/junit.xml", folder), *results = spawn_read(path);
    assert_non_null(strstr(results, "name=\"test_scripts\""));
    assert_non_null(strstr(results, "a &lt;b> &amp; c"));
    free(results);
    free(path);
}

/* Compilations become entries of a JSON list, whatever else make prints. */
static void test_how_files_are_compiled(void **state) {
    (void)state;
    static const char made[] = "make[1]: nothing\n"
                               "gcc -DN='\"x\"' -c sim/a.c -o build/obj/sim/a.o\n"
                               "g++ -c tb/b.cc -o b.o\n"
                               "gcc a.o -o a\n";
    char *path = spawn_text("%s/made", folder), *line = NULL;
    spawn_write(path, made);
    line = spawn_text("cd / && '%s/scripts/compile-commands' <'%s'", spawn_source(), path);
    struct spawned s = spawn(folder, (char *[]){"sh", "-c", line, NULL});
    assert_string_equal(
        s.out, "[\n"
               "{\"directory\": \"/\", \"file\": \"sim/a.c\", "
               "\"command\": \"gcc -DN='\\\"x\\\"' -c sim/a.c -o build/obj/sim/a.o\"},\n"
               "{\"directory\": \"/\", \"file\": \"tb/b.cc\", \"command\": \"g++ -c tb/b.cc -o b.o\"}\n"
               "]\n");
    spawn_free(&s);
    free(line);
    free(path);
}

/* Adds a replacement for a command, which also appends its arguments to the file `calls`. */
static void add_command(const char *name, const char *script) {
    char *path = spawn_text("%s/%s", folder, name);
    char *text = spawn_text("#!/bin/sh\necho \"%s $*\" >>'%s/calls'\n%s", name, folder, script);
    spawn_write(path, text);
    chmod(path, 0755);
    free(path);
    free(text);
}

static struct spawned run_with_commands(const char *script) {
    char *line = spawn_text("PATH='%s':\"$PATH\" '%s/%s' 2>&1", folder, spawn_source(), script);
    struct spawned s = spawn(folder, (char *[]){"sh", "-c", line, NULL});
    free(line);
    return s;
}

static void assert_run(const char *script, int status, const char *part) {
    struct spawned s = run_with_commands(script);
    if (!strstr(s.out, part)) fail_msg("'%s' is not in:\n%s", part, s.out);
    assert_int_equal(s.status, status);
    spawn_free(&s);
}

static void assert_calls(const char *part, bool expected) {
    char *path = spawn_text("%s/calls", folder), *calls = spawn_read(path);
    assert_non_null(calls);
    if ((strstr(calls, part) != NULL) != expected)
        fail_msg("'%s' %s in:\n%s", part, expected ? "is not" : "is", calls);
    free(calls);
    free(path);
}

/* dpkg-query, before and after an installation: all but gtkwave is installed. */
#define ALL_INSTALLED "for p; do case $p in -*) ;; *) echo \"ii $p\";; esac; done\n"
#define GTKWAVE_MISSING                                                                                      \
    "for p; do case $p in -*) ;; gtkwave) echo 'un gtkwave';; *) echo \"ii $p\";; esac; done\n"
#define GTKWAVE_MISSING_UNTIL_INSTALLED                                                                      \
    "if grep -q '^apt-get install' \"${0%/*}/calls\"; then " ALL_INSTALLED "else " GTKWAVE_MISSING "fi\n"

static void test_setup_with_nothing_missing(void **state) {
    (void)state;
    add_command("dpkg-query", ALL_INSTALLED);
    add_command("apt-get", "");
    struct spawned s = run_with_commands("scripts/setup");
    assert_string_equal(s.out, "");
    assert_int_equal(s.status, 0);
    spawn_free(&s);
    assert_calls("apt-get", false);
}

static void test_setup_installs_what_is_missing(void **state) {
    (void)state;
    add_command("dpkg-query", GTKWAVE_MISSING_UNTIL_INSTALLED);
    add_command("id", "echo 0\n");
    add_command("apt-get", "echo frontend $DEBIAN_FRONTEND >>\"${0%/*}/calls\"\n");
    assert_run("scripts/setup", 0, "missing: gtkwave");
    assert_calls("apt-get update -q\n", true);
    assert_calls("apt-get install -y --no-install-recommends gtkwave\n", true);
    assert_calls("frontend noninteractive\n", true);
}

static void test_setup_through_sudo(void **state) {
    (void)state;
    add_command("dpkg-query", GTKWAVE_MISSING_UNTIL_INSTALLED);
    add_command("id", "echo 1000\n");
    add_command("sudo", "[ \"$1\" = -n ] && shift\nexec \"$@\"\n");
    add_command("apt-get", "");
    assert_run("scripts/setup", 0, "missing: gtkwave");
    assert_calls("apt-get install -y --no-install-recommends gtkwave\n", true);
}

static void test_setup_that_may_not_install(void **state) {
    (void)state;
    add_command("dpkg-query", GTKWAVE_MISSING);
    add_command("id", "echo 1000\n");
    add_command("sudo", "exit 1\n");
    add_command("apt-get", "");
    assert_run("scripts/setup", 1, "apt-get update && apt-get install -y --no-install-recommends gtkwave");
    assert_calls("apt-get", false);
}

static void test_setup_that_fails_to_install(void **state) {
    (void)state;
    add_command("dpkg-query", GTKWAVE_MISSING);
    add_command("id", "echo 0\n");
    add_command("apt-get", "[ \"$1\" = update ]\n");
    assert_run("scripts/setup", 1, "installing failed");
    add_command("apt-get", "exit 100\n");
    assert_run("scripts/setup", 1, "apt-get update failed");
    add_command("apt-get", "");
    assert_run("scripts/setup", 1, "still missing: gtkwave");
}

/* On a new machine, `make` alone prints the command that installs the packages, none of which it needs. */
static void test_make_without_packages(void **state) {
    (void)state;
    char *line = spawn_text("make -C '%s' FST=/nowhere B='%s/b' '%s/b/obj/fst/fstapi.o' 2>&1", spawn_source(),
                            folder, folder);
    struct spawned s = spawn(folder, (char *[]){"sh", "-c", line, NULL});
    if (!strstr(s.out, "packages are missing: scripts/setup installs them")) fail_msg("%s", s.out);
    assert_int_equal(s.status, 2);
    spawn_free(&s);
    free(line);
}

static void assert_ci(const char *lint_status, const char *test_output, int status, const char *last_lines) {
    char *make =
        spawn_text("case $1 in lint) echo linted; exit %s;; test) %s;; esac\n", lint_status, test_output);
    add_command("make", make);
    struct spawned s = run_with_commands(".ci/run");
    size_t length = strlen(s.out), wanted = strlen(last_lines);
    if (length < wanted || strcmp(s.out + length - wanted, last_lines) != 0)
        fail_msg("the end is not '%s':\n%s", last_lines, s.out);
    assert_int_equal(s.status, status);
    assert_calls("make setup\n", true);
    spawn_free(&s);
    free(make);
}

static void test_ci_closes_with_the_tests_line(void **state) {
    (void)state;
    assert_ci("0", "echo '5 passed, 0 failed'", 0, "linted\n5 passed, 0 failed\n");
    assert_ci("0", "echo '4 passed, 1 failed'; echo 'make: Error 1'; exit 2", 1,
              "Error 1\n4 passed, 1 failed\n");
    assert_ci("2", "echo '5 passed, 0 failed'", 1, "make lint failed: see above\n5 passed, 0 failed\n");
    assert_ci("0", "echo 'cannot build'; exit 2", 1, "cannot build\n0 passed, 0 failed\n");
}

/* scripts/sensitivity: its verdict with a replacement for `lockstep compare`, which has times in ps at each
 * value: of MIMD mode, of SIMT mode; names of variants contain commas. */
static void test_sensitivity(void **state) {
    (void)state;
    char *command = spawn_text("%s/lockstep", folder);
    spawn_write(
        command,
        "#!/bin/sh\n"
        "row() { echo \"\\\"$1, $2\\\",7,$3,1\"; }\n"
        "echo variant,cycles,time_ps,speedup\n"
        "case $* in\n"
        "*core.hit_under_miss*) for v in 0 1 4 8; do row $v mimd $((200 - 15 * v)); row $v simt 160; done;;\n"
        "*cluster.lanes*) for v in 2 4 8 16; do row $v mimd 100; row $v simt 200; done;;\n"
        "*) for v in 1 4 8; do row $v mimd 300; row $v simt 200; done;;\n"
        "esac\n");
    chmod(command, 0755);
    char *line = spawn_text("B='%s' '%s/scripts/sensitivity' vector_add", folder, spawn_source());
    struct spawned s = spawn(folder, (char *[]){"sh", "-c", line, NULL});
    assert_int_equal(s.status, 0);
    static const char *const rows[] = {
        "SIMT faster than MIMD    vector_add   core.hit_under_miss   0: 1.25  1: 1.16  4: 0.88  8: 0.50  "
        "CHANGES SIGN\n",
        "SIMT faster than MIMD    vector_add   cluster.lanes         2: 0.50  4: 0.50  8: 0.50  16: 0.50  "
        "DOES NOT HOLD\n",
        "SIMT faster than MIMD    vector_add   snoop.occupancy       1: 1.50  4: 1.50  8: 1.50\n"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!strstr(s.out, rows[i])) fail_msg("'%s' is not in:\n%s", rows[i], s.out);
    spawn_free(&s);
    spawn_write(command, "#!/bin/sh\necho what is wrong >&2\nexit 122\n");
    s = spawn(folder, (char *[]){"sh", "-c", line, NULL});
    assert_int_equal(s.status, 1);
    assert_non_null(strstr(s.err, "what is wrong"));
    spawn_free(&s);
    free(line);
    free(command);
}

/* Puts a source that includes `header` into a project of its own. */
static void add_source(const char *path, const char *header) {
    char *command = spawn_text("cd '%s' && mkdir -p \"$(dirname '%s')\"", folder, path);
    assert_int_equal(system(command), 0);
    free(command);
    char *file = spawn_text("%s/%s", folder, path);
    char *text = spawn_text("/* a source */\n#include <stdio.h>\n#include \"%s\"\n", header);
    spawn_write(file, text);
    free(text);
    free(file);
}

/* Checks that scripts/floors prints `expected` for that project, or nothing (""). */
static void assert_floors(const char *expected) {
    char *script = spawn_text("%s/scripts/floors", spawn_source());
    struct spawned s = spawn(folder, (char *[]){script, folder, NULL});
    assert_string_equal(s.err, "");
    assert_string_equal(s.out, expected);
    assert_int_equal(s.status, *expected ? 1 : 0);
    spawn_free(&s);
    free(script);
}

static void test_floors_know_only_those_below(void **state) {
    (void)state;
    add_source("sim/kernel.c", "sim/event.h");
    add_source("model/memory/cache.c", "model/config/machine_config.h");
    add_source("model/cluster/cluster.h", "model/memory/cache.h");
    add_source("runtime/opencl/kernel.c", "command.h");
    add_source("tb/twins/twin.c", "tb/ports/sources.h");
    add_source("lockstep/commands/run_command.c", "model/machine/machine.h");
    assert_floors("");
    add_source("model/memory/cache.c", "model/cluster/cluster.h");
    assert_floors(
        "model/memory/cache.c:3: #include \"model/cluster/cluster.h\": model/memory/ knows only sim abi "
        "generated recording model/replacement model/config model/control (the table in scripts/floors)\n");
    add_source("model/memory/cache.c", "sim/error.h");
    add_source("sim/kernel.c", "abi/memory_map.h");
    add_source("compiler/code/image_link.c", "model/memory/memory.h");
    assert_floors(
        "compiler/code/image_link.c:3: #include \"model/memory/memory.h\": compiler/ knows only sim abi "
        "model/arm (the "
        "table in scripts/floors)\n"
        "sim/kernel.c:3: #include \"abi/memory_map.h\": sim/ knows only itself (the table in "
        "scripts/floors)\n");
}

static void test_floors_the_model_names_no_options(void **state) {
    (void)state;
    add_source("model/machine/machine.c", "sim/error.h\"\nconst char *why = \"is slow (--max-cycles)");
    add_source("lockstep/commands/run_command.c",
               "sim/error.h\"\nconst char *why = \"is slow (--max-cycles)");
    assert_floors(
        "model/machine/machine.c:4: the model names no options: name the field or the function, the "
        "command adds its option\n");
}

static void test_floors_rows_answer_for_their_kind(void **state) {
    (void)state;
    add_source("model/machine/machine.c", "sim/error.h\"\nbool gpu = c->contexts == CONTEXTS_VRF; //\"");
    add_source("model/config/contexts_kind.c", "sim/error.h\"\nbool gpu = c->contexts == CONTEXTS_VRF; //\"");
    add_source("lockstep/commands/run_command.c", "sim/error.h\"\nbool pc = row == &divergence_pc; //\"");
    add_source("model/unit/choose.c", "sim/error.h\"\nbool pc = row == &divergence_pc; //\"");
    assert_floors(
        "lockstep/commands/run_command.c:4: a row is compared with a named one: make the difference a member "
        "of the rows\n"
        "model/machine/machine.c:4: a question for the kind of machine: ask its row "
        "(model/config/contexts_kind.h)\n");
}

static void test_floors_without_a_row_or_by_relative_paths(void **state) {
    (void)state;
    add_source("model/attic/old.c", "sim/error.h");
    add_source("runtime/device/startup.c", "../../model/machine/machine.h");
    add_source("tb/twins/twin.c", "tests/fixture.h");
    struct spawned s = {0};
    char *script = spawn_text("%s/scripts/floors", spawn_source());
    s = spawn(folder, (char *[]){script, folder, NULL});
    assert_int_equal(s.status, 1);
    static const char *const said[] = {
        "model/attic/old.c:1: its folder is not in the table in scripts/floors\n",
        "runtime/device/startup.c:3: #include \"../../model/machine/machine.h\": a path from the top is "
        "wanted\n",
        "tb/twins/twin.c:3: #include \"tests/fixture.h\": tb/ knows only "};
    for (size_t i = 0; i < sizeof said / sizeof *said; i++)
        if (!strstr(s.out, said[i])) fail_msg("'%s' is not in:\n%s", said[i], s.out);
    spawn_free(&s);
    free(script);
}

/* Our own house, which `make lint` checks. */
static void test_our_floors(void **state) {
    (void)state;
    char *script = spawn_text("%s/scripts/floors", spawn_source());
    struct spawned s = spawn(folder, (char *[]){script, NULL});
    assert_string_equal(s.out, "");
    assert_int_equal(s.status, 0);
    spawn_free(&s);
    free(script);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, begin, end)

/* A command that prints a report of 60 lines and writes statistics; `status`: of a run of hotspot. */
static struct spawned run_main_job(int status) {
    char *path = spawn_text("%s/lockstep", folder),
         *text = spawn_text(
             "#!/bin/sh\nfor word; do [ \"$before\" = --stats ] && stats=$word; before=$word; done\n"
             "[ \"$1\" = run ] || exit 0\nseq 60\necho '  cycles  1,234'\n"
             "printf '{\\n  \"totals\": {\\n    \"cycles\": 1234,\\n  },\\n  \"cycles\": 5\\n}\\n' "
             ">\"$stats\"\ncase $stats in *hotspot*) exit %d; esac\n",
             status);
    spawn_write(path, text);
    chmod(path, 0755);
    char *setting = spawn_text("B=%s", folder), *script = spawn_text("%s/scripts/run", spawn_source());
    struct spawned s = spawn(folder, (char *[]){"env", setting, script, NULL});
    free(script);
    free(setting);
    free(text);
    free(path);
    return s;
}

static unsigned lines_of(const char *text) {
    unsigned n = 0;
    for (; *text; text++) n += *text == '\n';
    return n;
}

/* One whole report, and at the end a list of runs and of suggestions. */
static void test_main_job(void **state) {
    (void)state;
    struct spawned s = run_main_job(0);
    assert_int_equal(s.status, 0);
    assert_in_range(lines_of(s.out), 70, 110);
    const char *summary = strstr(s.out, "=== summary");
    assert_non_null(summary);
    assert_non_null(strstr(summary, "  hotspot        right, no mismatch           1234 cycles   gtkwave "));
    assert_non_null(strstr(summary, "reduction-512 "));
    assert_non_null(strstr(summary, "\nNext:\n"));
    spawn_free(&s);
    s = run_main_job(121);
    assert_int_equal(s.status, 1);
    assert_non_null(strstr(s.out, "  hotspot        exit status 121 "));
    assert_non_null(strstr(s.err, "failed: hotspot (exit status 121)"));
    assert_in_range(lines_of(s.out), 130, 170); /* the report of the failure is complete, too */
    spawn_free(&s);
}

/* The main job builds only what it runs: no other benchmark, no library for other benches. */
static void test_main_job_builds_what_it_runs(void **state) {
    (void)state;
    char *setting = spawn_text("B=%s", folder);
    struct spawned s =
        spawn(spawn_source(), (char *[]){"make", "-n", setting, "BRIEF=1", "run-programs", NULL});
    assert_int_equal(s.status, 0);
    assert_non_null(strstr(s.out, "/benchmarks/reduction"));
    assert_null(strstr(s.out, "/benchmarks/bfs"));
    assert_null(strstr(s.out, "liblockstep.so"));
    spawn_free(&s);
    free(setting);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_all_pass),
        TEST(test_the_longest_starts_first),
        TEST(test_one_fails),
        TEST(test_a_crash_is_a_failure),
        TEST(test_a_crash_after_passing_is_a_failure),
        TEST(test_exit_status_counts),
        TEST(test_no_test_in_a_program_is_a_failure),
        TEST(test_a_hang_is_a_failure),
        TEST(test_no_program_is_a_failure),
        TEST(test_no_signal_is_ignored),
        TEST(test_a_program_that_passed_is_not_run_again),
        TEST(test_names_are_filtered),
        TEST(test_shares),
        TEST(test_results_as_junit),
        TEST(test_how_files_are_compiled),
        TEST(test_setup_with_nothing_missing),
        TEST(test_setup_installs_what_is_missing),
        TEST(test_setup_through_sudo),
        TEST(test_setup_that_may_not_install),
        TEST(test_setup_that_fails_to_install),
        TEST(test_make_without_packages),
        TEST(test_ci_closes_with_the_tests_line),
        TEST(test_sensitivity),
        TEST(test_floors_know_only_those_below),
        TEST(test_floors_without_a_row_or_by_relative_paths),
        TEST(test_floors_the_model_names_no_options),
        TEST(test_floors_rows_answer_for_their_kind),
        TEST(test_our_floors),
        TEST(test_main_job),
        TEST(test_main_job_builds_what_it_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
