#include "tests/reckoning/sms_memory.h"

#include "abi/memory_map.h"
#include "model/sm/sm_ldst.h"
#include "model/sm/sm_parts.h"

#include <string.h>

enum { WORD = 4 };

/* --- accesses of a flight --- */

static uint64_t accessing(const struct sm_flight *f) {
    return f->uniform.form == UNIFORM_SCALAR ? f->passed & -f->passed : f->passed;
}

static bool is_local(uint32_t address) {
    return address >= MEMORY_LOCAL_BASE && address < MEMORY_STACK_BASE;
}

/* Returns whether a load uses the constant cache: it is from the image or from the argument block. */
static bool is_constant(const struct sms_shadow *h, const struct sm_flight *f, uint32_t address) {
    const struct sm_ldst *l = h->s->ldst;
    if (!f->i->is_load || arm_is_exclusive(f->i)) return false;
    return (address >= MEMORY_CODE_BASE && address < MEMORY_LAUNCH_BASE) ||
           (address >= l->arguments && address < l->arguments_end);
}

/* Return the threads that access local memory; private memory; neither of these and no constants. */
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

bool shadow_accesses_buffers(const struct sms_shadow *h, const struct sm_flight *f) {
    return threads_in(h, f, false, false) != 0;
}

static struct shadow_beat *add(struct shadow_sender *x) {
    struct shadow_beat *b = &x->beat[x->beats++];
    memset(b, 0, sizeof *b);
    return b;
}

/* Adds accesses to words of local memory. If an access straddles two words, the second follows the first. */
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

/* Returns the interleaved address of private memory: word by word over all threads of the SM. */
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
        struct shadow_beat b = {.bytes = part, .kind = f->i->is_store ? CACHE_PRIVATE_STORE : CACHE_LOAD};
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

static struct shadow_request *add_request(struct shadow_sender *x) {
    struct shadow_request *r = &x->request[x->requests++];
    *r = (struct shadow_request){.cache = SM_L1D};
    return r;
}

/* Each line once, in the order of the threads. */
static void add_constants(const struct sms_shadow *h, struct shadow_sender *x, const struct sm_flight *f,
                          uint64_t threads) {
    const uint32_t bytes = h->s->config->constant.line_bytes;
    for (uint64_t rest = threads; rest; rest &= rest - 1) {
        const uint32_t first = f->address[__builtin_ctzll(rest)], last = first + f->i->access_bytes - 1;
        for (uint32_t line = first / bytes; line <= last / bytes; ++line) {
            unsigned n = 0;
            while (n < x->requests && x->request[n].address != line * bytes) ++n;
            if (n < x->requests) continue;
            struct shadow_request *r = add_request(x);
            r->cache = SM_CONSTANT;
            r->address = line * bytes;
            r->bytes = bytes;
        }
    }
}

static void add_exclusives(const struct sms_shadow *h, struct shadow_sender *x, const struct sm_flight *f,
                           uint64_t threads) {
    for (uint64_t rest = threads; rest; rest &= rest - 1) {
        struct shadow_request *r = add_request(x);
        r->address = f->address[__builtin_ctzll(rest)];
        r->bytes = f->i->access_bytes;
        r->kind = f->i->is_load ? CACHE_EXCLUSIVE_LOAD : CACHE_EXCLUSIVE_STORE;
        r->tag = (uint32_t)(f - h->s->flight);
    }
}

/* Adds the coalescer's result for a beat: a request for each line of the L1D. */
static void add_lines(const struct sms_shadow *h, struct shadow_sender *x, const struct shadow_beat *b,
                      const struct coalescer_out *out, const struct sm_flight *f) {
    const uint32_t line = h->s->config->l1d.line_bytes;
    const unsigned warp =
        f->threads.regrouped ? SM_STORES_OF_SCHEDULERS + f->warp % h->s->schedulers : f->warp;
    x->requests = x->sent = 0;
    for (uint32_t at = out->address, end = at + out->length; at < end;) {
        const uint32_t next = (at / line + 1) * line;
        struct shadow_request *r = add_request(x);
        r->address = at;
        r->bytes = (next < end ? next : end) - at;
        r->kind = b->kind;
        r->tag = b->kind == CACHE_STORE ? h->s->ldst->stores[warp].threads << 8 | warp
                                        : (uint32_t)(f - h->s->flight);
        at = next;
    }
}

static void add_others(struct shadow_sender *x, const struct sm_flight *f, uint64_t threads) {
    const unsigned bytes = f->i->access_bytes / f->i->access_count;
    if (!threads || arm_is_exclusive(f->i)) return; /* exclusive accesses are not coalesced */
    for (unsigned beat = 0; beat < f->i->access_count; ++beat) {
        struct shadow_beat *b = add(x);
        b->active = threads;
        b->bytes = bytes;
        b->kind = f->i->is_store ? CACHE_STORE : CACHE_LOAD;
        for (uint64_t rest = threads; rest; rest &= rest - 1)
            b->address[__builtin_ctzll(rest)] = f->address[__builtin_ctzll(rest)] + beat * bytes;
    }
}

/* Another flight sends: constants and exclusive accesses first, then local memory, private memory, the rest.
 */
static void begin(struct sms_shadow *h, struct shadow_sender *x, const struct sm_flight *f) {
    const uint64_t constants =
        accessing(f) &
        ~(threads_in(h, f, true, false) | threads_in(h, f, false, true) | threads_in(h, f, false, false));
    x->beats = x->at = x->requests = x->sent = 0;
    add_constants(h, x, f, constants);
    if (arm_is_exclusive(f->i)) add_exclusives(h, x, f, threads_in(h, f, false, false));
    x->age = f->age;
    x->sends = true;
    if (!h->s->lanes.apart) add_local(x, f, threads_in(h, f, true, false));
    add_private(h, x, f, threads_in(h, f, false, true));
    add_others(x, f, threads_in(h, f, false, false));
}

/* Returns the next request of the unit to a block, if it has sent the results of the previous one; NULL
 * otherwise. */
static const struct shadow_beat *next_of(struct sms_shadow *h, unsigned n, bool local) {
    const struct sm_sender *is = &h->s->ldst->sender[n];
    struct shadow_sender *x = &h->sender[n];
    const bool sends = is->flight != SM_NO_FLIGHT;
    const struct sm_flight *f = sends ? &h->s->flight[is->flight] : NULL;
    if (x->sends && (!sends || f->age != x->age)) {
        reckon(h->told, "beats that a load-store unit has asked for", h->cycle, x->at, x->beats);
        reckon(h->told, "requests that a load-store unit has sent", h->cycle, x->sent, x->requests);
        x->sends = false;
    }
    if (sends && !x->sends) begin(h, x, f);
    x->from = is->from;
    if (!sends || x->at == x->beats || h->cycle < is->from || x->sent < x->requests) return NULL;
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
    if (c->out.valid) add_lines(h, &h->sender[n], b, &c->out, &h->s->flight[is->flight]);
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

/* Returns the flight of which a round has started in the unit in this cycle; NULL if none. */
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
    /* lane groups of the token design: the round of the scalars is not skipped by all live threads */
    const bool token = h->s->uniform.on && h->s->config->uniform.storage == UNIFORM_TOKEN;
    if (h->s->lanes.apart && token && active == h->warp[f->warp].live) active |= 1;
    if (f->uniform.form == UNIFORM_SCALAR) { /* one round: the first */
        const unsigned lane = active ? (unsigned)__builtin_ctzll(active) / h->s->width[u->kind] : 0;
        active = bit_of(lane * h->s->width[u->kind]);
    }
    reckon(h->told, "rounds: active", h->cycle, u->compactor.in.active, active);
}

/* --- local memory of lane groups --- */

/* Returns the number of words that a thread's access touches. */
static unsigned words_of(const struct sm_flight *f, unsigned k) {
    return (f->address[k] + f->i->access_bytes + WORD - 1) / WORD - f->address[k] / WORD;
}

void shadow_local(struct sms_shadow *h) {
    const struct sm *s = h->s;
    const struct local_memory_arbiter_in *in = &s->lanes.arbiter.in;
    uint32_t active = 0;
    for (unsigned g = 0; g < s->lanes.groups; ++g) {
        const struct sm_address_collector *a = &s->lanes.address_collector[g];
        if (a->flight == SM_NO_FLIGHT || !a->left) continue;
        const struct sm_flight *f = &s->flight[a->flight];
        const unsigned round = f->place[a->served % f->of_beat], n = a->served / f->of_beat;
        for (uint64_t rest = a->left; rest; rest &= rest - 1) {
            const unsigned k = (unsigned)__builtin_ctzll(rest),
                           lane = g * s->lanes.width + k % s->lanes.width;
            const uint32_t word = ((f->address[k] - MEMORY_LOCAL_BASE) / WORD + n) & 0x3ffff;
            const bool one = f->uniform.form == UNIFORM_SCALAR;
            const bool its = (one || k / s->lanes.width == round) && accessing(f) >> k & 1 &&
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
