/*
 * lanes_bench: an SM (sm_fixture.h) with lane groups, a few instructions, and when these issue.
 */
#ifndef TESTS_SM_LANES_BENCH_H
#define TESTS_SM_LANES_BENCH_H

#include "tests/sm/sm_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define ADD_R2_R0_R1   0xe0802001u
#define ADD_R3_R2_R1   0xe0823001u
#define ADD_R2_R2_R1   0xe0822001u
#define LDR_R0_R1      0xe5910000u
#define VDIV_S2_S0_S1  0xee801a20u
#define VADD_S3_S2_S2  0xee711a01u
#define CMP_R0_R1      0xe1500001u
#define ADDNE_R4_R2_R1 0x10824001u

static inline struct sm_bench *bench(unsigned group) {
    struct sm_bench *b = sm_bench_create();
    b->config.cluster.groups = 32;
    b->config.vrf.registers = 32768;
    b->config.coalesce.rule = COALESCE_CC13;
    b->config.local.banks = 16;
    b->config.l1d.latency_cycles = 1;
    b->config.lanes.kind = group == 1 ? LANES_TEMPORAL : LANES_SPATIO_TEMPORAL;
    b->config.lanes.group = group;
    return b;
}

static inline void expect_issues(struct sm_bench *b, const uint64_t *issues, unsigned count) {
    sm_run(b, 600, 100);
    assert_int_equal(b->error.status, EXIT_SOUND);
    for (unsigned n = 0; n < count; ++n)
        if (b->note[n].i != issues[n])
            fail_msg("instruction %u issues in %llu, not in %llu", n, (unsigned long long)b->note[n].i,
                     (unsigned long long)issues[n]);
}
#define EXPECT_ISSUES(b, ...)                                                                                \
    expect_issues(b, (const uint64_t[]){__VA_ARGS__}, sizeof((const uint64_t[]){__VA_ARGS__}) / 8)

#endif
