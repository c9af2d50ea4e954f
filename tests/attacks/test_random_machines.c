/* Random kernels, each on a random legal machine of any options: engine, issue, lanes, uniform values, scalar
 * units, mitigation, scheduler, replacement, write policy, cores and others, by the table of the
 * configuration. Two values of different options are drawn first, so that rare pairs of options are as
 * frequent as others. Memory afterwards must equal that of an ordinary machine in SIMT mode, of qemu-arm and
 * of PoCL. Every fourth machine also visits every cycle: cycles and memory stay the same.
 *
 * `make test` runs 4 kernels, LOCKSTEP_LONG=1 (`make test-long`) 2,000; random_run.h describes how a run is
 * stopped and continued. MACHINES=1 prints each machine. */
#include "model/config/divergence_engine.h"
#include "model/config/divergence_kind.h"
#include "model/config/lanes_config.h"
#include "model/config/limits.h"
#include "model/config/own_fields.h"
#include "model/config/scheduler_kind.h"
#include "tests/attacks/random_machine.h"
#include "tests/attacks/random_oracle.h"
#include "tests/attacks/random_pocl.h"
#include "tests/attacks/random_run.h"
#include "tests/attacks/uniform_choice.h"
#include "tests/spawn.h"

#include <string.h>

enum { SOME_KERNELS = 4, ALL_KERNELS = 2000, MOST_CHOICES = 16, TRIES = 200 };

/* --- machines --- */

/* The options: fields with a list of values. Others take the value of the machine they are on. */
static const char *const options[] = {"simt.divergence",
                                      "simt.issue",
                                      "lanes.kind",
                                      "uniform.storage",
                                      "scalar.mode",
                                      "simt.mitigation",
                                      "simt.scheduler",
                                      "simt.pc_policy",
                                      "simt.slp",
                                      "simt.multi_issue",
                                      "simt.lane_map",
                                      "simt.compaction",
                                      "vrf.bank_map",
                                      "lanes.chaining",
                                      "lanes.bound",
                                      "lanes.free_on_warp_exit",
                                      "lanes.scalar_unit",
                                      "kernel.scalarize",
                                      "l1d.replacement",
                                      "l1i.replacement",
                                      "l2.replacement",
                                      "mem.tlb_replacement",
                                      "l1d.write_policy",
                                      "core.kind",
                                      "mem.page_walk",
                                      "coalesce.rule",
                                      "local.broadcast",
                                      "dram.policy",
                                      "lanes.exact_allocation"};
enum { OPTIONS = sizeof options / sizeof *options };
static const struct config_field *option[OPTIONS];
static unsigned values[OPTIONS], drawn[OPTIONS][MOST_CHOICES];

/* Code for kernels: the compiler's options, and the machines that run it. */
static const struct code {
    char *first, *second; /* NULL: none */
    bool gpu;
    enum scalarize scalarize;
    enum scalar_mode scalar;
} codes[] = {
    {"--coalescing=modern", NULL, false, SCALARIZE_OFF, SCALAR_OFF},
    {"--priorities=off", NULL, true, SCALARIZE_OFF, SCALAR_OFF},
    {"--priorities=off", "--scalarize=wide", true, SCALARIZE_WIDE, SCALAR_GCN},
    {"--priorities=off", "--scalar=prefetch", true, SCALARIZE_OFF, SCALAR_OWN},
    {"--priorities=varying", NULL, false, SCALARIZE_OFF, SCALAR_OFF},
    {"--priorities=off", NULL, true, SCALARIZE_OFF, SCALAR_OFF},
    {"--priorities=off", "--scalarize=convergent", true, SCALARIZE_CONVERGENT, SCALAR_GCN},
    {"--priorities=off", "--scalar=extract", true, SCALARIZE_OFF, SCALAR_OWN},
};
enum { CODES = sizeof codes / sizeof *codes };

static struct machine_config gpu_like;

static void put(struct machine_config *c, unsigned n, uint32_t value) {
    memcpy((char *)c + option[n]->offset, &value, sizeof value);
}

/* Sets the sizes of a cluster of cores. */
static void cores(struct seed *s, struct machine_config *c) {
    c->cluster.lanes = 1u << seed_below(s, 5);
    c->cluster.threads_per_lane = 32u << seed_below(s, 3);
    c->simt.warp_size = 4u << seed_below(s, 5);
    c->simt.priority_levels = 1u + (unsigned)seed_below(s, 8);
    c->simt.active_warps = 1u << seed_below(s, 5);
    c->simt.queue_entries = 1u + (unsigned)seed_below(s, 4);
    c->simt.collectors = 1u + (unsigned)seed_below(s, 4);
    c->simt.arbitrate_cycles = 1u + (unsigned)seed_below(s, 2);
    c->simt.network_cycles = (unsigned)seed_below(s, 4);
    c->tpm.read_ports = 1u + (unsigned)seed_below(s, 3);
    c->tpm.write_ports = 1u + (unsigned)seed_below(s, 3);
    c->simt.issue_width = c->simt.multi_issue ? 2 + (unsigned)seed_below(s, 3) : 1;
    c->l2_banks = 1u << seed_below(s, 3);
    if (c->simt.mitigation == MITIGATION_DPE) c->simt.pc_policy = PC_ICS_FIRST;
}

/* Sets the sizes of SMs, as the options drawn need them. */
static void sms(struct seed *s, struct machine_config *c) {
    struct own_fields *own = (struct own_fields *)c->own;
    const bool spatial = c->lanes.kind == LANES_SPATIAL, barrel = c->simt.issue == ISSUE_BARREL,
               one = c->uniform.storage != UNIFORM_NONE;
    c->cluster.lanes = 4u << seed_below(s, 4);
    c->cluster.threads = 256u << seed_below(s, 3);
    c->simt.warp_size = 8u << seed_below(s, 4);
    c->lanes.group = spatial || c->lanes.kind == LANES_TEMPORAL ? 1 : 2u << seed_below(s, 3);
    c->cluster.schedulers = one ? 1 : 1u << seed_below(s, 2);
    if (!spatial) c->cluster.schedulers = barrel ? c->cluster.lanes / c->lanes.group : 1;
    if (c->cluster.schedulers < 1 || c->cluster.schedulers > SM_MAX_SCHEDULERS) c->cluster.schedulers = 1;
    c->cluster.sp_groups = !spatial ? 1 : barrel ? c->cluster.schedulers : 1 + (unsigned)seed_below(s, 3);
    c->cluster.sfu_lanes = barrel ? 0 : (unsigned)seed_below(s, 3);
    c->cluster.ldst_lanes = barrel ? c->cluster.lanes : 4u << seed_below(s, 3);
    c->simt.issue_width = barrel || one || !spatial ? 1 : 1 + (unsigned)seed_below(s, 2);
    c->simt.pipeline_depth = 7 + (unsigned)seed_below(s, 9);
    c->simt.active_warps = 1u << seed_below(s, 5);
    c->vrf.banks = barrel && seed_below(s, 2) ? 0 : 1u << seed_below(s, 5);
    if (divergence_engines[c->simt.divergence]->regroups) c->vrf.banks = 0;
    if (divergence_engines[c->simt.divergence]->as_wide_as_lanes && one) c->simt.warp_size = c->cluster.lanes;
    if (c->simt.divergence == DIVERGENCE_pc) c->simt.pc_policy = PC_MIN_PC;
    c->simt.lane_map = LANE_MAP_CYCLIC;
    c->ldst.overlap = (unsigned)seed_below(s, 2);
    c->ldst.collectors = (unsigned)seed_below(s, 3);
    c->simt.collectors = 1u + (unsigned)seed_below(s, 4);
    c->simt.queue_entries = 1u + (unsigned)seed_below(s, 4);
    c->simt.fetches = 1u + (unsigned)seed_below(s, 3);
    c->scalar.units = 1u + (unsigned)seed_below(s, 4);
    c->scalar.registers = 8192;
    c->scalar.clock_divisor = c->scalar.mode == SCALAR_OWN ? 1u << seed_below(s, 3) : 1;
    own->lwm.threads = 32u << seed_below(s, 3);
    own->dwf.lut_entries = 4u << seed_below(s, 7);
    own->harp.first_level = 1 + (unsigned)seed_below(s, 16);
    own->harp.ready_lookup = 1 + (unsigned)seed_below(s, 8);
    own->harp.waiting_lookup = 1 + (unsigned)seed_below(s, 8);
    own->harp.barrier_ways = 1u << seed_below(s, 5);
    own->harp.barriers = own->harp.barrier_ways << seed_below(s, 4);
    own->harp.barrier_stages = 1u << seed_below(s, 3);
}

/* Sets what the machine's code asks for, and sizes. */
static void complete(struct seed *s, const struct code *code, struct machine_config *c) {
    c->cluster.count = 1 + (unsigned)seed_below(s, 2);
    c->mem.replacement_seed = 1 + (unsigned)seed_below(s, 1000);
    if (c->uniform.storage != UNIFORM_NONE) {
        const uint32_t storage = c->uniform.storage;
        uniform_choose(s, c);
        c->uniform.storage = storage;
        if (c->lanes.kind == LANES_TEMPORAL && storage == UNIFORM_TOKEN) c->uniform.broadcast_cycles = 0;
    }
    if (code->gpu)
        sms(s, c);
    else
        cores(s, c);
}

/* Draws a machine with two given values, of options `a` and `b`. Returns false if none is found: most often
 * no machine has both. */
static bool draw(struct seed *s, const struct random_subject *subject, const struct code *code,
                 const unsigned forced[2], const uint32_t value[2], struct machine_config *c) {
    for (unsigned n = 0; n < TRIES; ++n) {
        struct error e = {0};
        if (code->gpu)
            *c = gpu_like;
        else
            config_defaults(&machine_config_table, c);
        c->kernel.scalarize = code->scalarize;
        c->scalar.mode = code->scalar != SCALAR_GCN || seed_below(s, 2) ? code->scalar : SCALAR_OFF;
        c->lanes.scalar_unit = code->scalar == SCALAR_GCN && c->scalar.mode == SCALAR_OFF;
        for (unsigned o = 0; o < OPTIONS; ++o)
            if (seed_below(s, 3) == 0) put(c, o, seed_below(s, values[o]));
        for (unsigned o = 0; o < 2; ++o) put(c, forced[o], value[o]);
        if (c->kernel.scalarize != code->scalarize ||
            (c->scalar.mode == SCALAR_OWN) != (code->scalar == SCALAR_OWN))
            continue; /* the code is for another machine */
        complete(s, code, c);
        for (unsigned o = 0; o < 2; ++o) put(c, forced[o], value[o]);
        if (config_check(&machine_config_table, c, &e) &&
            machine_max_work_group(c) >= subject->kernel.group_items)
            return true;
    }
    return false;
}

static void any_machine(struct seed *s, const struct random_subject *subject, const struct code *code,
                        struct machine_config *c) {
    for (;;) {
        const unsigned a = (unsigned)seed_below(s, OPTIONS),
                       b = (a + 1 + (unsigned)seed_below(s, OPTIONS - 1)) % OPTIONS;
        const uint32_t value[2] = {seed_below(s, values[a]), seed_below(s, values[b])};
        if (draw(s, subject, code, (const unsigned[2]){a, b}, value, c)) break;
    }
    for (unsigned o = 0; o < OPTIONS; ++o) ++drawn[o][random_machine_value(option[o], c)];
}

/* --- runs --- */

enum { EQUAL, QEMU, POCL, EXACT, CORES, SMS };
static const char *const counted[] = {"equal", "qemu-arm", "pocl", "exact-steps", "clusters", "sms", NULL};

static void run_on(struct random_batch *b, struct random_subject *s, const struct code *code,
                   unsigned long long *count) {
    static struct random_contents c, again;
    struct seed seed = seed_of(s->seed ^ 0x3ac41e5);
    struct machine_config config;
    any_machine(&seed, s, code, &config);
    if (getenv("MACHINES")) {
        printf("seed %llu:", (unsigned long long)s->seed);
        random_machine_print(&config, stdout);
        printf("\n");
        fflush(stdout);
    }
    random_batch_run_on(b, s, &config, false, "on a random machine", &c);
    random_batch_same(s, &c, "on a random machine", true);
    ++count[code->gpu ? SMS : CORES];
    if (s->seed % 4) return;
    const uint64_t cycles = s->cycles;
    s->exact = true;
    random_batch_run_on(b, s, &config, false, "with exact steps", &again);
    s->exact = false;
    ++count[EXACT];
    if (s->cycles == cycles && memcmp(&c, &again, sizeof c) == 0) return;
    print_error("seed %llu: %llu cycles, with exact steps %llu, or other memory:",
                (unsigned long long)s->seed, (unsigned long long)cycles, (unsigned long long)s->cycles);
    random_machine_print(&config, stderr);
    fputc('\n', stderr);
    s->differs = true;
}

/* Compares the ordinary machine with the two others. */
static void ask_others(struct random_batch *b, struct random_answers *answers, unsigned long long *count) {
    count[QEMU] += b->count - random_oracle_differences(b, false, true);
    if (!random_pocl_ask(b, answers)) return;
    for (unsigned i = 0; i < b->count; i++)
        if (answers->of[i].known)
            count[POCL] += random_batch_same(&b->subject[i], &answers->of[i].contents, "on PoCL", true);
}

static void print_values(void) {
    for (unsigned o = 0; o < OPTIONS; ++o) {
        print_message("%-24s", options[o]);
        for (unsigned v = 0; v < values[o]; ++v) print_message(" %s %u", option[o]->choices[v], drawn[o][v]);
        print_message("\n");
    }
}

static void machines_and_others_agree(void **state) {
    (void)state;
    struct random_answers *answers = random_pocl_answers();
    struct random_run r = random_run_start(SOME_KERNELS, ALL_KERNELS, counted);
    while (random_run_next(&r)) {
        const struct code *code = &codes[random_run_seed(&r) / RANDOM_BATCH % CODES];
        struct random_batch *b = random_batch_make(random_run_seed(&r), r.batch);
        ask_others(b, answers, r.count);
        random_batch_compile_again(b, code->first, code->second);
        for (unsigned i = 0; i < b->count; i++) {
            run_on(b, &b->subject[i], code, r.count);
            r.count[EQUAL] += !b->subject[i].differs;
        }
        random_batch_free(b);
    }
    random_run_end(&r);
    if (r.done > SOME_KERNELS) print_values();
    assert_int_equal(r.count[EQUAL], r.done);
}

static int prepare(void **state) {
    (void)state;
    struct error e = {0};
    char *path = spawn_text("%s/configs/gtx285-like.yaml", spawn_source());
    config_defaults(&machine_config_table, &gpu_like);
    if (!config_read(&machine_config_table, &gpu_like, path, &e)) fail_msg("%s", e.message);
    free(path);
    /* Scalarized code may have more than the architectural registers. */
    gpu_like.vrf.registers = 65536;
    gpu_like.simt.stack_calls = 128;
    for (size_t n = 0; n < machine_config_table.count; ++n)
        for (unsigned o = 0; o < OPTIONS; ++o)
            if (!strcmp(machine_config_table.fields[n].name, options[o]))
                option[o] = &machine_config_table.fields[n];
    for (unsigned o = 0; o < OPTIONS; ++o) {
        assert_non_null(option[o]);
        while (option[o]->choices[values[o]]) ++values[o];
        assert_in_range(values[o], 2, MOST_CHOICES);
    }
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(machines_and_others_agree),
    };
    return cmocka_run_group_tests(tests, prepare, NULL);
}
