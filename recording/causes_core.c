#include "recording/causes_core.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define REGISTERS 51 /* r0 to r15, s0 to s31, the flags (docs/recording.md) */
#define FLAGS     (UINT64_C(1) << 48)
#define TRACKED   (((UINT64_C(1) << REGISTERS) - 1) & ~(UINT64_C(1) << 15))

/* --- reading --- */

struct reading {
    struct causes_core *c;
    struct record *run;
    size_t count, room;
    uint64_t first, last;
};

static void *room_for(void *items, size_t count, size_t *room, size_t bytes) {
    if (count < *room) return items;
    *room = *room ? 2 * *room : 1024;
    items = realloc(items, *room * bytes);
    require_memory(items);
    return items;
}

static void keep(void *context, unsigned unit, const struct record *x) {
    struct reading *in = context;
    struct causes_core *c = in->c;
    if (x->kind == RECORD_RUN && unit == c->unit && x->place == c->core && x->after[1] && x->threads &&
        record_last(x) >= in->first && x->cycle <= in->last) {
        in->run = room_for(in->run, in->count, &in->room, sizeof *in->run);
        in->run[in->count++] = *x;
    } else if (x->kind == RECORD_ACCESS && !c->r->units[unit].sm && x->cycle >= in->first) {
        size_t room = c->access_room;
        c->access = room_for(c->access, c->accesses, &room, sizeof *c->access);
        c->access_unit = room_for(c->access_unit, c->accesses, &c->access_room, sizeof *c->access_unit);
        c->access_unit[c->accesses] = unit;
        c->access[c->accesses++] = *x;
    }
}

static const char *text_field(const struct recording *r, const char *name) {
    const char *text = json_string_value(json_object_get(json_object_get(r->head, "configuration"), name));
    return text ? text : "";
}

static uint32_t field(const struct recording *r, const char *name) {
    return (uint32_t)json_integer_value(json_object_get(json_object_get(r->head, "configuration"), name));
}

static bool has_latencies(const struct recording *r) {
    for (size_t n = 0; n < r->code_count; ++n)
        if (!r->codes[n].operands || (r->codes[n].count && !r->codes[n].operands->occupancy)) return false;
    return true;
}

/* --- cycles of instructions --- */

/* A repetition of a run. */
struct repetition {
    uint64_t first, end; /* first cycle; first cycle after it */
    bool jumps;          /* the next instruction of the core is not the one behind it */
};

/* A core of the kind `single`, at some point of its runs. */
struct replay {
    struct causes_core *c;
    const struct recording_code *code;
    uint64_t ready[REGISTERS];  /* first cycle in which the register may be read */
    size_t producer[REGISTERS]; /* step that writes it; SIZE_MAX: not known */
    uint64_t late;              /* registers of loads that missed: their cycle is not known */
    uint64_t next;              /* first cycle of the next instruction */
    uint32_t loads;             /* additional cycles of a load that hits */
    uint32_t penalty;           /* cycles of a taken branch */
    bool fails;                 /* conditional instructions are taken to fail */
};

static const struct recording_operands *operands_of(const struct replay *p, uint32_t pc) {
    static const struct recording_operands none = {.occupancy = 1, .latency = 1, .kind = 'c'};
    const struct recording_operands *o = recording_operands_of(p->code, pc);
    return o ? o : &none;
}

static size_t add_step(struct causes_core *c, const struct core_step *step) {
    c->step = room_for(c->step, c->count, &c->room, sizeof *c->step);
    c->step[c->count] = *step;
    return c->count++;
}

/* Issues an instruction. `last`: it ends its run, behind which the core `jumps` or not. */
static void replay_one(struct replay *p, struct core_step step, bool last, bool jumps) {
    const struct recording_operands *o = operands_of(p, step.pc);
    const uint64_t before = p->next;
    step.cycle = p->next;
    for (uint64_t rest = o->reads & TRACKED; rest; rest &= rest - 1) {
        const unsigned n = (unsigned)__builtin_ctzll(rest);
        if (p->ready[n] <= step.cycle) continue;
        step.cycle = p->ready[n];
        step.cause = CORE_CAUSE_OPERAND;
        step.register_number = (uint8_t)n;
        step.before = p->producer[n];
    }
    if (step.cause == CORE_CAUSE_OPERAND)
        step.waited =
            step.before == SIZE_MAX ? step.cycle - before : step.cycle - p->c->step[step.before].cycle;
    const size_t own = add_step(p->c, &step);
    const bool conditional = o->reads & FLAGS,
               passed = !conditional || (o->kind == 'b' ? last && jumps : !p->fails);
    p->next = step.cycle + (passed ? o->occupancy : 1);
    if (!passed) return;
    p->late &= ~o->writes;
    if (o->kind == 'l' && last) p->late |= o->writes & TRACKED;
    for (uint64_t rest = o->writes & TRACKED; rest; rest &= rest - 1) {
        const unsigned n = (unsigned)__builtin_ctzll(rest);
        p->ready[n] = step.cycle + o->latency + (o->kind == 'l' ? p->loads : 0);
        p->producer[n] = own;
    }
    if (o->kind == 'b' && last && jumps) p->next += p->penalty;
}

/* Returns the cause of a run's first cycle. `end`: first cycle after the run before it, which began in cycle
 * `begun`; UINT64_MAX: there is none. */
static struct core_step begin_run(const struct replay *p, const struct record *x, uint64_t begun,
                                  uint64_t end, uint64_t first) {
    const struct causes_core *c = p->c;
    struct core_step s = {.pc = x->pc, .count = 1, .before = c->count ? c->count - 1 : SIZE_MAX};
    const struct recording_launch *launch = recording_launch_at(c->r, first);
    if (launch && (begun == UINT64_MAX || begun < launch->first)) {
        s.cause = CORE_CAUSE_LAUNCH;
        s.waited = first - launch->first;
        s.before = SIZE_MAX;
    } else if (s.before != SIZE_MAX) {
        const struct core_step *last = &c->step[s.before];
        const char kind = operands_of(p, last->pc)->kind;
        s.waited = first - last->cycle;
        s.cause = first == end                 ? last->pc + 4 == x->pc ? CORE_CAUSE_BEFORE : CORE_CAUSE_BRANCH
                  : kind == 'l' || kind == 's' ? CORE_CAUSE_MEMORY
                  : kind == 'p'                ? CORE_CAUSE_COPROCESSOR
                                               : CORE_CAUSE_FETCH;
    }
    return s;
}

/* Issues the instructions of a run's repetition from cycle `first` on. */
static void replay_run(struct replay *p, const struct record *x, struct core_step begin, uint64_t first,
                       bool jumps) {
    p->next = first;
    for (uint32_t n = 0; n < x->threads; ++n) {
        struct core_step s = {.pc = x->pc + 4 * n, .count = 1, .before = p->c->count - 1};
        if (n == 0) {
            s = begin;
        } else {
            const struct core_step *last = &p->c->step[s.before];
            s.waited = p->next - last->cycle;
            s.cause = s.waited > 1 ? CORE_CAUSE_OCCUPIED : CORE_CAUSE_BEFORE;
        }
        replay_one(p, s, n + 1 == x->threads, jumps);
    }
}

/* Makes the first instruction of a run that reads a register of a late load wait for it. `cycles`: by which
 * the run ends later than computed. Returns whether there is such an instruction. */
static bool delay(struct replay *p, const struct record *x, const struct core_step *computed,
                  uint64_t cycles) {
    for (uint32_t n = 0; p->late && n < x->threads; ++n) {
        const uint64_t read = operands_of(p, x->pc + 4 * n)->reads & p->late;
        if (!read) continue;
        const size_t load = p->producer[__builtin_ctzll(read)];
        for (uint64_t rest = p->late; rest; rest &= rest - 1) {
            const unsigned r = (unsigned)__builtin_ctzll(rest);
            if (p->producer[r] == load) p->ready[r] = computed[n].cycle + cycles;
        }
        return true;
    }
    return false;
}

/* Computes a repetition from the state `from`. Returns whether it ends in cycle `end`. */
static bool attempt(struct replay *p, const struct replay *from, size_t count, bool fails,
                    const struct record *x, const struct core_step *begin, const struct repetition *at) {
    *p = *from;
    p->fails = fails;
    p->c->count = count;
    replay_run(p, x, *begin, at->first, at->jumps);
    return p->next == at->end;
}

/* Computes a repetition. If it does not end in the recorded cycle, a load that missed may have been late, or
 * conditional instructions may have failed. */
static void replay_repetition(struct replay *p, const struct record *x, const struct core_step *begin,
                              const struct repetition *at) {
    struct replay from = *p;
    const size_t count = p->c->count;
    bool exact = attempt(p, &from, count, false, x, begin, at);
    if (!exact && p->next < at->end && delay(&from, x, p->c->step + count, at->end - p->next))
        exact = attempt(p, &from, count, false, x, begin, at);
    if (!exact && !(exact = attempt(p, &from, count, true, x, begin, at)))
        attempt(p, &from, count, false, x, begin, at);
    p->c->exact += exact;
    ++p->c->runs;
}

/* --- runs --- */

static int by_cycle(const void *a, const void *b) {
    const struct record *x = a, *y = b;
    return (x->cycle > y->cycle) - (x->cycle < y->cycle);
}

/* Adds a run of a superscalar core. */
static void add_run(struct causes_core *c, const struct record *x, struct core_step begin, uint64_t first) {
    begin.cycle = first;
    begin.count = (uint32_t)x->threads;
    if (x->form && begin.cause != CORE_CAUSE_LAUNCH && begin.cause != CORE_CAUSE_UNKNOWN) {
        begin.cause = CORE_CAUSE_RECORDED;
        begin.recorded = x->form - 1;
    } else if (begin.cause > CORE_CAUSE_LAUNCH) {
        begin.cause = CORE_CAUSE_BEFORE;
    }
    add_step(c, &begin);
}

static void read_runs(struct reading *in) {
    struct causes_core *c = in->c;
    struct replay p = {.c = c,
                       .loads = field(c->r, "l1d.latency") - (field(c->r, "l1d.latency") > 0),
                       .penalty = field(c->r, "core.branch_penalty")};
    for (unsigned n = 0; n < REGISTERS; ++n) p.producer[n] = SIZE_MAX;
    for (size_t n = 0; n < in->count; ++n) {
        const struct record *x = &in->run[n], *next = n + 1 < in->count ? x + 1 : NULL;
        const uint64_t cycles = x->after[0] / x->after[1];
        const struct recording_launch *launch = recording_launch_at(c->r, x->cycle);
        const uint64_t begun = n ? x[-1].cycle : UINT64_MAX, end = n ? record_last(x - 1) : UINT64_MAX;
        p.code = launch ? launch->code : NULL;
        for (uint32_t k = 0; k < x->after[1]; ++k) {
            const struct repetition at = {x->cycle + k * cycles, x->cycle + (k + 1) * cycles,
                                          k + 1 < x->after[1] || !next || next->pc != x->pc + 4 * x->threads};
            if (at.end < in->first || at.first > in->last) continue;
            const struct core_step begin =
                begin_run(&p, x, k ? x->cycle : begun, k ? at.first : end, at.first);
            if (c->single)
                replay_repetition(&p, x, &begin, &at);
            else
                add_run(c, x, begin, at.first);
        }
    }
}

bool causes_core_read(struct causes_core *c, const struct recording *r, unsigned unit, unsigned core,
                      uint64_t cycle, struct error *e) {
    struct reading in = {
        .c = c, .first = cycle > CAUSES_CYCLES ? cycle - CAUSES_CYCLES : 0, .last = cycle + CAUSES_CYCLES};
    *c = (struct causes_core){
        .r = r, .unit = unit, .core = core, .single = strcmp(text_field(r, "core.kind"), "single") == 0};
    if (!has_latencies(r))
        return error_set(e, EXIT_USER,
                         "%s: an older lockstep has made it, without the cycles of instructions: record the "
                         "run again",
                         r->path);
    const bool good = recording_records(r, in.first, in.last, keep, &in, e);
    if (good && in.count) {
        qsort(in.run, in.count, sizeof *in.run, by_cycle);
        read_runs(&in);
    }
    free(in.run);
    return good;
}

void causes_core_free(struct causes_core *c) {
    free(c->step);
    free(c->access);
    free(c->access_unit);
}

bool causes_core_awaited(const struct causes_core *c, uint64_t cycle, size_t *step) {
    for (*step = 0; *step < c->count; ++*step)
        if (c->step[*step].cycle >= cycle) return true;
    return false;
}

/* --- texts --- */

static void name_register(unsigned n, char text[16]) {
    if (n < 16)
        snprintf(text, 16, "r%u", n);
    else if (n < 48)
        snprintf(text, 16, "s%u", n - 16);
    else
        snprintf(text, 16, "the flags");
}

/* Returns whether an access of another core is a store to the line of this one, before it. */
static bool takes_line(const struct causes_core *c, size_t n, const struct record *access, uint32_t line) {
    const struct record *x = &c->access[n];
    return x->cycle < access->cycle && x->after[0] % 2 && x->pc / line == access->pc / line &&
           (x->place != c->core || c->access_unit[n] != c->unit);
}

/* Adds which core has written the line of an access that another cache or memory answered. */
static void add_writer(const struct causes_core *c, const struct record *access, char *text, size_t room) {
    const uint32_t line = field(c->r, "l2.line");
    size_t last = SIZE_MAX;
    for (size_t n = 0; line && n < c->accesses; ++n)
        if (takes_line(c, n, access, line) &&
            (last == SIZE_MAX || c->access[n].cycle > c->access[last].cycle))
            last = n;
    if (last != SIZE_MAX)
        snprintf(text, room, "; %s.core%u has written the line in cycle %" PRIu64,
                 c->r->units[c->access_unit[last]].name, c->access[last].place, c->access[last].cycle);
}

/* Describes the slowest access that a load or store makes in these cycles, if accesses are recorded. */
static void access_text(const struct causes_core *c, uint64_t first, uint64_t end, char text[128]) {
    static const char *const from[RECORD_HIT_COUNT] = {[RECORD_HIT_L1] = "the L1D",
                                                       [RECORD_HIT_L2] = "the L2",
                                                       [RECORD_HIT_FLIGHT] = "a miss in flight",
                                                       [RECORD_HIT_UPGRADE] =
                                                           "the L2 without the right to write",
                                                       [RECORD_HIT_MEMORY] = "another L2 or memory"};
    const struct record *slowest = NULL;
    for (size_t n = 0; n < c->accesses; ++n) {
        const struct record *x = &c->access[n];
        if (x->cycle >= first && x->cycle < end && x->place == c->core && c->access_unit[n] == c->unit &&
            x->form < RECORD_HIT_COUNT && from[x->form] && (!slowest || x->form > slowest->form))
            slowest = x;
    }
    *text = '\0';
    if (!slowest) return;
    const int used = snprintf(text, 128, " (0x%" PRIx32 ": %s", slowest->pc, from[slowest->form]);
    if (slowest->form == RECORD_HIT_MEMORY || slowest->form == RECORD_HIT_UPGRADE)
        add_writer(c, slowest, text + used, 127 - (size_t)used);
    strcat(text, ")");
}

static const struct recording_operands *operands_at(const struct causes_core *c, size_t n) {
    const struct recording_launch *l = recording_launch_at(c->r, c->step[n].cycle);
    return l ? recording_operands_of(l->code, c->step[n].pc) : NULL;
}

/* Returns the cycles that a load or store takes if all its accesses hit in the L1D. */
static uint64_t cycles_of_hits(const struct causes_core *c, const struct recording_operands *o) {
    const uint64_t set = (o->kind == 'l' ? o->writes : o->reads) & TRACKED & ~FLAGS;
    return (uint64_t)o->occupancy * (uint64_t)__builtin_popcountll(set) + field(c->r, "core.branch_penalty") +
           o->latency + field(c->r, "l1d.latency");
}

/* Writes the cause of a step that waits for the load or store before it. */
static bool memory_text(const struct causes_core *c, size_t step, char text[CAUSES_TEXT]) {
    const struct core_step *s = &c->step[step], *load = &c->step[s->before];
    const struct recording_operands *o = operands_at(c, s->before);
    char access[128];
    access_text(c, load->cycle, s->cycle, access);
    snprintf(text, CAUSES_TEXT, "the %s at 0x%" PRIx32 "%s takes %" PRIu64 " cycles",
             o && o->kind == 's' ? "store" : "load", load->pc, access, s->waited);
    return o && s->waited <= cycles_of_hits(c, o);
}

static bool operand_text(const struct causes_core *c, size_t step, char text[CAUSES_TEXT]) {
    const struct core_step *s = &c->step[step];
    const struct recording_operands *o = operands_at(c, s->before);
    char name[16];
    if (o && o->kind == 'l' && s->waited > cycles_of_hits(c, o)) return memory_text(c, step, text);
    name_register(s->register_number, name);
    snprintf(text, CAUSES_TEXT, "0x%" PRIx32 " writes %s, which is there after %" PRIu64 " cycles",
             c->step[s->before].pc, name, s->waited);
    return true;
}

static const char *recorded_cause(const struct causes_core *c, unsigned n) {
    const char *name = json_string_value(json_array_get(json_object_get(c->r->head, "causes"), n));
    return name ? name : "not known";
}

/* Goes back over steps that issue one behind the other. */
static bool before_text(const struct causes_core *c, size_t step, char text[CAUSES_TEXT], size_t *before) {
    size_t count = 0;
    *before = step;
    while (c->step[*before].cause == CORE_CAUSE_BEFORE && c->step[*before].before != SIZE_MAX) {
        *before = c->step[*before].before;
        count += c->step[*before].count;
    }
    if (count == 1)
        snprintf(text, CAUSES_TEXT, "it issues behind 0x%" PRIx32, c->step[*before].pc);
    else
        snprintf(text, CAUSES_TEXT, "it issues behind %zu instructions from 0x%" PRIx32 " on, without a wait",
                 count, c->step[*before].pc);
    return true;
}

bool causes_core_of(const struct causes_core *c, size_t step, char text[CAUSES_TEXT], size_t *before) {
    const struct core_step *s = &c->step[step];
    *before = s->before;
    switch ((enum core_cause)s->cause) {
    case CORE_CAUSE_LAUNCH:
        snprintf(text, CAUSES_TEXT, "the launch has begun %" PRIu64 " cycles before", s->waited);
        return false;
    case CORE_CAUSE_BEFORE: return before_text(c, step, text, before);
    case CORE_CAUSE_OCCUPIED:
        snprintf(text, CAUSES_TEXT, "0x%" PRIx32 " takes %" PRIu64 " cycles", c->step[s->before].pc,
                 s->waited);
        return true;
    case CORE_CAUSE_BRANCH:
        snprintf(text, CAUSES_TEXT, "the branch at 0x%" PRIx32 " is taken, in %" PRIu64 " cycles",
                 c->step[s->before].pc, s->waited);
        return true;
    case CORE_CAUSE_OPERAND: return operand_text(c, step, text);
    case CORE_CAUSE_MEMORY: return memory_text(c, step, text);
    case CORE_CAUSE_FETCH:
        snprintf(text, CAUSES_TEXT,
                 "the L1I or the ITLB has missed: %" PRIu64 " cycles since 0x%" PRIx32 " issued", s->waited,
                 c->step[s->before].pc);
        return false;
    case CORE_CAUSE_COPROCESSOR:
        snprintf(text, CAUSES_TEXT, "the co-processor instruction at 0x%" PRIx32 " takes %" PRIu64 " cycles",
                 c->step[s->before].pc, s->waited);
        return true;
    case CORE_CAUSE_RECORDED:
        snprintf(text, CAUSES_TEXT, "%" PRIu64 " cycles behind 0x%" PRIx32 ": %s", s->waited,
                 c->step[s->before].pc, recorded_cause(c, s->recorded));
        return true;
    case CORE_CAUSE_UNKNOWN: break;
    }
    snprintf(text, CAUSES_TEXT, "the records do not say why");
    return false;
}
