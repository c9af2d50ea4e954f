/* Parts of a GPU-like machine: its SMs, and the memory system behind the crossbar. */
#include "synthesis/area_parts.h"

#include "model/config/divergence_kind.h"
#include "model/config/lanes_config.h"
#include "model/config/own_fields.h"
#include "model/sm/sm_ldst.h"
#include "model/sm/sm_parts.h"
#include "synthesis/sm_memories.h"
#include "tb/twins/place.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- blocks of Verilog --- */

/* Sizes of a machine by which its parts are counted. */
struct sm_machine {
    const struct machine_config *config;
    const struct sm *sm;
    bool full;                    /* synthesises also what takes hours */
    unsigned schedulers, senders; /* numbers in the whole machine; a sender accesses memory for lanes */
};

static struct sm_machine machine_of(const struct area_building *b) {
    const struct machine_config *c = b->config;
    struct sm_machine m = {.config = c,
                           .full = b->options->effort == SYNTHESIS_FULL,
                           .sm = (struct sm *)machine_unit(b->machine, 0)};
    m.schedulers = c->cluster.count * c->cluster.schedulers;
    m.senders = c->cluster.count * m.sm->ldst->senders;
    return m;
}

/* Returns the rows of a scheduler's register file. */
static unsigned rows_of(const struct machine_config *c) {
    return c->cluster.threads / c->cluster.schedulers / machine_lane_group_width(c);
}

/* Adds a block without an area for its logic, and the reason. A stack's rows are added all the same. */
static void add_without_logic(struct area_building *b, const struct sm_machine *m, enum cluster_block slot,
                              const char *why) {
    const bool stacks = slot == CLUSTER_BLOCK_STACK; /* each SM has one, for all its schedulers */
    const unsigned count = stacks ? m->config->cluster.count : m->schedulers,
                   threads = area_stack_threads(m->config);
    area_add_unknown(b->area, "SM", twin_block[slot].name, count, why);
    if (stacks) area_add_stack_rows(b, "SM", count, m->config->cluster.threads / threads, threads);
}

static bool add_alike(struct area_building *b, enum cluster_block slot, struct area_block *block,
                      struct error *e) {
    char contents[48];
    if (slot != CLUSTER_BLOCK_STACK) return area_add_block(b, block, e);
    const unsigned rows = area_get(block, "WARPS");
    snprintf(contents, sizeof contents, "its %u rows", rows);
    return area_add_table(b, block, contents, rows, e);
}

/* Blocks of a slot with the same parameters, counted together. */
struct alike {
    struct area_block block[8];
    unsigned count;
};

static bool are_alike(const struct area_block *a, const struct area_block *b) {
    for (unsigned n = 0; n < a->setting_count; n++)
        if (a->settings[n].value != b->settings[n].value) return false;
    return true;
}

static void add_to(struct alike *a, const struct area_block *block) {
    unsigned n = 0;
    while (n < a->count && !are_alike(&a->block[n], block)) n++;
    invariant(n < sizeof a->block / sizeof *a->block, "%s has too many sizes", block->name);
    if (n == a->count) a->block[a->count++] = *block;
    a->block[n].count++;
}

/* Adds the blocks of a slot, in all parts of the machine. */
static bool add_places(struct area_building *b, const struct sm_machine *m, enum cluster_block slot,
                       struct error *e) {
    const struct twin_block *twin = twin_block_of(m->config, slot);
    const struct twin_places l = twin_places_of(b->machine);
    const void *last = NULL; /* schedulers of an SM may share one */
    struct alike alike = {0};
    for (const struct twin_place *p = l.place; p < l.place + l.count; p++) {
        const void *model = twin_place_model(p, slot);
        if (!model || model == last) continue;
        last = model;
        struct area_block block = {.module = twin->module,
                                   .name = slot == CLUSTER_BLOCK_SCHEDULER ? twin->module : twin->name,
                                   .group = p->clock_mhz ? "channel" : "SM",
                                   .clock_mhz = p->clock_mhz};
        block.setting_count = p->kind->settings(p, slot, block.settings);
        add_to(&alike, &block);
    }
    free(l.place);
    for (unsigned n = 0; n < alike.count; n++)
        if (!add_alike(b, slot, &alike.block[n], e)) return false;
    return true;
}

/* Adds a slot. Three are added elsewhere: HARP's barriers, except with --effort full (add_barriers()); its
 * Second-Level, a memory (add_tables()); and the whole, as its parts and memories. */
static bool add_slot(struct area_building *b, const struct sm_machine *m, enum cluster_block slot,
                     struct error *e) {
    const char *large = twin_block_too_large(m->config, slot);
    if (slot == CLUSTER_BLOCK_SECOND_LEVEL || slot == CLUSTER_BLOCK_HARP) return true;
    if (large) add_without_logic(b, m, slot, AREA_TOO_LARGE);
    if (large || twin_block_absent(m->config, slot) || twin_block_is_shared(slot)) return true;
    if (slot == CLUSTER_BLOCK_MEETINGS && !m->full) return true;
    if (slot != CLUSTER_BLOCK_STACK || m->full) return add_places(b, m, slot, e);
    add_without_logic(b, m, slot, AREA_WITH_FULL_EFFORT);
    return true;
}

static bool add_slots(struct area_building *b, const struct sm_machine *m, bool of_channel, struct error *e) {
    for (enum cluster_block slot = 0; slot < CLUSTER_BLOCK_COUNT; slot++)
        if ((slot == CHANNEL_BLOCK_DRAM) == of_channel && !add_slot(b, m, slot, e)) return false;
    return true;
}

/* --- memories and what is published --- */

static void add_crossbar(struct area *a, const char *group, const char *name, unsigned count, unsigned in,
                         unsigned out, unsigned bits) {
    char what[96];
    snprintf(what, sizeof what, "%u x %u of %u bits", in, out, bits);
    area_add_published(a, group, name, count, area_crossbar.mm2 * in * bits / 256.0 * out * bits / 256.0,
                       what);
}

static void add_bank(struct area *a, const char *name, unsigned sms, struct sm_memory m) {
    area_add_words(a, "SM", name, sms * m.count, m.words, m.bits, m.ports);
}

/* Adds the registers, and the crossbar of each lane between its banks and its collectors. */
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

/* Adds the tables of engines without stacks. */
static void add_tables(struct area_building *b, const struct sm_machine *m) {
    const struct machine_config *c = b->config;
    const unsigned threads = c->cluster.threads / c->cluster.schedulers;
    if (c->simt.divergence == DIVERGENCE_pc) {
        const unsigned level = c->simt.pc_policy == PC_ICS_FIRST ? 8 : 0;
        area_add_words(b->area, "SM", level ? "PC and level of threads" : "PC of threads", m->schedulers,
                       threads / c->simt.warp_size, c->simt.warp_size * (32 + level), 2);
    }
    const struct area_engine e = {.group = "SM",
                                  .count = m->schedulers,
                                  .threads = threads,
                                  .lanes = machine_lane_group_width(c),
                                  .rows = rows_of(c),
                                  .groups = m->sm->groups};
    area_add_engine(b, &e);
}

static void add_memories(struct area_building *b, const struct sm_machine *m) {
    const struct machine_config *c = b->config;
    const unsigned sms = c->cluster.count, lanes = sms * c->cluster.sp_groups * c->cluster.lanes;
    struct area *a = b->area;
    area_add_published(a, "SM", "lane", lanes, area_lane.mm2, area_lane.name);
    if (c->scalar.mode != SCALAR_OFF)
        area_add_published(a, "SM", "scalar unit", c->cluster.count * c->scalar.units, area_lane.mm2,
                           area_lane.name);
    add_registers(a, c);
    add_tables(b, m);
    area_add_cache(a, "SM", "L1I", &c->l1i, sms);
    area_add_cache(a, "SM", "L1D", &c->l1d, sms);
    area_add_cache(a, "SM", "constants", &c->constant, sms);
    add_bank(a, "local memory", sms, sm_local_bank(c));
    add_crossbar(a, "SM", "local memory's crossbar", sms, c->cluster.ldst_lanes, c->local.banks, 32);
}

/* Names the parts for which no source gives an area, so that the sum is not taken for the whole. */
static void add_unknown(struct area_building *b, const struct sm_machine *m) {
    const struct machine_config *c = b->config;
    area_add_unknown(b->area, "SM", "fetch and decoding", c->cluster.count, "instruction buffers, decoders");
    area_add_unknown(b->area, "SM", "load-store unit", m->senders, "addresses and data in flight");
    if (c->cluster.sfu_lanes)
        area_add_unknown(b->area, "SM", "special function lane", c->cluster.count * c->cluster.sfu_lanes,
                         "divisions and roots");
}

bool area_add_vrf(struct area_building *b, struct error *e) {
    const struct machine_config *c = b->config;
    const struct sm_machine m = machine_of(b);
    if (!add_slots(b, &m, false, e)) return false;
    add_memories(b, &m);
    add_unknown(b, &m);
    if (!add_slots(b, &m, true, e)) return false;
    area_add_cache(b->area, "channel", "L2", &c->l2, c->dram.channels);
    area_add_unknown(b->area, "channel", "DRAM interface", c->dram.channels, "drivers and pads");
    const unsigned ports = (c->cluster.count + c->icnt.share - 1) / c->icnt.share;
    add_crossbar(b->area, "crossbar", "requests", 1, ports, c->dram.channels, 8 * c->icnt.flit_bytes);
    add_crossbar(b->area, "crossbar", "replies", 1, c->dram.channels, ports, 8 * c->icnt.flit_bytes);
    return true;
}
