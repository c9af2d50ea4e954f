/* `lockstep explain`: every cycle is in exactly one place, with its line and text; wrong input is refused.
 * Cycles charged to each instruction are counted by hand in test_simt_pipeline and test_mimd. */
#include "sim/error.h"
#include "tests/fixture.h"

#include <stdlib.h>
#include <string.h>

static json_t *parse_output(const struct spawned *s) {
    json_error_t why;
    json_t *j = json_loads(s->out, 0, &why);
    if (!j) fail_msg("line %d: %s in:\n%s", why.line, why.text, s->out);
    assert_string_equal(json_string_value(json_object_get(j, "schema")), "lockstep-explain");
    return j;
}

static json_int_t cycles_of(const json_t *causes, const char *cause) {
    json_t *j = json_object_get(causes, cause);
    return j ? json_integer_value(j) : 0;
}

static json_int_t sum_of(json_t *causes) {
    json_int_t sum = 0;
    const char *cause;
    json_t *cycles;
    json_object_foreach(causes, cause, cycles) sum += json_integer_value(cycles);
    return sum;
}

/* Checks that every cause of a kernel is the sum of its lines and of separate cycles, and that all causes are
 * its cycles. */
static void assert_kernel_adds_up(const json_t *kernel) {
    json_t *lines = json_object_get(kernel, "lines"), *causes = json_object_get(kernel, "cycles_by_cause");
    json_t *line, *cycles;
    const char *cause;
    size_t i;
    json_object_foreach(causes, cause, cycles) {
        json_int_t sum = cycles_of(json_object_get(kernel, "apart"), cause);
        json_array_foreach(lines, i, line) sum += cycles_of(json_object_get(line, "cycles_by_cause"), cause);
        if (sum != json_integer_value(cycles)) fail_msg("the cycles of cause '%s' do not add up", cause);
    }
    json_array_foreach(lines, i, line) {
        assert_int_equal(sum_of(json_object_get(line, "cycles_by_cause")), fixture_number(line, "cycles"));
    }
    assert_int_equal(sum_of(causes), fixture_number(kernel, "unit_cycles"));
    assert_int_equal(fixture_number(kernel, "cycles") * fixture_number(kernel, "units"),
                     fixture_number(kernel, "unit_cycles"));
}

/* Checks that the kernels' cycles are the run's, and that `instructions` of all lines equal the
 * run's count. */
static void assert_run_adds_up(const json_t *document, bool mimd) {
    json_t *kernels = json_object_get(document, "kernels"), *run = json_object_get(document, "run"), *kernel;
    json_t *line, *launch, *totals = json_object_get(run, "totals");
    json_int_t cycles = 0, instructions = 0, expected = 0;
    size_t k, i;
    json_array_foreach(kernels, k, kernel) {
        assert_kernel_adds_up(kernel);
        cycles += fixture_number(kernel, "cycles");
        json_array_foreach(json_object_get(kernel, "lines"), i, line) instructions +=
            fixture_number(line, "instructions");
    }
    assert_int_equal(cycles, fixture_number(totals, "cycles"));
    json_array_foreach(json_object_get(run, "launches"), i, launch) expected +=
        mimd ? cycles_of(json_object_get(launch, "cycles_by_cause"), "issue")
             : fixture_number(launch, "thread_instructions");
    assert_int_equal(instructions, expected);
    if (mimd) return;
    json_int_t warps = 0, all = 0;
    json_array_foreach(json_object_get(run, "launches"), i, launch) all +=
        fixture_number(launch, "warp_instructions");
    json_array_foreach(kernels, k, kernel) {
        json_array_foreach(json_object_get(kernel, "lines"), i, line) warps +=
            json_integer_value(json_object_get(line, "warp_instructions"));
    }
    assert_int_equal(warps, all);
}

/* Explaining changes nothing: the cycles are those of `lockstep run`. */
static void assert_cycles_of_run(const json_t *document, const char *program, const char *mode) {
    struct spawned s = LOCKSTEP("run", "--mode", (char *)mode, "--stats", "run.json", "--", (char *)program);
    json_t *j = fixture_statistics("run.json");
    assert_true(json_equal(json_object_get(j, "totals"),
                           json_object_get(json_object_get(document, "run"), "totals")));
    json_decref(j);
    spawn_free(&s);
}

static void assert_explains(const char *host) {
    static const char *const modes[] = {"simt", "mimd"};
    char *program = fixture_host(host);
    for (unsigned m = 0; m < 2; m++) {
        struct spawned s = LOCKSTEP("explain", "--mode", (char *)modes[m], "--json", "--", program);
        assert_status(&s, 0);
        json_t *j = parse_output(&s), *kernel = json_array_get(json_object_get(j, "kernels"), 0);
        assert_string_equal(json_string_value(json_object_get(kernel, "mode")), modes[m]);
        assert_int_equal(fixture_number(kernel, "units"), m ? 4 : 1);
        assert_run_adds_up(j, m);
        assert_cycles_of_run(j, program, modes[m]);
        json_decref(j);
        struct spawned exact =
            LOCKSTEP("explain", "--mode", (char *)modes[m], "--exact-steps", "--", program);
        struct spawned skipping = LOCKSTEP("explain", "--mode", (char *)modes[m], "--", program);
        assert_string_equal(exact.out, skipping.out);
        spawn_free(&exact);
        spawn_free(&skipping);
        spawn_free(&s);
    }
    free(program);
}

static void test_every_cycle_is_explained(void **state) {
    (void)state;
    assert_explains("vector_add");
}

static void test_barriers_and_loops_are_explained(void **state) {
    (void)state;
    assert_explains("own_reduction");
}

static void test_the_device_library_is_explained(void **state) {
    (void)state;
    assert_explains("math");
}

static void test_the_table_shows_lines_and_text(void **state) {
    (void)state;
    char *program = fixture_host("vector_add");
    struct spawned s = LOCKSTEP("explain", "--", program);
    assert_status(&s, 0);
    assert_says(s.out, "\nkernel vector_add, SIMT mode: 2 launches, ");
    assert_says(s.out, "\n  program1.cl:3 ");
    assert_says(s.out, "  int i = get_global_id(0);\n");
    assert_says(s.out, "\n  program1.cl:4 ");
    assert_says(s.out, "  if (i < count) sum[i] = a[i] + b[i];\n");
    assert_says(s.out, "\n  (start-up) ");
    assert_says(s.out, "\n  (mode switch) ");
    assert_says(s.out, "\nwarps of kernel vector_add: threads of an instruction, cache lines and words of an "
                       "access\n\n  line ");
    assert_says(s.out, "\n  all ");
    assert_says(s.out, "  100.0 %  ");
    assert_says(s.err, "vector_add: PASS");
    spawn_free(&s);
    s = LOCKSTEP("explain", "--mode", "mimd", "--", program);
    assert_says(s.out, ", MIMD mode: 2 launches, ");
    assert_says(s.out, " on each of 4 cores\n");
    assert_says(s.out, "\n  (no work-group) ");
    spawn_free(&s);
    free(program);
}

/* A load that takes longer costs its own line more, and only that. */
static void test_memory_is_charged_to_the_load(void **state) {
    (void)state;
    char *program = fixture_host("vector_add");
    json_int_t memory[2][2];
    for (unsigned slow = 0; slow < 2; slow++) {
        struct spawned s = LOCKSTEP("explain", "--mode", "mimd", "--set",
                                    slow ? "mem.latency=1000" : "mem.latency=100", "--json", "--", program);
        json_t *j = parse_output(&s), *kernel = json_array_get(json_object_get(j, "kernels"), 0), *line;
        size_t i;
        memory[slow][0] = memory[slow][1] = 0;
        json_array_foreach(json_object_get(kernel, "lines"), i, line) {
            const bool load = json_integer_value(json_object_get(line, "line")) == 4;
            memory[slow][load] += cycles_of(json_object_get(line, "cycles_by_cause"), "memory");
        }
        json_decref(j);
        spawn_free(&s);
    }
    assert_true(memory[1][1] > 5 * memory[0][1]);
    assert_true(memory[1][1] > 10 * memory[1][0]);
    free(program);
}

static void test_a_launch_that_is_stopped_adds_up(void **state) {
    (void)state;
    static const char *const modes[] = {"simt", "mimd"};
    char *program = fixture_host("own_reduction");
    for (unsigned m = 0; m < 2; m++) {
        struct spawned s =
            LOCKSTEP("explain", "--mode", (char *)modes[m], "--max-cycles", "1500", "--json", "--", program);
        assert_status(&s, EXIT_PROGRAM_FAULT);
        assert_says(s.err, "has reached the limit of ");
        json_t *j = parse_output(&s), *kernel = json_array_get(json_object_get(j, "kernels"), 0);
        assert_true(json_is_false(json_object_get(kernel, "whole")));
        assert_kernel_adds_up(kernel);
        json_decref(j);
        spawn_free(&s);
        s = LOCKSTEP("explain", "--mode", (char *)modes[m], "--max-cycles", "1500", "--", program);
        assert_says(s.out, "; the last launch did not end\n");
        spawn_free(&s);
    }
    free(program);
}

/* --- bank conflicts --- */

/* Returns the cycles of bank conflicts that a run counts. */
static json_int_t conflicts_of_run(char *machine, char *setting, char *program, char *argument) {
    struct spawned s = LOCKSTEP("run", "--quiet", "--config", machine, "--set", setting, "--stats", "s.csv",
                                "--", program, argument);
    assert_status(&s, 0);
    spawn_free(&s);
    char *path = fixture_path("s.csv"), *text = spawn_read(path);
    static const char name[] = ".local,conflict_cycles,value,";
    json_int_t sum = 0;
    for (const char *at = text; (at = strstr(at, name)); at++) sum += atoll(at + strlen(name));
    free(text);
    free(path);
    return sum;
}

/* Checks that the conflicts of line `only` (0: any), and 0 at other lines, add up to the counter. */
static void assert_conflicts(char *machine, char *setting, char *program, char *argument, json_int_t only,
                             json_int_t cycles) {
    struct spawned s =
        LOCKSTEP("explain", "--config", machine, "--set", setting, "--json", "--", program, argument);
    assert_status(&s, 0);
    json_t *j = parse_output(&s), *kernel, *line;
    json_int_t sum = 0;
    size_t k, n;
    json_array_foreach(json_object_get(j, "kernels"), k, kernel) {
        json_array_foreach(json_object_get(kernel, "lines"), n, line) {
            const json_int_t its = cycles_of(line, "bank_conflict_cycles");
            sum += its;
            if (only) assert_true(!its || json_integer_value(json_object_get(line, "line")) == only);
        }
    }
    assert_int_equal(sum, conflicts_of_run(machine, setting, program, argument));
    if (cycles >= 0)
        assert_int_equal(sum, cycles);
    else
        assert_true(sum > 0);
    json_decref(j);
    spawn_free(&s);
}

/* tests/kernels/banks.cl: four warps store with a stride of two words, so that half of the banks are taken
 * twice. gtx285-like has 16 banks for half a warp, which takes 2 cycles with 8 lanes: 2 passes more of 2
 * cycles for each warp. fermi-like has 32 banks and 16 lanes: 1 pass more of 2 cycles. gt640-like has 32
 * lanes: 1 of 1 cycle. */
static void test_bank_conflicts(void **state) {
    (void)state;
    char *program = fixture_host("checked"),
         *kernel = spawn_text("%s/tests/kernels/banks.cl", spawn_source());
    char *histogram = spawn_text("%s/benchmarks/histogram", spawn_build()),
         *transpose = spawn_text("%s/benchmarks/matrix_transpose", spawn_build());
    assert_conflicts("gtx285-like", "mode=simt", program, kernel, 4, 16);
    assert_conflicts("fermi-like", "mode=simt", program, kernel, 4, 8);
    assert_conflicts("gt640-like", "mode=simt", program, kernel, 4, 4);
    assert_conflicts("gtx285-like", "mode=simt", histogram, NULL, 0, -1);
    assert_conflicts("fermi-like", "simt.divergence=dwf", histogram, NULL, 0, -1);
    assert_conflicts("gt640-like", "mode=simt", transpose, NULL, 0, -1);
    struct spawned s = LOCKSTEP("explain", "--config", "fermi-like", "--", program, kernel);
    assert_says(s.out, "  bytes used  conflicts  source\n");
    spawn_free(&s);
    s = LOCKSTEP("explain", "--", program, kernel);
    assert_null(strstr(s.out, "conflicts"));
    spawn_free(&s);
    free(transpose);
    free(histogram);
    free(kernel);
    free(program);
}

static void test_the_programs_status_passes(void **state) {
    (void)state;
    free(fixture_file("fails", "#!/bin/sh\necho words\nexit 5\n", 0755));
    struct spawned s = LOCKSTEP("explain", "--", "./fails");
    assert_status(&s, 5);
    assert_string_equal(s.out, "");
    assert_says(s.err, "words\n");
    assert_says(s.err, "nothing was simulated");
    spawn_free(&s);
}

static void assert_refused(struct spawned s, int status, const char *part) {
    assert_says(s.err, part);
    assert_status(&s, status);
    assert_string_equal(s.out, "");
    assert_exists("started", false);
    spawn_free(&s);
}

static void test_wrong_input(void **state) {
    (void)state;
    free(fixture_file("witness", "#!/bin/sh\ntouch started\n", 0755));
    assert_refused(LOCKSTEP("explain"), EXIT_USER, "no program is given");
    assert_refused(LOCKSTEP("explain", "--csv", "--", "./witness"), EXIT_USER, "unrecognized option");
    assert_refused(LOCKSTEP("explain", "--mode", "mist", "--", "./witness"), EXIT_USER, "mist");
    assert_refused(LOCKSTEP("explain", "--set", "mem.latency=0", "--", "./witness"), EXIT_USER,
                   "out of range");
    assert_refused(LOCKSTEP("explain", "--config", "nowhere.yaml", "--", "./witness"), EXIT_USER,
                   "'nowhere.yaml'");
    assert_refused(LOCKSTEP("explain", "--", "./nowhere"), EXIT_NOT_FOUND, "there is no such program");
    char *line = spawn_text("'%s' explain -- ./witness >&-", fixture_command);
    assert_refused(spawn(fixture_folder, (char *[]){"sh", "-c", line, NULL}), EXIT_USER,
                   "standard output cannot be written: Bad file descriptor");
    free(line);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_every_cycle_is_explained),
        TEST(test_barriers_and_loops_are_explained),
        TEST(test_the_device_library_is_explained),
        TEST(test_the_table_shows_lines_and_text),
        TEST(test_memory_is_charged_to_the_load),
        TEST(test_a_launch_that_is_stopped_adds_up),
        TEST(test_bank_conflicts),
        TEST(test_the_programs_status_passes),
        TEST(test_wrong_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
