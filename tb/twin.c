#include "tb/twin.h"

#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

/* --- values of either side ---------------------------------------------------------------------------------
 */

static inline uint64_t load(const void *p, unsigned bytes) {
    switch (bytes) {
    case 1: return *(const uint8_t *)p;
    case 2: return *(const uint16_t *)p;
    case 4: return *(const uint32_t *)p;
    default: return *(const uint64_t *)p;
    }
}

static inline void store(void *p, unsigned bytes, uint64_t value) {
    switch (bytes) {
    case 1: *(uint8_t *)p = (uint8_t)value; return;
    case 2: *(uint16_t *)p = (uint16_t)value; return;
    case 4: *(uint32_t *)p = (uint32_t)value; return;
    default: *(uint64_t *)p = value; return;
    }
}

/* Bytes of the C type that Verilator gives so many bits, at most 64. */
static uint8_t storage(unsigned bits) {
    return bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8;
}

/* An array's elements, each in 64 bits. */
static void widen(uint64_t *restrict to, const void *from, unsigned bytes, unsigned count) {
    const uint8_t *restrict narrow = from;
    const uint32_t *restrict words = from;
    switch (bytes) {
    case 1:
        for (unsigned n = 0; n < count; ++n) to[n] = narrow[n];
        return;
    case 4:
        for (unsigned n = 0; n < count; ++n) to[n] = words[n];
        return;
    default: memcpy(to, from, count * sizeof *to); return;
    }
}

/* Elements side by side, from bit 0. */
static void pack(uint32_t *words, const struct twin_port *p, const uint64_t *element) {
    if (p->element_bits == 32) {
        for (unsigned n = 0; n < p->elements; ++n) words[n] = (uint32_t)element[n];
        return;
    }
    memset(words, 0, (p->bits + 31) / 32 * 4);
    for (unsigned n = 0; n < p->elements; ++n) {
        const unsigned at = n * p->element_bits, shift = at % 32;
        const unsigned __int128 value = (unsigned __int128)element[n] << shift;
        for (unsigned w = 0; 32 * w < p->element_bits + shift; ++w)
            words[at / 32 + w] |= (uint32_t)(value >> (32 * w));
    }
}

static void set_array(const struct twin_port *p, const void *elements, uint64_t *kept) {
    uint32_t words[2] = {0};
    widen(kept, elements, p->bytes, p->elements);
    if (p->bits > 64 && p->element_bits == 8u * p->bytes) {
        memcpy(p->verilog, elements, p->bits / 8);
        return;
    }
    if (p->bits > 64) {
        pack(p->verilog, p, kept);
        return;
    }
    pack(words, p, kept);
    store(p->verilog, p->storage, (uint64_t)words[1] << 32 | words[0]);
}

static void set_input(const struct twin_port *p, const void *in, uint64_t *kept) {
    const char *model = (const char *)in + p->offset;
    if (p->array) {
        set_array(p, *(const void *const *)(const void *)model, kept);
        return;
    }
    *kept = load(model, p->bytes);
    store(p->verilog, p->storage, *kept);
}

/* Elements as they are side by side in words. */
static void unpack(const uint32_t *words, const struct twin_port *p, uint64_t *element) {
    if (p->element_bits % 32 == 0) {
        widen(element, words, p->element_bits / 8, p->elements);
        return;
    }
    const uint64_t mask = ~0ull >> (64 - p->element_bits);
    for (unsigned n = 0; n < p->elements; ++n) {
        const unsigned at = n * p->element_bits, shift = at % 32;
        unsigned __int128 value = words[at / 32];
        for (unsigned w = 1; 32 * w < p->element_bits + shift; ++w)
            value |= (unsigned __int128)words[at / 32 + w] << (32 * w);
        element[n] = (uint64_t)(value >> shift) & mask;
    }
}

static void get_array(const struct twin_port *p, const void *elements, uint64_t *ours, uint64_t *theirs) {
    widen(ours, elements, p->bytes, p->elements);
    if (p->bits > 64) {
        unpack(p->verilog, p, theirs);
        return;
    }
    const uint64_t all = load(p->verilog, p->storage);
    unpack((uint32_t[]){(uint32_t)all, (uint32_t)(all >> 32)}, p, theirs);
}

/* --- a cycle -----------------------------------------------------------------------------------------------
 */

unsigned twin_different_element(const struct twin_record *r, const struct twin_port *p) {
    unsigned n = 0;
    while (n < p->elements && r->model[p->slot + n] == r->verilog[p->slot + n]) ++n;
    return n;
}

static bool compare_array(const struct twin_record *r, const struct twin_port *p, const void *model) {
    uint64_t *ours = &r->model[p->slot], *theirs = &r->verilog[p->slot];
    get_array(p, *(const void *const *)model, ours, theirs);
    return memcmp(ours, theirs, p->elements * sizeof *ours) == 0;
}

static const struct twin_port *compare(struct twin *t, const struct twin_record *r, const void *out,
                                       const void *q) {
    const struct twin_port *first = NULL;
    for (unsigned i = t->inputs; i < t->ports; ++i) {
        const struct twin_port *p = &t->port[i];
        const char *model = (const char *)(p->output ? out : q) + p->offset;
        if (p->array) {
            if (!compare_array(r, p, model) && i < t->compared && !first) first = p;
            continue;
        }
        const uint64_t ours = load(model, p->bytes);
        const uint64_t theirs = load(p->verilog, p->storage);
        r->model[p->slot] = ours;
        r->verilog[p->slot] = theirs;
        if (ours != theirs && i < t->compared && !first) first = p;
    }
    return first;
}

static void drive_outputs(const struct twin *t, const struct twin_record *r, void *out) {
    for (unsigned i = t->inputs; i < t->ports; ++i) {
        const struct twin_port *p = &t->port[i];
        if (p->output) store((char *)out + p->offset, p->bytes, r->verilog[p->slot]);
    }
}

/* The Verilog's outputs are the model's, unless it runs freely. */
static const struct contract_rule *check_contract(struct twin *t, const struct twin_record *r, const void *in,
                                                  const void *out) {
    uint64_t verilog[CONTRACT_MAX_BYTES / sizeof(uint64_t)];
    if (t->compared == t->ports) return t->contract->check(&t->state, in, out);
    drive_outputs(t, r, verilog);
    return t->contract->check(&t->state, in, verilog);
}

const struct twin_port *twin_cycle(struct twin *t, uint64_t cycle, const void *in, void *out, const void *q,
                                   bool drive) {
    struct twin_record *r = &t->record[t->comparisons++ % TWIN_HISTORY];
    r->cycle = cycle;
    if (t->clock) *t->clock = 0;
    for (unsigned i = 0; i < t->inputs; ++i) set_input(&t->port[i], in, &r->model[t->port[i].slot]);
    t->library.eval(t->instance);
    const struct twin_port *different = compare(t, r, out, q);
    t->broken = different || !t->contract ? NULL : check_contract(t, r, in, out);
    if (different || t->broken)
        ++t->mismatches;
    else if (drive && t->compared == t->inputs) /* else they are equal */
        drive_outputs(t, r, out);
    if (t->clock) {
        *t->clock = 1;
        t->library.eval(t->instance);
    }
    return different;
}

const struct twin_record *twin_history(const struct twin *t, unsigned age) {
    if (age >= TWIN_HISTORY || age >= t->comparisons) return NULL;
    return &t->record[(t->comparisons - 1 - age) % TWIN_HISTORY];
}

static void step(struct twin *t, uint8_t clock, uint8_t reset) {
    if (t->clock) *t->clock = clock;
    *t->reset = reset;
    t->library.eval(t->instance);
}

/* Serves synchronous and asynchronous resets alike: the reset falls, and there is an edge while it is low. */
void twin_reset(struct twin *t) {
    t->state = (struct contract_state){0};
    if (!t->reset) return;
    step(t, 0, 1);
    step(t, 0, 0);
    step(t, 1, 0);
    step(t, 0, 0);
    step(t, 0, 1);
}

/* --- building ----------------------------------------------------------------------------------------------
 */

/* Inputs first; every element has a slot. */
static unsigned place_ports(struct twin *t) {
    unsigned slots = 0;
    for (enum verilog_kind kind = VERILOG_INPUT; kind <= VERILOG_STATE; ++kind) {
        for (unsigned i = 0; i < t->block->count; ++i) {
            if (t->block->signal[i].kind != kind || !t->library.signal(t->instance, i)) continue;
            struct twin_port *p = &t->port[t->ports++];
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
            p->slot = slots;
            slots += p->elements;
            t->inputs += kind == VERILOG_INPUT;
            ++t->compared;
        }
    }
    return slots;
}

/* Small, so that they stay in the cache: of the Verilog no inputs are kept. */
static void place_records(struct twin *t, unsigned slots) {
    const unsigned inputs = t->inputs < t->ports ? t->port[t->inputs].slot : slots;
    const unsigned size = 2 * slots - inputs;
    t->values = calloc((size_t)TWIN_HISTORY * size, sizeof *t->values);
    invariant(t->values, "out of memory");
    for (unsigned n = 0; n < TWIN_HISTORY; ++n) {
        t->record[n].model = t->values + (size_t)n * size;
        t->record[n].verilog = t->record[n].model + slots - inputs;
    }
}

bool twin_open(struct twin *t, const struct verilated_request *r, int seed, struct error *e) {
    *t = (struct twin){.block = r->block};
    if (!verilated_library_open(&t->library, r, e)) return false;
    t->instance = t->library.create(seed);
    t->clock = t->library.clock ? t->library.clock(t->instance) : NULL;
    t->reset = t->library.reset ? t->library.reset(t->instance) : NULL;
    place_records(t, place_ports(t));
    twin_reset(t);
    return true;
}

bool twin_init(struct twin *t, const struct twin_block *block, const char *file,
               const struct verilog_setting *settings, unsigned count, struct error *e) {
    struct verilog_source source;
    const struct verilated_request r = {block, &source, NULL, settings, count};
    const bool good = verilog_source_one(&source, file, block->module, e) && twin_open(t, &r, 1, e);
    verilog_source_free(&source);
    return good;
}

void twin_hold(struct twin *t, bool freely) {
    const struct contract *c = &contract[t->block->slot];
    if (c->count) t->contract = c;
    if (!freely) return;
    while (t->compared > t->inputs && (c->count || !t->port[t->compared - 1].output)) --t->compared;
}

void twin_free(struct twin *t) {
    if (t->instance) t->library.destroy(t->instance);
    verilated_library_close(&t->library);
    free(t->values);
}
