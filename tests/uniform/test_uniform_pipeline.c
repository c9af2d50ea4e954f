/* Uniform instructions in the SIMT pipeline against cycles counted by hand from timing.md and
 * docs/uniform.md. */
#include "tests/uniform/uniform_fixture.h"

/* --- issue --- */

/* timing.md §4, Example 3: S 0 · A 1 · F 2 · D 3 · O 4–5 · X 6 · W 7. The other warp: O 6–7 · X 8 · W 9. The
 * first warp is selected again in 8. */
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
        {{CMP_R1_R0, TST_R0_1, EXIT}, 3, first & ~ARM_STATE_NZCV}, /* TST keeps V, … */
        {{CMP_R1_R0, CMP_R0_0, EXIT}, 3, first},                   /* CMP keeps none of them */
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

/* r1 is equal in all threads, but has no token. */
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

/* Until the last register is loaded, the remaining ones keep their tokens, which is correct. */
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

/* The destination is no source, but threads whose condition fails keep its value. The same if only one thread
 * continues after a branch. */
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

/* uniform.intra_only: an instruction of each kind executes for one thread if its kind is selected, otherwise
 * in eight rounds: MOV: O 4, X 5, W 6, or X 5–12, W 13; the same for the branch, the priority operation and
 * the id. EXIT is a priority operation, too. */
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

/* The copy and the vector ADD broadcast a scalar to all lanes; instructions executed for one thread
 * do not. */
static void broadcasts_take_their_cycles(void **state) {
    (void)state;
    const uint32_t text[] = {MOV_R2_1, CMP_R1_R0, ADDEQ_R2_R2_1, EXIT};
    const uint64_t commit[] = {6, 23, 40, 54}; /* CMP: r0 is a scalar: O 11–15; copy: O 28–31; ADDEQ: O 45 */
    struct bench *b = expect_commits(text, 4, 4, broadcast_3, commit, 4);
    assert_int_equal(count_of(b, UNIFORM_COUNT_BROADCAST_CYCLES), 6);
    bench_free(b);
}

/* r0 is not 0: the condition fails for all threads, and nothing is written. CMP: S 7, O 11, X 12; ADDEQ: S
 * 13, O 17, X 18. */
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

/* Thread 0 exits: the others are all live threads. MOV: S 36, X 41, W 42. */
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
    assert_int_equal(count_of(b, UNIFORM_COUNT_UNIFORM), 3); /* including EXIT */
    assert_int_equal(count_of(b, UNIFORM_COUNT_SCALAR), 3);
    assert_int_equal(count_of(b, UNIFORM_COUNT_ALU_OPERATIONS), 4 * 32);
    assert_int_equal(count_of(b, UNIFORM_COUNT_ALU_PROTECTED), 2 * 32);
    assert_int_equal(count_of(b, UNIFORM_COUNT_ALU_EXECUTED), 2 + 2 * 32);
    /* First rounds: MOV 5; ADD, S 7, 12; ADD, S 14, O 18–19, 20, W 28; ADD, S 29, 34; EXIT, S 43, 48. r2 is
     * live as a scalar from 5 to 12 to 20, as a vector to 34; r1 from 0 to 20, r0 from 0 to EXIT, which names
     * it. */
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

/* r1 differs between threads in spite of its token. */
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
            set_exact(b[skip], !skip);
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
        cmocka_unit_test(twins_change_nothing),
        cmocka_unit_test(skipping_is_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
