#include "tb/twins/gpu_place.h"

#include "model/arm/arm.h"
#include "model/config/divergence_engine.h"
#include "model/divergence/warp_formation_table.h"
#include "model/sm/scalar_units.h"
#include "model/sm/sm_divergence.h"
#include "model/sm/sm_ldst.h"
#include "model/sm/sm_parts.h"

#include <stdio.h>
#include <string.h>

/* Returns the number of scalar units of an SM that have threads. */
static unsigned scalar_units_of(const struct machine_config *c) {
    if (c->scalar.mode != SCALAR_OWN) return 0;
    return c->scalar.units < c->cluster.groups ? c->scalar.units : c->cluster.groups;
}

/* Returns the number of units of each SM that skip rounds. */
static unsigned compacting_units(const struct sm *s) {
    unsigned count = 0;
    for (unsigned n = 0; n < s->units; ++n) count += sm_unit_compacts(s, &s->unit[n]);
    return count;
}

unsigned gpu_place_count(struct machine *m) {
    const struct machine_config *c = machine_configuration(m);
    return c->cluster.count *
               (c->cluster.schedulers + compacting_units(machine_sms(m)->sm) + scalar_units_of(c)) +
           c->dram.channels;
}

static struct gpu_place place_of_unit(struct gpu_place p, unsigned n) {
    unsigned unit = 0;
    while (!sm_unit_compacts(p.sm, &p.sm->unit[unit]) || n-- > 0) ++unit;
    p.number = unit;
    p.unit = &p.sm->unit[unit];
    return p;
}

struct gpu_place gpu_place_of(struct machine *m, unsigned n) {
    const struct machine_config *c = machine_configuration(m);
    struct gpu_place p = {.sms = machine_sms(m)};
    const unsigned schedulers = c->cluster.schedulers, of_schedulers = c->cluster.count * schedulers,
                   units = compacting_units(p.sms->sm), of_sms = of_schedulers + c->cluster.count * units;
    if (n < of_schedulers) {
        p.sm = &p.sms->sm[n / schedulers];
        p.number = n % schedulers;
    } else if (n < of_sms) {
        p.sm = &p.sms->sm[(n - of_schedulers) / units];
        p = place_of_unit(p, (n - of_schedulers) % units);
    } else if (n - of_sms >= c->dram.channels) {
        const unsigned of_sm = scalar_units_of(c), unit = n - of_sms - c->dram.channels;
        p.sm = &p.sms->sm[unit / of_sm];
        p.number = unit % of_sm;
        p.scalar = &p.sm->scalar->unit[p.number];
    } else {
        p.number = n - of_sms;
        p.channel = partitioned_memory_channel(p.sms->memory, p.number);
    }
    return p;
}

void gpu_place_attach(const struct gpu_place *p, const struct cluster_twins *twins) {
    if (p->scalar)
        p->scalar->twins = twins;
    else if (p->unit)
        p->unit->twins = twins;
    else if (p->sm)
        p->sm->twins[p->number] = twins;
    else
        p->channel->twins = twins;
}

void *gpu_place_model(const struct gpu_place *p, enum cluster_block b) {
    if (p->scalar) return b == CLUSTER_BLOCK_SCALAR ? &p->scalar->scheduler : NULL;
    if (!p->sm) return b == CHANNEL_BLOCK_DRAM ? &p->channel->scheduler : NULL;
    if (p->unit) return b == CLUSTER_BLOCK_COMPACTOR ? &p->unit->compactor : NULL;
    struct sm_ldst *l = p->sm->ldst;
    const bool sends = p->number < l->senders;
    switch (b) {
    case CLUSTER_BLOCK_SCHEDULER:
        return divergence_engines[p->sm->config->simt.divergence]->picks ? &p->sm->scheduler[p->number].policy
                                                                         : NULL;
    case CLUSTER_BLOCK_SCOREBOARD: return &p->sm->scheduler[p->number].board;
    case CLUSTER_BLOCK_BARRIERS: return p->number == 0 ? &p->sm->barriers : NULL; /* one for each SM */
    case CLUSTER_BLOCK_MISSES: return p->number == 0 ? &l->misses : NULL;
    case CLUSTER_BLOCK_TOKENS: return &p->sm->uniform.tokens;
    case CLUSTER_BLOCK_RENAME: return &p->sm->uniform.rename;
    case CLUSTER_BLOCK_REUSE: return &p->sm->uniform.reuse;
    case CLUSTER_BLOCK_COALESCER: return sends ? &l->sender[p->number].coalescer : NULL;
    case CLUSTER_BLOCK_RESOLVER: return sends ? &l->sender[p->number].resolver : NULL;
    case CLUSTER_BLOCK_LANES: return p->sm->lanes.apart && !p->sm->barrel ? &p->sm->lanes.scheduler : NULL;
    case CLUSTER_BLOCK_LOCAL: return p->sm->lanes.apart && p->number == 0 ? &p->sm->lanes.arbiter : NULL;
    default: return b >= CLUSTER_BLOCK_STACK ? sm_clocked_model(p->sm, p->number, b) : NULL;
    }
}

static unsigned bits_below(unsigned count) {
    return count <= 2 ? 1 : 32 - (unsigned)__builtin_clz(count - 1);
}

static unsigned settings_of_channel(const struct machine_dram_config *d, unsigned mshrs,
                                    struct verilog_setting settings[VERILOG_MAX_PARAMETERS]) {
    const int row_bits = 32 - __builtin_ctz(d->row_bytes) - __builtin_ctz(d->banks);
    const struct verilog_setting all[] = {
        {"BANKS", d->banks},
        {"QUEUE", d->queue_entries},
        {"POLICY", d->policy},
        {"TAG_BITS", bits_below(mshrs)},
        {"ROW_BITS", row_bits > 0 ? (unsigned)row_bits : 1},
    };
    memcpy(settings, all, sizeof all);
    return sizeof all / sizeof all[0];
}

static unsigned settings_of_unit(const struct gpu_place *p,
                                 struct verilog_setting settings[VERILOG_MAX_PARAMETERS]) {
    settings[0] = (struct verilog_setting){"WARP_SIZE", p->sm->positions};
    settings[1] = (struct verilog_setting){"LANES", p->sm->width[p->unit->kind]};
    return 2;
}

static unsigned settings_of_scalar_unit(const struct gpu_place *p,
                                        struct verilog_setting settings[VERILOG_MAX_PARAMETERS]) {
    const struct scalar_scheduler_config c = scalar_unit_config(p->sm, p->number);
    settings[0] = (struct verilog_setting){"THREADS", c.threads};
    settings[1] = (struct verilog_setting){"DIVISOR", c.divisor};
    return 2;
}

_Static_assert(TOKEN_REGISTERS == SM_RESOURCES, "REGISTERS of tokens and scoreboard are the same");

unsigned gpu_place_settings(const struct gpu_place *p, enum cluster_block b,
                            struct verilog_setting settings[VERILOG_MAX_PARAMETERS]) {
    const bool of_sm = b == CLUSTER_BLOCK_BARRIERS; /* counts the threads of all schedulers */
    const struct machine_config *c = p->sms->config;
    if (p->scalar) return settings_of_scalar_unit(p, settings);
    if (!p->sm) return settings_of_channel(&c->dram, c->l2_mshrs, settings);
    if (p->unit) return settings_of_unit(p, settings);
    const struct warp_scheduler *w = &p->sm->scheduler[p->number].policy;
    const bool stacks = b == CLUSTER_BLOCK_STACK; /* for all schedulers */
    const unsigned of_scheduler = c->cluster.threads / c->cluster.schedulers,
                   rows = of_scheduler / p->sm->lanes.width;
    const struct verilog_setting all[] = {
        {"WARPS", of_sm || stacks ? p->sm->warps : w->cfg.warps},
        {"ACTIVE", w->cfg.active_warps},
        {"WARP_SIZE", stacks  ? p->sm->stack.cfg.warp_size
                      : of_sm ? p->sm->warp_size
                              : p->sm->positions},
        {"GROUPS", p->sm->barriers.cfg.groups},
        {"SCALAR", p->sm->barriers.cfg.scalar},
        {"RULE", c->coalesce.rule},
        {"LINE_BYTES", c->l1d.line_bytes},
        {"BANKS", c->local.banks},
        {"BROADCAST", c->local.broadcast},
        {"REGISTERS", p->sm->scheduler[p->number].board.cfg.registers},
        {"PHYSICAL", c->uniform.srf_registers},
        {"ENTRIES", c->uniform.irb_entries},
        {"QUEUE", of_scheduler},
        {"TAG_BITS", c->uniform.irb_tag_bits},
        {"OPCODE_BITS", INSTRUCTION_REUSE_BUFFER_OPCODE_BITS},
        {"CALLS", c->simt.stack_calls},
        {"LANES", b == CLUSTER_BLOCK_LOCAL ? c->cluster.lanes : p->sm->lanes.width},
        {"ROWS", c->lwm.threads / p->sm->lanes.width},
        {"SLOTS", b == CLUSTER_BLOCK_READY_LOOKUP ? c->harp.ready_lookup : c->harp.waiting_lookup},
        {"RENEWS", b == CLUSTER_BLOCK_READY_LOOKUP},
        {"SETS", c->dwf.lut_entries / WARP_FORMATION_WAYS},
        {"BARRIER_SETS", c->harp.barriers / c->harp.barrier_ways},
        {"WAYS", c->harp.barrier_ways},
        {"POOL", of_scheduler},
        {"FIRST_LEVEL", c->harp.first_level},
        {"READY_SLOTS", c->harp.ready_lookup},
        {"WAITING_SLOTS", c->harp.waiting_lookup},
        {"STAGES", c->harp.barrier_stages},
        {"REGISTER_ROWS", rows > 2 ? rows : 2},
        {"LANE_GROUPS", p->sm->lanes.groups},
        {"BOUND", c->lanes.bound},
        {"MSHRS", c->l1d_misses.mshrs},
        {"MERGES", c->l1d_misses.requests},
        {"LINE_BITS", 32 - (unsigned)__builtin_ctz(c->l1d.line_bytes)},
        {"REQUEST_BITS", 32},
    };
    memcpy(settings, all, sizeof all);
    return sizeof all / sizeof all[0];
}

uint64_t gpu_place_cycles(const struct gpu_place *p, enum cluster_block b) {
    if (p->scalar) return p->scalar->watched;
    if (!p->sm) return p->channel->watched;
    if (p->unit) return p->unit->watched;
    if (b == CLUSTER_BLOCK_MISSES) return p->sm->ldst->watched;
    if (b >= CLUSTER_BLOCK_STACK) return p->sm->clocked[p->number][b].cycles;
    return b == CLUSTER_BLOCK_SCHEDULER ? p->sm->picks[p->number] : p->sm->watched[p->number];
}

sim_time gpu_place_time(const struct gpu_place *p, uint64_t t) {
    return (sim_time)((unsigned __int128)t * 1000000 / p->sms->config->dram.clock_mhz);
}

uint64_t gpu_place_cycle(const struct gpu_place *p, uint64_t t) {
    const struct machine_config *c = p->sms->config;
    return (uint64_t)((unsigned __int128)t * c->clock_mhz / c->dram.clock_mhz);
}

static const char *const unit_name[SM_UNIT_KINDS] = {
    [SM_SP] = "sp", [SM_SFU] = "sfu", [SM_LDST] = "ldst", [SM_SCALAR] = "scalar"};

/* Writes a name such as sp3: the third unit of its kind, from 0. */
static void name_unit(const struct gpu_place *p, char *name, size_t size) {
    unsigned before = 0;
    for (unsigned n = 0; n < p->number; ++n) before += p->sm->unit[n].kind == p->unit->kind;
    snprintf(name, size, "%s%u", unit_name[p->unit->kind], before);
}

void gpu_place_name(const struct gpu_place *p, char name[GPU_PLACE_NAME]) {
    char unit[24];
    if (p->unit) {
        name_unit(p, unit, sizeof unit);
        snprintf(name, GPU_PLACE_NAME, "sm%u_%s", p->sm->index, unit);
    } else if (p->scalar)
        snprintf(name, GPU_PLACE_NAME, "sm%u_scalar%u", p->sm->index, p->number);
    else if (p->sm)
        snprintf(name, GPU_PLACE_NAME, "sm%u_scheduler%u", p->sm->index, p->number);
    else
        snprintf(name, GPU_PLACE_NAME, "channel%u", p->number);
}

/* --- diagnoses --- */

/* Finds the instruction that a block processes: its warp and PC. Returns false if there is none. */
static bool instruction_of(const struct gpu_place *p, enum cluster_block b, unsigned *warp, uint32_t *pc) {
    const struct sm *s = p->sm;
    if (p->scalar) {
        if (!p->scalar->scheduler.out.valid) return false;
        *warp = p->scalar->scheduler.out.thread * s->scalar->units + p->number;
        *pc = *warp < s->scalar->threads ? s->scalar->thread[*warp].pc : 0;
        return true;
    }
    if (p->unit) {
        *warp = p->unit->round_warp;
        *pc = p->unit->round_pc;
        return p->unit->round_cycle == s->now;
    }
    if (b == CLUSTER_BLOCK_LANES || b == CLUSTER_BLOCK_LOCAL) return false; /* all warps */
    if (b == CLUSTER_BLOCK_SCHEDULER) {
        const struct warp_scheduler_out *out = &s->scheduler[p->number].policy.out;
        if (!out->valid) return false;
        *warp = out->warp * s->schedulers + p->number;
        *pc = s->divergence->where(s, *warp);
        return true;
    }
    if (b == CLUSTER_BLOCK_SCOREBOARD || b == CLUSTER_BLOCK_BARRIERS || b >= CLUSTER_BLOCK_MISSES)
        return false;                                                  /* all warps, or any */
    if (b != CLUSTER_BLOCK_COALESCER && b != CLUSTER_BLOCK_RESOLVER) { /* the issued instruction */
        *warp = s->scheduler[p->number].issue_warp;
        *pc = s->scheduler[p->number].issue_pc;
        return s->scheduler[p->number].issue_cycle == s->now;
    }
    const struct sm_sender *x = &s->ldst->sender[p->number];
    if (x->flight == SM_NO_FLIGHT) return false;
    *warp = s->flight[x->flight].warp;
    *pc = s->flight[x->flight].pc;
    return true;
}

void gpu_place_text(const struct gpu_place *p, enum cluster_block b, char *text, size_t size) {
    const char *file, *what = p->scalar ? "the scalar thread in slot" : "warp";
    unsigned line, warp;
    uint32_t pc;
    if (!p->sm) {
        snprintf(text, size, "channel %u of DRAM, in cycles of its command clock", p->number);
        return;
    }
    const struct machine_launch *l = p->sm->launch;
    char where[24];
    if (p->unit)
        name_unit(p, where, sizeof where);
    else if (p->scalar)
        snprintf(where, sizeof where, "scalar unit %u", p->number);
    else
        snprintf(where, sizeof where, "scheduler %u", p->number);
    int used = snprintf(text, size, "SM %u, %s, kernel '%s', ", p->sm->index, where, l->kernel);
    if (used < 0 || (size_t)used >= size) return;
    text += used;
    size -= (size_t)used;
    if (!instruction_of(p, b, &warp, &pc)) {
        snprintf(text, size, "no %s in this block", p->scalar ? "thread" : "warp");
        return;
    }
    if (l->code->line && l->code->line(l->code->line_context, pc, &file, &line))
        snprintf(text, size, "%s %u, pc 0x%x, %s:%u", what, warp, pc, file, line);
    else
        snprintf(text, size, "%s %u, pc 0x%x", what, warp, pc);
}
