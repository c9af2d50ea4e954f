/* LDST: turns addresses into transactions, sends one in each cycle, and collects the answers (gpu-like.md
 * §4). */
#include "model/sm/sm_ldst.h"

#include "abi/memory_map.h"
#include "model/memory/partitioned_memory.h"
#include "model/sm/scalar_units.h"
#include "model/sm/sm_parts.h"
#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

#define WORD 4

/* --- spaces --- */

bool sm_is_exclusive(const struct arm_instruction *i) {
    return (i->encoding & 0x0f800ff0) == 0x01800f90 && (i->is_load || i->is_store);
}

bool sm_in_local(uint32_t address) {
    return address >= MEMORY_LOCAL_BASE && address < MEMORY_STACK_BASE;
}

bool sm_in_constants(const struct sm_ldst *l, uint32_t address) {
    return (address >= MEMORY_CODE_BASE && address < MEMORY_LAUNCH_BASE) ||
           (address >= l->arguments && address < l->arguments_end);
}

/* Returns the interleaved address of a word in a thread's stack: word n of all threads of the SM is
 * contiguous. (Interleaving within a warp would suffice for coalescing, but the words that all warps use
 * would share a few cache sets.) */
static uint32_t interleaved(const struct sm *s, const struct sm_flight *f, unsigned k, uint32_t address) {
    const struct sm_thread thread = sm_thread_of(s, f, k);
    const struct sm_warp *w = &s->warp[thread.warp];
    const uint32_t threads = s->stack_warps * s->warp_size;
    const uint32_t offset = address - (w->threads.stack_top[thread.position] - s->stack_size);
    const uint32_t word = offset / WORD * threads + thread.warp * s->warp_size + thread.position;
    return MEMORY_STACK_BASE + s->index * threads * s->stack_size + word * WORD + offset % WORD;
}

/* --- transactions --- */

static struct sm_transaction *add(struct sm_sender *x) {
    if (x->sends == x->send_room) {
        x->send_room = 2 * x->send_room + 64;
        x->send = realloc(x->send, x->send_room * sizeof *x->send);
        require_memory(x->send);
    }
    struct sm_transaction *t = &x->send[x->sends++];
    memset(t, 0, sizeof *t);
    return t;
}

static uint64_t low_bits(unsigned n) {
    return n >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << n) - 1;
}

/* Returns 64 bits of a mask over bytes, from byte `first` on. */
static uint64_t bytes_from(const uint64_t *mask, unsigned first) {
    const unsigned word = first / 64, shift = first % 64;
    const uint64_t low = mask[word] >> shift;
    return shift && word + 1 < COALESCER_LINE / 64 ? low | mask[word + 1] << (64 - shift) : low;
}

void sm_add_lines(struct sm_ldst *l, struct sm_sender *x, const struct coalescer_transaction *c,
                  const struct sm_beat *beat, bool store, uint32_t tag) {
    const unsigned line = l->coalescer.line_bytes;
    const bool by_piece = store && l->coalescer.rule == COALESCE_CC20;
    uint64_t written[COALESCER_LINE / 64] = {0};
    if (store) coalescer_bytes(c, beat->address, beat->bytes, written);
    for (unsigned first = 0; first < c->length;) {
        const unsigned to_end = line - (c->address + first) % line, left = c->length - first;
        const unsigned bytes = left < to_end ? left : to_end;
        struct sm_transaction *t = add(x);
        const uint32_t pieces =
            (c->pieces >> first / COALESCER_PIECE) & (uint32_t)low_bits(bytes / COALESCER_PIECE);
        t->cache = SM_L1D;
        t->request = (struct cache_request){
            .address = c->address + first, .bytes = (uint16_t)bytes, .kind = beat->kind, .tag = tag};
        t->request.moved =
            (uint16_t)(by_piece ? COALESCER_PIECE * (unsigned)__builtin_popcount(pieces) : bytes);
        for (unsigned n = 0; store && n < (bytes + 63) / 64; ++n)
            t->written[n] = bytes_from(written, first + 64 * n) & low_bits(bytes - 64 * n);
        first += bytes;
    }
}

/* Adds a request to the blocks of the unit. The caller fills in the addresses. */
static struct sm_beat *add_beat(struct sm_sender *x) {
    if (x->beats == x->beat_room) {
        x->beat_room = 2 * x->beat_room + 16;
        x->beat = realloc(x->beat, x->beat_room * sizeof *x->beat);
        require_memory(x->beat);
    }
    return &x->beat[x->beats++];
}

/* Coalesces one beat of the threads `active`: at once, or, if every cycle is stepped, by the block as its
 * transactions are sent. */
static void coalesce(const struct sm *s, const struct sm_flight *f, const struct sm_beat *beat) {
    struct sm_ldst *l = s->ldst;
    struct sm_sender *x = l->to;
    struct coalescer_transaction found[COALESCER_MOST];
    const unsigned before = x->sends,
                   count = coalescer_transactions(&l->coalescer, beat->address, beat->bytes, beat->active,
                                                  f->i->is_store, found);
    ++l->requests;
    l->bytes_asked += beat->bytes * (unsigned)__builtin_popcountll(beat->active);
    for (unsigned n = 0; n < count; ++n)
        sm_add_lines(l, x, &found[n], beat, f->i->is_store, (uint32_t)(f - s->flight));
    for (unsigned n = before; n < x->sends; ++n) l->bytes_moved += x->send[n].request.moved;
    l->transactions += x->sends - before;
    if (!s->stepped) return;
    x->sends = before;
    *add_beat(x) = *beat;
}

static void beats(struct sm *s, const struct sm_flight *f, uint64_t active, enum cache_request_kind kind) {
    const unsigned count = f->i->access_count, bytes = f->i->access_bytes / count;
    struct sm_beat b = {.kind = (uint8_t)kind, .bytes = (uint8_t)bytes, .active = active};
    for (unsigned beat = 0; beat < count; ++beat) {
        for (unsigned k = 0; k < s->positions; ++k) b.address[k] = f->address[k] + beat * bytes;
        coalesce(s, f, &b);
    }
}

/* Accesses private memory word by word: consecutive words of a thread are one row apart. */
static void private_words(struct sm *s, const struct sm_flight *f, uint64_t active) {
    const unsigned bytes = f->i->access_bytes, all = (bytes + 2 * WORD - 2) / WORD;
    struct sm_beat b = {.kind = f->i->is_store ? CACHE_PRIVATE_STORE : CACHE_LOAD};
    uint32_t *address = b.address;
    ++s->spills;
    for (unsigned word = 0; word < all; ++word) {
        uint64_t touching = 0;
        unsigned part = bytes < WORD ? bytes : WORD;
        for (uint64_t rest = active; rest; rest &= rest - 1) {
            const unsigned k = (unsigned)__builtin_ctzll(rest);
            const uint32_t first = f->address[k], place = first / WORD * WORD + word * WORD;
            if (place >= first + bytes) continue;
            touching |= bit_of(k);
            const bool whole = place >= first && place + WORD <= first + bytes;
            address[k] = interleaved(s, f, k, bytes < WORD && word == 0 ? first : place);
            if (!whole && bytes >= WORD) part = WORD;
        }
        if (!touching) continue;
        for (uint64_t rest = touching; rest; rest &= rest - 1) { /* keeps an unaligned access within
                                                                  * its word */
            const unsigned k = (unsigned)__builtin_ctzll(rest);
            if (address[k] % WORD + part > WORD) address[k] -= address[k] % WORD + part - WORD;
        }
        b.bytes = (uint8_t)part;
        b.active = touching;
        coalesce(s, f, &b);
    }
}

/* Adds one transaction, hence one cycle, for each different line. */
static void constants(struct sm *s, const struct sm_flight *f, uint64_t active) {
    struct sm_ldst *l = s->ldst;
    const unsigned line = s->config->constant.line_bytes, bytes = f->i->access_bytes;
    const unsigned shift = (unsigned)__builtin_ctz(line);
    uint32_t seen[2 * ARM_MAX_POSITIONS];
    unsigned count = 0;
    for (uint64_t rest = active; rest; rest &= rest - 1) {
        const uint32_t address = f->address[__builtin_ctzll(rest)], first = address >> shift,
                       last = (address + bytes - 1) >> shift;
        if (count && first == seen[count - 1] && last == first) continue;
        for (uint32_t n = first; n <= last && count < 2 * ARM_MAX_POSITIONS; ++n) {
            unsigned k = 0;
            while (k < count && seen[k] != n) ++k;
            if (k == count) seen[count++] = n;
        }
    }
    for (unsigned n = 0; n < count; ++n) {
        struct sm_transaction *t = add(l->to);
        t->cache = SM_CONSTANT;
        t->request = (struct cache_request){.address = seen[n] * line,
                                            .bytes = (uint16_t)line,
                                            .kind = CACHE_LOAD,
                                            .tag = (uint32_t)(f - s->flight)};
    }
}

static void exclusives(struct sm *s, const struct sm_flight *f, uint64_t active) {
    for (uint64_t rest = active; rest; rest &= rest - 1) {
        struct sm_transaction *t = add(s->ldst->to);
        t->cache = SM_L1D;
        t->request =
            (struct cache_request){.address = f->address[__builtin_ctzll(rest)],
                                   .bytes = f->i->access_bytes,
                                   .kind = f->i->is_load ? CACHE_EXCLUSIVE_LOAD : CACHE_EXCLUSIVE_STORE,
                                   .moved = COALESCER_PIECE,
                                   .tag = (uint32_t)(f - s->flight)};
        t->written[0] = low_bits(f->i->access_bytes);
    }
}

/* Returns the number of threads that local memory serves together. */
static unsigned banks_of_part(const struct sm *s) {
    const unsigned banks = s->ldst->banks.banks;
    return banks < s->positions ? banks : s->positions;
}

unsigned sm_local_pass_cycles(const struct sm *s, const struct sm_flight *f) {
    const unsigned part = f->uniform.form == UNIFORM_SCALAR ? 1 : banks_of_part(s);
    const unsigned lanes = s->config->cluster.ldst_lanes;
    return part > lanes ? part / lanes : 1;
}

/* Adds requests for the words of an access of at most four bytes, then for the second words of threads whose
 * bytes straddle two words. */
static void ask_for_words(const struct sm *s, const uint32_t *address, unsigned bytes, uint64_t active) {
    uint64_t two = 0;
    struct sm_beat b = {.local = true, .active = active};
    for (unsigned k = 0; k < s->positions; ++k) {
        b.address[k] = address[k] / WORD;
        if ((address[k] + bytes - 1) / WORD != b.address[k]) two |= active & bit_of(k);
    }
    *add_beat(s->ldst->to) = b;
    if (!two) return;
    b.active = two;
    for (unsigned k = 0; k < s->positions; ++k) ++b.address[k];
    *add_beat(s->ldst->to) = b;
}

/* Records the banks that the passes of an access use, for the scalar units, which use the other banks. */
static void note_banks(struct sm_ldst *l, const uint32_t *address, unsigned bytes, uint64_t active,
                       unsigned passes) {
    struct sm_sender *x = l->to;
    if (x->passes + passes > x->bank_room) {
        x->bank_room = 2 * (x->passes + passes);
        x->banks = realloc(x->banks, x->bank_room * sizeof *x->banks);
        require_memory(x->banks);
    }
    bank_conflict_resolver_banks(&l->banks, address, bytes, active, &x->banks[x->passes]);
    x->passes += passes;
}

static uint64_t banks_of(const struct sm_sender *x, uint64_t t) {
    if (!x->passes || t < x->passes_from || t > x->passes_until) return 0;
    const uint64_t each = (x->passes_until - x->passes_from + 1) / x->passes;
    return x->banks[(t - x->passes_from) / each];
}

uint64_t sm_ldst_banks(const struct sm *s, uint64_t t) {
    uint64_t banks = s->lanes.banks_at == t ? s->lanes.banks : 0;
    for (unsigned n = 0; n < s->ldst->senders; ++n) banks |= banks_of(&s->ldst->sender[n], t);
    return banks;
}

static void note_conflicts(struct sm *s, const struct sm_flight *f, uint64_t cycles) {
    s->ldst->local_conflict_cycles += cycles;
    if (__builtin_expect(s->profile != NULL, 0)) simt_profile_row(&s->simt, f->pc)->bank_cycles += cycles;
}

/* Returns the cycles for which local memory occupies LDST. If every cycle is stepped, the resolver block
 * determines them. */
static uint64_t local_cycles(struct sm *s, const struct sm_flight *f, uint64_t active) {
    struct sm_ldst *l = s->ldst;
    const unsigned whole = banks_of_part(s), part = f->uniform.form == UNIFORM_SCALAR ? 1 : whole;
    const unsigned parts = part == whole ? s->positions / whole : 1, bytes = f->i->access_bytes;
    const unsigned each = sm_local_pass_cycles(s, f);
    uint32_t address[ARM_MAX_POSITIONS];
    uint64_t passes = 0;
    for (unsigned at = 0; at < bytes; at += WORD) {
        const unsigned of_word = bytes - at < WORD ? bytes - at : WORD;
        for (unsigned k = 0; k < s->positions; ++k) address[k] = f->address[k] + at;
        const unsigned more = bank_conflict_resolver_passes(&l->banks, address, of_word, active);
        if (s->scalar) note_banks(l, address, of_word, active, more);
        if (s->stepped) ask_for_words(s, address, of_word, active);
        passes += more;
    }
    const uint64_t least = (uint64_t)parts * ((bytes + WORD - 1) / WORD);
    l->local_accesses += (unsigned)__builtin_popcountll(active);
    l->local_passes += passes;
    if (passes > least) note_conflicts(s, f, (passes - least) * each);
    return passes * each;
}

static struct sm_sender *sender_of(const struct sm *s, const struct sm_flight *f) {
    return &s->ldst->sender[s->ldst->senders > 1 ? f->warp % s->schedulers : 0];
}

bool sm_ldst_takes(const struct sm *s, const struct sm_flight *f, uint64_t t) {
    const struct sm_sender *x = sender_of(s, f);
    if (s->config->ldst.overlap) return x->next == SM_NO_FLIGHT;
    return x->flight == SM_NO_FLIGHT && x->from <= t;
}

bool sm_ldst_idle(const struct sm *s) {
    return s->ldst->sender[0].flight == SM_NO_FLIGHT;
}

enum machine_cause sm_ldst_held(const struct sm *s, unsigned scheduler) {
    for (unsigned g = 0; s->lanes.apart && g < s->lanes.groups; ++g) {
        const struct sm_address_collector *a = &s->lanes.address_collector[g];
        if (a->flight != SM_NO_FLIGHT && a->served < a->words) return MACHINE_CAUSE_CONFLICT;
    }
    const struct sm_sender *x = &s->ldst->sender[s->ldst->senders > 1 ? scheduler : 0];
    return x->flight == SM_NO_FLIGHT ? MACHINE_CAUSE_COLLECTOR
           : x->conflict             ? MACHINE_CAUSE_CONFLICT
                                     : MACHINE_CAUSE_REFUSED;
}

/* Finds the common case, in which all positions access the same space. Returns false if they may access
 * several. */
static bool all_in_one(const struct sm *s, const struct sm_flight *f, bool reads_only, struct sm_spaces *p) {
    const struct sm_ldst *l = s->ldst;
    const uint64_t all = low_bits(s->positions);
    uint32_t low = f->address[0], high = f->address[0];
    for (unsigned k = 1; k < s->positions; ++k) {
        low = f->address[k] < low ? f->address[k] : low;
        high = f->address[k] > high ? f->address[k] : high;
    }
    const bool code = low >= MEMORY_CODE_BASE && high < MEMORY_LAUNCH_BASE;
    const bool arguments = low >= l->arguments && high < l->arguments_end;
    if (sm_in_local(low) && sm_in_local(high))
        p->local = all;
    else if (reads_only && (code || arguments))
        p->constant = all;
    else if (low >= MEMORY_STACK_BASE && low >= l->arguments_end)
        p->rest = all;
    return p->local | p->constant | p->rest;
}

struct sm_spaces sm_ldst_spaces(const struct sm *s, const struct sm_flight *f) {
    const bool reads_only = f->i->is_load && !sm_is_exclusive(f->i);
    const uint64_t active = sm_accessing(f);
    struct sm_spaces p = {.private = f->in_stack & active};
    if (active == low_bits(s->positions) && !p.private && all_in_one(s, f, reads_only, &p)) return p;
    for (uint64_t rest = active & ~p.private; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        if (sm_in_local(f->address[k]))
            p.local |= bit_of(k);
        else if (reads_only && sm_in_constants(s->ldst, f->address[k]))
            p.constant |= bit_of(k);
    }
    p.rest = active & ~(p.private | p.local | p.constant);
    return p;
}

/* Records the access of a thread of the instruction that a load-store unit sends. */
static void record_one(struct sm *s, const struct sm_sender *x, enum record_hit hit, unsigned k,
                       unsigned beat, uint64_t t) {
    const struct sm_flight *f = &s->flight[x->flight];
    const unsigned bytes = f->i->access_bytes / f->i->access_count;
    recorder_access(s->recorder, t, (unsigned)(x - s->ldst->sender), hit, f->address[k] + beat * bytes,
                    access_values_of(&s->access_values, x->flight, k, beat), bytes, f->i->is_store,
                    s->ldst->cache[SM_L1D].outstanding);
}

/* Starts a flight, whose first transaction is sent in cycle t + 1 at the earliest. */
static void begin_sending(struct sm *s, struct sm_sender *x, struct sm_flight *f, uint64_t t) {
    struct sm_ldst *l = s->ldst;
    const struct sm_spaces p = sm_ldst_spaces(s, f);
    const uint64_t local =
        s->lanes.apart ? 0 : p.local; /* lane groups: local memory has been served before */
    l->to = x;
    x->flight = (uint16_t)(f - s->flight);
    l->sending |= 1u << (x - l->sender);
    x->sends = x->sent = x->passes = x->beats = x->beat_at = 0;
    x->from = x->passes_from = t + 1;
    x->held_until = 0;
    x->conflict = local != 0;
    if (local) {
        const uint64_t cycles = local_cycles(s, f, local);
        x->passes_until = t + cycles;
        if (!s->stepped) x->held_until = t + cycles;
        if (!s->stepped) x->from = x->held_until + 1;
        f->data = t + cycles + s->config->local.latency_cycles;
        if (__builtin_expect(recorder_wants_access(s->recorder, t + 1), 0))
            record_one(s, x, RECORD_HIT_LOCAL, (unsigned)__builtin_ctzll(local), 0, t + 1);
    }
    if (p.constant) constants(s, f, p.constant);
    if (p.private) private_words(s, f, p.private);
    if (p.rest && sm_is_exclusive(f->i))
        exclusives(s, f, p.rest);
    else if (p.rest)
        beats(s, f, p.rest, f->i->is_load ? CACHE_LOAD : write_policies[s->config->l1d_write_policy].store);
}

void sm_ldst_take(struct sm *s, struct sm_flight *f, uint64_t t) {
    struct sm_sender *x = sender_of(s, f);
    if (x->flight == SM_NO_FLIGHT)
        begin_sending(s, x, f, t);
    else
        x->next = (uint16_t)(f - s->flight);
}

/* --- sending, answers --- */

/* Completes a flight after all its transactions have been sent and answered. */
static void complete(struct sm *s, struct sm_flight *f) {
    histogram_add(&s->memory_latency, f->data + 1 - f->issue);
    if (!f->from_memory) {
        if (!f->destinations && !f->flags) sm_end_flight(s, f);
        return;
    }
    f->w_first = f->w_next = f->data + 1;
    if (f->destinations)
        sm_to_write(s, f);
    else
        sm_end_flight(s, f);
}

void sm_ldst_all_local(struct sm *s, struct sm_flight *f) {
    f->all_sent = true;
    if (!f->by_round)
        complete(s, f);
    else
        histogram_add(&s->memory_latency, f->data + 1 - f->issue);
}

void sm_ldst_count_local(struct sm *s, const struct sm_flight *f, uint64_t threads, bool waits) {
    struct sm_ldst *l = s->ldst;
    l->local_accesses += (unsigned)__builtin_popcountll(threads);
    ++l->local_passes;
    if (waits) note_conflicts(s, f, 1);
}

static void answered(struct sm *s, uint16_t number, uint64_t cycle) {
    struct sm_flight *f = &s->flight[number];
    if (cycle > f->data) f->data = cycle;
    if (!--f->answers && f->all_sent) complete(s, f);
}

/* Ends a flight whose last transaction was sent in cycle t. */
static void end_sending(struct sm *s, struct sm_sender *x, uint64_t t) {
    struct sm_flight *f = &s->flight[x->flight];
    x->flight = SM_NO_FLIGHT;
    s->ldst->sending &= ~(1u << (x - s->ldst->sender));
    x->from = t + 1;
    if (s->lanes.apart && !s->config->ldst.overlap) sm_addresses_sent(s, f);
    f->all_sent = true;
    if (t > f->data) f->data = t;
    if (!f->answers) complete(s, f);
    if (x->next == SM_NO_FLIGHT) return;
    begin_sending(s, x, &s->flight[x->next], t);
    x->next = SM_NO_FLIGHT;
}

/* Returns the first thread, and its beat, whose access has bytes in a transaction. Those of private memory
 * are interleaved; the first thread of all stands for them. */
static unsigned first_in(const struct sm_flight *f, const struct sm_transaction *x, unsigned *beat) {
    const unsigned bytes = f->i->access_bytes / f->i->access_count;
    const uint32_t first = x->request.address, end = first + x->request.bytes;
    for (uint64_t rest = sm_accessing(f) & ~f->in_stack; rest; rest &= rest - 1)
        for (*beat = 0; *beat < f->i->access_count; ++*beat) {
            const unsigned k = (unsigned)__builtin_ctzll(rest);
            const uint32_t address = f->address[k] + *beat * bytes;
            if (address < end && address + bytes > first) return k;
        }
    *beat = 0;
    return (unsigned)__builtin_ctzll(f->in_stack ? f->in_stack : sm_accessing(f));
}

/* Records a transaction that was sent in cycle t, as the access of its first thread. */
static __attribute__((noinline)) void record_transaction(struct sm *s, const struct sm_sender *x,
                                                         const struct sm_transaction *sent, bool missed,
                                                         uint64_t merged, uint64_t t) {
    const struct non_blocking_cache *c = &s->ldst->cache[sent->cache];
    const struct sm_flight *f = &s->flight[x->flight];
    unsigned beat;
    const unsigned k = first_in(f, sent, &beat);
    const enum record_hit hit = sent->request.kind == CACHE_STORE ? RECORD_HIT_STORED
                                : c->merged > merged              ? RECORD_HIT_FLIGHT
                                : missed                          ? RECORD_HIT_BEYOND
                                : sent->cache == SM_CONSTANT      ? RECORD_HIT_CONSTANT
                                                                  : RECORD_HIT_L1;
    record_one(s, x, hit, k, beat, t);
}

/* Sends a transaction in cycle t, if its cache accepts it. A cache accepts one in each cycle. */
static void send(struct sm *s, struct sm_sender *x, uint64_t t) {
    struct sm_transaction *next = &x->send[x->sent];
    struct sm_flight *f = &s->flight[x->flight];
    uint64_t done = t;
    x->conflict = false;
    if (s->ldst->asked[next->cache]) return;
    s->ldst->asked[next->cache] = true;
    next->request.written = f->i->is_store ? next->written : NULL;
    const bool store = next->request.kind == CACHE_STORE;
    const uint64_t merged = s->ldst->cache[next->cache].merged;
    if (store) next->request.tag = sm_stores_tag(s, sm_stores_place(s, f));
    bool missed = false;
    switch (sm_ask_cache(s, next->cache, &next->request, t, &done)) {
    case CACHE_HIT:
        if (f->i->is_load && done > f->data) f->data = done;
        break;
    case CACHE_MISS:
        ++f->answers;
        missed = true;
        break;
    default: return;
    }
    if (store) sm_stores_sent(s, sm_stores_place(s, f));
    if (__builtin_expect(recorder_wants_access(s->recorder, t), 0))
        record_transaction(s, x, next, missed, merged, t);
    x->sent_cycle = t;
    x->sent_address = next->request.address;
    x->sent_to = (uint8_t)next->cache;
    x->sent_warp = f->warp;
    if (++x->sent == x->sends && x->beat_at == x->beats) end_sending(s, x, t);
}

void sm_ldst_answers(struct sm *s, uint64_t t) {
    struct sm_ldst *l = s->ldst;
    struct memory_answer a;
    while (t && cluster_port_answer(l->port, t - 1, &a)) {
        const uint32_t *waiting;
        if (a.kind == ANSWER_TAKEN) {
            sm_stores_taken(s, a.tag, a.cycle + 1);
            continue;
        }
        if (a.source == SM_L1D && __builtin_expect(l->follows, 0)) sm_note_fill(s, a.tag, t);
        const unsigned count = non_blocking_cache_fill(&l->cache[a.source], &a, &waiting);
        for (unsigned n = 0; n < count; ++n)
            if (a.source == SM_L1I)
                sm_fetched(s, waiting[n], a.cycle);
            else if (waiting[n] >= SCALAR_L1D_TAG)
                scalar_units_answered(s, waiting[n], a.cycle);
            else
                answered(s, (uint16_t)waiting[n], a.cycle);
    }
}

bool sm_write_back(struct sm *s, uint64_t t) {
    struct sm_ldst *l = s->ldst;
    non_blocking_cache_write_back(&l->cache[SM_L1D], t);
    if (cluster_port_drained(l->port, t)) return false;
    s->ended = t;
    return true;
}

bool sm_waits(const struct sm *s) {
    for (unsigned n = 0; n < SM_CACHES; ++n)
        if (s->ldst->cache[n].outstanding) return true;
    return s->ldst->untaken;
}

/* Returns the next cycle in which the unit acts. */
static uint64_t step_sender(struct sm *s, struct sm_sender *x, uint64_t t) {
    if (x->flight == SM_NO_FLIGHT) return SM_NEVER;
    const bool had_next = x->next != SM_NO_FLIGHT;
    if (t >= x->from && x->sent < x->sends) send(s, x, t);
    if (x->flight != SM_NO_FLIGHT && x->sends == x->sent && x->beat_at == x->beats && t >= x->held_until)
        end_sending(s, x, t);
    if (had_next && x->next == SM_NO_FLIGHT) return t + 1; /* a waiting flight may take the free place */
    if (x->flight == SM_NO_FLIGHT || x->beat_at < x->beats) return t + 1;
    return x->sent < x->sends ? (x->from > t ? x->from : t + 1) : x->held_until;
}

uint64_t sm_ldst_step(struct sm *s, uint64_t t) {
    struct sm_ldst *l = s->ldst;
    uint64_t next = SM_NEVER;
    for (unsigned n = 0; s->stepped && n < l->senders; ++n) sm_step_blocks(s, n, t);
    memset(l->asked, 0, sizeof l->asked);
    if (!(l->sending & (l->sending - 1)))
        next = l->sending ? step_sender(s, &l->sender[__builtin_ctz(l->sending)], t) : SM_NEVER;
    else
        for (unsigned n = 0; n < l->senders; ++n) /* each sender once, in turn */
            sm_earlier(&next, step_sender(s, &l->sender[(t + n) % l->senders], t));
    if (s->lanes.apart) sm_earlier(&next, sm_collect_addresses(s, t));
    return next;
}

bool sm_ldst_fetch(struct sm *s, unsigned warp, uint32_t pc, uint64_t t) {
    const struct cache_request r = {.address = pc & ~7u, .bytes = 8, .kind = CACHE_LOAD, .tag = warp};
    uint64_t done = t;
    switch (non_blocking_cache_request(&s->ldst->cache[SM_L1I], &r, t, &done)) {
    case CACHE_HIT: sm_fetched(s, warp, done); return true;
    case CACHE_MISS: return true;
    default: return false;
    }
}

/* --- building, launches --- */

void sm_ldst_init(struct sm *s, struct cluster_port *port) {
    const struct machine_config *c = s->config;
    struct sm_ldst *l = calloc(1, sizeof *l);
    require_memory(l);
    s->ldst = l;
    l->port = port;
    l->senders = s->barrel && !s->lanes.apart ? s->schedulers : 1;
    non_blocking_cache_init(&l->cache[SM_L1I], &c->l1i, &c->l1i_misses, port, SM_L1I,
                            c->mem.replacement_seed);
    non_blocking_cache_init(&l->cache[SM_L1D], &c->l1d, &c->l1d_misses, port, SM_L1D,
                            c->mem.replacement_seed);
    non_blocking_cache_init(&l->cache[SM_CONSTANT], &c->constant, &c->constant_misses, port, SM_CONSTANT,
                            c->mem.replacement_seed);
    l->coalescer = (struct coalescer_config){c->coalesce.rule, s->positions, c->l1d.line_bytes};
    l->banks = (struct bank_conflict_resolver_config){s->positions, c->local.banks, c->local.broadcast};
}

void sm_ldst_free(struct sm *s) {
    for (unsigned n = 0; n < SM_CACHES; ++n) non_blocking_cache_free(&s->ldst->cache[n]);
    for (unsigned n = 0; n < s->ldst->senders; ++n) {
        free(s->ldst->sender[n].send);
        free(s->ldst->sender[n].beat);
        free(s->ldst->sender[n].banks);
    }
    free(s->ldst);
}

void sm_ldst_launch(struct sm *s, const struct memory *memory) {
    struct sm_ldst *l = s->ldst;
    const int region = memory_find(memory, s->launch->argument_block, WORD);
    l->arguments = l->arguments_end = 0;
    l->sending = 0;
    if (region >= 0) {
        l->arguments = memory->region[region].base;
        l->arguments_end = l->arguments + memory->region[region].size_bytes;
    }
    for (unsigned n = 0; n < l->senders; ++n) {
        l->sender[n].flight = l->sender[n].next = SM_NO_FLIGHT;
        l->sender[n].from = 0;
        l->sender[n].sent_cycle = SM_NEVER;
        l->sender[n].beats = l->sender[n].beat_at = 0;
        coalescer_init(&l->sender[n].coalescer, &l->coalescer);
        l->sender[n].coalescer.in.bytes = WORD; /* no access of zero bytes */
        bank_conflict_resolver_init(&l->sender[n].resolver, &l->banks);
    }
    for (unsigned n = 0; n < SM_CACHES; ++n) non_blocking_cache_invalidate(&l->cache[n]);
    for (unsigned n = 0; n < SM_STORES; ++n) sm_stores_begin(s, n);
    sm_follow_misses(s);
}

static void register_cache(const struct non_blocking_cache *c, const char *cluster, const char *name,
                           struct counter_registry *r) {
    char scope[48];
    snprintf(scope, sizeof scope, "%s.%s", cluster, name);
#define X(name, unit, what) counter_register(r, scope, #name, unit, what, &c->name);
    NON_BLOCKING_CACHE_COUNTERS(X)
#undef X
}

void sm_ldst_register_counters(struct sm *s, const char *scope, struct counter_registry *r) {
    const struct sm_ldst *l = s->ldst;
    char sub[48];
    snprintf(sub, sizeof sub, "%s.coalescer", scope);
    counter_register(r, sub, "requests", "beats",
                     "accesses of warps to memory, a register of multiple ones each", &l->requests);
    counter_register(r, sub, "transactions", "transactions", "that these became, a line of the L1D each",
                     &l->transactions);
    counter_register(r, sub, "bytes_asked", "bytes", "that threads loaded or stored", &l->bytes_asked);
    counter_register(r, sub, "bytes_moved", "bytes", "that the transactions cover", &l->bytes_moved);
    snprintf(sub, sizeof sub, "%s.local", scope);
    counter_register(r, sub, "accesses", "accesses", "of threads to local memory", &l->local_accesses);
    counter_register(r, sub, "passes", "passes", "that these took", &l->local_passes);
    counter_register(r, sub, "conflict_cycles", "cycles",
                     "the load-store unit was held longer by conflicts of banks", &l->local_conflict_cycles);
    register_cache(&l->cache[SM_L1I], scope, "l1i", r);
    register_cache(&l->cache[SM_L1D], scope, "l1d", r);
    if (write_policies[s->config->l1d_write_policy].at_end) {
        snprintf(sub, sizeof sub, "%s.l1d", scope);
#define X(name, unit, what) counter_register(r, sub, #name, unit, what, &l->cache[SM_L1D].name);
        WRITE_BACK_COUNTERS(X)
#undef X
    }
    register_cache(&l->cache[SM_CONSTANT], scope, "constant", r);
    counter_register(r, scope, "packets", "packets", "that the cluster's caches sent into the crossbar",
                     &l->port->sent);
}
