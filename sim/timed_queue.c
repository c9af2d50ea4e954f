#include "sim/timed_queue.h"

#include <stdlib.h>
#include <string.h>

enum { REFILL = TIMED_NEAR / 2, FEW_DEAD = 64 };

void timed_queue_init(struct timed_queue *q) {
    memset(q, 0, sizeof *q);
    q->far_time = SIM_TIME_NEVER;
    q->near_time[0] = SIM_TIME_NEVER;
}

void timed_queue_free(struct timed_queue *q) {
    free(q->far);
}

static bool before(const struct timed_far *a, const struct timed_far *b) {
    return a->time != b->time ? a->time < b->time : a->sequence < b->sequence;
}

static bool is_live(const struct timed_far *e) {
    return e->notification->kind == NOTIFY_TIMED && e->notification->sequence == e->sequence;
}

static void sift_up(struct timed_queue *q, size_t i, struct timed_far e) {
    while (i > 0 && before(&e, &q->far[(i - 1) / 4])) {
        q->far[i] = q->far[(i - 1) / 4];
        i = (i - 1) / 4;
    }
    q->far[i] = e;
}

static void sift_down(struct timed_queue *q, size_t i, struct timed_far e) {
    for (;;) {
        size_t first = 4 * i + 1, end = first + 4 < q->far_count ? first + 4 : q->far_count;
        if (first >= q->far_count) break;
        size_t least = first;
        for (size_t child = first + 1; child < end; child++)
            if (before(&q->far[child], &q->far[least])) least = child;
        if (!before(&q->far[least], &e)) break;
        q->far[i] = q->far[least];
        i = least;
    }
    q->far[i] = e;
}

static void set_far_time(struct timed_queue *q) {
    q->far_time = q->far_count ? q->far[0].time : SIM_TIME_NEVER;
}

void timed_queue_push_far(struct timed_queue *q, struct notification *n) {
    struct timed_far e = {n->time, n->sequence, n};
    if (q->far_count == q->far_capacity) {
        q->far_capacity = q->far_capacity ? 2 * q->far_capacity : 256;
        q->far = realloc(q->far, q->far_capacity * sizeof *q->far);
        invariant(q->far, "out of memory");
    }
    sift_up(q, q->far_count++, e);
    set_far_time(q);
}

static struct timed_far pop_far(struct timed_queue *q) {
    struct timed_far first = q->far[0];
    struct timed_far last = q->far[--q->far_count];
    if (q->far_count) sift_down(q, 0, last);
    return first;
}

/* The array is empty: the heap's first entries move into it. */
void timed_queue_refill(struct timed_queue *q) {
    q->head = q->tail = 0;
    while (q->far_count && q->tail < REFILL) {
        struct timed_far e = pop_far(q);
        if (!is_live(&e)) {
            q->far_dead--;
            continue;
        }
        q->near_time[q->tail] = e.time;
        q->near[q->tail++] = e.notification;
    }
    q->near_time[q->tail] = SIM_TIME_NEVER;
    set_far_time(q);
}

/* What stands from `from` on, with the end mark, moves down to `to`. */
static void move(struct timed_queue *q, uint32_t to, uint32_t from) {
    memmove(&q->near_time[to], &q->near_time[from], (q->tail - from + 1) * sizeof *q->near_time);
    memmove(&q->near[to], &q->near[from], (q->tail - from) * sizeof *q->near);
}

void timed_queue_shift(struct timed_queue *q) {
    move(q, 0, q->head);
    q->tail -= q->head;
    q->head = 0;
}

static void drop_dead(struct timed_queue *q) {
    size_t live = 0;
    for (size_t i = 0; i < q->far_count; i++)
        if (is_live(&q->far[i])) q->far[live++] = q->far[i];
    q->far_count = live;
    q->far_dead = 0;
    for (size_t i = live / 4 + 1; i-- > 0;)
        if (i < live) sift_down(q, i, q->far[i]);
    set_far_time(q);
}

void timed_queue_remove(struct timed_queue *q, struct notification *n) {
    n->kind = NOTIFY_NOTHING;
    uint32_t i = q->head;
    while (i < q->tail && q->near[i] != n) i++;
    if (i < q->tail) {
        move(q, i, i + 1);
        q->tail--;
        if (q->head == q->tail && q->far_count) timed_queue_refill(q);
    } else {
        q->far_dead++;
        if (q->far_dead > FEW_DEAD && q->far_dead > q->far_count / 2) drop_dead(q);
    }
}
