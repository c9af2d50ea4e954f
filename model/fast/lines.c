/*
 * Rounds by line: if the lines that several rounds access are all present, the lanes do not meet on the bus.
 * The requests of each lane are made by line, and each line is looked up once for consecutive accesses.
 *
 * A miss in flight also serves requests for a line that has meanwhile been promised to another L2. Such
 * requests are made by line in the same way, up to the cycle in which the miss ends.
 *
 * Hits are found first and made later, so that two events can end them: a miss or fetch of this cluster makes
 * the hits before it, and the others are searched again; another cluster may request one of the lines.
 */
#include "model/fast/parts.h"
#include "model/control/thread_vector.h"

#include <string.h>

/* Returns whether the line of an address is present with permission for the access, or a miss in flight
 * serves it. Fills in the line or the end of the miss. */
static bool find_line(const struct private_l2 *l2, uint32_t address, bool store, struct line_run *run) {
    run->line = cache_peek(&l2->tags, address);
    if (run->line)
        return l2->table->row[run->line->state][store ? MOESI_STORE : MOESI_LOAD].action == MOESI_HIT;
    run->done = private_l2_joins(l2, address >> l2->tags.line_shift, store);
    return run->done != 0;
}

/* Returns whether a run can serve an access whose round is in cycle t; the L2 gets it one cycle later. */
static inline bool reaches(const struct line_run *run, uint64_t t) {
    return run->line || t < run->done;
}

/* Begins a run with an access `first` cycles after cycle t. Returns false if the line is not present. */
static bool begin_run(struct core *core, uint32_t virtual, uint32_t address, bool store, unsigned first,
                      uint64_t t, struct line_run *run) {
    const struct private_l2 *l2 = &core->l2;
    const uint32_t line = address >> l2->tags.line_shift;
    const int page = tlb_guess(&core->dtlb, virtual);
    if (page < 0) return false;
    if (!find_line(l2, address, store, run)) return false;
    run->port = &core->l2.port[(line & l2->bank_mask) * l2->ports];
    run->page = (uint16_t)page;
    run->first = (uint16_t)first;
    run->end = (uint16_t)(first + 1);
    return run->port->last <= t + first && reaches(run, t + first);
}

/* Finds the hits of a lane from cycle t on, one beat a cycle. Returns the number of rounds in which all
 * accesses of the lane are hits. */
static unsigned find_runs(struct fast *p, const struct fast_flight *f, unsigned lane, unsigned rounds,
                          uint64_t t, struct line_runs *runs) {
    const struct cluster *c = p->cluster;
    struct core *core = &p->cluster->core[lane];
    const unsigned shift = core->l2.tags.line_shift, beats = f->i->access_count;
    const uint32_t bytes = p->x_bytes;
    struct line_run *run = NULL;
    uint32_t line = 0;
    runs->count = 0;
    if (core->dtlb.next_end <= t + rounds * beats) return 0;
    unsigned cycle = 0;
    for (unsigned v = 0; v < rounds; ++v) {
        const unsigned k = cluster_position(c, lane, p->x_round + v);
        if (!(f->execution.passed >> k & 1)) {
            cycle += beats;
            continue;
        }
        for (unsigned beat = 0; beat < beats; ++beat, ++cycle) {
            const uint32_t virtual = f->execution.address[k] + beat * bytes;
            const uint32_t address = core_physical(core, virtual), last = (address + bytes - 1) >> shift;
            if (run && address >> shift == line && cycle == run->end && last == line &&
                reaches(run, t + cycle)) {
                ++run->end;
                continue;
            }
            line = address >> shift;
            if (last != line || runs->count == FAST_MAX_RUNS) return v;
            run = &runs->run[runs->count];
            if (!begin_run(core, virtual, address, f->i->is_store, cycle, t, run)) return v;
            ++runs->count;
        }
    }
    return rounds;
}

static uint64_t follow_by(const uint32_t *address, unsigned positions, unsigned apart, uint32_t step) {
    uint64_t followed = 0;
    for (unsigned k = 0; k < positions; k += THREAD_VECTOR) {
        thread_vector one, next;
        uint32_t behind[THREAD_VECTOR];
        memcpy(&one, address + k, sizeof one);
        memcpy(&next, address + k + apart, sizeof next);
        next -= one;
        memcpy(behind, &next, sizeof behind);
        followed |= (uint64_t)thread_vector_equal(behind, step) << k;
    }
    return followed << apart;
}

/* Returns whether the addresses of consecutive rounds are adjacent, or equal, in each lane. */
static inline struct address_rows find_rows(const struct fast *p, const struct fast_flight *f) {
    const struct cluster *c = p->cluster;
    const unsigned positions = c->config->simt.warp_size;
    const unsigned apart = c->map.kind == LANE_MAP_BLOCK ? 1 : c->lanes;
    struct address_rows rows = {.sought = true, .step = apart * p->x_bytes};
    if (f->i->access_count != 1 || positions % THREAD_VECTOR || positions + apart > ARM_MAX_POSITIONS ||
        c->map.kind == LANE_MAP_BALANCED)
        return rows;
    rows.known = true;
    rows.follow = follow_by(f->execution.address, positions, apart, rows.step);
    if (rows.follow & f->execution.passed) return rows;
    rows.step = 0;
    rows.follow = follow_by(f->execution.address, positions, apart, 0);
    return rows;
}

/* Returns a set of rounds: bit v is set if `threads` contains the position that a lane executes in round
 * v. */
static uint64_t rounds_of(uint64_t threads, uint64_t lane) {
#ifdef __BMI2__
    return _pext_u64(threads, lane);
#else
    uint64_t rounds = 0;
    for (unsigned v = 0; lane; lane &= lane - 1, ++v)
        rounds |= (uint64_t)((threads & lane & -lane) != 0) << v;
    return rounds;
#endif
}

/* Does the work of find_runs() for accesses in rows. */
static unsigned find_runs_in_rows(struct fast *p, const struct fast_flight *f,
                                  const struct address_rows *rows, unsigned lane, unsigned rounds, uint64_t t,
                                  struct line_runs *runs) {
    const struct cluster *c = p->cluster;
    struct core *core = &p->cluster->core[lane];
    const uint32_t line_bytes = UINT32_C(1) << core->l2.tags.line_shift, bytes = p->x_bytes;
    const uint64_t passed = rounds_of(f->execution.passed, c->of_lane[lane]) >> p->x_round;
    const uint64_t follow = passed & rounds_of(rows->follow, c->of_lane[lane]) >> p->x_round;
    runs->count = 0;
    if (core->dtlb.next_end <= t + rounds) return 0;
    for (unsigned v = 0; v < rounds && passed >> v;) {
        v += (unsigned)__builtin_ctzll(passed >> v);
        if (v >= rounds) break;
        const uint32_t virtual = f->execution.address[cluster_position(c, lane, p->x_round + v)];
        const uint32_t at = core_physical(core, virtual), room = line_bytes - (at & (line_bytes - 1));
        if (room < bytes || runs->count == FAST_MAX_RUNS) return v;
        struct line_run *run = &runs->run[runs->count];
        if (!begin_run(core, virtual, at, f->i->is_store, v, t, run)) return v;
        unsigned in_line = rows->step ? 1 + (room - bytes) / rows->step : rounds;
        if (!reaches(run, t + v + in_line - 1)) in_line = (unsigned)(run->done - t) - v;
        const unsigned in_row = v + 1 < 64 ? 1 + (unsigned)__builtin_ctzll(~(follow >> (v + 1))) : 1;
        v += in_line < in_row ? in_line : in_row;
        if (v > rounds) v = rounds;
        run->end = (uint16_t)v;
        ++runs->count;
    }
    return rounds;
}

bool fast_find_hits(struct fast *p, uint64_t last) {
    const struct cluster *c = p->cluster;
    const struct fast_flight *f = &p->flight[p->x_flight];
    const unsigned beats = f->i->access_count, left = f->rounds - p->x_round;
    const uint64_t t = p->x_next, whole = (last + 1 - t) / beats;
    unsigned rounds = left < whole ? left : (unsigned)whole;
    p->hits_end = 0;
    p->x_miss = t;
    if (recorder_wants_any(fast_recorder(p), t, last))
        return false; /* each access is recorded when it is made */
    if (p->x_beat || f->rounds != c->rounds || f->execution.in_stack || fast_occupancy(p, f) != 1)
        return false;
    if (p->held.next < t + rounds * beats) return false;
    if (rounds * beats < 2) return false;
    if (!p->x_rows.sought) p->x_rows = find_rows(p, f);
    const struct address_rows rows = p->x_rows;
    for (unsigned lane = 0; lane < c->lanes && rounds * beats > 1; ++lane)
        rounds = rows.known ? find_runs_in_rows(p, f, &rows, lane, rounds, t, &p->runs[lane])
                            : find_runs(p, f, lane, rounds, t, &p->runs[lane]);
    if (rounds * beats < 2) return false;
    p->hits_first = t;
    p->hits_end = t + rounds * beats;
    p->x_miss = rounds < left ? p->hits_end : FAST_NEVER;
    return true;
}

/* Marks a port as taken in `count` cycles from `first` on. */
static void take_port(struct l2_port *port, uint64_t first, unsigned count) {
    const uint64_t past = first - port->last;
    port->taken = (past < 64 ? port->taken << past : 0) | 1;
    port->taken = count > 64 ? ~UINT64_C(0) : port->taken << (count - 1) | ((UINT64_C(1) << (count - 1)) - 1);
    port->last = first + count - 1;
}

/* Makes the accesses of runs in cycles `from` to before `end`, counted from cycle t. Returns the cycle at
 * whose end the last load is done or the last store accepted; 0 if there are no accesses. */
static uint64_t make_runs(struct core *core, bool store, const struct line_runs *runs, uint64_t t,
                          unsigned from, unsigned end) {
    struct private_l2 *l2 = &core->l2;
    struct tlb *tlb = &core->dtlb;
    uint64_t latest = 0;
    for (unsigned n = 0; n < runs->count; ++n) {
        const struct line_run *r = &runs->run[n];
        const unsigned begins = r->first > from ? r->first : from, ends = r->end < end ? r->end : end;
        if (begins >= ends) continue;
        struct cache_line *line = r->line;
        const unsigned count = ends - begins;
        const uint64_t last = t + ends, looked_up = last + l2->latency_cycles;
        l2->tags.accesses += count;
        l2->stores += store ? count : 0;
        tlb->accesses += count;
        tlb_touch(tlb, r->page, count);
        take_port(r->port, t + 1 + begins, count);
        uint64_t there = r->done + 1;
        if (line) {
            cache_touch(&l2->tags, line, count);
            line->state = l2->table->row[line->state][store ? MOESI_STORE : MOESI_LOAD].next;
            line->version += store ? count : 0;
            there = line->present;
        } else {
            l2->joined += count;
        }
        later(&latest, store ? last : (there > looked_up ? there : looked_up) - 1);
    }
    return latest;
}

/* Makes one beat in each of the cycles from x_next to before `end`. */
static void make_beats(struct fast *p, struct fast_flight *f, uint64_t end) {
    struct cluster *c = p->cluster;
    const unsigned beats = f->i->access_count, cycles = (unsigned)(end - p->x_next),
                   from = (unsigned)(p->x_next - p->hits_first);
    for (unsigned lane = 0; lane < c->lanes; ++lane)
        later(&f->result,
              make_runs(&c->core[lane], f->i->is_store, &p->runs[lane], p->hits_first, from, from + cycles));
    const unsigned beat = p->x_beat + cycles, rounds = (beat + beats - 1) / beats - (p->x_beat != 0);
    simt_charge(&c->simt, MACHINE_CAUSE_EXECUTE, f->pc, rounds);
    if (beats > 1) simt_charge(&c->simt, MACHINE_CAUSE_OCCUPIED, f->pc, cycles - rounds);
    p->x_next = end;
    p->x_round += beat / beats;
    p->x_beat = beat % beats;
}

void fast_make_hits(struct fast *p, uint64_t last) {
    struct fast_flight *f = &p->flight[p->x_flight];
    make_beats(p, f, last < p->hits_end ? last + 1 : p->hits_end);
    if (p->x_round == f->rounds)
        fast_end_accesses(p, (unsigned)p->x_flight, p->x_next - 1);
    else if (p->x_next == p->hits_end)
        fast_await_beats(p, p->x_next);
}

/* Returns whether a known hit that has not been made accesses the line. */
static bool hits_access(const struct fast *p, uint32_t line) {
    for (unsigned lane = 0; lane < p->cluster->lanes; ++lane)
        for (unsigned n = 0; n < p->runs[lane].count; ++n)
            if (p->runs[lane].run[n].line && p->runs[lane].run[n].line->tag == line) return true;
    return false;
}

void fast_is_asked(struct fast *p, uint32_t line) {
    struct cluster *c = p->cluster;
    if (p->x_next >= p->hits_end || !hits_access(p, line)) return;
    struct cluster *by = c->uncore->has_turn;
    const bool behind = c->index > by->index; /* has its turn later within a cycle */
    const uint64_t end = by->asks + !behind;
    if (p->x_next < end) make_beats(p, &p->flight[p->x_flight], end);
    p->hits_end = 0;
    p->x_due = p->x_next;
    earlier(&by->until, p->x_due + behind);
    c->uncore->asked |= UINT64_C(1) << c->index;
}
