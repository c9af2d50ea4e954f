/*
 * Uniform instructions in the SIMT pipeline against cycles counted by hand from timing.md and
 * docs/uniform.md. Programs start in cycle 0 of SIMT mode (T) as in test_simt_pipeline. r0 is DATA_BASE in
 * all threads and has its token, as when a work-group starts; r1 is DATA_BASE + stride · thread and has none.
 */
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

static struct bench *start(const uint32_t *text, unsigned words, unsigned threads, uint32_t stride,
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

static void finish(struct bench *b) {
    run(b);
    assert_int_equal(b->error.status, EXIT_SOUND);
    uint64_t sum = 0;
    for (unsigned i = 0; i < MACHINE_CAUSE_COUNT; ++i) sum += b->cluster.cause[i];
    assert_int_equal(sum, b->cluster.resume - T);
}

/* One warp of 32: the cycles of C of the first instruction and S of the second. */
static void expect_first(uint32_t instruction, uint64_t commit) {
    const uint32_t text[] = {instruction, EXIT};
    struct bench *b = start(text, 2, 32, 0, NULL);
    finish(b);
    assert_int_equal(b->commit[0][0], commit);
    assert_int_equal(b->select[0][1], commit + 1);
    bench_free(b);
}

/* A program of one warp: C of each instruction, copies too. */
static struct bench *expect_commits(const uint32_t *text, unsigned words, uint32_t stride,
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

/* --- issue --- */

/* timing.md, Example 3: S 0 · A 1 · F 2 · D 3 · O 4–5 · X 6 · W 7; the other warp's O 6–7 · X 8 · W 9; the
 * first is selected again in 8. */
static void example_3(void **state) {
    (void)state;
    const uint32_t text[] = {ADD_R2_R0_R1, ADD_R2_R0_R1, ADD_R2_R0_R1, EXIT};
    struct bench *b = start(text, 4, 64, 0, NULL);
    for (unsigned w = 0; w < 2; ++w) b->cluster.uniform.tokens.token[w] |= R(1);
    finish(b);
    for (unsigned n = 0; n < 3; ++n)
        for (unsigned w = 0; w < 2; ++w) {
            assert_int_equal(b->commit[w][n], 7 + 8 * n + 2 * w);
            assert_int_equal(b->select[w][n], n ? 8 * n + 2 * w : w);
        }
    bench_free(b);
}

/* Four or more warps: one instruction every 2 cycles, bound by O. */
static void four_warps_are_bound_by_collection(void **state) {
    (void)state;
    const uint32_t text[] = {ADD_R2_R0_R1, ADD_R2_R0_R1, ADD_R2_R0_R1, EXIT};
    for (unsigned warps = 4; warps <= 16; warps *= 2) {
        struct bench *b = start(text, 4, 32 * warps, 0, NULL);
        for (unsigned w = 0; w < warps; ++w) b->cluster.uniform.tokens.token[w] |= R(1);
        finish(b);
        for (unsigned n = 0; n < 3; ++n)
            for (unsigned w = 0; w < warps; ++w) assert_int_equal(b->commit[w][n], 7 + 2 * (n * warps + w));
        bench_free(b);
    }
}

static void each_class_in_one_round(void **state) {
    (void)state;
    expect_first(MOV_R2_1, 6);       /* no source: O 4, X 5, W 6 */
    expect_first(CMP_R0_0, 5);       /* no destination, no W */
    expect_first(UDIV_R2_R0_R0, 10); /* latency 5: result at the end of 9 */
    expect_first(LDR_R2_R0, 14);     /* X 5, request 6, data at the end of 13 */
    expect_first(STR_R0_R0, 6);      /* accepted at the end of 6 */
    expect_first(LDM_R0_R2_R3, 16);  /* X 5–6, a register a cycle; last data at the end of 14, W 15–16 */
    expect_first(GROUP_ID_R2, 6);
    expect_first(RAISE_R1, 5); /* r1 is not uniform, but ignored */
    expect_first(B_NEXT, 5);
}

static void what_is_not_uniform_takes_all_rounds(void **state) {
    (void)state;
    expect_first(LOCAL_ID_R2, 13); /* O 4, X 5–12, W 13 */
    expect_first(LANE_R2, 13);
    expect_first(ADD_R2_R0_R1, 14);
    expect_first(LDR_R2_R1, 21);
    expect_first(LDREX_R2_R0, 21);
}

static void a_uniform_load_is_one_access_of_lane_0(void **state) {
    (void)state;
    const uint32_t text[] = {LDR_R2_R0, EXIT};
    struct bench *b = start(text, 2, 32, 0, NULL);
    const uint64_t before = b->cluster.core[0].l2.tags.accesses;
    memcpy(b->data, (const uint32_t[]){0x1234}, 4);
    finish(b);
    assert_int_equal(b->cluster.core[0].l2.tags.accesses, before + 1);
    for (unsigned i = 1; i < 4; ++i) assert_int_equal(b->cluster.core[i].l2.tags.accesses, 1);
    for (unsigned k = 0; k < 32; ++k) assert_int_equal(value_of(b, 2, k), 0x1234);
    assert_int_equal(b->cluster.memory_instructions, 32);
    bench_free(b);
}

/* --- tokens --- */

static uint64_t tokens_after(const uint32_t *text, unsigned words, uint32_t stride) {
    struct bench *b = start(text, words, 32, stride, NULL);
    finish(b);
    const uint64_t tokens = b->cluster.uniform.tokens.token[0];
    bench_free(b);
    return tokens;
}

static void writes_set_and_clear_tokens(void **state) {
    (void)state;
    const uint64_t first = R(0) | ARM_STATE_NZCV | ARM_STATE_FPSCR_FLAGS | ARM_STATE_FPSCR_MODES;
    const struct {
        uint32_t text[4];
        unsigned words;
        uint64_t tokens;
    } cases[] = {
        {{EXIT}, 1, first},
        {{MOV_R2_1, EXIT}, 2, first | R(2)},
        {{MOV_R2_1, ADD_R2_R2_R1, EXIT}, 3, first},                /* r1 is not uniform */
        {{CMP_R1_R0, EXIT}, 2, first & ~ARM_STATE_NZCV},           /* nor then the flags, … */
        {{CMP_R1_R0, TST_R0_1, EXIT}, 3, first & ~ARM_STATE_NZCV}, /* of which TST keeps V, … */
        {{CMP_R1_R0, CMP_R0_0, EXIT}, 3, first},                   /* and CMP none */
        {{GROUP_ID_R2, EXIT}, 2, first | R(2)},
        {{LOCAL_ID_R2, EXIT}, 2, first},
        {{LDR_R2_R0, EXIT}, 2, first | R(2)},
        {{LDR_R2_R1, EXIT}, 2, first}, /* the threads' addresses differ */
        {{LDM_R0_R2_R3, EXIT}, 2, first | R(2) | R(3)},
        {{VMOV_S4_R0, VMUL_S4_S4_S4, EXIT}, 3, first | R(20)},
    };
    for (unsigned n = 0; n < sizeof cases / sizeof cases[0]; ++n)
        assert_int_equal(tokens_after(cases[n].text, cases[n].words, 4), cases[n].tokens);
}

/* r1 is the same in all threads, but nobody knows. */
static void a_broadcast_load_sets_the_token_of_what_it_loads(void **state) {
    (void)state;
    const uint32_t text[] = {LDR_R2_R1, EXIT}, updating[] = {LDR_R2_R1_4, EXIT};
    struct bench *b = start(text, 2, 32, 0, NULL);
    finish(b);
    assert_int_equal(b->commit[0][0], 21);
    assert_true(b->cluster.uniform.tokens.token[0] & R(2));
    assert_int_equal(count_of(b, UNIFORM_COUNT_BROADCAST_LOADS), 1);
    bench_free(b);
    assert_int_equal(tokens_after(updating, 2, 0) & (R(1) | R(2)), R(2));
}

/* Until the last register has come the others still have their tokens, which is no mistake. */
static void a_multiple_load_takes_tokens_away_beat_by_beat(void **state) {
    (void)state;
    const uint32_t text[] = {MOV_R2_1, MOV_R3_7, LDM_R1_R2_R3, EXIT};
    struct bench *b = start(text, 4, 32, 8, NULL);
    for (unsigned n = 0; n < 64; ++n) memcpy(b->data + 4 * n, &n, 4);
    finish(b);
    assert_false(b->cluster.uniform.tokens.token[0] & (R(2) | R(3)));
    assert_int_equal(value_of(b, 3, 31), 63);
    bench_free(b);
}

/* --- partial writes --- */

/* MOV: C 6. CMP: S 7, O 11–12, X 13–20, C 20. Copy: S 21, D 24, O 25, X 26–33, W 34. ADDEQ: S 35, O 39, X
 * 40–47, W 48. */
static void a_partial_write_copies_first(void **state) {
    (void)state;
    const uint32_t text[] = {MOV_R2_1, CMP_R1_R0, ADDEQ_R2_R2_1, EXIT};
    const uint64_t commit[] = {6, 20, 34, 48};
    struct bench *b = expect_commits(text, 4, 4, NULL, commit, 4);
    for (unsigned k = 0; k < 32; ++k) assert_int_equal(value_of(b, 2, k), k ? 1 : 2);
    assert_int_equal(b->select[0][3], 35);
    assert_int_equal(b->select[0][4], 49);
    assert_false(b->cluster.uniform.tokens.token[0] & R(2));
    assert_int_equal(count_of(b, UNIFORM_COUNT_COPIES), 1);
    assert_int_equal(count_of(b, UNIFORM_COUNT_COPIES_OF_SOURCES), 1);
    assert_int_equal(b->cluster.warp_instructions, 4);
    bench_free(b);
}

/* The destination is no source: the threads that fail keep their value all the same. Likewise where only one
 * thread goes on after a branch. */
static void a_partial_write_copies_what_is_no_source(void **state) {
    (void)state;
    const uint32_t conditional[] = {MOV_R2_1, CMP_R1_R0, MOVEQ_R2_9, EXIT};
    const uint32_t divergent[] = {MOV_R2_1, CMP_R1_R0, BNE_SKIP_1, MOV_R2_1 + 4, EXIT};
    const uint64_t commit[] = {6, 20, 34, 47}; /* MOVEQ: S 35, O 39, X 40–47, W 48: 48 */
    struct bench *b = start(conditional, 4, 32, 4, NULL);
    finish(b);
    for (unsigned n = 0; n < 3; ++n) assert_int_equal(b->commit[0][n], commit[n]);
    for (unsigned k = 0; k < 32; ++k) assert_int_equal(value_of(b, 2, k), k ? 1 : 9);
    assert_int_equal(count_of(b, UNIFORM_COUNT_COPIES), 1);
    assert_int_equal(count_of(b, UNIFORM_COUNT_COPIES_OF_SOURCES), 0);
    bench_free(b);
    b = start(divergent, 5, 32, 4, NULL);
    finish(b);
    for (unsigned k = 0; k < 32; ++k) assert_int_equal(value_of(b, 2, k), k ? 1 : 5);
    assert_int_equal(count_of(b, UNIFORM_COUNT_COPIES), 1);
    bench_free(b);
}

static enum uniform_only only;

static void choose_only(struct machine_config *c) {
    c->uniform.intra_only = only;
}

/* uniform.intra_only: an instruction of each kind is executed for one thread if its kind is chosen, else in
 * eight rounds: MOV: O 4, X 5, W 6, or X 5–12, W 13; the branch, the priority operation and the id likewise.
 * EXIT is a priority operation, too. */
static void only_one_kind_is_executed_for_one_thread(void **state) {
    (void)state;
    static const uint32_t instruction[] = {[UNIFORM_ONLY_ALU] = MOV_R2_1,
                                           [UNIFORM_ONLY_MEMORY] = LDR_R2_R0,
                                           [UNIFORM_ONLY_BRANCHES] = B_NEXT,
                                           [UNIFORM_ONLY_PRIORITIES] = RAISE_R1,
                                           [UNIFORM_ONLY_IDS] = GROUP_ID_R2};
    for (unsigned k = UNIFORM_ONLY_ALU; k <= UNIFORM_ONLY_IDS; ++k) {
        uint64_t commit[UNIFORM_ONLY_IDS + 1];
        for (only = UNIFORM_ONLY_NOT; only <= UNIFORM_ONLY_IDS; ++only) {
            struct bench *b = start((uint32_t[]){instruction[k], EXIT}, 2, 32, 0, choose_only);
            finish(b);
            commit[only] = b->commit[0][0];
            assert_int_equal(count_of(b, UNIFORM_COUNT_UNIFORM), 2);
            assert_int_equal(count_of(b, UNIFORM_COUNT_SCALAR),
                             (only == UNIFORM_ONLY_NOT ? 2 : only == k) + (only == UNIFORM_ONLY_PRIORITIES));
            bench_free(b);
        }
        for (only = UNIFORM_ONLY_ALU; only <= UNIFORM_ONLY_IDS; ++only)
            if (k != UNIFORM_ONLY_MEMORY)
                assert_int_equal(commit[only], commit[UNIFORM_ONLY_NOT] + (only == k ? 0 : 7));
        if (k == UNIFORM_ONLY_ALU) assert_int_equal(commit[UNIFORM_ONLY_NOT], 6);
    }
}

static void broadcast_3(struct machine_config *c) {
    c->uniform.broadcast_cycles = 3;
}

/* The copy and the vector ADD bring a scalar to all lanes, what is executed for one thread does not. */
static void broadcasts_take_their_cycles(void **state) {
    (void)state;
    const uint32_t text[] = {MOV_R2_1, CMP_R1_R0, ADDEQ_R2_R2_1, EXIT};
    const uint64_t commit[] = {6, 23, 40, 54}; /* CMP: r0 is a scalar: O 11–15; copy: O 28–31; ADDEQ: O 45 */
    struct bench *b = expect_commits(text, 4, 4, broadcast_3, commit, 4);
    assert_int_equal(count_of(b, UNIFORM_COUNT_BROADCAST_CYCLES), 6);
    bench_free(b);
}

/* r0 is not 0: nothing is written, and everybody knows. CMP: S 7, O 11, X 12; ADDEQ: S 13, O 17, X 18. */
static void a_condition_that_fails_for_all_writes_nothing(void **state) {
    (void)state;
    const uint32_t text[] = {MOV_R2_1, CMP_R0_0, ADDEQ_R2_R2_1, EXIT};
    const uint64_t commit[] = {6, 12, 18};
    struct bench *b = expect_commits(text, 4, 4, NULL, commit, 3);
    for (unsigned k = 0; k < 32; ++k) assert_int_equal(value_of(b, 2, k), 1);
    assert_true(b->cluster.uniform.tokens.token[0] & R(2));
    assert_int_equal(b->cluster.condition_failed, 32);
    bench_free(b);
}

/* Thread 0 exits: the others are all that live. MOV: S 36, X 41, W 42. */
static void the_mask_is_full_when_all_live_threads_participate(void **state) {
    (void)state;
    const uint32_t text[] = {CMP_R1_R0, EXITEQ, MOV_R3_7, EXIT};
    struct bench *b = start(text, 4, 32, 4, NULL);
    finish(b);
    assert_true(b->cluster.uniform.tokens.token[0] & R(3));
    assert_int_equal(b->commit[0][2], b->select[0][2] + 6);
    assert_int_equal(count_of(b, UNIFORM_COUNT_COPIES), 0);
    bench_free(b);
}

/* --- the registers' lines --- */

static void two_lines(struct machine_config *c) {
    c->cluster.lanes = 2; /* N_it 16: 64 bytes, two lines of 32 */
    c->l1d.line_bytes = 32;
}

static void a_scalar_is_in_one_line(void **state) {
    (void)state;
    const uint32_t text[] = {MOV_R3_7, ADD_R2_R0_R3, ADD_R2_R2_R1, EXIT};
    const uint64_t commit[] = {6, 14, 39}; /* ADD: S 7, O 11–12, X 13, W 14; vector: S 15, O 19–21, X 22–37,
                                              W 38–39 */
    struct bench *b = expect_commits(text, 4, 4, two_lines, commit, 3);
    /* MOV reads nothing, ADD r0 and r3, ADD r2 and r1, EXIT r0. */
    assert_int_equal(count_of(b, UNIFORM_COUNT_SCALAR_READS), 4);
    assert_int_equal(count_of(b, UNIFORM_COUNT_VECTOR_READS), 1);
    assert_int_equal(count_of(b, UNIFORM_COUNT_SCALAR_WRITES), 2);
    assert_int_equal(count_of(b, UNIFORM_COUNT_VECTOR_WRITES), 1);
    struct counter_registry *r = counter_registry_create();
    uniform_register_counters(&b->cluster.uniform, "c", r);
    uint64_t values[64];
    counter_snapshot(r, values);
    static const struct {
        const char *name;
        double value;
    } lines[] = {{"read_lines", 4 + 4},      {"read_lines_saved", 4 * 3},  {"read_words_saved", 4 * 31},
                 {"write_lines", 1 + 1 + 4}, {"write_lines_saved", 2 * 3}, {"write_words_saved", 2 * 31}};
    for (unsigned n = 0; n < sizeof lines / sizeof lines[0]; ++n) {
        double value = -1;
        assert_true(counter_ratio(r, values, counter_find(r, "c.uniform", lines[n].name), &value));
        assert_true(value == lines[n].value);
    }
    counter_registry_destroy(r);
    bench_free(b);
}

static void operations_and_lives_are_counted(void **state) {
    (void)state;
    const uint32_t text[] = {MOV_R2_1, ADD_R2_R2_1, ADD_R2_R2_R1, ADD_R2_R2_1, EXIT};
    struct bench *b = start(text, 5, 32, 4, NULL);
    finish(b);
    assert_int_equal(count_of(b, UNIFORM_COUNT_UNIFORM), 3); /* with EXIT */
    assert_int_equal(count_of(b, UNIFORM_COUNT_SCALAR), 3);
    assert_int_equal(count_of(b, UNIFORM_COUNT_ALU_OPERATIONS), 4 * 32);
    assert_int_equal(count_of(b, UNIFORM_COUNT_ALU_PROTECTED), 2 * 32);
    assert_int_equal(count_of(b, UNIFORM_COUNT_ALU_EXECUTED), 2 + 2 * 32);
    /* First rounds: MOV 5; ADD, S 7, 12; ADD, S 14, O 18–19, 20, W 28; ADD, S 29, 34; EXIT, S 43, 48. r2
     * lives as a scalar from 5 to 12 to 20, as a vector to 34; r1 from 0 to 20, r0 from 0 to EXIT, which
     * names it. */
    assert_int_equal(b->select[0][4], 43);
    assert_int_equal(b->cluster.uniform.register_cycles.live, 15 + 14 + 20 + 48);
    assert_int_equal(b->cluster.uniform.register_cycles.protected, 15 + 48);
    bench_free(b);
}

/* --- the rest --- */

/* Alone in its warp, on lane 2, a thread has its stack's words there. */
static void a_lone_threads_stack_is_on_its_lane(void **state) {
    (void)state;
    const uint32_t text[] = {CMP_R1_R0, MOV_R4_SP, LDR_R2_R4_4, EXIT};
    struct bench *b = bench_create();
    b->config.uniform.storage = UNIFORM_TOKEN;
    b->config.uniform.intra = 1;
    b->stack_size = 256;
    begin(b, text, 4, 1, 0);
    b->cluster.check_uniform = true;
    b->cluster.uniform.tokens.token[0] |= R(4) | R(13);
    finish(b);
    assert_int_equal(b->cluster.stack_held, 1);
    /* CMP: C 13; MOV: S 14, O 18, X 19, W 20; LDR: S 21, O 25, X 26–33, W 34 */
    assert_int_equal(b->commit[0][2] - b->select[0][2], 13);
    bench_free(b);
}

/* The scalar's place is overwritten in the last round of a vector instruction. */
static void the_scalar_is_with_a_thread_of_the_last_round(void **state) {
    (void)state;
    static const uint32_t maps[] = {LANE_MAP_BLOCK, LANE_MAP_CYCLIC};
    for (unsigned m = 0; m < 2; ++m)
        for (unsigned lanes = 1; lanes <= 16; lanes *= 2) {
            struct bench *b = bench_create();
            const uint32_t text[] = {EXIT};
            b->config.simt.lane_map = maps[m];
            b->config.cluster.lanes = lanes;
            begin(b, text, 1, 32, 0);
            const unsigned last = b->cluster.rounds - 1;
            assert_int_equal(uniform_position(&b->config), cluster_position(&b->cluster, 0, last));
            bench_free(b);
        }
}

/* r1 differs, whatever its token says. */
static void run_with_a_wrong_token(void *state_bit) {
    const uint32_t text[] = {MOV_R2_1, EXIT};
    struct bench *b = start(text, 2, 32, 4, NULL);
    if (*(uint64_t *)state_bit == ARM_STATE_NZCV) b->cluster.descriptors.warp[0].c[7] = ~0u;
    if (*(uint64_t *)state_bit == ARM_STATE_FPSCR_FLAGS) b->cluster.descriptors.warp[0].fpscr[7] = 1u << 31;
    if (*(uint64_t *)state_bit == ARM_STATE_FPSCR_MODES) b->cluster.descriptors.warp[0].fpscr[7] = 1u << 24;
    if (*(uint64_t *)state_bit) b->cluster.uniform.tokens.token[0] |= *(uint64_t *)state_bit;
    run(b);
    bench_free(b);
}

static void a_wrong_token_is_caught(void **state) {
    (void)state;
    uint64_t wrong[] = {R(1), ARM_STATE_NZCV, ARM_STATE_FPSCR_FLAGS, ARM_STATE_FPSCR_MODES}, none = 0;
    for (unsigned n = 0; n < 4; ++n) assert_true(panics(run_with_a_wrong_token, &wrong[n]));
    assert_false(panics(run_with_a_wrong_token, &none));
}

/* --- the scalar register file --- */

static void srf(struct machine_config *c) {
    c->uniform.storage = UNIFORM_SRF;
}

static void srf_8(struct machine_config *c) {
    srf(c);
    c->uniform.srf_registers = 8;
}

/* S 0 · D 3 · O 4: no line of the TPM is read · X 5 · W 6: nor written. Warps follow in each cycle. */
static void scalar_registers_take_no_port_of_the_tpm(void **state) {
    (void)state;
    const uint32_t text[] = {ADD_R2_R0_R0, ADD_R2_R0_R2, EXIT};
    struct bench *b = start(text, 3, 512, 0, srf);
    finish(b);
    for (unsigned w = 0; w < 16; ++w)
        for (unsigned n = 0; n < 2; ++n) assert_int_equal(b->commit[w][n], 6 + 16 * n + w);
    assert_int_equal(count_of(b, UNIFORM_COUNT_VECTOR_READS), 0);
    assert_int_equal(count_of(b, UNIFORM_COUNT_VECTOR_WRITES), 0);
    assert_int_equal(count_of(b, UNIFORM_COUNT_SCALAR_READS), 16 * (1 + 2 + 1)); /* EXIT names r0 */
    assert_int_equal(count_of(b, UNIFORM_COUNT_SCALAR_WRITES), 32);
    assert_int_equal(count_of(b, UNIFORM_COUNT_SRF_ALLOCATED), 16); /* the second time r2 has one */
    bench_free(b);
}

/* A vector takes the lines that it needs: r0 is a scalar, r1 is not. MOV: C 6; ADD: S 7, O 11, X 12–19, W 20.
 */
static void a_vector_write_frees_the_scalar_register(void **state) {
    (void)state;
    const uint32_t text[] = {MOV_R2_1, ADD_R2_R0_R1, MOV_R3_7, EXIT};
    const uint64_t commit[] = {6, 20};
    struct bench *b = expect_commits(text, 4, 4, srf, commit, 2);
    assert_int_equal(count_of(b, UNIFORM_COUNT_VECTOR_READS), 1);
    assert_int_equal(count_of(b, UNIFORM_COUNT_SRF_ALLOCATED), 2);
    /* The warp is gone, and all its registers are free again. */
    cluster_simt_begin(&b->cluster, 0);
    for (unsigned n = 0; n < 4; ++n) assert_int_equal(b->cluster.uniform.rename.free[n], ~0u);
    bench_free(b);
}

/* r0 of warps 0–7 has all the registers: MOV is executed by every thread, X 5–12, W 13. */
static void without_a_free_register_it_is_an_ordinary_instruction(void **state) {
    (void)state;
    const uint32_t text[] = {MOV_R2_1, CMP_R0_0, EXIT};
    struct bench *b = start(text, 3, 512, 0, srf_8);
    finish(b);
    for (unsigned w = 0; w < 16; ++w) assert_int_equal(b->commit[w][0], 13 + 8 * w);
    assert_int_equal(count_of(b, UNIFORM_COUNT_SRF_HAZARDS), 16);
    assert_int_equal(count_of(b, UNIFORM_COUNT_SRF_ALLOCATED), 0);
    assert_int_equal(count_of(b, UNIFORM_COUNT_UNIFORM), 16 + 8 + 16); /* MOV, CMP of warps 0–7, EXIT */
    assert_int_equal(count_of(b, UNIFORM_COUNT_SCALAR), 8 + 16);
    bench_free(b);
}

/* One register is left: r2, which comes first, has it; r3 is written to all threads. */
static void a_multiple_load_takes_a_register_a_beat(void **state) {
    (void)state;
    const uint32_t text[] = {LDM_R0_R2_R3, EXIT};
    struct bench *b = start(text, 2, 32, 0, srf_8);
    b->cluster.uniform.rename.free[0] = 1u << 6;
    finish(b);
    assert_int_equal(b->commit[0][0], 15); /* X 5–6, data at the end of 14, W 15 of both files */
    assert_int_equal(count_of(b, UNIFORM_COUNT_SRF_HAZARDS), 1);
    assert_int_equal(count_of(b, UNIFORM_COUNT_SCALAR_WRITES), 1);
    assert_int_equal(count_of(b, UNIFORM_COUNT_VECTOR_WRITES), 1);
    bench_free(b);
}

static void a_copy_frees_its_scalar_register(void **state) {
    (void)state;
    const uint32_t text[] = {MOV_R2_1, CMP_R1_R0, ADDEQ_R2_R2_1, EXIT};
    const uint64_t commit[] = {6, 19, 33, 47}; /* CMP reads one line less; the copy none: O 24, as with one */
    struct bench *b = expect_commits(text, 4, 4, srf, commit, 4);
    for (unsigned k = 0; k < 32; ++k) assert_int_equal(value_of(b, 2, k), k ? 1 : 2);
    assert_int_equal(count_of(b, UNIFORM_COUNT_COPIES), 1);
    bench_free(b);
}

/* --- the reuse buffer --- */

static void both(struct machine_config *c) {
    c->uniform.inter = 1;
}

static void inter_only(struct machine_config *c) {
    c->uniform.intra = 0;
    c->uniform.inter = 1;
}

/* Warp 0: O 4, X 5–9 (occupancy and latency 5), W 10; its result is there for look-ups from 12 on. The others
 * look in their first cycle of O: 5, 6, 11 (two collectors), 16, 21. Those of warps 4 and 5 find it, and take
 * a cycle after warp 3's X 20–24. */
static void a_hit_takes_a_cycle(void **state) {
    (void)state;
    const uint32_t text[] = {UDIV_R2_R0_R0, EXIT};
    static const uint64_t commit[] = {10, 15, 20, 25, 26, 27};
    struct bench *b = start(text, 2, 6 * 32, 0, both);
    finish(b);
    for (unsigned w = 0; w < 6; ++w) assert_int_equal(b->commit[w][0], commit[w]);
    assert_int_equal(count_of(b, UNIFORM_COUNT_IRB_LOOKUPS), 6);
    assert_int_equal(count_of(b, UNIFORM_COUNT_IRB_MISSES), 4);
    assert_int_equal(count_of(b, UNIFORM_COUNT_IRB_HITS), 2);
    assert_int_equal(count_of(b, UNIFORM_COUNT_IRB_SKIPPED), 2);
    assert_int_equal(count_of(b, UNIFORM_COUNT_IRB_INSERTED), 4);
    assert_int_equal(count_of(b, UNIFORM_COUNT_ALU_EXECUTED), 4);
    assert_int_equal(count_of(b, UNIFORM_COUNT_ALU_PROTECTED), 6 * 32);
    for (unsigned k = 0; k < 32; ++k) assert_int_equal(b->cluster.threads[5].registers[2 * 32 + k], 1);
    bench_free(b);
}

/* Warp 0: O 4, X 5–12, W 13, found from 15 on; warp 1: O 5, X 13–20; warp 2: O 13, X 21–28; warp 3: O 21, a
 * hit, X 29; warp 4: O 29, X 30. */
static void inter_alone_converts_only_hits(void **state) {
    (void)state;
    const uint32_t text[] = {MOV_R2_1, EXIT};
    static const uint64_t commit[] = {13, 21, 29, 30, 31};
    struct bench *b = start(text, 2, 5 * 32, 0, inter_only);
    finish(b);
    for (unsigned w = 0; w < 5; ++w) assert_int_equal(b->commit[w][0], commit[w]);
    assert_int_equal(count_of(b, UNIFORM_COUNT_SCALAR), 0);
    assert_int_equal(count_of(b, UNIFORM_COUNT_IRB_SKIPPED), 2);
    bench_free(b);
}

static void other_operands_are_no_hit(void **state) {
    (void)state;
    const uint32_t text[] = {ADDS_R2_R0_1, EXIT};
    struct bench *b = start(text, 2, 512, 0, both);
    for (unsigned w = 0; w < 16; ++w)
        for (unsigned k = 0; k < 32; ++k) b->cluster.threads[w].registers[k] = w < 8 ? 0xffffffff : w;
    finish(b);
    for (unsigned w = 0; w < 16; ++w)
        for (unsigned k = 0; k < 32; ++k) {
            assert_int_equal(b->cluster.threads[w].registers[2 * 32 + k], w < 8 ? 0 : w + 1);
            assert_int_equal(arm_get_apsr(&b->cluster.threads[w], k), w < 8 ? 0x60000000 : 0);
        }
    assert_true(count_of(b, UNIFORM_COUNT_IRB_HITS) > 0);
    assert_int_equal(count_of(b, UNIFORM_COUNT_IRB_OTHER), 8);
    bench_free(b);
}

/* A wrong entry is noticed by the check. */
static void run_with_a_wrong_entry(void *wrong) {
    const uint32_t text[] = {UDIV_R2_R0_R0, EXIT};
    struct bench *b = start(text, 2, 512, 0, both);
    uint64_t t = T;
    while (!b->cluster.uniform.reuse.valid[0]) {
        b->cluster.until = t + 1;
        t = cluster_simt_step(&b->cluster, t);
    }
    if (*(bool *)wrong) {
        b->cluster.uniform.reuse.result[0] ^= 3; /* two bits: the parity does not see it */
        for (unsigned e = 1; e < 8; ++e) b->cluster.uniform.reuse.valid[e] = false;
    }
    while (b->cluster.mode == CLUSTER_SIMT) t = cluster_simt_step(&b->cluster, t);
    bench_free(b);
}

static void a_wrong_entry_is_caught(void **state) {
    (void)state;
    bool wrong = true, none = false;
    assert_true(panics(run_with_a_wrong_entry, &wrong));
    assert_false(panics(run_with_a_wrong_entry, &none));
}

static void srf_both(struct machine_config *c) {
    srf_8(c);
    both(c);
}

static void srf_inter(struct machine_config *c) {
    srf(c);
    inter_only(c);
}

static void skipping_is_exact(void **state) {
    (void)state;
    const uint32_t text[] = {MOV_R2_1,     LDR_R2_R0,    UDIV_R2_R0_R0, CMP_R1_R0,  ADDEQ_R2_R2_1,
                             LDM_R0_R2_R3, ADD_R2_R2_R1, MOV_R2_1,      BNE_SKIP_1, MOV_R2_1,
                             STR_R0_R0,    LDR_R2_R1,    ADDEQ_R2_R2_1, EXIT};
    void (*const ways[])(struct machine_config *) = {NULL, broadcast_3, srf, srf_both, srf_inter, both};
    for (unsigned threads = 1, n = 0; threads <= 512; threads += 2 * n + 3, n = (n + 1) % 6) {
        struct bench *b[2];
        for (unsigned skip = 0; skip < 2; ++skip) {
            b[skip] = start(text, sizeof text / 4, threads, 40, ways[n]);
            b[skip]->cluster.exact = !skip;
            for (uint64_t t = T; b[skip]->cluster.mode == CLUSTER_SIMT;)
                t = cluster_simt_step(&b[skip]->cluster, t);
            assert_int_equal(b[skip]->error.status, EXIT_SOUND);
        }
        assert_int_equal(b[0]->cluster.resume, b[1]->cluster.resume);
        assert_memory_equal(b[0]->cluster.cause, b[1]->cluster.cause, sizeof b[0]->cluster.cause);
        assert_memory_equal(b[0]->cluster.uniform.count, b[1]->cluster.uniform.count,
                            sizeof b[0]->cluster.uniform.count);
        bench_free(b[0]);
        bench_free(b[1]);
    }
}

static void no_twin(void *context) {
    (void)context;
}

static void count_cycle(void *context, enum cluster_block block, uint64_t t) {
    (void)t;
    ++((uint64_t *)context)[block];
}

/* With twins the blocks are evaluated once a cycle, in each, and all is as without. */
static void twins_change_nothing(void **state) {
    (void)state;
    const uint32_t text[] = {MOV_R2_1,     UDIV_R2_R0_R0, CMP_R1_R0,  ADDEQ_R2_R2_1, LDM_R0_R2_R3,
                             ADDS_R2_R0_1, LDR_R2_R1_4,   BNE_SKIP_1, MOV_R2_1,      CMP_R0_0,
                             STR_R0_R0,    ADD_R2_R0_R0,  MOV_R3_7,   UDIV_R2_R0_R0, EXIT};
    void (*const ways[])(struct machine_config *) = {NULL, broadcast_3, srf, srf_both, srf_inter, both};
    for (unsigned n = 0; n < 6; ++n) {
        struct bench *b[2];
        uint64_t cycles[CLUSTER_BLOCK_COUNT] = {0};
        const struct cluster_twins twins = {
            .context = cycles,
            .attached =
                {[CLUSTER_BLOCK_TOKENS] = true, [CLUSTER_BLOCK_RENAME] = true, [CLUSTER_BLOCK_REUSE] = true},
            .reset = no_twin,
            .cycle = count_cycle};
        for (unsigned with = 0; with < 2; ++with) {
            b[with] = start(text, sizeof text / 4, 40 + 90 * n, 4, ways[n]);
            b[with]->cluster.twins = with ? &twins : NULL;
            if (with) cluster_simt_begin(&b[with]->cluster, T);
            finish(b[with]);
        }
        assert_int_equal(b[0]->cluster.resume, b[1]->cluster.resume);
        assert_memory_equal(b[0]->cluster.cause, b[1]->cluster.cause, sizeof b[0]->cluster.cause);
        assert_memory_equal(b[0]->cluster.uniform.count, b[1]->cluster.uniform.count,
                            sizeof b[0]->cluster.uniform.count);
        const bool has_srf = b[1]->config.uniform.storage == UNIFORM_SRF, inter = b[1]->config.uniform.inter;
        const uint64_t all = b[1]->end - T;
        assert_int_equal(cycles[CLUSTER_BLOCK_TOKENS], has_srf ? 0 : all);
        assert_int_equal(cycles[CLUSTER_BLOCK_RENAME], has_srf ? all : 0);
        assert_int_equal(cycles[CLUSTER_BLOCK_REUSE], inter ? all : 0);
        bench_free(b[0]);
        bench_free(b[1]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(example_3),
        cmocka_unit_test(four_warps_are_bound_by_collection),
        cmocka_unit_test(each_class_in_one_round),
        cmocka_unit_test(what_is_not_uniform_takes_all_rounds),
        cmocka_unit_test(a_uniform_load_is_one_access_of_lane_0),
        cmocka_unit_test(writes_set_and_clear_tokens),
        cmocka_unit_test(a_broadcast_load_sets_the_token_of_what_it_loads),
        cmocka_unit_test(a_multiple_load_takes_tokens_away_beat_by_beat),
        cmocka_unit_test(a_partial_write_copies_first),
        cmocka_unit_test(a_partial_write_copies_what_is_no_source),
        cmocka_unit_test(only_one_kind_is_executed_for_one_thread),
        cmocka_unit_test(broadcasts_take_their_cycles),
        cmocka_unit_test(a_condition_that_fails_for_all_writes_nothing),
        cmocka_unit_test(the_mask_is_full_when_all_live_threads_participate),
        cmocka_unit_test(a_scalar_is_in_one_line),
        cmocka_unit_test(operations_and_lives_are_counted),
        cmocka_unit_test(a_lone_threads_stack_is_on_its_lane),
        cmocka_unit_test(the_scalar_is_with_a_thread_of_the_last_round),
        cmocka_unit_test(a_wrong_token_is_caught),
        cmocka_unit_test(scalar_registers_take_no_port_of_the_tpm),
        cmocka_unit_test(a_vector_write_frees_the_scalar_register),
        cmocka_unit_test(without_a_free_register_it_is_an_ordinary_instruction),
        cmocka_unit_test(a_multiple_load_takes_a_register_a_beat),
        cmocka_unit_test(a_copy_frees_its_scalar_register),
        cmocka_unit_test(a_hit_takes_a_cycle),
        cmocka_unit_test(inter_alone_converts_only_hits),
        cmocka_unit_test(other_operands_are_no_hit),
        cmocka_unit_test(a_wrong_entry_is_caught),
        cmocka_unit_test(twins_change_nothing),
        cmocka_unit_test(skipping_is_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
