/* Every launch of the benchmarks and of the test programs leaves the same memory, bit by bit, in SIMT mode,
 * in MIMD mode and under the oracle. The oracle is qemu-arm with the SIMT code, with a user context for each
 * work-item. The programs run in a session as under `lockstep run`; each launch is recorded where the session
 * calls machine_run(). The benchmarks' input is small in `make test`, their real one with LOCKSTEP_LONG=1
 * (`make test-long`).
 * Needs: $(HOSTS) */
#include "runtime/session.h"
#include "tests/oracle/oracle_run.h"
#include "tests/real.h"
#include "tests/seed.h"
#include "tests/spawn.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct buffer {
    uint32_t base, size_bytes;
    uint8_t *after;
    unsigned launch;
    char kernel[48];
};

static struct oracle oracle;
static struct buffer *buffers; /* buffers of all launches, after the machine has run */
static unsigned buffer_count, launch_count;

static bool is_given(const struct memory_region *r, const struct machine_launch *l) {
    return r->size_bytes != 0 && (r->kind == MEMORY_CODE || r->kind == MEMORY_BUFFER ||
                                  (r->kind == MEMORY_LAUNCH && r->base == l->argument_block));
}

static void keep(const struct memory_region *r, const char *kernel) {
    struct buffer *grown = realloc(buffers, (buffer_count + 1) * sizeof *grown);
    assert_non_null(grown);
    buffers = grown;
    struct buffer *b = &buffers[buffer_count++];
    *b = (struct buffer){r->base, r->size_bytes, malloc(r->size_bytes), launch_count, ""};
    assert_non_null(b->after);
    memcpy(b->after, r->host, r->size_bytes);
    snprintf(b->kernel, sizeof b->kernel, "%s", kernel);
}

bool machine_run(struct machine *m, const struct machine_launch *l, struct machine_result *r,
                 struct error *e) {
    const struct memory *memory = machine_memory(m);
    struct oracle_launch o = {
        .entry = l->thunk, .argument_block = l->argument_block, .work_dim = l->work_dim};
    snprintf(o.kernel, sizeof o.kernel, "%s", l->kernel);
    memcpy(o.global_size, l->global_size, sizeof o.global_size);
    memcpy(o.local_size, l->local_size, sizeof o.local_size);
    memcpy(o.global_offset, l->global_offset, sizeof o.global_offset);
    for (unsigned i = 0; i < memory->used; i++) {
        const struct memory_region *g = &memory->region[memory->order[i]];
        if (is_given(g, l)) oracle_memory(&oracle, g->base, g->host, g->size_bytes);
    }
    oracle_launch(&oracle, &o);
    const bool whole = REAL(machine_run)(m, l, r, e);
    for (unsigned i = 0; i < memory->used; i++) {
        const struct memory_region *g = &memory->region[memory->order[i]];
        if (g->kind != MEMORY_BUFFER || g->size_bytes == 0) continue;
        oracle_result(&oracle, g->base, g->size_bytes);
        keep(g, l->kernel);
    }
    launch_count++;
    return whole;
}

/* Makes a compiler whose images are for both modes, whichever is requested: the oracle runs SIMT code. */
static char *compiler_for_both(void) {
    char *path = spawn_text("%s/tests/lockstep-cc-both-%d", spawn_build(), (int)getpid());
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "#!/bin/sh\nexec %s/lockstep-cc \"$@\" --mode both\n", spawn_build());
    assert_int_equal(fclose(f), 0);
    assert_int_equal(chmod(path, 0700), 0);
    return path;
}

/* Runs a program on a machine of one mode, its launches recorded. */
static void run(const char *mode, char *const argv[]) {
    struct machine_config config;
    struct error e = {0};
    struct session_result result;
    char *compiler = compiler_for_both();
    char *driver = spawn_text("%s/liblockstep_opencl.so", spawn_build());
    config_defaults(&machine_config_table, &config);
    if (!config_set(&machine_config_table, &config, mode, &e)) fail_msg("%s", e.message);
    const struct session_options o = {
        .machine = machine_create(&config, &e), .compiler = compiler, .driver = driver};
    if (!o.machine) fail_msg("%s", e.message);
    struct session *s = session_create(&o, &e);
    if (!s || !session_run(s, argv, &result, &e)) fail_msg("%s, %s: %s", argv[0], mode, e.message);
    if (result.exit_status != 0 || result.signal != 0)
        fail_msg("%s, %s: exit status %d, signal %d", argv[0], mode, result.exit_status, result.signal);
    session_destroy(s);
    machine_destroy(o.machine);
    remove(compiler);
    free(compiler);
    free(driver);
}

static void compare(const char *program, const char *mode, const struct buffer *b) {
    uint8_t *expected = malloc(b->size_bytes);
    assert_non_null(expected);
    oracle_read(&oracle, expected, b->size_bytes);
    for (uint32_t i = 0; i < b->size_bytes; i++)
        if (b->after[i] != expected[i])
            fail_msg("%s, launch %u, kernel %s: with %s the byte at %#x is %#04x, under qemu-arm %#04x",
                     program, b->launch, b->kernel, mode, b->base + i, b->after[i], expected[i]);
    free(expected);
}

/* Returns the number of launches. */
static unsigned check(const char *mode, char *const argv[]) {
    oracle_start(&oracle);
    run(mode, argv);
    char *said = oracle_finish(&oracle);
    if (said) fail_msg("%s: %s", argv[0], said);
    for (unsigned i = 0; i < buffer_count; i++) {
        compare(argv[0], mode, &buffers[i]);
        free(buffers[i].after);
    }
    oracle_end(&oracle);
    free(buffers);
    buffers = NULL;
    const unsigned launches = launch_count;
    buffer_count = launch_count = 0;
    return launches;
}

static void check_modes(char *const argv[]) {
    const unsigned launches = check("mode=simt", argv);
    assert_true(launches > 0);
    assert_int_equal(check("mode=mimd", argv), launches);
}

static void test_programs(void **state) {
    (void)state;
    /* Without api_errors, whose kernel writes words that its other work-items read, and printf, whose records
     * are in execution order (test_concepts.c compares their text). */
    static const char *const programs[] = {"atomics",
                                           "barrier_loop",
                                           "build_options",
                                           "chars",
                                           "constant_memory",
                                           "divergence",
                                           "exit_without_release",
                                           "images",
                                           "linking",
                                           "local_argument",
                                           "math",
                                           "matrix_multiply",
                                           "odd_groups",
                                           "own_reduction",
                                           "private_array",
                                           "profiling",
                                           "read_write_copy",
                                           "three_d",
                                           "two_programs_kernels",
                                           "vector_add",
                                           "waiting"};
    enum { PROGRAMS = sizeof programs / sizeof *programs };
    for (unsigned i = 0; i < PROGRAMS; i++) {
        char *program = spawn_text("%s/tests/hosts/%s", spawn_build(), programs[i]);
        check_modes((char *[]){program, NULL});
        free(program);
    }
}

/* A grid of values as hotspot reads it. */
static void write_grid(const char *path, double first, double step) {
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    for (int row = 0; row < 40; row++)
        for (int column = 0; column < 24; column++)
            fprintf(f, "%.6f%c", first + step * ((row * 7 + column * 13) % 97), column == 23 ? '\n' : ' ');
    assert_int_equal(fclose(f), 0);
}

static void write_floats(const char *path, unsigned count) {
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    for (unsigned i = 0; i < count; i++) {
        const float value = (float)(int)(i * 2654435761u) / 65536.0f;
        assert_int_equal(fwrite(&value, sizeof value, 1, f), 1);
    }
    assert_int_equal(fclose(f), 0);
}

static void test_benchmarks(void **state) {
    (void)state;
    char *folder = spawn_folder();
    char *programs = spawn_text("%s/benchmarks", spawn_build());
    char *reduction = spawn_text("%s/reduction", programs), *hotspot = spawn_text("%s/hotspot", programs);
    char *mandelbrot = spawn_text("%s/mandelbrot", programs), *picture = spawn_text("%s/a.ppm", folder);
    char *floats = spawn_text("%s/floats", folder), *power = spawn_text("%s/power", folder);
    char *temperature = spawn_text("%s/temperature", folder);
    if (getenv("LOCKSTEP_LONG")) {
        check_modes((char *[]){reduction, NULL});
        check_modes((char *[]){hotspot, NULL});
        check_modes((char *[]){mandelbrot, picture, NULL});
    } else {
        write_floats(floats, 3000);
        write_grid(temperature, 320, 0.25);
        write_grid(power, 0, 0.0005);
        check_modes((char *[]){reduction, floats, NULL});
        check_modes((char *[]){hotspot, temperature, power, NULL});
        check_modes((char *[]){mandelbrot, "--size", "40", "--iterations", "60", picture, NULL});
    }
    char *const all[] = {programs, reduction, hotspot, mandelbrot, picture, floats, power, temperature};
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
    spawn_remove_folder(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_benchmarks),
        cmocka_unit_test(test_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
