/* Writes diagnoses of a launch on a GPU-like machine in terms of the program: kernel, work-item, PC, source
 * line. */
#include "model/report/text.h"
#include "model/sm/scalar_units.h"
#include "model/sm/sm_divergence.h"
#include "model/sm/sm_parts.h"

void sm_note_short_barrier(struct sm *s, unsigned warp) {
    const struct sm_warp *w = &s->warp[warp];
    struct text out = {s->short_barrier, sizeof s->short_barrier};
    if (s->short_barrier[0]) return;
    text_put(&out, "kernel '%s', ", s->launch->kernel);
    text_thread(&out, &s->simt, warp, (unsigned)__builtin_ctzll(w->waiting));
    text_put(&out, ": ");
    text_place(&out, s->launch->code, w->barrier_pc);
}

/* --- activity of all warps --- */

static const char *doing(const struct sm *s, unsigned warp) {
    const struct sm_scheduler *q = &s->scheduler[warp % s->schedulers];
    const uint64_t bit = UINT64_C(1) << warp / s->schedulers;
    const struct sm_warp *w = &s->warp[warp];
    if (q->barrier & bit) return "at a barrier";
    if (q->unresolved & bit) return "a branch, barrier or exit in flight";
    if (!(q->decoded & bit)) return "fetching";
    if (q->clear & bit) return "ready";
    return w->loads ? "waiting for memory" : "waiting for a result";
}

static void report_warp(struct text *out, const struct sm *s, unsigned warp) {
    const struct sm_warp *w = &s->warp[warp];
    text_put(out, "  warp %u of work-group %llu, %u in flight", warp,
             (unsigned long long)s->group[w->group].number, w->in_flight);
    if (!s->barrel) text_put(out, ": %s", doing(s, warp));
    text_put(out, "\n");
}

/* The report of an engine's places with threads. */
struct place_report {
    struct text *out;
    const struct sm *s;
    int warp; /* warp reported last; −1: none */
};

static void report_place(void *context, const struct thread_place *p) {
    static const char *const states[PLACE_STATES] = {"ready",
                                                     "in flight",
                                                     "accessing memory",
                                                     "inactive",
                                                     "waiting to meet those they parted from",
                                                     "waiting at the barrier"};
    struct place_report *r = context;
    const struct sm *s = r->s;
    const unsigned warp = p->thread[0] / s->warp_size, position = p->thread[0] % s->warp_size;
    const uint32_t pc = p->state == PLACE_BARRIER ? s->warp[warp].barrier_pc : p->pc;
    if (p->warp >= 0 && p->warp != r->warp) report_warp(r->out, s, (unsigned)p->warp);
    r->warp = p->warp;
    text_put(r->out, "    %2u thread%s %s, %s", p->count, p->count > 1 ? "s" : " ", states[p->state],
             p->count > 1 ? "from " : "");
    text_thread(r->out, &s->simt, warp, position);
    text_put(r->out, ", %s[%u], ", p->table, p->entry);
    text_instruction_at(r->out, s->launch->code, pc);
    text_put(r->out, "\n");
}

void sm_report(const struct simt *u, uint64_t t, char *out, size_t size) {
    const struct sm *s = (const struct sm *)u;
    struct text text = {out, size};
    out[0] = '\0';
    if (!s->groups_used) return;
    text_put(&text, "cluster %u in cycle %llu: %u work-groups, %u warps\n", s->index, (unsigned long long)t,
             s->groups_used, sm_resident_warps(s));
    for (unsigned n = 0; n < s->schedulers; ++n) {
        struct place_report r = {&text, s, -1};
        if (!s->scheduler[n].live) continue;
        if (s->schedulers > 1) text_put(&text, "  scheduler %u\n", n);
        s->divergence->places(s, n, report_place, &r);
    }
    scalar_units_report(s, t, &text);
}

void sm_diagnose_refusal(struct sm *s, const struct sm_refusal *r, uint64_t cycles, uint64_t t) {
    char report[3600];
    sm_report(&s->simt, t, report, sizeof report);
    error_set(
        s->error, EXIT_TWINS_DISAGREE,
        "kernel '%s': livelock: %s of SM %u has %s for %llu cycles (simt.livelock_cycles), although %s: the "
        "mistake is in the Verilog that replaces it\n%s",
        s->launch->kernel, r->block, s->index, r->refused, (unsigned long long)cycles, r->although, report);
}

void sm_diagnose_deadlock(struct sm *s, uint64_t t) {
    char report[3600];
    sm_report(&s->simt, t, report, sizeof report);
    error_set(s->error, EXIT_PROGRAM_FAULT, "kernel '%s': deadlock: " SIMT_DEADLOCK "\n%s", s->launch->kernel,
              report);
}
