/*
 * Passes the data of a trace to a thread, the only caller of the writer after the first value: compressing
 * waveforms then uses a second processor. The order is that of the calls, so the file does not depend on
 * the thread.
 *
 * A record is a word with its kind, followed by the words of its value.
 */
#include "sim/trace_private.h"

#include <stdlib.h>
#include <string.h>

enum {
    BATCH_WORDS = 1 << 13,
    BATCHES = 16
}; /* more than the changes during the writer's flush of 65,536 changes */

enum operation { TIME, ACTIVE, FLUSH, NUMBER, REAL, INSTANT, TEXT, WIDE };

struct trace_queue {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t filled, emptied;
    uint64_t *batch[BATCHES];
    size_t size[BATCHES];
    uint64_t filled_count, emptied_count; /* numbers so far */
    uint64_t flush_mark;                  /* filled_count at the last flush */
    bool over;
    size_t at; /* words in the batch being filled */
};

static uint64_t head_of(enum operation operation, uint32_t size, uint32_t handle) {
    return (uint64_t)handle << 32 | size << 3 | operation;
}

/* Writes a record and returns the next one. The size is in words of value; of TEXT, WIDE and NUMBER in
 * bytes, bits and bits. */
static const uint64_t *write_record(struct trace *t, const uint64_t *record) {
    const uint32_t handle = (uint32_t)(record[0] >> 32), size = (uint32_t)record[0] >> 3;
    const uint64_t *value = record + 1;
    double real;
    switch ((enum operation)(record[0] & 7)) {
    case TIME: t->writer->time(t, *value); return value + 1;
    case ACTIVE: t->writer->active(t, *value); return value + 1;
    case FLUSH: t->writer->flush(t); return value;
    case NUMBER: t->writer->number(t, handle, size, *value); return value + 1;
    case REAL:
        memcpy(&real, value, sizeof real);
        t->writer->real(t, handle, real);
        return value + 1;
    case INSTANT: t->writer->instant(t, handle); return value;
    case TEXT: t->writer->text(t, handle, (const char *)value, size); return value + (size + 7) / 8;
    case WIDE: t->writer->wide(t, handle, size, value); return value + (size + 63) / 64;
    }
    return value;
}

static void *run_thread(void *context) {
    struct trace *t = context;
    struct trace_queue *q = t->queue;
    pthread_mutex_lock(&q->lock);
    for (;;) {
        while (q->emptied_count == q->filled_count && !q->over) pthread_cond_wait(&q->filled, &q->lock);
        if (q->emptied_count == q->filled_count) break;
        pthread_mutex_unlock(&q->lock);
        const unsigned b = q->emptied_count % BATCHES;
        const uint64_t *record = q->batch[b], *end = record + q->size[b];
        while (record < end) record = write_record(t, record);
        pthread_mutex_lock(&q->lock);
        q->emptied_count++;
        pthread_cond_signal(&q->emptied);
    }
    pthread_mutex_unlock(&q->lock);
    return NULL;
}

/* Starts the thread. It blocks all signals except the synchronous ones, which it raises itself. */
static void start_thread(struct trace *t) {
    sigset_t others, before;
    sigfillset(&others);
    for (unsigned i = 0; i < TRACE_FINAL_SIGNALS; i++) sigdelset(&others, trace_final_signal[i]);
    pthread_sigmask(SIG_SETMASK, &others, &before);
    require_memory(!pthread_create(&t->queue->thread, NULL, run_thread, t));
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void trace_queue_start(struct trace *t) {
    struct trace_queue *q = calloc(1, sizeof *q);
    require_memory(q);
    for (unsigned b = 0; b < BATCHES; b++) {
        q->batch[b] = malloc(BATCH_WORDS * sizeof(uint64_t));
        require_memory(q->batch[b]);
    }
    pthread_mutex_init(&q->lock, NULL);
    pthread_cond_init(&q->filled, NULL);
    pthread_cond_init(&q->emptied, NULL);
    t->queue = q;
    start_thread(t);
}

bool trace_queue_is_thread(const struct trace *t) {
    return t->queue && pthread_equal(pthread_self(), t->queue->thread);
}

/* Passes the batch to the thread. When it returns, another batch is free, and all batches up to number
 * `written` are written. */
static void hand_over(struct trace_queue *q, uint64_t written) {
    pthread_mutex_lock(&q->lock);
    if (q->at) q->size[q->filled_count++ % BATCHES] = q->at;
    pthread_cond_signal(&q->filled);
    while (q->filled_count - q->emptied_count > BATCHES - 1 || q->emptied_count < written)
        pthread_cond_wait(&q->emptied, &q->lock);
    pthread_mutex_unlock(&q->lock);
    q->at = 0;
}

static void wait_for_all(struct trace_queue *q) {
    hand_over(q, q->filled_count + (q->at > 0));
}

void trace_queue_end(struct trace *t) {
    struct trace_queue *q = t->queue;
    if (!q) return;
    wait_for_all(q);
    pthread_mutex_lock(&q->lock);
    q->over = true;
    pthread_cond_signal(&q->filled);
    pthread_mutex_unlock(&q->lock);
    pthread_join(q->thread, NULL);
    for (unsigned b = 0; b < BATCHES; b++) free(q->batch[b]);
    free(q);
    t->queue = NULL;
}

/* Returns room for a record. */
static inline uint64_t *extend(struct trace_queue *q, size_t words) {
    if (__builtin_expect(q->at + words > BATCH_WORDS, 0)) hand_over(q, 0);
    uint64_t *record = q->batch[q->filled_count % BATCHES] + q->at;
    q->at += words;
    return record;
}

void trace_queue_time(struct trace *t, sim_time at) {
    uint64_t *record = extend(t->queue, 2);
    record[0] = head_of(TIME, 0, 0);
    record[1] = at;
}

void trace_queue_active(struct trace *t, bool on) {
    uint64_t *record = extend(t->queue, 2);
    record[0] = head_of(ACTIVE, 0, 0);
    record[1] = on;
}

/* Waits for the previous flush, so that a killed process loses at most a few intervals. */
void trace_queue_flush(struct trace *t) {
    struct trace_queue *q = t->queue;
    *extend(q, 1) = head_of(FLUSH, 0, 0);
    hand_over(q, q->flush_mark);
    q->flush_mark = q->filled_count;
}

static void push_long(struct trace *t, enum operation operation, uint32_t handle, const void *value,
                      size_t size, size_t words) {
    if (words < BATCH_WORDS) {
        uint64_t *record = extend(t->queue, 1 + words);
        record[0] = head_of(operation, (uint32_t)size, handle);
        memcpy(record + 1, value, operation == TEXT ? size : words * sizeof *record);
        return;
    }
    wait_for_all(t->queue); /* the thread sleeps */
    if (operation == TEXT)
        t->writer->text(t, handle, value, (uint32_t)size);
    else
        t->writer->wide(t, handle, (uint32_t)size, value);
}

void trace_queue_value(struct trace *t, const struct trace_state *s, const struct trace_declaration *d) {
    uint64_t *record;
    size_t size;
    switch (s->kind) {
    case TRACE_NUMBER:
        record = extend(t->queue, 2);
        record[0] = head_of(NUMBER, s->width, s->handle);
        record[1] = s->value;
        break;
    case TRACE_FLOAT:
        record = extend(t->queue, 2);
        record[0] = head_of(REAL, 0, s->handle);
        record[1] = s->value;
        break;
    case TRACE_INSTANT: *extend(t->queue, 1) = head_of(INSTANT, 0, s->handle); break;
    case TRACE_TEXT:
        size = strlen(d->current);
        push_long(t, TEXT, s->handle, d->current, size, (size + 7) / 8);
        break;
    case TRACE_WIDE: push_long(t, WIDE, s->handle, d->current, d->width, (d->width + 63) / 64); break;
    }
}
