#include "model/memory/partitioned_memory.h"

#include "model/memory/l2_slice.h"
#include "sim/counter.h"
#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

/* Sums over all slices and channels. */
struct totals {
    uint64_t reads, writes, misses, ahead_misses, partial, merged, stopped_cycles, writebacks;
    uint64_t dram_reads, dram_writes, bursts, dram_bytes, row_hits, activates, busy_cycles, idle_cycles;
    uint64_t request_packets, request_flits, reply_packets, reply_flits, source_wait_cycles,
        destination_wait_cycles;
};

struct partitioned_memory {
    const struct machine_config *config;
    unsigned clusters, inputs; /* ports of the crossbar on the clusters' side */
    struct packet_pool pool;
    struct crossbar requests, replies;
    struct cluster_port *port;
    struct l2_slice *slice;
    struct l2_surroundings around;
    struct clock_crossing to_icnt;
    uint64_t now; /* cycle of the clusters' clock that the memory has reached */
    uint64_t lookahead_cycles;
    uint64_t news;
    struct totals totals;
};

static void init_ports(struct partitioned_memory *m) {
    const struct machine_config *c = m->config;
    const unsigned beyond = c->l1d_misses.mshrs + 1; /* lines evicted by answers and by an exclusive access */
    const unsigned reads = c->l1d_misses.mshrs + c->l1i_misses.mshrs + c->constant_misses.mshrs;
    m->port = calloc(m->clusters, sizeof *m->port);
    require_memory(m->port);
    for (unsigned n = 0; n < m->clusters; ++n)
        cluster_port_init(&m->port[n], n, c->icnt.queue_packets, beyond, reads);
    packet_pool_init(&m->pool, m->clusters * (c->icnt.queue_packets + beyond + reads) +
                                   c->dram.channels * c->l2.latency_cycles);
}

struct partitioned_memory *partitioned_memory_create(const struct machine_config *c) {
    struct partitioned_memory *m = calloc(1, sizeof *m);
    require_memory(m);
    m->config = c;
    m->clusters = c->cluster.count;
    m->inputs = (m->clusters + c->icnt.share - 1) / c->icnt.share;
    m->to_icnt = clock_crossing_between(c->clock_mhz, c->icnt.clock_mhz);
    init_ports(m);
    crossbar_init(&m->requests, m->inputs, c->dram.channels, c->icnt.latency_cycles, &m->pool);
    crossbar_init(&m->replies, c->dram.channels, m->inputs, c->icnt.latency_cycles, &m->pool);
    m->around = (struct l2_surroundings){
        .pool = &m->pool,
        .requests = &m->requests,
        .replies = &m->replies,
        .port = m->port,
        .share = c->icnt.share,
        .channels = c->dram.channels,
        .flit_bytes = c->icnt.flit_bytes,
        .to_cluster = clock_crossing_between(c->icnt.clock_mhz, c->clock_mhz),
        .to_dram = clock_crossing_between(c->icnt.clock_mhz, c->dram.clock_mhz),
        .from_dram = clock_crossing_between(c->dram.clock_mhz, c->icnt.clock_mhz),
        .news = &m->news,
    };
    m->slice = calloc(c->dram.channels, sizeof *m->slice);
    require_memory(m->slice);
    for (unsigned n = 0; n < c->dram.channels; ++n) l2_slice_init(&m->slice[n], n, c, &m->around);
    /* A packet of cycle c is sent in cycle (c + 1) · icnt / cluster at the earliest; the first news of it
     * arrives at the end of the cycle 2 · latency later. */
    m->lookahead_cycles =
        1 + clock_crossing_after(m->around.to_cluster, 2 * (uint64_t)c->icnt.latency_cycles);
    return m;
}

void partitioned_memory_destroy(struct partitioned_memory *m) {
    if (!m) return;
    for (unsigned n = 0; n < m->config->dram.channels; ++n) l2_slice_free(&m->slice[n]);
    for (unsigned n = 0; n < m->clusters; ++n) cluster_port_free(&m->port[n]);
    crossbar_free(&m->requests);
    crossbar_free(&m->replies);
    packet_pool_free(&m->pool);
    free(m->slice);
    free(m->port);
    free(m);
}

struct cluster_port *partitioned_memory_port(struct partitioned_memory *m, unsigned cluster) {
    return &m->port[cluster];
}

struct dram_channel *partitioned_memory_channel(struct partitioned_memory *m, unsigned n) {
    return &m->slice[n].channel;
}

void partitioned_memory_record(struct partitioned_memory *m, struct recorder *r) {
    for (unsigned n = 0; n < m->config->dram.channels; ++n) {
        struct dram_channel *c = &m->slice[n].channel;
        c->recorder = r;
        c->number = n;
        c->to_cluster = clock_crossing_between(m->config->dram.clock_mhz, m->config->clock_mhz);
    }
}

uint64_t partitioned_memory_lookahead(const struct partitioned_memory *m) {
    return m->lookahead_cycles;
}

/* --- requests --- */

static unsigned flits_of(const struct partitioned_memory *m, const struct memory_packet *p) {
    const unsigned flit = m->around.flit_bytes;
    return p->kind == PACKET_READ ? 1 : 1 + (p->moved + flit - 1) / flit;
}

/* Sends the first packet of a port to its slice. */
static void send(struct partitioned_memory *m, struct cluster_port *port, unsigned input) {
    const struct memory_packet *first = &port->packet[port->first];
    const unsigned slice = l2_slice_of(&m->around, first->address);
    const uint32_t packet = packet_pool_take(&m->pool);
    m->pool.packet[packet].packet = *first;
    crossbar_send(&m->requests, input, slice, packet, flits_of(m, first),
                  clock_crossing_after(m->to_icnt, first->cycle));
    const uint64_t arrives = m->pool.packet[packet].at;
    if (arrives < m->slice[slice].next) m->slice[slice].next = arrives;
    port->first = (port->first + 1) & port->mask;
    --port->count;
}

static inline uint64_t first_cycle(const struct cluster_port *p) {
    return p->count ? p->packet[p->first].cycle : UINT64_MAX;
}

/* Sends the packets, with cycles before `to`, of the clusters that share a port, in their order. */
static void send_all(struct partitioned_memory *m, unsigned input, uint64_t to) {
    const unsigned share = m->around.share, from = input * share;
    const unsigned end = from + share < m->clusters ? from + share : m->clusters;
    for (;;) {
        unsigned earliest = from;
        for (unsigned n = from + 1; n < end; ++n)
            if (first_cycle(&m->port[n]) < first_cycle(&m->port[earliest])) earliest = n;
        if (first_cycle(&m->port[earliest]) >= to) return;
        send(m, &m->port[earliest], input);
    }
}

/* --- answers --- */

static void deliver(struct partitioned_memory *m, unsigned input) {
    struct crossbar *x = &m->replies;
    const uint64_t cycle = crossbar_next(x, input);
    const uint32_t packet = crossbar_take(x, input, cycle);
    const struct memory_packet *p = &m->pool.packet[packet].packet;
    cluster_port_deliver(
        &m->port[p->cluster],
        (struct memory_answer){.cycle = clock_crossing_after(m->around.to_cluster, cycle) - 1,
                               .order = cycle,
                               .tag = p->tag,
                               .kind = ANSWER_DATA,
                               .source = p->source});
    packet_pool_give_back(&m->pool, packet);
    ++m->news;
}

/* --- time --- */

/* Returns the last cycle of icnt whose packets have all reached the slices when the clusters have done the
 * cycles before `to`. */
static inline uint64_t horizon(const struct partitioned_memory *m, uint64_t to) {
    return clock_crossing_after(m->to_icnt, to) - 1 + m->requests.latency_cycles;
}

/* Returns the first cycle to which to advance so that the slices do the events of `cycle` of icnt. */
static inline uint64_t until(const struct partitioned_memory *m, uint64_t cycle) {
    const unsigned latency = m->requests.latency_cycles;
    return cycle <= latency ? 0 : clock_crossing_ended(m->around.to_cluster, cycle - latency);
}

static void advance(struct partitioned_memory *m, uint64_t to) {
    const uint64_t last = horizon(m, to);
    for (unsigned n = 0; n < m->config->dram.channels; ++n)
        if (m->slice[n].next <= last) l2_slice_run(&m->slice[n], last);
    for (unsigned n = 0; n < m->config->dram.channels; ++n)
        dram_channel_pass(&m->slice[n].channel, clock_crossing_ended(m->around.to_dram, last + 1));
    for (unsigned n = 0; n < m->inputs; ++n)
        while (crossbar_arrival(&m->replies, n) <= last + m->replies.latency_cycles) deliver(m, n);
    m->now = to;
}

void partitioned_memory_advance(struct partitioned_memory *m, uint64_t to) {
    if (to <= m->now) return;
    for (unsigned n = 0; n < m->inputs; ++n) send_all(m, n, to);
    advance(m, to);
}

uint64_t partitioned_memory_next_event(const struct partitioned_memory *m) {
    uint64_t cycle = UINT64_MAX, handed_in = UINT64_MAX;
    for (unsigned n = 0; n < m->config->dram.channels; ++n)
        if (m->slice[n].next < cycle) cycle = m->slice[n].next;
    for (unsigned n = 0; n < m->inputs; ++n) {
        const uint64_t arrives = crossbar_arrival(&m->replies, n);
        if (arrives != UINT64_MAX && arrives - m->replies.latency_cycles < cycle)
            cycle = arrives - m->replies.latency_cycles;
    }
    for (unsigned n = 0; n < m->clusters; ++n)
        if (m->port[n].count && first_cycle(&m->port[n]) + 1 < handed_in)
            handed_in = first_cycle(&m->port[n]) + 1;
    const uint64_t happens = cycle == UINT64_MAX ? UINT64_MAX : until(m, cycle);
    return happens < handed_in ? happens : handed_in;
}

uint64_t partitioned_memory_idle(struct partitioned_memory *m, uint64_t limit) {
    const uint64_t known = m->news;
    while (m->now < limit && m->news == known) {
        const uint64_t next = partitioned_memory_next_event(m);
        if (next == UINT64_MAX) break;
        const uint64_t to = next <= m->now ? m->now + 1 : next;
        partitioned_memory_advance(m, to < limit ? to : limit);
    }
    return m->now;
}

void partitioned_memory_overwrite(struct partitioned_memory *m, uint32_t address, uint32_t size_bytes) {
    const uint32_t line = m->config->l2.line_bytes;
    const uint64_t end = (uint64_t)address + size_bytes;
    for (uint64_t at = address / line * line; at < end; at += line)
        l2_slice_drop(&m->slice[l2_slice_of(&m->around, (uint32_t)at)], (uint32_t)at);
}

/* --- counters --- */

void partitioned_memory_count(struct partitioned_memory *m) {
    struct totals t = {.request_packets = m->requests.packets,
                       .request_flits = m->requests.flits,
                       .reply_packets = m->replies.packets,
                       .reply_flits = m->replies.flits,
                       .source_wait_cycles = m->requests.source_wait_cycles + m->replies.source_wait_cycles,
                       .destination_wait_cycles =
                           m->requests.destination_wait_cycles + m->replies.destination_wait_cycles};
    const uint64_t elapsed =
        clock_crossing_ended(clock_crossing_between(m->config->clock_mhz, m->config->dram.clock_mhz), m->now);
    for (unsigned n = 0; n < m->config->dram.channels; ++n) {
        const struct l2_slice *s = &m->slice[n];
        const struct dram_channel *d = &s->channel;
        t.reads += s->reads;
        t.writes += s->writes;
        t.misses += s->misses;
        t.ahead_misses += s->ahead_misses;
        t.partial += s->partial;
        t.merged += s->merged;
        t.stopped_cycles += s->stopped_cycles;
        t.writebacks += s->writebacks;
        t.dram_reads += d->reads;
        t.dram_writes += d->writes;
        t.bursts += d->read_bursts + d->write_bursts;
        t.row_hits += d->row_hits;
        t.activates += d->activates;
        const uint64_t end = d->now > elapsed ? d->now : elapsed; /* later cycles are not done yet */
        const uint64_t busy = d->busy_cycles + (d->busy ? end - d->busy_since : 0);
        t.busy_cycles += busy;
        t.idle_cycles += elapsed > busy ? elapsed - busy : 0;
    }
    t.dram_bytes = t.bursts * m->config->dram.burst_bytes;
    m->totals = t;
}

#define COUNT(scope, name, unit, what, member) counter_register(r, scope, name, unit, what, &m->totals.member)

void partitioned_memory_register(const struct partitioned_memory *m, struct counter_registry *r) {
    COUNT("icnt", "requests", "packets", "from clusters to slices of the L2", request_packets);
    COUNT("icnt", "request_flits", "flits", "of which they are made", request_flits);
    COUNT("icnt", "replies", "packets", "from slices to clusters", reply_packets);
    COUNT("icnt", "reply_flits", "flits", "of which they are made", reply_flits);
    COUNT("icnt", "source_wait", "cycles", "that packets waited for the port that sends them",
          source_wait_cycles);
    COUNT("icnt", "destination_wait", "cycles", "that packets that had come waited for what takes them",
          destination_wait_cycles);
    COUNT("l2", "reads", "requests", "that were looked up, without those that were refused", reads);
    COUNT("l2", "writes", "requests", "that the slices have taken from the crossbar", writes);
    COUNT("l2", "misses", "requests", "reads that asked the DRAM for a line", misses);
    if (m->config->scalar.mode == SCALAR_OWN)
        COUNT("l2", "scalar_misses", "requests", "of them, those for scalar threads", ahead_misses);
    COUNT("l2", "partial", "requests", "of them, those of a line that was written, but not in these bytes",
          partial);
    COUNT("l2", "merged", "requests", "reads of a line that was on its way", merged);
    COUNT("l2", "stopped", "cycles", "in which a slice could not do what was to be looked up",
          stopped_cycles);
    COUNT("l2", "writebacks", "lines", "that had been written and were driven out", writebacks);
    COUNT("dram", "reads", "requests", "that were served", dram_reads);
    COUNT("dram", "writes", "requests", "that were served", dram_writes);
    COUNT("dram", "bursts", "accesses", "to columns, for both", bursts);
    COUNT("dram", "bytes", "bytes", "that these moved", dram_bytes);
    COUNT("dram", "row_hits", "requests", "whose row was open when they came to their bank", row_hits);
    COUNT("dram", "activates", "commands", "that opened a row", activates);
    COUNT("dram", "busy", "cycles", "of the command clock in which a channel had a request, of all channels",
          busy_cycles);
    COUNT("dram", "idle", "cycles", "of the command clock in which it had none", idle_cycles);
    counter_register_ratio(r, "dram", "row_locality", "accesses", "to columns for each activation of a row",
                           "bursts / activates");
}
