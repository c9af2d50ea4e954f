/* Writes diagnoses of a launch in terms of the program: kernel, work-item, PC, source line, and what each
 * warp waits for. */
#include "model/report/cluster_text.h"
#include "model/report/object_name.h"
#include "model/arm/coprocessor.h"
#include "model/unit/unit.h"

#include "sim/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void cluster_instruction_text(const struct cluster *c, uint32_t pc, char *out, size_t size) {
    struct text text = {out, size};
    text_instruction(&text, c->launch->code, pc);
}

/* Appends "core 3" or "core 3 of cluster 1". */
static void put_core(struct text *out, const struct cluster *c, unsigned core) {
    text_put(out, "core %u", core);
    if (c->config->cluster.count > 1) text_put(out, " of cluster %u", c->index);
}

static bool at_twin_trap(const struct cluster *c, uint32_t pc) {
    const struct arm_instruction *i = machine_code_at(c->launch->code, pc);
    return i && i->encoding == TEXT_TWIN_TRAP;
}

/* Describes a core in MIMD mode that has reached the trap: its current work-item, and the place where earlier
 * ones wait. */
static void put_apart(struct text *out, const struct cluster *c, const struct core *k, uint32_t pc) {
    const uint32_t *size = c->launch->local_size, item = k->registers[0], line = k->registers[1];
    const uint32_t local[3] = {item % size[0], item / size[0] % size[1], item / size[0] / size[1]};
    const char *file = NULL;
    unsigned here;
    text_work_item(out, c->launch, k->group, local);
    text_put(out, " comes here, ");
    if (!line)
        text_put(out, "while those before it have returned");
    else if (c->launch->code->line && c->launch->code->line(c->launch->code->line_context, pc, &file, &here))
        text_put(out, "while those before it wait at the barrier in %s:%u", file, line);
    else
        text_put(out, "while those before it wait at the barrier in line %u", line);
}

void cluster_diagnose(struct cluster *c, unsigned core, uint32_t pc, const char *format, ...) {
    const struct core *k = &c->core[core];
    char who[1200];
    struct text out = {who, sizeof who};
    va_list arguments;
    va_start(arguments, format);
    text_put(&out, k->in_kernel ? "kernel '%s', " : "kernel '%s', start-up code of ", c->launch->kernel);
    put_core(&out, c, core);
    if (k->in_kernel) {
        text_put(&out, " in work-group (%u, %u, %u)", k->group[0], k->group[1], k->group[2]);
        if (!at_twin_trap(c, pc)) text_put(&out, " (which of its work-items, mode simt says)");
    }
    text_fail(c->error, c->launch->code, who, pc, format, arguments);
    va_end(arguments);
}

void cluster_diagnose_fault(struct cluster *c, unsigned core, uint32_t pc, const struct arm_instruction *i,
                            const struct arm_execution *x) {
    char what[TEXT_MESSAGE_BYTES];
    struct text out = {what, sizeof what};
    text_fault(&out, c->core[core].threads.memory, i, x, c->threads[0].stack_size, true);
    if (at_twin_trap(c, pc)) put_apart(&out, c, &c->core[core], pc);
    cluster_diagnose(c, core, pc, "%s", what);
}

void cluster_diagnose_outside_object(struct cluster *c, unsigned core, uint32_t pc,
                                     const struct arm_instruction *i, const struct memory_fault *f) {
    char what[TEXT_MESSAGE_BYTES];
    struct text out = {what, sizeof what};
    text_outside_object(&out, c->launch, i, f);
    cluster_diagnose(c, core, pc, "%s", what);
}

/* --- activity of all warps --- */

static uint64_t at_pc(const struct warp_descriptors *w, uint64_t threads, uint32_t pc) {
    uint64_t at = 0;
    for (uint64_t rest = threads; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        if (tdt_pc(w, k) == pc) at |= 1ull << k;
    }
    return at;
}

static void report_threads(struct text *out, const struct cluster *c, unsigned warp, uint64_t threads,
                           const char *doing, bool barrier) {
    const struct warp_descriptors *w = &c->descriptors.warp[warp];
    while (threads) {
        const unsigned first = (unsigned)__builtin_ctzll(threads);
        const uint32_t pc = tdt_pc(w, first);
        const uint64_t group = at_pc(w, threads, pc);
        const bool several = group & (group - 1);
        text_put(out, "    %2d thread%s %s, %s", __builtin_popcountll(group), several ? "s" : " ", doing,
                 several ? "from " : "");
        text_thread(out, &c->simt, warp, first);
        text_put(out, ", ");
        text_instruction_at(out, c->launch->code, barrier ? pc - 4 : pc);
        text_put(out, "\n");
        threads &= ~group;
    }
}

static void report_warp(struct text *out, const struct cluster *c, unsigned warp, uint64_t t) {
    const struct warp_descriptors *w = &c->descriptors.warp[warp];
    if (!tdt_live(w)) return;
    text_put(out, "  warp %u, %d Ready, %d Execution, %d Barrier, %d Idle: ", warp,
             __builtin_popcountll(w->ready), __builtin_popcountll(w->execution),
             __builtin_popcountll(w->barrier), __builtin_popcountll(c->descriptors.all & ~tdt_live(w)));
    cluster_put_wait(out, c, warp, t);
    text_put(out, "\n");
    report_threads(out, c, warp, w->execution, "executing", false);
    report_threads(out, c, warp, w->ready, "ready", false);
    report_threads(out, c, warp, w->barrier, "waiting at the barrier", true);
    cluster_put_loop(out, c, warp);
}

static void report_core(struct text *out, const struct cluster *c, unsigned core) {
    const struct core *k = &c->core[core];
    text_put(out, "  core %u: %s, ", core, core_state_name[k->state]);
    if (k->has_group) text_put(out, "work-group (%u, %u, %u), ", k->group[0], k->group[1], k->group[2]);
    text_instruction_at(out, c->launch->code, k->pc);
    text_put(out, "\n");
    if (c->mode == CLUSTER_MIMD) cluster_put_core_loop(out, c, core);
}

static void report_launch(struct text *out, const struct cluster *c, uint64_t t) {
    if (c->config->cluster.count > 1) text_put(out, "cluster %u, ", c->index);
    text_put(out, "cycle %llu of the launch, ", (unsigned long long)(t - c->first_cycle));
    if (c->mode == CLUSTER_MIMD)
        text_put(out, "%llu of %llu work-groups begun",
                 (unsigned long long)work_group_dispatcher_begun(&c->uncore->groups),
                 (unsigned long long)work_group_dispatcher_all(&c->uncore->groups));
    else
        text_put(out, "work-group (%u, %u, %u), %u live work-items", c->group[0], c->group[1], c->group[2],
                 c->live);
    text_put(out, ", mode %s\n", cluster_mode_name[c->mode]);
}

void cluster_report(const struct simt *u, uint64_t t, char *out, size_t size) {
    const struct cluster *c = (const struct cluster *)u;
    struct text text = {out, size};
    report_launch(&text, c, t);
    if (c->mode == CLUSTER_CORES || c->mode == CLUSTER_MIMD)
        for (unsigned i = 0; i < c->lanes; ++i) report_core(&text, c, i);
    else
        for (unsigned w = 0; w < c->warps; ++w) report_warp(&text, c, w, t);
    const size_t length = strlen(out);
    if (length && out[length - 1] == '\n') out[length - 1] = '\0';
}

/* Finds the first work-item of the work-group that has ended, in *warp and *position. */
static bool find_ended(const struct cluster *c, unsigned *warp, unsigned *position) {
    const uint32_t *size = c->launch->local_size, items = size[0] * size[1] * size[2];
    for (uint32_t n = 0; n < items; ++n) {
        *warp = n / c->descriptors.warp_size;
        *position = n % c->descriptors.warp_size;
        if (!(tdt_live(&c->descriptors.warp[*warp]) >> *position & 1)) return true;
    }
    return false;
}

void cluster_note_short_barrier(struct cluster *c, uint32_t pc) {
    struct text out = {c->short_barrier, sizeof c->short_barrier};
    unsigned warp, position;
    if (c->short_barrier[0] || !find_ended(c, &warp, &position)) return;
    text_whole_thread(&out, &c->simt, warp, position);
    const uint32_t *size = c->launch->local_size;
    text_put(&out, " had ended when %u of the work-group's %u met\n  at ", c->live,
             size[0] * size[1] * size[2]);
    text_instruction_at(&out, c->launch->code, pc);
}

void cluster_diagnose_deadlock(struct cluster *c, uint64_t t) {
    char report[3500];
    cluster_report(&c->simt, t, report, sizeof report);
    invariant(c->barriers.out.deadlock || unit_has_stacks(c->unit) || c->unit->regrouped,
              "nothing can happen any more, but it is no barrier deadlock\n%s", report);
    error_set(c->error, EXIT_PROGRAM_FAULT, "kernel '%s': deadlock: %s\n%s", c->launch->kernel,
              c->barriers.out.deadlock ? "all live work-items of a work-group wait, at different barriers"
                                       : SIMT_DEADLOCK,
              report);
}
