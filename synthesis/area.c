#include "synthesis/area_parts.h"

#include "model/config/core_kind.h"
#include "tb/twins/place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 0.45 mm² at 28 nm × (40/28)², less two of our caches of 32 KB, which the figure is assumed to include. */
const struct area_published area_lane = {
    "Cortex-A7", "Cortex-A7: 0.45 mm2 at 28 nm (ARM, B. Jeff, 2011), scaled by (40/28)^2, less its L1 caches",
    0.576};

/* A crossbar of 8 × 8 ports of 32 bits. With 256 bits it is 61 times as large in the source, 64
 * times here. */
const struct area_published area_crossbar = {
    "crossbar", "stsimt Table I, 8 x 8 of 32 bits: 0.0333 mm2 at 40 nm; others by bits in x bits out",
    0.0333};

/* Units of 32 bits and of double precision at 40 nm and 1 GHz, of Aladdin's power model (Shao et al., ISCA
 * 2014). */
#define ADDER_UM2             278
#define LOGIC_UM2             50
#define SHIFTER_UM2           250
#define MULTIPLIER_UM2        6350
#define SINGLE_ADDER_UM2      4360
#define SINGLE_MULTIPLIER_UM2 8970
#define DOUBLE_ADDER_UM2      9880
#define DOUBLE_MULTIPLIER_UM2 22300
#define ALU_UM2               (ADDER_UM2 + LOGIC_UM2 + SHIFTER_UM2)

const struct area_published area_integer_unit = {
    "integer unit", "Aladdin, 40 nm (Shao et al., ISCA 2014): adder, logic, shifter of 32 bits",
    ALU_UM2 * 1e-6};
const struct area_published area_vfp_unit = {
    "VFP unit", "Aladdin, 40 nm (Shao et al., ISCA 2014): adder, multiplier of double precision",
    (DOUBLE_ADDER_UM2 + DOUBLE_MULTIPLIER_UM2) * 1e-6};
const struct area_published area_simd_lane = {
    "Advanced SIMD lane",
    "Aladdin, 40 nm (Shao et al., ISCA 2014): ALU, multiplier, adder and multiplier of single precision",
    (ALU_UM2 + MULTIPLIER_UM2 + SINGLE_ADDER_UM2 + SINGLE_MULTIPLIER_UM2) * 1e-6};

struct area_units area_units_of(const struct machine_config *c) {
    struct area_units u = {.simd_lanes = c->cluster.isa == ISA_NEON};
    if (!core_kinds[c->core.kind]->superscalar && !c->simt.multi_issue) return u;
    if (c->core.integer_units > AREA_CORE_INTEGER_UNITS)
        u.integer = c->core.integer_units - AREA_CORE_INTEGER_UNITS;
    if (c->core.vfp_units > AREA_CORE_VFP_UNITS) u.vfp = c->core.vfp_units - AREA_CORE_VFP_UNITS;
    return u;
}

double area_units_mm2(const struct area_units *u) {
    return u->integer * area_integer_unit.mm2 + u->vfp * area_vfp_unit.mm2 +
           u->simd_lanes * area_simd_lane.mm2;
}

double area_part_cycle_ns(const struct area_part *p, const struct machine_config *c) {
    if (p->kind != AREA_BLOCK) return 0;
    return p->ns / p->cycles * (p->clock_mhz ? (double)p->clock_mhz / c->clock_mhz : 1);
}

static void slowest(struct area *a, double ns, const char *what) {
    if (ns <= a->period_ns) return;
    a->period_ns = ns;
    snprintf(a->period_of, sizeof a->period_of, "%s", what);
}

static void find_period(struct area *a, const struct machine_config *c) {
    for (enum synthesis_stage s = 0; a->stage_warps && s < STAGE_COUNT; s++) {
        char name[16];
        const double cycles = s == STAGE_ARBITRATE ? c->simt.arbitrate_cycles : 1;
        snprintf(name, sizeof name, "stage %s", synthesis_stage_name[s]);
        slowest(a, technology_40nm_ns(a->stage_fo4[s][1]) / cycles, name);
    }
    /* The table's own path is part of the stages. */
    for (const struct area_part *p = a->parts; p < a->parts + a->part_count; p++)
        if (strcmp(p->name, "thread_descriptor_table") != 0) slowest(a, area_part_cycle_ns(p, c), p->name);
    a->clock_ns = 1e3 / c->clock_mhz;
}

/* Adds the blocks that clusters share. A cycle of their Verilog is a request; the clusters' clock stands
 * for it. */
static bool add_shared(struct area_building *b, struct error *e) {
    const struct twin_places l = twin_places_of(b->machine);
    bool good = true;
    for (unsigned n = 0; n < l.count && good; n++) {
        const struct twin_place *p = &l.place[n];
        if (!twin_place_has_requests(p) || p->block >= CLUSTER_BLOCK_PREDICTOR)
            continue; /* cores are lanes */
        struct area_block block = {
            .module = twin_block[p->block].module, .name = twin_block[p->block].module, .group = "shared"};
        block.setting_count = p->kind->settings(p, p->block, block.settings);
        for (block.count = 1; n + 1 < l.count && l.place[n + 1].block == p->block; n++) block.count++;
        good = area_add_block(b, &block, e);
    }
    free(l.place);
    return good;
}

static bool add_parts(struct area_building *b, struct error *e) {
#define ROW(name) area_add_##name,
    static bool (*const add[])(struct area_building * b, struct error * e) = {CONTEXTS_LIST(ROW)};
#undef ROW
    return add[b->config->contexts](b, e) && add_shared(b, e);
}

/* Adds the parts of a machine. `jobs`: list to which blocks are added instead of being synthesised, or
 * NULL. */
static bool build_area(struct area *a, const struct machine_config *c, const struct area_options *o,
                       struct netlist_jobs *jobs, struct error *e) {
    struct machine *m = machine_create(c, e);
    if (!m) return false;
    struct area_building b = {.area = a, .options = o, .config = c, .machine = m, .jobs = jobs};
    const bool whole = add_parts(&b, e);
    machine_destroy(m);
    return whole;
}

bool area_of(struct area *a, const struct machine_config *c, const struct technology *t,
             const struct area_options *o, struct error *e) {
    *a = (struct area){.technology = t};
    if (!build_area(a, c, o, NULL, e)) return false;
    for (const struct area_part *p = a->parts; p < a->parts + a->part_count; p++) {
        a->mm2 += p->count * p->mm2;
        a->flip_flops_mm2 += p->count * p->flip_flops_mm2;
    }
    if (!o->no_period && !o->no_blocks) find_period(a, c);
    return true;
}

bool area_list_jobs(struct netlist_jobs *jobs, const struct machine_config *c, const struct area_options *o,
                    struct error *e) {
    struct area a = {.technology = jobs->technology};
    const bool good = build_area(&a, c, o, jobs, e);
    area_free(&a);
    return good;
}

void area_free(struct area *a) {
    free(a->parts);
    *a = (struct area){0};
}
