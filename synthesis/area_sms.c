/* Parts of a GPU-like machine: its SMs, and what lies behind the crossbar. */
#include "synthesis/area_parts.h"

#include "model/config/lanes_config.h"
#include "model/divergence/dynamic_warp_formation.h"
#include "model/sm/sm_ldst.h"
#include "model/sm/sm_parts.h"
#include "synthesis/sm_memories.h"
#include "tb/gpu_place.h"

#include <math.h>
#include <string.h>

static unsigned bits_of(unsigned values) {
    return values > 1 ? (unsigned)ceil(log2(values)) : 1;
}

/* --- blocks of Verilog --- */

/* Of a machine: what rows of the table below are made from. */
struct sm_machine {
    const struct machine_config *config;
    const struct sm *sm;
    struct gpu_place scheduler, channel; /* the first of each */
    bool full;                           /* what takes hours is synthesised, too */
    unsigned schedulers, senders, units; /* in the whole machine; a sender accesses memory for lanes */
};

static struct gpu_place first_channel(struct machine *m) {
    unsigned n = 0;
    while (!gpu_place_of(m, n).channel) n++;
    return gpu_place_of(m, n);
}

static struct sm_machine machine_of(const struct area_building *b) {
    const struct machine_config *c = b->config;
    struct sm_machine m = {.config = c,
                           .full = b->options->effort == SYNTHESIS_FULL,
                           .sm = &machine_sms(b->machine)->sm[0],
                           .scheduler = gpu_place_of(b->machine, 0),
                           .channel = first_channel(b->machine)};
    m.schedulers = c->cluster.count * c->cluster.schedulers;
    m.senders = c->cluster.count * m.sm->ldst->senders;
    m.units = c->cluster.count * m.sm->units;
    return m;
}

/* A block that some machines have. */
struct sm_block {
    const char *module, *name; /* name NULL: as the module */
    const char *group;
    unsigned (*number)(const struct sm_machine *m);                    /* in the whole machine; 0: none */
    void (*set)(const struct sm_machine *m, struct area_block *block); /* its parameters; NULL: a slot's */
    unsigned (*row_bits)(
        const struct sm_machine *m); /* it has a row of flip-flops for each warp; NULL: not */
};

/* A slot's parameters are those of its twin. */
static void set_place(const struct gpu_place *p, struct area_block *block) {
    block->setting_count = gpu_place_settings(p, twin_block_called(block->module)->slot, block->settings);
}

static bool has(const struct sm_machine *m, enum cluster_block slot) {
    return !twin_block_absent(m->config, slot) && gpu_place_model(&m->scheduler, slot);
}

static unsigned of_sms(const struct sm_machine *m) {
    return m->config->cluster.count;
}

static unsigned of_scheduler(const struct sm_machine *m) {
    return has(m, CLUSTER_BLOCK_SCHEDULER) ? m->schedulers : 0;
}

static unsigned of_scoreboard(const struct sm_machine *m) {
    return has(m, CLUSTER_BLOCK_SCOREBOARD) ? m->schedulers : 0;
}

static unsigned of_coalescer(const struct sm_machine *m) {
    return m->senders;
}

static unsigned of_resolver(const struct sm_machine *m) {
    return has(m, CLUSTER_BLOCK_RESOLVER) ? m->senders : 0;
}

static unsigned of_misses(const struct sm_machine *m) {
    return has(m, CLUSTER_BLOCK_MISSES) ? of_sms(m) : 0;
}

static unsigned of_lanes(const struct sm_machine *m) {
    return m->config->lanes.kind == LANES_SPATIAL ? 0 : of_sms(m);
}

static unsigned of_rounds(const struct sm_machine *m) {
    return machine_compacts(m->config) ? m->units : 0;
}

static unsigned of_tokens(const struct sm_machine *m) {
    return has(m, CLUSTER_BLOCK_TOKENS) ? of_sms(m) : 0;
}

static unsigned of_rename(const struct sm_machine *m) {
    return has(m, CLUSTER_BLOCK_RENAME) ? of_sms(m) : 0;
}

static unsigned of_reuse(const struct sm_machine *m) {
    return has(m, CLUSTER_BLOCK_REUSE) ? of_sms(m) : 0;
}

static unsigned of_stack(const struct sm_machine *m) {
    const uint32_t d = m->config->simt.divergence;
    return d == DIVERGENCE_SBR || d == DIVERGENCE_ORACLE || d == DIVERGENCE_LWM ? of_sms(m) : 0;
}

static unsigned of_packer(const struct sm_machine *m) {
    return m->config->simt.divergence == DIVERGENCE_LWM ? m->schedulers : 0;
}

/* Threads of a warp, and sets of a table, that Verilog can have: of more there is no area. */
#define MOST_THREADS 64
#define MOST_SETS    64

static bool is_too_large(const struct area_block *b) {
    return area_get(b, "WARP_SIZE") > MOST_THREADS ||
           area_get(b, "LANES") * area_get(b, "ROWS") > MOST_THREADS || area_get(b, "SETS") > MOST_SETS;
}

static unsigned of_formation(const struct sm_machine *m) {
    return m->config->simt.divergence == DIVERGENCE_DWF ? m->schedulers : 0;
}

static unsigned of_lookup(const struct sm_machine *m) {
    return m->config->simt.divergence == DIVERGENCE_HARP ? m->schedulers : 0;
}

/* Without --effort full it is published: add_barriers(). */
static unsigned of_meetings(const struct sm_machine *m) {
    return m->full ? of_lookup(m) : 0;
}

static unsigned of_scalar_units(const struct sm_machine *m) {
    return m->config->scalar.mode == SCALAR_OFF ? 0 : of_sms(m) * m->config->scalar.units;
}

static unsigned of_channels(const struct sm_machine *m) {
    return m->config->dram.channels;
}

static void set_lanes(const struct sm_machine *m, struct area_block *b) {
    const struct machine_config *c = m->config;
    area_set(b, "WARPS", m->sm->warps);
    area_set(b, "LANES", c->cluster.lanes);
    area_set(b, "LANE_GROUPS", machine_lane_groups(c));
    area_set(b, "BOUND", c->lanes.bound);
    area_set(b, "BANKS", c->local.banks);
}

static void set_rounds(const struct sm_machine *m, struct area_block *b) {
    area_set(b, "WARP_SIZE", m->sm->positions);
    area_set(b, "LANES", sm_row_registers(m->config));
}

/* Threads of a warp that has a stack. */
static unsigned stack_threads(const struct machine_config *c) {
    return c->simt.divergence == DIVERGENCE_LWM ? c->lwm.threads : c->simt.warp_size;
}

static void set_stack(const struct sm_machine *m, struct area_block *b) {
    area_set(b, "WARPS", m->config->cluster.threads / stack_threads(m->config));
    area_set(b, "WARP_SIZE", stack_threads(m->config));
    area_set(b, "CALLS", m->config->simt.stack_calls);
}

/* An entry is PC, RPC, mask and whether it is a call's. */
static unsigned stack_bits(const struct sm_machine *m) {
    const unsigned threads = stack_threads(m->config), entries = 2 * threads + m->config->simt.stack_calls;
    return entries * (2 * 32 + threads + 1) + bits_of(entries + 1);
}

static void set_packer(const struct sm_machine *m, struct area_block *b) {
    area_set(b, "LANES", m->config->cluster.lanes);
    area_set(b, "ROWS", m->config->lwm.threads / m->config->cluster.lanes);
}

/* Rows of the register file of a scheduler. */
static unsigned rows_of(const struct machine_config *c) {
    return c->cluster.threads / c->cluster.schedulers / c->cluster.lanes;
}

static void set_lookup(const struct sm_machine *m, struct area_block *b, unsigned slots, unsigned renews) {
    area_set(b, "LANES", m->config->cluster.lanes);
    area_set(b, "SLOTS", slots);
    area_set(b, "GROUPS", m->sm->groups);
    area_set(b, "REGISTER_ROWS", rows_of(m->config));
    area_set(b, "RENEWS", renews);
}

static void set_ready_lookup(const struct sm_machine *m, struct area_block *b) {
    set_lookup(m, b, m->config->harp.ready_lookup, 1);
}

static void set_waiting_lookup(const struct sm_machine *m, struct area_block *b) {
    set_lookup(m, b, m->config->harp.waiting_lookup, 0);
}

static void set_formation(const struct sm_machine *m, struct area_block *b) {
    area_set(b, "SETS", m->config->dwf.lut_entries / WARP_FORMATION_WAYS);
    area_set(b, "WARP_SIZE", m->sm->positions);
    area_set(b, "POOL", m->config->cluster.threads / m->config->cluster.schedulers);
    area_set(b, "GROUPS", m->sm->groups);
}

static void set_scalar(const struct sm_machine *m, struct area_block *b) {
    const struct machine_config *c = m->config;
    area_set(b, "THREADS", (m->sm->groups + c->scalar.units - 1) / c->scalar.units);
    area_set(b, "DIVISOR", c->scalar.clock_divisor);
}

static void set_channel(const struct sm_machine *m, struct area_block *b) {
    set_place(&m->channel, b);
    b->clock_mhz = m->config->dram.clock_mhz;
}

/* Every block of rtl/ that a GPU-like machine can have: a new one is a row here. */
static const struct sm_block blocks[] = {
    {"warp_scheduler", NULL, "SM", of_scheduler, NULL, NULL},
    {"scoreboard", NULL, "SM", of_scoreboard, NULL, NULL},
    {"lane_scheduler", NULL, "SM", of_lanes, set_lanes, NULL},
    {"round_compactor", NULL, "SM", of_rounds, set_rounds, NULL},
    {"barrier_table", NULL, "SM", of_sms, NULL, NULL},
    {"re_convergence_stack", NULL, "SM", of_stack, set_stack, stack_bits},
    {"subwarp_packer", NULL, "SM", of_packer, set_packer, NULL},
    {"warp_lookup", "Ready-Lookup", "SM", of_lookup, set_ready_lookup, NULL},
    {"warp_lookup", "Waiting-Lookup", "SM", of_lookup, set_waiting_lookup, NULL},
    {"re_convergence_barriers", NULL, "SM", of_meetings, NULL, NULL},
    {"warp_formation_table", NULL, "SM", of_formation, set_formation, NULL},
    {"token_file", NULL, "SM", of_tokens, NULL, NULL},
    {"srf_rename", NULL, "SM", of_rename, NULL, NULL},
    {"instruction_reuse_buffer", NULL, "SM", of_reuse, NULL, NULL},
    {"coalescer", NULL, "SM", of_coalescer, NULL, NULL},
    {"bank_conflict_resolver", NULL, "SM", of_resolver, NULL, NULL},
    {"miss_registers", NULL, "SM", of_misses, NULL, NULL},
    {"local_memory_arbiter", NULL, "SM", of_lanes, set_lanes, NULL},
    {"scalar_scheduler", NULL, "SM", of_scalar_units, set_scalar, NULL},
    {"dram_scheduler", NULL, "channel", of_channels, set_channel, NULL},
};

bool area_has_sm_block(const char *module) {
    for (size_t n = 0; n < sizeof blocks / sizeof *blocks; n++)
        if (strcmp(blocks[n].module, module) == 0) return true;
    return false;
}

static bool add_block(struct area_building *b, const struct sm_machine *m, const struct sm_block *row,
                      struct error *e) {
    struct area_block block = {.module = row->module, .group = row->group};
    block.count = row->number(m);
    if (!block.count) return true;
    if (row->number == of_scheduler) /* its rivals have its ports */
        block.module = twin_block_of(m->config, CLUSTER_BLOCK_SCHEDULER)->module;
    block.name = row->name ? row->name : block.module;
    if (row->set)
        row->set(m, &block);
    else
        set_place(&m->scheduler, &block);
    const bool too_large = row->set && is_too_large(&block); /* else a twin has it */
    if (!row->row_bits && !too_large) return area_add_block(b, &block, e);
    const unsigned rows = area_get(&block, "WARPS");
    char contents[48];
    snprintf(contents, sizeof contents, "its %u rows", rows);
    if (b->options->effort == SYNTHESIS_FULL && !too_large)
        return area_add_table(b, &block, contents, rows, e);
    area_add_unknown(b->area, block.group, block.name, block.count,
                     too_large ? "larger than its Verilog can be" : "logic: with --effort full");
    if (row->row_bits) area_add_rows(b, block.group, contents, block.count, rows, row->row_bits(m));
    return true;
}

static bool add_blocks(struct area_building *b, const struct sm_machine *m, const char *group,
                       struct error *e) {
    for (size_t n = 0; n < sizeof blocks / sizeof *blocks; n++)
        if (strcmp(blocks[n].group, group) == 0 && !add_block(b, m, &blocks[n], e)) return false;
    return true;
}

/* --- memories and what is published --- */

static void add_published(struct area *a, const char *group, const char *name, unsigned count, double mm2,
                          const char *what) {
    struct area_part *p = area_add(a, AREA_PUBLISHED, group, name, count);
    area_say(p, "%s", what);
    p->mm2 = p->flip_flops_mm2 = mm2;
}

static void add_crossbar(struct area *a, const char *group, const char *name, unsigned count, unsigned in,
                         unsigned out, unsigned bits) {
    char what[96];
    snprintf(what, sizeof what, "%u x %u of %u bits", in, out, bits);
    add_published(a, group, name, count, area_crossbar.mm2 * in * bits / 256.0 * out * bits / 256.0, what);
}

static void add_bank(struct area *a, const char *name, unsigned sms, struct sm_memory m) {
    area_add_words(a, "SM", name, sms * m.count, m.words, m.bits, m.ports);
}

/* Registers, and the crossbar that each lane has between its banks and its collectors. */
static void add_registers(struct area *a, const struct machine_config *c) {
    const unsigned sms = c->cluster.count;
    add_bank(a, "register bank (VRF)", sms, sm_register_bank(c));
    if (c->vrf.banks)
        add_crossbar(a, "SM", "register crossbar", sms * c->cluster.lanes, c->vrf.banks, c->vrf.banks, 32);
    add_bank(a, "operand collector", sms, sm_operand_collector(c));
    if (c->uniform.storage == UNIFORM_SRF)
        area_add_words(a, "SM", "scalar registers", sms, c->uniform.srf_registers, 32, 3);
    if (c->lanes.scalar_unit)
        area_add_words(a, "SM", "scalar registers", sms, c->lanes.scalar_registers, 32, 3);
    if (c->scalar.mode != SCALAR_OFF)
        area_add_words(a, "SM", "registers of scalar units", sms, c->scalar.registers, 32, 3);
}

/* HARP's barriers are searched: CACTI has no such memories, and the Verilog is synthesised with --effort full
 * only, but the paper says what its own take. */
static void add_barriers(struct area *a, const struct sm_machine *m, unsigned bits) {
    static const double paper_mm2 = 0.017 + 0.058 + 0.010 + 0.010, paper_bits = 128 * (16 * (6 + 1) + 1 + 32);
    const unsigned barriers = m->config->harp.barriers;
    char what[96];
    snprintf(what, sizeof what, "%u of %u bits; harp Table 7, by bits", barriers, bits);
    add_published(a, "SM", "re-convergence barriers", m->schedulers, paper_mm2 * barriers * bits / paper_bits,
                  what);
}

/* Of engines that regroup threads: tables of warps, a PC and a row for each lane. */
static void add_regrouping(struct area_building *b, const struct sm_machine *m) {
    const struct machine_config *c = b->config;
    const unsigned row = bits_of(rows_of(c)),
                   warp = 32 + c->cluster.lanes * (row + 1) + bits_of(m->sm->groups),
                   threads = c->cluster.threads / c->cluster.schedulers;
    struct area *a = b->area;
    if (c->simt.divergence == DIVERGENCE_HARP) {
        area_add_words(a, "SM", "Second-Level", m->schedulers, c->harp.second_level, warp, 1);
        area_add_words(a, "SM", "First-Level", m->schedulers, c->harp.first_level, warp, 2);
        if (!m->full) add_barriers(a, m, warp + c->cluster.lanes);
    }
    if (c->simt.divergence == DIVERGENCE_DWF) {
        area_add_words(a, "SM", "pool of warps", m->schedulers, threads, warp, 2);
    }
}

static void add_memories(struct area_building *b, const struct sm_machine *m) {
    const struct machine_config *c = b->config;
    const unsigned sms = c->cluster.count, lanes = sms * c->cluster.sp_groups * c->cluster.lanes;
    struct area *a = b->area;
    add_published(a, "SM", "lane", lanes, area_lane.mm2, area_lane.name);
    if (c->scalar.mode != SCALAR_OFF)
        add_published(a, "SM", "scalar unit", of_scalar_units(m), area_lane.mm2, area_lane.name);
    add_registers(a, c);
    add_regrouping(b, m);
    area_add_cache(a, "SM", "L1I", &c->l1i, sms);
    area_add_cache(a, "SM", "L1D", &c->l1d, sms);
    area_add_cache(a, "SM", "constants", &c->constant, sms);
    add_bank(a, "local memory", sms, sm_local_bank(c));
    add_crossbar(a, "SM", "local memory's crossbar", sms, c->cluster.ldst_lanes, c->local.banks, 32);
}

/* What no source tells: named, so that nobody takes the sum for the whole. */
static void add_unknown(struct area_building *b, const struct sm_machine *m) {
    const struct machine_config *c = b->config;
    area_add_unknown(b->area, "SM", "fetch and decoding", c->cluster.count, "instruction buffers, decoders");
    area_add_unknown(b->area, "SM", "load-store unit", m->senders, "addresses and data in flight");
    if (c->cluster.sfu_lanes)
        area_add_unknown(b->area, "SM", "special function lane", c->cluster.count * c->cluster.sfu_lanes,
                         "divisions and roots");
}

bool area_add_sms(struct area_building *b, struct error *e) {
    const struct machine_config *c = b->config;
    const struct sm_machine m = machine_of(b);
    if (!add_blocks(b, &m, "SM", e)) return false;
    add_memories(b, &m);
    add_unknown(b, &m);
    if (!add_blocks(b, &m, "channel", e)) return false;
    area_add_cache(b->area, "channel", "L2", &c->l2, c->dram.channels);
    area_add_unknown(b->area, "channel", "DRAM interface", c->dram.channels, "drivers and pads");
    const unsigned ports = (c->cluster.count + c->icnt.share - 1) / c->icnt.share;
    add_crossbar(b->area, "crossbar", "requests", 1, ports, c->dram.channels, 8 * c->icnt.flit_bytes);
    add_crossbar(b->area, "crossbar", "replies", 1, c->dram.channels, ports, 8 * c->icnt.flit_bytes);
    return true;
}
