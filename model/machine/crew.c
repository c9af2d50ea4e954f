#include "model/machine/crew.h"

#include "sim/error.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

/* How often a thread looks for work before it sleeps: about as long as what lies between two pieces. */
#define LOOKS 4000

struct crew {
    unsigned threads;
    pthread_t *thread; /* all but the caller's */
    void (*piece)(void *context, unsigned n);
    void *context;
    unsigned count;
    atomic_uint round;   /* of work; it begins when this changes */
    atomic_uint next;    /* piece that nobody has begun */
    atomic_uint working; /* threads that may still look for a piece of this round */
    atomic_bool ends;
    pthread_mutex_t mutex; /* for who sleeps */
    pthread_cond_t begins;
};

static void rest(void) {
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#endif
}

static void work(struct crew *c) {
    unsigned n;
    while ((n = atomic_fetch_add_explicit(&c->next, 1, memory_order_relaxed)) < c->count)
        c->piece(c->context, n);
}

/* Returns when there is another round than this one. */
static void await(struct crew *c, unsigned round) {
    for (unsigned n = 0; n < LOOKS; ++n) {
        if (atomic_load_explicit(&c->round, memory_order_acquire) != round) return;
        rest();
    }
    pthread_mutex_lock(&c->mutex);
    while (atomic_load_explicit(&c->round, memory_order_acquire) == round)
        pthread_cond_wait(&c->begins, &c->mutex);
    pthread_mutex_unlock(&c->mutex);
}

static void *run_thread(void *context) {
    struct crew *c = context;
    for (unsigned round = 0;; ++round) {
        await(c, round);
        if (atomic_load_explicit(&c->ends, memory_order_relaxed)) return NULL;
        work(c);
        atomic_fetch_sub_explicit(&c->working, 1, memory_order_release);
    }
}

static void begin_round(struct crew *c) {
    pthread_mutex_lock(&c->mutex);
    atomic_fetch_add_explicit(&c->round, 1, memory_order_release);
    pthread_cond_broadcast(&c->begins);
    pthread_mutex_unlock(&c->mutex);
}

/* Signals are for the caller's thread. */
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
    begin_round(c);
    for (unsigned n = 1; n < c->threads; ++n) pthread_join(c->thread[n], NULL);
    pthread_cond_destroy(&c->begins);
    pthread_mutex_destroy(&c->mutex);
    free(c->thread);
    free(c);
}

void crew_run(struct crew *c, unsigned count, void (*piece)(void *context, unsigned n), void *context) {
    c->piece = piece;
    c->context = context;
    c->count = count;
    atomic_store_explicit(&c->next, 0, memory_order_relaxed);
    atomic_store_explicit(&c->working, c->threads - 1, memory_order_relaxed);
    begin_round(c);
    work(c);
    for (unsigned n = 0; atomic_load_explicit(&c->working, memory_order_acquire); ++n) {
        rest();
        if (n >= LOOKS) sched_yield(); /* the host has other work: theirs may wait for this thread's core */
    }
}
