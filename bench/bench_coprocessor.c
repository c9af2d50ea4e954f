/* What the co-processor alone costs in C: every cycle its five models are evaluated and clocked, wired by
 * their ports, with 16 busy warps, without lanes and memory. The scheduler picks, the arbiter chooses the PC
 * of the warp picked in the cycle before, whose instruction waits for the dispatcher; what it does is told
 * with its first round, and it commits some cycles after the last. All warps run a loop in which a branch
 * parts the threads, which then meet again, and in which they meet at a barrier. The lanes take a warp every
 * 8 cycles, as those of the base machine do, or one every cycle, as if each instruction were uniform. */
#include "model/control/barrier_table.h"
#include "model/control/subwarp_dispatcher.h"
#include "model/control/warp_pc_arbiter.h"
#include "model/control/warp_scheduler.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#define WARPS   16
#define THREADS 32
#define LANES   4
#define LEVELS  8
#define LATENCY 8 /* cycles from the last round to the commit */
#define FLIGHT  32
#define CYCLES  4000000
#define RUNS    5

/* The loop: LENGTH instructions from PC START on; a branch of every other thread, a barrier. */
#define START   0x10000u
#define LENGTH  256u
#define BRANCH  32u
#define JOIN    40u
#define BARRIER 200u

static struct tdt_room room;
static struct thread_descriptor_table table = {.warp = room.warp, .rows = room.row[0]};
static struct warp_scheduler scheduler;
static struct warp_pc_arbiter arbiter;
static struct subwarp_dispatcher dispatcher;
static struct barrier_table barriers;

static uint32_t back[THREADS], join[THREADS]; /* targets */
static struct { unsigned warp[WARPS], first, count; /* wait for the dispatcher */ } queue;
static uint64_t front_end;       /* warps from being picked to their schedule */
static uint64_t commits[FLIGHT]; /* of the cycles to come */
static struct warp_instruction {
    uint32_t pc;
    uint64_t threads;
} instruction[WARPS];

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void begin(const struct scheduler_policy *s, enum pc_policy p) {
    thread_descriptor_table_init(&table, WARPS, THREADS, LEVELS);
    thread_descriptor_table_lanes(&table, LANES, false);
    warp_scheduler_init(&scheduler, s, WARPS, 4);
    warp_pc_arbiter_init(&arbiter, p, THREADS, LEVELS);
    subwarp_dispatcher_init(&dispatcher, WARPS, THREADS, LANES);
    barrier_table_init(&barriers, 1, false);
    memset(&queue, 0, sizeof queue);
    memset(commits, 0, sizeof commits);
    front_end = 0;
    for (unsigned k = 0; k < THREADS; ++k) {
        back[k] = START;
        join[k] = START + 4 * JOIN;
    }
    barriers.in.start = true;
    barriers.in.start_live = WARPS * THREADS;
}

/* A context a lane and cycle. */
static void start(uint64_t t) {
    table.in.start = (1u << LANES) - 1;
    for (unsigned lane = 0; lane < LANES; ++lane) {
        table.start_context[lane] = (uint32_t)t;
        table.start_pc[lane] = START;
    }
}

/* S and A: returns whether a warp was picked. */
static bool select_and_arbitrate(bool take) {
    static const uint64_t all = (1ull << WARPS) - 1;
    scheduler.in.ready = table.out.runnable & ~front_end;
    scheduler.in.stalled = all & ~scheduler.in.ready;
    scheduler.in.take = take;
    warp_scheduler_eval(&scheduler);
    table.in.select = scheduler.out.valid;
    table.in.select_warp = scheduler.out.warp;
    const unsigned warp = table.q.read;
    if (front_end >> warp & 1) {
        arbiter.in = (struct warp_pc_arbiter_in){table.out.ready, table.out.priority, table.out.pc};
        warp_pc_arbiter_eval(&arbiter);
        table.in.schedule = true;
        table.in.schedule_threads = arbiter.out.participating;
        table.in.schedule_pc = arbiter.out.pc;
        instruction[warp] = (struct warp_instruction){arbiter.out.pc, arbiter.out.participating};
        queue.warp[(queue.first + queue.count++) % WARPS] = warp;
    }
    front_end = scheduler.out.valid ? 1ull << scheduler.out.warp : 0;
    return scheduler.out.valid;
}

/* X: what the instruction does that the dispatcher takes now. */
static void execute(unsigned warp, uint64_t t, unsigned rounds) {
    const struct warp_instruction *i = &instruction[warp];
    const uint32_t at = (i->pc - START) / 4;
    table.in.execute = true;
    table.in.execute_warp = warp;
    table.in.execute_jumps = at == BRANCH || at == LENGTH - 1;
    table.in.execute_passed = at == BRANCH ? i->threads & 0xaaaaaaaa : i->threads;
    table.in.execute_target = at == BRANCH ? join : back;
    table.in.execute_operation = at == BARRIER ? THREAD_BARRIER : THREAD_NONE;
    commits[(t + rounds + LATENCY) % FLIGHT] |= 1ull << warp;
}

static void dispatch(uint64_t t, unsigned rounds) {
    dispatcher.in = (struct subwarp_dispatcher_in){.valid = queue.count > 0,
                                                   .warp = queue.warp[queue.first],
                                                   .rounds = rounds,
                                                   .beats = 1,
                                                   .occupancy = 1};
    subwarp_dispatcher_eval(&dispatcher);
    if (!dispatcher.out.first) return;
    execute(queue.warp[queue.first], t, rounds);
    queue.first = (queue.first + 1) % WARPS;
    --queue.count;
}

/* One cycle; instructions picked. */
static unsigned cycle(uint64_t t, unsigned rounds) {
    const bool starting = t < WARPS * THREADS / LANES;
    if (starting) start(t);
    dispatch(t, rounds);
    const bool picked = select_and_arbitrate(!starting && t % rounds == 0);
    table.in.commit = commits[t % FLIGHT];
    table.in.release = barriers.q.release;
    commits[t % FLIGHT] = 0;
    thread_descriptor_table_eval(&table);
    barriers.in.arrive_count = table.out.arrive_count;
    barriers.in.arrive_pc = table.out.arrive_pc;
    barriers.in.exit_count = table.out.exit_count;
    barrier_table_eval(&barriers);
    warp_scheduler_clock(&scheduler);
    subwarp_dispatcher_clock(&dispatcher);
    thread_descriptor_table_clock(&table);
    barrier_table_clock(&barriers);
    return picked;
}

/* Of the fastest of some runs: the machine may have others at work. */
static void measure(const char *name, const struct scheduler_policy *s, enum pc_policy p, unsigned rounds) {
    double best = 1e9;
    uint64_t instructions = 0;
    for (unsigned n = 0; n < RUNS; ++n) {
        begin(s, p);
        instructions = 0;
        const double from = now();
        for (uint64_t t = 0; t < CYCLES; ++t) instructions += cycle(t, rounds);
        const double seconds = now() - from;
        if (seconds < best) best = seconds;
    }
    printf("%-40s%8.1f M cycles/s, %.2f instructions a cycle, %llu barriers\n", name, CYCLES / best / 1e6,
           (double)instructions / CYCLES, (unsigned long long)barriers.opened);
}

int main(void) {
    measure("round_robin, ics_first", &scheduler_policy_round_robin, PC_ICS_FIRST, 8);
    measure("greedy_oldest, min_pc", &scheduler_policy_greedy_oldest, PC_MIN_PC, 8);
    measure("two_level, first_ready", &scheduler_policy_two_level, PC_FIRST_READY, 8);
    measure("round_robin, ics_first, a pick a cycle", &scheduler_policy_round_robin, PC_ICS_FIRST, 1);
    return 0;
}
