/* Each thread has a PC. An arbiter chooses one of those of the ready threads, and all ready threads there run
 * together.
 *
 * Without ports, threads that have run together have one PC (struct warp_descriptors: together) until they
 * part. The arbiter is asked only after other threads have come to that PC, or levels and ready threads have
 * changed. */
#include "model/arm/coprocessor.h"
#include "model/control/thread_vector.h"
#include "model/unit/services.h"

/* --- A --- */

static inline void ask_arbiter(struct unit *u, const struct warp_descriptors *w) {
    struct warp_pc_arbiter *a = &u->blocks->arbiter;
    warp_pc_arbiter_read(a, w);
    warp_pc_arbiter_eval(a);
}

UNIT_STAGE void pc_next(struct unit *u, struct unit_flight *f, uint64_t t) {
    struct thread_descriptor_table *table = &u->cluster->descriptors;
    struct warp_pc_arbiter *a = &u->blocks->arbiter;
    struct warp_descriptors *w = &table->warp[f->warp];
    const bool alone = w->together == w->ready,
               known = w->together && (alone || (!(w->together & ~w->ready) && w->together_pc < w->apart));
    (void)t;
    if ((UNIT_GENERAL && u->shows) || !known ||
        (!alone && !w->leads && !(w->leads = warp_pc_arbiter_leads(a, w, w->together)))) {
        tdt_settle(table, f->warp);
        ask_arbiter(u, w);
        tdt_gather(table, f->warp, a->out.participating, a->out.pc);
        w->leads = a->cfg.policy != PC_MIN_PC;
    }
    f->pc = w->together_pc;
    f->participating = w->together;
    tdt_schedule(w, f->participating);
}

/* --- C --- */

/* Threads that were together part, or jump to several PCs. */
static __attribute__((noinline)) void part(struct cluster *c, const struct unit_flight *f) {
    tdt_settle(&c->descriptors, f->warp);
    uint32_t *pc = c->descriptors.warp[f->warp].pc;
    const uint32_t *next = c->threads[f->warp].next_pc;
    const unsigned warp_size = c->descriptors.warp_size;
    const uint64_t jump = f->i->writes_pc ? f->passed : 0, step = f->participating & ~jump;
    unsigned k = 0;
    for (; k + THREAD_VECTOR <= warp_size; k += THREAD_VECTOR)
        thread_vector_choose(pc + k, (uint32_t)(jump >> k), next + k, (uint32_t)(step >> k), f->pc + 4,
                             pc + k);
    for (; k < warp_size; ++k) pc[k] = jump >> k & 1 ? next[k] : step >> k & 1 ? f->pc + 4 : pc[k];
}

static __attribute__((noinline)) void change_priority(struct cluster *c, const struct unit_flight *f,
                                                      struct coprocessor_decoded op) {
    const enum priority_operation p = op.operation == COPROCESSOR_RAISE   ? PRIORITY_RAISE
                                      : op.operation == COPROCESSOR_LOWER ? PRIORITY_LOWER
                                                                          : PRIORITY_OUTERMOST;
    unsigned position;
    if (tdt_priority(&c->descriptors, f->warp, f->passed, p, op.index, &position)) return;
    c->descriptors.out.overflow = true;
    cluster_diagnose(c, (int)f->warp, position, f->pc,
                     p == PRIORITY_RAISE ? "raises its priority above level 255"
                                         : "lowers its priority below the outermost level");
}

/* What a co-processor instruction does to the threads that it passes. Returns the threads that stay ready. */
static inline uint64_t operate(struct unit *u, const struct unit_flight *f) {
    const struct coprocessor_decoded op = coprocessor_decode(f->i);
    if (op.operation == COPROCESSOR_BARRIER || op.operation == COPROCESSOR_EXIT) {
        unit_leave(u, f, op.operation == COPROCESSOR_BARRIER);
        return f->participating & ~f->passed;
    }
    if (op.operation >= COPROCESSOR_RAISE && op.operation <= COPROCESSOR_OUTERMOST)
        change_priority(u->cluster, f, op);
    return f->participating;
}

/* Moves the PC that the threads of a flight have together. */
static inline void step_together(struct cluster *c, const struct unit_flight *f) {
    struct warp_descriptors *w = &c->descriptors.warp[f->warp];
    const uint32_t *next = c->threads[f->warp].next_pc;
    const uint64_t jump = f->i->writes_pc ? f->passed : 0;
    if (__builtin_expect(!jump, 1))
        w->together_pc = f->pc + 4;
    else if (jump == f->participating && thread_vector_same(next, jump, c->descriptors.warp_size))
        tdt_gather(&c->descriptors, f->warp, jump, next[__builtin_ctzll(jump)]);
    else
        part(c, f);
}

UNIT_STAGE uint64_t pc_commit(struct unit *u, struct unit_flight *f, uint64_t t) {
    struct cluster *c = u->cluster;
    const struct warp_descriptors *w = &c->descriptors.warp[f->warp];
    (void)t;
    if (UNIT_GENERAL && w->together != f->participating)
        part(c, f); /* with another flight of the warp, or with ports */
    else
        step_together(c, f);
    return __builtin_expect(f->i->is_coprocessor, 0) ? operate(u, f) : f->participating;
}

UNIT_ROW const struct divergence_slot divergence_pc = {.next = pc_next, .commit = pc_commit};
