/* `lockstep run --log` observes what is executed; `lockstep log` prints it from records. Both say the same.
 */
#include "sim/error.h"
#include "tests/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_file(const char *name) {
    char *path = fixture_path(name), *text = spawn_read(path);
    assert_non_null(text);
    free(path);
    return text;
}

/* --- lines --- */

struct lines {
    char *text, **line;
    size_t count;
};

static int by_text(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Splits a log, without its head, into lines; text is kept. */
static struct lines lines_of(char *text) {
    struct lines l = {.text = text};
    char *rest = text, *line;
    assert_int_equal(strncmp(text, "cycle  ", 7), 0);
    strsep(&rest, "\n");
    while ((line = strsep(&rest, "\n")) && *line) {
        l.line = realloc(l.line, (l.count + 1) * sizeof *l.line);
        assert_non_null(l.line);
        l.line[l.count++] = line;
    }
    return l;
}

static void free_lines(struct lines *l) {
    free(l->line);
    free(l->text);
}

/* Runs a program with a recording and a log, and prints the recording. */
static void run_both(const char *machine, const char *settings, const char *options, const char *program) {
    char *all = spawn_text("--record t.lsr --log t.log %s", options);
    struct spawned s = fixture_run(machine, settings, all, program);
    assert_status(&s, 0);
    spawn_free(&s);
    s = LOCKSTEP("log", "t.lsr", "--all", "-o", "records.log");
    assert_status(&s, 0);
    spawn_free(&s);
    free(all);
}

static void assert_same_lines(const char *machine, const char *settings, const char *program) {
    run_both(machine, settings, "", program);
    struct lines a = lines_of(read_file("t.log")), b = lines_of(read_file("records.log"));
    assert_in_range(a.count, 500, 1000000);
    qsort(a.line, a.count, sizeof *a.line, by_text);
    qsort(b.line, b.count, sizeof *b.line, by_text);
    for (size_t n = 0; n < a.count && n < b.count; n++)
        if (strcmp(a.line[n], b.line[n]) != 0)
            fail_msg("%s %s %s: observed\n%s\nrecorded\n%s", program, machine ? machine : "base", settings,
                     a.line[n], b.line[n]);
    assert_int_equal(a.count, b.count);
    free_lines(&a);
    free_lines(&b);
}

static void test_base_machine(void **state) {
    (void)state;
    assert_same_lines(NULL, "", "tests/hosts/divergence");
    assert_same_lines(NULL, "", "tests/hosts/own_reduction");
    assert_same_lines(NULL, "", "tests/hosts/private_array");
    assert_same_lines(NULL, "cluster.count=2", "tests/hosts/matrix_multiply");
    assert_same_lines(NULL, "simt.scheduler=two_level", "tests/hosts/divergence");
    assert_same_lines(NULL, "simt.mitigation=dpe", "tests/hosts/divergence");
    assert_same_lines(NULL, "uniform.storage=token uniform.intra=on", "tests/hosts/divergence");
}

static void test_gpu_like(void **state) {
    (void)state;
    assert_same_lines("gtx285-like", "", "tests/hosts/divergence");
    assert_same_lines("fermi-like", "", "tests/hosts/own_reduction");
    assert_same_lines("fermi-like", "simt.divergence=dwf", "tests/hosts/divergence");
    assert_same_lines("fermi-like", "simt.divergence=tbc", "tests/hosts/own_reduction");
    assert_same_lines("gt640-like", "", "tests/hosts/divergence");
    assert_same_lines("gt640-gcn", "", "tests/hosts/private_array");
}

/* A line of records stands for consecutive instructions, which may be repeated. */
static void test_cores(void **state) {
    (void)state;
    static const char *const kinds[] = {"single", "in_order"};
    for (unsigned k = 0; k < 2; k++) {
        size_t instructions = 0;
        char *settings = spawn_text("mode=mimd core.kind=%s", kinds[k]);
        run_both(NULL, settings, "", "tests/hosts/own_reduction");
        struct lines a = lines_of(read_file("t.log")), b = lines_of(read_file("records.log"));
        for (size_t n = 0; n < b.count; n++) {
            const char *more = strstr(b.line[n], ", and "), *times = strstr(b.line[n], " times");
            while (times && times[-1] >= '0' && times[-1] <= '9') times--;
            instructions += (more ? strtoul(more + strlen(", and "), NULL, 10) + 1 : 1) *
                            (times ? strtoul(times, NULL, 10) : 1);
        }
        assert_int_equal(a.count, instructions);
        assert_non_null(strstr(a.line[0], "cluster0.core"));
        free_lines(&a);
        free_lines(&b);
        free(settings);
    }
}

/* --- values --- */

/* Runs tests/gdb/steps.cl, and returns the log. */
static char *values_of(char *option, char *value, char *items) {
    char *program = fixture_host("checked"), *kernel = spawn_text("%s/tests/gdb/steps.cl", spawn_source());
    struct spawned s = items ? LOCKSTEP("run", "--quiet", option, value, "--log", "v.log,values",
                                        "--log-items", items, "--stats", "with.csv", "--", program, kernel)
                             : LOCKSTEP("run", "--quiet", option, value, "--log=v.log,values", "--stats",
                                        "with.csv", "--", program, kernel);
    assert_status(&s, 0);
    spawn_free(&s);
    s = LOCKSTEP("run", "--quiet", option, value, "--stats", "without.csv", "--", program, kernel);
    assert_status(&s, 0);
    spawn_free(&s);
    char *with = read_file("with.csv"), *without = read_file("without.csv");
    assert_string_equal(with, without);
    free(with);
    free(without);
    free(program);
    free(kernel);
    return read_file("v.log");
}

/* Asserts that a line has a source line, and a text in its values. */
static void assert_line(const char *log, const char *source, const char *values) {
    for (const char *at = log; (at = strstr(at, source)); at++) {
        const size_t length = strcspn(at, "\n");
        if (at[strlen(source)] == ' ' && memmem(at, length, values, strlen(values))) return;
    }
    fail_msg("no line of %s has '%s' in:\n%.3000s", source, values, log);
}

/* Work-item 37: in[37] is 37 · 7 mod 31 = 11, and sum 22. Its loop adds 0, 37, 74 and 111, and inverts two
 * bits each time: 21, 57, 128 (57 + 74 = 131), 236 = 0xec. Its neighbour's sum,
 * which it stores, is 264 = 0x108: in[38] is 18; 36 + 6 · 38. */
static void test_values(void **state) {
    (void)state;
    char *const machines[][2] = {{"--mode", "simt"},
                                 {"--set", "simt.warp_size=16"},
                                 {"--config", "gtx285-like"},
                                 {"--config", "fermi-like"},
                                 {"--exact-steps", "--quiet"}};
    for (unsigned n = 0; n < sizeof machines / sizeof *machines; n++) {
        char *log = values_of(machines[n][0], machines[n][1], "37");
        struct lines l = lines_of(strdup(log));
        assert_in_range(l.count, 15, 60);
        for (size_t k = 0; k < l.count; k++)
            assert_non_null(strstr(l.line[k], n == 1 ? "  0020" : "  00000020"));
        assert_line(log, "program1.cl:4", "=b");
        assert_line(log, "program1.cl:9", " [40000094]=ec");
        assert_line(log, "program1.cl:11", " [60000094]=108");
        free_lines(&l);
        free(log);
    }
}

/* All threads of a warp: the stores of the first warp are to adjacent words, those of the array of numbers of
 * work-items, too. */
static void test_values_of_warps(void **state) {
    (void)state;
    char *log = values_of("--mode", "simt", NULL);
    assert_line(log, "program1.cl:9", " [40000000+4*k]=");
    assert_line(log, "program1.cl:11", " [60000000+4*k]=");
    assert_line(log, "program1.cl:3", "=0+1*k");
    free(log);
    log = values_of("--config", "fermi-like", "0:3");
    assert_line(log, "program1.cl:11", " [60000000+4*k]=");
    free(log);
    log = values_of("--mode", "mimd", NULL);
    assert_line(log, "program1.cl:11", " [60000094]=108");
    free(log);
}

/* --- windows, and mistakes --- */

static void test_windows(void **state) {
    (void)state;
    run_both(NULL, "", "--log-cycles 5000:5999", "tests/hosts/vector_add");
    struct spawned s = LOCKSTEP("log", "t.lsr", "--cycles", "4000:5999");
    assert_status(&s, 0);
    struct lines a = lines_of(read_file("t.log")), b = lines_of(strdup(s.out));
    assert_in_range(a.count, 10, 1000);
    for (size_t n = 0; n < a.count; n++) {
        assert_in_range(strtoul(a.line[n], NULL, 10), 5000, 5999);
        bool found = false;
        for (size_t k = 0; k < b.count && !found; k++) found = strcmp(a.line[n], b.line[k]) == 0;
        if (!found) fail_msg("not in the recording: %s", a.line[n]);
    }
    free_lines(&a);
    free_lines(&b);
    spawn_free(&s);
    s = LOCKSTEP("log", "t.lsr", "--launch", "0");
    assert_status(&s, 0);
    assert_says(s.out, "cluster0.warp0 ");
    spawn_free(&s);
}

static void assert_refused(struct spawned s, const char *part) {
    assert_status(&s, EXIT_USER);
    assert_says(s.err, part);
    spawn_free(&s);
}

static void test_mistakes(void **state) {
    (void)state;
    char *program = fixture_host("vector_add");
    static char *const items[] = {
        "--log-items=",   "--log-items=x",  "--log-items=3:2",     "--log-items=1,",
        "--log-items=-1", "--log-items=1:", "--log-items=1,2,3,4", "--log-items=4294967296"};
    for (unsigned n = 0; n < sizeof items / sizeof *items; n++)
        assert_refused(LOCKSTEP("run", "--log", "t.log", items[n], "--", program), "up to three global ids");
    assert_refused(LOCKSTEP("run", "--log", "t.log", "--log-cycles", "9:8", "--", program), "FIRST:LAST");
    assert_refused(LOCKSTEP("run", "--log-cycles", "1:8", "--", program), "--log does not say where to");
    assert_refused(LOCKSTEP("run", "--log", ",values", "--", program), "the name of a file is needed");
    assert_refused(LOCKSTEP("run", "--log", "a", "--log", "b", "--", program), "--log is given twice");
    assert_refused(LOCKSTEP("run", "--log", "a", "--stats", "a", "--", program), "");
    assert_refused(LOCKSTEP("run", "--log", "no/t.log", "--", program), "no/t.log");
    assert_refused(LOCKSTEP("run", "--log", "a", "--gdb", "--", program), "which --gdb repeats");
    assert_refused(LOCKSTEP("run", "--log", "a", "--trace-last", "--", program),
                   "which --trace-last repeats");
    assert_refused(LOCKSTEP("run", "--log", "a", "--inject", "alu=1", "--", program),
                   "which --inject repeats");
    assert_refused(LOCKSTEP("run", "--log", "a", "--config", "gtx285-like", "--threads", "2", "--", program),
                   "--log observes one host thread");
    assert_refused(LOCKSTEP("run", "--log", "a", "--set", "simt.mitigation=alt", "--", program),
                   "not with simt.mitigation alt");
    assert_refused(LOCKSTEP("run", "--log", "a", "--log-items", "1", "--mode", "mimd", "--", program),
                   "use --mode simt");
    assert_refused(LOCKSTEP("log", "none.lsr"), "none.lsr");
    assert_refused(LOCKSTEP("log"), "no recording is given");
    assert_exists("a", false);
    free(program);
}

/* A run with a fault keeps its log up to there. */
static void test_fault(void **state) {
    (void)state;
    struct spawned s = fixture_run(NULL, "", "--log t.log", "tests/hosts/out_of_bounds far");
    assert_status(&s, EXIT_PROGRAM_FAULT);
    struct lines l = lines_of(read_file("t.log"));
    assert_in_range(l.count, 3, 1000);
    free_lines(&l);
    spawn_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_base_machine),    TEST(test_gpu_like), TEST(test_cores),    TEST(test_values),
        TEST(test_values_of_warps), TEST(test_windows),  TEST(test_mistakes), TEST(test_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
