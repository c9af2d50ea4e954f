#include "tests/reckoning/base_formed.h"

#include "model/config/divergence_engine.h"
#include "model/config/divergence_kind.h"
#include "model/config/own_fields.h"
#include "model/divergence/dynamic_warp_formation.h"
#include "model/divergence/harp_scheduler_cycle.h"
#include "model/divergence/subwarp_packer.h"
#include "model/divergence/warp_formation_table_cycle.h"
#include "model/unit/regrouped.h"
#include "tests/reckoning/base_lanes.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_WARPS = TDT_MAX_WARPS * TDT_MAX_WARP_SIZE, MOST_FLIGHTS = 256 };

/* Threads at one PC. Each has a position of its own, as in a flight. */
struct formed_warp {
    uint64_t positions;
    uint32_t pc;
    uint16_t home[TDT_MAX_WARP_SIZE]; /* warp · warp size + position there */
};

/* A flight from S to the commit of its threads. */
struct formed_flight {
    bool used, in_memory, over; /* over: it has been written */
    uint32_t number, place;     /* the engine's number; its place in the order of S */
    unsigned slot;              /* its place in the pool of the unit, until it is over */
    uint64_t s, done;           /* cycle of S; positions whose threads the engine knows to be done */
    struct formed_warp warp;
    uint64_t passed; /* once it is over: threads whose condition held; next PCs */
    uint32_t next[TDT_MAX_WARP_SIZE];
};

struct formed {
    enum divergence_kind engine;
    uint32_t selected, arbitrated; /* flights followed so far */
    struct formed_flight flight[MOST_FLIGHTS];
    struct formed_flight next;      /* the flight of this cycle's S, once the engine has chosen it */
    uint64_t chosen[TDT_MAX_WARPS]; /* threads between S and the end of A */
    bool opens;                     /* a barrier opens in this cycle, which the engine has to know */

    /* dwf: the pool */
    struct {
        enum warp_formation_state state;
        uint64_t since; /* first cycle in which S can select it, once it is ready */
        struct formed_warp warp;
    } pool[MOST_WARPS];
    unsigned begun; /* home warps that have been selected as a whole: they are the oldest */

    /* HARP */
    uint64_t starting[TDT_MAX_WARPS];    /* threads that begin */
    uint64_t choice, step, committed;    /* last cycles of these */
    struct formed_warp commit;           /* threads that it commits, in the positions of round 0 */
    uint32_t next_pc[MACHINE_MAX_LANES]; /* their next PCs; 0: they end */

    /* lwm: the instruction of each large warp, by the number of its first home warp; rounds of `next` */
    struct formed_large {
        re_convergence_mask begun, left, executed, passed;
        uint32_t next[RE_CONVERGENCE_STACK_MAX_WARP_SIZE];
    } large[TDT_MAX_WARPS];
    unsigned rounds;
};

static unsigned size_of(const struct base_shadow *h) {
    return h->c->config->simt.warp_size;
}

static void *model_of(const struct base_shadow *h, enum cluster_block block) {
    return unit_clocked_model(h->c->unit, block);
}

static bool is_ready(const struct base_shadow *h, unsigned home) {
    const unsigned w = home / size_of(h), k = home % size_of(h);
    return (h->warp[w].ready & ~h->formed->chosen[w]) >> k & 1;
}

/* Returns the operation of an instruction in the threads whose condition holds. */
static enum coprocessor_operation operation_at(const struct base_shadow *h, uint32_t pc) {
    return base_operation(machine_code_at(h->c->launch->code, pc));
}

/* --- flights --- */

static bool has_landed(const struct unit *u, unsigned n) {
    for (unsigned k = 0; k < u->landing_count; ++k)
        if (u->landing[k] == n) return true;
    return false;
}

/* Returns whether a flight has been written by cycle t: it has passed X, and W has written its results. */
static bool is_written(const struct base_shadow *h, const struct formed_flight *x, uint64_t t) {
    const struct unit *u = h->c->unit;
    if (x->over) return true;
    if ((int32_t)(u->started - x->place) <= 0 || u->x_flight == (int)x->slot) return false;
    if (!has_landed(u, x->slot)) return true; /* C has removed it */
    return u->flight[x->slot].result <= t && !u->flight[x->slot].writes_left;
}

/* Notes the outcome of a flight that has been written. */
static void end_flight(const struct base_shadow *h, struct formed_flight *x) {
    const struct arm_instruction *i = machine_code_at(h->c->launch->code, x->warp.pc);
    if (x->over) return;
    x->over = true;
    x->passed = h->c->unit->execution[x->slot].passed & x->warp.positions;
    for (uint64_t rest = x->warp.positions; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest), home = x->warp.home[k];
        x->next[k] = x->passed >> k & 1 && i->writes_pc
                         ? h->c->threads[home / size_of(h)].next_pc[home % size_of(h)]
                         : x->warp.pc + 4;
    }
}

static struct formed_flight *new_flight(struct base_shadow *h) {
    struct formed_flight *x = h->formed->flight;
    while (x->used) ++x;
    return x;
}

/* Follows the flights that S has selected: their threads must be the ones chosen by the engine. `within`: the
 * call comes from S, before the last flight has its threads. That flight is left out; it may have the slot of
 * an earlier flight, which has been committed. */
static void follow_selected(struct base_shadow *h, bool within, uint64_t t) {
    struct formed *d = h->formed;
    const struct unit *u = h->c->unit;
    const uint32_t end = u->selected - within;
    for (; d->selected != end; ++d->selected) {
        const unsigned n = u->order[d->selected % UNIT_RING];
        const struct unit_flight *f = &u->flight[n];
        struct formed_flight *x = new_flight(h);
        *x = d->next;
        x->used = true;
        x->place = d->selected;
        x->slot = n;
        if (!within || n != u->order[end % UNIT_RING])
            reckon_of(&h->place, "S: cycle of flight", n, t, f->s, x->s);
        reckon_of(&h->place, "S: PC of flight", n, t, f->pc, x->warp.pc);
        reckon_of(&h->place, "S: participating threads of flight", n, t, f->participating, x->warp.positions);
        for (uint64_t rest = x->warp.positions; rest; rest &= rest - 1) {
            const unsigned k = (unsigned)__builtin_ctzll(rest);
            reckon_of(&h->place, "S: home of a thread of flight", n, t, u->regrouped->home[n][k],
                      x->warp.home[k]);
        }
    }
}

/* Follows flights to the end of A as well. */
static void follow(struct base_shadow *h, bool within, uint64_t t) {
    struct formed *d = h->formed;
    follow_selected(h, within, t);
    for (; d->arbitrated != h->c->unit->arbitrated; ++d->arbitrated) {
        const struct formed_flight *x = d->flight;
        while (!x->used || x->place != d->arbitrated) ++x;
        for (uint64_t rest = x->warp.positions; rest; rest &= rest - 1) {
            const unsigned home = x->warp.home[__builtin_ctzll(rest)], its = home / size_of(h);
            const uint64_t bit = UINT64_C(1) << home % size_of(h);
            d->chosen[its] &= ~bit;
            h->warp[its].ready &= ~bit;
            h->warp[its].execution |= bit;
        }
    }
}

/* Returns whether S can take a warp in cycle t: A is free, or hands its flight over. */
static bool takes(const struct base_shadow *h, uint64_t t) {
    const struct unit *u = h->c->unit;
    const struct machine_config *m = h->c->config;
    const struct unit_flight *f = u->left == u->arbitrated ? NULL : unit_nth(u, u->left);
    const bool f_leaves = f && f->fetched <= t && u->left - u->collecting < m->simt.queue_entries;
    if (u->arbitrated == u->selected) return true;
    return unit_nth(u, u->arbitrated)->s + m->simt.arbitrate_cycles <= t && (!f || f_leaves);
}

/* Lets S choose a warp in cycle t: its threads must be ready and at its PC. */
static void choose(struct base_shadow *h, const struct formed_warp *w, uint32_t number, uint64_t t) {
    struct formed *d = h->formed;
    for (uint64_t rest = w->positions; rest; rest &= rest - 1) {
        const unsigned home = w->home[__builtin_ctzll(rest)];
        SAME(h, "engine: a thread of the selected warp is ready", t, true, is_ready(h, home));
        SAME(h, "engine: PC of the selected warp", t, w->pc,
             h->warp[home / size_of(h)].pc[home % size_of(h)]);
        d->chosen[home / size_of(h)] |= UINT64_C(1) << home % size_of(h);
    }
    d->next = (struct formed_flight){.number = number, .s = t, .warp = *w};
}

/* Commits a thread of an instruction. `acts`: its condition held. */
static void commit_thread(struct base_shadow *h, unsigned home, uint32_t at, uint32_t next, bool acts) {
    const unsigned k = home % size_of(h);
    const uint64_t bit = UINT64_C(1) << k;
    struct threads *w = &h->warp[home / size_of(h)];
    const enum coprocessor_operation o = acts ? operation_at(h, at) : COPROCESSOR_UNDEFINED;
    w->execution &= ~bit;
    w->pc[k] = next;
    if (o == COPROCESSOR_BARRIER) {
        w->barrier |= bit;
        w->barrier_pc[k] = h->arrive_pc = at;
        ++h->arrive;
    } else if (o == COPROCESSOR_EXIT) {
        --h->live;
        ++h->leave;
    } else {
        w->ready |= bit;
    }
}

static bool acts(const struct formed_flight *x, unsigned k) {
    return x->passed >> k & 1;
}

/* --- dwf --- */

/* Returns the positions of a flight that is over whose threads continue at a PC. */
static uint64_t continue_at(const struct base_shadow *h, const struct formed_flight *x, uint32_t pc) {
    uint64_t its = x->warp.positions;
    if (operation_at(h, x->warp.pc) == COPROCESSOR_EXIT) its &= ~x->passed;
    for (uint64_t rest = its; rest; rest &= rest - 1)
        if (x->next[__builtin_ctzll(rest)] != pc) its &= ~(rest & -rest);
    return its;
}

/* Gives the threads of the next home warp a number of the pool. */
static void begin_home(struct base_shadow *h, uint32_t number) {
    struct formed *d = h->formed;
    while (d->begun < h->c->warps && !base_live(&h->warp[d->begun])) ++d->begun;
    if (d->begun == h->c->warps) return;
    const unsigned w = d->begun++;
    d->pool[number].state = WARP_FORMATION_READY;
    d->pool[number].warp =
        (struct formed_warp){.positions = base_live(&h->warp[w]), .pc = h->c->launch->thunk};
    for (unsigned k = 0; k < size_of(h); ++k) d->pool[number].warp.home[k] = (uint16_t)(w * size_of(h) + k);
}

/* Checks that S selects a warp in the first cycle in which A takes it and a warp is ready. */
static void check_cycle(struct base_shadow *h, uint64_t t) {
    const struct unit *u = h->c->unit;
    uint64_t first = NEVER;
    if (u->selected != u->arbitrated || !u->selected) return; /* A hands over now, or SIMT mode begins */
    for (unsigned n = 0; n < MOST_WARPS; ++n)
        if (h->formed->pool[n].state == WARP_FORMATION_READY && h->formed->pool[n].since < first)
            first = h->formed->pool[n].since;
    const uint64_t left = unit_nth(u, u->selected - 1)->f - 1; /* the last cycle of the flight before in A */
    SAME(h, "formation: cycle of S", t, t, left > first ? left : first);
}

static void formation_issues(struct base_shadow *h, const struct warp_formation_table_in *in, uint64_t t) {
    struct formed *d = h->formed;
    if (d->pool[in->issue_warp].state == WARP_FORMATION_FREE) begin_home(h, in->issue_warp);
    SAME(h, "formation: S takes a warp", t, true, takes(h, t));
    check_cycle(h, t);
    SAME(h, "formation: a warp that is ready", t, d->pool[in->issue_warp].state, WARP_FORMATION_READY);
    SAME(h, "formation: issue_pc", t, in->issue_pc, d->pool[in->issue_warp].warp.pc);
    SAME(h, "formation: issue_group", t, in->issue_group, 0);
    choose(h, &d->pool[in->issue_warp].warp, in->issue_warp, t);
    d->pool[in->issue_warp].state = WARP_FORMATION_ISSUED;
}

/* Moves threads of a flight to a warp of the pool. */
static void move(struct formed_warp *to, const struct formed_warp *from, uint64_t positions, uint32_t pc) {
    to->pc = pc;
    to->positions |= positions;
    for (uint64_t rest = positions; rest; rest &= rest - 1)
        to->home[__builtin_ctzll(rest)] = from->home[__builtin_ctzll(rest)];
}

/* Returns the written flight whose threads come together; NULL if there is none. */
static struct formed_flight *comes_from(const struct base_shadow *h, uint64_t come, uint32_t pc, uint64_t t) {
    for (struct formed_flight *x = h->formed->flight; x < h->formed->flight + MOST_FLIGHTS; ++x) {
        if (!x->used || x->done & come || (come & ~x->warp.positions) || !is_written(h, x, t)) continue;
        end_flight(h, x);
        if (continue_at(h, x, pc) == come) return x;
    }
    return NULL;
}

static void formation_comes(struct base_shadow *h, const struct warp_formation_table_cycle *c, uint64_t t) {
    struct formed *d = h->formed;
    struct formed_flight *x = comes_from(h, c->in.come, c->in.come_pc, t);
    SAME(h, "formation: threads come together from a written flight", t, true, x != NULL);
    SAME(h, "formation: come_group", t, c->in.come_group, 0);
    if (!x) return;
    x->done |= c->in.come;
    if (d->pool[x->number].state == WARP_FORMATION_ISSUED) d->pool[x->number].state = WARP_FORMATION_FREE;
    if (c->out.hit) {
        SAME(h, "formation: a ready warp is joined", t, d->pool[c->out.warp].state, WARP_FORMATION_READY);
        SAME(h, "formation: PC of a warp that is joined", t, d->pool[c->out.warp].warp.pc, c->in.come_pc);
        SAME(h, "formation: positions that are joined", t, c->out.joined,
             c->in.come & ~d->pool[c->out.warp].warp.positions);
        move(&d->pool[c->out.warp].warp, &x->warp, c->out.joined, c->in.come_pc);
    }
    if (!c->out.left) return;
    SAME(h, "formation: new_warp is free", t, d->pool[c->in.new_warp].state, WARP_FORMATION_FREE);
    d->pool[c->in.new_warp].warp.positions = 0;
    move(&d->pool[c->in.new_warp].warp, &x->warp, c->out.left, c->in.come_pc);
    d->pool[c->in.new_warp].state = WARP_FORMATION_READY;
    d->pool[c->in.new_warp].since = t + 1;
}

/* Commits flights that have been written: all threads that continue have come together with others, or wait
 * at a barrier in their warp. */
static void formation_commits(struct base_shadow *h, uint64_t t) {
    struct formed *d = h->formed;
    for (struct formed_flight *x = d->flight; x < d->flight + MOST_FLIGHTS; ++x) {
        if (!x->used || !is_written(h, x, t)) continue;
        end_flight(h, x);
        const enum coprocessor_operation o = operation_at(h, x->warp.pc);
        if (o == COPROCESSOR_BARRIER) {
            d->pool[x->number].state = WARP_FORMATION_WAITING;
            d->pool[x->number].warp.pc += 4;
        } else {
            reckon_of(&h->place, "formation: threads that come, of flight", x->slot, t, x->done,
                      x->warp.positions & ~(o == COPROCESSOR_EXIT ? x->passed : 0));
            if (d->pool[x->number].state == WARP_FORMATION_ISSUED)
                d->pool[x->number].state = WARP_FORMATION_FREE;
        }
        for (uint64_t rest = x->warp.positions; rest; rest &= rest - 1) {
            const unsigned k = (unsigned)__builtin_ctzll(rest);
            commit_thread(h, x->warp.home[k], x->warp.pc, x->next[k], acts(x, k));
        }
        x->used = false;
    }
}

/* A commit is an event of the table if threads continue; after other commits the barriers are evaluated. */
static void formation(struct base_shadow *h, uint64_t t) {
    const struct warp_formation_table_cycle *c = model_of(h, CLUSTER_BLOCK_FORMATION);
    follow(h, false, t);
    if (c->in.issue) {
        formation_commits(h, t - 1);
        formation_issues(h, &c->in, t);
    }
    if (c->in.come) formation_comes(h, c, t);
}

/* --- HARP --- */

static unsigned home_in_row(const struct base_shadow *h, unsigned row, unsigned lane) {
    return row / h->c->rounds * size_of(h) + base_position(h, lane, row % h->c->rounds);
}

/* Gives the threads in lanes and rows as a warp whose lanes are the positions of round 0. */
static struct formed_warp in_rows(const struct base_shadow *h, uint32_t pc, uint32_t mask,
                                  const uint32_t *rows) {
    struct formed_warp w = {.pc = pc};
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest), k = base_position(h, lane, 0);
        w.positions |= UINT64_C(1) << k;
        w.home[k] = (uint16_t)home_in_row(h, rows[lane], lane);
    }
    return w;
}

static void harp_starts(struct base_shadow *h, const struct harp_scheduler_cycle *c, uint64_t t) {
    const struct formed_warp w = in_rows(h, c->in.pc, c->in.mask, c->in.rows);
    SAME(h, "HARP: pc of a warp that begins", t, c->in.pc, h->c->launch->thunk);
    SAME(h, "HARP: group of a warp that begins", t, c->in.group, 0);
    for (uint64_t rest = w.positions; rest; rest &= rest - 1) {
        const unsigned home = w.home[__builtin_ctzll(rest)];
        const uint64_t bit = UINT64_C(1) << home % size_of(h);
        SAME(h, "HARP: a thread begins once", t, (h->formed->starting[home / size_of(h)] & bit) != 0, false);
        h->formed->starting[home / size_of(h)] |= bit;
    }
}

/* Returns the flight with a number; NULL if there is none. */
static struct formed_flight *numbered(const struct base_shadow *h, uint32_t number) {
    for (struct formed_flight *x = h->formed->flight; x < h->formed->flight + MOST_FLIGHTS; ++x)
        if (x->used && !x->over && x->number == number) return x;
    return NULL;
}

static void harp_due(struct base_shadow *h, uint32_t number, uint64_t t) {
    struct formed_flight *x = numbered(h, number);
    SAME(h, "HARP: due", t, true, x && !x->in_memory && is_written(h, x, t));
    if (!x) return;
    end_flight(h, x);
    x->done = x->warp.positions;
}

/* Returns whether a thread of a load or store accesses memory, and not only its TPM. */
static bool leaves_tpm(const struct base_shadow *h, const struct formed_flight *x) {
    const struct arm_instruction *i = machine_code_at(h->c->launch->code, x->warp.pc);
    const struct arm_execution *e = &h->c->unit->execution[x->slot];
    const struct arm_threads *own = &h->c->threads[0];
    if (!i->is_load && !i->is_store) return false;
    for (uint64_t rest = e->passed; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        if (!(e->in_stack >> k & 1)) return true;
        for (uint32_t a = e->address[k] & ~3u; a < e->address[k] + i->access_bytes; a += 4)
            if ((own->stack_size - 1 - (a & (own->stack_size - 1))) / 4 >= own->stack_objects) return true;
    }
    return false;
}

static void harp_memory(struct base_shadow *h, uint32_t number, uint64_t t) {
    struct formed_flight *x = numbered(h, number);
    SAME(h, "HARP: memory", t, true, x && leaves_tpm(h, x));
    if (!x) return;
    SAME(h, "HARP: cycle of memory", t, t, h->c->unit->flight[x->slot].x);
    x->in_memory = true;
}

static void harp_done(struct base_shadow *h, unsigned lane, unsigned row, uint64_t t) {
    const unsigned k = base_position(h, lane, 0), home = home_in_row(h, row, lane);
    struct formed_flight *x = h->formed->flight, *const end = x + MOST_FLIGHTS;
    for (; x < end; ++x)
        if (x->used && x->in_memory && (x->warp.positions & ~x->done) >> k & 1 && x->warp.home[k] == home &&
            is_written(h, x, t))
            break;
    SAME(h, "HARP: done", t, true, x < end);
    if (x == end) return;
    end_flight(h, x);
    x->done |= UINT64_C(1) << k;
}

static void harp_releases(struct base_shadow *h, uint32_t group, uint64_t t) {
    SAME(h, "HARP: release", t, true, h->formed->opens);
    SAME(h, "HARP: group that is released", t, group, 0);
    h->formed->opens = false;
}

/* Checks that HARP knows flights that have been written, and flights that access memory. */
static void check_told(struct base_shadow *h, uint64_t t) {
    struct formed *d = h->formed;
    for (struct formed_flight *x = d->flight; x < d->flight + MOST_FLIGHTS; ++x) {
        if (!x->used || x->over || (int32_t)(h->c->unit->started - x->place) <= 0) continue;
        reckon_of(&h->place, "HARP: memory of flight", x->slot, t, x->in_memory, leaves_tpm(h, x));
        reckon_of(&h->place, "HARP: written flight that it does not know", x->slot, t, false,
                  is_written(h, x, t));
    }
}

static void harp_chooses(struct base_shadow *h, const struct harp_scheduler_cycle *c, uint64_t t) {
    struct formed *d = h->formed;
    const unsigned issued = (unsigned)__builtin_popcountll(c->q.fl_issued);
    check_told(h, t);
    for (unsigned w = 0; d->choice == NEVER && w < h->c->warps; ++w)
        reckon_of(&h->place, "HARP: threads that begin, of warp", w, t, d->starting[w],
                  base_live(&h->warp[w]));
    if (d->choice == NEVER)
        memset(d->starting, 0, sizeof d->starting);
    else
        SAME(h, "HARP: step", t, d->step, d->choice);
    if (c->in.issues || issued < c->q.fl_count) SAME(h, "HARP: issues", t, c->in.issues, takes(h, t));
    d->choice = t;
    d->commit = c->out.commit ? in_rows(h, c->out.commit_pc, c->out.commit_mask, c->commit_rows)
                              : (struct formed_warp){.pc = 0};
    if (!c->out.issue) return;
    const struct formed_warp w = in_rows(h, c->out.issue_pc, c->out.issue_mask, c->issue_rows);
    choose(h, &w, c->out.issue_number, t);
}

/* Commits a thread that HARP has chosen. Returns its next PC, 0 if it ends. */
static uint32_t harp_commits_thread(struct base_shadow *h, unsigned k, uint64_t t) {
    const struct formed_warp *w = &h->formed->commit;
    struct formed_flight *x = h->formed->flight, *const end = x + MOST_FLIGHTS;
    for (; x < end; ++x)
        if (x->used && x->warp.pc == w->pc && x->done >> k & 1 && x->warp.home[k] == w->home[k]) break;
    SAME(h, "HARP: a committed thread has executed its instruction", t, true, x < end);
    if (x == end) return 0;
    commit_thread(h, w->home[k], w->pc, x->next[k], acts(x, k));
    x->done &= ~(UINT64_C(1) << k);
    x->warp.positions &= ~(UINT64_C(1) << k);
    x->used = x->warp.positions != 0;
    return acts(x, k) && operation_at(h, w->pc) == COPROCESSOR_EXIT ? 0 : x->next[k];
}

/* Does the commit of cycle t, before the barriers. */
static void harp_commits(struct base_shadow *h, uint64_t t) {
    struct formed *d = h->formed;
    if (d->committed == t || d->choice != t) return;
    d->committed = t;
    memset(d->next_pc, 0, sizeof d->next_pc);
    for (unsigned lane = 0; lane < h->c->lanes; ++lane) {
        const unsigned k = base_position(h, lane, 0);
        if (d->commit.positions >> k & 1) d->next_pc[lane] = harp_commits_thread(h, k, t);
    }
}

/* The step gets the next PCs of the committed threads. All events of the cycle have been reported. */
static void harp_steps(struct base_shadow *h, const struct harp_scheduler_cycle *c, uint64_t t) {
    struct formed *d = h->formed;
    harp_commits(h, t);
    SAME(h, "HARP: choose", t, d->choice, t);
    SAME(h, "HARP: release", t, false, d->opens);
    d->step = t;
    check_told(h, t);
    if (!d->commit.positions) return;
    SAME(h, "HARP: meeting", t, c->in.meeting, shadow_meeting_of(h->c->launch->code, d->commit.pc));
    SAME(h, "HARP: waits", t, c->in.waits, operation_at(h, d->commit.pc) == COPROCESSOR_BARRIER);
    for (unsigned lane = 0; lane < h->c->lanes; ++lane)
        if (d->commit.positions >> base_position(h, lane, 0) & 1)
            reckon_of(&h->place, "HARP: next", lane, t, c->in.next[lane], d->next_pc[lane]);
}

static void harp(struct base_shadow *h, uint64_t t) {
    const struct harp_scheduler_cycle *c = model_of(h, CLUSTER_BLOCK_HARP);
    if (c->in.start) {
        harp_starts(h, c, t);
        return;
    }
    follow(h, false, t);
    if (c->in.due) harp_due(h, c->in.number, t);
    if (c->in.memory) harp_memory(h, c->in.number, t);
    for (uint32_t rest = c->in.done; rest; rest &= rest - 1)
        harp_done(h, (unsigned)__builtin_ctz(rest), c->in.rows[__builtin_ctz(rest)], t);
    if (c->in.release) harp_releases(h, c->in.group, t);
    if (c->in.choose) harp_chooses(h, c, t);
    if (c->in.step) harp_steps(h, c, t);
}

/* --- lwm --- */

static unsigned parts_of(const struct base_shadow *h) {
    return own_fields(h->c->config)->lwm.threads / size_of(h);
}

/* Returns the home of a thread of a large warp: thread n is in lane n mod lanes. */
static unsigned home_in_large(const struct base_shadow *h, unsigned warp, unsigned n) {
    const unsigned size = size_of(h), lanes = h->c->lanes;
    return (warp + n / size) * size + base_position(h, n % lanes, n % size / lanes);
}

/* Returns the threads of a large warp that are ready, or that wait at a barrier. */
static re_convergence_mask threads_in(const struct base_shadow *h, unsigned warp, bool ready) {
    re_convergence_mask all = 0;
    for (unsigned n = 0; n < own_fields(h->c->config)->lwm.threads; ++n) {
        const unsigned home = home_in_large(h, warp, n);
        const struct threads *w = &h->warp[home / size_of(h)];
        if (home / size_of(h) < h->c->warps && (ready ? w->ready : w->barrier) >> home % size_of(h) & 1)
            all |= (re_convergence_mask)1 << n;
    }
    return all;
}

/* Ends a flight of a large warp. */
static void end_part(struct base_shadow *h, struct formed_flight *x) {
    struct formed_large *l = &h->formed->large[x->number];
    end_flight(h, x);
    for (re_convergence_mask rest = l->begun & ~l->left; rest; rest &= rest - 1) {
        const unsigned n = re_convergence_first(rest), home = home_in_large(h, x->number, n);
        for (uint64_t at = x->warp.positions; at; at &= at - 1) {
            const unsigned k = (unsigned)__builtin_ctzll(at);
            if (x->warp.home[k] != home) continue;
            l->executed |= rest & -rest;
            if (acts(x, k)) l->passed |= rest & -rest;
            l->next[n] = x->next[k];
        }
    }
    x->used = false;
}

/* Commits the threads of a large warp and moves its stack. */
static void commit_large(struct base_shadow *h, unsigned warp, uint32_t pc) {
    struct formed_large *l = &h->formed->large[warp];
    struct shadow_warp *s = &h->stack[warp];
    const struct arm_instruction *i = machine_code_at(h->c->launch->code, pc);
    const enum coprocessor_operation o = base_operation(i);
    const bool exits = o == COPROCESSOR_EXIT;
    for (re_convergence_mask rest = l->begun; rest; rest &= rest - 1) {
        const unsigned n = re_convergence_first(rest);
        commit_thread(h, home_in_large(h, warp, n), pc, l->next[n], l->passed >> n & 1);
    }
    if (!exits && o != COPROCESSOR_BARRIER) {
        const bool calls = i->writes_pc && i->class == ARM_CLASS_BRANCH && i->destinations >> 14 & 1;
        shadow_stack_diverge(s, l->next, pc + 4, calls ? l->passed : 0,
                             shadow_meeting_of(h->c->launch->code, pc));
    } else {
        if (!exits || l->begun & ~l->passed) shadow_stack_advance(s);
        if (exits) shadow_stack_exit(s, l->passed);
        shadow_stack_stand(s, threads_in(h, warp, false));
    }
    l->begun = l->executed = l->passed = 0;
}

static void large_commits(struct base_shadow *h, uint64_t t) {
    for (struct formed_flight *x = h->formed->flight; x < h->formed->flight + MOST_FLIGHTS; ++x) {
        struct formed_large *l = &h->formed->large[x->number];
        if (!x->used || !is_written(h, x, t)) continue;
        end_part(h, x);
        if (!l->left && l->executed == l->begun) commit_large(h, x->number, x->warp.pc);
    }
}

/* S takes a sub-warp. */
static void packer(struct base_shadow *h, uint64_t t) {
    struct formed *d = h->formed;
    const struct subwarp_packer *p = model_of(h, CLUSTER_BLOCK_PACKER);
    const struct unit_flight *f = unit_nth(h->c->unit, h->c->unit->selected - 1);
    const unsigned lanes = h->c->lanes;
    const bool begins = d->next.s != t || d->next.number != f->formed;
    struct formed_large *l = &d->large[f->formed];
    struct formed_warp w = {.pc = h->stack[f->formed].depth ? shadow_top(&h->stack[f->formed])->pc : 0};
    if (begins) {
        SAME(h, "packer: A is free", t, h->c->unit->selected - 1, h->c->unit->arbitrated);
        d->rounds = 0;
    } else {
        w = d->next.warp;
    }
    if (!l->begun && h->stack[f->formed].depth)
        l->begun = l->left = shadow_top(&h->stack[f->formed])->mask & threads_in(h, f->formed, true);
    for (unsigned r = 0; r < p->cfg.rows; ++r) {
        const uint64_t row = (UINT64_C(1) << lanes) - 1;
        reckon_of(&h->place, "packer: threads that are left in row", r, t, p->in.mask[r],
                  l->left >> r * lanes & row);
        for (uint64_t rest = p->subwarp[r]; rest; rest &= rest - 1) {
            const unsigned lane = (unsigned)__builtin_ctzll(rest), k = base_position(h, lane, d->rounds);
            w.positions |= UINT64_C(1) << k;
            w.home[k] = (uint16_t)home_in_large(h, f->formed, r * lanes + lane);
        }
        l->left &= ~((re_convergence_mask)p->subwarp[r] << r * lanes);
    }
    ++d->rounds;
    d->next = (struct formed_flight){.number = f->formed, .s = t, .warp = w};
}

/* --- the blocks --- */

struct formed *base_formed_create(struct base_shadow *h) {
    const enum divergence_kind engine = h->c->config->simt.divergence;
    static const enum cluster_block blocks[] = {CLUSTER_BLOCK_FORMATION, CLUSTER_BLOCK_HARP,
                                                CLUSTER_BLOCK_PACKER};
    bool has = false;
    for (unsigned b = 0; b < sizeof blocks / sizeof *blocks; ++b) {
        h->place.hook.attached[blocks[b]] = h->c->unit->regrouped && model_of(h, blocks[b]);
        has |= h->place.hook.attached[blocks[b]];
    }
    if (!has) return NULL;
    struct formed *d = calloc(1, sizeof *d);
    require_memory(d);
    d->engine = engine;
    return d;
}

void base_formed_begin(struct base_shadow *h) {
    struct formed *d = h->formed;
    memset(d->flight, 0, sizeof d->flight);
    memset(d->chosen, 0, sizeof d->chosen);
    memset(d->large, 0, sizeof d->large);
    memset(d->pool, 0, sizeof d->pool);
    d->selected = d->arbitrated = 0;
    d->opens = false;
    d->choice = d->committed = NEVER;
    d->next.s = NEVER;
    d->begun = 0;
    for (unsigned w = 0; d->engine == DIVERGENCE_lwm && w < h->c->warps; w += parts_of(h))
        shadow_stack_start(&h->stack[w], threads_in(h, w, true), h->c->launch->thunk);
}

void base_formed_cycle(struct base_shadow *h, enum cluster_block block, uint64_t t) {
    struct formed *d = h->formed;
    switch (block) {
    case CLUSTER_BLOCK_FORMATION: formation(h, t); break;
    case CLUSTER_BLOCK_HARP: harp(h, t); break;
    case CLUSTER_BLOCK_PACKER:
        follow(h, true, t);
        large_commits(h, t - 1);
        packer(h, t);
        break;
    case CLUSTER_BLOCK_BARRIERS:
        follow(h, false, t);
        if (d->engine == DIVERGENCE_dwf) formation_commits(h, t);
        if (d->engine == DIVERGENCE_harp) harp_commits(h, t);
        if (d->engine == DIVERGENCE_lwm) large_commits(h, t);
        break;
    default: break;
    }
}

void base_formed_released(struct base_shadow *h, uint64_t t) {
    struct formed *d = h->formed;
    d->opens = d->engine == DIVERGENCE_harp;
    for (unsigned n = 0; n < MOST_WARPS; ++n)
        if (d->pool[n].state == WARP_FORMATION_WAITING) {
            d->pool[n].state = WARP_FORMATION_READY;
            d->pool[n].since = t + 1;
        }
}
