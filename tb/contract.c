#include "tb/contract.h"

/* --- warp_scheduler --- */

static const struct contract_rule scheduler_rules[] = {
    {"grant_is_one_hot", "grant_o has more than one warp"},
    {"only_the_ready_are_granted", "grant_o has a warp that is not in ready_i, or take_i is 0"},
    {"valid_says_that_there_is_a_grant", "valid_o is not 1 exactly when grant_o has a warp"},
    {"warp_is_the_granted_one", "warp_o is not the number of the warp in grant_o"},
};

static const struct contract_rule *check_scheduler(struct contract_state *s, const void *inputs,
                                                   const void *outputs) {
    const struct warp_scheduler_in *in = inputs;
    const struct warp_scheduler_out *out = outputs;
    (void)s;
    if (out->grant & (out->grant - 1)) return &scheduler_rules[0];
    if (out->grant & ~(in->take ? in->ready : 0)) return &scheduler_rules[1];
    if (out->valid != (out->grant != 0)) return &scheduler_rules[2];
    if (out->grant && out->warp != (unsigned)__builtin_ctzll(out->grant)) return &scheduler_rules[3];
    return NULL;
}

/* --- warp_pc_arbiter --- */

static const struct contract_rule arbiter_rules[] = {
    {"chosen_is_one_hot", "wtid_o has more than one thread"},
    {"chosen_is_ready", "wtid_o has a thread that is not in ready_i"},
    {"a_ready_thread_is_chosen_if_any", "wtid_o is 0 though ready_i has a thread"},
    {"pc_is_that_of_the_chosen", "pc_o is not the PC in pc_i of the thread in wtid_o"},
    {"only_the_ready_at_the_pc_participate",
     "participating_o has a thread that is not in ready_i, or whose PC is not pc_o"},
    {"chosen_participates", "the thread in wtid_o is not in participating_o"},
};

/* Has one of the threads another PC? */
static bool elsewhere(const uint32_t *restrict pcs, uint64_t threads, uint32_t pc) {
    const unsigned end = 64 - (unsigned)__builtin_clzll(threads | 1);
    uint32_t different = 0;
    for (unsigned k = 0; k < end; ++k) different |= (pcs[k] ^ pc) & -(uint32_t)(threads >> k & 1);
    return different;
}

static const struct contract_rule *check_arbiter(struct contract_state *s, const void *inputs,
                                                 const void *outputs) {
    const struct warp_pc_arbiter_in *in = inputs;
    const struct warp_pc_arbiter_out *out = outputs;
    (void)s;
    if (out->wtid & (out->wtid - 1)) return &arbiter_rules[0];
    if (out->wtid & ~in->ready) return &arbiter_rules[1];
    if (!out->wtid && in->ready) return &arbiter_rules[2];
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
    {"released_in_the_cycle_after", "release_o is not what opens_o was in the cycle before"},
    {"deadlock_only_if_all_wait_not_at_one",
     "deadlock_o is 1 though not all live threads wait, or all at one barrier"},
    {"deadlock_is_seen_at_once", "deadlock_o is 0 though all live threads now wait, at different barriers"},
    {"exits_are_remembered", "exited_o does not say whether threads of the work-group have exited"},
};

/* Updates the work-group by the inputs of a cycle; threads that were released wait no more. */
static void follow_group(struct contract_state *s, const struct barrier_table_in *in, bool release) {
    s->exited |= in->exit_count != 0;
    s->live -= in->exit_count;
    if (in->arrive_count && s->waiting == 0) s->pc = in->arrive_pc;
    s->mixed |= in->arrive_count && s->pc != in->arrive_pc;
    s->waiting += in->arrive_count;
    if (in->start) *s = (struct contract_state){.live = in->start_live};
    if (in->start || release) {
        s->waiting = 0;
        s->mixed = false;
    }
}

static const struct contract_rule *check_barriers(struct contract_state *s, const void *inputs,
                                                  const void *outputs) {
    const struct barrier_table_out *out = outputs;
    const struct contract_state before = *s;
    follow_group(s, inputs, before.opened);
    const bool all_wait = s->waiting && s->waiting == s->live;
    s->opened = all_wait && !s->mixed;
    if (out->opens && !s->opened) return &barrier_rules[0];
    if (!out->opens && s->opened) return &barrier_rules[1];
    if (out->release != before.opened) return &barrier_rules[2];
    if (out->deadlock && !(all_wait && s->mixed)) return &barrier_rules[3];
    if (!out->deadlock && all_wait && s->mixed) return &barrier_rules[4];
    if (out->exited != before.exited) return &barrier_rules[5];
    return NULL;
}

/* --- the table --- */

#define RULES(rules, check)                                                                                  \
    { rules, sizeof(rules) / sizeof(rules)[0], check }

const struct contract contract[CLUSTER_BLOCK_COUNT + 1] = {
    [CLUSTER_BLOCK_SCHEDULER] = RULES(scheduler_rules, check_scheduler),
    [CLUSTER_BLOCK_ARBITER] = RULES(arbiter_rules, check_arbiter),
    [CLUSTER_BLOCK_BARRIERS] = RULES(barrier_rules, check_barriers),
};

_Static_assert(sizeof(struct warp_scheduler_out) <= CONTRACT_MAX_BYTES &&
                   sizeof(struct warp_pc_arbiter_out) <= CONTRACT_MAX_BYTES &&
                   sizeof(struct barrier_table_out) <= CONTRACT_MAX_BYTES,
               "CONTRACT_MAX_BYTES");
