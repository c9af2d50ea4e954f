#include "tb/twins/twin.h"

#include "sim/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- values of both sides --- */

/* Values of recorded states lie side by side, without alignment. The lowest bytes of a value are its first
 * ones. */
static inline twin_value load(const void *p, unsigned bytes) {
    twin_value value = 0;
    switch (bytes) {
    case 1: memcpy(&value, p, 1); break;
    case 2: memcpy(&value, p, 2); break;
    case 4: memcpy(&value, p, 4); break;
    case 8: memcpy(&value, p, 8); break;
    default: memcpy(&value, p, sizeof value);
    }
    return value;
}

static inline void store(void *p, unsigned bytes, twin_value value) {
    switch (bytes) {
    case 1: memcpy(p, &value, 1); return;
    case 2: memcpy(p, &value, 2); return;
    case 4: memcpy(p, &value, 4); return;
    case 8: memcpy(p, &value, 8); return;
    default: memcpy(p, &value, sizeof value); return;
    }
}

/* Returns the size in bytes of the C type that Verilator uses for `bits` bits, at most 64. */
static uint8_t storage(unsigned bits) {
    return bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8;
}

/* Returns the Verilog's value of a signal that is no array. Values of more than 64 bits are in words. */
static twin_value verilog_value(const struct twin_port *p) {
    twin_value value = 0;
    if (p->bits <= 64) return load(p->verilog, p->storage);
    memcpy(&value, p->verilog, (p->bits + 31) / 32 * sizeof(uint32_t));
    return value;
}

/* Converts the elements of an array. */
static void widen(twin_value *restrict to, const void *from, unsigned bytes, unsigned count) {
    const uint8_t *restrict narrow = from;
    const uint32_t *restrict words = from;
    const uint64_t *restrict wide = from;
    switch (bytes) {
    case 1:
        for (unsigned n = 0; n < count; ++n) to[n] = narrow[n];
        return;
    case 4:
        for (unsigned n = 0; n < count; ++n) to[n] = words[n];
        return;
    case 8:
        for (unsigned n = 0; n < count; ++n) to[n] = wide[n];
        return;
    default: memcpy(to, from, count * sizeof *to); return;
    }
}

/* Converts elements that are packed in words. */
static void unpack_words(const uint32_t *words, const struct twin_port *p, twin_value *element) {
    if (p->element_bits == 32) {
        widen(element, words, sizeof *words, p->elements);
        return;
    }
    const twin_value mask = ~(twin_value)0 >> (128 - p->element_bits);
    for (unsigned n = 0; n < p->elements; ++n) {
        twin_value value = 0;
        for (unsigned have = 0; have < p->element_bits;) {
            const unsigned at = n * p->element_bits + have;
            value |= (twin_value)(words[at / 32] >> at % 32) << have;
            have += 32 - at % 32;
        }
        element[n] = value & mask;
    }
}

static void unpack(const void *verilog, const struct twin_port *p, twin_value *element) {
    if (p->bits > 64) {
        unpack_words(verilog, p, element);
        return;
    }
    const uint64_t all = (uint64_t)load(verilog, p->storage);
    unpack_words((uint32_t[]){(uint32_t)all, (uint32_t)(all >> 32)}, p, element);
}

static void elements_of(const void *model, const struct twin_port *p, twin_value *element) {
    widen(element, model, p->bytes, p->elements);
}

/* --- a cycle --- */

unsigned twin_different_element(const struct twin_record *r, const struct twin_port *p) {
    unsigned n = 0;
    while (n < p->elements && r->model[p->slot + n] == r->verilog[p->slot + n]) ++n;
    return n;
}

struct twin_difference twin_difference(const struct twin *t, const struct twin_port *p) {
    if (p->signal->kind == VERILOG_MEMORY) return t->in_memory;
    const struct twin_record *r = twin_history(t, 0);
    const unsigned n = twin_different_element(r, p);
    return (struct twin_difference){0, n, r->model[p->slot + n], r->verilog[p->slot + n]};
}

void twin_name(const struct twin_port *p, struct twin_difference d, char name[TWIN_MAX_NAME]) {
    char row[16] = "", element[16] = "";
    if (p->signal->kind == VERILOG_MEMORY) snprintf(row, sizeof row, "[%u]", d.row);
    if (p->elements > 1) snprintf(element, sizeof element, "[%u]", d.element);
    snprintf(name, TWIN_MAX_NAME, "%s%s%s%s", p->signal->name, twin_suffix[p->signal->kind], row, element);
}

static void widen_model(const struct twin *t, const struct twin_record *r) {
    for (unsigned i = 0; i < t->ports; ++i) {
        const struct twin_port *p = &t->port[i];
        if (p->array)
            elements_of(r->kept + p->kept, p, &r->model[p->slot]);
        else
            r->model[p->slot] = load(r->kept + p->kept, p->bytes);
    }
}

void twin_read(const struct twin *t, twin_value *values) {
    if (t->library.finish) t->library.finish(t->instance);
    for (unsigned i = t->inputs; i < t->ports; ++i) {
        const struct twin_port *p = &t->port[i];
        if (p->array)
            unpack(p->verilog, p, &values[p->slot]);
        else
            values[p->slot] = verilog_value(p);
    }
}

/* Sets the pointers of arrays to the copies in the record. */
const void *twin_inputs(const struct twin *t, unsigned age) {
    const struct twin_record *r = twin_history(t, age);
    for (unsigned i = 0; i < t->inputs; ++i) {
        const char *elements = r->kept + t->port[i].kept;
        if (t->port[i].array) memcpy(r->kept + t->port[i].offset, &elements, sizeof elements);
    }
    return r->kept;
}

/* Returns the first compared port that differs. */
static const struct twin_port *different(const struct twin *t, const struct twin_record *r) {
    for (unsigned i = t->inputs; i < t->compared; ++i)
        if (twin_different_element(r, &t->port[i]) < t->port[i].elements) return &t->port[i];
    return NULL;
}

static void drive_outputs(const struct twin *t, const struct twin_record *r, void *out) {
    for (unsigned i = t->inputs; i < t->ports; ++i) {
        const struct twin_port *p = &t->port[i];
        if (p->output && !p->array) store((char *)out + p->offset, p->bytes, r->verilog[p->slot]);
    }
}

/* Writes arrays of outputs through the pointers of the model. */
static void drive_arrays(const struct twin *t, const struct twin_record *r, const void *out) {
    for (unsigned i = t->inputs; i < t->ports; ++i) {
        const struct twin_port *p = &t->port[i];
        char *elements;
        if (!p->output || !p->array) continue;
        memcpy(&elements, (const char *)out + p->offset, sizeof elements);
        for (unsigned n = 0; n < p->elements; ++n)
            store(elements + (size_t)n * p->bytes, p->bytes, r->verilog[p->slot + n]);
    }
}

/* Lets the outputs point to their arrays, which are put into `room`. */
static void give_arrays(const struct twin *t, const struct twin_record *r, void *out, char *room) {
    const char *end = room + CONTRACT_MAX_BYTES;
    for (unsigned i = t->inputs; i < t->ports; ++i) {
        const struct twin_port *p = &t->port[i];
        if (!p->output || !p->array) continue;
        invariant((size_t)p->elements * p->bytes <= (size_t)(end - room), "%s has no room", p->signal->name);
        memcpy((char *)out + p->offset, &room, sizeof room);
        for (unsigned n = 0; n < p->elements; ++n, room += p->bytes)
            store(room, p->bytes, r->verilog[p->slot + n]);
    }
}

/* Checks the contract on the Verilog's outputs. They differ from the model's if the Verilog runs freely, or
 * drives in spite of a difference. */
static const struct contract_rule *check_contract(struct twin *t, const struct twin_record *r, const void *in,
                                                  const void *out) {
    twin_value verilog[CONTRACT_MAX_BYTES / sizeof(twin_value)];
    twin_value room[CONTRACT_MAX_BYTES / sizeof(twin_value)];
    if (r->equal) return t->contract->check(&t->state, in, out);
    drive_outputs(t, r, verilog);
    give_arrays(t, r, verilog, (char *)room);
    return t->contract->check(&t->state, in, verilog);
}

/* Returns whether the flip-flops are unchanged, given unchanged inputs. */
bool twin_settles(struct twin *t, const void *in, const void *out, const void *q) {
    t->settled = !(t->memories && t->written) && t->library.equal(t->instance, out, q);
    if (!t->settled) return false;
    if (t->contract) twin_judge(t, in, out);
    return true;
}

void twin_settle(struct twin *t, const void *in) {
    if (!t->stopped) t->stopped = t->library.settle(t->instance, in);
}

const struct twin_port *twin_cycle(struct twin *t, uint64_t cycle, const void *in, void *out, const void *q,
                                   bool drive) {
    if (twin_steps(t, cycle, in, out, q)) return NULL;
    if (t->library.state_keep && t->records >= t->insides.next) twin_insides_keep(t);
    struct twin_record *r = &t->record[t->records++ % TWIN_HISTORY];
    const struct twin_port *first = NULL;
    ++t->comparisons;
    r->cycle = r->last = cycle;
    twin_settle(t, in);
    if (t->insides.looks) twin_insides_look(t);
    r->equal = !t->stopped && t->compared == t->ports && t->library.equal(t->instance, out, q);
    t->library.keep(r->kept, in, out, q);
    t->latest = t->pure && r->equal ? r : NULL;
    if (!r->equal) {
        widen_model(t, r);
        twin_read(t, r->verilog);
        first = t->stopped ? NULL : different(t, r);
    }
    const bool judged = t->contract && !t->stopped && (!first || drive || t->contract->rest);
    t->broken = judged ? check_contract(t, r, in, out) : NULL;
    t->mismatches += first || t->broken || t->stopped;
    if (drive && !r->equal && !t->broken && !t->stopped) {
        drive_outputs(t, r, out);
        drive_arrays(t, r, out);
    }
    if (t->library.edge && !t->stopped) t->stopped = t->library.edge(t->instance);
    return t->broken ? NULL : first;
}

void twin_outputs(const struct twin *t, void *out) {
    if (t->library.finish) t->library.finish(t->instance);
    for (unsigned i = t->inputs; i < t->ports; ++i) {
        const struct twin_port *p = &t->port[i];
        if (!p->output || p->array) continue;
        store((char *)out + p->offset, p->bytes, verilog_value(p));
    }
}

void twin_choose(void *twin, struct simt_coprocessor *s) {
    struct twin *t = twin;
    s->out = (struct simt_coprocessor_out){0};
    twin_settle(t, &s->in);
    if (t->stopped) return;
    twin_outputs(t, &s->out);
    if (contract_choice(&t->state, s, &s->out)) s->out = (struct simt_coprocessor_out){0};
}

/* --- memories --- */

#define MAX_ELEMENTS (VERILOG_MAX_ARRAY_BITS / 8) /* an element has at least one byte */

static const void *row_of(const struct twin_port *p, unsigned row) {
    return (const char *)p->verilog + (size_t)row * p->row_bytes;
}

static bool compare_row(struct twin *t, const struct twin_port *p, const void *model, unsigned row) {
    twin_value ours[MAX_ELEMENTS], theirs[MAX_ELEMENTS];
    const void *verilog = row_of(p, row);
    elements_of(model, p, ours);
    unpack(verilog, p, theirs);
    for (unsigned n = 0; n < p->elements; ++n) {
        if (ours[n] == theirs[n]) continue;
        t->in_memory = (struct twin_difference){row, n, ours[n], theirs[n]};
        return false;
    }
    return true;
}

const struct twin_port *twin_rows(struct twin *t, const void *rows, size_t stride, block_rows written) {
    const struct twin_port *first = &t->port[t->ports], *end = first + t->memories;
    block_rows compared = t->records % TWIN_WHOLE == 0 ? ~(block_rows)0 : written;
    t->written = written != 0;
    if (t->compared < t->ports) return NULL;
    if (t->rows < 128) compared &= ((block_rows)1 << t->rows) - 1;
    for (; compared; compared &= compared - 1) {
        const unsigned row = warp_set_first(compared);
        const char *model = (const char *)rows + row * stride;
        const struct twin_port *p = first;
        if (t->library.row_equal(t->instance, model, row)) continue;
        t->model_row = model;
        while (p < end && compare_row(t, p, model + p->offset, row)) ++p;
        if (p == end) continue;
        ++t->mismatches;
        return p;
    }
    return NULL;
}

const struct twin_record *twin_history(const struct twin *t, unsigned age) {
    if (age >= TWIN_HISTORY || age >= t->records) return NULL;
    const struct twin_record *r = &t->record[(t->records - 1 - age) % TWIN_HISTORY];
    if (r->equal) {
        widen_model(t, r);
        memcpy(r->verilog + t->input_slots, r->model + t->input_slots,
               (t->slots - t->input_slots) * sizeof *r->model);
    }
    return r;
}

twin_value twin_row_value(const struct twin *t, const struct twin_port *p, unsigned element, bool verilog) {
    twin_value elements[MAX_ELEMENTS];
    if (verilog)
        unpack(row_of(p, t->in_memory.row), p, elements);
    else
        elements_of(t->model_row + p->offset, p, elements);
    return elements[element];
}

/* --- values by force --- */

void twin_get(const struct twin_port *p, unsigned row, void *elements) {
    const void *verilog = row_of(p, row);
    const uint64_t all = p->bits <= 64 ? (uint64_t)load(verilog, p->storage) : 0;
    const uint32_t two[2] = {(uint32_t)all, (uint32_t)(all >> 32)}, *words = p->bits <= 64 ? two : verilog;
    for (unsigned n = 0; n < p->elements; ++n) {
        twin_value value = 0;
        for (unsigned k = 0, at = n * p->element_bits; k < p->element_bits; ++k, ++at)
            value |= (twin_value)(words[at / 32] >> at % 32 & 1) << k;
        store((char *)elements + (size_t)n * p->bytes, p->bytes, value);
    }
}

void twin_put(const struct twin_port *p, unsigned row, const void *elements) {
    char *verilog = (char *)p->verilog + (size_t)row * p->row_bytes;
    uint32_t two[2] = {0}, *words = p->bits <= 64 ? two : (uint32_t *)(void *)verilog;
    for (unsigned n = 0; n < p->elements; ++n) {
        const twin_value value = load((const char *)elements + (size_t)n * p->bytes, p->bytes);
        for (unsigned k = 0, at = n * p->element_bits; k < p->element_bits; ++k, ++at)
            words[at / 32] = (words[at / 32] & ~(1u << at % 32)) | (uint32_t)(value >> k & 1) << at % 32;
    }
    if (p->bits <= 64) store(verilog, p->storage, (uint64_t)two[1] << 32 | two[0]);
}

bool twin_force(struct twin *t, bool edge) {
    t->latest = NULL;
    t->stopped = t->library.force(t->instance);
    if (edge && !t->stopped && t->library.edge) {
        t->stopped = t->library.edge(t->instance);
        if (t->library.finish) t->library.finish(t->instance);
    }
    return !t->stopped;
}

static void step(struct twin *t, uint8_t clock, uint8_t reset) {
    if (t->clock) *t->clock = clock;
    *t->reset = reset;
    t->library.eval(t->instance);
}

/* Clears the inputs of a new instance, whose values are undefined. */
static void clear_inputs(const struct twin *t) {
    for (unsigned i = 0; i < t->inputs; ++i) {
        const struct twin_port *p = &t->port[i];
        memset(p->verilog, 0, p->bits <= 64 ? p->storage : (p->bits + 31) / 32 * sizeof(uint32_t));
    }
}

/* Serves synchronous and asynchronous resets: the reset falls, and a clock edge follows while it is low. */
void twin_reset(struct twin *t) {
    verilog_guard_note();
    t->settled = false;
    t->insides.kept = t->insides.next = 0;
    t->latest = NULL; /* a rest needs an edge since then that changed nothing */
    t->written = true;
    contract_forget(&t->state);
    if (t->library.finish) t->library.finish(t->instance);
    if (!t->reset) return;
    step(t, 0, 1);
    step(t, 0, 0);
    step(t, 1, 0);
    step(t, 0, 0);
    step(t, 0, 1);
}

/* --- building --- */

/* Assigns slots to every element of every port: inputs first, memories last. */
static void place_ports(struct twin *t) {
    unsigned slots = 0;
    for (enum verilog_kind kind = VERILOG_INPUT; kind <= VERILOG_MEMORY; ++kind) {
        for (unsigned i = 0; i < t->block->count; ++i) {
            if (t->block->signal[i].kind != kind || !t->library.signal(t->instance, i)) continue;
            struct twin_port *p = &t->port[t->ports + t->memories];
            p->signal = &t->block->signal[i];
            p->offset = p->signal->offset;
            p->bytes = (uint8_t)p->signal->bytes;
            p->array = p->signal->array;
            p->output = kind == VERILOG_OUTPUT;
            p->verilog = t->library.signal(t->instance, i);
            p->bits = t->library.bits(i);
            p->storage = storage(p->bits);
            p->element_bits = t->library.element_bits(i);
            p->elements = p->bits / p->element_bits;
            if (kind == VERILOG_MEMORY) {
                p->row_bytes = p->bits <= 64 ? p->storage : (p->bits + 31) / 32 * 4;
                t->rows = t->library.rows(i);
                ++t->memories;
                continue;
            }
            ++t->ports;
            p->slot = slots;
            slots += p->elements;
            p->kept = t->library.kept(i);
            t->inputs += kind == VERILOG_INPUT;
            ++t->compared;
        }
        if (kind == VERILOG_INPUT) t->input_slots = slots;
    }
    t->slots = slots;
    t->steps = t->library.step != NULL;
}

/* Allocates the records, which omit the Verilog's inputs. */
static void place_records(struct twin *t) {
    const size_t kept = (t->library.kept(t->block->count) + sizeof *t->values - 1) / sizeof *t->values;
    const size_t size = kept + 2 * t->slots - t->input_slots;
    t->values = calloc((size_t)TWIN_HISTORY * size, sizeof *t->values);
    require_memory(t->values);
    for (unsigned n = 0; n < TWIN_HISTORY; ++n) {
        struct twin_record *r = &t->record[n];
        r->kept = (char *)(t->values + n * kept);
        r->model = t->values + TWIN_HISTORY * kept + n * (size - kept);
        r->verilog = r->model + t->slots - t->input_slots;
    }
}

bool twin_open(struct twin *t, const struct verilated_request *r, int seed, struct error *e) {
    *t = (struct twin){.block = r->block};
    if (!verilated_library_open(&t->library, r, e)) return false;
    t->library.guard.cycles = &t->comparisons;
    t->instance = t->library.create(seed);
    t->clock = t->library.clock ? t->library.clock(t->instance) : NULL;
    t->reset = t->library.reset ? t->library.reset(t->instance) : NULL;
    place_ports(t);
    place_records(t);
    clear_inputs(t);
    twin_reset(t);
    return true;
}

bool twin_init(struct twin *t, const struct twin_block *block, const char *file,
               const struct verilog_setting *settings, unsigned count, struct error *e) {
    struct verilog_source source;
    const struct verilated_request r = {
        .block = block, .source = &source, .settings = settings, .count = count};
    const bool good = verilog_source_one(&source, file, block->module, e) && twin_open(t, &r, 1, e);
    t->pure = twin_block_is_pure(block->slot);
    verilog_source_free(&source);
    return good;
}

void twin_renew(struct twin *t, int seed, bool quiet) {
    twin_insides_forget(t);
    t->library.destroy(t->instance);
    t->instance = t->library.create(seed);
    t->library.hush(quiet);
    t->quiet = quiet;
    t->clock = t->library.clock ? t->library.clock(t->instance) : NULL;
    t->reset = t->library.reset ? t->library.reset(t->instance) : NULL;
    for (unsigned i = 0; i < t->ports + t->memories; ++i)
        t->port[i].verilog = t->library.signal(t->instance, (unsigned)(t->port[i].signal - t->block->signal));
    t->comparisons = t->mismatches = t->records = 0;
    t->latest = NULL;
    t->broken = NULL;
    t->stopped = NULL;
    clear_inputs(t);
    twin_reset(t);
}

/* Returns the number of warps of a scheduler: the width of ready_i. */
static unsigned warps_of(const struct twin *t) {
    unsigned warps = 0;
    for (unsigned n = 0; n < t->inputs; ++n)
        if (strcmp(t->port[n].signal->name, "ready") == 0) warps = t->port[n].bits;
    return warps;
}

void twin_hold(struct twin *t, bool freely) {
    const struct contract *c = &contract[t->block->slot];
    if (c->count) t->contract = c;
    if (strcmp(t->block->module, "warp_scheduler") == 0) t->state.fair = warps_of(t);
    if (!freely) return;
    const bool free_outputs = c->count && !c->rest;
    while (t->compared > t->inputs && (free_outputs || !t->port[t->compared - 1].output)) --t->compared;
    t->steps = t->steps && t->compared == t->ports;
}

void twin_free(struct twin *t) {
    twin_insides_free(t);
    if (t->instance) t->library.destroy(t->instance);
    verilated_library_close(&t->library);
    contract_forget(&t->state);
    free(t->values);
}
