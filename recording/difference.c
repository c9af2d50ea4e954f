/* Recordings compared cycle by cycle. */
#include "recording/difference.h"

#include "recording/changes.h"
#include "recording/description.h"
#include "recording/recording_format.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define BEFORE 5 /* records that are shown before the one that differs */

/* Records of a unit, by cycle. */
struct side {
    const struct recording *r;
    struct record *record;
    size_t count, room;
    bool runs; /* runs of cores and stalls are compared, too */
};

static void keep(void *context, unsigned unit, const struct record *x) {
    struct side *s = context;
    (void)unit;
    if (x->kind == RECORD_ACCESS || x->kind == RECORD_COMMAND) return;
    if ((x->kind == RECORD_RUN || x->kind == RECORD_STALL) && !s->runs) return;
    if (s->count == s->room) {
        s->room = s->room ? 2 * s->room : 4096;
        s->record = realloc(s->record, s->room * sizeof *s->record);
        require_memory(s->record);
    }
    s->record[s->count++] = *x;
}

static bool is_before(const struct record *x, const struct record *y) {
    if (x->cycle != y->cycle) return x->cycle < y->cycle;
    if (x->kind != y->kind) return x->kind < y->kind;
    return x->place < y->place;
}

/* Orders records by cycle, kind and place: those of one cycle are few. */
static void sort(struct side *s) {
    struct changes order = {0};
    struct record *sorted = malloc((s->count + 1) * sizeof *sorted);
    require_memory(sorted);
    order.count = s->count;
    changes_store(&order);
    for (size_t n = 0; n < s->count; ++n) changes_add(&order, s->record[n].cycle, 0, CHANGE_SET, n);
    changes_sort(&order);
    for (size_t n = 0; n < s->count; ++n) {
        const struct record x = s->record[order.change[n].value];
        size_t at = n;
        for (; at > 0 && is_before(&x, &sorted[at - 1]); --at) sorted[at] = sorted[at - 1];
        sorted[at] = x;
    }
    changes_free(&order);
    free(s->record);
    s->record = sorted;
}

/* Returns the number of the first chunk of a unit from `from` on; chunk_count: there is none. */
static size_t next_chunk(const struct recording *r, unsigned unit, size_t from) {
    while (from < r->chunk_count && r->chunks[from].chunk.unit != unit) ++from;
    return from;
}

/* Returns how many chunks at the beginning of a unit are equal; SIZE_MAX: all. */
static size_t equal_chunks(const struct recording *a, const struct recording *b, unsigned unit) {
    size_t x = 0, y = 0;
    for (size_t n = 0;; ++n, ++x, ++y) {
        x = next_chunk(a, unit, x);
        y = next_chunk(b, unit, y);
        if (x == a->chunk_count && y == b->chunk_count) return SIZE_MAX;
        if (x == a->chunk_count || y == b->chunk_count ||
            memcmp(&a->chunks[x].chunk, &b->chunks[y].chunk, sizeof a->chunks->chunk) != 0)
            return n;
    }
}

static bool is_equal(const struct record *x, const struct record *y) {
    return x->cycle == y->cycle && x->threads == y->threads && x->passed == y->passed && x->pc == y->pc &&
           x->place == y->place && x->kind == y->kind && x->form == y->form && x->flags == y->flags &&
           memcmp(x->after, y->after, sizeof x->after) == 0;
}

/* The first difference so far: sides of the unit, and the number of the record. */
struct found {
    struct side side[2];
    unsigned unit;
    size_t at;
    uint64_t cycle;
};

static uint64_t cycle_of(const struct side *s, size_t n) {
    return n < s->count ? s->record[n].cycle : UINT64_MAX;
}

static void compare(struct side side[2], unsigned unit, struct found *f) {
    size_t n = 0;
    while (n < side[0].count && n < side[1].count && is_equal(&side[0].record[n], &side[1].record[n])) ++n;
    const uint64_t x = cycle_of(&side[0], n), y = cycle_of(&side[1], n), first = x < y ? x : y;
    if (first >= f->cycle) return;
    free(f->side[0].record);
    free(f->side[1].record);
    *f = (struct found){{side[0], side[1]}, unit, n, first};
    side[0].record = side[1].record = NULL;
}

/* Compares a unit, from the last chunk on that is equal in both: records before the difference are in it. */
static bool compare_unit(const struct recording *a, const struct recording *b, unsigned unit, bool runs,
                         struct found *f, struct error *e) {
    const size_t equal = equal_chunks(a, b, unit);
    if (equal == SIZE_MAX) return true;
    struct side side[2] = {{.r = a, .runs = runs}, {.r = b, .runs = runs}};
    bool good = true;
    for (unsigned n = 0; n < 2; ++n) {
        good = good && recording_unit_records(side[n].r, unit, equal ? equal - 1 : 0, keep, &side[n], e);
        sort(&side[n]);
    }
    if (good) compare(side, unit, f);
    free(side[0].record);
    free(side[1].record);
    return good;
}

static void print_record(const struct side *s, unsigned unit, size_t n, const char *name, FILE *out) {
    char text[DESCRIPTION_BYTES];
    if (n >= s->count) {
        fprintf(out, "  %s: no record\n", name);
        return;
    }
    description_of(s->r, unit, &s->record[n], text);
    fprintf(out, "  %s: cycle %" PRIu64 "  %s\n", name, s->record[n].cycle, text);
}

/* Prints the stamps that differ of two flights of the same instruction. */
static void print_stamps(const struct found *f, FILE *out) {
    if (f->at >= f->side[0].count || f->at >= f->side[1].count) return;
    const struct record *x = &f->side[0].record[f->at], *y = &f->side[1].record[f->at];
    if (x->kind != RECORD_FLIGHT || y->kind != RECORD_FLIGHT || x->pc != y->pc || x->place != y->place)
        return;
    for (unsigned n = 0; n < RECORD_STAMPS; ++n)
        if (x->after[n] != y->after[n])
            fprintf(out, "  %s: %" PRIu32 " and %" PRIu32 " cycles after its selection\n",
                    description_stamp[n], x->after[n], y->after[n]);
    if (x->passed != y->passed)
        fprintf(out, "  threads whose condition held: %" PRIx64 " and %" PRIx64 "\n", x->passed, y->passed);
}

static void print_difference(const struct found *f, FILE *out) {
    fprintf(out, "the first difference is in cycle %" PRIu64 ":\n", f->cycle);
    for (size_t n = f->at > BEFORE ? f->at - BEFORE : 0; n < f->at; ++n)
        print_record(&f->side[0], f->unit, n, "both", out);
    for (unsigned s = 0; s < 2; ++s) print_record(&f->side[s], f->unit, f->at, f->side[s].r->path, out);
    print_stamps(f, out);
}

/* --- launches --- */

static bool launch_is_equal(const struct recording_launch *x, const struct recording_launch *y) {
    return strcmp(x->kernel, y->kernel) == 0 && strcmp(x->mode, y->mode) == 0 &&
           memcmp(x->global, y->global, sizeof x->global) == 0 &&
           memcmp(x->local, y->local, sizeof x->local) == 0 && x->first == y->first && x->end == y->end;
}

static void print_launch(const struct recording *r, size_t n, FILE *out) {
    if (n >= r->launch_count) {
        fprintf(out, "  %s: no launch %zu\n", r->path, n);
        return;
    }
    const struct recording_launch *l = &r->launches[n];
    fprintf(out,
            "  %s: launch %zu, kernel %s, mode %s, %" PRIu32 " x %" PRIu32 " x %" PRIu32
            " work-items, cycles %" PRIu64 " to %" PRIu64 "\n",
            r->path, n, l->kernel, l->mode, l->global[0], l->global[1], l->global[2], l->first, l->end - 1);
}

/* Prints the first launch that differs; returns whether there is one. */
static bool compare_launches(const struct recording *a, const struct recording *b, FILE *out) {
    size_t n = 0;
    while (n < a->launch_count && n < b->launch_count && launch_is_equal(&a->launches[n], &b->launches[n]))
        ++n;
    if (n == a->launch_count && n == b->launch_count) return false;
    fputs("the launches differ:\n", out);
    print_launch(a, n, out);
    print_launch(b, n, out);
    return true;
}

static bool same_units(const struct recording *a, const struct recording *b, struct error *e) {
    bool same = a->unit_count == b->unit_count;
    for (size_t n = 0; same && n < a->unit_count; ++n) {
        const struct recording_unit *x = &a->units[n], *y = &b->units[n];
        same = x->sm == y->sm && x->warps == y->warps && x->warp_size == y->warp_size && x->cores == y->cores;
    }
    return same || error_set(e, EXIT_USER,
                             "%s and %s are of machines with other clusters, warps or cores: compare them "
                             "with --by=work, which asks for warps of one size only",
                             a->path, b->path);
}

bool difference_by_cycle(const struct recording *a, const struct recording *b, uint64_t last, FILE *out,
                         bool *differs, struct error *e) {
    struct found f = {.cycle = UINT64_MAX};
    bool good = same_units(a, b, e);
    *differs = false;
    for (unsigned unit = 0; good && unit < a->unit_count; ++unit)
        good = compare_unit(a, b, unit, last == UINT64_MAX && a->accesses == b->accesses, &f, e);
    if (good) {
        const bool other = f.cycle != UINT64_MAX && f.cycle <= last;
        *differs = last == UINT64_MAX && compare_launches(a, b, out);
        if (other) print_difference(&f, out);
        *differs |= other;
    }
    free(f.side[0].record);
    free(f.side[1].record);
    return good;
}
