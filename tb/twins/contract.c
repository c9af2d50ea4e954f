#include "tb/twins/contract.h"

#include "model/control/branch_predictor.h"
#include "model/control/issue_select.h"
#include "model/control/load_store_queue.h"
#include "model/control/scalar_scheduler.h"
#include "model/control/work_group_dispatcher.h"
#include "sim/error.h"

#include <stdlib.h>

/* --- warp_scheduler --- */

static const struct contract_rule scheduler_rules[] = {
    {"grant_is_one_hot", "grant_o has more than one warp"},
    {"only_the_ready_are_granted", "grant_o has a warp that is not in ready_i, or take_i is 0"},
    {"valid_says_that_there_is_a_grant", "valid_o is not 1 exactly when grant_o has a warp"},
    {"warp_is_the_granted_one", "warp_o is not the number of the warp in grant_o"},
    {"a_grant_comes_in_time", "no warp is granted in 4,096 cycles in which take_i is 1 and a warp is ready"},
    {"a_ready_warp_gets_its_turn", "a warp stays in ready_i without a grant while others get 64 grants for "
                                   "each warp (with simt.scheduler: round_robin)"},
};

/* Follows a cycle in which the warps `ready` could be granted (`take`) and those of `grant` were granted.
 * Returns 0, or the number of the exceeded bound: 1 for idle cycles, 2 for turns. */
static unsigned follow_waits(struct contract_state *s, warp_set ready, bool take, warp_set grant) {
    struct contract_waits *w = &s->waits;
    if (grant)
        w->idle = 0;
    else if (take && ready && ++w->idle >= CONTRACT_MOST_IDLE)
        return 1;
    w->waiting &= ready & ~grant;
    if (!grant || !s->fair) return 0;
    if (w->grants++ < CONTRACT_MOST_TURNS / 2 * s->fair) return 0;
    if (w->waiting) return 2;
    w->waiting = ready & ~grant;
    w->grants = 0;
    return 0;
}

static const struct contract_rule *check_scheduler(struct contract_state *s, const void *inputs,
                                                   const void *outputs) {
    const struct warp_scheduler_in *in = inputs;
    const struct warp_scheduler_out *out = outputs;
    if (out->grant & (out->grant - 1)) return &scheduler_rules[0];
    if (out->grant & ~(in->take ? in->ready : 0)) return &scheduler_rules[1];
    if (out->valid != (out->grant != 0)) return &scheduler_rules[2];
    if (out->grant && out->warp != warp_set_first(out->grant)) return &scheduler_rules[3];
    const unsigned exceeded = follow_waits(s, in->ready, in->take, out->grant);
    return exceeded ? &scheduler_rules[3 + exceeded] : NULL;
}

/* --- warp_pc_arbiter --- */

static const struct contract_rule arbiter_rules[] = {
    {"chosen_is_one_hot", "wtid_o has more than one thread"},
    {"chosen_is_ready", "wtid_o has a thread that is not in ready_i"},
    {"a_ready_thread_is_chosen_if_any", "wtid_o is 0 though ready_i has threads, each with a level"},
    {"pc_is_that_of_the_chosen", "pc_o is not the PC in pc_i of the thread in wtid_o"},
    {"only_the_ready_at_the_pc_participate",
     "participating_o has a thread that is not in ready_i, or that has another PC than pc_o"},
    {"chosen_participates", "the thread in wtid_o is not in participating_o"},
};

/* Returns whether one of the threads has another PC. */
static bool elsewhere(const uint32_t *restrict pcs, uint64_t threads, uint32_t pc) {
    const unsigned end = 64 - (unsigned)__builtin_clzll(threads | 1);
    uint32_t different = 0;
    for (unsigned k = 0; k < end; ++k) different |= (pcs[k] ^ pc) & -(uint32_t)(threads >> k & 1);
    return different;
}

/* Returns threads that have a priority level. In a machine every thread has one, with random inputs not. */
static uint64_t with_a_level(const uint64_t *priority) {
    uint64_t threads = 0;
    for (unsigned n = 0; n < TDT_MAX_LEVELS; ++n) threads |= priority[n];
    return threads;
}

static const struct contract_rule *check_arbiter(struct contract_state *s, const void *inputs,
                                                 const void *outputs) {
    const struct warp_pc_arbiter_in *in = inputs;
    const struct warp_pc_arbiter_out *out = outputs;
    (void)s;
    if (out->wtid & (out->wtid - 1)) return &arbiter_rules[0];
    if (out->wtid & ~in->ready) return &arbiter_rules[1];
    if (!out->wtid && in->ready && !(in->ready & ~with_a_level(in->priority))) return &arbiter_rules[2];
    if (out->wtid && in->pc[__builtin_ctzll(out->wtid)] != out->pc) return &arbiter_rules[3];
    if (out->participating & ~in->ready || elsewhere(in->pc, out->participating, out->pc))
        return &arbiter_rules[4];
    if (out->wtid & ~out->participating) return &arbiter_rules[5];
    return NULL;
}

/* --- barrier_table --- */

static const struct contract_rule barrier_rules[] = {
    {"never_opens_early", "opens_o is 1 though not all live threads wait at one barrier"},
    {"opens_when_the_last_one_arrives", "opens_o is 0 though all live threads now wait at one barrier"},
    {"released_in_the_cycle_after", "release_o is not what opens_o was in the cycle before, or "
                                    "release_scalar_o not that of scalar threads that were waited for"},
    {"deadlock_only_if_all_wait_not_at_one",
     "deadlock_o is 1 though not all live threads wait, or all at one barrier"},
    {"deadlock_is_seen_at_once", "deadlock_o is 0 though all live threads now wait, at different barriers"},
    {"exits_are_remembered", "exited_o does not say whether threads of the work-group have exited"},
};

static uint64_t bit_of(unsigned n) {
    return UINT64_C(1) << n;
}

static void start_group(struct contract_state *s, const struct barrier_table_in *in) {
    const uint64_t bit = bit_of(in->start_group);
    s->group[in->start_group] =
        (struct contract_group){.live = in->start_live, .scalar_live = in->start_scalar};
    s->used |= bit;
    s->left &= ~bit;
    s->gone &= ~bit;
}

static void arrive(struct contract_group *g, const struct barrier_table_in *in) {
    if (g->waiting == 0) {
        g->pc = in->arrive_pc;
        g->with = in->arrive_scalar;
    }
    g->mixed |= g->pc != in->arrive_pc || g->with != in->arrive_scalar;
    g->waiting += in->arrive_count;
}

/* Updates the work-groups by the inputs of a cycle. Released threads no longer wait. */
static void follow_groups(struct contract_state *s, const struct barrier_table_in *in, uint64_t released,
                          uint64_t released_scalar) {
    for (uint64_t rest = released_scalar | in->scalar_arrives | in->scalar_exits; rest; rest &= rest - 1) {
        const unsigned n = (unsigned)__builtin_ctzll(rest);
        struct contract_group *g = &s->group[n];
        g->scalar_waits =
            (g->scalar_waits && !(released_scalar & bit_of(n))) || in->scalar_arrives & bit_of(n);
        g->scalar_live &= !(in->scalar_exits & bit_of(n));
    }
    s->gone |= in->scalar_exits;
    if (in->exit_count) {
        s->left |= bit_of(in->exit_group);
        s->group[in->exit_group].live -= in->exit_count;
    }
    if (in->arrive_count) arrive(&s->group[in->arrive_group], in);
    if (in->start) start_group(s, in);
    for (uint64_t rest = released; rest; rest &= rest - 1) {
        struct contract_group *g = &s->group[__builtin_ctzll(rest)];
        g->waiting = 0;
        g->mixed = false;
    }
}

static const struct contract_rule *check_barriers(struct contract_state *s, const void *inputs,
                                                  const void *outputs) {
    const struct barrier_table_out *out = outputs;
    const uint64_t released = s->opened, released_scalar = s->opened_scalar, exited = s->exited;
    /* The exit of the scalar thread counts when a barrier that includes it opens, not before. */
    const uint64_t open = s->gone & ~s->left & ~released;
    uint64_t stuck = 0;
    follow_groups(s, inputs, released, released_scalar);
    s->opened = s->opened_scalar = 0;
    s->exited = s->left;
    for (uint64_t rest = s->used; rest; rest &= rest - 1) {
        const unsigned n = (unsigned)__builtin_ctzll(rest);
        const struct contract_group *g = &s->group[n];
        const bool all_wait = g->waiting && g->waiting == g->live, alone = !g->live && g->scalar_waits;
        const bool together = all_wait && !g->mixed && (!g->with || !g->scalar_live || g->scalar_waits);
        if (alone || together) s->opened |= bit_of(n);
        if (g->scalar_waits && (alone || (together && g->with))) s->opened_scalar |= bit_of(n);
        if (all_wait && g->mixed) stuck |= bit_of(n);
        if (g->with && s->gone & bit_of(n)) s->exited |= bit_of(n);
    }
    if (out->opens & ~s->opened) return &barrier_rules[0];
    if (s->opened & ~out->opens) return &barrier_rules[1];
    if (out->release != released || out->release_scalar != released_scalar) return &barrier_rules[2];
    if (out->deadlock & ~stuck) return &barrier_rules[3];
    if (stuck & ~out->deadlock) return &barrier_rules[4];
    if ((out->exited ^ exited) & ~open) return &barrier_rules[5];
    return NULL;
}

/* --- scalar_scheduler: in a machine, threads are ready only in cycles of the unit --- */

static const struct contract_rule scalar_rules[] = {
    {"only_a_ready_one", "thread_o is not the number of a thread in ready_i"},
    {"one_if_one_is_ready", "valid_o is 0 though ready_i has a thread"},
    {"zero_for_none", "thread_o is not 0 though valid_o is"},
};

static const struct contract_rule *check_scalar(struct contract_state *s, const void *inputs,
                                                const void *outputs) {
    const struct scalar_scheduler_in *in = inputs;
    const struct scalar_scheduler_out *out = outputs;
    (void)s;
    if (out->valid && (out->thread > 63 || !(in->ready >> out->thread & 1))) return &scalar_rules[0];
    if (!out->valid && in->ready && out->tick) return &scalar_rules[1];
    if (!out->valid && out->thread) return &scalar_rules[2];
    return NULL;
}

/* --- work_group_dispatcher --- */

static const struct contract_rule group_rules[] = {
    {"one_is_put_out_while_one_is_left", "valid_o is 0 though a work-group is left"},
    {"none_is_put_out_when_none_is_left", "valid_o is 1 though no work-group is left"},
    {"an_id_is_inside_the_launch", "x_o, y_o or z_o is not below its count"},
    {"the_number_is_that_of_the_id", "number_o is not x_o + count_x · (y_o + count_y · z_o)"},
    {"each_is_handed_out_once", "the work-group that is put out has been handed out before"},
};

static void begin_launch(struct contract_launch *s, const struct work_group_dispatcher_in *in) {
    free(s->given);
    s->count[0] = in->count_x;
    s->count[1] = in->count_y;
    s->count[2] = in->count_z;
    s->left = (uint64_t)in->count_x * in->count_y * in->count_z;
    s->given = calloc(s->left / 64 + 1, sizeof *s->given);
    require_memory(s->given);
}

static const struct contract_rule *check_put_out(const struct contract_launch *s,
                                                 const struct work_group_dispatcher_out *out) {
    if (out->valid != (s->left != 0)) return &group_rules[out->valid];
    if (!out->valid) return NULL;
    if (out->x >= s->count[0] || out->y >= s->count[1] || out->z >= s->count[2]) return &group_rules[2];
    if (out->number != out->x + s->count[0] * (out->y + s->count[1] * (uint64_t)out->z))
        return &group_rules[3];
    return s->given[out->number / 64] >> out->number % 64 & 1 ? &group_rules[4] : NULL;
}

static const struct contract_rule *check_groups(struct contract_state *state, const void *inputs,
                                                const void *outputs) {
    const struct work_group_dispatcher_in *in = inputs;
    const struct work_group_dispatcher_out *out = outputs;
    struct contract_launch *s = &state->launch;
    const struct contract_rule *broken = check_put_out(s, out);
    if (broken) return broken;
    if (in->begin) {
        begin_launch(s, in);
    } else if (in->take && out->valid) {
        s->given[out->number / 64] |= UINT64_C(1) << out->number % 64;
        --s->left;
    }
    return NULL;
}

/* --- branch_predictor --- */

static const struct contract_rule predictor_rules[] = {
    {"only_a_branch_of_the_fetch_is_taken", "taken_o is 1, and the instruction in slot_o is not in branch_i"},
};

static const struct contract_rule *check_predictor(struct contract_state *s, const void *inputs,
                                                   const void *outputs) {
    (void)s;
    const struct branch_predictor_in *in = inputs;
    const struct branch_predictor_out *out = outputs;
    return out->taken && !(in->fetch && in->branch >> out->slot & 1) ? predictor_rules : NULL;
}

/* --- issue_select --- */

static const struct contract_rule select_rules[] = {
    {"only_the_ready_issue", "slot_o has an instruction that is not ready"},
    {"an_instruction_issues_once", "slot_o has an instruction twice"},
    {"no_load_goes_before_an_unknown_store", "slot_o has a load that follows a store of unknown_i"},
    {"each_has_a_free_unit_of_its_kind", "unit_o is not free, or executes no such instruction"},
    {"a_unit_takes_one", "unit_o has a unit twice"},
    {"one_issues_if_one_can", "issue_o is 0 though a ready instruction has a free unit"},
};

/* The sizes of the core are those of the model, of which `inputs` is a part. */
static const struct issue_select *select_of(const void *inputs) {
    return (const void *)((const char *)inputs - offsetof(struct issue_select, in));
}

/* Loads that follow a store of unknown_i. */
static unsigned __int128 held_loads(const struct issue_select *s) {
    unsigned __int128 held = 0;
    bool unknown = false;
    for (unsigned age = 0; age < s->cfg.window; ++age) {
        const unsigned __int128 bit = issue_select_slot((s->in.first + age) % s->cfg.window);
        if (unknown) held |= bit;
        unknown |= (s->in.unknown & bit) != 0;
    }
    return held & s->in.load;
}

/* Units that execute the instruction. */
static uint32_t units_for(const struct issue_select *s, unsigned __int128 bit) {
    const uint32_t integers = (1u << s->cfg.integer_units) - 1, vfp = (1u << s->cfg.vfp_units) - 1;
    const uint32_t any = s->in.needs_first & bit ? 1 : ~0u;
    return (s->in.integer & bit ? integers & any : 0) |
           (s->in.vfp & bit ? (vfp & any) << s->cfg.integer_units : 0) |
           ((s->in.load | s->in.store) & bit ? 1u << issue_select_load_store(s) : 0);
}

static const struct contract_rule *check_select(struct contract_state *state, const void *inputs,
                                                const void *outputs) {
    (void)state;
    const struct issue_select *s = select_of(inputs);
    const struct issue_select_out *out = outputs;
    const unsigned __int128 held = held_loads(s);
    const unsigned __int128 ready = s->in.integer | s->in.vfp | s->in.load | s->in.store;
    unsigned __int128 issued = 0;
    uint32_t taken = 0;
    for (unsigned n = 0; n < s->cfg.issue_width; ++n) {
        if (!(out->issue >> n & 1)) continue;
        const unsigned __int128 bit = out->slot[n] < s->cfg.window ? issue_select_slot(out->slot[n]) : 0;
        const uint32_t unit = out->unit[n] < 32 ? 1u << out->unit[n] : 0;
        if (!(ready & bit)) return &select_rules[0];
        if (issued & bit) return &select_rules[1];
        if (held & bit) return &select_rules[2];
        if (!(units_for(s, bit) & s->in.free & unit)) return &select_rules[3];
        if (taken & unit) return &select_rules[4];
        issued |= bit;
        taken |= unit;
    }
    for (unsigned slot = 0; !issued && slot < s->cfg.window; ++slot)
        if (units_for(s, issue_select_slot(slot) & ~held) & s->in.free) return &select_rules[5];
    return NULL;
}

/* --- load_store_queue --- */

static const struct contract_rule queue_rules[] = {
    {"room_is_what_is_left", "room_o is not the number of free entries"},
    {"positions_count_the_stores", "end_o is not the position of the next store"},
    {"the_oldest_store_is_shown",
     "oldest_o, oldest_first_o or oldest_last_o are not those of the oldest store"},
    {"a_load_gets_one_answer", "forward_o and wait_o without a search, or both"},
    {"no_forward_from_a_younger_store", "slot_o has no store that is older than the load"},
    {"a_forwarding_store_has_all_bytes", "slot_o has a store without all bytes of the load"},
    {"no_load_gets_older_data", "the load passes an older store that overlaps or has no address"},
    {"a_load_waits_for_older_stores_only", "wait_o without an older store"},
};

/* Returns the model that has these inputs. Its state is that of the queue. */
static const struct load_store_queue *queue_of(const void *inputs) {
    return (const void *)((const char *)inputs - offsetof(struct load_store_queue, in));
}

/* Checks the answer to a load. */
static const struct contract_rule *check_search(const struct load_store_queue *q,
                                                const struct load_store_queue_out *out) {
    const unsigned older = (q->in.position + 2 * q->queue - q->now.head) % (2 * q->queue);
    unsigned n = 0; /* number of stores up to the one that forwards */
    if (out->wait) return older ? NULL : &queue_rules[7];
    if (out->forward) {
        n = (out->slot + q->queue - q->now.head % q->queue) % q->queue + 1;
        if (out->slot >= q->queue || n > older) return &queue_rules[4];
        if (!(q->now.known >> out->slot & 1) || q->now.first[out->slot] > q->in.first ||
            q->now.last[out->slot] < q->in.last)
            return &queue_rules[5];
    }
    for (; n < older; ++n) {
        const unsigned slot = load_store_queue_later(q, q->now.head, n) % q->queue;
        const bool apart = q->now.first[slot] > q->in.last || q->now.last[slot] < q->in.first;
        if (!(q->now.known >> slot & 1) || !apart) return &queue_rules[6];
    }
    return NULL;
}

static const struct contract_rule *check_queue(struct contract_state *state, const void *inputs,
                                               const void *outputs) {
    (void)state;
    const struct load_store_queue *q = queue_of(inputs);
    const struct load_store_queue_out *out = outputs;
    const unsigned oldest = q->now.head % q->queue;
    const bool known = q->now.known >> oldest & 1;
    if (out->room != q->queue - q->now.loads - load_store_queue_stores(q)) return &queue_rules[0];
    if (out->end != q->now.end) return &queue_rules[1];
    if (out->oldest != known || out->oldest_first != (known ? q->now.first[oldest] : 0) ||
        out->oldest_last != (known ? q->now.last[oldest] : 0))
        return &queue_rules[2];
    if ((out->forward && out->wait) || (!q->in.search && (out->forward || out->wait))) return &queue_rules[3];
    return q->in.search ? check_search(q, out) : NULL;
}

/* --- simt_coprocessor: its choices; the model makes them, and compares its other outputs --- */

static const struct contract_rule whole_rules[] = {
    {"only_the_ready_are_selected", "select_warp_o is not runnable, or is the warp in A"},
    {"a_takes_one_when_it_is_free", "select_o is 1 though A has a warp and fetch_o is 0"},
    {"f_takes_one_when_it_is_free", "fetch_o is 1 though A has no warp, or F has one that stays"},
    {"what_the_arbiter_chooses_leaves_a", "fetch_wtid_o, fetch_pc_o and fetch_threads_o are not what an "
                                          "arbiter may choose: one thread that is Ready, "
                                          "its PC, and with it some that are Ready at that PC"},
    {"a_warp_is_selected_in_time",
     "no warp is selected in 4,096 cycles in which one is runnable and A takes one"},
    {"a_warp_leaves_a_in_time", "fetch_o is 0 for 4,096 cycles in a row though A has a warp and F takes one"},
};

const struct contract_rule *contract_choice(struct contract_state *s, const struct simt_coprocessor *model,
                                            const struct simt_coprocessor_out *out) {
    const struct warp_pc_arbiter_in *row = &model->blocks.arbiter->in;
    const struct warp_pc_arbiter_out fetched = {.wtid = out->fetch_wtid,
                                                .pc = out->fetch_pc,
                                                .participating = out->fetch_threads,
                                                .level = out->fetch_level};
    const warp_set ready = model->blocks.scheduler->in.ready;
    const bool f_stays = model->q.f_valid && !simt_coprocessor_f_leaves(model);
    const bool leaves = model->q.a_valid && !f_stays;
    s->choice = NULL;
    if (out->select && (out->select_warp > 127 || !warp_set_has(ready, out->select_warp)))
        s->choice = &whole_rules[0];
    else if (out->select && model->q.a_valid && !out->fetch)
        s->choice = &whole_rules[1];
    else if (out->fetch && (!model->q.a_valid || f_stays))
        s->choice = &whole_rules[2];
    else if (out->fetch && (!out->fetch_wtid || check_arbiter(s, row, &fetched)))
        s->choice = &whole_rules[3];
    if (s->choice) return s->choice;
    s->waits.held = leaves && !out->fetch ? s->waits.held + 1 : 0;
    if (follow_waits(s, ready, model->blocks.scheduler->in.take,
                     out->select ? warp_bit(out->select_warp) : 0))
        s->choice = &whole_rules[4];
    else if (s->waits.held >= CONTRACT_MOST_IDLE)
        s->choice = &whole_rules[5];
    return s->choice;
}

static const struct contract_rule *check_whole(struct contract_state *s, const void *inputs,
                                               const void *outputs) {
    (void)inputs;
    (void)outputs;
    return s->choice;
}

/* --- the table --- */

void contract_forget(struct contract_state *s) {
    free(s->launch.given);
    *s = (struct contract_state){.fair = s->fair};
}

/* --- latency --- */

#define MOST_TIMES 3

/* The machine does not keep inputs for a later answer. */
#define SAME_CYCLE "in the cycle of their inputs: not later, and never withheld"

static const struct contract_time times[CLUSTER_BLOCK_COUNT][MOST_TIMES] = {
    [CLUSTER_BLOCK_SCHEDULER] =
        {{"valid_o, warp_o, grant_o",
          "in a cycle in which take_i is 1, for warps that are ready in that cycle. They may be withheld "
          "(valid_o = 0) for fewer than 4,096 such cycles"},
         {"grant_o of a warp",
          "with simt.scheduler: round_robin, before the others have got 64 grants for each "
          "warp, if the warp stays ready. greedy_oldest and two_level have no bound: a warp "
          "may wait for ever while an older or an active one stays ready"}},
    [CLUSTER_BLOCK_ARBITER] = {{"all outputs", "in the cycle of their inputs, of which the last of "
                                               "simt.arbitrate_cycles counts: never withheld"}},
    [CLUSTER_BLOCK_BARRIERS] = {{"opens_o, deadlock_o",
                                 "in the cycle of the last arrival or exit: not later"},
                                {"release_o, release_scalar_o", "exactly one cycle after opens_o"},
                                {"exited_o", "one cycle after the exit, and until the next start"}},
    [CLUSTER_BLOCK_SCALAR] = {{"tick_o", "in every DIVISOR-th cycle"},
                              {"valid_o, thread_o", "in each cycle with tick_o and a ready thread: never "
                                                    "withheld"}},
    [CLUSTER_BLOCK_GROUPS] = {{"valid_o, number_o, x_o, y_o, z_o",
                               "registered: the next work-group one cycle after begin_i or take_i, never "
                               "withheld while one is left"}},
    [CLUSTER_BLOCK_COPROCESSOR] =
        {{"select_o, fetch_o", "may be withheld for fewer than 4,096 cycles in which a warp could go to A, "
                               "or leave it"},
         {"decode_o, offer_o, runnable_o, live_o, release_o, exited_o",
          "registered: one cycle after what they "
          "tell"},
         {"all others", "in the cycle of their inputs; done_o in the cycle of the last exit"}},
    [CHANNEL_BLOCK_DRAM] = {{"ready_o",
                             "registered: 0 while QUEUE requests wait, and a request is then not taken"},
                            {"command_o, bank_o", "for the first bank in turn, in the first cycle that the "
                                                  "distances of the inputs permit"},
                            {"done_o, tag_o, hit_o",
                             "in the cycle of the last column access: later than the "
                             "request by the distances and by the requests before it"}},
    [CLUSTER_BLOCK_COALESCER] = {{"all outputs",
                                  "in the cycle of valid_i, one transaction a cycle; the inputs "
                                  "stay until last_o. Never withheld"}},
    [CLUSTER_BLOCK_RESOLVER] = {{"all outputs",
                                 "in the cycle of valid_i, one pass a cycle; the inputs stay until "
                                 "last_o. Never withheld"}},
    [CLUSTER_BLOCK_DISPATCHER] = {{"ready_o", "registered: 0 while beats of an instruction are left"},
                                  {"all others",
                                   "the first beat in the cycle of valid_i with ready_o, each next "
                                   "one occupancy_i cycles later, or when hold_i falls"}},
    [CLUSTER_BLOCK_COLLECTOR] = {{"start_o",
                                  "in the cycle of valid_i, withheld while all COLLECTORS buffers are "
                                  "taken"},
                                 {"all others",
                                  "batches of reads every READ_LATENCY cycles, later by the cycles "
                                  "with stall_o; done_o in the last one"}},
    [CLUSTER_BLOCK_WRITEBACK] = {{"all outputs",
                                  "in the cycle of the last result, later by the cycles in which "
                                  "warps that landed before use the write ports"}},
};

static const struct contract_time same_cycle = {"all outputs", SAME_CYCLE};

const struct contract_time *contract_time(enum cluster_block b, unsigned n) {
    if (!times[b][0].outputs) return n ? NULL : &same_cycle;
    return n < MOST_TIMES && times[b][n].outputs ? &times[b][n] : NULL;
}

#define USED_BEFORE "the machine has used the answer before the end of the cycle, when the Verilog gives it"

const char *contract_unused(enum cluster_block b) {
    switch (b) {
    case CLUSTER_BLOCK_DISPATCHER:
    case CLUSTER_BLOCK_DESCRIPTORS:
    case CLUSTER_BLOCK_TOKENS:
    case CLUSTER_BLOCK_RENAME:
    case CLUSTER_BLOCK_REUSE:
    case CLUSTER_BLOCK_MISSES:
    case CLUSTER_BLOCK_STACK:
    case CLUSTER_BLOCK_READY_LOOKUP:
    case CLUSTER_BLOCK_WAITING_LOOKUP:
    case CLUSTER_BLOCK_FORMATION:
    case CLUSTER_BLOCK_SECOND_LEVEL:
    case CLUSTER_BLOCK_MEETINGS:
    case CLUSTER_BLOCK_HARP: return USED_BEFORE;
    case CLUSTER_BLOCK_COMPACTOR:
        return "the banks that an instruction reads were chosen by its rounds at issue";
    case CHANNEL_BLOCK_DRAM: return "the channel would answer requests that were never made";
    default: return NULL;
    }
}

#define RULES(rules, rest, check)                                                                            \
    { rules, sizeof(rules) / sizeof(rules)[0], rest, check }

const struct contract contract[CLUSTER_BLOCK_COUNT + 1] = {
    [CLUSTER_BLOCK_SCHEDULER] = RULES(scheduler_rules, false, check_scheduler),
    [CLUSTER_BLOCK_ARBITER] = RULES(arbiter_rules, false, check_arbiter),
    [CLUSTER_BLOCK_BARRIERS] = RULES(barrier_rules, false, check_barriers),
    [CLUSTER_BLOCK_COPROCESSOR] = RULES(whole_rules, true, check_whole),
    [CLUSTER_BLOCK_SCALAR] = RULES(scalar_rules, false, check_scalar),
    [CLUSTER_BLOCK_GROUPS] = RULES(group_rules, false, check_groups),
    [CLUSTER_BLOCK_PREDICTOR] = RULES(predictor_rules, false, check_predictor),
    [CLUSTER_BLOCK_SELECT] = RULES(select_rules, false, check_select),
    [CLUSTER_BLOCK_QUEUE] = RULES(queue_rules, false, check_queue),
};

_Static_assert(sizeof(struct warp_scheduler_out) <= CONTRACT_MAX_BYTES &&
                   sizeof(struct warp_pc_arbiter_out) <= CONTRACT_MAX_BYTES &&
                   sizeof(struct barrier_table_out) <= CONTRACT_MAX_BYTES &&
                   sizeof(struct simt_coprocessor_out) <= CONTRACT_MAX_BYTES &&
                   sizeof(struct branch_predictor_out) <= CONTRACT_MAX_BYTES &&
                   sizeof(struct issue_select_out) <= CONTRACT_MAX_BYTES &&
                   sizeof(struct load_store_queue_out) <= CONTRACT_MAX_BYTES &&
                   sizeof(struct work_group_dispatcher_out) <= CONTRACT_MAX_BYTES,
               "CONTRACT_MAX_BYTES");
