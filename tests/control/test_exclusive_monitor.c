/* The exclusive monitor alone, and under LDREX and STREX of a warp. */
#include "model/arm/arm.h"
#include "model/control/exclusive_monitor.h"
#include "model/cluster/uncore.h"
#include "tests/seed.h"

#include <string.h>

#define THREADS 130u /* more than two words of the bit set */
#define GRANULE 64u
#define HOLD    100u
#define BUFFER  0x60000000u

static struct exclusive_monitor monitor;

static int set_up(void **state) {
    (void)state;
    exclusive_monitor_init(&monitor, THREADS, GRANULE, HOLD);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    exclusive_monitor_free(&monitor);
    return 0;
}

static void reservation_is_spent_once(void **state) {
    (void)state;
    assert_false(exclusive_monitor_spend(&monitor, 0, BUFFER));
    exclusive_monitor_reserve(&monitor, 0, BUFFER);
    assert_int_equal(monitor.reserved, 1);
    assert_true(exclusive_monitor_spend(&monitor, 0, BUFFER + GRANULE - 4));
    assert_false(exclusive_monitor_spend(&monitor, 0, BUFFER));
    assert_int_equal(monitor.reserved, 0);
}

static void another_granule_spends_in_vain(void **state) {
    (void)state;
    exclusive_monitor_reserve(&monitor, 129, BUFFER);
    assert_false(exclusive_monitor_spend(&monitor, 129, BUFFER + GRANULE));
    assert_false(exclusive_monitor_spend(&monitor, 129, BUFFER));
}

static void stores_of_others_clear(void **state) {
    (void)state;
    exclusive_monitor_reserve(&monitor, 1, BUFFER);
    exclusive_monitor_reserve(&monitor, 128, BUFFER + 32);
    exclusive_monitor_reserve(&monitor, 2, BUFFER + GRANULE);
    exclusive_monitor_store(&monitor, 1, BUFFER + 60, 4);
    assert_true(exclusive_monitor_spend(&monitor, 1, BUFFER));
    assert_false(exclusive_monitor_spend(&monitor, 128, BUFFER));
    assert_true(exclusive_monitor_spend(&monitor, 2, BUFFER + GRANULE));
}

static void store_across_two_granules(void **state) {
    (void)state;
    exclusive_monitor_reserve(&monitor, 1, BUFFER);
    exclusive_monitor_reserve(&monitor, 2, BUFFER + GRANULE);
    exclusive_monitor_store(&monitor, 3, BUFFER + GRANULE - 2, 2);
    assert_int_equal(monitor.reserved, 1);
    exclusive_monitor_store(&monitor, 3, BUFFER + GRANULE - 2, 4);
    assert_int_equal(monitor.reserved, 0);
}

/* The filter has fewer bins than there are granules. Sharing a bin must not clear a reservation. */
static void bins_are_shared_safely(void **state) {
    (void)state;
    exclusive_monitor_reserve(&monitor, 1, BUFFER);
    exclusive_monitor_store(&monitor, 2, BUFFER + EXCLUSIVE_MONITOR_BINS * GRANULE, 4);
    assert_true(exclusive_monitor_spend(&monitor, 1, BUFFER));
}

static void newer_reservation_replaces(void **state) {
    (void)state;
    exclusive_monitor_reserve(&monitor, 1, BUFFER);
    exclusive_monitor_reserve(&monitor, 1, BUFFER + GRANULE);
    assert_int_equal(monitor.reserved, 1);
    exclusive_monitor_store(&monitor, 2, BUFFER, 4);
    assert_true(exclusive_monitor_spend(&monitor, 1, BUFFER + GRANULE));
    exclusive_monitor_reserve(&monitor, 1, BUFFER);
    exclusive_monitor_clear(&monitor, 1);
    assert_false(exclusive_monitor_spend(&monitor, 1, BUFFER));
}

/* --- turns --- */

/* Thread 1 is first: the STREX of 2 fails until 1 has stored, given up, or exceeded its time. */
static void the_first_to_ask_holds_the_granule(void **state) {
    (void)state;
    for (unsigned how = 0; how < 4; how++) {
        exclusive_monitor_reset(&monitor);
        monitor.now = 0;
        exclusive_monitor_reserve(&monitor, 1, BUFFER);
        exclusive_monitor_reserve(&monitor, 2, BUFFER + 4);
        assert_false(exclusive_monitor_spend(&monitor, 2, BUFFER + 4));
        exclusive_monitor_reserve(&monitor, 2, BUFFER + 4);
        switch (how) {
        case 0:
            assert_true(exclusive_monitor_spend(&monitor, 1, BUFFER));
            exclusive_monitor_store(&monitor, 1, BUFFER, 4);
            assert_false(exclusive_monitor_spend(&monitor, 2, BUFFER + 4));
            exclusive_monitor_reserve(&monitor, 2, BUFFER + 4);
            break;
        case 1: exclusive_monitor_clear(&monitor, 1); break;
        case 2: exclusive_monitor_give_up(&monitor, 1); break;
        default: monitor.now = HOLD;
        }
        assert_true(exclusive_monitor_spend(&monitor, 2, BUFFER + 4));
    }
}

/* Each LDREX lets the time begin again, but the turn is that of the first. */
static void a_retry_keeps_its_turn(void **state) {
    (void)state;
    exclusive_monitor_reserve(&monitor, 1, BUFFER);
    exclusive_monitor_reserve(&monitor, 128, BUFFER); /* a thread of another bank */
    exclusive_monitor_reserve(&monitor, 2, BUFFER);
    monitor.now = HOLD - 1;
    assert_false(exclusive_monitor_spend(&monitor, 128, BUFFER));
    exclusive_monitor_reserve(&monitor, 128, BUFFER);
    monitor.now = HOLD; /* the time of 1 and 2 is over */
    exclusive_monitor_reserve(&monitor, 2, BUFFER);
    assert_false(exclusive_monitor_spend(&monitor, 2, BUFFER));
    assert_true(exclusive_monitor_spend(&monitor, 128, BUFFER));
}

/* For threads whose loops exceed their time, the first STREX succeeds, even if another thread has asked in
 * between. */
static void late_stores_still_store(void **state) {
    (void)state;
    exclusive_monitor_reserve(&monitor, 1, BUFFER);
    monitor.now = HOLD - 1;
    exclusive_monitor_reserve(&monitor, 2, BUFFER); /* thread 1 would have to wait for it if 2 had come
                                                     * earlier */
    exclusive_monitor_reserve(&monitor, 128, BUFFER);
    monitor.now = HOLD + 1;
    assert_true(exclusive_monitor_spend(&monitor, 1, BUFFER));
    exclusive_monitor_store(&monitor, 1, BUFFER, 4);
    exclusive_monitor_reserve(&monitor, 1, BUFFER);
    assert_false(exclusive_monitor_spend(&monitor, 1, BUFFER)); /* thread 2 asks, and has asked earlier */
}

/* Four loops of 108 cycles, with STREX 58 cycles after LDREX, which exceeds the time. Cycle 166: the STREX of
 * thread 0 is refused, since 2 has asked in cycle 70, before it. Threads 1, 2 and 3 are refused for the same
 * reason, because of 3, 1 and 2; but each exceeds its time at its own next LDREX. If a thread lost its turn
 * there, it would ask after all others, and no store would follow the first one. The oldest thread stores
 * within two of its rounds, if no other does. */
static void loops_longer_than_their_time_store(void **state) {
    (void)state;
    static const unsigned first[] = {0, 29, 70, 101};
    unsigned stores = 0;
    for (monitor.now = 0; monitor.now < 100 * 108; monitor.now++)
        for (uint32_t k = 0; k < 4; k++) {
            if (monitor.now < first[k]) continue;
            const unsigned at = (unsigned)((monitor.now - first[k]) % 108);
            if (at == 0) exclusive_monitor_reserve(&monitor, k * 40, BUFFER);
            if (at != 58 || !exclusive_monitor_spend(&monitor, k * 40, BUFFER)) continue;
            exclusive_monitor_store(&monitor, k * 40, BUFFER, 4);
            stores++;
        }
    assert_true(stores >= 49);
}

static void a_plain_store_waits_for_its_turn(void **state) {
    (void)state;
    assert_false(exclusive_monitor_waits(&monitor, 3, BUFFER, 4));
    exclusive_monitor_reserve(&monitor, 1, BUFFER);
    assert_false(exclusive_monitor_waits(&monitor, 1, BUFFER, 4)); /* its own */
    assert_false(exclusive_monitor_waits(&monitor, 3, BUFFER + GRANULE, 4));
    assert_true(exclusive_monitor_waits(&monitor, 3, BUFFER - 2, 4));
    exclusive_monitor_reserve(&monitor, 100, BUFFER);
    assert_true(exclusive_monitor_waits(&monitor, 3, BUFFER - 2, 4));
    assert_true(exclusive_monitor_spend(&monitor, 1, BUFFER));
    assert_false(exclusive_monitor_spend(&monitor, 100, BUFFER)); /* after the store of 3 */
    assert_false(exclusive_monitor_waits(&monitor, 3, BUFFER - 2, 4));
    exclusive_monitor_store(&monitor, 3, BUFFER - 2, 4);
    exclusive_monitor_reserve(&monitor, 100, BUFFER);
    assert_true(exclusive_monitor_spend(&monitor, 100, BUFFER));
    assert_int_equal(monitor.asking, 0);
}

/* Reference for the monitor: state of a thread, in the simplest form. */
struct plain_thread {
    uint32_t reserved, wanted; /* granule plus one; 0: none */
    uint64_t turn, until;
};

static struct plain_thread plain[THREADS];
static uint64_t plain_turns;

static void plain_ask(uint32_t thread, uint32_t granule) {
    struct plain_thread *p = &plain[thread];
    if (p->wanted != granule) p->turn = ++plain_turns;
    p->wanted = granule;
    p->until = monitor.now + HOLD;
}

/* Returns whether another thread has asked earlier and has not exceeded its time. */
static bool plain_held(uint32_t thread, uint32_t granule) {
    const bool asks = (plain[thread].wanted == granule && monitor.now < plain[thread].until) ||
                      plain[thread].reserved == granule;
    for (unsigned k = 0; k < THREADS; k++)
        if (k != thread && plain[k].wanted == granule && monitor.now < plain[k].until &&
            (!asks || plain[k].turn < plain[thread].turn))
            return true;
    return false;
}

static bool plain_spend(uint32_t thread, uint32_t granule) {
    const bool may = plain[thread].reserved == granule && !plain_held(thread, granule);
    plain[thread].reserved = 0;
    if (may) plain[thread].wanted = 0;
    return may;
}

static void plain_store(uint32_t thread, uint32_t granule) {
    for (unsigned k = 0; k < THREADS; k++)
        if (k != thread && plain[k].reserved == granule) plain[k].reserved = 0;
    if (plain[thread].wanted == granule && !plain[thread].reserved) plain[thread].wanted = 0;
}

/* --- failures that are a livelock --- */

static void fail_in(uint64_t cycle, uint32_t thread, uint32_t address) {
    monitor.now = cycle;
    assert_false(exclusive_monitor_spend(&monitor, thread, address));
}

/* A limit of 160 cycles; a pause is more than 10. Failures in cycles 1000, 1010, … 1160. */
static void failures_in_a_row_are_a_livelock(void **state) {
    (void)state;
    monitor.limit = 160;
    assert_true(exclusive_monitor_deadline(&monitor) == UINT64_MAX);
    for (uint64_t t = 1000; t < 1160; t += 10) {
        fail_in(t, 5, BUFFER + 4);
        assert_int_equal(exclusive_monitor_deadline(&monitor), 1160);
        assert_false(exclusive_monitor_is_livelock(&monitor, t + 10 - 1));
    }
    assert_true(exclusive_monitor_is_livelock(&monitor, 1160));
    assert_int_equal(monitor.failures.first, 1000);
    assert_int_equal(monitor.failures.count, 16);
    assert_int_equal(monitor.failures.thread, 5);
    assert_int_equal(monitor.failures.address, BUFFER + 4);
    assert_int_equal(monitor.failures.struck, 0);
}

/* The last failure is 11 cycles before the end of the limit, so that it has ended in a pause. */
static void a_pause_ends_a_row_of_failures(void **state) {
    (void)state;
    monitor.limit = 160;
    for (uint64_t t = 1000; t <= 1140; t += 10) fail_in(t, 5, BUFFER);
    fail_in(1149, 5, BUFFER);
    assert_false(exclusive_monitor_is_livelock(&monitor, 1160));
    assert_false(exclusive_monitor_is_livelock(&monitor, 5000));
    fail_in(1160, 6, BUFFER);
    assert_int_equal(monitor.failures.count, 1);
    assert_int_equal(exclusive_monitor_deadline(&monitor), 1320);
    fail_in(1170, 6, BUFFER);
    assert_int_equal(monitor.failures.count, 2);
}

/* A STREX of any thread that stores ends the row, as does the start of a launch. */
static void a_success_ends_a_row_of_failures(void **state) {
    (void)state;
    monitor.limit = 160;
    for (uint64_t t = 1000; t < 1160; t += 10) fail_in(t, 5, BUFFER);
    exclusive_monitor_reserve(&monitor, 129, BUFFER + 4 * GRANULE);
    assert_true(exclusive_monitor_spend(&monitor, 129, BUFFER + 4 * GRANULE));
    assert_false(exclusive_monitor_is_livelock(&monitor, 1160));
    assert_true(exclusive_monitor_deadline(&monitor) == UINT64_MAX);
    fail_in(1160, 5, BUFFER);
    assert_int_equal(exclusive_monitor_deadline(&monitor), 1320);
    exclusive_monitor_reset(&monitor);
    assert_true(exclusive_monitor_deadline(&monitor) == UINT64_MAX);
}

/* Stores that clear a reservation are counted from the first failure on. */
static void stores_that_make_others_fail_are_counted(void **state) {
    (void)state;
    for (unsigned n = 0; n < 3; n++) {
        exclusive_monitor_reserve(&monitor, 5, BUFFER);
        exclusive_monitor_store(&monitor, 70 + n, BUFFER + 8, 4);
        exclusive_monitor_store(&monitor, 90, BUFFER + GRANULE, 4);
        fail_in(1000 + n, 5, BUFFER);
    }
    assert_int_equal(monitor.failures.struck, 2);
    assert_int_equal(monitor.failures.striker, 72);
}

static void the_limit_is_long(void **state) {
    (void)state;
    assert_int_equal(monitor.limit, 10000000);
    exclusive_monitor_free(&monitor);
    exclusive_monitor_init(&monitor, THREADS, GRANULE, 1000000);
    assert_int_equal(monitor.limit, 16000000);
}

static void random_walk(void **state) {
    (void)state;
    struct seed seed = seed_start();
    memset(plain, 0, sizeof plain);
    for (unsigned step = 0; step < 200000; step++) {
        const uint32_t few = seed_below(&seed, 2) ? 600 : 8;
        const uint32_t thread = seed_below(&seed, THREADS), address = seed_below(&seed, few * GRANULE);
        const uint32_t mine = address / GRANULE + 1;
        monitor.now += seed_below(&seed, 4);
        switch (seed_below(&seed, 6)) {
        case 0:
            exclusive_monitor_reserve(&monitor, thread, address);
            plain_ask(thread, mine);
            plain[thread].reserved = mine;
            break;
        case 1:
            assert_int_equal(exclusive_monitor_spend(&monitor, thread, address), plain_spend(thread, mine));
            break;
        case 2:
            exclusive_monitor_clear(&monitor, thread);
            plain[thread] = (struct plain_thread){0};
            break;
        case 3:
            assert_int_equal(exclusive_monitor_waits(&monitor, thread, address, 1), plain_held(thread, mine));
            if (!plain_held(thread, mine)) break;
            plain_ask(thread, mine);
            plain[thread].reserved = 0;
            break;
        case 4:
            exclusive_monitor_give_up(&monitor, thread);
            plain[thread].wanted = 0;
            break;
        default: exclusive_monitor_store(&monitor, thread, address, 1); plain_store(thread, mine);
        }
        uint32_t held = 0;
        for (unsigned k = 0; k < THREADS; k++) held += plain[k].reserved != 0;
        assert_int_equal(monitor.reserved, held);
    }
}

/* --- contenders --- */

/* A thread that stores to one word repeatedly: by LDREX, some cycles and STREX, or by plain stores. */
struct contender {
    uint32_t thread;
    unsigned gap, rest; /* cycles from LDREX to STREX, and from there to the next LDREX */
    bool plain;
    bool holds;      /* between LDREX and STREX */
    uint64_t next;   /* cycle of its next request */
    uint64_t wants;  /* cycle in which it wanted to store */
    uint64_t stores; /* number of its stores */
};

/* Makes its next request. Returns the cycles that a completed store has taken; 0 otherwise. */
static uint64_t contend(struct contender *c, uint32_t address) {
    const uint64_t t = monitor.now;
    if (c->plain ? exclusive_monitor_waits(&monitor, c->thread, address, 4) : !c->holds) {
        if (!c->plain) exclusive_monitor_reserve(&monitor, c->thread, address);
        c->holds = !c->plain;
        c->next = t + (c->plain ? 1 : c->gap);
        return 0;
    }
    const bool stores = c->plain || exclusive_monitor_spend(&monitor, c->thread, address);
    if (stores) exclusive_monitor_store(&monitor, c->thread, address, 4);
    const uint64_t took = stores ? t - c->wants + 1 : 0;
    c->holds = false;
    c->next = t + c->rest;
    if (!stores) return 0;
    ++c->stores;
    c->wants = c->next;
    return took;
}

/* 2 to 64 threads, of one bank and of several, each with its own period. Every store succeeds within n · 2 ·
 * HOLD cycles: each contender with an earlier turn is served within two rounds of its loop, which are
 * shorter. */
static void contenders_never_starve(void **state) {
    (void)state;
    struct seed seed = seed_start();
    for (unsigned n = 2; n <= 64; n += n < 8 ? 1 : 7) {
        struct contender c[64] = {0};
        exclusive_monitor_reset(&monitor);
        monitor.now = 0;
        const bool near = seed_below(&seed, 2) != 0;
        for (unsigned k = 0; k < n; k++)
            c[k] = (struct contender){.thread = near ? k : k * 2 + seed_below(&seed, 2),
                                      .gap = 1 + seed_below(&seed, HOLD - 6),
                                      .rest = 1 + seed_below(&seed, 4),
                                      .plain = seed_below(&seed, 3) == 0};
        for (unsigned k = 0; k < n; k++) c[k].next = c[k].wants = seed_below(&seed, HOLD);
        for (; monitor.now < 2000 * n; monitor.now++)
            for (unsigned k = 0; k < n; k++)
                if (c[k].next == monitor.now) assert_true(contend(&c[k], BUFFER) <= n * 2 * HOLD);
        for (unsigned k = 0; k < n; k++) assert_true(c[k].stores >= 9);
    }
}

/* --- a bank by its ports, a request a cycle --- */

static bool request(struct exclusive_bank *b, struct exclusive_monitor_in in) {
    b->in = in;
    exclusive_bank_eval(b);
    const bool may = b->out.may;
    exclusive_bank_clock(b);
    return may;
}

/* Thread 3 reserves granule 7; its STREX to 6 fails and spends the reservation; so does a second one to 7. */
static void a_bank_takes_a_request_a_cycle(void **state) {
    (void)state;
    struct exclusive_bank b;
    const struct exclusive_monitor_in ldrex = {.reserve = true, .own = true, .thread = 3, .first = 7},
                                      strex = {.spend = true, .own = true, .thread = 3, .first = 7};
    struct exclusive_monitor_in elsewhere = strex;
    elsewhere.first = 6;
    exclusive_bank_reset(&b);
    assert_false(request(&b, ldrex));
    assert_int_equal(b.q.holds, 8);
    assert_int_equal(b.q.granule[3], 7);
    assert_false(request(&b, elsewhere));
    assert_int_equal(b.q.holds, 0);
    assert_false(request(&b, strex));
    assert_false(request(&b, ldrex));
    assert_true(request(&b, strex));
    assert_int_equal(b.q.holds, 0);
}

/* Threads 0 to 3 reserve granules 4 to 7; thread 1 of the bank stores into 5 and 6, then thread 1 of another
 * into 4 and 5. */
static void a_store_strikes_the_others_of_its_granules(void **state) {
    (void)state;
    struct exclusive_bank b;
    exclusive_bank_reset(&b);
    for (unsigned k = 0; k < 4; k++)
        request(&b, (struct exclusive_monitor_in){.reserve = true, .own = true, .thread = k, .first = 4 + k});
    assert_int_equal(b.q.holds, 15);
    request(&b,
            (struct exclusive_monitor_in){.store = true, .own = true, .thread = 1, .first = 5, .last = 6});
    assert_int_equal(b.q.holds, 8 | 2 | 1);
    request(&b, (struct exclusive_monitor_in){.store = true, .thread = 1, .first = 4, .last = 5});
    assert_int_equal(b.q.holds, 8);
}

/* The requests that the block's twins see, for each bank, before the edge. */
struct told {
    unsigned cycles, resets;
    uint64_t holds; /* reservations of the first bank in the latest cycle */
};
static void tell(void *context, enum cluster_block block, uint64_t t) {
    struct told *told = context;
    assert_int_equal(block, CLUSTER_BLOCK_MONITOR);
    assert_int_equal(t, told->cycles++);
    told->holds = monitor.bank[0].q.holds;
}
static void tell_reset(void *context) {
    ++((struct told *)context)->resets;
}

/* Bank 0 has threads 0 to 63, bank 1 those to 127. */
static void banks_that_a_request_concerns_are_told(void **state) {
    (void)state;
    struct told told = {0};
    const struct cluster_twins twins = {.context = &told, .cycle = tell, .reset = tell_reset, .end = 4};
    monitor.bank[0].requests.twins = &twins;
    exclusive_monitor_store(&monitor, 1, BUFFER, 4); /* nothing is reserved */
    exclusive_monitor_clear(&monitor, 1);
    assert_int_equal(told.cycles, 0);
    exclusive_monitor_reserve(&monitor, 64, BUFFER); /* a thread of bank 1 */
    assert_int_equal(told.cycles, 0);
    exclusive_monitor_reserve(&monitor, 5, BUFFER);
    assert_int_equal(told.cycles, 1);
    assert_int_equal(told.holds, 0);
    exclusive_monitor_store(&monitor, 64, BUFFER, 4); /* bank 0, too: it has a reservation */
    assert_int_equal(told.cycles, 2);
    assert_int_equal(told.holds, 32);
    assert_int_equal(monitor.reserved, 1);           /* thread 64's own */
    exclusive_monitor_store(&monitor, 6, BUFFER, 4); /* bank 0 has none left */
    assert_int_equal(told.cycles, 2);
    assert_int_equal(monitor.reserved, 0);
    assert_false(exclusive_monitor_spend(&monitor, 5, BUFFER));
    assert_int_equal(told.cycles, 3);
    exclusive_monitor_reserve(&monitor, 5, BUFFER);
    assert_int_equal(told.cycles, 4);
    exclusive_monitor_reset(&monitor);
    assert_int_equal(told.resets, 1);
    assert_int_equal(monitor.reserved, 0);
    exclusive_monitor_reserve(&monitor, 5, BUFFER); /* the fifth: no longer */
    assert_int_equal(told.cycles, 4);
    assert_null(monitor.bank[0].requests.twins);
}

/* --- a warp of four increments one word: each round one thread gets through --- */

static void execute(struct arm_threads *t, uint32_t encoding, uint64_t mask, struct arm_execution *x) {
    struct arm_instruction i;
    arm_decode(encoding, 0x10000, &i);
    arm_execute(&i, t, mask, x);
    assert_int_equal(x->fault, ARM_FAULT_NONE);
}

static void atomic_increments(void **state) {
    (void)state;
    enum { N = 4, FIRST = 100 };
    static struct memory memory;
    static uint32_t registers[ARM_REGISTERS * N], special[9][N], word[4];
    struct arm_threads t = {.positions = N, .registers = registers, .memory = &memory, .monitor = &monitor};
    t.first_thread = FIRST;
    t.pc = special[0], t.next_pc = special[1], t.n = special[2], t.z = special[3], t.c = special[4];
    t.v = special[5], t.q = special[6], t.ge = special[7], t.fpscr = special[8];
    memory_init(&memory);
    memory_add(&memory, MEMORY_BUFFER, BUFFER, sizeof word, (uint8_t *)word, true, "word");
    for (unsigned k = 0; k < N; k++) registers[1 * N + k] = BUFFER;
    struct arm_execution x;
    uint64_t waiting = 0xf;
    for (unsigned round = 0; round < N; round++) {
        execute(&t, 0xe1912f9f, waiting, &x); /* ldrex r2, [r1] */
        execute(&t, 0xe2822001, waiting, &x); /* add r2, r2, #1 */
        execute(&t, 0xe1810f92, waiting, &x); /* strex r0, r2, [r1] */
        assert_int_equal(x.stored, UINT64_C(1) << round);
        for (unsigned k = round; k < N; k++) assert_int_equal(registers[k], k == round ? 0 : 1);
        assert_int_equal(word[0], round + 1);
        waiting &= waiting - 1;
    }
    execute(&t, 0xe1912f9f, 0x3, &x); /* ldrex r2, [r1] by threads 0 and 1 */
    execute(&t, 0xe5813000, 0x1, &x); /* str r3, [r1] by thread 0 */
    execute(&t, 0xe1810f92, 0x2, &x); /* strex r0, r2, [r1] by thread 1: in vain */
    assert_int_equal(x.stored, 0);
    assert_int_equal(registers[1], 1);
    execute(&t, 0xe1912f9f, 0x4, &x);
    execute(&t, 0xf57ff01f, 0x4, &x);      /* clrex */
    assert_int_equal(monitor.reserved, 1); /* thread 0's reservation, which its own store has kept */
}

/* Banks have 64 contexts each; the last one may have fewer. */
static void a_machine_has_banks_for_all_its_threads(void **state) {
    (void)state;
    static const uint32_t threads[] = {1, 63, 64, 65, 127, 128, 129}, banks[] = {1, 1, 1, 2, 2, 2, 3};
    for (unsigned n = 0; n < sizeof threads / sizeof threads[0]; n++) {
        struct exclusive_monitor m;
        exclusive_monitor_init(&m, threads[n], GRANULE, HOLD);
        assert_int_equal(m.banks, banks[n]);
        exclusive_monitor_free(&m);
    }
}

/* Thread 0 executes an LDREX, then thread 1 of its warp. If the warp runs as a whole, thread 0 has lost its
 * turn; if threads are regrouped, thread 1 must wait for it. */
static void turns_in_a_warp_whose_threads_run_apart(void **state) {
    (void)state;
    enum { N = 4 };
    static struct memory memory;
    static uint32_t registers[ARM_REGISTERS * N], special[9][N], word[4];
    struct arm_threads t = {.positions = N, .registers = registers, .memory = &memory, .monitor = &monitor};
    t.pc = special[0], t.next_pc = special[1], t.n = special[2], t.z = special[3], t.c = special[4];
    t.v = special[5], t.q = special[6], t.ge = special[7], t.fpscr = special[8];
    memory_init(&memory);
    memory_add(&memory, MEMORY_BUFFER, BUFFER, sizeof word, (uint8_t *)word, true, "word");
    for (unsigned k = 0; k < N; k++) registers[1 * N + k] = BUFFER;
    for (unsigned n = 0; n < 2; n++) {
        struct arm_execution x;
        monitor.apart = n;
        execute(&t, 0xe1912f9f, 0x1, &x); /* ldrex r2, [r1] by thread 0 */
        execute(&t, 0xe1912f9f, 0x2, &x); /* the same by thread 1 */
        execute(&t, 0xe1810f92, 0x2, &x); /* strex r0, r2, [r1] by thread 1 */
        assert_int_equal(x.stored, n ? 0 : 0x2);
        if (!n) execute(&t, 0xe1912f9f, 0x1, &x); /* thread 0 tries again */
        execute(&t, 0xe1810f92, 0x1, &x);
        assert_int_equal(x.stored, 0x1);
        execute(&t, 0xe1912f9f, 0x2, &x);
        execute(&t, 0xe1810f92, 0x2, &x);
        assert_int_equal(x.stored, 0x2);
        assert_int_equal(monitor.asking, 0);
    }
}

/* Two threads of each of four warps, 2w and 2w + 1, repeat LDREX and STREX of one granule, in an order that
 * random code had with dual-path execution. If the LDREX of one ends the turn of the other, each STREX finds
 * an older ask, and none ever stores. Regression: simt.mitigation dpe had that. */
static void turns_of_two_paths_of_each_warp(void **state) {
    (void)state;
    /* LDREX by thread n: n; STREX: -1 - n */
    static const int order[] = {0,      -1 - 7, 1,      2,      3,      -1 - 4, -1 - 5, 6,
                                -1 - 0, 7,      -1 - 1, -1 - 2, -1 - 3, 4,      5,      -1 - 6};
    enum { EVENTS = sizeof order / sizeof *order, PERIODS = 200 };
    for (unsigned apart = 0; apart < 2; apart++) {
        struct exclusive_monitor m;
        unsigned stored[8] = {0}, all = 0;
        exclusive_monitor_init(&m, 8, GRANULE, HOLD);
        for (unsigned n = 0; n < PERIODS * EVENTS; n++) {
            const int event = order[n % EVENTS];
            const unsigned thread = (unsigned)(event < 0 ? -1 - event : event);
            ++m.now;
            if (event >= 0) {
                if (!apart) exclusive_monitor_give_up(&m, thread ^ 1);
                exclusive_monitor_reserve(&m, thread, 0);
            } else if (n >= EVENTS && exclusive_monitor_spend(&m, thread, 0)) {
                exclusive_monitor_store(&m, thread, 0, 4);
                ++stored[thread];
            }
        }
        for (unsigned n = 0; n < 8; n++) all += stored[n];
        assert_int_equal(all != 0, apart);
        for (unsigned n = 0; apart && n < 8; n++) assert_in_range(stored[n], PERIODS / 10, PERIODS);
        exclusive_monitor_free(&m);
    }
}

/* Threads 0 and 1 share a local memory; thread 2 has another one at the same addresses. */
static void a_window_is_another_place_for_each_thread(void **state) {
    (void)state;
    struct exclusive_monitor m;
    exclusive_monitor_init(&m, 3, 64, HOLD);
    exclusive_monitor_window(&m, 0x40000000, 0x1000);
    exclusive_monitor_offset(&m, 2, 0x8000);
    exclusive_monitor_reserve(&m, 0, 0x40000000);
    exclusive_monitor_store(&m, 2, 0x40000000, 4); /* its own */
    assert_true(exclusive_monitor_spend(&m, 0, 0x40000000));
    exclusive_monitor_reserve(&m, 0, 0x40000000);
    exclusive_monitor_store(&m, 1, 0x40000000, 4);
    assert_false(exclusive_monitor_spend(&m, 0, 0x40000000));
    exclusive_monitor_reserve(&m, 2, 0x40000010);
    exclusive_monitor_store(&m, 0, 0x40008010, 4); /* outside the window: the memory of thread 2 */
    assert_false(exclusive_monitor_spend(&m, 2, 0x40000010));
    exclusive_monitor_reserve(&m, 2, 0x40001000); /* after the window: shared by all */
    exclusive_monitor_store(&m, 0, 0x40001000, 4);
    assert_false(exclusive_monitor_spend(&m, 2, 0x40001000));
    exclusive_monitor_free(&m);
}

/* Regression: a launch did not tell the monitor of its local memories, and stores to one cleared reservations
 * in all. */
static void a_launch_has_a_window_of_its_local_memory(void **state) {
    (void)state;
    const struct machine_launch launch = {
        .global_size = {1, 1, 1}, .local_size = {1, 1, 1}, .local_bytes = 64};
    struct machine_config config;
    struct uncore u;
    config_defaults(&machine_config_table, &config);
    uncore_init(&u, &config);
    exclusive_monitor_offset(&u.monitor, 1, machine_local_stride(&config));
    uncore_begin_launch(&u, &launch);
    exclusive_monitor_reserve(&u.monitor, 0, MEMORY_LOCAL_BASE);
    exclusive_monitor_store(&u.monitor, 1, MEMORY_LOCAL_BASE, 4);
    assert_true(exclusive_monitor_spend(&u.monitor, 0, MEMORY_LOCAL_BASE));
    uncore_free(&u);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_bank_takes_a_request_a_cycle),
        TEST(a_store_strikes_the_others_of_its_granules),
        TEST(banks_that_a_request_concerns_are_told),
        cmocka_unit_test(a_machine_has_banks_for_all_its_threads),
        TEST(turns_of_two_paths_of_each_warp),
        TEST(turns_in_a_warp_whose_threads_run_apart),
        cmocka_unit_test(a_window_is_another_place_for_each_thread),
        cmocka_unit_test(a_launch_has_a_window_of_its_local_memory),
        TEST(reservation_is_spent_once),
        TEST(another_granule_spends_in_vain),
        TEST(stores_of_others_clear),
        TEST(store_across_two_granules),
        TEST(bins_are_shared_safely),
        TEST(newer_reservation_replaces),
        TEST(the_first_to_ask_holds_the_granule),
        TEST(a_retry_keeps_its_turn),
        TEST(late_stores_still_store),
        TEST(loops_longer_than_their_time_store),
        TEST(a_plain_store_waits_for_its_turn),
        TEST(failures_in_a_row_are_a_livelock),
        TEST(a_pause_ends_a_row_of_failures),
        TEST(a_success_ends_a_row_of_failures),
        TEST(stores_that_make_others_fail_are_counted),
        TEST(the_limit_is_long),
        TEST(random_walk),
        TEST(contenders_never_starve),
        TEST(atomic_increments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
