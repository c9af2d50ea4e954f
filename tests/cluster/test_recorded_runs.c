/*
 * Recorded runs: what the machine does in each of 424 runs is what it did when the run was recorded,
 * every counter, histogram, cycle and cause of its statistics and every byte of its waves; and the statistics
 * are the same without waves, where it need not visit every cycle; of an untraced run they are the same with
 * --exact-steps. tests/golden/recorded_runs.txt has a line
 * a run: its cycles, a hash of the statistics, one of the waves (- : untraced), options and program. A change
 * that is meant to change them is recorded by GOLDEN=update build/tests/test_recorded_runs and shows in the
 * commit. `make test` takes one line of four and the untraced ones of less than a million cycles, which are
 * larger programs on 3 and 7 clusters; LOCKSTEP_LONG=1 (`make test-long`) all.
 * Links: -lxxhash
 */
#include "tests/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define RECORD       "tests/golden/recorded_runs.txt"
#define TRACED       "--trace t.fst"
#define SOME_LINES   4
#define LARGE_CYCLES 1000000

struct outcome {
    json_int_t cycles;
    uint64_t statistics, waves;
};

/* Cycles, causes, counters and histograms; not what the host took, nor texts. */
static uint64_t hash_statistics(json_t *statistics) {
    static const char *const kept[] = {"outcome", "totals", "launches"};
    json_t *all = json_object(), *of, *values = json_array();
    size_t i;
    for (size_t n = 0; n < sizeof kept / sizeof kept[0]; n++)
        json_object_set(all, kept[n], json_object_get(statistics, kept[n]));
    json_array_foreach(json_object_get(statistics, "counters"), i, of) {
        json_array_append(values, json_object_get(of, "scope"));
        json_array_append(values, json_object_get(of, "name"));
        json_array_append(values, json_object_get(of, "value"));
    }
    json_array_foreach(json_object_get(statistics, "histograms"), i, of) {
        json_array_append(values, json_object_get(of, "name"));
        json_array_append(values, json_object_get(of, "buckets"));
    }
    json_object_set_new(all, "values", values);
    char *text = json_dumps(all, JSON_SORT_KEYS | JSON_COMPACT);
    const uint64_t hash = XXH3_64bits(text, strlen(text));
    free(text);
    json_decref(all);
    return hash;
}

static uint64_t hash_waves(void) {
    char *path = fixture_path("t.fst");
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    XXH3_state_t *state = XXH3_createState();
    char bytes[1 << 16];
    XXH3_64bits_reset(state);
    for (size_t n; (n = fread(bytes, 1, sizeof bytes, f)) > 0;) XXH3_64bits_update(state, bytes, n);
    const uint64_t hash = XXH3_64bits_digest(state);
    XXH3_freeState(state);
    fclose(f);
    free(path);
    return hash;
}

/* Runs the options and the program of a line, with one more option. */
static struct outcome run(const char *line, const char *how) {
    const char *options = strchr(line, '|') + 1, *program = strstr(options, "-- ") + 3;
    char *more = spawn_text("%s %.*s", how, (int)(program - 3 - options), options);
    char *path = spawn_text("benchmarks/%s", program);
    struct spawned s = fixture_run(NULL, "", more, path);
    if (s.status) fail_msg("exit status %d:\n%s\n%s", s.status, s.out, s.err);
    spawn_free(&s);
    json_t *statistics = fixture_statistics("s.json");
    const struct outcome found = {fixture_cycles("s.json"), hash_statistics(statistics),
                                  strcmp(how, TRACED) == 0 ? hash_waves() : 0};
    json_decref(statistics);
    free(path);
    free(more);
    return found;
}

/* A run that is traced, or exact, visits every cycle; another one only those in which something happens. */
static bool same(const char *line, const char *how, const struct outcome *recorded) {
    const struct outcome o = run(line, how);
    if (o.cycles == recorded->cycles && o.statistics == recorded->statistics) return true;
    fprintf(stderr, "%s: %lld cycles, statistics %016llx: %s\n", *how ? how : "not traced",
            (long long)o.cycles, (unsigned long long)o.statistics, line);
    return false;
}

static void print(FILE *out, const struct outcome *o, bool traced, const char *words) {
    fprintf(out, "%10lld %016llx ", (long long)o->cycles, (unsigned long long)o->statistics);
    fprintf(out, traced ? "%016llx %s\n" : "%.0llx- %s\n", (unsigned long long)o->waves, words);
}

static void test_recorded_runs(void **state) {
    (void)state;
    const char *mode = getenv("GOLDEN");
    const bool update = mode && strcmp(mode, "update") == 0, all = update || getenv("LOCKSTEP_LONG");
    char *path = spawn_text("%s/" RECORD, spawn_source()), *record = spawn_read(path), *rest, *now;
    unsigned number = 0, different = 0;
    size_t size;
    assert_non_null(record);
    FILE *out = open_memstream(&now, &size);
    for (char *line = strtok_r(record, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        const bool traced = strstr(line, " - |") == NULL;
        const bool exact = !traced && (all || atoll(line) < LARGE_CYCLES);
        if (number++ % SOME_LINES && !all && !exact) continue;
        const struct outcome o = run(line, traced ? TRACED : "");
        char *found;
        size_t length;
        FILE *one = open_memstream(&found, &length);
        print(one, &o, traced, strchr(line, '|'));
        fclose(one);
        fputs(found, out);
        found[length - 1] = '\0';
        if (strcmp(found, line) != 0) fprintf(stderr, "recorded: %s\nfound:    %s\n", line, found);
        different += strcmp(found, line) != 0 || (traced && !same(line, "", &o)) ||
                     (exact && !same(line, "--exact-steps", &o));
        free(found);
    }
    fclose(out);
    if (update) spawn_write(path, now);
    if (different && !update) fail_msg("%u of %u runs are not as recorded in " RECORD, different, number);
    free(now);
    free(record);
    free(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {TEST(test_recorded_runs)};
    spawn_limit_seconds = 600;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
