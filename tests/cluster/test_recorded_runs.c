/*
 * Recorded runs: what the machine does in each of 400 runs is what it did when the run was recorded,
 * every counter, histogram, cycle and cause of its statistics and every byte of its waves; and the statistics
 * are the same without waves, where it need not visit every cycle. tests/golden/recorded_runs.txt has a line
 * a run: its cycles, a hash of the statistics, one of the waves (- : untraced), options and program. A change
 * that is meant to change them is recorded by GOLDEN=update build/tests/test_recorded_runs and shows in the
 * commit. `make test` takes one line of four, LOCKSTEP_LONG=1 (`make test-long`) all.
 * Links: -lxxhash
 */
#include "tests/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define RECORD     "tests/golden/recorded_runs.txt"
#define MAX_WORDS  200
#define SOME_LINES 4

struct outcome {
    json_int_t cycles;
    uint64_t statistics, waves;
};

/* The options and the program of a line, in argv behind `lockstep run`; the program's path is that of the
 * build. */
static char *split(char *line, char *argv[], bool traced) {
    char *words = strchr(line, '|') + 1, *program = NULL;
    unsigned n = 0;
    argv[n++] = fixture_command;
    argv[n++] = "run";
    argv[n++] = "--stats";
    argv[n++] = "s.json";
    if (traced) {
        argv[n++] = "--trace";
        argv[n++] = "t.fst";
    }
    for (char *rest, *word = strtok_r(words, " \n", &rest); word; word = strtok_r(NULL, " \n", &rest)) {
        assert_in_range(n, 0, MAX_WORDS - 2);
        const bool first = n && strcmp(argv[n - 1], "--") == 0;
        argv[n++] = first ? program = spawn_text("%s/benchmarks/%s", spawn_build(), word) : word;
    }
    argv[n] = NULL;
    return program;
}

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

/* Runs a line. */
static struct outcome run(const char *said, bool traced) {
    char *argv[MAX_WORDS], *line = spawn_text("%s", said), *program = split(line, argv, traced);
    struct spawned s = spawn(fixture_folder, argv);
    if (s.status) fail_msg("exit status %d:\n%s\n%s", s.status, s.out, s.err);
    spawn_free(&s);
    json_t *statistics = fixture_statistics("s.json");
    const struct outcome found = {fixture_number(json_object_get(statistics, "totals"), "cycles"),
                                  hash_statistics(statistics), traced ? hash_waves() : 0};
    json_decref(statistics);
    free(program);
    free(line);
    return found;
}

/* A run that is traced visits every cycle; one that is not, only those in which something happens. */
static bool same_untraced(const char *said, const struct outcome *traced) {
    const struct outcome o = run(said, false);
    if (o.cycles == traced->cycles && o.statistics == traced->statistics) return true;
    fprintf(stderr, "not traced: %lld cycles, statistics %016llx: %s\n", (long long)o.cycles,
            (unsigned long long)o.statistics, said);
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
        if (number++ % SOME_LINES && !all) continue;
        const bool traced = strstr(line, " - |") == NULL;
        const struct outcome o = run(line, traced);
        char *found;
        size_t length;
        FILE *one = open_memstream(&found, &length);
        print(one, &o, traced, strchr(line, '|'));
        fclose(one);
        fputs(found, out);
        found[length - 1] = '\0';
        if (strcmp(found, line) != 0) fprintf(stderr, "recorded: %s\nfound:    %s\n", line, found);
        different += strcmp(found, line) != 0 || (traced && !same_untraced(line, &o));
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
