#include "lockstep/why/block_history.h"

#include "tb/twins/place.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const enum cluster_block slot[BLOCK_COUNT] = {CLUSTER_BLOCK_SCHEDULER,   CLUSTER_BLOCK_ARBITER,
                                                     CLUSTER_BLOCK_DISPATCHER,  CLUSTER_BLOCK_BARRIERS,
                                                     CLUSTER_BLOCK_DESCRIPTORS, CLUSTER_BLOCK_COPROCESSOR};

/* --- writing --- */

struct block_history_writer {
    struct cluster *cluster;
    struct machine_window window;
    const char *path;
    FILE *file;
    struct block_cycle next; /* flip-flops of blocks whose edge comes before that of the whole */
    bool begun;              /* rows have been written */
    bool known;              /* `row` is as before the cycle */
    struct warp_descriptors row[TDT_MAX_WARPS];     /* rows before the cycle */
    struct warp_descriptors written[TDT_MAX_WARPS]; /* rows as last written */
    struct cluster_twins hook;
};

static void keep_rows(struct block_history_writer *w) {
    memcpy(w->row, w->cluster->descriptors.warp, w->cluster->warps * sizeof *w->row);
    w->known = true;
}

static void reset(void *context) {
    keep_rows(context);
}

static void write_cycle(struct block_history_writer *w, uint64_t t) {
    const struct simt_coprocessor *s = &w->cluster->coprocessor;
    struct block_cycle *c = &w->next;
    c->cycle = t;
    c->in = s->in;
    memcpy(c->execute_target, s->in.execute_target, w->cluster->descriptors.warp_size * sizeof(uint32_t));
    c->q = s->q;
    c->words = s->now;
    c->descriptors = w->cluster->descriptors.q;
    c->changed = 0;
    for (unsigned n = 0; n < w->cluster->warps; ++n)
        if (!w->begun || memcmp(&w->row[n], &w->written[n], sizeof *w->row) != 0)
            c->changed |= (block_rows)1 << n;
    w->begun = true;
    fwrite(c, sizeof *c, 1, w->file);
    for (unsigned n = 0; n < w->cluster->warps; ++n) {
        if (!(c->changed >> n & 1)) continue;
        w->written[n] = w->row[n];
        fwrite(&w->row[n], sizeof *w->row, 1, w->file);
    }
}

/* Called for each block between its evaluation and its edge; the descriptors are the last one. */
static void cycle(void *context, enum cluster_block b, uint64_t t) {
    struct block_history_writer *w = context;
    const struct cluster *c = w->cluster;
    switch (b) {
    case CLUSTER_BLOCK_SCHEDULER: w->next.scheduler = c->blocks.scheduler.q; return;
    case CLUSTER_BLOCK_DISPATCHER: w->next.dispatcher = c->blocks.dispatcher.q; return;
    case CLUSTER_BLOCK_BARRIERS:
        w->next.barriers = c->barriers.q;
        w->next.groups = c->barriers.now;
        return;
    case CLUSTER_BLOCK_COPROCESSOR:
        if (w->known && c->coprocessor.in.simt && t >= w->window.first && t <= w->window.last)
            write_cycle(w, t);
        return;
    case CLUSTER_BLOCK_DESCRIPTORS:
        w->known = false;
        if (t + 1 >= w->window.first && t <= w->window.last) keep_rows(w);
        return;
    default: return;
    }
}

/* Returns the place of a cluster in the list; NULL: it has none. */
static const struct twin_place *place_of(const struct twin_places *l, const struct cluster *c) {
    for (unsigned n = 0; n < l->count; ++n)
        if (l->place[n].kind->is_cluster && (const struct cluster *)l->place[n].unit == c)
            return &l->place[n];
    return NULL;
}

static struct block_sizes sizes_of(const struct machine_config *m, const struct cluster *c,
                                   const struct twin_place *p) {
    struct verilog_setting setting[VERILOG_MAX_PARAMETERS];
    struct block_sizes s = {.warps = c->warps,
                            .warp_size = c->descriptors.warp_size,
                            .lanes = c->lanes,
                            .levels = c->descriptors.levels,
                            .active_warps = m->simt.active_warps,
                            .scheduler = (unsigned)m->simt.scheduler,
                            .queue_entries = m->simt.queue_entries,
                            .collectors = m->simt.collectors,
                            .pc_policy = m->simt.pc_policy,
                            .cyclic = m->simt.lane_map != LANE_MAP_BLOCK,
                            .settings = p->kind->settings(p, CLUSTER_BLOCK_COPROCESSOR, setting)};
    for (unsigned b = 0; b < BLOCK_COUNT; ++b)
        s.block[b] = (unsigned)(twin_block_of(m, slot[b]) - twin_block);
    for (unsigned n = 0; n < s.settings; ++n) {
        snprintf(s.setting[n].name, sizeof s.setting[n].name, "%s", setting[n].name);
        s.setting[n].value = setting[n].value;
    }
    return s;
}

static bool has_blocks(const struct machine_config *m, struct error *e) {
    for (unsigned b = 0; b < BLOCK_COUNT; ++b) {
        const char *field = twin_block_absent(m, slot[b]);
        if (field)
            return error_set(e, EXIT_USER, "ports of blocks are explained on machines with %s only", field);
    }
    return true;
}

static void attach(struct block_history_writer *w, struct machine *m, const struct cluster_twins **twins) {
    w->hook = (struct cluster_twins){.context = w, .reset = reset, .cycle = cycle, .end = UINT64_MAX};
    for (unsigned b = 0; b < BLOCK_COUNT; ++b) w->hook.attached[slot[b]] = true;
    machine_watch(m, UINT64_MAX);
    *twins = &w->hook;
}

struct block_history_writer *block_history_begin(struct machine *m, unsigned unit,
                                                 struct machine_window window, const char *path,
                                                 struct error *e) {
    const struct machine_config *config = machine_configuration(m);
    if (!has_blocks(config, e)) return NULL;
    const struct twin_places l = twin_places_of(m);
    struct block_history_writer *w = aligned_alloc(_Alignof(struct block_history_writer), sizeof *w);
    require_memory(w);
    memset(w, 0, sizeof *w);
    w->cluster = machine_cluster(m, unit);
    w->window = window;
    w->path = path;
    w->file = fopen(path, "w");
    const struct twin_place *p = place_of(&l, w->cluster);
    if (!w->file) {
        error_set(e, EXIT_USER, "%s: %s", path, strerror(errno));
        free(w);
        w = NULL;
    } else {
        struct block_sizes sizes = sizes_of(config, w->cluster, p);
        sizes.first = window.first;
        fwrite(&sizes, sizeof sizes, 1, w->file);
        attach(w, m, p->twins);
    }
    free(l.place);
    return w;
}

bool block_history_finish(struct block_history_writer *w, struct error *e) {
    if (!w) return true;
    w->cluster->twins = NULL;
    const bool failed = ferror(w->file) != 0;
    const bool closed = fclose(w->file) == 0;
    const bool good = (!failed && closed) || error_set(e, EXIT_USER, "%s: %s", w->path, strerror(errno));
    free(w);
    return good;
}

/* --- reading --- */

/* Returns an array with room for `more` items after the first n, which are moved. */
static void *grow(void *items, size_t n, size_t more, size_t *room, size_t size) {
    if (n + more <= *room) return items;
    *room = *room ? 2 * *room + more : 256 + more;
    void *larger = aligned_alloc(_Alignof(struct warp_descriptors),
                                 (*room * size + _Alignof(struct warp_descriptors) - 1) &
                                     -_Alignof(struct warp_descriptors));
    require_memory(larger);
    if (n) memcpy(larger, items, n * size);
    free(items);
    return larger;
}

/* Reads a cycle with its rows; returns false at the end of the file. */
static bool read_cycle(struct block_history *h, FILE *in, size_t *rows, size_t room[3]) {
    const unsigned warps = h->sizes.warps;
    h->cycle = grow(h->cycle, h->count, 1, &room[0], sizeof *h->cycle);
    h->version = grow(h->version, h->count * warps, warps, &room[1], sizeof *h->version);
    h->row = grow(h->row, *rows, warps, &room[2], sizeof *h->row);
    struct block_cycle *c = &h->cycle[h->count];
    if (fread(c, sizeof *c, 1, in) != 1) return false;
    uint32_t *version = h->version + h->count * warps;
    for (unsigned n = 0; n < warps; ++n) {
        version[n] = h->count ? version[(int)n - (int)warps] : 0;
        if (!(c->changed >> n & 1)) continue;
        if (fread(&h->row[*rows], sizeof *h->row, 1, in) != 1) return false;
        version[n] = (uint32_t)(*rows)++;
    }
    ++h->count;
    return true;
}

bool block_history_read(struct block_history *h, const char *path, struct error *e) {
    size_t rows = 0, room[3] = {0};
    *h = (struct block_history){0};
    FILE *in = fopen(path, "r");
    if (!in) return error_set(e, EXIT_USER, "%s: %s", path, strerror(errno));
    if (fread(&h->sizes, sizeof h->sizes, 1, in) == 1)
        while (read_cycle(h, in, &rows, room)) continue;
    fclose(in);
    return h->count > 0 ||
           error_set(e, EXIT_USER, "no warp runs in these cycles: the blocks have values in SIMT mode only");
}

void block_history_free(struct block_history *h) {
    free(h->cycle);
    free(h->row);
    free(h->version);
    *h = (struct block_history){0};
}
