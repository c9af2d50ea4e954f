/* Scalar threads, cycle for cycle: scalar-unit.md §4.1 (cycles from T). */
#include "model/config/divergence_kind.h"
#include "model/sm/scalar_parts.h"
#include "tests/sm/sm_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#define NOP           0xe320f000u
#define ADD(d, n)     (0xe2800001u | (n) << 16 | (d) << 12)       /* add rd, rn, #1 */
#define ADDR(d, n, m) (0xe0800000u | (n) << 16 | (d) << 12 | (m)) /* add rd, rn, rm */
#define LDR(t, n)     (0xe5900000u | (n) << 16 | (t) << 12)
#define DIVIDE        0xee800a20u /* vdiv.f32 s0, s0, s1 */
#define SYNC          0xee040730u
#define BARRIER       0xee040710u
#define CLOCK         0xec510788u /* mrrc p7, 8, r0, r1, c8 */
#define B_NEXT        0xeaffffffu /* b to the next instruction */
#define MOST          256

struct issued {
    unsigned slot, n; /* the n-th word of the text */
    uint64_t t;
};
struct fixture {
    struct sm_bench *b;
    struct issued scalar[MOST];
    unsigned count;
    uint64_t opened; /* the cycle in which the first barrier opened */
    uint64_t simt;   /* cycle in which a warp issued first after that */
};

static void (*change)(struct machine_config *c); /* changes the next machine; NULL: no change */

static struct fixture begin_on(unsigned units, const uint32_t *text, unsigned words, unsigned at,
                               unsigned threads, unsigned groups, unsigned divisor) {
    struct fixture f = {.b = sm_bench_create()};
    f.b->config.scalar.mode = SCALAR_OWN;
    f.b->config.scalar.units = units;
    f.b->config.scalar.clock_divisor = divisor;
    f.b->config.simt.issue = ISSUE_SCOREBOARD;
    for (unsigned n = 0; n < ARM_CLASS_COUNT; ++n) f.b->config.core.latency_cycles[n] = 8;
    f.b->scalar_at = at;
    f.b->local_bytes = 256;
    if (change) change(&f.b->config);
    sm_begin(f.b, text, words, threads, groups, 4);
    for (unsigned slot = 0; slot < groups; ++slot) {
        struct scalar_thread *h = &f.b->sm.scalar->thread[slot];
        h->threads.registers[1] = DATA_BASE;
        h->buffered = at % 2 ? 1 : SM_BUFFER;
        h->buffer_at = T;
    }
    return f;
}

static struct fixture begin(const uint32_t *text, unsigned words, unsigned at, unsigned threads,
                            unsigned groups, unsigned divisor) {
    return begin_on(1, text, words, at, threads, groups, divisor);
}

static void end(struct fixture *f) {
    sm_bench_free(f->b);
}

/* Runs a number of cycles. Requests to memory are answered `latency` cycles later. */
static void run(struct fixture *f, unsigned cycles, uint64_t latency) {
    struct sm *s = &f->b->sm;
    for (uint64_t t = T; t < T + cycles && s->groups_used && !f->b->error.status; ++t) {
        sm_step(s, t);
        if (!f->opened && s->barriers.q.release) f->opened = t - T;
        if (f->opened && !f->simt && s->scheduler[0].issue_cycle == t && t - T > f->opened) f->simt = t - T;
        const struct scalar_unit *u = &s->scalar->unit[0];
        if (u->issue_cycle == t && f->count < MOST)
            f->scalar[f->count++] = (struct issued){u->issue_slot, (u->issue_pc - TEXT_BASE) / 4, t - T};
        answer_all(f->b, t + latency);
    }
}

/* Returns the cycle in which the thread in a slot first issued a word. */
static uint64_t when(const struct fixture *f, unsigned slot, unsigned word) {
    for (unsigned n = 0; n < f->count; ++n)
        if (f->scalar[n].slot == slot && f->scalar[n].n == word) return f->scalar[n].t;
    fail_msg("word %u of slot %u was not issued", word, slot);
    return 0;
}

/* Example 5: the load that hits is looked up in 3; its result is used in 4, and an independent instruction
 * issues in 5. */
static void a_load_stops_its_thread_where_it_is_used(void **state) {
    (void)state;
    static const uint32_t text[] = {EXIT,      NOP,           LDR(4, 1), ADD(4, 4), NOP,
                                    LDR(0, 1), ADDR(2, 2, 0), ADD(3, 3), NOP,       EXIT};
    struct fixture f = begin(text, 10, 2, 32, 1, 1);
    run(&f, 200, 50);
    const uint64_t first = when(&f, 0, 5);
    assert_int_equal(when(&f, 0, 2), 0);
    assert_int_equal(when(&f, 0, 3), 54); /* asked in 3, answered at the end of 53 */
    assert_int_equal(when(&f, 0, 6), first + 4);
    assert_int_equal(when(&f, 0, 7), first + 5);
    assert_int_equal(f.b->sm.groups_used, 0);
    assert_int_equal(f.b->sm.scalar->l1d_misses, 1);
    /* Two loads read a base each, three additions one, two and one register, the exit names one; all but the
     * exit write one. */
    assert_int_equal(f.b->sm.scalar->registers_read, 2 + 1 + 2 + 1 + 1);
    assert_int_equal(f.b->sm.scalar->registers_written, 5);
    end(&f);
}

/* The first load's register is loaded again while the load is in flight: neither the second load nor the
 * register's next value waits for it, and its late answer changes nothing. An exit waits until its loads have
 * been sent. */
static void loads_that_nobody_uses_are_not_waited_for(void **state) {
    (void)state;
    static const uint32_t text[] = {EXIT, NOP, LDR(0, 1), LDR(0, 4), ADD(0, 5), ADD(2, 0), LDR(0, 1), EXIT};
    struct fixture f = begin(text, 8, 2, 32, 1, 1);
    f.b->sm.scalar->thread[0].threads.registers[4] = DATA_BASE + 4;
    run(&f, 400, 50);
    assert_int_equal(when(&f, 0, 2), 0);
    assert_int_equal(when(&f, 0, 3), 1);
    assert_int_equal(when(&f, 0, 4), 4);  /* F of words 4 and 5 in 2 */
    assert_int_equal(when(&f, 0, 5), 14); /* the addition's result: no load has answered before 53 */
    assert_int_equal(when(&f, 0, 6), 17);
    assert_int_equal(when(&f, 0, 7), 24); /* after the result of 14; the load of 17 was sent in 20 */
    assert_int_equal(f.b->sm.groups_used, 0);
    end(&f);
}

/* A result is used L + 2 cycles after its issue; a branch's successor issues 6 cycles after it. */
static void results_and_branches_take_their_cycles(void **state) {
    (void)state;
    static const uint32_t text[] = {EXIT, NOP, ADD(0, 0), ADD(0, 0), B_NEXT, ADD(2, 2), CLOCK, EXIT};
    for (unsigned divisor = 1; divisor <= 8; divisor *= 2) {
        struct fixture f = begin(text, 8, 2, 32, 1, divisor);
        run(&f, 400, 50);
        assert_int_equal(when(&f, 0, 2), 0);
        assert_int_equal(when(&f, 0, 3), 10 * divisor);
        /* F in the cycle after the buffer is empty, then D, I. */
        assert_int_equal(when(&f, 0, 4), 13 * divisor);
        assert_int_equal(when(&f, 0, 5), 19 * divisor);
        /* The clock read waits for the result of 19; the exit waits for the clock's. */
        assert_int_equal(when(&f, 0, 6), 29 * divisor);
        assert_int_equal(when(&f, 0, 7), 39 * divisor);
        assert_int_equal(f.b->sm.scalar->cause[SCALAR_CAUSE_ISSUE], 6);
        /* The clock counts the cluster's cycles. */
        assert_int_equal(f.b->sm.scalar->thread[0].threads.registers[0], T + 29 * divisor);
        end(&f);
    }
}

/* A division occupies its unit, also for other threads, for the number of the unit's cycles of its class. */
static void a_division_holds_its_unit(void **state) {
    (void)state;
    static const uint32_t text[] = {EXIT, NOP, DIVIDE, ADD(2, 2), EXIT, NOP};
    for (unsigned divisor = 1; divisor <= 4; divisor *= 4) {
        struct fixture f = begin(text, 6, 2, 32, 2, divisor);
        f.b->config.core.occupancy_cycles[f.b->code.decoded[2].class] = 40;
        run(&f, 1000, 50);
        assert_int_equal(when(&f, 0, 2), 0);
        assert_int_equal(when(&f, 1, 2), 40 * divisor);
        assert_int_equal(when(&f, 0, 3), 80 * divisor);
        assert_int_equal(when(&f, 1, 3), 81 * divisor);
        end(&f);
    }
}

/* Two units request the L1D in cycle 3: one waits. The SIMT threads' load requests two lines in 6 and 7. A
 * scalar load in these cycles waits and merges into their miss; an earlier one has its own miss, which theirs
 * merge into. */
static void one_asks_a_cache_in_a_cycle(void **state) {
    (void)state;
    static const uint32_t two[] = {EXIT, NOP, LDR(0, 1), ADD(2, 0), EXIT, NOP};
    static const uint32_t text[] = {LDR(2, 1), EXIT, LDR(0, 1), ADD(2, 0), EXIT, NOP};
    static const struct {
        uint64_t from, refused, used;
    } loads[] = {{2, 0, 2 + 54}, {3, 2, 6 + 51}, {4, 1, 6 + 51}, {5, 0, 6 + 51}};
    struct fixture f = begin_on(2, two, 6, 2, 32, 2, 1);
    run(&f, 200, 50);
    assert_int_equal(f.b->sm.scalar->l1d_accesses, 2);
    assert_int_equal(f.b->sm.scalar->refused_cycles, 1);
    end(&f);
    for (unsigned n = 0; n < 4; ++n) {
        f = begin(text, 6, 2, 32, 1, 1);
        f.b->sm.scalar->thread[0].buffer_at = T + loads[n].from;
        run(&f, 200, 50);
        assert_int_equal(when(&f, 0, 2), loads[n].from);
        assert_int_equal(f.b->sm.scalar->refused_cycles, loads[n].refused);
        assert_int_equal(when(&f, 0, 3), loads[n].used);
        const struct non_blocking_cache *l1d = &f.b->sm.ldst->cache[SM_L1D];
        assert_int_equal(l1d->merged, 1);
        assert_int_equal(l1d->ahead_late, n == 0);
        end(&f);
    }
}

/* Eight SIMT threads read eight words of local memory, in banks 0 to 7, which their pass holds in cycles 6 to
 * 9 (a warp of 32, eight lanes): a scalar load of one of these waits, one of bank 8 does not. */
static void a_bank_serves_one_in_a_cycle(void **state) {
    (void)state;
    static const uint32_t text[] = {LDR(2, 1), EXIT, LDR(0, 1), ADD(2, 0), EXIT, NOP};
    static const struct {
        unsigned bank;
        uint64_t from, refused;
    } loads[] = {{7, 2, 0}, {7, 3, 4}, {7, 6, 1}, {7, 7, 0}, {0, 4, 3}, {8, 3, 0}, {8, 6, 0}};
    for (size_t n = 0; n < sizeof loads / sizeof *loads; ++n) {
        struct fixture f = begin(text, 6, 2, 8, 1, 1);
        for (unsigned k = 0; k < 8; ++k)
            f.b->sm.warp[0].threads.registers[f.b->sm.warp_size + k] = MEMORY_LOCAL_BASE + 4 * k;
        f.b->sm.scalar->thread[0].threads.registers[1] = MEMORY_LOCAL_BASE + 4 * loads[n].bank;
        f.b->sm.scalar->thread[0].buffer_at = T + loads[n].from;
        run(&f, 200, 50);
        assert_int_equal(f.b->sm.scalar->refused_cycles, loads[n].refused);
        /* Requested 3 cycles after the issue, ready at the end of the cycle `latency` later. */
        assert_int_equal(when(&f, 0, 3),
                         loads[n].from + 3 + loads[n].refused + f.b->config.local.latency_cycles + 1);
        assert_int_equal(f.b->sm.scalar->local_accesses, 1);
        end(&f);
    }
}

/* SIMT threads may end long before their scalar thread, or after it: warps and vector registers are free
 * after the former, scalar registers after the latter, the slot after both. */
static void each_side_gives_back_its_own(void **state) {
    (void)state;
    static const uint32_t scalar_late[] = {EXIT, NOP, ADD(0, 0), ADD(0, 0), ADD(0, 0), EXIT};
    static const uint32_t simt_late[] = {ADD(0, 0), ADD(0, 0), ADD(0, 0), EXIT, EXIT, NOP};
    for (unsigned simt = 0; simt < 2; ++simt) {
        struct fixture f = begin(simt ? simt_late : scalar_late, 6, simt ? 4 : 2, 64, 1, 1);
        struct sm *s = &f.b->sm;
        const struct sm_group *g = &s->group[0];
        bool alone = false; /* one side has ended, the other has not */
        for (uint64_t t = T; t < T + 200 && s->groups_used; ++t) {
            sm_step(s, t);
            answer_all(f.b, t + 50);
            const bool live = scalar_units_live(s, 0);
            assert_int_equal(s->scalar->registers_left, live ? 1024 - 16 : 1024);
            const bool warps = g->live || g->warps;
            if (s->groups_used && !warps) assert_int_equal(s->registers_left[0], s->config->vrf.registers);
            if (s->groups_used) assert_int_equal(s->local_left, s->config->local.size_bytes - 256);
            alone |= live != warps;
        }
        assert_true(alone);
        assert_int_equal(s->groups_done, 1);
        end(&f);
    }
}

/* F, D, I in three cycles. The cluster fetches once in each cycle; a scalar thread fetches if no
 * warp does. */
static void warps_fetch_first(void **state) {
    (void)state;
    static const uint32_t text[] = {NOP, NOP, NOP, EXIT, ADD(0, 0), EXIT};
    for (unsigned warps = 0; warps <= 2; ++warps) {
        struct fixture f = begin(text, 6, 4, 128, 1, 1);
        struct sm *s = &f.b->sm;
        s->scalar->thread[0].buffered = 0;
        s->scalar->thread[0].fetch_from = T;
        for (unsigned w = 0; w < warps; ++w) {
            s->warp[w].buffered = 0;
            sm_scheduler_of(s, w)->decoding &= ~sm_scheduler_bit(s, w);
            s->wants_fetch |= UINT64_C(1) << w;
        }
        run(&f, 200, 50);
        assert_int_equal(when(&f, 0, 4), warps + 2);
        end(&f);
    }
}

static void threads_of_a_unit_take_turns(void **state) {
    (void)state;
    static const uint32_t text[] = {EXIT, NOP, ADD(0, 0), ADD(2, 2), EXIT, NOP};
    struct fixture f = begin(text, 6, 2, 32, 2, 1);
    run(&f, 100, 50);
    assert_int_equal(when(&f, 0, 2), 0);
    assert_int_equal(when(&f, 1, 2), 1);
    assert_int_equal(when(&f, 0, 3), 2);
    assert_int_equal(when(&f, 1, 3), 3);
    end(&f);
}

/* Example 1: the barrier opens in the cycle of the last arrival; all continue in the second cycle after. */
static void a_barrier_opens_when_both_sides_have_arrived(void **state) {
    (void)state;
    static const uint32_t early[] = {ADD(0, 0), ADD(0, 0), SYNC, EXIT, SYNC, ADD(2, 2), EXIT, NOP};
    static const uint32_t late[] = {SYNC, EXIT,      ADD(0, 0), ADD(0, 0), ADD(0, 0),
                                    NOP,  ADD(0, 0), SYNC,      EXIT,      NOP};
    for (unsigned divisor = 1; divisor <= 8; divisor *= 2) {
        struct fixture f = begin(early, 8, 4, 128, 1, divisor);
        run(&f, 400, 50);
        const uint64_t free = f.opened + 2;
        assert_true(f.opened > 3 * divisor); /* the scalar thread waits */
        assert_int_equal(when(&f, 0, 4), 0);
        assert_int_equal(when(&f, 0, 5), (free + divisor - 1) / divisor * divisor);
        assert_int_equal(f.simt, free);
        assert_int_equal(f.b->sm.barriers.opened, 1);
        end(&f);
    }
    struct fixture f = begin(late, 10, 2, 128, 1, 1);
    run(&f, 400, 50);
    assert_int_equal(f.opened, when(&f, 0, 7) + 3);
    assert_int_equal(when(&f, 0, 8), f.opened + 2);
    assert_int_equal(f.simt, f.opened + 2);
    assert_true(f.b->sm.scalar->simt_waits > 0);
    end(&f);
}

/* --- barrel issue: 16 lanes for each scheduler, a pipeline of 8 stages; a warp of 32 has two rounds --- */

static enum divergence_kind engine;
static unsigned schedulers = 1;

static void barrel(struct machine_config *c) {
    c->simt.issue = ISSUE_BARREL;
    c->simt.divergence = engine;
    c->simt.pc_policy = PC_MIN_PC;
    c->simt.pipeline_depth = 8;
    c->cluster.lanes = c->cluster.ldst_lanes = 16;
    c->cluster.schedulers = c->cluster.sp_groups = schedulers;
    c->cluster.sfu_lanes = 0;
    c->cluster.threads = 256;
    c->vrf.banks = 0;
}

/* An instruction has C at the end of the 8th cycle after S, so the barrier, S 9, arrives in 17: both sides
 * continue in 19. A warp of HARP is a row: those of S 10 and 11 arrive in 17 and 18; warps released at the
 * end of 19 are in the First-Level in 20, as at the start. tbc forms a warp in the cycle before its
 * first S. */
static void barrel_warps_meet_their_scalar_thread(void **state) {
    (void)state;
    static const uint32_t text[] = {ADD(2, 2), SYNC, EXIT, NOP, SYNC, ADD(2, 2), EXIT, NOP};
    static const struct {
        enum divergence_kind engine;
        uint64_t opened, simt; /* S of the exit */
    } machines[] = {{DIVERGENCE_sbr, 17, 19}, {DIVERGENCE_pc, 17, 19},  {DIVERGENCE_oracle, 17, 19},
                    {DIVERGENCE_lwm, 17, 19}, {DIVERGENCE_dwf, 17, 19}, {DIVERGENCE_harp, 18, 21},
                    {DIVERGENCE_tbc, 18, 20}};
    for (unsigned stepped = 0; stepped < 2; ++stepped)
        for (size_t n = 0; n < sizeof machines / sizeof *machines; ++n) {
            engine = machines[n].engine;
            change = barrel;
            struct fixture f = begin(text, 8, 4, 32, 1, 1);
            f.b->sm.stepped = stepped;
            run(&f, 400, 50);
            assert_int_equal(f.b->error.status, EXIT_SOUND);
            assert_int_equal(f.opened, machines[n].opened);
            assert_int_equal(f.simt, machines[n].simt);
            assert_int_equal(when(&f, 0, 4), 0);
            assert_int_equal(when(&f, 0, 5), f.opened + 2);
            assert_int_equal(f.b->sm.groups_done, 1);
            end(&f);
        }
    change = NULL;
}

/* Two work-groups' warps, of a scheduler each, load from banks 0 to 7 and 8 to 15: S 0, X 5 and 6; the pass
 * of each holds its banks in 7 and 8, as 32 banks are two rounds of 16 lanes. */
static void a_bank_serves_one_of_all_schedulers(void **state) {
    (void)state;
    static const uint32_t text[] = {LDR(2, 1), EXIT, LDR(0, 1), ADD(2, 0), EXIT, NOP};
    static const struct {
        unsigned bank;
        uint64_t from, refused;
    } loads[] = {{3, 3, 0}, {3, 4, 2}, {3, 5, 1}, {3, 6, 0}, {11, 4, 2}, {11, 5, 1}, {16, 4, 0}};
    engine = DIVERGENCE_sbr;
    schedulers = 2;
    change = barrel;
    for (size_t n = 0; n < sizeof loads / sizeof *loads; ++n) {
        struct fixture f = begin(text, 6, 2, 8, 2, 1);
        for (unsigned k = 0; k < 16; ++k)
            f.b->sm.warp[k / 8].threads.registers[f.b->sm.warp_size + k % 8] = MEMORY_LOCAL_BASE + 4 * k;
        for (unsigned slot = 0; slot < 2; ++slot) {
            struct scalar_thread *h = &f.b->sm.scalar->thread[slot];
            h->threads.registers[1] = MEMORY_LOCAL_BASE + 4 * loads[n].bank;
            h->buffer_at = T + (slot ? 50 : loads[n].from);
        }
        run(&f, 200, 50);
        assert_int_equal(f.b->sm.scalar->refused_cycles, loads[n].refused);
        assert_int_equal(f.b->sm.scalar->local_accesses, 2);
        end(&f);
    }
    schedulers = 1;
    change = NULL;
}

/* --- lanes that execute warps of their own: 8 --- */

static void temporal(struct machine_config *c) {
    c->lanes.kind = LANES_TEMPORAL;
    c->cluster.threads = 256;
}

/* 32 rounds, X 2 to 33: the barrier's last thread arrives in 33, and both sides continue in 35. */
static void a_lanes_warp_meets_its_scalar_thread(void **state) {
    (void)state;
    static const uint32_t text[] = {SYNC, EXIT, SYNC, ADD(2, 2), EXIT, NOP};
    change = temporal;
    struct fixture f = begin(text, 6, 2, 32, 1, 1);
    run(&f, 400, 50);
    assert_int_equal(f.opened, 33);
    assert_int_equal(f.simt, 35);
    assert_int_equal(when(&f, 0, 3), 35);
    assert_int_equal(f.b->sm.groups_done, 1);
    end(&f);
    change = NULL;
}

/* Thread k of eight reads bank k: its address is ready at the end of 2 + k, and it is served in 3 + k. */
static void a_bank_serves_one_of_all_lanes(void **state) {
    (void)state;
    static const uint32_t text[] = {LDR(2, 1), EXIT, LDR(0, 1), ADD(2, 0), EXIT, NOP};
    static const struct {
        unsigned bank;
        uint64_t from, refused;
    } loads[] = {{5, 4, 0}, {5, 5, 1}, {5, 6, 0}, {0, 0, 1}, {0, 1, 0}, {8, 5, 0}};
    change = temporal;
    for (size_t n = 0; n < sizeof loads / sizeof *loads; ++n) {
        struct fixture f = begin(text, 6, 2, 8, 1, 1);
        for (unsigned k = 0; k < 8; ++k)
            f.b->sm.warp[0].threads.registers[f.b->sm.warp_size + k] = MEMORY_LOCAL_BASE + 4 * k;
        f.b->sm.scalar->thread[0].threads.registers[1] = MEMORY_LOCAL_BASE + 4 * loads[n].bank;
        f.b->sm.scalar->thread[0].buffer_at = T + loads[n].from;
        run(&f, 200, 50);
        assert_int_equal(f.b->sm.scalar->refused_cycles, loads[n].refused);
        end(&f);
    }
    change = NULL;
}

/* Without a scalar thread, it is an error of the kernel, with every engine. */
static void a_sync_alone_is_told_by_all_engines(void **state) {
    (void)state;
    static const uint32_t text[] = {SYNC, EXIT};
    change = barrel;
    for (engine = 0; engine < DIVERGENCE_KINDS; ++engine) {
        struct fixture f = begin(text, 2, 0, 32, 1, 1);
        run(&f, 100, 50);
        assert_int_equal(f.b->error.status, EXIT_PROGRAM_FAULT);
        assert_non_null(strstr(f.b->error.message, "LOCKSTEP_SCALAR_OF(test)"));
        end(&f);
    }
    change = NULL;
}

static void nobody_waits_for_a_side_that_has_ended(void **state) {
    (void)state;
    static const uint32_t simt_gone[] = {EXIT, NOP, SYNC, EXIT};
    static const uint32_t scalar_gone[] = {SYNC, EXIT, EXIT, NOP};
    struct fixture f = begin(simt_gone, 4, 2, 64, 1, 1);
    run(&f, 200, 50);
    assert_int_equal(f.b->sm.groups_used, 0);
    end(&f);
    f = begin(scalar_gone, 4, 2, 64, 1, 1);
    run(&f, 200, 50);
    assert_int_equal(f.b->sm.groups_used, 0);
    assert_int_equal(f.b->sm.groups_done, 1);
    end(&f);
}

static void mistakes_are_told(void **state) {
    (void)state;
    static const uint32_t simt_barrier[] = {EXIT, NOP, BARRIER, EXIT};
    static const uint32_t no_partner[] = {SYNC, EXIT};
    static const uint32_t fault[] = {EXIT, NOP, LDR(0, 2), EXIT};
    struct fixture f = begin(simt_barrier, 4, 2, 32, 1, 1);
    run(&f, 100, 50);
    assert_int_equal(f.b->error.status, EXIT_PROGRAM_FAULT);
    assert_non_null(strstr(f.b->error.message, "the scalar thread ('scalar') of work-group (0, 0, 0)"));
    assert_non_null(strstr(f.b->error.message, "lockstep_sync(1)"));
    end(&f);
    f = begin(no_partner, 2, 0, 32, 1, 1);
    run(&f, 100, 50);
    assert_int_equal(f.b->error.status, EXIT_PROGRAM_FAULT);
    assert_non_null(strstr(f.b->error.message, "LOCKSTEP_SCALAR_OF(test)"));
    end(&f);
    f = begin(fault, 4, 2, 32, 1, 1);
    run(&f, 100, 50);
    assert_int_equal(f.b->error.status, EXIT_PROGRAM_FAULT);
    assert_non_null(strstr(f.b->error.message, "outside every buffer"));
    end(&f);
}

/* Registers of scalar threads limit the work-groups in flight; they are freed at the thread's exit. */
static void a_work_group_needs_scalar_registers(void **state) {
    (void)state;
    static const uint32_t text[] = {EXIT, NOP, EXIT, NOP};
    struct fixture f = begin(text, 4, 2, 32, 2, 1);
    struct sm *s = &f.b->sm;
    assert_int_equal(s->scalar->registers_left, 1024 - 2 * 16);
    assert_true(sm_has_room(s));
    s->scalar->registers_left = 15;
    assert_false(sm_has_room(s));
    s->scalar->registers_left = 1024 - 2 * 16;
    run(&f, 100, 50);
    assert_int_equal(s->scalar->registers_left, 1024);
    end(&f);
}

/* Work-groups of one work-item: those with odd numbers run on scalar units; if one side is full, the other
 * takes them. Each runs to its end, through a barrier that only it reaches. */
static struct fixture begin_shared(unsigned groups, unsigned registers, unsigned slots) {
    static const uint32_t text[] = {ADD(4, 4), BARRIER, ADD(5, 4), EXIT};
    struct fixture f = {.b = sm_bench_create()};
    f.b->config.scalar.mode = SCALAR_OWN;
    f.b->config.scalar.units = 1;
    f.b->config.scalar.share_groups = 1;
    f.b->config.scalar.registers = registers;
    f.b->config.cluster.groups = slots;
    f.b->config.simt.issue = ISSUE_SCOREBOARD;
    for (unsigned n = 0; n < ARM_CLASS_COUNT; ++n) f.b->config.core.latency_cycles[n] = 8;
    sm_begin(f.b, text, 4, 1, groups, 4);
    return f;
}

static void work_groups_are_shared_out(void **state) {
    (void)state;
    struct fixture f = begin_shared(4, 1024, 8);
    struct sm *s = &f.b->sm;
    for (unsigned slot = 0; slot < 4; ++slot) {
        assert_int_equal(scalar_units_live(s, slot), slot & 1);
        assert_int_equal(s->group[slot].live, !(slot & 1));
        assert_int_equal(s->group[slot].warps, slot & 1 ? 0 : 1u << slot / 2);
    }
    assert_int_equal(s->scalar->registers_left, 1024 - 2 * 16);
    assert_int_equal(s->groups_that_fit, 8);
    run(&f, 200, 50);
    assert_int_equal(s->groups_used, 0);
    assert_int_equal(s->groups_done, 4);
    assert_int_equal(s->work_items, 4);
    assert_int_equal(s->barriers.opened, 4);
    assert_int_equal(s->scalar->instructions, 2 * 4);
    assert_int_equal(s->thread_instructions, 2 * 4);
    assert_int_equal(s->scalar->shared_groups, 2);
    assert_int_equal(s->scalar->registers_left, 1024);
    end(&f);
    /* Three scalar threads have registers: of ten work-groups, numbers 1, 3 and 5 run there. */
    f = begin_shared(10, 48, 16);
    s = &f.b->sm;
    for (unsigned slot = 0; slot < 10; ++slot)
        assert_int_equal(scalar_units_live(s, slot), slot == 1 || slot == 3 || slot == 5);
    run(&f, 400, 50);
    assert_int_equal(s->groups_done, 10);
    end(&f);
}

/* Two warps have registers, then even numbers run on scalar units, too; both sides limit the work
 * in flight. */
static void a_full_side_leaves_work_groups_to_the_other(void **state) {
    (void)state;
    struct fixture f = {.b = sm_bench_create()};
    static const uint32_t text[] = {ADD(4, 4), EXIT};
    f.b->config.scalar.mode = SCALAR_OWN;
    f.b->config.scalar.units = 2;
    f.b->config.scalar.share_groups = 1;
    f.b->config.scalar.registers = 64;
    f.b->config.cluster.groups = 16;
    f.b->config.vrf.registers = 2 * 16 * f.b->config.simt.warp_size;
    f.b->config.simt.issue = ISSUE_SCOREBOARD;
    sm_begin(f.b, text, 2, 1, 6, 4);
    struct sm *s = &f.b->sm;
    assert_int_equal(s->groups_that_fit, 2 + 4);
    for (unsigned slot = 0; slot < 6; ++slot)
        assert_int_equal(scalar_units_live(s, slot), slot == 1 || slot >= 3); /* 4: no warp is left */
    assert_false(sm_has_room(s));
    run(&f, 200, 50);
    assert_int_equal(s->groups_done, 6);
    end(&f);
}

/* Larger work-groups and kernels with a scalar kernel do not share scalar units. */
static void only_single_work_items_are_shared_out(void **state) {
    (void)state;
    static const uint32_t text[] = {ADD(4, 4), EXIT, EXIT, NOP};
    for (unsigned n = 0; n < 2; ++n) {
        struct fixture f = {.b = sm_bench_create()};
        f.b->config.scalar.mode = SCALAR_OWN;
        f.b->config.scalar.share_groups = 1;
        f.b->config.simt.issue = ISSUE_SCOREBOARD;
        f.b->scalar_at = n ? 2 : 0;
        sm_begin(f.b, text, 4, n ? 1 : 2, 2, 4);
        assert_int_equal(scalar_units_live(&f.b->sm, 1), n);
        assert_int_equal(f.b->sm.group[1].live, n ? 1 : 2);
        end(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_load_stops_its_thread_where_it_is_used),
        cmocka_unit_test(loads_that_nobody_uses_are_not_waited_for),
        cmocka_unit_test(results_and_branches_take_their_cycles),
        cmocka_unit_test(a_division_holds_its_unit),
        cmocka_unit_test(one_asks_a_cache_in_a_cycle),
        cmocka_unit_test(a_bank_serves_one_in_a_cycle),
        cmocka_unit_test(each_side_gives_back_its_own),
        cmocka_unit_test(warps_fetch_first),
        cmocka_unit_test(threads_of_a_unit_take_turns),
        cmocka_unit_test(a_barrier_opens_when_both_sides_have_arrived),
        cmocka_unit_test(barrel_warps_meet_their_scalar_thread),
        cmocka_unit_test(a_bank_serves_one_of_all_schedulers),
        cmocka_unit_test(a_sync_alone_is_told_by_all_engines),
        cmocka_unit_test(a_lanes_warp_meets_its_scalar_thread),
        cmocka_unit_test(a_bank_serves_one_of_all_lanes),
        cmocka_unit_test(nobody_waits_for_a_side_that_has_ended),
        cmocka_unit_test(mistakes_are_told),
        cmocka_unit_test(a_work_group_needs_scalar_registers),
        cmocka_unit_test(work_groups_are_shared_out),
        cmocka_unit_test(a_full_side_leaves_work_groups_to_the_other),
        cmocka_unit_test(only_single_work_items_are_shared_out),
    };
    return cmocka_run_group_tests_name("scalar_units", tests, NULL, NULL);
}
