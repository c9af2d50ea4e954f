/* Parts of the base machine: its clusters' co-processors and lanes. */
#include "synthesis/area_parts.h"

#include "model/config/core_kind.h"
#include "model/config/core_kinds.h"
#include "model/config/divergence_engine.h"
#include "model/config/divergence_kind.h"
#include "model/replacement/replacement_kind.h"
#include "tb/twins/place.h"

#include <math.h>
#include <string.h>

static const struct cluster *cluster_of(const struct area_building *b) {
    return machine_cluster(b->machine, 0);
}

static struct area_block block_of(const struct area_building *b, const char *module, const char *group,
                                  unsigned count) {
    struct area_block block = {.module = module, .group = group, .name = module, .count = count};
    block.setting_count = twin_places_settings(b->machine, CLUSTER_BLOCK_COPROCESSOR, block.settings);
    return block;
}

/* Returns whether each lane has the block. A cluster has one of each other block. */
static bool is_of_lane(enum cluster_block slot) {
    return slot == CLUSTER_BLOCK_ADDRESS;
}

/* Returns whether a slot is an ordinary block. The tables of descriptors, stacks and HARP and what consists
 * of other blocks are added elsewhere. With simt.multi_issue or an engine that forms warps, the pipeline's
 * blocks are those of the machine without, which Verilog cannot replace there; add_choice() and add_engine()
 * add the rest. */
static bool is_block(const struct machine_config *config, enum cluster_block slot, bool full) {
    const struct divergence_engine *engine = divergence_engines[config->simt.divergence];
    struct machine_config c = *config;
    c.simt.multi_issue = MULTI_ISSUE_OFF;
    if (engine->regroups && slot < CLUSTER_BLOCK_COALESCER) c.simt.divergence = DIVERGENCE_sbr;
    if (engine->regroups && !engine->picks && slot == CLUSTER_BLOCK_SCHEDULER) return false;
    return !twin_block_absent(&c, slot) && !twin_block_is_shared(slot) && slot != CLUSTER_BLOCK_DESCRIPTORS &&
           slot != CLUSTER_BLOCK_STACK && slot != CLUSTER_BLOCK_COPROCESSOR &&
           slot != CLUSTER_BLOCK_SECOND_LEVEL && slot != CLUSTER_BLOCK_HARP &&
           (slot != CLUSTER_BLOCK_MEETINGS || full);
}

/* Returns the number of instructions in the lanes at a time. Each has a dispatcher of its rounds. */
static unsigned in_lanes(const struct machine_config *c) {
    return c->simt.multi_issue == MULTI_ISSUE_WARPS ? c->simt.issue_width : 1;
}

/* Adds the choice of collected instructions that start in the lanes: issue_select, whose
 * window has a slot for each collector. */
static bool add_choice(struct area_building *b, struct error *e) {
    const struct machine_config *c = b->config;
    struct area_block block = {.module = "issue_select",
                               .group = "co-processor",
                               .name = "choice of collectors",
                               .count = c->cluster.count};
    if (in_lanes(c) == 1) return true;
    area_set(&block, "WINDOW", c->simt.collectors);
    area_set(&block, "ISSUE_WIDTH", c->simt.issue_width);
    area_set(&block, "INTEGER_UNITS", c->core.integer_units);
    area_set(&block, "VFP_UNITS", c->core.vfp_units);
    return area_add_block(b, &block, e);
}

/* Adds the blocks of an engine, other than stacks, that are larger than their Verilog, without an area. */
static void add_large(struct area_building *b) {
    for (enum cluster_block slot = CLUSTER_BLOCK_STACK + 1; slot < CLUSTER_BLOCK_HARP; slot++)
        if (slot != CLUSTER_BLOCK_SECOND_LEVEL && twin_block_too_large(b->config, slot))
            area_add_unknown(b->area, "co-processor", twin_block_of(b->config, slot)->name,
                             b->config->cluster.count, AREA_TOO_LARGE);
}

static bool add_slots(struct area_building *b, bool of_lane, struct error *e) {
    const struct machine_config *c = b->config;
    const unsigned count = c->cluster.count * (of_lane ? c->cluster.lanes : 1);
    for (enum cluster_block slot = 0; slot < CLUSTER_BLOCK_COUNT; slot++) {
        if (!is_block(c, slot, b->options->effort == SYNTHESIS_FULL) || is_of_lane(slot) != of_lane) continue;
        struct area_block block =
            block_of(b, twin_block_of(c, slot)->module, of_lane ? "lane" : "co-processor", count);
        if (slot > CLUSTER_BLOCK_STACK && slot <= CLUSTER_BLOCK_HARP) {
            block.name = twin_block_of(c, slot)->name;
            block.setting_count = twin_places_settings(b->machine, slot, block.settings);
        }
        if (slot == CLUSTER_BLOCK_ARBITER) block.cycles = c->simt.arbitrate_cycles;
        if (slot == CLUSTER_BLOCK_DISPATCHER) block.count *= in_lanes(c);
        if (!area_add_block(b, &block, e)) return false;
    }
    return true;
}

/* Returns whether the warps of a co-processor have re-convergence stacks. */
static bool has_stacks(const struct area_building *b) {
    const enum divergence_kind d = (enum divergence_kind)b->config->simt.divergence;
    return d == DIVERGENCE_sbr || d == DIVERGENCE_oracle || d == DIVERGENCE_lwm;
}

static bool add_stacks(struct area_building *b, struct error *e) {
    struct area_block block = {.module = "re_convergence_stack",
                               .group = "co-processor",
                               .name = "re_convergence_stack",
                               .count = b->config->cluster.count};
    const unsigned threads = area_stack_threads(b->config),
                   warps = (b->config->cluster.lanes * b->config->cluster.threads_per_lane + threads - 1) /
                           threads;
    const char *large = twin_block_too_large(b->config, CLUSTER_BLOCK_STACK);
    if (!has_stacks(b)) return true;
    if (!large && b->options->effort == SYNTHESIS_FULL) {
        block.setting_count = twin_places_settings(b->machine, CLUSTER_BLOCK_STACK, block.settings);
        return area_add_table(b, &block, "its rows", warps, e);
    }
    area_add_unknown(b->area, block.group, block.name, block.count,
                     large ? AREA_TOO_LARGE : AREA_WITH_FULL_EFFORT);
    area_add_stack_rows(b, block.group, block.count, warps, threads);
    return true;
}

/* Adds the tables of an engine that forms warps. */
static void add_engine(struct area_building *b) {
    const struct machine_config *c = b->config;
    const unsigned threads = c->cluster.lanes * c->cluster.threads_per_lane;
    const bool narrow = divergence_engines[c->simt.divergence]->as_wide_as_lanes;
    const unsigned width = narrow ? c->cluster.lanes : c->simt.warp_size;
    const struct area_engine e = {.group = "co-processor",
                                  .count = c->cluster.count,
                                  .threads = threads,
                                  .lanes = width,
                                  .rows = threads / width,
                                  .groups = 1};
    area_add_engine(b, &e);
}

/* Adds units besides those of the published core and, for Advanced SIMD, registers D16 to D31. Their rows of
 * threads are in the TPM. */
static void add_units(struct area_building *b, unsigned lanes) {
    enum { WORD_BITS = 32 };
    const struct area_units u = area_units_of(b->config);
    const struct area_published *const units[] = {&area_integer_unit, &area_vfp_unit, &area_simd_lane};
    const unsigned counts[] = {u.integer * lanes, u.vfp * lanes, u.simd_lanes * lanes};
    for (unsigned n = 0; n < sizeof counts / sizeof *counts; n++)
        area_add_published(b->area, "lane", units[n]->name, counts[n], units[n]->mm2, units[n]->source);
    if (u.simd_lanes)
        area_add_rows(b, "lane", "registers D16-D31", lanes, ARM_NEON_REGISTERS - ARM_REGISTERS, WORD_BITS);
}

/* Adds the co-processor's registers that are in no block. */
static void add_front_end(struct area_building *b) {
    const struct machine_config *c = b->config;
    const unsigned warps = cluster_of(b)->warps, warp_bits = warps > 1 ? (unsigned)ceil(log2(warps)) : 1,
                   bits = 32 + 4 * (warp_bits + 1) +
                          (c->simt.queue_entries + c->simt.collectors) * (warp_bits + 1) + 2 * warps;
    struct area_part *p = area_add(b->area, AREA_TABLE, "co-processor", "front end", c->cluster.count);
    area_say(p, "%u bits between the stages", bits);
    p->mm2 = p->flip_flops_mm2 = technology_40nm_mm2(bits * b->bit_nand2);
}

/* Adds a TLB: bits of a page's number are searched; frame and permissions are not. Entries are taken to
 * include the state of lru, as in cache_memory.h. */
static void add_tlb(struct area_building *b, const char *name, unsigned entries, unsigned count) {
    enum { PAGE_BITS = 20, ENTRY_BITS = 2 * PAGE_BITS + 4 };
    area_add_searched(b, "lane", name, count, entries, ENTRY_BITS, PAGE_BITS);
    struct area_part *p = &b->area->parts[b->area->part_count - 1];
    const double bits = (double)replacement_bits(b->config->mem.tlb_replacement, 1, entries) -
                        (double)replacement_bits(REPLACEMENT_lru, 1, entries);
    p->mm2 += technology_40nm_mm2(bits * b->bit_nand2);
    p->flip_flops_mm2 = p->mm2;
}

/* Adds a block of each core: what predicts by the branch counters and the branch target buffer, which are
 * memories; what selects the instructions of the window; the load-store queue of a core out of order. */
static bool add_block(struct area_building *b, enum cluster_block slot, unsigned lanes, struct error *e) {
    struct area_block block = {
        .module = twin_block[slot].module, .group = "lane", .name = twin_block[slot].module, .count = lanes};
    block.setting_count = twin_places_settings(b->machine, slot, block.settings);
    return twin_block_absent(b->config, slot) || area_add_block(b, &block, e);
}

/* Adds the load-store queue: out of order a block with the data of stores beside it, in order entries of an
 * address, which is searched, and data. */
static bool add_queue(struct area_building *b, unsigned lanes, struct error *e) {
    enum { WORD_BITS = 32 };
    const unsigned entries = b->config->core.lsq;
    if (twin_block_absent(b->config, CLUSTER_BLOCK_QUEUE)) {
        area_add_searched(b, "lane", "load-store queue", lanes, entries, 2 * WORD_BITS, WORD_BITS - 2);
        return true;
    }
    area_add_rows(b, "lane", "store data", lanes, entries, WORD_BITS);
    return add_block(b, CLUSTER_BLOCK_QUEUE, lanes, e);
}

/* Adds the parts of superscalar cores. A window entry has the decoded instruction, its result and the
 * numbers of the two instructions that it waits for, which are searched. */
static bool add_superscalar(struct area_building *b, unsigned lanes, struct error *e) {
    enum { INSTRUCTION_BITS = 32, WORD_BITS = 32, NUMBER_BITS = 7, COUNTERS_OF_WORD = 4 };
    const struct machine_config *c = b->config;
    if (!core_kinds[c->core.kind]->superscalar) return true;
    if (!add_block(b, CLUSTER_BLOCK_PREDICTOR, lanes, e) || !add_block(b, CLUSTER_BLOCK_SELECT, lanes, e))
        return false;
    area_add_words(b->area, "lane", "branch counters", lanes,
                   (c->core.predictor_counters + COUNTERS_OF_WORD - 1) / COUNTERS_OF_WORD,
                   2 * COUNTERS_OF_WORD, 2);
    if (c->core.btb_entries)
        area_add_words(b->area, "lane", "branch target buffer", lanes, c->core.btb_entries, area_btb_bits(c),
                       2);
    area_add_rows(b, "lane", "fetch queue", lanes, c->core.fetch_queue, INSTRUCTION_BITS);
    if (core_kinds[c->core.kind]->window)
        area_add_searched(b, "lane", "window", lanes, c->core.window,
                          INSTRUCTION_BITS + WORD_BITS + 3 * NUMBER_BITS, 2 * NUMBER_BITS);
    return add_queue(b, lanes, e);
}

unsigned area_btb_bits(const struct machine_config *c) {
    return 2 * 30 - (unsigned)__builtin_ctz(c->core.btb_entries);
}

static bool add_parts(struct area_building *b, struct error *e) {
    const struct machine_config *c = b->config;
    const unsigned clusters = c->cluster.count, lanes = clusters * c->cluster.lanes;
    if (!add_slots(b, false, e) || !add_choice(b, e)) return false;
    const struct area_block table = block_of(b, "thread_descriptor_table", "co-processor", clusters);
    if (!area_add_table(b, &table, "thread descriptors", cluster_of(b)->warps, e)) return false;
    if (!add_stacks(b, e)) return false;
    add_large(b);
    add_engine(b);
    add_front_end(b);
    if (c->uniform.storage == UNIFORM_SRF)
        area_add_words(b->area, "co-processor", "scalar registers", clusters, c->uniform.srf_registers, 32,
                       3);
    area_add_published(b->area, "lane", "core", lanes, area_lane.mm2, area_lane.name);
    add_units(b, lanes);
    if (!add_slots(b, true, e)) return false;
    area_add_cache(b->area, "lane", "L1I", &c->l1i, lanes);
    area_add_cache(b->area, "lane", "L1D, the TPM", &c->l1d, lanes);
    area_add_cache(b->area, "lane", "L2", &c->l2, lanes);
    add_tlb(b, "instruction TLB", c->mem.itlb_entries, lanes);
    add_tlb(b, "data TLB", c->mem.dtlb_entries, lanes);
    return add_superscalar(b, lanes, e);
}

/* --- the stages of the co-processor --- */

static double fo4_of_ns(double ns) {
    return ns / (TECHNOLOGY_40NM_FO4_PS * 1e-3);
}

/* Returns whether a stage reads a row of the descriptors. */
static bool reads_row(enum synthesis_stage s) {
    return s == STAGE_ARBITRATE || s == STAGE_EXECUTE || s == STAGE_COMMIT;
}

static bool time_stages(struct area_building *b, struct error *e) {
    struct area *a = b->area;
    const unsigned warps = cluster_of(b)->warps;
    const double levels = log2(warps);
    struct area_block block = block_of(b, "simt_coprocessor", "co-processor", 1);
    a->stage_warps = warps < 2 ? 1 : 2;
    area_set(&block, "WARPS", a->stage_warps);
    if (cluster_of(b)->blocks.scheduler.cfg.active_warps > a->stage_warps)
        area_set(&block, "ACTIVE", a->stage_warps);
    if (!area_synthesise(b, &block, true, true, &a->coprocessor, e)) return false;
    const double synthesised = a->stage_warps == 2 ? 1 : 0,
                 access = fo4_of_ns(sram_memory(warps, AREA_SLICE_BITS, 2).ns);
    for (enum synthesis_stage s = 0; s < STAGE_COUNT; s++) {
        const bool forms = divergence_engines[b->config->simt.divergence]->regroups;
        if (s == STAGE_ARBITRATE && (has_stacks(b) || forms)) { /* A reads this in place of the arbiter */
            a->coprocessor.stage_fo4[s] = 0;
            strcpy(a->coprocessor.stage_from[s], forms ? "warps of the engine" : "rows of stacks");
            strcpy(a->coprocessor.stage_to[s], "participating");
        }
        const double at_two = a->coprocessor.stage_fo4[s];
        a->stage_fo4[s][0] = at_two + (reads_row(s) ? ceil(levels - synthesised) * AREA_MULTIPLEXER_FO4 : 0);
        a->stage_fo4[s][1] = at_two + (reads_row(s) ? access - synthesised * AREA_MULTIPLEXER_FO4 : 0);
    }
    return true;
}

bool area_add_tpm(struct area_building *b, struct error *e) {
    return add_parts(b, e) && (b->options->no_period || time_stages(b, e));
}
