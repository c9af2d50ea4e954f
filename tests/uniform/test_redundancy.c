/* Redundant operations counted by hand, on any machine. */
#include "tests/cluster/simt_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

/* Encodings, from the architecture manual. */
#define MOV_R2_1     0xe3a02001u
#define ADD_R2_R2_R1 0xe0822001u
#define CMP_R0_0     0xe3500000u
#define CMP_R1_R0    0xe1510000u
#define MOVEQ_R2_1   0x03a02001u
#define MOVNE_R2_1   0x13a02001u
#define LDR_R2_R0    0xe5902000u
#define B_NEXT       0xeaffffffu
#define GROUP_ID_R2  0xee122710u

static const struct redundancy *count(struct bench **bench, const uint32_t *text, unsigned words,
                                      unsigned threads, unsigned storage) {
    struct bench *b = *bench = bench_create();
    b->config.uniform.storage = storage;
    b->config.uniform.intra = storage != UNIFORM_NONE;
    begin(b, text, words, threads, 4);
    for (unsigned n = 0; n < threads; ++n) b->cluster.threads[n / 32].registers[n % 32] = DATA_BASE;
    struct counter_registry *r = counter_registry_create();
    simt_count_redundancy(&b->cluster.simt, r);
    assert_non_null(counter_find(r, "cluster0.redundancy", "both_share"));
    counter_registry_destroy(r);
    look(b);
    run(b);
    assert_int_equal(b->error.status, EXIT_SOUND);
    return b->cluster.redundancy;
}

static void expect(const uint32_t *text, unsigned words, unsigned threads, const uint64_t expected[4]) {
    static const unsigned storages[] = {UNIFORM_NONE, UNIFORM_TOKEN, UNIFORM_SRF};
    for (unsigned n = 0; n < 3; ++n) {
        struct bench *b;
        const struct redundancy *r = count(&b, text, words, threads, storages[n]);
        assert_int_equal(r->operations, expected[0]);
        assert_int_equal(r->intra, expected[1]);
        assert_int_equal(r->inter, expected[2]);
        assert_int_equal(r->both, expected[3]);
        bench_free(b);
    }
}

/* MOV and CMP of each warp are uniform; the second warp's find their results. The load, the branch, the
 * co-processor instructions and EXIT are uniform, too, but not counted. */
static void two_warps(void **state) {
    (void)state;
    const uint32_t text[] = {MOV_R2_1, ADD_R2_R2_R1, LDR_R2_R0, CMP_R0_0, GROUP_ID_R2, B_NEXT, EXIT};
    expect(text, 7, 64, (const uint64_t[]){7 * 64, 2 * 2 * 31, 2 * 32, 2 * 2 * 31 + 2});
}

/* One thread of the second warp is live: its instructions are redundant with the first warp only. */
static void a_thread_alone(void **state) {
    (void)state;
    const uint32_t text[] = {MOV_R2_1, EXIT};
    expect(text, 2, 33, (const uint64_t[]){2 * 33, 31, 1, 32});
}

/* Flags differ between threads: neither MOVEQ nor a later reader of r2 is redundant. If conditions fail for
 * all threads, nothing executes. */
static void conditions(void **state) {
    (void)state;
    const uint32_t divergent[] = {CMP_R1_R0, MOVEQ_R2_1, EXIT},
                   known[] = {CMP_R0_0, MOVEQ_R2_1, MOVNE_R2_1, EXIT};
    expect(divergent, 3, 32, (const uint64_t[]){3 * 32, 0, 0, 0});
    expect(known, 4, 32, (const uint64_t[]){4 * 32, 2 * 31, 0, 2 * 31});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_warps),
        cmocka_unit_test(a_thread_alone),
        cmocka_unit_test(conditions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
