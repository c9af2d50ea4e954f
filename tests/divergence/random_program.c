#include "tests/divergence/random_program.h"

#include <assert.h>
#include <string.h>

#define MAX   RANDOM_PROGRAM_MAX
#define WORDS (MAX / 64 + 1) /* bit MAX: the end */

/* --- making --- */

struct making {
    struct random_program *p;
    struct seed *seed;
    bool barriers;
    unsigned function; /* 0: the kernel; each calls those above */
    uint32_t entry[3];
    unsigned breaks[MAX], break_count; /* branches that leave the current loop */
};

static uint32_t address(unsigned n) {
    return 4 * (n + 1);
}

static unsigned emit(struct making *m, enum random_operation operation, uint32_t target) {
    struct random_program *p = m->p;
    assert(p->count < MAX);
    p->code[p->count].operation = operation;
    p->code[p->count].target = target;
    p->code[p->count].meeting = 0;
    return p->count++;
}

static uint32_t here(const struct making *m) {
    return address(m->p->count);
}

static void block(struct making *m, unsigned statements, unsigned level);

static void some(struct making *m, unsigned level) {
    block(m, 1 + seed_below(m->seed, 3), level + 1);
}

static void make_if(struct making *m, unsigned level) {
    const unsigned branch = emit(m, RANDOM_BRANCH, 0);
    some(m, level);
    if (seed_below(m->seed, 2)) {
        const unsigned jump = emit(m, RANDOM_JUMP, 0);
        m->p->code[branch].target = here(m);
        some(m, level);
        m->p->code[jump].target = here(m);
    } else
        m->p->code[branch].target = here(m);
}

/* Branches since the `first` break leave a block or a loop, here. */
static void land_breaks(struct making *m, unsigned first) {
    while (m->break_count > first) m->p->code[m->breaks[--m->break_count]].target = here(m);
}

static void make_loop(struct making *m, unsigned level) {
    const uint32_t top = here(m);
    const unsigned first = m->break_count;
    some(m, level);
    emit(m, RANDOM_LOOP, top);
    land_breaks(m, first);
}

/* A loop that all threads go round equally often, which wait for each other in some of its turns. */
static void make_loop_with_barrier(struct making *m) {
    const uint32_t top = here(m);
    const unsigned first = m->break_count;
    some(m, 0);
    land_breaks(m, first);
    const unsigned branch = emit(m, RANDOM_ALIKE_BRANCH, 0);
    emit(m, RANDOM_BARRIER, 0);
    m->p->code[branch].target = here(m);
    some(m, 0);
    land_breaks(m, first);
    emit(m, RANDOM_ALIKE_LOOP, top);
}

static void statement(struct making *m, unsigned level) {
    const unsigned x = seed_below(m->seed, 100);
    if (x < 35 || level > 3 || m->p->count > MAX - 64)
        emit(m, seed_below(m->seed, 3) ? RANDOM_ALU : RANDOM_LOAD, 0);
    else if (x < 60)
        make_if(m, level);
    else if (x < 75)
        make_loop(m, level);
    else if (x < 83 && level)
        m->breaks[m->break_count++] = emit(m, RANDOM_BRANCH, 0);
    else if (x < 90 && m->function < 2)
        emit(m, seed_below(m->seed, 2) ? RANDOM_CALL : RANDOM_CONDITIONAL_CALL,
             m->entry[m->function + 1 + seed_below(m->seed, 2 - m->function)]);
    else if (x < 93 && level && m->function)
        emit(m, RANDOM_CONDITIONAL_RETURN, 0);
    else if (x < 95 && level && !m->function)
        emit(m, RANDOM_CONDITIONAL_END, 0);
    else if (!m->barriers || level || m->function)
        emit(m, RANDOM_ALU, 0);
    else if (x < 98)
        emit(m, RANDOM_BARRIER, 0);
    else
        make_loop_with_barrier(m);
}

static void block(struct making *m, unsigned statements, unsigned level) {
    while (statements--) statement(m, level);
    if (!level) land_breaks(m, 0);
}

/* --- where threads meet: immediate post-dominators, by sets --- */

static unsigned successors(const struct random_program *p, unsigned n, unsigned next[2]) {
    const unsigned target = p->code[n].target / 4 - 1;
    next[0] = n + 1;
    switch (p->code[n].operation) {
    case RANDOM_BRANCH:
    case RANDOM_ALIKE_BRANCH:
    case RANDOM_LOOP:
    case RANDOM_ALIKE_LOOP: next[1] = target; return 2;
    case RANDOM_JUMP: next[0] = target; return 1;
    case RANDOM_END:
    case RANDOM_RETURN: next[0] = MAX; return 1;
    case RANDOM_CONDITIONAL_RETURN:
    case RANDOM_CONDITIONAL_END: next[1] = MAX; return 2;
    default: return 1;
    }
}

typedef uint64_t set[WORDS];

static bool contains(const uint64_t *s, unsigned n) {
    return s[n / 64] >> n % 64 & 1;
}

static unsigned size_of(const uint64_t *s) {
    unsigned size = 0;
    for (unsigned w = 0; w < WORDS; ++w) size += (unsigned)__builtin_popcountll(s[w]);
    return size;
}

/* Iterates once over all nodes. Returns whether a set has changed. */
static bool narrow(const struct random_program *p, set *behind) {
    bool changed = false;
    for (unsigned n = p->count; n--;) {
        unsigned next[2];
        set all;
        memset(all, 0xff, sizeof all);
        for (unsigned k = successors(p, n, next); k--;)
            for (unsigned w = 0; w < WORDS; ++w) all[w] &= behind[next[k]][w];
        all[n / 64] |= 1ull << n % 64;
        changed |= memcmp(all, behind[n], sizeof all) != 0;
        memcpy(behind[n], all, sizeof all);
    }
    return changed;
}

static void find_meetings(struct random_program *p) {
    set behind[MAX + 1];
    memset(behind, 0xff, sizeof behind);
    memset(behind[MAX], 0, sizeof behind[MAX]);
    behind[MAX][MAX / 64] = 1;
    while (narrow(p, behind)) {}
    for (unsigned n = 0; n < p->count; ++n) {
        unsigned next[2];
        if (p->code[n].operation == RANDOM_CONDITIONAL_CALL) p->code[n].meeting = address(n + 1);
        if (successors(p, n, next) < 2) continue;
        for (unsigned m = 0; m < p->count; ++m) /* the post-dominator that all others post-dominate */
            if (m != n && contains(behind[n], m) && size_of(behind[m]) == size_of(behind[n]) - 1 &&
                p->code[m].operation != RANDOM_END)
                p->code[n].meeting = address(m);
    }
}

void random_program_make(struct random_program *p, struct seed *seed, unsigned size, bool barriers) {
    struct making m = {.p = p, .seed = seed, .barriers = barriers};
    p->count = 0;
    for (unsigned f = 3; f--;) {
        m.function = f;
        m.entry[f] = here(&m);
        block(&m, f == 0 ? size : size / 3 > 2 ? size / 3 : 2, 0);
        emit(&m, f ? RANDOM_RETURN : RANDOM_END, 0);
    }
    p->start = m.entry[0];
    find_meetings(p);
}

/* --- running --- */

void random_thread_begin(struct random_thread *t, const struct random_program *p, uint64_t seed) {
    *t = (struct random_thread){.seed = seed, .pc = p->start};
}

/* Returns a random decision with probability `percent`, the same for all queries of a thread, place and
 * iteration. */
static bool happens(const struct random_thread *t, unsigned n, unsigned percent) {
    struct seed s = seed_of(t->seed * 0x100000001b3u + n * 0x10001u + t->turns[n]);
    return seed_below(&s, 100) < percent;
}

/* Returns a random decision that is the same for all threads in an iteration. */
static bool happens_to_all(const struct random_thread *t, unsigned n, unsigned percent) {
    struct seed s = seed_of(n * 0x10001u + t->turns[n]);
    return seed_below(&s, 100) < percent;
}

static uint32_t call(struct random_thread *t, uint32_t target) {
    t->back[t->calls++] = t->pc + 4;
    return target;
}

uint32_t random_thread_step(struct random_thread *t, const struct random_program *p) {
    const unsigned n = t->pc / 4 - 1;
    const uint32_t target = p->code[n].target;
    uint32_t pc = t->pc + 4;
    t->trace = (t->trace ^ t->pc) * 0x100000001b3u;
    switch (p->code[n].operation) {
    case RANDOM_ALU:
    case RANDOM_LOAD:
    case RANDOM_BARRIER: break;
    case RANDOM_BRANCH:
        if (happens(t, n, 50)) pc = target;
        break;
    case RANDOM_ALIKE_BRANCH:
        if (happens_to_all(t, n, 50)) pc = target;
        break;
    case RANDOM_ALIKE_LOOP:
        if (t->turns[n] % 16 < 12 && happens_to_all(t, n, 60)) pc = target;
        break;
    case RANDOM_LOOP:
        if (t->turns[n] % 16 < 12 && happens(t, n, 60)) pc = target;
        break;
    case RANDOM_JUMP: pc = target; break;
    case RANDOM_CALL: pc = call(t, target); break;
    case RANDOM_CONDITIONAL_CALL:
        if (happens(t, n, 50)) pc = call(t, target);
        break;
    case RANDOM_RETURN: pc = t->back[--t->calls]; break;
    case RANDOM_CONDITIONAL_RETURN:
        if (happens(t, n, 30)) pc = t->back[--t->calls];
        break;
    case RANDOM_END: pc = 0; break;
    case RANDOM_CONDITIONAL_END:
        if (happens(t, n, 20)) pc = 0;
        break;
    }
    ++t->turns[n];
    return t->pc = pc;
}

uint64_t random_thread_path(const struct random_program *p, uint64_t seed) {
    struct random_thread t;
    random_thread_begin(&t, p, seed);
    while (t.pc) random_thread_step(&t, p);
    return t.trace;
}
