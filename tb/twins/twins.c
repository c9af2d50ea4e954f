#include "tb/twins/twins.h"

#include "tb/twins/mismatch.h"
#include "tb/twins/place.h"
#include "tb/twins/twin_source.h"
#include "tb/twins/twin_waves.h"
#include "tb/verilated/verilog_guard.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

const char *const twins_mode_name[TWINS_MODES] = {"off", "check", "drive", "replace"};

/* Variable of a twin's signal that is not an array, in the order of the ports. */
struct shown {
    trace_variable variable;
    twin_value value;
    bool known;
};

struct bound {
    const void *in, *q, *rows; /* structs of the model; q, rows: NULL if none */
    void *out;
    const block_rows *written;
    bool drives;   /* the machine uses the Verilog's outputs */
    bool followed; /* each cycle is processed further: it is traced, or its toggles are counted */
    enum twins_mode mode;
    struct attached *place;
    struct twin twin;
    struct toggles *toggles; /* NULL: not counted */
    struct twin_source source;
    struct shown shown[VERILOG_MAX_SIGNALS];
    trace_variable *inside; /* insides of a user's Verilog; NULL: not traced, or none */
};

/* The twins of the blocks of one place. */
struct attached {
    struct twins *twins;
    struct twin_place place;
    struct cluster_twins hook;
    bool detached;
    uint64_t cycles[CLUSTER_BLOCK_COUNT]; /* cycles of the blocks until they were detached */
    struct error difference; /* first difference of a driving block; since then, the machine has used the
                              * Verilog's outputs */
    struct bound bound[CLUSTER_BLOCK_COUNT];
};

struct twins {
    const struct twins_options *options;
    struct machine *machine;
    struct trace *trace;
    unsigned untimed; /* number of block cycles until one is timed */
    double nanoseconds;
    unsigned places;
    struct attached attached[];
};

static struct error *error_of(const struct attached *s) {
    return s->place.unit ? s->place.unit->error : machine_error(s->place.machine);
}

/* Returns whether the run has been stopped. The DRAM of a GPU-like machine continues between launches, where
 * there is no error to look at. */
static bool is_stopped(const struct attached *s) {
    return error_of(s) && error_of(s)->status != EXIT_SOUND;
}

/* --- every cycle --- */

static void show(const struct attached *a, struct bound *b, bool rests, uint64_t t) {
    const struct twins *s = a->twins;
    const struct twin_record *r = twin_history(&b->twin, 0);
    const sim_time at = twin_place_time(&a->place, t);
    if (b->inside && rests) twin_insides_look(&b->twin); /* state before the edge */
    if (b->inside) twin_waves_show(s->trace, &b->twin, b->inside, at, b->twin.insides.vcd.now);
    for (unsigned i = 0; i < b->twin.ports; ++i) {
        const struct twin_port *p = &b->twin.port[i];
        struct shown *v = &b->shown[i];
        if (p->elements > 1) continue;
        const twin_value value = twin_verilog_value(r, p);
        if (v->known && v->value == value) continue;
        *v = (struct shown){v->variable, value, true};
        twin_trace(s->trace, v->variable, at, value);
    }
}

/* Fills *e. ended: reason for which the launch had been stopped before; NULL: none. */
static void report(struct attached *s, enum cluster_block block, const struct twin_port *different,
                   const char *ended, struct error *e) {
    const struct bound *b = &s->bound[block];
    char where[512];
    struct mismatch m = {
        .machine = s->place.unit ? s->twins->machine : NULL,
        .where = where,
        .block = block,
        .port = different,
        .rule = b->twin.broken,
        .source = verilog_source_file(&b->source.verilog),
        .drives = b->drives,
        .window = s->twins->options->window,
        .command = s->twins->options->command,
        .ended = ended,
    };
    for (enum cluster_block n = 0; n < CLUSTER_BLOCK_COUNT; ++n)
        if (s->bound[n].mode != TWINS_OFF) m.twin[n] = &s->bound[n].twin;
    s->place.kind->text(&s->place, block, &(struct text){where, sizeof where});
    mismatch_report(&m, e);
}

/* Stops the launch at the end of the cycle after a first difference; other blocks are still compared in that
 * cycle. If a block drives in mode drive, the launch continues, and the difference is reported at its end. */
static __attribute__((noinline)) void tell(struct attached *s, enum cluster_block block,
                                           const struct twin_port *different) {
    const struct bound *b = &s->bound[block];
    if (is_stopped(s)) return;
    if (b->mode != TWINS_DRIVE || !b->drives || b->twin.broken || b->twin.stopped)
        report(s, block, b->twin.broken || b->twin.stopped ? NULL : different, NULL, error_of(s));
    else if (s->difference.status == EXIT_SOUND)
        report(s, block, different, NULL, &s->difference);
}

/* Processes a compared cycle: toggles, trace, difference. */
static __attribute__((noinline)) void follow(struct bound *b, bool rests, uint64_t t,
                                             const struct twin_port *different) {
    struct attached *s = b->place;
    if (b->toggles && !rests) toggles_note(b->toggles);
    if (s->twins->trace && twin_place_is_traced(&s->place, t)) show(s, b, rests, t);
    if (different || b->twin.broken || b->twin.stopped) tell(s, b->twin.block->slot, different);
}

/* One of this many block cycles is timed. The number is prime, so that every block has its turn. */
#define TIMED_ONCE_IN 2039
/* A longer time counts as an interruption by the host and is not scaled. */
#define MOST_NANOSECONDS 20000

/* Lets the block rest: further cycles equal to this one are compared by the caller. */
static void rest(struct bound *b) {
    const struct twin *t = &b->twin;
    struct block_rest *r = &b->place->hook.rest[t->block->slot];
    r->same = t->library.same;
    r->kept = t->latest->kept;
    r->last = &t->latest->last;
}

/* Compares a block's cycle. rested: the twin has rested until the cycle before, and this cycle differs. */
static __attribute__((noinline)) void evaluate(struct bound *b, bool rested, uint64_t t) {
    struct twin *twin = &b->twin;
    const struct twin_port *different = NULL;
    if (rested) twin_wakes(twin);
    const bool rests = !rested && twin_rests(twin, t, b->in, b->out, b->q);
    if (b->followed && b->inside) twin->insides.looks = twin_place_is_traced(&b->place->place, t);
    if (!rests && !twin_steps(twin, t, b->in, b->out, b->q))
        different = twin_cycle(twin, t, b->in, b->out, b->q, b->drives);
    if (!different && twin_has_rows(twin, *b->written))
        different = twin_rows(twin, b->rows, twin->block->stride, *b->written);
    if (different || twin->broken || twin->stopped || b->followed)
        follow(b, rests, t, different);
    else if (rests && !*b->written)
        rest(b);
}

static void registered(void *context, enum cluster_block block) {
    struct bound *b = &((struct attached *)context)->bound[block];
    if (b->drives) twin_outputs(&b->twin, b->out);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/* Times one comparison. The time for reading the clock is measured and subtracted. */
static __attribute__((noinline)) void evaluate_timed(struct bound *b, uint64_t t) {
    struct twins *s = b->place->twins;
    const double before = now(), start = now();
    evaluate(b, false, t);
    const double took = now() - start - (start - before);
    s->untimed = TIMED_ONCE_IN;
    if (took > 0 && took < MOST_NANOSECONDS) s->nanoseconds += TIMED_ONCE_IN * took;
}

static void cycle(void *context, enum cluster_block block, uint64_t t) {
    struct attached *s = context;
    struct block_rest *r = &s->hook.rest[block];
    const bool rested = r->same != NULL;
    r->same = NULL;
    if (!rested) --s->twins->untimed;
    if (__builtin_expect(s->twins->untimed == 0, 0))
        evaluate_timed(&s->bound[block], t);
    else
        evaluate(&s->bound[block], rested, t);
}

double twins_seconds(const struct twins *s) {
    return 1e-9 * s->nanoseconds;
}

/* Reports a difference that is found after the launch was stopped, which may be the reason of the stop. */
static void report_late(struct attached *s, enum cluster_block block, const struct twin_port *different) {
    struct error *launch = machine_error(s->place.machine);
    const struct error before = *launch;
    *launch = (struct error){0};
    report(s, block, different, before.status == EXIT_SOUND ? NULL : before.message, launch);
}

/* Adds the kept difference to the error of a stopped launch, since it may be the reason of the stop. */
static void report_difference(struct attached *s) {
    struct error *launch = machine_error(s->place.machine);
    const struct error before = *launch;
    if (s->difference.status == EXIT_SOUND || before.status == EXIT_SOUND) return;
    *launch = (struct error){0};
    error_set(launch, EXIT_TWINS_DISAGREE, "%s\n  ended      after this: %s", s->difference.message,
              before.message);
}

static void detach(struct attached *s) {
    s->detached = true;
    for (enum cluster_block b = 0; b < CLUSTER_BLOCK_COUNT; ++b)
        s->cycles[b] = twin_place_cycles(&s->place, b);
    *s->place.twins = NULL;
}

/* Returns the latest compared cycle; 0 if none. */
static uint64_t latest(const struct attached *s) {
    uint64_t t = 0;
    for (enum cluster_block b = 0; b < CLUSTER_BLOCK_COUNT; ++b) {
        const struct twin *twin = &s->bound[b].twin;
        if (s->bound[b].mode != TWINS_OFF && twin->records && twin_history(twin, 0)->last > t)
            t = twin_history(twin, 0)->last;
    }
    return t;
}

/* Compares all rows of memories at the end of a launch, also of rows not written since their last
 * comparison. An earlier difference, also of another SM, has precedence. */
static void stop(void *context) {
    struct attached *s = context;
    if (machine_error(s->place.machine)->status == EXIT_TWINS_DISAGREE) return;
    for (enum cluster_block b = 0; b < CLUSTER_BLOCK_COUNT; ++b) {
        struct twin *twin = &s->bound[b].twin;
        if (s->bound[b].mode == TWINS_OFF || !twin->memories || !twin->comparisons) continue;
        const struct twin_port *different =
            twin_rows(twin, s->bound[b].rows, twin->block->stride, ~(block_rows)0);
        if (different) report_late(s, b, different);
    }
    report_difference(s);
    const uint64_t cycles = s->place.kind->is_cluster ? s->twins->options->cycles : 0;
    if (cycles && latest(s) + 1 >= cycles && error_of(s)->status == EXIT_SOUND) detach(s);
}

static void reset(void *context) {
    struct attached *s = context;
    for (enum cluster_block b = 0; b < CLUSTER_BLOCK_COUNT; ++b) {
        s->hook.rest[b].same = NULL;
        if (s->bound[b].mode != TWINS_OFF) twin_reset(&s->bound[b].twin);
    }
}

/* --- building --- */

/* Rows written by blocks without memories: none. */
static const block_rows no_row_written = 0;

static bool has_many(const struct twins_options *o) {
    unsigned count = 0;
    for (enum cluster_block b = 0; b < CLUSTER_BLOCK_COUNT; ++b) count += o->mode[b] != TWINS_OFF;
    return count > 3;
}

static bool bind(struct attached *a, enum cluster_block b, struct error *e) {
    struct twins *s = a->twins;
    struct bound *bound = &a->bound[b];
    const struct machine_config *config = machine_configuration(s->machine);
    const struct twin_block *block = twin_block_of(config, b);
    struct verilog_setting settings[VERILOG_MAX_PARAMETERS];
    struct twin_source *source = &bound->source;
    char *model = twin_place_model(&a->place, b);
    const size_t base = block->model;
    if (!twin_source_find(source, &s->options->source[b], block, s->options->folder, e)) return false;
    const bool asked = twin_block_is_shared(b); /* evaluated now and then */
    const struct verilated_request r = {.block = block,
                                        .source = &source->verilog,
                                        .slot = source->own ? NULL : source->slot,
                                        .settings = settings,
                                        .count = a->place.kind->settings(&a->place, b, settings),
                                        .on_build = s->options->on_build,
                                        .optimize = asked ? "1" : NULL,
                                        .many = !asked && has_many(s->options),
                                        .on_notices = s->options->on_notices};
    if (!twin_open(&bound->twin, &r, s->options->seed, e)) return false;
    bound->mode = s->options->mode[b];
    /* Two blocks never drive: with the scheduler of the DRAM, requests that were never made would be
     * answered; with the compactor, rounds would differ from those already read. */
    bound->drives = b != CHANNEL_BLOCK_DRAM && b != CLUSTER_BLOCK_COMPACTOR &&
                    b != CLUSTER_BLOCK_COPROCESSOR &&
                    (bound->mode == TWINS_REPLACE || (bound->mode == TWINS_DRIVE && twin_block_decides(b)));
    bound->in = model + block->in - base;
    bound->out = model + block->out - base;
    bound->q = block->q ? model + block->q - base : NULL;
    bound->rows = twin_block_rows(block, model - base);
    bound->written =
        block->stride ? (const block_rows *)(const void *)(model + block->written - base) : &no_row_written;
    bound->place = a;
    bound->twin.pure = source->verilog.pure;
    twin_hold(&bound->twin, bound->mode == TWINS_REPLACE);
    if (b == CLUSTER_BLOCK_COPROCESSOR && bound->mode == TWINS_REPLACE)
        ((struct simt_coprocessor *)(void *)model)->policy =
            (struct simt_coprocessor_policy){twin_choose, &bound->twin};
    if (s->options->toggles && source->own && a->place.kind->is_cluster)
        bound->toggles = toggles_create(&bound->twin);
    bound->followed = bound->toggles;
    return true;
}

/* Returns whether a block is absent since a whole of another policy drives the machine. */
static bool is_left_out(const struct twins_options *o, enum cluster_block b) {
    return o->mode[CLUSTER_BLOCK_COPROCESSOR] == TWINS_REPLACE &&
           (b == CLUSTER_BLOCK_SCHEDULER || b == CLUSTER_BLOCK_ARBITER);
}

/* Checks that no part of a compared whole is replaced: our whole contains our parts and would differ from the
 * machine. */
static bool check_whole(const struct twins_options *o, enum cluster_block whole, struct error *e) {
    for (const enum cluster_block *part = twin_block_parts(whole); *part != CLUSTER_BLOCK_COUNT; ++part)
        if (o->mode[*part] == TWINS_REPLACE)
            return error_set(e, EXIT_USER,
                             "--rtl: %s is compared with the model, but %s is replaced in it\n"
                             "leave one of them out",
                             twin_block[whole].name, twin_block[*part].name);
    return true;
}

static bool check_parts(const struct twins_options *o, struct error *e) {
    for (enum cluster_block b = 0; b < CLUSTER_BLOCK_COUNT; ++b)
        if (o->named[b] && o->mode[b] != TWINS_OFF && is_left_out(o, b))
            return error_set(e, EXIT_USER,
                             "--rtl: where %s is replaced, %s is not in the machine\nleave one of them out",
                             twin_block[CLUSTER_BLOCK_COPROCESSOR].name, twin_block[b].name);
    for (enum cluster_block b = 0; b < CLUSTER_BLOCK_COUNT; ++b)
        if (o->mode[b] != TWINS_OFF && !check_whole(o, b, e)) return false;
    return true;
}

static bool has_any(const struct attached *a) {
    bool any = false;
    for (enum cluster_block b = 0; b < CLUSTER_BLOCK_COUNT; ++b) any |= a->bound[b].mode != TWINS_OFF;
    return any;
}

/* Returns the reason for which a block is absent, if the field does not explain it. */
static const char *reason_of_absence(const struct machine_config *c, enum cluster_block b) {
    const bool whole = b == CLUSTER_BLOCK_COPROCESSOR;
    if (whole && c->simt.arbitrate_cycles != 1) return ": its A takes one cycle";
    if (c->simt.mitigation == MITIGATION_SKIP && (whole || b == CLUSTER_BLOCK_DISPATCHER))
        return ": it dispatches the last rounds of an instruction that has fewer than all";
    return "";
}

static bool attach(struct attached *a, struct error *e) {
    const struct twins_options *o = a->twins->options;
    if (!check_parts(o, e)) return false;
    a->hook = (struct cluster_twins){.context = a,
                                     .reset = reset,
                                     .registered = registered,
                                     .cycle = cycle,
                                     .stop = stop,
                                     .untimed = &a->twins->untimed,
                                     .end = o->cycles ? o->cycles : UINT64_MAX};
    for (enum cluster_block b = 0; b < CLUSTER_BLOCK_COUNT; ++b) {
        const char *field = twin_block_absent(machine_configuration(a->twins->machine), b);
        if (o->mode[b] == TWINS_OFF || (field && !o->named[b]) || is_left_out(o, b)) continue;
        if (!field && !twin_place_model(&a->place, b)) continue;
        if (field)
            return error_set(e, EXIT_USER, "--rtl: %s is in machines with %s only%s", twin_block[b].name,
                             field, reason_of_absence(machine_configuration(a->twins->machine), b));
        if (!bind(a, b, e)) return false;
        a->hook.attached[b] = true;
        a->hook.rest[b] = (struct block_rest){.in = a->bound[b].in,
                                              .out = a->bound[b].out,
                                              .q = a->bound[b].q,
                                              .written = a->bound[b].written,
                                              .comparisons = &a->bound[b].twin.comparisons};
        a->hook.replaced[b] = o->mode[b] == TWINS_REPLACE;
    }
    if (has_any(a)) *a->place.twins = &a->hook;
    return true;
}

struct twins *twins_create(const struct twins_options *o, struct machine *m, struct error *e) {
    const struct twin_places l = twin_places_of(m);
    struct twins *s = calloc(1, sizeof *s + l.count * sizeof s->attached[0]);
    require_memory(s);
    s->options = o;
    s->machine = m;
    s->places = l.count;
    s->untimed = TIMED_ONCE_IN;
    for (unsigned k = 0; k < l.count; ++k) {
        s->attached[k].twins = s;
        s->attached[k].place = l.place[k];
    }
    free(l.place);
    machine_watch(m, o->cycles ? o->cycles : UINT64_MAX);
    if (o->limit) verilog_guard_start(o->limit, o->command);
    for (unsigned k = 0; k < s->places; ++k) {
        if (attach(&s->attached[k], e)) continue;
        twins_destroy(s);
        return NULL;
    }
    return s;
}

void twins_destroy(struct twins *s) {
    if (!s) return;
    for (unsigned k = 0; k < s->places; ++k) {
        struct attached *a = &s->attached[k];
        struct simt_coprocessor *whole = twin_place_model(&a->place, CLUSTER_BLOCK_COPROCESSOR);
        *a->place.twins = NULL;
        if (whole) whole->policy = (struct simt_coprocessor_policy){0};
        for (enum cluster_block b = 0; b < CLUSTER_BLOCK_COUNT; ++b) {
            toggles_free(a->bound[b].toggles);
            if (a->bound[b].mode != TWINS_OFF) twin_free(&a->bound[b].twin);
        }
        for (enum cluster_block b = 0; b < CLUSTER_BLOCK_COUNT; ++b) {
            twin_source_free(&a->bound[b].source);
            free(a->bound[b].inside);
        }
    }
    verilog_guard_stop();
    free(s);
}

static void declare(struct trace *trace, struct bound *b) {
    char name[VERILOG_MAX_NAME + 4];
    b->followed = true;
    trace_scope(trace, b->twin.block->name);
    for (unsigned i = 0; i < b->twin.ports; ++i) {
        const struct twin_port *p = &b->twin.port[i];
        if (p->elements > 1) continue;
        snprintf(name, sizeof name, "%s%s", p->signal->name, twin_suffix[p->signal->kind]);
        b->shown[i].variable = trace_declare(trace, name, p->bits, p->bits == 1 ? TRACE_BINARY : TRACE_HEX);
    }
    if (twin_insides_open(&b->twin)) twin_waves_declare(trace, &b->twin, false, &b->inside);
    trace_upscope(trace);
}

void twins_trace(struct twins *s, struct trace *trace) {
    s->trace = trace;
    for (unsigned k = 0; k < s->places; ++k) {
        struct attached *a = &s->attached[k];
        if (!has_any(a)) continue;
        char name[TWIN_PLACE_NAME + 4];
        snprintf(name, sizeof name, "rtl%s", a->place.name);
        trace_scope(trace, name);
        for (enum cluster_block b = 0; b < CLUSTER_BLOCK_COUNT; ++b)
            if (a->bound[b].mode != TWINS_OFF) declare(trace, &a->bound[b]);
        trace_upscope(trace);
    }
}

/* --- results --- */

/* Returns the first place with a twin of the block; the first place if none has one. */
static const struct attached *first_with(const struct twins *s, enum cluster_block b) {
    for (unsigned k = 0; k < s->places; ++k)
        if (s->attached[k].bound[b].mode != TWINS_OFF) return &s->attached[k];
    return &s->attached[0];
}

bool twins_count(const struct twins *s, unsigned n, struct twins_count *count) {
    for (enum cluster_block b = 0; b < CLUSTER_BLOCK_COUNT; ++b) {
        const struct bound *first = &first_with(s, b)->bound[b];
        if (first->mode == TWINS_OFF || n-- > 0) continue;
        *count = (struct twins_count){
            .block = first->twin.block,
            .source = verilog_source_file(&first->source.verilog),
            .top = first->source.verilog.top,
            .left_out = s->trace ? twin_left_out(&first->twin) : NULL,
            .own = first->source.own,
            .mode = first->mode,
        };
        for (unsigned k = 0; k < s->places; ++k) {
            count->comparisons += s->attached[k].bound[b].twin.comparisons;
            count->mismatches += s->attached[k].bound[b].twin.mismatches;
            count->evaluated += s->attached[k].bound[b].twin.records;
        }
        return true;
    }
    return false;
}

bool twins_toggles(const struct twins *s, const struct twin_block *b, unsigned n,
                   struct toggles_count *count) {
    bool any = false;
    *count = (struct toggles_count){0};
    for (unsigned k = 0; k < s->places; ++k) {
        const struct bound *bound = &s->attached[k].bound[b->slot];
        if (bound->mode == TWINS_OFF) continue;
        if (!bound->toggles || !toggles_add(bound->toggles, n, count)) return false;
        any = true;
    }
    return any;
}

int twins_seed(const struct twins *s) {
    return s->options->seed;
}

enum twins_internal twins_internal(const struct twins *s, const struct twin_block *b, unsigned signal) {
    const struct twin *t = &first_with(s, b->slot)->bound[b->slot].twin;
    if (t->library.signal(t->instance, signal)) return t->compared == t->ports ? TWINS_COMPARED : TWINS_FREE;
    return t->library.bits(signal) ? TWINS_OTHER_WIDTH : TWINS_NOT_THERE;
}

/* Returns the number of cycles in which a block existed. */
static uint64_t cycles_of(const struct attached *a, enum cluster_block b) {
    if (a->bound[b].mode == TWINS_OFF) return 0;
    return a->detached ? a->cycles[b] : twin_place_cycles(&a->place, b);
}

const char *twins_idle(const struct twin_block *b) {
    return b->slot < CLUSTER_BLOCK_COALESCER ? "no work-group ran in SIMT mode"
                                             : "the program has asked nothing of it";
}

bool twins_judge(const struct twins *s, struct error *e) {
    struct twins_count count;
    bool compared = false;
    for (unsigned k = 0; k < s->places; ++k)
        if (s->attached[k].difference.status != EXIT_SOUND)
            return error_set(e, EXIT_TWINS_DISAGREE, "%s\n  went on    as the Verilog said",
                             s->attached[k].difference.message);
    for (unsigned n = 0; twins_count(s, n, &count); ++n) {
        uint64_t cycles = 0;
        for (unsigned k = 0; k < s->places; ++k) cycles += cycles_of(&s->attached[k], count.block->slot);
        invariant(count.comparisons == cycles,
                  "%s was compared %" PRIu64 " times in the %" PRIu64 " cycles in which it existed",
                  count.block->name, count.comparisons, cycles);
        compared |= count.comparisons > 0;
        if (count.comparisons == 0 && s->options->named[count.block->slot])
            return error_set(e, EXIT_USER, "--rtl: %s was never compared: %s", count.block->name,
                             twins_idle(count.block));
    }
    return compared || error_set(e, EXIT_USER,
                                 "--rtl: nothing was compared: no block had anything to do in this run\n"
                                 "run a kernel that uses one of them, or without --rtl");
}
