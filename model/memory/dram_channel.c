#include "model/memory/dram_channel.h"

#include "model/memory/ring.h"
#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

void dram_channel_init(struct dram_channel *c, const struct machine_dram_config *config, unsigned way,
                       unsigned reads) {
    const struct dram_scheduler_config s = {.policy = config->policy,
                                            .queue = config->queue_entries,
                                            .banks = config->banks,
                                            .rcd = config->rcd,
                                            .rp = config->rp,
                                            .cl = config->cl,
                                            .ras = config->ras,
                                            .rrd = config->rrd,
                                            .rc = config->rc,
                                            .ccd = config->ccd,
                                            .wl = config->wl,
                                            .cdlr = config->cdlr,
                                            .wr = config->wr,
                                            .burst_cycles = config->burst_cycles};
    memset(c, 0, sizeof *c);
    dram_scheduler_init(&c->scheduler, &s);
    c->next = UINT64_MAX;
    c->column_bits = (uint32_t)__builtin_ctz(config->row_bytes);
    c->bank_bits = (uint32_t)__builtin_ctz(config->banks);
    c->way_mask = ring_size(way) - 1;
    c->answer_mask = ring_size(reads) - 1;
    c->way = malloc((c->way_mask + 1) * sizeof *c->way);
    c->answer = malloc((c->answer_mask + 1) * sizeof *c->answer);
    require_memory(c->way && c->answer);
}

void dram_channel_free(struct dram_channel *c) {
    free(c->way);
    free(c->answer);
}

/* Sets the cycle of the next event: a request enters the queue, or the scheduler acts. */
static void set_next(struct dram_channel *c) {
    const uint32_t idle = dram_scheduler_idle(&c->scheduler);
    c->next = idle == UINT32_MAX ? UINT64_MAX : c->now + idle;
    if (!c->way_count || c->scheduler.q.count == c->scheduler.cfg.queue) return;
    const uint64_t comes = c->way[c->way_first].cycle, cycle = comes < c->now ? c->now : comes;
    if (cycle < c->next) c->next = cycle;
}

void dram_channel_put(struct dram_channel *c, struct dram_request r) {
    invariant(c->way_count <= c->way_mask, "more than %u requests on their way to a channel of DRAM",
              c->way_mask + 1);
    c->way[(c->way_first + c->way_count++) & c->way_mask] = r;
    if (c->way_count == 1) set_next(c);
}

static void offer(struct dram_channel *c, const struct dram_request *r) {
    const uint32_t line = r->address >> c->column_bits;
    struct dram_scheduler_in *in = &c->scheduler.in;
    in->valid = true;
    in->write = r->write;
    in->bank = line & ((1u << c->bank_bits) - 1);
    in->row = line >> c->bank_bits;
    in->bursts = r->bursts;
    in->tag = r->tag;
}

static void count(struct dram_channel *c, const struct dram_scheduler_out *out) {
    c->activates += out->command == DRAM_ACTIVATE;
    c->read_bursts += out->command == DRAM_READ;
    c->write_bursts += out->command == DRAM_WRITE;
    c->reads += out->done && out->command == DRAM_READ;
    c->writes += out->done && out->command == DRAM_WRITE;
    c->row_hits += out->hit;
}

static void answer(struct dram_channel *c, uint64_t cycle) {
    const struct dram_scheduler *s = &c->scheduler;
    if (!s->out.done || s->out.command != DRAM_READ) return;
    invariant(c->answer_count <= c->answer_mask, "a channel of DRAM has more than %u answers to reads",
              c->answer_mask + 1);
    c->answer[(c->answer_first + c->answer_count++) & c->answer_mask] =
        (struct dram_answer){.cycle = cycle + s->in.cl + s->in.burst - 1, .tag = s->out.tag};
}

static void evaluate(struct dram_channel *c, uint64_t cycle) {
    dram_scheduler_eval(&c->scheduler);
    if (c->twins && cycle >= c->twins->end) c->twins = NULL;
    c->watched += c->twins != NULL;
    block_twins_cycle(c->twins, CHANNEL_BLOCK_DRAM, cycle);
}

void dram_channel_pass(struct dram_channel *c, uint64_t end) {
    const uint64_t idle = end < c->next ? end : c->next;
    for (; c->twins && c->now < idle; ++c->now) {
        evaluate(c, c->now);
        dram_scheduler_clock(&c->scheduler);
    }
}

_Static_assert(RECORD_COMMAND_ACTIVATE == (unsigned)DRAM_ACTIVATE &&
                   RECORD_COMMAND_PRECHARGE == (unsigned)DRAM_PRECHARGE &&
                   RECORD_COMMAND_READ == (unsigned)DRAM_READ && RECORD_COMMAND_WRITE == (unsigned)DRAM_WRITE,
               "commands of recordings are those of the scheduler");

/* Does the edge of a cycle and records its command, in the cycle of the clusters in which it begins. */
static __attribute__((noinline)) void clock_and_record(struct dram_channel *c, uint64_t cycle) {
    struct dram_scheduler *s = &c->scheduler;
    const struct dram_scheduler_out out = s->out;
    const uint64_t t = clock_crossing_ended(c->to_cluster, cycle);
    const uint32_t before = s->bank_open[out.bank];
    dram_scheduler_clock(s);
    if (out.command != DRAM_NONE && recorder_wants_access(c->recorder, t))
        recorder_command(c->recorder, t, c->number, (enum record_command)out.command, out.bank,
                         out.command == DRAM_PRECHARGE ? before : s->bank_open[out.bank]);
}

void dram_channel_step(struct dram_channel *c) {
    struct dram_scheduler *s = &c->scheduler;
    const uint64_t cycle = c->next;
    dram_channel_pass(c, cycle);
    dram_scheduler_skip(s, cycle - c->now);
    if (c->way_count && c->way[c->way_first].cycle <= cycle && s->q.count < s->cfg.queue) {
        offer(c, &c->way[c->way_first]);
        c->way_first = (c->way_first + 1) & c->way_mask;
        --c->way_count;
    }
    evaluate(c, cycle);
    count(c, &s->out);
    answer(c, cycle);
    if (!c->busy) c->busy_since = cycle;
    if (__builtin_expect(c->recorder != NULL, 0))
        clock_and_record(c, cycle);
    else
        dram_scheduler_clock(s);
    c->now = cycle + 1;
    c->busy = s->q.busy || s->q.count;
    if (!c->busy) c->busy_cycles += c->now - c->busy_since;
    set_next(c);
}

void dram_channel_take(struct dram_channel *c) {
    c->answer_first = (c->answer_first + 1) & c->answer_mask;
    --c->answer_count;
}
