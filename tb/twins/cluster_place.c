/* A cluster of cores with its blocks. */
#include "model/cluster/cluster.h"
#include "model/config/divergence_engine.h"
#include "model/config/own_fields.h"
#include "model/divergence/re_convergence_stack_cycle.h"
#include "model/divergence/warp_formation_table.h"
#include "model/unit/regrouped.h"
#include "model/unit/unit.h"
#include "model/unit/view.h"
#include "tb/twins/place.h"

static struct unit *unit_of(const struct twin_place *p) {
    return ((const struct cluster *)p->unit)->unit;
}

static void *model(const struct twin_place *p, enum cluster_block b) {
    if (twin_block_of_engine(b)) return unit_clocked_model(unit_of(p), b);
    return b < CLUSTER_BLOCK_COALESCER ? (char *)p->unit + twin_block[b].model : NULL;
}

/* Returns the threads of a warp in a block. */
static unsigned width_of(const struct cluster *c, enum cluster_block b) {
    if (b == CLUSTER_BLOCK_STACK) return c->unit->stack.cfg.warp_size;
    return twin_block_of_engine(b) && c->unit->regrouped ? c->unit->regrouped->width
                                                         : c->descriptors.warp_size;
}

static unsigned settings_of(const struct twin_place *p, enum cluster_block b,
                            struct verilog_setting settings[VERILOG_MAX_PARAMETERS]) {
    const struct cluster *c = (const struct cluster *)p->unit;
    const struct machine_config *config = c->config;
    const struct own_fields *own = own_fields(config);
    const unsigned threads = c->warps * c->descriptors.warp_size;
    const struct verilog_setting all[] = {
        {"WARPS", c->warps},
        {"WARP_SIZE", width_of(c, b)},
        {"LANES", c->lanes},
        {"CONTEXTS", config->cluster.threads_per_lane <= 512 ? 512 : TPM_MAX_CONTEXTS},
        {"LEVELS", c->descriptors.levels},
        {"ACTIVE", c->blocks.scheduler.cfg.active_warps},
        {"COLLECTORS", config->simt.collectors},
        {"READ_PORTS", config->tpm.read_ports},
        {"WRITE_PORTS", config->tpm.write_ports},
        {"READ_LATENCY", config->tpm.latency_cycles},
        {"VTPO_LINES", c->vtpo_lines},
        {"SCHEDULER", scheduler_policies[config->simt.scheduler]->code},
        {"PC_POLICY", config->simt.pc_policy},
        {"QUEUE_ENTRIES", config->simt.queue_entries},
        {"CYCLIC", config->simt.lane_map != LANE_MAP_BLOCK},
        {"CALLS", config->simt.stack_calls},
        {"SETS", own->dwf.lut_entries / WARP_FORMATION_WAYS},
        {"POOL", threads},
        {"QUEUE", threads},
        {"ROWS", own->lwm.threads / c->lanes},
        {"SLOTS", b == CLUSTER_BLOCK_READY_LOOKUP ? own->harp.ready_lookup : own->harp.waiting_lookup},
        {"RENEWS", b == CLUSTER_BLOCK_READY_LOOKUP},
        {"BARRIER_SETS", own->harp.barriers / own->harp.barrier_ways},
        {"WAYS", own->harp.barrier_ways},
        {"FIRST_LEVEL", own->harp.first_level},
        {"READY_SLOTS", own->harp.ready_lookup},
        {"WAITING_SLOTS", own->harp.waiting_lookup},
        {"STAGES", own->harp.barrier_stages},
        {"REGISTER_ROWS", threads / c->lanes > 2 ? threads / c->lanes : 2},
    };
    return unit_place_settings(p->unit, all, sizeof all / sizeof all[0], settings);
}

static uint64_t cycles_of(const struct twin_place *p, enum cluster_block b) {
    const struct cluster *c = (const struct cluster *)p->unit;
    if (twin_block_of_engine(b)) return c->unit->clocked[b].cycles;
    return c->simt_cycles + (cluster_starts(b) ? c->start_cycles : 0);
}

/* --- diagnoses --- */

/* Returns the lowest warp that writes or commits. */
static int written(const struct writeback_arbiter *a) {
    const warp_set warps = a->out.write | a->out.scalar | a->out.commit;
    return warps ? (int)warp_set_first(warps) : CLUSTER_NONE;
}

static int warp_of_flight(const struct unit_view_flight *f) {
    return f ? (int)f->warp : CLUSTER_NONE;
}

static int warp_of_stacks(const struct re_convergence_stack_cycle *s) {
    return (int)(s->in.commit ? s->in.commit_warp : s->in.read_warp);
}

static int warp_of(const struct cluster *c, const struct unit_view *v, enum cluster_block b) {
    const struct token_file_in *tokens = &c->uniform.tokens.in;
    const struct srf_rename_in *rename = &c->uniform.rename.in;
    switch (b) {
    case CLUSTER_BLOCK_SCHEDULER:
        return c->blocks.scheduler.out.valid ? (int)c->blocks.scheduler.out.warp : CLUSTER_NONE;
    case CLUSTER_BLOCK_ARBITER:
        return c->blocks.arbiter.in.ready ? warp_of_flight(v->arbitrate) : CLUSTER_NONE;
    case CLUSTER_BLOCK_ADDRESS: return (int)(c->address.in.context / c->rounds);
    case CLUSTER_BLOCK_COLLECTOR: return warp_of_flight(v->collect);
    case CLUSTER_BLOCK_WRITEBACK: return written(&c->blocks.writeback);
    case CLUSTER_BLOCK_TOKENS:
        return (int)(tokens->write_destinations ? tokens->write_warp : tokens->read_warp);
    case CLUSTER_BLOCK_RENAME:
        return (int)(rename->write_destinations ? rename->write_warp : rename->read_warp);
    case CLUSTER_BLOCK_STACK: return warp_of_stacks(c->unit->stack.cycle);
    case CLUSTER_BLOCK_FORMATION:
    case CLUSTER_BLOCK_PACKER:
    case CLUSTER_BLOCK_MEETINGS:
    case CLUSTER_BLOCK_READY_LOOKUP:
    case CLUSTER_BLOCK_WAITING_LOOKUP:
    case CLUSTER_BLOCK_SECOND_LEVEL:
    case CLUSTER_BLOCK_HARP:
    case CLUSTER_BLOCK_REUSE: return CLUSTER_NONE; /* its inputs contain no warp */
    case CLUSTER_BLOCK_DESCRIPTORS:
    case CLUSTER_BLOCK_COPROCESSOR:
        return c->mode == CLUSTER_SIMT && v->any_started ? (int)v->started.warp : CLUSTER_NONE;
    default: return c->left_warp;
    }
}

static uint32_t pc_of(const struct cluster *c, const struct unit_view *v, enum cluster_block b, int warp) {
    const struct warp_descriptors *w = &c->descriptors.warp[warp];
    if (b == CLUSTER_BLOCK_ARBITER) return c->blocks.arbiter.out.pc;
    if (b != CLUSTER_BLOCK_SCHEDULER) return v->of_warp[warp] ? v->of_warp[warp]->pc : v->left_pc;
    return w->ready ? tdt_pc(w, (unsigned)__builtin_ctzll(w->ready)) : 0;
}

static void put_text(const struct twin_place *p, enum cluster_block b, struct text *out) {
    const struct cluster *c = (const struct cluster *)p->unit;
    struct unit_view v;
    unit_view(c, c->now, &v);
    const int warp = warp_of(c, &v, b);
    if (c->config->cluster.count > 1) text_put(out, "cluster %u, ", c->index);
    text_put(out, "kernel '%s', work-group (%u, %u, %u), ", c->launch->kernel, c->group[0], c->group[1],
             c->group[2]);
    if (warp == CLUSTER_NONE) {
        text_put(out, "no warp in this block");
        return;
    }
    const uint32_t pc = pc_of(c, &v, b, warp);
    unit_place_text(out, c->launch->code, "warp", (unsigned)warp, pc);
    text_put(out, ": ");
    text_instruction(out, c->launch->code, pc);
}

static const struct twin_place_kind kind = {
    .is_cluster = true, .model = model, .cycles = cycles_of, .settings = settings_of, .text = put_text};

static void add_places(struct twin_places *l, struct machine *m) {
    const unsigned count = machine_configuration(m)->cluster.count;
    for (unsigned k = 0; k < count; ++k) {
        const struct twin_place p = {.kind = &kind,
                                     .machine = m,
                                     .unit = machine_unit(m, k),
                                     .twins = &machine_cluster(m, k)->twins,
                                     .block = CLUSTER_BLOCK_COUNT};
        twin_places_add(l, &p, count == 1 ? "%.0u" : "%u", k);
    }
    shared_places(l, m);
    core_places(l, m);
}

/* The blocks of the pipeline know lanes in which one round of one instruction starts in a cycle, and flights
 * whose threads are all of one warp of the TPMs. */
static const char *absent(const struct machine_config *c, enum cluster_block slot) {
    if (slot >= CLUSTER_BLOCK_COALESCER)
        return twin_block_of_engine(slot) || twin_block_is_shared(slot) ? NULL : "contexts vrf";
    return c->simt.multi_issue != MULTI_ISSUE_OFF             ? "simt.multi_issue off"
           : divergence_engines[c->simt.divergence]->regroups ? "simt.divergence pc, sbr or oracle"
                                                              : NULL;
}

const struct twin_machine twin_machine_tpm = {.add = add_places, .absent = absent};
