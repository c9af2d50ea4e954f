/* Signals of `lockstep waves --level 2` are those of `--trace` (level 3), for every benchmark on machines of
 * all kinds. LOCKSTEP_LONG=1 (`make test-long`) tries all of them, `make test` some, drawn by the clock. */
#include "recording/recording.h"
#include "tests/attacks/attack.h"
#include "tests/fixture.h"
#include "tests/lockstep/gpu_programs.h"
#include "tests/sim/trace_summary.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *machine, *mode; /* mode NULL: GPU-like, which has none */
} variant[] = {{"dual-mode-4", "simt"},        {"dual-mode-4", "mimd"}, {"dual-mode-32x4", "simt"},
               {"dual-mode-4-min-pc", "simt"}, {"in-order-2", "mimd"},  {"out-of-order-3", "mimd"},
               {"gtx285-like", NULL},          {"fermi-like", NULL}};
enum { VARIANTS = sizeof variant / sizeof *variant, CYCLES = 5000 };

/* Signals that level 2 defines in another way (docs/trace.md §2), and signals that keep their values for
 * long: a trace does not know values that were set before its window. */
static const char *const other[] = {"*.warp*.pc",
                                    "*.core*.pc",
                                    "*.core*.state",
                                    "*.fetch.pc",
                                    "cluster[0-9].work_group",
                                    "cluster[0-9][0-9].work_group",
                                    "*.scheduler*.pc",
                                    NULL};

/* --- signals --- */

struct signals {
    struct signal {
        char *name;
        uint64_t changes, hash;
    } * signal; /* sorted by name */
    size_t count, room;
};

static void keep(void *context, const char *scope, const char *name, uint64_t changes, uint64_t hash) {
    struct signals *s = context;
    if (s->count == s->room) {
        s->room = s->room ? 2 * s->room : 256;
        s->signal = realloc(s->signal, s->room * sizeof *s->signal);
        assert_non_null(s->signal);
    }
    s->signal[s->count++] = (struct signal){spawn_text("%s.%s", scope, name), changes, hash};
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct signal *)a)->name, ((const struct signal *)b)->name);
}

/* Reads the changes behind the second cycle of the window: a trace begins with the registers of the second
 * one, and without values that were set before the window. */
static struct signals read_signals(const char *name, uint64_t second, uint64_t end) {
    struct signals s = {0};
    char *path = fixture_path(name);
    trace_summarize_between(path, second, end, keep, &s);
    qsort(s.signal, s.count, sizeof *s.signal, by_name);
    free(path);
    return s;
}

static void free_signals(struct signals *s) {
    for (size_t n = 0; n < s->count; ++n) free(s->signal[n].name);
    free(s->signal);
}

static bool is_defined_otherwise(const char *name) {
    for (const char *const *pattern = other; *pattern; ++pattern)
        if (fnmatch(*pattern, name, 0) == 0) return true;
    return false;
}

/* Returns the signal of a trace that shows the same as one of level 2; NULL: there is none. */
static const struct signal *twin_of(const struct signals *trace, const char *name) {
    const size_t length = strlen(name);
    const bool now = length > 4 && strcmp(name + length - 4, ".now") == 0;
    char *twin = now ? spawn_text("%.*s.waits_for", (int)length - 4, name) : strdup(name);
    const struct signal *found =
        bsearch(&(struct signal){.name = twin}, trace->signal, trace->count, sizeof *trace->signal, by_name);
    free(twin);
    return found;
}

/* --- a case --- */

static void waves(const struct attack *a, char *level, char *cycles, char *output) {
    struct spawned s =
        LOCKSTEP("waves", "t.lsr", "--level", level, "--cycles", cycles, "--all", "-o", output);
    if (s.status) attack_fail(a, "waves --level %s --cycles %s: %s", level, cycles, s.err);
    spawn_free(&s);
}

/* Returns the time at which a cycle begins, or the run has ended. */
static uint64_t time_of(uint64_t cycle) {
    char *path = fixture_path("t.lsr");
    struct recording r;
    struct error e = {0};
    assert_true(recording_open(&r, path, &e));
    const uint64_t time = recording_time(&r, cycle < r.end ? cycle : r.end);
    recording_close(&r);
    free(path);
    return time;
}

/* Compares 5,000 cycles of a run. Returns the number of signals compared. */
static size_t compare(const struct attack *a, const char *what, uint64_t first) {
    char *cycles = spawn_text("%llu:%llu", (unsigned long long)first, (unsigned long long)first + CYCLES - 1);
    waves(a, "2", cycles, "a.fst");
    waves(a, "3", cycles, "b.fst");
    const uint64_t second = time_of(first + 1), end = time_of(first + CYCLES);
    struct signals level2 = read_signals("a.fst", second, end), level3 = read_signals("b.fst", second, end);
    size_t compared = 0;
    for (size_t n = 0; n < level2.count; ++n) {
        const struct signal *s = &level2.signal[n], *twin = twin_of(&level3, s->name);
        if (!twin || (!s->changes && !twin->changes) || is_defined_otherwise(s->name)) continue;
        ++compared;
        if (s->changes != twin->changes || s->hash != twin->hash)
            attack_fail(a, "%s, cycles %s: %s: level 2 has %lu changes, level 3 %lu, or others", what, cycles,
                        s->name, (unsigned long)s->changes, (unsigned long)twin->changes);
    }
    free_signals(&level2);
    free_signals(&level3);
    free(cycles);
    return compared;
}

static const struct program *benchmark(unsigned n) {
    for (const struct program *p = programs;; ++p)
        if (is_benchmark(p) && n-- == 0) return p;
}

static unsigned benchmarks(void) {
    unsigned count = 0;
    for (unsigned n = 0; n < PROGRAMS; ++n) count += is_benchmark(&programs[n]);
    return count;
}

/* Runs a program on machine n of the variants. Returns a text for messages. */
static char *run(const struct attack *a, const char *program, unsigned n, const char *options) {
    const char *machine = variant[n].machine, *mode = variant[n].mode;
    char *all = spawn_text("%s%s%s", options, mode ? " --mode " : "", mode ? mode : "");
    struct spawned s = fixture_run(machine, "", all, program);
    if (s.status) attack_fail(a, "%s on %s: %s", program, machine, s.err);
    spawn_free(&s);
    free(all);
    return spawn_text("%s on %s %s", program, machine, mode ? mode : "");
}

/* Writes the command line of a benchmark. */
static void command_of(const struct program *p, char program[256]) {
    int used = snprintf(program, 256, "%s", p->path);
    for (unsigned k = 0; k < MOST_ARGUMENTS && p->arguments[k]; ++k)
        used += snprintf(program + used, 256 - (size_t)used, " %s", p->arguments[k]);
}

static uint64_t random_first(const struct attack *a) {
    struct seed random = attack_seed(a);
    const uint64_t cycles = (uint64_t)fixture_cycles("s.json");
    return cycles > CYCLES ? seed_next(&random) % (cycles - CYCLES) : 0;
}

static void test_level_2(void **state) {
    (void)state;
    const unsigned all = benchmarks() * VARIANTS;
    struct attack a = attack_start("test_level_2", 3, all);
    size_t compared = 0;
    while (attack_next(&a)) {
        const unsigned n = (unsigned)((a.seed + a.count) % all);
        char program[256];
        command_of(benchmark(n / VARIANTS), program);
        char *what = run(&a, program, n % VARIANTS, "--record t.lsr");
        compared += compare(&a, what, random_first(&a));
        free(what);
    }
    assert_true(compared > 0 || a.count < 20); /* a window may lie in start-up code, where nothing changes */
    attack_end(&a, "%zu signals compared", compared);
}

/* Compares a window of the recording with `run --trace-level 2` of every cycle stepped. */
static void compare_exact(const struct attack *a, const char *program, unsigned n, uint64_t first) {
    char *cycles = spawn_text("%llu:%llu", (unsigned long long)first, (unsigned long long)first + CYCLES - 1);
    char *options = spawn_text("--trace b.fst --trace-level 2 --exact-steps --trace-cycles %s", cycles);
    waves(a, "2", cycles, "a.fst");
    char *what = run(a, program, n, options);
    struct spawned s = LOCKSTEP("diff", "a.fst", "b.fst");
    if (s.status) attack_fail(a, "%s, cycles %s: %s%s", what, cycles, s.out, s.err);
    spawn_free(&s);
    free(what);
    free(options);
    free(cycles);
}

/* Level 2 is the same with --exact-steps: a small program on every machine, in the long form all benchmarks.
 */
static void test_exact_steps(void **state) {
    (void)state;
    const unsigned all = benchmarks() * VARIANTS;
    struct attack a = attack_start("test_exact_steps", VARIANTS, all);
    while (attack_next(&a)) {
        const unsigned n = (unsigned)((a.seed + a.count) % all);
        char program[256] = "tests/hosts/vector_add";
        if (getenv("LOCKSTEP_LONG")) command_of(benchmark(n / VARIANTS), program);
        free(run(&a, program, n % VARIANTS, "--record t.lsr"));
        compare_exact(&a, program, n % VARIANTS, random_first(&a));
    }
    attack_end(&a, "levels 2 of %u machines are equal", VARIANTS);
}

/* Windows that begin while contexts start, up to the begin of SIMT mode: no warp has threads before it. */
static void test_start_up(void **state) {
    (void)state;
    struct attack a = attack_start("test_start_up", 1, 1);
    struct spawned s = fixture_run(NULL, "cluster.count=1", "--record t.lsr", "tests/hosts/vector_add");
    assert_status(&s, 0);
    spawn_free(&s);
    for (uint64_t first = 3500; first < 4700; first += 400)
        assert_true(compare(&a, "tests/hosts/vector_add", first) > 10);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {TEST(test_start_up), TEST(test_exact_steps), TEST(test_level_2)};
    return attack_run(argc, argv, tests);
}
