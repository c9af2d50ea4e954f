#include "model/unit/regrouped.h"

#include "model/arm/coprocessor.h"
#include "model/unit/services.h"

#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

void unit_regroup(struct unit *u, const struct unit_regrouped *r) {
    u->regrouped = malloc(sizeof *r);
    require_memory(u->regrouped);
    *u->regrouped = *r;
    u->regrouped->straight = true;
    for (unsigned n = 0; n < r->size; ++n) {
        u->regrouped->at[r->place[n]] = (uint8_t)n;
        u->regrouped->straight &= r->place[n] == n;
    }
}

void unit_regroup_free(struct unit *u) {
    if (!u->regrouped) return;
    free(u->regrouped->home);
    free(u->regrouped->wait);
    free(u->regrouped);
}

void unit_start_rows(struct unit *u, unsigned first, unsigned rows, unsigned group) {
    const struct unit_regrouped *r = u->regrouped;
    for (unsigned row = first; row < first + rows; ++row) {
        struct regrouped_warp w = {.group = group, .in_row = true};
        for (unsigned lane = 0; lane < r->width; ++lane) {
            const unsigned home = unit_home(u, row, lane);
            const uint32_t pc = r->machine->pcs(u, home / r->size)[home % r->size];
            w.row[lane] = (uint16_t)row;
            if (!(r->machine->ready(u, home / r->size) >> home % r->size & 1)) continue;
            invariant(!w.valid || w.pc == pc, "row %u begins at several PCs", row);
            w.pc = pc;
            w.valid |= UINT64_C(1) << lane;
        }
        if (w.valid) u->rows.divergence->start(u, &w);
    }
}

void unit_accessed(struct unit *u, unsigned home) {
    const struct unit_regrouped *r = u->regrouped;
    const unsigned n = home / r->size / r->schedulers * r->size + r->at[home % r->size];
    u->rows.divergence->accessed(u, n / r->width, n % r->width);
}

/* --- commits --- */

/* Sets the next PCs of threads that may have different ones. */
static void read_pcs(const struct unit *u, const struct regrouped_warp *w, struct regrouped_outcome *o) {
    const struct unit_regrouped *r = u->regrouped;
    if (w->in_row && r->whole) {
        const unsigned first = unit_home(u, w->row[__builtin_ctzll(w->valid)], 0);
        const uint32_t *pcs = r->machine->pcs(u, first / r->size) + first % r->size;
        memcpy(o->next, pcs, r->width * sizeof o->next[0]);
        return;
    }
    for (uint64_t rest = w->valid; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(rest), home = unit_home(u, w->row[lane], lane);
        o->next[lane] = r->machine->pcs(u, home / r->size)[home % r->size];
    }
}

void unit_commit_regrouped(struct unit *u, const struct regrouped_warp *w, struct regrouped_outcome *o,
                           uint64_t t) {
    const struct machine_code *code = u->simt->launch->code;
    const struct arm_instruction *i = machine_code_at(code, w->pc);
    const enum coprocessor_operation op = coprocessor_operation_of(i);
    o->meeting = machine_meeting(code, w->pc);
    o->waits = op == COPROCESSOR_BARRIER || op == COPROCESSOR_SYNC;
    o->together = i->writes_pc || op == COPROCESSOR_EXIT ? 0 : w->pc + 4;
    if (!o->together) read_pcs(u, w, o);
    const uint64_t ended = op == COPROCESSOR_EXIT ? w->valid & ~regrouped_living(w, o) : 0;
    u->regrouped->machine->commit(u, w, o, o->waits ? w->valid : ended, t);
}

void unit_visit_regrouped(const struct unit *u, const struct regrouped_warp *w, uint64_t lanes,
                          struct regrouped_place at, thread_place_visitor *visit, void *context) {
    struct thread_place p = {
        .state = at.state, .table = at.table, .entry = at.entry, .warp = -1, .pc = w->pc};
    for (uint64_t rest = lanes; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(rest);
        p.thread[p.count++] = (uint16_t)unit_home(u, w->row[lane], lane);
    }
    if (p.count) visit(context, &p);
}

/* --- large warps --- */

unsigned unit_large_home(const struct unit *u, const struct regrouped_large *w, unsigned thread) {
    const struct unit_regrouped *r = u->regrouped;
    return w->part[thread / r->size] * r->size + r->place[thread % r->size];
}

re_convergence_mask unit_in_large(const struct unit *u, unsigned n, uint64_t positions) {
    const struct unit_regrouped *r = u->regrouped;
    uint64_t threads = r->straight ? positions : 0;
    for (uint64_t rest = r->straight ? 0 : positions; rest; rest &= rest - 1)
        threads |= UINT64_C(1) << r->at[__builtin_ctzll(rest)];
    return (re_convergence_mask)threads << n * r->size;
}

re_convergence_mask unit_large_threads(const struct unit *u, const struct regrouped_large *w,
                                       uint64_t (*state)(const struct unit *u, unsigned warp)) {
    re_convergence_mask all = 0;
    for (unsigned n = 0; n < w->parts; ++n) all |= unit_in_large(u, n, state(u, w->part[n]));
    return all;
}
