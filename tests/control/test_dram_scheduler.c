/* dram_scheduler: cycles counted by hand (gpu-like.md §5), which an independent model prints, too;
 * random requests: every one is served once, no command breaks a distance, and cycles that are skipped change
 * nothing. */
#include "model/control/dram_scheduler.h"
#include "tests/seed.h"

#include <string.h>

static struct dram_scheduler s;

/* Returns the configuration of fermi-like. */
static struct dram_scheduler_config fermi(unsigned policy) {
    return (struct dram_scheduler_config){.policy = policy,
                                          .queue = 32,
                                          .banks = 8,
                                          .rcd = 12,
                                          .rp = 12,
                                          .cl = 10,
                                          .ras = 28,
                                          .rrd = 5,
                                          .rc = 35,
                                          .ccd = 4,
                                          .wl = 4,
                                          .cdlr = 5,
                                          .wr = 12,
                                          .burst_cycles = 4};
}

/* The request is at the inputs; distances stay. */
static void offer(struct dram_scheduler *d, const struct dram_scheduler_in *r) {
    d->in.valid = r->valid;
    d->in.write = r->write;
    d->in.bank = r->bank;
    d->in.row = r->row;
    d->in.bursts = r->bursts;
    d->in.tag = r->tag;
}

struct given {
    uint64_t cycle;
    enum dram_command command;
    uint32_t bank;
};

static const char *const names[] = {"", "ACT", "PRE", "RD", "WR"}; /* names of enum dram_command */

/* Runs 150 cycles with requests offered in cycles 0, 1, 2. Checks all commands, and the cycles at whose end
 * data are complete. */
static void expect(unsigned policy, const struct dram_scheduler_in offered[3], const struct given *commands,
                   unsigned count, const uint64_t complete[3]) {
    const struct dram_scheduler_config c = fermi(policy);
    unsigned n = 0;
    dram_scheduler_init(&s, &c);
    for (uint64_t cycle = 0; cycle < 150; ++cycle) {
        if (cycle < 3) offer(&s, &offered[cycle]);
        dram_scheduler_eval(&s);
        dram_scheduler_eval(&s);
        assert_true(s.out.ready);
        if (s.out.command != DRAM_NONE) {
            assert_in_range(n, 0, count - 1);
            assert_int_equal(cycle, commands[n].cycle);
            assert_int_equal(s.out.command, commands[n].command);
            assert_int_equal(s.out.bank, commands[n++].bank);
            print_message("%s %u ", names[s.out.command], (unsigned)cycle);
        }
        if (s.out.done) assert_int_equal(cycle + c.cl + c.burst_cycles - 1, complete[s.out.tag]);
        dram_scheduler_clock(&s);
    }
    assert_int_equal(n, count);
    print_message("(example 4, %s)\n", policy == DRAM_FCFS ? "fcfs" : "frfcfs");
}

#define READ(bank_, row_, tag_)                                                                              \
    { .valid = true, .bank = bank_, .row = row_, .bursts = 1, .tag = tag_ }

static void example_4(void **state) {
    (void)state;
    static const struct dram_scheduler_in rows[3] = {READ(0, 1, 0), READ(0, 2, 1), READ(0, 1, 2)};
    static const struct given fcfs[] = {{0, DRAM_ACTIVATE, 0},  {12, DRAM_READ, 0}, {28, DRAM_PRECHARGE, 0},
                                        {40, DRAM_ACTIVATE, 0}, {52, DRAM_READ, 0}, {68, DRAM_PRECHARGE, 0},
                                        {80, DRAM_ACTIVATE, 0}, {92, DRAM_READ, 0}};
    static const struct given frfcfs[] = {{0, DRAM_ACTIVATE, 0},  {12, DRAM_READ, 0},
                                          {16, DRAM_READ, 0},     {28, DRAM_PRECHARGE, 0},
                                          {40, DRAM_ACTIVATE, 0}, {52, DRAM_READ, 0}};
    expect(DRAM_FCFS, rows, fcfs, 8, (uint64_t[]){25, 65, 105});
    expect(DRAM_FRFCFS, rows, frfcfs, 6, (uint64_t[]){25, 65, 29});
    static const struct dram_scheduler_in banks[3] = {READ(0, 1, 0), READ(1, 1, 1), READ(1, 1, 2)};
    static const struct given either[] = {{0, DRAM_ACTIVATE, 0},
                                          {5, DRAM_ACTIVATE, 1},
                                          {12, DRAM_READ, 0},
                                          {17, DRAM_READ, 1},
                                          {21, DRAM_READ, 1}};
    expect(DRAM_FCFS, banks, either, 5, (uint64_t[]){25, 30, 34});
    expect(DRAM_FRFCFS, banks, either, 5, (uint64_t[]){25, 30, 34});
}

/* Test 7 of the requirements: a stream of reads, 16 in one row of a bank, then in the next. */
static unsigned stream(unsigned policy) {
    const struct dram_scheduler_config c = fermi(policy);
    unsigned offered = 0, complete = 0;
    dram_scheduler_init(&s, &c);
    for (uint64_t cycle = 0; cycle < 3000; ++cycle) {
        offer(&s, &(struct dram_scheduler_in)READ(offered / 16 % 8, 1, 0));
        dram_scheduler_eval(&s);
        offered += s.out.ready;
        complete += s.out.done;
        dram_scheduler_clock(&s);
    }
    return complete;
}

static void a_stream_keeps_the_bus_busy(void **state) {
    (void)state;
    const unsigned fcfs = stream(DRAM_FCFS), frfcfs = stream(DRAM_FRFCFS);
    print_message("3000 cycles of reads, 750 are possible: fcfs %u, frfcfs %u\n", fcfs, frfcfs);
    assert_int_equal(fcfs, 737);
    assert_int_equal(frfcfs, 747);
}

static void a_full_queue_takes_nothing(void **state) {
    (void)state;
    struct dram_scheduler_config c = fermi(DRAM_FCFS);
    c.queue = 2;
    dram_scheduler_init(&s, &c);
    static const bool ready[] = {true, true, true, false};
    for (unsigned cycle = 0; cycle < 4; ++cycle) { /* the first enters its bank in the same cycle */
        offer(&s, &(struct dram_scheduler_in)READ(0, 1, 0));
        dram_scheduler_eval(&s);
        assert_int_equal(s.out.ready, ready[cycle]);
        dram_scheduler_clock(&s);
    }
    assert_int_equal(s.q.count, 2);
}

static void writes_and_reads_keep_their_distances(void **state) {
    (void)state;
    const struct dram_scheduler_config c = fermi(DRAM_FCFS);
    static const struct dram_scheduler_in offered[] = {
        {.valid = true, .write = true, .bank = 0, .row = 5, .bursts = 2, .tag = 1},
        {.valid = true, .bank = 0, .row = 5, .bursts = 1, .tag = 2},
        {.valid = true, .write = true, .bank = 0, .row = 5, .bursts = 1, .tag = 3},
        {.valid = true, .bank = 0, .row = 6, .bursts = 1, .tag = 4},
    };
    /* WR 12, 16; RD 4 + 4 + 5 later, 29. WR 10 + 4 + 2 − 4 later, 41; PRE 4 + 4 + 12 later, 61; ACT 73; RD
     * 85. */
    static const struct given commands[] = {
        {0, DRAM_ACTIVATE, 0}, {12, DRAM_WRITE, 0},     {16, DRAM_WRITE, 0},    {29, DRAM_READ, 0},
        {41, DRAM_WRITE, 0},   {61, DRAM_PRECHARGE, 0}, {73, DRAM_ACTIVATE, 0}, {85, DRAM_READ, 0}};
    unsigned n = 0;
    dram_scheduler_init(&s, &c);
    for (uint64_t cycle = 0; cycle < 150; ++cycle) {
        if (cycle < 4) offer(&s, &offered[cycle]);
        dram_scheduler_eval(&s);
        if (s.out.command != DRAM_NONE) {
            assert_true(n < 8);
            assert_int_equal(cycle, commands[n].cycle);
            assert_int_equal(s.out.command, commands[n++].command);
        }
        if (s.out.done) assert_int_equal(s.out.hit, s.out.tag == 2 || s.out.tag == 3);
        dram_scheduler_clock(&s);
    }
    assert_int_equal(n, 8);
}

/* --- random --- */

/* Cycles of the latest commands of a bank and of the channel; NEVER: none yet. */
#define NEVER (INT64_MIN / 2)
struct history {
    int64_t activate, precharge, read, write;
    bool open;
};

static void check_distances(const struct dram_scheduler_config *c, const struct history *all,
                            const struct history *bank, enum dram_command command, int64_t t) {
    const int64_t burst = c->burst_cycles;
    switch (command) {
    case DRAM_NONE: return;
    case DRAM_ACTIVATE:
        assert_false(bank->open);
        assert_true(t - all->activate >= c->rrd);
        assert_true(t - bank->activate >= c->rc);
        assert_true(t - bank->precharge >= c->rp);
        return;
    case DRAM_PRECHARGE:
        assert_true(bank->open);
        assert_true(t - bank->activate >= c->ras);
        assert_true(t - bank->read >= burst);
        assert_true(t - bank->write >= (int64_t)c->wl + burst + c->wr);
        return;
    case DRAM_READ:
    case DRAM_WRITE: break;
    }
    assert_true(bank->open);
    assert_true(t - bank->activate >= c->rcd);
    const int64_t same = command == DRAM_READ ? all->read : all->write;
    assert_true(t - same >= c->ccd);
    if (command == DRAM_READ)
        assert_true(t - all->write >= (int64_t)c->wl + burst + c->cdlr);
    else
        assert_true(t - all->read >= (int64_t)c->cl + burst + 2 - c->wl && t - all->read >= c->ccd);
}

static void note(struct history *h, enum dram_command command, int64_t t) {
    switch (command) {
    case DRAM_NONE: break;
    case DRAM_ACTIVATE: h->activate = t, h->open = true; break;
    case DRAM_PRECHARGE: h->precharge = t, h->open = false; break;
    case DRAM_READ: h->read = t; break;
    case DRAM_WRITE: h->write = t; break;
    }
}

static struct dram_scheduler_config random_config(struct seed *seed) {
    struct dram_scheduler_config c = {.policy = seed_below(seed, 2),
                                      .queue = 1 + seed_below(seed, DRAM_MAX_QUEUE),
                                      .banks = 1u << seed_below(seed, 6)};
    unsigned *distance[] = {&c.rcd, &c.rp, &c.cl, &c.ras, &c.rrd, &c.rc, &c.ccd, &c.burst_cycles};
    for (unsigned n = 0; n < sizeof distance / sizeof distance[0]; ++n)
        *distance[n] = 1 + seed_below(seed, 40);
    c.wl = seed_below(seed, 20), c.cdlr = seed_below(seed, 20), c.wr = seed_below(seed, 20);
    return c;
}

static struct dram_scheduler_in random_request(struct seed *seed, uint32_t tag) {
    return (struct dram_scheduler_in){.valid = true,
                                      .write = seed_below(seed, 3) == 0,
                                      .bank = seed_below(seed, s.cfg.banks),
                                      .row = seed_below(seed, 3),
                                      .bursts = 1 + seed_below(seed, 4),
                                      .tag = tag};
}

static void requests_are_served_once_and_distances_kept(void **state) {
    (void)state;
    struct seed seed = seed_start();
    enum { REQUESTS = 400 };
    for (unsigned run = 0; run < 200; ++run) {
        const struct dram_scheduler_config c = random_config(&seed);
        struct history bank[DRAM_MAX_BANKS], all = {NEVER, NEVER, NEVER, NEVER, false};
        for (unsigned b = 0; b < DRAM_MAX_BANKS; ++b) bank[b] = all;
        struct dram_scheduler_in offered[REQUESTS];
        unsigned accesses[REQUESTS] = {0}, served = 0, sent = 0, last = 0;
        const unsigned rate = 1 + seed_below(&seed, 30);
        dram_scheduler_init(&s, &c);
        for (int64_t t = 0; served < REQUESTS; ++t) {
            assert_true(t < 200000); /* no request waits for ever */
            if (sent < REQUESTS && seed_below(&seed, rate) == 0) {
                offered[sent] = random_request(&seed, sent);
                offer(&s, &offered[sent]);
            }
            const bool valid = s.in.valid, is_idle = !valid && dram_scheduler_idle(&s);
            dram_scheduler_eval(&s);
            sent += valid && s.out.ready;
            const unsigned b = s.out.bank;
            assert_false(is_idle && (s.out.command != DRAM_NONE || s.d.taken < s.d.count));
            check_distances(&c, &all, &bank[b], s.out.command, t);
            note(&bank[b], s.out.command, t);
            note(&all, s.out.command, t);
            if (s.out.done) {
                const unsigned tag = s.out.tag;
                assert_int_equal(accesses[tag]++, 0);
                assert_int_equal(offered[tag].bank, b);
                assert_int_equal(offered[tag].write, s.out.command == DRAM_WRITE);
                if (c.policy == DRAM_FCFS && c.banks == 1) assert_int_equal(tag, last++);
                ++served;
            }
            dram_scheduler_clock(&s);
        }
        for (unsigned n = 0; n < REQUESTS; ++n) assert_int_equal(accesses[n], 1);
        assert_int_equal(s.q.busy | s.q.count, 0);
        assert_int_equal(dram_scheduler_idle(&s), UINT32_MAX);
    }
}

/* Two schedulers with the same requests: one is evaluated in every cycle, the other only when necessary. */
static void cycles_without_anything_to_do_may_be_skipped(void **state) {
    (void)state;
    static struct dram_scheduler other;
    struct seed seed = seed_start();
    for (unsigned run = 0; run < 100; ++run) {
        const struct dram_scheduler_config c = random_config(&seed);
        dram_scheduler_init(&s, &c);
        dram_scheduler_init(&other, &c);
        const unsigned rate = 1 + seed_below(&seed, 60);
        uint64_t at = 0; /* cycle of the other scheduler */
        for (uint64_t t = 0; t < 3000; ++t) {
            const struct dram_scheduler_in in = seed_below(&seed, rate) == 0
                                                    ? random_request(&seed, (uint32_t)t)
                                                    : (struct dram_scheduler_in){.valid = false};
            offer(&s, &in);
            dram_scheduler_eval(&s);
            const struct dram_scheduler_out out = s.out;
            dram_scheduler_clock(&s);
            if (!in.valid && at + dram_scheduler_idle(&other) > t) {
                assert_int_equal(out.command, DRAM_NONE);
                continue;
            }
            dram_scheduler_skip(&other, t - at);
            offer(&other, &in);
            dram_scheduler_eval(&other);
            assert_int_equal(other.out.ready, out.ready);
            assert_int_equal(other.out.command, out.command);
            assert_int_equal(other.out.bank, out.bank);
            assert_int_equal(other.out.done, out.done);
            assert_int_equal(other.out.tag, out.tag);
            assert_int_equal(other.out.hit, out.hit);
            dram_scheduler_clock(&other);
            at = t + 1;
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(example_4),
        cmocka_unit_test(a_stream_keeps_the_bus_busy),
        cmocka_unit_test(a_full_queue_takes_nothing),
        cmocka_unit_test(writes_and_reads_keep_their_distances),
        cmocka_unit_test(requests_are_served_once_and_distances_kept),
        cmocka_unit_test(cycles_without_anything_to_do_may_be_skipped),
    };
    return cmocka_run_group_tests_name("dram_scheduler", tests, NULL, NULL);
}
