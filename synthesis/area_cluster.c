/* Parts of the base machine: its clusters' co-processors and lanes. */
#include "synthesis/area_parts.h"

#include <math.h>
#include <string.h>

static const struct cluster *cluster_of(const struct area_building *b) {
    return machine_cluster(b->machine, 0);
}

static struct area_block block_of(const struct area_building *b, const char *module, const char *group,
                                  unsigned count) {
    struct area_block block = {.module = module, .group = group, .name = module, .count = count};
    block.setting_count = twin_block_settings(cluster_of(b), block.settings);
    return block;
}

/* Of each lane; others are one of a cluster. */
static bool is_of_lane(enum cluster_block slot) {
    return slot == CLUSTER_BLOCK_ADDRESS;
}

/* The descriptors' table and the whole co-processor are not parts like others. */
static bool is_block(const struct machine_config *c, enum cluster_block slot) {
    return !twin_block_absent(c, slot) && !twin_block_is_shared(slot) && slot != CLUSTER_BLOCK_DESCRIPTORS &&
           slot != CLUSTER_BLOCK_COPROCESSOR;
}

static bool add_slots(struct area_building *b, bool of_lane, struct error *e) {
    const struct machine_config *c = b->config;
    const unsigned count = c->cluster.count * (of_lane ? c->cluster.lanes : 1);
    for (enum cluster_block slot = 0; slot < CLUSTER_BLOCK_COUNT; slot++) {
        if (!is_block(c, slot) || is_of_lane(slot) != of_lane) continue;
        struct area_block block =
            block_of(b, twin_block_of(c, slot)->module, of_lane ? "lane" : "co-processor", count);
        if (slot == CLUSTER_BLOCK_ARBITER) block.cycles = c->simt.arbitrate_cycles;
        if (!area_add_block(b, &block, e)) return false;
    }
    return true;
}

/* The co-processor's own registers: those in no block. */
static void add_front_end(struct area_building *b) {
    const struct machine_config *c = b->config;
    const unsigned warps = cluster_of(b)->warps, warp_bits = warps > 1 ? (unsigned)ceil(log2(warps)) : 1,
                   bits = 32 + 4 * (warp_bits + 1) +
                          (c->simt.queue_entries + c->simt.collectors) * (warp_bits + 1) + 2 * warps;
    struct area_part *p = area_add(b->area, AREA_TABLE, "co-processor", "front end", c->cluster.count);
    area_say(p, "%u bits between the stages", bits);
    p->mm2 = p->flip_flops_mm2 = technology_40nm_mm2(bits * b->bit_nand2);
}

/* Bits of a page's number are searched; frame and permissions stand beside them. */
static void add_tlb(struct area_building *b, const char *name, unsigned entries, unsigned count) {
    enum { PAGE_BITS = 20, ENTRY_BITS = 2 * PAGE_BITS + 4 };
    area_add_searched(b, "lane", name, count, entries, ENTRY_BITS, PAGE_BITS);
}

bool area_add_clusters(struct area_building *b, struct error *e) {
    const struct machine_config *c = b->config;
    const unsigned clusters = c->cluster.count, lanes = clusters * c->cluster.lanes;
    if (!add_slots(b, false, e)) return false;
    const struct area_block table = block_of(b, "thread_descriptor_table", "co-processor", clusters);
    if (!area_add_table(b, &table, "thread descriptors", cluster_of(b)->warps, e)) return false;
    add_front_end(b);
    if (c->uniform.storage == UNIFORM_SRF)
        area_add_words(b->area, "co-processor", "scalar registers", clusters, c->uniform.srf_registers, 32,
                       3);
    struct area_part *core = area_add(b->area, AREA_PUBLISHED, "lane", "core", lanes);
    area_say(core, "%s", area_lane.name);
    core->mm2 = core->flip_flops_mm2 = area_lane.mm2;
    if (!add_slots(b, true, e)) return false;
    area_add_cache(b->area, "lane", "L1I", &c->l1i, lanes);
    area_add_cache(b->area, "lane", "L1D, the TPM", &c->l1d, lanes);
    area_add_cache(b->area, "lane", "L2", &c->l2, lanes);
    add_tlb(b, "instruction TLB", c->mem.itlb_entries, lanes);
    add_tlb(b, "data TLB", c->mem.dtlb_entries, lanes);
    return true;
}

/* --- the stages of the co-processor --- */

static double fo4_of_ns(double ns) {
    return ns / (TECHNOLOGY_40NM_FO4_PS * 1e-3);
}

/* Stages that read a row of the descriptors. */
static bool reads_row(enum synthesis_stage s) {
    return s == STAGE_ARBITRATE || s == STAGE_EXECUTE || s == STAGE_COMMIT;
}

bool area_time_stages(struct area_building *b, struct error *e) {
    struct area *a = b->area;
    const unsigned warps = cluster_of(b)->warps;
    const double levels = log2(warps);
    struct area_block block = block_of(b, "simt_coprocessor", "co-processor", 1);
    a->stage_warps = warps < 2 ? 1 : 2;
    area_set(&block, "WARPS", a->stage_warps);
    if (cluster_of(b)->path.scheduler.cfg.active_warps > a->stage_warps)
        area_set(&block, "ACTIVE", a->stage_warps);
    if (!area_synthesise(b, &block, true, true, &a->coprocessor, e)) return false;
    const double synthesised = a->stage_warps == 2 ? 1 : 0,
                 access = fo4_of_ns(sram_memory(warps, AREA_SLICE_BITS, 2).ns);
    for (enum synthesis_stage s = 0; s < STAGE_COUNT; s++) {
        const double at_two = a->coprocessor.stage_fo4[s];
        a->stage_fo4[s][0] = at_two + (reads_row(s) ? ceil(levels - synthesised) * AREA_MULTIPLEXER_FO4 : 0);
        a->stage_fo4[s][1] = at_two + (reads_row(s) ? access - synthesised * AREA_MULTIPLEXER_FO4 : 0);
    }
    return true;
}
