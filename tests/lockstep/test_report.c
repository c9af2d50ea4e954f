/* Hand-computed tables: a machine with only counters replaces the real one. */
#include "lockstep/output/report.h"
#include "model/config/core_kinds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

struct machine {
    struct machine_config config;
    struct counter_registry *counters;
};

struct counter_registry *machine_counters(struct machine *m) {
    return m->counters;
}
const struct machine_config *machine_configuration(const struct machine *m) {
    return &m->config;
}
const char *const machine_cause_name[MACHINE_CAUSE_COUNT] = {
#define X(id, name, what) name,
    MACHINE_CAUSES(X) MACHINE_GPU_CAUSES(X)
#undef X
};
const char *const machine_cause_description[MACHINE_CAUSE_COUNT] = {
#define X(id, name, what) what,
    MACHINE_CAUSES(X) MACHINE_GPU_CAUSES(X)
#undef X
};

static void test_numbers(void **state) {
    (void)state;
    static const struct {
        uint64_t n;
        const char *text;
    } cases[] = {{0, "0"},
                 {7, "7"},
                 {999, "999"},
                 {1000, "1,000"},
                 {12345, "12,345"},
                 {123456, "123,456"},
                 {1234567, "1,234,567"},
                 {UINT64_MAX, "18,446,744,073,709,551,615"}};
    char text[32];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(report_number(cases[i].n, text), cases[i].text);
}

static void test_shares_of_thirds(void **state) {
    (void)state;
    unsigned tenths[3];
    report_shares((uint64_t[]){1, 1, 1}, 3, 3, tenths);
    assert_int_equal(tenths[0], 334); /* the first of equals gets the remaining tenth */
    assert_int_equal(tenths[1], 333);
    assert_int_equal(tenths[2], 333);
}

static void test_shares_go_to_the_largest_remainder(void **state) {
    (void)state;
    unsigned tenths[4];
    /* With 7 in all: 142.86, 285.71, 571.43, 0 tenths: 142 + 285 + 571 = 998; the two with the largest
     * remainders get one more. */
    report_shares((uint64_t[]){1, 2, 4, 0}, 4, 7, tenths);
    assert_int_equal(tenths[0], 143);
    assert_int_equal(tenths[1], 286);
    assert_int_equal(tenths[2], 571);
    assert_int_equal(tenths[3], 0);
}

static void test_shares_of_nothing(void **state) {
    (void)state;
    unsigned tenths[2] = {9, 9};
    report_shares((uint64_t[]){0, 0}, 2, 0, tenths);
    assert_int_equal(tenths[0], 0);
    assert_int_equal(tenths[1], 0);
}

static void test_shares_of_huge_counts(void **state) {
    (void)state;
    unsigned tenths[2];
    report_shares((uint64_t[]){UINT64_MAX - 1, 1}, 2, UINT64_MAX, tenths);
    assert_int_equal(tenths[0], 1000);
    assert_int_equal(tenths[1], 0);
}

static void test_random_shares_add_up(void **state) {
    (void)state;
    unsigned seed = (unsigned)time(NULL);
    const char *given = getenv("SEED");
    if (given) seed = (unsigned)strtoul(given, NULL, 10);
    print_message("repeat with SEED=%u\n", seed);
    for (int round = 0; round < 10000; round++) {
        uint64_t parts[MACHINE_CAUSE_COUNT], whole = 0;
        unsigned tenths[MACHINE_CAUSE_COUNT], sum = 0;
        for (int c = 0; c < MACHINE_CAUSE_COUNT; c++)
            whole += parts[c] = rand_r(&seed) % 3 ? (uint64_t)rand_r(&seed) >> rand_r(&seed) % 31 : 0;
        report_shares(parts, MACHINE_CAUSE_COUNT, whole, tenths);
        for (int c = 0; c < MACHINE_CAUSE_COUNT; c++) {
            sum += tenths[c];
            if (whole) assert_true((double)tenths[c] - 1000.0 * (double)parts[c] / (double)whole < 1.0);
        }
        assert_int_equal(sum, whole ? 1000 : 0);
    }
}

/* Two lanes' caches and a cluster's counters, by hand. */
struct fake {
    struct machine machine;
    struct run_record record;
    uint64_t warp, thread, condition, barriers, arrivals, scalar, l1i[2][2], l1d[2], l2[2][2];
};

static int begin(void **state) {
    static const char *const scopes[] = {"cluster0.lane0", "cluster0.lane1"};
    struct fake *f = calloc(1, sizeof *f);
    struct counter_registry *r = counter_registry_create();
    f->machine =
        (struct machine){.config = {.core = {.kind = CORE_single}, .simt = {.warp_size = 32}}, .counters = r};
    counter_register(r, "cluster0", "warp_instructions", "", "", &f->warp);
    counter_register(r, "cluster0", "thread_instructions", "", "", &f->thread);
    counter_register(r, "cluster0", "condition_failed", "", "", &f->condition);
    counter_register(r, "cluster0", "barriers", "", "", &f->barriers);
    counter_register(r, "cluster0", "barrier_arrivals", "", "", &f->arrivals);
    counter_register(r, "cluster0", "scalar_instructions", "", "", &f->scalar);
    for (int lane = 0; lane < 2; lane++) {
        char scope[64];
        snprintf(scope, sizeof scope, "%s.l1i", scopes[lane]);
        counter_register(r, scope, "accesses", "", "", &f->l1i[lane][0]);
        counter_register(r, scope, "misses", "", "", &f->l1i[lane][1]);
        snprintf(scope, sizeof scope, "%s.l2", scopes[lane]);
        counter_register(r, scope, "accesses", "", "", &f->l2[lane][0]);
        counter_register(r, scope, "misses", "", "", &f->l2[lane][1]);
    }
    counter_register(r, "cluster0.lane0.l1d", "accesses", "", "", &f->l1d[0]);
    counter_register(r, "cluster0.lane0.l1d", "misses", "", "", &f->l1d[1]);
    counter_register_ratio(r, "cluster0", "l1d_miss_ratio", "", "",
                           "100 * lane*.l1d.misses / lane*.l1d.accesses");
    counter_register_ratio(r, "cluster0", "simd_efficiency", "", "",
                           "100 * thread_instructions / (32 * warp_instructions)");
    counter_register_ratio(r, "cluster0", "l1i_miss_ratio", "", "",
                           "100 * lane*.l1i.misses / lane*.l1i.accesses");
    counter_register_ratio(r, "cluster0", "l2_miss_ratio", "", "",
                           "100 * lane*.l2.misses / lane*.l2.accesses");
    run_record_init(&f->record, &f->machine);
    *state = f;
    return 0;
}

static int end(void **state) {
    struct fake *f = *state;
    run_record_free(&f->record);
    counter_registry_destroy(f->machine.counters);
    free(f);
    return 0;
}

static const struct machine_code no_code; /* code without scalar instructions */

static void launch(struct fake *f, const char *kernel, uint64_t execute, uint64_t memory, uint64_t threads,
                   bool whole) {
    struct machine_launch l = {.code = &no_code,
                               .kernel = kernel,
                               .work_dim = 1,
                               .global_size = {64, 1, 1},
                               .local_size = {32, 1, 1}};
    struct machine_result r = {.cycles = execute + memory, .units = 1, .work_groups = 2, .work_items = 64};
    r.end = r.cycles * 1000;
    r.cause[MACHINE_CAUSE_EXECUTE] = execute;
    r.cause[MACHINE_CAUSE_MEMORY] = memory;
    r.host_seconds = 0.6;
    r.host_cpu_seconds = 0.5;
    f->warp += threads / 16;
    f->thread += threads;
    run_record_add(&f->record, &l, &r, whole);
}

static char *printed(const struct fake *f) {
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    report_print(&f->record, NULL, out);
    fclose(out);
    return text;
}

static void assert_line(const char *text, const char *line) {
    if (!strstr(text, line)) fail_msg("the line '%s' is not in:\n%s", line, text);
}

static void test_nothing_ran(void **state) {
    char *text = printed(*state);
    assert_string_equal(text, "");
    free(text);
}

static void test_table(void **state) {
    struct fake *f = *state;
    f->condition = 12;
    f->barriers = 3;
    f->arrivals = 80;
    f->scalar = 1500;
    f->l1i[0][0] = 2000, f->l1i[0][1] = 5;
    f->l2[0][0] = 300, f->l2[1][0] = 100, f->l2[0][1] = 30, f->l2[1][1] = 10;
    launch(f, "add", 600, 400, 1600, true);
    launch(f, "a_kernel_with_a_name", 900, 100, 3200, true);
    launch(f, "add", 1000, 0, 1600, true);
    char *text = printed(f);
    assert_line(text, "\n  cycles                                           3,000\n");
    assert_line(text, "\n  simulated time                                   3.000 us\n");
    assert_line(text, "\n  warp instructions                                  400\n");
    assert_line(text, "\n  thread instructions                              6,400\n");
    assert_line(text, "\n    whose condition failed                            12\n");
    assert_line(text,
                "\n  SIMD efficiency                                  50.00 %\n"); /* 6400 / (400 x 32) */
    assert_line(text, "\n  start-up instructions of the cores               1,500\n");
    assert_line(text, "\n  barriers opened                                      3\n");
    assert_line(text, "\n  work-items that came to barriers                    80\n");
    assert_line(text, "\n    a thousand thread instructions                 12.50\n"); /* 80 / 6.4 */
    assert_line(text, "\n  L1I accesses                                     2,000\n");
    assert_line(text, "\n  L1I misses                                           5\n");
    assert_line(text, "\n  L1I miss ratio                                    0.25 %\n");
    assert_line(text, "\n  L2 accesses                                        400\n");
    assert_line(text, "\n  L2 misses                                           40\n");
    assert_line(text, "\n  L2 miss ratio                                    10.00 %\n");
    assert_line(text, "\n  host time spent simulating                       1.800 s\n");
    assert_line(text, "\n  CPU time spent simulating                        1.500 s\n");
    assert_line(text, "\n  thread instructions per CPU second               4,266\n"); /* 6400 / 1.5 */
    assert_line(text, "\n  execute                    2,500      83.3 %  ");
    assert_line(text, "\n  memory                       500      16.7 %  ");
    assert_line(text, "\n  barrier                        0       0.0 %  ");
    assert_line(text, "\n  all                        3,000     100.0 %\n");
    assert_line(text,
                "\n  kernel                launches            cycles       share   thread instructions\n");
    assert_line(text,
                "\n  add                          2             2,000      66.7 %                 3,200\n");
    assert_line(text,
                "\n  a_kernel_with_a_name         1             1,000      33.3 %                 3,200\n");
    assert_null(strstr(text, "did not end"));
    free(text);
}

/* Four cores, 1,000 cycles: 4,000 cycles of cores; each issue in a kernel is one of its instructions. */
static void test_table_of_mimd_mode(void **state) {
    struct fake *f = *state;
    struct machine_launch l = {.code = &no_code,
                               .kernel = "add",
                               .work_dim = 1,
                               .global_size = {64, 1, 1},
                               .local_size = {32, 1, 1}};
    struct machine_result r = {.mode = MODE_MIMD, .units = 4, .cycles = 1000, .end = 1000000};
    r.cause[MACHINE_CAUSE_ISSUE] = 3000;
    r.cause[MACHINE_CAUSE_NO_GROUP] = 1000;
    r.host_seconds = 0.6;
    r.host_cpu_seconds = 0.5;
    f->scalar = 3100;
    run_record_add(&f->record, &l, &r, true);
    char *text = printed(f);
    assert_line(text, "\n  cycles                                           1,000\n");
    assert_line(text, "\n  kernel instructions of the cores                 3,000\n");
    assert_line(text, "\n  start-up instructions of the cores                 100\n");
    assert_line(text, "\n  core instructions per CPU second                 6,200\n");
    assert_line(text, "\n  cause            cycles of cores       share\n");
    assert_line(text, "\n  issue                      3,000      75.0 %  ");
    assert_line(text, "\n  no work-group              1,000      25.0 %  ");
    assert_line(text, "\n  all                        4,000     100.0 %\n");
    assert_line(text, "\n  add            1             1,000     100.0 %                 3,000\n");
    assert_null(strstr(text, "warp instructions"));
    assert_null(strstr(text, "\n  barrier "));
    free(text);
}

static void test_launch_that_did_not_end(void **state) {
    struct fake *f = *state;
    launch(f, "add", 600, 400, 1600, false);
    char *text = printed(f);
    assert_line(text, "The last launch did not end");
    assert_line(text, "\n  cycles                                           1,000\n");
    free(text);
}

static void test_launch_of_no_cycle(void **state) {
    struct fake *f = *state;
    launch(f, "add", 0, 0, 0, false);
    char *text = printed(f);
    assert_line(text, "\n  SIMD efficiency                                      -\n");
    assert_line(text, "\n  all                            0       0.0 %\n");
    free(text);
}

static void test_totals(void **state) {
    struct fake *f = *state;
    launch(f, "add", 600, 400, 1600, true);
    launch(f, "sub", 10, 7, 32, false);
    struct run_totals t = run_record_totals(&f->record);
    assert_int_equal(t.cycles, 1017);
    assert_int_equal(t.time, 1017000);
    assert_int_equal(t.work_groups, 4);
    assert_int_equal(t.work_items, 128);
    assert_int_equal(t.cause[MACHINE_CAUSE_EXECUTE], 610);
    assert_int_equal(t.cause[MACHINE_CAUSE_MEMORY], 407);
    assert_false(t.whole);
    assert_int_equal(f->record.launches[0].thread_instructions, 1600);
    assert_int_equal(f->record.launches[1].thread_instructions, 32);
    assert_int_equal(f->record.launches[1].warp_instructions, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_shares_of_thirds),
        cmocka_unit_test(test_shares_go_to_the_largest_remainder),
        cmocka_unit_test(test_shares_of_nothing),
        cmocka_unit_test(test_shares_of_huge_counts),
        cmocka_unit_test(test_random_shares_add_up),
        cmocka_unit_test_setup_teardown(test_nothing_ran, begin, end),
        cmocka_unit_test_setup_teardown(test_table, begin, end),
        cmocka_unit_test_setup_teardown(test_table_of_mimd_mode, begin, end),
        cmocka_unit_test_setup_teardown(test_launch_that_did_not_end, begin, end),
        cmocka_unit_test_setup_teardown(test_launch_of_no_cycle, begin, end),
        cmocka_unit_test_setup_teardown(test_totals, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
