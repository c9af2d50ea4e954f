/* The contract of each slot: every rule is broken once, by hand-made ports, and has the name of
 * a property. */
#include "model/control/branch_predictor.h"
#include "model/control/issue_select.h"
#include "model/control/load_store_queue.h"
#include "model/control/scalar_scheduler.h"
#include "model/control/work_group_dispatcher.h"
#include "tb/twins/contract.h"
#include "tb/twins/twin_block.h"
#include "tests/spawn.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void assert_rule(const struct contract_rule *rule, const char *name) {
    if (!name != !rule || (name && strcmp(rule->name, name) != 0))
        fail_msg("the rule broken is %s, expected: %s", rule ? rule->name : "none", name ? name : "none");
}

static const struct contract_rule *check(enum cluster_block b, struct contract_state *s, const void *in,
                                         const void *out) {
    return contract[b].check(s, in, out);
}

static void the_scheduler(void **state) {
    (void)state;
    static const struct {
        struct warp_scheduler_in in;
        struct warp_scheduler_out out;
        const char *rule;
    } cases[] = {
        {{.ready = 6, .take = true}, {.valid = true, .warp = 1, .grant = 2}, NULL},
        {{.ready = 6, .take = true}, {.valid = true, .warp = 2, .grant = 4}, NULL}, /* any of them */
        {{.ready = 6, .take = true}, {.warp = 3}, NULL},                            /* none */
        {{.ready = 1ull << 63, .take = true}, {.valid = true, .warp = 63, .grant = 1ull << 63}, NULL},
        {{.ready = 6, .take = true}, {.valid = true, .warp = 1, .grant = 6}, "grant_is_one_hot"},
        {{.ready = 6, .take = true}, {.valid = true, .grant = 1}, "only_the_ready_are_granted"},
        {{.ready = 6}, {.valid = true, .warp = 1, .grant = 2}, "only_the_ready_are_granted"},
        {{.ready = 6, .take = true}, {.warp = 1, .grant = 2}, "valid_says_that_there_is_a_grant"},
        {{.ready = 6, .take = true}, {.valid = true}, "valid_says_that_there_is_a_grant"},
        {{.ready = 6, .take = true}, {.valid = true, .warp = 2, .grant = 2}, "warp_is_the_granted_one"},
    };
    struct contract_state none = {0};
    for (unsigned n = 0; n < sizeof cases / sizeof cases[0]; ++n)
        assert_rule(check(CLUSTER_BLOCK_SCHEDULER, &none, &cases[n].in, &cases[n].out), cases[n].rule);
}

/* Returns the number of cycles with these ports until a rule is broken; `most` if none was. */
static unsigned cycles_until_broken(unsigned fair, const struct warp_scheduler_in *in,
                                    const struct warp_scheduler_out *out, unsigned most, const char *rule) {
    struct contract_state s = {.fair = fair};
    for (unsigned n = 0; n < most; ++n) {
        const struct contract_rule *broken = check(CLUSTER_BLOCK_SCHEDULER, &s, in, out);
        if (!broken) continue;
        assert_rule(broken, rule);
        return n + 1;
    }
    return most;
}

static void the_time_of_the_scheduler(void **state) {
    (void)state;
    const struct warp_scheduler_in both = {.ready = 3, .take = true}, full = {.ready = 3},
                                   none = {.take = true}, one = {.ready = 1, .take = true};
    const struct warp_scheduler_out nothing = {0}, first = {.valid = true, .grant = 1};
    assert_int_equal(cycles_until_broken(2, &both, &nothing, 10000, "a_grant_comes_in_time"),
                     CONTRACT_MOST_IDLE);
    assert_int_equal(cycles_until_broken(2, &full, &nothing, 10000, NULL), 10000);
    assert_int_equal(cycles_until_broken(2, &none, &nothing, 10000, NULL), 10000);
    /* Warp 1 stays ready: detected after at least half of the turns, and at most all. */
    const unsigned turns = cycles_until_broken(2, &both, &first, 10000, "a_ready_warp_gets_its_turn");
    assert_in_range(turns, CONTRACT_MOST_TURNS / 2 * 2, CONTRACT_MOST_TURNS * 2 + 2);
    assert_int_equal(cycles_until_broken(2, &one, &first, 10000, NULL), 10000);
    assert_int_equal(cycles_until_broken(0, &both, &first, 10000, NULL),
                     10000); /* greedy_oldest, two_level */
}

/* Each slot defines when its outputs are due. A reset clears waiting times, but not whether turns must be
 * fair. */
static void each_slot_has_its_time(void **state) {
    (void)state;
    for (enum cluster_block b = 0; b < CLUSTER_BLOCK_COUNT; ++b) {
        assert_non_null(contract_time(b, 0));
        assert_null(contract_time(b, 8));
        /* Outputs that the machine's next action depends on are taken from the Verilog. */
        assert_int_equal(contract_unused(b) != NULL,
                         !twin_block_decides(b) && b != CLUSTER_BLOCK_COPROCESSOR);
    }
    struct contract_state s = {.fair = 5, .waits.idle = 7};
    contract_forget(&s);
    assert_int_equal(s.fair, 5);
    assert_int_equal(s.waits.idle, 0);
}

/* Threads 0 to 3 at 100, 100, 200, 200; Ready: 0 to 2. */
static void the_arbiter(void **state) {
    (void)state;
    static const uint32_t pc[64] = {100, 100, 200, 200, [63] = 300};
    static const uint64_t priority[TDT_MAX_LEVELS] = {3, [7] = 1ull << 63 | 4};
    static const struct {
        uint64_t ready;
        struct warp_pc_arbiter_out out;
        const char *rule;
    } cases[] = {
        {7, {.wtid = 1, .pc = 100, .participating = 3}, NULL},
        {7, {.wtid = 2, .pc = 100, .participating = 2, .level = 7}, NULL}, /* one of two */
        {7, {.wtid = 4, .pc = 200, .participating = 4}, NULL},
        {0, {.pc = 77, .level = 3}, NULL},
        {1ull << 63, {.wtid = 1ull << 63, .pc = 300, .participating = 1ull << 63}, NULL},
        {7, {.wtid = 3, .pc = 100, .participating = 3}, "chosen_is_one_hot"},
        {7, {.wtid = 8, .pc = 200, .participating = 8}, "chosen_is_ready"},
        {7, {.pc = 100, .participating = 3}, "a_ready_thread_is_chosen_if_any"},
        {15, {.pc = 100, .participating = 3}, NULL}, /* thread 3 has no level */
        {7, {.wtid = 1, .pc = 200, .participating = 4}, "pc_is_that_of_the_chosen"},
        {7, {.wtid = 4, .pc = 200, .participating = 12}, "only_the_ready_at_the_pc_participate"},
        {7, {.wtid = 1, .pc = 100, .participating = 7}, "only_the_ready_at_the_pc_participate"},
        {0, {.participating = 1}, "only_the_ready_at_the_pc_participate"},
        {7, {.wtid = 1, .pc = 100, .participating = 2}, "chosen_participates"},
        {7, {.wtid = 1, .pc = 100}, "chosen_participates"},
    };
    struct contract_state none = {0};
    for (unsigned n = 0; n < sizeof cases / sizeof cases[0]; ++n) {
        const struct warp_pc_arbiter_in in = {.ready = cases[n].ready, .priority = priority, .pc = pc};
        assert_rule(check(CLUSTER_BLOCK_ARBITER, &none, &in, &cases[n].out), cases[n].rule);
    }
}

struct barrier_cycle {
    struct barrier_table_in in;
    struct barrier_table_out out;
    const char *rule;
};

/* The cycles of one work-group; the last may break a rule. */
static void run_group(const struct barrier_cycle *cycles, unsigned count) {
    struct contract_state s = {0};
    for (unsigned n = 0; n < count; ++n)
        assert_rule(check(CLUSTER_BLOCK_BARRIERS, &s, &cycles[n].in, &cycles[n].out), cycles[n].rule);
}
#define GROUP(...)                                                                                           \
    run_group((const struct barrier_cycle[]){__VA_ARGS__},                                                   \
              sizeof((const struct barrier_cycle[]){__VA_ARGS__}) / sizeof(struct barrier_cycle))
#define START                                                                                                \
    { {.start = true, .start_live = 3}, {0}, NULL }
#define ARRIVE(n, at) .in = {.arrive_count = n, .arrive_pc = at}
#define RULE(name)    .rule = name
#define TWO_OF_THREE                                                                                         \
    { ARRIVE(2, 8) }
#define THE_THIRD_AT(at) ARRIVE(1, at)

static void the_barrier_table(void **state) {
    (void)state;
    GROUP(START, TWO_OF_THREE, {THE_THIRD_AT(8), .out.opens = true}, {.out.release = true},
          {.in.exit_count = 3}, {.out.exited = true});
    GROUP(START, TWO_OF_THREE, {.in.exit_count = 1, .out.opens = true},
          {.out = {.release = true, .exited = true}}, {ARRIVE(2, 9), .out = {.opens = true, .exited = true}});
    GROUP(START, TWO_OF_THREE, {THE_THIRD_AT(9), .out.deadlock = true});
    GROUP(START, {ARRIVE(2, 8), .out.opens = true, RULE("never_opens_early")});
    GROUP(START, TWO_OF_THREE, {THE_THIRD_AT(9), .out.opens = true, RULE("never_opens_early")});
    GROUP(START, TWO_OF_THREE, {THE_THIRD_AT(8), RULE("opens_when_the_last_one_arrives")});
    GROUP(START, TWO_OF_THREE, {.in.exit_count = 1, RULE("opens_when_the_last_one_arrives")});
    GROUP(START, TWO_OF_THREE, {THE_THIRD_AT(8), .out.opens = true}, {RULE("released_in_the_cycle_after")});
    GROUP(START, {.out.release = true, RULE("released_in_the_cycle_after")});
    GROUP(START, {ARRIVE(2, 8), .out.deadlock = true, RULE("deadlock_only_if_all_wait_not_at_one")});
    GROUP(START, TWO_OF_THREE,
          {THE_THIRD_AT(8), .out = {.opens = true, .deadlock = true},
           RULE("deadlock_only_if_all_wait_not_at_one")});
    GROUP(START, TWO_OF_THREE, {THE_THIRD_AT(9), RULE("deadlock_is_seen_at_once")});
    GROUP(START, {.in.exit_count = 1}, {RULE("exits_are_remembered")});
    GROUP(START, {.out.exited = true, RULE("exits_are_remembered")});
}

#define START_IN(slot, n)                                                                                    \
    {                                                                                                        \
        .in = {.start = true, .start_group = slot, .start_live = n }                                         \
    }
#define ARRIVE_IN(slot, n, at) .in = {.arrive_count = n, .arrive_group = slot, .arrive_pc = at}

static void work_groups_are_apart(void **state) {
    (void)state;
    GROUP(START_IN(0, 3), START_IN(5, 2), {ARRIVE_IN(5, 2, 8), .out.opens = 1 << 5},
          {ARRIVE_IN(0, 3, 8), .out = {.opens = 1, .release = 1 << 5}}, {.out.release = 1});
    GROUP(START_IN(0, 3), START_IN(5, 2), {ARRIVE_IN(5, 2, 8), .out.opens = 1, RULE("never_opens_early")});
    GROUP(START_IN(0, 3), START_IN(5, 2), {ARRIVE_IN(5, 1, 8)}, {ARRIVE_IN(0, 1, 8)},
          {ARRIVE_IN(5, 1, 8), RULE("opens_when_the_last_one_arrives")});
    GROUP(START_IN(0, 3), START_IN(5, 2), {ARRIVE_IN(5, 1, 8)}, {ARRIVE_IN(5, 1, 9), .out.deadlock = 1 << 5},
          {ARRIVE_IN(0, 3, 9), .out = {.opens = 1, .deadlock = 1 << 5}});
    GROUP(START_IN(0, 3), START_IN(5, 2), {.in = {.exit_count = 1, .exit_group = 5}}, {.out.exited = 1 << 5},
          {.out.exited = 1, RULE("exits_are_remembered")});
}

#define START_SCALAR                                                                                         \
    {                                                                                                        \
        .in = {.start = true, .start_live = 3, .start_scalar = true }                                        \
    }
#define ALL_WITH                                                                                             \
    {                                                                                                        \
        .in = {.arrive_count = 3, .arrive_pc = 8, .arrive_scalar = true }                                    \
    }

/* A barrier that includes the scalar thread waits for it; after its SIMT threads have exited, no thread is
 * waited for. */
static void a_scalar_thread(void **state) {
    (void)state;
    GROUP(START_SCALAR, ALL_WITH, {.in.scalar_arrives = 1, .out.opens = 1},
          {.out = {.release = 1, .release_scalar = 1}}, {ARRIVE(3, 9), .out.opens = 1}, {.out.release = 1});
    GROUP(START_SCALAR, ALL_WITH, {.in.scalar_exits = 1, .out.opens = 1},
          {.out = {.release = 1, .exited = 1}});
    GROUP(START_SCALAR, {.in.scalar_arrives = 1}, {.in.exit_count = 3, .out.opens = 1},
          {.out = {.release = 1, .release_scalar = 1, .exited = 1}});
    GROUP(START_SCALAR, {.in = {.arrive_count = 3, .arrive_pc = 8, .arrive_scalar = true},
                         .out.opens = 1,
                         RULE("never_opens_early")});
    GROUP(START_SCALAR, ALL_WITH, {.in.scalar_arrives = 1, .out.opens = 1},
          {.out.release = 1, RULE("released_in_the_cycle_after")});
    GROUP(START_SCALAR, ALL_WITH, {.in.scalar_arrives = 1, RULE("opens_when_the_last_one_arrives")});
}

static void the_scalar_scheduler(void **state) {
    (void)state;
    struct contract_state none = {0};
    static const struct {
        struct scalar_scheduler_in in;
        struct scalar_scheduler_out out;
        const char *rule;
    } cycles[] = {
        {{.ready = 6}, {.tick = true, .valid = true, .thread = 2}, NULL},
        {{.ready = 0}, {.tick = true}, NULL},
        {{.ready = 6}, {.tick = false}, NULL},
        {{.ready = 6}, {.tick = true, .valid = true, .thread = 0}, "only_a_ready_one"},
        {{.ready = ~0ull}, {.tick = true, .valid = true, .thread = 64}, "only_a_ready_one"},
        {{.ready = 6}, {.tick = true}, "one_if_one_is_ready"},
        {{.ready = 0}, {.tick = true, .thread = 1}, "zero_for_none"},
    };
    for (unsigned n = 0; n < sizeof cycles / sizeof *cycles; ++n)
        assert_rule(check(CLUSTER_BLOCK_SCALAR, &none, &cycles[n].in, &cycles[n].out), cycles[n].rule);
}

/* Counts the labels of the assertions between a comment that begins with `Contract:` and the next. */
static unsigned count_properties(const char *text, const struct contract *c) {
    unsigned found = 0;
    const char *at = strstr(text, "// Contract:");
    assert_non_null(at);
    for (at = strchr(at, '\n') + 1; strncmp(at, "    // ", 7) != 0 && strncmp(at, "  end", 5) != 0;
         at = strchr(at, '\n') + 1) {
        char label[64];
        if (!strstr(at, ": ") || sscanf(at, " %63[a-z0-9_]: assert", label) != 1) continue;
        const char *end = strchr(at, '\n'), *assertion = strstr(at, ": ");
        while (*++assertion == ' ') continue;
        if (assertion > end || strncmp(assertion, "assert", 6) != 0) continue;
        unsigned n = 0;
        while (n < c->count && strcmp(c->rule[n].name, label) != 0) ++n;
        if (n == c->count) fail_msg("the property %s is no rule", label);
        ++found;
    }
    return found;
}

/* Warp 1 is in A with threads 0 and 1 Ready at 100, thread 2 at 200; warps 0 and 2 may be selected. The warp
 * in F leaves if its instruction has arrived. */
static void the_whole_co_processor(void **state) {
    (void)state;
    static const uint32_t pc[64] = {100, 100, 200};
    static const struct {
        bool a_valid, f_valid, fetched, select;
        uint32_t warp;
        bool fetch;
        uint32_t pc;
        uint64_t threads, wtid;
        const char *rule;
    } cases[] = {
        {true, false, false, false, 0, false, 0, 0, 0, NULL},
        {false, false, false, true, 2, false, 0, 0, 0, NULL},
        {false, false, false, true, 1, false, 0, 0, 0, "only_the_ready_are_selected"},
        {false, false, false, true, 64, false, 0, 0, 0, "only_the_ready_are_selected"},
        {true, false, false, true, 2, false, 0, 0, 0, "a_takes_one_when_it_is_free"},
        {true, false, false, true, 2, true, 100, 3, 2, NULL},
        {true, false, false, false, 0, true, 100, 2, 2, NULL},
        {true, true, true, false, 0, true, 200, 4, 4, NULL},
        {true, true, false, false, 0, true, 200, 4, 4, "f_takes_one_when_it_is_free"},
        {false, false, false, false, 0, true, 200, 4, 4, "f_takes_one_when_it_is_free"},
        {true, false, false, false, 0, true, 100, 7, 1, "what_the_arbiter_chooses_leaves_a"},
        {true, false, false, false, 0, true, 100, 0, 0, "what_the_arbiter_chooses_leaves_a"},
        {true, false, false, false, 0, true, 200, 3, 1, "what_the_arbiter_chooses_leaves_a"},
    };
    static struct warp_scheduler scheduler = {.in.ready = 5};
    static struct warp_pc_arbiter arbiter = {.in = {.ready = 7, .pc = pc}};
    struct simt_coprocessor whole = {.cfg = {2, 2}, .blocks = {.scheduler = &scheduler, .arbiter = &arbiter}};
    struct contract_state s = {0};
    for (unsigned n = 0; n < sizeof cases / sizeof cases[0]; ++n) {
        const struct simt_coprocessor_out out = {.select = cases[n].select,
                                                 .select_warp = cases[n].warp,
                                                 .fetch = cases[n].fetch,
                                                 .fetch_pc = cases[n].pc,
                                                 .fetch_threads = cases[n].threads,
                                                 .fetch_wtid = cases[n].wtid};
        whole.q.a_valid = cases[n].a_valid;
        whole.q.f_valid = cases[n].f_valid;
        whole.in.fetched = cases[n].fetched;
        assert_rule(contract_choice(&s, &whole, &out), cases[n].rule);
        assert_rule(check(CLUSTER_BLOCK_COPROCESSOR, &s, &whole.in, &out), cases[n].rule);
    }
}

static void rules_are_the_properties_that_are_proved(void **state) {
    (void)state;
    unsigned slots = 0;
    for (enum cluster_block b = 0; b < CLUSTER_BLOCK_COUNT; ++b) {
        if (contract[b].count == 0) continue;
        char *path = spawn_text("%s/tb/props/%s_props.sv", spawn_source(), twin_block[b].name),
             *text = spawn_read(path);
        assert_non_null(text);
        assert_int_equal(count_properties(text, &contract[b]), contract[b].count);
        free(text);
        free(path);
        ++slots;
    }
    assert_true(slots >= 3);
}

/* 2 by 2 by 1 work-groups, in any order. */
static void the_dispatcher_of_work_groups(void **state) {
    (void)state;
    static const struct {
        struct work_group_dispatcher_in in;
        struct work_group_dispatcher_out out;
        const char *rule;
    } cases[] = {
        {{.take = true}, {.number = 7}, NULL}, /* no launch yet */
        {{.take = true}, {.valid = true}, "none_is_put_out_when_none_is_left"},
        {{.begin = true, .count_x = 2, .count_y = 2, .count_z = 1}, {.number = 0}, NULL},
        {{0}, {.number = 0}, "one_is_put_out_while_one_is_left"},
        {{0}, {true, 2, 2, 0, 0}, "an_id_is_inside_the_launch"},
        {{0}, {true, 2, 0, 0, 1}, "an_id_is_inside_the_launch"},
        {{0}, {true, 1, 0, 1, 0}, "the_number_is_that_of_the_id"},
        {{.take = true}, {true, 3, 1, 1, 0}, NULL},
        {{.take = true}, {true, 3, 1, 1, 0}, "each_is_handed_out_once"},
        {{0}, {true, 0, 0, 0, 0}, NULL}, /* not taken */
        {{.take = true}, {true, 0, 0, 0, 0}, NULL},
        {{.take = true}, {true, 2, 0, 1, 0}, NULL},
        {{.take = true}, {true, 1, 1, 0, 0}, NULL},
        {{0}, {true, 1, 1, 0, 0}, "none_is_put_out_when_none_is_left"},
        {{0}, {.number = 9}, NULL},
        {{.begin = true, .count_x = 1, .count_y = 1, .count_z = 1}, {.number = 0}, NULL},
        {{.take = true}, {true, 0, 0, 0, 0}, NULL},
    };
    struct contract_state s = {0};
    for (unsigned n = 0; n < sizeof cases / sizeof cases[0]; ++n)
        assert_rule(check(CLUSTER_BLOCK_GROUPS, &s, &cases[n].in, &cases[n].out), cases[n].rule);
    contract_forget(&s);
}

/* For a fetch with branches in slots 1 and 2. */
static void the_branch_predictor(void **state) {
    (void)state;
    static const struct {
        struct branch_predictor_in in;
        struct branch_predictor_out out;
        const char *rule;
    } cases[] = {
        {{.fetch = true, .branch = 6}, {.taken = true, .slot = 1}, NULL},
        {{.fetch = true, .branch = 6}, {.taken = true, .slot = 2, .next = 7}, NULL}, /* any of them */
        {{.fetch = true, .branch = 6}, {.slot = 3}, NULL},                           /* none */
        {{.fetch = true, .branch = 6}, {.taken = true, .slot = 3}, "only_a_branch_of_the_fetch_is_taken"},
        {{.branch = 6}, {.taken = true, .slot = 1}, "only_a_branch_of_the_fetch_is_taken"},
    };
    struct contract_state none = {0};
    for (unsigned n = 0; n < sizeof cases / sizeof cases[0]; ++n)
        assert_rule(check(CLUSTER_BLOCK_PREDICTOR, &none, &cases[n].in, &cases[n].out), cases[n].rule);
}

/* A window of 4 begins in slot 2. Slot 3 has an addition, slot 0 a multiplication, slot 1 a load behind the
 * store of slot 2, which has no address. Units 0 and 1 are for integers, 2 for VFP, 3 for the load. */
static void the_selection(void **state) {
    (void)state;
    static const struct {
        uint32_t free, issue, slot[2], unit[2];
        const char *rule;
    } cases[] = {
        {0xf, 3, {3, 0}, {1, 0}, NULL},
        {0xf, 3, {0, 3}, {0, 1}, NULL}, /* the younger one first */
        {0xf, 1, {3, 0}, {0, 0}, NULL}, /* one of them */
        {0xc, 0, {0, 0}, {0, 0}, NULL}, /* none: only the load has a unit */
        {0xf, 1, {2, 0}, {3, 0}, "only_the_ready_issue"},
        {0xf, 1, {7, 0}, {0, 0}, "only_the_ready_issue"},
        {0xf, 3, {3, 3}, {0, 1}, "an_instruction_issues_once"},
        {0xf, 1, {1, 0}, {3, 0}, "no_load_goes_before_an_unknown_store"},
        {0xf, 1, {0, 0}, {1, 0}, "each_has_a_free_unit_of_its_kind"}, /* not the first */
        {0xe, 1, {3, 0}, {0, 0}, "each_has_a_free_unit_of_its_kind"}, /* not free */
        {0xf, 1, {3, 0}, {2, 0}, "each_has_a_free_unit_of_its_kind"},
        {0xf, 3, {3, 0}, {0, 0}, "a_unit_takes_one"},
        {0xe, 0, {0, 0}, {0, 0}, "one_issues_if_one_can"},
    };
    struct contract_state none = {0};
    for (unsigned n = 0; n < sizeof cases / sizeof cases[0]; ++n) {
        struct issue_select s;
        issue_select_init(&s, &(struct issue_select_config){4, 2, 2, 1});
        s.in = (struct issue_select_in){.first = 2,
                                        .integer = 0x9,
                                        .load = 0x2,
                                        .needs_first = 0x1,
                                        .unknown = 0x4,
                                        .free = cases[n].free};
        const struct issue_select_out out = {cases[n].issue, cases[n].slot, cases[n].unit};
        assert_rule(check(CLUSTER_BLOCK_SELECT, &none, &s.in, &out), cases[n].rule);
    }
}

/* Makes a queue with three stores: a word at 0 in slot 2, the oldest one, a word at 4 in slot 0, and one
 * without an address in slot 1. */
static void a_queue(struct load_store_queue *q, const struct load_store_queue_in *in) {
    load_store_queue_init(q, 3);
    q->now = (struct load_store_queue_values){
        .head = 2, .end = 5, .known = 0x5, .first = {4, 0, 0}, .last = {7, 0, 3}};
    q->in = *in;
}

static void the_queue_of_loads_and_stores(void **state) {
    (void)state;
    static const struct load_store_queue_in none = {0}, both = {.search = true, .position = 4, .last = 3},
                                            first = {.search = true, .position = 3, .last = 3},
                                            all = {.search = true, .position = 5, .last = 3},
                                            oldest = {.search = true, .position = 2, .last = 3},
                                            wide = {.search = true, .position = 4, .first = 2, .last = 5};
    static const struct {
        const struct load_store_queue_in *in;
        struct load_store_queue_out out;
        const char *rule;
    } cases[] = {
        {&none, {0, 5, true, 0, 3, false, 0, false}, NULL},
        {&both, {0, 5, true, 0, 3, true, 2, false}, NULL}, /* a younger store does not overlap */
        {&both, {0, 5, true, 0, 3, false, 0, true}, NULL}, /* waiting is right, too */
        {&wide, {0, 5, true, 0, 3, false, 0, true}, NULL},
        {&oldest, {0, 5, true, 0, 3, false, 0, false}, NULL}, /* no store is older */
        {&none, {1, 5, true, 0, 3, false, 0, false}, "room_is_what_is_left"},
        {&none, {0, 4, true, 0, 3, false, 0, false}, "positions_count_the_stores"},
        {&none, {0, 5, false, 0, 0, false, 0, false}, "the_oldest_store_is_shown"},
        {&none, {0, 5, true, 0, 4, false, 0, false}, "the_oldest_store_is_shown"},
        {&none, {0, 5, true, 0, 3, false, 0, true}, "a_load_gets_one_answer"},
        {&both, {0, 5, true, 0, 3, true, 2, true}, "a_load_gets_one_answer"},
        {&first, {0, 5, true, 0, 3, true, 0, false}, "no_forward_from_a_younger_store"},
        {&both, {0, 5, true, 0, 3, true, 3, false}, "no_forward_from_a_younger_store"}, /* no such slot */
        {&both, {0, 5, true, 0, 3, true, 0, false}, "a_forwarding_store_has_all_bytes"},
        {&all, {0, 5, true, 0, 3, true, 1, false}, "a_forwarding_store_has_all_bytes"},
        {&wide, {0, 5, true, 0, 3, true, 0, false}, "a_forwarding_store_has_all_bytes"},
        {&both, {0, 5, true, 0, 3, false, 0, false}, "no_load_gets_older_data"}, /* memory has older ones */
        {&all, {0, 5, true, 0, 3, true, 2, false}, "no_load_gets_older_data"},   /* one without an address */
        {&oldest, {0, 5, true, 0, 3, false, 0, true}, "a_load_waits_for_older_stores_only"},
    };
    struct contract_state before = {0};
    for (unsigned n = 0; n < sizeof cases / sizeof cases[0]; ++n) {
        struct load_store_queue q;
        a_queue(&q, cases[n].in);
        assert_rule(check(CLUSTER_BLOCK_QUEUE, &before, &q.in, &cases[n].out), cases[n].rule);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_scheduler),
        cmocka_unit_test(the_time_of_the_scheduler),
        cmocka_unit_test(each_slot_has_its_time),
        cmocka_unit_test(the_arbiter),
        cmocka_unit_test(the_barrier_table),
        cmocka_unit_test(work_groups_are_apart),
        cmocka_unit_test(a_scalar_thread),
        cmocka_unit_test(the_scalar_scheduler),
        cmocka_unit_test(the_whole_co_processor),
        cmocka_unit_test(the_dispatcher_of_work_groups),
        cmocka_unit_test(the_branch_predictor),
        cmocka_unit_test(the_selection),
        cmocka_unit_test(the_queue_of_loads_and_stores),
        cmocka_unit_test(rules_are_the_properties_that_are_proved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
