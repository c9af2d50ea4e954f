/* commit: designs that execute launches. Correct designs agree with the reference; each mistake is reported
 * as what it is; rewinds; mistakes of benches; programs. */
#include "tests/library/commit_bench.h"
#include "tests/library/kernel_image.h"

#include <math.h>
#include <string.h>

static void check_results(const struct bench *b, const char *kernel) {
    uint32_t bins[5] = {0};
    for (uint32_t g = 0; g < ITEMS / GROUP && !strcmp(kernel, "sums"); ++g) {
        uint32_t sum = 0;
        for (uint32_t n = 0; n < GROUP; ++n) sum += b->in[g * GROUP + n];
        assert_int_equal(b->out[g], sum);
    }
    for (uint32_t n = 0; n < ITEMS && !strcmp(kernel, "scale"); ++n)
        assert_true(((double *)(void *)b->in)[n] == sqrt(n * 2.0) / 3 + (uint8_t)n);
    for (uint32_t n = 0; n < ITEMS; ++n) {
        bins[b->in[n] & 3]++;
        if (bins[4] < b->in[n]) bins[4] = b->in[n];
    }
    if (!strcmp(kernel, "count")) assert_memory_equal(b->out, bins, sizeof bins);
    for (uint32_t n = 0; n < ITEMS && !strcmp(kernel, "parts"); ++n) {
        assert_int_equal(((uint8_t *)b->out)[n], (uint8_t)~b->in[n]);
        assert_int_equal(((uint16_t *)(void *)b->out)[256 + n], (uint16_t)(~b->in[n] >> 3));
    }
    for (uint32_t n = 1; n < ITEMS / 2 && !strcmp(kernel, "same"); ++n)
        assert_true(b->out[n] == b->in[2 * n] || b->out[n] == b->in[2 * n + 1]);
}

static const char *const kernels[] = {"sums", "collatz", "count", "scale", "parts", "same"};

/* --- designs that are right --- */

static void right_designs_agree(void **state) {
    (void)state;
    for (size_t m = 0; m < sizeof bench_modes / sizeof *bench_modes; ++m)
        for (size_t k = 0; k < sizeof kernels / sizeof *kernels; ++k) {
            struct bench b;
            bench_begin(&b, bench_modes[m], kernels[k]);
            assert_true(lockstep_checker_running(b.checker));
            if (!bench_run(&b)) fail_msg("%s %s: %s", bench_modes[m], kernels[k], lockstep_error());
            assert_false(lockstep_checker_running(b.checker));
            must(lockstep_checker_end(b.checker));
            assert_int_equal(lockstep_commits(b.checker), b.design.commits);
            struct lockstep_difference d;
            assert_false(lockstep_checker_difference(b.checker, &d));
            check_results(&b, kernels[k]);
            bench_end(&b);
        }
}

/* --- designs that are wrong --- */

struct mistake {
    const char *name, *mode, *kernel, *what;
    enum kind kind;
    void (*make)(struct design *d, struct design_commit *t);
};

static const struct mistake *mistake;
static unsigned made_thread;
static uint32_t made_pc, made_words, made_value;
static uint64_t made_after;
static bool made;

/* Returns a thread outside the mask that has not ended, or the number of threads. */
static unsigned elsewhere(const struct design *d, const struct design_commit *t) {
    unsigned k = 0;
    while (k < d->threads && (t->told.mask >> k & 1 || lockstep_checker_pc(d->checker, t->told.unit, k) == 1))
        ++k;
    return k;
}

static void make_mistake(struct design *d, struct design_commit *t, const struct arm_instruction *i) {
    if (made || d->commits < made_after || !bench_is_kind(i, t, mistake->kind)) return;
    if (mistake->kind == PARTED && elsewhere(d, t) == d->threads) return;
    made = true;
    made_pc = t->told.pc;
    made_words = (i->access_bytes + 3u) / 4;
    made_thread = 63u - (unsigned)__builtin_clzll(t->told.passed ? t->told.passed : t->told.mask);
    mistake->make(d, t);
}

static void wrong_value(struct design *d, struct design_commit *t) {
    (void)d;
    made_value = t->values[made_thread] ^= 4;
}
static void wrong_last_value(struct design *d, struct design_commit *t) {
    t->values[(unsigned)(__builtin_popcountll(t->told.destinations) - 1) * d->threads + made_thread] ^= 1u
                                                                                                        << 31;
}
static void wrong_address(struct design *d, struct design_commit *t) {
    (void)d;
    t->addresses[made_thread] += 4;
}
/* The design really stores there. */
static uint32_t stray, stray_before;
static void store_astray(struct design *d, struct design_commit *t) {
    t->addresses[made_thread] += 4;
    stray = t->addresses[made_thread];
    uint8_t *at = lockstep_checker_memory(d->checker, t->told.unit, stray, 4);
    assert_non_null(at);
    memcpy(&stray_before, at, 4);
    memset(at, 0x77, 4);
}
static void wrong_data(struct design *d, struct design_commit *t) {
    (void)d;
    t->data[made_thread] ^= 1;
}
static void wrong_data_of_the_first(struct design *d, struct design_commit *t) {
    (void)d;
    made_thread = (unsigned)__builtin_ctzll(t->told.passed);
    t->data[made_thread] ^= 1;
}
static void wrong_high_byte(struct design *d, struct design_commit *t) {
    (void)d;
    t->data[made_thread] ^= 1u << 15;
}
static void wrong_last_word(struct design *d, struct design_commit *t) {
    t->data[(made_words - 1) * d->threads + made_thread] ^= 1;
}
static void wrong_condition(struct design *d, struct design_commit *t) {
    (void)d;
    t->told.passed &= ~(UINT64_C(1) << made_thread);
}
static void one_passes_more(struct design *d, struct design_commit *t) {
    (void)d;
    made_thread = (unsigned)__builtin_ctzll(t->told.mask & ~t->told.passed);
    t->told.passed |= UINT64_C(1) << made_thread;
}
static void one_thread_more(struct design *d, struct design_commit *t) {
    made_thread = elsewhere(d, t);
    t->told.mask |= UINT64_C(1) << made_thread;
}
static void no_destination(struct design *d, struct design_commit *t) {
    (void)d;
    t->told.destinations = 0;
}
static void one_destination_more(struct design *d, struct design_commit *t) {
    (void)d;
    t->told.destinations |= t->told.destinations >> 14 & 1 ? 1u << 12 : 1u << 14;
}
static void wrong_pc(struct design *d, struct design_commit *t) {
    (void)d;
    t->told.pc += 4;
}
static void group_again(struct design *d, struct design_commit *t) {
    (void)d;
    t->values[0] = 0;
}
static void group_too_far(struct design *d, struct design_commit *t) {
    (void)d;
    t->values[0] = ITEMS / GROUP;
}
static void no_group(struct design *d, struct design_commit *t) {
    (void)d;
    t->values[0] = UINT32_MAX;
}

static const struct mistake mistakes[] = {
    {"a value of a core", "mode=mimd", "collatz", "r", ARITHMETIC, wrong_value},
    {"a value of a thread", "mode=simt simt.warp_size=16", "collatz", "r", ARITHMETIC, wrong_value},
    {"a value of thread 63", "mode=simt simt.warp_size=64", "collatz", "r", ARITHMETIC, wrong_value},
    {"a flag", "mode=simt simt.warp_size=16", "collatz", "the flags", FLAGS, wrong_last_value},
    {"a flag of FPSCR", "mode=simt simt.warp_size=16", "parts", "FPSCR", FPSCR, wrong_last_value},
    {"a VFP register", "mode=simt simt.warp_size=16", "scale", "s", VFP, wrong_last_value},
    {"the second of two registers", "mode=mimd", "collatz", "r", SEVERAL, wrong_last_value},
    {"a loaded value", "mode=simt simt.warp_size=16", "sums", "r", LOAD, wrong_value},
    {"the address of a load", "mode=simt simt.warp_size=16", "sums", "the address", LOAD, wrong_address},
    {"the address of a store", "mode=mimd", "sums", "the address", STORE, wrong_address},
    {"what is stored", "mode=simt simt.warp_size=16", "collatz", "the data", STORE, wrong_data},
    {"what a core stores", "mode=mimd", "collatz", "the data", STORE, wrong_data},
    {"a store elsewhere", "mode=mimd", "collatz", "the address", STORE, store_astray},
    {"what the first thread stores", "mode=simt simt.warp_size=16", "collatz", "the data", STORE,
     wrong_data_of_the_first},
    {"what the last thread stores to a place of several", "mode=simt simt.warp_size=16", "same", "the data",
     STORE, wrong_data},
    {"the high byte of a halfword", "mode=simt simt.warp_size=16", "parts", "the data", STORE_HALF,
     wrong_high_byte},
    {"the last word of a store", "mode=simt simt.warp_size=16", "parts", "the data", STORE_SEVERAL,
     wrong_last_word},
    {"a condition", "mode=simt simt.warp_size=16", "collatz", "the condition", CONDITIONAL, wrong_condition},
    {"a condition that does not hold", "mode=simt simt.warp_size=16", "collatz", "the condition", NOT_PASSED,
     one_passes_more},
    {"a thread of the mask that is elsewhere", "mode=simt simt.warp_size=16", "collatz", "the PC", PARTED,
     one_thread_more},
    {"a VFP register that is not written", "mode=mimd", "scale", "a destination", VFP, no_destination},
    {"a register that is not written", "mode=mimd", "collatz", "a destination", ARITHMETIC, no_destination},
    {"a register that is written too", "mode=mimd", "collatz", "a destination", ARITHMETIC,
     one_destination_more},
    {"a PC", "mode=mimd", "collatz", "the PC", ANY, wrong_pc},
    {"a PC of a warp", "mode=simt simt.warp_size=16", "collatz", "the PC", ANY, wrong_pc},
    {"a work-group once more", "mode=mimd", "collatz", "the work-group", GROUP_TAKEN, group_again},
    {"a work-group that there is not", "mode=mimd", "collatz", "the work-group", GROUP_TAKEN, group_too_far},
    {"a work-group that is left out", "mode=mimd", "collatz", "the work-group", GROUP_TAKEN, no_group},
};

/* Runs a design with mistake `m` after `after` commits. Returns the difference that the checker finds. */
static struct lockstep_difference found(struct bench *b, const struct mistake *m, uint64_t after) {
    struct lockstep_difference d = {0};
    bench_begin(b, m->mode, m->kernel);
    mistake = m;
    made = false;
    made_after = after;
    b->design.fault = make_mistake;
    const bool whole = bench_run(b);
    if (!made) fail_msg("%s: no such commit", m->name);
    if (whole) fail_msg("%s: it is not found", m->name);
    must(lockstep_checker_difference(b->checker, &d));
    return d;
}

static void each_mistake_is_told(void **state) {
    (void)state;
    for (const struct mistake *m = mistakes; m < mistakes + sizeof mistakes / sizeof *mistakes; ++m) {
        struct bench b;
        const bool is_short = strcmp(m->kernel, "collatz") && strcmp(m->kernel, "sums");
        const struct lockstep_difference d = found(&b, m,
                                                   m->make == no_group      ? 0
                                                   : m->kind == GROUP_TAKEN ? 20
                                                   : is_short               ? 40
                                                                            : 300);
        char *text = strdup(lockstep_error());
        if (strcmp(d.what, m->what) && !(m->what[1] == 0 && d.what[0] == m->what[0]))
            fail_msg("%s: told as '%s': %s", m->name, d.what, text);
        assert_string_equal(d.kernel, m->kernel);
        if (d.pc != made_pc + (m->make == wrong_pc ? 4 : 0)) fail_msg("%s: %s", m->name, text);
        if (m->kind != ANY && m->kind != GROUP_TAKEN) {
            if (d.thread != made_thread) fail_msg("%s: thread %u: %s", m->name, made_thread, text);
            assert_true(d.line > 0 && strstr(d.file, "commit.cl"));
            assert_says(text, "commit.cl:");
        }
        assert_says(text, m->kernel);
        assert_says(text, strstr(m->mode, "mimd") ? "core " : "work-item (");
        if (m->make == wrong_value) {
            assert_int_equal(d.design, made_value);
            assert_int_equal(d.reference, made_value ^ 4);
        }
        free(text);
        /* Every further commit fails, also of other units. */
        for (unsigned n = 0; n < UNITS; ++n) {
            struct lockstep_committed more = {.unit = n, .mask = 1, .kind = LOCKSTEP_SKIPPED};
            more.pc = lockstep_checker_pc(b.checker, n, 0);
            assert_false(lockstep_commit(b.checker, &more, 1));
        }
        assert_false(lockstep_checker_end(b.checker));
        bench_end(&b);
    }
}

/* Interleaved cores whose exclusive stores always succeed lose updates. */
static void lost_updates_are_told(void **state) {
    (void)state;
    for (size_t m = 0; m < 2; ++m) {
        struct bench b;
        struct lockstep_difference d;
        bench_begin(&b, bench_modes[m], "count");
        b.design.monitor = NULL;
        b.design.turn = 1;
        assert_false(bench_run(&b));
        must(lockstep_checker_difference(b.checker, &d));
        assert_says(lockstep_error(), "memory has changed since the exclusive load");
        assert_string_equal(d.what, "the exclusive store");
        bench_end(&b);
    }
}

/* A store that is reported but not made is found at the end if no instruction loads it again. */
static void lost_stores_are_told_at_the_end(void **state) {
    (void)state;
    static const char *const told[] = {"byte 68 of buffer 2", "byte 0 of buffer 1", "of buffer 2"};
    for (size_t n = 0; n < sizeof told / sizeof *told; ++n) {
        struct bench b;
        bench_begin(&b, bench_modes[0], "collatz");
        REFUSED(lockstep_checker_end(b.checker), "192 work-items have not ended");
        assert_true(bench_run(&b));
        uint8_t *const lost[] = {(uint8_t *)&b.out[17], (uint8_t *)b.in, (uint8_t *)b.out + OUT_BYTES - 1};
        ++*lost[n];
        REFUSED(lockstep_checker_end(b.checker), told[n]);
        bench_end(&b);
    }
}

/* A core that has reached WFI, and a warp that has not begun. */
static void ended_threads_commit_nothing(void **state) {
    (void)state;
    for (unsigned n = 0; n < 2; ++n) {
        struct bench b;
        struct lockstep_committed one = {.unit = 1, .mask = 1};
        bench_begin(&b, bench_modes[n], "collatz");
        if (n == 0) assert_true(bench_run(&b));
        one.pc = commit_row(&b.checker->unit[1], ROW_PC)[0];
        REFUSED(lockstep_commit(b.checker, &one, 1), "the thread has ended, or has not begun");
        bench_end(&b);
    }
}

/* --- going back --- */

/* After a mistake, the design rewinds and commits correctly: the launch ends without a difference. */
static void goes_back(void **state) {
    (void)state;
    unsigned furthest = 0;
    for (const struct mistake *m = mistakes; m->kind != GROUP_TAKEN; ++m)
        for (unsigned back = 1; back <= 64; back *= 4) {
            struct bench b;
            const struct lockstep_difference d = found(&b, m, 60);
            char text[8192];
            must(lockstep_checker_print(b.checker, back, text, sizeof text));
            unsigned lines = 0;
            for (const char *c = text; (c = strstr(c, "  0x0")); ++c) ++lines;
            const uint64_t before = lockstep_commits(b.checker);
            const unsigned gone = lockstep_checker_rewind(b.checker, back);
            assert_true(gone > 0 && gone <= back);
            assert_int_equal(lines, gone);
            if (m->make == store_astray) {
                assert_true(lockstep_checker_memory(b.checker, d.unit, stray, 4) != NULL);
                assert_memory_equal(lockstep_checker_memory(b.checker, d.unit, stray, 4), &stray_before, 4);
            }
            furthest = gone > furthest ? gone : furthest;
            assert_true(lockstep_checker_running(b.checker));
            if (!design_again(&b.design, d.unit, gone))
                fail_msg("%s, by %u: %s", m->name, back, lockstep_error());
            assert_int_equal(lockstep_commits(b.checker), before + gone);
            if (b.design.mimd) {
                b.design.fault = NULL;
                if (!design_go_on(&b.design)) fail_msg("%s, by %u: %s", m->name, back, lockstep_error());
                must(lockstep_checker_end(b.checker));
                check_results(&b, m->kernel);
            }
            bench_end(&b);
        }
    assert_int_equal(furthest, 64);
}

/* --- mistakes of benches --- */

static void mistakes_of_benches_are_errors(void **state) {
    (void)state;
    struct bench b;
    uint32_t group[3] = {0}, value[64] = {0};
    bench_prepare(&b, bench_modes[1], "collatz");
    REFUSED(lockstep_buffer_of(b.machine, NULL, 4), "NULL");
    REFUSED(lockstep_buffer_of(b.machine, (uint8_t *)value, 0), "no room");
    REFUSED(lockstep_checker_create(NULL, &bench_range, 1), "NULL");
    REFUSED(lockstep_checker_create(b.machine, &bench_range, 0), "1 to 256");
    REFUSED(lockstep_checker_create(b.machine, &bench_range, 257), "1 to 256");
    REFUSED(lockstep_checker_create(b.machine, NULL, 1), "no program waits");
    REFUSED(lockstep_checker_create(b.machine, &(struct lockstep_range){{10}, {3}}, 1), "no multiple");
    REFUSED(lockstep_checker_create(b.machine, &(struct lockstep_range){{1u << 31, 2}, {64}}, 1),
            "at most 4294967295 work-items");
    REFUSED(lockstep_program(b.machine, (char *[]){"true", NULL}), "has an image");
    REFUSED(lockstep_program_launch(b.machine), "no program");
    REFUSED(lockstep_program_end(b.machine, NULL), "no program");
    b.checker = lockstep_checker_create(b.machine, &bench_range, 2);
    if (!b.checker) fail_msg("%s", lockstep_error());
    REFUSED(lockstep_checker_create(b.machine, &bench_range, 2), "executes a launch");
    REFUSED(lockstep_run(b.machine, &bench_range), "executes a launch");
    REFUSED(lockstep_kernel(b.machine, "count"), "executes a launch");
    REFUSED(lockstep_buffer(b.machine, 4, NULL), "executes a launch");
    REFUSED(lockstep_commit(b.checker, NULL, 1), "the commits are NULL");
    REFUSED(lockstep_checker_start(b.checker, 0, NULL, 0), "the work-group is NULL");
    REFUSED(lockstep_checker_end(b.checker), "192 work-items have not ended");
    REFUSED(lockstep_checker_start(b.checker, 2, group, 0), "no warp 2");
    REFUSED(lockstep_checker_start(b.checker, 0, (uint32_t[]){3, 0, 0}, 0), "no work-group (3,0,0)");
    REFUSED(lockstep_checker_start(b.checker, 0, group, 64), "no number 64");
    must(lockstep_checker_start(b.checker, 0, group, 0));
    REFUSED(lockstep_checker_start(b.checker, 0, group, 16), "have not ended");
    REFUSED(lockstep_checker_start(b.checker, 1, group, 0), "started before");
    REFUSED(lockstep_checker_memory(b.checker, 0, 0x50, 4), "nothing is at");
    REFUSED(lockstep_checker_register(b.checker, 0, 16, 0), "no thread 16");
    REFUSED(lockstep_checker_register(b.checker, 0, 0, 15), "no register 15");
    REFUSED(lockstep_checker_coprocessor(b.checker, 0, 0, 0xe1a00000), "no MRC");
    REFUSED(lockstep_checker_rewind(b.checker, 1), "nothing differs");
    REFUSED(lockstep_checker_print(b.checker, 1, (char *)value, sizeof value), "nothing differs");
    const struct lockstep_committed wrong[] = {
        {.unit = 2, .mask = 1},
        {.mask = 0},
        {.mask = 1u << 16},
        {.mask = 1, .passed = 2},
        {.mask = 1, .destinations = 1u << 15, .values = value},
        {.mask = 1, .destinations = 1},
        {.mask = 1, .kind = 3},
    };
    static const char *const why[] = {"no unit 2",  "do not fit 16 threads", "do not fit 16 threads",
                                      "do not fit", "no register",           "no values",
                                      "no kind 3"};
    for (size_t n = 0; n < sizeof wrong / sizeof *wrong; ++n)
        REFUSED(lockstep_commit(b.checker, &wrong[n], 1), why[n]);
    REFUSED(lockstep_commit(NULL, wrong, 1), "NULL");
    lockstep_checker_destroy(b.checker);
    lockstep_checker_destroy(NULL);
    must(lockstep_run(b.machine, &bench_range)); /* the machine can still run launches */
    lockstep_destroy(b.machine);

    bench_prepare(&b, "mode=auto", "collatz");
    REFUSED(lockstep_checker_create(b.machine, &bench_range, 1), "mode=auto");
    lockstep_destroy(b.machine);
}

/* --- programs --- */

static bool run_program(struct bench *b, const char *mode, char *const argv[], unsigned *launches,
                        int *status) {
    *b = (struct bench){.machine = lockstep_create(NULL, mode, NULL)};
    if (!b->machine) fail_msg("%s", lockstep_error());
    must(lockstep_program(b->machine, argv));
    for (*launches = 0; lockstep_program_launch(b->machine); ++*launches) {
        b->checker = lockstep_checker_create(b->machine, NULL, UNITS);
        if (!b->checker) fail_msg("%s", lockstep_error());
        exclusive_monitor_init(&b->monitor, UNITS * b->checker->threads, 64, 100);
        b->design.monitor = &b->monitor;
        if (!bench_run(b) || !lockstep_checker_end(b->checker)) fail_msg("%s", lockstep_error());
        design_free(&b->design);
        lockstep_checker_destroy(b->checker);
        exclusive_monitor_free(&b->monitor);
    }
    const bool good = lockstep_program_end(b->machine, status);
    lockstep_destroy(b->machine);
    return good;
}

static void programs_run_on_a_design(void **state) {
    (void)state;
    char *program = fixture_host("vector_add");
    for (size_t m = 0; m < 2; ++m) {
        struct bench b;
        unsigned launches;
        int status;
        must(run_program(&b, bench_modes[m], (char *[]){program, NULL}, &launches, &status));
        assert_int_equal(status, 0);
        assert_true(launches > 0);
        must(run_program(&b, bench_modes[m], (char *[]){"sh", "-c", "exit 7", NULL}, &launches, &status));
        assert_int_equal(status, 7);
        assert_int_equal(launches, 0);
        assert_false(
            run_program(&b, bench_modes[m], (char *[]){"/no/such/program", NULL}, &launches, &status));
        assert_says(lockstep_error(), "/no/such/program");
    }
    /* A launch that is not executed, or only in part, fails. */
    for (unsigned begins = 0; begins < 2; ++begins) {
        struct lockstep_machine *m = lockstep_create(NULL, bench_modes[0], "");
        int status;
        must(lockstep_program(m, (char *[]){program, NULL}));
        REFUSED(lockstep_program(m, (char *[]){program, NULL}), "a program runs");
        must(lockstep_program_launch(m));
        struct lockstep_checker *c = begins ? lockstep_checker_create(m, NULL, 1) : NULL;
        lockstep_checker_destroy(c);
        REFUSED(lockstep_program_end(m, &status), "the design has not executed it");
        lockstep_destroy(m);
    }
    free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_designs_agree),
        cmocka_unit_test(each_mistake_is_told),
        cmocka_unit_test(lost_updates_are_told),
        cmocka_unit_test(lost_stores_are_told_at_the_end),
        cmocka_unit_test(ended_threads_commit_nothing),
        cmocka_unit_test(goes_back),
        cmocka_unit_test(mistakes_of_benches_are_errors),
        TEST(programs_run_on_a_design),
    };
    return cmocka_run_group_tests(tests, bench_compile, kernel_image_remove);
}
