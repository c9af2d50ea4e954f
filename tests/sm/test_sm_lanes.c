/*
 * Lane groups against cycles counted by hand from lanes.md §1 and §2, and against the closed form and the
 * model of all banks of stsimt Fig. 5. Cycles are relative to T, in which the first instructions are in the
 * buffers.
 */
#include "tests/sm/lanes_bench.h"
#include "tests/seed.h"

#include <math.h>
#include <stdio.h>

/* stsimt Fig. 5 with 8 banks, from an independent model: instructions whose last round has started in the
 * first 2000 cycles, on machines with 1 to 32 warps, with these numbers of threads. `least`: the smallest
 * ratio to the closed form. */
static const unsigned some_threads[] = {1, 4, 8, 12, 16, 24, 32};
static const struct with_banks {
    const char *name;
    unsigned group, started[6][7];
    enum bank_map map;
    double least;
} with_banks[] = {
    {"SIMT",
     8,
     {{125, 125, 125, 125, 125, 125, 125},
      {250, 250, 250, 250, 250, 250, 250},
      {499, 499, 499, 499, 499, 499, 499},
      {499, 499, 499, 499, 499, 499, 499},
      {499, 499, 499, 499, 499, 499, 499},
      {499, 499, 499, 499, 499, 499, 499}},
     BANK_MAP_BY_KIND,
     0.99},
    {"groups of 1",
     1,
     {{154, 154, 154, 153, 124, 83, 62},
      {308, 308, 308, 306, 248, 166, 124},
      {616, 616, 614, 612, 496, 332, 248},
      {1232, 1230, 1226, 1224, 992, 663, 496},
      {1998, 1995, 1991, 1327, 992, 663, 496},
      {1998, 1995, 1991, 1327, 992, 663, 496}},
     BANK_MAP_BY_KIND,
     0.99},
    {"groups of 2",
     2,
     {{154, 154, 154, 154, 154, 153, 124},
      {308, 308, 308, 308, 308, 306, 248},
      {616, 616, 616, 616, 614, 612, 496},
      {1232, 1232, 1230, 1228, 996, 664, 496},
      {1998, 1997, 1995, 1329, 996, 664, 496},
      {1998, 1997, 1995, 1329, 996, 664, 496}},
     BANK_MAP_BY_KIND,
     0.99},
    {"groups of 4",
     4,
     {{154, 154, 154, 154, 154, 154, 154},
      {308, 308, 308, 308, 308, 308, 308},
      {616, 616, 612, 572, 616, 614, 498},
      {1232, 1232, 1144, 1142, 998, 665, 498},
      {1998, 1998, 1997, 1331, 998, 665, 498},
      {1998, 1998, 1997, 1331, 998, 665, 498}},
     BANK_MAP_BY_KIND,
     0.925},
    {"groups of 1, vrf.bank_map warp",
     1,
     {{154, 125, 100, 83, 62, 41, 31},
      {308, 250, 200, 166, 124, 82, 62},
      {616, 500, 400, 332, 248, 164, 124},
      {1232, 1000, 800, 664, 496, 328, 248},
      {1998, 1995, 995, 664, 496, 328, 248},
      {1998, 1995, 995, 664, 496, 328, 248}},
     BANK_MAP_WARP,
     0.49},
};

static uint32_t dependent[2600];

/* Creates a machine with lane groups of `group` lanes; 8: spatial lanes. */
static struct sm_bench *chains(unsigned group, unsigned banks, unsigned warps, unsigned threads,
                               enum bank_map map) {
    struct sm_bench *b = bench(group);
    const unsigned length = sizeof dependent / sizeof *dependent;
    if (group == 8) {
        b->config.lanes.kind = LANES_SPATIAL;
        b->config.lanes.group = 1;
    }
    b->config.vrf.banks = banks;
    b->config.vrf.bank_map = map;
    for (unsigned n = 0; n < length - 1; ++n) dependent[n] = ADD_R2_R2_R1;
    dependent[length - 1] = EXIT;
    sm_begin(b, dependent, length, threads, warps, 4);
    return b;
}

/* Returns the closed form: spatial min(n/4, w·n/16), otherwise for lane groups. */
static double closed_form(unsigned group, unsigned warps, unsigned threads) {
    if (group == 8) return fmin(threads / 4.0, warps * threads / 16.0);
    const unsigned groups = 8 / group, rounds = (threads + group - 1) / group,
                   in_each = warps < groups ? 1 : warps / groups;
    const double each = fmax(rounds, 13.0 / in_each);
    return fmin(threads, (warps < groups ? warps : groups) * threads / each);
}

static unsigned started_in_2000(struct sm_bench *b) {
    unsigned started = 0;
    sm_run(b, 2000, 1);
    assert_int_equal(b->error.status, EXIT_SOUND);
    for (unsigned n = 0; n < b->sm.issued; ++n) started += b->note[n].x_last != 0;
    for (unsigned n = 0; n < b->sm.flight_room; ++n) { /* some rounds have, but not the last */
        const struct sm_flight *f = &b->sm.flight[n];
        if (f->i && f->age < b->sm.issued && f->x_round && f->x_round < f->rounds) --started;
    }
    return started;
}

static void dependent_instructions_with_all_banks(void **state) {
    (void)state;
    for (unsigned m = 0; m < sizeof with_banks / sizeof *with_banks; ++m) {
        const struct with_banks *machine = &with_banks[m];
        double least = 1, sum = 0;
        for (unsigned w = 0; w < 6; ++w)
            for (unsigned k = 0; k < 7; ++k) {
                struct sm_bench *b = chains(machine->group, 8, 1u << w, some_threads[k], machine->map);
                const unsigned started = started_in_2000(b);
                if (started != machine->started[w][k])
                    fail_msg("%s, %u warps of %u threads: %u, not %u", machine->name, 1u << w,
                             some_threads[k], started, machine->started[w][k]);
                const double of = started * some_threads[k] / 2000.0 /
                                  closed_form(machine->group, 1u << w, some_threads[k]);
                least = fmin(least, of);
                sum += of / 42;
                sm_bench_free(b);
            }
        print_message("%s: all of 42 as the model; of the closed form %.3f in the mean, %.3f at least\n",
                      machine->name, sum, least);
        assert_true(least >= machine->least);
    }
}

/* The issue pattern repeats after 13 cycles, or after one cycle for each round. Both periods divide 1248: the
 * instructions of 1248 cycles are counted, after 1248 cycles of start-up. */
static void closed_form_without_banks(void **state) {
    (void)state;
    for (unsigned g = 1; g <= 8; g *= 2) {
        double worst = 0;
        for (unsigned warps = 1; warps <= 32; warps *= 2)
            for (unsigned k = 0; k < 7; ++k) {
                const unsigned n = some_threads[k];
                const double expected = closed_form(g, warps, n);
                struct sm_bench *b = chains(g, 0, warps, n, BANK_MAP_BY_KIND);
                sm_run(b, 1248, 1);
                const uint64_t before = b->sm.thread_instructions;
                sm_run(b, 2 * 1248, 1);
                const double ipc = (double)(b->sm.thread_instructions - before) / 1248,
                             off = fabs(ipc / expected - 1);
                if (off > 0.01)
                    fail_msg("g = %u, %u warps of %u threads: IPC %.4f, not %.4f", g, warps, n, ipc,
                             expected);
                worst = fmax(worst, off);
                sm_bench_free(b);
            }
        print_message("g = %u: 42 of 42 within %.3f %% of the closed form\n", g, 100 * worst);
    }
}

/* --- rounds of a run, and one group of all lanes --- */

#define WORDS 200

/* Additions, subtractions, comparisons and conditional additions, at random; loads and stores of global
 * memory at r1, if they may be among them. */
static void random_text(struct seed *seed, bool memory, uint32_t text[WORDS]) {
    for (unsigned n = 0; n < WORDS - 1; ++n) {
        const unsigned d = 2 + (unsigned)seed_below(seed, 6), a = (unsigned)seed_below(seed, 8),
                       b = (unsigned)seed_below(seed, 8);
        static const uint32_t kinds[] = {0xe0800000u /* add */, 0xe0400000u /* sub */,
                                         0x10800000u /* addne */};
        static const uint32_t accesses[] = {0xe5910000u /* ldr */, 0x15910000u /* ldrne */,
                                            0xe5810000u /* str */, 0xe5d10000u /* ldrb */};
        switch (seed_below(seed, 8)) {
        case 0: text[n] = 0xe1500000u | a << 16 | b; break; /* cmp */
        case 1:
            if (memory) {
                text[n] = accesses[seed_below(seed, 4)] | d << 12 | (uint32_t)(4 * seed_below(seed, 1000));
                break;
            }
            /* fall through */
        case 2:
            if (memory && seed_below(seed, 4) == 0) {
                text[n] = 0xe891003cu; /* ldm r1, {r2-r5} */
                break;
            }
            /* fall through */
        default: text[n] = kinds[seed_below(seed, 3)] | a << 16 | d << 12 | b;
        }
    }
    text[WORDS - 1] = EXIT;
}

/* `rounds` counts, for all instructions of a run, the aligned groups of positions with an active thread, at
 * least one each; `skipped` the others. */
static void rounds_of_a_run_add_up(void **state) {
    (void)state;
    static uint32_t text[WORDS];
    for (unsigned group = 1; group <= 8; group *= 2) {
        uint64_t rounds = 0, skipped = 0, instructions = 0;
        for (uint64_t n = 1; n <= 10; ++n) {
            struct seed seed = seed_of(n);
            const unsigned warps = 1 + (unsigned)seed_below(&seed, 8),
                           threads = 1 + (unsigned)seed_below(&seed, 32);
            struct sm_bench *b = bench(group);
            uint64_t expected = 0;
            random_text(&seed, false, text);
            sm_begin(b, text, WORDS, threads, warps, 4);
            sm_run(b, 40000, 20);
            assert_int_equal(b->sm.issued, warps * WORDS);
            for (unsigned k = 0; k < b->sm.issued; ++k) {
                unsigned of_it = 0;
                for (unsigned first = 0; first < 32; first += group)
                    of_it += (b->passed[k] >> first & ((1u << group) - 1)) != 0;
                expected += of_it ? of_it : 1;
            }
            assert_int_equal(b->sm.lanes.rounds, expected);
            assert_int_equal(b->sm.lanes.skipped, b->sm.issued * 32 / group - expected);
            rounds += expected;
            skipped += b->sm.lanes.skipped;
            instructions += b->sm.issued;
            sm_bench_free(b);
        }
        print_message("groups of %u: %llu instructions, %llu rounds executed, %llu skipped\n", group,
                      (unsigned long long)instructions, (unsigned long long)rounds,
                      (unsigned long long)skipped);
    }
}

/* Creates a machine with one group of all lanes, or spatial lanes with the same rules. */
static struct sm_bench *all_lanes(bool apart, unsigned banks) {
    struct sm_bench *b = bench(8);
    b->config.vrf.banks = banks;
    b->config.vrf.bank_map = banks ? BANK_MAP_ROUND : BANK_MAP_BY_KIND;
    b->config.lanes.chaining = CHAINING_ON;
    b->config.simt.compaction = COMPACTION_ROUND;
    if (apart) return b;
    b->config.lanes.kind = LANES_SPATIAL;
    b->config.lanes.group = 1;
    return b;
}

/* Checks that the rounds of each instruction start in the same cycles. */
static unsigned same_rounds(const struct sm_bench *apart, const struct sm_bench *spatial, const char *what,
                            uint64_t *issued) {
    unsigned n = 0;
    for (; n < apart->sm.issued && n < spatial->sm.issued && n < NOTES; ++n) {
        const struct note *a = &apart->note[n], *b = &spatial->note[n];
        *issued += a->i == b->i;
        if (a->x != b->x || a->x_last != b->x_last || a->warp != b->warp)
            fail_msg("%s, instruction %u of warp %u: X %llu, %llu; last %llu, %llu", what, n, a->warp,
                     (unsigned long long)a->x, (unsigned long long)b->x, (unsigned long long)a->x_last,
                     (unsigned long long)b->x_last);
    }
    return n;
}

/* An instruction may issue later in a group, when its instruction register is free, but its first
 * round does not go later. */
static void a_group_of_all_lanes_is_spatial(void **state) {
    (void)state;
    for (unsigned banks = 0; banks <= 8; banks += 8) {
        unsigned compared = 0;
        uint64_t issued = 0;
        for (unsigned warps = 1; warps <= 32; warps *= 2)
            for (unsigned k = 0; k < 7; ++k) {
                struct sm_bench *apart = all_lanes(true, banks), *spatial = all_lanes(false, banks);
                const unsigned words = sizeof dependent / sizeof *dependent;
                sm_begin(apart, dependent, words, some_threads[k], warps, 4);
                sm_begin(spatial, dependent, words, some_threads[k], warps, 4);
                sm_run(apart, 2000, 1);
                sm_run(spatial, 2000, 1);
                compared += same_rounds(apart, spatial, "chains", &issued);
                sm_bench_free(apart);
                sm_bench_free(spatial);
            }
        if (banks) assert_int_equal(issued, compared);
        print_message("%u banks: %u instructions of chains have their rounds in the same cycles, %llu issue "
                      "in the same\n",
                      banks, compared, (unsigned long long)issued);
    }
}

/* Lets two machines of three find uniform values, and one of four execute threads without gaps. */
static void vary(struct sm_bench *b, uint64_t n) {
    b->config.uniform.storage = (uint32_t)(n % 3);
    b->config.uniform.intra = n % 3 != 0;
    b->config.uniform.inter = n % 3 && n % 2;
    b->config.uniform.srf_registers = 64;
    b->config.uniform.irb_tag_bits = 10;
    if (n % 4) return;
    b->config.simt.mitigation = MITIGATION_SLP;
    b->config.simt.compaction = COMPACTION_NONE;
}

/* The same with random code, with and without accesses to global memory: while the load-store unit sends the
 * requests of an instruction, the only group delivers no addresses of the next. */
static void random_code_of_a_group_of_all_lanes(void **state) {
    (void)state;
    static uint32_t text[WORDS];
    static const uint32_t strides[] = {0, 4, 8, 60, 128, 2052};
    for (unsigned memory = 0; memory < 2; ++memory) {
        unsigned compared = 0;
        uint64_t issued = 0, transactions = 0;
        for (uint64_t n = 1; n <= 60; ++n) {
            struct seed seed = seed_of(n);
            const unsigned warps = 1 + (unsigned)seed_below(&seed, 8),
                           threads = 1 + (unsigned)seed_below(&seed, 32);
            const uint32_t stride = strides[seed_below(&seed, sizeof strides / sizeof *strides)];
            struct sm_bench *apart = all_lanes(true, 8), *spatial = all_lanes(false, 8);
            char what[80];
            snprintf(what, sizeof what, "seed %llu, %u warps of %u threads, stride %u", (unsigned long long)n,
                     warps, threads, stride);
            random_text(&seed, memory, text);
            vary(apart, n);
            vary(spatial, n);
            sm_begin(apart, text, WORDS, threads, warps, stride);
            sm_begin(spatial, text, WORDS, threads, warps, stride);
            sm_run(apart, 60000, 20);
            sm_run(spatial, 60000, 20);
            assert_int_equal(apart->error.status, EXIT_SOUND);
            assert_int_equal(apart->sm.issued, spatial->sm.issued);
            if (n % 3 == 0) assert_int_equal(apart->sm.issued, warps * WORDS); /* no copies */
            assert_int_equal(apart->sm.ldst->transactions, spatial->sm.ldst->transactions);
            transactions += apart->sm.ldst->transactions;
            compared += same_rounds(apart, spatial, what, &issued);
            sm_bench_free(apart);
            sm_bench_free(spatial);
        }
        assert_int_equal(issued, compared);
        assert_true(memory ? transactions > 10000 : transactions == 0);
        print_message("%u random instructions issue, and have their rounds, in the same cycles; %llu "
                      "transactions of global memory\n",
                      compared, (unsigned long long)transactions);
    }
}

/* Eight threads on one lane: I 0, X 2–9, the first W in 13; a dependent instruction issues then. With 32
 * threads the lane is the limit: X 2–33, 34–65, 66–97. */
static void a_consumer_follows_its_producer(void **state) {
    (void)state;
    struct sm_bench *b = chains(1, 8, 1, 8, BANK_MAP_BY_KIND);
    EXPECT_ISSUES(b, 0, 13, 26, 39);
    assert_int_equal(b->note[1].x, 15);
    assert_int_equal(b->note[1].x_last, 22);
    sm_bench_free(b);
    b = chains(1, 8, 1, 32, BANK_MAP_BY_KIND);
    sm_run(b, 200, 1);
    for (unsigned n = 0; n < 3; ++n) {
        assert_int_equal(b->note[n].x, 2 + 32 * n);
        assert_int_equal(b->note[n].x_last, 33 + 32 * n);
    }
    sm_bench_free(b);
}

/* CMP reads registers of adjacent banks, so three rounds take two cycles: its last in 6, in which the next
 * one issues; that has X 10–17 behind the CMP's 2–9, W 21–28. An addition for the same threads issues in 21;
 * one whose condition fails in thread 0 (r1 is r0 there) in 28, as all would without chaining. */
static void others_wait_for_the_last_round(void **state) {
    (void)state;
    const uint32_t same[] = {CMP_R0_R1, ADD_R2_R0_R1, ADD_R3_R2_R1, EXIT};
    const uint32_t fewer[] = {CMP_R0_R1, ADD_R2_R0_R1, ADDNE_R4_R2_R1, EXIT};
    for (unsigned n = 0; n < 3; ++n) {
        struct sm_bench *b = bench(1);
        if (n == 2) b->config.lanes.chaining = CHAINING_OFF;
        sm_begin(b, n == 1 ? fewer : same, 4, 8, 1, 4);
        EXPECT_ISSUES(b, 0, 6, n == 0 ? 21 : 28);
        sm_bench_free(b);
    }
}

/* VDIV: operands are read until 6; the special function units take two threads in each of 7–10. Its lane
 * continues meanwhile: the addition has X 8. W of the first two threads 47. */
static void special_functions_are_shared(void **state) {
    (void)state;
    const uint32_t text[] = {VDIV_S2_S0_S1, ADD_R2_R0_R1, VADD_S3_S2_S2, EXIT};
    struct sm_bench *b = bench(1);
    b->config.core.latency_cycles[ARM_CLASS_VFP_DIVIDE_SINGLE] = 40;
    sm_begin(b, text, 4, 8, 1, 4);
    EXPECT_ISSUES(b, 0, 6, 47);
    assert_int_equal(b->note[0].x, 7);
    assert_int_equal(b->note[0].x_last, 10);
    assert_int_equal(b->note[1].x, 8);
    sm_bench_free(b);
    b = bench(1); /* two lanes: I 0 and 1, the second's threads 11–14 */
    b->config.core.latency_cycles[ARM_CLASS_VFP_DIVIDE_SINGLE] = 40;
    sm_begin(b, text, 4, 8, 2, 4);
    sm_run(b, 40, 1);
    assert_int_equal(b->note[1].x, 11);
    assert_int_equal(b->note[1].x_last, 14);
    sm_bench_free(b);
}

static struct sm_bench *local_loads(enum lanes_kind kind, unsigned threads, unsigned warps, uint32_t stride) {
    static const uint32_t text[] = {LDR_R0_R1, EXIT};
    struct sm_bench *b = bench(1);
    b->config.lanes.kind = kind;
    b->local_bytes = 4096;
    b->base = MEMORY_LOCAL_BASE;
    b->config.cluster.local_bytes = 4096;
    b->config.local.size_bytes = 1 << 17;
    sm_begin(b, text, 2, threads, warps, stride);
    return b;
}

/* Eight lanes access bank 0 of their work-groups' memories, four threads each, from cycle 3 on: one is served
 * in each cycle, the last of 32 in 34. One warp of 32 threads in bank 0: a round in each cycle, 3–34, no
 * conflict. */
static void local_memory_serves_lanes_by_bank(void **state) {
    (void)state;
    struct sm_bench *b = local_loads(LANES_TEMPORAL, 4, 8, 0);
    sm_run(b, 34, 1);
    assert_int_equal(b->sm.ldst->local_accesses, 31);
    sm_run(b, 35, 1);
    assert_int_equal(b->sm.ldst->local_accesses, 32);
    assert_int_equal(b->sm.lanes.robbed, b->sm.ldst->local_passes - 32);
    assert_true(b->sm.lanes.robbed > 100);
    print_message("eight lanes in one bank: the last of 32 rounds in cycle 34, %llu presented in vain\n",
                  (unsigned long long)b->sm.lanes.robbed);
    sm_bench_free(b);
    b = local_loads(LANES_TEMPORAL, 32, 1, 64);
    sm_run(b, 34, 1);
    assert_int_equal(b->sm.ldst->local_accesses, 31);
    sm_run(b, 35, 1);
    assert_int_equal(b->sm.ldst->local_accesses, 32);
    assert_int_equal(b->sm.lanes.robbed, 0);
    sm_bench_free(b);
}

/* Spatial lanes resolve by half-warps: of 32 threads in one bank, 16 passes each. */
static void spatial_lanes_conflict_within_a_half_warp(void **state) {
    (void)state;
    struct sm_bench *b = local_loads(LANES_SPATIAL, 32, 1, 64);
    sm_run(b, 200, 1);
    print_message("a spatial warp in one bank: %llu passes\n", (unsigned long long)b->sm.ldst->local_passes);
    assert_int_equal(b->sm.ldst->local_passes, 2 * 16);
    sm_bench_free(b);
}

/* X 2–9, served in 3–10, W of round v four cycles after: 8–15. A consumer chains: it issues in 8. */
static void local_loads_are_followed_round_by_round(void **state) {
    (void)state;
    const uint32_t text[] = {LDR_R0_R1, 0xe0803001u /* add r3, r0, r1 */, EXIT};
    struct sm_bench *b = bench(1);
    b->local_bytes = b->config.cluster.local_bytes = 4096;
    b->base = MEMORY_LOCAL_BASE;
    sm_begin(b, text, 3, 8, 1, 4);
    EXPECT_ISSUES(b, 0, 8);
    sm_bench_free(b);
}

/* Fig. 6 of the paper: two work-groups of 84 threads: warps in lanes 0 1 2 and 3 4 5. */
static void warps_take_turns_at_lanes(void **state) {
    (void)state;
    static const uint32_t text[] = {EXIT, EXIT};
    struct sm_bench *b = bench(1);
    sm_begin(b, text, 2, 84, 2, 4);
    assert_int_equal(b->sm.group[0].warps, 0x07);
    assert_int_equal(b->sm.group[1].warps, 0x38);
    assert_int_equal(b->sm.lanes.turn, 6);
    print_message("two work-groups of 84 threads: warps in lanes %#x and %#x\n",
                  (unsigned)b->sm.group[0].warps, (unsigned)b->sm.group[1].warps);
    sm_bench_free(b);
}

/* 112 threads, three and a half warps: the second work-group's half warp is placed with the first's, in slot
 * 1 of lane 3, so that two half warps have 16 registers a thread. */
static void half_warps_stand_together(void **state) {
    (void)state;
    static const uint32_t text[] = {EXIT, EXIT};
    struct sm_bench *b = bench(1);
    b->config.lanes.exact_allocation = 1;
    sm_begin(b, text, 2, 112, 2, 4);
    assert_int_equal(b->sm.group[0].warps, 0x0f);
    assert_int_equal(b->sm.group[1].warps, 0x70 | 1 << 11);
    assert_int_equal(b->sm.registers_left[3], 32768 / 8 - 2 * 16 * 16);
    assert_int_equal(b->sm.registers_left[4], 32768 / 8 - 32 * 16);
    assert_int_equal(b->sm.registers_left[7], 32768 / 8);
    assert_int_equal(b->sm.lanes.turn, 7);
    unsigned words = 32768;
    for (unsigned lane = 0; lane < 8; ++lane) words -= b->sm.registers_left[lane];
    assert_int_equal(words, 2 * 112 * 16);
    print_message("two of 112, of 16 registers: %u words; half warps are warps 3 and 11, both of lane 3\n",
                  words);
    sm_bench_free(b);
}

/* No lane has room for the third warp: the work-group waits, and the turn does not change. */
static void a_work_group_without_room_waits(void **state) {
    (void)state;
    static const uint32_t text[] = {EXIT, EXIT};
    struct sm_bench *b = bench(1);
    b->config.vrf.registers = 8 * 32 * 47; /* words for 16 registers: two warps a lane */
    sm_begin(b, text, 2, 32 * 7, 2, 4);
    assert_int_equal(b->sm.lanes.turn, 14 % 8);
    assert_false(sm_has_room(&b->sm)); /* two warps are free, in lanes 6 and 7 */
    assert_int_equal(b->sm.lanes.turn, 14 % 8);
    sm_bench_free(b);
}

/* Two warps of a work-group exit in successive cycles. */
static void a_warp_may_leave_before_its_work_group(void **state) {
    (void)state;
    static const uint32_t text[] = {ADD_R2_R0_R1, EXIT};
    for (unsigned on = 0; on < 2; ++on) {
        struct sm_bench *b = bench(1);
        b->config.lanes.free_on_warp_exit = on;
        sm_begin(b, text, 2, 64, 1, 4);
        const warp_set free = b->sm.free_warps;
        for (unsigned n = 1; b->sm.free_warps == free && n < 400; ++n) sm_run(b, n, 1);
        assert_int_equal(b->sm.free_warps ^ free, on ? 1 : 3);
        assert_int_equal(b->sm.registers_left[0], 32768 / 8);
        assert_int_equal(b->sm.registers_left[1], on ? 32768 / 8 - 32 * 16 : 32768 / 8);
        assert_int_equal(b->sm.groups_used, on);
        sm_run(b, 500, 1);
        assert_int_equal(b->sm.groups_used, 0);
        assert_int_equal(b->sm.registers_left[1], 32768 / 8);
        sm_bench_free(b);
    }
}

/* Two independent instructions of one warp, 32 threads: bound they go through its lane, X 2–33 and 34–65;
 * unbound through two, I 0 and 1, X 2 and 3. */
static void unbound_instructions_go_anywhere(void **state) {
    (void)state;
    const uint32_t text[] = {ADD_R2_R0_R1, 0xe0804001u /* add r4, r0, r1 */, EXIT};
    for (unsigned bound = 0; bound < 2; ++bound) {
        struct sm_bench *b = bench(1);
        b->config.lanes.bound = bound;
        sm_begin(b, text, 3, 32, 1, 4);
        sm_run(b, 200, 1);
        assert_int_equal(b->note[0].x, 2);
        assert_int_equal(b->note[1].x, bound ? 34 : 3);
        assert_int_equal(b->sm.lanes.warps_instructions[1], bound ? 0 : 1);
        sm_bench_free(b);
    }
}

#define LANE_TO_R4 0xee104710u /* mrc p7, 0, r4, c0, c0, 0 */
#define LANE_TO_R5 0xee105710u

static uint32_t read_register(const struct sm_bench *b, unsigned warp, unsigned r, unsigned k) {
    return b->sm.warp[warp].threads.registers[r * b->sm.warp_size + k];
}

/* Warp w is in lane group w mod groups, thread k of it in lane k mod width of the group. */
static void threads_read_the_number_of_their_lane(void **state) {
    (void)state;
    static const uint32_t text[] = {LANE_TO_R4, EXIT};
    for (unsigned width = 1; width <= 8; width *= 2) {
        struct sm_bench *b = bench(width);
        if (width == 8) b->config.lanes.kind = LANES_SPATIAL;
        sm_begin(b, text, 2, 64, 6, 4);
        sm_run(b, 300, 1);
        assert_int_equal(b->sm.groups_done, 6);
        for (unsigned w = 0; w < 12; ++w)
            for (unsigned k = 0; k < 32; ++k)
                assert_int_equal(read_register(b, w, 4, k), w % (8 / width) * width + k % width);
        sm_bench_free(b);
    }
}

/* The second instruction of the warp uses another lane. */
static void unbound_threads_read_the_lane_that_executes(void **state) {
    (void)state;
    static const uint32_t text[] = {LANE_TO_R4, LANE_TO_R5, EXIT};
    struct sm_bench *b = bench(1);
    b->config.lanes.bound = false;
    sm_begin(b, text, 3, 32, 1, 4);
    sm_run(b, 200, 1);
    for (unsigned k = 0; k < 32; ++k) assert_int_equal(read_register(b, 0, 4, k), 0);
    for (unsigned k = 0; k < 32; ++k) assert_int_equal(read_register(b, 0, 5, k), 1);
    sm_bench_free(b);
}

/* 1024 threads on 8 lanes; two work-groups of 40 threads, in two warps each, are 16 contexts a lane. */
static void contexts_are_those_of_a_lane(void **state) {
    (void)state;
    static const uint32_t text[] = {0xee104790u /* mrc p7, 0, r4, c0, c0, 4 */,
                                    0xee1057b0u /* mrc p7, 0, r5, c0, c0, 5 */, EXIT, EXIT};
    struct sm_bench *b = bench(8);
    b->config.lanes.kind = LANES_SPATIAL;
    b->config.cluster.groups = 2;
    sm_begin(b, text, 4, 40, 2, 4);
    sm_run(b, 200, 1);
    assert_int_equal(read_register(b, 3, 4, 7), 128);
    assert_int_equal(read_register(b, 3, 5, 7), 16);
    sm_bench_free(b);
}

/* Eight lanes with an instruction each: seven wait in cycle 0, then six and so on. */
static void issue_conflicts_are_counted(void **state) {
    (void)state;
    struct sm_bench *b = chains(1, 8, 8, 8, BANK_MAP_BY_KIND);
    sm_run(b, 8, 1);
    assert_int_equal(b->sm.lanes.conflicts[0], 1);
    assert_int_equal(b->sm.lanes.conflicts[1], 1);
    assert_int_equal(b->sm.lanes.conflicts[2], 5);
    sm_bench_free(b);
}

/* Spatial lanes: four threads take one round of four; a dependent instruction issues L + 2 = 13 cycles later,
 * not 16. */
static void spatial_lanes_may_skip_rounds(void **state) {
    (void)state;
    for (unsigned compaction = 0; compaction < 2; ++compaction) {
        struct sm_bench *b = bench(2);
        b->config.lanes.kind = LANES_SPATIAL;
        b->config.lanes.group = 1;
        b->config.simt.compaction = compaction ? COMPACTION_ROUND : COMPACTION_NONE;
        const uint32_t text[] = {ADD_R2_R0_R1, ADD_R3_R2_R1, EXIT};
        sm_begin(b, text, 3, 4, 1, 4);
        EXPECT_ISSUES(b, 0, compaction ? 13 : 16);
        assert_int_equal(b->sm.lanes.rounds, compaction ? 3 : 12);
        assert_int_equal(b->sm.lanes.skipped, compaction ? 9 : 0);
        sm_bench_free(b);
    }
}

/* A load of 32 words: X 2–33, two transactions of 64 bytes in 34 and 35, answered 100 cycles later, at the
 * end of 134 and 135: W from 136 on; a dependent instruction follows from 136 on. */
static void addresses_of_loads_are_collected(void **state) {
    (void)state;
    const uint32_t text[] = {LDR_R0_R1, 0xe0803001u /* add r3, r0, r1 */, EXIT};
    struct sm_bench *b = bench(1);
    sm_begin(b, text, 3, 32, 1, 4);
    EXPECT_ISSUES(b, 0, 136);
    sm_bench_free(b);
}

/* Two loads of 8 words, one transaction each: X 2–9, sent in 10–17. The second, whose operands have been read
 * long before, has X 18–25, is sent in 26–33 and answered at the end of 133. With ldst.overlap it has X
 * 10–17, sent in 18–25, answered at the end of 125. For two warps on different lanes, the second's addresses
 * arrive meanwhile, X 3–10, and are sent in 18–25. */
static void a_lane_group_delivers_one_after_the_other(void **state) {
    (void)state;
    const uint32_t text[] = {LDR_R0_R1, 0xe5913040u /* ldr r3, [r1, #64] */, 0xe0834001u /* add r4, r3, r1 */,
                             EXIT};
    struct sm_bench *b;
    for (unsigned overlap = 0; overlap < 2; ++overlap) {
        b = bench(1);
        b->config.ldst.overlap = overlap;
        sm_begin(b, text, 4, 8, 1, 128);
        EXPECT_ISSUES(b, 0, 4, overlap ? 126 : 134);
        sm_bench_free(b);
    }
    const uint32_t one[] = {LDR_R0_R1, 0xe0804001u /* add r4, r0, r1 */, EXIT};
    b = bench(1);
    sm_begin(b, one, 3, 8, 2, 128);
    EXPECT_ISSUES(b, 0, 1, 118, 126);
    sm_bench_free(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(dependent_instructions_with_all_banks),
                                       cmocka_unit_test(closed_form_without_banks),
                                       cmocka_unit_test(rounds_of_a_run_add_up),
                                       cmocka_unit_test(a_group_of_all_lanes_is_spatial),
                                       cmocka_unit_test(random_code_of_a_group_of_all_lanes),
                                       cmocka_unit_test(a_consumer_follows_its_producer),
                                       cmocka_unit_test(others_wait_for_the_last_round),
                                       cmocka_unit_test(special_functions_are_shared),
                                       cmocka_unit_test(local_memory_serves_lanes_by_bank),
                                       cmocka_unit_test(spatial_lanes_conflict_within_a_half_warp),
                                       cmocka_unit_test(local_loads_are_followed_round_by_round),
                                       cmocka_unit_test(warps_take_turns_at_lanes),
                                       cmocka_unit_test(half_warps_stand_together),
                                       cmocka_unit_test(a_work_group_without_room_waits),
                                       cmocka_unit_test(a_warp_may_leave_before_its_work_group),
                                       cmocka_unit_test(unbound_instructions_go_anywhere),
                                       cmocka_unit_test(threads_read_the_number_of_their_lane),
                                       cmocka_unit_test(unbound_threads_read_the_lane_that_executes),
                                       cmocka_unit_test(contexts_are_those_of_a_lane),
                                       cmocka_unit_test(issue_conflicts_are_counted),
                                       cmocka_unit_test(spatial_lanes_may_skip_rounds),
                                       cmocka_unit_test(addresses_of_loads_are_collected),
                                       cmocka_unit_test(a_lane_group_delivers_one_after_the_other)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
