#include "lockstep/commands/rtl_lint.h"

#include "lockstep/output/progress.h"
#include "tb/stimulus/stimulus.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CYCLES      1000
#define INSTANCES   8 /* instances of the design; a bit's initial values are equal in half of all pairs */
#define TOLD_A_NAME 4

/* --- two runs --- */

/* Instances of the design. State that no reset sets has different initial values in each. */
struct runs {
    const struct stimulus_block *block;
    struct verilog_notices *notices;
    struct twin twin[INSTANCES];
    unsigned open;
    twin_value *values[2];
};

static unsigned words(unsigned bits) {
    return (bits + 31) / 32;
}

static void add_notice(struct runs *r, const char *name, const char *text) {
    verilog_notices_add(r->notices, false, name, "", text);
}

/* Reports state that differs after a reset, a memory once. */
static void compare_insides(struct runs *r) {
    const struct twin_insides *first = &r->twin[0].insides;
    for (unsigned n = 0; n < first->vcd.all.count; ++n) {
        const struct verilated_inside *s = &first->vcd.all.inside[n];
        bool same = true;
        for (unsigned k = 1; k < r->open; ++k)
            same &= memcmp(first->vcd.now + s->word, r->twin[k].insides.vcd.now + s->word,
                           words(s->bits) * sizeof *first->vcd.now) == 0;
        if (same) continue;
        char name[1024];
        snprintf(name, sizeof name, "%s", s->path);
        name[strcspn(name, "[")] = '\0';
        for (char *c = name; *c; ++c)
            if (*c == ' ') *c = '.';
        add_notice(r, "reset", name);
    }
}

static void compare_outputs(struct runs *r, unsigned cycle) {
    const struct twin *first = &r->twin[0];
    twin_read(first, r->values[0]);
    for (unsigned k = 1; k < r->open; ++k) {
        twin_read(&r->twin[k], r->values[1]);
        for (unsigned n = first->inputs; n < first->ports; ++n) {
            const struct twin_port *p = &first->port[n];
            char text[TWIN_MAX_NAME + 64];
            if (p->signal->kind != VERILOG_OUTPUT ||
                memcmp(r->values[0] + p->slot, r->values[1] + p->slot, p->elements * sizeof **r->values) == 0)
                continue;
            bool known = false;
            snprintf(text, sizeof text, "%s%s,", p->signal->name, twin_suffix[p->signal->kind]);
            for (unsigned i = 0; i < r->notices->count; ++i)
                known |= strncmp(r->notices->notice[i].text, text, strlen(text)) == 0;
            snprintf(text, sizeof text, "%s%s, first in cycle %u", p->signal->name,
                     twin_suffix[p->signal->kind], cycle);
            if (!known) add_notice(r, "output", text);
        }
    }
}

/* Simulates a cycle. Returns NULL, or the reason for the end of the simulation. */
static const char *cycle(struct runs *r, bool reset) {
    const char *stopped = NULL;
    for (unsigned k = 0; k < r->open; ++k) {
        struct twin *t = &r->twin[k];
        if (reset) twin_reset(t);
        const char *why = t->library.settle(t->instance, r->block->in);
        if (!stopped) stopped = why;
    }
    return stopped;
}

static void edge(struct runs *r) {
    for (unsigned k = 0; k < r->open; ++k)
        if (r->twin[k].library.edge) r->twin[k].library.edge(r->twin[k].instance);
    if (r->block->clock) r->block->clock();
}

static bool open_runs(struct runs *r, const struct verilated_request *request, struct error *e) {
    for (; r->open < INSTANCES; ++r->open) {
        struct twin *t = &r->twin[r->open];
        if (!twin_open(t, request, (int)r->open + 1, e)) return false;
        if (twin_insides_open(t)) twin_insides_look(t);
        if (r->open == 0) t->library.hush(true);
    }
    return true;
}

static bool compare_runs(struct runs *r, const struct verilated_request *request, const struct rtl_size *size,
                         struct error *e) {
    struct seed seed = seed_of(1);
    const char *stopped = NULL;
    if (!open_runs(r, request, e)) return false;
    for (unsigned n = 0; n < 2; ++n) {
        r->values[n] = calloc(r->twin[0].slots + 1, sizeof *r->values[n]);
        require_memory(r->values[n]);
    }
    compare_insides(r);
    r->block->start(&seed, size);
    for (unsigned n = 0; n < CYCLES && !stopped; ++n) {
        stopped = cycle(r, r->block->drive(&seed));
        if (!stopped) compare_outputs(r, n);
        edge(r);
    }
    return !stopped || error_set(e, EXIT_USER, "the Verilog of %s stops: %s", request->block->name, stopped);
}

static bool find_undefined(const struct verilated_request *request, const struct stimulus_block *block,
                           const struct rtl_size *size, struct verilog_notices *n, struct error *e) {
    static struct runs r;
    r = (struct runs){.block = block, .notices = n};
    const bool good = compare_runs(&r, request, size, e);
    for (unsigned k = 0; k < r.open; ++k) twin_free(&r.twin[k]);
    free(r.values[0]);
    free(r.values[1]);
    return good;
}

/* --- messages --- */

static unsigned count_warnings(const struct verilog_notices *n) {
    unsigned all = 0;
    for (unsigned i = 0; i < n->count; ++i) all += !n->notice[i].error;
    return all;
}

bool rtl_lint(const struct verilated_request *r, const struct stimulus_block *block,
              const struct rtl_size *size, struct error *e) {
    struct verilog_notices n = {0};
    bool good = verilated_library_lint(r, &n, e);
    good = good && find_undefined(r, block, size, &n, e);
    const unsigned all = count_warnings(&n);
    progress_erase();
    printf("%s, module %s: %s, %u warning%s%s\n", r->block->name, r->source->top,
           good ? "no error" : "it cannot run", all, all == 1 ? "" : "s", all ? ":" : "");
    verilog_notices_print(stdout, &n, UINT_MAX);
    verilog_notices_free(&n);
    return good;
}

/* Texts printed by rtl_lint_tell(). */
static struct {
    unsigned count;
    char **text;
} printed;

/* Adds a text, which then belongs to the list. Returns false if it was in the list. */
static bool is_new(char *text) {
    for (unsigned i = 0; i < printed.count; ++i) {
        if (strcmp(printed.text[i], text) != 0) continue;
        free(text);
        return false;
    }
    printed.text = reallocarray(printed.text, printed.count + 1, sizeof *printed.text);
    require_memory(printed.text);
    printed.text[printed.count++] = text;
    return true;
}

void rtl_lint_tell(const char *block, const char *top, const struct verilog_notices *n) {
    const unsigned all = count_warnings(n);
    char *text = NULL;
    size_t size;
    if (!all) return;
    FILE *out = open_memstream(&text, &size);
    require_memory(out);
    fprintf(out, "lockstep: the Verilog of %s, module %s, has %u warning%s, none of which is an error:\n",
            block, top, all, all == 1 ? "" : "s");
    verilog_notices_print(out, n, TOLD_A_NAME);
    require_memory(fclose(out) == 0);
    if (!is_new(text)) return;
    progress_erase();
    fputs(text, stderr);
}
