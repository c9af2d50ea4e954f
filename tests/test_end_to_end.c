/* `lockstep run` on programs that work: results, statistics, waveforms. What each program of tests/hosts
 * shall do stands at its own beginning. */
#include "sim/error.h"
#include "tests/fixture.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* --- programs that work -----------------------------------------------------------------------------------
 */

static void assert_works(const char *name, const char *argument) {
    char *program = fixture_host(name);
    struct spawned s = LOCKSTEP("run", "--", program, (char *)argument);
    print_message("%s\n", name);
    assert_status(&s, 0);
    assert_says(s.err, "  cycles  ");
    spawn_free(&s);
    free(program);
}

static void test_programs_of_the_issue(void **state) {
    (void)state;
    assert_works("vector_add", NULL);
    assert_works("matrix_multiply", NULL);
    assert_works("own_reduction", NULL);
}

static void test_more_programs(void **state) {
    (void)state;
    static const char *const names[] = {"atomics",         "barrier_loop",
                                        "build_options",   "chars",
                                        "constant_memory", "divergence",
                                        "images",          "threads",
                                        "local_argument",  "math",
                                        "odd_groups",      "profiling",
                                        "private_array",   "read_write_copy",
                                        "three_d",         "two_programs_kernels"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) assert_works(names[i], NULL);
}

static void test_programs_in_mimd_mode(void **state) {
    (void)state;
    static const char *const names[] = {"images", "threads"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *program = fixture_host(names[i]);
        struct spawned s = LOCKSTEP("run", "--mode", "mimd", "--", program);
        assert_status(&s, 0);
        spawn_free(&s);
        free(program);
    }
}

/* What a program that is not ours shows of the device. */
static void test_clinfo(void **state) {
    (void)state;
    static const char *const facts[][2] = {
        {"Number of devices", "1"},
        {"Device Version", "OpenCL 1.2 Lockstep"},
        {"Device Type", "GPU"},
        {"Linker Available", "Yes"},
        {"Max work group size", "512"},
        {"Global memory size", "2415919104 (2.25GiB)"},
        {"Max memory allocation", "1073741824 (1024MiB)"},
        {"Local memory size", "32768 (32KiB)"},
        {"Image support", "Yes"},
        {"Max 2D image size", "8192x8192 pixels"},
        {"Max 3D image size", "0x0x0 pixels"},
        {"clCreateContextFromType(NULL, CL_DEVICE_TYPE_CPU)", "Success (1)"},
        {"clCreateContextFromType(NULL, CL_DEVICE_TYPE_GPU)", "Success (1)"},
        {"clCreateContextFromType(NULL, CL_DEVICE_TYPE_ACCELERATOR)", "Success (1)"},
        {"clCreateContextFromType(NULL, CL_DEVICE_TYPE_DEFAULT)", "Success (1)"},
    };
    struct spawned s = LOCKSTEP("run", "--", "clinfo");
    assert_status(&s, 0);
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        const char *line = strstr(s.out, facts[i][0]);
        if (!line) fail_msg("clinfo does not show: %s", facts[i][0]);
        line += strlen(facts[i][0]);
        line += strspn(line, " ");
        if (strncmp(line, facts[i][1], strlen(facts[i][1])) != 0)
            fail_msg("clinfo: %s: %.40s", facts[i][0], line);
    }
    spawn_free(&s);
}

/* Each with a simulator of its own, at the same time. */
static void test_two_programs_at_once(void **state) {
    (void)state;
    char *first = fixture_host("own_reduction"), *second = fixture_host("two_programs_kernels");
    char *line = spawn_text("%s run --stats a.json -- %s & %s run --stats b.json -- %s; s=$?; wait $! && "
                            "exit $s",
                            fixture_command, first, fixture_command, second);
    struct spawned s = spawn(fixture_folder, (char *[]){"sh", "-c", line, NULL});
    assert_status(&s, 0);
    assert_says(s.out, "own_reduction: PASS");
    assert_says(s.out, "two_programs_kernels: PASS");
    assert_outcome("a.json", "complete");
    assert_outcome("b.json", "complete");
    spawn_free(&s);
    free(line);
    free(second);
    free(first);
}

static void test_programs_that_leave_in_a_hurry(void **state) {
    (void)state;
    char *program = fixture_host("exit_without_release");
    struct spawned s = LOCKSTEP("run", "--", program);
    assert_status(&s, 0);
    assert_says(s.out, "value 63 is 3969");
    spawn_free(&s);
    s = LOCKSTEP("run", "--", program, "--unfinished");
    assert_status(&s, 0);
    spawn_free(&s);
    free(program);
}

static void test_standard_output_is_the_programs(void **state) {
    (void)state;
    char *program = fixture_host("exit_without_release");
    struct spawned s = LOCKSTEP("run", "--", program);
    assert_string_equal(s.out, "exit_without_release: value 63 is 3969, expected 3969\n");
    spawn_free(&s);
    free(program);
}

static void test_exit_status_passes_through(void **state) {
    (void)state;
    char *program = fixture_host("exit_without_release");
    struct spawned s = LOCKSTEP("run", "--stats", "s.json", "--", program, "--status", "42");
    assert_status(&s, 42);
    assert_says(s.err, "ended with exit status 42");
    assert_outcome("s.json", "program-failed");
    spawn_free(&s);
    free(program);
}

/* --- statistics and waveforms -----------------------------------------------------------------------------
 */

static void test_statistics(void **state) {
    (void)state;
    char *program = fixture_host("own_reduction");
    struct spawned s = LOCKSTEP("run", "--stats", "s.json", "--set", "mem.latency=150", "--", program);
    assert_status(&s, 0);
    json_t *j = fixture_statistics("s.json"), *launches = json_object_get(j, "launches"), *l, *c;
    assert_exists("s.json.part", false);
    assert_string_equal(json_string_value(json_object_get(j, "outcome")), "complete");
    assert_int_equal(fixture_number(j, "schema_version"), 1);
    assert_int_equal(fixture_number(json_object_get(j, "configuration"), "mem.latency"), 150);
    assert_true(json_array_size(launches) > 0);
    json_int_t cycles = 0, threads = 0, counted = -1;
    size_t i;
    json_array_foreach(launches, i, l) {
        assert_causes_add_up(l);
        assert_int_equal(fixture_number(l, "first_cycle"), cycles);
        cycles += fixture_number(l, "cycles");
        threads += fixture_number(l, "thread_instructions");
    }
    json_array_foreach(json_object_get(j, "counters"), i, c) {
        assert_true(strlen(json_string_value(json_object_get(c, "description"))) > 10);
        if (strcmp(json_string_value(json_object_get(c, "name")), "thread_instructions") == 0)
            counted = fixture_number(c, "value");
    }
    assert_causes_add_up(json_object_get(j, "totals"));
    assert_int_equal(fixture_number(json_object_get(j, "totals"), "cycles"), cycles);
    assert_int_equal(counted, threads);
    assert_true(threads > 0);
    assert_true(json_is_real(json_object_get(json_object_get(j, "host"), "seconds_simulating")));
    json_decref(j);
    spawn_free(&s);
    free(program);
}

static void test_waveform_and_view(void **state) {
    (void)state;
    char *program = fixture_host("vector_add");
    struct spawned s = LOCKSTEP("run", "--trace", "t.fst", "--", program);
    assert_status(&s, 0);
    assert_says(s.err, "gtkwave t.fst t.gtkw");
    assert_exists("t.fst.part", false);
    assert_exists("t.gtkw.part", false);
    assert_readable("t.fst");
    char *path = fixture_path("t.gtkw"), *view = spawn_read(path);
    assert_says(view, "t.fst");
    free(view);
    free(path);
    spawn_free(&s);
    free(program);
}

/* Every time in the file lies in the window, and the results are those of a run without one. */
static void test_waveform_of_a_window(void **state) {
    (void)state;
    char *program = fixture_host("vector_add");
    struct spawned s = LOCKSTEP("run", "--trace", "t.fst", "--trace-cycles", "10000:11000", "--", program);
    assert_status(&s, 0);
    spawn_free(&s);
    s = spawn(fixture_folder, (char *[]){"fst2vcd", "t.fst", NULL});
    assert_status(&s, 0);
    unsigned times = 0;
    for (const char *at = s.out; (at = strstr(at, "\n#")); at++) {
        assert_in_range(strtoull(at + 2, NULL, 10), 10000000, 11001000); /* picoseconds at 1 GHz */
        times++;
    }
    assert_true(times > 10);
    spawn_free(&s);
    free(program);
}

static uint64_t number_after(const char *text, const char *label) {
    const char *at = strstr(text, label);
    assert_non_null(at);
    return strtoull(at + strlen(label), NULL, 10);
}

/* Between the windows nothing is shown, and that is said. */
static void test_waveform_of_two_windows(void **state) {
    (void)state;
    char *program = fixture_host("vector_add");
    struct spawned s = LOCKSTEP("run", "--trace", "t.fst", "--trace-cycles", "11000:11100", "--trace-cycles",
                                "10000:10100", "--", program);
    assert_status(&s, 0);
    assert_says(s.err, "it shows cycles 10,000 to 10,100");
    assert_says(s.err, "and cycles 11,000 to 11,100");
    spawn_free(&s);
    s = spawn(fixture_folder, (char *[]){"fst2vcd", "t.fst", NULL});
    assert_status(&s, 0);
    unsigned times[2] = {0};
    for (const char *at = s.out; (at = strstr(at, "\n#")); at++) {
        const uint64_t time =
            strtoull(at + 2, NULL, 10); /* picoseconds at 1 GHz; a window's end is the last */
        assert_true((time >= 10000000 && time <= 10101000) || (time >= 11000000 && time <= 11101000));
        times[time >= 11000000]++;
    }
    assert_true(times[0] > 10 && times[1] > 10);
    assert_int_equal(number_after(strstr(s.out, "\n$dumpoff") - 9, "#"), 10101000);
    assert_int_equal(number_after(strstr(s.out, "\n$dumpon") - 9, "#"), 11000000);
    spawn_free(&s);
    s = LOCKSTEP("run", "--trace", "t.fst", "--trace-cycles", "10000:10100", "--trace-cycles",
                 "900000000:900000001", "--", program);
    assert_status(&s, EXIT_USER);
    assert_says(s.err,
                "--trace-cycles 900000000:900000001: the waveform t.fst is empty: the run ended at cycle");
    spawn_free(&s);
    free(program);
}

/* All formats and packings hold the same changes. */
static void test_waveform_formats(void **state) {
    (void)state;
    static char *const options[][3] = {{"lz4.fst", "--trace-packing", "lz4"},
                                       {"fastlz.fst", "--trace-packing", "fastlz"},
                                       {"zlib.fst", "--trace-packing", "zlib"},
                                       {"often.fst", "--trace-flush", "500"},
                                       {"t.vcd", "--trace-flush", "500"}};
    char *program = fixture_host("vector_add"), *changes = NULL, *vcd = NULL;
    off_t bytes[5];
    for (int i = 0; i < 5; i++) {
        char *const name = options[i][0];
        struct spawned s = LOCKSTEP("run", "--trace", name, options[i][1], options[i][2], "--", program);
        assert_status(&s, 0);
        char *said = strndup(strstr(s.err, " bytes, "), 40);
        *strchr(said, '\n') = '\0';
        if (i > 0) assert_string_equal(said, changes);
        free(changes);
        changes = said;
        spawn_free(&s);
        char *path = fixture_path(name);
        struct stat file;
        assert_int_equal(stat(path, &file), 0);
        bytes[i] = file.st_size;
        free(path);
        if (i > 2) continue; /* fst2vcd has an order of its own for each block, and a VCD needs none */
        s = spawn(fixture_folder, (char *[]){"fst2vcd", name, NULL});
        assert_status(&s, 0);
        if (vcd) assert_string_equal(strstr(s.out, "$scope"), vcd);
        if (!vcd) vcd = strdup(strstr(s.out, "$scope"));
        spawn_free(&s);
    }
    assert_true(bytes[2] < bytes[0]);     /* zlib */
    assert_true(bytes[4] > 4 * bytes[0]); /* VCD */
    assert_exists("t.gtkw", true);
    free(changes);
    free(vcd);
    free(program);
}

/* Without what is measured on the host. */
static char *results_only(const char *name) {
    json_t *j = fixture_statistics(name);
    json_object_del(j, "host");
    char *text = json_dumps(j, JSON_INDENT(1));
    json_decref(j);
    return text;
}

static void test_same_inputs_same_bytes(void **state) {
    (void)state;
    char *program = fixture_host("own_reduction");
    static char *const runs[][2] = {{"a.fst", "a.json"}, {"b.fst", "b.json"}};
    for (int i = 0; i < 2; i++) {
        struct spawned s = LOCKSTEP("run", "--trace", runs[i][0], "--stats", runs[i][1], "--", program);
        assert_status(&s, 0);
        spawn_free(&s);
    }
    struct spawned exact = LOCKSTEP("run", "--exact-steps", "--stats", "c.json", "--", program);
    assert_status(&exact, 0);
    spawn_free(&exact);
    struct spawned s = spawn(fixture_folder, (char *[]){"cmp", "a.fst", "b.fst", NULL});
    assert_status(&s, 0);
    spawn_free(&s);
    char *a = results_only("a.json"), *b = results_only("b.json"), *c = results_only("c.json");
    assert_string_equal(a, b);
    assert_string_equal(a, c); /* neither a waveform nor the way of stepping changes anything */
    free(a);
    free(b);
    free(c);
    free(program);
}

static json_int_t cycles_of(char *const arguments[]) {
    struct spawned s = spawn(fixture_folder, arguments);
    assert_status(&s, 0);
    spawn_free(&s);
    json_t *j = fixture_statistics("s.json");
    json_int_t cycles = fixture_number(json_object_get(j, "totals"), "cycles");
    json_decref(j);
    return cycles;
}

static void test_the_machine_is_the_configured_one(void **state) {
    (void)state;
    char *program = fixture_host("vector_add"), *path = fixture_path("slow.yaml");
    spawn_write(path, "mem:\n  latency: 1000\n");
    json_int_t base = cycles_of((char *[]){fixture_command, "run", "--stats", "s.json", program, NULL});
    json_int_t slow =
        cycles_of((char *[]){fixture_command, "run", "--config", path, "--stats", "s.json", program, NULL});
    json_int_t set = cycles_of(
        (char *[]){fixture_command, "run", "--set", "mem.latency=1000", "--stats", "s.json", program, NULL});
    assert_true(slow > base);
    assert_int_equal(slow, set);
    free(path);
    free(program);
}

/* A counter that no program moves is a counter nobody can trust. The L2 is made small and slow to fill, so
 * that lines are evicted and misses wait for miss registers, memory narrow, the write buffer short; two
 * clusters of two cores have a directory. */
static void test_every_counter_moves(void **state) {
    (void)state;
    static const struct {
        char *name, *mode;
    } programs[] = {{"matrix_multiply", "simt"}, {"math", "simt"},    {"barrier_loop", "simt"},
                    {"divergence", "simt"},      {"atomics", "simt"}, {"private_array", "simt"},
                    {"matrix_multiply", "mimd"}};
    json_t *moved = json_object();
    for (size_t p = 0; p < sizeof programs / sizeof *programs + 1; p++) {
        bool last = p == sizeof programs / sizeof *programs;
        char *program = fixture_host(last ? "barrier_missed" : programs[p].name);
        struct spawned s = LOCKSTEP(
            "run", "--set", "l2.size=1024", "--set", "l2.ways=1", "--set", "mem.mshrs=2", "--set",
            "l1i.size=1024", "--set", "l1d.write_buffer=1", "--set", "mem.bandwidth=1", "--set",
            "cluster.count=2", "--set", "cluster.lanes=2", "--set", "directory.occupancy=20", "--set",
            "mem.page_walk=memory", "--set", "tpm.latency=2", "--mode", last ? "simt" : programs[p].mode,
            "--stats", "s.json", "--", program, last ? "early" : NULL);
        assert_status(&s, last ? EXIT_PROGRAM_FAULT : 0);
        spawn_free(&s);
        free(program);
        json_t *j = fixture_statistics(last ? "s.json.part" : "s.json"), *c;
        size_t i;
        json_array_foreach(json_object_get(j, "counters"), i, c) {
            char *name = spawn_text("%s %s", json_string_value(json_object_get(c, "scope")),
                                    json_string_value(json_object_get(c, "name")));
            json_int_t before = json_integer_value(json_object_get(moved, name));
            json_object_set_new(moved, name, json_integer(before + fixture_number(c, "value")));
            free(name);
        }
        json_decref(j);
    }
    const char *name;
    json_t *value;
    unsigned still = 0;
    json_object_foreach(moved, name, value) {
        if (json_integer_value(value) != 0) continue;
        print_error("no program moved: %s\n", name);
        still++;
    }
    assert_true(json_object_size(moved) > 20);
    assert_int_equal(still, 0);
    json_decref(moved);
}

/* A program that was started without us: the driver starts a simulator of its own (`lockstep serve`). */
static void test_driver_alone(void **state) {
    (void)state;
    char *program = fixture_host("vector_add");
    char *setting = spawn_text("OCL_ICD_VENDORS=%s/liblockstep_opencl.so", spawn_build());
    struct spawned s = spawn(fixture_folder, (char *[]){"env", setting, program, NULL});
    assert_status(&s, 0);
    spawn_free(&s);
    free(setting);
    free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_programs_of_the_issue),
        TEST(test_more_programs),
        TEST(test_programs_in_mimd_mode),
        TEST(test_clinfo),
        TEST(test_two_programs_at_once),
        TEST(test_programs_that_leave_in_a_hurry),
        TEST(test_standard_output_is_the_programs),
        TEST(test_exit_status_passes_through),
        TEST(test_statistics),
        TEST(test_waveform_and_view),
        TEST(test_waveform_of_a_window),
        TEST(test_waveform_of_two_windows),
        TEST(test_waveform_formats),
        TEST(test_same_inputs_same_bytes),
        TEST(test_the_machine_is_the_configured_one),
        TEST(test_every_counter_moves),
        TEST(test_driver_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
