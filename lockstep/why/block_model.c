#include "lockstep/why/block_model.h"

#include "tb/ports/verilog_module.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- signals --- */

static const struct twin_block *description(const struct block_model *m, unsigned block) {
    return &twin_block[m->history->sizes.block[block]];
}

static const char *const part[BLOCK_COUNT] = {"warp_scheduler",          "warp_pc_arbiter",
                                              "subwarp_dispatcher",      "barrier_table",
                                              "thread_descriptor_table", "simt_coprocessor"};

bool block_model_has(const char *name) {
    for (unsigned b = 0; b < BLOCK_COUNT; ++b) {
        const size_t length = strlen(part[b]);
        if (strncmp(name, part[b], length) == 0 && name[length] == '.') return true;
    }
    return false;
}

const char *block_model_name(const struct block_model *m, unsigned block) {
    return m->lone ? m->lone->name : part[block];
}

size_t block_model_find(const struct block_model *m, uint64_t cycle) {
    size_t first = 0, end = block_model_cycles(m);
    while (first < end) {
        const size_t middle = first + (end - first) / 2;
        if (block_model_cycle(m, middle) < cycle)
            first = middle + 1;
        else
            end = middle;
    }
    return first < block_model_cycles(m) && block_model_cycle(m, first) == cycle ? first
                                                                                 : block_model_cycles(m);
}

/* Returns the struct with the signals of a kind. */
static char *base_of(struct block_model *m, unsigned block, enum verilog_kind kind) {
    static const struct {
        size_t in, out, q;
    } place[BLOCK_COUNT] = {
#define PLACE(member)                                                                                        \
    offsetof(struct block_model, models.member.in), offsetof(struct block_model, models.member.out)
        [BLOCK_SCHEDULER] = {PLACE(scheduler), offsetof(struct block_model, models.scheduler.q)},
        [BLOCK_ARBITER] = {PLACE(arbiter), 0},
        [BLOCK_DISPATCHER] = {PLACE(dispatcher), offsetof(struct block_model, models.dispatcher.q)},
        [BLOCK_BARRIERS] = {PLACE(barriers), offsetof(struct block_model, models.barriers.q)},
        [BLOCK_DESCRIPTORS] = {PLACE(descriptors), offsetof(struct block_model, models.descriptors.q)},
        [BLOCK_WHOLE] = {PLACE(whole), offsetof(struct block_model, models.whole.q)},
#undef PLACE
    };
    char *model = (char *)m;
    switch (kind) {
    case VERILOG_INPUT: return model + place[block].in;
    case VERILOG_OUTPUT: return model + place[block].out;
    case VERILOG_STATE: return model + place[block].q;
    default: return (char *)m->models.room.warp;
    }
}

static const struct verilog_signal *find_port(const struct verilog_module *v, const struct twin_signal *s) {
    for (unsigned n = 0; n < v->count; ++n)
        if (v->signal[n].kind == s->kind && strcmp(v->signal[n].name, s->name) == 0) return &v->signal[n];
    return NULL;
}

/* Adds the signals that both the Verilog and the model have. */
static void add_signals(struct block_model *m, unsigned block, const struct verilog_module *v) {
    const struct twin_block *b = description(m, block);
    m->signal = reallocarray(m->signal, m->signals + b->count, sizeof *m->signal);
    require_memory(m->signal);
    for (unsigned n = 0; n < b->count; ++n) {
        const struct twin_signal *s = &b->signal[n];
        const struct verilog_signal *port = find_port(v, s);
        if (!port || !port->bits) continue;
        const unsigned bits = s->array ? port->element_bits : port->bits;
        m->signal[m->signals++] = (struct block_signal){.block = block,
                                                        .name = s->name,
                                                        .kind = s->kind,
                                                        .rows = port->rows,
                                                        .stride = sizeof(struct warp_descriptors),
                                                        .elements = s->array ? port->bits / bits : 1,
                                                        .bits = bits,
                                                        .bytes = s->bytes,
                                                        .array = s->array,
                                                        .at = base_of(m, block, s->kind) + s->offset};
    }
}

static bool read_signals(struct block_model *m, const char *folder, struct error *e) {
    const struct block_sizes *s = &m->history->sizes;
    struct verilog_setting setting[VERILOG_MAX_PARAMETERS];
    for (unsigned n = 0; n < s->settings; ++n)
        setting[n] = (struct verilog_setting){s->setting[n].name, s->setting[n].value};
    for (unsigned b = 0; b < BLOCK_COUNT; ++b) {
        const char *module = description(m, b)->module;
        char path[PATH_MAX];
        struct verilog_source source = {0};
        struct verilog_module v = {0};
        snprintf(path, sizeof path, "%s/%s.sv", folder, module);
        const bool good = verilog_source_one(&source, path, module, e) &&
                          verilog_module_read(&v, &source, setting, s->settings, e);
        if (good) add_signals(m, b, &v);
        verilog_module_free(&v);
        verilog_source_free(&source);
        if (!good) return false;
    }
    return true;
}

/* --- life --- */

bool block_model_open(struct block_model *m, const struct block_history *h, const char *folder,
                      struct error *e) {
    const struct block_sizes *s = &h->sizes;
    *m = (struct block_model){.history = h};
    coprocessor_models_init(&m->models,
                            &(struct coprocessor_sizes){.warps = s->warps,
                                                        .warp_size = s->warp_size,
                                                        .lanes = s->lanes,
                                                        .levels = s->levels,
                                                        .active_warps = s->active_warps,
                                                        .queue_entries = s->queue_entries,
                                                        .collectors = s->collectors,
                                                        .scheduler = scheduler_policies[s->scheduler],
                                                        .pc_policy = s->pc_policy,
                                                        .cyclic = s->cyclic});
    return read_signals(m, folder, e);
}

void block_model_open_lone(struct block_model *m, struct lone_block *l) {
    *m = (struct block_model){.lone = l, .signals = l->twin.ports};
    m->signal = calloc(m->signals, sizeof *m->signal);
    require_memory(m->signal);
    for (unsigned n = 0; n < m->signals; ++n) {
        const struct twin_port *p = &l->twin.port[n];
        m->signal[n] = (struct block_signal){.name = p->signal->name,
                                             .kind = p->signal->kind,
                                             .rows = 1,
                                             .elements = p->elements,
                                             .bits = p->element_bits,
                                             .bytes = p->bytes,
                                             .at = l->value + l->at[n]};
    }
}

void block_model_free(struct block_model *m) {
    free(m->signal);
    m->signal = NULL;
    m->signals = 0;
}

/* --- values --- */

static char *element_of(const struct block_model *m, const struct block_bits *b) {
    const struct block_signal *s = &m->signal[b->signal];
    char *at = s->at + b->row * s->stride;
    if (s->array && s->kind != VERILOG_MEMORY) at = *(char **)(void *)at;
    return at + (size_t)b->element * s->bytes;
}

twin_value block_model_get(const struct block_model *m, const struct block_bits *b) {
    twin_value v = 0;
    memcpy(&v, element_of(m, b), m->signal[b->signal].bytes);
    v >>= b->first;
    return b->count < 128 ? v & (((twin_value)1 << b->count) - 1) : v;
}

static void invert(const struct block_model *m, const struct block_bits *b) {
    char *at = element_of(m, b) + b->first / 8;
    *at = (char)(*at ^ 1 << b->first % 8);
}

/* --- a cycle --- */

/* Sets the outputs of the table that depend on its rows and flip-flops. */
static void show_rows(struct block_model *m) {
    struct thread_descriptor_table *t = &m->models.descriptors;
    const struct thread_descriptor_table_in in = t->in;
    t->d = t->q;
    t->written = ~(block_rows)0;
    thread_descriptor_table_edge(t);
    t->in = in;
}

/* Copies the descriptors of a warp, but for pointers, which are those of the models. */
static void load_row(struct warp_descriptors *to, const struct warp_descriptors *from) {
    const size_t first = offsetof(struct warp_descriptors, barrier_pc),
                 end = offsetof(struct warp_descriptors, priority);
    memcpy(to, from, first);
    memcpy((char *)to + end, (const char *)from + end, sizeof *to - end);
}

static void load(struct block_model *m, size_t n) {
    const struct block_history *h = m->history;
    const struct block_cycle *c = &h->cycle[n];
    const unsigned warps = h->sizes.warps;
    for (unsigned k = 0; k < warps; ++k)
        load_row(&m->models.room.warp[k], &h->row[h->version[n * warps + k]]);
    memcpy(m->execute_target, c->execute_target, sizeof m->execute_target);
    m->models.whole.in = c->in;
    m->models.whole.in.start_context = m->models.descriptors.start_context;
    m->models.whole.in.start_pc = m->models.descriptors.start_pc;
    m->models.whole.in.execute_target = m->execute_target;
    m->models.whole.q = c->q;
    m->models.whole.now = c->words;
    m->models.whole.q.queue = m->models.whole.now.queue;
    m->models.whole.q.waiting = m->models.whole.now.waiting;
    m->models.scheduler.q = c->scheduler;
    m->models.dispatcher.q = c->dispatcher;
    m->models.barriers.q = c->barriers;
    m->models.barriers.now = c->groups;
    m->models.barriers.q.live = m->models.barriers.now.live;
    m->models.barriers.q.waiting = m->models.barriers.now.waiting;
    m->models.barriers.q.pc = m->models.barriers.now.pc;
    m->models.descriptors.q = c->descriptors;
}

struct run {
    struct block_model *m;
    size_t n;
    unsigned block, count;
    enum block_step last;
    const struct block_bits *inverted;
    bool possible;
};

/* Returns whether a bit is inverted before a block is evaluated alone. */
static bool is_of_block(const struct run *r, const struct block_bits *b) {
    return r->last != BLOCK_EVALUATE && r->block != BLOCK_WHOLE && r->m->signal[b->signal].block == r->block;
}

static void invert_bits(const struct run *r, bool of_block) {
    for (unsigned k = 0; k < r->count; ++k)
        if (is_of_block(r, &r->inverted[k]) == of_block) invert(r->m, &r->inverted[k]);
}

static void evaluate(struct block_model *m, unsigned block) {
    switch (block) {
    case BLOCK_SCHEDULER: warp_scheduler_eval(&m->models.scheduler); return;
    case BLOCK_ARBITER: warp_pc_arbiter_eval(&m->models.arbiter); return;
    case BLOCK_DISPATCHER: subwarp_dispatcher_eval(&m->models.dispatcher); return;
    case BLOCK_BARRIERS: barrier_table_eval(&m->models.barriers); return;
    case BLOCK_DESCRIPTORS:
        show_rows(m);
        thread_descriptor_table_eval(&m->models.descriptors);
        return;
    default: return;
    }
}

static void clock_block(struct block_model *m, unsigned block) {
    switch (block) {
    case BLOCK_SCHEDULER: warp_scheduler_clock(&m->models.scheduler); return;
    case BLOCK_ARBITER: return;
    case BLOCK_DISPATCHER: subwarp_dispatcher_clock(&m->models.dispatcher); return;
    case BLOCK_BARRIERS: barrier_table_clock(&m->models.barriers); return;
    case BLOCK_DESCRIPTORS: thread_descriptor_table_clock(&m->models.descriptors); return;
    default: simt_coprocessor_clock(&m->models.whole);
    }
}

/* The queues are arrays of their largest size. */
static bool fits(const struct block_model *m) {
    return m->models.whole.q.queue_count <= m->models.whole.cfg.queue_entries &&
           m->models.whole.q.waiting_count <= m->models.whole.cfg.collectors;
}

static void run(void *context) {
    struct run *r = context;
    struct block_model *m = r->m;
    load(m, r->n);
    invert_bits(r, false);
    if (!fits(m)) return;
    show_rows(m);
    simt_coprocessor_eval(&m->models.whole);
    if (r->last != BLOCK_EVALUATE) {
        invert_bits(r, true);
        evaluate(m, r->block);
        if (m->models.descriptors.out.illegal) return;
        if (r->last == BLOCK_EDGE) clock_block(m, r->block);
    }
    r->possible = true;
}

static bool run_lone(struct block_model *m, size_t n, bool edge, const struct block_bits *inverted,
                     unsigned count) {
    lone_block_load(m->lone, n);
    for (unsigned k = 0; k < count; ++k) invert(m, &inverted[k]);
    return lone_block_evaluate(m->lone, edge);
}

bool block_model_run(struct block_model *m, size_t n, unsigned block, enum block_step last,
                     const struct block_bits *inverted, unsigned count) {
    if (m->lone) return run_lone(m, n, last == BLOCK_EDGE, inverted, count);
    struct run r = {m, n, block, count, last, inverted, false};
    struct error ignored = {0};
    return error_guard(&ignored, run, &r) && r.possible;
}
