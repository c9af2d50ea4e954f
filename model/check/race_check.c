#include "model/check/race_check.h"

#include "model/arm/coprocessor.h"

#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

#define PAGE_SHIFT 12
#define PAGES      (1u << (32 - PAGE_SHIFT))
#define PAGE_WORDS (1u << (PAGE_SHIFT - 2))
#define ACCESSES   (1u << 15) /* number of memory instructions with a number of their own */
#define SPLIT      UINT32_MAX /* interval of no mark: the word has a record for each byte */

/* The last access to a word. */
struct race_mark {
    uint32_t interval; /* 0: none */
    unsigned access : 15, item : 15, atomic : 1;
    unsigned several : 1; /* reads: other work-items of the interval have also read */
};

struct race_word {
    struct race_mark writer, reader;
    uint32_t value; /* written value; for a split word, index of its bytes' records */
};
_Static_assert(sizeof(struct race_word) == 20, "docs/checks.md names the size of the shadow");

struct race_interval {
    uint32_t group, epoch; /* epoch: earlier barriers of the group that fenced the memory */
};

enum space { LOCAL, GLOBAL, SPACES };

struct race_group {
    uint32_t number;
    uint32_t before; /* last interval before those of the work-group */
    uint32_t interval[SPACES], epoch[SPACES];
    uint32_t *ordered; /* for each work-item: last interval ordered before all its accesses */
    bool orders;       /* some elements of `ordered` are not 0 */
    struct race_word *local;
};

struct race_check {
    const struct machine_launch *launch;
    uint32_t items; /* work-items of a work-group */
    unsigned slots;
    struct race_group *group;
    uint32_t before; /* last interval before those of the launch */
    uint32_t last;   /* last number given to an interval */
    uint32_t
        ordered; /* intervals up to this one take no more accesses: an atomic operation has ordered them */
    struct race_interval *interval; /* intervals of the launch */
    size_t interval_room;
    struct race_word **page; /* words of buffers; NULL: never accessed */
    uint32_t *used_page;     /* numbers of the pages that exist */
    size_t used;
    struct race_word (*bytes)[4]; /* bytes of split words */
    size_t split, split_room;
    uint16_t *number; /* for each instruction of the code: number as a memory instruction */
    uint32_t *pc;     /* for each number: PC of the instruction */
    struct race_pair pair[RACE_PAIRS];
    size_t pairs;
    uint64_t more;
};

struct race_check *race_check_create(unsigned slots) {
    struct race_check *r = calloc(1, sizeof *r);
    require_memory(r);
    r->slots = slots;
    r->group = calloc(slots, sizeof *r->group);
    r->page = calloc(PAGES, sizeof(struct race_word *));
    require_memory(r->group && r->page);
    return r;
}

static void free_groups(struct race_check *r) {
    for (unsigned n = 0; n < r->slots; ++n) {
        free(r->group[n].ordered);
        free(r->group[n].local);
    }
}

void race_check_destroy(struct race_check *r) {
    if (!r) return;
    for (size_t n = 0; n < r->used; ++n) free(r->page[r->used_page[n]]);
    free_groups(r);
    free(r->used_page);
    free(r->page);
    free(r->group);
    free(r->interval);
    free(r->bytes);
    free(r->number);
    free(r->pc);
    free(r);
}

/* --- a launch --- */

static void *zeroed(size_t count, size_t bytes) {
    void *p = calloc(count + 1, bytes);
    require_memory(p);
    return p;
}

/* Numbers the memory instructions; instructions beyond the last number share it. */
static void number_accesses(struct race_check *r, const struct machine_code *code) {
    const uint32_t words = code->text_bytes / 4;
    uint16_t next = 0;
    free(r->number);
    free(r->pc);
    r->number = zeroed(words, sizeof *r->number);
    r->pc = zeroed(ACCESSES, sizeof *r->pc);
    for (uint32_t n = 0; n < words; ++n) {
        const struct arm_instruction *i = &code->decoded[n];
        if (!i->is_load && !i->is_store) continue;
        r->number[n] = next;
        r->pc[next] = code->text_base + 4 * n;
        if (next + 1u < ACCESSES) ++next;
    }
}

void race_check_launch(struct race_check *r, const struct machine_launch *l) {
    r->launch = l;
    r->items = l->local_size[0] * l->local_size[1] * l->local_size[2];
    r->before = r->ordered = r->last;
    r->pairs = 0;
    r->more = 0;
    free_groups(r);
    memset(r->group, 0, r->slots * sizeof *r->group);
    number_accesses(r, l->code);
}

static uint32_t begin_interval(struct race_check *r, uint32_t group, uint32_t epoch) {
    const size_t n = ++r->last - r->before - 1;
    invariant(r->last != SPLIT, "the race check has no more intervals");
    if (n == r->interval_room) {
        r->interval_room = 2 * n + 1024;
        r->interval = realloc(r->interval, r->interval_room * sizeof *r->interval);
        require_memory(r->interval);
    }
    r->interval[n] = (struct race_interval){group, epoch};
    return r->last;
}

static const struct race_interval *interval_of(const struct race_check *r, struct race_mark m) {
    return &r->interval[m.interval - r->before - 1];
}

static void begin_epoch(struct race_check *r, struct race_group *g, enum space space) {
    g->interval[space] = begin_interval(r, g->number, ++g->epoch[space]);
}

void race_check_group(struct race_check *r, unsigned slot, uint64_t number) {
    struct race_group *g = &r->group[slot];
    if (!g->ordered) {
        g->ordered = zeroed(r->items, sizeof *g->ordered);
        g->local = zeroed(r->launch->local_bytes / 4 + 1, sizeof *g->local);
    }
    if (g->orders) memset(g->ordered, 0, r->items * sizeof *g->ordered);
    g->orders = false;
    g->number = (uint32_t)number;
    g->before = r->last;
    for (enum space s = LOCAL; s < SPACES; ++s) begin_epoch(r, g, s);
}

/* Accesses ordered before one work-item are ordered before all that it meets at a barrier. */
static void join(const struct race_check *r, struct race_group *g) {
    uint32_t latest = 0;
    for (uint32_t n = 0; n < r->items; ++n)
        if (g->ordered[n] > latest) latest = g->ordered[n];
    for (uint32_t n = 0; n < r->items; ++n) g->ordered[n] = latest;
}

void race_check_barrier(struct race_check *r, unsigned slot, uint32_t pc) {
    struct race_group *g = &r->group[slot];
    const unsigned fences = machine_fences(r->launch->code, pc);
    if (g->orders) join(r, g);
    if (fences & MACHINE_FENCE_LOCAL) begin_epoch(r, g, LOCAL);
    if (fences & MACHINE_FENCE_GLOBAL) begin_epoch(r, g, GLOBAL);
}

/* --- accesses --- */

/* An access of one work-item. */
struct race_toucher {
    struct race_mark mark;
    enum space space;
    uint32_t before;  /* marks of this interval and earlier ones are old */
    uint32_t ordered; /* for this work-item: last interval ordered before the access */
    uint32_t group, epoch;
    uint32_t address;
    bool store;
};

static struct race_side side_of(const struct race_check *r, struct race_mark m, uint32_t group, bool store) {
    return (struct race_side){r->pc[m.access], store, m.atomic, group, m.item};
}

static bool same_place(const struct race_side *a, const struct race_side *b) {
    return a->pc == b->pc && a->store == b->store;
}

static struct race_pair *find_pair(struct race_check *r, const struct race_side *a,
                                   const struct race_side *b) {
    for (size_t n = 0; n < r->pairs; ++n) {
        struct race_pair *p = &r->pair[n];
        if ((same_place(&p->side[0], a) && same_place(&p->side[1], b)) ||
            (same_place(&p->side[0], b) && same_place(&p->side[1], a)))
            return p;
    }
    return NULL;
}

static __attribute__((noinline)) void note(struct race_check *r, const struct race_toucher *x,
                                           struct race_mark m, bool store, bool other, bool equal) {
    const struct race_side earlier = side_of(r, m, interval_of(r, m)->group, store),
                           later = side_of(r, x->mark, x->group, x->store);
    struct race_pair *p = find_pair(r, &earlier, &later);
    if (!p && r->pairs == RACE_PAIRS) {
        ++r->more;
        return;
    }
    if (!p) {
        p = &r->pair[r->pairs++];
        *p = (struct race_pair){
            .side = {earlier, later}, .address = x->address, .local = x->space == LOCAL, .other = other};
    }
    ++p->count;
    p->equal += equal;
}

/* Returns whether nothing orders the mark's access before this one of another work-item. */
static inline bool clashes(const struct race_check *r, const struct race_toucher *x, struct race_mark m) {
    if (m.atomic && x->mark.atomic) return false;
    if (m.interval == x->mark.interval) return m.item != x->mark.item;
    if (m.interval <= x->ordered) return false;
    const struct race_interval *i = interval_of(r, m);
    return i->group != x->group || (i->epoch == x->epoch && m.item != x->mark.item);
}

/* Returns whether a mark belongs to the work-group's epoch. */
static inline bool is_of_epoch(const struct race_check *r, const struct race_toucher *x, struct race_mark m) {
    if (m.interval == x->mark.interval) return true;
    if (m.interval <= x->before) return false;
    const struct race_interval *i = interval_of(r, m);
    return i->group == x->group && i->epoch == x->epoch;
}

static inline void store(struct race_check *r, const struct race_toucher *x, struct race_word *w,
                         uint32_t value) {
    const struct race_mark reader = w->reader;
    if (reader.interval > x->before) {
        if (clashes(r, x, reader))
            note(r, x, reader, false, false, false);
        else if (reader.several && !(reader.atomic && x->mark.atomic) && reader.interval > x->ordered &&
                 is_of_epoch(r, x, reader))
            note(r, x, reader, false, true, false);
    }
    w->writer = x->mark;
    w->value = value;
}

static inline void load(const struct race_check *r, const struct race_toucher *x, struct race_word *w) {
    const struct race_mark reader = w->reader;
    if (reader.interval > x->before && is_of_epoch(r, x, reader)) {
        if (reader.item == x->mark.item && reader.interval == x->mark.interval &&
            reader.atomic == x->mark.atomic)
            return;
        if (reader.item != x->mark.item) {
            if (reader.several && reader.atomic <= x->mark.atomic) return; /* nothing changes */
            w->reader.several = true;
            w->reader.atomic &= x->mark.atomic;
            return;
        }
        w->reader = x->mark;
        w->reader.several = reader.several;
        w->reader.atomic = reader.atomic & x->mark.atomic;
        return;
    }
    w->reader = x->mark;
}

static inline void touch(struct race_check *r, const struct race_toucher *x, struct race_word *w,
                         uint32_t value) {
    const struct race_mark writer = w->writer;
    if (writer.interval > x->before && clashes(r, x, writer))
        note(r, x, writer, true, false,
             x->store && writer.access == x->mark.access && !writer.atomic && w->value == value);
    if (x->store)
        store(r, x, w, value);
    else
        load(r, x, w);
}

/* --- words and bytes --- */

static void split(struct race_check *r, struct race_word *w) {
    if (r->split == r->split_room) {
        r->split_room = 2 * r->split + 1024;
        r->bytes = realloc(r->bytes, r->split_room * sizeof *r->bytes);
        require_memory(r->bytes);
    }
    for (unsigned n = 0; n < 4; ++n) {
        r->bytes[r->split][n] = *w;
        r->bytes[r->split][n].value = w->value >> 8 * n & 0xff;
    }
    w->writer.interval = SPLIT;
    w->value = (uint32_t)r->split++;
}

/* Handles an access to some bytes of a word, or to a split word. */
static __attribute__((noinline)) void touch_bytes(struct race_check *r, struct race_toucher *x,
                                                  struct race_word *w, unsigned bytes, uint32_t value) {
    const uint32_t word = x->address & ~3u;
    if (w->writer.interval != SPLIT) split(r, w);
    for (unsigned n = 0; n < 4; ++n) {
        if (!(bytes >> n & 1)) continue;
        x->address = word + n;
        touch(r, x, &r->bytes[w->value][n], value >> 8 * n & 0xff);
    }
}

static __attribute__((noinline)) struct race_word *new_page(struct race_check *r, uint32_t address) {
    const uint32_t n = address >> PAGE_SHIFT;
    r->used_page = realloc(r->used_page, (r->used + 1) * sizeof *r->used_page);
    require_memory(r->used_page);
    r->used_page[r->used++] = n;
    return r->page[n] = zeroed(PAGE_WORDS, sizeof(struct race_word));
}

static inline struct race_word *word_of(struct race_check *r, const struct race_group *g, enum space space,
                                        uint32_t address) {
    if (space == LOCAL) return &g->local[(address - MEMORY_LOCAL_BASE) / 4];
    struct race_word *page = r->page[address >> PAGE_SHIFT];
    if (__builtin_expect(!page, 0)) page = new_page(r, address);
    return &page[address / 4 % PAGE_WORDS];
}

/* Returns the n-th word that a thread has stored; bytes and half-words are in the lowest bits. */
static uint32_t stored_word(const struct arm_instruction *i, const struct arm_threads *t, unsigned k,
                            unsigned n) {
    unsigned row = i->rd + n;
    if (i->register_list) {
        unsigned list = i->register_list;
        for (; n; --n) list &= list - 1;
        row = (unsigned)__builtin_ctz(list);
    }
    return t->registers[(size_t)row * t->positions + k];
}

/* Handles the words of one thread's access, and parts of words. */
static void touch_words(struct race_check *r, const struct checked_access *a, const struct race_group *g,
                        struct race_toucher *x, unsigned k) {
    const uint32_t address = a->address[k], bytes = a->i->access_bytes, end = address + bytes;
    const bool valued = x->store && !x->mark.atomic;
    if (__builtin_expect(!(address & 3) && !(bytes & 3), 1)) {
        for (x->address = address; x->address != end; x->address += 4) {
            struct race_word *w = word_of(r, g, x->space, x->address);
            const uint32_t value =
                valued ? stored_word(a->i, a->registers, k, (x->address - address) / 4) : 0;
            if (__builtin_expect(w->writer.interval != SPLIT, 1))
                touch(r, x, w, value);
            else
                touch_bytes(r, x, w, 15, value), x->address &= ~3u;
        }
        return;
    }
    const uint64_t value = valued ? stored_word(a->i, a->registers, k, 0) : 0;
    for (uint32_t word = address & ~3u; word != ((end + 3) & ~3u); word += 4) {
        unsigned parts = 0;
        for (unsigned n = 0; n < 4; ++n) parts |= (word + n - address < bytes ? 1u : 0u) << n;
        const uint32_t here =
            (uint32_t)(word < address ? value << 8 * (address - word) : value >> 8 * (word - address));
        x->address = word;
        touch_bytes(r, x, word_of(r, g, x->space, word), parts, here);
    }
}

/* Handles a load of an atomic operation: reading another's value orders all earlier accesses. */
static void see(struct race_check *r, struct race_group *g, const struct race_toucher *x) {
    const struct race_word *w = word_of(r, g, x->space, x->address);
    const struct race_mark m =
        w->writer.interval == SPLIT ? r->bytes[w->value][x->address & 3].writer : w->writer;
    if (!m.atomic || m.interval <= x->before) return;
    if (m.item == x->mark.item && interval_of(r, m)->group == x->group) return;
    g->ordered[x->mark.item] = r->ordered = r->last;
    g->orders = true;
}

/* Begins new intervals in place of ordered ones. */
static void renew(struct race_check *r, struct race_group *g) {
    for (enum space s = LOCAL; s < SPACES; ++s)
        if (g->interval[s] <= r->ordered) g->interval[s] = begin_interval(r, g->number, g->epoch[s]);
}

static enum space space_of(const struct race_check *r, uint32_t address) {
    if (address >= MEMORY_BUFFER_BASE) return GLOBAL;
    return address - MEMORY_LOCAL_BASE < r->launch->local_bytes ? LOCAL : SPACES;
}

void race_check_access(struct race_check *r, unsigned slot, const struct checked_access *a) {
    struct race_group *g = &r->group[slot];
    const bool exclusive = arm_is_exclusive(a->i);
    struct race_toucher x = {.group = g->number, .store = a->i->is_store};
    x.mark.atomic = exclusive;
    x.mark.access = r->number[(a->pc - r->launch->code->text_base) / 4] & (ACCESSES - 1);
    renew(r, g);
    for (uint64_t rest = a->threads; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        x.address = a->address[k];
        x.space = space_of(r, x.address);
        if (x.space == SPACES) continue;
        x.before = x.space == LOCAL ? g->before : r->before;
        x.mark.item = (a->first_item + k) & 0x7fff;
        x.mark.interval = g->interval[x.space];
        x.epoch = g->epoch[x.space];
        x.ordered = g->orders ? g->ordered[x.mark.item] : 0;
        if (exclusive && !x.store) {
            see(r, g, &x);
            x.ordered = g->ordered[x.mark.item];
        }
        touch_words(r, a, g, &x, k);
    }
}

const struct race_pair *race_check_pairs(const struct race_check *r, size_t *count, uint64_t *more) {
    *count = r->pairs;
    *more = r->more;
    return r->pair;
}
