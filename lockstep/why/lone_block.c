#include "lockstep/why/lone_block.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Begin of the file. Values of a cycle follow each other in the order of the block's signals. */
struct head {
    char name[2 * TWIN_PLACE_NAME];
    uint64_t first;
    unsigned block;                         /* index in twin_block[] */
    unsigned elements[VERILOG_MAX_SIGNALS]; /* elements of each signal; 0: it does not exist */
    unsigned settings;
    struct block_setting setting[VERILOG_MAX_PARAMETERS];
};

struct cycle {
    uint64_t cycle, begins;
};

bool lone_block_is_port(const char *name) {
    const char *end = name + strcspn(name, "[@"), *begin;
    while (end > name && *end != '.') --end;
    for (begin = end; begin > name && begin[-1] != '.'; --begin) continue;
    return twin_block_find(begin, (size_t)(end - begin)) != CLUSTER_BLOCK_COUNT;
}

static const struct verilog_signal *find_port(const struct verilog_module *v, const struct twin_signal *s) {
    for (unsigned n = 0; n < v->count; ++n)
        if (v->signal[n].kind == s->kind && strcmp(v->signal[n].name, s->name) == 0) return &v->signal[n];
    return NULL;
}

static char *path_of(const struct twin_block *b, const char *folder, char path[PATH_MAX]) {
    snprintf(path, PATH_MAX, "%s/%s.sv", folder, b->module);
    return path;
}

/* --- writing --- */

struct lone_block_writer {
    struct head head;
    struct machine_window window;
    const char *path;
    FILE *file;
    const struct cluster_twins **twins; /* the place's pointer to the hook */
    const struct twin_block *block;
    const char *model; /* offsets of the block's signals are from here */
    bool begins;
    struct cluster_twins hook;
};

static void reset(void *context) {
    ((struct lone_block_writer *)context)->begins = true;
}

/* Called between the evaluation of the block's model and its edge. */
static void cycle(void *context, enum cluster_block b, uint64_t t) {
    struct lone_block_writer *w = context;
    const size_t base[] = {w->block->in, w->block->out, w->block->q};
    if (b != w->block->slot || t < w->window.first || t > w->window.last) return;
    const struct cycle c = {t, w->begins};
    fwrite(&c, sizeof c, 1, w->file);
    for (unsigned n = 0; n < w->block->count; ++n) {
        const struct twin_signal *s = &w->block->signal[n];
        if (!w->head.elements[n]) continue;
        const char *at = w->model + base[s->kind] + s->offset;
        if (s->array) at = *(char *const *)(const void *)at;
        fwrite(at, s->bytes, w->head.elements[n], w->file);
    }
    w->begins = false;
}

/* Returns the name of a place in its unit: scheduler1 of _sm0_scheduler1; "" if it is the unit. */
static const char *name_of(const struct twin_place *p) {
    const char *own = strrchr(p->name, '_');
    return own && !p->kind->is_cluster ? own + 1 : "";
}

/* Finds the only place of a unit that has the block. */
static const struct twin_place *find_place(const struct twin_places *l, const struct simt *unit,
                                           const char *name, enum cluster_block b, struct error *e) {
    const size_t length = strlen(name) - strlen(twin_block[b].name); /* length of the place and a dot */
    const struct twin_place *found = NULL;
    char names[300] = "";
    unsigned count = 0;
    for (const struct twin_place *p = l->place; p < l->place + l->count; ++p) {
        const char *own = name_of(p);
        const size_t used = strlen(names);
        if (p->unit != unit || !twin_place_model(p, b)) continue;
        if (length && (strlen(own) + 1 != length || strncmp(name, own, length - 1) != 0)) continue;
        snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", own);
        found = p;
        ++count;
    }
    if (count == 1) return found;
    error_set(e, EXIT_USER, count ? "%s: which one? Write the place before it: %s" : "%s: the unit has none",
              name, names);
    return NULL;
}

/* Returns the block of a name; NULL with *e if the machine has none, or the block cannot be set by force. */
static const struct twin_block *find_block(const struct machine_config *c, const char *name,
                                           struct error *e) {
    const char *dot = strrchr(name, '.'), *own = dot ? dot + 1 : name;
    const enum cluster_block b = twin_block_find(own, strlen(own));
    const char *field = b == CLUSTER_BLOCK_COUNT ? "such a block" : twin_block_absent(c, b);
    if (field) {
        error_set(e, EXIT_USER, "%s is in machines with %s only", name, field);
        return NULL;
    }
    const struct twin_block *block = twin_block_of(c, b);
    const char *why = !twin_block_is_pure(b)    ? "it consists of other blocks: name one of them"
                      : twin_block_is_shared(b) ? "its cycles are requests"
                      : block->stride           ? "it has memories"
                                                : NULL;
    if (why) error_set(e, EXIT_USER, "signals of %s are not explained: %s", name, why);
    return why ? NULL : block;
}

/* Reads the elements of all signals from the Verilog. */
static bool read_elements(struct head *h, const struct twin_block *b, const char *folder, struct error *e) {
    struct verilog_setting setting[VERILOG_MAX_PARAMETERS];
    char path[PATH_MAX];
    struct verilog_source source = {0};
    struct verilog_module v = {0};
    for (unsigned n = 0; n < h->settings; ++n)
        setting[n] = (struct verilog_setting){h->setting[n].name, h->setting[n].value};
    const bool good = verilog_source_one(&source, path_of(b, folder, path), b->module, e) &&
                      verilog_module_read(&v, &source, setting, h->settings, e);
    for (unsigned n = 0; good && n < b->count; ++n) {
        const struct verilog_signal *port = find_port(&v, &b->signal[n]);
        if (port && port->bits) h->elements[n] = b->signal[n].array ? port->bits / port->element_bits : 1;
    }
    verilog_module_free(&v);
    verilog_source_free(&source);
    return good;
}

static bool fill(struct lone_block_writer *w, struct machine *m, const struct twin_place *p,
                 const char *folder, struct error *e) {
    struct verilog_setting setting[VERILOG_MAX_PARAMETERS];
    struct head *h = &w->head;
    const char *place = name_of(p);
    h->block = (unsigned)(w->block - twin_block);
    h->first = w->window.first;
    snprintf(h->name, sizeof h->name, "%s%s%s", place, *place ? "." : "", twin_block[w->block->slot].name);
    h->settings = p->kind->settings(p, w->block->slot, setting);
    for (unsigned n = 0; n < h->settings; ++n) {
        snprintf(h->setting[n].name, sizeof h->setting[n].name, "%s", setting[n].name);
        h->setting[n].value = setting[n].value;
    }
    w->model = (const char *)twin_place_model(p, w->block->slot) - w->block->model;
    w->twins = p->twins;
    w->begins = true;
    if (!read_elements(h, w->block, folder, e)) return false;
    w->file = fopen(w->path, "w");
    if (!w->file) return error_set(e, EXIT_USER, "%s: %s", w->path, strerror(errno));
    fwrite(h, sizeof *h, 1, w->file);
    w->hook = (struct cluster_twins){.context = w, .reset = reset, .cycle = cycle, .end = UINT64_MAX};
    w->hook.attached[w->block->slot] = true;
    machine_watch(m, UINT64_MAX);
    *w->twins = &w->hook;
    return true;
}

struct lone_block_writer *lone_block_begin(struct machine *m, unsigned unit, const char *name,
                                           struct machine_window window, const char *folder, const char *path,
                                           struct error *e) {
    const struct twin_block *block = find_block(machine_configuration(m), name, e);
    if (!block) return NULL;
    const struct twin_places l = twin_places_of(m);
    const struct twin_place *p = find_place(&l, machine_unit(m, unit), name, block->slot, e);
    struct lone_block_writer *w = p ? calloc(1, sizeof *w) : NULL;
    if (p) {
        require_memory(w);
        w->window = window;
        w->path = path;
        w->block = block;
        if (!fill(w, m, p, folder, e)) {
            free(w);
            w = NULL;
        }
    }
    free(l.place);
    return w;
}

bool lone_block_finish(struct lone_block_writer *w, struct error *e) {
    if (!w) return true;
    *w->twins = NULL;
    const bool failed = ferror(w->file) != 0;
    const bool closed = fclose(w->file) == 0;
    const bool good = (!failed && closed) || error_set(e, EXIT_USER, "%s: %s", w->path, strerror(errno));
    free(w);
    return good;
}

/* --- reading --- */

static bool read_cycles(struct lone_block *l, FILE *in) {
    struct cycle c;
    size_t room = 0;
    while (fread(&c, sizeof c, 1, in) == 1) {
        if (l->count == room) {
            room = room ? 2 * room : 1024;
            l->cycle = reallocarray(l->cycle, room, sizeof *l->cycle);
            l->begins = reallocarray(l->begins, room, sizeof *l->begins);
            l->kept = reallocarray(l->kept, room, l->bytes);
            require_memory(l->cycle && l->begins && l->kept ? l : NULL);
        }
        l->cycle[l->count] = c.cycle;
        l->begins[l->count] = c.begins;
        if (fread(l->kept + l->count * l->bytes, l->bytes, 1, in) != 1) return false;
        ++l->count;
    }
    return l->count > 0;
}

/* Sets the place of each port among the values. */
static void place_values(struct lone_block *l, const struct head *h) {
    const struct twin_block *b = &twin_block[h->block];
    for (unsigned n = 0; n < b->count; ++n) {
        for (unsigned k = 0; k < l->twin.ports; ++k)
            if (l->twin.port[k].signal == &b->signal[n]) l->at[k] = l->bytes;
        l->bytes += (size_t)h->elements[n] * b->signal[n].bytes;
    }
}

/* Builds the Verilog without optimisation: it is evaluated a few thousand times only. */
static bool open_twin(struct lone_block *l, const struct head *h, const char *folder, struct error *e) {
    const struct twin_block *b = &twin_block[h->block];
    struct verilog_setting setting[VERILOG_MAX_PARAMETERS];
    struct verilog_source source;
    char path[PATH_MAX];
    const struct verilated_request r = {
        .block = b, .source = &source, .settings = setting, .count = h->settings, .optimize = "0"};
    for (unsigned n = 0; n < h->settings; ++n)
        setting[n] = (struct verilog_setting){h->setting[n].name, h->setting[n].value};
    const bool good =
        verilog_source_one(&source, path_of(b, folder, path), b->module, e) && twin_open(&l->twin, &r, 1, e);
    verilog_source_free(&source);
    return good;
}

bool lone_block_open(struct lone_block *l, const char *path, const char *folder, struct error *e) {
    struct head h;
    *l = (struct lone_block){0};
    FILE *in = fopen(path, "r");
    if (!in) return error_set(e, EXIT_USER, "%s: %s", path, strerror(errno));
    bool good = (fread(&h, sizeof h, 1, in) == 1 || error_set(e, EXIT_USER, "%s: it is empty", path)) &&
                open_twin(l, &h, folder, e);
    if (good) {
        snprintf(l->name, sizeof l->name, "%s", h.name);
        l->first = h.first;
        place_values(l, &h);
        l->value = malloc(2 * l->bytes);
        require_memory(l->value);
        l->put = l->value + l->bytes;
        good =
            read_cycles(l, in) ||
            error_set(e, EXIT_USER, "%s has no cycle there: blocks have values while a kernel runs", l->name);
    }
    fclose(in);
    return good;
}

void lone_block_free(struct lone_block *l) {
    if (l->twin.instance) twin_free(&l->twin);
    free(l->cycle);
    free(l->begins);
    free(l->kept);
    free(l->value);
}

void lone_block_load(struct lone_block *l, size_t n) {
    memcpy(l->value, l->kept + n * l->bytes, l->bytes);
}

static bool is_output(const struct twin_port *p) {
    return p->signal->kind == VERILOG_OUTPUT;
}

/* Puts the values that differ from those in the Verilog. */
static void put(struct lone_block *l) {
    for (unsigned k = 0; k < l->twin.ports; ++k) {
        const struct twin_port *p = &l->twin.port[k];
        const size_t at = l->at[k], bytes = (size_t)p->elements * p->bytes;
        if (is_output(p) || (l->is_put && memcmp(l->put + at, l->value + at, bytes) == 0)) continue;
        twin_put(p, 0, l->value + at);
    }
    l->is_put = true;
}

bool lone_block_evaluate(struct lone_block *l, bool edge) {
    struct twin *t = &l->twin;
    put(l);
    const bool good = twin_force(t, edge);
    for (unsigned k = t->inputs; k < t->ports; ++k)
        if (edge || is_output(&t->port[k])) twin_get(&t->port[k], 0, l->value + l->at[k]);
    memcpy(l->put, l->value, l->bytes);
    return good;
}
