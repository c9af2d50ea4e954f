/* Recordings compared by the work of each warp, or core in MIMD mode, in whichever cycles it ran. */
#include "recording/difference.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LINES_SHOWN 10

/* Consecutive instructions of a warp or a core: a single one of a warp. */
struct step {
    uint64_t cycle; /* cycle in which the first one is selected */
    uint64_t threads;
    uint32_t pc, count;
    uint32_t cycles; /* cycles until the next step; of the last one, until its end */
    uint32_t worker;
};

/* A warp with the threads of a work-group, or a core with a work-group in a MIMD launch. */
struct worker {
    uint32_t launch, id[3], warp; /* warp: its number in the work-group */
    uint32_t unit, place;
    uint64_t first;     /* cycle in which it may run first */
    uint32_t before;    /* the worker before at the same place; NONE */
    size_t step, count; /* its steps */
};

#define NONE UINT32_MAX

struct work {
    const struct recording *r;
    struct worker *worker;
    size_t workers, worker_room;
    struct step *step;
    size_t steps, step_room;
    /* State of the unit that is read. */
    uint32_t *latest;   /* worker of each warp, then of each core; NONE */
    uint32_t *group_id; /* id of the work-group that began last */
    uint32_t launch;    /* launch of that work-group */
    uint32_t starts;    /* warps that have started since */
};

static void *room_for(void *items, size_t count, size_t *room, size_t bytes) {
    if (count < *room) return items;
    *room = *room ? 2 * *room : 1024;
    items = realloc(items, *room * bytes);
    require_memory(items);
    return items;
}

static void add_worker(struct work *w, unsigned unit, uint32_t slot, const struct record *x, uint32_t warp,
                       const uint32_t id[3]) {
    w->worker = room_for(w->worker, w->workers, &w->worker_room, sizeof *w->worker);
    w->worker[w->workers] = (struct worker){.launch = w->launch,
                                            .id = {id[0], id[1], id[2]},
                                            .warp = warp,
                                            .unit = unit,
                                            .place = x->place,
                                            .first = x->cycle - 1,
                                            .before = w->latest[slot]};
    w->latest[slot] = (uint32_t)w->workers++;
}

/* Adds a step to the worker that its place had in its cycle. */
static void add_step(struct work *w, uint32_t slot, const struct record *x, uint32_t count, uint64_t cycle,
                     uint32_t cycles) {
    uint32_t worker = w->latest[slot];
    while (worker != NONE && w->worker[worker].first > cycle) worker = w->worker[worker].before;
    if (worker == NONE) return;
    w->step = room_for(w->step, w->steps, &w->step_room, sizeof *w->step);
    w->step[w->steps++] = (struct step){.cycle = cycle,
                                        .threads = x->kind == RECORD_FLIGHT ? x->threads : 0,
                                        .pc = x->pc,
                                        .count = count,
                                        .cycles = cycles,
                                        .worker = worker};
    ++w->worker[worker].count;
}

static void visit_record(void *context, unsigned unit, const struct record *x) {
    struct work *w = context;
    const struct recording_unit *u = &w->r->units[unit];
    if (x->kind == RECORD_GROUP) {
        const struct recording_launch *l = recording_launch_at(w->r, x->cycle);
        memcpy(w->group_id, x->after, 3 * sizeof *w->group_id);
        w->starts = 0;
        w->launch = l ? (uint32_t)(l - w->r->launches) : 0;
        if (l && strcmp(l->mode, "mimd") == 0 && x->place < u->cores)
            add_worker(w, unit, u->warps + x->place, x, 0, x->after);
    } else if (x->kind == RECORD_START && x->place < u->warps) {
        add_worker(w, unit, x->place, x, w->starts++, w->group_id);
    } else if (x->kind == RECORD_FLIGHT && x->place < u->warps) {
        add_step(w, x->place, x, 1, x->cycle, x->after[RECORD_COMMIT] + 1);
    } else if (x->kind == RECORD_RUN && x->place < u->cores && x->after[1]) {
        const uint32_t times = x->after[1], cycles = x->after[0] / times;
        for (uint32_t n = 0; n < times; ++n)
            add_step(w, u->warps + x->place, x, (uint32_t)x->threads, x->cycle + (uint64_t)n * cycles,
                     cycles);
    }
}

/* Puts the steps of each worker one behind the other, in their order, and lets each last until the next. */
static void order_steps(struct work *w) {
    struct step *ordered = malloc((w->steps + 1) * sizeof *ordered);
    require_memory(ordered);
    size_t sum = 0;
    for (size_t n = 0; n < w->workers; ++n) {
        w->worker[n].step = sum;
        sum += w->worker[n].count;
        w->worker[n].count = 0;
    }
    for (size_t n = 0; n < w->steps; ++n) {
        struct worker *k = &w->worker[w->step[n].worker];
        size_t at = k->step + k->count++;
        for (; at > k->step && ordered[at - 1].cycle > w->step[n].cycle; --at) ordered[at] = ordered[at - 1];
        ordered[at] = w->step[n];
    }
    for (size_t n = 0; n + 1 < w->steps; ++n)
        if (ordered[n].worker == ordered[n + 1].worker)
            ordered[n].cycles = (uint32_t)(ordered[n + 1].cycle - ordered[n].cycle);
    free(w->step);
    w->step = ordered;
}

static int by_work(const void *a, const void *b) {
    const struct worker *x = a, *y = b;
    const uint32_t key[2][5] = {{x->launch, x->id[2], x->id[1], x->id[0], x->warp},
                                {y->launch, y->id[2], y->id[1], y->id[0], y->warp}};
    for (unsigned n = 0; n < 5; ++n)
        if (key[0][n] != key[1][n]) return key[0][n] < key[1][n] ? -1 : 1;
    return 0;
}

static bool read_work(struct work *w, const struct recording *r, struct error *e) {
    bool good = true;
    *w = (struct work){.r = r};
    for (unsigned unit = 0; good && unit < r->unit_count; ++unit) {
        const size_t places = r->units[unit].warps + (size_t)r->units[unit].cores;
        uint32_t id[3] = {0};
        w->group_id = id;
        w->latest = malloc(places * sizeof *w->latest);
        require_memory(w->latest);
        memset(w->latest, 0xff, places * sizeof *w->latest);
        good = recording_unit_records(r, unit, 0, visit_record, w, e);
        free(w->latest);
    }
    if (!good) return false;
    order_steps(w);
    if (w->workers) qsort(w->worker, w->workers, sizeof *w->worker, by_work);
    return true;
}

static void free_work(struct work *w) {
    free(w->worker);
    free(w->step);
}

/* --- a worker of both --- */

/* Instructions of a worker that have still to be compared: those of step `at`, but its first `used`. */
struct cursor {
    const struct work *w;
    const struct worker *worker;
    size_t at;
    uint32_t used;
    uint64_t instructions; /* compared so far */
};

static const struct step *step_of(const struct cursor *c) {
    return c->at < c->worker->count ? &c->w->step[c->worker->step + c->at] : NULL;
}

static uint32_t pc_of(const struct cursor *c) {
    return step_of(c)->pc + 4 * c->used;
}

/* Goes n instructions on; returns their share of the step's cycles. */
static double advance(struct cursor *c, uint32_t n) {
    const struct step *s = step_of(c);
    c->used += n;
    c->instructions += n;
    if (c->used == s->count) c->used = 0, ++c->at;
    return (double)s->cycles * n / s->count;
}

/* A finding, ordered by the cycles of the first recording. */
struct finding {
    struct cursor cursor[2];
    uint64_t cycle;
};

struct comparison {
    struct work work[2];
    struct finding path, longer, shorter;
    double (*line)[2]; /* cycles of each source line */
    uint32_t lines;
    double total[2];
};

static void note_earliest(struct finding *f, const struct cursor cursor[2]) {
    const struct step *x = step_of(&cursor[0]), *y = step_of(&cursor[1]);
    const uint64_t cycle = x ? x->cycle : y->cycle;
    if (cycle >= f->cycle) return;
    *f = (struct finding){{cursor[0], cursor[1]}, cycle};
}

static unsigned line_of(const struct cursor *c, uint32_t pc) {
    return recording_line(c->w->r->launches[c->worker->launch].code, pc);
}

static void count_line(struct comparison *c, unsigned line, const double cycles[2]) {
    if (line >= c->lines) {
        const uint32_t lines = line + 100;
        c->line = realloc(c->line, lines * sizeof *c->line);
        require_memory(c->line);
        memset(c->line + c->lines, 0, (lines - c->lines) * sizeof *c->line);
        c->lines = lines;
    }
    for (unsigned n = 0; n < 2; ++n) {
        c->line[line][n] += cycles[n];
        c->total[n] += cycles[n];
    }
}

/* Steps of cores end at waits, which come in other cycles: instructions are compared, not steps. */
static void compare_worker(struct comparison *c, const struct worker *x, const struct worker *y) {
    struct cursor cursor[2] = {{.w = &c->work[0], .worker = x}, {.w = &c->work[1], .worker = y}};
    for (;;) {
        const struct step *s = step_of(&cursor[0]), *t = step_of(&cursor[1]);
        if (!s && !t) return;
        if (!s || !t || pc_of(&cursor[0]) != pc_of(&cursor[1]) || s->threads != t->threads) {
            note_earliest(&c->path, cursor);
            return;
        }
        const uint32_t left[2] = {s->count - cursor[0].used, t->count - cursor[1].used};
        const uint32_t n = left[0] < left[1] ? left[0] : left[1];
        if (s->count == t->count && s->cycles != t->cycles)
            note_earliest(t->cycles > s->cycles ? &c->longer : &c->shorter, cursor);
        const unsigned line = line_of(&cursor[0], pc_of(&cursor[0]));
        const double cycles[2] = {advance(&cursor[0], n), advance(&cursor[1], n)};
        count_line(c, line, cycles);
    }
}

/* --- what is printed --- */

static void print_worker(const struct cursor *c, FILE *out) {
    const struct worker *k = c->worker;
    const struct recording_launch *l = &c->w->r->launches[k->launch];
    const bool core = strcmp(l->mode, "mimd") == 0;
    fprintf(out, "launch %" PRIu32 ", kernel %s, work-group (%" PRIu32 ", %" PRIu32 ", %" PRIu32 ")",
            k->launch, l->kernel, k->id[0], k->id[1], k->id[2]);
    if (!core) fprintf(out, ", its warp %" PRIu32, k->warp);
    fprintf(out, ", instruction %" PRIu64 ":\n", c->instructions);
}

static void print_side(const struct cursor *c, FILE *out) {
    const struct worker *k = c->worker;
    const struct recording *r = c->w->r;
    const struct recording_launch *l = &r->launches[k->launch];
    const bool core = strcmp(l->mode, "mimd") == 0;
    const struct step *s = step_of(c);
    fprintf(out, "  %s: %s.%s%" PRIu32, r->path, r->units[k->unit].name, core ? "core" : "warp", k->place);
    if (!s) {
        fputs(" has ended\n", out);
        return;
    }
    fprintf(out, "  cycle %" PRIu64 "  0x%" PRIx32 "  %s", s->cycle, pc_of(c),
            recording_text(l->code, pc_of(c)));
    if (line_of(c, pc_of(c))) fprintf(out, " (line %u)", line_of(c, pc_of(c)));
    if (!core) fprintf(out, ", threads %" PRIx64, s->threads);
    fprintf(out, ", %" PRIu32 " cycles\n", s->cycles);
}

static void print_finding(const struct finding *f, const char *title, FILE *out) {
    fputs(title, out);
    print_worker(&f->cursor[0], out);
    for (unsigned n = 0; n < 2; ++n) print_side(&f->cursor[n], out);
}

static double magnitude(const double cycles[2]) {
    return cycles[1] > cycles[0] ? cycles[1] - cycles[0] : cycles[0] - cycles[1];
}

static void print_lines(const struct comparison *c, FILE *out) {
    bool *shown = calloc(c->lines + 1, sizeof *shown);
    require_memory(shown);
    fprintf(out, "%12s %16s %16s %16s\n", "line", "first", "second", "more");
    for (unsigned n = 0; n < LINES_SHOWN; ++n) {
        uint32_t most = c->lines;
        for (uint32_t line = 0; line < c->lines; ++line)
            if (!shown[line] && magnitude(c->line[line]) > (most < c->lines ? magnitude(c->line[most]) : 0))
                most = line;
        if (most == c->lines) break;
        shown[most] = true;
        char name[16] = "unknown";
        if (most) snprintf(name, sizeof name, "%" PRIu32, most);
        fprintf(out, "%12s %16.0f %16.0f %+16.0f\n", name, c->line[most][0], c->line[most][1],
                c->line[most][1] - c->line[most][0]);
    }
    fprintf(out, "%12s %16.0f %16.0f %+16.0f\n", "all lines", c->total[0], c->total[1],
            c->total[1] - c->total[0]);
    free(shown);
}

/* --- all --- */

static bool launches_match(const struct recording *a, const struct recording *b, FILE *out) {
    for (size_t n = 0; n < a->launch_count || n < b->launch_count; ++n) {
        const struct recording_launch *x = n < a->launch_count ? &a->launches[n] : NULL;
        const struct recording_launch *y = n < b->launch_count ? &b->launches[n] : NULL;
        if (x && y && strcmp(x->kernel, y->kernel) == 0 && strcmp(x->mode, y->mode) == 0 &&
            memcmp(x->global, y->global, sizeof x->global) == 0 &&
            memcmp(x->local, y->local, sizeof x->local) == 0)
            continue;
        fprintf(out, "launch %zu differs: kernel %s in mode %s of %s, kernel %s in mode %s of %s\n", n,
                x ? x->kernel : "(none)", x ? x->mode : "-", a->path, y ? y->kernel : "(none)",
                y ? y->mode : "-", b->path);
        return false;
    }
    return true;
}

static bool code_matches(const struct recording *a, const struct recording *b, FILE *out) {
    for (size_t n = 0; n < a->launch_count; ++n) {
        const struct recording_code *x = a->launches[n].code, *y = b->launches[n].code;
        uint32_t i = 0;
        while (i < x->count && i < y->count && strcmp(x->text[i], y->text[i]) == 0) ++i;
        if (x->base == y->base && i == x->count && i == y->count) continue;
        fprintf(out, "the code of launch %zu differs, first at 0x%" PRIx32 ":\n  %s: %s\n  %s: %s\n", n,
                x->base + 4 * i, a->path, i < x->count ? x->text[i] : "(its end)", b->path,
                i < y->count ? y->text[i] : "(its end)");
        return false;
    }
    return true;
}

/* Compares the workers of both; returns how many only one has. */
static size_t compare_workers(struct comparison *c) {
    const struct work *a = &c->work[0], *b = &c->work[1];
    size_t x = 0, y = 0, alone = 0;
    while (x < a->workers && y < b->workers) {
        const int order = by_work(&a->worker[x], &b->worker[y]);
        alone += order != 0;
        if (order == 0) compare_worker(c, &a->worker[x], &b->worker[y]);
        x += order <= 0;
        y += order >= 0;
    }
    return alone + (a->workers - x) + (b->workers - y);
}

static bool print_comparison(const struct comparison *c, size_t alone, FILE *out) {
    if (alone) fprintf(out, "%zu warps or work-groups ran in one of the runs only\n", alone);
    if (c->path.cycle != UINT64_MAX) {
        print_finding(&c->path, "the first other path: ", out);
        return true;
    }
    const bool longer = c->longer.cycle != UINT64_MAX, shorter = c->shorter.cycle != UINT64_MAX;
    if (longer) print_finding(&c->longer, "the first instruction that takes longer: ", out);
    if (!longer && shorter) print_finding(&c->shorter, "the first instruction that takes less: ", out);
    if (longer || shorter) {
        fputs("cycles from each instruction to the next of its warp or core:\n", out);
        print_lines(c, out);
    }
    return alone || longer || shorter;
}

static bool same_warps(const struct recording *a, const struct recording *b, struct error *e) {
    if (a->units->warp_size == b->units->warp_size) return true;
    return error_set(e, EXIT_USER, "%s has warps of %u threads, %s of %u: their warps do other work", a->path,
                     a->units->warp_size, b->path, b->units->warp_size);
}

bool difference_by_work(const struct recording *a, const struct recording *b, FILE *out, bool *differs,
                        struct error *e) {
    static const struct finding nothing = {.cycle = UINT64_MAX};
    struct comparison c = {.path = nothing, .longer = nothing, .shorter = nothing};
    *differs = true;
    if (!launches_match(a, b, out)) return true;
    if (!code_matches(a, b, out)) return true;
    const bool good = same_warps(a, b, e) && read_work(&c.work[0], a, e) && read_work(&c.work[1], b, e);
    if (good) {
        const size_t alone = compare_workers(&c);
        *differs = print_comparison(&c, alone, out);
    }
    for (unsigned n = 0; n < 2; ++n) free_work(&c.work[n]);
    free(c.line);
    return good;
}
