#include "model/memory/l2_slice.h"

#include "model/memory/ring.h"
#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

#define WAY_SPARE    4 /* requests that may wait at the end of the way to the channel */
#define HEADER_BYTES 8 /* header of a reply */

void l2_slice_init(struct l2_slice *s, unsigned number, const struct machine_config *c,
                   const struct l2_surroundings *around) {
    memset(s, 0, sizeof *s);
    s->around = around;
    s->number = number;
    s->latency_cycles = c->l2.latency_cycles;
    s->pipe_cycles = c->dram.pipe_cycles;
    s->way_limit = s->pipe_cycles + WAY_SPARE;
    s->burst_bytes = c->dram.burst_bytes;
    s->mshrs = c->l2_mshrs;
    masked_cache_init(&s->lines, &c->l2, c->mem.replacement_seed);
    dram_channel_init(&s->channel, &c->dram, s->way_limit + s->mshrs, s->mshrs);
    s->pipe_mask = ring_size(s->latency_cycles) - 1;
    s->pipe = malloc((s->pipe_mask + 1) * sizeof *s->pipe);
    s->mshr = calloc(s->mshrs, sizeof *s->mshr);
    require_memory(s->pipe && s->mshr);
    s->look_up = s->next = UINT64_MAX;
}

void l2_slice_free(struct l2_slice *s) {
    masked_cache_free(&s->lines);
    dram_channel_free(&s->channel);
    free(s->pipe);
    free(s->mshr);
}

void l2_slice_drop(struct l2_slice *s, uint32_t address) {
    struct cache_line *l = cache_look(&s->lines.tags, l2_slice_address(s->around, address));
    if (l) l->state = 0;
}

static inline uint64_t earlier(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

static inline uint64_t later(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

static inline struct pooled_packet *pooled(const struct l2_slice *s, uint32_t packet) {
    return &s->around->pool->packet[packet];
}

static inline bool way_is_full(const struct l2_slice *s) {
    return s->channel.way_count >= s->way_limit;
}

/* --- to the channel --- */

static void ask(struct l2_slice *s, uint32_t address, unsigned bursts, uint32_t tag, bool write) {
    const uint64_t cycle = clock_crossing_after(s->around->to_dram, s->now + s->pipe_cycles);
    dram_channel_put(&s->channel,
                     (struct dram_request){
                         .cycle = cycle, .address = address, .bursts = bursts, .tag = tag, .write = write});
}

static inline bool is_dirty(struct l2_slice *s, const struct cache_line *l) {
    return l->state && masked_cache_is_dirty(&s->lines, l);
}

/* Puts the address's line in the victim's place. A written victim goes to the channel. */
static void put(struct l2_slice *s, struct cache_line *victim, uint32_t address, bool whole) {
    if (is_dirty(s, victim)) {
        const unsigned bursts = masked_cache_pieces(masked_cache_mask(&s->lines, victim), s->burst_bytes);
        ask(s, masked_cache_address(&s->lines, victim), bursts, 0, true);
        ++s->writebacks;
    }
    masked_cache_put(&s->lines, victim, address, whole);
}

/* --- replies --- */

static void reply(struct l2_slice *s, uint32_t packet, unsigned bytes, uint64_t cycle) {
    const struct l2_surroundings *a = s->around;
    const unsigned flits = (HEADER_BYTES + bytes + a->flit_bytes - 1) / a->flit_bytes;
    crossbar_send(a->replies, s->number, pooled(s, packet)->packet.cluster / a->share, packet, flits, cycle);
}

/* Handles the line of a register that arrives from the channel. */
static void fill(struct l2_slice *s, uint32_t tag) {
    struct l2_mshr *m = &s->mshr[tag];
    const uint32_t address = m->line << s->lines.tags.line_shift;
    const struct cache_line *l = cache_find(&s->lines.tags, address);
    if (l)
        masked_cache_mask(&s->lines, l)->whole = true;
    else
        put(s, masked_cache_victim(&s->lines, address), address, true);
    for (uint32_t packet = m->first; packet != PACKET_NONE;) {
        const uint32_t next = pooled(s, packet)->next;
        reply(s, packet, pooled(s, packet)->packet.moved, s->now);
        packet = next;
    }
    m->taken = false;
    --s->outstanding;
}

/* --- look-up --- */

static struct l2_mshr *find_mshr(const struct l2_slice *s, uint32_t line) {
    unsigned left = s->outstanding;
    for (struct l2_mshr *m = s->mshr; left; ++m) {
        if (m->taken && m->line == line) return m;
        left -= m->taken;
    }
    return NULL;
}

static void wait_for(struct l2_slice *s, struct l2_mshr *m, uint32_t packet) {
    pooled(s, packet)->next = PACKET_NONE;
    *(m->first == PACKET_NONE ? &m->first : &pooled(s, m->last)->next) = packet;
    m->last = packet;
}

static enum l2_stop miss(struct l2_slice *s, uint32_t packet, uint32_t address, bool partial) {
    const uint32_t line = address >> s->lines.tags.line_shift, bytes = 1u << s->lines.tags.line_shift;
    struct l2_mshr *m = find_mshr(s, line);
    if (m) {
        wait_for(s, m, packet);
        ++s->merged;
        return L2_RUNS;
    }
    if (s->outstanding == s->mshrs) return L2_NO_MSHR;
    if (way_is_full(s)) return L2_NO_WAY;
    m = s->mshr;
    while (m->taken) ++m;
    *m = (struct l2_mshr){.line = line, .first = PACKET_NONE, .last = PACKET_NONE, .taken = true};
    ++s->outstanding;
    wait_for(s, m, packet);
    ask(s, address & ~(bytes - 1), bytes > s->burst_bytes ? bytes / s->burst_bytes : 1,
        (uint32_t)(m - s->mshr), false);
    ++s->misses;
    s->ahead_misses += pooled(s, packet)->packet.ahead;
    s->partial += partial;
    return L2_RUNS;
}

static enum l2_stop read(struct l2_slice *s, uint32_t packet, uint32_t address) {
    const struct memory_packet *p = &pooled(s, packet)->packet;
    const struct cache_line *l = cache_find(&s->lines.tags, address);
    if (l && masked_cache_holds(&s->lines, l, address, p->bytes)) {
        reply(s, packet, p->moved, s->now + 1);
    } else {
        const enum l2_stop stop = miss(s, packet, address, l != NULL);
        if (stop) return stop;
    }
    ++s->reads;
    return L2_RUNS;
}

static enum l2_stop write(struct l2_slice *s, uint32_t packet, uint32_t address) {
    const struct memory_packet *p = &pooled(s, packet)->packet;
    struct cache_line *l = cache_find(&s->lines.tags, address);
    if (!l) {
        l = masked_cache_victim(&s->lines, address);
        if (way_is_full(s) && is_dirty(s, l)) return L2_NO_WAY;
        put(s, l, address, false);
    }
    masked_cache_write(&s->lines, l, address, p->bytes, p->written);
    if (p->kind == PACKET_EXCHANGE)
        reply(s, packet, 0, s->now + 1);
    else
        packet_pool_give_back(s->around->pool, packet);
    return L2_RUNS;
}

static void set_look_up(struct l2_slice *s, uint64_t earliest) {
    s->look_up = s->pipe_count ? later(pooled(s, s->pipe[s->pipe_first])->at, earliest) : UINT64_MAX;
}

static void look_up(struct l2_slice *s) {
    const uint32_t packet = s->pipe[s->pipe_first];
    const struct memory_packet *p = &pooled(s, packet)->packet;
    const uint32_t address = l2_slice_address(s->around, p->address);
    s->stop = p->kind == PACKET_READ ? read(s, packet, address) : write(s, packet, address);
    if (s->stop) return;
    s->pipe_first = (s->pipe_first + 1) & s->pipe_mask;
    --s->pipe_count;
    set_look_up(s, s->now + 1);
}

/* Restarts the look-up after a change before `cycle`, the cycle of the next attempt. */
static void go_on(struct l2_slice *s, uint64_t cycle) {
    s->stop = L2_RUNS;
    s->stopped_cycles += cycle - s->look_up;
    s->look_up = cycle;
}

/* --- from the crossbar --- */

/* Reports that the slice has taken a packet: frees its place and answers a store. */
static void tell(struct l2_slice *s, const struct memory_packet *p) {
    const struct l2_surroundings *a = s->around;
    const uint64_t cycle = clock_crossing_after(a->to_cluster, s->now + a->requests->latency_cycles) - 1;
    struct cluster_port *port = &a->port[p->cluster];
    *a->news += port->taken >= port->places || p->kind == PACKET_WRITE;
    cluster_port_free_place(port, cycle);
    if (p->kind != PACKET_WRITE) return;
    cluster_port_deliver(port, (struct memory_answer){.cycle = cycle,
                                                      .order = s->now * DRAM_MAX_CHANNELS + s->number,
                                                      .tag = p->tag,
                                                      .kind = ANSWER_TAKEN,
                                                      .source = p->source});
}

static void take(struct l2_slice *s) {
    const uint32_t packet = crossbar_take(s->around->requests, s->number, s->now);
    struct pooled_packet *p = pooled(s, packet);
    tell(s, &p->packet);
    s->writes += p->packet.kind != PACKET_READ;
    p->at = s->now + s->latency_cycles;
    s->pipe[(s->pipe_first + s->pipe_count++) & s->pipe_mask] = packet;
    if (s->pipe_count == 1) set_look_up(s, 0);
}

/* --- in the order of time --- */

static inline uint64_t next_fill(const struct l2_slice *s) {
    const struct dram_answer *a = dram_channel_answer(&s->channel);
    return a ? clock_crossing_after(s->around->from_dram, a->cycle) : UINT64_MAX;
}

static inline uint64_t next_take(const struct l2_slice *s) {
    if (s->pipe_count == s->latency_cycles) return UINT64_MAX;
    const uint64_t cycle = crossbar_next(s->around->requests, s->number);
    return later(cycle, s->now);
}

static inline uint64_t next_look_up(const struct l2_slice *s) {
    return s->stop ? UINT64_MAX : s->look_up;
}

/* Does the channel's next event. */
static void step_channel(struct l2_slice *s) {
    const uint64_t cycle = s->channel.next;
    dram_channel_step(&s->channel);
    if (s->stop == L2_NO_WAY && !way_is_full(s))
        go_on(s, later(clock_crossing_after(s->around->from_dram, cycle), s->look_up + 1));
}

static void do_cycle(struct l2_slice *s) {
    while (next_fill(s) <= s->now) {
        fill(s, dram_channel_answer(&s->channel)->tag);
        dram_channel_take(&s->channel);
        if (s->stop) go_on(s, s->now);
    }
    if (next_look_up(s) <= s->now) look_up(s);
    if (next_take(s) <= s->now) take(s);
}

void l2_slice_run(struct l2_slice *s, uint64_t last) {
    const struct l2_surroundings *a = s->around;
    for (;;) {
        const uint64_t cycle = earlier(earlier(next_fill(s), next_take(s)), next_look_up(s));
        const uint64_t until = earlier(cycle, last + 1);
        if (s->channel.next < clock_crossing_ended(a->to_dram, until)) {
            step_channel(s);
            continue;
        }
        if (cycle > last) {
            s->next = cycle;
            break;
        }
        s->now = cycle;
        do_cycle(s);
    }
    if (s->channel.next == UINT64_MAX) return;
    s->next = earlier(s->next, clock_crossing_after(a->from_dram, s->channel.next) - 1);
}
