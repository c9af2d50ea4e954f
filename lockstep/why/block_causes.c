#include "lockstep/why/block_causes.h"

#include "lockstep/output/report.h"
#include "recording/causes.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NAMED 6 /* causes that are printed */

/* --- causes --- */

static bool is_register(enum verilog_kind kind) {
    return kind == VERILOG_STATE || kind == VERILOG_MEMORY;
}

/* Returns whether a signal is of one block alone: the wires between blocks belong to the whole. */
static bool is_alone(const struct block_signal *s) {
    return s->block != BLOCK_WHOLE && s->kind != VERILOG_INPUT;
}

/* Returns whether a signal starts contexts, which happens outside of SIMT mode only. */
static bool starts_contexts(const struct block_signal *s) {
    return (s->block == BLOCK_WHOLE || s->block == BLOCK_DESCRIPTORS) && s->kind == VERILOG_INPUT &&
           strncmp(s->name, "start", 5) == 0;
}

/* Returns whether a signal may be a cause of another one. */
static bool may_cause(const struct block_signal *s, const struct block_signal *of) {
    if (s->kind == VERILOG_OUTPUT || starts_contexts(s)) return false;
    return is_alone(of) ? s->block == of->block : s->block == BLOCK_WHOLE || s->kind != VERILOG_INPUT;
}

bool block_causes_force(struct block_model *m, const struct block_bits *of, size_t n,
                        const struct block_bits *inverted, unsigned count) {
    const struct block_signal *s = &m->signal[of->signal];
    const bool edge = is_register(s->kind);
    return block_model_run(m, n - edge, s->block,
                           edge          ? BLOCK_EDGE
                           : is_alone(s) ? BLOCK_ALONE
                                         : BLOCK_EVALUATE,
                           inverted, count);
}

static void add(struct block_causes *c, const struct block_bits *b) {
    if (c->count + c->together == c->room) {
        c->room = c->room ? 2 * c->room : 64;
        c->cause = reallocarray(c->cause, c->room, sizeof *c->cause);
        require_memory(c->cause);
    }
    c->cause[c->count + c->together] = *b;
}

/* Returns whether inverted bits change the value. */
static bool do_change(struct block_model *m, const struct block_bits *of, size_t n, twin_value value,
                      const struct block_bits *inverted, unsigned count) {
    return block_causes_force(m, of, n, inverted, count) && block_model_get(m, of) != value;
}

/* Goes on to the next bit of the signals; false: there is none. */
static bool next_bit(const struct block_model *m, struct block_bits *b) {
    const struct block_signal *s = &m->signal[b->signal];
    if (++b->first < s->bits) return true;
    b->first = 0;
    if (++b->element < s->elements) return true;
    b->element = 0;
    if (++b->row < s->rows) return true;
    b->row = 0;
    return ++b->signal < m->signals;
}

/* Sets the models to cycle `n`, all blocks evaluated. Returns a value of that cycle. */
static twin_value value_at(struct block_model *m, const struct block_bits *b, size_t n) {
    block_model_run(m, n, BLOCK_WHOLE, BLOCK_EVALUATE, NULL, 0);
    return block_model_get(m, b);
}

/* Returns the bits that may be causes and differ between a cycle and the one before. */
static struct block_causes changed_bits(struct block_model *m, const struct block_bits *of, size_t n) {
    struct block_causes all = {0}, changed = {0};
    struct block_bits b = {.count = 1};
    block_model_run(m, n, BLOCK_WHOLE, BLOCK_EVALUATE, NULL, 0);
    do {
        if (!may_cause(&m->signal[b.signal], &m->signal[of->signal])) continue;
        b.count = 1 + (unsigned)block_model_get(m, &b); /* kept for a moment: the bit's value, plus 1 */
        add(&all, &b);
        ++all.count;
        b.count = 1;
    } while (next_bit(m, &b));
    block_model_run(m, n - 1, BLOCK_WHOLE, BLOCK_EVALUATE, NULL, 0);
    for (unsigned k = 0; k < all.count; ++k) {
        b = all.cause[k];
        b.count = 1;
        if (1 + (unsigned)block_model_get(m, &b) == all.cause[k].count) continue;
        add(&changed, &b);
        ++changed.count;
    }
    block_causes_free(&all);
    return changed;
}

/* Returns whether a bit that is a cause alone is among the changed ones. */
static bool has_changed(const struct block_causes *c, const struct block_causes *changed) {
    for (unsigned n = 0; n < c->count; ++n)
        for (unsigned k = 0; k < changed->count; ++k)
            if (memcmp(&c->cause[n], &changed->cause[k], sizeof *c->cause) == 0) return true;
    return false;
}

/* Leaves out bits without which the rest still changes the value. Returns whether there was one. */
static bool leave_out(struct block_model *m, const struct block_bits *of, size_t n, twin_value value,
                      struct block_causes *set) {
    const unsigned before = set->count;
    for (unsigned k = set->count; k-- > 0;) {
        struct block_bits *bit = &set->cause[k], kept = *bit;
        const size_t behind = (set->count - k - 1) * sizeof *bit;
        memmove(bit, bit + 1, behind);
        if (do_change(m, of, n, value, set->cause, set->count - 1)) {
            --set->count;
        } else {
            memmove(bit + 1, bit, behind);
            *bit = kept;
        }
    }
    return set->count < before;
}

/* Adds a smallest set of the changed bits. */
static void add_set(struct block_causes *c, struct block_model *m, const struct block_bits *of, size_t n,
                    twin_value value, struct block_causes *changed) {
    if (!do_change(m, of, n, value, changed->cause, changed->count)) return;
    while (leave_out(m, of, n, value, changed)) continue;
    for (unsigned k = 0; k < changed->count; ++k, ++c->together) add(c, &changed->cause[k]);
}

void block_causes_find(struct block_causes *c, struct block_model *m, const struct block_bits *of, size_t n) {
    const size_t from = n - is_register(m->signal[of->signal].kind);
    struct block_bits b = {.count = 1};
    *c = (struct block_causes){0};
    if (!block_causes_force(m, of, n, NULL, 0)) return;
    const twin_value value = block_model_get(m, of);
    do {
        if (!may_cause(&m->signal[b.signal], &m->signal[of->signal]) || !do_change(m, of, n, value, &b, 1))
            continue;
        add(c, &b);
        ++c->count;
    } while (next_bit(m, &b));
    if (!block_model_follows(m, from)) return;
    struct block_causes changed = changed_bits(m, of, from);
    if (!has_changed(c, &changed)) add_set(c, m, of, n, value, &changed);
    block_causes_free(&changed);
}

void block_causes_free(struct block_causes *c) {
    free(c->cause);
    *c = (struct block_causes){0};
}

/* --- names --- */

static bool has_name(const struct block_signal *s, const char *name, size_t length) {
    const size_t own = strlen(s->name);
    return own + 2 == length && strncmp(name, s->name, own) == 0 &&
           strncmp(name + own, twin_suffix[s->kind], 2) == 0;
}

/* Reads "[3]" below a limit; without brackets, *n is unchanged. */
static bool read_index(const char **at, unsigned limit, unsigned *n, bool *given) {
    int used = 0;
    unsigned long value;
    *given = **at == '[';
    if (!*given) return true;
    if (sscanf(*at, "[%lu]%n", &value, &used) != 1 || !used || !isdigit((unsigned char)(*at)[1]) ||
        value >= limit)
        return false;
    *n = (unsigned)value;
    *at += used;
    return true;
}

static bool read_bits(const struct block_signal *s, const char *at, const char *name, struct block_bits *bits,
                      struct error *e) {
    bool row = false, element = false, bit = false;
    const bool good = (s->rows == 1 || read_index(&at, s->rows, &bits->row, &row)) &&
                      (s->elements == 1 || read_index(&at, s->elements, &bits->element, &element)) &&
                      read_index(&at, s->bits, &bits->first, &bit) && *at == '@';
    bits->count = bit ? 1 : s->bits;
    if (good && (s->rows == 1 || row) && (s->elements == 1 || element)) return true;
    char rows[48] = "", elements[48] = "";
    if (s->rows > 1) snprintf(rows, sizeof rows, "a row of 0 to %u, ", s->rows - 1);
    if (s->elements > 1) snprintf(elements, sizeof elements, "an element of 0 to %u, ", s->elements - 1);
    return error_set(e, EXIT_USER, "'%.*s': in brackets, %s%s%sa bit of 0 to %u", (int)strcspn(name, "@"),
                     name, rows, elements, *rows || *elements ? "and if wanted " : "", s->bits - 1);
}

bool block_causes_parse(const struct block_model *m, const char *name, struct block_bits *bits,
                        struct error *e) {
    const char *signal = name + strcspn(name, "[@");
    while (signal > name && signal[-1] != '.') --signal;
    const size_t length = strcspn(signal, "[@");
    const char *own = block_model_name(m, 0);
    unsigned block = 0;
    char names[400] = "";
    while (!m->lone && strncmp(name, own, strlen(own)) != 0) own = block_model_name(m, ++block);
    *bits = (struct block_bits){0};
    for (; bits->signal < m->signals; ++bits->signal) {
        const struct block_signal *s = &m->signal[bits->signal];
        const size_t used = strlen(names);
        if (s->block != block) continue;
        if (has_name(s, signal, length)) return read_bits(s, signal + length, name, bits, e);
        snprintf(names + used, sizeof names - used, "%s%s%s", used ? ", " : "", s->name,
                 twin_suffix[s->kind]);
    }
    return error_set(e, EXIT_USER, "'%.*s': signals of %s are %s", (int)strcspn(name, "@"), name, own, names);
}

static void print_name(const struct block_model *m, const struct block_bits *b, FILE *out) {
    const struct block_signal *s = &m->signal[b->signal];
    fprintf(out, "%s.%s%s", block_model_name(m, s->block), s->name, twin_suffix[s->kind]);
    if (s->rows > 1) fprintf(out, "[%u]", b->row);
    if (s->elements > 1) fprintf(out, "[%u]", b->element);
    if (b->count < s->bits) fprintf(out, "[%u]", b->first);
}

static void print_value(twin_value v, FILE *out) {
    if (v >> 64)
        fprintf(out, "0x%llx%016llx", (unsigned long long)(v >> 64), (unsigned long long)v);
    else
        fprintf(out, v < 10 ? "%llu" : "0x%llx", (unsigned long long)v);
}

/* --- chains --- */

static bool same_element(const struct block_bits *a, const struct block_bits *b) {
    return a->signal == b->signal && a->row == b->row && a->element == b->element;
}

/* Joins bits of the same element: one bit remains a bit, several become the element. Returns their number. */
static unsigned join_elements(struct block_bits *bits, unsigned count, const struct block_model *m) {
    unsigned kept = 0;
    for (unsigned n = 0; n < count; ++n) {
        unsigned k = 0;
        while (k < kept && !same_element(&bits[k], &bits[n])) ++k;
        if (k == kept) {
            bits[kept++] = bits[n];
        } else {
            bits[k].first = 0;
            bits[k].count = m->signal[bits[k].signal].bits;
        }
    }
    return kept;
}

static void join_causes(struct block_causes *c, const struct block_model *m) {
    struct block_bits *set = c->cause + c->count;
    const unsigned alone = join_elements(c->cause, c->count, m),
                   together = join_elements(set, c->together, m);
    if (together) memmove(c->cause + alone, set, together * sizeof *set);
    c->count = alone;
    c->together = together;
}

/* Returns the cycle in which the value of cycle `n` began; the first one that is known if none did. */
static size_t begin_of(struct block_model *m, const struct block_bits *b, size_t n, bool *known) {
    const twin_value value = value_at(m, b, n);
    while (block_model_follows(m, n)) {
        *known = value_at(m, b, n - 1) != value;
        if (*known) return n;
        --n;
    }
    *known = false;
    return n;
}

/* Returns the cause that has changed last, in cycle `n` or before; the first one of equals. */
static unsigned latest(const struct block_causes *c, struct block_model *m, size_t n) {
    const unsigned count = c->count + c->together;
    twin_value *value = calloc(count, sizeof *value);
    require_memory(value);
    unsigned found = count;
    for (unsigned k = 0; k < count; ++k) value[k] = value_at(m, &c->cause[k], n);
    while (found == count && block_model_follows(m, n)) {
        --n;
        block_model_run(m, n, BLOCK_WHOLE, BLOCK_EVALUATE, NULL, 0);
        for (found = 0; found < count && block_model_get(m, &c->cause[found]) == value[found]; ++found)
            continue;
    }
    free(value);
    return found == count ? 0 : found;
}

/* Events at inputs of the co-processor. */
static const struct event {
    const char *name, *text;
    int stamp; /* -1: none */
} event[] = {{"simt", "the cores begin or end SIMT mode", -1},
             {"fetched", "the fetch of the warp in F", RECORD_FETCHED},
             {"decode_memory", "whether the instruction in D is a load or store", -1},
             {"collect", "the first instruction of the queue starts O", RECORD_O},
             {"collected", "the operands of the instruction in O", RECORD_COLLECTED},
             {"rounds", "the instruction that starts", RECORD_X},
             {"beats", "the instruction that starts", RECORD_X},
             {"occupancy", "the instruction that starts", RECORD_X},
             {"hold", "memory, or the ports of the TPMs", RECORD_LAST},
             {"execute_passed", "the instruction that starts", RECORD_X},
             {"execute_jumps", "the instruction that starts", RECORD_X},
             {"execute_target", "the instruction that starts", RECORD_X},
             {"execute_operation", "the instruction that starts", RECORD_X},
             {"execute_by", "the instruction that starts", RECORD_X},
             {"commit", "the results of the warp's instruction", RECORD_COMMIT}};

/* Returns the warp of an event at an input of the co-processor, which has been evaluated; -1: none. */
static int warp_of(const struct block_model *m, const struct event *e, const struct block_bits *b) {
    const struct simt_coprocessor *s = &m->models.whole;
    switch (e->stamp) {
    case RECORD_FETCHED: return s->q.f_valid ? (int)s->q.f_warp : -1;
    case RECORD_O: return s->q.queue_count ? (int)s->now.queue[0] : -1;
    case RECORD_COLLECTED:
        return s->q.o_valid ? (int)s->q.o_warp : s->q.queue_count ? (int)s->now.queue[0] : -1;
    case RECORD_X: return s->q.waiting_count ? (int)s->now.waiting[0] : -1;
    case RECORD_LAST: return m->models.dispatcher.q.active ? (int)m->models.dispatcher.q.warp : -1;
    case RECORD_COMMIT: return b->count == 1 ? (int)b->first : -1;
    default: return -1;
    }
}

/* Events at inputs of other blocks that have an element or a bit for each warp. */
static const struct lone_event {
    const char *block, *name, *text;
    unsigned stamp;
    bool array;
} lone_event[] = {
    {"scoreboard", "needs", "registers of the warp's next instruction", CAUSES_S, true},
    {"scoreboard", "destinations", "registers that the warp's next instruction writes", CAUSES_S, true},
    {"scoreboard", "release", "a result of the warp's instruction", RECORD_RESULT, true},
    {"scoreboard", "unread", "registers that the warp's instruction has still to read", RECORD_LAST, true},
    {"warp_scheduler", "ready", "whether the warp's next instruction may issue", CAUSES_S, false},
    {"writeback_arbiter", "result", "the last result of the warp's instruction", RECORD_RESULT, false}};

/* Prints the event at an input of another block. */
static void print_lone_event(const struct block_model *m, const struct block_bits *b, size_t n, FILE *out,
                             struct block_event *found) {
    const char *block = twin_block[m->lone->twin.block->slot].name, *name = m->signal[b->signal].name;
    for (const struct lone_event *e = lone_event; e < lone_event + sizeof lone_event / sizeof *lone_event;
         ++e) {
        if (strcmp(e->block, block) != 0 || strcmp(e->name, name) != 0) continue;
        fprintf(out, ": %s\n", e->text);
        if (e->array || b->count == 1)
            *found = (struct block_event){true, e->array ? b->element : b->first, e->stamp,
                                          block_model_cycle(m, n)};
        return;
    }
    fprintf(out, ": an input of the block\n");
}

/* Prints the event at an input of the co-processor. */
static void print_event(struct block_model *m, const struct block_bits *b, size_t n, FILE *out,
                        struct block_event *found) {
    const struct event *e = event;
    if (m->lone) {
        print_lone_event(m, b, n, out, found);
        return;
    }
    while (e < event + sizeof event / sizeof *event && strcmp(e->name, m->signal[b->signal].name) != 0) ++e;
    if (e == event + sizeof event / sizeof *event) {
        fprintf(out, ": the cores start contexts\n");
        return;
    }
    value_at(m, b, n);
    const int warp = warp_of(m, e, b);
    fprintf(out, ": %s\n", e->text);
    if (warp >= 0)
        *found = (struct block_event){true, (unsigned)warp, (unsigned)e->stamp, block_model_cycle(m, n)};
}

static void print_list(const struct block_bits *bits, unsigned count, const struct block_model *m,
                       FILE *out) {
    for (unsigned k = 0; k < count && k < MOST_NAMED; ++k) {
        if (k) fprintf(out, ", ");
        print_name(m, &bits[k], out);
    }
    if (count > MOST_NAMED) fprintf(out, " and %u more", count - MOST_NAMED);
}

static void print_causes(const struct block_causes *c, const struct block_model *m, FILE *out) {
    fprintf(out, ": of ");
    print_list(c->cause, c->count, m, out);
    if (c->count && c->together) fprintf(out, "; and of ");
    print_list(c->cause + c->count, c->together, m, out);
    fprintf(out, c->together > 1 ? " together\n" : "\n");
}

/* Prints a value and its causes. Returns false at the end of the chain; else *of and *n are the cause that
 * has changed last. */
static bool print_step(struct block_model *m, struct block_bits *of, size_t *n, FILE *out,
                       struct block_event *found) {
    const struct block_signal *s = &m->signal[of->signal];
    struct block_causes c;
    char number[32];
    bool known;
    *n = begin_of(m, of, *n, &known);
    fprintf(out, "%14s  ", report_number(block_model_cycle(m, *n), number));
    print_name(m, of, out);
    fprintf(out, " = ");
    print_value(value_at(m, of, *n), out);
    if ((m->lone || s->block == BLOCK_WHOLE) && s->kind == VERILOG_INPUT) {
        print_event(m, of, *n, out, found);
        return false;
    }
    if (!known) {
        fprintf(out, block_model_cycle(m, *n) > block_model_first(m) + 1
                         ? ": since SIMT mode began\n"
                         : ": since then, or before; earlier cycles are not looked at\n");
        return false;
    }
    block_causes_find(&c, m, of, *n);
    join_causes(&c, m);
    const bool any = c.count + c.together > 0;
    if (any) {
        const unsigned k = latest(&c, m, *n - is_register(s->kind));
        print_causes(&c, m, out);
        *n -= is_register(s->kind);
        *of = c.cause[k];
    } else {
        fprintf(out, ": no change of the cycle before explains it\n");
    }
    block_causes_free(&c);
    return any;
}

uint64_t block_causes_print(struct block_model *m, const struct block_bits *of, size_t n, uint64_t depth,
                            FILE *out, struct block_event *found) {
    struct block_bits at = *of;
    uint64_t lines = 0;
    bool more = true;
    *found = (struct block_event){0};
    while (more && lines < depth) {
        more = print_step(m, &at, &n, out, found);
        ++lines;
    }
    return lines;
}
