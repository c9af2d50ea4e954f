#include "synthesis/area.h"

#include "model/machine/machine.h"
#include "tb/twin_block.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 0.45 mm² at 28 nm × (40/28)², less two caches of 32 KB of ours, which it is taken to include. */
const struct area_published area_lane = {
    "Cortex-A7", "Cortex-A7: 0.45 mm2 at 28 nm (ARM, B. Jeff, 2011), scaled by (40/28)^2, less its L1 caches",
    0.576};

static struct area_part *add(struct area *a, enum area_kind kind, const char *group, const char *name,
                             unsigned count) {
    a->parts = realloc(a->parts, (a->part_count + 1) * sizeof *a->parts);
    require_memory(a->parts);
    struct area_part *p = &a->parts[a->part_count++];
    *p = (struct area_part){.kind = kind, .count = count};
    snprintf(p->group, sizeof p->group, "%s", group);
    snprintf(p->name, sizeof p->name, "%s", name);
    return p;
}

static void say(struct area_part *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(struct area_part *p, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(p->what, sizeof p->what, format, arguments);
    va_end(arguments);
}

/* --- memories --- */

static void set_memory(struct area_part *p, struct sram s) {
    p->mm2 = p->flip_flops_mm2 = s.mm2;
    p->ns = s.ns;
    p->leakage_mw = s.leakage_mw;
}

static void add_cache(struct area *a, const char *name, const struct machine_cache_config *c,
                      unsigned count) {
    struct area_part *p = add(a, AREA_MEMORY, "lane", name, count);
    say(p, "%u bytes, %u ways, lines of %u", c->size_bytes, c->ways, c->line_bytes);
    set_memory(p, sram_cache(c->size_bytes, c->ways, c->line_bytes));
}

/* Bits of a page's number are searched; frame and permissions stand beside them. */
static void add_tlb(struct area *a, const char *name, unsigned entries, unsigned count, double bit_nand2) {
    enum { PAGE_BITS = 20, ENTRY_BITS = 2 * PAGE_BITS + 4 };
    struct area_part *p = add(a, AREA_SEARCHED, "lane", name, count);
    say(p, "%u entries of %d bits, %d searched", entries, ENTRY_BITS, PAGE_BITS);
    p->mm2 = p->flip_flops_mm2 =
        technology_40nm_mm2(entries * (ENTRY_BITS * bit_nand2 + PAGE_BITS * AREA_MATCH_NAND2));
}

/* --- blocks --- */

struct building {
    struct area *area;
    const struct area_options *options;
    const struct machine_config *config;
    struct cluster *cluster;
    struct verilog_setting settings[VERILOG_MAX_PARAMETERS];
    unsigned setting_count;
};

static bool synthesise(struct building *b, const char *module, unsigned warps, bool large, bool stages,
                       struct netlist_result *result, struct error *e) {
    struct verilog_setting settings[VERILOG_MAX_PARAMETERS];
    memcpy(settings, b->settings, sizeof settings);
    for (unsigned n = 0; warps && n < b->setting_count; n++) {
        if (strcmp(settings[n].name, "WARPS") == 0) settings[n].value = warps;
        if (strcmp(settings[n].name, "ACTIVE") == 0 && settings[n].value > warps) settings[n].value = warps;
    }
    const struct netlist_request r = {.folder = b->options->rtl,
                                      .top = module,
                                      .settings = settings,
                                      .count = b->setting_count,
                                      .stages = stages,
                                      .large = large,
                                      .effort = b->options->effort};
    return netlist_make(&r, &b->area->technology, b->options->on_run, result, e);
}

bool area_block_is_large(const char *module) {
    return strcmp(module, "srf_rename") == 0;
}

static bool add_block(struct building *b, const char *module, const char *group, unsigned count,
                      struct error *e) {
    struct area_part *p = add(b->area, AREA_BLOCK, group, module, count);
    if (!synthesise(b, module, 0, area_block_is_large(module), false, &p->netlist, e)) return false;
    say(p, "%s", p->netlist.parameters);
    p->mm2 = p->flip_flops_mm2 = technology_40nm_mm2(p->netlist.smallest.area_nand2);
    p->ns = technology_40nm_ns(p->netlist.fastest.delay_fo4);
    return true;
}

/* The descriptors: logic, and what is kept. *bit_nand2 becomes the area of a flip-flop. */
static bool add_descriptors(struct building *b, double *bit_nand2, struct error *e) {
    struct area *a = b->area;
    const unsigned warps = b->cluster->warps, clusters = b->config->cluster.count;
    struct area_part *logic = add(a, AREA_BLOCK, "co-processor", "thread_descriptor_table", clusters);
    if (!synthesise(b, "thread_descriptor_table", 1, true, false, &logic->netlist, e)) return false;
    const struct netlist *n = &logic->netlist.smallest;
    *bit_nand2 = n->flip_flop_nand2 / n->flip_flops;
    say(logic, "%s: without its flip-flops", logic->netlist.parameters);
    logic->mm2 = logic->flip_flops_mm2 = technology_40nm_mm2(n->area_nand2 - n->flip_flop_nand2);
    logic->ns = technology_40nm_ns(logic->netlist.fastest.delay_fo4);
    struct area_part *table = add(a, AREA_TABLE, "co-processor", "thread descriptors", clusters);
    const unsigned slices = (n->flip_flops + AREA_SLICE_BITS - 1) / AREA_SLICE_BITS;
    const struct sram slice = sram_memory(warps, AREA_SLICE_BITS, 2);
    say(table, "%u rows of %u bits", warps, n->flip_flops);
    table->mm2 = slices * slice.mm2;
    table->leakage_mw = slices * slice.leakage_mw;
    table->ns = slice.ns;
    table->flip_flops_mm2 = technology_40nm_mm2((double)warps * n->flip_flops * *bit_nand2);
    return true;
}

/* The co-processor's own registers: those in no block. */
static void add_front_end(struct building *b, double bit_nand2) {
    const struct machine_config *c = b->config;
    const unsigned warp_bits = b->cluster->warps > 1 ? (unsigned)ceil(log2(b->cluster->warps)) : 1;
    const unsigned bits = 32 + 4 * (warp_bits + 1) +
                          (c->simt.queue_entries + c->simt.collectors) * (warp_bits + 1) +
                          2 * b->cluster->warps;
    struct area_part *p = add(b->area, AREA_TABLE, "co-processor", "front end", c->cluster.count);
    say(p, "%u bits between the stages", bits);
    p->mm2 = p->flip_flops_mm2 = technology_40nm_mm2(bits * bit_nand2);
}

static const char *module_of(const struct cluster *c, enum cluster_block slot) {
    return twin_block_of(c->config, slot)->module;
}

static bool add_blocks(struct building *b, struct error *e) {
    const unsigned clusters = b->config->cluster.count, lanes = clusters * b->config->cluster.lanes;
    static const enum cluster_block slots[] = {
        CLUSTER_BLOCK_SCHEDULER, CLUSTER_BLOCK_ARBITER,   CLUSTER_BLOCK_DISPATCHER,
        CLUSTER_BLOCK_BARRIERS,  CLUSTER_BLOCK_COLLECTOR, CLUSTER_BLOCK_WRITEBACK,
        CLUSTER_BLOCK_TOKENS,    CLUSTER_BLOCK_RENAME,    CLUSTER_BLOCK_REUSE};
    for (size_t n = 0; n < sizeof slots / sizeof *slots; n++)
        if (!twin_block_absent(b->cluster->config, slots[n]) &&
            !add_block(b, module_of(b->cluster, slots[n]), "co-processor", clusters, e))
            return false;
    double bit_nand2;
    if (!add_descriptors(b, &bit_nand2, e)) return false;
    add_front_end(b, bit_nand2);
    if (b->config->uniform.storage == UNIFORM_SRF) {
        struct area_part *p = add(b->area, AREA_MEMORY, "co-processor", "scalar registers", clusters);
        say(p, "%u words of 32 bits, 3 ports", b->config->uniform.srf_registers);
        set_memory(p, sram_memory(b->config->uniform.srf_registers, 32, 3));
    }
    struct area_part *core = add(b->area, AREA_PUBLISHED, "lane", "core", lanes);
    say(core, "%s", area_lane.name);
    core->mm2 = core->flip_flops_mm2 = area_lane.mm2;
    if (!add_block(b, module_of(b->cluster, CLUSTER_BLOCK_ADDRESS), "lane", lanes, e)) return false;
    add_cache(b->area, "L1I", &b->config->l1i, lanes);
    add_cache(b->area, "L1D, the TPM", &b->config->l1d, lanes);
    add_cache(b->area, "L2", &b->config->l2, lanes);
    add_tlb(b->area, "instruction TLB", b->config->mem.itlb_entries, lanes, bit_nand2);
    add_tlb(b->area, "data TLB", b->config->mem.dtlb_entries, lanes, bit_nand2);
    return true;
}

/* --- the period --- */

static double fo4_of_ns(double ns) {
    return ns / (TECHNOLOGY_40NM_FO4_PS * 1e-3);
}

/* Stages that read a row of the descriptors. */
static bool reads_row(enum synthesis_stage s) {
    return s == STAGE_ARBITRATE || s == STAGE_EXECUTE || s == STAGE_COMMIT;
}

static bool time_stages(struct building *b, struct error *e) {
    struct area *a = b->area;
    const double levels = log2(b->cluster->warps);
    a->stage_warps = b->cluster->warps < 2 ? 1 : 2;
    if (!synthesise(b, "simt_coprocessor", a->stage_warps, true, true, &a->coprocessor, e)) return false;
    const double synthesised = a->stage_warps == 2 ? 1 : 0,
                 access = fo4_of_ns(sram_memory(b->cluster->warps, AREA_SLICE_BITS, 2).ns);
    for (enum synthesis_stage s = 0; s < STAGE_COUNT; s++) {
        const double at_two = a->coprocessor.stage_fo4[s];
        a->stage_fo4[s][0] = at_two + (reads_row(s) ? ceil(levels - synthesised) * AREA_MULTIPLEXER_FO4 : 0);
        a->stage_fo4[s][1] = at_two + (reads_row(s) ? access - synthesised * AREA_MULTIPLEXER_FO4 : 0);
    }
    return true;
}

double area_part_cycle_ns(const struct area *a, const struct area_part *p, const struct machine_config *c) {
    (void)a;
    if (p->kind != AREA_BLOCK) return 0;
    if (strstr(p->name, "arbiter")) return p->ns / c->simt.arbitrate_cycles;
    return p->ns;
}

static void slowest(struct area *a, double ns, const char *what) {
    if (ns <= a->period_ns) return;
    a->period_ns = ns;
    snprintf(a->period_of, sizeof a->period_of, "%s", what);
}

static void find_period(struct area *a, const struct machine_config *c) {
    for (enum synthesis_stage s = 0; s < STAGE_COUNT; s++) {
        char name[16];
        const double cycles = s == STAGE_ARBITRATE ? c->simt.arbitrate_cycles : 1;
        snprintf(name, sizeof name, "stage %s", synthesis_stage_name[s]);
        slowest(a, technology_40nm_ns(a->stage_fo4[s][1]) / cycles, name);
    }
    /* The table's own path is in the stages. */
    for (const struct area_part *p = a->parts; p < a->parts + a->part_count; p++)
        if (strcmp(p->name, "thread_descriptor_table") != 0) slowest(a, area_part_cycle_ns(a, p, c), p->name);
    a->clock_ns = 1e3 / c->clock_mhz;
}

bool area_of(struct area *a, const struct machine_config *c, const struct area_options *o, struct error *e) {
    *a = (struct area){0};
    if (!machine_config_is_base(c, "lockstep area", e)) return false;
    if (!technology_read(&a->technology, o->liberty, o->lef, e)) return false;
    struct machine *m = machine_create(c, e);
    if (!m) return false;
    struct building b = {.area = a, .options = o, .config = c, .cluster = machine_cluster(m, 0)};
    b.setting_count = twin_block_settings(b.cluster, b.settings);
    const bool good = add_blocks(&b, e) && (o->no_period || time_stages(&b, e));
    machine_destroy(m);
    if (!good) return false;
    for (const struct area_part *p = a->parts; p < a->parts + a->part_count; p++) {
        a->mm2 += p->count * p->mm2;
        a->flip_flops_mm2 += p->count * p->flip_flops_mm2;
    }
    if (!o->no_period) find_period(a, c);
    return true;
}

void area_free(struct area *a) {
    technology_free(&a->technology);
    free(a->parts);
    *a = (struct area){0};
}
