#include "recording/packing.h"

#include <string.h>

/* Flags in the first byte of a flight. The first byte of other records is NOT_A_FLIGHT and their kind. */
enum {
    FOLLOWS = 1,      /* the PC is that of the place's last flight + 4 */
    SAME_THREADS = 2, /* the threads are those of the place's last flight */
    ALL_PASSED = 4,   /* all threads passed */
    KNOWN_STAMPS = 8, /* the stamps are those of the instruction's last flight */
    ACCESSES = 16,
    HAS_FORM = 32,
    NOT_A_FLIGHT = 128
};

/* Fields of each kind of record besides place and cycle. */
static const struct {
    bool pc, threads, form;
    uint8_t after; /* number of elements of `after` */
} fields[RECORD_KIND_COUNT] = {
    [RECORD_STALL] = {.form = true, .after = 1},
    [RECORD_RUN] = {.pc = true, .threads = true, .form = true, .after = 2},
    [RECORD_MODE] = {.form = true},
    [RECORD_GROUP] = {.after = 3},
    [RECORD_START] = {.pc = true, .threads = true},
    [RECORD_ARRIVE] = {.pc = true, .threads = true},
    [RECORD_EXIT] = {.pc = true, .threads = true},
    [RECORD_RELEASE] = {.pc = true, .threads = true},
    [RECORD_ACCESS] = {.pc = true, .threads = true, .form = true, .after = 2},
    [RECORD_COMMAND] = {.pc = true, .form = true, .after = 1},
};

void packing_reset(struct packing *p) {
    memset(p, 0, sizeof *p);
    p->first = UINT64_MAX;
}

static uint64_t folded(int64_t n) {
    return (uint64_t)n << 1 ^ (uint64_t)(n >> 63);
}

static int64_t unfolded(uint64_t n) {
    return (int64_t)(n >> 1) ^ -(int64_t)(n & 1);
}

/* Writes a number with seven bits a byte, lowest first; bit 7 is clear in the last byte. */
static inline uint8_t *put_number(uint8_t *out, uint64_t n) {
    for (; n >= 128; n >>= 7) *out++ = (uint8_t)n | 128;
    *out++ = (uint8_t)n;
    return out;
}

struct input {
    const uint8_t *at, *end;
    bool bad;
};

static uint64_t get_number(struct input *in) {
    uint64_t n = 0;
    for (unsigned shift = 0; in->at < in->end && shift < 64; shift += 7) {
        const uint8_t byte = *in->at++;
        n |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) return n;
    }
    in->bad = true;
    return 0;
}

static inline void note_cycles(struct packing *p, const struct record *r, uint64_t last) {
    p->cycle = r->cycle;
    p->first = r->cycle < p->first ? r->cycle : p->first;
    p->last = last > p->last ? last : p->last;
}

/* Returns the stamps of the instruction's last flight. */
static inline uint32_t *expected(struct packing *p, uint32_t pc) {
    return p->stamps[pc / 4 % PACKING_INSTRUCTIONS];
}

/* Returns the cycles from stamp n - 1 to stamp n. */
static inline uint32_t step(const uint32_t *after, unsigned n) {
    return after[n] - (n ? after[n - 1] : 0);
}

/* Writes a mask of the steps that differ from the expected ones, and these steps. */
static __attribute__((noinline)) uint8_t *put_stamps(uint32_t *known, const uint32_t *after, uint8_t *out) {
    uint32_t different = after[0] != known[0];
    for (unsigned n = 1; n < RECORD_STAMPS; ++n) /* a loop that the compiler vectorises */
        different |= (uint32_t)(after[n] - after[n - 1] != known[n] - known[n - 1]) << n;
    *out++ = (uint8_t)different;
    *out++ = (uint8_t)(different >> 8);
    for (; different; different &= different - 1)
        out = put_number(out, folded((int32_t)step(after, (unsigned)__builtin_ctz(different))));
    memcpy(known, after, RECORD_STAMPS * sizeof *known);
    return out;
}

static inline uint8_t *put_flight(struct packing *p, const struct record *r, uint8_t *out) {
    const unsigned place = r->place % PACKING_PLACES;
    uint8_t *first = out++, flags = r->flags & RECORD_ACCESSES ? ACCESSES : 0;
    out = put_number(out, r->place);
    out = put_number(out, folded((int64_t)(r->cycle - p->cycle)));
    if (r->pc == p->pc[place] + 4)
        flags |= FOLLOWS;
    else
        out = put_number(out, folded((int32_t)(r->pc - p->pc[place])));
    if (r->threads == p->threads[place])
        flags |= SAME_THREADS;
    else
        out = put_number(out, r->threads);
    if (r->passed == r->threads)
        flags |= ALL_PASSED;
    else
        out = put_number(out, r->passed);
    if (r->form) {
        flags |= HAS_FORM;
        *out++ = r->form;
    }
    uint32_t *known = expected(p, r->pc);
    if (memcmp(known, r->after, sizeof r->after) == 0)
        flags |= KNOWN_STAMPS;
    else
        out = put_stamps(known, r->after, out);
    note_cycles(p, r, r->cycle + r->after[RECORD_COMMIT]);
    p->pc[place] = r->pc;
    p->threads[place] = r->threads;
    *first = flags;
    return out;
}

const struct record *packing_put_flights(struct packing *p, const struct record *r, const struct record *end,
                                         uint8_t **out, const uint8_t *limit) {
    uint8_t *at = *out;
    for (; r < end && r->kind == RECORD_FLIGHT && at <= limit; ++r) at = put_flight(p, r, at);
    *out = at;
    return r;
}

uint8_t *packing_put(struct packing *p, const struct record *r, uint8_t *out) {
    if (r->kind == RECORD_FLIGHT) return put_flight(p, r, out);
    *out++ = NOT_A_FLIGHT | r->kind;
    out = put_number(out, r->place);
    out = put_number(out, folded((int64_t)(r->cycle - p->cycle)));
    if (fields[r->kind].pc) out = put_number(out, r->pc);
    if (fields[r->kind].threads) out = put_number(out, r->threads);
    if (fields[r->kind].form) *out++ = r->form;
    for (unsigned n = 0; n < fields[r->kind].after; ++n) out = put_number(out, r->after[n]);
    note_cycles(p, r, record_last(r));
    return out;
}

static uint8_t get_byte(struct input *in) {
    if (in->at < in->end) return *in->at++;
    in->bad = true;
    return 0;
}

static void get_stamps(struct packing *p, struct record *r, struct input *in, bool known) {
    uint32_t *last = expected(p, r->pc), different = known ? 0 : get_byte(in);
    if (!known) different |= (uint32_t)get_byte(in) << 8;
    in->bad |= different >> RECORD_STAMPS != 0;
    for (unsigned n = 0; n < RECORD_STAMPS; ++n) {
        const uint32_t one = different >> n & 1 ? (uint32_t)unfolded(get_number(in)) : step(last, n);
        r->after[n] = (n ? r->after[n - 1] : 0) + one;
    }
    memcpy(last, r->after, sizeof r->after);
}

static void get_flight(struct packing *p, struct record *r, struct input *in, uint8_t flags) {
    r->kind = RECORD_FLIGHT;
    r->flags = flags & ACCESSES ? RECORD_ACCESSES : 0;
    r->place = (uint16_t)get_number(in);
    const unsigned place = r->place % PACKING_PLACES;
    r->cycle = p->cycle + (uint64_t)unfolded(get_number(in));
    r->pc = p->pc[place] + (flags & FOLLOWS ? 4 : (uint32_t)unfolded(get_number(in)));
    r->threads = flags & SAME_THREADS ? p->threads[place] : get_number(in);
    r->passed = flags & ALL_PASSED ? r->threads : get_number(in);
    r->form = flags & HAS_FORM ? get_byte(in) : 0;
    get_stamps(p, r, in, flags & KNOWN_STAMPS);
    p->pc[place] = r->pc;
    p->threads[place] = r->threads;
}

const uint8_t *packing_get(struct packing *p, struct record *r, const uint8_t *at, const uint8_t *end) {
    struct input in = {.at = at, .end = end};
    *r = (struct record){0};
    const uint8_t first = get_byte(&in);
    if (!(first & NOT_A_FLIGHT)) {
        get_flight(p, r, &in, first);
    } else {
        r->kind = first & ~NOT_A_FLIGHT;
        if (r->kind == RECORD_FLIGHT || r->kind >= RECORD_KIND_COUNT) return NULL;
        r->place = (uint16_t)get_number(&in);
        r->cycle = p->cycle + (uint64_t)unfolded(get_number(&in));
        if (fields[r->kind].pc) r->pc = (uint32_t)get_number(&in);
        if (fields[r->kind].threads) r->threads = get_number(&in);
        if (fields[r->kind].form) r->form = get_byte(&in);
        for (unsigned n = 0; n < fields[r->kind].after; ++n) r->after[n] = (uint32_t)get_number(&in);
    }
    p->cycle = r->cycle;
    return in.bad ? NULL : in.at;
}
