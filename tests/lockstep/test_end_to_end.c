/* `lockstep run` on working programs: results, statistics, waveforms. The comments of tests/hosts describe
 * the programs. */
#include "sim/error.h"
#include "tests/fixture.h"

#include <stdlib.h>
#include <string.h>

/* --- programs that work --- */

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
    static const char *const names[] = {"atomics",
                                        "barrier_loop",
                                        "build_options",
                                        "chars",
                                        "constant_memory",
                                        "divergence",
                                        "images",
                                        "threads",
                                        "kernel_arguments",
                                        "local_argument",
                                        "math",
                                        "odd_groups",
                                        "profiling",
                                        "private_array",
                                        "read_write_copy",
                                        "three_d",
                                        "two_programs_kernels"};
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

/* Output of a foreign program about the device. */
/* The sanitizers' library, which it does not expect, must come first; clinfo --raw writes beyond a buffer of
 * its own. */
#ifdef __SANITIZE_ADDRESS__
#define CLINFO                                                                                               \
    "sh", "-c",                                                                                              \
        "echo interceptor_via_lib:clinfo >clinfo.suppressed; export LD_PRELOAD=$(gcc "                       \
        "-print-file-name=libasan.so) ASAN_OPTIONS=detect_leaks=0:suppressions=$PWD/clinfo.suppressed; "     \
        "exec clinfo \"$@\"",                                                                                \
        "sh"
#else
#define CLINFO "clinfo"
#endif

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
    struct spawned s = LOCKSTEP("run", "--", CLINFO);
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

/* In MIMD mode each core takes work-groups. */
static void test_compute_units(void **state) {
    (void)state;
    static char *const modes[] = {"simt", "mimd"};
    static const char *const lines[] = {"compute units                               2\n",
                                        "compute units                               8\n"};
    for (size_t i = 0; i < 2; i++) {
        struct spawned s = LOCKSTEP("run", "--mode", modes[i], "--set", "cluster.count=2", "--", CLINFO);
        assert_status(&s, 0);
        assert_says(s.out, lines[i]);
        spawn_free(&s);
    }
}

/* A refused size of work-groups is reported with options that make room for it, and these work. */
static void test_large_work_groups(void **state) {
    (void)state;
    char *program = fixture_host("large_groups");
    static char *const sizes[] = {"768", "1024"}, *const modes[] = {"simt", "mimd"};
    for (size_t i = 0; i < 2; i++) {
        struct spawned s = LOCKSTEP("run", "--", program, sizes[i], "required");
        assert_status(&s, 1);
        assert_says(s.out, "log: program1.cl:1: warning: kernel 'turn': its reqd_work_group_size of ");
        assert_says(s.out, "lockstep run --set cluster.threads_per_lane=256 --set l1d.size=65536\n");
        assert_says(s.err, "the device has room for 512; a machine with room for them: lockstep run "
                           "--set cluster.threads_per_lane=256 --set l1d.size=65536\n");
        spawn_free(&s);
        for (size_t m = 0; m < 2; m++) {
            s = LOCKSTEP("run", "--mode", modes[m], "--set", "cluster.threads_per_lane=256", "--set",
                         "l1d.size=65536", "--", program, sizes[i]);
            assert_status(&s, 0);
            assert_says(s.out, "log: \nlarge_groups: PASS");
            spawn_free(&s);
        }
    }
    struct spawned s = LOCKSTEP("run", "--", program, "1025");
    assert_status(&s, 1);
    assert_says(s.err, "the device has room for 512, and no machine for more than 1024\n");
    spawn_free(&s);
    free(program);
}

/* 500 ns and a byte a ns; without the settings nothing but the kernel takes time. */
static void test_times_of_transfers(void **state) {
    (void)state;
    static const char *const times[][2] = {{"write", "4500"},
                                           {"copy", "4500"},
                                           {"fill", "1500"},
                                           {"rectangle", "700"},
                                           {"map to read", "2500"},
                                           {"unmap after reading", "0"},
                                           {"map to write anew", "0"},
                                           {"unmap after writing", "2500"},
                                           {"marker", "0"}};
    char *program = fixture_host("transfers");
    struct spawned slow =
        LOCKSTEP("run", "--set", "host.bandwidth=1000", "--set", "host.latency=500", "--", program);
    struct spawned s = LOCKSTEP("run", "--", program);
    assert_status(&slow, 0);
    assert_status(&s, 0);
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        char line[64];
        snprintf(line, sizeof line, "%s: %s ns\n", times[i][0], times[i][1]);
        assert_says(slow.out, line);
        snprintf(line, sizeof line, "%s: 0 ns\n", times[i][0]);
        assert_says(s.out, line);
    }
    const char *kernel = strstr(s.out, "kernel: ");
    assert_non_null(kernel);
    char *same = strndup(kernel, strcspn(kernel, "\n"));
    assert_says(slow.out, same); /* no influence on the machine */
    free(same);
    spawn_free(&slow);
    spawn_free(&s);
    free(program);
}

/* Concurrent programs, each with its own simulator. */
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

/* --- statistics and waveforms --- */

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
    const json_t *host = json_object_get(j, "host");
    static const char *const reals[] = {"seconds_simulating", "cpu_seconds_simulating",
                                        "thread_instructions_per_second",
                                        "thread_instructions_per_cpu_second"};
    for (size_t n = 0; n < sizeof reals / sizeof *reals; n++)
        assert_true(json_real_value(json_object_get(host, reals[n])) > 0);
    assert_int_equal(json_array_size(json_object_get(host, "launch_seconds")),
                     json_array_size(json_object_get(host, "launch_cpu_seconds")));
    json_decref(j);
    spawn_free(&s);
    free(program);
}

/* Returns the statistics without values measured on the host. */
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

static const json_t *find_counter(const json_t *list, const char *scope, const char *name) {
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *c = json_array_get(list, i);
        if (!strcmp(json_string_value(json_object_get(c, "scope")), scope) &&
            !strcmp(json_string_value(json_object_get(c, "name")), name))
            return c;
    }
    fail_msg("there is no %s.%s", scope, name);
    return NULL;
}

/* Totals and sums of histograms are those of counters. */
static void test_ratios_and_histograms(void **state) {
    (void)state;
    char *program = fixture_host("vector_add");
    struct spawned s = LOCKSTEP("run", "--stats", "s.json", "--", program);
    assert_status(&s, 0);
    spawn_free(&s);
    json_t *j = fixture_statistics("s.json");
    const json_t *counters = json_object_get(j, "counters"), *histograms = json_object_get(j, "histograms");
    const json_int_t warps = fixture_number(find_counter(counters, "cluster0", "warp_instructions"), "value");
    const json_int_t threads =
        fixture_number(find_counter(counters, "cluster0", "thread_instructions"), "value");
    const json_t *active = find_counter(histograms, "cluster0", "active_threads");
    assert_int_equal(fixture_number(active, "total"), warps);
    assert_int_equal(fixture_number(active, "sum"), threads);
    assert_int_equal(fixture_number(active, "max"), 32);
    const json_t *efficiency = find_counter(json_object_get(j, "ratios"), "cluster0", "simd_efficiency");
    const double expected = 100.0 * (double)threads / (32.0 * (double)warps);
    assert_true(json_number_value(json_object_get(efficiency, "value")) > expected - 1e-6);
    assert_true(json_number_value(json_object_get(efficiency, "value")) < expected + 1e-6);
    assert_true(json_is_null(
        json_object_get(find_counter(json_object_get(j, "ratios"), "cluster0", "l1d_miss_ratio"), "value")));
    const json_t *misses = find_counter(counters, "cluster0.lane0.l2", "misses");
    const json_t *in_flight = find_counter(histograms, "cluster0.lane0.l2", "misses_in_flight");
    assert_int_equal(fixture_number(in_flight, "total"), fixture_number(misses, "value"));
    json_decref(j);
    free(program);
}

/* The same counters, one a line, and as a table. */
static void test_statistics_as_csv_and_table(void **state) {
    (void)state;
    char *program = fixture_host("vector_add"), *path = fixture_path("s.csv"), line[128];
    struct spawned s = LOCKSTEP("run", "--stats", "s.json", "--", program);
    assert_status(&s, 0);
    spawn_free(&s);
    s = LOCKSTEP("run", "--stats", "s.csv", "--", program);
    assert_status(&s, 0);
    assert_says(s.err, "statistics s.csv");
    spawn_free(&s);
    char *csv = spawn_read(path);
    assert_memory_equal(csv, "scope,name,item,value,unit,description\r\n", 40);
    json_t *j = fixture_statistics("s.json"), *c;
    size_t i;
    json_array_foreach(json_object_get(j, "counters"), i, c) {
        snprintf(line, sizeof line, "\n%s,%s,value,%lld,", json_string_value(json_object_get(c, "scope")),
                 json_string_value(json_object_get(c, "name")), (long long)fixture_number(c, "value"));
        if (!strstr(csv, line)) fail_msg("the CSV does not say %s", line + 1);
    }
    assert_non_null(strstr(csv, "\ncluster0,l1d_miss_ratio,value,n/0,%,"));
    assert_non_null(strstr(csv, "\ncluster0,active_threads,max,32,threads,"));
    json_decref(j);
    free(csv);
    free(path);
    s = LOCKSTEP("run", "--stats", "s.txt", "--", program);
    assert_status(&s, 0);
    spawn_free(&s);
    path = fixture_path("s.txt");
    char *table = spawn_read(path);
    assert_non_null(strstr(table, "  cluster0.l1d_miss_ratio  "));
    assert_non_null(strstr(table, "  cluster0.active_threads  "));
    free(table);
    free(path);
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

static void add_to(json_t *moved, const json_t *counter, const char *kind, json_int_t value) {
    char *name = spawn_text("%s %s %s", kind, json_string_value(json_object_get(counter, "scope")),
                            json_string_value(json_object_get(counter, "name")));
    const json_int_t before = json_integer_value(json_object_get(moved, name));
    json_object_set_new(moved, name, json_integer(before + value));
    free(name);
}

/* Every counter must move in some program. The L2 is small and slow to fill, so that lines are evicted and
 * misses wait for miss registers. Memory is narrow, and the write buffer short. Two clusters of two cores
 * have a directory. */
static void test_every_counter_moves(void **state) {
    (void)state;
    static const struct {
        char *name, *mode;
    } programs[] = {{"matrix_multiply", "simt"}, {"math", "simt"},       {"barrier_loop", "simt"},
                    {"divergence", "simt"},      {"atomics", "simt"},    {"private_array", "simt"},
                    {"matrix_multiply", "mimd"}, {"host_writes", "simt"}};
    json_t *moved = json_object();
    for (size_t p = 0; p < sizeof programs / sizeof *programs + 1; p++) {
        bool last = p == sizeof programs / sizeof *programs;
        char *program = fixture_host(last ? "barrier_missed" : programs[p].name),
             *mode = last ? "simt" : programs[p].mode;
        struct spawned s =
            LOCKSTEP("run", "--set", "l2.size=1024", "--set", "l2.ways=1", "--set", "mem.mshrs=2", "--set",
                     "l1i.size=1024", "--set", "mem.bandwidth=1", "--set", "cluster.count=2", "--set",
                     "cluster.lanes=2", "--set", "directory.occupancy=20", "--set", "mem.page_walk=memory",
                     "--set", *mode == 'm' ? "l1d.write_buffer=1" : "tpm.latency=2", "--mode", mode,
                     "--stats", "s.json", "--", program, last ? "early" : NULL);
        assert_status(&s, last ? EXIT_PROGRAM_FAULT : 0);
        spawn_free(&s);
        free(program);
        json_t *j = fixture_statistics(last ? "s.json.part" : "s.json"), *c;
        size_t i;
        json_array_foreach(json_object_get(j, "counters"), i, c) {
            add_to(moved, c, "counter", fixture_number(c, "value"));
        }
        json_array_foreach(json_object_get(j, "ratios"), i, c) {
            const json_t *ratio = json_object_get(c, "value");
            const bool moves = json_is_number(ratio) && json_number_value(ratio) > 0;
            add_to(moved, c, "ratio", moves);
        }
        json_array_foreach(json_object_get(j, "histograms"), i, c) {
            add_to(moved, c, "histogram", fixture_number(c, "sum"));
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

/* Hints in a kernel's assembler do nothing, in both modes: WFI once ended a core's share of the work. */
static void test_hints_in_a_kernel(void **state) {
    (void)state;
    char *program = spawn_text("%s/benchmarks/vector_add", spawn_build());
    char *kernel = fixture_file("hints.cl",
                                "__kernel void vector_add(__global const float *a, __global const float *b,\n"
                                "                         __global float *sum, const uint count) {\n"
                                "    __asm__ volatile(\"wfi\\n\\twfe\\n\\tsev\\n\\tyield\\n\\tdbg #5\");\n"
                                "    if (get_global_id(0) < count)\n"
                                "        sum[get_global_id(0)] = a[get_global_id(0)] + b[get_global_id(0)];\n"
                                "}\n",
                                0644);
    static char *const modes[] = {"simt", "mimd"};
    for (unsigned m = 0; m < 2; m++) {
        struct spawned s =
            LOCKSTEP("run", "--mode", modes[m], "--", program, "--count", "5000", "--kernel", kernel);
        assert_status(&s, 0);
        assert_says(s.out, "vector_add: PASS");
        spawn_free(&s);
    }
    free(kernel);
    free(program);
}

/* A program started without `lockstep run`: the driver starts a simulator (`lockstep serve`). */
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

/* The device does not claim missing features; the compiler knows all claimed extensions. */
static void test_the_device_claims_what_is_there(void **state) {
    (void)state;
    static const char *const none[] = {"IMAGE3D_MAX_WIDTH",    "IMAGE3D_MAX_HEIGHT",
                                       "IMAGE3D_MAX_DEPTH",    "IMAGE_MAX_BUFFER_SIZE",
                                       "IMAGE_MAX_ARRAY_SIZE", "PARTITION_MAX_SUB_DEVICES"};
    struct spawned s = LOCKSTEP("run", "--", CLINFO, "--raw");
    assert_status(&s, 0);
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        char *name = spawn_text("CL_DEVICE_%s ", none[i]), *at = strstr(s.out, name);
        if (!at) fail_msg("clinfo says nothing of %s", name);
        assert_int_equal(strtol(at + strlen(name), NULL, 10), 0);
        free(name);
    }
    char *claimed = strstr(s.out, "CL_DEVICE_EXTENSIONS "), *word;
    assert_non_null(claimed);
    claimed[strcspn(claimed, "\n")] = '\0';
    char *kernel = spawn_text("kernel void k(global int *p) { *p = 0; }\n");
    unsigned count = 0;
    strsep(&claimed, " ");
    while ((word = strsep(&claimed, " "))) {
        if (!*word) continue;
        char *longer = spawn_text("%s#ifndef %s\n#error %s\n#endif\n", kernel, word, word);
        free(kernel);
        kernel = longer;
        count++;
    }
    assert_true(count > 5);
    free(fixture_file("k.cl", kernel, 0644));
    free(kernel);
    spawn_free(&s);
    s = LOCKSTEP("cc", "k.cl");
    assert_status(&s, 0);
    spawn_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_the_device_claims_what_is_there),
        TEST(test_programs_of_the_issue),
        TEST(test_more_programs),
        TEST(test_programs_in_mimd_mode),
        TEST(test_clinfo),
        TEST(test_compute_units),
        TEST(test_large_work_groups),
        TEST(test_times_of_transfers),
        TEST(test_two_programs_at_once),
        TEST(test_programs_that_leave_in_a_hurry),
        TEST(test_standard_output_is_the_programs),
        TEST(test_exit_status_passes_through),
        TEST(test_statistics),
        TEST(test_same_inputs_same_bytes),
        TEST(test_the_machine_is_the_configured_one),
        TEST(test_ratios_and_histograms),
        TEST(test_statistics_as_csv_and_table),
        TEST(test_every_counter_moves),
        TEST(test_hints_in_a_kernel),
        TEST(test_driver_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
