#include "lockstep/run/run_log.h"

#include "model/arm/arm.h"
#include "model/config/arm_classes.h"
#include "model/report/text.h"
#include "model/sm/sm.h"
#include "model/uniform/uniform.h"
#include "recording/log_line.h"
#include "recording/recording.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

_Static_assert(RECORDING_COPIES == UNIFORM_COPY, "recordings have the form by its number");

/* --- options --- */

enum { KEY_LOG = 4000, KEY_CYCLES, KEY_ITEMS };

static void parse_log(struct run_log_options *o, const char *argument, struct argp_state *state) {
    static const char values[] = ",values";
    const size_t length = strlen(argument), n = sizeof values - 1;
    if (o->path) argp_error(state, "--log is given twice: a run writes one log");
    o->values = length >= n && strcmp(argument + length - n, values) == 0;
    o->path = strndup(argument, length - (o->values ? n : 0));
    require_memory(o->path);
    if (!*o->path) argp_error(state, "--log %s: the name of a file is needed", argument);
}

static void parse_cycles(struct run_log_options *o, const char *argument, struct argp_state *state) {
    int used = -1;
    errno = 0;
    if (sscanf(argument, "%" SCNu64 ":%" SCNu64 "%n", &o->first, &o->last, &used) != 2 || errno ||
        argument[used] || strchr(argument, '-') || o->last < o->first)
        argp_error(state,
                   "--log-cycles %s: FIRST:LAST is needed, two numbers of cycles, FIRST not above LAST",
                   argument);
    o->cycles = true;
}

/* Reads a number of 32 bits; returns NULL if there is none. */
static const char *read_number(const char *at, uint32_t *n) {
    char *end;
    if (*at < '0' || *at > '9') return NULL;
    errno = 0;
    const unsigned long long read = strtoull(at, &end, 10);
    *n = (uint32_t)read;
    return errno || read > UINT32_MAX ? NULL : end;
}

/* Parses N or FIRST:LAST of up to three dimensions; dimensions that are not given have any id. */
static bool read_items(struct run_log_items *items, const char *at) {
    for (unsigned d = 0; d < 3; d++) {
        items->first[d] = 0;
        items->last[d] = UINT32_MAX;
        if (d && !*at) continue;
        if (d && *at++ != ',') return false;
        if (!(at = read_number(at, &items->first[d]))) return false;
        items->last[d] = items->first[d];
        if (*at == ':' && !(at = read_number(at + 1, &items->last[d]))) return false;
        if (items->last[d] < items->first[d]) return false;
    }
    return !*at;
}

static void parse_items(struct run_log_options *o, const char *argument, struct argp_state *state) {
    if (o->item_count == RUN_LOG_ITEMS) argp_error(state, "--log-items can be given %d times", RUN_LOG_ITEMS);
    if (!read_items(&o->items[o->item_count++], argument))
        argp_error(state,
                   "--log-items %s: up to three global ids or FIRST:LAST are needed, as in 37 or 0:15,4",
                   argument);
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct run_log_options *o = state->input;
    switch (key) {
    case KEY_LOG: parse_log(o, argument, state); return 0;
    case KEY_CYCLES: parse_cycles(o, argument, state); return 0;
    case KEY_ITEMS: parse_items(o, argument, state); return 0;
    case ARGP_KEY_END:
        if (!o->path && (o->cycles || o->item_count))
            argp_error(state, "--log-cycles and --log-items say what is logged, but --log does not say where "
                              "to");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option option_table[] = {
    {"log", KEY_LOG, "FILE[,values]", 0, "Write a line for each warp instruction", 3},
    {"log-cycles", KEY_CYCLES, "FIRST:LAST", 0, "Log only these cycles", 3},
    {"log-items", KEY_ITEMS, "X[,Y[,Z]]", 0, "Log only these work-items; repeatable", 3},
    {0},
};

const struct argp run_log_argp = {.options = option_table, .parser = parse_option};

/* --- instructions as text --- */

static void forget_texts(struct run_log *l) {
    for (uint32_t n = 0; n < l->texts; n++) free(l->text[n].text);
    free(l->text);
    l->text = NULL;
    l->texts = 0;
}

static void on_launch(void *context, const struct machine_launch *launch) {
    struct run_log *l = context;
    const struct machine_code *c = launch->code;
    const char *name = c->source_name ? c->source_name : "";
    const uint64_t hash =
        XXH3_64bits_withSeed(c->text, c->text_bytes, c->text_base) ^ XXH3_64bits(name, strlen(name));
    l->code = c;
    if (hash == l->hash && l->text) return;
    forget_texts(l);
    l->hash = hash;
    l->texts = c->text_bytes / 4;
    l->text = calloc(l->texts + 1, sizeof *l->text);
    require_memory(l->text);
}

/* Returns the instruction at pc as text, with the same format as in recordings. */
static const struct run_log_text *text_of(struct run_log *l, uint32_t pc) {
    struct run_log_text *t = &l->text[(pc - l->code->text_base) / 4];
    const struct machine_code *c = l->code;
    const char *file;
    char text[128];
    if (t->text) return t;
    if (!c->line || !c->line(c->line_context, pc, &file, &t->line) || !c->source_name ||
        strcmp(file, c->source_name) != 0)
        t->line = 0;
    text_instruction(&(struct text){text, sizeof text}, c, pc);
    t->text = strdup(text);
    require_memory(t->text);
    return t;
}

/* --- threads --- */

/* Returns the thread number (struct gdb_threads) of a position of an instruction. */
static unsigned number_of(const struct run_log *l, const struct observed *o, unsigned position) {
    unsigned warp = o->place, at = position;
    if (o->is_core) return o->unit * l->cores + o->place + 1;
    if (o->sm) sm_flight_thread(o->sm, o->flight, position, &warp, &at);
    return gdb_threads_of_warp(&l->threads, o->unit, warp, at);
}

static bool is_asked_for(const struct run_log *l, const uint32_t id[3]) {
    for (unsigned n = 0; n < l->options->item_count; n++) {
        const struct run_log_items *i = &l->options->items[n];
        bool within = true;
        for (unsigned d = 0; d < 3; d++) within &= id[d] >= i->first[d] && id[d] <= i->last[d];
        if (within) return true;
    }
    return false;
}

/* Returns the threads of an instruction that must be logged. */
static uint64_t logged(const struct run_log *l, const struct observed *o) {
    uint64_t some = 0;
    if (!l->options->item_count) return o->participating;
    for (uint64_t rest = o->participating; rest; rest &= rest - 1) {
        uint32_t id[3];
        gdb_threads_item(&l->threads, number_of(l, o, (unsigned)__builtin_ctzll(rest)), id);
        if (is_asked_for(l, id)) some |= rest & -rest;
    }
    return some;
}

/* --- values --- */

/* One value for each thread of a set. */
struct values {
    uint64_t threads;
    uint32_t of[ARM_MAX_POSITIONS]; /* values by position */
};

/* Writes the values: one value if all are equal; FIRST+STEP*k if they have equal distances by position, with
 * k counted from the lowest position; otherwise a list. */
static char *put_values(char *at, const struct values *v) {
    const unsigned first = (unsigned)__builtin_ctzll(v->threads);
    const uint64_t others = v->threads & (v->threads - 1);
    const unsigned second = others ? (unsigned)__builtin_ctzll(others) : first;
    const uint32_t step = others ? (v->of[second] - v->of[first]) / (second - first) : 0;
    bool even = true;
    for (uint64_t rest = others; rest && even; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        even = v->of[k] - v->of[first] == step * (k - first);
    }
    at = log_line_hex(at, v->of[first], 1);
    if (even && step && others & (others - 1)) {
        *at++ = '+';
        at = log_line_hex(at, step, 1);
        *at++ = '*';
        *at++ = 'k';
    } else if (!even || step) {
        for (uint64_t rest = others; rest; rest &= rest - 1) {
            *at++ = ',';
            at = log_line_hex(at, v->of[__builtin_ctzll(rest)], 1);
        }
    }
    return at;
}

static uint32_t register_of(const struct observed *o, unsigned row, unsigned position) {
    const struct arm_threads *t = o->threads;
    unsigned warp, at = position;
    if (!t) {
        sm_flight_thread(o->sm, o->flight, position, &warp, &at);
        t = &o->sm->warp[warp].threads;
    }
    return t->registers[(size_t)row * t->positions + at];
}

static char *put_register(char *at, const struct observed *o, unsigned row, uint64_t threads) {
    static const char *const names[] = {"r0", "r1", "r2",  "r3",  "r4",  "r5", "r6", "r7",
                                        "r8", "r9", "r10", "r11", "r12", "sp", "lr"};
    struct values v = {.threads = threads};
    for (uint64_t rest = threads; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        v.of[k] = register_of(o, row, k);
    }
    if (row < 15)
        at = stpcpy(at, names[row]);
    else if (row < ARM_REGISTERS)
        at = log_line_decimal(stpcpy(at, "s"), row - 16);
    else
        at = stpcpy(log_line_decimal(stpcpy(at, "d"), row / 2 - 8), row % 2 ? "[1]" : "[0]");
    *at++ = '=';
    return put_values(at, &v);
}

static char *put_registers(char *at, const struct observed *o, uint64_t threads) {
    for (uint64_t rest = o->i->destinations & ~(UINT64_C(1) << 15); rest; rest &= rest - 1) {
        const unsigned bit = (unsigned)__builtin_ctzll(rest);
        const bool is_pair = bit >= ARM_REGISTERS;
        const unsigned row = is_pair ? ARM_REGISTERS + 2 * (bit - ARM_REGISTERS) : bit;
        for (unsigned n = 0; n < (is_pair ? 2 : 1); n++) {
            *at++ = ' ';
            at = put_register(at, o, row + n, threads);
        }
    }
    return at;
}

/* Returns the region of the first address of an access, if the region's memory holds the current bytes. NULL
 * for stacks, which may be in registers, and if an SM's log of stores is in use. */
static const struct memory_region *region_of(const struct observed *o, uint32_t address) {
    const struct memory *m = o->threads ? o->threads->memory : NULL;
    if (!m || (o->sm && o->sm->log && o->sm->log->count)) return NULL;
    const int index = memory_find(m, address, 1);
    return index < 0 || m->region[index].kind == MEMORY_STACK ? NULL : &m->region[index];
}

/* Reads word `number` of the access of each thread; less than a word if the access is smaller. */
static void read_words(const struct run_log *l, const struct observed *o, unsigned number, struct values *v) {
    const uint32_t size = o->i->access_bytes < 4 ? o->i->access_bytes : 4;
    const struct memory_region *r = region_of(o, o->address[__builtin_ctzll(v->threads)]);
    for (uint64_t rest = v->threads; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        const uint32_t address = o->address[k] + 4 * number;
        v->of[k] = 0;
        if (r && address - r->base <= r->size_bytes - size && r->size_bytes >= size)
            memcpy(&v->of[k], r->host + (address - r->base), size);
        else
            gdb_threads_read(&l->threads, number_of(l, o, k), address, (uint8_t *)&v->of[k], size);
    }
}

/* Writes the addresses of an access, then the words at these addresses. */
static char *put_memory(char *at, const struct run_log *l, const struct observed *o, uint64_t threads) {
    struct values v = {.threads = threads};
    for (uint64_t rest = threads; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        v.of[k] = o->address[k];
    }
    at = put_values(stpcpy(at, " ["), &v);
    *at++ = ']';
    for (unsigned n = 0; n < (o->i->access_bytes + 3u) / 4; n++) {
        *at++ = n ? ':' : '=';
        read_words(l, o, n, &v);
        at = put_values(at, &v);
    }
    return at;
}

/* --- lines --- */

/* Largest number of bytes of a line: addresses, 16 words of memory and 17 registers, each of 64 threads. */
#define MOST_BYTES (LOG_LINE_BYTES + (1 + 16 + 17) * (16 + 9 * ARM_MAX_POSITIONS))

static void on_executed(void *context, const struct observed *o) {
    struct run_log *l = context;
    const struct run_log_options *options = l->options;
    if (options->cycles && (o->cycle < options->first || o->cycle > options->last)) return;
    const uint64_t threads = logged(l, o), passed = threads & o->passed;
    if (!threads) return;
    char text[MOST_BYTES], unit[24];
    const struct run_log_text *t = text_of(l, o->pc);
    log_line_decimal(stpcpy(unit, "cluster"), o->unit)[0] = '\0';
    const struct log_line line = {
        .cycle = o->cycle,
        .unit = unit,
        .kind = o->is_core ? "core" : "warp",
        .place = o->place,
        .group = o->group,
        .pc = o->pc,
        .positions = o->is_core ? 1 : machine_configuration(l->threads.machine)->simt.warp_size,
        .participating = threads,
        .passed = passed,
        .text = t->text,
        .file = l->code->source_name ? l->code->source_name : "",
        .line = t->line};
    char *at = text + log_line_write(&line, text);
    if (options->values && passed) {
        at = put_registers(stpcpy(at, " "), o, passed);
        if (o->i->is_load || o->i->is_store) at = put_memory(at, l, o, passed);
    }
    *at++ = '\n';
    fwrite(text, 1, (size_t)(at - text), l->part.file);
    l->lines++;
}

/* --- a run --- */

bool run_log_begin(struct run_log *l, const struct run_log_options *o, struct machine *m, struct error *e) {
    const struct machine_config *c = machine_configuration(m);
    if (c->simt.mitigation == MITIGATION_ALT)
        return error_set(e, EXIT_USER, "--log: not with simt.mitigation alt; choose another mitigation");
    if (o->item_count && c->mode != MODE_SIMT)
        return error_set(e, EXIT_USER,
                         "--log-items: in mode %s a core runs the work-items of a work-group one after the "
                         "other; use --mode simt",
                         c->mode == MODE_MIMD ? "mimd" : "auto");
    *l = (struct run_log){.options = o, .threads.machine = m, .cores = c->cluster.lanes};
    l->observer = (struct observer){.context = l, .launch = on_launch, .executed = on_executed};
    if (!part_open(&l->part, o->path, e)) return false;
    setvbuf(l->part.file, NULL, _IOFBF, 1 << 16);
    log_line_head(l->part.file);
    machine_observe(m, &l->observer);
    return true;
}

bool run_log_finish(struct run_log *l, struct error *e) {
    struct part p = l->part;
    l->part.file = NULL;
    return part_finish(&p, e);
}

void run_log_free(struct run_log *l) {
    if (l->part.file) part_abandon(&l->part);
    forget_texts(l);
}
