/* Random kernels on machines with every engine of simt.divergence (docs/divergence.md), compiled without
 * priority operations, and on one with ICS-First, compiled with them. Half of the machines find uniform
 * values
 * (--check-uniform checks every one), a quarter has lane groups; others have a mitigation. Those that
 * clusters of cores have also run there. Memory afterwards must equal that of a machine with a PC for each
 * thread. In one of the engines, every thread must be in exactly one place after each cycle. `make test` runs
 * 15 kernels, LOCKSTEP_LONG=1 (`make test-long`) 2,000; random_run.h describes how a run is stopped and
 * continued. */
#include "generated/divergence_slot_list.h"
#include "model/config/divergence_engine.h"
#include "model/config/divergence_kind.h"
#include "model/config/limits.h"
#include "model/config/own_fields.h"
#include "tests/attacks/random_batch.h"
#include "tests/attacks/random_run.h"
#include "tests/attacks/uniform_choice.h"
#include "tests/spawn.h"

enum { SOME_KERNELS = 15, ALL_KERNELS = 2000 };

static struct machine_config fermi_like;

/* Lets a machine find uniform values, in warps as wide as the lanes if the engine needs that. */
static void take_uniform_values(struct seed *s, struct machine_config *c) {
    c->cluster.schedulers = c->cluster.sp_groups = 1;
    uniform_choose(s, c);
    if (divergence_engines[c->simt.divergence]->as_wide_as_lanes) c->simt.warp_size = c->cluster.lanes;
}

/* Gives each of two schedulers or more a lane group of its own. */
static void take_lane_groups(struct seed *s, struct machine_config *c) {
    c->lanes.group = 1u << seed_below(s, 3);
    c->lanes.kind = c->lanes.group == 1 ? LANES_TEMPORAL : LANES_SPATIO_TEMPORAL;
    c->lanes.exact_allocation = (unsigned)seed_below(s, 2);
    c->cluster.schedulers = c->cluster.lanes / c->lanes.group;
    c->cluster.sp_groups = 1;
}

/* Makes an engine with tables small enough to fill up and rows of lanes of any width. */
static struct machine_config an_engine(struct seed *s, const struct random_subject *subject,
                                       enum divergence_kind engine, bool levels) {
    const bool uniform = seed_below(s, 2), groups = !uniform && seed_below(s, 2);
    for (;;) {
        struct machine_config c = fermi_like;
        struct own_fields *own = (struct own_fields *)c.own;
        struct error e = {0};
        c.simt.divergence = engine;
        c.simt.pc_policy = levels ? PC_ICS_FIRST : seed_below(s, 3);
        c.cluster.count = 1 + seed_below(s, 2);
        c.cluster.lanes = c.cluster.ldst_lanes = 4u << seed_below(s, 4);
        c.simt.warp_size = 8u << seed_below(s, 4);
        c.simt.pipeline_depth = 8 + seed_below(s, 9);
        c.simt.stack_calls = 64;
        own->lwm.threads = 32u << seed_below(s, 3);
        own->dwf.lut_entries = 4u << seed_below(s, 7);
        own->harp.first_level = 1 + seed_below(s, 16);
        own->harp.ready_lookup = 1 + seed_below(s, 8);
        own->harp.waiting_lookup = 1 + seed_below(s, 8);
        own->harp.barrier_ways = 1u << seed_below(s, 5);
        own->harp.barriers = own->harp.barrier_ways << seed_below(s, 4);
        own->harp.barrier_stages = 1u << seed_below(s, 3);
        switch (seed_below(s, 3)) { /* where the engine allows it */
        case 0: c.simt.mitigation = MITIGATION_SLP; break;
        case 1: c.simt.mitigation = engine == DIVERGENCE_pc ? MITIGATION_DPE : MITIGATION_NONE; break;
        }
        if (uniform) take_uniform_values(s, &c);
        if (groups) take_lane_groups(s, &c);
        if (c.cluster.schedulers <= SM_MAX_SCHEDULERS && config_check(&machine_config_table, &c, &e) &&
            machine_max_work_group(&c) >= subject->kernel.group_items)
            return c;
    }
}

/* Makes a cluster of cores. */
static struct machine_config a_cluster(struct seed *s, const struct random_subject *subject,
                                       enum divergence_kind engine) {
    for (;;) {
        struct machine_config c;
        struct error e = {0};
        config_defaults(&machine_config_table, &c);
        c.simt.divergence = engine;
        c.simt.stack_calls = 64;
        c.cluster.count = 1 + seed_below(s, 2);
        c.cluster.lanes = 2u << seed_below(s, 3);
        c.simt.warp_size = 8u << seed_below(s, 4);
        c.simt.lane_map = (unsigned)seed_below(s, 3);
        c.simt.mitigation = (unsigned)seed_below(s, 3); /* none, skip, slp */
        c.simt.arbitrate_cycles = 1 + (unsigned)seed_below(s, 2);
        c.simt.multi_issue = seed_below(s, 2) ? (unsigned)seed_below(s, 3) : MULTI_ISSUE_OFF;
        c.simt.issue_width = 1 + (unsigned)seed_below(s, 3);
        if (seed_below(s, 2)) uniform_choose(s, &c);
        if (config_check(&machine_config_table, &c, &e) &&
            machine_max_work_group(&c) >= subject->kernel.group_items)
            return c;
    }
}

/* Runs a kernel on all engines. Places are checked in one of them, which takes as long as all others. */
static void engines_agree(struct random_batch *b, struct random_subject *s, unsigned number,
                          struct seed *seed) {
    static const struct {
        enum divergence_kind engine;
        const char *where;
    } engines[] = {{DIVERGENCE_sbr, "sbr"},   {DIVERGENCE_lwm, "lwm"},       {DIVERGENCE_dwf, "dwf"},
                   {DIVERGENCE_harp, "harp"}, {DIVERGENCE_oracle, "oracle"}, {DIVERGENCE_tbc, "tbc"},
                   {DIVERGENCE_pc, "pc"}};
    static struct random_contents c;
    const unsigned count = sizeof engines / sizeof engines[0];
    for (unsigned n = 0; n < count; ++n) {
        const struct machine_config config = an_engine(seed, s, engines[n].engine, false);
        random_batch_run_on(b, s, &config, number % count == n, engines[n].where, &c);
        random_batch_same(s, &c, engines[n].where, true);
    }
#define ENGINE(name) {DIVERGENCE_##name, #name ", on cores"},
    static const struct {
        enum divergence_kind engine;
        const char *where;
    } on_cores[] = {DIVERGENCE_SLOT_LIST(ENGINE)};
#undef ENGINE
    for (unsigned n = 0; n < sizeof on_cores / sizeof on_cores[0]; ++n) {
        const struct machine_config config = a_cluster(seed, s, on_cores[n].engine);
        if (on_cores[n].engine == DIVERGENCE_pc) continue; /* the machine that it is compared with */
        random_batch_run_on(b, s, &config, false, on_cores[n].where, &c);
        random_batch_same(s, &c, on_cores[n].where, true);
    }
}

/* Runs a kernel with priority operations by ICS-First. */
static void levels_agree(struct random_batch *b, struct random_subject *s, struct seed *seed) {
    static struct random_contents c;
    const struct machine_config config = an_engine(seed, s, DIVERGENCE_pc, true);
    random_batch_run_on(b, s, &config, false, "pc, levels", &c);
    random_batch_same(s, &c, "pc, levels", true);
}

static int read_machine(void **state) {
    (void)state;
    struct error e = {0};
    char *path = spawn_text("%s/configs/fermi-like.yaml", spawn_source());
    config_defaults(&machine_config_table, &fermi_like);
    const bool good = config_read(&machine_config_table, &fermi_like, path, &e);
    if (!good) print_error("%s\n", e.message);
    free(path);
    return !good;
}

static void engines_and_pcs_agree(void **state) {
    (void)state;
    static const char *const counted[] = {"equal", NULL};
    struct random_run r = random_run_start(SOME_KERNELS, ALL_KERNELS, counted);
    while (random_run_next(&r)) {
        struct random_batch *b = random_batch_make(random_run_seed(&r), r.batch);
        for (unsigned i = 0; i < b->count; i++) {
            struct seed seed = seed_of(b->subject[i].seed ^ 0x1e7e15);
            levels_agree(b, &b->subject[i], &seed);
        }
        random_batch_compile_again(b, "--priorities=off", NULL);
        for (unsigned i = 0; i < b->count; i++) {
            struct seed seed = seed_of(b->subject[i].seed ^ 0xe9915e5); /* seed of its machines */
            engines_agree(b, &b->subject[i], (unsigned)b->subject[i].seed, &seed);
            r.count[0] += !b->subject[i].differs;
        }
        random_batch_free(b);
    }
    random_run_end(&r);
    assert_int_equal(r.count[0], r.done);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(engines_and_pcs_agree),
    };
    return cmocka_run_group_tests(tests, read_machine, NULL);
}
