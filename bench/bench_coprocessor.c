/* What the co-processor alone costs in C: every cycle the scheduler looks at 16 busy warps, the arbiter
 * chooses the PC of the warp that it picked in the cycle before, whose threads go to Execution and come back
 * some cycles later, and the barrier table counts, as the cluster drives them; without lanes and memory. The
 * lanes take a warp every 8 cycles, as those of the base machine do, or one every cycle, as no machine with 4
 * lanes can. */
#include "model/barrier_table.h"
#include "model/warp_pc_arbiter.h"
#include "model/warp_scheduler.h"

#include <stdio.h>
#include <time.h>

#define WARPS   16
#define THREADS 32
#define LEVELS  8
#define FLIGHT  12 /* cycles from arbitration to commit: more warps are ready than can be picked */
#define CYCLES  4000000

static struct thread_descriptor_table table;
static struct warp_scheduler scheduler;
static struct warp_pc_arbiter arbiter;
static struct barrier_table barriers;
static struct flight {
    int warp; /* −1: none */
    uint64_t participating;
} flight[FLIGHT];

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void begin(enum scheduler_policy s, enum pc_policy p) {
    thread_descriptor_table_init(&table, WARPS, THREADS, LEVELS);
    warp_scheduler_init(&scheduler, s, WARPS, 4);
    warp_pc_arbiter_init(&arbiter, p, THREADS, LEVELS);
    barrier_table_init(&barriers, 1, false);
    for (unsigned w = 0; w < WARPS; ++w)
        for (unsigned k = 0; k < THREADS; ++k) tdt_start(&table, w, k, 0x10000, k, 0);
    for (unsigned n = 0; n < FLIGHT; ++n) flight[n].warp = -1;
    barriers.in.start = true;
    barriers.in.start_live = WARPS * THREADS;
}

/* C: the threads go one instruction on; now and then a branch parts them, and they meet again. */
static void commit(const struct flight *f, uint64_t t) {
    struct warp_descriptors *w = &table.warp[f->warp];
    const uint64_t part = t % 64 == 0 ? f->participating & 0x5555555555555555u : 0;
    for (unsigned k = 0; k < THREADS; ++k)
        w->pc[k] += (uint32_t)(f->participating >> k & 1) << 2 | (uint32_t)(part >> k & 1) << 4;
    tdt_commit(w, f->participating);
    if (part) w->one_pc = false;
}

/* One cycle; instructions picked. */
static unsigned cycle(uint64_t t, unsigned rounds, uint64_t *ready, int *picked) {
    struct flight *f = &flight[t % FLIGHT];
    if (f->warp >= 0) {
        commit(f, t);
        *ready |= 1ull << f->warp;
        f->warp = -1;
    }
    scheduler.in.ready = *ready;
    scheduler.in.take = t % rounds == 0;
    warp_scheduler_eval(&scheduler);
    warp_scheduler_clock(&scheduler);
    if (*picked >= 0) {
        struct warp_descriptors *w = &table.warp[*picked];
        warp_pc_arbiter_read(&arbiter, w);
        warp_pc_arbiter_eval(&arbiter);
        tdt_schedule(w, arbiter.out.participating);
        *f = (struct flight){*picked, arbiter.out.participating};
    }
    *picked = scheduler.out.valid ? (int)scheduler.out.warp : -1;
    if (*picked >= 0) *ready &= ~(1ull << *picked);
    barrier_table_eval(&barriers);
    barrier_table_clock(&barriers);
    return scheduler.out.valid;
}

static void measure(const char *name, enum scheduler_policy s, enum pc_policy p, unsigned rounds) {
    uint64_t ready = (1ull << WARPS) - 1, instructions = 0;
    int picked = -1;
    begin(s, p);
    const double start = now();
    for (uint64_t t = 0; t < CYCLES; ++t) instructions += cycle(t, rounds, &ready, &picked);
    const double seconds = now() - start;
    printf("%-40s%8.1f M cycles/s, %.2f instructions a cycle\n", name, CYCLES / seconds / 1e6,
           (double)instructions / CYCLES);
}

int main(void) {
    measure("round_robin, ics_first", SCHEDULER_ROUND_ROBIN, PC_ICS_FIRST, 8);
    measure("greedy_oldest, min_pc", SCHEDULER_GREEDY_OLDEST, PC_MIN_PC, 8);
    measure("two_level, first_ready", SCHEDULER_TWO_LEVEL, PC_FIRST_READY, 8);
    measure("round_robin, ics_first, a pick a cycle", SCHEDULER_ROUND_ROBIN, PC_ICS_FIRST, 1);
    return 0;
}
