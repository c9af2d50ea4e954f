/* machine_config: the defaults are dual-mode Table 2; every relation between fields that cannot be is
 * refused. */
#include "model/config/lanes_config.h"
#include "model/config/own_fields.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static struct machine_config config;
static struct error error;

static void reset(void) {
    config_defaults(&machine_config_table, &config);
    error = (struct error){0};
}

static void set(const char *assignment) {
    if (!config_set(&machine_config_table, &config, assignment, &error)) fail_msg("%s", error.message);
}

/* With spaces between. */
static void set_all(const char *assignments) {
    char words[128], *rest = words;
    snprintf(words, sizeof words, "%s", assignments);
    for (char *word; (word = strsep(&rest, " ")) != NULL;)
        if (*word) set(word);
}

static void the_defaults_are_table_2(void **state) {
    (void)state;
    reset();
    assert_int_equal(config.clock_mhz, 1000);
    assert_int_equal(config.cluster.lanes, 4);
    assert_int_equal(config.cluster.threads_per_lane, 128);
    assert_int_equal(config.simt.warp_size, 32);
    assert_int_equal(config.simt.pc_policy, PC_ICS_FIRST);
    assert_int_equal(config.l1i.size_bytes, 32 * 1024);
    assert_int_equal(config.l1i.ways, 4);
    assert_int_equal(config.l1i.line_bytes, 64);
    assert_int_equal(config.l1i.latency_cycles, 1);
    assert_memory_equal(&config.l1d, &config.l1i, sizeof config.l1i);
    assert_int_equal(config.l2.size_bytes, 256 * 1024);
    assert_int_equal(config.l2.ways, 8);
    assert_int_equal(config.l2.line_bytes, 64);
    assert_int_equal(config.l2.latency_cycles, 8);
    assert_int_equal(config.mem.itlb_entries, 32);
    assert_int_equal(config.mem.dtlb_entries, 32);
    assert_int_equal(config.mem.tlb_miss_cycles, 20);
    assert_int_equal(config.mem.latency_cycles, 200);
    assert_true(config_check(&machine_config_table, &config, &error));
}

/* A GPU-like machine refuses what it cannot have, with the fields. */
static void gpu_machines_are_checked(void **state) {
    (void)state;
    static const struct {
        const char *set, *says;
    } cases[] = {
        {"mode=mimd", "mode is mimd"},
        {"mode=auto",
         "mode is auto, but contexts is vrf: a GPU-like machine has no cores, and nothing to choose"},
        {"simt.divergence=pc", "simt.divergence is pc"},
        {"simt.issue=barrel", "simt.issue is barrel"},
        {"cluster.threads=40", "cluster.threads 40"},
        {"cluster.threads=4096", "cluster.threads 4096"},
        {"vrf.registers=1024", "vrf.registers 1024"},
        {"local.bytes=16384", "local.bytes 16384"},
        {"l1d.size=1000000", "l1d.size 1000000"},
        {"l1d.line=128", "l2.line is 64"},
        {"constant.line=128", "l2.line is 64"},
        {"dram.burst_cycles=4", "dram.ccd is 2"},
        {"lanes.kind=temporal lanes.group=2", "lanes.kind is temporal, but lanes.group is 2"},
        {"lanes.kind=spatio_temporal", "lanes.kind is spatio_temporal, but lanes.group is 1"},
        {"lanes.group=4", "lanes.group is not 1, but lanes.kind is spatial"},
        {"lanes.bound=off", "lanes.bound is off, but lanes.kind is spatial"},
        {"lanes.exact_allocation=on", "lanes.exact_allocation is on, but lanes.kind is spatial"},
        {"lanes.kind=temporal cluster.lanes=32", "lanes.group 1 makes 32 groups"},
        {"lanes.kind=spatio_temporal lanes.group=8", "lanes.group 8 makes 0 groups of cluster.lanes 4"},
        {"lanes.kind=temporal cluster.threads=320", "the 10 warps of cluster.threads 320"},
        {"lanes.kind=temporal vrf.registers=4096", "slices of 1024 for 4 lane groups"},
        {"lanes.kind=temporal simt.issue_width=2", "simt.issue_width (2) to 1"},
        {"lanes.kind=temporal cluster.sp_groups=2", "cluster.sp_groups (2)"},
        {"lanes.kind=temporal cluster.schedulers=2", "cluster.schedulers (2)"},
        {"lanes.kind=temporal simt.issue=barrel cluster.sp_groups=2 cluster.sfu_lanes=0",
         "set cluster.sp_groups to 1, cluster.sfu_lanes to 0 and"},
        {"lanes.kind=temporal simt.issue=barrel cluster.lanes=16 cluster.sfu_lanes=0",
         "makes 16 groups, and a cluster has at most 8 schedulers"},
        {"lanes.kind=temporal simt.issue=barrel cluster.ldst_lanes=4 cluster.sfu_lanes=0",
         "set cluster.schedulers (1) to cluster.lanes 4 / lanes.group 1 = 4"},
        {"simt.mitigation=skip", "set simt.compaction to round"},
        {"simt.mitigation=dpe simt.divergence=pc simt.pc_policy=min_pc simt.issue=barrel "
         "cluster.ldst_lanes=4 cluster.sfu_lanes=0",
         "needs simt.pc_policy ics_first"},
        {"simt.mitigation=slp lanes.kind=spatio_temporal lanes.group=8", "lanes.group 8 makes 0 groups"},
        {"simt.divergence=pc simt.issue=barrel cluster.sfu_lanes=0 lanes.kind=spatio_temporal lanes.group=8",
         "lanes.group 8 makes 0 groups"},
        {"simt.mitigation=dpe simt.divergence=pc simt.warp_size=4 cluster.lanes=8 simt.issue=barrel",
         "simt.warp_size 4 must be a multiple of cluster.lanes 8"},
        {"simt.mitigation=dpe simt.divergence=pc", "simt.issue is scoreboard, which goes with sbr only"},
        {"simt.mitigation=alt simt.divergence=pc simt.pc_policy=min_pc simt.issue=barrel "
         "cluster.ldst_lanes=4 cluster.sfu_lanes=0",
         "alt needs an L1I for each lane"},
        {"simt.mitigation=slp simt.slp=any", "no network brings operands to other lanes"},
        {"simt.mitigation=slp simt.compaction=round", "simt.compaction is round"},
        {"simt.mitigation=slp simt.warp_size=4", "simt.warp_size and cluster.lanes are both 4"},
        {"simt.mitigation=slp simt.warp_size=4 lanes.kind=spatio_temporal lanes.group=4",
         "simt.warp_size and lanes.group are both 4"},
        {"simt.mitigation=slp lanes.kind=spatio_temporal lanes.group=4 simt.compaction=round",
         "simt.compaction is round"},
        {"kernel.scalarize=wide", "the lanes of lanes.kind spatial have no registers for scalars"},
        {"lanes.scalar_unit=on", "kernel.scalarize is off or none: there are no scalars"},
        {"lanes.scalar_unit=on kernel.scalarize=none", "there are no scalars"},
        {"lanes.scalar_unit=on kernel.scalarize=wide lanes.kind=temporal", "its lanes execute and keep"},
        {"scalar.mode=gcn", "scalar.mode is gcn: scalar units need kernel.scalarize: wide or convergent"},
        {"scalar.mode=gcn kernel.scalarize=none", "need kernel.scalarize: wide or convergent"},
        {"scalar.mode=gcn kernel.scalarize=wide lanes.scalar_unit=on", "need lanes.scalar_unit: off"},
        {"scalar.mode=gcn kernel.scalarize=wide scalar.clock_divisor=2", "need scalar.clock_divisor: 1"},
        {"scalar.mode=gcn kernel.scalarize=wide scalar.share_groups=on", "need scalar.share_groups: off"},
        {"scalar.mode=own lanes.kind=temporal kernel.scalarize=wide", "need kernel.scalarize: off"},
        {"scalar.share_groups=on", "scalar.mode is off: no unit takes work-groups"},
        {"kernel.scalarize=wide simt.divergence=dwf simt.lane_map=cyclic vrf.banks=0 simt.issue=barrel "
         "cluster.ldst_lanes=4 cluster.sfu_lanes=0",
         "kernel.scalarize is on, but simt.divergence is not sbr or oracle: parts of a warp may execute an "
         "instruction"},
        {"kernel.scalarize=none uniform.storage=token uniform.intra=on", "not both"},
        {"lanes.chaining=on simt.issue=barrel cluster.ldst_lanes=4 cluster.sfu_lanes=0",
         "lanes.chaining is on, but simt.issue is barrel"},
        {"vrf.bank_map=warp vrf.banks=0", "vrf.bank_map is not by_kind, but vrf.banks is 0"},
        {"vrf.bank_map=round simt.issue_width=2", "vrf.bank_map is round, but simt.issue_width is not 1"},
        {"vrf.bank_map=round cluster.schedulers=2", "cluster.schedulers is not 1"},
        {"vrf.bank_map=round cluster.sp_groups=2", "cluster.sp_groups is not 1"},
        {"vrf.bank_map=round scalar.mode=own", "scalar.mode is not off"},
        {"vrf.bank_map=round simt.issue=barrel cluster.ldst_lanes=4 cluster.sfu_lanes=0",
         "vrf.bank_map is round, but simt.issue is barrel"},
        {"uniform.storage=token", "nothing would use it"},
        {"uniform.storage=token uniform.intra=on lanes.kind=temporal uniform.broadcast_cycles=2",
         "a scalar is in the lane that reads it"},
        {"uniform.storage=srf uniform.inter=on cluster.schedulers=2",
         "cluster.schedulers 2 x simt.issue_width 1"},
        {"uniform.storage=token uniform.intra=on simt.issue_width=2", "have a port each"},
        {"uniform.storage=token uniform.inter=on simt.issue=barrel cluster.ldst_lanes=4 cluster.sfu_lanes=0 "
         "simt.divergence=harp vrf.banks=0",
         "set that to cluster.lanes (4)"}};
    for (unsigned n = 0; n < sizeof cases / sizeof *cases; ++n) {
        reset();
        set("contexts=vrf");
        set("simt.divergence=sbr");
        set("simt.lane_map=cyclic");
        set("local.bytes=32768");
        if (n == 0 && !config_check(&machine_config_table, &config, &error)) fail_msg("%s", error.message);
        char words[256];
        snprintf(words, sizeof words, "%s", cases[n].set);
        for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) set(word);
        assert_false(config_check(&machine_config_table, &config, &error));
        if (!strstr(error.message, cases[n].says))
            fail_msg("'%s' is not in: %s", cases[n].says, error.message);
    }
}

/* Lanes of GPU-like machines: valid kinds, and derived values. */
static void lanes_are_of_a_kind(void **state) {
    (void)state;
    static const struct {
        const char *set;
        unsigned groups;
        bool chains, compacts, by_round;
    } cases[] = {
        {"lanes.kind=spatial", 1, false, false, false},
        {"vrf.bank_map=round", 1, false, false, true},
        {"vrf.bank_map=warp", 1, false, false, false},
        {"lanes.chaining=on simt.compaction=round lanes.free_on_warp_exit=on", 1, true, true, false},
        {"lanes.kind=temporal", 4, true, true, true},
        {"lanes.kind=temporal vrf.bank_map=warp", 4, true, true, false},
        {"lanes.kind=temporal lanes.bound=off cluster.threads=320 vrf.registers=4096", 4, true, true, true},
        {"lanes.kind=temporal lanes.chaining=off simt.compaction=none", 4, false, false, true},
        {"lanes.kind=temporal lanes.exact_allocation=on lanes.free_on_warp_exit=on", 4, true, true, true},
        {"kernel.scalarize=wide lanes.scalar_unit=on", 1, false, false, false},
        {"kernel.scalarize=wide scalar.mode=gcn", 1, false, false, false},
        {"scalar.mode=own scalar.share_groups=on", 1, false, false, false},
        {"kernel.scalarize=none", 1, false, false, false},
        {"kernel.scalarize=convergent lanes.kind=temporal", 4, true, true, true},
        {"lanes.kind=spatio_temporal lanes.group=2", 2, true, true, true},
        {"lanes.kind=spatio_temporal lanes.group=4", 1, true, true, true}};
    for (unsigned n = 0; n < sizeof cases / sizeof *cases; ++n) {
        char words[128];
        strcpy(words, cases[n].set);
        reset();
        set("contexts=vrf");
        set("simt.divergence=sbr");
        set("simt.lane_map=cyclic");
        set("local.bytes=32768");
        for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) set(word);
        if (!config_check(&machine_config_table, &config, &error)) fail_msg("%s", error.message);
        assert_int_equal(machine_lane_groups(&config), cases[n].groups);
        assert_int_equal(machine_chains(&config), cases[n].chains);
        assert_int_equal(machine_compacts(&config), cases[n].compacts);
        assert_int_equal(machine_banks_by_round(&config), cases[n].by_round);
    }
}

static void the_other_defaults_are_machine_md_and_timing_md(void **state) {
    (void)state;
    reset();
    assert_int_equal(config.simt.priority_levels, 8);
    assert_int_equal(config.simt.lane_map, LANE_MAP_BLOCK);
    assert_int_equal(config.simt.queue_entries, 2);
    assert_int_equal(config.simt.collectors, 2);
    assert_int_equal(config.simt.enter_cycles, 2);
    assert_int_equal(config.simt.leave_cycles, 2);
    assert_int_equal(config.tpm.read_ports, 1);
    assert_int_equal(config.tpm.write_ports, 1);
    assert_int_equal(config.tpm.latency_cycles, 1);
    assert_int_equal(config.core.branch_penalty_cycles, 2);
    assert_int_equal(config.arm.cumulative_flags, 0);
    assert_int_equal(config.cluster.local_bytes, 32 * 1024);
}

/* GCC's cortex-a7.md: result latency, and the distance in cycles of two instructions that are
 * not pipelined. */
static void latencies_are_those_of_cortex_a7(void **state) {
    (void)state;
    static const struct {
        enum arm_class class;
        uint32_t latency, occupancy;
    } published[] = {
        {ARM_CLASS_ALU, 1, 1},
        {ARM_CLASS_MULTIPLY, 2, 1},
        {ARM_CLASS_DIVIDE, 5, 5},
        {ARM_CLASS_LOAD, 2, 1},
        {ARM_CLASS_VFP_ADD_SINGLE, 4, 1},
        {ARM_CLASS_VFP_ADD_DOUBLE, 4, 1},
        {ARM_CLASS_VFP_MULTIPLY_SINGLE, 4, 1},
        {ARM_CLASS_VFP_MULTIPLY_DOUBLE, 7, 4},
        {ARM_CLASS_VFP_CHAINED_SINGLE, 8, 1},
        {ARM_CLASS_VFP_CHAINED_DOUBLE, 11, 4},
        {ARM_CLASS_VFP_DIVIDE_SINGLE, 16, 14},
        {ARM_CLASS_VFP_DIVIDE_DOUBLE, 31, 29},
    };
    reset();
    for (unsigned n = 0; n < sizeof published / sizeof published[0]; ++n) {
        assert_int_equal(config.core.latency_cycles[published[n].class], published[n].latency);
        assert_int_equal(config.core.occupancy_cycles[published[n].class], published[n].occupancy);
    }
}

static void every_class_has_its_latency_and_occupancy(void **state) {
    (void)state;
    reset();
    set("latency.vfp_divide_single=15");
    set("occupancy.store_multiple=3");
    assert_int_equal(config.core.latency_cycles[ARM_CLASS_VFP_DIVIDE_SINGLE], 15);
    assert_int_equal(config.core.occupancy_cycles[ARM_CLASS_STORE_MULTIPLE], 3);
    for (unsigned n = 0; n < ARM_CLASS_COUNT; ++n) {
        assert_true(config.core.latency_cycles[n] >= 1);
        assert_true(config.core.occupancy_cycles[n] >= 1);
    }
}

/* Each row: a set of assignments that is refused (or, allowed, nearly is), and words
 * the message must have. */
static void relations_between_fields_are_checked(void **state) {
    (void)state;
    static const struct {
        const char *assignments[8];
        const char *words[4];
    } rows[] = {
        {{"simt.warp_size=4", "cluster.threads_per_lane=64"}, {NULL}}, /* 64 warps of one round */
        {{"simt.warp_size=128"}, {"simt.warp_size is 128", "at most 64 threads", "lwm.threads 128"}},
        {{"simt.warp_size=4", "cluster.lanes=8"}, {"simt.warp_size", "cluster.lanes", "4", "8"}},
        {{"cluster.lanes=16", "simt.warp_size=16", "cluster.threads_per_lane=64"}, {NULL}},
        {{"cluster.threads_per_lane=1024"}, {NULL}}, /* 128 warps */
        {{"cluster.threads_per_lane=1024", "simt.warp_size=16"},
         {"cluster.threads_per_lane", "256 warps", "1 to 128"}},
        {{"cluster.threads_per_lane=8"}, {NULL}}, /* one warp */
        {{"cluster.threads_per_lane=4"}, {"cluster.threads_per_lane", "0 warps", "simt.warp_size 32"}},
        {{"l1i.size=1024", "l1i.ways=16"}, {NULL}}, /* one set */
        {{"l1i.size=1024", "l1i.ways=8"}, {NULL}},
        {{"l1d.size=2048", "l1d.ways=16", "cluster.threads_per_lane=8"}, {NULL}},
        {{"l2.size=2048", "l2.ways=16"}, {NULL}}, /* two sets */
        {{"l2.size=1024", "l2.ways=16"}, {"l2.size 1024", "2 sets", "l2.ways 16"}},
        {{"l2.size=1024", "l2.ways=16", "l2.line=32", "l1d.line=32"}, {NULL}},
        {{"l2.line=32"}, {"l1d.line is 64", "l2.line 32"}},
        {{"l1d.size=1024"}, {"l1d.size 1024", "8 contexts", "x 48 registers x 4 bytes", "1536 bytes"}},
        {{"l1d.size=2048"}, {NULL}}, /* 64 registers for each of 8 threads */
        {{"l1d.size=2048", "cluster.lanes=2"},
         {"l1d.size 2048", "16 contexts", "x 48 registers x 4 bytes", "3072 bytes"}},
        {{"cluster.stack_size=262144", "cluster.count=2"}, {NULL}}, /* the largest possible number
                                                                     * of stacks */
        {{"cluster.stack_size=262144", "cluster.count=3"},
         {"cluster.stack_size 262144", "3 x 4 x 128 threads", "402653184 bytes", "room for 268435456"}},
        {{"cluster.stack_size=262144", "cluster.count=3", "mode=mimd"}, {NULL}},
        {{"uniform.storage=token", "uniform.intra=on"}, {NULL}},
        {{"uniform.storage=token"}, {"uniform.storage is token", "uniform.intra"}},
        {{"uniform.storage=srf", "uniform.inter=on"}, {NULL}},
        {{"uniform.inter=on"}, {"uniform.inter is on", "uniform.storage is none"}},
        {{"uniform.intra=on"}, {"uniform.intra is on", "uniform.storage is none"}},
        {{"simt.divergence=pc", "simt.stack_calls=128"}, {NULL}},
        {{"constant.size=1536", "constant.ways=3"}, {NULL}}, /* sets need not be a power of two */
        {{"constant.size=1536", "constant.ways=5"}, {"constant.size 1536", "whole number", "320 bytes"}},
        {{"dram.ccd=4", "dram.burst_cycles=4"}, {NULL}},
        {{"dram.ccd=3", "dram.burst_cycles=4"}, {"dram.ccd is 3", "dram.burst_cycles 4"}},
        {{"simt.divergence=lwm"}, {NULL}},
        {{"simt.divergence=lwm", "lwm.threads=16"}, {"lwm.threads 16 must be a multiple"}},
        {{"simt.divergence=lwm", "simt.mitigation=slp"}, {"its sub-warps are packed already"}},
        {{"simt.divergence=lwm", "simt.mitigation=skip"}, {"no rounds without threads"}},
        {{"simt.divergence=harp"}, {NULL}},
        {{"simt.divergence=harp", "harp.barriers=100"}, {"harp.barriers 100 is not a whole number"}},
        {{"simt.divergence=harp", "simt.mitigation=slp"}, {"a warp has one round"}},
        {{"simt.divergence=harp", "uniform.storage=srf", "uniform.intra=on"}, {"leave it here"}},
        {{"simt.divergence=dwf"}, {NULL}},
        {{"simt.divergence=tbc", "simt.scheduler=greedy_oldest"}, {NULL}},
        {{"simt.divergence=tbc", "simt.scheduler=two_level"}, {"knows only warps"}},
        {{"simt.divergence=tbc", "simt.warp_size=4"}, {"make 128 warps", "its stack knows 64"}},
        {{"simt.divergence=dwf", "simt.scheduler=greedy_oldest"}, {"dwf, which selects warps itself"}},
        {{"simt.divergence=dwf", "uniform.storage=token", "uniform.intra=on"},
         {"uniform.storage is token", "simt.divergence is dwf", "leave it here"}},
        {{"simt.divergence=dwf", "simt.mitigation=dpe"}, {"the sides of a branch as warps of their own"}},
        {{"simt.divergence=dwf", "simt.mitigation=alt"}, {"mixes instructions by the PC"}},
        {{"lanes.kind=temporal"}, {"lanes.kind needs contexts: vrf"}},
        {{"lanes.group=2"}, {"lanes.group needs contexts: vrf"}},
        {{"lanes.bound=off"}, {"lanes.bound needs contexts: vrf"}},
        {{"lanes.chaining=on"}, {"lanes.chaining needs contexts: vrf"}},
        {{"lanes.free_on_warp_exit=on"}, {"lanes.free_on_warp_exit needs contexts: vrf"}},
        {{"lanes.exact_allocation=on"}, {"lanes.exact_allocation needs contexts: vrf"}},
        {{"simt.compaction=round"}, {"simt.compaction needs contexts: vrf"}},
        {{"vrf.bank_map=round"}, {"vrf.bank_map needs contexts: vrf"}},
        {{"kernel.scalarize=wide"}, {"kernel.scalarize needs contexts: vrf"}},
        {{"lanes.scalar_unit=on"}, {"lanes.scalar_unit needs contexts: vrf"}},
        {{"simt.mitigation=slp"}, {NULL}},
        {{"simt.mitigation=slp", "simt.warp_size=16", "cluster.lanes=16", "cluster.threads_per_lane=64"},
         {"simt.mitigation is slp", "cluster.lanes are both 16"}},
        {{"simt.mitigation=skip"}, {NULL}},
        {{"simt.mitigation=skip", "uniform.storage=token", "uniform.intra=on"}, {NULL}},
        {{"simt.mitigation=skip", "simt.warp_size=16", "cluster.lanes=16", "cluster.threads_per_lane=64"},
         {"simt.mitigation is skip", "cluster.lanes are both 16"}},
        {{"simt.mitigation=skip", "simt.slp=any"}, {"simt.slp is any", "simt.mitigation is skip"}},
        {{"simt.mitigation=slp", "simt.slp=any"}, {NULL}},
        {{"simt.slp=any"}, {"simt.slp is any", "simt.mitigation is none"}},
        {{"simt.mitigation=slp", "simt.slp=any", "uniform.storage=token", "uniform.intra=on"},
         {"simt.slp is any", "uniform.storage"}},
        {{"simt.mitigation=dpe"}, {NULL}},
        {{"simt.mitigation=dpe", "uniform.storage=token", "uniform.intra=on"}, {NULL}},
        {{"simt.mitigation=alt"}, {NULL}},
        {{"simt.mitigation=alt", "simt.pc_policy=min_pc"}, {NULL}},
        {{"simt.mitigation=alt", "uniform.storage=token", "uniform.intra=on"},
         {"simt.mitigation is alt", "uniform.storage"}},
        {{"simt.mitigation=dpe", "simt.pc_policy=min_pc"}, {"simt.mitigation is dpe", "ics_first"}},
        {{"simt.mitigation=dpe", "simt.priority_operations=off"},
         {"simt.mitigation is dpe", "priority operations"}},
        {{"simt.mitigation=dpe", "cluster.threads_per_lane=512"}, {NULL}}, /* 64 warps */
        {{"simt.mitigation=dpe", "cluster.threads_per_lane=1024"},
         {"has 128 warps", "two paths of each of 64"}},
        {{"simt.multi_issue=warps", "simt.issue_width=2"}, {NULL}},
        {{"simt.multi_issue=warps", "simt.issue_width=4", "simt.mitigation=slp", "simt.slp=any"}, {NULL}},
        {{"simt.multi_issue=rounds", "core.kind=in_order"}, {NULL}},
        {{"simt.multi_issue=warps", "simt.issue_width=3", "mode=mimd"}, {NULL}},
        {{"simt.multi_issue=warps"}, {"simt.multi_issue is warps", "simt.issue_width is 1", "at least 2"}},
        {{"simt.multi_issue=rounds", "simt.mitigation=dpe"},
         {"simt.mitigation is dpe", "simt.multi_issue is rounds", "set one to none or off"}},
        {{"simt.multi_issue=rounds", "simt.mitigation=alt"},
         {"simt.mitigation is alt", "simt.multi_issue is rounds"}},
        {{"simt.multi_issue=rounds", "uniform.storage=token", "uniform.intra=on"},
         {"uniform.storage is token", "simt.multi_issue is rounds"}},
        {{"simt.multi_issue=rounds", "contexts=vrf", "simt.lane_map=cyclic", "simt.divergence=sbr"},
         {"simt.multi_issue is rounds", "contexts is vrf", "set it to off"}},
        {{"simt.issue_width=3", "contexts=vrf", "simt.lane_map=cyclic", "simt.divergence=sbr"},
         {"simt.issue_width is 3", "contexts is vrf", "at most 2"}},
        {{"core.kind=in_order", "core.front_stages=1"}, {NULL}},
        {{"core.kind=out_of_order", "core.front_stages=2"}, {NULL}},
        {{"core.kind=out_of_order", "core.front_stages=1"},
         {"core.front_stages is 1", "core.kind is out_of_order", "set it to 2"}},
        {{"core.kind=in_order", "core.hit_under_miss=1"},
         {"core.hit_under_miss is 1", "core.kind is in_order", "set it to 0"}},
        {{"simt.lane_map=balanced", "contexts=vrf", "simt.divergence=sbr"}, {"balanced", "contexts is vrf"}},
        {{"simt.lane_map=block", "contexts=vrf", "simt.divergence=sbr"}, {"block", "contexts is vrf"}},
    };
    for (unsigned r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        reset();
        for (unsigned n = 0; n < 8 && rows[r].assignments[n]; ++n) set(rows[r].assignments[n]);
        const bool sound = config_check(&machine_config_table, &config, &error);
        if (sound == (rows[r].words[0] != NULL))
            fail_msg("row %u: %s", r, sound ? "accepted" : error.message);
        if (!sound) assert_int_equal(error.status, EXIT_USER);
        for (unsigned n = 0; n < 4 && rows[r].words[n]; ++n)
            if (!strstr(error.message, rows[r].words[n]))
                fail_msg("no '%s' in: %s", rows[r].words[n], error.message);
    }
}

/* Engines that regroup threads, on a machine that suits them but for one field. */
static void engines_are_checked(void **state) {
    (void)state;
    static const struct {
        const char *engine, *set, *says[2];
    } cases[] = {
        {"pc", "simt.scheduler=two_level", {NULL}},
        {"pc", "simt.pc_policy=ics_first", {NULL}},
        {"pc", "simt.pc_policy=first_ready", {NULL}},
        {"pc", "simt.issue=scoreboard", {"simt.issue", "sbr only"}},
        {"sbr", "simt.scheduler=two_level", {NULL}},
        {"oracle", "simt.scheduler=two_level", {NULL}},
        {"oracle", "simt.issue=scoreboard", {"simt.issue", "sbr only"}},
        {"lwm", "simt.scheduler=greedy_oldest", {NULL}},
        {"lwm", "simt.scheduler=two_level", {"simt.scheduler", "lwm"}},
        {"lwm", "lwm.threads=16", {"lwm.threads 16", "simt.warp_size 32"}},
        {"lwm", "simt.lane_map=block", {"simt.lane_map", "cyclic"}},
        {"tbc", "simt.scheduler=greedy_oldest", {NULL}},
        {"tbc", "simt.scheduler=two_level", {"simt.scheduler", "tbc"}},
        {"tbc", "vrf.banks=4", {"vrf.banks", "tbc"}},
        {"tbc", "simt.issue=scoreboard", {"simt.issue", "tbc"}},
        {"dwf", "simt.scheduler=greedy_oldest", {"simt.scheduler", "dwf"}},
        {"dwf", "vrf.banks=8", {"vrf.banks", "8"}},
        {"dwf", "simt.warp_size=8", {"simt.warp_size 8", "cluster.lanes 16"}},
        {"harp", "simt.issue=scoreboard", {"simt.issue", "sbr only"}},
        {"harp", "simt.scheduler=two_level", {"simt.scheduler", "harp"}},
        {"harp", "harp.barriers=100", {"harp.barriers 100", "harp.barrier_ways 16"}},
        {"harp", "harp.barriers=16", {NULL}},
    };
    for (unsigned n = 0; n < sizeof cases / sizeof *cases; ++n) {
        static const char *const machine[] = {
            "contexts=vrf",          "simt.issue=barrel",    "vrf.banks=0",       "cluster.lanes=16",
            "cluster.ldst_lanes=16", "cluster.sfu_lanes=0",  "local.bytes=32768", "simt.lane_map=cyclic",
            "simt.warp_size=32",     "simt.pc_policy=min_pc"};
        reset();
        for (unsigned m = 0; m < sizeof machine / sizeof *machine; ++m) set(machine[m]);
        char engine[32];
        snprintf(engine, sizeof engine, "simt.divergence=%s", cases[n].engine);
        set(engine);
        if (!config_check(&machine_config_table, &config, &error)) fail_msg("%s", error.message);
        set(cases[n].set);
        if (config_check(&machine_config_table, &config, &error) != !cases[n].says[0])
            fail_msg("%s with %s: %s", engine, cases[n].set, cases[n].says[0] ? "accepted" : error.message);
        for (unsigned k = 0; k < 2 && cases[n].says[k]; ++k)
            if (!strstr(error.message, cases[n].says[k]))
                fail_msg("%s with %s: no '%s' in: %s", engine, cases[n].set, cases[n].says[k], error.message);
    }
}

static void values_out_of_range_are_refused_by_name(void **state) {
    (void)state;
    static const struct {
        const char *assignment, *word;
    } rows[] = {
        {"simt.warp_size=24", "simt.warp_size"},
        {"simt.warp_size=256", "simt.warp_size"},
        {"simt.warp_size=2", "simt.warp_size"},
        {"cluster.lanes=3", "cluster.lanes"},
        {"cluster.lanes=64", "cluster.lanes"},
        {"cluster.threads_per_lane=100", "cluster.threads_per_lane"},
        {"simt.priority_levels=0", "simt.priority"},
        {"simt.priority_levels=17", "simt.priority_levels"},
        {"l1i.line=512", "l1i.line"},
        {"l2.ways=65", "l2.ways"},
        {"mem.mshrs=1", "mem.mshrs"},
        {"mem.mshrs=65", "mem.mshrs"},
        {"simt.pc_policy=max_pc", "ics_first"},
        {"simt.lane_map=diagonal", "cyclic"},
        {"latency.alu=0", "latency.alu"},
        {"uniform.storage=bits", "token"},
        {"simt.divergence=tree", "sbr"},
        {"simt.stack_calls=0", "simt.stack_calls"},
        {"simt.stack_calls=129", "simt.stack_calls"},
        {"uniform.intra=true", "on"},
        {"uniform.broadcast_cycles=101", "uniform.broadcast_cycles"},
        {"uniform.srf_registers=7", "uniform.srf_registers"},
        {"uniform.irb_entries=1", "uniform.irb_entries"},
        {"uniform.irb_entries=257", "uniform.irb_entries"},
        {"uniform.irb_tag_bits=31", "uniform.irb_tag_bits"},
        {"simt.warpsize=32", "simt.warp_size"},
    };
    for (unsigned r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        reset();
        const struct machine_config before = config;
        assert_false(config_set(&machine_config_table, &config, rows[r].assignment, &error));
        assert_int_equal(error.status, EXIT_USER);
        if (!strstr(error.message, rows[r].word)) fail_msg("no '%s' in: %s", rows[r].word, error.message);
        assert_memory_equal(&before, &config, sizeof config);
    }
}

static void choices_are_set_by_name(void **state) {
    (void)state;
    reset();
    set("simt.pc_policy=min_pc");
    assert_int_equal(config.simt.pc_policy, PC_MIN_PC);
    set("simt.pc_policy=first_ready");
    assert_int_equal(config.simt.pc_policy, PC_FIRST_READY);
    set("simt.lane_map=cyclic");
    assert_int_equal(config.simt.lane_map, LANE_MAP_CYCLIC);
}

/* Rows have different places, and each has a description, a unit and a source. */
static void every_field_is_described_and_has_its_own_place(void **state) {
    (void)state;
    const struct config_table *t = &machine_config_table;
    const size_t members = sizeof config - sizeof config.own + sizeof(struct own_fields);
    assert_int_equal(t->count * sizeof(uint32_t), members); /* no field is missing */
    for (size_t a = 0; a < t->count; ++a) {
        const struct config_field *f = &t->fields[a];
        assert_true(f->offset + sizeof(uint32_t) <= sizeof config);
        assert_true(strlen(f->description) > 8 && strlen(f->source) > 0);
        if (f->type == CONFIG_UNSIGNED) {
            assert_true(strlen(f->unit) > 0);
            assert_true(f->minimum <= f->initial && f->initial <= f->maximum);
            assert_true(!f->power_of_two || (f->initial & (f->initial - 1)) == 0);
        }
        for (size_t b = 0; b < a; ++b) {
            assert_int_not_equal(f->offset, t->fields[b].offset);
            assert_string_not_equal(f->name, t->fields[b].name);
        }
    }
}

static const struct config_field *field_called(const char *name) {
    const struct config_table *t = &machine_config_table;
    for (size_t n = 0; n < t->count; ++n)
        if (strcmp(t->fields[n].name, name) == 0) return &t->fields[n];
    return NULL;
}

static void check_values(const struct config_field *f, const char *field, char *values) {
    for (char *value; (value = strsep(&values, ",")) != NULL;) {
        size_t choice = 0;
        while (f->choices[choice] && strcmp(f->choices[choice], value)) ++choice;
        if (!f->choices[choice]) fail_msg("%s needs %s=%s", field, f->name, value);
    }
}

/* Each need is of a field with choices, and of choices of it; or of a number above another. */
static void needs_are_of_values(void **state) {
    (void)state;
    const struct config_table *t = &machine_config_table;
    unsigned count = 0;
    for (size_t n = 0; n < t->count; ++n) {
        char needs[256];
        snprintf(needs, sizeof needs, "%s", t->fields[n].needs ? t->fields[n].needs : "");
        for (char *need = strtok(needs, " |"); need; need = strtok(NULL, " |"), ++count) {
            char *sign = strpbrk(need, "=>");
            assert_non_null(sign);
            const bool number = *sign == '>';
            *sign = '\0';
            const struct config_field *other = field_called(need);
            if (!other || other->type != (number ? CONFIG_UNSIGNED : CONFIG_CHOICE))
                fail_msg("%s: %s", t->fields[n].name, need);
            if (!number) check_values(other, t->fields[n].name, sign + 1);
        }
    }
    assert_true(count > 100);
}

/* The needs of a field are true on machines where it has an effect. */
static void fields_matter_where_they_are_used(void **state) {
    (void)state;
    static const struct {
        const char *field, *other; /* these must be set, too */
    } fields[] = {
        {"mem.latency=100", ""},
        {"mem.tlb_miss=9", ""},
        {"dram.cl=5", "contexts=vrf"},
        {"constant.size=1024", "contexts=vrf"},
        {"l1d.mshrs=5", "contexts=vrf"},
        {"lwm.threads=64", "simt.divergence=lwm"},
        {"harp.barriers=64", "simt.divergence=harp"},
        {"simt.active_warps=8", "simt.scheduler=two_level"},
        {"simt.network_cycles=1", "simt.mitigation=slp simt.slp=any"},
        {"simt.issue_width=2", "simt.multi_issue=warps"},
        {"core.integer_units=1", "simt.multi_issue=rounds"},
        {"uniform.irb_entries=4", "uniform.storage=srf uniform.inter=on"},
        {"scalar.registers=64", "contexts=vrf scalar.mode=gcn"},
        {"l2.size=4096", ""},
    };
    for (size_t n = 0; n < sizeof fields / sizeof *fields; ++n) {
        reset();
        set(fields[n].field);
        const bool always = !*fields[n].other;
        assert_int_equal(config_matters(&machine_config_table, &config, fields[n].field, &error), always);
        if (always) continue;
        set_all(fields[n].other);
        assert_true(config_matters(&machine_config_table, &config, fields[n].field, &error));
    }
    reset();
    set("mem.tlb_miss=9");
    set("mem.page_walk=memory");
    assert_false(config_matters(&machine_config_table, &config, "mem.tlb_miss=9", &error));
    set("mem.latency=100");
    set("contexts=vrf");
    assert_false(config_matters(&machine_config_table, &config, "mem.latency=100", &error));
}

/* Settings that are refused on a machine, and the reason; NULL: accepted. */
static void a_machine_says_why_a_field_does_nothing(void **state) {
    (void)state;
    static const struct {
        const char *machine, *field, *says;
    } cases[] = {
        {"mode=mimd", "simt.pc_policy=min_pc", "it needs mode=simt,auto, and that is mimd"},
        {"mode=mimd", "tpm.latency=2", "it needs mode=simt,auto, and that is mimd"},
        {"mode=mimd", "simt.collectors=4", "it needs mode=simt,auto, and that is mimd"},
        {"mode=auto", "tpm.latency=2", NULL},
        {"mode=auto", "l1d.latency=2", NULL},
        {"mode=auto", "mimd.coalescing=snucl", NULL},
        {"mode=mimd", "l1d.latency=2", NULL},
        {"mode=mimd", "l1d.write_buffer=4", NULL},
        {"mode=mimd uniform.storage=token", "uniform.intra=on", "it needs mode=simt,auto, and that is mimd"},
        {"mode=mimd simt.scheduler=two_level", "simt.active_warps=8",
         "it needs mode=simt,auto, and that is mimd"},
        {"", "l1d.latency=2", "it needs contexts=vrf or mode=mimd,auto, and those are tpm and simt"},
        {"", "l1d.write_buffer=4", "it needs mode=mimd,auto, and that is simt"},
        {"", "directory.hop=4", "it needs cluster.count>1, and that is 1"},
        {"cluster.count=2", "directory.hop=4", NULL},
        {"", "simt.pc_policy=min_pc", NULL},
        {"", "simt.queue_entries=4", NULL},
        {"", "latency.alu=4", NULL},
        {"", "occupancy.load=4", NULL},
        {"contexts=vrf simt.divergence=sbr", "simt.pc_policy=min_pc",
         "it needs simt.divergence=pc, and that is sbr"},
        {"contexts=vrf", "simt.pc_policy=min_pc", NULL},
        {"contexts=vrf", "l1d.latency=2", NULL},
        {"contexts=vrf", "icnt.share=2", "it needs cluster.count>1, and that is 1"},
        {"contexts=vrf", "simt.queue_entries=4",
         "it needs contexts=tpm or simt.issue=barrel, and those are vrf and scoreboard"},
        {"contexts=vrf", "latency.alu=4", NULL},
        {"contexts=vrf simt.issue=barrel", "latency.alu=4",
         "it needs contexts=tpm or simt.issue=scoreboard or scalar.mode=own, and those are vrf and barrel "
         "and off"},
        {"contexts=vrf", "occupancy.load=4",
         "it needs contexts=tpm or scalar.mode=own, and those are vrf and off"},
        {"contexts=vrf simt.divergence=harp", "mem.exclusive_hold=4",
         "it needs simt.divergence=pc,sbr,oracle, and that is harp"},
    };
    for (size_t n = 0; n < sizeof cases / sizeof *cases; ++n) {
        reset();
        set_all(cases[n].machine);
        set(cases[n].field);
        const bool matters = config_matters(&machine_config_table, &config, cases[n].field, &error);
        assert_int_equal(matters, cases[n].says == NULL);
        if (matters) continue;
        assert_int_equal(error.status, EXIT_USER);
        if (!strstr(error.message, cases[n].says))
            fail_msg("'%s' is not in: %s", cases[n].says, error.message);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_defaults_are_table_2),
        cmocka_unit_test(gpu_machines_are_checked),
        cmocka_unit_test(lanes_are_of_a_kind),
        cmocka_unit_test(engines_are_checked),
        cmocka_unit_test(the_other_defaults_are_machine_md_and_timing_md),
        cmocka_unit_test(latencies_are_those_of_cortex_a7),
        cmocka_unit_test(every_class_has_its_latency_and_occupancy),
        cmocka_unit_test(relations_between_fields_are_checked),
        cmocka_unit_test(values_out_of_range_are_refused_by_name),
        cmocka_unit_test(choices_are_set_by_name),
        cmocka_unit_test(every_field_is_described_and_has_its_own_place),
        cmocka_unit_test(needs_are_of_values),
        cmocka_unit_test(fields_matter_where_they_are_used),
        cmocka_unit_test(a_machine_says_why_a_field_does_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
