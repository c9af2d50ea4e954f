/* Random kernels on GPU-like machines, compiled without priority operations. Memory afterwards must equal
 * that of a machine with a PC for each thread. The machines have a scoreboard, re-convergence stacks and
 * lanes of all kinds; half of them find uniform values (--check-uniform checks every one). Scalar
 * instructions execute for one thread or for all (--check-scalar checks every scalar register).
 * test_random_engines covers the engines of simt.divergence. `make test` runs 30 kernels, LOCKSTEP_LONG=1
 * (`make test-long`) 2,000; random_run.h describes how a run is stopped and continued. */
#include "model/config/scheduler_kind.h"
#include "tests/attacks/random_batch.h"
#include "tests/attacks/random_run.h"
#include "tests/attacks/uniform_choice.h"
#include "tests/spawn.h"

enum { SOME_KERNELS = 30, ALL_KERNELS = 2000 };

static struct machine_config gpu_like;

/* Lets the machine find uniform values. */
static void take_uniform_values(struct seed *s, struct machine_config *c) {
    uniform_choose(s, c);
    if (c->uniform.storage == UNIFORM_TOKEN && c->lanes.kind == LANES_TEMPORAL)
        c->uniform.broadcast_cycles = 0;
    c->simt.issue_width = 1;
}

/* Makes a machine with one or two SMs and warps of any size. All other differences from a GTX 285 cannot
 * affect the contents. */
static struct machine_config a_machine(struct seed *s, const struct random_subject *subject,
                                       enum lanes_kind kind, enum scalarize scalarize) {
    for (;;) {
        struct machine_config c = gpu_like;
        struct error e = {0};
        c.cluster.count = 1 + seed_below(s, 2);
        c.simt.warp_size = 8u << seed_below(s, 4);
        c.simt.scheduler = seed_below(s, 2) ? SCHEDULER_round_robin : SCHEDULER_greedy_oldest;
        c.simt.issue_width = 1 + seed_below(s, 2);
        c.lanes.kind = kind;
        c.kernel.scalarize = scalarize;
        c.ldst.overlap = seed_below(s, 2);
        const bool beside = kind == LANES_SPATIAL && scalarize >= SCALARIZE_CONVERGENT;
        c.scalar.mode = beside && seed_below(s, 2) ? SCALAR_GCN : SCALAR_OFF;
        c.scalar.units = 1 + seed_below(s, 4);
        c.scalar.registers = 8192;
        c.lanes.scalar_unit = beside && c.scalar.mode == SCALAR_OFF;
        if (scalarize != SCALARIZE_OFF)
            c.vrf.registers = 65536; /* there may be more than architectural
                                      * registers */
        c.lanes.group = c.lanes.kind == LANES_SPATIO_TEMPORAL ? 2u << seed_below(s, 3) : 1;
        c.lanes.bound = c.lanes.kind == LANES_SPATIAL || seed_below(s, 4);
        c.lanes.chaining = seed_below(s, 3);
        c.lanes.free_on_warp_exit = seed_below(s, 2);
        c.lanes.exact_allocation = c.lanes.kind != LANES_SPATIAL && seed_below(s, 2);
        c.simt.compaction = seed_below(s, 3);
        c.vrf.bank_map = seed_below(s, 3);
        if (scalarize == SCALARIZE_OFF && seed_below(s, 2)) take_uniform_values(s, &c);
        if (c.lanes.kind != LANES_SPATIAL) c.simt.issue_width = 1;
        if (config_check(&machine_config_table, &c, &e) &&
            machine_max_work_group(&c) >= subject->kernel.group_items)
            return c;
    }
}

/* Runs the code unchanged, and then scalarized by `rule`. Counts scalar instructions by kind of lanes: of
 * uniform values, and of scalarized code. */
static void run_on_all(struct random_batch *b, struct random_subject *subject, struct seed *seed,
                       enum scalarize rule, unsigned long long uniform[3], unsigned long long scalars[3]) {
    static const char *const on[] = {"on a GPU-like machine", "on temporal lanes",
                                     "on spatio-temporal lanes"};
    static struct random_contents c;
    for (enum lanes_kind kind = LANES_SPATIAL; kind <= LANES_SPATIO_TEMPORAL; ++kind) {
        const struct machine_config plain = a_machine(seed, subject, kind, SCALARIZE_OFF);
        random_batch_run_on(b, subject, &plain, false, on[kind], &c);
        random_batch_same(subject, &c, on[kind], true);
        uniform[kind] += subject->scalar_instructions;
        const struct machine_config scalar = a_machine(seed, subject, kind, rule);
        random_batch_run_on(b, subject, &scalar, false, "with scalars", &c);
        random_batch_same(subject, &c, "with scalars", true);
        scalars[kind] += subject->scalar_instructions;
    }
}

static bool read_config(struct machine_config *c, const char *name) {
    struct error e = {0};
    char *path = spawn_text("%s/configs/%s.yaml", spawn_source(), name);
    config_defaults(&machine_config_table, c);
    const bool good = config_read(&machine_config_table, c, path, &e);
    if (!good) print_error("%s\n", e.message);
    free(path);
    return good;
}

static int read_machine(void **state) {
    (void)state;
    return !read_config(&gpu_like, "gtx285-like");
}

/* Returns the rule of a seed: for half of 1,000 consecutive kernels the paper's rule, for a quarter each of
 * the others. */
static enum scalarize rule_of(uint64_t seed) {
    return (const enum scalarize[]){SCALARIZE_WIDE, SCALARIZE_CONVERGENT, SCALARIZE_WIDE,
                                    SCALARIZE_NONE}[seed / 250 % 4];
}

static void stacks_and_pcs_agree(void **state) {
    (void)state;
    static const char *const counted[] = {
        "equal",           "scalars-spatial",  "scalars-temporal",        "scalars-spatio-temporal",
        "uniform-spatial", "uniform-temporal", "uniform-spatio-temporal", NULL};
    struct random_run r = random_run_start(SOME_KERNELS, ALL_KERNELS, counted);
    while (random_run_next(&r)) {
        const enum scalarize rule = rule_of(random_run_seed(&r));
        struct random_batch *b = random_batch_make(random_run_seed(&r), r.batch);
        static char *const rules[] = {"", "--scalarize=none", "--scalarize=convergent", "--scalarize=wide"};
        unsigned long long scalars[3] = {0}, uniform[3] = {0};
        random_batch_compile_again(b, "--priorities=off", rules[rule]);
        for (unsigned i = 0; i < b->count; i++) {
            struct seed seed = seed_of(b->subject[i].seed ^ 0x1a9e5); /* seed of its machines */
            run_on_all(b, &b->subject[i], &seed, rule, uniform, scalars);
            r.count[0] += !b->subject[i].differs;
        }
        for (unsigned kind = 0; kind < 3; ++kind) {
            r.count[1 + kind] += scalars[kind];
            r.count[4 + kind] += uniform[kind];
            if (b->count == RANDOM_BATCH && !uniform[kind])
                fail_msg("seeds from %llu on: no scalar instruction on lanes of kind %u",
                         (unsigned long long)b->subject[0].seed, kind);
            if (b->count == RANDOM_BATCH && (scalars[kind] > 0) != (rule != SCALARIZE_NONE))
                fail_msg("seeds from %llu on: %llu scalar instructions on lanes of kind %u",
                         (unsigned long long)b->subject[0].seed, scalars[kind], kind);
        }
        random_batch_free(b);
    }
    random_run_end(&r);
    assert_int_equal(r.count[0], r.done);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stacks_and_pcs_agree),
    };
    return cmocka_run_group_tests(tests, read_machine, NULL);
}
