/* Random accesses of many cores to few lines: values and the single-writer rule after each
 * (coherence_fixture.h). Every pair of state and event is either covered or impossible, and a change of any
 * row of a protocol's table is detected. 100 million accesses with LOCKSTEP_LONG=1. */
#include "tests/memory/coherence_fixture.h"
#include "tests/panic.h"

#include <stdlib.h>

static bool is_long(void) {
    const char *l = getenv("LOCKSTEP_LONG");
    return l && *l;
}

/* x: impossible; columns as in MOESI_EVENTS, rows I S E O M. Written independently of the table. */
static const char moesi_expected[MOESI_STATE_COUNT][MOESI_EVENT_COUNT + 1] = {
    "..x...x...", "...xxx....", "...xxxx..x", "...xxx....", "...xxxx..x"};
/* Columns as in DIRECTORY_EVENTS, rows U S O X B. */
static const char directory_expected[DIRECTORY_STATE_COUNT][DIRECTORY_EVENT_COUNT + 1] = {
    "..xxxxxx", "...xxx..", "...xx..x", "...xx.x.", "xxx..xxx"};

static const struct {
    unsigned clusters, lanes, ways, share; /* share: of the accesses, in 16ths */
} shapes[] = {{1, 4, 2, 3}, {1, 16, 4, 3}, {2, 2, 2, 3}, {4, 4, 2, 4}, {16, 2, 1, 3}};
#define SHAPES (sizeof shapes / sizeof shapes[0])

static void every_rule_holds_and_every_row_is_met(void **state) {
    (void)state;
    static uint64_t moesi[MOESI_STATE_COUNT][MOESI_EVENT_COUNT];
    static uint64_t directory[DIRECTORY_STATE_COUNT][DIRECTORY_EVENT_COUNT];
    const uint64_t accesses = is_long() ? 100000000 : 1600000;
    struct seed s = seed_start();
    uint64_t joined = 0;
    for (unsigned n = 0; n < SHAPES; ++n) {
        static struct coherence c;
        coherence_init(&c, shapes[n].clusters, shapes[n].lanes, shapes[n].ways, NULL, NULL);
        while (c.accesses < accesses * shapes[n].share / 16)
            if (!coherence_step(&c, &s))
                fail_msg("%u clusters of %u, access %llu: %s", c.clusters, c.lanes,
                         (unsigned long long)c.accesses, c.failure);
        for (unsigned i = 0; i < MOESI_STATE_COUNT; ++i) {
            moesi[i][MOESI_LOAD] += c.hits[i][0];
            moesi[i][MOESI_STORE] += c.hits[i][1];
            for (unsigned e = 0; e < MOESI_EVENT_COUNT; ++e)
                for (unsigned k = 0; k < c.clusters; ++k) moesi[i][e] += c.bus[k].covered[i][e];
        }
        for (unsigned i = 0; i < DIRECTORY_STATE_COUNT; ++i)
            for (unsigned e = 0; e < DIRECTORY_EVENT_COUNT; ++e) directory[i][e] += c.directory.covered[i][e];
        joined += c.joined;
        coherence_free(&c);
    }
    assert_true(joined > 1000);
    for (unsigned i = 0; i < MOESI_STATE_COUNT; ++i)
        for (unsigned e = 0; e < MOESI_EVENT_COUNT; ++e)
            if ((moesi[i][e] == 0) != (moesi_expected[i][e] == 'x'))
                fail_msg("%s in state %s: met %llu times", moesi_event_name[e], moesi_state_name[i],
                         (unsigned long long)moesi[i][e]);
    for (unsigned i = 0; i < DIRECTORY_STATE_COUNT; ++i)
        for (unsigned e = 0; e < DIRECTORY_EVENT_COUNT; ++e)
            if ((directory[i][e] == 0) != (directory_expected[i][e] == 'x'))
                fail_msg("directory: %s in state %s: met %llu times", directory_event_name[e],
                         directory_state_name[i], (unsigned long long)directory[i][e]);
}

/* --- the protocol as a block --- */

static void count_request(void *context, enum cluster_block block, uint64_t t) {
    assert_int_equal(block, CLUSTER_BLOCK_PROTOCOL);
    assert_int_equal(t, (*(uint64_t *)context)++);
}

static void attach(struct coherence *c, struct snoop_directory *protocol, const struct cluster_twins *twins) {
    snoop_directory_init(protocol, c->clusters, c->lanes);
    protocol->requests.twins = twins;
    for (unsigned k = 0; k < c->clusters; ++k) c->bus[k].protocol = protocol;
}

/* Caches that follow the block and caches that follow the tables behave equally, in the same cycles. */
static void the_block_says_what_the_tables_say(void **state) {
    (void)state;
    static struct coherence by_block, by_table;
    static struct snoop_directory protocol;
    uint64_t requests;
    const struct cluster_twins twins = {.context = &requests,
                                        .attached = {[CLUSTER_BLOCK_PROTOCOL] = true},
                                        .cycle = count_request,
                                        .end = UINT64_MAX};
    const struct seed s = seed_start();
    for (unsigned n = 0; n < SHAPES; ++n) {
        struct seed a = s, b = s;
        requests = 0;
        coherence_init(&by_block, shapes[n].clusters, shapes[n].lanes, shapes[n].ways, NULL, NULL);
        coherence_init(&by_table, shapes[n].clusters, shapes[n].lanes, shapes[n].ways, NULL, NULL);
        attach(&by_block, &protocol, &twins);
        while (by_block.accesses < 40000)
            if (!coherence_step(&by_block, &a) || !coherence_step(&by_table, &b))
                fail_msg("%u clusters of %u, access %llu: %s%s", by_block.clusters, by_block.lanes,
                         (unsigned long long)by_block.accesses, by_block.failure, by_table.failure);
        assert_true(requests > 10000);
        assert_int_equal(requests, protocol.requests.count);
        for (unsigned i = 0; i < by_block.cores; ++i) {
            assert_int_equal(by_block.l2[i].writebacks, by_table.l2[i].writebacks);
            for (uint32_t line = 0; line < COHERENCE_LINES; ++line) {
                const struct cache_line *x = coherence_line(&by_block, i, line),
                                        *y = coherence_line(&by_table, i, line);
                assert_int_equal(x != NULL, y != NULL);
                if (x) assert_memory_equal(x, y, sizeof *x);
            }
        }
        assert_int_equal(by_block.memory.reads, by_table.memory.reads);
        assert_int_equal(by_block.directory.forwards, by_table.directory.forwards);
        assert_int_equal(by_block.directory.invalidations, by_table.directory.invalidations);
        coherence_free(&by_block);
        coherence_free(&by_table);
    }
}

/* --- impossible pairs --- */

struct pair {
    const struct moesi_table *moesi;
    const struct directory_table *directory;
    unsigned state, event;
};

static void apply_moesi(void *context) {
    const struct pair *p = context;
    moesi_apply(p->moesi, p->state, p->event, 0x42);
}

static void apply_directory(void *context) {
    const struct pair *p = context;
    directory_apply(p->directory, p->state, p->event, 0x42);
}

static bool is_impossible(const struct pair *p) {
    return panics(p->moesi ? apply_moesi : apply_directory, (void *)p);
}

static void impossible_pairs_end_with_their_assertion(void **state) {
    (void)state;
    for (unsigned i = 0; i < MOESI_STATE_COUNT; ++i)
        for (unsigned e = 0; e < MOESI_EVENT_COUNT; ++e) {
            const bool impossible = moesi_expected[i][e] == 'x';
            assert_int_equal(impossible, moesi_assertion[i][e] != NULL);
            assert_int_equal(impossible,
                             is_impossible(&(struct pair){.moesi = &moesi_table, .state = i, .event = e}));
        }
    for (unsigned i = 0; i < DIRECTORY_STATE_COUNT; ++i)
        for (unsigned e = 0; e < DIRECTORY_EVENT_COUNT; ++e) {
            const bool impossible = directory_expected[i][e] == 'x';
            assert_int_equal(impossible, directory_assertion[i][e] != NULL);
            if (impossible)
                assert_true(
                    is_impossible(&(struct pair){.directory = &directory_table, .state = i, .event = e}));
        }
}

/* --- protocols with a bug --- */

#define MUTANT_ACCESSES 20000

struct mutant {
    struct moesi_table moesi;
    struct directory_table directory;
    unsigned state, event; /* the row that is another */
    bool of_directory;
    uint64_t seed;
};

/* Runs in a process of its own, which exits with 1 if the checker finds the error, with 122 if an assertion
 * does. */
static void run_mutant(void *context) {
    const struct mutant *m = context;
    static struct coherence c;
    struct seed s = seed_of(m->seed);
    alarm(20); /* a wrong protocol may wait for ever */
    for (unsigned n = 2; n < SHAPES; ++n) {
        coherence_init(&c, shapes[n].clusters, shapes[n].lanes, shapes[n].ways, &m->moesi, &m->directory);
        while (c.accesses < MUTANT_ACCESSES)
            if (!coherence_step(&c, &s)) _exit(1);
    }
}

static bool is_noticed(const struct mutant *m) {
    const struct pair p = {m->of_directory ? NULL : &m->moesi, &m->directory, m->state, m->event};
    const char expected =
        m->of_directory ? directory_expected[m->state][m->event] : moesi_expected[m->state][m->event];
    if (expected == 'x') return !is_impossible(&p);
    const pid_t child = fork();
    if (child == 0) {
        const int nowhere = open("/dev/null", O_WRONLY);
        dup2(nowhere, STDERR_FILENO);
        run_mutant((void *)m);
        _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    return !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}

/* Returns whether a change has no effect. In X one cluster has all copies: there are no others
 * to invalidate. */
static bool is_equivalent(const struct mutant *m) {
    if (!m->of_directory || m->state != DIRECTORY_X || m->event != DIRECTORY_UPGRADE) return false;
    const struct directory_row *row = &m->directory.row[DIRECTORY_X][DIRECTORY_UPGRADE];
    return row->action == DIRECTORY_INVALIDATE && row->next == DIRECTORY_X;
}

/* Every row with every other action, and with every other next state. */
static void every_bug_in_a_table_is_noticed(void **state) {
    (void)state;
    struct mutant m = {.seed = seed_start().state};
    unsigned mutants = 0, missed = 0;
    for (unsigned of_directory = 0; of_directory < 2; ++of_directory) {
        const unsigned states = of_directory ? DIRECTORY_STATE_COUNT : MOESI_STATE_COUNT;
        const unsigned events = of_directory ? DIRECTORY_EVENT_COUNT : MOESI_EVENT_COUNT;
        const unsigned actions = of_directory ? DIRECTORY_ACTION_COUNT : MOESI_ACTION_COUNT;
        m.of_directory = of_directory;
        for (unsigned row = 0; row < states * events; ++row) {
            m.state = row / events;
            m.event = row % events;
            for (unsigned change = 0; change < actions + states; ++change) {
                m.moesi = moesi_table;
                m.directory = directory_table;
                uint8_t *at = of_directory ? &m.directory.row[m.state][m.event].action
                                           : &m.moesi.row[m.state][m.event].action;
                const char expected =
                    of_directory ? directory_expected[m.state][m.event] : moesi_expected[m.state][m.event];
                if (change >= actions) ++at;
                const uint8_t value = (uint8_t)(change < actions ? change : change - actions);
                if (*at == value || (expected == 'x' && change >= actions)) continue;
                *at = value;
                ++mutants;
                if (is_noticed(&m) == !is_equivalent(&m)) continue;
                ++missed;
                print_error("%s row %u, event %u: %s %u is not noticed\n",
                            of_directory ? "directory" : "moesi", m.state, m.event,
                            change < actions ? "action" : "next state", value);
            }
        }
    }
    print_message("%u changed tables\n", mutants);
    assert_int_equal(missed, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_rule_holds_and_every_row_is_met),
        cmocka_unit_test(the_block_says_what_the_tables_say),
        cmocka_unit_test(impossible_pairs_end_with_their_assertion),
        cmocka_unit_test(every_bug_in_a_table_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
