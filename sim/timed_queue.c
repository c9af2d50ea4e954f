#include "sim/timed_queue.h"

#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

enum { REFILL = 24, FEW_DEAD = 64, SLOTS = 1 << 12, LEVELS = 7, CHUNK = 5, BLOCK = 128 };

/* Lowest bit of each level's digit. The two lowest digits are small, so that a slot holds several entries
 * and stays in the cache. */
static const uint8_t low_bit[LEVELS + 1] = {0, 6, 12, 24, 36, 48, 60, 64};

/* Entries of a slot, from begin to end, in two cache lines. */
struct chunk {
    struct chunk *next, *before;
    struct chunk *ahead; /* chunk after the next one, for prefetching */
    uint16_t begin, end;
    uint32_t stamp[CHUNK];
    struct {
        sim_time time;
        struct notification *notification;
    } entry[CHUNK]; /* the first entry lies in the first cache line, and is often the only one */
} __attribute__((aligned(128)));

struct slot {
    struct chunk *first, *last;
    uint32_t count;     /* number of entries, dead ones included */
    uint64_t earliness; /* complement of the earliest time, dead entries included; 0 of an empty slot, so
                           that no branch is needed */
};

struct timed_wheel {
    sim_time base; /* lower bound of all times */
    size_t count, dead;
    struct slot *first; /* slot of the earliest entry, and its time; NULL: not known */
    sim_time first_time;
    struct chunk *free;
    void *blocks;                       /* blocks of chunks; each begins with a pointer to the next */
    uint64_t words[LEVELS];             /* words of each level's `used` that are not 0 */
    uint64_t used[LEVELS * SLOTS / 64]; /* slots that are not empty */
    struct slot slots[LEVELS * SLOTS];
};

/* --- the wheel --- */

static struct timed_wheel *wheel_create(void) {
    struct timed_wheel *w = calloc(1, sizeof *w);
    require_memory(w);
    w->first_time = SIM_TIME_NEVER;
    return w;
}

static void wheel_destroy(struct timed_wheel *w) {
    if (!w) return;
    for (struct chunk *block = w->blocks, *next; block; block = next) {
        next = block->next;
        free(block);
    }
    free(w);
}

static void add_block(struct timed_wheel *w) {
    struct chunk *block = aligned_alloc(_Alignof(struct chunk), BLOCK * sizeof *block);
    require_memory(block);
    block->next = w->blocks; /* the first chunk is the link */
    w->blocks = block;
    for (int i = 1; i < BLOCK; i++) {
        block[i].next = w->free;
        w->free = &block[i];
    }
}

static struct chunk *take_chunk(struct timed_wheel *w, uint16_t at) {
    if (!w->free) add_block(w);
    struct chunk *c = w->free;
    w->free = c->next;
    c->next = c->before = c->ahead = NULL;
    c->begin = c->end = at;
    return c;
}

static void give_chunk(struct timed_wheel *w, struct chunk *c) {
    c->next = w->free;
    w->free = c;
}

static unsigned level_of(const struct timed_wheel *w, sim_time time) {
    const unsigned highest = 63 - (unsigned)__builtin_clzl((time ^ w->base) | 1);
    return (highest >= low_bit[1]) + highest / 12;
}

/* Returns the slot of a time, and marks it as used. */
static struct slot *slot_for(struct timed_wheel *w, sim_time time) {
    const unsigned l = level_of(w, time), width = low_bit[l + 1] - low_bit[l];
    const unsigned digit = (unsigned)(time >> low_bit[l]) & ((1U << width) - 1);
    const unsigned place = l * SLOTS + digit;
    w->used[place / 64] |= UINT64_C(1) << place % 64;
    w->words[l] |= UINT64_C(1) << digit / 64;
    struct slot *s = &w->slots[place];
    s->count++;
    s->earliness = s->earliness > ~time ? s->earliness : ~time;
    return s;
}

static void set_entry(struct chunk *c, unsigned i, struct notification *n, sim_time time, uint32_t stamp) {
    c->stamp[i] = stamp;
    c->entry[i].time = time;
    c->entry[i].notification = n;
}

static struct chunk *add_chunk(struct timed_wheel *w, struct slot *s) {
    struct chunk *c = take_chunk(w, 0), *last = s->last;
    s->last = c;
    c->before = last;
    if (!last) return s->first = c;
    last->next = c;
    if (last->before) last->before->ahead = c;
    return c;
}

static struct slot *append(struct timed_wheel *w, struct notification *n, sim_time time, uint32_t stamp) {
    struct slot *s = slot_for(w, time);
    struct chunk *c = s->last;
    if (!c || c->end == CHUNK) {
        c = add_chunk(w, s);
    }
    set_entry(c, c->end++, n, time, stamp);
    return s;
}

/* Adds an entry before those of the same time. */
static void prepend(struct timed_wheel *w, struct notification *n) {
    struct slot *s = slot_for(w, n->time);
    struct chunk *c = s->first;
    if (!c || c->begin == 0) {
        c = take_chunk(w, CHUNK);
        c->next = s->first;
        if (s->first) s->first->before = c;
        if (!s->first) s->last = c;
        s->first = c;
    }
    set_entry(c, --c->begin, n, n->time, n->stamp);
}

static bool is_live(const struct chunk *c, unsigned i) {
    return c->entry[i].notification->stamp == c->stamp[i];
}

/* Returns the first used slot, and the time at which it begins; NULL without one. */
static struct slot *first_slot(struct timed_wheel *w, sim_time *begin) {
    for (unsigned l = 0; l < LEVELS; l++) {
        if (!w->words[l]) continue;
        const unsigned word = l * (SLOTS / 64) + (unsigned)__builtin_ctzl(w->words[l]);
        const unsigned place = 64 * word + (unsigned)__builtin_ctzl(w->used[word]), digit = place % SLOTS;
        const unsigned above = low_bit[l + 1];
        *begin = (above < 64 ? w->base >> above << above : 0) | (sim_time)digit << low_bit[l];
        return &w->slots[place];
    }
    *begin = SIM_TIME_NEVER;
    return NULL;
}

/* Removes and returns all entries of a slot. */
static struct chunk *empty_slot(struct timed_wheel *w, struct slot *s) {
    const unsigned place = (unsigned)(s - w->slots);
    w->used[place / 64] &= ~(UINT64_C(1) << place % 64);
    if (!w->used[place / 64]) w->words[place / SLOTS] &= ~(UINT64_C(1) << place % SLOTS / 64);
    struct chunk *c = s->first;
    *s = (struct slot){0};
    return c;
}

/* Frees the dead entries of some chunks. */
static void drop_chunks(struct timed_wheel *w, struct chunk *c) {
    for (struct chunk *next; c; c = next) {
        next = c->next;
        w->count -= c->end - c->begin;
        w->dead -= c->end - c->begin;
        give_chunk(w, c);
    }
}

static sim_time earliest_of(const struct timed_wheel *w, const struct slot *s) {
    if (!w->dead) return ~s->earliness;
    sim_time earliest = SIM_TIME_NEVER;
    for (const struct chunk *c = s->first; c; c = c->next) {
        for (unsigned i = c->begin; i < c->end; i++)
            if (c->entry[i].time < earliest && is_live(c, i)) earliest = c->entry[i].time;
    }
    return earliest;
}

/* Finds the earliest entry. */
static void find_first(struct timed_wheel *w) {
    sim_time begin;
    while ((w->first = first_slot(w, &begin))) {
        w->first_time = earliest_of(w, w->first);
        if (w->first_time != SIM_TIME_NEVER) return;
        drop_chunks(w, empty_slot(w, w->first));
    }
    w->first_time = SIM_TIME_NEVER;
}

/* --- the queue --- */

/* Empties the array. The entry before its first place is never later than any other. */
static void clear_near(struct timed_queue *q) {
    for (uint32_t i = 0; i < TIMED_BLOCK; i++) q->near_time[i] = timed_key_of(0);
    for (uint32_t i = TIMED_BLOCK; i <= q->tail; i++) q->near_time[i] = timed_key_of(SIM_TIME_NEVER);
    q->head = q->tail = TIMED_BLOCK;
}

void timed_queue_init(struct timed_queue *q) {
    memset(q, 0, sizeof *q);
    q->bound = SIM_TIME_NEVER;
    q->tail = TIMED_SLOTS - 1;
    q->first_time = SIM_TIME_NEVER;
    clear_near(q);
}

void timed_queue_free(struct timed_queue *q) {
    wheel_destroy(q->wheel);
}

static uint32_t near_count(const struct timed_queue *q) {
    return q->tail - q->head;
}

sim_time timed_queue_first_far(const struct timed_queue *q) {
    if (!q->wheel->first) find_first(q->wheel);
    return q->wheel->first_time;
}

void timed_queue_push_far(struct timed_queue *q, struct notification *n) {
    struct timed_wheel *w = q->wheel;
    struct slot *s = append(w, n, n->time, n->stamp);
    w->count++;
    if (!w->first || n->time >= w->first_time) return;
    w->first = s;
    w->first_time = n->time;
}

/* Moves the last entry of the array into the wheel. */
static void spill(struct timed_queue *q) {
    struct notification *n = q->near[--q->tail];
    q->near_time[q->tail] = timed_key_of(SIM_TIME_NEVER);
    if (!q->wheel) q->wheel = wheel_create();
    prepend(q->wheel, n);
    q->wheel->count++;
    q->wheel->first = NULL;
    q->bound = n->time;
}

/* Moves the entries from `from` on down to `to`. */
static void move_entries(struct timed_queue *q, uint32_t to, uint32_t from) {
    memmove(&q->near_time[to], &q->near_time[from], (q->tail - from) * sizeof *q->near_time);
    memmove(&q->near[to], &q->near[from], (q->tail - from) * sizeof *q->near);
    const uint32_t tail = q->tail - (from - to);
    while (q->tail > tail) q->near_time[--q->tail] = timed_key_of(SIM_TIME_NEVER);
}

void timed_queue_make_room(struct timed_queue *q) {
    if (q->tail - q->head >= TIMED_NEAR) spill(q);
    if (q->head == TIMED_BLOCK) return;
    move_entries(q, TIMED_BLOCK, q->head);
    q->head = TIMED_BLOCK;
}

/* Adds an entry before all others; the first one so far returns to the array. */
void timed_queue_push_first(struct timed_queue *q, struct notification *n, sim_time time) {
    if (q->first_time != SIM_TIME_NEVER) {
        if (q->head == TIMED_BLOCK) { /* there is room at the end, made by timed_queue_push() */
            memmove(&q->near_time[q->head + 1], &q->near_time[q->head],
                    (q->tail - q->head) * sizeof *q->near_time);
            memmove(&q->near[q->head + 1], &q->near[q->head], (q->tail - q->head) * sizeof *q->near);
            q->head++;
            q->tail++;
        }
        q->head--;
        q->near_time[q->head] = timed_key_of(q->first_time);
        q->near[q->head] = q->first;
    }
    q->first_time = time;
    q->first = n;
}

/* Appends the last notification in order to the array. */
static void append_near(struct timed_queue *q, struct notification *n, sim_time time) {
    q->near_time[q->tail] = timed_key_of(time);
    q->near[q->tail++] = n;
    __builtin_prefetch(n);
}

/* Destination: the end of the array, in order; a place in the array; or a lower level of the wheel. */
enum way { WAY_LAST, WAY_NEAR, WAY_DOWN };

static inline void enter(struct timed_queue *q, uint32_t from, const struct chunk *c, unsigned i,
                         enum way way) {
    if (way == WAY_LAST) append_near(q, c->entry[i].notification, c->entry[i].time);
    if (way == WAY_NEAR) {
        timed_queue_insert(q, from, c->entry[i].notification, c->entry[i].time);
        __builtin_prefetch(c->entry[i].notification);
    }
    if (way == WAY_DOWN)
        append(q->wheel, c->entry[i].notification, c->entry[i].time, c->stamp[i]);
    else
        q->wheel->count--;
}

/* Distributes the live entries of some chunks, none of which is due before the array's. Without dead
 * entries, their notifications are not read yet. */
static inline void distribute(struct timed_queue *q, struct chunk *c, enum way way) {
    struct timed_wheel *w = q->wheel;
    const uint32_t from = q->tail;
    for (struct chunk *next; c; c = next) {
        next = c->next;
        __builtin_prefetch(c->ahead);
        __builtin_prefetch((const char *)c->ahead + 64);
        for (unsigned i = c->begin; i < c->end; i++) {
            if (w->dead && !is_live(c, i)) {
                w->count--;
                w->dead--;
            } else {
                enter(q, from, c, i, way);
            }
        }
        give_chunk(w, c);
    }
}

/* Takes some entries of a slot whose entries have all one time. */
static void take_some(struct timed_queue *q, struct slot *s) {
    struct timed_wheel *w = q->wheel;
    while (near_count(q) < TIMED_NEAR && s->count) {
        struct chunk *c = s->first;
        if (is_live(c, c->begin))
            append_near(q, c->entry[c->begin].notification, c->entry[c->begin].time);
        else
            w->dead--;
        w->count--;
        s->count--;
        if (++c->begin < c->end) continue;
        s->first = c->next;
        give_chunk(w, c);
    }
    if (!s->count) empty_slot(w, s);
}

/* Refills the empty array with the earliest entries. No earlier entry can follow, so their time is the
 * wheel's new base. */
void timed_queue_refill(struct timed_queue *q) {
    struct timed_wheel *w = q->wheel;
    timed_queue_first_far(q);
    clear_near(q);
    w->base = w->first_time;
    struct slot *s = w->first;
    if (s->count > TIMED_NEAR && s >= &w->slots[SLOTS]) distribute(q, empty_slot(w, s), WAY_DOWN);
    while ((s = first_slot(w, &q->bound)) && near_count(q) < REFILL) {
        const bool one_time = s < &w->slots[SLOTS];
        if (s->count > TIMED_NEAR - near_count(q)) {
            if (one_time) take_some(q, s);
            break;
        }
        if (one_time)
            distribute(q, empty_slot(w, s), WAY_LAST);
        else
            distribute(q, empty_slot(w, s), WAY_NEAR);
    }
    timed_queue_load_first(q);
    w->first = w->dead || (s && !s->count) ? NULL : s; /* NULL: it must be searched */
    w->first_time = w->first ? earliest_of(w, s) : SIM_TIME_NEVER;
}

/* Adds the live entries of a slot to it again. */
static void drop_dead_of(struct timed_wheel *w, struct slot *s) {
    struct chunk *next;
    for (struct chunk *c = empty_slot(w, s); c; c = next) {
        next = c->next;
        for (unsigned i = c->begin; i < c->end; i++)
            if (is_live(c, i)) append(w, c->entry[i].notification, c->entry[i].time, c->stamp[i]);
        give_chunk(w, c);
    }
}

static void drop_dead(struct timed_wheel *w) {
    for (unsigned l = 0; l < LEVELS; l++) {
        for (uint64_t words = w->words[l]; words; words &= words - 1) {
            const unsigned word = l * (SLOTS / 64) + (unsigned)__builtin_ctzl(words);
            for (uint64_t used = w->used[word]; used; used &= used - 1)
                drop_dead_of(w, &w->slots[64 * word + (unsigned)__builtin_ctzl(used)]);
        }
    }
    w->count -= w->dead;
    w->dead = 0;
    w->first = NULL;
}

void timed_queue_remove(struct timed_queue *q, struct notification *n) {
    n->kind = NOTIFY_NOTHING;
    if (q->first_time != SIM_TIME_NEVER && q->first == n) {
        q->near_time[q->head - 1] =
            timed_key_of(0); /* restores the place: before the head no entry is later */
        timed_queue_load_first(q);
        return;
    }
    uint32_t i = q->head;
    while (i < q->tail && q->near[i] != n) i++;
    if (i < q->tail) {
        move_entries(q, i, i + 1);
        return;
    }
    struct timed_wheel *w = q->wheel;
    n->stamp++;
    w->dead++;
    if (n->time == w->first_time) w->first = NULL;
    if (w->dead > FEW_DEAD + w->count / 2) drop_dead(w);
}
