#include "tests/reckoning/sms_memory.h"

#include "abi/memory_map.h"
#include "model/sm/sm_ldst.h"
#include "model/sm/sm_parts.h"

#include <string.h>

enum { WORD = 4 };

/* --- what a flight asks for --- */

static uint64_t accessing(const struct sm_flight *f) {
    return f->uniform.form == UNIFORM_SCALAR ? f->passed & -f->passed : f->passed;
}

static bool is_local(uint32_t address) {
    return address >= MEMORY_LOCAL_BASE && address < MEMORY_STACK_BASE;
}

/* Loads from the image and from the argument block go to the cache of constants. */
static bool is_constant(const struct sms_shadow *h, const struct sm_flight *f, uint32_t address) {
    const struct sm_ldst *l = h->s->ldst;
    if (!f->i->is_load || arm_is_exclusive(f->i)) return false;
    return (address >= MEMORY_CODE_BASE && address < MEMORY_LAUNCH_BASE) ||
           (address >= l->arguments && address < l->arguments_end);
}

/* The threads that access local memory, or private memory, or none of these and no constants. */
static uint64_t threads_in(const struct sms_shadow *h, const struct sm_flight *f, bool local, bool private) {
    uint64_t its = 0;
    for (uint64_t rest = accessing(f); rest; rest &= rest - 1) {
        const uint32_t address = f->address[__builtin_ctzll(rest)];
        const bool stack = (rest & -rest & f->in_stack) != 0, in_local = !stack && is_local(address);
        const bool other = !stack && !in_local && !is_constant(h, f, address);
        if (local ? in_local : private ? stack : other) its |= rest & -rest;
    }
    return its;
}

static struct shadow_beat *add(struct shadow_sender *x) {
    struct shadow_beat *b = &x->beat[x->beats++];
    memset(b, 0, sizeof *b);
    return b;
}

/* Words of local memory; an access that lies in two words asks for the second behind the first. */
static void add_local(struct shadow_sender *x, const struct sm_flight *f, uint64_t threads) {
    for (unsigned at = 0; at < f->i->access_bytes; at += WORD) {
        const unsigned left = f->i->access_bytes - at, bytes = left < WORD ? left : WORD;
        for (unsigned word = 0; word < 2; ++word) {
            struct shadow_beat b = {.local = true};
            for (uint64_t rest = threads; rest; rest &= rest - 1) {
                const unsigned k = (unsigned)__builtin_ctzll(rest);
                const uint32_t first = (f->address[k] + at) / WORD,
                               last = (f->address[k] + at + bytes - 1) / WORD;
                b.address[k] = first + word;
                if (first + word <= last) b.active |= rest & -rest;
            }
            if (b.active) *add(x) = b;
        }
    }
}

/* Private memory lies word by word over all threads of the SM. */
static uint32_t interleaved(const struct sms_shadow *h, const struct sm_flight *f, unsigned k,
                            uint32_t address) {
    const struct sm *s = h->s;
    const struct sm_thread t = sm_thread_of(s, f, k);
    const uint32_t threads = s->stack_warps * s->warp_size, number = t.warp * s->warp_size + t.position;
    const uint32_t top = s->warp[t.warp].threads.stack_top[t.position],
                   offset = address - (top - s->stack_size);
    return MEMORY_STACK_BASE + s->index * threads * s->stack_size +
           (offset / WORD * threads + number) * WORD + offset % WORD;
}

static void add_private(const struct sms_shadow *h, struct shadow_sender *x, const struct sm_flight *f,
                        uint64_t threads) {
    const unsigned bytes = f->i->access_bytes, part = bytes < WORD ? bytes : WORD;
    for (unsigned word = 0; word <= bytes / WORD + 1; ++word) {
        struct shadow_beat b = {.bytes = part};
        for (uint64_t rest = threads; rest; rest &= rest - 1) {
            const unsigned k = (unsigned)__builtin_ctzll(rest);
            const uint32_t first = f->address[k], place = (first / WORD + word) * WORD;
            if (place >= first + bytes) continue;
            b.active |= rest & -rest;
            b.address[k] = interleaved(h, f, k, bytes < WORD && word == 0 ? first : place);
            const unsigned in_word = b.address[k] % WORD;
            if (in_word + part > WORD) b.address[k] -= in_word + part - WORD;
        }
        if (b.active) *add(x) = b;
    }
}

static void add_others(struct shadow_sender *x, const struct sm_flight *f, uint64_t threads) {
    const unsigned bytes = f->i->access_bytes / f->i->access_count;
    if (!threads || arm_is_exclusive(f->i)) return; /* which are not coalesced */
    for (unsigned beat = 0; beat < f->i->access_count; ++beat) {
        struct shadow_beat *b = add(x);
        b->active = threads;
        b->bytes = bytes;
        for (uint64_t rest = threads; rest; rest &= rest - 1)
            b->address[__builtin_ctzll(rest)] = f->address[__builtin_ctzll(rest)] + beat * bytes;
    }
}

/* Another flight sends: local memory first, then private memory, then the rest. */
static void begin(struct sms_shadow *h, struct shadow_sender *x, const struct sm_flight *f) {
    x->beats = x->at = 0;
    x->age = f->age;
    x->sends = true;
    if (!h->s->lanes.apart) add_local(x, f, threads_in(h, f, true, false));
    add_private(h, x, f, threads_in(h, f, false, true));
    add_others(x, f, threads_in(h, f, false, false));
}

/* What the unit asks next, if it has sent all that came of it before; NULL: nothing. */
static const struct shadow_beat *next_of(struct sms_shadow *h, unsigned n, bool local) {
    const struct sm_sender *is = &h->s->ldst->sender[n];
    struct shadow_sender *x = &h->sender[n];
    const bool sends = is->flight != SM_NO_FLIGHT;
    const struct sm_flight *f = sends ? &h->s->flight[is->flight] : NULL;
    if (x->sends && (!sends || f->age != x->age)) {
        reckon(h->told, "beats that a load-store unit has asked for", h->cycle, x->at, x->beats);
        x->sends = false;
    }
    if (sends && !x->sends) begin(h, x, f);
    if (!sends || x->at == x->beats || h->cycle < is->from || is->sent < is->sends) return NULL;
    return x->beat[x->at].local == local ? &x->beat[x->at] : NULL;
}

void shadow_coalescer(struct sms_shadow *h, unsigned n) {
    const struct sm_sender *is = &h->s->ldst->sender[n];
    const struct coalescer *c = &is->coalescer;
    const struct shadow_beat *b = next_of(h, n, false);
    reckon(h->told, "coalescer: valid", h->cycle, c->in.valid, b != NULL);
    if (!b) return;
    reckon(h->told, "coalescer: store", h->cycle, c->in.store, h->s->flight[is->flight].i->is_store);
    reckon(h->told, "coalescer: bytes", h->cycle, c->in.bytes, b->bytes);
    reckon(h->told, "coalescer: active", h->cycle, c->in.active, b->active);
    for (uint64_t rest = b->active; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        reckon_of(h->told, "coalescer: address", k, h->cycle, c->in.address[k], b->address[k]);
    }
    h->sender[n].at += c->out.last;
}

void shadow_resolver(struct sms_shadow *h, unsigned n) {
    const struct bank_conflict_resolver *r = &h->s->ldst->sender[n].resolver;
    const struct shadow_beat *b = next_of(h, n, true);
    reckon(h->told, "bank conflicts: valid", h->cycle, r->in.valid, b != NULL);
    if (!b) return;
    reckon(h->told, "bank conflicts: active", h->cycle, r->in.active, b->active);
    for (uint64_t rest = b->active; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        reckon_of(h->told, "bank conflicts: word", k, h->cycle, r->in.word[k], b->address[k]);
    }
    h->sender[n].at += r->out.last;
}

/* --- rounds --- */

/* The flight of which a round has started in the unit in this cycle; NULL: none has. */
static const struct sm_flight *started(struct sms_shadow *h, unsigned unit) {
    const struct sm_flight *its = NULL;
    for (unsigned n = 0; n < h->flying_count; ++n) {
        const unsigned k = h->flying[n];
        const struct sm_flight *f = &h->s->flight[k];
        if (f->unit != unit) continue;
        if (f->x_round != h->flight[k].rounds) its = f;
        h->flight[k].rounds = f->x_round;
    }
    return its;
}

void shadow_compactor(struct sms_shadow *h, unsigned unit) {
    const struct sm_unit *u = &h->s->unit[unit];
    const struct sm_flight *f = started(h, unit);
    const bool loads = f && (f->x_round - 1u) % f->of_beat == 0;
    uint64_t active = f ? f->passed : 0;
    reckon(h->told, "rounds: take", h->cycle, u->compactor.in.take, f != NULL);
    reckon(h->told, "rounds: load", h->cycle, u->compactor.in.load, loads);
    if (!loads) return;
    if (f->uniform.form ==
        UNIFORM_SCALAR) { /* one round: that of its first thread, where code was scalarized */
        const unsigned lane = active ? (unsigned)__builtin_ctzll(active) / h->s->width[u->kind] : 0;
        active = bit_of((f->scalarized ? lane : 0) * h->s->width[u->kind]);
    }
    reckon(h->told, "rounds: active", h->cycle, u->compactor.in.active, active);
}

/* --- local memory of lane groups --- */

/* Words that a thread's access touches. */
static unsigned words_of(const struct sm_flight *f, unsigned k) {
    return (f->address[k] + f->i->access_bytes + WORD - 1) / WORD - f->address[k] / WORD;
}

void shadow_local(struct sms_shadow *h) {
    const struct sm *s = h->s;
    const struct local_memory_arbiter_in *in = &s->lanes.arbiter.in;
    uint32_t active = 0;
    for (unsigned g = 0; g < s->lanes.groups; ++g) {
        const struct sm_assembler *a = &s->lanes.assembler[g];
        if (a->flight == SM_NO_FLIGHT || !a->left) continue;
        const struct sm_flight *f = &s->flight[a->flight];
        const unsigned round = f->place[a->served % f->of_beat], n = a->served / f->of_beat;
        for (uint64_t rest = a->left; rest; rest &= rest - 1) {
            const unsigned k = (unsigned)__builtin_ctzll(rest),
                           lane = g * s->lanes.width + k % s->lanes.width;
            const uint32_t word = ((f->address[k] - MEMORY_LOCAL_BASE) / WORD + n) & 0x3ffff;
            const bool its = k / s->lanes.width == round && accessing(f) >> k & 1 &&
                             is_local(f->address[k]) && n < words_of(f, k) && !(f->in_stack >> k & 1);
            active |= 1u << lane;
            reckon_of(h->told, "local memory: a thread that asks, in lane", lane, h->cycle, true, its);
            reckon_of(h->told, "local memory: word of lane", lane, h->cycle, in->word[lane],
                      (uint32_t)s->warp[f->warp].group << 18 | word);
        }
    }
    reckon(h->told, "local memory: active", h->cycle, in->active, active);
    if (active) reckon(h->told, "local memory: turn", h->cycle, in->turn, h->cycle % s->lanes.groups);
}
