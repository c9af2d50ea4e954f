#include "recording/window.h"

#include "sim/nearest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Visits records of the structure only: no other record overlaps the last cycle. */
static bool structure(const struct recording *r, recording_visit *visit, void *context, struct error *e) {
    return recording_records(r, UINT64_MAX, UINT64_MAX, visit, context, e);
}

/* --- the first cycle in which warps run --- */

struct start {
    uint64_t after, cycle;
};

static void note_start(void *context, unsigned unit, const struct record *r) {
    struct start *s = context;
    (void)unit;
    if ((r->kind == RECORD_START || r->kind == RECORD_GROUP) && r->cycle >= s->after && r->cycle < s->cycle)
        s->cycle = r->cycle;
}

/* Sets the view to begin where the first warps, or cores with work-groups, begin. */
static bool view_of(const struct recording *r, struct window *w, struct error *e) {
    struct start s = {w->first, w->last};
    if (!structure(r, note_start, &s, e)) return false;
    w->view = w->mark = s.cycle < w->last ? s.cycle : w->first;
    return true;
}

/* --- windows --- */

bool window_of_launch(const struct recording *r, uint64_t launch, struct window *w, struct error *e) {
    if (launch >= r->launch_count)
        return error_set(e, EXIT_USER, "--launch %llu: %s has %zu launches: 0 to %zu",
                         (unsigned long long)launch, r->path, r->launch_count, r->launch_count - 1);
    const struct recording_launch *l = &r->launches[launch];
    *w = (struct window){.first = l->first, .last = l->end > l->first ? l->end - 1 : l->first};
    return view_of(r, w, e);
}

bool window_of_interest(const struct recording *r, struct window *w, struct error *e) {
    const struct recording_launch *longest = r->launches, *last = &r->launches[r->launch_count - 1];
    for (const struct recording_launch *l = r->launches; l <= last; ++l)
        if (l->end - l->first > longest->end - longest->first) longest = l;
    if (last->error) {
        const uint64_t end = last->end, cycles = end - last->first;
        *w = (struct window){.first = end - (cycles < WINDOW_CYCLES ? cycles : WINDOW_CYCLES),
                             .last = end - (end > 0)};
        w->view = end - w->first < WINDOW_VIEW ? w->first : end - WINDOW_VIEW;
        w->mark = w->last;
        return true;
    }
    if (!window_of_launch(r, (uint64_t)(longest - r->launches), w, e)) return false;
    w->first = w->view;
    if (w->last - w->first >= WINDOW_CYCLES) w->last = w->first + WINDOW_CYCLES - 1;
    return true;
}

bool window_of_cycles(const struct recording *r, uint64_t first, uint64_t last, struct window *w,
                      struct error *e) {
    if (first >= r->end)
        return error_set(e, EXIT_USER, "--cycles %llu:%llu: %s ends at cycle %llu", (unsigned long long)first,
                         (unsigned long long)last, r->path, (unsigned long long)r->end - 1);
    *w = (struct window){.first = first, .last = last < r->end ? last : r->end - 1};
    return view_of(r, w, e);
}

struct group {
    uint32_t id[3];
    uint64_t first, last; /* cycles in which the group may begin; its own cycles, once it is found */
    unsigned unit, place;
    bool found, ended;
};

static void note_group(void *context, unsigned unit, const struct record *r) {
    struct group *g = context;
    if (r->kind == RECORD_GROUP && !g->found && r->cycle >= g->first && r->cycle <= g->last &&
        memcmp(r->after, g->id, sizeof g->id) == 0) {
        g->found = true;
        g->first = r->cycle;
        g->unit = unit;
        g->place = r->place;
    } else if (r->kind == RECORD_GROUP_END && g->found && !g->ended && unit == g->unit &&
               r->place == g->place && r->cycle >= g->first) {
        g->ended = true;
        g->last = r->cycle;
    }
}

bool window_of_group(const struct recording *r, const uint32_t id[3], uint64_t launch, struct window *w,
                     struct error *e) {
    struct group g = {.id = {id[0], id[1], id[2]}, .last = r->end};
    if (launch != UINT64_MAX && !window_of_launch(r, launch, w, e)) return false;
    if (launch != UINT64_MAX) g.first = w->first, g.last = w->last;
    const size_t shown = launch == UINT64_MAX ? 0 : (size_t)launch;
    if (!structure(r, note_group, &g, e)) return false;
    if (!g.found)
        return error_set(e, EXIT_USER,
                         "--work-group %u,%u,%u: no such work-group has begun%s; launch %zu has %u x %u x %u",
                         id[0], id[1], id[2], launch == UINT64_MAX ? "" : " in that launch", shown,
                         r->launches[shown].groups[0], r->launches[shown].groups[1],
                         r->launches[shown].groups[2]);
    *w = (struct window){.first = g.first, .last = g.ended ? g.last : r->end - 1};
    return view_of(r, w, e);
}

/* --- a cycle, or a line --- */

bool window_show(const struct recording *r, struct window *w, uint64_t cycle, bool keep, struct error *e) {
    if (cycle >= r->end)
        return error_set(e, EXIT_USER, "--at %llu: %s ends at cycle %llu", (unsigned long long)cycle, r->path,
                         (unsigned long long)r->end - 1);
    if (keep && (cycle < w->first || cycle > w->last))
        return error_set(e, EXIT_USER, "--at %llu: the cycles that are shown are %llu to %llu",
                         (unsigned long long)cycle, (unsigned long long)w->first,
                         (unsigned long long)w->last);
    if (!keep) {
        w->first = cycle > WINDOW_CYCLES / 2 ? cycle - WINDOW_CYCLES / 2 : 0;
        w->last = r->end - w->first > WINDOW_CYCLES ? w->first + WINDOW_CYCLES - 1 : r->end - 1;
    }
    w->mark = cycle;
    w->view = cycle - w->first > WINDOW_VIEW / 4 ? cycle - WINDOW_VIEW / 4 : w->first;
    return true;
}

struct line {
    const struct recording *r;
    const struct window *w;
    const char *kernel;
    unsigned line;
    const struct recording_launch *launch; /* launch of the last record; most records have the same */
    uint64_t cycle;                        /* cycle of the line; UINT64_MAX: not found */
};

static void note_line(void *context, unsigned unit, const struct record *x) {
    struct line *s = context;
    (void)unit;
    if ((x->kind != RECORD_FLIGHT && x->kind != RECORD_RUN) || x->cycle < s->w->first ||
        x->cycle > s->w->last || x->cycle >= s->cycle)
        return;
    if (!s->launch || x->cycle < s->launch->first || x->cycle >= s->launch->end)
        s->launch = recording_launch_at(s->r, x->cycle);
    if (!s->launch || strcmp(s->launch->kernel, s->kernel) != 0) return;
    const uint64_t count = x->kind == RECORD_RUN && x->threads < s->launch->code->count ? x->threads : 1;
    for (uint32_t n = 0; n < count; ++n)
        if (recording_line(s->launch->code, x->pc + 4 * n) == s->line) s->cycle = x->cycle;
}

/* Says which kernels, or which lines of the kernel, there are. */
static bool refuse_line(const struct recording *r, const struct line *s, struct error *e) {
    const struct recording_launch *l = NULL;
    char *names;
    size_t size;
    FILE *out = open_memstream(&names, &size);
    require_memory(out);
    for (size_t n = 0; n < r->launch_count; ++n) {
        if (strcmp(r->launches[n].kernel, s->kernel) == 0) l = &r->launches[n];
        size_t before = 0; /* an earlier launch of the same kernel */
        while (strcmp(r->launches[before].kernel, r->launches[n].kernel) != 0) ++before;
        if (before == n) fprintf(out, "%s%s", n ? ", " : "", r->launches[n].kernel);
    }
    fclose(out);
    unsigned below = 0, above = 0; /* the nearest lines that have instructions */
    for (uint32_t n = 0; l && n < l->code->count; ++n) {
        const unsigned line = l->code->line[n];
        if (line && line <= s->line && line > below) below = line;
        if (line > s->line && (!above || line < above)) above = line;
    }
    if (!l)
        error_set(e, EXIT_USER, "--at %s:%u: no such kernel ran%s; kernels: %.300s", s->kernel, s->line,
                  nearest_hint(s->kernel, strlen(s->kernel), names), names);
    else if (below == s->line)
        error_set(e, EXIT_USER, "--at %s:%u: no instruction of the line begins in cycles %llu to %llu",
                  s->kernel, s->line, (unsigned long long)s->w->first, (unsigned long long)s->w->last);
    else
        error_set(e, EXIT_USER, "--at %s:%u: the line has no instructions; the nearest that has some is %u",
                  s->kernel, s->line, !below || (above && above - s->line < s->line - below) ? above : below);
    free(names);
    return false;
}

bool window_find_line(const struct recording *r, const struct window *w, const char *kernel, unsigned line,
                      uint64_t *cycle, struct error *e) {
    struct line s = {.r = r, .w = w, .kernel = kernel, .line = line, .cycle = UINT64_MAX};
    if (!recording_records(r, w->first, w->last, note_line, &s, e)) return false;
    *cycle = s.cycle;
    return s.cycle != UINT64_MAX || refuse_line(r, &s, e);
}
