#include "model/simt/execute.h"

static unsigned first_of(const struct simt_instruction *n) {
    return (unsigned)__builtin_ctzll(n->participating);
}

bool simt_jumps_outside(struct simt *u, const struct simt_instruction *n) {
    simt_diagnose(u, n->warp, first_of(n), n->pc, "jumps outside the program's code");
    return false;
}

bool simt_fails(struct simt *u, const struct simt_instruction *n, const struct arm_execution *x) {
    if (u->debugger) u->debugger->fault(u->debugger->context, u, n, x);
    simt_diagnose_fault(u, n->warp, n->pc, n->i, x);
    return false;
}

bool simt_operates(struct simt *u, const struct simt_instruction *n, const struct arm_execution *x,
                   uint64_t t) {
    const enum coprocessor_operation op = coprocessor_decode(n->i).operation;
    if (op == COPROCESSOR_UNDEFINED || op == COPROCESSOR_NOTE || coprocessor_mimd_only(op) ||
        (op == COPROCESSOR_SYNC && !u->kind->syncs)) {
        simt_diagnose(u, n->warp, first_of(n), n->pc,
                      "executes a co-processor instruction that does not exist in SIMT mode");
        return false;
    }
    if (!n->i->coprocessor_reads) return true; /* executed at the commit, or without effect on this unit */
    const struct identity d = u->kind->identity(u, n->warp);
    identity_read(&d, n->i, simt_warp_of(u, n->warp).threads, x->passed, t);
    return true;
}

bool simt_change_level(struct simt *u, const struct simt_instruction *n, const struct thread_levels *l,
                       uint64_t passed) {
    const struct coprocessor_decoded op = coprocessor_decode(n->i);
    const enum priority_operation p = op.operation == COPROCESSOR_RAISE   ? PRIORITY_RAISE
                                      : op.operation == COPROCESSOR_LOWER ? PRIORITY_LOWER
                                                                          : PRIORITY_OUTERMOST;
    unsigned position;
    if (thread_levels_change(l, passed, p, op.index, &position)) return true;
    simt_diagnose(u, n->warp, position, n->pc,
                  p == PRIORITY_RAISE ? "raises its priority above level 255"
                                      : "lowers its priority below the outermost level");
    return false;
}

void simt_check_levels(struct simt *u, const struct simt_instruction *n, const struct thread_levels *l,
                       uint64_t threads) {
    for (uint64_t rest = threads; rest; rest &= rest - 1) {
        const unsigned position = (unsigned)__builtin_ctzll(rest), level = l->level[position];
        if (level == 0) continue;
        simt_diagnose(u, n->warp, position, n->pc, "ends at priority level %u, not at the outermost", level);
        return;
    }
}

void simt_uniform_edge(struct simt *u, const struct cluster_twins *twins, uint64_t t) {
    const bool srf = u->config->uniform.storage == UNIFORM_SRF;
    if (srf && twins) srf_rename_write_map(&u->uniform.rename);
    block_twins_cycle(twins, srf ? CLUSTER_BLOCK_RENAME : CLUSTER_BLOCK_TOKENS, t);
    uniform_clock(&u->uniform);
}

void simt_uniform_edge_reuse(struct simt *u, const struct cluster_twins *twins, uint64_t t) {
    if (!u->uniform.looks_up) uniform_eval_reuse(&u->uniform);
    block_twins_cycle(twins, CLUSTER_BLOCK_REUSE, t);
    if (__builtin_expect(u->fault != NULL, 0)) fault_reused(u->fault, &u->uniform);
    uniform_clock_reuse(&u->uniform);
}
