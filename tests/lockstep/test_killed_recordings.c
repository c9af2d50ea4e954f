/* Runs killed by SIGKILL at random times while they record: the file can be read, and holds the beginning of
 * what a run that ends by itself records. */
#include "recording/recording.h"
#include "recording/recording_format.h"
#include "tests/fixture.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static uint64_t seed = 49;

static uint64_t random_below(uint64_t limit) {
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (seed >> 33) % limit;
}

static uint64_t microseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

/* A run that is recorded in t.lsr, its wall-clock time, and the size of its whole file. */
struct subject {
    char *line[16];
    struct recording whole;
    uint64_t microseconds;
    off_t bytes;
};

static void count(void *context, unsigned unit, const struct record *r) {
    (void)unit;
    (void)r;
    ++*(uint64_t *)context;
}

/* Reads all records, so that each chunk's hash is checked, and returns their number. */
static uint64_t read_records(const struct recording *r) {
    uint64_t records = 0;
    struct error e = {0};
    for (unsigned unit = 0; unit < r->unit_count; ++unit)
        if (!recording_unit_records(r, unit, 0, count, &records, &e)) fail_msg("%s", e.message);
    return records;
}

/* Returns the n-th chunk of a unit, or NULL. The header holds a hash of the records. */
static const struct recording_chunk *chunk_of(const struct recording *r, unsigned unit, size_t n) {
    for (size_t k = 0; k < r->chunk_count; ++k)
        if (r->chunks[k].chunk.unit == unit && n-- == 0) return &r->chunks[k].chunk;
    return NULL;
}

static void assert_prefix(const struct recording *part, const struct recording *whole) {
    assert_true(json_equal(part->head, whole->head));
    assert_true(json_array_size(part->notes) <= json_array_size(whole->notes));
    for (size_t n = 0; n < json_array_size(part->notes); ++n)
        assert_true(json_equal(json_array_get(part->notes, n), json_array_get(whole->notes, n)));
    for (unsigned unit = 0; unit < part->unit_count; ++unit) {
        const struct recording_chunk *is, *should_be;
        for (size_t n = 0; (is = chunk_of(part, unit, n)) != NULL; ++n) {
            assert_non_null(should_be = chunk_of(whole, unit, n));
            assert_memory_equal(is, should_be, sizeof *is);
        }
    }
    assert_int_equal(read_records(part), part->records);
}

static off_t size_of(const char *path) {
    struct stat file;
    return stat(path, &file) ? -1 : file.st_size;
}

/* Waits until a file has grown to some bytes, or is renamed or the time is over. */
static void wait_for_size(const char *path, off_t bytes, uint64_t time) {
    const uint64_t start = microseconds();
    off_t before = -1, size;
    while ((size = size_of(path)) >= before && size < bytes && microseconds() - start < time) {
        before = size;
        usleep(100);
    }
}

/* Kills a run at a random time, or when its file has grown to a random size (the time of a run depends on
 * what else the computer does). Returns the number of records in its file; the file of a run killed before
 * its first launch holds none, and the message says so. */
static uint64_t kill_once(struct subject *x, bool by_size) {
    struct spawned s = spawn_start(fixture_folder, false, x->line);
    char *name = spawn_text("t.lsr.%d.part", s.pid), *growing = fixture_path(name);
    const uint64_t after = random_below(x->microseconds);
    if (by_size)
        wait_for_size(growing, 1 + (off_t)random_below((uint64_t)x->bytes), 100 * x->microseconds);
    else
        usleep((useconds_t)after);
    kill(s.pid, SIGKILL);
    spawn_finish(&s);
    char *path = s.status ? growing : fixture_path("t.lsr");
    struct recording part;
    struct error e = {0};
    uint64_t records = 0;
    if (size_of(path) < 0) {
        assert_int_equal(s.status, 128 + SIGKILL); /* killed before the file was there */
    } else if (recording_open(&part, path, &e)) {
        assert_prefix(&part, &x->whole);
        records = part.records;
        if (s.status == 0) assert_true(part.whole);
        if (part.whole) assert_int_equal(records, x->whole.records); /* perhaps killed before its renaming */
        recording_close(&part);
    } else if (!strstr(e.message, "no kernel ran in it before the run was killed") &&
               !strstr(e.message, "it ends in its head") && size_of(path) > 0) {
        fail_msg("killed %s (%lu us): %s", by_size ? "by size" : "by time", (unsigned long)after, e.message);
    }
    unlink(path);
    spawn_free(&s);
    if (path != growing) free(path);
    free(growing);
    free(name);
    return records;
}

/* Kills a run so many times, and on until once some records are in the file, but not all. */
static void kill_runs(const char *options, const char *program, unsigned times) {
    struct subject x = {.line = {fixture_command, "run", "--record", "t.lsr"}};
    char *words = strdup(options), *path = spawn_text("%s/%s", spawn_build(), program), *rest;
    unsigned n = 4, cut = 0;
    for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        x.line[n++] = word;
    x.line[n++] = "--";
    x.line[n] = path;
    const uint64_t start = microseconds();
    struct spawned s = spawn(fixture_folder, x.line);
    assert_status(&s, 0);
    spawn_free(&s);
    x.microseconds = microseconds() - start;
    char *from = fixture_path("t.lsr"), *whole = fixture_path("whole.lsr");
    struct error e = {0};
    assert_int_equal(rename(from, whole), 0);
    assert_true(recording_open(&x.whole, whole, &e));
    assert_int_equal(read_records(&x.whole), x.whole.records);
    x.bytes = size_of(whole);
    unsigned k = 0;
    for (; k < times || (cut == 0 && k < 20 * times); ++k) {
        const uint64_t records = kill_once(&x, k % 2);
        cut += records > 0 && records < x.whole.records;
    }
    print_message("%s %s: %u of %u runs left a part of the records\n", program, options, cut, k);
    assert_in_range(cut, 1, k);
    recording_close(&x.whole);
    free(whole);
    free(from);
    free(path);
    free(words);
}

static void test_base_machine(void **state) {
    (void)state;
    kill_runs("", "benchmarks/hotspot", 20);
}

static void test_mimd_mode(void **state) {
    (void)state;
    kill_runs("--mode mimd --set cluster.count=2", "benchmarks/reduction", 15);
}

/* Chunks of several units may be written in any order. */
static void test_threads(void **state) {
    (void)state;
    kill_runs("--config gtx285-like --threads 2", "benchmarks/hotspot", 15);
}

int main(void) {
    const struct CMUnitTest tests[] = {TEST(test_base_machine), TEST(test_mimd_mode), TEST(test_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
