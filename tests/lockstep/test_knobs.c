/* Fields of the machine and its area: every field that changes hardware changes the area in the right
 * direction; every other field is listed here with the reason. Memories, tables and published parts are
 * computed; for blocks, parameters are compared (tests/synthesis/test_block_sizes.c synthesises them at two
 * sizes). */
#include "lockstep/run/machine_options.h"
#include "synthesis/area.h"
#include "tests/fixture.h"

#include <stdlib.h>
#include <string.h>

static struct technology technology;

/* Effect of a larger value. */
enum effect {
    LARGER, /* the memories, tables and published parts of the machine have more area */
    OTHER,  /* another area */
    BLOCK   /* a block has another size, or another block takes its place */
};

static const struct knob {
    const char *configuration, *settings; /* "": the base machine; further settings, separated by blanks */
    const char *field, *low, *high;
    enum effect effect;
    const char *block; /* BLOCK: the module at the high value */
} knobs[] = {
    {"", "", "cluster.count", "1", "2", LARGER, NULL},
    {"", "", "cluster.lanes", "4", "8", LARGER, NULL},
    {"", "", "cluster.threads_per_lane", "64", "128", BLOCK, "barrier_table"},
    {"", "", "simt.warp_size", "16", "32", BLOCK, "warp_pc_arbiter"},
    {"", "", "simt.priority_levels", "4", "8", BLOCK, "warp_pc_arbiter"},
    {"", "", "simt.scheduler", "round_robin", "two_level", BLOCK, "two_level_scheduler"},
    {"", "simt.scheduler=two_level", "simt.active_warps", "2", "4", BLOCK, "two_level_scheduler"},
    {"", "", "simt.pc_policy", "ics_first", "min_pc", BLOCK, "min_pc_arbiter"},
    {"", "", "simt.queue_entries", "2", "4", BLOCK, "simt_coprocessor"},
    {"", "", "simt.collectors", "2", "4", BLOCK, "operand_collector"},
    {"", "", "simt.lane_map", "block", "cyclic", BLOCK, "thread_descriptor_table"},
    {"", "", "tpm.read_ports", "1", "2", BLOCK, "operand_collector"},
    {"", "", "tpm.write_ports", "1", "2", BLOCK, "writeback_arbiter"},
    {"in-order-2", "", "core.kind", "in_order", "out_of_order", LARGER, NULL},
    {"in-order-2", "", "core.fetch_queue", "32", "64", LARGER, NULL},
    {"in-order-2", "", "core.predictor", "1024", "4096", LARGER, NULL},
    {"in-order-2", "", "core.btb", "1024", "4096", LARGER, NULL},
    {"in-order-2", "", "core.lsq", "16", "32", LARGER, NULL},
    {"in-order-2", "", "core.integer_units", "2", "3", LARGER, NULL},
    {"in-order-2", "", "core.vfp_units", "1", "2", LARGER, NULL},
    {"", "", "cluster.isa", "vfp", "neon", LARGER, NULL},
    {"", "simt.issue_width=2", "simt.multi_issue", "off", "warps", BLOCK, "issue_select"},
    {"", "simt.multi_issue=warps", "simt.issue_width", "2", "3", BLOCK, "issue_select"},
    {"out-of-order-3", "", "core.window", "32", "128", LARGER, NULL},
    {"", "", "tpm.latency", "1", "2", BLOCK, "operand_collector"},
    {"", "uniform.intra=on", "uniform.storage", "token", "srf", BLOCK, "srf_rename"},
    {"", "uniform.intra=on uniform.storage=srf", "uniform.srf_registers", "64", "128", LARGER, NULL},
    {"", "uniform.storage=token uniform.inter=on", "uniform.irb_entries", "8", "16", BLOCK,
     "instruction_reuse_buffer"},
    {"", "uniform.storage=token uniform.inter=on", "uniform.irb_tag_bits", "8", "10", BLOCK,
     "instruction_reuse_buffer"},
    {"", "uniform.intra=on uniform.storage=token", "uniform.inter", "off", "on", BLOCK,
     "instruction_reuse_buffer"},
    {"", "", "l1i.size", "16384", "32768", LARGER, NULL},
    {"", "", "l1i.ways", "2", "4", OTHER, NULL},
    {"", "", "l1i.replacement", "plru", "lru", LARGER, NULL},
    {"", "", "l1i.line", "32", "64", OTHER, NULL},
    {"", "", "l1d.size", "32768", "65536", LARGER, NULL},
    {"", "", "l1d.ways", "4", "8", OTHER, NULL},
    {"gtx285-like", "", "l1d.replacement", "fifo", "plru", LARGER, NULL},
    {"", "", "l1d.line", "32", "64", OTHER, NULL},
    {"", "", "l2.size", "131072", "262144", LARGER, NULL},
    {"", "", "l2.ways", "4", "8", OTHER, NULL},
    {"", "", "l2.replacement", "random", "fifo", LARGER, NULL},
    {"", "", "l2.line", "64", "128", OTHER, NULL},
    {"", "", "mem.itlb_entries", "32", "64", LARGER, NULL},
    {"", "", "mem.dtlb_entries", "32", "64", LARGER, NULL},
    {"gtx285-like", "", "cluster.threads", "512", "1024", BLOCK, "warp_scheduler"},
    {"gtx285-like", "", "cluster.groups", "4", "8", BLOCK, "barrier_table"},
    {"gt640-like", "", "cluster.schedulers", "2", "4", BLOCK, "scoreboard"},
    {"gtx285-like", "", "cluster.sp_groups", "1", "2", LARGER, NULL},
    {"gtx285-like", "", "cluster.ldst_lanes", "4", "8", LARGER, NULL},
    {"gtx285-like", "", "vrf.registers", "16384", "32768", LARGER, NULL},
    {"gtx285-like", "", "vrf.banks", "4", "8", OTHER, NULL},
    {"gtx285-like", "", "constant.replacement", "fifo", "lru", LARGER, NULL},
    {"gtx285-like", "", "local.bytes", "16384", "32768", LARGER, NULL},
    {"gtx285-like", "", "local.banks", "16", "32", OTHER, NULL},
    {"gtx285-like", "", "local.broadcast", "one", "any", BLOCK, "bank_conflict_resolver"},
    {"gtx285-like", "", "coalesce.rule", "cc13", "cc20", BLOCK, "coalescer"},
    {"gtx285-like", "", "l1d.mshrs", "16", "32", BLOCK, "miss_registers"},
    {"gtx285-like", "", "l1d.merges", "4", "8", BLOCK, "miss_registers"},
    {"gtx285-like", "", "constant.size", "4096", "8192", LARGER, NULL},
    {"gtx285-like", "", "constant.ways", "2", "4", OTHER, NULL},
    {"gtx285-like", "", "constant.line", "32", "64", OTHER, NULL},
    {"gtx285-like", "", "icnt.flit", "16", "32", LARGER, NULL},
    {"gtx285-like", "", "icnt.share", "3", "1", LARGER, NULL},
    {"gtx285-like", "", "dram.channels", "4", "8", LARGER, NULL},
    {"gtx285-like", "", "dram.policy", "fcfs", "frfcfs", BLOCK, "dram_scheduler"},
    {"gtx285-like", "", "dram.queue", "8", "16", BLOCK, "dram_scheduler"},
    {"gtx285-like", "", "dram.banks", "4", "8", BLOCK, "dram_scheduler"},
    {"fermi-like", "", "simt.divergence", "sbr", "harp", BLOCK, "warp_lookup"},
    {"fermi-like", "simt.divergence=sbr", "simt.stack_calls", "16", "32", OTHER, NULL},
    {"fermi-like", "simt.divergence=lwm", "lwm.threads", "64", "128", BLOCK, "subwarp_packer"},
    {"fermi-like", "simt.divergence=dwf", "dwf.lut_entries", "128", "256", BLOCK, "warp_formation_table"},
    {"fermi-like", "simt.divergence=harp", "harp.second_level", "256", "512", LARGER, NULL},
    {"fermi-like", "simt.divergence=harp", "harp.first_level", "16", "64", LARGER, NULL},
    {"fermi-like", "simt.divergence=harp", "harp.ready_lookup", "4", "8", BLOCK, "warp_lookup"},
    {"fermi-like", "simt.divergence=harp", "harp.waiting_lookup", "4", "8", BLOCK, "warp_lookup"},
    {"fermi-like", "simt.divergence=harp", "harp.barriers", "64", "128", LARGER, NULL},
    {"gt640-scalar", "", "scalar.units", "3", "6", LARGER, NULL},
    {"gt640-scalar", "", "scalar.registers", "512", "1024", LARGER, NULL},
    {"gt640-scalar", "", "scalar.clock_divisor", "1", "2", BLOCK, "scalar_scheduler"},
    {"gt640-like", "", "scalar.mode", "off", "own", LARGER, NULL},
    {"temporal-30x8", "", "lanes.bound", "off", "on", BLOCK, "lane_scheduler"},
    {"temporal-30x8", "lanes.exact_allocation=off", "lanes.kind", "spatial", "temporal", BLOCK,
     "lane_scheduler"},
    {"spatio-temporal-30x8", "", "lanes.group", "2", "4", BLOCK, "lane_scheduler"},
    {"gt640-like", "kernel.scalarize=wide lanes.scalar_unit=on", "lanes.scalar_registers", "2048", "4096",
     LARGER, NULL},
    {"fermi-like", "simt.divergence=harp", "harp.barrier_ways", "8", "16", BLOCK, "re_convergence_barriers"},
};
#define KNOBS (sizeof knobs / sizeof *knobs)

/* Fields without a part in the area, by their beginning. */
static const struct without {
    const char *prefix, *reason;
} without[] = {
    {"latency.", "time of an instruction"},
    {"occupancy.", "time of an instruction"},
    {"kernel.", "the compiler"},
    {"host.", "the host"},
    {"core.branch_penalty", "time"},
    {"core.hit_under_miss", "time"},
    {"core.issue_width", "time; a core is published as a whole"},
    {"core.commit_width", "time; a core is published as a whole"},
    {"core.fetch_width", "time; a core is published as a whole"},
    {"core.front_stages", "time; the registers between the stages have no area"},
    {"arm.", "the flags that the simulator keeps"},
    {"mimd.", "the order of work-groups"},
    {"snoop.", "time"},
    {"directory.", "time; a directory's rows have no area"},
    {"mem.page_walk", "time"},
    {"mem.tlb_miss", "time"},
    {"mem.walkers", "walkers have no area"},
    {"mem.latency", "time of a memory outside the chip"},
    {"mem.bandwidth", "pads have no area"},
    {"mem.mshrs", "registers of the memory's controller have no area"},
    {"mem.exclusive_hold", "time"},
    {"mem.exclusive_livelock", "a limit of the simulator"},
    {"mode", "what the cores do"},
    {"contexts", "the kind of machine: each has its rows above"},
    {"cluster.clock_mhz", "what the period is compared with: test_period"},
    {"cluster.stack_size", "a place in memory"},
    {"cluster.local_memory", "a place in memory"},
    {"cluster.sfu_lanes", "special function lanes have no area"},
    {"simt.priority_operations", "the compiler"},
    {"simt.mitigation", "the controller that splits warps has no area"},
    {"simt.slp", "its networks have no area"},
    {"simt.network_cycles", "time"},
    {"simt.arbitrate_cycles", "time: test_period"},
    {"simt.startup", "code"},
    {"simt.enter_cycles", "time"},
    {"simt.leave_cycles", "time"},
    {"simt.livelock_cycles", "a limit of the simulator"},
    {"simt.pipeline_depth", "registers between the stages of a lane have no area"},
    {"simt.fetches", "fetch and decoding have no area"},
    {"lanes.chaining", "time"},
    {"lanes.free_on_warp_exit", "when registers are free"},
    {"lanes.exact_allocation", "how many registers a warp has"},
    {"scalar.share_groups", "which work-items a unit takes"},
    {"vrf.bank_map", "wires"},
    {"vrf.allocation_unit", "how many registers a warp has"},
    {"uniform.intra", "the compiler's marks"},
    {"uniform.broadcast_cycles", "time"},
    {"l1i.latency", "time"},
    {"l1d.latency", "time"},
    {"l1d.write_buffer", "a write buffer has no area"},
    {"l2.latency", "time"},
    {"l2.banks", "time; CACTI's caches have one bank"},
    {"l2.ports", "time; CACTI's caches have one port"},
    {"constant.latency", "time"},
    {"constant.m", "only the L1D's miss registers are in the area"},
    {"l1i.m", "only the L1D's miss registers are in the area"},
    {"l2.mshrs", "only the L1D's miss registers are in the area"},
    {"simt.issue", "the issue logic beside the scheduler has no area"},
    {"harp.barrier_stages", "time; the registers between the stages have no area"},
    {"lanes.scalar_unit",
     "the ALU beside the lanes has no area; its registers have (lanes.scalar_registers)"},
    {"simt.compaction", "the order of rounds, with the same Verilog"},
    {"ldst.", "the load-store unit has no area"},
    {"local.latency", "time"},
    {"icnt.clock_mhz", "time"},
    {"icnt.latency", "time"},
    {"icnt.queue", "queues of the crossbar are part of its published area"},
    {"dram.clock_mhz", "time; the block's delay is compared with it"},
    {"dram.pipe", "time"},
    {"mem.replacement_seed", "the reset value of flip-flops"},
    {"mem.tlb_replacement", "flip-flops, whose size is known with the blocks, which are left out here"},
    {"l1d.write_policy",
     "lines have a bit for each written byte with either: private memory is written back"},
    {"dram.row", "the memory chip"},
    {"dram.burst", "the memory chip"},
    {"dram.r", "the memory chip"},
    {"dram.c", "the memory chip"},
    {"dram.w", "the memory chip"},
};

static char *rtl;

static struct machine_config configure(const struct knob *k, const char *value) {
    struct machine_config c;
    struct error e = {0};
    config_defaults(&machine_config_table, &c);
    char *file = spawn_text("%s/configs/%s.yaml", spawn_source(), k->configuration),
         *set = strdup(k->settings), *rest = set, *assignment = spawn_text("%s=%s", k->field, value);
    bool good = !*k->configuration || machine_options_read(&c, file, &e);
    for (char *word; good && (word = strsep(&rest, " "));)
        if (*word) good = config_set(&machine_config_table, &c, word, &e);
    good = good && config_set(&machine_config_table, &c, assignment, &e) &&
           config_check(&machine_config_table, &c, &e) &&
           config_matters(&machine_config_table, &c, assignment, &e);
    if (!good) fail_msg("%s: %s", assignment, e.message);
    free(assignment);
    free(set);
    free(file);
    return c;
}

/* Returns the area without blocks of Verilog. */
static double mm2_of(const struct machine_config *c) {
    const struct area_options o = {.rtl = rtl, .no_period = true, .no_blocks = true};
    struct area a;
    struct error e = {0};
    if (!area_of(&a, c, &technology, &o, &e)) fail_msg("%s", e.message);
    const double mm2 = a.mm2;
    area_free(&a);
    return mm2;
}

/* Returns "MODULE PARAMETERS
 * " for each block, in order. */
static char *blocks_of(const struct machine_config *c) {
    const struct area_options o = {.rtl = rtl, .effort = SYNTHESIS_FULL};
    struct netlist_jobs jobs = {.technology = &technology};
    struct error e = {0};
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!area_list_jobs(&jobs, c, &o, &e)) fail_msg("%s", e.message);
    for (size_t n = 0; n < jobs.count; n++)
        fprintf(out, "%s %s\n", jobs.job[n].request.top, jobs.job[n].result.parameters);
    fclose(out);
    netlist_jobs_free(&jobs);
    return text;
}

/* Returns the lines of one module, to be freed. */
static char *lines_of(const char *blocks, const char *module) {
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    for (const char *line = blocks; *line; line = strchr(line, '\n') + 1)
        if (strncmp(line, module, strlen(module)) == 0 && line[strlen(module)] == ' ')
            fprintf(out, "%.*s", (int)(strchr(line, '\n') + 1 - line), line);
    fclose(out);
    return text;
}

static void assert_block(const struct knob *k, const struct machine_config *low,
                         const struct machine_config *high) {
    char *before = blocks_of(low), *after = blocks_of(high), *was = lines_of(before, k->block),
         *is = lines_of(after, k->block);
    if (!*is) fail_msg("%s=%s: there is no %s:\n%s", k->field, k->high, k->block, after);
    if (strcmp(was, is) == 0) fail_msg("%s: %s to %s leaves %s", k->field, k->low, k->high, is);
    free(is);
    free(was);
    free(after);
    free(before);
}

static void test_knobs(void **state) {
    (void)state;
    for (const struct knob *k = knobs; k < knobs + KNOBS; k++) {
        const struct machine_config low = configure(k, k->low), high = configure(k, k->high);
        const double before = mm2_of(&low), after = mm2_of(&high);
        if (k->effect == LARGER && after <= before)
            fail_msg("%s: %s has %f mm2, %s has %f", k->field, k->low, before, k->high, after);
        if (k->effect == OTHER && after == before)
            fail_msg("%s: %s and %s have %f mm2", k->field, k->low, k->high, after);
        if (k->effect == BLOCK) assert_block(k, &low, &high);
    }
}

/* Every field of the configuration is in one of the two tables. */
static void test_every_field(void **state) {
    (void)state;
    for (size_t n = 0; n < machine_config_table.count; n++) {
        const char *name = machine_config_table.fields[n].name;
        unsigned found = 0;
        for (size_t k = 0; k < KNOBS; k++) found += strcmp(knobs[k].field, name) == 0;
        for (size_t k = 0; k < sizeof without / sizeof *without; k++)
            found += strncmp(without[k].prefix, name, strlen(without[k].prefix)) == 0;
        if (!found) fail_msg("%s: does it change hardware? Add it to a table of this test", name);
    }
    for (size_t k = 0; k < sizeof without / sizeof *without; k++) {
        bool found = false;
        for (size_t n = 0; n < machine_config_table.count && !found; n++)
            found = strncmp(without[k].prefix, machine_config_table.fields[n].name,
                            strlen(without[k].prefix)) == 0;
        if (!found || !*without[k].reason) fail_msg("no field begins with %s", without[k].prefix);
    }
}

/* Fields listed as without area change no area and no block: at the ends of the range, or with another
 * choice. */
static void test_without(void **state) {
    (void)state;
    struct machine_config c;
    config_defaults(&machine_config_table, &c);
    const double mm2 = mm2_of(&c);
    char *blocks = blocks_of(&c);
    for (size_t n = 0; n < machine_config_table.count; n++) {
        const struct config_field *f = &machine_config_table.fields[n];
        bool listed = false;
        for (size_t k = 0; k < sizeof without / sizeof *without && !listed; k++)
            listed = strncmp(without[k].prefix, f->name, strlen(without[k].prefix)) == 0;
        if (!listed || f->type != CONFIG_UNSIGNED) continue;
        struct error e = {0};
        struct machine_config other;
        config_defaults(&machine_config_table, &other);
        char *assignment =
            spawn_text("%s=%u", f->name, f->initial == f->minimum ? f->initial + 1 : f->initial - 1);
        if (config_set(&machine_config_table, &other, assignment, &e) &&
            config_check(&machine_config_table, &other, &e)) {
            char *now = blocks_of(&other);
            if (mm2_of(&other) != mm2 || strcmp(now, blocks) != 0)
                fail_msg("%s changes the area", assignment);
            free(now);
        }
        free(assignment);
    }
    free(blocks);
}

/* Returns the period of the base machine, if the results of its blocks are shipped. */
static double period_ns(const char *assignment, double *clock_ns) {
    const struct area_options o = {.rtl = rtl};
    struct netlist_jobs jobs = {.technology = &technology};
    struct machine_config c;
    struct error e = {0};
    struct area a = {0};
    config_defaults(&machine_config_table, &c);
    if (!config_set(&machine_config_table, &c, assignment, &e) || !area_list_jobs(&jobs, &c, &o, &e))
        fail_msg("%s", e.message);
    netlist_jobs_drop_known(&jobs);
    const bool known = jobs.count == 0;
    netlist_jobs_free(&jobs);
    if (known && !area_of(&a, &c, &technology, &o, &e)) fail_msg("%s", e.message);
    const double period = known ? a.period_ns : 0;
    *clock_ns = known ? a.clock_ns : 0;
    area_free(&a);
    return period;
}

static void test_period(void **state) {
    (void)state;
    double clock, other;
    const double one = period_ns("simt.arbitrate_cycles=1", &clock);
    if (!(one > 0)) {
        print_message("results of the base machine are missing: make synthesis-results\n");
        skip();
    }
    assert_true(clock == 1);
    assert_true(period_ns("simt.arbitrate_cycles=2", &clock) < one);
    assert_true(period_ns("cluster.clock_mhz=500", &other) == one && other == 2);
}

static int begin_all(void **state) {
    struct error e = {0};
    (void)state;
    rtl = spawn_text("%s/rtl", spawn_source());
    if (technology_read(&technology, NULL, NULL, &e)) return 0;
    print_message("%s\n", e.message);
    return -1;
}

static int end_all(void **state) {
    (void)state;
    technology_free(&technology);
    free(rtl);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {TEST(test_knobs), TEST(test_every_field), TEST(test_without),
                                       TEST(test_period)};
    return cmocka_run_group_tests(tests, begin_all, end_all);
}
