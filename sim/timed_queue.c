#include "sim/timed_queue.h"

#include "sim/error.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    REFILL = 24,
    FEW_DEAD = 64,
    SLOTS = 1 << 12,
    LEVELS = 7,
    PACKED = 6,        /* entries in the slot itself */
    PACKED_LEVELS = 3, /* lowest levels, whose slots have such entries */
    USUAL_LEVEL = 2,   /* level of most entries */
    CHUNK = 5,
    BLOCK = 128
};

/* Lowest bit of each level's digit. The lowest digits are small, so that a slot holds few entries. */
static const uint8_t low_bit[LEVELS + 1] = {0, 4, 11, 23, 35, 47, 59, 64};

/* Entries of a slot, from begin to end, in two cache lines. */
struct chunk {
    struct chunk *next;           /* next chunk; the first one in a slot's last chunk */
    struct chunk *before, *ahead; /* chunk before; chunk after the next one, for prefetching */
    uint16_t begin, end;
    uint32_t stamp[CHUNK];
    struct {
        sim_time time;
        struct notification *notification;
    } entry[CHUNK]; /* the first entry lies in the first cache line, and is often the only one */
} __attribute__((aligned(128)));

/* An entry in a word: the complement of the offset of its time in the slot, the number of its place and the
 * address of its notification. So 0 is no entry, and greater words are earlier entries. */
typedef uint64_t packed_entry;
enum { ADDRESS_BITS = 48, PLACE_BITS = 3, OFFSET_SHIFT = ADDRESS_BITS + PLACE_BITS };

/* The first entries of a slot are in its cache line, the others in chunks. */
struct slot {
    packed_entry entry[PACKED];
    uint32_t packed, chunked; /* number of entries here, of which none is dead; in chunks */
    struct chunk *last;       /* NULL without chunks */
} __attribute__((aligned(64)));

struct timed_wheel {
    sim_time base;        /* lower bound of all times */
    size_t chunked, dead; /* entries in chunks; dead ones */
    struct slot *first;   /* slot of the earliest entry; NULL: not known */
    sim_time first_time;  /* time of that entry; 0: not known */
    struct chunk *free;
    void *blocks;                       /* blocks of chunks; each begins with a pointer to the next */
    uint64_t words[LEVELS];             /* words of each level's `used` that are not 0 */
    uint64_t used[LEVELS * SLOTS / 64]; /* slots that are not empty */
    struct slot slots[LEVELS * SLOTS];
};

/* --- the wheel --- */

static struct timed_wheel *wheel_create(void) {
    struct timed_wheel *w = mmap(NULL, sizeof *w, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    require_memory(w != MAP_FAILED);
    return w;
}

static void wheel_destroy(struct timed_wheel *w) {
    if (!w) return;
    for (struct chunk *block = w->blocks, *next; block; block = next) {
        next = block->next;
        free(block);
    }
    munmap(w, sizeof *w);
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
    c->next = c;
    c->before = c->ahead = NULL;
    c->begin = c->end = at;
    return c;
}

static void give_chunk(struct timed_wheel *w, struct chunk *c) {
    c->next = w->free;
    w->free = c;
}

static void set_first(struct timed_wheel *w, struct slot *s, sim_time time) {
    w->first = s;
    w->first_time = s ? time : 0;
}

static unsigned level_of(const struct timed_wheel *w, sim_time time) {
    const unsigned highest = 63 - (unsigned)__builtin_clzl((time ^ w->base) | 1);
    return (highest >= low_bit[1]) + (highest + 1) / 12;
}

/* Returns the index of a time's slot. */
static inline unsigned place_of(unsigned level, sim_time time) {
    const unsigned width = low_bit[level + 1] - low_bit[level];
    return level * SLOTS + ((unsigned)(time >> low_bit[level]) & ((1U << width) - 1));
}

/* Marks a slot as used. */
static inline void use_slot(struct timed_wheel *w, unsigned level, unsigned place) {
    w->used[place / 64] |= UINT64_C(1) << place % 64;
    w->words[level] |= UINT64_C(1) << place % SLOTS / 64;
}

static packed_entry pack(const struct notification *n, sim_time offset, uint32_t place) {
    return ~(offset << OFFSET_SHIFT | (uint64_t)place << ADDRESS_BITS | (uintptr_t)n);
}
static struct notification *packed_notification(packed_entry p) {
    return (struct notification *)(~p &
                                   ((UINT64_C(1) << ADDRESS_BITS) - 1)); // NOLINT(performance-no-int-to-ptr)
}
static sim_time packed_offset(packed_entry p) {
    return ~p >> OFFSET_SHIFT;
}

/* Numbers the places of the packed entries again, and clears the places behind them. */
static void place_again(struct slot *s) {
    for (uint32_t i = 0; i < PACKED; i++)
        s->entry[i] =
            i < s->packed ? pack(packed_notification(s->entry[i]), packed_offset(s->entry[i]), i) : 0;
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
    if (!last) return c;
    c->next = last->next;
    last->next = c;
    if (last->before) last->before->ahead = c;
    return c;
}

static __attribute__((noinline)) void append_chunked(struct timed_wheel *w, struct slot *s,
                                                     struct notification *n, sim_time time, uint32_t stamp) {
    struct chunk *c = s->last;
    if (!c || c->end == CHUNK) c = add_chunk(w, s);
    set_entry(c, c->end++, n, time, stamp);
    s->chunked++;
    w->chunked++;
}

/* Adds an entry behind those of the same time. Returns its slot. */
static inline struct slot *append(struct timed_wheel *w, unsigned level, struct notification *n,
                                  sim_time time, uint32_t stamp) {
    const unsigned place = place_of(level, time);
    use_slot(w, level, place);
    struct slot *s = &w->slots[place];
    const uint32_t at = s->packed;
    if (__builtin_expect(level < PACKED_LEVELS && at < PACKED && !s->chunked, 1)) {
        s->entry[at] = pack(n, time & ((UINT64_C(1) << low_bit[level]) - 1), at);
        s->packed = at + 1;
    } else {
        append_chunked(w, s, n, time, stamp);
    }
    return s;
}

/* Adds an entry before all others in the slot's chunks. */
static void prepend_chunked(struct timed_wheel *w, struct slot *s, struct notification *n, sim_time time) {
    struct chunk *c = s->last ? s->last->next : NULL;
    if (!c) {
        c = s->last = take_chunk(w, CHUNK);
    } else if (c->begin == 0) {
        struct chunk *first = c;
        c = take_chunk(w, CHUNK);
        c->next = first;
        first->before = c;
        s->last->next = c;
    }
    set_entry(c, --c->begin, n, time, n->stamp);
    s->chunked++;
    w->chunked++;
}

/* Adds an entry before those of the same time. */
static void prepend(struct timed_wheel *w, struct notification *n) {
    const unsigned l = level_of(w, n->time), place = place_of(l, n->time);
    const sim_time begin = n->time >> low_bit[l] << low_bit[l];
    struct slot *s = &w->slots[place];
    use_slot(w, l, place);
    if (l >= PACKED_LEVELS) {
        prepend_chunked(w, s, n, n->time);
        return;
    }
    if (s->packed == PACKED) {
        const packed_entry last = s->entry[--s->packed];
        prepend_chunked(w, s, packed_notification(last), begin + packed_offset(last));
    }
    memmove(&s->entry[1], s->entry, s->packed * sizeof *s->entry);
    s->entry[0] = pack(n, n->time - begin, 0);
    s->packed++;
    place_again(s);
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

/* Removes all entries of a slot, and returns its chunks. */
static struct chunk *empty_slot(struct timed_wheel *w, struct slot *s) {
    const unsigned place = (unsigned)(s - w->slots);
    w->used[place / 64] &= ~(UINT64_C(1) << place % 64);
    if (!w->used[place / 64]) w->words[place / SLOTS] &= ~(UINT64_C(1) << place % SLOTS / 64);
    struct chunk *last = s->last, *first = NULL;
    if (last) {
        first = last->next;
        last->next = NULL;
    }
    *s = (struct slot){0};
    return first;
}

/* Frees the dead entries of some chunks. */
static void drop_chunks(struct timed_wheel *w, struct chunk *c) {
    for (struct chunk *next; c; c = next) {
        next = c->next;
        w->chunked -= c->end - c->begin;
        w->dead -= c->end - c->begin;
        give_chunk(w, c);
    }
}

/* Returns the earliest time of the live entries of a slot that begins at `begin`. */
static sim_time earliest_of(const struct timed_wheel *w, const struct slot *s, sim_time begin) {
    packed_entry first = 0;
    for (unsigned i = 0; i < PACKED; i++) first = first > s->entry[i] ? first : s->entry[i];
    sim_time earliest = first ? begin + packed_offset(first) : SIM_TIME_NEVER;
    if (!s->last) return earliest;
    const struct chunk *c = s->last;
    do {
        c = c->next;
        __builtin_prefetch(c->ahead);
        __builtin_prefetch((const char *)c->ahead + 64);
        for (unsigned i = c->begin; i < c->end; i++)
            if (c->entry[i].time < earliest && (!w->dead || is_live(c, i))) earliest = c->entry[i].time;
    } while (c != s->last);
    return earliest;
}

/* Finds the earliest entry. Returns its time. */
static sim_time find_first(struct timed_wheel *w) {
    sim_time begin;
    for (struct slot *s; (s = first_slot(w, &begin));) {
        const sim_time time = earliest_of(w, s, begin);
        set_first(w, s, time);
        if (time != SIM_TIME_NEVER) return time;
        drop_chunks(w, empty_slot(w, s));
    }
    set_first(w, NULL, 0);
    return SIM_TIME_NEVER;
}

/* --- the queue --- */

/* Empties the array. The entry before its first place is never later than any other. */
static void clear_near(struct timed_queue *q) {
    for (uint32_t i = 0; i < TIMED_BLOCK; i++) q->near_time[i] = timed_key_of(0);
    for (uint32_t i = TIMED_BLOCK; i <= q->tail; i++) q->near_time[i] = timed_key_of(SIM_TIME_NEVER);
    q->head = q->tail = TIMED_BLOCK;
}

/* Notification in unused places of the array: the kernel looks ahead beyond the last entry. */
static struct notification nothing = {.is_process = true};

void timed_queue_init(struct timed_queue *q) {
    memset(q, 0, sizeof *q);
    q->bound = SIM_TIME_NEVER;
    q->tail = TIMED_SLOTS - 1;
    q->first_time = SIM_TIME_NEVER;
    for (uint32_t i = 0; i < TIMED_SLOTS + TIMED_BLOCK; i++) q->near[i] = &nothing;
    clear_near(q);
}

void timed_queue_free(struct timed_queue *q) {
    wheel_destroy(q->wheel);
}

static uint32_t near_count(const struct timed_queue *q) {
    return q->tail - q->head;
}

sim_time timed_queue_first_far(const struct timed_queue *q) {
    return q->wheel->first ? q->wheel->first_time : find_first(q->wheel);
}

static __attribute__((noinline)) void push_far(struct timed_wheel *w, struct notification *n) {
    struct slot *s = append(w, level_of(w, n->time), n, n->time, n->stamp);
    if (n->time < w->first_time) set_first(w, s, n->time);
}

void timed_queue_push_far(struct timed_queue *q, struct notification *n) {
    struct timed_wheel *w = q->wheel;
    const sim_time time = n->time, least = UINT64_C(1) << low_bit[USUAL_LEVEL],
                   most = UINT64_C(1) << low_bit[USUAL_LEVEL + 1];
    const unsigned place = place_of(USUAL_LEVEL, time);
    struct slot *s = &w->slots[place];
    const uint32_t at = s->packed;
    if (__builtin_expect((time ^ w->base) - least >= most - least || time < w->first_time, 0)) {
        push_far(w, n);
        return;
    }
    use_slot(w, USUAL_LEVEL, place);
    if (__builtin_expect(at == PACKED || s->chunked, 0)) {
        append_chunked(w, s, n, time, n->stamp);
        return;
    }
    s->entry[at] = pack(n, time & (least - 1), at);
    s->packed = at + 1;
}

/* Moves the last entry of the array into the wheel. */
static void spill(struct timed_queue *q) {
    struct notification *n = q->near[--q->tail];
    q->near_time[q->tail] = timed_key_of(SIM_TIME_NEVER);
    if (!q->wheel) q->wheel = wheel_create();
    prepend(q->wheel, n);
    set_first(q->wheel, NULL, 0);
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

/* Appends the entries of a slot without chunks to the array, sorted by a network without branches. Places
 * behind the last entry get SIM_TIME_NEVER, and a notification that exists, which the kernel may prefetch. */
static inline void append_sorted(struct timed_queue *q, struct slot *s, sim_time begin) {
    static const uint8_t network[][2] = {{0, 5}, {1, 3}, {2, 4}, {1, 2}, {3, 4}, {0, 3},
                                         {2, 5}, {0, 1}, {2, 3}, {4, 5}, {1, 2}, {3, 4}};
    packed_entry v[PACKED];
    memcpy(v, s->entry, sizeof s->entry);
#pragma GCC unroll 12
    for (unsigned i = 0; i < sizeof network / sizeof *network; i++) {
        const packed_entry a = v[network[i][0]], b = v[network[i][1]];
        v[network[i][0]] = a > b ? a : b;
        v[network[i][1]] = a > b ? b : a;
    }
    timed_key *time = &q->near_time[q->tail];
    struct notification **near = &q->near[q->tail];
    for (unsigned i = 0; i < PACKED; i++) {
        const sim_time never = -(sim_time)(v[i] == 0);
        time[i] = timed_key_of((begin + packed_offset(v[i])) | never);
        near[i] = packed_notification(v[i] | (v[0] & never));
    }
    for (unsigned i = 0; i < PACKED; i++) __builtin_prefetch(packed_notification(s->entry[i]));
    q->tail += s->packed;
    empty_slot(q->wheel, s);
}

/* Destination: the end of the array, in order; a place in the array; or a lower level of the wheel. */
enum way { WAY_LAST, WAY_NEAR, WAY_DOWN };

static inline void enter(struct timed_queue *q, uint32_t from, struct notification *n, sim_time time,
                         uint32_t stamp, enum way way) {
    if (way == WAY_LAST) append_near(q, n, time);
    if (way == WAY_NEAR) {
        timed_queue_insert(q, from, n, time);
        __builtin_prefetch(n);
    }
    if (way == WAY_DOWN) append(q->wheel, level_of(q->wheel, time), n, time, stamp);
}

/* Distributes the live entries of a slot, none of which is due before the array's. Without dead
 * entries, the notifications of those in chunks are not read yet. */
static inline void distribute(struct timed_queue *q, struct slot *s, sim_time begin, enum way way) {
    struct timed_wheel *w = q->wheel;
    const uint32_t from = q->tail;
    const struct slot old = *s;
    struct chunk *c = empty_slot(w, s);
    for (uint32_t i = 0; i < old.packed; i++) {
        struct notification *n = packed_notification(old.entry[i]);
        enter(q, from, n, begin + packed_offset(old.entry[i]), way == WAY_DOWN ? n->stamp : 0, way);
    }
    w->chunked -= old.chunked;
    for (struct chunk *next; c; c = next) {
        next = c->next;
        __builtin_prefetch(c->ahead);
        __builtin_prefetch((const char *)c->ahead + 64);
        for (unsigned i = c->begin; i < c->end; i++) {
            if (w->dead && !is_live(c, i))
                w->dead--;
            else
                enter(q, from, c->entry[i].notification, c->entry[i].time, c->stamp[i], way);
        }
        give_chunk(w, c);
    }
}

/* Takes some entries of a slot whose entries have all one time. */
static void take_some(struct timed_queue *q, struct slot *s, sim_time time) {
    struct timed_wheel *w = q->wheel;
    uint32_t taken = 0;
    while (taken < s->packed && near_count(q) < TIMED_NEAR)
        append_near(q, packed_notification(s->entry[taken++]), time);
    s->packed -= taken;
    memmove(s->entry, s->entry + taken, s->packed * sizeof *s->entry);
    place_again(s);
    while (near_count(q) < TIMED_NEAR && s->chunked) {
        struct chunk *c = s->last->next;
        if (is_live(c, c->begin))
            append_near(q, c->entry[c->begin].notification, time);
        else
            w->dead--;
        w->chunked--;
        s->chunked--;
        if (++c->begin < c->end) continue;
        if (s->chunked)
            s->last->next = c->next;
        else
            s->last = NULL;
        give_chunk(w, c);
    }
    if (!s->packed && !s->chunked) empty_slot(w, s);
}

/* Refills the empty array with the earliest entries. No earlier entry can follow, so their time is the
 * wheel's new base. */
void timed_queue_refill(struct timed_queue *q) {
    struct timed_wheel *w = q->wheel;
    const sim_time time = timed_queue_first_far(q);
    clear_near(q);
    sim_time begin;
    struct slot *s = first_slot(w, &begin);
    w->base = time;
    if (s->packed + s->chunked > TIMED_NEAR && s >= &w->slots[SLOTS]) distribute(q, s, begin, WAY_DOWN);
    while ((s = first_slot(w, &q->bound)) && near_count(q) < REFILL) {
        if (__builtin_expect(!s->chunked && near_count(q) + s->packed <= TIMED_NEAR, 1)) {
            append_sorted(q, s, q->bound);
            continue;
        }
        const bool one_time = s < &w->slots[SLOTS];
        if (s->packed + s->chunked > TIMED_NEAR - near_count(q)) {
            if (one_time) take_some(q, s, q->bound);
            break;
        }
        if (one_time)
            distribute(q, s, q->bound, WAY_LAST);
        else
            distribute(q, s, q->bound, WAY_NEAR);
    }
    timed_queue_load_first(q);
    if (w->dead || !s || !(s->packed + s->chunked))
        set_first(w, NULL, 0); /* the next entry must be searched for */
    else
        set_first(w, s, earliest_of(w, s, q->bound));
}

/* Adds the live entries of a slot's chunks to it again. */
static void drop_dead_of(struct timed_wheel *w, struct slot *s) {
    const unsigned place = (unsigned)(s - w->slots);
    const struct slot old = *s;
    struct chunk *next, *c = empty_slot(w, s);
    memcpy(s->entry, old.entry, sizeof s->entry);
    s->packed = old.packed;
    if (s->packed) use_slot(w, place / SLOTS, place);
    w->chunked -= old.chunked;
    for (; c; c = next) {
        next = c->next;
        for (unsigned i = c->begin; i < c->end; i++)
            if (is_live(c, i))
                append(w, place / SLOTS, c->entry[i].notification, c->entry[i].time, c->stamp[i]);
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
    w->dead = 0;
    set_first(w, NULL, 0);
}

/* Removes an entry from its slot; returns false if it is in a chunk. */
static bool remove_packed(struct timed_wheel *w, const struct notification *n) {
    struct slot *s = &w->slots[place_of(level_of(w, n->time), n->time)];
    uint32_t i = 0;
    while (i < s->packed && packed_notification(s->entry[i]) != n) i++;
    if (i == s->packed) return false;
    s->packed--;
    memmove(&s->entry[i], &s->entry[i + 1], (s->packed - i) * sizeof *s->entry);
    place_again(s);
    return true;
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
    if (n->time == w->first_time) set_first(w, NULL, 0);
    if (remove_packed(w, n)) return;
    n->stamp++;
    w->dead++;
    if (w->dead > FEW_DEAD + w->chunked / 2) drop_dead(w);
}
