#include "sim/trace_difference.h"

#include <fstapi.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define NAMES_SHOWN 10

struct variable {
    char *name; /* name with its scope, without its range */
    fstHandle handle;
};

/* Changes of a handle: their number and a hash of them. */
struct sum {
    uint64_t changes, hash, last; /* last: hash of the last value */
};

struct change {
    uint64_t time, value; /* value: a hash */
};

struct list {
    struct change *change;
    size_t count, room;
};

struct side {
    const char *path;
    void *reader;
    struct variable *variable; /* variables, sorted by name */
    size_t count;
    struct sum *sum;   /* sum of each handle */
    struct list *list; /* changes of each handle that differs; NULL while there are only sums */
};

bool trace_is_fst(const char *path) {
    unsigned char first[9] = {1};
    FILE *file = fopen(path, "rb");
    const size_t got = file ? fread(first, 1, sizeof first, file) : 0;
    if (file) fclose(file);
    return got == sizeof first && (first[0] == FST_BL_HDR || first[0] == FST_BL_ZWRAPPER);
}

/* --- variables --- */

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct variable *)a)->name, ((const struct variable *)b)->name);
}

static void add_variable(struct side *s, const struct fstHier *h) {
    const char *scope = fstReaderGetCurrentFlatScope(s->reader);
    struct variable *v;
    s->variable = realloc(s->variable, (s->count + 1) * sizeof *s->variable);
    require_memory(s->variable);
    v = &s->variable[s->count++];
    v->handle = h->u.var.handle;
    require_memory(asprintf(&v->name, "%s%s%.*s", scope, *scope ? "." : "", (int)strcspn(h->u.var.name, " "),
                            h->u.var.name) >= 0);
}

static bool open_side(struct side *s, const char *path, struct error *e) {
    s->path = path;
    s->reader = fstReaderOpen(path);
    if (!s->reader) return error_set(e, EXIT_USER, "%s: it is no whole FST file", path);
    fstReaderResetScope(s->reader);
    for (struct fstHier *h; (h = fstReaderIterateHier(s->reader)) != NULL;) {
        if (h->htyp == FST_HT_SCOPE) fstReaderPushScope(s->reader, h->u.scope.name, NULL);
        if (h->htyp == FST_HT_UPSCOPE) fstReaderPopScope(s->reader);
        if (h->htyp == FST_HT_VAR) add_variable(s, h);
    }
    if (s->count) qsort(s->variable, s->count, sizeof *s->variable, by_name);
    s->sum = calloc(fstReaderGetMaxHandle(s->reader) + (size_t)1, sizeof *s->sum);
    require_memory(s->sum);
    return true;
}

static void close_side(struct side *s) {
    for (size_t n = 0; s->list && n <= fstReaderGetMaxHandle(s->reader); ++n) free(s->list[n].change);
    for (size_t n = 0; n < s->count; ++n) free(s->variable[n].name);
    if (s->reader) fstReaderClose(s->reader);
    free(s->variable);
    free(s->sum);
    free(s->list);
}

/* --- changes --- */

static void list_change(struct list *l, uint64_t time, uint64_t value) {
    if (l->count == l->room) {
        l->room = l->room ? 2 * l->room : 64;
        l->change = realloc(l->change, l->room * sizeof *l->change);
        require_memory(l->change);
    }
    l->change[l->count++] = (struct change){time, value};
}

static void note_change(void *side, uint64_t time, fstHandle handle, const unsigned char *value,
                        uint32_t length) {
    struct side *s = side;
    struct sum *sum = &s->sum[handle];
    const uint64_t hash = XXH3_64bits(value, length);
    if (sum->changes && hash == sum->last) return;
    sum->last = hash;
    ++sum->changes;
    sum->hash = XXH3_64bits_withSeed(&hash, sizeof hash, sum->hash ^ time);
    if (s->list) list_change(&s->list[handle], time, hash);
}

static void note_digits(void *side, uint64_t time, fstHandle handle, const unsigned char *value) {
    note_change(side, time, handle, value, (uint32_t)strlen((const char *)value));
}

static void read_changes(struct side *s) {
    memset(s->sum, 0, (fstReaderGetMaxHandle(s->reader) + (size_t)1) * sizeof *s->sum);
    fstReaderIterBlocks2(s->reader, note_digits, note_change, s, NULL);
}

/* --- comparison --- */

/* Calls `visit` for each variable of both; prints those of one only, and returns how many there are. */
typedef void visit_pair(void *context, const struct variable *x, const struct variable *y);

static size_t visit_pairs(struct side side[2], FILE *out, visit_pair *visit, void *context) {
    size_t at[2] = {0}, alone = 0;
    while (at[0] < side[0].count || at[1] < side[1].count) {
        const struct variable *v[2];
        for (unsigned n = 0; n < 2; ++n) v[n] = at[n] < side[n].count ? &side[n].variable[at[n]] : NULL;
        const int order = !v[0] ? 1 : !v[1] ? -1 : by_name(v[0], v[1]);
        if (order == 0) visit(context, v[0], v[1]);
        if (order != 0 && alone++ < NAMES_SHOWN && out)
            fprintf(out, "only in %s: %s\n", side[order > 0].path, v[order > 0]->name);
        at[0] += order <= 0;
        at[1] += order >= 0;
    }
    if (out && alone > NAMES_SHOWN) fprintf(out, "and %zu more\n", alone - NAMES_SHOWN);
    return alone;
}

struct search {
    struct side *side;
    size_t same, different;
    const struct variable *variable[2]; /* that differs first, */
    uint64_t time;                      /* then */
};

/* Counts variables with other changes, and selects their handles to be read again. */
static void count_pair(void *context, const struct variable *x, const struct variable *y) {
    struct search *s = context;
    const struct sum *a = &s->side[0].sum[x->handle], *b = &s->side[1].sum[y->handle];
    if (a->changes == b->changes && a->hash == b->hash) {
        ++s->same;
        return;
    }
    ++s->different;
    fstReaderSetFacProcessMask(s->side[0].reader, x->handle);
    fstReaderSetFacProcessMask(s->side[1].reader, y->handle);
}

static void find_pair(void *context, const struct variable *x, const struct variable *y) {
    struct search *s = context;
    const struct list *a = &s->side[0].list[x->handle], *b = &s->side[1].list[y->handle];
    size_t n = 0;
    while (n < a->count && n < b->count && memcmp(&a->change[n], &b->change[n], sizeof *a->change) == 0) ++n;
    if (n == a->count && n == b->count) return;
    const uint64_t p = n < a->count ? a->change[n].time : UINT64_MAX,
                   q = n < b->count ? b->change[n].time : UINT64_MAX, time = p < q ? p : q;
    if (time >= s->time) return;
    s->time = time;
    s->variable[0] = x;
    s->variable[1] = y;
}

/* The value of a variable at a time. */
struct reading {
    uint64_t time;
    char *value;
};

static void read_value(void *reading, uint64_t time, fstHandle handle, const unsigned char *value,
                       uint32_t length) {
    struct reading *r = reading;
    (void)handle;
    if (time > r->time) return;
    free(r->value);
    r->value = strndup((const char *)value, length);
    require_memory(r->value);
}

static void read_digits(void *reading, uint64_t time, fstHandle handle, const unsigned char *value) {
    read_value(reading, time, handle, value, (uint32_t)strlen((const char *)value));
}

static void print_value(const struct side *s, uint64_t time, const struct variable *v, FILE *out) {
    struct reading r = {.time = time};
    fstReaderClrFacProcessMaskAll(s->reader);
    fstReaderSetFacProcessMask(s->reader, v->handle);
    fstReaderIterBlocks2(s->reader, read_digits, read_value, &r, NULL);
    fprintf(out, "  %s: %s\n", s->path, r.value ? r.value : "no value");
    free(r.value);
}

/* Reads the changes of the variables that differ, and prints the first. */
static void print_first(struct search *s, FILE *out) {
    for (unsigned n = 0; n < 2; ++n) {
        struct side *side = &s->side[n];
        side->list = calloc(fstReaderGetMaxHandle(side->reader) + (size_t)1, sizeof *side->list);
        require_memory(side->list);
        read_changes(side);
    }
    s->time = UINT64_MAX;
    visit_pairs(s->side, NULL, find_pair, s);
    fprintf(out, "%zu variables differ, %zu are equal; the first difference is at %" PRIu64 " ps:\n",
            s->different, s->same, s->time);
    fprintf(out, "  %s @ %" PRIu64 "\n", s->variable[0]->name, s->time);
    for (unsigned n = 0; n < 2; ++n) print_value(&s->side[n], s->time, s->variable[n], out);
}

bool trace_difference(const char *a, const char *b, FILE *out, bool *differs, struct error *e) {
    struct side side[2] = {{0}, {0}};
    struct search s = {.side = side};
    const bool good = open_side(&side[0], a, e) && open_side(&side[1], b, e);
    if (good) {
        for (unsigned n = 0; n < 2; ++n) {
            fstReaderSetFacProcessMaskAll(side[n].reader);
            read_changes(&side[n]);
            fstReaderClrFacProcessMaskAll(side[n].reader);
        }
        const size_t alone = visit_pairs(side, out, count_pair, &s);
        if (s.different) print_first(&s, out);
        *differs = alone || s.different;
    }
    for (unsigned n = 0; n < 2; ++n) close_side(&side[n]);
    return good;
}
