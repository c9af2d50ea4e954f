/* Recorded runs: each run has the values in tests/golden/runs (record.h): every counter, histogram, cycle and
 * cause of its statistics, every change of its waves. It has the same values with waves and with
 * --exact-steps, which evaluate every cycle, and without, where idle cycles are skipped. The base machine is
 * computed ahead (model/fast/). Each of its runs has the same values from its unit alone (LOCKSTEP_FAST=0),
 * and if the unit takes over at a random cycle, from which waves are written.
 *
 * `make test` runs all with less than a million cycles; of those on SMs with simt.mitigation, one of
 * SOME_MITIGATED. From the runs with less than a million cycles of all
 * clusters together, it also runs one of SOME_EXACT with --exact-steps, and one of SOME_TRACED with waves. On
 * the base machine it runs one of SOME_UNIT by the unit and one of SOME_LEFT with the unit from a random
 * cycle on. LOCKSTEP_LONG=1 (`make test-long`) runs all in every way. RUNS=PROGRAM,
 * RUNS=PROGRAM:NUMBER or RUNS=PROGRAM:NUMBER-NUMBER runs only these, in every way.
 *
 * GOLDEN=update build/tests/test_recorded_runs records an intended change of values, and a run whose line was
 * added to a head; the commit shows the difference. */
#include "tests/lockstep/record.h"
#include "tests/lockstep/run_values.h"
#include "tests/seed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TRACED "--trace=t.fst"
#define EXACT  "--exact-steps"
#define LEFT   "--trace-cycles=%llu:%llu"

enum {
    SOME_EXACT = 7,
    SOME_TRACED = 7,
    SOME_UNIT = 7,
    SOME_LEFT = 5,
    SOME_MITIGATED = 8,
    LARGE_CYCLES = 1000000,
    MAX_WORDS = 64
};

static unsigned add_words(char *argv[], unsigned n, char *text) {
    char *rest;
    for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        assert_in_range(n, 0, MAX_WORDS - 2);
        argv[n++] = word;
    }
    return n;
}

/* Returns the path of a benchmark or, if none has this name, of a program of tests/hosts; to be freed. */
static char *path_of(const char *program) {
    char *benchmark = spawn_text("%s/benchmarks/%s", spawn_build(), program);
    if (access(benchmark, X_OK) == 0) return benchmark;
    free(benchmark);
    return fixture_host(program);
}

/* Returns the values of a run with one more option ("": none). */
static json_t *values_of(const struct record *r, unsigned number, char *how) {
    const struct record_run *run = &r->run[number];
    const bool explain = run->how == RECORD_EXPLAIN;
    char *argv[MAX_WORDS] = {fixture_command, explain ? "explain" : "run",
                             explain ? "--json" : "--stats=s.json"};
    char *options = strdup(run->options), *arguments = strdup(run->arguments);
    char *program = path_of(r->program);
    unsigned n = 3;
    if (*how) argv[n++] = how;
    if (strncmp(how, LEFT, 15) == 0) argv[n++] = TRACED;
    n = add_words(argv, n, options);
    argv[n++] = "--";
    argv[n++] = program;
    add_words(argv, n, arguments);
    struct spawned s = spawn(fixture_folder, argv);
    if (s.status) {
        for (n = 0; argv[n]; n++) fprintf(stderr, "%s ", argv[n]);
        fail_msg("%s run %u: exit status %d:\n%s\n%s", r->program, number + 1, s.status, s.out, s.err);
    }
    struct run_values v = run_values_begin();
    if (explain) {
        const char *json = strstr(s.out, "{\n");
        json_t *all = json ? json_loads(json, 0, NULL) : NULL;
        assert_non_null(all);
        run_values_add(&v, "kernels", json_object_get(all, "kernels"));
        run_values_add_statistics(&v, json_object_get(all, "run"));
        json_decref(all);
    } else {
        json_t *statistics = fixture_statistics("s.json");
        run_values_add_statistics(&v, statistics);
        json_decref(statistics);
    }
    run_values_add_faults(&v, s.err);
    if (strcmp(how, TRACED) == 0) {
        char *path = fixture_path("t.fst");
        run_values_add_waves(&v, path);
        free(path);
    }
    spawn_free(&s);
    free(program);
    free(arguments);
    free(options);
    return run_values_end(&v);
}

static bool same(const struct record *r, unsigned number, char *how) {
    json_t *found = values_of(r, number, how);
    const bool equal = record_compare(r, number, *how ? how : "plain", strcmp(how, TRACED) == 0, found);
    json_decref(found);
    return equal;
}

/* Checks that a machine computed ahead has the same values from its unit alone. */
static bool same_by_unit(const struct record *r, unsigned number) {
    setenv("LOCKSTEP_FAST", "0", 1);
    const bool equal = same(r, number, "");
    unsetenv("LOCKSTEP_FAST");
    return equal;
}

/* Checks a run whose unit takes over at a random cycle. */
static bool same_left(const struct record *r, unsigned number, const char *cycles, struct seed *seed) {
    const uint64_t at = seed_next(seed) % strtoull(cycles, NULL, 10);
    char how[64];
    snprintf(how, sizeof how, LEFT, (unsigned long long)at, (unsigned long long)at);
    return same(r, number, how);
}

/* Returns whether a run is of the base machine, which is computed ahead. */
static bool is_ahead(const struct record *r, unsigned number) {
    static const char *const others[] = {"--config",        "uniform.storage",  "two_level",
                                         "simt.mitigation", "simt.multi_issue", "--inject"};
    for (unsigned n = 0; n < sizeof others / sizeof *others; n++)
        if (strstr(r->run[number].options, others[n])) return false;
    return r->run[number].how != RECORD_EXPLAIN;
}

static bool is_mitigated(const struct record *r, unsigned number) {
    const char *options = r->run[number].options;
    return strstr(options, "--config") && !strstr(options, "dual-mode") && strstr(options, "simt.mitigation");
}

/* Returns whether RUNS selects a run; without RUNS (NULL), all runs are selected. */
static bool wanted(const char *runs, const struct record *r, unsigned number) {
    if (!runs) return true;
    const size_t length = strcspn(runs, ":");
    if (strlen(r->program) != length || strncmp(runs, r->program, length) != 0) return false;
    if (runs[length] == '\0') return true;
    const char *first = runs + length + 1, *dash = strchr(first, '-');
    return number + 1 >= atoll(first) && number + 1 <= atoll(dash ? dash + 1 : first);
}

struct tally {
    const char *runs; /* RUNS; NULL: all runs */
    bool all;         /* also large runs, each in every way */
    unsigned number, ahead, mitigated, tried, different;
    struct seed seed;
};

static void update(void *tally, struct record *r) {
    bool any = false;
    for (unsigned n = 0; n < r->runs; n++) {
        if (!wanted(((struct tally *)tally)->runs, r, n)) continue;
        json_t *found = values_of(r, n, r->run[n].how == RECORD_TRACED ? TRACED : "");
        record_set(r, n, found);
        json_decref(found);
        any = true;
    }
    if (any) record_write(r);
}

static bool is_large(const struct record *r, unsigned number, const char *cycles) {
    return r->run[number].how == RECORD_LARGE || atoll(record_value(r, cycles, number)) >= LARGE_CYCLES;
}

static void compare(void *tally, struct record *r) {
    struct tally *t = tally;
    for (unsigned n = 0; n < r->runs; n++) {
        const enum record_how how = r->run[n].how;
        const bool some_exact = ++t->number % SOME_EXACT == 0 && !is_large(r, n, "launches* unit_cycles");
        if (is_mitigated(r, n) && t->mitigated++ % SOME_MITIGATED && !t->all) continue;
        if (!wanted(t->runs, r, n) || (is_large(r, n, "launches* cycles") && !t->all)) continue;
        bool equal = same(r, n, "");
        if (how != RECORD_LARGE && (t->all || some_exact)) equal = same(r, n, EXACT) && equal;
        if (how == RECORD_TRACED && (t->all || t->number % SOME_TRACED == 0))
            equal = same(r, n, TRACED) && equal;
        if (is_ahead(r, n)) {
            ++t->ahead;
            if (t->all || t->ahead % SOME_UNIT == 0) equal = same_by_unit(r, n) && equal;
            if (t->all || t->ahead % SOME_LEFT == 0)
                equal = same_left(r, n, record_value(r, "launches* cycles", n), &t->seed) && equal;
        }
        t->tried++;
        if (equal) continue;
        t->different++;
        fprintf(stderr, "repeat with RUNS=%s:%u build/tests/test_recorded_runs\n", r->program, n + 1);
    }
}

static void test_recorded_runs(void **state) {
    (void)state;
    const char *golden = getenv("GOLDEN");
    struct tally t = {.runs = getenv("RUNS"), .seed = seed_start()};
    t.all = t.runs || getenv("LOCKSTEP_LONG");
    if (golden && strcmp(golden, "update") == 0) {
        record_visit_all(update, &t);
        return;
    }
    record_visit_all(compare, &t);
    print_message("%u runs\n", t.tried);
    if (!t.tried) fail_msg("RUNS=%s names no run of " RECORD_FOLDER, t.runs ? t.runs : "");
    if (t.different) fail_msg("%u of %u runs are not as recorded in " RECORD_FOLDER, t.different, t.tried);
}

int main(void) {
    const struct CMUnitTest tests[] = {TEST(test_recorded_runs)};
    spawn_limit_seconds = 600;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
