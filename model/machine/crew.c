#include "model/machine/crew.h"

#include "sim/error.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

/* Number of times that a thread looks for work before it sleeps: about the time between two pieces. */
#define LOOKS 4000

#define CREW_MOST UINT64_C(65536) /* upper bound of the pieces of a round */

/* Each piece of a round is done by the thread that takes it. A round does not wait for threads that have
 * taken no piece, since the host may have suspended them. */
struct crew {
    unsigned threads;
    pthread_t *thread; /* all threads but the caller's */
    void (*piece)(void *context, unsigned n);
    void *context;
    atomic_uint_least64_t work; /* current round: number, pieces, next piece to be taken */
    atomic_uint done;           /* pieces done in the round */
    atomic_bool ends;
    pthread_mutex_t mutex; /* wakes sleeping threads */
    pthread_cond_t begins;
};

#define NEXT(work)  ((unsigned)(work) % CREW_MOST)
#define COUNT(work) ((unsigned)((work) / CREW_MOST) % CREW_MOST)

static void rest(void) {
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#endif
}

static bool is_awaited(struct crew *c) {
    const uint64_t work = atomic_load_explicit(&c->work, memory_order_acquire);
    return NEXT(work) < COUNT(work) || atomic_load_explicit(&c->ends, memory_order_relaxed);
}

static void work(struct crew *c) {
    uint64_t work = atomic_load_explicit(&c->work, memory_order_acquire);
    while (NEXT(work) < COUNT(work)) {
        if (!atomic_compare_exchange_weak_explicit(&c->work, &work, work + 1, memory_order_acq_rel,
                                                   memory_order_acquire))
            continue;
        c->piece(c->context, NEXT(work));
        atomic_fetch_add_explicit(&c->done, 1, memory_order_release);
        work = atomic_load_explicit(&c->work, memory_order_acquire);
    }
}

/* Returns when there may be a piece to take, or the crew ends. */
static void await(struct crew *c) {
    for (unsigned n = 0; n < LOOKS; ++n) {
        if (is_awaited(c)) return;
        rest();
    }
    pthread_mutex_lock(&c->mutex);
    while (!is_awaited(c)) pthread_cond_wait(&c->begins, &c->mutex);
    pthread_mutex_unlock(&c->mutex);
}

static void *run_thread(void *context) {
    struct crew *c = context;
    for (;;) {
        await(c);
        if (atomic_load_explicit(&c->ends, memory_order_relaxed)) return NULL;
        work(c);
    }
}

static void begin_round(struct crew *c, unsigned count) {
    const uint64_t before = atomic_load_explicit(&c->work, memory_order_relaxed),
                   number = before / CREW_MOST / CREW_MOST + 1;
    pthread_mutex_lock(&c->mutex);
    atomic_store_explicit(&c->work, (number * CREW_MOST + count) * CREW_MOST, memory_order_release);
    pthread_cond_broadcast(&c->begins);
    pthread_mutex_unlock(&c->mutex);
}

/* Creates the threads with all signals blocked: signals are for the caller's thread. */
static void create_threads(struct crew *c, unsigned threads) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (c->threads = 1; c->threads < threads; ++c->threads)
        if (pthread_create(&c->thread[c->threads], NULL, run_thread, c) != 0) break;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

struct crew *crew_create(unsigned threads) {
    struct crew *c = calloc(1, sizeof *c);
    require_memory(c);
    c->thread = calloc(threads, sizeof *c->thread);
    require_memory(c->thread);
    pthread_mutex_init(&c->mutex, NULL);
    pthread_cond_init(&c->begins, NULL);
    create_threads(c, threads);
    return c;
}

void crew_destroy(struct crew *c) {
    if (!c) return;
    atomic_store(&c->ends, true);
    begin_round(c, 0);
    for (unsigned n = 1; n < c->threads; ++n) pthread_join(c->thread[n], NULL);
    pthread_cond_destroy(&c->begins);
    pthread_mutex_destroy(&c->mutex);
    free(c->thread);
    free(c);
}

void crew_run(struct crew *c, unsigned count, void (*piece)(void *context, unsigned n), void *context) {
    invariant(count < CREW_MOST, "%u pieces for a crew", count);
    c->piece = piece;
    c->context = context;
    atomic_store_explicit(&c->done, 0, memory_order_relaxed);
    begin_round(c, count);
    work(c);
    for (unsigned n = 0; atomic_load_explicit(&c->done, memory_order_acquire) < count; ++n) {
        rest();
        if (n >= LOOKS) sched_yield(); /* the host is busy: another thread of the crew may need this core */
    }
}
