/* core: running ahead (core_run()). Accesses that others may observe or change are made in the core's turn
 * only. Instructions on registers, and accesses of the core's own memory that its caches serve, are executed
 * ahead of it. Cycles are those of stepping. */
#include "model/config/core_kinds.h"
#include "model/core/out_of_order.h"
#include "tests/core/core_fixture.h"
#include "tests/seed.h"

#define MOV_R1_2     0xe3a01002u
#define LDR_R0_R4    0xe5940000u
#define LDR_R0_R4_64 0xe5940040u
#define STR_R1_R4    0xe5841000u
#define LDM_R4_4     0xe894000fu /* ldm r4, {r0-r3} */
#define LDREX_R0_R4  0xe1940f9fu
#define MCRR_START   0xec410751u /* mcrr p7, 5, r0, r1, c1 */
#define FAR          (WARM + 1000)

/* The data are the core's own; their first two lines are in the L2, which may write them, the first in the
 * L1D. */
#define OWN(...)                                                                                             \
    do {                                                                                                     \
        WARMED(__VA_ARGS__);                                                                                 \
        own();                                                                                               \
        warm_data();                                                                                         \
    } while (0)

static void own(void) {
    core.caches_data = true;
    core.alone = core.threads;
}

static void warm_data(void) {
    uint64_t done;
    assert_true(private_l2_access(&core.l2, DATA, true, 0, &done));
    assert_true(private_l2_access(&core.l2, DATA + 64, true, 0, &done));
    assert_non_null(cache_fill(&core.l1d.tags, DATA, 0, 0));
}

static void hits_of_own_memory_are_made_ahead(void **state) {
    (void)state;
    OWN(MOV_R1_2, STR_R1_R4, LDR_R0_R4, LDM_R4_4, MOV_R1_2);
    core_run(&core, &code, 0, FAR);
    assert_int_equal(core.pc, TEXT + 20);
    assert_int_equal(core.next, WARM + 3 + 4 + 1); /* the LDM is four loads */
    assert_int_equal(core.instructions, 5);
    assert_int_equal(core.registers[0], 2);
    assert_int_equal(core.l1d.tags.accesses, 6);
    core_free(&core);
}

/* Checks that the next instruction, in cycle `next`, is not executed ahead of the turn but in it. */
static void waits_for_its_turn(uint32_t pc) {
    const uint64_t t = core.next;
    assert_int_equal(core.pc, pc);
    core_run(&core, &code, t, FAR);
    assert_int_equal(core.next, t);
    core_run(&core, &code, t + 1, FAR);
    assert_int_not_equal(core.next, t);
}

/* The value has been loaded. The fill, which evicts a line, is made in the core's turn. */
static void a_miss_of_own_memory_waits_for_its_turn(void **state) {
    (void)state;
    OWN(MOV_R1_2, LDR_R0_R4_64, MOV_R1_2);
    data[64] = 7;
    core_run(&core, &code, 0, FAR);
    assert_int_equal(core.registers[0], 7);
    assert_int_equal(core.l1d.tags.accesses, 0);
    assert_int_equal(core.next, WARM + 1);
    assert_int_equal(core_working_pc(&core), TEXT + 4);
    waits_for_its_turn(TEXT + 8);
    assert_int_equal(core.l1d.tags.misses, 1);
    assert_int_equal(core.pc, TEXT + 12);
    assert_int_equal(core.next, WARM + 1 + 2 + 8 + 1); /* X, L1D, 8 cycles of the L2; the MOV */
    core_free(&core);
}

static unsigned started;

static bool takes(struct core *c, const struct arm_instruction *i) {
    assert_ptr_equal(c, &core);
    assert_int_equal(i->encoding, MCRR_START);
    return started++ < 2;
}

/* The callback for started contexts is called for each, two cycles apart, until it refuses. Without a
 * callback, the run ends before. */
static void starts_of_contexts_are_made_where_they_are_taken(void **state) {
    (void)state;
    WARMED(MOV_R1_2, MCRR_START, MCRR_START, MOV_R1_2, MCRR_START);
    core_run(&core, &code, 0, FAR);
    assert_int_equal(core.pc, TEXT + 4);
    assert_int_equal(core.next, WARM + 1);
    started = 0;
    core.starts = takes;
    core_run(&core, &code, 0, WARM + 1); /* its cycle is not before the horizon */
    assert_int_equal(started, 0);
    core_run(&core, &code, 0, FAR);
    assert_int_equal(started, 3);
    assert_int_equal(core.pc, TEXT + 16);
    assert_int_equal(core.next, WARM + 1 + 2 + 2 + 1);
    assert_int_equal(core.instructions, 4);
    core_free(&core);
}

static void a_store_without_the_right_to_write_waits_for_its_turn(void **state) {
    (void)state;
    WARMED(MOV_R1_2, STR_R1_R4, MOV_R1_2);
    own();
    core_run(&core, &code, 0, FAR);
    waits_for_its_turn(TEXT + 8);
    assert_int_equal(core.l2.tags.misses - 1, 1); /* besides the text's */
    core_free(&core);
}

/* A walk of fixed length is private to the core; one that reads descriptors uses the L2. */
static void walks_that_ask_the_l2_wait_for_their_turn(void **state) {
    (void)state;
    for (unsigned walk = PAGE_WALK_FIXED; walk <= PAGE_WALK_MEMORY; ++walk) {
        OWN(LDR_R0_R4, MOV_R1_2);
        config.mem.page_walk = walk;
        empty_dtlb();
        core_run(&core, &code, 0, FAR);
        if (walk == PAGE_WALK_FIXED) {
            assert_int_equal(core.next, WARM + 20 + 2);
        } else {
            assert_int_equal(core.dtlb.accesses, 0);
            waits_for_its_turn(TEXT + 4);
        }
        assert_int_equal(core.dtlb.misses, 1);
        core_free(&core);
    }
}

static void shared_memory_is_accessed_in_turn(void **state) {
    (void)state;
    OWN(LDR_R0_R4, STR_R1_R4, LDR_R0_R4, MOV_R1_2);
    static struct memory none;
    core.alone.memory = &none;
    core_run(&core, &code, 0, FAR);
    assert_int_equal(core.next, WARM);
    core_run(&core, &code, WARM + 2, FAR);
    assert_int_equal(core.pc, TEXT + 8);
    assert_int_equal(core.next, WARM + 2);
    waits_for_its_turn(TEXT + 8);
    assert_int_equal(core.pc, TEXT + 16);
    core_free(&core);
}

/* An access of shared memory that began in a turn continues in turns. */
static void a_shared_access_goes_on_in_turn(void **state) {
    (void)state;
    OWN(LDR_R0_R4, MOV_R1_2);
    static struct memory none;
    core.alone.memory = &none;
    empty_dtlb();
    core_run(&core, &code, WARM + 1, FAR);
    assert_int_equal(core.next, WARM + 20);
    assert_int_equal(core.l1d.tags.accesses, 0);
    waits_for_its_turn(TEXT + 4);
    assert_int_equal(core.l1d.tags.accesses, 1);
    core_free(&core);
}

static void nothing_is_done_at_the_horizon(void **state) {
    (void)state;
    OWN(0xe0000695 /* mul r0, r5, r6 */, 0xe0801000 /* add r1, r0, r0 */, MOV_R1_2);
    core_run(&core, &code, 0, WARM + 2);
    assert_int_equal(core.pc, TEXT + 4); /* r0 is ready */
    assert_int_equal(core.next, WARM + 2);
    core_free(&core);
    OWN(LDR_R0_R4, MOV_R1_2);
    empty_dtlb();
    core_run(&core, &code, 0, WARM + 20); /* a walk ends */
    assert_int_equal(core.next, WARM + 20);
    assert_int_equal(core.l1d.tags.accesses, 0);
    core_run(&core, &code, 0, WARM + 21);
    assert_int_equal(core.l1d.tags.accesses, 1);
    core_free(&core);
}

/* A line of code that the L1I does not have. */
static void a_fetch_past_the_l1i_waits_for_its_turn(void **state) {
    (void)state;
    OWN(MOV_R1_2, MOV_R1_2);
    cache_invalidate(&core.l1i);
    core_run(&core, &code, 0, FAR);
    waits_for_its_turn(TEXT);
    core_free(&core);
}

/* The cluster sees exclusive accesses, and all faults, one by one. */
static void exclusive_accesses_and_faults_are_left_to_be_issued(void **state) {
    (void)state;
    OWN(MOV_R1_2, LDREX_R0_R4);
    core_run(&core, &code, FAR, FAR);
    assert_int_equal(core.pc, TEXT + 4);
    core_free(&core);
    OWN(MOV_R1_2, LDR_R0_R4);
    core.registers[4] = DATA - 64;
    core_run(&core, &code, FAR, FAR);
    assert_int_equal(core.pc, TEXT + 4);
    assert_int_equal(core.instructions, 1);
    assert_int_equal(core_issue(&core, &code, core.next, &issued, &x), CORE_FAULTED);
    core_free(&core);
}

/* --- random code --- */

/* All results of a run, except predictions. */
struct outcome {
    uint32_t registers[ARM_REGISTERS];
    uint64_t next, account[MACHINE_CAUSE_COUNT], instructions;
    uint64_t l1d[2], l1i[2], l2[2], dtlb[3], itlb[2], joined, writebacks, full_cycles;
    uint8_t data[sizeof data];
};

static void take_outcome(struct outcome *o) {
    *o = (struct outcome){.next = core.next,
                          .instructions = core.instructions,
                          .l1d = {core.l1d.tags.accesses, core.l1d.tags.misses},
                          .l1i = {core.l1i.accesses, core.l1i.misses},
                          .l2 = {core.l2.tags.accesses, core.l2.tags.misses},
                          .dtlb = {core.dtlb.accesses, core.dtlb.misses, core.dtlb.walk_cycles},
                          .itlb = {core.itlb.accesses, core.itlb.misses},
                          .joined = core.l2.joined,
                          .writebacks = core.l2.writebacks,
                          .full_cycles = core.l1d.full_cycles};
    memcpy(o->registers, core.registers, sizeof o->registers);
    o->registers[15] = 0; /* scratch */
    memcpy(o->account, core.account, sizeof o->account);
    memcpy(o->data, data, sizeof data);
}

/* Returns a random instruction: loads and stores of all kinds around r4 and r5, conditional instructions,
 * uses of pending results, branches. */
static uint32_t random_instruction(struct seed *s) {
    static const uint32_t choice[] = {0xe5940000 /* ldr r0, [r4, #n] */,
                                      0xe5851000 /* str r1, [r5, #n] */,
                                      0xe5d42000 /* ldrb r2, [r4, #n] */,
                                      0xe5950000 /* ldr r0, [r5, #n] */,
                                      0xe5c51000 /* strb r1, [r5, #n] */,
                                      0xe895000c /* ldm r5, {r2, r3} */,
                                      0x15943000 /* ldrne r3, [r4, #n] */,
                                      0xe4957000 /* ldr r7, [r5], #n */,
                                      0xe5250000 /* str r0, [r5, #-n]! */,
                                      MOV_R1_2,
                                      0xe0801001 /* add r1, r0, r1 */,
                                      0xe0010690 /* mul r1, r0, r6 */,
                                      0xe3500000 /* cmp r0, #0 */,
                                      0x03a01005 /* moveq r1, #5 */,
                                      0xe894000f /* ldm r4, {r0-r3} */,
                                      0xe885000f /* stm r5, {r0-r3} */,
                                      0xed940b00 /* vldr d0, [r4, #n] */,
                                      0xee302b00 /* vadd.f64 d2, d0, d0 */,
                                      0xed852b00 /* vstr d2, [r5, #n] */,
                                      0xee820b03 /* vdiv.f64 d0, d2, d3 */,
                                      0xe1c420d0 /* ldrd r2, [r4] */,
                                      0xeaffffff /* b to the next */,
                                      0x1affffff /* bne to the next */,
                                      0xea000000 /* b over the next */,
                                      0x1a000000 /* bne over the next */,
                                      0xe2a11001 /* adc r1, r1, #1 */,
                                      0xe6510f92 /* uadd8 r0, r1, r2 */,
                                      0xe6803fb1 /* sel r3, r0, r1 */,
                                      0xf57ff05f /* dmb sy */,
                                      0xe2844030 /* add r4, r4, #0x30 */,
                                      0xe2455008 /* sub r5, r5, #8 */};
    const uint32_t i = choice[seed_below(s, sizeof choice / sizeof choice[0])];
    const bool word = i >> 28 != 15 && (i & 0x0e000000) == 0x04000000, vfp = (i & 0x0e000f00) == 0x0c000b00;
    return i + (word ? 4 * seed_below(s, 64) : vfp ? 2 * seed_below(s, 16) : 0);
}

#define WORDS 63
#define WFI   0xe320f003u /* the last one */

static enum core_kinds kind;
static unsigned round_number;

/* Chooses kind and widths of the machine by the number of the round. */
static void of_kind(struct machine_config *c) {
    c->core.kind = kind;
    c->core.issue_width = 1 + round_number % 4;
    c->core.lsq = round_number % 5 ? 32 : 2;
    c->core.window = round_number % 7 ? 128 : 4;
    c->core.fetch_queue = round_number % 3 ? 32 : 3;
    c->core.fetch_width = 1u << round_number % 4;
    c->core.front_stages = round_number % 6 ? 8 : 2;
}

/* Varies the configuration with the round, including causes for which an access waits. */
static void vary(unsigned round) {
    static const unsigned entries[] = {0, 0, 1, 4};
    core.l1d.entries = entries[round % 4];
    if (kind == CORE_single) config.core.hit_under_miss = round / 4 % 3;
    config.mem.page_walk = round / 12 % 2;
    config.core.occupancy_cycles[ARM_CLASS_LOAD] = 1 + round / 24 % 2;
}

/* Does nothing, beside the blocks of a core out of order. */
static void ignore_reset(void *context) {
    (void)context;
}
static void ignore_cycle(void *context, enum cluster_block block, uint64_t t) {
    (void)context;
    (void)block;
    (void)t;
}
static const struct cluster_twins beside = {.reset = ignore_reset, .cycle = ignore_cycle, .end = UINT64_MAX};

enum way { STEPS, RUNS, ASKS };                 /* ASKS: as RUNS, with something beside the core's blocks */
static uint64_t forwarded, held_by_part, asked; /* numbers of loads, cycles of loads, cycles of the queue */

static void put_beside(void) {
    struct window *w = core.superscalar->window;
    w->block.requests.twins = w->queue.requests.twins = &beside;
}

static void count_loads(void) {
    const struct window *w = core.superscalar->window;
    forwarded += w->loads_forwarded;
    held_by_part += w->loads_partial;
    asked += w->queue.requests.count;
}

/* Runs random code by stepping, or ahead with irregular turns. */
static void run_random(const uint32_t *text, struct seed turns, enum way way, unsigned round,
                       struct outcome *o) {
    static struct memory part;
    round_number = round;
    cold(text, WORDS, WARM);
    for (unsigned n = 0; n < sizeof data; ++n) data[n] = (uint8_t)(n * 7);
    own();
    vary(round);
    if (way == ASKS) put_beside();
    memory_init(&part);
    memory_add(&part, MEMORY_BUFFER, DATA, round / 48 % 2 ? sizeof data : 2048, data, true, "data");
    core.alone.memory = &part;
    core.registers[4] = DATA + 1024;
    core.registers[5] = DATA + 4096;
    while (core.state != CORE_ASLEEP) {
        const uint64_t turn = core.next + seed_below(&turns, 3) * 20,
                       horizon = core.next + 1 + seed_below(&turns, 90);
        if (way != STEPS) core_run(&core, &code, turn < horizon ? turn : horizon, horizon);
        assert_int_not_equal(core_issue(&core, &code, core.next, &issued, &x), CORE_FAULTED);
        assert_true(core.next < WARM + 100000);
    }
    take_outcome(o);
    if (way == ASKS) count_loads();
    core_free(&core);
}

/* For every kind of core: the same cycles, and the results of `single`. A core that asks its blocks takes the
 * same cycles. */
static void running_is_stepping(void **state) {
    (void)state;
    static struct outcome stepped, ran, asking, single;
    struct seed s = seed_start();
    configure = of_kind;
    for (unsigned round = 0; round < 480; ++round) {
        uint32_t text[WORDS];
        for (unsigned n = 0; n < WORDS; ++n) text[n] = random_instruction(&s);
        text[WORDS - 2] = MOV_R1_2;
        text[WORDS - 1] = WFI;
        for (kind = 0; kind < CORE_KINDS; ++kind) {
            run_random(text, s, STEPS, round, &stepped);
            run_random(text, s, RUNS, round, &ran);
            assert_memory_equal(stepped.registers, ran.registers, sizeof ran.registers);
            assert_int_equal(stepped.next, ran.next);
            assert_memory_equal(stepped.account, ran.account, sizeof ran.account);
            assert_memory_equal(&stepped, &ran, sizeof ran);
            if (kind == 0) single = ran;
            assert_memory_equal(single.registers, ran.registers, sizeof ran.registers);
            assert_memory_equal(single.data, ran.data, sizeof ran.data);
            assert_int_equal(single.instructions, ran.instructions);
            uint64_t sum = WARM;
            for (unsigned n = 0; n < MACHINE_CAUSE_COUNT; ++n) sum += ran.account[n];
            assert_int_equal(sum, ran.next); /* every cycle has one cause */
            if (kind != CORE_out_of_order) continue;
            run_random(text, s, ASKS, round, &asking);
            assert_memory_equal(&asking, &ran, sizeof ran);
        }
    }
    assert_true(forwarded > 100 && held_by_part > 100 && asked > 10000);
    configure = NULL;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hits_of_own_memory_are_made_ahead),
        cmocka_unit_test(a_miss_of_own_memory_waits_for_its_turn),
        cmocka_unit_test(starts_of_contexts_are_made_where_they_are_taken),
        cmocka_unit_test(a_store_without_the_right_to_write_waits_for_its_turn),
        cmocka_unit_test(walks_that_ask_the_l2_wait_for_their_turn),
        cmocka_unit_test(shared_memory_is_accessed_in_turn),
        cmocka_unit_test(a_shared_access_goes_on_in_turn),
        cmocka_unit_test(nothing_is_done_at_the_horizon),
        cmocka_unit_test(a_fetch_past_the_l1i_waits_for_its_turn),
        cmocka_unit_test(exclusive_accesses_and_faults_are_left_to_be_issued),
        cmocka_unit_test(running_is_stepping),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
