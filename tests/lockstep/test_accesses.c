/* Accesses in recordings and waves: `lockstep run --record-accesses` and `lockstep waves --accesses`. */
#include "recording/recording.h"
#include "sim/error.h"
#include "tests/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 1000 }; /* elements of the first launch of vector_add */

static void run(char *const options[], char *const more[], char *program, int status, const char *says) {
    char *line[32] = {fixture_command, "run"};
    unsigned n = 2;
    for (; *options; ++options) line[n++] = *options;
    for (; *more; ++more) line[n++] = *more;
    line[n++] = "--";
    line[n++] = program;
    struct spawned s = spawn(fixture_folder, line);
    assert_status(&s, status);
    if (says) assert_says(s.err, says);
    spawn_free(&s);
}

static void assert_equal_waves(const char *a, const char *b) {
    struct spawned s = LOCKSTEP("diff", (char *)a, (char *)b);
    assert_status(&s, 0);
    spawn_free(&s);
}

/* --- values and places --- */

struct seen {
    uint64_t end; /* first cycle after the first launch */
    uint32_t a, b, sum;
    unsigned stored[COUNT], checked[3];
    unsigned hits[RECORD_HIT_COUNT][2], all;
    unsigned most_mshrs; /* most miss registers in use */
};

static uint32_t bits(float value) {
    uint32_t n;
    memcpy(&n, &value, sizeof n);
    return n;
}

/* Finds buffers by elements of a and b whose values no other element has: a[1], which machines that coalesce
 * do not show, a[48], and b[0]. */
static void find_buffers(void *context, unsigned unit, const struct record *r) {
    struct seen *s = context;
    (void)unit;
    if (r->kind != RECORD_ACCESS || r->cycle >= s->end) return;
    const bool store = r->after[0] & 1;
    if (!store && r->threads == bits(0.1f)) s->a = r->pc - 4;
    if (!store && r->threads == bits(48 * 0.1f)) s->a = r->pc - 4 * 48;
    if (!store && r->threads == bits(1000.0f)) s->b = r->pc;
    if (store && r->threads == bits(1000.0f)) s->sum = r->pc;
}

static void check_values(void *context, unsigned unit, const struct record *r) {
    struct seen *s = context;
    (void)unit;
    if (r->kind != RECORD_ACCESS) return;
    assert_in_range(r->form, RECORD_HIT_NONE + 1, RECORD_HIT_COUNT - 1);
    const bool store = r->after[0] & 1;
    const bool pending = r->form == RECORD_HIT_MEMORY || r->form == RECORD_HIT_UPGRADE;
    if (r->after[1] > s->most_mshrs) s->most_mshrs = r->after[1];
    if (pending && !r->after[1])
        fail_msg("a miss in cycle %lu has no miss register", (unsigned long)r->cycle);
    ++s->hits[r->form][store];
    s->all += r->form != RECORD_HIT_TRANSLATION && r->form != RECORD_HIT_LOCAL;
    if (r->cycle >= s->end) return;
    const uint32_t a = (r->pc - s->a) / 4, b = (r->pc - s->b) / 4, sum = (r->pc - s->sum) / 4;
    const float of_a = (float)a * 0.1f, of_b = 1000.0f / (float)(b + 1);
    if (!store && a < COUNT) assert_int_equal(r->threads, bits(of_a));
    if (!store && b < COUNT) assert_int_equal(r->threads, bits(of_b));
    if (store && sum < COUNT)
        assert_int_equal(r->threads, bits((float)sum * 0.1f + 1000.0f / (float)(sum + 1)));
    s->checked[0] += !store && a < COUNT;
    s->checked[1] += !store && b < COUNT;
    if (store && sum < COUNT && r->form != RECORD_HIT_TRANSLATION) {
        ++s->checked[2];
        ++s->stored[sum];
    }
    if (!store && (a < COUNT || b < COUNT)) assert_int_equal(r->after[0], 2 * 4);
}

static struct seen values_of(char *const machine[]) {
    struct recording r;
    struct error e = {0};
    struct seen s = {0};
    char *program = fixture_host("vector_add"), *path = fixture_path("t.lsr");
    run(machine, (char *[]){"--record", "t.lsr", "--record-accesses", "--stats", "s.json", NULL}, program, 0,
        NULL);
    assert_true(recording_open(&r, path, &e));
    s.end = r.launches[0].end;
    for (unsigned u = 0; u < r.unit_count; ++u)
        assert_true(recording_unit_records(&r, u, 0, find_buffers, &s, &e));
    assert_true(s.a && s.b && s.sum);
    for (unsigned u = 0; u < r.unit_count; ++u)
        assert_true(recording_unit_records(&r, u, 0, check_values, &s, &e));
    recording_close(&r);
    free(path);
    free(program);
    return s;
}

/* Returns the sum of a counter over the scopes with an ending. */
static unsigned sum_of(const char *scope, const char *name) {
    json_t *document = fixture_statistics("s.json"), *counter;
    size_t n;
    unsigned sum = 0;
    json_array_foreach(json_object_get(document, "counters"), n, counter) {
        const char *its = json_string_value(json_object_get(counter, "scope"));
        const size_t length = strlen(its), end = strlen(scope);
        if (length < end || strcmp(its + length - end, scope) != 0) continue;
        if (strcmp(json_string_value(json_object_get(counter, "name")), name) != 0) continue;
        sum += (unsigned)json_integer_value(json_object_get(counter, "value"));
    }
    json_decref(document);
    return sum;
}

/* Each of the 1,000 work-items loads a[i] and b[i] and stores their sum, in the lane of its core. */
static void test_base_machine(void **state) {
    (void)state;
    const struct seen s = values_of((char *[]){NULL});
    for (unsigned i = 0; i < COUNT; ++i) assert_int_equal(s.stored[i], 1);
    assert_true(s.checked[0] >= COUNT && s.checked[1] >= COUNT);
    assert_true(s.hits[RECORD_HIT_MEMORY][0] > 100 && s.hits[RECORD_HIT_L2][0] > 1000);
    assert_true(s.hits[RECORD_HIT_TRANSLATION][0] > 0 && s.hits[RECORD_HIT_FLIGHT][0] > 0);
    assert_int_equal(s.hits[RECORD_HIT_L1][0] + s.hits[RECORD_HIT_LOCAL][0], 0);
    assert_true(s.all >= sum_of("", "memory_instructions"));
    assert_in_range(s.most_mshrs, 5, 32);
}

/* With two miss registers, at most two are in use. */
static void test_miss_registers(void **state) {
    (void)state;
    assert_int_equal(values_of((char *[]){"--set", "mem.mshrs=2", NULL}).most_mshrs, 2);
    assert_int_equal(values_of((char *[]){"--set", "mem.mshrs=2", "--mode", "mimd", NULL}).most_mshrs, 2);
    assert_int_equal(
        values_of((char *[]){"--config", "gtx285-like", "--set", "l1d.mshrs=2", NULL}).most_mshrs, 2);
}

/* Each access is in one line, so the L1D counts as many. */
static void test_mimd_mode(void **state) {
    (void)state;
    const struct seen s = values_of((char *[]){"--mode", "mimd", NULL});
    for (unsigned i = 0; i < COUNT; ++i) assert_int_equal(s.stored[i], 1);
    assert_int_equal(s.checked[0], COUNT);
    assert_int_equal(s.all, sum_of(".l1d", "accesses"));
    assert_true(s.hits[RECORD_HIT_L1][0] > 1000 && s.hits[RECORD_HIT_L1][1] == 0);
}

static void test_superscalar_cores(void **state) {
    (void)state;
    static char *const kinds[] = {"core.kind=in_order", "core.kind=out_of_order"};
    for (unsigned n = 0; n < 2; ++n) {
        const struct seen s = values_of((char *[]){"--mode", "mimd", "--set", kinds[n], NULL});
        for (unsigned i = 0; i < COUNT; ++i) assert_int_equal(s.stored[i], 1);
        assert_int_equal(s.all, sum_of(".l1d", "accesses"));
    }
}

/* A transaction stands for the accesses that it serves; the caches count as many. */
static void test_gpu_like_machine(void **state) {
    (void)state;
    const struct seen s = values_of((char *[]){"--config", "gtx285-like", NULL});
    assert_true(s.checked[0] > 50 && s.checked[1] > 50 && s.checked[2] > 50);
    assert_int_equal(s.all, sum_of(".l1d", "accesses") + sum_of(".constant", "accesses"));
    assert_int_equal(s.hits[RECORD_HIT_FLIGHT][0], sum_of(".l1d", "merged") + sum_of(".constant", "merged"));
}

/* --- commands of DRAM --- */

enum { CHANNELS = 64, BANKS = 64 };

struct commands {
    unsigned count[RECORD_COMMAND_COUNT];
    uint32_t open[CHANNELS][BANKS]; /* open row + 1; 0: none */
    uint64_t last[CHANNELS];
};

/* A row is opened while none is open, and closed, read and written while it is open. */
static void check_command(void *context, unsigned unit, const struct record *r) {
    struct commands *c = context;
    if (r->kind != RECORD_COMMAND) return;
    assert_int_equal(unit, 0);
    assert_true(r->place < CHANNELS && r->after[0] < BANKS);
    assert_true(r->cycle >= c->last[r->place]);
    c->last[r->place] = r->cycle;
    uint32_t *open = &c->open[r->place][r->after[0]];
    assert_int_equal(*open, r->form == RECORD_COMMAND_ACTIVATE ? 0 : r->pc + 1);
    if (r->form == RECORD_COMMAND_ACTIVATE) *open = r->pc + 1;
    if (r->form == RECORD_COMMAND_PRECHARGE) *open = 0;
    ++c->count[r->form];
}

static void assert_commands(char *const machine[]) {
    static struct commands c;
    struct recording r;
    struct error e = {0};
    char *program = fixture_host("vector_add"), *path = fixture_path("t.lsr");
    memset(&c, 0, sizeof c);
    run(machine, (char *[]){"--record", "t.lsr", "--record-accesses", "--stats", "s.json", NULL}, program, 0,
        NULL);
    assert_true(recording_open(&r, path, &e));
    assert_true(recording_unit_records(&r, 0, 0, check_command, &c, &e));
    assert_int_equal(c.count[RECORD_COMMAND_ACTIVATE], sum_of("dram", "activates"));
    assert_int_equal(c.count[RECORD_COMMAND_READ] + c.count[RECORD_COMMAND_WRITE], sum_of("dram", "bursts"));
    assert_true(c.count[RECORD_COMMAND_READ] > 20);
    recording_close(&r);
    free(path);
    free(program);
}

static void test_commands(void **state) {
    (void)state;
    assert_commands((char *[]){"--config", "gtx285-like", NULL});
    assert_commands((char *[]){"--config", "gtx285-like", "--threads", "2", "--exact-steps", NULL});
    assert_commands((char *[]){"--config", "fermi-like", "--set", "dram.policy=fcfs", NULL});
    struct spawned s = LOCKSTEP("waves", "t.lsr", "--level", "2", "--when",
                                "dram.channel0.command == \"read\"", "--scope", "dram.*", "-o", "w.vcd");
    assert_status(&s, 0);
    spawn_free(&s);
    char *path = fixture_path("w.vcd"), *vcd = spawn_read(path);
    assert_says(vcd, " bank ");
    assert_says(vcd, " row ");
    free(vcd);
    free(path);
}

/* --- one record, whatever computes it --- */

/* The pipelines that compute ahead and that step, here with words in TPMs. */
static void test_pipelines(void **state) {
    (void)state;
    char *program = spawn_text("%s/benchmarks/hotspot", spawn_build()), *path = fixture_path("a.vcd");
    char *const options[] = {"--record-accesses=10000:29999", "--max-cycles=40000", NULL};
    run(options, (char *[]){"--record", "a.lsr", NULL}, program, EXIT_PROGRAM_FAULT, NULL);
    setenv("LOCKSTEP_FAST", "0", 1);
    run(options, (char *[]){"--record", "b.lsr", NULL}, program, EXIT_PROGRAM_FAULT, NULL);
    unsetenv("LOCKSTEP_FAST");
    run(options, (char *[]){"--record", "c.lsr", "--exact-steps", NULL}, program, EXIT_PROGRAM_FAULT, NULL);
    char *name[][2] = {{"a.lsr", "a.fst"}, {"b.lsr", "b.fst"}, {"c.lsr", "c.fst"}, {"a.lsr", "a.vcd"}};
    for (unsigned n = 0; n < 4; ++n) {
        struct spawned s =
            LOCKSTEP("waves", name[n][0], "--cycles", "10000:29999", "--level", "2", "-o", name[n][1]);
        assert_status(&s, 0);
        spawn_free(&s);
    }
    assert_equal_waves("a.fst", "b.fst");
    assert_equal_waves("a.fst", "c.fst");
    char *vcd = spawn_read(path);
    assert_says(vcd, " core0 ");
    assert_says(vcd, " address ");
    free(vcd);
    free(path);
    free(program);
}

/* --- waves --- */

/* The waves of a second run are those of a run that recorded its accesses, and of a run that was recorded
 * without them. */
static void assert_again(char *const machine[]) {
    char *program = fixture_host("vector_add");
    run(machine, (char *[]){"--record", "a.lsr", "--record-accesses", NULL}, program, 0, NULL);
    run(machine, (char *[]){"--record", "b.lsr", NULL}, program, 0, NULL);
    struct spawned s =
        LOCKSTEP("waves", "a.lsr", "--cycles", "2000:4999", "--level", "2", "--accesses", "-o", "a.fst");
    assert_status(&s, 0);
    spawn_free(&s);
    s = LOCKSTEP("waves", "b.lsr", "--cycles", "2000:4999", "--level", "2", "--accesses", "-o", "b.fst");
    assert_status(&s, 0);
    spawn_free(&s);
    assert_equal_waves("a.fst", "b.fst");
    assert_equal_waves("a.lsr", "b.lsr");
    s = LOCKSTEP("waves", "b.lsr", "--cycles", "2000:4999", "--level", "2", "-o", "c.fst");
    assert_status(&s, 0);
    spawn_free(&s);
    s = LOCKSTEP("diff", "a.fst", "c.fst");
    assert_status(&s, 1);
    spawn_free(&s);
    free(program);
}

static void test_waves_of_a_second_run(void **state) {
    (void)state;
    assert_again((char *[]){NULL});
    assert_again((char *[]){"--mode", "mimd", NULL});
    assert_again((char *[]){"--config", "gtx285-like", NULL});
}

static void test_conditions(void **state) {
    (void)state;
    char *program = fixture_host("vector_add");
    run((char *[]){NULL}, (char *[]){"--record", "t.lsr", "--record-accesses", NULL}, program, 0, NULL);
    struct spawned s = LOCKSTEP("waves", "t.lsr", "-o", "w.fst", "--when",
                                "core0.access == \"store\" && core0.hit == \"L2\"");
    assert_status(&s, 0);
    assert_says(s.err, "the condition holds first in cycle ");
    spawn_free(&s);
    free(program);
}

static void test_counters_are_the_same(void **state) {
    (void)state;
    static char *const machine[][2] = {
        {"--mode", "simt"}, {"--mode", "mimd"}, {"--config", "gtx285-like"}, {"--config", "dual-mode-32x4"}};
    char *program = fixture_host("vector_add");
    for (unsigned n = 0; n < 4; ++n) {
        char *const options[] = {machine[n][0], machine[n][1], NULL};
        run(options, (char *[]){"--stats", "a.csv", NULL}, program, 0, NULL);
        run(options, (char *[]){"--stats", "b.csv", "--record", "t.lsr", "--record-accesses", NULL}, program,
            0, NULL);
        struct spawned s = spawn(fixture_folder, (char *[]){"cmp", "a.csv", "b.csv", NULL});
        assert_status(&s, 0);
        spawn_free(&s);
    }
    free(program);
}

/* --- mistakes --- */

static void test_wrong_words(void **state) {
    (void)state;
    char *program = fixture_host("vector_add");
    run((char *[]){"--record-accesses", NULL}, (char *[]){NULL}, program, EXIT_USER,
        "--record does not say where to");
    run((char *[]){"--record-accesses=9:1", NULL}, (char *[]){"--record", "t.lsr", NULL}, program, EXIT_USER,
        "--record-accesses 9:1: FIRST:LAST is needed");
    run((char *[]){"--set", "simt.mitigation=alt", "--record-accesses", NULL},
        (char *[]){"--record", "t.lsr", NULL}, program, EXIT_USER, "not with simt.mitigation alt");
    run((char *[]){NULL}, (char *[]){"--record", "t.lsr", NULL}, program, 0, NULL);
    struct spawned s = LOCKSTEP("waves", "t.lsr", "--accesses");
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "--accesses adds them to --level 2");
    spawn_free(&s);
    s = LOCKSTEP("waves", "t.lsr", "--when", "core1.access == \"store\"");
    assert_status(&s, EXIT_USER);
    spawn_free(&s);
    free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_base_machine),     TEST(test_mimd_mode),   TEST(test_superscalar_cores),
        TEST(test_gpu_like_machine), TEST(test_pipelines),   TEST(test_waves_of_a_second_run),
        TEST(test_conditions),       TEST(test_wrong_words), TEST(test_counters_are_the_same),
        TEST(test_miss_registers),   TEST(test_commands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
