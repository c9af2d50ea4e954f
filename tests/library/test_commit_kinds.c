/* commit: kinds of commits, batches, squashes, exclusive stores, what a rewind restores, and DPI. */
#include "model/arm/coprocessor.h"
#include "tests/library/commit_bench.h"
#include "tests/library/kernel_image.h"

#include <stdlib.h>
#include <string.h>

/* --- kinds of commits --- */

/* All commits in one call. */
static void batches(void **state) {
    (void)state;
    for (size_t m = 0; m < 2; ++m) {
        struct bench b;
        bench_record(&b, bench_modes[m]);
        struct lockstep_committed *all = calloc(kept_count, sizeof *all);
        for (size_t n = 0; n < kept_count; ++n) all[n] = kept[n].told;
        must(lockstep_commit(b.checker, all, kept_count));
        assert_int_equal(lockstep_commits(b.checker), kept_count);
        free(kept);
        bench_end(&b);
        /* One of them differs: those before it have been committed. */
        bench_record(&b, bench_modes[m]);
        size_t wrong = 90;
        struct lockstep_difference d;
        while (!kept[wrong].told.destinations) ++wrong;
        kept[wrong].values[__builtin_ctzll(kept[wrong].told.passed)] ^= 1;
        for (size_t n = 0; n < kept_count; ++n) all[n] = kept[n].told;
        assert_false(lockstep_commit(b.checker, all, kept_count));
        must(lockstep_checker_difference(b.checker, &d));
        assert_int_equal(d.pc, all[wrong].pc);
        assert_int_equal(lockstep_commits(b.checker), wrong);
        free(all);
        free(kept);
        bench_end(&b);
    }
}

/* Instructions of a core are squashed by seven, if none reads a value that only the design knows. */
static void squashes(void **state) {
    (void)state;
    for (unsigned wrong = 0; wrong < 2; ++wrong) {
        struct bench b;
        bench_record(&b, bench_modes[0]);
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
        bench_end(&b);
    }
}

/* Returns the first of the kept instructions that branches for some threads, or asks for a work-group. */
static size_t first_kept(const struct bench *b, bool parts) {
    for (size_t n = 0; n < kept_count; ++n) {
        const struct arm_instruction *i = machine_code_at(b->checker->launch->code, kept[n].told.pc);
        const bool some = kept[n].told.passed && kept[n].told.passed != kept[n].told.mask;
        if (parts ? i->writes_pc && some : bench_is_kind(i, &kept[n], GROUP_TAKEN)) return n;
    }
    fail_msg("there is no such instruction");
    return 0;
}

static void squashes_have_limits(void **state) {
    (void)state;
    static const char *const why[] = {"reads what only the design knows: it cannot be squashed",
                                      "the threads of the mask part after the instruction"};
    for (unsigned m = 0; m < 2; ++m) {
        struct bench b;
        bench_record(&b, bench_modes[m]);
        const size_t n = first_kept(&b, m == 1);
        for (size_t k = 0; k < n; ++k) must(lockstep_commit(b.checker, &kept[k].told, 1));
        struct lockstep_committed two = {.pc = kept[n].told.pc, .mask = kept[n].told.mask, .instructions = 2};
        REFUSED(lockstep_commit(b.checker, &two, 1), why[m]);
        free(kept);
        bench_end(&b);
    }
}

/* A design with its own cycle counter, and one whose load sees another unit's store earlier. */
static void skips_and_loads(void **state) {
    (void)state;
    struct bench b;
    bench_record(&b, bench_modes[1]);
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
    bench_end(&b);
}

static void taken_values_stay(void **state) {
    (void)state;
    for (unsigned kind = LOCKSTEP_EXECUTED; kind <= LOCKSTEP_SKIPPED; ++kind) {
        struct bench b;
        bench_record(&b, bench_modes[1]);
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
        bench_end(&b);
    }
}

/* Returns whether the unit's registers, flags and FPSCR are those kept in `before`, after keeping them if
 * `keeps`. */
static bool registers_are(const struct bench *b, bool keeps, uint32_t before[16][50]) {
    bool same = true;
    for (unsigned k = 0; k < 16; ++k)
        for (unsigned r = 0; r < 50; ++r) {
            const uint32_t is = r == 15 ? 0 : lockstep_checker_register(b->checker, 0, k, r);
            if (keeps) before[k][r] = is;
            same &= before[k][r] == is;
        }
    return same;
}

static void a_skipped_instruction_is_not_executed(void **state) {
    (void)state;
    static uint32_t before[16][50];
    for (unsigned kind = LOCKSTEP_EXECUTED; kind <= LOCKSTEP_SKIPPED; kind += LOCKSTEP_SKIPPED) {
        struct bench b;
        bench_record(&b, bench_modes[1]);
        size_t n = 0;
        bool changes = false;
        for (; !changes; ++n) {
            struct lockstep_committed one = kept[n].told;
            const bool last = n > 20 && bench_is_kind(machine_code_at(b.checker->launch->code, one.pc),
                                                      &kept[n], ARITHMETIC);
            registers_are(&b, true, before);
            if (last && kind == LOCKSTEP_SKIPPED) one.kind = kind, one.destinations = 0;
            must(lockstep_commit(b.checker, &one, 1));
            if (last && kind == LOCKSTEP_SKIPPED) break;
            changes = last && !registers_are(&b, false, before);
        }
        assert_int_equal(registers_are(&b, false, before), kind == LOCKSTEP_SKIPPED);
        free(kept);
        bench_end(&b);
    }
}

/* Threads 0 to 3 take values, 0 to 7 go on. */
static void skips_touch_their_threads(void **state) {
    (void)state;
    struct bench b;
    bench_record(&b, bench_modes[1]);
    uint32_t value[2 * 16];
    const uint32_t pc = kept[0].told.pc;
    struct lockstep_committed one = {.pc = pc, .mask = 0xff, .passed = 0xf, .kind = LOCKSTEP_SKIPPED};
    one.destinations = UINT64_C(1) << 3 | UINT64_C(1) << LOCKSTEP_NZCV;
    one.values = value;
    for (unsigned k = 0; k < 16; ++k) value[k] = 0x100 + k, value[16 + k] = 0x50000000u;
    must(lockstep_commit(b.checker, &one, 1));
    for (unsigned k = 0; k < 16; ++k) {
        assert_int_equal(lockstep_checker_register(b.checker, 0, k, 3), k < 4 ? 0x100 + k : 0);
        assert_int_equal(lockstep_checker_register(b.checker, 0, k, LOCKSTEP_NZCV), k < 4 ? 0x50000000u : 0);
        assert_int_equal(lockstep_checker_pc(b.checker, 0, k), k < 8 ? pc + 4 : pc);
    }
    free(kept);
    bench_end(&b);
}

static void branches_are_not_skipped_nor_loaded(void **state) {
    (void)state;
    struct bench b;
    bench_record(&b, bench_modes[1]);
    const size_t n = first_kept(&b, true);
    for (size_t k = 0; k < n; ++k) must(lockstep_commit(b.checker, &kept[k].told, 1));
    struct lockstep_committed one = kept[n].told;
    one.kind = LOCKSTEP_SKIPPED;
    REFUSED(lockstep_commit(b.checker, &one, 1), "cannot be skipped: it may branch");
    one.kind = LOCKSTEP_LOADED;
    REFUSED(lockstep_commit(b.checker, &one, 1), "does not load: its kind is EXECUTED");
    free(kept);
    bench_end(&b);
}

/* --- exclusive stores --- */

static const struct arm_instruction *stored_exclusively; /* the first one */
static unsigned variant;

/* Changes the reports before the first exclusive store: the load is skipped (0), or its address changes
 * behind the load (1). */
static void part_from_load(struct design *d, struct design_commit *t, const struct arm_instruction *i) {
    const struct machine_code *code = d->checker->launch->code;
    const bool loads = i->is_load && arm_is_exclusive(i);
    if (arm_stores_exclusively(i) && !stored_exclusively) stored_exclusively = i;
    if (stored_exclusively) return;
    if (loads && variant == 0) t->told.kind = LOCKSTEP_SKIPPED;
    const struct arm_instruction *next = machine_code_at(code, i->pc + 4);
    if (variant == 0 || !next || !arm_stores_exclusively(next)) return;
    assert_false(loads);
    assert_int_equal(t->told.destinations >> (next->rn + 1), 0); /* the address is the last destination */
    t->values[__builtin_popcountll(t->told.destinations)] =
        lockstep_checker_register(d->checker, t->told.unit, 0, next->rn) + 4;
    t->told.destinations |= UINT64_C(1) << next->rn;
    t->told.kind = LOCKSTEP_SKIPPED;
}

static void exclusive_stores_need_their_load(void **state) {
    (void)state;
    for (variant = 0; variant < 2; ++variant) {
        struct bench b;
        bench_begin(&b, bench_modes[0], "count");
        stored_exclusively = NULL;
        b.design.fault = part_from_load;
        assert_false(bench_run(&b));
        assert_non_null(stored_exclusively);
        assert_says(lockstep_error(), "the thread has not loaded exclusively from there");
        bench_end(&b);
    }
}

/* The first exclusive store fails in the design, and the load that follows is skipped: the second store has
 * no load of its own. */
static bool store_twice(struct design *d, const struct design_commit *t) {
    struct lockstep_checker *c = d->checker;
    const struct machine_code *code = c->launch->code;
    const struct arm_instruction *i = machine_code_at(code, t->told.pc);
    if (!arm_stores_exclusively(i)) return lockstep_commit(c, &t->told, 1);
    stored_exclusively = i;
    const uint32_t address = lockstep_checker_register(c, t->told.unit, 0, i->rn);
    uint32_t before, failed = 1, succeeded = 0;
    memcpy(&before, commit_at(&c->unit[t->told.unit], address, 4), 4);
    struct lockstep_committed store = t->told, rest = t->told, load = t->told;
    store.values = &failed;
    must(lockstep_commit(c, &store, 1));
    assert_memory_equal(commit_at(&c->unit[t->told.unit], address, 4), &before, 4);
    rest.instructions = 1;
    for (rest.pc = i->pc + 4; !machine_code_at(code, rest.pc + 4 * (rest.instructions - 1))->writes_pc;)
        ++rest.instructions;
    rest.destinations = 0;
    rest.addresses = rest.data = NULL;
    must(lockstep_commit(c, &rest, 1));
    load.pc = lockstep_checker_pc(c, t->told.unit, 0);
    while (!arm_is_exclusive(machine_code_at(code, load.pc))) { /* executes up to the exclusive load */
        rest.pc = load.pc;
        rest.instructions = 1;
        rest.kind = LOCKSTEP_SKIPPED;
        must(lockstep_commit(c, &rest, 1));
        load.pc += 4;
    }
    load.kind = LOCKSTEP_SKIPPED;
    load.addresses = load.data = NULL;
    load.destinations = 0;
    must(lockstep_commit(c, &load, 1));
    while (load.pc += 4, load.pc != i->pc) must(lockstep_commit(c, &load, 1));
    store.values = &succeeded;
    REFUSED(lockstep_commit(c, &store, 1), "the thread has not loaded exclusively from there");
    return false;
}

static void a_load_serves_one_exclusive_store(void **state) {
    (void)state;
    struct bench b;
    bench_begin(&b, bench_modes[0], "count");
    stored_exclusively = NULL;
    b.design.commit = store_twice;
    assert_false(bench_run(&b));
    assert_non_null(stored_exclusively);
    bench_end(&b);
}

/* --- going back --- */

/* Both memories have their values from before the store. (bench_record() has left later ones in the
 * design's.) */
static void stores_are_undone(void **state) {
    (void)state;
    struct bench b;
    size_t n = 0;
    bench_record(&b, bench_modes[1]);
    const struct machine_code *code = b.checker->launch->code;
    while (!bench_is_kind(machine_code_at(code, kept[n].told.pc), &kept[n], STORE) || !kept[n].data[15])
        must(lockstep_commit(b.checker, &kept[n++].told, 1));
    const uint32_t address = kept[n].addresses[15];
    struct lockstep_committed elsewhere = {.pc = 2, .mask = 1};
    must(lockstep_commit(b.checker, &kept[n].told, 1));
    const uint8_t *at = commit_at(&b.checker->unit[0], address, 4),
                  *design = lockstep_checker_memory(b.checker, 0, address, 4);
    assert_memory_equal(at, &kept[n].data[15], 4);
    assert_false(lockstep_commit(b.checker, &elsewhere, 1));
    assert_int_equal(lockstep_checker_rewind(b.checker, 1), 1);
    assert_memory_equal(at, (uint32_t[]){0}, 4);
    assert_memory_equal(design, (uint32_t[]){0}, 4);
    free(kept);
    bench_end(&b);
}

/* Eight threads of a warp end before the others. Then one of the others differs. */
static void threads_that_have_ended_go_back(void **state) {
    (void)state;
    struct bench b;
    bench_record(&b, bench_modes[1]);
    const size_t last = kept_count - 1;
    for (size_t n = 0; n < last; ++n) must(lockstep_commit(b.checker, &kept[n].told, 1));
    struct lockstep_committed one = kept[last].told;
    one.mask = one.passed = 0xff;
    must(lockstep_commit(b.checker, &one, 1));
    REFUSED(lockstep_checker_end(b.checker), "184 work-items have not ended");
    assert_int_equal(lockstep_checker_pc(b.checker, 0, 7), 1);
    one.mask = one.passed = 0xff00;
    one.pc += 4;
    assert_false(lockstep_commit(b.checker, &one, 1));
    assert_int_equal(lockstep_checker_rewind(b.checker, 1), 1);
    REFUSED(lockstep_checker_end(b.checker), "192 work-items have not ended");
    for (unsigned k = 0; k < 16; ++k)
        assert_int_equal(lockstep_checker_pc(b.checker, 0, k), kept[last].told.pc);
    must(lockstep_commit(b.checker, &kept[last].told, 1));
    REFUSED(lockstep_checker_end(b.checker), "176 work-items have not ended");
    free(kept);
    bench_end(&b);
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
    bench_record(&b, bench_modes[1]);
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
    unsigned wrong = 0; /* a value, an address, a stored word, then nothing */
    for (size_t n = 0; n < kept_count; ++n) {
        const unsigned bytes = machine_code_at(code, kept[n].told.pc)->access_bytes;
        struct design_commit bad = kept[n];
        uint32_t *const row[] = {bad.values, bad.addresses, bad.data, NULL};
        const bool is_told = wrong == 0   ? bad.told.destinations != 0
                             : wrong == 1 ? bad.told.addresses != NULL
                             : wrong == 2 ? bad.told.data != NULL
                                          : false;
        if (n > 50 && is_told && bad.told.passed) {
            row[wrong++][__builtin_ctzll(bad.told.passed)] ^= 4;
            assert_false(tell_by_dpi(handle, &bad, 16, bytes));
            assert_int_equal(checker_dpi_unit(handle), 0);
            assert_int_equal(checker_dpi_rewind(handle, 1), 1);
        }
        assert_true(tell_by_dpi(handle, &kept[n], 16, bytes));
        assert_int_equal(checker_dpi_commits(handle), n + 1);
    }
    assert_int_equal(wrong, 3);
    assert_true(checker_dpi_running(handle));
    assert_false(checker_dpi_end(handle));
    assert_false(checker_dpi_commit(handle, 2, 0, 1, 1, 0, 1));
    checker_dpi_destroy(handle);
    checker_dpi_destroy(NULL);
    free(kept);
    bench_end(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batches),
        cmocka_unit_test(squashes),
        cmocka_unit_test(squashes_have_limits),
        cmocka_unit_test(skips_and_loads),
        cmocka_unit_test(taken_values_stay),
        cmocka_unit_test(a_skipped_instruction_is_not_executed),
        cmocka_unit_test(skips_touch_their_threads),
        cmocka_unit_test(branches_are_not_skipped_nor_loaded),
        cmocka_unit_test(exclusive_stores_need_their_load),
        cmocka_unit_test(a_load_serves_one_exclusive_store),
        cmocka_unit_test(stores_are_undone),
        cmocka_unit_test(threads_that_have_ended_go_back),
        cmocka_unit_test(warps_by_dpi),
    };
    return cmocka_run_group_tests(tests, bench_compile, kernel_image_remove);
}
