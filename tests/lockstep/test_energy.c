/* Events of a run compared with other counts of the same; energies computed by hand from a file
 * of constants. */
#include "sim/error.h"
#include "tests/fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static char *program(const char *name) {
    return spawn_text("%s/benchmarks/%s", spawn_build(), name);
}

static json_int_t event(const json_t *statistics, const char *scope, const char *name) {
    size_t index;
    json_t *row;
    json_int_t sum = 0;
    json_array_foreach(
        json_object_get(statistics, "events"), index,
        row) if (strcmp(json_string_value(json_object_get(row, "scope")), scope) == 0 &&
                 strncmp(json_string_value(json_object_get(row, "name")), name, strlen(name)) == 0) sum +=
        json_integer_value(json_object_get(row, "value"));
    return sum;
}

/* Returns the sum of a counter over the scopes with this ending. */
static json_int_t scoped(const json_t *statistics, const char *ending, const char *name) {
    size_t index;
    json_t *row;
    json_int_t sum = 0;
    json_array_foreach(json_object_get(statistics, "counters"), index, row) {
        const char *scope = json_string_value(json_object_get(row, "scope"));
        const size_t length = strlen(scope), end = strlen(ending);
        if (length < end || strcmp(scope + length - end, ending) != 0) continue;
        if (strcmp(json_string_value(json_object_get(row, "name")), name) != 0) continue;
        sum += json_integer_value(json_object_get(row, "value"));
    }
    return sum;
}

static json_int_t counter(const json_t *statistics, const char *name) {
    return scoped(statistics, "", name);
}

/* Counting events does not change other counters, and events equal executed operations. */
static void test_events(void **state) {
    (void)state;
    char *reduction = program("reduction");
    for (unsigned mimd = 0; mimd < 2; mimd++) {
        char *mode = mimd ? "mimd" : "simt";
        struct spawned with = LOCKSTEP("run", "--mode", mode, "--events", "--stats", "with.json", "--",
                                       reduction),
                       without = LOCKSTEP("run", "--mode", mode, "--stats", "without.json", "--", reduction);
        assert_status(&with, 0);
        assert_status(&without, 0);
        json_t *a = fixture_statistics("with.json"), *b = fixture_statistics("without.json");
        assert_true(json_equal(json_object_get(a, "counters"), json_object_get(b, "counters")));
        assert_true(json_equal(json_object_get(a, "totals"), json_object_get(b, "totals")));
        assert_null(json_object_get(b, "events"));
        assert_true(counter(a, mimd ? "scalar_instructions" : "thread_instructions") > 0);
        assert_int_equal(event(a, "threads", "operations."), counter(a, "thread_instructions"));
        assert_int_equal(event(a, "cores", "operations."), counter(a, "scalar_instructions"));
        /* 257 work-groups of 256; work-items wait at 9 barriers. */
        assert_int_equal(event(a, "machine", "barrier_arrivals"), mimd ? 0 : 9 * 257 * 256);
        json_decref(a);
        json_decref(b);
        spawn_free(&with);
        spawn_free(&without);
    }
    free(reduction);
}

/* Reads and writes are separate. Cores access a word of the L1D for each register that they load or store,
 * and the L2 has all stores. Threads have a store for each of 1,024, and their L1D is no cache. */
static void test_reads_and_writes(void **state) {
    (void)state;
    char *vector_add = program("vector_add");
    for (unsigned mimd = 0; mimd < 2; mimd++) {
        struct spawned run = LOCKSTEP("run", "--mode", mimd ? "mimd" : "simt", "--events", "--stats",
                                      "s.json", "--", vector_add, "--count", "1024");
        assert_status(&run, 0);
        json_t *s = fixture_statistics("s.json");
        const json_int_t stores = event(s, "machine", "l1d.stores");
        if (mimd) {
            assert_int_equal(stores, event(s, "cores", "words_stored"));
            assert_int_equal(scoped(s, ".l1d", "accesses") - stores, event(s, "cores", "words_loaded"));
            assert_int_equal(event(s, "machine", "l2.stores"), stores);
        } else {
            assert_int_equal(stores, 0);
            assert_int_equal(event(s, "threads", "words_stored"), 1024);
            assert_in_range(event(s, "machine", "l2.stores") - 1024, 1, event(s, "cores", "words_stored"));
        }
        json_decref(s);
        spawn_free(&run);
    }
    free(vector_add);
}

/* Four lanes; each cycle in which one starts neither a thread's instruction nor one of its core is idle. */
static void assert_idle(const json_t *statistics, const json_t *set) {
    const json_t *totals = json_object_get(statistics, "totals");
    const double idle = 4 * (double)fixture_number(totals, "cycles") -
                        (double)counter(statistics, "thread_instructions") -
                        (double)counter(statistics, "scalar_instructions");
    size_t index;
    json_t *row;
    json_array_foreach(json_object_get(set, "events"), index, row) {
        if (strcmp(json_string_value(json_object_get(row, "event")), "idle cycles") != 0) continue;
        assert_true(idle > 0 && json_number_value(json_object_get(row, "count")) == idle);
        return;
    }
    fail_msg("no idle cycles");
}

/* Only additions of threads take anything: a picojoule each. */
static void test_by_hand(void **state) {
    (void)state;
    char *reduction = program("reduction");
    char *constants =
        fixture_file("mine",
                     "# mine\ninteger: 0\nmultiply: 0\ndivide: 0\nvfp_move: 0\nvfp_add: 1 # one\n"
                     "vfp_multiply_single: 0\nvfp_multiply_double: 0\nvfp_chained_single: 0\n"
                     "vfp_chained_double: 0\nvfp_divide_single: 0\nvfp_divide_double: 0\n"
                     "instruction: 0\nregister_read: 0\nregister_write: 0\nscalar_read: 0\n"
                     "scalar_write: 0\nmemory_line: 0\nleakage_mw_per_mm2: 0\n",
                     0644);
    struct spawned run = LOCKSTEP("run", "--events", "--stats", "r.json", "--", reduction);
    assert_status(&run, 0);
    struct spawned energy = LOCKSTEP("energy", "--json", "--constants", "mine", "r.json");
    if (energy.status) fail_msg("%s", energy.err);
    json_t *statistics = fixture_statistics("r.json"), *j = json_loads(energy.out, 0, NULL);
    const json_t *set = json_array_get(json_object_get(j, "sets"), 0);
    size_t index;
    json_t *row;
    double lanes = 0;
    json_array_foreach(json_object_get(set, "events"), index,
                       row) if (strcmp(json_string_value(json_object_get(row, "structure")), "lanes") == 0)
        lanes +=
        json_number_value(json_object_get(row, "count")) * json_number_value(json_object_get(row, "pj"));
    assert_true(fabs(lanes - (double)event(statistics, "threads", "operations.vfp_add_single")) < 0.5);
    assert_idle(statistics, set);
    assert_true(lanes > 0 && json_number_value(json_object_get(set, "leakage_nj")) > 0);
    json_decref(j);
    json_decref(statistics);
    spawn_free(&energy);
    spawn_free(&run);
    free(constants);
    free(reduction);
}

/* A run's own account is that of its statistics. */
static void test_two_ways(void **state) {
    (void)state;
    char *reduction = program("reduction");
    struct spawned run = LOCKSTEP("run", "--events", "--stats", "r.json", "--", reduction),
                   a = LOCKSTEP("energy", "r.json"), b = LOCKSTEP("energy", "--", reduction);
    assert_status(&run, 0);
    assert_status(&a, 0);
    assert_status(&b, 0);
    assert_string_equal(a.out, b.out);
    assert_says(a.out, "horowitz");
    assert_says(a.out, "mcpat");
    assert_says(a.out, "leakage");
    spawn_free(&run);
    spawn_free(&a);
    spawn_free(&b);
    free(reduction);
}

/* Returns the row of a set; fails if there is none. */
static const json_t *row_of(const json_t *set, const char *structure, const char *event) {
    size_t index;
    json_t *row;
    json_array_foreach(json_object_get(set, "events"), index, row) {
        if (strcmp(json_string_value(json_object_get(row, "structure")), structure) == 0 &&
            strcmp(json_string_value(json_object_get(row, "event")), event) == 0)
            return row;
    }
    fail_msg("no %s, %s", structure, event);
    return NULL;
}

static void assert_row(const json_t *set, const char *structure, const char *event, json_int_t count,
                       double pj) {
    const json_t *row = row_of(set, structure, event);
    assert_true(json_number_value(json_object_get(row, "count")) == (double)count);
    if (pj >= 0) assert_true(fabs(json_number_value(json_object_get(row, "pj")) - pj) < 1e-9);
}

/* A GPU-like machine: each row counts what its counter counts. A row of 8 registers takes 8 times the energy
 * of a register, a flit of 32 bytes the whole constant, a burst of 32 bytes half of a line's. With tokens, a
 * scalar is one register. */
static void test_gpu_like(void **state) {
    (void)state;
    char *reduction = program("reduction"),
         *config = spawn_text("%s/configs/gtx285-like.yaml", spawn_source());
    char *constants = fixture_file("mine",
                                   "register_read: 1\nregister_write: 2\nscalar_read: 5\n"
                                   "scalar_write: 6\ncrossbar_flit: 3\nmemory_line: 8\n",
                                   0644);
    for (unsigned way = 0; way < 3; way++) {
        char *storage = way == 2 ? "uniform.storage=srf"
                        : way    ? "uniform.storage=token"
                                 : "uniform.storage=none";
        char *intra = way ? "uniform.intra=on" : "uniform.intra=off";
        struct spawned run = LOCKSTEP("run", "--events", "--stats", "r.json", "--config", config, "--set",
                                      storage, "--set", intra, "--", reduction);
        assert_status(&run, 0);
        struct spawned energy = LOCKSTEP("energy", "--json", "--constants", "mine", "r.json");
        if (energy.status) fail_msg("%s", energy.err);
        json_t *s = fixture_statistics("r.json"), *j = json_loads(energy.out, 0, NULL);
        const json_t *set = json_array_get(json_object_get(j, "sets"), 0);
        const json_int_t reads = scoped(s, ".vrf", "reads"), writes = scoped(s, ".vrf", "writes"),
                         scalars = scoped(s, ".uniform", "scalar_reads"),
                         written = scoped(s, ".uniform", "scalar_writes");
        assert_int_equal(event(s, "threads", "operations."), counter(s, "thread_instructions"));
        assert_row(set, "registers (VRF)", "rows read", reads - (way == 1 ? scalars : 0), 8);
        assert_row(set, "registers (VRF)", "rows written", writes - (way == 1 ? written : 0), 16);
        if (way) {
            assert_true(scalars > 0 && written > 0);
            assert_row(set, "registers (scalar)", "read", scalars, way == 1 ? 1 : 5);
            assert_row(set, "registers (scalar)", "written", written, way == 1 ? 2 : 6);
        }
        assert_row(set, "operand collectors", "rows kept", reads, -1);
        assert_row(set, "local memory", "words", scoped(s, ".local", "accesses"), -1);
        assert_row(set, "coalescer", "transactions", scoped(s, ".coalescer", "transactions"), 0);
        assert_row(set, "crossbar", "flits",
                   scoped(s, "icnt", "request_flits") + scoped(s, "icnt", "reply_flits"), 3);
        assert_row(set, "L2", "reads", scoped(s, "l2", "reads"), -1);
        assert_row(set, "DRAM", "bursts", scoped(s, "dram", "bursts"), 4);
        assert_row(set, "DRAM", "rows opened", scoped(s, "dram", "activates"), 0);
        assert_true(json_number_value(json_object_get(set, "leakage_nj")) > 0);
        json_decref(j);
        json_decref(s);
        spawn_free(&energy);
        spawn_free(&run);
    }
    free(constants);
    free(config);
    free(reduction);
}

/* A superscalar core: predictor, queues and window, by their counters. */
static void test_superscalar(void **state) {
    (void)state;
    char *reduction = program("reduction"),
         *config = spawn_text("%s/configs/out-of-order-3.yaml", spawn_source());
    struct spawned run =
        LOCKSTEP("run", "--events", "--stats", "r.json", "--config", config, "--", reduction);
    assert_status(&run, 0);
    struct spawned energy = LOCKSTEP("energy", "--json", "r.json");
    if (energy.status) fail_msg("%s", energy.err);
    json_t *s = fixture_statistics("r.json"), *j = json_loads(energy.out, 0, NULL);
    const json_t *set = json_array_get(json_object_get(j, "sets"), 0);
    const json_int_t instructions = counter(s, "scalar_instructions");
    assert_row(set, "branch predictor", "look-ups", scoped(s, ".l1i", "accesses"), -1);
    assert_row(set, "branch predictor", "branches learned", scoped(s, ".branches", "executed"), -1);
    assert_row(set, "fetch queue", "instructions", instructions, -1);
    assert_row(set, "window", "instructions", instructions, -1);
    assert_true(scoped(s, ".branches", "executed") > 0);
    assert_int_equal(event(s, "cores", "operations."), instructions);
    json_decref(j);
    json_decref(s);
    spawn_free(&energy);
    spawn_free(&run);
    free(config);
    free(reduction);
}

/* Scalar threads: each instruction is an operation of its class, with its own control and registers. */
static void test_scalar_units(void **state) {
    (void)state;
    char *kernels = spawn_text("%s/tests/hosts/scalar_kernels", spawn_build()),
         *config = spawn_text("%s/configs/gt640-scalar.yaml", spawn_source()),
         *constants =
             fixture_file("mine", "integer: 2\ninstruction: 3\nscalar_read: 5\nscalar_write: 6\n", 0644);
    struct spawned run = LOCKSTEP("run", "--events", "--stats", "r.json", "--config", config, "--", kernels,
                                  "mixture", "1024"),
                   energy = LOCKSTEP("energy", "--json", "--constants", "mine", "r.json");
    assert_status(&run, 0);
    assert_status(&energy, 0);
    json_t *s = fixture_statistics("r.json"), *j = json_loads(energy.out, 0, NULL);
    const json_t *set = json_array_get(json_object_get(j, "sets"), 0);
    const json_int_t instructions = scoped(s, ".scalar", "instructions"),
                     loads = scoped(s, ".scalar.mix", "load");
    assert_true(loads > 0 && loads < instructions);
    assert_row(set, "scalar units", "load", loads, 2);
    assert_row(set, "scalar units", "instructions", instructions, 3);
    assert_row(set, "scalar units", "registers read", scoped(s, ".scalar", "registers_read"), 5);
    assert_row(set, "scalar units", "registers written", scoped(s, ".scalar", "registers_written"), 6);
    assert_row(set, "local memory", "words of scalar threads", scoped(s, ".scalar", "local_accesses"), -1);
    json_decref(j);
    json_decref(s);
    spawn_free(&energy);
    spawn_free(&run);
    free(constants);
    free(config);
    free(kernels);
}

/* GCN: a scalar instruction is one operation, and its registers are those of the scalar file. */
static void test_gcn(void **state) {
    (void)state;
    char *fft = program("fft"), *config = spawn_text("%s/configs/gt640-gcn.yaml", spawn_source()),
         *constants = fixture_file("mine", "integer: 2\nscalar_read: 5\nscalar_write: 6\n", 0644);
    struct spawned run = LOCKSTEP("run", "--events", "--stats", "r.json", "--config", config, "--", fft),
                   energy = LOCKSTEP("energy", "--json", "--constants", "mine", "r.json");
    assert_status(&run, 0);
    assert_status(&energy, 0);
    json_t *s = fixture_statistics("r.json"), *j = json_loads(energy.out, 0, NULL);
    const json_t *set = json_array_get(json_object_get(j, "sets"), 0), *row;
    const json_int_t all = event(s, "threads", "operations.alu"),
                     threads = scoped(s, ".lanes.scalar_threads", "alu"),
                     scalar = scoped(s, ".lanes.scalar_mix", "alu"),
                     reads = scoped(s, ".lanes", "scalar_reads"),
                     writes = scoped(s, ".lanes", "scalar_writes");
    json_int_t instructions = 0;
    size_t n;
    json_array_foreach(json_object_get(s, "counters"), n,
                       row) if (strstr(json_string_value(json_object_get(row, "scope")), ".lanes.scalar_mix"))
        instructions += json_integer_value(json_object_get(row, "value"));
    assert_int_equal(instructions, scoped(s, ".lanes", "scalar"));
    assert_true(scalar > 0 && threads == 32 * scalar && threads < all);
    assert_true(reads > 0 && writes > 0);
    assert_row(set, "lanes", "alu", all - threads + scalar, 2);
    assert_row(set, "registers (scalar)", "read", reads, 5);
    assert_row(set, "registers (scalar)", "written", writes, 6);
    json_decref(j);
    json_decref(s);
    spawn_free(&energy);
    spawn_free(&run);
    free(constants);
    free(config);
    free(fft);
}

/* Advanced SIMD: an instruction on doublewords is two operations of 32 bits, one on quadwords four, whose
 * energy is that of the core's own. A lane of its own leaks besides, and so do units beyond those of the
 * core. */
static void test_simd(void **state) {
    (void)state;
    char *nbody = program("nbody"), *config = spawn_text("%s/configs/in-order-2.yaml", spawn_source()),
         *constants = fixture_file("mine",
                                   "integer: 1\nmultiply: 3\nvfp_multiply_single: 5\n"
                                   "vfp_chained_single: 7\nleakage_mw_per_mm2: 1000\n",
                                   0644);
    static char *const isas[] = {"cluster.isa=vfp", "cluster.isa=neon"};
    double leakage[2];
    for (unsigned n = 0; n < 2; n++) {
        struct spawned run = LOCKSTEP("run", "--events", "--stats", "r.json", "--config", config, "--set",
                                      isas[n], "--set", "core.vfp_units=1", "--", nbody, "--bodies", "128",
                                      "--vectors", n ? "on" : "off"),
                       energy = LOCKSTEP("energy", "--json", "--constants", "mine", "r.json");
        assert_status(&run, 0);
        assert_status(&energy, 0);
        json_t *s = fixture_statistics("r.json"), *j = json_loads(energy.out, 0, NULL);
        const json_t *set = json_array_get(json_object_get(j, "sets"), 0);
        leakage[n] = json_number_value(json_object_get(set, "leakage_mw"));
        if (n) {
            assert_row(set, "lanes", "neon_integer_quad", event(s, "cores", "operations.neon_integer_quad"),
                       4);
            assert_row(set, "lanes", "neon_float_quad", event(s, "cores", "operations.neon_float_quad"), 20);
            assert_row(set, "lanes", "neon_load", event(s, "cores", "operations.neon_load"), 1);
            assert_row(set, "load-store queue", "loads and stores",
                       event(s, "cores", "operations.load") + event(s, "cores", "operations.store") +
                           event(s, "cores", "operations.neon_load") +
                           event(s, "cores", "operations.neon_store"),
                       -1);
        }
        json_decref(j);
        json_decref(s);
        spawn_free(&energy);
        spawn_free(&run);
    }
    /* Four cores with a lane of 0.020258 mm2 each. */
    assert_true(fabs(leakage[1] - leakage[0] - 4 * 20.258) < 1e-6);
    free(constants);
    free(config);
    free(nbody);
}

static void assert_refused(struct spawned s, const char *part_of_message) {
    assert_status(&s, EXIT_USER);
    assert_says(s.err, part_of_message);
    assert_string_equal(s.out, "");
    spawn_free(&s);
}

static void test_mistakes(void **state) {
    (void)state;
    char *reduction = program("reduction");
    struct spawned run = LOCKSTEP("run", "--stats", "r.json", "--", reduction);
    assert_status(&run, 0);
    spawn_free(&run);
    char *files[] = {
        fixture_file("a", "integer: 1\ninteger: 2\n", 0644),  fixture_file("b", "intger: 1\n", 0644),
        fixture_file("c", "integer: much\n", 0644),           fixture_file("d", "integer 1\n", 0644),
        fixture_file("no.json", "{\"schema\": \"x\"}", 0644), fixture_file("bad.json", "{", 0644)};
    assert_refused(LOCKSTEP("energy"), "which run?");
    assert_refused(LOCKSTEP("energy", "r.json"), "repeat it with --events");
    assert_refused(LOCKSTEP("energy", "no.json"), "no.json: this is not what `lockstep run --stats` writes");
    assert_refused(LOCKSTEP("energy", "bad.json"), "bad.json: ");
    assert_refused(LOCKSTEP("energy", "nowhere.json"), "nowhere.json");
    assert_refused(LOCKSTEP("energy", "r.json", "more.json"), "'more.json' is too many");
    assert_refused(LOCKSTEP("energy", "--constants", "a", "r.json"), "a:2: integer is given twice");
    assert_refused(LOCKSTEP("energy", "--constants", "b", "r.json"), "b:1: there is no constant intger");
    assert_refused(LOCKSTEP("energy", "--constants", "c", "r.json"), "c:1: integer: 'much' is no number");
    assert_refused(LOCKSTEP("energy", "--constants", "d", "r.json"), "d:1: a line is `name: value`");
    assert_refused(LOCKSTEP("energy", "--constants", "mcpatt", "r.json"), "neither horowitz nor mcpat");
    for (unsigned n = 0; n < sizeof files / sizeof *files; n++) free(files[n]);
    free(reduction);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_events),   TEST(test_reads_and_writes), TEST(test_by_hand),      TEST(test_two_ways),
        TEST(test_gpu_like), TEST(test_superscalar),      TEST(test_scalar_units), TEST(test_gcn),
        TEST(test_simd),     TEST(test_mistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
