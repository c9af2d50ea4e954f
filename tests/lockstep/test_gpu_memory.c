/* Every benchmark leaves the same bits in its buffers on each GPU-like machine as on the base machine
 * (gpu-like.md §1). `make test` runs some benchmarks, each on one machine, others in every run;
 * LOCKSTEP_LONG=1 (`make test-long`) all on all. */
#include "tests/fixture.h"
#include "tests/lockstep/gpu_programs.h"
#include "tests/seed.h"

#include <stdlib.h>

enum { SAMPLES = 8 };

/* Other kinds of lanes and scalars in addition, and scalar threads. */
static const char *const variants[][6] = {
    {"gtx285-like"},
    {"gtx285-like", "uniform.storage=token", "uniform.intra=on", "uniform.inter=on"},
    {"gtx285-like-16"},
    {"stsimt-30x8"},
    {"stsimt-30x8", "kernel.scalarize=wide", "lanes.scalar_unit=on"},
    {"temporal-30x8"},
    {"temporal-30x8", "kernel.scalarize=wide"},
    {"spatio-temporal-30x8", "kernel.scalarize=wide"},
    {"fermi-like"},
    {"fermi-like", "simt.divergence=dwf"},
    {"fermi-like", "simt.divergence=harp"},
    {"gt640-like"},
    {"gt640-gcn"},
    {"gt640-scalar", "kernel.scalar=prefetch"},
    {"gt640-scalar", "kernel.scalar=extract", "scalar.share_groups=on"},
    {"gt640-scalar", "kernel.scalar=divergence"},
};
enum { VARIANTS = sizeof variants / sizeof *variants };

/* Returns size and sum of each buffer, in the order of their releases, after a run on a machine. */
static char *buffers_of(const char *const *machine, const struct program *p) {
    char *config = spawn_text("--config=%s/configs/%s.yaml", spawn_source(), machine[0]);
    char *path = spawn_text("%s/%s", spawn_build(), p->path), *sums = fixture_path("sums");
    char *argv[28] = {
        "env", "LD_PRELOAD=./buffer_sums.so", "BUFFER_SUMS=sums", fixture_command, "run", "--quiet", config};
    unsigned n = 7;
    for (unsigned k = 1; k < 6 && machine[k]; ++k) {
        argv[n++] = "--set";
        argv[n++] = (char *)machine[k];
    }
    argv[n++] = "--";
    argv[n++] = path;
    for (unsigned k = 0; p->arguments[k]; ++k) argv[n++] = (char *)p->arguments[k];
    remove(sums);
    struct spawned s = spawn(fixture_folder, argv);
    if (s.status) fail_msg("%s on %s: status %d\n%s%s", p->path, machine[0], s.status, s.out, s.err);
    char *text = spawn_read(sums);
    assert_says(text, " bytes ");
    spawn_free(&s);
    free(config);
    free(path);
    free(sums);
    return text;
}

/* Runs of a benchmark on machines, from one variant up to another. */
static void compare(const struct program *p, unsigned from, unsigned to) {
    static const char *const base[6] = {"dual-mode-4"};
    char *expected = buffers_of(base, p);
    for (unsigned v = from; v < to; ++v) {
        char *found = buffers_of(variants[v], p);
        if (strcmp(found, expected) != 0)
            fail_msg("%s on %s (variant %u): buffers\n%son the base machine\n%s", p->path, variants[v][0], v,
                     found, expected);
        free(found);
    }
    free(expected);
}

static void buffers_are_those_of_the_base_machine(void **state) {
    (void)state;
    const bool all = getenv("LOCKSTEP_LONG") != NULL;
    const char *range = getenv("LOCKSTEP_PROGRAMS"), *some = getenv("LOCKSTEP_VARIANTS");
    unsigned first = 0, end = PROGRAMS, from = 0, to = VARIANTS, count = 0;
    char *command = spawn_text("gcc -shared -fPIC -O1 -Wall -Wextra -D_GNU_SOURCE -o buffer_sums.so "
                               "%s/tests/lockstep/buffer_sums.c -ldl",
                               spawn_source());
    struct spawned s = spawn(fixture_folder, (char *[]){"/bin/sh", "-c", command, NULL});
    assert_status(&s, 0);
    spawn_free(&s);
    free(command);
    if (range) assert_int_equal(sscanf(range, "%u:%u", &first, &end), 2);
    if (some) assert_int_equal(sscanf(some, "%u:%u", &from, &to), 2);
    assert_true(to <= VARIANTS);
    for (unsigned n = first; all && n < end && n < PROGRAMS; ++n) {
        if (!is_benchmark(&programs[n])) continue;
        compare(&programs[n], from, to);
        count += to - from;
    }
    struct seed seed = all ? seed_of(0) : seed_start();
    while (!all && count < SAMPLES) {
        const struct program *p = &programs[seed_below(&seed, PROGRAMS)];
        const unsigned variant = (unsigned)seed_below(&seed, VARIANTS);
        if (!is_benchmark(p)) continue;
        compare(p, variant, variant + 1);
        ++count;
    }
    print_message("%u runs of benchmarks on GPU-like machines: every buffer is as on the base machine\n",
                  count);
    assert_true(count > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {TEST(buffers_are_those_of_the_base_machine)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
