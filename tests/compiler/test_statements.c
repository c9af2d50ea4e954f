/* Every kind of statement inside every other kind, left in every possible way (statement_cases.h), on the
 * machine. In SIMT mode under each PC policy, with few and many priority levels, the results equal those in
 * MIMD mode and under qemu-arm. Each work-item ends at the outermost level. `make test` runs an eighth of the
 * cases, LOCKSTEP_LONG=1 all. */
#include "tests/kernel_run.h"
#include "tests/seed.h"
#include "tests/spawn.h"
#include "tests/compiler/statement_cases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ITEMS = 64, GROUP = 32, WORDS = ITEMS * CASE_WORDS, FUEL = 60, SOME_SHARE = 32, ALL_SHARE = 8 };

static const char *const machines[][4] = {
    {"simt.pc_policy=ics_first", "simt.priority_levels=8", "simt.warp_size=32"},
    {"simt.pc_policy=ics_first", "simt.priority_levels=2", "simt.warp_size=16"},
    {"simt.pc_policy=min_pc", "simt.warp_size=32"},
    {"simt.pc_policy=first_ready", "simt.warp_size=8"},
    {"mode=mimd"},
};
enum { MACHINES = sizeof machines / sizeof *machines };

static struct kernel_run_work work(char name[16], unsigned k) {
    snprintf(name, 16, "k%u", k);
    return (struct kernel_run_work){
        .kernel = name, .items = ITEMS, .group = GROUP, .numbers = {0, FUEL}, .check_levels = true};
}

static void fill(uint32_t *buffer, unsigned seed) {
    struct seed random = seed_of(seed);
    for (unsigned i = 0; i < WORDS; i++) buffer[i] = (uint32_t)seed_below(&random, 1u << 16);
}

/* Returns the results of the oracle, kernel by kernel. */
static uint32_t *run_oracle(struct kernel_run *r, unsigned kernels) {
    struct oracle o;
    uint32_t *results = malloc(kernels * WORDS * sizeof *results), before[WORDS];
    char name[16];
    assert_non_null(results);
    oracle_start(&o);
    for (unsigned k = 0; k < kernels; k++) {
        const struct kernel_run_work w = work(name, k);
        fill(before, k);
        kernel_run_oracle(r, &w, &o, false, before, WORDS);
    }
    char *said = oracle_finish(&o);
    if (said) fail_msg("%s", said);
    for (unsigned k = 0; k < kernels; k++) oracle_read(&o, results + k * WORDS, WORDS * 4);
    oracle_end(&o);
    return results;
}

static void check(struct kernel_run *r, unsigned k, unsigned machine, const uint32_t *expected) {
    uint32_t buffer[WORDS];
    char name[16];
    struct error e = {0};
    const struct kernel_run_work w = work(name, k);
    fill(buffer, k);
    if (!kernel_run_machine(r, &w, machines[machine], buffer, WORDS, &e))
        fail_msg("%s, %s: %s", name, machines[machine][0], e.message);
    for (unsigned i = 0; i < WORDS; i++)
        if (buffer[i] != expected[i])
            fail_msg("%s, %s: word %u of work-item %u is %#x, under qemu-arm %#x", name, machines[machine][0],
                     i % CASE_WORDS, i / CASE_WORDS, buffer[i], expected[i]);
}

/* Writes every share-th case of a way, from `turn` on. Returns their number. */
static unsigned write_cases(struct program_text *t, unsigned way, unsigned turn, unsigned share,
                            const char *path) {
    unsigned k = 0;
    *t = (struct program_text){0};
    program_add(t, "#define probe(id)\n#define KERNEL_HEAD n = get_global_id(0); a += %d * n;\n", CASE_WORDS);
    for (unsigned pair = turn; pair < CASE_STATEMENTS * CASE_STATEMENTS; pair += share)
        statement_case(t, k++, pair / CASE_STATEMENTS, pair % CASE_STATEMENTS, way);
    spawn_write(path, t->data);
    return k;
}

/* Returns how many of them change their memory: all should. */
static unsigned check_file(const char *path, unsigned kernels) {
    struct kernel_run r;
    uint32_t before[WORDS];
    unsigned changed = 0;
    kernel_run_open(&r, path, "-w");
    uint32_t *expected = run_oracle(&r, kernels);
    for (unsigned k = 0; k < kernels; k++) {
        fill(before, k);
        changed += memcmp(before, expected + k * WORDS, sizeof before) != 0;
        for (unsigned m = 0; m < MACHINES; m++) check(&r, k, m, expected + k * WORDS);
    }
    free(expected);
    kernel_run_close(&r);
    return changed;
}

static void every_statement_with_every_exit(void **state) {
    static struct program_text t;
    const bool all = getenv("LOCKSTEP_LONG");
    const unsigned share = all ? ALL_SHARE : SOME_SHARE;
    unsigned cases = 0, changed = 0;
    char *folder = spawn_folder(), *path = spawn_text("%s/cases.cl", folder);
    (void)state;
    for (unsigned way = 0; way < CASE_WAYS; way++)
        for (unsigned turn = 0; turn < (all ? share : 1); turn++) {
            const unsigned kernels = write_cases(&t, way, (turn + 5 * way) % share, share, path);
            cases += kernels;
            changed += check_file(path, kernels);
        }
    print_message("%u cases on %d machines: equal memory, each work-item ends at the outermost level\n",
                  cases, (int)MACHINES);
    assert_int_equal(changed, cases);
    free(path);
    spawn_remove_folder(folder);
}

/* --- the check itself: an image whose priority operations do not balance --- */

#define LOWER_1 0xee030731u /* mcr p7, 0, r0, c3, c1, 1 */
#define NOP     0xe1a00000u

static const char unbalanced[] =
    "void f(__global int *a, int i) { if (a[i] & 1) { a[i] += 2; a[i + 64] = 3; } }\n"
    "__kernel void k0(__global int *a, int n, int fuel) { f(a, (int)get_global_id(0)); }\n";

static unsigned break_image(struct kernel_run *r) {
    unsigned broken = 0;
    uint8_t *text = r->image->code + (r->image->text_base - r->image->code_base);
    for (uint32_t at = 0; at < r->image->text_bytes; at += 4) {
        const uint32_t nop = NOP;
        uint32_t word;
        memcpy(&word, text + at, 4);
        if (word != LOWER_1) continue;
        memcpy(text + at, &nop, 4);
        broken++;
    }
    machine_code_free(&r->code);
    machine_decode(&r->code);
    return broken;
}

static void a_thread_that_ends_elsewhere_is_reported(void **state) {
    struct kernel_run r;
    uint32_t buffer[WORDS] = {0};
    char name[16];
    struct error e = {0};
    char *folder = spawn_folder(), *path = spawn_text("%s/unbalanced.cl", folder);
    (void)state;
    spawn_write(path, unbalanced);
    kernel_run_open(&r, path, "");
    struct kernel_run_work w = work(name, 0);
    /* All work-items raise, although only number 5 continues into the statement. */
    buffer[5] = 1;
    assert_true(kernel_run_machine(&r, &w, machines[0], buffer, WORDS, &e));
    assert_true(break_image(&r) > 0);
    buffer[5] = 1;
    w.check_levels = false;
    assert_true(kernel_run_machine(&r, &w, machines[0], buffer, WORDS, &e));
    buffer[5] = 1;
    w.check_levels = true;
    assert_false(kernel_run_machine(&r, &w, machines[0], buffer, WORDS, &e));
    assert_int_equal(e.status, EXIT_PROGRAM_FAULT);
    assert_non_null(strstr(e.message, "kernel 'k0', work-item (0, 0, 0)"));
    assert_non_null(strstr(e.message, "ends at priority level 1, not at the outermost"));
    assert_non_null(strstr(e.message, "unbalanced.cl:2"));
    kernel_run_close(&r);
    free(path);
    spawn_remove_folder(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_statement_with_every_exit),
        cmocka_unit_test(a_thread_that_ends_elsewhere_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
