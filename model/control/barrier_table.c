#include "model/control/barrier_table.h"

#include "sim/error.h"

void barrier_table_init(struct barrier_table *b, unsigned groups, bool scalar) {
    invariant(groups >= 1 && groups <= BARRIER_TABLE_MAX_GROUPS, "barrier table of %u work-groups", groups);
    *b = (struct barrier_table){.cfg = {groups, scalar}};
    b->q = (struct barrier_table_state){.live = b->now.live, .waiting = b->now.waiting, .pc = b->now.pc};
}

void barrier_table_reset(struct barrier_table *b) {
    const uint64_t opened = b->opened, opened_without = b->opened_without, arrived = b->arrived;
    barrier_table_init(b, b->cfg.groups, b->cfg.scalar);
    b->opened = opened;
    b->opened_without = opened_without;
    b->arrived = arrived;
}

static void set(uint64_t *mask, uint64_t bit, bool value) {
    *mask = value ? *mask | bit : *mask & ~bit;
}

static void check_inputs(const struct barrier_table *b) {
    const struct barrier_table_in *in = &b->in;
    const unsigned groups = b->cfg.groups;
    const uint64_t scalar = in->scalar_arrives | in->scalar_exits;
    invariant(in->start_group < groups && in->arrive_group < groups && in->exit_group < groups,
              "work-groups %u, %u and %u of %u slots", in->start_group, in->arrive_group, in->exit_group,
              groups);
    invariant(b->cfg.scalar || !(scalar || in->start_scalar || in->arrive_scalar),
              "a barrier or event of a scalar thread, but no work-group can have one");
    const uint64_t waits = b->q.scalar_waits;
    invariant(!(scalar & (waits | ~b->q.scalar_live)) && !(in->scalar_arrives & in->scalar_exits),
              "scalar threads %#lx arrive and %#lx exit, %#lx live and %#lx of them wait",
              (unsigned long)in->scalar_arrives, (unsigned long)in->scalar_exits,
              (unsigned long)b->q.scalar_live, (unsigned long)waits);
}

static void start(struct barrier_table *b, unsigned g, uint64_t bit) {
    invariant(b->now.live[g] == 0 && b->now.waiting[g] == 0 && !(b->q.scalar_live & bit),
              "a work-group starts while %u threads live and %u wait", b->now.live[g], b->now.waiting[g]);
    b->next.live[g] = b->in.start_live;
    b->next.waiting[g] = 0;
    b->d.exited &= ~bit;
    set(&b->d.scalar_live, bit, b->in.start_scalar);
    b->d.scalar_gone &= ~bit;
}

static void arrive(struct barrier_table *b, unsigned g, uint64_t bit) {
    if (b->now.waiting[g] == 0) {
        b->next.pc[g] = b->in.arrive_pc;
        set(&b->d.with, bit, b->in.arrive_scalar);
    } else if (b->in.arrive_pc != b->now.pc[g] || b->in.arrive_scalar != ((b->q.with & bit) != 0)) {
        b->d.mixed |= bit;
    }
}

/* Counts the SIMT threads of a work-group. */
static void count(struct barrier_table *b, unsigned g, uint64_t bit) {
    const struct barrier_table_in *in = &b->in;
    const uint32_t arrive_count = in->arrive_group == g ? in->arrive_count : 0;
    const uint32_t exit_count = in->exit_group == g ? in->exit_count : 0;
    const bool starts = in->start && in->start_group == g; /* a start replaces the counts */
    invariant(starts || (uint64_t)b->now.waiting[g] + arrive_count + exit_count <= b->now.live[g],
              "%u threads arrive at a barrier and %u exit, %u live and %u of them wait", arrive_count,
              exit_count, b->now.live[g], b->now.waiting[g]);
    if (arrive_count) arrive(b, g, bit);
    if (exit_count) b->d.exited |= bit;
    b->next.live[g] = b->now.live[g] - exit_count;
    b->next.waiting[g] = b->q.release & bit ? 0 : b->now.waiting[g] + arrive_count;
}

static void decide(struct barrier_table *b, unsigned g, uint64_t bit) {
    const uint32_t waiting = b->next.waiting[g], live = b->next.live[g];
    const bool all_wait = waiting && waiting == live, mixed = b->d.mixed & bit,
               waits = b->d.scalar_waits & bit;
    const bool with = b->d.with & bit, alone = live == 0 && waits, runs = (b->d.scalar_live & bit) && !waits;
    const bool opens = alone || (all_wait && !mixed && !(with && runs));
    set(&b->out.opens, bit, opens);
    set(&b->out.deadlock, bit, all_wait && mixed);
    set(&b->d.release_scalar, bit, opens && waits && (alone || with));
}

void barrier_table_eval(struct barrier_table *b) {
    check_inputs(b);
    b->changes = barrier_table_active(b) || b->q.release_scalar || b->q.mixed;
    if (!b->changes) {
        b->out = (struct barrier_table_out){.exited = b->q.exited | (b->q.scalar_gone & b->q.with)};
        return;
    }
    b->d = b->q;
    b->d.mixed &= ~b->q.release;
    b->d.scalar_waits = (b->q.scalar_waits & ~b->q.release_scalar) | b->in.scalar_arrives;
    b->d.scalar_live &= ~b->in.scalar_exits;
    b->d.scalar_gone |= b->in.scalar_exits;
    b->out = (struct barrier_table_out){.release = b->q.release,
                                        .release_scalar = b->q.release_scalar,
                                        .exited = b->q.exited | (b->q.scalar_gone & b->q.with)};
    for (unsigned g = 0; g < b->cfg.groups; ++g) {
        const uint64_t bit = 1ull << g;
        b->next.pc[g] = b->now.pc[g];
        count(b, g, bit);
        if (b->in.start && b->in.start_group == g) start(b, g, bit);
        decide(b, g, bit);
    }
    b->d.release = b->out.opens;
}

void barrier_table_clock(struct barrier_table *b) {
    if (!b->changes) return;
    b->opened += (unsigned)__builtin_popcountll(b->q.release);
    b->opened_without += (unsigned)__builtin_popcountll(b->q.release & b->out.exited);
    b->arrived += b->in.arrive_count;
    for (unsigned g = 0; g < b->cfg.groups; ++g) {
        b->now.live[g] = b->next.live[g];
        b->now.waiting[g] = b->next.waiting[g];
        b->now.pc[g] = b->next.pc[g];
    }
    b->q = b->d;
    b->changes = false;
    b->in = (struct barrier_table_in){0};
}
