#include "model/control/thread_descriptor_table.h"

#include "model/control/thread_vector.h"

#include "sim/error.h"

#include <stddef.h>
#include <string.h>

static void clear_warp(struct thread_descriptor_table *t, unsigned n) {
    struct warp_descriptors *w = &t->warp[n];
    const size_t words = tdt_row_words(t->warp_size);
    uint32_t *row = t->rows + n * TDT_ROWS * words;
    memset(w, 0, sizeof *w);
    memset(row, 0, TDT_ROWS * words * sizeof *row);
    w->priority[0] = t->all;
    uint32_t **const rows[TDT_ROWS] = {&w->barrier_pc, &w->local_id[0], &w->local_id[1], &w->local_id[2],
                                       &w->n,          &w->z,           &w->c,           &w->v,
                                       &w->q,          &w->ge,          &w->fpscr,       &w->stack_top};
    for (unsigned r = 0; r < TDT_ROWS; ++r) *rows[r] = row + r * words;
}

void thread_descriptor_table_init(struct thread_descriptor_table *t, unsigned warps, unsigned warp_size,
                                  unsigned levels) {
    invariant(warps >= 1 && warps <= TDT_MAX_WARPS && warp_size >= 1 && warp_size <= TDT_MAX_WARP_SIZE &&
                  levels >= 1 && levels <= TDT_MAX_LEVELS,
              "thread descriptor table of %u warps, %u threads, %u levels", warps, warp_size, levels);
    memset(&t->in, 0, sizeof *t - offsetof(struct thread_descriptor_table, in));
    t->cyclic = false;
    t->warps = warps;
    t->warp_size = warp_size;
    t->lanes = 1;
    t->levels = levels;
    t->all = warp_size == 64 ? ~0ull : (1ull << warp_size) - 1;
    for (unsigned n = 0; n < warps; ++n) clear_warp(t, n);
    t->written = ~(block_rows)0;
    thread_descriptor_table_edge(t);
}

void thread_descriptor_table_lanes(struct thread_descriptor_table *t, unsigned lanes, bool cyclic) {
    invariant(lanes >= 1 && lanes <= TDT_MAX_LANES && t->warp_size % lanes == 0,
              "thread descriptor table of %u threads in %u lanes", t->warp_size, lanes);
    t->lanes = lanes;
    t->cyclic = cyclic;
}

void tdt_settle(struct thread_descriptor_table *t, unsigned warp) {
    struct warp_descriptors *w = &t->warp[warp];
    const uint64_t together = w->together;
    unsigned k = 0;
    if (!together) return;
    w->together = 0;
    for (; k + THREAD_VECTOR <= t->warp_size; k += THREAD_VECTOR)
        thread_vector_choose(w->pc + k, 0, w->pc + k, (uint32_t)(together >> k), w->together_pc, w->pc + k);
    for (; k < t->warp_size; ++k)
        if (together >> k & 1) w->pc[k] = w->together_pc;
}

/* Returns the smallest PC of some threads that is at least `pc`; UINT32_MAX if there is none. */
static uint32_t next_from(const struct warp_descriptors *w, uint64_t threads, uint32_t pc) {
    uint32_t next = UINT32_MAX;
    for (; threads; threads &= threads - 1) {
        const uint32_t other = w->pc[__builtin_ctzll(threads)];
        next = other >= pc && other < next ? other : next;
    }
    return next;
}

void tdt_gather(struct thread_descriptor_table *t, unsigned warp, uint64_t threads, uint32_t pc) {
    struct warp_descriptors *w = &t->warp[warp];
    if (w->together & ~threads) tdt_settle(t, warp);
    w->leads &= w->together == threads;
    w->together = threads;
    w->together_pc = pc;
    w->apart = next_from(w, tdt_live(w) & ~threads, pc);
}

void tdt_start(struct thread_descriptor_table *t, unsigned warp, unsigned position, uint32_t pc,
               uint32_t local_id, uint32_t stack_top) {
    struct warp_descriptors *w = &t->warp[warp];
    const uint64_t bit = 1ull << position;
    invariant(!(tdt_live(w) & bit), "thread %u of warp %u is started but not Idle", position, warp);
    w->ready |= bit;
    w->together &= ~bit;
    w->leads = false;
    w->pc[position] = pc;
    for (unsigned d = 0; d < 3; ++d) w->local_id[d][position] = local_id >> (10 * d) & 0x3ff;
    w->n[position] = w->c[position] = w->v[position] = w->q[position] = w->ge[position] = 0;
    w->z[position] = 1; /* a value other than 0 clears Z */
    w->fpscr[position] = 0;
    w->stack_top[position] = stack_top;
}

void tdt_wait(struct warp_descriptors *w, uint64_t threads) {
    w->leads = false;
    tdt_leave_execution(w, threads);
    w->barrier |= threads;
}

void tdt_exit(struct warp_descriptors *w, uint64_t threads) {
    w->leads = false;
    tdt_leave_execution(w, threads);
    thread_levels_reset(&(struct thread_levels){TDT_MAX_LEVELS, TDT_MAX_WARP_SIZE, w->priority, w->level},
                        threads);
}

void tdt_release(struct warp_descriptors *w, uint64_t threads) {
    w->leads = false;
    invariant((w->barrier & threads) == threads, "Barrier→Ready of threads %#llx, of which %#llx are at one",
              (unsigned long long)threads, (unsigned long long)(w->barrier & threads));
    w->barrier &= ~threads;
    w->ready |= threads;
}

bool tdt_priority(struct thread_descriptor_table *t, unsigned warp, uint64_t threads,
                  enum priority_operation op, unsigned by, unsigned *position) {
    const struct thread_levels l = tdt_levels(t, warp);
    t->warp[warp].leads = false;
    return thread_levels_change(&l, threads, op, by, position);
}

unsigned tdt_highest_level(const struct thread_descriptor_table *t, unsigned warp, uint64_t threads) {
    const struct thread_levels l = tdt_levels(t, warp);
    return thread_levels_highest(&l, threads);
}

/* --- the block: ports and flip-flops --- */

/* Sets the next PCs of a warp's threads. */
static void find_next_pcs(const struct thread_descriptor_table *t, struct warp_descriptors *w, uint64_t jump,
                          const uint32_t *targets) {
    const uint32_t following = w->warp_pc + 4;
    unsigned k = 0;
    for (; k + THREAD_VECTOR <= t->warp_size; k += THREAD_VECTOR)
        thread_vector_choose(w->next_pc + k, (uint32_t)(jump >> k), targets + k,
                             (uint32_t)(w->execution >> k), following, w->pc + k);
    for (; k < t->warp_size; ++k)
        w->next_pc[k] = jump >> k & 1 ? targets[k] : w->execution >> k & 1 ? following : w->pc[k];
}

static void execute_row(struct thread_descriptor_table *t, unsigned warp, uint64_t passed,
                        const uint32_t *targets, bool jumps, enum thread_operation operation, unsigned by) {
    struct warp_descriptors *w = &t->warp[warp];
    find_next_pcs(t, w, jumps ? passed : 0, jumps ? targets : w->pc);
    w->passed = passed;
    w->passed_count = (uint8_t)__builtin_popcountll(passed);
    w->operation = (uint8_t)operation;
    w->by = (uint8_t)by;
}

void tdt_execute(struct thread_descriptor_table *t, unsigned warp, uint64_t passed, const uint32_t *targets,
                 bool jumps, enum thread_operation operation, unsigned by) {
    t->in.execute = true;
    t->in.execute_warp = warp;
    t->in.execute_passed = passed;
    t->in.execute_jumps = jumps;
    t->in.execute_target = targets;
    t->in.execute_operation = operation;
    t->in.execute_by = by;
    execute_row(t, warp, passed, targets, jumps, operation, by);
}

/* Returns the warp of the context that a lane starts; it may be out of range. */
static unsigned started_warp(const struct thread_descriptor_table *t, unsigned lane) {
    return t->in.start_context[lane] / (t->warp_size / t->lanes);
}

static unsigned started_position(const struct thread_descriptor_table *t, unsigned lane) {
    return tdt_position(t, lane, t->in.start_context[lane] % (t->warp_size / t->lanes));
}

void thread_descriptor_table_note(struct thread_descriptor_table *t) {
    const struct thread_descriptor_table_in *in = &t->in;
    const warp_set executed = in->execute ? warp_bit(in->execute_warp) : 0;
    t->d.executed = (t->q.executed | executed) & ~in->commit;
    t->d.read = in->select ? in->select_warp : t->q.read;
    t->d.live = t->q.live + (unsigned)__builtin_popcount(in->start) - t->out.exit_count;
    t->written = in->release ? ~(block_rows)0 : in->commit | executed | (warp_set)in->schedule << t->q.read;
    for (uint32_t rest = in->start; rest; rest &= rest - 1)
        t->written |= warp_bit(started_warp(t, (unsigned)__builtin_ctz(rest)));
}

/* Begins the next cycle. Warps of `rows` may have become runnable, or no longer runnable. */
static void begin_cycle(struct thread_descriptor_table *t, warp_set rows) {
    warp_set runnable = t->out.runnable & ~rows;
    t->q = t->d;
    t->in = (struct thread_descriptor_table_in){
        .start_context = t->start_context, .start_pc = t->start_pc, .execute_target = t->warp[0].next_pc};
    for (; rows; rows &= rows - 1) {
        const unsigned n = warp_set_first(rows);
        runnable |= (warp_set)((t->warp[n].ready != 0) & (t->warp[n].execution == 0)) << n;
    }
    const struct warp_descriptors *w = &t->warp[t->q.read];
    t->out = (struct thread_descriptor_table_out){
        .runnable = runnable, .ready = w->ready, .priority = w->priority, .pc = w->pc, .live = t->q.live};
}

void thread_descriptor_table_edge(struct thread_descriptor_table *t) {
    const unsigned read = t->q.read;
    begin_cycle(t, t->written & warp_set_all(t->warps));
    if (t->q.read != read || warp_set_has(t->written, read)) {
        memcpy(t->priority, t->out.priority, sizeof t->priority);
        memcpy(t->pc, t->out.pc, sizeof t->pc);
    }
    t->out.priority = t->priority;
    t->out.pc = t->pc;
}

/* --- a cycle by the ports --- */

/* The operation that commits, of at most one warp a cycle. */
struct operation {
    unsigned warp, by;
    enum thread_operation operation;
    uint64_t passed;
};

/* Returns the operation of warp n's instruction: the noted one, or the one that `in` carries. */
static struct operation operation_of(const struct thread_descriptor_table *t, unsigned n) {
    const struct warp_descriptors *w = &t->warp[n];
    if (warp_set_has(t->q.executed, n)) return (struct operation){n, w->by, w->operation, w->passed};
    return (struct operation){n, t->in.execute_by, t->in.execute_operation, t->in.execute_passed};
}

/* Returns false if several warps commit operations, or if the warp's instruction has not been executed. */
static bool find_operation(const struct thread_descriptor_table *t, struct operation *o) {
    const warp_set now = t->in.execute ? warp_bit(t->in.execute_warp) : 0;
    unsigned operations = 0;
    *o = (struct operation){0};
    for (warp_set rest = t->in.commit; rest; rest &= rest - 1) {
        const struct operation its = operation_of(t, warp_set_first(rest));
        if (its.operation == THREAD_NONE) continue;
        ++operations;
        *o = its;
    }
    if (operations > 1) *o = (struct operation){0};
    return operations <= 1 && !(t->in.commit & ~(t->q.executed | now));
}

static bool legal_start(const struct thread_descriptor_table *t, unsigned lane) {
    const unsigned n = started_warp(t, lane), position = started_position(t, lane);
    if (n >= t->warps || position >= t->warp_size) return false;
    const struct warp_descriptors *w = &t->warp[n];
    return !w->execution && !(tdt_live(w) >> position & 1);
}

static bool legal(const struct thread_descriptor_table *t) {
    const struct thread_descriptor_table_in *in = &t->in;
    const struct warp_descriptors *read = &t->warp[t->q.read];
    if (in->select && in->select_warp >= t->warps) return false;
    if (in->schedule && (!in->schedule_threads || (in->schedule_threads & ~read->ready) || read->execution))
        return false;
    if (in->execute) {
        if (in->execute_warp >= t->warps || in->execute_operation > THREAD_EXIT) return false;
        const struct warp_descriptors *w = &t->warp[in->execute_warp];
        if (!w->execution || warp_set_has(t->q.executed, in->execute_warp) ||
            (in->execute_passed & ~w->execution))
            return false;
    }
    for (uint32_t rest = in->start; rest; rest &= rest - 1)
        if (!legal_start(t, (unsigned)__builtin_ctz(rest))) return false;
    return true;
}

static bool overflows(const struct thread_descriptor_table *t, const struct operation *o) {
    if (o->operation != THREAD_RAISE && o->operation != THREAD_LOWER) return false;
    for (uint64_t rest = o->passed; rest; rest &= rest - 1) {
        const unsigned level = t->warp[o->warp].level[__builtin_ctzll(rest)];
        if (o->operation == THREAD_RAISE && level == THREAD_LEVELS_MOST) return true;
        if (o->operation == THREAD_LOWER && level < o->by) return true;
    }
    return false;
}

void thread_descriptor_table_eval(struct thread_descriptor_table *t) {
    struct operation o;
    t->out.illegal = !find_operation(t, &o) | !legal(t);
    t->out.overflow = overflows(t, &o);
    t->out.arrive_count = o.operation == THREAD_BARRIER ? (unsigned)__builtin_popcountll(o.passed) : 0;
    t->out.arrive_pc = o.operation == THREAD_BARRIER ? t->warp[o.warp].warp_pc : 0;
    t->out.exit_count = o.operation == THREAD_EXIT ? (unsigned)__builtin_popcountll(o.passed) : 0;
    t->written = 0;
    if (!t->out.illegal) thread_descriptor_table_note(t);
}

static void commit_row(struct thread_descriptor_table *t, unsigned n) {
    struct warp_descriptors *w = &t->warp[n];
    const uint64_t threads = w->execution;
    const enum thread_operation op = w->operation;
    unsigned position;
    for (unsigned k = 0; k < t->warp_size; k += THREAD_VECTOR)
        memcpy(w->pc + k, w->next_pc + k, sizeof(thread_vector));
    if (op == THREAD_BARRIER) tdt_wait(w, w->passed);
    if (op == THREAD_EXIT) tdt_exit(w, w->passed);
    tdt_commit(w, threads & w->execution);
    if (op == THREAD_RAISE) tdt_priority(t, n, w->passed, PRIORITY_RAISE, 0, &position);
    if (op == THREAD_LOWER) tdt_priority(t, n, w->passed, PRIORITY_LOWER, w->by, &position);
    if (op == THREAD_OUTERMOST) tdt_priority(t, n, w->passed, PRIORITY_OUTERMOST, 0, &position);
}

void thread_descriptor_table_clock(struct thread_descriptor_table *t) {
    const struct thread_descriptor_table_in *in = &t->in;
    invariant(!t->out.illegal, "illegal transitions in the thread descriptor table");
    if (in->schedule) {
        tdt_schedule(&t->warp[t->q.read], in->schedule_threads);
        t->warp[t->q.read].warp_pc = in->schedule_pc;
    }
    if (in->execute)
        execute_row(t, in->execute_warp, in->execute_passed, in->execute_target, in->execute_jumps,
                    in->execute_operation, in->execute_by);
    for (unsigned n = 0; in->release && n < t->warps; ++n) tdt_release(&t->warp[n], t->warp[n].barrier);
    for (warp_set rest = in->commit; rest; rest &= rest - 1) commit_row(t, warp_set_first(rest));
    for (uint32_t rest = in->start; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        tdt_start(t, started_warp(t, lane), started_position(t, lane), in->start_pc[lane], 0, 0);
    }
    begin_cycle(t, t->written & warp_set_all(t->warps));
}
