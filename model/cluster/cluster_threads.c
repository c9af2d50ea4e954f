#include "model/cluster/cluster_threads.h"

#include "model/arm/coprocessor.h"

#include "sim/error.h"

#include <string.h>

/* --- execution --- */

void cluster_note_claims(struct cluster *c, unsigned warp, const struct arm_execution *x) {
    for (uint64_t rest = x->stored; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        const uint32_t address = x->address[k] & ~3u;
        const int index = memory_find(c->memory, address, 4);
        if (index < 0) continue;
        const struct memory_region *r = &c->memory->region[index];
        uint32_t value;
        memcpy(&value, r->host + (address - r->base), 4);
        exclusive_claims_store(&c->uncore->claims,
                               &(struct exclusive_claim){core_physical(&c->core[0], address),
                                                         value,
                                                         c,
                                                         (uint8_t)warp,
                                                         (uint8_t)k,
                                                         {c->group[0], c->group[1], c->group[2]}});
    }
}

/* --- commit --- */

void cluster_part(struct cluster *c, const struct simt_instruction *n, uint64_t passed) {
    tdt_settle(&c->descriptors, n->warp);
    uint32_t *pc = c->descriptors.warp[n->warp].pc;
    const uint32_t *next = c->threads[n->warp].next_pc;
    const unsigned warp_size = c->descriptors.warp_size;
    const uint64_t jump = n->i->writes_pc ? passed : 0, step = n->participating & ~jump;
    unsigned k = 0;
    for (; k + THREAD_VECTOR <= warp_size; k += THREAD_VECTOR)
        thread_vector_choose(pc + k, (uint32_t)(jump >> k), next + k, (uint32_t)(step >> k), n->pc + 4,
                             pc + k);
    for (; k < warp_size; ++k) pc[k] = jump >> k & 1 ? next[k] : step >> k & 1 ? n->pc + 4 : pc[k];
}

static void change_priority(struct cluster *c, const struct simt_instruction *n, uint64_t passed) {
    const struct thread_levels l = tdt_levels(&c->descriptors, n->warp);
    c->descriptors.warp[n->warp].leads = false;
    c->descriptors.out.overflow |= !simt_change_level(&c->simt, n, &l, passed);
}

/* Lets threads wait at a barrier, or exit. Barriers and exits are one instruction class with one duration, so
 * two of them never commit in the same cycle. */
static void leave(struct cluster *c, const struct simt_instruction *n, uint64_t threads, bool barrier,
                  uint64_t t) {
    struct warp_descriptors *w = &c->descriptors.warp[n->warp];
    const unsigned count = (unsigned)__builtin_popcountll(threads);
    struct barrier_table_in *table = &c->barriers.in;
    c->left_warp = (int)n->warp;
    simt_record(&c->simt, barrier ? RECORD_ARRIVE : RECORD_EXIT, t, n->warp, threads, n->pc);
    if (barrier) {
        tdt_wait(w, threads);
        for (uint64_t rest = threads; rest; rest &= rest - 1) w->barrier_pc[__builtin_ctzll(rest)] = n->pc;
        c->descriptors.out.arrive_count = table->arrive_count += count;
        table->arrive_pc = c->descriptors.out.arrive_pc = n->pc;
        return;
    }
    if (c->check_levels) {
        const struct thread_levels l = tdt_levels(&c->descriptors, n->warp);
        simt_check_levels(&c->simt, n, &l, threads);
    }
    tdt_exit(w, threads);
    c->live -= count;
    c->descriptors.out.exit_count = table->exit_count += count;
}

uint64_t cluster_commit_part(struct cluster *c, const struct simt_instruction *n, uint64_t passed,
                             bool *leaves, uint64_t t) {
    const struct coprocessor_decoded op = coprocessor_decode(n->i);
    if (op.operation == COPROCESSOR_BARRIER || op.operation == COPROCESSOR_EXIT) {
        leave(c, n, passed, op.operation == COPROCESSOR_BARRIER, t);
        *leaves = true;
        return n->participating & ~passed;
    }
    if (coprocessor_changes_level(op.operation)) change_priority(c, n, passed);
    return n->participating;
}

uint64_t cluster_commit_operation(struct cluster *c, const struct simt_instruction *n, uint64_t passed,
                                  bool *leaves, uint64_t t) {
    const bool first = !c->barriers.in.arrive_count && !c->barriers.in.exit_count;
    const uint64_t stay = cluster_commit_part(c, n, passed, leaves, t);
    invariant(first || !*leaves, "two warps reach barriers or exits in one cycle");
    return stay;
}

void cluster_release_barrier(struct cluster *c, cluster_release *release, void *pipeline, uint64_t t) {
    bool checked = !c->checks;
    c->barrier_release = CLUSTER_NEVER;
    for (unsigned w = 0; w < c->warps; ++w) {
        struct warp_descriptors *d = &c->descriptors.warp[w];
        if (!d->barrier) continue;
        const uint32_t pc = d->barrier_pc[__builtin_ctzll(d->barrier)];
        if (!checked) checks_barrier(c->checks, c->index, pc);
        checked = true;
        if (c->barriers.out.exited) cluster_note_short_barrier(c, pc);
        simt_record(&c->simt, RECORD_RELEASE, t, w, d->barrier, pc);
        tdt_release(d, d->barrier);
        release(pipeline, w, t, MACHINE_CAUSE_BARRIER, pc);
    }
}
