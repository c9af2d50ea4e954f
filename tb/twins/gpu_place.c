/* Places in an SM, and the channels of DRAM. */
#include "model/arm/arm.h"
#include "model/config/divergence_engine.h"
#include "model/config/own_fields.h"
#include "model/divergence/warp_formation_table.h"
#include "model/memory/dram_channel.h"
#include "model/sm/scalar_units.h"
#include "model/sm/sm_divergence.h"
#include "model/unit/unit.h"
#include "model/sm/sm_ldst.h"
#include "model/sm/sm_parts.h"
#include "tb/twins/place.h"

#include <stdio.h>
#include <string.h>

static struct sm *sm_of(const struct twin_place *p) {
    return (struct sm *)p->unit;
}

static unsigned bits_below(unsigned count) {
    return count <= 2 ? 1 : 32 - (unsigned)__builtin_clz(count - 1);
}

/* An instruction that a block processes. */
struct instruction {
    bool known;
    unsigned warp; /* number of the warp; slot of a scalar thread */
    uint32_t pc;
};

/* Appends "SM 0, WHERE, kernel 'k', " and the instruction. */
static void put_text(const struct twin_place *p, struct text *out, const char *where, struct instruction x) {
    const struct machine_launch *l = p->unit->launch;
    const bool scalar = p->block == CLUSTER_BLOCK_SCALAR;
    text_put(out, "SM %u, %s, kernel '%s', ", p->unit->index, where, l->kernel);
    if (x.known)
        unit_place_text(out, l->code, scalar ? "the scalar thread in slot" : "warp", x.warp, x.pc);
    else
        text_put(out, "no %s in this block", scalar ? "thread" : "warp");
}

/* --- a scheduler with its load-store unit --- */

static void *model_of_scheduler(const struct twin_place *p, enum cluster_block b) {
    struct sm *s = sm_of(p);
    struct sm_ldst *l = s->ldst;
    const bool sends = p->number < l->senders;
    switch (b) {
    case CLUSTER_BLOCK_SCHEDULER:
        return divergence_engines[s->config->simt.divergence]->picks ? &s->scheduler[p->number].policy : NULL;
    case CLUSTER_BLOCK_SCOREBOARD: return &s->scheduler[p->number].board;
    case CLUSTER_BLOCK_BARRIERS: return p->number == 0 ? &s->barriers : NULL; /* one for each SM */
    case CLUSTER_BLOCK_MISSES: return p->number == 0 ? &l->misses : NULL;
    case CLUSTER_BLOCK_TOKENS: return &s->uniform.tokens;
    case CLUSTER_BLOCK_RENAME: return &s->uniform.rename;
    case CLUSTER_BLOCK_REUSE: return &s->uniform.reuse;
    case CLUSTER_BLOCK_COALESCER: return sends ? &l->sender[p->number].coalescer : NULL;
    case CLUSTER_BLOCK_RESOLVER: return sends ? &l->sender[p->number].resolver : NULL;
    case CLUSTER_BLOCK_LANES: return s->lanes.apart && !s->barrel ? &s->lanes.scheduler : NULL;
    case CLUSTER_BLOCK_LOCAL: return s->lanes.apart && p->number == 0 ? &s->lanes.arbiter : NULL;
    case CLUSTER_BLOCK_ARBITER: return sm_clocked_model(s, p->number, b);
    default: return twin_block_of_engine(b) ? sm_clocked_model(s, p->number, b) : NULL;
    }
}

_Static_assert(TOKEN_REGISTERS == SM_RESOURCES, "REGISTERS of tokens and scoreboard are the same");

static unsigned settings_of_scheduler(const struct twin_place *p, enum cluster_block b,
                                      struct verilog_setting settings[VERILOG_MAX_PARAMETERS]) {
    const bool of_sm = b == CLUSTER_BLOCK_BARRIERS; /* counts the threads of all schedulers */
    const struct sm *s = sm_of(p);
    const struct machine_config *c = s->config;
    const struct warp_scheduler *w = &s->scheduler[p->number].policy;
    const bool stacks = b == CLUSTER_BLOCK_STACK; /* for all schedulers */
    const unsigned of_scheduler = c->cluster.threads / c->cluster.schedulers,
                   rows = of_scheduler / s->lanes.width;
    const struct verilog_setting all[] = {
        {"WARPS", of_sm || stacks ? s->warps : w->cfg.warps},
        {"ACTIVE", w->cfg.active_warps},
        {"WARP_SIZE", stacks  ? s->stack.cfg.warp_size
                      : of_sm ? s->warp_size
                              : s->positions},
        {"LEVELS", c->simt.priority_levels},
        {"RULE", c->coalesce.rule},
        {"LINE_BYTES", c->l1d.line_bytes},
        {"BANKS", c->local.banks},
        {"BROADCAST", c->local.broadcast},
        {"QUEUE", of_scheduler},
        {"CALLS", c->simt.stack_calls},
        {"LANES", b == CLUSTER_BLOCK_LOCAL ? c->cluster.lanes : s->lanes.width},
        {"ROWS", own_fields(c)->lwm.threads / s->lanes.width},
        {"SLOTS", b == CLUSTER_BLOCK_READY_LOOKUP ? own_fields(c)->harp.ready_lookup
                                                  : own_fields(c)->harp.waiting_lookup},
        {"RENEWS", b == CLUSTER_BLOCK_READY_LOOKUP},
        {"SETS", own_fields(c)->dwf.lut_entries / WARP_FORMATION_WAYS},
        {"BARRIER_SETS", own_fields(c)->harp.barriers / own_fields(c)->harp.barrier_ways},
        {"WAYS", own_fields(c)->harp.barrier_ways},
        {"POOL", of_scheduler},
        {"FIRST_LEVEL", own_fields(c)->harp.first_level},
        {"READY_SLOTS", own_fields(c)->harp.ready_lookup},
        {"WAITING_SLOTS", own_fields(c)->harp.waiting_lookup},
        {"STAGES", own_fields(c)->harp.barrier_stages},
        {"REGISTER_ROWS", rows > 2 ? rows : 2},
        {"LANE_GROUPS", s->lanes.groups},
        {"BOUND", c->lanes.bound},
        {"MSHRS", c->l1d_misses.mshrs},
        {"MERGES", c->l1d_misses.requests},
        {"LINE_BITS", 32 - (unsigned)__builtin_ctz(c->l1d.line_bytes)},
        {"REQUEST_BITS", 32},
    };
    return unit_place_settings(p->unit, all, sizeof all / sizeof all[0], settings);
}

static uint64_t cycles_of_scheduler(const struct twin_place *p, enum cluster_block b) {
    const struct sm *s = sm_of(p);
    if (b == CLUSTER_BLOCK_MISSES) return s->ldst->watched;
    if (b >= CLUSTER_BLOCK_STACK || b == CLUSTER_BLOCK_ARBITER) return s->clocked[p->number][b].cycles;
    return b == CLUSTER_BLOCK_SCHEDULER ? s->picks[p->number] : s->watched[p->number];
}

static struct instruction instruction_of(const struct twin_place *p, enum cluster_block b) {
    const struct sm *s = sm_of(p);
    const struct sm_scheduler *q = &s->scheduler[p->number];
    const struct instruction none = {0};
    if (b == CLUSTER_BLOCK_ARBITER) { /* the warp leaves A in this cycle */
        const struct unit *u = s->front[p->number].unit;
        const struct unit_flight *f = unit_nth(u, u->arbitrated);
        return u->arbitrated == u->selected ? none : (struct instruction){true, f->warp, f->pc};
    }
    if (b == CLUSTER_BLOCK_SCHEDULER) {
        const unsigned warp = q->policy.out.warp * s->schedulers + p->number;
        return q->policy.out.valid ? (struct instruction){true, warp, s->divergence->where(s, warp)} : none;
    }
    if (b == CLUSTER_BLOCK_COALESCER || b == CLUSTER_BLOCK_RESOLVER) {
        const unsigned flight = s->ldst->sender[p->number].flight;
        return flight == SM_NO_FLIGHT
                   ? none
                   : (struct instruction){true, s->flight[flight].warp, s->flight[flight].pc};
    }
    if (b == CLUSTER_BLOCK_SCOREBOARD || b == CLUSTER_BLOCK_BARRIERS || b >= CLUSTER_BLOCK_LANES)
        return none; /* all warps, or any */
    return (struct instruction){q->issue_cycle == s->now, q->issue_warp, q->issue_pc};
}

static void text_of_scheduler(const struct twin_place *p, enum cluster_block b, struct text *out) {
    char where[24];
    snprintf(where, sizeof where, "scheduler %u", p->number);
    put_text(p, out, where, instruction_of(p, b));
}

static const struct twin_place_kind scheduler_place = {.model = model_of_scheduler,
                                                       .cycles = cycles_of_scheduler,
                                                       .settings = settings_of_scheduler,
                                                       .text = text_of_scheduler};

/* --- a unit that skips rounds --- */

static unsigned settings_of_unit(const struct twin_place *p, enum cluster_block b,
                                 struct verilog_setting settings[VERILOG_MAX_PARAMETERS]) {
    const struct sm *s = sm_of(p);
    (void)b;
    settings[0] = (struct verilog_setting){"WARP_SIZE", s->positions};
    settings[1] = (struct verilog_setting){"LANES", s->width[s->unit[p->number].kind]};
    return 2;
}

/* Writes a name such as sp3: the third unit of its kind, from 0. */
static void name_unit(const struct sm *s, unsigned n, char *name, size_t size) {
    static const char *const kinds[SM_UNIT_KINDS] = {
        [SM_SP] = "sp", [SM_SFU] = "sfu", [SM_LDST] = "ldst", [SM_SCALAR] = "scalar"};
    snprintf(name, size, "%s%u", kinds[s->unit[n].kind], n - s->first_unit[s->unit[n].kind]);
}

static void text_of_unit(const struct twin_place *p, enum cluster_block b, struct text *out) {
    const struct sm_unit *u = &sm_of(p)->unit[p->number];
    char unit[24];
    (void)b;
    name_unit(sm_of(p), p->number, unit, sizeof unit);
    put_text(p, out, unit, (struct instruction){u->round_cycle == p->unit->now, u->round_warp, u->round_pc});
}

static const struct twin_place_kind unit_place = {.settings = settings_of_unit, .text = text_of_unit};

/* --- a scalar unit --- */

static unsigned settings_of_scalar(const struct twin_place *p, enum cluster_block b,
                                   struct verilog_setting settings[VERILOG_MAX_PARAMETERS]) {
    const struct scalar_scheduler_config c = scalar_unit_config(sm_of(p), p->number);
    (void)b;
    settings[0] = (struct verilog_setting){"THREADS", c.threads};
    settings[1] = (struct verilog_setting){"DIVISOR", c.divisor};
    return 2;
}

static void text_of_scalar(const struct twin_place *p, enum cluster_block b, struct text *out) {
    const struct scalar_units *u = sm_of(p)->scalar;
    const struct scalar_scheduler_out *picked = &u->unit[p->number].scheduler.out;
    const unsigned thread = picked->valid ? picked->thread * u->units + p->number : 0;
    char where[24];
    (void)b;
    snprintf(where, sizeof where, "scalar unit %u", p->number);
    put_text(p, out, where,
             (struct instruction){picked->valid, thread, thread < u->threads ? u->thread[thread].pc : 0});
}

static const struct twin_place_kind scalar_place = {.settings = settings_of_scalar, .text = text_of_scalar};

/* --- a channel of DRAM, in cycles of its command clock --- */

static unsigned settings_of_channel(const struct twin_place *p, enum cluster_block b,
                                    struct verilog_setting settings[VERILOG_MAX_PARAMETERS]) {
    const struct machine_config *c = machine_configuration(p->machine);
    const struct machine_dram_config *d = &c->dram;
    const int row_bits = 32 - __builtin_ctz(d->row_bytes) - __builtin_ctz(d->banks);
    const struct verilog_setting all[] = {
        {"BANKS", d->banks},
        {"QUEUE", d->queue_entries},
        {"POLICY", d->policy},
        {"TAG_BITS", bits_below(c->l2_mshrs)},
        {"ROW_BITS", row_bits > 0 ? (unsigned)row_bits : 1},
    };
    (void)b;
    memcpy(settings, all, sizeof all);
    return sizeof all / sizeof all[0];
}

static void text_of_channel(const struct twin_place *p, enum cluster_block b, struct text *out) {
    (void)b;
    text_put(out, "channel %u of DRAM, in cycles of its command clock", p->number);
}

static const struct twin_place_kind channel_place = {.settings = settings_of_channel,
                                                     .text = text_of_channel};

/* --- all of them --- */

/* Returns a place of an SM with one block. */
static struct twin_place place_of(const struct twin_place_kind *kind, struct machine *m, struct sm *s,
                                  unsigned number, enum cluster_block b, void *model) {
    return (struct twin_place){
        .kind = kind, .machine = m, .unit = &s->simt, .number = number, .block = b, .model = model};
}

static void add_schedulers(struct twin_places *l, struct machine *m, struct sm *s) {
    for (unsigned n = 0; n < s->schedulers; ++n) {
        struct twin_place p = place_of(&scheduler_place, m, s, n, CLUSTER_BLOCK_COUNT, NULL);
        p.twins = &s->twins[n];
        twin_places_add(l, &p, "_sm%u_scheduler%u", s->index, n);
    }
}

static void add_units(struct twin_places *l, struct machine *m, struct sm *s) {
    char name[24];
    for (unsigned n = 0; n < s->units; ++n) {
        struct sm_unit *u = &s->unit[n];
        struct twin_place p = place_of(&unit_place, m, s, n, CLUSTER_BLOCK_COMPACTOR, &u->compactor);
        p.twins = &u->twins;
        p.cycles = &u->watched;
        name_unit(s, n, name, sizeof name);
        if (sm_unit_compacts(s, u)) twin_places_add(l, &p, "_sm%u_%s", s->index, name);
    }
}

static void add_scalar_units(struct twin_places *l, struct machine *m, struct sm *s) {
    const struct machine_config *c = s->config;
    const unsigned most = c->scalar.units < c->cluster.groups ? c->scalar.units : c->cluster.groups,
                   count = c->scalar.mode == SCALAR_OWN ? most : 0; /* units with threads */
    for (unsigned n = 0; n < count; ++n) {
        struct scalar_unit *u = &s->scalar->unit[n];
        struct twin_place p = place_of(&scalar_place, m, s, n, CLUSTER_BLOCK_SCALAR, &u->scheduler);
        p.twins = &u->twins;
        p.cycles = &u->watched;
        twin_places_add(l, &p, "_sm%u_scalar%u", s->index, n);
    }
}

static void add_channel(struct twin_places *l, struct machine *m, unsigned n) {
    struct dram_channel *channel = machine_channel(m, n);
    const struct twin_place p = {.kind = &channel_place,
                                 .machine = m,
                                 .number = n,
                                 .twins = &channel->twins,
                                 .block = CHANNEL_BLOCK_DRAM,
                                 .model = &channel->scheduler,
                                 .cycles = &channel->watched,
                                 .clock_mhz = machine_configuration(m)->dram.clock_mhz};
    twin_places_add(l, &p, "_channel%u", n);
}

static void add_places(struct twin_places *l, struct machine *m) {
    const struct machine_config *c = machine_configuration(m);
    for (unsigned k = 0; k < c->cluster.count; ++k) add_schedulers(l, m, (struct sm *)machine_unit(m, k));
    for (unsigned k = 0; k < c->cluster.count; ++k) add_units(l, m, (struct sm *)machine_unit(m, k));
    for (unsigned n = 0; n < c->dram.channels; ++n) add_channel(l, m, n);
    for (unsigned k = 0; k < c->cluster.count; ++k) add_scalar_units(l, m, (struct sm *)machine_unit(m, k));
    shared_places(l, m);
}

static const char *absent(const struct machine_config *c, enum cluster_block slot) {
    const bool uniform = slot >= CLUSTER_BLOCK_TOKENS && slot <= CLUSTER_BLOCK_REUSE,
               of_cores = slot >= CLUSTER_BLOCK_PROTOCOL && slot < CLUSTER_BLOCK_COUNT;
    (void)c;
    if (uniform || slot == CLUSTER_BLOCK_SCHEDULER || slot == CLUSTER_BLOCK_BARRIERS ||
        slot == CLUSTER_BLOCK_ARBITER)
        return NULL;
    return slot < CLUSTER_BLOCK_COALESCER || of_cores ? "contexts tpm" : NULL;
}

const struct twin_machine twin_machine_vrf = {.add = add_places, .absent = absent};
