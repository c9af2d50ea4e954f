/* The inputs of blocks equal the ones computed independently (reckoning.h), in every cycle of a few small
 * programs on many machines. Machines with a reckoning have the same cycles and results as
 * machines without. */
#include "tests/kernel_run.h"
#include "tests/reckoning/reckoning.h"
#include "tests/spawn.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { WORDS = 1024, SETTINGS = 16 };

/* Compiled when they are first run. */
static struct program {
    const char *options, *option; /* options of the program; an option of the compiler */
    const char *file;             /* file in tests/kernels; NULL: reckoning.cl */
    bool open;
    struct kernel_run run;
} with_priorities = {.options = "-DLEVELS"}, without = {.options = "", .option = "--priorities=off"},
  scalar = {.options = "-DSCALAR", .option = "--priorities=off"},
  early = {.options = "", .file = "early_exits.cl"},
  early_without = {.options = "", .option = "--priorities=off", .file = "early_exits.cl"};

static struct kernel_run *image_of(struct program *i) {
    char option[32],
        *file = spawn_text("%s/tests/kernels/%s", spawn_source(), i->file ? i->file : "reckoning.cl");
    if (!i->open)
        kernel_run_open_for(&i->run, file, i->options, i->option ? strcpy(option, i->option) : NULL);
    free(file);
    i->open = true;
    return &i->run;
}

static struct reckoning *reckoning;
static bool reckons;
static uint64_t comparisons;

static void begin(struct machine *m) {
    if (reckons) reckoning = reckoning_attach(m);
}

static void end(struct error *e) {
    (void)e;
    if (!reckons) return;
    comparisons = reckoning_comparisons(reckoning);
    reckoning_detach(reckoning);
}

struct run {
    const char *machine, *kernel, *settings;
    uint32_t items, group;
};

/* Returns the launch's cycles. */
static uint64_t execute(const struct run *r, uint32_t buffer[WORDS], struct error *e) {
    const char *settings[SETTINGS + 1] = {NULL};
    const bool gpu = r->machine && strncmp(r->machine, "dual", 4) != 0;
    const bool exits = strchr(r->kernel, '_') != NULL; /* a kernel of early_exits.cl */
    const bool levels = !gpu || strstr(r->settings, "simt.mitigation=dpe");
    struct program *image = exits                              ? levels ? &early : &early_without
                            : strcmp(r->kernel, "beside") == 0 ? &scalar
                            : levels                           ? &with_priorities
                                                               : &without;
    const struct kernel_run_work w = {.machine = r->machine,
                                      .kernel = r->kernel,
                                      .items = r->items,
                                      .group = r->group,
                                      .numbers = {exits ? 2 : 7},
                                      .begin = begin,
                                      .end = end};
    struct kernel_run_figures f;
    char *text =
        spawn_text("%s %s", gpu ? "cluster.count=1" : "cluster.stack_size=256 l1d.size=65536", r->settings);
    unsigned count = 0;
    for (char *s = strtok(text, " "); s && count < SETTINGS; s = strtok(NULL, " ")) settings[count++] = s;
    for (unsigned n = 0; n < WORDS; ++n) buffer[n] = n * n % 97;
    kernel_run_measured(image_of(image), &w, settings, buffer, WORDS, &f, e);
    free(text);
    return f.cycles;
}

static uint64_t run_once(const struct run *r, bool with, uint32_t buffer[WORDS]) {
    struct error e = {0};
    reckons = with;
    const uint64_t cycles = execute(r, buffer, &e);
    if (e.status != EXIT_SOUND) fail_msg("%s %s %s: %s", r->machine, r->kernel, r->settings, e.message);
    return cycles;
}

static void try(const struct run *r) {
    static uint32_t plain[WORDS], reckoned[WORDS];
    const uint64_t cycles = run_once(r, true, reckoned);
    assert_int_equal(run_once(r, false, plain), cycles);
    assert_memory_equal(reckoned, plain, sizeof plain);
    assert_true(comparisons > cycles);
    if (getenv("RECKONING_FIGURES"))
        printf("%-20s %-6s %-40s %8lu cycles %10lu comparisons\n", r->machine ? r->machine : "base",
               r->kernel, r->settings, (unsigned long)cycles, (unsigned long)comparisons);
}

static void test_base_machine(void **state) {
    (void)state;
    static const struct run runs[] = {
        {NULL, "parts", "", 256, 128},
        {NULL, "parts", "simt.scheduler=two_level simt.pc_policy=min_pc", 256, 128},
        {NULL, "some", "simt.scheduler=greedy_oldest simt.pc_policy=first_ready", 200, 100},
        {NULL, "conditional", "", 256, 64},
        {NULL, "loads", "simt.scheduler=two_level simt.active_warps=2 cluster.count=2", 512, 256},
        {NULL, "loads", "tpm.read_ports=2 tpm.latency=2 uniform.storage=token uniform.inter=on", 256, 256},
        {NULL, "parts", "simt.mitigation=slp simt.lane_map=balanced", 256, 128},
        {NULL, "parts", "simt.mitigation=slp simt.slp=any simt.lane_map=cyclic", 256, 128},
        {NULL, "parts", "simt.mitigation=dpe", 256, 128},
        {NULL, "parts", "simt.mitigation=skip simt.arbitrate_cycles=2", 256, 128},
        {NULL, "parts", "simt.divergence=sbr", 256, 128},
        {NULL, "several", "simt.divergence=sbr simt.scheduler=two_level simt.arbitrate_cycles=2", 100, 50},
        {NULL, "some", "simt.divergence=oracle", 200, 100},
        {NULL, "parts", "simt.mitigation=alt", 256, 128},
        {NULL, "several", "simt.mitigation=alt simt.scheduler=two_level tpm.read_ports=2", 100, 50},
        {NULL, "parts", "uniform.storage=token uniform.intra=on uniform.inter=on", 256, 128},
        {NULL, "parts", "uniform.storage=srf uniform.intra=on tpm.read_ports=2", 256, 128},
        {NULL, "several", "simt.scheduler=two_level", 100, 50},
        {NULL, "parts", "simt.scheduler=pipelined simt.arbitrate_cycles=2", 256, 128},
        {NULL, "several", "uniform.storage=token uniform.intra=on uniform.broadcast_cycles=2", 64, 64},
        {NULL, "parts", "simt.divergence=dwf", 256, 128},
        {NULL, "some", "simt.divergence=dwf simt.lane_map=block dwf.lut_entries=4", 200, 100},
        {NULL, "parts", "simt.divergence=harp", 256, 128},
        {NULL, "loads", "simt.divergence=harp simt.arbitrate_cycles=3", 256, 128},
        {NULL, "parts", "simt.divergence=lwm lwm.threads=64", 256, 128},
        {NULL, "parts", "simt.divergence=lwm lwm.threads=64 simt.arbitrate_cycles=30", 256, 128},
        {NULL, "some", "simt.divergence=lwm simt.lane_map=balanced lwm.threads=128", 200, 100},
    };
    for (unsigned n = 0; n < sizeof runs / sizeof *runs; ++n) try(&runs[n]);
}

/* Barrel issue on the machine with one scheduler. */
#define BARREL "simt.issue=barrel cluster.sp_groups=1 cluster.ldst_lanes=8 cluster.sfu_lanes=0"

static void test_sms(void **state) {
    (void)state;
    static const struct run runs[] = {
        {"gtx285-like", "parts", "", 256, 128},
        {"gtx285-like", "loads", "simt.scheduler=two_level ldst.overlap=off", 512, 64},
        {"gtx285-like", "some", "simt.scheduler=greedy_oldest", 256, 64},
        {"gtx285-like", "loads", "simt.scheduler=pipelined", 512, 64},
        {"gtx285-like", "conditional", "", 256, 64},
        {"gtx285-like", "parts", "uniform.storage=token uniform.intra=on uniform.inter=on", 256, 128},
        {"gtx285-like", "parts", "uniform.storage=srf uniform.intra=on uniform.inter=on", 256, 128},
        {"gtx285-like", "parts", "simt.compaction=round l2.size=1024 dram.channels=1", 256, 128},
        {"gtx285-like", "several", "", 128, 64},
        {"gt640-like", "several", "", 256, 64},
        {"gt640-like", "loads", "", 1024, 128},
        {"gt640-like", "parts", "", 512, 128},
        {"gt640-scalar", "beside", "", 512, 64},
        {"gt640-scalar", "beside", "scalar.clock_divisor=2", 512, 64},
        {"temporal-30x8", "parts", "", 256, 128},
        {"temporal-30x8", "several", "", 256, 64},
        {"spatio-temporal-30x8", "parts", "simt.scheduler=two_level", 256, 128},
        {"temporal-30x8", "parts", "uniform.storage=token uniform.intra=on uniform.inter=on", 256, 128},
        {"temporal-30x8", "some", "uniform.storage=token uniform.inter=on", 256, 64},
        {"spatio-temporal-30x8", "parts", "uniform.storage=srf uniform.intra=on uniform.inter=on", 256, 128},
        {"gtx285-like", "parts", BARREL " uniform.storage=token uniform.intra=on uniform.inter=on", 256, 128},
        {"gtx285-like", "parts", BARREL " uniform.storage=srf uniform.intra=on uniform.inter=on", 256, 128},
        {"gtx285-like", "some",
         BARREL " simt.divergence=pc simt.pc_policy=min_pc uniform.storage=token uniform.intra=on", 256, 64},
        {"gtx285-like", "loads", BARREL " simt.divergence=oracle uniform.storage=srf uniform.inter=on", 512,
         64},
        {"fermi-like", "parts", "", 512, 128},
        {"fermi-like", "parts", "simt.scheduler=pipelined", 512, 128},
        {"fermi-like", "some", "simt.divergence=pc simt.scheduler=two_level simt.pc_policy=min_pc", 256, 64},
        {"fermi-like", "conditional", "simt.divergence=pc simt.pc_policy=min_pc", 256, 64},
        {"fermi-like", "parts", "simt.divergence=pc simt.mitigation=dpe", 512, 128},
        {"fermi-like", "parts", "simt.divergence=pc simt.mitigation=dpe simt.arbitrate_cycles=3", 256, 64},
        {"fermi-like", "some", "simt.divergence=pc simt.mitigation=dpe simt.scheduler=two_level", 256, 64},
        {"fermi-like", "parts", "simt.divergence=oracle simt.arbitrate_cycles=2", 256, 128},
        {"fermi-like", "parts", "simt.divergence=dwf", 256, 128},
        {"fermi-like", "parts", "simt.divergence=lwm", 256, 128},
        {"fermi-like", "parts", "simt.divergence=tbc", 256, 128},
        {"fermi-like", "parts", "simt.divergence=harp simt.warp_size=16", 256, 128},
        {"fermi-like", "some", "simt.divergence=harp simt.warp_size=16 simt.arbitrate_cycles=3", 256, 64},
    };
    for (unsigned n = 0; n < sizeof runs / sizeof *runs; ++n) try(&runs[n]);
}

/* Many ways to part and to meet, on every machine. */
static void test_many(void **state) {
    static const char *const kernels[] = {"return_early", "break_early", "continue_early", "forward_early",
                                          "switch_early", "library_sin", "fall_twin",      "backward_early"};
    static const struct {
        const char *machine, *settings;
    } machines[] = {
        {NULL, ""},
        {NULL, "simt.scheduler=two_level simt.pc_policy=first_ready simt.lane_map=cyclic"},
        {NULL, "simt.mitigation=dpe simt.scheduler=two_level"},
        {NULL, "simt.mitigation=slp simt.pc_policy=min_pc simt.scheduler=greedy_oldest"},
        {NULL, "simt.mitigation=skip tpm.read_ports=2 tpm.write_ports=2 simt.queue_entries=3"},
        {NULL, "simt.mitigation=alt tpm.latency=2"},
        {NULL, "simt.mitigation=alt simt.pc_policy=min_pc simt.queue_entries=2"},
        {NULL, "simt.divergence=sbr simt.scheduler=two_level"},
        {NULL, "simt.divergence=oracle simt.queue_entries=2"},
        {NULL, "uniform.storage=token uniform.intra=on uniform.inter=on uniform.broadcast_cycles=3"},
        {NULL, "uniform.storage=srf uniform.intra=on uniform.inter=on uniform.srf_registers=20"},
        {NULL, "cluster.lanes=8 simt.warp_size=16 tpm.latency=3 cluster.count=2"},
        {NULL, "simt.divergence=dwf simt.lane_map=block simt.arbitrate_cycles=4"},
        {NULL, "simt.divergence=harp harp.first_level=3 harp.ready_lookup=2 harp.waiting_lookup=2"},
        {NULL, "simt.divergence=lwm lwm.threads=64 simt.scheduler=greedy_oldest"},
        {"gtx285-like", "simt.scheduler=two_level"},
        {"gtx285-like-16", "uniform.storage=token uniform.intra=on"},
        {"gtx285-like", "uniform.storage=srf uniform.intra=on uniform.inter=on uniform.srf_registers=20"},
        {"gtx285-like", "lanes.chaining=on simt.compaction=round vrf.bank_map=round"},
        {"gt640-like", "simt.scheduler=greedy_oldest"},
        {"gt640-scalar", "scalar.clock_divisor=4"},
        {"temporal-30x8", "simt.scheduler=greedy_oldest"},
        {"temporal-30x8", "lanes.bound=off lanes.chaining=off"},
        {"spatio-temporal-30x8", "lanes.group=2"},
        {"temporal-30x8", "uniform.storage=token uniform.intra=on uniform.inter=on"},
        {"temporal-30x8", "uniform.storage=srf uniform.inter=on uniform.srf_registers=20"},
        {"spatio-temporal-30x8", "uniform.storage=token uniform.inter=on uniform.broadcast_cycles=3"},
        {"stsimt-30x8", ""},
        {"gtx285-like", BARREL " uniform.storage=token uniform.intra=on uniform.inter=on"},
        {"gtx285-like", BARREL " simt.divergence=pc simt.pc_policy=min_pc uniform.storage=srf "
                               "uniform.inter=on uniform.srf_registers=20"},
        {"fermi-like", "simt.scheduler=two_level"},
        {"fermi-like", "simt.divergence=pc simt.pc_policy=min_pc"},
        {"fermi-like", "simt.divergence=pc simt.mitigation=dpe"},
        {"fermi-like", "simt.divergence=lwm"},
        {"fermi-like", "simt.divergence=dwf"},
        {"fermi-like", "simt.divergence=tbc simt.scheduler=greedy_oldest"},
        {"fermi-like", "simt.divergence=harp simt.warp_size=16"},
    };
    (void)state;
    if (!getenv("LOCKSTEP_LONG")) return;
    for (unsigned m = 0; m < sizeof machines / sizeof *machines; ++m)
        for (unsigned k = 0; k < sizeof kernels / sizeof *kernels; ++k)
            try(&(struct run){machines[m].machine, kernels[k], machines[m].settings, 384, 96});
}

static bool is_asked(const char *machines) {
    const char *only = getenv("RECKONING_MACHINES");
    return !only || strcmp(only, machines) == 0;
}

/* RECKONING_MACHINES=base or sms selects one kind of machine. */
int main(void) {
    struct program *const images[] = {&with_priorities, &without, &scalar, &early, &early_without};
    const struct CMUnitTest base[] = {cmocka_unit_test(test_base_machine)},
                            sms[] = {cmocka_unit_test(test_sms)}, many[] = {cmocka_unit_test(test_many)};
    int failed = 0;
    if (is_asked("base")) failed += cmocka_run_group_tests(base, NULL, NULL);
    if (is_asked("sms")) failed += cmocka_run_group_tests(sms, NULL, NULL);
    if (is_asked("many")) failed += cmocka_run_group_tests(many, NULL, NULL);
    for (unsigned n = 0; n < sizeof images / sizeof *images; ++n)
        if (images[n]->open) kernel_run_close(&images[n]->run);
    return failed;
}
