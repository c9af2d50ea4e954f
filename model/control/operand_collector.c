#include "model/control/operand_collector.h"

#include "model/config/arm_classes.h"
#include "sim/error.h"

void operand_collector_init(struct operand_collector *o, const struct operand_collector_config *config) {
    invariant(config->collectors && config->read_ports && config->read_latency && config->vtpo_lines,
              "%u operand collectors, %u read ports, latency %u, %u lines", config->collectors,
              config->read_ports, config->read_latency, config->vtpo_lines);
    *o = (struct operand_collector){.cfg = *config};
}

static unsigned lines_of(uint64_t sources, uint64_t scalars, unsigned vtpo_lines) {
    return arm_rows_of(sources & ~scalars) * vtpo_lines + (unsigned)__builtin_popcountll(sources & scalars);
}

static unsigned lines_of_first(uint64_t sources, uint64_t scalars, unsigned vtpo_lines) {
    return lines_of(sources & -sources, scalars, vtpo_lines);
}

uint64_t operand_collector_batch(uint64_t sources, uint64_t scalars, unsigned vtpo_lines, unsigned first,
                                 unsigned count) {
    uint64_t batch = 0;
    for (unsigned line = 0; sources && line < first + count; sources &= sources - 1) {
        line += lines_of_first(sources, scalars, vtpo_lines);
        if (line > first) batch |= sources & -sources;
    }
    return batch;
}

/* Ends the current batch: `lines` lines of the sources have been read in all. */
static void end_batch(struct operand_collector *o, unsigned lines) {
    struct operand_collector_state *d = &o->d;
    unsigned first;
    while (d->sources && lines >= (first = lines_of_first(d->sources, d->scalars, o->cfg.vtpo_lines))) {
        lines -= first;
        d->sources &= d->sources - 1;
    }
    d->line = lines;
    d->phase = 0;
}

/* Advances the instruction that is being collected by one cycle; d still equals q. */
static void collect(struct operand_collector *o) {
    struct operand_collector_state *d = &o->d;
    const unsigned lines = lines_of(d->sources, d->scalars, o->cfg.vtpo_lines) - d->line;
    const unsigned wanted = lines < o->cfg.read_ports ? lines : o->cfg.read_ports;
    o->out.warp = d->warp;
    o->out.stall = o->in.taken + wanted > o->cfg.read_ports;
    if (o->out.stall) return;
    o->out.objects = operand_collector_batch(d->sources, d->scalars, o->cfg.vtpo_lines, d->line, wanted);
    o->out.reads = wanted;
    ++d->phase;
    if (wanted && d->phase < o->cfg.read_latency) return;
    end_batch(o, d->line + wanted);
    o->out.done = !d->sources;
}

void operand_collector_eval(struct operand_collector *o) {
    const struct operand_collector_in *in = &o->in;
    const uint32_t waiting = o->q.waiting - in->take;
    o->out = (struct operand_collector_out){0};
    o->out.start = in->valid && !o->q.busy && waiting + in->hold < o->cfg.collectors;
    o->d = o->q;
    if (o->out.start)
        o->d = (struct operand_collector_state){
            .busy = true, .warp = in->warp, .sources = in->sources, .scalars = in->scalars};
    if (o->d.busy) collect(o);
    if (o->out.done) o->d = (struct operand_collector_state){0};
    o->d.waiting = waiting + o->out.done;
}

void operand_collector_clock(struct operand_collector *o) {
    o->q = o->d;
}
