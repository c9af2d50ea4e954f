/* uniform_fixture: uniform instructions in the SIMT pipeline. Programs start in cycle 0 of SIMT mode (T) as
 * in test_simt_pipeline. r0 is DATA_BASE in all threads and has a token, as at the start of a work-group; r1
 * is DATA_BASE + stride · thread and has none. */
#ifndef TESTS_UNIFORM_UNIFORM_FIXTURE_H
#define TESTS_UNIFORM_UNIFORM_FIXTURE_H

#include "tests/panic.h"
#include "tests/cluster/simt_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

/* Encodings, from the architecture manual. */
#define ADD_R2_R0_R1  0xe0802001u
#define ADD_R2_R0_R3  0xe0802003u
#define ADD_R2_R0_R0  0xe0802000u
#define ADD_R2_R0_R2  0xe0802002u
#define ADDS_R2_R0_1  0xe2902001u
#define ADD_R2_R2_R1  0xe0822001u
#define ADD_R2_R2_1   0xe2822001u
#define ADDEQ_R2_R2_1 0x02822001u
#define MOV_R2_1      0xe3a02001u
#define MOV_R3_7      0xe3a03007u
#define MOVEQ_R2_9    0x03a02009u
#define CMP_R1_R0     0xe1510000u
#define CMP_R0_0      0xe3500000u
#define TST_R0_1      0xe3100001u
#define BNE_SKIP_1    0x1a000000u
#define B_NEXT        0xeaffffffu
#define EXITEQ        0x0e040711u
#define LDR_R2_R0     0xe5902000u
#define LDR_R2_R1     0xe5912000u
#define LDR_R2_R1_4   0xe4912004u /* ldr r2, [r1], #4 */
#define LDREX_R2_R0   0xe1902f9fu
#define LDR_R2_SP_4   0xe51d2004u /* ldr r2, [sp, #-4] */
#define MOV_R4_SP     0xe1a0400du
#define LDR_R2_R4_4   0xe5142004u /* ldr r2, [r4, #-4] */
#define STR_R0_R0     0xe5800000u
#define LDM_R0_R2_R3  0xe890000cu
#define LDM_R1_R2_R3  0xe891000cu
#define UDIV_R2_R0_R0 0xe732f010u
#define GROUP_ID_R2   0xee122710u /* mrc p7, 0, r2, c2, c0, 0 */
#define LOCAL_ID_R2   0xee112710u
#define LANE_R2       0xee102710u
#define RAISE_R1      0xee031710u
#define VMOV_S4_R0    0xee020a10u
#define VMUL_S4_S4_S4 0xee222a02u
#define R(n)          (UINT64_C(1) << (n))

static inline struct bench *start(const uint32_t *text, unsigned words, unsigned threads, uint32_t stride,
                                  void (*change)(struct machine_config *)) {
    struct bench *b = bench_create();
    struct cluster *c = &b->cluster;
    b->config.uniform.storage = UNIFORM_TOKEN;
    b->config.uniform.intra = 1;
    if (change) change(&b->config);
    begin(b, text, words, threads, stride);
    c->check_uniform = true;
    for (unsigned n = 0; n < threads; ++n)
        c->threads[n / b->config.simt.warp_size].registers[n % b->config.simt.warp_size] = DATA_BASE;
    for (unsigned i = 0; i < c->lanes; ++i) {
        uint64_t done;
        private_l2_access(&c->core[i].l2, DATA_BASE, false, 0, &done); /* there long before T */
    }
    return b;
}

static inline void finish(struct bench *b) {
    run(b);
    assert_int_equal(b->error.status, EXIT_SOUND);
    uint64_t sum = 0;
    for (unsigned i = 0; i < MACHINE_CAUSE_COUNT; ++i) sum += b->cluster.cause[i];
    assert_int_equal(sum, b->cluster.resume - T);
}

/* One warp of 32: the cycles of C of the first instruction and S of the second. */
static inline void expect_first(uint32_t instruction, uint64_t commit) {
    const uint32_t text[] = {instruction, EXIT};
    struct bench *b = start(text, 2, 32, 0, NULL);
    finish(b);
    assert_int_equal(b->commit[0][0], commit);
    assert_int_equal(b->select[0][1], commit + 1);
    bench_free(b);
}

/* A program of one warp: C of each instruction, copies too. */
static inline struct bench *expect_commits(const uint32_t *text, unsigned words, uint32_t stride,
                                           void (*change)(struct machine_config *), const uint64_t *commit,
                                           unsigned commits) {
    struct bench *b = start(text, words, 32, stride, change);
    finish(b);
    for (unsigned n = 0; n < commits; ++n) assert_int_equal(b->commit[0][n], commit[n]);
    return b;
}

static uint32_t value_of(const struct bench *b, unsigned reg, unsigned thread) {
    return b->cluster.threads[0].registers[reg * 32 + thread];
}

static uint64_t count_of(const struct bench *b, enum uniform_count n) {
    return b->cluster.uniform.count[n];
}

/* --- machines --- */

static inline void broadcast_3(struct machine_config *c) {
    c->uniform.broadcast_cycles = 3;
}

static inline void srf(struct machine_config *c) {
    c->uniform.storage = UNIFORM_SRF;
}

static inline void srf_8(struct machine_config *c) {
    srf(c);
    c->uniform.srf_registers = 8;
}

static inline void both(struct machine_config *c) {
    c->uniform.inter = 1;
}

static inline void inter_only(struct machine_config *c) {
    c->uniform.intra = 0;
    c->uniform.inter = 1;
}

static inline void srf_both(struct machine_config *c) {
    srf_8(c);
    both(c);
}

static inline void srf_inter(struct machine_config *c) {
    srf(c);
    inter_only(c);
}

#endif
