/* Thread-block compaction (divergence.md §4.7, §4.10; thread_block_compaction.h). A re-convergence stack
 * controls the work-group, whose warps are formed from any of its threads, each at its position. A warp has
 * the number of a warp of the TPMs. */
#include "model/divergence/thread_block_compaction.h"
#include "model/unit/regrouped.h"
#include "model/unit/services.h"
#include "model/unit/slots.h"

#include "sim/error.h"

#include <stdlib.h>

static struct thread_block_compaction *compaction_of(const struct unit *u) {
    return u->engine;
}

static void create(struct unit *u) {
    const struct cluster *c = u->cluster;
    unit_regroup(u, c->descriptors.warp_size);
    u->engine = calloc(1, sizeof(struct thread_block_compaction));
    require_memory(u->engine);
    thread_block_compaction_init(compaction_of(u), c->warps, c->descriptors.warp_size, 1,
                                 c->config->simt.stack_calls);
}

static void destroy(struct unit *u) {
    thread_block_compaction_free(compaction_of(u));
    free(u->engine);
    unit_regroup_free(u);
}

static void launch(struct unit *u) {
    thread_block_compaction_clear(compaction_of(u));
}

static void start(struct unit *u, const struct regrouped_warp *w) {
    thread_block_compaction_start(compaction_of(u), w);
}

static void begin(struct unit *u) {
    unit_start_regrouped(u, start);
}

static void take(struct unit *u, struct unit_flight *f) {
    unit_take_regrouped(u, f, thread_block_compaction_issue(compaction_of(u), f->formed));
    u->ready = compaction_of(u)->ready;
}

static uint64_t commit(struct unit *u, struct unit_flight *f, uint64_t t) {
    struct regrouped_outcome o;
    unit_land_regrouped(u, f);
    unit_commit_regrouped(u, &compaction_of(u)->warp[f->formed].warp, &o, t);
    if (!thread_block_compaction_commit(
            compaction_of(u), f->formed, &o,
            compaction_kind_of(f->i, machine_parts(u->cluster->launch->code, f->pc))))
        simt_diagnose(&u->cluster->simt, f->warp, unit_first_position(u, f), f->pc, COMPACTION_FULL,
                      u->cluster->config->simt.stack_calls);
    return 0;
}

static void release(struct unit *u) {
    thread_block_compaction_release(compaction_of(u), 0);
}

/* Forms a warp. Returns the next cycle with work. */
static uint64_t end(struct unit *u, uint64_t t) {
    struct thread_block_compaction *c = compaction_of(u);
    thread_block_compaction_form(c);
    u->ready = c->ready;
    return unit_wake_front(u, thread_block_compaction_forms(c) ? t + 1 : UNIT_NEVER, t);
}

static void register_counters(struct unit *u, const char *scope, struct counter_registry *r) {
    thread_block_compaction_register(compaction_of(u), scope, 0, r);
}

const struct divergence_slot divergence_tbc = {.create = create,
                                               .free = destroy,
                                               .launch = launch,
                                               .begin = begin,
                                               .next = unit_schedule_regrouped,
                                               .commit = commit,
                                               .register_counters = register_counters,
                                               .take = take,
                                               .release = release,
                                               .end = end};
