#include "tb/stimulus/random_lockstep.h"

#include "tb/stimulus/blocks.h"

#include <dlfcn.h>

const struct stimulus_block *random_lockstep_find(const char *module, size_t length) {
    for (unsigned n = 0; n < STIMULUS_BLOCKS; ++n)
        if (strlen(stimulus_blocks[n]->name) == length &&
            memcmp(stimulus_blocks[n]->name, module, length) == 0)
            return stimulus_blocks[n];
    return NULL;
}

const char *random_lockstep_names(void) {
    static char names[STIMULUS_BLOCKS * VERILOG_MAX_NAME];
    size_t used = 0;
    for (unsigned n = 0; n < STIMULUS_BLOCKS; ++n)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                 n == 0                     ? ""
                                 : n == STIMULUS_BLOCKS - 1 ? " and "
                                                            : ", ",
                                 stimulus_blocks[n]->name);
    return names;
}

const struct twin_block *random_lockstep_twin(const struct stimulus_block *b) {
    return stimulus_row(b);
}

const char *random_lockstep_corner(const struct stimulus_block *b, unsigned n, const struct rtl_size *size,
                                   bool *exists) {
    const char *when = b->corner[n].when;
    if (!b->corner[n].name) return NULL;
    *exists = !when || stimulus_exceeds(size, when);
    return b->corner[n].name;
}

bool random_lockstep_open(struct random_lockstep *r, const struct verilated_request *request, bool freely,
                          struct error *e) {
    if (!twin_open(&r->twin, request, r->initial, e)) return false;
    twin_hold(&r->twin, freely);
    r->twin.pure = request->source->pure && !freely;
    simt_followed = freely && r->block->slot == CLUSTER_BLOCK_COPROCESSOR ? &r->twin : NULL;
    return true;
}

void random_lockstep_close(struct random_lockstep *r) {
    simt_followed = NULL;
    twin_free(&r->twin);
}

/* --- sequences of cycles --- */

/* A cycle's random numbers: those from a state of the generator on, some of them replaced by edits. */
struct step {
    uint64_t state;
    const struct seed_edit *edit;
    unsigned edits, drawn; /* drawn: number of random numbers that the stimulus has used */
};

struct sequence {
    struct step *step;
    unsigned count;
    uint64_t active, weight; /* number of inputs that are not 0; measure to be minimised among sequences of
                              * equal length */
};

/* Returns whether the cycle has failed. */
static bool cycle(struct random_lockstep *r, struct seed *seed, uint64_t n) {
    r->different = stimulus_cycle(r->block, seed, &r->twin, n, &r->corners);
    return r->different || r->twin.broken || r->twin.stopped;
}

static struct seed begin(struct random_lockstep *r) {
    struct seed seed = seed_of(r->seed);
    r->block->start(&seed, &r->size);
    return seed;
}

/* Adds the weight of a cycle's inputs: each element that is not 0 outweighs all bits of another. */
static void weigh(const struct twin *t, uint64_t *active, uint64_t *weight) {
    const struct twin_record *record = twin_history(t, 0);
    for (unsigned n = 0; n < t->input_slots; ++n) {
        const uint64_t low = (uint64_t)record->model[n], high = (uint64_t)(record->model[n] >> 64);
        *active += (low | high) != 0;
        *weight += ((low | high) != 0) * 64ull + (unsigned)__builtin_popcountll(low) +
                   (unsigned)__builtin_popcountll(high);
    }
}

/* Replays a sequence from reset. Returns whether it fails; the sequence then ends with the failing cycle. */
static bool replay(struct random_lockstep *r, struct sequence *s) {
    struct seed seed = begin(r);
    bool failed = false;
    twin_renew(&r->twin, r->initial, true);
    s->active = s->weight = 0;
    for (unsigned n = 0; n < s->count && !failed; ++n) {
        struct step *step = &s->step[n];
        struct seed_edits edits = {.edit = step->edit, .count = step->edits};
        seed = (struct seed){step->state, &edits};
        failed = cycle(r, &seed, n);
        step->drawn = edits.drawn;
        weigh(&r->twin, &s->active, &s->weight);
        if (failed) s->count = n + 1;
    }
    return failed;
}

/* --- reduction --- */

#define MOST_CYCLES  4000000 /* limit of replayed cycles in the whole reduction */
#define MOST_REPLAYS 20000

struct kept_edits {
    struct kept_edits *next;
    struct seed_edit edit[];
};

struct reduction {
    struct random_lockstep *lockstep;
    struct sequence best, trial; /* equal capacities */
    uint64_t cycles;             /* replayed */
    unsigned replays;
    struct kept_edits *kept; /* edits of all trials that have been accepted */
};

static bool exhausted(const struct reduction *d) {
    return d->cycles >= MOST_CYCLES || d->replays >= MOST_REPLAYS;
}

/* Replays the trial. Accepts it as the best sequence if it fails in fewer cycles, or in as many with less
 * weight. */
static bool try(struct reduction *d) {
    const unsigned tried = d->trial.count;
    const bool failed = replay(d->lockstep, &d->trial);
    d->cycles += failed ? d->trial.count : tried;
    ++d->replays;
    if (!failed || d->trial.count > d->best.count ||
        (d->trial.count == d->best.count && d->trial.weight >= d->best.weight))
        return false;
    const struct sequence taken = d->trial;
    d->trial = d->best;
    d->best = taken;
    return true;
}

/* Sets the trial to the best sequence without `count` steps from `from` on. */
static void leave_out(struct reduction *d, unsigned from, unsigned count) {
    const struct sequence *b = &d->best;
    memcpy(d->trial.step, b->step, from * sizeof *b->step);
    memcpy(d->trial.step + from, b->step + from + count, (b->count - from - count) * sizeof *b->step);
    d->trial.count = b->count - count;
}

/* Tries only the last steps: 1, 2, 4 and so on, until the trial fails. */
static void try_ends(struct reduction *d) {
    for (unsigned last = 1; last < d->best.count && !exhausted(d); last *= 2) {
        leave_out(d, 0, d->best.count - last);
        if (try(d)) return;
    }
}

static bool try_fewer_cycles(struct reduction *d) {
    bool better = false;
    for (unsigned size = d->best.count / 2; size > 0; size /= 2) {
        for (unsigned from = 0; from + size <= d->best.count && d->best.count > size && !exhausted(d);) {
            leave_out(d, from, size);
            if (try(d))
                better = true;
            else
                from += size;
        }
    }
    return better;
}

/* Returns the edits of a step, extended so that `count` numbers from `from` on become `value`. */
static struct kept_edits *edit(const struct step *s, unsigned from, unsigned count, uint64_t value,
                               unsigned *edits) {
    struct kept_edits *k = malloc(sizeof *k + (s->edits + count) * sizeof k->edit[0]);
    unsigned n = 0, used = 0;
    require_memory(k);
    while (n < s->edits && s->edit[n].number < from) k->edit[used++] = s->edit[n++];
    for (unsigned i = 0; i < count; ++i) k->edit[used++] = (struct seed_edit){from + i, value};
    while (n < s->edits && s->edit[n].number < from + count) ++n;
    while (n < s->edits) k->edit[used++] = s->edit[n++];
    *edits = used;
    return k;
}

static bool try_edit(struct reduction *d, unsigned step, unsigned from, unsigned count, uint64_t value) {
    leave_out(d, 0, 0);
    struct step *s = &d->trial.step[step];
    struct kept_edits *k = edit(s, from, count, value, &s->edits);
    s->edit = k->edit;
    if (!try(d)) {
        free(k);
        return false;
    }
    k->next = d->kept;
    d->kept = k;
    return true;
}

/* Replaces random numbers of a step, in large parts first. */
static bool try_step(struct reduction *d, unsigned step, uint64_t value) {
    bool better = false;
    for (unsigned size = d->best.step[step].drawn; size > 0; size /= 2)
        for (unsigned from = 0;
             step < d->best.count && from + size <= d->best.step[step].drawn && !exhausted(d); from += size)
            better |= try_edit(d, step, from, size, value);
    return better;
}

#define OTHER_STATES 64

/* Tries other random numbers for a step. */
static bool try_states(struct reduction *d, unsigned step) {
    struct seed other = seed_of(step);
    bool better = false;
    for (unsigned n = 0; n < OTHER_STATES && step < d->best.count && !exhausted(d); ++n) {
        leave_out(d, 0, 0);
        d->trial.step[step] = (struct step){.state = seed_next(&other)};
        better |= try(d);
    }
    return better;
}

static bool try_fewer_inputs(struct reduction *d) {
    static const uint64_t values[] = {0, ~0ull, 1, 2, 3};
    bool better = false;
    for (unsigned n = d->best.count; n-- > 0;)
        if (n < d->best.count) better |= try_states(d, n);
    for (unsigned v = 0; v < sizeof values / sizeof values[0]; ++v)
        for (unsigned n = d->best.count; n-- > 0;)
            if (n < d->best.count) better |= try_step(d, n, values[v]);
    return better;
}

static void forget(struct reduction *d) {
    for (struct kept_edits *k = d->kept, *next; k; k = next) {
        next = k->next;
        free(k);
    }
    free(d->best.step);
    free(d->trial.step);
}

/* Reduces a failure. `state`: state of the generator before each of `count` cycles up to the failure. Returns
 * false if these cycles alone do not fail. */
static bool reduce(struct random_lockstep *r, const uint64_t *state, unsigned count,
                   struct random_failure *f) {
    struct reduction d = {.lockstep = r};
    d.best.step = calloc(count, sizeof *d.best.step);
    d.trial.step = calloc(count, sizeof *d.trial.step);
    require_memory(d.best.step && d.trial.step);
    for (unsigned n = 0; n < count; ++n) d.best.step[n].state = state[n];
    d.best.count = count;
    bool fails = replay(r, &d.best);
    f->before = d.best.active;
    if (fails) {
        try_ends(&d);
        do
            while (try_fewer_cycles(&d)) {}
        while (try_fewer_inputs(&d) && !exhausted(&d));
        fails = replay(r, &d.best);
    }
    f->cycles = d.best.count;
    f->active = d.best.active;
    forget(&d);
    return fails;
}

/* --- the search --- */

static void count_corners(struct random_lockstep *r) {
    for (uint64_t rest = r->corners; rest; rest &= rest - 1) ++r->reached[__builtin_ctzll(rest)];
}

/* Runs random cycles until one fails. Returns its number, or `cycles` if none fails. */
static uint64_t search(struct random_lockstep *r, uint64_t cycles, uint64_t *state) {
    struct seed seed = begin(r);
    for (uint64_t n = 0; n < cycles; ++n) {
        if (state) state[n % RANDOM_LOCKSTEP_TRACED] = seed.state;
        if (cycle(r, &seed, n)) return n;
        if (state) count_corners(r);
    }
    return cycles;
}

/* Copies the ring of states into an array, the latest state last. */
static uint64_t *straighten(const uint64_t *state, uint64_t found, unsigned count) {
    uint64_t *straight = calloc(count, sizeof *straight);
    require_memory(straight);
    for (unsigned n = 0; n < count; ++n)
        straight[n] = state[(found + 1 - count + n) % RANDOM_LOCKSTEP_TRACED];
    return straight;
}

bool random_lockstep_run(struct random_lockstep *r, uint64_t cycles, struct random_failure *f) {
    uint64_t *state =
        calloc(cycles < RANDOM_LOCKSTEP_TRACED ? cycles : RANDOM_LOCKSTEP_TRACED, sizeof *state);
    require_memory(state);
    const uint64_t found = search(r, cycles, state);
    if (found < cycles) {
        const unsigned count = found < RANDOM_LOCKSTEP_TRACED ? (unsigned)found + 1 : RANDOM_LOCKSTEP_TRACED;
        uint64_t *straight = straighten(state, found, count);
        *f = (struct random_failure){.found = found};
        f->reduced = reduce(r, straight, count, f);
        free(straight);
        if (!f->reduced) {
            twin_renew(&r->twin, r->initial, true);
            f->lost = search(r, found + 1, NULL) != found;
        }
    }
    free(state);
    return found == cycles;
}

bool random_lockstep_coverage(const struct random_lockstep *r, const char *path) {
    void (*write)(const char *path);
    *(void **)&write = dlsym(r->twin.library.handle, "twin_coverage");
    if (write) write(path);
    return write != NULL;
}

uint64_t random_lockstep_digest(struct random_lockstep *r, unsigned cycles) {
    struct seed seed = begin(r);
    uint64_t digest = 0;
    twin_renew(&r->twin, r->initial, true);
    for (unsigned n = 0; n < cycles; ++n) {
        cycle(r, &seed, n);
        const struct twin_record *record = twin_history(&r->twin, 0);
        for (unsigned k = 0; k < r->twin.input_slots; ++k)
            digest = (digest ^ (uint64_t)(record->model[k] ^ record->model[k] >> 64)) * 0x100000001b3u +
                     (digest >> 32);
    }
    return digest;
}
