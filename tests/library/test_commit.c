/* commit: designs that execute launches. Correct designs agree with the reference; each mistake is reported
 * as what it is; skips, squashes and batches; mistakes of benches; programs. */
#include "library/face.h"
#include "model/arm/coprocessor.h"
#include "model/control/exclusive_monitor.h"
#include "tests/library/commit_design.h"
#include "tests/library/kernel_image.h"
#include "tests/fixture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ITEMS = 192, GROUP = 64, UNITS = 5 };

static int compile(void **state) {
    (void)state;
    return kernel_image_make("tests/kernels/commit.cl");
}

/* --- a launch on a design --- */

struct bench {
    struct lockstep_machine *machine;
    struct lockstep_checker *checker;
    struct exclusive_monitor monitor;
    struct design design;
    uint32_t *in, *out;
    uint32_t at_in, at_out;
};

static void must(bool good) {
    if (!good) fail_msg("%s", lockstep_error());
}

static const struct lockstep_range range = {{ITEMS}, {GROUP}};

/* A launch of the kernel, not begun. */
static void prepare(struct bench *b, const char *settings, const char *kernel) {
    const double a = 2;
    *b = (struct bench){0};
    b->machine = lockstep_create(NULL, settings, kernel_image_path);
    if (!b->machine) fail_msg("%s", lockstep_error());
    b->at_in = lockstep_buffer(b->machine, ITEMS * 8, (uint8_t **)&b->in);
    b->at_out = lockstep_buffer(b->machine, ITEMS * 8, (uint8_t **)&b->out);
    for (uint32_t n = 0; n < ITEMS; ++n) b->in[n] = n * 7 % 41 + 1;
    must(lockstep_kernel(b->machine, kernel));
    if (!strcmp(kernel, "scale")) {
        for (uint32_t n = 0; n < ITEMS; ++n) ((double *)(void *)b->in)[n] = n;
        must(lockstep_pointer(b->machine, b->at_in) && lockstep_value(b->machine, &a, sizeof a));
        return;
    }
    must(lockstep_pointer(b->machine, b->at_in) && lockstep_pointer(b->machine, b->at_out));
    if (!strcmp(kernel, "sums")) must(lockstep_local(b->machine, GROUP * 4));
}

static void begin(struct bench *b, const char *settings, const char *kernel) {
    prepare(b, settings, kernel);
    b->checker = lockstep_checker_create(b->machine, &range, UNITS);
    if (!b->checker) fail_msg("%s", lockstep_error());
    exclusive_monitor_init(&b->monitor, UNITS * b->checker->threads, 64, 100);
    b->design.monitor = &b->monitor;
    b->design.context = b;
}

static void end(struct bench *b) {
    design_free(&b->design);
    lockstep_checker_destroy(b->checker);
    exclusive_monitor_free(&b->monitor);
    lockstep_destroy(b->machine);
}

static bool run(struct bench *b) {
    return design_run(&b->design, b->checker, UNITS);
}

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
}

static const char *const modes[] = {"mode=mimd", "mode=simt simt.warp_size=16",
                                    "mode=simt simt.warp_size=64"};
static const char *const kernels[] = {"sums", "collatz", "count", "scale"};

/* --- designs that are right --- */

static void right_designs_agree(void **state) {
    (void)state;
    for (size_t m = 0; m < sizeof modes / sizeof *modes; ++m)
        for (size_t k = 0; k < sizeof kernels / sizeof *kernels; ++k) {
            struct bench b;
            begin(&b, modes[m], kernels[k]);
            assert_true(lockstep_checker_running(b.checker));
            if (!run(&b)) fail_msg("%s %s: %s", modes[m], kernels[k], lockstep_error());
            assert_false(lockstep_checker_running(b.checker));
            must(lockstep_checker_end(b.checker));
            assert_int_equal(lockstep_commits(b.checker), b.design.commits);
            struct lockstep_difference d;
            assert_false(lockstep_checker_difference(b.checker, &d));
            check_results(&b, kernels[k]);
            end(&b);
        }
}

/* --- designs that are wrong --- */

/* Selects the commit to be changed: the first of this kind of instruction after a number of commits. */
enum kind { ANY, ARITHMETIC, FLAGS, LOAD, STORE, BRANCH, CONDITIONAL, GROUP_TAKEN };

struct mistake {
    const char *name, *mode, *kernel, *what;
    enum kind kind;
    void (*make)(struct design *d, struct design_commit *t);
};

static const struct mistake *mistake;
static unsigned made_thread;
static uint32_t made_pc;
static uint64_t made_after;
static bool made;

static bool is_kind(const struct arm_instruction *i, const struct design_commit *t, enum kind kind) {
    const uint64_t registers = t->told.destinations & ((UINT64_C(1) << 48) - 1);
    switch (kind) {
    case ARITHMETIC: return registers && !i->is_load && !i->is_store && !i->is_coprocessor;
    case FLAGS: return t->told.destinations >> LOCKSTEP_NZCV & 1;
    case LOAD: return i->is_load && registers && i->is_access;
    case STORE: return i->is_store && i->is_access && i->access_bytes == 4 && t->told.passed;
    case BRANCH: return i->writes_pc && !i->is_load && t->told.passed;
    case CONDITIONAL: return i->condition != 14 && t->told.passed;
    case GROUP_TAKEN: return i->is_coprocessor && i->coprocessor_operation == COPROCESSOR_NEXT_GROUP;
    default: return true;
    }
}

static void make_mistake(struct design *d, struct design_commit *t, const struct arm_instruction *i) {
    if (made || d->commits < made_after || !is_kind(i, t, mistake->kind)) return;
    made = true;
    made_pc = t->told.pc;
    made_thread = 63u - (unsigned)__builtin_clzll(t->told.passed ? t->told.passed : t->told.mask);
    mistake->make(d, t);
}

static void wrong_value(struct design *d, struct design_commit *t) {
    (void)d;
    t->values[made_thread] ^= 4;
}
static void wrong_last_value(struct design *d, struct design_commit *t) {
    t->values[(unsigned)(__builtin_popcountll(t->told.destinations) - 1) * d->threads + made_thread] ^= 1u
                                                                                                        << 31;
}
static void wrong_address(struct design *d, struct design_commit *t) {
    (void)d;
    t->addresses[made_thread] += 4;
}
static void wrong_data(struct design *d, struct design_commit *t) {
    (void)d;
    t->data[made_thread] ^= 1;
}
static void wrong_condition(struct design *d, struct design_commit *t) {
    (void)d;
    t->told.passed &= ~(UINT64_C(1) << made_thread);
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
    {"a loaded value", "mode=simt simt.warp_size=16", "sums", "r", LOAD, wrong_value},
    {"the address of a load", "mode=simt simt.warp_size=16", "sums", "the address", LOAD, wrong_address},
    {"the address of a store", "mode=mimd", "sums", "the address", STORE, wrong_address},
    {"what is stored", "mode=simt simt.warp_size=16", "collatz", "the data", STORE, wrong_data},
    {"what a core stores", "mode=mimd", "collatz", "the data", STORE, wrong_data},
    {"a condition", "mode=simt simt.warp_size=16", "collatz", "the condition", CONDITIONAL, wrong_condition},
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
    begin(b, m->mode, m->kernel);
    mistake = m;
    made = false;
    made_after = after;
    b->design.fault = make_mistake;
    const bool whole = run(b);
    assert_true(made);
    if (whole) fail_msg("%s: it is not found", m->name);
    must(lockstep_checker_difference(b->checker, &d));
    return d;
}

static void each_mistake_is_told(void **state) {
    (void)state;
    for (const struct mistake *m = mistakes; m < mistakes + sizeof mistakes / sizeof *mistakes; ++m) {
        struct bench b;
        const struct lockstep_difference d = found(&b, m,
                                                   m->make == no_group      ? 0
                                                   : m->kind == GROUP_TAKEN ? 20
                                                                            : 300);
        char *text = strdup(lockstep_error());
        if (strcmp(d.what, m->what) && !(m->what[1] == 0 && d.what[0] == 'r'))
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
        if (m->make == wrong_value) assert_int_equal(d.design ^ d.reference, 4);
        free(text);
        /* Every further commit fails, also of other units. */
        for (unsigned n = 0; n < UNITS; ++n) {
            struct lockstep_committed more = {.unit = n, .mask = 1, .kind = LOCKSTEP_SKIPPED};
            more.pc = lockstep_checker_pc(b.checker, n, 0);
            assert_false(lockstep_commit(b.checker, &more, 1));
        }
        assert_false(lockstep_checker_end(b.checker));
        end(&b);
    }
}

/* Interleaved cores whose exclusive stores always succeed lose updates. */
static void lost_updates_are_told(void **state) {
    (void)state;
    for (size_t m = 0; m < 2; ++m) {
        struct bench b;
        struct lockstep_difference d;
        begin(&b, modes[m], "count");
        b.design.monitor = NULL;
        b.design.turn = 1;
        assert_false(run(&b));
        must(lockstep_checker_difference(b.checker, &d));
        assert_says(lockstep_error(), "memory has changed since the exclusive load");
        assert_string_equal(d.what, "the exclusive store");
        end(&b);
    }
}

/* A store that is reported but not made is found at the end if no instruction loads it again. */
static void lost_stores_are_told_at_the_end(void **state) {
    (void)state;
    struct bench b;
    begin(&b, modes[0], "collatz");
    assert_true(run(&b));
    ++b.out[17];
    assert_false(lockstep_checker_end(b.checker));
    assert_says(lockstep_error(), "byte 68 of buffer 2");
    end(&b);
}

/* --- kinds of commits --- */

enum { MOST = 4000 };
static struct design_commit *kept;
static size_t kept_count;

static bool keep(struct design *d, const struct design_commit *t) {
    (void)d;
    struct design_commit *k = &kept[kept_count++];
    *k = *t;
    k->told.values = k->values;
    if (k->told.addresses) k->told.addresses = k->addresses;
    if (k->told.data) k->told.data = k->data;
    return kept_count < MOST;
}

/* Runs a core or a warp alone and records its reports. */
static void record(struct bench *b, const char *mode) {
    begin(b, mode, "collatz");
    kept = calloc(MOST, sizeof *kept);
    assert_non_null(kept);
    kept_count = 0;
    b->design.commit = keep;
    b->design.one_warp = true;
    design_run(&b->design, b->checker, 1);
    assert_true(kept_count > 100);
}

/* All commits in one call. */
static void batches(void **state) {
    (void)state;
    for (size_t m = 0; m < 2; ++m) {
        struct bench b;
        record(&b, modes[m]);
        struct lockstep_committed *all = calloc(kept_count, sizeof *all);
        for (size_t n = 0; n < kept_count; ++n) all[n] = kept[n].told;
        must(lockstep_commit(b.checker, all, kept_count));
        assert_int_equal(lockstep_commits(b.checker), kept_count);
        free(all);
        free(kept);
        end(&b);
    }
}

/* Instructions of a core are squashed by seven, if none reads a value that only the design knows. */
static void squashes(void **state) {
    (void)state;
    for (unsigned wrong = 0; wrong < 2; ++wrong) {
        struct bench b;
        record(&b, modes[0]);
        size_t n = 0;
        unsigned squashed = 0;
        bool good = true;
        while (good && n < kept_count) {
            size_t count = 0;
            while (count < 7 && n + count < kept_count &&
                   (kept[n + count].told.pc < b.checker->launch->twin ? 0 : 1))
                ++count;
            struct lockstep_committed one = kept[n + (count > 1 ? count - 1 : 0)].told;
            one.pc = kept[n].told.pc;
            uint32_t value[2];
            memcpy(value, one.values, sizeof value);
            if (count > 1) {
                one.instructions = (uint32_t)count;
                one.addresses = one.data = NULL;
                if (wrong && squashed > 50 && one.destinations) value[0] ^= 1;
                if (__builtin_popcountll(one.destinations) <= 2) one.values = value;
                ++squashed;
            }
            good = lockstep_commit(b.checker, &one, 1);
            n += count > 1 ? count : 1;
        }
        if (good == wrong) fail_msg("%s", lockstep_error());
        assert_true(squashed > 50);
        if (!wrong) assert_int_equal(lockstep_commits(b.checker), kept_count);
        free(kept);
        end(&b);
    }
}

/* A design with its own cycle counter, and one whose load sees another unit's store earlier. */
static void skips_and_loads(void **state) {
    (void)state;
    struct bench b;
    record(&b, modes[1]);
    unsigned skipped = 0, loaded = 0;
    for (size_t n = 0; n < kept_count; ++n) {
        struct lockstep_committed one = kept[n].told;
        const struct arm_instruction *i = machine_code_at(b.checker->launch->code, one.pc);
        if (i->is_store || i->writes_pc || i->is_wait || i->is_coprocessor) {
            must(lockstep_commit(b.checker, &one, 1));
            continue;
        }
        /* A taken value is used in later comparisons, so it must be correct. */
        one.kind = i->is_load ? LOCKSTEP_LOADED : LOCKSTEP_SKIPPED;
        skipped += one.kind == LOCKSTEP_SKIPPED;
        loaded += one.kind == LOCKSTEP_LOADED;
        must(lockstep_commit(b.checker, &one, 1));
    }
    assert_true(skipped > 100 && loaded > 0);
    /* A taken value is kept. */
    free(kept);
    end(&b);
}

static void taken_values_stay(void **state) {
    (void)state;
    for (unsigned kind = LOCKSTEP_EXECUTED; kind <= LOCKSTEP_SKIPPED; ++kind) {
        struct bench b;
        record(&b, modes[1]);
        bool good = true;
        for (size_t n = 0; n < kept_count && good; ++n) {
            struct lockstep_committed one = kept[n].told;
            const struct arm_instruction *i = machine_code_at(b.checker->launch->code, one.pc);
            if (!i->is_load || __builtin_popcountll(one.destinations) != 1) {
                must(lockstep_commit(b.checker, &one, 1));
                continue;
            }
            const unsigned r = (unsigned)__builtin_ctzll(one.destinations);
            one.kind = kind;
            kept[n].values[3] = 0x1234;
            good = lockstep_commit(b.checker, &one, 1);
            assert_int_equal(good, kind != LOCKSTEP_EXECUTED);
            if (good) assert_int_equal(lockstep_checker_register(b.checker, 0, 3, r), 0x1234);
            if (good) assert_int_equal(lockstep_checker_pc(b.checker, 0, 3), one.pc + 4);
            break;
        }
        free(kept);
        end(&b);
    }
}

/* --- going back --- */

/* After a mistake, the design rewinds and commits correctly: the launch ends without a difference. */
static void goes_back(void **state) {
    (void)state;
    unsigned furthest = 0;
    for (const struct mistake *m = mistakes; m < mistakes + 9; ++m)
        for (unsigned back = 1; back <= 64; back *= 4) {
            struct bench b;
            const struct lockstep_difference d = found(&b, m, 300);
            char text[8192];
            must(lockstep_checker_print(b.checker, back, text, sizeof text));
            unsigned lines = 0;
            for (const char *c = text; (c = strstr(c, "  0x0")); ++c) ++lines;
            const uint64_t before = lockstep_commits(b.checker);
            const unsigned gone = lockstep_checker_rewind(b.checker, back);
            assert_true(gone > 0 && gone <= back);
            assert_int_equal(lines, gone);
            furthest = gone > furthest ? gone : furthest;
            assert_true(lockstep_checker_running(b.checker));
            if (!design_again(&b.design, d.unit, gone))
                fail_msg("%s, by %u: %s", m->name, back, lockstep_error());
            assert_int_equal(lockstep_commits(b.checker), before + gone);
            end(&b);
        }
    assert_int_equal(furthest, 64);
}

/* --- mistakes of benches --- */

#define REFUSED(call, part)                                                                                  \
    do {                                                                                                     \
        assert_false(call);                                                                                  \
        assert_says(lockstep_error(), part);                                                                 \
    } while (0)

static void mistakes_of_benches_are_errors(void **state) {
    (void)state;
    struct bench b;
    uint32_t group[3] = {0}, value[64] = {0};
    prepare(&b, modes[1], "collatz");
    REFUSED(lockstep_buffer_of(b.machine, NULL, 4), "NULL");
    REFUSED(lockstep_buffer_of(b.machine, (uint8_t *)value, 0), "no room");
    REFUSED(lockstep_checker_create(NULL, &range, 1), "NULL");
    REFUSED(lockstep_checker_create(b.machine, &range, 0), "1 to 256");
    REFUSED(lockstep_checker_create(b.machine, &range, 257), "1 to 256");
    REFUSED(lockstep_checker_create(b.machine, NULL, 1), "no program waits");
    REFUSED(lockstep_checker_create(b.machine, &(struct lockstep_range){{10}, {3}}, 1), "no multiple");
    REFUSED(lockstep_checker_create(b.machine, &(struct lockstep_range){{1u << 31, 2}, {64}}, 1),
            "at most 4294967295 work-items");
    REFUSED(lockstep_program(b.machine, (char *[]){"true", NULL}), "has an image");
    REFUSED(lockstep_program_launch(b.machine), "no program");
    REFUSED(lockstep_program_end(b.machine, NULL), "no program");
    b.checker = lockstep_checker_create(b.machine, &range, 2);
    if (!b.checker) fail_msg("%s", lockstep_error());
    REFUSED(lockstep_checker_create(b.machine, &range, 2), "executes a launch");
    REFUSED(lockstep_run(b.machine, &range), "executes a launch");
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
    must(lockstep_run(b.machine, &range)); /* the machine can still run launches */
    lockstep_destroy(b.machine);

    prepare(&b, "mode=auto", "collatz");
    REFUSED(lockstep_checker_create(b.machine, &range, 1), "mode=auto");
    lockstep_destroy(b.machine);
}

/* --- DPI --- */

void *checker_dpi_create(void *machine, uint32_t work_items, uint32_t work_group, uint32_t units);
void checker_dpi_destroy(void *handle);
unsigned char checker_dpi_running(void *handle);
unsigned char checker_dpi_end(void *handle);
unsigned char checker_dpi_start(void *handle, uint32_t unit, uint32_t group_x, uint32_t group_y,
                                uint32_t group_z, uint32_t first_item);
uint32_t checker_dpi_pc(void *handle, uint32_t unit, uint32_t thread);
uint32_t checker_dpi_register(void *handle, uint32_t unit, uint32_t thread, uint32_t number);
uint32_t checker_dpi_read(void *handle, uint32_t unit, uint32_t address, uint32_t size_bytes);
void checker_dpi_write(void *handle, uint32_t unit, uint32_t address, uint32_t size_bytes, uint32_t data);
void checker_dpi_value(void *handle, uint32_t unit, uint32_t number, const uint32_t *words);
void checker_dpi_address(void *handle, uint32_t unit, const uint32_t *words);
void checker_dpi_data(void *handle, uint32_t unit, const uint32_t *words);
unsigned char checker_dpi_commit(void *handle, uint32_t unit, uint32_t pc, uint64_t mask, uint64_t passed,
                                 uint32_t kind, uint32_t instructions);
uint64_t checker_dpi_commits(void *handle);
uint32_t checker_dpi_unit(void *handle);
uint32_t checker_dpi_rewind(void *handle, uint32_t instructions);

/* Reports a warp's commits by the functions that benches in SystemVerilog call. */
static bool tell_by_dpi(void *handle, const struct design_commit *k, unsigned threads, unsigned bytes) {
    const uint32_t *row = k->values;
    uint32_t words[64] = {0};
    for (uint64_t rest = k->told.destinations; rest; rest &= rest - 1, row += threads) {
        memcpy(words, row, threads * sizeof *row);
        checker_dpi_value(handle, 0, (uint32_t)__builtin_ctzll(rest), words);
    }
    if (k->told.addresses) checker_dpi_address(handle, 0, k->addresses);
    for (unsigned n = 0; k->told.data && n < (bytes + 3) / 4; ++n)
        checker_dpi_data(handle, 0, &k->data[n * threads]);
    return checker_dpi_commit(handle, 0, k->told.pc, k->told.mask, k->told.passed, 0, 1);
}

static void warps_by_dpi(void **state) {
    (void)state;
    struct bench b;
    record(&b, modes[1]);
    const struct machine_code *code = b.checker->launch->code;
    lockstep_checker_destroy(b.checker);
    b.checker = NULL;
    assert_null(checker_dpi_create(b.machine, ITEMS, GROUP, 0));
    void *handle = checker_dpi_create(b.machine, ITEMS, GROUP, 2);
    assert_non_null(handle);
    assert_true(checker_dpi_start(handle, 0, 0, 0, 0, 0));
    assert_int_equal(checker_dpi_pc(handle, 1, 0), 1);
    assert_int_equal(checker_dpi_pc(handle, 0, 0), kept[0].told.pc);
    assert_int_equal(checker_dpi_register(handle, 0, 15, 0), checker_dpi_register(handle, 0, 0, 0));
    checker_dpi_write(handle, 0, b.at_out + 4 * ITEMS, 2, 0x12345678);
    assert_int_equal(checker_dpi_read(handle, 0, b.at_out + 4 * ITEMS, 4), 0x5678);
    assert_int_equal(checker_dpi_read(handle, 0, b.at_out, 3), 0);
    size_t wrong = 50;
    while (!kept[wrong].told.destinations || !kept[wrong].told.passed) ++wrong;
    for (size_t n = 0; n < kept_count; ++n) {
        const unsigned bytes = machine_code_at(code, kept[n].told.pc)->access_bytes;
        struct design_commit bad = kept[n];
        bad.values[__builtin_ctzll(bad.told.passed | 1u << 15)] ^= 1;
        if (n == wrong) {
            assert_false(tell_by_dpi(handle, &bad, 16, bytes));
            assert_int_equal(checker_dpi_unit(handle), 0);
            assert_int_equal(checker_dpi_rewind(handle, 1), 1);
        }
        assert_true(tell_by_dpi(handle, &kept[n], 16, bytes));
        assert_int_equal(checker_dpi_commits(handle), n + 1);
    }
    assert_true(checker_dpi_running(handle));
    assert_false(checker_dpi_end(handle));
    assert_false(checker_dpi_commit(handle, 2, 0, 1, 1, 0, 1));
    checker_dpi_destroy(handle);
    checker_dpi_destroy(NULL);
    free(kept);
    end(&b);
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
        if (!run(b) || !lockstep_checker_end(b->checker)) fail_msg("%s", lockstep_error());
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
        must(run_program(&b, modes[m], (char *[]){program, NULL}, &launches, &status));
        assert_int_equal(status, 0);
        assert_true(launches > 0);
        must(run_program(&b, modes[m], (char *[]){"sh", "-c", "exit 7", NULL}, &launches, &status));
        assert_int_equal(status, 7);
        assert_int_equal(launches, 0);
        assert_false(run_program(&b, modes[m], (char *[]){"/no/such/program", NULL}, &launches, &status));
        assert_says(lockstep_error(), "/no/such/program");
    }
    /* A launch that is not executed, or only in part, fails. */
    for (unsigned begins = 0; begins < 2; ++begins) {
        struct lockstep_machine *m = lockstep_create(NULL, modes[0], "");
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
        cmocka_unit_test(batches),
        cmocka_unit_test(squashes),
        cmocka_unit_test(skips_and_loads),
        cmocka_unit_test(taken_values_stay),
        cmocka_unit_test(goes_back),
        cmocka_unit_test(mistakes_of_benches_are_errors),
        cmocka_unit_test(warps_by_dpi),
        TEST(programs_run_on_a_design),
    };
    return cmocka_run_group_tests(tests, compile, kernel_image_remove);
}
